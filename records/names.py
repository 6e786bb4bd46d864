"""What may be called a name, wherever it comes in: at the opening of a match, with an append, or in a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from events.errors import UnreadableError
from events.model import Fix, Open, Recorded
from events.visible import NAME, is_name, visible

FAR = 10**9
"""No match is so long: what stands there has yet to be given its place."""


def check_names(records: Iterable[Recorded]) -> None:
    """Raise UnreadableError for a name in new events that none can be: of a player, of a place, of whoever typed, or a key."""
    said: dict[str, str] = {}
    for r in records:
        # Most say the same as the one before; the place is that of the first that says it.
        if r.recorder and r.recorder not in said:
            said[r.recorder] = _placed(r, "recorder")
        if r.key and r.key not in said:
            said[r.key] = _placed(r, "key")
        if type(r.event) in (Open, Fix):
            for where, name in _named(r):
                said.setdefault(name, where)
    for name, where in said.items():
        if not is_name(name):
            raise UnreadableError(
                f"'{visible(name):.80}' cannot be a name", where=where, expected=NAME, todo="Nothing was written"
            )


def _placed(recorded: Recorded, what: str) -> str:
    """Where a name stands; what has no place in the match yet has no number."""
    return f"event {recorded.n}, {what}" if recorded.n < FAR else what


def _named(recorded: Recorded) -> Iterator[tuple[str, str]]:
    """The names in the terms of a match: those of seats and sides, whose tags are in capitals, and the place."""
    event = recorded.event.event if isinstance(recorded.event, Fix) else recorded.event
    if isinstance(event, Open):
        for tag, name in event.facts.items():
            if (tag.isupper() or tag == "Site") and isinstance(name, str):
                yield f"tag {tag}", name
