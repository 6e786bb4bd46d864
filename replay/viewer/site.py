"""An evening as static pages: an index with the results, and for each match its replay, its sheet and its reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from events.file_names import file_name
from events.model import Recorded
from replay.pack_names import in_pack
from replay.paper.as_html import WIDE, h, html_page
from replay.paper.codes import code_if_drawn
from replay.paper.render import render
from replay.paper.report import render_report, report
from replay.paper.sheet import sheet_of
from replay.paper.sheet_page import PageLook
from replay.read_log import read_log
from replay.viewer.document import document
from replay.viewer.page import replay_html
from replay.viewer.text_page import heading, match_result, players_line

INDEX = "index.html"


class SiteMatch(Struct, frozen=True):
    """A match in the index: game and title, players, result, numbers of findings, and its pages by name."""

    match: str
    game: str
    title: str
    date: str
    players: str
    result: str
    broken: int
    open: int
    pages: dict[str, str]


class WrittenPage(Struct, frozen=True):
    """A page of a site, with its path."""

    path: str
    text: str


def pages_of(match: str, records: Iterable[Recorded], viewer: str, url: str = "") -> tuple[SiteMatch, list[WrittenPage]]:
    """The pages of one match, and its index entry. Sheets and reports show everything, so other viewers than "all"
    get only the replay. Raises like `replay.viewer.document.document`."""
    log = read_log(records)
    folder = f"matches/{file_name(match)}"
    written: list[WrittenPage] = []
    shown = in_pack(log.view, log)
    links: dict[str, str] = {}
    home = f"{url}/{folder}/replay.html" if url else ""
    code = code_if_drawn(home)
    if viewer == "all":
        written.append(WrittenPage(f"{folder}/sheet.html", render(shown.data(sheet_of(log)), "html", look=PageLook(suits=shown.same, url=home, code=code))))
        links["sheet"] = "sheet.html"
    doc = document(log, viewer)
    asked = dict.fromkeys(f["hand"] for f in doc["findings"] if f["hand"] and not f["record"])
    for number in sorted(asked) if viewer == "all" else ():
        name = f"report-{number}.html"
        written.append(WrittenPage(f"{folder}/{name}", render_report(shown.data(replace(report(log, number), suits=shown.same, replay="replay.html")), "html")))
        links[f"report, hand {number}"] = name
    doc["links"] = {**links, "the evening": f"../../{INDEX}"}
    doc["url"] = home
    written.append(WrittenPage(f"{folder}/replay.html", replay_html(doc, code)))
    verdicts = [f["verdict"] for f in doc["findings"]]
    entry = SiteMatch(
        match, doc["name"], doc["title"], doc["tags"].get("Date", ""), players_line(doc), match_result(doc), verdicts.count("broken"),
        verdicts.count("open"), {"replay": f"{folder}/replay.html", **{name: f"{folder}/{to}" for name, to in links.items()}},
    )  # fmt: skip
    return entry, written


def index_page(title: str, entries: Sequence[SiteMatch], url: str = "") -> str:
    """The index: a line per match, with the result and the pages."""
    body = ["<main>", f"<h1>{h(title)}</h1>", f'<p class="result">{len(entries)} {"match" if len(entries) == 1 else "matches"}</p>']
    body += [f"{WIDE}<table>", "<thead><tr>"]
    body += [f'<th scope="col">{name}</th>' for name in ("game", "players", "result", "found", "pages")]
    body += ["</tr></thead>", "<tbody>", *_rows(entries), "</tbody></table></div>", "</main>"]
    home = f"{url}/{INDEX}"
    body += [f'<footer>{code_if_drawn(home)}<div><p><a href="{h(home)}">{h(home)}</a></p></div></footer>'] if url else []
    return html_page(title, body)


def _rows(entries: Iterable[SiteMatch]) -> Iterator[str]:
    for one in entries:
        found = ", ".join([*([f"{one.broken} broken"] if one.broken else []), *([f"{one.open} open"] if one.open else [])])
        pages = " · ".join(f'<a href="{h(to)}">{h(name)}</a>' for name, to in one.pages.items())
        named = heading({"name": one.game, "title": one.title}) if one.title != one.players else one.game
        cells = [f"{named}{f', {one.date}' if one.date else ''}", one.players, one.result, found]
        yield "<tr>" + "".join(f"<td>{h(text)}</td>" for text in cells) + f"<td>{pages}</td></tr>"


__all__ = ["INDEX", "SiteMatch", "WrittenPage", "index_page", "pages_of"]
