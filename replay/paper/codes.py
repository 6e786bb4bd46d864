"""QR codes of addresses."""

from __future__ import annotations

from events.errors import UsageError, needs_extra


def svg_code(url: str) -> str:
    """The QR code of an address, as SVG. Raises UsageError if segno is not installed."""
    with needs_extra("a code for an address", "sheets"):
        import segno
    return str(segno.make(url, error="m", micro=False).svg_inline(border=2, light="#fff", omitsize=True))


def code_if_drawn(url: str) -> str:
    """The same, or "" without an address or without segno."""
    try:
        return svg_code(url) if url else ""
    except UsageError:
        return ""
