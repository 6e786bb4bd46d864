"""The store against a small model of it: whatever is asked in whatever order, both give the same answer."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from msgspec import Struct, structs
from plain_rows import forge
from proof.harness import SEED, insist, proving, sizes

from events.errors import ConflictError, KibitzError, NotFoundError, UnreadableError
from events.model import Call, Note, Open, Pass, Play, Recorded
from records import HOME, Appended, StaleWriterError, Store

IDS = ("kaiser-a", "kaiser-b", "kaiser-c")
BOOKS = (HOME, "cup")
KEYS = ("", "k1", "k2", "k3", "k4", "k5", "k6", "k7")
FACTS: tuple[dict[str, Any], ...] = ({}, {"Seats": ["N", "E"]})
DRAFTS: tuple[tuple[Recorded, ...], ...] = (
    (Recorded(n=0, event=Play(by="N", cards=("7h",))),),
    (Recorded(n=0, event=Play(by="N", cards=("7h",)), recorder="ann"),),
    (Recorded(n=0, event=Pass(by="E")), Recorded(n=7, event=Note(by="@"), text="ü {x}")),
    (Recorded(n=0, event=Call(by="S", word="w", amount=1)), Recorded(n=0, event=Call(by="S", word="w", amount=1))),
    (Recorded(n=0, event=Pass(by="W"), time="2020-01-01T00:00:00.000Z", glyphs=(1, 4)),),
)
BAD = Recorded(n=0, event=Play(by="N", cards=(7,)))


def content(records: list[Recorded] | tuple[Recorded, ...]) -> list[Recorded]:
    """What a submission says: everything but its place, its time and its key."""
    return [structs.replace(r, n=0, time="", key="") for r in records]


class Log(Struct):
    """A match in the model."""

    book: str
    records: list[Recorded]
    keys: dict[str, tuple[list[Recorded], int, int]]
    over: bool = False

    def note_keys(self, since: int) -> None:
        """The keys of the events from `since` on, as if they had been submitted here."""
        for key in {r.key for r in self.records[since:] if r.key}:
            batch = [r for r in self.records if r.key == key]
            self.keys[key] = (content(batch), batch[0].n, batch[-1].n)


class StoreAgainstModel(RuleBasedStateMachine):
    """Two programs' worth of stores on one file, and the model beside them."""

    def __init__(self) -> None:
        super().__init__()
        self.logs: dict[str, Log] = {}
        self.books: dict[str, list[tuple[str, int]]] = {}
        memory = Path("/dev/shm")
        self.directory = Path(tempfile.mkdtemp(prefix="kibitz-model-", dir=memory if memory.is_dir() else None))
        self.path = self.directory / "kibitz.db"
        self.stores: list[Store] = []

    def begin(self) -> None:
        self.stores = [Store.open(self.path, timeout=5), Store.open(self.path, timeout=5)]

    @initialize(keys=st.lists(st.sampled_from(KEYS), max_size=2, unique=True))
    def begin_with(self, keys: list[str]) -> None:
        self.begin()
        for match, key in zip(IDS, keys, strict=False):
            self.create(0, match, HOME, key, {})

    def one(self, pick: int) -> str:
        """Mostly a match that is there; sometimes one that is not."""
        return [*self.logs][pick % len(self.logs)] if self.logs and pick < 90 else IDS[pick % len(IDS)]

    def teardown(self) -> None:
        for store in self.stores:
            store.close()
        shutil.rmtree(self.directory)

    seen: ClassVar[Counter[str]] = Counter()  # what came up, over all runs of the class

    def refused(self, kind: type[KibitzError], act: Callable[[], object]) -> Any:
        self.seen[kind.__name__] += 1
        try:
            answer = act()
        except KibitzError as error:
            insist(type(error) is kind or (kind is ConflictError and isinstance(error, kind)), repr(error))
            return error
        raise AssertionError(f"answered {answer!r} where a {kind.__name__} was due")

    def placed(self, match: str, since: int, want: list[Recorded]) -> None:
        """Take what the store wrote into the model, after a look that it is what was asked for. From now on it
        stays."""
        log = self.logs[match]
        got = self.stores[0].read(match, after=since - 1)
        assert content(got) == content(want)
        assert [r.n for r in got] == list(range(since, since + len(want)))
        assert all(w.time in ("", g.time) for g, w in zip(got, want, strict=True))
        log.records[since:] = got
        self.books.setdefault(log.book, []).extend((match, r.n) for r in got)

    # What is asked

    who = st.sampled_from((0, 1))
    a_match = st.integers(0, 99)

    @rule(
        who=who, match=st.sampled_from((*IDS, None)), book=st.sampled_from(BOOKS), key=st.sampled_from(KEYS),
        facts=st.sampled_from(FACTS),
    )
    def create(self, who: int, match: str | None, book: str, key: str, facts: dict[str, Any]) -> None:
        def act() -> str:
            return self.stores[who].create_match(dict(facts), game="kaiser", match=match, book=book, key=key)

        opened = sorted(m for m, log in self.logs.items() if key and key in log.keys and log.keys[key][1] == 0)
        if opened:
            for old in opened:
                again = Recorded(n=0, event=Open(by="@", facts={"Game": "kaiser", "Match": old, **facts}))
                if match in (None, old) and self.logs[old].keys[key][0] == content([again]):
                    assert act() == old
                    self.seen["opened again"] += 1
                    return
            self.refused(ConflictError, act)
        elif match in self.logs:
            self.refused(ConflictError, act)
        elif match is None and len(self.logs) > 6:
            return
        else:
            made = act()
            assert made == match or match is None
            assert made not in self.logs
            self.logs[made] = Log(book, [], {})
            want = Recorded(n=0, event=Open(by="@", facts={"Game": "kaiser", "Match": made, **facts}))
            self.placed(made, 0, [want])
            assert self.logs[made].records[0].key == key
            self.logs[made].note_keys(0)

    @rule(
        who=who, pick=a_match, key=st.sampled_from(KEYS), drafts=st.sampled_from(DRAFTS),
        behind=st.sampled_from((None, None, 0, 0, 0, 1, 3, -2)),
    )
    def append(self, who: int, pick: int, key: str, drafts: tuple[Recorded, ...], behind: int | None) -> None:
        match = self.one(pick)
        log = self.logs.get(match)
        last = len(log.records) - 1 if log else 0
        expect = None if behind is None else max(0, last - behind)

        def act() -> Appended:
            return self.send(self.stores[who], match, drafts, expect, key)

        if log is None:
            self.refused(NotFoundError, act)
        elif key and key in log.keys:
            known, first, end = log.keys[key]
            if known == content(drafts):
                assert act() == Appended(first, end, repeated=True)
                self.seen["repeated"] += 1
            else:
                error = self.refused(ConflictError, act)
                assert not isinstance(error, StaleWriterError)
        elif expect is not None and expect != last:
            error = self.refused(ConflictError, act)
            assert isinstance(error, StaleWriterError)
            self.seen["stale"] += 1
            assert (error.last, error.unseen) == (last, log.records[expect + 1 :])
        else:
            assert act() == Appended(last + 1, last + len(drafts))
            self.placed(match, last + 1, list(drafts))
            assert {r.key for r in log.records[last + 1 :]} == {key}
            self.seen["appended"] += 1
            log.note_keys(last + 1)

    @rule(who=who, pick=a_match, which=st.integers(0, 9), expect=st.sampled_from((None, 0, 2)), other=st.integers(0, 3))
    def retry(self, who: int, pick: int, which: int, expect: int | None, other: int) -> None:
        """A submission that is there comes again, sometimes with something else under its key."""
        log = self.logs.get(match := self.one(pick))
        keys = sorted(
            key for key, (known, *_) in log.keys.items() if not isinstance(known[0].event, Open)
        ) if log else []
        if log is None or not keys:
            return
        key = keys[which % len(keys)]
        known, first, end = log.keys[key]
        if other:
            assert self.send(self.stores[who], match, tuple(known), expect, key) == Appended(first, end, repeated=True)
            self.seen["repeated"] += 1
        else:
            self.refused(ConflictError, lambda: self.send(self.stores[who], match, (*known, *known), expect, key))

    def send(self, store: Store, match: str, drafts: tuple[Recorded, ...], expect: int | None, key: str) -> Appended:
        return store.append(match, drafts, expect=expect, key=key)

    @rule(who=who, pick=a_match)
    def append_what_cannot_be_written(self, who: int, pick: int) -> None:
        self.refused(UnreadableError, lambda: self.stores[who].append(self.one(pick), [*DRAFTS[0], BAD]))

    @rule(
        who=who, source_pick=a_match, into=st.sampled_from(("itself", "another", "new")), pick=a_match,
        book=st.sampled_from(BOOKS), upto=st.sampled_from((None, None, 1, 3)), more=st.sampled_from(((), *DRAFTS)),
        key=st.sampled_from(KEYS), bare=st.booleans(), changed=st.sampled_from((None, None, None, 0, 1, 2)),
    )  # fmt: skip
    def import_match(
        self, who: int, source_pick: int, into: str, pick: int, book: str, upto: int | None, more: tuple[Recorded, ...],
        key: str, bare: bool, changed: int | None,
    ) -> None:  # fmt: skip
        """A file: the beginning of a match, perhaps gone on, without its envelopes, or with one event changed."""
        source = self.one(source_pick)
        if source not in self.logs:
            return
        match = {"itself": source, "another": self.one(pick), "new": f"kaiser-file-{len(self.logs)}"}[into]
        if match not in self.logs and len(self.logs) > 6:
            return
        file = self.logs[source].records[:upto]
        file += [structs.replace(r, n=n, key=key) for n, r in enumerate(more, len(file))]
        if bare:
            file = [structs.replace(r, time="", key="", recorder="") for r in file]
        if changed is not None and 0 < changed < len(file):
            file[changed] = structs.replace(file[changed], text=file[changed].text + "!")

        def act() -> object:
            return self.stores[who].import_match(match, file, game="kaiser", book=book)

        log = self.logs.get(match)
        ours = log.records if log else []
        if any(not agree(a, b) for a, b in zip(ours, file, strict=False)):
            self.refused(ConflictError, act)
            return
        answer: Any = act()
        new = file[len(ours) :]
        self.seen[f"adopted: {answer.status}"] += 1
        assert answer.added == len(new)
        assert answer.status == ("new" if log is None else "appended" if new else "same")
        if log is None:
            log = self.logs[match] = Log(book, [], {})
        if new:
            since = len(log.records)
            self.placed(match, since, new)
            assert log.records[since:] == new, "an import keeps time, recorder and key"
            log.note_keys(since)

    @rule(who=who, pick=a_match, over=st.booleans())
    def set_over(self, who: int, pick: int, over: bool) -> None:
        match = self.one(pick)
        if match not in self.logs:
            self.refused(NotFoundError, lambda: self.stores[who].set_over(match, over))
        else:
            self.stores[who].set_over(match, over)
            self.logs[match].over = over

    @rule(who=who)
    def reopen(self, who: int) -> None:
        self.stores[who].close()
        self.stores[who] = Store.open(self.path, timeout=5)

    @rule()
    def reopen_all(self) -> None:
        """The last to close leaves the file alone, without anything beside it that matters."""
        for store in self.stores:
            store.close()
        self.begin()

    # What is read

    @rule(who=who, pick=a_match, after=st.integers(-1, 6))
    def read(self, who: int, pick: int, after: int) -> None:
        match = self.one(pick)
        if match not in self.logs:
            self.refused(NotFoundError, lambda: self.stores[who].read(match, after))
            self.refused(NotFoundError, lambda: self.stores[who].length(match))
        else:
            assert self.stores[who].read(match, after) == self.logs[match].records[after + 1 :]
            assert self.stores[who].length(match) == len(self.logs[match].records)

    @rule(who=who, book=st.sampled_from(BOOKS), after=st.integers(0, 12), limit=st.sampled_from((None, 0, 1, 4)))
    def tail(self, who: int, book: str, after: int, limit: int | None) -> None:
        if book not in self.books:
            self.refused(NotFoundError, lambda: self.stores[who].tail(book, after, limit))
            return
        got = [(p.pos, p.match, p.recorded) for p in self.stores[who].tail(book, after, limit)]
        want = [(pos, match, self.logs[match].records[n]) for pos, (match, n) in enumerate(self.books[book], 1)][after:]
        assert got == want[:limit]

    @rule()
    def read_by_a_reader(self) -> None:
        with Store.open(self.path, write=False, timeout=5) as reader:
            reader.check()
            self.compare(reader)

    @invariant()
    def everything_agrees(self) -> None:
        for store in self.stores[:1]:
            self.compare(store)

    def compare(self, store: Store) -> None:
        rows = {row.match: row for row in store.matches()}
        assert rows.keys() == self.logs.keys()
        for match, log in self.logs.items():
            row = rows[match]
            assert (row.book, row.last, row.over) == (log.book, len(log.records) - 1, log.over)
            assert store.read(match) == log.records
        assert {row.book: row.head for row in store.books()} == {
            book: len(events) for book, events in self.books.items()
        }


