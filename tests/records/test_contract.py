"""What every database behind the store has to do: the same tests for the one in a file, one in memory, and one on a
server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plain_rows import forge
from sampling import examples

from events.canon import encode
from events.errors import ConflictError, KibitzError, NotFoundError, StoreError, UsageError
from events.model import Pass, Play, Recorded
from records import HOME, Appended, SealedError, StaleWriterError, Store
from records.backend import Backend, Reader, Writer
from records.rows import ALL, BookEntry, KeyEntry, MatchEntry, Stretch
from records.sqlite.backend import SqliteBackend

from .conftest import Clock
from .memory import MemoryBackend, Tables

PASS = Recorded(n=0, event=Pass(by="N"))
Open = Callable[..., Store]


@pytest.fixture(params=["file", "memory", "server"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def open_store(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Opens the one store of the test, as often as it is asked."""
    tables, clock, opened = Tables(), Clock(), list[Store]()
    address = request.getfixturevalue("address") if kind == "server" else ""

    def store(*, write: bool = True) -> Store:
        path = tmp_path / "kibitz.db"
        if kind == "file":
            opened.append(Store.open(path, write=write, clock=clock, timeout=0.2))
        elif kind == "server":
            opened.append(Store.open(address, write=write, clock=clock, timeout=0.2))
        else:
            opened.append(Store(MemoryBackend(tables, write=write), path, clock=clock))
        return opened[-1]

    yield store
    for one in opened:
        one.close()


@pytest.fixture
def store(open_store: Open) -> Store:
    return open_store()


@pytest.fixture
def match(store: Store) -> str:
    return store.create_match({"Seats": ["N", "E", "S", "W"]}, game="kaiser", match="kaiser-tuesday")


# The backend by itself


SAID = [b'{"event":{"verb":"open"}}', b'{"event":{"verb":"pass"}}']


def one_match(writer: Writer, book: str = HOME, match: str = "m") -> BookEntry:
    """A match with two events, at the next positions of its book."""
    entry = writer.book(book, "2026-03-14T20:00:00.000Z")
    writer.add_match(MatchEntry(match, book, "kaiser", "c", "d", 1, 0, None, None))
    positions = [entry.head + 1, entry.head + 2]
    leaves = [bytes(32), b"a" * 32, b"b" * 32]
    writer.add_events(
        Stretch(book, match, 0, positions, ["open", "pass"], [1, 1], ["t", "t"], ["r", "r"], ["k", "k"], SAID, leaves)
    )
    writer.add_key(KeyEntry(match, "k", "print", 0, 1))
    writer.move_head(entry, entry.head + 2, b"b" * 32)
    return entry


def given_up(writer: Writer) -> None:
    """Much is written, and then refused."""
    one_match(writer, match="other")
    writer.add_tiles(HOME, 0, [bytes(32)])
    writer.add_checkpoint(HOME, 2, "ab", "cd", "t", "note")
    raise StoreError("given up")


def everything(reader: Reader, book: str = HOME) -> list[object]:
    """All that can be asked about a book."""
    return [
        sorted(reader.heads()), reader.ids(), list(reader.stored_events(book, -ALL)), reader.leaves(book, 0),
        [reader.lines(match) for match in reader.ids()], [reader.events(match, -1, 9) for match in reader.ids()],
        list(reader.sealed_in(book, -ALL)), [sorted(reader.keys(match)) for match in reader.ids()],
        [sorted(map(repr, reader.entries(book, table))) for table in ("books", "matches", "keys")], reader.tiles(book),
        reader.checkpoints(book), reader.signers(), reader.strays(book), sorted(map(repr, reader.lengths(book))),
        reader.lost_keys(book), reader.miscounts(), reader.matches_to_seal(None),
        sorted(map(repr, reader.matches(book=None, game=None, open_only=False))),
    ]  # fmt: skip


