"""Candidate corrections: lines inserted, exchanged, struck, read as unseen, or given to another seat."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, islice, pairwise
from random import Random
from typing import Any

from msgspec.structs import replace

from events.cards import is_face
from events.model import (
    ABOUT,
    Arrange,
    Capture,
    Deal,
    Discard,
    Draw,
    End,
    Event,
    Fix,
    Gap,
    Hand,
    Meld,
    Move,
    Open,
    Plain,
    Play,
    Recorded,
    Show,
    Shuffle,
    Tally,
    verb_of,
)
from reducers.evolve import evolve, has_seat
from reducers.legal import legal, objections, plans
from reducers.model import State
from reducers.silent_acts import acts_left_out, certainly_breaks
from replay.judging.segments import (
    MAX_LINES_APART,
    MAX_WRONG_PAIRED,
    CandidateCorrection,
    Diagnosis,
    HandSegment,
    far_from,
    first_symptoms,
)
from replay.log import NumberedEvent
from replay.masking import mask_one, masked
from replay.typos import near_miss

MAX_ACTS_PER_GAP, MAX_LEGAL_ACTS = 16, 24
"""Most acts tried in one gap, and most legal acts listed there."""
MAX_EQUAL_LINES = 3
"""Most of several equal lines that are tried with a card unseen."""
FRAMING = (Open, Hand, Deal, Shuffle, End, Tally, Gap, *ABOUT)
CHOSEN = (Play, Capture, Discard, Draw, Move, Meld, Show, Arrange)


def _acting(placed: NumberedEvent) -> bool:
    return placed.event.by != "@" and not isinstance(placed.event, FRAMING)


def fix_line(at: int, how: str, event: Plain | None = None) -> Fix:
    return Fix(by="@", at=at, how=how, event=event)  # type: ignore[arg-type]  # one of the three words


# -- a card that was typed wrong


def cards_unseen(stretch: HandSegment, base: Diagnosis) -> Iterator[CandidateCorrection]:
    """Each line that mentions a card in conflict, and each earlier line with a card that a player chose, with that
    card read as unseen."""
    cards = base.doubtful
    # A card that is out of place may be another card that was recorded wrong earlier.
    clashes = [(pos, card) for rule, pos, card in base.conflicts if rule in ("T3", "T4")]
    if base.conflicts:
        last = max((pos for pos, _ in clashes), default=-1)
    else:
        last = min((pos for _, pos in base.order), default=max((pos for _, pos in base.broken), default=-1))
    index = {p.n: i for i, p in enumerate(stretch.events)}
    until, starts = index.get(last, -1), first_symptoms(stretch, base)
    found: list[tuple[bool, int, CandidateCorrection]] = []
    equal: dict[Plain, int] = {}
    for i, placed in enumerate(stretch.events):
        named = _faces(placed.event)
        if not named:
            continue
        equal[placed.event] = equal.get(placed.event, 0) + 1
        if equal[placed.event] > MAX_EQUAL_LINES:
            continue
        chosen = named if i <= until and (isinstance(placed.event, CHOSEN) or _turned_up(placed.event)) else ()
        for card in dict.fromkeys(c for c in named if c in cards or c in chosen):
            blurred = mask_one(placed.event, card)
            if not isinstance(blurred, Hand | Fix):
                events = [*stretch.events[:i], replace(placed, event=blurred), *stretch.events[i + 1 :]]
                strange = card not in cards and not any(
                    near_miss(card, other) for _, other in clashes if is_face(other)
                )
                one = CandidateCorrection(
                    "blank", placed.n, (fix_line(placed.n, "replace", blurred),), events, card, strange, index=i,
                )
                found.append((strange, far_from(i, starts) if strange else i, one))
    yield from (one for *_, one in sorted(found, key=lambda f: f[:2]))


def _turned_up(event: Event) -> bool:
    """True if exactly one card is turned up with the deal, which may make trumps."""
    return isinstance(event, Deal) and event.face == "up" and [len(cards) for _, cards in event.piles] == [1]


def _faces(event: Event) -> tuple[str, ...]:
    """The cards that a line names."""
    lists: list[tuple[str, ...]] = [
        getattr(event, "cards", ()), getattr(event, "takes", ()), *getattr(event, "groups", ()),
    ]
    lists += [cards for _, cards in getattr(event, "piles", ())]
    return tuple(c.partition("=")[0] for cards in lists for c in cards if is_face(c.partition("=")[0]))


# -- lines in the wrong order, lines typed twice


def _near(base: Diagnosis, placed: Sequence[NumberedEvent], reach: int = 2) -> set[int]:
    """The indices of the events within `reach` of a symptom."""
    marked = {pos for _, pos in base.all}
    return {j for i, p in enumerate(placed) if p.n in marked for j in range(i - reach, i + reach + 1)}


def neighbours_exchanged(stretch: HandSegment, base: Diagnosis) -> Iterator[CandidateCorrection]:
    """Each pair of neighbouring acts in the other order, including tricks that the table gathers."""
    acts = [i for i, p in enumerate(stretch.events) if _acting(p)]
    gathered = [i for i, p in enumerate(stretch.events) if p.event.by == "@" and isinstance(p.event, Move)]
    beside = {(min(i, j), max(i, j)) for i in gathered for j in (i - 1, i + 1) if j in acts}
    starts = first_symptoms(stretch, base)
    near = _near(base, stretch.events) | {i for start in starts for i in range(start - MAX_LINES_APART, start)}
    for i, j in (*pairwise(acts), *sorted(beside)):
        if (i in near or j in near) and stretch.events[i].event != stretch.events[j].event:
            yield _exchanged(stretch, i, j, 1)


def lines_exchanged(stretch: HandSegment, base: Diagnosis) -> Iterator[CandidateCorrection]:
    """Each pair of acts, not neighbours, with places exchanged. One of them is shortly before a symptom, or both are
    symptoms, or one is and the other is an act of the same kind by the same seat."""
    events = stretch.events
    acts = [i for i, p in enumerate(events) if _acting(p)]
    place = {i: k for k, i in enumerate(acts)}
    marked = {pos for _, pos in base.all}
    wrong = [i for i in acts if events[i].n in marked][:MAX_WRONG_PAIRED]
    shortly = {i for start in first_symptoms(stretch, base) for i in range(start - MAX_LINES_APART, start + 1)}
    pairs = {(i, j) for i in acts if i in shortly for j in acts[place[i] + 2 : place[i] + 2 + MAX_LINES_APART]}
    pairs |= set(combinations(wrong, 2))
    pairs |= {(min(i, j), max(i, j)) for i in wrong for j in acts if _alike(events[i].event, events[j].event)}
    for i, j in sorted(pairs):
        if place[j] - place[i] > 1 and events[i].event != events[j].event:
            yield _exchanged(stretch, i, j, 3)


def _alike(a: Event, b: Event) -> bool:
    return a.by == b.by and type(a) is type(b)


def _exchanged(stretch: HandSegment, i: int, j: int, rank: int) -> CandidateCorrection:
    a, b = stretch.events[i], stretch.events[j]
    events = list(stretch.events)
    events[i], events[j] = replace(a, event=b.event), replace(b, event=a.event)
    fixes = (fix_line(a.n, "replace", b.event), fix_line(b.n, "replace", a.event))
    beside = rank == 1 and a.event.by == b.event.by
    turned_up = beside and from_stock(a.event) and from_stock(b.event)
    numbered = beside and _new_meld(a.event) and _new_meld(b.event)
    return CandidateCorrection("swap", a.n, fixes, events, turned_up=turned_up, numbered=numbered, index=i, rank=rank)


def from_stock(event: Plain) -> bool:
    """True if a card is turned up from the stock, which is no choice."""
    return isinstance(event, Play | Discard | Draw | Move) and event.src.partition(":")[0] == "stock"


def _new_meld(event: Plain) -> bool:
    """True if this lays a new meld, which gets the next number."""
    return isinstance(event, Meld) and not event.to


def lines_struck(stretch: HandSegment, base: Diagnosis) -> Iterator[CandidateCorrection]:
    """Strike a line that repeats the one before it, by any seat, or an earlier line that names the same card. A part
    of the deal that is recorded twice in a row is struck too."""
    starts = first_symptoms(stretch, base)
    said: dict[Plain, int] = {}
    before, runs = -1, set[int]()
    found: list[tuple[int, int, CandidateCorrection]] = []
    for i, placed in enumerate(stretch.events):
        if _deal_once_more(stretch.events, i):
            found.append((0, far_from(i, starts), _struck(stretch, i, 0)))
        if not _acting(placed):
            continue
        bare = replace(placed.event, by="")
        earlier = said.get(bare)
        doubled = earlier is not None and earlier == before
        if doubled and i - before == 1 and before in runs and stretch.events[before].event == placed.event:
            # Striking one of several equal lines is the same as striking any other.
            runs.add(i)
            said[bare] = before = i
            continue
        if doubled:
            runs.add(i)
        if earlier is not None and (
            doubled or i in starts or (_faces(bare) and far_from(i, starts) <= MAX_LINES_APART)
        ):
            for gone in (i, earlier) if _faces(bare) and not doubled else (i,):
                rank = 0 if doubled else 2 + (gone != i)
                found.append((rank, far_from(i, starts), _struck(stretch, gone, rank)))
        said[bare] = before = i
    yield from (one for *_, one in sorted(found, key=lambda f: f[:2]))


def _struck(stretch: HandSegment, gone: int, rank: int) -> CandidateCorrection:
    line = stretch.events[gone]
    events = [*stretch.events[:gone], *stretch.events[gone + 1 :]]
    return CandidateCorrection("strike", line.n, (fix_line(line.n, "strike"),), events, index=gone, rank=rank)


def _deal_once_more(events: Sequence[NumberedEvent], i: int) -> bool:
    """True if a part of the deal is repeated here. Of three or more equal lines only the second counts."""
    deal = events[i].event
    if not isinstance(deal, Deal) or i == 0 or events[i - 1].event != deal:
        return False
    return i == 1 or events[i - 2].event != deal


def other_seats(stretch: HandSegment, base: Diagnosis) -> Iterator[CandidateCorrection]:
    """Each line at a first symptom, or just before it, given to each other seat."""
    for i in sorted({max(0, start - back) for start in first_symptoms(stretch, base) for back in (0, 1)}):
        placed = stretch.events[i]
        if not _acting(placed) or isinstance(placed.event, Fix):
            continue
        for seat in stretch.begun().terms.seats:
            if seat == placed.event.by:
                continue
            other = replace(placed.event, by=seat)
            events = [*stretch.events[:i], replace(placed, event=other), *stretch.events[i + 1 :]]
            yield CandidateCorrection(
                "seat", placed.n, (fix_line(placed.n, "replace", other),), events, index=i, rank=3,
            )


def gatherings_corrected(stretch: HandSegment, base: Diagnosis) -> Iterator[CandidateCorrection]:
    """A trick gathered by the wrong side, given to each other side; or one gathered too early, moved behind the next
    card."""
    asked, terms = {pos for _, pos in base.all | base.asked}, stretch.begun().terms
    for i, placed in enumerate(stretch.events):
        event = placed.event
        if (
            placed.n not in asked or not isinstance(event, Move) or event.src != "trick"
            or not event.to.startswith("won:")
        ):
            continue
        after = stretch.events[i + 1].event if i + 1 < len(stretch.events) else event
        if isinstance(after, Play):
            yield _exchanged(stretch, i, i + 1, 0)
        # The leader of the next trick probably won this one.
        for side in sorted(terms.sides, key=lambda side: side != terms.side_of.get(after.by)):
            if side != terms.side_of.get(event.to[4:], event.to[4:]):
                other = replace(event, by="@", to=f"won:{side}")
                events = [*stretch.events[:i], replace(placed, event=other), *stretch.events[i + 1 :]]
                yield CandidateCorrection(
                    "side", placed.n, (fix_line(placed.n, "replace", other),), events, index=i, rank=-1,
                )


# -- a line that was forgotten ----------------------------------------------------------------------------------------


def gaps_for_missing_act(stretch: HandSegment, base: Diagnosis) -> Iterator[tuple[int, State[Any]]]:
    """Yield each gap where an act may be missing: the index of the event before it, and the state there (shared with
    the fold).

    These are the gaps up to the first symptom, and shortly before each further one.
    """
    first, *others = first_symptoms(stretch, base)
    last = len(stretch.events) - 1 if base.short else [first, *others][-1]
    state = stretch.begun()
    for i, placed in enumerate(stretch.events[: last + 1]):
        state.at, state.table.now = placed.n, i + 1
        evolve(state, placed.event)
        state.table.trouble.clear()
        after = stretch.events[i + 1] if i + 1 < len(stretch.events) else None
        if isinstance(placed.event, ABOUT) or (after is not None and isinstance(after.event, Deal | Hand)):
            continue
        if after is not None and isinstance(after.recorded.event, Fix) and after.recorded.event.how == "insert":
            # An act inserted here would end up after that one.
            continue
        if state.phase in state.game.phases and (
            base.short or i <= first or any(s - MAX_LINES_APART <= i <= s for s in others)
        ):
            yield i, state


def acts_gone_without_saying(stretch: HandSegment, base: Diagnosis) -> Iterator[CandidateCorrection]:
    """Before each symptom or breach, the fewest acts that go without saying, all of other seats, that put it in its
    place; then the same in every place of the hand, for a recorder who leaves them out: those that certainly lack one,
    and those that may."""
    starts = {*first_symptoms(stretch, base)}
    starts.update(i for i, placed in enumerate(stretch.events) if placed.n in {pos for _, pos in base.broken})
    for i, acts in left_out_before(stretch, lambda i, event, state: i in starts, in_turn=False):
        yield act_put_in(stretch, {i - 1: acts}, quiet=True)
    certain = dict(left_out_before(stretch, lambda i, event, state: is_misplaced(event, state)))
    perhaps = dict(left_out_before(stretch, lambda i, event, state: may_be_misplaced(event, state)))
    for places in [certain, perhaps] if perhaps != certain else [certain]:
        if len(places) > 1 or not starts.issuperset(places):
            yield act_put_in(stretch, {i - 1: acts for i, acts in places.items()}, quiet=True)


def left_out_before(
    stretch: HandSegment, suspects: Callable[[int, Plain, State[Any]], bool], *, in_turn: bool = True,
) -> Iterator[tuple[int, tuple[Event, ...]]]:
    """The indices of the suspect lines that the fewest acts that go without saying put in their place, and these acts;
    `in_turn` means that they are made before the next line is asked about."""
    state = stretch.begun()
    for i, placed in enumerate(stretch.events):
        state.at, state.table.now = placed.n, i + 1
        recorded = placed.recorded.event
        asked = i and has_seat(placed.event.by, state) and suspects(i, placed.event, state)
        if asked and not (isinstance(recorded, Fix) and recorded.how == "insert") and (
            acts := acts_left_out(placed.event, state)
        ):
            yield i, acts
            for act in acts if in_turn else ():
                evolve(state, act)
        evolve(state, placed.event)
        state.table.trouble.clear()


def is_misplaced(event: Event, state: State[Any]) -> bool:
    """True if an act certainly breaks a rule, or is out of its part of the hand."""
    return bool(certainly_breaks(event, state)) or type(event) not in plans(state.game.key)[state.phase]


def may_be_misplaced(event: Event, state: State[Any]) -> bool:
    """True if an act is misplaced, or may be as an unrecorded act may have been made before it."""
    omitted = state.game.omissions.often_omitted_rules
    return is_misplaced(event, state) or any(rule.id in omitted for rule, _ in objections(state, event))


def act_put_in(
    stretch: HandSegment, places: Mapping[int, Sequence[Event]], *, quiet: bool = False,
) -> CandidateCorrection:
    """The correction that inserts acts behind the events with these indices."""
    events, fixes = list[NumberedEvent](), list[Fix]()
    for i, placed in enumerate(stretch.events):
        events.append(placed)
        for act in places.get(i, ()):
            n = stretch.limit + len(fixes)
            events.append(NumberedEvent(n, n, act, Recorded(n=n, event=act)))  # type: ignore[arg-type]  # what goes without saying is never a fix
            fixes.append(fix_line(placed.n, "insert", act))  # type: ignore[arg-type]  # as above
    rank = len(fixes) - 1 if quiet else 1
    return CandidateCorrection("insert", fixes[0].at, tuple(fixes), events, index=min(places) + 1, rank=rank)


def forms_of_acts(stretch: HandSegment) -> list[Plain]:
    """The forms of the acts with cards in this hand, with every card unseen."""
    out: dict[Plain, None] = {}
    for placed in stretch.events:
        if _acting(placed) and isinstance(placed.event, CHOSEN) and not isinstance(placed.event, Arrange):
            out[_covered(placed.event)] = None
    return list(out)


def _covered(event: Plain) -> Plain:
    """Mask the cards of the act."""
    if isinstance(event, Capture):
        return replace(event, cards=masked(event.cards), takes=("??",))
    if isinstance(event, Meld | Show):
        return replace(event, groups=tuple(map(masked, event.groups)))
    if isinstance(event, Play | Discard | Draw | Move):
        return replace(event, cards=masked(event.cards))
    return event


def unwritten_acts(state: State[Any], forms: Sequence[Plain]) -> list[tuple[Plain, bool]]:
    """The acts that may be missing here, each with whether it is the phase's default act."""
    game = state.game
    out: dict[Plain, bool] = {}
    # If chance comes before any player, its act may be missing too.
    by_chance, state = _dealt(state)
    out.update((act, False) for act in by_chance)
    if not state.turn or game.dealing.chance_acts_first(state):
        return list(out.items())
    phase = game.phases[state.phase]
    quiet = phase.default_act(state)
    if quiet is not None:
        out[quiet] = True  # type: ignore[index]  # what goes without saying is never a fix
    for act in phase.awaits(state):
        out.setdefault(act, False)  # type: ignore[arg-type]  # a card that was called is played or shown: no fix either
    for act in legal(state, limit=MAX_LEGAL_ACTS).acts:
        # A card that leaves an open pile is known. A card that leaves a holding is not.
        open_to_all = bool(getattr(act, "src", "")) or not _faces(act)
        if isinstance(act, Meld):
            out.setdefault(act, False)
        if open_to_all or not isinstance(act, Play | Capture):
            out.setdefault(act if open_to_all else _covered(act), False)  # type: ignore[arg-type]  # a legal act is never a fix
    for seat in state.turn:
        if seat not in state.terms.seats:
            continue
        own = [f for f in forms if f.by == seat and type(f) in phase.acts]
        kinds = {type(f) for f in own}
        own += [_done_by(f, seat) for f in forms if f.by != seat and type(f) in phase.acts and type(f) not in kinds]
        if Play in phase.acts and not any(isinstance(f, Play) for f in own):
            own.append(Play(by=seat, cards=("??",)))
        for form in own:
            out.setdefault(form, False)
    said = sorted(out.items(), key=lambda a: (not a[1], verb_of(a[0]) != "pass"))
    return said[:MAX_ACTS_PER_GAP]


