"""The frames of a match in order: the first of each hand as a whole, then the changes at each event.

Each frame is that of `replay.table.frame`, as JSON data with piles by name. Rebuilding it at each event takes longer
than judging the match, so only what an event may have changed is examined: piles with other cards, the contract if no
card was moved, the score if there is a new one. Plays that are folded in batches (`reducers.words.act_batches`) are
described from the plays alone. A test compares each result with a rebuilt frame, at every event of every game.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from operator import length_hint
from typing import Any, NamedTuple, TypeAlias, cast

import msgspec

from events.cards import Pack
from events.model import Cards, Event, Open, Play, Tally
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.model import Display, Run, State
from reducers.registry import find_game
from reducers.scoring import HandScore, Standing
from reducers.table import Pile, Table
from reducers.words.beating import plays_on_table_of
from reducers.words.tricks import Trick, Tricks, tricks_in
from replay.log import NumberedEvent
from replay.table.frame import (
    EMPTY,
    NOTHING,
    MiddleCard,
    PileViews,
    contract_of,
    laid_in_middle,
    last_score,
    result_of,
    tricks_won,
    unseen_cards,
)

UNTOLD = (
    "position", "inferred", "phase_name", "expects", "viewer", "game", "name", "seats", "sides", "names", "unread",
)
"""Parts of a frame that are elsewhere: position and inferences at each event; unread lines, phases and terms once for
all."""
SILENT = next(field.default for field in msgspec.structs.fields(Display) if field.name == "of_pile")
"""The default of a game that says nothing about its piles."""


def apply_frame_change(before: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """Apply a change to a frame.

    >>> apply_frame_change(
    ...     {"hand": 1, "piles": {"N": {"count": 8, "out": False}}}, {"piles": {"N": {"count": 7}, "E": {"count": 8}}},
    ... )
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


NO_CARDS: Cards = ()
NO_CARD = 0, ""
NO_TRICK: Mapping[str, Any] = {"cards": NO_CARDS, "count": 0}
"""The trick once it was gathered."""


class PileMemo:
    """A pile as last examined: its cards, their written form, and its description.

    `open` is True if the viewer sees all of it, `held` if a player holds it.
    """

    __slots__ = ("cards", "half", "held", "known", "name", "number", "open", "pile", "row", "said", "unseen", "vague")

    def __init__(self, pile: Pile, open_: bool, held: bool) -> None:
        """Begin with a pile without seen cards."""
        self.pile, self.name, self.cards, self.number, self.said, self.open, self.held = (
            pile, pile.name, NO_CARDS, 0, NOTHING, open_, held
        )
        self.row: list[int] | None = None if pile.row is None else []
        self.known, self.unseen, self.half, self.vague = 0, 0, pile.half, False


@cache
def single_cards(pack: Pack) -> dict[int, tuple[int, str]]:
    """The bag and name of each card, by the difference it makes in the bits of a holding."""
    copies = range(1, pack.width + 1)
    return {
        ((1 << n) - 1) * unit: (unit, token) for unit, token in zip(pack.unit, pack.faces, strict=True) for n in copies
    }


class LaidBy(dict[str, MiddleCard]):
    """The cards in the middle played by one seat, by name. They are cached, as each appears at every event while it
    is there."""

    def __init__(self, seat: str) -> None:
        super().__init__()
        self.seat = seat

    def __missing__(self, card: str) -> MiddleCard:
        """Add a card on first use."""
        laid_now = self[card] = MiddleCard(self.seat, card)
        return laid_now


laid_by = cache(LaidBy)
NOBODYS = laid_by("")
"""Cards in the middle without a seat."""


Told: TypeAlias = tuple[NumberedEvent, dict[str, Any], bool]
"""An event with its change to the frame, or with a whole new frame (True)."""


class BatchChanges(NamedTuple):
    """The piles that a batch of plays can change: the holdings by seat, the trick, and the won piles by side; and
    whether those came to the table before the trick."""

    held: dict[str, PileMemo]
    trick: PileMemo
    homes: dict[str, PileMemo]
    homes_first: bool


MOST_LAID_OUT = 20
"""Most cached initial layouts."""


