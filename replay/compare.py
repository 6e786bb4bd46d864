"""Two records beside each other, one completed from the other, and what might have been.

**Comparing.** Two recorders at one table write the same hands and see different cards. Their corrected views are laid
side by side, hand by hand, so that as much as possible agrees; an unseen card agrees with every card it may be. A row
of the comparison is one event of one record, or of both:

    same         both say the same
    a unseen     B saw what A did not (`b unseen`: the other way round; `each unseen`: each saw something)
    different    both cannot be true
    only a       B does not have it (`only b`: A does not)

Knowing less is not a contradiction. A row is `real`, and the records differ, if both cannot be true, or if an act at
the table stands in only one record. Some rows are listed but not real: a hand that one record begins or deals without a
line of its own, and a remark, a claim or another word about the game that stands in only one record.

**Completing.** What A did not see is filled in from B as corrections of A, so nothing is lost. Nothing is chosen: a hand
in which the two really differ, or in which one of them contradicts itself, is not filled at all, because B may be
describing another act there than A does.

**What if.** A variation is a log of its own that begins as another did, with its corrections in place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from events.cards import item, squeeze
from events.errors import NotFoundError, UsageError
from events.model import (
    ABOUT,
    Capture,
    Cards,
    Deal,
    Draw,
    Event,
    Fix,
    Hand,
    Move,
    Note,
    Open,
    Plain,
    Recorded,
    Ruling,
    Show,
)
from events.writing import write_event
from reducers.game import begin, evolve
from reducers.table import Trouble
from replay.fold import Corrected, Placed, corrected
from replay.hide import USUAL
from replay.standing import VARIATION, is_kept

Kind = Literal["same", "a unseen", "b unseen", "each unseen", "different", "only a", "only b"]


class Row(Struct, frozen=True):
    """One event, or the same event in both records.

    `a` and `b` are its positions, null if a record does not have it; `a_says` and `b_says` are its written forms.
    `real` says that the two records differ here; `why` says how, if the texts alone do not show it.
    """

    hand: int
    kind: Kind
    a: int | None
    b: int | None
    a_says: str
    b_says: str
    real: bool
    why: str = ""


class Comparison(Struct, frozen=True):
    """Two records compared: `differs` says whether any row is real; `same` counts the rows on which they agree.

    `rows` has the others, hand by hand in order.
    """

    a: str
    b: str
    hands: int
    same: int
    differs: bool
    rows: tuple[Row, ...]


class Fill(Struct, frozen=True):
    """An event of A completed from B: position in A, the position in B it comes from, what stood, what is known."""

    hand: int
    at: int
    source: int
    was: str
    now: str


class Merged(Struct, frozen=True):
    """What A gains from B. `fills` are sure; `held` would be, but stand in a hand with a conflict; `conflicts` are rows.

    `fixes` are the corrections, numbered on from the end of A.
    """

    a: str
    b: str
    fills: tuple[Fill, ...]
    held: tuple[Fill, ...]
    conflicts: tuple[Row, ...]
    fixes: tuple[Recorded, ...]


# -- comparing --------------------------------------------------------------------------------------------------------


def compare(a: Iterable[Recorded], b: Iterable[Recorded], names: tuple[str, str] = ("A", "B")) -> Comparison:
    """Compare two records of the same hands.

    Raises UsageError for records of different games or seats, otherwise like `replay.fold.fold`.
    """
    _, rows, hands = _compared(list(a), list(b))
    told = tuple(r for r in rows if r.kind != "same")
    return Comparison(*names, hands, len(rows) - len(told), any(r.real for r in told), told)


class _Log:
    """One record, laid out by hands, with the troubles it has by itself."""

    def __init__(self, records: Sequence[Recorded]) -> None:
        self.records = list(records)
        self.view: Corrected = corrected(self.records)
        self.hands: dict[int, list[Placed]] = {}
        self.hand_of: dict[int, int] = {}
        self.terms = begin(self.view.opening.facts).terms
        self.game = begin(self.view.opening.facts).game
        self.trouble = Counter((hand, t) for _, hand, t in self.troubles({}))
        for placed in self.view.events:
            if not is_kept(placed.event) and not isinstance(placed.event, Note):
                self.hands.setdefault(self.hand_of[placed.n], []).append(placed)

    def troubles(self, changed: dict[int, Plain]) -> Iterator[tuple[int, int, Trouble]]:
        """The contradictions, with position and hand, if these events replaced those with their numbers."""
        state = begin(self.view.opening.facts)
        for step, placed in enumerate(self.view.events, 1):
            state.at = placed.n
            state.table.now = step
            evolve(state, changed.get(placed.n, placed.event))
            self.hand_of.setdefault(placed.n, state.number)
            for trouble in state.table.trouble:
                yield placed.n, state.number, trouble
            state.table.trouble.clear()


class _Pair(Struct):
    """One act as both records have it; `a_full` and `b_full` are the events with what the other saw."""

    hand: int
    a: Placed
    b: Placed
    a_full: Plain
    b_full: Plain
    why: str = ""


def _compared(a: list[Recorded], b: list[Recorded]) -> tuple[list[_Pair], list[Row], int]:
    """The events that belong together, and all rows, in the order of A."""
    one, two = _Log(a), _Log(b)
    if one.game.key != two.game.key:
        raise UsageError(f"one record is of {one.game.name}, the other of {two.game.name}", expected="two records of the same hands")
    if one.terms.seats != two.terms.seats:
        raise UsageError(
            f"one table has the seats {' '.join(one.terms.seats)}, the other {' '.join(two.terms.seats)}",
            expected="two records of the same hands",
        )
    pairs: list[_Pair] = []
    layout: list[tuple[int, Placed | None, Placed | None, _Pair | None]] = []
    for hand in sorted({*one.hands, *two.hands}):
        for x, y in _aligned(one.hands.get(hand, []), two.hands.get(hand, [])):
            pair = None
            if x is not None and y is not None:
                both = met(x.event, y.event)
                if both is not None:
                    pair = _Pair(hand, x, y, *both)
                    pairs.append(pair)
            layout.append((hand, x, y, pair))
    _doubt(one, pairs, mine=True)
    _doubt(two, pairs, mine=False)
    rows = [*_terms(one, two), *(_row(hand, x, y, pair) for hand, x, y, pair in layout)]
    rows += [
        Row(h, "different", n if log is one else None, n if log is two else None, t.text if log is one else "", t.text if log is two else "", True, "this record contradicts itself")
        for log in (one, two)
        for n, h, t in log.troubles({})
    ]  # fmt: skip
    rows.sort(key=lambda r: r.hand)
    return pairs, rows, len({*one.hands, *two.hands} - {0})


def _terms(one: _Log, two: _Log) -> Iterator[Row]:
    """House rules that are not the same."""
    if one.terms.options != two.terms.options or one.terms.dealer != two.terms.dealer:
        a, b = (
            write_event(Open(by="@", facts={"Option": log.terms.facts.get("Option") or "-", "Dealer": log.terms.dealer}))
            for log in (one, two)
        )
        yield Row(0, "different", 0, 0, a, b, True, "the terms of the match differ")


def _doubt(log: _Log, pairs: list[_Pair], *, mine: bool) -> None:
    """Take back what the other record would fill in but which is impossible: the card is known to lie elsewhere.

    If several fills exclude each other, none is preferred.
    """
    while True:
        changed = {p.a.n: p.a_full for p in pairs if p.a_full != p.a.event and not p.why} if mine else {
            p.b.n: p.b_full for p in pairs if p.b_full != p.b.event and not p.why
        }  # fmt: skip
        if not changed:
            return
        left = Counter(log.trouble)
        new: list[tuple[int, int, Trouble]] = []
        for n, hand, trouble in log.troubles(changed):
            if left[hand, trouble]:
                left[hand, trouble] -= 1
            else:
                new.append((n, hand, trouble))
        if not new:
            return
        taken = False
        for n, hand, trouble in new:
            here = [p for p in pairs if p.hand == hand and not p.why and (p.a.n if mine else p.b.n) in changed]
            guilty = [p for p in here if trouble.card and trouble.card in _new_cards(p, mine)]
            for p in guilty or [p for p in here if (p.a.n if mine else p.b.n) == n] or here:
                p.why = f"what one recorder saw is impossible in the other record: {trouble.text}"
                taken = True
        if not taken:
            return


def _new_cards(pair: _Pair, mine: bool) -> set[str]:
    """The known cards that the other record adds to an event."""
    was, now = (pair.a.event, pair.a_full) if mine else (pair.b.event, pair.b_full)
    return {c for group in _lists(now) for c in _slots(group)} - {c for group in _lists(was) for c in _slots(group)}


def _row(hand: int, x: Placed | None, y: Placed | None, pair: _Pair | None) -> Row:
    a, b = (x.n if x else None), (y.n if y else None)
    a_says, b_says = (write_event(x.event) if x else ""), (write_event(y.event) if y else "")
    one = x or y
    assert one is not None
    if x is None or y is None:
        # A hand begun or dealt without a line is one that the fold adds by itself.
        quiet = isinstance(one.event, (*ABOUT, Hand, Deal))
        return Row(hand, "only b" if x is None else "only a", a, b, a_says, b_says, not quiet)
    if pair is None:
        return Row(hand, "different", a, b, a_says, b_says, True)
    if pair.why:
        return Row(hand, "different", a, b, a_says, b_says, True, pair.why)
    less_a, less_b = pair.a_full != x.event, pair.b_full != y.event
    kind: Kind = "each unseen" if less_a and less_b else "a unseen" if less_a else "b unseen" if less_b else "same"
    return Row(hand, kind, a, b, a_says, b_says, False)


def _aligned(a: Sequence[Placed], b: Sequence[Placed]) -> list[tuple[Placed | None, Placed | None]]:
    """The events of one hand in pairs, so that as much as possible agrees; both keep their order."""
    n, m = len(a), len(b)
    worth = [[_alike(x.event, y.event) for y in b] for x in a]
    best = [[0] * (m + 1) for _ in range(n + 1)]
    for i in range(n - 1, -1, -1):
        for j in range(m - 1, -1, -1):
            pair = best[i + 1][j + 1] + worth[i][j] if worth[i][j] else -1
            best[i][j] = max(pair, best[i + 1][j], best[i][j + 1])
    out: list[tuple[Placed | None, Placed | None]] = []
    i = j = 0
    while i < n and j < m:
        if worth[i][j] and best[i][j] == best[i + 1][j + 1] + worth[i][j]:
            out.append((a[i], b[j]))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            out.append((a[i], None))
            i += 1
        else:
            out.append((None, b[j]))
            j += 1
    return [*out, *((x, None) for x in a[i:]), *((None, y) for y in b[j:])]


def _alike(x: Plain, y: Plain) -> int:
    """How well two events go together: 0 not at all; known cards that agree say more than unseen ones."""
    if type(x) is not type(y):
        return 0
    if met(x, y) is not None:
        seen = {c for cards in _lists(x) for c in _slots(cards) if "?" not in c}
        return 60 if not _lists(x) or seen & {c for cards in _lists(y) for c in _slots(cards)} else 50
    if isinstance(x, ABOUT):
        # Words about the game either agree or are two.
        return 0
    if x.by != y.by:
        # The right card for the wrong seat, rather than two acts.
        cards = _lists(x)
        return 30 if cards and cards == _lists(y) and not any("?" in c for group in cards for c in group) else 0
    return 20


# -- what two events know together ------------------------------------------------------------------------------------


def met(x: Plain, y: Plain) -> tuple[Plain, Plain] | None:
    """The two events, each with what the other saw; None if they cannot be the same act.

    >>> from events.model import Play
    >>> met(Play(by="N", cards=("??",)), Play(by="N", cards=("7h",)))[0].cards
    ('7h',)
    """
    if type(x) is not type(y) or x.by != y.by:
        return None
    one: dict[str, Any] = {}
    two: dict[str, Any] = {}
    for field in x.__struct_fields__:
        p, q = getattr(x, field), getattr(y, field)
        if field in ("by", "refs") or p == q:
            # References count the lines of their own record.
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
            groups = [_meet_lists(g, h, loose=isinstance(x, Show)) for g, h in zip(p, q, strict=True)]
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


def _is_loose(event: Plain, field: str) -> bool:
    """Whether the order of these cards means nothing: they go to a holding, or are taken together."""
    if isinstance(event, Capture):
        return field == "takes"
    return isinstance(event, Draw) or (isinstance(event, Move) and event.to.startswith("hand:"))


Assigned = tuple[tuple[str, Cards], ...]


def _meet_piles(p: Assigned, q: Assigned) -> tuple[Assigned, Assigned] | None:
    """Assignments to piles: the same piles, in any order; one that is named twice is taken as it was written."""
    other = dict(q)
    if len(dict(p)) != len(p) or len(other) != len(q) or set(dict(p)) != set(other):
        return None
    one: dict[str, Cards] = {}
    two: dict[str, Cards] = {}
    for name, cards in p:
        together = _meet_lists(cards, other[name], loose=name.startswith("hand:"))
        if together is None:
            return None
        one[name], two[name] = together
    return tuple((name, one[name]) for name, _ in p), tuple((name, two[name]) for name, _ in q)


def _meet_lists(p: Cards, q: Cards, *, loose: bool) -> tuple[Cards, Cards] | None:
    """Two lists of cards, each with what the other has seen; None if they cannot be the same cards.

    A list that already says all it could is given back as it was written.
    """
    if p == q:
        return p, q
    if p == ("*",) or q == ("*",):
        # A whole pile: the record does not say which cards these were.
        return p, q
    if any(c.startswith("*") for c in (*p, *q)):
        return _uncounted(p, q)
    x, y = _slots(p), _slots(q)
    if len(x) != len(y):
        return None
    matched = _matching(x, y) if loose else list(range(len(y)))
    if matched is None:
        return None
    full: list[str] = []
    back = [""] * len(y)
    for i, j in enumerate(matched):
        card = meet(x[i], y[j])
        if card is None:
            return None
        full.append(card)
        back[j] = card
    return _written(p, x, full, loose), _written(q, y, back, loose)


def _written(cards: Cards, before: list[str], now: list[str], loose: bool) -> Cards:
    """The list with what is known now: unchanged if nothing is new; without an order, known cards come first."""
    if (sorted(now) == sorted(before)) if loose else now == before:
        return cards
    return squeeze(sorted(now, key=lambda c: (c.count("?"), c[::-1])) if loose else now)


def _uncounted(p: Cards, q: Cards) -> tuple[Cards, Cards] | None:
    """Cards with uncounted unseen ones on one side: nothing is filled in unless the other side saw all of them."""
    x, y = ([c for c in _slots(cards) if not c.startswith("*")] for cards in (p, q))
    many_x, many_y = (any(c.startswith("*") for c in cards) for cards in (p, q))
    known_x, known_y = (Counter(c for c in cards if "?" not in c) for cards in (x, y))
    if (not many_y and (known_x - known_y or len(x) > len(y))) or (not many_x and (known_y - known_x or len(y) > len(x))):
        return None
    if not many_y and "?" not in "".join(y):
        return q, q
    if not many_x and "?" not in "".join(x):
        return p, p
    return p, q


def _slots(cards: Cards) -> list[str]:
    """A list with its counts written out; what was not counted stays one item."""
    out: list[str] = []
    for text in cards:
        it = item(text) if text != "*" else None
        if it is None or it.count is None:
            out.append(text)
        else:
            out += [text.partition("x")[2] if it.count > 1 else text] * it.count
    return out


def _matching(x: list[str], y: list[str]) -> list[int] | None:
    """For each card of one bag a card of the other that it may be; equal ones first, then the best known ones."""
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
            if j not in tried and meet(x[i], y[j]) is not None:
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


def meet(x: str, y: str) -> str | None:
    """The card that both may be, as far as it is known from the two; None if there is none.

    >>> meet("??", "7h"), meet("7?", "?h"), meet("7?", "8h"), meet("Jo=7?", "Jo=7h"), meet("Jo", "J?")
    ('7h', '7h', None, 'Jo=7h', None)
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


