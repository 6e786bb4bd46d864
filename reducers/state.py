"""The state of a match, the same for every game: terms, table, whose turn, the hand in play, the standing."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import Struct

from events.model import Claim, Event, Facts
from reducers.scoring import HandScore, Standing
from reducers.table import Pile, Table

if TYPE_CHECKING:
    from reducers.game import Game

H = TypeVar("H")


class Terms(Struct, frozen=True):
    """What was agreed before the first card: seats in order, sides, names, options, first dealer.

    `sides` maps the name of a side to its seats; where everybody plays alone each seat is its own side.
    """

    seats: tuple[str, ...]
    sides: Mapping[str, tuple[str, ...]]
    side_of: Mapping[str, str]
    names: Mapping[str, str]
    options: Any
    dealer: str
    facts: Facts
    # The seat to the left of each seat, as the tuple of seats that may act next.
    next: Mapping[str, tuple[str, ...]] = {}
    # What each seat and side is called: the player's name, or the seat or side itself where nobody gave one.
    called: Mapping[str, str] = {}

    def name(self, who: str) -> str:
        """The player's name, or the seat or side itself where nobody gave one."""
        return self.called.get(who, who)

    def left(self, seat: str, steps: int = 1) -> str:
        """The seat so many places clockwise."""
        return self.seats[(self.seats.index(seat) + steps) % len(self.seats)]

    def around(self, first: str) -> tuple[str, ...]:
        """All seats clockwise, beginning with `first`."""
        i = self.seats.index(first)
        return self.seats[i:] + self.seats[:i]

    def __deepcopy__(self, memo: object) -> Terms:
        return self


def hand_of(seat: str) -> str:
    """The name of a seat's holding as events write it.

    >>> hand_of("N"), hand_of("A:2")
    ('hand:N', 'hand:A:2')
    """
    return f"hand:{seat}"


class ClaimMade(Struct, frozen=True):
    """A score as the table stated it: position, hand, who said it, and the facts of the claim."""

    at: int
    hand: int
    by: str
    claim: Claim
    confirmed: tuple[str, ...] = ()


class State(Generic[H]):
    """Where a match stands after an event. The fold owns it and changes it in place; `copy` hands one out.

    `hand` is the page's own record of the hand in play. `phase` names the part of the hand, `turn` the seats that may
    act now, `at` the position of the last event folded, `number` the hand (0 before the first). `before` is the
    standing before the hand in play, `after` with what it is worth so far; `score` what the hand is worth as far as it can be told.
    """

    __slots__ = (
        "acts", "after", "at", "before", "beyond", "claims", "cut", "dealer", "ended", "game", "gap", "guessed", "hand", "inferred", "missed", "number", "numbered",
        "phase", "read", "scores", "settled", "table", "tallies", "terms", "transfers", "turn", "why_ended",
    )  # fmt: skip

    def __init__(self, game: Game, terms: Terms, before: Standing) -> None:
        self.game = game
        self.terms = terms
        self.table = Table(game.pack)
        self.at = 0
        self.number = 0
        # What the hand is called in the record, which need not begin with the first one.
        self.numbered = 0
        self.dealer = terms.dealer
        self.phase = "between"
        self.turn: tuple[str, ...] = ()
        self.hand: H = None  # type: ignore[assignment]  # there is no hand before the first `hand` event
        self.before = before
        self.after: Standing | None = None
        self.scores: list[HandScore] = []
        self.settled = True
        # Acts went by unrecorded since the last hand: the next one has begun, unless somebody wrote its beginning.
        self.gap = False
        # Acts went by unrecorded, perhaps the beginning of a hand: who deals is a guess until a hand line says it.
        self.guessed = False
        # A whole hand may have been played out unrecorded before the one in play.
        self.missed = False
        self.tallies: list[Facts] = []
        # What of the tallies can be read (`reducers.words.tallies`): of which tallies, on what terms, and what it is.
        self.read: tuple[list[Facts], Terms, tuple[Facts, ...]] = ([], terms, ())
        # What rulings or penalties hand over in this hand; empty while the log is folded as it was played.
        self.transfers: list[Facts] = []
        self.claims: list[ClaimMade] = []
        self.inferred: list[tuple[int, str]] = []
        self.acts = 0
        self.cut = ""
        self.ended = ""
        self.why_ended = ""
        # Whether a further hand has begun after the end of the match: nothing of it counts.
        self.beyond = False

    # -- words every page uses ----------------------------------------------------------------------------------------

    def holding(self, seat: str) -> Pile:
        """The cards a seat holds; one nobody dealt to holds an unknown number of unknown cards.

        To ask does not put such a holding on the table; the first card that comes to it does.
        """
        pile = self.table.piles.get(seat)
        return pile if pile is not None else Pile(self.table, seat, row=False, vague=True)

    def code(self, cards: Sequence[str]) -> int:
        """The code of a single written card; `unknown` for one that is not in the pack, or for several."""
        pack = self.game.pack
        return pack.code.get(cards[0], pack.unknown) if len(cards) == 1 else pack.unknown

    def infer(self, text: str) -> None:
        """Note something that was not recorded but follows; it is shown as inferred, with its reason."""
        self.inferred.append((self.at, text))

    @property
    def standing(self) -> Standing:
        """The match with the hand in play counted as far as it is worth something."""
        return self.before if self.after is None else self.after

    @property
    def score(self) -> HandScore | None:
        """What the hand in play (or just played) is worth, None before the first hand."""
        return self.scores[-1] if self.scores and self.scores[-1].number == self.number else None

    def copy(self) -> State[H]:
        """A state of one's own: changing it leaves this one alone."""
        return copy.deepcopy(self)


Fold = Any  # a page's evolve function: (event, state) -> None, typed by the page itself


def names_of(record: object) -> tuple[str, ...]:
    """What a page keeps in its record of a hand, by name; nothing where there is no record.

    >>> class Kept:
    ...     __slots__ = ("auction", "trump")
    >>> names_of(Kept()), names_of(None)
    (('auction', 'trump'), ())
    """
    kind = type(record)
    # A compiled class has no slots; what it lists may have the dictionary among it.
    listed: Sequence[str] = getattr(kind, "__slots__", ()) or getattr(kind, "__mypyc_attrs__", ())
    return (*(name for name in listed if name != "__dict__"), *getattr(record, "__dict__", ()))


def spoken(event: Event) -> str:
    """Who acts, for a sentence: the seat, or the table."""
    return "the table" if event.by == "@" else event.by
