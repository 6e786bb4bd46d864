"""Group commit: the writings of many recorders share a sync.

A disk takes as long to make one event durable as a hundred of them. So one thread writes for all: it takes whatever waits, each
writing a part of its own, commits once, and answers after that. What is refused leaves nothing and harms nobody; if the commit
fails, all of it fails, also what was refused, for a refusal may have spoken of what was not kept.

Whoever was just answered is likely to write again at once. So the thread waits an eighth of the time of a commit for as many
writings as it answered last, and no longer.
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
"""So many writings are committed together, so that the first of them does not wait for ever."""
SHARE_WAITED = 1 / 8
"""How long the next commit waits for those who were just answered, as a share of the last one."""


class _Writing(Generic[T]):
    """What somebody wants to write, and where the answer goes."""

    __slots__ = ("answer", "books", "result", "work", "wrong")

    def __init__(self, work: Callable[[Store], T]) -> None:
        self.work = work
        self.answer: Future[T] = Future()
        self.result: T | None = None
        self.wrong: Exception | None = None
        # The books whose heads are to be signed since this was written.
        self.books: list[str] = []

    def run(self, store: Store) -> None:
        """Write it into the commit that is open. TryAgainError if the whole of it has to be done once more."""
        self.result, self.wrong = None, None
        try:
            self.result = self.work(store)
        except TryAgainError:
            raise
        except Exception as error:
            self.wrong = error

    def tell(self) -> None:
        """The commit is durable: what became of it."""
        if self.wrong is not None:
            self.answer.set_exception(self.wrong)
        else:
            self.answer.set_result(cast(T, self.result))


class GroupCommit:
    """One thread that writes into the store which `open_store` opens; any thread may hand it something to write.

    Raises what `open_store` raises. Close it, or use it as a context manager; the store is closed with it.
    """

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
        """Hand over one writing: an append, a new match. The future has its answer once it is durable.

        What `work` raises is the answer too, and `StoreError` if the commit fails. It runs in the thread that writes, together
        with others: it should do nothing but write. UsageError after `close`.
        """
        writing = _Writing(work)
        with self._closing:
            if self._closed:
                raise UsageError("nothing more is written: the store was closed", todo="Open it again")
            self._waiting.put(writing)
        return writing.answer

    def append(self, match: str, drafts: Sequence[Recorded], *, expect: int | None = None, key: str = "") -> Future[Appended]:
        """Add events to the end of a match (see `Store.append`)."""
        return self.submit(lambda store: store.append(match, drafts, expect=expect, key=key))

    def close(self) -> None:
        """Write what was handed over, answer it, and close the store. Closing twice does no harm."""
        with self._closing:
            if not self._closed:
                self._closed = True
                self._waiting.put(None)
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    # The thread that writes

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
    """What is to be committed together: all that waits, and for so many seconds as much as was `answered` last. None once all is
    written; a None in the queue says so."""
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
    """Write all of it in one commit, and answer once that is durable."""
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
                # What was written stands; that its head is not signed is for those to know who ended a match.
                writing.wrong = error
        writing.tell()


def _write_together(store: Store, batch: Sequence[_Writing[Any]], attempt: int = 1) -> None:
    """Write all of it in one commit; once more from the beginning if others were let go first."""
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


__all__ = ["GroupCommit"]
