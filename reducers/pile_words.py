"""Names of piles for sentences; seats and sides keep their letters, which the printing code replaces by names.

`called` are names that players use instead (`reducers.piles.called_otherwise`): rabbits for Dingo's widow.
"""

from __future__ import annotations

from collections.abc import Mapping

from events.cards import SEVERAL, SUIT_NAMES

OF_AN_OWNER = {
    "won": "the cards won by {}", "discard": "the discard pile of {}", "stock": "the stock of {}",
    "reserve": "the reserve of {}", "penalty": "the penalty cards of {}", "col": "the columns of {}",
}  # fmt: skip
ALONE = {
    "discard": "the discard pile", "upcard": "the turned-up card", "dead": "the cards out of the game",
    "won": "the cards won", "col": "the columns",
}  # fmt: skip
AS_CARDS = ("upcard", "banker")
"""Piles of a single card, named by their purpose."""
ON = ("board", "foundation")
NOTHING_ELSE: Mapping[str, str] = {}
NUMBERED = {
    "meld": "meld", "col": "column", "foundation": "foundation", "rank": "rank", "pozzetto": "pozzetto",
    "reserve": "reserve",
}


def pile_in_words(pile: str, called: Mapping[str, str] = NOTHING_ELSE) -> str:
    """A pile in words.

    >>> [pile_in_words(name) for name in ("W", "A:2", "trick", "won:NS", "meld:NS:2", "col:B:1..4")]
    ['the hand of W', 'hand 2 of A', 'the trick', 'the cards won by NS', 'meld 2 of NS', 'columns 1 to 4 of B']
    >>> [
    ...     pile_in_words(name, {"widow": "rabbits", "won": "score pile", "rank": "pile"})
    ...     for name in ("widow", "won:A", "rank:J", "discard")
    ... ]
    ['the rabbits', 'the score pile of A', 'the pile of jacks', 'the discard pile']
    """
    kind, *rest = pile.removeprefix("hand:").removesuffix("_").split(":")
    # A card that was turned up for trumps (Écarté) keeps that name.
    if kind == "rank" and rest and rest[0] in SEVERAL:
        return f"the {called.get(kind, 'pile')} of {SEVERAL[rest[0]]}"
    if kind in called and kind != "upcard":
        owner = "".join(f" of {part}" for part in rest if part[:1].isupper() and kind not in NUMBERED)
        number = "".join(f" {part}" for part in rest if not owner)
        return f"{'' if number else 'the '}{called[kind]}{number}{owner}"
    if kind[:1].isupper():
        return f"hand {rest[0]} of {kind}" if rest else f"the hand of {kind}"
    if rest and ".." in rest[-1] and kind in NUMBERED:
        first, _, last = rest[-1].partition("..")
        return f"{NUMBERED[kind]}s {first} to {last}" + "".join(f" of {owner}" for owner in rest[:-1])
    if rest and rest[-1] == "down":
        return f"the covered {kind}" + "".join(f" of {owner}" for owner in rest[:-1])
    if kind == "foundation" and rest and rest[0] in SUIT_NAMES:
        return f"the {SUIT_NAMES[rest[0]]}"
    if rest and rest[-1].isdigit() and kind in NUMBERED:
        return f"{NUMBERED[kind]} {rest[-1]}" + "".join(f" of {owner}" for owner in rest[:-1])
    if len(rest) == 1 and kind in OF_AN_OWNER:
        return OF_AN_OWNER[kind].format(rest[0])
    return (
        ALONE.get(kind, f"the {kind}") if not rest else f"the {kind} of {rest[0]}" if rest[0][:1].isupper()
        and len(rest) == 1 else f"the pile {pile}"
    )


def owned(pile: str, called: Mapping[str, str] = NOTHING_ELSE) -> str:
    """The owner of a pile: a player, or the pile itself.

    >>> owned("W"), owned("discard")
    ('W', 'the discard pile')
    """
    return pile if pile[:1].isupper() and ":" not in pile else pile_in_words(pile, called)


def where_card_lies(pile: str, called: Mapping[str, str] = NOTHING_ELSE) -> str:
    """The place of a card in a pile, with its preposition.

    >>> where_card_lies("trick"), where_card_lies("won:NS"), where_card_lies("board"), where_card_lies("upcard")
    ('in the trick', 'among the cards won by NS', 'on the board', 'as the turned-up card')
    >>> (
    ...     where_card_lies("board", {"board": "pile"}),
    ...     where_card_lies("widow", {"widow": "rabbits"}),
    ...     where_card_lies("banker", {"banker": "bank's card"})
    ... )
    ('in the pile', 'among the rabbits', "as the bank's card")
    """
    kind, words = pile.partition(":")[0], pile_in_words(pile, called)
    if kind in AS_CARDS or (kind in ON and kind not in called):
        return f"{'on' if kind in ON else 'as'} {words}"
    many = words.startswith("the cards") or called.get(kind, "").endswith("s")
    return f"among {words}" if many else f"in {words}"
