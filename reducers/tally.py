"""The facts that score a hand, declared once: a class with the facts of a tally as attributes.

    class Tally(TallyFacts):
        declarer: str | None = side("side that plays the contract")
        tricks: Points = counts("tricks taken by a side", of=13, asks="who took how many tricks")

Each attribute has its key in a `tally` line (by default its own name), a meaning, possible values, a question to ask
while it is missing, and what a ruling may change. Everything else follows: findings about impossible facts and what
one side's figure says about the other's (`reducers.facts`), how a `tally` or a ruling replaces the figures of the
moves (`reducers.words.tallies.apply_reported_facts`), the questions about a result without its moves
(`missing_facts`), and the output of `kibitz rules`. A guided entry asks in the order of the attributes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from events.model import Facts
from reducers.facts import Fact, Law, Limit

Least: TypeAlias = Mapping[str, int | range | str | frozenset[str] | tuple[str, ...] | None]
"""What the moves so far leave, by side or seat: the least or both bounds of a figure, the one word or seat, the cards
of a pile, the few words that are still possible, or None for nothing."""
Reading: TypeAlias = Literal["side", "word", "number", "yes or no", "counts", "figures", "seats", "void", "page"]


class FactSpec(Struct, frozen=True):
    """How one attribute of a tally is reported: its facts and how they are read.

    `key` is the name of the fact in a tally; `facts` maps the shapes of its keys (`tricks.*`, `trick.#`) to possible
    values. `default` is its value before anything is reported or played. `asks` is the question to ask while it is
    missing, `answer` the wording of an answer (`{}-fold`). `rulings` says what a ruling on each shape does.
    """

    key: str
    facts: dict[str, Fact]
    reading: Reading
    default: Any = None
    asks: str = ""
    answer: str = "{}"
    rulings: dict[str, str] = {}
    # The page knows figures as a lower and an upper bound.
    spans: bool = False
    # What later moves may do to a known value: nothing, add to it, or anything.
    goes_on: Literal["", "grows", "changes"] = ""
    # The value as long as nothing relevant happened; a result that leaves the fact out does not imply it.
    nothing: Any = None
    # Given the state and the name of a side, seat or hand: True if moves may still change its value. None: of each.
    still: Callable[[Any, str], bool] | None = None
    # The least each side or seat has by the moves so far; a single number is under the empty name.
    so_far: Callable[[Any], Least] | None = None
    # How a fact that the page reads itself would be reported, by dotted keys; None if unknown.
    tells: Callable[[Any], Mapping[str, Any]] | None = None
    # In a result line: whether it is asked; the attribute with the side whose figure is said; words that report
    # another fact instead; the attribute with the seat left out; and whether it is the dealer.
    asked: bool = True
    whose: str = ""
    instead: dict[str, Facts] = {}
    but: str = ""
    deals: bool = False

    @property
    def may_be_nobody(self) -> bool:
        """True if players may say that it is no side: then "" is known, and None unknown."""
        return {self.key: None} in self.instead.values()


SCORED = Fact("points that the hand brings a side or player, where nothing else is known", "number")
"""The fact that every game can report of a hand without figures; games that count from points declare their own."""


class Declared(type):
    """Metaclass that collects the facts declared by a class of `TallyFacts`; a missing key is the attribute's name.

    Every tally can tell why its hand is `void`; a page declares that itself if there is more to say of it.
    """

    told: Mapping[str, FactSpec]
    defaults: Mapping[str, Any]
    filled_up: tuple[tuple[str, Any], ...]
    facts: dict[str, Fact]
    rulings: Mapping[str, str]
    # `points.*` means what a hand brings, as the page has no fact of its own called `points`.
    tells_points: bool
    # Facts are told of hands: a seat may have several; the second of A is called A:2 and acts by itself.
    of_hands: bool

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Declared:
        told = {
            attribute: with_name(attribute, value) for attribute, value in body.items() if isinstance(value, FactSpec)
        }
        if bases and not any("void" in one.facts for one in told.values()):
            told["void"] = with_name("void", why_void("misdeal: the hand does not count"))
        made = super().__new__(cls, name, bases, {**body, **{a: one.default for a, one in told.items()}})
        made.told = told
        made.defaults = {a: one.default for a, one in told.items()}
        # A mutable default is copied for each tally.
        made.filled_up = tuple((a, one.default) for a, one in told.items() if isinstance(one.default, dict))
        made.facts = {shape: fact for one in told.values() for shape, fact in one.facts.items()}
        made.tells_points = bool(told) and "points" not in {shape.partition(".")[0] for shape in made.facts}
        if made.tells_points:
            made.facts["points.*"] = SCORED
        made.of_hands = any(fact.of == "hand" for fact in made.facts.values())
        made.rulings = {shape: text for one in told.values() for shape, text in one.rulings.items()}
        return made


class TallyFacts(metaclass=Declared):
    """The facts of one hand; a page derives its own `Tally`. Attributes are given by name or in order.

    >>> class Tally(TallyFacts):
    ...     declarer: str | None = side("side that plays the contract")
    ...     level: int | None = number("the bid", 6, 12)
    >>> Tally("NS", level=7), list(Tally.facts)
    (Tally(declarer='NS', level=7, void=''), ['declarer', 'level', 'void', 'points.*'])
    >>> Tally(trumps="h")
    Traceback (most recent call last):
    TypeError: Tally has the attributes declarer, level, void
    """

    told: ClassVar[Mapping[str, FactSpec]]
    defaults: ClassVar[Mapping[str, Any]]
    filled_up: ClassVar[tuple[tuple[str, Any], ...]]
    facts: ClassVar[Mapping[str, Fact]]
    rulings: ClassVar[Mapping[str, str]]
    tells_points: ClassVar[bool]
    of_hands: ClassVar[bool]
    # Combinations of facts that are impossible, besides those that follow from each fact.
    laws: ClassVar[tuple[Law, ...]] = ()

    void: str = ""

    def __init__(self, *values: Any, **named: Any) -> None:
        # A page may count up a tally with every act, so the instance's dictionary has the values and nothing else.
        mine = self.__dict__
        mine.update(self.defaults)
        if values or named:
            told = self.told
            mine.update(zip(told, values, strict=False), **named)
            if len(mine) > len(told) or len(values) > len(told):
                raise TypeError(f"{type(self).__name__} has the attributes {', '.join(told)}")
        for attribute, default in self.filled_up:
            if mine[attribute] is default:
                mine[attribute] = {**default}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{a}={getattr(self, a)!r}' for a in self.told)})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]  # it is mutable


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


# -- declarations of a page: each returns the declaration of an attribute ---------------------------------------------


def side(meaning: str, *, rule: str = "", says: str = "", key: str = "", asks: str = "", ruling: str = "") -> Any:
    """A side, reported by its name or by one of its seats; None if unknown."""
    fact = Fact(meaning, "somebody", who=("side", "seat"), rule=rule, says=says)
    return declare(fact, "side", None, key=key, asks=asks, ruling=ruling)


def seat(
    meaning: str, *also: str, rule: str = "", says: str = "", key: str = "", asks: str = "", ruling: str = ""
) -> Any:
    """A seat, or a word that stands for no seat; "" if unknown."""
    fact = Fact(meaning, "somebody", only=also, who=("seat",), rule=rule, says=says)
    return declare(fact, "word", "", key=key, asks=asks, ruling=ruling)


def said(meaning: str, *, rule: str = "", key: str = "") -> Any:
    """A word of the players' own, as they say it; "" if unknown."""
    return declare(Fact(meaning, rule=rule), "word", "", key=key)


