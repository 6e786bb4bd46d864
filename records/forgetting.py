"""Forgetting a name for good, in matches of layout 2: the name, or the remark that has it, and its salt are taken away.

In their place the commitment stays, so that the leaf, and every proof and signature, are as before. Nobody can find out
from the commitment what stood there, also in copies that were handed out without the name. Payloads are rewritten for
this alone; every other event of the store keeps its bytes.
"""

from __future__ import annotations

from collections.abc import Sequence

from events.canon import encode_view
from events.errors import StoreError
from events.model import Recorded
from records import sealing
from records.backend import Writer
from records.hashes import chain
from records.reading import match_lines, opened_in_parts
from records.rows import EventLine


def erase(writer: Writer, match: str, shown: Sequence[Recorded]) -> int:
    """Take names and remarks of a match away that `shown`, the match as it is shown, does not have. Returns how many.

    Nothing is done in a match of layout 1. StoreError if its events are not those that were written."""
    lines = match_lines(writer, match)
    book = writer.book_of(match) or ""
    parts = opened_in_parts(writer.place, book, match, lines[0].payload)
    if parts is None:
        return 0
    made, gone = [], 0
    for line, seen in zip(lines, shown, strict=False):
        payload, many = parts.erased(line.n, line.payload, encode_view(seen))
        made.append(line._replace(payload=payload))
        gone += many
    made += lines[len(made) :]  # added meanwhile
    if not gone:
        return 0
    if _leaves(book, match, made) != _leaves(book, match, lines):
        raise StoreError("a name cannot be taken away from this match", where=f"{writer.place}, match {match}")
    was_sealed = writer.sealed(match) is not None
    sealing.unseal(writer, match)
    for old, new in zip(lines, made, strict=True):
        if old != new:
            writer.rewrite(match, new.n, new.payload)
    sealing.keep_keys(writer, match, made)  # what is kept of a submission is a hash over all it said, names too
    if was_sealed:
        sealing.seal(writer, match, unfinished=True)
    return gone


def _leaves(book: str, match: str, lines: Sequence[EventLine]) -> list[bytes]:
    positions, _, types, versions, times, recorders, keys, payloads = zip(*lines, strict=True)
    name = book.encode(), match.encode()
    try:
        return chain(*name, bytes(32), positions, 0, types, versions, times, recorders, keys, payloads)[1:]
    except ValueError as error:
        raise StoreError(f"match {match} is not as it was written ({error})", where=match) from error
