"""What a page may import, one line a name: the promise of docs/api.md, kept in `tests/page_api.txt`.

    KIBITZ_REWRITE=1 python -m pytest tests/test_api.py -k page
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from events.model import EVENT_TYPES
from reducers import model, page, words

ROOT = Path(__file__).parent.parent
PARTS = ("Game", "Dealing", "MatchRules", "Judging", "Omissions", "Shorthand", "Display", "Simulation", "Phase")


def public_names() -> Iterator[str]:
    """Each public name with what it takes: `reducers.page.hand_score(state, points, lines=, *, contract=)`."""
    for name in sorted(page.__all__):
        yield told(f"reducers.page.{name}", getattr(page, name))
    for part in PARTS:
        yield told(f"reducers.model.{part}", getattr(model, part))
    for event in EVENT_TYPES:
        yield told(f"events.model.{event.__name__}", event)
    used = names_used_elsewhere()
    for module in sorted(one.name for one in pkgutil.iter_modules(words.__path__)):
        found = importlib.import_module(f"reducers.words.{module}")
        for name in sorted(used[found.__name__]):
            yield told(f"{found.__name__}.{name}", getattr(found, name))


def names_used_elsewhere() -> dict[str, set[str]]:
    """The names that a page, a plugin or another module of words imports, by the module they are imported from."""
    used: dict[str, set[str]] = defaultdict(set)
    for path in (*ROOT.glob("reducers/**/*.py"), *ROOT.glob("examples/plugins/**/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                used[node.module or ""].update(one.name for one in node.names)
    return used


def told(name: str, value: object) -> str:
    """A line for a function with its parameters, for a record with its fields, for anything else with its name."""
    if inspect.isfunction(value) or (isinstance(value, type) and issubclass(value, msgspec.Struct)):
        return f"{name}({', '.join(parameters(value))})"
    return name


def parameters(function: Any) -> Iterator[str]:
    starred = False
    for one in inspect.signature(function).parameters.values():
        if one.kind is inspect.Parameter.KEYWORD_ONLY and not starred:
            starred = True
            yield "*"
        starred = starred or one.kind is inspect.Parameter.VAR_POSITIONAL
        mark = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(one.kind, "")
        yield f"{mark}{one.name}{'' if mark or one.default is inspect.Parameter.empty else '='}"


def broken_promises(before: list[str], now: list[str]) -> list[str]:
    """The names that are gone, or take something else: more may be added, with a default, behind or by name."""
    there = {line.partition("(")[0]: line for line in now}
    return [line for line in before if line not in now and not still_takes(line, there.get(line.partition("(")[0], ""))]


def still_takes(before: str, now: str) -> bool:
    """True if every call that was right is right now."""
    if not now or ("(" in before) != ("(" in now):
        return False
    was, takes = (
        line.partition("(")[2].rstrip(")").split(", ") if line.partition("(")[2] != ")" else []
        for line in (before, now)
    )
    by_name = [one.rstrip("=") for one in takes]
    in_place = was[: was.index("*")] if "*" in was else was
    same_place = all(
        one.rstrip("=") == by_name[i] for i, one in enumerate(in_place) if i < len(by_name)
    ) and len(in_place) <= len(by_name)
    kept = all(one.rstrip("=") in by_name for one in was if one != "*")
    needs = [one for one in takes if not one.endswith("=") and not one.startswith("*")]
    return same_place and kept and all(one in was for one in needs)
