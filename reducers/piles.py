"""How the piles of a game lie on a table, and who sees into them: by their names, unless a page declares it.

A pattern is a pile's name; a lone `*` is every holding, `*` after a name anything, `#` a number. It also matches
piles with more parts in their name (`stock` for `stock:A`). The longest matching pattern decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from events.cards import GLYPHS
from reducers.terms import Terms

Form: TypeAlias = Literal["fan", "row", "stack", "column", "grid"]
Place: TypeAlias = Literal["hand", "middle", "beside", "front", "won"]
Seen: TypeAlias = Literal["all", "owner", "nobody", "top"]


class Lies(Struct, frozen=True):
    """How a pile lies, where, and who sees its cards.

    `form`: a fan of cards in a hand, a row side by side, a stack with only the top visible, a column of overlapping
    cards, a grid. `place`: in a player's hand, in the middle, beside it (stock and discards), in front of its owner,
    with the cards won by a side. `seen`: by all, by its owner (a side sees what its seats do), by nobody, or the top
    card only. `called` is the players' word for it, if not its name ("waste"); `*` means the last part of its name, a
    rank or the sign of a suit.
    """

    form: Form
    place: Place
    seen: Seen = "all"
    called: str = ""


class OfPile(Struct, frozen=True):
    """What players say of a pile.

    `kind` is what its cards are together ("burraco, dirty", "pontoon"), `wild` each wild card with what it stands for
    ("5h"; "7?" is any seven). For a hand that plays for itself: its `total`, the `stake` on it, what its player
    `says` ("sticks"), and whether it is `out` of the play.
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
"""How a pile of this name lies unless the game's page declares it."""
OTHERWISE = Lies("row", "middle")


WORDS: Mapping[str, str] = {
    "col": "column", "won": "cards won", "upcard": "card turned up", "dead": "out of play", "discard": "discard pile",
}
"""The players' words for piles, if different from the names in the log."""


def how_it_lies(pile: str, declared: Mapping[str, Lies], terms: Terms) -> tuple[Lies, str]:
    """How a pile lies, as `declared` by the page or else by its name; and the seat or side that owns it, or "".

    >>> from reducers.first_state import begin
    >>> state = begin({"Game": "kaiser"})
    >>> [how_it_lies(name, state.game.display.piles, state.terms)[0].form for name in ("N", "trick", "won:NS")]
    ['fan', 'row', 'stack']
    """
    parts = pile.removeprefix("hand:").rstrip("_").split(":")
    best, lies = 0, OTHERWISE
    for wanted, how in _patterns(parts[0], declared):
        if best <= len(wanted) <= len(parts) and all(
            part_matches(parts[i], like, i, terms) for i, like in enumerate(wanted)
        ):
            best, lies = len(wanted), how
    owner = next((part for part in parts if part in terms.side_of or part in terms.sides), "")
    return lies, owner


def called_otherwise(piles: Mapping[str, Lies]) -> Mapping[str, str]:
    """The players' words for piles that a page declares, for sentences (`reducers.pile_words`).

    >>> called_otherwise(
    ...     {
    ...         "widow": Lies("stack", "beside", called="rabbits"), "foundation": Lies("stack", "beside", called="*"),
    ...         "discard": Lies("stack", "beside"),
    ...     }
    ... )
    {'widow': 'rabbits'}
    """
    return {pattern.partition(":")[0]: lies.called for pattern, lies in piles.items() if lies.called not in ("", "*")}


Patterns: TypeAlias = list[tuple[list[str], Lies]]
_FOUND: dict[int, tuple[Mapping[str, Lies], dict[str, Patterns]]] = {}


def _patterns(stem: str, declared: Mapping[str, Lies]) -> Patterns:
    """The patterns, split in parts, that a name with this stem may match. Cached: declarations never change."""
    same, by_stem = _FOUND.get(id(declared), (None, {}))
    if same is not declared:
        by_stem = {}
        _FOUND[id(declared)] = declared, by_stem
    found = by_stem.get(stem)
    if found is None:
        split = [(pattern.split(":"), how) for pattern, how in (*BY_NAME.items(), *declared.items())]
        found = [(wanted, how) for wanted, how in split if wanted[0] in (stem, "*", "#")]
        if stem.isalpha() and len(by_stem) < MOST_STEMS:
            by_stem[stem] = found
    return found


MOST_STEMS = 200
"""The most stems that are cached, as a log may invent pile names."""


def part_matches(part: str, like: str, place: int, terms: Terms) -> bool:
    """True if a part of a name matches a part of a pattern."""
    if like == "*":
        return place > 0 or part in terms.side_of or part in terms.sides
    if like == "#":
        return part.replace(".", "").isdigit()
    return part == like


def pile_label(pile: str, lies: Lies, terms: Terms) -> str:
    """The players' word for a pile, without its owner: a number if there are several, and what else its name says.

    >>> from reducers.first_state import begin
    >>> state = begin({"Game": "russian-bank"})
    >>> [
    ...     pile_label(name, how_it_lies(name, state.game.display.piles, state.terms)[0], state.terms)
    ...     for name in ("A", "A:2", "col:A:3", "stock:B")
    ... ]
    ['hand', 'hand 2', 'column 3', 'stock']
    >>> pile_label("suit:h", Lies("stack", "middle", called="*"), state.terms)
    '♥'
    """
    stem, *rest = pile.removeprefix("hand:").rstrip("_").split(":")
    held = stem in terms.side_of or stem in terms.sides
    word = lies.called or ("hand" if held else WORDS.get(stem, stem))
    apart = [part for part in rest if part not in terms.side_of and part not in terms.sides]
    return (" ".join(GLYPHS.get(part, part) for part in apart) or stem) if word == "*" else " ".join([word, *apart])
