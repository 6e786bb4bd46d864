"""The verdict kept when a match ended, and what today's rules make of the match.

The log keeps its own verdict: the last line of a match that is over is an `end` that carries facts,

    96. @ end match won broken=kaiser.R11:40:57, digest=… hands.EW=0,7 hands.NS=10,3 page=… rules=1 totals.EW=7 … winner=NS

    totals, winner   the match as it stood; the word after `match` says how it ended ("won", "agreed", "time" …)
    hands            the points of each hand, in order, by side or seat
    broken, open     the findings: the rule, the act, and for a broken rule the event from which it could be known
    digest           SHA-256 over these findings, even if they were too many to be listed
    rules, page      version and content hash of the game page that judged

It is computed, never typed; it changes nothing when the log is folded; and once written it is only read. `recheck`
computes the verdict again and names what differs.

**The content hash** is SHA-256 over the source of the page and of every module of `reducers.words` and
`reducers.games` that it imports, directly or by way of another, in the order of their names, each with its name and
length before it. Line ends count as one character on every machine. The fold and the judge are not in it: they are
the same for all games and do not decide what a rule means. The hash is empty if the source is not installed.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from events.canon import encode
from events.errors import UnreadableError
from events.limits import MAX_EVENT_BYTES
from events.model import End, Event, Facts, Fix, Open, Recorded
from reducers.game import PAGES, evolve
from reducers.rules import Verdict
from reducers.scoring import Points, figure
from reducers.state import State
from replay.fold import corrected, fold
from replay.judge import Finding, Judgement, judge, sentence

VARIATION = "Parent"
"""The tag that makes a match a variation of another; `ParentEvent` says after which of its events it begins."""
SHARED = ("reducers.words", "reducers.games")
_FAR = 10**9


class Stood(Struct, frozen=True):
    """A verdict: as a log kept it, or as it is computed now.

    `at` is the position of the `end` that keeps it (for a computed one the last event), `time` when that was entered.
    `result` is "won", the word of an agreed end, or empty while the match goes on. `broken` and `open` are findings as
    `rule:event:known from` and `rule:event`; `listed` is false if they were too many to be kept one by one.
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


What = Literal["result", "winner", "total", "hand", "gone", "new", "known", "findings", "rules", "page"]


class Difference(Struct, frozen=True):
    """One difference from the kept verdict: its kind, what was kept, what is computed now, and a sentence.

    `what`: result, winner, total, hand (its points), gone (a finding or open question that stood), new (one that did
    not), known (the same finding, provable from another event), findings (they differ, but were not listed), rules
    (their version), page (its content hash).
    """

    what: What
    stood: str
    now: str
    text: str


class Recheck(Struct, frozen=True):
    """A match judged again. `status` is "same", "differs" or "nothing stood"; `stood` is None with the last of these."""

    match: str
    game: str
    status: Literal["same", "differs", "nothing stood"]
    stood: Stood | None
    now: Stood
    differences: tuple[Difference, ...] = ()


# -- the content hash of a page ---------------------------------------------------------------------------------------


@cache
def page_hash(game: str) -> str:
    """The content hash of a game's page, as the module's text above defines it; empty if its source is not there."""
    sources: dict[str, str] = {}
    wanted = [PAGES[game]] if game in PAGES else []
    while wanted:
        name = wanted.pop()
        if name in sources:
            continue
        source = _source(name)
        if source is None:
            return ""
        sources[name] = source
        wanted += [m for m in _imported(source) if m not in sources]
    return hash_of(sources) if sources else ""


def hash_of(sources: dict[str, str]) -> str:
    """SHA-256 over sources by module name; carriage returns before line ends do not count.

    >>> hash_of({"a": "x = 1\\r\\n"}) == hash_of({"a": "x = 1\\n"}) != hash_of({"b": "x = 1\\n"})
    True
    """
    digest = hashlib.sha256()
    for name in sorted(sources):
        data = sources[name].replace("\r\n", "\n").encode()
        digest.update(f"{name} {len(data)}\n".encode() + data)
    return digest.hexdigest()


def _source(name: str) -> str | None:
    spec = importlib.util.find_spec(name)
    get = getattr(spec.loader, "get_source", None) if spec is not None else None
    try:
        source = get(name) if get is not None else None
        if source is None and spec is not None and spec.origin:
            # The loader does not keep the source, or the module was compiled: the file has it, or the one beside it.
            file = Path(spec.origin)
            with tokenize.open(file if file.suffix == ".py" else file.with_name(f"{name.rpartition('.')[2]}.py")) as text:
                source = text.read()
    except (ImportError, OSError, SyntaxError, UnicodeError):
        return None
    return source if isinstance(source, str) else None


def _imported(source: str) -> Iterator[str]:
    """The shared modules that a page imports, anywhere in it."""
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module] if node.module not in SHARED else [f"{node.module}.{a.name}" for a in node.names]
        yield from (n for n in names if n.rpartition(".")[0] in SHARED)


