"""The tags that say which match it is, besides its game and its players: the only list of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

TITLE = "Event"
WRITTEN_TAGS = {"title": TITLE, "round": "Round", "table": "Table", "place": "Place", "date": "Date"}
"""What a command, a form and the service call each tag that they write."""
SHOWN_TAGS = (TITLE, "Round", "Table", "Site", "Place", "Date")
"""The tags shown at the head of a page, in this order. `Site` is what files of other programs call the place."""


def shown_tags(facts: Mapping[str, Any], *more: str) -> Iterator[tuple[str, Any]]:
    """The tags of an opening that are shown, and `more` after them; not those that are empty or `?`.

    >>> dict(shown_tags({"Game": "kaiser", "Date": "2026-03-14", "Event": "?", "Scorer": "Ann"}, "Scorer"))
    {'Date': '2026-03-14', 'Scorer': 'Ann'}
    """
    return ((tag, facts[tag]) for tag in (*SHOWN_TAGS, *more) if facts.get(tag) not in (None, "", "?"))
