"""The verdict stored when a match ended, and a comparison with the current rules.

The log stores its own verdict: the last line of a finished match is an `end` with facts,

    96. @ end match won broken=kaiser.R11:40:57, digest=… hands.EW=0,7 hands.NS=10,3 page=… totals.EW=7 … winner=NS

    totals, winner   the standing; the word after `match` says how it ended ("won", "agreed", "time" …)
    hands            the points of each hand, in order, by side or seat
    broken, open     the findings: the rule, the act, and for a broken rule the event from which it could be known
    digest           SHA-256 over these findings, even if they were too many to be listed
    rules, page      version and content hash of the game module that judged
    plugin           the distribution and version it came with, if not with Kibitz

It is computed, never typed; it changes nothing when the log is folded; and once written it is only read. `recheck`
computes the verdict again and lists the differences.

**The content hash** is SHA-256 over the source of the game module and of every module of `reducers.words` and
`reducers.games` that it imports, directly or indirectly (for a page of another distribution also of its own
package), in the order of their names, each with its name and length before it. Line ends count as one character on
every machine. The fold and the judge are not included: they are the same for all games and do not decide what a rule
means. The hash is empty if the source is not installed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from events.model import Recorded
from reducers.registry import is_missing, missing_page
from reducers.scoring import figure
from replay.comparing.kept_verdict import KeptVerdict, What, finding_key, read_kept_verdict, verdict_of
from replay.judging.findings import Finding, sentence
from replay.judging.judge import judge
from replay.read_log import read_log


class VerdictDifference(Struct, frozen=True):
    """One difference from the stored verdict: its kind, the stored and the current value, and a sentence.

    `what`: result, winner, total, hand (its points), gone (an earlier finding or open question), new (a new one),
    known (the same finding, provable from another event), findings (different, but not listed), rules (their
    version), page (its content hash).
    """

    what: What
    stood: str
    now: str
    text: str


class Recheck(Struct, frozen=True):
    """A match judged again. `status` is "same", "differs" or "nothing stood"; for the last `stood` is None."""

    match: str
    game: str
    status: Literal["same", "differs", "nothing stood"]
    stood: KeptVerdict | None
    now: KeptVerdict
    differences: tuple[VerdictDifference, ...] = ()


def recheck(records: Iterable[Recorded], name: str = "") -> Recheck:
    """Judge a log by the current rules and compare with its stored verdict. `name` is the name of the match.

    Raises like `replay.judging.judge.judge`: for a log that cannot be opened, or an unknown game; and NotFoundError if
    the page is not installed.
    """
    log = read_log(records)
    if is_missing(log.view.opening.facts):
        raise missing_page(log.view.opening.facts)
    judgement = judge(log)
    now = verdict_of(log.records, judgement)
    stood = read_kept_verdict(log)
    game = judgement.state.game.key
    name = name or str(judgement.state.terms.facts.get("Match", ""))
    if stood is None:
        return Recheck(name, game, "nothing stood", None, now)
    found = tuple(_differences(stood, now, judgement.findings))
    return Recheck(name, game, "differs" if found else "same", stood, now, found)


def _differences(stood: KeptVerdict, now: KeptVerdict, findings: Sequence[Finding]) -> Iterator[VerdictDifference]:
    if stood.result != now.result:
        yield _differs("result", stood.result, now.result, "the result was {}; now it is {}", "not over")
    if stood.winner != now.winner:
        yield _differs("winner", stood.winner, now.winner, "the winner was {}; now it is {}", "nobody")
    for who in dict.fromkeys((*stood.totals, *now.totals)):
        total, today = figure(stood.totals.get(who)), figure(now.totals.get(who))
        if total != today:
            yield VerdictDifference("total", total, today, f"the total of {who} was {total}; now it is {today}")
    # Hands are left out of an event that would be too large, and are then not compared.
    for who in stood.hands:
        was_all, new_all = stood.hands[who], now.hands.get(who, [])
        for i in range(max(len(was_all), len(new_all))):
            old, new = _nth(was_all, i), _nth(new_all, i)
            if old != new:
                yield VerdictDifference("hand", old, new, f"hand {i + 1} was {old} for {who}; now it is {new}")
    yield from _of_findings(stood, now, findings)
    if stood.rules != now.rules:
        yield _differs(
            "rules", figure(stood.rules), figure(now.rules), "rules version {} judged then; now it is version {}", "?",
        )
    if stood.page != now.page:
        text = "the content of the game page has changed since then"
        if stood.plugin != now.plugin:
            text = f"{stood.plugin or 'a page of Kibitz'} judged then; now it is {now.plugin or 'a page of Kibitz'}"
        if not stood.page or not now.page:
            text = f"the content of the game page {'was not kept then' if not stood.page else 'cannot be read here'}"
        yield VerdictDifference("page", stood.page, now.page, text)


def _differs(what: What, was: str, now: str, text: str, nothing: str) -> VerdictDifference:
    return VerdictDifference(what, was, now, text.format(was or nothing, now or nothing))


def _nth(points: Sequence[int | None], i: int) -> str:
    return figure(points[i]) if i < len(points) else "not played"


def _of_findings(stood: KeptVerdict, now: KeptVerdict, findings: Sequence[Finding]) -> Iterator[VerdictDifference]:
    if stood.digest == now.digest:
        return
    if not stood.listed:
        yield VerdictDifference(
            "findings", stood.digest, now.digest, "the findings differ; the earlier ones were too many to be listed",
        )
        return
    said = {finding_key(f): sentence(f) for f in findings}
    gone = Counter(stood.broken) - Counter(now.broken)
    new = Counter(now.broken) - Counter(stood.broken)
    for key in sorted(gone.elements()):
        act = key.rpartition(":")[0]
        moved = next((k for k in new if k.rpartition(":")[0] == act), None)
        if moved is not None:
            new -= Counter([moved])
            rule, _, pos = act.rpartition(":")
            was, is_now = key.rpartition(":")[2], moved.rpartition(":")[2]
            yield VerdictDifference(
                "known", key, moved,
                f"{rule} at event {pos} was known from event {was}; now it is known from event {is_now}",
            )
        else:
            yield VerdictDifference("gone", key, "", f"{_describe_finding(key)} was broken; now it is not")
    for key in sorted(new.elements()):
        yield VerdictDifference("new", "", key, f"new finding: {said.get(key, key)}")
    for key in sorted((Counter(stood.open) - Counter(now.open)).elements()):
        yield VerdictDifference("gone", key, "", f"{_describe_finding(key)} was an open question; now it is not")
    for key in sorted((Counter(now.open) - Counter(stood.open)).elements()):
        yield VerdictDifference("new", "", key, f"new open question: {said.get(key, key)}")


def _describe_finding(key: str) -> str:
    """A finding's key in words.

    >>> _describe_finding("kaiser.R11:96:118"), _describe_finding("kaiser.R2:14")
    ('kaiser.R11 at event 96', 'kaiser.R2 at event 14')
    """
    rule, _, rest = key.partition(":")
    return f"{rule} at event {rest.partition(':')[0]}"
