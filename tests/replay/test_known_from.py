"""`known_from` is the smallest position such that the log cut after it is already judged so: against brute force."""

from __future__ import annotations

from functools import cache
from itertools import product
from random import Random

import pytest
from msgspec.structs import replace
from sampling import a_few, sampled

from events.cards import UNKNOWN
from events.model import Capture, Fix, Open, Play, Recorded
from reducers.registry import PAGES
from replay.judging.findings import OF_THE_RECORD
from replay.judging.judge import judge
from replay.redact import hide
from replay.simulate import simulate_breaches

GAMES = sorted(PAGES)
FEW, MANY = 2, 60
"""So many seeds, and so many in the soak."""
LONGEST = 55

every_game = pytest.mark.parametrize("game", GAMES)


def hidden_log(game: str, seed: int, fixes: int) -> list[Recorded]:
    """A hidden hand with breaches and unseen plays, some of which somebody remembers later, or corrects twice."""
    rng = Random(f"known/{game}/{seed}")
    log = hide(simulate_breaches(game, seed=seed, p=0.2, hands=1)[0])[:LONGEST]
    shown = [(r.n, r.event) for r in log if isinstance(r.event, Play | Capture) and UNKNOWN not in r.event.cards]
    covered = dict(rng.sample(shown, min(len(shown), 2 + fixes)))
    out = [replace(r, event=replace(covered[r.n], cards=(UNKNOWN,))) if r.n in covered else r for r in log]
    for n in rng.sample(sorted(covered), min(len(covered), fixes)):
        out.append(Recorded(n=len(out), event=Fix(by="@", at=n, how="replace", event=covered[n])))
    if fixes and shown:
        # A wrong correction, and its own correction.
        n, right = rng.choice(shown)
        wrong = replace(right, cards=rng.choice(shown)[1].cards)
        out.append(Recorded(n=len(out), event=Fix(by="@", at=n, how="replace", event=wrong)))
        out.append(Recorded(n=len(out), event=Fix(by="@", at=n, how="replace", event=right)))
    return out


@cache
def judged(game: str, seed: int, fixes: int) -> tuple[dict[tuple[int, str], int], dict[tuple[int, str], int]]:
    """What the judge dates each break, and what asking every shorter log says.

    What was deduced is dated by what was, and what only trying every way the cards can lie shows, by that.
    """
    log = hidden_log(game, seed, fixes)
    found = [f for f in judge(log).broken if f.rule not in OF_THE_RECORD and f.known_from is not None]
    first: dict[tuple[int, str, bool], int] = {}
    for end in range(1, len(log) + 1):
        assert isinstance(log[0].event, Open)
        for f in judge(log[:end]).broken:
            for by_trying in {True, bool(f.worlds)}:
                first.setdefault((f.at.pos, f.rule, by_trying), log[end - 1].n)
    dated = {(f.at.pos, f.rule): f.known_from.pos for f in found if f.known_from is not None}
    return dated, {(f.at.pos, f.rule): first[f.at.pos, f.rule, bool(f.worlds)] for f in found}


@sampled(
    "game, fixes, seed", GAMES, product((0, 2), range(FEW)), each=1, soak=product((0, 2), range(FEW, MANY)), short=1,
)
def test_known_from_is_the_first_position_that_shows_it(game: str, fixes: int, seed: int) -> None:
    """If this failed, an arbiter would be told a wrong date."""
    dated, brute = judged(game, seed, fixes)
    assert dated == brute


def test_some_breaks_are_known_only_later() -> None:
    """If this failed, the test above would compare nothing but acts that are broken at sight."""
    later = [key for seed in range(FEW) for key, n in judged("kaiser", seed, 0)[0].items() if n > key[0]]
    assert len(later) >= 2


@every_game
@pytest.mark.parametrize("seed", a_few(range(FEW), 1))
def test_the_evidence_begins_with_the_act_and_ends_with_the_date(game: str, seed: int) -> None:
    """If this failed, the chain could not be followed."""
    for f in judge(hidden_log(game, seed, 0)).broken:
        if f.rule in OF_THE_RECORD or f.known_from is None:
            continue
        assert f.evidence[0] == f.at.pos
        assert max(f.evidence) == f.known_from.pos
        if f.known_from.pos > f.at.pos:
            assert f.because
