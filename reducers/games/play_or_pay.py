"""Play or Pay: sequences of a suit go round; a player without the next card pays, and the first without
cards takes the pot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.cards import how_many
from events.model import End, Event, Gap, Move, Pay, Play
from events.model import Deal as DealEvent
from events.model import Hand as HandEvent
from events.model import Tally as TallyEvent
from reducers.evolve import on_move as moved
from reducers.evolve import is_for_next_hand
from reducers.facts import listed_with_and
from reducers.page import (
    CONSEQUENCE, DUTY, Catalogue, CheckResult, DealSpec, Game, Dealing, MatchRules, Shorthand, Display, HandScore, Law,
    ScoreLine, Phase, Points, State, TallyFacts, WHO_DEALS, as_many_as_dealt, bounded, broken, player_columns,
    counts_nothing, deal_passes_on, deals_next, try_each_card, figure, figures, finish_hand, hand_score, of_each_but,
    apply_reported_facts, pack, plus, ensure_dealt, rule, seat, settlement_sheet, shuffle_and_deal, signed, singles,
    summary_of, unknown, after_gap, HandsInMatch, StartingChips,
)  # fmt: skip
from reducers.piles import Lies
from reducers.words.bank import begins_with_chips, most_chips
from reducers.scoring import sum_of
from reducers.words.tallies import counts_from_tally, wins_with

# Setup
PACK = pack("K Q J 10 9 8 7 6 5 4 3 2 A")
UNSEEN = PACK.unknown
DEAL = DealSpec(each=13, shares={n: 52 // n for n in range(3, 9)}, uneven=True)
# In a suit the ace follows the king, and the two follows the ace.
ROUND = "A23456789TJQK"


class Options(Struct, frozen=True):
    """House rules of Play or Pay."""

    hands: HandsInMatch = 10
    chips: StartingChips = 0


SETUP, PLAY = "Setup", "Game play"
RULES = Catalogue(
    "play-or-pay",
    rule("R1", PLAY, DUTY, "The player on the dealer's left begins the first sequence with any card.", "begin"),
    rule("R2", PLAY, DUTY, "The next player plays the next higher card of the suit, and no other.", "the card due"),
    rule("R3", PLAY, DUTY, "Only a player who does not hold it pays instead: one chip to the pot.", "pay"),
    rule("R4", PLAY, CONSEQUENCE, "The king is followed by the ace, and the ace by the two.", "round the corner"),
    rule("R5", PLAY, DUTY, "Whoever plays the last card of a suit begins another sequence at once.",
         "another sequence"),
    rule("R6", PLAY, CONSEQUENCE, "The hand is over as soon as a player has no card left.", "the end"),
    rule("R7", PLAY, CONSEQUENCE, "The others pay a chip for each card that they hold, the winner takes the pot, and "
         "the deal passes to the left.", "the pot", {HandEvent: deal_passes_on}),
    rule("R8", f"{SETUP}; {PLAY}", DUTY, "The whole pack is dealt, as evenly as it goes; then the players act in turn.",
         "in turn", {DealEvent: as_many_as_dealt}),
)  # fmt: skip

READINGS = {
    "Who has one card more": "those on the dealer's left, unless recorded; another way to deal is accepted",
    "The suit of a new sequence": "follows from the hand: the suit that is finished has no card left",
    "After the first card of a sequence": "it is the turn of the next player",
    "The last card of a suit is the player's last": "the hand is over; no sequence is begun",
    "A card played that was not due": "stays on the table, and is passed over when its turn comes, unless it is taken "
    "back: then it is as if it had not been played",
    "Unrecorded payments": "are inferred: the card due has one holder, and all before that player have paid",
    "A chip paid by a player who held the card": "stays in the pot",
    "A result whose payments go with no hand": "counts as reported, and the question is open who paid a chip too few "
    "or too many",
    "The winner's own chips": "come back with the pot",
    "A chip for each card that is left": "may be paid in parts, and the pot be taken in parts: paying less than is "
    "due is no breach",
    "Not enough chips": "a balance may be negative; option chips says what each player begins with",
    "The end": "the text has none: after option hands the most chips win; hands=0 goes on until `end match`",
    "A misdeal": "is dealt again by the same player",
}


class Hand:
    """State of one hand.

    `due` is the card due (None if unknown, UNSEEN before a sequence begins), `paid` what each player has paid. `lies`
    is the bag of cards on the table, `winner` the player with none left. `dark` is True if a card was not seen: it
    counts as the one due, but no rule relies on that. `gap` is True after unrecorded acts, `written` if payments are
    recorded, and `omitted` if some are not. `last` has seat and card of the last play, and `due`, `dark` and `lies`
    before it. `settled` is what each player has paid for the cards left, and what the winner took out of the pot.
    `uncounted` are seats that have played out of an uncounted hand: any such card may have been the last.
    """

    def __init__(self, seats: tuple[str, ...]) -> None:
        self.due: int | None = UNSEEN
        self.lies = 0
        self.last: tuple[str, int, int | None, bool, int] = ("", UNSEEN, UNSEEN, False, 0)
        self.paid = dict.fromkeys(seats, 0)
        self.settled = dict[str, int]()
        self.winner = ""
        self.uncounted: tuple[str, ...] = ()
        self.dark = self.gap = self.omitted = self.written = False


def start(state: State[Hand]) -> Hand:
    """The seat at the dealer's left begins a sequence."""
    for player in state.terms.seats:
        state.table.bag(player)
    state.phase, state.turn = "open", (state.terms.after(state.dealer),)
    return Hand(state.terms.seats)


