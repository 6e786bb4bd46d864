"""Images in pixels: a position as PNG, a hand as GIF."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import Any

from events.errors import needs_extra
from replay.pictures.type import FAMILY, font_files

SHARP = 2
"""Pixels of a PNG per pixel of the drawing, for high-resolution screens."""
STANDS, STAYS = 1200, 4000
"""The duration of an event in a GIF, and of the last one, in milliseconds."""
COLOURS = 128
"""Colours in a GIF: those of the style, and others for blended edges."""
_COLOUR = re.compile(r"#([0-9a-f]{6}|[0-9a-f]{3})\b")


class Raster:
    """Turns drawings into pixels, only with the bundled fonts, so that an image looks the same on every machine."""

    def __init__(self, fonts: list[str]) -> None:
        self.fonts = fonts

    def png(self, svg: str, zoom: int = SHARP) -> bytes:
        """A drawing as PNG."""
        with needs_extra("a picture", "pictures"):
            from resvg_py import svg_to_bytes

        return bytes(svg_to_bytes(
            svg_string=svg, zoom=zoom, skip_system_fonts=True, font_files=self.fonts, font_family=FAMILY,
            sans_serif_family=FAMILY,
        ))  # fmt: skip

    def gif(self, draw: Callable[[int], str], events: Sequence[int]) -> bytes:
        """The drawings of some events, all of one size, as a loop. A frame takes one byte per pixel, so that a long
        hand fits into memory."""
        with needs_extra("a picture", "pictures"):
            from PIL import Image

        # One palette for all frames, so that unchanged parts keep their colour.
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
        """The palette of some drawings, as an image. Colours named in their style are kept exactly: amber must not
        become the red of hearts because no sampled frame has it."""
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
    """A CSS colour as red, green and blue.

    >>> _part("fff"), _part("a35f00")
    ((255, 255, 255), (163, 95, 0))
    """
    whole = written if len(written) == 6 else "".join(sign * 2 for sign in written)
    return int(whole[:2], 16), int(whole[2:4], 16), int(whole[4:], 16)


@contextmanager
def raster() -> Iterator[Raster]:
    """A rasterizer with its font files."""
    with font_files() as files:
        yield Raster(files)
