"""The command `results`: imports results from a spreadsheet."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cli import shell
from cli.options import argument, flag, option
from cli.shell import JSON, out, out_json

if TYPE_CHECKING:
    from events.errors import KibitzError
    from replay.season.spreadsheet import Made, Mapped

FILE = Annotated[str, argument("FILE", "A table as CSV, a workbook (.xlsx), or plays from BG Stats (.json, .bgsplay).")]
GAME = Annotated[
    str, option("--game", "GAME", "The game; pad takes plain points.", default="as last time", completes="games")
]
MAP = Annotated[
    list[str] | None,
    option(
        "--map", "KEY=COLUMN",
        "What a column is: date, title, place, match, a seat (N), points.NS, or a fact of a tally. "
        "Repeatable; remembered.",
    ),
]
OPTIONS = Annotated[list[str] | None, option("--option", "NAME=VALUE", "A house rule of the game. Repeatable.")]
WIDE = Annotated[bool, flag("--wide", "Every other column is a player or a pair, with their points in it.")]
SKIP = Annotated[
    list[str] | None, option("--skip", "COLUMN", "Pass this column over: remarks, sums. Repeatable; remembered.")
]
DATES = Annotated[
    str,
    option(
        "--dates", "dmy|mdy", "How days like 3/4/2026 are meant, if no other day of the table says it.",
        completes=("dmy", "mdy"),
    ),
]
SHEET = Annotated[
    str,
    option(
        "--sheet", "NAME", "The sheet of the workbook, or the game of plays from BG Stats.", default="the first one",
    ),
]
INTO = Annotated[str, option("--book", "BOOK", "The book that the matches belong to.", default=True, completes="books")]
SAME = Annotated[
    list[str] | None,
    option("--same", "SPELLING=NAME", "A name of the table is this player, who is added if need be. Repeatable."),
]
DRY = Annotated[bool, flag("--dry-run", "Show what would be written, and write nothing.")]
AS_CORRECTIONS = Annotated[
    bool, flag("--as-corrections", "A row that was changed since corrects its match; shown before it is written.")
]
YES = Annotated[bool, flag("--yes", "Do not ask before corrections are written.")]
MOST_NAMED = 50
"""The number of unreadable rows that are listed. `--json` lists all of them."""


@shell.command("results")
def results_command(
    file: FILE, game: GAME = "", map_: MAP = None, option_: OPTIONS = None, wide: WIDE = False, skip: SKIP = None,
    dates: DATES = "", sheet: SHEET = "", book: INTO = "home", same_: SAME = None, dry: DRY = False,
    as_corrections: AS_CORRECTIONS = False, yes: YES = False, json: JSON = False,
) -> None:  # fmt: skip
    """Bring results in from a spreadsheet, a row a hand or a match. It says what it understood, and asks what can
    mean two things. Exit code 4 if a row cannot be read."""
    from events.errors import UsageError
    from events.visible_text import NAME, is_name
    from records.intake import read_whole
    from replay.season.spreadsheet import describe_columns, remember, remembered, table_fingerprint, texts
    from replay.season.spreadsheet import read_results as made_of
    from replay.season.table_cells import MAX_BYTES, cells_of, encoding_note

    if not is_name(book):
        raise UsageError(f"{shell.plain_line(book)[:80]!r} cannot be a book", expected=NAME)
    data = read_whole(file, MAX_BYTES)
    rows = cells_of(data, sheet)
    mark = table_fingerprint(rows)
    known = remembered(_columns_path()).get(mark)
    mapped, guessed = _mapped(rows, known, game.lower(), map_, option_, wide, dates, skip)
    made, faults = made_of(rows, mapped, book)
    meant = encoding_note(data) + describe_columns(rows, mapped)
    for line in () if json else meant:
        (out if guessed else shell.say)(shell.plain_line(line))
    statuses: dict[str, str] = {}
    refused: list[KibitzError] = []
    if not dry:
        _write(made, book, statuses, refused)
        if as_corrections:
            _correct(made, statuses, refused, yes=yes, quiet=json)
    if not dry and made and (why := remember(_columns_path(), mark, mapped)):
        shell.warn(f"what the columns are could not be kept ({why}); say it again next time")
    if json:
        out_json({
            "game": mapped.game, "columns": mapped.columns, "wide": mapped.wide, "understood": meant,
            "written": not dry, "unreadable": faults,
            "matches": [
                {"match": one.match, "rows": one.rows, "status": statuses.get(one.match, ""), "lines": one.lines}
                for one in made
            ],
        })  # fmt: skip
    else:
        out(*(texts(made) if dry else ()))
        new = sum(status == "new" for status in statuses.values())
        grown = sum(status == "appended" for status in statuses.values())
        said = (
            f"{shell.count(len(made), 'match', 'es')} would be written" if dry
            else f"{shell.count(new, 'match', 'es')} written" + (f", {grown} continued" if grown else "")
        )
        same = sum(status == "same" for status in statuses.values())
        corrected = sum(status == "corrected" for status in statuses.values())
        said += f", {corrected} corrected" if corrected else ""
        said += f", {same} were there already" if same else ""
        out(f"{said}; {shell.count(len(faults), 'row')} could not be read")
    for fault in faults[:MOST_NAMED]:
        shell.fail(f"{file}, row {fault.row}: {fault.why}")
    if len(faults) > MOST_NAMED:
        shell.fail(f"… and {len(faults) - MOST_NAMED} more rows; --json has them all")
    for error in refused:
        shell.fail(str(error))
    if not dry and made:
        _ask_who_is_who(made, same_, ask=not json)
    shell.exit_with(shell.worst([*(error.exit_code for error in refused), *([shell.UNREADABLE] if faults else [])]))


def _mapped(
    rows: list[list[str]], known: "Mapped | None", game: str, columns: list[str] | None, options: list[str] | None,
    wide: bool, dates: str, skip: list[str] | None
) -> "tuple[Mapped, bool]":
    """How to read the table, and whether that is a guess: as the options say, else as remembered for a table with these
    heads, else as its cells say. Raises UsageError if it can mean two things and there is no answer."""
    from msgspec.structs import replace

    from cli.games import parse_pairs
    from events.errors import UsageError
    from replay.season.spreadsheet import Mapped, doubt
    from replay.season.spreadsheet import guessed as guess

    house = parse_pairs(options, "option")
    guessing = not (columns or wide or skip or game) and known is None
    if guessing:
        mapped = guess(rows, house)
    elif not (columns or wide or skip or game):
        assert known is not None
        mapped = replace(known, options={**known.options, **house})
    elif not game:
        raise UsageError("say which game it is", expected="--game kaiser; --game pad takes plain points of any game")
    else:
        mapped = Mapped(
            game, {key: " ".join(column.split()) for key, column in parse_pairs(columns, "map").items()}, house, wide,
            "", tuple(" ".join(c.split()) for c in skip or ()),
        )
    mapped = replace(mapped, dates=dates or mapped.dates)
    if not mapped.dates and (question := doubt(rows, mapped)):
        answer = shell.reply(f"{question}. Does the day come first, or the month? [dmy/mdy]").casefold()
        if answer not in ("dmy", "mdy"):
            raise UsageError(
                f"the days can mean two things: {question}",
                expected="--dates dmy if the day comes first, or --dates mdy",
            )
        mapped = replace(mapped, dates=answer)
    return mapped, guessing


def _ask_who_is_who(made: "list[Made]", same: list[str] | None, *, ask: bool) -> None:
    """Link the names that `--same` says are one, and ask about other names of the table that look alike."""
    from cli.games import parse_pairs
    from cli.index_access import index_of
    from records import players
    from records.projection.search import people

    names = {name for one in made for name in one.players.values()}
    said = parse_pairs(same, "same")
    with shell.store(write=True) as store:
        for spelling, name in said.items():
            players.same_person(store, spelling, name, recorder=shell.settings.recorder)
        with index_of(store) as index:
            free = [label for _, label, id, *_ in people(index) if not id]
        left = []
        for short, long in players.alike_pairs(names, store.register.players.values(), free):
            answer = shell.ask_yes_or_no(f"Is {short!r} {long}?") if ask else None
            ask = ask and answer is not None
            if answer:
                players.same_person(store, short, long, recorder=shell.settings.recorder)
            elif answer is None:
                left.append((short, long))
    for short, long in left[:MOST_NAMED]:
        shell.say(
            shell.plain_line(f"{short!r} and {long!r} have a row each; --same '{short}={long}' makes one of them")
        )


def _write(made: "list[Made]", book: str, done: dict[str, str], refused: "list[KibitzError]") -> None:
    """Write the matches, and store the outcome of each.

    One that contradicts the match in the store is refused, and the others are written.
    """
    from events.errors import ConflictError
    from records.transfer import bring_in
    from replay.comparing.corrections import corrections

    with shell.store(write=True, create=True) as store:
        done.update(
            bring_in(
                store, [(one.match, one.records) for one in made], book, recorder=shell.settings.recorder,
                differences=corrections,
            )
        )
    refused += [
        ConflictError(
            f"{one.where} differs from the stored match of this day and these players",
            where=f"match {one.match}", todo="Say --as-corrections to see and write what differs",
        )
        for one in made
        if done[one.match] == "refused"
    ]


def _correct(made: "list[Made]", done: dict[str, str], refused: "list[KibitzError]", *, yes: bool, quiet: bool) -> None:
    """Write the refused rows as corrections of their matches, after confirmation."""
    from cli.importing import correct

    with shell.store(write=True) as store:
        for one in (one for one in made if done.get(one.match) == "refused"):
            correct(store, one.match, one.records, yes=yes, quiet=quiet)
            done[one.match] = "corrected"
    refused.clear()


# -- what was said of a table


def _columns_path() -> Path:
    from records import default_path
    from records.names import sidecar_path

    return sidecar_path(Path(shell.settings.db) if shell.settings.db else default_path(), "columns")
