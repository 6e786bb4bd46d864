"""Verifies that a book is still what was written. If not, finds out what was done to it, and where.

Three comparisons: every event with its leaf, every leaf with the one before it in its match, and the tree of all
leaves with every checkpoint (in the store, in the file beside it, and one given by the caller). Positions are those
of the book.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from events.errors import KibitzError, StoreError, UnreadableError, UsageError
from events.model import Open
from records import verify_bundle
from records.backend import TABLES, Backend, Reader
from records.hashes import NO_PREVIOUS, digest_of_values
from records.merkle import TILE, Tree
from records.proof.checkpoints import Checkpoint, read_checkpoint
from records.proof.signers import Fork, SignedHead, Signer, forks, public_key_text, signer_of, signers
from records.proof.signing import book_size, checkpoints_of, genuine, public_keys, signed_file
from records.proof.tampering import Change, EventRow, TamperWalk, bytes_text
from records.reading import branches_off, event_of
from records.rows import ALL, whole_value
from records.sealed_codec import leaves_in, unsealed_lines
from records.verify_bundle import LARGEST


class Verified(Struct, frozen=True):
    """Result of a verification. The book is sound if `found` is empty.

    `size` events were there, and `root` (hexadecimal) is the root over them. `signed` is the largest size that a
    genuine checkpoint covers, `checkpoints` the number of checkpoints that agreed. `signers` signed these
    checkpoints, the one with the largest size first; if a key was given, only that key. `forks` are the breaks
    recorded beside the store. `in_parts` of the events are of layout 2, and can be shown in part.
    """

    book: str
    size: int
    root: str
    signed: int
    checkpoints: int
    found: list[Change]
    signers: list[SignedHead] = []
    forks: list[Fork] = []
    in_parts: int = 0


def verify_book(
    backend: Backend, beside: Path, book: str, against: Checkpoint | None = None, keys: Sequence[bytes] = (), *,
    remembered: bool = True
) -> Verified:
    """Verify a book of the store, optionally against a checkpoint from elsewhere.

    `keys` are trusted public keys: if given, only what they signed counts, whatever keys the store names. Without
    `remembered` the checkpoint beside the store is ignored. NotFoundError if there is no such book; UsageError if the
    checkpoint is of another book; UnreadableError if no known key signed it: then it proves nothing.
    """
    # Read first: all it covers was in the store by then, while others may go on appending and signing.
    signed, odd = _beside(beside, book) if remembered else ([], [])
    with backend.snapshot() as reader:
        return _verified(reader, beside, book, against, keys, signed, odd)


def _verified(
    reader: Reader, beside: Path, book: str, against: Checkpoint | None, keys: Sequence[bytes],
    given: list[Checkpoint], odd: list[Change],
) -> Verified:  # fmt: skip
    head = book_size(reader, book)
    entries = _entries(reader, book)
    unreadable = _add_sealed(reader, book, entries)
    publics = public_keys(reader, beside)
    if against is not None:
        _check_given(against, book, keys, publics)
    walk = TamperWalk(book.encode(), entries, head)
    found = [c for c in walk.changes() if not any(_explains(u, c) for u in unreadable)] + unreadable
    # Deleted or inserted events also leave submission keys without events; that is no separate finding.
    found += [c for c in _other_rows(reader, book) if not (c.first and found)]
    found += [] if found else _listed(reader, book, entries)
    found += _unsaid(entries, found)
    tree = Tree([e.leaf for e in entries])
    found += _tiles(reader, book, tree)
    known = [("the checkpoint given", against)] if against is not None else []
    known += [("the checkpoint beside the store", one) for one in given]
    kept, changed = _kept(reader, book, publics)
    there = {one.note for _, one in known}
    known += [("a checkpoint of the store", one) for one in kept if one.note not in there]
    counted = list(keys or publics)
    own = [
        (name, one) for name, one in known if not keys or genuine(one, keys, book) or not genuine(one, publics, book)
    ]
    signed, agreed, more = _compare(tree, walk.end, found, own, counted, book)
    first, broken, unread = _remembered(beside, book)
    foreign = _foreign(book, known, keys, publics, [bytes.fromhex(one.signer) for one in first])
    who = _signers(tree, book, own, keys, publics, first)
    found = _sorted(found + odd + changed + more + foreign + unread)
    in_parts = sum(e.match in walk.parts for e in entries)
    return Verified(book, len(entries), tree.root().hex(), signed, agreed, found, who, broken, in_parts)


def _check_given(against: Checkpoint, book: str, keys: Sequence[bytes], publics: Sequence[bytes]) -> None:
    """Refuse a checkpoint from elsewhere that proves nothing about this book."""
    if against.book != book:
        raise UsageError(f"this checkpoint is of book {against.book[:80]!r}", expected=f"one of book {book!r}")
    if keys and not genuine(against, keys, book):
        raise UnreadableError(
            "the checkpoint is not signed with the key given, so it proves nothing", where=against.origin,
        )
    if not keys and not genuine(against, publics, book):
        raise UnreadableError(
            "the checkpoint is not signed with a key of this store, so it proves nothing",
            where=against.origin,
            todo="If the store has a new key, name the public key that you were given (--key)",
        )


def _remembered(beside: Path, book: str) -> tuple[list[Signer], list[Fork], list[Change]]:
    """The signers and forks of the book that are noted beside the store, and faults of these files."""
    # Read last: a signer is noted before the store has what it signed.
    known: list[Signer] = []
    broken: list[Fork] = []
    odd: list[Change] = []
    try:
        known = signers(beside)
        broken = [one for one in forks(beside) if one.book == book]
    except StoreError as error:
        odd.append(Change("damaged", f"{error.what} ({error.where})"))
    return known, broken, odd


def _foreign(
    book: str, known: list[tuple[str, Checkpoint]], keys: Sequence[bytes], publics: Sequence[bytes],
    remembered: list[bytes]
) -> list[Change]:
    """Checkpoints signed by a key other than the given one, or beyond what the keys noted beside the store signed."""
    trusted = list(keys or remembered)
    if not trusted:
        return []
    own = max((one.size for _, one in known if genuine(one, trusted, book)), default=0)
    others: dict[bytes, int] = {}
    for _, one in known:
        public = signer_of(one, publics, book)
        if public is not None and public not in trusted:
            others[public] = max(others.get(public, 0), one.size)
    who = "the key given" if keys else f"the one remembered beside the store ({public_key_text(remembered[0], book)})"
    found = [
        Change(
            "foreign", f"what is signed up to event {size} is signed by {public_key_text(public, book)}, not by {who}",
            min(own + 1, size), size,
        )
        for public, size in sorted(others.items())
        if not keys or size > own
    ]
    if keys and not own:
        found.append(Change("foreign", "nothing in this book is signed with the key given"))
    return found


def _signers(
    tree: Tree, book: str, known: list[tuple[str, Checkpoint]], keys: Sequence[bytes], publics: Sequence[bytes],
    remembered: list[Signer],
) -> list[SignedHead]:  # fmt: skip
    """The signers of checkpoints that agree with the tree, the largest size first."""
    sizes: dict[bytes, int] = {}
    for _, one in known:
        public = signer_of(one, keys or publics, book)
        if public is not None and one.size <= len(tree) and tree.root(one.size) == one.root:
            sizes[public] = max(sizes.get(public, 0), one.size)
    beside = {one.signer for one in remembered}
    return [
        SignedHead(
            public_key_text(public, book), size, "given" if keys else "remembered" if public.hex() in beside else "file"
        )
        for public, size in sorted(sizes.items(), key=lambda pair: (-pair[1], pair[0]))
    ]


def _beside(beside: Path, book: str) -> tuple[list[Checkpoint], list[Change]]:
    """The checkpoint in the file beside the store, and faults of that file."""
    try:
        note = signed_file(beside).get(book)
        return ([read_checkpoint(note)[0]] if note else []), []
    except KibitzError as error:
        return [], [Change("damaged", f"the checkpoint beside the store cannot be read ({error.what})")]


def verify_store(backend: Backend) -> list[Change]:
    """Faults of the database itself (pages, indexes, references), and foreign objects in it."""
    foreign = [Change("inserted", text) for text in backend.foreign()]
    return [Change("damaged", text) for text in backend.file_faults()] + foreign


def _entries(reader: Reader, book: str) -> list[EventRow]:
    return [
        EventRow(
            whole_value(e.pos), e.match, whole_value(e.n),
            (e.type, whole_value(e.version), e.time, e.recorder, e.key, e.payload), e.prev, e.leaf, e.sound,
        )
        for e in reader.stored_events(book, -ALL)
    ]


def _add_sealed(reader: Reader, book: str, entries: list[EventRow]) -> list[Change]:
    """Add the events of sealed matches to `entries`. Returns a change for each that is unreadable or was edited."""
    found: list[Change] = []
    open_ = {e.match for e in entries}
    before = len(entries)
    for row in reader.sealed_in(book, -ALL):
        first, last, match = whole_value(row.first_pos), whole_value(row.last_pos), str(row.match)
        if match.encode() in open_:
            found.append(Change("inserted", f"match {match:.80} is there twice, sealed and not", first, last, match))
            continue
        try:
            lines = unsealed_lines(row)
            leaves = leaves_in(row, lines)
        except (KibitzError, UnicodeError) as error:
            what = error.what if isinstance(error, KibitzError) else "its name is not text"
            text = f"the sealed match {match:.80} (events {first} to {last}) is not the one that was written: {what}"
            found.append(Change("edited", text, first, last, match))
            continue
        if lines[0].key and ((known := reader.key(match, lines[0].key)) is None or known.first != 0):
            text = f"the submission key of event {first} (match {match}) is missing"
            found.append(Change("deleted", text, first, first, match))
        name = match.encode()
        for line, prev, leaf in zip(lines, [NO_PREVIOUS, *leaves], leaves, strict=False):
            said = (
                line.type.encode(), line.version, line.time.encode(), line.recorder.encode(), line.key.encode(),
                line.payload,
            )  # fmt: skip
            entries.append(EventRow(line.pos, name, line.n, said, prev, leaf, True))
    if len(entries) > before:
        entries.sort(key=lambda e: e.pos)
    return found


def _explains(sealed: Change, other: Change) -> bool:
    """True if events are missing because their sealed match is unreadable."""
    return sealed.kind == "edited" and other.kind in ("deleted", "cut") and (
        (sealed.first <= other.last and other.first <= sealed.last) or not 0 < sealed.first <= sealed.last
    )


def _unsaid(entries: list[EventRow], found: list[Change]) -> list[Change]:
    """Events with a correct hash whose payload contradicts its columns. The verifier of bundles refuses them."""
    told = {c.first for c in found}
    whole = {e.match for e in entries if e.n == 0 and _says(e.said[5], e.said[0], True) == 1}
    return [
        Change(
            "edited",
            f"event {e.pos} (match {bytes_text(e.match)}, event {e.n}) does not agree with the columns beside it",
            e.pos, e.pos, bytes_text(e.match),
        )
        for e in entries
        if e.pos not in told and not (
            1 <= _says(e.said[5], e.said[0], e.n == 0) <= 2 - (e.match in whole) and max(e.pos, e.said[1]) <= LARGEST
        )
    ]


@lru_cache(maxsize=50_000)  # most payloads of matches repeat
def _says(payload: bytes, kind: bytes, opens: bool) -> int:
    """0 if a payload contradicts what stands beside it; 2 if it has salts or keeps something back, else 1."""
    try:
        table = verify_bundle.said(payload.decode(), kind.decode(), 0 if opens else 1)
        return 2 if "salt" in table or "kept" in table else 1
    except (verify_bundle.Refused, ValueError, RecursionError):
        return 0


def _tiles(reader: Reader, book: str, tree: Tree) -> list[Change]:
    """A change for each kept tile of the tree that does not match the events."""
    found = []
    for number, root in reader.tiles(book):
        first = whole_value(number) * TILE
        if first < 0 or first + TILE > len(tree) or tree.subtree(first, TILE.bit_length() - 1) != root:
            text = f"events {first + 1} to {first + TILE} are not those whose root was kept"
            found.append(Change("edited", text))
    return found


def _other_rows(reader: Reader, book: str) -> list[Change]:
    """Changes to other rows: the book, its matches, their submission keys."""
    found = []
    for table in TABLES:
        for values, digest in reader.entries(book, table):
            if digest_of_values(values) != digest:
                what = {"books": "book", "matches": "match", "keys": "a submission key of match"}[table]
                match = "" if table == "books" else str(values[0])
                found.append(Change("edited", f"the entry of {what} {values[0]!s:.80} was changed", match=match))
    found += [
        Change("edited", f"match {m!s:.80} has events in this book, but is not listed in it", match=str(m))
        for m in reader.strays(book)
    ]
    ends = reader.lengths(book)
    found += [
        Change("cut", f"match {m} ends at event {there}, its entry says {last}", match=m)
        for m, last, there in ends
        if there is None or (isinstance(last, int) and whole_value(there) < last)
    ]
    found += [
        Change("inserted", f"match {m} ends at event {there}, its entry says {last}", match=m)
        for m, last, there in ends
        if there is not None and isinstance(last, int) and whole_value(there) > last
    ]
    found += [
        Change("deleted", f"the submission key of event {pos} (match {m}) is missing", pos, pos, m)
        for m, pos in reader.lost_keys(book)
    ]
    return found


def _listed(reader: Reader, book: str, entries: list[EventRow]) -> list[Change]:
    """Columns of the matches' rows that contradict their openings. `entries` must be verified."""
    rows = [values for values, _ in reader.entries(book, "matches")]
    listed = {row[0].encode(): (row[2], row[3], row[7], row[8]) for row in rows if isinstance(row[0], str)}
    found = []
    for e in entries:
        if e.n or e.match not in listed or e.said[0] != b"open":
            continue
        (_, version, time, *_, payload), match = e.said, bytes_text(e.match)
        try:
            opening = event_of(reader.place, match, 0, version, time.decode(), "", "", payload)
        except (KibitzError, UnicodeError):
            continue  # it is intact, but written by a newer Kibitz
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
        found += [
            Change("edited", f"the entry of match {match} was changed: its {what}", match=match) for what in wrong
        ]
    return found


