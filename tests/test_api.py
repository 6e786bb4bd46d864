"""What docs/api.md promises: its examples run, its names are there, its tables answer the questions of a club, its
schemas fit."""

from __future__ import annotations

import doctest
import importlib
import json
import os
import re
from collections import Counter
from pathlib import Path

import duckdb
import jsonschema_rs
import pyarrow.parquet
import pytest
from a_season import BOOK, fill
from page_api import broken_promises, public_names

from cli import VERSION
from cli.schemas import KINDS, schema_of
from events.register_notes import NameLink
from records import Store, players
from records.projection.index import Index
from records.projection.standings import Chosen, Standings
from replay.scoring.three_ways import score_match
from replay.season.facts import match_facts
from replay.season.formula import BestEvenings, measure
from replay.season.ratings import rate
from replay.season.table import SeasonRequest, season_tables
from replay.season.tables import TABLES, MatchTables, write_tables

TEXT = (Path(__file__).parent.parent / "docs" / "api.md").read_text(encoding="utf-8")


def test_the_examples_run() -> None:
    """If this failed, somebody who copies from the page would get something else."""
    found = doctest.DocTestParser().get_doctest(TEXT, {}, "api.md", None, None)
    assert len(found.examples) > 20
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(found, out=told.append)
    assert runner.failures == 0, "".join(told)


def test_every_function_that_is_named_is_there() -> None:
    """If this failed, the page would promise what nobody can call."""
    named = {
        name for name in re.findall(r"`((?:events|records|replay)\.[\w.]+)", TEXT)
        if not name.endswith(("errors", "matches"))
    }
    assert len(named) > 12
    for name in named:
        module, _, rest = name.rpartition(".")
        try:
            where = importlib.import_module(module)
        except ModuleNotFoundError:
            module, _, kind = module.rpartition(".")
            where = getattr(importlib.import_module(module), kind)
        assert hasattr(where, rest), name


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Store]:
    folder = tmp_path_factory.mktemp("tables")
    store = Store.open(folder / "k.db")
    fill(store)
    players.link_name(store, players.add_player(store, "Annie"), NameLink(name="Ann Lee"))
    sources = []
    for row in store.matches():
        sat = {s: store.register.player_of(row.match, row.book, s, str(n)) for s, n in row.facts.items() if s.isupper()}
        sources.append(
            MatchTables(row.match, row.book, store.told(row.match), {s: (p.label, p.id) for s, p in sat.items() if p})
        )
    counts = write_tables(folder, sources)
    assert counts["events"] == sum(len(source.records) for source in sources)
    return folder, store


@pytest.mark.rest
def test_duckdb_answers_three_questions_of_a_club(written: tuple[Path, Store]) -> None:
    """If this failed, whoever analyses would come to other figures than the scores. Worked out here from the scores
    themselves."""
    folder, store = written
    won, points, made = Counter[str](), Counter[tuple[str, str]](), Counter[tuple[str, bool]]()
    no_trump: dict[str, list[bool]] = {}
    for match in store.ids():
        facts = match_facts(match, store.read(match))
        if not facts.counted:
            continue
        score = score_match(store.read(match))
        for seat in facts.seats:
            name = "Annie" if seat.name == "Ann Lee" else seat.name
            won[name] += score.winner == seat.side
            points[score.game, name] += score.totals[seat.side] or 0
        for hand in facts.hands:
            for seat in facts.seats:
                if hand.made is not None and seat.side == hand.side:
                    name = "Annie" if seat.name == "Ann Lee" else seat.name
                    made[name, hand.made] += 1
                    if "no trump" in hand.contract:
                        no_trump.setdefault(name, []).append(hand.made)
    assert made
    assert no_trump
    scores, hands, events = (f"'{folder}/{table}.parquet'" for table in ("scores", "hands", "events"))

    def ask(sql: str) -> list[tuple[object, ...]]:
        return duckdb.sql(sql).fetchall()

    assert dict(
        ask(f"SELECT player, count(*) FILTER (won) FROM {scores} WHERE counted AND hand = 0 GROUP BY player")
    ) == dict(won)
    assert {
        (g, p): int(n)
        for g, p, n in ask(f"SELECT game, player, sum(points) FROM {scores} WHERE counted AND hand = 0 GROUP BY ALL")
    } == dict(points)
    assert {(p, m): n for p, m, n in ask(
        f"SELECT s.player, h.made, count(*) FROM {hands} h JOIN {scores} s ON s.match = h.match AND s.hand = h.hand"
        " WHERE s.side = h.side AND h.made IS NOT NULL AND s.counted GROUP BY ALL"
    )} == dict(made)  # fmt: skip
    printed = re.search(r"```sql\n(.*?);\s*```", TEXT, re.DOTALL)
    assert printed, "the question that the page has as an example"
    told = {player: (n, pytest.approx(share)) for player, n, share in ask(printed[1].replace("FOLDER", str(folder)))}
    assert told == {name: (len(hands), sum(hands) / len(hands)) for name, hands in no_trump.items()}
    (verbs,) = ask(
        f"SELECT count(*), count(DISTINCT match) FROM {events} WHERE verb = 'dispute' AND event::JSON ->> '$.by' = '@'"
    )
    assert verbs == (8, 8)


