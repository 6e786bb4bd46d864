"""Rules as data and as functions: the catalogue of a game, checks with three answers, and what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct

from reducers.known_cards import Pile


class Kind(StrEnum):
    """What can become of a rule, and so which cases a test must have."""

    DUTY = "duty"  # kept or broken
    RIGHT = "right"  # used, or wrongly denied
    CONSEQUENCE = "consequence"  # right, or contradicted by a claim or a derived line
    UNOBSERVABLE = "unobservable"  # cannot be seen in a record; the rule says why


DUTY, RIGHT, CONSEQUENCE, UNOBSERVABLE = Kind


class Verdict(StrEnum):
    """The answer of a rule about an act."""

    ALLOWED = "allowed"
    BROKEN = "broken"
    OPEN = "open"


"""What a check says of a pile as it lay, as far as anybody knows what lay there: True if it is content, None if it stays open in the
same words. False is anything else: then the check itself is asked again."""
CheckFunction: TypeAlias = Callable[[Any, Any], "CheckResult | None"]


class Rule(Struct, frozen=True):
    """One rule of a game: its id in the notes, the heading of the rule text, its kind, and a sentence in our words."""

    id: str
    heading: str
    kind: Kind
    text: str
    short: str = ""
    # The words of `reducers.words` that judge it, by what they judge; a judge of the page's own stands below the catalogue.
    judges: Mapping[Any, CheckFunction] = {}


class CheckResult(Struct, frozen=True, gc=False):
    """What a check says when it is not content. `cards` is the bag that makes it so, `holder` whose cards they are.

    Any one of the cards is enough, unless they make it so `together`: then it is known with the last of them. Of an open question
    `about` is the pile whose cards leave it open;
    `holder` is whose whole hand has to be seen, if nothing less can settle it. `at` is the position of an earlier
    act, if that is the one it speaks of: a turn of several acts is judged once somebody else acts. It is known from the act asked
    about on. `by` is who broke the rule, if that is not whoever acts: it shows in the next act that somebody has not paid.
    `or_at` is the position of an earlier act that broke the rule if the one asked about did not: one of the two is broken.
    An open question that is not `told` goes without saying if another of the hand stays open: that one speaks of all of them.
    """

    verdict: Verdict
    text: str
    cards: int = 0
    holder: str = ""
    together: bool = False
    at: int = 0
    about: Pile | None = None
    by: str = ""
    told: bool = True
    or_at: int = 0


def broken(text: str, cards: int = 0, holder: str = "", *, together: bool = False, at: int = 0, by: str = "") -> CheckResult:
    """The act broke the rule; `cards` (a bag) in the holding of `holder` prove it, any of them or all together.

    `at` is the position of the act that it speaks of, if that is an earlier one; `by` who broke it, if not whoever acts.
    """
    return CheckResult(Verdict.BROKEN, text, cards, holder, together, at, by=by)


def unknown(
    text: str, about: Pile | None = None, *, at: int = 0, told: bool = True, or_at: int = 0
) -> CheckResult:
    """Hidden cards leave the rule open; `text` says what would settle it. If it is not `told`, another question of the hand
    speaks of it as well; if this act did not break it, the one at `or_at` did.

    `about` is the pile whose cards decide it, if that is not the holding of whoever acts.
    """
    return CheckResult(Verdict.OPEN, text, at=at, about=about, told=told, or_at=or_at)


def no(answer: bool | None) -> bool | None:
    """The opposite of an answer; what is unknown stays so."""
    return None if answer is None else not answer


def not_all_seen(hand: Pile) -> CheckResult:
    """The rule is open as long as any card in this hand is unseen, whatever else is known."""
    return CheckResult(Verdict.OPEN, f"the hand of {hand.name} was not all seen", holder=hand.name, about=hand)


class Check(Struct, frozen=True):
    """A rule as a function: nothing when content, else what it says. It is asked in the phases `when`; in all, if none is named."""

    rule: Rule
    on: tuple[type, ...]
    run: CheckFunction
    when: tuple[str, ...] = ()


class Breach(NamedTuple):
    """A proven irregularity as a page sees it: position, full rule id (`kaiser.R11`), who did it, in which hand."""

    pos: int
    rule: str
    by: str
    hand: int = 0


class Catalogue:
    """The numbered rules of a game and the checks that carry them."""

    def __init__(self, game: str, *rules: Rule) -> None:
        self.game = game
        self.rules: dict[str, Rule] = {r.id: r for r in rules}
        self.checks: list[Check] = [
            Check(r, on if isinstance(on, tuple) else (on,), judge) for r in rules for on, judge in r.judges.items()
        ]
        self.asked_at_once: dict[type, CheckFunction] = {}

    def check(self, rule: str, *on: type, when: str = "") -> Callable[[CheckFunction], CheckFunction]:
        """The decorated function carries this rule for these types of event, in the phases named in `when` (in all of them, if
        there are none). Raises KeyError for an unknown id."""
        found = self.rules[rule]

        def keep(run: CheckFunction) -> CheckFunction:
            self.checks.append(Check(found, on, run, tuple(when.split())))
            return run

        return keep

    def at_once(self, *on: type) -> Callable[[CheckFunction], CheckFunction]:
        """The decorated function is asked in place of all checks of these types of event, once there is a hand, by whoever
        wants to know only whether all are content: it says what one of them says that is not."""

        def keep(ask: CheckFunction) -> CheckFunction:
            self.asked_at_once.update(dict.fromkeys(on, ask))
            return ask

        return keep

    def unless(self, allowed: Callable[[Any, Any], bool], *on: type) -> None:
        """No check of these types of event needs to be asked about an act that `allowed` says is plainly in order: act and state
        are given to it."""
        checks: list[Check] = []

        def first_objection(act: Any, state: Any) -> CheckResult | None:
            if allowed(act, state):
                return None
            if not checks:
                # Here, as the page adds checks below.
                checks.extend(check for check in self.checks if set(on) & set(check.on))
            for check in checks:
                if type(act) in check.on and (not check.when or state.phase in check.when):
                    says = check.run(act, state)
                    if says is not None:
                        return says
            return None

        self.at_once(*on)(first_objection)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules.values())

    def __getitem__(self, rule: str) -> Rule:
        return self.rules[rule]


def rule(
    id: str, heading: str, kind: Kind, text: str, short: str = "", judges: Mapping[Any, CheckFunction] | None = None
) -> Rule:
    """One line of a catalogue; `short` is the name a player would use ("follow suit").

    `judges` are shared words that judge it, each beside the type of event it judges, or a tuple of these.
    """
    return Rule(id, heading, kind, text, short, judges or {})


TABLE = Catalogue(
    "table",
    rule("T1", "The pack", CONSEQUENCE, "A card that the pack does not have cannot be on the table.", "not in the pack"),
    rule("T2", "One place for a card", CONSEQUENCE, "A card lies in one place; nobody can hold or play it a second time.", "seen twice"),
    rule("T3", "Counting", CONSEQUENCE, "No more cards leave a pile than lie in it.", "too many cards"),
    rule("T4", "Where a card lies", CONSEQUENCE, "A card leaves the pile in which it lies, and no other.", "not there"),
    rule("T5", "The top card", CONSEQUENCE, "From a packet only the card on top can be taken.", "not on top"),
    rule("T6", "Order of the hand", DUTY, "An act belongs to its part of the hand: no play before the deal is settled, no bid after it.", "out of its time"),
    rule("T7", "Seats", CONSEQUENCE, "Only seats of the match act.", "no such seat"),
    rule("T8", "Derived lines", CONSEQUENCE, "A derived line says what the log gives when it is computed again.", "derived line"),
    rule("T9", "The table's score", CONSEQUENCE, "A claimed score is the sum of what was played.", "claimed score"),
    rule("T10", "Words of the game", CONSEQUENCE, "A spoken word, a fact and what it says are such as the game knows and allows.", "word or fact"),
    rule("T11", "Corrections", CONSEQUENCE, "A correction, a dispute or a ruling names an event that stands in the record.", "reference"),
    rule("T12", "Told and seen", CONSEQUENCE, "What a tally tells of a hand agrees with the moves and the tallies that were recorded of it.", "told and seen"),
    rule("T13", "Lines that were not read", CONSEQUENCE, "A line that cannot be read may have said anything: nothing that rests across it is certain.", "not read"),
    rule("T14", "Hands in their order", CONSEQUENCE, "Hands are numbered one after the other, and each is told once.", "entered twice or left out"),
    rule("T15", "Rules of then", CONSEQUENCE, "A match is scored by the rules that its game has today; what it came to before is kept.", "older rules"),
)  # fmt: skip