def agree(ours: Recorded, theirs: Recorded) -> bool:
    """Whether the record of a file contradicts nothing: what it leaves empty is left open."""
    return (
        content([structs.replace(ours, recorder="")]) == content([structs.replace(theirs, recorder="")])
        and theirs.time in ("", ours.time)
        and theirs.recorder in ("", ours.recorder)
        and theirs.key in ("", ours.key)
    )


def bounds(examples: int, **more: Any) -> settings:
    return settings(
        max_examples=examples,
        stateful_step_count=40,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        **more,
    )


@sizes(48, 5_000)
def test_the_store_does_what_its_model_does(size: int) -> None:
    """Random evenings of forty steps on two stores over one file; each answer and all that can be read agree with
    the model."""
    with proving(f"model, {size} evenings") as proof:
        StoreAgainstModel.seen.clear()
        run_state_machine_as_test(seed(SEED)(StoreAgainstModel), settings=bounds(size))
        proof.figures.update(StoreAgainstModel.seen)
        # A model that is never asked says nothing: every kind of answer has to have come up.
        for answer in (
            "appended", "repeated", "stale", "opened again", "adopted: new", "adopted: same", "adopted: appended",
            "ConflictError", "NotFoundError", "UnreadableError",
        ):  # fmt: skip
            assert StoreAgainstModel.seen[answer] > size / 50, f"{answer} hardly came up: {StoreAgainstModel.seen}"


