"""The tallies of one hand together: each adds to those before it, and the last value of a fact counts.

A page declares the possible facts once (`reducers.facts`). An impossible fact is a finding, and the score does not rest
on it: `readable` has the tallies with such facts as `?`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from events.model import Facts
from reducers.evolve import ensure_hand_started, is_for_next_hand
from reducers.facts import (
    UNREAD,
    Fact,
    Law,
    at_key,
    counts_for_score,
    flat,
    listed_with_and,
    may_be,
    objection,
    set_fact,
    typed_fact,
)
from reducers.model import State
from reducers.scoring import Points
from reducers.tally import FactSpec, TallyFacts
from reducers.tally_declarations import declared
from reducers.terms import Terms, side_named
from reducers.words.deals import limit_now
from reducers.words.rulings import tricks_as_ruled
from reducers.words.shown_facts import IN_PART, agrees, as_facts, as_span, contradicted, has_been_called, shown_facts

T = TypeVar("T", bound=TallyFacts)

ONE_VALUE = frozenset(("number", "side", "word", "yes or no"))
"""Readings of facts that have one value for the whole hand."""


def counts_from_tally(key: str, tallies: Iterable[Facts]) -> dict[str, int]:
    """The last counts of a fact that has one for each side or seat.

    >>> counts_from_tally("points", [{"strain": "h", "points": {"NS": 50}}, {"points": {"EW": 22}}])
    {'NS': 50, 'EW': 22}
    """
    stems = [facts[key] for facts in tallies if isinstance(facts.get(key), dict)]
    last = {who: n for stem in stems for who, n in stem.items()}
    return {who: n for who, n in last.items() if type(n) is int}


def word_told(facts: Facts, key: str, known: str = "") -> str:
    """A fact that is a word: `known` if it is not given, empty if it is anything else.

    >>> [word_told(facts, "by", "N") for facts in ({}, {"by": "E"}, {"by": 3}, {"by": None}, {"by": "?"})]
    ['N', 'E', '', '', '']
    """
    fact = facts.get(key, known)
    return fact if isinstance(fact, str) and fact != UNREAD else ""


def seats_in(value: object, terms: Terms) -> tuple[str, ...]:
    """The seats that a fact names, one or several.

    >>> from reducers.first_state import begin
    >>> terms = begin({"Game": "scopa"}).terms
    >>> seats_in(["B", "A", "Q"], terms), seats_in("A", terms), seats_in(None, terms)
    (('B', 'A'), ('A',), ())
    """
    named = value if isinstance(value, list | tuple) else (value,)
    return tuple(str(s) for s in named if str(s) in terms.seats)


def void_of(state: State[Any], played: str = "") -> str:
    """Why the hand in play is void, empty if it counts: as it was broken off, else as it was `played`, overruled by a
    tally or a ruling. `yes` is void without a reason, `no` revokes it."""
    why = state.stop_reason if state.stop_reason in ("misdeal", "void") else played
    for facts in (*readable(state), *state.transfers):
        if "void" in facts and facts["void"] != UNREAD:
            why = word_told(facts, "void") or ("void" if facts["void"] else "")
    return why


def in_this_hand(facts: Facts, state: State[Any]) -> tuple[Facts, ...]:
    """These facts after the tallies of their hand; after a hand that was played out they begin the next."""
    return (*(() if is_for_next_hand(state) else state.tallies), facts)


# -- impossible facts -------------------------------------------------------------------------------------------------


def contradictory_facts(facts: Facts, state: State[Any]) -> list[tuple[str, str]]:
    """Impossible facts of a tally: the rule of the page that is broken (empty: the table's own), and why.

    The table's finding names each fact; a rule of the page has one sentence for all.
    """
    game, terms = state.game, state.terms
    own: dict[str, list[str]] = {}
    for key, value in flat(facts):
        fact = declared(key, state)
        if isinstance(fact, str):
            own.setdefault("", []).append(fact)
        elif fact is not None and not may_be(fact, value, terms, game.pack):
            own.setdefault(fact.rule, []).append(objection(fact, key, value, terms))
    here, known = [key for key, _ in flat(facts)], last_values(in_this_hand(facts, state), state)
    for law, why in tally_objections(known, state):
        if any(law_covers(key, law) for key in here):
            own.setdefault(law.rule, []).append(why)
    if why := scored_otherwise(known, state):
        own.setdefault("", []).append(why)
    return [("", why) for why in own.pop("", ())] + [(rule, "; ".join(whys)) for rule, whys in own.items()]


def scored_otherwise(known: Mapping[str, Any], state: State[Any]) -> str:
    """Why the reported points of a hand differ from those of all its other facts; empty if they may be right."""
    points: Facts = {}
    rest: Facts = {}
    for key, value in known.items():
        set_fact(points if stem_of(key) == "points" else rest, key, value)
    if not points or not rest or not state.game.tally.tells_points or rest.get("void"):
        return ""
    hand = state.copy()
    if is_for_next_hand(hand):
        ensure_hand_started(hand)
    hand.tallies, hand.read = [rest], ([], state.terms, 0, (), {})
    brings = hand.game.score(hand).points
    wrong = [
        f"{who} {n}, not {told}" for who, told in points["points"].items() if (n := brings.get(who)) not in (None, told)
    ]
    return f"by the other reported facts the points are {listed_with_and(tuple(wrong))}" if wrong else ""


def against_the_moves(facts: Facts, state: State[Any]) -> dict[str, str]:
    """The facts of a tally that the moves of its hand rule out: the reason by the key before sides or seats (`tricks`).

    Facts that are impossible by themselves are left out (`cannot_be`).
    """
    if is_for_next_hand(state):
        return {}
    known = last_values([facts], state)
    wrong = contradicted(known, shown_facts(state), state)
    # The largest figure is named: it is too large.
    return {
        stem_of(key): wrong[key] for key in sorted(wrong, key=lambda key: known[key] if type(known[key]) is int else 0)
    }


def says_nothing_new(facts: Facts, state: State[Any]) -> bool:
    """Return True if the moves of a hand that is over show every fact of a tally."""
    if is_for_next_hand(state) or not (state.settled and state.acts):
        return False
    known, shown = last_values([facts], state), shown_facts(state)
    certain = {key for key in known.keys() & shown.keys() if not isinstance(shown[key], IN_PART)}
    return dict(flat(facts)).keys() <= certain and not contradicted(known, shown, state)


def told_otherwise(facts: Facts, earlier: Facts, state: State[Any]) -> list[str]:
    """Differences between the facts of two tallies of one hand, as sentences. A withdrawn fact is no difference."""
    now, before = last_values([facts], state), last_values([earlier], state)
    return [
        f"{key} is {typed_fact(now[key])}, and was reported as {typed_fact(before[key])}" for key in now
        if key in before
        and not (agrees(key, now[key], before[key], state.terms) or agrees(key, before[key], now[key], state.terms))
    ]  # fmt: skip


def tally_objections(known: Mapping[str, Any], state: State[Any]) -> Iterator[tuple[Law, str]]:
    """Laws that the facts break together, and why.

    The page's own laws are also checked with what one side's figure leaves for the other.
    """
    for law in counting(state):
        if why := law.wrong(known, state):
            yield law, why
    known = fill_remaining_side(known, state)
    for law in state.game.tally.laws:
        if why := law.wrong(known, state):
            yield law, why


def counting(state: State[Any]) -> Iterator[Law]:
    """The laws that follow from each fact: the total of the sides, and parts within a total."""
    for key, fact in state.game.tally.facts.items():
        if isinstance(fact, Fact) and (whole := limit_now(fact.together, state)) is not None:
            yield sides_sum(key.removesuffix(".*"), fact, whole)
        elif isinstance(fact, Fact) and fact.counts:
            yield parts_within_total(key.removesuffix(".#"), fact)


def sides_sum(stem: str, fact: Fact, whole: int) -> Law:
    """The law that all sides together have `whole`."""

    def wrong(known: Mapping[str, Any], state: State[Any]) -> str:
        amounts = [n for side in state.terms.sides if type(n := known.get(f"{stem}.{side}")) is int]
        if sum(amounts) == whole or (len(amounts) < len(state.terms.sides) and sum(amounts) < whole):
            return ""
        if fact.fewest is not None and fact.fewest <= sum(amounts) < whole:
            return ""
        stops = limit_now(fact.stops, state)
        if stops is not None and sum(amounts) < whole and max(amounts) >= stops:
            return ""
        return f"{' and '.join(map(str, amounts))} are not the {whole} {stem} there are"

    return Law((stem,), wrong, fact.rule)


def no_more_in_all(stem: str, most: int, text: str) -> Callable[[Mapping[str, Any], State[Any]], str]:
    """A law: the figures of all sides come to no more than `most`; `stem` may name several figures. The text may have
    {n}, their sum, and {told}, the figures."""

    def wrong(known: Mapping[str, Any], state: State[Any]) -> str:
        each = (f"{key}.{side}" for key in stem.split() for side in state.terms.sides)
        told = [n for key in each if type(n := known.get(key)) is int]
        return text.format(n=sum(told), told=" and ".join(map(str, told))) if sum(told) > most else ""

    return wrong


def nothing_left_of(winner: str, *figures: str) -> Callable[[Mapping[str, Any], State[Any]], str]:
    """A law: the seat that the fact `winner` names has 0 of each of these figures, cards left over."""

    def wrong(known: Mapping[str, Any], state: State[Any]) -> str:
        who = known.get(winner)
        left = next((n for key in figures if (n := known.get(f"{key}.{who}"))), 0)
        return f"{state.terms.name(str(who))} cannot have won with {left} card{'s' * (left > 1)} left" if left else ""

    return wrong


def wins_with(figure: int, stem: str, what: str) -> Callable[[Mapping[str, Any], State[Any]], str]:
    """A law: whoever the fact `winner` names has this number of cards, and no other seat has (none are left). `what`
    says which cards in words."""

    def wrong(known: Mapping[str, Any], state: State[Any]) -> str:
        told, winner = {who: known.get(f"{stem}.{who}") for who in state.terms.seats}, known.get("winner")
        if [*told.values()].count(figure) > 1:
            both = listed_with_and(tuple(who for who, n in told.items() if n == figure))
            return f"{both} cannot both have {figure or 'no'} card{'s' * (figure > 1)} {what}"
        for who, n in told.items() if winner is not None else ():
            if n is not None and (n == figure) != (who == winner):
                return f"{who} with {n} card{'s' * (n != 1)} {what} has {'won' if n == figure else 'not won'}"
        return ""

    return wrong


def parts_within_total(stem: str, fact: Fact) -> Law:
    """The law that the numbered parts come to no more than the total, and to no less once all are reported."""

    def wrong(known: Mapping[str, Any], state: State[Any]) -> str:
        got = count_parts_by_side(stem, known, state.terms)
        if sum(got.values()) == fact.numbered:
            in_all = {side: known.get(f"{fact.counts}.{side}", n) for side, n in got.items()}
            if sum(in_all.values()) != fact.numbered:
                return f"{' and '.join(map(str, in_all.values()))} are not the {fact.numbered} {fact.counts} there are"
        for side, n in got.items():
            amount = known.get(f"{fact.counts}.{side}", n)
            if n > amount:
                return f"{side} has {n} of the {fact.counts} reported one by one, but {amount} in all"
        return ""

    return Law((stem, fact.counts), wrong, fact.rule)


def count_parts_by_side(stem: str, known: Mapping[str, Any], terms: Terms) -> dict[str, int]:
    """The number of numbered parts (tricks) of each side."""
    sides = [
        side_named(who, terms) for key, who in known.items() if key.startswith(stem + ".") and isinstance(who, str)
    ]
    return {side: sides.count(side) for side in terms.sides}


def law_covers(key: str, law: Law) -> bool:
    """Return True if a law covers this dotted key."""
    return any(key == stem or key.startswith(stem + ".") for stem in law.keys)


# -- what the score may rest on ---------------------------------------------------------------------------------------


def readable(state: State[Any]) -> tuple[Facts, ...]:
    """The tallies of the hand, with `?` for each impossible fact, and without facts that the game does not know.

    If the last value of a fact is impossible, earlier ones do not hold either; of facts that contradict each other none
    is known. Facts that the moves contradict are unknown too, with all under the same key, unless one side is
    `believed`: the tally as reported, or the moves without it.
    """
    return read_tallies(state)[0] if state.tallies else ()


def read_tallies(state: State[Any]) -> tuple[tuple[Facts, ...], dict[str, Any]]:
    """The tallies as they can be read, and what the moves show of the same facts (`shown_facts`)."""
    tallies, terms, at, read_before, shown_before = state.read
    if tallies is state.tallies and terms is state.terms and at == state.at:
        return read_before, shown_before
    known, shown = last_values(state.tallies, state), shown_facts(state)
    broken = [law for law, _ in tally_objections(known, state)]
    stems = set() if state.believed == "told" else {stem_of(key) for key in contradicted(known, shown, state)}
    unread: dict[str, bool] = {}
    for facts in state.tallies:
        for key, value in flat(facts):
            fact = declared(key, state)
            if not isinstance(fact, str) and not (state.believed == "moves" and stem_of(key) in stems):
                bad = fact is not None and not counts_for_score(fact, value, state.terms, state.game.pack)
                unread[key] = bad or stem_of(key) in stems or any(law_covers(key, law) for law in broken)
    out = []
    for facts in state.tallies:
        read: Facts = {}
        for key, value in flat(facts):
            if key in unread:
                set_fact(read, key, UNREAD if unread[key] else value)
        out.append(read)
    # If the table is believed, the moves show nothing against it.
    shown = {} if state.believed == "told" else shown
    state.read = (state.tallies, state.terms, state.at, tuple(out), shown)
    return tuple(out), shown


def two_readings(state: State[Any]) -> tuple[State[Any], ...]:
    """If a tally contradicts the moves of the hand: the hand by its moves, and as reported. Else empty."""
    if state.believed or not state.tallies or not contradicted(
        last_values(state.tallies, state), shown_facts(state), state,
    ):
        return ()
    moves, told = state.copy(), state.copy()
    moves.believed, told.believed = "moves", "told"
    moves.read = told.read = ([], state.terms, 0, (), {})
    return moves, told


def stem_of(key: str) -> str:
    """The key of a fact without its side, seat or number."""
    return key.rpartition(".")[0] or key


def last_values(tallies: Iterable[Facts], state: State[Any]) -> dict[str, Any]:
    """Each possible fact, by its dotted key; the last value counts."""
    known: dict[str, Any] = {}
    for facts in tallies:
        for key, value in flat(facts):
            fact = declared(key, state)
            if isinstance(fact, str) or (
                fact is not None and not counts_for_score(fact, value, state.terms, state.game.pack)
            ):
                value = None
            elif value is None or isinstance(value, list):
                value = list_told(key, fact, value, state)
            known.pop(key, None)
            if value is not None:
                known[key] = value
    return known


def list_told(key: str, fact: Fact | None, value: list[str] | None, state: State[Any]) -> Any:
    """The cards or seats of a fact, as a tuple if their order counts. `-` tells none of them, or nobody; None if it
    leaves the fact open."""
    told = next((one for one in state.game.tally.told.values() if one.key == key), None)
    if told is not None and told.reading == "seats":
        return tuple(value or ()) if told.goes_on else value or []
    if value is None and fact is not None and fact.kind == "cards":
        return []
    return "" if value is None and told is not None and told.may_be_nobody else value


def fill_remaining_side(known: Mapping[str, Any], state: State[Any]) -> dict[str, Any]:
    """The same, with the rest of a total for the only side without a report."""
    known = dict(known)
    for shape, fact in state.game.tally.facts.items():
        if isinstance(fact, Fact) and (whole := limit_now(fact.together, state)) is not None:
            stem = shape.removesuffix("*")
            if stem.rstrip(".") in known:
                continue  # reported without a name
            untold = [side for side in state.terms.sides if stem + side not in known]
            told = [known[stem + side] for side in state.terms.sides if type(known.get(stem + side)) is int]
            if len(untold) == 1 and len(told) == len(state.terms.sides) - 1 and sum(told) <= whole and (
                fact.fewest is None or any(told)
            ):
                known[stem + untold[0]] = whole - sum(told)
    return known


def figures_of_sides(key: str, state: State[Any]) -> Points:
    """The figures of all sides by the tallies: reported, counted one by one, or the rest of the total.

    None for a side with an unknown figure; empty if the tallies have no such figure.
    """
    low_high = figure_bounds(key, state)
    if not low_high:
        return {}
    return {side: low if low == high else None for side, (low, high) in low_high.items()}


def figure_bounds(key: str, state: State[Any]) -> dict[str, tuple[int, int]]:
    """The bounds of each side's figure by the tallies and the moves of the hand; empty if the tallies have no such
    figure.

    Only for figures with a known total of the sides.
    """
    if not state.tallies:
        return {}
    (tallies, shown), terms = read_tallies(state), state.terms
    fact = state.game.tally.facts.get(f"{key}.*")
    whole = limit_now(fact.together, state) if fact is not None else None
    single = next(
        (k.removesuffix(".#") for k, f in state.game.tally.facts.items() if isinstance(f, Fact) and f.counts == key), ""
    )
    if fact is None or whole is None or not any(k in facts for facts in state.tallies for k in (key, single)):
        return {}
    if any(value == UNREAD and stem_of(k) in (key, single) for facts in tallies for k, value in flat(facts)):
        shown = {}
    amounts = {side: n for side, n in counts_from_tally(key, tallies).items() if side in terms.sides}
    got = count_parts_by_side(
        single, {**shown, **{k: v for facts in tallies for k, v in flat(facts)}}, terms,
    ) if single else dict.fromkeys(terms.sides, 0)
    out = {}
    for side in terms.sides:
        others = [amounts.get(other, got[other]) for other in terms.sides if other != side]
        # In a hand that may be stopped, a side with nothing does not show how far the hand went.
        fewest = whole if fact.fewest is None or any(others) else fact.fewest
        low = max(
            fewest - sum(others), got[side],
        ) if len(amounts) == len(terms.sides) - 1 and side not in amounts else got[side]
        high, stops = whole - sum(others), limit_now(fact.stops, state) if isinstance(fact, Fact) else None
        if stops is not None and sum(others) >= stops:
            low = got[side]
        elif stops is not None and len(amounts) == len(terms.sides) - 1 and high >= stops:
            low = high = stops
        by_moves = as_span(shown.get(f"{key}.{side}"))
        if by_moves is not None:
            low, high = max(low, by_moves[0]), min(high, by_moves[1])
        out[side] = (amounts[side], amounts[side]) if side in amounts else (low, high)
    return out


def counts_left(key: str, state: State[Any], most: int = 14) -> dict[str, Facts]:
    """Each way to split a total between two sides that the tallies leave open: the answer in words, and its facts.

    Empty if there are more than `most`."""
    low_high = figure_bounds(key, state)
    if len(low_high) != 2:
        return {}
    (one, (low, high)), (other, (_, rest)) = low_high.items()
    # The least of one side and the most of the other make the whole.
    ways = {f"{one} {n}": {key: {one: n, other: low + rest - n}} for n in range(low, high + 1)}
    return ways if len(ways) <= most else {}


def contradictions(state: State[Any]) -> int:
    """Number of laws that the reported facts of the hand break."""
    if not state.tallies:
        return 0
    return sum(1 for _ in tally_objections(last_values(state.tallies, state), state))


# -- a declared tally: reported facts in place of those of the moves, and missing facts --------------------------------


def apply_reported_facts(t: T, state: State[Any]) -> T:
    """The same tally, with the values of tallies and rulings in place of those of the moves."""
    if "void" in t.told:
        t.void = void_of(state, t.void)
    if state.tallies or state.transfers:
        cut_short = is_cut_short(state)
        other_calls = cut_short and not has_been_called(state) and tells_another_contract(t, state)
        for attribute, told in t.told.items():
            known = getattr(t, attribute)
            known = shown_by_moves(told, known, state, other_calls) if cut_short else known
            setattr(t, attribute, known if told.reading in ("void", "page") else reported_or_known(told, known, state))
    return t


def is_cut_short(state: State[Any]) -> bool:
    """True if a hand has a tally and its moves stop before its end: what both leave out is unknown."""
    return bool(state.tallies) and not (state.settled and state.acts)


def tells_another_contract(t: TallyFacts, state: State[Any]) -> bool:
    """Return True if a tally has another contract than the recorded calls, so that later calls are missing."""
    said = {attribute: getattr(t, attribute) for attribute, told in t.told.items() if told.reading in ONE_VALUE}
    return any(
        known not in (None, "", False) and reported_or_known(t.told[attribute], known, state) != known
        for attribute, known in said.items()
    )


def shown_by_moves(told: FactSpec, known: Any, state: State[Any], other_calls: bool = False) -> Any:
    """The value of a fact by moves that stop before the end of the hand. Unknown if further moves may have changed it,
    or if it says only that nothing has happened yet; after missing calls the contract is unknown."""
    of_each = told.reading == "figures" or (told.reading == "page" and isinstance(known, dict) and told.tells is None)
    if told.spans or not (of_each or told.reading in ONE_VALUE):
        return known
    if not of_each and (told.nothing is None or known != told.nothing) and not other_calls:
        return known
    if of_each and not (told.goes_on and told.asked):
        return known
    shown = read_tallies(state)[1]
    if not of_each:
        return known if told.key in shown and shown[told.key] == known else "" if told.reading == "word" else None
    of_hands = any(fact.of == "hand" for fact in told.facts.values())
    whose = known if of_hands else dict.fromkeys((*state.terms.sides, *known))
    return {who: known[who] if who in known and shown.get(f"{told.key}.{who}") == known[who] else None for who in whose}


def reported_or_known(told: FactSpec, known: Any, state: State[Any]) -> Any:
    """The value of a fact: as reported, else as it is known. A reported value that cannot be read is unknown."""
    key, ruled = told.key, state.transfers if told.rulings else ()
    if told.reading == "counts":
        counted_out = figures_of_sides(key, state)
        if told.spans:
            return {**known, **{who: (n, n) for who, n in counted_out.items() if n is not None}}
        known = counted_out or known
        for facts in ruled:
            known = tricks_as_ruled(facts, known, state.terms, key)
        return known
    for facts in (*readable(state), *ruled):
        given = at_key(facts, key)
        if given in ((), (None,)) and not (given and told.may_be_nobody):
            continue
        (value,) = given
        if told.reading == "word":
            known = word_told({key: value}, key)
        elif told.reading == "side":
            known = side_named(value, state.terms) or ("" if value is None and told.may_be_nobody else None)
        elif told.reading == "number":
            known = value if type(value) is int else None
        elif told.reading == "yes or no":
            known = None if value == UNREAD else bool(value)
        elif told.reading == "seats":
            known = seats_in(value, state.terms)
        elif isinstance(value, dict):
            # An impossible reported figure is unknown, and not as the moves have it.
            unread = {} if told.spans else {who: None for who, n in value.items() if n == UNREAD and who in known}
            known = {
                **known, **unread,
                **{who: (n, n) if told.spans else n for who, n in value.items() if isinstance(n, int)},
            }
    return known


def open_questions(state: State[Any]) -> Iterable[tuple[str, Mapping[str, Facts]]]:
    """What is missing for the score of a hand: each question, and the facts of a tally for each possible answer."""
    return (state.game.omissions.missing or missing_facts)(state)


def missing_facts(state: State[Any]) -> Iterator[tuple[str, dict[str, Facts]]]:
    """Open questions of a result without its moves: each question that the page declares, and its possible answers.

    Answers that the laws of the page exclude are left out.
    """
    t = state.game.compute_tally(state)
    if t.void or not (state.tallies or state.settled):
        return
    known = as_facts(t)
    for attribute, told in t.told.items():
        value = getattr(t, attribute)
        if told.reading == "figures":
            asked = [side for side, one in value.items() if one is None]
        else:
            unknown = None in value.values() if isinstance(value, dict) else value in (None, "")
            asked = [""] if unknown and not (value == "" and told.may_be_nobody) else []
        for side in asked if told.asks else ():
            answers = {
                text: facts
                for text, facts in answers_to(told, side, state).items()
                if not any(law.wrong({**known, **dict(flat(facts))}, state) for law in state.game.tally.laws)
            }
            if answers:
                yield told.asks.format(side), answers


def answers_to(told: FactSpec, side: str, state: State[Any]) -> dict[str, Facts]:
    """The possible answers if a fact is missing, of this side if it is one of each; empty if it cannot be asked in a
    word."""
    key = f"{told.key}.{side}" if side else told.key
    fact = told.facts.get(f"{told.key}.*" if side else told.key)
    if told.reading == "counts":
        return counts_left(told.key, state)
    if fact is None:
        return {}
    if fact.kind == "yes or no" and side:
        return {"yes": under_key(key, True), "no": under_key(key, False)}
    sides = list(state.terms.sides) if told.reading == "side" else state.terms.seats
    values = (*(sides if fact.kind == "somebody" else ()), *fact.only)
    nobody = {word: facts for word, facts in told.instead.items() if told.may_be_nobody}
    return {**{told.answer.format(value): under_key(key, value) for value in values}, **nobody}


def under_key(key: str, value: Any) -> Facts:
    """One fact by its dotted key."""
    facts: Facts = {}
    set_fact(facts, key, value)
    return facts
