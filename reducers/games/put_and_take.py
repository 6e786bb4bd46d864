"""Put and Take: the dealer turns five cards for which the others pay a pot, and five for which they are paid out of
it; there is no choice to make."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from events.cards import how_many
from events.model import Deal, End, Event, Gap, Move, Pass, Pay, Play, Show
from events.model import Hand as HandEvent
from reducers.evolve import COMMON, is_dealer_open, new_hand, is_for_next_hand
from reducers.page import (
    CONSEQUENCE, DUTY, WHO_DEALS, Catalogue, CheckResult, DealSpec, Game, Dealing, Judging, MatchRules, Omissions,
    Shorthand, Display, Simulation, HandScore, Law, ScoreLine, Phase, Points, State, TallyFacts, Terms,
    as_many_as_dealt, broken, player_columns, counts_nothing, figure, figures, finish_hand, hand_of, hand_score,
    ensure_hand_started, misdealt, of_each_but, on_show, apply_reported_facts, pack, plus, ensure_dealt, rule, seat,
    settle, settlement_sheet, shuffle_and_deal, signed, singles, summary_of, the_dealer, unknown, lose_track,
    HandsInMatch,
)  # fmt: skip
from reducers.rules import Breach
from reducers.scoring import Penalty, sum_of
from reducers.words.bank import in_stock, most_chips
from reducers.words.totals import lies_open

# Setup
PACK = pack("A K Q J 10 9 8 7 6 5 4 3 2")
UNSEEN = PACK.unknown
DEAL = DealSpec(each=5, rest="stock")
ROUND = 5
RATES = {"linear": (1, 2, 3, 4, 5), "doubling": (1, 2, 4, 8, 16)}


class Options(Struct, frozen=True):
    """House rules of Put and Take."""

    rates: Annotated[
        Literal["linear", "doubling"], Meta(description="what the cards of a round cost: 1 2 3 4 5, or 1 2 4 8 16")
    ] = "linear"
    credit: Annotated[int, Meta(ge=1, le=1_000_000, description="chips that a credit is worth")] = 1
    hands: HandsInMatch = 10


SETUP, PLAY, VARIATION = "Setup", "Game play", "Variation"
RULES = Catalogue(
    "put-and-take",
    rule("R1", SETUP, CONSEQUENCE, "Five cards go to each player, none to the dealer.", "five each",
         {Deal: as_many_as_dealt}),
    rule("R2", PLAY, DUTY, "The dealer turns five cards one by one, then five more.", "turn a card"),
    rule("R3", PLAY, DUTY, "For each of the first five every player puts its rate into the pot for each card of its "
         "rank in the hand.", "put"),
    rule("R4", PLAY, DUTY, "For each of the other five every player takes as much.", "take"),
    rule("R5", PLAY, CONSEQUENCE, "The first five are put aside before the others are turned.", "five put aside"),
    rule("R6", PLAY, DUTY, "If the pot runs dry, the dealer pays the missing chips, and pays nothing before that.",
         "the dealer pays"),
    rule("R7", PLAY, CONSEQUENCE, "The dealer takes what is left in the pot.", "the rest of the pot"),
    rule("R8", VARIATION, CONSEQUENCE, "Each card of a round has its rate: 1 2 3 4 5, or 1 2 4 8 16.", "rates"),
    rule("R9", PLAY, CONSEQUENCE, "The hands are kept: a card in them counts again for each card of its rank.",
         "cards are kept"),
)  # fmt: skip

READINGS = {
    "A rank turned twice in a round": "costs each time what its place does",
    "Several are to be paid, and the pot is short": "the dealer makes good the rest; which of them the pot "
    "pays makes no difference",
    "A payment in parts": "is in order if the rest follows before the next card is turned",
    "Does the dealer put or take?": "no: the dealer has no cards, and wins what the others lose",
    "Who deals next?": "the next on the left",
    "The first dealer was not recorded": "the player who turns the first card",
    "How long is a match?": "is not said: after option hands the most chips win; hands=0 goes on until `end match`",
    "A player has too few chips": "is for the table to settle; a balance may be negative",
    "The pot at first": "is empty, so the dealer pays all if no player had to put",
    "A hand with recorded payments": "counts as they were paid, right or wrong; by the rules, as its cards show that "
    "they should have been",
    "Whether hands that were not shown paid what was due": "is asked once in a hand, and of a card if what was paid "
    "for it cannot go with the rest: for one seven, then for none",
    "Unrecorded payments": "follow from the cards if none of the hand was recorded; else nothing was paid for a card "
    "without one",
}


# The line of a score with what each seat should have won, if that is not what was paid.
BY_CARDS = "by the cards"


class Hand:
    """State of one hand: the cards turned, and what every player put or took for each of them.

    `rates` are the chips that the cards of a round cost. `written` is True if any payment was recorded, and `pot` is
    the height of the pot by these payments; `from_pot` and `from_dealer` have the chips paid for the last card.
    `lost` is True after unrecorded acts, `closed` if no payment for the tenth card is to come.
    `_dues` caches what is due for a card and a hand, at least and at most, by what is known of it.
    """

    def __init__(self, players: tuple[str, ...], rates: tuple[int, ...]) -> None:
        self.players, self.rates = players, rates
        self.turned: list[int] = []
        self.paid: dict[tuple[int, str], int] = {}
        self._dues: dict[tuple[int, ...], tuple[int, int]] = {}
        self.from_pot = self.from_dealer = self.pot = 0
        self.written = self.lost = self.closed = False


def start(state: State[Hand]) -> Hand:
    """The dealer turns the first card."""
    players = others(state.dealer, state)
    for player in players:
        state.table.bag(player)
    state.phase, state.turn = "put", (state.dealer, *players)
    options = state.terms.options
    return Hand(players, tuple(n * options.credit for n in RATES[options.rates]))


def others(dealer: str, state: State[Any]) -> tuple[str, ...]:
    """All seats but the dealer, from the dealer's left."""
    return tuple(s for s in state.terms.in_turn(state.terms.after(dealer)) if s != dealer)


