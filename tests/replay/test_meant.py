"""A correction moves the numbers of melds; what was typed before it still means the melds that it meant."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from given import Given, given
from msgspec.structs import replace
from sampling import seeds

from events.model import Event, Fix, Meld, Recorded
from events.writing import write_event
from reducers.begin import begin
from reducers.evolve import evolve
from replay import references as meant
from replay.fold import corrected
from replay.judging.judge import judge
from replay.paper.report import render_report, report
from replay.redact import hide
from replay.references import heights, names_in, renamed
from replay.simulate import simulate_breaches
from replay.table.session import Session

BURRACO = """
    W hand 1
    @ deal N=11x?? E=11x?? S=11x?? W=11x??
    @ deal up discard=7h
    N draw ??
    N meld 4s5s6s
    N meld KcKdKh
"""
JERSEY = """
    C hand 1
    @ deal A=10x?? B=10x?? C=10x??
    @ deal up discard=7h
    A draw ??
    A discard down ??
    A meld 4s5s6s
    A meld KcKdKh
"""
CONQUIAN = """
    B hand 1
    @ deal A=10x?? B=10x??
    A draw up 4s
    A arrange 4s5s6s
"""


def as_read(case: Given) -> dict[int, str]:
    """Each line as it is meant, by its position."""
    return {p.n: write_event(p.event) for p in corrected(case.records).events}


def conflicts(case: Given) -> list[str]:
    return [f.text for f in case.judgement.broken if f.rule == "table.T11"]


@pytest.mark.parametrize(
    ("lines", "typed", "fix", "read"),
    [
        # One that was forgotten: before the meld that is meant, after it, or of the other side.
        (BURRACO, "N meld Ks >meld:NS:2", "@ fix #4+ N meld 9c9d9h", "N meld Ks >meld:NS:3"),
        (BURRACO, "N meld Ks >meld:NS:2", "@ fix #5+ N meld 9c9d9h", "N meld Ks >meld:NS:3"),
        (BURRACO, "N meld Ks >meld:NS:2", "@ fix #6+ N meld 9c9d9h", "N meld Ks >meld:NS:2"),
        (BURRACO, "N meld Ks >meld:NS:2", "@ fix #4+ E meld 9c9d9h", "N meld Ks >meld:NS:2"),
        (BURRACO, "N meld 7s >meld:NS:1", "@ fix #4+ N meld 9c9d9h/QcQdQh", "N meld 7s >meld:NS:3"),
        # One that was struck out; a line that lays more groups than before, or others.
        (BURRACO, "N meld Ks >meld:NS:2", "@ fix #5-", "N meld Ks >meld:NS:1"),
        (BURRACO, "N meld Ks >meld:NS:2", "@ fix #5 N meld 4s5s6s/9c9d9h", "N meld Ks >meld:NS:3"),
        (BURRACO, "N meld 7s >meld:NS:1", "@ fix #5 N meld 9c9d9h/4s5s6s", "N meld 7s >meld:NS:2"),
        (BURRACO, "N meld 7s >meld:NS:1", "@ fix #5 N meld 3s4s5s6s", "N meld 7s >meld:NS:1"),
        (BURRACO, "N meld 7s >meld:NS:1", "@ fix #5 N meld 4h5h6h", "N meld 7s >meld:NS:1"),
        # A card that goes only where somebody meant it who counted the meld that was forgotten.
        (BURRACO, "N meld Ks >meld:NS:1", "@ fix #4+ N meld KcKdKh/9c9d9h", "N meld Ks >meld:NS:1"),
        # What was typed for another seat; cards taken back.
        (BURRACO, "N meld 7s >meld:NS:1", "@ fix #5 E meld 4s5s6s", "N meld 7s >meld:EW:1"),
        (BURRACO, "N move * <meld:NS:2 >N", "@ fix #4+ N meld 9c9d9h", "N move * <meld:NS:3 >N"),
        (JERSEY, "C meld Ks >meld:A:2", "@ fix #5+ A meld 9c9d9h", "C meld Ks >meld:A:3"),
        (JERSEY, "C meld Ks >meld:A:2", "@ fix #6-", "C meld Ks >meld:A:1"),
        (CONQUIAN, "A meld 7s >meld:A:1", "@ fix #3+ A arrange KcKdKh", "A meld 7s >meld:A:2"),
        (CONQUIAN, "A arrange meld:A:1=4s5s6s7s", "@ fix #3+ A meld KcKdKh", "A arrange meld:A:2=4s5s6s7s"),
        # Nothing that has a number is corrected.
        (BURRACO, "N meld Ks >meld:NS:2", "@ fix #4 N draw 9c", "N meld Ks >meld:NS:2"),
    ],
)  # fmt: skip
def test_a_reference_means_the_meld_it_meant_when_it_was_typed(lines: str, typed: str, fix: str, read: str) -> None:
    """A lay-off would land on another meld because a forgotten one was put in, and look like a breach."""
    game = {BURRACO: "burraco", JERSEY: "jersey-gin", CONQUIAN: "conquian"}[lines]
    case = given(game, lines).when(typed, fix)
    at = case.records[-2].n
    assert as_read(case)[at] == read
    assert not conflicts(case)


def test_melds_that_were_typed_in_each_others_place_keep_what_was_laid_on_them() -> None:
    """If this failed, two lines put in their right order would exchange what was laid on them later."""
    case = given("burraco", BURRACO).when("N meld 7s >meld:NS:1", "@ fix #5 N meld KcKdKh", "@ fix #6 N meld 4s5s6s")
    assert as_read(case)[7] == "N meld 7s >meld:NS:2"
    assert not conflicts(case)


def test_a_legal_lay_off_is_not_broken_because_a_number_moved() -> None:
    case = given("burraco", BURRACO).when("N meld Ks >meld:NS:2", "@ fix #5+ N meld 9c9d9h", "N meld 9s >meld:NS:2").clean()
    piles = case.judgement.state.table.piles
    assert [len(piles[f"meld:NS:{i}"]) for i in (1, 2, 3)] == [3, 4, 4]
    case.when("N meld 8s >meld:NS:3").finds("R5")


def test_what_is_typed_after_the_correction_means_the_numbers_of_then() -> None:
    case = given("burraco", BURRACO).when("@ fix #5+ N meld 9c9d9h", "N meld 9s >meld:NS:2", "@ fix #4+ N meld QcQdQh")
    assert as_read(case)[8] == "N meld 9s >meld:NS:3"


def test_a_reference_that_is_corrected_was_typed_when_it_was_corrected() -> None:
    case = given("burraco", BURRACO).when("N meld Ks >meld:NS:1", "@ fix #4+ N meld 9c9d9h", "@ fix #7 N meld Ks >meld:NS:3")
    assert as_read(case)[7] == "N meld Ks >meld:NS:3"
    case.clean()
    later = case.when("@ fix #4+ N meld QcQdQh").clean()
    assert as_read(later)[7] == "N meld Ks >meld:NS:4"


def test_a_meld_struck_out_and_typed_again_is_the_same_meld() -> None:
    case = given("burraco", BURRACO).when("N meld Ks >meld:NS:2", "@ fix #6-", "@ fix #4+ N meld KdKhKc")
    assert as_read(case)[7] == "N meld Ks >meld:NS:1"
    assert not conflicts(case)


@pytest.mark.parametrize("fix", ["@ fix #6-", "@ fix #6 N discard Kc", "@ fix #5 N meld 4s5s6s/KcKdKh"])
def test_a_reference_whose_meld_is_gone_is_named_and_nobody_is_accused_of_it(fix: str) -> None:
    case = given("burraco", BURRACO).when("N meld Ks >meld:NS:2", fix)
    if "KcKdKh" in fix:
        # The same meld on another line, and the line that had it: the cards are in conflict, the reference is not.
        assert not conflicts(case)
        return
    (text,) = conflicts(case)
    assert "meld:NS:2 was laid at 6" in text
    found = case.about(7)
    assert not [f for f in found if f.verdict == "broken" and f.rule != "table.T11"]
    assert "open" in {f.verdict for f in found}


def test_what_speaks_of_no_meld_is_left_as_it_was_typed() -> None:
    """A meld that nobody wrote has the number that the table gave it, and has it still when it is put in."""
    case = given("burraco", BURRACO).when("N meld 9s >meld:NS:3")
    case.finds("R13")
    assert as_read(case.when("@ fix #6+ N meld 9c9d9h"))[7] == "N meld 9s >meld:NS:3"
    case.when("@ fix #6+ N meld 9c9d9h").clean()


def test_numbers_of_another_hand_stay() -> None:
    second = BURRACO + "N meld Ks >meld:NS:2\n@ end hand agreed\n" + BURRACO.replace("hand 1", "hand 2")
    case = given("burraco", second).when("N meld Ks >meld:NS:2", "@ fix #4+ N meld 9c9d9h")
    assert [text for text in as_read(case).values() if ">meld" in text] == ["N meld Ks >meld:NS:3", "N meld Ks >meld:NS:2"]


def test_a_line_that_is_read_otherwise_says_so() -> None:
    case = given("burraco", BURRACO).when("N meld Ks >meld:NS:2", "@ fix #4+ N meld 9c9d9h")
    placed = next(p for p in corrected(case.records).events if p.n == 7)
    assert placed.typed == case.records[7].event
    assert "typed as" in render_report(report(case.records, 1), "md")


def test_a_correction_taken_back_gives_back_what_was_meant() -> None:
    case = given("burraco", BURRACO).when("N meld Ks >meld:NS:2", "@ fix #4+ N meld 9c9d9h", "@ fix #7 N meld 7s >meld:NS:2")
    (back,) = Session(case.records).undo().events
    assert isinstance(back.event, Fix)
    assert back.event.event is not None
    assert write_event(back.event.event) == "N meld Ks >meld:NS:3"


def test_so_many_corrections_that_nothing_is_read_any_more_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meant, "PATIENCE", 3)
    case = given("burraco", BURRACO).when("N meld Ks >meld:NS:2", "@ fix #4+ N meld 9c9d9h")
    (text,) = conflicts(case)
    assert "too many corrections" in text
    assert not [f for f in case.about(7) if f.verdict == "broken" and f.rule != "table.T11"]


def melds_of(log: list[Recorded]) -> dict[int, tuple[int, list[str]]]:
    """For each line its hand, and the melds that it lays without naming them."""
    state = begin(log[0].event.facts)  # type: ignore[union-attr]  # an opening
    out: dict[int, tuple[int, list[str]]] = {}
    for r in log[1:]:
        before, hand = heights(state), state.number
        state.at = state.table.now = r.n
        evolve(state, r.event)
        after = heights(state)
        before = before if state.number == hand else {}
        laid = isinstance(r.event, Meld) and not r.event.to
        out[r.n] = state.number, [name for name in after if laid and after[name] > before.get(name, 0)]
    return out


def forgotten(log: list[Recorded], at: int, noticed: int) -> tuple[list[Recorded], dict[int, int]] | None:
    """The log as it is kept if the line `at` is forgotten and put in after the line `noticed`; who each line is.

    The numbers of melds are those of the record as it stood. None if somebody adds to the forgotten meld before.
    """
    melds = melds_of(log)
    hand, gone = melds[at]
    out: list[Recorded] = []
    was: dict[int, int] = {}

    def keep(r: Recorded, event: Event) -> None:
        was[len(out)] = r.n
        out.append(replace(r, n=len(out), event=event))

    for r in log:
        event = r.event
        if at < r.n <= noticed and melds[r.n][0] == hand and not isinstance(event, Fix):
            names: dict[str, str] = {}
            for name in names_in(event):
                stem, _, number = name.rpartition(":")
                if name in gone:
                    return None
                names[name] = f"{stem}:{int(number) - sum(name.rpartition(':')[0] == stem and int(name.rpartition(':')[2]) < int(number) for name in gone)}"
            event = renamed(event, names)
        if r.n != at:
            keep(r, event)
        if r.n == noticed:
            keep(log[at], Fix(by="@", at=at - 1, how="insert", event=log[at].event))  # type: ignore[arg-type]  # a line of play
    return out, was


def verdicts(log: list[Recorded], was: dict[int, int] | None = None) -> tuple[Any, ...]:
    """What the judge says of each line, and what the hands come to."""
    said = judge(log)
    found = sorted((f.at.pos if was is None else was[f.at.pos], f.rule, f.verdict.value, f.text) for f in said.findings)
    return found, [score.totals for score in said.state.scores]


@pytest.mark.parametrize("game", ["burraco", "jersey-gin"])
@pytest.mark.parametrize("seed", seeds(4, 40))
def test_a_forgotten_meld_put_in_later_leaves_every_verdict_as_it_was(game: str, seed: int) -> None:
    """To forget a line and to correct it would change what is said of the lines between."""
    log, _ = simulate_breaches(game, seed=f"meant-{seed}", p=0.05, hands=2)
    log = hide(log) if seed % 2 else log
    assert not any(getattr(r.event, "refs", ()) for r in log)
    random = Random(seed)
    laying = [n for n, (_, names) in melds_of(log).items() if names and n + 1 < len(log)]
    wanted = verdicts(log)
    for at in random.sample(laying, min(4, len(laying))):
        noticed = min(len(log) - 1, at + random.randrange(1, 30))
        # Before anybody adds to the forgotten meld it is noticed.
        found = next(f for n in (noticed, at + 1, at) if (f := forgotten(log, at, n)) is not None)
        assert verdicts(*found) == wanted
