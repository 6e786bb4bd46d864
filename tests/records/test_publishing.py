"""What is published holds what anybody may know, and nothing else."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from ended_children import came_to_its_end
from msgspec.structs import replace

from events.errors import NotFoundError, StoreError
from events.model import Fix, Note, Recorded, Ruling
from records import Store
from records.proof.signers import forks
from records.publishing import opened_to_publish, publish
from replay.simulate import simulate, simulate_breaches
from replay.visibility import published

LOG = simulate("jersey-gin", seed=5, hands=2)


@pytest.fixture
def source(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "club.db") as store:
        yield store


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "public.db") as store:
        yield store


def put(store: Store, log: list[Recorded], match: str = "m", *, over: bool = True) -> None:
    store.import_match(match, log, game=str(log[0].event.facts["Game"]))
    store.set_over(match, over)


def test_what_is_published_is_the_same_whatever_was_hidden(tmp_path: Path) -> None:
    """If this failed, somebody who may only read what is public would learn a hidden card, a remark, or who wrote."""
    found = []
    for n, (who, key, text) in enumerate((("Ann", "k1", "she peeked"), ("Bo", "k2", ""))):
        log = [
            replace(r, recorder=who, key=f"{key}-{r.n}", text=text if r.n == 5 else "", time="2026-03-04T19:00:00Z")
            for r in LOG
        ]
        # Nobody but their holders could tell these deals apart.
        hidden = [
            replace(r, event=replace(r.event, piles=swapped(r.event))) if n and type(r.event).__name__ == "Deal" else r
            for r in log
        ]
        assert n == 0 or hidden != log
        with Store.open(tmp_path / f"from{n}.db") as store, Store.open(tmp_path / f"to{n}.db") as public:
            put(store, hidden)
            assert [(one.status, one.added) for one in publish(store, public, published)] == [("new", len(LOG))]
            found.append(public.lines("m"))
    assert found[0] == found[1]
    assert "??" in str(found[0])


def swapped(deal: object) -> object:
    """The piles of a deal with the first two cards of each hand in each other's place, which nobody but their holder
    can tell."""
    return tuple(
        (pile, (cards[1], cards[0], *cards[2:]) if pile.startswith("hand:") else cards) for pile, cards in deal.piles
    )


def test_only_what_is_over_is_published_and_later_what_was_added(source: Store, target: Store) -> None:
    put(source, LOG, "over")
    put(source, LOG, "running", over=False)
    opening = LOG[0].event
    put(source, [replace(LOG[0], event=replace(opening, facts={**opening.facts, "Trial": True})), *LOG[1:]], "trial")
    source.create_match({"Parent": "over", "ParentEvent": 3, **opening.facts}, game="jersey-gin", match="other-way")
    source.set_over("other-way", True)

    def not_trials(log: object) -> list[Recorded] | None:
        return None if log[0].event.facts.get("Trial") else published(log)

    assert [(one.match, one.status) for one in publish(source, target, not_trials)] == [("over", "new")]
    assert [(one.match, one.status) for one in publish(source, target, not_trials)] == [("over", "same")]
    source.append("over", [Recorded(n=0, event=Ruling(by="@", refs=(7,), word="stands"), text="between us")])
    assert [(one.status, one.added) for one in publish(source, target, not_trials)] == [("appended", 1)]
    assert target.ids() == ["over"]
    assert target.matches()[0].over
    told = target.read("over")
    assert told[-1].event == Ruling(by="@", refs=(7,), word="stands")
    assert told[-1].text == ""
    assert target.verify("home").found == []


def test_a_match_that_became_another_is_named_and_keeps_nothing_back(source: Store, target: Store) -> None:
    put(source, LOG, "one")
    put(target, published(simulate_breaches("jersey-gin", seed=6, p=0.1, hands=1)[0]), "one")
    put(source, LOG, "two")
    before = target.lines("one")
    found = list(publish(source, target, published))
    assert [(one.match, one.status) for one in found] == [("one", "refused"), ("two", "new")]
    assert (
        found[0].error == (
            "what the public sees of match one, event 1 is not what was published. Publish into an empty store "
            "to show it as it is now"
        )
    )
    assert target.lines("one") == before


def test_a_correction_shows_no_more_than_what_it_corrects(source: Store, target: Store) -> None:
    at = next(r.n for r in LOG if type(r.event).__name__ == "Discard")
    fix = Fix(by="@", at=at, how="replace", event=replace(LOG[at].event))
    put(
        source,
        [
            *LOG, Recorded(n=LOG[-1].n + 1, event=fix, text="mended"),
            Recorded(n=LOG[-1].n + 2, event=Note(by="@"), text="a remark"),
        ],
        "m",
    )
    list(publish(source, target, published))
    last = target.read("m")[-2:]
    assert [type(r.event) for r in last] == [Fix, Note]
    assert [r.text for r in last] == ["", ""]


def test_a_book_that_is_not_there_is_said(source: Store, target: Store) -> None:
    put(source, LOG)
    with pytest.raises(NotFoundError, match="no match in the book 'league'"):
        list(publish(source, target, published, ["league"]))
    assert target.ids() == []


# -- ended in between


def published_to(path: Path, before: Callable[[], object] = lambda: None) -> None:
    """Publish to a store that is not there yet; `before` is called before every change of a file and every
    statement."""

    def watched(call: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **more: Any) -> Any:
            before()
            return call(*args, **more)

        return run

    def connected(*args: Any, **more: Any) -> sqlite3.Connection:
        before()
        conn: sqlite3.Connection = connect(*args, **more)
        conn.set_trace_callback(watched(lambda sql: None))
        return conn

    connect = sqlite3.connect
    with pytest.MonkeyPatch.context() as patch, Store.open(path.with_name("club.db"), write=False) as source:
        for name in ("open", "fsync", "replace", "unlink"):
            patch.setattr(os, name, watched(getattr(os, name)))
        patch.setattr(sqlite3, "connect", connected)
        with opened_to_publish(str(path)) as target:
            assert {one.status for one in publish(source, target, published)} <= {"new", "same"}


@pytest.mark.skipif(sys.platform != "linux", reason="forks")
@pytest.mark.parametrize("every", [pytest.param(1, marks=pytest.mark.slow), pytest.param(60, marks=pytest.mark.rest)])
def test_ended_while_it_is_published(source: Store, tmp_path: Path, every: int) -> None:
    """Given a program that is killed at any step, then no store has the name, or a whole one; and the next publishes
    all, as if it were the first."""
    put(source, LOG, "one")
    put(source, LOG, "two")
    source.close()
    counted: list[None] = []
    published_to(tmp_path / "whole.db", lambda: counted.append(None))
    steps, seen = len(counted), set()
    public = tmp_path / "public.db"
    for step in [*range(1, steps - 12, every), *range(steps - 12, steps + 1)]:
        for left in tmp_path.glob("public.db*"):
            left.unlink()
        assert not came_to_its_end(lambda before: published_to(public, before), step)
        if there := public.exists():
            with Store.open(public, write=False) as found:
                assert (found.ids(), found.verify("home").found, found.warnings) == (["one", "two"], [], []), step
        seen.add((there, public.with_name("public.db-made").exists()))
        published_to(public)
        with Store.open(public, write=False) as found:
            assert (found.ids(), found.warnings, found.faults(), forks(public)) == (["one", "two"], [], [], []), step
            done = found.verify("home")
            assert (done.found, done.signed, len(done.signers)) == ([], 2 * len(LOG), 1), step
        assert [path.name for path in tmp_path.glob("public.db-ma*")] == [], step
    assert {(False, False), (False, True), (True, False)} <= seen


def test_a_store_that_was_taken_away_is_not_made_again_in_silence(source: Store, tmp_path: Path) -> None:
    """The control: given what lies beside a store that is gone, then another history does not take its place."""
    put(source, LOG, "one")
    public = tmp_path / "public.db"
    published_to(public)
    public.unlink()
    with pytest.raises(StoreError, match="missing"):
        published_to(public)
