"""The sheet as data: what every game's sheet has around the page's own blocks."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from given import log
from msgspec.structs import replace
from results import FIRST, SECOND, THIRD, UNKNOWN, hands
from sampling import a_few, each_game

from events.errors import NotFoundError
from events.kib import read_kib
from events.model import Bid, Hand, Play, Recorded
from reducers.registry import PAGES
from reducers.sheet import Block, Sheet
from replay.judging.findings import OF_THE_RECORD
from replay.judging.judge import judge
from replay.paper.grids import drawn_sheet
from replay.paper.hand_sheet import hand_sheet
from replay.paper.render import render
from replay.paper.sheet import THREE_WAYS, sheet_of
from replay.paper.sheet_page import PageLook, sheet_page
from replay.paper.wall import for_the_wall
from replay.redact import hide
from replay.simulate import simulate, simulate_breaches
from replay.viewer.document import document


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
    assert fact(sheet, "House rules") == (
        "score that ends the match = 10 · after four passes: a new deal, or the dealer must bid = dealer forced"
    )
    assert (fact(sheet, "Hands"), fact(sheet, "Match")) == ("1", "kaiser-4f7k2m")
    assert fact(sheet, "Result") == "Ann & Carl won 10 : 0"


def test_usual_terms_are_not_spelled_out() -> None:
    assert fact(sheet_of(hands(FIRST)), "House rules") == ""


def test_results_of_matches_that_are_not_won_by_the_rules() -> None:
    assert fact(sheet_of(hands(FIRST)), "Result") == "not finished; Ann & Carl 10 – Bea & Dora 0"
    ended = fact(sheet_of(hands(FIRST + "; @ end match time")), "Result")
    assert ended == "Ann & Carl won 10 : 0, ended by agreement (time)"
    # Who has the five of hearts decides between two scores, and between made and failed.
    assert fact(sheet_of(hands(UNKNOWN)), "Result") == "not finished; Ann & Carl −5..10 – Bea & Dora 0..5"


def test_without_claims_there_is_no_block_for_them() -> None:
    assert [b.heading for b in sheet_of(hands(FIRST, SECOND)).blocks] == ["Score"]


def stated(sheet: Sheet) -> list[tuple[str, str, str]]:
    """The figures of the table on the cells from which they differ: the hand, what stands there, what the table
    wrote."""
    return [
        (row.cells[0].text, c.text, c.stated) for b in sheet.blocks for row in b.rows for c in row.cells if c.stated
    ]


def test_what_the_table_wrote_stands_where_it_differs_first() -> None:
    sheet = sheet_of(
        hands(
            FIRST + "; @ claim NS=10 EW=0; NS confirm", SECOND + "; @ claim NS=13 EW=8", THIRD + "; @ claim NS=4 EW=9",
        )
    )
    assert stated(sheet) == [("2", "7", "8")]
    assert sheet.remarks[:3] == (
        "† Hand 2: the table wrote 8 for Bea & Dora (0 + 8 = 8); 0 + 7 = 7. Hand 3 carries it on.",
        "Everything else that the table wrote agrees.",
        "Confirmed hand by hand: Ann & Carl (1).",
    )
    wrote = {(f.hand, f.side): f.stated for f in sheet.figures if f.part == "total"}
    assert wrote[2, "Bea & Dora"] == 8
    assert wrote[3, "Bea & Dora"] == 9
    assert wrote[3, "Ann & Carl"] == 4


def test_claims_and_remarks_go_by_names() -> None:
    """If this failed, the sheet would have columns of players by name, and beside them claims of seats that it does
    not explain."""
    figures = (
        "@ hand 1; @ tally points.A=3 points.B=5; @ claim A=4 B=5; B confirm #3; @ hand 2; @ tally "
        "points.A=1 points.B=1; A claim A=4"
    )
    remarks = sheet_of(log("pad", figures.replace("; ", "\n"), A="Ann", B="Ben")).remarks
    assert remarks[0].startswith("† Hand 1: the table wrote 4 for Ann (0 + 4 = 4); ")
    assert "Confirmed hand by hand: Ben (1)." in remarks


def test_what_cannot_stand_on_a_cell_is_said() -> None:
    sheet = sheet_of(
        hands(FIRST + "; N claim hand.NS=10; @ claim NS=11; @ claim NS=12; @ claim what=ever; @ claim hand.EW=3")
    )
    assert stated(sheet) == [("1", "10", "12")]
    assert any("the table wrote 12 for Ann & Carl" in r for r in sheet.remarks)
    assert any("3 for Bea & Dora for this hand" in r for r in sheet.remarks)
    assert "Hand 1: the table first wrote 11 for Ann & Carl, and replaced it." in sheet.remarks
    assert "Hand 1: the claim was not compared: 'what' is not a side or seat that has a score." in sheet.remarks


def test_the_head_says_who_plays_who_has_won_and_who_signs() -> None:
    sheet = sheet_of(log(
        "kaiser", f"@ hand 1\n{FIRST}\n@ claim NS=10 EW=0\nE confirm", N="Ann", E="Bea", S="Carl", W="Dora",
        Event="Thursday", Table="3", Place="Curling Club", Date="2026-03-14", Scorer="Pia", option={"target": 10},
    ))  # fmt: skip
    head = sheet.head
    assert (head.game, head.event, head.place, head.date, head.terms) == (
        "Kaiser", "Thursday, table 3", "Curling Club", "2026-03-14", "to 10",
    )
    assert [(s.name, s.total, s.won, s.players, s.confirmed) for s in head.sides] == [
        ("Ann & Carl", "10", True, ("Ann", "Carl"), False), ("Bea & Dora", "0", False, ("Bea", "Dora"), True),
    ]  # fmt: skip
    assert (head.verdict, head.scorer) == ("Ann & Carl won in one hand", "Pia")


def test_the_words_of_an_end_stand_in_the_head() -> None:
    head = sheet_of(hands(FIRST + "; @ end match time {the hall closes}")).head
    assert head.verdict == "Ann & Carl won in one hand, ended by agreement (time: the hall closes)"
    assert sheet_of(hands(FIRST)).head.verdict == "not finished: one hand so far"


def test_who_bid_stands_beside_the_contract() -> None:
    """By name, as the auction went; of a hand told by its result the side, if no more was told."""
    told = sheet_of(hands(FIRST, FIRST.replace("declarer=NS", "declarer=S")))
    assert [
        (cells(told, n)["contract"], cells(told, n)["bid by"]) for n in (0, 1)
    ] == [("7 ♥", "Ann & Carl"), ("7 ♥", "Carl")]
    records = simulate("kaiser", seed=1, hands=3)
    bids: list[str] = []
    for r in records:
        bids += [""] if isinstance(r.event, Hand) else []
        if isinstance(r.event, Bid):
            bids[-1] = r.event.by
    assert [row.cells[3].text for row in block(sheet_of(records), "Score").rows] == [by or "–" for by in bids]


def test_a_card_nobody_saw_is_told_without_the_name_of_a_pile() -> None:
    records = example("kaiser-evening")
    sheet = sheet_of(records)
    (said,) = (remark for remark in sheet.remarks if "the unseen card" in remark)
    assert said.startswith("Hand 6: the unseen card is the 9♦, among the cards won by Olena & Walter")
    assert "won:" not in said
    told = "Hand 3: Doris, follow suit: diamonds were led, and Doris holds one. The hand is scored as played."
    assert told in sheet_of(records, findings=True).remarks
    assert told not in sheet.remarks


def test_no_event_number_stands_on_a_sheet() -> None:
    """They are for a record; a player knows hands."""
    for seed in range(3):
        for game in ("kaiser", "scopa", "yaniv"):
            sheet = sheet_of(simulate(game, seed=seed, hands=2))
            assert not any("event" in remark for remark in sheet.remarks), sheet.remarks


def test_what_is_unknown_in_play_or_agreed_is_said() -> None:
    remarks = sheet_of(hands(UNKNOWN + "; S confirm", "E bid 7")).remarks
    assert "Hand 1: not known: who has the 5♥." in remarks
    assert "Hand 2 is still in play and is not counted." in remarks
    assert "Confirmed hand by hand: Carl (1)." in remarks
    # Every figure is a range, so none is a question mark that would have to be explained.
    assert not any("unknown too" in r for r in remarks)
    assert "The table's score agrees with the computed one wherever it was stated." in sheet_of(
        hands(FIRST + "; @ claim NS=10")
    ).remarks


def test_a_ruling_is_told_with_its_effect_beside_the_figures_as_played() -> None:
    sheet = sheet_of(hands(FIRST + "; E dispute #2 revoke; @ ruling #3 #2 revoke points.NS=-1 rule=kaiser.R11"))
    assert (
        "Hand 1, ruled: revoke, Ann & Carl −1 point (by kaiser.R11). As ruled: Ann & Carl +9 → 9, Bea & Dora +0 → 0."
        in sheet.remarks
    )
    ways = block(sheet, THREE_WAYS)
    # By the rules it is as played, so that has no column.
    assert ways.columns == (
        "hand", "Ann & Carl as played", "Ann & Carl as ruled", "Bea & Dora as played", "Bea & Dora as ruled",
    )
    assert [[c.text for c in row.cells] for row in ways.rows] == [
        ["1", "+10 → 10", "+9 → 9", "+0 → 0", "+0 → 0"], ["match", "10", "9", "0", "0"],
    ]
    # Where all three are the same there is no such block.
    assert THREE_WAYS not in [b.heading for b in sheet_of(hands(FIRST + "; E dispute #2; @ ruling #3 warning")).blocks]


def test_inferred_things_are_told_once_with_their_places() -> None:
    """A hand nobody announced is inferred; the same thing inferred often takes one line."""
    sheet = sheet_of(log("kaiser", f"{FIRST}\n{SECOND}"))
    assert any(r.startswith("Hand 1: it begins here") for r in sheet.remarks)
    named = sheet_of(log("kaiser", FIRST, Dealer="W", N="Ann", E="Bea", S="Carl", W="Dora"))
    assert "Hand 1: it begins here, dealt by Dora (not recorded)." in named.remarks
    scopa = sheet_of(simulate("scopa", seed=3))
    assert len(scopa.remarks) == len(set(scopa.remarks)) < 12


@pytest.mark.parametrize("seed", a_few(range(3), 1))
@pytest.mark.parametrize("game", ["kaiser", "scopa"])
def test_every_position_of_a_match_has_a_sheet(game: str, seed: int) -> None:
    played: list[Recorded] = simulate(game, seed=seed, hands=2)
    for n in range(1, len(played) + 1):
        sheet = sheet_of(played[:n])
        assert fact(sheet, "Result").startswith("not finished" if n < len(played) else "")


def test_a_figure_that_the_whole_pack_makes_certain_stands_on_the_sheet() -> None:
    """One card of eight tricks was not seen: it can only be the eight of hearts, and the sheet has no question mark."""
    order = "Ah Ac Ad As|Kh Kc Kd Ks|Qh Qc Qd Qs|Jh Jc Jd Js|Th Tc Td Ts|9h 9c 9d 9s|?? 8c 8d 8s|5h 7c 7d 3s"
    tricks = "\n".join(
        f"{seat} play {card}" for trick in order.split("|") for seat, card in zip("NESW", trick.split(), strict=True)
    )
    records = log(
        "kaiser", "W hand 1\n@ deal N=8x?? E=8x?? S=8x?? W=8x??\nN bid 7\nE pass\nS pass\nW pass\nN name h\n" + tricks,
    )
    cells = [c.text for c in block(sheet_of(records), "Score").rows[0].cells]
    assert cells == ["1", "W", "7 ♥", "N", "made", "10", "+10", "10", "0", "+0", "0"]


@each_game(PAGES, short=2)
def test_who_broke_a_rule_stands_on_a_sheet_only_where_it_is_asked_for(game: str) -> None:
    """If this failed, a sheet on a wall would accuse somebody."""
    for seed in range(3):
        records = simulate_breaches(game, seed=seed, p=0.2, hands=2)[0]
        asked, plain = sheet_of(records, findings=True), sheet_of(records)
        only = [remark for remark in asked.remarks if remark not in plain.remarks]
        broken = [
            f for f in judge(records).findings if f.verdict == "broken" and f.rule not in OF_THE_RECORD
            and f.unless is None
        ]
        assert len(
            [remark for remark in only if remark.endswith("The hand is scored as played.")]
        ) == min(5, len(broken))
        assert not any(
            words in remark for remark in plain.remarks
            for words in ("scored as played", "by the rules", "more rules were broken")
        )
        assert not any("by the rules" in note for b in plain.blocks for row in b.rows for note in row.notes)
        if len(asked.blocks) == len(plain.blocks):
            assert asked.blocks == plain.blocks


def test_a_sheet_for_the_wall_is_the_figures_alone_and_as_large_as_the_page() -> None:
    sheet = sheet_of(hands(FIRST + "; @ claim NS=11; S confirm; E dispute #2", SECOND))
    wall = for_the_wall(sheet)
    assert [[c.text for c in row.cells] for b in wall.blocks for row in b.rows] == [
        [c.text for c in row.cells] for b in sheet.blocks for row in b.rows
    ]
    page, usual = sheet_page(wall, PageLook(wall=True)), sheet_page(sheet)
    for words in (
        "†", "How it was added", "Beside the score", "scorer", "Recorded", " lines.", 'class="signing"', "disputes",
    ):
        assert words in usual, words
        assert words not in page, words
    size = re.compile(r"--print: ([0-9.]+)pt")
    assert float(size.findall(page)[0]) > 15 > float(size.findall(usual)[0])
    assert sheet_page(wall, PageLook(wall=True)).count("landscape") == 1


# -- one hand as a page ------------------------------------------------------------------------------------------------


def example(name: str) -> list[Recorded]:
    """The records of an example."""
    return list(read_kib((Path(__file__).parents[2] / "examples" / f"{name}.kib").read_text(encoding="utf-8")).records)


def test_the_page_of_a_hand_has_the_deal_the_plays_the_score_and_what_was_found() -> None:
    sheet = hand_sheet(example("kaiser-evening"), 3)
    deal, plays, score = sheet.blocks
    assert (deal.form, deal.columns) == ("compass", ("", "♠", "♥", "♦", "♣"))
    assert [[c.text for c in row.cells] for row in deal.rows] == [
        ["Olena", "K J 10 9", "A", "K", "A K"], ["Marcel", "–", "Q", "Q 10 9", "Q 10 8 7"],
        ["Walter", "A Q", "K 9 8", "A 8", "J"], ["Doris", "8 3", "J 10 5", "J 7", "9"],
    ]  # fmt: skip
    assert plays.columns == ("trick", "Olena", "Marcel", "Walter", "Doris", "taken by")
    assert [c.text for c in plays.rows[1].cells] == ["2", "K♠", "10♦", "› 8♦", "9♣ ✗1", "Olena"]
    assert [[c.text for c in row.cells] for row in score.rows[-2:]] == [["hand", "+11", "−1"], ["match", "22", "8"]]
    assert sheet.remarks[0] == "✗1 follow suit: Doris plays 9♣; diamonds were led, and Doris holds one; legal: J♦."
    assert (
        sheet.head.verdict == (
            "Hand 3, dealt by Marcel: Olena & Walter 7 ♠, made. Walter bids 6 · Doris passes · Olena bids 7 · "
            "Marcel passes · Olena names ♠"
        )
    )
    assert [side.total for side in sheet.head.sides] == ["22", "8"]
    with pytest.raises(NotFoundError, match="there is no hand 9"):
        hand_sheet(example("kaiser-evening"), 9)


def test_a_deal_stands_around_a_table_or_side_by_side() -> None:
    """A suit that a hand does not have is shown only where its cards are known."""
    page = sheet_page(hand_sheet(example("kaiser-evening"), 3))
    assert '<div class="compass"><div>'.replace("><", ">\n<") in page or '<div class="compass">' in page
    assert "<b>Marcel</b><span><span class=\"s\">♠\ufe0e</span> –</span>" in page
    three = drawn_sheet(hand_sheet(example("calabrasella-trattoria"), 2))[0][0].wide[0]
    assert (three.form, [line.places[0].text for line in three.lines]) == ("hands", ["Aldo", "Bice", "Carmen"])
    assert not any("–" in place.text for line in three.lines for place in line.places[1:])


@each_game(PAGES, short=3)
def test_every_hand_has_a_page_without_numbers_of_events(game: str) -> None:
    records = simulate(game, seed=2, hands=2)
    for hand in (1, 2):
        if hand > sum(isinstance(r.event, Hand) for r in records):
            continue
        sheet = hand_sheet(records, hand)
        assert sheet.head.verdict.startswith(f"Hand {hand}")
        assert sheet.blocks
        for text in [*sheet.remarks, *(c.text for b in sheet.blocks for row in b.rows for c in row.cells)]:
            assert not re.search(r"\bevents? \d|^\d+: |^at \d+$|\b[A-Z]:\d", text), text
        assert "events" not in [column for b in sheet.blocks for column in b.columns]
        for form in ("text", "md", "html", "csv"):
            assert render(sheet, form)


# -- figures that are ranges -------------------------------------------------------------------------------------------


def cells(sheet: Sheet, row: int) -> dict[str, str]:
    """A row of the score, by the heads of its columns."""
    score = block(sheet, "Score")
    return dict(zip(score.columns, (c.text for c in score.rows[row].cells), strict=True))


def test_a_figure_that_is_a_range_stands_as_one() -> None:
    """Nobody wrote who had the five of hearts: the sheet shows what that leaves possible, hand by hand and added up."""
    sheet = sheet_of(hands(UNKNOWN, UNKNOWN, SECOND))
    first, second, third = (cells(sheet, n) for n in range(3))
    assert (
        first["result"], first["WE took"], first["WE ±"], first["WE"],
    ) == ("failed or made", "5..10", "−5..+10", "−5..10")
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
    sheet = sheet_of(hands(UNKNOWN + "; @ claim NS=-5 EW=3"))
    assert stated(sheet) == [("1", "0..5", "3")]
    assert any("3 for Bea & Dora" in r and "possible is 0..5" in r for r in sheet.remarks)
    assert "Hand 1: the table wrote −5 for Ann & Carl; possible is −5..10." in sheet.remarks


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("game", ["kaiser", "scopa", "botifarra"])
def test_what_the_sheet_of_the_open_hand_says_is_within_the_ranges(game: str, seed: int) -> None:
    """Some plays unseen: every figure of the sheet with all cards known lies in the range that stands in its place."""
    records = simulate(game, seed=seed, hands=2)
    chance = Random(seed)
    gone = set(chance.sample([r.n for r in records if isinstance(r.event, Play)], 3))
    blind = [replace(r, event=replace(r.event, cards=("??",))) if r.n in gone else r for r in hide(records)]
    true, seen = block(sheet_of(records), "Score"), block(sheet_of(blind), "Score")
    for known, told in zip(true.rows, seen.rows, strict=True):
        for a, b in zip(known.cells, told.cells, strict=True):
            low, dots, high = (t.replace("−", "-") for t in b.text.partition(".."))
            if dots:
                assert int(low) <= int(a.text.replace("−", "-")) <= int(high), (a, b)
            elif b.text.lstrip("+−").isdecimal():
                assert a.text == b.text


def test_a_house_rule_that_names_seats_names_the_players() -> None:
    """If this failed, a sheet would speak of seats by letters that nobody at the table uses."""
    opened = log("envite", "D hand 1\n@ tally winner=AC", Seats="A B C D", A="Ann", B="Bea", option={"captains": "A B"})
    assert dict(sheet_of(opened).facts)["House rules"] == (
        "the two captains, as A B; else the first seat of each team = Ann and Bea"
    )


def test_every_sum_of_two_parts_stands_on_the_sheet() -> None:
    """If this failed, a sheet of Put and Take would say what a player won, and not what was put and what was taken."""
    lines = "D hand 1\n@ tally put.A=3 put.B=9 put.C=0 take.A=4 take.B=2 take.C=8\n"
    text = render(sheet_of(log("put-and-take", lines, Seats="A B C D")), "text")
    assert "A 4 − 3 = +1; B 2 − 9 = −7; C 8 − 0 = +8; D dealt" in " ".join(text.split())


def test_a_sheet_and_a_viewer_name_who_sat_there_at_the_time() -> None:
    """If this failed, a substitute would be printed as having dealt, bid and broken a rule before sitting down."""
    first = "S hand 1\n@ deal N=8x?? E=8x?? S=8x?? W=8x??\nW pass\nN bid 7\nE pass\nS pass\nN name h\n"
    play = (
        "W play 7c\nN play Ac\nE play 8c\nS play 9d\nN play Kc\nE play Tc\nS play 9c\nW play Jc\n@ tally "
        "tricks.NS=7 tricks.EW=1 five=NS three=NS\n"
    )
    second = '@ open S="Timo"\nW hand 2\n@ tally declarer=S level=7 trump=h tricks.NS=7 tricks.EW=1 five=NS three=NS\n'
    records = log("kaiser", first + play + second, N="Nora", E="Emil", S="Sana", W="Wout")
    sheet = sheet_of(records, findings=True)
    assert dict(sheet.facts)["Substitutes"] == "S Sana (hand 1), then Timo (hand 2)"
    assert [
        (row.cells[1].text, row.cells[3].text) for row in sheet.blocks[0].rows[:2]
    ] == [("Sana", "Nora"), ("Wout", "Timo")]
    said = " ".join(sheet.remarks)
    assert "Sana, follow suit: clubs were led, and Sana holds one" in said
    assert "Timo" not in said
    doc = document(records)
    assert [hand.get("called", doc["called"])["S"] for hand in doc["hands"]] == ["Sana", "Timo"]
    (found,) = (f for f in doc["findings"] if f["rule"] == "kaiser.R11")
    assert "Sana" in found["title"]
    assert "Timo" not in str(found)
