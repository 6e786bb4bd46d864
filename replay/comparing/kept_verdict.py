"""The verdict stored in the `end` line of a match: how it is computed, written and read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from msgspec import Struct

from events.canon import encode
from events.errors import KibitzError, UnreadableError
from events.limits import MAX_EVENT_BYTES
from events.model import End, Event, Facts, Open, Recorded
from reducers.evolve import evolve
from reducers.model import State
from reducers.registry import distribution_of, is_missing
from reducers.rules import Verdict
from reducers.scoring import Points
from reducers.seating import whole_totals
from replay.fold import Corrected, corrected, fold
from replay.judging.findings import Finding, Judgement
from replay.read_log import read_log

VARIATION = "Parent"
"""The tag of a variation, which names its parent; `ParentEvent` is the event it branches off after."""
_FAR = 10**9


class KeptVerdict(Struct, frozen=True):
    """A verdict, stored in a log or computed now.

    `at` is the position of the `end` that stores it (for a computed one the last event), `time` its time of entry.
    `result` is "won", the word of an agreed end, or empty while the match goes on. `broken` and `open` are findings
    as `rule:event:known from` and `rule:event`; `listed` is False if they were too many to be stored. `plugin` is the
    distribution and version that the page came with, empty for a page of Kibitz.
    """

    at: int
    time: str
    result: str
    totals: Points
    winner: str
    hands: dict[str, list[int | None]]
    broken: tuple[str, ...]
    open: tuple[str, ...]
    digest: str
    rules: int | None
    page: str
    listed: bool = True
    plugin: str = ""


What = Literal["result", "winner", "total", "hand", "gone", "new", "known", "findings", "rules", "page"]


# -- keeping ----------------------------------------------------------------------------------------------------------


def ended_and_kept(log: Sequence[Recorded]) -> tuple[bool, bool] | None:
    """Whether a match is over, and whether its log stores a verdict; None if it cannot be folded, as its game is
    unknown."""
    try:
        return bool(fold(log).ended), any(keeps_verdict(r.event) for r in log)
    except KibitzError:
        return None


def keeps_verdict(event: Event | None) -> bool:
    """True if this event stores the verdict."""
    return isinstance(event, End) and event.what == "match" and bool(event.facts)


def is_variation(records: Sequence[Recorded]) -> bool:
    """True if the log branches off another."""
    opening = records[0].event if records else None
    return isinstance(opening, Open) and VARIATION in opening.facts


def kept_end(records: Sequence[Recorded]) -> End | None:
    """Return the event that stores the verdict on a match; None while it is not over, for a variation, and if the page
    of the game is not installed.

    Raises like `replay.judging.judge.judge`.
    """
    if is_variation(records) or is_missing(getattr(records[0].event, "facts", {})):
        return None
    verdict = verdict_of(records)
    if not verdict.result:
        return None
    both, one = {"broken": list(verdict.broken), "open": list(verdict.open)}, {"broken": list(verdict.broken)}
    facts: Facts = {}
    for lists in (both, one, {}):
        facts = {
            **{k: v for k, v in lists.items() if v}, "digest": verdict.digest, "rules": verdict.rules,
            "totals": dict(verdict.totals), "hands": dict(verdict.hands),
            "winner": verdict.winner, "page": verdict.page, "plugin": verdict.plugin,
        }  # fmt: skip
        facts = {k: v for k, v in facts.items() if v not in ("", {}, None)}
        if _fits(facts):
            break
    if not _fits(facts):
        facts.pop("hands", None)
    return End(by="@", what="match", why=verdict.result, facts=facts)


def verdict_event(
    log: Sequence[Recorded], state: State[Any], new: Sequence[Recorded], view: Corrected | None = None,
) -> End | None:
    """Return the verdict to store along with `new`, if these events end a match in this `state`; else None. `view` is
    the corrected log, if the caller has it.

    The numbers of `new` continue those of the log. A verdict is stored each time a match ends, also when it ends
    again after a correction has reopened it.
    """
    if state.ended or any(keeps_verdict(r.event) for r in new):
        return None
    whole, view = [*log, *new], corrected(log) if view is None else view
    if not view.goes_on_with(*(r.event for r in new)):
        after = fold(whole)
    else:
        after = state.copy()
        for r in new:
            after.at = after.table.now = r.n
            evolve(after, r.event)
    return kept_end(whole) if after.ended else None


def _fits(facts: Facts) -> bool:
    """True if an event with these facts is small enough at any position and with any recorder's name."""
    end = End(by="@", what="match", why="x" * 64, facts=facts)
    try:
        return len(encode(Recorded(n=_FAR, event=end))) < MAX_EVENT_BYTES - 2048
    except UnreadableError:
        return False


