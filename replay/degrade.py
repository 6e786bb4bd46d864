"""Degrade whole matches as a poorer recorder would: cards are unseen, lines are left out, slips are made.

A simulated match records everything, and its `Truth` says which acts broke which rules. Here such a log is degraded
in every way that the notation allows, one way at a time, each from its seed. The original position of every surviving
act is kept (`Degraded.was`), so that verdicts on the poorer log can be compared with what really happened.

**Less is seen** (`SEEING`): cards hidden as from one onlooker; cards half seen (`7?`, `?h`) or unseen, anywhere;
cards not counted (`*x??`); a record that stops early; one that begins late or has a gap, and says so; a hand, or the
rest of it, as a tally instead of its moves. Everything written is true.

**One slip** (`SLIPS`): a line left out, two lines swapped, a line typed twice, a card or a seat mistyped.

**Unwritten**: lines that many recorders never write (`goes_without_saying`): one kind of line is missing throughout.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from events import model as ev
from events.cards import is_face, item, one_by_one, squeeze
from events.model import Event, Recorded
from events.writing import write_event
from reducers.evolve import evolve
from reducers.first_state import begin, terms_of
from reducers.model import State
from reducers.registry import page_for
from replay.redact import PUBLIC, hide
from replay.simulate import Truth
from replay.typos import faces, mistyped

Kind = Literal[
    "hidden", "half-seen", "uncounted", "cut", "late", "tally", "unwritten", "left out", "swapped", "doubled",
    "mistyped"
]
SEEING: tuple[Kind, ...] = ("hidden", "half-seen", "uncounted", "cut", "late", "tally")
SLIPS: tuple[Kind, ...] = ("left out", "swapped", "doubled", "mistyped")
KINDS: tuple[Kind, ...] = (*SEEING, "unwritten", *SLIPS)

CARRIES = (ev.Play, ev.Draw, ev.Discard, ev.Move, ev.Meld, ev.Capture, ev.Arrange, ev.Show)
"""The events that say which cards went where."""
REACH = 8
"""Lines farther apart are not confused with each other."""


class Degraded(Struct, frozen=True):
    """A log that says less than happened, or says it wrongly.

    `kind` is how it was degraded and `what` describes it in words. `whole` is the log before: what the same onlooker
    would have written otherwise. `log` is degraded; `was` has the position in `whole` of each line's act, which may
    be seen less well now; `touched` are the positions in `log` that are wrong. `tells` maps the line of a tally to
    the positions in `whole` (from, to) that it replaces. `happened` is the match with everything seen.
    """

    kind: Kind
    what: str
    whole: tuple[Recorded, ...]
    log: tuple[Recorded, ...]
    was: dict[int, int]
    truth: Truth
    touched: frozenset[int] = frozenset()
    tells: dict[int, tuple[int, int]] = {}
    happened: tuple[Recorded, ...] = ()

    @property
    def legal(self) -> bool:
        """True if no player broke a rule in this match."""
        return not self.truth.breaches


class DraftLine(Struct, frozen=True):
    """A line of a log under construction: its event, the position of its act, whether it is wrong, and the positions
    it sums up."""

    recorded: Recorded
    was: int | None = None
    wrong: bool = False
    tells: tuple[int, int] | None = None


Told = Callable[[State[Any]], ev.Facts]
"""Returns the facts of a tally for the hand just finished."""
Way = Callable[[Sequence[Recorded], Sequence[Recorded], Random], "tuple[str, list[DraftLine]] | None"]
"""A way to degrade: takes the onlooker's log, the same with everything seen, and a random source. Returns a
description and the lines; None if it does not apply."""


def degrade(
    kind: Kind, whole: Sequence[Recorded], log: Sequence[Recorded], truth: Truth, rng: Random, *,
    told: Told | None = None
) -> Degraded | None:
    """Degrade a log in one way; None if it does not apply.

    `whole` is the log as its onlooker wrote it (`onlookers`), `log` the same with everything seen. `told` gives the
    facts of a tally for the hand just finished; without it no hand becomes a tally.
    """
    if kind != "tally":
        made = WAYS[kind](whole, log, rng)
    else:
        made = None if told is None else told_by_tally(whole, log, rng, told)
    return None if made is None else replace(
        as_degraded(kind, made[0], whole, made[1], truth), happened=log if isinstance(log, tuple) else tuple(log),
    )


def onlookers(log: Sequence[Recorded]) -> Iterator[tuple[str, tuple[Recorded, ...]]]:
    """The possible recorders of the log, each with the log as they saw it: the table, everybody together, each seat."""
    event = _opening(log)
    yield "the table", tuple(hide(log, PUBLIC))
    yield "everybody", tuple(log)
    for seat in terms_of(page_for(event.facts), event.facts).seats:
        yield seat, tuple(hide(log, seat))


def _opening(log: Sequence[Recorded]) -> ev.Open:
    event = log[0].event
    assert isinstance(event, ev.Open)
    return event


def as_degraded(kind: Kind, what: str, whole: Sequence[Recorded], lines: Sequence[DraftLine], truth: Truth) -> Degraded:
    """Make a log of the lines: renumbered, with adjusted references."""
    was: dict[int, int] = {}
    at: dict[int, int] = {}
    wrong = set()
    for n, line in enumerate(lines):
        if line.was is not None:
            was[n] = line.was
            at[line.was] = n
        if line.wrong:
            wrong.add(n)
    tells = {n: line.tells for n, line in enumerate(lines) if line.tells is not None}
    log = []
    for n, line in enumerate(lines):
        event: Any = line.recorded.event
        refs = getattr(event, "refs", ())
        if refs:
            event = replace(event, refs=tuple(at[r] for r in refs if r in at))
        log.append(replace(line.recorded, n=n, event=event))
    return Degraded(
        kind, what, whole if isinstance(whole, tuple) else tuple(whole), tuple(log), was, truth, frozenset(wrong), tells
    )


def _kept(records: Iterable[Recorded]) -> list[DraftLine]:
    return [DraftLine(r, r.n) for r in records]


# -- nothing but seeing is lost ---------------------------------------------------------------------------------------


def _hidden(whole: Sequence[Recorded], log: Sequence[Recorded], rng: Random) -> tuple[str, list[DraftLine]]:
    return "hidden", _kept(whole)


def _half_seen(whole: Sequence[Recorded], log: Sequence[Recorded], rng: Random) -> tuple[str, list[DraftLine]]:
    """Some unseen cards become half seen, some seen ones half seen or unseen."""
    unseen, seen = rng.choice(((0.3, 0.0), (0.1, 0.05), (0.0, 0.1), (1.0, 0.0), (0.5, 0.5), (0.0, 0.4)))
    halves = rng.choice(("rank", "suit", "both", "both"))

    def glimpse(card: str, true: str) -> str:
        if not is_face(true) or rng.random() >= (seen if is_face(card.partition("=")[0]) else unseen):
            return card
        half = half_of(true, rng.choice(("rank", "suit")) if halves == "both" else halves, rng)
        # A card in place of another stays so.
        return half + card[len(card.partition("=")[0]) :]

    lines = [
        DraftLine(replace(r, event=each_list(r.event, true.event, lambda c, t: _one_by_one_as(c, t, glimpse))), r.n)
        for r, true in zip(whole, log, strict=True)
    ]
    return f"of the unseen cards {unseen:.0%} and of the others {seen:.0%} are half seen ({halves})", lines


def half_of(card: str, half: str, rng: Random) -> str:
    if card[:2] == "Jo" or rng.random() < 0.1:
        return "??"
    return card[0] + "?" if half == "rank" else "?" + card[1]


def _one_by_one_as(cards: ev.Cards, true: ev.Cards, glimpse: Callable[[str, str], str]) -> ev.Cards:
    """Replace each card of the list; unchanged if it is unknown which card is which."""
    if "*" in (*cards, *true):
        return cards
    items = one_by_one_or_none(cards)
    trues = one_by_one_or_none(true)
    if items is None or trues is None or len(items) != len(trues):
        return cards
    return squeeze(glimpse(c, t.partition("=")[0]) for c, t in zip(items, trues, strict=True))


def one_by_one_or_none(cards: ev.Cards) -> list[str] | None:
    """The items of a list one by one; None if some are not counted."""
    out = []
    for text in cards:
        if text == "*" or item(text).count is None:
            return None
        out += [text] if "=" in text else one_by_one((text,))
    return out


def _uncounted(whole: Sequence[Recorded], log: Sequence[Recorded], rng: Random) -> tuple[str, list[DraftLine]]:
    """Some unseen cards are not counted; sometimes the last of several cards are neither seen nor counted.

    A single card that is played or discarded is counted by being written.
    """
    often = rng.choice((0.05, 0.3, 1.0))
    rest = rng.choice((0.0, 0.05, 0.2))

    def lost(cards: ev.Cards, true: ev.Cards) -> ev.Cards:
        if "*" in cards:
            return cards
        some = tuple(f"*x{item(c).card}" if _counted(c) and rng.random() < often else c for c in cards)
        if len(one_by_one_or_none(true) or ()) > 1 and rng.random() < rest:
            some = (*some[: rng.randrange(len(some))], "*x??")
        return squeeze(some)

    lines = [
        DraftLine(replace(r, event=each_list(r.event, true.event, lost)), r.n)
        for r, true in zip(whole, log, strict=True)
    ]
    return (
        f"{often:.0%} of the counted unseen cards are not counted, the end of {rest:.0%} of the lists is not seen",
        lines
    )


def _counted(text: str) -> bool:
    return text != "*" and "x" in text and item(text).count is not None


def each_list(event: Event, true: Event, change: Callable[[ev.Cards, ev.Cards], ev.Cards]) -> ev.Plain:
    """Change every list of cards in the event; `true` is the same event with everything seen.

    The range of a deal (`col:A:1..4`) implies the cards of each pile by its length, so it is not changed.
    """
    changes: dict[str, Any] = {}
    for name in ("cards", "takes"):
        if getattr(event, name, ()):
            changes[name] = change(getattr(event, name), getattr(true, name))
    if getattr(event, "groups", ()):
        groups = zip(event.groups, true.groups, strict=True)  # type: ignore[union-attr]  # it has the field: just asked
        changes["groups"] = tuple(change(g, t) for g, t in groups)
    if getattr(event, "piles", ()):
        piles = zip(event.piles, true.piles, strict=True)  # type: ignore[union-attr]  # as above
        changes["piles"] = tuple(
            (name, cards if not cards or ".." in name else change(cards, t)) for (name, cards), (_, t) in piles
        )
    return replace(event, **changes) if changes else event  # type: ignore[return-value]  # simulated logs have no corrections


def _cut(whole: Sequence[Recorded], log: Sequence[Recorded], rng: Random) -> tuple[str, list[DraftLine]]:
    """Stop the record anywhere."""
    last = rng.randrange(1, len(whole))
    return f"it stops after {last}", _kept(whole[: last + 1])


def _late(whole: Sequence[Recorded], log: Sequence[Recorded], rng: Random) -> tuple[str, list[DraftLine]]:
    """Begin the record late, or interrupt it, with a gap line."""
    begin = 1 if rng.random() < 0.5 else rng.randrange(1, len(whole))
    end = min(len(whole), begin + rng.choice((1, 2, 5, 12, 40)))
    gap = ev.Gap(by="@", number=rng.choice((None, end - begin)))
    lines = [*_kept(whole[:begin]), DraftLine(replace(whole[begin], event=gap)), *_kept(whole[end:])]
    return f"a gap stands for {begin} to {end - 1}", lines


def told_by_tally(
    whole: Sequence[Recorded], log: Sequence[Recorded], rng: Random, told: Told
) -> tuple[str, list[DraftLine]] | None:
    """Replace a hand, or the rest of one, by its tally."""
    begins = [i for i, r in enumerate(log) if isinstance(r.event, ev.Hand)]
    ends = [*begins[1:], len(log)]
    results: list[tuple[int, int, int, ev.Facts]] = []
    played = 1
    state = begin(_opening(log).facts)
    for i, r in enumerate(log[1:], 1):
        state.at = state.table.now = r.n
        evolve(state, r.event)
        if not state.settled:
            played = i
        if i + 1 in ends and state.settled:
            results.append((begins[len(results)], played, i + 1, told(state)))
        elif i + 1 in ends:
            break
    if not results:
        return None
    first, played, end, facts = rng.choice(results)
    # After the last act of a hand a tally belongs to the next one.
    cut = first + 1 if rng.random() < 0.5 else rng.randint(first + 1, max(first + 1, played))
    tally = DraftLine(replace(whole[first], event=ev.Tally(by="@", facts=facts)), tells=(first, end - 1))
    lines = [*_kept(whole[:cut]), tally, *_kept(whole[end:])]
    return f"a tally stands for {cut} to {end - 1}", lines


# -- what goes without saying -----------------------------------------------------------------------------------------


def goes_without_saying(event: Event) -> str:
    """The kind of a line that a careful recorder may leave out; "" if the line has information of its own.

    Draws, passes, plain words, picked-up piles, plays and discards from a player's own stock, deals, shuffles and
    gathered tricks follow from what comes next, or are taken for granted.
    """
    match event:
        case ev.Draw():
            return f"draws{' from ' + event.src.partition(':')[0] if event.src else ''}"
        case ev.Pass():
            return "passes"
        case ev.Deal():
            return "deals" if event.by == "@" else "deals of the seats"
        case ev.Hand():
            return "hand lines"
        case ev.Shuffle():
            return "shuffles"
        case ev.Move() if event.by == "@":
            return "moves of the table"
        case ev.Move() if event.cards == ("*",):
            return "piles taken up"
        case ev.Move() if event.src.startswith("stock:") and event.to.startswith("col:"):
            return "covers"
        case ev.Discard() if event.src.startswith("stock"):
            return "throws from the stock"
        case ev.Call() if not (event.cards or event.amount is not None or event.who or event.refs):
            return f"calls of {event.word}"
        case ev.End():
            return "ends"
    return ""


def _unwritten(whole: Sequence[Recorded], log: Sequence[Recorded], rng: Random) -> tuple[str, list[DraftLine]] | None:
    """One kind of line is never written, or mostly not."""
    kinds = sorted({kind for r in whole[1:] if (kind := goes_without_saying(r.event))})
    if not kinds:
        return None
    kind, share = rng.choice(kinds), rng.choice((1.0, 1.0, 0.7, 0.2))
    gone = {r.n for r in whole[1:] if goes_without_saying(r.event) == kind and rng.random() < share}
    if not gone:
        return None
    return f"no {kind} at {_some(gone)}", [line for line in _kept(whole) if line.was not in gone]


def _some(positions: Iterable[int]) -> str:
    listed = sorted(positions)
    return ", ".join(map(str, listed[:12])) + (" …" if len(listed) > 12 else "")


# -- one slip ---------------------------------------------------------------------------------------------------------


def _left_out(whole: Sequence[Recorded], log: Sequence[Recorded], rng: Random) -> tuple[str, list[DraftLine]]:
    """Leave out any one line."""
    gone = rng.randrange(1, len(whole))
    return f"left out: {gone}. {write_event(whole[gone].event)}", [line for line in _kept(whole) if line.was != gone]


def _swapped(whole: Sequence[Recorded], log: Sequence[Recorded], rng: Random) -> tuple[str, list[DraftLine]] | None:
    """Swap two neighbours, two neighbours of one seat, or two similar lines farther apart."""
    events: list[Event] = [r.event for r in whole]
    acts = [
        i for i in range(1, len(events)) if not isinstance(events[i], (ev.Hand, ev.End, ev.Tally, ev.Gap, *ev.ABOUT))
    ]
    near = [(i, i + 1) for i in acts if i + 1 in acts]
    own = [(i, j) for i, j in near if events[i].by == events[j].by != "@"]
    # The same verb of different seats: the cards of two tricks, the discards of two turns.
    far = [
        (i, j) for i in acts for j in range(i + 2, min(i + REACH, len(events)))
        if type(events[i]) is type(events[j]) and isinstance(events[i], CARRIES)
    ]  # fmt: skip
    choices = [[(i, j) for i, j in pairs if events[i] != events[j]] for pairs in (near, own, far)]
    choices = [pairs for pairs in choices if pairs]
    if not choices:
        return None
    i, j = rng.choice(rng.choice(choices))
    lines = _kept(whole)
    lines[i], lines[j] = replace(lines[j], wrong=True), replace(lines[i], wrong=True)
    return f"swapped: {i}. {write_event(events[i])} and {j}. {write_event(events[j])}", lines


def _doubled(whole: Sequence[Recorded], log: Sequence[Recorded], rng: Random) -> tuple[str, list[DraftLine]] | None:
    """Type a line twice."""
    acts = [i for i in range(1, len(whole)) if not isinstance(whole[i].event, ev.ABOUT)]
    i = rng.choice(acts)
    lines = _kept(whole)
    lines.insert(i + 1, DraftLine(whole[i], None, True))
    return f"typed twice: {i}. {write_event(whole[i].event)}", lines


def _mistyped(whole: Sequence[Recorded], log: Sequence[Recorded], rng: Random) -> tuple[str, list[DraftLine]] | None:
    """Mistype a card or a seat."""
    pack = page_for(_opening(whole).facts).pack
    seats = terms_of(page_for(_opening(whole).facts), _opening(whole).facts).seats
    cards = [i for i in range(1, len(whole)) if any(map(is_face, faces(whole[i].event)))]
    spoken = [i for i in range(1, len(whole)) if whole[i].event.by in seats]
    if spoken and (not cards or rng.random() < 0.25):
        i = rng.choice(spoken)
        event: ev.Plain = replace(whole[i].event, by=rng.choice([s for s in seats if s != whole[i].event.by]))  # type: ignore[assignment]  # as above
    elif cards:
        i = rng.choice(cards)
        event = mistyped(whole[i].event, pack, rng)
    else:
        return None
    lines = _kept(whole)
    lines[i] = replace(lines[i], recorded=replace(whole[i], event=event), wrong=True)
    return f"mistyped: {i}. {write_event(whole[i].event)}, as {write_event(event)}", lines


WAYS: Mapping[Kind, Way] = {
    "hidden": _hidden,
    "half-seen": _half_seen,
    "uncounted": _uncounted,
    "cut": _cut,
    "late": _late,
    "unwritten": _unwritten,
    "left out": _left_out,
    "swapped": _swapped,
    "doubled": _doubled,
    "mistyped": _mistyped,
}
