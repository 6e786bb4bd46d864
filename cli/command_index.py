"""Which module has which commands, and which command a command line names."""

from __future__ import annotations

from collections.abc import Sequence

# `db` and `player` are groups.
COMMANDS_BY_MODULE = {
    "games": ("games", "rules", "new", "simulate", "practise"),
    "writing": ("record", "append", "fix", "undo", "note", "claim", "confirm", "tally", "fault", "dispute", "ruling"),
    "attaching": ("attach",),
    "reading": ("log", "show", "replay", "check", "score", "list"),
    "sheets": ("sheet",),
    "publishing": ("site",),
    "auditing": ("audit", "report"),
    "rechecking": ("recheck",),
    "comparing": ("fork", "diff", "merge"),
    "managing": ("import", "export", "open"),
    "players": ("player",),
    "seasons": ("season", "find"),
    "directing": ("adjust", "movement"),
    "ordering": ("rename", "trial", "move"),
    "spreadsheets": ("results",),
    "schemas": ("schema",),
    "demo": ("demo",),
    "new_game": ("new-game",),
    "proving": ("verify", "checkpoint", "db"),
    "serving": ("serve",),
}
# The commands by purpose, as the help lists them.
TASKS = {
    "Record": (
        "new", "record", "append", "fix", "undo", "note", "claim", "confirm", "tally", "fault", "attach", "practise",
        "simulate",
    ),
    "Look": ("demo", "games", "rules", "list", "find", "show", "replay", "check", "score", "log"),
    "Settle": ("audit", "report", "dispute", "ruling", "recheck", "fork", "diff", "merge"),
    "Print": ("sheet", "site"),
    "League": ("season", "results", "player", "adjust", "movement", "rename", "move", "trial"),
    "Store": ("import", "export", "open", "verify", "checkpoint", "db", "schema"),
    "Serve": ("serve",),
    "Extend": ("new-game",),
}
# The global options that take a value.
WITH_VALUE = ("--db", "--recorder")


def asked_for(args: Sequence[str]) -> str | None:
    """The command that a command line names, None if its first word is not a command.

    >>> asked_for(["--db", "club.db", "show", "evening.kib"]), asked_for(["--help"]), asked_for(["shwo"])
    ('show', None, None)
    """
    words = iter(args)
    for word in words:
        if word in WITH_VALUE:
            next(words, None)
        elif not word.startswith("-"):
            return word if any(word in commands for commands in COMMANDS_BY_MODULE.values()) else None
        elif not word.startswith(tuple(f"{name}=" for name in WITH_VALUE)):
            return None
    return None
