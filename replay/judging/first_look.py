"""The first look at a log: one walk that runs every check with what had been seen by then.

More knowledge never takes back an "allowed". So only hands with an act that a check rejected, or could not decide,
are judged again with what later events prove. A log without such an act, and without a card that left unseen, needs
one walk. The walk gives up if the record contradicts itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise, zip_longest
from operator import attrgetter, length_hint
from typing import Any, TypeAlias

from msgspec import Struct

from events.model import Call, Deal, Event, Fix, Gap, Hand, Move, Show, Shuffle, Tally
from reducers.evolve import (
    acts_within_hand,
    evolve,
    has_seat,
    is_by_nobody,
    is_dealt_later,
    is_ignored_after_match_end,
    is_in_full_play,
    open_hand,
)
from reducers.legal import (
    ANOTHER_HAND,
    ANY_TIME,
    ON_THE_TABLE,
    ONTO_A_PILE,
    acts_of,
    begins_unwritten,
    plans,
    unknown_pile,
)
from reducers.model import Evolve, InItsPlace, Run, State
from reducers.registry import find_game
from reducers.rules import CheckFunction
from reducers.table import JournalEntry

# Journal entries possible when no card left unseen. Shuffled cards are still there, or were seen as they came out.
NONE_LEFT_UNSEEN = frozenset(("in", "shown", "turned", "named", "back", "mixed"))
# Acts that clear up a finished hand, unless the game uses them in play.
BEGINS_NOTHING = frozenset((Move, Show, Shuffle))
STEP = attrgetter("step")
# A state is kept before an act that is unsettled if so many events lie between it and the last one, as copying the
# state takes about as long as applying these.
FAR = 6
# After these an unrecorded hand may begin, or the current hand is certain again.
MAY_HIDE_A_HAND = frozenset((Gap, Hand, Tally))

Checks: TypeAlias = tuple[CheckFunction, ...]
NO_ACTS: Mapping[type[Event], tuple[Evolve, Checks]] = {}


class Start(Struct):
    """The start of a hand: its first step, and the state before it."""

    step: int
    state: State[Any]


class FirstLook(Struct):
    """The result of one walk without hindsight.

    `state` is the final state, `hands` the hand after each step, `starts` the start of each hand, `midway` the states
    before some unsettled acts, by step; each is given out once. `unsettled` are the steps, in order, at which a check
    did not allow the act or the act may be out of place. If the state before some hand was not kept, `restarts` is
    False: then the log can be walked again from its beginning only. If hands were `laid_open`, the cards revealed in
    them are not in the journal.
    """

    state: State[Any]
    hands: list[int] = []
    journal: list[JournalEntry] = []
    starts: dict[int, Start] = {}
    midway: dict[int, State[Any]] = {}
    unsettled: list[int] = []
    restarts: bool = True
    laid_open: bool = False

    @property
    def faultless(self) -> bool:
        """True if every check allowed its act and no card left unseen."""
        return not self.unsettled and NONE_LEFT_UNSEEN.issuperset([entry.kind for entry in self.journal])

    def unsettled_hands(self) -> set[int]:
        """The hands with an unsettled act. An act that begins a hand counts for the hand before as well."""
        return {hand for step in self.unsettled for hand in self.hands[max(0, step - 2) : step]}

    def state_after(self, hand: int) -> State[Any]:
        """The state in which a hand ended."""
        after = self.starts.get(hand + 1)
        return self.state if after is None else after.state

    def parts_to_ask(self, by_hand: Mapping[int, Start]) -> Iterator[tuple[Start, Sequence[int], int]]:
        """Yield each part of the log with unsettled acts: its start with a state of its own, the steps to judge again,
        and the last step that can prove anything about them. `by_hand` are the starts of the hands, perhaps with more
        cards known; then the states midway do not apply.

        The act that begins a hand is judged with the hand before, whose cards are still on the table. Cards revealed
        later in the new hand may prove something about it.
        """
        starts, done = [by_hand[hand] for hand in sorted(by_hand)], 0
        midway = self.midway if by_hand is self.starts else {}
        for start, after, then in zip_longest(starts, starts[1:], starts[2:]):
            first, done = done, bisect_right(self.unsettled, after.step) if after else len(self.unsettled)
            if first == done:
                continue
            cuts = [i for i in range(first, done) if self.unsettled[i] in midway]
            for i, end in pairwise(sorted({first, *cuts, done})):
                step = self.unsettled[i]
                begun = Start(step, midway.pop(step)) if i in cuts else Start(start.step, start.state.fork())
                yield begun, self.unsettled[i:end], then.step - 1 if then else len(self.hands)


@cache
def checks_by_phase(key: str) -> dict[str, dict[type[Event], Checks]]:
    """The checks of each type of event, by phase. Acts out of their phase are left out, and tallies, whose facts are
    checked one by one."""
    on, at_once = find_game(key).on, find_game(key).rules.asked_at_once
    return {
        phase: {
            kind: (at_once[kind],) if kind in at_once else tuple(check.run for check in checks)
            for kind, checks in plan.items() if kind is not Tally and (kind in on or kind in ANY_TIME)
        }
        for phase, plan in plans(key).items()
    }  # fmt: skip


@cache
def acts_by_phase(key: str) -> dict[str, dict[type[Event], tuple[Evolve, Checks]]]:
    """By phase what applies each type of act if the hand is in full play, and its checks."""
    checks = checks_by_phase(key)
    return {
        phase: {kind: (act, checks[phase][kind]) for kind, act in acts.items() if kind in checks[phase]}
        for phase, acts in acts_within_hand(key).items()
    }


@cache
def runs_by_phase(key: str) -> dict[str, Run]:
    """Batch handlers by phase, for phases that have one."""
    return {name: phase.apply_batch for name, phase in find_game(key).phases.items() if phase.apply_batch is not None}


@cache
def checks_before_first_hand(key: str, phase: str) -> dict[type[Event], Checks]:
    """The checks of a phase before the first hand, when no cards are on the table. Any act of play begins that hand."""
    framing = ANY_TIME - ON_THE_TABLE - (acts_of(key) - {Deal})
    return {kind: checks for kind, checks in checks_by_phase(key)[phase].items() if kind in framing}


def is_out_of_order(event: Event, state: State[Any]) -> bool:
    """True if `evolve` must apply the event, because it is not a regular act in its place."""
    kind = type(event)
    if kind is Fix or kind is Tally or (
        kind is Gap and (state.settled or not state.acts)
    ) or is_dealt_later(event, state):
        return True
    return kind in acts_of(state.game.key) and is_by_nobody(event, state)


def first_look(state: State[Any], lines: Sequence[InItsPlace]) -> FirstLook | None:
    """Walk a log once from a state, which is changed; None if the record contradicts itself. The journal has every
    unseen card that was revealed."""
    key = state.game.key
    table, acts_in_play, runs = checks_by_phase(key), acts_by_phase(key), runs_by_phase(key)
    seen, trouble = FirstLook(state), state.table.trouble
    hands, unsettled, begins_nothing = seen.hands, seen.unsettled, BEGINS_NOTHING - acts_of(key)
    state.table.journal = seen.journal
    seen.starts[state.number] = Start(1, state.snapshot())
    # The last hand that must be judged from its start: applying an act read what later events may add to, or it was
    # applied again for each dealer. And the step of the last start or unsettled act, and the journal up to that start.
    concluded, near, noted = 0, 0, 0
    phase, here, run, number, step = state.phase, checks_before_first_hand(key, state.phase), None, state.number, 0
    in_play, acts, may_be_over = False, NO_ACTS, state.game.omissions.may_be_over
    # After a gap or a tally an unrecorded hand may have begun, so every act goes through `evolve`.
    general = False
    rest: Iterator[InItsPlace] = iter(lines)
    checks: Checks | None
    for placed in rest:
        if trouble:
            return None
        step += 1
        if state.phase is not phase:
            phase, here, run = state.phase, table[state.phase], runs.get(state.phase)
            in_play = in_play and not (state.settled or state.ended)
            acts = acts_in_play.get(phase, NO_ACTS) if in_play else NO_ACTS
        if run is not None and state.acts and not general and state.undecided is None:
            stopped = run(placed, rest, state)
            reached = len(lines) - length_hint(rest) + (stopped is None)
            if stopped is None:
                state.table.now = len(lines)
                break
            if state.table.consulted:
                concluded = number
            if stopped is placed and type(placed.event) is not Call:
                # An act that cannot begin here is not tried again in this part of the hand. Speech begins nothing.
                run = None
            placed, step = stopped, reached
            if state.phase is not phase:
                # The hand ended with the batch.
                phase, here, run = state.phase, table[state.phase], runs.get(state.phase)
                in_play, acts = False, NO_ACTS
        event = placed.event
        kind = type(event)
        state.at = placed.n
        state.table.now = step
        misnamed = (getattr(event, "src", "") or kind in ONTO_A_PILE) and unknown_pile(event, state)
        start, by_page = None, acts.get(kind)
        if by_page is not None and not misnamed and (
            event.by in state.turn or (kind in ANY_TIME and event.by in state.terms.side_of)
        ) and (may_be_over is None or not may_be_over(state)):
            act, checks = by_page
        else:
            act, checks, begins = None, here.get(kind), False
            if kind is Hand or (state.settled and kind not in begins_nothing):
                start = state.snapshot()
            if general or misnamed or (state.ended and is_ignored_after_match_end(event, state)):
                checks = None
            elif checks is None or event.by not in state.terms.side_of:
                if is_out_of_order(event, state):
                    checks = None
                elif has_seat(event.by, state) and begins_unwritten(event, state):
                    begins = open_hand(event, state)
                    checks = table[state.phase].get(kind)
            if checks is not None and not begins and (not state.acts or state.undecided is not None):
                begins = open_hand(event, state)
            if begins and state.table.consulted:
                concluded = state.number
            if (state.phase is not phase and kind not in table[state.phase]) or (
                state.undecided is not None and state.undecided.contested == placed.n
            ):
                # The dealer, now known, may mean that an act was in the wrong part of the hand, or that no dealer fits
                # all.
                checks = None
        if checks is None:
            unsettled.append(step)
        else:
            for check in checks:
                if check(event, state) is not None:
                    # Where a card left unseen, elimination may name it, and the hand is folded with its name.
                    if step > near + FAR and concluded != number and start is None and not any(
                        entry.kind == "out" for entry in seen.journal[noted:]
                    ):
                        seen.midway[step] = state.fork()
                    unsettled.append(step)
                    near = step
                    break
        state.table.consulted = False
        if act is not None:
            # It begins no hand.
            act(event, state)
            if state.table.consulted:
                concluded = number
            continue
        evolve(state, event)
        in_play = is_in_full_play(state)
        acts = acts_in_play.get(phase, NO_ACTS) if in_play else NO_ACTS
        if checks is None or kind in MAY_HIDE_A_HAND:
            general = state.lost_count or bool(state.tallies) or state.undone is not None
        if state.table.consulted or state.undecided is not None:
            concluded = state.number
        if state.number != number:
            if not begins and kind not in ANOTHER_HAND and unsettled[-1:] != [step]:
                # Its rules were asked in the hand that was over.
                unsettled.append(step)
            seen.restarts = seen.restarts and start is not None and state.number > number
            hands += [number] * (step - 1 - len(hands))
            number = state.number
            near, noted = step, len(seen.journal)
            if start is not None:
                seen.starts[number] = Start(step, start)
    hands += [number] * (len(lines) - len(hands))
    return None if trouble else seen
