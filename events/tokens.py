"""Characters to tokens: the strict spelling of each kind of token, and what people type for it.

In the strict form the spelling of a token gives its kind; `CLASSES` holds one pattern for each kind, and no string
matches two of them. What people type is wider: any case, `10h`, `h10`, `10♥`, `x` for an unseen card. The lenient
readers below return *all* readings of a token, so that a caller who knows the position can choose.

Piles have two spellings: text has `N` or `A:2` for a holding, JSON has `hand:N` or `hand:A:2`; all other piles are
spelled alike. Events hold the JSON spelling.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from functools import lru_cache

from msgspec import Struct

from events.cards import UNKNOWN, is_card, item
from events.errors import NotationError
from events.limits import MAX_INT

RESERVED = ("up", "down")

_NUM = r"(?:0|[1-9][0-9]{0,5})"
_SEAT = r"[A-Z][A-Z0-9]{0,15}"
_WORD = r"[a-z][a-z0-9-]{0,63}"
_HOLDING = rf"{_SEAT}(?::{_NUM})?"
# A pile's name has two letters or more, so that `>s` can only be a seat in lower case. It must not look like a card
# in lower case (`>kh`), nor be `hand`, which holdings use.
_PLACE = (
    r"(?!(?:hand|jo|[atjqk][cdhs]|[cdhs](?:10|[atjqk2-9]))(?![a-z0-9]))"
    rf"[a-z][a-z0-9]{{1,31}}(?::(?:{_SEAT}|{_WORD}|{_NUM})){{0,6}}?(?::{_NUM}\.\.{_NUM})?"
)
_PILE = rf"(?:{_HOLDING}|{_PLACE})_?"
_CARD = r"(?:[A2-9TJQK?][cdhs?]|Jo[+-]?)"
_UNSEEN = r"(?:\?[cdhs?]|[A2-9TJQK]\?)"
_ITEM = rf"(?:(?:[2-9]|[1-9][0-9]{{1,2}}|\*)x{_UNSEEN}(?!=)|{_CARD}(?:={_CARD})?)"
_CARDS = rf"(?:\*|(?:{_ITEM})+)"
_GROUPS = rf"{_CARDS}(?:/{_CARDS})*"

CLASSES: dict[str, re.Pattern[str]] = {
    "face": re.compile(r"up|down"),
    "cards": re.compile(_GROUPS),
    "ref": re.compile(r"#(?:0|[1-9][0-9]{0,15})"),
    "integer": re.compile(r"0|-?[1-9][0-9]{0,15}"),
    "seat": re.compile(_HOLDING),
    "word": re.compile(rf"(?!(?:up|down)\Z){_WORD}"),
    "from": re.compile(rf"<{_PILE}"),
    "to": re.compile(rf">(?:{_PILE}|{_CARD})"),
    "assign": re.compile(rf"{_PILE}=(?:{_CARDS}|-)"),
}
"""The strict spelling of each kind of token (match the whole token). `cards` holds groups too: `KcKdKh/4c5c6c`."""

ACTOR = re.compile(rf"@|{_HOLDING}")
PILE = re.compile(_PILE)
STORED_PILE = re.compile(rf"(?:hand:{_HOLDING}|{_PLACE})_?")
NAMED = re.compile(r"[A-Za-z0-9?*][A-Za-z0-9?*+=:._/-]{0,63}")
BID = re.compile(rf"(0|[1-9][0-9]{{0,15}})?({_WORD})?")
SEGMENT = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}(?::[A-Za-z0-9_-]{1,64}){0,4}")
INNER_SEGMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}(?::[A-Za-z0-9_-]{1,64}){0,4}")

_RUN = re.compile(_ITEM)
_COUNT = re.compile(r"([1-9][0-9]{0,2}|\*)x")
IN_SEQUENCE = "A23456789TJQKA"
"""The order of ranks in a run, with the ace at both ends."""
_SMALL_UNSEEN = re.compile(r"\?[cdhs?]|(?:[a2-9tjqk]|10)\?")
SUIT_GLYPHS = str.maketrans(
    {"♣": "c", "♧": "c", "♦": "d", "♢": "d", "♥": "h", "♡": "h", "♠": "s", "♤": "s", "\ufe0f": None, "\ufe0e": None}
)


class Token(Struct, frozen=True, kw_only=True):
    """One word of a line: its text as typed, its first column (from 1), and the kinds it may be.

    `kinds` are keys of `CLASSES`, or `fact`, `bid`, `name`; empty if not decided yet. For cards (also those after
    `pile=`), `cards` has the groups in the chosen reading; `_` stands for a suit that was left out: `9_` is a nine of
    the suit led.
    """

    text: str
    column: int = 1
    kinds: tuple[str, ...] = ()
    cards: tuple[tuple[str, ...], ...] = ()

    @property
    def holes(self) -> bool:
        """True if a card lacks its suit."""
        return any("_" in c for group in self.cards for c in group)


def classify(text: str) -> str:
    """The kind of a token in the strict form; empty if it has none.

    >>> [classify(t) for t in ("7hTd", "#12", "12", "NS", "trick", "<stock", ">won:NS", "N=7h", "up", "10h")]
    ['cards', 'ref', 'integer', 'seat', 'word', 'from', 'to', 'assign', 'face', '']
    """
    return next((kind for kind, spelling in CLASSES.items() if spelling.fullmatch(text)), "")


def stored_pile(text: str) -> str:
    """The JSON spelling of a pile written strictly in text.

    >>> stored_pile("N"), stored_pile("A:2"), stored_pile("won:NS"), stored_pile("stock_")
    ('hand:N', 'hand:A:2', 'won:NS', 'stock_')
    """
    return "hand:" + text if text[:1].isupper() else text


def written_pile(pile: str) -> str:
    """The text spelling of a pile as events hold it.

    >>> written_pile("hand:A:2"), written_pile("won:NS")
    ('A:2', 'won:NS')
    """
    return pile.removeprefix("hand:")


def odd_character(text: str) -> int:
    """The index of the first character that no line may hold (control, half a surrogate pair, line separator); or -1.

    >>> odd_character("plain ♥"), odd_character("a\\x00")
    (-1, 1)
    """
    if text.isprintable():
        return -1
    for i, ch in enumerate(text):
        if unicodedata.category(ch) in ("Cc", "Cs", "Zl", "Zp"):
            return i
    return -1


def nfc(text: str) -> str:
    """The text in Unicode's composed form (NFC), the only one that is stored."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def whole_number(text: str) -> int | None:
    """The whole number in a text; None if there is none or it is too large. A sign and leading zeros are allowed.

    >>> whole_number("12"), whole_number("-3"), whole_number("+4"), whole_number("٣"), whole_number("9" * 5000)
    (12, -3, 4, None, None)
    """
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not digits or not digits.isascii() or not digits.isdigit():
        return None
    digits = digits.lstrip("0") or "0"
    if len(digits) > 16 or int(digits) > MAX_INT:
        return None
    return -int(digits) if text[0] == "-" else int(digits)


