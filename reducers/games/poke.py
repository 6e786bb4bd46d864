"""Poke: two players draw to a hand of poker and take tricks with it, for points below the line and above it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from events.cards import how_many
from events.model import Deal, Discard, Draw, Fault, Gap, Move, Pass, Play
from events.model import Hand as HandEvent
from reducers.model import HandRecord
from reducers.page import (
    begin_with, HouseRules, CONSEQUENCE, DUTY, RIGHT, Catalogue, CheckResult, DealSpec, Game, Dealing, MatchRules,
    Shorthand, Display, Simulation, HandScore, Law, ScoreLine, Phase, Points, Standing, State, TallyFacts, Terms,
    as_many_as_dealt, bounded, broken, choice, counts_nothing, deal_passes_on, deals_next, figures, hand_score,
    apply_reported_facts, pack, ensure_dealt, rule, shuffle_and_deal, side, singles, summary_of, unknown, after_gap,
)  # fmt: skip
from reducers.piles import Lies
from reducers.words.contract import (
    DOUBLED,
    Rubber,
    carries_to,
    pad_entry,
    new_rubber,
    second_game,
    entries_sum,
    unknown_entries,
    with_entries,
)
from reducers.words.draws import (
    ACTS, DRAWN_IN_TURN, Draws, as_many_as_discarded, draws_are_over, drawn_in_turn, drawn_too_often, draw_phases,
    the_draw_is_over, times_drawn,
)  # fmt: skip
from reducers.words.exchange import Exchange, meant_to_be_changed
from reducers.words.pad import RubberSheet
from reducers.words.poker import KINDS, kind_in_words, poker_hand
from reducers.words.sets import (
    SetTricks, as_many_as_led, each_set, led_of_one_rank, led_with, play_in_turn, play_sets, whole_set_is_led,
)  # fmt: skip
from reducers.words.trick_play import first_to_act, trick_counts, first_lead, winner_gathers
from reducers.words.tricks import gathered_by

# Setup
PACK = pack("A K Q J 10 9 8 7 6 5 4 3 2")
DEAL = DealSpec(each=5, rest="stock")
# The draw: the most cards at once; the draws of the dealer's opponent and of the dealer, whose first draw is free.
AT_ONCE, DRAWS, DEALER_DRAWS, FREE = 3, 2, 3, 1
# Scoring
HONOURS = dict(zip(KINDS, (0, 50, 100, 200, 300, 400, 500, 600, 750, 1000), strict=True))
ALL_FIVE, GAME_BONUS, RUBBER = 250, 100, {0: 750, 1: 500}


class Options(HouseRules, frozen=True):
    """House rules of Poke."""

    game_target: Annotated[int, Meta(ge=1, le=999, description="points below the line that win a game")] = 20
    partial_set_leads: Annotated[bool, Meta(description="a part of a set may be led, as two of three kings")] = True
    wheel_straight: Annotated[bool, Meta(description="an ace may be the lowest card of a straight")] = True


DRAWING, PLAY, SCORING, RUBBERS = "The draw", "Play of the hand", "Scoring", "Game and rubber"
RULES = Catalogue(
    "poke",
    rule("R1", DRAWING, DUTY, "A draw changes one to three cards for the same number from the stock; the dealer's "
         "opponent draws twice at the most.", "the draw", {Draw: as_many_as_discarded}),
    rule("R2", DRAWING, DUTY, "The dealer draws after the opponent, three times at the most; a player who has stood "
         "draws no more.", "who draws", {Play: the_draw_is_over}),
    rule("R3", PLAY, DUTY, "The dealer's opponent leads first, then the winner of each trick.", "lead",
         {Play: first_lead}),
    rule("R4", PLAY, DUTY, "One card is led, or two to four of one rank.", "lead a set", {Play: led_of_one_rank}),
    rule("R5", PLAY, DUTY, "A lead is answered with the same number of "
         "cards.", "same number of cards", {Play: as_many_as_led}),
    rule("R6", PLAY, RIGHT, "Any cards may answer a lead: there is no duty to follow suit, to beat it, or to keep a "
         "pair together.", "any cards"),
    rule("R7", PLAY, CONSEQUENCE, "The higher card wins; of equal ones, the card led. Several cards are beaten only "
         "by the same number of one higher rank. Each card led is a trick.", "who wins",
         {Move: winner_gathers}),
    rule("R8", PLAY, DUTY, "The players play in turn.", "play in turn", {Play: play_in_turn}),
    rule("R9", SCORING, CONSEQUENCE, "A trick counts one point below the line, two if the opponent is doubled, four if "
         "redoubled.", "points below the line"),
    rule("R10", SCORING, CONSEQUENCE, "The better hand at poker counts above the line, and so do all five tricks.",
         "honours"),
    rule("R11", RUBBERS, CONSEQUENCE, "Twenty points below the line win a game, if they are more than the other has; "
         "it counts 100. The second game ends the rubber.", "game and rubber"),
    rule("R12", RUBBERS, CONSEQUENCE, "Whoever has more above the line has won.", "who has won"),
    rule("R13", SCORING, DUTY, "The dealer's opponent deals next.", "the deal passes", {HandEvent: deal_passes_on}),
    rule("R14", "Setup", CONSEQUENCE, "Each player is dealt five cards; the rest are the stock.", "the deal",
         {Deal: as_many_as_dealt}),
)  # fmt: skip

READINGS = {
    "Whose tricks count more after a draw?": "the opponent's; both players may be doubled at once",
    "How many cards may a second or third draw change?": "three, like the first",
    "A draw of no card": "is no draw: the player stands",
    "Leading a part of a set": "is allowed; option partial_set_leads=no asks for the whole of it",
    "Answering with a part of a set": "is allowed: two of three kings beat a pair of nines",
    "A pair of the same rank as the one led": "is not higher, and loses",
    "Has a lead to be beaten?": "no, any cards may be thrown",
    "Two hands that are equal at poker": "they score nothing; suits do not matter",
    "No pair in either hand": "scores nothing",
    "Ace, two, three, four, five": "is a straight, the lowest one; option wheel_straight=no",
    "Is the bonus of 100 for the first game alone?": "no, each game that is won gets it",
    "Points below the line at the end": "count for the games alone; the rubber is decided above the line",
    "Which hands are compared?": "those held when the play begins, so the cards played",
    "Who deals first?": "that is agreed before the match; the deal goes on in turn from game to game",
    "Equal totals at the end": "are a tie",
    "An unrecorded stand": "follows from what comes next, if that player had drawn before",
}
WORDS = {
    "revoke": "fault: the table took an answer to a lead as not allowed, and went on",
}


class Hand(HandRecord):
    """State of one hand of Poke: the draws, the cards exchanged, the tricks."""

    def __init__(self, state: State[Any]) -> None:
        self.draws, self.exchange, self.trick = Draws(DRAWS, DEALER_DRAWS), Exchange(), SetTricks(state, DEAL.each)


# The draw
def on_play(play: Play, state: State[Hand]) -> None:
    draws_are_over(play, state)
    play_sets(play, state)


@RULES.check("R1", Discard)
def one_to_three_cards(discard: Discard, state: State[Hand]) -> CheckResult | None:
    many = how_many(discard.cards)
    if many is None:
        return unknown("how many cards were discarded: not counted")
    if many > AT_ONCE:
        return broken(f"{AT_ONCE} cards at the most are changed at once")
    return drawn_too_often(discard.by, state) if discard.by != state.dealer else None


@RULES.check("R2", Discard, Draw, Pass)
def one_after_the_other(act: Discard | Draw | Pass, state: State[Hand]) -> CheckResult | None:
    again = isinstance(act, Discard) and act.by == state.dealer and state.phase != "play"
    return (drawn_too_often(act.by, state) if again else None) or drawn_in_turn(act, state)


# Play of the hand
@RULES.check("R4", Play)
def the_whole_set(play: Play, state: State[Hand]) -> CheckResult | None:
    return None if state.terms.options.partial_set_leads else whole_set_is_led(play, state)


@RULES.check("R6", Fault)
def any_cards_may_answer(fault: Fault, state: State[Hand]) -> CheckResult | None:
    trick = state.hand.trick if state.number else None
    if fault.word != "revoke" or trick is None or trick.lost or not trick.won:
        return None
    last = trick.won[-1]
    about_it = fault.who == last.plays[-1][0] or not (fault.who or trick.plays)
    as_many = led_with(last) * 2 == len(last.plays)
    return broken("any cards may answer a lead, if their number is the same") if about_it and as_many else None


# Scoring
def better_with_a_pair(known: Mapping[str, Any], state: State[Hand]) -> str:
    """Return an error text if a player is reported to have the better hand when neither has a pair, else ""."""
    if known.get("class") == "none" and known.get("better"):
        return "a hand without a pair scores nothing"
    return ""


class Tally(TallyFacts):
    """What a hand of Poke is scored from."""

    tricks: Points = bounded(lambda state: state.hand.trick.taken_by(state.terms.side_of), trick_counts(
        "player", DEAL.each, "R7"
    ))  # fmt: skip
    multiplier: Points = figures(
        "what each trick of the other counts for the draws of this player", only=(1, 2, 4), rule="R9",
    )  # fmt: skip
    better: str | None = side("player with the better hand at poker", rule="R10")
    kind: str = choice("what that hand is", *KINDS, key="class", rule="R10", asks="what the better hand was")

    laws = (Law(("class", "better"), better_with_a_pair, "R10"),)


def tally(state: State[Hand]) -> Tally:
    hand, terms = state.hand, state.terms
    nobody: Points = dict.fromkeys(terms.sides)
    out = Tally(tricks=nobody, multiplier=dict(nobody))
    if (hand.trick.plays or hand.trick.won) and not hand.trick.lost:
        out.multiplier = {seat: multiplier(seat, state) for seat in terms.seats}
    if state.settled and not state.stop_reason and hand.trick.won and not hand.trick.lost:
        out.tricks = hand.trick.taken_by(terms.side_of)
        out.better, out.kind = better_hand(state)
    return apply_reported_facts(out, state)


def multiplier(seat: str, state: State[Hand]) -> int | None:
    """Value of each trick of the other player; None if unknown. The dealer's first draw is free."""
    drawn = times_drawn(seat, state)
    if drawn is None:
        return None
    times = drawn - (FREE if seat == state.dealer else 0)
    # A draw too many is against the rules, and does not double again.
    return 1 << min(2, max(0, times))


