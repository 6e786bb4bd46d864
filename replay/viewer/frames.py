"""The frames of a match, one after the other: the first of each hand as a whole, then what changes at each event.

Each frame is that of `replay.table.frame`, as JSON data with its piles by name. To make it anew at each event takes longer
than to judge the match, so this looks only at what an event may have changed: a pile whose cards are not those of before, the
contract if no card was moved, the score if there is another. Plays that are folded many at once (`reducers.words.act_batches`) are told
from the plays alone. A test compares each of these with the frame made anew, at every event of every game.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from operator import length_hint
from types import NoneType
from typing import Any, NamedTuple, TypeAlias, cast

import msgspec

from events.cards import Pack
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
from reducers.evolve import FRAME, evolve, may_begin
from reducers.first_state import begin
from reducers.model import Game, Run, State
from reducers.registry import find_game
from reducers.scoring import HandScore, Standing
from reducers.table import Pile, Table
from reducers.words.beating import plays_on_table_of
from reducers.words.columns import ColumnHand
from reducers.words.sets import SetTricks
from reducers.words.tricks import Trick, Tricks, tricks_in
from replay.log import NumberedEvent
from replay.table.frame import (
    EMPTY,
    NOTHING,
    MiddleCard,
    PileViews,
    contract_of,
    frame,
    laid_in_middle,
    last_score,
    result_of,
    tricks_won,
    unseen_cards,
)

MOVES = frozenset((Play, Draw, Discard, Move, Meld, Capture, Arrange, Show, Bet, Pay))
"""What moves cards or chips, and agrees on nothing."""
AGREED = frozenset((Bid, Call, Name))
"""What a contract is made by; a pass ends an auction."""
UNTOLD = ("position", "inferred", "phase_name", "expects", "viewer", "game", "name", "seats", "sides", "names", "unread")
"""What of a frame stands elsewhere: its position and what was inferred, at each event; lines that were not read, phases and terms, once for all."""
SILENT = next(field.default for field in msgspec.structs.fields(Game) if field.name == "of_pile")
"""A page that says nothing of its piles."""


def whole_frame(state: State[Any], viewer: str) -> dict[str, Any]:
    """A frame as data: piles by name, and `order` with the names in their order."""
    out: dict[str, Any] = msgspec.to_builtins(frame(state, viewer))
    for key in UNTOLD:
        del out[key]
    piles = out.pop("piles")
    out["piles"] = {pile["name"]: {key: value for key, value in pile.items() if value not in EMPTY} for pile in piles}
    return out


def apply_frame_change(before: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """The frame that comes of a change.

    >>> apply_frame_change({"hand": 1, "piles": {"N": {"count": 8, "out": False}}}, {"piles": {"N": {"count": 7}, "E": {"count": 8}}})
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


class ContractEvents(NamedTuple):
    """When a contract may be another in a game: what a page says of it (`Game.contract_events`), or else what is safe to assume.

    `never` says that there is none before the hand is over; else `by` is what makes or changes one, if the page says that, and
    `quiet` what agrees on nothing if it does not.
    """

    never: bool
    by: frozenset[Any] | None
    quiet: frozenset[Any]


@cache
def agreed_in(key: str) -> ContractEvents:
    """When a contract may be another in this game."""
    game = find_game(key)
    # A tally may tell another, and after a gap it may be unknown.
    by = None if game.contract_events is None else frozenset((*game.contract_events, Tally, Gap, Open, NoneType))
    # Where nobody bids or names anything, a pass is no end of an auction.
    bids = any(not AGREED.isdisjoint(phase.acts) for phase in game.phases.values())
    return ContractEvents(game.contract_events == (), by, MOVES if bids else MOVES | {Pass})


NO_CARDS: Cards = ()
NO_CARD = 0, ""
NO_TRICK: Mapping[str, Any] = {"cards": NO_CARDS, "count": 0}
"""How the trick lies once it was gathered."""


class PileMemo:
    """A pile as it was looked at the last time: what lay there, how that was told, and what was said of it.

    `open` says that the viewer sees all of it, `held` that somebody holds it.
    """

    __slots__ = ("cards", "half", "held", "known", "name", "number", "open", "pile", "row", "said", "unseen", "vague")

    def __init__(self, pile: Pile, open_: bool, held: bool) -> None:
        """A pile in which nothing is seen to lie yet."""
        self.pile, self.name, self.cards, self.number, self.said, self.open, self.held = pile, pile.name, NO_CARDS, 0, NOTHING, open_, held
        self.row: list[int] | None = None if pile.row is None else []
        self.known, self.unseen, self.half, self.vague = 0, 0, pile.half, False


@cache
def single_cards(pack: Pack) -> dict[int, tuple[int, str]]:
    """The bag and the name of each card, by the digits of a holding that are others with it than without it."""
    copies = range(1, pack.width + 1)
    return {((1 << n) - 1) * unit: (unit, token) for unit, token in zip(pack.unit, pack.faces, strict=True) for n in copies}