@pytest.mark.rest
def test_the_tables_are_those_that_are_documented(written: tuple[Path, Store]) -> None:
    """If this failed, a query written from the page would name a column that is not there."""
    for table, columns in TABLES.items():
        (row,) = [line for line in TEXT.splitlines() if line.startswith(f"| `{table}` |")]
        assert re.findall(r"`(\w+)`", row.rsplit("|", 2)[1]) == list(columns)
        schema = pyarrow.parquet.read_schema(written[0] / f"{table}.parquet")
        assert {field.name: str(field.type) for field in schema} == columns


@pytest.mark.rest
def test_what_is_printed_fits_its_schema(written: tuple[Path, Store], capsys: pytest.CaptureFixture[str]) -> None:
    """If this failed, a program made from a schema would refuse what Kibitz prints."""
    import msgspec

    from records import export_jsonl
    from replay.auditing.check import check
    from replay.fold import fold
    from replay.paper.sheet import sheet_of
    from replay.table.frame import frame

    logs = [written[1].read(match) for match in ("kaiser-1", "scopa-1", "yaniv-1", "scotch-whist-3", "kaiser-2")]
    with Index.open(written[1], match_facts, "test") as index:
        ratings = {(r.game, r.who): (r.mu, r.sigma, r.matches) for r in Standings(index, Chosen(BOOK)).ratings(rate)}
        seasons = [
            season_tables(
                Standings(index, Chosen(BOOK)), SeasonRequest("t", measure("points"), BestEvenings(2, 3), True, ratings)
            ),
            season_tables(Standings(index, Chosen(), 1), SeasonRequest("t", measure("", "3*won"), only=1)),
        ]  # fmt: skip
    given = {
        "events": [json.loads(line) for log in logs for line in export_jsonl(log).splitlines()],
        "frames": [frame(fold(log, until=n), "all") for log in logs for n in (0, 20, 60)],
        "findings": [found for log in logs for found in check(log).findings],
        "scores": [score_match(log) for log in logs], "sheets": [sheet_of(log) for log in logs], "seasons": seasons,
    }  # fmt: skip
    for what, values in given.items():
        validator = jsonschema_rs.validator_for(schema_of(what))
        assert values
        for value in values:
            plain = json.loads(msgspec.json.encode(value))
            assert [str(error) for error in validator.iter_errors(plain)] == [], what
            if what != "findings":
                assert not validator.is_valid(
                    {**plain, "n": "x", "position": "x", "title": 3, "hands": 3}
                ), "the control: it refuses what does not fit"
            else:
                assert not validator.is_valid({**plain, "rule": 3}), "the control: it refuses what does not fit"
    assert set(given) == set(KINDS)


# -- what a page may import

PAGE_API = Path(__file__).parent / "page_api.txt"


def test_what_a_page_imports_did_not_change() -> None:
    """If this failed, the page of a club would stop with a new version of Kibitz. Keep the old name or the old parameter as well; before
    1.0, write the list anew with KIBITZ_REWRITE=1, and tell it in the changelog."""
    now = list(public_names())
    major = VERSION.partition(".")[0]
    if os.environ.get("KIBITZ_REWRITE"):
        PAGE_API.write_text(
            "\n".join([f"# What a page may import, in version {major}.", *now, ""]), encoding="utf-8", newline="\n",
        )
    head, *before = PAGE_API.read_text(encoding="utf-8").splitlines()
    assert head == f"# What a page may import, in version {major}.", "a new major version begins a new list: KIBITZ_REWRITE=1 writes it"
    assert broken_promises(before, now) == []
    assert len(before) > 500


@pytest.mark.parametrize(
    ("before", "now", "kept"),
    [
        ("m.f(a, b)", "m.f(a, b)", True), ("m.f(a, b)", "m.f(a, b, c=)", True), ("m.f(a, b)", "m.f(a, b, *, c=)", True),
        ("m.f(a, b=)", "m.f(a, b=, c=)", True), ("m.f(a, b)", "m.f(a, b, c)", False), ("m.f(a, b)", "m.f(b, a)", False),
        ("m.f(a, b)", "m.f(a)", False), ("m.f(a, b=)", "m.f(a, b)", False), ("m.f(a)", "m.g(a)", False),
        ("m.f(a, *, b=)", "m.f(a, b=)", True), ("m.f(a, *, b=)", "m.f(a, *, c=)", False), ("m.T", "m.T(a)", False),
    ],
)  # fmt: skip
def test_a_promise_that_is_broken_is_seen(before: str, now: str, kept: bool) -> None:
    """If this failed, the test above would find nothing."""
    assert (broken_promises([before], [now]) == []) is kept