def test_what_is_written_is_read(store: Store) -> None:
    """If this failed, an answer of the database would not be what was put in."""
    with store.backend.transaction() as writer:
        one_match(writer)
    with store.backend.snapshot() as reader:
        assert reader.end_of("m") == (HOME, 1)
        assert reader.end_of("n") is None
        assert reader.events("m", -1, 5) == [(0, 1, "t", "r", "k", SAID[0]), (1, 1, "t", "r", "k", SAID[1])]
        assert reader.events("m", 0, 0) == []
        assert reader.leaves(HOME, 1) == [(2, b"b" * 32)]
        assert [e.sound for e in reader.stored_events(HOME, 0)] == [True, True]
        assert reader.key("m", "k") == KeyEntry("m", "k", "print", 0, 1)
        assert reader.opened_with("k") == ["m"]
        assert [values for values, _ in reader.entries(HOME, "books")] == [[HOME, 2, "2026-03-14T20:00:00.000Z"]]
        assert reader.miscounts() == []


def test_a_transaction_that_fails_leaves_nothing(store: Store) -> None:
    """If this failed, a refusal could leave half of what it refused."""
    with store.backend.transaction() as writer:
        one_match(writer)
    with store.backend.snapshot() as reader:
        before = everything(reader)
    with pytest.raises(StoreError, match="given up"), store.backend.transaction() as writer:
        given_up(writer)
    with store.backend.snapshot() as reader:
        assert everything(reader) == before
    with store.backend.transaction() as writer:
        one_match(writer, match="other")
    with store.backend.snapshot() as reader:
        assert everything(reader) != before


def test_a_part_that_fails_leaves_the_rest(store: Store) -> None:
    """If this failed, one bad file of many would take the others with it, or be half taken in."""
    with store.backend.transaction() as writer:
        with writer.part():
            one_match(writer)
        with pytest.raises(StoreError, match="given up"), writer.part():
            given_up(writer)
        with writer.part():
            one_match(writer, match="good")
    with store.backend.snapshot() as reader:
        assert sorted(reader.ids()) == ["good", "m"]
        assert reader.heads() == [(HOME, 4)]


def test_one_transaction_cannot_hold_another(store: Store) -> None:
    with store.backend.transaction(), pytest.raises(
        UsageError, match="cannot hold another",
    ), store.backend.transaction():
        pass


def test_a_reader_cannot_write(open_store: Open, store: Store) -> None:
    reader = open_store(write=False)
    with pytest.raises(UsageError, match="for reading only"), reader.backend.transaction():
        pass
    with pytest.raises(UsageError, match="for reading only"):
        reader.create_match({}, game="kaiser")


def test_a_book_without_a_name_is_refused(store: Store) -> None:
    with pytest.raises(UsageError, match="name of a book"), store.backend.transaction() as writer:
        writer.book("a\nb", "now")


def test_all_kinds_are_asked(store: Store, kind: str) -> None:
    """The control: the tests of this file would prove nothing of a database that they never meet."""
    backend: Backend = store.backend
    assert type(backend).__name__ == {
        "file": "SqliteBackend", "memory": "MemoryBackend", "server": "PostgresBackend",
    }[kind]


# The store over it


def test_positions_count_up_and_stale_writers_are_refused(store: Store, match: str) -> None:
    """If this failed, two writers could overwrite each other."""
    assert store.append(match, [PASS, PASS], expect=0) == Appended(1, 2)
    with pytest.raises(StaleWriterError) as refused:
        store.append(match, [PASS], expect=0)
    assert [r.n for r in refused.value.unseen] == [1, 2]
    assert [r.n for r in store.read(match)] == [0, 1, 2]
    assert [(e.pos, e.match) for e in store.tail()] == [(1, match), (2, match), (3, match)]
    assert [e.pos for e in store.tail(after=1, limit=1)] == [2]
    with pytest.raises(NotFoundError, match="no book 'elsewhere'"):
        store.tail("elsewhere")


