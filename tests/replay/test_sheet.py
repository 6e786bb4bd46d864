"""The sheet as data: what every game's sheet has around the page's own blocks."""

from __future__ import annotations

from random import Random

import pytest
from given import log
from msgspec.structs import replace
from results import FIRST, SECOND, THIRD, UNKNOWN, hands

from events.model import Play, Recorded
from reducers.sheet import Block, Sheet
from replay.paper.render import render
from replay.paper.sheet import CLAIMS, THREE_WAYS, sheet_of
from replay.redact import hide
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
    assert claims.columns == ("hand", "WE", "WE computed", "WE off by", "THEY", "THEY computed", "THEY off by", "compared", "confirmed")
    rows = [[c.text for c in row.cells] for row in claims.rows]
    assert rows[0] == ["1", "10", "10", "0", "0", "0", "0", "agrees", "WE"]
    assert rows[1] == ["2", "13", "13", "0", "8", "7", "+1", "differs", "–"]
    assert rows[2] == ["3", "4", "4", "0", "9", "8", "+1", "carried on", "–"]
    marks = [[c.mark for c in row.cells] for row in claims.rows]
    assert marks[1][4] == "wrong"
    assert claims.rows[1].cells[4].sum == "0 + 8 = 8"
    assert claims.rows[1].cells[5].sum == "0 + 7 = 7"
    assert marks[2][4] == "claimed"
    assert any("0 + 8 = 8" in r and "0 + 7 = 7" in r and "Hand 3 carries it on." in r for r in sheet.remarks)


def test_claims_and_remarks_go_by_names() -> None:
    """If this failed, the sheet would have columns of players by name, and beside them claims of seats that it does not explain."""
    figures = "@ hand 1; @ tally points.A=3 points.B=5; @ claim A=4 B=5; B confirm #3; @ hand 2; @ tally points.A=1 points.B=1; A claim A=4"
    sheet = sheet_of(log("pad", figures.replace("; ", "\n"), A="Ann", B="Ben"))
    claims = block(sheet, CLAIMS)
    assert claims.columns[:5] == ("hand", "by", "Ann", "Ann computed", "Ann off by")
    assert [row.cells[1].text for row in claims.rows] == ["table", "Ann"]
    assert claims.rows[0].cells[-1].text == "Ben"
    assert any("after hand 1 the table has Ann at 4" in remark for remark in sheet.remarks)


@pytest.mark.parametrize(("acts", "said"), [("5h 7c 7d 8h", "Inferred at event "), ("5h 7c 7d 8h 8c 8d", "Inferred at events ")])
def test_events_are_counted_in_the_remarks(acts: str, said: str) -> None:
    """If this failed, a sheet would say `at event 5, 25`."""
    lines = "\n".join(["@ deal up discard=Jh", *(f"{'ABC'[i % 3]} discard {card}" for i, card in enumerate(acts.split()))])
    sheet = sheet_of(log("yaniv", lines, Seats="A B C"))
    about = [remark for remark in sheet.remarks if "A drew a card from the stock" in remark]
    assert about
    assert about[0].startswith(said)


def test_columns_appear_where_they_say_something() -> None:
    plain = block(sheet_of(hands(FIRST + "; @ claim NS=10")), CLAIMS)
    assert plain.columns == ("hand", "WE", "WE computed", "WE off by", "confirmed")
    full = block(sheet_of(hands(FIRST + "; N claim hand.NS=10; @ claim NS=11; @ claim NS=12; @ claim what=ever")), CLAIMS)
    assert full.columns[:3] == ("hand", "by", "what")
    assert [c.mark for c in full.rows[1].cells].count("crossed") == 1
    assert full.rows[-1].notes


def test_what_is_unknown_in_play_or_agreed_is_said() -> None:
    remarks = sheet_of(hands(UNKNOWN + "; S confirm", "E bid 7")).remarks
    assert "Hand 1: not known: who has the 5♥." in remarks
    assert "Hand 2 is still in play and is not counted." in remarks
    assert "Carl confirmed the sheet after hand 1 (event 3)." in remarks
    # Every figure is a range, so none is a question mark that would have to be explained.
    assert not any("unknown too" in r for r in remarks)
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
    named = sheet_of(log("kaiser", FIRST, N="Ann", E="Bea", S="Carl", W="Dora"))
    assert "Inferred at event 1: hand 1 begins here, dealt by Dora; nobody wrote it." in named.remarks
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


