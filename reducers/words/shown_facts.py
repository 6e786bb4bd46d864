"""What the moves of a hand show of the facts of its tally, to check a reported tally against them.

Only what is certain is shown: nothing after a gap or an act out of turn, and no trick whose winner is inferred from the
next lead. A figure has bounds, as the hand may go on: a side keeps the tricks that it has won. The page declares what
further moves may do to a fact (`reducers.tally`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from events.model import Bid, Call, Name, Pass
from reducers.facts import Fact, listed_with_and, typed_fact
from reducers.legal import legal
from reducers.model import State
from reducers.scoring import Points
from reducers.tally import Least, TallyFacts
from reducers.terms import Terms, side_named
from reducers.words.deals import limit_now
from reducers.words.tricks import Trick, Tricks, owner, tricks_in

Span: TypeAlias = tuple[int, int]

NO_LIMIT = 10**9
CALLS = frozenset((Bid, Pass, Call))


class Beginning(Struct, frozen=True):
    """Seats in order; more may follow."""

    seats: tuple[str, ...]


class LyingCards(Struct, frozen=True):
    """Cards that lie in a pile; more may follow, but none of those `elsewhere`."""

    cards: frozenset[str]
    elsewhere: frozenset[str]


class OneOf(Struct, frozen=True):
    """The words of a fact that are still possible, as a tally reports them."""

    words: tuple[str, ...]


IN_PART = (range, Beginning, LyingCards, OneOf)
"""What leaves several values of a fact possible."""


# -- a tally as facts -------------------------------------------------------------------------------------------------


def as_facts(t: TallyFacts) -> dict[str, Any]:
    """The known facts of a tally, by dotted keys, as if they had been reported."""
    return {
        key: value for attribute in t.told for key, value in of_attribute(t, attribute).items()
        if not isinstance(value, range)
    }


def of_attribute(t: TallyFacts, attribute: str) -> dict[str, Any]:
    """The known facts of one attribute of a tally, by dotted keys; a figure with bounds is a range."""
    told, value = t.told[attribute], getattr(t, attribute)
    if told.tells is not None:
        return {key: one for key, one in told.tells(value).items() if one is not None}
    if isinstance(value, dict):
        stem = next(iter(told.facts), "").removesuffix("*")
        if told.spans:
            return {stem + who: low if low == high else range(low, high + 1) for who, (low, high) in value.items()}
        return {stem + who: one for who, one in value.items() if one is not None and stem}
    key = told.key or next(iter(told.facts), "")
    if not key or value in (None, ()) or (value == "" and not told.may_be_nobody):
        return {}
    return {} if isinstance(value, str) and "?" in value else {key: value}


# -- what is shown ----------------------------------------------------------------------------------------------------


def shown_facts(state: State[Any]) -> dict[str, Any]:
    """What the moves of the hand in play leave possible, by dotted key: a range of figures, `Beginning` seats, `OneOf`
    a few words, else the one value. A fact that is fully open has no key."""
    if state.hand is None or state.gap or state.table.astray or (state.dealer_is_guess and state.lost_count):
        return {}
    tricks = tricks_in(state.hand)
    begun = bool(state.acts) or (tricks is not None and any(map(len, state.table.piles.values())))
    (t, least, points), over = by_moves(state), bool(state.acts) and state.settled and not state.stop_reason
    if state.dealer_is_guess and (not over or None in points.values()):
        # Whichever seat dealt, a trick that was won is kept.
        return {} if tricks is None or tricks.lost else by_tricks({}, tricks, state)
    if t.void or (tricks is None and acts_are_missing(state)):
        return {}
    still_called = calls_may_change(t, state) if begun and not over else frozenset()
    shown: dict[str, Any] = {}
    for attribute, told in t.told.items():
        for key, value in of_attribute(t, attribute).items():
            fixed = not told.goes_on or (told.still is not None and not told.still(state, key.rpartition(".")[2]))
            if over or (begun and fixed and attribute not in still_called):
                shown[key] = value
            elif told.goes_on == "grows":
                shown[key] = range(value, NO_LIMIT) if isinstance(value, int) else Beginning(tuple(value))
        if attribute in least and state.acts:
            shape, fact = next(iter(told.facts.items()))
            bound(shown, shape.removesuffix(".*").removesuffix(".#"), least[attribute], fact, state)
    if over and t.tells_points:
        shown.update({f"points.{who}": n for who, n in points.items() if n is not None})
    return shown if tricks is None or tricks.lost else by_tricks(shown, tricks, state)


def by_moves(state: State[Any]) -> tuple[TallyFacts, dict[str, Least], Points]:
    """Three things from the moves alone, without inferred winners of tricks: the tally of the hand in play, what stays
    true however play goes on (`bounded`), by attribute, and the points of a hand that is over."""
    tallies, transfers, tricks, terms = state.tallies, state.transfers, tricks_in(state.hand), state.terms
    won = [] if tricks is None else tricks.won
    state.tallies, state.transfers = [], []
    if tricks is not None:
        tricks.won = without_inferred_winners(tricks, terms)
    try:
        t: TallyFacts = state.game.compute_tally(state)
        least = {attribute: told.so_far(state) for attribute, told in t.told.items() if told.so_far is not None}
        points = state.game.score(state).points if state.settled else {}
    finally:
        state.tallies, state.transfers = tallies, transfers
        if tricks is not None:
            tricks.won = won
    return t, least, points


def without_inferred_winners(tricks: Tricks, terms: Terms) -> list[Trick]:
    """The tricks won so far; any seat may have won one with a winner that only the next lead shows."""
    return [
        one if certain_owner(one, terms.side_of) else replace(one, winners=terms.seats, gathered="")
        for one in tricks.won
    ]


def rests_on_leads(state: State[Any]) -> frozenset[str]:
    """The sides whose points in a hand are known only because a trick is taken to be the next leader's."""
    tricks, score = tricks_in(state.hand), state.score
    if tricks is None or score is None or all(certain_owner(one, state.terms.side_of) for one in tricks.won):
        return frozenset()
    won, tricks.won = tricks.won, without_inferred_winners(tricks, state.terms)
    try:
        certain = state.game.score(state).points
    finally:
        tricks.won = won
    return frozenset(who for who, n in score.points.items() if n is not None and certain.get(who) != n)


