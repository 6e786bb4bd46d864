"""The viewer in a browser: every example opened from the disk and stepped through, keys, links, sizes, print,
hostile records."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from contextlib import closing
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from browsers import GO, Browser, Opened
from msgspec.structs import replace
from replays import EXAMPLES, doc_of, example, records_of

from events.cards import item
from events.model import Play, Recorded
from records import load_file
from reducers.evolve import evolve
from reducers.first_state import begin
from replay.comparing.variation import variation
from replay.paper.render import render, written_sheet
from replay.paper.sheet import sheet_of
from replay.read_log import read_log
from replay.simulate import simulate
from replay.table.frame import frame
from replay.viewer.beside import side_by_side
from replay.viewer.document import document
from replay.viewer.page import replay_html
from replay.viewer.site import index_page, pages_of

Open = Callable[..., Opened]
KAISER, RUSSIAN_BANK, BURRACO = example("kaiser-evening"), example("russian-bank-sunday"), example("burraco-club")
NASTY = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'><svg/onload=alert(1)>${alert(1)}<!--"
# A quick run opens a trick game, a patience and melds; the soak opens every example.
QUICK = (KAISER, RUSSIAN_BANK, BURRACO)
# Sheets with figures that are struck out: somebody is out of the match.
SHEETS = (example("yaniv-hostel"), example("rumino-bagni"))
# Two that have few events, to be stepped through one by one.
SHORT = (example("briscola-bar"), example("bridge-solitaire-1"))
each = pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=() if path == KAISER else pytest.mark.rest if path in QUICK else pytest.mark.slow)
        for path in EXAMPLES
    ],
    ids=[p.stem for p in EXAMPLES],
)


def events(path: Path) -> list[int]:
    """The events that a replay steps through."""
    return [step["n"] for hand in doc_of(path)["hands"] for step in hand["steps"]]


def ten_of(path: Path) -> list[int]:
    """Ten places of a match, the last one among them."""
    every = events(path)
    return sorted({every[i * (len(every) - 1) // 9] for i in range(10)})


NOTED = """() => {
  const line = document.querySelector('.line'), now = () => Number(line.querySelector('.n').textContent);
  window.seen = [now()];
  new MutationObserver(() => seen.at(-1) !== now() && seen.push(now())).observe(line, {childList: true});
}"""
SHOWN = """() => {
  const {viewer} = document.getElementById('kibitz'), {h, i} = viewer.place;
  const {piles, trick, turn, scores, hand} = viewer.replay.frames(h)[i];
  const cards = Object.fromEntries([...document.querySelectorAll('svg.cards g[data-pile]')].map(g => [g.dataset.pile, g.querySelectorAll('.card').length]));
  return {piles: Object.fromEntries(Object.values(piles).map(p => [p.name, p.cards ?? []])), trick, turn, scores, hand, cards};
}"""


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=() if path == SHORT[0] else pytest.mark.rest if path in SHORT else pytest.mark.slow)
        for path in EXAMPLES
    ],
    ids=[p.stem for p in EXAMPLES],
)
def test_an_example_is_stepped_through_to_its_end_by_keyboard_and_shows_the_table_as_it_is(
    path: Path, open_page: Open,
) -> None:
    records = read_log(records_of(path))
    state, wanted, places = begin(records.view.opening.facts), {}, ten_of(path)
    for placed in records.view.events:
        state.at = state.table.now = placed.n
        evolve(state, placed.event)
        if placed.n in places:
            now = msgspec.to_builtins(frame(state, "all"))
            wanted[placed.n] = {
                "piles": {pile["name"]: list(pile["cards"]) for pile in now["piles"]}, "trick": list(now["trick"]),
                "turn": now["turn"], "scores": now["scores"], "hand": now["hand"],
            }  # fmt: skip
    opened = open_page(path)
    # What the page says it shows, noted in the page itself: to ask for it after each key takes longer than the steps.
    opened.page.evaluate(NOTED)
    for n in events(path):
        if n in wanted:
            assert opened.at() == n
            shown = opened.page.evaluate(SHOWN)
            drawn = shown.pop("cards")
            assert shown == wanted[n], f"event {n}"
            for name, written in shown["piles"].items():
                whole = sum(item(card).count or 1 for card in written)
                if name in drawn and name in state.terms.seats and whole < 8:
                    assert drawn[name] == whole, f"{name} at {n}"
        # A key that is held down comes again and again.
        opened.page.keyboard.down("ArrowRight")
    opened.page.keyboard.up("ArrowRight")
    assert opened.page.evaluate("seen") == events(path)
    opened.press("Home")
    assert opened.at() == doc_of(path)["hands"][-1]["first"]
    opened.fine()


LAID = """() => {
  const svg = document.querySelector('svg.cards'), all = svg.getBoundingClientRect(), bad = [];
  const boxes = (what) => [...svg.querySelectorAll(what)].map(e => ({r: e.getBoundingClientRect(), t: e.textContent, p: e.parentNode.dataset.pile ?? ''}));
  const cards = boxes('g.card'), texts = boxes('text.word');
  const meet = (a, b, by) => a.left < b.right - by && b.left < a.right - by && a.top < b.bottom - by && b.top < a.bottom - by;
  for (const {r, t} of [...cards, ...texts])
    if (r.left < all.left - 1 || r.right > all.right + 1 || r.top < all.top - 1 || r.bottom > all.bottom + 1) bad.push(`cut: ${t}`);
  for (const a of texts) for (const b of cards) if (meet(a.r, b.r, 3)) bad.push(`${a.t} lies over a card of ${b.p}`);
  texts.forEach((a, i) => texts.slice(i + 1).forEach(b => { if (meet(a.r, b.r, 3)) bad.push(`${a.t} over ${b.t}`) }));
  cards.forEach((a, i) => cards.slice(i + 1).forEach(b => { if (a.p !== b.p && meet(a.r, b.r, 1)) bad.push(`${a.p} over ${b.p}`) }));
  if (all.bottom > innerHeight - 40) bad.push(`too high: ${all.bottom}`);
  for (const {t} of texts) if (t.includes('…') && innerWidth >= 390) bad.push(`shortened: ${t}`);
  // Beside a card words keep clear of it, so that nobody takes them for those of the next pile.
  const beside = (a, b) => a.left < b.right + 1 && b.left < a.right + 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3;
  for (const a of texts) for (const b of cards) if (beside(a.r, b.r)) bad.push(`${a.t} touches a card of ${b.p}`);
  const {viewer} = document.getElementById('kibitz'), {copies} = viewer.replay.doc.pack;
  const {middle, piles} = viewer.replay.table(viewer.place, {bottom: '', hidden: 'table', finding: undefined, page: innerWidth});
  const played = new Set(copies === 1 ? middle.filter(({seat, entry}) => seat && entry.card !== '??').map(({entry}) => entry.card) : []);
  for (const {name, entries} of piles) for (const {card} of entries) if (played.has(card)) bad.push(`${card} lies in the trick and in ${name}`);
  for (const e of [document.documentElement, ...document.querySelectorAll('.viewer, .viewer *:not(.aside, .aside *)')]) {
    if (e.scrollWidth > e.clientWidth + 1 && e.clientWidth && !e.closest('svg, .standing') && getComputedStyle(e).overflowX !== 'visible') bad.push(`scrolls sideways, or is cut: ${e.tagName} ${e.className}`);
  }
  if (document.documentElement.scrollWidth > innerWidth) bad.push('scrolls sideways');
  const half = (text, from) => {
    const range = document.createRange();
    // A letter behind a hyphen has that one's place as well, in the line before; its own is the last.
    const line = at => {
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      return Math.round([...range.getClientRects()].at(-1)?.top ?? 0);
    };
    return [...text.data.matchAll(/[\\p{L}\\d]+/gu)].some(word => line(word.index) !== line(word.index + word[0].length - 1));
  };
  if (innerWidth >= 390) for (const e of document.querySelectorAll('.head h1, .head .contract, .tabs *, .hands *, .controls *, .moves thead th, .moves td .move')) {
    if (e.offsetParent && [...e.childNodes].some(node => node.nodeType === 3 && half(node))) bad.push(`broken in a word: ${e.textContent}`);
  }
  return [...new Set(bad)];
}"""


@pytest.mark.parametrize(
    ("width", "height"),
    [pytest.param(320, 640, marks=pytest.mark.slow), (390, 844), pytest.param(1280, 800, marks=pytest.mark.rest)],
)
@each
def test_nothing_overlaps_and_nothing_is_cut(path: Path, width: int, height: int, open_page: Open) -> None:
    """Nothing is shortened but on the narrowest phones."""
    opened = open_page(path, width=width, height=height)
    last = len(events(path)) - 1
    for way in ("table", "today"):
        opened.page.evaluate("way => document.querySelector(`.hidden input[value=${way}]`).click()", way)
        bad = opened.page.evaluate(
            f"ks => ks.flatMap(k => {{ ({GO})(k); return ({LAID})().map(what => `${{k}}: ${{what}}`) }})",
            [*range(0, last + 1, max(1, last // 8))],
        )
        assert bad == [], way
    opened.fine()


VIOLATIONS = "axe.run().then(r => r.violations.map(v => `${v.id}: ${v.nodes.map(n => n.html).slice(0, 3)}`))"
SHEET = """() => {
  const bad = document.documentElement.scrollWidth > innerWidth ? [`scrolls sideways: ${document.documentElement.scrollWidth}`] : [];
  for (const row of document.querySelectorAll('tr, header, .totals, .signing')) {
    const words = document.createTreeWalker(row, NodeFilter.SHOW_TEXT), all = [];
    while (words.nextNode()) {
      const node = words.currentNode, range = document.createRange();
      range.selectNodeContents(node);
      if (node.data.trim()) all.push(...[...range.getClientRects()].map(r => ({r, t: node.data.trim(), e: node.parentNode})));
    }
    for (const {r, t} of all) if (r.width && (r.left < -1 || r.right > innerWidth + 1)) bad.push(`cut: ${t}`);
    all.forEach((a, i) => all.slice(i + 1).forEach(b => {
      const met = a.r.left < b.r.right - 3 && b.r.left < a.r.right - 3 && a.r.top < b.r.bottom - 4 && b.r.top < a.r.bottom - 4;
      // A line is as high as its small signs need it, so what stands in one cell may meet by a hair.
      if (met && a.e.closest('td, th') !== b.e.closest('td, th')) bad.push(`${a.t} over ${b.t}`);
    }));
  }
  return [...new Set(bad)];
}"""


@pytest.mark.rest
@pytest.mark.parametrize(
    "path", [pytest.param(path, marks=() if path in SHEETS else pytest.mark.slow) for path in EXAMPLES],
    ids=[p.stem for p in EXAMPLES],
)
def test_a_sheet_fits_on_a_phone(path: Path, browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "sheet.html"
    file.write_text(render(sheet_of(records_of(path)), "html"), encoding="utf-8")
    kind = {"viewport": {"width": 390, "height": 844}}
    page = browser.page(kind)
    page.goto(f"file://{file}")
    assert page.evaluate(SHEET) == []
    browser.back(kind, page)


@pytest.mark.rest
@pytest.mark.parametrize(("scheme", "width"), [("light", 390), ("dark", 390), ("light", 1280), ("dark", 1280)])
def test_axe_finds_no_violation_on_the_pages_of_a_site(
    scheme: str, width: int, browser: Browser, tmp_path: Path,
) -> None:
    package = pytest.importorskip("axe_playwright_python", reason="accessibility was not asked: the package axe-playwright-python is missing")
    entry, pages = pages_of("kaiser-evening", records_of(KAISER), "all")
    kind = {"viewport": {"width": width, "height": 844}, "color_scheme": scheme}
    shown = browser.page(kind)
    for name, text in [
        ("index.html", index_page("eve", [entry])),
        *((Path(one.path).name, one.text) for one in pages if "replay.html" not in one.path),
    ]:
        (tmp_path / name).write_text(text, encoding="utf-8")
        shown.goto(f"file://{tmp_path / name}")
        shown.evaluate((Path(package.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
        assert shown.evaluate(VIOLATIONS) == [], name
    browser.back(kind, shown)


@pytest.mark.rest
def test_keys_go_by_event_trick_hand_and_finding(open_page: Open) -> None:
    opened = open_page(KAISER, "#96")
    assert opened.at() == 96
    for key, n in (
        ("ArrowRight", 97), ("ArrowLeft", 96), ("Shift+ArrowRight", 98), ("PageDown", 102), ("PageUp", 98),
        ("End", 124), ("Home", 84), ("n", 125), ("p", 84), ("d", 96), ("d", 123), ("d", 152),
    ):  # fmt: skip
        opened.press(key)
        assert opened.at() == n, key
    opened.press("c")
    assert opened.page.evaluate("document.querySelector('.viewer').classList.contains('quiet')")
    opened.press("?")
    assert opened.page.is_visible(".keys")
    opened.press("Escape")
    assert not opened.page.is_visible(".keys")
    opened.fine()


@pytest.mark.rest
def test_the_address_points_to_an_event_and_follows_without_filling_the_history(open_page: Open) -> None:
    opened = open_page(KAISER, "#96")
    before = opened.page.evaluate("history.length")
    opened.press(*["ArrowRight"] * 5)
    opened.until(lambda: opened.page.evaluate("location.hash") == "#101")
    assert opened.page.evaluate("history.length") == before
    opened.page.evaluate("location.hash = '#last'")
    opened.until(lambda: opened.at() == events(KAISER)[-1])
    assert open_page(KAISER, "#last").at() == events(KAISER)[-1]


@pytest.mark.rest
def test_an_address_may_name_a_correction_by_its_own_number(open_page: Open) -> None:
    fix = doc_of(KAISER)["corrections"][0]
    assert fix["at"] not in events(KAISER)
    opened = open_page(KAISER, f"#{fix['at']}")
    assert (opened.at(), opened.text(".tab[aria-pressed=true]")) == (fix["of"], "Corrected")


@pytest.mark.rest
def test_a_mark_of_the_recorder_is_shown_as_in_chess_and_said_in_words(open_page: Open) -> None:
    opened = open_page(KAISER, "#166")
    shown = (
        "[...document.querySelectorAll('.line .glyph, .move[data-n=\"166\"] .glyph')].map(e => "
        "[e.textContent, e.getAttribute('aria-label')])"
    )
    assert opened.page.evaluate(shown) == [["?!", "doubtful"]] * 2
    opened.press("c")
    assert not opened.page.is_visible(".line .glyph")


@pytest.mark.rest
def test_remarks_say_each_claim_once(open_page: Open) -> None:
    opened = open_page(KAISER, "#123")
    opened.page.click(".tab:has-text('Remarks')")
    rows = opened.page.evaluate(
        "[...document.querySelectorAll('.said li')].map(e => e.innerText.replace(/\\s+/g, ' '))"
    )
    assert [row for row in rows if row.startswith("123 ")] == [
        "123 The table claims Marcel & Doris 8, Olena & Walter 23. Walter adds up"
    ]
    assert "124 Doris agrees with event 123. 123" in rows


@pytest.mark.rest
def test_the_table_turns_and_a_seat_is_named_in_the_address(open_page: Open) -> None:
    lowest = (
        "() => [...document.querySelectorAll('text.word.strong')].sort((a, b) => "
        "b.getBoundingClientRect().y - a.getBoundingClientRect().y)[0].textContent"
    )
    opened = open_page(KAISER, "#96")
    assert opened.page.evaluate(lowest) == "Walter"
    opened.press("f")
    assert opened.page.evaluate(lowest) == "Doris"
    for seat in "Ee":
        assert open_page(KAISER, f"?seat={seat}#96").page.evaluate(lowest) == "Marcel"


ACTED = """() => {
  const {viewer} = document.getElementById('kibitz'), {replay} = viewer, bad = [];
  for (const place of replay.places) {
    const step = replay.doc.hands[place.h].steps[place.i];
    if (!['play', 'discard', 'move'].includes(step.verb)) continue;
    const {middle, piles} = replay.table(place, {bottom: '', hidden: 'table', finding: undefined, page: innerWidth});
    const laid = [...middle.map(({entry}) => entry.card), ...piles.flatMap(({place, entries}) => (place === 'won' ? [] : entries.map(({card}) => card)))];
    const missing = (step.cards ?? []).filter(card => !/[?*]/.test(card) && !laid.includes(card.split('=')[0]));
    if (missing.length) bad.push(`${place.n}: ${missing}`);
  }
  return bad;
}"""
# Sets that answer sets, rounds of cards that beat each other, tricks.
TOGETHER = (example("poke-attic"), example("myllymatti-sauna"), KAISER)


@pytest.mark.rest
@pytest.mark.parametrize(
    "path", [pytest.param(path, marks=() if path in TOGETHER else pytest.mark.slow) for path in EXAMPLES],
    ids=[p.stem for p in EXAMPLES],
)
def test_every_card_that_was_just_laid_is_on_the_table(path: Path, open_page: Open) -> None:
    """If this failed, the sentence would tell of cards that the table does not show."""
    assert open_page(path).page.evaluate(ACTED) == []


@pytest.mark.rest
def test_who_took_the_cards_is_said_beside_them(open_page: Open) -> None:
    opened = open_page(example("poke-attic"), "#26")
    assert "Anne takes" in opened.text("svg.cards")
    assert opened.page.evaluate("document.querySelectorAll('svg.cards .card.now').length") == 3


@pytest.mark.rest
def test_the_last_event_says_who_won(open_page: Open) -> None:
    opened = open_page(SHORT[0], "#last")
    assert opened.text(".line b.ended") == "Bruno & Teresa won the match."
    assert "Bruno & Teresa won the match." in opened.text(".aside[role=status]")
    opened.press("ArrowLeft")
    assert not opened.page.query_selector(".line b.ended")


@pytest.mark.rest
def test_of_a_hand_that_was_only_told_no_deal_is_shown(open_page: Open) -> None:
    """If this failed, a match would seem to end with the cards of a hand that nobody began."""
    opened = open_page(example("xeri-kafenio"), "#58")
    assert opened.page.query_selector("svg.cards .card")
    opened.press("ArrowRight")
    assert not opened.page.query_selector("svg.cards .card")
    assert "Nikos +1 = 1" in opened.text("svg.cards")
    # Nor is it said how many cards each has of a deal that there was not.
    assert "0 cards" not in open_page(example("machiavelli-loggia"), "#82").text("svg.cards")


@pytest.mark.rest
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 640)])
def test_whose_column_it_is_stays_in_sight(width: int, height: int, open_page: Open) -> None:
    opened = open_page(KAISER, "#118", width=width, height=height)
    inside = "s => { const {top, bottom} = document.querySelector(s).getBoundingClientRect(); return [top, bottom] }"
    head, now = (opened.page.evaluate(inside, s) for s in (".moves thead th:last-child", ".move[aria-current]"))
    last = opened.page.evaluate(inside, ".tabs" if width < 1024 else ".handsbar")[1]
    assert last - 1 <= head[0] < head[1] <= now[0] + 1


@pytest.mark.rest
def test_it_plays_by_itself_and_stops(open_page: Open) -> None:
    opened = open_page(KAISER, "#90")
    opened.press("+", "+", " ")
    assert opened.page.get_attribute(".key.main", "aria-label") == "Stop"
    opened.until(lambda: opened.at() > 92)
    opened.press(" ")
    stopped = opened.at()
    opened.page.wait_for_timeout(500)
    assert opened.at() == stopped
    assert "speed 4×" in opened.text(".speed")
    opened.fine()


@pytest.mark.rest
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_card_that_is_played_is_shown_coming(motion: str, open_page: Open) -> None:
    opened = open_page(KAISER, "#95", reduced_motion=motion)
    # Each is noted as it begins: on a busy machine it may be over before it is looked for.
    opened.page.evaluate("""() => {
      const animate = Element.prototype.animate;
      window.begun = [];
      Element.prototype.animate = function (frames, duration) {
        if (this.matches("g.card")) window.begun.push(duration);
        return animate.call(this, frames, duration);
      };
    }""")
    coming = "window.begun.splice(0)"
    opened.press("ArrowRight")
    assert opened.page.evaluate(coming) == ([] if motion == "reduce" else [150])
    opened.page.wait_for_timeout(300)
    # It stays marked where it lies, and is not brought again by whoever goes back or leaps.
    assert opened.page.evaluate("[...document.querySelectorAll('g.card.now')].map(e => e.textContent)") == ["9"]
    opened.press("ArrowLeft", "Shift+ArrowRight")
    assert opened.page.evaluate(coming) == []
    opened.fine()


def test_a_card_of_a_match_that_goes_on_is_shown_coming_too(open_page: Open) -> None:
    doc = doc_of(KAISER)
    opened = open_page(KAISER, "#last")
    # As whoever follows a match gets it: the same document, with one more event at its end.
    hand = next(one for one in doc["hands"] if one["number"] == 3)
    upto = [{**hand, "steps": hand["steps"][:k]} for k in (12, 13)]
    coming = opened.page.evaluate(
        (
            "docs => docs.map(doc => { document.getElementById('kibitz').viewer.take(doc, true); return "
            "document.getAnimations().filter(a => a.effect.target.matches('g.card')).length })"
        ),
        [{**doc, "hands": [one], "findings": [], "corrections": []} for one in upto],
    )
    assert coming == [0, 1]
    opened.fine()


LONG = dict(
    zip(
        ("Olena", "Marcel", "Walter", "Doris"),
        ("Maria Antonietta Bianchi", "Marie-Christine Beauchamp", "Alessandra De Santis", "Panagiotis Papadopoulos"),
        strict=True,
    )
)


@pytest.mark.rest
@pytest.mark.parametrize(
    ("width", "height"),
    [(320, 640), (390, 844), (1280, 800)],
)
def test_long_names_leave_the_contract_and_all_columns_their_room(width: int, height: int, open_page: Open) -> None:
    raw = msgspec.json.encode(msgspec.to_builtins(list(records_of(KAISER)))).decode()
    for name, long in LONG.items():
        raw = raw.replace(name, long)
    opened = open_page(
        replay_html(document(msgspec.json.decode(raw, type=list[Recorded]))), "#96", width=width, height=height,
    )
    ks = [*range(0, len(events(KAISER)), 12)]
    assert opened.page.evaluate(
        f"ks => ks.flatMap(k => {{ ({GO})(k); return ({LAID})().map(what => `${{k}}: ${{what}}`) }})", ks,
    ) == []
    opened.go(95)
    whole = (
        "[...document.querySelectorAll('.head .contract')].filter(e => e.offsetParent && "
        "getComputedStyle(e).visibility !== 'hidden').map(e => [e.textContent.replace('\ufe0e', ''), "
        "e.scrollWidth <= e.clientWidth + 1, e.getBoundingClientRect().right <= innerWidth])"
    )
    assert opened.page.evaluate(whole) == ([["Maria & Alessandra 7 ♠", True, True]] if width < 720 else [])
    if width < 1024:
        opened.page.click(".tab:has-text('Moves')")
    columns = (
        "[...document.querySelectorAll('.moves thead th')].map(e => e.getBoundingClientRect()).map(r => "
        "r.left >= 0 && r.right <= innerWidth - 4 && r.width > 40)"
    )
    assert opened.page.evaluate(columns) == [True] * 4
    names = "[...document.querySelectorAll('.moves thead th')].map(e => e.textContent.replaceAll('\u00ad', ''))"
    assert opened.page.evaluate(names) == ["MAB", "MB", "ADS", "PP"]
    opened.page.click(".moves thead th:nth-of-type(2) button")
    assert opened.page.evaluate(names) == list(LONG.values())
    assert opened.page.evaluate(columns) == [True] * 4
    opened.page.click(".tab:has-text('Score')")
    heads = (
        "[...document.querySelectorAll('.scores thead th')].map(e => [e.textContent, e.clientHeight < 60, "
        "e.getBoundingClientRect().right <= innerWidth])"
    )
    said = ("MAB & ADS", "MB & PP") if width < 390 else ("Maria & Alessandra", "Marie-Christine & Panagiotis")
    assert opened.page.evaluate(heads) == [[name, True, True] for name in said]
    opened.fine()


def test_a_finding_is_proved_and_its_proof_can_be_followed(open_page: Open) -> None:
    opened = open_page(KAISER, "#96")
    finding = next(f for f in doc_of(KAISER)["findings"] if f["at"] == 96)
    assert [link["n"] for link in finding["chain"]] == opened.page.evaluate(
        "[...document.querySelectorAll('.chain a')].map(a => Number(a.dataset.n))"
    )
    later = "document.querySelectorAll('.table .card.later').length"
    assert opened.page.evaluate(later) == 1, "the proof turns the one card that it needs"
    opened.page.click(".hidden label:nth-of-type(1)")
    assert opened.page.evaluate(later) == 0, "the table saw none"
    opened.page.click(".hidden label:nth-of-type(2)")
    assert opened.page.evaluate("document.querySelectorAll('.ring').length") == 1
    opened.page.click(".chain li:last-child a")
    assert opened.at() == 118
    assert opened.page.is_visible(".chain"), "the proof stays open while one follows it"
    opened.press("ArrowRight", "ArrowRight")
    assert not opened.page.is_visible(".chain")


@pytest.mark.rest
def test_a_panel_is_read_from_its_beginning(open_page: Open) -> None:
    opened = open_page(example("pay-me-kitchen"), "#69", width=390, height=700)
    top = "document.querySelector('.side').scrollTop"
    opened.page.evaluate("document.querySelector('.side').scrollTop = 9999")
    assert opened.page.evaluate(top) > 0
    opened.press("d")
    assert opened.text(".tab[aria-pressed=true]") == "Finding"
    assert opened.page.evaluate(top) == 0
    # The three ways to look at hidden hands stand in one row on a phone.
    assert opened.page.evaluate(
        "new Set([...document.querySelectorAll('.hidden label')].map(e => e.offsetTop)).size"
    ) == 1
    # A move that needs two lines goes on below its words, with its sign in sight.
    opened.press("End")
    opened.page.click(".tab:has-text('Moves')")
    at = "[...document.querySelectorAll('.moves a[data-n=\"70\"]')].map(e => [...e.getClientRects()][0].left)[0]"
    words = opened.page.evaluate("""() => {
      const text = document.createTreeWalker(document.querySelector('.moves a[data-n="70"]'), NodeFilter.SHOW_TEXT), range = document.createRange();
      let last; while (text.nextNode()) last = text.currentNode;
      range.selectNodeContents(last);
      return [...range.getClientRects()].map(r => r.left);
    }""")
    assert len(words) == 2
    assert min(words) > opened.page.evaluate(at) + 30
    badge = opened.page.evaluate("""() => {
      const badge = document.querySelector('.moves .badge'), range = document.createRange();
      range.selectNodeContents(badge);
      const [a, b] = [badge.getBoundingClientRect(), range.getBoundingClientRect()];
      return a.left <= b.left && b.right <= a.right;
    }""")
    assert badge
    opened.fine()


def test_a_correction_says_what_was_typed_and_what_stands(open_page: Open) -> None:
    fix = doc_of(KAISER)["corrections"][0]
    opened = open_page(KAISER, f"#{fix['of']}", width=390, height=844)
    assert opened.text(".tab[aria-pressed=true]") == "Corrected"
    assert fix["text"] in opened.text(".panel.open")
    assert opened.page.evaluate("document.querySelectorAll('.panel.open s').length") == 1


@pytest.mark.rest
def test_a_step_is_told_aloud_and_the_position_can_be_read(open_page: Open) -> None:
    opened = open_page(KAISER, "#95")
    opened.press("ArrowRight")
    said = opened.text("[aria-live]")
    assert said.startswith("96, Doris plays the nine of clubs.")
    assert "Finding" in said
    opened.page.click("summary")
    opened.page.wait_for_selector(".position li")
    position = opened.text(".position")
    assert "Walter eight of diamonds" in position
    assert "jack of diamonds (shown at 118)" in position
    assert opened.page.get_attribute("[data-pile=E]", "aria-label") == "Marcel: 7 unseen cards"


@pytest.mark.rest
def test_a_phone_has_buttons_large_enough_and_all_is_reached_by_tab(open_page: Open) -> None:
    opened = open_page(RUSSIAN_BANK, "#106", width=390, height=844)
    small = (
        "[...document.querySelectorAll('button')].filter(b => b.offsetParent && (b.offsetWidth < 44 || "
        "b.offsetHeight < 44)).map(b => b.textContent)"
    )
    assert opened.page.evaluate(small) == []
    reached = set()
    for _ in range(40):
        opened.press("Tab")
        reached.add(
            opened.page.evaluate(
                "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
            )
        )
    assert {"Menu", "Back", "Play", "On", "Event"} <= reached


def what_if() -> dict[str, Any]:
    """Kaiser beside a variation in which Doris follows suit at 96."""
    log = variation(records_of(KAISER), 95, "what-if", "eve")
    log += [
        Recorded(n=len(log) + i, event=Play(by=by, cards=(card,)))
        for i, (by, card) in enumerate((("W", "Jd"), ("N", "Td")))
    ]
    return side_by_side(records_of(KAISER), log, ("eve", "what-if"))


@pytest.mark.rest
@pytest.mark.parametrize("width", [390, 1280])
def test_a_variation_is_walked_beside_its_hand(width: int, open_page: Open) -> None:
    """If this failed, whoever tries another card would have to hold two pages beside each other."""
    opened = open_page(replay_html(what_if()), "#95", width=width, height=844)
    other = (
        "[...document.querySelectorAll('.other .line')].filter(e => e.offsetParent).map(e => "
        "e.textContent.replace('\ufe0e', ''))"
    )
    differs = "[...document.querySelectorAll('.differs')].filter(e => e.offsetParent).map(e => e.textContent)"
    wide = width >= 1024
    assert opened.page.evaluate(other) == ["94 Walter plays the eight of diamonds."] * wide
    assert opened.page.evaluate(differs) == [""]
    opened.press("ArrowRight")
    assert opened.page.evaluate(other) == ["95 Doris plays the jack of diamonds."] * wide
    assert opened.page.evaluate(differs) == ["the records differ"]
    assert opened.page.evaluate(
        "[...document.querySelectorAll('.other g.card.now')].map(e => e.textContent)"
    ) == ["J"] * wide
    # The variation comes to the front, and goes on from there.
    opened.press("o", "ArrowRight")
    assert opened.text(".stage > .line").replace("\ufe0e", "").strip() == "96 Olena plays the ten of diamonds."
    opened.page.click(".tab:has-text('Both')")
    assert opened.text(".beside caption") == "They part at event 95."
    rows = opened.page.evaluate(
        "[...document.querySelectorAll('.beside tbody tr')].slice(0, 1).map(row => [...row.cells].map(e => "
        "e.innerText.replace(/\\s+/g, ' ').trim()))"
    )
    assert rows == [["95 Doris plays the jack of diamonds.", "96 Doris plays the nine of clubs."]]
    opened.page.click(".beside tbody button")
    assert opened.at() == 96
    assert opened.text(".stage > .line").replace("\ufe0e", "").strip() == "96 Doris plays the nine of clubs."
    assert opened.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    opened.fine()


@pytest.mark.rest
def test_two_recorders_are_walked_side_by_side(open_page: Open) -> None:
    seen = records_of(KAISER)
    less = [
        replace(r, event=replace(r.event, cards=("??",))) if isinstance(r.event, Play) and r.n == 98 else r
        for r in seen
    ]
    opened = open_page(replay_html(side_by_side(less, seen, ("Annette", "Ben"))), "#97")
    opened.press("ArrowRight")
    assert opened.text(".other .differs") == "seen only there"
    opened.press("o")
    assert opened.text(".other .differs") == "seen only here"
    opened.page.click(".tab:has-text('Both')")
    assert opened.text(".beside caption") == "They contradict each other nowhere; one saw more than the other."
    opened.fine()


def test_a_swipe_goes_to_the_next_event_and_back(open_page: Open) -> None:
    opened = open_page(KAISER, "#96", width=390, height=844)
    swipe = """([x, y, kind]) => {
      const at = (what, clientX, clientY) => document.querySelector('.table').dispatchEvent(new PointerEvent(what, {clientX, clientY, pointerType: kind, bubbles: true}));
      at('pointerdown', 200, 200);
      at('pointerup', 200 + x, 200 + y);
    }"""
    for x, y, kind, n in (
        (-80, 10, "touch", 97), (-20, 0, "touch", 97), (-80, 90, "touch", 97), (-80, 0, "mouse", 97),
        (90, -20, "touch", 96),
    ):
        opened.page.evaluate(swipe, [x, y, kind])
        assert opened.at() == n, (x, y, kind)
    opened.fine()


@pytest.mark.rest
@pytest.mark.parametrize(("path", "down"), [(RUSSIAN_BANK, 107), (KAISER, 102)], ids=["turns", "columns"])
def test_a_long_list_is_one_stop_of_the_tab_key(path: Path, down: int, open_page: Open) -> None:
    opened = open_page(path, "#106" if path == RUSSIAN_BANK else "#96")
    stops = []
    for _ in range(30):
        opened.press("Tab")
        stops.append(
            opened.page.evaluate(
                "document.activeElement.dataset.n && document.activeElement.closest('.moves') ? "
                "Number(document.activeElement.dataset.n) : 0"
            )
        )
    assert {*stops} == {0, opened.at()}, "round the page it is the event at hand alone"
    opened.page.focus(".moves a[aria-current]")
    opened.press("ArrowDown")
    # In columns it is the same player's card of the next trick.
    assert opened.page.evaluate("Number(document.activeElement.dataset.n)") == down
    opened.press("Enter")
    assert opened.at() == down
    opened.press("ArrowRight")
    assert opened.page.evaluate("Number(document.activeElement.dataset.n)") == opened.at() == down + 1
    opened.fine()


def test_an_event_is_found_by_card_player_or_word(open_page: Open) -> None:
    opened = open_page(KAISER, "#1")
    found = "[...document.querySelectorAll('.panel .found a')].map(e => Number(e.dataset.n))"
    steps = [step for hand in doc_of(KAISER)["hands"] for step in hand["steps"]]
    for typed, wanted in (
        ("jd doris", [step["n"] for step in steps if step["by"] == "W" and "Jd" in step.get("cards", ())]),
        ("J♦ DORIS", [step["n"] for step in steps if step["by"] == "W" and "Jd" in step.get("cards", ())]),
        ("10h plays", [step["n"] for step in steps if step["verb"] == "play" and "Th" in step.get("cards", ())]),
        ("passes marcel", [step["n"] for step in steps if step["by"] == "E" and step["verb"] == "pass"]),
        ("nobody knows this", []),
    ):  # fmt: skip
        opened.press("/")
        opened.page.fill("input[type=search]", typed)
        assert opened.page.evaluate(found) == wanted, typed
    opened.page.fill("input[type=search]", "jd doris")
    opened.press("Enter")
    assert opened.at() == opened.page.evaluate(found)[0]
    opened.press("Escape", "ArrowRight")
    assert opened.text(".tab[aria-pressed=true]") != "Search"
    opened.fine()


@pytest.mark.rest
def test_it_prints_without_its_buttons(open_page: Open) -> None:
    opened = open_page(KAISER, "#96", color_scheme="dark")
    opened.page.emulate_media(media="print")
    assert not opened.page.is_visible(".controls")
    for shown in ("svg.cards", ".line", ".moves", ".chain"):
        assert opened.page.is_visible(shown)
    assert opened.page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    # Browsers print no grounds: what stands inverted on the screen is framed instead.
    for now in (".move[aria-current]", ".chain .now .event"):
        style = opened.page.evaluate(
            "s => (({color, outlineStyle}) => [color, outlineStyle])(getComputedStyle(document.querySelector(s)))", now,
        )
        assert style == ["rgb(27, 29, 32)", "solid"], now
    assert opened.page.pdf().startswith(b"%PDF")


@pytest.mark.rest
def test_a_hand_that_fits_on_a_page_is_printed_on_one(open_page: Open, browser: Browser, tmp_path: Path) -> None:
    """If this failed, somebody at the table would have to lay two sheets beside each other to read a hand."""
    pypdf = pytest.importorskip("pypdf")

    def pages(printed: Any) -> list[str]:
        return [page.extract_text() for page in pypdf.PdfReader(BytesIO(printed.pdf(format="A4"))).pages]

    # Of a match: the table, and all turns of the hand on the page behind it.
    path = tmp_path / "scopa.html"
    path.write_text(replay_html(document(simulate("scopa", seed=5, hands=1))), encoding="utf-8")
    with closing(browser.opened.new_page()) as opened:
        opened.goto(path.as_uri())
        opened.wait_for_selector(".turns")
        turns = [text for text in opened.locator(".turns .n").all_inner_texts() if text]
        printed = pages(opened)
        assert len(printed) == 2
        assert all(f"\n{n}" in printed[1] for n in (turns[5], turns[-1]))
        # Of a sheet: the lines of each hand stay together.
        path.write_bytes(written_sheet(sheet_of(simulate("zetema", seed=5, hands=3)), "html"))
        opened.goto(path.as_uri())
        opened.emulate_media(media="print")
        together = opened.evaluate(
            "[...document.querySelectorAll('.paper.parts tbody, .parts:not(.phone) tbody')].map(hand => "
            "[getComputedStyle(hand).breakInside, hand.querySelectorAll('tr.part').length, "
            "hand.rows[0].className])"
        )
        assert together == [["avoid", 1, "part"]] * 3


@pytest.mark.rest
def test_hostile_names_and_comments_execute_nothing(open_page: Open) -> None:
    # The opening's names and every remark are replaced where they stand in the log.
    builtins: list[dict[str, Any]] = msgspec.to_builtins(list(records_of(KAISER)))
    raw = msgspec.json.encode(builtins).decode()
    for name in ("Olena", "Marcel", "Walter", "Doris", "Valentine's evening", "community hall"):
        raw = raw.replace(name, msgspec.json.encode(NASTY[:60]).decode()[1:-1])
    records = msgspec.json.decode(raw, type=list[Recorded])
    opened = open_page(replay_html(document(records)), "#96", width=390, height=844)
    for tab in ("Finding", "Moves", "Score", "Remarks"):
        opened.page.click(f".tab:has-text('{tab}')")
    opened.press("?", "End", "n", "d", "d")
    opened.page.wait_for_timeout(50)
    assert opened.page.evaluate(
        "[document.querySelectorAll('img').length, document.querySelectorAll('svg[onload]').length, "
        "document.scripts.length]"
    ) == [0, 0, 3]
    assert "<script>" in opened.text("h1 ~ .title"), "it is shown as it was typed"
    opened.fine()


@pytest.mark.rest
def test_a_browser_that_has_gone_is_started_anew(browser: Browser, open_page: Open) -> None:
    open_page(KAISER, "#96")
    browser.opened.close()
    opened = open_page(KAISER, "#97")
    assert opened.at() == 97
    opened.fine()


WORDS = "[...document.querySelectorAll('svg.cards text')].map(e => e.textContent.replaceAll('\ufe0e', ''))"


@pytest.mark.rest
def test_a_table_says_what_is_to_be_known_of_it(open_page: Open) -> None:
    # What a hand came to stands on the table that it left empty, by names.
    opened = open_page(KAISER, "#last")
    assert {"Olena & Walter +9 = 38", "Marcel & Doris +1 = 37"} <= set(opened.page.evaluate(WORDS))
    opened.go(20)
    assert not [text for text in opened.page.evaluate(WORDS) if "=" in text]
    # A hand of which only the result was told says nothing of tricks, and one that was played does.
    told = open_page(example("scotch-whist-burns-night"), "#last").page.evaluate(WORDS)
    assert "Ailsa +6 = 6" in told
    assert not [text for text in told if "trick" in text]
    assert [
        text for text in open_page(example("couillon-estaminet"), "#last").page.evaluate(WORDS) if "no trick" in text
    ]
    # The words of a pile are whole on a phone.
    phone = open_page(example("bridge-solitaire-1"), "#11", width=390, height=844)
    assert {"out of play", "none"} <= set(phone.page.evaluate(WORDS))
    # A total in words leaves the name its room. In a wide font the last part is left out; none is cut.
    phone = open_page(example("pontoon-kitchen"), "#last", width=390, height=844)
    assert {"five-card trick · sticks · chips 70", "five-card trick · sticks"} & set(phone.page.evaluate(WORDS))
    # Open cards that have no room are counted, and those that are drawn can be read.
    phone = open_page(example("mattis-evening"), "#53", width=390, height=844)
    drawn = phone.page.evaluate("document.querySelectorAll('[data-pile=D] .card').length")
    assert f"+{14 - drawn}" in phone.page.evaluate(WORDS)
    steps = phone.page.evaluate(
        "[...document.querySelectorAll('[data-pile=D] .card')].map(e => e.getBoundingClientRect()).map(r => [r.x, r.y])"
    )
    assert all(b[1] > a[1] or b[0] - a[0] >= 16 for a, b in itertools.pairwise(steps))


@pytest.mark.rest
def test_the_list_names_who_acts_and_keeps_a_trick_in_one_row(open_page: Open) -> None:
    opened = open_page(example("tresette-osteria"), "#62")
    rows = opened.page.evaluate(
        "[...document.querySelectorAll('.moves tbody tr')].map(e => e.textContent.replaceAll('\ufe0e', ''))"
    )
    assert [row[0] for row in rows if row[:1].isdigit()] == [*"12345678", "9", "1"], "no trick has two rows"
    assert "Nora deals hand 2" in rows[0]
    assert [row for row in rows if row.startswith("Walter calls")]


MENU = "[...document.querySelectorAll('.menu .item')].map(e => e.textContent)"


def changed(path: Path, **parts: Any) -> str:
    """A page of an example with other data in it."""
    return replay_html({**doc_of(path), **parts})


@pytest.mark.rest
def test_links_to_copy_are_offered_where_the_page_has_an_address(open_page: Open) -> None:
    away = open_page(KAISER, "#96")
    assert not [text for text in away.page.evaluate(MENU) if "copy" in text], "a page on a disk has none"
    opened = open_page(
        changed(
            KAISER, url="https://club.example/eve/replay.html?a=1&b=2",
            links={"sheet": "sheet.html", "bad": "javascript:alert(1)"},
        ),
        "#96",
    )
    opened.press("?")
    opened.page.evaluate(
        "void (navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve() })"
    )
    opened.page.click(".item:has-text('copy a link')")
    assert opened.page.evaluate("copied") == "https://club.example/eve/replay.html?a=1&b=2#96"
    opened.until(lambda: opened.text("[aria-live]") == "Copied.")
    # Where the clipboard is closed to a page, the text is there to be copied by hand.
    opened.page.evaluate("void (navigator.clipboard.writeText = () => Promise.reject(new Error('no')))")
    opened.page.click(".item:has-text('embeds')")
    opened.until(lambda: opened.page.evaluate("document.querySelector('.menu .link') !== null"))
    assert opened.page.evaluate("document.querySelector('.menu .link').value").startswith(
        '<iframe src="https://club.example/eve/replay.html?a=1&amp;b=2#96" title="Kaiser"'
    )
    assert opened.page.evaluate(
        "[...document.querySelectorAll('.menu a, .head > a')].map(a => a.getAttribute('href'))"
    ) == ["sheet.html", "sheet.html"]
    opened.fine()


@pytest.mark.rest
def test_the_record_and_the_position_can_be_kept(open_page: Open, tmp_path: Path) -> None:
    opened = open_page(KAISER, "#96", width=390, height=844, accept_downloads=True)
    opened.press("?")
    for words, name in (
        ("(.kib)", "kaiser-evening.kib"), ("(SVG)", "kaiser-evening-96.svg"), ("(PNG)", "kaiser-evening-96.png"),
    ):
        with opened.page.expect_download() as kept:
            opened.page.click(f".item:has-text('{words}')")
        assert kept.value.suggested_filename == name
        kept.value.save_as(tmp_path / name)
    assert load_file(str(tmp_path / "kaiser-evening.kib")).records == list(records_of(KAISER))
    svg = (tmp_path / "kaiser-evening-96.svg").read_text(encoding="utf-8")
    tree = ElementTree.fromstring(svg)
    cards = [one for one in tree.iter("{http://www.w3.org/2000/svg}g") if one.get("class", "").startswith("card ")]
    assert len(cards) == opened.page.evaluate("document.querySelectorAll('.table .card').length")
    assert "Doris plays the nine of clubs." in svg
    assert "var(" not in svg
    data = (tmp_path / "kaiser-evening-96.png").read_bytes()
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20], "big") == 2 * int(tree.get("width", "0"))
    # A picture in which nothing was drawn is one of a single colour: its pixels take next to nothing.
    assert len(data) > 20_000
    opened.fine()


@pytest.mark.rest
def test_a_hand_can_be_kept_as_a_moving_picture(open_page: Open, tmp_path: Path) -> None:
    pillow = pytest.importorskip(
        "PIL.Image", reason="the moving picture was not looked at: the package pillow is missing",
    )
    path = example("bridge-solitaire-2")
    opened = open_page(path, accept_downloads=True)
    opened.press("?")
    with opened.page.expect_download(timeout=120_000) as kept:
        opened.page.click(".item:has-text('(GIF)')")
    assert kept.value.suggested_filename == "bridge-solitaire-2-hand-1.gif"
    kept.value.save_as(tmp_path / "hand.gif")
    with pillow.open(tmp_path / "hand.gif") as picture:
        assert (picture.n_frames, picture.width, picture.info["loop"]) == (len(events(path)), 480, 0)
        picture.seek(picture.n_frames - 1)
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 20)}
    # The table, a card, and the four suits, as they are on the page.
    assert {
        (0xE6, 0xEB, 0xE3), (255, 255, 255), (0x1B, 0x1D, 0x20), (0xB3, 0x15, 0x2B), (0x0D, 0x59, 0xAD),
        (0x14, 0x68, 0x3A),
    } <= colours
    opened.fine()


@pytest.mark.rest
def test_slips_that_would_explain_a_finding_and_what_was_cut_short_are_told(open_page: Open) -> None:
    offer = {"hand": 3, "text": "9♣ may be 9♦", "lines": ["fix 96 W play 9d"], "removes": ["R11"]}
    opened = open_page(
        changed(KAISER, offers=[offer, {**offer, "hand": 5}], cuts=["cut short in hand 7: too many"]), "#96",
    )
    assert opened.page.evaluate(
        "[...document.querySelectorAll('.panel .offer')].map(e => e.textContent)"
    ) == ["9♣\ufe0e may be 9♦\ufe0e.fix 96 W play 9d"]
    opened.press("ArrowRight")
    assert opened.page.evaluate("document.querySelectorAll('.panel .offer').length") == 2
    assert "Cut short in hand 7: too many." in opened.text(".panel.open")
    opened.fine()


@pytest.mark.rest
def test_an_open_question_has_what_would_settle_it_and_the_exact_answer_at_its_event(open_page: Open) -> None:
    question = next(f for f in doc_of(RUSSIAN_BANK)["findings"] if f["verdict"] == "open")
    opened = open_page(RUSSIAN_BANK, f"#{question['at']}", width=390, height=844)
    for text in (*question["settles"], "not asked"):
        assert text[1:] in opened.text(".panel.open")
    exact = {"verdict": "open", "worlds": 60, "broken": 12, "complete": True, "text": "broken in 12 of 60 worlds"}
    told = open_page(changed(RUSSIAN_BANK, findings=[{**question, "exact": exact}]), f"#{question['at']}")
    assert "Broken in 12 of 60 worlds." in told.text(".panel.open")
    told.fine()


@pytest.mark.rest
@pytest.mark.parametrize(
    ("path", "scheme", "width"),
    [
        (KAISER, "light", 390), pytest.param(KAISER, "dark", 1280, marks=pytest.mark.rest),
        *(pytest.param(*case, marks=pytest.mark.slow) for case in product(EXAMPLES, ("light", "dark"), (390, 1280))),
    ],
    ids=lambda value: value.stem if isinstance(value, Path) else str(value),
)
def test_axe_finds_no_violation(path: Path, scheme: str, width: int, open_page: Open) -> None:
    opened = open_page(path, "#96", width=width, height=844, color_scheme=scheme)
    package = pytest.importorskip("axe_playwright_python", reason="accessibility was not asked: the package axe-playwright-python is missing")
    opened.page.evaluate((Path(package.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
    assert opened.page.evaluate(VIOLATIONS) == []
