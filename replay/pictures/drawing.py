"""Positions drawn as SVG, by the same JavaScript that draws them in a page.

The viewer lays a table as data and draws it with as little of a page as `static/paper.js` has. So it can run here, in QuickJS:
one drawing, whoever shows it. What the picture says comes from the data of the replay, escaped as in a page.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from replay.pictures.needed import needed
from replay.pictures.type import text_width as width_of
from replay.viewer.bundle import drawing, style
from replay.viewer.page import escaped_hidden


class Drawing:
    """The positions of a replay as pictures of one width; `doc` is what `replay.viewer.document` makes."""

    def __init__(self, doc: Mapping[str, Any], width: int, *, dark: bool = False) -> None:
        with needed():
            from quickjs import Context

        # If the fonts are missing it is said here: the engine would only say that something failed.
        width_of(" ", 15, False)
        self.doc: Any = msgspec.json.decode(escaped_hidden(msgspec.json.encode(doc)))
        # The engine lives as long as what it draws.
        self.engine = Context()
        self.engine.eval(drawing())
        self.engine.add_callable("measure", width_of)
        self.engine.set("asked", msgspec.json.encode({"doc": self.doc, "css": style(), "width": width, "dark": dark}).decode())
        self.draw = self.engine.eval("pictures(asked, measure)")

    def svg(self, n: int, *, whole: bool = False) -> str:
        """The table after an event; for `whole`, as high and with cards as small as any position of its hand needs it."""
        return str(self.draw(n, whole))


__all__ = ["Drawing"]