def test_a_retry_is_told_from_a_second_submission(store: Store, match: str) -> None:
    first = store.append(match, [PASS], key="k")
    store.append(match, [PASS])
    again = store.append(match, [PASS], key="k")
    assert (again.first, again.last, again.repeated) == (first.first, first.last, True)
    with pytest.raises(ConflictError, match="says something else"):
        store.append(match, [PASS, PASS], key="k")
    assert store.create_match({}, game="scopa", key="o") == store.create_match({}, game="scopa", key="o")
    with pytest.raises(ConflictError, match="other terms"):
        store.create_match({"Site": "here"}, game="scopa", key="o")


def test_a_sealed_match_reads_the_same_and_opens_again(store: Store, match: str) -> None:
    """If this failed, sealing would lose or change something."""
    store.append(match, [PASS, PASS], key="k")
    store.append(match, [PASS])
    whole, placed, lines = store.read(match), store.tail(), store.lines(match)
    assert store.to_seal() == []
    store.set_over(match, True)
    assert store.to_seal() == [match]
    assert [one.match for one in store.seal_all(store.to_seal())] == [match]
    assert (store.read(match), store.tail(), store.lines(match)) == (whole, placed, lines)
    assert store.append(match, [PASS, PASS], key="k").repeated
    with pytest.raises(SealedError):
        store.append(match, [PASS])
    assert store.matches()[0].sealed
    assert store.verify(HOME).found == []
    store.check()
    assert store.unseal(match) == 4
    assert store.read(match) == whole
    assert store.append(match, [PASS, PASS], key="k").repeated
    assert store.append(match, [PASS]).last == 4
    assert store.verify(HOME).found == []


def test_what_was_signed_is_verified_and_what_was_changed_is_found(store: Store, match: str) -> None:
    """If this failed, a change of what was signed would go unseen in one of the databases."""
    store.append(match, [PASS] * 5)
    slip = store.sign(HOME)
    store.append(match, [PASS])
    done = store.verify(HOME, slip)
    assert (done.found, done.size, done.signed, store.sign(HOME).size) == ([], 7, 6, 7)
    assert [one.size for one in store.checkpoints(HOME)] == [6, 7]
    assert store.last_checkpoint(HOME) == store.checkpoints(HOME)[-1]
    if isinstance(store.backend, MemoryBackend):
        event = store.backend.tables.events[HOME, 3]
        store.backend.tables.events[HOME, 3] = event._replace(payload=event.payload.replace("N", "S"))
    elif isinstance(store.backend, SqliteBackend):
        forge(store.backend.conn, "UPDATE events SET payload = replace(payload, 'N', 'S') WHERE pos = 3")
    else:
        link = store.backend.link
        link.run(
            "UPDATE events SET payload = convert_to(replace(convert_from(payload, 'UTF8'), 'N', 'S'), "
            "'UTF8') WHERE pos = 3"
        )
    assert [(c.kind, c.first) for c in store.verify(HOME).found] == [("edited", 3)]
    with pytest.raises(StoreError, match="not sealed"):
        store.seal(match, unfinished=True)


def appended_and_given_up(store: Store, match: str) -> None:
    store.append(match, [PASS])
    raise StoreError("given up")


def test_several_writings_are_one_commit(open_store: Open, store: Store, match: str) -> None:
    with store.together():
        store.append(match, [PASS])
        with pytest.raises(NotFoundError):
            store.append("nobody", [PASS])
        store.create_match({}, game="scopa", match="other")
    assert (store.length(match), store.length("other")) == (2, 1)
    with pytest.raises(StoreError, match="given up"), store.together():
        appended_and_given_up(store, match)
    assert open_store(write=False).length(match) == 2


