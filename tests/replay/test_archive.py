"""Many matches judged at once: the same report however many work on it, and whoever of them dies."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from loaders import Deadly, made

from events.errors import KibitzError, StoreError, UsageError
from replay.auditing.batch import Judged, judge_all, recheck_all, summarize
from replay.auditing.check import check
from replay.engines import dask, port
from replay.engines.choosing import engine_named
from replay.engines.dask import Dask
from replay.engines.processes import Processes

MATCHES = [f"{game}-{n}" for n in range(6) for game in ("kaiser", "scopa")]


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a few matches are several batches."""
    monkeypatch.setattr(port, "RANGE", 3)
    monkeypatch.setattr(port, "AHEAD", 2)


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
    assert list(judge_all([*MATCHES, "gone"], made, Processes(3))) == alone


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
    assert list(judge_all(MATCHES, Deadly(tmp_path, "scopa-4", times), Processes(2))) == alone[:-1]
    assert len(list(tmp_path.iterdir())) == times


def test_a_match_that_kills_every_worker_is_named_and_left_out(tmp_path: Path, alone: list[Judged]) -> None:
    found = list(judge_all(MATCHES, Deadly(tmp_path, "scopa-4", 99), Processes(2)))
    assert [one.match for one in found] == MATCHES
    assert [one.match for one in found if one.error] == ["scopa-4"]
    assert [one for one in found if not one.error] == [one for one in alone[:-1] if one.match != "scopa-4"]


def test_judging_anew_with_several_workers() -> None:
    one, three = (list(recheck_all([*MATCHES[:8], "gone"], made, Processes(jobs))) for jobs in (1, 3))
    assert one == three
    assert [r.match for r in one if r.error] == ["gone"]
    assert {r.found.status for r in one if r.found} == {"nothing stood"}


# Another engine


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The scheduler of a cluster of two processes on this machine."""
    distributed = pytest.importorskip("distributed")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as made:
        yield str(made.scheduler_address).removeprefix("tcp://")


def test_a_cluster_gives_the_same_report(cluster: str, alone: list[Judged]) -> None:
    """If this failed, what a federation is told would depend on what worked it out."""
    assert list(judge_all([*MATCHES, "gone"], made, engine_named(f"dask://{cluster}", 1))) == alone


def test_a_killed_worker_of_a_cluster_changes_nothing(cluster: str, tmp_path: Path, alone: list[Judged]) -> None:
    """If this failed, a machine that is switched off would leave a hole in the report."""
    assert list(judge_all(MATCHES, Deadly(tmp_path, "scopa-4", 1), Dask(cluster))) == alone[:-1]
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.slow
def test_a_match_that_kills_every_worker_of_a_cluster_is_named_and_left_out(cluster: str, tmp_path: Path, alone: list[Judged]) -> None:
    found = list(judge_all(MATCHES, Deadly(tmp_path, "scopa-4", 99), Dask(cluster)))
    assert [one.match for one in found if one.error] == ["scopa-4"]
    assert [one for one in found if not one.error] == [one for one in alone[:-1] if one.match != "scopa-4"]


@pytest.mark.parametrize(
    ("name", "error", "says"),
    [("ray", UsageError, "no engine"), ("dask://nowhere", UsageError, "no address"), ("dask://a:b", UsageError, "no address"),
     ("dask://127.0.0.1:1", StoreError, "no scheduler answers")],
)  # fmt: skip
def test_an_engine_that_is_not_there_is_said(name: str, error: type[KibitzError], says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "PATIENCE", 1)
    with pytest.raises(error, match=says):
        list(judge_all(MATCHES, made, engine_named(name, 1)))