def deals(state: State[Any]) -> str:
    """Seat of the dealer of the hand in play, or of the next one if that is over."""
    return deals_next_left(state) if state.settled and state.number else state.dealer


def deals_next_left(state: State[Any]) -> str:
    """Seat of the next dealer: to the left; the same after a misdeal."""
    return state.dealer if misdealt(state) else state.terms.after(state.dealer)


@RULES.check("R1", Deal)
def none_to_the_dealer(deal: Deal, state: State[Any]) -> CheckResult | None:
    dealer = deals(state)
    named = {name.removeprefix("hand:") for name, _ in deal.piles}
    # If all seats get cards, the dealer is among them.
    all_get = named.issuperset(state.terms.seats)
    wrong = all_get or (dealer in named and not is_dealer_open(state))
    return broken(f"{dealer} deals, and gets no cards") if wrong else None


# What follows from the cards
def due(player: str, at: int, state: State[Hand]) -> tuple[int, int]:
    """Chips that a player puts or takes for the card at this place: at least and at most."""
    hand, table = state.hand, state.table
    held = table.piles.get(player)
    if held is None:
        held = state.holding(player)
    rank, each = PACK.rank_of[hand.turned[at]], hand.rates[at % ROUND]
    if rank == "?":
        return 0, 3 * each
    if lies_open(held):
        count = (held.known & PACK.rank[rank]).bit_count()
        return count * each, count * each
    # Cached, as usually no more is known of a hidden hand than before.
    seen = (at, hand.turned[at], held.known, held.unseen, held.later, table.located, table.later)
    if not held.half and not held.vague and (kept := hand._dues.get(seen)) is not None:
        return kept
    low, high = held.how_many(PACK.rank[rank])
    owed = low * each, high * each
    if not held.half and not held.vague:
        hand._dues[seen] = owed
    return owed


def behind(player: str, state: State[Hand]) -> tuple[int, int]:
    """Chips that a player still puts or takes for the card turned last: at least and at most."""
    hand = state.hand
    if not hand.turned:
        return 0, 0
    at = len(hand.turned) - 1
    low, high = due(player, at, state)
    paid = hand.paid.get((at, player), 0)
    return max(0, low - paid), max(0, high - paid)


def in_all(first: int, after: int, state: State[Hand]) -> tuple[int, int]:
    """Chips put or taken by all players for the cards from `first` up to `after`, exclusive: at least and at most."""
    hand, low, high = state.hand, 0, 0
    for at in range(first, after):
        for player in hand.players:
            paid, (fewest, highest) = hand.paid.get((at, player), 0), due(player, at, state)
            low += fewest if fewest > paid else paid
            high += highest if highest > paid else paid
    return low, high


def in_pot(state: State[Hand], *, last: bool = False) -> tuple[int, int]:
    """Chips in the pot before any are taken for the card turned last, or after that if `last`: at least and at most."""
    upto = len(state.hand.turned)
    put = in_all(0, min(upto, ROUND), state)
    taken = in_all(ROUND, upto if last else upto - 1, state)
    return max(0, put[0] - taken[1]), max(0, put[1] - taken[0])


# Game play: the cards
@RULES.check("R2", Play)
def the_dealer_turns(play: Play, state: State[Hand]) -> CheckResult | None:
    if one_too_many(play, state):
        return broken("ten cards have been turned, and the hand is over")
    dealer = deals(state)
    if play.by != dealer:
        return unknown(WHO_DEALS) if is_dealer_open(state) else broken(f"{dealer} deals, and turns the cards")
    if play.src not in ("", "stock"):
        return broken("the cards are turned from the stock")
    return broken("the cards are turned one by one") if how_many(play.cards) not in (1, None) else None


def one_too_many(play: Play, state: State[Hand]) -> bool:
    """True if the dealer turns an eleventh card. After a misdeal the card belongs to the next hand, and so does a card
    that is not in the stock any more."""
    over = state.settled and bool(state.number) and not misdealt(state)
    return over and play.by == state.dealer and len(state.hand.turned) >= 2 * ROUND and in_stock(play.cards, state)


@RULES.check("R3", Play, when="put take")
def everybody_has_put(play: Play, state: State[Hand]) -> CheckResult | None:
    return nobody_is_behind(state) if 0 < len(state.hand.turned) <= ROUND else None


@RULES.check("R4", Play, when="take")
def everybody_has_taken(play: Play, state: State[Hand]) -> CheckResult | None:
    if len(state.hand.turned) <= ROUND:
        return None
    says = nobody_is_behind(state)
    if len(state.hand.turned) < 2 * ROUND - 1 or (says is not None and says.told):
        return says
    return hands_were_shown(state)