def better_hand(state: State[Hand]) -> tuple[str | None, str]:
    """Seat of the better poker hand and its name; None and "" while cards are unknown."""
    held: dict[str, list[int]] = {seat: list(PACK.codes(state.holding(seat).certain)) for seat in state.terms.seats}
    for trick in state.hand.trick.won:
        for seat, code in trick.plays:
            held[seat].append(code)
    if any(len(codes) != DEAL.each or max(codes) >= PACK.unknown for codes in held.values()):
        return None, ""
    faces, wheel, (one, other) = PACK.faces, state.terms.options.wheel_straight, state.terms.seats
    first, second = (poker_hand([faces[code] for code in held[seat]], wheel=wheel) for seat in (one, other))
    if first == second:
        return None, "none"
    name = max(first, second).name
    return (None if name == "none" else one if first > second else other), name


def bonuses(before: Rubber, lines: tuple[ScoreLine, ...], target: int) -> Iterator[ScoreLine]:
    """Lines above the line for a game that is won."""
    who = carries_to(target, before, lines)
    if who is None or (who and None in before.games.values()):
        yield ScoreLine("game", dict.fromkeys(before.games), {}, "above")
    elif who:
        yield pad_entry("game", who, GAME_BONUS, f"game: {GAME_BONUS}")
        yield from second_game(before, who, RUBBER)


