"""Whole matches with one or two gaps in them, as a careful recorder may leave them.

`replay.degrade` makes a record poor throughout. Here a few things of any kind are missing: cards that were unseen or
half seen, even public ones; a list that was not counted; a `gap` for any line or a few; a line, or one kind of line,
that may be omitted; a fact, or one figure of it, missing in a tally. Everything written is true, so what is certain
of the poorer record must also be certain of the original.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from msgspec.structs import replace

from events.card_lists import cards_in
from events.cards import is_face, squeeze
from events.model import Cards, Deal, Gap, Hand, Open, Recorded, Tally
from events.writing import write_event
from reducers.registry import page_for
from replay.degrade import (
    Degraded,
    DraftLine,
    Kind,
    Told,
    as_degraded,
    each_list,
    goes_without_saying,
    half_of,
    one_by_one_or_none,
    told_by_tally,
)
from replay.masking import mask_one
from replay.simulate import Truth

Hole = Callable[[list[DraftLine], Random], str]
"""A way to make a hole in the lines of a record. Returns a description; "" if it does not apply."""


def make_holes(
    whole: Sequence[Recorded], log: Sequence[Recorded], truth: Truth, rng: Random, *, told: Told | None = None,
    holes: int = 2, among: Sequence[str] = (),
) -> Degraded | None:  # fmt: skip
    """Make one hole, or up to this number of `holes`, in the log; None if none of those drawn applies.

    `whole`, `log` and `told` are those of `replay.degrade.degrade`; `among` names the kinds of holes, all by default.
    """
    drawn = [rng.choice(tuple(among or HOLES)) for _ in range(rng.randint(1, holes))]
    lines = [DraftLine(r, r.n) for r in whole]
    done: list[str] = []
    if "fact" in drawn and told is not None and (made := told_by_tally(whole, log, rng, told)) is not None:
        done, lines = [made[0]], made[1]
    for hole in sorted(drawn):
        if what := (_never_seen if hole == NEVER_SEEN else HOLES[hole])(lines, rng):
            done.append(what)
    if not done:
        return None
    kind: Kind = "unwritten" if any(what.startswith("unwritten") for what in done) else "late"
    return replace(as_degraded(kind, "; ".join(done), whole, lines, truth), happened=tuple(log))


def _event_changed(line: DraftLine, change: Callable[[Cards], Cards]) -> DraftLine:
    event = line.recorded.event
    return replace(line, recorded=replace(line.recorded, event=each_list(event, event, lambda cards, _: change(cards))))


def _cards(lines: list[DraftLine], rng: Random) -> str:
    """Make one to three cards of a line unseen or half seen, often public cards of a deal."""
    some = [i for i, line in enumerate(lines) if any(map(is_face, cards_in(line.recorded.event)))]
    if not some:
        return ""
    public = [i for i in some if lines[i].recorded.event.by == "@"]
    i = rng.choice(public if public and rng.random() < 0.25 else some)
    left = rng.choice((1, 1, 2, 3))
    faces = [card for card in cards_in(lines[i].recorded.event) if is_face(card)]
    gone = rng.sample(faces, min(left, len(faces)))

    def unseen(cards: Cards) -> Cards:
        items = one_by_one_or_none(cards)
        if items is None:
            return cards
        out = []
        for card in items:
            face, _, rest = card.partition("=")
            if face in gone:
                gone.remove(face)
                face = "??" if rng.random() < 0.5 else half_of(face, rng.choice(("rank", "suit")), rng)
            out.append(f"{face}={rest}" if rest else face)
        return squeeze(out)

    before = write_event(lines[i].recorded.event)
    lines[i] = _event_changed(lines[i], unseen)
    return f"unseen in {lines[i].was}. {before}"


def _uncounted(lines: list[DraftLine], rng: Random) -> str:
    """Make the unseen cards of one line uncounted."""
    some = [i for i, line in enumerate(lines) if any("x" in card for card in cards_in(line.recorded.event))]
    if not some:
        return ""
    i = rng.choice(some)
    before = write_event(lines[i].recorded.event)
    lines[i] = _event_changed(
        lines[i], lambda cards: squeeze("*x" + c.partition("x")[2] if "x" in c else c for c in cards),
    )
    return f"uncounted in {lines[i].was}. {before}"


def _gap(lines: list[DraftLine], rng: Random) -> str:
    """Replace a line, or some consecutive ones, by a gap."""
    i = rng.randrange(1, len(lines))
    end = min(len(lines), i + rng.choice((1, 1, 1, 2, 4)))
    what = f"a gap for {lines[i].was}. {write_event(lines[i].recorded.event)} to {lines[end - 1].was}"
    lines[i:end] = [DraftLine(replace(lines[i].recorded, event=Gap(by="@", number=rng.choice((None, end - i)))))]
    return what


def _unwritten(lines: list[DraftLine], rng: Random) -> str:
    """Leave out a line that may be omitted in this game, or all of its kind."""
    opening = lines[0].recorded.event
    assert isinstance(opening, Open)
    always = page_for(opening.facts).omissions.always_written
    plain = [
        (i, goes_without_saying(line.recorded.event)) for i, line in enumerate(lines) if i and not tells_whose(i, lines)
    ]
    some = [(i, kind) for i, kind in plain if kind and kind not in always]
    if not some:
        return ""
    at, kind = rng.choice(some)
    gone = [at] if rng.random() < 0.5 else [i for i, other in some if other == kind]
    what = f"unwritten {kind} at {', '.join(str(lines[i].was) for i in gone[:12])}"
    for i in reversed(gone):
        del lines[i]
    return what


def tells_whose(i: int, lines: list[DraftLine]) -> bool:
    """Return True for a hand line before a tally: without it the tally would be of the hand before."""
    return isinstance(lines[i].recorded.event, Hand) and i + 1 < len(lines) and isinstance(
        lines[i + 1].recorded.event, Tally,
    )


def _fact(lines: list[DraftLine], rng: Random) -> str:
    """Remove a fact of a tally, or one figure of it."""
    some = [
        i for i, line in enumerate(lines) if isinstance(line.recorded.event, Tally)
        and len(line.recorded.event.facts) > 1
    ]
    if not some:
        return ""
    i = rng.choice(some)
    event = lines[i].recorded.event
    assert isinstance(event, Tally)
    facts = dict(event.facts)
    key = rng.choice(list(facts))
    if isinstance(facts[key], dict) and len(facts[key]) > 1 and rng.random() < 0.7:
        facts[key] = dict(facts[key])
        who = rng.choice(list(facts[key]))
        what = f"no {key}.{who} in the tally"
        del facts[key][who]
    else:
        what = f"no {key} in the tally"
        del facts[key]
    lines[i] = replace(lines[i], recorded=replace(lines[i].recorded, event=replace(event, facts=facts)))
    return what


def _never_seen(lines: list[DraftLine], rng: Random) -> str:
    """Make one, two or four cards unseen that players put down or took, and in the deals of their hands before."""
    acts = [
        (i, card) for i, line in enumerate(lines) if line.recorded.event.by != "@"
        for card in cards_in(line.recorded.event) if is_face(card)
    ]
    gone = rng.sample(acts, min(rng.choice((1, 2, 4)), len(acts)))
    for i, card in gone:
        lines[i] = _with_one_masked(lines[i], card)
        for k, line in enumerate(lines[:i]):
            dealt = line.recorded.event.piles if isinstance(line.recorded.event, Deal) else ()
            if any(card in cards for pile, cards in dealt if pile.startswith("hand:")):
                lines[k] = _with_one_masked(line, card)
                break
    return ", ".join(f"{card} in {lines[i].was} never seen" for i, card in sorted(gone))


def _with_one_masked(line: DraftLine, card: str) -> DraftLine:
    return replace(line, recorded=replace(line.recorded, event=mask_one(line.recorded.event, card)))


HOLES: dict[str, Hole] = {"cards": _cards, "uncounted": _uncounted, "gap": _gap, "unwritten": _unwritten, "fact": _fact}
NEVER_SEEN = "never seen"
"""A hole in a record in which all cards were seen. In others most cards are unseen anyway."""
