"""Corrections that insert or swap melds: later lines keep referring to the melds that they meant when they were
typed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from events.model import Meld, Open
from replay.budget import Budget
from replay.judging.segments import CandidateCorrection, HandSegment
from replay.log import NumberedEvent
from replay.references import LAYS, ReferenceReader, renamed


def numbered_as_meant(
    stretch: HandSegment, candidates: Iterable[CandidateCorrection], budget: Budget,
) -> Iterator[CandidateCorrection]:
    """Renumber the melds of each candidate as they are once it is typed, so that other lines keep their meaning
    (`replay.references`). Stops when the budget is spent."""
    hand = stretch.part_of or stretch
    for one in candidates:
        acts = [stretch.events[one.index].event] if one.kind == "strike" else [fix.event for fix in one.fixes]
        # Cards laid onto an existing meld take no number.
        if any(type(act) in LAYS and not getattr(act, "to", "") for act in acts) and hand.meant():
            if one.kind == "insert" and isinstance(acts[0], Meld):
                _count_up(stretch, one, acts[0], hand)
            elif budget.left <= 0:
                return
            else:
                budget.spend(_number(stretch, one, hand))
        yield one


def _count_up(stretch: HandSegment, one: CandidateCorrection, act: Meld, hand: HandSegment) -> None:
    """Renumber for an inserted meld: its owner's later melds get higher numbers."""
    side = hand.begun().terms.side_of.get(act.by, "")
    place = {p.n: i for i, p in enumerate(hand.events)}
    at = one.index + stretch.skipped
    names: dict[str, str] = {}
    for meant in hand.meant().values():
        for name, meld in meant.items():
            stem, _, number = name.rpartition(":")
            # Melds without an owner are counted together.
            if stem in ("meld", f"meld:{act.by}", f"meld:{side}") and place.get(meld.n, -1) >= at:
                names[name] = f"{stem}:{int(number) + len(act.groups)}"
    if names:
        after = hand.events[stretch.skipped + len(stretch.events) :] if hand is not stretch else []
        lines = [_counted_up(p, names, hand) for p in (*one.events[one.index + 1 :], *after)]
        one.events, one.beyond = [
            *one.events[: one.index + 1], *lines[: len(one.events) - one.index - 1],
        ], lines[len(one.events) - one.index - 1 :]


def _counted_up(placed: NumberedEvent, names: dict[str, str], hand: HandSegment) -> NumberedEvent:
    """A line with these names for its melds. A line that broke a rule when typed stays, as it may have counted that
    meld."""
    meant = hand.meant().get((placed.n, placed.at), {})
    if not meant or any(meld.wrong for meld in meant.values()):
        return placed
    return replace(placed, event=renamed(placed.event, names))


def _number(stretch: HandSegment, one: CandidateCorrection, hand: HandSegment) -> int:
    """Renumber the melds in the lines of a hand under a correction. Returns the steps it took."""
    typed = {fix.at for fix in one.fixes if fix.how == "replace"}
    events = [replace(p, at=hand.limit) if p.n in typed else p for p in one.events]
    after = hand.events[stretch.skipped + len(stretch.events) :] if hand is not stretch else []
    reader = ReferenceReader(Open(by="@", facts=hand.facts), hand.meant())
    lines, gone = reader.corrected([*hand.events[: stretch.skipped], *events, *after])
    end = stretch.skipped + len(events)
    one.events, one.beyond, one.adrift = lines[stretch.skipped : end], lines[end:], frozenset(gone)
    return len(hand.events) + reader.steps
