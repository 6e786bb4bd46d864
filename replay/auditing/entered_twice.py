"""Hands that may have been entered twice, or left out: a number that repeats or skips, two scorers for one hand."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from events.model import Hand, Tally
from events.writing import write_event
from reducers.facts import flat
from replay.log import NumberedEvent
from replay.read_log import ReadLog
from replay.scoring.hands import folded_log
from replay.scoring.outcomes import HandEnd


def entered_twice(log: ReadLog) -> Iterator[tuple[int, int, str]]:
    """Yield position, hand and a sentence for each hand that may have been entered twice or left out, with the
    correction.

    All are questions. Hand numbers are consecutive, unless a gap hides whole hands. Two hands with only results, by
    two recorders and different in at most one figure, may be one.
    """
    events = log.view.events
    for before, now in pairwise(log.once(folded_log).hands):
        begins = events[now.first - 1]
        if text := _out_of_order(before, begins) or _told_by_two(before, now, events):
            yield begins.n, now.number, text


def _out_of_order(before: HandEnd, begins: NumberedEvent) -> str:
    hand, due = begins.event, before.state.numbered + 1
    if not isinstance(hand, Hand) or hand.number == due or before.state.gap or before.state.lost_count:
        return ""
    mended = f"`fix {begins.n} {write_event(Hand(by=hand.by, number=due))}`"
    if hand.number < due:
        return (
            f"hand {hand.number} was begun before; if this is hand {due}, {mended}; if it was entered "
            f"twice, strike it out (`fix {begins.n}-` and its other lines)"
        )
    missing = f"hand {due} is" if hand.number == due + 1 else f"hands {due} to {hand.number - 1} are"
    return (
        f"{missing} missing; if this is hand {due}, {mended}; if not, `fix {begins.n - 1}+ gap` says that "
        "something was not recorded"
    )


def _told_by_two(before: HandEnd, now: HandEnd, events: tuple[NumberedEvent, ...]) -> str:
    one, two = (_results(hand, events) for hand in (before, now))
    if len(one) != 1 or len(two) != 1 or before.state.acts or now.state.acts or one[0].recorded.recorder in (
        "", two[0].recorded.recorder,
    ) or not two[0].recorded.recorder:
        return ""
    first, second = (dict(flat(tally.facts)) for (placed,) in (one, two) if isinstance(tally := placed.event, Tally))
    differ = {key.partition(".")[0] for key in {*first, *second} if first.get(key) != second.get(key)}
    figures = all(
        type(facts.get(key, 0)) is int for facts in (first, second) for key in facts if key.partition(".")[0] in differ
    )
    if set(first) != set(second) or len(differ) > 1 or not figures:
        return ""
    by, again = one[0].recorded.recorder, two[0].recorded.recorder
    first_line, last_line = events[now.first - 1].n, two[0].n
    strike = " and ".join(f"`fix {n}-`" for n in dict.fromkeys((first_line, last_line)))
    return (
        f"{by} recorded hand {before.number} at {one[0].n}, and {again} recorded much the same; if it is "
        f"one hand, {strike}"
    )


def _results(hand: HandEnd, events: tuple[NumberedEvent, ...]) -> list[NumberedEvent]:
    return [placed for placed in events[hand.first - 1 : hand.last] if isinstance(placed.event, Tally)]
