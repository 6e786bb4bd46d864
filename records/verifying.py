"""Is a book still what was written? If not: what was done to it, and where.

Three things are compared: every event with its leaf, every leaf with the one before it in its match, and the tree of
all leaves with every checkpoint there is (in the store, in the file beside it, and one that somebody brings along).
Positions are those of the book.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, structs

from events.errors import KibitzError, NotFoundError, StoreError, UnreadableError, UsageError
from events.model import Open
from records import verify_bundle
from records.archive import leaves_in, lines_of, sealed_rows
from records.attest import checkpoints_of, genuine, head_of, public_keys, signed_file
from records.chain import NO_PREVIOUS, leaf_hash, row_digest
from records.faults import translated_errors
from records.foreign import foreign_in
from records.merkle import TILE, Tree
from records.notes import Checkpoint, read_checkpoint
from records.schema import DIGESTED
from records.signers import Fork, Signed, Signer, forks, named, signer_of, signers
from records.verify_bundle import LARGEST

if TYPE_CHECKING:
    from records.store import Store

Kind = Literal["edited", "deleted", "inserted", "swapped", "cut", "forked", "foreign", "damaged"]


class Change(Struct, frozen=True):
    """Something that is not as it was written. `first` and `last` are positions in the book, 0 where there is none."""

    kind: Kind
    text: str
    first: int = 0
    last: int = 0
    match: str = ""


class Verified(Struct, frozen=True):
    """What a verification found; nothing, if `found` is empty.

    `size` events were there, `root` (hexadecimal) is the root over them, `signed` the largest size that a genuine
    checkpoint covers, `checkpoints` how many checkpoints agreed. `signers` are those who signed these checkpoints, the
    one of the longest first; with a key given it is that key alone. `forks` are the breaks recorded beside the store.
    """

    book: str
    size: int
    root: str
    signed: int
    checkpoints: int
    found: list[Change]
    signers: list[Signed] = []
    forks: list[Fork] = []


class _Entry(Struct):
    """A row of `events`: its place, what it says, and its two hashes. Texts are bytes."""

    pos: int
    match: bytes
    n: int
    said: tuple[bytes, int, bytes, bytes, bytes, bytes]
    """type, version, time, recorder, key, payload"""
    prev: bytes
    leaf: bytes
    sound: bool


def verify_book(
    store: Store, book: str, against: Checkpoint | None = None, keys: Sequence[bytes] = (), *, remembered: bool = True
) -> Verified:
    """Verify a book of the store, also against a checkpoint from elsewhere.

    `keys` are public keys known from elsewhere: then what they signed counts and nothing else, whatever the store says
    of its keys. Without `remembered` the checkpoint beside the store is left out.

    NotFoundError if there is no such book; UsageError if the checkpoint is of another book; UnreadableError if no
    known key signed it: then it proves nothing.
    """
    # Read first: whatever it covers was in the store by then, and others may go on appending and signing.
    beside, odd = _beside(store, book) if remembered else ([], [])
    with store._moment():
        return _verified(store, book, against, keys, beside, odd)


def _verified(
    store: Store, book: str, against: Checkpoint | None, keys: Sequence[bytes], beside: list[Checkpoint],
    odd: list[Change],
) -> Verified:  # fmt: skip
    head = head_of(store, book)
    entries = _entries(store, book)
    unreadable = _add_sealed(store, book, entries)
    publics = public_keys(store)
    if against is not None:
        _check_given(against, book, keys, publics)
    walk = _Walk(book.encode(), entries, head)
    found = [c for c in walk.changes() if not any(_explains(u, c) for u in unreadable)] + unreadable
    # Events taken out or put in leave submission keys that fit nothing; that is then no news.
    found += [c for c in _other_rows(store, book) if not (c.first and found)]
    found += [] if found else _listed(store, book, entries)
    found += _unsaid(entries, found)
    tree = Tree([e.leaf for e in entries])
    found += _tiles(store, book, tree)
    known = [("the checkpoint given", against)] if against is not None else []
    known += [("the checkpoint beside the store", one) for one in beside]
    kept, changed = _kept(store, book, publics)
    there = {one.note for _, one in known}
    known += [("a checkpoint of the store", one) for one in kept if one.note not in there]
    counted = list(keys or publics)
    own = [(name, one) for name, one in known if not keys or genuine(one, keys, book) or not genuine(one, publics, book)]
    signed, agreed, more = _compare(tree, walk.end, found, own, counted, book)
    first, broken, unread = _remembered(store, book)
    foreign = _foreign(book, known, keys, publics, [bytes.fromhex(one.signer) for one in first])
    who = _signers(tree, book, own, keys, publics, first)
    found = _sorted(found + odd + changed + more + foreign + unread)
    return Verified(book, len(entries), tree.root().hex(), signed, agreed, found, who, broken)


def _check_given(against: Checkpoint, book: str, keys: Sequence[bytes], publics: Sequence[bytes]) -> None:
    """Refuse a checkpoint from elsewhere that says nothing about this book."""
    if against.book != book:
        raise UsageError(f"this checkpoint is of book {against.book[:80]!r}", expected=f"one of book {book!r}")
    if keys and not genuine(against, keys, book):
        raise UnreadableError("the checkpoint is not signed with the key given, so it proves nothing", where=against.origin)
    if not keys and not genuine(against, publics, book):
        raise UnreadableError(
            "the checkpoint is not signed with a key of this store, so it proves nothing",
            where=against.origin,
            todo="If the store has a new key, name the public key that you were given (--key)",
        )


def _remembered(store: Store, book: str) -> tuple[list[Signer], list[Fork], list[Change]]:
    """The signers and the forks of the book that are remembered beside the store, and what is wrong with these files."""
    # Read last: a signer is remembered before the store says what it signed.
    known: list[Signer] = []
    broken: list[Fork] = []
    odd: list[Change] = []
    try:
        known = signers(store.path)
        broken = [one for one in forks(store.path) if one.book == book]
    except StoreError as error:
        odd.append(Change("damaged", f"{error.what} ({error.where})"))
    return known, broken, odd


def _foreign(
    book: str, known: list[tuple[str, Checkpoint]], keys: Sequence[bytes], publics: Sequence[bytes], remembered: list[bytes]
) -> list[Change]:
    """What is signed by somebody else than the key given, or without one than the keys remembered beside the store."""
    trusted = list(keys or remembered)
    if not trusted:
        return []
    own = max((one.size for _, one in known if genuine(one, trusted, book)), default=0)
    others: dict[bytes, int] = {}
    for _, one in known:
        public = signer_of(one, publics, book)
        if public is not None and public not in trusted:
            others[public] = max(others.get(public, 0), one.size)
    who = "the key given" if keys else f"the one remembered beside the store ({named(remembered[0], book)})"
    found = [
        Change("foreign", f"what is signed up to event {size} is signed by {named(public, book)}, not by {who}", min(own + 1, size), size)
        for public, size in sorted(others.items())
        if not keys or size > own
    ]
    if keys and not own:
        found.append(Change("foreign", "nothing in this book is signed with the key given"))
    return found


def _signers(
    tree: Tree, book: str, known: list[tuple[str, Checkpoint]], keys: Sequence[bytes], publics: Sequence[bytes],
    remembered: list[Signer],
) -> list[Signed]:  # fmt: skip
    """Who signed what agrees with the tree, the longest first."""
    sizes: dict[bytes, int] = {}
    for _, one in known:
        public = signer_of(one, keys or publics, book)
        if public is not None and one.size <= len(tree) and tree.root(one.size) == one.root:
            sizes[public] = max(sizes.get(public, 0), one.size)
    beside = {one.signer for one in remembered}
    return [
        Signed(named(public, book), size, "given" if keys else "remembered" if public.hex() in beside else "file")
        for public, size in sorted(sizes.items(), key=lambda pair: (-pair[1], pair[0]))
    ]


def _beside(store: Store, book: str) -> tuple[list[Checkpoint], list[Change]]:
    """The checkpoint in the file beside the store, or what is wrong with that file."""
    try:
        note = signed_file(store).get(book)
        return ([read_checkpoint(note)[0]] if note else []), []
    except KibitzError as error:
        return [], [Change("damaged", f"the checkpoint beside the store cannot be read ({error.what})")]


def verify_store(store: Store) -> list[Change]:
    """What is wrong with the file itself: pages, indexes, references between tables, and what is not Kibitz's."""
    with translated_errors(store.path):
        foreign = [Change("inserted", one.text) for one in foreign_in(store._conn)]
    return [Change("damaged", text) for text in store.structure_faults()] + foreign


