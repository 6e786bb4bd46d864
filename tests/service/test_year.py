"""A secretary's year in the browser alone: players, a messy spreadsheet, names, pads, an evening's tables, results and
corrections, decisions, the season's table in every format, and who may read it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browsers import Browser
from phones import club

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LEAGUE = (EXAMPLES / "burraco-league.csv").read_text(encoding="utf-8")
PAIRS = ["Olena Koval & Walter", "Doris & Marcel", "Rosa & Pietro", "Ann Lee & Ed"]
PATIENCE = 30.0


class Desk:
    """A window of the secretary: what is pressed, what is said then, and what reaches out of a page."""

    def __init__(self, page: Any, address: str) -> None:
        self.page, self.address, self.wrong = page, address, list[str]()
        page.set_default_timeout(PATIENCE * 1000)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))

    def go(self, path: str, then: str) -> None:
        self.page.goto(self.address + path)
        self.until(then)

    def until(self, then: str) -> None:
        """Wait for some words; the page is then as wide as its window, on a desk and on a phone."""
        end = time.monotonic() + PATIENCE
        while then not in self.page.inner_text("body"):
            assert time.monotonic() < end, f"{then!r} is not in {self.page.inner_text('body')[-1500:]}"
            self.page.wait_for_timeout(20)
        for width in (390, 1280):
            self.page.set_viewport_size({"width": width, "height": 900})
            if self.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                self.wrong.append(f"{self.page.url} at {width}, {then}: it scrolls sideways")

    def press(self, name: str, then: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).first.click()
        self.until(then)

    def fill(self, place: Any = None, **fields: str) -> None:
        """Fill fields by their labels, an underscore for each space."""
        for label, value in fields.items():
            (place or self.page).get_by_label(label.replace("_", " "), exact=True).fill(value)

    def file(self, label: str, text: str, encoding: str = "utf-8") -> None:
        self.page.get_by_label(label).set_input_files(
            {"name": "league.csv", "mimeType": "text/csv", "buffer": text.encode(encoding)}
        )

    def bytes_of(self, place: Any, words: str) -> bytes:
        """What a link of a place leads to."""
        link = place.get_by_role("link", name=words, exact=True).first.get_attribute("href")
        answer = self.page.request.get(self.address + link)
        assert answer.status == 200, (link, answer.text())
        body: bytes = answer.body()
        return body


@pytest.mark.rest
def test_a_secretary_keeps_a_year_without_a_terminal(browser: Browser, tmp_path: Path) -> None:
    """If this failed, a secretary would be stuck with a page until somebody found a terminal."""
    with club(tmp_path) as made:
        context = browser.opened.new_context(accept_downloads=True)
        desk = Desk(context.new_page(), made.address)
        desk.page.goto(made.link("director"))
        desk.page.wait_for_url(lambda url: "/enter" not in url)
        _players_and_results(desk)
        _evening(desk)
        _decisions(desk)
        _season(desk, lambda link: Desk(browser.opened.new_context().new_page(), link))
        assert desk.wrong == []
        context.close()


def _players_and_results(desk: Desk) -> None:
    desk.go("/players", "a new player")
    desk.fill(a_new_player="Olena Koval")
    desk.press("add the player", "Olena Koval is in the register.")
    # The file of an older program, with a result that was typed wrong; the right one corrects it.
    desk.go("/book", "A blank pad")
    desk.fill(into_the_book="aurora")
    wrong = LEAGUE.replace("955 : 1.165", "1.955 : 1.165").replace("Ed came", "Eduàrd came")
    desk.file("choose the file", wrong, "cp1252")
    desk.until("the file is Windows-1252")
    desk.press("look at what would be written", "24 matches would be written")
    desk.press("write them", "24 matches in the book aurora")
    desk.press("one: Marcel", "Marcel D. is Marcel from now on.")
    for spelling in ("O. Koval", "Olena"):
        desk.press("one: Olena Koval", f"{spelling} is Olena Koval from now on.")
    desk.file("choose the file", LEAGUE)
    desk.until("What was understood")
    desk.press("look at what would be written", "24 matches would be written")
    desk.press("write them", "not written: another result is there")
    assert "points.AB=1955 points.CD=1165 →" in desk.page.inner_text(".made")
    desk.press("correct what was written by the spreadsheet", "corrected")
    desk.go("/players", "Names not linked to a player")
    desk.press("each of these is a player: Ann Lee, Doris, Ed, Pietro, Rosa, Walter", "They are in the register.")
    assert "Names not linked" not in desk.page.inner_text("main")


def _evening(desk: Desk) -> None:
    desk.go("/book", "The sheet of an evening")
    pads = desk.page.locator("section", has_text="A blank pad")
    pads.locator("select").first.select_option("burraco")
    assert desk.bytes_of(pads, "PDF").startswith(b"%PDF")
    evening = desk.page.locator("section", has_text="The movement of an evening")
    evening.locator("select").first.select_option("pad")
    evening.locator("summary", has_text="House rules").click()
    evening.get_by_label("what is played, as Doppelkopf").fill("Burraco")
    desk.fill(evening, book="cup", title="The cup", who_plays="\n".join(PAIRS))
    desk.press("make the movement", "Round 3")
    assert desk.bytes_of(evening, "PDF").startswith(b"%PDF")
    desk.press("begin the tables of round 1", "begun: the tables are")
    for winner, loser, points in ((PAIRS[0], PAIRS[3], ("1200", "900")), (PAIRS[1], PAIRS[2], ("800", "1005"))):
        for side, figure in zip((winner, loser), points, strict=True):
            evening.get_by_label(f"points of {side}").fill(figure)
        desk.press("write", " : ".join(points))
    # A result is put right on the page that a phone has.
    evening.get_by_role("link", name="put right").first.click()
    desk.page.get_by_role("button", name="correct", exact=True).click()
    desk.page.get_by_role("button", name="Result entered").click()
    desk.press("replace", "a correction")
    desk.press("the result", "What did Olena Koval & Walter win or lose?")
    for figure in ("1250", "900"):
        for digit in figure:
            desk.page.get_by_role("button", name=digit, exact=True).click()
        desk.press("next", figure)
    desk.press("write it down", "event 1 now says")
    desk.go("/board?book=cup", "Next: round 2 of 3")
    desk.until("1250")
    desk.go("/director", "A new match")
    desk.until("Rosa & Pietro won")
    assert desk.page.locator("section.table").first.inner_text().count("1250") == 1, "the last evening comes first"


def _decisions(desk: Desk) -> None:
    for player, kind, day, figure, why in (
        ("Olena Koval", "adjusted", "2026-02-10", "-1", "came an hour late"),
        ("Doris", "bye", "2026-02-17", "12", "the odd pair"), ("Marcel", "absent", "2026-02-17", "", "at sea"),
    ):
        desk.go("/players", "a new player")
        desk.press(f"change: {player}", "decide about an evening")
        desk.page.locator("summary", has_text="decide about an evening").click()
        desk.page.get_by_label("decision").select_option(kind)
        desk.page.get_by_label("what is added to").select_option("vp")
        desk.fill(book="aurora", evening=day, how_much=figure, reason=why)
        desk.press("decide", f"It is decided about {player}")


def _season(desk: Desk, other: Callable[[str], Desk]) -> None:
    desk.go("/season?book=aurora&best=10&ties=all&grid=true&records=true&dues=2.50&title=Burraco", "Evening by evening")
    desk.file("from a file", (EXAMPLES / "burraco-vp.csv").read_text(encoding="utf-8"))
    steps = desk.page.get_by_label("victory points: up to")
    while not steps.input_value():
        desk.page.wait_for_timeout(20)
    desk.page.get_by_label("ordered by").select_option("vp")
    desk.press("show", "Ordered by: victory points, the best 10 evenings")
    texts = [" ".join(row.split()) for row in desk.page.locator("tbody tr").all_inner_texts()]
    assert texts[0].startswith("1. Olena Koval 125 12 9 3 75 17345 1445.42 12"), "as docs/seasons.md has it"
    assert "Marcel 8 17 (6) (8) 10 9 e 15 9 14 10 9 15 116" in texts
    assert "Doris 2026-02-17 bye vp +12 the odd pair" in texts
    assert any(text.startswith("best total Olena Koval & Walter 2370") for text in texts)
    assert "Ed 12 −30.00 −30.00" in texts
    main = desk.page.locator("main")
    for words, begins in (
        ("as a page, with plots", b"<!DOCTYPE html>"), ("PDF", b"%PDF"), ("workbook", b"PK"),
        ("Markdown", b"# Burraco"), ("CSV", b"\xef\xbb\xbftable,place,player"), ("text", b"Burraco"),
    ):
        assert desk.bytes_of(main, words).startswith(begins), words
    assert len(json.loads(desk.bytes_of(main, "BG Stats"))["plays"]) == 24
    desk.press("take back: Marcel, 2026-02-17", "it counts no more")
    desk.press("publish for all who have a link", "It is published as it stands now.")
    desk.press("link to this table", "For everybody who reads this table")
    reader = other("")
    reader.page.goto(desk.page.locator(".given > code").inner_text())
    reader.page.get_by_role("link", name="Burraco").click()
    reader.until("came an hour late")
    assert "at sea" not in reader.page.inner_text("body")
    assert reader.wrong == []
    reader.page.context.close()
