"""Several acts on one line: which words belong to which act, what is never parted, what is asked."""

from __future__ import annotations

import pytest
from given import given

from events.errors import NotationError
from events.writing import write_event
from replay.table.line_reader import SeveralMeaningsError
from replay.table.session import Session

GIN = "C hand 1\n@ deal A=10x?? B=10x?? C=10x??\n@ deal up discard=7c\n"
YANIV = "B hand 1\n@ deal A=5x?? B=5x??\n@ deal up discard=7h\n"
SCOPA = "B hand 1\n@ deal A=3x?? B=3x??\n@ deal up board=2s4d7d3d\n"
BANK = "B hand 1\n@ deal reserve:A=12x??6d col:A:1..4=7d8h3dKd stock:A=35x?? reserve:B=12x??5h col:B:1..4=2d7sQd4s stock:B=35x??\n"
SHOWN = (
    "C hand 1\n@ deal down A=?? B=?? C=??\nA bet 2\nB bet 3\nC deal up A=Th B=9h C=8s\nA pass\nB pass\nC show 8sTs\nC pass\n"
)
BURRACO = "W hand 1\n@ deal N=11x?? E=11x?? S=11x?? W=11x??\n@ deal down pozzetto:1=11x?? pozzetto:2=11x??\n@ deal up discard=Td\n"


def read(game: str, before: str, line: str) -> list[str]:
    seats = {"Seats": "A B C"} if game == "pontoon" else {}
    return [write_event(r.event) for r in Session(given(game, before, **seats).records).complete(line).events]


@pytest.mark.parametrize(
    ("game", "before", "line", "acts"),
    [
        # a trick, an auction
        ("kaiser", "", "7 . . . h", ["N bid 7", "E pass", "S pass", "W pass", "N name h"]),
        ("kaiser", "", "7 ... h c9ak8", ["N bid 7", "E pass", "S pass", "W pass", "N name h", "N play 9c", "E play Ac", "S play Kc", "W play 8c"]),
        # what a bare card does in this game, one card an act
        ("scopa", SCOPA, "4h", ["A capture 4h/4d"]),
        ("scopa", SCOPA, "4hjs2h", ["A capture 4h/4d", "B play Js", "A capture 2h/2s"]),
        # draws that go unwritten, the discard pile
        ("jersey-gin", GIN, "4s ts", ["A discard 4s", "B discard Ts"]),
        ("jersey-gin", GIN, "4s <9c", ["A discard 4s", "B draw 4s <discard", "B discard 9c"]),
        ("jersey-gin", GIN, "4s<9c", ["A discard 4s", "B draw 4s <discard", "B discard 9c"]),
        ("jersey-gin", GIN, "<9c", ["A draw 7c <discard", "A discard 9c"]),
        ("yaniv", YANIV, "7s kh<9d", ["A discard 7s", "B discard Kh", "B draw 7s <discard", "A discard 9d"]),
        ("yaniv", YANIV, "7s . kh", ["A discard 7s", "A draw ??", "B discard Kh"]),
        # fewer cards than a meld are single discards; as many are one act
        ("jersey-gin", GIN, "4sts", ["A discard 4s", "B discard Ts"]),
        # melds, lay-offs and a discard
        ("burraco", BURRACO, "<m4-6h mkcdh 9s", ["N draw Td <discard", "N meld 4h5h6h", "N meld KcKdKh", "N discard 9s"]),
        ("burraco", BURRACO, ".m4-6h kc", ["N draw ??", "N meld 4h5h6h", "N discard Kc"]),
        # columns by number, a card of the stock turned and thrown
        ("russian-bank", BANK, "3h.3d>8", ["B draw 3h <stock:B", "B discard 3h", "A move 3d <col:A:3 >col:B:4"]),
        ("russian-bank", BANK, "3h.3d>b4 6d>3", ["B draw 3h <stock:B", "B discard 3h", "A move 3d <col:A:3 >col:B:4", "A move 6d <reserve:A >col:A:3"]),
        # the open cards of a deal come first
        ("jersey-gin", "", "c7 4s ts", ["@ deal up discard=7c", "A discard 4s", "B discard Ts"]),
        ("yaniv", "", "7h 7s7c", ["@ deal up discard=7h", "A discard 7s7c"]),
        ("scopa", "", "s2d473 4h", ["@ deal up board=2s4d7d3d", "A capture 4h/4d"]),
        ("russian-bank", "", "d67h8d3kh5d2s7dqs4",
         ["@ deal reserve:A=12x??6d col:A:1..4=7d8h3dKd stock:A=35x?? reserve:B=12x??5h col:B:1..4=2d7sQd4s stock:B=35x??"]),
        # the same again
        ("pontoon", "C hand 1\n@ deal down A=?? B=?? C=??\n", "10 =", ["A bet 10", "B bet 10"]),
        ("pontoon", "C hand 1\n@ deal down A=?? B=?? C=??\nA bet 10\n", "=", ["B bet 10"]),
        # hands that are shown: one hidden card each
        ("pontoon", SHOWN, "kdqc", ["A show KdTh", "B show Qc9h"]),
        # a word of the game by its beginning
        ("yaniv", YANIV, "7s kh yan", ["A discard 7s", "B discard Kh", "A call yaniv"]),
    ],
)  # fmt: skip
def test_a_line_is_these_acts(game: str, before: str, line: str, acts: list[str]) -> None:
    assert read(game, before, line) == acts