def after_it(code: int, lies: int) -> int:
    """The next card of the suit that is not on the table; UNSEEN if the suit is finished.

    >>> (PACK.faces[after_it(PACK.code["Kc"], 0)], PACK.faces[after_it(PACK.code["Ac"], PACK.unit_of["2c"])])
    ('Ac', '3c')
    """
    rank, suit = PACK.rank_of[code], PACK.suit_of[code]
    place = ROUND.index(rank)
    for step in range(1, len(ROUND)):
        found = PACK.code[ROUND[(place + step) % len(ROUND)] + suit]
        if not lies & PACK.unit[found]:
            return found
    return UNSEEN


def before(player: str, state: State[Hand]) -> list[str]:
    """Seats whose turn comes before this player's, from the one on turn."""
    order = state.terms.in_turn(state.turn[0] if len(state.turn) == 1 else player)
    return list(order[: order.index(player)])


def why_due_unknown(state: State[Hand]) -> CheckResult | None:
    """Open verdict if the card due and the turn are unknown, else None."""
    if state.hand.gap:
        return unknown("acts are missing from the record")
    if state.hand.dark or state.hand.due is None:
        return unknown("which card was due: one before was not seen")
    return perhaps_over(state)


def is_due_unknown(state: State[Hand]) -> bool:
    """True if the card due or the turn is unknown."""
    return state.hand.dark or state.hand.due is None or perhaps_over(state) is not None


def perhaps_over(state: State[Hand]) -> CheckResult | None:
    """Open verdict if a player with an uncounted hand may have played the last card; None otherwise."""
    for player in state.hand.uncounted:
        pile = state.holding(player)
        if pile.vague and not pile.certain:
            return unknown(f"whether {player} still held a card")
    return None


# Game play: the cards
@RULES.check("R1", Play, when="open")
def the_dealers_left_begins(play: Play, state: State[Hand]) -> CheckResult | None:
    if state.hand.lies or play.by in state.turn:
        return None
    return unknown(WHO_DEALS) if state.dealer_is_guess else broken(f"{state.dealer} dealt, so {state.turn[0]} begins")


@RULES.check("R2", Play, when="open play")
def the_next_card_of_the_suit(play: Play, state: State[Hand]) -> CheckResult | None:
    if how_many(play.cards) != 1:
        return perhaps_over(state) or broken("one card is played at a time")
    if state.phase == "open":
        return None
    hand, code = state.hand, state.code(play.cards)
    if hand.due is None or is_due_unknown(state):
        return why_due_unknown(state)
    if code == hand.due:
        return None
    if code >= UNSEEN and PACK.may_be[code] & PACK.field[hand.due]:
        return unknown(f"whether it was the {PACK.shown(hand.due)}")
    return broken(f"{PACK.shown(hand.due)} is due, not {PACK.shown(code)}")


@RULES.check("R4", Play, when="play")
def round_the_corner(play: Play, state: State[Hand]) -> CheckResult | None:
    due, code = state.hand.due, state.code(play.cards)
    if due is None or is_due_unknown(state):
        return why_due_unknown(state)
    if PACK.rank_of[due] != "A" or code == due:
        return None
    if code >= UNSEEN and PACK.may_be[code] & PACK.field[due]:
        return unknown(f"whether it was the {PACK.shown(due)}")
    return broken(f"after the king comes the ace: {PACK.shown(due)} is due")