class LaidBy(dict[str, MiddleCard]):
    """The cards in the middle that one seat has laid there, by their names: each is told at every event as long as it lies there."""

    def __init__(self, seat: str) -> None:
        super().__init__()
        self.seat = seat

    def __missing__(self, card: str) -> MiddleCard:
        """A card that has not lain there yet."""
        laid_now = self[card] = MiddleCard(self.seat, card)
        return laid_now


laid_by = cache(LaidBy)
NOBODYS = laid_by("")
"""The cards in the middle of which nobody asks who laid them."""


Told: TypeAlias = tuple[NumberedEvent, dict[str, Any], bool]
"""An event with what it changes in the frame, or with the whole frame where that is told anew (True)."""


class RunChanges(NamedTuple):
    """What plays that are folded as a run can change: the holdings by their seats, the trick that lies in the middle, and where
    the tricks of each side lie; and whether these came to the table before the trick."""

    held: dict[str, PileMemo]
    trick: PileMemo
    homes: dict[str, PileMemo]
    homes_first: bool


MOST_LAID_OUT = 20
"""So many ways in which a hand may begin are kept."""


class ToldRun(NamedTuple):
    """A run of a phase as frames use it: the function, the types of acts that may begin it, and what brings the state to where it would
    be after the act applied last, if that is all it takes to look at the table in the middle of the run."""

    run: Run
    begun_by: frozenset[type[Event]]
    caught_up: Callable[[State[Any]], None] | None


NO_RUN = ToldRun(lambda first, later, state: first, frozenset(), None)


@cache
def runs_told(key: str) -> dict[str, ToldRun]:
    """The runs of a game by the phases that have one."""
    return {
        name: ToldRun(phase.apply_batch, frozenset({Play} if phase.sync_after_batch is None else phase.acts), phase.sync_after_batch)
        for name, phase in find_game(key).phases.items() if phase.apply_batch is not None
    }  # fmt: skip


class LaidOut(NamedTuple):
    """The piles of a hand as they came to the table, for the next hand: mostly there are the same ones again. What is told of each
    while nothing lies there, how they are seen (all of them, holdings, rows), and which of them plays that are folded as a run can
    change."""

    bare: dict[str, Any]
    all: list[PileMemo]
    bags: list[PileMemo]
    rows: list[PileMemo]
    played: RunChanges | None


