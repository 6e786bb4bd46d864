"""The index beside a store: it says what the log says, follows it, and can be dropped at any time."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from a_season import BOOK, NAMES, evening, fill
from given import log as given_log
from loaders import killed_at
from msgspec.structs import replace

from events.errors import StoreError, UsageError
from events.model import Dispute, Fix, Note, Open, Recorded
from events.register_notes import NameLink
from records import Store, players
from records.moving_matches import file_match
from records.projection import index as indexing
from records.projection import standings as standing
from records.projection.index import Derive, Index, IndexLine, Spread, index_path
from records.projection.search import Wanted, parse_bounds, people, search
from records.projection.standings import Chosen, Standings
from records.register import Register
from records.transfer import import_records
from replay.auditing.check import check
from replay.engines import port
from replay.engines.processes import Processes
from replay.fold import corrected
from replay.read_log import read_log
from replay.scoring.three_ways import score_match
from replay.season.facts import MatchFacts, match_facts
from replay.season.formula import BestEvenings, measure
from replay.season.ratings import rate
from replay.season.table import Season, SeasonRequest, season_tables


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("season") / "k.db"
    with Store.open(path) as store:
        fill(store)
        with opened(store):
            pass
    return path


@pytest.fixture
def store(filled: Path, tmp_path: Path) -> Iterator[Store]:
    """A store of one's own with the season in it."""
    with Store.open(filled, write=False) as whole:
        whole.backup(tmp_path / "k.db")
    shutil.copy(index_path(filled), index_path(tmp_path / "k.db"))
    with Store.open(tmp_path / "k.db") as opened:
        yield opened


def opened(store: Store, **more: Any) -> Index:
    return Index.open(store, match_facts, "test", **more)


def tables(index: Index) -> dict[str, list[tuple[object, ...]]]:
    """All that an index says, without the numbers that it gave."""
    match = "(SELECT m.match FROM match m WHERE m.id = t.id)"
    columns = {
        "match": (
            "match, book, recorded, game, name, day, title, place, at_table, trial, parent, over, counted, "
            "winner, way, last, hands, tip, fault"
        ),
        "seat": (
            f"{match}, seat, name, (SELECT key FROM who WHERE who.id = t.who), (SELECT label FROM who WHERE "
            "who.id = t.who), book, game, day, counted, side, mates, total, won, place, hands, made, failed, "
            "hands_won, since, until, whole"
        ),
        "hand": f"{match}, number, at, dealer, contract, result, side, seat, made, most, least, folded",
        "finding": f"{match}, at, hand, rule, verdict, seat, text",
        "remark": f"{match}, at, text, folded",
        "dispute": f"{match}, at, hand, seat, word, is_open",
        "book": "book, seen",
    }
    return {
        table: sorted(index.db.execute(f"SELECT {what} FROM {table} t").fetchall(), key=repr)
        for table, what in columns.items()
    }


def test_the_tables_say_what_the_log_says(store: Store) -> None:
    """If this failed, somebody would lead the season who does not. Worked out here from the scores of the whole
    matches, another way."""
    won: Counter[str] = Counter()
    points: Counter[tuple[str, str]] = Counter()
    hands: Counter[str] = Counter()
    matches: Counter[str] = Counter()
    broken: set[tuple[str, int, str]] = set()
    said: set[tuple[str, int]] = set()
    asked: set[tuple[str, int]] = set()
    for match in store.ids():
        if match == "odd":
            continue
        log = read_log(store.read(match))
        score = score_match(log)
        broken |= {(match, f.at.pos, f.rule) for f in check(log).broken if f.unless is None}
        said |= {(match, r.n) for r in log if r.text}
        ruled = {ref for r in log if type(r.event).__name__ == "Ruling" for ref in r.event.refs}
        asked |= {(match, r.n) for r in log if isinstance(r.event, Dispute) and r.n not in ruled}
        if not (score.over or score.ended) or corrected(log).opening.facts.get("Trial") or store.book_of(match) != BOOK:
            continue
        for side, seats in score.sides.items():
            for seat in seats:
                name = score.names[seat]
                matches[name] += 1
                won[name] += score.winner == side
                points[score.game, name] += score.totals[side] or 0
                hands[name] += sum(h.done for h in score.hands)
    assert sum(matches.values()) > 20
    assert broken
    assert asked
    with opened(store) as index:
        standings = Standings(index, Chosen(BOOK))
        label = {id: who.label for id, who in standings.people.items()}
        got_won: Counter[str] = Counter()
        got_points: Counter[tuple[str, str]] = Counter()
        got_hands: Counter[str] = Counter()
        got_matches: Counter[str] = Counter()
        for p in standings.played:
            got_won[label[p.who]] += p.won
            got_points[p.game, label[p.who]] += p.points
            got_hands[label[p.who]] += p.hands
            got_matches[label[p.who]] += p.matches
        assert (got_matches, +got_won, got_hands) == (matches, +won, hands)
        assert {key: n for key, n in got_points.items() if n} == {key: n for key, n in points.items() if n}
        hits = search(index, Wanted(finding="broken"), 1000).hits
        assert {(hit.match, hit.at, hit.text.partition(":")[0]) for hit in hits} == broken
        assert {(hit.match, hit.at) for hit in search(index, Wanted(comment="evening"), 1000).hits} == said
        assert {(hit.match, hit.at) for hit in search(index, Wanted(dispute="open"), 1000).hits} == asked
        assert [one.match for one in Standings(index, Chosen("strange")).left_out] == ["odd"]
        assert {one.match for one in standings.left_out} == {
            "trial", *(m for m in store.ids() if m in ("kaiser-1", "kaiser-3", "yaniv-1", "yaniv-3")),
        }


