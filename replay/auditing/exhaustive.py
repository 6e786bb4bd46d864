"""The slow, exact second opinion: every world of a hand, or a sample, replayed and judged.

With more worlds than `limit`, a random sample is judged: it can prove that something is *open* (worlds of both
kinds), never that it is broken or allowed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from events.model import Recorded
from replay.budget import Budget
from replay.judging.judge import Judge
from replay.judging.worlds import SecondOpinion, opinions_on
from replay.read_log import read_log

LIMIT = 6000


# Events folded and checked in all worlds of a record.
STEPS = 300_000


def exact(
    records: Iterable[Recorded], *, hand: int | Collection[int] | None = None, limit: int = LIMIT
) -> list[SecondOpinion]:
    """Return the exact opinion on each hand of a log, on one or on some. Raises like `replay.judging.judge.judge`.

    The hands share one budget, so each of many gets fewer worlds.
    """
    judge = Judge(read_log(records).view)
    # The worlds have to find what elimination would name, so its names are not used.
    judge.infer_hidden_cards(eliminate=False)
    wanted = {hand} if isinstance(hand, int) else hand
    hands = sorted(n for n in set(judge.hand_at) if n and (wanted is None or n in wanted))
    return list(opinions_on(judge, hands, Budget(STEPS), steps=STEPS, limit=limit))