def entries(t: Tally, terms: Terms) -> Iterator[ScoreLine]:
    """Lines of the hand itself, below the line and above it."""
    one, other = terms.seats
    points: Points = {}
    sums: dict[str, str] = {}
    for who, opponent in ((one, other), (other, one)):
        n, times = t.tricks.get(who), t.multiplier.get(opponent)
        points[who] = 0 if n == 0 else None if n is None or times is None else n * times
        if n and times:
            more = f" × {times}, {DOUBLED[times]}" if times > 1 else ""
            sums[who] = f"{n} trick{'s' * (n > 1)}{more}: {n * times}"
    yield ScoreLine("tricks", points, sums, "below")
    if t.kind and HONOURS[t.kind] and t.better:
        yield pad_entry("honours", t.better, HONOURS[t.kind], f"{kind_in_words(t.kind)}: {HONOURS[t.kind]}")
    elif t.kind != "none":
        yield ScoreLine("honours", dict.fromkeys(terms.sides), {}, "above")
    for who, n in t.tricks.items():
        if n == DEAL.each:
            yield pad_entry("all five tricks", who, ALL_FIVE, f"all five tricks: {ALL_FIVE}")
    if None in t.tricks.values():
        yield ScoreLine("all five tricks", dict.fromkeys(terms.sides), {}, "above")


