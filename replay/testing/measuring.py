"""Measures how the judge copes with records that are incomplete or wrong.

Whole hands, legal and with breaches, are degraded in every way of `replay.degrade`, and the judge's answers for each
log are compared with the truth. One run counts:

- *accused*: legal acts that the judge says broke a rule (of the game, or of turn and order), without an offer that
  calls this in doubt. A line typed twice, or with a wrong card, counts like any other; a line that reveals an unwritten
  act may be accused of the breach of that act. *Shown* are those in logs in which something else reveals the slip
  (`shows`).
- *proven*: the breaches found in the onlooker's complete log whose line is still there; and how many of them are
  *kept*: still broken, and not in doubt.
- *wrong figures*: scores that are reported as certain and are wrong.
- *findings*: all breaches reported in legal logs that say less but nothing wrong (`SEEING`), those of the record
included.

A judge is a function from a log to what it calls broken and what it doubts. So a judge that offers a slip for
everything, and one that finds nothing, can be measured as well: both must fail.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.card_lists import cards_in
from events.cards import is_face
from events.model import Fix, Gap, Hand, Move, Play, Recorded, Tally
from events.writing import write_event, write_kib
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.legal import acts_of, objections
from reducers.registry import find_game, games_with_cards
from reducers.rules import CONSEQUENCE
from reducers.scoring import Points
from reducers.words.tricks import tricks_in
from replay.auditing.check import check
from replay.degrade import KINDS, SEEING, Degraded, Kind
from replay.judging.findings import OF_THE_RECORD, Judgement, sentence
from replay.judging.judge import judge
from replay.scoring.three_ways import score_played
from replay.simulate import broken_by

Key = tuple[int, str]
"""A position and a rule (`table.T6`, `kaiser.R11`), or a position and `ILLEGAL`."""
ILLEGAL = "one rule or another"


class Said(Struct):
    """A judge's answers for a log: the breaches, those that an offer calls in doubt, the contradictions of the record,
    and the whole judgement."""

    accused: set[Key]
    doubted: set[Key]
    record: set[Key] = set()
    judgement: Judgement | None = None


JudgeOf = Callable[[Sequence[Recorded]], Said]


def as_users_see_it(log: Sequence[Recorded]) -> Said:
    """What `kibitz check` says."""
    return said_in(check(log))


def without_offers(log: Sequence[Recorded]) -> Said:
    """The same without offered corrections, which take longer to find than all the rest: nothing is in doubt."""
    return said_in(judge(log))


def said_in(judgement: Judgement) -> Said:
    """The accusations of a judgement, and those that its offers call in doubt."""
    accused = {(f.at.pos, f.rule) for f in judgement.broken if f.rule not in OF_THE_RECORD}
    record = {(f.at.pos, f.rule) for f in judgement.broken if f.rule in OF_THE_RECORD}
    called = {(ref.pos, ref.rule) for repair in judgement.repairs for ref in repair.removes}
    called |= {(f.at.pos, f.rule) for f in judgement.broken if f.unless is not None}
    at = {pos for pos, _ in called}
    illegal = {(pos, ILLEGAL) for pos in judgement.illegal}
    return Said(
        accused | illegal, ((accused | record) & called) | {key for key in illegal if key[0] in at}, record, judgement,
    )


def always_a_typo(log: Sequence[Recorded]) -> Said:
    """A control: a judge that calls everything in doubt."""
    said = without_offers(log)
    return Said(said.accused, said.accused, said.record, said.judgement)


def accuses_nobody(log: Sequence[Recorded]) -> Said:
    """A control: a judge that finds nothing."""
    return Said(set(), set(), set(), without_offers(log[:1]).judgement)


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
    breaches: int = 0
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
        """The share of provable breaches still proven; 0 if there are none."""
        return self.kept / self.proven if self.proven else 0.0


def measure(logs: Iterable[Degraded], judge: JudgeOf = as_users_see_it) -> Count:
    """Compare a judge's answers for degraded logs with the truth."""
    count = Count(failures=[])
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
    said, whole = judge(one.log), nothing_lost(one.whole)
    real = {(b.position, f"{one.truth.game}.{rule}") for b in one.truth.breaches for rule in b.rules}
    breaches = {b.position for b in one.truth.breaches}
    false = {(n, rule) for n, rule in said.accused - said.doubted if one.was.get(n) not in breaches}
    for n, (first, last) in one.tells.items():
        # A tally may report a breach, and its figures may be the result of one.
        told = {(n, rule) for pos, rule in real if first <= pos <= last}
        false -= told | {key for key in false if told and key[0] == n and follows(key[1])}
    false -= shown_later(one, real)
    false -= broken_all_the_same(one, false)
    if false:
        slip = shows(one, said, whole.said)
        count.accused += len(false)
        count.shown += slip * len(false)
        count.failures += [Failure(one, key, slip, _told(said, key)) for key in sorted(false)]
    at = {was: n for n, was in one.was.items() if n not in one.touched}
    proven = {(at[pos], rule) for pos, rule in whole.said.accused & real if pos in at}
    count.breaches += sum(pos in at for pos, _ in real)
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


