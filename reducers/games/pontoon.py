"""Pontoon: everybody stakes against the bank, nearest to twenty-one wins, and whoever has an ace with a ten-card banks
next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from random import Random
from typing import Annotated, Any

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from events.cards import how_many, one_by_one
from events.model import Bet, Call, Deal, Draw, Event, Fault, Gap, Move, Pass, Pay, Play, Show, Shuffle
from events.model import Hand as HandEvent
from reducers import facts as fact
from reducers.evolve import pile_named
from reducers.page import (
    CONSEQUENCE, DUTY, RIGHT, Catalogue, CheckResult, Game, Dealing, MatchRules, Omissions, Shorthand, Display,
    Simulation, Law, Phase, Points, State, TallyFacts, bounded, broken, changing, figure, grows,
    hand_of, ensure_hand_started, of_each_but, on_move, on_show, apply_reported_facts, pack, pretty, read_by_the_page,
    rule, seat as a_seat, settle, signed, singles, summary_of, the_dealer, unasked, unknown, why_void, HandsInMatch,
    StartingChips,
)  # fmt: skip
from reducers.model import Unwritten
from reducers.seating import next_dealer
from reducers.silent_acts import put_in_unwritten
from reducers.table import Pile
from reducers.words.bank import (
    begins_with_chips, chips, close, covered, first_covered, first_without, in_dealing_order, headline,
    left_unpaid, limits, lose_the_hands, most_chips, nothing_is_played, on_hand, draws_one_card, one_each, pass_over,
    players_then_the_bank, pays, sit, staked, the_bank_plays, the_bank_stops_where_it_likes, the_limits_leave_room,
    the_right_banker, turned_up_next, under_the_pack, with_typed_cards, with_what_lies_open,
)  # fmt: skip
from reducers.words.bets import stakes_to_list, by_hand, seat_of, staked_on
from reducers.words.counted_hands import (
    BUST, CountedHand, Kinds, after_an_unsaid_stand, has_stood_unsaid, few_enough_hands, the_banker_stakes_nothing,
    writes_stands,
)  # fmt: skip
from reducers.words.tallies import is_cut_short, readable
from reducers.words.totals import Values, judge_total, common_answer, total_told, possible_totals
from reducers.words.unshuffled import (
    PackOrder, cannot_be_on_top, cannot_have_come, carry_stock_over, forget_order, mixed,
)  # fmt: skip

# Setup
SEATS = singles(*range(2, 11), how="each against the bank")
PACK = pack("A K Q J 10 9 8 7 6 5 4 3 2")
UNSEEN = PACK.unknown

# Hand ranking: an ace counts one here; ten more are added if the total stays within 21
ACES = PACK.rank["A"]
TENS = PACK.mask_of([c for c in PACK.faces if c[0] in "TJQK"])
VALUES = Values(PACK, {1: ACES, **{n: PACK.rank[str(n)] for n in range(2, 10)}, 10: TENS})
MOST = 21
FIVE_CARDS = 5
# The rank of a hand, lowest first: bust, its total, a five-card trick, a pontoon.
FIVE, PONTOON = MOST + 1, MOST + 2
NAMED = {BUST: "bust", FIVE: "five-card trick", PONTOON: "pontoon"}
WRITTEN = {"bust": BUST, "five": FIVE, "pontoon": PONTOON, **{str(n): n for n in range(2, MOST + 1)}}


class Options(Struct, frozen=True):
    """House rules of Pontoon."""

    hands: HandsInMatch = 24
    chips: StartingChips = 0
    min: Annotated[
        int, Meta(ge=1, le=1_000_000, description="smallest first stake, unless the banker announces another")
    ] = 1
    max: Annotated[
        int, Meta(ge=1, le=1_000_000, description="largest first stake, unless the banker announces another")
    ] = 10
    split_pontoon: Annotated[bool, Meta(description="an ace with a ten-card after a split is a pontoon")] = True
    stop_at_five: Annotated[bool, Meta(description="a hand of five cards takes no more")] = False
    min_stick: Annotated[
        int, Meta(ge=0, le=21, description="total below which a player may not stick, 0 for none")
    ] = 0


# Parts of a hand: stakes are put up; the players, then the bank, play.
STAKING, PLAYING = "bets second", "check card play reveal bank"
STAKED = f"second {PLAYING}"

SETUP, PLAY, RANKING, PAYOUTS = "Setup", "Play of the hand", "Hand ranking", "Payouts"
BOTH, NEXT = f"{RANKING}; {PLAY}", "The next hand"
RULES = Catalogue(
    "pontoon",
    rule("R1", SETUP, DUTY, "The first card is for its owner's eyes; on it each player in turn, from the banker's "
         "left, puts up one stake within the banker's limits; then comes the second card, face up.",
         "bet in turn", {HandEvent: the_limits_leave_room}),
    rule("R2", PLAY, DUTY, "A banker who shows an ace or a ten-card looks for a pontoon before any player plays; with "
         "one, the hand is over.", "look first"),
    rule("R3", PLAY, DUTY, "Players play their hands in turn from the banker's left, each to its end; the bank turns "
         "up its card and plays last.", "play in turn"),
    rule("R4", RANKING, DUTY, "A pontoon is just two cards, an ace and a ten-card; a player who has one declares it "
         "or sticks, and draws no card.", "pontoon"),
    rule("R5", PLAY, DUTY, "A card is bought for at least the first stake and at most twice that, and comes face down.",
         "price of a card"),
    rule("R6", PLAY, DUTY, "Cards are bought only below twenty-one, and only before the hand has twisted.",
         "when to buy"),
    rule("R7", PLAY, DUTY, "A card that was not paid for is twisted: it comes alone and face up, and after it the hand "
         "only twists or sticks.", "twist", {Play: nothing_is_played}),
    rule("R8", PLAY, DUTY, "Two cards of one rank may be split before anything else is done with the hand; each half "
         "carries the first stake.", "split"),
    rule("R9", PLAY, DUTY, "Nothing is bought for a hand that comes from a split.", "no buying after a split"),
    rule("R10", BOTH, DUTY, "A hand over twenty-one is turned up at once and its stake is lost; no other hand is bust.",
         "bust"),
    rule("R11", PLAY, RIGHT, "The banker may stop at any total, or go on.", "bank may stop",
         {Fault: the_bank_stops_where_it_likes}),
    rule("R12", PAYOUTS, CONSEQUENCE, "The bank takes the lower hands and the equal ones, and pays the higher; "
         "pontoons and five-card tricks get double.", "payment"),
    rule("R13", NEXT, DUTY, "After a pontoon the pack is shuffled, and the first player with one takes the bank; else "
         "banker and order of the pack stay.", "next bank"),
)  # fmt: skip

READINGS = {
    "Twisting with a pontoon": "the hand is declared, or stuck on; it draws nothing",
    "Equal totals": "the bank wins them; totals are compared between ordinary hands only, so a five-card trick of 12 "
    "beats the bank's 20",
    "Three cards that make 21 against the bank's five-card trick": "lose, and so does a five-card trick",
    "The limits of buying": "each purchase is measured by the first stake, not by the stake as it has grown",
    "Under twenty-one with an ace": "the best total that is not over counts: with A-9-A the hand has 21 and buys "
    "nothing",
    "More than five cards": "may be drawn, and may go bust; option stop_at_five",
    "An ace and a ten-card after a split": "are a pontoon, for the next bank too; option split_pontoon=no makes them "
    "21",
    "The stake of the second hand after a split": "is equal to the first; `A bet 4 >A:2` may say so, and is not needed",
    "The cards of a split": "the pair and the two cards dealt to it are face up",
    "What may be split": "equal ranks, not equal values: K-Q may not",
    "The bank's pontoon": "takes twice the first stake from every player, also from one who has a pontoon",
    "The bank overlooked its pontoon": "it still takes twice the first stake of every player; stakes for cards bought "
    "or split are returned",
    "A pontoon on both sides": "the hand is over before a player can declare: the cards are shuffled, the bank stays",
    "Double payment": "is made on the whole stake, purchases included; other winning hands get their stake once",
    "Everybody is bust": "the bank draws no card and does not show its own",
    "The right to bank next": "is taken by the first player with a pontoon; any other banker is found, for the table "
    "to settle",
    "An unrecorded stick": "is inferred when the bank plays or turns up its card; so is a card that was due and not "
    "recorded",
    "A hand passed over": "is one finding, about the first player to act before it; the hand may have stuck, "
    "unrecorded",
    "A payment": "is due once the bank has played, a bust at once; what passes between players is not a payment of the "
    "game",
    "An undeclared pontoon": "counts, if it is shown: sticking on it does not lower it",
    "Who must bet": "every player who is dealt in, apart from the banker; a player who is not dealt in sits out "
    "(`hand 3 out=B`)",
    "Chips enough for a purchase?": "is for the table to see; the record keeps the stacks",
    "Limits": "options min and max, or what a banker announces (`hand 3 min=2 max=20`), which holds while the bank "
    "stays",
    "The end": "the text has none: after option hands the most chips win; hands=0 goes on until `end match`",
    "A hand broken off": "what is bust is lost, every other stake goes back",
}


class Hand(CountedHand):
    """State of one hand of Pontoon. A player's hands are named by their holdings: `A`, and after a split `A:2`.

    `rounds` counts the cards dealt all round. `unstaked` are hands from a split that may still be given their stake.
    `up` is the card that the bank shows. `due` are hands that get an open card after a split, `buying` has paid for a
    card. `guessed` is True if the second cards were inferred from a stake, `looked` if the bank's look was recorded.
    `mixed` is whether the pack was to be shuffled before this hand, None if unknown.
    """

    pack: PackOrder = field(default_factory=PackOrder)
    rounds: int = 0
    unstaked: set[str] = field(default_factory=set)
    up: int = UNSEEN
    checked: bool = False
    buying: str = ""
    due: list[str] = field(default_factory=list)
    twisted: set[str] = field(default_factory=set)
    acted: set[str] = field(default_factory=set)
    split: set[str] = field(default_factory=set)
    guessed: bool = False
    looked: bool = False
    mixed: bool | None = True
    shuffled: bool = False

    @property
    def to_bet(self) -> str:
        """The player who bets next; empty once all have bet."""
        return first_without(self.order, self.bets)

    @property
    def active(self) -> str:
        """The player's hand that plays now; empty when it is the bank's turn."""
        return first_without(self.order, self.done)

    @property
    def awaits(self) -> str:
        """The hand that gets a card now, because it has paid for one or comes from a split; empty if there is none."""
        return self.buying or (self.due[0] if self.due else "")


def start(state: State[Any]) -> Hand:
    """Begin a hand with an unshuffled pack: the rest of it on top, the cards of the last hand below. After a hand
    known only by its tally the order is unknown."""
    for seat in state.terms.seats:
        state.table.bag(seat)
    before, bank = state.hand, state.dealer
    seated = list(state.terms.around(state.terms.left(bank)))
    hand = Hand(bank, state.table, *limits(bank, state), seated, seated[:-1])
    hand.mixed = True if before is None else had_pontoon(state)
    told = any(score.source == "tally" for score in state.scores[-1:])
    if before is not None and hand.mixed is False and not before.shuffled and before.rounds and not told:
        hand.pack = carry_stock_over(before.table, before.pack, state.table)
    else:
        state.table.lay([UNSEEN] * PACK.size, state.table.row("stock"))
    state.phase, state.turn = "bets", (seated[0],)
    return hand


# Cards from the pack
def take(state: State[Hand], name: str, codes: Iterable[int], *, face_up: bool) -> None:
    """Deal cards from the top of the pack."""
    hand, stock, pile = state.hand, state.table.row("stock"), state.holding(name)
    for code in codes:
        if not stock.row or stock.row[-1] != code:
            comes_up(code, stock, state)
        state.table.move_one(code, stock, pile)
        hand.pack.taken += 1
        if not face_up:
            hand.down[name] = hand.down.get(name, 0) + 1


def comes_up(code: int, stock: Pile, state: State[Hand]) -> None:
    """Adjust what is known of the pack to a card that was not known to be on top of it."""
    hand = state.hand
    if cannot_be_on_top(code, state):
        forget_order(state)
    if not stock.row and not stock.vague:
        # The pack has run out; the cards below it are the hands that went bust.
        for bust in [n for n, how in hand.done.items() if how == "bust"]:
            KINDS.freeze(bust, (), state)
            state.table.move(state.holding(bust).codes(), state.holding(bust), stock, bottom=True)
        forget_order(state)


def ensure_dealt(state: State[Hand], rounds: int = 1) -> None:
    """Infer unseen cards for what was not recorded of the deal, up to n cards each."""
    ensure_hand_started(state)
    hand, state.acts = state.hand, 1
    while hand.rounds < rounds:
        for seat in hand.seated:
            take(state, seat, [UNSEEN] * (hand.rounds + 1 - len(state.holding(seat))), face_up=hand.rounds > 0)
        hand.rounds += 1
        if hand.rounds == 2:
            state.infer("every hand has a second card, face up; which was not recorded")
            hand.checked = True
            advance(state)


def on_deal(deal: Deal, state: State[Hand]) -> None:
    """Deal the first card face down, the second face up; after a split one to each hand."""
    ensure_hand_started(state)
    hand = state.hand
    if deal.face == "up" or hand.bets:
        ensure_dealt(state)
    named = [name.removeprefix("hand:") for name, _ in deal.piles]
    if hand.guessed and hand.buying and named == hand.seated:
        come_after_all(deal, state)
        return
    if not hand.rounds and named != hand.seated:
        sit([s for s in hand.seated if s in named or s == hand.bank or len(state.holding(s))], state)
    face_up = deal.face == "up" or (deal.face is None and hand.rounds > 0)
    for name, (_, cards) in zip(named, deal.piles, strict=True):
        if seat_of(name) not in state.terms.seats:
            continue
        codes = state.table.codes(cards)
        take(state, name, codes, face_up=face_up)
        if hand.rounds == 1 and codes and name == hand.bank:
            hand.up = codes[-1]
        if name in hand.due:
            hand.due.remove(name)
    if hand.rounds < 2 and min(map(len, map(state.holding, hand.seated))) > hand.rounds:
        hand.rounds += 1
        if hand.rounds == 2:
            state.acts = 1
            hand.checked = shows_no_pontoon(hand)
    advance(state)


def shows_no_pontoon(hand: Hand) -> bool:
    """True if the card that the bank shows may be neither an ace nor a ten-card."""
    return bool(PACK.may_be[hand.up] & ~(ACES | TENS))


def come_after_all(deal: Deal, state: State[Hand]) -> None:
    """Take back the inference that a second stake bought a card: the second cards come only now."""
    hand, name = state.hand, state.hand.buying
    hand.guessed, hand.buying = False, ""
    hand.buys.pop(name, None)
    hand.acted.discard(name)
    for seat, (_, cards) in zip(hand.seated, deal.piles, strict=True):
        state.table.reveal(state.table.codes(cards), state.holding(seat))
        if seat == hand.bank:
            hand.up = state.code(cards)
    hand.checked = shows_no_pontoon(hand)
    state.infer(f"the second stake of {name} bought no card, as the second cards had not come")
    advance(state)


# Hand ranking
def rank(best: int, cards: int, pontoons: bool = True) -> int:
    """Rank of a hand of n cards with this total; without `pontoons`, two cards that make twenty-one are just that.

    >>> rank(21, 2) == PONTOON, rank(14, 5) == FIVE, rank(21, 3), rank(22, 3) == BUST
    (True, True, 21, True)
    >>> FIVE > rank(20, 2), rank(21, 2, pontoons=False)
    (True, 21)
    """
    if best > MOST:
        return BUST
    if cards == 2 and best == MOST and pontoons:
        return PONTOON
    return FIVE if cards >= FIVE_CARDS else best


KINDS = Kinds(
    VALUES, MOST, rank, written=WRITTEN, best="pontoon", sum_told=total_told,
    pays=lambda t, name, mine, bank, state: delta(mine, bank, t.stakes[name], t.firsts[name]),
    told=lambda kind: NAMED.get(kind, str(kind)), too_many="be over 21",
    less=lambda name, state: name in state.hand.split and not state.terms.options.split_pontoon,
    sums=lambda t, name, gain: sum_told(t, name, gain),
)  # fmt: skip


# Setup: the stakes
def is_buy(event: Event, state: State[Hand]) -> bool:
    """True if a stake pays for another card, and is not the first one of its hand."""
    if not isinstance(event, Bet) or state.phase == "bets":
        return False
    hand, name = state.hand, staked_on(event)
    # A hand from a split is given the first stake; any other amount that it puts up itself would buy.
    return name in hand.bets and not (name in hand.unstaked and (event.on or event.amount == hand.bets[name]))


@RULES.check("R1", Bet)
def one_stake_in_turn_within_the_limits(bet: Bet, state: State[Hand]) -> CheckResult | None:
    hand, name = state.hand, staked_on(bet)
    if hand is None or name in hand.unstaked or is_buy(bet, state) or hand.gone_by:
        return None
    if name == hand.bank or name not in hand.seated:
        banks = f"{name} holds the bank and stakes nothing"
        return broken(banks if name == hand.bank else f"{name} was not dealt in")
    if name in hand.bets:
        return broken(f"{name} has staked {hand.bets[name]} already")
    if state.phase != "bets":
        return broken("stakes are put up before the second card")
    if name != hand.to_bet:
        return broken(f"{hand.to_bet} bets first")
    if hand.low <= bet.amount <= hand.high:
        return None
    return broken(f"the banker takes stakes from {hand.low} to {hand.high}")


@RULES.check("R1", Deal, when=STAKING)
def one_card_then_stakes_then_another(deal: Deal, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if hand.rounds and deal.face == "down":
        return broken("the second card is face up")
    for name, cards in deal.piles:
        if how_many(cards) not in (1, None) and seat_of(name.removeprefix("hand:")) in state.terms.seats:
            return broken("one card at a time is dealt to each hand")
    if hand.rounds and hand.bets and hand.to_bet:
        return unknown(f"no stake of {hand.to_bet} was recorded before the second card")
    return None


@RULES.check("R1", Show, when="bets")
def the_first_card_stays_hidden(show: Show, state: State[Hand]) -> CheckResult | None:
    if not state.hand.gone_by and show.by in state.hand.seated and show.src in ("", hand_of(show.by)):
        return broken("no player shows the first card before the stakes are up")
    return None


def on_bet(bet: Bet, state: State[Hand]) -> None:
    """Take the first stake of a hand, or one that buys a card."""
    ensure_dealt(state)
    hand, name, buys = state.hand, staked_on(bet), is_buy(bet, state)
    hand.guessed = buys and state.phase == "second"
    if buys:
        if not hand.guessed:
            pass_over(name, state)
        play_goes_on(state)
        put_in_unwritten(bet, state)
        hand.buys.setdefault(name, []).append(bet.amount)
        hand.buying = name
        hand.acted.add(name)
    else:
        hand.unstaked.discard(name)
        hand.bets[name] = hand.bets.get(name, 0) + bet.amount if state.phase == "bets" else bet.amount
    advance(state)


def unwritten(state: State[Hand], act: Event) -> Iterator[Unwritten]:
    """An act shows that its hand and those before it have got the cards due to them; the bank's play, and a card or a
    stick behind a gap, that those before it have stuck."""
    hand, name = state.hand, plays(act, state)
    if state.phase == "second" and isinstance(act, Pass | Draw | Call | Move):
        yield Unwritten(second_cards(hand, ["??"] * len(hand.seated)), "every hand has a second card, face up")
    if name not in (*hand.order, hand.bank) or hand.rounds < 2:
        return
    before = hand.order[: hand.order.index(name)] if name in hand.order else hand.order
    closes = isinstance(act, Draw | Show) if name == hand.bank else bool(hand.gone_by) and isinstance(act, Draw | Pass)
    for other in [*before, name]:
        if other == hand.buying and (closes or other == name) and not (isinstance(act, Draw) and other == name):
            yield Unwritten(the_card(other, ("??",), hand), f"{other} has got the card that was paid for")
        if other in hand.due and not (isinstance(act, Draw) and other == name):
            yield Unwritten(the_card(other, ("??",), hand), f"{other} has got its second card")
        if closes and other != name and other not in hand.done:
            yield Unwritten(Pass(by=other), "" if hand.gone_by else f"{other} has stuck")


# Play of the hand: whose turn it is
def advance(state: State[Hand]) -> None:
    """Set phase and turn: a stake, the second cards, the banker's look, a hand, the bank, the showdown, or the end."""
    hand = state.hand
    if state.settled:
        return
    if hand.rounds < 2:
        bets = hand.to_bet
        state.phase, state.turn = ("bets", (bets,)) if bets else ("second", (hand.bank,))
    elif gets := hand.awaits:
        state.phase, state.turn = "card", (seat_of(gets),)
    elif hand.bank_done == "pontoon":
        close(state)
    elif not hand.checked:
        state.phase, state.turn = "check", (hand.bank,)
    elif plays_now := hand.active:
        state.phase, state.turn = "play", (seat_of(plays_now),)
    else:
        the_bank_plays(state)