def _entries(store: Store, book: str) -> list[_Entry]:
    texts = ["type", "match", "time", "recorder", "key", "payload"]
    sound = " AND ".join(
        [f"typeof({c}) = 'text'" for c in ("book", *texts)]
        + [f"typeof({c}) = 'integer'" for c in ("pos", "n", "version")]
        + [f"typeof({c}) = 'blob' AND length({c}) = 32" for c in ("prev", "leaf")]
    )
    rows = store._conn.execute(
        "SELECT pos, CAST(match AS BLOB), n, CAST(type AS BLOB), version, CAST(time AS BLOB), CAST(recorder AS BLOB),"
        f" CAST(key AS BLOB), CAST(payload AS BLOB), CAST(prev AS BLOB), CAST(leaf AS BLOB), {sound}"
        " FROM events WHERE book = ? ORDER BY pos",
        (book,),
    )
    return [
        _Entry(_int(pos), match, _int(n), (type_, _int(version), time, recorder, key, payload), prev, leaf, bool(ok))
        for pos, match, n, type_, version, time, recorder, key, payload, prev, leaf, ok in rows
    ]


def _add_sealed(store: Store, book: str, entries: list[_Entry]) -> list[Change]:
    """The events of sealed matches among the others; what is wrong with those that cannot be had, or were changed."""
    found: list[Change] = []
    open_ = {e.match for e in entries}
    before = len(entries)
    for row in sealed_rows(store._conn, book, -(2**62)):
        first, last, match = _int(row.first_pos), _int(row.last_pos), str(row.match)
        if match.encode() in open_:
            found.append(Change("inserted", f"match {match:.80} is there twice, sealed and not", first, last, match))
            continue
        try:
            lines = lines_of(row)
            leaves = leaves_in(row, lines)
        except (KibitzError, UnicodeError) as error:
            what = error.what if isinstance(error, KibitzError) else "its name is no text"
            text = f"the sealed match {match:.80} (events {first} to {last}) is not the one that was written: {what}"
            found.append(Change("edited", text, first, last, match))
            continue
        if lines[0].key and not store._conn.execute(
            "SELECT 1 FROM keys WHERE match = ? AND key = ? AND first = 0", (match, lines[0].key)
        ).fetchone():
            text = f"the submission key of event {first} (match {match}) is missing"
            found.append(Change("deleted", text, first, first, match))
        name = match.encode()
        for line, prev, leaf in zip(lines, [NO_PREVIOUS, *leaves], leaves, strict=False):
            said = (
                line.type.encode(), line.version, line.time.encode(), line.recorder.encode(), line.key.encode(), line.payload,
            )  # fmt: skip
            entries.append(_Entry(line.pos, name, line.n, said, prev, leaf, True))
    if len(entries) > before:
        entries.sort(key=lambda e: e.pos)
    return found


