"""Suggestions for an unknown word: known names that resemble it or contain it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from events.name_lists import one_of

MOST_MEANT = 3
"""The most names that are suggested."""


def names_meant(typed: str, known: Iterable[str]) -> list[str]:
    """The known names that resemble a word, else those that contain it; the likeliest first, at most `MOST_MEANT`.

    >>> [names_meant(typed, ["kaiser", "turnover-bridge", "scopa"]) for typed in ("Kaizer", "bridge", "zzz")]
    [['kaiser'], ['turnover-bridge'], []]
    """
    from difflib import get_close_matches  # imported late: needed only for an error

    names = {_plain(name): name for name in known}
    word = _plain(typed[:80])
    found = get_close_matches(word, names, n=MOST_MEANT, cutoff=0.65) or [
        name for name in names if len(word) > 2 and word in name
    ]
    return [names[name] for name in found[:MOST_MEANT]]


def did_you_mean(typed: str, known: Iterable[str]) -> str:
    """A question with the names that may be meant; empty if there are none.

    >>> did_you_mean("taget", ["target", "hands"]), did_you_mean("zzz", ["target"])
    ('Did you mean target?', '')
    """
    found = names_meant(typed, known)
    return f"Did you mean {one_of(found)}?" if found else ""


def _plain(text: str) -> str:
    """A word in lower case, without accents, its parts joined by `-`."""
    letters = unicodedata.normalize("NFKD", text.strip().lower()).encode("ascii", "ignore").decode()
    return "-".join(letters.replace("_", " ").replace("-", " ").split())


__all__ = ["did_you_mean", "names_meant"]