def acts_are_missing(state: State[Any]) -> bool:
    """Return True if an act of the hand in play was inferred, so that others may be missing too."""
    return any(at > state.began and "(not recorded)" in text and "dealt" not in text for at, text in state.inferred)


def has_been_called(state: State[Any]) -> bool:
    """Return True if no call can change the contract: in a trick game a card was led, or the phase has no calls."""
    tricks = tricks_in(state.hand)
    if tricks is None or tricks.plays or tricks.won:
        return True
    phase = state.game.phases.get(state.phase)
    return phase is not None and not CALLS & set(phase.acts)


def calls_may_change(t: TallyFacts, state: State[Any]) -> frozenset[str]:
    """The attributes of the tally that a legal call may still change; all if a call that was made may be unwritten."""
    if has_been_called(state):
        return frozenset()
    if not state.turn or acts_are_missing(state):
        return frozenset(t.told)
    before, found, now = state.tallies, set[str](), state
    state.tallies = []
    # Whoever calls next may change a thing, or the seats behind that one, if all before them pass.
    for _ in state.terms.seats:
        passed = None
        for call in legal(now).acts:
            if type(call) in (*CALLS, Name):
                there = now.fork()
                if not there.acts:
                    there.game.dealing.lay_deal(there)
                there.game.on[type(call)](call, there)
                then = there.game.compute_tally(there)
                found |= {attribute for attribute in t.told if getattr(then, attribute) != getattr(t, attribute)}
                passed = there if type(call) is Pass else passed
        if passed is None or not passed.turn or has_been_called(passed):
            break
        now = passed
    state.tallies = before
    return frozenset(found)


def by_tricks(shown: dict[str, Any], tricks: Tricks, state: State[Any]) -> dict[str, Any]:
    """`shown` with the certain owner of each trick, and the bounds for the number of tricks of each side."""
    facts, side_of = state.game.tally.facts, state.terms.side_of
    sides = [certain_owner(trick, side_of) for trick in tricks.won]
    if "trick.#" in facts:
        shown.update({f"trick.{n}": side for n, side in enumerate(sides, 1) if side})
    if "tricks.*" in facts:
        won = {side: sides.count(side) for side in state.terms.sides}
        narrow_bounds(shown, {side: (n, tricks.total - sum(won.values()) + n) for side, n in won.items()}, "tricks.")
    return shown


def certain_owner(trick: Trick, side_of: Mapping[str, str]) -> str:
    """The side that certainly has a trick; empty if inferred, or gathered by a side that cannot have won it."""
    side = owner(trick, side_of)
    return "" if (trick.inferred and not trick.gathered) or side not in {
        side_of[seat] for seat in trick.winners
    } else side


def bound(shown: dict[str, Any], stem: str, least: Least, fact: Fact, state: State[Any]) -> None:
    """Add the bounds of each side: its least, and what the others leave of the total; or the seat, side or cards
    named, or the few words."""
    spans = {who: (span.start, span.stop - 1) for who, span in least.items() if isinstance(span, range)}
    for who, span in spans.items():
        narrow_bounds(shown, {who: span}, f"{stem}." if who else stem)
    shown.update(
        {f"{stem}.{who}" if who else stem: somebody for who, somebody in least.items() if isinstance(somebody, str)}
    )
    for who, words in least.items():
        if isinstance(words, tuple):
            shown.setdefault(f"{stem}.{who}" if who else stem, OneOf(words))
    lying = {who: cards for who, cards in least.items() if isinstance(cards, frozenset)}
    for who, cards in lying.items():
        shown.setdefault(f"{stem}.{who}", LyingCards(cards, frozenset().union(*lying.values()) - cards))
    has = {who: n for who, n in least.items() if isinstance(n, int)}
    most, whole = limit_now(fact.most, state), sum(has.values())
    for who, n in has.items():
        high = NO_LIMIT if most is None else most
        if fact.together is not None:
            high = (limit_now(fact.together, state) or 0) - whole + n
        narrow_bounds(shown, {who: (n, high)}, f"{stem}." if who else stem)


