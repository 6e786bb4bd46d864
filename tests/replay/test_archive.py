"""Many matches judged at once: the same report however many work on it, and whoever of them dies."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from loaders import Deadly, made
from msgspec.structs import replace
from sampling import a_few

from events.errors import KibitzError, NotFoundError, StoreError, UnreadableError, UsageError
from events.model import Recorded
from events.versions import record_version
from replay.auditing.batch import Judged, judge_all, recheck_all, summarize
from replay.auditing.check import check
from replay.engines import dask, port
from replay.engines.choosing import engine_named
from replay.engines.dask import Dask
from replay.engines.processes import Processes
from replay.season.read_tables import TablesLoader, matches_in
from replay.season.tables import MatchTables, write_tables

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


@pytest.mark.rest
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


@pytest.mark.rest
@pytest.mark.parametrize("times", [1, pytest.param(2, marks=pytest.mark.rest)])
def test_a_killed_worker_changes_nothing(times: int, tmp_path: Path, alone: list[Judged]) -> None:
    assert list(judge_all(MATCHES, Deadly(tmp_path, "scopa-4", times), Processes(2))) == alone[:-1]
    assert len(list(tmp_path.iterdir())) == times


@pytest.mark.rest
def test_a_match_that_kills_every_worker_is_named_and_left_out(tmp_path: Path, alone: list[Judged]) -> None:
    found = list(judge_all(MATCHES, Deadly(tmp_path, "scopa-4", 99), Processes(2)))
    assert [one.match for one in found] == MATCHES
    assert [one.match for one in found if one.error] == ["scopa-4"]
    assert [one for one in found if not one.error] == [one for one in alone[:-1] if one.match != "scopa-4"]


@pytest.mark.rest
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


@pytest.mark.rest
def test_a_cluster_gives_the_same_report(cluster: str, alone: list[Judged]) -> None:
    """If this failed, what a federation is told would depend on what worked it out."""
    assert list(judge_all([*MATCHES, "gone"], made, engine_named(f"dask://{cluster}", 1))) == alone


@pytest.mark.rest
def test_a_killed_worker_of_a_cluster_changes_nothing(cluster: str, tmp_path: Path, alone: list[Judged]) -> None:
    """If this failed, a machine that is switched off would leave a hole in the report."""
    assert list(judge_all(MATCHES, Deadly(tmp_path, "scopa-4", 1), Dask(cluster))) == alone[:-1]
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.slow
def test_a_match_that_kills_every_worker_of_a_cluster_is_named_and_left_out(
    cluster: str, tmp_path: Path, alone: list[Judged],
) -> None:
    found = list(judge_all(MATCHES, Deadly(tmp_path, "scopa-4", 99), Dask(cluster)))
    assert [one.match for one in found if one.error] == ["scopa-4"]
    assert [one for one in found if not one.error] == [one for one in alone[:-1] if one.match != "scopa-4"]


@pytest.mark.parametrize(
    ("name", "error", "says"),
    [("ray", UsageError, "no engine"), (
        "dask://nowhere", UsageError, "no address",
    ), ("dask://a:b", UsageError, "no address"),
     pytest.param("dask://127.0.0.1:1", StoreError, "no scheduler answers", marks=pytest.mark.rest)],
)  # fmt: skip
def test_an_engine_that_is_not_there_is_said(
    name: str, error: type[KibitzError], says: str, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dask, "PATIENCE", 1)
    with pytest.raises(error, match=says):
        list(judge_all(MATCHES, made, engine_named(name, 1)))


# Tables in the place of a store


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same matches as Parquet, in groups of a few rows, so that matches go on from one to the next."""
    parquet = pytest.importorskip("pyarrow.parquet")
    folder = tmp_path_factory.mktemp("tables")
    write_tables(folder, [MatchTables(match, "home", marked(match)) for match in MATCHES])
    whole = parquet.read_table(folder / "events.parquet")
    parquet.write_table(whole, folder / "events.parquet", row_group_size=100)
    return folder


def marked(match: str) -> list[Recorded]:
    """A match with all that is kept around events."""
    log = made(match)
    log[2] = replace(log[2], text="who led? – ♥", glyphs=(1, 4), recorder="Ann", time="2026-03-14T20:05:11.250Z")
    log[3] = replace(log[3], same=True, t=1250)
    return log


@pytest.mark.rest
def test_an_archive_of_tables_gives_the_same_report(tables: Path, alone: list[Judged]) -> None:
    """If this failed, what was exported could not be judged where there is no store."""
    assert matches_in(tables) == MATCHES
    assert matches_in(tables, "scopa") == [match for match in MATCHES if match.startswith("scopa")]
    assert list(judge_all([*MATCHES, "gone"], TablesLoader(tables)))[:-1] == alone[:-1]
    assert list(judge_all(MATCHES, TablesLoader(tables), Processes(2))) == alone[:-1]
    # In another order than that of the file, too.
    assert list(judge_all(MATCHES[::-1], TablesLoader(tables))) == alone[-2::-1]


def test_what_is_read_from_tables_is_what_was_written(tables: Path) -> None:
    for match in MATCHES[::5]:
        assert TablesLoader(tables)(match) == [replace(r, v=record_version(r.event), key="") for r in marked(match)]
    with pytest.raises(NotFoundError, match="no match 'kaiser-99'"):
        TablesLoader(tables)("kaiser-99")


def spoiled(rows: list[dict[str, object]], column: str, value: object) -> list[dict[str, object]]:
    return [{**row, column: value} if row["match"] == MATCHES[1] and row["n"] == 3 else row for row in rows]


@pytest.mark.parametrize(
    ("column", "value", "says"),
    a_few([(
        "event", '{"verb":"fly"}', "event 3 cannot be read",
    ), ("event", None, "event 3 cannot be read"), ("n", 4, "not every event once"),
     (
         "text", "two\nlines", "event 3 cannot be read",
     ), ("glyphs", "good", "event 3 cannot be read"), ("t", -1, "event 3 cannot be read")], 2),
)  # fmt: skip
def test_a_row_that_cannot_be_read_is_named_and_keeps_nothing_back(
    tables: Path, alone: list[Judged], tmp_path: Path, column: str, value: object, says: str
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    whole = parquet.read_table(tables / "events.parquet")
    parquet.write_table(
        type(whole).from_pylist(spoiled(whole.to_pylist(), column, value), schema=whole.schema),
        tmp_path / "events.parquet",
    )
    found = list(judge_all(MATCHES, TablesLoader(tmp_path)))
    assert [one.match for one in found if one.error] == [MATCHES[1]]
    assert says in found[1].error
    assert [one for one in found if not one.error] == [one for one in alone[:-1] if one.match != MATCHES[1]]


def test_a_folder_without_tables_is_said(tables: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    with pytest.raises(NotFoundError, match="no table of events"):
        matches_in(tmp_path)
    (tmp_path / "events.parquet").write_bytes(b"PAR1 nothing PAR1")
    with pytest.raises(UnreadableError, match="cannot be read"):
        matches_in(tmp_path)
    whole = parquet.read_table(tables / "events.parquet").drop_columns(["event"])
    parquet.write_table(whole, tmp_path / "events.parquet")
    with pytest.raises(UnreadableError, match="no column 'event'"):
        TablesLoader(tmp_path / ".")("kaiser-0")
