"""How the holder of a grant looks at a match, given the grant and the delay.

What an audience then sees is up to `replay.visibility`, the one function between the store and every output.
"""

from __future__ import annotations

from msgspec import Struct

from events.errors import UsageError
from replay import redact
from replay.visibility import Audience
from service.grants import Grant


class Delay(Struct, frozen=True):
    """How late spectators see a match: by tricks or turns, or by minutes."""

    late: int = 0
    minutes: float = 0.0


def delay_of(text: str) -> Delay:
    """Parse a delay: `2` or `2 tricks`, `5 minutes`, `5m`, empty for none. Raises UsageError.

    >>> delay_of("2 tricks"), delay_of("5m"), delay_of("")
    (Delay(late=2, minutes=0.0), Delay(late=0, minutes=5.0), Delay(late=0, minutes=0.0))
    """
    plain = text.strip().lower()
    digits = plain.rstrip("abcdefghijklmnopqrstuvwxyz ")
    unit = plain[len(digits) :].strip()
    if not plain:
        return Delay()
    if digits.isascii() and digits.isdigit() and len(digits) < 4:
        if unit in ("", "trick", "tricks", "turn", "turns"):
            return Delay(late=int(digits))
        if unit in ("m", "min", "minute", "minutes"):
            return Delay(minutes=float(digits))
    raise UsageError(f"{text[:40]!r} is not a delay", expected="2 tricks, or 5 minutes")


def audience_of(grant: Grant, opened: frozenset[int], delay: Delay) -> Audience:
    """The audience to which the holder of a grant belongs."""
    match grant.role:
        case "director":
            return Audience("all", remarks=True)
        case "recorder":
            return Audience(redact.PUBLIC, after=True, remarks=True)
        case "seat":
            return Audience(grant.seat, opened=opened)
        case _:
            return Audience(redact.PUBLIC, opened=opened, late=delay.late, minutes=delay.minutes)
