"""The fishing turn: a card takes cards from the board or is trailed; if all hands are empty, cards are dealt.

For two players. A page declares its deal (with the board) with the stock as the rest, spreads `FISHING` into its
`on`, and replaces what differs. Its record of the hand keeps the `Captures` as `captures` and the `Rounds` as
`rounds`; its phase of play is called `play`. The page decides what a card may take.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeGuard

from events.cards import how_many
from events.model import Capture, Deal, Event, Gap, Move, Play, Show
from reducers.evolve import ensure_hand_started, finish_hand, on_move, pile_named
from reducers.evolve import on_show as shown_to_all
from reducers.facts import listed_with_and
from reducers.gaps import after_gap, lose_track
from reducers.model import Evolve, State
from reducers.pile_words import owned
from reducers.rules import CheckResult, broken, unknown
from reducers.table import Pile, Table
from reducers.terms import hand_of
from reducers.words.captures import codes_of_cards
from reducers.words.deals import WHO_DEALS, deal_from, whole_deal

IN_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


class Rounds:
    """The deals of one hand: the first one, with the board, and one whenever no player has a card left.

    `unwritten` are the piles with an inferred deal; a recorded deal replaces the inferred one, so that nothing is
    dealt twice. `doubt` means that an act may be missing: a player was not in turn, and the board is uncertain until
    it is shown. `short` means that the last card was played from an empty hand, so an act of the other player was not
    recorded. `uncounted` means that an uncounted number of cards was taken, so captures and sweeps are uncertain;
    `over` that the hand was played out. `played` is the number of cards each uncounted hand has played since the last
    deal. `first_board` is the least and the most of the `watched` cards on the board when the first card was played.
    """

    def __init__(self, state: State[Any], board: Pile, watched: int = 0) -> None:
        self.table: Table = state.table
        table, first = self.table, state.terms.after(state.dealer)
        # The player after each, and the number of cards each pile gets.
        self.other = {first: state.dealer, state.dealer: first}
        self.gets = whole_deal(state)
        self.holdings = {seat: table.bag(seat) for seat in self.other}
        self.stock, self.board = table.row("stock"), board
        self.watched = watched
        self.first_board: tuple[int, int] | None = None
        self.unwritten: tuple[Pile, ...] = ()
        self.row_before: list[int] = []
        self.over = self.gap = self.doubt = self.short = self.later_deals = self.uncounted = False
        self.played: dict[str, int] = {}
        table.lay([table.pack.unknown] * table.pack.size, self.stock)
        self.deal(first=True)

    def once_a_turn(self, made: Mapping[str, int]) -> dict[str, int | range]:
        """The bounds of what a player makes once a turn at most: what was made so far, and one with each card left."""
        piles = (self.stock, *self.holdings.values())
        if self.gap or self.doubt or self.uncounted or any(pile.vague for pile in piles):
            return dict(made)
        undealt = len(self.stock) // len(self.holdings)
        return {who: range(n, n + len(self.holdings[who]) + undealt + 1) for who, n in made.items()}

    def deal(self, *, first: bool = False) -> None:
        """Deal new cards to each empty hand, and the first time to the board, from the top of the stock."""
        table, piles = self.table, [pile for pile in self.holdings.values() if not len(pile)]
        if first and not len(self.board):
            piles.append(self.board)
        row = self.stock.row or []
        self.row_before, self.unwritten = list(row), tuple(piles)
        for pile in piles:
            count = self.gets[pile.name]
            table.move([table.pack.unknown] * (count if self.stock.vague else min(count, len(row))), self.stock, pile)

    def one_more_played(self, seat: str) -> None:
        """Count a card of an uncounted hand. If all its cards were played already, infer a deal before this one."""
        if self.played.get(seat, 0) >= self.gets[seat]:
            for pile in self.holdings.values():
                self.table.move([self.table.pack.many], self.stock, pile)
            self.played = {}
        self.played = {**self.played, seat: self.played.get(seat, 0) + 1}

    def undo_deal(self) -> bool:
        """Undo an inferred deal; return True if there was one."""
        if not self.unwritten:
            return False
        self.table.give_back(self.unwritten, self.stock, self.row_before)
        self.unwritten = ()
        return True

    def lose_count(self, state: State[Any]) -> None:
        """Acts are missing from the record: for the rest of the hand it is unknown who has cards."""
        self.gap, self.unwritten = True, ()

    def has_cards(self, seat: str) -> bool | None:
        """True if a seat has a card left; None if uncounted."""
        pile = self.holdings[seat]
        if pile.known or pile.unseen or pile.half:
            return True
        return None if pile.vague and self.unplaced else False

    @property
    def unplaced(self) -> bool:
        """True if some card has no known place yet, without knowledge from later events."""
        return self.table.located != self.table.pack.full

    def cards_left(self) -> bool | None:
        """True if cards are left in the stock or in a hand; None if unknown."""
        stock = bool(self.stock.row) or (None if self.stock.vague and self.unplaced else False)
        held = [*map(self.has_cards, self.other), stock]
        return True if True in held else None if None in held else False


def lay_out_board(state: State[Any]) -> None:
    """Lay out empty piles before the deal; the player who did not deal begins."""
    for seat in state.terms.in_turn(state.terms.after(state.dealer)):
        state.table.bag(seat)
    state.table.row("stock")
    state.phase, state.turn = "play", first_to_play(state)


def first_to_play(state: State[Any]) -> tuple[str, ...]:
    """The player who did not deal; both, if the dealer is unknown."""
    return state.terms.seats if state.dealer_is_guess else (state.terms.after(state.dealer),)


# -- the deals --------------------------------------------------------------------------------------------------------


def as_many_as_in_a_round(deal: Deal, state: State[Any]) -> CheckResult | None:
    """Each hand gets its number of cards, and the board its own once; a later deal brings it none."""
    dealt: dict[str, int] = {}
    for name, cards in deal.piles:
        name, count = name.removeprefix("hand:"), how_many(cards)
        if count is None and name != "stock":
            return unknown(f"the cards dealt to {name} were not counted")
        dealt[name] = dealt.get(name, 0) + (count or 0)
    gets = whole_deal(state)
    for name, count in dealt.items():
        if name not in gets:
            continue
        pile = state.table.piles.get(name)
        if pile is not None and not state.settled and pile not in state.hand.rounds.unwritten:
            if name not in state.terms.seats and state.acts:
                return broken(f"a later deal brings no cards to {holding_or_board(name, state)}")
            if count and state.acts and not state.hand.rounds.gap:
                return while_cards_are_left(pile, state)
            # After a gap the number of cards played and dealt is unknown.
            count += 0 if state.hand.rounds.gap else len(pile)
        if count > gets[name]:
            return broken(f"{holding_or_board(name, state)} gets {gets[name]} cards, not {count}")
    return too_few(dealt, state)


def while_cards_are_left(pile: Pile, state: State[Any]) -> CheckResult:
    """New cards come when no player has one left, and are inferred then; a deal at any other time is too early."""
    rounds: Rounds = state.hand.rounds
    if rounds.doubt:
        return unknown("an act may be missing before this")
    if any(holding.vague for holding in rounds.holdings.values()) and (pile.vague or not len(pile)):
        return unknown("the cards in the hands were not counted")
    return broken("new cards are dealt when all hands are empty")


def holding_or_board(pile: str, state: State[Any]) -> str:
    """A holding, or the board, as a sentence calls it."""
    return pile if pile in state.terms.seats else f"the {pile}"


def too_few(dealt: dict[str, int], state: State[Any]) -> CheckResult | None:
    """When the stock is laid out each pile has all its cards, or no card of it was recorded."""
    if "stock" not in dealt or state.settled or state.acts:
        return None
    rounds: Rounds = state.hand.rounds
    for pile in (*rounds.holdings.values(), rounds.board):
        count = dealt.get(pile.name, 0) + (0 if pile in rounds.unwritten else len(pile))
        gets = rounds.gets[pile.name]
        if 0 < count < gets and pile.vague:
            return unknown(f"the cards dealt to {pile.name} were not counted")
        if 0 < count < gets:
            return broken(f"{holding_or_board(pile.name, state)} gets {gets} cards, not {count}")
    return None


def deal_a_round(deal: Deal, state: State[Any]) -> None:
    """Deal cards as recorded; `stock=…` gives the order of the rest. Unrecorded parts stay inferred."""
    ensure_hand_started(state)
    rounds: Rounds = state.hand.rounds
    # A later deal is for both, even if one part of it is unrecorded.
    infer_the_rest = rounds.undo_deal() or not state.acts or any(
        name.removeprefix("hand:") in rounds.holdings for name, _ in deal.piles
    )
    deal_from(rounds.stock, deal, state)
    rounds.played = {}
    if infer_the_rest and not rounds.gap:
        rounds.deal(first=not state.acts)
    if not state.acts:
        state.phase, state.turn = "play", first_to_play(state)


# -- the turn ---------------------------------------------------------------------------------------------------------


def one_card_each_in_turn(act: Play | Capture, state: State[Any]) -> CheckResult | None:
    """The player who did not deal begins; then each in turn plays one card, trailed or not."""
    if len(act.cards) > 1 or len(act.cards[0]) > 2:
        return broken("one card is played at a time")
    if isinstance(act, Play) and act.src not in ("", hand_of(act.by)):
        return broken("a card is played from the hand")
    if act.by in state.turn:
        return None
    first = state.terms.after(state.dealer)
    if not state.acts and state.dealer_is_guess:
        return unknown(WHO_DEALS)
    if not state.acts:
        return None if act.by == first else broken(f"{state.dealer} dealt, so {first} begins")
    return broken(f"it is the turn of {state.turn[0]}") if state.turn else None


def missing_act(act: Event, state: State[Any]) -> bool:
    """True if the board may differ from the record, because a player acted out of turn and an act may be missing."""
    return state.hand.rounds.doubt or act.by not in (state.turn or first_to_play(state))


def shows_new_deal(seat: str, rounds: Rounds) -> bool:
    """True if a seat that should have no card plays one, and the other hand is uncounted: cards were dealt."""
    out = rounds.has_cards(seat) is False and rounds.has_cards(rounds.other[seat]) is None
    return out and bool(rounds.stock.row or rounds.stock.vague)


def begin_act(act: Event, state: State[Any], src: str = "") -> Pile:
    """Prepare an act: infer an unrecorded deal before it. Return the pile of the card: `src`, or the hand."""
    ensure_hand_started(state)
    rounds: Rounds = state.hand.rounds
    rounds.doubt = missing_act(act, state)
    if rounds.holdings[rounds.other[act.by]].vague and not rounds.gap and shows_new_deal(act.by, rounds):
        rounds.deal()
    if not state.acts:
        state.phase, rounds.first_board = "play", rounds.board.how_many(rounds.watched)
    if rounds.unwritten and not state.acts:
        dealt = listed_with_and(tuple(owned(pile.name, state.table.called) for pile in rounds.unwritten))
        state.infer(f"cards were dealt to {dealt} (not recorded)")
    elif rounds.unwritten:
        later_deal(act.by, state)
    rounds.unwritten = ()
    state.acts += 1
    lay: Pile = pile_named(state, src) if src else rounds.holdings[act.by]
    if lay.vague and not rounds.gap:
        rounds.one_more_played(act.by)
    rounds.short = not lay.vague and not len(lay)
    return lay


def later_deal(seat: str, state: State[Any]) -> None:
    """Note that new cards were dealt without a record."""
    rounds: Rounds = state.hand.rounds
    rounds.unwritten = ()
    if not rounds.later_deals:
        rounds.later_deals = True
        again = "again in this hand whenever all hands are empty; not every deal was recorded"
        state.infer(f"{IN_WORDS[rounds.gets[seat]]} cards each are dealt here, and {again}")


def trail(play: Play, state: State[Any]) -> None:
    """Trail a card to the board."""
    src = begin_act(play, state, play.src)
    state.table.move(state.table.codes(play.cards, src), src, state.hand.rounds.board)
    next_turn(play.by, state)


def gather_capture(capture: Capture, state: State[Any]) -> bool:
    """Give card and cards taken to the player; return True if the board is empty. The page calls `next_turn`."""
    holding = begin_act(capture, state)
    rounds, captures, codes = state.hand.rounds, state.hand.captures, state.table.codes
    takes = codes(capture.takes, rounds.board)
    empty: bool = captures.take(state.table, capture.by, codes(capture.cards, holding), takes, holding, state.at)
    rounds.uncounted = rounds.uncounted or rounds.board.vague
    return empty


def sweeps_the_board(capture: Capture, state: State[Any], *, last_too: bool) -> None:
    """Apply a capture: an empty board is a sweep, after the very last card of a hand only if `last_too`."""
    empty = gather_capture(capture, state)
    left = empty and state.hand.rounds.cards_left()
    if left or (empty and last_too):
        state.hand.captures.swept()
    elif left is None:
        state.hand.rounds.uncounted = True  # it may have been the very last card
    next_turn(capture.by, state)


def next_turn(seat: str, state: State[Any]) -> None:
    """Turn to the other player while there are cards; then deal new ones, or end the hand with the remainder."""
    rounds: Rounds = state.hand.rounds
    if rounds.short:
        lose_track(state, kept=("won",))
    other = rounds.other[seat]
    state.turn = (other,)
    if rounds.has_cards(other) is not False or rounds.gap:
        return
    mine = rounds.has_cards(seat)
    if mine:
        state.turn = (seat,)
    elif mine is None:
        state.turn = (other, seat)  # either has another card, or both are out and cards are dealt
    elif rounds.stock.row or rounds.cards_left() is not False:
        rounds.deal()
    else:
        rounds.over = True
        state.hand.captures.remainder(state.table)
        finish_hand(state)


# -- batches ----------------------------------------------------------------------------------------------------------


# -- other acts -------------------------------------------------------------------------------------------------------


def on_taking_back(move: Move, state: State[Any]) -> None:
    """Take a card back from the board, or from a capture, which gives the turn back to that player.

    Cards gathered by the player who captured them are there already.
    """
    seat, hand = move.to.removeprefix("hand:"), state.hand
    if state.number and has_been_gathered(move, state):
        won = hand.captures.won[hand.captures.last]
        if "*" not in move.cards:
            state.table.reveal(state.table.codes(move.cards, won), won)
        return
    back = not state.settled and seat in hand.rounds.holdings and move.src in ("board", f"won:{seat}")
    if back:
        hand.rounds.undo_deal()
    on_move(move, state)
    if back:
        state.turn = (seat,)
        if move.src != "board":
            hand.captures.taken_back()


def has_been_gathered(move: Move, state: State[Any]) -> bool:
    """True if these cards, of the last capture or left at the end, go to the player who took last."""
    hand = state.hand
    if move.src != "board" or not hand.captures.last or move.to != f"won:{hand.captures.last}":
        return False
    if state.settled:
        return bool(hand.rounds.over)
    return was_captured(move, state)


def was_captured(move: Move, state: State[Any]) -> bool:
    """True if the last capture was of these cards; unseen ones may be any."""
    hand, pack = state.hand, state.game.pack
    if "*" in move.cards:
        return bool(hand.board.empty)
    last, named = hand.captures.log[-1], codes_of_cards(pack, move.cards)
    took = [last.card, *last.takes]
    unseen = pack.size if pack.many in took else sum(code >= pack.unknown for code in took)
    others = sum(code < pack.unknown and code not in took for code in named)
    return 0 < len(named) <= len(took) + unseen and others <= unseen


def on_show(show: Show, state: State[Any]) -> None:
    """Show cards; a shown board is certain again."""
    shown_to_all(show, state)
    if show.src == "board" and not state.settled:
        state.hand.rounds.doubt = False


def is_bare_card(event: Event, state: State[Any]) -> TypeGuard[Play | Capture]:
    """True if one card was typed and nothing else, so that it may be played or take something."""
    if not isinstance(event, Play | Capture) or event.src or state.settled:
        return False
    return not event.takes if isinstance(event, Capture) else not event.face and len(event.cards) == 1


def captures_so_far(called: str) -> Callable[[State[Any]], dict[str, Any]]:
    """The headline: cards left to deal, the side that captured last, and the sweeps of each, by the word for one."""

    def headline(state: State[Any]) -> dict[str, Any]:
        captures = state.hand.captures
        swept = [taken.side for taken in captures.log if taken.sweep]
        each = {f"{called} {side}": swept.count(side) for side in captures.won}
        return {"stock": len(state.hand.rounds.stock), "last capture": captures.last, **each}

    return headline


def new_cards(state: State[Any]) -> str:
    """Words for cards that have just been dealt; empty if none were."""
    rounds = state.hand.rounds
    return f"new cards, {len(rounds.stock)} left" if state.acts and rounds.unwritten else ""


AFTER_GAP: Evolve = after_gap("play", kept=("won",))
FISHING: dict[type[Event], Evolve] = {
    Deal: deal_a_round, Play: trail, Move: on_taking_back, Show: on_show, Gap: AFTER_GAP,
}
