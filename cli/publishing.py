"""The command `site`: writes a book as web pages."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cli import shell
from cli.options import option
from cli.shell import JSON, out, out_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from replay.viewer.site import WrittenPage


BOOK = Annotated[str, option("--book", "BOOK", "The book whose matches are written.", default=True, completes="books")]
FOLDER = Annotated[
    str, option("-o --output", "FOLDER", "The folder to write to; made if it is not there.", default=True)
]
EYES = Annotated[
    str,
    option(
        "--as", "public|all", "Whose view; for the public only replays are written.", default=True,
        completes=("all", "public"),
    ),
]
WIDTH = 390
"""Width of the pictures on the index, in pixels; the page shows them smaller."""
URL = Annotated[
    str,
    option(
        "--url", "URL",
        "The address of the folder on the web: the pages then show theirs, with a code to scan in print.",
    ),
]


@shell.command("site")
def site_command(book: BOOK, output: FOLDER, eyes: EYES = "all", url: URL = "", json: JSON = False) -> None:
    """Write a book as pages for a browser: results, replays, sheets, reports, and the hands worth opening."""
    from events.errors import NotFoundError, UsageError
    from replay.pictures.drawing import drawing_if_installed
    from replay.viewer.site import INDEX, WrittenPage, index_page, pages_of

    viewer = eyes.lower()
    if viewer not in ("all", "public"):
        raise UsageError(f"a book has no seat '{eyes}'", expected="--as public or --as all")
    home = shell.address(url).rstrip("/")
    with shell.store(write=False) as store:
        logs = [(row.match, store.told(row.match)) for row in store.matches(book=book)]
    if not logs:
        raise NotFoundError(f"there is no match in the book {book!r}", todo="`kibitz list` shows the matches")
    draw, entries, written = drawing_if_installed(WIDTH), [], list[WrittenPage]()
    for match, records in logs:
        entry, files = pages_of(match, records, viewer, home, draw)
        entries.append(entry)
        written += files
    written.append(WrittenPage(INDEX, index_page(book, entries, home)))
    _write(Path(output), written)
    if json:
        out_json({
            "folder": output, "index": INDEX, "matches": [match for match, _ in logs],
            "pages": [one.path for one in written],
        })
        return
    pages = sum(one.path.endswith(".html") for one in written)
    out(f"{output}/{INDEX}: {len(entries)} {'match' if len(entries) == 1 else 'matches'}, {pages} pages", data=True)


def _write(folder: Path, written: "Sequence[WrittenPage]") -> None:
    """Write the pages. Raises UsageError if the folder cannot be written."""
    from events.errors import UsageError

    try:
        for one in written:
            path = folder / one.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(one.text.encode())
    except OSError as error:
        raise UsageError(
            f"the folder cannot be written ({error.strerror})", where=str(folder), todo="Name another folder",
        ) from error
