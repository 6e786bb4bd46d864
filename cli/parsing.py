"""The parser's command classes, changed to start fast.

Typer (from 0.29) passes every word of a command line, even plain text, to a pydantic validator that it builds for the
option. Building the validators takes longer than most commands. Plain text needs no validator, and neither does an
option that was not given. If Typer has no such step, nothing is changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from cli.command_index import TASKS

REFUSAL: Any = typer.BadParameter.__mro__[2]
"""The parser's base class of usage errors, whatever this version calls it."""


class AsGiven:
    """Replaces the validator of one parameter until a value needs more than plain text handling."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value for the command."""
        kind = param.type_descriptor.annotation
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if kind is str and isinstance(value, str):
            return value
        if kind == list[str] and isinstance(value, list | tuple):
            return list(value)
        if kind in (int, float) and isinstance(value, str | int | float):
            info = param.type_descriptor.parameter_info
            return _number(kind, value, info.min, info.max, param, ctx)
        param._runtime_param = None
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)


def _number(
    kind: type[int] | type[float], value: str | float, least: float | None, most: float | None, param: Any, ctx: Any,
) -> float:
    """A typed number. Raises typer.BadParameter for anything else, and for a number out of bounds."""
    try:
        number = kind(value)
    except ValueError:
        number = None
    if number is None or not (least is None or number >= least) or not (most is None or number <= most):
        bounds = (
            f" from {least} to {most}" if least is not None and most is not None else f" from {least} on"
            if least is not None else ""
        )
        raise typer.BadParameter(
            f"'{value}' is not a {'whole ' if kind is int else ''}number{bounds}", ctx=ctx, param=param,
        )
    return number


def lightened(params: list[Any]) -> list[Any]:
    """The parameters of a command, without unneeded validators."""
    for param in params:
        if getattr(param, "_runtime_param", False) is None and hasattr(param, "type_descriptor"):
            param._runtime_param = AsGiven()
    return params


class Command(TyperCommand):
    """A command without unneeded validators."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Its parameters, including the help option."""
        return lightened(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the words of a command line. Raises UsageError if there are more than the command takes."""
        ctx.allow_extra_args = True
        try:
            more = super().parse_args(ctx, args)
        except REFUSAL as error:
            error.ctx = error.ctx or ctx  # some errors do not name their command
            raise
        if more and not ctx.resilient_parsing:
            raise _too_many(more, ctx)
        return more


def _too_many(more: Sequence[str], ctx: Any) -> Exception:
    """The error about extra words. For a house rule or a player it suggests the right option."""
    from events.errors import UsageError

    options = {name for param in ctx.command.params for name in param.opts}
    key, equals, _ = more[0].partition("=")
    option = "" if not (equals and key) else "--seat" if key.isupper() else "--option"
    meant = f"Did you mean `{option} {more[0]}`? " if option in options else ""
    words = ", ".join(repr(word) for word in more[:5])
    return UsageError(
        f"there is no place for {words}", expected=ctx.command.get_usage(ctx).removeprefix("Usage: "),
        todo=f"{meant}`{ctx.command_path} --help` shows what is possible",
    )  # fmt: skip


class CommandGroup(TyperGroup):
    """A group of commands without unneeded validators."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Its parameters, including the help option."""
        return lightened(super().get_params(ctx))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands with their first sentences, those of the main program grouped by purpose."""
        said = {
            name: (command.short_help or command.help or "").partition(". ")[0].rstrip(".") + "."
            for name, command in self.commands.items()
        }
        tasks = {
            task: [name for name in names if name in said] for task, names in TASKS.items()
        } if ctx.parent is None else {"Commands": list(said)}
        for task, names in tasks.items():
            if names:
                with formatter.section(task):
                    # One column of names across all groups.
                    formatter.write_dl(
                        [(name.ljust(max(map(len, said))), " ".join(said[name].split())) for name in names]
                    )

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command. Raises UsageError with suggestions if there is none of this name."""
        name = args[0]
        if not name.startswith("-") and not ctx.resilient_parsing and self.get_command(ctx, name) is None:
            from events.errors import UsageError
            from events.suggestions import did_you_mean

            meant = did_you_mean(name, [*self.list_commands(ctx), *(["help"] if ctx.parent is None else [])])
            raise UsageError(
                f"no such command {name!r}", todo=f"{meant} `{ctx.command_path} --help` shows what is possible".lstrip()
            )
        return super().resolve_command(ctx, args)
