"""The program as its parser sees it: every command, or only the one that is asked for.

Building the parser of a command costs more than most commands do, so a command line that names one gets that one.
Help, completion and mistyped words get them all.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Annotated

import typer

from cli import shell
from cli.parsing import Group

# Which module has which commands (`db` is a group).
ROOMS = {
    "games": ("games", "rules", "new", "simulate", "practise"),
    "writing": ("record", "append", "fix", "undo", "note", "claim", "confirm", "tally", "fault", "dispute", "ruling"),
    "attaching": ("attach",),
    "reading": ("log", "show", "replay", "check", "score", "list"),
    "sheets": ("sheet",),
    "publishing": ("site",),
    "auditing": ("audit", "report"),
    "standing": ("recheck",),
    "comparing": ("fork", "diff", "merge"),
    "managing": ("import", "export"),
    "proving": ("verify", "checkpoint", "db"),
    "serving": ("serve",),
}
# The global options that are followed by their value.
WITH_VALUE = ("--db", "--recorder")


def _version(wanted: bool) -> None:
    if wanted:
        from cli import VERSION

        shell.out(f"kibitz {VERSION}")
        raise typer.Exit


def kibitz(
    db: shell.DB = None,
    recorder: shell.WHO = None,
    version: Annotated[bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)] = False,
) -> None:
    """The record of card games: logged move by move, replayed, checked and scored."""
    shell.settings.take(db, recorder)


def build(command: str | None = None) -> typer.Typer:
    """The program with all its commands, or with this one alone."""
    app = typer.Typer(
        name="kibitz",
        cls=Group,
        help="The record of card games: logged move by move, replayed, checked and scored.",
        epilog="Exit codes: 0 fine, 1 stopped, 2 usage, 3 findings, 4 unreadable, 5 not found, 6 conflict, 7 store unusable.",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback()(kibitz)
    for room, commands in ROOMS.items():
        if command is None or command in commands:
            importlib.import_module(f"cli.{room}").register(app)
    if command is not None:
        app.registered_commands = [c for c in app.registered_commands if c.name == command]
        app.registered_groups = [g for g in app.registered_groups if g.typer_instance and g.typer_instance.info.name == command]
    return app


def asked_for(args: Sequence[str]) -> str | None:
    """The command that a command line names, None if its first word is not one.

    >>> asked_for(["--db", "club.db", "show", "evening.kib"]), asked_for(["--help"]), asked_for(["shwo"])
    ('show', None, None)
    """
    words = iter(args)
    for word in words:
        if word in WITH_VALUE:
            next(words, None)
        elif not word.startswith("-"):
            return word if any(word in commands for commands in ROOMS.values()) else None
        elif not word.startswith(tuple(f"{name}=" for name in WITH_VALUE)):
            return None
    return None
