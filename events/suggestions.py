"""What was meant by a word that is not known: the known names that it is a part of or resembles."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from events.name_lists import one_of

MOST_MEANT = 3
"""At most this many names are offered."""


def names_meant(typed: str, known: Iterable[str]) -> list[str]:
    """The known names that a word resembles, else those that it is a part of; the likeliest first, at most `MOST_MEANT`.

    >>> names_meant("Kaizer", ["kaiser", "kowah"]), names_meant("bridge", ["turnover-bridge", "scopa"]), names_meant("zzz", ["scopa"])
    (['kaiser'], ['turnover-bridge'], [])
    """
    from difflib import get_close_matches  # needed only if something is already wrong

    names = {_plain(name): name for name in known}
    word = _plain(typed[:80])
    found = get_close_matches(word, names, n=MOST_MEANT, cutoff=0.65) or [name for name in names if len(word) > 2 and word in name]
    return [names[name] for name in found[:MOST_MEANT]]


def did_you_mean(typed: str, known: Iterable[str], form: str = "{}") -> str:
    """The question after the names that may be meant, each written as `form` says; empty if there is none.

    >>> did_you_mean("taget", ["target", "hands"]), did_you_mean("zzz", ["target"])
    ('Did you mean target?', '')
    """
    found = names_meant(typed, known)
    return f"Did you mean {one_of(form.format(name) for name in found)}?" if found else ""


def _plain(text: str) -> str:
    """A word without case, accents and the way in which its parts are joined."""
    letters = unicodedata.normalize("NFKD", text.strip().lower()).encode("ascii", "ignore").decode()
    return "-".join(letters.replace("_", " ").replace("-", " ").split())


__all__ = ["did_you_mean", "names_meant"]
