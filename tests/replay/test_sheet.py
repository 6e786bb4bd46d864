"""The sheet as data: what every game's sheet has around the page's own blocks."""

from __future__ import annotations

import pytest
from given import log
from results import FIRST, SECOND, THIRD, UNKNOWN, hands

from events.model import Recorded
from reducers.sheet import Block, Sheet
from replay.sheet import CLAIMS, THREE_WAYS, sheet_of
from replay.simulate import simulate


def fact(sheet: Sheet, name: str) -> str:
    """The value of a fact, empty if it is not there."""
    return dict(sheet.facts).get(name, "")


def block(sheet: Sheet, heading: str) -> Block:
    """The block with this heading."""
    return next(b for b in sheet.blocks if b.heading == heading)


def test_the_head_names_players_terms_and_result() -> None:
    records = log(
        "kaiser", f"@ hand 1\n{FIRST}", N="Ann", E="Bea", S="Carl", W="Dora", Event="Thursday", Site="Curling Club",
        Date="2026-03-14", Match="kaiser-4f7k2m", option={"target": 10, "all_pass": "dealer_forced"},
    )  # fmt: skip
    sheet = sheet_of(records)
    assert sheet.title == "Kaiser: Ann & Carl – Bea & Dora"
    assert fact(sheet, "Players") == "N Ann, E Bea, S Carl, W Dora"
    assert [fact(sheet, n) for n in ("Event", "Site", "Date")] == ["Thursday", "Curling Club", "2026-03-14"]
    assert fact(sheet, "House rules") == "target 10, all pass dealer forced"
    assert (fact(sheet, "Hands"), fact(sheet, "Match")) == ("1", "kaiser-4f7k2m")
    assert fact(sheet, "Result") == "Ann & Carl won 10 : 0"


def test_usual_terms_are_not_spelled_out() -> None:
    assert fact(sheet_of(hands(FIRST)), "House rules") == ""


def test_results_of_matches_that_nobody_won() -> None:
    assert fact(sheet_of(hands(FIRST)), "Result") == "not finished; Ann & Carl 10 – Bea & Dora 0"
    ended = fact(sheet_of(hands(FIRST + "; @ end match time")), "Result")
    assert ended == "no winner, ended by agreement (time); Ann & Carl 10 – Bea & Dora 0"
    # Who has the five of hearts decides between two scores, and between made and failed.
    assert fact(sheet_of(hands(UNKNOWN)), "Result") == "not finished; Ann & Carl −5..10 – Bea & Dora 0..5"


def test_without_claims_there_is_no_block_for_them() -> None:
    assert [b.heading for b in sheet_of(hands(FIRST, SECOND)).blocks] == ["Score"]


def test_claimed_beside_computed() -> None:
    sheet = sheet_of(hands(FIRST + "; @ claim NS=10 EW=0; NS confirm", SECOND + "; @ claim NS=13 EW=8", THIRD + "; @ claim NS=4 EW=9"))
    claims = block(sheet, CLAIMS)
    assert claims.columns == ("hand", "NS", "NS computed", "NS off by", "EW", "EW computed", "EW off by", "compared", "confirmed")
    rows = [[c.text for c in row.cells] for row in claims.rows]
    assert rows[0] == ["1", "10", "10", "0", "0", "0", "0", "agrees", "NS"]
    assert rows[1] == ["2", "13", "13", "0", "8", "7", "+1", "differs", "–"]
    assert rows[2] == ["3", "4", "4", "0", "9", "8", "+1", "carried on", "–"]
    marks = [[c.mark for c in row.cells] for row in claims.rows]
    assert marks[1][4] == "wrong"
    assert claims.rows[1].cells[4].sum == "0 + 8 = 8"
    assert claims.rows[1].cells[5].sum == "0 + 7 = 7"
    assert marks[2][4] == "claimed"
    assert any("0 + 8 = 8" in r and "0 + 7 = 7" in r and "Hand 3 carries it on." in r for r in sheet.remarks)


