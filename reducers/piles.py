"""How the piles of a game lie on a table, and who sees into them: by their names, unless a page says otherwise.

A pattern is a pile's name; `*` alone is every holding, `*` behind a name anything, `#` a number. It holds for the further
piles behind that name too (`stock` for `stock:A`). The longest pattern that fits decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol, TypeAlias

from msgspec import Struct

from events.cards import GLYPHS
from reducers.terms import Terms

Form: TypeAlias = Literal["fan", "row", "stack", "column", "grid"]
Place: TypeAlias = Literal["hand", "middle", "beside", "front", "won"]
Seen: TypeAlias = Literal["all", "owner", "nobody", "top"]


class Lies(Struct, frozen=True):
    """How a pile lies, where, and who sees its cards.

    `form`: a fan of cards in a hand, a row side by side, a stack of which one sees the top, a column of overlapping cards,
    a grid. `place`: in somebody's hand, in the middle, beside it (stock and discards), in front of its owner, with what a
    side has won. `seen` by all, by its owner (a side sees what its seats do), by nobody, or the top card alone. `called` is
    what players call it, if its name does not say it ("waste"); if it is `*`, they call it by what tells it from the others of
    its name, a rank or the sign of a suit.
    """

    form: Form
    place: Place
    seen: Seen = "all"
    called: str = ""


class OfPile(Struct, frozen=True):
    """What players say of a pile as it lies.

    `kind` is what its cards are together ("burraco, dirty", "pontoon"), `wild` each wild card among them with what it stands
    for ("5h"; "7?" is any seven). Of a hand that plays for itself: its `total`, the `stake` on it, what its player `says`
    ("sticks"), and whether it is `out` of the play.
    """

    kind: str = ""
    wild: tuple[tuple[str, str], ...] = ()
    total: str = ""
    stake: int | None = None
    says: str = ""
    out: bool = False


BY_NAME: Mapping[str, Lies] = {
    "*": Lies("fan", "hand", "owner"),
    "stock": Lies("stack", "beside", "nobody"),
    "discard": Lies("stack", "beside"),
    "upcard": Lies("stack", "beside"),
    "trick": Lies("row", "middle"),
    "board": Lies("row", "middle"),
    "won": Lies("stack", "won", "nobody"),
    "meld": Lies("row", "front"),
    "col": Lies("column", "middle"),
    "foundation": Lies("stack", "middle"),
    "reserve": Lies("stack", "front", "top"),
    "widow": Lies("stack", "beside", "nobody"),
    "pozzetto": Lies("stack", "beside", "nobody"),
    "dead": Lies("stack", "beside"),
}
"""How a pile of this name lies in every game that says nothing else."""
OTHERWISE = Lies("row", "middle")


WORDS: Mapping[str, str] = {"col": "column", "won": "cards won", "upcard": "card turned up", "dead": "out of play"}
"""What players call a pile, if it is not what the log calls it."""


class PileDeclarations(Protocol):
    """A page, as far as it says how its piles lie."""

    @property
    def piles(self) -> Mapping[str, Lies]:
        """How piles lie whose names do not say it."""


def how_it_lies(pile: str, page: PileDeclarations, terms: Terms) -> tuple[Lies, str]:
    """How a pile lies, by what its page declares or else by its name; and the seat or side that owns it, if any.

    >>> from reducers.first_state import begin
    >>> state = begin({"Game": "kaiser"})
    >>> [how_it_lies(name, state.game, state.terms)[0].form for name in ("N", "trick", "won:NS")]
    ['fan', 'row', 'stack']
    """
    parts = pile.removeprefix("hand:").rstrip("_").split(":")
    best, lies = 0, OTHERWISE
    for wanted, how in _patterns(parts[0], page):
        if best <= len(wanted) <= len(parts) and all(part_matches(parts[i], like, i, terms) for i, like in enumerate(wanted)):
            best, lies = len(wanted), how
    owner = next((part for part in parts if part in terms.side_of or part in terms.sides), "")
    return lies, owner


def called_otherwise(piles: Mapping[str, Lies]) -> Mapping[str, str]:
    """What players call the piles of a page that they do not call by name, for sentences (`reducers.pile_words`).

    >>> called_otherwise({"widow": Lies("stack", "beside", called="rabbits"), "foundation": Lies("stack", "beside", called="*"), "discard": Lies("stack", "beside")})
    {'widow': 'rabbits'}
    """
    return {pattern.partition(":")[0]: lies.called for pattern, lies in piles.items() if lies.called not in ("", "*")}


Patterns: TypeAlias = list[tuple[list[str], Lies]]
_FOUND: dict[int, tuple[Mapping[str, Lies], dict[str, Patterns]]] = {}


def _patterns(stem: str, page: PileDeclarations) -> Patterns:
    """The patterns, in their parts, that a name may fit that begins so. What a page declares never changes."""
    declared, by_stem = _FOUND.get(id(page.piles), (None, {}))
    if declared is not page.piles:
        by_stem = {}
        _FOUND[id(page.piles)] = page.piles, by_stem
    found = by_stem.get(stem)
    if found is None:
        split = [(pattern.split(":"), how) for pattern, how in (*BY_NAME.items(), *page.piles.items())]
        found = [(wanted, how) for wanted, how in split if wanted[0] in (stem, "*", "#")]
        if stem.isalpha() and len(by_stem) < MOST_STEMS:
            by_stem[stem] = found
    return found


MOST_STEMS = 200
"""A log may call piles what it likes; of no more names than these the patterns are kept."""


def part_matches(part: str, like: str, place: int, terms: Terms) -> bool:
    """Whether a part of a name is as a pattern has it."""
    if like == "*":
        return place > 0 or part in terms.side_of or part in terms.sides
    if like == "#":
        return part.replace(".", "").isdigit()
    return part == like


def pile_label(pile: str, lies: Lies, terms: Terms) -> str:
    """What players call a pile, without its owner: a number if there are several of them, and what else its name says.

    >>> from reducers.first_state import begin
    >>> state = begin({"Game": "russian-bank"})
    >>> [pile_label(name, how_it_lies(name, state.game, state.terms)[0], state.terms) for name in ("A", "A:2", "col:A:3", "stock:B")]
    ['hand', 'hand 2', 'column 3', 'stock']
    >>> pile_label("suit:h", Lies("stack", "middle", called="*"), state.terms)
    '♥'
    """
    stem, *rest = pile.removeprefix("hand:").rstrip("_").split(":")
    held = stem in terms.side_of or stem in terms.sides
    word = lies.called or ("hand" if held else WORDS.get(stem, stem))
    apart = [part for part in rest if part not in terms.side_of and part not in terms.sides]
    return (" ".join(GLYPHS.get(part, part) for part in apart) or stem) if word == "*" else " ".join([word, *apart])
