"""The command `sheet`: the sheet of a match or of an evening, and empty sheets to fill in by hand."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cli import shell
from cli.options import argument, flag, option
from cli.shell import DATES, JSON, LANG, OUT, PACK
from replay.paper.formats import BINARY, SHEET, format_by_ending

if TYPE_CHECKING:
    from reducers.sheet import Sheet
    from replay.pack_names import InPack
    from replay.paper.sheet_page import PageLook

MAYBE = Annotated[
    str | None,
    argument("[MATCH|FILE|-]", "A match id or the start of one, a file, or - for standard input.", completes="matches"),
]
FORMAT = Annotated[
    str,
    option("--format", "|".join(SHEET), "How the sheet is written.", default="by the file's ending", completes=SHEET),
]
PAPER = Annotated[
    str, option("--paper", "a4|letter", "The paper to print on.", default=True, completes=("a4", "letter"))
]
FOUR = Annotated[bool, flag("--four", "Four small sheets on a page of HTML, for everybody to take away.")]
LOGO = Annotated[str | None, option("--logo", "FILE", "A picture for the head of the sheet: PNG, JPEG or SVG.")]
URL = Annotated[str, option("--url", "URL", "An address for the foot of the sheet, with a code to read it by.")]
WALL = Annotated[
    bool, flag("--wall", "As large as the page, without sums, remarks, signatures and notes on the record.")
]
HAND = Annotated[
    int | None, option("--hand", "N", "One hand as a page: the deal, the plays, the score and the findings.")
]
BOM = Annotated[bool, flag("--bom", "CSV with a byte order mark, as Excel needs it to read names.")]
FINDINGS = Annotated[bool, flag("--findings", "With the rules that were broken, and by whom.")]
BOOK = Annotated[
    str | None, option("--book", "BOOK", "The sheet of an evening: all matches of this book.", completes="books")
]
BLANK = Annotated[
    str | None, option("--blank", "GAME", "A pad of this game, to print and to write on.", completes="games")
]
PLAYERS = Annotated[int, option("--players", "N", "With --blank: the number of players.")]
LOGOS = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg", b"<svg": "image/svg+xml", b"<?xml": "image/svg+xml"}
MOST_LOGO = 1_000_000
"""The largest size of a logo in bytes, because it is embedded in every sheet."""


@shell.command("sheet")
@shell.each_record
def sheet_command(
    source: MAYBE = None, format_: FORMAT = "", output: OUT = None, paper: PAPER = "a4", four: FOUR = False,
    logo: LOGO = None, url: URL = "", hand: HAND = None, wall: WALL = False, findings: FINDINGS = False,
    book: BOOK = None, blank: BLANK = None, players: PLAYERS = 0, bom: BOM = False, dates: DATES = "",
    lang: LANG = "", pack: PACK = None, json: JSON = False,
) -> None:  # fmt: skip
    """Write the scoresheet of a match, of an evening, or an empty one. The file's ending chooses the format; without
    -o it is text."""
    from msgspec.structs import replace

    from events.errors import UsageError
    from replay.languages.translate import speaking
    from replay.paper.dates import form_of_locale

    if (source is not None) + (book is not None) + (blank is not None) != 1:
        raise UsageError(
            "a sheet is of one match, of one book, or a pad", expected="MATCH, --book BOOK or --blank GAME",
        )
    if players and blank is None:
        raise UsageError("--players says for how many a pad is", expected="it together with --blank GAME")
    if findings and source is None:
        raise UsageError("--findings are of one match", expected="it together with MATCH")
    if hand is not None and (source is None or wall or findings):
        raise UsageError(
            "a page about a hand is of one match, and has its findings",
            expected="MATCH --hand N without --wall or --findings",
        )
    if wall and (findings or blank is not None):
        raise UsageError(
            "--wall leaves out findings, and is for a sheet with figures",
            expected="--wall without --findings or --blank",
        )
    chosen = "text" if json else format_.lower() or format_by_ending(output or "", SHEET, "a sheet") or "text"
    if bom and chosen != "csv":
        raise UsageError(
            "only CSV has a byte order mark", expected="--bom with a file that ends in .csv, or with --format csv",
        )
    language = shell.asked_language(lang)
    form = shell.asked_dates(dates or (form_of_locale(lang) if lang else ""))
    wanted, look = shell.asked_pack(pack), replace(look_of(paper, four, logo, url), wall=wall, dates=form)
    if source is not None:
        from cli.log_source import load_log

        given = load_log(source)
        told = shell.use_pack(given.log, wanted)
        made = _of_a_match(given.log, given.match, hand, findings)
        with speaking(language):
            _write(made, told, chosen, output, look, json, bom)
        given.close()
    else:
        made = _of_a_book(book) if book is not None else _pad(blank or "", players)
        with speaking(language):
            _write(made, None, chosen, output, look, json, bom)


def _of_a_match(log: Any, match: str, hand: int | None, findings: bool) -> "Sheet":
    from msgspec.structs import replace

    from cli.log_source import last_head
    from replay.paper.sheet import sheet_of

    if hand is not None:
        from replay.paper.hand_sheet import hand_sheet

        return hand_sheet(log, hand)
    return replace(sheet_of(log, findings=findings), signed=last_head(match))


def _of_a_book(book: str) -> "Sheet":
    """The sheet of an evening. Raises NotFoundError for a book without a match."""
    from events.errors import NotFoundError
    from replay.paper.evening import evening_of
    from replay.read_log import read_log

    with shell.store(write=False) as store:
        rows = store.played(book)
        if not rows:
            raise NotFoundError(f"there is no match in the book {book!r}", todo="`kibitz list` shows the matches")
        return evening_of(book, [read_log(store.told(row.match)) for row in rows], store.slip(rows[-1].match))


def _pad(game: str, players: int) -> "Sheet":
    from replay.paper.blank import blank

    return blank(game, players)


def _write(
    made: "Sheet", told: "InPack | None", chosen: str, output: str | None, look: "PageLook", json: bool, bom: bool,
) -> None:
    """Write a sheet: as JSON, as text for a terminal, or to a file."""
    from codecs import BOM_UTF8

    from msgspec.structs import replace

    from events.errors import UsageError
    from replay.paper.render import written_sheet
    from replay.paper.wall import for_the_wall

    made = for_the_wall(made) if look.wall else made
    if json:
        shell.write_out(output, shell.as_json(made).encode() + b"\n")
        return
    if told is not None:
        made, look = told.data(made), replace(look, suits=told.same)
    if chosen in BINARY and output in (None, "-"):
        raise UsageError(
            f"{chosen.upper()} is no text for a terminal", expected=f"a file to write to: -o sheet.{chosen}",
        )
    # A sheet in a file may have any width. A sheet on a terminal has to fit.
    width = shell.terminal_columns() if output in (None, "-") else 0
    data = written_sheet(made, chosen, width, look)
    shell.write_out(output, BOM_UTF8 + data if bom else data)


def look_of(paper: str, four: bool, logo: str | None, url: str) -> "PageLook":
    """The look of the sheet. Raises UsageError for an unknown paper, a bad picture or a bad address."""
    from events.errors import UsageError
    from replay.paper.codes import svg_code
    from replay.paper.sheet_page import PageLook
    from replay.paper.sheet_style import PAPERS

    if paper.lower() not in PAPERS:
        raise UsageError(f"there is no paper {paper!r} here", expected=" or ".join(PAPERS))
    return PageLook(
        paper.lower(), four, read_logo(logo) if logo else None, shell.address(url), svg_code(url) if url else "",
    )


def read_logo(path: str) -> tuple[str, bytes]:
    """The type of a picture file, from its first bytes, and its data. Raises UsageError if it is not a picture or too
    large."""
    from events.errors import UsageError

    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"the picture cannot be read ({why})", where=path, todo="Name another file") from None
    kind = next((kind for begins, kind in LOGOS.items() if data.lstrip()[:8].startswith(begins)), "")
    if not kind or len(data) > MOST_LOGO:
        why = "the picture is too large" if kind else "this is no picture that a sheet can show"
        raise UsageError(why, where=path, expected=f"PNG, JPEG or SVG of at most {MOST_LOGO // 1_000_000} MB")
    return kind, data
