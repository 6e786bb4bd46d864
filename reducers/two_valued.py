"""Checks in two values: what they say for each answer to what nobody saw.

A check is written as if all were known. Where the record leaves something open it asks `perhaps`, and `lifted` asks the
check again for the other answer: what holds in every way is certain. No state is copied, and what was seen costs
nothing. Two questions about one card are answered independently, so some ways may be impossible: they can leave open
what is certain, but make nothing certain that is open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any, TypeVar

from reducers.rules import CheckResult, Verdict, unknown

Reply = TypeVar("Reply")


# In a way: the answers to give first, and the questions asked so far with their answers.
SUPPOSED: ContextVar[tuple[list[bool], list[tuple[str, bool]]] | None] = ContextVar("SUPPOSED", default=None)
# How often a question was asked outside of all ways: so `lifted` sees that a check asked one.
unanswered = [0]


def perhaps(sure: bool | None, question: str) -> bool:
    """The answer to a question; if it is None, True in one way and False in another. Outside `in_each_way` it is False,
    as nothing is certain."""
    if sure is not None:
        return sure
    way = SUPPOSED.get()
    if way is None:
        unanswered[0] += 1
        return False
    first, asked = way
    answer = first[len(asked)] if len(asked) < len(first) else True
    asked.append((question, answer))
    return answer


def in_each_way(ask: Callable[..., Reply], *args: Any) -> Iterator[tuple[Reply, str]]:
    """Yield what `ask` returns in each way, with the question whose answer has changed. The last way has only False."""
    first, changed = list[bool](), ""
    while True:
        asked: list[tuple[str, bool]] = []
        outside = SUPPOSED.set((first, asked))
        try:
            found = ask(*args)
        finally:
            SUPPOSED.reset(outside)
        yield found, changed
        while asked and not asked[-1][1]:
            asked.pop()
        if not asked:
            return
        changed = asked[-1][0]
        first = [*(answer for _, answer in asked[:-1]), False]


def agreed(ask: Callable[..., Reply], *args: Any) -> Reply | None:
    """What `ask` returns in all ways; None if they differ.

    >>> agreed(perhaps, None, "either"), agreed(lambda: perhaps(None, "either") or perhaps(True, "or"))
    (None, True)
    """
    before, found = unanswered[0], ask(*args)
    certain = unanswered[0] == before or all(reply == found for reply, _ in in_each_way(ask, *args))
    return found if certain else None


def lifted(check: Callable[..., CheckResult | None], *args: Any) -> CheckResult | None:
    """The result of a check in all ways: broken as in the last one, None, or open with the question that decides.

    >>> from reducers.rules import broken
    >>> says = [lifted(lambda: broken("no") if perhaps(it, "is it?") else None) for it in (True, False, None)]
    >>> [None if one is None else (one.verdict.value, one.text) for one in says]
    [('broken', 'no'), None, ('open', 'is it?')]
    """
    before, said = unanswered[0], check(*args)
    for says, changed in in_each_way(check, *args) if unanswered[0] != before else ():
        if says is not None and says.verdict == Verdict.OPEN:
            return says
        if changed and (says is None) != (said is None):
            return unknown(changed)
        said = says
    return said
