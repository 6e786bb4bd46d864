"""How many taps a hand takes on the phone page."""

from __future__ import annotations

import statistics

import pytest
from taps import taps_of_a_hand

from replay.redact import hide
from replay.simulate import simulate

MOST_TAPS = {"kaiser": 55, "scopa": 90}
"""The taps of a hand: the median of fifty hidden hands."""


@pytest.mark.parametrize(("game", "hands"), [("kaiser", 3), *(pytest.param(game, 50, marks=pytest.mark.slow) for game in MOST_TAPS)])
def test_a_hand_takes_no_more_taps(game: str, hands: int) -> None:
    """If this failed, a recorder would look at the phone more than at the table."""
    assert statistics.median(taps_of_a_hand(hide(simulate(game, seed=seed, hands=1)))[0] for seed in range(hands)) <= MOST_TAPS[game]
