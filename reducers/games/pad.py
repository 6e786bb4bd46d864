"""Score pad: what each player or side won or lost, hand by hand, in a game that Kibitz does not know."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from events.model import End, Event, Hand, Tally
from reducers.page import (
    CONSEQUENCE, Catalogue, Game, Dealing, MatchRules, HandScore, Joiner, Law, Leaver, Phase, Points, Standing, State,
    TallyFacts, Terms, add_points, leaders_by_total, player_columns, counts_nothing, deals_next, figures, hand_score,
    apply_reported_facts, pack, rule, singles, summary_of,
)  # fmt: skip
from reducers.scoring import with_winners
from reducers.seating import next_dealer


class Options(Struct, frozen=True):
    """What the table agrees on before the first hand."""

    title: Annotated[
        str, Meta(max_length=40, pattern=r"^(\S(.*\S)?)?$", description="what is played, as Doppelkopf")
    ] = ""
    sides: Annotated[str, Meta(max_length=99, description="who plays together, as NS EW; else each alone")] = ""
    wins: Annotated[Literal["high", "low"], Meta(description="whether most points win, or fewest")] = "high"
    target: Annotated[
        int, Meta(ge=0, le=1_000_000, description="points that end the match; 0 if the table ends it")
    ] = 0
    sum: Annotated[
        str,
        Meta(pattern=r"^(-?[0-9]{1,7})?$", description="what the points of a hand come to, as 26; empty if it differs"),
    ] = ""
    joiner: Joiner = "nothing"
    leaver: Leaver = "out"


HAND, MATCH = "A hand", "The match"
RULES = Catalogue(
    "pad",
    rule("R1", HAND, CONSEQUENCE, "Each player or side has a whole number of points, perhaps below nought.", "points"),
    rule("R2", HAND, CONSEQUENCE, "A hand that is void or dealt again gives nobody points.", "void"),
    rule("R3", MATCH, CONSEQUENCE, "The total is what all hands gave.", "total"),
    rule("R4", MATCH, CONSEQUENCE, "The match ends with the hand that takes somebody to the target.", "target"),
    rule("R5", MATCH, CONSEQUENCE, "Without a target it ends when the table says so.", "no target"),
    rule("R6", MATCH, CONSEQUENCE, "Most points win, or fewest if that is agreed.", "who wins"),
    rule("R7", HAND, CONSEQUENCE, "If it is agreed what the points of a hand come to, they do.", "the sum"),
)


def another_sum(facts: Mapping[str, Any], state: State[str]) -> str:
    """Return an error text if all points are known and their sum is not the agreed one, else ""."""
    agreed = state.terms.options.sum
    each: list[int] = [n for side in state.terms.sides if type(n := facts.get(f"points.{side}")) is int]
    if not agreed or len(each) < len(state.terms.sides) or sum(each) == int(agreed):
        return ""
    return f"the points of the hand come to {sum(each)}, and not to {agreed}"


class Told(TallyFacts):
    """What a hand of any game is scored from."""

    laws = (Law(("points",), another_sum, "R7"),)
    points: Points = figures("what a player or side won or lost", None, rule="R1", ruling="points given or taken away")


def reported_tally(state: State[str]) -> Told:
    """The points as reported; one missing figure is deduced if the sum is agreed."""
    t, agreed = apply_reported_facts(Told(), state), state.terms.options.sum
    missing = [side for side in state.terms.sides if t.points.get(side) is None]
    if not agreed or t.void or len(missing) != 1 or len(state.terms.sides) < 2 or not state.tallies:
        return t
    return Told({**t.points, missing[0]: int(agreed) - sum(n for n in t.points.values() if n is not None)}, t.void)


def score(state: State[str]) -> HandScore:
    t = reported_tally(state)
    points: Points = {side: t.points.get(side) for side in state.terms.sides}
    unknown = [f"the points of {state.terms.name(side)}" for side, n in points.items() if n is None]
    return counts_nothing(state, t.void) or hand_score(state, points, (), unknown=unknown)


def after(before: Standing, hand: HandScore, terms: Terms) -> Standing:
    """Add a hand to the standing. Reaching the target ends the match, unless the best are level."""
    now = replace(before, totals=add_points(before.totals, hand.points), hands=before.hands + 1)
    target = terms.options.target
    reached = target and any(n is not None and n >= target for n in now.totals.values())
    leads = leading(now, terms)
    return replace(now, winner=leads[0], over=True) if reached and len(leads) == 1 else now


def ended_by_the_table(standing: Standing, terms: Terms) -> Standing:
    """Without a target the leader has won; several who are level share the win."""
    if terms.options.target or not standing.hands:
        return standing
    return with_winners(standing, leading(standing, terms))


def leading(standing: Standing, terms: Terms) -> list[str]:
    """The leading sides; empty if a total is unknown."""
    return leaders_by_total(standing.totals, fewest=terms.options.wins == "low")


def start(state: State[str]) -> str:
    """Only the result of a hand is recorded."""
    state.phase = "result"
    return "nothing"


def chance(state: State[Any], random: Random) -> list[Event]:
    """A hand with a random result. Without a target the table ends the match after some hands."""
    if state.number and not state.terms.options.target and random.random() < 0.15:
        return [End(by="@", what="match")]
    gains = {side: random.randrange(-9, 31) for side in state.terms.sides}
    if state.terms.options.sum:
        *others, last = gains
        gains[last] = int(state.terms.options.sum) - sum(gains[side] for side in others)
    dealer = next_dealer(state)
    return [Hand(by=dealer, number=state.number + 1), Tally(by="@", facts={"points": gains})]


GAME = Game(
    key="pad", name="Score pad", family="score pad", summary=summary_of(__doc__),
    seating=singles(2, 1, 3, 4, 5, 6, 7, 8, 9, 10, how="each alone or in sides"), pack=pack(""),
    dealing=Dealing(next_dealer=deals_next, chance=chance),
    options=Options, rules=RULES,
    readings={
        "Who wins if the best are level at the target?": "nobody yet: further hands are played until one leads",
        "Who wins if the best are level when the table ends the match?": "nobody; they share it",
        "Who wins if the table stops before the target?": "whoever leads, if it says why; else the match is broken off",
        "Whose hand is it?": "the deal, or whatever goes round, passes to the left; after a misdeal it stays",
    },
    start=start,
    phases={"result": Phase("result", (), "what each player or side won or lost in the hand, in this order")}, on={},
    tally=Told, compute_tally=reported_tally, score=score, after=after,
    match=MatchRules(
        fewest_lead=lambda terms: terms.options.wins == "low", ended_by_the_table=ended_by_the_table, open_table=True,
    ),
    sheet=player_columns(every=5),
)  # fmt: skip