def _lists(event: Event) -> list[Cards]:
    """All lists of cards an event names."""
    out: list[Cards] = [getattr(event, f) for f in ("cards", "takes") if getattr(event, f, ())]
    out += getattr(event, "groups", ())
    return out + [cards for _, cards in getattr(event, "piles", ())]


# -- completing -------------------------------------------------------------------------------------------------------


def merge(a: Iterable[Recorded], b: Iterable[Recorded], names: tuple[str, str] = ("A", "B")) -> Merged:
    """What A gains from B, as corrections of A: cards it did not see, never events it does not have, because if two
    records have different acts one of them is wrong. Raises like `compare`."""
    log, other = list(a), list(b)
    pairs, rows, _ = _compared(log, other)
    conflicts = tuple(r for r in rows if r.real)
    bad = {r.hand for r in conflicts}
    fills: list[Fill] = []
    held: list[Fill] = []
    fixes: list[Recorded] = []
    last = log[-1].n
    for p in pairs:
        if p.why or p.a_full == p.a.event:
            continue
        fill = Fill(p.hand, p.a.n, p.b.n, write_event(p.a.event), write_event(p.a_full))
        # Terms that differ (hand 0) put every hand in doubt.
        if p.hand in bad or 0 in bad:
            held.append(fill)
            continue
        fills.append(fill)
        fix = Fix(by="@", at=p.a.n, how="replace", event=p.a_full)
        fixes.append(Recorded(n=last + len(fixes) + 1, event=fix, text=_credit(names[1], p.b.n)))
    return Merged(*names, tuple(fills), tuple(held), conflicts, tuple(fixes))


