"""Cards in four colours, for a terminal that has them; the signs of the suits are always there too."""

from __future__ import annotations

import re

SUITS = {"♥": "31", "♦": "94", "♣": "32"}
"""Red hearts, blue diamonds, green clubs; spades stay in the colour of the text."""
WORDS = {"broken": "1;31", "open": "33", "perhaps": "36"}
"""The words that a finding or an offer begins with."""
# `7♥`, `10♥`, or a suit of a hand: `♥A107`.
_CARD = re.compile(r"[♣♦♥♠](?:10|[2-9AKQJ])+(?![♣♦♥♠])|(?:10|[2-9AKQJ?])?[♣♦♥♠]")
_WORD = re.compile(rf"^(\s*)({'|'.join(WORDS)})(?=  )", re.MULTILINE)


def painted(text: str) -> str:
    """The text with its cards in the colours of their suits.

    >>> painted("N 7♥, E 10♠")
    'N \\x1b[31m7♥\\x1b[39m, E 10♠'
    >>> painted("♠AK ♣107") == "♠AK " + chr(27) + "[32m♣107" + chr(27) + "[39m"
    True
    """
    text = _WORD.sub(lambda found: f"{found[1]}\x1b[{WORDS[found[2]]}m{found[2]}\x1b[0m", text)
    return _CARD.sub(_card, text)


def _card(found: re.Match[str]) -> str:
    colour = next((colour for suit, colour in SUITS.items() if suit in found.group()), "")
    return f"\x1b[{colour}m{found.group()}\x1b[39m" if colour else found.group()


__all__ = ["painted"]
