"""Ctrl-C, a second writing by mistake, and damaged numbers: the store gives its lock back, and says what is wrong."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from plain_rows import forge
from sampling import a_few

from events.errors import NotFoundError, StoreError, UsageError
from events.model import Pass, Recorded
from records import HOME, Store
from records.maintenance import accept_lost_end
from records.proof.tampering import Change
from records.sqlite import opening
from records.sqlite.backend import SqliteBackend

PASS = Recorded(n=0, event=Pass(by="N"))


@pytest.fixture(autouse=True)
def young() -> Iterator[None]:
    """What came before these tests is not looked through each time that garbage is collected: it may be a gigabyte
    by then."""
    gc.freeze()
    yield
    gc.unfreeze()


def interrupted(work: Any, at: int) -> bool:
    """Do this, and interrupt it where the `at`-th function of the store is entered; whether it came so far."""
    left = [at]

    def trace(frame: FrameType, event: str, arg: object) -> None:
        if event == "call" and "/records/" in frame.f_code.co_filename and frame.f_code.co_name not in (
            "__del__", "_let_go", "let_go", "back_to", "rest",
        ):
            left[0] -= 1
            if not left[0]:
                sys.setprofile(None)
                raise KeyboardInterrupt

    sys.setprofile(trace)
    try:
        work()
    except KeyboardInterrupt:
        return True
    finally:
        sys.setprofile(None)
        gc.collect()  # what pytest remembers of an error that it waited for holds on to the frames
    return False


@pytest.mark.parametrize("what", a_few(["append", "set_over", "books", "refused"], 2))
def test_an_interrupt_leaves_neither_lock_nor_transaction(path: Path, store: Store, match: str, what: str) -> None:
    """If this failed, a program that goes on after Ctrl-C would keep everybody else from writing, or read the past."""

    def refused() -> None:
        with pytest.raises(NotFoundError):
            store.append("nobody", [PASS])

    work = {
        "append": lambda: store.append(match, [PASS]), "set_over": lambda: store.set_over(match, False),
        "books": store.books, "refused": refused,
    }[what]  # fmt: skip
    with Store.open(path, timeout=0.2) as other:
        at = 1
        while interrupted(work, at):
            backend = store.backend
            assert isinstance(backend, SqliteBackend)
            assert (backend.conn.in_transaction, backend.lock.depth) == (False, 0), at
            last = other.append(match, [PASS]).last
            assert store.length(match) == last + 1, at
            at += 1
    assert at > 5, "the control: it was interrupted in many places"


def test_a_head_that_is_not_a_number_is_damage_and_not_a_typing_error(store: Store, match: str) -> None:
    store.append(match, [PASS])
    forge(store.backend.conn, "UPDATE books SET head = 'x'")
    with pytest.raises(StoreError, match="damaged"):
        store.verify(HOME)
    assert store.book_named(HOME) == (HOME, "")
    assert store.tail(HOME, after=3) == []


def test_the_length_of_a_match_that_is_not_a_number_is_found_by_verify(store: Store, match: str) -> None:
    store.backend.conn.execute("UPDATE matches SET last = 'x'")
    book, found = store.book_named(match)
    assert (book, found) == (HOME, match)
    assert "edited" in [c.kind for c in store.verify(book).found]


def test_an_event_without_a_position_is_still_seen(store: Store, match: str) -> None:
    store.append(match, [PASS, PASS])
    conn = store.backend.conn
    conn.execute("PRAGMA writable_schema = ON")
    conn.execute(
        "UPDATE sqlite_master SET sql = replace(sql, 'pos INTEGER NOT NULL', 'pos INTEGER') WHERE name = 'runs'"
    )
    conn.execute("PRAGMA writable_schema = RESET")
    forge(conn, "UPDATE events SET pos = NULL WHERE n = 1")
    found: list[Change] = store.verify(HOME).found
    assert "inserted" in [c.kind for c in found]


def test_a_head_may_be_signed_among_other_writings(store: Store, match: str) -> None:
    with store.together():
        store.append(match, [PASS])
        assert store.sign(HOME).size == 2
    assert store.verify(HOME).signed == 2


def test_a_closed_store_is_not_compacted(store: Store, match: str) -> None:
    store.close()
    with pytest.raises(UsageError, match="closed"):
        store.compact()


def test_a_reader_may_ask_for_as_many_events_as_there_are_numbers(store: Store, match: str) -> None:
    assert [e.pos for e in store.tail(after=0, limit=sys.maxsize)] == [1]


def test_an_opening_that_is_tried_again_keeps_the_lock(
    path: Path, store: Store, match: str, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If this failed, a store could be written to without the lock after another program was in the way of its
    opening."""
    import sqlite3

    store.close()
    busy = [True]
    real = opening.books_with_lost_end

    def once(*args: Any) -> Any:
        if busy.pop() if busy else False:
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorname = "SQLITE_BUSY"
            raise error
        return real(*args)

    monkeypatch.setattr(opening, "books_with_lost_end", once)
    with Store.open(path, timeout=2) as again:
        assert isinstance(again.backend, SqliteBackend)
        assert again.backend.lock._fd is not None
        again.append(match, [PASS])
    assert accept_lost_end(path) == []
