"""What becomes of the judge's answers when a record says less than happened, or says it wrongly.

    python -m benchmarks.auditing [--logs 20] [--games kaiser,scopa] [--kinds hidden,half-seen] [--show] [--markdown]

Whole hands, legal and with breaches, are degraded in every way of `replay.degrade`, and what the judge says of each log
is held against what happened. Counted in the same run:

- *accused*: legal acts that are said to have broken a rule (of the game, or of turn and order), with no offer that calls
  it in doubt. A line typed twice, or with a wrong card, accuses a player as well as any other. *Shown* are those in logs
  in which something else shows the slip (`shows`).
- *proven*: the breaches found in the log with nothing lost but what that onlooker could not see, whose line is still
  there, and how many of them are *kept*: still broken, and not in doubt.
- *wrong figures*: a score that is said to be certain and is not the true one.
- *findings*: in legal logs of which nothing but seeing was lost, everything that is said to be broken, the record included.

A judge is a function from a log to what it calls broken and what it doubts, so that one that offers a slip for
everything, and one that accuses of nothing, can be measured as well: both must fail.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.model import Gap, Hand, Recorded
from events.writing import write, write_event
from reducers.game import PAGES, acts_of, begin, evolve
from replay.checking import check
from replay.degrade import KINDS, SEEING, Degraded, Kind, degraded
from replay.judge import OF_THE_RECORD, Judgement, sentence
from replay.score import score_played
from replay.simulate import Truth, derived_seed, mischief, simulate

Key = tuple[int, str]
"""A position and a rule (`table.T6`, `kaiser.R11`), or a position and `ILLEGAL`."""
ILLEGAL = "one rule or another"


class Said(Struct):
    """What a judge says of a log: what is broken, what an offer calls in doubt; the symptoms that the record is wrong;
    everything broken, the record's own contradictions included."""

    accused: set[Key]
    doubted: set[Key]
    record: set[Key] = set()
    judgement: Judgement | None = None


JudgeOf = Callable[[Sequence[Recorded]], Said]


def as_users_see_it(log: Sequence[Recorded]) -> Said:
    """What `kibitz check` says."""
    judgement = check(log)
    accused = {(f.at.pos, f.rule) for f in judgement.broken if f.rule not in OF_THE_RECORD}
    record = {(f.at.pos, f.rule) for f in judgement.broken if f.rule in OF_THE_RECORD}
    called = {(ref.pos, ref.rule) for repair in judgement.repairs for ref in repair.removes}
    called |= {(f.at.pos, f.rule) for f in judgement.broken if f.unless is not None}
    at = {pos for pos, _ in called}
    illegal = {(pos, ILLEGAL) for pos in judgement.illegal}
    return Said(accused | illegal, (accused & called) | {key for key in illegal if key[0] in at}, record, judgement)


def always_a_typo(log: Sequence[Recorded]) -> Said:
    """A control: a judge that calls everything in doubt."""
    said = as_users_see_it(log)
    return Said(said.accused, said.accused, said.record, said.judgement)


def accuses_nobody(log: Sequence[Recorded]) -> Said:
    """A control: a judge that finds nothing."""
    return Said(set(), set(), set(), as_users_see_it(log[:1]).judgement)


class Failure(Struct):
    """A record that is judged wrongly: the degraded log, the accusation, whether something else shows the slip."""

    degraded: Degraded
    key: Key
    shown: bool
    text: str


class Count(Struct):
    """What was counted over the logs of one game and one kind of degradation."""

    logs: int = 0
    accused: int = 0
    shown: int = 0
    proven: int = 0
    kept: int = 0
    figures: int = 0
    findings: int = 0
    crashed: int = 0
    seconds: float = 0.0
    failures: list[Failure] = []

    def __add__(self, other: Count) -> Count:
        return Count(*(getattr(self, f) + getattr(other, f) for f in self.__struct_fields__))

    @property
    def share(self) -> float:
        """The share of provable breaches still proven."""
        return self.kept / self.proven if self.proven else 1.0


# -- what is measured -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def a_match(game: str, seed: int, legal: bool) -> tuple[tuple[Recorded, ...], Truth]:
    """Two hands, legal or with breaches."""
    if legal:
        return tuple(simulate(game, seed=derived_seed("degraded", seed), hands=2)), Truth(game)
    log, truth = mischief(game, seed=derived_seed("degraded", seed), p=0.08, hands=2)
    return tuple(log), truth


def corpus(game: str, kind: Kind, legal: bool, logs: int) -> Iterator[Degraded]:
    """So many degraded logs of one game and kind, the same on every machine."""
    for seed in range(logs):
        log, truth = a_match(game, seed, legal)
        yield from degraded(log, truth, kind, f"{game}/{seed}/{legal}")