def play_goes_on(state: State[Hand]) -> None:
    """Infer that the second cards are dealt and that the banker has looked, if not recorded."""
    ensure_dealt(state, 2)
    state.hand.checked = True


def is_split(move: Move, state: State[Hand]) -> bool:
    """True if a card goes from a hand to a further hand of the same player."""
    name = move.to.removeprefix("hand:")
    mine = seat_of(name) == seat_of(move.by) and move.src in ("", hand_of(move.by))
    return ":" in name and mine and state.hand is not None


def plays(act: Event, state: State[Hand]) -> str:
    """The hand that an act plays with; "" if it plays with none."""
    match act:
        case Pass() | Draw():
            return act.by
        case Bet():
            return staked_on(act) if is_buy(act, state) else ""
        case Call():
            return act.by if act.word in ("pontoon", "bust") else ""
        case Move():
            return act.by if is_split(act, state) else ""
        case Show():
            # The bank turns up its card once all players have played.
            bank = state.hand.bank
            return bank if state.phase in ("card", "play") and shower(act, state) == bank else ""
    return ""


@RULES.check("R2", Pass, Bet, Draw, Call, Move, when="check")
def the_bank_has_no_pontoon_when_play_begins(act: Event, state: State[Hand]) -> CheckResult | None:
    bank = state.hand.bank
    if not plays(act, state) or (act.by == bank and not isinstance(act, Pass)):
        return None
    wrong = f"{bank} has a pontoon: the hand is over, and every player pays double"
    doubt = f"the hidden card of {bank} may make a pontoon"
    return judge_total(KINDS.is_best(bank, state), wrong, doubt, state.holding(bank))


