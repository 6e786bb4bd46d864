"""Group commit: many writers share a sync, and each gets the answer it would have got alone."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Barrier, Event, Thread
from typing import Any

import pytest

from events.errors import ConflictError, StoreError, UsageError
from events.model import Call, Recorded
from records import Appended, StaleWriterError, Store
from records.group_commit import GroupCommit, _Writing, next_batch

SEATS = {"Seats": ["N", "E", "S", "W"]}


def word(amount: int) -> list[Recorded]:
    return [Recorded(n=0, event=Call(by="N", word="w", amount=amount))]


@pytest.fixture
def group(path: Path) -> Iterator[GroupCommit]:
    with GroupCommit(lambda: Store.open(path)) as group:
        yield group


def new_match(group: GroupCommit, match: str) -> str:
    return group.submit(lambda store: store.create_match(SEATS, game="kaiser", match=match)).result()


@contextmanager
def held_up(group: GroupCommit) -> Iterator[None]:
    """What is handed over inside waits until the end, and is committed together."""
    reached, go = Event(), Event()

    def wait(store: Store) -> None:
        reached.set()
        assert go.wait(10)

    done = group.submit(wait)
    assert reached.wait(10)
    try:
        yield
    finally:
        go.set()
    done.result(10)


def test_writers_of_many_matches_lose_nothing_and_get_their_own_answers(group: GroupCommit, path: Path) -> None:
    """If this failed, one table's events would be answered with another's positions, or be gone."""
    matches = [new_match(group, f"kaiser-{i}") for i in range(8)]
    start = Barrier(len(matches))
    firsts: dict[str, list[int]] = {match: [] for match in matches}

    def write(match: str) -> None:
        start.wait()
        for i in range(20):
            firsts[match].append(group.append(match, word(i), expect=i, key=f"{match}/{i}").result(10).first)

    threads = [Thread(target=write, args=(match,)) for match in matches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(first == list(range(1, 21)) for first in firsts.values())
    with Store.open(path, write=False) as store:
        assert [store.length(match) for match in matches] == [21] * len(matches)
        assert not store.first_fault()


def test_what_waits_is_one_commit(group: GroupCommit, monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, each of 32 recorders would wait for the syncs of the others."""
    match = new_match(group, "kaiser-a")
    commits: list[int] = []
    whole = Store.unsigned

    @contextmanager
    def counted(store: Store) -> Iterator[dict[str, None]]:
        with whole(store) as books:
            yield books
        commits.append(1)

    monkeypatch.setattr(Store, "unsigned", counted)
    with held_up(group):
        answers = [group.append(match, word(i)) for i in range(10)]
    assert [a.result(10).first for a in answers] == list(range(1, 11))
    # The one that held the others up, and the others.
    assert len(commits) == 2


