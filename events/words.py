"""One word of a line, read as one kind: a pile, a group of cards, a bid, a fact, a direction."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

from msgspec import Struct

from events.cards import is_card
from events.errors import NotationError
from events.tokens import (
    BID,
    CLASSES,
    NAMED,
    PILE,
    RESERVED,
    SUIT_GLYPHS,
    Token,
    card_readings,
    normal_name,
    stored_pile,
    whole_number,
)
from events.verb_forms import BARE_REFS

MAX_READINGS = 24
"""The most readings of one line that are kept; more than a handful is a typing error anyway."""


class Places(Struct, frozen=True):
    """The context of a reading: seats and sides (capitals), and whether strict spelling decides (in files)."""

    seats: frozenset[str] = frozenset()
    strict: bool = True

    def seat(self, text: str) -> str:
        """The seat, side or further hand of a seat that the text means, in either case; empty if it means none."""
        head, colon, number = text.partition(":")
        if not head.isascii() or not CLASSES["seat"].fullmatch(head.upper() + colon + number):
            return ""
        if head.upper() in self.seats or (not self.seats and len(head) == 1):
            return head.upper() + colon + number
        return ""


class ReadingFault(Struct, frozen=True):
    """The reason why a reading failed. The fault furthest to the right is the one shown."""

    column: int
    what: str
    expected: str = ""
    todo: str = ""

    def error(self, line: int = 1, file: str = "") -> NotationError:
        return NotationError(
            self.what, line=line, column=self.column, expected=self.expected, todo=self.todo, file=file
        )


class Value(Struct, frozen=True):
    """The value of a word when read as one kind."""

    kind: str
    value: Any
    hole: bool = False
    cards: tuple[tuple[str, ...], ...] = ()


def shown_word(text: str) -> str:
    return f"'{text}'" if len(text) <= 40 else f"'{text[:37]}…'"


def piles_named(text: str, table: Places) -> list[tuple[str, bool]]:
    """The piles that a text may mean, as events hold them, each with True if only the position can tell."""
    if not text.isascii() or not text or len(text) > 200:
        return []
    under = text.endswith("_")
    body = text[:-1] if under else text
    tail = "_" if under else ""
    if body[:5].lower() == "hand:":
        body = body[5:]
        seat = table.seat(body) or (body if CLASSES["seat"].fullmatch(body) else "")
        return [("hand:" + seat + tail, False)] if seat else []
    if body.isdigit():
        return [(text, True)] if len(body) <= 6 else []
    if seat := table.seat(body):
        return [("hand:" + seat + tail, False)]
    strict = PILE.fullmatch(text)
    if strict and (table.strict or not table.seats):
        return [(stored_pile(text), False)]
    head, *parts = body.split(":")
    if head.isupper() and strict and not parts:
        return [(stored_pile(text), False)]
    low = [p.upper() if p.upper() in table.seats else p if CLASSES["seat"].fullmatch(p) else p.lower() for p in parts]
    if table.strict:
        low = [p if CLASSES["seat"].fullmatch(p) else p.lower() for p in parts]
    found = ":".join([head.lower(), *low]) + tail
    if PILE.fullmatch(found) and not found[0].isupper() and not card_readings(head):
        return [(found, False)]
    if strict:
        return [(stored_pile(text), False)]
    return []


def card_groups(text: str) -> list[tuple[tuple[str, ...], ...]]:
    """All readings of a word as cards in groups; a `/` at the edge gives an empty group."""
    if "/" not in text:
        return [(tuple(run),) for run in card_readings(text)]
    parts: list[list[tuple[str, ...]]] = []
    for part in text.split("/"):
        runs: list[tuple[str, ...]] = [tuple(run) for run in card_readings(part)] if part else [()]
        if not runs:
            return []
        parts.append(runs)
        if len(parts) > 500:
            return []
    out = []
    for choice in product(*parts):
        out.append(tuple(choice))
        if len(out) >= MAX_READINGS:
            break
    return out


def any_hole(groups: Iterable[Iterable[str]]) -> bool:
    return any("_" in card for group in groups for card in group)


def _fact(text: str) -> tuple[str, str] | None:
    key, equals, value = text.partition("=")
    return (key, value) if equals and key else None


def _bids(text: str) -> list[tuple[int | None, str]]:
    small = text.translate(SUIT_GLYPHS).lower()
    found = BID.fullmatch(small) if small.isascii() and small else None
    if not found:
        return []
    level = whole_number(found[1]) if found[1] else None
    if found[1] and level is None:
        return []
    return [(level, found[2] or "")]


def values_of(token: Token, kind: str, table: Places, verb: str) -> list[Value]:
    """The values that a word may have in a field of this kind, strict spelling first."""
    match kind:
        case "cards" | "groups" | "pair":
            found = [token.cards] if token.cards and token.kinds == ("cards",) else card_groups(token.text)
            return [Value("cards", g, any_hole(g), g) for g in found]
        case "assign":
            return _assigned(token, table)
        case "from" | "to":
            return _direction(token.text, kind, table, verb)
        case "on":
            return _onto(token.text, table)
        case "seat":
            seat = strict_seat(token.text) or table.seat(token.text)
            return [Value("seat", seat)] if seat else []
        case "fact":
            pair = _fact(token.text)
            return [Value("fact", (pair[0], pair[1], token))] if pair else []
        case "bid":
            return [Value("bid", b) for b in _bids(token.text)]
        case "ref" | "number" | "integer":
            return _figure(token.text, kind, verb)
    return _plain_word(token.text, kind)


def _assigned(token: Token, table: Places) -> list[Value]:
    """Cards assigned to a pile: `N=4c5c`, `stock=-`."""
    if "=" not in token.text:
        return []
    head, _, tail = token.text.partition("=")
    if tail == "-":
        runs: list[tuple[tuple[str, ...], ...]] = [((),)]
    elif token.cards and token.kinds == ("assign",):
        runs = [token.cards]
    elif "/" in tail:
        runs = []
    else:
        runs = card_groups(tail)
    return [
        Value("assign", (pile, run[0]), hole or any_hole(run), run if run != ((),) else ())
        for pile, hole in piles_named(head, table)
        for run in runs
    ]


def _direction(text: str, kind: str, table: Places, verb: str) -> list[Value]:
    """The pile after `<` or `>`; a move may name the seat alone."""
    if text.startswith("<" if kind == "from" else ">"):
        return [Value(kind, p, hole) for p, hole in piles_named(text[1:], table)]
    if kind == "to" and verb == "move" and (seat := table.seat(text) or strict_seat(text)):
        return [Value("to", "hand:" + seat)]
    return []


def _onto(text: str, table: Places) -> list[Value]:
    """The target of a bet: a pile, or a card."""
    if not text.startswith(">"):
        return []
    name = text[1:]
    if is_card(name):
        return [Value("to", name)]
    out = [Value("to", p, hole) for p, hole in piles_named(name, table)]
    if out and PILE.fullmatch(name) and table.strict:
        return out
    runs = [tuple(map(tuple, g)) for g in card_groups(name)]
    return out + [Value("to", g[0][0], any_hole(g), g) for g in runs if len(g[0]) == 1 and len(g[0][0]) in (2, 3)]


def _figure(text: str, kind: str, verb: str) -> list[Value]:
    """A whole number: an event number (`#12`, the sign is optional after some verbs), or any number."""
    digits = text
    if kind == "ref":
        digits = text[1:] if text[:1] == "#" else text if verb in BARE_REFS else ""
    number = whole_number(digits) if kind == "integer" or digits[:1].isdigit() else None
    return [] if number is None else [Value("ref" if kind == "ref" else "integer", number)]


def _plain_word(text: str, kind: str) -> list[Value]:
    """A word of a kind with one spelling: a face, hand or match, a word, a name."""
    if kind == "name":
        name = normal_name(text)
        return [Value("name", name)] if NAMED.fullmatch(name) else []
    low = text.lower() if text.isascii() else ""
    if kind == "face":
        return [Value("face", low)] if low in RESERVED else []
    if kind == "what":
        return [Value("word", low)] if low in ("hand", "match") else []
    return [Value("word", low)] if kind == "word" and CLASSES["word"].fullmatch(low) else []


def strict_seat(text: str) -> str:
    return text if CLASSES["seat"].fullmatch(text) else ""
