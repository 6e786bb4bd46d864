"""Half-time: a stock is drawn out, its last card makes trumps, and the cards won in a first half are the second hand.

Mattis and Myllymatti use it with `building`, which has the tricks of the first half; `shedding` has the second half.
A page derives its record of a hand from `TwoHalves`, and defines there as `beating` what beats what, and as
`building` how its first half is played. Its phases are called `building`, `drawing`, `leading`, `shedding`.

Many tables do not record draws, which follow from the cards played. Inferred draws prove nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct

from events.cards import SUIT_NAMES, SUITS, how_many
from events.model import Deal, Draw, Name, Play
from reducers.evolve import ensure_hand_started, finish_hand, steps_while
from reducers.model import HandRecord, State
from reducers.rules import CheckResult, broken, unknown
from reducers.terms import Terms
from reducers.words.beating import LaidPlay
from reducers.words.shedding import has_cards, next_to_act, turn_to, why_order_unknown
from reducers.words.tricks import Trick

BUILDING = "building drawing"
"""The phases of the first half, for its checks; those of the second are `SHEDDING`."""


class Building(Struct, frozen=True):
    """The rules of the first half of a game."""

    each: int
    """The number of cards up to which a hand is filled."""
    plays_to: Callable[[str, Terms], Iterable[str]]
    """The seats that play to a trick with this leader, in order."""
    full: Callable[[State[Any]], None]
    """Called when all of them have played: gives the trick away, or applies a tie."""
    short: Callable[[State[Any]], bool]
    """Called if the next to play has no card: True if that has another effect than passing the seat over."""
    draws: Callable[[State[Any]], Sequence[str]]
    """The seats that may draw between two tricks, in order."""
    over: Callable[[State[Any]], bool]
    """True if the half is over, with no stock and between two tricks."""
    plays_on: Callable[[State[Any]], tuple[str, ...]]
    """The seats in the game when the second half begins."""
    draws_on_a_tie: bool = False
    """True if cards are drawn in the middle of a tie too."""
    blind_to_the_last: Callable[[State[Any]], bool] = lambda state: False
    """True if the last card of the stock may be played blind."""


class TwoHalves(HandRecord):
    """The record of a hand of two halves. `shedding` explains the fields of the second half.

    First half: `round` has the cards played since the trick or the tie began, `waiting` the seats still to play to it
    (`tied` in a tie), `leaders` the next leader (several if a card was not seen, none if unknown). `lying` has the
    plays on the table, oldest first, in both halves. `unwritten` means that draws were inferred, `uncounted` that
    some of them were unseen, `guessed` that the last card was; `may_tie` are the seats that may be first to play
    again, as the last trick may have been a tie. `made` is the position at which trumps were made, `halfway` that at
    which the second half began.
    """

    def __init__(self, first: str) -> None:
        self.lying: list[LaidPlay] = []
        self.round: list[tuple[str, int]] = []
        self.waiting: list[str] = []
        self.tied = False
        self.leaders: tuple[str, ...] = (first,)
        self.won: list[Trick] = []
        self.drawn: dict[str, int] = {}
        self.turned: tuple[str, int] | None = None
        self.maker = self.trump = ""
        self.live: list[str] = []
        self.out: list[str] = []
        self.size = 0
        self.gone = self.cleared = self.halfway = self.made = 0
        self.may_tie: tuple[str, ...] = ()
        self.opened = self.gap = self.unwritten = self.uncounted = self.guessed = False
        self.doubt = ""

    @property
    def last_left(self) -> str:
        """The only player left; "" while there are several."""
        return self.live[0] if len(self.live) == 1 else ""


# -- the deal and the stock -------------------------------------------------------------------------------------------


def first_to_lead(state: State[Any]) -> str:
    """Lay out an empty table; return the seat left of the dealer, which leads. The deal lays out the stock."""
    for player in state.terms.seats:
        state.table.bag(player)
    state.table.row("trick")
    first = state.terms.left(state.dealer)
    state.phase, state.turn = "building", (first,)
    return first


def ensure_first_half_dealt(state: State[Any]) -> None:
    """Deal a hand before any act of play: unrecorded cards are unseen, and the rest is the stock."""
    ensure_hand_started(state)
    if state.acts:
        return
    state.acts, table, pack = 1, state.table, state.game.pack
    for player in state.terms.seats:
        if not len(state.holding(player)):
            table.lay([pack.unknown] * state.hand.building.each, state.holding(player))
    stock, each = table.row("stock"), state.hand.building.each
    # A hand that was dealt uncounted is taken to be full.
    there = sum(max(len(pile), each) if pile.vague else len(pile) for pile in table.piles.values())
    stock.row = [pack.unknown] * (pack.size - there) + (stock.row or [])


def stock_cards_left(state: State[Any]) -> int:
    """The number of cards in the stock; before a recorded deal, of the cards that will not be dealt."""
    if not state.acts and "stock" not in state.table.piles:
        return state.game.pack.size - int(state.hand.building.each) * len(state.terms.seats)
    return len(state.table.row("stock").row or ())


def nobody_counted_the_stock(state: State[Any]) -> bool:
    """True if the stock was laid out uncounted, also before the first act of play."""
    return "stock" in state.table.piles and state.table.row("stock").vague


def on_stock_top(state: State[Any]) -> int:
    """The card on top of the stock, as far as it is known."""
    row = state.table.row("stock").row if "stock" in state.table.piles else None
    return row[-1] if row else state.game.pack.unknown


def first_half(state: State[Any]) -> bool:
    return state.phase in ("building", "drawing")


def second_half(state: State[Any]) -> bool:
    return state.phase in ("leading", "shedding")


def draws_on_a_tie(state: State[Any]) -> bool:
    """True if cards are drawn after a tie as after any other trick."""
    return bool(state.hand.building.draws_on_a_tie and state.terms.options.draw_after_bounce)


def order_in_doubt(state: State[Any]) -> CheckResult | None:
    """An open answer if the turn in the first half is unknown; None if it is known. The winner of a trick may be
    open: once a player has led after it the order is certain again, if a tie is followed by draws and a lead too."""
    hand = state.hand
    led_since = first_half(state) and len(hand.leaders) == 1 and draws_on_a_tie(state)
    if led_since and not hand.gap and not state.table.astray:
        return None
    return why_order_unknown(state)


def why_uncounted(state: State[Any]) -> CheckResult | None:
    """An open answer if the number of cards in the stock and the hands of the first half is unknown; else None."""
    if state.hand.uncounted:
        return order_in_doubt(state) or unknown("draws are missing from the record, so the cards were not counted")
    return order_in_doubt(state)


def hand_size_of_all(state: State[Any]) -> int:
    """The number of cards that all seats have together while they draw up to a full hand."""
    return int(state.hand.building.each) * len(state.terms.seats)


def may_have_drawn(state: State[Any]) -> None:
    """Mark hands as uncounted if the play goes on though they lack cards that an uncounted stock may have had."""
    if state.hand.made or not state.acts or not state.table.row("stock").vague:
        return
    for seat in state.hand.building.draws(state) if state.hand.leaders else ():
        if missing_cards(seat, state):
            state.holding(seat).vague = True


def half_is_over(state: State[Any]) -> CheckResult | None:
    """An open answer if the second half may have begun without a record of the end of the first one; else None."""
    hand, left, whole = state.hand, stock_cards_left(state), hand_size_of_all(state)
    spare = whole if hand.uncounted else 0
    if any(state.holding(seat).vague for seat in state.terms.seats):
        # Each card played from an uncounted hand may have been replaced.
        played = sum(len(trick.plays) for trick in hand.won) + len(hand.round)
        spare += max(0, played - (state.game.pack.size - whole - left))
    if left > spare and not hand.gap and not (state.acts and state.table.row("stock").vague):
        return None
    return why_uncounted(state) or unknown("the stock is gone, and the second half may have begun")


def was_won(play: Play, state: State[Any]) -> bool:
    """True if a card that was won, or lies in a trick that may be full, is played: that happens only in the second
    half."""
    pack, code = state.game.pack, state.code(play.cards)
    piles = state.table.piles.items() if code < pack.unknown else ()
    where = ("won", "trick") if state.hand.gap else ("won",)
    return any(pile.certain & pack.field[code] for name, pile in piles if name.startswith(where))


# -- draws ------------------------------------------------------------------------------------------------------------


def between_tricks(state: State[Any]) -> None:
    """After a trick: those who lack cards draw; without a stock the page decides if the half is over."""
    hand = state.hand
    seat = next_drawer(state)
    if seat:
        state.phase, state.turn = "drawing", (seat,) if len(hand.leaders) == 1 else hand.leaders
    elif not stock_cards_left(state) and hand.building.over(state):
        half_time(state)
    else:
        state.phase, state.turn = "building", hand.leaders or state.terms.seats


def missing_cards(seat: str, state: State[Any]) -> int:
    """The number of cards that a seat has to draw."""
    pile, each = state.holding(seat), state.hand.building.each
    return 0 if pile.vague or (has := len(pile)) >= each else each - has


def cards_to_draw(state: State[Any]) -> int:
    """The number of cards to be drawn now by all together."""
    return sum(missing_cards(s, state) for s in state.terms.seats)


def runs_out(state: State[Any], spare: int = 0) -> bool:
    """True if the stock has at most `spare` cards beyond those to be drawn now."""
    left = stock_cards_left(state) - spare
    return left <= state.hand.building.each * len(state.terms.seats) and left <= cards_to_draw(state)


def next_drawer(state: State[Any]) -> str:
    """The seat that draws the next card, "" if none does."""
    hand, stock = state.hand, state.table.row("stock")
    if not stock.row or stock.vague or not hand.leaders:
        return ""
    due = (s for s in hand.building.draws(state) if missing_cards(s, state))
    if state.terms.options.draw_order == "in_rounds":
        return min(due, key=lambda s: hand.drawn.get(s, 0), default="")
    return next(due, "")


def draws_the_last(draw: Draw, state: State[Any]) -> bool:
    """True if this is the last card of the stock, shown by the seat whose turn it is after unrecorded draws."""
    if draw.face != "up" or state.phase != "drawing" or how_many(draw.cards) != 1:
        return False
    left = stock_cards_left(state)
    if left == 1 or left > cards_to_draw(state):
        return False
    after = state.copy()
    add_unwritten_draws(after, leave=1)
    return next_drawer(after) == draw.by


def last_drawer(state: State[Any]) -> str:
    """The seat that draws the last card of the stock."""
    after = state.copy()
    if stock_cards_left(after) > 1:
        add_unwritten_draws(after, leave=1)
    return next_drawer(after)


def draw_one(
    seat: str, code: int, state: State[Any], *, src: str = "stock", last: bool, shown_to_all: bool = True
) -> None:
    """Draw one card; the last of the stock makes trumps, and goes to the cards won unless it was kept."""
    table, hand, unseen = state.table, state.hand, state.game.pack.unknown
    stock = table.row(src)
    if not last:
        table.move_one(code, stock, state.holding(seat))
    elif shown_to_all:
        won = table.row(f"won:{seat}")
        table.move_one(code, stock, won)
        note_last_card(seat, (won.row or [unseen])[-1], state)
    else:
        top = (stock.row or [unseen])[-1]
        table.move_one(code, stock, state.holding(seat))
        note_last_card(seat, top if top < unseen else code, state)
    hand.drawn[seat] = hand.drawn.get(seat, 0) + 1


def note_last_card(seat: str, code: int, state: State[Any]) -> None:
    """Note the last card of the stock: its suit, if seen, and the seat that drew it."""
    suit = state.game.pack.suit_of[code]
    state.hand.maker, state.hand.trump, state.hand.made = seat, suit if suit in SUITS else "", state.at


def add_unwritten_draws(state: State[Any], leave: int = 0) -> None:
    """Infer unrecorded draws as unseen cards, until `leave` cards are left in the stock."""
    hand, unseen = state.hand, state.game.pack.unknown
    for _ in steps_while(lambda: stock_cards_left(state) > leave):
        seat = next_drawer(state)
        if not seat:
            break
        last = stock_cards_left(state) == 1
        if on_stock_top(state) >= unseen:
            hand.uncounted, hand.guessed = True, last
        draw_one(seat, unseen, state, last=last)
        if last:
            state.infer(f"{seat} drew the last card of the stock; the card was not recorded")
        elif not hand.unwritten:
            state.infer("after each trick, unless a draw is recorded, players short of cards drew up to three")
            hand.unwritten = True
    if not leave:
        between_tricks(state)


# -- checks of draws --------------------------------------------------------------------------------------------------


def as_many_each(deal: Deal, state: State[Any]) -> CheckResult | None:
    """No player is dealt more than the others; when the stock is laid out, none has fewer."""
    if state.acts:
        return None
    dealt = {name.removeprefix("hand:"): how_many(cards) for name, cards in deal.piles}
    # Before the first hand there is no record of one.
    each = state.game.dealing.deal.each if state.game.dealing.deal is not None else 0
    for player in state.terms.seats:
        before = 0 if state.settled else len(state.holding(player))
        now = dealt.get(player, 0)
        if now is None:
            return unknown(f"the cards dealt to {player} were not counted")
        count = before + now
        nobody_counted = not state.settled and player in state.table.piles and state.holding(player).vague
        few = "stock" in dealt and 0 < count < each and not nobody_counted
        if (player in dealt and count > each) or few:
            return broken(f"each player gets {each} cards; {player} has {count}")
    return None


def draws_up(draw: Draw, state: State[Any]) -> CheckResult | None:
    """After a trick each hand is filled up, in order if the stock runs out, and at no other time."""
    hand, count = state.hand, how_many(draw.cards)
    if draw.src not in ("", "stock"):
        if not first_half(state):
            return None
        return half_is_over(state) or broken("in the first half cards are drawn from the stock")
    if not first_half(state):
        return why_order_unknown(state) or broken("the stock is gone")
    if dark := order_in_doubt(state):
        return dark
    if hand.waiting or not hand.building.draws(state):
        return broken("cards are drawn when the trick is taken")
    pile = state.holding(draw.by)
    if count is None or pile.vague:
        return unknown("the cards were not counted")
    if count > missing_cards(draw.by, state):
        has = f"{len(pile)} card{'s' * (len(pile) != 1)}"
        return why_uncounted(state) or broken(f"{draw.by} has {has}; the limit is three")
    if state.terms.options.draw_order == "free" or not runs_out(state):
        return None
    first = next_drawer(state)
    if first and draw.by != first and not draws_the_last(draw, state):
        return why_uncounted(state) or broken(f"{first} draws first, and the stock is running out")
    return None


def shows_the_last_card(draw: Draw, state: State[Any]) -> CheckResult | None:
    """The player who draws the last card of the stock does not keep it hidden."""
    count = how_many(draw.cards)
    if draw.src not in ("", "stock") or draw.face != "down" or count is None:
        return None
    if state.hand.gap:
        return why_order_unknown(state)
    if not 0 < stock_cards_left(state) <= count:
        return None
    if nobody_counted_the_stock(state):
        return unknown("the stock was not counted")
    return why_uncounted(state) or broken(f"{draw.by} drew the last card of the stock and did not show it")


def last_card_makes_trumps(name: Name, state: State[Any]) -> CheckResult | None:
    """A player names trumps correctly: the suit of the last card of the stock."""
    hand = state.hand
    if hand.gap:
        return None
    if hand.maker and not hand.trump:
        return unknown("the last card of the stock was not seen")
    if not hand.trump:
        return order_in_doubt(state) or broken("the last card of the stock makes trumps, and it has not been drawn")
    if name.what != hand.trump:
        return broken(f"the last card of the stock makes {SUIT_NAMES[hand.trump]} trumps")
    return None


# -- the second half --------------------------------------------------------------------------------------------------


def half_time(state: State[Any]) -> None:
    """Begin the second half: the cards won, and those left in hand, are the new hands."""
    hand, table, players = state.hand, state.table, state.terms.seats
    if hand.guessed:
        hand.doubt = hand.doubt or "who drew the last card of the stock was not recorded"
    open_tricks = [trick for trick in hand.won if len(trick.winners) > 1 and not trick.gathered]
    perhaps = {s for trick in open_tricks for s in trick.winners}
    if hand.may_tie and open_tricks[-1:] == hand.won[-1:]:
        # With no card left for a tie, each player takes back what it played.
        perhaps.update(s for trick in open_tricks[-1:] for s, _ in trick.plays)
    if perhaps:
        # A trick went to one of these, and it is unknown to which.
        for pile in (table.row("won"), *map(state.holding, sorted(perhaps))):
            table.lose_sight(pile)
    for player in players:
        won = table.row(f"won:{player}")
        for code in reversed(list(won.row or [])):
            table.move_one(code, won, state.holding(player))
    hand.live = list(hand.building.plays_on(state))
    hand.out, hand.lying, hand.waiting = [s for s in players if s not in hand.live], [], []
    hand.halfway, state.phase = state.at, "leading"
    if hand.last_left:
        finish_hand(state)
    else:
        turn_to(next_to_act(hand.maker, state, itself=True) if hand.maker else tuple(hand.live), state)


def seats_with_cards(state: State[Any]) -> tuple[str, ...]:
    """The seats that have cards, or may have."""
    return tuple(s for s in state.terms.seats if has_cards(s, state))