def test_matches_are_listed_and_found(store: Store, match: str) -> None:
    store.create_match({"Parent": match, "ParentEvent": 0}, game="kaiser", match="kaiser-wednesday", book="club")
    store.create_match({}, game="scopa", match="scopa-1")
    store.append(match, [PASS])
    assert [(m.match, m.book, m.game, m.parent) for m in store.matches()] == [
        (match, HOME, "kaiser", None), ("scopa-1", HOME, "scopa", None), ("kaiser-wednesday", "club", "kaiser", match),
    ]  # fmt: skip
    assert [m.match for m in store.matches(game="scopa")] == ["scopa-1"]
    assert store.ids() == [match, "kaiser-wednesday", "scopa-1"]
    assert store.last_open_match() == match
    assert [row.book for row in store.books()] == [HOME, "club"]
    assert store.find("sc") == "scopa-1"
    assert store.book_named("club") == ("club", "")
    assert store.book_named("kaiser-w") == ("club", "kaiser-wednesday")
    with pytest.raises(NotFoundError, match="2 matches begin with 'kaiser'"):
        store.find("kaiser")


# Both side by side


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["new", "append", "append", "append", "over", "seal", "unseal", "sign", "import_match"]),
        st.integers(0, 2), st.integers(1, 3), st.sampled_from(["", "", "k1", "k2"]), st.booleans(),
    ), max_size=25,
)  # fmt: skip


def done(store: Store, what: str, which: int, many: int, key: str, second: bool) -> object:
    """What a store answers to one step."""
    match, book = f"m{which}", "club" if which == 2 else HOME
    event = Recorded(n=0, event=Play(by="N", cards=("7h",)) if second else Pass(by="N"))
    try:
        if what == "new":
            return store.create_match({}, game="kaiser", match=match, book=book, key=key)
        if what == "append":
            return store.append(match, [event] * many, key=key)
        if what == "import_match":
            log = [*store.read(f"m{(which + 1) % 3}")[:many]]
            return store.import_match(match, log, game="kaiser", book=book, sealed=second)
        if what == "sign":
            return store.sign(book).size
        call = {"over": lambda: store.set_over(match, second), "unseal": lambda: store.unseal(match)}
        return call[what]() if what in call else store.seal(match, unfinished=second)
    except KibitzError as error:
        return type(error), error.what


def shown(store: Store) -> list[object]:
    """All that two stores that were told the same have to show alike."""
    books = [row.book for row in store.books()]
    return [
        books, store.matches(), [[encode(r) for r in store.read(m)] for m in store.ids()],
        [[(e.pos, e.match, encode(e.recorded)) for e in store.tail(book)] for book in books],
        [(done.size, done.root, done.found, done.signed) for done in map(store.verify, books)], store.to_seal(),
    ]  # fmt: skip


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_a_server_that_is_told_the_same_answers_the_same(
    steps: list[tuple[str, int, int, str, bool]], tmp_path_factory: pytest.TempPathFactory,
    new_address: Callable[[], str]
) -> None:
    """If this failed, what a store answers would depend on the database behind it."""
    clock = Clock()
    clock()  # the server's was asked once, when its tables were made
    memory = Store(MemoryBackend(), tmp_path_factory.mktemp("both") / "memory", clock=clock)
    with Store.open(new_address(), clock=Clock()) as there, memory:
        for step in steps:
            assert done(there, *step) == done(memory, *step), step
        assert shown(there) == shown(memory)


@examples(40, deadline=None)
@given(steps=STEPS)
def test_two_databases_that_are_told_the_same_answer_the_same(
    steps: list[tuple[str, int, int, str, bool]], tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """If this failed, what a store answers would depend on the database behind it."""
    place = tmp_path_factory.mktemp("both")
    clock = Clock()
    clock()  # the one in a file has asked once, when its tables were made
    memory = Store(MemoryBackend(), place / "memory", clock=clock)
    with Store.open(place / "kibitz.db", clock=Clock()) as file, memory:
        for step in steps:
            assert done(file, *step) == done(memory, *step), step
        assert shown(file) == shown(memory)
