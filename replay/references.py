"""Keep the meaning of meld numbers: corrections that insert or remove melds rename nothing.

Melds get their numbers as they are laid (`meld:NS:2` is the second of that side). A correction that inserts a
forgotten one shifts the numbers of later melds, but a recorder who typed `>meld:NS:2` before meant the meld that was
second then. So each reference is read in the record as it was when it was typed, stored as the line that laid the
meld, and written with the current number of that line's meld, whatever cards the line is corrected to. If a later
correction lays the same cards on another line, they are there instead. If the line lays nothing any more, the place
of the cards is unknown: the reference is a misfit, and the rules about its line stay open.

The recorder of a line that broke a rule when typed may have counted the forgotten meld, as may later lines with the
same number. If such a line breaks a rule as it was meant but not with the number as written, the written number
counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from events.model import Arrange, Deal, End, Fix, Gap, Groups, Hand, Meld, Move, Open, Plain, Tally
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.legal import acts_of, plans
from reducers.model import State
from reducers.rules import Verdict

if TYPE_CHECKING:
    from replay.log import NumberedEvent


NUMBERED = re.compile(r"meld:(.+:)?\d+")
"""The piles that are numbered in the order in which they appear."""
LAYS: frozenset[type[Any]] = frozenset((Meld, Arrange, Move))
FRAME: frozenset[type[Any]] = frozenset((Open, Hand, Deal, Tally, End, Gap))
"""Lines that may begin or end a hand. If one is corrected, every hand is read."""
PILES_A_STEP = 16
"""Looking at this many piles costs about as much as reading an event."""
PATIENCE = 20_000
"""Most events read again for the references of one log, counted so that the answer is the same everywhere."""


class LaidMeld(Struct, frozen=True):
    """One meld: the event that laid it, when that line was typed, the index of its group, and the cards of each
    group.

    In a reference, `wrong` is True if that line, or an earlier one with the same number, broke a rule when typed.
    """

    n: int
    at: int
    group: int
    groups: Groups
    wrong: bool = False

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards of the meld as they were laid, sorted."""
        return self.groups[self.group]


class Lays(Struct, frozen=True):
    """The melds of a line, by name: new ones, and those already there that it names or extends."""

    new: list[tuple[str, LaidMeld]]
    kept: list[tuple[str, LaidMeld]]


Meaning = dict[tuple[int, int], dict[str, LaidMeld]]
"""The meld that each number in a line meant, by the line's position and when it was typed."""


def piles_spoken_of(event: Plain) -> list[str]:
    """The numbered piles in an event.

    >>> piles_spoken_of(Meld(by="S", groups=(("8c",),), to="meld:NS:2"))
    ['meld:NS:2']
    >>> piles_spoken_of(Meld(by="S", groups=(("8c",),), to="meld:2"))
    ['meld:2']
    """
    for field in places_of(type(event)):
        if getattr(event, field):
            break
    else:
        return []
    found = [getattr(event, "to", ""), getattr(event, "src", ""), *(name for name, _ in getattr(event, "piles", ()))]
    return [name for name in dict.fromkeys(found) if name.startswith("meld:") and NUMBERED.fullmatch(name)]


@cache
def places_of(kind: type[Any]) -> tuple[str, ...]:
    """The fields of an event of this type that name piles."""
    return tuple(field for field in ("to", "src", "piles") if field in kind.__struct_fields__)


def renumbers(fix: Fix, old: Plain | None) -> type[Any] | None:
    """The type of line by which a correction may change numbers: a meld, or the frame of a hand; None if it cannot."""
    kinds = [type(e) for e in (fix.event, old) if e is not None and (type(e) in FRAME or may_lay(e))]
    return next((k for k in kinds if k in FRAME), kinds[0] if kinds else None)


def may_lay(event: Plain) -> bool:
    """Return True if an event may lay a meld with a number of its own, which includes a card moved to an empty place.
    """
    return type(event) in LAYS and (type(event) is not Move or bool(piles_spoken_of(event)))


