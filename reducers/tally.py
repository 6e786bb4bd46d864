"""What a hand is scored from, declared once: a class whose attributes are the facts of a tally.

    class Tally(TallyFacts):
        declarer: str | None = side("side that plays the contract")
        tricks: Points = counts("tricks taken by a side", of=13, asks="who took how many tricks")
        void: str = why_void("misdeal: the hand does not count")

Each attribute has its key in a `tally` line (its own name, if nothing else is said), what it means, what it can be, what
is asked while it is missing, and what a ruling may make of it. Everything else follows: the findings about facts that
cannot be and what one side's figure says about the other's (`reducers.facts`), what a `tally` or a ruling puts in place of
what the moves gave (`reducers.words.tallies.apply_reported_facts`), the questions of a result without its moves (`left_open`), and what
`kibitz rules` prints. A guided entry asks in the order of the attributes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from events.model import Facts
from reducers.facts import Fact, Law, Limit

Reading: TypeAlias = Literal["side", "word", "number", "yes or no", "counts", "figures", "seats", "void", "page"]


class FactSpec(Struct, frozen=True):
    """How one attribute of a tally is told: by which facts, and how they are read.

    `key` is the fact's name in a tally; `facts` are the shapes of its keys (`tricks.*`, `trick.#`), each with what it
    can be. `default` is what is known of it if nothing was told or played. `asks` is the question to put while it is
    missing, `answer` how an answer is put into words (`{}-fold`). `rulings` say what a ruling on each shape does.
    """

    key: str
    facts: dict[str, Fact]
    reading: Reading
    default: Any = None
    asks: str = ""
    answer: str = "{}"
    rulings: dict[str, str] = {}
    # Whether the page knows figures as at least and at most.
    spans: bool = False
    # What further moves may do to it once something is known of it: nothing, add to it, or anything.
    goes_on: Literal["", "grows", "changes"] = ""
    # What it is as long as nothing happened that it tells: with a result that does not tell it, that is no answer.
    nothing: Any = None
    # Of which side, seat or hand that is so: the state and its name are given; of each, if nothing is said here.
    still: Callable[[Any, str], bool] | None = None
    # What each side or seat has at least by what was played of the hand; the one figure of a number under an empty name.
    so_far: Callable[[Any], Mapping[str, int | str | None]] | None = None
    # How a fact that the page reads itself would be told, by dotted keys; None where it is not known.
    tells: Callable[[Any], Mapping[str, Any]] | None = None
    # In a result line: whether it is asked, whose figure is told of two sides, and words that tell another fact instead;
    # the seat of which nothing is told, and whether it is the one that deals.
    asked: bool = True
    whose: str = ""
    instead: dict[str, Facts] = {}
    but: str = ""
    deals: bool = False


SCORED = Fact("points that the hand brings a side or player, where nothing else is known", "number")
"""What every game can tell of a hand whose own figures nobody wrote; of those whose score is counted from points, the page says it."""


class Declared(type):
    """Collects what a class of `TallyFacts` declares; an attribute without a key of its own is told by its name."""

    told: Mapping[str, FactSpec]
    defaults: Mapping[str, Any]
    filled_up: tuple[str, ...]
    facts: dict[str, Fact]
    rulings: Mapping[str, str]
    # Whether `points` are what a hand brings, which no fact of the page's own is called.
    tells_points: bool

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Declared:
        told = {attribute: with_name(attribute, value) for attribute, value in body.items() if isinstance(value, FactSpec)}
        made = super().__new__(cls, name, bases, {**body, **{a: one.default for a, one in told.items()}})
        made.told = told
        made.defaults = {a: one.default for a, one in told.items()}
        # A default that fills up as the hand is counted is each tally's own.
        made.filled_up = tuple(a for a, one in told.items() if isinstance(one.default, dict))
        made.facts = {shape: fact for one in told.values() for shape, fact in one.facts.items()}
        made.tells_points = bool(told) and "points" not in {shape.partition(".")[0] for shape in made.facts}
        if made.tells_points:
            made.facts["points.*"] = SCORED
        made.rulings = {shape: text for one in told.values() for shape, text in one.rulings.items()}
        return made


class TallyFacts(metaclass=Declared):
    """The facts of one hand; a page derives its own `Tally`. Attributes are given by name, or in their order.

    >>> class Tally(TallyFacts):
    ...     declarer: str | None = side("side that plays the contract")
    ...     level: int | None = number("the bid", 6, 12)
    >>> Tally("NS", level=7), list(Tally.facts)
    (Tally(declarer='NS', level=7), ['declarer', 'level', 'points.*'])
    >>> Tally(trumps="h")
    Traceback (most recent call last):
    TypeError: Tally has the attributes declarer, level
    """

    told: ClassVar[Mapping[str, FactSpec]]
    defaults: ClassVar[Mapping[str, Any]]
    filled_up: ClassVar[tuple[str, ...]]
    facts: ClassVar[Mapping[str, Fact]]
    rulings: ClassVar[Mapping[str, str]]
    tells_points: ClassVar[bool]
    # What the facts cannot be together, besides what follows from each.
    laws: ClassVar[tuple[Law, ...]] = ()

    void: str = ""

    def __init__(self, *values: Any, **named: Any) -> None:
        # A page may count up a tally with every act: what is told by it lies in its dictionary, and nothing else does.
        mine = self.__dict__
        mine.update(self.defaults)
        if values or named:
            mine.update(zip(self.told, values, strict=False))
            mine.update(named)
            if len(mine) > len(self.told) or len(values) > len(self.told):
                raise TypeError(f"{type(self).__name__} has the attributes {', '.join(self.told)}")
        for attribute in self.filled_up:
            if mine[attribute] is self.defaults[attribute]:
                mine[attribute] = {**mine[attribute]}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{a}={getattr(self, a)!r}' for a in self.told)})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]  # it changes as it is overlaid


def with_name(attribute: str, told: FactSpec) -> FactSpec:
    """The declaration with the attribute's name as its key, if it has none of its own."""
    if told.key:
        return told
    facts = {
        shape.replace("=", attribute, 1): replace(fact, counts=attribute) if fact.counts == "=" else fact
        for shape, fact in told.facts.items()
    }
    rulings = {shape.replace("=", attribute, 1): text for shape, text in told.rulings.items()}
    return replace(told, key=attribute, facts=facts, rulings=rulings)


