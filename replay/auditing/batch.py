"""Jobs over a whole archive: every match judged, or judged anew, by several processes at once.

A job is handed the ids of the matches and a loader, a picklable function from a match id to its events; it knows no
store. Matches go to the workers in small batches and come back in the order in which they were asked for, so that one
worker and many give the same report. A worker that is killed changes nothing: its batch is given to another. A match
that ends one worker after another is named and left out, and keeps nothing else back.
"""

from __future__ import annotations

import signal
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct

from events.errors import KibitzError
from events.model import Claim, Dispute, Recorded, Ruling
from reducers.rules import Verdict
from replay.auditing.check import completed
from replay.budget import budget_for
from replay.comparing.kept_verdict import is_variation
from replay.comparing.recheck import Recheck, recheck
from replay.judging.findings import either_way
from replay.judging.judge import judge
from replay.read_log import read

Loader: TypeAlias = Callable[[str], Sequence[Recorded]]


# Matches handed to a worker at a time: enough to make the handing over cheap, few enough that the bar moves.
BATCH = 50


# So many batches wait for each worker, so that none is idle and no archive is held in memory.
AHEAD = 4


# A batch that has ended so many workers is taken apart; a match that has is left out.
TRIES = 2


class Offence(Struct, frozen=True):
    """A finding of one match: rule, position, hand, and whether a slip of the recorder may explain it (`doubtful`)."""

    rule: str
    verdict: Verdict
    at: int
    hand: int
    text: str
    doubtful: bool = False


class Judged(Struct, frozen=True):
    """What became of one match. `error` says why it could not be judged, `code` is then the exit code of that error."""

    match: str
    game: str = ""
    events: int = 0
    offences: tuple[Offence, ...] = ()
    error: str = ""
    code: int = 0


class Rechecked(Struct, frozen=True):
    """What became of one match judged anew; `found` is None for a variation, which has no verdict to keep."""

    match: str
    found: Recheck | None = None
    error: str = ""
    code: int = 0


class RuleCount(Struct, frozen=True):
    """How often a rule was found broken, broken unless the recorder erred, or open, and in how many matches."""

    rule: str
    broken: int
    doubtful: int
    open: int
    matches: int


class Summary(Struct, frozen=True):
    """An archive on one page: how much was read, what was found by rule, which matches have something broken."""

    matches: int
    events: int
    games: dict[str, int]
    rules: tuple[RuleCount, ...]
    broken: tuple[str, ...]
    unreadable: tuple[str, ...]


# -- one match --------------------------------------------------------------------------------------------------------


def judge_one(match: str, load: Loader) -> Judged:
    """Judge one match as `check` does."""
    try:
        log = read(load(match))
        budget = budget_for(len(log))
        judgement = judge(log, budget)
        if judgement.findings or any(isinstance(r.event, Claim | Ruling | Dispute) for r in log):
            judgement = completed(judgement, log, (), budget)
        offences = tuple(
            Offence(f.rule, f.verdict, f.at.pos, f.at.hand, f.text, f.unless is not None) for f in judgement.findings
        )
        offences += tuple(
            Offence(" or ".join(f.rule for f in either), Verdict.BROKEN, n, either[0].at.hand, either_way(either))
            for n, either in judgement.either.items()
        )
        return Judged(match, judgement.state.game.key, len(log), offences)
    except KibitzError as error:
        return Judged(match, error=str(error), code=error.exit_code)


def recheck_one(match: str, load: Loader) -> Rechecked:
    """Judge one match anew, unless it is a variation."""
    try:
        log = load(match)
        return Rechecked(match, None if is_variation(log) else recheck(log, match))
    except KibitzError as error:
        return Rechecked(match, error=str(error), code=error.exit_code)


# -- many -------------------------------------------------------------------------------------------------------------


def judge_all(matches: Iterable[str], load: Loader, jobs: int = 1) -> Iterator[Judged]:
    """Judge every match, in order, with so many processes. `load` must be picklable where there are several."""
    return _each(judge_one, matches, load, jobs, lambda match, error: Judged(match, error=error, code=1))


def recheck_all(matches: Iterable[str], load: Loader, jobs: int = 1) -> Iterator[Rechecked]:
    """Judge every match anew, in order, with so many processes."""
    return _each(recheck_one, matches, load, jobs, lambda match, error: Rechecked(match, error=error, code=1))


