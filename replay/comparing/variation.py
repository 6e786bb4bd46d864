"""A variation: a match that branches off another at one event."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from events.errors import NotFoundError
from events.model import Fix, Open, Recorded, Ruling
from events.versions import record_version
from replay.comparing.kept_verdict import VARIATION, keeps_verdict
from replay.fold import corrected


def variation(records: Iterable[Recorded], at: int, match: str, parent: str = "") -> list[Recorded]:
    """The log of a variation: the corrected events up to and including the one at `at`, renumbered.

    Its opening names the parent match (`parent`, or the id in the opening), and the event. References are renumbered
    too; those to missing events are dropped, as are rulings left without any. A stored verdict is not copied. Raises
    NotFoundError for a position that is not in the corrected view.
    """
    log = list(records)
    view = corrected(log)
    places = [p.n for p in view.events]
    if at and at not in places:
        fix = next((r.event for r in log if r.n == at and isinstance(r.event, Fix)), None)
        what = (
            f"event {at} is a correction of {fix.at}" if fix is not None else f"event {at} was struck out"
            if 0 < at <= log[-1].n else f"there is no event {at}"
        )
        raise NotFoundError(
            what, expected=f"0 for the opening, or an event that stands in the record, up to {max(places, default=0)}",
        )
    kept = [p for p in view.events[: places.index(at) + 1 if at else 0] if not keeps_verdict(p.event)]
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
        out.append(replace(p.recorded, n=len(out), event=event, v=record_version(event), key=""))
    return out