class ReferenceReader:
    """Reads the references of one log while its corrections are folded in, in the order of typing."""

    def __init__(self, opening: Open, known: Meaning | None = None) -> None:
        self.opening = opening
        self.meaning: Meaning = {} if known is None else known
        self.known = known is not None
        # Lines typed since the last renumbering correction, whose references have not been read.
        self.waiting: dict[tuple[int, int], NumberedEvent] = {}
        self.read = 0
        # Additional steps of walks, besides one per line.
        self.steps = 0
        # True if any number may have changed.
        self.moved = False
        self.tired: list[int] = []

    def typed(self, placed: NumberedEvent) -> None:
        """Add a line that was typed, live or by a correction."""
        if piles_spoken_of(placed.event):
            self.waiting[placed.n, placed.at] = placed

    def before(self, kind: type[Any], at: int, order: Iterable[int], there: dict[int, NumberedEvent]) -> None:
        """Read all references typed so far, before a correction of the line `at` changes numbers."""
        self.moved = True
        if not self.waiting or self.known:
            return
        lines = [there[n] for n in order if n in there]
        for part in hands_of(lines):
            if kind in FRAME or any(p.n == at for p in part) or at not in there:
                self._read(part)

    def _read(self, part: Sequence[NumberedEvent]) -> None:
        """Store the meaning of a hand's references that were not read before."""
        here = {p.n for p in part}
        asked = [self.waiting.pop(key) for key in list(self.waiting) if key[0] in here]
        if not asked:
            return
        # The additional steps of a walk are known only afterwards.
        self.read += len(part)
        if self.read + self.steps > PATIENCE:
            self.tired += [p.n for p in asked]
            return
        self.keep(part, asked)

    def keep(
        self, part: Sequence[NumberedEvent], asked: Sequence[NumberedEvent], *, as_they_stand: bool = False,
    ) -> None:
        """Store the meaning of the references in these lines of a hand: melds laid before the line was typed or, with
        `as_they_stand`, before it in the hand."""
        names = {p.n: piles_spoken_of(p.event) for p in asked}
        wrong = dict.fromkeys(((p.n, p.at) for p in asked), False)
        meant: dict[int, dict[str, LaidMeld]] = {}
        first: dict[str, LaidMeld] = {}
        lying: dict[str, LaidMeld] = {}
        for placed, new, begins in self.walk(part, wrong=wrong):
            lying = {**new} if begins else lying
            lying.update(new)
            for name, meld in new.items():
                first.setdefault(name, meld)
            if placed.n in names:
                meant[placed.n] = {name: lying[name] for name in names[placed.n] if name in lying}
        doubtful: set[str] = set()
        by_n = {p.n: p for p in asked}
        for n, found in meant.items():
            placed = by_n[n]
            if not as_they_stand:
                # An inserted line may refer to a meld typed before it and laid after it.
                later = ((name, first[name]) for name in names[n] if name in first and name not in found)
                found.update((name, meld) for name, meld in later if meld.at <= placed.at)
            doubtful.update(names[n] if wrong[n, placed.at] else ())
            self.meaning[n, placed.at] = {name: replace(meld, wrong=name in doubtful) for name, meld in found.items()}

    def walk(
        self, part: Sequence[NumberedEvent], gone: dict[int, list[str]] | None = None,
        wrong: dict[tuple[int, int], bool] | None = None
    ) -> Iterator[tuple[NumberedEvent, dict[str, LaidMeld], bool]]:
        """Yield the lines of a hand, as meant, each with the melds it laid and True if it begins another, unrecorded
        hand; `gone` collects missing melds.

        `wrong` is updated with the lines that break a rule.
        """
        state = begin(self.opening.facts)
        now: dict[int, Lays] = {}
        bound = {meld.n for p in part for at in versions(p) for meld in self.meaning.get((p.n, at), {}).values()}
        for placed in part:
            event = self._written(placed.n, placed.at, placed.event, now, state, gone)
            was = tuple([(at, self._written(placed.n, at, old, now, state)) for at, old in placed.was])
            if event is not placed.event or was != placed.was:
                placed = replace(placed, event=event, was=was, typed=None if event is placed.event else placed.event)
            state.at = state.table.now = placed.n
            if wrong and (placed.n, placed.at) in wrong:
                wrong[placed.n, placed.at] = breaks_a_rule(placed.event, state)
            hand = state.number
            if not may_lay(placed.event):
                evolve(state, placed.event)
                if state.number != hand:
                    now.clear()
                yield placed, {}, state.number != hand
                continue
            before = Laying(placed.event, state)
            evolve(state, placed.event)
            self.steps += before.cost
            new = dict(before.laid(placed, state))
            if state.number != hand:
                # Melds of the hand before are not on the table any more.
                now.clear()
            if new or placed.n in bound:
                now[placed.n] = Lays(list(new.items()), before.kept(placed, new, state) if placed.n in bound else [])
            yield placed, new, state.number != hand

    def _written(
        self, n: int, at: int, event: Plain, now: dict[int, Lays], state: State[Any],
        gone: dict[int, list[str]] | None = None,
    ) -> Plain:  # fmt: skip
        """The line with the current numbers of its melds."""
        names: dict[str, str] = {}
        for name, meld in self.meaning.get((n, at), {}).items():
            if meld.n == n:
                # The line itself laid the meld with this number; if it is taken, the next one is meant.
                taken = heights(state)
                names[name] = name if name not in taken else next_number(name, taken)
                continue
            found = same_meld(meld, at, now)
            if found is None:
                names[name] = f"{name.rpartition(':')[0]}:gone"
                if gone is not None:
                    gone.setdefault(n, []).append(
                        f"{name} was laid at {meld.n}, and that meld is not in the record any more"
                    )
            else:
                names[name] = found
        meant = renamed(event, names) if names else event
        counted = meant is not event and any(meld.wrong for meld in self.meaning[n, at].values())
        return event if counted and breaks_a_rule(meant, state) and not breaks_a_rule(event, state) else meant

    def corrected(self, events: Sequence[NumberedEvent]) -> tuple[list[NumberedEvent], dict[int, list[str]]]:
        """The lines as they are meant, and those that refer to a missing meld, each with what it meant."""
        gone: dict[int, list[str]] = {
            n: ["a meld by its number; there are too many corrections to tell which was meant"] for n in self.tired
        }
        out: list[NumberedEvent] = []
        for part in hands_of(events):
            if any(self.meaning.get((p.n, at)) for p in part for at in versions(p)):
                out += [placed for placed, _, _ in self.walk(part, gone)]
            else:
                out += part
        return out, gone


