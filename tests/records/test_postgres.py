"""A store on a server: many writers at once, clients and servers that die at every step, replies that are lost, and
a standby that takes over.

What every database has to do is asked in test_contract.py. Without a server here these tests are left out, and say so.
"""

from __future__ import annotations

import os
import re
import secrets
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from msgspec.structs import replace
from postgres_server import Server, server
from sampling import forms

from events.canon import encode
from events.errors import ConflictError, KibitzError, NotFoundError, StoreError, UsageError
from events.model import Note, Open, Pass, Recorded
from records import HOME, Store
from records.bundle import make_bundle
from records.copying_books import copy_book
from records.errors import TryAgainError
from records.postgres.address import address_of, is_address
from records.publishing import publish
from records.transfer import copy_books
from replay.simulate import simulate
from replay.visibility import published

PASS = Recorded(n=0, event=Pass(by="N"))
CHILDREN = Path(__file__).with_name("postgres_children.py")
ROOT = Path(__file__).parents[2]


def child(*words: object) -> subprocess.Popen[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, str(CHILDREN), *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=env,
    )


def answer(process: subprocess.Popen[str]) -> list[list[str]]:
    """What a child said until its end, a list of words for each line."""
    out, err = process.communicate(timeout=600)
    assert process.returncode in (0, -9), err
    return [line.split() for line in out.splitlines()]


def whole(store: Store, book: str = HOME) -> None:
    """The book has no gap and is what was written."""
    events = store.tail(book)
    assert [e.pos for e in events] == list(range(1, len(events) + 1))
    assert store.verify(book).found == []
    store.check()
    assert store.faults() == []


# Opening


def test_an_address_is_told_from_a_file() -> None:
    assert [
        is_address(text) for text in ("postgresql://a/b", "postgres://a", "a.db", Path("a.db"), None)
    ] == [True, True, False, False, False]
    assert is_address("postgresql:/a") is False


def test_a_password_is_never_shown() -> None:
    """If this failed, a message or a log would give away who may write."""
    address = address_of("postgresql://club:s3cret@db.example:5433/records?options=-csearch_path%3Dspring")
    assert address.shown == "postgresql://club@db.example:5433/records (spring)"
    assert "s3cret" not in address.name
    other = address_of("postgresql://club:another@db.example:5433/records?options=-csearch_path%3Dspring")
    assert (
        other.beside, other.beside != address_of("postgresql://club@db.example:5433/records").beside,
    ) == (address.beside, True)
    with pytest.raises(UsageError, match="no address of a database") as refused:
        address_of("postgresql://club:s3cret@db.example/records?colour=red")
    assert "s3cret" not in str(refused.value)


def test_what_is_not_there_is_said(address: str, postgres: Server) -> None:
    with pytest.raises(NotFoundError, match="no store in this database"):
        Store.open(address, write=False)
    with pytest.raises(NotFoundError, match="no store in this database"):
        Store.open(address, create=False)
    with pytest.raises(StoreError, match="cannot be reached"):
        Store.open("postgresql://club@/nowhere?host=/nowhere/at/all")
    with pytest.raises(StoreError, match="cannot be reached"):
        Store.open(postgres.address("nobody_made_this"))


def test_the_tables_of_others_are_left_alone(address: str, postgres: Server) -> None:
    """If this failed, a store could be made in the middle of another program's data."""
    schema = address.rpartition("%3D")[2]
    postgres.execute(f"CREATE TABLE {schema}.books (title text)")
    with pytest.raises(StoreError, match="tables of another program"):
        Store.open(address)
    postgres.execute(f"CREATE TABLE {schema}.migrations (id int)")
    with pytest.raises(StoreError, match="tables of another program"):
        Store.open(address)


def test_a_newer_store_is_refused(address: str, postgres: Server) -> None:
    Store.open(address).close()
    postgres.execute(f"INSERT INTO {address.rpartition('%3D')[2]}.migrations VALUES (2, 'of_the_future', 'later')")
    with pytest.raises(StoreError, match="newer Kibitz"):
        Store.open(address)


def test_several_that_open_an_empty_database_make_one_store(address: str) -> None:
    errors: list[BaseException] = []

    def opened() -> None:
        try:
            Store.open(address).close()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=opened) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []


