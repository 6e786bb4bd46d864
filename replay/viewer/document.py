"""A match as data for a viewer: the first frame of each hand, and what changes at each event.

The frames are those of `replay.table.frame`, of the corrected log; the findings are those of the audit. `docs/replay-data.md`
has the shape. What the onlooker may not see is turned into unseen cards before anything is worked out (`replay.redact`), so
that it cannot be in the data.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from events.model import Recorded
from reducers.begin import begin
from reducers.evolve import evolve
from reducers.model import State
from replay.auditing.audit import audit
from replay.read_log import ReadLog, read
from replay.redact import hide
from replay.table.frame import frame
from replay.viewer.grouping import Grouping
from replay.viewer.marks import corrections_of, findings_of, misfits_of, said_of
from replay.viewer.steps import Step, step_of

VERSION = 1
"""The version of this shape; a viewer refuses a higher one."""
ALL = "all"


def document(records: Iterable[Recorded], viewer: str = ALL, *, second: bool = False) -> dict[str, Any]:
    """Everything a viewer needs of a match, as plain JSON data. With `second` the exact opinion stands at each finding.

    Raises UsageError for a viewer who cannot look, UnreadableError for a log without its opening.
    """
    log = read(records) if viewer == ALL else read(hide(records, viewer))
    audited = audit(log, second=second)
    walk = Walk(log, viewer)
    hands = list(walk.hands())
    terms = walk.state.terms
    facts = log.view.opening.facts
    standing = walk.state.standing
    return {
        "kibitz": "replay",
        "version": VERSION,
        "viewer": viewer,
        "match": audited.match,
        "game": audited.game,
        "name": audited.name,
        "tags": {name: text for name, text in facts.items() if name in TAGS and isinstance(text, str)},
        "seats": terms.seats,
        "order": terms.in_turn(terms.seats[0]),
        "sides": terms.sides,
        "names": terms.names,
        "called": {who: terms.name(who) for who in (*terms.seats, *terms.sides)},
        "pack": {"faces": walk.state.game.pack.faces, "copies": max(walk.state.game.pack.copies, default=0), "signs": "french"},
        "hands": hands,
        "findings": findings_of(audited, walk),
        "offers": [{"hand": o.hand, "text": o.text, "lines": o.lines, "removes": o.removes} for o in audited.offers],
        "corrections": corrections_of(log, walk),
        "said": said_of(log, walk),
        "misfits": misfits_of(log),
        "exact": [{"hand": e.hand, "worlds": e.worlds, "complete": e.complete, "text": e.text} for e in audited.exact],
        "cuts": audited.cuts,
        "totals": standing.totals,
        "over": standing.over or bool(walk.state.ended),
        "winner": standing.winner,
    }


TAGS = ("Event", "Place", "Site", "Date", "Table", "Round", "Match")
"""What of the tags a page shows; other tags are terms of the game or names."""


class Walk:
    """A log walked once, hand by hand."""

    def __init__(self, log: ReadLog, viewer: str) -> None:
        self.log, self.viewer = log, viewer
        self.state: State[Any] = begin(log.view.opening.facts)
        # The hand, and the place in it, of each position.
        self.place: dict[int, tuple[int, int]] = {}

    def hands(self) -> Iterator[dict[str, Any]]:
        """Each hand: its first frame, its steps, its groups."""
        hand: dict[str, Any] | None = None
        grouping = Grouping()
        before: dict[str, Any] = {}
        for placed in self.log.view.events:
            number = self.state.number
            self.state.at = self.state.table.now = placed.n
            step = step_of(placed, self.state)
            grouping.before(self.state)
            evolve(self.state, placed.event)
            now = framed(self.state, self.viewer)
            if hand is None or self.state.number != number:
                if hand is not None:
                    yield self.ended(hand, grouping)
                hand = {"number": self.state.number, "frame": now, "steps": []}
                grouping, before = Grouping(), now
            step.change = change(before, now)
            step.group = grouping.join(placed, self.state)
            self.place[placed.n] = (hand["number"], len(hand["steps"]))
            hand["steps"].append(step)
            before = now
        if hand is not None:
            yield self.ended(hand, grouping)

    def ended(self, hand: dict[str, Any], grouping: Grouping) -> dict[str, Any]:
        """The hand with what is known of it at its end."""
        steps: list[Step] = hand["steps"]
        score = next((s for s in self.state.scores if s.number == hand["number"]), None)
        found = [] if score is None else [score]
        return {
            "number": hand["number"],
            "dealer": hand["frame"]["dealer"],
            "first": steps[0].n,
            "last": steps[-1].n,
            "contract": "".join(s.contract for s in found),
            "result": "".join(s.result for s in found),
            "points": found[0].points if found else {},
            "totals": found[0].totals if found else {},
            "notes": [n for s in found for n in s.notes],
            "groups": grouping.groups,
            "frame": hand["frame"],
            "steps": steps,
        }


def framed(state: State[Any], viewer: str) -> dict[str, Any]:
    """The frame as a viewer has it: piles by name."""
    out: dict[str, Any] = msgspec.to_builtins(frame(state, viewer))
    piles = out.pop("piles")
    out["order"] = [pile["name"] for pile in piles]
    out["piles"] = {pile["name"]: pile for pile in piles}
    return out


def change(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """What of a frame is not as it was: the keys with their new values; of `piles` those that changed, None for one that is
    no more there.

    >>> change({"hand": 1, "piles": {"N": 1, "E": 2, "S": 3}}, {"hand": 1, "piles": {"N": 1, "E": 3}})
    {'piles': {'E': 3, 'S': None}}
    """
    out = {key: value for key, value in now.items() if key != "piles" and value != before.get(key)}
    old, new = before.get("piles", {}), now.get("piles", {})
    piles = {name: pile for name, pile in new.items() if pile != old.get(name)}
    piles |= {name: None for name in old if name not in new}
    return {**out, "piles": piles} if piles else out


__all__ = ["VERSION", "document"]
