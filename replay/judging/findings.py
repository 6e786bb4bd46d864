"""Findings with their places and dates, and the judgement that holds them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.cards import pretty_all
from events.model import Event
from events.writing import write_event
from reducers.model import State
from reducers.rules import CheckResult, Rule, Verdict
from replay.budget import Cut
from replay.judging.correction import SuggestedCorrection, asked_once, likewise
from replay.languages.translate import in_language, one_of_them, phrase, t

# Rules about the record, not about a player's act.
OF_THE_RECORD = frozenset(
    f"table.{rule}" for rule in ("T1", "T2", "T3", "T4", "T5", "T8", "T9", "T10", "T11", "T12", "T13", "T14", "T15")
)


class EventPlace(Struct, frozen=True):
    """A position in the match, with its hand."""

    pos: int
    hand: int


class Finding(Struct, frozen=True):
    """A verdict worth showing.

    `rule` is the full id ("kaiser.R11"); `at` the act it is about; `known_from` the first position at which the log
    shows it, None while it is open. `cards` prove it (held by `holder`, if any); `legal` are acts that were known to
    be possible instead, in written form, and `complete` is True if these are all. `text` says what is wrong,
    `sentence` is the rule in our words, `evidence` are the positions that prove it, the act first, and `because`
    explains them. `did` describes the player's act and `trick` is the number of its trick, once they were looked up.
    """

    rule: str
    verdict: Verdict
    at: EventPlace
    known_from: EventPlace | None
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
    # The plausible correction that would remove it. While there is one, no player is accused.
    unless: SuggestedCorrection | None = None
    because: tuple[str, ...] = ()
    # True if `known_from` is only an upper bound, as there was too much to date.
    bound: bool = False
    # Open rules, this one included, at least one of which is certainly broken. Each names its act if they differ
    # ("court-piece.R4 at event 4").
    one_of: tuple[str, ...] = ()
    # The number of layouts of the unseen cards that were tried to prove it; 0 if none were.
    worlds: int = 0
    did: str = ""
    trick: int | None = None

    @property
    def says(self) -> str:
        """The act and what is wrong about it."""
        return f"{self.did}; {self.text}" if self.did and not self.text.startswith(self.did) else self.text

    @property
    def in_full(self) -> Finding:
        """A copy of the finding whose text includes the act and the player."""
        return replace(self, text=self.says)


def written_act(event: Event) -> str:
    """Return an act in written form, cached.

    >>> from events.model import Play
    >>> written_act(Play(by="S", cards=("Td",)))
    'S play Td'
    """
    try:
        return _written(event)
    except TypeError:
        # An event that carries facts is not hashable.
        return write_event(event)


_written = lru_cache(maxsize=4096)(write_event)


def finding_about(
    owner: str, rule: Rule, says: CheckResult, event: Event, at: EventPlace, known: EventPlace | None, *,
    cards: tuple[str, ...] = (), legal: tuple[str, ...] = (), complete: bool = False, evidence: tuple[int, ...] = (),
    because: tuple[str, ...] = (),
) -> Finding:  # fmt: skip
    """Make a finding of what a rule of `owner` (a game, or the table) says about an event."""
    return Finding(
        rule=f"{owner}.{rule.id}", verdict=says.verdict, at=at, known_from=known, text=says.text,
        act=written_act(event), by=says.by or event.by, heading=rule.heading, short=rule.short, sentence=rule.text,
        cards=cards, holder=says.holder, legal=legal, complete=complete, evidence=evidence, because=because,
    )  # fmt: skip


class Either(Struct, frozen=True):
    """Open charges (position and rule) of one hand, at least one of which is certainly true."""

    hand: int
    charges: tuple[tuple[int, str], ...]

    @property
    def act(self) -> int:
        """The position of the act if all charges are about one, else 0."""
        acts = {pos for pos, _ in self.charges}
        return acts.pop() if len(acts) == 1 else 0

    @property
    def names(self) -> tuple[str, ...]:
        """The rules, each with its act if these are several.

        >>> Either(1, ((4, "scopa.R2"), (4, "scopa.R3"))).names, Either(1, ((4, "omi.R4"), (5, "omi.R6"))).names
        (('scopa.R2', 'scopa.R3'), ('omi.R4 at event 4', 'omi.R6 at event 5'))
        """
        return tuple(rule if self.act else f"{rule} at event {pos}" for pos, rule in self.charges)


class Judgement(Struct):
    """The judge's result for a log: findings in order, and the final state.

    `inferred` has the cards found by elimination, by position. `either` are open charges, of each group at least one
    certain. `cuts` lists what was not examined completely because the record has too many problems
    (`replay.budget.cuts_in_words` describes them). `untold` are open questions, by position and rule, that another
    question of the hand covers: `check` leaves them out.
    """

    findings: list[Finding]
    state: State[Any]
    inferred: dict[int, tuple[str, ...]] = {}
    # The corrections that explain most, best first (`replay.auditing.check.check` finds them).
    repairs: list[SuggestedCorrection] = []
    either: tuple[Either, ...] = ()
    cuts: tuple[Cut, ...] = ()
    untold: frozenset[tuple[int, str]] = frozenset()

    @property
    def acts(self) -> dict[int, Verdict]:
        """The verdict on each act that is broken or open, by position."""
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
    def illegal(self) -> tuple[int, ...]:
        """The acts that certainly break one of several rules, each of which is open."""
        return tuple(one.act for one in self.either if one.act)

    def charged(self, one: Either) -> tuple[Finding, ...]:
        """The open findings about these charges."""
        return tuple(f for f in self.findings if (f.at.pos, f.rule) in one.charges)

    @property
    def broken(self) -> list[Finding]:
        """The certain findings."""
        return [f for f in self.findings if f.verdict == Verdict.BROKEN]

    @property
    def unread(self) -> list[Finding]:
        """The lines that could not be read, a subset of `open`."""
        return [f for f in self.findings if f.rule == "table.T13"]

    @property
    def open(self) -> list[Finding]:
        """The questions that hidden cards leave open."""
        return [f for f in self.findings if f.verdict == Verdict.OPEN]


def where_it_is(at: EventPlace, trick: int | None) -> str:
    """A place in words: the hand, the trick if there is one, and the event."""
    return (
        t("hand {n}, trick {m}, event {event}", n=at.hand, m=trick, event=at.pos) if trick
        else t("hand {n}, event {event}", n=at.hand, event=at.pos)
    )


def _heading(word: str) -> str:
    """The word at the head of a line, as wide as the widest of them."""
    return t(word).ljust(max(len(t(one)) for one in (phrase("broken"), phrase("open"), "sum")))


def finding_told(short: str, says: str) -> str:
    """The name of the rule and what a finding says, in the language that is spoken."""
    return ": ".join(filter(None, map(in_language, (short, says))))


def sentence(finding: Finding) -> str:
    """A finding on one line, as `check` prints it."""
    rule = f"{finding.rule} {in_language(finding.short)}".strip()
    # A wrong sum of the table breaks no rule of the game.
    is_sum = finding.rule == "table.T9" and finding.verdict == Verdict.BROKEN
    where = where_it_is(finding.at, finding.trick)
    line = f"{_heading('sum' if is_sum else finding.verdict)}  {rule}  {where}: {in_language(finding.says)}"
    if finding.cards and finding.holder:
        line += f" ({pretty_all(finding.cards)})"
    if finding.known_from is not None and finding.known_from.pos != finding.at.pos:
        line += f"; {dated(finding.known_from, finding.bound)}"
    if finding.one_of:
        line += f"; {t('{rules} is broken', rules=one_or_another(finding.one_of))}"
    return line


def questions_asked(questions: Iterable[Finding]) -> list[str]:
    """Open questions, one line per group, with where each recurs."""
    lines = []
    for first, *others in asked_once(questions, lambda q: q.text):
        also = "; ".join(likewise(others))
        lines.append(t("{what}; also open: {others}", what=sentence(first), others=also) if also else sentence(first))
    return lines


def one_or_another(rules: Sequence[str]) -> str:
    """Join the rules of one game with "or", without the game's name.

    >>> one_or_another(("scopa.R2", "scopa.R3")), one_or_another(("omi.R4 at event 4", "omi.R6 at event 5"))
    ('R2 or R3', 'R4 at event 4 or R6 at event 5')
    """
    return one_of_them(rule.partition(".")[2] for rule in rules)


def either_way(one: Either, findings: Sequence[Finding]) -> str:
    """One line: at least one of these open charges is certain."""
    rules = one_of_them(dict.fromkeys(f"{f.rule} {in_language(f.short)}".strip() for f in findings))
    acts = one_of_them(dict.fromkeys(str(pos) for pos, _ in one.charges))
    where = t("hand {n}, event {event}", n=one.hand, event=acts)
    return f"{_heading('broken')}  {rules}  {where}: {either_is_broken(one.names, one_act=bool(one.act))}"


def either_is_broken(names: Sequence[str], *, one_act: bool) -> str:
    """Say that one of these open charges is certain. The text follows the act or acts.

    >>> either_is_broken(("omi.R4 at event 4", "omi.R6 at event 5"), one_act=False)
    'R4 at event 4 or R6 at event 5 is certainly broken; which of them cannot be known'
    """
    rules = one_or_another(names)
    return (
        t("breaks {rules} whatever the hidden cards are; which of them cannot be known", rules=rules) if one_act
        else t("{rules} is certainly broken; which of them cannot be known", rules=rules)
    )


def without_duplicates(findings: Iterable[Finding], either: Sequence[Either]) -> list[Finding]:
    """Drop duplicate findings about an act, and open questions about rules that the act certainly broke. Sets
    `one_of` from `either`."""
    told: dict[tuple[str, int, str], Finding] = {}
    for f in findings:
        told.setdefault((f.rule, f.at.pos, f.text), f)
    certain = {(f.rule, f.at.pos) for f in told.values() if f.verdict == Verdict.BROKEN}
    findings = [f for f in told.values() if f.verdict == Verdict.BROKEN or (f.rule, f.at.pos) not in certain]
    if not either:
        return findings
    names = {charge: one.names for one in either for charge in one.charges}
    return [replace(f, one_of=names.get((f.at.pos, f.rule), ())) for f in findings]


def dated(known: EventPlace, bound: bool) -> str:
    """Say from when a finding was known; with `bound` the date is an upper bound.

    >>> dated(EventPlace(118, 2), False), dated(EventPlace(118, 2), True)
    ('known from event 118', 'known by event 118, perhaps earlier')
    """
    return t("known by event {n}, perhaps earlier", n=known.pos) if bound else t("known from event {n}", n=known.pos)