def test_columns_appear_where_they_say_something() -> None:
    plain = block(sheet_of(hands(FIRST + "; @ claim NS=10")), CLAIMS)
    assert plain.columns == ("hand", "NS", "NS computed", "NS off by", "confirmed")
    full = block(sheet_of(hands(FIRST + "; N claim hand.NS=10; @ claim NS=11; @ claim NS=12; @ claim what=ever")), CLAIMS)
    assert full.columns[:3] == ("hand", "by", "what")
    assert [c.mark for c in full.rows[1].cells].count("crossed") == 1
    assert full.rows[-1].notes


def test_what_is_unknown_in_play_or_agreed_is_said() -> None:
    remarks = sheet_of(hands(UNKNOWN + "; S confirm", "E bid 7")).remarks
    assert "Hand 1: not known: who has the 5♥." in remarks
    assert "Hand 2 is still in play and is not counted." in remarks
    assert "Carl confirmed the sheet after hand 1 (event 3)." in remarks
    assert any("unknown too" in r for r in remarks)
    assert "The table's score agrees with the computed one wherever it was stated." in sheet_of(hands(FIRST + "; @ claim NS=10")).remarks


def test_a_ruling_is_told_with_its_effect_beside_the_figures_as_played() -> None:
    sheet = sheet_of(hands(FIRST + "; E dispute #2 revoke; @ ruling #3 #2 revoke points.NS=-1 rule=kaiser.R11"))
    assert (
        "Ruling at event 4 on event 3, 2: revoke, NS −1 point (by kaiser.R11). Hand 1 as ruled: NS +9 → 9, EW +0 → 0."
        in sheet.remarks
    )
    ways = block(sheet, THREE_WAYS)
    assert ways.columns == (
        "hand", "NS as played", "NS by the rules", "NS as ruled", "EW as played", "EW by the rules", "EW as ruled",
    )  # fmt: skip
    assert [[c.text for c in row.cells] for row in ways.rows] == [
        ["1", "+10 → 10", "+10 → 10", "+9 → 9", "+0 → 0", "+0 → 0", "+0 → 0"],
        ["match", "10", "10", "9", "0", "0", "0"],
    ]
    # Where all three are the same there is no such block.
    assert THREE_WAYS not in [b.heading for b in sheet_of(hands(FIRST + "; E dispute #2; @ ruling #3 warning")).blocks]


def test_inferred_things_are_told_once_with_their_places() -> None:
    """A hand nobody announced is inferred; the same thing inferred often takes one line."""
    sheet = sheet_of(log("kaiser", f"{FIRST}\n{SECOND}"))
    assert any(r.startswith("Inferred at event 1: hand 1 begins here") for r in sheet.remarks)
    scopa = sheet_of(simulate("scopa", seed=3))
    assert len(scopa.remarks) == len(set(scopa.remarks)) < 12


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", ["kaiser", "scopa"])
def test_every_position_of_a_match_has_a_sheet(game: str, seed: int) -> None:
    played: list[Recorded] = simulate(game, seed=seed, hands=2)
    for n in range(1, len(played) + 1):
        sheet = sheet_of(played[:n])
        assert fact(sheet, "Result").startswith("not finished" if n < len(played) else "")


def test_a_figure_that_the_whole_pack_makes_certain_stands_on_the_sheet() -> None:
    """One card of eight tricks was not seen: it can only be the eight of hearts, and the sheet has no question mark."""
    order = "Ah Ac Ad As|Kh Kc Kd Ks|Qh Qc Qd Qs|Jh Jc Jd Js|Th Tc Td Ts|9h 9c 9d 9s|?? 8c 8d 8s|5h 7c 7d 3s"
    tricks = "\n".join(f"{seat} play {card}" for trick in order.split("|") for seat, card in zip("NESW", trick.split(), strict=True))
    records = log("kaiser", "W hand 1\n@ deal N=8x?? E=8x?? S=8x?? W=8x??\nN bid 7\nE pass\nS pass\nW pass\nN name h\n" + tricks)
    cells = [c.text for c in block(sheet_of(records), "Score").rows[0].cells]
    assert cells == ["1", "W", "N & S 7 ♥", "made", "10", "+10", "10", "0", "+0", "0"]
