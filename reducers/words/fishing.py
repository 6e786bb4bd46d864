"""The fishing turn: a card takes cards from the board or is trailed; if nobody has a card left, new ones are dealt.

For two players. A page declares its deal (what the board gets among it) with the stock as the rest, spreads `FISHING`
into its `on`, and names what it does otherwise. Its record of the hand keeps the `Captures` as `captures` and the
`Rounds` as `rounds`; its phase of play is called `play`. What a card may take the page says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, TypeAlias

from events.cards import how_many
from events.model import Capture, Deal, Event, Gap, Move, Play, Show
from reducers.evolve import ensure_hand_started, finish_hand, on_move, pile_named
from reducers.evolve import on_show as shown_to_all
from reducers.facts import listed_with_and
from reducers.model import Evolve, InItsPlace, State
from reducers.pile_words import owned
from reducers.rules import CheckResult, broken, unknown
from reducers.table import Pile, Table
from reducers.terms import hand_of
from reducers.words.captures import Captures, CaptureTaken, codes_of_cards
from reducers.words.deals import WHO_DEALS, deal_from, whole_deal

IN_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


class Rounds:
    """The deals of one hand: the first one, with the board, and those whenever nobody has a card left.

    `unwritten` are the piles that got cards by inference and whose deal nobody has written yet; a deal that is written
    takes the place of the inferred one, so that nothing is dealt twice. `doubt` says that an act may be missing:
    somebody was not in turn, and until the board is shown nobody can say whether it is as recorded. `short` says that
    the last card was played from a hand that had none left, which shows that an act of the other was not recorded.
    `uncounted` says that cards were taken which nobody counted, so that what was taken and whether the board was swept
    cannot be said; `over` that the hand was played out. `played` is how many cards each hand that nobody counted has played since cards
    were dealt. `first_board` is how many of the `watched` cards lay on the board
    when the first card was played, at least and at most.
    """

    __slots__ = (
        "board", "doubt", "first_board", "gap", "gets", "holdings", "later_deals", "other", "over", "played", "row_before", "short", "stock",
        "table", "uncounted", "unwritten", "watched",
    )  # fmt: skip

    def __init__(self, state: State[Any], board: Pile, watched: int = 0) -> None:
        self.table: Table = state.table
        table, first = self.table, state.terms.after(state.dealer)
        # Who plays after whom, and how many cards each pile gets.
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

    def deal(self, *, first: bool = False) -> None:
        """New cards to each empty hand, and the first time to the board, from the top of the stock."""
        table, piles = self.table, [pile for pile in self.holdings.values() if not len(pile)]
        if first and not len(self.board):
            piles.append(self.board)
        row = self.stock.row or []
        self.row_before, self.unwritten = list(row), tuple(piles)
        for pile in piles:
            count = self.gets[pile.name]
            table.move([table.pack.unknown] * (count if self.stock.vague else min(count, len(row))), self.stock, pile)

    def one_more_played(self, seat: str) -> None:
        """A seat plays a card of a hand that nobody counted. If it has played all that it was dealt, cards were dealt before this."""
        if self.played.get(seat, 0) >= self.gets[seat]:
            for pile in self.holdings.values():
                self.table.move([self.table.pack.many], self.stock, pile)
            self.played = {}
        self.played = {**self.played, seat: self.played.get(seat, 0) + 1}

    def undo_deal(self) -> bool:
        """Take back what was dealt by inference; returns whether there was anything."""
        if not self.unwritten:
            return False
        self.table.give_back(self.unwritten, self.stock, self.row_before)
        self.unwritten = ()
        return True

    def lose_count(self, captures: Captures) -> None:
        """Acts went by unrecorded: who holds what, what lies on the board and who took it is lost for this hand."""
        self.gap, self.unwritten = True, ()
        for pile in (*self.holdings.values(), self.board, self.stock):
            self.table.lose_sight(pile)
        for pile in captures.won.values():
            pile.vague = True

    def has_cards(self, seat: str) -> bool | None:
        """Whether a seat has a card left; None if nobody counted its cards."""
        pile = self.holdings[seat]
        if pile.known or pile.unseen or pile.half:
            return True
        return None if pile.vague and self.unplaced else False

    @property
    def unplaced(self) -> bool:
        """Whether nobody has seen yet where some card lies; what later events prove is no matter here."""
        return self.table.located != self.table.pack.full

    def cards_left(self) -> bool | None:
        """Whether cards are left in the stock or in a hand; None if it cannot be told."""
        stock = bool(self.stock.row) or (None if self.stock.vague and self.unplaced else False)
        held = [*map(self.has_cards, self.other), stock]
        return True if True in held else None if None in held else False


def lay_out_board(state: State[Any]) -> None:
    """Before the deal nothing lies on the table; who did not deal begins."""
    for seat in state.terms.in_turn(state.terms.after(state.dealer)):
        state.table.bag(seat)
    state.table.row("stock")
    state.phase, state.turn = "play", first_to_play(state)


def first_to_play(state: State[Any]) -> tuple[str, ...]:
    """Who did not deal begins; either, if nobody recorded who deals."""
    return state.terms.seats if state.dealer_is_guess else (state.terms.after(state.dealer),)


# -- the deals ---------------------------------------------------------------------------------------------------------


def as_many_as_in_a_round(deal: Deal, state: State[Any]) -> CheckResult | None:
    """Each hand gets so many cards, and the board its own once; a later deal brings it none."""
    dealt: dict[str, int] = {}
    for name, cards in deal.piles:
        name, count = name.removeprefix("hand:"), how_many(cards)
        if count is None and name != "stock":
            return unknown(f"nobody counted the cards dealt to {name}")
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
            # What was played and dealt while nobody wrote nobody has counted.
            count += 0 if state.hand.rounds.gap else len(pile)
        if count > gets[name]:
            return broken(f"{holding_or_board(name, state)} gets {gets[name]} cards, not {count}")
    return too_few(dealt, state)


def while_cards_are_left(pile: Pile, state: State[Any]) -> CheckResult:
    """New cards come when nobody has one left. Then they were inferred already, so a deal at any other time is too early."""
    rounds: Rounds = state.hand.rounds
    if rounds.doubt:
        return unknown("an act may be missing before this")
    if any(holding.vague for holding in rounds.holdings.values()) and (pile.vague or not len(pile)):
        return unknown("nobody counted the cards in the hands")
    return broken("new cards are dealt when nobody has a card left")


def holding_or_board(pile: str, state: State[Any]) -> str:
    """A holding, or the board, as a sentence calls it."""
    return pile if pile in state.terms.seats else f"the {pile}"


def too_few(dealt: dict[str, int], state: State[Any]) -> CheckResult | None:
    """When the stock is laid out everybody has their cards: piles of which nobody wrote a card, or all of them."""
    if "stock" not in dealt or state.settled or state.acts:
        return None
    rounds: Rounds = state.hand.rounds
    for pile in (*rounds.holdings.values(), rounds.board):
        count = dealt.get(pile.name, 0) + (0 if pile in rounds.unwritten else len(pile))
        gets = rounds.gets[pile.name]
        if 0 < count < gets and pile.vague:
            return unknown(f"nobody counted the cards dealt to {pile.name}")
        if 0 < count < gets:
            return broken(f"{holding_or_board(pile.name, state)} gets {gets} cards, not {count}")
    return None


def deal_a_round(deal: Deal, state: State[Any]) -> None:
    """Cards as they were dealt; `stock=…` says how the rest lies. What is not written stays inferred."""
    ensure_hand_started(state)
    rounds: Rounds = state.hand.rounds
    # A later deal is one to both, also if nobody wrote what one of them got.
    infer_the_rest = rounds.undo_deal() or not state.acts or any(
        name.removeprefix("hand:") in rounds.holdings for name, _ in deal.piles
    )
    deal_from(rounds.stock, deal, state)
    rounds.played = {}
    if infer_the_rest and not rounds.gap:
        rounds.deal(first=not state.acts)
    if not state.acts:
        state.phase, state.turn = "play", first_to_play(state)


# -- the turn ----------------------------------------------------------------------------------------------------------


def one_card_each_in_turn(act: Play | Capture, state: State[Any]) -> CheckResult | None:
    """Whoever did not deal begins; then each in turn plays one card, be it trailed or not."""
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
    """Whether the board may not be as recorded, because somebody acted out of turn: the recorder may have slept."""
    return state.hand.rounds.doubt or act.by not in (state.turn or first_to_play(state))


def shows_new_deal(seat: str, rounds: Rounds) -> bool:
    """Whether a seat without a card that has one all the same shows that both were out and cards were dealt: nobody
    counted the other hand."""
    out = rounds.has_cards(seat) is False and rounds.has_cards(rounds.other[seat]) is None
    return out and bool(rounds.stock.row or rounds.stock.vague)


def begin_act(act: Event, state: State[Any], src: str = "") -> Pile:
    """A card is played, from `src` if not from the hand; a deal that nobody wrote has happened. Returns its pile."""
    ensure_hand_started(state)
    rounds: Rounds = state.hand.rounds
    rounds.doubt = missing_act(act, state)
    if rounds.holdings[rounds.other[act.by]].vague and not rounds.gap and shows_new_deal(act.by, rounds):
        rounds.deal()
    if not state.acts:
        state.phase, rounds.first_board = "play", rounds.board.how_many(rounds.watched)
    if rounds.unwritten and not state.acts:
        dealt = listed_with_and(tuple(owned(pile.name, state.table.called) for pile in rounds.unwritten))
        state.infer(f"cards were dealt to {dealt}; nobody wrote it")
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
    """New cards came to the hands, and nobody wrote it."""
    rounds: Rounds = state.hand.rounds
    rounds.unwritten = ()
    if not rounds.later_deals:
        rounds.later_deals = True
        again = "again in this hand whenever nobody has a card left; not every deal was written"
        state.infer(f"{IN_WORDS[rounds.gets[seat]]} cards each are dealt here, and {again}")


def trail(play: Play, state: State[Any]) -> None:
    """A card is laid to the board."""
    src = begin_act(play, state, play.src)
    state.table.move(state.table.codes(play.cards, src), src, state.hand.rounds.board)
    next_turn(play.by, state)


def gather_capture(capture: Capture, state: State[Any]) -> bool:
    """Card and cards taken go to the player; returns whether the board is empty. The page goes on with `next_turn`."""
    holding = begin_act(capture, state)
    rounds, captures, codes = state.hand.rounds, state.hand.captures, state.table.codes
    takes = codes(capture.takes, rounds.board)
    empty: bool = captures.take(state.table, capture.by, codes(capture.cards, holding), takes, holding, state.at)
    rounds.uncounted = rounds.uncounted or rounds.board.vague
    return empty


def sweeps_the_board(capture: Capture, state: State[Any], *, last_too: bool) -> None:
    """The same; an empty board is a sweep, after the very last card of a hand only if `last_too`."""
    empty = gather_capture(capture, state)
    left = empty and state.hand.rounds.cards_left()
    if left or (empty and last_too):
        state.hand.captures.swept()
    elif left is None:
        state.hand.rounds.uncounted = True  # whether it was the very last card nobody can say
    next_turn(capture.by, state)


def next_turn(seat: str, state: State[Any]) -> None:
    """The other player, while there are cards; then new ones, or the end of the hand with the remainder."""
    rounds: Rounds = state.hand.rounds
    if rounds.short:
        rounds.lose_count(state.hand.captures)
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


# -- many acts at once -------------------------------------------------------------------------------------------------


Trails: TypeAlias = Callable[[int, int], bool]
"""Whether the rules of a page are surely content with a card that is trailed: its code, and the bag of the board."""
Takes: TypeAlias = Callable[[int, tuple[int, ...], int], bool]
"""The same of a capture: the code of the card, those of the cards that it takes from the board, and the bag of the board."""


def cards_in_order(
    first: InItsPlace, later: Iterator[InItsPlace], state: State[Any], trails: Trails, takes: Takes, *, last_too: bool
) -> InItsPlace | None:
    """The run of a fishing game whose acts are applied by `trail` and `sweeps_the_board`: after the first card of a hand, known cards
    out of hands that were seen whole, trailed to a board of which every card was seen, or taking some of it.

    A page says by `trails` and `takes` that its duties are kept. Returns the first event that was not applied; None if there is none
    left.
    """
    rounds, captures, table = state.hand.rounds, state.hand.captures, state.table
    pack, board, holdings, stock = table.pack, rounds.board, rounds.holdings, rounds.stock.row or ()
    seen = (board, *holdings.values(), *captures.won.values())
    if not state.acts or rounds.gap or rounds.doubt or rounds.short or rounds.uncounted or len(state.turn) != 1 or not pack.single:
        return first
    if rounds.stock.vague or any(p.row is not None or p.unseen or p.half or p.vague or p.later for p in seen):
        return first
    code_of, unit_of, unknown, dark = pack.code, pack.unit, pack.unknown, any(code >= pack.unknown for code in stock)
    seat, placed = state.turn[0], first
    last: InItsPlace | None = None
    taken: tuple[int, ...]
    for placed in chain((first,), later):
        event, taken = placed.event, ()
        if type(event) is Capture:
            taken = codes_of_cards(pack, event.takes)
            if not taken or event.takes == ("*",) or max(taken) >= unknown:
                break
        elif type(event) is not Play or event.face:
            break
        if event.by != seat or event.src or len(event.cards) != 1:
            break
        code, held, lying = code_of.get(event.cards[0], unknown), holdings[seat].known, board.known
        if code >= unknown or not held & unit_of[code]:
            break
        if dark and held == unit_of[code] and not holdings[rounds.other[seat]].known:
            # Then new cards come that nobody has seen.
            break
        if not (takes(code, taken, lying) if taken else trails(code, lying)):
            break
        bag = sum([unit_of[one] for one in taken])
        if bag & ~lying or bag.bit_count() != len(taken):
            break
        last, state.at = placed, placed.n
        if rounds.unwritten:
            later_deal(seat, state)
        state.acts += 1
        holdings[seat].known = held - unit_of[code]
        if not taken:
            board.known = lying + unit_of[code]
        else:
            board.known, side = lying - bag, captures.side_of[seat]
            captures.won[side].known += bag + unit_of[code]
            empty = not board.known
            captures.log.append(CaptureTaken(placed.n, side, lying, code, taken, empty and (last_too or bool(rounds.cards_left()))))
        if holdings[rounds.other[seat]].known:
            seat = rounds.other[seat]
            continue
        next_turn(seat, state)
        if rounds.over:
            break
        (seat,) = state.turn
    if last is None:
        return first
    if not rounds.over:
        state.turn = (seat,)
    return next(later, None) if placed is last else placed


# -- what the table does besides ---------------------------------------------------------------------------------------


def on_taking_back(move: Move, state: State[Any]) -> None:
    """A card taken back from the board, or from a capture, makes it that player's turn again.

    What somebody is seen to gather who took it has gone there already.
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
    """Whether these are the cards of the last capture, or what is left at the end, and they go to who took last."""
    hand = state.hand
    if move.src != "board" or not hand.captures.last or move.to != f"won:{hand.captures.last}":
        return False
    if state.settled:
        return bool(hand.rounds.over)
    return was_captured(move, state)


def was_captured(move: Move, state: State[Any]) -> bool:
    """Whether the last capture was of these cards; of those that nobody saw then they may be any."""
    hand, pack = state.hand, state.game.pack
    if "*" in move.cards:
        return not len(hand.board) and not hand.board.vague
    last, named = hand.captures.log[-1], codes_of_cards(pack, move.cards)
    took = [last.card, *last.takes]
    unseen = pack.size if pack.many in took else sum(code >= pack.unknown for code in took)
    others = sum(code < pack.unknown and code not in took for code in named)
    return 0 < len(named) <= len(took) + unseen and others <= unseen


def on_show(show: Show, state: State[Any]) -> None:
    """Whoever says what lies on the board ends the doubt about it."""
    shown_to_all(show, state)
    if show.src == "board" and not state.settled:
        state.hand.rounds.doubt = False


def on_gap(gap: Gap, state: State[Any]) -> None:
    """Acts went by unrecorded; either player may go on."""
    if not state.settled:
        state.hand.rounds.lose_count(state.hand.captures)
        state.phase, state.turn = "play", state.terms.seats


FISHING: dict[type[Event], Evolve] = {Deal: deal_a_round, Play: trail, Move: on_taking_back, Show: on_show, Gap: on_gap}
