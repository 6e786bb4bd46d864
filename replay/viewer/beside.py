"""Two records of the same hands in one page, the second beside the first: two recorders, or a match and its
variation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile, zip_longest
from typing import Any

from events.model import Recorded
from replay.comparing.diff import DiffRow, compared_logs
from replay.comparing.kept_verdict import is_variation
from replay.viewer.document import document


def side_by_side(a: Sequence[Recorded], b: Sequence[Recorded], names: tuple[str, str]) -> dict[str, Any]:
    """The document of record `a`, with that of `b` under `beside`, and how their events are paired.

    Raises UsageError for records of different games or seats, otherwise like `replay.viewer.document.document`.
    """
    _, rows, _ = compared_logs(list(a), list(b))
    one, two = document(a), document(b)
    told = _in_step(rows, one, two) if is_variation(a) or is_variation(b) else [
        _row(row) for row in rows if row.a or row.b
    ]
    # The text of the second record is left out: it is at hand as a file.
    return {**one, "beside": {"titles": names, "doc": {**two, "kib": ""}, "rows": [*told]}}


def _row(row: DiffRow) -> list[Any]:
    """The positions of an event in both records; if they do not agree, also how they differ, whether both cannot be
    true, and why."""
    return [row.a, row.b] if row.kind == "same" else [row.a, row.b, row.kind, row.real, row.why]


def _in_step(rows: Sequence[DiffRow], one: Mapping[str, Any], two: Mapping[str, Any]) -> Iterator[list[Any]]:
    """The rows of a variation: its events after the common ones are beside those of the match, one for one."""
    common = [_row(row) for row in takewhile(lambda row: row.kind == "same", rows)]
    yield from common
    ways = [{s.n: s.says for hand in doc["hands"] for s in hand["steps"]} for doc in (one, two)]
    left = [[n for n in says if n > max((row[i] for row in common), default=0)] for i, says in enumerate(ways)]
    for x, y in zip_longest(*left):
        if x is None or y is None:
            yield [x, y, "only b" if x is None else "only a", True, ""]
        else:
            yield [x, y] if ways[0][x] == ways[1][y] else [x, y, "different", True, ""]
