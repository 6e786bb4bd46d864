"""Notes about attached pictures of a paper sheet or a trick pile.

A note holds the SHA-256 of the picture, its kind and its size: `@ note #12 bytes=231044 kind=jpeg sha256=9f86…`. The
bytes themselves are kept elsewhere (`records.attachments`). A later note `@ note #31 removed=9f86…` records that the
copy was removed on purpose.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from events.limits import MAX_ATTACHMENT_BYTES
from events.model import Event, Fix, Note, Recorded

KINDS = {"jpeg": "JPEG", "png": "PNG", "webp": "WebP", "pdf": "PDF"}
"""The file types that can be attached, and their names."""
_ATTACHES = "`kibitz attach` keeps a picture and writes the note that names it, and removes it again."
WRITTEN_BY_COMMANDS = {
    **dict.fromkeys(("sha256", "kind", "bytes", "removed"), _ATTACHES),
    "sealed": "The director seals a remark as it is written, at the desk.",
}
"""The facts of a note that only commands of Kibitz write, each with the advice that names the command."""
_HASH = re.compile("[0-9a-f]{64}")
_ABSENT = "imported-without-picture-"


class Attachment(Struct, frozen=True):
    """A picture that a match names: event, hash, kind, size in bytes, the events it is about, and its remark.

    `removed` is the event that records the removal of the copy; 0 while there should be one. `struck` is the
    correction that struck or replaced the note; the picture then no longer counts, but its copy is kept, as the note
    is. `absent`: the record was imported without the picture, so this store never had a copy.
    """

    n: int
    sha256: str
    kind: str
    size: int
    refs: tuple[int, ...] = ()
    text: str = ""
    removed: int = 0
    struck: int = 0
    absent: bool = False

    @property
    def about(self) -> str:
        """Its kind and size: `JPEG, 231 kB`."""
        return f"{KINDS[self.kind]}, {amount(self.size)}"


def amount(size: int) -> str:
    """A number of bytes for people.

    >>> amount(999), amount(231_044), amount(4_250_000)
    ('999 bytes', '231 kB', '4.2 MB')
    """
    if size < 1000:
        return f"{size} byte{'s' * (size != 1)}"
    return f"{size // 1000} kB" if size < 1_000_000 else f"{size // 100_000 / 10:.1f} MB"


def is_hash(value: object) -> bool:
    """True if the value is a SHA-256 as it is written: 64 hexadecimal digits in small letters."""
    return isinstance(value, str) and _HASH.fullmatch(value) is not None


def attached(recorded: Recorded) -> Attachment | None:
    """The picture that an event names; None if it names none."""
    note = _note(recorded.event)
    facts = {} if note is None else note.facts
    sha256, kind, size = facts.get("sha256"), facts.get("kind"), facts.get("bytes")
    if (
        note is None or not is_hash(sha256) or kind not in KINDS or type(size) is not int
        or not 0 < size <= MAX_ATTACHMENT_BYTES
    ):
        return None
    return Attachment(
        recorded.n, str(sha256), str(kind), size, note.refs, recorded.text,
        absent=recorded.key == f"{_ABSENT}{recorded.n}",
    )


def removed_hash_in(event: Event) -> str:
    """The hash of the picture whose removal an event records; empty if it records none."""
    note = _note(event)
    said = None if note is None else note.facts.get("removed")
    return said if isinstance(said, str) and is_hash(said) else ""


def picture_in_words(event: Event) -> str:
    """An event about a picture, in words; empty if it is not about one."""
    if gone := removed_hash_in(event):
        return f"the copy of the picture {gone[:12]}… is removed"
    named = attached(Recorded(n=0, event=event))
    return f"a picture is attached: {named.about} ({named.sha256[:12]}…)" if named else ""


def attachments(records: Iterable[Recorded]) -> list[Attachment]:
    """The pictures that a match names, in the order in which they were attached.

    A removal marks every earlier note of the same picture, unless the picture was attached again afterwards.
    """
    found: list[Attachment] = []
    for recorded in records:
        if said := attached(recorded):
            # A correction that restores a struck note names the same absent picture.
            again = isinstance(recorded.event, Fix) and any(one.absent and one.sha256 == said.sha256 for one in found)
            found.append(replace(said, absent=True) if again else said)
        elif gone := removed_hash_in(recorded.event):
            found = [
                replace(one, removed=recorded.n) if one.sha256 == gone and not one.removed else one for one in found
            ]
        if isinstance(recorded.event, Fix) and recorded.event.how != "insert":
            at = recorded.event.at
            found = [replace(one, struck=recorded.n) if one.n == at else one for one in found]
    wanted = {one.sha256 for one in found if not one.removed}
    # A picture attached again has a copy for its earlier notes too.
    return [replace(one, removed=0) if one.sha256 in wanted else one for one in found]


def _note(event: Event) -> Note | None:
    said = event.event if isinstance(event, Fix) else event
    return said if isinstance(said, Note) and said.facts else None


def imported_note(recorded: Recorded, *, absent: bool) -> Recorded:
    """An imported note that names a picture. Its submission key says only whether the picture is `absent`.

    Kibitz attaches a picture without a key, and an empty key contradicts nothing when the record is imported again. A
    key is hashed with its event, so a copy that was kept cannot be declared absent later.
    """
    return replace(recorded, key=f"{_ABSENT}{recorded.n}" if absent else "")


def picture_note(sha256: str, kind: str, size: int, refs: Sequence[int] = ()) -> Note:
    """The note that names a picture."""
    return Note(by="@", refs=tuple(refs), facts={"bytes": size, "kind": kind, "sha256": sha256})


def taking_away(sha256: str, refs: Sequence[int] = ()) -> Note:
    """The note that records the removal of a picture's copy."""
    return Note(by="@", refs=tuple(refs), facts={"removed": sha256})