# -- figures that are ranges -------------------------------------------------------------------------------------------


def cells(sheet: Sheet, row: int) -> dict[str, str]:
    """A row of the score, by the heads of its columns."""
    score = block(sheet, "Score")
    return dict(zip(score.columns, (c.text for c in score.rows[row].cells), strict=True))


def test_a_figure_that_is_a_range_stands_as_one() -> None:
    """Nobody wrote who had the five of hearts: the sheet shows what that leaves possible, hand by hand and added up."""
    sheet = sheet_of(hands(UNKNOWN, UNKNOWN, SECOND))
    first, second, third = (cells(sheet, n) for n in range(3))
    assert (first["result"], first["WE took"], first["WE ±"], first["WE"]) == ("failed or made", "5..10", "−5..+10", "−5..10")
    assert (second["WE ±"], second["WE"], second["THEY"]) == ("−5..+10", "−10..20", "0..10")
    assert (third["WE ±"], third["WE"], third["THEY"]) == ("+3", "−7..23", "7..17")
    assert not any("?" in c.text for b in sheet.blocks for r in b.rows for c in r.cells)
    assert {c.mark for c in block(sheet, "Score").rows[0].cells if ".." in c.text} == {"unknown"}
    for form in ("text", "csv", "md", "html"):
        assert "−10..20" in render(sheet, form)


def test_a_winner_that_is_certain_is_named_whatever_it_was() -> None:
    last_hand = "@ tally declarer=EW level=6 trump=c tricks.NS=6 tricks.EW=2 three=EW"
    sheet = sheet_of(log("kaiser", f"@ hand 1\n{FIRST}\n@ hand 2\n{last_hand}", option={"target": 15}))
    assert fact(sheet, "Result") == "NS won 16..21 : −4..1, whatever the unseen cards were"
    assert "whatever" not in fact(sheet_of(log("kaiser", f"@ hand 1\n{FIRST}", option={"target": 10})), "Result")


def test_what_cannot_be_ranged_keeps_its_question_mark() -> None:
    sheet = sheet_of(hands("N bid 7; E pass", SECOND))
    assert cells(sheet, 0)["WE"] == "?"
    assert any("is shown as ?" in r for r in sheet.remarks)


def test_a_claim_beside_a_range_shows_the_range() -> None:
    claims = block(sheet_of(hands(UNKNOWN + "; @ claim NS=-5 EW=3")), CLAIMS)
    assert [c.text for c in claims.rows[0].cells] == ["1", "−5", "−5..10", "−15..0", "3", "0..5", "−2..+3", "differs", "–"]
    assert [c.mark for c in claims.rows[0].cells[1:7]] == ["claimed", "unknown", "unknown", "wrong", "unknown", "wrong"]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("game", ["kaiser", "scopa", "botifarra"])
def test_what_the_sheet_of_the_open_hand_says_is_within_the_ranges(game: str, seed: int) -> None:
    """Some plays unseen: every figure of the sheet with all cards known lies in the range that stands in its place."""
    records = simulate(game, seed=seed, hands=2)
    chance = Random(seed)
    gone = set(chance.sample([r.n for r in records if isinstance(r.event, Play)], 3))
    blind = [replace(r, event=replace(r.event, cards=("??",))) if r.n in gone else r for r in hide(records)]  # type: ignore[type-var]
    true, seen = block(sheet_of(records), "Score"), block(sheet_of(blind), "Score")
    for known, told in zip(true.rows, seen.rows, strict=True):
        for a, b in zip(known.cells, told.cells, strict=True):
            low, dots, high = (t.replace("−", "-") for t in b.text.partition(".."))
            if dots:
                assert int(low) <= int(a.text.replace("−", "-")) <= int(high), (a, b)
            elif b.text.lstrip("+−").isdecimal():
                assert a.text == b.text