# --- cards as typed -------------------------------------------------------------------------------------------------


def squeezed(cards: Collection[str]) -> list[str]:
    """Cards with equal neighbouring unknowns counted together; items with a hole (`9_`) stay as they are.

    >>> squeezed(["??", "2x??", "9_"])
    ['3x??', '9_']
    """
    out: list[str] = []
    last, total = "", 0  # total -1: uncounted

    for text in cards:
        it = item(text) if text != "*" and "_" not in text else None
        if it is None or it.stands_for or "?" not in it.card:
            last = ""
            out.append(text)
            continue
        count = -1 if it.count is None else it.count
        if it.card == last:
            total = -1 if -1 in (total, count) else total + count
            out[-1] = f"{'*' if total < 0 else total}x{last}"
        else:
            last, total = it.card, count
            out.append(text)
    return out


def _one(text: str, i: int) -> tuple[str, int] | None:
    """The card or joker at `i` and the index after it; None if there is none. Rank and suit may have either order."""
    if text.startswith("jo", i):
        if text[i + 2 : i + 3] in ("+", "-"):
            return "Jo" + text[i + 2], i + 3
        return "Jo", i + 2
    for suit_first in (False, True):
        j = i
        suit = ""
        if suit_first:
            suit, j = text[j : j + 1], j + 1
        if text.startswith("10", j):
            rank, j = "T", j + 2
        else:
            rank, j = text[j : j + 1].upper(), j + 1
        if not suit_first:
            suit, j = text[j : j + 1], j + 1
        if rank and suit and rank in "A23456789TJQK?" and suit in "cdhs?":
            return rank + suit, j
    return None