@RULES.check("R3", Bet, Draw, Pass, Call, Move, Show, when=PLAYING)
def each_in_turn_and_the_bank_last(act: Event, state: State[Hand]) -> CheckResult | None:
    hand, name = state.hand, plays(act, state)
    now = hand.active
    if not name or hand.gone_by or name == (now or hand.bank) or (isinstance(act, Draw) and name in hand.due):
        return None
    if name == hand.bank:
        if isinstance(act, Call) or (isinstance(act, Pass) and looks(state)):
            return None
        if now and isinstance(act, Show) and looks(state):
            return unknown("whether the bank shows an ace or a ten-card was not seen")
        if isinstance(act, Show) and not writes_stands(state):
            # This record has no sticks; the card turned up shows that all have stuck.
            return None
    if has_stood_unsaid(name, state):
        return after_an_unsaid_stand(name, act, written=writes_stands(state))
    return players_then_the_bank(name, state)


def looks(state: State[Hand]) -> bool:
    """True if the bank may be looking for a pontoon: no hand has played, and its card may be an ace or a ten-card."""
    hand = state.hand
    played = hand.done or hand.acted or hand.bank_done or hand.looked
    return not played and bool(PACK.may_be[hand.up] & (ACES | TENS))


@RULES.check("R4", Call)
def a_pontoon_is_an_ace_and_a_ten_card(call: Call, state: State[Hand]) -> CheckResult | None:
    if call.word != "pontoon":
        return None
    name, has = call.by, KINDS.is_best(call.by, state)
    lacks = None if has is None else not has
    return judge_total(lacks, f"{name} has no pontoon", f"the cards of {name} were not shown", state.holding(name))


