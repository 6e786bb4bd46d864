"""The part of a match that is judged alone while corrections are tried, and its diagnosis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.cards import Pack
from events.model import Call, Event, Fix, Gap, Hand, Open, Plain, Recorded
from reducers.evolve import ensure_hand_started, evolve, is_by_nobody, is_late_act
from reducers.first_state import begin
from reducers.legal import acts_of, begins_unwritten, plans, unknown_pile
from reducers.model import State
from reducers.rules import Verdict
from reducers.seating import next_dealer
from reducers.silent_acts import is_out_of_turn
from replay.budget import COPY, LONG, NO_HAND, Budget
from replay.fold import Corrected
from replay.judging.correction import Kind
from replay.judging.findings import Finding
from replay.judging.judge import Judge
from replay.log import NumberedEvent
from replay.references import Meaning, as_they_stand

WEIGHT_CONFLICT, WEIGHT_ORDER, WEIGHT_SHORT = 3, 2, 2
MAX_EVENTS_OF_A_WHOLE = 120
"""Hands up to this many events are searched whole at once, longer ones in a window around the first symptom."""
REACHES = (48, 1_000_000)
"""Events before the first symptom that are searched: first few, then all."""
MAX_LINES_APART, MAX_WRONG_PAIRED = 8, 6
"""The most acts between two lines that may be exchanged, and the most suspect lines that are exchanged in pairs."""
MAX_STARTS = 3
"""Most symptoms of the record, far from each other, that are searched in one hand."""


class Diagnosis(Struct):
    """The diagnosis of a hand: conflicts, acts out of order, other breaches, and open questions."""

    conflicts: set[tuple[str, int, str]]
    order: set[tuple[str, int]]
    broken: set[tuple[str, int]]
    asked: set[tuple[str, int]]
    short: bool
    by: dict[int, str]
    # The positions at which an unrecorded act is inferred, one per inference.
    inferred: tuple[int, ...] = ()
    # Whether all that was put down was read as unseen, because the budget was out: little speaks against such a record.
    given_up: bool = False

    @property
    def weight(self) -> int:
        """The weight of everything that is wrong with the record."""
        return (
            WEIGHT_CONFLICT * len(self.conflicts) + WEIGHT_ORDER * len(self.disorder) + WEIGHT_SHORT * self.short
            + len(self.broken)
        )

    @property
    def symptoms(self) -> bool:
        """True if the record itself is wrong, whatever the players did."""
        return bool(self.conflicts or self.order or self.short)

    @property
    def marks(self) -> set[int]:
        """The positions of conflicts and acts out of order."""
        return self.disorder | {pos for _, pos, _ in self.conflicts}

    @property
    def doubtful(self) -> set[str]:
        """The cards in conflict."""
        return {card for _, _, card in self.conflicts if card}

    @property
    def disorder(self) -> set[int]:
        """The positions of the acts out of order."""
        return {pos for _, pos in self.order}

    def opens(self, *corrected: int) -> int:
        """The number of open questions, without those about corrected acts: an inserted or masked act loses no
        certainty."""
        return sum(pos not in corrected for _, pos in self.asked)

    @property
    def all(self) -> set[tuple[str, int]]:
        """Everything broken, by rule and position."""
        return {(f"table.{rule}", pos) for rule, pos, _ in self.conflicts} | self.order | self.broken


class HandSegment(Struct):
    """The part of a match that is judged alone: a hand, up to the recorded start of the next one; or a window of it."""

    facts: dict[str, Any]
    hand: int
    hands: set[int]
    events: list[NumberedEvent]
    followed: bool
    limit: int
    """The number of the next event of the log."""
    start: State[Any] | None = None
    """The state before the first event, None for the beginning of the hand; and the number of events before it."""
    skipped: int = 0
    starts: tuple[int, ...] = ()
    """The indices of the events with symptoms, once `first_symptoms` found them."""
    adrift: frozenset[int] = frozenset()
    """The lines that refer to a meld which a correction took away."""
    part_of: HandSegment | None = None
    """The hand that this is a window of."""
    meaning: Meaning | None = None
    """The melds that the lines of the hand refer to, once `meant` found them."""
    due: str = ""
    """The dealer whose turn it was, if another is recorded."""

    def begun(self) -> State[Any]:
        """A copy of the state before the first event."""
        return begin(self.facts) if self.start is None else self.start.fork()

    def meant(self) -> Meaning:
        """The melds that the lines of the hand refer to."""
        if self.meaning is None:
            self.meaning = as_they_stand(Open(by="@", facts=self.facts), self.events)
        return self.meaning


class CandidateCorrection(Struct):
    """A correction that is tried, and the diagnosis of the hand with it. `index` is the first event that it changes."""

    kind: Kind
    at: int
    fixes: tuple[Fix, ...]
    events: list[NumberedEvent]
    card: str = ""
    # True if the card is not easily mistaken for another one in conflict.
    strange: bool = False
    # True if both lines of a swap are cards that one seat turned up from the stock.
    turned_up: bool = False
    # True if both lines of a swap are new melds of one seat, numbered by their order.
    numbered: bool = False
    look: Diagnosis | None = None
    # Open questions of the hand that the correction answers with "broken".
    answered: int = 0
    # Weight against the record that the correction removes.
    gain: int = 0
    index: int = 0
    # How rare such a slip is: default acts are left out most easily, the fewer of them the more so.
    rank: int = 1
    # The lines that refer to a meld which the correction takes away; the renumbered lines beyond the window, if any.
    adrift: frozenset[int] = frozenset()
    beyond: list[NumberedEvent] | None = None
    # The dealer of the hand, if the correction changes it.
    dealer: str = ""

    @property
    def weight(self) -> int:
        """The remaining weight against the record."""
        assert self.look is not None
        return self.look.weight - self.answered

    def judged(self, look: Diagnosis, base: Diagnosis) -> None:
        """Set the diagnosis with the correction; `base` is the one without."""
        self.look, self.answered = look, len(look.broken & base.asked)
        self.gain = base.weight - self.weight

    @property
    def quiet(self) -> bool:
        """True if it inserts acts that go without saying."""
        return self.kind == "insert" and (self.rank == 0 or len(self.fixes) > 1)

    @property
    def corrected(self) -> tuple[int, ...]:
        """The positions of the acts that the correction inserts, masks or moves."""
        # Inserted acts have the numbers of the next lines of the log.
        return tuple(
            sorted(p.n for p in self.events)[-len(self.fixes) :]
        ) if self.kind == "insert" else tuple(f.at for f in self.fixes)

    def key(self) -> tuple[int, bool, int, int]:
        """Sort key, best first: most gain, likeliest slip, fewest open questions."""
        assert self.look is not None
        return (-self.gain, self.strange, self.rank, self.look.opens(*self.corrected))


class QuickJudge(Judge):
    """A judge without elimination, for the many corrections that are tried once."""

    def _eliminate(self, pack: Pack) -> None:
        return

    def begun(self) -> State[Any]:
        return begin(self.view.opening.facts) if self.start is None else self.start.fork()


def hands_with_breaks(findings: Sequence[Finding]) -> set[int]:
    """The hands with a breach. The diagnosis of a hand tells which of them are symptoms of the record."""
    return {
        f.at.hand for f in findings if f.verdict == Verdict.BROKEN
        and f.rule not in ("table.T8", "table.T9", "table.T11", "table.T12")
    }


def segments_of(view: Corrected, hands: set[int], limit: int) -> Iterator[HandSegment]:
    """The hands to search: those in `hands`, and those that stop short before the next one."""
    state = begin(view.opening.facts)
    now: HandSegment | None = None
    number, before, wanted, short = 0, 0, False, False
    for step, placed in enumerate(view.events, 1):
        open_still = bool(state.number) and not state.settled and bool(state.acts or _under_way(state))
        due, gap = dealer_due(state) if type(placed.event) is Hand else "", state.gap
        state.at, state.table.now = placed.n, step
        evolve(state, placed.event)
        state.table.trouble.clear()
        begins = state.number > number
        if begins and isinstance(placed.event, Hand) and now is not None:
            now.followed, short = True, open_still
            if wanted or short:
                yield now
            now = None
        if begins and now is None:
            dealer = state.dealer
            facts = {**state.terms.facts, "Dealer": dealer}
            now, wanted = HandSegment(
                facts, state.number, set(), [], False, limit, due=due if due != dealer else "",
            ), False
            if not isinstance(placed.event, Hand):
                # After a gap the hand goes on, with all cards in unknown places.
                begun: Plain = Gap(by="@") if gap else Hand(by=dealer, number=state.number)
                now.events.append(NumberedEvent(before, 0, begun, Recorded(n=before, event=begun)))
        number, before = state.number, placed.n
        if now is not None:
            wanted = wanted or number in hands
            now.events.append(placed)
            now.hands.add(number)
            if placed.n in view.adrift:
                now.adrift |= {placed.n}
    if now is not None:
        now.followed = bool(state.ended == "agreed" and not state.settled)
        if wanted or now.followed:
            yield now


def dealer_due(state: State[Any]) -> str:
    """The dealer of the next hand; "" if that is a guess."""
    return "" if state.dealer_is_guess else next_dealer(state)


def _under_way(state: State[Any]) -> bool:
    """True if anything was played in the hand: a card left a holding, or a player spoke."""
    return state.phase not in ("between", "over")


def diagnose(
    stretch: HandSegment, events: Sequence[NumberedEvent], budget: Budget, *, thorough: bool = False,
    adrift: frozenset[int] = frozenset()
) -> Diagnosis:
    """Judge a stretch with these events; `adrift` are the lines that lose their meld."""
    view = Corrected(Open(by="@", facts=stretch.facts), tuple(events), adrift=stretch.adrift | adrift)
    # Cuts in judging a candidate are not reported: another candidate may explain more.
    own = Budget(max(budget.left, len(events)))
    asked = (Judge if thorough else QuickJudge)(view, start=stretch.start, budget=own)
    ended = asked.infer_hidden_cards()
    look = Diagnosis(
        set(), set(), set(), set(), stretch.followed and not ended.settled, {p.n: p.event.by for p in events},
    )
    look.inferred, look.given_up = tuple(n for n, _ in ended.inferred), bool(asked.given_up)
    look.conflicts.update(("T11", n, "") for n in adrift)
    for f in asked.conflicts:
        look.conflicts.add((f.rule.removeprefix("table."), f.at.pos, f.cards[0] if f.cards else ""))
    for said in asked.walk(asked.events, asked.proofs):
        key = (f"{said.owner}.{said.rule.id}", said.placed.n)
        if said.says.verdict == Verdict.OPEN:
            look.asked.add(key)
        elif (
            key[0] == "table.T6" or is_out_of_turn(said.state, said.placed.event)
            or said.rule.id in said.state.game.omissions.often_omitted_rules
        ):  # fmt: skip
            look.order.add(key)
        else:
            look.broken.add(key)
    # The judge folds twice, to learn and to ask. Many hands without a recorded start cost as much as one endless
    # hand.
    weight = NO_HAND if len(events) > LONG and asked.weight < NO_HAND else 1
    budget.spend(weight * (own.spent + 2 * COPY))
    return look


def wrong_at_sight(state: State[Any], event: Event) -> Iterator[tuple[str, int]]:
    """Apply an event, and yield each rule that it breaks without hindsight, with its weight.

    These are the judge's own checks, so more knowledge never takes an answer back.
    """
    if unknown_pile(event, state):
        yield "table.T10", WEIGHT_CONFLICT
        event = Gap(by="@")
    kind, key = type(event), state.game.key
    acts = acts_of(key)
    if kind in acts:
        if is_by_nobody(event, state):
            yield "table.T7", 1
            return
        if begins_unwritten(event, state):
            ensure_hand_started(state)
    checks = plans(key)[state.phase].get(kind)
    if (state.ended and is_late_act(event, state)) or (checks is None and kind is not Call and not state.ended):
        yield "table.T6", WEIGHT_ORDER
    weight = WEIGHT_ORDER if is_out_of_turn(state, event) else 1
    for check in checks or ():
        says = check.run(event, state)
        if says is not None and says.verdict == Verdict.BROKEN:
            yield f"{key}.{check.rule.id}", weight
    evolve(state, event)
    for trouble in state.table.trouble:
        yield f"table.{trouble.rule}", WEIGHT_CONFLICT
    state.table.trouble.clear()


def window_around(stretch: HandSegment, whole: Diagnosis, reach: int) -> HandSegment:
    """The part of a long hand around the first symptom, with the state before it; the hand itself if it is short."""
    n = len(stretch.events)
    starts = first_symptoms(stretch, whole)
    low, high = max(0, starts[0] - reach), min(n, starts[-1] + reach // 2 + 1)
    if n <= MAX_EVENTS_OF_A_WHOLE or (low == 0 and high == n):
        return stretch
    state = begin(stretch.facts)
    for placed in stretch.events[:low]:
        state.at = placed.n
        evolve(state, placed.event)
    state.table.trouble.clear()
    followed = stretch.followed and high == n
    return replace(
        stretch, events=stretch.events[low:high], start=state, skipped=low, followed=followed, starts=(),
        part_of=stretch,
    )


def first_symptoms(stretch: HandSegment, base: Diagnosis) -> tuple[int, ...]:
    """The indices of the events with symptoms: the first, and the first of each later group, those with conflicts
    preferred. Without a symptom of the record, the first broken rule.

    One symptom may be a breach, and the next one the slip.
    """
    if not stretch.starts:
        groups = _groups(_at_sight(stretch)) if base.conflicts else []
        if not groups:
            # Once a conflict is masked, earlier symptoms may appear that only result from it.
            marks = base.marks or {min((pos for _, pos in base.broken), default=stretch.events[-1].n)}
            groups = _groups([(i, WEIGHT_ORDER) for i, p in enumerate(stretch.events) if p.n in marks])
        first, *others = groups or [(len(stretch.events) - 1, WEIGHT_ORDER)]
        others.sort(key=lambda group: -group[1])
        stretch.starts = tuple(sorted(i for i, _ in [first, *others[: MAX_STARTS - 1]]))
    return stretch.starts


def _groups(marks: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The first of each group of marked events, with the highest weight in the group. A group spans at most
    `MAX_LINES_APART` events.

    >>> _groups([(3, 2), (9, 3), (15, 2), (30, 2)])
    [(3, 3), (15, 2), (30, 2)]
    """
    out: list[tuple[int, int]] = []
    for i, weight in marks:
        if out and i - out[-1][0] <= MAX_LINES_APART:
            out[-1] = (out[-1][0], max(out[-1][1], weight))
        else:
            out.append((i, weight))
    return out


def _at_sight(stretch: HandSegment) -> list[tuple[int, int]]:
    """The indices of the events with symptoms in a plain fold, and their weights."""
    state = stretch.begun()
    out: list[tuple[int, int]] = []
    for i, placed in enumerate(stretch.events):
        state.at, state.table.now = placed.n, i + 1
        weight = max((weight for _, weight in list(wrong_at_sight(state, placed.event))), default=0)
        if weight >= WEIGHT_ORDER:
            out.append((i, weight))
    return out


def far_from(i: int, starts: Sequence[int]) -> int:
    """The distance from an event to the nearest of these."""
    return min(abs(i - start) for start in starts)