def _explains(sealed: Change, other: Change) -> bool:
    """Whether events are missing because the sealed match they are in cannot be had."""
    return sealed.kind == "edited" and other.kind in ("deleted", "cut") and (
        (sealed.first <= other.last and other.first <= sealed.last) or not 0 < sealed.first <= sealed.last
    )


def _unsaid(entries: list[_Entry], found: list[Change]) -> list[Change]:
    """Events that are hashed as they should be, but do not say what stands beside them: the verifier of bundles refuses them."""
    told = {c.first for c in found}
    return [
        Change("edited", f"event {e.pos} (match {_text(e.match)}, event {e.n}) does not say what stands beside it", e.pos, e.pos, _text(e.match))
        for e in entries
        if e.pos not in told and not (_says(e.said[5], e.said[0], e.n == 0) and max(e.pos, e.said[1]) <= LARGEST)
    ]


@lru_cache(maxsize=50_000)  # most of what matches say has been said
def _says(payload: bytes, kind: bytes, opens: bool) -> bool:
    try:
        verify_bundle.said(payload.decode(), kind.decode(), 0 if opens else 1)
    except (verify_bundle.Refused, ValueError, RecursionError):
        return False
    return True


def _tiles(store: Store, book: str, tree: Tree) -> list[Change]:
    """What was kept of the tree, where it is not that of the events."""
    found = []
    for number, root in store._conn.execute("SELECT number, root FROM tiles WHERE book = ? ORDER BY number", (book,)):
        first = _int(number) * TILE
        if first < 0 or first + TILE > len(tree) or tree.subtree(first, TILE.bit_length() - 1) != root:
            text = f"events {first + 1} to {first + TILE} are not those whose root was kept"
            found.append(Change("edited", text))
    return found