# -- keeping ----------------------------------------------------------------------------------------------------------


def is_kept(event: Event | None) -> bool:
    """Whether this is the line that keeps the verdict."""
    return isinstance(event, End) and event.what == "match" and bool(event.facts)


def is_variation(records: Sequence[Recorded]) -> bool:
    """Whether the log says that it branches off another."""
    opening = records[0].event if records else None
    return isinstance(opening, Open) and VARIATION in opening.facts


def kept_end(records: Sequence[Recorded]) -> End | None:
    """The event that keeps the verdict on a match as its log stands; None while it is not over, and for a variation.

    Raises like `replay.judge.judge`.
    """
    if is_variation(records):
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
            "winner": verdict.winner, "page": verdict.page,
        }  # fmt: skip
        facts = {k: v for k, v in facts.items() if v not in ("", {}, None)}
        if _fits(facts):
            break
    if not _fits(facts):
        facts.pop("hands", None)
    return End(by="@", what="match", why=verdict.result, facts=facts)


def closing(log: Sequence[Recorded], state: State[Any], new: Sequence[Recorded]) -> End | None:
    """The verdict to keep along with `new`, if these events end a match that stands at `state`; else None.

    The numbers of `new` continue those of the log. A verdict is kept each time a match ends: if a correction reopens it
    and it ends again, that is another end.
    """
    if state.ended or any(is_kept(r.event) for r in new):
        return None
    whole = [*log, *new]
    if any(isinstance(r.event, Open | Fix) for r in new):
        after = fold(whole)
    else:
        after = state.copy()
        for r in new:
            after.at = after.table.now = r.n
            evolve(after, r.event)
    return kept_end(whole) if after.ended else None


def _fits(facts: Facts) -> bool:
    """Whether an event with these facts is small enough at any position and with any recorder's name."""
    end = End(by="@", what="match", why="x" * 64, facts=facts)
    try:
        return len(encode(Recorded(n=_FAR, event=end))) < MAX_EVENT_BYTES - 2048
    except UnreadableError:
        return False


def verdict_of(records: Sequence[Recorded], judgement: Judgement | None = None) -> Stood:
    """The verdict on a log by the rules of today."""
    judgement = judge(records) if judgement is None else judgement
    state = judgement.state
    by_number = {s.number: s.points for s in state.scores}
    sides = list(state.standing.totals)
    hands = {who: [by_number.get(n, {}).get(who) for n in range(1, max(by_number) + 1)] for who in sides} if by_number else {}
    broken = tuple(sorted(_key(f) for f in judgement.broken))
    unsettled = tuple(sorted(_key(f) for f in judgement.open))
    last = records[-1]
    return Stood(
        at=last.n, time=last.time, result=state.ended if state.ended != "agreed" else state.why_ended or "agreed",
        totals=dict(state.standing.totals), winner=state.standing.winner, hands=hands, broken=broken, open=unsettled,
        digest=digest_of(broken, unsettled), rules=state.game.version, page=page_hash(state.game.key),
    )  # fmt: skip


def _key(finding: Finding) -> str:
    known = f":{finding.known_from.pos}" if finding.known_from is not None else ""
    return f"{finding.rule}:{finding.at.pos}{known if finding.verdict == Verdict.BROKEN else ''}"


def digest_of(broken: Iterable[str], unsettled: Iterable[str]) -> str:
    """SHA-256 over findings, a line each; the order in which they are given does not matter."""
    lines = sorted([*(f"broken {key}\n" for key in broken), *(f"open {key}\n" for key in unsettled)])
    return hashlib.sha256("".join(lines).encode()).hexdigest()


# -- reading ----------------------------------------------------------------------------------------------------------


def what_stood(records: Sequence[Recorded]) -> Stood | None:
    """The verdict that a log kept, the last one that has not been struck out; None if it kept none.

    It is read as it was written, whatever was recorded or corrected since, and whatever the rules say today.
    """
    for placed in reversed(corrected(records).events):
        # A correction may strike a verdict out (`undo` does); it cannot rewrite one.
        for event in (placed.recorded.event, placed.event):
            if isinstance(event, End) and is_kept(event):
                return _read(placed.recorded, event)
    return None


def _read(recorded: Recorded, event: End) -> Stood:
    facts = event.facts
    broken, unsettled = _texts(facts.get("broken")), _texts(facts.get("open"))
    digest, rules = str(facts.get("digest", "")), facts.get("rules")
    hands = facts.get("hands")
    return Stood(
        at=recorded.n, time=recorded.time, result=event.why, totals=_points(facts.get("totals")),
        winner=str(facts.get("winner") or ""),
        hands={k: [_whole(p) for p in v] for k, v in hands.items() if isinstance(v, list)} if isinstance(hands, dict) else {},
        broken=broken, open=unsettled, digest=digest, rules=_whole(rules), page=str(facts.get("page", "")),
        listed=digest_of(broken, unsettled) == digest,
    )  # fmt: skip


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(v for v in value if isinstance(v, str)) if isinstance(value, list) else (value,) if isinstance(value, str) else ()


