"""Building a hand: a first half of tricks by rank alone; the cards won are the hand of a second half.

Any card may be played, also blind from the top of the stock; the highest rank takes the trick. The stock is drawn out,
and its last card makes trumps. Mattis and Myllymatti differ in who plays to a trick and in the effect of a tie, which
their `Building` defines. A page spreads `BUILDING_HANDS` into its `on`. It derives its record of a hand from
`TwoHalves`, and defines there as `beating` what beats what (`shedding` has the second half), and as `building` how its
first half is played. Its phases are called `building`, `drawing`, `leading`, `shedding`.

If a card was not seen, several players may have taken the trick: then its cards belong to no player. Many tables do not
record draws, which follow from the cards played; inferred draws prove nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.cards import SUIT_NAMES, SUITS, how_many
from events.model import Call, Deal, Draw, Event, Fault, Gap, Move, Name, Play, Show
from events.name_lists import one_of
from reducers.evolve import ensure_hand_started, finish_hand, on_move, on_show, pile_named, steps_while
from reducers.gaps import in_play, lose_track
from reducers.model import Evolve, HandRecord, Phase, State
from reducers.rules import CheckResult, broken, unknown
from reducers.terms import Terms
from reducers.words import shedding
from reducers.words.beating import LaidPlay
from reducers.words.deals import unseen_draw
from reducers.words.shedding import (
    each_pick_up,
    each_play,
    forced_pick_up,
    has_cards,
    has_none_left,
    lay_play,
    next_to_act,
    pick_up,
    said_to_be_out,
    taken_up,
    turn_to,
    why_order_unknown,
)
from reducers.words.trial_acts import try_each_card
from reducers.words.tricks import Trick, leaders_after

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


def may_have_drawn(state: State[Any]) -> None:
    """Mark hands as uncounted if the play goes on though they lack cards that an uncounted stock may have had."""
    if state.hand.made or not state.acts or not state.table.row("stock").vague:
        return
    for seat in state.hand.building.draws(state) if state.hand.leaders else ():
        if missing_cards(seat, state):
            state.holding(seat).vague = True


def half_is_over(state: State[Any]) -> CheckResult | None:
    """An open answer if the second half may have begun without a record of the end of the first one; else None."""
    hand, left = state.hand, stock_cards_left(state)
    whole = hand.building.each * len(state.terms.seats)
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


WORDS_OF_HALVES = {
    "blind": "typed for a card played from the top of the stock (blind 7s)",
    "out": "said (call out) by the player who has played the last card; needed only if cards were not counted",
    "suit": "fault: the table objected that a suit was not followed in the first half",
}


# -- checks -----------------------------------------------------------------------------------------------------------


def building_card_in_turn(play: Play, state: State[Any]) -> CheckResult | None:
    """The right player leads, and players follow in turn."""
    hand = state.hand
    count = how_many(play.cards)
    if count is None:
        return unknown("the cards were not counted")
    if count != 1:
        return half_is_over(state) or broken("one card is played at a time in the first half")
    if dark := order_in_doubt(state):
        return dark
    due = hand.waiting or hand.leaders
    if play.by == due[0] or (not hand.waiting and play.by in due):
        return None
    if state.holding(due[0]).vague and (over := half_is_over(state)):
        return over  # the player in turn may have had no card left
    if hand.waiting:
        return broken(f"it is the turn of {due[0]}")
    if state.phase == "drawing" and runs_out(state):
        # The first half may end with the last card of the stock, and then the player who drew it leads.
        return unknown("who drew the last card of the stock was not recorded")
    won = hand.won and hand.leaders[0] in hand.won[-1].winners
    return broken(f"{hand.leaders[0]} {'took the trick' if won else 'sits left of the dealer'} and leads")


def any_card_may_be_played(fault: Fault, state: State[Any]) -> CheckResult | None:
    """A fault that was called because a player did not follow suit is wrong."""
    return broken("in the first half any card may be played") if fault.word == "suit" else None


def blind_from_the_stock(play: Play, state: State[Any]) -> CheckResult | None:
    """The top card of the stock is played only while one is to spare, and a card that was turned up is played."""
    hand, pack = state.hand, state.game.pack
    if play.src != "stock":
        if hand.turned and hand.turned[0] == play.by and first_half(state):
            return broken(f"{play.by} turned up {pack.shown(hand.turned[1])} and must play it")
        return None
    if not first_half(state):
        return why_order_unknown(state) or broken("the stock is gone")
    left, top, code = stock_cards_left(state), on_stock_top(state), state.code(play.cards)
    to_the_last = hand.building.blind_to_the_last(state)
    if hand.gap:
        return why_order_unknown(state)
    if nobody_counted_the_stock(state):
        return unknown("the stock was not counted")
    if state.phase == "drawing":
        if runs_out(state, spare=not to_the_last):
            return order_in_doubt(state) or unknown("the number of cards drawn before this was not recorded")
        top = pack.unknown
    if left == 0:
        return why_uncounted(state) or broken("the stock is gone")
    if left == 1 and not to_the_last:
        drawn = "the last card of the stock is drawn and makes trumps; it is not played blind"
        return why_uncounted(state) or broken(drawn)
    if top < pack.unknown and code < pack.unknown and top != code:
        return broken(f"{pack.shown(top)} was on top of the stock")
    if top != code and any(c < pack.unknown for c in state.table.row("stock").row or ()):
        # the draws before this, and so the seen cards left in the stock, may be uncertain
        return why_order_unknown(state)
    return None


def the_highest_gathers(move: Move, state: State[Any]) -> CheckResult | None:
    """The table says who took the trick, once it is full."""
    hand = state.hand
    if not of_a_trick(move, state):
        return None
    if hand.waiting:
        waits = hand.waiting[0]
        dark = order_in_doubt(state) or (half_is_over(state) if state.holding(waits).vague else None)
        return dark or broken(f"the trick is not full: {waits} must still play")
    if not hand.won or hand.lying or hand.drawn:
        return None
    last, who = hand.won[-1], move.to[4:]
    if len(last.winners) > 1 or last.inferred:
        return unknown("a card of the trick was not seen")
    if who != last.winner and not last.gathered:
        card = next(c for s, c in reversed(last.plays) if s == last.winner)
        return broken(f"{last.winner} took the trick with the {state.game.pack.shown(card)}")
    return None


def of_a_trick(move: Move, state: State[Any]) -> bool:
    """True if a player takes up a trick of the first half, which may be over with it."""
    if (
        move.src != "trick" or not move.to.startswith("won:") or move.to[4:] not in state.terms.seats
        or not state.number
    ):
        return False
    hand = state.hand
    return first_half(state) or (
        move.cards == ("*",) and not hand.opened and bool(hand.won) and hand.halfway == hand.won[-1].at
    )


def says_who_took(move: Move, state: State[Any]) -> bool:
    """True if this move says who took the trick just played."""
    hand = state.hand
    return of_a_trick(move, state) and first_half(state) and bool(hand.won) and not hand.lying and not hand.drawn


# -- a trick ----------------------------------------------------------------------------------------------------------


def shows_the_second_half(play: Play, state: State[Any]) -> None:
    """Begin the second half if a play shows it: a card that was won before, several cards, or a player without a card
    left, if the leader's cards are uncounted."""
    if not first_half(state) or not half_is_over(state):
        return
    hand = state.hand
    leaders = [has_cards(s, state) for s in hand.leaders] if not hand.waiting else []
    has_none = not has_cards(play.by, state)
    none_to_lead = any(leaders) and not all(leaders) and (play.by not in hand.leaders or has_none)
    # The player who was due may have had no card either, if the cards are uncounted.
    went_on = has_none and play.src != "stock" and any(state.holding(s).vague for s in hand.waiting[:1] or hand.leaders)
    if none_to_lead or went_on or (how_many(play.cards) or 0) > 1 or was_won(play, state):
        second_begins(state)