def doubled_by_draws(t: Tally, terms: Terms) -> str:
    """The players whose draws double the tricks of the other, in words."""
    return ", ".join(f"{terms.name(who)} {DOUBLED[n]}" for who, n in t.multiplier.items() if n and n > 1)


def score(state: State[Hand]) -> HandScore:
    """Score of the hand in play, as far as it is recorded, with the game or rubber that it wins."""
    t, terms, before = tally(state), state.terms, state.before
    assert isinstance(before, Rubber)
    doubled = doubled_by_draws(t, terms)
    if nothing := counts_nothing(state, t.void, contract=doubled, unfinished=None in t.tricks.values()):
        return nothing
    lines = tuple(entries(t, terms))
    lines += tuple(bonuses(before, lines, terms.options.game_target))
    points: Points = {who: entries_sum(lines, who, "above") for who in terms.sides}
    missing = {
        "who took how many tricks": None in t.tricks.values(),
        "how often each drew": None in t.multiplier.values(),
        "what the better hand was": not t.kind or (t.kind != "none" and t.better is None),
        "how the games stand": None in (*before.below.values(), *before.games.values()),
    }
    said = "–".join(str(n) for n in t.tricks.values()) if None not in t.tricks.values() else ""
    best = f"{terms.name(t.better)} {kind_in_words(t.kind)}" if t.better and t.kind not in ("", "none") else ""
    return hand_score(
        state, points, lines, contract=doubled, result=", ".join(filter(None, (said, best))),
        unknown=[what for what, lacking in missing.items() if lacking],
    )


def after(before: Standing, hand: HandScore, terms: Terms) -> Rubber:
    """Add a hand to the standing. Winning a game clears the points below the line; the second game ends the rubber."""
    assert isinstance(before, Rubber)
    if before.over or hand.source == "void":
        return before
    lines = hand.lines
    if not lines and None in hand.points.values():
        lines = tuple(unknown_entries(before.totals, before.totals))
    now = with_entries(before, lines, carries_to(terms.options.game_target, before, lines), hand.points)
    return replace(now, hands=before.hands) if hand.source == "nothing" else now


def on_the_line(state: State[Hand]) -> dict[str, Any]:
    """Who is doubled and how the game stands, for the headline."""
    before = state.before
    drawn = {seat: DOUBLED[n] for seat in state.terms.seats if (n := multiplier(seat, state)) and n > 1}
    below = before.below if isinstance(before, Rubber) else {}
    stands = " ".join(f"{who} {n}" for who, n in below.items() if n)
    return {**drawn, "below the line": stands} if stands else drawn


GAME = Game(
    key="poke", name="Poke", family="tricks", summary=summary_of(__doc__),
    seating=singles(2), pack=PACK,
    dealing=Dealing(deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=shuffle_and_deal),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=begin_with(first_to_act("exchanging"), Hand),
    phases={
        **draw_phases(AT_ONCE),
        "play": Phase(
            "play", ACTS, "one card, or several of a rank", to_do="play", verb_required=(Discard, Draw),
            tries=(each_set,),
        ),
    },
    on={
        **DRAWN_IN_TURN, Play: on_play, Move: gathered_by, Gap: after_gap(),
    },
    tally=Tally, compute_tally=tally, concludes_from_hands=True, score=score, after=after,
    match=MatchRules(new_match=lambda terms: new_rubber(terms.sides)),
    sheet=RubberSheet(("WE", "THEY")),
    shorthand=Shorthand(expand=lambda state, event: (meant_to_be_changed(event, state),), verbs={Pass: "stands"}),
    display=Display(
        headline=on_the_line, last_outcome_text=lambda state: state.hand.trick.just_taken(state.at),
        contract=lambda state: doubled_by_draws(tally(state), state.terms),
        piles={"discard": Lies("stack", "beside", "nobody")},
    ),
    simulation=Simulation(weigh=lambda state, act: 12.0 if isinstance(act, Pass) else 1.0),
)  # fmt: skip
