"""Acts that the table let a player take back are left out of the view of a log, and their replacements put in their
place.

`E back` takes back the last act of E in its hand; so does moving a card from the trick to the hand of its player. The
record then continues as if the act had not been made: its place is empty, and the next act of the seat fills it. Acts
of others in between come after it. A gathered trick is undone with the lead or the card that completed it.

Acts taken back are kept, to be judged as they were made (`TakenBack`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from events import model as ev
from events.model import Event
from replay.log import NumberedEvent

NO_ACT: frozenset[type[Event]] = frozenset((ev.Open, ev.Hand, ev.Deal, ev.Shuffle, ev.End, ev.Tally, ev.Gap, *ev.ABOUT))
ENDS_ITS_HAND: frozenset[type[Event]] = frozenset((ev.Open, ev.Hand, ev.End, ev.Tally, ev.Gap))
"""No act before such a line is taken back, and no place before it is filled."""


class HasEvent(Protocol):
    """Anything with an event: a recorded line, or one in its place."""

    @property
    def event(self) -> Event: ...


class TakenBack(Struct):
    """An act that was taken back. `after` is the number of the event before it (0: none); the acts in `led_to`, also
    taken back, came between. `then` are the lines from it to `by`, which takes it back."""

    act: NumberedEvent
    by: NumberedEvent
    after: int
    led_to: tuple[NumberedEvent, ...]
    then: tuple[NumberedEvent, ...]


class WithoutTakenBack(Struct, frozen=True):
    """The remaining events, the acts taken back, and takebacks without a target.

    `waits` is True if others acted before the place of an act was filled: until then, their acts are left out.
    """

    events: tuple[NumberedEvent, ...]
    taken: tuple[TakenBack, ...] = ()
    pointless: tuple[NumberedEvent, ...] = ()
    waits: bool = False


def may_take_back(event: Event) -> bool:
    """True if an event takes an act back, or may do so as it is written."""
    return isinstance(event, ev.Back) or (
        isinstance(event, ev.Move) and event.src == "trick" and event.to.startswith("hand:")
    )


def gaps_without_a_hand(events: Iterable[Event]) -> list[int]:
    """Indexes of gaps that hide no beginning of a hand: only tallies and what is said follow before the next hand
    line, whose number is the next one. Gaps of no acts are left out.

    >>> first, then = ev.Hand(by="N", number=3), ev.Hand(by="E", number=4)
    >>> gap, told = ev.Gap(by="@"), ev.Tally(by="@", facts={})
    >>> gaps_without_a_hand([first, gap, told, then]), gaps_without_a_hand([first, gap, told, gap, first])
    ([1], [])
    """
    found: list[int] = []
    gaps: list[int] = []
    number, told = 1, False
    for i, event in enumerate(events):
        kind = type(event)
        if type(event) is ev.Hand:
            if told and event.number == number + 1:
                found += gaps
            number = event.number
        elif type(event) is ev.Gap:
            gaps += [i] if event.number != 0 else []
            continue
        elif kind is ev.Tally or kind in ev.ABOUT:
            told = told or (kind is ev.Tally and bool(gaps))
            continue
        gaps, told = [], False
    return found


def stands_as_written(lines: Iterable[HasEvent]) -> bool:
    """True if no line of a log changes an earlier one: none corrects another, takes an act back, or shows that a gap
    hides no hand."""
    kinds = set(map(type, events := [line.event for line in lines]))
    if ev.Fix in kinds or ev.Back in kinds or (ev.Gap in kinds and ev.Tally in kinds and gaps_without_a_hand(events)):
        return False
    return ev.Move not in kinds or not any(may_take_back(e) for e in events if type(e) is ev.Move and e.src == "trick")


def without_taken_back(events: tuple[NumberedEvent, ...]) -> WithoutTakenBack:
    """Leave out acts that were taken back, and put their replacements in their place."""
    if not any(may_take_back(p.event) for p in events):
        return WithoutTakenBack(events)
    reading = _Reading()
    for placed in events:
        reading.take(placed)
    return reading.result()


class _Reading:
    """The lines read so far.

    `empty` gives, for a seat, the act it took back and has not replaced, with the number of the event before it;
    `instead` maps a removed event to its replacement, or to the event before its place.
    """

    def __init__(self) -> None:
        self.out: list[NumberedEvent] = []
        self.taken: list[TakenBack] = []
        self.pointless: list[NumberedEvent] = []
        self.empty: dict[str, tuple[TakenBack, int]] = {}
        self.instead: dict[int, int] = {}

    def take(self, placed: NumberedEvent) -> None:
        """Read the next line."""
        event = placed.event
        if may_take_back(event):
            at = self.act_meant(event)
            if at is not None:
                self.leave_out(at, placed)
                return
            if type(event) is ev.Back:
                self.pointless.append(placed)
        elif type(event) in ENDS_ITS_HAND:
            self.empty.clear()
        elif event.by in self.empty and type(event) not in NO_ACT:
            self.do_anew(*self.empty.pop(event.by), placed)
            return
        self.out.append(placed)

    def do_anew(self, one: TakenBack, before: int, placed: NumberedEvent) -> None:
        """Put the next act of a seat in the place of the one it took back.

        Only if it is of the same kind and the table has not gone on without it.
        """
        late = [p.event.by for p in self.out[self.behind(one.by.n) :] if type(p.event) not in NO_ACT]
        fills = is_spoken(placed.event) == is_spoken(one.act.event) and len(set(late)) == len(late)
        place = self.behind(before)
        moves = fills and any(type(p.event) not in NO_ACT for p in self.out[place:])
        self.out.insert(place if moves else len(self.out), placed)
        if fills:
            self.instead[one.act.n] = placed.n

    def act_meant(self, event: ev.Plain) -> int | None:
        """The index of the act that a line takes back; None if there is none."""
        seat = event.to.removeprefix("hand:") if type(event) is ev.Move else event.by
        cards, refs = getattr(event, "cards", ()), getattr(event, "refs", ())
        for at in range(len(self.out) - 1, -1, -1):
            one = self.out[at]
            if type(one.event) in ENDS_ITS_HAND:
                return None
            if type(one.event) in NO_ACT or seat not in ("@", one.event.by) or (refs and one.n not in refs):
                continue
            if type(event) is ev.Move:
                return at if type(one.event) is ev.Play and cards_match(
                    cards, one.event.cards,
                ) and event.by in ("@", seat) else None
            if not cards or cards_match(cards, cards_of_act(one.event)):
                return at
        return None

    def leave_out(self, at: int, by: NumberedEvent) -> None:
        """Take back the act at this index."""
        act, rest = self.out[at], self.out[at + 1 :]
        before = self.out[at - 1].n if at else 0
        stays = [p for p in rest if not is_gathering(p.event)]
        self.out[at:] = stays
        gone = {act.n, *(p.n for p in rest if is_gathering(p.event))}
        self.instead |= dict.fromkeys(gone, before)
        for one in self.taken:
            if one.after in gone:
                made = [act, *rest]
                one.led_to = (*made[: 1 + next(i for i, p in enumerate(made) if p.n == one.after)], *one.led_to)
                one.after = before
        seat = act.event.by
        self.taken.append(TakenBack(act, by, before, (), (*rest, by)))
        self.empty[seat] = self.taken[-1], before
        self.out.append(replace(by, event=ev.Back(by=seat, cards=seen_cards(act.event), refs=(act.n,))))

    def behind(self, n: int) -> int:
        """The index after an event, or after what replaced it; 0 for 0."""
        while n:
            for place, placed in enumerate(self.out, 1):
                if placed.n == n:
                    return place
            n = self.instead[n]
        return 0

    def result(self) -> WithoutTakenBack:
        """The remaining events. Acts of others before a takeback are left out until its place is filled."""
        waiting = {p.n for one, _ in self.empty.values() for p in one.then[:-1] if type(p.event) not in NO_ACT}
        stands = tuple(p for p in self.out if p.n not in waiting)
        return WithoutTakenBack(stands, tuple(self.taken), tuple(self.pointless), bool(self.empty))


def is_spoken(act: Event) -> bool:
    """True if an act is speech, and moves no card."""
    return type(act) in (ev.Bid, ev.Pass, ev.Call, ev.Name, ev.Bet)


def is_gathering(event: Event) -> bool:
    """True if a line gathers a trick, which is no act of a seat."""
    return type(event) is ev.Move and event.by == "@" and event.src == "trick"


def cards_of_act(event: Event) -> tuple[str, ...]:
    """The cards of an act of any kind."""
    groups: Iterable[tuple[str, ...]] = getattr(event, "groups", ())
    return tuple(getattr(event, "cards", ())) or tuple(card for group in groups for card in group)


def cards_match(named: tuple[str, ...], cards: tuple[str, ...]) -> bool:
    """True if the named cards are those of an act; an unseen one matches any."""
    return len(named) == len(cards) and all(
        one == other or "?" in one or "?" in other for one, other in zip(sorted(named), sorted(cards), strict=True)
    )


def seen_cards(act: Event) -> tuple[str, ...]:
    """The publicly seen cards of an act that go back to the hand they were played from."""
    if type(act) not in (
        ev.Play, ev.Discard, ev.Capture, ev.Meld,
    ) or getattr(act, "face", None) == "down" or getattr(act, "src", ""):
        return ()
    return tuple(card.partition("=")[0] for card in cards_of_act(act) if "?" not in card and card != "*")