@RULES.check("R4", HandEvent, Deal, Play, End, Pass, when="last")
def everybody_has_taken_for_the_last(event: Event, state: State[Hand]) -> CheckResult | None:
    if isinstance(event, Play) and one_too_many(event, state):
        return None
    # An End with facts records a verdict and ends nothing. No chips are taken in a hand that does not count, or that
    # began after the match.
    nothing = state.ended or (isinstance(event, End) and (bool(event.facts) or event.why in ("misdeal", "void")))
    return None if nothing else nobody_is_behind(state)


def nobody_is_behind(state: State[Hand]) -> CheckResult | None:
    """Verdict, at the next event, on a player who has put or taken too little for the card turned last.

    With hidden hands that is open at every card. It is reported once in a hand (`hands_were_shown`), and for a card
    only if the payments for it contradict the others.
    """
    hand = state.hand
    if not hand.written or hand.lost:
        return None
    at, doubt, is_sure = len(hand.turned) - 1, "", True
    for player in hand.players:
        paid, (low, high) = hand.paid.get((at, player), 0), due(player, at, state)
        if paid < low:
            does = "put" if at < ROUND else "taken"
            short = f"{player} has {does} {paid or 'nothing'} of the {low} due for {PACK.shown(hand.turned[at])}"
            return broken(short, state.holding(player).certain, player, by=player)
        is_sure = is_sure and low == high
        if paid < high and not doubt:
            doubt = f"whether {player} had {'another' if paid else 'a'} card of the rank of {named(hand.turned[at])}"
    if not is_sure and (odd := at_odds(state)):
        return unknown(odd)
    return unknown(doubt, told=False) if doubt else None


def hands_were_shown(state: State[Hand]) -> CheckResult | None:
    """Open verdict, at the last card, on payments that the seen cards cannot confirm; None if all are confirmed."""
    hand = state.hand
    if not hand.written or hand.lost:
        return None
    seen = [at for at, code in enumerate(hand.turned) if PACK.rank_of[code] != "?"]
    hidden = [p for p in hand.players if any(low < high for low, high in (due(p, at, state) for at in seen))]
    if hidden:
        names = " and ".join(hidden)
        return unknown(f"whether {names} put and took what was due: the cards of {names} were not shown")
    return unknown("what was due for an unseen card") if len(seen) < len(hand.turned) else None


