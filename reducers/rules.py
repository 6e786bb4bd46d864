"""Rules as data and as functions: the catalogue of a game, checks with three answers, and what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct

from reducers.known_cards import Pile


class Kind(StrEnum):
    """The kind of a rule, which determines the test cases it needs."""

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


"""A check of an act (or pile) in a state: None if there is no objection."""
CheckFunction: TypeAlias = Callable[[Any, Any], "CheckResult | None"]


class Rule(Struct, frozen=True):
    """One rule of a game: its id, the heading in the rule text, its kind, and a sentence in our words."""

    id: str
    heading: str
    kind: Kind
    text: str
    short: str = ""
    # Checks from `reducers.words` by the type of event they judge; the page's own checks follow the catalogue.
    judges: Mapping[Any, CheckFunction] = {}


class CheckResult(Struct, frozen=True, gc=False):
    """An objection of a check. `cards` is the bag of cards that justifies it, in the holding of `holder`.

    Any one of the cards is enough, or all of them `together`: then it is known with the last of them. For an open
    question, `about` is the pile with the cards that leave it open, and `holder` the player whose whole hand must be
    seen to settle it. `at` is the position of the earlier act in question, as a turn of several acts is judged once
    another seat acts; the question is known from the act that was checked. `by` is the player who broke the rule, if
    not the actor (it may show that another has not paid). `or_at` is the position of an earlier act that broke
    the rule if this act did not. An open question that is not `told` is left out if another one of the hand stays
    open, as that one covers it.
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


def broken(
    text: str, cards: int = 0, holder: str = "", *, together: bool = False, at: int = 0, by: str = "",
) -> CheckResult:
    """The act broke the rule; `cards` (a bag) in the holding of `holder` prove it, any of them or all `together`.

    `at` is the position of an earlier act in question; `by` is the player who broke the rule, if not the actor.
    """
    return CheckResult(Verdict.BROKEN, text, cards, holder, together, at, by=by)


def unknown(
    text: str, about: Pile | None = None, *, at: int = 0, told: bool = True, or_at: int = 0
) -> CheckResult:
    """Hidden cards leave the rule open; `text` says what would settle it. If not `told`, another question of the hand
    covers this one; if this act did not break the rule, the act at `or_at` did.

    `about` is the pile with the deciding cards, if not the actor's holding.
    """
    return CheckResult(Verdict.OPEN, text, at=at, about=about, told=told, or_at=or_at)


def not_all_seen(hand: Pile) -> CheckResult:
    """The rule is open as long as any card of this hand is unseen."""
    return CheckResult(Verdict.OPEN, f"the hand of {hand.name} was not all seen", holder=hand.name, about=hand)


class Check(Struct, frozen=True):
    """A rule as a function: it returns None, or its objection. It runs in the phases `when`; in all if empty."""

    rule: Rule
    on: tuple[type, ...]
    run: CheckFunction
    when: tuple[str, ...] = ()


class Breach(NamedTuple):
    """A proven irregularity: position, full rule id (`kaiser.R11`), who did it, in which hand."""

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
        """Register the decorated function as a check of this rule for these types of event, in the phases named in
        `when` (default: all). Raises KeyError for an unknown id."""
        found = self.rules[rule]

        def keep(run: CheckFunction) -> CheckFunction:
            self.checks.append(Check(found, on, run, tuple(when.split())))
            return run

        return keep

    def at_once(self, *on: type) -> Callable[[CheckFunction], CheckFunction]:
        """Register the decorated function to replace all checks of these types of event if the caller only needs to
        know that none objects: it returns the first objection, or None."""

        def keep(ask: CheckFunction) -> CheckFunction:
            self.asked_at_once.update(dict.fromkeys(on, ask))
            return ask

        return keep

    def unless(self, allowed: Callable[[Any, Any], bool], *on: type) -> None:
        """Skip all checks of these types of event for an act that is clearly legal by `allowed(act, state)`."""
        checks: list[Check] = []

        def first_objection(act: Any, state: Any) -> CheckResult | None:
            if allowed(act, state):
                return None
            if not checks:
                # Collected late, as the page adds checks after this call.
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
    """One rule of a catalogue; `short` is the name a player would use ("follow suit").

    `judges` maps a type of event, or a tuple of types, to the shared check for it.
    """
    return Rule(id, heading, kind, text, short, judges or {})


TABLE = Catalogue(
    "table",
    rule(
        "T1", "The pack", CONSEQUENCE, "A card that the pack does not have cannot be on the table.", "not in the pack",
    ),
    rule(
        "T2", "One place for a card", CONSEQUENCE,
        "A card lies in one place; nobody can hold or play it a second time.", "seen twice",
    ),
    rule("T3", "Counting", CONSEQUENCE, "No more cards leave a pile than lie in it.", "too many cards"),
    rule("T4", "Where a card lies", CONSEQUENCE, "A card leaves the pile in which it lies, and no other.", "not there"),
    rule("T5", "The top card", CONSEQUENCE, "From a packet only the card on top can be taken.", "not on top"),
    rule(
        "T6", "Order of the hand", DUTY,
        "An act belongs to its part of the hand: no play before the deal is settled, no bid after it.",
        "out of its time",
    ),
    rule("T7", "Seats", CONSEQUENCE, "Only seats of the match act.", "no such seat"),
    rule(
        "T8", "Derived lines", CONSEQUENCE, "A derived line says what the log gives when it is computed again.",
        "derived line",
    ),
    rule("T9", "The table's score", CONSEQUENCE, "A claimed score is the sum of what was played.", "claimed score"),
    rule(
        "T10", "Words of the game", CONSEQUENCE,
        "A spoken word, a fact and what it says are such as the game knows and allows.", "word or fact",
    ),
    rule(
        "T11", "Corrections", CONSEQUENCE,
        "A correction, a dispute or a ruling names an event that stands in the record.", "reference",
    ),
    rule(
        "T12", "Told and seen", CONSEQUENCE,
        "What a tally tells of a hand agrees with the moves and the tallies that were recorded of it.", "told and seen",
    ),
    rule(
        "T13", "Lines that were not read", CONSEQUENCE,
        "A line that cannot be read may have said anything: nothing that rests across it is certain.", "not read",
    ),
    rule(
        "T14", "Hands in their order", CONSEQUENCE, "Hands are numbered one after the other, and each is told once.",
        "entered twice or left out",
    ),
    rule(
        "T15", "Rules of then", CONSEQUENCE,
        "A match is scored by the rules that its game has today; what it came to before is kept.", "older rules",
    ),
)  # fmt: skip
