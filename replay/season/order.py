"""Change the tags of an opening that place a match in a season: its title, its day, whether it is a trial.

This is a correction like any other: the opening is replaced by one with other tags, and the old one stays in the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from events.errors import UsageError
from events.match_tags import WRITTEN_TAGS
from events.model import Fix, Open, Recorded
from replay.fold import corrected

TRIAL = "Trial"
YES = (True, "yes", "Yes", 1)
"""The values of a tag that mean "yes"."""


def retagged(records: Iterable[Recorded], changes: Mapping[str, Any]) -> Fix | None:
    """The correction that gives the opening these tags (None removes a tag); None if it has them already."""
    opening = corrected(records).opening
    wanted = {tag: value for tag, value in {**opening.facts, **changes}.items() if value is not None}
    return None if wanted == opening.facts else Fix(
        by="@", at=0, how="replace", event=Open(by=opening.by, facts=wanted),
    )


def is_trial(records: Iterable[Recorded]) -> bool:
    """True if a match is marked as a trial, which no table counts. Raises UnreadableError for a log without its
    opening."""
    return corrected(records).opening.facts.get(TRIAL) in YES


def checked_tags(changes: Mapping[str, str | None]) -> dict[str, str | None]:
    """The tags for these changes, by the keys of `WRITTEN_TAGS`; an empty text removes a tag. Raises UsageError."""
    from datetime import date

    from events.visible_text import NAME, is_name

    out: dict[str, str | None] = {}
    for key, value in changes.items():
        if value is None:
            continue
        text = value.strip()
        if text and not is_name(text):
            raise UsageError(f"this cannot be the {key} of a match", expected=NAME)
        if text and key == "date":
            try:
                text = date.fromisoformat(text).isoformat()
            except ValueError:
                raise UsageError(f"{text[:40]!r} is not a day", expected="2026-03-14") from None
        out[WRITTEN_TAGS[key]] = text or None
    return out
