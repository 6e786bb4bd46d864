"""What is typed at the table: every reading is kept, and nothing is decided that only the position can decide."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sampling import examples

from events.entries import ALIASES, SHORT, Entry, build_event, read_args, read_entries, read_entry, verb_named
from events.errors import KibitzError, NotationError
from events.model import VERBS, Call, Draw, Fix, Move, Play, Show
from events.tokens import Token
from events.verb_forms import FORMS, HINTS, SYNTAX

PARTNERS = "NESW"
MANY = "ABCDEFGHIJKL"


@pytest.mark.parametrize(
    ("seats", "line", "readings"),
    [
        (PARTNERS, "S 7h", ["S play 7h"]),
        (PARTNERS, "s 7h", ["S play 7h", "? show 7h"]),
        (PARTNERS, "7h", ["? play 7h"]),
        (PARTNERS, "s", ["? show"]),
        (PARTNERS, "S", ["S ?"]),
        (PARTNERS, "n", ["N ?"]),
        (PARTNERS, "e p", ["E pass"]),
        (PARTNERS, "p", ["? pass"]),
        (PARTNERS, "d", ["? draw"]),
        (PARTNERS, "n d", ["N draw"]),
        (PARTNERS, "d 7h", ["? draw 7h"]),
        (MANY, "d 7h", ["D play 7h", "? draw 7h"]),
        (MANY, "c stop", ["? call stop"]),
        (MANY, "c 7h", ["C play 7h"]),
        (MANY, "a 7h", ["A play 7h", "? arrange 7h", "? play A_ 7h"]),
        (MANY, "a", ["? play A_"]),
        (MANY, "A", ["A ?"]),
        ((), "A", ["? play A_", "A ?"]),
        (PARTNERS, "t", ["? discard", "? play T_"]),
        (PARTNERS, "t 7h", ["? discard 7h", "? play T_ 7h"]),
        (PARTNERS, "c7ka9", ["? play 7cK_A_9_"]),
        (PARTNERS, "7c8", ["? play 7c8_", "? play 7_8c"]),
        (PARTNERS, "9 k", ["? play 9_ K_"]),
        (PARTNERS, "x", ["? play ??"]),
        (PARTNERS, "pl", ["? play"]),
        (PARTNERS, "hand", ["? hand"]),
        (PARTNERS, "fix 15-", ["? fix #15-"]),
        (PARTNERS, "fix 15 Jh", ["? fix 15 ? play Jh"]),
        (PARTNERS, "fix 15+ s jh", ["? fix #15+ S play Jh", "? fix 15+ ? show Jh"]),
        (PARTNERS, "layoff 8c >2", ["? meld 8c >2"]),
        (PARTNERS, "void", ["? end hand void"]),
        (PARTNERS, "move 3d s", ["? move 3d >S"]),
        (PARTNERS, "move 3d", ["? move 3d"]),
        (PARTNERS, "S move 3d >e", ["S move 3d >E"]),
        (PARTNERS, "S move 3d >won:ns", ["S move 3d >won:NS"]),
        (PARTNERS, "ns claim 5", ["NS claim 5"]),
        (PARTNERS, "N:2 draw up Tc", ["N:2 draw up Tc"]),
        (PARTNERS, "n:2 draw up tc", ["N:2 draw up Tc"]),
        (PARTNERS, "call revoke e 14", ["? call revoke e 14", "? call revoke 14 E"]),
        (PARTNERS, "B play 7h", ["B play 7h"]),
        (PARTNERS, "@ gap 3", ["@ gap 3"]),
        (PARTNERS, "12. & S play Kh ~3 $1 {late}", ["S play Kh"]),
    ],
)
def test_readings(seats: str, line: str, readings: list[str]) -> None:
    """All ways to take a line, and no others; a capital seat is always the actor."""
    assert [str(e) for e in read_entries(line, seats=seats, sides=("NS", "EW") if seats else ())] == readings


def test_an_entry_says_what_it_knows() -> None:
    (entry,) = read_entries("c7ka9", seats=PARTNERS)
    assert (entry.by, entry.verb, entry.bare, entry.event, entry.draft) == (None, "play", True, None, None)
    assert entry.args[0].cards == (("7c", "K_", "A_", "9_"),)
    assert entry.args[0].holes
    (entry,) = read_entries("7h ! {late} ", seats=PARTNERS)
    assert entry.as_played
    assert entry.text == "late"
    assert entry.draft == Play(by="@", cards=("7h",))
    assert entry.raw == "7h ! {late} "


def test_an_entry_with_everything() -> None:
    entry = read_entry(
        "12. & S play Kh ! ~3.5 $1 $2 {late [%t 2026-03-14T20:05:11Z] [%by Anna] [%key k]}", seats=PARTNERS
    )
    assert entry == Entry(
        by="S", verb="play", args=entry.args, n=12, same=True, t=3500, glyphs=(1, 2), text="late",
        time="2026-03-14T20:05:11Z", recorder="Anna", key="k", as_played=True, raw=entry.raw,
        event=Play(by="S", cards=("Kh",)),
    )  # fmt: skip
    assert entry.args == (Token(text="Kh", column=14, kinds=("cards",), cards=(("Kh",),)),)


def test_a_fix_holds_its_event_as_an_entry() -> None:
    (entry,) = read_entries("fix 15 Jh", seats=PARTNERS)
    assert entry.inner is not None
    assert (entry.verb, entry.args[0].text, entry.inner.verb, entry.inner.bare) == ("fix", "15", "play", True)
    (entry,) = read_entries("@ fix #15 S play Jh", seats=PARTNERS)
    assert entry.event == Fix(by="@", at=15, how="replace", event=Play(by="S", cards=("Jh",)))


def test_a_dot_is_an_entry_of_its_own() -> None:
    (entry,) = read_entries(" . {as before}", seats=PARTNERS)
    assert (entry.verb, entry.by, entry.args[0].text, entry.text) == (None, None, ".", "as before")


def test_the_letters_for_verbs() -> None:
    for short, verb in SHORT.items():
        assert verb_named(short) == verb_named(short.upper()) == verb
    for alias, verb in ALIASES.items():
        assert verb_named(alias) == verb
    for verb in VERBS:
        assert verb_named(verb) == verb
        assert {verb_named(verb[:i]) for i in range(1, len(verb))} <= {verb, "", *SHORT.values()}
    assert verb_named("\u212a") == ""


def test_a_line_that_reads_two_ways_shows_both() -> None:
    with pytest.raises(NotationError, match=r"2 ways: 'S play 7h'; or '\? show 7h'"):
        read_entry("s 7h", seats=PARTNERS)


@pytest.mark.parametrize(
    ("line", "column", "words"),
    [
        ("zz", 1, "'zz' is not a verb"), ("dis 7h", 1, "discard or dispute"), ("", 1, "nothing is written"),
        ("  ", 1, "nothing is written"), ("S play Kz", 8, "'Kz' does not fit 'play'"), ("S call", 7, "lacks a word"),
        ("S 7h {x", 6, "not closed"), ("S bet x", 7, "does not fit 'bet'"),
        ("@ claim 54 48", 12, "Possible here: key=value"),
        ("S bet 4 5", 9, "Possible here: a card, seat or pile after >"), ("!", 2, "nothing is written"),
        ("7h" * 20000, 1, "too long"), ("S play K\x00", 9, "U+0000"), ("\ud800", 1, "U+D800"),
    ],
)  # fmt: skip
def test_lines_without_a_reading(line: str, column: int, words: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_entries(line, seats=PARTNERS)
    assert caught.value.column == column
    assert words in str(caught.value)


def test_build_fills_what_the_position_gives() -> None:
    """The reading of a card whose suit was left out is filled in and built."""
    assert build_event(
        "S", "play", [Token(text="9", kinds=("cards",), cards=(("9h",),))],
    ) == Play(by="S", cards=("9h",))
    assert build_event("S", "draw", read_args("up 7h <B")) == Draw(by="S", cards=("7h",), face="up", src="hand:B")
    assert build_event("S", "move", read_args("* <col:A:1..4 >stock:A_")) == Move(
        by="S", cards=("*",), src="col:A:1..4", to="stock:A_"
    )
    assert build_event("N", "call", read_args("revoke e #14"), seats=PARTNERS) == Call(
        by="N", word="revoke", what="e", refs=(14,)
    )
    who = Token(text="e", kinds=("seat",))
    assert build_event("N", "call", [Token(text="revoke"), who], seats=PARTNERS) == Call(by="N", word="revoke", who="E")
    assert build_event("N", "show", read_args("2hAs7s")) == Show(by="N", groups=(("2h", "As", "7s"),))


@pytest.mark.parametrize(
    ("by", "verb", "args", "words"),
    [
        ("S", "dance", "", "not a verb"), ("s", "play", "7h", "not an actor"), ("S", "play", "", "lacks cards"),
        ("S", "play", "9", "left open"), ("@", "fix", "", "lacks the number"), ("@", "fix", "#3 S play 9", "left open"),
        ("S", "play", "7h 7", "play [up|down] cards [<pile]"),
    ],
)  # fmt: skip
def test_build_refuses(by: str, verb: str, args: str, words: str) -> None:
    with pytest.raises(NotationError) as caught:
        build_event(by, verb, read_args(args))
    assert words in str(caught.value)


def test_read_args_takes_words_only() -> None:
    for text in ("7h {x}", '"open'):
        with pytest.raises(NotationError):
            read_args(text)


def test_every_verb_has_its_help() -> None:
    """One table: a verb without a form could be neither written nor read."""
    assert SYNTAX.keys() == FORMS.keys() == VERBS.keys()
    assert SYNTAX["play"] == "play [up|down] cards [<pile]"
    assert SYNTAX["call"] == "call word [what] [amount] [seat] [cards] [#number…]"
    for verb, forms in FORMS.items():
        fields = set(VERBS[verb].__struct_fields__)
        for form in forms:
            assert {slot.attr for slot in form} <= fields
            assert {slot.kind for slot in form} <= HINTS.keys()


@given(st.text(max_size=60), st.sampled_from([(), PARTNERS, MANY]))
@example("\ufe0e", ())  # says how the sign before it is drawn; there is none
@example("N 7h \ufe0f", PARTNERS)
@examples(500, deadline=None)
def test_any_line(line: str, seats: str) -> None:
    """Whatever is typed is read or refused in our own words."""
    try:
        found = read_entries(line, seats=seats)
    except KibitzError:
        return
    assert found
    for entry in found:
        assert str(entry)


@given(st.lists(st.sampled_from(["s", "e", "7h", "9", "c7ka9", "7c8", "x", "call", "c", "t", "fix", "15", "15+", "#3",
                                 ">2", ">s",
                                 "<b", "a=1", "n=7h", "up", "/", "7h/8h", "!", "&", "~3", "$1", "@", "NS", "p", "-",
                                 "meld"]),
                max_size=12))  # fmt: skip
@examples(800, deadline=None)
def test_any_words(words: list[str]) -> None:
    """Nor do words of the table in any order bring anything but readings or a refusal."""
    for seats in ((), PARTNERS, MANY):
        try:
            found = read_entries(" ".join(words), seats=seats)
        except KibitzError:
            continue
        assert 1 <= len(found) <= 24
        assert all(str(entry) for entry in found)