@cache
def batches_by_phase(key: str) -> dict[str, Run]:
    """The batch handlers of a game, by phase."""
    return {name: phase.apply_batch for name, phase in find_game(key).phases.items() if phase.apply_batch is not None}


class LaidOut(NamedTuple):
    """The initial piles of a hand, reused for the next hand, which mostly has the same: their data when empty, the
    piles by kind (all, holdings, rows), and those that a batch of plays can change."""

    bare: dict[str, Any]
    all: list[PileMemo]
    bags: list[PileMemo]
    rows: list[PileMemo]
    played: BatchChanges | None


class Frames:
    """The frames of one match for one viewer, while the caller folds it into `state`.

    After each event, call `whole` if `anew` is True, else `changed`.
    """

    __slots__ = (
        "bags", "beaten", "behind", "board", "board_told", "contract", "dealer", "game", "hand", "headline", "laid_out",
        "lay", "looked", "many", "number", "one_card", "over", "phase", "played", "players", "plays", "result", "rows",
        "said", "score", "scored", "settled",
        "standing", "state", "table", "talks", "terms", "tricks", "turn", "viewer", "views", "won",
    )  # fmt: skip

    def __init__(self, state: State[Any], viewer: str) -> None:
        self.state, self.viewer = state, viewer
        self.number, self.terms, self.game = -1, state.terms, state.game
        self.views = PileViews(state.game, state.terms, viewer)
        self.talks = state.game.display.of_pile is not SILENT
        # The piles as last examined, by name.
        self.looked: dict[str, PileMemo] = {}
        # The last result: its score and its text.
        self.result: tuple[HandScore | None, str] = (None, "")
        # Finds the single card that left or joined a holding.
        self.one_card = single_cards(state.game.pack)
        # The initial piles of earlier hands, by their names: a hand begins with the same ones again, or with those of
        # another dealer.
        self.laid_out: dict[tuple[str, ...], LaidOut] = {}
        # The table, its number of piles, and the piles by kind: holdings and rows.
        self.table: Table | None = None
        self.many = 0
        self.bags: list[PileMemo] = []
        self.rows: list[PileMemo] = []
        # The piles that a batch of plays can change, once known.
        self.played: BatchChanges | None = None
        # The next player of each seat while cards are played one at a time, and for each player the data of cards
        # played and the next turn.
        self.behind: Mapping[str, tuple[str, ...]] | None = None
        self.players: list[tuple[str, LaidBy, list[str]]] = []
        # What each part of the frame was last computed from, and its result.
        self.hand: object = None
        self.tricks: Tricks | None = None
        self.plays: list[tuple[str, int]] = []
        self.won: list[Trick] = []
        # The plays on the table, if they can be beaten.
        self.lay: list[Any] = []
        self.beaten = False
        # The pile in the middle, and its reported cards, if they have no seats.
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
        # The other reported values, by name.
        self.said: dict[str, Any] = {}

    @property
    def anew(self) -> bool:
        """True if the next frame must be whole: another hand has begun or was laid out again, or the terms changed."""
        state = self.state
        return state.number != self.number or state.terms is not self.terms or state.table is not self.table

    def whole(self, event: Event | None = None) -> dict[str, Any]:
        """The whole current frame, from which later changes continue. Passing the `event` just folded may save work."""
        state = self.state
        if state.terms is not self.terms or state.game is not self.game:
            self.views = PileViews(state.game, state.terms, self.viewer)
            self.looked, self.laid_out, self.one_card = {}, {}, single_cards(state.game.pack)
            self.talks = state.game.display.of_pile is not SILENT
        self.number, self.terms, self.game = state.number, state.terms, state.game
        self.board, self.board_told, self.said, self.contract, self.headline = None, NO_CARDS, {}, "", {}
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
        """The changes by the event just folded."""
        state = self.state
        out: dict[str, Any] = {}
        # The changed piles. An unchanged value is the same object as before.
        piles: dict[str, Any] = {}
        table, talks = state.table, self.talks
        # Piles are added to a table, and never removed.
        if table is not self.table or len(table.piles) != self.many:
            self._laid_out(table, piles)
        for last in self.bags:
            pile = last.pile
            if (
                pile.known is not last.known or pile.unseen is not last.unseen
                or pile.half is not last.half or pile.vague is not last.vague
            ):  # fmt: skip
                self._bag(pile, last, piles)
            elif talks and last.held:
                # The description of a hand may change though its cards do not.
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
            # Uncounted cards may differ though the same codes are there.
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
        if standing is not self.standing or state.settled is not self.settled or len(scores) != self.scored or (
            scores and scores[-1] is not self.score
        ):
            self._score(standing, out)
        if state.number:
            self._told_of_the_hand(event, out)
        return out

    def _score(self, standing: Standing, out: dict[str, Any]) -> None:
        """The score, the winners, and the last result."""
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
        """The text of the last result."""
        state, scores = self.state, self.state.scores
        self.scored, self.settled, self.score = len(scores), state.settled, scores[-1] if scores else None
        # Mostly it is the score of the hand before, or of this one.
        done = self.score if scores and (state.settled or scores[-1].number < state.number) else last_score(state)
        if done is not self.result[0]:
            self.result = done, result_of(done)
        self.said["last"] = last = self.result[1]
        return last

    def _told_of_the_hand(self, event: Event | None, out: dict[str, Any]) -> None:
        """The headline and the contract of the hand: in games without a contract, a hand that is over or a tally may
        have one."""
        state, display = self.state, self.game.display
        headline = display.headline(state)
        if headline != self.headline:
            out["headline"] = self.headline = headline
        if state.settled or display.contract is not None or type(event) is Tally:
            contract = contract_of(state)
            if contract != self.contract:
                out["contract"] = self.contract = contract

    def _first_piles(self) -> dict[str, Any]:
        """The piles at the beginning of a hand. Mostly they are those of the hand before, and nearly empty."""
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
        self.table, self.many, self.bags, self.rows, self.played = (
            table, len(there), [*before.bags], [*before.rows], before.played
        )
        return told

    def _other_piles(self) -> dict[str, Any]:
        """The piles at the beginning of a hand, if they differ from before."""
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
            {name: self.views.told(name) for name in names}, [looked[name] for name in names], [*self.bags],
            [*self.rows], self._played()
        )
        return out

    def _laid_out(self, table: Table, out: dict[str, Any]) -> None:
        """Add new piles, or replace those of another table."""
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
        """Add a pile."""
        name, row, last = pile.name, pile.row, self.looked.get(pile.name)
        if last is None or (last.row is None) is not (row is None):
            _, _, open_, held, _ = self.views.lying(name)
            last = self.looked[name] = PileMemo(pile, open_, held)
        last.pile = pile
        (self.bags if row is None else self.rows).append(last)
        out[name] = self._as_it_lies(last, pile, self.views.told(name))

    def _as_it_lies(self, last: PileMemo, pile: Pile, told: dict[str, Any]) -> dict[str, Any]:
        """The data of a pile on first examination, besides its constant properties."""
        row = pile.row
        if row or pile.known or pile.unseen or pile.half or pile.vague:
            last.cards, last.number = cards, number = self.views.cards(pile), len(pile)
            last.row = None if row is None else row[:]
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
                told = {
                    **told,
                    **{key: value for key in said.__struct_fields__ if (value := getattr(said, key)) not in EMPTY}
                }
        return told

    def _bag(self, pile: Pile, last: PileMemo, out: dict[str, Any]) -> None:
        """A changed holding; most often one card left or joined it, or unseen ones."""
        known, unseen, was = pile.known, pile.unseen, last.known
        if not was and not unseen and not last.unseen and last.open and not (
            pile.half or last.half or pile.vague or last.vague
        ):
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
        """A changed row; most often one card was added or removed, or all were removed."""
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
                # Either each card is listed, or none was seen; so are the remaining ones.
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
        """Record that a pile has more or fewer cards."""
        last.cards, last.number = cards, number
        out[last.name] = {"cards": cards, "count": number}
        if self.talks:
            self._said(last, out)

    def _other(self, pile: Pile, last: PileMemo, cards: Cards, out: dict[str, Any]) -> None:
        """Record the changes of a pile that shows these cards now."""
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
        """Record a changed description of a pile."""
        name, before = last.name, last.said
        now = (self.game.display.of_pile(self.state, name) if self.state.hand is not None else None) or NOTHING
        if now is not before and not last.open:
            now = self.views.said(name, self.state)
        if now is before or now == before:
            return
        last.said = now
        other = {key: value for key in now.__struct_fields__ if (value := getattr(now, key)) != getattr(before, key)}
        out[name] = {**out[name], **other} if name in out else other

    def _tricks(self, tricks: Tricks, out: dict[str, Any]) -> None:
        """The trick in the middle, and the number each side has won."""
        if tricks.plays != self.plays:
            before, self.plays = self.plays, tricks.plays[:]
            out["trick"] = self.said["trick"] = self._laid(tricks, before)
        if tricks.won != self.won:
            before_it, self.won = self.won, tricks.won[:]
            out["tricks"] = self.said["tricks"] = self._taken(tricks, before_it)

    def _other_hand(self, out: dict[str, Any]) -> None:
        """The same for a new hand."""
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
        """The number of tricks each side has won; most often one more than before."""
        won = tricks.won
        if not won or won[:-1] != before or len(won[-1].winners) > 1 or won[-1].gathered:
            return tricks_won(tricks, self.state.terms)
        told, side = self.said["tricks"], self.state.terms.side_of.get(won[-1].winners[0], "")
        return {**told, side: told[side] + 1} if side in told else {**told}

    def _laid(self, tricks: Tricks, before: list[tuple[str, int]]) -> tuple[MiddleCard, ...]:
        """The trick; most often a card was added, or it was gathered."""
        plays, n = self.plays, len(before)
        if not plays:
            return ()
        if n and len(plays) == n + 1 and plays[:n] == before and self.viewer == "all":
            seat, code = plays[n]
            return (*self.said["trick"], laid_by(seat)[self.game.pack.tokens[code]])
        return laid_in_middle(tricks, self.views, self.state)

    def _lying(self) -> tuple[MiddleCard, ...]:
        """The cards in the middle in a game without tricks."""
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
            self.board, self.board_told = board, _ = next(
                last for last in (*self.rows, *self.bags) if last.pile is pile
            ), ()
        cards, before, told = board.cards, self.board_told, self.said.get("trick", ())
        self.board_told = cards
        if before and cards[:-1] == before and len(told) == len(before):
            return (*told, NOBODYS[cards[-1]])
        return tuple(map(NOBODYS.__getitem__, cards))

    def ready_for_a_batch(self) -> BatchChanges | None:
        """The piles concerned, if plays can be folded as a batch (`reducers.words.act_batches`) and described from the
        plays alone; else None.

        A batch moves only its cards, and has no other effect before the last, which is examined as usual.
        """
        if self.talks or self.over or self.anew or self.state.hand is not self.hand or type(self.tricks) is not Tricks:
            return None
        if self.played is None:
            self.played = self._played()
        # Several unseen cards are one item in a hand, `27x??`.
        held = [last.pile for last in self.played.held.values()] if self.played is not None else []
        return None if any(pile.unseen or pile.half or pile.vague for pile in held) else self.played

    def _played(self) -> BatchChanges | None:
        """The piles that plays can change; None if some are missing."""
        terms = self.state.terms
        if "trick" not in self.state.table.piles:
            return None
        held = {last.name: last for last in self.bags}
        lying = {last.name: last for last in self.rows}
        if "trick" not in lying:
            return None
        homes = {side: lying[name] for side in terms.sides if (name := f"won:{side}") in lying}
        there = len(homes) == len(terms.sides) and held.keys() >= terms.side_of.keys()
        return BatchChanges(held, lying["trick"], homes, next(iter(lying)) != "trick") if there else None

    def after_a_batch(self, events: Sequence[NumberedEvent], played: BatchChanges) -> Iterator[Told]:
        """Yield the changes by each of these plays, one card of a hand to each trick. No other event may be folded
        until all were consumed.

        They are yielded one by one, so that unused ones can be freed.
        """
        held, trick, homes, homes_first = played
        state, said, tricks = self.state, self.said, self.tricks
        assert tricks is not None
        each, side_of, full = len(tricks.seats), state.terms.side_of, len(self.won)
        middle, cards, won, n = said["trick"], trick.cards, said["tricks"], len(self.plays)
        # For each seat, the cards that it holds, those it plays, and the next turn.
        if tricks.next is not self.behind:
            self.behind, self.players = tricks.next, [
                (seat, laid_by(seat), [*behind]) for seat, behind in tricks.next.items()
            ]
        players = {seat: ([*held[seat].cards], laid_now, turn) for seat, laid_now, turn in self.players}
        # The last play may have more effects. Mostly it completes a trick, with known changes.
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
            yield self._last_of_a_batch(final, played, tricks, full)
            return
        # Further effects of the last card are examined: none on cards, but perhaps the end of the hand.
        self.won, self.plays, self.turn = tricks.won[:full], [], (event.by,)
        if homes_first:
            change["piles"]["trick"] = change["piles"].pop("trick")
        for row in homes.values():
            # The tricks lie on earlier ones.
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
            rest["piles"] = {
                **change["piles"],
                **{name: {**change["piles"].get(name, {}), **other} for name, other in rest["piles"].items()}
            }
        yield final, {**change, **rest}, False

    def _last_of_a_batch(self, last: NumberedEvent, played: BatchChanges, tricks: Tricks, full: int) -> Told:
        """The changes by the last event of a batch, examined as usual from what was reported before it."""
        held, event = played.held, cast(Any, last.event)
        pack, is_play = self.game.pack, type(event) is Play
        for seat in self.state.terms.seats:
            hand = held[seat]
            hand.known, hand.number = hand.pile.known, len(hand.cards)
        if is_play:
            hand = held[event.by]
            hand.known += sum([pack.unit_of[card] for card in event.cards if card in hand.cards])
        # New tricks are on top of earlier ones, and a seen card stays the same.
        for row in played.homes.values():
            row.number = n = len(row.cards)
            now = row.pile.row or []
            seen = len(now) >= n and "?" not in "".join(row.cards)
            row.row = now[:n] if seen else [*map(pack.code.__getitem__, row.cards)]
        trick = played.trick
        trick.row, trick.number = [*map(pack.code.__getitem__, trick.cards)], len(trick.cards)
        self.turn = (event.by,) if is_play else self.state.turn
        self.won = tricks.won[:full]
        self.plays = [*(tricks.plays or tricks.won[-1].plays)][:-1] if is_play else tricks.plays[:]
        return last, self.changed(event), False


