"""The fonts of an image: the width of a text, and the font files.

A bare machine has no fonts, so they come from a package: FiraGO, and Noto for the suit symbols in sentences. The
symbols on the cards are paths of our own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from events.errors import needs_extra

PLAIN, STRONG, SYMBOLS = "figo", "figbo", ("symbol1", "symbol2", "math")
"""The fonts, by their names in the package."""
FAMILY = "FiraGO"
_SIZE = 100


@cache
def font(name: str) -> bytes:
    """A font of the package."""
    with needs_extra("a picture", "pictures"):
        from pymupdf_fonts import myfont

    found: bytes = myfont(name)
    return found


@cache
def _measured_with(strong: bool) -> Any:
    with needs_extra("a picture", "pictures"):
        from PIL import ImageFont

    # Every build of Pillow has the basic layout, so a text has the same width in each.
    return ImageFont.truetype(BytesIO(font(STRONG if strong else PLAIN)), _SIZE, layout_engine=ImageFont.Layout.BASIC)


def text_width(text: str, size: float, strong: bool) -> float:
    """The width of a text in pixels of the image."""
    return float(_measured_with(strong).getlength(text)) * size / _SIZE


@contextmanager
def font_files() -> Iterator[list[str]]:
    """The fonts as files, while the block runs."""
    with TemporaryDirectory(prefix="kibitz-fonts-") as folder:
        files = []
        for name in (PLAIN, STRONG, *SYMBOLS):
            path = Path(folder) / f"{name}.ttf"
            path.write_bytes(font(name))
            files.append(str(path))
        yield files
