"""The sheet of an evening, and pads to write on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from io import BytesIO
from random import Random
from typing import Any

import pytest
from given import log
from msgspec.structs import replace
from pages import chips
from results import FIRST, hands
from sampling import each_game, seeds
from settling import fewest
from tables import tables

from events.errors import NotFoundError, UsageError
from events.model import Open, Recorded
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.model import State
from reducers.registry import PAGES, find_game
from reducers.scoring import HandScore
from reducers.sheet import Sheet
from reducers.words.sheets import Settlement
from replay.fold import fold
from replay.paper.blank import blank
from replay.paper.evening import balances, evening
from replay.paper.grids import drawn_sheet, merged_heads
from replay.paper.render import render, written_sheet
from replay.paper.sheet import sheet_of
from replay.paper.sheet_page import fields_of
from replay.redact import hide
from replay.simulate import simulate, simulate_breaches


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
    sheet = evening(
        "Friday",
        [sheet_of(hands(FIRST + "; @ end match time")), played("points.A=3 points.B=-3 points.C=0", Place="Hall")],
    )
    assert texts(sheet, "Results") == [
        ["Kaiser", "Ann & Carl 10 – Bea & Dora 0", "Ann & Carl"], ["Chips", "Ann 103 – Ben 97 – Cleo 100", "–"],
    ]  # fmt: skip
    # She has 103 chips of the hundred that everybody begins with.
    assert texts(sheet, "Players")[0] == ["Ann", "2", "1", "10", "3"]
    assert ["Dora", "1", "0", "0", ""] in texts(sheet, "Players")
    assert (sheet.head.event, sheet.head.place, sheet.head.terms) == ("Friday", "Hall", "2 matches")


def test_chips_that_everybody_begins_with_are_not_added_up() -> None:
    """If this failed, a player of two matches would have the stack twice."""
    sheet = evening(
        "Friday",
        [
            played("points.A=3 points.B=-3 points.C=0"), played("points.A=-5 points.B=5 points.C=0"),
            played("points.A=0 points.B=0 points.C=0"),
        ]
    )
    assert texts(sheet, "Players") == [["Ann", "3", "0", "−2"], ["Ben", "3", "0", "2"], ["Cleo", "3", "0", "0"]]


def test_what_the_table_wrote_otherwise_is_said_once_more() -> None:
    sheet = evening("Friday", [sheet_of(hands(FIRST + "; @ claim NS=11"))])
    assert sheet.remarks[0].startswith("† Kaiser: Hand 1: the table wrote 11 for Ann & Carl")
    assert sheet.remarks[-1] == "Not finished: Kaiser, Ann & Carl – Bea & Dora."


def test_an_evening_goes_by_its_own_name() -> None:
    """If this failed, the sheet on the wall would be headed "home"."""
    one, other = (
        replace(played("points.A=1 points.B=-1 points.C=0"), facts=(("Event", event), ("Table", event[1])))
        for event in ("Saturday", "Sunday")
    )
    assert [
        evening("home", sheets).head.event for sheets in ([one], [one, one], [one, other], [])
    ] == ["Saturday", "Saturday", "home", "home"]


def test_an_end_by_agreement_is_said_once() -> None:
    """If this failed, a sheet would end with "by agreement (agreed)"."""
    ended = sheet_of(hands(FIRST + "; @ end match agreed"))
    assert ended.head.verdict.endswith(", ended by agreement")
    assert "no more time" in sheet_of(hands(FIRST + "; @ end match agreed {no more time}")).head.verdict


def test_an_evening_without_matches_or_in_every_format() -> None:
    for sheet in (evening("x", []), evening("x", [played("points.A=1 points.B=-1 points.C=0")])):
        for form in ("text", "csv", "md", "html"):
            assert render(sheet, form)
    table = render(evening("x", [played("points.A=1 points.B=-1 points.C=0")]), "csv").splitlines()
    assert [line for line in table if line.startswith("Players,")] == [
        "Players,player,matches,won,Chips", "Players,Ann,1,0,1", "Players,Ben,1,0,-1", "Players,Cleo,1,0,0",
    ]


@each_game(PAGES, short=3)
def test_a_pad_is_the_games_own_sheet_with_nothing_on_it(game: str) -> None:
    """For every number of players: the columns of a sheet, a line for each name, and in the cells what is known
    before the first card."""
    for size in find_game(game).seating.sizes:
        pad, begun = blank(game, size), find_game(game).sheet(
            begin({"Game": game, "Seats": " ".join(find_game(game).seating.sizes[size])}), Sheet("", (), ()),
        )
        assert len(pad.head.sides) == len(
            begin({"Game": game, "Seats": " ".join(find_game(game).seating.sizes[size])}).terms.sides
        )
        for own, there in zip(pad.blocks, begun.blocks, strict=False):
            assert (own.heading, own.form, len(own.columns)) == (there.heading, there.form, len(there.columns))
            assert [(c.head, c.role) for c in own.layout] == [(c.head, c.role) for c in there.layout]
        written = [cell.text for block in pad.blocks for row in block.rows for cell in row.cells[1:]]
        assert not {"?", "–", "0"} & set(written)
        assert not any("player" in text for text in written)
        assert (pad.remarks, pad.facts) == ((), (("Game", find_game(game).name),))
        page = render(pad, "html")
        # A name stands in a head only for a reader of the text or of a table of data.
        assert "player" not in page
        assert "<span>Date</span><span>Place</span>" in page


@pytest.mark.parametrize(
    ("game", "players", "hands", "known"),
    [
        ("pay-me", 5, 11, ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]), ("calabrasella", 3, 12, [""] * 12),
        ("bridge-solitaire", 2, 8, []), ("pontoon", 10, 24, [""] * 24), ("xeri", 2, 3, [""] * 3),
        ("kaiser", 4, 27, [""] * 27), ("scopa", 2, 13, [""] * 13),
    ],
)  # fmt: skip
def test_a_pad_has_a_row_for_each_hand(game: str, players: int, hands: int, known: list[str]) -> None:
    """Of a match, or as many as there is room for; what is known of a hand beforehand is printed."""
    rows = [row.cells for row in blank(game, players).blocks[-1].rows if row.cells[0].text.isdecimal()]
    assert [cells[0].text for cells in rows] == [str(n) for n in range(1, hands + 1)]
    assert [cells[1].text for cells in rows] == known or not known


def test_the_parts_of_a_pad_and_its_chalk_are_printed() -> None:
    (burraco,) = blank("burraco").blocks
    part = [
        "Hand 1", "clean burracos", "dirty burracos", "closing", "pozzetto not taken", "cards laid", "left in hand",
        "hand", "total",
    ]
    assert [row.cells[0].text for row in burraco.rows[:9]] == part
    slate, hands = blank("couillon").blocks
    assert [[cell.mark for cell in row.cells[1:]] for row in slate.rows] == [["line", "line"]] * 5 + [["", ""]]
    assert [row.cells[0].text for row in hands.rows[:2]] == ["1", "2"]
    assert "<span>We</span><span>They</span>" in render(blank("tresette"), "html")
    assert "<span>We</span>" not in render(blank("yaniv"), "html")


def test_a_pad_says_what_each_column_is_and_fills_its_page() -> None:
    """If this failed, a player would write a hand into the line of the totals, or find no room for a name."""
    assert [block.heading for block in blank("xeri").blocks[1:]] == [f"Match {n}" for n in range(2, 6)]
    assert len(blank("pay-me").blocks) == len(blank("scopa").blocks) == 1
    assert sum(row.kind == "part" for row in blank("burraco").blocks[0].rows) == 4
    assert [row.cells[0].text for row in blank("pay-me").blocks[0].rows][4] == "so far"
    assert fields_of(blank("scopa")) == ["Date", "Place", "A", "B"]
    assert fields_of(blank("tresette")) == ["Date", "Place", "We", "They"]
    ((grid,),) = [drawn.wide for drawn in drawn_sheet(blank("kaiser"))[0]]
    assert [(head, sub, span) for head, sub, span in merged_heads(grid, joined=True) if span != 1] == [
        ("WE", "hand · total", 2), ("", "", 0), ("THEY", "total · hand", 2), ("", "", 0),
    ]


def test_a_pad_is_one_page_for_any_number_of_players() -> None:
    pypdf, _ = pytest.importorskip("pypdf"), pytest.importorskip("typst")
    for game, players in (
        ("pontoon", 10), ("jersey-gin", 3), ("dingo", 4), ("pay-me", 8), ("bridge-solitaire", 2), ("tute", 4),
    ):
        (page,) = pypdf.PdfReader(BytesIO(written_sheet(blank(game, players), "pdf"))).pages
        text = page.extract_text()
        assert "Date" in text
        assert "player" not in text
        assert "scorer" not in text


def test_no_pad_for_a_table_that_the_game_does_not_have() -> None:
    with pytest.raises(UsageError, match="not for 9 players"):
        blank("kaiser", 9)
    with pytest.raises(NotFoundError):
        blank("nothing")


def test_a_tie_of_all_is_nobodys_win_and_some_may_win_together() -> None:
    tie = sheet_of(log("pad", "A hand 1\n@ tally points.A=3 points.B=3\n@ end match", A="Ann", B="Ben"))
    together = sheet_of(
        log(
            "pad", "A hand 1\n@ tally points.A=3 points.B=3 points.C=1\n@ end match", Seats="A B C", A="Ann", B="Ben",
            C="Cleo",
        )
    )
    one = evening("Friday", [tie, together])
    assert [row[2] for row in texts(one, "Results")] == ["–", "Ann and Ben"]
    assert [row[:3] for row in texts(one, "Players")] == [["Ann", "2", "1"], ["Ben", "2", "1"], ["Cleo", "1", "0"]]


def test_chips_are_carried_from_match_to_match() -> None:
    first, second = played("points.A=10 points.B=-10 points.C=0"), played("points.A=-14 points.B=10 points.C=4")
    one = evening("Friday", [first, second])
    assert texts(one, "From match to match: chips") == [
        ["Chips", "−10 (−10)", "10 (+10)", "0"], ["Chips", "0 (+10)", "−4 (−14)", "4 (+4)"],
    ]
    assert next(b.columns for b in one.blocks if b.heading.startswith("From match")) == ("after", "Ben", "Ann", "Cleo")
    assert texts(evening("Friday", [first]), "From match to match: chips") == []


def test_a_match_that_is_not_among_what_is_settled_is_named() -> None:
    open_ = played("points.A=10 points.B=-10")
    assert "Not among what is to settle: Chips, where not every total is known." in evening(
        "Friday", [played("points.A=3 points.B=-3 points.C=0"), open_],
    ).remarks


# With two hands of a rake, what went to the house is missing between the seats.
RAKED = """D hand 1
@ deal up board=6c5d banker=Qd
A bet 10 >6c
D play 6h <stock
@ end hand no-bets
D hand 2
@ deal up board=6c5d banker=Qd
B bet 9 >6c
D play Qh <stock
"""


def test_the_share_of_the_house_is_paid_to_the_house() -> None:
    one = sheet_of(log("ziginette", RAKED, Seats="A B C D", A="Ann", B="Ben", option={"rake": 20, "chips": 100}))
    # Ann lost ten, of which two went to the house; Ben won nine.
    assert texts(one, "To settle") == [["Ann", "Ben", "9"], ["Ann", "the house", "1"], ["D", "the house", "1"]]
    assert balances([one, one], "chips") == {"Ann": -20, "Ben": 18, "D": -2, "the house": 4}


CHIPS = sorted(game for game in PAGES if isinstance(find_game(game).sheet, Settlement))


def seen_at_every_event(records: Sequence[Recorded]) -> Iterator[State[Any]]:
    """The state after each event."""
    opening = records[0].event
    assert isinstance(opening, Open)
    state = begin(opening.facts)
    for record in records[1:]:
        state.at = record.n
        evolve(state, record.event)
        yield state


def in_all(score: HandScore) -> int | None:
    """What all seats have won together, with what went to the house; None if that is not known."""
    house = sum(n or 0 for line in score.lines if line.label == "house" for n in line.amounts.values())
    known = [n for n in score.points.values() if n is not None]
    return sum(known) - house if len(known) == len(score.points) else None


@pytest.mark.parametrize("seed", seeds(2, 60))
@pytest.mark.parametrize("game", CHIPS)
def test_the_chips_of_a_table_come_to_nothing_after_every_event(game: str, seed: int) -> None:
    """If this failed, chips would come from nowhere, whichever seat banks, or be lost; every table of a game is
    asked in turn."""
    table = tables(game)[-seed % len(tables(game))]
    legal, wrong = simulate(game, seed=seed, hands=3, **table.terms), simulate_breaches(
        game, seed=seed, p=0.1, hands=3, **table.terms,
    )[0]
    known = 0
    for records in (legal, hide(legal), wrong, hide(wrong)):
        for state in seen_at_every_event(records):
            now = [in_all(state.game.score(state))] if state.number else []
            sums = now + [in_all(score) for score in state.scores]
            assert set(sums) <= {0, None}, (table.name, state.at, sums)
            known += 0 in sums
            had, has = state.game.match.new_match(state.terms).totals, state.standing.totals
            if None not in sums and None not in has.values() and state.settled:
                house = sum(
                    n or 0 for s in state.scores for line in s.lines if line.label == "house"
                    for n in line.amounts.values()
                )
                assert sum(n or 0 for n in has.values()) == sum(n or 0 for n in had.values()) + house
    assert known > 20


NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Flo")


def carried(sheet: Sheet) -> dict[str, int]:
    """What everybody has after the last match."""
    block = next(b for b in sheet.blocks if b.heading == "From match to match: chips")
    return {
        name: int(cell.text.split(" ")[0].replace("−", "-"))
        for name, cell in zip(block.columns[1:], block.rows[-1].cells[1:], strict=True)
    }


@pytest.mark.parametrize("seed", seeds(4, 200))
def test_chips_of_one_game_are_set_against_those_of_another(seed: int) -> None:
    """If this failed, an evening of Pontoon and Ziginette would be settled wrong, or with more payments than it
    takes; at any tables, with any of six players, who sit elsewhere in each match."""
    random, sheets, won = Random(seed), list[Sheet](), Counter[str]()
    small = [table for game in CHIPS if game != chips.KEY for table in tables(game) if len(table.seats) <= len(NAMES)]
    for i, table in enumerate(random.sample(small, random.randint(2, 4))):
        names = dict(zip(table.seats, random.sample(NAMES, len(table.seats)), strict=True))
        records = simulate(table.game, seed=f"{seed}/{i}", hands=3, names=names, **table.terms)
        sheets.append(sheet_of(records))
        state = fold(records)
        had, has = state.game.match.new_match(state.terms).totals, state.standing.totals
        won.update({names[seat]: (n or 0) - (had[seat] or 0) for seat, n in has.items()})
    won["the house"] = -sum(won.values())
    one = evening("Friday", sheets)
    if sum(bool(balances([sheet], "chips")) for sheet in sheets) > 1:
        assert {name: n for name, n in carried(one).items() if n} == {name: n for name, n in won.items() if n}
    payments, at_the_end = texts(one, "To settle"), list(won.values())
    assert len(payments) == fewest(at_the_end)
    for by, to, amount in payments:
        won[by] += int(amount)
        won[to] -= int(amount)
    assert set(won.values()) == {0}