class Frames:
    """The frames of one match for one viewer, while somebody else folds it into `state`.

    After each event one asks for the `whole` if it is to be told `anew`, else for what the event has `changed`.
    """

    __slots__ = (
        "agreed", "bags", "beaten", "behind", "board", "board_told", "contract", "dealer", "game", "hand", "headline", "laid_out", "lay", "looked", "many",
        "number", "one_card", "over", "phase", "phases", "played", "players", "plays", "result", "rows", "said", "said_by", "score", "scored", "settled",
        "standing", "state", "table", "talks", "terms", "tricks", "turn", "viewer", "views", "won",
    )  # fmt: skip

    def __init__(self, state: State[Any], viewer: str) -> None:
        self.state, self.viewer = state, viewer
        self.number, self.terms, self.game = -1, state.terms, state.game
        self.views = PileViews(state.game, state.terms, viewer)
        self.talks = state.game.of_pile is not SILENT
        self.agreed = agreed_in(state.game.key)
        # The piles as they were looked at the last time, by their names.
        self.looked: dict[str, PileMemo] = {}
        # The last result, of which score it is and what is said of it.
        self.result: tuple[HandScore | None, str] = (None, "")
        # What tells that a single card left a holding or came to it.
        self.one_card = single_cards(state.game.pack)
        # What is said of the hands rests on this, as far as the page says that.
        self.said_by: object = None
        # The piles at the beginning of the hands before, by their names: a hand begins with the same ones again, or with those of
        # another dealer.
        self.laid_out: dict[tuple[str, ...], LaidOut] = {}
        # The table, how many piles there are on it, and how they were seen: holdings, and rows.
        self.table: Table | None = None
        self.many = 0
        self.bags: list[PileMemo] = []
        self.rows: list[PileMemo] = []
        # Which of them plays that are folded as a run can change, once it was asked.
        self.played: RunChanges | None = None
        # Who acts behind whom, as far as cards are laid one at a time; and of each player what is told of a card that he has laid, and
        # whose turn it is then.
        self.behind: Mapping[str, tuple[str, ...]] | None = None
        self.players: list[tuple[str, LaidBy, list[str]]] = []
        # What each part of the frame was worked out from the last time, and what it said.
        self.hand: object = None
        self.tricks: Tricks | None = None
        self.plays: list[tuple[str, int]] = []
        self.won: list[Trick] = []
        # The plays on the table where they are beaten, and whether they may be.
        self.lay: list[Any] = []
        self.beaten = False
        # The pile in the middle, and which of its cards were told there, where nobody asks who laid them.
        self.board: PileMemo | None = None
        self.board_told: Cards = ()
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
        """Whether the next frame is told as a whole: another hand has begun or was laid out again, or there are other terms."""
        state = self.state
        return state.number != self.number or state.terms is not self.terms or state.table is not self.table

    def whole(self, event: Event | None = None) -> dict[str, Any]:
        """The frame as it is, from which the changes go on. To know the `event` just folded may spare a look."""
        state = self.state
        if state.terms is not self.terms or state.game is not self.game:
            self.views, self.agreed = PileViews(state.game, state.terms, self.viewer), agreed_in(state.game.key)
            self.looked, self.laid_out, self.one_card = {}, {}, single_cards(state.game.pack)
            self.talks = state.game.of_pile is not SILENT
        self.number, self.terms, self.game = state.number, state.terms, state.game
        self.board, self.board_told, self.said, self.phases, self.contract, self.headline = None, NO_CARDS, {}, set(), "", {}
        out: dict[str, Any] = {"hand": state.number, "contract": "", "headline": {}, "piles": self._first_piles()}
        self._other_hand(out)
        said = self.said
        self.standing = standing = state.before if state.after is None else state.after
        out["over"] = self.over = over = state.ended != ""
        out["phase"] = self.phase = "over" if over else state.phase
        self.turn = turn = () if over else state.turn
        out["turn"] = [*turn]
        out["dealer"] = self.dealer = state.dealer
        for key, value in won_and_counted(standing):
            out[key] = said[key] = value
        out["last"] = self._last()
        if state.number:
            self._told_of_the_hand(event, out)
        return out

    def changed(self, event: Event | None) -> dict[str, Any]:
        """What the event just folded has changed."""
        state = self.state
        out: dict[str, Any] = {}
        # The piles that are not as they were. What did not change is the same object as before.
        piles: dict[str, Any] = {}
        table, talks = state.table, self.talks
        told_of = talks
        # Piles come to a table, and none is ever taken off it.
        if table is not self.table or len(table.piles) != self.many:
            self._laid_out(table, piles)
        if talks and self.game.of_pile_by is not None:
            said_by = self.game.of_pile_by(state)
            talks, self.said_by = said_by != self.said_by, said_by
        # With the first word in a hand comes the deal that nobody wrote.
        if told_of or type(event) not in self.game.speech_events or not (self.bags and self.bags[0].cards):
            for last in self.bags:
                pile = last.pile
                if pile.known is not last.known or pile.unseen is not last.unseen or pile.half is not last.half or pile.vague is not last.vague:
                    self._bag(pile, last, piles)
                elif told_of and last.held and (talks or pile.unseen or pile.half or pile.vague):
                    # What is said of a hand may change though its cards do not.
                    self._said(last, piles)
            for last in self.rows:
                pile = last.pile
                if pile.row != last.row or pile.vague is not last.vague:
                    self._row(pile, last, piles)
        if piles:
            out["piles"] = piles
        hand, tricks = state.hand, self.tricks
        if hand is not self.hand:
            self._other_hand(out)
        elif tricks is None:
            # What was laid may be another thing though the same cards lie there, if nobody counted them.
            if "trick" in piles or "board" in piles or (self.beaten and plays_on_table_of(hand) != self.lay):
                out["trick"] = self.said["trick"] = self._lying()
        elif tricks.plays != self.plays or tricks.won != self.won:
            self._tricks(tricks, out)
        standing = state.before if state.after is None else state.after
        over = state.ended != ""
        if over is not self.over:
            out["over"] = self.over = over
        phase, turn = ("over", ()) if over else (state.phase, state.turn)
        if phase != self.phase:
            out["phase"] = self.phase = phase
        if turn is not self.turn and turn != self.turn:
            self.turn = turn
            out["turn"] = [*turn]
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
            for key, value in won_and_counted(standing):
                if value != said[key]:
                    out[key] = said[key] = value
        before = said["last"]
        last = self._last()
        if last != before:
            out["last"] = last

    def _last(self) -> str:
        """The last result, as it is told now."""
        state, scores = self.state, self.state.scores
        self.scored, self.settled, self.score = len(scores), state.settled, scores[-1] if scores else None
        # Mostly it is the score of the hand before, or of this one.
        done = self.score if scores and (state.settled or scores[-1].number < state.number) else last_score(state)
        if done is not self.result[0]:
            self.result = done, result_of(done)
        self.said["last"] = last = self.result[1]
        return last

    def _told_of_the_hand(self, event: Event | None, out: dict[str, Any]) -> None:
        """What is said of the hand, and the contract: that does not change as cards are moved, unless they end the hand, begin
        another part of it, or decide something."""
        state, kind, before = self.state, type(event), self.headline
        headline = self.game.headline(state)
        another = headline != before
        if another:
            out["headline"] = self.headline = headline
        decided = state.settled
        if not decided:
            never, by, quiet = self.agreed
            if never:
                if kind is not Tally:
                    return
                decided = True
            elif by is not None and kind in by:
                decided = True
            elif another:
                # Numbers are counted all the time; a word is decided, and changes a contract that there is.
                decided = headline.keys() != before.keys()
                if not decided and self.contract:
                    decided = any(type(word) is str and word != before[key] for key, word in headline.items())
            if decided:
                pass
            elif by is not None:
                decided = self.phase not in self.phases and kind is not Hand
            else:
                # A card from elsewhere than the hand may be what decides the trumps.
                decided = kind not in quiet or self.phase not in self.phases or (kind is Play and event.src != "")  # type: ignore[union-attr]  # a play
        if decided:
            self.phases.add(self.phase)
            contract = contract_of(state)
            if contract != self.contract:
                out["contract"] = self.contract = contract

    def _first_piles(self) -> dict[str, Any]:
        """The piles at the beginning of a hand. Mostly they are those of the hand before, and nothing or little lies there."""
        table = self.state.table
        there = table.piles
        before = self.laid_out.get((*there,))
        if before is None:
            return self._other_piles()
        told, talks = before.bare, self.talks
        for last, pile in zip(before.all, there.values(), strict=True):
            row = pile.row
            if (row is None) is not (last.row is None):
                return self._other_piles()
            last.pile = pile
            if talks or row or pile.vague or (row is None and (pile.known or pile.unseen or pile.half)):
                if told is before.bare:
                    told = {**told}
                told[last.name] = self._as_it_lies(last, pile, before.bare[last.name])
                continue
            last.cards, last.number, last.vague = NO_CARDS, 0, False
            if row is None:
                last.known, last.unseen, last.half = 0, 0, ()
            else:
                last.row = []
        self.table, self.many, self.bags, self.rows, self.played = table, len(there), [*before.bags], [*before.rows], before.played
        return told

    def _other_piles(self) -> dict[str, Any]:
        """The piles at the beginning of a hand, if there are others than before."""
        self.bags, self.rows, self.played = [], [], None
        out: dict[str, Any] = {}
        self.table = table = self.state.table
        self.many = len(table.piles)
        for pile in table.piles.values():
            self._begun(pile, out)
        names, looked = (*table.piles,), self.looked
        if len(self.laid_out) >= MOST_LAID_OUT:
            self.laid_out.clear()
        self.laid_out[names] = LaidOut(
            {name: self.views.told(name) for name in names}, [looked[name] for name in names], [*self.bags], [*self.rows], self._played()
        )
        return out

    def _laid_out(self, table: Table, out: dict[str, Any]) -> None:
        """Piles have come to the table, or there is another table."""
        there = table.piles.values()
        if table is self.table:
            begun = [*islice(there, self.many, None)]
        else:
            self.played = None
            before, now = {id(last.pile) for last in (*self.bags, *self.rows)}, {id(pile) for pile in there}
            if not before <= now:
                for last in (*self.bags, *self.rows):
                    if id(last.pile) not in now:
                        out[last.name] = None
                self.bags = [last for last in self.bags if id(last.pile) in now]
                self.rows = [last for last in self.rows if id(last.pile) in now]
            begun = [pile for pile in there if id(pile) not in before]
        self.table, self.many = table, len(there)
        for pile in begun:
            self._begun(pile, out)

    def _begun(self, pile: Pile, out: dict[str, Any]) -> None:
        """A pile that was not there."""
        name, row, last = pile.name, pile.row, self.looked.get(pile.name)
        if last is None or (last.row is None) is not (row is None):
            _, _, open_, held, _ = self.views.lying(name)
            last = self.looked[name] = PileMemo(pile, open_, held)
        last.pile = pile
        (self.bags if row is None else self.rows).append(last)
        out[name] = self._as_it_lies(last, pile, self.views.told(name))

    def _as_it_lies(self, last: PileMemo, pile: Pile, told: dict[str, Any]) -> dict[str, Any]:
        """What is told of a pile that is looked at for the first time, beside what never changes of it."""
        row = pile.row
        if row or pile.known or pile.unseen or pile.half or pile.vague:
            last.cards, last.number, last.row = cards, number, _ = self.views.cards(pile), len(pile), None if row is None else row[:]
            last.known, last.unseen, last.half, last.vague = pile.known, pile.unseen, pile.half, pile.vague
            told = {**told, "cards": cards, "count": number}
            if not number:
                del told["count"]
            if pile.vague:
                told["vague"] = True
        else:
            last.cards, last.number, last.known, last.unseen, last.half, last.vague = NO_CARDS, 0, 0, 0, (), False
            last.row = None if row is None else []
        if self.talks:
            last.said = said = self.views.said(pile.name, self.state)
            if said is not NOTHING:
                told = {**told, **{key: value for key in said.__struct_fields__ if (value := getattr(said, key)) not in EMPTY}}
        return told

    def _bag(self, pile: Pile, last: PileMemo, out: dict[str, Any]) -> None:
        """A holding in which other cards lie than before; most often one has left it or come to it, or unseen ones."""
        known, unseen, was = pile.known, pile.unseen, last.known
        if not was and not unseen and not last.unseen and last.open and not (pile.half or last.half or pile.vague or last.vague):
            # Cards come to an empty hand.
            last.known, last.cards = known, (cards := self.views.reading(known))
            last.number = number = len(cards)
            out[last.name] = {"cards": cards, "count": number}
            if self.talks:
                self._said(last, out)
            return
        if not last.open or pile.half or last.half or pile.vague or last.vague:
            last.known, last.unseen, last.half = known, unseen, pile.half
            self._other(pile, last, self.views.cards(pile), out)
            return
        seen = last.cards[:-1] if last.unseen else last.cards
        if known != was:
            unit, token = self.one_card.get(known ^ was, NO_CARD)
            if known == was - unit:
                i = seen.index(token)
                seen = seen[:i] + seen[i + 1 :]
            elif known == was + unit:
                places = self.views.places
                i = bisect_left(seen, places[token], key=places.__getitem__)
                seen = (*seen[:i], token, *seen[i:])
            else:
                seen = self.views.reading(known)
        last.cards = cards = seen if not unseen else seen + unseen_cards(unseen)
        number = len(seen) + unseen
        if number != last.number:
            last.number = number
            out[last.name] = {"cards": cards, "count": number}
        elif known != was or unseen != last.unseen:
            out[last.name] = {"cards": cards}
        last.known, last.unseen = known, unseen
        if self.talks:
            self._said(last, out)

    def _row(self, pile: Pile, last: PileMemo, out: dict[str, Any]) -> None:
        """A row in which other cards lie than before; most often one was laid on it or taken off it, or all were taken away."""
        row, before, pack, cards = pile.row, last.row, self.game.pack, last.cards
        assert row is not None
        assert before is not None
        n, many = len(before), len(row)
        if last.open and not (pile.vague or last.vague):
            if many == n + 1:
                if row[n] < pack.unknown:
                    before.append(row[n])
                    if before == row:
                        self._longer_or_shorter(last, (*cards, pack.tokens[row[n]]), many, out)
                        return
            elif not many:
                before.clear()
                self._longer_or_shorter(last, (), 0, out)
                return
            elif many == n - 1:
                # Each card was told for itself, or none was seen; and so is each that is left.
                left = cards[:many] if len(cards) == n else unseen_cards(many) if cards == unseen_cards(n) else None
                if left is not None:
                    before.pop()
                    if before == row:
                        self._longer_or_shorter(last, left, many, out)
                        return
            elif many > n and max(row[n:]) < pack.unknown and row[:n] == before:
                before += row[n:]
                self._longer_or_shorter(last, (*cards, *[pack.tokens[code] for code in row[n:]]), many, out)
                return
        last.row = row[:]
        self._other(pile, last, self.views.cards(pile), out)

    def _longer_or_shorter(self, last: PileMemo, cards: Cards, number: int, out: dict[str, Any]) -> None:
        """Tells of a pile that more or fewer cards lie there."""
        last.cards, last.number = cards, number
        out[last.name] = {"cards": cards, "count": number}
        if self.talks:
            self._said(last, out)

    def _other(self, pile: Pile, last: PileMemo, cards: Cards, out: dict[str, Any]) -> None:
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

    def _said(self, last: PileMemo, out: dict[str, Any]) -> None:
        """What is said of a pile, if it is not what was said before."""
        name, before = last.name, last.said
        now = self.game.of_pile(self.state, name) or NOTHING
        if now is not before and not last.open:
            now = self.views.said(name, self.state)
        if now is before or now == before:
            return
        last.said = now
        other = {key: value for key in now.__struct_fields__ if (value := getattr(now, key)) != getattr(before, key)}
        out[name] = {**out[name], **other} if name in out else other

    def _tricks(self, tricks: Tricks, out: dict[str, Any]) -> None:
        """The trick in the middle, and how many each side has won."""
        if tricks.plays != self.plays:
            before, self.plays = self.plays, tricks.plays[:]
            out["trick"] = self.said["trick"] = self._laid(tricks, before)
        if tricks.won != self.won:
            before_it, self.won = self.won, tricks.won[:]
            out["tricks"] = self.said["tricks"] = self._taken(tricks, before_it)

    def _other_hand(self, out: dict[str, Any]) -> None:
        """The same for another hand, of which nothing was told yet."""
        state, said = self.state, self.said
        hand = self.hand = state.hand
        self.tricks = tricks = tricks_in(hand)
        self.plays, self.won, self.lay = [], [], []
        if tricks is None:
            self.beaten = hasattr(hand, "lying")
            out["trick"], out["tricks"] = said["trick"], said["tricks"] = self._lying(), {}
        elif not (tricks.plays or tricks.won):
            out["trick"], out["tricks"] = said["trick"], said["tricks"] = (), dict.fromkeys(state.terms.sides, 0)
        else:
            self.plays, self.won = tricks.plays[:], tricks.won[:]
            out["trick"] = said["trick"] = laid_in_middle(tricks, self.views, state)
            out["tricks"] = said["tricks"] = tricks_won(tricks, state.terms)

    def _taken(self, tricks: Tricks, before: list[Trick]) -> dict[str, int]:
        """How many tricks each side has won; most often one more than before."""
        won = tricks.won
        if not won or won[:-1] != before or len(won[-1].winners) > 1 or won[-1].gathered:
            return tricks_won(tricks, self.state.terms)
        told, side = self.said["tricks"], self.state.terms.side_of.get(won[-1].winners[0], "")
        return {**told, side: told[side] + 1} if side in told else {**told}

    def _laid(self, tricks: Tricks, before: list[tuple[str, int]]) -> tuple[MiddleCard, ...]:
        """The trick; most often a card has been added to it, or it has been gathered."""
        plays, n = self.plays, len(before)
        if not plays:
            return ()
        if n and len(plays) == n + 1 and plays[:n] == before and self.viewer == "all":
            seat, code = plays[n]
            return (*self.said["trick"], laid_by(seat)[self.game.pack.tokens[code]])
        return laid_in_middle(tricks, self.views, self.state)

    def _lying(self) -> tuple[MiddleCard, ...]:
        """What lies in the middle where there are no tricks."""
        if self.beaten:
            self.lay = lay = plays_on_table_of(self.state.hand)[:]
            if lay:
                tokens, self.board_told = self.game.pack.tokens, ()
                return tuple([laid_by(seat)[tokens[code]] for seat, codes in lay for code in codes])
        table = self.state.table.piles
        pile = table.get("trick") or table.get("board")
        if pile is None:
            return ()
        board = self.board
        if board is None or board.pile is not pile:
            self.board, self.board_told = board, _ = next(last for last in (*self.rows, *self.bags) if last.pile is pile), ()
        cards, before, told = board.cards, self.board_told, self.said.get("trick", ())
        self.board_told = cards
        if before and cards[:-1] == before and len(told) == len(before):
            return (*told, NOBODYS[cards[-1]])
        return tuple(map(NOBODYS.__getitem__, cards))

    def watched(
        self, first: NumberedEvent, lines: Iterator[NumberedEvent], caught_up: Callable[[State[Any]], None], told: list[Told]
    ) -> Iterator[NumberedEvent]:
        """The acts that come after the `first` of a run. As the run asks for the next one, the one before it has been applied, and what
        that has changed is `told`; only the last act of a log is left to be told."""
        state, before = self.state, first
        for placed in lines:
            state.at = state.table.now = before.n
            caught_up(state)
            told.append((before, self.changed(before.event), False))
            yield placed
            before = placed

    @property
    def in_tricks(self) -> bool:
        """Whether the hand is one of tricks whose plays can be told from the plays alone."""
        return type(self.tricks) is Tricks or type(getattr(self.state.hand, "trick", None)) is SetTricks

    def ready_for_a_run(self, run: ToldRun) -> RunChanges | bool:
        """Whether acts can be folded as a run (`reducers.words.act_batches`), and what each of them changes be told: from the plays alone, if this
        says how the table lies before them, else from the table as the run asks for the next one.

        A run of plays moves nothing but its cards, and nothing else comes of them before the last: that one is looked at as any other.
        """
        if run.caught_up is not None:
            return not (self.over or self.anew)
        hand = self.state.hand
        if self.talks or self.over or self.anew or hand is not self.hand:
            return False
        if not self.in_tricks:
            return False
        if self.played is None:
            self.played = self._played()
        if not self.played:
            return False
        for last in self.played.held.values():
            pile = last.pile
            if pile.unseen or pile.half or pile.vague:
                return False  # several that nobody saw stand as one in a hand, `27x??`
        return self.played

    def _played(self) -> RunChanges | None:
        """Which piles plays can change, if they are there."""
        terms = self.state.terms
        if "trick" not in self.state.table.piles:
            return None
        held = {last.name: last for last in self.bags}
        lying = {last.name: last for last in self.rows}
        if "trick" not in lying:
            return None
        homes = {side: lying[name] for side in terms.sides if (name := f"won:{side}") in lying}
        there = len(homes) == len(terms.sides) and held.keys() >= terms.side_of.keys()
        return RunChanges(held, lying["trick"], homes, next(iter(lying)) != "trick") if there else None

    def after_a_run(self, events: Sequence[NumberedEvent], played: RunChanges) -> Iterator[Told]:
        """What each of these plays has changed. No other event may be folded before all of it was told.

        One is told after the other, so that what nobody keeps makes room for the next.
        """
        if self.tricks is None:
            return self._after_sets(events, played, self.state.hand.trick)
        if isinstance(self.state.hand, ColumnHand):
            return self._out_of_columns(events, played, self.tricks)
        return self._out_of_hands(events, played, self.tricks)

    def _out_of_hands(self, events: Sequence[NumberedEvent], played: RunChanges, tricks: Tricks) -> Iterator[Told]:
        """What each of these plays has changed, one card of a hand to each trick."""
        held, trick, homes, homes_first = played
        state, said = self.state, self.said
        each, side_of, full = len(tricks.seats), state.terms.side_of, len(self.won)
        middle, cards, won, n = said["trick"], trick.cards, said["tricks"], len(self.plays)
        # Of each seat the cards that it holds, those it lays, and whose turn it is behind it.
        if tricks.next is not self.behind:
            self.behind, self.players = tricks.next, [(seat, laid_by(seat), [*behind]) for seat, behind in tricks.next.items()]
        players = {seat: ([*held[seat].cards], laid_now, turn) for seat, laid_now, turn in self.players}
        # More may have come of the last one. Mostly it fills a trick, and what that changes is known.
        final = events[-1]
        fills = type(final.event) is Play and not (n + len(events)) % each
        for placed in events if fills else events[:-1]:
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
            if placed is final:
                break
            if winner != seat:
                change["turn"] = [winner]
            yield placed, change, False
        for seat, (hand, _, _) in players.items():
            held[seat].cards = tuple(hand)
        trick.cards, said["trick"], said["tricks"] = cards, middle, won
        if not fills:
            yield self._last_of_a_run(final, played, tricks, full)
            return
        # What more has come of the last card is looked at: nothing of the cards, but perhaps the end of the hand.
        self.won, self.plays, self.turn = tricks.won[:full], [], (event.by,)
        if homes_first:
            change["piles"]["trick"] = change["piles"].pop("trick")
        for row in homes.values():
            # The tricks lie on those that lay there before.
            row.row, row.number = (row.pile.row or [])[: len(row.cards)], len(row.cards)
        pack = self.game.pack
        trick.row, trick.number = [*map(pack.code.__getitem__, cards)], len(cards)
        for hand_now in map(held.__getitem__, players):
            hand_now.number = number = len(hand_now.cards)
            hand_now.known = known = hand_now.pile.known
            if known.bit_count() != number:
                hand_now.known = sum(map(pack.unit_of.__getitem__, hand_now.cards))
        rest = self.changed(event)
        if "piles" in rest:
            rest["piles"] = {**change["piles"], **{name: {**change["piles"].get(name, {}), **other} for name, other in rest["piles"].items()}}
        yield final, {**change, **rest}, False

    def _lies_as_told(self, played: RunChanges, columns: Sequence[PileMemo] = ()) -> None:
        """The rows that plays change are seen to lie as they were told last. Tricks are laid on those that lie there, and a card that
        was seen stays what it is."""
        code = self.game.pack.code
        for row in played.homes.values():
            row.number = n = len(row.cards)
            now = row.pile.row or []
            row.row = now[:n] if len(now) >= n and "?" not in "".join(row.cards) else [*map(code.__getitem__, row.cards)]
        for row in (played.trick, *columns):
            row.row, row.number = [*map(code.__getitem__, row.cards)], len(row.cards)

    def _out_of_columns(self, events: Sequence[NumberedEvent], played: RunChanges, tricks: Tricks) -> Iterator[Told]:
        """The same where cards come out of columns too. A card that is turned up there was seen before."""
        held, trick, homes, homes_first = played
        each, side_of, said, full = len(tricks.seats), self.state.terms.side_of, self.said, len(self.won)
        middle, cards, won, n = said["trick"], trick.cards, said["tricks"], len(self.plays)
        columns = [last for last in self.rows if last.name.startswith("col:")]
        on_top = {last.cards[-1]: last for last in columns if last.cards}
        for placed in events[:-1]:
            event: Any = placed.event
            if type(event) is not Play:
                yield placed, {}, False
                continue
            seat, one = event.by, event.cards
            column = on_top.pop(one[0], None)
            source = held[seat] if column is None else column
            if column is None:
                i = source.cards.index(one[0])
                source.cards = left = source.cards[:i] + source.cards[i + 1 :]
            else:
                source.cards = left = source.cards[:-1]
                if left:
                    on_top[left[-1]] = column
            piles: dict[str, Any] = {} if column else {seat: {"cards": left, "count": len(left)}}
            n += 1
            if n < each:
                cards, middle = cards + one, (*middle, laid_by(seat)[one[0]])
                piles["trick"] = {"cards": cards, "count": n}
                change: dict[str, Any] = {"piles": piles, "trick": middle, "turn": [*tricks.next[seat]]}
            else:
                (winner,) = tricks.won[full].winners
                side = side_of[winner]
                self._taken_home(homes[side], cards + one, piles, homes_first=homes_first)
                cards, middle, n, full, won = (), (), 0, full + 1, {**won, side: won[side] + 1}
                change = {"piles": piles, "trick": (), "tricks": won}
                if winner != seat:
                    change["turn"] = [winner]
            if column is not None:
                piles[column.name] = {"cards": left, "count": len(left)}
            yield placed, change, False
        trick.cards, said["trick"], said["tricks"] = cards, middle, won
        yield self._last_of_a_run(events[-1], played, tricks, full, columns)

    def _after_sets(self, events: Sequence[NumberedEvent], played: RunChanges, tricks: SetTricks) -> Iterator[Told]:
        """The same where two players lead and answer with as many cards as they like."""
        held, trick, homes, homes_first = played
        (one, two), side_of, cards = tricks.seats, self.state.terms.side_of, trick.cards
        other = {one: two, two: one}
        # What was led before is answered by the first of these plays.
        full = len(tricks.won) - (len(events) + bool(cards)) // 2
        for placed in events[:-1]:
            event: Any = placed.event
            seat, played_now = event.by, event.cards
            last = held[seat]
            last.cards = now = tuple([card for card in last.cards if card not in played_now])
            piles: dict[str, Any] = {seat: {"cards": now, "count": len(now)}}
            if not cards:
                cards = played_now
                piles["trick"] = {"cards": cards, "count": len(cards)}
                yield placed, {"piles": piles, "trick": tuple(map(NOBODYS.__getitem__, cards)), "turn": [other[seat]]}, False
                continue
            (winner,) = tricks.won[full].winners
            self._taken_home(homes[side_of[winner]], cards + played_now, piles, homes_first=homes_first)
            cards, full = (), full + 1
            yield placed, {"piles": piles, "trick": (), **({"turn": [winner]} if winner != seat else {})}, False
        trick.cards = self.board_told = cards
        self.said["trick"] = tuple(map(NOBODYS.__getitem__, cards))
        yield self._last_of_a_run(events[-1], played, None, full)

    def _taken_home(self, home: PileMemo, cards: Cards, piles: dict[str, Any], *, homes_first: bool) -> None:
        """A full trick is taken to where the others of its winner lie."""
        home.cards += cards
        told = {"cards": home.cards, "count": len(home.cards)}
        piles |= {home.name: told, "trick": NO_TRICK} if homes_first else {"trick": NO_TRICK, home.name: told}

    def _last_of_a_run(
        self, last: NumberedEvent, played: RunChanges, tricks: Tricks | None, full: int, columns: Sequence[PileMemo] = ()
    ) -> Told:
        """What the last event of a run has changed: it is looked at as any other, from what was told before it."""
        held, event = played.held, cast(Any, last.event)
        pack, is_play = self.game.pack, type(event) is Play
        for seat in self.state.terms.seats:
            hand = held[seat]
            hand.known, hand.number = hand.pile.known, len(hand.cards)
        if is_play:
            hand = held[event.by]
            hand.known += sum([pack.unit_of[card] for card in event.cards if card in hand.cards])
        self._lies_as_told(played, columns)
        self.turn = (event.by,) if is_play else self.state.turn
        if tricks is not None:
            self.won = tricks.won[:full]
            self.plays = [*(tricks.plays or tricks.won[-1].plays)][:-1] if is_play else tricks.plays[:]
        return last, self.changed(event), False


