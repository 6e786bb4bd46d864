"""The form of each verb: its fields in the order they are written, and the syntax of each.

One table drives the writer, the reader, the check of values, and the help. A verb with two forms (a shuffle mixes a
pile, or gives its new order) lists both; an event must fit one of them.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from events.cards import check_cards, is_card
from events.limits import DEPTH, MAX_INT, MAX_TEXT
from events.model import VERBS
from events.tokens import BID, CLASSES, INNER_SEGMENT, NAMED, SEGMENT, STORED_PILE, nfc, normal_name, odd_character


class Slot(Struct, frozen=True):
    """One field of a form: the kind of token, the attribute it fills, whether it is required, whether it may repeat."""

    kind: str
    attr: str
    need: bool = False
    many: bool = False
    hole: bool = False  # may be left out at the table and filled from the position


def _slots(*specs: str) -> tuple[Slot, ...]:
    """Parse `kind:attr` with `!` if required, `_` if the position can fill it, `+` if it repeats."""
    out = []
    for spec in specs:
        name = spec.rstrip("!_+")
        marks = spec[len(name) :]
        kind, _, attr = name.partition(":")
        out.append(Slot(kind, attr, "!" in marks, "+" in marks, "_" in marks))
    return tuple(out)


_LAID = _slots("face:face", "cards:cards!_", "from:src")
FORMS: dict[str, tuple[tuple[Slot, ...], ...]] = {
    "open": (_slots("fact:facts!+"),),
    "hand": (_slots("number:number!_", "fact:facts+"),),
    "deal": (_slots("face:face", "assign:piles!_+", "from:src"),),
    "shuffle": (_slots("cards:cards", "from:src", "to:to!_"), _slots("assign:piles!+")),
    "end": (_slots("what:what!", "word:why", "fact:facts+"),),
    "tally": (_slots("fact:facts!+"),),
    "play": (_LAID,),
    "draw": (_LAID,),
    "discard": (_LAID,),
    "move": (_slots("face:face", "cards:cards!_", "from:src", "to:to!_"),),
    "meld": (_slots("groups:groups!", "from:src", "to:to"),),
    "capture": (_slots("pair:cards!_", "from:src"),),
    "arrange": (_slots("groups:groups!", "to:to"), _slots("assign:piles!+")),
    "show": (_slots("groups:groups!_", "from:src"),),
    "bid": (_slots("bid:level!"),),
    "pass": ((),),
    "call": (_slots("word:word!", "word:what", "integer:amount", "seat:who", "cards:cards", "ref:refs+"),),
    "name": (_slots("name:what!"),),
    "bet": (_slots("integer:amount!", "on:on"),),
    "pay": (_slots("integer:amount!", "from:src", "to:to"),),
    "back": (_slots("cards:cards", "ref:refs+"),),
    "fault": (_slots("word:word!", "seat:who", "cards:cards", "ref:refs+"),),
    "claim": (_slots("integer:amount!", "fact:facts+"), _slots("fact:facts!+")),
    "confirm": (_slots("ref:refs+"),),
    "fix": ((),),
    "note": (_slots("ref:refs+", "fact:facts+"),),
    "dispute": (_slots("ref:refs+", "word:word"),),
    "ruling": (_slots("ref:refs!+", "word:word", "fact:facts+"),),
    "gap": (_slots("number:number"),),
}
"""Verb to its forms, each a row of fields in the order they are written."""

BARE_REFS = frozenset(("back", "fix", "note", "dispute", "ruling", "confirm"))
"""Verbs after which a number is a reference even without `#`."""

_SHOWN = {
    "face": "up|down", "cards": "cards", "groups": "cards[/cards…]", "pair": "cards/cards", "assign": "pile=cards",
    "from": "<pile", "to": ">pile", "on": ">card|seat|pile", "ref": "#number", "number": "number", "seat": "seat",
    "what": "hand|match", "fact": "key=value", "bid": "[number][word]", "integer": "amount",
    "name": "suit, card or word",
}  # fmt: skip


def _help(verb: str) -> str:
    if verb == "fix":
        return "fix #number[+] actor event | fix #number- | fix #number> seat play cards"
    forms = []
    for form in FORMS[verb]:
        parts = [verb]
        for slot in form:
            text = _SHOWN.get(slot.kind, slot.attr) + ("…" if slot.many else "")
            parts.append(text if slot.need else f"[{text}]")
        forms.append(" ".join(parts))
    return " | ".join(forms)


SYNTAX: dict[str, str] = {verb: _help(verb) for verb in VERBS}
"""Verb to its syntax: `play [up|down] cards [<pile]`."""

HINTS: dict[str, str] = {
    "cards": "cards without spaces, rank before suit (7hTd), ?? for an unseen card",
    "groups": "cards, groups separated by / (KcKdKh/4c5c6c)",
    "pair": "the taking cards, /, the cards taken (7c/4d3d)",
    "assign": "a pile and its cards (N=7hTd, col:A:1..4=4x??)",
    "from": "a pile after < (<stock, <won:NS, <A:2)",
    "to": "a pile after > (>discard, >meld:NS:2, >S)",
    "on": "a card, seat or pile after > (>7h, >A:2)",
    "ref": "an event number (#12)",
    "number": "a whole number from 0 up",
    "integer": "a whole number",
    "seat": "a seat or side (N, A:2, NS)",
    "word": "a word in small letters",
    "what": "hand or match",
    "fact": "key=value (tricks.NS=5)",
    "bid": "a number, a word or both (7no, 2h, game)",
    "name": "a suit, card, rank or word (h, Kc, 7, nt)",
    "face": "up or down",
}
"""Kind of token to its description, with an example."""


# --- values ---------------------------------------------------------------------------------------------------------


def fault_in_text(value: object, *, limit: int = MAX_TEXT) -> str:
    """The reason why a value is not valid text for a record; empty if it is valid."""
    if not isinstance(value, str):
        return f"{value!r:.60} is not text"
    if len(value) > limit:
        return f"the text is longer than {limit} characters"
    if value.isascii():
        return "the text holds a control character" if odd_character(value) >= 0 else ""
    if odd_character(value) >= 0:
        return "the text holds a control character, a line separator or half a character"
    if nfc(value) != value:
        return "the text is not in Unicode's composed form (NFC)"
    return ""


def fault_in_number(value: object, least: int = 0) -> str:
    """The reason why a value is not a whole number from `least` to 2^53-1; empty if it is one."""
    if type(value) is not int:
        return f"{value!r:.60} is not a whole number"
    if not least <= value <= MAX_INT:
        return "the number is out of bounds" if abs(value) > MAX_INT else f"{value} is too small"
    return ""


def fault_in_facts(value: object, path: str = "", depth: int = 1) -> tuple[str, str]:
    """The fault in a table of facts as (path below the facts, reason); both are empty if there is none."""
    if type(value) is not dict:
        return path, f"{value!r:.60} is not a table of facts"
    if not value:
        return path, "the table is empty"
    for key, held in value.items():
        if not isinstance(key, str) or not (SEGMENT if depth == 1 else INNER_SEGMENT).fullmatch(key):
            return path, f"{key!r:.80} is not a key"
        here = f"{path}.{key}"
        if type(held) is dict:
            if depth >= DEPTH:
                return here, f"facts nest deeper than {DEPTH}"
            found = fault_in_facts(held, here, depth + 1)
            if found[1]:
                return found
        elif type(held) is list:
            if not held:
                return here, "the list is empty"
            for i, atom in enumerate(held):
                if wrong := _fault_in_atom(atom):
                    return f"{here}[{i}]", wrong
        elif wrong := _fault_in_atom(held):
            return here, wrong
    return "", ""


def _fault_in_atom(value: object) -> str:
    if value is None or type(value) is bool:
        return ""
    if type(value) is int:
        return fault_in_number(value, -MAX_INT)
    if isinstance(value, str):
        return fault_in_text(value)
    return f"{value!r:.60} is neither a whole number, a text, yes, no nor nothing"


def _fault_in_cards(value: object) -> str:
    if type(value) is not tuple or not all(isinstance(c, str) for c in value):
        return "not a list of cards"
    try:
        check_cards(value)
    except ValueError as error:
        return str(error)
    return ""


def _fault_in_groups(value: object) -> str:
    if type(value) is not tuple:
        return "not a list of groups"
    return next((wrong for group in value if (wrong := _fault_in_cards(group))), "")


def _fault_in_piles(value: object) -> str:
    if type(value) is not tuple:
        return "not a list of piles"
    for pair in value:
        if type(pair) is not tuple or len(pair) != 2:
            return "not a pair of pile and cards"
        if wrong := _fault_in_pile(pair[0]):
            return wrong
        if pair[1] != () and (wrong := _fault_in_cards(pair[1])):
            return wrong
    return ""


def _fault_in_pile(value: object) -> str:
    if isinstance(value, str) and STORED_PILE.fullmatch(value):
        return ""
    more = f"; a holding is 'hand:{value}'" if isinstance(value, str) and CLASSES["seat"].fullmatch(value) else ""
    return f"{value!r:.60} is not a pile{more}"


def fault_in(kind: str, value: Any) -> str:
    """The reason why a value does not fit a field of this kind; empty if it fits. Facts are checked elsewhere."""
    match kind:
        case "cards" | "pair":
            return _fault_in_cards(value)
        case "groups":
            return _fault_in_groups(value)
        case "assign":
            return _fault_in_piles(value)
        case "from" | "to":
            return _fault_in_pile(value)
        case "on":
            return "" if isinstance(value, str) and is_card(value) else _fault_in_pile(value)
        case "number":
            return fault_in_number(value)
        case "integer":
            return fault_in_number(value, -MAX_INT)
        case "ref":
            if type(value) is not tuple:
                return "not a list of references"
            return next((wrong for ref in value if (wrong := fault_in_number(ref))), "")
        case "face":
            return "" if value in ("up", "down") else f"{value!r:.60} is neither up nor down"
        case "what":
            return "" if value in ("hand", "match") else f"{value!r:.60} is neither hand nor match"
        case "seat" | "word":
            fits = isinstance(value, str) and CLASSES[kind].fullmatch(value)
            return "" if fits else f"{value!r:.60} is not a {kind}"
        case "name":
            if not isinstance(value, str) or not NAMED.fullmatch(value):
                return f"{value!r:.60} cannot be named"
            return "" if normal_name(value) == value else f"{value!r} is spelled {normal_name(value)!r}"
    return f"unknown kind {kind}"


def fault_in_bid(level: object, strain: object) -> str:
    """The reason why the two do not make a bid; empty if they do."""
    if level is None and strain == "":
        return "a bid names a number, a word or both"
    if level is not None and (wrong := fault_in_number(level)):
        return wrong
    if not isinstance(strain, str) or (strain and not (BID.fullmatch(strain) and not strain[0].isdigit())):
        return f"{strain!r:.60} is not a word"
    return ""