def as_they_stand(opening: Open, part: Sequence[NumberedEvent]) -> Meaning:
    """The meaning of the references in the lines of a hand as they are now, whenever they were typed."""
    reader = ReferenceReader(opening)
    asked = [p for p in part if piles_spoken_of(p.event)]
    if asked:
        reader.keep(part, asked, as_they_stand=True)
    return reader.meaning


def versions(placed: NumberedEvent) -> Iterator[int]:
    """When a line was typed, and each earlier version of it."""
    yield placed.at
    for at, _ in placed.was:
        yield at


def breaks_a_rule(event: Plain, state: State[Any]) -> bool:
    """Return True if this act would certainly break a rule of the game."""
    if state.hand is None:
        return False
    said = (check.run(event, state) for check in plans(state.game.key)[state.phase].get(type(event), ()))
    return any(says is not None and says.verdict == Verdict.BROKEN for says in said)


def hands_of(events: Iterable[NumberedEvent]) -> Iterator[list[NumberedEvent]]:
    """Split a record before each line that begins a hand."""
    part: list[NumberedEvent] = []
    for placed in events:
        if type(placed.event) is Hand and part:
            yield part
            part = []
        part.append(placed)
    if part:
        yield part


def heights(state: State[Any]) -> dict[str, int]:
    """The number of cards in each numbered pile that is not empty."""
    return {name: len(p) for name, p in state.table.piles.items() if name.startswith("meld:") and len(p)}


class Laying:
    """The melds before a line that lays some, to find the new ones afterwards.

    Each group of a meld gets the next number of its owner, so a game's `melds` give their number and the others are
    not examined. Only a whole layout requires a full comparison.
    """

    __slots__ = ("cost", "hand", "heights", "numbers")

    def __init__(self, event: Plain, state: State[Any]) -> None:
        self.hand = state.hand
        self.numbers: dict[str, int] | None = None
        self.heights: dict[str, int] = {}
        if type(event) is Meld and (event.to or Arrange not in acts_of(state.game.key)):
            self.numbers = dict(getattr(state.hand, "melds", {}))
        else:
            self.heights = heights(state)
        # The cost in steps: looking at this many piles costs as much as folding an event.
        self.cost = 2 * len(self.heights) // PILES_A_STEP

    def laid(self, placed: NumberedEvent, state: State[Any]) -> Iterator[tuple[str, LaidMeld]]:
        """The melds that the line laid, each with its name."""
        event = placed.event
        names = self._new(state)
        groups = event.groups if isinstance(event, Meld) and not event.to else cards_in_piles(names, state)
        for i, name in enumerate(names[: len(groups)]):
            yield name, laid_by(placed, i, groups)

    def kept(self, placed: NumberedEvent, new: Mapping[str, LaidMeld], state: State[Any]) -> list[tuple[str, LaidMeld]]:
        """The existing melds that the line names or extends; a layout of all melds names none."""
        event = placed.event
        names = [
            name for name in piles_spoken_of(event) or (heights(state) if isinstance(event, Arrange) else ())
            if name not in new
        ]
        groups = event.groups if isinstance(event, Meld) else cards_in_piles(names, state)
        return [(name, laid_by(placed, i, groups)) for i, name in enumerate(names)]

    def _new(self, state: State[Any]) -> list[str]:
        """The melds that have cards and had none before."""
        # A meld that begins a hand is the first of it.
        same_hand = state.hand is self.hand
        if self.numbers is None:
            before = self.heights if same_hand else {}
            return [name for name in heights(state) if name not in before]
        now: dict[str, int] = getattr(state.hand, "melds", {})
        counts = self.numbers if same_hand else {}
        new = [f"meld:{owner}:{i}" for owner, n in now.items() for i in range(counts.get(owner, 0) + 1, n + 1)]
        return [name for name in new if len(state.table.piles.get(name, ()))]