class Whole:
    """The judge's answers and the score for a log before it is degraded."""

    def __init__(self, log: Sequence[Recorded]) -> None:
        self.log = log

    @cached_property
    def said(self) -> Said:
        """The judge's answers, without offered corrections."""
        return without_offers(self.log)

    @cached_property
    def figures(self) -> dict[int, tuple[Points, Points]]:
        """Points and totals by hand, for the hands that are over."""
        return {h.number: (h.points, h.totals) for h in score_played(self.log).hands if h.done}


_WHOLE: dict[int, Whole] = {}


def nothing_lost(log: Sequence[Recorded]) -> Whole:
    """The answers for a log before it is degraded, cached for the other ways of degrading it."""
    known = _WHOLE.get(id(log))
    if known is None or known.log is not log:
        if len(_WHOLE) > 64:
            _WHOLE.clear()
        known = _WHOLE[id(log)] = Whole(log)
    return known


def shown_later(one: Degraded, real: Iterable[Key]) -> set[Key]:
    """The breaches in unwritten lines, at the lines that reveal them: a player who plays a card drew it, and drew it
    out of turn."""
    there = {was: n for n, was in one.was.items()}
    out: set[Key] = set()
    for pos, rule in real:
        act = one.whole[pos].event
        cards = {card for card in cards_in(act) if is_face(card)}
        if pos in there or not cards:
            continue
        later = ((was, n) for was, n in there.items() if was > pos and one.whole[was].event.by == act.by)
        shows = next((n for was, n in sorted(later) if cards & set(cards_in(one.whole[was].event))), None)
        if shows is not None:
            out.add((shows, rule))
    return out


def follows(rule: str) -> bool:
    """True if a rule states a consequence of the acts of a hand: a breach of it is a contradiction between figures, not
    an act."""
    game, _, name = rule.partition(".")
    return game in games_with_cards() and any(r.id == name and r.kind == CONSEQUENCE for r in find_game(game).rules)


def broken_all_the_same(one: Degraded, keys: Collection[Key]) -> set[Key]:
    """The accusations that are right for the match as it happened.

    After an act out of turn the judge leaves open what the next ones broke, as a card may be missing from the record.
    In a complete record none is missing: a player who does not follow suit has then broken the rule, although the
    truth recorded with the log does not name it.
    """
    asked = {one.was[n]: n for n, _ in keys if n in one.was}
    out: set[Key] = set()
    for state, r in _walk(one.happened) if asked and one.happened else ():
        if r.n in asked and r is not one.happened[0]:
            state = state.copy()
            state.table.astray = False
            rules = broken_by(state, r.event).get(0, ())
            out |= {
                (asked[r.n], f"{one.truth.game}.{rule}") for rule in rules
            } | {(asked[r.n], ILLEGAL) for _ in rules[:1]}
    return out & set(keys)


def _told(said: Said, key: Key) -> str:
    for f in said.judgement.findings if said.judgement else ():
        if f.at.pos == key[0] and key[1] in (f.rule, ILLEGAL):
            return sentence(f)
    return f"{key[1]} at {key[0]}"