def measure(logs: Iterable[Degraded], judge: JudgeOf = as_users_see_it) -> Count:
    """Hold what a judge says of degraded logs against what happened."""
    count = Count()
    for one in logs:
        count.logs += 1
        begun = time.process_time()
        try:
            _measured(one, judge, count)
        except Exception as wrong:
            count.crashed += 1
            count.failures.append(Failure(one, (0, "crash"), False, f"{type(wrong).__name__}: {wrong}"))
        count.seconds += time.process_time() - begun
    return count


def _measured(one: Degraded, judge: JudgeOf, count: Count) -> None:
    said, whole = judge(one.log), judge(one.whole)
    real = {(b.position, f"{one.truth.game}.{rule}") for b in one.truth.breaches for rule in b.rules}
    breaches = {b.position for b in one.truth.breaches}
    false = {key for key in said.accused - said.doubted if key[0] in one.touched or one.was.get(key[0]) not in breaches}
    if false:
        shown = shows(one, said, whole)
        count.accused += len(false)
        count.shown += shown * len(false)
        count.failures += [Failure(one, key, shown, _told(said, key)) for key in sorted(false)]
    at = {was: n for n, was in one.was.items() if n not in one.touched}
    proven = {(at[pos], rule) for pos, rule in whole.accused & real if pos in at}
    count.proven += len(proven)
    count.kept += len(proven & (said.accused - said.doubted))
    if one.kind in SEEING:
        if one.legal:
            odd = said.record | (said.accused - false)
            count.findings += len(odd)
            count.failures += [Failure(one, key, False, "finding " + _told(said, key)) for key in sorted(odd)]
        wrong = wrong_figures(one)
        count.figures += len(wrong)
        count.failures += [Failure(one, (0, "figure"), False, text) for text in wrong]


def _told(said: Said, key: Key) -> str:
    for f in said.judgement.findings if said.judgement else ():
        if f.at.pos == key[0] and key[1] in (f.rule, ILLEGAL):
            return sentence(f)
    return f"{key[1]} at {key[0]}"


def shows(one: Degraded, said: Said, whole: Said) -> bool:
    """Whether the degraded record shows that something is wrong with it, apart from one accusation of one act.

    It does if it has any of these, and the record with nothing lost has not: a contradiction of the record; an act out
    of turn or out of its part of the hand; an act that is inferred; accusations of two acts or more.
    """
    def before(positions: Iterable[int]) -> set[int | None]:
        return {one.was.get(n, -1 - n) for n in positions}

    if before(n for n, _ in said.record) - {n for n, _ in whole.record}:
        return True
    if before(disorder(one.log)) - disorder(one.whole):
        return True
    if inferred(one.log) - inferred(one.whole):
        return True
    return len(before(n for n, _ in said.accused) - {n for n, _ in whole.accused}) > 1


def disorder(log: Sequence[Recorded]) -> set[int]:
    """The positions of acts by somebody whose turn it was not, or out of their part of the hand."""
    out = set()
    for state, r in _walk(log):
        game = state.game
        if type(r.event) not in acts_of(game.key) or state.phase not in game.phases:
            continue
        if type(r.event) not in game.phases[state.phase].acts or (state.turn and r.event.by not in state.turn):
            out.add(r.n)
    return out


def inferred(log: Sequence[Recorded]) -> Counter[str]:
    """What nobody wrote and the page infers, positions and numbers left out."""
    *_, (state, _) = _walk(log)
    return Counter(re.sub(r"[0-9]+", "#", text) for _, text in state.inferred)


def _walk(log: Sequence[Recorded]) -> Iterator[tuple[Any, Recorded]]:
    """The state before each event, and the event; the state is the fold's own, and at the end the last."""
    state = begin(log[0].event.facts)  # type: ignore[union-attr]  # a log begins with its opening
    for r in log[1:]:
        yield state, r
        state.at = state.table.now = r.n
        evolve(state, r.event)
    yield state, log[0]


def wrong_figures(one: Degraded) -> list[str]:
    """The figures that the degraded log gives for certain, and that are not those of the match."""
    true, told = truth_of(one), score_played(one.log)
    out = []
    for hand in told.hands:
        if not hand.done or hand.number not in true:
            continue
        points, totals = true[hand.number]
        for what, said, really in (("points", hand.points, points), ("total", hand.totals, totals)):
            for who, n in said.items():
                if n is not None and really.get(who) is not None and n != really[who]:
                    out.append(f"hand {hand.number}: the {what} of {who} are said to be {n}, and are {really[who]}")
    return out


def truth_of(one: Degraded) -> dict[int, tuple[Any, Any]]:
    """Points and totals by hand, of the log with nothing lost but what that onlooker did not see."""
    return {h.number: (h.points, h.totals) for h in score_played(one.whole).hands if h.done}


# -- a record that people can read ------------------------------------------------------------------------------------