def test_what_others_put_beside_the_tables_is_found(address: str, postgres: Server) -> None:
    schema = address.rpartition("%3D")[2]
    with Store.open(address) as store:
        assert store.faults() == []
        postgres.execute(
            f"CREATE TABLE {schema}.extra (a int)",
            f"CREATE FUNCTION {schema}.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
            f"CREATE TRIGGER quietly BEFORE INSERT ON {schema}.events FOR EACH ROW EXECUTE FUNCTION {schema}.f()",
        )
        assert [one.text for one in store.faults()] == [
            "the table extra is not Kibitz's", "the trigger quietly on events is not Kibitz's",
        ]


def test_a_store_belongs_to_its_thread(address: str) -> None:
    caught: list[BaseException] = []
    with Store.open(address) as store:

        def elsewhere() -> None:
            try:
                store.books()
            except UsageError as error:
                caught.append(error)

        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
    assert [str(error).split(" (")[0] for error in caught] != []
    with pytest.raises(UsageError, match="closed"):
        store.books()


# Many at once


def test_a_book_that_is_held_is_waited_for_and_then_given_up(address: str) -> None:
    """If this failed, two could hand out one position, or one could wait for ever."""
    with Store.open(address) as one, Store.open(address, timeout=0.2) as other:
        match = one.create_match({}, game="kaiser", match="m")
        with one.together():
            one.append(match, [PASS])
            with pytest.raises(StoreError, match="in use by another program"):
                other.append(match, [PASS])
            assert other.length(match) == 1
        assert other.append(match, [PASS]).first == 2


def test_books_do_not_wait_for_each_other(address: str) -> None:
    with Store.open(address) as one, Store.open(address, timeout=0.5) as other:
        first, second = (one.create_match({}, game="kaiser", match=book, book=book) for book in ("a", "b"))
        with one.together():
            one.append(first, [PASS])
            assert other.append(second, [PASS]).first == 1


