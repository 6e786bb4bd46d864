"""A log read to its end, without judging: which unseen cards turned out to be which, and where the log contradicts itself.

Every position of a conflict (a card in two places, more cards than a hand holds) is read as unseen, and the log is read
again, until nothing contradicts itself any more.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from operator import attrgetter
from typing import Any

from events.cards import Pack
from events.model import Event, Hand
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.model import State
from reducers.rules import TABLE, Verdict
from reducers.table import TOO_MANY, TWICE, JournalEntry, Trouble
from replay.budget import COPY, LONG, Budget, budget_for, steps_of, weight_of
from replay.fold import Corrected, own_state, terms_throughout
from replay.judging.elimination import cards_by_elimination, names_nothing
from replay.judging.findings import EventPlace, Finding
from replay.judging.first_look import FirstLook
from replay.judging.hindsight import CardProof
from replay.log import NumberedEvent
from replay.masking import cards_in, mask_cards, opened_with, put_down_unseen, puts_down
from replay.read_log import ReadLog

STEP = attrgetter("step")
# As much is for looking at every way the unseen cards can lie, to name those that can be one card only.
NAMING = 5
# A record that contradicts itself is read again with what is in conflict unseen, at most so often. What still does not
# fit then is not sorted out card by card: all that was put down in that hand is read as unseen.
READINGS = 10
# So many steps it takes to see what has a part in a conflict, and to ask again about the acts in it.
CLASH = 3
# Of the places of a conflict so many are named, and how many more there are.
NAMED = 6


class ConflictReading:
    """A corrected log read to its end: what its unseen cards turned out to be, and where it contradicts itself.

    Steps count the folded events from 1; positions are what people call them. `events` are those to judge: what is in
    conflict is read as unseen in them, and what only one card can be is named. `proofs` say which unseen cards turned out
    to be which, `hand_at` gives the hand of each step.
    """

    def __init__(
        self, view: Corrected, only: int, start: State[Any] | None, budget: Budget, seen: FirstLook | None = None
    ) -> None:
        self.view, self.budget = view, budget
        # What the first look came to, if the log is one without corrections that does not contradict itself.
        self.seen = seen
        # `only` one hand is looked at closely, and `start` is the state before the first event where that is not the
        # beginning of the match.
        self.only, self.start = only, start
        self.hand_at: list[int] = []
        self.conflicts: list[Finding] = []
        self.journal: list[JournalEntry] = []
        # What a row turned out to hold; the slots of the holdings do not have it.
        self.turned: list[CardProof] = []
        self.events: list[Event] = [p.event for p in view.events]
        self.proofs: list[CardProof] = []
        # Events folded, or asked about, in all.
        self.read = 0
        # How many steps an event takes, for all that lies on the table in the end.
        self.weight = 1
        # Cards that elimination named, by position.
        self.inferred: dict[int, tuple[str, ...]] = {}
        # What is read as unseen because of a conflict: a step, and the cards (none: all that were put down there).
        self.doubts: dict[tuple[int, tuple[str, ...]], None] = {}
        # The hands in which all that was put down is read so, because they were read often enough.
        self.given_up: set[int] = set()
        # The steps that were read so.
        self.blurred: set[int] = set()
        self._seen = Mentions(view.events)
        # How far the log was folded for the state before a hand.
        self._folded: tuple[State[Any], int] | None = None

    @cached_property
    def seats(self) -> frozenset[str]:
        """The seats of the match."""
        return frozenset(terms_throughout([self.view.opening, *(p.event for p in self.view.events)]).seats)

    @cached_property
    def clashing(self) -> set[int]:
        """The hands in which the record contradicts itself."""
        return {c.at.hand for c in self.conflicts}

    @cached_property
    def steps(self) -> dict[int, int]:
        """The step of each position that is folded, or was before its act was taken back."""
        return self.view.steps()

    def step_of(self, pos: int) -> int:
        """The step of a position; one past the end for what is not folded."""
        return self.steps.get(pos, len(self.view.events) + 1)

    def infer_hidden_cards(self, *, eliminate: bool = True) -> State[Any]:
        """Find the conflicts, read what is in conflict as unseen, and learn which unseen cards turned out to be which.

        Returns the state the log ends in as it was recorded; `events` are then those to judge, with `proofs`.
        Without `eliminate`, only what was seen counts.
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
            # What only shows once the first conflict is set aside is a conflict too.
            self.conflicts = found + [c for c in self.conflicts if c.at.pos not in told]
        self.events, self.proofs = events, proofs
        if eliminate:
            self._eliminate()
        return state

    def _eliminate(self) -> None:
        """Name the cards nobody saw played, where only one face is left for them in every way the cards can lie.

        What is learnt so is inferred from the whole pack, not seen: `inferred` keeps it with its step. In a hand whose
        record contradicts itself nothing is: one of its lines is wrong, and the others prove nothing about it.
        """
        if not any(e.kind == "out" for e in self.journal):
            return
        known = len(self.inferred)
        doubtful = {c.at.hand for c in self.conflicts}
        self.events = list(self.events)
        budget = self.budget.part(self.budget.limit // NAMING)
        for hand in sorted({self.hand_at[e.step - 1] for e in self.journal if e.kind == "out"} - doubtful):
            if not hand or self.only not in (0, hand) or self._names_nothing(hand):
                continue
            first, last = self.span(hand)
            faces = None
            if budget.left > 0:
                start = self.state_before(hand)
                self.budget.spend(self.weight * (last + 1 - first))
                faces = cards_by_elimination(start, self.events[first - 1 : last], first, last, budget)
            if faces is None:
                budget.cut("elimination", hand)
                continue
            for step, codes in faces.items():
                cards = tuple(start.game.pack.faces[c] for c in codes)
                opened = opened_with(self.events[step - 1], cards)
                if opened is not None:
                    self.events[step - 1] = opened
                    self.inferred[self.view.events[step - 1].n] = cards
        if len(self.inferred) > known:
            conflicts = self.conflicts
            self.proofs, _ = self._fold(self.events, keep_hands=True)
            self.conflicts = conflicts

    def _names_nothing(self, hand: int) -> bool:
        """Whether it is plain from the first look that elimination names no card of a hand."""
        if self.seen is None or not self.seen.restarts:
            return False
        first, last = self.span(hand)
        entries = self.journal[bisect_left(self.journal, first, key=STEP) : bisect_right(self.journal, last, key=STEP)]
        return names_nothing(entries, self.seen.state_after(hand).table)

    def state_before(self, hand: int) -> State[Any]:
        """A state of one's own as it is before the first event of a hand. Hands are best asked for in order: unless the first look has
        kept it, the log is folded up to there."""
        if self.seen is not None and self.seen.restarts and not self.inferred and hand in self.seen.starts:
            return own_state(self.seen.starts[hand].state)
        first, _ = self.span(hand)
        state, folded = self._folded if self._folded is not None and self._folded[1] < first else (self.begun(), 0)
        for step in range(folded + 1, first):
            state.at, state.table.now = self.view.events[step - 1].n, step
            evolve(state, self.events[step - 1])
        state.table.trouble.clear()
        self._folded = (state, first - 1)
        return own_state(state)

    def begun(self) -> State[Any]:
        """The state before the first event, to be changed at will."""
        return begin(self.view.opening.facts) if self.start is None else own_state(self.start)

    def span(self, hand: int) -> tuple[int, int]:
        """The first and the last step of a hand."""
        return bisect_left(self.hand_at, hand) + 1, bisect_right(self.hand_at, hand)

    def _fold(self, events: Sequence[Event], keep_hands: bool = False) -> tuple[list[CardProof], State[Any]]:
        """Fold without judging: which unseen cards turned out to be which, and what cannot be."""
        self._seen = Mentions(self.view.events)
        clashes = len(self.conflicts)
        state = self.begun()
        gone = state.again
        journal: list[JournalEntry] = []
        state.table.journal = journal
        hands: list[int] = []
        for step, event in enumerate(events, 1):
            state.at = self.view.events[step - 1].n
            state.table.now = step
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

    def _learned(self, journal: list[JournalEntry], hands: Sequence[int], state: State[Any], *, again: int, clashes: int = 0) -> list[CardProof]:
        """Which unseen cards turned out to be which, by the journal of a fold that ended in this state; what it took is drawn from the
        budget."""
        self.weight = weight_of(state, len(hands), max(Counter(hands).values(), default=0))
        if len(hands) > LONG:
            # What is gone again in a hand whose dealer nobody wrote counts for every event.
            self.weight += COPY * again // len(hands)
        read = self.weight * steps_of(self.events) + CLASH * clashes
        self.read += read
        self.budget.spend(read)
        self.journal = journal
        # What a row turned out to hold, the slots of the holdings do not have.
        self.turned = [CardProof(e.pile, e.since, e.step, e.code) for e in journal if e.kind == "turned"]
        return [CardProof(e.pile, e.since, e.step, e.code) for e in journal if e.kind in ("shown", "turned")]

    def _mask_conflicting_cards(self, events: Sequence[Event]) -> list[Event] | None:
        """The log with every card in conflict read as unseen at both its places; None if there is no conflict."""
        if not self.doubts:
            return None
        out = list(events)
        for step, cards in self.doubts:
            self.blurred.add(step)
            out[step - 1] = mask_cards(out[step - 1], cards) if cards else put_down_unseen(out[step - 1])
        return out

    def _all_unseen(self, events: Sequence[Event]) -> list[Event]:
        """The log with every card of the hands in conflict read as unseen: no more can be doubted."""
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
        """The finding about something that cannot be; every position that has a part in it is noted as doubtful."""
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
        # What was written is added to those that are told: a record in conflict is read again and again.
        return Finding(
            f"table.{trouble.rule}", Verdict.BROKEN, at, at, text, "", here.event.by, rule.heading, rule.short, rule.text,
            card, evidence=(*named, here.n),
        )  # fmt: skip

    def _doubtful_lines(self, step: int, trouble: Trouble, card: tuple[str, ...], pack: Pack) -> Sequence[int]:
        """The steps of which one was written wrong, before this one; all of them are noted as doubtful, with their cards."""
        seen = self._seen
        seen.reach(step)
        if trouble.rule == TWICE:
            # Wherever the card was recorded in this hand, one of the times was wrong.
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
        # The card may have been recorded elsewhere; or one of those that should lie there was written wrong.
        self.doubts[step, card] = None
        tokens = card + tuple(pack.cards(trouble.doubt))
        found = {token: seen.cards[token][-1] for token in tokens if token in seen.cards}
        self.doubts.update(((i, (token,)), None) for token, i in found.items())
        return sorted(set(found.values()))


def reading_of(log: ReadLog) -> ConflictReading:
    """A whole log read to its end. To be asked as `log.once(reading_of)`: often the judge has read it already."""
    reading = ConflictReading(log.view, 0, None, budget_for(len(log.view.events)))
    reading.infer_hidden_cards()
    return reading


class Mentions:
    """Where in the hand in play each card was mentioned, and where each seat put cards down, before a step.

    `fresh` gives of a list of such steps those that it has not given yet.
    """

    __slots__ = ("_events", "_given", "_upto", "cards", "put_down")

    def __init__(self, events: Sequence[NumberedEvent]) -> None:
        self._events, self._upto = events, 0
        self._given: dict[int, int] = {}
        self.cards: dict[str, list[int]] = {}
        self.put_down: dict[str, list[int]] = {}

    def reach(self, step: int) -> None:
        """Look at the events before this step; steps come in order."""
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
        """Those of these steps that were not given before."""
        given = self._given.get(id(places), 0)
        self._given[id(places)] = len(places)
        return places[given:]
