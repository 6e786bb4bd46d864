"""The parser's own commands, made to start fast.

Typer (from 0.29) hands every word of a command line, even plain text, to a pydantic validator that it builds for the
option. Building these takes longer than most commands. Text does not need a validator, and neither does an option that
was not given. If Typer has no such step, nothing is changed.
"""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup


class AsGiven:
    """Stands in for the validator of one parameter until a value comes that is more than text."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value as the command gets it."""
        kind = param.type_descriptor.annotation
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if kind is str and isinstance(value, str):
            return value
        if kind == list[str] and isinstance(value, list | tuple):
            return list(value)
        param._runtime_param = None
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)


def lightened(params: list[Any]) -> list[Any]:
    """The parameters of a command, spared the validators they do not need."""
    for param in params:
        if getattr(param, "_runtime_param", False) is None and hasattr(param, "type_descriptor"):
            param._runtime_param = AsGiven()
    return params


class Command(TyperCommand):
    """A command that takes its words as they come."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Its parameters, the help option among them."""
        return lightened(super().get_params(ctx))


class Group(TyperGroup):
    """A group of commands that takes its options as they come."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Its parameters, the help option among them."""
        return lightened(super().get_params(ctx))