def choice(
    meaning: str, *words: str, rule: str = "", says: str = "", key: str = "", asks: str = "", ruling: str = ""
) -> Any:
    """One of a few words; "" if unknown."""
    fact = Fact(meaning, "choice", only=words, rule=rule, says=says)
    return declare(fact, "word", "", key=key, asks=asks, ruling=ruling)


def number(
    meaning: str, at_least: Limit | None = 0, at_most: Limit | None = None, *, only: tuple[int, ...] = (),
    step: int = 1,
    stands: bool = False, rule: str = "", says: str = "", key: str = "", asks: str = "", answer: str = "{}",
    ruling: str = "",
) -> Any:  # fmt: skip
    """A whole number within bounds, or one of `only`; None if unknown.

    If it `stands`, a number out of bounds is a breach by the table and counts as it was played.
    """
    fact = Fact(meaning, "number", at_least, at_most, step, only, rule=rule, says=says, stands=stands)
    return declare(fact, "number", None, key=key, asks=asks, answer=answer, ruling=ruling)


def yes_or_no(meaning: str, *, default: bool | None = False, rule: str = "", key: str = "", asks: str = "") -> Any:
    """Yes or no; None if what was reported is unreadable."""
    return declare(Fact(meaning, "yes or no", rule=rule), "yes or no", default, key=key, asks=asks)


def counts(
    meaning: str, *, of: Limit, fewest: int | None = None, one_by_one: tuple[str, str] = ("", ""), rule: str = "",
    key: str = "", asks: str = "", ruling: str = "", ruling_one: str = "", stops: Limit | None = None,
) -> Any:  # fmt: skip
    """Counts of each side that add up to `of`, so one figure of two sides gives the other; a hand that may be stopped
    early has at least `fewest` in all, or enough that one side has what `stops` it.

    `one_by_one` is the key of a fact that reports each one, and its meaning (`trick.3=NS`). A ruling on the counts
    adds or subtracts; `ruling_one` says what a ruling on a single one does.
    """
    fact = Fact(meaning, "number", 0, of, together=of, fewest=fewest, stops=stops, rule=rule)
    told = declare(fact, "counts", {}, shape="=.*", key=key, asks=asks, ruling=ruling)
    single, singly = one_by_one
    if single:
        told.facts[f"{single}.#"] = Fact(
            singly, "somebody", who=("side", "seat"), numbered=of if isinstance(of, int) else 0, counts=key or "=",
            rule=rule,
        )
        if ruling_one:
            told.rulings[f"{single}.#"] = ruling_one
    return told


