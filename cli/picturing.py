"""Pictures of a match: a position as SVG or PNG, a hand as GIF."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cli import shell
from events.file_names import file_name

KINDS = {".html": "html", ".htm": "html", ".svg": "svg", ".png": "png", ".gif": "gif"}
WIDTHS = {"svg": 880, "png": 880, "gif": 480}
MOST_EVENTS = 600
"""A GIF of more events would be too long to watch, and would take too much memory."""


class PictureRequest(NamedTuple):
    """A request for a picture: the match, the kind, the output file, the hand or event, the viewer, and the look."""

    source: str
    kind: str
    output: str | None
    hand: int | None
    at: int | None
    eyes: str
    pack: str | None
    width: int | None
    dark: bool


def output_kind(output: str | None, named: Sequence[str]) -> str:
    """The kind of output: "html", "svg", "png", "gif", or "" for text in the terminal.

    The file name or an option decides. Raises UsageError for an unknown kind, or if two were requested.
    """
    from events.errors import UsageError

    if len(named) > 1:
        raise UsageError(f"--{named[0]} and --{named[1]} do not go together", expected="one of --svg, --png and --gif")
    wanted = named[0] if named else ""
    if output is None:
        return wanted
    if output == "-":
        if wanted in ("png", "gif"):
            raise UsageError(
                f"--{wanted} writes a file", where="-", expected="-o FILE, or no -o for a file named after the match",
            )
        return wanted or "html"
    ending = Path(output).suffix.lower()
    kind = KINDS.get(ending, wanted if not ending else "")
    if not kind:
        raise UsageError(
            "a replay is a page or a picture", where=output, expected="a file that ends in .html, .svg, .png or .gif",
            todo="Name such a file.",
        )
    if wanted not in ("", kind):
        raise UsageError(
            f"--{wanted} does not go with this name", where=output, expected=f"a file that ends in .{wanted}",
        )
    return kind


def write_picture(asked: PictureRequest) -> None:
    """Write the picture.

    Raises UsageError if the drawing library is not installed, NotFoundError for a missing hand or event.
    """
    from cli.log_source import load_log
    from events.errors import NotFoundError
    from replay.pictures.drawing import Drawing
    from replay.pictures.raster import raster
    from replay.viewer.document import document

    viewer, pack = shell.viewer_option(asked.eyes), shell.asked_pack(asked.pack)
    given = load_log(asked.source)
    doc = document(given.log, viewer, hand=asked.hand, start=asked.at, pack=pack)
    if not doc["hands"]:
        raise NotFoundError(
            "there is no hand to draw",
            expected="a match in which something was recorded" if asked.hand is None else "a hand of this match",
        )
    width = asked.width or WIDTHS[asked.kind]
    drawing = Drawing(doc, width, dark=asked.dark)
    at = asked.at or doc["hands"][-1]["last"]
    if asked.kind == "svg":
        _write(asked, doc, at, drawing.svg(at).encode())
    else:
        with raster() as made:
            data = made.png(drawing.svg(at)) if asked.kind == "png" else _gif(doc, drawing, made)
        _write(asked, doc, at, data)
    given.close()


def _gif(doc: dict[str, Any], drawing: Any, made: Any) -> bytes:
    """The last hand of the document as a GIF, event by event."""
    from events.errors import UsageError

    events = [step.n for step in doc["hands"][-1]["steps"]]
    if len(events) > MOST_EVENTS:
        raise UsageError(
            f"this hand has {len(events)} events", expected=f"at most {MOST_EVENTS} in a GIF",
            todo="Write it as a page: -o hand.html",
        )
    data: bytes = made.gif(lambda n: drawing.svg(n, whole=True), events)
    return data


def _write(asked: PictureRequest, doc: dict[str, Any], at: int, data: bytes) -> None:
    """Write to the given file; without one, to a file named after the match, and print its name."""
    if asked.output is None:
        what = f"hand-{doc['hands'][-1]['number']}" if asked.kind == "gif" else str(at)
        path = f"{file_name(doc['match'] or 'match')}-{what}.{asked.kind}"
        shell.write_out(path, data)
        shell.out(path, data=True)
    else:
        shell.write_out(asked.output, data)
