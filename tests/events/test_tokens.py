"""Every token tells its kind by its spelling, and what people type reads as what they mean."""

from __future__ import annotations

from itertools import product

import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples

from events.cards import CARDS, JOKERS, check_cards, is_card, squeeze
from events.tokens import (
    CLASSES,
    MAX_INT,
    card_items,
    card_readings,
    classify,
    normal_name,
    squeezed,
    stored_pile,
    whole_number,
    written_pile,
)


def kinds(text: str) -> list[str]:
    return [kind for kind, spelling in CLASSES.items() if spelling.fullmatch(text)]


@pytest.mark.parametrize("length", [1, 2, 3])
def test_no_short_string_belongs_to_two_classes(length: int) -> None:
    """Were it otherwise, a strict line could be read in two ways."""
    letters = "A2TJhdowunp?#<>=_:-.*x1/+" if length == 3 else [chr(c) for c in range(33, 127)]
    for characters in product(letters, repeat=length):
        text = "".join(characters)
        assert len(kinds(text)) <= 1, text


@given(st.one_of([st.from_regex(spelling, fullmatch=True) for spelling in CLASSES.values()]))
@examples(600, deadline=None)
def test_no_member_of_a_class_belongs_to_another(text: str) -> None:
    """The same for long strings, drawn from each class in turn."""
    assert kinds(text) == [classify(text)]


@given(st.text("AKT27JohdsxNE?*#<>=_:.-+/$~", max_size=10))
@examples(800, deadline=None)
def test_no_string_of_the_alphabet_belongs_to_two_classes(text: str) -> None:
    """And for strings that belong to none, or barely to one."""
    assert len(kinds(text)) <= 1


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("7h", "cards"), ("7hTd??", "cards"), ("*", "cards"), ("*x??", "cards"), ("4x?h", "cards"),
        ("Jo=7h8h", "cards"), ("KcKdKh/4c5c6c", "cards"), ("7c/*", "cards"), ("#0", "ref"), ("#14", "ref"),
        ("14", "integer"), ("-3", "integer"), ("0", "integer"), ("N", "seat"), ("NS", "seat"), ("A:2", "seat"),
        ("A", "seat"), ("J", "seat"), ("e", "word"), ("last-card", "word"), ("up", "face"), ("down", "face"),
        ("<stock_", "from"), ("<N", "from"), (">meld:NS:2", "to"), (">7h", "to"), (">A:2", "to"), ("N=7h", "assign"),
        ("col:B:1..4=7hJc", "assign"), ("meld:5=-", "assign"), ("10h", ""), ("h7", "word"), ("-0", ""), ("007", ""),
        ("+5", ""), ("#x", ""), (">s", ""), ("Jo*", ""), ("1x??", ""), ("3x7h", ""), ("3x??=7h", ""), ("a.b", ""),
        ("7H", ""), ("<hand:N", ""), ("<stock..4", ""), ("", ""), ("٣", ""),
    ],
)  # fmt: skip
def test_kinds(text: str, kind: str) -> None:
    assert classify(text) == kind


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        # one card, either order, any case, glyphs
        ("7h", ["7h"]), ("h7", ["7h"]), ("10h", ["Th"]), ("h10", ["Th"]), ("10♥", ["Th"]), ("♥10", ["Th"]),
        ("th", ["Th"]), ("TH", ["Th"]), ("♠A", ["As"]), ("a♠️", ["As"]), ("q♢", ["Qd"]), ("kC", ["Kc"]),
        # unseen
        ("x", ["??"]), ("X", ["??"]), ("??", ["??"]), ("3x", ["3x??"]), ("3X", ["3x??"]), ("3x??", ["3x??"]),
        ("*x", ["*x??"]), ("*x??", ["*x??"]), ("7?", ["7?"]), ("?h", ["?h"]), ("h?", ["?h"]), ("?7", ["7?"]),
        ("1x", ["??"]), ("xx", ["2x??"]), ("????", ["2x??"]), ("2x7?", ["2x7?"]), ("2xt?", ["2xT?"]),
        ("7hx", ["7h", "??"]), ("7h3x", ["7h", "3x??"]), ("2x??3x", ["5x??"]), ("*", ["*"]),
        # jokers and cards that stand for others
        ("jo", ["Jo"]), ("Jo+", ["Jo+"]), ("JO-", ["Jo-"]), ("jo=7h", ["Jo=7h"]), ("jo=h10", ["Jo=Th"]),
        ("2d=7?", ["2d=7?"]), ("5hjo=6h7h", ["5h", "Jo=6h", "7h"]), ("j", ["J_"]), ("jd", ["Jd"]),
        # rank alone, runs
        ("9", ["9_"]), ("k", ["K_"]), ("10", ["T_"]), ("K", ["K_"]), ("9k", ["9_", "K_"]),
        ("c7ka9", ["7c", "K_", "A_", "9_"]), ("7h8hTd", ["7h", "8h", "Td"]), ("7h8d10s", ["7h", "8d", "Ts"]),
        ("h7d8", ["7h", "8d"]), ("c10ka", ["Tc", "K_", "A_"]), ("kh8", None), ("c7h9", ["7c", "9h"]),
        # a run by its ends, the ace below the two or above the king
        ("4-8h", ["4h", "5h", "6h", "7h", "8h"]), ("h4-6s9", ["4h", "5h", "6h", "9s"]), ("9-10♥", ["9h", "Th"]),
        ("4h-5h", ["4h", "5h"]), ("a-3s", ["As", "2s", "3s"]), ("hq-a", ["Qh", "Kh", "Ah"]),
        ("jo4-5c", ["Jo", "4c", "5c"]), ("5-7", ["5_", "6_", "7_"]),
    ],
)  # fmt: skip
def test_typed_cards(text: str, readings: list[str] | None) -> None:
    """Each way a card is typed at the table gives that card."""
    if readings is None:
        assert len(card_readings(text)) == 2
        assert card_items(text) is None
    else:
        assert card_readings(text) == [readings]
        assert card_items(text) == readings


