"""What the judge says: findings with their places and dates, and the judgement they make up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from events.cards import pretty_all
from events.model import Event
from events.one_of import one_of
from events.writing import write_event
from reducers.model import State
from reducers.rules import CheckResult, Rule, Verdict
from replay.budget import Cut
from replay.judging.correction import SuggestedCorrection

# What is wrong with the record, not with an act.
OF_THE_RECORD = frozenset(f"table.{rule}" for rule in ("T1", "T2", "T3", "T4", "T5", "T8", "T9", "T10", "T11"))


class Place(Struct, frozen=True):
    """A position in the match, with its hand said beside it."""

    pos: int
    hand: int


class Finding(Struct, frozen=True):
    """A verdict worth showing.

    `rule` is the full id ("kaiser.R11"); `at` the act it is about; `known_from` the first position at which the log so
    far shows it, None while it is open. `cards` make it so (of `holder`, where they are somebody's); `legal` are acts
    known to have been possible instead, in written form, and `complete` says whether these are all. `text` says what
    is wrong in a sentence, `sentence` the rule in our words, `evidence` are the positions that prove it, the act first,
    and `because` says in sentences how they do.
    """

    rule: str
    verdict: Verdict
    at: Place
    known_from: Place | None
    text: str
    act: str = ""
    by: str = ""
    heading: str = ""
    short: str = ""
    sentence: str = ""
    cards: tuple[str, ...] = ()
    holder: str = ""
    legal: tuple[str, ...] = ()
    complete: bool = False
    evidence: tuple[int, ...] = ()
    # The correction of the recorder that would remove it, while one is plausible: then nobody is accused yet.
    unless: SuggestedCorrection | None = None
    because: tuple[str, ...] = ()
    # Whether `known_from` is only a bound: there was too much to date, and it may have been known earlier.
    bound: bool = False
    # The rules of which the act certainly broke one, while each of them is open, this one among them.
    one_of: tuple[str, ...] = ()


def written_act(event: Event) -> str:
    """An act as it is written; what is found more than once of the same act is written once.

    >>> from events.model import Play
    >>> written_act(Play(by="S", cards=("Td",)))
    'S play Td'
    """
    try:
        return _written(event)
    except TypeError:
        # What carries facts has no hash.
        return write_event(event)


_written = lru_cache(maxsize=4096)(write_event)


def finding_about(
    owner: str, rule: Rule, says: CheckResult, event: Event, at: Place, known: Place | None, *, cards: tuple[str, ...] = (),
    legal: tuple[str, ...] = (), complete: bool = False, evidence: tuple[int, ...] = (), because: tuple[str, ...] = (),
) -> Finding:  # fmt: skip
    """What a rule of `owner` (a game, or the table) says about an event, as a finding."""
    return Finding(
        rule=f"{owner}.{rule.id}", verdict=says.verdict, at=at, known_from=known, text=says.text, act=written_act(event),
        by=says.by or event.by, heading=rule.heading, short=rule.short, sentence=rule.text, cards=cards, holder=says.holder, legal=legal,
        complete=complete, evidence=evidence, because=because,
    )  # fmt: skip


class Judgement(Struct):
    """Everything the judge has to say about a log: findings in order, and the state it ended in.

    `inferred` has the cards that nobody saw played and that the rest of the pack leaves no choice about, by position.
    `illegal` are acts that break one rule or another whatever the hidden cards are, while each of the rules is open.
    `cuts` says what was not looked at to its end, because the record is so full of trouble (`replay.budget.cut_short` puts it
    in words). `untold` are open questions, by position and rule, of which another of the hand speaks as well: `check` leaves
    them out beside that one.
    """

    findings: list[Finding]
    state: State[Any]
    inferred: dict[int, tuple[str, ...]] = {}
    # The corrections that would explain most of it, best first (`replay.auditing.check.check` looks for them).
    repairs: list[SuggestedCorrection] = []
    illegal: tuple[int, ...] = ()
    cuts: tuple[Cut, ...] = ()
    untold: frozenset[tuple[int, str]] = frozenset()

    @property
    def acts(self) -> dict[int, Verdict]:
        """The verdict on each act that is not simply allowed: broken (by one rule or another), or open."""
        out: dict[int, Verdict] = {}
        for f in self.findings:
            if f.rule in OF_THE_RECORD:
                continue
            if f.verdict == Verdict.BROKEN or f.at.pos in self.illegal:
                out[f.at.pos] = Verdict.BROKEN
            else:
                out.setdefault(f.at.pos, f.verdict)
        return out

    @property
    def either(self) -> dict[int, tuple[Finding, ...]]:
        """For each illegal act the findings about the rules of which it certainly broke one."""
        return {n: tuple(f for f in self.findings if f.at.pos == n and f.one_of) for n in self.illegal}

    @property
    def broken(self) -> list[Finding]:
        """The findings that are certain."""
        return [f for f in self.findings if f.verdict == Verdict.BROKEN]

    @property
    def open(self) -> list[Finding]:
        """The questions that hidden cards leave open."""
        return [f for f in self.findings if f.verdict == Verdict.OPEN]


def sentence(finding: Finding) -> str:
    """A finding on one line, as `check` prints it."""
    where = f"hand {finding.at.hand}, event {finding.at.pos}"
    rule = f"{finding.rule} {finding.short}".strip()
    line = f"{finding.verdict}  {rule}  {where}: {finding.text}"
    if finding.cards and finding.holder:
        line += f" ({pretty_all(finding.cards)})"
    if finding.known_from is not None and finding.known_from.pos != finding.at.pos:
        line += f"; {dated(finding.known_from, finding.bound)}"
    if finding.one_of:
        line += f"; {one_or_another(finding.one_of)} is broken"
    return line


def one_or_another(rules: Sequence[str]) -> str:
    """Rules of one game of which one is meant.

    >>> one_or_another(("scopa.R2", "scopa.R3"))
    'R2 or R3'
    """
    return one_of(rule.partition(".")[2] for rule in rules)


def either_way(findings: Sequence[Finding]) -> str:
    """On one line, that an act certainly broke one of the rules that these findings leave open."""
    first = findings[0]
    rules = one_of(f"{f.rule} {f.short}".strip() for f in findings)
    return f"broken  {rules}  hand {first.at.hand}, event {first.at.pos}: breaks {one_or_another(first.one_of)} whatever the hidden cards are; which of them cannot be known"


def dated(known: Place, bound: bool) -> str:
    """From when something was known, in words; with `bound` the date is only a bound.

    >>> dated(Place(118, 2), False), dated(Place(118, 2), True)
    ('known from event 118', 'known by event 118, perhaps earlier')
    """
    return f"known by event {known.pos}, perhaps earlier" if bound else f"known from event {known.pos}"


__all__ = ["Finding", "Judgement", "Place", "dated", "sentence"]
