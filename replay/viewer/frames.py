"""The frames of a match, one after the other: the first of each hand as a whole, then what changes at each event.

Each frame is that of `replay.table.frame`, as JSON data with its piles by name. To make it anew at each event takes longer
than to judge the match, so this looks only at what an event may have changed: a pile whose cards are not those of before, the
contract if no card was moved, the score if there is another. Plays that are folded many at once (`reducers.words.runs`) are told
from the plays alone. A test compares each of these with the frame made anew, at every event of every game.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from operator import length_hint
from types import NoneType
from typing import Any, NamedTuple, TypeAlias

import msgspec

from events.cards import UNKNOWN
from events.model import (
    Arrange,
    Bet,
    Bid,
    Call,
    Capture,
    Cards,
    Discard,
    Draw,
    Event,
    Gap,
    Hand,
    Meld,
    Move,
    Name,
    Open,
    Pass,
    Pay,
    Play,
    Show,
    Tally,
)
from reducers.begin import begin
from reducers.evolve import FRAME, evolve
from reducers.model import Game, State
from reducers.registry import find
from reducers.scoring import HandScore, Standing
from reducers.table import Pile, Table
from reducers.words.beating import lying_in
from reducers.words.columns import ColumnHand
from reducers.words.tricks import Trick, Tricks, tricks_in
from replay.judging.single_pass import runs_by_phase
from replay.log import NumberedEvent
from replay.table.frame import (
    NOTHING,
    Laid,
    PileViews,
    contract_of,
    frame,
    laid,
    last_of,
    last_score,
    tricks_won,
)

MOVES = frozenset((Play, Draw, Discard, Move, Meld, Capture, Arrange, Show, Bet, Pay))
"""What moves cards or chips, and agrees on nothing."""
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


class Agreed(NamedTuple):
    """When a contract may be another in a game: what a page says of it (`Game.agreed_by`), or else what is safe to assume.

    `never` says that there is none before the hand is over; else `by` is what makes or changes one, if the page says that, and
    `quiet` what agrees on nothing if it does not.
    """

    never: bool
    by: frozenset[Any] | None
    quiet: frozenset[Any]


@cache
def agreed_in(key: str) -> Agreed:
    """When a contract may be another in this game."""
    game = find(key)
    # A tally may tell another, and after a gap it may be unknown.
    by = None if game.agreed_by is None else frozenset((*game.agreed_by, Tally, Gap, Open, NoneType))
    # Where nobody bids or names anything, a pass is no end of an auction.
    bids = any(not AGREED.isdisjoint(phase.acts) for phase in game.phases.values())
    return Agreed(game.agreed_by == (), by, MOVES if bids else MOVES | {Pass})


NO_CARDS: Cards = ()
NO_TRICK: Mapping[str, Any] = {"cards": NO_CARDS, "count": 0}
"""How the trick lies once it was gathered."""


class Seen:
    """A pile as it was looked at the last time: what lay there, how that was told, and what was said of it.

    `open` says that the viewer sees all of it, `held` that somebody holds it.
    """

    __slots__ = ("cards", "half", "held", "known", "name", "number", "open", "pile", "row", "said", "unseen", "vague")

    def __init__(self, pile: Pile, open_: bool, held: bool) -> None:
        """A pile in which nothing is seen to lie yet."""
        self.pile, self.name, self.cards, self.number, self.said, self.open, self.held = pile, pile.name, NO_CARDS, 0, NOTHING, open_, held
        self.row: list[int] | None = None if pile.row is None else []
        self.known, self.unseen, self.half, self.vague = 0, 0, pile.half, False


FEW = 3
"""So many cards that came or went are put in their places; for more of them the pile is told anew."""


class LaidBy(dict[str, Laid]):
    """The cards in the middle that one seat has laid there, by their names: each is told at every event as long as it lies there."""

    def __init__(self, seat: str) -> None:
        super().__init__()
        self.seat = seat

    def __missing__(self, card: str) -> Laid:
        """A card that has not lain there yet."""
        laid_now = self[card] = Laid(self.seat, card)
        return laid_now


laid_by = cache(LaidBy)
NOBODYS = laid_by("")
"""The cards in the middle of which nobody asks who laid them."""


Told: TypeAlias = tuple[NumberedEvent, dict[str, Any], bool]
"""An event with what it changes in the frame, or with the whole frame where that is told anew (True)."""


class Played(NamedTuple):
    """What plays that are folded as a run can change: the holdings by their seats, the trick that lies in the middle, and where
    the tricks of each side lie."""

    held: dict[str, Seen]
    trick: Seen
    homes: dict[str, Seen]


class Blank(NamedTuple):
    """The piles of a table on which nothing lies yet: their names, what is told of them, how they are seen, and which of them plays
    that are folded as a run can change."""

    names: list[str]
    told: dict[str, Any]
    bags: list[Seen]
    rows: list[Seen]
    played: Played | None


class Frames:
    """The frames of one match for one viewer, while somebody else folds it into `state`.

    After each event one asks for the `whole` if it is to be told `anew`, else for what the event has `changed`.
    """

    __slots__ = (
        "agreed", "bags", "bases", "beaten", "blank", "contract", "dealer", "game", "hand", "headline", "lay", "many", "number", "over", "phase",
        "phases", "played", "plays", "result", "rows", "said", "score", "scored", "settled", "standing", "state", "table", "talks", "terms",
        "tricks", "turn", "viewer", "views", "won",
    )  # fmt: skip

    def __init__(self, state: State[Any], viewer: str) -> None:
        self.state, self.viewer = state, viewer
        self.number, self.terms, self.game = -1, state.terms, state.game
        self.views = PileViews(state.game, state.terms, viewer)
        self.talks = state.game.of_pile is not SILENT
        self.agreed = agreed_in(state.game.key)
        # What is told of each pile and never changes, whether the viewer sees all of it, and whether it is a holding.
        self.bases: dict[str, tuple[dict[str, Any], bool, bool]] = {}
        # The last result, of which score it is and what is said of it.
        self.result: tuple[HandScore | None, str] = (None, "")
        # The piles at the beginning of a hand.
        self.blank: Blank | None = None
        self._nothing_told()

    def _nothing_told(self) -> None:
        # The table, how many piles there are on it, and how they were seen: holdings, and rows.
        self.table: Table | None = None
        self.many = 0
        self.bags: list[Seen] = []
        self.rows: list[Seen] = []
        # Which of them plays that are folded as a run can change, once it was asked.
        self.played: Played | None = None
        # What each part of the frame was worked out from the last time, and what it said.
        self.hand: object = None
        self.tricks: Tricks | None = None
        self.plays: list[tuple[str, int]] = []
        self.won: list[Trick] = []
        # The plays on the table where they are beaten, and whether they may be.
        self.lay: list[Any] = []
        self.beaten = False
        self.scored, self.settled = -1, False
        self.score: HandScore | None = None
        self.standing: Standing | None = None
        self.over: bool | None = None
        self.phase = ""
        self.dealer: str | None = None
        self.turn: tuple[str, ...] | None = None
        self.contract, self.headline = "", dict[str, Any]()
        # The rest of what was said, by its name.
        self.said: dict[str, Any] = {}
        # The parts of the hand so far.
        self.phases: set[str] = set()

    @property
    def anew(self) -> bool:
        """Whether the next frame is told as a whole: another hand has begun, or there are other terms."""
        return self.state.number != self.number or self.state.terms is not self.terms

    def whole(self, event: Event | None = None) -> dict[str, Any]:
        """The frame as it is, from which the changes go on. To know the `event` just folded may spare a look."""
        state = self.state
        if state.terms is not self.terms or state.game is not self.game:
            self.views, self.bases, self.agreed = PileViews(state.game, state.terms, self.viewer), {}, agreed_in(state.game.key)
            self.blank = None
        self.number, self.terms, self.game = state.number, state.terms, state.game
        self.talks = state.game.of_pile is not SILENT
        self._nothing_told()
        piles, said = self._blank(), self.said
        if piles is None:
            piles = self._piles()
            if not self.talks and not any(last.number or last.vague for last in (*self.bags, *self.rows)):
                self.blank = Blank([*state.table.piles], piles, [*self.bags], [*self.rows], self._played())
        out: dict[str, Any] = {"hand": state.number, "contract": "", "headline": {}, "piles": piles}
        self._other_hand()
        tricks = self.tricks
        out["trick"] = said["trick"] = self._lying() if tricks is None else laid(tricks, self.views, state)
        out["tricks"] = said["tricks"] = tricks_won(tricks, state.terms)
        if tricks is not None:
            self.plays, self.won = tricks.plays[:], tricks.won[:]
        self.standing = standing = state.before if state.after is None else state.after
        out["over"] = self.over = over = standing.over or state.ended != ""
        out["phase"] = self.phase = "over" if over else state.phase
        self.turn = () if over else state.turn
        out["turn"] = list(self.turn)
        out["dealer"] = self.dealer = state.dealer
        out["scores"], out["winner"] = said["scores"], said["winner"] = standing.totals, standing.winner
        out["last"] = self._last()
        if state.number:
            self._told_of_the_hand(event, out)
        return out

    def changed(self, event: Event | None) -> dict[str, Any]:
        """What the event just folded has changed."""
        state = self.state
        out: dict[str, Any] = {}
        piles = self._piles()
        if piles:
            out["piles"] = piles
        self._middle(piles, out)
        standing = state.before if state.after is None else state.after
        over = standing.over or state.ended != ""
        if over is not self.over:
            out["over"] = self.over = over
        phase, turn = ("over", ()) if over else (state.phase, state.turn)
        if phase != self.phase:
            out["phase"] = self.phase = phase
        if turn != self.turn:
            self.turn = turn
            out["turn"] = list(turn)
        if state.dealer != self.dealer:
            out["dealer"] = self.dealer = state.dealer
        scores = state.scores
        if standing is not self.standing or state.settled is not self.settled or len(scores) != self.scored or (scores and scores[-1] is not self.score):
            self._score(standing, out)
        if state.number:
            self._told_of_the_hand(event, out)
        return out

    def _score(self, standing: Standing, out: dict[str, Any]) -> None:
        """The score, who has won, and the last result."""
        said = self.said
        if standing is not self.standing:
            self.standing = standing
            for key, value in (("scores", standing.totals), ("winner", standing.winner)):
                if value != said[key]:
                    out[key] = said[key] = value
        before = said["last"]
        last = self._last()
        if last != before:
            out["last"] = last

    def _last(self) -> str:
        """The last result, as it is told now."""
        state = self.state
        self.scored, self.settled, self.score = len(state.scores), state.settled, state.scores[-1] if state.scores else None
        done = last_score(state)
        if done is not self.result[0]:
            self.result = done, last_of(state)
        self.said["last"] = last = self.result[1]
        return last

    def _told_of_the_hand(self, event: Event | None, out: dict[str, Any]) -> None:
        """What is said of the hand, and the contract: that does not change as cards are moved, unless they end the hand, begin
        another part of it, or decide something."""
        state, (never, by, quiet) = self.state, self.agreed
        headline, before, kind = state.game.headline(state), self.headline, type(event)
        decided = state.settled
        if headline != before:
            out["headline"] = self.headline = headline
            if not (decided or never):
                # Numbers are counted all the time; a word is decided, and changes a contract that there is.
                decided = headline.keys() != before.keys()
                if not decided and self.contract:
                    decided = any(type(word) is str and word != before[key] for key, word in headline.items())
        if never:
            decided = decided or kind is Tally
        elif not decided and by is not None:
            decided = kind in by or (self.phase not in self.phases and kind is not Hand)
        elif not decided:
            # A card from elsewhere than the hand may be what decides the trumps.
            decided = kind not in quiet or self.phase not in self.phases or (kind is Play and event.src != "")  # type: ignore[union-attr]  # a play
        if decided:
            self.phases.add(self.phase)
            contract = contract_of(state)
            if contract != self.contract:
                out["contract"] = self.contract = contract

    def _piles(self) -> dict[str, Any]:
        """The piles that are not as they were. What did not change is the same object as before."""
        out: dict[str, Any] = {}
        table = self.state.table
        # Piles come to a table, and none is ever taken off it.
        if table is not self.table or len(table.piles) != self.many:
            all_new = not self.many
            self._laid_out(table, out)
            if all_new:
                return out
        talks = self.talks
        for last in self.bags:
            pile = last.pile
            if pile.known is not last.known or pile.unseen is not last.unseen or pile.half is not last.half or pile.vague is not last.vague:
                self._bag(pile, last, out)
            elif talks and last.held:
                # What is said of a hand may change though its cards do not.
                self._said(last, out)
        for last in self.rows:
            pile = last.pile
            if pile.row != last.row or pile.vague is not last.vague:
                self._row(pile, last, out)
        return out

    def _blank(self) -> dict[str, Any] | None:
        """The piles at the beginning of a hand, if they are those of the hand before, and nothing lies there yet."""
        blank, table = self.blank, self.state.table
        piles = table.piles
        if blank is None or [*piles] != blank.names:
            return None
        for pile in piles.values():
            if pile.row or pile.known or pile.unseen or pile.half or pile.vague:
                return None
        for last in blank.bags:
            last.pile, last.cards, last.number, last.known, last.unseen, last.half, last.vague = piles[last.name], NO_CARDS, 0, 0, 0, (), False
        for last in blank.rows:
            last.pile, last.cards, last.number, last.row, last.vague = piles[last.name], NO_CARDS, 0, [], False
        self.table, self.many, self.bags, self.rows, self.played = table, len(piles), [*blank.bags], [*blank.rows], blank.played
        return blank.told

    def _laid_out(self, table: Table, out: dict[str, Any]) -> None:
        """Piles have come to the table, or there is another table."""
        there = table.piles.values()
        before = {id(last.pile) for last in (*self.bags, *self.rows)}
        if before:
            now = {id(pile) for pile in there}
            if not before <= now:
                for last in (*self.bags, *self.rows):
                    if id(last.pile) not in now:
                        out[last.name] = None
                self.bags = [last for last in self.bags if id(last.pile) in now]
                self.rows = [last for last in self.rows if id(last.pile) in now]
        self.table, self.many, self.played = table, len(there), None
        for pile in there:
            if id(pile) not in before:
                self._begun(pile, out)

    def _begun(self, pile: Pile, out: dict[str, Any]) -> None:
        """A pile that was not there."""
        name, row, base = pile.name, pile.row, self.bases.get(pile.name)
        if base is None:
            lies, owner, open_, held, label = self.views.lying(name)
            told = {"name": name, "seen_by": lies.seen, "owner": owner, "holding": held, "form": lies.form, "place": lies.place, "label": label}
            told = {key: value for key, value in told.items() if value not in EMPTY}
            base = self.bases[name] = told, open_, held
        told, open_, held = base
        last = Seen(pile, open_, held)
        (self.bags if row is None else self.rows).append(last)
        if row or pile.known or pile.unseen or pile.half or pile.vague:
            last.cards, last.number, last.row = self.views.cards(pile), len(pile), None if row is None else row[:]
            last.known, last.unseen, last.vague = pile.known, pile.unseen, pile.vague
            more = {"cards": last.cards, "count": last.number, "vague": pile.vague}
            told = {**told, **{key: value for key, value in more.items() if value not in EMPTY}}
        if self.talks:
            last.said = said = self.views.said(name, self.state)
            if said is not NOTHING:
                told = {**told, **{key: value for key in said.__struct_fields__ if (value := getattr(said, key)) not in EMPTY}}
        out[name] = told

    def _bag(self, pile: Pile, last: Seen, out: dict[str, Any]) -> None:
        """A holding in which other cards lie than before; most often one has left it or come to it, or unseen ones."""
        known, unseen, was = pile.known, pile.unseen, last.known
        if not last.open or pile.half or last.half or pile.vague or last.vague:
            last.known, last.unseen, last.half = known, unseen, pile.half
            self._other(pile, last, self.views.cards(pile), out)
            return
        seen = last.cards[:-1] if last.unseen else last.cards
        if known != was:
            changed = known ^ was
            if changed.bit_count() > FEW:
                seen = self.views.reading(known)
            else:
                pack, places = self.game.pack, self.views.places
                code = (changed.bit_length() - 1) // pack.width
                one, token = pack.unit[code], pack.tokens[code]
                if known == was - one:
                    i = seen.index(token)
                    seen = seen[:i] + seen[i + 1 :]
                elif known == was + one:
                    i = bisect_left(seen, places[token], key=places.__getitem__)
                    seen = (*seen[:i], token, *seen[i:])
                else:
                    seen = self._other_cards(seen, was, known)
        last.cards = cards = seen if not unseen else (*seen, UNKNOWN if unseen == 1 else f"{unseen}x{UNKNOWN}")
        number = len(seen) + unseen
        if number != last.number:
            last.number = number
            out[last.name] = {"cards": cards, "count": number}
        elif known != was or unseen != last.unseen:
            out[last.name] = {"cards": cards}
        last.known, last.unseen = known, unseen
        if self.talks:
            self._said(last, out)

    def _other_cards(self, cards: Cards, was: int, known: int) -> Cards:
        """The known cards of a holding laid out for reading, when there are others among them than those that it `was`."""
        pack, places, changed = self.game.pack, self.views.places, was ^ known
        while changed:
            code = (changed.bit_length() - 1) // pack.width
            field, token = pack.field[code], pack.tokens[code]
            n = ((known & field) - (was & field)) // pack.unit[code]
            if n < 0:
                i = cards.index(token)
                cards = cards[:i] + cards[i - n :]
            else:
                i, place = 0, places[token]
                for card in cards:
                    if places[card] >= place:
                        break
                    i += 1
                cards = (*cards[:i], token, *cards[i:]) if n == 1 else (*cards[:i], *[token] * n, *cards[i:])
            changed &= ~field
        return cards

    def _row(self, pile: Pile, last: Seen, out: dict[str, Any]) -> None:
        """A row in which other cards lie than before; most often one was laid on it or taken off it, or all were taken away."""
        row, before, pack, cards = pile.row, last.row, self.game.pack, last.cards
        assert row is not None
        assert before is not None
        n, many = len(before), len(row)
        if last.open and not (pile.vague or last.vague):
            if many == n + 1 and row[n] < pack.unknown:
                before.append(row[n])
                if before == row:
                    self._longer_or_shorter(last, (*cards, pack.tokens[row[n]]), many, out)
                    return
            elif many == n - 1 and len(cards) == n:
                # Each card was told for itself, and so is each that is left.
                before.pop()
                if before == row:
                    self._longer_or_shorter(last, cards[:many], many, out)
                    return
            elif not many:
                before.clear()
                self._longer_or_shorter(last, (), 0, out)
                return
            elif many > n and max(row[n:]) < pack.unknown and row[:n] == before:
                before += row[n:]
                self._longer_or_shorter(last, (*cards, *[pack.tokens[code] for code in row[n:]]), many, out)
                return
        last.row = row[:]
        self._other(pile, last, self.views.cards(pile), out)

    def _longer_or_shorter(self, last: Seen, cards: Cards, number: int, out: dict[str, Any]) -> None:
        """Tells of a pile that more or fewer cards lie there."""
        last.cards, last.number = cards, number
        out[last.name] = {"cards": cards, "count": number}
        if self.talks:
            self._said(last, out)

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
        hand, said = self.state.hand, self.said
        if hand is not self.hand:
            self._other_hand()
        tricks = self.tricks
        if tricks is None:
            # What was laid may be another thing though the same cards lie there, if nobody counted them.
            if "trick" in piles or "board" in piles or "trick" not in said or (self.beaten and lying_in(hand) != self.lay):
                out["trick"] = said["trick"] = self._lying()
            if "tricks" not in said:
                out["tricks"] = said["tricks"] = {}
            return
        if tricks.plays != self.plays or "trick" not in said:
            before, self.plays = self.plays, tricks.plays[:]
            out["trick"] = said["trick"] = self._laid(tricks, before)
        if tricks.won != self.won or "tricks" not in said:
            before_it, self.won = self.won, tricks.won[:]
            out["tricks"] = said["tricks"] = self._taken(tricks, before_it)

    def _other_hand(self) -> None:
        """Another hand has begun: nothing is told of its middle yet."""
        hand = self.hand = self.state.hand
        self.tricks, self.beaten = tricks_in(hand), hasattr(hand, "lying")
        self.plays, self.won, self.lay = [], [], []
        self.said.pop("trick", None)
        self.said.pop("tricks", None)

    def _taken(self, tricks: Tricks, before: list[Trick]) -> dict[str, int]:
        """How many tricks each side has won; most often one more than before."""
        won = tricks.won
        if not won or won[:-1] != before or len(won[-1].winners) > 1 or won[-1].gathered or "tricks" not in self.said:
            return tricks_won(tricks, self.state.terms)
        told, side = self.said["tricks"], self.state.terms.side_of.get(won[-1].winners[0], "")
        return {**told, side: told[side] + 1} if side in told else {**told}

    def _laid(self, tricks: Tricks, before: list[tuple[str, int]]) -> tuple[Laid, ...]:
        """The trick; most often a card has been added to it, or it has been gathered."""
        plays, n = self.plays, len(before)
        if not plays:
            return ()
        if n and len(plays) == n + 1 and plays[:n] == before and self.viewer == "all":
            seat, code = plays[n]
            return (*self.said["trick"], laid_by(seat)[self.game.pack.tokens[code]])
        return laid(tricks, self.views, self.state)

    def _lying(self) -> tuple[Laid, ...]:
        """What lies in the middle where there are no tricks."""
        table = self.state.table.piles
        pile = table.get("trick") or table.get("board")
        self.lay = lay = lying_in(self.state.hand)[:]
        if lay:
            tokens = self.game.pack.tokens
            return tuple([laid_by(seat)[tokens[code]] for seat, codes in lay for code in codes])
        if pile is None:
            return ()
        for last in (*self.rows, *self.bags):
            if last.pile is pile:
                break
        return tuple(map(NOBODYS.__getitem__, last.cards))

    def ready_for_a_run(self) -> Played | None:
        """How the table lies before plays that are folded as a run (`reducers.words.runs`), if what each of them changes can be
        told from the plays alone.

        A run moves nothing but its cards, and nothing else comes of them before the last: that one is looked at as any other.
        """
        state = self.state
        if isinstance(state.hand, ColumnHand):
            # Cards come out of columns too.
            return None
        if self.viewer != "all" or self.talks or self.over or self.anew or type(self.tricks) is not Tricks or state.hand is not self.hand:
            return None
        if self.played is None:
            self.played = self._played()
        return self.played

    def _played(self) -> Played | None:
        """Which piles plays can change, if they are there."""
        terms = self.state.terms
        held = {last.name: last for last in self.bags}
        lying = {last.name: last for last in self.rows}
        homes = {side: lying[name] for side in terms.sides if (name := f"won:{side}") in lying}
        there = "trick" in lying and len(homes) == len(terms.sides) and held.keys() >= terms.side_of.keys()
        return Played(held, lying["trick"], homes) if there else None

    def after_a_run(self, events: Sequence[NumberedEvent], played: Played) -> Iterator[Told]:
        """What each of these plays has changed."""
        (held, trick, homes), tricks = played, self.tricks
        state, said = self.state, self.said
        assert tricks is not None
        each, side_of, full = len(tricks.seats), state.terms.side_of, len(self.won)
        middle, cards, won, n = said["trick"], trick.cards, said["tricks"], len(self.plays)
        # Of each seat the cards that it holds, those it lays, and whose turn it is behind it.
        players = {seat: ([*held[seat].cards], laid_by(seat), [*behind]) for seat, behind in tricks.next.items()}
        for placed in events[:-1]:
            event: Any = placed.event
            seat, one = event.by, event.cards
            card = one[0]
            hand, laid_now, turn = players[seat]
            hand.remove(card)
            now = tuple(hand)
            n += 1
            if n < each:
                cards, middle = cards + one, middle + (laid_now[card],)  # noqa: RUF005  # adding is faster, and this is the hot path
                yield placed, {
                    "piles": {seat: {"cards": now, "count": len(now)}, "trick": {"cards": cards, "count": n}},
                    "trick": middle, "turn": turn,
                }, False  # fmt: skip
                continue
            (winner,) = tricks.won[full].winners
            side = side_of[winner]
            home = homes[side]
            home.cards, won = home.cards + cards + one, {**won, side: won[side] + 1}
            cards, middle, n, full = (), (), 0, full + 1
            change: dict[str, Any] = {
                "piles": {
                    seat: {"cards": now, "count": len(now)}, "trick": NO_TRICK,
                    home.name: {"cards": home.cards, "count": len(home.cards)},
                },
                "trick": (), "tricks": won,
            }  # fmt: skip
            if winner != seat:
                change["turn"] = [winner]
            yield placed, change, False
        for seat, (hand, _, _) in players.items():
            held[seat].cards = tuple(hand)
        last = events[-1]
        trick.cards, self.turn, said["trick"], said["tricks"] = cards, (last.event.by,), middle, won
        self._before_the_last(last.event, played, tricks, full)
        yield last, self.changed(last.event), False

    def _before_the_last(self, play: Any, played: Played, tricks: Tricks, full: int) -> None:
        """How the piles were before the last play of a run."""
        held, trick, homes = played
        code = self.game.pack.code
        for seat in tricks.next:
            last = held[seat]
            last.known, last.number = last.pile.known, len(last.cards)
        held[play.by].known += self.game.pack.unit[code[play.cards[0]]]
        for row in (trick, *homes.values()):
            row.row, row.number = [*map(code.__getitem__, row.cards)], len(row.cards)
        self.won = tricks.won[:full]
        self.plays = [*(tricks.plays or tricks.won[-1].plays)][:-1]


def viewer_of(hand: int, viewer: str, whole: Collection[int]) -> str:
    """Whose eyes look at a hand: at one that is seen `whole`, everybody's."""
    return "all" if hand in whole else viewer


