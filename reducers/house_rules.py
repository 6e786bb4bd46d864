"""The house rules of a game and their values in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from events.cards import SUIT_NAMES, is_face, pretty
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


def house_rules(game: Game) -> Mapping[str, tuple[str, Any]]:
    """The description of each house rule of a game by its name, with its type as `msgspec` inspects it."""
    info: Any = msgspec.inspect.type_info(game.options)
    parted = {
        field.name: (field.type.extra_json_schema or {}, field.type.type)
        if isinstance(field.type, msgspec.inspect.Metadata) else ({}, field.type)
        for field in info.fields
    }
    return {name: (str(more.get("description", "")), kind) for name, (more, kind) in parted.items()}


def rule_value(value: object) -> str:
    """A value of a house rule as players read it.

    >>> [rule_value(value) for value in (True, "dealer_forced", "2d", "s", 21)]
    ['yes', 'dealer forced', '2♦', 'spades', '21']
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value)
    return pretty(text) if is_face(text) else SUIT_NAMES.get(text) or text.replace("_", " ")


def choices_of(kind: Any) -> tuple[Any, ...]:
    """The values that a house rule may have; none if they are not listed."""
    if isinstance(kind, msgspec.inspect.BoolType):
        return (True, False)
    return tuple(kind.values) if isinstance(kind, msgspec.inspect.LiteralType) else ()


def words_of_house_rules(game: Game) -> Iterator[str]:
    """The descriptions of the house rules of a game, and the words among their values."""
    for description, kind in house_rules(game).values():
        yield description
        yield from (word for word in map(rule_value, choices_of(kind)) if word[0].isalpha())


def _expected(game: Game, name: str) -> str:
    said, kind = house_rules(game)[name]
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
