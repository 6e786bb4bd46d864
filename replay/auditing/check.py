"""All findings about a log: the judge's, invalid rulings, the table's own score, and the derived lines of its file."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from events.model import Claim, Dispute, End, Open, Recorded, Ruling
from events.unread_lines import Unread, unread_terms_since
from reducers.registry import is_missing, missing_page
from reducers.rules import TABLE, Verdict
from reducers.terms import Terms
from replay.auditing.entered_twice import entered_twice
from replay.budget import Budget, budget_for
from replay.comparing.kept_verdict import keeps_verdict
from replay.fold import Corrected, terms_at
from replay.judging.findings import OF_THE_RECORD, EventPlace, Finding, Judgement
from replay.judging.judge import judge
from replay.judging.offers import depending
from replay.judging.repairs import suggest
from replay.plain_text import player_names, with_player_names
from replay.read_log import ReadLog, read_log
from replay.scoring.claims import claim_differences
from replay.scoring.hands import folded_log
from replay.scoring.older_rules import begun_under
from replay.scoring.rulings import ruling_findings
from replay.scoring.three_ways import score_played
from replay.table.acts_of_findings import with_their_acts


def check(
    records: Iterable[Recorded], derived: Iterable[tuple[int, str]] = (), *, budget: Budget | None = None,
    hand: int | None = None
) -> Judgement:
    """Judge a log, and compare the table's claims and the derived lines of its file with computed values.

    Findings that one correction would remove have it in `unless`; `repairs` lists the corrections. `derived` are line
    numbers and texts. With `hand` only corrections of that hand and the one before are searched, as the latter may
    explain its findings; findings of other hands then lack `unless` and their dates. Judging and searching share one
    budget; `cuts` lists what it was not enough for. Raises like `replay.judging.judge.judge`.
    """
    log = read_log(records)
    budget = budget_for(len(log)) if budget is None else budget
    return complete_check(judge(log, budget, hand), log, derived, budget, hand)


def check_if_needed(log: ReadLog) -> Judgement:
    """The findings of `check`, without its further steps if nothing was found, claimed or ruled."""
    budget = budget_for(len(log))
    judgement = judge(log, budget)
    if judgement.findings or any(isinstance(r.event, Claim | Ruling | Dispute) for r in log):
        judgement = complete_check(judgement, log, (), budget)
    return judgement


def complete_check(
    judgement: Judgement, log: ReadLog, derived: Iterable[tuple[int, str]], budget: Budget, hand: int | None = None,
) -> Judgement:
    """Add all other findings to the judge's; `budget` is the one the judge used."""
    if (since := unread_terms_since(log)) is not None:
        judgement.findings = [_doubted(f) if f.at.pos >= since else f for f in judgement.findings]
    # A search for corrections would not find again what only the worlds show.
    within = None if hand is None else (hand - 1, hand)
    judgement.repairs = suggest(log, [f for f in judgement.findings if not f.worlds], within=within, budget=budget)
    judgement.findings = findings = depending(said_once(judgement), judgement.repairs)
    told = {(f.rule, f.at.pos) for f in findings}
    findings += [f for f in (*ruling_findings(log), *claimed(log)) if (f.rule, f.at.pos) not in told]
    findings += differing_lines(log, derived, judgement.state.number)
    findings += unread_lines(log)
    verdict = any(type(p.event) is End and keeps_verdict(p.event) for p in log.view.events)
    older = score_played(log).older if verdict else begun_under(log.view, judgement.state)
    asked = [f"judged under older rules: {text}" for text in older]
    if is_missing(log.view.opening.facts):
        asked.append(str(missing_page(log.view.opening.facts)))
    findings += [_question("T15", EventPlace(log.last, judgement.state.number), text) for text in asked]
    findings += [_question("T14", EventPlace(at, number), text) for at, number, text in entered_twice(log)]
    judgement.cuts = tuple(sorted(budget.cuts))
    judgement.findings = [*with_their_acts(findings, log.view, judgement.state)]
    if any(type(p.event) is Open for p in log.view.events):
        judgement.findings = [about_who_sat_there(f, log.view, judgement.state.terms) for f in judgement.findings]
    return judgement


def about_who_sat_there(f: Finding, view: Corrected, terms: Terms) -> Finding:
    """A finding with the names of the players at its act, if they have changed since."""
    then = terms_at(view, f.at.pos, terms)
    if then.names == terms.names:
        return f
    called = player_names(then.sides, then.names)
    return replace(
        f, text=with_player_names(f.text, called), did=with_player_names(f.did, called),
        because=tuple(with_player_names(text, called) for text in f.because),
    )


def _doubted(finding: Finding) -> Finding:
    """A finding in a match with an unreadable line that may name other rules or seats becomes open."""
    if finding.rule in OF_THE_RECORD or (finding.verdict == Verdict.OPEN and not finding.one_of):
        return finding
    text = f"{finding.text}; a line that was not read may say otherwise"
    return replace(finding, verdict=Verdict.OPEN, known_from=None, one_of=(), text=text)


def said_once(judgement: Judgement) -> list[Finding]:
    """The findings without open questions that another question of the same hand covers."""
    untold = judgement.untold
    speak = {f.at.hand for f in judgement.open if (f.at.pos, f.rule) not in untold} if untold else set[int]()
    return [f for f in judgement.findings if f.at.hand not in speak or (f.at.pos, f.rule) not in untold]


def claimed(records: Iterable[Recorded]) -> list[Finding]:
    """The claims that differ from the computed score, each where it first does."""
    log = read_log(records)
    if not any(type(p.event) is Claim for p in log.view.events):
        return []
    return [
        _finding("T9", EventPlace(c.at, c.hand), c.text, by=c.by, evidence=(c.at,))
        for c in claim_differences(score_played(log))
    ]


def differing_lines(records: Iterable[Recorded], derived: Iterable[tuple[int, str]], hand: int = 0) -> list[Finding]:
    """The derived lines that differ from the log; `at` is the end of the log, the text names the line."""
    if not (lines := list(derived)):
        return []
    from replay.scoring.derived_lines import compare_derived

    log = read_log(records)
    at = EventPlace(log.last, hand)
    return [_finding("T8", at, f"line {d.line} of the file: {d.text}") for d in compare_derived(log, lines)]


def unread_lines(log: ReadLog) -> list[Finding]:
    """The lines of the file that could not be read, each as an open question."""
    unread = [r for r in log if type(r) is Unread]
    begun = [(h.number, log.view.events[h.first - 1].n) for h in log.once(folded_log).hands] if unread else []
    hand_at = {r.n: max((number for number, first in begun if first <= r.n), default=0) for r in unread}
    return [_question("T13", EventPlace(r.n, hand_at[r.n]), r.text) for r in unread]


def _question(rule: str, at: EventPlace, text: str) -> Finding:
    return replace(_finding(rule, at, text), verdict=Verdict.OPEN, known_from=None)


def _finding(rule: str, at: EventPlace, text: str, *, by: str = "@", evidence: tuple[int, ...] = ()) -> Finding:
    found = TABLE[rule]
    return Finding(
        rule=f"table.{rule}", verdict=Verdict.BROKEN, at=at, known_from=at, text=text, by=by, heading=found.heading,
        short=found.short, sentence=found.text, evidence=evidence,
    )  # fmt: skip
