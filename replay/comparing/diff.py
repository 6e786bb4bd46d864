"""Compare two records, complete one from the other, and branch off variations.

**Comparing.** Two recorders at one table write the same hands and see different cards. Their corrected views are
aligned, hand by hand, so that as much as possible agrees; an unseen card agrees with every card it may be. A row of
the comparison is one event of one record, or of both:

    same         both say the same
    a unseen     B saw what A did not (`b unseen`: the other way round; `each unseen`: each saw something)
    different    both cannot be true
    only a       B does not have it (`only b`: A does not)

Knowing less is not a contradiction. A row is `real`, and the records differ, if both cannot be true, or if only one
record has an act at the table. Some rows are listed but not real: a hand that one record begins or deals without a
line of its own, and a remark, a claim or other speech that only one record has.

**Completing.** Cards that A did not see are filled in from B as corrections of A, so nothing is lost. Nothing is
guessed: a hand in which the two really differ, or one contradicts itself, is not filled at all, as B may describe
another act there than A does.

**What if.** A variation is a log of its own that begins as another did, with its corrections in place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from events import model as ev
from events.card_lists import card_lists
from events.errors import UsageError
from events.model import Recorded
from events.writing import write_event
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.table import Trouble
from replay.comparing.kept_verdict import keeps_verdict
from replay.comparing.matching import Kind, card_slots, merged_event
from replay.fold import Corrected, corrected
from replay.log import NumberedEvent


class DiffRow(Struct, frozen=True):
    """One event, or the same event in both records.

    `a` and `b` are its positions, null if a record does not have it; `a_says` and `b_says` are its written forms.
    `real` is True if the two records differ here; `why` says how, if the texts alone do not show it.
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
    """Two records compared: `differs` is True if any row is real; `same` counts the rows on which they agree.

    `rows` has the others, hand by hand in order.
    """

    a: str
    b: str
    hands: int
    same: int
    differs: bool
    rows: tuple[DiffRow, ...]


def compare(a: Iterable[Recorded], b: Iterable[Recorded], names: tuple[str, str] = ("A", "B")) -> Comparison:
    """Compare two records of the same hands.

    Raises UsageError for records of different games or seats, otherwise like `replay.fold.fold`.
    """
    _, rows, hands = compared_logs(list(a), list(b))
    told = tuple(r for r in rows if r.kind != "same")
    return Comparison(*names, hands, len(rows) - len(told), any(r.real for r in told), told)


class _Log:
    """One record, split by hands, with its own contradictions."""

    def __init__(self, records: Sequence[Recorded]) -> None:
        self.records = list(records)
        self.view: Corrected = corrected(self.records)
        self.hands: dict[int, list[NumberedEvent]] = {}
        self.hand_of: dict[int, int] = {}
        self.terms = begin(self.view.opening.facts).terms
        self.game = begin(self.view.opening.facts).game
        self.trouble = Counter((hand, t) for _, hand, t in self.troubles({}))
        for placed in self.view.events:
            if not keeps_verdict(placed.event) and not isinstance(placed.event, ev.Note):
                self.hands.setdefault(self.hand_of[placed.n], []).append(placed)

    def troubles(self, changed: dict[int, ev.Plain]) -> Iterator[tuple[int, int, Trouble]]:
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
    """One act as both records have it; `a_full` and `b_full` are the events completed by the other record."""

    hand: int
    a: NumberedEvent
    b: NumberedEvent
    a_full: ev.Plain
    b_full: ev.Plain
    why: str = ""


def compared_logs(a: list[Recorded], b: list[Recorded]) -> tuple[list[_Pair], list[DiffRow], int]:
    """The paired events, all rows in the order of A, and the number of hands."""
    one, two = _Log(a), _Log(b)
    if one.game.key != two.game.key:
        raise UsageError(
            f"one record is of {one.game.name}, the other of {two.game.name}", expected="two records of the same hands",
        )
    if one.terms.seats != two.terms.seats:
        raise UsageError(
            f"one table has the seats {' '.join(one.terms.seats)}, the other {' '.join(two.terms.seats)}",
            expected="two records of the same hands",
        )
    pairs: list[_Pair] = []
    layout: list[tuple[int, NumberedEvent | None, NumberedEvent | None, _Pair | None]] = []
    for hand in sorted({*one.hands, *two.hands}):
        for x, y in _aligned(one.hands.get(hand, []), two.hands.get(hand, [])):
            pair = None
            if x is not None and y is not None:
                both = merged_event(x.event, y.event)
                if both is not None:
                    pair = _Pair(hand, x, y, *both)
                    pairs.append(pair)
            layout.append((hand, x, y, pair))
    _doubt(one, pairs, mine=True)
    _doubt(two, pairs, mine=False)
    rows = [*_terms(one, two), *(_row(hand, x, y, pair) for hand, x, y, pair in layout)]
    rows += [
        DiffRow(
            h, "different", n if log is one else None, n if log is two else None, t.text if log is one else "",
            t.text if log is two else "", True, "this record contradicts itself",
        )
        for log in (one, two)
        for n, h, t in log.troubles({})
    ]  # fmt: skip
    rows.sort(key=lambda r: r.hand)
    return pairs, rows, len({*one.hands, *two.hands} - {0})


