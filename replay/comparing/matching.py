"""Match lines of two records that may be the same act, and combine them."""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal

from msgspec.structs import replace

from events import model as ev
from events.cards import item, squeeze
from replay.redact import USUAL

Kind = Literal["same", "a unseen", "b unseen", "each unseen", "different", "only a", "only b"]


def merged_event(x: ev.Plain, y: ev.Plain) -> tuple[ev.Plain, ev.Plain] | None:
    """The two events, each completed by the other; None if they cannot be the same act.

    >>> from events.model import Play
    >>> merged_event(Play(by="N", cards=("??",)), Play(by="N", cards=("7h",)))[0].cards
    ('7h',)
    """
    if type(x) is not type(y) or x.by != y.by:
        return None
    one: dict[str, Any] = {}
    two: dict[str, Any] = {}
    for field in x.__struct_fields__:
        p, q = getattr(x, field), getattr(y, field)
        if field in ("by", "refs") or p == q:
            # References are positions in their own record.
            continue
        if field == "src":
            usual = USUAL.get(type(x), ("", ""))[0]
            if (p or usual) != (q or usual):
                return None
        elif field == "face":
            if p is not None and q is not None:
                return None
        elif field in ("cards", "takes"):
            together = _meet_lists(p, q, loose=_is_loose(x, field))
            if together is None:
                return None
            one[field], two[field] = together
        elif field == "groups":
            if len(p) != len(q):
                return None
            groups = [_meet_lists(g, h, loose=isinstance(x, ev.Show)) for g, h in zip(p, q, strict=True)]
            if None in groups:
                return None
            one[field], two[field] = (tuple(g[i] for g in groups if g is not None) for i in (0, 1))
        elif field == "piles":
            piles = _meet_piles(p, q)
            if piles is None:
                return None
            one[field], two[field] = piles
        else:
            return None
    return (replace(x, **one) if one else x), (replace(y, **two) if two else y)


def _is_loose(event: ev.Plain, field: str) -> bool:
    """True if the order of these cards is meaningless: they go to a holding, or are captured together."""
    if isinstance(event, ev.Capture):
        return field == "takes"
    return isinstance(event, ev.Draw) or (isinstance(event, ev.Move) and event.to.startswith("hand:"))


Assigned = tuple[tuple[str, ev.Cards], ...]


def _meet_piles(p: Assigned, q: Assigned) -> tuple[Assigned, Assigned] | None:
    """Assignments to the same piles, in any order; None if a pile is assigned twice."""
    other = dict(q)
    if len(dict(p)) != len(p) or len(other) != len(q) or set(dict(p)) != set(other):
        return None
    one: dict[str, ev.Cards] = {}
    two: dict[str, ev.Cards] = {}
    for name, cards in p:
        together = _meet_lists(cards, other[name], loose=name.startswith("hand:"))
        if together is None:
            return None
        one[name], two[name] = together
    return tuple((name, one[name]) for name, _ in p), tuple((name, two[name]) for name, _ in q)


def _meet_lists(p: ev.Cards, q: ev.Cards, *, loose: bool) -> tuple[ev.Cards, ev.Cards] | None:
    """Two lists of cards, each completed by the other; None if they cannot be the same cards.

    A list that cannot be completed is returned as it was written.
    """
    if p == q:
        return p, q
    if p == ("*",) or q == ("*",):
        # For a whole pile, the record does not name the cards.
        return p, q
    if any(c.startswith("*") for c in (*p, *q)):
        return _uncounted(p, q)
    x, y = card_slots(p), card_slots(q)
    if len(x) != len(y):
        return None
    matched = _matching(x, y) if loose else list(range(len(y)))
    if matched is None:
        return None
    full: list[str] = []
    back = [""] * len(y)
    for i, j in enumerate(matched):
        card = common_card(x[i], y[j])
        if card is None:
            return None
        full.append(card)
        back[j] = card
    return _written(p, x, full, loose), _written(q, y, back, loose)


def _written(cards: ev.Cards, before: list[str], now: list[str], loose: bool) -> ev.Cards:
    """The completed list: unchanged if nothing is new; without an order, known cards come first."""
    if (sorted(now) == sorted(before)) if loose else now == before:
        return cards
    return squeeze(sorted(now, key=lambda c: (c.count("?"), c[::-1])) if loose else now)


def _uncounted(p: ev.Cards, q: ev.Cards) -> tuple[ev.Cards, ev.Cards] | None:
    """Lists with uncounted cards: nothing is filled in unless the other list has all cards."""
    x, y = ([c for c in card_slots(cards) if not c.startswith("*")] for cards in (p, q))
    many_x, many_y = (any(c.startswith("*") for c in cards) for cards in (p, q))
    known_x, known_y = (Counter(c for c in cards if "?" not in c) for cards in (x, y))
    if (
        not many_y and (known_x - known_y or len(x) > len(y))
    ) or (not many_x and (known_y - known_x or len(y) > len(x))):
        return None
    if not many_y and "?" not in "".join(y):
        return q, q
    if not many_x and "?" not in "".join(x):
        return p, p
    return p, q


def card_slots(cards: ev.Cards) -> list[str]:
    """A list with counted cards one by one; uncounted cards stay one item."""
    out: list[str] = []
    for text in cards:
        it = item(text) if text != "*" else None
        if it is None or it.count is None:
            out.append(text)
        else:
            out += [text.partition("x")[2] if it.count > 1 else text] * it.count
    return out


def _matching(x: list[str], y: list[str]) -> list[int] | None:
    """For each card of one bag, a card of the other that it may be; equal ones first, then the best known; None if
    there is no match."""
    chosen: dict[int, int] = {}
    free = list(range(len(y)))
    rest: list[int] = []
    for i, card in enumerate(x):
        j = next((j for j in free if y[j] == card and "?" not in card), None)
        if j is None:
            rest.append(i)
        else:
            chosen[i] = j
            free.remove(j)
    taken: dict[int, int] = {}

    def place(i: int, tried: set[int]) -> bool:
        for j in sorted(free, key=lambda j: (y[j] != x[i], y[j].count("?"))):
            if j not in tried and common_card(x[i], y[j]) is not None:
                tried.add(j)
                if j not in taken or place(taken[j], tried):
                    taken[j] = i
                    return True
        return False

    for i in sorted(rest, key=lambda i: x[i].count("?")):
        if not place(i, set()):
            return None
    chosen.update({i: j for j, i in taken.items()})
    return [chosen[i] for i in range(len(x))]


def common_card(x: str, y: str) -> str | None:
    """The card that both may be, as far as it is known; None if there is none.

    >>> [common_card(x, y) for x, y in (("??", "7h"), ("7?", "?h"), ("7?", "8h"), ("Jo=7?", "Jo=7h"), ("Jo", "J?"))]
    ['7h', '7h', None, 'Jo=7h', None]
    """
    if x == y:
        return x
    (face, lies, role), (other, also, as_what) = x.partition("="), y.partition("=")
    if lies != also:
        return None
    card = _meet_faces(face, other)
    if card is None or not lies:
        return card
    stands = _meet_faces(role, as_what)
    return None if stands is None else f"{card}={stands}"


def _meet_faces(x: str, y: str) -> str | None:
    if x == y or y == "??":
        return x
    if x == "??":
        return y
    if "?" not in x + y or "Jo" in (x[:2], y[:2]):
        return None
    out = ""
    for p, q in zip(x, y, strict=True):
        if "?" not in (p, q) and p != q:
            return None
        out += q if p == "?" else p
    return out