def _int(value: object) -> int:
    return value if isinstance(value, int) else -1


class _Walk:
    """One walk over the events of a book that notes what does not fit."""

    def __init__(self, book: bytes, entries: list[_Entry], head: int) -> None:
        self.book, self.entries, self.head = book, entries, head
        self.found: list[Change] = []
        self.told: set[int] = set()  # positions about which something was said
        self.moved: dict[int, int] = {}  # position -> where the event stood when it was written
        self.unknown: list[_Entry] = []  # events that fit nowhere
        self.end = 0  # the last position that was written, as far as the events themselves tell
        self.tries = 100_000

    def leaf(self, e: _Entry, pos: int, n: int, prev: bytes, match: bytes | None = None) -> bytes:
        try:
            type_, version, time, recorder, key, payload = e.said
            return leaf_hash(
                self.book, pos, e.match if match is None else match, n, type_, version, time, recorder, key, prev, payload
            )
        except struct.error:
            return b""

    def changes(self) -> list[Change]:
        bad = [e for e in self.entries if not e.sound or self.leaf(e, e.pos, e.n, e.prev) != e.leaf]
        left = self._swapped(bad)
        left = self._moved(left)
        self._swapped_places()
        self.unknown = [e for e in left if e.pos not in self.told]
        self._holes()
        self._chains({e.pos for e in left})
        for e in left:
            if e.pos not in self.told:
                self._say("edited", e, "is not the one that was written")
        return self.found

    def _say(self, kind: Kind, e: _Entry, what: str) -> None:
        self.told.add(e.pos)
        self.found.append(Change(kind, f"{self._name(e)} {what}", e.pos, e.pos, _text(e.match)))

    def _name(self, e: _Entry) -> str:
        return f"event {e.pos} (match {_text(e.match)}, event {e.n})"

    def _swapped(self, bad: list[_Entry]) -> list[_Entry]:
        """Pairs whose contents changed places; returns the rest."""
        left = list(bad)
        if len(bad) > 60:
            return left
        for i, a in enumerate(bad):
            for b in bad[i + 1 :]:
                if a in left and b in left and self._stood_at(a, b) and self._stood_at(b, a):
                    left = [e for e in left if e is not a and e is not b]
                    self._say_swapped(a, b)
        return left

    def _stood_at(self, a: _Entry, b: _Entry) -> bool:
        """Whether what `a` says, with or without time and recorder, was written at the place of `b`."""
        alone = structs.replace(a, said=(*a.said[:2], *b.said[2:5], a.said[5]))
        return any(
            self.leaf(e, b.pos, b.n, prev, b.match) in (a.leaf, b.leaf) for prev in {a.prev, b.prev} for e in (a, alone)
        )

    def _say_swapped(self, a: _Entry, b: _Entry) -> None:
        self.told |= {a.pos, b.pos}
        text = f"{self._name(a)} and {self._name(b)} have changed places"
        self.found.append(Change("swapped", text, a.pos, b.pos, _text(a.match)))

    def _moved(self, bad: list[_Entry]) -> list[_Entry]:
        """Events that are whole but were given other numbers, as where others were taken out or put in before."""
        last = {b"": (0, 0)}
        left = []
        for e in bad:
            guess = [last.get(e.match, last[b""]), *((d, last.get(e.match, (0, 0))[1]) for d in (last[b""][0],))]
            shift = next((s for s in guess if self._fits(e, *s)), None) or self._search(e)
            if shift is None:
                left.append(e)
            else:
                last[e.match] = last[b""] = shift
                self.moved[e.pos] = e.pos + shift[0]
        return left

    def _fits(self, e: _Entry, dp: int, dn: int) -> bool:
        # A number that is none stands nowhere, and was not only moved.
        return e.sound and (dp, dn) != (0, 0) and self.leaf(e, e.pos + dp, e.n + dn, e.prev) == e.leaf

    def _search(self, e: _Entry) -> tuple[int, int] | None:
        near = sorted(range(-24, 25), key=abs)
        for dp in near:
            for dn in near:
                self.tries -= 1
                if self.tries < 0:
                    return None
                if self._fits(e, dp, dn):
                    return dp, dn
        return None

    def _swapped_places(self) -> None:
        """Events that were renumbered into each other's place."""
        by_pos = {e.pos: e for e in self.entries}
        for pos, was in sorted(self.moved.items()):
            if pos < was and self.moved.get(was) == pos:
                self._say_swapped(by_pos[pos], by_pos[was])

    def was(self, e: _Entry) -> int:
        """Where the event stood when it was written, as far as that can be said."""
        return e.pos if e.pos in self.told else self.moved.get(e.pos, e.pos)

    def _holes(self) -> None:
        """Positions that are missing, and events that were given the place of others."""
        renumbered = {self.was(e) for e in self.entries if e.pos in self.moved and e.pos not in self.told}
        expected, waiting = 1, 0  # the next position that was written; events since that say nothing about theirs
        strange: list[_Entry] = []
        unknown = {e.pos for e in self.unknown}
        for e in self.entries:
            if e.pos not in self.moved and e.pos in renumbered:
                self._say("inserted", e, "was put in")  # another event was written at this place
            elif e.pos in unknown:
                strange.append(e)
                waiting += 1
            else:
                was = self.was(e)
                missing = was - expected
                if missing > waiting:
                    self._gone(expected + waiting, was - 1)
                for x in strange[max(missing, 0) :]:
                    self._say("inserted", x, "was put in")
                expected, waiting, strange = was + 1, 0, []
        self.end = expected + waiting - 1
        last = self.entries[-1].pos if self.entries else 0
        if self.head > max(last, self.end):
            self._cut(max(last, self.end) + 1, self.head)
        for e in self.entries:
            if e.pos > self.head and e.pos not in self.told:
                self._say("inserted", e, f"stands behind the end of the book, which is {self.head}")

    def _gone(self, first: int, last: int) -> None:
        text = f"event {first} was taken out" if first == last else f"events {first} to {last} were taken out"
        self.found.append(Change("deleted", text, first, last))

    def _cut(self, first: int, last: int) -> None:
        text = f"the end is missing: event {first}" + (f" to {last}" if last > first else "")
        self.found.append(Change("cut", text, first, last))

    def _chains(self, bad: set[int]) -> None:
        """Follow every match from its opening on: each event names the leaf of the one before."""
        streams: dict[bytes, list[_Entry]] = {}
        for e in self.entries:
            streams.setdefault(e.match, []).append(e)
        for match, events in streams.items():
            events.sort(key=lambda e: e.n)
            tip, number = NO_PREVIOUS, 0
            before: _Entry | None = None
            for e in events:
                if e.pos in self.told and e.pos not in bad and not self._is_swapped(e):
                    continue  # put in: the next one follows what stood before it
                if e.prev != tip and e.pos not in self.told and not self._is_swapped(e) and not self._is_swapped(before):
                    self._broken(e, before, events, bad)
                elif e.n > number and e.pos not in self.moved and not self.found:
                    text = f"match {_text(match)} has no event {number}"
                    self.found.append(Change("deleted", text, e.pos, e.pos, _text(match)))
                tip, number, before = e.leaf, e.n + 1, e

    def _is_swapped(self, e: _Entry | None) -> bool:
        return e is not None and any(c.kind == "swapped" and e.pos in (c.first, c.last) for c in self.found)

    def _broken(self, e: _Entry, before: _Entry | None, events: list[_Entry], bad: set[int]) -> None:
        """`e` does not name the leaf of the event before it: something was done in between."""
        at = events.index(e)
        for back in range(at - 1, -2, -1):
            tip = events[back].leaf if back >= 0 else NO_PREVIOUS
            if tip == e.prev and back < at - 1:
                for x in events[back + 1 : at]:
                    if x.pos not in self.told:
                        self._say("inserted", x, "was put in; the event after it does not know it")
                return
        since = self.was(before) if before else 0
        if any(c.kind == "deleted" and since < c.last and c.first < self.was(e) for c in self.found):
            return  # what it names is among what was taken out
        if before is None or before.pos in self.told:
            self._say("edited", e, "does not follow the event before it")
        elif before.pos in bad:
            self._say("edited", before, "is not the one that was written")
        else:
            self._say("edited", before, "is not the one that the event after it was written behind")