@RULES.check("R4", Draw)
def a_pontoon_draws_nothing(draw: Draw, state: State[Hand]) -> CheckResult | None:
    hand, name = state.hand, draw.by
    if name not in hand.order or name == hand.buying or name in hand.due or len(state.holding(name)) != 2:
        return None
    wrong, doubt = f"{name} has a pontoon and draws no card", f"{name} may have a pontoon"
    return judge_total(KINDS.is_best(name, state), wrong, doubt, state.holding(name))


# Play of the hand: buying
@RULES.check("R5", Bet, when=STAKED)
def the_price_of_a_card(bet: Bet, state: State[Hand]) -> CheckResult | None:
    if not is_buy(bet, state):
        return None
    first = state.hand.bets[staked_on(bet)]
    if first <= bet.amount <= 2 * first:
        return None
    return broken(f"a card costs {first} to {2 * first}: once to twice the first stake")


@RULES.check("R5", Draw)
def a_bought_card_comes_face_down(draw: Draw, state: State[Hand]) -> CheckResult | None:
    if draw.by == state.hand.buying and draw.face == "up":
        return broken("a card that was paid for comes face down")
    return None


@RULES.check("R6", Bet, when=STAKED)
def buy_below_twenty_one_and_before_a_twist(bet: Bet, state: State[Hand]) -> CheckResult | None:
    if not is_buy(bet, state):
        return None
    name, pile = staked_on(bet), state.holding(staked_on(bet))
    if name in state.hand.twisted:
        return broken(f"{name} has twisted and can only twist or stick")
    if stops := stops_at_five(name, state):
        return stops
    found = possible_totals(pile, VALUES)
    wrong = f"{name} has {total_told(found)} and buys nothing"
    return judge_total(common_answer(found, lambda total: total >= MOST), wrong, f"{name} may have 21 or more", pile)


def stops_at_five(name: str, state: State[Hand]) -> CheckResult | None:
    """Verdict, by a house rule, on another card for a hand of five; open after a gap, None without that rule."""
    if not state.terms.options.stop_at_five or len(state.holding(name)) < FIVE_CARDS:
        return None
    if name in state.hand.gone_by:
        return unknown(f"acts are missing from the record, so {name} may have fewer than five cards")
    return broken("by the house rule a hand stops at five cards")


@RULES.check("R9", Bet, when=STAKED)
def nothing_is_bought_after_a_split(bet: Bet, state: State[Hand]) -> CheckResult | None:
    name = staked_on(bet)
    if name not in state.hand.split or not is_buy(bet, state):
        return None
    return broken(f"{name} comes from a split: it twists or sticks")


# Play of the hand: twisting and sticking
@RULES.check("R7", Draw)
def one_open_card(draw: Draw, state: State[Hand]) -> CheckResult | None:
    name, wrong = draw.by, draws_one_card(draw)
    if wrong is not None or name == state.hand.buying:
        return wrong
    if draw.face == "down" and name not in state.hand.gone_by:
        return broken(f"{name} has paid for no card: it comes face up")
    return stops_at_five(name, state)