def _points(value: Any) -> Points:
    return {k: _whole(v) for k, v in value.items()} if isinstance(value, dict) else {}


def _whole(value: Any) -> int | None:
    return value if type(value) is int else None


# -- comparing --------------------------------------------------------------------------------------------------------


def recheck(records: Iterable[Recorded], name: str = "") -> Recheck:
    """Judge a log by today's rules and compare with the verdict it kept. `name` is what to call the match.

    Raises like `replay.judge.judge`: for a log that cannot be opened, or a game without a page.
    """
    log = list(records)
    judgement = judge(log)
    now = verdict_of(log, judgement)
    stood = what_stood(log)
    game = judgement.state.game.key
    name = name or str(judgement.state.terms.facts.get("Match", ""))
    if stood is None:
        return Recheck(name, game, "nothing stood", None, now)
    found = tuple(_differences(stood, now, judgement.findings))
    return Recheck(name, game, "differs" if found else "same", stood, now, found)


def _differences(stood: Stood, now: Stood, findings: Sequence[Finding]) -> Iterator[Difference]:
    if stood.result != now.result:
        yield _differs("result", stood.result, now.result, "the result was {}; now it is {}", "not over")
    if stood.winner != now.winner:
        yield _differs("winner", stood.winner, now.winner, "the winner was {}; now it is {}", "nobody")
    for who in dict.fromkeys((*stood.totals, *now.totals)):
        total, today = figure(stood.totals.get(who)), figure(now.totals.get(who))
        if total != today:
            yield Difference("total", total, today, f"the total of {who} was {total}; now it is {today}")
    # An event too large leaves the hands out; what was not kept is not compared.
    for who in stood.hands:
        was_all, new_all = stood.hands[who], now.hands.get(who, [])
        for i in range(max(len(was_all), len(new_all))):
            old, new = _nth(was_all, i), _nth(new_all, i)
            if old != new:
                yield Difference("hand", old, new, f"hand {i + 1} was {old} for {who}; now it is {new}")
    yield from _of_findings(stood, now, findings)
    if stood.rules != now.rules:
        yield _differs("rules", figure(stood.rules), figure(now.rules), "rules version {} judged then; now it is version {}", "?")
    if stood.page != now.page:
        text = "the content of the game page has changed since then"
        if not stood.page or not now.page:
            text = f"the content of the game page {'was not kept then' if not stood.page else 'cannot be read here'}"
        yield Difference("page", stood.page, now.page, text)


def _differs(what: What, was: str, now: str, text: str, nothing: str) -> Difference:
    return Difference(what, was, now, text.format(was or nothing, now or nothing))


def _nth(points: Sequence[int | None], i: int) -> str:
    return figure(points[i]) if i < len(points) else "not played"


def _of_findings(stood: Stood, now: Stood, findings: Sequence[Finding]) -> Iterator[Difference]:
    if stood.digest == now.digest:
        return
    if not stood.listed:
        yield Difference("findings", stood.digest, now.digest, "the findings differ; the earlier ones were too many to be listed")
        return
    said = {_key(f): sentence(f) for f in findings}
    gone = Counter(stood.broken) - Counter(now.broken)
    new = Counter(now.broken) - Counter(stood.broken)
    for key in sorted(gone.elements()):
        act = key.rpartition(":")[0]
        moved = next((k for k in new if k.rpartition(":")[0] == act), None)
        if moved is not None:
            new -= Counter([moved])
            rule, _, pos = act.rpartition(":")
            was, is_now = key.rpartition(":")[2], moved.rpartition(":")[2]
            yield Difference("known", key, moved, f"{rule} at event {pos} was known from event {was}; now it is known from event {is_now}")
        else:
            yield Difference("gone", key, "", f"{_told(key)} was broken; now it is not")
    for key in sorted(new.elements()):
        yield Difference("new", "", key, f"new finding: {said.get(key, key)}")
    for key in sorted((Counter(stood.open) - Counter(now.open)).elements()):
        yield Difference("gone", key, "", f"{_told(key)} was an open question; now it is not")
    for key in sorted((Counter(now.open) - Counter(stood.open)).elements()):
        yield Difference("new", "", key, f"new open question: {said.get(key, key)}")


def _told(key: str) -> str:
    """A finding's key in words.

    >>> _told("kaiser.R11:96:118"), _told("kaiser.R2:14")
    ('kaiser.R11 at event 96', 'kaiser.R2 at event 14')
    """
    rule, _, rest = key.partition(":")
    return f"{rule} at event {rest.partition(':')[0]}"


__all__ = [
    "VARIATION", "Difference", "Recheck", "Stood", "closing", "digest_of", "hash_of", "is_kept", "is_variation", "kept_end", "page_hash",
    "recheck", "verdict_of", "what_stood",
]  # fmt: skip