def _other_rows(store: Store, book: str) -> list[Change]:
    """Rows beside the events: the book, its matches, their submission keys."""
    found = []
    where = {
        "books": "book = ?",
        "matches": "book = ?",
        "keys": "match IN (SELECT match FROM matches WHERE book = ?)",
    }
    with translated_errors(store.path):
        for table, columns in DIGESTED.items():
            rows = store._conn.execute(
                f"SELECT {', '.join(columns)}, digest FROM {table} WHERE {where[table]}", (book,)
            )
            for *values, digest in rows:
                if _digest_of(values) != digest:
                    what = {"books": "book", "matches": "match", "keys": "a submission key of match"}[table]
                    match = "" if table == "books" else str(values[0])
                    found.append(Change("edited", f"the entry of {what} {values[0]!s:.80} was changed", match=match))
        stray = store._conn.execute(
            "SELECT DISTINCT e.match FROM events e LEFT JOIN matches m ON m.match = e.match AND m.book = e.book"
            " WHERE e.book = ? AND m.match IS NULL"
            " UNION SELECT s.match FROM sealed s LEFT JOIN matches m ON m.match = s.match AND m.book = s.book"
            " WHERE s.book = ? AND m.match IS NULL", (book, book),
        ).fetchall()  # fmt: skip
        found += [
            Change("edited", f"match {m!s:.80} has events in this book, but is not listed in it", match=str(m))
            for (m,) in stray
        ]
        ends = store._conn.execute(
            "SELECT m.match, m.last, coalesce((SELECT max(n) FROM events e WHERE e.match = m.match), s.events - 1)"
            " FROM matches m LEFT JOIN sealed s ON s.match = m.match WHERE m.book = ?",
            (book,),
        ).fetchall()
        found += [
            Change("cut", f"match {m} ends at event {there}, its entry says {last}", match=m)
            for m, last, there in ends
            if there is None or (isinstance(last, int) and _int(there) < last)
        ]
        found += [
            Change("inserted", f"match {m} ends at event {there}, its entry says {last}", match=m)
            for m, last, there in ends
            if there is not None and isinstance(last, int) and _int(there) > last
        ]
        lost = store._conn.execute(
            "SELECT e.match, min(e.pos), e.key FROM events e LEFT JOIN keys k ON k.match = e.match AND k.key = e.key"
            " WHERE e.book = ? AND e.key <> '' AND (k.key IS NULL OR e.n < k.first OR e.n > k.last)"
            " GROUP BY e.match, e.key", (book,),
        ).fetchall()  # fmt: skip
        found += [
            Change("deleted", f"the submission key of event {pos} (match {m}) is missing", pos, pos, m)
            for m, pos, _ in lost
        ]
    return found