@RULES.check("R7", Pass)
def high_enough_to_stick(act: Pass, state: State[Hand]) -> CheckResult | None:
    """Only a house rule sets a least total, which a five-card trick does not need."""
    least, pile = state.terms.options.min_stick, state.holding(act.by)
    if not least or act.by not in state.hand.order or state.phase == "showdown" or len(pile) >= FIVE_CARDS:
        return None
    found = possible_totals(pile, VALUES)
    wrong = f"{act.by} has {total_told(found)}; by the house rule no player sticks below {least}"
    return judge_total(common_answer(found, lambda n: n < least), wrong, f"{act.by} may have less than {least}", pile)


def on_draw(draw: Draw, state: State[Hand]) -> None:
    """Give a hand a card from the pack: one that was paid for, the second of a split hand, or a twisted one."""
    play_goes_on(state)
    hand, name = state.hand, draw.by
    put_in_unwritten(draw, state)
    if name not in hand.due:
        pass_over(name, state)
    src, paid = pile_named(state, draw.src or "stock"), name == hand.buying
    codes = state.table.codes(draw.cards, src)
    if src.name == "stock":
        take(state, name, codes, face_up=draw.face == "up" or (draw.face is None and not paid))
    else:
        state.table.move(codes, src, state.holding(name))
    if paid:
        hand.buying = ""
    elif name in hand.due:
        hand.due.remove(name)
    elif name == hand.bank:
        if hand.down.get(name) and state.phase == "reveal":
            state.infer(f"{name} has turned up the hidden card (not recorded)")
            hand.down[name] = 0
        if KINDS.seen_as(state.holding(name)) == {BUST}:
            hand.bank_done = "bust"
        hand.news = (state.at, name)
    else:
        if name not in hand.gone_by:
            hand.twisted.add(name)
        hand.acted.add(name)
    advance(state)


def on_pass(act: Pass, state: State[Hand]) -> None:
    """A pass is a stick; at the banker's look it means no pontoon, at the showdown not shown."""
    ensure_dealt(state, 2)
    hand, name = state.hand, act.by
    if name != hand.bank or not looks(state):
        pass_over(name, state)
    if name != hand.bank:
        put_in_unwritten(act, state)
    if state.phase == "showdown":
        mine = [n for n in covered(state) if seat_of(n) == seat_of(name)]
        name = name if name in mine or not mine else mine[0]
        hand.shown.add(name)
        hand.news = (state.at, name)
    elif name == hand.bank and hand.checked and not hand.active:
        hand.bank_done = hand.bank_done or "stick"
        hand.news = (state.at, name)
    elif name in hand.order:
        hand.done.setdefault(name, "stick")
    hand.looked = hand.looked or act.by == hand.bank
    hand.checked = True
    advance(state)


# Play of the hand: splitting
@RULES.check("R8", Move)
def split_a_pair_first(move: Move, state: State[Hand]) -> CheckResult | None:
    if state.settled or not is_split(move, state):
        return None
    hand, name, pile = state.hand, move.by, state.holding(move.by)
    if name == hand.bank:
        return broken("the bank has no stake, and nothing to split")
    if name in hand.acted or name in hand.done:
        return broken("a pair is split before anything else is done with the hand")
    if pile.vague or how_many(move.cards) is None:
        return unknown(f"how many cards {name} had is unknown")
    if state.phase == "second" and len(pile) == 1:
        # A split shows that the second cards have come, even if unrecorded.
        return unknown(f"not both cards of {name} were seen")
    if len(pile) != 2 or how_many(move.cards) != 1:
        return broken(f"one of just two cards goes to the new hand; {name} has {len(pile)}")
    code = state.code(move.cards)
    bag = pile.certain | (PACK.unit[code] if code < UNSEEN else 0)
    cards = PACK.cards(bag)
    if len(cards) == 2:
        one, other = cards
        wrong = f"{pretty(one)} and {pretty(other)} are not of one rank"
        return None if one[0] == other[0] else broken(wrong, bag, name, together=True)
    if cards and bag == pile.certain:
        low, high = pile.how_many(PACK.rank[cards[0][0]])
        if high < 2 or low > 1:
            wrong = f"no other card of that rank can be beside the {pretty(cards[0])}"
            return None if low > 1 else broken(wrong, bag, name)
    return unknown(f"not both cards of {name} were seen")


@RULES.check("R8", Bet, when=STAKED)
def each_half_carries_the_first_stake(bet: Bet, state: State[Hand]) -> CheckResult | None:
    name = staked_on(bet)
    if name not in state.hand.unstaked or is_buy(bet, state):
        return None
    first = state.hand.bets.get(name, bet.amount)
    return None if bet.amount == first else broken(f"the new hand carries {first}, as the first one does")


def on_split(move: Move, state: State[Hand]) -> None:
    """Split: a card goes to a new hand. Any other move is a plain one; the rank of a hand before it is kept."""
    if state.settled or not is_split(move, state):
        goes = (move.src or move.by).removeprefix("hand:")
        if move.to == "stock_" and state.hand is not None and goes in (*state.hand.order, state.hand.bank):
            KINDS.draw_what_is_shown(goes, move.cards, state)
        KINDS.freeze(goes, move.cards, state)
        if state.settled and state.hand is not None and state.hand.missed:
            settle(state)
        on_move(move, state)
        return
    play_goes_on(state)
    hand, name, new = state.hand, move.by, move.to.removeprefix("hand:")
    pass_over(name, state)
    state.table.bag(new)
    on_move(move, state)
    if new in hand.order or name not in hand.order:
        return
    hand.order.insert(hand.order.index(name) + 1, new)
    hand.split |= {name, new}
    if name in hand.bets:
        hand.bets[new] = hand.bets[name]
    hand.unstaked.add(new)
    # Both cards of the pair are open, even if the record names only one.
    hand.down[name] = 0
    hand.due += [name, new]
    advance(state)


# Play of the hand: declaring, going bust, showing
@RULES.check("R10", Pass, Draw, Bet, Call, Move, when=PLAYING)
def over_twenty_one_is_bust(act: Event, state: State[Hand]) -> CheckResult | None:
    name = plays(act, state)
    if not name or (name == state.hand.bank and not state.hand.checked):
        return None
    return KINDS.bust_or_not(name, act, state)


@RULES.check("R10", Call, when="showdown")
def bust_is_said_late(call: Call, state: State[Hand]) -> CheckResult | None:
    return KINDS.bust_or_not(call.by, call, state) if KINDS.is_said_late(state, call) and call.word == "bust" else None


