"""The pages in other languages: nothing on them is said in English only, nothing is cut, and one language travels."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsers import Browser
from phones import PHONE, Club, club
from pseudo_language import CODE, unmarked, write_catalogue
from service_at import Asker, Evening

from replay.languages.catalogue import ENGLISH
from replay.languages.translate import offered_languages
from replay.viewer.bundle import without_types
from service.pages import page_of, static_file

SEATED = {
    "scopa": {"A": "Olena", "B": "Marcel"}, "xeri": {"A": "Olena", "B": "Marcel"},
    "botifarra": dict(zip("NESW", ("Olena", "Marcel", "Walter", "Doris"), strict=True)),
}
PLAYED = {
    "scopa": ["deal board=7d4c2s5h", "7h", "Js", "As", "6d/As5h", "x", "x"],
    "xeri": ["deal board=7d4c2s5h", "7h", "5s", "x", "Qd"],
    "botifarra": ["pass", "name s", "double", "pass", "pass", "9s", "7s", "x", "2s", "note a remark"],
}
LEAVES = """() => {
  const out = [];
  // A line of text with everything in it, so that a phrase with cards in it is one.
  for (const e of document.querySelectorAll(
      'p, li, button, h1, h2, label, th, td, dt, dd, option, a, .answer, .what, .score, .place, .position')) {
    if (e.checkVisibility() && !e.closest('.panel .lines')) out.push(e.textContent);
    const said = e.getAttribute('aria-label');
    if (said) out.push(said);
  }
  return out;
}"""
CUT = """() => {
  const wrong = [];
  if (document.documentElement.scrollWidth > innerWidth) wrong.push('it scrolls sideways');
  for (const e of document.querySelectorAll('button, p, li, h1, h2, label, dt, dd, td, th, .answer')) {
    if (e.closest('.scrolls')) continue;
    const r = e.getBoundingClientRect();
    if (!r.width || e.closest('.spoken') || e.matches('.spoken') || !e.textContent.includes('⟦')) continue;
    const style = getComputedStyle(e);
    if (r.right > innerWidth + 1) wrong.push(`outside: ${e.textContent}`);
    if (e.scrollWidth > e.clientWidth + 1 && style.display !== 'inline') wrong.push(`cut: ${e.textContent}`);
    if (e.matches('button') && e.scrollHeight > e.clientHeight + 1) wrong.push(`cut: ${e.textContent}`);
  }
  return wrong;
}"""
OWN = re.compile(r"Olena|Marcel|Walter|Doris|Kibitz|English")
"""Names of players and ranks, which are the same in every language."""


@pytest.fixture(scope="module")
def abroad(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """A club whose service speaks the language of the tests."""
    place = tmp_path_factory.mktemp("abroad")
    (place / "languages").mkdir()
    write_catalogue(place / "languages")
    with club(place) as made:
        yield made


def english_on(page: Any) -> list[str]:
    """The words of a page that no phrase has."""
    said = [OWN.sub("", unmarked(text)) for text in page.evaluate(LEAVES)]
    return sorted({text.strip() for text in said if re.search(r"[^\W\d_]{2}", text)})


def seen_by_director(abroad: Club, browser: Browser, width: int, path: str, ready: str) -> Any:
    """A page of the service in a window of its own, once the element `ready` is there."""
    page = browser.opened.new_context(locale=CODE, viewport={"width": width, "height": 844}).new_page()
    page.goto(abroad.link("director"))
    page.wait_for_selector("main")
    page.goto(f"{abroad.address}{path}")
    page.wait_for_selector(ready)
    return page


@pytest.mark.rest
@pytest.mark.parametrize("game", SEATED)
def test_a_phone_says_nothing_in_english_only_and_cuts_nothing(abroad: Club, browser: Browser, game: str) -> None:
    match = abroad.match(game, SEATED[game])
    context = browser.opened.new_context(**PHONE, locale=CODE)
    page = context.new_page()
    page.goto(abroad.link("recorder", match))
    page.wait_for_selector(".pad")
    wrong: dict[str, list[str]] = {}

    def looked_at(name: str) -> None:
        if found := [*english_on(page), *page.evaluate(CUT)]:
            wrong[name] = found

    looked_at("the lesson")
    while page.locator(".lesson .key.main").count():
        page.click(".lesson .key.main")
        looked_at("the lesson")
    for line in PLAYED[game]:
        told = abroad.line(match, line)
        assert told.is_success, told.text
    page.wait_for_function("last => document.getElementById('kibitz').phone.pad.last >= last", arg=len(PLAYED[game]))
    looked_at("the keys")
    for tool, name in ((1, "correct"), (2, "claim"), (3, "more")):
        page.locator(".tools button").nth(tool).click()
        page.wait_for_selector(".panel")
        page.wait_for_timeout(200)
        if name == "correct":
            page.locator(".panel .line .key").first.click()
        looked_at(name)
        page.locator(".panel > .wide").last.click()
    page.click("header .bare")
    looked_at("the menu")
    page.locator(".panel .choices .key").first.click()
    looked_at("the help")
    page.locator(".panel > .wide").last.click()
    page.click("header .bare")
    page.select_option(".panel > label select", "en")
    # The page is loaded again, and shows the position that the phone keeps until the service has answered.
    page.wait_for_selector("html[lang=en] .pad")
    page.wait_for_function("() => !document.body.textContent.includes('⟦')")
    context.close()
    assert wrong == {}


@pytest.mark.rest
def test_a_board_says_nothing_in_english_only(abroad: Club, browser: Browser) -> None:
    match = abroad.match("scopa", SEATED["scopa"])
    for line in PLAYED["scopa"]:
        abroad.line(match, line)
    page = seen_by_director(abroad, browser, 390, "/board", ".tables section")
    found = [*english_on(page), *page.evaluate(CUT)]
    page.context.close()
    assert found == []


@pytest.mark.rest
def test_who_follows_reads_nothing_in_english_only(abroad: Club, browser: Browser) -> None:
    """Findings are English, and stand in their own panel."""
    match = abroad.match("scopa", SEATED["scopa"])
    for line in PLAYED["scopa"][:-2]:
        abroad.line(match, line)
    page = seen_by_director(abroad, browser, 360, f"/m/{match}", ".stage svg")
    found = [*english_on(page), *page.evaluate(CUT)]
    page.click("header button[aria-controls=menu]")
    found += english_on(page)
    page.keyboard.press("Escape")
    for k in range(page.locator(".tabs button").count()):
        page.locator(".tabs button").nth(k).click()
        found += english_on(page)
    page.click("details.words summary")
    found += [*english_on(page), *page.evaluate(CUT)]
    page.context.close()
    assert set(found) <= {"Home, End"}


@pytest.mark.rest
def test_the_directors_desk_says_nothing_in_english_only(abroad: Club, browser: Browser) -> None:
    """The words of rules are English, wherever they stand."""
    match = abroad.match("scopa", SEATED["scopa"])
    for line in PLAYED["scopa"]:
        abroad.line(match, line)
    page = seen_by_director(abroad, browser, 360, "/director", "section.table")
    page.click("details.new summary")
    page.click("details.rules summary")
    page.wait_for_selector("details.rules [data-rule]")
    page.evaluate("document.querySelector('select[name=game]').remove()")
    page.locator("section.table .choices .key").last.click()
    page.wait_for_selector(".panel-of .given")
    found = [*english_on(page), *page.evaluate(CUT)]
    page.context.close()
    assert set(found) <= {"PDF", "CSV", "Markdown", "PDFCSVMarkdown", "NESW"}


FORMATS = re.compile(r"BG Stats|CSV|Markdown|PDF|home|[ ()]")
MANY = {
    "season": "main.many table", "players": "main.many table", "find": "main.many ul.hits li",
    "book": ".sections section",
}
"""The pages over many matches, and what is on them once they have their answer."""


@pytest.mark.rest
@pytest.mark.parametrize("name", MANY)
def test_a_page_over_many_matches_says_nothing_in_english_only(abroad: Club, browser: Browser, name: str) -> None:
    """If this failed, a secretary would keep a season with a dictionary."""
    match = abroad.match("pad", SEATED["scopa"])
    for line in ("tally points.A=7 points.B=11", "@ end match"):
        assert abroad.line(match, line).is_success
    page = seen_by_director(abroad, browser, 360, f"/{name}{'?game=pad' * (name == 'find')}", MANY[name])
    # Books and formats have their own names.
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    asked = "() => [...document.querySelectorAll('.rules')].every(one => one.querySelector('[data-rule]'))"
    page.wait_for_function(asked)
    found = [FORMATS.sub("", text) for text in (*english_on(page), *page.evaluate(CUT))]
    page.context.close()
    assert [text for text in found if text] == []


def test_the_phone_has_the_cards_of_the_pack_on_the_table(abroad: Club) -> None:
    """If this failed, a phone would show hearts where cups lie, or write clubs down for them."""
    match = abroad.match("scopa", SEATED["scopa"], pack="italian")
    assert abroad.line(match, "deal board=7d4c2s5h").is_success
    told = [abroad.line(match, "7c", by_hand=True, key="a-key-of-its-own").json() for _ in range(2)]
    assert [one["repeated"] for one in told] == [False, True]
    assert "7h" in str(abroad.events(match)[-1])
    pad = told[0]["pad"]
    assert [(key["text"], key["label"]) for key in pad["suits"]] == [
        ("s", "spade"), ("h", "coppe"), ("d", "denari"), ("c", "bastoni"),
    ]
    assert [(key["text"], key["label"]) for key in pad["ranks"]][:4] == [("A", "A"), ("K", "R"), ("Q", "V"), ("J", "F")]
    assert (pad["cards"]["Jh"], pad["cards"]["6c"]) == ("Fc", "6b")
    assert pad["lines"][-1]["says"].startswith("7c")
    assert abroad.line(match, "7h", by_hand=True).status_code == 422
    # A tapped line is in the notation of the record, whatever lies on the table.
    assert abroad.line(match, "Js").is_success
    assert "Js" in str(abroad.events(match)[-1])


def test_a_page_carries_the_language_that_is_asked_for_and_no_other(director: Asker) -> None:
    """If this failed, every reader would fetch what somebody else reads."""
    asking = director.client
    english = asking.get("/board", headers={"accept-language": "en-GB, it;q=0.5"})
    italian = asking.get("/board", headers={"accept-language": "it-IT, en;q=0.5"})
    assert b'<html lang="en">' in english.content
    assert b'src="/static/board.js"' in english.content
    assert b'<html lang="it">' in italian.content
    assert b'src="/static/it/board.js"' in italian.content
    plain, said = asking.get("/static/board.js").content, asking.get("/static/it/board.js").content
    assert plain.decode() == without_types(Path("service/static/board.js").read_text(encoding="utf-8"))
    assert b"Appena finite" in said
    assert b"Just ended" not in said
    assert len(said) < 1.03 * len(plain)


def test_the_list_of_matches_pays_little_for_other_languages() -> None:
    """If this failed, every reader would fetch the names of all languages before a match is seen."""
    page = [page_of("index", ENGLISH)]
    for name in ("index.js", "common.js"):
        found = static_file(name, ENGLISH)
        assert found is not None
        page.append(found[0])
    assert not any(b"Nederlands" in part for part in page)
    assert re.findall(r'from "\./([\w.]+)"', b"".join(page).decode()) == ["common.js"]
    choice = static_file("language.js", ENGLISH)
    assert choice is not None
    assert all(json.dumps(name, ensure_ascii=False) in choice[0].decode() for name in offered_languages().values())


def test_a_language_that_was_chosen_stays(director: Asker) -> None:
    asked = director.client.get("/board?lang=it", headers={"accept-language": "en"})
    assert b'<html lang="it">' in asked.content
    assert asked.headers["set-cookie"].startswith("language=it;")
    director.client.cookies.clear()
    unknown = director.client.get("/board?lang=tlh", headers={"accept-language": "en"})
    assert b'<html lang="en">' in unknown.content
    assert "set-cookie" not in unknown.headers


def test_two_languages_at_one_table_do_not_mix(club: Evening) -> None:
    """If this failed, whoever looked first would choose the language of all others."""
    director = club.as_("director")
    match = director.get("/matches").json()["matches"][0]["match"]
    said = {
        code: director.get(f"/matches/{match}/frames", headers={"accept-language": code}).text
        for code in ("en", "it", "en")
    }
    assert "discards" in said["en"]
    assert "scarta" in said["it"]
    assert "scarta" not in said["en"]
    assert director.get(f"/matches/{match}/frames", headers={"accept-language": "en"}).text == said["en"]


@pytest.mark.parametrize("code", [code for code in offered_languages() if code != ENGLISH])
def test_every_script_can_be_sent_in_every_language(code: str) -> None:
    for path in sorted(Path("service/static").glob("*.js")):
        said, plain = static_file(path.name, code), static_file(path.name, ENGLISH)
        assert said is not None
        assert plain is not None
        assert said[0].count(b"\n") == plain[0].count(b"\n")
        # The word in an address is no phrase.
        assert re.findall(rb"papers\((\S+)", said[0]) == re.findall(rb"papers\((\S+)", plain[0])
    assert static_file("board.js", "tlh") is None
    assert page_of("phone", "en") != page_of("phone", code)