def declare(
    fact: Fact,
    reading: Reading,
    default: Any,
    *,
    shape: str = "=",
    key: str = "",
    asks: str = "",
    answer: str = "{}",
    ruling: str = "",
) -> FactSpec:
    """One fact with how it is read; in `shape`, `=` stands for the key."""
    shape = shape.replace("=", key) if key else shape
    return FactSpec(key, {shape: fact}, reading, default, asks, answer, {shape: ruling} if ruling else {})


# -- the words of a page: each returns what the attribute is declared as ---------------------------------------------------


def side(meaning: str, *, rule: str = "", says: str = "", key: str = "", asks: str = "", ruling: str = "") -> Any:
    """A side, told by its own name or by that of one of its seats. None while it is not known."""
    fact = Fact(meaning, "somebody", who=("side", "seat"), rule=rule, says=says)
    return declare(fact, "side", None, key=key, asks=asks, ruling=ruling)


def seat(
    meaning: str, *also: str, rule: str = "", says: str = "", key: str = "", asks: str = "", ruling: str = ""
) -> Any:
    """A seat, or a word that stands for none of them. Empty while it is not known."""
    fact = Fact(meaning, "somebody", only=also, who=("seat",), rule=rule, says=says)
    return declare(fact, "word", "", key=key, asks=asks, ruling=ruling)


def choice(
    meaning: str, *words: str, rule: str = "", says: str = "", key: str = "", asks: str = "", ruling: str = ""
) -> Any:
    """One of a few words. Empty while it is not known."""
    fact = Fact(meaning, "choice", only=words, rule=rule, says=says)
    return declare(fact, "word", "", key=key, asks=asks, ruling=ruling)


def number(
    meaning: str, at_least: Limit | None = 0, at_most: Limit | None = None, *, only: tuple[int, ...] = (), step: int = 1,
    stands: bool = False, rule: str = "", says: str = "", key: str = "", asks: str = "", answer: str = "{}", ruling: str = "",
) -> Any:  # fmt: skip
    """A whole number within bounds, or one of a few. None while it is not known.

    If it `stands`, one out of its bounds is what a table may have done against the rule, and counts as it was played.
    """
    fact = Fact(meaning, "number", at_least, at_most, step, only, rule=rule, says=says, stands=stands)
    return declare(fact, "number", None, key=key, asks=asks, answer=answer, ruling=ruling)


def yes_or_no(meaning: str, *, default: bool | None = False, rule: str = "", key: str = "", asks: str = "") -> Any:
    """Yes or no; None if nobody can read what was told."""
    return declare(Fact(meaning, "yes or no", rule=rule), "yes or no", default, key=key, asks=asks)


def counts(
    meaning: str, *, of: Limit, fewest: int | None = None, one_by_one: tuple[str, str] = ("", ""), rule: str = "", key: str = "", asks: str = "",
    ruling: str = "", ruling_one: str = "", stops: Limit | None = None,
) -> Any:  # fmt: skip
    """What each side has of so many in all, so that of two sides one figure gives the other; if a hand may be stopped, there
    are as few as `fewest` in all, or so many that one side has what `stops` it.

    `one_by_one` is the key of a fact that tells them singly, and what it means (`trick.3=NS`). A ruling on the counts adds
    and takes away; `ruling_one` says what one on a single one does.
    """
    fact = Fact(meaning, "number", 0, of, together=of, fewest=fewest, stops=stops, rule=rule)
    told = declare(fact, "counts", {}, shape="=.*", key=key, asks=asks, ruling=ruling)
    single, singly = one_by_one
    if single:
        told.facts[f"{single}.#"] = Fact(singly, "somebody", who=("side", "seat"), numbered=of if isinstance(of, int) else 0, counts=key or "=", rule=rule)
        if ruling_one:
            told.rulings[f"{single}.#"] = ruling_one
    return told


