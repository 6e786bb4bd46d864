"""The possible values of the house rules in words, for messages about a wrong one."""

from __future__ import annotations

from typing import Any

import msgspec

from events.name_lists import one_of
from events.suggestions import names_meant
from reducers.model import Game


def unknown_rule(game: Game, name: str) -> tuple[str, str]:
    """The message for an option that a game does not have, and the expected names: similar ones, or all."""
    known = game.options.__struct_fields__
    return f"{game.name} has no option {name[:60]!r}", one_of(names_meant(name, known) or sorted(known)) or "none"


def wrong_value(game: Game, name: str, value: object) -> str:
    """The message for a wrong value of a house rule.

    >>> from reducers.registry import find_game
    >>> wrong_value(find_game("kaiser"), "target", "abc")
    "target is a whole number from 1 to 999, not 'abc'"
    """
    return f"{name} is {_expected(game, name)}, not {str(value)[:60]!r}"


def _expected(game: Game, name: str) -> str:
    info: Any = msgspec.inspect.type_info(game.options)
    kind = next(field.type for field in info.fields if field.name == name)
    said = ""
    if isinstance(kind, msgspec.inspect.Metadata):
        said, kind = str((kind.extra_json_schema or {}).get("description", "")), kind.type
    match kind:
        case msgspec.inspect.IntType(ge=least, le=most):
            return "a whole number" + (
                f" from {least} to {most}" if least is not None and most is not None else f" from {least} on"
                if least is not None else ""
            )
        case msgspec.inspect.BoolType():
            return "yes or no"
        case msgspec.inspect.LiteralType(values=values):
            return one_of({True: "yes", False: "no"}[value] if isinstance(value, bool) else value for value in values)
    most = getattr(kind, "max_length", None)
    return f"text{f' of at most {most} characters' if most else ''} ({said})"


__all__ = ["unknown_rule", "wrong_value"]