def verdict_of(records: Sequence[Recorded], judgement: Judgement | None = None) -> KeptVerdict:
    """The verdict on a log by the current rules."""
    from replay.comparing.rule_sources import page_hash
    from replay.judging.judge import judge

    judgement = judge(records) if judgement is None else judgement
    state = judgement.state
    by_number = {s.number: s.points for s in state.scores}
    sides = list(whole_totals(state.standing))
    hands = {
        who: [by_number.get(n, {}).get(who) for n in range(1, max(by_number) + 1)] for who in sides
    } if by_number else {}
    broken = tuple(sorted(finding_key(f) for f in judgement.broken))
    unsettled = tuple(sorted(finding_key(f) for f in judgement.open))
    last = records[-1]
    return KeptVerdict(
        at=last.n, time=last.time, result=state.ended if state.ended != "agreed" else state.why_ended or "agreed",
        totals=whole_totals(state.standing), winner=state.standing.winner, hands=hands, broken=broken, open=unsettled,
        digest=findings_digest(broken, unsettled), rules=state.game.version, page=page_hash(state.game.key),
        plugin=distribution_of(state.game.key),
    )  # fmt: skip


def finding_key(finding: Finding) -> str:
    known = f":{finding.known_from.pos}" if finding.known_from is not None else ""
    return f"{finding.rule}:{finding.at.pos}{known if finding.verdict == Verdict.BROKEN else ''}"


def findings_digest(broken: Iterable[str], unsettled: Iterable[str]) -> str:
    """SHA-256 over findings, a line each, in sorted order."""
    import hashlib

    lines = sorted([*(f"broken {key}\n" for key in broken), *(f"open {key}\n" for key in unsettled)])
    return hashlib.sha256("".join(lines).encode()).hexdigest()


# -- reading ----------------------------------------------------------------------------------------------------------


def read_kept_verdict(records: Iterable[Recorded]) -> KeptVerdict | None:
    """Return the last stored verdict of a log that has not been struck out; None if there is none.

    It is read as it was written, independent of later corrections and of the current rules.
    """
    for placed in reversed(read_log(records).view.events):
        # A correction may strike a verdict out (`undo` does), but cannot rewrite it.
        for event in (placed.recorded.event, placed.event):
            if isinstance(event, End) and keeps_verdict(event):
                return _read(placed.recorded, event)
    return None


def _read(recorded: Recorded, event: End) -> KeptVerdict:
    facts = event.facts
    broken, unsettled = _texts(facts.get("broken")), _texts(facts.get("open"))
    digest, rules = str(facts.get("digest", "")), facts.get("rules")
    hands = facts.get("hands")
    return KeptVerdict(
        at=recorded.n, time=recorded.time, result=event.why, totals=_points(facts.get("totals")),
        winner=str(facts.get("winner") or ""),
        hands={k: [_whole(p) for p in v] for k, v in hands.items() if isinstance(v, list)} if isinstance(hands, dict)
        else {},
        broken=broken, open=unsettled, digest=digest, rules=_whole(rules), page=str(facts.get("page", "")),
        listed=findings_digest(broken, unsettled) == digest, plugin=str(facts.get("plugin", "")),
    )  # fmt: skip


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(
        v for v in value if isinstance(v, str)
    ) if isinstance(value, list) else (value,) if isinstance(value, str) else ()


def _points(value: Any) -> Points:
    return {k: _whole(v) for k, v in value.items()} if isinstance(value, dict) else {}


def _whole(value: Any) -> int | None:
    return value if type(value) is int else None
