"""Malilla: four players in partnerships; sevens are high, opponents are beaten if they can be, and what a side counts
above half of seventy is its score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from events.model import Deal, Fault, Move, Play
from events.model import Hand as HandEvent
from reducers.page import (
    begin_with, CONSEQUENCE, DUTY, GLYPHS, RIGHT, SUIT_NAMES, SUITS, Catalogue, CheckResult, DealSpec, Game, Dealing,
    MatchRules, Judging, Shorthand, Display, HandScore, Law, ScoreLine, Phase, Points, Standing, State, TallyFacts,
    Terms, add_points, bounded, broken, choice, contract, counts, HouseRules, counts_nothing, deal_passes_on,
    try_each_card, finish_hand, gained, hand_score, number, apply_reported_facts, pack, partnerships, plus, pretty,
    ranking, ensure_dealt, rule, settle, shuffle_and_deal, side, side_named, summary_of, figure_of_line, running_total,
    unasked, unknown, we_they,
)  # fmt: skip
from reducers.rules import Breach
from reducers.scoring import Penalty
from reducers.words.card_points import CardPoints
from reducers.words.deals import deals_after_any_hand, surrendered_by_the_dealer
from reducers.words.trick_play import (
    NO_TRUMPS, Denied, card_denied, cards_played, first_lead, just_taken, must_follow_suit, must_head_the_opponents,
    one_card_in_turn, why_out_of_turn, suit_led, why_unknown, winner_gathers,
)  # fmt: skip
from reducers.words.turned_trumps import (
    TURNED_TRUMPS, TurnedHand, card_of_trumps, first_seat_leads, the_dealers_last_is_turned_up,
    trumps_are_turned_up_first,
)  # fmt: skip

# Setup
SEATS = partnerships("N E S W")
PACK = pack("7 A K Q J 6 5 4 3 2")
DEAL = DealSpec(each=10, last_up=True)

# Card ranking: the seven is the highest of every suit, and counts most.
PLAIN = ranking("7 A K Q J 6 5 4 3 2")
WORTH = CardPoints(PACK, {"7": 5, "A": 4, "K": 3, "Q": 2, "J": 1}, trick=1)
WHOLE = WORTH.whole(tricks=DEAL.each)
PAR = WHOLE // 2
SEVENS = {PACK.code[f"7{suit}"]: suit for suit in SUITS}


class Options(HouseRules, frozen=True):
    """House rules of Malilla."""

    target: Annotated[int, Meta(ge=1, le=999, description="score that ends the match")] = 35
    bonus: Annotated[bool, Meta(description="the dealer's side scores the card that is turned up")] = True


# Duties whose breach is a foul.
FOUL = ("R4", "R5", "R7")

SETUP, PLAY, SCORING, FOULS = "Setup", "Play of the hand", "Scoring", "Irregularities"
RULES = Catalogue(
    "malilla",
    rule("R1", SETUP, DUTY, "The whole pack of forty is dealt, ten cards to each seat; the last of them, the dealer's, "
         "is turned up, and its suit is trumps.", "the deal",
         {Deal: the_dealers_last_is_turned_up, Play: trumps_are_turned_up_first}),
    rule("R2", PLAY, DUTY, "The dealer's left leads to the first trick, the winner of a trick to the next.",
         "lead", {Play: first_lead}),
    rule("R3", PLAY, RIGHT, "Any card may be led, any seven too.", "lead anything"),
    rule("R4", PLAY, DUTY, "A seat that holds the suit led plays it.", "follow suit", {Play: must_follow_suit}),
    rule("R5", PLAY, DUTY, "A seat that cannot follow does not throw off the seven of a plain suit that has not been "
         "led yet in this hand.", "no seven of an unopened suit"),
    rule("R6", PLAY, RIGHT, "A seat that has only such sevens left may throw one off.",
         "only sevens"),
    rule("R7", PLAY, DUTY, "If an opponent's card is ahead, a seat beats it if it can: in the suit led or, without it, "
         "with a trump.", "beat the opponents", {Play: must_head_the_opponents}),
    rule("R8", PLAY, RIGHT, "There is no duty to beat the partner.", "spare the partner"),
    rule("R9", PLAY, RIGHT, "A seat that cannot beat an opponent's card may play any other card that is allowed, even "
         "a trump that is too low.", "any other card"),
    rule("R10", PLAY, CONSEQUENCE, "The highest trump wins the trick; without one, the highest card of the suit led.",
         "who wins", {Move: winner_gathers}),
    rule("R11", PLAY, DUTY, "The players play one card each to a trick, clockwise.",
         "play in turn", {Play: one_card_in_turn}),
    rule("R12", SCORING, CONSEQUENCE, "A seven counts 5, an ace 4, a king 3, a queen 2, a jack 1, and each trick 1: 70 "
         "in a hand. The side with more than 35 scores its points above 35; at 35 all, neither side "
         "scores.", "seventy"),
    rule("R13", SCORING, CONSEQUENCE, "The dealer's side scores the value of the turned-up card: at once, but after "
         "the hand if that takes it to the target.", "the card turned up"),
    rule("R14", SCORING, CONSEQUENCE, "The side that has 35 after a hand, or scores the card turned up after it, wins.",
         "thirty-five"),
    rule("R15", SCORING, DUTY, "The deal passes to the left.", "the deal passes", {HandEvent: deal_passes_on}),
    rule("R16", FOULS, DUTY, "After a deal that was not in order the next player deals.",
         "misdeal", {HandEvent: surrendered_by_the_dealer}),
    rule("R17", FOULS, CONSEQUENCE, "A side that is found to have played a card against these rules loses the match.",
         "foul"),
)  # fmt: skip

READINGS = {
    "The cards count 60, the text says 70": "each trick counts one, as in Manille",
    "Points subtracted from 35": "35 is subtracted from the points",
    "When has a suit been led?": "once a card of it has opened a trick; one that was thrown off does not count",
    "The seven of trumps": "may be played at any time",
    "When may such a seven be thrown off?": "if the seat holds nothing else; not because nothing else would win",
    "Whom has a seat to beat?": "the side that is ahead at its turn, also with a trump on a trick that its partner led",
    "A bonus that would reach the target": "counts after the hand, and not at all if the hand has taken a side there",
    "A bonus of a hand that does not count": "does not count",
    "How is a foul recorded?": "as `fault foul S #14`: that side has lost; `fault revoke` says that the table saw it "
    "and played on",
    "A foul found after the match": "changes nothing; the result stands",
    "Both sides guilty": "the foul found first decides",
}
WORDS = {
    "foul": "fault: a card was played against the rules, and that side has lost the match",
    "revoke": "fault: the table says that a card was not allowed, and plays on",
    "misdeal": "end: the cards are given to the next dealer",
}


class Hand(TurnedHand):
    """State of one hand of Malilla, with the side found to have committed a foul, and the hands before it."""

    def __init__(self, state: State[Any]) -> None:
        super().__init__(state, PLAIN)
        self.foul, self.earlier = "", Earlier(state.hand, state.hand_may_be_missing or state.numbered != state.number)


class Earlier(Struct, frozen=True):
    """The hand before another, if any, and whether one between them may be unrecorded. Immutable."""

    hand: Hand | None
    missed: bool

    def __deepcopy__(self, memo: object) -> Earlier:
        return self


# Play of the hand
def unopened(hand: Hand, tricks: int) -> int:
    """Bag of the sevens of plain suits that have not been led in the first n tricks."""
    opened = {PACK.suit_of[trick.plays[0][1]] for trick in hand.trick.won[:tricks]} | {hand.trump}
    return sum(PACK.field[code] for code, suit in SEVENS.items() if suit not in opened)


@RULES.check("R5", Play)
def no_seven_of_an_unopened_suit(play: Play, state: State[Hand]) -> CheckResult | None:
    hand, code = state.hand, state.code(play.cards)
    trick = hand.trick
    if not trick.plays or (code < PACK.unknown and code not in SEVENS) or PACK.suit_of[code] == trick.led:
        return None
    sevens, held = unopened(hand, len(trick.won)) & ~PACK.suit.get(trick.led, 0), state.holding(play.by)
    if not PACK.may_be[code] & sevens:
        return None
    follows = held.any_of(PACK.suit[trick.led]) if trick.led != "?" else None
    others = held.any_of(PACK.everything & ~sevens)
    if others is False or follows:
        return None  # A player who can follow breaks another rule.
    dark = why_unknown(trick, code) or why_out_of_turn(play.by, state)
    if dark is not None:
        return dark
    if not hand.trump or any(PACK.suit_of[t.plays[0][1]] == "?" for t in trick.won):
        return unknown("a card that was led was not seen" if hand.trump else NO_TRUMPS)
    if others and follows is False and code < PACK.unknown:
        suit = PACK.suit_of[code]
        text = f"{SUIT_NAMES[suit]} have not been led yet, and {play.by} holds more than sevens of such suits"
        return broken(text, held.certain & ~sevens, play.by)
    return unknown(f"whether {play.by} held anything but such sevens")


def rule_that_allowed(card: Denied, hand: Hand, side_of: Mapping[str, str]) -> str:
    """The rule that allowed a card out of a known hand; "" if none did."""
    code, led = PACK.field[card.code], PACK.suit[card.led]
    sevens, held = unopened(hand, card.tricks) & ~led, card.held or 0
    free = held & led or held & ~sevens or held
    beating, partner = free & card.above, side_of[card.ahead] == side_of[card.seat]
    if not code & free or (beating and not partner and not code & beating):
        return ""
    return "R6" if code & sevens else "R8" if beating and partner and not code & beating else "R9"


def right_used(fault: Fault, state: State[Hand]) -> str:
    """The rule that allowed the last card if the table calls it a fault; "" if none did or the hand is unknown."""
    if fault.word not in ("revoke", "foul") or (denied := card_denied(fault, state)) is None:
        return ""
    if fault.word == "foul" and not fault.refs and played_foul(denied.seat, state) is not False:
        return ""  # It may be about an earlier card.
    if not denied.before:
        return "R3"
    known = denied.held is not None and state.hand.trump
    return rule_that_allowed(denied, state.hand, state.terms.side_of) if known else ""


def played_foul(seat: str, state: State[Hand]) -> bool | None:
    """True if a seat has played a card against the rules in this match; None if not all was seen."""
    hand: Hand | None = state.hand
    unsure = False
    while hand is not None:
        cards = cards_played(seat, hand.trick)
        if cards is not None and not all(rule_that_allowed(card, hand, state.terms.side_of) for card in cards):
            return True
        over = state.settled or hand is not state.hand
        unsure = unsure or cards is None or hand.earlier.missed or (over and len(hand.trick.won) < DEAL.each)
        hand = hand.earlier.hand
    return None if unsure else False


@RULES.check("R3", Fault)
def anything_may_be_led(fault: Fault, state: State[Hand]) -> CheckResult | None:
    return broken("any card may be led") if right_used(fault, state) == "R3" else None


@RULES.check("R6", Fault)
def the_last_sevens_may_be_thrown_off(fault: Fault, state: State[Hand]) -> CheckResult | None:
    return broken("there were only such sevens left to play") if right_used(fault, state) == "R6" else None


@RULES.check("R8", Fault)
def the_partner_may_be_spared(fault: Fault, state: State[Hand]) -> CheckResult | None:
    return broken("there is no duty to beat the partner") if right_used(fault, state) == "R8" else None


@RULES.check("R9", Fault)
def any_other_card_was_allowed(fault: Fault, state: State[Hand]) -> CheckResult | None:
    return broken("the card was allowed") if right_used(fault, state) == "R9" else None


# Irregularities
@RULES.check("R17", Fault)
def a_foul_that_is_found_was_played(fault: Fault, state: State[Hand]) -> CheckResult | None:
    guilty = side_named(fault.who, state.terms) if fault.word == "foul" and state.number else ""
    if not guilty or right_used(fault, state):
        return None
    seats = state.terms.sides[guilty] if fault.who not in state.terms.seats else (fault.who,)
    found = [played_foul(seat, state) for seat in seats]
    if True in found:
        return None
    if None in found:
        return unknown(f"whether {state.terms.name(fault.who)} played a card against the rules")
    return broken(f"{state.terms.name(fault.who)} played no card against the rules")


def on_fault(fault: Fault, state: State[Hand]) -> None:
    """A foul that was found ends the match at once."""
    guilty = side_named(fault.who, state.terms) if fault.word == "foul" and state.number and not state.ended else ""
    if guilty:
        state.hand.foul = guilty
        (settle if state.settled else finish_hand)(state)


def penalties(state: State[Hand], breaches: Sequence[Breach]) -> Iterator[Penalty]:
    """The first proven foul loses its side the match; once the match is over, it changes nothing."""
    fouls = [b for b in breaches if b.rule.partition(".")[2] in FOUL and b.by in state.terms.side_of]
    for breach in sorted(fouls, key=lambda b: b.pos)[:1]:
        guilty, over = state.terms.side_of[breach.by], state.standing.over and not state.hand.foul
        facts = {} if over else {"word": "forfeit", "match": guilty}
        name = state.terms.name(guilty)
        text = f"{name} would have lost the match, had it been found in time" if over else f"{name} lose the match"
        yield Penalty(breach.hand, breach.pos, "malilla.R17", facts, text)


# Scoring
def no_bonus_by_the_house_rule(known: Mapping[str, Any], state: State[Hand]) -> str:
    played = state.terms.options.bonus
    return "" if played or not known.get("bonus") else "by the house rule the card turned up does not count"


class Tally(TallyFacts):
    """What a hand of Malilla is scored from; None if unknown."""

    counted: Points = bounded(WORTH.at_least, counts(
        f"what a side's tricks and cards count, 0 to {WHOLE}", of=WHOLE, key="points", rule="R12",
        asks="what the tricks and cards of each side count", ruling="points that a side gets, or gives with a minus",
    ))  # fmt: skip
    bonus: int | None = number(
        "what the card turned up counts, 0 to 5", only=tuple(range(6)), rule="R13",
        asks="what the card turned up counts",
    )
    trump: str = unasked(choice("suit that was trumps", *SUITS))
    tricks: Points = unasked(counts("tricks taken by a side", of=DEAL.each, rule="R12"))
    foul: str | None = unasked(side("side that was found to have played foul, and loses the match", rule="R17"))

    laws = (
        Law(("points", "tricks"), WORTH.not_made, "R12"),
        Law(("bonus",), no_bonus_by_the_house_rule, "R13"),
    )


def tally(state: State[Hand]) -> Tally:
    hand = state.hand
    out = Tally(trump=hand.trump, foul=hand.foul or None, bonus=None if state.terms.options.bonus else 0)
    if out.bonus is None and hand.turned[:1] not in ("", "?"):
        out.bonus = WORTH.worth.get(hand.turned[0], 0)
    if len(hand.trick.won) == DEAL.each and not hand.trick.lost:
        out.counted = WORTH.taken(state)
        out.tricks = hand.trick.taken_by(state.terms.side_of)
    return apply_reported_facts(out, state)


def above_par(counted: Points) -> Points:
    """Points that the tricks and cards bring each side.

    >>> above_par({"NS": 41, "EW": 29}), above_par({"NS": 35, "EW": 35}), above_par({"NS": 0, "EW": 70})
    ({'NS': 6, 'EW': 0}, {'NS': 0, 'EW': 0}, {'NS': 0, 'EW': 35})
    """
    return {who: None if n is None else max(0, n - PAR) for who, n in counted.items()}


def bonus_that_counts(bonus: int | None, dealers: str, won: Points, before: Points, target: int) -> int | None:
    """Points of the card turned up for the dealer's side; None if unknown.

    A bonus that reaches the target waits for the hand, and comes too late if the hand takes a side there.

    >>> before = {"NS": 33, "EW": 20}
    >>> [bonus_that_counts(3, "NS", {"NS": 0, "EW": n}, before, 35) for n in (9, 15)]
    [3, 0]
    """
    standing = before[dealers]
    if not bonus or (standing is not None and standing + bonus < target):
        return bonus
    after = add_points(before, won)
    if any(n is not None and n >= target for n in after.values()):
        return 0
    return None if None in after.values() else bonus


def score(state: State[Hand]) -> HandScore:
    t, terms = tally(state), state.terms
    trumps = pretty(state.hand.turned) if state.hand.turned and not state.tallies else GLYPHS.get(t.trump, "")
    dealers = terms.side_of[state.dealer]
    won = above_par(t.counted or dict.fromkeys(terms.sides))
    bonus = bonus_that_counts(t.bonus, dealers, won, state.before.totals, terms.options.target)
    if bonus and state.dealer_is_guess:
        bonus = None
    at_once: Points = {**dict.fromkeys(terms.sides, 0), dealers: bonus or 0}
    if nothing := counts_nothing(state, t.void, contract=trumps, so_far=at_once):
        return nothing
    if t.foul:
        line = ScoreLine("foul", {t.foul: 0}, {t.foul: "found, and the match is lost"})
        return hand_score(state, dict.fromkeys(terms.sides, 0), (line,), contract=trumps, result="foul")
    lines, unknown_ = score_lines(t, won, bonus, dealers)
    points: Points = dict(won)
    points[dealers] = None if bonus is None or won[dealers] is None else (won[dealers] or 0) + bonus
    if bonus is None and state.dealer_is_guess:
        points, unknown_ = dict.fromkeys(points), [*unknown_, "who dealt"]
    result = next((f"{who} capote" for who, n in won.items() if n == WHOLE - PAR), "")
    return hand_score(state, points, lines, contract=trumps, result=result, unknown=unknown_)


def score_lines(t: Tally, won: Points, bonus: int | None, dealers: str) -> tuple[list[ScoreLine], list[str]]:
    """Lines behind the points of a hand, and what is missing for them."""
    lines, missing = [ScoreLine("counted", t.counted)], list[str]()
    if None in won.values():
        missing.append("what the tricks and cards of each side count")
    else:
        lines.append(ScoreLine("won", won, {who: f"{t.counted[who]} − {PAR} = {n}" for who, n in won.items() if n}))
    if bonus is None and t.bonus is None:
        missing.append("what the card turned up counts")
    elif t.bonus:
        text = f"turned up: {t.bonus}" if bonus else f"turned up: {t.bonus}, too late to count"
        lines.append(ScoreLine("turned up", {dealers: bonus}, {dealers: text}))
    return lines, missing


def after(before: Standing, hand: HandScore, terms: Terms) -> Standing:
    """Add a hand to the standing. A side at the target has won; a side that committed a foul has lost."""
    totals = add_points(before.totals, hand.points)
    foul = next((who for line in hand.lines if line.label == "foul" for who in line.amounts), "")
    winner = next((who for who in totals if foul and who != foul), "")
    # A bonus that is unknown takes nothing away.
    won: Points = next((line.amounts for line in hand.lines if line.label == "won"), {})
    least = {who: plus(before.totals[who], won.get(who)) if n is None else n for who, n in totals.items()}
    winner = winner or next((who for who, n in least.items() if n is not None and n >= terms.options.target), "")
    return replace(before, totals=totals, over=bool(winner), winner=winner, hands=before.hands + 1)


GAME = Game(
    key="malilla", name="Malilla", family="tricks", summary=summary_of(__doc__),
    seating=SEATS, pack=PACK,
    dealing=Dealing(deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_after_any_hand, chance=shuffle_and_deal),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=begin_with(first_seat_leads, Hand),
    phases={
        "play": Phase(
            "play", (Play,), "a card", to_do="play", one_card=True, tries=(try_each_card,),
        ),
    },
    on={**TURNED_TRUMPS, Fault: on_fault},
    tally=Tally, compute_tally=tally, score=score, after=after, match=MatchRules(hand_points="counted"),
    sheet=we_they(
        {"turned up": contract},
        {"{} counted": figure_of_line("counted"), "{} ±": gained, "{}": running_total},
    ),
    judging=Judging(penalties=penalties),
    shorthand=Shorthand(led=suit_led),
    display=Display(
        headline=lambda state: {"trump": state.hand.trump} if state.hand.trump else {}, last_outcome_text=just_taken,
        contract=card_of_trumps,
    ),
)  # fmt: skip