def laid_by(placed: NumberedEvent, group: int, groups: Groups) -> LaidMeld:
    """A group that a line lays, dated by the last correction of its cards."""
    at = placed.at
    for known, old in reversed(placed.was):
        if any(getattr(old, part, ()) != getattr(placed.event, part, ()) for part in ("groups", "piles")):
            break
        at = known
    return LaidMeld(placed.n, at, group, tuple([tuple(sorted(cards)) for cards in groups]))


def cards_in_piles(names: Iterable[str], state: State[Any]) -> Groups:
    """The cards of these piles, as they are written."""
    tokens, piles = state.game.pack.tokens, state.table.piles
    return tuple([tuple([tokens[c] for c in piles[name].codes()]) if name in piles else () for name in names])


def same_meld(meant: LaidMeld, typed: int, now: Mapping[int, Lays]) -> str | None:
    """The current name of a meld, for a line typed at `typed`; None if the line that laid it lays none any more.

    Lines that were exchanged since, or struck out and typed again, lay the same cards elsewhere.
    """
    lays = now.get(meant.n, Lays([], []))
    new, i = lays.new, meant.group
    if i < len(new) and new[i][1].groups == meant.groups:
        return new[i][0]
    there = [*new, *lays.kept]
    if all(meant.cards != meld.cards for _, meld in there) and not any(
        "?" in card or "*" in card for card in meant.cards
    ):
        moved = (
            name for other in now.values() for name, meld in other.new if meld.cards == meant.cards and meld.at > typed
        )
        if (name := next(moved, None)) is not None:
            return name
    # The old and new groups of the line are paired by shared cards, the rest in order. A line that once laid a meld
    # and now extends one owns that one.
    pairs: dict[int, int] = {}
    shared = (
        (-len(seen_in(was) & seen_in(there[k][1].cards)), i != k, i, k) for i, was in enumerate(meant.groups)
        for k in range(len(there))
    )
    for common, _, one, other in sorted(shared):
        if common and one not in pairs and other not in pairs.values():
            pairs[one] = other
    left = [k for k in range(len(new) or len(there)) if k not in pairs.values()]
    pairs.update(zip([k for k in range(len(meant.groups)) if k not in pairs], left, strict=False))
    return there[pairs[i]][0] if i in pairs else None


def seen_in(cards: Iterable[str]) -> set[str]:
    """The seen cards, whatever a wild card stands for."""
    return {card.partition("=")[0] for card in cards if "?" not in card and "*" not in card}


def next_number(name: str, taken: Iterable[str]) -> str:
    """The next free name."""
    stem = name.rpartition(":")[0]
    numbers = [int(t.rpartition(":")[2]) for t in taken if t.startswith(f"{stem}:") and NUMBERED.fullmatch(t)]
    return f"{stem}:{max(numbers, default=0) + 1}"


def renamed(event: Plain, names: dict[str, str]) -> Plain:
    """Rename these piles in the event.

    >>> renamed(Meld(by="S", groups=(("8c",),), to="meld:NS:2"), {"meld:NS:2": "meld:NS:3"}).to
    'meld:NS:3'
    """
    changes: dict[str, Any] = {}
    for field in ("to", "src"):
        name = getattr(event, field, "")
        if names.get(name, name) != name:
            changes[field] = names[name]
    piles = getattr(event, "piles", ())
    if any(names.get(name, name) != name for name, _ in piles):
        changes["piles"] = tuple((names.get(name, name), cards) for name, cards in piles)
    return replace(event, **changes) if changes else event
