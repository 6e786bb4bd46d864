"""Derived lines: written, computed again, compared."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from given import log
from results import FIRST, SECOND, UNKNOWN, hands
from sampling import a_few

from events.kib import Derived, read_kib
from events.writing import write_kib
from replay.scoring.derived_lines import compare_derived, derived_lines
from replay.simulate import simulate


def numbered(lines: Iterable[str]) -> list[tuple[int, str]]:
    """Lines with their numbers."""
    return list(enumerate(lines, 1))


def test_a_line_for_each_hand_and_one_for_the_result() -> None:
    records = log("kaiser", f"@ hand 1\n{FIRST}\n@ hand 2\n{SECOND}", option={"target": 13})
    assert derived_lines(records) == [
        "= at 4",
        "= hand 1: NS +10 EW +0 (NS 10 EW 0)",
        "= hand 2: NS +3 EW +7 (NS 13 EW 7)",
        "= result: NS won (NS 13 EW 7)",
    ]


def test_what_is_unknown_or_in_play() -> None:
    assert derived_lines(hands(UNKNOWN, "E bid 7"))[1:] == ["= hand 1: NS ? EW +0 (NS ? EW 0)"] or derived_lines(
        hands(UNKNOWN, "E bid 7")
    )[1:] == ["= hand 1: NS ? EW ? (NS ? EW ?)"]
    assert derived_lines(hands("E bid 7")) == []
    assert derived_lines(hands(FIRST + "; @ end match time"))[-1] == "= result: NS won (NS 10 EW 0)"


@pytest.mark.parametrize("game", ["kaiser", "scopa"])
@pytest.mark.parametrize("seed", a_few(range(5), 2))
def test_a_file_read_back_agrees_with_itself(game: str, seed: int) -> None:
    """What was exported is read and compared without a difference."""
    played = simulate(game, seed=seed)
    reading = read_kib(write_kib(played, derived_lines(played)))
    assert not reading.errors
    assert len(reading.derived) > 2
    assert all(isinstance(d, Derived) for d in reading.derived)
    assert compare_derived(reading.records, reading.derived) == []


def test_a_changed_figure_is_a_difference() -> None:
    found = compare_derived(hands(FIRST), [(9, "= hand 1: NS +10 EW +0 (NS 11 EW 0)")])
    assert [(d.line, d.written, d.computed) for d in found] == [
        (9, "hand 1: NS +10 EW +0 (NS 11 EW 0)", "hand 1: NS +10 EW +0 (NS 10 EW 0)")
    ]
    assert "the log gives" in found[0].text


def test_spaces_and_the_minus_are_free() -> None:
    records = hands("@ tally declarer=NS level=12 trump=d tricks.NS=7 tricks.EW=1 five=NS three=NS")
    assert compare_derived(records, [(1, "=hand 1:  NS −9   EW +1 ( NS -9 EW 1 )"), (2, "= "), (3, "=")]) == []


@pytest.mark.parametrize("line", [
    "= winner: NS", "= hand one: NS +10", "= hand 1 NS +10 EW +0 (NS 10 EW 0)", "= result: NS won 10-0", "= at",
    "= hand 1: NS+10EW+0(NS10EW0",
])  # fmt: skip
def test_a_line_nobody_understands_is_a_difference(line: str) -> None:
    (found,) = compare_derived(hands(FIRST), [(1, line)])
    assert found.text.endswith("is not understood")
    assert found.computed == ""


def test_lines_about_what_is_not_there() -> None:
    lines = [
        "= hand 3: NS +1 EW +1 (NS 1 EW 1)", "= hand 2: NS +1 EW +1 (NS 1 EW 1)", "= result: NS won (NS 10 EW 0)",
        "= at 99",
    ]
    texts = [d.text for d in compare_derived(hands(FIRST, "E bid 7"), numbered(lines))]
    assert [t.rpartition(", ")[2] for t in texts[:2]] == ["which is not in the log", "which is still in play"]
    assert texts[2] == "the line gives a result, but the match is not over"
    assert "the log ends at event 4" in texts[3]


def test_old_lines_stay_right_when_the_file_grows() -> None:
    """A file is only ever added to: what was derived in the middle was right at its event, also after a later fix."""
    before = hands(FIRST)
    after = hands(FIRST, SECOND + "; @ fix #2 " + SECOND)
    lines = [*derived_lines(before), *derived_lines(after)]
    assert lines[1] == "= hand 1: NS +10 EW +0 (NS 10 EW 0)"
    assert compare_derived(after, numbered(lines)) == []
    # Without its `= at` the old line is held against the whole log.
    assert [d.line for d in compare_derived(after, numbered(lines[1:]))] == [1]