def _terms(one: _Log, two: _Log) -> Iterator[DiffRow]:
    """A row if the house rules or the first dealer differ."""
    if one.terms.options != two.terms.options or one.terms.dealer != two.terms.dealer:
        a, b = (
            write_event(
                ev.Open(by="@", facts={"Option": log.terms.facts.get("Option") or "-", "Dealer": log.terms.dealer})
            )
            for log in (one, two)
        )
        yield DiffRow(0, "different", 0, 0, a, b, True, "the terms of the match differ")


def _doubt(log: _Log, pairs: list[_Pair], *, mine: bool) -> None:
    """Reject completions from the other record that are impossible, as the card is known to be elsewhere.

    If several completions exclude each other, none is used.
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
    return {
        c for group in card_lists(now) for c in card_slots(group)
    } - {c for group in card_lists(was) for c in card_slots(group)}


def _row(hand: int, x: NumberedEvent | None, y: NumberedEvent | None, pair: _Pair | None) -> DiffRow:
    a, b = (x.n if x else None), (y.n if y else None)
    a_says, b_says = (write_event(x.event) if x else ""), (write_event(y.event) if y else "")
    one = x or y
    assert one is not None
    if x is None or y is None:
        # The fold adds a hand or a deal without a line by itself.
        quiet = isinstance(one.event, (*ev.ABOUT, ev.Hand, ev.Deal))
        return DiffRow(hand, "only b" if x is None else "only a", a, b, a_says, b_says, not quiet)
    if pair is None:
        return DiffRow(hand, "different", a, b, a_says, b_says, True)
    if pair.why:
        return DiffRow(hand, "different", a, b, a_says, b_says, True, pair.why)
    less_a, less_b = pair.a_full != x.event, pair.b_full != y.event
    kind: Kind = "each unseen" if less_a and less_b else "a unseen" if less_a else "b unseen" if less_b else "same"
    return DiffRow(hand, kind, a, b, a_says, b_says, False)


def _aligned(
    a: Sequence[NumberedEvent], b: Sequence[NumberedEvent],
) -> list[tuple[NumberedEvent | None, NumberedEvent | None]]:
    """Pair the events of one hand so that as much as possible agrees; both keep their order."""
    n, m = len(a), len(b)
    worth = [[_alike(x.event, y.event) for y in b] for x in a]
    best = [[0] * (m + 1) for _ in range(n + 1)]
    for i in range(n - 1, -1, -1):
        for j in range(m - 1, -1, -1):
            pair = best[i + 1][j + 1] + worth[i][j] if worth[i][j] else -1
            best[i][j] = max(pair, best[i + 1][j], best[i][j + 1])
    out: list[tuple[NumberedEvent | None, NumberedEvent | None]] = []
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


def _alike(x: ev.Plain, y: ev.Plain) -> int:
    """A score for pairing two events, 0 for none. Agreement on known cards counts more than on unseen ones."""
    if type(x) is not type(y):
        return 0
    if merged_event(x, y) is not None:
        seen = {c for cards in card_lists(x) for c in card_slots(cards) if "?" not in c}
        return 60 if not card_lists(x) or seen & {c for cards in card_lists(y) for c in card_slots(cards)} else 50
    if isinstance(x, ev.ABOUT):
        # Remarks either agree or are two events.
        return 0
    if x.by != y.by:
        # The right card for the wrong seat, rather than two acts.
        cards = card_lists(x)
        return 30 if cards and cards == card_lists(y) and not any("?" in c for group in cards for c in group) else 0
    return 20


def credited(name: str, n: int) -> str:
    """The source of a card, as a remark.

    >>> credited("anna.kib", 12)
    'seen in anna.kib, event 12'
    """
    plain = "".join(c for c in name if c.isprintable())
    return f"seen in {plain[:80]}, event {n}"
