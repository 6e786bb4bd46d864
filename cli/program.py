"""The program for the parser: all commands, or only the requested one.

Building the parser of a command takes longer than most commands run, so a command line that names a command builds
only that one. Help, completion and mistyped words build all of them.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from typing import Annotated, Any

import typer

from cli import shell
from cli.command_index import COMMANDS_BY_MODULE, asked_for
from cli.options import for_typer
from cli.parsing import Command, CommandGroup

# The global options in Typer's form.
DB, WHO = for_typer(shell.DB), for_typer(shell.WHO)
GROUPS = {
    "db": "Look after the store.",
    "player": "Keep the register of players: who they are, and which names are theirs.",
}
CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def _version(wanted: bool) -> None:
    if wanted:
        from cli import version_line

        shell.out(version_line())
        raise typer.Exit


def kibitz(
    db: DB = None,  # type: ignore[valid-type]  # made for Typer to read
    recorder: WHO = None,  # type: ignore[valid-type]  # as above
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """The record of card games: logged move by move, replayed, checked and scored."""
    shell.settings.take(db, recorder)


def build_program(command: str | None = None) -> typer.Typer:
    """The program with all its commands, or with only this one."""
    app = typer.Typer(
        name="kibitz",
        cls=CommandGroup,
        help="The record of card games: logged move by move, replayed, checked and scored.",
        epilog=(
            "`kibitz help COMMAND` says all of one. Exit codes: 0 fine, 1 stopped, 2 usage, 3 findings, 4 "
            "unreadable, 5 not found, 6 conflict, 7 store unusable."
        ),
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        no_args_is_help=True,
        context_settings=CONTEXT,
    )
    app.callback()(kibitz)
    for room, commands in COMMANDS_BY_MODULE.items():
        if command is not None and command not in commands:
            continue
        importlib.import_module(f"cli.{room}")
        for name in commands if command is None else (command,):
            if name in GROUPS:
                group = typer.Typer(
                    name=name, cls=CommandGroup, help=GROUPS[name], rich_markup_mode=None, no_args_is_help=True,
                    context_settings=CONTEXT,
                )  # fmt: skip
                for whole, spec in shell.COMMANDS.items():
                    if whole.startswith(f"{name} "):
                        _add(group, whole.removeprefix(f"{name} "), spec)
                app.add_typer(group)
            else:
                _add(app, name, shell.COMMANDS[name])
    return app


def _add(app: typer.Typer, name: str, spec: shell.CommandSpec) -> None:
    """Add a command in Typer's form."""
    signature = inspect.signature(spec.function)
    parameters = [p.replace(annotation=for_typer(p.annotation)) for p in signature.parameters.values()]
    if spec.store:
        parameters += [
            inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=a)
            for n, a in (("db", DB), ("recorder", WHO))
        ]

    @functools.wraps(spec.function)
    def run(**kwargs: Any) -> None:
        if spec.store:
            shell.settings.take(kwargs.pop("db"), kwargs.pop("recorder"))
        try:
            with shell.catch_signals():
                shell.call(spec.function, kwargs)
        except shell.Left as left:
            raise typer.Exit(left.code) from None

    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]  # read by Typer, unknown to the type of a function
    run.__annotations__ = {p.name: p.annotation for p in parameters}
    free_words = {"ignore_unknown_options": True} if spec.free else None
    app.command(name, cls=Command, context_settings=free_words)(run)


__all__ = ["COMMANDS_BY_MODULE", "asked_for", "build_program"]