def play_a_card(play: Play, state: State[Any]) -> None:
    """Play a card; unrecorded draws and cards of players passed over come first."""
    hand, seat = state.hand, play.by
    if state.phase == "drawing":
        if hand.may_tie and hand.building.draws_on_a_tie and not draws_on_a_tie(state) and not any(hand.drawn.values()):
            # By the house rules no player draws after a tie: the draws were left out, or there were none.
            lose_count_of_draws(state)
        add_unwritten_draws(state)
    if hand.waiting and seat not in hand.waiting and any(s == seat for s, _ in hand.round):
        fill_up(state)
    if first_half(state):
        play_in_first_half(play, state)
    else:
        lay_play(play, state)


def play_in_first_half(play: Play, state: State[Any]) -> None:
    """Play a card of the first half, from the hand or turned up from the stock."""
    hand, table, seat = state.hand, state.table, play.by
    if not hand.waiting:
        may_have_drawn(state)
        lead(seat, state)
    src, trick = pile_named(state, play.src or seat), table.row("trick")
    codes = table.codes(play.cards, src)
    table.move(codes, src, trick)
    lying = (trick.row or [])[-len(codes) :]
    hand.turned = None
    if play.src == "stock" and src.empty and lying:
        note_last_card(seat, lying[-1], state)
    hand.lying += [LaidPlay(seat, (code,)) for code in lying]
    hand.round.append((seat, lying[0] if lying else state.game.pack.unknown))
    if seat in hand.waiting:
        hand.waiting.remove(seat)
    next_in_round(state)


