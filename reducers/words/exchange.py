"""Cards changed before the play: a seat discards some face down, and draws as many from a face-down stock.

The page's record of the hand keeps the `Exchange` as `exchange` and its `Tricks` as `trick`; its phases are called
`exchanging` (a seat is to discard, or keeps all cards) and `drawing` (cards are to be drawn for the discards). The
page decides who changes cards after whom, and how often. Draws follow from the discards, so many tables do not record
them: the page calls `infer_exchange_draws` before any other act. For Écarté and Poke.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.cards import how_many, pretty, squeeze
from events.model import Discard, Draw, Event, Pass, Play
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.table import NOT_ON_TOP, Pile, Table, Trouble, each_has_one
from reducers.words.deals import take_as_it_lies
from reducers.words.one_round import GONE_BY, gone_by

GONE = "that may be missing from the record"
PHASES = ("exchanging", "drawing")


class Exchange:
    """The changes of a hand.

    `seat` has discarded last; `thrown` is the number of cards, None if uncounted, and `drawn` the number it has drawn
    for them. `times` is how often each seat has changed cards. `late` counts the cards that a seat drew without a
    record before the next act; `written` is True if a draw was recorded. `passed_over` is the seat without a recorded
    change in its turn. `acts` counts the recorded acts of the exchange: it grows as long as that continues.
    """

    def __init__(self) -> None:
        self.seat = self.passed_over = ""
        self.thrown: int | None = 0
        self.drawn = self.acts = 0
        self.times: dict[str, int] = {}
        self.late: dict[str, int] = {}
        self.written = False

    @property
    def due(self) -> int | None:
        """The number of cards still to be drawn; None if uncounted."""
        return None if self.thrown is None else max(0, self.thrown - self.drawn)

    def over(self) -> None:
        """End the exchange of a seat."""
        self.thrown = self.drawn = 0


def stock_count(state: State[Any]) -> int | None:
    """The number of cards left in the stock; None if uncounted."""
    stock = state.table.piles.get("stock")
    return None if stock is None or stock.vague else len(stock)


def is_late(draw: Draw, state: State[Any]) -> bool:
    """True if cards drawn before another act are recorded only now; False if the seat has just discarded others."""
    exchange: Exchange = state.hand.exchange
    if not exchange.late.get(draw.by):
        return False
    return state.phase != "drawing" or exchange.seat != draw.by


def count_of(codes: list[int], state: State[Any]) -> int | None:
    """The number of these cards; None if uncounted."""
    return None if state.game.pack.many in codes else len(codes)


# -- checks -----------------------------------------------------------------------------------------------------------


def cards_are_changed_in_turn(act: Discard | Draw | Pass, state: State[Any]) -> CheckResult | None:
    """One seat after the other changes cards, and draws before the next one discards."""
    exchange: Exchange = state.hand.exchange
    if gone_by(state):
        return unknown(GONE_BY)
    if isinstance(act, Draw) and is_late(act, state):
        return broken(f"{act.by} must draw before another player acts")
    if state.phase not in PHASES:
        return broken("the exchange is over") if state.phase == "play" else None
    if act.by in state.turn:
        return None
    if act.by == exchange.passed_over and not isinstance(act, Pass):
        return broken(f"{act.by} changes cards before {state.turn[0]} does")
    return unknown(f"whether {' and '.join(state.turn)} had changed cards: {GONE}")


def as_many_are_drawn(draw: Draw, state: State[Any]) -> CheckResult | None:
    """As many cards are drawn as were discarded."""
    exchange: Exchange = state.hand.exchange
    if gone_by(state):
        return unknown(GONE_BY)
    if state.phase not in PHASES or draw.by not in state.turn:
        return None
    if state.phase == "exchanging":
        return unknown(f"whether {draw.by} had discarded as many: {GONE}")
    many = how_many(draw.cards)
    if many is None or exchange.thrown is None:
        return unknown("how many cards were discarded and drawn: not counted")
    if exchange.drawn + many > exchange.thrown:
        return broken(f"{exchange.drawn + many} cards are drawn, and {exchange.thrown} were discarded")
    return None


def drawn_from_the_stock(draw: Draw, state: State[Any]) -> CheckResult | None:
    """Cards are drawn from the stock alone."""
    return broken("cards are drawn only from the stock") if draw.src not in ("", "stock") else None


def no_more_than_the_stock_has(discard: Discard, state: State[Any]) -> CheckResult | None:
    """No player discards more cards than the stock has left."""
    exchange: Exchange = state.hand.exchange
    if gone_by(state):
        return unknown(GONE_BY)
    if state.phase not in PHASES or discard.by not in state.turn:
        return None
    many, left = how_many(discard.cards), stock_count(state)
    if many is None or left is None or exchange.thrown is None:
        return unknown("how many cards were changed: not counted")
    if exchange.thrown + many > left:
        return broken(
            f"the stock has {left or 'no'} card{'s' * (left != 1)} left, and {exchange.thrown + many} are discarded"
        )
    return None


# -- applying acts ----------------------------------------------------------------------------------------------------


def discards_down(discard: Discard, state: State[Any]) -> None:
    """Discard cards face down; a second line continues the first, if nothing was drawn in between."""
    exchange, held = state.hand.exchange, state.holding(discard.by)
    codes = state.table.codes(discard.cards, held)
    state.table.move(codes, held, state.table.row(f"discard:{discard.by}"))
    if state.phase not in PHASES:
        return
    exchange.acts += 1
    many = count_of(codes, state)
    if exchange.seat != discard.by or not (exchange.thrown is None or exchange.thrown):
        exchange.seat = discard.by
        exchange.over()
        exchange.times[discard.by] = exchange.times.get(discard.by, 0) + 1
    exchange.thrown = None if many is None or exchange.thrown is None else exchange.thrown + many
    state.phase, state.turn = "drawing", (discard.by,)


def draws_for_them(draw: Draw, state: State[Any]) -> bool:
    """Draw cards. Return True if they complete the exchange; False if they belong to one inferred as done."""
    exchange, table = state.hand.exchange, state.table
    stock, held, exchange.written = table.row("stock"), state.holding(draw.by), True
    codes = table.codes(draw.cards, stock)
    if is_late(draw, state):
        # They are in the hand already; now they are seen.
        late, many = exchange.late.pop(draw.by), count_of(codes, state)
        table.reveal(codes, held)
        if many is not None and many < late:
            exchange.late[draw.by] = late - many
        return False
    codes = for_earlier_ones(codes, draw.by, state)
    stock.vague = stock.vague or gone_by(state)
    if lie_on_top(codes, stock, table):
        table.move(stock.codes()[: -len(codes) - 1 : -1], stock, held)
    else:
        in_their_order(codes, stock, state)
        take_as_it_lies(codes, stock, held, table)
    if state.phase != "drawing" or draw.by != exchange.seat:
        return False
    exchange.acts += 1
    exchange.drawn += count_of(codes, state) or 1
    done = exchange.thrown is None or exchange.drawn >= exchange.thrown
    if done:
        exchange.over()
    return done


def for_earlier_ones(codes: list[int], seat: str, state: State[Any]) -> list[int]:
    """Assign cards beyond those due to an earlier, unrecorded draw of the seat; return the rest."""
    exchange: Exchange = state.hand.exchange
    if not exchange.late.get(seat) or exchange.due is None or len(codes) <= exchange.due:
        return codes
    many = min(exchange.late[seat], len(codes) - exchange.due)
    state.table.reveal(codes[:many], state.holding(seat))
    exchange.late[seat] -= many
    return codes[many:]


def lie_on_top(codes: list[int], stock: Pile, table: Table) -> bool:
    """True if these cards may be the ones on top of the stock, in any order, by what was seen of them there. If they
    were written in order, the first of them on top, and identify unseen ones, these are known from now on."""
    pack, row, n = table.pack, stock.row or [], len(codes)
    top = row[: -n - 1 : -1]
    if stock.vague or pack.many in codes or not 0 < n == len(top):
        return False
    if codes == top:
        return True
    if min(top) >= pack.unknown:
        return False
    seen = Counter(code for code in codes if code < pack.unknown)
    if not seen - Counter(top):
        rest, others = Counter(codes) - seen, Counter(top) - seen
        return each_has_one(
            [pack.may_be[code] for code in rest.elements()], [pack.may_be[code] for code in others.elements()],
        )
    for code, lies in zip(codes, top, strict=True):
        elsewhere = code < pack.unknown <= lies and table.located & pack.field[code]
        if elsewhere or not pack.may_be_same(code, lies):
            return False
    table.tell_order([pack.unknown] * (len(row) - n) + codes[::-1], stock)
    return True


def in_their_order(codes: list[int], stock: Pile, state: State[Any]) -> None:
    """Note a trouble for a card that is known to be below the top of the stock, as it cannot be drawn."""
    pack, row = state.game.pack, stock.row or []
    for code in codes if not stock.vague else ():
        if code < pack.unknown and code in row[: len(row) - len(codes)]:
            text = f"{pretty(pack.faces[code])} is not on top of the stock"
            state.table.trouble.append(Trouble(NOT_ON_TOP, text, pack.faces[code], stock.name))


def infer_exchange_draws(state: State[Any]) -> None:
    """Infer the missing draws of the seat that discarded last."""
    exchange, table = state.hand.exchange, state.table
    seat, due = exchange.seat, exchange.due
    if exchange.written:
        some = "cards" if due is None else f"{due} card{'s' * (due != 1)}"
        state.infer(f"{seat} drew {some} before this (not recorded)")
    unseen = [state.game.pack.many] if due is None else [state.game.pack.unknown] * due
    table.move(unseen, table.row("stock"), state.holding(seat))
    exchange.late[seat] = exchange.late.get(seat, 0) + (due or 1)
    exchange.over()


def discarded_unwritten(draw: Draw, state: State[Any]) -> None:
    """Infer the discard of a seat that draws."""
    many = how_many(draw.cards)
    state.infer(f"{draw.by} discarded before this; the cards were not recorded")
    discards_down(
        Discard(by=draw.by, cards=("*x??",) if many is None else (f"{many}x??",) if many > 1 else ("??",)), state,
    )


def keeps_all(act: Pass, state: State[Any]) -> None:
    """A seat changes no card."""
    state.hand.exchange.acts += 1
    state.hand.exchange.passed_over = ""


def mark_exchange_unknown(seat: str, state: State[Any]) -> None:
    """Infer that a seat kept all its cards, or that its change is unrecorded: its cards and the stock are unknown."""
    state.infer(f"{seat} changed no cards before this, or the change was not recorded")
    state.hand.exchange.passed_over = seat
    state.table.lose_sight(state.holding(seat))
    state.table.lose_sight(state.table.row("stock"))


# -- acts to try ------------------------------------------------------------------------------------------------------


class Discarding(Struct, frozen=True):
    """Acts to try: each set of cards of the hand, up to `most` of them, and one more."""

    most: int

    def __call__(self, seat: str, state: State[Any]) -> Iterator[Event]:
        """Yield the discards of a seat."""
        cards = state.game.pack.cards(state.holding(seat).certain)
        for many in range(1, min(self.most + 1, len(cards)) + 1):
            yield from (Discard(by=seat, cards=some, face="down") for some in combinations(cards, many))


def discarding(most: int) -> Discarding:
    """At most `most` cards may be discarded."""
    return Discarding(most)


def default_exchange_draw(state: State[Any]) -> Event | None:
    """The act of a lone `.`: as many unseen cards as were discarded."""
    due = state.hand.exchange.due
    if not state.turn:
        return None
    return Draw(by=state.turn[0], cards=("*x??",) if due is None else (f"{due}x??",) if due > 1 else ("??",))


def draws_as_many(seat: str, state: State[Any]) -> Iterator[Event]:
    """Yield a draw of the cards that are to be drawn, and of one more."""
    row, tokens = state.table.row("stock").codes(), state.game.pack.tokens
    due = state.hand.exchange.due or 0
    for many in (due, due + 1):
        if 0 < many <= len(row):
            yield Draw(by=seat, cards=squeeze(tokens[code] for code in row[: -many - 1 : -1]))


def meant_to_be_changed(event: Event, state: State[Any]) -> Event:
    """Read bare cards as discards, face down, or as draws, by the phase. While a seat is to draw, a card of another
    seat is a lead, as the cards drawn are not announced."""
    if isinstance(event, Discard) and event.face is None and state.phase in PHASES:
        return replace(event, face="down")
    if not isinstance(event, Play) or event.src or state.phase not in PHASES:
        return event
    if state.phase == "drawing":
        if event.by not in state.turn and state.turn:
            return event
        return Draw(by=event.by, cards=event.cards)
    return Discard(by=event.by, cards=event.cards, face="down")
