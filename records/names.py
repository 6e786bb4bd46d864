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
    good: set[str] = set()
    for r in records:
        # Most say the same as the one before.
        for what, name in (("recorder", r.recorder), ("key", r.key)):
            if name and name not in good:
                _check(name, r, what)
                good.add(name)
        if type(r.event) in (Open, Fix):
            for tag, name in _named(r):
                _check(name, None, f"tag {tag}")


def _check(name: str, recorded: Recorded | None, what: str) -> None:
    """Raise UnreadableError for a text that cannot be a name; what has no place in the match yet has no number."""
    if not is_name(name):
        where = f"event {recorded.n}, {what}" if recorded is not None and recorded.n < FAR else what
        raise UnreadableError(f"'{visible(name):.80}' cannot be a name", where=where, expected=NAME, todo="Nothing was written")


def _named(recorded: Recorded) -> Iterator[tuple[str, str]]:
    """The tags of a match with the names in them: those of seats and sides, whose tags are in capitals, and the place."""
    event = recorded.event.event if isinstance(recorded.event, Fix) else recorded.event
    if isinstance(event, Open):
        for tag, name in event.facts.items():
            if (tag.isupper() or tag == "Site") and isinstance(name, str):
                yield tag, name
