"""The fast judge against every world (replay/testing/worlds.py), and cheats that must be caught."""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import pytest

from events.model import Recorded
from reducers.registry import find_game
from reducers.rules import Verdict
from reducers.table import Pile, Table
from replay.auditing.exhaustive import exact
from replay.judging.assignments import all_assignments, count_assignments
from replay.judging.hidden_cards import HandReading, HiddenCard, read_hand
from replay.judging.judge import deduce, judge
from replay.redact import hide
from replay.simulate import simulate_breaches
from replay.testing import adopt, worlds
from replay.testing.given import log as records
from replay.testing.worlds import GAMES, LISTED_WORLDS, SEEDS, contradictions, overlooked, position, unanswered

adopt(globals(), worlds)
# Nothing can be put in the place of a compiled function.
replaceable = pytest.mark.skipif(
    str(sys.modules[Pile.__module__].__file__).endswith((".so", ".pyd")), reason="the judge is compiled",
)


@pytest.mark.rest
def test_a_judge_that_tries_no_worlds_is_caught() -> None:
    """A control for the test above."""
    assert any(
        text for seed in range(SEEDS) for text in overlooked(tuple(position("kowah", seed)), LISTED_WORLDS, fast=deduce)
    )


def test_a_judge_that_does_not_listen_to_the_worlds_is_caught() -> None:
    """A control for the test above."""
    deaf = [
        text for seed in range(SEEDS)
        for text in unanswered(tuple(position("briscola", seed)), bind=lambda judgement, _: judgement)
    ]
    assert deaf


@replaceable
@pytest.mark.parametrize("game", ["bridge-solitaire", "pontoon"])
def test_worlds_from_the_middle_of_a_hand_say_what_those_from_its_start_say(
    game: str, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If this failed, an act would be judged by cards that were seen, or left the hand, before the worlds began."""
    logs = [hide(simulate_breaches(game, seed=seed, p=0.08, hands=3)[0]) for seed in (1, 3)]
    expected = [judge(log).findings for log in logs]
    read: list[int] = []

    def from_the_start(start: Any, events: Any, first: int, kept: int = 0) -> HandReading | None:
        read.append(kept)
        return read_hand(start, events, first)

    monkeypatch.setattr("replay.judging.worlds.read_hand", from_the_start)
    assert [judge(log).findings for log in logs] == expected
    assert any(read)


@replaceable
def test_a_judge_that_takes_a_discard_for_a_void_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat that did not follow is taken to hold nothing of the suit: "perhaps" becomes "no"."""
    honest = Pile.any_of

    def presumes(self: Pile, mask: int) -> bool | None:
        return honest(self, mask) or False

    def only_fast(log: Any) -> Any:
        with monkeypatch.context() as m:
            m.setattr(Pile, "any_of", presumes)
            return deduce(log)

    assert found_with(only_fast)


@replaceable
def test_a_judge_that_does_not_count_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without counting, unseen slots hold nothing for certain and may hold anything: what is certain is missed."""

    def careless(self: Table, pile: Pile, mask: int) -> tuple[int, int]:
        return 0, pile.hidden

    def only_fast(log: Any) -> Any:
        with monkeypatch.context() as m:
            m.setattr(Table, "bounds", careless)
            return deduce(log)

    assert missed_with(only_fast)
    assert not missed_with(deduce)


@replaceable
def test_elimination_by_presumption_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever leads is taken to have won, so the unseen cards of the trick before are named by it."""
    from reducers.words import trick_play, tricks

    def presumes(*_: Any) -> None:
        return None

    def only_fast(log: Any) -> Any:
        with monkeypatch.context() as m:
            for words in (tricks, trick_play):
                m.setattr(words, "who_led", presumes)
            return deduce(log)

    assert found_with(only_fast, games=("kaiser", "botifarra"))


def found_with(fast: Any, games: Any = None) -> list[str]:
    """The contradictions of another judge."""
    for game in games or GAMES:
        for seed in range(4 * SEEDS):
            found = list(contradictions(tuple(position(game, seed)), limit=300, fast=fast))
            if found:
                return found
    return []


def missed_with(fast: Any) -> list[str]:
    """What counting alone settles in this hand, and another judge leaves open or gets wrong."""
    log = counted_hand()
    verdicts = {(f.at.pos, f.rule): f.verdict for f in fast(log).findings}
    (opinion,) = exact(log)
    return [
        f"{o.pos} {o.rule}" for o in opinion.opinions
        if o.rule and o.verdict == Verdict.BROKEN and verdicts.get((o.pos, o.rule)) != Verdict.BROKEN
    ]  # fmt: skip


def counted_hand() -> list[Recorded]:
    """East has two unseen cards and threw a spade on a heart; the only cards without a place are two hearts."""
    return records(
        "kaiser",
        """
        W hand 1
        @ deal N=AhKhAcKcQcJcTc9c S=AdKdQdJdTd9d8d7d W=AsKsQsJsTs9s8s7h E=6x??8c3s
        N pass
        E pass
        S bid 6no
        W pass
        N play Ah
        E play 3s
        """,
    )


def test_as_many_worlds_are_counted_as_there_are() -> None:
    """If this failed, a hand would be tried that has too many worlds, or one not be tried that has few."""
    pack = find_game("kaiser").pack
    several = 0
    for seed in range(120):
        chance = Random(seed)
        free = chance.sample(list(pack.codes(pack.full)), chance.randint(0, 8))
        slots: list[HiddenCard] = []
        for place in range(chance.randint(0, 4)):
            may_be = chance.choice((free, chance.sample(free, len(free) // 2))) or [pack.code["8h"]]
            slots += [
                HiddenCard((("N", place, place),), sum(pack.field[code] for code in may_be))
            ] * chance.randint(1, 3)
        bag = sum(pack.unit[code] for code in free)
        there = len(list(all_assignments(slots, bag, pack)))
        assert count_assignments(slots, bag, pack) == there
        # Of cards that nobody counted there may be any number.
        uncounted = [*slots, HiddenCard((("E", 0, 0),), bag or pack.unit[pack.code["8h"]], many=True)]
        assert count_assignments(uncounted, bag, pack) >= len(list(all_assignments(uncounted, bag, pack)))
        several += there > 1
    assert several > 30
