"""The command `recheck`: what stood when a match ended, beside what is computed today."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from cli import shell
from cli.shell import JSON, out, out_json

if TYPE_CHECKING:
    from replay.standing import Recheck

MAYBE = Annotated[str | None, typer.Argument(metavar="[MATCH|FILE|-]", help="A match id or the start of one, a file, or - for standard input.", show_default=False)]
ALL = Annotated[bool, typer.Option("--all", help="Every match of the store; variations have no verdict to keep.")]
GAME = Annotated[str | None, typer.Option("--game", metavar="GAME", help="With --all: only this game.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    shell.command(app, "recheck")(recheck)


def recheck(source: MAYBE = None, all_: ALL = False, game: GAME = None, json: JSON = False) -> None:
    """Judge anew, and list what differs from what stood when the match ended. Exit code 3 if anything does."""
    from events.errors import UsageError

    if (source is None) != all_:
        raise UsageError("name a match, or ask for --all" if source is None else "--all and a match do not go together", expected="recheck MATCH, or recheck --all")
    if game is not None and not all_:
        raise UsageError("--game goes with --all", expected="recheck --all --game GAME")
    codes: list[int] = []
    found = list(_all(game, codes) if source is None else _one(source, codes))
    if json:
        out_json(found)
    else:
        for one in found:
            for line in lines_of(one):
                out(line)
        if all_:
            out(summary(found))
    codes += [shell.FINDINGS for one in found if one.status == "differs"]
    shell.leave(shell.worst(codes))


def _one(source: str, codes: list[int]) -> "Iterator[Recheck]":
    from cli.source import load
    from replay.standing import recheck as anew

    given = load(source)
    if given.errors:
        codes.append(shell.UNREADABLE)
    yield anew(given.records, given.match or given.name)


def _all(game: str | None, codes: list[int]) -> "Iterator[Recheck]":
    """Every match of the store, the oldest first; one that cannot be judged is named and keeps nothing else back."""
    from events.errors import KibitzError
    from replay.standing import is_variation
    from replay.standing import recheck as anew

    with shell.store(write=False) as store:
        rows = list(reversed(store.matches(game=game)))
        for row in shell.progress(rows, "judging anew", len(rows)):
            try:
                records = store.read(row.match)
                if not is_variation(records):
                    yield anew(records, row.match)
            except KibitzError as error:
                if error.exit_code == shell.STORE:
                    raise
                shell.fail(f"{row.match}: {error}")
                codes.append(error.exit_code)


def lines_of(one: "Recheck") -> Iterator[str]:
    """What became of one match: a line, and a line for each difference."""
    if one.stood is None:
        yield f"{one.match}: nothing stood"
        return
    when = f"event {one.stood.at}" + (f", {one.stood.time[:10]}" if one.stood.time else "")
    n = len(one.differences)
    yield f"{one.match}: " + (f"{n} difference{'s' * (n != 1)} from what stood ({when})" if n else f"stands as it was judged ({when})")
    for difference in one.differences:
        yield f"  {difference.text}"


def summary(found: "list[Recheck]") -> str:
    """How many matches of each kind there were."""
    count = {s: sum(one.status == s for one in found) for s in ("same", "differs", "nothing stood")}
    return f"{len(found)} match{'es' * (len(found) != 1)}: {count['same']} as they stood, {count['differs']} differ, nothing stood for {count['nothing stood']}"
