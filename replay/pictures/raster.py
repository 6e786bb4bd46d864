"""Pictures in pixels: a position as PNG, a hand as GIF."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import Any

from replay.pictures.needed import needed
from replay.pictures.type import FAMILY, font_files

SHARP = 2
"""How many pixels of a PNG there are to one of the drawing: it is looked at on screens that have so many."""
STANDS, STAYS = 1200, 4000
"""How long an event stands in a GIF, in thousandths of a second, and how long the last one stays."""
COLOURS = 128
"""How many colours a GIF has; those of the style are among them, the others are what lies between them at an edge."""
_COLOUR = re.compile(r"#([0-9a-f]{6}|[0-9a-f]{3})\b")


class Raster:
    """Turns drawings into pixels, with the fonts that came along and no others: a picture looks alike on every machine."""

    def __init__(self, fonts: list[str]) -> None:
        self.fonts = fonts

    def png(self, svg: str, zoom: int = SHARP) -> bytes:
        """A drawing as PNG."""
        with needed():
            from resvg_py import svg_to_bytes

        return bytes(svg_to_bytes(
            svg_string=svg, zoom=zoom, skip_system_fonts=True, font_files=self.fonts, font_family=FAMILY,
            sans_serif_family=FAMILY,
        ))  # fmt: skip

    def gif(self, draw: Callable[[int], str], events: Sequence[int]) -> bytes:
        """The drawings of some events, all of one size, one after the other and over and over. A frame is kept in one byte a
        pixel, so that a long hand fits the memory."""
        with needed():
            from PIL import Image

        # One palette for all, so that nothing that stays where it is changes its colour.
        palette = self._palette([draw(n) for n in events[:: max(1, len(events) // 8)]])
        frames = (self._pixels(draw(n)).quantize(palette=palette, dither=Image.Dither.NONE) for n in events)
        out, first = BytesIO(), next(frames)
        stands = [*[STANDS] * (len(events) - 1), STAYS]
        first.save(out, "GIF", save_all=True, append_images=frames, loop=0, duration=stands, optimize=False)
        return out.getvalue()

    def _pixels(self, svg: str) -> Any:
        """A drawing as an image."""
        from PIL import Image

        return Image.open(BytesIO(self.png(svg, 1))).convert("RGB")

    def _palette(self, drawings: Sequence[str]) -> Any:
        """The colours of some drawings, as an image that has them. What their style names is kept as it is: amber may not become
        the red of hearts because it was not seen yet."""
        from PIL import Image

        named = dict.fromkeys(_part(found) for svg in drawings for found in _COLOUR.findall(svg))
        some = [self._pixels(svg) for svg in drawings]
        sheet = Image.new("RGB", (some[0].width, some[0].height * len(some)))
        for i, frame in enumerate(some):
            sheet.paste(frame, (0, i * frame.height))
        between = sheet.quantize(COLOURS - len(named)).getpalette() or []
        out = Image.new("P", (1, 1))
        out.putpalette([*(part for colour in named for part in colour), *between[: 3 * (COLOURS - len(named))]])
        return out


def _part(written: str) -> tuple[int, int, int]:
    """A colour of a style in its three parts.

    >>> _part("fff"), _part("a35f00")
    ((255, 255, 255), (163, 95, 0))
    """
    whole = written if len(written) == 6 else "".join(sign * 2 for sign in written)
    return int(whole[:2], 16), int(whole[2:4], 16), int(whole[4:], 16)


@contextmanager
def raster() -> Iterator[Raster]:
    """What turns drawings into pixels, with its fonts at hand."""
    with font_files() as files:
        yield Raster(files)


__all__ = ["Raster", "raster"]