def _kept(reader: Reader, book: str, publics: Sequence[bytes]) -> tuple[list[Checkpoint], list[Change]]:
    """The checkpoints of the store that are as they were signed, and a change for each that is not."""
    odd: list[Change] = []
    kept = checkpoints_of(reader, book)
    notes = {c.note.encode(): c for c in kept}
    for size, root, note in reader.checkpoints(book):
        one = notes.get(note)
        if one is None or one.size != size or one.root.hex().encode() != root or not genuine(one, publics, book):
            odd.append(Change("edited", f"the checkpoint kept for {size} events was changed"))
            kept = [c for c in kept if c is not one]
    return kept, odd


def _compare(
    tree: Tree, end: int, found: list[Change], known: list[tuple[str, Checkpoint]], publics: Sequence[bytes], book: str
) -> tuple[int, int, list[Change]]:
    """Compare every checkpoint with the tree. Returns the size signed, the number that agreed, and the changes."""
    odd: list[Change] = []
    signed = agreed = good = 0
    wrong: list[tuple[str, Checkpoint, int]] = []  # each with the largest size that agreed before it
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
            pass  # as many events were deleted before it
        elif tree.root(one.size) == one.root:
            agreed += 1
            good = max(good, one.size)
        else:
            wrong.append((name, one, good))
    if wrong:
        name, one, good = wrong[0]
        local = [c for c in found if c.first and c.first <= one.size] or [
            c for c in found if c.kind in ("deleted", "swapped")
        ]
        if not local:
            text = (
                f"events {good + 1} to {one.size} are not those that were signed: {name} is of another history"
                if good + 1 < one.size
                else f"event {one.size} is not the one that was signed: {name} is of another history"
            )
            odd.append(Change("forked", text, good + 1, one.size))
    return signed, agreed, odd


def _sorted(found: list[Change]) -> list[Change]:
    seen: dict[Change, None] = dict.fromkeys(
        sorted(found, key=lambda c: (not c.first, c.first, c.last, c.kind, c.text))
    )
    return list(seen)


__all__ = ["Change", "Verified", "verify_book", "verify_store"]
