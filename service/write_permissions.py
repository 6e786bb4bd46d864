"""Who may write what: event types and their fields by role.

A field not listed for a role is refused, just as one not listed in `replay.visibility.FIELDS` is not shown: a new
field of an event cannot be written from a browser until it is listed here. Facts reserved for commands of Kibitz are
refused everywhere (`replay.table.scribe.check_writable`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from events.model import Claim, Confirm, Dispute, Event, Fix, Note, Open, Ruling, verb_of
from replay.visibility import FIELDS, fields_of
from service.grants import Role

Fields = Mapping[type[Any], frozenset[str]]

SEAT: Fields = {
    Claim: frozenset({"by", "amount", "facts"}),
    Confirm: frozenset({"by", "refs"}),
    Dispute: frozenset({"by", "refs", "word"}),
}
"""What a player says for the record."""
RECORDER: Fields = {
    **{kind: FIELDS[kind] for kind in FIELDS if kind not in (Open, Ruling)}, Note: FIELDS[Note] | {"facts"}
}
"""What is played and said at a table, and corrections: the fields that the table sees. Kibitz itself finds and keeps
the verdict among the facts of an end."""
DIRECTOR: Fields = {**RECORDER, Open: FIELDS[Open], Ruling: FIELDS[Ruling]}
"""Also rulings, and changes of the terms."""
WRITABLE: dict[Role, Fields] = {"director": DIRECTOR, "recorder": RECORDER, "seat": SEAT, "spectator": {}}


def why_refused(role: Role, event: Event) -> str:
    """The reason why a role may not write an event; empty if it may. A correction is judged with its inner event."""
    fields = WRITABLE[role]
    if not fields:
        return "you may look on, and write nothing"
    for one in (event, event.event) if isinstance(event, Fix) and event.event is not None else (event,):
        listed = fields.get(type(one))
        if role == "recorder" and type(one) is Open and says_who_sits(one):
            continue
        if listed is None:
            if role == "seat":
                return "a player may claim, confirm and dispute; the recorder writes everything else"
            return (
                f"a {verb_of(one)} is written by the director" if type(one) in DIRECTOR
                else f"a {verb_of(one)} cannot be written here"
            )
        if beyond := sorted(_said(one) - listed):
            return f"the {' and '.join(beyond)} of a {verb_of(one)} cannot be written here"
    return ""


def says_who_sits(event: Open) -> bool:
    """True if an opening in mid-match only changes who sits at the table, by the letters of the seats."""
    return bool(event.facts) and all(key == "Seats" or (len(key) == 1 and key.isupper()) for key in event.facts)


def _said(event: Event) -> set[str]:
    """The fields of an event that differ from their defaults."""
    return {f.name for f in fields_of(type(event)) if getattr(event, f.name) != _unsaid(f)}


def _unsaid(field: msgspec.structs.FieldInfo) -> object:
    return field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
