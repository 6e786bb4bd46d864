"""Pictures of positions: the same drawing as in a page, in files that say what they should and nothing else."""

from __future__ import annotations

import itertools
import re
import sys
from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from given import log
from replays import EXAMPLES, doc_of, example, made_of, records_of
from sampling import a_few

from events.errors import UsageError
from events.model import Recorded
from replay.pictures.drawing import Drawing
from replay.pictures.raster import STANDS, STAYS, raster
from replay.pictures.type import text_width as width_of
from replay.viewer.bundle import STATIC
from replay.viewer.document import document

KAISER, SCOPA, PONTOON = example("kaiser-evening"), example("scopa-sunday"), example("pontoon-kitchen")
DINGO = example("dingo-lakewood")
SVG = "{http://www.w3.org/2000/svg}"
HEARTS, AMBER = (0xB3, 0x15, 0x2B), (0xA3, 0x5F, 0x00)


@pytest.fixture(scope="module", autouse=True)
def _extra() -> None:
    """What pictures are drawn with; it is in `pip install 'kibitz[pictures]'`."""
    for package in ("quickjs", "resvg_py", "PIL", "pymupdf_fonts"):
        pytest.importorskip(package, reason="no picture was drawn: a package of the extra `pictures` is missing")


def drawn(path: Path, n: int, width: int = 880, **how: Any) -> ElementTree.Element:
    """The picture after an event, taken apart."""
    return ElementTree.fromstring(Drawing(made_of(path), width, **how).svg(n))


def of_class(tree: ElementTree.Element, *names: str) -> list[ElementTree.Element]:
    """The elements that have all these classes."""
    return [one for one in tree.iter() if {*names} <= {*one.get("class", "").split()}]


def words(tree: ElementTree.Element) -> list[str]:
    """The lines of words on a picture."""
    return ["".join(text.itertext()).replace("\ufe0e", "") for text in tree.iter(f"{SVG}text")]


def pixels(data: bytes) -> tuple[tuple[int, int], Counter[tuple[int, int, int]]]:
    """The size of a picture, and how often each colour is in it."""
    from PIL import Image

    image = Image.open(BytesIO(data)).convert("RGB")
    return image.size, Counter({colour: n for n, colour in image.getcolors(1 << 24)})


def test_a_position_shows_its_cards_its_finding_and_what_it_is_of() -> None:
    """If this failed, a picture in a chat would not show what it was sent for."""
    tree = drawn(KAISER, 96)
    assert len(
        of_class(tree, "card", "back")
    ) == 7 + 7 + 6 + 5 + 3, "four hands, one with a card that is shown later, and tricks that were won"
    shown = [
        (one.find(f"{SVG}text").text, one.get("class")) for one in of_class(tree, "card")
        if one.find(f"{SVG}text") is not None
    ]
    assert Counter(shown) == Counter(
        [("8", "card seen diamond"), ("9", "card seen club now"), ("J", "card later diamond")]
    )
    assert len(of_class(tree, "ring")) == 1
    said = words(tree)
    for text in (
        "Doris", "118", "96. Doris plays the nine of clubs.", "! Doris: follow suit",
        "Kaiser: Valentine's evening · hand 3 of 8 · trick 2",
    ):
        assert text in said
    assert tree.get("aria-label") == "Kaiser, event 96: Doris plays the nine of clubs."


@pytest.mark.parametrize(("width", "said"), [(880, "penalty 2"), (390, "2")])
def test_what_lies_in_front_of_a_seat_is_drawn_beside_its_hand(width: int, said: str) -> None:
    """If this failed, the dingos that count against their players would be nowhere on the table while the hunts go
    on."""
    tree = drawn(DINGO, 43, width)
    assert words(tree).count(said) == 2
    shown = {}
    for one in of_class(tree, "card", "seen", "heart"):
        face = one.find(f"{SVG}text")
        assert face is not None
        shown[face.text] = tuple(map(float, re.findall(r"[-\d.]+", one.get("transform", ""))))
    # Rosa sits at the top and Hank at the right; her stack is at the right of her hand, his further in than his.
    assert shown["7"] < shown["K"]
    assert shown["7"][0] > width / 2
    backs = [
        tuple(map(float, re.findall(r"[-\d.]+", one.get("transform", "")))) for one in of_class(tree, "card", "back")
    ]
    assert max(x for x, y in backs if abs(y - shown["K"][1]) < 2) > shown["K"][0]


