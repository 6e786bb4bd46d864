"""Put and Take: the dealer turns five cards for which the others pay a pot, and five for which they are paid out of it;
nobody has a choice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from events.model import Deal, Event, Gap, Pay, Play
from reducers.page import (
    CONSEQUENCE, DUTY, Catalogue, CheckResult, Dealt, Game, HandScore, Line, Phase, Points, State, TallyFacts,
    as_many_as_dealt, broken, columns, counts_nothing, figure, figures, finish_hand, hand_of, hand_score, left_open, misdealt,
    overlaid, pack, ready, rule, settle, settlement, shuffle_and_deal, signed, singles, summary_of, unknown, why_void,
)  # fmt: skip
from reducers.words.bank import most_chips

# Setup
PACK = pack("A K Q J 10 9 8 7 6 5 4 3 2")
DEAL = Dealt(each=5, rest="stock")
ROUND = 5
RATES = {"linear": (1, 2, 3, 4, 5), "doubling": (1, 2, 4, 8, 16)}


class Options(Struct, frozen=True):
    """House rules of Put and Take."""

    rates: Annotated[
        Literal["linear", "doubling"], Meta(description="what the cards of a round cost: 1 2 3 4 5, or 1 2 4 8 16")
    ] = "linear"
    credit: Annotated[int, Meta(ge=1, le=1_000_000, description="chips that a credit is worth")] = 1
    hands: Annotated[int, Meta(ge=0, le=999, description="hands in a match; 0 for an evening without a fixed end")] = 10


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
    rule("R6", PLAY, DUTY, "If the pot runs dry, the dealer pays what is missing, and nothing before that.",
         "the dealer pays"),
    rule("R7", PLAY, CONSEQUENCE, "What is left in the pot is the dealer's.", "the rest of the pot"),
    rule("R8", VARIATION, CONSEQUENCE, "A round may cost 1 2 4 8 16 in place of 1 2 3 4 5.", "rates"),
    rule("R9", PLAY, CONSEQUENCE, "The hands are kept: a card in them counts again for each card of its rank.",
         "cards are kept"),
)  # fmt: skip

READINGS = {
    "A rank turned twice in a round": "costs each time what its place does",
    "Several are to be paid, and the pot is short": "in turn from the dealer's left; the dealer makes good the rest",
    "Does the dealer put or take?": "no, for want of cards; what the others lose the dealer wins",
    "Who deals next?": "the next on the left",
    "How long is a match?": "is not said: after option hands the most chips win; hands=0 goes on until `end match`",
    "Nobody has enough chips": "is left to the table; a balance may be below nothing",
    "The pot at first": "is empty, so that the dealer pays all if nobody had to put",
    "Hands that nobody showed": "are worth what was paid for them; who paid nothing for a card had none of its rank",
    "Payments that nobody wrote": "follow from the cards; those that are written are compared with them",
}
WORDS = {"void": "end: the hand does not count", "misdeal": "end: the hand is dealt again"}


class Hand:
    """One hand: the cards turned, and for each of them what each player paid (less than nothing: was paid) for it.

    `out` is what came out of the pot, `written` whether any payment was; `lost` says that cards went by unrecorded.
    """

    __slots__ = ("lost", "out", "paid", "turned", "written")

    def __init__(self, state: State[Hand]) -> None:
        self.turned: list[int] = []
        self.paid: list[dict[str, int]] = []
        self.out, self.written, self.lost = 0, False, False


def start(state: State[Hand]) -> Hand:
    """The dealer turns the first card."""
    for player in dealt_in(state):
        state.table.bag(player)
    state.phase, state.turn = "put", (state.dealer, *dealt_in(state))
    return Hand(state)


def dealt_in(state: State[Any]) -> tuple[str, ...]:
    """Everybody but the dealer."""
    dealer = deals_after(state) if state.settled and state.number else state.dealer
    return tuple(s for s in state.terms.in_turn(state.terms.after(dealer)) if s != dealer)


def deals_after(state: State[Any]) -> str:
    """The next on the left deals, after a misdeal the same again."""
    return state.dealer if misdealt(state) else state.terms.after(state.dealer)


def rate(at: int, state: State[Hand]) -> int:
    """What the card in this place costs, from 0 on, in chips."""
    options = state.terms.options
    return RATES[options.rates][at % ROUND] * int(options.credit)


def due(player: str, at: int, state: State[Hand]) -> tuple[int, int]:
    """What a player owes, or is owed, for the card in this place: at least and at most."""
    card = state.hand.turned[at]
    if PACK.rank_of[card] == "?":
        return 0, rate(at, state) * 4
    low, high = state.holding(player).how_many(PACK.rank[PACK.rank_of[card]])
    return low * rate(at, state), high * rate(at, state)


# Game play: the cards
@RULES.check("R2", Play)
def the_dealer_turns(play: Play, state: State[Hand]) -> CheckResult | None:
    if play.by != state.dealer:
        return unknown("who deals was not recorded") if state.guessed else broken(f"{state.dealer} deals, and turns the cards")
    return broken("the cards are turned from the stock") if play.src not in ("", "stock") else None


@RULES.check("R3", Play, when="put take")
def everybody_has_put(play: Play, state: State[Hand]) -> CheckResult | None:
    return nobody_is_behind(state) if 0 < len(state.hand.turned) <= ROUND else None


@RULES.check("R4", Play, when="take")
def everybody_has_taken(play: Play, state: State[Hand]) -> CheckResult | None:
    return nobody_is_behind(state) if len(state.hand.turned) > ROUND else None


def nobody_is_behind(state: State[Hand]) -> CheckResult | None:
    """The next card is turned: where payments are written, nobody has paid or got too little for the last one."""
    hand = state.hand
    if not hand.written or hand.lost:
        return None
    at, doubt = len(hand.turned) - 1, ""
    for player in dealt_by(state):
        paid, (low, high) = abs(hand.paid[at].get(player, 0)), due(player, at, state)
        card = PACK.shown(hand.turned[at])
        if paid < low:
            does = "paid" if at < ROUND else "got"
            return broken(f"{player} {does} {figure(paid)} for {card}, and {low} were due", state.holding(player).certain, player)
        if paid < high and not doubt:
            doubt = f"whether {player} had another card of the rank of {card}"
    return unknown(doubt) if doubt else None


def on_play(play: Play, state: State[Hand]) -> None:
    """A card is turned. After five they are put aside, after ten the hand is over."""
    ready(state)
    hand, table = state.hand, state.table
    board, stock = table.row("board"), table.row("stock")
    if len(hand.turned) == ROUND:
        table.move(board.codes(), board, table.row("dead"))
    codes = table.codes(play.cards[:1], stock)
    table.move(codes, stock, board)
    hand.turned.append(codes[0] if codes else PACK.unknown)
    hand.paid.append({})
    state.phase = "put" if len(hand.turned) < ROUND else "take"
    state.turn = (state.dealer, *dealt_by(state))
    if len(hand.turned) == 2 * ROUND:
        finish_hand(state)


def on_gap(gap: Gap, state: State[Hand]) -> None:
    """Cards went by: which cards are the first five, and what was paid, nobody can say."""
    if state.number and not state.settled:
        state.hand.lost = True


# Game play: the chips
def payment(pay: Pay, state: State[Hand]) -> tuple[str, int, bool]:
    """Whose payment it is, what it brings that player, and whether it is the pot's; nobody's if it is another matter."""
    src, to = pay.src.removeprefix("hand:"), pay.to.removeprefix("hand:")
    players = [s for s in state.terms.seats if s != state.dealer]
    if src == "pot" or (pay.by == "@" and not src and to in players):
        return (to if to in players else ""), pay.amount, True
    if pay.by == state.dealer and to in players:
        return to, pay.amount, False
    if pay.by in players and to in ("", "pot"):
        return pay.by, -pay.amount, True
    return "", 0, False


def in_pot(state: State[Hand]) -> tuple[int, int]:
    """What lies in the pot, at least and at most."""
    hand, low, high = state.hand, 0, 0
    for at in range(min(len(hand.turned), ROUND)):
        for player in dealt_by(state):
            put, (least, most) = -hand.paid[at].get(player, 0), due(player, at, state)
            # Who writes no payment where payments are written has paid nothing, as far as that can be.
            low, high = low + max(least, put), high + max(least, put if hand.written else most)
    return low - hand.out, high - hand.out


def dealt_by(state: State[Hand]) -> tuple[str, ...]:
    """The players of the hand in play, or just played."""
    return tuple(s for s in state.terms.in_turn(state.terms.after(state.dealer)) if s != state.dealer)


@RULES.check("R3", Pay)
def as_much_as_is_put(pay: Pay, state: State[Hand]) -> CheckResult | None:
    player, amount, _ = payment(pay, state)
    return not_due(player, -amount, state) if player and amount < 0 else None


@RULES.check("R4", Pay)
def as_much_as_is_taken(pay: Pay, state: State[Hand]) -> CheckResult | None:
    player, amount, _ = payment(pay, state)
    return not_due(player, amount, state) if player and amount > 0 else None


def not_due(player: str, amount: int, state: State[Hand]) -> CheckResult | None:
    """What is wrong with a payment for the card turned last."""
    hand = state.hand if state.number else None
    if hand is None or not hand.turned:
        return broken("no card has been turned to pay for")
    if hand.lost:
        return unknown("cards were turned before this that nobody recorded")
    at = len(hand.turned) - 1
    card, each = PACK.shown(hand.turned[at]), rate(at, state)
    whole = abs(hand.paid[at].get(player, 0)) + amount
    low, high = due(player, at, state)
    does = "pays" if at < ROUND else "gets"
    if at < ROUND and whole % each:
        return broken(f"{card} costs {each} for each card of its rank, and {player} {does} {whole}")
    if whole > high:
        return broken(f"{player} {does} {whole} for {card}; due is {high}", state.holding(player).certain, player)
    return unknown(f"how many cards of the rank of {card} {player} held") if whole > low else None


@RULES.check("R6", Pay)
def the_pot_pays_first(pay: Pay, state: State[Hand]) -> CheckResult | None:
    player, amount, pot = payment(pay, state)
    if not player or amount <= 0 or not state.number:
        return None
    if state.hand.lost:
        return unknown("what lies in the pot")
    low, high = in_pot(state)
    if pot and amount > high:
        return broken(f"there are {figure(max(high, 0))} in the pot, and the dealer pays the rest")
    if not pot and low > 0:
        return broken(f"there are {low} in the pot, which pays first")
    return unknown("what lies in the pot") if (amount > low if pot else high > 0) else None


@RULES.check("R7", Pay)
def the_rest_is_the_dealers(pay: Pay, state: State[Hand]) -> CheckResult | None:
    if not state.number or pay.src != "pot" or pay.to.removeprefix("hand:") != state.dealer:
        return None
    if not state.settled:
        return broken("what is left in the pot is the dealer's once all cards are turned")
    if state.hand.lost:
        return unknown("what lies in the pot")
    low, high = in_pot(state)
    if not low <= pay.amount <= high:
        return broken(f"there are {figure(max(low, 0))} left in the pot")
    return unknown("what lies in the pot") if low < high else None


def on_pay(pay: Pay, state: State[Hand]) -> None:
    """Chips change hands; once all cards are turned, the hand is worth something else by them."""
    if not state.number:
        return
    player, amount, pot = payment(pay, state)
    hand = state.hand
    if player and hand.turned:
        paid = hand.paid[len(hand.turned) - 1]
        paid[player] = paid.get(player, 0) + amount
        hand.written = True
        hand.out += amount if pot and amount > 0 else 0
    if state.settled and state.phase == "between":
        settle(state)


# Scoring
class Tally(TallyFacts):
    """What a hand of Put and Take is scored from."""

    put: Points = figures("chips that a player put into the pot", 0, rule="R3")
    take: Points = figures("chips that a player took", 0, rule="R4")
    void: str = why_void("misdeal: the hand does not count")


def tally(state: State[Hand]) -> Tally:
    """The tally of the hand in play: from its cards or, where they were not seen, from what was paid; overlaid by what a
    `tally` says."""
    hand = state.hand
    whole = len(hand.turned) == 2 * ROUND and not hand.lost
    nobody: Points = dict.fromkeys(state.terms.seats)
    t = Tally(put={**nobody, state.dealer: 0}, take={**nobody, state.dealer: 0})
    for player in dealt_by(state) if whole else ():
        dues = [due(player, at, state) for at in range(2 * ROUND)]
        paid = [abs(one.get(player, 0)) for one in hand.paid]
        sure = all(low == high for low, high in dues)
        amounts = [low for low, _ in dues] if sure else paid
        if sure or hand.written:
            t.put[player], t.take[player] = sum(amounts[:ROUND]), sum(amounts[ROUND:])
    return overlaid(t, state)


def score(state: State[Hand]) -> HandScore:
    """What each has won or lost as far as the hand was recorded."""
    t, dealer = tally(state), state.dealer
    nothing = counts_nothing(state, t.void, unfinished=None in (*t.put.values(), *t.take.values()))
    if nothing is not None:
        return nothing
    points: Points = {}
    for player in dealt_by(state):
        put, take = t.put.get(player), t.take.get(player)
        points[player] = None if put is None or take is None else take - put
    others = list(points.values())
    points[dealer] = None if None in others else -sum(n for n in others if n is not None)
    points = {s: points[s] for s in state.terms.seats}
    told = {s: f"{figure(t.take.get(s))} − {figure(t.put.get(s))}" for s in points if s != dealer}
    sums = {s: f"{text} = {signed(points[s])}" for s, text in told.items() if points[s] is not None}
    lines = (Line("put", t.put), Line("taken", t.take), Line("won", points, {**sums, dealer: "the dealer"}))
    return hand_score(state, points, lines, unknown=["what everybody put and took"] if None in points.values() else [])


# At the table
def the_next_card(seat: str, state: State[Hand]) -> Iterator[Event]:
    """The card on top of the stock, as far as it is known; turned by somebody else, to be tried as well."""
    stock = state.table.piles.get("stock")
    card = PACK.tokens[stock.row[-1]] if stock is not None and stock.row else "??"
    yield Play(by=seat, cards=(card,), src="stock")


def what_is_due(seat: str, state: State[Hand]) -> Iterator[Event]:
    """What a player still puts or takes for the last card, and more than that, to be tried as well."""
    hand = state.hand
    if not hand.turned or hand.lost or seat == state.dealer:
        return
    at, pot = len(hand.turned) - 1, in_pot(state)[0]
    each, left = rate(at, state), due(seat, at, state)[0] - abs(hand.paid[at].get(seat, 0))
    for amount in (left, left + each) if left > 0 else (each,):
        if at < ROUND:
            yield Pay(by=seat, amount=amount, to="pot")
        elif pot > 0:
            yield Pay(by="@", amount=min(amount, pot), src="pot", to=hand_of(seat))
        else:
            yield Pay(by=state.dealer, amount=amount, to=hand_of(seat))


def top_known(state: State[Hand], seat: str) -> bool:
    """Whether it is known which card is turned next."""
    stock = state.table.piles.get("stock")
    row = stock.row if stock is not None else None
    return bool(row) and row is not None and row[-1] < PACK.unknown


def usual(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """A bare card is turned from the stock; `B pay 3` for one of the last five is paid to B."""
    if isinstance(event, Play) and not event.src and len(event.cards) == 1:
        return (replace(event, src="stock"),)
    if isinstance(event, Pay) and not event.src and not event.to and event.by not in ("@", state.dealer):
        if state.number and len(state.hand.turned) > ROUND:
            return (Pay(by="@", amount=event.amount, src="pot", to=hand_of(event.by)),)
        return (replace(event, to="pot"),)
    return (event,)


GAME = Game(
    key="put-and-take", name="Put and Take", summary=summary_of(__doc__), players="2 to 9, one of them the dealer",
    seating=singles(4, 2, 3, 5, 6, 7, 8, 9), pack=PACK, deal=DEAL, options=Options, rules=RULES, readings=READINGS,
    tally=Tally, told=tally, words=WORDS, playing=dealt_in,
    phases={
        "put": Phase("the put round", (Play, Pay), "a card turned by the dealer (6c), or what somebody puts: B pay 2",
                     to_do="turn a card", one_card=False, tries=(the_next_card, what_is_due)),
        "take": Phase("the take round", (Play, Pay), "a card turned by the dealer (6c), or what somebody takes: B pay 2",
                      to_do="turn a card", one_card=False, tries=(the_next_card, what_is_due)),
    },
    start=start,
    on={Play: on_play, Pay: on_pay, Gap: on_gap},
    score=score,
    after=most_chips,
    next_dealer=deals_after,
    sheet=settlement(columns()),
    chance=shuffle_and_deal,
    informed=top_known,
    whose=lambda state, kind: (state.dealer,) if kind is Play else state.turn,
    weigh=lambda state, event: 0.2 if isinstance(event, Pay) else 1.0,
    usual=usual,
    missing=left_open,
    headline=lambda state: {"turned": len(state.hand.turned)},
)  # fmt: skip
