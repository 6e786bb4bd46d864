"""A replay as one self-contained HTML file: the text, the data, the viewer.

Nothing is loaded from elsewhere. A content security policy in its head allows only its own scripts and style, each by
hash: the compressed viewer, and a few lines that unpack it. Text from a record is escaped, in the page and in the
data, so that no name can end an element.
"""

from __future__ import annotations

import gzip
from base64 import b64encode
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Any

import msgspec

from events.visible_text import visible
from replay.languages.translate import script_spoken, spoken_language
from replay.paper.as_html import h
from replay.viewer.bundle import script, style, unpacking
from replay.viewer.text_page import heading, match_summary, replay_narration

PACKED_FROM = 16_000
"""Data with fewer bytes are included as they are, larger ones compressed."""
_ESCAPED = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


def replay_html(doc: Mapping[str, Any], code: str = "") -> str:
    """The file of a replay; `doc` comes from `replay.viewer.document`, `code` is the QR code of its address, for the
    printed page."""
    raw = escaped_hidden(msgspec.json.encode(doc))
    viewer, first, look = script_spoken(script()), unpacking(), style()
    policy = "; ".join([
        "default-src 'none'", f"script-src {hashed(first)} {hashed(viewer)}", f"style-src {hashed(look)}",
        "img-src data: blob:", "base-uri 'none'", "form-action 'none'",
    ])  # fmt: skip
    plain = msgspec.json.decode(raw)
    return "\n".join([
        "<!DOCTYPE html>",
        f'<html lang="{spoken_language()}">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        '<meta name="color-scheme" content="light dark">',
        f'<meta name="description" content="{h(match_summary(plain))}">',
        *([f'<link rel="canonical" href="{h(plain["url"])}">'] if plain["url"] else []),
        f"<title>{h(heading(plain))}</title>",
        f"<style>{look}</style>",
        "</head>",
        "<body>",
        f'<div id="kibitz">{replay_narration(plain)}</div>',
        *(
            [f'<footer class="found-at"><p><a href="{h(plain["url"])}">{h(plain["url"])}</a></p>{code}</footer>']
            if plain["url"] else []
        ),
        data(raw),
        f'<script type="application/gzip" id="kibitz-viewer">{packed(viewer.encode())}</script>',
        f'<script type="module">{first}</script>',
        "</body>",
        "</html>",
        "",
    ])  # fmt: skip


def data(raw: bytes) -> str:
    """The data of a page as a script element that is not executed."""
    if len(raw) < PACKED_FROM:
        return f'<script type="application/json" id="kibitz-data">{as_block(raw)}</script>'
    return f'<script type="application/gzip" id="kibitz-data">{packed(raw)}</script>'


@lru_cache(maxsize=4)
def packed(raw: bytes) -> str:
    """Compressed bytes in base64."""
    return b64encode(gzip.compress(raw, 9, mtime=0)).decode()


def escaped_hidden(raw: bytes) -> bytes:
    r"""The same JSON with hidden characters in texts as visible escapes: a name must not reverse a line of the page.

    >>> escaped_hidden(msgspec.json.encode({"N": "An\u202ena"}))
    b'{"N":"An\\\\u202ena"}'
    """
    text = raw.decode()
    if text.isprintable() and "\\u00" not in text:
        return raw
    return msgspec.json.encode(_shown(msgspec.json.decode(raw)))


def _shown(value: Any) -> Any:
    """A JSON value with hidden characters in its texts made visible, except line ends."""
    if isinstance(value, str):
        return visible(value, keep="\n")
    if isinstance(value, list):
        return [_shown(one) for one in value]
    if isinstance(value, dict):
        return {visible(name): _shown(one) for name, one in value.items()}
    return value


def as_block(raw: bytes) -> str:
    """JSON escaped for a page.

    >>> as_block(b'{"N": "</script><b>"}')
    '{"N": "\\\\u003c/script\\\\u003e\\\\u003cb\\\\u003e"}'
    """
    return raw.decode().translate(_ESCAPED)


def hashed(text: str) -> str:
    """The hash of a script or a style for a policy."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
