"""What is offered when a record does not fit together: one correction, the line to type, what it would settle.

Only the shapes; `replay.repair` finds them. They stand apart so that a finding can say on which offer it depends.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from events.model import Fix

Kind = Literal["insert", "blank", "swap", "strike"]


class Ref(Struct, frozen=True):
    """A finding by its rule and the position it is about."""

    rule: str
    pos: int


class Repair(Struct, frozen=True):
    """One correction of the recorder that would explain what was found; nothing is changed until somebody types it.

    `fixes` are the events to append, `lines` the same as they are typed. `at` is the position corrected (behind which
    something is put in), `ties` the positions where a correction of this kind does just as well, itself included.
    `kind`: an act put in that was not written, a card read as unseen, two neighbours swapped, a doubled line struck.
    `removes` are the findings that would be gone, `leaves` how many broken findings of this hand would stand all the
    same. `text` says it in a sentence. `after` are the lines of the corrections that come before this one, where it is
    about what these leave; empty for a correction that stands alone.
    """

    fixes: tuple[Fix, ...]
    at: int
    hand: int
    kind: Kind
    removes: tuple[Ref, ...]
    leaves: int
    text: str
    lines: tuple[str, ...]
    ties: tuple[int, ...] = ()
    after: tuple[str, ...] = ()


__all__ = ["Kind", "Ref", "Repair"]