class ForgetsKeys(StoreAgainstModel):
    def send(self, store: Store, match: str, drafts: tuple[Recorded, ...], expect: int | None, key: str) -> Appended:
        answer = store.append(match, drafts, expect=expect, key=key)
        forge(store.backend.conn, "DELETE FROM keys")
        store.backend.writer.forget()
        return answer


class TrustsEveryWriter(StoreAgainstModel):
    def send(self, store: Store, match: str, drafts: tuple[Recorded, ...], expect: int | None, key: str) -> Appended:
        return store.append(match, drafts, key=key)


class WritesTwice(StoreAgainstModel):
    def send(self, store: Store, match: str, drafts: tuple[Recorded, ...], expect: int | None, key: str) -> Appended:
        answer = store.append(match, drafts, expect=expect, key=key)
        if not key:
            store.append(match, drafts[:1])
        return answer


@pytest.mark.parametrize(
    "broken", [ForgetsKeys, *(pytest.param(one, marks=pytest.mark.rest) for one in (TrustsEveryWriter, WritesTwice))],
)
def test_a_broken_store_is_told_from_the_model(broken: type[StoreAgainstModel]) -> None:
    """The controls: a store that forgets keys, one that does not look, one that writes twice. It shows in a wrong
    answer, or in an error that was not due."""
    with pytest.raises((AssertionError, KibitzError)):
        run_state_machine_as_test(
            seed(SEED)(broken), settings=bounds(400, phases=[Phase.generate], report_multiple_bugs=False),
        )