def _run(text: str, suit_first: bool, counts: bool) -> list[str] | None:
    """Read a run in lower case with all its suits on one side of their ranks. None if it is not one.

    At the start of a run a number before `x` counts unseen cards. Later it counts only if `counts`; otherwise it is a
    rank, followed by an unseen card.
    """
    out: list[str] = []
    i, end = 0, len(text)
    while i < end:
        if text[i] == "x":
            out.append("??")
            i += 1
            continue
        if counts or i == 0:
            counted = _counted(text, i)
            if counted is not None:
                card, i = counted
                out.append(card)
                continue
        found = _one(text, i) if text.startswith("jo", i) else _in_run(text, i, suit_first)
        if found is None:
            return None
        card, i = found
        while not suit_first and card[-1] in "cdhs" and text[i : i + 1] and text[i] in "cdhs":
            out.append(card)  # `7cdh`: one rank, then several suits
            card, i = card[0] + text[i], i + 1
        ends = _by_its_ends(text, card, i, suit_first)
        if ends is not None:
            more, i = ends
            out += more
            continue
        if i < end and text[i] == "=":
            stands_for = _one(text, i + 1)
            if stands_for is None or card[-1] == "_":
                return None
            card, i = f"{card}={stands_for[0]}", stands_for[1]
        out.append(card)
    return out


def _by_its_ends(text: str, first: str, i: int, suit_first: bool) -> tuple[list[str], int] | None:
    """The cards of a range, `4-8h` or `h4-8`, and the index after it; None if it is not one. `i` is after its first
    card.

    The ace is below the two, or above the king at the end of a range.
    """
    if text[i : i + 1] != "-" or i + 1 == len(text) or first[0] not in IN_SEQUENCE:
        return None
    found = _in_run(text, i + 1, suit_first)
    if found is None or found[0][0] not in IN_SEQUENCE:
        return None
    last, after = found
    suits = {first[1], last[1]} - {"_"}
    low, high = IN_SEQUENCE.index(first[0]), IN_SEQUENCE.rindex(last[0])
    if len(suits) > 1 or low >= high or "?" in suits:
        return None
    return [rank + (*suits, "_")[0] for rank in IN_SEQUENCE[low : high + 1]], after


def _counted(text: str, i: int) -> tuple[str, int] | None:
    """Counted unseen cards at `i`, `3x` or `3x7?`, and the index after them; None if there are none."""
    counted = _COUNT.match(text, i)
    if counted is None:
        return None
    i = counted.end()
    unseen = _SMALL_UNSEEN.match(text, i)
    face = "??"
    if unseen:
        face = unseen[0].replace("10", "T")
        face = face[0].upper() + face[1]
        i = unseen.end()
    return (face if counted[1] == "1" else f"{counted[1]}x{face}"), i


def _in_run(text: str, i: int, suit_first: bool) -> tuple[str, int] | None:
    """A card of a lower-case run at `i`, with `_` for a missing suit, and the index after it; None if there is none."""
    suit = ""
    if suit_first and text[i] in "cdhs?":
        suit, i = text[i], i + 1
        if text[0] not in "cdhs" and _COUNT.match(text, i):
            return None  # in a run that does not begin with a suit, a number before x is a count
    if text.startswith("10", i):
        rank, i = "T", i + 2
    elif text[i : i + 1] and text[i] in "a23456789tjqk?":
        rank, i = text[i].upper(), i + 1
    else:
        return None
    if not suit_first and text[i : i + 1] and text[i] in "cdhs?":
        suit, i = text[i], i + 1
    if rank == "?" and not suit:
        return None
    return rank + (suit or "_"), i


def _settled(run: list[str] | None) -> list[str] | None:
    if not run or len(run) > 1000:
        return None
    try:
        out = squeezed(run)
        for text in out:
            if text != "*" and "_" not in text:
                item(text)
    except ValueError:
        return None
    return out


@lru_cache(maxsize=4096)
def _card_readings(text: str) -> tuple[tuple[str, ...], ...]:
    if text == "*":
        return (("*",),)
    if not text or len(text) > 4000:
        return ()
    if CLASSES["cards"].fullmatch(text) and "/" not in text:
        strict = _settled(_RUN.findall(text))
        return (tuple(strict),) if strict else ()
    small = text.translate(SUIT_GLYPHS)
    if not small or not small.isascii():  # a lone variation selector is dropped and leaves nothing
        return ()
    small = small.lower()
    found: list[tuple[str, ...]] = []
    ways = [(False, True), (True, True)]
    if small[0] in "cdhs":
        ways.append((True, False))
    for suit_first, counts in ways:
        run = _settled(_run(small, suit_first, counts))
        if run and tuple(run) not in found:
            found.append(tuple(run))
    return tuple(found)


