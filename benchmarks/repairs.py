"""How well the corrections are found: `python -m benchmarks.repairs [LOGS [GAME…]]`, 40 logs a row unless told
otherwise.

Simulated matches of two hands in which nobody broke a rule, hidden as the table saw them or open, with exactly one
slip of the recorder in the first hand. For each kind of slip: in how many logs it shows as something broken, in how
many the right correction is offered first and among at most four; how many legal acts are accused, how many of these
no offer calls in doubt, and how many of those stand in a record that shows the slip (it contradicts itself, an act
is out of turn or out of its time, the hand stops short, or several seats are accused). Times are CPU time of the
offers alone.

Below, logs without a slip in which rules were really broken: how many get an offer all the same, and how many breaches
are still called broken without doubt.

The slips: a line left out (forgotten), a card typed for another (mistyped), two neighbours exchanged (swapped; one
seat: lead), two lines some way apart exchanged (apart), a line typed twice (doubled), by the seat that was then to act
(echoed), or once more some lines later (again).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from random import Random
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from events.cards import is_face
from events.model import (
    ABOUT,
    Capture,
    Deal,
    Discard,
    Draw,
    End,
    Event,
    Hand,
    Meld,
    Move,
    Open,
    Plain,
    Play,
    Recorded,
    Show,
    Shuffle,
)
from reducers.legal import acts_of
from reducers.registry import find_game, games_with_cards
from replay.fold import corrected, fold
from replay.judging.correction import SuggestedCorrection
from replay.judging.findings import OF_THE_RECORD, Finding
from replay.judging.judge import Judge, judge
from replay.judging.offers import depending
from replay.judging.repairs import suggest
from replay.redact import hide
from replay.simulate import derived_seed, simulate, simulate_breaches
from replay.typos import near_miss

GAMES = tuple(games_with_cards())

SlipKind = Literal["forgotten", "mistyped", "swapped", "lead", "apart", "doubled", "echoed", "again"]
KINDS: tuple[SlipKind, ...] = ("forgotten", "mistyped", "swapped", "lead", "apart", "doubled", "echoed", "again")
LOGS = 40
FRAME = (Open, Hand, Deal, Shuffle, End, *ABOUT)
CHOSEN = (Play, Capture, Discard, Draw, Move, Show, Meld)


class Made(Struct):
    """A log with a slip: what it is, and the positions of the lines that were touched, as they stand."""

    log: list[Recorded]
    slip: SlipKind
    at: tuple[int, ...]
    was: Plain


class Row(Struct):
    """What was counted over the logs of one row."""

    logs: int = 0
    shows: int = 0
    first: int = 0
    among: int = 0
    accused: int = 0
    left: int = 0
    told: int = 0
    offers: int = 0
    slowest: float = 0.0
    seconds: float = 0.0


def one_slip(log: list[Recorded], kind: SlipKind, game: str, rng: Random) -> Made | None:
    """The log with one slip in its first hand; None if there is no place for one."""
    ends = next((i for i, r in enumerate(log) if isinstance(r.event, Hand) and r.event.number == 2), len(log))
    lines = [i for i in range(1, ends) if not isinstance(log[i].event, FRAME) and log[i].event.by != "@"]
    if kind == "mistyped":
        lines = [i for i in lines if isinstance(log[i].event, CHOSEN) and any(map(is_face, _cards(log[i].event)))]
    elif kind in ("swapped", "lead"):
        lines = [i for i in lines if i + 1 in lines and log[i].event != log[i + 1].event]
        lines = [i for i in lines if (log[i].event.by == log[i + 1].event.by) == (kind == "lead")]
    elif kind in ("apart", "again"):
        lines = [i for i in lines if i + 2 in lines]
    if not lines:
        return None
    i = rng.choice(lines)
    was = log[i].event
    out = [r.event for r in log]
    at: tuple[int, ...] = (i,)
    if kind == "forgotten":
        del out[i]
        at = (i - 1,)
    elif kind == "mistyped":
        out[i] = _mistyped(was, game, rng)
    elif kind in ("swapped", "lead"):
        out[i], out[i + 1] = out[i + 1], out[i]
        at = (i, i + 1)
    elif kind == "apart":
        j = rng.choice([j for j in lines if i + 2 <= j <= i + 8] or [i + 2])
        if out[i] == out[j]:
            return None
        out[i], out[j] = out[j], out[i]
        at = (i, j)
    else:
        j = i + 1 if kind != "again" else min(i + rng.randint(2, 6), ends)
        again = was
        if kind == "echoed":
            turn = fold(log[:j]).turn
            if not turn or turn[0] == was.by or turn[0] not in fold(log[:j]).terms.seats:
                return None
            again = replace(was, by=turn[0])
        out.insert(j, again)
        at = (i, j)
    return Made([Recorded(n=n, event=e) for n, e in enumerate(out)], kind, at, was)  # type: ignore[arg-type]  # never a fix


def _cards(event: Event) -> tuple[str, ...]:
    return tuple(c for g in event.groups for c in g) if isinstance(event, Meld | Show) else getattr(event, "cards", ())


def _mistyped(event: Event, game: str, rng: Random) -> Event:
    """The event with one card typed wrong: a neighbour in rank, or the same rank in another suit."""
    faces = [c for c in find_game(game).pack.faces if is_face(c)]
    card = rng.choice([c for c in _cards(event) if is_face(c)])
    wrong = rng.choice([c for c in faces if c != card and near_miss(c, card)] or [c for c in faces if c != card])

    def typed(cards: tuple[str, ...]) -> tuple[str, ...]:
        at = cards.index(card) if card in cards else -1
        return cards if at < 0 else (*cards[:at], wrong, *cards[at + 1 :])

    if isinstance(event, Meld | Show):
        return replace(event, groups=tuple(map(typed, event.groups)))
    return replace(event, cards=typed(event.cards))  # type: ignore[union-attr]  # all that is mistyped has cards


def right(made: Made, repair: SuggestedCorrection) -> bool:
    """Whether a repair is the one that undoes the slip."""
    if made.slip == "forgotten":
        put_in = repair.fixes[0].event
        return repair.kind == "insert" and repair.at == made.at[0] and put_in is not None and put_in.by == made.was.by
    if made.slip == "mistyped":
        return repair.kind == "blank" and repair.at == made.at[0]
    if made.slip in ("doubled", "echoed", "again"):
        return repair.kind == "strike" and repair.at in made.at
    return repair.kind == "swap" and {f.at for f in repair.fixes} == set(made.at)


def slipped(game: str, kind: SlipKind, hidden: bool, logs: int) -> Iterator[Made]:
    """So many logs with one slip each, the same on every machine."""
    for i in range(logs):
        log = simulate(game, seed=derived_seed("repairs", i), hands=2)
        made = one_slip(log, kind, game, Random(f"{game}/{kind}/{i}"))
        if made is not None:
            yield replace(made, log=hide(made.log)) if hidden else made


def accusations(found: list[Finding]) -> list[Finding]:
    """What is broken by somebody: not what the record contradicts itself in."""
    return [f for f in found if f.verdict == "broken" and f.rule not in OF_THE_RECORD]


def shown(log: list[Recorded], found: list[Finding]) -> bool:
    """Whether the record shows that something is wrong with it, whatever the players did."""
    if any(f.rule in OF_THE_RECORD or f.rule == "table.T6" for f in found if f.verdict == "broken"):
        return True
    if len({f.by for f in accusations(found)}) > 1:
        return True
    asked = Judge(corrected(log))
    asked.infer_hidden_cards()
    return any(s.state.turn and s.placed.event.by not in s.state.turn and type(s.placed.event) in acts_of(s.state.game.key)
               for s in asked.walk(asked.events, asked.proofs) if s.says.verdict == "broken")  # fmt: skip


def measure(game: str, kind: SlipKind, hidden: bool, logs: int, *, aloud: bool = False) -> Row:
    """One row. Nobody broke a rule in these logs, so every finding about a player is a wrong accusation."""
    row = Row()
    for i, made in enumerate(slipped(game, kind, hidden, logs)):
        found = judge(made.log)
        begin = time.process_time()
        repairs = suggest(made.log, found.findings)
        took = time.process_time() - begin
        row.logs += 1
        row.seconds += took
        row.slowest = max(row.slowest, took)
        row.shows += bool(found.broken)
        row.offers += bool(repairs)
        hits = [right(made, r) for r in repairs]
        row.first += bool(hits and hits[0])
        row.among += any(hits)
        accused = accusations(depending(found.findings, repairs))
        left = [f for f in accused if f.unless is None]
        row.accused += len(accused)
        row.left += len(left)
        row.told += len(left) if left and shown(made.log, found.findings) else 0
        if aloud and left:
            said = [(f.rule, f.at.pos, f.by) for f in left][:4]
            print(f"   {game} {kind} {'hidden' if hidden else 'open'} {i}: slip at {made.at}, left {said} of " f"{len(accused)}; "
                  f"shown {shown(made.log, found.findings)}; offered {[(r.kind, r.at) for r in repairs]}", flush=True)  # fmt: skip
    return row


def honest(game: str, hidden: bool, logs: int) -> Row:
    """Logs without a slip in which rules were really broken: `offers` counts those that get an offer all the same."""
    row = Row()
    for i in range(logs):
        log, truth = simulate_breaches(game, seed=derived_seed("honest", i), p=0.08, hands=2)
        log = hide(log) if hidden else log
        found = judge(log)
        begin = time.process_time()
        repairs = suggest(log, found.findings)
        took = time.process_time() - begin
        row.seconds += took
        row.slowest = max(row.slowest, took)
        row.logs += 1
        row.shows += bool(found.broken)
        row.offers += bool(repairs)
        really = {b.position for b in truth.breaches}
        accused = [f for f in accusations(depending(found.findings, repairs)) if f.at.pos in really]
        row.accused += len(accused)
        row.left += sum(f.unless is None for f in accused)
    return row


def main(logs: int = LOGS, games: tuple[str, ...] = GAMES, *, aloud: bool = False) -> None:
    """Print the tables."""
    print(
        "game               hands   slip       logs  shows  first  among 4  accused  left  of these shown  "
        " mean ms  slowest ms"
    )
    for game in games:
        for hidden in (False, True):
            for kind in KINDS:
                r = measure(game, kind, hidden, logs, aloud=aloud)
                print(
                    f"{game:<18} {'hidden' if hidden else 'open':<7} {kind:<10} {r.logs:>4} {r.shows:>6} "
                    f"{r.first:>6} {r.among:>8} "
                    f"{r.accused:>8} {r.left:>5} {r.told:>15} {1000 * r.seconds / max(r.logs, 1):>9.0f} "
                    f"{1000 * r.slowest:>11.0f}",
                    flush=True,
                )
    print(
        "\nno slip, rules really broken: logs, with findings, with an offer; breaches found, of them told without doubt"
    )
    for game in games:
        for hidden in (False, True):
            r = honest(game, hidden, logs)
            print(f"{game:<18} {'hidden' if hidden else 'open':<7} {r.logs:>4} {r.shows:>6} {r.offers:>6} " f"{r.accused:>8} {r.left:>5} "
                  f"{1000 * r.seconds / max(r.logs, 1):>9.0f} {1000 * r.slowest:>11.0f}", flush=True)  # fmt: skip


if __name__ == "__main__":
    words = [w for w in sys.argv[1:] if w != "--aloud"]
    main(int((words or [LOGS])[0]), tuple(words[1:]) or GAMES, aloud="--aloud" in sys.argv)