def _listed(store: Store, book: str, entries: list[_Entry]) -> list[Change]:
    """What the list of matches says and their openings do not. `entries` are as they were written."""
    rows = store._conn.execute(
        "SELECT match, game, created, parent, parent_n FROM matches WHERE book = ?", (book,)
    ).fetchall()
    from records.store import branches_off

    listed = {match.encode(): row for match, *row in rows if isinstance(match, str)}
    found = []
    for e in entries:
        if e.n or e.match not in listed or e.said[0] != b"open":
            continue
        (_, version, time, *_, payload), match = e.said, _text(e.match)
        try:
            opening = store._event(match, 0, version, time.decode(), "", "", payload)
        except (KibitzError, UnicodeError):
            continue  # it is as it was written, and of a newer Kibitz
        game, created, *parent = listed[e.match]
        facts = opening.event.facts if isinstance(opening.event, Open) else {}
        wrong = [
            what
            for what, said, shown in (
                ("game", str(facts.get("Game", game)), game),
                ("beginning", opening.time or created, created),
                ("parent", [*(branches_off(opening) or (None, None))] if parent != [None, None] else parent, parent),
            )
            if said != shown
        ]
        found += [Change("edited", f"the entry of match {match} was changed: its {what}", match=match) for what in wrong]
    return found