def lead(seat: str, state: State[Any]) -> None:
    """Begin a trick. The leader shows who took the last one, if a card was not seen and it cannot have been a tie."""
    hand = state.hand
    tied = hand.building.draws_on_a_tie and seat in hand.may_tie
    if len(hand.leaders) > 1 and seat in hand.leaders and not tied and hand.won and len(hand.won[-1].winners) > 1:
        hand.won[-1] = replace(hand.won[-1], winners=(seat,), inferred=True)
        give_trick("won", f"won:{seat}", state)
        state.infer(f"{seat} took trick {len(hand.won)}, as {seat} leads; a card of it was not seen")
    hand.waiting, hand.round, hand.tied = list(hand.building.plays_to(seat, state.terms)), [], False
    hand.leaders = (seat,)


def next_in_round(state: State[Any]) -> None:
    """Give the turn to the next player; after a full round the page decides what comes."""
    hand = state.hand
    state.phase = "building"
    while hand.waiting and not has_cards(hand.waiting[0], state) and not may_play_blind(state):
        if hand.building.short(state):
            return
        hand.waiting.pop(0)
    if hand.waiting:
        state.turn = (hand.waiting[0],)
    else:
        hand.building.full(state)


def may_play_blind(state: State[Any]) -> bool:
    """True if the stock may have a card left to be played blind."""
    spare = not state.hand.building.blind_to_the_last(state)
    return stock_cards_left(state) > spare or state.table.row("stock").vague


