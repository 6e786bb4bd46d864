"""The tags that identify a match, other than its game and players: the only list of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

TITLE = "Event"
WRITTEN_TAGS = {"title": TITLE, "round": "Round", "table": "Table", "place": "Place", "date": "Date"}
"""The name of each tag in commands, forms and the service, and the tag that they write."""
SHOWN_TAGS = (TITLE, "Round", "Table", "Site", "Place", "Date")
"""The tags shown at the head of a page, in this order. Other programs write the place as `Site`."""


def shown_tags(facts: Mapping[str, Any], *more: str) -> Iterator[tuple[str, Any]]:
    """The shown tags of an opening, then the tags `more`, without values that are empty or `?`.

    >>> dict(shown_tags({"Game": "kaiser", "Date": "2026-03-14", "Event": "?", "Scorer": "Ann"}, "Scorer"))
    {'Date': '2026-03-14', 'Scorer': 'Ann'}
    """
    return ((tag, facts[tag]) for tag in (*SHOWN_TAGS, *more) if facts.get(tag) not in (None, "", "?"))