def _dealt(state: State[Any]) -> tuple[list[Plain], State[Any]]:
    """The pending acts of chance with no card seen, and the state after them. No acts and the state itself if a seat
    is to act."""
    game = state.game
    if state.turn and not game.dealing.chance_acts_first(state):
        return [], state
    by_chance = islice(game.dealing.chance(state.copy(), Random(0)), 1)
    done = [_unseen_deal(event) for event in by_chance if not isinstance(event, Hand | End | Tally)]
    state = state.fork()
    for event in done:
        evolve(state, event)
    return done, state


def _done_by(form: Plain, seat: str) -> Plain:
    """Return the act as another seat would do it. References to the first seat's piles become the other's."""
    def own(pile: str) -> str:
        return ":".join(seat if part == form.by else part for part in pile.split(":"))

    changes: dict[str, Any] = {name: own(getattr(form, name)) for name in ("src", "to") if getattr(form, name, "")}
    return replace(form, by=seat, **changes)


def _unseen_deal(event: Event) -> Plain:
    """Mask the cards of an act of chance."""
    if isinstance(event, Deal | Shuffle):
        return replace(event, piles=tuple((name, masked(cards)) for name, cards in event.piles))
    return _covered(event)  # type: ignore[arg-type]  # chance corrects nothing


def captures_named(
    stretch: HandSegment, tried: Sequence[CandidateCorrection], base: Diagnosis,
) -> Iterator[CandidateCorrection]:
    """For the best gaps, captures that name the cards they may have taken."""
    best = sorted((t for t in tried if t.kind == "insert"), key=CandidateCorrection.key)
    gaps = list(dict.fromkeys(t.index - 1 for t in best))[:6]
    if not any(isinstance(p.event, Capture) for p in stretch.events):
        return
    states = {i: state.copy() for i, state in gaps_for_missing_act(stretch, base) if i in gaps}
    for i in gaps:
        state = states.get(i)
        if state is None or Capture not in state.game.phases[state.phase].acts:
            continue
        board = state.table.piles.get("board")
        lying = state.game.pack.cards(board.certain) if board is not None else []
        takes = [(c,) for c in lying] + list(combinations(lying, 2))
        for seat in state.turn:
            for some in takes[:24]:
                yield act_put_in(stretch, {i: (Capture(by=seat, cards=("??",), takes=some),)})
