"""A suggested correction in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from events.cards import pretty
from events.model import Move, Plain, verb_of
from events.name_lists import one_of
from events.writing import write_event
from reducers.facts import listed_with_and
from replay.judging.correction import Kind, Ref, SuggestedCorrection
from replay.judging.segments import CandidateCorrection, Diagnosis, HandSegment


def suggested(
    stretch: HandSegment, t: CandidateCorrection, ties: tuple[int, ...], base: Diagnosis,
) -> SuggestedCorrection:
    look = t.look
    assert look is not None
    removes = tuple(Ref(rule, pos) for rule, pos in sorted(base.all - look.all, key=lambda k: (k[1], k[0])))
    lines = tuple(write_event(f) for f in t.fixes)
    return SuggestedCorrection(
        t.fixes, t.at, stretch.hand, t.kind, removes, len(look.all), correction_text(t, ties), lines, ties,
    )


def correction_text(t: CandidateCorrection, ties: tuple[int, ...]) -> str:
    fix = t.fixes[0]
    say: dict[Kind, Callable[[], str]] = {
        "insert": lambda: _all_missing(t) + _ties(t, ties, "or, just as well, an act after"),
        "blank": lambda: f"{pretty(t.card)} may be typed wrong at {_either(ties)}; read {t.at} as unseen",
        "swap": lambda: f"{t.at} and {t.fixes[-1].at} may be typed in the wrong order"
        + _ties(t, ties, "or, just as well, the two from"),
        "strike": lambda: f"{t.at} may be typed twice",
        "seat": lambda: _other_seat(t),
        "side": lambda: f"{t.at} may be a trick of {_gathered_by(fix.event)}, written for the wrong side",
    }
    return say[t.kind]()


def _other_seat(t: CandidateCorrection) -> str:
    event = t.fixes[0].event
    if t.dealer or event is None:
        return f"{t.at} may name the wrong dealer; {t.dealer} was to deal"
    return f"{t.at} may be an act of {event.by}, typed for the wrong seat"


def _gathered_by(event: Plain | None) -> str:
    return event.to.removeprefix("won:") if isinstance(event, Move) else ""


def _ties(t: CandidateCorrection, ties: tuple[int, ...], words: str) -> str:
    others = [n for n in ties if n != t.at]
    return f" ({words} {_either(others)})" if others else ""


def _either(positions: Sequence[int]) -> str:
    """Positions in words: 12, 13 or 14."""
    return one_of(map(str, positions))


def _all_missing(t: CandidateCorrection) -> str:
    """The missing acts, by the line that they follow."""
    places = dict.fromkeys(f.at for f in t.fixes)
    acts = {at: listed_with_and(tuple(_missing(f.event) for f in t.fixes if f.at == at)) for at in places}
    return listed_with_and(tuple(f"{what}{' may be missing' * (at == t.at)} after {at}" for at, what in acts.items()))


def _missing(event: Plain | None) -> str:
    if event is None:
        return "a line"
    what = {
        "play": "a card", "capture": "a capture", "pass": "a pass", "bid": "a bid", "discard": "a discard",
        "draw": "a card drawn",
    }
    return f"{what.get(verb_of(event), f'a {verb_of(event)}')} of {event.by}"
