"""No record stops the judge: whatever is written, everything that reads a log answers, and none of it runs without
limit."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path
from types import UnionType
from typing import Any

import pytest
from given import log
from mayhem import FORMS, TooLongError, answered, logs, numbered, read_in_time, spliced
from msgspec.structs import replace
from sampling import each_game, sampled, sized

from benchmarks.repetition import blocks
from benchmarks.repetition import repeated as lines
from events.cards import check_cards, item, squeeze
from events.kib import read_kib
from events.model import (
    Arrange,
    Back,
    Bid,
    Call,
    Capture,
    Discard,
    Draw,
    Fix,
    Meld,
    Move,
    Open,
    Pass,
    Play,
    Recorded,
    Show,
)
from events.writing import write_kib
from reducers import evolve as folding
from reducers.evolve import each_pile, evolve
from reducers.first_state import begin
from reducers.model import State
from reducers.registry import PAGES, find_game
from reducers.words import tricks
from replay import read_log
from replay.auditing.audit import audit_of
from replay.auditing.check import check
from replay.auditing.exhaustive import exact
from replay.auditing.proof import HindsightReplay
from replay.budget import COPY, Budget, Cut, budget_for, cuts_in_words
from replay.fold import corrected
from replay.judging import contradictions, segments
from replay.judging.judge import deduce, judge
from replay.paper import report as reporting
from replay.paper.report import report
from replay.redact import hide
from replay.simulate import simulate, simulate_breaches
from replay.testing.conformance import opening

GAMES = sorted(PAGES)
# Nothing can be put in the place of a compiled function.
replaceable = pytest.mark.skipif(
    str(tricks.__file__).endswith((".so", ".pyd")), reason="the words of the games are compiled",
)
START = "W hand 1\n@ deal N=11x?? E=11x?? S=11x?? W=11x??\n@ deal up discard=7h\nN draw ??\n"


@cache
def short_logs(game: str, seed: int) -> dict[str, list[Recorded]]:
    """A log of each form."""
    return dict(zip(FORMS, logs(game, seed, 15), strict=True))


@sampled("game, seed, form", GAMES, product(range(2), FORMS), each=1, short=2)
def test_any_lines_in_any_order_are_answered(game: str, seed: int, form: str) -> None:
    """If this failed, a line that somebody may type would end a command with "something went wrong", or never end
    it."""
    answered(short_logs(game, seed)[form], pages=(seed, form) == (1, "hidden and changed"), steps=3_000)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("game", GAMES)
def test_lines_in_any_order_are_answered_long(game: str, seed: int) -> None:
    """The same, for many more of them, with every page and the exact opinion."""
    for one in logs(game, 1000 + seed):
        answered(one, second=True)


RECORDS = 30
"""So many records of each game are put together otherwise in every run, 25,000 in the soak: 1,230 and a million over
all games."""


@each_game(GAMES, short=1)
def test_lines_of_whole_hands_put_together_otherwise_are_read_in_time(game: str) -> None:
    """If this failed, one slip of a recorder, or two, would stop `check`, `score`, `show` and the next line."""
    read_all_in_time(game, range(RECORDS))


def test_a_hand_with_a_drawn_and_a_thrown_card_unseen_is_scored_in_time() -> None:
    """If this failed, a hand would be scored anew from its first line for each of two thousand ways two cards can
    lie."""
    read_in_time(log("jersey-gin", TWO_UNSEEN_CARDS, Seats="A B C"))


TWO_UNSEEN_CARDS = """
    B hand 1
    @ deal C=10x?? A=10x?? B=10x??
    @ deal up discard=Kc
    @ deal down stock=21x??
    C draw ??
    C discard 8c
    A draw 8c <discard
    A discard 4s
    B draw 4s <discard
    B discard Qc
    C draw ??
    C discard down ??
    C meld 2h3h4h5h
    C meld ThJhQh
    C show 6cAd2s
    A meld 9h >meld:C:2
    A meld Kh >meld:C:2
    B meld 4s5s6s7s8s
    A meld 9sTsJs
    A meld 8c8d8h
    A show 3cAs
    B show Tc2d3d5dKd