def _digest_of(values: list[object]) -> str:
    try:
        return row_digest(*values)  # type: ignore[arg-type]  # the columns come as the schema has them
    except (TypeError, ValueError):
        return ""


def _kept(store: Store, book: str, publics: Sequence[bytes]) -> tuple[list[Checkpoint], list[Change]]:
    """The checkpoints of the store that are as they were signed, and those that are not."""
    odd: list[Change] = []
    kept = checkpoints_of(store, book)
    with translated_errors(store.path):
        rows = store._conn.execute(
            "SELECT size, CAST(root AS BLOB), CAST(note AS BLOB) FROM checkpoints WHERE book = ?", (book,)
        ).fetchall()
    notes = {c.note.encode(): c for c in kept}
    for size, root, note in rows:
        one = notes.get(note)
        if one is None or one.size != size or one.root.hex().encode() != root or not genuine(one, publics, book):
            odd.append(Change("edited", f"the checkpoint kept for {size} events was changed"))
            kept = [c for c in kept if c is not one]
    return kept, odd


def _compare(
    tree: Tree, end: int, found: list[Change], known: list[tuple[str, Checkpoint]], publics: Sequence[bytes], book: str
) -> tuple[int, int, list[Change]]:
    """Every checkpoint with the tree: the size signed, how many agreed, what is wrong."""
    odd: list[Change] = []
    signed = agreed = good = 0
    wrong: list[tuple[str, Checkpoint, int]] = []  # with the size up to which smaller ones agreed
    for name, one in sorted(known, key=lambda k: k[1].size):
        if not genuine(one, publics, book):
            odd.append(Change("edited", f"{name} is not signed with a key of this store"))
            continue
        signed = max(signed, one.size)
        if one.size > max(end, len(tree)):
            if not any(c.kind == "cut" and c.last >= one.size for c in found + odd):
                odd = [c for c in odd if c.kind != "cut"]
                text = f"the end is missing: {one.size} events were signed, {end} are there"
                odd.append(Change("cut", text, end + 1, one.size))
        elif one.size > len(tree):
            pass  # as many as were taken out before
        elif tree.root(one.size) == one.root:
            agreed += 1
            good = max(good, one.size)
        else:
            wrong.append((name, one, good))
    if wrong:
        name, one, good = wrong[0]
        local = [c for c in found if c.first and c.first <= one.size] or [c for c in found if c.kind in ("deleted", "swapped")]
        if not local:
            text = (
                f"events {good + 1} to {one.size} are not those that were signed: {name} is of another history"
                if good + 1 < one.size
                else f"event {one.size} is not the one that was signed: {name} is of another history"
            )
            odd.append(Change("forked", text, good + 1, one.size))
    return signed, agreed, odd


def _sorted(found: list[Change]) -> list[Change]:
    seen: dict[Change, None] = dict.fromkeys(sorted(found, key=lambda c: (not c.first, c.first, c.last, c.kind, c.text)))
    return list(seen)


def _text(data: object) -> str:
    return data.decode("utf-8", "replace") if isinstance(data, bytes) else str(data)


def book_of(store: Store, name: str) -> tuple[str, str]:
    """The book that is meant and, if a match was named, its id: a book of that name goes before a match."""
    if name in [row.book for row in store.books()]:
        return name, ""
    try:
        match = store.find(name)
    except NotFoundError as error:
        raise NotFoundError(
            error.what.replace("no match", "no book and no match"), where=error.where, expected=error.expected,
            todo=error.todo or "`kibitz list` shows books and matches",
        ) from error  # fmt: skip
    with translated_errors(store.path):
        row = store._conn.execute("SELECT book FROM matches WHERE match = ?", (match,)).fetchone()
    return str(row[0]), match


__all__ = ["Change", "Verified", "book_of", "verify_book", "verify_store"]
