"""Pictures of the paper sheet or of a trick pile, attached to a match: added, listed, fetched, removed.

A picture is a remark: recorders and directors see it, and only a director sees a sealed one. Opening a hand opens its
cards but not its pictures, because these may show anything before the camera.

A picture is served as a download, with the type that its first bytes have, and may run no code: a malicious PDF or
picture can do no harm in the name of this service.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import anyio.to_thread
from litestar import Response, post
from litestar.params import PathParameter, QueryParameter
from msgspec import Meta, Struct

from events.errors import UnreadableError, UsageError
from events.file_names import file_name
from events.limits import MAX_ATTACHMENT_BYTES, MAX_EVENTS
from events.model import Note, Recorded
from events.picture_notes import Attachment
from events.picture_notes import attachments as attachments_in
from records import attachments
from records.copies import ENDINGS, picture_from_bytes
from replay.visibility import SEALED
from service.grants import KEEPERS
from service.problems import RefusedError, not_allowed, not_there
from service.request_context import PROBLEMS, Asked, Match, MatchAccess, delete, get, looking, sent

KINDS = {"image/jpeg": "jpeg", "image/png": "png", "image/webp": "webp", "application/pdf": "pdf"}
"""The media types of pictures, with their kinds."""
TYPES = {kind: media for media, kind in KINDS.items()}
HARMLESS = "default-src 'none'; sandbox; frame-ancestors 'none'"
"""The content security policy of a picture that a browser shows all the same: it may do nothing."""
About = Annotated[list[Annotated[int, Meta(ge=0, le=MAX_EVENTS)]] | None, QueryParameter(max_items=20)]
Place = Annotated[int, PathParameter(ge=1, le=MAX_EVENTS)]


class PictureInfo(Struct, frozen=True):
    """A picture of a match: the event that names it, its hash, type, size in bytes, the events it shows, and its
    remark. `removed` is the event that records the removal of its copy (0 while there should be one)."""

    n: int
    sha256: str
    type: str
    bytes: int
    refs: tuple[int, ...]
    text: str
    removed: int


class Attached(Struct, frozen=True):
    """An attached picture: the event that names it, and whether it had been attached before."""

    n: int
    sha256: str
    repeated: bool


@get("/api/v1/matches/{match:str}/attachments")
def pictures_route(request: Asked, match: Match) -> Response[bytes]:
    """The pictures of a match; clients that do not record see none."""
    with looking(request, match) as look:
        attachments = [
            PictureInfo(one.n, one.sha256, TYPES[one.kind], one.size, one.refs, one.text, one.removed)
            for one in attachments_in(look.view.log)
        ]
        told = {"match": match, "attachments": attachments}
        return sent(request, told)


@get("/api/v1/matches/{match:str}/attachments/{n:int}")
def picture_route(request: Asked, match: Match, n: Place) -> Response[bytes]:
    """A picture, by the event that names it."""
    with looking(request, match) as look:
        one = _named(look, n)
        copies = look.service.shared.reading.copies
    data = None if one.removed else copies.read(one.sha256, one.kind)
    if data is None:
        raise not_there(
            "the copy of this picture was taken away" if one.removed
            else "the copy of this picture is missing, or is not the one that was attached"
        )
    return sent(
        request, data, TYPES[one.kind], file=f"{file_name(match)}-{n}.{ENDINGS[one.kind]}",
        headers={"content-security-policy": HARMLESS},
    )


def _named(look: MatchAccess, n: int) -> Attachment:
    """The picture that an event names, if the client may see it."""
    one = next((one for one in attachments_in(look.view.log) if one.n == n), None)
    if one is None:
        raise not_there("no picture is attached there")
    return one


@post(
    "/api/v1/matches/{match:str}/attachments", status_code=201, responses=PROBLEMS,
    request_max_body_size=MAX_ATTACHMENT_BYTES,
)
async def attach_route(
    request: Asked, match: Match, about: About = None, text: Annotated[str, QueryParameter(max_length=1000)] = "",
    sealed: Annotated[bool, QueryParameter()] = False,
) -> Attached:  # fmt: skip
    """Attach the picture that is the body, and comes as what it is: image/jpeg, image/png, image/webp or
    application/pdf. The same picture about the same events, with the same words, is attached once, so a retry is
    harmless."""
    # Refuse before reading the body.
    await anyio.to_thread.run_sync(partial(_allowed, request, match, sealed))
    kind = KINDS.get(request.content_type[0].lower())
    if kind is None:
        raise RefusedError("unreadable", 415, "this is not a picture that can be attached", expected=", ".join(KINDS))
    return await anyio.to_thread.run_sync(
        partial(_attach, request, match, kind, await request.body(), tuple(about or ()), text, sealed)
    )


def _allowed(request: Asked, match: str, sealed: bool) -> None:
    with looking(request, match, *KEEPERS) as look:
        if sealed and look.grant.role != "director":
            raise not_allowed("a sealed remark is made by the director")


def _attach(
    request: Asked, match: str, kind: str, data: bytes, about: tuple[int, ...], text: str, sealed: bool,
) -> Attached:
    new = picture_from_bytes(data, "the picture")
    if new.kind != kind:
        raise UnreadableError(f"this comes as {kind} and is {new.kind}", expected="the type of what is in it")
    with looking(request, match, *KEEPERS) as look:
        if any(n > look.table.last for n in about):
            raise UsageError(f"the match has only {look.table.last} events", expected="events that it has")
        service, recorder = look.service, look.grant.subject
    said = Recorded(
        n=0, event=Note(by="@", refs=about, facts={SEALED: True} if sealed else {}), text=" ".join(text.split()),
        recorder=recorder,
    )
    # With a store of its own: the copy is synced before the lock is taken, so that the writer thread does not wait
    # for a picture.
    with service.open_store(True) as store:
        done = attachments.attach(store, match, new, said)
    with looking(request, match) as look:
        service.counters.events.inc(0 if done.repeated else 1)
        return Attached(done.first, new.sha256, done.repeated)


@delete("/api/v1/matches/{match:str}/attachments/{n:int}")
def take_away_route(request: Asked, match: Match, n: Place) -> None:
    """Take the copy of a picture away; the record keeps its hash, and says that it was taken away."""
    with looking(request, match, "director") as look:
        _named(look, n)
        service, recorder = look.service, look.grant.subject
    with service.open_store(True) as store:
        attachments.remove(store, match, str(n), recorder=recorder)
    with looking(request, match):
        pass  # refreshes the table and wakes its followers


HANDLERS: list[Any] = [pictures_route, picture_route, attach_route, take_away_route]