def on_call(call: Call, state: State[Hand]) -> None:
    """Declare a pontoon or a bust, with the cards turned up for it."""
    if KINDS.is_said_late(state, call):
        if call.cards:
            on_showing(Show(by=call.by, groups=(call.cards,)), state)
        return
    ensure_dealt(state, 2)
    hand, name = state.hand, call.by
    if call.word not in ("pontoon", "bust"):
        return
    pass_over(name, state)
    if name not in hand.order and name != hand.bank:
        return
    KINDS.turn_up(name, call.cards, state)
    put_in_unwritten(call, state)
    if name == hand.bank:
        hand.bank_done = call.word
    elif has_stood_unsaid(name, state):
        hand.done[name] = call.word
    else:
        hand.done.setdefault(name, call.word)
    hand.checked = True
    advance(state)


def shower(show: Show, state: State[Hand]) -> str:
    """The hand that is shown; if none is named, the hand on turn."""
    if show.by != "@":
        return show.by
    hand = state.hand
    now = {"play": hand.active, "card": hand.active, "showdown": first_covered(state)}
    return now.get(state.phase) or hand.bank


def on_showing(show: Show, state: State[Hand]) -> None:
    """Turn up cards; shown after the hand, they are scored all the same."""
    hand = state.hand
    if hand is None or show.src not in ("", "hand:" + show.by):
        on_show(show, state)
        return
    name, cards = shower(show, state), tuple(chain.from_iterable(show.groups))
    if state.phase == "second" and len(cards) > 1:
        ensure_dealt(state, 2)
    may_look = looks(state)
    KINDS.draw_what_is_shown(name, cards, state)
    on_show(show if name == show.by else replace(show, by=name), state)
    has = KINDS.seen_as(state.holding(name))
    if not (may_look and has == {PONTOON}):
        put_in_unwritten(show, state)
    hand.down[name] = 0
    hand.news = (state.at, name)
    if state.settled:
        settle(state)
        return
    if state.phase == "showdown":
        hand.shown.add(name)
    if has == {PONTOON} and name == hand.bank and not hand.done:
        hand.bank_done = "pontoon"
    elif has == {BUST} and name in hand.order:
        hand.done.setdefault(name, "bust")
    advance(state)


def on_gap(gap: Gap, state: State[Hand]) -> None:
    """A gap, perhaps in the deal: hands and the order of the pack are unknown after it."""
    if state.settled or not state.number:
        return
    ensure_dealt(state, 2)
    lose_the_hands(state)


# Payouts
A_CLASS = "a hand is bust, a total from 2 to 21, five or pontoon"


class Tally(TallyFacts):
    """What a hand is scored from: the players' hands with stake and rank, and the rank of the bank.

    `firsts` are the first stakes alone; a stake is None if it was not recorded. `sums` are the parts of a stake if
    cards were bought. `bank` is empty if it never played.
    """

    banker: str = the_dealer(a_seat("seat that held the bank"))
    stakes: Points = grows(of_each_but("banker", read_by_the_page({"stake.*": fact.number(
        "what was staked on a hand in all (stake.A:2 after a split); a player without one "
        "sat out", 1, of="hand", rule="R12",
        says="a stake is a number of chips",
    )}, {}, said=True)))  # fmt: skip
    firsts: Points = read_by_the_page({}, {})
    sums: dict[str, str] = read_by_the_page({}, {})
    hands: dict[str, frozenset[int]] = bounded(KINDS.may_be, changing(of_each_but("banker", read_by_the_page({
        "class.*": fact.choice(
            "what that hand was: bust, its total, five (a five-card trick) or pontoon", *WRITTEN, of="hand", rule="R12",
            says=A_CLASS,
        ),
    }, {}, said=True, tells=KINDS.told_of_hands)), KINDS.still_plays))  # fmt: skip
    bank: frozenset[int] = changing(read_by_the_page({"bank": fact.choice(
        "what the bank was, in the same words", *WRITTEN, rule="R12", says=A_CLASS
    )}, frozenset(), said=True, tells=KINDS.told_of_the_bank), KINDS.still_plays)  # fmt: skip
    next: str = unasked(a_seat("seat that takes the bank next"))
    void: str = why_void("misdeal or void: the hand does not count")

    laws = (
        Law(("banker", "stake", "class"), the_banker_stakes_nothing, "R12"),
        Law(("bank", "class"), few_enough_hands(
            ACES.bit_count(), "pontoon", f"{{}} hands cannot have a pontoon: the pack has {ACES.bit_count()} aces"
        ), "R4"),
    )  # fmt: skip


WORDS = {
    "pontoon": "call: declares an ace and a ten-card; cards: the hand",
    "bust": "call: is over twenty-one, with the cards turned up for it; cards: those",
    "stick": "typed for pass: the hand is good enough",
    "twist": "typed for draw up: another card, open and free",
    "buy": "typed for bet: pays for another card",
    "split": "typed for move: a pair becomes two hands",
    "stop": "fault: the table objected to where the bank stopped",
    "misdeal": "end: the hand is dealt again",
    "void": "end: the hand does not count",
}


def tally(state: State[Hand]) -> Tally:
    """Tally of the hand in play: from its moves, overridden by a `tally` event."""
    hand, cut_short = state.hand, is_cut_short(state)
    out = apply_reported_facts(Tally(state.dealer), state)
    out.banker = out.banker or state.dealer
    if hand.rounds == 2 or hand.bets:
        for name in hand.order:
            # A bank that had a pontoon at its look would have ended the hand before any split.
            out.firsts[name] = hand.bets.get(name) if name in hand.seated else 0
            # If a hand was cut short, what it bought later is unknown.
            may_buy = name in hand.gone_by or (cut_short and name not in hand.done)
            out.stakes[name] = None if may_buy else staked(name, hand)
            out.hands[name] = KINDS.said_to_be(name, state)
            if name in hand.buys and not state.tallies:
                out.sums[name] = " + ".join(map(str, [hand.bets.get(name, "?"), *hand.buys[name]]))
        if hand.bank_done:
            out.bank = KINDS.said_to_be(hand.bank, state)
    KINDS.read_tallies(out, state)
    for facts in readable(state):
        for name, stake in by_hand(facts, "stake", state.terms.seats):
            out.firsts[name] = stake if type(stake) is int else None
        for name, _ in by_hand(facts, "class", state.terms.seats):
            out.firsts.setdefault(name, None)
    return out


def delta(mine: int, bank: int, stake: int | None, first: int | None) -> int | None:
    """Chips that a player's hand wins from the bank, or loses to it; None if unknown.

    >>> [delta(r, 19, 4, 2) for r in (18, 19, 20, FIVE, PONTOON, BUST)]
    [-4, -4, 4, 8, 8, -4]
    >>> [delta(r, FIVE, 4, 2) for r in (21, FIVE, PONTOON)], [delta(r, BUST, 4, 2) for r in (3, FIVE, BUST)]
    ([-4, -4, 8], [4, 8, -4])
    >>> delta(PONTOON, PONTOON, 4, 2), delta(20, PONTOON, 4, 2)
    (-4, -4)
    """
    if bank == PONTOON:
        return None if first is None else -2 * first
    if stake is None:
        return None
    if mine == BUST:
        return -stake
    if mine == PONTOON or (mine == FIVE and bank != FIVE):
        return 2 * stake
    return stake if mine > bank else -stake