"""


@pytest.mark.slow
@pytest.mark.parametrize("begin", range(RECORDS, 25_000, 1_000))
@pytest.mark.parametrize("game", GAMES)
def test_lines_of_whole_hands_put_together_otherwise_are_read_in_time_long(game: str, begin: int) -> None:
    """The same for many more."""
    read_all_in_time(game, range(begin, min(begin + 1_000, 25_000)))


def read_all_in_time(game: str, seeds: range, seconds: float = 1.0) -> None:
    """Read these records; what is raised says which one it was."""
    for seed in seeds:
        try:
            read_in_time(spliced(game, seed), seconds)
        except Exception as wrong:
            wrong.add_note(f"spliced({game!r}, {seed}):\n{write_kib(spliced(game, seed))}")
            raise


@each_game(GAMES, short=2)
def test_any_act_before_the_first_hand_is_answered(game: str) -> None:
    """If this failed, a first line by somebody who has no seat, or one that is taken back at once, would stop the
    judge."""
    whole = simulate(game, seed=1, hands=1)
    kinds = {type(r.event): r.event for r in whole[1:]} | {
        Move: Move(by="@", cards=("7h",), src="trick", to="won:A"), Show: Show(by="@", groups=(("7h",),)),
    }
    for event in kinds.values():
        for by in (event.by, begin(opening(whole)).terms.seats[0], "Z"):
            for behind in ([], [Back(by=by)], [Back(by=by), *(r.event for r in whole[1:4])]):
                read_in_time(numbered(whole[0], [replace(event, by=by), *behind]), 5)


@replaceable
def test_a_page_that_loops_or_raises_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Controls for the test above."""

    def goes_on(*_: object) -> None:
        while True:
            pass

    def raises(*_: object) -> None:
        raise IndexError

    # What the records are made of is simulated before the page is broken.
    read_all_in_time("kaiser", range(20), 5)
    for page, wrong in ((goes_on, TooLongError), (raises, IndexError)):
        monkeypatch.setattr(tricks.Tricks, "_finish", page)
        with pytest.raises(wrong):
            read_all_in_time("kaiser", range(20), 0.5)