@pytest.mark.rest
def test_the_tables_are_the_same_whatever_reads_the_matches(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If this failed, who leads would depend on how many worked it out, and on none of them dying."""
    monkeypatch.setattr(port, "RANGE", 3)
    with opened(store, rebuild=True) as index:
        alone = tables(index)
    died: list[str] = []

    def spread(work: Spread, matches: Iterable[str], context: tuple[str, Derive]) -> Iterator[IndexLine]:
        def lost(match: str, why: str) -> IndexLine:
            raise AssertionError(f"{match}: {why}")

        yield from Processes(2).run(partial(killed_at, work, tmp_path / "once", "scopa-1"), matches, context, lost)
        died.extend(path.name for path in tmp_path.glob("once"))

    with opened(store, rebuild=True, spread=spread) as index:
        assert tables(index) == alone
    assert died == ["once"], "a worker was killed in the middle"


@pytest.mark.rest
def test_following_comes_to_the_same_as_building_anew(store: Store) -> None:
    """If this failed, what was recorded since, corrected or linked would be missing until somebody built it anew."""
    with opened(store) as index:
        assert index.follow(store, match_facts) == 0, "nothing is read twice"
    import_records(store, evening("new", "kaiser", 77, "2026-04-01", NAMES), book=BOOK)
    store.append("scopa-0", [Recorded(n=1, event=Note(by="@", refs=(2,)), text="Later")])
    opening = store.read("kaiser-0")[0].event
    assert isinstance(opening, Open)
    renamed = Open(by="@", facts={**opening.facts, "N": "Gus", "Event": "The final"})
    store.append("kaiser-0", [Recorded(n=1, event=Fix(by="@", at=0, how="replace", event=renamed))])
    ann, bo = players.add_player(store, "Ann Lee"), players.add_player(store, "Bo Hart")
    players.link_name(store, ann, NameLink(name="Ann Lee"))
    players.link_name(store, bo, NameLink(name="Bo Hart", book=BOOK))
    players.link_name(store, bo, NameLink(match="new", seat="E"))
    file_match(store, "scopa-2", "cups", over=True)
    file_match(store, "scopa-3", "cups", over=True)
    with opened(store):
        pass
    file_match(store, "scopa-3", BOOK, over=True)
    with opened(store) as index:
        followed = tables(index)
    with opened(store, rebuild=True) as index:
        assert tables(index) == followed
    assert any(row[0] == "kaiser-0" and "The final" in row for row in followed["match"])
    players.forget_player(store, ann)
    players.unlink_name(store, store.register.named("p2"), NameLink(match="new", seat="E"))
    store.seal("scopa-1", unfinished=True)
    with opened(store) as index:
        followed = tables(index)
        told = [
            row for table, rows in followed.items() if table != "seat" for row in rows
        ] + [row[3:] for row in followed["seat"]]
    assert not [
        row for row in told
        if any(isinstance(cell, str) and "ann lee" in cell.casefold() for cell in row if cell != "n:Ann Lee")
    ]
    with opened(store, rebuild=True) as index:
        assert tables(index) == followed


@pytest.mark.parametrize("spoilt", ["removed", "text", "empty", "cut", "other", "older"])
def test_an_index_that_does_not_fit_is_built_again(tmp_path: Path, spoilt: str) -> None:
    """If this failed, a damaged file beside the store would keep a club from its table."""
    with Store.open(tmp_path / "small.db") as store:
        import_records(store, evening("m", "scopa", 5, "2026-05-01", NAMES), book=BOOK)
        spoil_and_ask(store, spoilt)


def spoil_and_ask(store: Store, spoilt: str) -> None:
    with opened(store) as index:
        whole = tables(index)
    path = index_path(store.path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600, "names are in it"
    data = path.read_bytes()
    if spoilt == "removed":
        path.unlink()
    elif spoilt == "other":
        path.unlink()
        with sqlite3.connect(path) as db:
            db.executescript(
                "CREATE TABLE meta (x); CREATE TABLE match (y); CREATE VIEW v AS SELECT 1; CREATE TRIGGER "
                "t AFTER INSERT ON match BEGIN SELECT 1; END"
            )
        db.close()
    elif spoilt == "older":
        with sqlite3.connect(path) as db:
            db.execute("UPDATE meta SET value = '0/test' WHERE key = 'version'")
            db.execute("DELETE FROM seat")
        db.close()
    else:
        path.write_bytes({"text": b"nothing to see here" * 99, "empty": b"", "cut": data[: len(data) // 2]}[spoilt])
    with opened(store) as index:
        assert tables(index) == whole


def test_an_earlier_store_that_was_put_back_is_noticed(store: Store, filled: Path, tmp_path: Path) -> None:
    """If this failed, matches that are gone would go on leading the table."""
    log = evening("extra", "scopa", 5, "2026-05-01", NAMES)
    with Store.open(tmp_path / "one.db") as one:
        import_records(one, log, book=BOOK)
        with opened(one) as index:
            assert [row[0] for row in tables(index)["match"]] == ["extra"]
    for name in os.listdir(tmp_path):
        if name.startswith("one.db") and not name.endswith("index"):
            (tmp_path / name).unlink()
    with Store.open(tmp_path / "one.db") as other:  # as long, and another match
        import_records(other, [*log[:-1], replace(log[-1], text="otherwise")], book=BOOK)
        with opened(other) as index:
            assert [row[2] for row in tables(index)["remark"]] == ["otherwise"]


@pytest.mark.rest
def test_without_a_place_to_write_it_is_made_in_memory(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "index_path", lambda path: Path("/proc/nowhere/k.db-index"))
    with opened(store) as index:
        assert index.where == "memory"
        assert len(tables(index)["match"]) == len(store.ids())


def test_an_index_that_is_locked_is_an_error_with_a_next_step(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(store):
        pass
    monkeypatch.setattr(indexing, "_connect", lambda where: sqlite3.connect(where, timeout=0.01))
    held = sqlite3.connect(index_path(store.path))
    held.execute("BEGIN EXCLUSIVE")
    try:
        with pytest.raises(StoreError, match="in use"), opened(store):
            pass
    finally:
        held.close()


def test_ratings_are_kept_until_an_earlier_match_changes(store: Store) -> None:
    """If this failed, a corrected match would go on counting in the ratings as it was."""
    asked: list[int] = []

    def counted(matches: object) -> dict[int, tuple[float, float, int]]:
        asked.append(1)
        return rate(matches)

    def ratings() -> dict[str, float]:
        with opened(store) as index:
            standings = Standings(index, Chosen(BOOK))
            return {standings.people[r.who].label: r.mu for r in standings.ratings(counted)}

    first = ratings()
    assert len(first) == len(NAMES)
    assert ratings() == first
    assert len(asked) == 1
    opening = store.read("scotch-whist-0")[0].event
    assert isinstance(opening, Open)
    left_out = Open(by="@", facts={**opening.facts, "Trial": True})
    store.append("scotch-whist-0", [Recorded(n=1, event=Fix(by="@", at=0, how="replace", event=left_out))])
    assert ratings() != first
    assert len(asked) == 2


def test_what_is_looked_for_has_to_be_so_in_one_match(store: Store) -> None:
    players.link_name(store, players.add_player(store, "Ann"), NameLink(name="Ann Lee"))
    with opened(store) as index:
        ann = next(id for id, label, *_ in people(index) if label == "Ann")
        facts: dict[str, MatchFacts] = {match: match_facts(match, store.read(match)) for match in store.ids()}
        sides = {m: {s.side for s in f.seats if s.name == "Ann Lee"} for m, f in facts.items()}
        failed = {
            (m, h.at) for m, f in facts.items() for h in f.hands if h.made is False and h.side in sides[m]
            and "♥" in h.contract
        }
        assert failed
        assert {
            (h.match, h.at) for h in search(index, Wanted((ann,), contract="hearts", outcome="failed"), 1000).hits
        } == failed
        over = {
            m for m, f in facts.items() for s in f.sides if s.side in sides[m] and s.total is not None and s.total > 40
        }
        assert {h.match for h in search(index, Wanted((ann,), score=">40"), 1000).hits} == over
        days = {m for m, f in facts.items() if "2026-03-05" <= f.day <= "2026-03-10"}
        assert {h.link for h in search(index, Wanted(first="2026-03-05", last="2026-03-10"), 1000).hits} == days
        both = search(index, Wanted(comment="100 %", dispute="open", game="kaiser"), 1000)
        assert {h.link for h in both.hits} == {f"kaiser-1#{d.at}" for d in facts["kaiser-1"].disputes}
        assert search(index, Wanted(comment="100_%"), 9).hits == (), "signs of a pattern mean themselves"
        assert not search(index, Wanted(rule="kaiser.R1", comment="evening"), 9).hits or facts
        assert {
            h.text.split(":")[0] for h in search(index, Wanted(rule="kaiser"), 1000).hits
        } <= {f.rule for m in facts.values() for f in m.found}
        few = search(index, Wanted(book=BOOK), 3)
        assert (len(few.hits), few.more) == (3, True)


@pytest.mark.parametrize("text", ["", "x", ">", "1..", "..2", "9" * 30, "1.5", "--3"])
def test_a_figure_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_bounds(text)


def test_an_empty_store_has_an_empty_index(tmp_path: Path) -> None:
    with Store.open(tmp_path / "k.db") as store, opened(store) as index:
        assert Standings(index, Chosen()).played == []
        assert search(index, Wanted(comment="x")).hits == ()
    assert Register().fingerprint() == Register().fingerprint()


def test_of_very_many_matches_the_sums_are_the_same(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, whoever leads a large archive would not be whoever leads the sum of its books."""

    def asked(only: int) -> Season:
        return season_tables(Standings(index, Chosen(BOOK), only), SeasonRequest("", measure("matches"), only=only))

    with opened(store) as index:
        one = next(id for id, label, *_ in people(index) if label == "Ann Lee")
        small, alone = asked(0), asked(one)
        monkeypatch.setattr(standing, "MOST", 3)
        large = asked(0)
        assert large.large
        plain = [replace(row, evenings=(), best=None, streak=0, now=0) for row in small.tables[0].rows]
        assert list(large.tables[0].rows) == plain
        assert large.tables[0].pairs == large.tables[0].met == ()
        told = asked(one).tables[0]
        assert (told.rows, told.pairs, told.met) == (alone.tables[0].rows, alone.tables[0].pairs, alone.tables[0].met)
        assert told.rows[0].evenings
        assert all("Ann Lee" in pair.names for pair in told.pairs)
        with pytest.raises(UsageError):
            season_tables(Standings(index, Chosen(BOOK)), SeasonRequest("", measure("matches"), BestEvenings(2)))


@pytest.mark.rest
def test_a_build_that_was_stopped_goes_on(store: Store) -> None:
    """If this failed, whoever stops the first look at a large store would have to wait for all of it again."""
    with opened(store) as index:
        whole = tables(index)
    asked: list[str] = []

    def stops(match: str, records: object) -> MatchFacts:
        asked.append(match)
        if len(asked) > 7:
            raise KeyboardInterrupt
        return match_facts(match, records)

    indexing.AT_ONCE, before = 3, indexing.AT_ONCE
    try:
        with pytest.raises(KeyboardInterrupt), Index.open(store, stops, "test", rebuild=True):
            pass
    finally:
        indexing.AT_ONCE = before
    done = set(asked[:6])
    store.append(asked[0], [Recorded(n=1, event=Note(by="@"), text="one more")])
    store.append(asked[0], [Recorded(n=1, event=Fix(by="@", at=store.tip(asked[0])[0], how="strike"))])
    again: list[str] = []

    def counts(match: str, records: object) -> MatchFacts:
        again.append(match)
        return match_facts(match, records)

    with Index.open(store, counts, "test") as index:
        now = tables(index)
    assert sorted(again) == sorted(
        {*store.ids()} - done | {asked[0]}
    ), "each of the others once, and the one that has grown"
    assert [row for row in now["seat"] if row[0] != asked[0]] == [row for row in whole["seat"] if row[0] != asked[0]]
    assert [row[0] for row in now["match"]] == [row[0] for row in whole["match"]]


SEATS = {"N": "Nora", "E": "Emil", "S": "Sana", "W": "Wout"}
WINS = "@ tally declarer=NS level=7 trump=h tricks.NS=7 tricks.EW=1 five=NS three=NS"
BID = "W hand {n}\n@ deal N=8x?? E=8x?? S=8x?? W=8x??\nN bid 7\nE pass\nS pass\nW pass\n"
UNTRUE = "N name h\nN play Ac\nE play 8c\nS play 9d\nW play 7c\nN play Kc\nE play Tc\nS play 9c\nW play Jc\n"


@pytest.mark.parametrize(
    ("moves", "substitutes", "expected"),
    [
        # Who, matches, won, hands, points.
        ([], False, {"Nora": (1, 1, 4, 36), "Sana": (1, 1, 4, 36), "Emil": (1, 0, 4, 4)}),
        (
            [(2, 'S="Timo"')], False,
            {"Nora": (1, 1, 4, 36), "Sana": (0, 0, 1, 9), "Timo": (1, 1, 3, 27), "Emil": (1, 0, 4, 4)},
        ),
        (
            [(2, 'S="Timo"')], True,
            {"Nora": (1, 1, 4, 36), "Sana": (1, 1, 1, 9), "Timo": (1, 1, 3, 27), "Emil": (1, 0, 4, 4)},
        ),
        ([(2, 'S="Timo"'), (3, 'S="Sana"')], False, {"Sana": (1, 1, 3, 27), "Timo": (0, 0, 1, 9)}),
        ([(4, 'S="Emil" E="Sana"')], False, {"Sana": (1, 1, 4, 28), "Emil": (1, 0, 4, 12)}),
    ],
    ids=["nobody", "from hand 2", "counted too", "back again", "two change seats"],
)
def test_the_hands_of_a_substitute_are_the_substitute_s(
    tmp_path: Path, moves: list[tuple[int, str]], substitutes: bool, expected: dict[str, tuple[int, int, int, int]]
) -> None:
    """If this failed, somebody would be given the points of a player who had left."""
    text = ""
    for n in range(1, 5):
        text += "".join(f"@ open {who}\n" for at, who in moves if at == n) + f"W hand {n}\n{WINS}\n"
    with Store.open(tmp_path / "s.db") as store:
        store.create_match({**SEATS, "Option": {"target": 36}}, game="kaiser", match="m")
        store.append("m", given_log("kaiser", text)[1:])
        with opened(store) as index:
            sums = Standings(index, Chosen(substitutes=substitutes))
            label = {id: who.label for id, who in sums.people.items()}
            found = {label[p.who]: (p.matches, p.won, p.hands, p.points) for p in sums.played}
            assert {who: found[who] for who in expected} == expected
            assert sum(points for *_, points in found.values()) == 80, "all points are somebody's"
            margins = {label[p.who]: p.difference for p in sums.played}
            # The match counts whole for whom it counts: 36 to 4 with a win of each hand.
            assert all(abs(margins[who]) == 32 * counted for who, (counted, *_) in expected.items() if len(moves) < 2)
            together = {frozenset((label[p.a], label[p.b])): (p.hands, p.points) for p in sums.pairs}
            if expected.get("Timo", (0,))[0]:
                assert together[frozenset(("Nora", "Timo"))] == (3, 27)


def test_a_finding_is_about_who_sat_there_at_the_time(tmp_path: Path) -> None:
    """If this failed, a substitute would be accused of what was played before."""
    with Store.open(tmp_path / "s.db") as store:
        store.create_match(SEATS, game="kaiser", match="m")
        store.append("m", given_log("kaiser", BID.format(n=1) + UNTRUE + '@ gap\n@ open S="Timo"\nN hand 2\n')[1:])
        with opened(store) as index:
            number = {label: id for id, label, *_ in people(index)}
            hits = {who: search(index, Wanted((number[who],), rule="kaiser.R11")).hits for who in ("Sana", "Timo")}
            assert [hit.text.endswith("(broken, Sana)") for hit in hits["Sana"]] == [True]
            assert hits["Timo"] == ()
