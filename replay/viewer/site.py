"""An evening or a season as static pages: an index with the results and the hands worth opening, and for each match its
replay, its sheet and its reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec
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
from replay.redact import hide
from replay.season.facts import match_facts
from replay.season.highlights import HandToOpen
from replay.viewer.document import document
from replay.viewer.page import replay_html
from replay.viewer.text_page import heading, match_result, players_line

INDEX = "index.html"
Draw: TypeAlias = Callable[[Mapping[str, Any]], Callable[[int], str]]
"""How positions of a document are drawn: a function from an event to an SVG."""
MOST_HANDS, OF_ONE = 12, 3
"""Most hands that an index shows, and most of a single match."""


class SiteMatch(Struct, frozen=True):
    """A match in the index: game and title, players, result, numbers of findings, its pages by name, and its hands
    worth opening, each with the path of its picture ("": none)."""

    match: str
    game: str
    title: str
    date: str
    players: str
    result: str
    broken: int
    open: int
    pages: dict[str, str]
    hands: tuple[tuple[HandToOpen, str], ...] = ()


class WrittenPage(Struct, frozen=True):
    """A page of a site, with its path."""

    path: str
    text: str


def pages_of(
    match: str, records: Iterable[Recorded], viewer: str, url: str = "", draw: Draw | None = None,
) -> tuple[SiteMatch, list[WrittenPage]]:
    """The pages of one match, and its index entry. Sheets and reports show everything, so other viewers than "all"
    get only the replay. The hands worth opening have a picture if `draw` is given. Raises like
    `replay.viewer.document.document`."""
    log = read_log(records)
    folder = f"matches/{file_name(match)}"
    written: list[WrittenPage] = []
    shown = in_pack(log.view, log)
    links: dict[str, str] = {}
    home = f"{url}/{folder}/replay.html" if url else ""
    code = code_if_drawn(home)
    if viewer == "all":
        written.append(
            WrittenPage(
                f"{folder}/sheet.html",
                render(shown.data(sheet_of(log)), "html", look=PageLook(suits=shown.same, url=home, code=code)),
            )
        )
        links["sheet"] = "sheet.html"
    doc = document(log, viewer)
    asked = dict.fromkeys(f["hand"] for f in doc["findings"] if f["hand"] and not f["record"])
    for number in sorted(asked) if viewer == "all" else ():
        name = f"report-{number}.html"
        written.append(
            WrittenPage(
                f"{folder}/{name}",
                render_report(shown.data(replace(report(log, number), suits=shown.same, replay="replay.html")), "html"),
            )
        )
        links[f"report, hand {number}"] = name
    doc["links"] = {**links, "the evening": f"../../{INDEX}"}
    doc["url"] = home
    written.append(WrittenPage(f"{folder}/replay.html", replay_html(doc, code)))
    best = match_facts(match, log if viewer == "all" else hide(log, viewer)).worth_opening[:OF_ONE]
    drawn = draw(msgspec.json.decode(msgspec.json.encode(doc))) if draw is not None and best else None
    hands = tuple((one, f"{folder}/hand-{one.hand}.svg" if drawn is not None else "") for one in best)
    written += [WrittenPage(path, drawn(one.at)) for one, path in hands if drawn is not None]
    verdicts = [f["verdict"] for f in doc["findings"]]
    entry = SiteMatch(
        match, doc["name"], doc["title"], doc["tags"].get("Date", ""), players_line(doc), match_result(doc),
        verdicts.count("broken"), verdicts.count("open"),
        {"replay": f"{folder}/replay.html", **{name: f"{folder}/{to}" for name, to in links.items()}}, hands,
    )  # fmt: skip
    return entry, written


def index_page(title: str, entries: Sequence[SiteMatch], url: str = "") -> str:
    """The index: a line per match, with the result and the pages, and the hands worth opening of all of them."""
    body = [
        "<main>", f"<h1>{h(title)}</h1>",
        f'<p class="result">{len(entries)} {"match" if len(entries) == 1 else "matches"}</p>',
    ]
    body += [f"{WIDE}<table>", "<thead><tr>"]
    body += [f'<th scope="col">{name}</th>' for name in ("game", "players", "result", "found", "pages")]
    body += ["</tr></thead>", "<tbody>", *_rows(entries), "</tbody></table></div>", *_hands(entries), "</main>"]
    home = f"{url}/{INDEX}"
    body += [
        f'<footer>{code_if_drawn(home)}<div><p><a href="{h(home)}">{h(home)}</a></p></div></footer>'
    ] if url else []
    return html_page(title, body, _STYLE)


def _rows(entries: Iterable[SiteMatch]) -> Iterator[str]:
    for one in entries:
        found = ", ".join(
            [*([f"{one.broken} broken"] if one.broken else []), *([f"{one.open} open"] if one.open else [])]
        )
        pages = " · ".join(f'<a href="{h(to)}">{h(name)}</a>' for name, to in one.pages.items())
        named = heading({"name": one.game, "title": one.title}) if one.title != one.players else one.game
        cells = [f"{named}{f', {one.date}' if one.date else ''}", one.players, one.result, found]
        yield "<tr>" + "".join(f"<td>{h(text)}</td>" for text in cells) + f"<td>{pages}</td></tr>"


def _hands(entries: Iterable[SiteMatch]) -> Iterator[str]:
    """The hands worth opening, the most interesting first, each a link to the position that its picture shows."""
    found = sorted(
        ((one, picture, entry) for entry in entries for one, picture in entry.hands), key=lambda found: -found[0].weight
    )
    if not found:
        return
    yield '<section class="hands"><h2>Hands worth opening</h2><ul>'
    for one, picture, entry in found[:MOST_HANDS]:
        named = f"{heading({'name': entry.game, 'title': entry.title})}, hand {one.hand}"
        image = f'<img src="{h(picture)}" alt="" loading="lazy" width="260">' if picture else ""
        yield (
            f'<li><a href="{h(entry.pages["replay"])}#{one.at}">{image}<b>{h(one.text)}</b> '
            f'<span>{h(named)}</span></a></li>'
        )
    yield "</ul></section>"


_STYLE = """
.hands ul { list-style: none; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(260px, 1fr)); gap: 16px; }
.hands a { display: block; color: inherit; text-decoration: none; }
.hands a:hover b, .hands a:focus b { text-decoration: underline; }
.hands img { display: block; width: 100%; height: auto; border: 1px solid #d5d4ce; border-radius: 6px; margin-bottom: 4px; }
.hands b, .hands span { display: block; }
"""
