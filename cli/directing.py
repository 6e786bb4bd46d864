"""The command of the director of a league: `adjust` (byes, absences, figures given or taken)."""

from typing import TYPE_CHECKING, Annotated

from cli import shell
from cli.options import Register, argument, completed_by, option
from cli.shell import JSON, out, out_json

if TYPE_CHECKING:
    from records.projection.index import Index

BOOK = Annotated[str, argument(metavar="BOOK", help="The book of the league.", show_default=False, autocompletion=completed_by("books"))]
PLAYER = Annotated[str, argument(metavar="[PLAYER]", help="A player of the register, by name or id; without one, what was decided is listed.", show_default=False)]
FIGURES = Annotated[list[str] | None, option("--figure", metavar="NAME=N", help="What is added: points=-50, vp=12, won=1. Repeatable.", show_default=False)]
DAY = Annotated[str, option("--day", metavar="DATE", help="The evening (2026-03-14).", show_default=False)]
WHY = Annotated[str, option("--why", metavar="TEXT", help="The reason; it stands below the table.", show_default=False)]
BYE = Annotated[bool, option("--bye", help="The player had a bye that evening.")]
ABSENT = Annotated[bool, option("--absent", help="The player is excused that evening.")]
GAME = Annotated[str, option("--game", metavar="GAME", help="The game, if the book has several.", show_default="the only one", autocompletion=completed_by("games"))]
UNDO = Annotated[int, option("--undo", metavar="N", min=0, help="Take decision N back, as the list numbers it.", show_default=False)]


def register(app: Register) -> None:
    """Add the commands of this module."""
    shell.command(app, "adjust")(adjust_command)


def adjust_command(
    book: BOOK, player: PLAYER = "", figure: FIGURES = None, day: DAY = "", why: WHY = "", bye: BYE = False, absent: ABSENT = False, game: GAME = "",
    undo: UNDO = 0, json: JSON = False,
) -> None:  # fmt: skip
    """Decide about a player's figures in a league: a bye, an excuse, points given or taken. Tables list it with its reason."""
    from cli.index_access import index_of
    from events.errors import UsageError
    from records import players
    from records.projection.standings import adjusting_figures

    with shell.store(write=bool(player or undo)) as store:
        if player and undo:
            raise UsageError("--undo takes no player", expected=f"adjust {book} --undo {undo}")
        if undo:
            done = [players.withdraw_adjustment(store, undo, recorder=shell.settings.recorder)]
        elif player:
            if bye and absent:
                raise UsageError("a bye is no absence", expected="--bye or --absent")
            figures = adjusting_figures(figure or [], absent=absent)
            who = store.register.named(player)
            with index_of(store) as index:
                of = _game(index, book, game)
            kind = "bye" if bye else "absent" if absent else "adjusted"
            done = [players.adjust_player(store, who, figures, book=book, game=of, day=day, why=why, kind=kind, recorder=shell.settings.recorder)]
        else:
            done = store.register.adjustments(book)
    if json:
        out_json(done)
        return
    for one in done:
        said = ", ".join(f"{name} {n:+}" for name, n in one.figures.items())
        out(shell.plain_line(f"{one.n:>4}  {one.day}  {one.label}, {one.kind}{f', {said}' if said else ''}: {one.why}"))
    if undo:
        shell.say("it counts no more")
    elif not done:
        shell.say("nothing was decided in this book")


def _game(index: "Index", book: str, game: str) -> str:
    """The game of a decision: the given one, or the only one that the book has. Raises UsageError."""
    from events.errors import UsageError
    from records.projection.standings import Chosen, Standings

    there = list(Standings(index, Chosen(book)).games)
    if (game and game.lower() in there) or (not game and len(there) == 1):
        return game.lower() or there[0]
    raise UsageError(f"the book {book!r} has {'no game ' + repr(game) if game else 'several games' if there else 'no match that counts'}", expected=f"--game {there[0]}" if there else "a book with results", todo="`kibitz season` shows the tables of a book")