def shows(one: Degraded, said: Said, whole: Said) -> bool:
    """True if the degraded record shows that something is wrong with it, apart from one accusation of one act.

    It does if it has any of these and the complete record has not: a contradiction of the record; an act out of turn
    or out of its part of the hand; an inferred act; accusations of two acts or more.
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
    """The positions of acts out of turn, or out of their part of the hand. An act to which the page does not object is
    in order even if another seat was in turn: it ends that turn."""
    out = set()
    for state, r in _walk(log):
        game = state.game
        if type(r.event) not in acts_of(game.key) or state.phase not in game.phases:
            continue
        late = bool(state.turn) and r.event.by not in state.turn and any(
            says.at in (0, r.n) for _, says in objections(state, r.event)
        )
        if late or type(r.event) not in game.phases[state.phase].acts:
            out.add(r.n)
    return out


def inferred(log: Sequence[Recorded]) -> Counter[str]:
    """The unwritten acts that the page infers, without positions and numbers."""
    *_, (state, _) = _walk(log)
    return Counter(re.sub(r"[0-9]+", "#", text) for _, text in state.inferred)


def numbers(log: Sequence[Recorded]) -> dict[int, int]:
    """The number of the hand in play after each event."""
    out = {}
    for state, r in _walk(log):
        out[r.n - 1] = state.number
    out[log[-1].n] = state.number
    return out


def _walk(log: Sequence[Recorded]) -> Iterator[tuple[Any, Recorded]]:
    """The state before each event, and the event; the state is the fold's own, and at the end the last."""
    state = begin(log[0].event.facts)  # type: ignore[union-attr]  # a log begins with its opening
    for r in log[1:]:
        yield state, r
        state.at = state.table.now = r.n
        evolve(state, r.event)
    yield state, log[0]


def wrong_figures(one: Degraded) -> list[str]:
    """The wrong figures that the degraded log reports as certain.

    A declared result counts as long as no card contradicts it. So after a breach a figure may follow the cards or the
    table: the player who leads next is taken for the winner of a trick with unseen cards.
    """
    true = [nothing_lost(log).figures for log in (one.happened, one.whole) if log]
    if one.legal:
        true = true[:1]
    elif one.happened:
        true.append(nothing_lost(as_it_was_led(one)).figures)
    out = []
    mine, theirs = numbers(one.log), numbers(one.whole)
    really_called: dict[int, int] = {}
    for here, was in one.was.items():
        # A record that begins late may call the first hand that it knows hand 1, whichever it was.
        really_called.setdefault(mine[here], theirs[was])
    for hand in score_played(one.log).hands:
        number = really_called.get(hand.number, hand.number)
        if not hand.done or not all(number in figures for figures in true):
            continue
        for i, (what, said) in enumerate((("points", hand.points), ("total", hand.totals))):
            for who, n in said.items():
                really = [figures[number][i].get(who) for figures in true]
                if n is not None and None not in really and n not in really:
                    out.append(f"hand {hand.number}: the {what} of {who} are said to be {n}, and are {really[0]}")
    return out


def as_it_was_led(one: Degraded) -> tuple[Recorded, ...]:
    """The match as it happened, but with each trick gathered by the player who led next, if only that shows the winner
    in the degraded log."""
    leads: dict[int, str] = {}
    before: Recorded | None = None
    for state, r in _walk(one.log):
        trick = tricks_in(state.hand) if state.number else None
        led = trick is not None and len(trick.plays) == 1 and trick.won and trick.won[-1].inferred
        if led and before is not None and isinstance(before.event, Play) and before.n in one.was:
            leads[one.was[before.n]] = state.terms.side_of[before.event.by]
        before = r
    moves = [(n - 1, Move(by="@", cards=("*",), src="trick", to=f"won:{side}")) for n, side in leads.items()]
    fixes = [Fix(by="@", at=n, how="insert", event=move) for n, move in moves]
    end = one.happened[-1].n + 1
    return (*one.happened, *(Recorded(n=end + i, event=fix) for i, fix in enumerate(fixes)))