def summarize(judged: Iterable[Judged]) -> Summary:
    """Count the findings by rule; the rules most often broken come first."""
    broken, doubtful, unsettled, where = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    games = Counter[str]()
    matches = events = 0
    bad: list[str] = []
    unreadable: list[str] = []
    for one in judged:
        matches += 1
        events += one.events
        if one.error:
            unreadable.append(one.match)
            continue
        games[one.game] += 1
        for o in one.offences:
            (unsettled if o.verdict == Verdict.OPEN else doubtful if o.doubtful else broken)[o.rule] += 1
        where.update({o.rule for o in one.offences})
        if any(o.verdict == Verdict.BROKEN for o in one.offences):
            bad.append(one.match)
    order = sorted(where, key=lambda rule: (-broken[rule], -doubtful[rule], -unsettled[rule], rule))
    rules = tuple(RuleCount(rule, broken[rule], doubtful[rule], unsettled[rule], where[rule]) for rule in order)
    return Summary(matches, events, dict(sorted(games.items())), rules, tuple(bad), tuple(unreadable))


R = TypeVar("R")
Work: TypeAlias = Callable[[str, Loader], R]


def _each(work: Work[R], matches: Iterable[str], load: Loader, jobs: int, lost: Callable[[str, str], R]) -> Iterator[R]:
    if jobs <= 1:
        return (work(match, load) for match in matches)
    return _in_workers(work, iter(matches), load, jobs, lost)


def _in_workers(work: Work[R], matches: Iterator[str], load: Loader, jobs: int, lost: Callable[[str, str], R]) -> Iterator[R]:
    """Batches in flight, the oldest first; what a dead pool leaves behind is given to a new one."""
    pool = _pool(jobs)
    waiting: deque[tuple[list[str], Future[list[R]]]] = deque()
    try:
        while True:
            while len(waiting) < AHEAD * jobs and (batch := list(islice(matches, BATCH))):
                waiting.append((batch, _hand_out(pool, work, batch, load)))
            if not waiting:
                return
            batch, future = waiting[0]
            try:
                done = future.result()
            except BrokenProcessPool:
                pool.shutdown(wait=False, cancel_futures=True)
                done = _again(work, batch, load, lost)
                pool = _pool(jobs)
                rest = [b for b, _ in islice(waiting, 1, None)]
                waiting = deque([(batch, future), *((b, _hand_out(pool, work, b, load)) for b in rest)])
            waiting.popleft()
            yield from done
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _again(work: Work[R], batch: Sequence[str], load: Loader, lost: Callable[[str, str], R]) -> list[R]:
    """A batch during which a worker died: once more as a whole, then match by match, each in a worker of its own."""
    for part in ([batch], [[match] for match in batch]):
        out: list[R] = []
        for some in part:
            done = None
            for _ in range(TRIES):
                with _pool(1) as pool:
                    try:
                        done = _hand_out(pool, work, some, load).result()
                        break
                    except BrokenProcessPool:
                        continue
            if done is None and len(some) > 1:
                break
            out += done if done is not None else [lost(some[0], f"{TRIES} workers ended while they judged it")]
        else:
            return out
    raise AssertionError("a single match is always answered for")


def _hand_out(pool: ProcessPoolExecutor, work: Work[R], batch: Sequence[str], load: Loader) -> Future[list[R]]:
    try:
        return pool.submit(_batch, work, list(batch), load)
    except BrokenProcessPool as error:
        # It broke since the last answer; the batch is asked for again when its turn comes.
        failed: Future[list[R]] = Future()
        failed.set_exception(error)
        return failed


def _batch(work: Work[R], batch: Sequence[str], load: Loader) -> list[R]:
    return [work(match, load) for match in batch]


def _pool(jobs: int) -> ProcessPoolExecutor:
    # Spawned, not forked: a store that is open in this process must not be shared with another.
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_leave_signals_to_the_parent)


def _leave_signals_to_the_parent() -> None:
    """Ctrl-C goes to the whole group of processes; the one that was started answers it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def told(one: Any) -> str:
    """The offences of a match in short: `kaiser.R11 twice, table.T9`."""
    count = Counter(o.rule for o in one.offences if o.verdict == Verdict.BROKEN)
    return ", ".join(rule if n == 1 else f"{rule} {n} times" for rule, n in count.items())


__all__ = ["Judged", "Loader", "Offence", "Rechecked", "RuleCount", "Summary", "judge_all", "judge_one", "recheck_all", "summarize"]
