"""The store: the logs of many matches. It assigns positions, and decides what may be appended.

A writer names the last event it has seen. If another writer was faster, nothing is written and the writer gets the
events it missed. A submission key makes retries harmless, for ever. An append that has returned is durable.

Every event has its leaf in the tree of its book (records/hashes.py); records/proof/signing.py signs the heads of the
trees. Tables and durability are up to a `Backend`: records/sqlite keeps them in one file, in which every write runs
under one lock.

A `Store` belongs to the thread that opened it; programs and threads that share a file open one each.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from time import sleep
from types import TracebackType
from typing import TYPE_CHECKING, Self

from msgspec import structs

from events.canon import encode_bodies, encode_body
from events.errors import ConflictError, StoreError, UsageError
from events.limits import MAX_EVENTS
from events.model import Facts, Open, Recorded
from events.versions import record_version
from records import sealing
from records.backend import Backend, Writer
from records.errors import SealedError, StaleWriterError
from records.inserting import agree, check_whole, conflict_error, insert, insert_whole, too_long
from records.names import FAR, check_id, check_names, cut_short, new_match_id
from records.postgres.address import address_of, is_address
from records.reading import events_of, no_match
from records.register import REGISTER
from records.retries import retried
from records.rows import HOME, Adopted, Appended, KeyEntry
from records.sealed_codec import Sealed
from records.store_reader import StoreReader
from records.submissions import current_fingerprint, known_under, note_keys, submission_fingerprint

if TYPE_CHECKING:
    from records.proof.checkpoints import Checkpoint

AT_ONCE = 200
"""Matches sealed in one commit."""


def default_path() -> Path:
    """The default path of the store."""
    from platformdirs import user_data_path

    return user_data_path("kibitz", appauthor=False) / "kibitz.db"


def companion_path(place: str | os.PathLike[str]) -> Path:
    """The path whose name the companion files begin with: the store itself, or one in the user's data folder for an
    address."""
    return address_of(str(place)).beside if is_address(place) else Path(place)


class Store(StoreReader):
    """An open store. Made by `Store.open`; close it, or use it as a context manager.

    `clock` gives the time with which events are stamped; `path` names the files beside it (see `StoreReader`).
    """

    def __init__(self, backend: Backend, path: Path, *, clock: Callable[[], datetime]) -> None:
        super().__init__(backend, path)
        self._clock = clock
        self._together: Writer | None = None
        self._to_sign: dict[str, None] = {}

    # Opening and closing

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str] | None = None,
        *,
        write: bool = True,
        create: bool = True,
        timeout: float = 5.0,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> Self:
        """Open the store in the file at `path`, by default at `default_path()`.

        `postgresql://…` names a store in a database (`records.postgres`); its local files, such as its key, are in
        the user's data folder. With `write` and `create` a missing store is created. Without `write` it is read-only.
        `timeout` is how many seconds to wait for other programs; `clock` gives the time with which events are
        stamped. A store of an earlier version is upgraded, also when opened for reading.

        `warnings` of the store lists doubts: a network file system, a copy that lacks its end (such a copy is
        read-only until `kibitz db check --accept`). NotFoundError if there is no store and none may be created;
        StoreError if the file cannot be used.
        """
        from records.sqlite.opening import open_file

        if is_address(path):
            from records.postgres.opening import open_database

            address = address_of(str(path))
            database = open_database(address, write=write, create=create, timeout=timeout, now=lambda: _stamp(clock()))
            if write:
                address.beside.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            store = cls(database, address.beside, clock=clock)
            store.address = address.conninfo
            return store
        where = default_path() if path is None else Path(path)
        backend = open_file(
            where, write=write, create=create, make_parents=path is None, timeout=timeout, now=lambda: _stamp(clock()),
            examine=lambda backend: cls(backend, where, clock=clock).first_fault(),
        )  # fmt: skip
        return cls(backend, where, clock=clock)

    def close(self) -> None:
        """Close the store. Closing twice does no harm."""
        self.backend.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Writing

    @retried
    def create_match(
        self,
        facts: Facts,
        *,
        game: str,
        book: str = HOME,
        match: str | None = None,
        by: str = "@",
        time: str = "",
        recorder: str = "",
        text: str = "",
        key: str = "",
        in_parts: bool = False,
    ) -> str:
        """Open a new match and return its id.

        `facts` become the opening, event 0; `Game` and `Match` are added to them. Without `match` a new id is made. A
        missing book is created. `in_parts`: it can be shown in part (records/commitments.py). The same `key` again
        returns the match it opened the first time. ConflictError if the id is taken, or the key was used for another
        opening; UsageError for an invalid id, or for facts that name another game or match.
        """
        if match is not None:
            check_id(match)
        if book == REGISTER != game:
            raise UsageError("the players are kept in the book of this name", expected="another book for matches")
        for name, value in (("Game", game), ("Match", match)):
            if value is not None and facts.get(name, value) != value:
                raise UsageError(f"the facts say {name} {facts[name]!r}", expected=f"{value!r}")
        if match is None and "Match" in facts:
            match = check_id(str(facts["Match"]))
        with self._writing() as writer:
            writer.hold(book)
            if key and (known := writer.opened_with(key)):
                for old in known:
                    again = _opening(facts, game, old, by, time, recorder, text, key)
                    if (
                        match in (None, old)
                        and submission_fingerprint([again]) == current_fingerprint(writer, old, key, 0)
                    ):
                        return old
                raise ConflictError(
                    f"the submission key {cut_short(key)!r} was used to open match {known[0]} with other terms",
                    where=self.backend.place,
                    todo="Use a new key for a new match",
                )
            if match is None:
                match = new_match_id(game)
                while writer.end_of(match) is not None:
                    match = new_match_id(game)
            elif writer.end_of(match) is not None:
                raise self._taken(match)
            now = _stamp(self._clock())
            opening = _opening(facts, game, match, by, time or now, recorder, text, key)
            check_names([opening])
            bodies = [encode_body(opening)]
            insert_whole(writer, match, book, game, [opening], bodies, now, in_parts=in_parts)
            note_keys(writer, match, [opening], bodies, 0)
        return match

    @retried
    def append(self, match: str, drafts: Sequence[Recorded], *, expect: int | None = None, key: str = "") -> Appended:
        """Add events to the end of a match, all or none, durable on return.

        The store assigns the numbers; those in `drafts` are ignored. An empty `time` is set from the clock. `expect`
        is the number of the last event the writer has seen (0: only the opening); None: do not check. `key` is the
        submission key of the whole append, by default the key that the drafts have.

        StaleWriterError (with `unseen`) if there are later events. ConflictError if the key was used for other
        events; the same key with the same events (times are ignored) returns the first answer again. SealedError if
        the match is sealed; UnreadableError if a draft is not a valid event.
        """
        if not drafts:
            raise UsageError("there is nothing to append", expected="at least one event")
        own = {draft.key for draft in drafts}
        key = key or (own.pop() if len(own) == 1 else "")
        if own - {key, ""}:
            raise UsageError("the events of one append carry different submission keys", expected="one key for all")
        now = _stamp(self._clock())
        # Checked with a large number: a later position must not push an event over the size limit.
        ready = [
            structs.replace(draft, n=FAR, v=record_version(draft.event), key=key, time=draft.time or now)
            for draft in drafts
        ]
        bodies = encode_bodies(ready)
        check_names(ready)
        said = submission_fingerprint(ready, bodies) if key else ""
        with self._writing() as writer:
            tail = writer.tail(match, key)
            if tail is None:
                raise no_match(writer, match)
            last = tail.entry.last
            if key and (known := known_under(writer, tail, key)) is not None:
                if known.fingerprint == said or current_fingerprint(writer, match, key, known.first) == said:
                    return Appended(known.first, known.last, repeated=True)
                raise ConflictError(
                    f"the submission key {cut_short(key)!r} was used for {_span(known.first, known.last)}, "
                    "which says something else",
                    where=f"match {match}",
                    todo="Use a new key for new events",
                )
            if tail.entry.is_sealed:
                raise SealedError(match)
            if expect is not None and expect != last:
                unseen = events_of(writer, match, after=expect)
                if self.register.hides:
                    unseen = [
                        r for r in self.register.shown(match, tail.entry.book, events_of(writer, match)) if r.n > expect
                    ]
                raise StaleWriterError(match, expect, last, unseen)
            first, last = last + 1, last + len(ready)
            if last > MAX_EVENTS:
                raise too_long(match, last)
            insert(writer, tail, ready, bodies, now, KeyEntry(match, key, said, first, last) if key else None)
        return Appended(first, last)

    @retried
    def import_match(
        self, match: str, records: Sequence[Recorded], *, game: str, book: str = HOME, fresh: bool = False,
        sealed: bool = False, bodies: Sequence[bytes] | None = None, in_parts: bool = False,
    ) -> Adopted:  # fmt: skip
        """Import a whole match as it was recorded elsewhere: opening first, numbers 0, 1, 2 …

        Time, recorder and key stay as they are, even if empty. If the store has the match already (it stays in its
        book), one of the two must be a prefix of the other, and new events are appended. An empty time, recorder or
        key in `records` contradicts nothing. With `sealed` the match is sealed at once, whether it is over or not.
        `bodies` are the results of `encode_body` for the records, if the caller has them. `in_parts`: if it is new, it
        can be shown in part.

        ConflictError names the first event that differs, with both versions; with `fresh`, it is raised if the match
        exists at all. SealedError if events are new and the match is sealed. Nothing is written then.
        """
        check_id(match)
        check_whole(records)
        bodies = encode_bodies(records) if bodies is None else bodies
        with self._writing() as writer:
            now = _stamp(self._clock())
            tail = writer.tail(match)
            if tail is None:
                if not fresh:  # a variation adds no new names
                    check_names(records)
                insert_whole(writer, match, book, game, records, bodies, now, sealed=sealed, in_parts=in_parts)
                if not sealed:
                    note_keys(writer, match, records, bodies, 0)
                elif records[0].key:
                    note_keys(writer, match, records, bodies, 0, only=records[0].key)
                return Adopted("new", len(records))
            if fresh:
                raise self._taken(match)
            stored = events_of(writer, match)
            for ours, theirs in zip(stored, records, strict=False):
                if not agree(ours, theirs):
                    raise conflict_error(match, ours, theirs)
            new = records[len(stored) :]
            check_names(new)
            if new:
                if tail.entry.is_sealed:
                    raise SealedError(match)
                insert(writer, tail, new, bodies[len(stored) :], now)
                note_keys(writer, match, [*stored, *new], [*encode_bodies(stored), *bodies[len(stored) :]], len(stored))
            if sealed and (tail := writer.tail(match)) is not None:
                sealing.seal_rows(writer, tail.entry)
        return Adopted("appended" if new else "same", len(new))

    def _taken(self, match: str) -> ConflictError:
        return ConflictError(f"there is a match {match} already", where=self.backend.place, todo="Choose another id")

    @retried
    def set_over(self, match: str, over: bool) -> None:
        """Set whether the match is over. The store cannot tell by itself: that is a question of the rules.

        At the end of a match the head of its book is signed (see `sign`). Within `together` that happens when the
        block ends. StoreError if the head does not extend the last signed one, or the key cannot be used; the match
        is marked all the same.
        """
        with self._writing() as writer:
            tail = writer.tail(match)
            if tail is None:
                raise no_match(writer, match)
            writer.update_match(structs.replace(tail.entry, is_over=int(over)))
        if over and self._together is not None:
            self._to_sign[tail.entry.book] = None
        elif over:
            self.sign(tail.entry.book)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Commit everything written inside at once: complete and durable when the block ends, and not before.

        A write that is refused inside leaves nothing behind and does not affect the rest. After a database error, or
        if the block is left with an error, nothing is written. The lock is held throughout.
        """
        with self.unsigned() as books:
            yield
        for book in books:
            self.sign(book)

    @contextmanager
    def unsigned(self) -> Iterator[dict[str, None]]:
        """`together` without signing: yields the books whose heads the caller must sign afterwards, in order."""
        if self._together is not None:
            raise UsageError("one commit cannot hold another", where=self.backend.place)
        self._to_sign = {}
        with self.backend.transaction() as self._together:
            try:
                yield self._to_sign
            finally:
                self._together = None
                self._to_sign = {}

    @property
    def alone(self) -> bool:
        """True if each write is a commit of its own now."""
        return self._together is None

    def turn(self) -> AbstractContextManager[None]:
        """`together`, unless already within it: there is no other writer inside."""
        return self.together() if self._together is None else nullcontext()

    def _writing(self) -> AbstractContextManager[Writer]:
        """A transaction of its own, or a savepoint in the larger commit."""
        return self.backend.transaction() if self._together is None else self._together.part()

    # Sealing

    @retried
    def seal(self, match: str, *, unfinished: bool = False) -> Sealed:
        """Put a finished match into one row (see `records.sealing.seal`)."""
        with self._writing() as writer:
            return sealing.seal(writer, match, unfinished=unfinished)

    def seal_all(self, matches: Iterable[str], *, unfinished: bool = False) -> Iterator[Sealed]:
        """Seal many matches, `AT_ONCE` a commit. Each is durable when yielded. Raises as `seal`; earlier commits
        stay."""
        waiting = iter(matches)
        while True:
            done: list[Sealed] = []
            wrong: Exception | None = None
            with self.together():
                for match in waiting:
                    try:
                        done.append(self.seal(match, unfinished=unfinished))
                    except (UsageError, StoreError) as error:
                        wrong = error
                        break
                    if len(done) == AT_ONCE:
                        break
            yield from done
            if wrong is not None:
                raise wrong
            if len(done) < AT_ONCE:
                return
            sleep(0.01)  # waiting programs poll every few milliseconds, and should find the lock free

    @retried
    def unseal(self, match: str) -> int:
        """Turn a sealed match into rows again (see `records.sealing.unseal`)."""
        with self._writing() as writer:
            return sealing.unseal(writer, match)

    @retried
    def erase(self, match: str) -> int:
        """Take away the names and remarks of a match that are not shown any more (see `records.forgetting`)."""
        from records.forgetting import erase

        shown = self.told(match)
        with self._writing() as writer:
            return erase(writer, match, shown)

    def compact(self) -> tuple[int, int]:
        """Return free space to the disk. Returns the size of the store in bytes before and after."""
        return self.backend.compact()

    @retried
    def sign(self, book: str) -> Checkpoint:
        """Sign the head of a book (see `records.proof.signing.sign`)."""
        from records.proof.signing import sign

        with self._writing() as writer:
            return sign(writer, self.path, book, self.warnings)


def _stamp(moment: datetime) -> str:
    """A time as it is written: UTC, milliseconds, `Z`."""
    if moment.tzinfo is not UTC:
        moment = moment.astimezone(UTC)
    return moment.isoformat(timespec="milliseconds")[:23] + "Z"


def _opening(facts: Facts, game: str, match: str, by: str, time: str, recorder: str, text: str, key: str) -> Recorded:
    opening = Open(by=by, facts={"Game": game, "Match": match, **facts})
    return Recorded(n=0, event=opening, v=record_version(opening), time=time, recorder=recorder, text=text, key=key)


def _span(first: int, last: int) -> str:
    return f"event {first}" if first == last else f"events {first} to {last}"
