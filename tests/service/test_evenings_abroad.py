"""An evening of a game in the language of its country, tapped on the phone: no English stands on any page."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from browsers import Browser
from phones import PHONE, Club, Phone, club
from pseudo_language import finder
from pypdf import PdfReader
from taps import lines_of_a_hand

from events.packs import PACKS
from reducers.registry import usable_pages
from replay.languages.catalogue import FOLDER, messages_in
from replay.languages.translate import speaking
from replay.paper.render import render
from replay.paper.sheet import sheet_of
from replay.redact import hide
from replay.simulate import simulate

EVENINGS = {
    "scopa": ("it", "italian", {"A": "Rosa Ferri", "B": "Nino Galli"}, 4, 2),
    "botifarra": ("ca", "spanish", {"N": "Jordi Puig", "E": "Mercè Roca", "S": "Pau Vidal", "W": "Núria Serra"}, 1, 1),
    "xeri": ("el", "french", {"A": "Ελένη Δήμου", "B": "Νίκος Ράπτης"}, 1, 1),
}
"""The language of an evening, its pack, who plays, and the seed and hands of the match; that of Scopa ends."""
SAID = """() => [...document.querySelectorAll('body *')].flatMap(e => {
  if (e.closest('script, style, noscript') || !e.checkVisibility()) return [];
  const own = [...e.childNodes].filter(n => n.nodeType === 3).map(n => n.data);
  return [...own, e.getAttribute('aria-label'), e.getAttribute('title'), e.getAttribute('placeholder')].filter(Boolean);
})"""
MATCH = re.compile(r"\b[a-z]+-[a-z0-9]{6}\b")
FETCHED = """async address => {
  const bytes = new Uint8Array(await (await fetch(address)).arrayBuffer());
  return btoa(Array.from(bytes, b => String.fromCharCode(b)).join(''));
}"""
WORD = re.compile(r"[^\W\d_]{2,}")
HOME = {"german": "de", "italian": "it", "spanish": "es"}
"""The language of the names of a pack, whose words need no translation there."""
FRENCH_SIGNS = re.compile("[♠♥♦♣]")


def english_words(code: str) -> set[str]:
    """The words of the English phrases that no phrase of the language has."""
    said: set[str] = set()
    english = {word for text in finder().game_phrases() for word in words_of(text)}
    for one in messages_in((Path(FOLDER) / f"{code}.po").read_text(encoding="utf-8")):
        english |= words_of(f"{one.text} {one.plural}")
        said |= {word for text in one.said.values() for word in words_of(text)}
    return english - said


def words_of(text: str) -> set[str]:
    return {word.lower() for word in WORD.findall(re.sub(r"\{\w+\}|`[^`]*`", "", text))}


class Reader:
    """Who looks at pages for English words."""

    def __init__(self, code: str, pack: str, pictures: Path | None = None) -> None:
        self.code, self.pack, self.pictures = code, pack, pictures
        terms = PACKS[pack]
        own = {rank.sign + suit.sign for rank in terms.ranks.values() for suit in terms.suits.values()}
        if HOME.get(pack) == code:
            own |= {word for term in (*terms.ranks.values(), *terms.suits.values()) for word in (term.one, term.many)}
        self.english = english_words(code) - {word.lower() for word in own}
        self.found: dict[str, list[str]] = {}

    def read(self, name: str, lines: Iterable[str]) -> None:
        """Note the lines with English words, and with cards of another pack than that on the table. The name of a match
        is the same in all languages."""
        if wrong := sorted({
            text.strip() for text in lines if words_of(MATCH.sub("", text)) & self.english
            or (self.pack != "french" and FRENCH_SIGNS.search(text))
        }):
            self.found[name] = wrong

    def look(self, name: str, page: Any) -> None:
        """Read a page, and take a picture of it if pictures are wanted."""
        self.read(name, page.evaluate(SAID))
        if self.pictures is not None:
            page.screenshot(path=str(self.pictures / f"{name}.png"), full_page=True)


@pytest.fixture(scope="module")
def clubs(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    with club(tmp_path_factory.mktemp("club")) as made:
        yield made


def tapped(phone: Phone, keys: Any, answer: str = "") -> None:
    """Tap a line, and the reading that is meant if the page asks."""
    phone.words(keys)
    phone.settled()
    if answer:
        phone.tap(f"reading {answer}")
    state = phone.settled()
    assert state["ok"], (keys, state)
    assert not state["asked"], (keys, state)


@pytest.mark.rest
@pytest.mark.parametrize("game", EVENINGS)
def test_an_evening_is_recorded_without_a_word_of_english(game: str, clubs: Club, browser: Browser) -> None:
    """If this failed, a player who reads no English would meet a line that says nothing to him."""
    wrong = evening(game, clubs, browser)
    assert wrong == {}


@pytest.mark.rest
def test_the_sheet_of_every_game_is_written_without_a_word_of_english() -> None:
    """If this failed, a column, a sum or a result of some game would be English on a sheet in another language. In
    Greek no word is like an English one."""
    english, wrong = english_words("el"), list[str]()
    for game in usable_pages()[0]:
        with speaking("el"):
            lines = render(sheet_of(simulate(game.key, seed=8, hands=1)), "text").splitlines()
        wrong += [f"{game.key}: {line.strip()}" for line in lines if words_of(line) & english]
    assert wrong == []


def evening(game: str, clubs: Club, browser: Browser, pictures: Path | None = None) -> dict[str, list[str]]:
    """The English lines of each page of an evening."""
    code, pack, names, seed, hands = EVENINGS[game]
    records = hide(simulate(game, seed=seed, hands=hands))
    match = clubs.match(game, names, pack=pack, dealer=str(records[0].event.facts.get("Dealer", records[1].event.by)))
    reader = Reader(code, pack, pictures)
    context = browser.opened.new_context(**{**PHONE, "viewport": {"width": 390, "height": 844}}, locale=code)
    page = context.new_page()
    page.goto(clubs.link("recorder", match, subject=next(iter(names.values()))))
    page.wait_for_selector(".pad")
    while page.locator(".lesson .key.main").count():
        reader.look(f"lesson {page.evaluate('document.getElementById(`kibitz`).phone.lesson')}", page)
        page.click(".lesson .key.main")
    phone = Phone(page)
    for k, line in enumerate(lines_of_a_hand(records, 1)):
        tapped(phone, line.keys, line.answer)
        if k in (0, 1, 2, 7, 20):
            reader.look(f"line {k}", page)
    reader.look("the end", page)
    panels(reader, page)
    context.close()
    followers(reader, clubs, browser, match)
    return reader.found


def panels(reader: Reader, page: Any) -> None:
    """The panels behind the keys of the phone."""
    for k in range(1, page.locator(".tools button").count()):
        page.locator(".tools button").nth(k).click()
        page.wait_for_selector(".panel")
        page.wait_for_timeout(200)
        reader.look(f"panel {k}", page)
        page.locator(".panel > .wide").last.click()
    page.click("header .bare")
    reader.look("menu", page)


def followers(reader: Reader, clubs: Club, browser: Browser, match: str) -> None:
    """The board, the page of who follows the match, and its sheet, on a phone and on a screen."""
    for width in (390, 1280):
        context = browser.opened.new_context(locale=reader.code, viewport={"width": width, "height": 844})
        page = context.new_page()
        page.goto(clubs.link("director"))
        page.wait_for_selector("main")
        for path, ready in (("/board", ".tables section"), (f"/m/{match}", ".stage svg")):
            page.goto(clubs.address + path)
            page.wait_for_selector(ready)
            reader.look(f"{path[1]} at {width}", page)
        for k in range(page.locator(".tabs button").count()):
            page.locator(".tabs button").nth(k).click()
            reader.look(f"m at {width} tab {k}", page)
        for kind in ("pdf", "png", "txt", "md"):
            told = b64decode(page.evaluate(FETCHED, f"{clubs.address}/api/v1/matches/{match}/sheet.{kind}"))
            if kind == "pdf":
                text = "\n".join(side.extract_text() for side in PdfReader(BytesIO(told)).pages)
                reader.read("pdf", text.splitlines())
            if kind in ("txt", "md"):
                reader.read(kind, told.decode().splitlines())
            if reader.pictures is not None:
                (reader.pictures / f"sheet.{kind}").write_bytes(told)
        page.goto(f"{clubs.address}/api/v1/matches/{match}/sheet.html")
        reader.look(f"sheet at {width}", page)
        context.close()
