"""A bundle: the events of a match, proofs that they are in their book, and the signed head of the book.

`verify_bundle.py` checks it, and needs nothing but Python. The file is JSON:

    {"kibitz_bundle": 1 (2 for a match of layout 2), "match": …, "book": …, "public_key": NAME+ID+KEY,
    "checkpoint": the signed note, "events": [{"pos", "n", "type", "version", "time", "recorder", "key",
    "payload" (the stored text), "proof": [base64]}], "earlier": [{"size": …, "proof": [base64]}],
    "attachments": [{"sha256": …, "data": base64}]}

`earlier` proves that the signed head extends every earlier checkpoint. `attachments` are the pictures that the events
name, if their copies exist. `replay`, {"file": …, "sha256": …}, is the page written beside the bundle, which shows the
match and proves nothing. Both keys are left out if there is nothing to list.

A match of layout 2 can be shown in part: values are left out of the payloads, and commitments stand in `kept`
(records/commitments.py). Proofs, head and signature are those of the whole record.
"""

from __future__ import annotations

import base64
import hashlib
import struct
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, structs

from events.canon import encode_view
from events.card_lists import with_card_lists
from events.cards import squeeze
from events.errors import StoreError, UnreadableError, UsageError
from events.limits import MAX_BUNDLE_BYTES
from events.model import Fix, Recorded
from records import verify_bundle
from records.attachments import in_lines
from records.commitments import Commitments, begun
from records.copies import ReadPicture, picture_from_bytes
from records.hashes import NO_PREVIOUS
from records.merkle import Tree
from records.proof.checkpoints import Checkpoint, origin_of, read_checkpoint, signed_by, verifier_key
from records.proof.signing import genuine
from records.proof.tampering import Change
from records.reading import opened_in_parts, recorded
from records.rows import EventLine

if TYPE_CHECKING:
    from records.store import Store

MISSHAPEN = (ValueError, KeyError, TypeError, struct.error, RecursionError)
"""Errors of the verifier for input that is not a bundle at all."""
_MOST_PICTURES = MAX_BUNDLE_BYTES * 5 // 8
"""Bytes of the pictures in a bundle. They grow by a third as base64, and the events need room."""
VERIFIER = Path(__file__).with_name("verify_bundle.py")
"""The program that verifies a bundle, to be copied along with it."""


View = Callable[[Sequence[Recorded]], Sequence[Recorded]]
"""Returns a log, or the beginning of it, as an audience sees it."""


def _whole(log: Sequence[Recorded]) -> Sequence[Recorded]:
    return log


def make_bundle(
    store: Store, match: str, *, pictures: bool = True, replay: tuple[str, bytes] | None = None,
    view: View | None = None,
) -> bytes:
    """The bundle of a match with its attached pictures. Signs the head of the book if no checkpoint covers the match.

    With `view` the match is shown in part, as the audience sees it. NotFoundError if there is no such match.
    UsageError if the head must be signed but the store is read-only, if the pictures are too large, or if the match
    cannot be shown in part. StoreError if the book does not match what was signed, or the bundle fails verification.
    """
    try:
        made = _made(store, match, pictures, replay, view)
    except UnicodeDecodeError as error:
        raise _not_written(store, match, "an event is not text") from error
    except ValueError as error:
        raise _not_written(store, match, str(error)) from error
    try:
        verify_bundle.verify(verify_bundle.load(made.decode()))
    except (verify_bundle.Refused, *MISSHAPEN) as error:
        raise _not_written(store, match, str(error)) from error
    return made


def _not_written(store: Store, match: str, why: str) -> StoreError:
    return StoreError(
        f"no bundle is written, it would not be verified: {why}", where=f"{store.path}, match {match}",
        todo="`kibitz verify` tells what was changed",
    )  # fmt: skip


def is_in_parts(store: Store, match: str) -> bool:
    """True if a match can be shown in part: it is of layout 2. Raises as `lines` does."""
    rows = store.lines(match)
    return opened_in_parts(store.backend.place, store.book_of(match), match, rows[0].payload) is not None


def commitments_of(store: Store, match: str) -> tuple[Commitments, list[EventLine]]:
    """The commitments of a match, and its events. UsageError if it is of layout 1; raises as `lines` does."""
    rows = store.lines(match)
    parts = opened_in_parts(store.backend.place, store.book_of(match), match, rows[0].payload)
    if parts is None:
        raise UsageError(
            "the match cannot be shown in part", where=f"match {match}", expected="one that was opened with --in-parts",
            todo="Hand it out whole (`kibitz export --bundle`), or as a record of its own (`kibitz db publish`)",
        )
    return parts, rows


def _seen(store: Store, match: str, view: View) -> list[EventLine]:
    """The events of a match as an audience sees them, with commitments for what is left out."""
    parts, rows = commitments_of(store, match)
    shown = view(store.told(match))
    out = []
    for row, seen in zip(rows, shown, strict=False):
        who = (seen.recorder, seen.key) == (row.recorder, row.key)
        payload = parts.shown(row.n, row.recorder, row.key, row.payload, encode_view(seen), who)
        out.append(row._replace(payload=payload, recorder=seen.recorder if who else "", key=seen.key if who else ""))
    return out


