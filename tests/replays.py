"""The example records as replays, each worked out once for all tests of a run."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from events.model import Recorded
from records import load_file
from replay.viewer.document import document
from replay.viewer.page import replay_html

EXAMPLES = sorted((Path(__file__).resolve().parents[1] / "examples").glob("*.kib"))


@cache
def records_of(path: Path) -> tuple[Recorded, ...]:
    """The log of an example."""
    return tuple(load_file(str(path)).records)


@cache
def made_of(path: Path) -> dict[str, Any]:
    """The replay of an example; nobody changes it."""
    return document(records_of(path))


@cache
def doc_of(path: Path) -> dict[str, Any]:
    """The same, as a page has it."""
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(made_of(path)))
    return found


@cache
def page_of(path: Path) -> str:
    """The page of an example."""
    return replay_html(made_of(path))


def example(name: str) -> Path:
    """An example by its name."""
    return next(path for path in EXAMPLES if path.stem == name)
