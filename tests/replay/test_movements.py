"""Movements of an evening: who meets whom, each as its source promises it."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from events.errors import UsageError
from events.register_notes import Registered
from replay.paper.render import written_sheet
from replay.season.movements import (
    FIELDS,
    WHIST,
    Movement,
    checked_entrants,
    decoded_movement,
    encoded_rounds,
    movement,
    movement_sheet,
    next_round,
    table_openings,
)


def of(n: int, how: str) -> Movement:
    return movement(how, [f"P{i} & Q{i}" for i in range(1, n + 1)])


def kept(made: Movement) -> Registered:
    """The note of a movement in the register."""
    return Registered("move", "", kind=made.how, entrants=made.entrants, rounds=tuple(encoded_rounds(made)))


def meetings(made: Movement) -> Counter[frozenset[int]]:
    """How often each two meet; nobody sits at two tables of a round."""
    for round_ in made.rounds:
        sitting = [who for one in round_ for who in (one.first, one.second)]
        assert len(sitting) == len(set(sitting))
        assert len(sitting) >= len(made.entrants) - 1
        assert [one.table for one in round_] == sorted({one.table for one in round_})
    return Counter(frozenset((one.first, one.second)) for round_ in made.rounds for one in round_)


@pytest.mark.parametrize(("how", "sizes"), [("round-robin", range(2, 31)), ("howell", range(7, 21))])
def test_each_meets_each_of_the_others_once(how: str, sizes: range) -> None:
    """If this failed, two pairs would meet twice, and two others never."""
    for n in sizes:
        made = of(n, how)
        assert set(meetings(made).values()) == {1}, n
        assert len(meetings(made)) == n * (n - 1) // 2, n
        assert len(made.rounds) == n - 1 + n % 2
        byes = [made.bye(k) for k in range(1, len(made.rounds) + 1)]
        assert sorted(byes) == (sorted(made.entrants) if n % 2 else [""] * len(byes)), "each has one bye, or nobody has"


@pytest.mark.parametrize(("how", "sizes"), [("mitchell", range(4, 31)), ("howell", range(7, 21))])
def test_no_pair_plays_a_set_of_deals_twice(how: str, sizes: range) -> None:
    """If this failed, a pair would know the cards before they are dealt."""
    for n in sizes:
        made = of(n, how)
        assert set(meetings(made).values()) == {1}, n
        played = [(who, one.deals) for round_ in made.rounds for one in round_ for who in (one.first, one.second)]
        assert len(played) == len(set(played)), n
        assert all(len({one.deals for one in round_}) == len(round_) for round_ in made.rounds), n


def test_a_few_pairs_play_the_same_deals_at_all_tables() -> None:
    """If this failed, four pairs would play a set of deals twice, since no square of their size keeps them apart."""
    for n in (3, 4, 5, 6):
        made = of(n, "howell")
        assert set(meetings(made).values()) == {1}
        for k, round_ in enumerate(made.rounds, 1):
            assert {one.deals for one in round_} == {k}


def together(made: Movement) -> Counter[frozenset[int]]:
    """How often each two sit at one table; nobody sits at two of a round."""
    for round_ in made.rounds:
        sitting = [who for one in round_ for who in one.who]
        assert len(sitting) == len(set(sitting))
    return Counter(frozenset(two) for round_ in made.rounds for one in round_ for two in combinations(one.who, 2))


@pytest.mark.parametrize("size", [3, 4, 5, 6, 7])
def test_single_players_meet_nobody_twice(size: int) -> None:
    """If this failed, two would share a table again while others had not met; 4, 8 and 9 tables have fields of their
    own."""
    for tables in FIELDS:
        if size <= tables and size * tables <= 60:
            made = movement("individual", [f"P{i}" for i in range(size * tables)], 0, size)
            met = together(made)
            assert set(met.values()) == {1}
            assert len(made.rounds) == tables + (size == tables)
            assert len(met) == tables * len(made.rounds) * size * (size - 1) // 2
            assert all(len(round_) == tables for round_ in made.rounds)
            assert decoded_movement(kept(made)) == made


@pytest.mark.parametrize("n", WHIST)
def test_in_a_whist_tournament_each_partners_each_once_and_meets_each_twice(n: int) -> None:
    made = movement("whist", [f"P{i}" for i in range(n)])
    assert set(together(made).values()) == {3}
    partners = Counter(frozenset(one.who[k : k + 2]) for round_ in made.rounds for one in round_ for k in (0, 2))
    assert (set(partners.values()), len(partners)) == ({1}, n * (n - 1) // 2)
    assert sorted(made.bye(k) for k in range(1, len(made.rounds) + 1)) == (
        sorted(made.entrants) if n % 2 else [""] * len(made.rounds)
    )


def test_single_players_sit_down_at_tables_of_their_game() -> None:
    """If this failed, partners of a whist tournament would sit beside each other as opponents."""
    names = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"]
    made = movement("whist", names)
    sits = made.sits(made.rounds[0][0])
    (first, _) = table_openings(made, 1, "kaiser", {}, day="2026-04-07", title="")
    assert (f"{first['N']} & {first['S']}", f"{first['E']} & {first['W']}") == sits
    four = movement("individual", names, 2, 4)
    (first, _) = table_openings(four, 1, "pad", {"title": "Hearts"}, day="2026-04-07", title="")
    assert tuple(first[seat] for seat in "ABCD") == four.sits(four.rounds[0][0])
    text = written_sheet(movement_sheet(made, "The cup"), "text").decode()
    assert " & ".join(made.sits(made.rounds[0][1])[0].split(" & ")) in text


@pytest.mark.parametrize(
    ("how", "n", "size", "says"),
    [
        ("individual", 10, 3, "9, 12, 15, 21, 24"), ("individual", 6, 4, "4, 5, 8, 9, 12"),
        ("individual", 9, 0, "--players"), ("whist", 10, 0, "12, 13"),
    ],
)
def test_who_cannot_be_seated_is_told_who_can(how: str, n: int, size: int, says: str) -> None:
    with pytest.raises(UsageError) as refused:
        movement(how, [f"P{i}" for i in range(n)], 0, size)
    assert says in str(refused.value)
    with pytest.raises(UsageError, match="single players"):
        movement("whist", ["A & B", "C & D", "E & F", "G & H"])


def test_sides_change_as_evenly_as_they_can() -> None:
    """If this failed, the first pair would sit north in every round."""
    for n in (4, 7, 8, 15):
        made = of(n, "round-robin")
        first = Counter(one.first for round_ in made.rounds for one in round_)
        assert {abs(2 * first[who] - (n - 1)) for who in range(1, n + 1)} <= {0, 1}, n


def test_the_lines_of_a_mitchell_movement_stay_and_move() -> None:
    made = of(8, "mitchell")
    assert [[one.first for one in round_] for round_ in made.rounds] == [[1, 2, 3, 4]] * 3
    assert [
        round_[0].second for round_ in made.rounds
    ] == [5, 8, 6], "the second line skips a table after half of the rounds"


@pytest.mark.parametrize("n", [2, 5, 8, 9, 16])
def test_a_swiss_round_never_repeats_a_meeting(n: int) -> None:
    """If this failed, the same two would meet again, or somebody would sit out twice before others did once."""
    made, random = of(n, "swiss"), Random(n)
    rounds = 2 if n == 5 else 1 if n == 2 else n // 2
    while len(made.rounds) < rounds:
        made = next_round(made, {name: (rounds, random.random()) for one in made.entrants for name in one.split(" & ")})
    assert set(meetings(made).values()) == {1}
    byes = [made.bye(k) for k in range(1, rounds + 1)]
    assert len(set(byes)) == (len(byes) if n % 2 else 1)


def test_a_swiss_round_goes_by_the_standing() -> None:
    before = movement("swiss", ["A", "B", "C", "D", "E"])
    assert [(one.first, one.second) for one in before.rounds[0]] == [(1, 3), (2, 4)]
    assert before.bye(1) == "E"
    standing = {"A": (1, 1.0), "B": (1, 3.0), "C": (1, 4.0), "D": (1, 0.0), "E": (0, 2.0)}
    after = next_round(before, standing)
    assert [
        (one.first, one.second) for one in after.rounds[1]
    ] == [(3, 2), (5, 1)], "C and B lead; the last who had no bye has it"
    assert after.bye(2) == "D"
    two = movement("swiss", ["A", "B"])
    with pytest.raises(UsageError, match="everybody has met everybody"):
        next_round(two, standing)
    with pytest.raises(UsageError, match="B has no result"):
        next_round(before, {**standing, "B": (0, 0.0)})
    with pytest.raises(UsageError, match="all rounds"):
        next_round(of(8, "howell"), {})


def test_what_is_kept_is_the_same_movement() -> None:
    for how, n in (("howell", 8), ("mitchell", 7), ("round-robin", 5)):
        made = of(n, how)
        again = decoded_movement(kept(made))
        assert [
            [(m.first, m.second, m.deals) for m in round_] for round_ in again.rounds
        ] == [[(m.first, m.second, m.deals) for m in round_] for round_ in made.rounds]
    for rounds in (["1:9/0"], ["x"], ["1"], ["0:1/0"]):
        with pytest.raises(UsageError, match="cannot be read"):
            decoded_movement(Registered("move", "", kind="swiss", entrants=("A", "B"), rounds=tuple(rounds)))


def test_the_tables_of_a_round_are_openings() -> None:
    """If this failed, partners would sit against each other."""
    made = movement("round-robin", ["Olena & Walter", "Doris/Marcel"])
    (kaiser,) = table_openings(made, 1, "kaiser", {"target": "32"}, day="2026-04-07", title="Cup")
    assert {key: kaiser[key] for key in ("N", "S", "E", "W", "Round", "Table", "Event", "Date")} == {
        "N": "Olena", "S": "Walter", "E": "Doris", "W": "Marcel", "Round": "1", "Table": "1", "Event": "Cup",
        "Date": "2026-04-07",
    }  # fmt: skip
    (pad,) = table_openings(made, 1, "pad", {}, day="", title="")
    assert (pad["A"], pad["B"], pad["Option"]) == ("Olena", "Walter", {"sides": "AB CD"})
    for game, round_, why in (("yaniv", 1, "no two sides"), ("kaiser", 2, "no round 2")):
        with pytest.raises(UsageError, match=why):
            table_openings(made, round_, game, {}, day="", title="")


@pytest.mark.parametrize(
    ("how", "entrants", "why"),
    [
        ("swiss", ["A"], "1 entrants"), ("swiss", ["A", "A & B"], "named twice"),
        ("dance", ["A", "B"], "one of round-robin"), ("howell", ["A", "B"], "3 to 20 pairs"),
        ("mitchell", ["A", "B"], "4 pairs"), ("swiss", ["A", "B\u202e"], "no name"),
    ],
)  # fmt: skip
def test_a_movement_that_cannot_be_is_refused(how: str, entrants: list[str], why: str) -> None:
    with pytest.raises(UsageError) as error:
        movement(how, entrants)
    assert why in str(error.value)


def test_a_movement_on_paper_has_every_round() -> None:
    sheet = movement_sheet(of(7, "howell"), "Cup")
    (block,) = sheet.blocks
    assert [
        row.cells[0].text for row in block.rows if row.kind == "part"
    ][:2] == ["Round 1 (P1 & Q1 has a bye)", "Round 2 (P2 & Q2 has a bye)"]
    assert len(block.rows) == 7 * 4
    assert sheet.blocks[0].columns == ("table", "sits", "against", "hands")
    assert checked_entrants([" Ann ", "", "Bo"]) == ("Ann", "Bo")
