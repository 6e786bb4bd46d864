"""The forms of a sheet beside the ledger: columns that are added up, lines of chalk, and who pays whom."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from given import log
from hypothesis import given
from hypothesis import strategies as st
from pages import chips, slate
from sampling import examples
from settling import fewest, groups_at_most

from events.model import Recorded
from reducers.sheet import Block, Cell, Sheet
from reducers.words.debts import EXACTLY, fewest_payments, within
from reducers.words.sheets import Strokes
from replay.paper.grids import drawn_sheet
from replay.paper.render import render
from replay.paper.sheet import sheet_of


@pytest.fixture(autouse=True)
def pages() -> Iterator[None]:
    """The pages are registered while a test of this file runs, and no longer."""
    with slate.registered(), chips.registered():
        yield


def records(game: str, *hands: str, **tags: Any) -> list[Recorded]:
    """A match told hand by hand."""
    lines = (f"A hand {i}\n@ {told if told.startswith('end') else f'tally {told}'}" for i, told in enumerate(hands, 1))
    return log(game, "\n".join(lines), **tags)


def texts(block: Block, *, mark: str | None = None) -> list[list[str]]:
    """The cells of a block as texts, only those with this mark if one is named."""
    return [[c.text for c in row.cells if mark is None or c.mark == mark] for row in block.rows]


# -- chalk


def erased(a: int | str, b: int | str) -> str:
    """A hand in which A and B erase so many lines."""
    return f"lines.A={a} lines.B={b}"


NINE = (
    erased(1, 0), erased(1, 0) + " marks.B=1", erased(0, 1), erased(0, 0), erased(0, 2), erased(1, 0), erased(1, 0),
    erased(0, 1), erased(1, 0),
)  # fmt: skip
"""Nine hands: A erases its five lines; B has a line left, and the mark of the second hand on it."""


def nine() -> Sheet:
    """The sheet of these hands."""
    return sheet_of(records("slate", *NINE, A="An & Jef", B="Mia & Rik"))


def test_an_erased_line_says_which_hand_took_it_and_a_mark_stays_on_the_lowest() -> None:
    slate_, hands = nine().blocks
    assert slate_.columns == ("line", "An & Jef", "Mia & Rik")
    assert texts(slate_) == [
        ["1", "hand 1", "hand 3"], ["2", "hand 2", "hand 5"], ["3", "hand 6", "hand 5"], ["4", "hand 7", "hand 8"],
        ["5", "hand 9", "×"], ["left", "all erased", "1 line and a mark left"],
    ]  # fmt: skip
    assert [
        [c.mark for c in row.cells] for row in slate_.rows[3:5]
    ] == [["", "erased", "erased"], ["", "erased", "line"]]
    assert (hands.heading, len(hands.rows)) == ("Hands", 9)


def test_a_marked_line_takes_one_win_more() -> None:
    strokes = Strokes([0, 0], [])
    strokes.mark(2)
    strokes.erase(1, 1)
    assert strokes.left == Cell("1 line and 2 marks left")
    strokes.erase(2, 2)
    assert strokes.left == Cell("1 line left")
    strokes.erase(5, 3)
    assert (strokes.left, strokes.erased) == (Cell("all erased", "", "won"), [1, 3])
    strokes.mark(1)
    assert strokes.left.text == "all erased"


def test_what_is_not_known_of_one_hand_leaves_open_what_stands_after_it() -> None:
    block = sheet_of(records("slate", erased(1, 0), erased("x", 0), erased(1, 0), option={"lines": 3})).blocks[0]
    assert texts(block) == [["1", "hand 1", ""], ["2", "?", ""], ["3", "?", ""], ["left", "?", "3 lines left"]]
    assert [row.cells[1].mark for row in block.rows] == ["erased", "unknown", "unknown", "unknown"]


def test_a_void_hand_erases_nothing() -> None:
    block = sheet_of(records("slate", "end hand void", erased(0, 1), option={"lines": 2})).blocks[0]
    assert texts(block) == [["1", "", "hand 2"], ["2", "", ""], ["left", "2 lines left", "1 line left"]]


def test_strokes_of_chalk_are_drawn_in_every_format() -> None:
    sheet = nine()
    text = render(sheet, "text").splitlines()
    assert "5     ·· hand 9 ··  ━━━×━━━━" in text
    assert "| 5 | ~~hand 9~~ | ━━━×━━━━ |" in render(sheet, "md")
    rows = list(csv.reader(io.StringIO(render(sheet, "csv"))))
    assert ["9", "An & Jef", "lines", "1"] in [[row[0], *row[4:7]] for row in rows]
    page = render(sheet, "html")
    assert '<td class="m-erased"><span title="erased in hand 9">hand 9</span></td>' in page
    assert '<td class="m-line"><span title="stands ×">×</span></td>' in page


def test_a_slate_is_drawn_on_a_phone_as_on_paper() -> None:
    """If it were told line by line, a line that still stands would be missing there."""
    (slate_, _) = drawn_sheet(nine())[0]
    assert slate_.narrow == slate_.wide
    assert slate_.narrow[0].form == ""


# -- parts


def test_each_hand_is_a_part_with_a_rule_above_what_it_comes_to() -> None:
    """Every line of the score that is not nothing, the lines with a name of their own last, then the hand and the
    total."""
    lines = (
        "N hand 1\n@ tally melds.NS=315 melds.EW=360 left.NS=60 left.EW=95 clean.NS=0 clean.EW=0 "
        "dirty.NS=1 dirty.EW=0 closed=S pozzetto.NS=yes pozzetto.EW=yes\n@ claim EW=300\n"
    )
    block = sheet_of(
        log("burraco", lines, Seats="N E S W", Dealer="N", N="Ann", E="Bea", S="Carl", W="Dora", option={"target": 500})
    ).blocks[0]
    assert (block.form, block.columns) == ("parts", ("", "Ann & Carl", "Bea & Dora"))
    assert [row.kind for row in block.rows] == ["part", *[""] * (len(block.rows) - 3), "rule", ""]
    told = {row.cells[0].text: [c.text for c in row.cells[1:]] for row in block.rows[1:]}
    assert told["dirty burracos"] == ["100", ""]
    assert told["cards laid"] == ["315", "360"]
    assert told["left in hand"] == ["−60", "−95"]
    assert list(told)[-4:] == ["cards laid", "left in hand", "hand", "total"]
    assert told["hand"] == told["total"]
    assert block.rows[-1].cells[2].stated == "300"


# -- who pays whom


def test_who_pays_whom_stands_below_the_score() -> None:
    sheet = sheet_of(
        records("chips", "points.A=69 points.B=-19 points.C=-30 points.D=-20", Seats="A B C D", A="Maureen", C="Sheila")
    )
    score, settle = sheet.blocks
    assert texts(score)[-1] == ["total", "169", "81", "70", "80"]
    assert (settle.heading, settle.columns) == ("To settle", ("pays", "to", "chips"))
    assert texts(settle) == [["Sheila", "Maureen", "30"], ["D", "Maureen", "20"], ["B", "Maureen", "19"]]


@pytest.mark.parametrize(
    ("hands", "says"),
    [
        (
            ("points.A=69 points.B=-60",),
            "Wins and losses add up to +9, not to zero, so the payments are unknown.",
        ),
        (("points.A=69",), "Payments are unknown while a total is unknown."),
    ],
)
def test_nobody_is_told_to_pay_while_it_does_not_add_up(hands: Sequence[str], says: str) -> None:
    sheet = sheet_of(records("chips", *hands))
    assert [b.heading for b in sheet.blocks] == ["Score"]
    assert says in sheet.remarks


def test_nobody_owes_anything_and_nothing_is_said() -> None:
    sheet = sheet_of(records("chips", "points.A=5 points.B=-5", "points.A=-5 points.B=5"))
    assert [b.heading for b in sheet.blocks] == ["Score"]
    assert not sheet.remarks


def test_balances_that_do_not_cancel_out_are_refused() -> None:
    with pytest.raises(ValueError, match="add up to 2, not to zero"):
        fewest_payments({"A": 5, "B": -3})


balances = st.lists(st.integers(-40, 40), max_size=EXACTLY + 3).map(lambda ns: [*ns, -sum(ns)])


@examples(80, deadline=None)
@given(balances)
def test_after_the_payments_nobody_owes_anything(amounts: list[int]) -> None:
    """And they are fewer than the players, each goes from somebody who lost to somebody who won."""
    before = {f"P{i}": n for i, n in enumerate(amounts)}
    left, payments = dict(before), fewest_payments(before)
    for by, to, amount in payments:
        assert amount > 0
        assert before[by] < 0 < before[to]
        left[by] += amount
        left[to] -= amount
    assert not any(left.values())
    assert len(payments) <= max(0, sum(map(bool, amounts)) - 1)
    assert [p.amount for p in payments] == sorted((p.amount for p in payments), reverse=True)


@examples(80, deadline=None)
@given(st.lists(st.integers(-6, 6).filter(bool), max_size=7).map(lambda ns: [*ns, -sum(ns)]))
def test_no_fewer_payments_would_do(amounts: list[int]) -> None:
    """As many as the players less the groups that can settle among themselves; small amounts make many of these."""
    assert len(fewest_payments({f"P{i}": n for i, n in enumerate(amounts)})) == fewest(amounts)


TEN = (7, 6, -13, 5, 4, -9, 11, 3, -8, -6)
"""Three groups; to have the largest debt paid first, over and over, takes a payment more than they need."""


def test_three_groups_of_ten_players_are_found() -> None:
    balances = {f"P{i}": n for i, n in enumerate(TEN)}
    assert len(fewest_payments(balances)) == 10 - groups_at_most(TEN) == 7
    assert len(within(balances)) == 8


def test_who_neither_won_nor_lost_makes_the_table_no_larger() -> None:
    """Ten are settled with the fewest payments, however many others sit there."""
    assert len(TEN) < EXACTLY < len(TEN) + 4
    assert len(fewest_payments({f"P{i}": n for i, n in enumerate([*TEN, 0, 0, 0, 0])})) == 7
