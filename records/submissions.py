"""Submission keys: each with a hash of what was submitted, which tells a retry from a second submission."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from events.canon import encode_bodies
from events.model import Recorded
from records.backend import Reader, Writer
from records.reading import events_of
from records.rows import KeyEntry, Tail


def submission_fingerprint(records: Sequence[Recorded], bodies: Sequence[bytes] | None = None) -> str:
    """A hash of a submission; a retry has the same. Times are ignored."""
    said = []
    for recorded, body in zip(records, encode_bodies(records) if bodies is None else bodies, strict=True):
        who = recorded.recorder.encode()
        said.append(b"%d %d\n%b%b" % (len(who), len(body), who, body))
    return hashlib.sha256(b"".join(said)).hexdigest()


def known_under(reader: Reader, tail: Tail, key: str) -> KeyEntry | None:
    """The submission under a key of a match, None if there is none. For a sealed match, found in its events."""
    if tail.known is not None or not tail.entry.is_sealed:
        return tail.known
    match = tail.entry.match
    batch = [r for r in events_of(reader, match) if r.key == key]
    return KeyEntry(match, key, submission_fingerprint(batch), batch[0].n, batch[-1].n) if batch else None


def current_fingerprint(reader: Reader, match: str, key: str, first: int) -> str:
    """The fingerprint of a submission as computed today.

    It differs from the stored one once the type of an event has a newer version.
    """
    return submission_fingerprint([r for r in events_of(reader, match, after=first - 1) if r.key == key])


def note_keys(
    writer: Writer, match: str, records: Sequence[Recorded], bodies: Sequence[bytes], since: int, only: str = ""
) -> None:
    """Keep the keys of the events from index `since` on, as if submitted here; or only the key `only`.

    A key that began earlier is rewritten: a file was cut within a submission, and this is the rest.
    """
    fresh = {only} if only else {r.key for r in records[since:] if r.key}
    if not fresh:
        return
    batches: dict[str, list[tuple[Recorded, bytes]]] = {}
    for pair in zip(records, bodies, strict=True):
        if pair[0].key in fresh:
            batches.setdefault(pair[0].key, []).append(pair)
    writer.put_keys([
        KeyEntry(match, key, submission_fingerprint(*zip(*batch, strict=True)), batch[0][0].n, batch[-1][0].n)
        for key, batch in batches.items()
    ])  # fmt: skip