def card_readings(text: str) -> list[list[str]]:
    """All readings of a word as a run of cards; empty if it is not a run.

    A strictly written run has one reading. Otherwise case does not matter, `10` is a ten, `♥` is a suit, `x` is an
    unseen card, `4-8h` is a range, and `7cdh` is three sevens. The suits stand either all after or all before their
    ranks; a card without its suit ends in `_`. Such cards, or a number before an `x`, may give several readings.

    >>> card_readings("7h8hTd"), card_readings("10♥"), card_readings("h10"), card_readings("3x")
    ([['7h', '8h', 'Td']], [['Th']], [['Th']], [['3x??']])
    >>> card_readings("c7ka9")
    [['7c', 'K_', 'A_', '9_']]
    >>> card_readings("7c8")
    [['7c', '8_'], ['7_', '8c']]
    >>> card_readings("h9x"), card_readings("h83x")
    ([['9h', '??']], [['8h', '3x??'], ['8h', '3_', '??']])
    >>> card_readings("4-6h"), card_readings("hq-a"), card_readings("7cdh")
    ([['4h', '5h', '6h']], [['Qh', 'Kh', 'Ah']], [['7c', '7d', '7h']])
    >>> card_readings("stock")
    []
    """
    return [list(r) for r in _card_readings(text)]


def card_items(text: str) -> list[str] | None:
    """The cards of a run with exactly one reading; None if it has none or several."""
    found = _card_readings(text)
    return list(found[0]) if len(found) == 1 else None


def normal_name(text: str) -> str:
    """The one spelling of something named aloud: a suit in lower case, a card as a card, else the text itself.

    >>> [normal_name(t) for t in ("H", "♥", "kc", "10h", "10", "NT", "K", "low")]
    ['h', 'h', 'Kc', 'Th', '10', 'NT', 'K', 'low']
    """
    small = text.translate(SUIT_GLYPHS).lower() if len(text) <= 4 else ""
    if small in ("c", "d", "h", "s"):
        return small
    found = _card_readings(text) if small else ()
    if len(found) == 1 and len(found[0]) == 1 and is_card(found[0][0]) and found[0][0] != UNKNOWN:
        return found[0][0]
    return text


# --- words of a line ------------------------------------------------------------------------------------------------


def split(text: str, *, column: int = 1, line: int = 1, file: str = "") -> tuple[list[Token], str | None, int]:
    """Split a line into words and the comment after them.

    Returns the words, the comment between its braces as written (None if there is none) and the comment's column.
    Quotes keep spaces and braces within a word. Raises NotationError for an unclosed quote or brace, and for words
    after the comment.
    """
    words: list[Token] = []
    i, end = 0, len(text)

    def fail(what: str, at: int, expected: str = "", todo: str = "") -> NotationError:
        return NotationError(what, line=line, column=column + at, expected=expected, todo=todo, file=file)

    while i < end:
        if text[i].isspace():
            i += 1
            continue
        if text[i] == "{":
            start = i
            i += 1
            while i < end and text[i] != "}":
                i += 2 if text[i] == "\\" else 1
            if i >= end:
                raise fail("the comment is not closed", start, "'}' at the end", "Write \\} for a brace inside.")
            comment = text[start + 1 : i]
            if text[i + 1 :].strip():
                after = i + 1 + len(text[i + 1 :]) - len(text[i + 1 :].lstrip())
                raise fail("more follows the comment", after, "the comment last")
            return words, comment, column + start
        start = i
        while i < end and not text[i].isspace() and text[i] != "{":
            if text[i] == '"':
                quote = i
                i += 1
                while i < end and text[i] != '"':
                    i += 2 if text[i] == "\\" else 1
                if i >= end:
                    raise fail("the quote is not closed", quote, "'\"' at the end", 'Write \\" for a quote inside.')
            i += 1
        words.append(Token(text=text[start:i], column=column + start))
    return words, None, 0


def unescape(text: str, which: str) -> str:
    """Remove the backslashes before the characters in `which`; other backslashes stay."""
    return re.sub(rf"\\([{re.escape(which)}])", r"\1", text) if "\\" in text else text


def escape(text: str, which: str) -> str:
    """Put a backslash before each character in `which`."""
    return "".join("\\" + ch if ch in which else ch for ch in text)