CASES = {
    "a whole pile as a meld": (
        "jersey-gin",
        "C hand 1\n@ deal A=10x?? B=10x?? C=10x??\n@ deal up discard=7h\nA draw ??\nA discard down ??\nA meld *",
    ),
    "cards laid on the discard pile as a meld": ("burraco", START + "N meld 3c4c5c6c7c8c9c >discard"),
    "cards laid on a holding as a meld": ("burraco", START + "N meld 3c4c5c6c7c8c9c >hand:E"),
    "a pozzetto moved that nobody laid out": (
        "burraco",
        START
        + (
            "N meld 3c4c5c6c7c8c9c/KcKdKhKs\nN discard 5d\nN move 11x?? <pozzetto:1 >hand:N\nE discard 6d\nS "
            "discard 6s\nW discard 6h\nN draw ??"
        ),
    ),
    "the whole of an empty pile drawn": ("burraco", START + "N draw * <pozzetto:2\nN draw * <meld:NS:1\nN discard *"),
    "the whole hand played to a trick": ("kaiser", "W hand 1\nN play *\nE play *\n"),
    "a trick moved before any hand": ("botifarra", "@ move * <trick >won:NS"),
    "a row of a million piles": ("california-speed", "@ hand 1\nA deal up col:A:1..999999=4x??"),
    "a row that ends before it begins": ("russian-bank", "@ hand 1\n@ deal up col:A:4..1=4x??"),
    "more cards than there are": (
        "scopa", "@ hand 1\n@ deal A=999x?? board=999x??\nA play 999x??\nB capture 999x??/999x??",
    ),
    "a card taken back by the table": ("court-piece", "W hand 1\n@ back\nN name h\nN play Qd\nN play Kd"),
    "a card of somebody who has no seat": ("scopa", "@ hand 1\nX play 7h\n@ play 7h\n@ capture 7h/7c"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_piles_and_counts_that_mean_nothing_are_findings(name: str) -> None:
    """If this failed, a pile of the wrong kind or a count beyond the pack would stop the judge."""
    game, lines = CASES[name]
    answered(log(game, lines))


def test_a_hand_laid_out_again_in_a_shorter_log_is_dated_by_its_own_steps() -> None:
    """If this failed, a finding in a hand whose dealer is open could not be dated once a tally stood within it."""
    read_in_time(spliced("pay-me", 3_900_585), 5)


def test_an_act_taken_back_behind_a_finished_hand_is_asked_for_in_all_worlds() -> None:
    """If this failed, the first act of a hand, taken back, would stop the judge of a match told so far by a tally."""
    lines = "@ tally king=void points.B=A\nB call propose\nB back\nA draw 3x??\nB call propose\nA play Ad"
    read_in_time(log("ecarte", lines), 5)


@pytest.mark.parametrize("by", ["A", "@"])
def test_an_act_of_nobody_at_the_table_begins_no_hand(by: str) -> None:
    """If this failed, a raise by somebody without a seat would stop the judge where a hand may be over."""
    dealt = "@ deal S=Ah3dQh E=5s2h6d N=4s2dKd W=6s3s4d\n@ deal up upcard=5c"
    for written in ("W hand 1\nE play 5d\n{}\n" + dealt, "W hand 1\n" + dealt + "\nS play 3d\n@ tally winner=NS\n{}"):
        read_in_time(log("envite", written.format(f"{by} bid 4"), seats="N E S W"), 5)


def test_more_cards_than_the_pack_has_are_one_finding() -> None:
    """If this failed, a count with a digit too many would bring a thousand findings, or none."""
    found = [f for f in judge(log("scopa", "B hand 1\n@ deal A=999x??")).broken if f.rule == "table.T3"]
    assert [f.text for f in found] == ["999 cards are more than the 40 of the pack"]


def test_a_count_never_grows_beyond_what_can_be_written() -> None:
    """If this failed, cards read as unseen side by side would come to a count that no reader takes."""
    assert squeeze(["999x??", "??", "999x??"]) == ("999x??",)


def test_a_star_is_cards_nobody_named_or_counted() -> None:
    """If this failed, each place that reads groups of cards would need a case of its own for `*`."""
    assert (item("*").count, item("*").card) == (None, "??")
    with pytest.raises(ValueError, match="must stand alone"):
        check_cards(("7h", "*"))


def test_a_name_means_a_hundred_piles_at_most() -> None:
    """If this failed, one line could lay out more piles than memory holds."""
    assert len(each_pile("col:B:1..999999")) == 100
    assert each_pile("col:B:3..1") == ["col:B:3"]


# -- the budget


def repeated(n: int, game: str = "kaiser", line: str = "E play 8s") -> list[Recorded]:
    """A log of one line, written so many times."""
    return log(game, "\n".join([line] * n), seats="N E S W")


def steps(n: int) -> int:
    """How many steps are gone for a line that was written so many times."""
    budget = budget_for(n)
    check(repeated(n), budget=budget)
    return budget.spent


@pytest.mark.both
def test_the_steps_for_equal_lines_grow_no_faster_than_the_record() -> None:
    """If this failed, a record of one line typed again and again would take longer and longer for each line."""
    size = sized(30, 60)
    few, many = steps(size), steps(4 * size)
    assert many <= 5 * few


def work(records: list[Recorded]) -> int:
    """How many functions are called to judge a log and to look for corrections, as far as that is always done.

    Steps do not show what a step costs; calls do, and are the same on any machine.
    """
    return calls(lambda: check(records, budget=Budget(1)))


def calls(what: Callable[[], object]) -> int:
    """How many functions are called to do this."""
    count = 0

    def called(frame: object, kind: str, arg: object) -> None:
        nonlocal count
        count += kind in ("call", "c_call")

    sys.setprofile(called)
    try:
        what()
    finally:
        sys.setprofile(None)
    return count


# The others contradict themselves, and so are read again, the more or the less often as the block ends here or there.
STEADY = ("one line alone", "a tally", "a pass", "a fix", "a line put in", "a line struck", "a ruling")


@sampled("game, name", GAMES, STEADY, each=1, short=3)
def test_the_work_for_repeated_lines_grows_no_faster_than_the_record(game: str, name: str) -> None:
    """If this failed, a key that sticks, or a program that writes the same lines for ever, would stop the judge."""
    before, block = next((before, block) for known, before, block in blocks(game) if known == name)
    # Lines beyond the cards of the pack cost more each, as they contradict those before: all are, or none.
    few_lines = 40 if find_game(game).pack.size <= 80 else 120
    few, more, most = (work(lines(before, block, len(before) + n * few_lines)) for n in (1, 2, 4))
    # Twice as many lines are added: twice the work, and for anything quadratic four times.
    assert most - more <= 3 * max(more - few, 0) + 5_000, (few, more, most)


@pytest.mark.both
@pytest.mark.parametrize("game", ["kaiser", pytest.param("scopa", marks=pytest.mark.rest), "yaniv"])
def test_the_work_to_audit_repeated_lines_grows_no_faster_than_the_record(game: str) -> None:
    """If this failed, what stands behind each of a thousand findings would be looked for through the whole match."""

    def audited(records: list[Recorded]) -> int:
        found = check(records, budget=Budget(1))
        return calls(lambda: audit_of(HindsightReplay(read_log.read_log(records)), found))

    made = {name: (before, block) for name, before, block in blocks(game)}
    before, two = made["two lines"]
    # A hand begun and left again and again, each with something to find in it.
    for block in (two, made["the hand line"][1] + made["a stop"][1] + made["a meld"][1]):
        size = sized(20, 60)
        few, more, most = (audited(lines(before, block, len(before) + n)) for n in (size, 2 * size, 4 * size))
        assert most - more <= 3 * max(more - few, 0) + 5_000, (block, few, more, most)


@pytest.mark.parametrize(("game", "seat", "owner"), [("burraco", "N", "NS"), ("jersey-gin", "A", "A")])
def test_melds_laid_again_and_again_are_numbered_in_time(game: str, seat: str, owner: str) -> None:
    """If this failed, every meld after a correction would be looked for among all that lie on the table."""
    start = f"{seat} hand 1\n{seat} meld 3c4c5c\n{seat} meld 6c >meld:{owner}:1\n@ fix #1+ {seat} meld 7c8c9c\n"
    # The first reading fills what is found only once, and does not count.
    _, few, more, most = (
        calls(lambda n=n: corrected(log(game, start + f"{seat} meld TcJcQc\n" * n))) for n in (40, 40, 80, 160)
    )
    assert most - more <= 3 * (more - few), (few, more, most)


@pytest.mark.rest
def test_equal_lines_are_all_found_and_the_places_are_named_in_short() -> None:
    """If this failed, a card recorded fifty times would be told with all fifty positions, in each of fifty findings."""
    found = [f for f in judge(repeated(50)).broken if f.rule == "table.T2"]
    assert len(found) == 49
    assert found[-1].text.endswith("(recorded at 1, 2, 3 and 46 more, and at 50)")
    assert found[-1].evidence == (1, 2, 3, 50)
    assert found[3].text.endswith("(recorded at 1, 2, 3, 4 and at 5)")


@pytest.mark.rest
def test_what_was_cut_short_is_said() -> None:
    """If this failed, nobody could tell an answer that was looked for to the end from one that was not."""
    judgement = judge(repeated(200))
    assert judgement.cuts == (Cut(1, "dates"),)
    assert cuts_in_words(judgement.cuts) == [
        "cut short in hand 1: too many findings to date each; some may have been known earlier"
    ]
    assert all(f.bound for f in judgement.broken[-20:] if not f.rule.startswith("table.") and f.known_from != f.at)


@pytest.mark.parametrize("game", GAMES)
def test_a_clean_record_is_never_cut_short(game: str) -> None:
    """If this failed, the budget would be too small for the records that tables keep."""
    assert check(hide(simulate(game, seed=5, hands=1))).cuts == ()


@pytest.mark.rest
def test_a_hand_of_thousands_of_unseen_cards_can_be_followed() -> None:
    """If this failed, a hand would be too long for the exact opinion, and end in an error of the program."""
    events = [
        r.event for r in log("conquian", "B hand 1\n@ deal A=8x?? B=8x??")[1:]
    ] + [Draw(by="A", cards=("??",))] * 2000
    (opinion,) = exact(numbered(Recorded(n=0, event=Open(by="@", facts={"Game": "conquian"})), events))
    assert opinion.worlds == 0 or opinion.points is not None


@each_game(GAMES, short=3)
def test_what_was_made_up_can_be_written_and_read(game: str, tmp_path: Path) -> None:
    """If this failed, the logs tried here would not be such as a file can hold."""
    for one in logs(game, 3, 10):
        reading = read_kib(write_kib(one))
        assert [r.event for r in reading.records[1:]] == [r.event for r in one[1:]], reading.errors


@replaceable
@pytest.mark.parametrize("hands", [40, pytest.param(150, marks=pytest.mark.rest)])
def test_states_that_are_begun_or_copied_are_counted_as_steps(hands: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, 51 KB of empty hands would take four times as long as any other record of that length."""
    made = 0

    def counted(work: Callable[..., State[Any]]) -> Callable[..., State[Any]]:
        def counting(*args: Any) -> State[Any]:
            nonlocal made
            made += 1
            return work(*args)

        return counting

    monkeypatch.setattr(State, "fork", counted(State.fork))
    for module in (contradictions, segments):
        monkeypatch.setattr(module, "begin", counted(begin))
    budget = Budget(100 * hands)
    check(log("kaiser", "".join(f"N hand {n}\n" for n in range(1, hands + 1))), budget=budget)
    assert hands < made <= 1.5 * budget.limit / COPY


def test_the_state_before_a_gap_does_not_grow_with_the_record() -> None:
    """If this failed, a record of some thousand gaps would be copied whole at each of them."""
    records = log("kaiser", "".join(f"N hand {n}\n@ gap\n@ gap\n" for n in range(1, 4)))
    state = begin(corrected(records).opening.facts)
    state.table.journal = []
    seen = 0
    for r in records[1:]:
        state.at = state.table.now = r.n
        evolve(state, r.event)
        if state.undone is not None:
            seen += 1
            assert state.undone[1].table.journal is None
            assert state.undone[1].undone is None
    assert seen == 6


ACTS = Draw | Discard | Play | Capture | Meld | Move | Arrange


def acts_over_and_over(example: str, lines: int, kinds: UnionType = ACTS) -> list[Recorded]:
    """The beginning of an example, and so many of its acts in one hand, again and again."""
    records = list(read_kib((Path(__file__).parent.parent / "examples" / f"{example}.kib").read_text()).records)
    begun = next(i for i, r in enumerate(records) if isinstance(r.event, Draw | Play | Move | Meld))
    acts = [r.event for r in records[begun:] if isinstance(r.event, kinds)]
    return [*records[:begun], *(Recorded(n=begun + i, event=acts[i % len(acts)]) for i in range(lines))]


@replaceable
@pytest.mark.parametrize(
    "game",
    ["burraco-club", "envite-laguna", pytest.param("machiavelli-loggia", marks=pytest.mark.rest), "xeri-kafenio"],
)
def test_plays_that_make_no_sense_take_hardly_more_steps_than_their_budget(
    game: str, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If this failed, some 50 KB of the acts of one hand, over and over, would keep `check` and `report` busy for
    half a minute."""
    begun_again = 0

    def counted(*args: Any, **more: Any) -> frozenset[str]:
        nonlocal begun_again
        begun_again += 1
        return deal_again(*args, **more)

    deal_again = folding.deal_again
    monkeypatch.setattr(folding, "deal_again", counted)
    budget = Budget(20_000)
    check(acts_over_and_over(game, 400), budget=budget)
    # To find out who dealt a hand, it is laid out again for each seat: that counts as well.
    assert COPY * begun_again < 2 * budget.limit
    assert cuts_in_words(budget.cuts)
    # The last look that is begun is done to its end.
    assert budget.spent < 3 * budget.limit


@pytest.mark.parametrize(
    "example", ["botifarra-cafe", "envite-laguna", "hasenpfeffer-grange", "machiavelli-loggia", "pluck-cabin"],
)
def test_nothing_more_is_looked_for_once_the_budget_is_spent(example: str) -> None:
    """If this failed, a record that takes all steps to be read once would be read again for its corrections, and for
    every way its cards can lie."""
    records = acts_over_and_over(example, 400, ACTS | Pass | Call | Fix)
    read_once, checked = Budget(0), Budget(0)
    deduce(records, read_once)
    check(records, budget=checked)
    assert checked.spent == read_once.spent
    assert Cut(1, "corrections") in checked.cuts


def test_a_card_easily_typed_for_another_is_not_tried_beyond_the_budget() -> None:
    """If this failed, each card of the pack would be tried in a hand of hundreds of lines, each for as long as the
    whole record takes."""
    budget = Budget(40_000)
    check(acts_over_and_over("bridge-solitaire-1", 550, ACTS | Bid | Pass), budget=budget)
    assert budget.spent < 3 * budget.limit


@replaceable
def test_only_so_many_findings_of_a_hand_have_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, a report on a hand of thousands of breaches would draw the table for each of them, and take
    half a minute."""
    log = simulate_breaches("kaiser", seed=1, p=0.5, hands=1)[0]
    whole = report(log, 1)
    assert 3 < len(whole.findings) <= reporting.MOST_PAGES
    monkeypatch.setattr(reporting, "MOST_PAGES", 3)
    few = report(log, 1)
    assert few.findings == whole.findings[:3]
    assert few.parts == whole.parts


def test_no_pile_is_higher_than_the_pack() -> None:
    """If this failed, every further card of nowhere would make the table slower to look at."""
    state = begin({"Game": "xeri"})
    table, pack = state.table, state.game.pack
    for code in (pack.code["7h"], *[pack.unknown] * 200):
        table.move_one(code, table.row("nowhere"), table.row("board"))
    row = table.row("board").row
    assert row is not None
    assert len(row) == 52
    assert row[0] == pack.code["7h"]