def test_nobody_is_answered_before_the_commit(group: GroupCommit, monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, an event would be acknowledged that a crash takes away."""
    match = new_match(group, "kaiser-a")
    answers: list[Future[Appended]] = []
    done_before: list[bool] = []
    whole = Store.unsigned

    @contextmanager
    def looked_at(store: Store) -> Iterator[dict[str, None]]:
        with whole(store) as books:
            yield books
            done_before.extend(answer.done() for answer in answers)

    monkeypatch.setattr(Store, "unsigned", looked_at)
    with held_up(group):
        answers += [group.append(match, word(i)) for i in range(5)]
    assert [a.result(10).first for a in answers] == [1, 2, 3, 4, 5]
    assert done_before
    assert not any(done_before)


def test_what_is_refused_leaves_nothing_and_harms_nobody(group: GroupCommit, path: Path) -> None:
    """If this failed, a stale line would take the lines of other tables with it, or be recorded."""
    one, other = new_match(group, "kaiser-a"), new_match(group, "kaiser-b")
    with held_up(group):
        first = group.append(one, word(1), expect=0, key="k")
        stale = group.append(one, word(2), expect=0)
        again = group.append(one, word(1), expect=0, key="k")
        reused = group.append(one, word(3), key="k")
        fine = group.append(other, word(4), expect=0)
    assert (first.result(10), fine.result(10)) == (Appended(1, 1), Appended(1, 1))
    assert again.result(10) == Appended(1, 1, repeated=True)
    with pytest.raises(StaleWriterError) as missed:
        stale.result(10)
    assert [r.n for r in missed.value.unseen] == [1]
    with pytest.raises(ConflictError):
        reused.result(10)
    with Store.open(path, write=False) as store:
        assert (store.length(one), store.length(other)) == (2, 2)


def test_a_commit_that_fails_fails_all_of_it(group: GroupCommit, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, somebody would be told that an event is recorded which is not, or be refused for one that is
    not there."""
    match = new_match(group, "kaiser-a")
    whole = Store.unsigned

    @contextmanager
    def failing(store: Store) -> Iterator[dict[str, None]]:
        with whole(store) as books:
            yield books
            raise StoreError("the disk failed")

    monkeypatch.setattr(Store, "unsigned", failing)
    with pytest.raises(StoreError), held_up(group):
        answers = [group.append(match, word(1), expect=0), group.append(match, word(2), expect=0)]
    for answer in answers:
        with pytest.raises(StoreError, match="the disk failed"):
            answer.result(10)
    monkeypatch.undo()
    assert group.append(match, word(3), expect=0).result(10) == Appended(1, 1)
    with Store.open(path, write=False) as store:
        assert store.length(match) == 2


def test_a_head_that_cannot_be_signed_is_told_to_whoever_ended_the_match(
    group: GroupCommit, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If this failed, other tables would be told that their events are not recorded."""
    match, other = new_match(group, "kaiser-a"), new_match(group, "kaiser-b")

    def unsigned(store: Store, book: str) -> None:
        raise StoreError("the key is gone")

    monkeypatch.setattr(Store, "sign", unsigned)
    with held_up(group):
        ended = group.submit(lambda store: store.set_over(match, over=True))
        added = group.append(other, word(1))
    assert added.result(10) == Appended(1, 1)
    with pytest.raises(StoreError, match="the key is gone"):
        ended.result(10)


def test_the_head_is_signed_when_a_match_ends(group: GroupCommit, path: Path) -> None:
    """If this failed, a match recorded by the service could not be proved to others."""
    match = new_match(group, "kaiser-a")
    group.submit(lambda store: store.set_over(match, over=True)).result(10)
    with Store.open(path, write=False) as store:
        assert list(store.checkpoints("home"))


def test_closing_writes_what_was_handed_over(path: Path) -> None:
    """If this failed, a service that is stopped would lose what was in flight."""
    group = GroupCommit(lambda: Store.open(path))
    match = new_match(group, "kaiser-a")
    with held_up(group):
        answers = [group.append(match, word(i)) for i in range(5)]
        closer = Thread(target=group.close)
        closer.start()
    closer.join(10)
    assert [a.result(0).first for a in answers] == [1, 2, 3, 4, 5]
    with pytest.raises(UsageError):
        group.append(match, word(9))
    group.close()


def test_a_store_that_cannot_be_opened_is_said_at_once(tmp_path: Path) -> None:
    """If this failed, a service over a broken store would take lines and answer nobody."""
    (tmp_path / "kibitz.db").write_bytes(b"not a store" * 100)
    with pytest.raises(StoreError):
        GroupCommit(lambda: Store.open(tmp_path / "kibitz.db"))


class Arriving(SimpleQueue[_Writing[Any] | None]):
    """Three writings are there, and three more arrive, each as soon as it is waited for."""

    def __init__(self) -> None:
        self.later = [_Writing(lambda store: None) for _ in range(3)]
        for _ in range(3):
            self.put(_Writing(lambda store: None))

    def get(self, block: bool = True, timeout: float | None = None) -> _Writing[Any] | None:
        if timeout and self.empty() and self.later:
            self.put(self.later.pop())
        return super().get(block, timeout)


@pytest.mark.parametrize(("answered", "wait", "taken"), [(0, 0.0, 3), (6, 60.0, 6), (6, 0.0, 3), (5, 60.0, 5)])
def test_as_many_as_were_just_answered_are_waited_for_and_no_more(answered: int, wait: float, taken: int) -> None:
    """If this failed, writers that go on at once would commit one by one on a slow disk, or one would wait for those
    who left."""
    batch = next_batch(Arriving(), answered, wait)
    assert batch is not None
    assert len(batch) == taken


def test_what_was_handed_over_before_the_end_is_taken(path: Path) -> None:
    """If this failed, the last writings before a stop would be answered by nobody."""
    waiting: SimpleQueue[_Writing[Any] | None] = SimpleQueue()
    for one in (_Writing(lambda store: None), None):
        waiting.put(one)
    batch = next_batch(waiting, 5, 5.0)
    assert batch is not None
    assert len(batch) == 1
    assert next_batch(waiting, 1, 5.0) is None