def _credit(name: str, n: int) -> str:
    """Where a card comes from, as a remark.

    >>> _credit("anna.kib", 12)
    'seen in anna.kib, event 12'
    """
    plain = "".join(c for c in name if c.isprintable())
    return f"seen in {plain[:80]}, event {n}"


# -- what if ----------------------------------------------------------------------------------------------------------


def variation(records: Iterable[Recorded], at: int, match: str, parent: str = "") -> list[Recorded]:
    """The log of a variation: the corrected events up to and including the one at `at`, renumbered.

    Its opening names the match it branches off (`parent`, or the id its opening had), and the event. References are
    renumbered too; one to an event that is not there is left out, and so is a ruling left without any. A kept verdict
    is not copied. Raises NotFoundError for a position that is not in the corrected view.
    """
    log = list(records)
    view = corrected(log)
    places = [p.n for p in view.events]
    if at and at not in places:
        fix = next((r.event for r in log if r.n == at and isinstance(r.event, Fix)), None)
        what = f"event {at} is a correction of {fix.at}" if fix is not None else f"event {at} was struck out" if 0 < at <= log[-1].n else f"there is no event {at}"
        raise NotFoundError(what, expected=f"0 for the opening, or an event that stands in the record, up to {max(places, default=0)}")
    kept = [p for p in view.events[: places.index(at) + 1 if at else 0] if not is_kept(p.event)]
    fixed = {r.n: r.event.at for r in log if isinstance(r.event, Fix)}
    while True:
        number = {0: 0, **{p.n: i for i, p in enumerate(kept, 1)}}
        number |= {n: number[to] for n, to in fixed.items() if n not in number and to in number}
        left = [p for p in kept if not isinstance(p.event, Ruling) or any(ref in number for ref in p.event.refs)]
        if len(left) == len(kept):
            break
        kept = left
    facts = {k: v for k, v in view.opening.facts.items() if k not in ("Match", VARIATION, "ParentEvent")}
    origin = parent or str(view.opening.facts.get("Match", ""))
    facts |= {"Match": match, VARIATION: origin, "ParentEvent": at}
    out = [Recorded(n=0, event=Open(by=view.opening.by, facts=facts))]
    for p in kept:
        event: Any = p.event
        if getattr(event, "refs", ()):
            event = replace(event, refs=tuple(dict.fromkeys(number[ref] for ref in event.refs if ref in number)))
        out.append(replace(p.recorded, n=len(out), event=event, key=""))
    return out


__all__ = ["Comparison", "Fill", "Kind", "Merged", "Row", "compare", "meet", "merge", "met", "variation"]
