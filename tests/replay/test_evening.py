"""The sheet of an evening, and pads to write on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from given import log
from pages import chips
from results import FIRST, hands

from events.errors import NotFoundError, UsageError
from reducers.registry import PAGES
from reducers.sheet import Sheet
from replay.paper.blank import ROWS, blank
from replay.paper.evening import balances, evening
from replay.paper.render import render
from replay.paper.sheet import sheet_of


@pytest.fixture(autouse=True)
def pages() -> Iterator[None]:
    """The page of chips is registered while a test of this file runs, and no longer."""
    with chips.registered():
        yield


def played(*told: str, **tags: Any) -> Sheet:
    """The sheet of a game for chips, told hand by hand."""
    lines = "\n".join(f"A hand {i}\n@ tally {one}" for i, one in enumerate(told, 1))
    return sheet_of(log("chips", lines, Seats="A B C", A="Ann", B="Ben", C="Cleo", **tags))


def texts(sheet: Sheet, heading: str) -> Sequence[list[str]]:
    """The cells of a block."""
    return [[c.text for c in row.cells] for b in sheet.blocks if b.heading == heading for row in b.rows]


def test_what_is_owed_in_one_match_is_set_against_what_is_owed_in_another() -> None:
    """Ben owes Ann ten, and wins them back from her: nobody owes him, and he owes nobody."""
    first, second = played("points.A=10 points.B=-10 points.C=0"), played("points.A=-14 points.B=10 points.C=4")
    assert texts(first, "To settle") == [["Ben", "Ann", "10"]]
    assert balances([first, second], "chips") == {"Ben": 0, "Ann": -4, "Cleo": 4}
    assert texts(evening("Friday", [first, second]), "To settle") == [["Ann", "Cleo", "4"]]


def test_results_and_what_each_player_did() -> None:
    sheet = evening("Friday", [sheet_of(hands(FIRST + "; @ end match time")), played("points.A=3 points.B=-3 points.C=0", Place="Hall")])
    assert texts(sheet, "Results") == [
        ["Kaiser", "Ann & Carl 10 – Bea & Dora 0", "–"], ["Chips", "Ann 103 – Ben 97 – Cleo 100", "–"],
    ]  # fmt: skip
    assert texts(sheet, "Players")[0] == ["Ann", "2", "0", "10", "103"]
    assert ["Dora", "1", "0", "0", ""] in texts(sheet, "Players")
    assert (sheet.head.event, sheet.head.place, sheet.head.terms) == ("Friday", "Hall", "2 matches")


def test_what_the_table_wrote_otherwise_is_said_once_more() -> None:
    sheet = evening("Friday", [sheet_of(hands(FIRST + "; @ claim NS=11"))])
    assert sheet.remarks[0].startswith("† Kaiser: Hand 1: the table wrote 11 for Ann & Carl")
    assert sheet.remarks[-1] == "Not finished: Kaiser, Ann & Carl – Bea & Dora."


def test_an_evening_without_matches_or_in_every_format() -> None:
    for sheet in (evening("x", []), evening("x", [played("points.A=1 points.B=-1 points.C=0")])):
        for form in ("text", "csv", "md", "html"):
            assert render(sheet, form)


@pytest.mark.parametrize("game", sorted(PAGES))
def test_every_game_has_a_pad(game: str) -> None:
    """Its columns are what the result line asks, and a total for each side."""
    sheet = blank(game)
    block = sheet.blocks[0]
    assert len(block.rows) == ROWS
    assert block.columns[0] == "hand"
    assert [c for c in block.columns if c.endswith(" in all")]
    assert all(len(row.cells) == len(block.columns) for row in block.rows)
    assert 'class="sheet' in render(sheet, "html")


def test_the_columns_of_a_pad_stand_in_the_order_of_the_result() -> None:
    assert blank("kaiser").blocks[0].columns == ("hand", "declarer", "level", "trump", "tricks, we", "five", "three", "we in all", "they in all")
    assert blank("kaiser").remarks == ("In the order of the line that tells a hand afterwards: result declarer level trump tricks five three",)
    assert blank("yaniv", 3).blocks[0].columns[1:5] == ("caller", "total, A", "total, B", "total, C")
    with pytest.raises(UsageError, match="not for 9 players"):
        blank("kaiser", 9)
    with pytest.raises(NotFoundError):
        blank("nothing")
