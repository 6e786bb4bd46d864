"""A log is read once: its corrections are folded in once, whatever is asked of it, and one walk is for all who look
on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from sampling import a_few

import replay.fold
from events.kib import read_kib as read_kib
from events.model import Recorded
from replay.auditing.about_event import about
from replay.auditing.audit import audit
from replay.auditing.check import check
from replay.auditing.proof import HindsightReplay
from replay.comparing.recheck import recheck
from replay.fold import Corrected
from replay.judging.contradictions import ConflictReading, reading_of
from replay.judging.judge import judge
from replay.paper.report import only_hand, render_report, report
from replay.paper.sheet import sheet_of
from replay.read_log import ReadLog, read_log
from replay.scoring.three_ways import score_match
from replay.table.narration import tell

EXAMPLES = Path(__file__).parents[2] / "examples"
# Corrections, claims, inferred cards and findings to date; a dispute with its ruling.
LOGS = {
    name: list(read_kib((EXAMPLES / f"{name}.kib").read_text(encoding="utf-8")).records)
    for name in ("kaiser-evening", "conquian-cantina")
}
EVENING = LOGS["kaiser-evening"]


def found(log: Iterable[Recorded]) -> object:
    """What `check` finds; the state beside it is compared by the other answers."""
    judgement = check(log)
    return judgement.findings, judgement.repairs, judgement.illegal, judgement.cuts


ASKED: dict[str, Callable[[Iterable[Recorded]], object]] = {
    "check": found, "audit": audit, "score": score_match, "sheet": sheet_of,
    "report": lambda log: render_report(report(log, 3), "md"), "replay": lambda log: list(tell(log)),
    "about": lambda log: about(log, 12), "recheck": recheck,
}  # fmt: skip


@pytest.fixture
def folded_in(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How long each log was whose corrections were folded in, wherever that is done."""
    plain, lengths = replay.fold.corrected, []

    def counted(records: Iterable[Recorded], *more: Any) -> Corrected:
        log = list(records)
        lengths.append(len(log))
        return plain(log, *more)

    for module in list(sys.modules.values()):
        if getattr(module, "corrected", None) is plain:
            monkeypatch.setattr(module, "corrected", counted)
    return lengths


@pytest.mark.parametrize("match", LOGS)
@pytest.mark.parametrize("name", ASKED)
def test_the_corrections_of_a_log_are_folded_in_once(name: str, match: str, folded_in: list[int]) -> None:
    """If this failed, each part of an answer would read the log anew; only the shorter logs that date a finding are
    others."""
    log = LOGS[match]
    ASKED[name](log)
    assert folded_in.count(len(log)) == 1


def test_several_answers_to_one_log_fold_its_corrections_in_once(folded_in: list[int]) -> None:
    """If this failed, a command that asks twice, as for the only hand of a report, would read twice."""
    log = read_log(EVENING)
    for ask in ASKED.values():
        ask(log)
    assert folded_in.count(len(log)) == 1
    first = read_log(EVENING[:40])
    report(first, only_hand(first))
    assert folded_in.count(len(first)) == 1


@pytest.mark.parametrize("match", LOGS)
@pytest.mark.parametrize("name", a_few(ASKED, 2))
def test_a_log_that_was_read_gives_the_same_answers(name: str, match: str) -> None:
    """If this failed, what one part keeps of a log would change what another says of it."""
    log = LOGS[match]
    shared = read_log(log)
    for ask in ASKED.values():
        ask(shared)
    assert repr(ASKED[name](shared)) == repr(ASKED[name](log))


def test_a_report_walks_its_log_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, proofs, deals and plays would each apply every event again."""
    walks, plain = [], HindsightReplay.stations

    def counted(self: HindsightReplay) -> Any:
        walks.append(self)
        return plain(self)

    monkeypatch.setattr(HindsightReplay, "stations", counted)
    made = report(EVENING, 3)
    assert len(walks) == 1
    assert {"deal", "plays", "proof"} <= {part.kind for part in made.parts}


def test_the_reading_of_the_judge_serves_the_audit() -> None:
    """If this failed, the audit would learn once more what the judge has learnt."""
    log = read_log(EVENING)
    judgement = judge(log)
    reading = log.once(reading_of)
    assert HindsightReplay(log).events is reading.events
    assert judgement.inferred is reading.inferred
    # Asked of a log that nobody has judged, it is the same.
    alone = reading_of(ReadLog(log))
    assert type(alone) is ConflictReading
    assert (alone.events, alone.proofs, alone.hand_at, alone.inferred) == (
        reading.events, reading.proofs, reading.hand_at, reading.inferred,
    )
