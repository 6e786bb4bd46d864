"""Checks of names and ids, wherever they come in: match ids, and names at an opening, with an append, or in a file."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from events.errors import UnreadableError, UsageError
from events.model import Fix, Open, Recorded
from events.visible_text import NAME, is_name, visible

FAR = 10**9
"""A number no match reaches; an event with a greater one has not been numbered yet."""
# Lower case only: an id also names files, and some file systems ignore case.
_ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
ID_ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"  # no 0 1 i l o, and no u, so that no common word comes out


def new_match_id(game: str) -> str:
    """A new id such as `kaiser-4f7k2m`: the game and six characters that are hard to confuse."""
    import secrets

    return f"{stem(game)}-{''.join(secrets.choice(ID_ALPHABET) for _ in range(6))}"


def stem(game: str) -> str:
    """The part of a match id that names the game.

    >>> stem("kaiser"), stem("Court Piece"), stem("")
    ('kaiser', 'court-piece', 'match')
    """
    return re.sub(r"[^a-z0-9]+", "-", game.lower()).strip("-")[:40] or "match"


def check_id(match: str) -> str:
    """The id itself if it is a valid match id. UsageError otherwise."""
    if not _ID.fullmatch(match):
        raise UsageError(
            f"{cut_short(match)!r} cannot be the id of a match",
            expected="up to 64 lower-case letters, digits, dots, dashes and underscores, a letter or digit first",
            todo=f"Call it {mended}" if (mended := _mended(match)) else "",
        )
    return match


def _mended(text: str) -> str:
    """A valid id similar to the text; empty if no character can be kept.

    >>> _mended("My match"), _mended("Café #3"), _mended("♥")
    ('my-match', 'cafe-3', '')
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9._]+", "-", plain).strip("-._")[:64]


def sidecar_path(path: Path, ending: str) -> Path:
    """The file beside the store at `path`, `NAME-ending`; a link is resolved first."""
    real = Path(os.path.realpath(path))
    return real.with_name(f"{real.name}-{ending}")


def cut_short(text: object) -> str:
    """The text of any value, cut at 240 characters. In a damaged store a value may be anything."""
    text = str(text)
    return text if len(text) <= 240 else text[:240] + "…"


def first_names(names: Sequence[object]) -> str:
    """The first five names, for a message."""
    return ", ".join(map(str, names[:5])) + (" …" if len(names) > 5 else "")


def check_names(records: Iterable[Recorded]) -> None:
    """Raise UnreadableError for an invalid name in new events: of a player, place or recorder, or a submission key."""
    good: set[str] = set()
    for r in records:
        # Most repeat the names of the event before, or have none.
        if r.recorder and r.recorder not in good:
            _check(r.recorder, r, "recorder")
            good.add(r.recorder)
        if r.key and r.key not in good:
            _check(r.key, r, "key")
            good.add(r.key)
        if type(r.event) in (Open, Fix):
            for tag, name in _named(r):
                _check(name, None, f"tag {tag}")


def _check(name: str, recorded: Recorded | None, what: str) -> None:
    """Raise UnreadableError for an invalid name. The message has no number for an event not numbered yet."""
    if not is_name(name):
        where = f"event {recorded.n}, {what}" if recorded is not None and recorded.n < FAR else what
        raise UnreadableError(
            f"'{visible(name):.80}' cannot be a name", where=where, expected=NAME, todo="Nothing was written",
        )


def _named(recorded: Recorded) -> Iterator[tuple[str, str]]:
    """The tags of a match that hold names: those of seats and sides (in capitals), and the place."""
    event = recorded.event.event if isinstance(recorded.event, Fix) else recorded.event
    if isinstance(event, Open):
        for tag, name in event.facts.items():
            if (tag.isupper() or tag == "Site") and isinstance(name, str):
                yield tag, name