def figures(
    meaning: str, at_least: Limit | None = 0, at_most: Limit | None = None, *, only: tuple[int, ...] = (), step: int = 1,
    of: Literal["side", "hand"] = "side", rule: str = "", says: str = "", key: str = "", ruling: str = "",
) -> Any:  # fmt: skip
    """A number for each side or hand, within bounds. What nobody told of somebody is as the moves gave it."""
    fact = Fact(meaning, "number", at_least, at_most, step, only, of=of, rule=rule, says=says)
    return declare(fact, "figures", {}, shape="=.*", key=key, ruling=ruling)


def seats(meaning: str, *, once: bool = False, rule: str = "", says: str = "", key: str = "") -> Any:
    """Seats in order, none of them twice if each is named `once`. Empty while they are not known."""
    return declare(Fact(meaning, "seats", most=1 if once else None, rule=rule, says=says), "seats", (), key=key)


def why_void(meaning: str, *, ruling: str = "") -> Any:
    """Why a hand does not count; empty if it does. `yes` is void without a reason, `no` takes it back."""
    return declare(Fact(meaning), "void", "", ruling=ruling)


def read_by_the_page(
    facts: dict[str, Fact], default: Any = None, *, asks: str = "", rulings: Mapping[str, str] | None = None, said: bool = False,
    tells: Callable[[Any], Mapping[str, Any]] | None = None,
) -> Any:  # fmt: skip
    """Facts of a shape of their own, by their dotted keys, which the page reads itself; `rulings` by such keys too.

    A result line asks them if they are `said` at the table, the first of them if there are several. `tells` gives what is known
    as a tally would have it, where that is not the attribute itself.
    """
    return FactSpec("", facts, "page", default, asks, rulings=dict(rulings or {}), asked=said, tells=tells)


def at_least_and_at_most(told: Any) -> Any:
    """Counts or figures of which the page knows, as far as they were not told, how low and how high they can be."""
    return replace(told, spans=True)


# -- what moves do to it -------------------------------------------------------------------------------------------------


def grows(told: Any) -> Any:
    """A fact that moves add to until the hand is over: what is known of it is the least it can be."""
    return replace(told, goes_on="grows")


def changing(told: Any, still: Callable[[Any, str], bool] | None = None) -> Any:
    """A fact that moves may change until the hand is over; if `still` is given, as long as it says so of a side, seat or hand."""
    return replace(told, goes_on="changes", still=still)


def unless_told(nothing: Any, told: Any) -> Any:
    """A fact that is `nothing` (False, 0, a word) as long as nothing happened that it tells. A result that leaves it out does not say so."""
    return replace(told, nothing=nothing)


def shown_only(tells: Callable[[Any], Mapping[str, Any]], told: Any) -> Any:
    """A fact of which moves show no more than what `tells` gives of the attribute, by dotted keys: a call may be unwritten."""
    return replace(told, tells=tells)


def bounded(so_far: Callable[[Any], Mapping[str, int | str | None]], told: Any) -> Any:
    """Figures of which a side or seat keeps what it has: as much as `so_far` gives from the state, and of what there is in all no
    more than the others leave. What is one number, or one seat, stands under an empty name."""
    return replace(told, so_far=so_far)


# -- how a result line tells it ------------------------------------------------------------------------------------------


def unasked(told: Any) -> Any:
    """A fact that a result line does not ask: another one tells it, or hardly anybody knows it."""
    return replace(told, asked=False)


def of_the(attribute: str, told: Any) -> Any:
    """Figures of two sides of which players say that of the side named before, as `attribute`; of the first one else."""
    return replace(told, whose=attribute)


def of_each_but(attribute: str, told: Any) -> Any:
    """Facts of each player but the seat named before, as `attribute`: players say them one player after the other, with
    the facts declared like them."""
    return replace(told, but=attribute)


def the_dealer(told: Any) -> Any:
    """The seat that deals. A result line asks it only if nobody knows, and begins the hand with it."""
    return replace(told, deals=True)


def or_said(told: Any, **words: Facts) -> Any:
    """A fact in whose place players may say one of these words, each of which tells something else: `{}` in it is the side
    whose figure is asked, `{other}` the other one of two."""
    return replace(told, instead=words)


def facts_declared(facts: Mapping[str, Fact], laws: tuple[Law, ...] = (), rulings: Mapping[str, str] = {}) -> type[TallyFacts]:
    """Facts that a page reads all by itself."""
    made: Any = Declared("Tally", (TallyFacts,), {"facts_of_the_page": FactSpec("", dict(facts), "page", rulings=dict(rulings), asked=False), "laws": laws})
    tally: type[TallyFacts] = made
    return tally


__all__ = [
    "Law", "TallyFacts", "FactSpec", "at_least_and_at_most", "bounded", "changing", "choice", "counts", "facts_declared", "figures", "grows", "number", "of_the",
    "of_each_but", "or_said", "read_by_the_page", "seat", "seats", "shown_only", "side", "the_dealer", "unasked", "unless_told", "why_void", "yes_or_no",
]  # fmt: skip