@pytest.mark.parametrize("text", ["8-4h", "4h-8s", "4-4h", "4-", "-4h", "4-xh", "4-?h", "jo-+"])
def test_ends_without_a_run_between_them_are_not_cards(text: str) -> None:
    """If this failed, a slip of the finger would put cards on the table that nobody laid there."""
    assert card_readings(text) == []


@pytest.mark.parametrize(
    ("text", "readings"),
    [("7c8", [["7c", "8_"], ["7_", "8c"]]), ("7h8h9", [["7h", "8h", "9_"], ["7_", "8h", "9h"]])],
)
def test_a_run_that_reads_two_ways_is_read_both_ways(text: str, readings: list[list[str]]) -> None:
    """Nobody but the position can tell whose suit stands in the middle."""
    assert card_readings(text) == readings


@pytest.mark.parametrize(
    "text",
    ["", "stock", "h", "1", "0", "?", "7hz", "hh", "x=7h", "9=7h", "0x", "1000x", "3x7h8", "jo=", "jo=x", "７h", "٣h",
     "7ſ", "Kh",
     "é", "\ud800", "7h" * 5000, "**", "7h*", "-", "#", "3", "up"],
)  # fmt: skip
def test_what_is_no_card(text: str) -> None:
    """Anything else is none, or a list that is in normal form all the same."""
    for reading in card_readings(text):
        assert all("_" in c or c == "*" or squeeze([c]) for c in reading)
    if text not in ("3x7h8", "Kh", "3", "x=7h"):
        assert card_readings(text) == [] or text in ("7h*",)


@given(strategies.lists)
@settings(deadline=None)
def test_a_strict_run_reads_as_it_is_written(cards: tuple[str, ...]) -> None:
    """Also where a lenient reading would exist."""
    assert card_readings("".join(cards)) == [list(cards)]


@given(st.text("7a1t0jokqcdhsx?*=+-23♥", max_size=12))
@examples(600, deadline=None)
def test_readings_are_in_normal_form(text: str) -> None:
    """What is read needs no further tidying, but for suits that are missing."""
    for reading in card_readings(text):
        assert squeezed(reading) == reading
        if not any("_" in c for c in reading):
            check_cards(tuple(reading))


@given(st.lists(strategies.items, max_size=10))
def test_squeezed_agrees_with_squeeze(cards: list[str]) -> None:
    """Two functions bring a list to its one form: with holes let stand, and without holes."""
    assert tuple(squeezed(cards)) == squeeze(cards)


@given(strategies.piles)
def test_piles_have_two_spellings(pile: str) -> None:
    """A holding is `N` in text and `hand:N` in an event; nothing else changes."""
    assert stored_pile(written_pile(pile)) == pile


def test_whole_numbers() -> None:
    """Only digits of ASCII make numbers, and only up to the bound."""
    assert whole_number(str(MAX_INT)) == MAX_INT
    assert whole_number(str(-MAX_INT)) == -MAX_INT
    for text in ("", "-", "+", "1.0", "1e3", "٣", "²", str(MAX_INT + 1), "9" * 5000, " 1", "1_000"):
        assert whole_number(text) is None
    assert whole_number("0" * 5000 + "7") == 7


def test_every_card_is_named_as_itself() -> None:
    for card in (*CARDS, *JOKERS):
        assert normal_name(card) == normal_name(card.lower()) == card
        assert is_card(card)