def figures(
    meaning: str, at_least: Limit | None = 0, at_most: Limit | None = None, *, only: tuple[int, ...] = (),
    step: int = 1,
    of: Literal["side", "hand"] = "side", rule: str = "", says: str = "", key: str = "", ruling: str = "",
) -> Any:  # fmt: skip
    """A number within bounds for each side or hand. A figure that is not reported is taken from the moves."""
    fact = Fact(meaning, "number", at_least, at_most, step, only, of=of, rule=rule, says=says)
    return declare(fact, "figures", {}, shape="=.*", key=key, ruling=ruling)


def yes_or_no_each(meaning: str, *, rule: str = "", key: str = "", asks: str = "") -> Any:
    """Yes or no for each side; a question names the side as `{}`. A value that is not reported is as the moves have it.
    """
    return declare(Fact(meaning, "yes or no", rule=rule), "figures", {}, shape="=.*", key=key, asks=asks)


def seats(meaning: str, *, once: bool = False, rule: str = "", says: str = "", key: str = "") -> Any:
    """Seats in order, none twice if each is named `once`; () if unknown."""
    return declare(Fact(meaning, "seats", most=1 if once else None, rule=rule, says=says), "seats", (), key=key)


def why_void(meaning: str, *, ruling: str = "") -> Any:
    """Why a hand does not count; "" if it does. `yes` is void without a reason, `no` takes it back."""
    return declare(Fact(meaning), "void", "", ruling=ruling)


def read_by_the_page(
    facts: dict[str, Fact], default: Any = None, *, asks: str = "", rulings: Mapping[str, str] | None = None,
    said: bool = False, tells: Callable[[Any], Mapping[str, Any]] | None = None,
) -> Any:  # fmt: skip
    """Facts of a shape of their own, by dotted keys, which the page reads itself; `rulings` has such keys too.

    A result line asks for them (for the first of several) if they are `said` at the table. `tells` gives the known
    values as a tally would report them, if they are not the attribute itself.
    """
    return FactSpec("", facts, "page", default, asks, rulings=dict(rulings or {}), asked=said, tells=tells)


def at_least_and_at_most(told: Any) -> Any:
    """Counts or figures that the page knows only within bounds if they were not reported."""
    return replace(told, spans=True)


# -- effect of moves --------------------------------------------------------------------------------------------------


def grows(told: Any, still: Callable[[Any, str], bool] | None = None) -> Any:
    """A fact that moves add to until the hand is over: the known value is a lower bound; with `still`, while that is
    True of the side or seat."""
    return replace(told, goes_on="grows", still=still)


def changing(told: Any, still: Callable[[Any, str], bool] | None = None) -> Any:
    """A fact that moves may change until the hand is over; with `still`, while that is True of the side or seat."""
    return replace(told, goes_on="changes", still=still)


def unless_told(nothing: Any, told: Any) -> Any:
    """A fact with the value `nothing` (False, 0, a word) until something happens; its absence implies nothing."""
    return replace(told, nothing=nothing)


def shown_only(tells: Callable[[Any], Mapping[str, Any]], told: Any) -> Any:
    """A fact of which moves show only what `tells` gives, by dotted keys: a call may be unrecorded."""
    return replace(told, tells=tells)


def bounded(so_far: Callable[[Any], Least], told: Any) -> Any:
    """Figures that never fall: each side or seat has at least what `so_far` gives from the state, and at most what
    the others leave of the whole; or both bounds are a range. A single number or seat is under the empty name."""
    return replace(told, so_far=so_far)


# -- wording of a result line -----------------------------------------------------------------------------------------


def unasked(told: Any) -> Any:
    """A fact that a result line does not ask for: another fact implies it, or players hardly know it."""
    return replace(told, asked=False)


def of_the(attribute: str, told: Any) -> Any:
    """Figures of two sides; players say that of the side in the earlier `attribute`, else of the first side."""
    return replace(told, whose=attribute)


def of_each_but(attribute: str, told: Any) -> Any:
    """Facts of each player except the seat in the earlier `attribute`: players give them one player after the other,
    together with the facts declared alike."""
    return replace(told, but=attribute)


def the_dealer(told: Any) -> Any:
    """The seat that deals. A result line asks for it only if it is unknown, and begins the hand with it."""
    return replace(told, deals=True)


def or_said(told: Any, **words: Facts) -> Any:
    """A fact that players may replace by one of these words, each of which reports another fact: `{}` in it is the
    side with the figure asked for, `{other}` the other of two."""
    return replace(told, instead=words)


def facts_declared(
    facts: Mapping[str, Fact], laws: tuple[Law, ...] = (), rulings: Mapping[str, str] = {},
) -> type[TallyFacts]:
    """A class of facts that a page reads itself."""
    made: Any = Declared(
        "Tally", (TallyFacts,),
        {"facts_of_the_page": FactSpec("", dict(facts), "page", rulings=dict(rulings), asked=False), "laws": laws},
    )
    tally: type[TallyFacts] = made
    return tally
