"""The frames of a match, one after the other: the first of each hand as a whole, then what changes at each event.

Each frame is that of `replay.table.frame`, as JSON data with its piles by name. To make it anew at each event takes longer
than to judge the match, so this looks only at what an event may have changed: a pile whose cards are not those of before, the
contract if no card was moved, the score if there is another. A test compares the two at every event of every game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from events.cards import UNKNOWN
from events.model import Arrange, Capture, Cards, Discard, Draw, Event, Meld, Move, Play, Show
from reducers.model import Game, State
from reducers.piles import OfPile
from reducers.scoring import Standing
from reducers.table import Pile
from reducers.words.tricks import Tricks, tricks_in
from replay.table.frame import NOTHING, Laid, PileView, PileViews, contract_of, frame, laid, last_of, tricks_won

MOVES = frozenset((Play, Draw, Discard, Move, Meld, Capture, Arrange, Show))
"""What moves cards, and agrees on nothing."""
UNTOLD = ("position", "inferred", "phase_name", "expects", "viewer", "game", "name", "seats", "sides", "names")
"""What of a frame stands elsewhere: its position and what was inferred, at each event; phases and terms, once for all."""
SILENT = next(field.default for field in msgspec.structs.fields(Game) if field.name == "of_pile")
"""A page that says nothing of its piles."""


def whole(state: State[Any], viewer: str) -> dict[str, Any]:
    """A frame as data: piles by name, and `order` with the names in their order."""
    out: dict[str, Any] = msgspec.to_builtins(frame(state, viewer))
    for key in UNTOLD:
        del out[key]
    piles = out.pop("piles")
    out["piles"] = {pile["name"]: {key: value for key, value in pile.items() if value not in EMPTY} for pile in piles}
    return out


EMPTY: tuple[object, ...] = ("", False, None, [], ())
"""What a pile need not say; a count of 0 is False too."""


def as_told(view: PileView) -> dict[str, Any]:
    """A pile that was not there before."""
    return {key: value for key in view.__struct_fields__ if (value := getattr(view, key)) not in EMPTY}


def after(before: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """The frame that comes of a change.

    >>> after({"hand": 1, "piles": {"N": {"count": 8, "out": False}}}, {"piles": {"N": {"count": 7}, "E": {"count": 8}}})
    {'hand': 1, 'piles': {'N': {'count': 7}, 'E': {'count': 8}}}
    """
    piles = {**before["piles"]}
    for name, new in change.get("piles", {}).items():
        if new is None:
            piles.pop(name, None)
        else:
            pile = {**piles.get(name, {}), **new}
            piles[name] = {key: value for key, value in pile.items() if value not in EMPTY}
    return {**before, **change, "piles": piles}


class Seen:
    """A pile as it was seen the last time, and what that was made from: the parts of a bag, or a row, and whether it is vague.

    `open` says that the viewer sees all of it, `held` that somebody holds it.
    """

    __slots__ = ("cards", "held", "made", "number", "open", "said")

    def __init__(self, made: tuple[Any, ...], cards: Cards, number: int, said: OfPile) -> None:
        self.made, self.cards, self.number, self.said = made, cards, number, said
        self.open = self.held = False


class Frames:
    """The frames of one match for one viewer, while somebody else folds it into `state`.

    After each event one asks for the `whole` if it is to be told `anew`, else for what the event has `changed`.
    """

    def __init__(self, state: State[Any], viewer: str) -> None:
        self.state, self.viewer = state, viewer
        self.number, self.terms, self.game = -1, state.terms, state.game
        self.views = PileViews(state.game, state.terms, viewer)
        self.talks = state.game.of_pile is not SILENT
        self.piles: dict[str, Seen] = {}
        # What is told of each pile and never changes.
        self.bases: dict[str, dict[str, Any]] = {}
        # What each part of the frame was worked out from the last time, and what it said.
        self.hand: object = None
        self.tricks: Tricks | None = None
        self.plays: list[Any] = []
        self.won: list[Any] = []
        self.scores: tuple[Any, ...] = ()
        self.standing: Standing | None = None
        self.said: dict[str, Any] = {}
        # The parts of the hand so far.
        self.phases: set[str] = set()

    @property
    def anew(self) -> bool:
        """Whether the next frame is told as a whole: another hand has begun, or there are other terms."""
        return self.state.number != self.number or self.state.terms is not self.terms

    def whole(self) -> dict[str, Any]:
        """The frame as it is, from which the changes go on."""
        state = self.state
        if state.terms is not self.terms or state.game is not self.game:
            self.views, self.bases = PileViews(state.game, state.terms, self.viewer), {}
        self.number, self.terms, self.game = state.number, state.terms, state.game
        self.talks = state.game.of_pile is not SILENT
        self.piles, self.said, self.phases = {}, {}, set()
        self.hand, self.tricks, self.plays, self.won, self.scores, self.standing = None, None, [], [], (), None
        return {"hand": state.number, "contract": "", "headline": {}, "piles": {}, **self.changed(None)}

    def changed(self, event: Event | None) -> dict[str, Any]:
        """What the event just folded has changed."""
        state, said = self.state, self.said
        out: dict[str, Any] = {}
        piles = self._piles()
        if piles:
            out["piles"] = piles
        self._middle(piles, out)
        self._standing(out)
        over = said["over"]
        phase = "over" if over else state.phase
        if phase != said.get("phase"):
            out["phase"] = said["phase"] = phase
        turn = () if over else state.turn
        if turn != said.get("turn"):
            said["turn"] = turn
            out["turn"] = list(turn)
        if state.dealer != said.get("dealer"):
            out["dealer"] = said["dealer"] = state.dealer
        if state.number:
            self._agreed(event, phase, out)
        return out

    def _agreed(self, event: Event | None, phase: str, out: dict[str, Any]) -> None:
        """What is said of the hand, and the contract: that does not change as cards are moved, unless they end the hand, begin
        another part of it, or decide something."""
        state, said = self.state, self.said
        headline, before = state.game.headline(state), said.get("headline", {})
        decided = False
        if headline != before:
            out["headline"] = said["headline"] = headline
            # Numbers are counted all the time; a word is decided, and changes a contract that there is.
            decided = headline.keys() != before.keys()
            if not decided and said.get("contract"):
                decided = any(type(word) is str and word != before.get(key) for key, word in headline.items())
        if decided or type(event) not in MOVES or state.settled or phase not in self.phases:
            self.phases.add(phase)
            contract = contract_of(state)
            if contract != said.get("contract"):
                out["contract"] = said["contract"] = contract

    def _piles(self) -> dict[str, Any]:
        """The piles that are not as they were."""
        seen, talks = self.piles, self.talks
        out: dict[str, Any] = {}
        piles = self.state.table.piles
        for name, pile in piles.items():
            row, last = pile.row, seen.get(name)
            if last is None:
                self._begun(pile, out)
            elif row is None:
                made = (pile.known, pile.unseen, pile.half, pile.vague)
                if made != last.made:
                    self._pile(pile, made, last, out)
                elif talks and last.held:
                    # What is said of a hand may change though its cards do not.
                    self._said(name, last, out)
            elif last.made[0] != row or last.made[1] != pile.vague:
                self._pile(pile, (row[:], pile.vague), last, out)
        if len(seen) > len(piles):
            for name in seen.keys() - piles.keys():
                out[name] = None
                del seen[name]
        return out

    def _begun(self, pile: Pile, out: dict[str, Any]) -> None:
        """A pile that was not there."""
        made = (pile.known, pile.unseen, pile.half, pile.vague) if pile.row is None else (pile.row[:], pile.vague)
        name = pile.name
        said = self.views.said(name, self.state) if self.talks else NOTHING
        self.piles[name] = seen = Seen(made, self.views.cards(pile), len(pile), said)
        _, _, seen.open, seen.held, _ = self.views.lying(name)
        base = self.bases.get(name)
        if base is None:
            lies, owner, _, held, label = self.views.lying(name)
            base = self.bases[name] = as_told(PileView(name, (), 0, lies.seen, owner, held, False, lies.form, lies.place, label))
        told = {**base, "cards": seen.cards, "count": seen.number} if seen.cards else {**base}
        if pile.vague:
            told["vague"] = True
        if said is not NOTHING:
            told |= {key: value for key in said.__struct_fields__ if (value := getattr(said, key)) not in EMPTY}
        out[name] = told

    def _pile(self, pile: Pile, made: tuple[Any, ...], last: Seen, out: dict[str, Any]) -> None:
        """A pile in which other cards lie than before."""
        name, before = pile.name, last.cards
        cards = self._one_moved(made, last) if last.open else None
        if cards is None:
            cards = self.views.cards(pile)
        found: dict[str, Any] = {}
        if cards != before:
            last.cards = found["cards"] = cards
        number = len(pile)
        if number != last.number:
            found["count"] = last.number = number
        if made[-1] != last.made[-1]:
            found["vague"] = made[-1]
        last.made = made
        if found:
            out[name] = found
        if self.talks:
            self._said(name, last, out)

    def _one_moved(self, made: tuple[Any, ...], last: Seen) -> Cards | None:
        """The cards of a pile from which one was taken, or on which one was laid; None if more has happened."""
        pack = self.state.game.pack
        if len(made) == 2:
            row, before = made[0], last.made[0]
            n = len(before)
            if len(row) == n + 1 and not made[1] and row[n] < pack.unknown and row[:n] == before:
                return (*last.cards, pack.tokens[row[n]])
            return () if not row and not made[1] else None
        (known, unseen, half, vague), (known_before, unseen_before, half_before, vague_before) = made, last.made
        if half or half_before or vague or vague_before or pack.width != 1:
            return None
        gone = known_before & ~known
        if unseen == unseen_before and gone and known | gone == known_before and not gone & (gone - 1):
            i = last.cards.index(pack.faces[gone.bit_length() - 1])
            return last.cards[:i] + last.cards[i + 1 :]
        if known == known_before:
            seen = last.cards[:-1] if unseen_before else last.cards
            return (*seen, UNKNOWN if unseen == 1 else f"{unseen}x{UNKNOWN}") if unseen else seen
        return None

    def _said(self, name: str, last: Seen, out: dict[str, Any]) -> None:
        """What is said of a pile, if it is not what was said before."""
        now, before = self.views.said(name, self.state), last.said
        if now is before or now == before:
            return
        last.said = now
        told = out.setdefault(name, {})
        told |= {key: value for key in now.__struct_fields__ if (value := getattr(now, key)) != getattr(before, key)}

    def _middle(self, piles: dict[str, Any], out: dict[str, Any]) -> None:
        """The trick, and how many each side has won."""
        state, said = self.state, self.said
        if state.hand is not self.hand or "trick" not in said:
            self.hand, self.tricks = state.hand, tricks_in(state.hand)
            self.plays, self.won = [], []
            said.pop("trick", None)
            said.pop("tricks", None)
        tricks = self.tricks
        if tricks is None:
            if "trick" in piles or "board" in piles or "trick" not in said:
                out["trick"] = said["trick"] = laid(None, self.views, state)
            if "tricks" not in said:
                out["tricks"] = said["tricks"] = {}
            return
        if tricks.plays != self.plays or "trick" not in said:
            before, self.plays = self.plays, tricks.plays[:]
            out["trick"] = said["trick"] = self._laid(tricks, before)
        if tricks.won != self.won or "tricks" not in said:
            self.won = tricks.won[:]
            out["tricks"] = said["tricks"] = tricks_won(tricks, state.terms)

    def _laid(self, tricks: Tricks, before: list[Any]) -> tuple[Laid, ...]:
        """The trick; most often a card has been added to it."""
        plays, n = self.plays, len(before)
        if n and len(plays) == n + 1 and plays[:n] == before and self.viewer == "all":
            seat, code = plays[n]
            return (*self.said["trick"], Laid(seat, self.state.game.pack.tokens[code]))
        return laid(tricks, self.views, self.state)

    def _standing(self, out: dict[str, Any]) -> None:
        """The score, who has won, and the last result."""
        state, said = self.state, self.said
        standing = state.before if state.after is None else state.after
        if standing is not self.standing:
            self.standing = standing
            for key, value in (("scores", standing.totals), ("winner", standing.winner)):
                if value != said.get(key):
                    out[key] = said[key] = value
        over = standing.over or bool(state.ended)
        if over != said.get("over"):
            out["over"] = said["over"] = over
        now = (len(state.scores), state.scores[-1] if state.scores else None, state.settled)
        if now != self.scores:
            self.scores = now
            last = last_of(state)
            if last != said.get("last"):
                out["last"] = said["last"] = last


__all__ = ["Frames", "after", "whole"]
