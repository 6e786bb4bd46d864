"""Golden playthroughs: one readable file for each game, with every position, the legal acts, the act, and its effect.

The moves are read from the file and everything else is computed again, so that a change of the rules shows as a change
that a card player can review. To write the files again after such a change (moves are kept; a new game is given some):

    KIBITZ_REWRITE=1 python -m pytest tests/test_playthroughs.py

For a page of another distribution, `pytest --kibitz-game NAME -k playthrough` does it, in `tests/playthroughs`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

import pytest

from events.cards import pretty_all
from events.kib import read_kib
from events.model import Event, Hand, Open, Recorded, verb_of
from events.writing import HEADER, write_args, write_event, write_tags
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.legal import legal
from reducers.model import State
from reducers.piles import how_it_lies
from reducers.registry import find_game
from reducers.scoring import HandScore, figure, signed
from replay.fold import fold
from replay.simulate import simulate
from replay.table.frame import headline_words
from replay.testing.sampling import Run, asked

HANDS = 2
WIDTH = 110


@pytest.mark.parametrize("game", asked())
def test_a_playthrough_still_goes_the_same_way(game: str) -> None:
    """If this failed, a rule, a score or a list of legal moves would have changed unnoticed."""
    path = Run.golden / f"{game}.txt"
    if os.environ.get("KIBITZ_REWRITE"):
        log = moves(path.read_text(encoding="utf-8")) if path.exists() else some_hands(game)
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in told(game, log)), encoding="utf-8", newline="\n")
    assert path.exists(), f"there is no {path}: KIBITZ_REWRITE=1 writes it"
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, (there, now) in enumerate(zip(lines, told(game, moves("\n".join(lines))), strict=False), 1):
        assert there == now, f"{path.name}, line {number}"
    assert len(lines) == len(list(told(game, moves("\n".join(lines)))))


@pytest.mark.parametrize("game", asked())
def test_the_examples_are_records_of_this_game(game: str) -> None:
    """If this failed, the examples beside a page would still be those of an older page, or of the template."""
    for path in sorted((Run.golden.parent.parent / "examples").glob("*.kib")):
        text = path.read_text(encoding="utf-8")
        if f'[Game "{game}"]' in text:
            reading = read_kib(text)
            assert not reading.errors, path.name
            assert fold(reading.records).number, f"{path.name} has no hand"


def some_hands(game: str) -> list[Recorded]:
    """The first hands of a simulated match, not too long to read, in which every hand scores."""
    for seed in range(1000):
        log = simulate(game, seed=seed, hands=HANDS)
        state = begin(facts(log))
        for r in log[1:]:
            evolve(state, r.event)
        enough = len(state.scores) == HANDS or state.ended
        if enough and len(log) <= 250 and all(s.source != "nothing" and any(s.points.values()) for s in state.scores):
            return log
    raise AssertionError(f"no hands of {game} are worth anything")


def facts(log: list[Recorded]) -> dict[str, Any]:
    """The facts of the opening."""
    assert isinstance(log[0].event, Open)
    return log[0].event.facts


def moves(text: str) -> list[Recorded]:
    """The record in a playthrough: its tags and its numbered lines."""
    lines = [line.strip() for line in text.splitlines() if re.match(r"\[|\s*\d+\. ", line)]
    reading = read_kib("\n".join([HEADER, *lines, ""]))
    assert reading.errors == []
    return reading.records


def told(game: str, log: list[Recorded]) -> Iterator[str]:
    """The playthrough, line by line."""
    page = find_game(game)
    yield f"# {page.name}: {page.summary}"
    yield "# Numbered lines are what happened; above them what was legal, below them what came of it."
    yield ""
    yield from write_tags(facts(log))
    state = begin(facts(log))
    for r in log[1:]:
        if isinstance(r.event, Hand):
            yield ""
        elif r.event.by != "@":
            yield from choices(state)
        before = seen(state)
        state.at = state.table.now = r.n
        evolve(state, r.event)
        yield f"{r.n:>4}. {write_event(r.event)}"
        now = seen(state)
        for what, how in now.items():
            if before.get(what, "") != how:
                yield f"        {what}: {how}" if how else f"        {what}: empty"
    yield ""
    yield f"{'over' if state.ended else 'still open'}: {points(state.standing.totals)}"


def choices(state: State[Any]) -> Iterator[str]:
    """Who may act in which part of the hand, and the legal acts, those of one verb together."""
    phase = state.game.phases[state.phase].name if state.phase in state.game.phases else state.phase
    grouped: dict[tuple[str, str], list[Event]] = {}
    options = legal(state)
    for act in options.acts:
        grouped.setdefault((act.by, verb_of(act)), []).append(act)
    ways = [
        (by, " ".join(f"{verb} {some([' '.join(write_args(a)) for a in acts])}".split()))
        for (by, verb), acts in grouped.items()
    ]
    for seat in state.turn:
        yield (
            f"      {phase}, {seat}: "
            f"{'; '.join(text for by, text in ways if by.partition(':')[0] == seat) or 'nothing known'}"
        )


def some(texts: list[str]) -> str:
    """As many texts as fit on a line, and their number."""
    line = ""
    for i, text in enumerate(texts):
        if len(line) + len(text) > WIDTH - 30 and i < len(texts) - 1:
            return f"{line.strip()} … ({len(texts)})"
        line += f" {text}"
    return line.strip()


def seen(state: State[Any]) -> dict[str, str]:
    """What a reader wants to follow: the piles except the holdings, the headline of the page, the score."""
    out: dict[str, str] = {}
    for name, pile in state.table.piles.items():
        if name.partition(":")[0] in state.terms.seats:
            continue
        who = how_it_lies(name, state.game.display.piles, state.terms)[0].seen
        cards = [state.game.pack.tokens[c] for c in pile.codes()]
        if who == "nobody" or len(cards) > 16:
            out[name] = f"{len(cards)} card{'s' * (len(cards) != 1)}" if cards else ""
        elif who == "top" and cards:
            out[name] = f"{pretty_all(cards[-1:])} on {len(cards) - 1}"
        else:
            out[name] = pretty_all(cards)
    if state.hand is not None:
        for what, how in state.game.display.headline(state).items():
            out[what] = points(how) if isinstance(how, dict) else "" if how is None else str(how)
    if news := state.game.display.last_outcome_text(state) if state.hand is not None else "":
        out["so"] = news
    if state.settled and state.score is not None:
        out["hand"] = f"{state.number}, {told_score(state.score)}"
        for line in state.score.lines:
            out[f"  {line.label}"] = "; ".join(
                f"{who} {figure(n)}" + (f" ({line.sums[who]})" if who in line.sums else "")
                for who, n in line.amounts.items()
            )
        out["standing"] = points(state.standing.totals)
    return out


def told_score(score: HandScore) -> str:
    """A hand's worth on one line."""
    gains = ", ".join(f"{who} {signed(n)}" for who, n in score.points.items())
    return " ".join(part for part in (score.contract, score.result, gains) if part)


def points(totals: dict[str, Any]) -> str:
    """A standing on one line, or what a page says of each side in words."""
    if any(isinstance(n, dict) for n in totals.values()):
        return headline_words(totals)
    return ", ".join(f"{who} {n if isinstance(n, str) else figure(n)}" for who, n in totals.items())