@RULES.check("R3", Play, when="play")
def all_before_have_paid(play: Play, state: State[Hand]) -> CheckResult | None:
    """A play of the card due shows that all before have paid; if payments are recorded, one may be missing."""
    if is_due_unknown(state):
        return why_due_unknown(state)
    hand = state.hand
    missed = before(play.by, state) if state.code(play.cards) == hand.due and hand.written and not hand.omitted else []
    return unknown(f"a payment of {missed[0]} may be missing from the record") if missed else None


@RULES.check("R5", Play, when="open play")
def the_same_player_begins_again(play: Play, state: State[Hand]) -> CheckResult | None:
    if is_due_unknown(state):
        return why_due_unknown(state)
    if state.phase == "play" or not state.hand.lies or play.by in state.turn:
        return None
    return broken(f"{state.turn[0]} has played the last card of the suit, and begins the next sequence")


@RULES.check("R5", Pay, when="open play")
def nobody_pays_for_a_new_sequence(pay: Pay, state: State[Hand]) -> CheckResult | None:
    if not payer(pay, state) or (state.phase == "play" and not is_due_unknown(state)):
        return None
    return why_due_unknown(state) or broken(f"{state.turn[0]} begins a sequence, and no player pays")


@RULES.check("R6", Play, when="between")
def nothing_is_played_after_the_end(play: Play, state: State[Hand]) -> CheckResult | None:
    if not over(play, state):
        return None
    return broken(f"{state.hand.winner} has no card left, and the hand is over")


@RULES.check("R6", Play, when="open play")
def nobody_was_out_before(play: Play, state: State[Hand]) -> CheckResult | None:
    return perhaps_over(state)