def at_odds(state: State[Hand]) -> str:
    """Text of a contradiction between payments for the last card and others, whatever the hidden hands are; else ""."""
    hand, at = state.hand, len(state.hand.turned) - 1
    ranks, does = [PACK.rank_of[code] for code in hand.turned], "put" if at < ROUND else "taken"
    rank, card = ranks[at], PACK.shown(hand.turned[at])
    alike, unsure = ranks.count(rank), False
    for player in hand.players if rank != "?" else ():
        low, high = due(player, at, state)
        if low == high:
            alike += low // hand.rates[at % ROUND]
            continue
        counts = [hand.paid.get((i, player), 0) // hand.rates[i % ROUND] for i in range(at + 1)]
        alike, unsure = alike + counts[at], True
        for i in range(at):
            if ranks[i] == rank and counts[i] != counts[at]:
                then = f"{counts[i] or 'none'} when {PACK.shown(hand.turned[i])} was turned"
                return f"{player} has {does} for {counts[at] or 'none'} of the rank of {card}, and for {then}"
        held = {one: n for one, n in zip(ranks, counts, strict=True) if one != "?"}
        if counts[at] and rank not in ranks[:at] and sum(held.values()) > DEAL.each:
            return f"{player} has put or taken for {sum(held.values())} cards, and holds {DEAL.each}"
    return f"more cards of the rank of {card} are paid for than there are" if unsure and alike > 4 else ""


@RULES.check("R5", Move)
def put_aside_after_five(move: Move, state: State[Hand]) -> CheckResult | None:
    if move.src != "board" or state.settled or state.hand.lost:
        return None
    if len(state.hand.turned) != ROUND:
        return broken("the first five cards are put aside when all five have been turned, and before the sixth")
    return broken("the first five cards are out of the game") if move.to not in ("dead", "discard") else None


@RULES.check("R9", Move)
def the_hands_are_kept(move: Move, state: State[Hand]) -> CheckResult | None:
    src = move.src.removeprefix("hand:") or move.by
    if state.settled or src not in state.hand.players:
        return None
    return broken(f"{src} keeps the cards, which count again for the cards still to come")


def named(code: int) -> str:
    """Name of a turned card in a question about its rank."""
    return "the unseen card" if code == PACK.unknown else PACK.shown(code)


def on_play(play: Play, state: State[Hand]) -> None:
    """Turn a card. The first five are put aside; after ten only payments for the last card are left."""
    if one_too_many(play, state):
        board = state.table.row("board")
        state.table.move(state.table.codes(play.cards, state.table.row("stock")), state.table.row("stock"), board)
        return
    no_more_payments(state)
    ensure_hand_started(state)
    ensure_dealt(state)
    hand, table = state.hand, state.table
    board, stock = table.row("board"), table.row("stock")
    if len(hand.turned) == ROUND:
        put_aside(state)
    codes = table.codes(play.cards, stock)
    table.move(codes, stock, board)
    hand.turned += codes or [UNSEEN]
    hand.from_pot = hand.from_dealer = 0
    if hand.lost:
        return
    state.phase = "put" if len(hand.turned) <= ROUND else "take"
    if len(hand.turned) >= 2 * ROUND:
        after_the_last_card(state)


def put_aside(state: State[Hand]) -> None:
    """Put the cards turned so far out of the game."""
    board = state.table.row("board")
    for code in board.codes()[::-1]:
        state.table.move([code], board, state.table.row("dead"), bottom=True)


def after_the_last_card(state: State[Hand]) -> None:
    """Score the hand; it is over if no player is owed chips, or if payments are not recorded."""
    hand = state.hand
    owed = [behind(player, state) for player in hand.players]
    known = all(low == high for low, high in owed)
    if hand.closed or (known and not (hand.written and any(high for _, high in owed))):
        hand.closed = True
        finish_hand(state)
        return
    state.phase, state.turn = "last", (state.dealer, *hand.players)
    state.settled = True
    settle(state)


def no_more_payments(state: State[Hand]) -> None:
    """Close the payments for the last card: a player who took nothing had nothing to take."""
    if state.number and state.phase == "last":
        state.hand.closed = True
        finish_hand(state)


def on_hand(event: HandEvent, state: State[Hand]) -> None:
    no_more_payments(state)
    new_hand(event, state)


def on_end(event: End, state: State[Hand]) -> None:
    """The hand or match is over by agreement; if all cards were turned, the hand is complete."""
    whole = state.phase == "last"
    no_more_payments(state)
    if not whole or event.what != "hand" or event.why in ("misdeal", "void"):
        COMMON[End](event, state)


def on_showing(show: Show, state: State[Hand]) -> None:
    """Cards shown after the last one may settle what was due."""
    on_show(show, state)
    if state.number and state.settled and len(state.hand.turned) >= 2 * ROUND:
        settle_again(state)


def settle_again(state: State[Hand]) -> None:
    """Score the hand again after new information."""
    if state.phase == "last":
        after_the_last_card(state)
    else:
        settle(state)


def on_gap(gap: Gap, state: State[Hand]) -> None:
    """After the last card a gap hides only payments for it."""
    if state.phase == "last":
        state.hand.lost = True
        settle(state)
    elif not state.settled:
        lose_track(state, "gap", lost=True)
        state.turn = state.terms.seats


# Game play: the chips
def payment(pay: Pay, state: State[Hand]) -> tuple[str, str, str]:
    """Player of a payment, "put" or "take", and its source (pot, dealer or ""); three "" for another matter."""
    src, to = pay.src.removeprefix("hand:"), pay.to.removeprefix("hand:")
    players = state.hand.players if state.number else ()
    giver = src or ("" if pay.by == "@" else pay.by)
    if to in players and (giver in ("", "pot", state.dealer) or (src == "" and pay.by == to)):
        return to, "take", "" if giver == to else giver
    if src == "pot" and not to and pay.by in players:
        return pay.by, "take", "pot"
    if giver in players and to in ("", "pot"):
        return giver, "put", ""
    return "", "", ""


@RULES.check("R3", Pay)
def as_much_as_is_put(pay: Pay, state: State[Hand]) -> CheckResult | None:
    player, does, _ = payment(pay, state)
    giver = pay.src.removeprefix("hand:") or pay.by
    if state.number and not state.settled and giver == state.dealer and pay.to in ("", "pot"):
        return unknown(WHO_DEALS) if state.dealer_is_guess else broken(f"{state.dealer} deals, and puts nothing")
    in_play = bool(state.number) and not state.settled
    if in_play and pay.to.removeprefix("hand:") == state.dealer and giver in state.hand.players:
        pot = f"what is put goes into the pot, not to {state.dealer}"
        late = len(state.hand.turned) > ROUND
        why = "only the dealer pays from the sixth card on" if late else pot
        return unknown(WHO_DEALS) if state.dealer_is_guess else broken(why)
    return not_due(player, does, pay.amount, state) if does == "put" else None


@RULES.check("R4", Pay)
def as_much_as_is_taken(pay: Pay, state: State[Hand]) -> CheckResult | None:
    player, does, _ = payment(pay, state)
    return not_due(player, does, pay.amount, state) if does == "take" else None


def not_due(player: str, does: str, amount: int, state: State[Hand]) -> CheckResult | None:
    """Verdict on the amount of a payment for the card turned last; None if right."""
    hand, at = state.hand, len(state.hand.turned) - 1
    if hand.lost:
        return unknown("which cards were turned before this")
    if at < 0 and does == "take" and state.scores and player == state.scores[-1].dealer:
        return unknown("whether this is what was left in the pot of the hand before")
    if at < 0:
        return broken("no card has been turned to pay for")
    if (does == "put") != (at < ROUND):
        return broken("the players put for the first five cards, and take from the sixth on")
    whole, (low, high) = hand.paid.get((at, player), 0) + amount, due(player, at, state)
    if whole > high:
        card, is_due = PACK.shown(hand.turned[at]), f"{high or 'nothing'} {'is' if high < 2 else 'are'} due"
        wrong = f"{player} {does}s {whole} for {card}, and {is_due}"
        return broken(wrong, state.holding(player).certain, player)
    if whole <= low:
        return None
    return unknown(f"how many cards of the rank of {named(hand.turned[at])} {player} held", told=False)


@RULES.check("R8", Pay)
def at_its_rate(pay: Pay, state: State[Hand]) -> CheckResult | None:
    """A payment is a multiple of the rate; the rest may follow until the next card is turned."""
    player, does, _ = payment(pay, state)
    hand, at = state.hand, len(state.hand.turned) - 1
    if not player or at < 0 or (does == "put") != (at < ROUND):
        return None
    whole = hand.paid.get((at, player), 0) + pay.amount
    wrong = at_another_rate(player, whole, state)
    if wrong is not None and whole < due(player, at, state)[1]:
        return unknown(f"whether {player} {does}s the rest: that may come later", told=False)
    return wrong


@RULES.check("R8", HandEvent, Deal, Play, End, Pass, when="put take last")
def paid_at_its_rate(event: Event, state: State[Hand]) -> CheckResult | None:
    """At the next event, payments for the card turned last must be complete."""
    hand, at = state.hand, len(state.hand.turned) - 1
    if at < 0 or not (isinstance(event, Play) or state.phase == "last") or state.ended:
        return None
    for player in hand.players:
        if (says := at_another_rate(player, hand.paid.get((at, player), 0), state)) is not None:
            return replace(says, by=player)
    return None


def at_another_rate(player: str, paid: int, state: State[Hand]) -> CheckResult | None:
    """Verdict on a sum that is no multiple of the last card's rate; None if the pot cannot pay all that is due."""
    hand, at = state.hand, len(state.hand.turned) - 1
    if hand.lost or paid % hand.rates[at % ROUND] == 0:
        return None
    if at >= ROUND:
        (low, high), (least, most) = in_pot(state), in_all(at, at + 1, state)
        if low < most:
            return unknown("what is in the pot", told=False) if high >= least else None
    card, each, does = PACK.shown(hand.turned[at]), hand.rates[at % ROUND], "puts" if at < ROUND else "takes"
    return broken(f"{card} counts {each} for each card of its rank, and {player} {does} {paid}")


@RULES.check("R6", Pay)
def the_pot_pays_first(pay: Pay, state: State[Hand]) -> CheckResult | None:
    """For each card the pot pays first, and the dealer pays the rest; the order of the payments makes no difference."""
    _, does, out_of = payment(pay, state)
    hand = state.hand
    if does != "take" or not out_of or len(hand.turned) <= ROUND:
        return None
    if hand.lost:
        return unknown("what is in the pot", told=False)
    low, high = in_pot(state)
    if out_of == "pot":
        if hand.from_pot + pay.amount > high:
            left = max(0, high - hand.from_pot)
            return broken(f"the pot is {'empty' if not left else f'down to {left}'}, and the dealer pays the rest")
        return unknown("what is in the pot", told=False) if hand.from_pot + pay.amount > low else None
    least, most = in_all(len(hand.turned) - 1, len(hand.turned), state)
    if hand.from_dealer + pay.amount > max(0, most - low):
        return broken(f"the pot has {low}, and pays first" if low else f"no more than {most} is due for this card")
    return unknown("what is in the pot", told=False) if hand.from_dealer + pay.amount > max(0, least - high) else None


@RULES.check("R7", Pay)
def the_rest_is_the_dealers(pay: Pay, state: State[Hand]) -> CheckResult | None:
    if not takes_the_rest(pay, state):
        return None
    if not state.settled:
        early = "the dealer takes what is left in the pot once ten cards are turned"
        return unknown("which cards were turned before this") if state.hand.lost else broken(early)
    low, high = in_pot(state, last=True)
    if not low <= pay.amount <= high:
        left = f"{low}" if low == high else f"{low} to {high}"
        return broken(f"what is left in the pot is {left}")
    return unknown("what is in the pot", told=False) if low < high else None


def takes_the_rest(pay: Pay, state: State[Hand]) -> bool:
    """True if the dealer takes chips out of the pot."""
    to = pay.to.removeprefix("hand:") or pay.by
    return bool(state.number) and pay.src == "pot" and to == state.dealer


def on_pay(pay: Pay, state: State[Hand]) -> None:
    """Note a payment of chips. Once all cards are turned, it may settle what was due for the last card."""
    if not state.number or not state.hand.turned:
        return
    hand, (player, does, out_of) = state.hand, payment(pay, state)
    at = len(hand.turned) - 1
    if player and (does == "put") == (at < ROUND):
        note_payment(player, pay.amount, out_of, state)
    if state.settled and takes_the_rest(pay, state):
        no_more_payments(state)
    elif state.phase == "last":
        if not any(behind(one, state)[1] for one in hand.players):
            no_more_payments(state)
    elif state.settled and at + 1 >= 2 * ROUND:
        settle(state)


def note_payment(player: str, amount: int, out_of: str, state: State[Hand]) -> None:
    """Note a payment for the card turned last."""
    hand, at = state.hand, len(state.hand.turned) - 1
    hand.paid[at, player] = hand.paid.get((at, player), 0) + amount
    hand.written = True
    hand.pot += amount if at < ROUND else -amount if out_of == "pot" else 0
    hand.from_pot += amount if out_of == "pot" else 0
    hand.from_dealer += amount if out_of == state.dealer else 0


# Scoring
def the_dealer_neither_puts_nor_takes(known: Mapping[str, Any], state: State[Hand]) -> str:
    guess = "" if is_dealer_open(state) else deals(state) if is_for_next_hand(state) else state.dealer
    dealer = known.get("dealer") or guess
    wrong = [key for key in (f"put.{dealer}", f"take.{dealer}") if known.get(key)]
    return f"{dealer} deals, and neither puts nor takes" if wrong else ""


@cache
def what_five_cards_make(rates: tuple[int, ...]) -> frozenset[tuple[int, int]]:
    """All pairs of sums that a hand may put and take. Further cards of each rank in it may be turned at any places."""
    out = set[tuple[int, int]]()
    for held in ((3, 2), (3, 1, 1), (2, 2, 1), (2, 1, 1, 1), (1, 1, 1, 1, 1)):
        # For each rank the cards held and still to be turned, with what was put and taken so far.
        ways = {(tuple((n, 4 - n) for n in held), 0, 0)}
        for at in range(2 * ROUND):
            further = set(ways)
            for ranks, put, take in ways:
                for i, (n, left) in enumerate(ranks):
                    if left:
                        rest = tuple(sorted((*ranks[:i], (n, left - 1), *ranks[i + 1 :])))
                        paid = n * rates[at % ROUND]
                        further.add((rest, put + paid, take) if at < ROUND else (rest, put, take + paid))
            ways = further
        out.update((put, take) for _, put, take in ways)
    return frozenset(out)


def most(terms: Terms) -> int:
    """The most that one player can put or take."""
    return max(put for put, _ in what_five_cards_make(RATES[terms.options.rates])) * int(terms.options.credit)


def no_five_cards_make_it(known: Mapping[str, Any], state: State[Hand]) -> str:
    """Return an error text if no hand makes the reported sums that a player put and took, else ""."""
    credit = state.terms.options.credit
    made = what_five_cards_make(RATES[state.terms.options.rates])
    for player in state.terms.seats:
        put, take = known.get(f"put.{player}"), known.get(f"take.{player}")
        if not any(put in (None, credit * one) and take in (None, credit * other) for one, other in made):
            told = " and ".join(f"{does} {n}" for does, n in (("put", put), ("take", take)) if n is not None)
            return f"{player} cannot {told}: no five cards make it"
    return ""


def more_than_there_is(known: Mapping[str, Any], state: State[Hand]) -> str:
    """Return an error text if more is put or taken in all than three cards of each turned rank make, else ""."""
    options = state.terms.options
    whole = 3 * sum(RATES[options.rates]) * options.credit
    for key, does in (("put", "put"), ("take", "taken")):
        told = sum(n for s in state.terms.seats if type(n := known.get(f"{key}.{s}")) is int)
        if told > whole:
            return f"{told} are {does}, and the cards of a hand cannot make more than {whole}"
    return ""


class Tally(TallyFacts):
    """What a hand of Put and Take is scored from."""

    dealer: str = the_dealer(seat("player who dealt the hand"))
    put: Points = of_each_but("dealer", figures("chips that a player put into the pot in all", 0, most, rule="R3"))
    take: Points = of_each_but("dealer", figures("chips that a player took in all", 0, most, rule="R4"))

    laws = (
        Law(("dealer", "put", "take"), the_dealer_neither_puts_nor_takes, "R1"),
        Law(("put", "take"), more_than_there_is, "R8"),
        Law(("put", "take"), no_five_cards_make_it, "R9"),
    )


class Chips(Struct):
    """Chips that a player puts or takes for each of the ten cards: `least` and `most` by the rules, and `moved`.

    `moved` is what was paid, right or wrong, or follows from the cards if no payment of the hand was recorded. None if
    that is open.
    """

    least: list[int]
    most: list[int]
    moved: list[int] | None = None


def chips_of(player: str, state: State[Hand]) -> Chips:
    """The chips of a player in a hand with ten cards turned; a payment for the last card may still come."""
    hand, held = state.hand, state.holding(player)
    ranks = [PACK.rank_of[code] for code in hand.turned[: 2 * ROUND]]
    rates = hand.rates + hand.rates
    if lies_open(held) and "?" not in ranks:
        owed = [(held.known & PACK.rank[rank]).bit_count() * each for rank, each in zip(ranks, rates, strict=True)]
        chips = Chips(owed, owed)
    else:
        dues = [due(player, at, state) for at in range(2 * ROUND)]
        chips = Chips([low for low, _ in dues], [high for _, high in dues])
    if not hand.written:
        chips.moved = chips.least if chips.least == chips.most else None
        return chips
    paid = [hand.paid.get((at, player), 0) for at in range(2 * ROUND)]
    if not hand.closed:
        if chips.least[-1] < chips.most[-1] and paid[-1] < chips.most[-1]:
            return chips
        paid[-1] = max(paid[-1], chips.least[-1])
    if chips.least == chips.most or can_all_be_right(paid, chips, ranks, rates):
        chips.moved = paid
    return chips


def can_all_be_right(paid: list[int], chips: Chips, ranks: list[str], rates: tuple[int, ...]) -> bool:
    """Return False if the payments for cards of an unseen hand contradict each other: one may be recorded wrong."""
    # A hand is kept, so it has as many cards of a rank each time.
    counts: dict[str, int] = {}
    for n, low, high, rank, each in zip(paid, chips.least, chips.most, ranks, rates, strict=True):
        count, part = divmod(n, each)
        if low < high and (part or not low <= n <= high or (rank != "?" and counts.setdefault(rank, count) != count)):
            return False
    return sum(counts.values()) <= DEAL.each


def chips_of_each(state: State[Hand]) -> dict[str, Chips]:
    """The chips of each player; empty if not all ten cards are recorded."""
    whole = len(state.hand.turned) >= 2 * ROUND and not state.hand.lost
    return {player: chips_of(player, state) for player in state.hand.players if whole}


def tally(state: State[Hand]) -> Tally:
    """Tally of the hand in play: from its payments or, if none was recorded, from its cards; overridden by a `tally`
    event."""
    return tally_of(chips_of_each(state), state)


def tally_of(chips: Mapping[str, Chips], state: State[Hand]) -> Tally:
    """The same from the chips of each player."""
    t = Tally(state.dealer, dict.fromkeys(state.terms.seats), dict.fromkeys(state.terms.seats))
    t.put[state.dealer] = t.take[state.dealer] = 0
    moved = {player: each.moved for player, each in chips.items() if each.moved is not None}
    for player in moved.keys() - paid_for_too_many(moved, state):
        t.put[player], t.take[player] = sum(moved[player][:ROUND]), sum(moved[player][ROUND:])
    return apply_reported_facts(t, state)


def paid_too_much(chips: Chips) -> int:
    """Chips that a player lost, or won if below 0, by payments that the cards prove wrong."""
    if chips.moved is None or chips.moved == chips.least:
        return 0
    bounds = zip(chips.moved, chips.least, chips.most, strict=True)
    wrong = [n - low if low == high else 0 for n, low, high in bounds]
    return sum(wrong[:ROUND]) - sum(wrong[ROUND:])


def paid_for_too_many(of_each: Mapping[str, Sequence[int]], state: State[Hand]) -> set[str]:
    """Players of unseen hands who have paid for more cards of a rank than there are in all: one of them paid wrongly.

    `of_each` has what each player put or took for the ten cards.
    """
    hand, doubted = state.hand, set[str]()
    ranks = [PACK.rank_of[code] for code in hand.turned[: 2 * ROUND]]
    for at, rank in enumerate(ranks):
        counts = {player: amounts[at] // hand.rates[at % ROUND] for player, amounts in of_each.items()}
        if rank != "?" and ranks.count(rank) + sum(counts.values()) > 4:
            for player, count in counts.items():
                low, high = due(player, at, state)
                doubted |= {player} if count and low < high else set()
    return doubted


def score(state: State[Hand]) -> HandScore:
    """Score of the hand in play, as far as it is recorded; the dealer wins what the others lose."""
    chips = chips_of_each(state)
    t = tally_of(chips, state)
    dealer = t.dealer or state.dealer
    t.put[dealer], t.take[dealer] = t.put.get(dealer) or 0, t.take.get(dealer) or 0
    unfinished = None in (*t.put.values(), *t.take.values())
    if nothing := counts_nothing(state, t.void, unfinished=unfinished, then="every chip goes back"):
        return nothing
    points: Points = {s: plus(t.take.get(s), minus(t.put.get(s))) for s in state.terms.seats}
    points[dealer] = minus(sum_of(n for s, n in points.items() if s != dealer))
    known = {s: n for s, n in points.items() if n is not None}
    sums = {s: f"{figure(t.take[s])} − {figure(t.put[s])} = {signed(n) if n else 0}" for s, n in known.items()}
    lines = [ScoreLine("put", t.put), ScoreLine("taken", t.take), ScoreLine("won", points, {**sums, dealer: "dealt"})]
    wrong = {s: lost for s, each in chips.items() if (lost := paid_too_much(each))}
    if wrong and not state.tallies:
        due = {s: plus(n, wrong.get(s, -sum(wrong.values()) if s == dealer else 0)) for s, n in points.items()}
        lines.append(ScoreLine(BY_CARDS, due))
    missing = [s for s, n in points.items() if n is None and s != dealer]
    return hand_score(state, points, lines, unknown=[f"what {' and '.join(missing)} put and took"] if missing else [])


def put_right(state: State[Hand], breaches: Sequence[Breach]) -> Iterator[Penalty]:
    """By the rules the chips of a hand with proven wrong payments go as its cards say."""
    for score in state.scores:
        due = next((line.amounts for line in score.lines if line.label == BY_CARDS), {})
        wrong = [b for b in breaches if b.hand == score.number and b.rule.partition(".")[2] in ("R3", "R4", "R8")]
        change = {s: n - (score.points[s] or 0) for s, n in due.items() if n is not None and n != score.points[s]}
        for breach in wrong[:1] if change else ():
            told = ", ".join(f"{state.terms.name(s)} {signed(n)}" for s, n in change.items())
            yield Penalty(breach.hand, breach.pos, breach.rule, {"points": change}, f"as the cards say, {told}")


def minus(n: int | None) -> int | None:
    """The negated amount; None if unknown."""
    return None if n is None else -n


# At the table
def the_next_card(seat: str, state: State[Hand]) -> Iterator[Event]:
    """The top card of the stock, as far as known, turned by any seat, also as a wrong act to try."""
    stock = state.table.piles.get("stock")
    card = PACK.tokens[stock.row[-1]] if stock is not None and stock.row else "??"
    yield Play(by=seat, cards=(card,), src="stock")


def what_is_due(seat: str, state: State[Hand]) -> Iterator[Event]:
    """Chips that a player still puts or takes for the last card, and more than that as a wrong act to try."""
    hand = state.hand
    if not hand.turned or seat not in hand.players:
        return
    at = len(hand.turned) - 1
    left, pot = behind(seat, state)[0], in_pot(state)[0] - hand.from_pot
    amounts = [left, left + hand.rates[at % ROUND]] if left else [hand.rates[at % ROUND]]
    if at >= ROUND and pot > 0:
        amounts = sorted({min(amount, pot) for amount in amounts})
    for amount in amounts:
        if at < ROUND:
            yield Pay(by=seat, amount=amount, to="pot")
        elif pot > 0:
            yield Pay(by=seat, amount=amount, src="pot")
        else:
            yield Pay(by=state.dealer, amount=amount, to=hand_of(seat))


def top_known(state: State[Hand], seat: str) -> bool:
    """True if the next card and all hands are known."""
    stock = state.table.piles.get("stock")
    if stock is None or not stock.row or stock.row[-1] >= PACK.unknown:
        return False
    return all(state.holding(player).complete for player in state.hand.players)


def weigh(state: State[Hand], event: Event) -> float:
    """Weight of an event in simulation: players put and take what is due before the next card is turned."""
    return 1e-9 if isinstance(event, Play) and any(behind(player, state)[0] for player in state.hand.players) else 1.0


def expand_shorthand(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """Expand shorthand: a bare card is turned from the stock; `B pay 3` puts chips for the first five cards, and
    takes them for the others, out of the pot if it has as many, else from the dealer."""
    if isinstance(event, Play) and not event.src:
        return (replace(event, src="stock"),)
    if not isinstance(event, Pay) or event.src or event.to or not state.number or event.by not in state.hand.players:
        return (event,)
    if len(state.hand.turned) <= ROUND:
        return (replace(event, to="pot"),)
    # Chips recorded as put are in the pot, though more may have been taken.
    pot = max(in_pot(state)[0] - state.hand.from_pot, state.hand.pot)
    if pot >= event.amount:
        return (replace(event, src="pot"),)
    return (Pay(by="@" if pot > 0 else state.dealer, amount=event.amount, to=hand_of(event.by)),)


def turns_or(does: str) -> Callable[[State[Any]], str]:
    """Function that names the next act of a round: the dealer turns a card, or a player puts or takes chips."""
    return lambda state: f"{state.dealer} to turn a card, or a player to {does}"


def headline(state: State[Hand]) -> dict[str, Any]:
    """Number of cards turned, and the height of the pot, for the headline."""
    if not state.number or state.hand.lost:
        return {}
    low, high = in_pot(state, last=True)
    told = low if low == high else f"{state.hand.pot} as it was paid" if state.hand.written else f"{low} to {high}"
    return {"turned": len(state.hand.turned), "pot": told}


def last_outcome_text(state: State[Hand]) -> str:
    """Chips that each player puts or takes for the card just turned, in words, as far as known."""
    hand = state.hand
    if not state.number or not hand.turned or hand.lost:
        return ""
    does = "puts" if len(hand.turned) <= ROUND else "takes"
    owed = ((player, behind(player, state)[0]) for player in hand.players)
    return ", ".join(f"{player} {does} {low}" for player, low in owed if low)


GAME = Game(
    key="put-and-take", name="Put and Take", family="bank", summary=summary_of(__doc__),
    seating=singles(4, 2, 3, 5, 6, 7, 8, 9, how="one of them the dealer"), pack=PACK,
    dealing=Dealing(
        deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next_left, chance=shuffle_and_deal,
        playing=lambda state: others(deals(state), state),
    ),
    options=Options, rules=RULES, readings=READINGS,
    start=start,
    phases={
        "put": Phase("the put round", (Play, Pay), "a card turned by the dealer (6c), or what a player puts (B pay 2)",
                     to_do="turn a card or pay", tries=(the_next_card, what_is_due), asked=turns_or("put")),
        "take": Phase("the take round", (Play, Pay),
                      "a card turned by the dealer (6c), or what a player takes (B pay 2)",
                      to_do="turn a card or pay", tries=(the_next_card, what_is_due), asked=turns_or("take")),
        "last": Phase("the last payments", (Play, Pay, Pass),
                      "what a player takes for the last card (B pay 5), or . if that is all",
                      default_act=lambda state: Pass(by=state.dealer), to_do="settle", tries=(what_is_due,),
                      asked=lambda state: "a player to take what is due for the last card"),
        "between": Phase("between two hands", (Play, Pay, Pass), "the next hand"),
        "gap": Phase("after a gap", (Play, Pay, Pass), "whatever comes next", to_do="go on"),
    },
    on={Play: on_play, Pay: on_pay, Pass: lambda act, state: no_more_payments(state),
        Show: on_showing, HandEvent: on_hand, End: on_end, Gap: on_gap},
    judging=Judging(penalties=put_right),
    tally=Tally, compute_tally=tally, score=score, after=most_chips, match=MatchRules(open_table=True),
    sheet=settlement_sheet(player_columns()),
    omissions=Omissions(often_omitted_rules=frozenset(("R7","R8"))),
    shorthand=Shorthand(
        expand=expand_shorthand, implied_actor=lambda state, kind: (state.dealer,) if kind is Play else state.turn,
        verbs={Play: "turns", Pass: "has paid all"},
    ),
    display=Display(headline=headline, last_outcome_text=last_outcome_text),
    simulation=Simulation(knows_all_choices=top_known, weigh=weigh),
)  # fmt: skip