def shrunk(failure: Failure, judge: JudgeOf = as_users_see_it) -> list[Recorded]:
    """The degraded log without what is not needed for the accusation: the hands before and the lines behind it."""
    key, one = failure.key, failure.degraded
    log = [_with_truth(r, one) for r in one.log]
    if key[0] == 0:
        return log

    def accuses(some: Sequence[Recorded], key: Key) -> bool:
        try:
            said = judge(some)
        except Exception:
            return False
        return key in (said.accused - said.doubted) | said.record

    low = key[0] + 1
    while low < len(log):
        if accuses(log[:low], key):
            log = log[:low]
            break
        low = min(len(log), key[0] + 1 + 2 * (low - key[0]))
    starts = [i for i, r in enumerate(log) if isinstance(r.event, Hand) and 1 < i <= key[0]]
    for i in reversed(starts):
        fewer = [log[0], *log[i:]]
        first = fewer[1].event
        assert isinstance(first, Hand)
        fewer[1] = replace(fewer[1], event=replace(first, number=1))
        fewer = [replace(r, n=n) for n, r in enumerate(fewer)]
        if accuses(fewer, (key[0] - i + 1, key[1])):
            return fewer
    return log


def _with_truth(r: Recorded, one: Degraded) -> Recorded:
    """The line with what it really was beside it, if it says something else or nothing of its own."""
    bare = replace(r, time="", recorder="", t=None)
    if r.n in one.was:
        true = one.whole[one.was[r.n]].event
        return bare if true == r.event else replace(bare, text=f"really {one.was[r.n]}: {write_event(true)}")
    return bare if r.n == 0 or isinstance(r.event, Gap) else replace(bare, text="did not happen")


def shown(failure: Failure) -> str:
    """A failing record as a file, with the accusation and what was done to it."""
    log = shrunk(failure)
    head = [f"{failure.degraded.truth.game}, {failure.degraded.kind}: {failure.degraded.what}",
            f"{'shown' if failure.shown else 'not shown'}: {failure.text}"]  # fmt: skip
    if not failure.degraded.legal:
        head.append("really broken: " + ", ".join(f"{b.position} {'+'.join(b.rules)}" for b in failure.degraded.truth.breaches))
    return "".join(f"# {line}\n" for line in head) + write(log)


def table(rows: Iterable[tuple[str, Kind, bool, Count]], *, markdown: bool = False) -> Iterator[str]:
    """The figures, a line for each game and kind, legal and with breaches."""
    yield ("| game | degraded | match | logs | accused (shown) | proven | wrong figures | findings | exit 1 | s a log |\n|---|---|---|---|---|---|---|---|---|---|"
           if markdown else f"{'game':17} {'degraded':10} {'match':8} {'logs':>5} {'accused (shown)':>16} {'kept':>15} {'figures':>8} {'findings':>8} {'crash':>5} {'s/log':>6}")  # fmt: skip
    for game, kind, legal, c in rows:
        kept = f"{c.kept}/{c.proven}" + (f" {c.share:.0%}" if c.proven else "")
        match = "legal" if legal else "breaches"
        if markdown:
            yield f"| {game} | {kind} | {match} | {c.logs} | {c.accused} ({c.shown}) | {kept} | {c.figures} | {c.findings} | {c.crashed} | {c.seconds / max(1, c.logs):.2f} |"
        else:
            yield f"{game:17} {kind:10} {match:8} {c.logs:>5} {f'{c.accused} ({c.shown})':>16} {kept:>15} {c.figures:>8} {c.findings:>8} {c.crashed:>5} {c.seconds / max(1, c.logs):>6.2f}"


def main() -> None:
    """Print a line for each game and kind of degradation."""
    reader = argparse.ArgumentParser(description="What becomes of the judge's answers when a record is poor.")
    reader.add_argument("--logs", type=int, default=20, help="so many logs of each game, kind and match")
    reader.add_argument("--games", default=",".join(sorted(PAGES)))
    reader.add_argument("--kinds", default=",".join(KINDS))
    reader.add_argument("--show", type=int, nargs="?", const=3, default=0, help="print so many failing records of each row")
    reader.add_argument("--markdown", action="store_true")
    given = reader.parse_args()
    wanted = [k for k in KINDS if k.replace(" ", "-") in given.kinds.replace(" ", "-").split(",")]

    def rows() -> Iterator[tuple[str, Kind, bool, Count]]:
        for game in given.games.split(","):
            for kind in wanted:
                for legal in (True, False):
                    count = measure(corpus(game, kind, legal, given.logs))
                    yield game, kind, legal, count
                    told: Counter[str] = Counter()
                    for failure in count.failures[:: 1 if given.show else len(count.failures) or 1] if given.show else ():
                        told[failure.key[1]] += 1
                        if told[failure.key[1]] <= given.show:
                            print(shown(failure), flush=True)

    for line in table(rows(), markdown=given.markdown):
        print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
