"""Score pad: what each player or side won or lost, hand by hand, in a game that Kibitz does not know."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from string import ascii_uppercase
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from events.model import End, Event, Hand, Tally
from reducers.page import (
    CONSEQUENCE, Catalogue, Cell, Game, Dealing, MatchRules, HandScore, Joiner, Law, Leaver, Phase, Points, Standing,
    State, TallyFacts, Terms, Sheet, add_points, leaders_by_total, player_columns, counts_nothing, deals_next, figures,
    hand_score, apply_reported_facts, contract, number, pack, result_text, rule, said, seat, singles, summary_of,
    unasked, yes_or_no,
)  # fmt: skip
from reducers.scoring import with_winners
from reducers.seating import next_dealer
from reducers.words.elimination import LastOneLeft, last_one_left, out_of, still_in


FORMULA = r"^(-?([0-9]{1,4}[*])?value([+-][0-9]{1,6})?|-?[0-9]{1,7})?$"
"""A formula of an option: a number, or a multiple of the value with something added."""


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
        Meta(pattern=r"^(-?[0-9]{1,7})?$", description="total of the points of a hand, as 26; empty if it varies"),
    ] = ""
    made: Annotated[
        str,
        Meta(pattern=FORMULA, description="what a contract made is worth, as value or 2*value+10; empty without one")
    ] = ""
    failed: Annotated[
        str,
        Meta(pattern=FORMULA, description="what a contract that failed is worth, as -2*value; empty: as if made, lost")
    ] = ""
    others: Annotated[
        Literal["nothing", "minus"], Meta(description="if the others get nothing by a contract, or its value less")
    ] = "nothing"
    out_at: Annotated[
        int,
        Meta(ge=0, le=1_000_000, description="points that put a player out, until one is left; 0 if no player goes out")
    ] = 0
    joiner: Joiner = "nothing"
    leaver: Leaver = "out"


HAND, MATCH = "A hand", "The match"
RULES = Catalogue(
    "pad",
    rule("R1", HAND, CONSEQUENCE, "Each player or side has a whole number of points, perhaps below nought.", "points"),
    rule("R2", HAND, CONSEQUENCE, "A hand that is void or dealt again scores no points.", "void"),
    rule("R3", MATCH, CONSEQUENCE, "The total is what all hands gave.", "total"),
    rule("R4", MATCH, CONSEQUENCE, "The match ends with the hand that takes a player to the target.", "target"),
    rule("R5", MATCH, CONSEQUENCE, "Without a target it ends when the table says so.", "no target"),
    rule("R6", MATCH, CONSEQUENCE, "Most points win, or fewest if that is agreed.", "who wins"),
    rule("R7", HAND, CONSEQUENCE, "If a total of the points of a hand is agreed, they add up to it.", "the sum"),
    rule("R8", HAND, CONSEQUENCE, "If the value of a contract is agreed, its declarer and the partner in this hand "
         "get it, made or failed, and the others get what is agreed.", "the contract"),
    rule("R9", MATCH, CONSEQUENCE, "If a limit is agreed, a player who reaches it is out; the last player "
         "left wins.", "out"),
)


def another_sum(facts: Mapping[str, Any], state: State[str]) -> str:
    """Return an error text if all points are known and their sum is not the agreed one, else ""."""
    agreed = state.terms.options.sum
    each: list[int] = [n for side in state.terms.sides if type(n := facts.get(f"points.{side}")) is int]
    if not agreed or len(each) < len(state.terms.sides) or sum(each) == int(agreed):
        return ""
    return f"the points of the hand add up to {sum(each)}, not to {agreed}"


class Told(TallyFacts):
    """What a hand of any game is scored from."""

    laws = (Law(("points",), another_sum, "R7"),)
    points: Points = figures("what a player or side won or lost", None, rule="R1", ruling="points given or taken away")
    declarer: str = unasked(seat("who declares", rule="R8"))
    partner: str = unasked(seat("who plays with the declarer in this hand", rule="R8"))
    contract: str = unasked(said("what is declared, in a word", rule="R8"))
    value: int | None = unasked(number("what the contract counts", rule="R8"))
    made: bool | None = unasked(yes_or_no("whether the contract was made", default=None, rule="R8"))


def reported_tally(state: State[str]) -> Told:
    """The points as reported; one missing figure is deduced if the sum is agreed."""
    t, agreed = apply_reported_facts(Told(), state), state.terms.options.sum
    if state.tallies and not t.void:
        t.points = {
            **dict.fromkeys(out_of(state), 0), **by_contract(t, state),
            **{s: n for s, n in t.points.items() if n is not None}
        }
    missing = [side for side in state.terms.sides if t.points.get(side) is None]
    if not agreed or t.void or len(missing) != 1 or len(state.terms.sides) < 2 or not state.tallies:
        return t
    t.points = {**t.points, missing[0]: int(agreed) - sum(n for n in t.points.values() if n is not None)}
    return t


def by_contract(t: Told, state: State[str]) -> Points:
    """What each side gets by the contract of the hand; {} if none was agreed or not all of it was reported."""
    options, side_of = state.terms.options, state.terms.side_of
    if not options.made or t.made is None or t.declarer not in side_of or (
        t.value is None and "value" in options.made + options.failed
    ):
        return {}
    worth = amount(options.made, t.value or 0)
    if not t.made:
        worth = amount(options.failed, t.value or 0) if options.failed else -worth
    with_it = dict.fromkeys(side_of[s] for s in (t.declarer, t.partner) if s in side_of)
    against = [side for side in state.terms.sides if side not in with_it and side not in out_of(state)]
    share = worth * len(against) // len(with_it) if options.others == "minus" else worth
    return {**dict.fromkeys(with_it, share), **dict.fromkeys(against, -worth if options.others == "minus" else 0)}


def amount(formula: str, value: int) -> int:
    """The value of a formula in an option.

    >>> amount("-2*value", 24), amount("value+10", 24), amount("-50", 24)
    (-48, 34, -50)
    """
    factor, there, rest = formula.partition("value")
    if not there:
        return int(formula)
    return int({"": "1", "-": "-1"}.get(factor, factor.rstrip("*"))) * value + int(rest or 0)


def score(state: State[str]) -> HandScore:
    t = reported_tally(state)
    points: Points = {side: t.points.get(side) for side in state.terms.sides}
    unknown = [f"the points of {state.terms.name(side)}" for side, n in points.items() if n is None]
    terms, told = state.terms, t.declarer in state.terms.side_of
    players = " & ".join(terms.name(s) for s in (t.declarer, t.partner) if s in terms.side_of)
    declared = " ".join(
        part for part in (players, t.contract, "" if t.value is None else str(t.value)) if part
    ) if told else ""
    result = "" if t.made is None or not told else "made" if t.made else "failed"
    return counts_nothing(state, t.void) or hand_score(
        state, points, (), contract=declared, result=result, unknown=unknown, bidder=t.declarer if told else "",
    )  # fmt: skip


def after(before: Standing, hand: HandScore, terms: Terms) -> Standing:
    """Add a hand to the standing. Reaching the target ends the match, unless the best are level."""
    now = replace(before, totals=add_points(before.totals, hand.points), hands=before.hands + 1)
    if isinstance(before, LastOneLeft) and terms.options.out_at:
        gone = [s for s, n in now.totals.items() if n is not None and n >= terms.options.out_at and s not in before.out]
        return last_one_left(before, now.totals, tuple(gone), terms) if len(terms.sides) == len(terms.seats) else now
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


def new_match(terms: Terms) -> Standing:
    """The standing before the first hand; with players who go out if that is agreed."""
    totals: Points = dict.fromkeys(terms.sides, 0)
    return LastOneLeft(totals) if terms.options.out_at else Standing(totals)


def sheet(state: State[str], empty: Sheet) -> Sheet:
    """A column for each player or side; with contracts also who declared what, and whether it was made; and who dealt,
    if the table said who deals first."""
    once = {"dealer": lambda s, state: Cell(state.terms.name(s.dealer))} if "Dealer" in state.terms.facts else {}
    if state.terms.options.made or any(hand.contract for hand in state.scores):
        once |= {"contract": contract, "result": result_text}
    return player_columns(once, every=5)(state, empty)


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
    options, hand = state.terms.options, Hand(by=next_dealer(state), number=state.number + 1)
    if options.out_at:
        gains = {side: abs(n) + 1 for side, n in gains.items() if side not in out_of(state)}
    if options.made:
        facts = {
            "declarer": random.choice(state.terms.seats), "value": random.randrange(1, 30),
            "made": random.random() < 0.7,
        }
        return [hand, Tally(by="@", facts=facts)]
    return [hand, Tally(by="@", facts={"points": gains})]


GAME = Game(
    key="pad", name="Score pad", family="score pad", summary=summary_of(__doc__),
    seating=singles(2, 1, *range(3, 21), seats=" ".join(ascii_uppercase), how="each alone or in sides"), pack=pack(""),
    dealing=Dealing(next_dealer=deals_next, chance=chance, playing=still_in),
    options=Options, rules=RULES,
    readings={
        "Who wins if the best are level at the target?": "no player yet: further hands are played until one leads",
        "Who wins if the best are level when the table ends the match?": "they share the win",
        "Who wins if the table stops before the target?": "the leader, if the table says why; else the match is "
        "broken off",
        "What if a contract is reported without its points?": "they follow from what was agreed; reported points count",
        "What do the others get if it is minus?": "its value less, each; the declarers share what they lose",
        "Whose hand is it?": "the deal, or what goes round instead, passes to the left; after a misdeal it stays",
    },
    start=start,
    phases={"result": Phase("result", (), "what each player or side won or lost in the hand, in this order")}, on={},
    tally=Told, compute_tally=reported_tally, score=score, after=after,
    match=MatchRules(
        new_match=new_match,
        fewest_lead=lambda terms: terms.options.wins == "low", ended_by_the_table=ended_by_the_table, open_table=True,
    ),
    sheet=sheet,
)  # fmt: skip
