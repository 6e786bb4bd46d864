"""The short way from a command line to its command: for a line that is plainly in order, without the parser.

Loading the parser takes a quarter of the time of a short command. So a line whose words are those that the command names, each
once and with a value that needs no judgement, is taken apart here; anything else (a mistake, help, completion, a value that has
bounds, words that may begin with a dash) goes the long way. Both ways read the same description of the command.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from cli.command_index import ROOMS, WITH_VALUE, asked_for
from cli.options import OptionWord


class _Command(NamedTuple):
    function: Callable[..., None]
    store: bool
    free: bool


class Collection:
    """What a room registers, for the short way."""

    def __init__(self) -> None:
        self.commands: dict[str, _Command] = {}

    def add(self, name: str, function: Callable[..., None], *, store: bool, free: bool) -> None:
        """Take a command in."""
        self.commands[name] = _Command(function, store, free)


class Plain(NamedTuple):
    """A command line that is in order: the command, what it is given, and the options that are the same everywhere."""

    function: Callable[..., None]
    given: dict[str, Any]
    settings: dict[str, str]


def short_command(args: Sequence[str]) -> Plain | None:
    """What a command line asks for; None if it has to go the long way."""
    name = asked_for(args)
    if name is None or "_KIBITZ_COMPLETE" in os.environ:
        return None
    found = Collection()
    room = next(room for room, commands in ROOMS.items() if name in commands)
    importlib.import_module(f"cli.{room}").register(found)
    command = found.commands.get(name)
    return None if command is None or command.free else _taken(command, list(args), name)


def _taken(command: _Command, args: list[str], name: str) -> Plain | None:
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
    places = [p for p, (_, word) in kinds.items() if not word.names]  # type: ignore[misc]
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
        elif kinds[parameter][0] is bool:  # type: ignore[index]
            if sign:
                return None
            given[parameter] = True
        else:
            value = value if sign and option.startswith("--") else next(left, "") if not sign else ""
            told = _value(value, *kinds[parameter])  # type: ignore[misc]
            if told is None:
                return None
            given[parameter] = told
    needed = len(parameters) - len(function.__defaults__ or ())
    return Plain(function, given, settings) if given.keys() >= {*parameters[:needed]} else None


def _settings(words: list[str], settings: dict[str, str]) -> bool:
    """Note the options that are the same everywhere; whether these words are nothing else."""
    left = iter(words)
    for word in left:
        option, sign, value = word.partition("=")
        value = value if sign else next(left, "")
        if option not in WITH_VALUE or option in settings or not value or value.startswith("-"):
            return False
        settings[option] = value
    return True


def _kind(annotation: Any) -> tuple[Any, OptionWord] | None:
    """Of what kind a parameter is, and what is said of it; None if that is nothing for the short way."""
    said = getattr(annotation, "__metadata__", (None,))[0]
    kind = getattr(annotation, "__origin__", None)
    if not isinstance(said, OptionWord) or (kind not in (str, bool, int, str | None, int | None) and (said.names or kind != list[str])):
        return None
    return kind, said


def _value(value: str, kind: Any, word: OptionWord) -> str | int | None:
    """The value of an option; None if it needs judgement."""
    if not value or value.startswith("-") or "min" in word.more or "max" in word.more:
        return None
    if kind in (str, str | None):
        return value
    return int(value) if value.isascii() and value.isdigit() and len(value) < 16 else None
