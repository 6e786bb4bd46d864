"""The phone page in a browser, tapped as at a table: a hand, the network gone and back, two recorders, corrections,
what a plain connection lacks."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from browsers import FLAGS, PLAIN_HOST, Browser, chromium
from phones import PHONE, Club, Phone, club
from replays import example, records_of
from sampling import a_few
from taps import lines_of_a_hand

from reducers.registry import PAGES, find_game
from replay.redact import hide
from replay.simulate import simulate

NAMES = ("Olena", "Marcel", "Walter", "Doris", "Anton", "Birgit", "Cem", "Daphne", "Emil", "Fay")
SEATS = {"pontoon": "ABCD"}
LEAD = ["bid 7", "pass", "pass", "pass", "name h"]
CARDS = ["8h", "9h", "Jh", "Qh", "Ad", "Td", "9d", "Kd", "Ks", "As", "Qs", "8s", "Kc", "9c", "Ac", "Tc"]
"""Four tricks of Kaiser, each card once."""
MEASURED = """() => {
  const wrong = [], keys = [...document.querySelectorAll('button')].filter(k => k.getBoundingClientRect().width);
  const name = k => k.textContent || k.getAttribute('aria-label'), box = k => k.getBoundingClientRect();
  for (const k of keys) {
    const r = box(k), list = k.closest('.panel, .tall, .question');
    if (r.height < 43.5 || r.width < 43.5) wrong.push(`small: ${name(k)} ${r.width} x ${r.height}`);
    if (r.right > innerWidth + 1 || (!list && r.bottom > innerHeight + 1)) wrong.push(`outside: ${name(k)}`);
    if (k.scrollWidth > k.clientWidth + 1 || k.scrollHeight > k.clientHeight + 1) wrong.push(`cut: ${name(k)}`);
    for (const other of keys) {
      const o = box(other);
      if (other !== k && r.left < o.right - 1 && o.left < r.right - 1 && r.top < o.bottom - 1 && o.top < r.bottom - 1 && list === other.closest('.panel, .tall, .question')) wrong.push(`over each other: ${name(k)}, ${name(other)}`);
    }
  }
  for (const link of document.querySelectorAll('.panel a, .told a')) if (link.getBoundingClientRect().height < 43.5) wrong.push(`small: ${link.textContent}`);
  const pad = document.querySelector('.pad'), above = document.querySelector('.above'), lines = document.querySelectorAll('.lines li');
  if (pad && pad.scrollHeight > pad.clientHeight + 1) wrong.push(`the pad scrolls: ${pad.scrollHeight} > ${pad.clientHeight}`);
  if (pad && above.scrollHeight > above.clientHeight + 1) wrong.push('the table is cut');
  if (document.documentElement.scrollWidth > innerWidth) wrong.push('it scrolls sideways');
  return wrong;
}"""


SMALL = """least => [...document.querySelectorAll('a, button, input, select, summary, label.file')].filter(e => !e.matches('.spoken') && e.getBoundingClientRect().height)
  .map(e => [e, e.closest('label') && e.matches('input[type=checkbox]') ? e.closest('label').getBoundingClientRect() : e.getBoundingClientRect()])
  .map(([e, r]) => [e.textContent || e.name, Math.round(r.height), Math.round(r.width), e.matches('.viewer li a, .viewer td a') ? 24 : least])
  .filter(([, height, width, needed]) => Math.min(height, width) < needed - 0.5)"""
"""What is smaller than it has to be; the list of moves is text, whose links need no more than at the desk."""
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"


@pytest.fixture(scope="module")
def tables(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """A club that stays alive for the tests of this module."""
    with club(tmp_path_factory.mktemp("club")) as made:
        yield made


@pytest.fixture
def windows(browser: Browser) -> Iterator[Callable[..., Any]]:
    """Opens a window that nobody else uses, on a phone unless something else is said; whatever goes wrong in it
    fails the test."""
    opened: list[Any] = []
    errors: list[str] = []

    def opening(address: str, **kind: Any) -> Any:
        context = browser.opened.new_context(**(kind or PHONE))
        opened.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda said: errors.append(said.text) if "Content Security Policy" in said.text else None)
        page.goto(address)
        # A link is exchanged first; then the page that it is for comes by itself.
        page.wait_for_url(lambda url: "/enter" not in url)
        page.wait_for_load_state()
        return page

    yield opening
    for context in opened:
        context.close()
    assert errors == []


def seated(game: str, many: int = 0) -> dict[str, str]:
    """Who sits where."""
    seats = find_game(game).seating.sizes[many] if many else find_game(game).seating.usual
    return dict(zip(seats, NAMES, strict=False))


def recorder(tables: Club, windows: Callable[..., Any], match: str, address: str = "") -> Phone:
    """A recorder who has opened the link of a match."""
    link = tables.link("recorder", match)
    page = windows(link.replace(tables.address, address) if address else link)
    page.wait_for_selector(".pad")
    return Phone(page)




def events(tables: Club, match: str) -> list[dict[str, Any]]:
    """The events of a match, without who wrote them when."""
    return [dict(r["event"]) for r in tables.events(match)]


def cards_of(tables: Club, match: str) -> list[str]:
    """The cards that were played, in the order of the record."""
    return [card for event in events(tables, match) if event["verb"] == "play" for card in event["cards"]]


def until(true: Callable[[], Any], page: Any) -> None:
    """Wait until something holds."""
    # A request that is never answered is given up after 15 seconds, and tried again after 8.
    limit = time.monotonic() + 60
    while not true():
        assert time.monotonic() < limit, "it did not come to pass"
        page.wait_for_timeout(30)


def lead(phone: Phone) -> None:
    """Bid and name trumps: the first trick can be played."""
    for word in LEAD:
        phone.words([word])
        assert phone.settled()["ok"]


def waiting(phone: Phone) -> list[str]:
    """The lines that the page says were not sent."""
    return [text for text in phone.page.locator(".lines .waiting").all_inner_texts() if "not yet sent" in text]


def axe(page: Any) -> list[str]:
    """What axe finds wrong with a page, in light; and with its colours, in dark."""
    package = pytest.importorskip(
        "axe_playwright_python", reason="accessibility was not asked: the package axe-playwright-python is missing",
    )
    page.evaluate((Path(package.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
    found = list[str]()
    for scheme, rules in (("dark", ["color-contrast"]), ("light", None)):
        page.emulate_media(color_scheme=scheme)
        found += page.evaluate(
            (
                "only => axe.run(only ? { runOnly: only } : {}).then(r => r.violations.map(v => `${v.id}: "
                "${v.nodes.map(n => n.html).slice(0, 3)}`))"
            ),
            rules,
        )
    return found


def unfit(page: Any, least: float) -> list[Any]:
    """What is wrong with a page for whoever taps it, or has it read aloud: what axe finds, and what is smaller than
    a finger or a pointer needs."""
    return [*axe(page), *page.evaluate(SMALL, least)]


# -- a hand, and the network gone in the middle of it ------------------------------------------------------------------


@pytest.mark.rest
def test_a_hand_is_tapped_the_network_goes_and_comes_back_and_another_window_follows(
    tables: Club, windows: Callable[..., Any],
) -> None:
    """The way of an evening: a hand on the pad, four cards without a network, a reload, a correction, and the proof
    of what was found."""
    match = tables.match("kaiser", seated("kaiser"))
    phone, follower = recorder(tables, windows, match), windows(
        tables.link("spectator", match), viewport={"width": 1280, "height": 800},
    )
    lead(phone)
    for card in CARDS[:4]:
        phone.words([card])
        phone.settled()
    assert cards_of(tables, match) == CARDS[:4]
    until(lambda: "Q♥" in follower.inner_text("#viewer").replace("\ufe0e", ""), follower)
    # The page is kept by then, so that it can be opened without a network.
    until(
        lambda: phone.page.evaluate("navigator.serviceWorker.ready.then(r => r.active.state === 'activated')"),
        phone.page,
    )
    until(lambda: phone.page.evaluate("caches.match('/t/').then(Boolean)"), phone.page)
    tables.kill()
    for card in CARDS[4:8]:
        phone.words([card])
        phone.settled()
    assert "Four lines wait on this phone" in phone.page.inner_text(".banner")
    assert phone.page.evaluate(MEASURED) == []
    assert len(waiting(phone)) == 4
    phone.page.reload()
    until(lambda: len(waiting(phone)) == 4, phone.page)
    tables.begin()
    until(lambda: not phone.state["waiting"], phone.page)
    assert cards_of(tables, match) == CARDS[:8]
    keys = [r.get("key") for r in tables.events(match) if r["event"]["verb"] == "play"]
    assert len(set(keys)) == len(keys) == 8
    # A card is corrected: the ten of diamonds was the jack.
    phone.press("correct")
    phone.page.locator(".key.line", has_text="10♦").tap()
    phone.press("replace")
    until(lambda: phone.page.evaluate("document.getElementById('kibitz').phone.fixing.ready"), phone.page)
    phone.words(["Jd"])
    assert phone.settled()["ok"]
    fixed = events(tables, match)[-1]
    assert (fixed["verb"], fixed["how"], fixed["event"]["cards"]) == ("fix", "replace", ["Jd"])
    assert fixed["event"]["by"] == events(tables, match)[fixed["at"]]["by"]
    # East does not follow spades, and plays one later: nobody is told of it before the hand is over.
    for card in ("Ks", "As", "Kc", "8s", "Qs", "Ts", "9s", "Js"):
        phone.words([card])
        assert phone.settled()["ok"], card
        assert not phone.page.locator(".told, .question").count()
    assert tables.asking.get(f"/matches/{match}/findings").json()["findings"], "there is something to find"
    assert not follower.evaluate("document.getElementById('kibitz').watch.doc.findings.length")


@pytest.mark.rest
def test_an_answer_that_comes_late_takes_nothing_back(tables: Club, windows: Callable[..., Any]) -> None:
    """If this failed, a suit that was tapped would be forgotten as the network comes back, or a card would be
    written at a place that is taken by then."""
    match = tables.match("kaiser", seated("kaiser"))
    phone = recorder(tables, windows, match)
    lead(phone)
    before = phone.page.evaluate("JSON.stringify(document.getElementById('kibitz').phone.pad)")
    phone.tap("d")
    phone.page.evaluate("document.getElementById('kibitz').phone.refresh()")
    assert phone.state["suit"] == "d"
    phone.tap("rank A")
    assert phone.settled()["ok"]
    assert cards_of(tables, match) == ["Ad"]
    # What was asked before this card was written is answered only now.
    phone.page.route("**/pad", lambda route: route.fulfill(status=200, content_type="application/json", body=before))
    phone.page.evaluate("document.getElementById('kibitz').phone.refresh()")
    phone.words(["Kd"])
    assert phone.settled()["ok"]
    assert cards_of(tables, match) == ["Ad", "Kd"]


@pytest.mark.rest
def test_a_suit_that_is_tapped_stays_whatever_is_answered(tables: Club, windows: Callable[..., Any]) -> None:
    """If this failed, a discard would be written in the suit that was led, or a suit that an answer had just pressed
    would be let go."""
    match = tables.match("kaiser", seated("kaiser"))
    phone = recorder(tables, windows, match)
    lead(phone)
    # The answer to the lead comes after the next player's suit was tapped.
    held: list[Any] = []
    phone.page.route("**/lines", lambda route: route.continue_() if held else held.append(route))
    phone.words(["8h"])
    until(lambda: held, phone.page)
    phone.tap("d")
    held[0].continue_()
    until(lambda: not phone.state["waiting"] and not phone.state["sending"], phone.page)
    assert phone.state["suit"] == "d"
    phone.tap("rank 9")
    assert phone.settled()["ok"]
    # The suit that is led was pressed by this answer; who taps it as well does not let it go.
    assert phone.state["suit"] == "h"
    phone.tap("h")
    phone.tap("rank J")
    assert phone.settled()["ok"]
    assert cards_of(tables, match) == ["8h", "9d", "Jh"]


@pytest.mark.rest
def test_a_finding_of_the_hand_that_is_over_is_proved_to_who_follows(tables: Club, windows: Callable[..., Any]) -> None:
    records = records_of(example("kaiser-evening"))
    facts = records[0].event.facts
    match = tables.match("kaiser", {seat: str(facts[seat]) for seat in "NESW"}, dealer=str(facts.get("Dealer", "")))
    follower = windows(tables.link("director", ""), viewport={"width": 1280, "height": 800})
    follower.wait_for_selector("main.director")
    follower.goto(f"{tables.address}/m/{match}")
    body = msgspec.to_builtins([{"n": 0, "event": r.event} for r in records[1:] if r.n <= 200])
    told = tables.asking.post(f"/matches/{match}/events", json={"events": body})
    assert told.status_code == 201, told.text
    found = tables.asking.get(f"/matches/{match}/findings").json()["findings"]
    assert found
    until(lambda: follower.locator("svg.cards").count(), follower)
    until(lambda: follower.evaluate("document.getElementById('kibitz').watch.doc.findings.length"), follower)
    follower.goto(f"{tables.address}/m/{match}#{found[0]['at']['pos']}")
    follower.reload()
    until(lambda: follower.locator(".chain a").count(), follower)


# -- the phone, the page, the service are killed -----------------------------------------------------------------------


@pytest.mark.rest
@pytest.mark.parametrize(
    ("cards", "seed"),
    [
        (7, 3), pytest.param(len(CARDS), 2, marks=pytest.mark.slow),
        *(pytest.param(len(CARDS), seed, marks=pytest.mark.slow) for seed in range(4, 10)),
    ]
)
def test_nothing_is_lost_or_written_twice_whatever_is_killed(
    cards: int, seed: int, browser: Browser, tmp_path: Path,
) -> None:
    """At each step the page, the phone or the service may be killed, before the card is tapped, right after, or once
    it was sent. Another recorder writes between, and the phone corrects a card that it wrote before."""
    chance, hurt, others, at, corrected = random.Random(seed), 0, 0, 0, list[str]()
    with club(tmp_path) as made:
        match = made.match("kaiser", seated("kaiser"))
        for word in ("7", "pass", "pass", "pass", "h"):
            assert made.line(match, word).is_success

        def taken_up() -> tuple[Any, Phone]:
            """The phone, switched on; it keeps what it had."""
            context = browser.driver.chromium.launch_persistent_context(
                str(tmp_path / "phone"), executable_path=chromium(), args=FLAGS, **PHONE,
            )
            context.set_default_timeout(30_000)
            page = context.pages[0]
            page.goto(link if not context.cookies() else f"{made.address}/t/{match}")
            page.wait_for_selector(".pad")
            return context, Phone(page)

        link = made.link("recorder", match)
        context, phone = taken_up()
        until(lambda: phone.page.evaluate("caches.match('/t/').then(Boolean)"), phone.page)
        # The phone came in when the evening began: a browser takes half a minute to keep a cookie, unless it
        # is put away.
        context.close()
        context, phone = taken_up()
        assert context.cookies()
        for k, card in enumerate(CARDS[:cards]):
            if k == 2:
                if made.alive is None:
                    made.begin()
                all_sent(phone)
                at = next(r["n"] for r in made.events(match) if r["event"].get("cards") == ["9h"])
            if at and made.alive is not None and chance.random() < 0.6:
                others += made.line(match, f"note 1 the other one wrote {k}").is_success
            if at and chance.random() < 0.4:
                # Neither card takes the trick from the queen.
                corrected.append("9h" if corrected[-1:] == ["Th"] else "Th")
                phone.page.evaluate(
                    "line => document.getElementById('kibitz').phone.write(line)", f"fix {at} {corrected[-1]}",
                )
            # The service first: then the phone writes without it.
            if chance.random() < 0.4 and made.alive is not None:
                made.kill()
                hurt += 1
            phone.words([card])
            # What the page shows as waiting is kept as soon as the browser says so.
            kept(phone)
            what = chance.choice(("page", "phone", "service", "nothing"))
            hurt += what != "nothing"
            if what == "service":
                made.kill()
            if what == "page":
                phone.page.reload()
                phone.page.wait_for_selector(".pad")
            if what == "phone":
                # The process is ended, not asked to close.
                kill_phone(context, tmp_path / "phone")
                context, phone = taken_up()
            if made.alive is None and chance.random() < 0.6:
                made.begin()
                all_sent(phone)
        if made.alive is None:
            made.begin()
        all_sent(phone)
        # Each card is that of the seat that was on turn when it was tapped.
        assert played_by(made, match) == list(zip("NESWWNESWNESNESW", CARDS, strict=True))[:cards]
        fixes = [event["event"]["cards"] for event in events(made, match) if event["verb"] == "fix"]
        assert fixes == [[card] for card in corrected]
        assert sum(event["verb"] == "note" for event in events(made, match)) == others
        assert (hurt >= cards // 2, others > 0, len(corrected) > 0) == (True, True, True)
        kill_phone(context, tmp_path / "phone")


PADS = """(given) => new Promise((done, failed) => { const asked = indexedDB.open('kibitz'); asked.onerror = failed; asked.onsuccess = () => {
  const write = given.pad !== undefined, pads = asked.result.transaction('pads', write ? 'readwrite' : 'readonly').objectStore('pads');
  const request = write ? pads.put(given.pad, given.match) : pads.get(given.match); request.onsuccess = () => { asked.result.close(); done(request.result) } } })"""
"""The position that the phone keeps, read or put back."""


@pytest.mark.rest
def test_a_phone_that_comes_back_with_an_older_position_writes_for_nobody_else(
    tables: Club, windows: Callable[..., Any],
) -> None:
    """A phone that loses its power may have kept less of the table than of its lines. If this failed, cards would be
    written for another seat."""
    match = tables.match("kaiser", seated("kaiser"))
    phone = recorder(tables, windows, match)
    until(lambda: phone.page.evaluate("caches.match('/t/').then(Boolean)"), phone.page)
    lead(phone)
    phone.words(["8h"])
    phone.settled()
    older = phone.page.evaluate(PADS, {"match": match})
    phone.words(["9h"])
    # A line is away only together with the position behind it.
    assert phone.settled()["last"] == phone.page.evaluate(PADS, {"match": match})["last"] == older["last"] + 1
    alone(phone)
    for card in CARDS[2:4]:
        phone.words([card])
        kept(phone)
    phone.page.evaluate(PADS, {"match": match, "pad": older})
    phone.page.reload()
    phone.page.wait_for_selector(".pad")
    until(lambda: phone.state["offline"], phone.page)
    # Who is next is not known; whose cards wait is.
    assert (phone.page.locator(".place.turn").count(), phone.page.locator(".answer .to").count()) == (0, 0)
    assert shown_lines(phone) == ["Walter J♥", "Doris Q♥"]
    phone.words([CARDS[4]])
    kept(phone)
    back_again(phone)
    until(lambda: not phone.state["waiting"], phone.page)
    assert played_by(tables, match) == list(zip("NESWW", CARDS[:5], strict=True))


CUT = """how => {
  const send = window.fetch;
  let left = 1;
  window.fetch = async (...what) => {
    const answer = await send(...what);
    if (what[1]?.method !== "POST" || left-- <= 0) return answer;
    const half = (await answer.text()).slice(0, 20);
    const broken = new ReadableStream({ start: (to) => { to.enqueue(new TextEncoder().encode(half)); how === "reset" ? to.error(new TypeError("reset")) : to.close(); } });
    return new Response(broken, { status: answer.status });
  };
}"""


@pytest.mark.rest
@pytest.mark.parametrize("how", ["reset", "ended"])
def test_an_answer_that_is_cut_off_is_asked_for_again(how: str, tables: Club, windows: Callable[..., Any]) -> None:
    """If this failed, a service killed in the middle of its answer would leave the lines of a phone waiting until
    somebody taps again."""
    match = tables.match("kaiser", seated("kaiser"))
    phone = recorder(tables, windows, match)
    lead(phone)
    phone.page.evaluate(CUT, how)
    phone.words(["8h"])
    until(lambda: cards_of(tables, match) == ["8h"], phone.page)
    all_sent(phone)
    assert cards_of(tables, match) == ["8h"]


def kept(phone: Phone) -> None:
    """Wait until the browser has kept what waits."""
    until(
        lambda: phone.page.evaluate(
            "document.getElementById('kibitz').phone.queue.lines.every(line => line.id !== undefined)"
        ),
        phone.page,
    )


def all_sent(phone: Phone) -> None:
    """Wait until nothing waits. Where another recorder was quicker, or a phone without power lost what it had seen
    last, whoever holds it says for whom the card was."""
    seats = dict(zip(CARDS, "NESWWNESWNESNESW", strict=True))

    def sent() -> bool:
        line = phone.page.evaluate("document.getElementById('kibitz').phone.asked?.line.line ?? ''")
        again = phone.page.locator(
            '.question '
            f'[data-word="{f"again {seats[line[-2:]]}" if line[-2:] in seats and not line.startswith("fix") else "again"}"]'
        )
        if line and again.count():
            again.tap()
        return not phone.state["waiting"]

    until(sent, phone.page)


def kill_phone(context: Any, kept: Path) -> None:
    """End the browser of a phone as an empty battery does: by the process that keeps its profile."""
    owner = os.readlink(kept / "SingletonLock").rpartition("-")[2]
    os.kill(int(owner), signal.SIGKILL)
    until_gone(int(owner))
    for name in ("SingletonLock", "SingletonCookie", "SingletonSocket"):
        (kept / name).unlink(missing_ok=True)
    with suppress(Exception):  # of the driver, whose browser is gone
        context.close()


def until_gone(process: int) -> None:
    limit = time.monotonic() + 30
    while time.monotonic() < limit:
        try:
            if Path(f"/proc/{process}/stat").read_text().split(")")[1].split()[0] == "Z":
                return
        except (FileNotFoundError, ProcessLookupError):
            return
        time.sleep(0.02)
    raise AssertionError("the browser did not end")


@pytest.mark.rest
def test_a_key_is_pressed_whatever_is_shown_meanwhile(tables: Club, windows: Callable[..., Any]) -> None:
    """If this failed, a card would be lost if an answer comes between the finger that goes down and the one that
    goes up."""
    match = tables.match("kaiser", seated("kaiser"))
    phone = recorder(tables, windows, match)
    lead(phone)
    phone.tap("d")
    touch = phone.page.context.new_cdp_session(phone.page)
    box = phone.page.locator('[data-word="rank A"]').bounding_box()
    at = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}]
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": at})
    phone.page.evaluate("document.getElementById('kibitz').phone.refresh()")
    # And somebody else writes, which this page could not show yet: the card is no answer to that.
    assert tables.line(match, "8h").is_success
    phone.page.evaluate("document.getElementById('kibitz').phone.refresh()")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    until(lambda: phone.state["asked"], phone.page)
    assert "Somebody else wrote meanwhile" in phone.page.inner_text(".question")
    phone.press("write it for Marcel")
    assert phone.settled()["ok"]
    assert cards_of(tables, match) == ["8h", "Ad"]


# -- two recorders


@pytest.mark.rest
def test_a_line_that_was_stale_when_the_network_came_back_is_no_loss_of_the_network(
    tables: Club, windows: Callable[..., Any],
) -> None:
    match = tables.match("kaiser", seated("kaiser"))
    phone = recorder(tables, windows, match)
    lead(phone)
    phone.page.context.set_offline(True)
    phone.words(["8h"])
    until(lambda: phone.state["offline"], phone.page)
    assert tables.line(match, "8h").is_success
    phone.page.context.set_offline(False)
    phone.page.evaluate("dispatchEvent(new Event('online'))")
    phone.page.wait_for_selector(".question")
    assert not phone.state["offline"]
    assert phone.page.locator(".banner").all_inner_texts() == []
    assert "6" in phone.page.inner_text(".lines"), "what the other wrote is there to see"


@pytest.mark.rest
def test_the_answer_has_names_also_if_others_have_written_since(tables: Club, windows: Callable[..., Any]) -> None:
    match = tables.match("kaiser", seated("kaiser"))
    phone = recorder(tables, windows, match)
    lead(phone)
    phone.words(["8h"])
    phone.settled()
    assert tables.line(match, "9h").is_success
    until(lambda: phone.state["last"] == 7, phone.page)
    assert phone.page.inner_text(".answer .said").replace("\ufe0e", "").split() == ["✓Olena", "8♥", "6"]


def test_what_another_recorder_wrote_appears_and_a_stale_line_is_offered_again(
    tables: Club, windows: Callable[..., Any],
) -> None:
    match = tables.match("kaiser", seated("kaiser"))
    phone = recorder(tables, windows, match)
    lead(phone)
    assert tables.line(match, "8h").is_success
    until(lambda: "8♥" in phone.page.inner_text(".lines").replace("\ufe0e", ""), phone.page)
    # Now the news does not reach the phone in time: it writes what it believes comes next.
    phone.page.evaluate("document.getElementById('kibitz').phone.refresh = async () => undefined")
    assert tables.line(match, "9h").is_success
    phone.words(["9h"])
    state = phone.settled()
    assert state["asked"]
    asked = phone.page.inner_text(".question").replace("\ufe0e", "")
    assert "Somebody else wrote meanwhile" in asked
    assert "Marcel 9♥" in asked
    assert cards_of(tables, match) == ["8h", "9h"], "a stale line is not merged"
    assert "9♥" in phone.page.inner_text(".lines").replace("\ufe0e", ""), "what the other wrote is there to see"
    assert axe(phone.page) == []
    # The same card: the other one has it already.
    phone.press("discard my line")
    assert not phone.settled()["waiting"]
    assert tables.line(match, "Jh").is_success
    phone.words(["Qh"])
    assert phone.settled()["asked"]
    phone.press("write it for Doris")
    assert phone.settled()["ok"]
    assert cards_of(tables, match) == ["8h", "9h", "Jh", "Qh"]


# -- a line is written for the seat that it was typed for, or for nobody


def shown_lines(phone: Phone) -> list[str]:
    """The lines that wait, as the page shows them."""
    return [
        " ".join(text.replace("\ufe0e", "").replace("not yet sent", "").replace("–", "").split())
        for text in phone.page.locator(".lines .waiting").all_inner_texts()
    ]


def alone(phone: Phone) -> None:
    """The network goes."""
    phone.page.context.set_offline(True)


def back_again(phone: Phone) -> None:
    """The network comes back."""
    phone.page.context.set_offline(False)
    phone.page.evaluate("dispatchEvent(new Event('online'))")


def played_by(tables: Club, match: str) -> list[tuple[str, str]]:
    """Who played which card."""
    return [(event["by"], *event["cards"]) for event in events(tables, match) if event["verb"] == "play"]


@pytest.mark.rest
def test_lines_behind_one_that_is_discarded_are_asked_about_and_keep_their_seats(
    tables: Club, windows: Callable[..., Any],
) -> None:
    """If this failed, a pass of Walter would be written as one of Doris, because a line before it was discarded."""
    match = tables.match("kaiser", seated("kaiser"), dealer="W")
    phone = recorder(tables, windows, match)
    alone(phone)
    phone.words(["bid 7"])
    phone.words(["pass"])
    phone.words(["bid 8"])
    # On a small phone the last lines are in sight.
    assert ["Olena bids 7", "Marcel passes", "Walter bids 8"][-len(shown_lines(phone)) :] == shown_lines(phone)
    assert "Doris is next" in phone.page.inner_text(".answer")
    # Meanwhile somebody else has written the first of these.
    assert tables.line(match, "bid 7").is_success
    back_again(phone)
    until(lambda: phone.state["asked"], phone.page)
    phone.press("discard my line")
    until(lambda: phone.page.locator(".question", has_text="Marcel passes").count(), phone.page)
    assert "typed behind a line that you discarded" in phone.page.inner_text(".question")
    assert axe(phone.page) == []
    phone.press("discard my line")
    # Now it is the turn of Marcel, and what waits is Walter's.
    until(lambda: phone.page.locator(".question", has_text="Walter bids 8").count(), phone.page)
    assert phone.page.get_by_role("button", name="write it for").all_inner_texts() == [
        "write it for Walter", "write it for Marcel",
    ]
    phone.press("write it for Walter")
    assert not phone.settled()["waiting"]
    assert [(e["by"], e["verb"]) for e in events(tables, match)[1:]] == [("N", "bid"), ("S", "bid")]


@pytest.mark.rest
def test_all_lines_behind_are_discarded_at_once_or_written_one_by_one(
    tables: Club, windows: Callable[..., Any],
) -> None:
    match = tables.match("kaiser", seated("kaiser"))
    phone = recorder(tables, windows, match)
    lead(phone)
    alone(phone)
    for card in CARDS[:6]:
        phone.words([card])
    # The first trick is Doris's, with the queen: she leads to the next.
    assert shown_lines(phone)[-3:] == ["Doris Q♥", "Doris A♦", "Olena 10♦"]
    assert phone.page.locator(".place.turn").inner_text().startswith("Marcel")
    assert phone.state["suit"] == "d"
    assert tables.line(match, "8h").is_success
    back_again(phone)
    until(lambda: phone.state["asked"], phone.page)
    phone.press("discard my line")
    for name in ("Marcel", "Walter"):
        phone.press(f"write it for {name}")
        until(lambda: phone.page.locator(".question").count(), phone.page)
    phone.page.wait_for_selector("text=Doris Q♥")
    phone.tap("discard all")
    assert not phone.settled()["waiting"]
    assert played_by(tables, match) == [("N", "8h"), ("E", "9h"), ("S", "Jh")]


@pytest.mark.rest
def test_a_line_that_is_changed_keeps_its_place_before_those_behind_it(
    tables: Club, windows: Callable[..., Any],
) -> None:
    """If this failed, the lines behind the changed one would be written before it."""
    match = tables.match("kaiser", seated("kaiser"))
    phone = recorder(tables, windows, match)
    lead(phone)
    alone(phone)
    for card in CARDS[:3]:
        phone.words([card])
    phone.page.evaluate("document.getElementById('kibitz').phone.queue.lines[0].line = 'play 8'")
    back_again(phone)
    until(lambda: phone.state["asked"], phone.page)
    phone.press("change it")
    phone.page.locator(".field input").fill("8h")
    phone.press("write")
    until(lambda: not phone.state["waiting"], phone.page)
    assert played_by(tables, match) == [("N", "8h"), ("E", "9h"), ("S", "Jh")]


# -- what is corrected from the phone


def correct(phone: Phone, line: str, how: str) -> None:
    """Choose a line of the list, and what is to be done with it."""
    phone.page.locator(".key.line", has_text=line).first.tap()
    phone.press(how)
    if how != "strike out":
        until(lambda: phone.page.evaluate("document.getElementById('kibitz').phone.fixing.ready"), phone.page)


@pytest.mark.rest
def test_what_was_corrected_is_corrected_again_and_any_line_of_the_match_is_found(
    tables: Club, windows: Callable[..., Any],
) -> None:
    """If this failed, the second correction of a line would be refused, and everything written later would wait
    behind it."""
    match = tables.match("kaiser", seated("kaiser"))
    for line in [*LEAD, *CARDS[:6]]:
        assert tables.line(match, line, as_played=True).is_success
    phone = recorder(tables, windows, match)

    def cards() -> list[str]:
        return phone.page.evaluate(
            f"fetch('/api/v1/matches/{match}/lines?hand=1').then(r => r.json()).then(r => r.lines.map(l => "
            "(l.by ?? '') + ' ' + l.says))"
        )[5:]

    for typed, shown in (("Th", "10♥"), ("Kh", "K♥")):
        phone.press("correct")
        correct(phone, "Walter", "replace")
        phone.words([typed])
        assert phone.settled()["ok"]
        assert cards()[2] == f"Walter {shown}"
    # A card is put in behind the corrected one, corrected itself, and struck out.
    phone.press("correct")
    correct(phone, "Walter K♥", "insert after")
    assert phone.page.inner_text(".answer.typing").startswith("after 8")
    phone.words(["8d"])
    if phone.settled()["asked"]:
        phone.tap("as played")
    assert phone.settled()["ok"]
    assert cards()[3] == "Doris 8♦"
    phone.press("correct")
    correct(phone, "Doris 8♦", "replace")
    phone.words(["8c"])
    if phone.settled()["asked"]:
        phone.tap("as played")
    phone.settled()
    assert cards()[3] == "Doris 8♣"
    phone.press("correct")
    correct(phone, "Doris 8♣", "strike out")
    phone.settled()
    assert cards() == ["Olena 8♥", "Marcel 9♥", "Walter K♥", "Doris Q♥", "Doris A♦", "Olena 10♦"]
    # Older lines are found by their hand and their seat.
    assert tables.line(
        match, "@ hand", as_played=True,
    ).is_success or tables.line(match, "hand", as_played=True).is_success
    phone.press("correct")
    phone.page.locator("select[data-word=hand]").select_option("1")
    phone.page.locator("select[data-word=who]").select_option("E")
    until(lambda: phone.page.locator(".key.line").count() == 2, phone.page)
    assert all("Marcel" in text for text in phone.page.locator(".key.line").all_inner_texts())
    assert axe(phone.page) == []
    assert phone.page.evaluate(MEASURED) == []


@pytest.mark.rest
def test_a_correction_that_gives_a_trick_to_somebody_else_asks_about_the_cards_behind_it(
    tables: Club, windows: Callable[..., Any],
) -> None:
    """If this failed, one corrected card would put every card behind it out of turn."""
    match = tables.match("kaiser", seated("kaiser"))
    for line in [*LEAD, "8c 9c Jc Qc", "W Ad Td 9d Kd"]:
        assert tables.line(match, line, as_played=True).is_success
    phone = recorder(tables, windows, match)
    phone.press("correct")
    correct(phone, "Doris Q♣", "replace")
    phone.words(["7c"])
    assert phone.settled()["ok"]
    asked = phone.page.inner_text(".told").replace("\ufe0e", "")
    assert (
        (
            "Walter takes the trick now, and not Doris. The cards behind it stay with their seats; or all of "
            "them move round, and Walter led A♦"
        ) in asked
    )
    assert phone.page.evaluate(MEASURED) == []
    assert axe(phone.page) == []
    phone.press("they move round")
    assert phone.settled()["ok"]
    assert (events(tables, match)[-1]["how"], events(tables, match)[-1]["event"]["by"]) == ("turn", "S")
    until(lambda: "Walter A♦" in phone.page.inner_text(".lines").replace("\ufe0e", ""), phone.page)
    phone.press("undo the last line")
    assert phone.settled()["ok"]
    assert "moved back" in phone.page.inner_text(".answer")


# -- a link that ends


def grants_of(tables: Club, match: str) -> list[str]:
    """The links of a match that are in force."""
    return [one["id"] for one in tables.asking.get("/grants", params={"match": match}).json() if not one["revoked"]]


@pytest.mark.rest
def test_a_link_that_was_taken_back_is_said_at_once_and_the_next_one_offers_what_waits(
    tables: Club, windows: Callable[..., Any],
) -> None:
    """If this failed, lines would pile up on a phone that nobody told that its link had ended."""
    match = tables.match("kaiser", seated("kaiser"))
    phone = recorder(tables, windows, match)
    lead(phone)
    (grant,) = grants_of(tables, match)
    assert tables.asking.delete(f"/grants/{grant}").status_code == 204
    # Nothing is tapped: the page is told.
    banner = phone.page.locator(".banner[role=alert]")
    banner.wait_for(timeout=3_000)
    assert "This link was revoked." in banner.inner_text()
    assert "Ask the director for a new one" in banner.inner_text()
    for card in CARDS[:2]:
        phone.words([card])
    assert "Two lines wait on this phone" in banner.inner_text()
    assert shown_lines(phone)[-2:] == ["Olena 8♥", "Marcel 9♥"]
    assert phone.page.evaluate(MEASURED) == []
    assert axe(phone.page) == []
    # What is drawn later does not cover it.
    phone.page.evaluate("document.getElementById('kibitz').phone.refresh()")
    phone.page.wait_for_timeout(300)
    assert banner.count() == 1
    phone.page.reload()
    banner.wait_for()
    phone.page.goto(tables.link("recorder", match))
    phone.page.wait_for_selector(".question")
    assert "Two lines were written on this phone after the link before had ended" in phone.page.inner_text(".question")
    assert cards_of(tables, match) == [], "nobody has said that they go out"
    phone.press("send them")
    until(lambda: not phone.state["waiting"], phone.page)
    assert played_by(tables, match) == [("N", "8h"), ("E", "9h")]
    assert not phone.page.locator(".banner").count()


@pytest.mark.rest
def test_a_table_without_a_link_says_what_is_missing(tables: Club, windows: Callable[..., Any]) -> None:
    match = tables.match("kaiser", seated("kaiser"))
    page = windows(f"{tables.address}/t/{match}")
    page.wait_for_selector("[role=alert]")
    assert "No link was opened in this browser." in page.inner_text("main")
    assert axe(page) == []
    looker = windows(tables.link("spectator", match))
    looker.goto(f"{tables.address}/t/{match}")
    looker.wait_for_selector("[role=alert]")
    assert "Ask the director for a link to record this table" in looker.inner_text("main")


# -- a page that is not secure


@pytest.mark.rest
def test_a_plain_connection_is_told_once_and_what_it_lacks_has_another_way(
    tables: Club, windows: Callable[..., Any],
) -> None:
    match = tables.match("kaiser", seated("kaiser"))
    phone = recorder(tables, windows, match, f"http://{PLAIN_HOST}:{tables.port}")
    assert not phone.page.evaluate("isSecureContext")
    assert "plain connection" in phone.page.inner_text(".banner")
    assert phone.page.evaluate(MEASURED) == []
    phone.press("understood")
    assert not phone.page.locator(".banner").count()
    phone.page.reload()
    phone.page.wait_for_selector(".pad")
    assert not phone.page.locator(".banner").count(), "it is said once"
    phone.press("Menu")
    phone.press("copy the address")
    assert phone.page.locator("input.copy").input_value() == f"http://{PLAIN_HOST}:{tables.port}/m/{match}"
    phone.press("back to the keys")
    # The open page keeps lines all the same.
    tables.kill()
    phone.words(["bid 7"])
    until(lambda: len(waiting(phone)) == 1, phone.page)
    tables.begin()
    until(lambda: not phone.state["waiting"], phone.page)
    assert [event["verb"] for event in events(tables, match)] == ["open", "bid"]


# -- what is opened beside the keys


@pytest.mark.rest
def test_a_club_that_keeps_results_only_taps_them_claims_and_takes_back(
    tables: Club, windows: Callable[..., Any],
) -> None:
    match = tables.match("pad", {"A": "Olena", "B": "Marcel"})
    phone = recorder(tables, windows, match)
    phone.press("the result")
    for figures in ("-4", "12"):
        phone.page.wait_for_selector("[data-word='figure 1']")
        for figure in figures:
            phone.tap(f"figure {figure}")
        asked = phone.page.inner_text(".result h2")
        phone.tap("next")
        # The keys of one question look like those of the next: only its words tell that it has been asked.
        until(lambda: phone.page.inner_text(".result h2") != asked, phone.page)  # noqa: B023  # asked at once
    phone.page.wait_for_selector("text=The result")
    phone.tap("write")
    assert phone.settled()["ok"]
    tally = events(tables, match)[-1]
    assert (tally["verb"], tally["facts"]) == ("tally", {"points": {"A": -4, "B": 12}})
    phone.press("claim")
    phone.tap("figure 8")
    phone.press("write it down")
    assert phone.settled()["ok"]
    assert events(tables, match)[-1]["verb"] == "claim"
    phone.press("undo the last line")
    assert phone.settled()["ok"]
    assert events(tables, match)[-1]["how"] == "strike"


FULL = {"N": "Olena Kovalenko", "E": "Marcel Dubois", "S": "Walter Hofstätter", "W": "Doris Brunner"}
CUT_NAMES = """() => [...document.querySelectorAll('.place .who, header .by, .score .soft, .moves th, .key.seat')].filter(e => e.scrollWidth > e.clientWidth + 1 || e.getBoundingClientRect().right > innerWidth)
  .map(e => e.textContent)"""


@pytest.mark.rest
def test_full_names_are_cut_nowhere_and_the_score_of_a_phone_is_as_ruled(
    tables: Club, windows: Callable[..., Any],
) -> None:
    """If this failed, a recorder would read another score than the board has, and the move list would have three
    players of four."""
    match = tables.match("kaiser", FULL)
    phone = recorder(tables, windows, match)
    phone.press("skip")
    assert phone.page.evaluate(CUT_NAMES) == []
    assert phone.page.locator(".score").inner_text().split("\n") == ["0", "Olena & Walter", "0", "Marcel & Doris"]
    for k, line in enumerate(lines_of_a_hand(hide(simulate("kaiser", seed=3, hands=1)), 1)):
        assert tables.line(match, line.answer or line.text, as_played=True).is_success
        if k == 7:
            until(lambda: phone.page.locator("header .by").inner_text() == "Olena & Walter", phone.page)
            assert (
                phone.page.locator(".score").inner_text().split("\n")[1::2], phone.page.evaluate(CUT_NAMES),
            ) == (["O & W", "M & D"], [])
    last = events(tables, match)
    assert tables.line(match, "N dispute #8 revoke").is_success
    assert tables.line(match, f"@ ruling #{len(last)} points.NS=-3").is_success
    follows = windows(tables.link("seat", match, seat="E"))
    until(lambda: follows.locator(".moves th").count(), follows)
    assert follows.evaluate(CUT_NAMES) == []
    until(lambda: "Hofstätter −6" in follows.inner_text(".agree"), follows)
    until(lambda: "−6" in phone.page.locator(".score").inner_text(), phone.page)
    phone.press("more")
    assert phone.page.evaluate(CUT_NAMES) == []
    assert (phone.page.evaluate(MEASURED), axe(phone.page)) == ([], [])
    assert tables.line(match, "@ end match agreed").is_success
    until(lambda: "the match is over" in phone.page.inner_text(".answer"), phone.page)
    phone.press("back to the keys")
    assert not phone.page.locator(".grid").count(), "a card that is tapped now would be refused"
    assert [
        line.split("\n")[-1] for line in phone.page.locator(".lines li").all_inner_texts()
    ][-2:] == ["The table ends the match (agreed)", "The table records the verdict"]


@pytest.mark.rest
def test_who_sits_at_a_table_is_said_on_the_phone(tables: Club, windows: Callable[..., Any]) -> None:
    """A substitute, a player who joins and one who leaves, and the end of the match by agreement, without a word of
    notation."""
    match = tables.match("yaniv", seated("yaniv", 3))
    phone = recorder(tables, windows, match)

    def say(*keys: str, name: str = "", seat: str = "") -> None:
        phone.press("more")
        phone.press("who sits here")
        if name:
            phone.page.get_by_label("name", exact=True).fill(name)
        if seat:
            phone.page.get_by_label("the seat of").select_option(seat)
        for key in keys:
            phone.press(key)
        assert phone.settled()["ok"]

    say("takes this seat over", name="Timo", seat="B")
    say("joins the table", name="Rosa B")
    say("leaves the table", seat="A")
    lines = phone.page.locator(".lines").inner_text()
    assert all(
        said in lines for said in ("has Timo in the place of Marcel", "welcomes Rosa B", "says goodbye to Olena")
    ), lines
    say("end the match by agreement", "the better total has won")
    told = [event["facts"] for event in events(tables, match)[1:] if event["verb"] == "open"]
    assert told == [{"B": "Timo"}, {"Seats": "A B C D", "D": "Rosa B"}, {"Seats": "B C D"}]
    assert next(event for event in events(tables, match) if event["verb"] == "end")["why"] == "agreed"


BESIDES = {
    "kaiser": (
        [*LEAD, "Kh", "8h"], "E", "tally five=NS three=EW tricks.NS=5 tricks.EW=3", "tricks.NS=-2 tricks.EW=2",
        ["Timo & Doris +2 tricks, Olena & Walter −2 tricks"], "Olena & Walter won",
    ),
    "pontoon": (
        ["bet 2", "bet 4"], "B", "tally banker=C stake.A=2 stake.B=4 class.A=20 class.B=17 bank=18",
        "points.A=-1 points.C=1", ["Olena −1 point, Walter +1 point", "Timo\tOlena\t1", "Timo\tWalter\t3"],
        "Walter won",
    ),
}  # fmt: skip
"""Of each game: acts that are tapped, the last of which the table lets its player take back; the seat that somebody
takes over; the result, what the director changes of it, how the sheet tells that, and who has won then."""


@pytest.mark.rest
@pytest.mark.parametrize("game", BESIDES)
def test_what_happens_at_a_table_besides_playing_is_tapped(
    game: str, tables: Club, windows: Callable[..., Any],
) -> None:
    """An act taken back, a substitute, a dispute with a ruling, and an agreed end: sheet, board, list and season say
    what came of them."""
    acts, seat, result, ruled, told, won = BESIDES[game]
    match = tables.match(game, seated(game, 0 if game == "kaiser" else 3), table=f"9{len(game)}", title="Besides")
    phone = recorder(tables, windows, match)
    for act in acts:
        phone.words([act])
        assert phone.settled()["ok"]
    phone.press("more")
    phone.press("taken back at the table")
    assert phone.settled()["ok"]
    assert events(tables, match)[-1]["verb"] == "back"
    phone.press("more")
    phone.press("who sits here")
    phone.page.get_by_label("the seat of").select_option(seat)
    phone.page.get_by_label("name", exact=True).fill("Timo")
    phone.press("takes this seat over")
    assert phone.settled()["ok"]
    assert tables.line(match, result).is_success
    asked = events(tables, match)
    assert tables.line(match, f"@ dispute #{len(asked) - 1} sum").is_success
    assert tables.line(match, f"ruling #{len(asked)} adjust {ruled}").is_success
    phone.press("more")
    phone.press("who sits here")
    phone.press("end the match by agreement")
    phone.press("the better total has won")
    assert phone.settled()["ok"]
    director = windows(tables.link("director"), viewport={"width": 1280, "height": 900})

    def shown(where: str) -> str:
        director.goto(tables.address + where)
        until(lambda: director.locator("body").inner_text().count("Timo"), director)
        return str(director.locator("body").inner_text())

    sheet = shown(f"/api/v1/matches/{match}/sheet.html")
    assert "as ruled" in sheet
    assert f"Substitutes: {seat} Marcel (hand 1), then Timo" in sheet
    for line in told:
        assert line in sheet, sheet
    assert won in shown("/board")
    assert won in shown("/director")
    assert "Timo" in shown("/season")


@pytest.mark.rest
def test_a_director_who_is_writing_is_not_disturbed(tables: Club, windows: Callable[..., Any]) -> None:
    """If this failed, each card at any table would take the field away in which the director writes a ruling."""
    match = tables.match("kaiser", seated("kaiser"))
    for word in ("7", "pass", "pass", "pass", "h", "8h", "N dispute #6 revoke"):
        assert tables.line(match, word).is_success, word
    director = windows(tables.link("director"), viewport={"width": 1280, "height": 900})
    asked = director.locator(f"article.dispute:has(a[href^='/m/{match}#'])")
    asked.get_by_label("decision").select_option(label="something else changes")
    changes = asked.get_by_label("what changes")
    changes.press_sequentially("points.NS=1")
    assert tables.line(match, "9h").is_success
    director.wait_for_function(
        f"() => document.querySelector('[data-match=\"{match}\"]') && "
        "performance.getEntriesByType('resource').filter(r => r.name.includes('/board') && "
        "r.responseStatus === 200).length > 1"
    )
    director.wait_for_timeout(300)
    director.keyboard.type("1")
    assert changes.input_value() == "points.NS=11"


@pytest.mark.rest
def test_players_agree_to_a_score_with_one_tap_each(tables: Club, windows: Callable[..., Any]) -> None:
    """If this failed, a player would have to ask the recorder to write down that the score is right."""
    match = tables.match("kaiser", seated("kaiser"))
    assert tables.line(match, "tally level=7 trump=h declarer=N tricks.NS=5 tricks.EW=3 five=NS three=EW").is_success
    north, east = (windows(tables.link("seat", match, seat=seat)) for seat in "NE")
    north.get_by_role("button", name="the score is right").click()
    until(lambda: "You have agreed to the score of hand 1" in north.inner_text(".agree"), north)
    east.get_by_role("button", name="I agree").click()
    until(lambda: "You have agreed" in east.inner_text(".agree"), east)
    claim, confirm = events(tables, match)[-2:]
    assert (claim["verb"], claim["by"], claim["facts"]) == ("claim", "N", {"EW": 0, "NS": 10})
    assert (confirm["verb"], confirm["by"], confirm["refs"]) == ("confirm", "E", [2])
    # The partner has nothing to add, and who only looks on is asked nothing.
    south, spectator = windows(tables.link("seat", match, seat="S")), windows(tables.link("spectator", match))
    until(lambda: "You have agreed" in south.inner_text(".agree"), south)
    spectator.wait_for_selector(".livebar")
    assert not spectator.locator(".agree button").count()
    assert axe(south) == []


@pytest.mark.rest
def test_an_evening_is_directed_without_a_terminal(tables: Club, windows: Callable[..., Any]) -> None:
    """A match with house rules, a name put right, a photograph, a substitute, a ruling whose score is looked at
    first, links that are taken back, and an end by agreement."""
    director = windows(tables.link("director"), viewport={"width": 1280, "height": 900})
    director.locator("details.new > summary").click()
    director.select_option("select[name=game]", "kaiser")
    for seat, name in seated("kaiser").items():
        director.fill(f"input[data-seat={seat}]", name)
    director.fill("input[name=table]", "77")
    director.locator("details.rules > summary").click()
    director.get_by_label("score that ends the match").fill("60")
    director.locator("select[data-rule=all_pass]").select_option("dealer_forced")
    director.select_option("select[name=dealer]", label="Marcel")
    director.select_option("select[name=pack]", "german")
    director.fill("input[name=place]", "The back room")
    assert axe(director) == []
    director.get_by_role("button", name="Begin the match").click()
    card = director.locator("section.table", has=director.locator(".no", has_text="77"))
    card.wait_for()
    match = str(card.get_attribute("data-match"))
    facts = events(tables, match)[0]["facts"]
    assert (facts["Option"], facts["Dealer"], facts["Pack"], facts["Place"]) == (
        {"all_pass": "dealer_forced", "target": 60}, "E", "german", "The back room",
    )
    # What does not go together is said in the words of the form.
    director.locator("details.new > summary").click()
    for seat in "NESW":
        director.fill(f"input[data-seat={seat}]", "Olena")
    director.get_by_role("button", name="Begin the match").click()
    refused = director.locator("details.new [role=alert] p")
    refused.wait_for()
    assert "Olena sits in two places" in refused.inner_text()
    assert "kibitz" not in refused.inner_text()
    assert tables.line(match, "tally level=7 trump=h declarer=N tricks.NS=5 tricks.EW=3 five=NS three=EW").is_success
    assert tables.line(match, "W dispute #1 score").is_success
    asked = director.locator("article.dispute", has_text="Table 77")
    asked.locator("select").first.select_option("adjust")
    asked.locator("[data-key='points.NS']").fill("-3")
    asked.get_by_label("rule (optional)").select_option("R11")
    asked.get_by_role("button", name="what the score would be").click()
    until(lambda: "The score would be" in asked.inner_text(), director)
    assert events(tables, match)[-1]["verb"] == "dispute", "nothing was written"
    asked.get_by_role("button", name="record ruling").click()
    until(lambda: events(tables, match)[-1]["verb"] == "ruling", director)
    assert events(tables, match)[-1]["facts"]["rule"] == "R11"
    card.get_by_role("button", name="more").click()
    card.get_by_label("is called").fill("Olena K.")
    card.get_by_role("button", name="correct the name").click()
    until(lambda: "Olena K. & Walter" in card.inner_text(), director)
    card.get_by_label("written").select_option("the round")
    card.get_by_label("is called").fill("2")
    card.get_by_role("button", name="correct the name").click()
    until(lambda: events(tables, match)[-1].get("event", {}).get("facts", {}).get("Round") == "2", director)
    card.get_by_label("what it shows").fill("the pad of the table")
    card.get_by_label("from a file").set_input_files({"name": "pad.png", "mimeType": "image/png", "buffer": PNG})
    until(lambda: card.get_by_role("link", name="the pad of the table").count(), director)
    assert card.get_by_label("take a photograph").get_attribute("capture") == "environment"
    card.get_by_label("from now on").fill("Timo")
    assert axe(director) == []
    assert director.evaluate(SMALL) == []
    card.get_by_role("button", name="seat the substitute").click()
    until(lambda: events(tables, match)[-1].get("facts") == {"N": "Timo"}, director)
    until(lambda: "Timo & Walter" in card.inner_text(), director)
    # Another director has a link, and whoever has one can lose it, the hall too.
    director.get_by_role("button", name="second director").click()
    director.get_by_label("Who directs, too?").fill("Ines")
    director.get_by_role("button", name="make the link").click()
    second = windows(director.locator("main > div .given code").inner_text(), viewport={"width": 1280, "height": 900})
    second.locator("section.table").first.wait_for()
    second.get_by_role("button", name="spectator link, all tables").click()
    hall = windows(second.locator("main > div .given code").inner_text(), viewport={"width": 1280, "height": 900})
    director.get_by_role("button", name="all links").click()
    for name in ("revoke: Spectators of the evening, all tables, follow", "revoke: Ines, all tables, directs"):
        director.get_by_role("button", name=name).last.click()
        until(lambda name=name: not director.get_by_role("button", name=name).count(), director)
    assert axe(director) == []
    assert [page.request.get(f"{tables.address}/api/v1/me").status for page in (hall, second)] == [401, 401]
    card.get_by_role("button", name="end the match by agreement").click()
    card.get_by_role("button", name="the better total has won").click()
    until(lambda: "finished" in card.inner_text(), director)
    ended = next(event for event in events(tables, match) if event["verb"] == "end")
    assert (ended["what"], ended["why"]) == ("match", "agreed")


@pytest.mark.rest
def test_axe_finds_no_violation_on_any_page(tables: Club, windows: Callable[..., Any]) -> None:
    match = tables.match("burraco", seated("burraco"), table="2", title="Saturday")
    phone = recorder(tables, windows, match)
    wrong = [("empty", axe(phone.page)), ("empty", phone.page.evaluate(MEASURED))]

    def look(state: str, *labels: str) -> None:
        for label in labels:
            phone.press(label)
        phone.page.wait_for_timeout(100)
        wrong.append((state, axe(phone.page)))
        wrong.append((state, phone.page.evaluate(MEASURED)))

    phone.words(["9s"])
    phone.settled()
    look("answered")
    phone.tap("meld")
    phone.tap("h")
    phone.tap("rank K")
    look("typing")
    phone.press("cancel")
    look("more", "more")
    look("put together", "Olena …")
    phone.tap("draw")
    phone.tap("<")
    look("piles")
    phone.press("cancel")
    look("correct", "correct")
    phone.page.locator(".key.line").first.tap()
    look("one line")
    look("keys again", "back to the keys")
    look("claim", "claim")
    look("closed", "back to the keys")
    look("menu", "Menu")
    phone.tap("the rules")
    phone.page.wait_for_selector(".panel dd")
    assert "The rules of Burraco" in phone.page.inner_text(".panel")
    look("the rules")
    look("closed again", "back to the keys")
    look("who sits here", "more", "who sits here")
    look("closed once more", "back to the keys")
    look("result", "more", "only the result")
    phone.page.wait_for_selector(".result h2")
    assert "??" not in phone.page.inner_text(".result h2")
    look("a question", "cancel", "more", "write a line")
    director = windows(tables.link("director"), viewport={"width": 390, "height": 844})
    for where in (
        "/director", "/", "/board", f"/m/{match}", "/enter", "/season", "/players", "/find?book=home", "/book",
    ):
        director.goto(tables.address + where)
        until(lambda: director.locator("main, .viewer").count(), director)
        director.wait_for_timeout(200)
        wrong.append((where, unfit(director, 24)))
    director.set_viewport_size({"width": 1280, "height": 900})
    for where in ("/director", "/board", f"/m/{match}", "/season", "/book"):
        director.goto(tables.address + where)
        until(lambda: director.locator("main, .viewer").count(), director)
        director.wait_for_timeout(200)
        wrong.append((where, director.evaluate(SMALL, 24)))
    assert [(state, found) for state, found in wrong if found] == []


@pytest.mark.rest
def test_every_state_of_an_evening_can_be_read_and_tapped(tables: Club, windows: Callable[..., Any]) -> None:
    """On the phone nothing that is tapped is smaller than 44 pixels, at the desk than 24; axe finds nothing in
    either scheme. If this failed, some would be kept from the table, the desk or the sheet."""
    match, wrong = tables.match("kaiser", seated("kaiser"), table="7", title="Fit", book="fit"), list[Any]()

    def look(state: str, page: Any, least: int) -> None:
        page.wait_for_timeout(150)
        wrong.extend((state, found) for found in unfit(page, least))

    phone = recorder(tables, windows, match)
    for step in ("first", "second", "third"):
        look(f"the {step} step", phone.page, 44)
        phone.tap("next")
    lead(phone)
    phone.words([CARDS[0]])
    phone.settled()
    for state in ("photographs", "help", "rules"):
        phone.press("Menu")
        phone.press(state)
        phone.page.wait_for_timeout(300)
        look(state, phone.page, 44)
        phone.press("back to the keys")
    alone(phone)
    phone.words([CARDS[1]])
    kept(phone)
    until(lambda: phone.state["offline"], phone.page)
    look("offline", phone.page, 44)
    assert tables.line(match, "E Th", as_played=True).is_success
    back_again(phone)
    until(lambda: phone.state["asked"], phone.page)
    look("asked about a line", phone.page, 44)
    phone.press("discard my line")
    phone.settled()
    for line in lines_of_a_hand(hide(simulate("kaiser", seed=3, hands=1)), 1):
        tables.line(match, line.answer or line.text, as_played=True)
    assert tables.line(match, "tally tricks.NS=5 tricks.EW=3", as_played=True).is_success

    player = windows(tables.link("seat", match, seat="E"), **PHONE)
    player.get_by_role("button", name="the score is right").wait_for()
    look("a score to agree to", player, 44)
    player.get_by_role("button", name="the score is right").tap()
    until(lambda: "You have agreed" in player.inner_text(".agree"), player)
    player.get_by_role("button", name="dispute this event").tap()
    look("a dispute", player, 44)
    player.get_by_role("button", name="ask the director").tap()
    until(lambda: "Sent to the director" in player.inner_text(".claim"), player)
    look("sent to the director", player, 44)

    desk = windows(tables.link("director"), viewport={"width": 1280, "height": 900})
    card = desk.locator(f"section.table[data-match='{match}']")

    def press(name: str, within: Any = desk, then: str = "") -> None:
        within.get_by_role("button", name=name, exact=True).first.click()
        until(lambda: then in desk.inner_text("main"), desk)
        look(name, desk, 24)

    asked = desk.locator("article.dispute", has_text="Table 7").first
    asked.wait_for()
    look("a dispute at the desk", desk, 24)
    press("what the score would be", asked, "The score would")
    press("record ruling", asked, "Ruled: ")
    until(lambda: "Ruled" in player.inner_text(".claim"), player)
    look("a ruling", player, 44)
    press("recorder link", card, "Who records?")
    press("make the link", card, "for a day")
    press("more", card, "A substitute")
    press("end the match by agreement", card, "the better total has won")
    press("open all hands to all", card, "There is no way back")
    press("all links", then="Active links")
    press("second director", then="Who directs, too?")
    desk.locator("details.new > summary").click()
    desk.locator("details.rules > summary").click()
    until(lambda: desk.locator("[data-rule]").count(), desk)
    look("a new match", desk, 24)
    for paper in (
        f"matches/{match}/sheet.html", f"matches/{match}/report?hand=1", "evening.html?book=fit",
        "games/kaiser/blank.html?players=4", "season.html?book=fit",
    ):
        desk.goto(f"{tables.address}/api/v1/{paper}")
        look(paper, desk, 24)

    for grant in grants_of(tables, match):
        assert tables.asking.delete(f"/grants/{grant}").is_success
    until(lambda: phone.page.locator(".banner").count(), phone.page)
    look("revoked", phone.page, 44)
    assert wrong == []


@pytest.mark.rest
def test_a_director_keeps_the_book_and_the_players_on_a_phone(tables: Club, windows: Callable[..., Any]) -> None:
    """If this failed, somebody would have to go to a terminal after the evening. Every state is looked at."""
    match = tables.match("kaiser", seated("kaiser"), date="2026-03-14", book="spring")
    assert tables.line(match, "tally level=7 trump=h declarer=N tricks.NS=5 tricks.EW=3 five=NS three=EW").is_success
    assert tables.line(match, "@ end match agreed").is_success
    page, wrong = windows(tables.link("director"), viewport={"width": 360, "height": 740}), list[Any]()

    def press(name: str, *, then: str) -> None:
        page.get_by_role("button", name=name, exact=True).first.click()
        until(lambda: then in page.inner_text("main"), page)
        wrong.extend(
            (name, found)
            for found in (
                unfit(page, 24), page.evaluate("Math.max(0, document.documentElement.scrollWidth - innerWidth)"),
            )
            if found
        )

    page.goto(f"{tables.address}/players")
    page.get_by_label("a new player").fill("Olena Koval")
    press("add the player", then="Olena Koval is in the register.")
    press("who is this?: Olena", then="Who is Olena?")
    press("this is Olena Koval", then="Olena is Olena Koval from now on.")
    press("change: Olena Koval", then="“Olena”")
    page.get_by_label("name", exact=True).fill("Olena K.")
    press("rename", then="It is Olena K. from now on.")
    page.goto(f"{tables.address}/book")
    page.locator("section select").first.select_option("spring")
    paper = page.get_by_role("link", name="CSV").first.get_attribute("href")
    assert "2026-03-14" in str(paper)
    assert "Olena" in page.request.get(f"{tables.address}{paper}").text()
    page.locator("section", has_text="Is everything").locator("select").select_option("spring")
    press("verify", then="as they were written")
    press("sign and show the slip", then="events signed.")
    page.emulate_media(media="print")
    assert page.locator(".slip pre").is_visible()
    assert not page.get_by_role("heading", name="A blank pad").is_visible()
    page.emulate_media(media="screen")
    page.get_by_label("match that is over").select_option(match)
    page.get_by_label("to the book", exact=True).fill("cup")
    press("move it", then="It is in the book cup now. What proves it stays in the book spring")
    page.get_by_label("into the book").fill("old")
    page.get_by_label("choose the file").set_input_files(
        {"name": "old.csv", "mimeType": "text/csv", "buffer": b"Day,Ann,Bo\n2026-03-14,3,-3\n2026-03-15,1,ill\n"}
    )
    press("look at what would be written", then="Row 3: 'ill' is not a whole number")
    assert "players or pairs with their points: Ann, Bo" in page.inner_text("main")
    press("write them", then="1 match in the book old.")
    # The movement of an evening, its tables, and the board that says who meets next.
    movement = page.locator("section", has_text="The movement of an evening")
    movement.get_by_label("book", exact=True).fill("cup")
    movement.locator("select").first.select_option("pad")
    movement.get_by_label("who plays", exact=True).fill("Ann & Bo\nCy & Di\nEd & Flo")
    press("make the movement", then="Round 3")
    press("begin the tables of round 1", then="begun: the tables are")
    page.goto(f"{tables.address}/board?book=cup")
    until(lambda: "Next: round 2 of 3" in page.inner_text("main"), page)
    assert "has a bye" in page.inner_text("main")
    page.goto(f"{tables.address}/players")
    press("change: Olena K.", then="decide about an evening")
    page.locator("summary", has_text="decide about an evening").click()
    for label, value in (
        ("book", "spring"), ("game", "kaiser"), ("evening", "2026-03-14"), ("how much", "-5"),
        ("reason", "came late"),
    ):
        page.get_by_label(label, exact=True).fill(value)
    press("decide", then="It is decided about Olena K.")
    page.goto(f"{tables.address}/season?book=cup&grid=true&records=true&ties=all")
    until(lambda: "Evening by evening" in page.inner_text("main"), page)
    assert "came late" not in page.inner_text("main"), "it is of another book"
    page.goto(f"{tables.address}/season?book=spring&by=points")
    until(lambda: "came late" in page.inner_text("main"), page)
    press("take back: Olena K., 2026-03-14", then="it counts no more")
    # The table of the season, with a link to it for those who were not there.
    page.goto(f"{tables.address}/season?book=old")
    press("publish for all who have a link", then="It is published")
    press("link to this table", then="For everybody who reads this table")
    reader = windows(page.locator(".given > code").inner_text(), viewport={"width": 360, "height": 740})
    reader.get_by_role("link", name="old").click()
    reader.wait_for_selector("table")
    wrong.extend(unfit(reader, 24))
    assert "Ann" in reader.inner_text("main")
    assert wrong == []


@pytest.mark.parametrize(
    ("game", "part"),
    [
        ("tresette", 0.5), pytest.param("seven-and-a-half", 0.1, marks=pytest.mark.rest),
        *(pytest.param(game, part, marks=pytest.mark.slow) for game, part in product(PAGES, (0.0, 0.4, 0.8))),
    ]
)
def test_every_key_has_room_for_a_thumb_and_none_is_cut(
    game: str, part: float, tables: Club, windows: Callable[..., Any],
) -> None:
    match = tables.match(game, seated(game, len(SEATS.get(game, ""))))
    if find_game(game).has_cards:
        lines = list(lines_of_a_hand(hide(simulate(game, seed=3, hands=1, seats=SEATS.get(game))), 1))
        for line in lines[: int(len(lines) * part)]:
            assert tables.line(match, line.answer or line.text, as_played=True).is_success, line.text
    phone = recorder(tables, windows, match)
    assert phone.page.evaluate(MEASURED) == []
    assert min(3, len(events(tables, match)) - 3) <= phone.page.locator(".lines li").count()


@pytest.mark.parametrize("game", a_few(["pontoon", "kaiser", "scopa", "zetema"], 1))
def test_a_first_recorder_is_shown_how_in_three_steps(game: str, tables: Club, windows: Callable[..., Any]) -> None:
    """If this failed, whoever records for the first time would have to be taught by the director, once a table."""
    match = tables.match(game, seated(game))
    phone = recorder(tables, windows, match)
    lesson = phone.page.locator(".lesson")
    for words in ("1 of 3: a card.", "2 of 3: a card that you missed.", "3 of 3: a mistake."):
        until(lambda words=words: words in lesson.inner_text(), phone.page)
        # The keys that are meant are on the pad, marked, and work: nothing covers them.
        marked = phone.page.evaluate(
            "[...document.querySelectorAll('.pad .key')].filter(k => getComputedStyle(k).outlineStyle === "
            "'dashed').map(k => k.dataset.word || k.textContent)"
        )
        assert marked, words
        assert phone.page.evaluate(MEASURED) == []
        assert axe(phone.page) == []
        phone.tap("next")
    until(lambda: not lesson.count(), phone.page)
    phone.page.reload()
    phone.page.wait_for_selector(".pad")
    assert not lesson.count(), "once on each phone"
    phone.press("Menu")
    phone.press("help")
    help_ = phone.page.locator(".panel")
    assert all(
        word in help_.inner_text()
        for word in ("suit, then rank", "not seen", "undo the last line", "correct", "claim", "more")
    )
    assert (phone.page.evaluate(MEASURED), axe(phone.page)) == ([], [])
    phone.press("show me the first steps")
    until(lambda: "1 of 3" in lesson.inner_text(), phone.page)
    phone.press("skip")
    until(lambda: not lesson.count(), phone.page)
    phone.press("Menu")
    phone.press("photographs")
    phone.page.get_by_label("from a file").set_input_files({"name": "pad.png", "mimeType": "image/png", "buffer": PNG})
    until(lambda: phone.page.get_by_role("link", name="photograph 1").count(), phone.page)
    assert axe(phone.page) == []


@pytest.mark.rest
def test_the_lesson_goes_by_itself_where_somebody_records(tables: Club, windows: Callable[..., Any]) -> None:
    match = tables.match("kaiser", seated("kaiser"))
    phone = recorder(tables, windows, match)
    for k, word in enumerate(LEAD[:3], 1):
        assert phone.page.locator(".lesson").inner_text().startswith(f"{k} of 3")
        phone.words([word])
        assert phone.settled()["ok"]
    assert not phone.page.locator(".lesson").count()
    assert len(events(tables, match)) == 4


@pytest.mark.rest
def test_a_taller_phone_shows_more_lines_and_no_larger_keys(tables: Club, windows: Callable[..., Any]) -> None:
    match = tables.match("kaiser", seated("kaiser", 4))
    for line in [*LEAD, *CARDS[:8]]:
        assert tables.line(match, line, as_played=True).is_success
    phone = recorder(tables, windows, match)
    key = "document.querySelector('.grid .key').getBoundingClientRect().height"
    before, high = phone.page.locator(".lines li").count(), phone.page.evaluate(key)
    assert phone.page.locator(".lines li").last.inner_text().startswith("13")
    phone.page.set_viewport_size({"width": 360, "height": 480})
    phone.page.reload()
    until(lambda: phone.page.locator(".lines li").count() >= 3, phone.page)
    assert phone.page.locator(".lines li").count() < before
    phone.page.set_viewport_size({"width": 390, "height": 844})
    phone.page.reload()
    until(lambda: phone.page.locator(".lines li").count() > before, phone.page)
    assert phone.page.evaluate(key) <= 60.5
    assert high <= 60.5
    assert phone.page.evaluate(MEASURED) == []


@pytest.mark.slow
@pytest.mark.parametrize("game", [game for game in PAGES if find_game(game).has_cards])
def test_a_hand_of_every_game_is_tapped_to_its_end(game: str, tables: Club, windows: Callable[..., Any]) -> None:
    """If this failed, the taps that are counted were not those of the page."""
    records = hide(simulate(game, seed=0, hands=1, seats=SEATS.get(game)))
    facts = records[0].event.facts
    match = tables.match(
        game, dict(zip(str(facts["Seats"]).split(), NAMES, strict=False)), dealer=str(facts.get("Dealer", "")),
    )
    phone = recorder(tables, windows, match)
    for line in lines_of_a_hand(records, 1):
        before = phone.taps
        phone.words(line.keys)
        phone.settled()
        if line.answer:
            phone.tap(f"reading {line.answer}")
        state = phone.settled()
        assert state["ok"], (line, state)
        assert not state["asked"], (line, state)
        assert phone.taps - before == line.taps, line


@pytest.mark.rest
def test_a_match_that_is_followed_is_set_in_the_type_of_the_pages(tables: Club, windows: Callable[..., Any]) -> None:
    match = tables.match("kaiser", seated("kaiser", 4))
    for line in [*LEAD, *CARDS[:3]]:
        assert tables.line(match, line, as_played=True).is_success
    page = windows(tables.link("spectator", match))
    page.wait_for_selector("svg.cards")
    fonts = page.evaluate(
        "['.livebar', '.viewer', '.viewer .move', 'svg.cards text'].map(s => "
        "getComputedStyle(document.querySelector(s)).fontFamily)"
    )
    assert [font for font in fonts if not font.endswith("sans-serif")] == []


@pytest.mark.rest
def test_no_name_on_the_board_reaches_out_of_its_picture(tables: Club, windows: Callable[..., Any]) -> None:
    match = tables.match("ziginette", seated("ziginette", 4))
    for line in ("@ tally ending=matched won.A=0 lost.A=9 won.B=0 lost.B=8 won.C=0 lost.C=8",) * 2:
        assert tables.line(match, line, as_played=True).is_success
    page = windows(tables.link("director"))
    page.goto(f"{tables.address}/board?book=home")
    page.wait_for_selector("svg.course")
    cut = page.evaluate("""() => [...document.querySelectorAll('svg.course')].flatMap(svg => {
      const whole = svg.getBoundingClientRect(), names = [...svg.querySelectorAll('text')].map(text => [text.textContent, text.getBoundingClientRect()]);
      return names.filter(([, box]) => box.bottom > whole.bottom + 1).map(([name]) => name);
    })""")
    assert cut == []


@pytest.mark.rest
def test_the_director_and_the_recorder_see_the_table_as_who_follows_it_does(
    tables: Club, windows: Callable[..., Any],
) -> None:
    """If this failed, a director would rule on a sentence, and look for the cards on another page."""
    match = tables.match("kaiser", seated("kaiser"))
    for word in ("7", "pass", "pass", "pass", "h", "8h", "N dispute #6 revoke"):
        assert tables.line(match, word).is_success, word
    shown = "e => [e.naturalWidth, e.complete, e.alt]"
    director = windows(tables.link("director"), viewport={"width": 1280, "height": 900})
    asked = director.locator(f"article.dispute:has(a[href^='/m/{match}#'])")
    asked.locator(".position img").wait_for()
    width, whole, words = asked.locator(".position img").evaluate(shown)
    assert (width, whole) == (390, True)
    assert "plays the eight of hearts." in words
    card = director.locator(f"section.table[data-match='{match}']")
    card.get_by_role("button", name="the table").click()
    card.locator(".position img").wait_for()
    assert tables.line(match, "9h").is_success
    until(lambda: "nine of hearts" in card.locator(".position img").evaluate("e => e.alt"), director)
    card.get_by_role("button", name="the table").click()
    assert not card.locator(".position").count()
    phone = recorder(tables, windows, match)
    phone.page.get_by_role("button", name="Menu").click()
    phone.page.get_by_role("button", name="the table").click()
    phone.page.locator(".position img").wait_for()
    assert phone.page.locator(".position img").evaluate(shown)[:2] == [390, True]
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.rest
def test_a_season_opens_the_hands_worth_seeing(tables: Club, windows: Callable[..., Any]) -> None:
    """If this failed, a club would have figures, and nobody the hand that they came from."""
    match = tables.match("kaiser", seated("kaiser"), book="worth")
    # Marcel follows hearts with a spade, and has a heart in the next trick.
    for word in ("7", "pass", "pass", "pass", "h", "8h", "9s", "Jh", "Qh", "Ad", "8d", "9h"):
        assert tables.line(match, word).is_success, word
    assert tables.line(match, "end match agreed").is_success
    page = windows(tables.link("director"), viewport={"width": 1280, "height": 900})
    page.goto(f"{tables.address}/season?book=worth")
    hand = page.locator(".pictured li").first
    hand.scroll_into_view_if_needed()
    hand.locator(".position img").wait_for()
    assert hand.locator(".position img").evaluate("e => [e.naturalWidth, e.alt.includes('plays')]") == [390, True]
    assert hand.locator("a").get_attribute("href").startswith(f"/m/{match}#")
    assert axe(page) == []