def newly_certain(one: Degraded, judge: JudgeOf = as_users_see_it) -> list[Failure]:
    """What is certain in the degraded record and was not in the full one: accusations, findings about the record, wrong
    figures.

    Real breaches are left out, and so is what an offer calls in doubt.
    """
    said, full = judge(one.log), nothing_lost(one.whole).said
    real = {(b.position, f"{one.truth.game}.{rule}") for b in one.truth.breaches for rule in b.rules}
    before = full.accused | real | {(b.position, ILLEGAL) for b in one.truth.breaches}
    more = {(n, rule) for n, rule in said.accused - said.doubted if (one.was.get(n), rule) not in before}
    for n, (first, last) in one.tells.items():
        told = {(n, rule) for pos, rule in before if first <= pos <= last}
        more -= told | {key for key in more if told and key[0] == n and follows(key[1])}
    more -= shown_later(one, real)
    more -= broken_all_the_same(one, more)
    more |= {(n, rule) for n, rule in said.record - said.doubted if (one.was.get(n), rule) not in full.record}
    wrong = [Failure(one, (0, "figure"), False, text) for text in wrong_figures(one)]
    return [*(Failure(one, key, False, _told(said, key)) for key in sorted(more)), *wrong]


def shrunk(failure: Failure, judge: JudgeOf = as_users_see_it) -> list[Recorded]:
    """The degraded log without the hands before the accusation and the lines after it, as far as they are not
    needed."""
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
    """The line, with a comment about the true event if it differs."""
    bare = replace(r, time="", recorder="", t=None)
    if r.n in one.was:
        true = one.whole[one.was[r.n]].event
        return bare if true == r.event else replace(bare, text=f"really {one.was[r.n]}: {write_event(true)}")
    return bare if r.n == 0 or isinstance(r.event, Gap | Tally) else replace(bare, text="did not happen")


def shown(failure: Failure) -> str:
    """A failing record as a file, with the accusation and what was done to it."""
    log = shrunk(failure)
    head = [f"{failure.degraded.truth.game}, {failure.degraded.kind}: {failure.degraded.what}",
            f"{'shown' if failure.shown else 'not shown'}: {failure.text}"]  # fmt: skip
    if not failure.degraded.legal:
        head.append(
            "really broken: " + ", ".join(f"{b.position} {'+'.join(b.rules)}" for b in failure.degraded.truth.breaches)
        )
    return "".join(f"# {line}\n" for line in head) + write_kib(log)


Row = tuple[str, Kind, bool]
"""A game, a kind of degradation, whether the matches are legal."""


class Verdict(Struct):
    """The result for one game: a sentence for each aim that is missed."""

    game: str
    missed: list[str]


def verdict(game: str, rows: Mapping[Row, Count], today: float, kinds: Collection[str] = KINDS) -> Verdict:
    """Compare the figures of one game with the aims; `today` is the share of provable breaches, over logs of these
    kinds, that must be kept.
    """
    missed = [text for row, count in rows.items() for text in judged_wrongly(row, count)]
    total = sum((count for (_, kind, _), count in rows.items() if kind in kinds), Count())
    if not total.proven:
        missed.append("no breach is proven at all, even with nothing lost")
    elif total.share < today:
        missed.append(
            f"only {total.kept} of {total.proven} provable breaches are proven without doubt, {today:.1%} are today"
        )
    return Verdict(game, missed)


def judged_wrongly(row: Row, c: Count) -> Iterator[str]:
    """A sentence for each way in which records are judged wrongly.

    If a log only says less (`SEEING`), no player may be accused, no certain figure be wrong, and no rule be broken in a
    legal match. In other records no player may be accused if something else shows the slip.
    """
    _, kind, legal = row
    match = f"{kind}, {'legal' if legal else 'with breaches'}"
    if c.crashed:
        yield f"{match}: {c.crashed} of {c.logs} records stop the judge"
    if kind in SEEING:
        if c.accused:
            yield f"{match}: {c.accused} legal acts accused, nothing but seeing was lost"
        if c.figures:
            yield f"{match}: {c.figures} certain figures that are wrong"
        if c.findings:
            yield f"{match}: {c.findings} findings in legal matches"
    elif c.shown:
        yield f"{match}: {c.shown} legal acts accused although the record shows the slip"


ANY_GAME = 0.75
"""The share that a game without measurements has to reach."""
