"""The commands of the director of a league: `adjust` (byes, absences, figures given or taken) and `movement` (who meets
whom in an evening)."""

from typing import TYPE_CHECKING, Annotated, Any

from cli import shell
from cli.options import argument, flag, option
from cli.shell import JSON, OUT, out, out_json
from replay.paper.formats import MOVEMENT, format_by_ending

if TYPE_CHECKING:
    from events.register_notes import Registered
    from replay.season.movements import Movement

BOOK = Annotated[str, argument("BOOK", "The book of the league.", completes="books")]
PLAYER = Annotated[
    str, argument("[PLAYER]", "A player of the register, by name or id; without one, what was decided is listed.")
]
FIGURES = Annotated[
    list[str] | None, option("--figure", "NAME=N", "What is added: points=-50, vp=12, won=1. Repeatable.")
]
DAY = Annotated[str, option("--day", "DATE", "The evening (2026-03-14).")]
WHY = Annotated[str, option("--why", "TEXT", "The reason; it stands below the table.")]
BYE = Annotated[bool, flag("--bye", "The player had a bye that evening.")]
ABSENT = Annotated[bool, flag("--absent", "The player is excused that evening.")]
GAME = Annotated[
    str, option("--game", "GAME", "The game, if the book has several.", default="the only one", completes="games")
]
UNDO = Annotated[int, option("--undo", "N", "Take decision N back, as the list numbers it.", min=0)]
ENTRANTS = Annotated[
    list[str] | None,
    argument("[ENTRANT]...", "Who plays: players or pairs ('Olena & Walter'); none for the movement that is kept."),
]
HOW = Annotated[
    str,
    option(
        "--how", "NAME",
        "round-robin, howell or mitchell (for pairs), individual or whist (for single players), swiss.", default=True,
        completes=("round-robin", "howell", "mitchell", "individual", "whist", "swiss"),
    ),
]
ROUNDS = Annotated[int, option("--rounds", "N", "The number of rounds.", default="all", min=0)]
SIZE = Annotated[int, option("--players", "N", "How many sit at a table of single players.", min=0)]
PLAYED = Annotated[str, option("--game", "GAME", "The game; pad for results alone.", completes="games")]
EVENING = Annotated[str, option("--day", "DATE", "The evening (2026-03-14).", default="today, or the last one")]
HOUSE = Annotated[list[str] | None, option("--option", "NAME=VALUE", "A house rule of its tables. Repeatable.")]
TITLE = Annotated[str, option("--title", "TEXT", "The heading, also on the sheets.")]
BEGIN = Annotated[int, option("--begin", "N", "Begin the tables of round N.", min=0)]
NEXT = Annotated[bool, flag("--next", "Draw the next round of a Swiss movement, by the standing.")]
FORMAT = Annotated[
    str,
    option("--format", "|".join(MOVEMENT), "How it is written.", default="by the file's ending", completes=MOVEMENT),
]


@shell.command("adjust")
def adjust_command(
    book: BOOK, player: PLAYER = "", figure: FIGURES = None, day: DAY = "", why: WHY = "", bye: BYE = False,
    absent: ABSENT = False, game: GAME = "", undo: UNDO = 0, json: JSON = False,
) -> None:  # fmt: skip
    """Decide about a player's figures in a league: a bye, an excuse, points given or taken. Tables list it with its
    reason."""
    from cli.index_access import index_of
    from events.errors import UsageError
    from records import players
    from records.projection.standings import adjusting_figures, game_of_book

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
                of = game_of_book(index, book, game)
            kind = "bye" if bye else "absent" if absent else "adjusted"
            done = [
                players.adjust_player(
                    store, who, figures, book=book, game=of, day=day, why=why, kind=kind,
                    recorder=shell.settings.recorder,
                )
            ]
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


@shell.command("movement")
def movement_command(
    book: BOOK, entrants: ENTRANTS = None, how: HOW = "round-robin", rounds: ROUNDS = 0, players: SIZE = 0,
    game: PLAYED = "", day: EVENING = "", option_: HOUSE = None, title: TITLE = "", begin: BEGIN = 0,
    next_: NEXT = False, format_: FORMAT = "", output: OUT = None, json: JSON = False,
) -> None:  # fmt: skip
    """Say who meets whom in an evening, print it, and begin its tables. The file's ending chooses the format;
    without -o it is text."""
    from datetime import date

    from cli.games import parse_pairs
    from events.errors import UsageError
    from records.movements import begin_tables, keep_movement, kept_movement
    from replay.season.movements import decoded_movement, encoded_rounds, movement, movement_sheet, table_openings

    if entrants and (next_ or (begin and begin != 1)):
        raise UsageError("a movement that is made new begins with round 1", expected="--begin 1, or no entrants")
    if entrants and not game:
        raise UsageError(
            "say which game is played", expected="--game burraco; --game pad takes plain points of any game",
        )
    with shell.store(write=bool(entrants or begin or next_), create=bool(entrants)) as store:
        if entrants:
            made, house = movement(how, entrants, rounds, players), parse_pairs(option_, "option")
            day = day or date.today().isoformat()
            # a table that cannot be is refused before it is kept
            table_openings(made, 1, game.lower(), house, day=day, title=title)
            kept = keep_movement(
                store, book=book, day=day, game=game.lower(), kind=how, title=title, entrants=made.entrants,
                rounds=encoded_rounds(made), options=house, recorder=shell.settings.recorder,
            )  # fmt: skip
        else:
            kept = kept_movement(store, book, day)
            made = decoded_movement(kept)
        if next_:
            kept, made = _drawn(store, kept, made)
        ids = []
        if begin:
            openings = table_openings(made, begin, kept.game, kept.options, day=kept.day, title=kept.name)
            ids = begin_tables(store, kept, begin, openings, recorder=shell.settings.recorder)
    if json:
        out_json({
            "book": kept.book, "day": kept.day, "game": kept.game, "how": made.how, "title": kept.name,
            "entrants": made.entrants, "rounds": made.rounds, "begun": ids,
        })
        return
    if ids and not output:
        out(*ids)
        return
    from replay.paper.render import written_sheet

    form = format_.lower() or format_by_ending(output or "", MOVEMENT, "a movement") or "text"
    shell.write_out(
        output,
        written_sheet(
            movement_sheet(made, kept.name or f"{kept.book}, {kept.day}"), form,
            shell.terminal_columns() if output in (None, "-") else 0,
        )
    )


def _drawn(store: Any, kept: "Registered", made: "Movement") -> "tuple[Registered, Movement]":
    """A Swiss movement with its next round, by the standing of the evening so far. Raises UsageError."""
    from cli.index_access import index_of
    from records.movements import keep_movement
    from records.projection.standings import evening_standing
    from replay.season.movements import encoded_rounds, next_round

    with index_of(store) as index:
        standing = evening_standing(index, kept.book, kept.day)
    made = next_round(made, standing)
    return keep_movement(
        store, book=kept.book, day=kept.day, game=kept.game, kind="swiss", title=kept.name, entrants=made.entrants,
        rounds=encoded_rounds(made), options=kept.options, recorder=shell.settings.recorder,
    ), made  # fmt: skip
