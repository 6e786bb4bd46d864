"""The slow, exact second opinion: every way the hidden cards can lie, or a sample of them, each replayed and judged.

Where there are more worlds than `limit`, so many are drawn at random: a sample can prove that something is *open* (one
world each way), never that it is broken or allowed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from events.model import Recorded
from replay.budget import Budget
from replay.judging.judge import Judge
from replay.judging.worlds import Exact, opinions_on
from replay.read_log import read_log

LIMIT = 6000


# So many events are folded and asked about in all worlds of a record.
STEPS = 300_000


def exact(
    records: Iterable[Recorded], *, hand: int | Collection[int] | None = None, limit: int = LIMIT
) -> list[Exact]:
    """The exact opinion on each hand of a log, on one or on some. Raises like `replay.judging.judge.judge`.

    The hands share one budget, so that there are fewer worlds for each of many.
    """
    judge = Judge(read_log(records).view)
    # What elimination would name is found out here, not taken over.
    judge.infer_hidden_cards(eliminate=False)
    wanted = {hand} if isinstance(hand, int) else hand
    hands = sorted(n for n in set(judge.hand_at) if n and (wanted is None or n in wanted))
    return list(opinions_on(judge, hands, Budget(STEPS), steps=STEPS, limit=limit))


__all__ = ["exact"]