def all_frames(opening: Open, events: Sequence[NumberedEvent], viewer: str, whole: Collection[int] = ()) -> Iterator[Told]:
    """Each event of a match with what it changes in the frame, or with the whole frame where that is told anew. Of the hands in
    `whole` the viewer sees all.

    Where the acts of a phase go in runs, they are folded so, and what each has changed is told from the act alone.
    """
    state = begin(opening.facts)
    frames, runs = Frames(state, viewer), runs_by_phase(state.game.key) if viewer == "all" else {}
    on, seats = state.game.on, state.terms.side_of
    phase, run, told = "", None, 0
    lines = iter(events)
    for placed in lines:
        if state.phase is not phase:
            phase, run = state.phase, runs.get(state.phase)
        event = placed.event
        if run is not None and type(event) is Play and (played := frames.ready_for_a_run()) is not None:
            stopped: Any = run(placed, lines, state)
            reached = len(events) - length_hint(lines) - (stopped is not None)
            if reached > told:
                state.table.now = state.at
                yield from frames.after_a_run(events[told:reached], played)
            if stopped is None:
                return
            if stopped is placed and state.acts:
                # What cannot even begin is not tried again in this part of the hand.
                run = None
            placed, event, told = stopped, stopped.event, reached
        told += 1
        state.at = state.table.now = placed.n
        kind = type(event)
        act = on.get(kind)
        if act is None or kind in FRAME or state.ended or state.hand is None or event.by not in seats:
            evolve(state, event)
        else:
            # What `evolve` does with an act in the middle of a hand.
            act(event, state)
        if state.number != frames.number or state.terms is not frames.terms:
            if whole and state.number != frames.number:
                frames = Frames(state, viewer_of(state.number, viewer, whole))
            yield placed, frames.whole(event), True
            on, seats = state.game.on, state.terms.side_of
        else:
            yield placed, frames.changed(event), False


__all__ = ["Frames", "after", "all_frames", "viewer_of", "whole"]
