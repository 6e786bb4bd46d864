"""The words that a page declares: a deal in parts, the direction of play, a tally, a sheet, what a phase tries."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from given import given, log
from pages import halves

from events.model import Deal, Play, Recorded
from reducers.page import Law, TallyFacts, counts, number, seat, side
from reducers.sheet import Sheet
from reducers.words.tallies import as_facts, open_questions
from replay.fold import fold
from replay.judging.judge import judge
from replay.redact import hide
from replay.scoring.three_ways import score_match
from replay.simulate import simulate

FIRST = "C hand 1\n@ deal A=AhKh9c9d B=QhJh9hTh C=AsKsQsJs\n"
NAMED = FIRST + "B name h\n"
SECOND = NAMED + "@ deal A=AcKc B=QcJc C=TcAd upcard=Kd stock=9x??\n"


@pytest.fixture(autouse=True)
def page() -> Iterator[None]:
    """The page is registered while a test of this file runs, and no longer."""
    with halves.registered():
        yield


def three(lines: str) -> list[Recorded]:
    """A match of three players, with A dealing last."""
    return log("halves", lines, Seats="A B C")


@pytest.mark.parametrize("seats", ["A B", "A B C", "A B C D"])
@pytest.mark.parametrize("seed", range(3))
def test_matches_played_by_chance_end_clean(seats: str, seed: int) -> None:
    """If this failed, a declared deal could not be played, or not at every size of table."""
    played = simulate("halves", seed=seed, seats=seats.split())
    assert not judge(played).findings
    state = fold(played)
    assert state.ended == "won"
    deals = [r.event for r in played if isinstance(r.event, Deal)]
    sizes = [[len(cards) for _, cards in deal.piles] for deal in deals[:4]]
    n = len(seats.split())
    assert sizes == [[4] * n, [2] * n, [1], [27 - 6 * n]]
    assert not judge(hide(played)).broken


def test_play_goes_round_the_other_way() -> None:
    """If this failed, the direction of play would be said by each page again."""
    state = fold(three(SECOND))
    assert (state.dealer, state.phase, state.turn) == ("C", "play", ("B",))
    assert fold(three(SECOND + "B play Qh\n")).turn == ("A",)
    given("halves", SECOND, Seats="A B C").when("A play Ah").finds("H3", words="B sits right of the dealer and leads")


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("C hand 1\n@ deal A=5x??\n", "A gets 4 cards, not 5"),
        (NAMED + "@ deal A=3x??\n", "A gets 6 cards, not 7"),
        (NAMED + "@ deal upcard=2x??\n", "one card is turned up, not 2"),
    ],
)
def test_no_part_of_the_deal_gives_more_than_it_says(lines: str, found: str) -> None:
    """If this failed, a part of the deal would be checked against the whole of it."""
    given("halves", lines, Seats="A B C").finds("H1", words=found)


def test_a_part_of_the_deal_that_nobody_wrote_is_unseen() -> None:
    """If this failed, a record would need every deal written."""
    state = fold(three(NAMED + "B play Qh\n"))
    assert [(len(state.holding(s)), state.holding(s).hidden) for s in "ABC"] == [(6, 2), (5, 2), (6, 2)]
    assert not judge(three(NAMED + "B play Qh\n")).broken


def test_a_tally_is_overlaid_fact_by_fact() -> None:
    """If this failed, what a table tells would not take the place of what was played."""
    told = three("C hand 1\n@ tally tricks.A=3 tricks.B=2 last=B\n")
    (hand,) = score_match(told).hands
    assert hand.points == {"A": 3, "B": 3, "C": 1}
    state = fold(told)
    assert as_facts(halves.tally(state)) == {"tricks.A": 3, "tricks.B": 2, "tricks.C": 1, "last": "B"}


def test_what_is_missing_is_asked_in_the_order_of_the_facts() -> None:
    """If this failed, a result without its moves would stay open without a question."""
    state = fold(three("C hand 1\n@ tally tricks.A=3\n"))
    assert list(open_questions(state)) == [("who took the last trick", {s: {"last": s} for s in "ABC"})]


def test_a_ruling_adds_what_it_says_it_adds() -> None:
    """If this failed, a ruling would replace a count instead of adding to it."""
    state = fold(three("C hand 1\n@ tally tricks.A=3 tricks.B=2 tricks.C=1 last=B\n"))
    state.transfers = [{"tricks": {"A": 1, "B": -1}, "last": "C"}]
    t = halves.tally(state)
    assert (t.tricks, t.last) == ({"A": 4, "B": 1, "C": 1}, "C")
    assert dict(halves.Tally.rulings) == {"tricks.*": "tricks that a player gets", "last": "who gets the last trick"}


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ("tricks.A=7", "tricks.A is 0 to 6, not 7"),
        ("tricks.X=1", "X is none of them"),
        ("tricks.A=3 tricks.B=3 tricks.C=1", "are not the 6 tricks there are"),
        ("last=Z", "last is A, B or C, not Z"),
        ("level=3", "knows no fact 'level'"),
    ],
)
def test_an_impossible_figure_is_a_finding(told: str, found: str) -> None:
    """If this failed, a declared bound would bind nobody."""
    texts = [f.text for f in judge(three(f"C hand 1\n@ tally {told}\n")).findings]
    assert any(found in text for text in texts), texts


def test_an_answer_that_a_law_excludes_is_not_offered() -> None:
    """If this failed, a question would offer what cannot have been."""

    class Told(TallyFacts):
        tricks: dict[str, int | None] = counts("tricks", of=6)
        last: str = seat("who took the last trick", asks="who took it")
        laws = (
            Law(
                ("last",),
                lambda known, state: "no trick, no last one" * (known.get(f"tricks.{known.get('last')}") == 0),
            ),
        )

    assert list(Told.facts) == ["tricks.*", "last", "void", "points.*"]
    assert not Told.laws[0].wrong({"tricks.A": 1, "last": "A"}, None)
    assert Told.laws[0].wrong({"tricks.A": 0, "last": "A"}, None)


def test_a_tally_is_made_by_name_or_in_order() -> None:
    """If this failed, a misspelt fact would vanish without a word."""

    class Told(TallyFacts):
        by: str | None = side("who")
        level: int | None = number("how high", 6, 12, key="bid")

    assert Told("NS", level=7) == Told(by="NS", level=7) != Told("NS")
    assert list(Told.facts) == ["by", "bid", "void", "points.*"]
    for wrong in ({"height": 7}, {"bid": 7}):
        with pytest.raises(TypeError, match="by, level"):
            Told(**wrong)
    with pytest.raises(TypeError):
        Told("NS", 7, "", 8)


def test_a_ledger_has_a_row_a_hand_and_the_columns_of_its_form() -> None:
    """If this failed, a sheet would not say what its page declares."""
    state = fold(three("C hand 1\n@ tally tricks.A=3 tricks.B=2 tricks.C=1 last=B\n"))
    (block,) = state.game.sheet(state, Sheet("", (), ())).blocks
    assert block.columns == ("hand", "dealer", "A tricks", "A ±", "A", "B tricks", "B ±", "B", "C tricks", "C ±", "C")
    assert [[cell.text for cell in row.cells] for row in block.rows] == [
        ["1", "C", "3", "+3", "3", "2", "+3", "3", "1", "+1", "1"]
    ]


def test_a_phase_lists_the_acts_that_it_tries() -> None:
    """If this failed, a page would list its acts itself."""
    state = fold(three(SECOND))
    cards = {act.cards for act in state.game.simulation.candidates(state) if isinstance(act, Play)}
    assert cards == {(c,) for c in ("Qh", "Jh", "9h", "Th", "Qc", "Jc")}