def _made(store: Store, match: str, pictures: bool, replay: tuple[str, bytes] | None, view: View | None) -> bytes:
    """The bundle built from the store, not yet verified."""
    book = store.book_of(match)
    rows = store.lines(match)
    if len(rows) != store.length(match):
        raise _not_written(store, match, f"{len(rows)} of its {store.length(match)} events are there")
    version = 1 if opened_in_parts(store.backend.place, book, match, rows[0].payload) is None else 2
    if view is None and version == 2 and any(b'"kept":{' in row.payload for row in rows):
        # Something was forgotten: the seed stays here, and all the rest is shown.
        view = _whole
    if view is not None:
        rows = _seen(store, match, view)
    last = max(row.pos for row in rows)
    head = _covering(store, book, last)
    if head is None:
        if not store.write:
            raise UsageError(
                f"the end of match {match} is not signed yet", where=str(store.path), todo=f"`kibitz checkpoint {book}`"
            )
        head = store.sign(book)
    tree = Tree(store.leaves(book, head.size))
    events = [
        {
            "pos": pos, "n": n, "type": type_, "version": version, "time": time, "recorder": recorder, "key": key,
            "payload": payload.decode(), "proof": _coded(tree.inclusion(pos - 1)),
        }
        for pos, n, type_, version, time, recorder, key, payload in rows
    ]  # fmt: skip
    earlier: list[dict[str, Any]] = [
        {"size": size, "proof": _coded(tree.consistency(size))}
        for size in sorted({c.size for c in store.checkpoints(book) if c.size < head.size})
    ]
    bundle: dict[str, Any] = {
        "kibitz_bundle": version, "match": match, "book": book, "public_key": public_key_of(store, head),
        "checkpoint": head.note, "events": events, "earlier": earlier,
    }  # fmt: skip
    if pictures and (brought := _brought(store, match, rows)):
        bundle["attachments"] = brought
    if replay is not None:
        bundle["replay"] = {"file": replay[0], "sha256": hashlib.sha256(replay[1]).hexdigest()}
    return msgspec.json.format(msgspec.json.encode(bundle), indent=1) + b"\n"


def _brought(store: Store, match: str, rows: Sequence[EventLine]) -> list[dict[str, str]]:
    """The pictures of a match for its bundle. A copy that is missing or changed adds a warning to the store."""
    wanted = {one.sha256: one for one in in_lines(store.backend.place, match, rows) if not one.removed}
    size = sum(one.size for one in wanted.values())
    if size > _MOST_PICTURES:
        raise UsageError(
            f"the pictures are too large for a bundle ({size} bytes)", where=f"match {match}",
            expected=f"at most {_MOST_PICTURES}", todo="`--bare` leaves them out",
        )  # fmt: skip
    out = []
    for one in wanted.values():
        data = store.copies.read(one.sha256, one.kind)
        if data is None:
            store.warnings.append(
                f"the picture of event {one.n} does not come along: its copy is missing, or was changed"
            )
        else:
            out.append({"sha256": one.sha256, "data": base64.b64encode(data).decode()})
    return out


class Bundle(Struct, frozen=True):
    """A verified bundle: the events of a match, the signed head of their book, and pictures.

    `kept` is a sentence about what is kept back; empty if the bundle shows everything."""

    match: str
    book: str
    checkpoint: Checkpoint
    lines: list[EventLine]
    pictures: list[ReadPicture] = []
    kept: str = ""


class _Event(Struct):
    pos: int
    n: int
    type: str
    version: int
    time: str
    recorder: str
    key: str
    payload: str


class _Picture(Struct):
    sha256: str
    data: str


class _Bundle(Struct):
    kibitz_bundle: int
    match: str
    book: str
    checkpoint: str
    events: list[_Event]
    attachments: list[_Picture] = []


def read_bundle(text: str, key: str | None = None, openings: Sequence[str] = ()) -> Bundle:
    """Read a bundle and verify its own proofs. `key` is the public key that must have signed it, as it is published.

    `openings` are the texts of openings, whose values it then shows. UnreadableError if it is not a bundle, or if a
    proof fails: it then proves nothing.
    """
    try:
        loaded = verify_bundle.load(text)
        verify_bundle.verify(loaded, key)
        if openings:
            loaded = verify_bundle.opened(loaded, *map(verify_bundle.load, openings))
            verify_bundle.verify(loaded, key)
        said = msgspec.convert(loaded, type=_Bundle)
        kept = " ".join(verify_bundle.kept_back(loaded))
    except verify_bundle.Refused as error:
        raise UnreadableError(f"the bundle does not hold: {error}", todo="Ask for it again; it shows nothing") from None
    except (msgspec.MsgspecError, *MISSHAPEN) as error:
        raise UnreadableError(
            f"this is not a bundle ({type(error).__name__}: {error})", expected="what `kibitz export --bundle` wrote"
        ) from None
    lines = [
        EventLine(e.pos, e.n, e.type, e.version, e.time, e.recorder, e.key, e.payload.encode()) for e in said.events
    ]
    pictures = [
        picture_from_bytes(base64.b64decode(one.data), f"the picture {one.sha256[:12]}…") for one in said.attachments
    ]
    return Bundle(said.match, said.book, read_checkpoint(said.checkpoint)[0], lines, pictures, kept)


