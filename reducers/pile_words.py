"""Piles as a sentence calls them; seats and sides keep their letters, which whoever prints the sentence turns into names."""

from __future__ import annotations

from events.cards import SUIT_NAMES

OF_AN_OWNER = {
    "won": "the cards won by {}", "discard": "the discard pile of {}", "stock": "the stock of {}", "reserve": "the reserve of {}",
    "penalty": "the penalty cards of {}", "col": "the columns of {}",
}  # fmt: skip
ALONE = {
    "discard": "the discard pile", "upcard": "the turned-up card", "dead": "the cards out of the game", "won": "the cards won", "col": "the columns",
}  # fmt: skip
NUMBERED = {"meld": "meld", "col": "column", "foundation": "foundation", "rank": "rank", "pozzetto": "pozzetto", "reserve": "reserve"}


def in_words(pile: str) -> str:
    """A pile in words.

    >>> [in_words(name) for name in ("W", "A:2", "trick", "won:NS", "meld:NS:2", "col:A:3", "foundation:1", "reserve:A:down", "col:B:1..4")]
    ['the hand of W', 'hand 2 of A', 'the trick', 'the cards won by NS', 'meld 2 of NS', 'column 3 of A', 'foundation 1', 'the covered reserve of A',
     'columns 1 to 4 of B']
    """
    kind, *rest = pile.removeprefix("hand:").removesuffix("_").split(":")
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
    return ALONE.get(kind, f"the {kind}") if not rest else f"the {kind} of {rest[0]}" if rest[0][:1].isupper() and len(rest) == 1 else f"the pile {pile}"


def owned(pile: str) -> str:
    """Whose cards they are: a player's, or those of a pile.

    >>> owned("W"), owned("discard")
    ('W', 'the discard pile')
    """
    return pile if pile[:1].isupper() and ":" not in pile else in_words(pile)


def lying(pile: str) -> str:
    """Where a card lies.

    >>> lying("trick"), lying("won:NS"), lying("board"), lying("upcard")
    ('in the trick', 'among the cards won by NS', 'on the board', 'as the turned-up card')
    """
    words = in_words(pile)
    if (how := {"board": "on", "foundation": "on", "upcard": "as"}.get(pile.partition(":")[0])) is not None:
        return f"{how} {words}"
    return f"among {words}" if words.startswith("the cards") else f"in {words}"


__all__ = ["in_words", "lying", "owned"]