def sum_told(t: Tally, name: str, gain: int | None) -> str:
    """The arithmetic of one hand in the words of the table."""
    if t.bank == {PONTOON}:
        first = t.firsts[name]
        return "a split given back: 0" if first == 0 else f"2 × {figure(first)} to the bank's pontoon: {signed(gain)}"
    return KINDS.sum_of(t, name, gain, t.sums.get(name, ""))


def due_now(state: State[Hand]) -> dict[str, int | None]:
    """Chips due to each hand: all once the bank has played, before that only what is certain; None if unknown."""
    t, hand = tally(state), state.hand
    if state.settled or hand.bank_done:
        return {name: KINDS.gain(t, name, state) for name in t.hands}
    return {
        name: None if stake is None else {"bust": -stake, "pontoon": 2 * stake}.get(hand.done.get(name, ""))
        for name, stake in t.stakes.items()
    }


@RULES.check("R12", Pay)
def paid_what_is_due(pay: Pay, state: State[Hand]) -> CheckResult | None:
    """A hand is paid once the bank has played, a bust at once."""
    hand = state.hand
    if hand is None:
        return None
    return KINDS.wrongly_paid(pay, due_now(state), state, over=bool(hand.bank_done))


@RULES.check("R12", HandEvent)
def paid_to_the_end(event: HandEvent, state: State[Hand]) -> CheckResult | None:
    """A payment of the last hand that was made in part must be complete."""
    return left_unpaid(due_now(state), state) if state.number and state.settled and state.hand.paid else None


def on_pay(pay: Pay, state: State[Hand]) -> None:
    """Note a payment of chips."""
    if state.hand is not None:
        state.hand.news = (state.at, f"pay {pays(pay, due_now(state), state)}")


# The next hand
def had_pontoon(state: State[Any]) -> bool | None:
    """True if any hand was a pontoon in the hand just played; None if unknown."""
    seen = KINDS.had_best(state)
    had = {None} if seen is None else set(seen.values())
    return 1 in had if 1 in had or None not in had else None


@RULES.check("R13", HandEvent)
def whoever_had_a_pontoon_banks(event: HandEvent, state: State[Hand]) -> CheckResult | None:
    if not state.number or not (state.settled or state.phase == "showdown") or event.by not in state.terms.seats:
        return None
    return the_right_banker(event.by, KINDS.had_best(state), "a pontoon", state)


@RULES.check("R13", Shuffle)
def shuffled_only_after_a_pontoon(shuffle: Shuffle, state: State[Hand]) -> CheckResult | None:
    if not state.number:
        return None
    if not state.settled and state.hand.rounds:
        return broken("the pack is not shuffled in the middle of a hand")
    mixed = had_pontoon(state) if state.settled else state.hand.mixed
    if mixed is None:
        return unknown("a hand that was not shown may have been a pontoon")
    return None if mixed else broken("no player had a pontoon: the cards go under the pack as they are")


@RULES.check("R13", Deal, Draw, Show)
def cards_come_from_the_top(event: Deal | Draw | Show, state: State[Hand]) -> CheckResult | None:
    """A card that went under an unshuffled pack comes up again only after all cards above it."""
    if not state.number or state.settled:
        return None
    card = cannot_have_come(event, state, shower(event, state) if isinstance(event, Show) else "")
    return broken(
        f"the {pretty(card)} went under the pack and cannot have come up yet: it was shuffled, though no player had "
        "a pontoon, or was recorded wrongly"
    ) if card else None


# What may be done now
def candidates(state: State[Hand]) -> Iterator[Event]:
    hand, phase = state.hand, state.phase
    top = in_dealing_order(state.table.row("stock"))
    if phase == "bets":
        yield from (Bet(by=state.turn[0], amount=n) for n in stakes_to_list(hand.low - 1, hand.high + 1))
    elif phase == "second" and top:
        yield second_cards(hand, top)
    elif phase == "check":
        yield Pass(by=hand.bank)
        if KINDS.of(hand.bank, state) == {PONTOON}:
            yield Show(by=hand.bank, groups=(tuple(PACK.cards(state.holding(hand.bank).certain)),))
    elif phase == "card":
        split = [n for n in sorted(hand.unstaked) if n in hand.bets and seat_of(n) in state.turn]
        yield from (Bet(by=seat_of(n), amount=hand.bets[n], on=hand_of(n)) for n in split)
        if top:
            yield the_card(hand.awaits, (top[0],), hand)
    elif phase in ("reveal", "showdown"):
        yield turned_up_next(state)
    elif phase in ("play", "bank"):
        yield from playing(state, hand.active or hand.bank, top)


def playing(state: State[Hand], name: str, top: list[str]) -> Iterator[Event]:
    """Acts open to a hand: stick, twist, buy, split, declare, go bust."""
    hand, pile = state.hand, state.holding(name)
    yield Pass(by=name)
    if top:
        yield Draw(by=name, cards=(top[0],), face="up")
        if name != hand.bank:
            yield Draw(by=name, cards=(top[0],), face="down")
            first = hand.bets.get(name, 0)
            yield from (Bet(by=name, amount=n) for n in stakes_to_list(first - 1, 2 * first + 1))
    yield from KINDS.says_bust(name, state)
    if name != hand.bank and len(pile) == 2:
        yield Call(by=name, word="pontoon")
        if name not in hand.acted:
            yield from (split_off(name, (card,), hand) for card in PACK.cards(pile.certain))


def second_cards(hand: Hand, cards: Iterable[str]) -> Deal:
    """The open cards from the banker's left, the bank's last."""
    return Deal(by=hand.bank, face="up", piles=one_each(hand.seated, cards))


def the_card(by: str, cards: tuple[str, ...], hand: Hand) -> Draw:
    """A draw by a hand: face down if it was paid for."""
    return Draw(by=by, cards=cards, face="down" if by == hand.buying else "up")


def split_off(name: str, cards: tuple[str, ...], hand: Hand) -> Move:
    """The move of a card of a pair to a further hand of the same player."""
    further = (f"{seat_of(name)}:{i}" for i in range(2, PACK.size))
    return Move(by=name, cards=cards, face="up", to=hand_of(next(new for new in further if new not in hand.order)))


