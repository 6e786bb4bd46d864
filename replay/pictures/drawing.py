"""Positions drawn as SVG, by the same JavaScript that draws them in a page.

The viewer draws the table with only as much of a page as `static/paper.js` provides, so it can run here in QuickJS:
one drawing for every output. Its text comes from the data of the replay, escaped as in a page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from events.errors import UsageError, needs_extra
from replay.pictures.type import text_width as width_of
from replay.viewer.bundle import drawing, style
from replay.viewer.page import escaped_hidden


class Drawing:
    """The positions of a replay as images of one width; `doc` comes from `replay.viewer.document`."""

    def __init__(self, doc: Mapping[str, Any], width: int, *, dark: bool = False) -> None:
        with needs_extra("a picture", "pictures"):
            from quickjs import Context

        # Missing fonts are detected here; the engine would only report a failure.
        width_of(" ", 15, False)
        self.doc: Any = msgspec.json.decode(escaped_hidden(msgspec.json.encode(doc)))
        # The engine must live as long as its drawings.
        self.engine = Context()
        self.engine.eval(drawing())
        self.engine.add_callable("measure", width_of)
        self.engine.set(
            "asked", msgspec.json.encode({"doc": self.doc, "css": style(), "width": width, "dark": dark}).decode(),
        )
        self.draw = self.engine.eval("pictures(asked, measure)")

    def svg(self, n: int, *, whole: bool = False) -> str:
        """The table after an event; with `whole`, as high and with cards as small as any position of its hand needs."""
        return str(self.draw(n, whole))


def drawing_if_installed(width: int) -> Callable[[Mapping[str, Any]], Callable[[int], str]] | None:
    """A function that draws the positions of a document as SVG; None if the packages for pictures are missing."""
    try:
        with needs_extra("a picture", "pictures"):
            import quickjs  # noqa: F401  # only whether it is there
        width_of(" ", 15, False)
    except UsageError:
        return None
    return lambda doc: Drawing(doc, width).svg
