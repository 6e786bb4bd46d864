"""Cards in four colours, for terminals that support them. The suit symbols are always printed too."""

from __future__ import annotations

import re
from functools import lru_cache

from events.cards import GLYPHS
from events.packs import FRENCH, PACKS, TablePack

SUITS = {"♥": "31", "♦": "94", "♣": "32"}
"""Hearts red, diamonds blue, clubs green. Spades keep the colour of the text."""
WORDS = {"broken": "1;31", "open": "33", "perhaps": "36"}
"""The words at the beginning of a finding or an offer."""
# `7♥`, `10♥`, or a suit of a hand: `♥A107`.
_CARD = re.compile(r"[♣♦♥♠](?:10|[2-9AKQJ])+(?![♣♦♥♠])|(?:10|[2-9AKQJ?])?[♣♦♥♠]")
_WORD = re.compile(rf"^(\s*)({'|'.join(WORDS)})(?=  )", re.MULTILINE)


def painted(text: str, pack: TablePack | None = None) -> str:
    """The text with its cards, written as in `pack`, in the colours of their suits.

    >>> painted("N 7♥, E 10♠")
    'N \\x1b[31m7♥\\x1b[39m, E 10♠'
    >>> painted("♠AK ♣107") == "♠AK " + chr(27) + "[32m♣107" + chr(27) + "[39m"
    True
    >>> painted("A 7c takes Fs, dA7R", PACKS["italian"]).split(chr(27))
    ['A ', '[31m7c', '[39m takes Fs, ', '[94mdA7R', '[39m']
    """
    text = _WORD.sub(lambda found: f"{found[1]}\x1b[{WORDS[found[2]]}m{found[2]}\x1b[0m", text)
    if pack is not None and pack is not FRENCH:
        return _cards_of(pack.name).sub(lambda found: _in_colour(found, pack), text)
    return _CARD.sub(_card, text)


@lru_cache(maxsize=4)
def _cards_of(name: str) -> re.Pattern[str]:
    """Pattern of a card of this pack as displayed: `7d`, `Rc`, or a suit of a hand: `dA7R`."""
    pack = PACKS[name]
    ranks = "|".join(sorted({re.escape(rank.sign) for rank in pack.ranks.values()} | {"10"}, key=len, reverse=True))
    suits = "".join(suit.sign for suit in pack.suits.values())
    # `As` at the beginning of a line is a word, not a card.
    return re.compile(
        rf"(?<![\w.:=#$'’-])(?!^As )(?:(?:{ranks}|\?)([{suits}])|([{suits}])(?:{ranks})+)(?![\w:'’])", re.MULTILINE,
    )


def _in_colour(found: re.Match[str], pack: TablePack) -> str:
    """A card of a pack in the colour of the French suit that it has in the record."""
    suit = next(letter for letter, called in pack.suits.items() if called.sign == (found[1] or found[2]))
    colour = SUITS.get(GLYPHS[suit])
    return f"\x1b[{colour}m{found[0]}\x1b[39m" if colour else found[0]


def _card(found: re.Match[str]) -> str:
    colour = next((colour for suit, colour in SUITS.items() if suit in found.group()), "")
    return f"\x1b[{colour}m{found.group()}\x1b[39m" if colour else found.group()