@pytest.mark.rest
def test_two_that_wait_for_each_other_both_come_through(address: str, postgres: Server) -> None:
    """If this failed, a deadlock would reach whoever records."""
    with Store.open(address) as store:
        for book in ("a", "b"):
            store.create_match({}, game="kaiser", match=book, book=book)
    barrier, errors = threading.Barrier(2, timeout=30), list[BaseException]()

    def both(first: str, second: str) -> None:
        from records.group_commit import GroupCommit

        met = [False]

        def work(store: Store, match: str) -> None:
            store.append(match, [PASS], key=f"{first}-{match}")
            if not met[0]:
                met[0] = True
                barrier.wait()

        try:
            with GroupCommit(lambda: Store.open(address, timeout=20)) as group:

                def pair(store: Store) -> None:
                    work(store, first)
                    work(store, second)

                group.submit(pair).result(60)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=both, args=pair) for pair in (("a", "b"), ("b", "a"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    with Store.open(address, write=False) as store:
        assert [store.length(match) for match in ("a", "b")] == [3, 3]
        whole(store, "a")


def test_a_match_is_opened_once_by_however_many(address: str) -> None:
    found: list[str] = []

    def opened() -> None:
        with Store.open(address) as store:
            found.append(store.create_match({"Site": "club"}, game="kaiser", key="opening"))

    threads = [threading.Thread(target=opened) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(found), len(set(found))) == (5, 1)


@pytest.mark.parametrize(
    ("writers", "events"), forms((3, 10), (6, 25), (64, 500))
)
def test_many_writers_lose_nothing(address: str, writers: int, events: int) -> None:
    """If this failed, a position would be handed out twice, or skipped, or an event be lost."""
    with Store.open(address) as store:
        matches = [store.create_match({}, game="kaiser", match=f"m{i}") for i in range(4)]
    reader = child("tail", address, 4 + writers * events)
    children = [child("writer", address, matches[i % 4], f"w{i}", events) for i in range(writers)]
    said = [line for one in children for line in answer(one)]
    assert len(said) == writers * events
    assert [int(pos) for (pos,) in answer(reader)] == list(range(1, 5 + writers * events))
    with Store.open(address, write=False) as store:
        whole(store)
        kept = {(m, r.key): r.n for m in matches for r in store.read(m)[1:]}
        assert sorted(
            kept[m, key] for m in matches for n, key in said if (m, key) in kept
        ) == sorted(int(n) for n, _ in said)


# Readers that follow


def test_somebody_who_waits_is_told_that_something_was_written(address: str) -> None:
    """If this failed, a table on a second screen would be late by as long as somebody waits between two looks."""
    with Store.open(address) as store, Store.open(address, write=False) as reader:
        match = store.create_match({}, game="kaiser", match="m")
        reader.wait(0.05)  # from here on it listens; what was written before is asked for in any case
        begin = time.monotonic()
        reader.wait(0.3)
        assert time.monotonic() - begin >= 0.25, "nobody wrote"
        store.append(match, [PASS])
        begin = time.monotonic()
        reader.wait(60)
        assert time.monotonic() - begin < 30
        assert reader.length(match) == 2
        # A connection that broke: the time is waited out, and the next look makes it anew.
        reader.backend.link.conn.close()
        reader.wait(0.05)
        assert reader.length(match) == 2


@pytest.mark.parametrize(
    ("matches", "writers"), [(30, 2), pytest.param(20_000, 4, marks=pytest.mark.slow)], ids=["few", "1,000,000 events"]
)  # fmt: skip
def test_readers_that_follow_miss_nothing_and_see_nothing_twice(address: str, matches: int, writers: int) -> None:
    """If this failed, a page that follows a book by its positions would lack an event that was committed late."""
    log = [
        Recorded(n=0, event=Open(by="@", facts={"Game": "kaiser", "Seats": "N E S W"})),
        *(replace(PASS, n=n) for n in range(1, 50)),
    ]
    total = matches * len(log)
    seen: dict[int, int] = {}

    def write(number: int) -> None:
        with Store.open(address, timeout=120) as store:
            for first in range(number, matches, 20 * writers):
                while True:
                    # Several that write into an empty database at once: one makes the book, the
                    # others are told to try again.
                    with suppress(TryAgainError), store.together():
                        for match in range(first, min(first + 20 * writers, matches), writers):
                            store.import_match(f"m{match}", log, game="kaiser")
                        break

    def follow(number: int) -> None:
        with Store.open(address, write=False) as reader:
            after, digest = 0, 0
            while after < total:
                for one in reader.tail(HOME, after, 1000) if reader.books() else ():
                    assert one.pos == after + 1, "a gap, or an event seen twice"
                    after, digest = one.pos, hash((digest, one.match, one.recorded.n))
                reader.wait(0.05)
            seen[number] = digest

    threads = [
        threading.Thread(target=work, args=(n,), daemon=True) for work, many in ((follow, 3), (write, writers))
        for n in range(many)
    ]
    with Store.open(address):
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(1800)
    assert len(seen) == 3, "a reader stopped"
    assert len(set(seen.values())) == 1
    with Store.open(address, write=False) as store:
        assert store.tail(HOME, total) == []


# Clients that die


STATEMENTS = 8
"""An append puts so many statements to the server, the beginning and the end of its transaction among them."""


@pytest.mark.rest
@pytest.mark.parametrize("when", ["before", pytest.param("after", marks=pytest.mark.rest)])
def test_a_client_that_dies_at_any_statement_leaves_all_or_nothing(address: str, when: str) -> None:
    """If this failed, half an append could stay, or a dead client could hold a book."""
    with Store.open(address) as store:
        match = store.create_match({}, game="kaiser", match="m")
    ended = 0
    for statement in range(1, STATEMENTS + 2):
        process = child("killed", address, match, f"k{statement}", statement, when)
        acknowledged = answer(process)
        ended += process.returncode == 0
        with Store.open(address, timeout=5) as store:
            before = store.length(match)
            there = store.submitted(match, f"k{statement}")
            assert there or not acknowledged
            again = store.append(match, [PASS], key=f"k{statement}")
            assert again.repeated == (there is not None)
            assert store.length(match) == before + (there is None)
            whole(store)
    # The control: the last of them came through, so that every statement was met.
    assert ended == 1


# Servers that die


@contextmanager
def broken_at(statement: int, when: str, kill: Callable[[], None]) -> Iterator[list[int]]:
    """Inside, the server is killed before or after the statement of this number."""
    from records.postgres.connecting import StoreConnection

    run, count = StoreConnection.run, [0]

    def counted(self: StoreConnection, query: str, values: object = ()) -> object:
        count[0] += 1
        if count[0] == statement and when == "before":
            kill()
        done = run(self, query, values)
        if count[0] == statement and when == "after":
            kill()
        return done

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StoreConnection, "run", counted)
        yield count


@pytest.mark.rest
@pytest.mark.parametrize("statements", forms(((4,),), ((2, 4, 7),), (tuple(range(1, STATEMENTS + 1)),)))
def test_a_server_that_is_killed_at_any_statement_loses_nothing(
    statements: tuple[int, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If this failed, what was acknowledged could be gone after a crash of the server, or be there twice."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with server(sync=True) as one, Store.open(one.address(), timeout=2) as store:
        match = store.create_match({}, game="kaiser", match="m")
        sent = 0
        for statement in statements:
            for when in ("before", "after"):
                key, wrong = f"k{statement}-{when}", ""
                with broken_at(statement, when, one.kill):
                    try:
                        store.append(match, [PASS], key=key)
                    except StoreError as error:
                        wrong = error.what
                assert wrong or (statement, when) == (STATEMENTS, "after")
                assert not wrong or "reached" in wrong or "broke" in wrong
                one.kill()
                one.start()
                # The same store: it connects again by itself. The same key: never twice.
                there = store.submitted(match, key)
                assert wrong or there is not None
                assert store.append(match, [PASS], key=key).repeated == (there is not None)
                sent += 1
                assert store.length(match) == sent + 1
        whole(store)


# Replies that are lost


class Proxy:
    """Stands between a client and a server, and can take the server's reply to a COMMIT for itself."""

    def __init__(self, folder: Path, target: Path) -> None:
        folder.mkdir()
        self.folder, self.target = folder, target
        self.lose = threading.Event()
        self.lost = 0
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / ".s.PGSQL.5432"))
        self._listening.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                threading.Thread(target=self._carry, args=(client,), daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as to:
            to.connect(str(self.target / ".s.PGSQL.5432"))
            committing = False
            while True:
                for ready in select.select([client, to], [], [])[0]:
                    data = ready.recv(65536)
                    if not data:
                        return
                    if ready is client:
                        committing = b"COMMIT" in data
                        to.sendall(data)
                    elif committing and self.lose.is_set():
                        self.lose.clear()
                        self.lost += 1
                        return
                    else:
                        client.sendall(data)

    def close(self) -> None:
        self._listening.close()


def test_a_reply_that_is_lost_is_found_again_by_its_key(address: str, postgres: Server, tmp_path: Path) -> None:
    """If this failed, whoever records would not know whether to say it again, or say it twice."""
    short = Path("/tmp") / f"kibitz-proxy-{secrets.token_hex(4)}"
    proxy = Proxy(short, postgres.socket)
    try:
        with Store.open(address.replace(str(postgres.socket), str(short)), timeout=2) as store:
            match = store.create_match({}, game="kaiser", match="m")
            for i in range(10):
                if i % 2:
                    proxy.lose.set()
                    with pytest.raises(StoreError, match="connection broke while the server was writing") as broken:
                        store.append(match, [PASS], key=f"k{i}")
                    assert "under the same key" in str(broken.value.todo)
                again = store.append(match, [PASS], key=f"k{i}")
                assert (again.first, again.repeated) == (i + 1, bool(i % 2))
            whole(store)
        assert proxy.lost == 5
    finally:
        proxy.close()
        for path in short.iterdir():
            path.unlink()
        short.rmdir()


# A standby that takes over


@pytest.mark.rest
def test_a_synchronous_standby_has_all_that_was_acknowledged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, a failover by hand would lose a move that a table believes to be kept."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with server(wal_level="replica", max_wal_senders="4") as one, one.standby() as other:
        one.execute("ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
        other.until_streaming(one)
        acknowledged = 0
        with Store.open(one.address(), timeout=5) as store:
            match = store.create_match({}, game="kaiser", match="m")
            for i in range(40):
                acknowledged = store.append(match, [PASS], key=f"k{i}").last
            slip = store.sign(HOME)
        one.kill()
        other.promote()
        with Store.open(other.address(), timeout=5) as store:
            assert store.length(match) == acknowledged + 1 == 41
            assert store.append(match, [PASS], key="k39").repeated
            assert store.append(match, [PASS], key="next").first == 41
            assert store.verify(HOME, slip).found == []
            whole(store)


# Books that move


def filled(store: Store) -> None:
    """Two books with matches that go on side by side: open, over, sealed, with keys, signed."""
    for book in (HOME, "club"):
        names = [
            store.create_match(
                {"Seats": ["N", "S"]}, game="kaiser", match=f"{book}-{i}", book=book, key=f"open-{book}-{i}",
            )
            for i in range(4)
        ]
        for i in range(12):
            store.append(names[i % 4], [PASS] * (1 + i % 3), key=f"{book}-{i}")
        store.set_over(names[0], True)
        store.set_over(names[1], True)
        store.seal(names[1])
        store.append(names[2], [PASS])
    store.create_match({"Parent": f"{HOME}-0", "ParentEvent": 1}, game="kaiser", match="variation")


def shown(store: Store) -> list[object]:
    """All that two stores with the same books have to show alike."""
    books = [row.book for row in store.books()]
    return [
        books, store.matches(), [[encode(r) for r in store.read(m)] for m in store.ids()],
        [store.lines(m) for m in store.ids()],
        [[(e.pos, e.match, encode(e.recorded)) for e in store.tail(book)] for book in books],
        [(done.size, done.root, done.found, done.signed) for done in map(store.verify, books)], store.to_seal(),
        [sorted(one.note for one in store.checkpoints(book)) for book in books],
        [store.submitted(m, r.key) for m in store.ids() for r in store.read(m) if r.key],
    ]  # fmt: skip


def test_books_come_back_as_they_went(new_address: Callable[[], str], tmp_path: Path) -> None:
    """If this failed, a proof would not survive the way to another database."""
    with (
        Store.open(tmp_path / "a.db") as here,
        Store.open(new_address()) as there,
        Store.open(tmp_path / "b.db") as back,
    ):
        filled(here)
        went = copy_books(here, there)
        assert [(one.book, one.added) for one in went] == [(row.book, row.head) for row in here.books()]
        assert shown(there) == shown(here)
        assert [one.added for one in copy_books(there, back)] == [one.added for one in went]
        assert shown(back) == shown(here)
        assert make_bundle(back, f"{HOME}-0") == make_bundle(there, f"{HOME}-0") == make_bundle(here, f"{HOME}-0")
        assert [one.added for one in copy_books(here, there)] == [0, 0]


def test_a_copy_goes_on_where_it_was_broken_off(
    new_address: Callable[[], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If this failed, a large book would have to be copied in one go."""
    monkeypatch.setattr("records.copying_books.AT_ONCE", 7)
    with Store.open(tmp_path / "a.db") as here, Store.open(new_address()) as there:
        filled(here)
        head = {row.book: row.head for row in here.books()}[HOME]

        def stop(book: str, done: int, upto: int) -> None:
            if done >= head // 2:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            copy_book(here.backend, there.backend, HOME, told=stop)
        (row,) = there.books()
        assert 0 < row.head < head
        assert [e.pos for e in there.tail(HOME)] == list(range(1, row.head + 1))
        done = copy_books(here, there)
        assert (done[0].added, done[0].events) == (head - row.head, head)
        assert shown(there) == shown(here)
        here.append(f"{HOME}-2", [PASS])
        assert [one.added for one in copy_books(here, there, [HOME])] == [1]
        assert shown(there) == shown(here)


def test_a_book_that_became_another_is_refused(new_address: Callable[[], str], tmp_path: Path) -> None:
    with Store.open(tmp_path / "a.db") as here, Store.open(new_address()) as there:
        filled(here)
        copy_books(here, there)
        there.append(f"{HOME}-2", [PASS])
        with pytest.raises(ConflictError, match="events there and"):
            copy_books(here, there)
        here.append(f"{HOME}-3", [PASS, PASS])
        with pytest.raises(ConflictError, match="another one there"):
            copy_books(here, there)
        with pytest.raises(NotFoundError, match="no book 'nowhere'"):
            copy_books(here, there, ["nowhere"])
    with Store.open(new_address()) as there, Store.open(tmp_path / "a.db") as here:
        there.create_match({}, game="kaiser", match="club-0", book="elsewhere")
        with pytest.raises(ConflictError, match="club-0 is in book elsewhere"):
            copy_books(here, there, ["club"])


def test_an_event_that_was_changed_is_not_copied(new_address: Callable[[], str], tmp_path: Path) -> None:
    """If this failed, a copy could make a forged event look proved."""
    with Store.open(new_address()) as here, Store.open(tmp_path / "b.db") as there:
        match = here.create_match({}, game="kaiser", match="m")
        here.append(match, [PASS] * 5)
        here.backend.link.run("UPDATE events SET time = 'later' WHERE pos = 3")
        with pytest.raises(StoreError, match="not those that were written"):
            copy_books(here, there)
        assert there.books() == []


def test_a_backup_of_a_server_is_a_file(address: str, tmp_path: Path) -> None:
    with Store.open(address) as there:
        filled(there)
        made = there.backup(tmp_path / "backup.db")
        with Store.open(made) as back:
            assert shown(back) == shown(there)
        with pytest.raises(UsageError, match="file of this name"):
            there.backup(tmp_path / "backup.db")


def test_errors_say_what_to_do(address: str, postgres: Server) -> None:
    """If this failed, a sentence of the server would be all that anybody hears."""
    with Store.open(address) as store:
        match = store.create_match({}, game="kaiser", match="m")
        schema = address.rpartition("%3D")[2]
        postgres.execute(f"ALTER TABLE {schema}.keys RENAME TO lost")
        with pytest.raises(StoreError, match="a part of its tables is missing"):
            store.append(match, [PASS], key="k")
        postgres.execute(
            f"ALTER TABLE {schema}.lost RENAME TO keys", "CREATE ROLE visitor LOGIN",
            f"GRANT USAGE ON SCHEMA {schema} TO visitor",
        )
        try:
            with pytest.raises(KibitzError, match="may not be"):
                Store.open(address.replace("club@", "visitor@"), write=False)
        finally:
            postgres.execute(f"REVOKE USAGE ON SCHEMA {schema} FROM visitor", "DROP ROLE visitor")
        assert store.append(match, [PASS], key="k").first == 1


def test_roles_may_do_what_they_are_for(address: str, postgres: Server, new_address: Callable[[], str]) -> None:
    """If this failed, a role that records could change the tables, or one that reads could write, or see what is not
    public. The statements stand in docs/store.md."""
    schema, shown_at = address.rpartition("%3D")[2], new_address()
    shown = shown_at.rpartition("%3D")[2]
    log = simulate("kaiser", seed=4, hands=1)
    secret = replace(log[3], n=log[-1].n + 1, event=Note(by="@"), text="the dealer saw a card", recorder="Otto")
    with Store.open(address) as store:
        match = store.create_match({}, game="kaiser", match="m")
        store.import_match("over", [*log, secret], game="kaiser")
        store.set_over("over", True)
        with Store.open(shown_at) as public:
            assert [one.match for one in publish(store, public, published)] == ["over"]
    said = re.findall(r"^(?:CREATE ROLE|GRANT) .*;$", (ROOT / "docs/store.md").read_text(encoding="utf-8"), re.M)
    assert len(said) == 6
    here = [
        one.replace("SCHEMA public", f"SCHEMA {schema}").replace("SCHEMA published", f"SCHEMA {shown}") for one in said
    ]
    postgres.execute(f"SET search_path = {schema}", *here)
    try:
        with Store.open(address.replace("club@", "recorder@")) as writer:
            assert writer.append(match, [PASS], key="k").first == 1
            assert writer.sign(HOME).size == len(log) + 3
            with pytest.raises(StoreError, match="may not be changed"), writer.backend.transaction():
                writer.backend.link.run("ALTER TABLE events DROP COLUMN leaf")
        with pytest.raises(KibitzError, match="no store"):
            Store.open(address.replace("club@", "onlooker@"), write=False)
        with Store.open(shown_at.replace("club@", "onlooker@"), write=False) as reader:
            assert reader.ids() == ["over"]
            assert [r.event for r in reader.read("over")] == [r.event for r in published([*log, secret])]
            assert reader.verify(HOME).found == []
            for table in ("events", "matches", "keys", "sealed", "books"):
                with pytest.raises(KibitzError, match="may not be"), reader.backend.reading():
                    reader.backend.link.run(f"SELECT * FROM {schema}.{table}")
            told = str(reader.backend.link.run("SELECT string_agg(e::text, ' ') FROM events e").fetchall())
            assert "Otto" not in told
            assert "dealer saw" not in told
        with Store.open(
            shown_at.replace("club@", "onlooker@")
        ) as reader, pytest.raises(StoreError, match="may not be changed"):
            reader.append("over", [PASS])
    finally:
        postgres.execute("DROP OWNED BY recorder, onlooker", "DROP ROLE recorder, onlooker")
