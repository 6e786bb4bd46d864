"""The small page of the tests: its rules, its hidden pick-up, and the penalty with its time limit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from given import given, log
from pages import penalty

from events.model import Recorded
from replay.judging.judge import judge
from replay.redact import hide
from replay.scoring.score_shapes import MatchScore
from replay.scoring.three_ways import score_match
from replay.simulate import simulate

# A holds the clubs, B a king of clubs that it does not play at 6; the stock lies face down.
DEAL = "B hand 1\n@ deal A=AcQcJcAd B=KcKdQdJd stock=8x??\n"
HIDDEN = "B hand 1\n@ deal A=4x?? B=4x?? stock=8x??\n"


@pytest.fixture(autouse=True)
def page() -> Iterator[None]:
    """The page is registered while a test of this file runs, and no longer."""
    with penalty.registered():
        yield


def scored(*lines: str) -> MatchScore:
    """The score of a match of Penalty."""
    return score_match(log("penalty", "\n".join(lines)))


@pytest.mark.parametrize("seed", range(6))
def test_matches_played_by_chance_are_clean_and_scored(seed: int) -> None:
    played = simulate("penalty", seed=seed, hands=3)
    assert not judge(played).broken
    score = score_match(played)
    assert all(sum(n or 0 for n in h.points.values()) == 8 for h in score.hands if h.done)
    assert all(len(h.ways) == 1 for h in score.hands)
    # With the draws and hands hidden nobody is accused either, and whatever is scored is scored alike.
    hidden = score_match(hide(played, "public"))
    assert not judge(hide(played, "public")).broken
    assert [h.points for h in hidden.hands] == [h.points for h in score.hands]


# -- the pick-up


def test_a_discard_that_a_later_card_proves_a_revoke() -> None:
    """Without a pick-up in between: four cards were dealt, and the fourth is played from them."""
    dealt = "B hand 1\n@ deal A=4x?? B=4x??\n"
    given("penalty", dealt + "A play Ac\nB play Kd").opens("P2")
    given("penalty", dealt + "A play Ac\nB play Kd\nA play Qc\nB play Kc").finds("P2", at=4, known=6)


def test_the_same_discard_with_an_unseen_card_picked_up_in_between_stays_open() -> None:
    lines = HIDDEN + "A play Ac\nB play Kd\nA draw ??\nB draw ??\nA play Qc\nB play Kc"
    given("penalty", lines).opens("P2", at=4).clean()
    # Had B shown what it picked up, the king would have been there from the deal.
    given("penalty", lines.replace("B draw ??", "B draw Qh")).finds("P2", at=4, known=8)


# -- the penalty

REVOKE = "A play Ac\nB play Kd\nA draw ??\nB draw ??"
# What is left of the hand, A first; the pick-ups are in it.
CLAIM = "A call revoke B #4"
END = "@ end hand agreed"


def ways(score: MatchScore, hand: int = 0) -> dict[str, dict[str, int | None]]:
    """The points of a hand each way."""
    return {name: dict(way.points) for name, way in score.hands[hand].ways.items()}


def test_a_proven_revoke_claimed_in_time_costs_two_tricks_by_the_rules() -> None:
    score = scored(DEAL + REVOKE, CLAIM, END)
    assert ways(score) == {"played": {"A": 1, "B": 0}, "rules": {"A": 3, "B": -2}, "ruled": {"A": 1, "B": 0}}
    assert score.hands[0].ways["rules"].why == ("2 tricks from B to A for the revoke (penalty.P4, event 4)",)
    assert score.ways["rules"].totals == {"A": 3, "B": -2}
    assert score.totals == {"A": 1, "B": 0}


@pytest.mark.parametrize(
    ("lines", "applies"),
    [
        ((DEAL + REVOKE, END, CLAIM), True),  # after the hand, before the next
        ((DEAL + REVOKE, END, "A hand 2", CLAIM), True),  # the next is announced, but not dealt
        ((DEAL + REVOKE, END, "A hand 2", "@ deal A=4x?? B=4x?? stock=8x??", CLAIM), False),  # too late
        ((DEAL + REVOKE, END), False),  # never claimed
        ((DEAL + REVOKE, "B call revoke B #4", END), False),  # nobody claims against themselves
        ((DEAL + REVOKE, "A call revoke B #3", END), False),  # about another act
        ((HIDDEN + REVOKE, CLAIM, END), False),  # open: nobody knows what B held
        ((DEAL + REVOKE.replace("Kd", "Kc"), CLAIM, END), False),  # claimed, but not so
    ],
)
def test_the_penalty_needs_proof_and_a_claim_in_time(lines: tuple[str, ...], applies: bool) -> None:
    score = scored(*lines)
    expected = {"A": 3, "B": -2} if applies else None
    rules = score.hands[0].ways.get("rules")
    assert (rules.points if rules else None) == expected


def test_proof_may_come_after_the_claim() -> None:
    """Claimed while the hand was hidden, proved by a card shown later: the claim was made in time."""
    dealt = "B hand 1\n@ deal A=4x?? B=4x??\n"
    early = scored(dealt + "A play Ac\nB play Kd", CLAIM, END)
    assert len(early.hands[0].ways) == 1
    late = scored(dealt + "A play Ac\nB play Kd", CLAIM, "A play Qc\nB play Kc", END)
    assert ways(late) == {"played": {"A": 1, "B": 1}, "rules": {"A": 3, "B": -1}, "ruled": {"A": 1, "B": 1}}


def test_hidden_logs_are_records() -> None:
    """The fixture's page also hides: a draw is seen by its owner only."""
    played: list[Recorded] = simulate("penalty", seed=1, hands=1)
    assert any("??" in getattr(r.event, "cards", ()) for r in hide(played, "A"))