def expand_shorthand(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """Expand shorthand: a bare card is the act due, words of the game are acts, a seat plays its hand on turn."""
    hand, by, phase = state.hand, event.by, state.phase
    mine = {"showdown": covered(state), "card": [hand.awaits], "play": [hand.active]}.get(phase, [])
    by = next((name for name in mine if seat_of(name) == by), by)
    match event:
        case Play(src="", face=None):
            return bare_cards(event.cards, by, state)
        case Draw(src="", face=None) if by == hand.bank and phase in ("check", "reveal"):
            return bare_cards(event.cards, by, state)
        case Draw() if how_many(event.cards) != 1:
            return ()
        case Draw(face=None):
            return (replace(event, by=by, face="down" if by == hand.buying else "up"),)
        case Deal(face=None):
            return (replace(event, face="up" if hand.rounds else "down"),)
        case Call():
            event = with_typed_cards(event)
            if event.word in ("stick", "twist", "buy", "split"):
                return in_words(event, by, state)
    return (replace(event, by=by),) if by != event.by and not (isinstance(event, Bet) and event.on) else (event,)


def bare_cards(cards: tuple[str, ...], by: str, state: State[Hand]) -> tuple[Event, ...]:
    """Acts meant by cards without a verb: the second cards all round, a card for one hand, or a hand shown."""
    hand, phase = state.hand, state.phase
    each = one_by_one(cards)
    if phase == "second":
        return (second_cards(hand, each),) if len(each) == len(hand.seated) else ()
    if phase in ("reveal", "showdown", "check"):
        return tuple(Show(by=by, groups=(shown,)) for shown in with_what_lies_open(cards, by, state))
    return (the_card(by, cards, hand),) if phase in ("card", "play", "bank") and len(each) == 1 else ()


def in_words(call: Call, by: str, state: State[Hand]) -> tuple[Event, ...]:
    """The act for a word of the table: stick, twist, buy or split."""
    hand = state.hand
    if call.word == "stick":
        return (Pass(by=by),)
    if call.word == "twist":
        return (Draw(by=by, cards=call.cards or ("??",), face="up"),)
    if call.word == "buy":
        return (Bet(by=by, amount=hand.bets.get(by, hand.low) if call.amount is None else call.amount),)
    # The card must be named, because a card typed after a lone word would be the next act.
    return (split_off(by, call.cards, hand),) if call.cards else ()


def quiet(state: State[Hand]) -> Event | None:
    """The act that a lone `.` stands for: a stick, the card due, no pontoon at the look, or not shown."""
    hand, phase = state.hand, state.phase
    if phase == "card":
        return the_card(hand.awaits, ("??",), hand)
    who = {"check": hand.bank, "play": hand.active, "bank": hand.bank, "showdown": first_covered(state)}
    return Pass(by=who[phase]) if phase in who else None


def last_outcome_text(state: State[Hand]) -> str:
    """Words for what has just come to light: the bank's total, what a hand is due, the next banker."""
    hand = state.hand
    if state.phase == "check":
        return f"{hand.bank} shows {PACK.shown(hand.up)} and looks"
    parts = KINDS.news(due_now, state)
    if hand.over == state.at:
        mixed = {None: "", True: ", the pack is shuffled", False: ", the pack goes on as it lies"}[had_pontoon(state)]
        parts.append(f"{state.game.dealing.next_dealer(state)} banks next{mixed}")
    return "; ".join(parts)


# Simulation: low hands draw, high hands stick
def chance(state: State[Hand], random: Random) -> list[Event]:
    """Chance events: the cards go under the pack, or are shuffled; then each seat is dealt a card."""
    dealer = next_dealer(state)
    events, left = under_the_pack(state) if state.number else ([], [])
    events.append(HandEvent(by=dealer, number=state.number + 1))
    if not state.number or had_pontoon(state):
        left = list(PACK.faces)
        random.shuffle(left)
        events.append(Shuffle(by="@", piles=(("stock", tuple(reversed(left))),)))
    seats = state.terms.around(state.terms.left(dealer))
    return [*events, Deal(by="@", face="down", piles=one_each(seats, left))]


def weigh(state: State[Hand], event: Event) -> float:
    found = possible_totals(state.holding(event.by), VALUES) or frozenset({15})
    best, cards = max(found), len(state.holding(event.by))
    high = best >= (17 if event.by == state.hand.bank else 16) or cards >= FIVE_CARDS
    if isinstance(event, Pass):
        return 6.0 if high else 0.1
    if isinstance(event, Bet) and state.phase == "bets":
        return 1 / (2 + event.amount)
    if isinstance(event, Bet):
        return 0.02 if high or event.on else 1 / (1 + event.amount)
    if isinstance(event, Draw):
        return 0.05 if high else 1.5
    return 50.0 if isinstance(event, Call) else 2.0


ACTS = (Pass, Bet, Draw, Call, Play)
GAME = Game(
    key="pontoon", name="Pontoon", family="bank", summary=summary_of(__doc__),
    seating=SEATS, pack=PACK,
    dealing=Dealing(
        lay_deal=ensure_dealt, next_dealer=KINDS.banks_next, chance=chance, own_piles=(),
    ),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=start,
    phases={
        "bets": Phase("the stakes", (Bet,), "a stake (2, or those of several in turn: 2 3 1)", to_do="bet"),
        "second": Phase(
            "the second cards", (Deal, Play, Bet),
            "the open cards from the banker's left, the bank's last (9c kh 5d)", to_do="deal",
        ),
        "check": Phase(
            "the look", ACTS, ". for no pontoon, or the two cards the banker turns up (ahkd)", default_act=quiet,
            to_do="look"
        ),
        "card": Phase(
            "a card", ACTS, ". for a card face down, its face if it is open", default_act=quiet, to_do="get a card"
        ),
        "play": Phase(
            "the play", ACTS,
            "a twisted card (9c), a stake that buys one (2 .), stick (.), pontoon, bust with the hidden cards (bust "
            "kc), a pair split with its hidden card (split 8h)", default_act=quiet, to_do="play",
        ),
        "reveal": Phase("turning up", ACTS, "the card the banker turns up (9c)", to_do="turn up"),
        "bank": Phase("the bank", ACTS, "a card drawn (9c), or stick (.)", default_act=quiet, to_do="play"),
        "showdown": Phase(
            "the showdown", (Pass, Play, Call), "the hidden cards of each hand in turn (kd4h), . for a hand not shown",
            default_act=quiet, verbs={Pass: "does not show"}, to_do="show",
        ),
    },
    on={
        HandEvent: on_hand, Deal: on_deal, Bet: on_bet, Draw: on_draw, Pass: on_pass, Call: on_call, Move: on_split,
        Show: on_showing, Pay: on_pay, Shuffle: mixed, Gap: on_gap,
    },
    tally=Tally, compute_tally=tally, score=KINDS.score, after=most_chips,
    match=MatchRules(new_match=begins_with_chips, open_table=True),
    sheet=chips("pontoon"),
    omissions=Omissions(
        unwritten=unwritten, often_omitted_rules=frozenset({"R3"}),
        always_written={
            "draws": "what a hand comes to is known by its cards alone",
            "calls of pontoon": "the hand is paid double for it",
        },
        belongs_to_finished_hand=KINDS.is_said_late, missing=KINDS.missing,
    ),
    shorthand=Shorthand(expand=expand_shorthand, verbs={Pass: "sticks"}),
    display=Display(headline=headline, last_outcome_text=last_outcome_text, of_pile=KINDS.of_pile),
    simulation=Simulation(candidates=candidates, weigh=weigh, most_hands=999),
)  # fmt: skip
