"""Acts that the table let a player take back: left out of the view of a log, with what was done in their place moved there.

`E back` takes back the last act of E in its hand; a card that is moved from the trick to the hand of whoever just played it says
the same. The record then goes on as if the act had not been made: its place is empty, and the next act of the seat fills
it. What others did meanwhile stands behind that. Of a lead or a card that completed a trick the gathering goes with it.

What was taken back is kept, so that it can be judged as it was made (`TakenBack`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from events.model import (
    ABOUT,
    Back,
    Bet,
    Bid,
    Call,
    Capture,
    Deal,
    Discard,
    End,
    Event,
    Fix,
    Gap,
    Hand,
    Meld,
    Move,
    Name,
    Open,
    Pass,
    Plain,
    Play,
    Shuffle,
    Tally,
)
from replay.log import NumberedEvent

NO_ACT: frozenset[type[Event]] = frozenset((Open, Hand, Deal, Shuffle, End, Tally, Gap, *ABOUT))
ENDS_ITS_HAND: frozenset[type[Event]] = frozenset((Open, Hand, End, Tally, Gap))
"""Behind such a line no act before it is taken back, and no place before it is filled."""


class HasEvent(Protocol):
    """Whatever has an event: a line as it was recorded, or one in its place."""

    @property
    def event(self) -> Event: ...


class TakenBack(Struct):
    """An act that was taken back. `after` is the number of the event behind which it was made (0: the first); the acts in `led_to`, which
    were taken back as well, came between. `then` are the lines from it to `by`, which says that it was taken back."""

    act: NumberedEvent
    by: NumberedEvent
    after: int
    led_to: tuple[NumberedEvent, ...]
    then: tuple[NumberedEvent, ...]


class WithoutTakenBack(Struct, frozen=True):
    """The events that stand, what was taken back, and the lines that take back nothing that is there.

    `waits` says that others acted before the place of an act was filled: until it is, they are left out."""

    events: tuple[NumberedEvent, ...]
    taken: tuple[TakenBack, ...] = ()
    pointless: tuple[NumberedEvent, ...] = ()
    waits: bool = False


def may_take_back(event: Event) -> bool:
    """Whether an event takes an act back, or may do so as it is written."""
    return isinstance(event, Back) or (isinstance(event, Move) and event.src == "trick" and event.to.startswith("hand:"))


def stands_as_written(lines: Iterable[HasEvent]) -> bool:
    """Whether no line of a log corrects another, or takes an act back."""
    kinds = set(map(type, events := [line.event for line in lines]))
    if Fix in kinds or Back in kinds:
        return False
    return Move not in kinds or not any(map(may_take_back, events))


def without_taken_back(events: tuple[NumberedEvent, ...]) -> WithoutTakenBack:
    """Leave out what was taken back, and put in its place what was done anew."""
    if not any(may_take_back(p.event) for p in events):
        return WithoutTakenBack(events)
    reading = _Reading()
    for placed in events:
        reading.take(placed)
    return reading.result()


class _Reading:
    """The lines that stand so far. `empty` gives for a seat the act that it took back and has not done anew, with the number of the event
    behind which it was; `instead` what stands where an event was that is gone, or the event before that place."""

    def __init__(self) -> None:
        self.out: list[NumberedEvent] = []
        self.taken: list[TakenBack] = []
        self.pointless: list[NumberedEvent] = []
        self.empty: dict[str, tuple[TakenBack, int]] = {}
        self.instead: dict[int, int] = {}

    def take(self, placed: NumberedEvent) -> None:
        """The next line."""
        event = placed.event
        if may_take_back(event):
            at = self.act_meant(event)
            if at is not None:
                self.leave_out(at, placed)
                return
            if type(event) is Back:
                self.pointless.append(placed)
        elif type(event) in ENDS_ITS_HAND:
            self.empty.clear()
        elif event.by in self.empty and type(event) not in NO_ACT:
            self.do_anew(*self.empty.pop(event.by), placed)
            return
        self.out.append(placed)

    def do_anew(self, one: TakenBack, before: int, placed: NumberedEvent) -> None:
        """The next act of a seat that took one back fills its place, if it is of its kind and the table has not gone on without it."""
        late = [p.event.by for p in self.out[self.behind(one.by.n) :] if type(p.event) not in NO_ACT]
        fills = is_spoken(placed.event) == is_spoken(one.act.event) and len(set(late)) == len(late)
        place = self.behind(before)
        moves = fills and any(type(p.event) not in NO_ACT for p in self.out[place:])
        self.out.insert(place if moves else len(self.out), placed)
        if fills:
            self.instead[one.act.n] = placed.n

    def act_meant(self, event: Plain) -> int | None:
        """Where the act lies that a line takes back; None if there is none."""
        seat = event.to.removeprefix("hand:") if type(event) is Move else event.by
        cards, refs = getattr(event, "cards", ()), getattr(event, "refs", ())
        for at in range(len(self.out) - 1, -1, -1):
            one = self.out[at]
            if type(one.event) in ENDS_ITS_HAND:
                return None
            if type(one.event) in NO_ACT or seat not in ("@", one.event.by) or (refs and one.n not in refs):
                continue
            if type(event) is Move:
                return at if type(one.event) is Play and cards_match(cards, one.event.cards) and event.by in ("@", seat) else None
            if not cards or cards_match(cards, cards_of_act(one.event)):
                return at
        return None

    def leave_out(self, at: int, by: NumberedEvent) -> None:
        """Take back the act that lies here."""
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
        self.out.append(replace(by, event=Back(by=seat, cards=seen_cards(act.event), refs=(act.n,))))

    def behind(self, n: int) -> int:
        """The place behind an event, or behind what stands instead; the first for 0."""
        while n:
            for place, placed in enumerate(self.out, 1):
                if placed.n == n:
                    return place
            n = self.instead[n]
        return 0

    def result(self) -> WithoutTakenBack:
        """What stands. What others did before an act was taken back is left out until its place is filled."""
        waiting = {p.n for one, _ in self.empty.values() for p in one.then[:-1] if type(p.event) not in NO_ACT}
        stands = tuple(p for p in self.out if p.n not in waiting)
        return WithoutTakenBack(stands, tuple(self.taken), tuple(self.pointless), bool(self.empty))


def is_spoken(act: Event) -> bool:
    """Whether an act is a word that is said, and no card is moved."""
    return type(act) in (Bid, Pass, Call, Name, Bet)


def is_gathering(event: Event) -> bool:
    """Whether a line gathers a trick, which is no act of a seat."""
    return type(event) is Move and event.by == "@" and event.src == "trick"


def cards_of_act(event: Event) -> tuple[str, ...]:
    """The cards of an act, whatever it does with them."""
    groups: Iterable[tuple[str, ...]] = getattr(event, "groups", ())
    return tuple(getattr(event, "cards", ())) or tuple(card for group in groups for card in group)


def cards_match(named: tuple[str, ...], cards: tuple[str, ...]) -> bool:
    """Whether cards that are named are those of an act; one that was not seen may be any."""
    return len(named) == len(cards) and all(one == other or "?" in one or "?" in other for one, other in zip(sorted(named), sorted(cards), strict=True))


def seen_cards(act: Event) -> tuple[str, ...]:
    """The cards of an act that come back to the hand they were played from, as far as all saw them."""
    if type(act) not in (Play, Discard, Capture, Meld) or getattr(act, "face", None) == "down" or getattr(act, "src", ""):
        return ()
    return tuple(card.partition("=")[0] for card in cards_of_act(act) if "?" not in card and card != "*")
