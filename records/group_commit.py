"""Group commit: the writes of many recorders share an fsync.

A disk takes as long to make one event durable as a hundred. So one thread writes for all clients: it takes all
waiting writes, runs each in a savepoint, commits once, and then answers. A refused write changes nothing and does not
affect the others. If the commit fails, all writes of the batch fail, refused ones too: a refusal may depend on an
event that was not kept.

A client that was just answered is likely to write again at once. So the thread waits, at most an eighth of a commit's
duration, for as many writes as it last answered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import perf_counter
from types import TracebackType
from typing import Any, Generic, Self, TypeVar, cast

from events.errors import UsageError
from events.model import Recorded
from records.errors import TryAgainError
from records.retries import ATTEMPTS, pause
from records.rows import Appended
from records.store import Store

T = TypeVar("T")

AT_MOST = 512
"""Most writes in one commit, so that the first of them does not wait too long."""
SHARE_WAITED = 1 / 8
"""How long the next commit waits for clients just answered, as a share of the last commit's duration."""


class _Writing(Generic[T]):
    """A pending write, and the future for its answer."""

    __slots__ = ("answer", "books", "result", "work", "wrong")

    def __init__(self, work: Callable[[Store], T]) -> None:
        self.work = work
        self.answer: Future[T] = Future()
        self.result: T | None = None
        self.wrong: Exception | None = None
        # Books whose heads must be signed after the commit.
        self.books: list[str] = []

    def run(self, store: Store) -> None:
        """Run the write in the open commit. TryAgainError if the whole batch must be repeated."""
        self.result, self.wrong = None, None
        try:
            self.result = self.work(store)
        except TryAgainError:
            raise
        except Exception as error:
            self.wrong = error

    def tell(self) -> None:
        """Answer after the commit: with the result, or the error that refused the write."""
        if self.wrong is not None:
            self.answer.set_exception(self.wrong)
        else:
            self.answer.set_result(cast(T, self.result))


class GroupCommit:
    """One thread that writes to the store opened by `open_store`; any thread may submit writes.

    Raises what `open_store` raises. Close it, or use it as a context manager; the store is closed with it."""

    def __init__(self, open_store: Callable[[], Store]) -> None:
        self._open_store = open_store
        self._waiting: SimpleQueue[_Writing[Any] | None] = SimpleQueue()
        self._closing = Lock()
        self._closed = False
        opened: Future[None] = Future()
        self._thread = Thread(target=self._write, args=(opened,), name="kibitz-writer", daemon=True)
        self._thread.start()
        opened.result()

    def submit(self, work: Callable[[Store], T]) -> Future[T]:
        """Submit one write, such as an append or a new match. The future has its result once it is durable.

        It has the exception if `work` raises one, and StoreError if the commit fails. `work` runs in the writer
        thread, in one transaction with others: it must do nothing but write. UsageError after `close`."""
        writing = _Writing(work)
        with self._closing:
            if self._closed:
                raise UsageError("nothing more is written: the store was closed", todo="Open it again")
            self._waiting.put(writing)
        return writing.answer

    def append(
        self, match: str, drafts: Sequence[Recorded], *, expect: int | None = None, key: str = "",
    ) -> Future[Appended]:
        """Add events to the end of a match (see `Store.append`)."""
        return self.submit(lambda store: store.append(match, drafts, expect=expect, key=key))

    def close(self) -> None:
        """Finish and answer the submitted writes, then close the store. Closing twice does no harm."""
        with self._closing:
            if not self._closed:
                self._closed = True
                self._waiting.put(None)
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None,
    ) -> None:
        self.close()

    # The writer thread

    def _write(self, opened: Future[None]) -> None:
        try:
            store = self._open_store()
        except BaseException as error:
            opened.set_exception(error)
            return
        opened.set_result(None)
        answered, took = 0, 0.0
        with store:
            while (batch := next_batch(self._waiting, answered, took * SHARE_WAITED)) is not None:
                begun = perf_counter()
                commit(store, batch)
                answered, took = len(batch), perf_counter() - begun


def next_batch(waiting: SimpleQueue[_Writing[Any] | None], answered: int, wait: float) -> list[_Writing[Any]] | None:
    """The next batch: all waiting writes. While it has fewer than `answered`, wait up to `wait` seconds for more.

    None once a None in the queue marks the end."""
    first = waiting.get()
    if first is None:
        return None
    batch = [first]
    until = perf_counter() + wait
    while len(batch) < AT_MOST:
        try:
            left = until - perf_counter() if len(batch) < answered else 0.0
            more = waiting.get(timeout=left) if left > 0 else waiting.get_nowait()
        except Empty:
            break
        if more is None:
            waiting.put(None)
            break
        batch.append(more)
    return batch


def commit(store: Store, batch: Sequence[_Writing[Any]]) -> None:
    """Write a batch in one commit, then answer each write."""
    try:
        _write_together(store, batch)
    except Exception as error:
        for writing in batch:
            writing.answer.set_exception(error)
        return
    for writing in batch:
        for book in writing.books:
            try:
                store.sign(book)
            except Exception as error:
                # The events are durable; only the client that ended a match learns that its head is not signed.
                writing.wrong = error
        writing.tell()


def _write_together(store: Store, batch: Sequence[_Writing[Any]], attempt: int = 1) -> None:
    """Write a batch in one commit; repeat it if the database rolled it back for a concurrent writer."""
    try:
        with store.unsigned() as books:
            for writing in batch:
                before = set(books)
                writing.run(store)
                writing.books = [book for book in books if book not in before]
    except TryAgainError:
        if attempt == ATTEMPTS:
            raise
        pause(attempt)
        _write_together(store, batch, attempt + 1)
