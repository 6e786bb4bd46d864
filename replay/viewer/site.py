"""An evening as static pages: an index with the results, and for each match its replay, its sheet and its reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from events.file_names import file_name
from events.model import Recorded
from replay.in_pack import in_pack
from replay.paper.as_html import WIDE, h, html_page
from replay.paper.codes import code_if_drawn
from replay.paper.render import render
from replay.paper.report import render_report, report
from replay.paper.sheet import sheet_of
from replay.paper.sheet_page import Look
from replay.read_log import read
from replay.viewer.document import document
from replay.viewer.page import page
from replay.viewer.told import heading, players, result

INDEX = "index.html"


class Entry(Struct, frozen=True):
    """A match of an index: its game and title, who plays, how it ended, how much was found, and its pages by what they are
    called."""

    match: str
    game: str
    title: str
    date: str
    players: str
    result: str
    broken: int
    open: int
    pages: dict[str, str]


class Written(Struct, frozen=True):
    """A page of a site, and where it stands."""

    path: str
    text: str


def pages_of(match: str, records: Iterable[Recorded], viewer: str, url: str = "") -> tuple[Entry, list[Written]]:
    """The pages of one match, and its place in the index. Sheets and reports show everything, so only the replay is made for
    any viewer but "all". Raises like `replay.viewer.document.document`."""
    log = read(records)
    folder = f"matches/{file_name(match)}"
    written: list[Written] = []
    shown = in_pack(log.view, log)
    links: dict[str, str] = {}
    home = f"{url}/{folder}/replay.html" if url else ""
    code = code_if_drawn(home)
    if viewer == "all":
        written.append(Written(f"{folder}/sheet.html", render(shown.data(sheet_of(log)), "html", look=Look(suits=shown.same, url=home, code=code))))
        links["sheet"] = "sheet.html"
    doc = document(log, viewer)
    asked = dict.fromkeys(f["hand"] for f in doc["findings"] if f["hand"] and not f["record"])
    for number in sorted(asked) if viewer == "all" else ():
        name = f"report-{number}.html"
        written.append(Written(f"{folder}/{name}", render_report(shown.data(replace(report(log, number), suits=shown.same, replay="replay.html")), "html")))
        links[f"report, hand {number}"] = name
    doc["links"] = {**links, "the evening": f"../../{INDEX}"}
    doc["url"] = home
    written.append(Written(f"{folder}/replay.html", page(doc, code)))
    verdicts = [f["verdict"] for f in doc["findings"]]
    entry = Entry(
        match, doc["name"], doc["title"], doc["tags"].get("Date", ""), players(doc), result(doc), verdicts.count("broken"),
        verdicts.count("open"), {"replay": f"{folder}/replay.html", **{name: f"{folder}/{to}" for name, to in links.items()}},
    )  # fmt: skip
    return entry, written


def index_page(title: str, entries: Sequence[Entry], url: str = "") -> str:
    """The index: a line a match, the result beside its pages."""
    body = ["<main>", f"<h1>{h(title)}</h1>", f'<p class="result">{len(entries)} {"match" if len(entries) == 1 else "matches"}</p>']
    body += [f"{WIDE}<table>", "<thead><tr>"]
    body += [f'<th scope="col">{name}</th>' for name in ("game", "players", "result", "found", "pages")]
    body += ["</tr></thead>", "<tbody>", *_rows(entries), "</tbody></table></div>", "</main>"]
    home = f"{url}/{INDEX}"
    body += [f'<footer>{code_if_drawn(home)}<div><p><a href="{h(home)}">{h(home)}</a></p></div></footer>'] if url else []
    return html_page(title, body)


def _rows(entries: Iterable[Entry]) -> Iterator[str]:
    for one in entries:
        found = ", ".join([*([f"{one.broken} broken"] if one.broken else []), *([f"{one.open} open"] if one.open else [])])
        pages = " · ".join(f'<a href="{h(to)}">{h(name)}</a>' for name, to in one.pages.items())
        named = heading({"name": one.game, "title": one.title}) if one.title != one.players else one.game
        cells = [f"{named}{f', {one.date}' if one.date else ''}", one.players, one.result, found]
        yield "<tr>" + "".join(f"<td>{h(text)}</td>" for text in cells) + f"<td>{pages}</td></tr>"


__all__ = ["INDEX", "Entry", "Written", "index_page", "pages_of"]
