"""Jobs over a whole archive: every match judged, or judged again, on an engine (`replay.engines.port`).

A job gets the ids of the matches and a loader, a picklable function from a match id to its events; it knows no store.
The answers come in the order of the matches, so every engine gives the same report. A match that crashes several
workers is reported and skipped, and does not stop the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from events.errors import KibitzError
from events.model import Recorded
from reducers.rules import Verdict
from replay.auditing.check import check_if_needed
from replay.comparing.kept_verdict import is_variation
from replay.comparing.recheck import Recheck, recheck
from replay.engines.port import Engine
from replay.engines.processes import Processes
from replay.judging.findings import either_way
from replay.read_log import read_log

Loader: TypeAlias = Callable[[str], Sequence[Recorded]]


class Offence(Struct, frozen=True):
    """A finding of one match: rule, position, hand, and True if a slip of the recorder may explain it (`doubtful`)."""

    rule: str
    verdict: Verdict
    at: int
    hand: int
    text: str
    doubtful: bool = False


class Judged(Struct, frozen=True):
    """The result for one match. If it could not be judged, `error` is the reason and `code` the exit code."""

    match: str
    game: str = ""
    events: int = 0
    offences: tuple[Offence, ...] = ()
    error: str = ""
    code: int = 0


class Rechecked(Struct, frozen=True):
    """The result of judging one match again; `found` is None for a variation, which has no stored verdict."""

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
    """An archive on one page: its size, the findings by rule, and the matches with breaches."""

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
        log = read_log(load(match))
        judgement = check_if_needed(log)
        offences = tuple(
            Offence(f.rule, f.verdict, f.at.pos, f.at.hand, f.text, f.unless is not None) for f in judgement.findings
        )
        offences += tuple(
            Offence(
                " or ".join(dict.fromkeys(rule for _, rule in one.charges)), Verdict.BROKEN, one.charges[0][0],
                one.hand, either_way(one, judgement.charged(one)),
            )
            for one in judgement.either
        )
        return Judged(match, judgement.state.game.key, len(log), offences)
    except KibitzError as error:
        return Judged(match, error=str(error), code=error.exit_code)


def recheck_one(match: str, load: Loader) -> Rechecked:
    """Judge one match again, unless it is a variation."""
    try:
        log = load(match)
        return Rechecked(match, None if is_variation(log) else recheck(log, match))
    except KibitzError as error:
        return Rechecked(match, error=str(error), code=error.exit_code)


# -- many -------------------------------------------------------------------------------------------------------------


def judge_all(matches: Iterable[str], load: Loader, engine: Engine | None = None) -> Iterator[Judged]:
    """Judge every match, in order, on an engine, or in this process without one. With an engine, `load` must be
    picklable."""
    return (engine or Processes()).run(
        judge_one, matches, load, lambda match, error: Judged(match, error=error, code=1),
    )


def recheck_all(matches: Iterable[str], load: Loader, engine: Engine | None = None) -> Iterator[Rechecked]:
    """Judge every match again, in order, on an engine."""
    return (engine or Processes()).run(
        recheck_one, matches, load, lambda match, error: Rechecked(match, error=error, code=1),
    )


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


def offences_text(one: Any) -> str:
    """The offences of a match in short: `kaiser.R11 twice, table.T9`."""
    count = Counter(o.rule for o in one.offences if o.verdict == Verdict.BROKEN)
    return ", ".join(rule if n == 1 else f"{rule} {n} times" for rule, n in count.items())
