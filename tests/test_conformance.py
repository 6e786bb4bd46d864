"""What every game must keep (replay/testing/conformance.py), and two records that did not once."""

import pytest

from replay.testing import adopt, conformance

adopt(globals(), conformance)


@pytest.mark.parametrize(("table", "seed"), [("jersey-gin", 6), ("scopa-target=5", 4)])
def test_a_hand_told_as_it_was_played_accuses_nobody(table: str, seed: int) -> None:
    """If this failed, a knocker who laid down badly would be accused by the true result, or the result of a hand that
    was played on after a sweep had won the match would come too late."""
    conformance.test_what_a_hand_came_to_may_be_told_and_claimed_behind_it(table, seed)
