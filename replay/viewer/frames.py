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
from events.model import Arrange, Bid, Call, Capture, Cards, Discard, Draw, Event, Meld, Move, Name, Pass, Play, Show
from reducers.model import Game, State
from reducers.piles import OfPile
from reducers.scoring import Standing
from reducers.table import Pile
from reducers.words.tricks import Tricks, tricks_in
from replay.table.frame import NOTHING, Laid, PileView, PileViews, contract_of, frame, laid, last_of, tricks_won

MOVES = frozenset((Play, Draw, Discard, Move, Meld, Capture, Arrange, Show))
"""What moves cards, and agrees on nothing."""
AGREED = frozenset((Bid, Call, Name))
"""What a contract is made by; a pass ends an auction."""
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


def moves_of(game: Game) -> frozenset[Any]:
    """What agrees on nothing in this game: where nobody bids or names anything, a pass is no end of an auction."""
    agreed = any(not AGREED.isdisjoint(phase.acts) for phase in game.phases.values())
    return MOVES if agreed else MOVES | {Pass}


class Seen:
    """A pile as it was looked at the last time: what lay there, how that was told, and what was said of it.

    `open` says that the viewer sees all of it, `held` that somebody holds it.
    """

    __slots__ = ("cards", "half", "held", "known", "number", "open", "pile", "row", "said", "unseen", "vague")

    def __init__(self, pile: Pile, cards: Cards, said: OfPile, *, open_: bool, held: bool) -> None:
        self.pile, self.cards, self.number, self.said, self.open, self.held = pile, cards, len(pile), said, open_, held
        self.row = None if pile.row is None else pile.row[:]
        self.known, self.unseen, self.half, self.vague = pile.known, pile.unseen, pile.half, pile.vague


class Frames:
    """The frames of one match for one viewer, while somebody else folds it into `state`.

    After each event one asks for the `whole` if it is to be told `anew`, else for what the event has `changed`.
    """

    def __init__(self, state: State[Any], viewer: str) -> None:
        self.state, self.viewer = state, viewer
        self.number, self.terms, self.game = -1, state.terms, state.game
        self.views = PileViews(state.game, state.terms, viewer)
        self.talks = state.game.of_pile is not SILENT
        self.moves = moves_of(state.game)
        # The piles on the table in their order, and how they were seen: holdings, and rows.
        self.there: list[Pile] = []
        self.bags: list[Seen] = []
        self.rows: list[Seen] = []
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
        self.talks, self.moves = state.game.of_pile is not SILENT, moves_of(state.game)
        self.there, self.bags, self.rows, self.said, self.phases = [], [], [], {}, set()
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
        if decided or type(event) not in self.moves or state.settled or phase not in self.phases:
            self.phases.add(phase)
            contract = contract_of(state)
            if contract != said.get("contract"):
                out["contract"] = said["contract"] = contract

    def _piles(self) -> dict[str, Any]:
        """The piles that are not as they were. What did not change is the same object as before."""
        out: dict[str, Any] = {}
        there = [*self.state.table.piles.values()]
        if there != self.there:
            self._laid_out(there, out)
        for last in self.bags:
            pile = last.pile
            if pile.known is not last.known or pile.unseen is not last.unseen or pile.half is not last.half or pile.vague is not last.vague:
                self._bag(pile, last, out)
            elif self.talks and last.held:
                # What is said of a hand may change though its cards do not.
                self._said(last, out)
        for last in self.rows:
            pile = last.pile
            if pile.row != last.row or pile.vague is not last.vague:
                self._row(pile, last, out)
        return out

    def _laid_out(self, there: list[Pile], out: dict[str, Any]) -> None:
        """Piles have come to the table, or left it."""
        now, before = {id(pile) for pile in there}, {id(pile) for pile in self.there}
        for last in (*self.bags, *self.rows):
            if id(last.pile) not in now:
                out[last.pile.name] = None
        self.bags = [last for last in self.bags if id(last.pile) in now]
        self.rows = [last for last in self.rows if id(last.pile) in now]
        self.there = there
        for pile in there:
            if id(pile) not in before:
                self._begun(pile, out)

    def _begun(self, pile: Pile, out: dict[str, Any]) -> None:
        """A pile that was not there."""
        name = pile.name
        said = self.views.said(name, self.state) if self.talks else NOTHING
        lies, owner, open_, held, label = self.views.lying(name)
        seen = Seen(pile, self.views.cards(pile), said, open_=open_, held=held)
        (self.bags if pile.row is None else self.rows).append(seen)
        base = self.bases.get(name)
        if base is None:
            base = self.bases[name] = as_told(PileView(name, (), 0, lies.seen, owner, held, False, lies.form, lies.place, label))
        told = {**base, "cards": seen.cards, "count": seen.number} if seen.cards else {**base}
        if pile.vague:
            told["vague"] = True
        if said is not NOTHING:
            told |= {key: value for key in said.__struct_fields__ if (value := getattr(said, key)) not in EMPTY}
        out[name] = told

    def _bag(self, pile: Pile, last: Seen, out: dict[str, Any]) -> None:
        """A holding in which other cards lie than before; most often one has left it, or unseen ones came."""
        known, unseen, pack = pile.known, pile.unseen, self.state.game.pack
        gone = last.known & ~known
        plain = last.open and pack.width == 1 and not (pile.half or last.half or pile.vague or last.vague)
        if plain and unseen == last.unseen and gone and known | gone == last.known and not gone & (gone - 1):
            cards = last.cards
            i = cards.index(pack.faces[gone.bit_length() - 1])
            last.known, last.cards = known, cards[:i] + cards[i + 1 :]
            last.number -= 1
            out[pile.name] = {"cards": last.cards, "count": last.number}
            if self.talks:
                self._said(last, out)
            return
        if plain and known == last.known:
            seen = last.cards[:-1] if last.unseen else last.cards
            cards = (*seen, UNKNOWN if unseen == 1 else f"{unseen}x{UNKNOWN}") if unseen else seen
        else:
            cards = self.views.cards(pile)
        last.known, last.unseen, last.half = known, unseen, pile.half
        self._other(pile, last, cards, out)

    def _row(self, pile: Pile, last: Seen, out: dict[str, Any]) -> None:
        """A row in which other cards lie than before; most often one was laid on it, or all were taken away."""
        row, before, pack = pile.row, last.row, self.state.game.pack
        assert row is not None
        assert before is not None
        n = len(before)
        if last.open and not pile.vague and len(row) == n + 1 and row[n] < pack.unknown and row[:n] == before:
            before.append(row[n])
            cards: Cards = (*last.cards, pack.tokens[row[n]])
        else:
            last.row = row[:]
            cards = () if not row and not pile.vague else self.views.cards(pile)
        self._other(pile, last, cards, out)

    def _other(self, pile: Pile, last: Seen, cards: Cards, out: dict[str, Any]) -> None:
        """Tells what is not as it was of a pile that shows these cards now."""
        found: dict[str, Any] = {}
        if cards != last.cards:
            last.cards = found["cards"] = cards
        number = len(pile)
        if number != last.number:
            found["count"] = last.number = number
        if pile.vague is not last.vague:
            found["vague"] = last.vague = pile.vague
        if found:
            out[pile.name] = found
        if self.talks:
            self._said(last, out)

    def _said(self, last: Seen, out: dict[str, Any]) -> None:
        """What is said of a pile, if it is not what was said before."""
        name = last.pile.name
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
