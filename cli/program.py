"""The program for the parser: all commands, or only the requested one.

Building the parser of a command takes longer than most commands run, so a command line that names a command builds
only that one. Help, completion and mistyped words build all of them.
"""

from __future__ import annotations

import importlib
from typing import Annotated

import typer

from cli import shell
from cli.command_index import COMMANDS_BY_MODULE, asked_for
from cli.options import for_typer
from cli.parsing import CommandGroup

# The global options in Typer's form.
DB, WHO = for_typer(shell.DB), for_typer(shell.WHO)

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
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback()(kibitz)
    for room, commands in COMMANDS_BY_MODULE.items():
        if command is None or command in commands:
            importlib.import_module(f"cli.{room}").register(app)
    if command is not None:
        app.registered_commands = [c for c in app.registered_commands if c.name == command]
        app.registered_groups = [
            g for g in app.registered_groups if g.typer_instance and g.typer_instance.info.name == command
        ]
    return app


__all__ = ["COMMANDS_BY_MODULE", "asked_for", "build_program"]