def records_in(name: str, bundle: Bundle) -> list[Recorded]:
    """The events of a bundle; what it keeps back is unseen. `name` is its file. StoreError if one cannot be read."""
    records = [recorded(name, bundle.match, line) for line in bundle.lines]
    return [structs.replace(r, event=_squeezed(r.event)) for r in records] if bundle.kept else records


def make_opening(store: Store, match: str, numbers: Collection[int], views: tuple[View, View] | None = None) -> bytes:
    """A file that opens events of a match: of each slot its salt and value.

    With two `views` only slots that the first shows and the second does not. UsageError if the match is of layout 1,
    or if there is no such slot.
    """
    parts, rows = commitments_of(store, match)
    # Without views, what is shown to everybody who may see all: not a name that is to be forgotten.
    shown = [[_open_paths(line) for line in _seen(store, match, view)] for view in views or (_whole,)]
    events = {}
    for i, row in enumerate(rows):
        if row.n in numbers and i < min(map(len, shown)):
            paths = shown[0][i] - (shown[1][i] if views else set())
            if found := parts.openings(row.n, row.recorder, row.key, row.payload, paths):
                events[str(row.n)] = found
    if not events:
        raise UsageError("there is nothing to open in these events", where=f"match {match}")
    made = {"kibitz_opening": 1, "book": store.book_of(match), "match": match, "events": events}
    return msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n"


def _open_paths(line: EventLine) -> set[str]:
    """The paths of the slots that an event shows, which is shown in part."""
    return {*msgspec.json.decode(line.payload).get("salt", ())}


def bundle_differences(store: Store, bundle: Bundle) -> list[Change]:
    """The events of a bundle that the store lacks or has in another form. A root cannot tell which event differs."""
    try:
        kept = _by_position(bundle.book, bundle.match, store.lines(bundle.match))
    except StoreError as error:
        return [
            Change(
                "damaged", f"match {bundle.match} cannot be compared with the bundle: {error.what}", match=bundle.match,
            )
        ]
    found = []
    theirs = _by_position(bundle.book, bundle.match, bundle.lines)
    for line in bundle.lines:
        name = f"event {line.pos} (match {bundle.match}, event {line.n})"
        if line.pos not in kept:
            text = f"{name} is missing, it stands in the bundle given"
            found.append(Change("deleted", text, line.pos, line.pos, bundle.match))
        elif kept[line.pos] != theirs[line.pos]:
            text = f"{name} is not as it stands in the bundle given"
            found.append(Change("edited", text, line.pos, line.pos, bundle.match))
    return found


def _by_position(book: str, match: str, lines: Sequence[EventLine]) -> dict[int, object]:
    """What identifies each event of a match: the event itself, or in layout 2 its leaf, had it none before it."""
    parts = None
    out: dict[int, object] = {}
    for line in lines:
        pos, n, type_, version, time, recorder, key, payload = line
        try:
            if n == 0:
                parts = begun(book.encode(), match.encode(), payload)
            out[pos] = line if parts is None else parts.leaf(
                pos, n, type_.encode(), version, time.encode(), recorder.encode(), key.encode(), NO_PREVIOUS, payload,
            )
        except (ValueError, struct.error):
            out[pos] = line
    return out


def _squeezed(event: Any) -> Any:
    """An event whose cards are in their one written form: those kept back stand one by one."""
    if isinstance(event, Fix):
        return event if event.event is None else structs.replace(event, event=_squeezed(event.event))
    return with_card_lists(event, squeeze)


def public_key_of(store: Store, checkpoint: Checkpoint) -> str:
    """The public key that signed a checkpoint of this store, as it is published; empty if unknown to the store."""
    note = read_checkpoint(checkpoint.note)[1]
    for public in store.public_keys():
        if checkpoint.origin == origin_of(public, checkpoint.book) and signed_by(note, checkpoint.origin, public):
            return verifier_key(checkpoint.origin, public)
    return ""


def _covering(store: Store, book: str, last: int) -> Checkpoint | None:
    publics = store.public_keys()
    for one in reversed(store.checkpoints(book)):
        if one.size >= last and genuine(one, publics, book):
            return one
    return None


def _coded(hashes: list[bytes]) -> list[str]:
    return [base64.b64encode(one).decode() for one in hashes]
