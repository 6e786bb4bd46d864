"""Lists of names in a sentence."""

from __future__ import annotations

from collections.abc import Iterable


def one_of(names: Iterable[object]) -> str:
    """The names joined by commas and "or"; empty if there are none.

    >>> one_of(["Ann"]), one_of(["Ann", "Ben"]), one_of(["Ann", "Ben", "Cleo"]), one_of([])
    ('Ann', 'Ann or Ben', 'Ann, Ben or Cleo', '')
    """
    *all_but_last, last = list(map(str, names)) or [""]
    return f"{', '.join(all_but_last)} or {last}" if all_but_last else last


__all__ = ["one_of"]
