"""Read a whole log without judging it: identify its unseen cards and find its contradictions.

Every position of a conflict (a card in two places, more cards than a hand holds) is read as unseen. The log is then
read again until it is consistent.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from events.card_lists import cards_in
from events.cards import Pack
from events.model import Event, Hand
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.model import State
from reducers.rules import TABLE, Verdict
from reducers.table import TOO_MANY, TWICE, JournalEntry, Trouble
from replay.budget import COPY, LONG, Budget, budget_for, steps_of, weight_of
from replay.fold import Corrected, terms_throughout
from replay.judging.elimination import cards_by_elimination, named_at_once
from replay.judging.findings import EventPlace, Finding
from replay.judging.first_look import STEP, FirstLook, Start
from replay.judging.hindsight import CardProof
from replay.log import NumberedEvent
from replay.masking import mask_cards, opened_with, put_down_unseen, puts_down
from replay.read_log import ReadLog

# One part in `NAMING` of the budget pays for elimination.
NAMING = 5
# Most times a contradictory record is read again with its conflicts unseen. If it still does not fit, every card put
# down in that hand is read as unseen.
READINGS = 10
# Steps to collect the lines of a conflict, and to judge their acts again.
CLASH = 3
# Most places of a conflict that are named. The others are counted.
NAMED = 6


class ConflictReading:
    """A corrected log read to its end: its unseen cards identified, and its contradictions.

    Steps count the folded events from 1; positions are the numbers that users see. `events` are those to judge: cards
    in conflict are masked in them, and cards found by elimination are named. `proofs` identify unseen cards,
    `hand_at` gives the hand of each step.
    """

    def __init__(
        self, view: Corrected, only: int, start: State[Any] | None, budget: Budget, seen: FirstLook | None = None
    ) -> None:
        self.view, self.budget = view, budget
        # The first look, if the log has no corrections and no contradictions.
        self.seen = seen
        # Only hand `only` is examined closely (0: all). `start` is the state before the first event, None for the
        # beginning of the match.
        self.only, self.start = only, start
        self.hand_at: list[int] = []
        self.conflicts: list[Finding] = []
        self.journal: list[JournalEntry] = []
        # Cards identified in a row, which the slots of the holdings do not include.
        self.turned: list[CardProof] = []
        self.events: list[Event] = [p.event for p in view.events]
        # The step of each position, including acts that were taken back.
        self.steps = view.steps()
        self.proofs: list[CardProof] = []
        # Steps spent on reading so far.
        self.read = 0
        # Steps per event, which grow with the cards on the table at the end.
        self.weight = 1
        # Cards named by elimination, by position.
        self.inferred: dict[int, tuple[str, ...]] = {}
        # The starts of the hands that the first look found, with the cards named by elimination.
        self.starts: dict[int, Start] = {}
        # Lines to read as unseen because of a conflict: a step and its cards (no cards: all that were put down
        # there).
        self.doubts: dict[tuple[int, tuple[str, ...]], None] = {}
        # Hands whose cards are all masked because the limit of readings was reached.
        self.given_up: set[int] = set()
        # The steps with masked cards.
        self.blurred: set[int] = set()
        self._seen = Mentions(view.events)
        # The last state folded for `state_before`, and its step.
        self._folded: tuple[State[Any], int] | None = None

    @property
    def seats(self) -> frozenset[str]:
        return frozenset(terms_throughout([self.view.opening, *(p.event for p in self.view.events)]).seats)

    @property
    def clashing(self) -> set[int]:
        """The hands in which the record contradicts itself."""
        return {c.at.hand for c in self.conflicts}

    def step_of(self, pos: int) -> int:
        """The step of a position; one past the end if it is not folded."""
        return self.steps.get(pos, len(self.view.events) + 1)

    def infer_hidden_cards(self, *, eliminate: bool = True) -> State[Any]:
        """Find the conflicts, mask the cards in them, and identify unseen cards.

        Returns the state in which the log ends as recorded. Afterwards `events` are those to judge, with `proofs`.
        Without `eliminate`, only cards that were seen count.
        """
        events = self.events
        if self.seen is None:
            proofs, state = self._fold(events)
        else:
            state, self.hand_at = self.seen.state, self.seen.hands
            proofs = self._learned(self.seen.journal, self.hand_at, state, again=state.again)
        blurred = self._mask_conflicting_cards(events)
        readings = 1
        while blurred is not None and blurred != events:
            last = readings == READINGS or self.budget.left <= 0
            if last:
                blurred = self._all_unseen(events)
            events = blurred
            found, told = self.conflicts, {c.at.pos for c in self.conflicts}
            self.conflicts, self.doubts = [], {}
            proofs, _ = self._fold(events, keep_hands=True)
            blurred = None if last else self._mask_conflicting_cards(events)
            readings += 1
            # A conflict that appears once the first is set aside counts too.
            self.conflicts = found + [c for c in self.conflicts if c.at.pos not in told]
        self.events, self.proofs = events, proofs
        if eliminate:
            self._eliminate(state.game.pack)
        return state

    def _eliminate(self, pack: Pack) -> None:
        """Name the unseen cards for which every possible layout leaves one face only.

        They are inferred from the whole pack, not seen: `inferred` keeps them by position. In a hand whose record
        contradicts itself nothing is inferred: one of its lines is wrong, and the others prove nothing about it.
        """
        if not any(e.kind == "out" for e in self.journal):
            return
        known = len(self.inferred)
        doubtful = {c.at.hand for c in self.conflicts}
        self.events = list(self.events)
        budget = self.budget.part(self.budget.limit // NAMING)
        for hand in sorted({self.hand_at[e.step - 1] for e in self.journal if e.kind == "out" and e.step} - doubtful):
            if not hand or self.only not in (0, hand):
                continue
            first, last = self.span(hand)
            faces = self._named_at_first_look(hand)
            if faces is None and budget.left > 0:
                self.budget.spend(self.weight * (last + 1 - first))
                faces = cards_by_elimination(self.state_before(hand), self.events[first - 1 : last], first, budget)
            if faces is None:
                budget.cut("elimination", hand)
                continue
            for step, codes in faces.items():
                cards = tuple(pack.faces[c] for c in codes)
                opened = opened_with(self.events[step - 1], cards)
                if opened is not None:
                    self.events[step - 1] = opened
                    self.inferred[self.view.events[step - 1].n] = cards
        if len(self.inferred) > known:
            conflicts = self.conflicts
            self.proofs, _ = self._fold(self.events, keep_hands=True)
            self.conflicts = conflicts

    def _named_at_first_look(self, hand: int) -> dict[int, tuple[int, ...]] | None:
        """The cards of a hand that elimination names, by step, if the first look shows them; else None."""
        if self.seen is None or not self.seen.restarts:
            return None
        first, last = self.span(hand)
        entries = self.journal[bisect_left(self.journal, first, key=STEP) : bisect_right(self.journal, last, key=STEP)]
        return named_at_once(entries, self.seen.state_after(hand).table)

    def state_before(self, hand: int) -> State[Any]:
        """Return a copy of the state before the first event of a hand. Ask for hands in order: unless the first look
        kept the state, the log is folded up to there."""
        if self.seen is not None and self.seen.restarts:
            starts = self.starts if self.inferred else self.seen.starts
            if hand in starts:
                return starts[hand].state.fork()
        first, _ = self.span(hand)
        state, folded = self._folded if self._folded is not None and self._folded[1] < first else (self.begun(), 0)
        for step in range(folded + 1, first):
            state.at, state.table.now = self.view.events[step - 1].n, step
            evolve(state, self.events[step - 1])
        state.table.trouble.clear()
        self._folded = (state, first - 1)
        return state.fork()

    def begun(self) -> State[Any]:
        """A copy of the state before the first event."""
        if self.start is None:
            return begin(self.view.opening.facts)
        state = self.start.fork()
        if state.undecided is not None:
            # What the other log had of this hand came before the first step of this one.
            happened = tuple([(at, 0, event) for at, _, event in state.undecided.happened])
            state.undecided = replace(state.undecided, happened=happened)
        return state

    def span(self, hand: int) -> tuple[int, int]:
        """The first and the last step of a hand."""
        return bisect_left(self.hand_at, hand) + 1, bisect_right(self.hand_at, hand)

    def _fold(self, events: Sequence[Event], keep_hands: bool = False) -> tuple[list[CardProof], State[Any]]:
        """Fold without judging. Returns proofs of unseen cards and the final state, and collects the conflicts."""
        self._seen = Mentions(self.view.events)
        clashes = len(self.conflicts)
        state = self.begun()
        gone = state.again
        journal: list[JournalEntry] = []
        state.table.journal = journal
        hands: list[int] = []
        starts = {one.step: hand for hand, one in self.seen.starts.items()} if self.seen is not None else {}
        for step, event in enumerate(events, 1):
            state.at = self.view.events[step - 1].n
            state.table.now = step
            if step in starts:
                self.starts[starts[step]] = Start(step, state.snapshot())
            evolve(state, event)
            hands.append(state.number)
            if state.table.trouble:
                for trouble in dict.fromkeys(state.table.trouble):
                    self.conflicts.append(self._conflict(step, trouble, state.number, state.game.pack))
                state.table.trouble.clear()
        learned = self._learned(journal, hands, state, again=state.again - gone, clashes=len(self.conflicts) - clashes)
        if not keep_hands:
            self.hand_at = hands
        return learned, state

    def _learned(
        self, journal: list[JournalEntry], hands: Sequence[int], state: State[Any], *, again: int, clashes: int = 0,
    ) -> list[CardProof]:
        """Return the proofs in the journal of a fold that ended in this state, and charge its cost to the budget."""
        self.weight = weight_of(state, len(hands), max(Counter(hands).values(), default=0))
        if len(hands) > LONG:
            # Undone events of a hand with an unrecorded dealer are part of every event's cost.
            self.weight += COPY * again // len(hands)
        read = self.weight * steps_of(self.events) + CLASH * clashes
        self.read += read
        self.budget.spend(read)
        self.journal = journal
        # Cards identified in a row are not among the slots of the holdings.
        self.turned = [CardProof(e.pile, e.since, e.step, e.code) for e in journal if e.kind == "turned"]
        return [CardProof(e.pile, e.since, e.step, e.code) for e in journal if e.kind in ("shown", "turned")]

    def _mask_conflicting_cards(self, events: Sequence[Event]) -> list[Event] | None:
        """Mask every card in conflict at both its places; None if there is no conflict."""
        if not self.doubts:
            return None
        out = list(events)
        for step, cards in self.doubts:
            self.blurred.add(step)
            out[step - 1] = mask_cards(out[step - 1], cards) if cards else put_down_unseen(out[step - 1])
        return out

    def _all_unseen(self, events: Sequence[Event]) -> list[Event]:
        """Mask every card of the hands in conflict. No more can be doubted."""
        out = list(events)
        for hand in {self.hand_at[step - 1] for step, _ in self.doubts}:
            self.given_up.add(hand)
            first, last = self.span(hand)
            for step in range(first, last + 1):
                event = out[step - 1]
                if type(event) is not Hand:
                    self.blurred.add(step)
                    out[step - 1] = mask_cards(event, {c.partition("=")[0] for c in cards_in(event)})
        return out

    def _conflict(self, step: int, trouble: Trouble, hand: int, pack: Pack) -> Finding:
        """Return the finding about a contradiction. Every position involved is added to `doubts`."""
        here = self.view.events[step - 1]
        rule = TABLE[trouble.rule]
        text = trouble.text
        card = (trouble.card,) if trouble.card and trouble.card != "??" else ()
        places = self._doubtful_lines(step, trouble, card, pack)
        named = [self.view.events[i - 1].n for i in (places if len(places) <= NAMED else places[: NAMED // 2])]
        if named:
            more = f" and {len(places) - len(named)} more, and at" if len(places) > len(named) else " and at"
            text += f" (recorded at {', '.join(map(str, named))}{more} {here.n})"
        at = EventPlace(here.n, hand)
        # The written act is added only to findings that are reported, as a record in conflict is read many times.
        return Finding(
            f"table.{trouble.rule}", Verdict.BROKEN, at, at, text, "", here.event.by, rule.heading, rule.short,
            rule.text, card, evidence=(*named, here.n),
        )  # fmt: skip

    def _doubtful_lines(self, step: int, trouble: Trouble, card: tuple[str, ...], pack: Pack) -> Sequence[int]:
        """The earlier steps at least one of which is recorded wrong. All are added to `doubts`, with their cards."""
        seen = self._seen
        seen.reach(step)
        if trouble.rule == TWICE:
            # One of the places where this hand records the card is wrong.
            self.doubts[step, card] = None
            places = seen.cards.get(trouble.card, ())
            self.doubts.update(((i, card), None) for i in seen.fresh(places))
            return places
        if trouble.rule == TOO_MANY and trouble.pile in self.seats:
            # One of the cards that this seat put down was not of this hand.
            self.doubts[step, ()] = None
            places = seen.put_down.get(trouble.pile, ())
            self.doubts.update(((i, ()), None) for i in seen.fresh(places))
            return places
        # The card may have been recorded elsewhere, or one of the cards expected here was recorded wrong.
        self.doubts[step, card] = None
        tokens = card + tuple(pack.cards(trouble.doubt))
        found = {token: seen.cards[token][-1] for token in tokens if token in seen.cards}
        self.doubts.update(((i, (token,)), None) for token, i in found.items())
        return sorted(set(found.values()))


def reading_of(log: ReadLog) -> ConflictReading:
    """Read a whole log to its end. Call it as `log.once(reading_of)`, as the judge has often read it already."""
    reading = ConflictReading(log.view, 0, None, budget_for(len(log.view.events)))
    reading.infer_hidden_cards()
    return reading


class Mentions:
    """Where the current hand mentions each card, and where each seat put cards down, before a step.

    `fresh` returns the steps of a list that it has not returned yet.
    """

    __slots__ = ("_events", "_given", "_upto", "cards", "put_down")

    def __init__(self, events: Sequence[NumberedEvent]) -> None:
        self._events, self._upto = events, 0
        self._given: dict[int, int] = {}
        self.cards: dict[str, list[int]] = {}
        self.put_down: dict[str, list[int]] = {}

    def reach(self, step: int) -> None:
        """Add the events before this step. Steps must come in order."""
        begun = step - 1
        while begun > self._upto and type(self._events[begun - 1].event) is not Hand:
            begun -= 1
        if begun > self._upto:
            self._upto = begun
            self._given, self.cards, self.put_down = {}, {}, {}
        for i in range(self._upto + 1, step):
            event = self._events[i - 1].event
            for name in {name for card in cards_in(event) for name in (card, card.partition("=")[0])}:
                self.cards.setdefault(name, []).append(i)
            if puts_down(event):
                self.put_down.setdefault(event.by, []).append(i)
        self._upto = step - 1

    def fresh(self, places: Sequence[int]) -> Sequence[int]:
        """The steps that were not returned before."""
        given = self._given.get(id(places), 0)
        self._given[id(places)] = len(places)
        return places[given:]