@pytest.mark.parametrize("pile", ["8", "b4", "B4", "col:B:4", "COL:B:4", "Col:b:4"])
def test_a_pile_is_named_in_any_case(pile: str) -> None:
    """If this failed, a recorder in a hurry would be told that there is no such pile."""
    assert read("russian-bank", BANK, f"3h.3d>{pile}")[-1] == "A move 3d <col:A:3 >col:B:4"
    assert read("jersey-gin", GIN, "A DRAW 7c <DISCARD") == ["A draw 7c <discard"]


@pytest.mark.parametrize(
    ("game", "before", "line", "act"),
    [("jersey-gin", GIN + "A draw ??\n", "m 4s5d6s", "A meld 4s5d6s"), ("yaniv", YANIV, "9d9cJs", "A discard 9d9cJs")],
)
def test_a_wrong_meld_is_not_made_right_by_parting_it(game: str, before: str, line: str, act: str) -> None:
    """If this failed, three cards laid down wrongly would be recorded as the discards of three players."""
    draft = Session(given(game, before).records).complete(line)
    assert [write_event(r.event) for r in draft.events] == [act]
    assert draft.doubts


def test_a_number_is_not_parted() -> None:
    """If this failed, a stake that is too high would become the stakes of two players."""
    draft = Session(given("pontoon", "C hand 1\n@ deal down A=?? B=?? C=??\n", Seats="A B C").records).complete("27")
    assert [write_event(r.event) for r in draft.events] == ["A bet 27"]


def test_what_can_be_read_in_two_ways_is_asked_as_a_whole() -> None:
    """If this failed, a recorder would have to type a whole line again for one card of it."""
    session = Session(given("scopa", SCOPA).records)
    with pytest.raises(SeveralMeaningsError) as asked:
        session.complete("js qh")
    meanings = [[write_event(r.event) for r in draft.events] for draft in asked.value.drafts]
    assert sorted(meanings) == [["A play Js", "B capture Qh/3d4d2s"], ["A play Js", "B capture Qh/7d2s"]]


@pytest.mark.parametrize(
    ("game", "before", "line", "what"),
    [
        ("jersey-gin", GIN, "4s zz", "zz"),
        ("russian-bank", BANK, "3h.zz", "zz"),
        ("kaiser", "", "<", "nothing can be taken from a discard pile"),
        ("kaiser", "", "=", "nothing to do again"),
    ],
)
def test_the_word_that_is_wrong_is_named(game: str, before: str, line: str, what: str) -> None:
    with pytest.raises(NotationError, match=what):
        read(game, before, line)