@RULES.check("R8", Play, when="play")
def in_turn(play: Play, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if hand.due is None or is_due_unknown(state):
        return why_due_unknown(state)
    if play.by in state.turn or state.code(play.cards) == hand.due:
        return None
    if PACK.may_be[state.code(play.cards)] & PACK.field[hand.due]:
        return unknown(f"whether it was the {PACK.shown(hand.due)}")
    return broken(f"it is the turn of {state.turn[0]}")


def over(play: Play, state: State[Hand]) -> bool:
    """True if a card still belongs to the hand that is over: its player had it, or does not begin the next hand."""
    if not state.number or not state.settled or not state.hand.winner:
        return False
    begins, code = state.terms.after(state.game.dealing.next_dealer(state)), state.code(play.cards)
    return play.by != begins or (code < UNSEEN and state.holding(play.by).shows(code))


def paid_unwritten(players: Sequence[str], state: State[Hand]) -> None:
    """Infer that each of these players has paid a chip."""
    hand = state.hand
    for player in players:
        hand.paid[player] += 1
    if players and hand.written and not hand.omitted:
        # A record that leaves out payments gets no inference for each.
        each = "have paid a chip each" if len(players) > 1 else "has paid a chip"
        state.infer(f"{listed_with_and(tuple(players))} {each} (not recorded)")
    hand.omitted = hand.omitted or bool(players)


def on_play(play: Play, state: State[Hand]) -> None:
    """Play a card: the next one is due, or the suit is finished, or the player has none left."""
    if over(play, state):
        return
    ensure_dealt(state)
    hand, table, holding = state.hand, state.table, state.holding(play.by)
    codes = table.codes(play.cards[:1], holding)
    seen = code = codes[0] if codes else UNSEEN
    expected, dark = hand.due, hand.dark or code >= UNSEEN
    if code >= UNSEEN and expected is not None and expected < UNSEEN and PACK.may_be[code] & PACK.field[expected]:
        code = expected
    if code == expected and code < UNSEEN and not (dark and hand.written):
        paid_unwritten(before(play.by, state), state)
    suit = PACK.suit_of[seen]
    table.move(codes, holding, table.row(f"foundation:{suit}" if suit != "?" else "foundation"))
    hand.last = (play.by, seen, expected, hand.dark, hand.lies)
    hand.dark = dark
    if code < UNSEEN:
        hand.lies |= PACK.unit[code]
    if hand.gap:
        return
    if holding.empty:
        hand.winner = play.by
        finish_hand(state)
        return
    if holding.vague and play.by not in hand.uncounted:
        hand.uncounted = (*hand.uncounted, play.by)
    if code >= UNSEEN:
        hand.due = None
    elif expected in (code, None, UNSEEN):
        hand.due = after_it(code, hand.lies)
    state.phase, state.turn = "play", (state.terms.after(play.by),)
    if hand.due == UNSEEN:
        # If a card was not seen, the suit may not be finished.
        state.phase, state.turn = "play" if hand.dark else "open", (play.by,)


def on_move(move: Move, state: State[Hand]) -> None:
    """The last card played may go back to its hand to be replaced by another act.

    Its pile need not be named, and `<foundation:c` is typed as the pile of seat C.
    """
    hand, code = state.hand if state.number and not state.settled else None, state.code(move.cards)
    where = f"foundation:{PACK.suit_of[code]}" if code < UNSEEN else move.src
    if hand is not None and where in state.table.piles and (code >= UNSEEN or code in state.table.piles[where].codes()):
        move = replace(move, src=where)
    moved(move, state)
    seat = move.to.removeprefix("hand:")
    if hand is not None and move.src.startswith("foundation") and (seat, code) == hand.last[:2]:
        _, _, hand.due, hand.dark, hand.lies = hand.last
        state.phase, state.turn = "open" if hand.due == UNSEEN else "play", (seat,)


# Game play: the chips
def payer(pay: Pay, state: State[Hand]) -> str:
    """Seat that puts chips into the pot; "" if the payment is another matter."""
    giver = pay.src.removeprefix("hand:") or pay.by
    return giver if giver in state.terms.seats and pay.to in ("", "pot") else ""


@RULES.check("R3", Pay, when="play")
def pays_for_want_of_the_card(pay: Pay, state: State[Hand]) -> CheckResult | None:
    player, due = payer(pay, state), state.hand.due
    if not player:
        return None
    if due is None or state.hand.dark:
        return why_due_unknown(state)
    if (cloud := perhaps_over(state)) is not None:
        return cloud
    if pay.amount != 1:
        return broken("one chip is paid at a time")
    has = state.holding(player).any_of(PACK.field[due])
    if has is None:
        return unknown(f"whether {player} held the {PACK.shown(due)}")
    return broken(f"{player} holds the {PACK.shown(due)}, and plays it", PACK.unit[due], player) if has else None


@RULES.check("R8", Pay, when="play")
def pays_in_turn(pay: Pay, state: State[Hand]) -> CheckResult | None:
    player = payer(pay, state)
    if not player or (player in state.turn and not is_due_unknown(state)):
        return None
    return why_due_unknown(state) or unknown(f"a payment of {state.turn[0]} may be missing from the record")


@RULES.check("R7", Pay, when="open play")
def nothing_is_settled_yet(pay: Pay, state: State[Hand]) -> CheckResult | None:
    return perhaps_over(state)


@RULES.check("R7", Pay, when="between")
def as_much_as_is_left(pay: Pay, state: State[Hand]) -> CheckResult | None:
    """A chip for each card left, and all of them for the winner."""
    if not state.number or not state.hand.winner:
        return None
    t, player = tally(state), payer(pay, state)
    if player:
        left, paid = t.left.get(player), state.hand.settled.get(player, 0)
        if left is None:
            return unknown(f"how many cards {player} held")
        # The rules do not say in how many parts a debt is paid.
        if paid + pay.amount <= left:
            return None
        if paid >= left > 0:
            return broken(f"{player} has paid already")
        return broken(f"{player} holds {left} card{'s' * (left != 1)}, and pays {paid + pay.amount}")
    if pay.src != "pot":
        return None
    to, pot = pay.to.removeprefix("hand:") or pay.by, sum_of((*t.paid.values(), *t.left.values()))
    if to != state.hand.winner:
        return broken(f"the pot is {state.hand.winner}'s")
    if pot is None:
        return unknown("what was paid")
    taken = state.hand.settled.get(to, 0)
    if taken + pay.amount <= pot:
        return None
    return broken(f"{to} has taken the pot already" if taken >= pot else f"the pot has {pot}")


@RULES.check("R7", HandEvent, End, when="between")
def all_have_paid_what_is_left(event: HandEvent | End, state: State[Hand]) -> CheckResult | None:
    """If some of these payments are recorded, one may be missing; if none is, they are inferred."""
    if not state.number:
        return None
    hand = state.hand
    if not hand.winner or not hand.settled or (isinstance(event, End) and event.facts):
        return None
    left = tally(state).left
    owes = next((s for s in state.terms.seats if (n := left.get(s)) is not None and hand.settled.get(s, 0) < n), "")
    return unknown(f"a payment of {owes} may be missing from the record") if owes else None


def on_pay(pay: Pay, state: State[Hand]) -> None:
    """A chip goes into the pot, and the turn passes to the left."""
    player = payer(pay, state)
    if state.settled and state.number:
        if player or pay.src == "pot":
            who = player or pay.to.removeprefix("hand:") or pay.by
            state.hand.settled[who] = state.hand.settled.get(who, 0) + pay.amount
        return
    if not player:
        return
    ensure_dealt(state)
    hand = state.hand
    hand.written = True
    if state.phase == "play":
        paid_unwritten([] if hand.dark else before(player, state), state)
        state.turn = (state.terms.after(player),)
    hand.paid[player] += pay.amount


@RULES.check("R3", TallyEvent)
def as_the_turn_went_round(event: TallyEvent, state: State[Hand]) -> CheckResult | None:
    """Each turn brings a card or a chip, and only a new sequence begins without a turn. So the payments and the cards
    left must add up."""
    paid, left = (counts_from_tally(fact, [event.facts]) for fact in ("paid", "left"))
    order = state.terms.in_turn(state.terms.after(state.dealer))
    winner = str(event.facts.get("winner"))
    told = winner in order and all(s in paid and (s in left or s == winner) for s in order)
    if not told or state.dealer_is_guess or is_for_next_hand(state):
        return None
    left[winner] = 0
    played = PACK.size - sum(left.values())
    last = order.index(winner)
    turns = sum(paid.values()) + played - (played - 1) // len(ROUND)
    rounds, more = divmod(turns - last - 1, len(order))
    # The least that each player was dealt, as every turn without a chip took a card.
    had = [rounds + (i <= last) - paid[s] + left[s] for i, s in enumerate(order)]
    each, over = divmod(PACK.size, len(order))
    if not more and max(had) <= each + (over > 0) and sum(n > each for n in had) <= (over or len(order)):
        return None
    return unknown("whether all payments were right: they fit no possible hands with the cards that are left")


# Scoring
def more_left_than_dealt(known: Mapping[str, Any], state: State[Hand]) -> str:
    left = {s: n for s in state.terms.seats if type(n := known.get(f"left.{s}")) is int}
    each, over = divmod(PACK.size, len(state.terms.seats))
    for player, count in left.items():
        if count > (most := each + (over > 0)):
            return f"{player} is dealt {most} cards at most, so {count} cannot be left"
    # The winner has played at least as many cards as a player is dealt.
    return f"{sum(left.values())} cards are more than can be left" if sum(left.values()) > PACK.size - each else ""


def at_most_left(state: State[Hand]) -> dict[str, range]:
    """The bounds of the cards that each player will hold in the end: no player gets another."""
    held = {seat: state.holding(seat) for seat in state.terms.seats}
    return {seat: range(len(pile) + 1) for seat, pile in held.items() if not pile.vague and not state.hand.gap}


class Tally(TallyFacts):
    """What a hand of Play or Pay is scored from."""

    winner: str = seat("player who had no card left", rule="R6", asks="who won")
    paid: Points = bounded(
        lambda state: {} if state.hand.gap or state.hand.dark else dict(state.hand.paid),
        figures("chips that a player paid during the play", 0, rule="R3"),
    )
    left: Points = bounded(at_most_left, of_each_but(
        "winner", figures("cards that a player still held", 0, PACK.size, rule="R7")
    ))  # fmt: skip

    laws = (
        Law(("winner", "left"), wins_with(0, "left", "left"), "R6"),
        Law(("winner", "left"), more_left_than_dealt, "R6"),
    )


def tally(state: State[Hand]) -> Tally:
    hand = state.hand
    t = Tally(hand.winner, dict.fromkeys(state.terms.seats), dict.fromkeys(state.terms.seats))
    if hand.winner and not hand.gap:
        t.paid = dict(hand.paid)
        t.left = {s: None if state.holding(s).vague else len(state.holding(s)) for s in state.terms.seats}
    t = apply_reported_facts(t, state)
    if t.winner:
        t.left[t.winner] = 0
    return t


def card_due(state: State[Hand]) -> str:
    """The card to be played next, in words; "" if there is none."""
    due = state.hand.due
    return f"{PACK.shown(due)} due" if state.phase == "play" and due is not None and due < UNSEEN else ""


def score(state: State[Hand]) -> HandScore:
    """Score of the hand in play: the winner takes what all have paid."""
    t = tally(state)
    if nothing := counts_nothing(state, t.void, unfinished=not t.winner, then="every chip goes back"):
        return replace(nothing, contract=card_due(state))
    gives = {s: plus(t.paid.get(s), t.left.get(s)) for s in state.terms.seats}
    pot = sum_of(gives.values())
    points: Points = {s: None if n is None or not t.winner else -n for s, n in gives.items()}
    sums = {s: f"−{figure(t.paid.get(s))} − {figure(t.left.get(s))} = {signed(n)}" for s, n in points.items() if n}
    if t.winner:
        points[t.winner] = plus(pot, points[t.winner])
        sums[t.winner] = f"{figure(pot)} − {figure(t.paid.get(t.winner))} = {signed(points[t.winner])}"
    lines = (ScoreLine("paid", t.paid), ScoreLine("cards left", t.left), ScoreLine("won", points, sums))
    missing = [] if None not in points.values() else ["the winner, all payments, and the cards left"]
    return hand_score(state, points, lines, result=t.winner and f"{t.winner} is out", unknown=missing)


# At the table
def the_card_due(seat: str, state: State[Hand]) -> Iterator[Event]:
    """A play of the card due, if this seat may hold it and its place is unknown."""
    due = state.hand.due
    if due is not None and due < UNSEEN and state.holding(seat).any_of(PACK.field[due]) is None:
        yield Play(by=seat, cards=(PACK.faces[due],))


def pays(player: str, state: State[Hand]) -> Iterator[Event]:
    """A chip to the pot; also two, as a wrong act to try."""
    yield Pay(by=player, amount=1, to="pot")
    yield Pay(by=player, amount=2, to="pot")


def quiet(state: State[Hand]) -> Event | None:
    """The act that a lone `.` stands for: a payment; None if none is due."""
    return Pay(by=state.turn[0], amount=1, to="pot") if state.phase == "play" and state.turn else None


def implied_actor(state: State[Hand], kind: type[Event]) -> tuple[str, ...]:
    """Seats that an act may belong to if it names none: the known holders of the card due play it."""
    due = state.hand.due if state.number and state.phase == "play" else None
    if kind is not Play or due is None or due >= UNSEEN:
        return state.turn
    return tuple(s for s in state.terms.seats if state.holding(s).shows(due)) or state.turn


def headline(state: State[Hand]) -> dict[str, Any]:
    """The card due and the pot, for the headline."""
    due, pot = state.hand.due, sum(state.hand.paid.values())
    return {"due": PACK.shown(due), "pot": pot} if due is not None and due < UNSEEN else {"pot": pot}


def last_outcome_text(state: State[Hand]) -> str:
    """Words if a suit has just been finished, else ""."""
    again = state.phase == "open" and state.number and state.hand.lies
    return f"the suit is finished, and {state.turn[0]} begins another" if again else ""


GAME = Game(
    key="play-or-pay", name="Play or Pay", family="shedding", summary=summary_of(__doc__),
    seating=singles(4, 3, 5, 6, 7, 8), pack=PACK,
    dealing=Dealing(deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=shuffle_and_deal),
    options=Options, rules=RULES, readings=READINGS,
    start=start,
    phases={
        "open": Phase("a new sequence", (Play, Pay), "any card, which begins a sequence (7c)", to_do="begin a sequence",
                      one_card=True, tries=(try_each_card, pays)),
        "play": Phase("the play", (Play, Pay), "the card due (8c; C 8c if all before C pay), or . for a chip paid",
                      default_act=quiet, to_do="play or pay", one_card=True, tries=(the_card_due, try_each_card, pays)),
        "between": Phase("between two hands", (Play, Pay), "the next hand"),
    },
    on={Play: on_play, Move: on_move, Pay: on_pay, Gap: after_gap(gap=True, due=None)},
    tally=Tally, compute_tally=tally, score=score, after=most_chips,
    match=MatchRules(new_match=begins_with_chips, open_table=True),
    sheet=settlement_sheet(player_columns()),
    shorthand=Shorthand(implied_actor=implied_actor),
    display=Display(
        headline=headline, last_outcome_text=last_outcome_text, contract=card_due,
        piles={"foundation": Lies("stack", "beside", called="*")},
    ),
)  # fmt: skip