def narrow_bounds(shown: dict[str, Any], spans: Mapping[str, Span], stem: str) -> None:
    """Narrow the bounds in `shown`, by side or seat."""
    for who, (low, high) in spans.items():
        least, most = as_span(shown.get(stem + who)) or (low, high)
        low, high = max(low, least), min(high, most)
        shown[stem + who] = low if low == high else range(low, high + 1)


def as_span(shown: Any) -> Span | None:
    """The bounds of a figure by what is shown of it; None if it is no figure."""
    if isinstance(shown, range):
        return shown.start, shown.stop - 1
    return (shown, shown) if type(shown) is int else None


# -- reported facts against it ----------------------------------------------------------------------------------------


def contradicted(told: Mapping[str, Any], shown: Mapping[str, Any], state: State[Any]) -> dict[str, str]:
    """The reported facts that the moves of the hand (`shown`) rule out, alone or by a law of the page: the reason by
    dotted key."""
    if told.get("void"):
        return {}
    wrong = {
        key: why_impossible(key, value, shown[key], state) for key, value in told.items() if key in shown
        and not agrees(key, value, shown[key], state.terms)
    }
    certain = {key: value for key, value in shown.items() if not isinstance(value, IN_PART)}
    for law in state.game.tally.laws if certain else ():
        if any(law.wrong(known, state) for known in (certain, told)):
            continue  # the hand is an odd one, or the tally contradicts itself
        for key, value in told.items():
            if key not in wrong and (why := law.wrong({**certain, key: value}, state)):
                wrong[key] = f"by the moves {why}"
    return wrong


def agrees(key: str, value: Any, shown: Any, terms: Terms) -> bool:
    """Return True if a reported fact is compatible with what is shown of it."""
    if value is None:
        return True
    if isinstance(shown, range):
        return type(value) is not int or value in shown
    if isinstance(shown, tuple | Beginning):
        seats = listed(value)
        return seats == shown if isinstance(shown, tuple) else seats[: len(shown.seats)] == shown.seats
    if isinstance(shown, OneOf):
        return any(agrees(key, value, word, terms) for word in shown.words)
    if isinstance(shown, LyingCards):
        return shown.cards <= set(listed(value)) and not shown.elsewhere.intersection(listed(value))
    if isinstance(shown, list | frozenset):
        return sorted(shown) == sorted(listed(value))
    return value == shown or str(value) == str(shown) or (
        isinstance(value, str) and shown in terms.sides and side_named(value, terms) == shown
    )


def listed(value: Any) -> tuple[str, ...]:
    """The cards or seats of a fact, of which one alone may be told as itself."""
    return (value,) if isinstance(value, str) else tuple(value)


def why_impossible(key: str, value: Any, shown: Any, state: State[Any]) -> str:
    """Why a reported fact is impossible, in words."""
    stem, _, who = key.rpartition(".")
    tricks = tricks_in(state.hand)
    if tricks is not None and stem == "tricks" and isinstance(value, int):
        few = value < (shown.start if isinstance(shown, range) else shown)
        sides = [who] if few else [side for side in state.terms.sides if side != who]
        won = [certain_owner(trick, state.terms.side_of) for trick in tricks.won]
        took = tuple(
            f"{side} won {tricks_numbered([n for n, one in enumerate(won, 1) if one == side])}" for side in sides
            if side in won
        )
        if took:
            return f"{listed_with_and(took)}: {value} tricks for {who} are not possible"
    if isinstance(shown, LyingCards) and (others := shown.elsewhere.intersection(listed(value))):
        return f"by the moves {', '.join(sorted(others))} is in another pile than {key}"
    if isinstance(shown, OneOf):
        return f"by the moves {key} cannot be {typed_fact(value)}"
    return f"by the moves {key} is {shown_in_words(shown)}, not {typed_fact(value) or '-'}"


def tricks_numbered(numbers: list[int]) -> str:
    """Tricks by their numbers, in words.

    >>> tricks_numbered([1]), tricks_numbered([1, 3, 4])
    ('trick 1', 'tricks 1, 3 and 4')
    """
    return f"trick{'s' * (len(numbers) > 1)} {listed_with_and(tuple(map(str, numbers)))}"


def shown_in_words(shown: Any) -> str:
    """What is shown of a fact, in words.

    >>> (
    ...     shown_in_words(range(3, 9)),
    ...     shown_in_words(range(3, NO_LIMIT + 1)),
    ...     shown_in_words(True),
    ...     shown_in_words(Beginning(("A", "B"))),
    ...     shown_in_words([])
    ... )
    ('3 to 8', '3 or more', 'yes', 'A,B …', '-')
    """
    if isinstance(shown, range):
        return f"{shown.start} or more" if shown.stop >= NO_LIMIT else f"{shown.start} to {shown.stop - 1}"
    if isinstance(shown, Beginning | LyingCards):
        return f"{','.join(shown.seats if isinstance(shown, Beginning) else sorted(shown.cards))} …"
    return typed_fact(shown) or "-"
