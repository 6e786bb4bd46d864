"""The images attached to a match, on the page of a report: shown if a browser can show them, else named."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Collection, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from events.model import Recorded
from events.picture_notes import Attachment, attachments
from replay.paper.as_html import h
from replay.paper.as_markdown import md

SHOWN = {"jpeg": "image/jpeg", "png": "image/png", "webp": "image/webp"}
"""The formats that a browser shows within a page."""
MOST_SHOWN = 4_000_000
"""The largest image included in a page, in bytes, as pages are sent around; a larger one is named."""
HEADING = "Pictures"


class PagePicture(Struct, frozen=True):
    """An image on a page: the attachment, and its bytes as a data URL, "" if they are not to be shown."""

    of: Attachment
    address: str = ""


def pictures_in(
    records: Iterable[Recorded], numbers: Collection[int], struck: Collection[int] = (),
) -> tuple[PagePicture, ...]:
    """The images of some events, and those of the whole match, except those with a struck note."""
    found = (one for one in attachments(records) if one.n not in struck)
    return tuple(PagePicture(one) for one in found if not one.refs or not set(one.refs).isdisjoint(numbers))


def with_bytes(pictures: Sequence[PagePicture], read: Callable[[Attachment], bytes | None]) -> tuple[PagePicture, ...]:
    """Add the bytes of those images that are available and can be shown."""
    out = []
    for one in pictures:
        data = read(one.of) if one.of.kind in SHOWN and one.of.size <= MOST_SHOWN and not one.of.removed else None
        address = "" if data is None else f"data:{SHOWN[one.of.kind]};base64,{b64encode(data).decode()}"
        out.append(replace(one, address=address))
    return tuple(out)


def caption(one: PagePicture) -> str:
    """The caption below an image, or instead of it."""
    about = (
        f"on event{'s' * (len(one.of.refs) != 1)} {', '.join(map(str, one.of.refs))}" if one.of.refs else "of the match"
    )
    gone = f"; its copy was removed at event {one.of.removed}" if one.of.removed else ""
    text = f": {one.of.text}" if one.of.text else ""
    return f"{one.of.n}, {about}{text} ({one.of.about}{gone}; SHA-256 {one.of.sha256})"


def html_pictures(pictures: Sequence[PagePicture]) -> list[str]:
    """The images as a section of HTML; empty if there are none."""
    if not pictures:
        return []
    out = ['<section class="small">', f"<h2>{HEADING}</h2>"]
    for one in pictures:
        out.append('<figure style="margin: 0 0 .8em; break-inside: avoid">')
        if one.address:
            out.append(
                f'<img alt="{h(one.of.text or "picture")}" src="{one.address}" style="max-width: 100%; '
                'max-height: 24cm">'
            )
        out += [f'<figcaption style="overflow-wrap: anywhere">{h(caption(one))}</figcaption>', "</figure>"]
    return [*out, "</section>"]


def markdown_pictures(pictures: Sequence[PagePicture]) -> list[str]:
    """The captions of the images as lines of Markdown; empty if there are none."""
    return ["", f"## {HEADING}", "", *(f"- {md(caption(one))}" for one in pictures)] if pictures else []
