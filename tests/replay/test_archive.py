"""Many matches judged at once: the same report however many work on it, and whoever of them dies."""

from __future__ import annotations

from pathlib import Path

import pytest
from loaders import Deadly, made

from replay.auditing import batch as archive
from replay.auditing.batch import Judged, judge_all, recheck_all, summarize
from replay.auditing.check import check

MATCHES = [f"{game}-{n}" for n in range(6) for game in ("kaiser", "scopa")]


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a few matches are several batches."""
    monkeypatch.setattr(archive, "BATCH", 3)
    monkeypatch.setattr(archive, "AHEAD", 2)


@pytest.fixture(scope="module")
def alone() -> list[Judged]:
    """The report of a single worker."""
    return list(judge_all([*MATCHES, "gone"], made))


def test_each_match_is_judged_as_check_judges_it(alone: list[Judged]) -> None:
    assert [one.match for one in alone] == [*MATCHES, "gone"]
    for one in alone[:-1]:
        findings = check(made(one.match)).findings
        assert [(o.rule, o.verdict, o.at, o.doubtful) for o in one.offences] == [
            (f.rule, f.verdict, f.at.pos, f.unless is not None) for f in findings
        ]
        assert one.events == len(made(one.match))


def test_several_workers_give_the_same_report(alone: list[Judged]) -> None:
    assert list(judge_all([*MATCHES, "gone"], made, jobs=3)) == alone


def test_a_match_that_cannot_be_loaded_keeps_nothing_back(alone: list[Judged]) -> None:
    assert alone[-1].code == 5
    assert "gone" in alone[-1].error
    found = summarize(alone)
    assert found.unreadable == ("gone",)
    assert (found.matches, found.games) == (13, {"kaiser": 6, "scopa": 6})


def test_the_summary_counts_by_rule(alone: list[Judged]) -> None:
    found = summarize(alone)
    assert found.events == sum(len(made(match)) for match in MATCHES)
    for row in found.rules:
        those = [o for one in alone for o in one.offences if o.rule == row.rule]
        assert row.broken + row.doubtful + row.open == len(those)
        assert row.matches == sum(any(o.rule == row.rule for o in one.offences) for one in alone)
    assert sum(row.broken for row in found.rules) >= 4
    assert [row.broken for row in found.rules] == sorted((row.broken for row in found.rules), reverse=True)
    assert set(found.broken) <= {m for m in MATCHES if int(m.rpartition("-")[2]) % 3 == 0}


@pytest.mark.parametrize("times", [1, 2])
def test_a_killed_worker_changes_nothing(times: int, tmp_path: Path, alone: list[Judged]) -> None:
    assert list(judge_all(MATCHES, Deadly(tmp_path, "scopa-4", times), jobs=2)) == alone[:-1]
    assert len(list(tmp_path.iterdir())) == times


def test_a_match_that_kills_every_worker_is_named_and_left_out(tmp_path: Path, alone: list[Judged]) -> None:
    found = list(judge_all(MATCHES, Deadly(tmp_path, "scopa-4", 99), jobs=2))
    assert [one.match for one in found] == MATCHES
    assert [one.match for one in found if one.error] == ["scopa-4"]
    assert [one for one in found if not one.error] == [one for one in alone[:-1] if one.match != "scopa-4"]


def test_judging_anew_with_several_workers() -> None:
    one, three = (list(recheck_all([*MATCHES[:8], "gone"], made, jobs=jobs)) for jobs in (1, 3))
    assert one == three
    assert [r.match for r in one if r.error] == ["gone"]
    assert {r.found.status for r in one if r.found} == {"nothing stood"}