@pytest.mark.parametrize(
    "path", [p if p in (KAISER, SCOPA, PONTOON) else pytest.param(p, marks=pytest.mark.slow) for p in EXAMPLES],
    ids=lambda p: p.stem,
)
@pytest.mark.parametrize(("width", "dark"), [(880, False), (480, True)])
def test_every_example_is_drawn_within_its_edges(path: Path, width: int, dark: bool) -> None:
    """If this failed, a picture would cut a card, or need a page around it for its colours."""
    steps = [step["n"] for hand in doc_of(path)["hands"] for step in hand["steps"]]
    drawing = Drawing(made_of(path), width, dark=dark)
    for n in (steps[0], steps[len(steps) // 2], steps[-1]):
        text = drawing.svg(n)
        tree = ElementTree.fromstring(text)
        high = int(tree.get("height", "0"))
        assert tree.get("width") == str(width)
        assert "var(" not in text
        assert "http" not in text.replace('xmlns="http://www.w3.org/2000/svg"', "")
        for card in of_class(tree, "card"):
            x, y = map(float, re.findall(r"[-\d.]+", card.get("transform", "")))
            edge = next(card.iter(f"{SVG}rect"))
            assert x >= 0
            assert y >= 0
            assert x + float(edge.get("width", "0")) <= width
            assert y + float(edge.get("height", "0")) <= high
        grounds = [rect.get("fill") for rect in tree.findall(f"{SVG}rect")]
        assert grounds == (["#20281f", "#15171a"] if dark else ["#e6ebe3", "#f6f5f1"])


@pytest.mark.parametrize(
    ("name", "n", "width", "said", "unsaid"),
    [
        # What a hand came to stands on the table that it left empty, in every form of table.
        ("machiavelli-loggia", 82, 390, ["Nora +1 = 2", "Livio +0 = 0"], ["nothing laid"]),
        ("pay-me-kitchen", 72, 880, ["Rosa +40 = 405"], ["nothing laid"]),
        ("kowah-pendopo", 82, 390, ["Wati +1 = 2"], []),
        ("play-or-pay-cottage", 60, 390, ["Fay −13 = 6"], []),
        ("put-and-take-caravan", 62, 390, ["Uncle Ray +8 = 3"], []),
        ("russian-bank-sunday", 202, 880, ["Odile +43 = 134"], ["none"]),
        # Also while a last word may still be had, and before the cards are gathered.
        ("tresette-osteria", 47, 390, ["Nora & Silvana +2 = 2"], []),
        ("kaiser-evening", 221, 880, ["Olena & Walter +9 = 38", "4 tricks"], ["16 taken"]),
        # A long name leaves its score the room.
        ("put-and-take-caravan", 24, 390, ["Uncle Ray", "−2"], []),
        # What is at stake, and nothing twice.
        (
            "play-or-pay-cottage", 54, 880, ["hand 1 of 3 · between two hands", "pot 67"],
            ["hand 1 of 3 · between two hands · pot 67"],
        ),
        ("put-and-take-caravan", 24, 730, ["hand 1 of 4 · between two hands", "pot 0 as it was paid"], []),
        ("jersey-gin-porch", 64, 390, ["61", "nothing laid"], ["61 points · nothing laid"]),
        ("burraco-club", 187, 390, ["1100 points · 43 cards laid"], []),
        # Bets lie on their cards, and stand with those who made them.
        (
            "ziginette-bleecker", 10, 390,
            ["15", "5", "5\u00a0on\u00a07♣", "10\u00a0on\u00a07♣", "5\u00a0on\u00a03♦", "the bank"], ["dealt"],
        ),
        (
            "ziginette-bleecker", 10, 880,
            ["15", "5", "5\u00a0on\u00a07♣", "10\u00a0on\u00a07♣", "5\u00a0on\u00a03♦", "the bank", "limits 2 to 20"],
            ["dealt"],
        ),
        # A suit, or a card, that says nothing else is called what it is; what a table does not say stands below it.
        ("briscola-bar", 72, 880, ["trumps ♦"], ["♦"]),
        ("ecarte-dinant", 12, 880, ["trumps 9♣"], ["9♣"]),
        ("kaiser-evening", 96, 880, ["Olena & Walter 7 ♠", "Kaiser: Valentine's evening · hand 3 of 8 · trick 2"], []),
        ("pay-me-kitchen", 16, 880, ["Pay Me: Rosa – Walt – Dot · hand 1 of 11 · the draw · 3 wild"], []),
        # A card that was played has its player's name, also between columns.
        ("turnover-bridge-porch", 44, 390, ["Ruth", "Edwin"], []),
        # Piles that have no room beside them for their words have them below.
        ("russian-bank-sunday", 98, 390, ["stock 15", "discard pile", "8"], ["stock", "discard"]),
    ],
)  # fmt: skip
def test_a_table_says_what_is_to_be_known_of_it(
    name: str, n: int, width: int, said: list[str], unsaid: list[str],
) -> None:
    """If this failed, whoever looks at a table would look elsewhere for what it came to."""
    shown = words(drawn(example(name), n, width))
    assert [text for text in said if text not in shown] == []
    assert [text for text in unsaid if text in shown] == []


@pytest.mark.parametrize("path", a_few(EXAMPLES, 6), ids=lambda path: path.stem)
def test_whatever_happened_last_is_marked_on_the_table_and_piles_bear_the_numbers_that_are_said(path: Path) -> None:
    """If this failed, a spectator could not see which card was just laid, and on which meld."""
    doc = doc_of(path)
    drawing, unmarked = Drawing(made_of(path), 390), []
    for hand in doc["hands"]:
        piles = [
            *hand["frame"]["piles"].values(),
            *(pile for step in hand["steps"] for pile in step.get("change", {}).get("piles", {}).values() if pile),
        ]
        labels = {pile.get("label", "") for pile in piles}
        acts = [
            step for step in hand["steps"][1:] if step["by"].split(":")[0] in doc["seats"]
            and step["verb"] not in ("deal", "hand")
        ]
        for step in acts[:: max(1, len(acts) // 12)]:
            tree = ElementTree.fromstring(drawing.svg(step["n"]))
            if not of_class(tree, "just") and not of_class(tree, "ring"):
                unmarked.append((step["n"], step["says"]))
            shown = words(tree)
            for label in {*re.findall(r"\b[a-z]+ \d+\b", step["says"])} & labels:
                number = label.rpartition(" ")[2]
                assert any(re.match(rf"(?:{label}|{number})(?: |$)", text) for text in shown), (step["n"], label)
    assert unmarked == []


@pytest.mark.parametrize(
    ("name", "n", "width", "pile", "marked"),
    [
        # The card itself, on its meld, and of two equal ones the one that came; the number by which sentences
        # name the meld.
        ("burraco-club", 143, 880, "meld:NS:6", ["8h"]),
        ("russian-bank-sunday", 15, 390, "col:A:4", ["3h"]),
        ("kaiser-evening", 96, 390, "trick", ["9c"]),
    ],
)
def test_the_card_that_came_is_marked_and_its_pile_has_the_number_that_words_say(
    name: str, n: int, width: int, pile: str, marked: list[str],
) -> None:
    """If this failed, "adds the eight of hearts to their meld 6" would have to be searched for."""
    step = next(step for hand in doc_of(example(name))["hands"] for step in hand["steps"] if step["n"] == n)
    tree = drawn(example(name), n, width)
    group = next(one for one in tree.iter(f"{SVG}g") if one.get("data-pile") == pile)
    assert len(of_class(tree, "card", "now")) == len(of_class(group, "card", "now")) == len(marked)
    assert list(step["cards"]) == marked
    said = re.search(r"(?:meld|column) (\d+)", step["says"])
    assert said is None or any(re.match(rf"{said[1]}(?: ·|$)", text) for text in words(tree))


def test_what_is_said_at_the_table_stands_framed_at_the_name() -> None:
    tree = drawn(KAISER, 185, 880)
    framed = [one.get("y") for one in of_class(tree, "just")]
    assert len(framed) == 1
    assert "pass" in words(tree)


def test_long_names_are_shortened_before_anything_is_cut() -> None:
    """If this failed, a table would not say who made the contract, or for which pair."""
    long = dict(
        zip(
            "NESW",
            (
                "Maria Antonietta Bianchi", "Marie-Christine Beauchamp", "Alessandra De Santis",
                "Panagiotis Papadopoulos",
            ),
            strict=True,
        )
    )
    given = [
        msgspec.structs.replace(r, event=msgspec.structs.replace(r.event, facts={**r.event.facts, **long})) if r.n == 0
        else r for r in records_of(KAISER)
    ]
    doc = document(given)
    for width in (320, 390, 880):
        shown = words(ElementTree.fromstring(Drawing(doc, width).svg(96)))
        assert not [text for text in shown if "…" in text], width
        assert {"Maria & Alessandra", "Maria", "MAB & ADS"} & {*shown}, width
        assert width < 880 or "Maria & Alessandra 7 ♠" in shown


def test_a_proof_turns_the_card_of_the_accused_and_dims_those_it_rests_on() -> None:
    """If this failed, a proof by elimination would show the cards of everybody but the accused."""
    tricks = (
        "N As E 8s S 9h W 3s, N Tc E Qc S Kc W Ac, W Jh N Kh E 8h S Th, N Qs E Ks S Ad W Ts, S Ah W 7d N "
        "Kd E Qh, N 8d E 9c S 9d W 7c, S Jc W 8c N Qd E 9s, N Td E 5h S Js W Jd"
    )
    acts = [f"{seat} play {card}" for seat, card in re.findall(r"(\w) (\w\w)", tricks)]
    doc = document(log("kaiser", "\n".join(["N bid 6", "E pass", "S bid 7", "W pass", "S name d", *acts])))
    finding = next(f for f in doc["findings"] if f["by"] == "W" and f["verdict"] == "broken")
    own, others = [
        one for one in finding["shows"] if one["pile"] == "W"
    ], [one for one in finding["shows"] if one["pile"] != "W"]
    assert [(one["card"], one["n"] - one["known"]) for one in own] == [("Jd", 1)]
    assert len(others) == 4
    assert all(one["rests"] for one in others)
    tree = ElementTree.fromstring(Drawing(doc, 880).svg(finding["at"]))
    assert [
        one.get("class") for one in of_class(tree, "card", "later") if "dim" not in one.get("class", "")
    ] == ["card later diamond"]
    assert len(of_class(tree, "card", "later", "dim")) == 4
    assert f"{own[0]['known']}, {own[0]['n']}" in words(tree), "when it is known, and when it is shown"


def boxes(tree: ElementTree.Element) -> dict[str, list[tuple[float, float, float, float]]]:
    """Where the cards of each pile lie: left, top, right, bottom."""
    out: dict[str, list[tuple[float, float, float, float]]] = {}
    for group in tree.iter(f"{SVG}g"):
        for card in of_class(group, "card") if group.get("data-pile") else ():
            x, y = map(float, re.findall(r"[-\d.]+", card.get("transform", ""))[:2])
            edge = next(card.iter(f"{SVG}rect"))
            out.setdefault(group.get("data-pile", ""), []).append(
                (x, y, x + float(edge.get("width", "0")), y + float(edge.get("height", "0")))
            )
    return out


@pytest.mark.parametrize(
    ("name", "n", "width"),
    [
        ("mattis-evening", 160, 390), ("mattis-evening", 161, 390), ("mattis-evening", 160, 880),
        ("ziginette-bleecker", 10, 390),
    ]
)
def test_cards_of_the_middle_lie_clear_of_every_hand(name: str, n: int, width: int) -> None:
    """If this failed, cards that were played towards a seat would lie over its hand."""
    laid = boxes(drawn(example(name), n, width))
    middle = [box for pile in ("trick", "board") for box in laid.pop(pile, [])]
    assert middle
    for pile, others in laid.items():
        assert not [
            1 for a in middle for b in others if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
        ], pile


def test_columns_in_two_rows_fan_to_the_side_where_there_is_room() -> None:
    """If this failed, the cards of a wide table would shrink to what is left of its height."""
    tree = drawn(example("california-speed-beach"), 72, 880)
    cards = boxes(tree)["col:A:2"]
    assert [round(b - a) for a, _, b, _ in cards] == [50] * len(cards)
    assert len({y for _, y, _, _ in cards}) == 1
    # On a phone they lie downwards.
    assert len({x for x, *_ in boxes(drawn(example("california-speed-beach"), 72, 390))["col:A:2"]}) == 1


@pytest.mark.parametrize(
    ("name", "n", "width", "pile"),
    [
        ("myllymatti-sauna", 103, 880, "B"), ("myllymatti-sauna", 103, 390, "B"),
        ("california-speed-beach", 72, 390, "col:A:2"),
    ]
)
def test_no_card_covers_the_rank_of_another(name: str, n: int, width: int, pile: str) -> None:
    """If this failed, a ten could be taken for an ace, and a queen for nothing."""
    (group,) = [one for one in drawn(example(name), n, width).iter(f"{SVG}g") if one.get("data-pile") == pile]
    cards = list(of_class(group, "card"))
    for card, over in itertools.pairwise(cards):
        (x, y), (x2, y2) = (map(float, re.findall(r"[-\d.]+", one.get("transform", ""))[:2]) for one in (card, over))
        rank = next((text for text in card.iter(f"{SVG}text") if text.get("class") == "rank"), None)
        if rank is None or x2 < x:
            continue
        size, at = float(rank.get("font-size", "0")), float(rank.get("x", "0"))
        shown = "".join(rank.itertext())
        wide = float(rank.get("textLength") or width_of(shown, size, True))
        assert (at + wide <= x2 - x + 0.5) if x2 > x else float(rank.get("y", "0")) <= y2 - y, shown


def places(tree: ElementTree.Element, pile: str) -> list[tuple[float, float]]:
    """Where the cards of a pile lie."""
    (found,) = [one for one in tree.iter() if one.get("data-pile") == pile]
    return [
        (float(x), float(y)) for one in of_class(found, "card")
        for x, y in [re.findall(r"[\d.]+", one.get("transform", ""))[:2]]
    ]


@pytest.mark.rest
@pytest.mark.parametrize("width", a_few([390, 880], 1))
def test_what_lies_beside_each_other_keeps_its_place(width: int) -> None:
    """If this failed, piles would jump about as one goes from event to event, or the bank's card would pass for one
    of the board."""
    bank = example("russian-bank-sunday")
    before, after = (places(drawn(bank, n, width), "stock:A")[-1] for n in (97, 99))
    assert before == pytest.approx(after, abs=1), "a card was turned up beside it, and laid away"
    zetema = drawn(example("zetema-parlour"), 13, width)
    assert len({places(zetema, seat)[0][1] for seat in "NEW"}) == 1, "three hands in one row"
    for n in (4, 18):
        rows = [y for _, y in places(drawn(example("ziginette-bleecker"), n, width), "board")]
        assert max(rows) - min(rows) > 40, "the bank's card has a row of its own"


def test_nothing_that_a_record_says_becomes_part_of_the_drawing() -> None:
    """If this failed, a picture could do what the one who typed a name wants, or could not be opened."""
    nasty = "</text><script>alert(1)</script><image href='x'/>\"&lt;<!--\u202e"
    records = log(
        "kaiser",
        (
            "W hand 1\n@ deal hand:N=8x?? hand:E=8x?? hand:S=8x?? hand:W=8x??\nN pass\nE bid 7\nS pass\nW "
            "pass\nE name h\nN play As\n"
        ),
        N=nasty, Event=nasty,
    )
    tree = ElementTree.fromstring(Drawing(document(records), 880).svg(8))
    assert {one.tag.removeprefix(SVG) for one in tree.iter()} <= {
        "svg", "style", "rect", "g", "path", "text", "tspan", "line", "circle", "title",
    }
    assert any("</text><script>" in text for text in words(tree)), "it is shown as it was typed"


def test_what_a_viewer_may_not_see_is_not_in_the_picture() -> None:
    """If this failed, a picture for the public would show the hands."""
    records = log(
        "kaiser", "W hand 1\n@ deal hand:N=AsKsQsJsTs9s8s3s hand:E=8x?? hand:S=8x?? hand:W=8x??\nN pass\n", Event="x",
    )
    for viewer, seen in (("all", 8), ("N", 8), ("public", 0), ("E", 0)):
        tree = ElementTree.fromstring(Drawing(document(records, viewer), 880).svg(3))
        assert len(of_class(tree, "card", "spade")) == seen, viewer


@pytest.mark.rest
def test_a_position_in_pixels_has_its_cards_and_its_words() -> None:
    """If this failed, a bare machine would draw cards without ranks: it has no fonts of its own."""
    svg = Drawing(made_of(SCOPA), 880).svg(12)
    tree = ElementTree.fromstring(svg)
    with raster() as made:
        size, colours = pixels(made.png(svg))
        silent = re.sub(r"<text [^>]*>.*?</text>", "", svg)
        assert size == (1760, 2 * int(tree.get("height", "0")))
        assert colours[HEARTS] > 300
        for text in re.findall(r"<text [^>]*>.*?</text>", svg)[:2]:
            one = silent.replace("</svg>", f"{text}</svg>")
            assert pixels(made.png(one, 1)) != pixels(made.png(silent, 1)), f"no glyph for {text}"
        _, kaiser = pixels(made.png(Drawing(made_of(KAISER), 880).svg(96), 1))
    assert kaiser[AMBER] > 100, "the ring of the card that breaks a rule"


def test_there_are_glyphs_for_names_and_signs() -> None:
    """If this failed, a name would be a row of boxes."""
    from PIL import Image

    signs = "ОленаZoëΕλένη♣♦♥♠−…·∴–"
    texts = "".join(f'<text x="{40 * i + 5}" y="30">{sign}</text>' for i, sign in enumerate(f"\U000f0000{signs}"))
    with raster() as made:
        data = made.png(
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{40 * len(signs) + 40}" height="40" '
                f'font-family="FiraGO" font-size="20">{texts}</svg>'
            ),
            1,
        )
    image = Image.open(BytesIO(data)).getchannel("A")
    box, *cells = (image.crop((40 * i, 0, 40 * i + 40, 40)).tobytes() for i in range(len(signs) + 1))
    assert not [sign for sign, cell in zip(signs, cells, strict=True) if cell == box or not any(cell)]


@pytest.mark.rest
def test_a_hand_is_played_event_by_event() -> None:
    """If this failed, a GIF would jump, or leave out what happened."""
    from PIL import Image

    doc = document(
        tuple(
            log(
                "kaiser",
                (
                    "W hand 1\n@ deal hand:N=8x?? hand:E=8x?? hand:S=8x?? hand:W=8x??\nN pass\nE bid 7\nS "
                    "pass\nW pass\nE name h\nE play Ah\nS play 9h\n"
                )
            )
        )
    )
    drawing, events = Drawing(doc, 400), [1, 7, 8, 9]
    sizes = {ElementTree.fromstring(drawing.svg(n, whole=True)).get("height") for n in events}
    assert len(sizes) == 1
    with raster() as made:
        image = Image.open(BytesIO(made.gif(lambda n: drawing.svg(n, whole=True), events)))
    assert (image.format, image.n_frames, image.size) == ("GIF", len(events), (400, int(sizes.pop() or 0)))
    lasts, red, amber = [], [], []
    for i in range(len(events)):
        image.seek(i)
        lasts.append(image.info["duration"])
        shades = [(colour, n) for n, colour in image.convert("RGB").getcolors(1 << 24)]
        red.append(dict(shades).get(HEARTS, 0))
        amber.append(dict(shades).get(AMBER, 0))
    assert lasts == [STANDS] * (len(events) - 1) + [STAYS]
    assert red[-1] > red[-2] > red[0], "another heart lies on the table at each of the last two events"
    assert [n > 20 for n in amber] == [
        n == 8 for n in events
    ], "the ring of the card that breaks a rule is amber, and nothing else"


def test_the_modules_that_draw_know_nothing_of_a_page() -> None:
    """If this failed, the drawing would need a browser, and there would have to be a second one."""
    for name in (
        "data.js", "layout.js", "scene.js", "seating.js", "cross.js", "melds.js", "patience.js", "rows.js", "still.js",
        "pictures.js",
    ):
        source = re.sub(r"/\*.*?\*/|//.*", "", (STATIC / name).read_text(encoding="utf-8"), flags=re.S)
        assert not re.search(r"\b(document|window|location|navigator)\.", source), name


def test_a_picture_brings_all_that_the_style_says_of_cards() -> None:
    """If this failed, hearts would be black in a picture, or a finding have no ring."""
    picture = Drawing(made_of(KAISER), 480).svg(20)
    rules = re.findall(
        r"(\.cards?\b[^{}]*)\{([^}]*)\}",
        (STATIC / "viewer.css").read_text(encoding="utf-8").partition("@media print")[0],
    )
    assert len(rules) > 30
    for selector, said in rules:
        assert f"{selector}{{" in picture, selector
        if "var(" not in said:
            assert f"{selector}{{{said}}}" in picture


@pytest.mark.parametrize("package", ["quickjs", "pymupdf_fonts"])
def test_what_is_missing_is_named_with_how_to_install_it(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, somebody without the extra would see a traceback."""
    from replay.pictures import type as type_

    monkeypatch.setitem(sys.modules, package, None)
    for one in (type_.font, type_._measured_with):
        one.cache_clear()
    records: list[Recorded] = msgspec.convert(log("kaiser", "W hand 1\n"), list[Recorded])
    with pytest.raises(UsageError, match=r"kibitz\[pictures\]"):
        Drawing(document(records), 880).svg(1)