def won_and_counted(standing: Standing) -> tuple[tuple[str, Any], ...]:
    """The score, and who has won, as a frame has them."""
    return ("scores", standing.totals), ("winner", standing.winner), ("winners", standing.winners)


def eyes_on_hand(hand: int, viewer: str, whole: Collection[int]) -> str:
    """Whose eyes look at a hand: at one that is seen `whole`, everybody's."""
    return "all" if hand in whole else viewer


def all_frames(opening: Open, events: Sequence[NumberedEvent], viewer: str, whole: Collection[int] = ()) -> Iterator[Told]:
    """Each event of a match with what it changes in the frame, or with the whole frame where that is told anew. Of the hands in
    `whole` the viewer sees all.

    Where the acts of a phase go in runs, they are folded so, and what each has changed is told from the act alone, or from the table
    as it lies when the run asks for the next one.
    """
    state = begin(opening.facts)
    frames, runs = Frames(state, viewer), runs_told(state.game.key) if viewer == "all" else {}
    on = state.game.on
    phase, run, told = "", NO_RUN, 0
    lines = iter(events)
    for placed in lines:
        if state.phase is not phase:
            phase, run = state.phase, runs.get(state.phase, NO_RUN)
        event = placed.event
        if type(event) not in run.begun_by or state.lost_count or state.undecided is not None or state.game.may_be_over(state):
            played: RunChanges | bool = False
        elif run.caught_up is None and not frames.in_tricks:
            # Nothing can be told from the acts alone in this part of the hand.
            run, played = NO_RUN, False
        else:
            played = frames.ready_for_a_run(run)
        if played:
            seen: list[Told] = []
            goes_on = lines if run.caught_up is None else frames.watched(placed, lines, run.caught_up, seen)
            stopped: Any = run.run(placed, goes_on, state)
            reached = len(events) - length_hint(lines) - (stopped is not None)
            if reached > told:
                state.table.now = state.at
                yield from frames.after_a_run(events[told:reached], played) if type(played) is RunChanges else seen
                if stopped is None and run.caught_up is not None:
                    # The last one of the log.
                    yield events[-1], frames.changed(events[-1].event), False
            if stopped is None:
                return
            if stopped is placed and state.acts:
                # What cannot even begin is not tried again in this part of the hand.
                run = NO_RUN
            placed, event, told = stopped, stopped.event, reached
        told += 1
        state.at = state.table.now = placed.n
        kind = type(event)
        act = on.get(kind)
        if act is None or kind in FRAME or state.ended or state.hand is None or event.by not in state.terms.side_of or may_begin(state):
            evolve(state, event)
        else:
            # What `evolve` does with an act in the middle of a hand.
            act(event, state)
        if frames.anew:
            if whole and state.number != frames.number:
                frames = Frames(state, eyes_on_hand(state.number, viewer, whole))
            yield placed, frames.whole(event), True
            on = state.game.on
        else:
            yield placed, frames.changed(event), False


__all__ = ["Frames", "apply_frame_change", "all_frames", "eyes_on_hand", "whole_frame"]
