"""The fast path from a command line to its command: runs valid, simple lines without the parser.

Loading the parser takes a quarter of the time of a short command. So this module handles a line itself if it has only
words that the command names, each once, with values that need no checking. Everything else goes to the parser: a
mistake, help, completion, a value with bounds, words that may begin with a dash. Both read the same description of
the command.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from cli.command_index import COMMANDS_BY_MODULE, WITH_VALUE, asked_for
from cli.options import OptionWord
from cli.shell import COMMANDS, CommandSpec


class Plain(NamedTuple):
    """A valid command line: the command, its arguments, and the global options."""

    function: Callable[..., None]
    given: dict[str, Any]
    settings: dict[str, str]


def short_command(args: Sequence[str]) -> Plain | None:
    """The command and arguments of a command line. None if the parser has to handle it."""
    name = asked_for(args)
    if name is None or "_KIBITZ_COMPLETE" in os.environ:
        return None
    room = next(room for room, commands in COMMANDS_BY_MODULE.items() if name in commands)
    importlib.import_module(f"cli.{room}")
    command = COMMANDS.get(name)
    return None if command is None or command.free else _taken(command, list(args), name)


def _taken(command: CommandSpec, args: list[str], name: str) -> Plain | None:
    at = args.index(name)
    before, words = args[:at], args[at + 1 :]
    if any(value == name for value in before):
        return None
    settings: dict[str, str] = {}
    if not _settings(before, settings):
        return None
    function = command.function
    parameters = function.__code__.co_varnames[: function.__code__.co_argcount]
    kinds = {parameter: _kind(function.__annotations__.get(parameter)) for parameter in parameters}
    if function.__code__.co_kwonlyargcount or None in kinds.values():
        return None
    options = {n: p for p, (_, word) in kinds.items() for n in word.names}  # type: ignore[misc]  # none is None, as was seen
    places = [p for p, (_, word) in kinds.items() if not word.names]  # type: ignore[misc]  # none is None, as was seen
    given: dict[str, Any] = {}
    left = iter(words)
    for word in left:
        option, sign, value = word.partition("=")
        if word == "-" or not word.startswith("-"):
            if not places or not word:
                return None
            if kinds[places[0]][0] == list[str]:  # type: ignore[index]  # none is None, as was seen
                given.setdefault(places[0], []).append(word)
            else:
                given[places.pop(0)] = word
        elif command.store and option in WITH_VALUE:
            if option in settings or not _settings([word, *([] if sign else [next(left, "")])], settings):
                return None
        elif (parameter := options.get(option)) is None or parameter in given:
            return None
        elif kinds[parameter][0] is bool:  # type: ignore[index]  # none is None, as was seen
            if sign:
                return None
            given[parameter] = True
        else:
            value = value if sign and option.startswith("--") else next(left, "") if not sign else ""
            told = _value(value, *kinds[parameter])  # type: ignore[misc]  # none is None, as was seen
            if told is None:
                return None
            given[parameter] = told
    needed = len(parameters) - len(function.__defaults__ or ())
    return Plain(function, given, settings) if given.keys() >= {*parameters[:needed]} else None


def _settings(words: list[str], settings: dict[str, str]) -> bool:
    """Store the global options. Return whether all these words are global options."""
    left = iter(words)
    for word in left:
        option, sign, value = word.partition("=")
        value = value if sign else next(left, "")
        if option not in WITH_VALUE or option in settings or not value or value.startswith("-"):
            return False
        settings[option] = value
    return True


def _kind(annotation: Any) -> tuple[Any, OptionWord] | None:
    """The type of a parameter and its description. None if the fast path cannot handle it."""
    said = getattr(annotation, "__metadata__", (None,))[0]
    kind = getattr(annotation, "__origin__", None)
    if not isinstance(said, OptionWord) or (
        kind not in (str, bool, int, str | None, int | None) and (said.names or kind != list[str])
    ):
        return None
    return kind, said


def _value(value: str, kind: Any, word: OptionWord) -> str | int | None:
    """The value of an option. None if it needs checking."""
    if not value or value.startswith("-") or "min" in word.more or "max" in word.more:
        return None
    if kind in (str, str | None):
        return value
    return int(value) if value.isascii() and value.isdigit() and len(value) < 16 else None