def highest(state: State[Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The seats with the highest rank of the round, and those with an unseen card that may be as high."""
    hand, pack, free = state.hand, state.game.pack, state.table.free()
    cards, value, strength = hand.round, hand.beating.value, hand.beating.strength
    best = max(value.get(pack.rank_of[c], 0) for _, c in cards)
    ahead = tuple(dict.fromkeys(s for s, c in cards if best and value.get(pack.rank_of[c], 0) == best))
    unseen = [(s, pack.may_be[c] & free) for s, c in cards if pack.rank_of[c] == "?"]
    perhaps = tuple(s for s, bag in unseen if any(strength[c] >= best for c in pack.codes(bag)))
    return ahead or tuple(s for s, _ in cards), perhaps


def may_tie(state: State[Any]) -> tuple[str, ...]:
    """The seats that may be first to play again, because the highest rank of the round may have been played twice."""
    hand, pack, free = state.hand, state.game.pack, state.table.free()
    cards, value = hand.round, hand.beating.value
    best = max(value.get(pack.rank_of[c], 0) for _, c in cards)
    first = set[str]()
    for rank in range(max(best, 1), len(value) + 1):
        mask = pack.rank[hand.beating.order[rank - 1]]
        had = [s for s, c in cards if value.get(pack.rank_of[c]) == rank]
        may = [s for s, c in cards if s in had or (pack.rank_of[c] == "?" and pack.may_be[c] & free & mask)]
        # The first of two seats that may tie, unless a seat that certainly ties comes before it.
        first.update(s for i, s in enumerate(may) if len(may) > i + 1 and not any(s in had for s in may[:i]))
    return tuple(first)


def take_trick(winners: tuple[str, ...], state: State[Any]) -> None:
    """Give all cards on the table to the winner of the trick; if unknown, to no player."""
    hand = state.hand
    hand.won.append(Trick(state.at, tuple((s, c) for s, codes in hand.lying for c in codes), winners))
    give_trick("trick", f"won:{winners[0]}" if len(winners) == 1 else "won", state)
    hand.lying, hand.leaders, hand.drawn = [], winners, {}
    between_tricks(state)


def give_trick(src: str, dst: str, state: State[Any]) -> None:
    """Move the cards of the last trick from one row to another."""
    here, there = state.table.row(src).row, state.table.row(dst).row
    assert here is not None
    assert there is not None
    count = len(state.hand.won[-1].plays)
    there += here[-count:]
    del here[-count:]


def give_back(state: State[Any]) -> None:
    """Return every card on the table to the hand it came from."""
    hand, trick = state.hand, state.table.row("trick")
    for player, codes in reversed(hand.lying):
        for code in reversed(codes):
            state.table.move_one(code, trick, state.holding(player))
    hand.lying, hand.waiting, hand.round, hand.tied = [], [], [], False


def fill_up(state: State[Any]) -> None:
    """Infer unseen cards for the players passed over, as a player plays again before the trick is full."""
    hand, trick, unseen = state.hand, state.table.row("trick"), state.game.pack.unknown
    missing = list(hand.waiting)
    for player in missing:
        state.table.move_one(unseen, state.holding(player), trick)
        hand.lying.append(LaidPlay(player, (unseen,)))
        hand.round.append((player, unseen))
    hand.waiting = []
    state.infer(f"trick {len(hand.won) + 1} was full before this: the card of {' and '.join(missing)} was not recorded")
    next_in_round(state)
    if state.phase == "drawing":
        add_unwritten_draws(state)


# -- other acts -------------------------------------------------------------------------------------------------------


def on_gathering(move: Move, state: State[Any]) -> None:
    """Apply a move: the player who gathers the last trick has its cards, and leads; any other is ordinary."""
    hand = state.hand
    if not says_who_took(move, state):
        on_move(move, state)
        return
    last, who = hand.won[-1], move.to[4:]
    before = last.gathered or last.winner
    give_trick(f"won:{before}" if before else "won", move.to, state)
    hand.won[-1] = replace(last, gathered=who)
    hand.leaders = leaders_after(hand.won[-1], state)
    hand.may_tie = ()
    if not before:
        # The owner of the cards is known now, whatever the unseen card was.
        hand.doubt = ""
    between_tricks(state)


def on_draw(draw: Draw, state: State[Any]) -> None:
    """Draw cards from the stock, the last of them open; in the second half, pick cards up."""
    ensure_first_half_dealt(state)
    if draw.src == "trick" and first_half(state) and half_is_over(state):
        second_begins(state)
    if draw.src == "trick" and not first_half(state):
        pick_up(draw, state)
        return
    hand, table = state.hand, state.table
    if not hand.waiting and not draws_on_a_tie(state):
        hand.may_tie = ()
    if draws_the_last(draw, state):
        add_unwritten_draws(state, leave=1)
    src = pile_named(state, draw.src or "stock")
    for code in table.codes(draw.cards, src):
        # After a gap the number of cards left is unknown; a card that is shown then is the last one.
        last = src.name == "stock" and ((len(src) == 1 and not src.vague) or (src.vague and draw.face == "up"))
        draw_one(draw.by, code, state, src=src.name, last=last, shown_to_all=draw.face != "down")
        if last and src.vague:
            src.row, src.vague = [], False
    if first_half(state) and not hand.waiting:
        between_tricks(state)


def on_show_of_cards(show: Show, state: State[Any]) -> None:
    """Turn up the top of the stock, to be played; the last card shown late makes trumps."""
    if show.src == "stock" and state.number:
        ensure_first_half_dealt(state)
        row, unseen = state.table.row("stock").row, state.game.pack.unknown
        code = state.code(show.groups[0])
        if row and code < unseen and row[-1] >= unseen:
            state.table.tell_order([*row[:-1], code], state.table.row("stock"))
        state.hand.turned = (show.by, code)
        return
    on_show(show, state)
    hand = state.hand
    if state.number and first_half(state) and show.src == f"won:{hand.maker}" and not hand.trump:
        note_last_card(hand.maker, state.code(show.groups[0]), state)
        hand.guessed = False


def on_name(name: Name, state: State[Any]) -> None:
    """After a gap: set trumps and their maker, and begin the second half; its order of play is unknown."""
    ensure_first_half_dealt(state)
    hand = state.hand
    if name.what in SUITS and hand.gap and first_half(state):
        hand.maker, hand.trump = name.by, name.what
        half_time(state)


def on_call(call: Call, state: State[Any]) -> None:
    """Apply a player's statement to be out, after a gap."""
    ensure_first_half_dealt(state)
    if call.word == "out" and second_half(state):
        said_to_be_out(call.by, state)


def lose_count_of_building(state: State[Any]) -> None:
    """Mark holdings, cards on the table and the turn as unknown."""
    if second_half(state):
        shedding.lose_count(state)
        return
    lose_track(state, "building", gap=True, may_tie=(), lying=[], waiting=[], round=[], leaders=())


def lose_count_of_draws(state: State[Any]) -> None:
    """Mark the number of cards in the stock and in hands that lack some as unknown, as draws may be missing."""
    for pile in [state.table.row("stock"), *[state.holding(s) for s in state.terms.seats if missing_cards(s, state)]]:
        pile.vague = True


def second_begins(state: State[Any]) -> None:
    """Begin the second half for an act that belongs to it; how the first one ended is unrecorded."""
    lose_count_of_building(state)
    half_time(state)
    lose_count_of_building(state)
    state.infer("the second half has begun; the end of the first was not recorded")


# -- the second half


def out_in_the_second_half(call: Call, state: State[Any]) -> CheckResult | None:
    """Nobody is out in the first half, or with cards left."""
    if call.word != "out":
        return None
    return broken("no player goes out in the first half") if first_half(state) else has_none_left(call, state)


def the_maker_leads(state: State[Any]) -> CheckResult:
    """The verdict on another player's first lead of the second half."""
    maker = state.hand.maker
    none_left = "" if state.turn == (maker,) else f" has no card left, so {state.turn[0]}"
    return broken(f"{maker} drew the last card of the stock and{none_left} leads")


# -- possible acts, and how they are typed and shown ------------------------------------------------------------------


def try_from_stock(seat: str, state: State[Any]) -> Iterator[Event]:
    """Yield the top of the stock, played blind, and drawn."""
    top = (state.game.pack.tokens[on_stock_top(state)],)
    if stock_cards_left(state):
        yield Play(by=seat, cards=top, src="stock")
        yield Draw(by=seat, cards=top)


def try_next_draw(seat: str, state: State[Any]) -> Iterator[Event]:
    """Yield the draw of the next card of the stock; the last one is shown, or kept against the rule."""
    last, top = stock_cards_left(state) == 1, (state.game.pack.tokens[on_stock_top(state)],)
    yield Draw(by=seat, cards=top, face="up" if last else None)
    if last:
        yield Draw(by=seat, cards=top, face="down")


def meant_by(state: State[Any], event: Event) -> tuple[Event, ...]:
    """`blind 4d` is a card from the stock; in the second half a draw is the pick-up; the last card is drawn open."""
    pack = state.game.pack
    if isinstance(event, Call) and event.word == "blind":
        # `kc` may also be read as a word.
        card = event.what.capitalize()
        return (Play(by=event.by, cards=event.cards or (card if card in pack.code else "??",), src="stock"),)
    if isinstance(event, Call) and event.word not in state.game.words:
        return ()
    if not isinstance(event, Draw):
        return (event,)
    if event.src in ("", "trick") and second_half(state):
        unseen = all("?" in card for card in event.cards) and bool(state.hand.lying)
        return (taken_up(event.by, state) if unseen else replace(event, src="trick"),)
    seen = state.code(event.cards) != pack.unknown
    if seen and not event.src and event.face is None and state.phase == "drawing":
        up = replace(event, face="up")
        return (up,) if stock_cards_left(state) == 1 or draws_the_last(up, state) else (event,)
    return (event,)


def leads_or_has_drawn(state: State[Any], kind: type[Event]) -> tuple[str, ...]:
    """The possible actors: draws may be left out, so a card typed alone after a trick is the winner's lead."""
    return state.hand.leaders if kind is Play and state.phase == "drawing" else state.turn


def suit_on_top(state: State[Any]) -> str:
    """The suit on top, which a rank typed alone completes; "" in the first half, which has no suits."""
    hand = state.hand
    return state.game.pack.suit_of[hand.lying[-1].codes[-1]] if second_half(state) and hand.lying else ""


def standing_of_the_halves(state: State[Any]) -> dict[str, Any]:
    """The headline: the stock, trumps and their maker, and the players who are out."""
    hand = state.hand
    facts: dict[str, Any] = {"stock": stock_cards_left(state)} if first_half(state) else {}
    if hand.maker:
        facts |= {"trump": hand.trump or "?", "trump maker": hand.maker}
    if hand.out:
        facts["out"] = " ".join(hand.out)
    return facts


def just_happened(state: State[Any], at_half_time: str = "") -> str:
    """The latest outcome: trick, tie, end of the stock, half-time with the page's addition, a player going out."""
    hand = state.hand
    if state.settled:
        return ""
    parts = []
    if hand.won and hand.won[-1].at == state.at:
        parts.append(f"trick {len(hand.won)} to {one_of(hand.won[-1].winners)}")
    if hand.tied and not hand.round and hand.waiting:
        parts.append(f"tie: {' and '.join(hand.waiting)} play again")
    if state.phase == "drawing" and runs_out(state):
        parts.append(f"{stock_cards_left(state)} left in the stock: {last_drawer(state)} draws the last one")
    if hand.made == state.at and hand.trump and first_half(state):
        parts.append(f"{SUIT_NAMES[hand.trump]} are trumps")
    if second_half(state) and not hand.opened:
        suit = f"{SUIT_NAMES[hand.trump]} are trumps" if hand.trump else "the trump suit was not seen"
        parts.append(f"the second half: {suit}{at_half_time}")
    elif hand.gone == state.at and hand.out:
        parts.append(f"{hand.out[-1]} is out")
    if hand.opened and hand.cleared == state.at and len(state.turn) == 1:
        parts.append(f"{state.turn[0]} leads")
    return ", ".join(parts)


BUILDING_HANDS: dict[type[Event], Evolve] = {
    Draw: on_draw, Move: on_gathering, Show: on_show_of_cards, Name: on_name, Call: on_call,
    Gap: in_play(lose_count_of_building),
}  # fmt: skip


def phases_of_halves(*, first: str, last_card: str, led: str, beaten: str, to_do: str) -> dict[str, Phase]:
    """The phases of a hand. `first` says what may be typed in the first half, `led` what is led in the second, `beaten`
    what else may answer it (`to_do`); `last_card` is an example of the last card of the stock."""
    second, tries = (Play, Draw, Call), (each_play, each_pick_up)
    return {
        "building": Phase(
            "the first half", (Play, Draw, Name, Call), first, to_do="play", one_card=True, bare=(),
            verb_required=(Draw,), tries=(try_each_card, try_from_stock), ignores_holdings=True,
        ),
        "drawing": Phase(
            "drawing", (Draw, Play, Name, Call),
            f"the next lead, as draws may be left out; the last card of the stock (C draw up {last_card})",
            default_act=unseen_draw, to_do="draw, or lead", one_card=True, bare=(), verb_required=(Draw,),
            tries=(try_next_draw,), ignores_holdings=True,
        ),
        "leading": Phase("the second half", second, led, to_do="lead", verb_required=(Draw,), tries=tries),
        "shedding": Phase(
            "the second half", second, f"{led}, or {beaten} (. alone)", default_act=forced_pick_up, to_do=to_do,
            verb_required=(Draw,), tries=tries,
        ),
    }