def won_and_counted(standing: Standing) -> tuple[tuple[str, Any], ...]:
    """The score and the winners, as in a frame."""
    return ("scores", standing.totals), ("winner", standing.winner), ("winners", standing.winners)


def eyes_on_hand(hand: int, viewer: str, whole: Collection[int]) -> str:
    """The viewer of a hand: "all" if it is seen `whole`."""
    return "all" if hand in whole else viewer


def all_frames(
    opening: Open, events: Sequence[NumberedEvent], viewer: str, whole: Collection[int] = (),
) -> Iterator[Told]:
    """Yield each event of a match with its change to the frame, or with a whole new frame. The viewer sees all of the
    hands in `whole`.

    Plays of a phase with batches are folded in batches, and their changes are described from the plays alone.
    """
    state = begin(opening.facts)
    frames, batches = Frames(state, viewer), batches_by_phase(state.game.key) if viewer == "all" else {}
    phase, apply_batch, told = "", None, 0
    lines = iter(events)
    for placed in lines:
        if state.phase is not phase:
            phase, apply_batch = state.phase, batches.get(state.phase)
        event = placed.event
        played = None
        if apply_batch is not None and type(event) is Play and not state.lost_count and state.undecided is None:
            played = frames.ready_for_a_batch() if not state.game.omissions.may_be_over(state) else None
        if apply_batch is not None and played is not None:
            stopped: Any = apply_batch(placed, lines, state)
            reached = len(events) - length_hint(lines) - (stopped is not None)
            if reached > told:
                state.table.now = state.at
                yield from frames.after_a_batch(events[told:reached], played)
            if stopped is None:
                return
            if stopped is placed and state.acts:
                # A batch that cannot begin is not tried again in this part of the hand.
                apply_batch = None
            placed, event, told = stopped, stopped.event, reached
        told += 1
        state.at = state.table.now = placed.n
        evolve(state, event)
        if frames.anew:
            if whole and state.number != frames.number:
                frames = Frames(state, eyes_on_hand(state.number, viewer, whole))
            yield placed, frames.whole(event), True
        else:
            yield placed, frames.changed(event), False
