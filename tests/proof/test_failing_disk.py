"""The disk reports an error, is full, or cannot sync: a clear refusal, no half event, and after reopening all is
there."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from proof.disk import Cursor, Disk, apsw, on_disk, versions
from proof.harness import MATCH, Proof, expect_whole, insist, proving, scratch, sizes, submission

from events.errors import KibitzError, StoreError
from records import HOME, Store

APPENDS = 14

# The kinds of trouble. Each takes the number of the call that goes wrong, and gives what `Disk.fail` asks for.
Trouble = Callable[[int], Callable[[int, str], int]]


def _error_for(what: str) -> int:
    codes = {
        "read": apsw.SQLITE_IOERR_READ,
        "write": apsw.SQLITE_IOERR_WRITE,
        "sync": apsw.SQLITE_IOERR_FSYNC,
        "truncate": apsw.SQLITE_IOERR_TRUNCATE,
        "size": apsw.SQLITE_IOERR_FSTAT,
        "delete": apsw.SQLITE_IOERR_DELETE,
        "open": apsw.SQLITE_CANTOPEN,
    }
    return int(codes[what])


def error_once(nth: int) -> Callable[[int, str], int]:
    """The n-th call of any kind fails, those after it succeed."""
    return lambda n, what: _error_for(what) if n == nth else 0


def error_from_then_on(nth: int) -> Callable[[int, str], int]:
    """The disk is gone from the n-th call on."""
    return lambda n, what: _error_for(what) if n >= nth else 0


def full_from_then_on(nth: int) -> Callable[[int, str], int]:
    """No room left: from the n-th call on every write fails, everything else goes on."""
    return lambda n, what: int(apsw.SQLITE_FULL) if n >= nth and what == "write" else 0


def failed_sync(nth: int) -> Callable[[int, str], int]:
    """The first sync from the n-th call on fails, once."""
    failed: list[int] = []

    def when(n: int, what: str) -> int:
        if n >= nth and what == "sync" and not failed:
            failed.append(n)
            return int(apsw.SQLITE_IOERR_FSYNC)
        return 0

    return when


TROUBLES: dict[str, Trouble] = {
    "error once": error_once,
    "disk gone": error_from_then_on,
    "disk full": full_from_then_on,
    "failed sync": failed_sync,
    "failed sync, writes forgotten": failed_sync,
}


def one_failure(
    proof: Proof, path: Path, name: str, nth: int, rewrite: Callable[[str], str] = lambda sql: sql
) -> bool:
    """An evening that runs into one trouble, then a healthy disk. Whether the trouble came before the evening ended.

    After a refusal the store is sometimes reopened at once, sometimes asked for more first.
    """
    disk = Disk()
    disk.loses_on_failed_sync = name.endswith("forgotten")
    acked: dict[str, tuple[int, int]] = {}
    tried: list[str] = []
    opened = distrusted = False
    since = 0
    stubborn = 2 * proof.chance.randrange(2)
    with on_disk(disk, rewrite):
        disk.fail(TROUBLES[name](nth))
        store: Store | None = None
        i = 0
        for _ in range(max(APPENDS, nth // 10)):
            since += disk.fired > 0
            if since > 6:  # what could follow from the trouble has followed
                break
            try:
                if store is None:
                    # What a person does: open it again and go on.
                    store = Store.open(path, timeout=0)
                    store.create_match({}, game="kaiser", match=MATCH, key="open")
                    opened = True
                key = f"f-{i}"
                tried.append(key)
                i += 1
                before = disk.fired
                try:
                    answer = store.append(MATCH, submission(key), key=key)
                except StoreError:
                    distrusted = distrusted or (name.startswith("failed sync") and disk.fired > before)
                    raise
                acked[key] = (answer.first, answer.last)
                assert not distrusted, "written on after a failed sync, without a look at what is there"
                store.read(MATCH, after=answer.first - 1)
                if i % 5 == 0:
                    store.close()
                    store = None
            except StoreError as error:
                insist(error.exit_code == 7, error)
                proof.count("refusals")
                if store is None or not opened or not stubborn:
                    _closed(store)
                    store, distrusted = None, False
                else:
                    stubborn -= 1
                    proof.count("asked for more after a failed sync", distrusted)
        _closed(store)
        fired = disk.fired > 0
        disk.heal()
    # Whatever the trouble was: the real store opens, is whole, and every key is settled.
    if not path.exists():
        assert not opened
        return fired
    with Store.open(path, timeout=1) as store:
        store.check()
        match = store.create_match({}, game="kaiser", match=MATCH, key="open")
        spans = expect_whole(store.read(match))
        assert {key: spans.get(key) for key in acked} == acked, "an acknowledged submission is lost or elsewhere"
        for key in tried:
            answer = store.append(MATCH, submission(key), key=key)
            assert answer.repeated == (key in spans), key
        assert expect_whole(store.read(match)).keys() == set(tried)
        store.check()
        assert store.verify(HOME).found == []
    return fired


def _closed(store: Store | None) -> None:
    """Close it; where that fails, it fails like everything else."""
    if store is not None:
        try:
            store.close()
        except StoreError as error:
            insist(error.exit_code == 7, error)


@sizes(120, 5_000)
def test_trouble_at_every_call(size: int) -> None:
    """Whichever call goes wrong, the store refuses with a StoreError, keeps what it acknowledged, and verifies
    afterwards."""
    with proving(f"I/O trouble, n to {size}") as proof:
        names = list(TROUBLES)
        for nth in range(1, size + 1):
            # The plainest trouble at every call, and one of the others in turn.
            for name in (names[0], names[1 + nth % (len(names) - 1)]):
                with scratch() as directory:
                    proof.count("evenings")
                    try:
                        if one_failure(proof, directory / "kibitz.db", name, nth):
                            proof.count(f"{name}: happened")
                    except BaseException as error:
                        error.add_note(f"{name} at call {nth}")
                        raise
        for name in names:
            assert proof.figures[f"{name}: happened"] > 0
        proof.figures.update(versions())


def test_a_store_without_transactions_is_caught() -> None:
    """The control: when every statement stands for itself, trouble leaves half an append behind."""

    def loose(sql: str) -> str:
        return "SELECT 1" if sql in ("BEGIN IMMEDIATE", "COMMIT") else sql

    with proving("I/O trouble, control without transactions") as proof:
        assert _found_wrong(proof, "disk full", loose) > 0


def test_a_store_that_swallows_a_failed_commit_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: when a commit that failed is acknowledged all the same, the events are missed."""
    real = Cursor.execute

    def deaf(self: Cursor, sql: str, values: object = ()) -> Cursor:
        try:
            return real(self, sql, values)
        except sqlite3.OperationalError:
            if sql != "COMMIT":
                raise
            return self

    monkeypatch.setattr(Cursor, "execute", deaf)
    with proving("I/O trouble, control with deaf commits") as proof:
        assert _found_wrong(proof, "failed sync", lambda sql: sql) > 0


def _found_wrong(proof: Proof, name: str, rewrite: Callable[[str], str]) -> int:
    """How many of some evenings the proof rejects."""
    rejected = 0
    for nth in range(40, 200, 8):
        with scratch() as directory:
            try:
                one_failure(proof, directory / "kibitz.db", name, nth, rewrite)
            except (AssertionError, KibitzError):
                rejected += 1
    proof.count("rejected", rejected)
    return rejected
