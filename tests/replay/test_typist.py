"""Hands as a practised recorder types them, key by key: the transcripts in `tests/transcripts`, and the search for
them.

`python tests/replay/test_typist.py GAME SEED` prints the transcript of a simulated hand with hidden cards.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

import pytest

from events.model import Recorded
from reducers.registry import PAGES
from reducers.scoring import signed
from replay.fold import fold
from replay.judging.judge import judge
from replay.redact import hide
from replay.simulate import simulate
from replay.table.session import Session
from replay.table.typist import TypedLine, lines_of_a_hand

TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"
# The keys of a hand, Enter included: the median of fifty hidden hands. Pontoon is for four players.
MOST_KEYS = {
    "kaiser": 70, "scopa": 100, "yaniv": 90, "jersey-gin": 120, "burraco": 350, "russian-bank": 900, "pontoon": 42,
}  # fmt: skip
SEATS = {"pontoon": "ABCD"}


def hidden_hand(game: str, seed: int) -> list[Recorded]:
    return hide(simulate(game, seed=seed, hands=1, seats=SEATS.get(game)))


def outcome(records: list[Recorded]) -> str:
    """What the first hand came to."""
    scores = fold(records).scores
    return ", ".join(f"{who} {signed(points)}" for who, points in scores[0].points.items()) if scores else "no score"


def transcript(game: str, seed: int) -> str:
    log = hidden_hand(game, seed)
    lines = lines_of_a_hand(log)
    return "\n".join(
        [f"# {sum(line.keys for line in lines)} keys", *(line.text for line in lines), f"= {outcome(log)}", ""]
    )


def typed(game: str, lines: list[str]) -> list[Recorded]:
    """The record that comes of typing these lines, none of which is questioned."""
    session = Session(simulate(game, seed=0, hands=1, seats=SEATS.get(game))[:1])
    for line in lines:
        draft = session.complete(line)
        assert not draft.doubts, (line, draft.doubts)
        n = session.records[-1].n
        session.take([Recorded(n=n + i, event=r.event) for i, r in enumerate(draft.events, 1)])
    return session.records


@pytest.mark.parametrize("game", PAGES)
def test_a_hand_typed_as_its_transcript_says(game: str) -> None:
    """If this failed, a line that people are used to would mean something else, or a hand would take more keys than
    it says."""
    head, *lines, result = (TRANSCRIPTS / f"{game}.txt").read_text(encoding="utf-8").splitlines()
    records = typed(game, lines)
    assert f"= {outcome(records)}" == result
    assert not judge(records).broken
    keys = sum(len(line) + 1 for line in lines)
    assert head == f"# {keys} keys"
    assert keys <= MOST_KEYS.get(game, keys)


@pytest.mark.rest
@pytest.mark.parametrize(
    ("game", "seed"), [("kaiser", 1), pytest.param("scopa", 2, marks=pytest.mark.rest), ("yaniv", 3)],
)
def test_the_lines_that_are_found_are_the_hand(game: str, seed: int) -> None:
    """If this failed, a recorder who practises would be shown lines that say something else."""
    log = hidden_hand(game, seed)
    lines = lines_of_a_hand(log)
    assert outcome(typed(game, [line.text for line in lines])) == outcome(log)
    told = [event for line in lines for event in line.events]
    assert [r.event for r in log if r.event in told] == told


def test_a_line_is_counted_with_its_enter() -> None:
    assert TypedLine("d9tj", ()).keys == 5


@pytest.mark.slow
@pytest.mark.parametrize("game", MOST_KEYS)
def test_keys_of_fifty_hands(game: str) -> None:
    keys = [sum(line.keys for line in lines_of_a_hand(hidden_hand(game, seed))) for seed in range(50)]
    assert statistics.median(keys) <= MOST_KEYS[game]


if __name__ == "__main__":
    print(transcript(sys.argv[1], int(sys.argv[2])), end="")
