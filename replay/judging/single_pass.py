"""The short ways of judging: one walk in which every rule is asked with what had been seen.

More knowledge never takes back an "allowed". So what a rule was content with it stays content with, and only what it could
not answer, or objected to, has to be asked again with what later events prove. A log that was seen whole and gives no
cause for a finding is done with one walk (`state_if_faultless`). Where hands were dealt unseen, the walk (`judge_in_one_pass`) also learns
which unseen cards turned out to be which, and keeps what was asked; it gives up where the record contradicts itself,
or where an act stands in no place of its own: then only the long way of the judge will do.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from operator import attrgetter, length_hint
from typing import Any

from msgspec import Struct

from events.model import (
    Call,
    Capture,
    Deal,
    Discard,
    End,
    Event,
    Fix,
    Gap,
    Hand,
    Move,
    Open,
    Play,
    Recorded,
    Show,
    Shuffle,
    Tally,
)
from reducers.begin import begin
from reducers.evolve import COMMON, after_the_end, evolve, is_dealt_later, keep_to_deal_again, open_hand, seated
from reducers.legal import ANY_TIME, ON_THE_TABLE, acts_of, begins_unwritten, plans
from reducers.model import NEVER_CHANGED, InItsPlace, Run, State, names_of, own
from reducers.registry import find
from reducers.rules import CheckFunction, CheckResult, Content, Rule, Verdict
from reducers.sightings import Pile
from reducers.table import Entry, Table
from replay.budget import Budget
from replay.judging.elimination import can_be_followed, cards_by_elimination, look_over, nothing_to_name, the_last_one
from replay.judging.hidden_cards import proofs_of_a_hand
from replay.judging.hindsight import Proof
from replay.judging.opened_deals import Held, lay_open
from replay.log import NumberedEvent
from replay.masking import opened_with, unseen_in

# What the journal notes where no card left unseen: shuffled cards lie there still, or were seen as they came out.
NONE_LEFT_UNSEEN = frozenset(("in", "shown", "turned", "named", "back", "mixed"))
# What it notes of cards that came to light.
CAME_TO_LIGHT = frozenset(("shown", "turned"))
# What is done with the cards of a hand that is over, unless it is an act of play.
BEGINS_NOTHING = frozenset((Move, Show, Shuffle))
# Of so many acts in doubt in one hand the state is kept, while they are no more than one in so many acts of it: a second walk
# takes no longer than to keep more.
KEPT_STATES = 10
ACTS_A_DOUBT = 5
# Of so many the piles that they are in doubt about.
KEPT_PILES = 1_000
# Holdings of one seat, up to which an act under several open rules is tried with each of them.
MAX_HOLDINGS_TRIED = 200
# With more acts in doubt than these, and more than half of all, the long way is the shorter one; piles are soon asked again.
MANY = 20

Handler = tuple[Callable[[Any, Any], None], tuple[CheckFunction, ...]]
HandFingerprint = tuple[Any, ...]


@cache
def handlers_by_phase(key: str) -> dict[str, dict[type[Event], Handler]]:
    """For each phase of a game what is done with each type of event there: how it is applied, and what is asked first.

    Acts out of their phase are left out, and so are tallies, whose facts are looked at one by one. What ends something, or says
    that nothing was recorded, is applied in the general way, which notes more of it than the page does.
    """
    on, at_once = find(key).on, find(key).rules.asked_at_once
    return {
        phase: {
            kind: (
                evolve_only if kind in (End, Gap) else on.get(kind) or COMMON.get(kind, evolve_only),
                (at_once[kind],) if kind in at_once else tuple(check.run for check in checks),
            )
            for kind, checks in plan.items() if kind is not Tally and (kind in on or kind in ANY_TIME)
        }
        for phase, plan in plans(key).items()
    }  # fmt: skip


def evolve_only(event: Event, state: State[Any]) -> None:
    """Apply an event in the general way."""
    evolve(state, event)


@cache
def runs_by_phase(key: str) -> dict[str, Run]:
    """What applies a whole run of acts in a phase, for those phases of a game that have such a thing."""
    return {name: phase.run for name, phase in find(key).phases.items() if phase.run is not None}


def state_if_faultless(opening: Open, log: Iterable[Recorded | NumberedEvent]) -> State[Any] | None:
    """The state in which a log ends that gives no cause for any finding; None if it may give one.

    What could be said of cards that went by unseen needs more than this.
    """
    state = begin(opening.facts)
    key = state.game.key
    table, runs = handlers_by_phase(key), runs_by_phase(key)
    journal: list[Entry] = []
    state.table.journal = journal
    phase, here, run = state.phase, before_a_hand(key, state.phase), None
    lines: Iterator[InItsPlace] = iter(log)
    for r in lines:
        if state.phase is not phase:
            phase, here, run = state.phase, table[state.phase], runs.get(state.phase)
        if run is not None:
            stopped = run(r, lines, state)
            if stopped is None:
                break
            if stopped is r and state.acts and type(r.event) is not Call:
                # What cannot even begin is not tried again in this part of the hand; a deal or a word said begins nothing.
                run = None
            r = stopped
            if state.phase is not phase:
                # The hand ended with the run.
                phase, here, run = state.phase, table[state.phase], runs.get(state.phase)
        event = r.event
        state.at = r.n
        script = here.get(type(event))
        if state.ended and after_the_end(event, state):
            return None
        if script is None or event.by not in state.terms.side_of:
            script = handler_outside_phase(event, state, script)
            if script is None:
                return None
        act, checks = script
        if (not state.acts or state.undecided is not None) and open_hand(event, state):
            act = evolve_only
        for check in checks:
            if check(event, state) is not None:
                return None
        act(event, state)
        if state.undecided is not None:
            keep_to_deal_again(event, state.undecided, state)
    if state.table.trouble or any(e.kind not in NONE_LEFT_UNSEEN for e in journal):
        return None
    return state


@cache
def before_a_hand(key: str, phase: str) -> dict[type[Event], Handler]:
    """The same for one phase without what is done with cards on the table: there are none before the first hand. Any act of
    play begins that hand."""
    framing = ANY_TIME - ON_THE_TABLE - (acts_of(key) - {Deal})
    return {kind: script for kind, script in handlers_by_phase(key)[phase].items() if kind in framing}


def handler_outside_phase(event: Event, state: State[Any], script: Handler | None) -> Handler | None:
    """What is done with an event that is not an act in its place: the deal, a claim, the first act of a hand nobody began.

    None if it is out of order, or if it is one that the short ways do not look at.
    """
    kind = type(event)
    if kind is Fix or kind is Tally or state.table.trouble or (kind is Gap and (state.settled or not state.acts)):
        return None
    if is_dealt_later(event, state):
        return None
    key = state.game.key
    if kind in acts_of(key) and not (event.by == "@" and kind in ANY_TIME):
        if not seated(event.by, state):
            return None
        if begins_unwritten(event, state):
            open_hand(event, state)
            script = handlers_by_phase(key)[state.phase].get(kind)
    return script


class Start(Struct):
    """Where a hand begins: its first step, and the state before it."""

    step: int
    state: State[Any]


class PileInDoubt(Struct):
    """What leaves a check of a rule open: a pile as it lay then, what the check `says` without knowing more of it, and what it
    asks of the pile."""

    rule: Rule
    says: CheckResult
    pile: Pile
    content: Content


class Doubt(Struct):
    """An act with which a check was not content: its step, the state just before it, and how the hand stood after it. Without a
    state if the hand cannot be copied, or if too many of its acts were in doubt before.

    Where each such check says which pile it is `about`, these are kept instead. Where it is plain that nothing of the hand comes to
    light any more, what is `said` of the act, all of it open, is all there is to keep.
    """

    step: int
    before: State[Any] | None = None
    after: HandFingerprint | None = None
    about: list[PileInDoubt] = []
    said: list[tuple[Rule, CheckResult]] = []

    @property
    def kept(self) -> bool:
        """Whether enough of it was kept to ask about the act alone."""
        return self.before is not None or bool(self.about) or bool(self.said)


class HandToRecheck(Struct):
    """A hand that has to be looked at again: its `number`, from its `first` step to its `last`, asking from the step `asked` on.

    `state` is the state before the hand, `came` are the entries that say which of its unseen cards turned out to be which. If enough was
    kept before each act in doubt, as it was recorded, `alone` says that these acts are all there is to ask about, unless the hand
    goes on otherwise from one of them. `doubts` are never none. `early` says that elimination names a card before the last of them.
    """

    number: int
    first: int
    last: int
    asked: int
    state: State[Any]
    came: list[Entry]
    doubts: list[Doubt]
    alone: bool
    early: bool = False

    @property
    def proofs(self) -> list[Proof]:
        """Which of its unseen cards turned out to be which."""
        return [Proof(e.pile, e.since, e.step, e.code) for e in self.came]

    @property
    def only_piles(self) -> bool:
        """Whether the acts in doubt are all there is to ask about, and nothing but the cards of piles left them open: then every rule
        stays content with the other acts."""
        return self.alone and not self.early and all(d.about for d in self.doubts)


class Named(Struct):
    """The cards of a hand that elimination names, and the events with them, by step; and the proofs that there are then, if an act of
    the hand is in doubt."""

    cards: dict[int, tuple[str, ...]]
    events: dict[int, Event]
    proofs: list[Proof]


class SinglePass(Struct):
    """What one walk without hindsight came to.

    `state` is the state at the end, `hands` the hand after each step, `starts` where each hand begins. `doubts` is where
    checks were not content, by the hand in play as they were asked; `gone` the step of each hand at which a card first left
    unseen. From the step of one of the `leads` on, the cards of a hand were read as they were played later. From one of the steps
    that are `last_known` on (in order), nothing of a hand comes to light any more.
    """

    state: State[Any]
    events: Sequence[InItsPlace]
    hands: list[int]
    journal: list[Entry]
    doubts: dict[int, list[Doubt]]
    gone: dict[int, int]
    starts: dict[int, Start]
    leads: dict[int, int]
    last_known: Sequence[int] = ()

    def nothing_comes_to_light(self, hand: int, step: int) -> bool:
        """Whether it is plain from a step of a hand on that no unseen card of it comes to light."""
        if not self.last_known or hand not in self.starts:
            return False
        at = bisect_left(self.last_known, self.starts[hand].step)
        return at < len(self.last_known) and self.last_known[at] < step

    def again(self, named: Mapping[int, Named] = {}) -> list[HandToRecheck] | None:
        """The hands to be looked at again: those with a doubt. In those in which elimination `named` cards these are known.

        None where a check was not content before any hand began, or where it cannot be said since when a card lay in its
        place, be it in a hand with a doubt or in one in which cards left unseen.
        """
        out: list[HandToRecheck] = []
        for hand in sorted({*self.doubts, *self.gone}):
            if hand not in self.starts:
                return None
            first, entries = self.starts[hand].step, self._entries(hand)
            came = [e for e in entries if e.kind in CAME_TO_LIGHT]
            if came and min([e.since for e in came]) < first - (not self._begins(first)):
                return None
            doubts = self.doubts.get(hand)
            if not doubts:
                # More knowledge takes back nothing that every rule was content with.
                continue
            # The act that begins a hand is asked about while the hand before it still lies there, also if nobody wrote that it begins.
            last = self._last(hand)
            alone = all(d.kept for d in doubts)
            # What was read in hindsight is asked about as it was recorded.
            alone = alone and seen_before(doubts, self.leads.get(hand))
            early = hand in named and min(named[hand].events) <= doubts[-1].step
            if hand in named:
                came = [Entry("shown", p.pile, p.until, p.code, p.since) for p in named[hand].proofs]
                # A pile is asked with no more than was proved of it; a state goes on from what was done before it.
                alone = alone and (not early or all(d.about for d in doubts))
            state = self.starts[hand].state
            state.table.journal = None
            if last < len(self.events) and (self._begins(last + 1) or doubts[-1].step > last):
                last += 1
            before = self.doubts.get(hand - 1)
            asked = first + (self._begins(first) or (before is not None and before[-1].step == first))
            out.append(HandToRecheck(hand, first, last, asked, state, came, doubts, alone, early))
        return out

    def look_closer(self, budget: Budget) -> dict[int, Named] | None:
        """The hands in which elimination names cards that nobody saw: then the record says more than was asked here. None if that
        cannot be said in the short way: it takes too long, or other hands are to be looked at with what was named."""
        found: dict[int, Named] = {}
        for hand in sorted(self.gone):
            start = self.starts.get(hand)
            if start is None:
                continue
            entries, table = self._entries(hand), self.table_after(hand)
            noted = look_over(entries, table.pack)
            plain = the_last_one(noted, table)
            if plain and not can_be_followed(noted, table):
                plain = {}
            if not plain and nothing_to_name(noted, table):
                continue
            last = self._last(hand)
            events: list[Event] = [p.event for p in self.events[start.step - 1 : last]]
            faces = plain or cards_by_elimination(start.state, events, start.step, last, budget)
            if faces is None or (faces and self.state.game.pack_goes_on):
                return None
            named = Named({}, {}, [])
            for step, codes in faces.items():
                cards = tuple(start.state.game.pack.faces[code] for code in codes)
                if unseen_in(events[step - start.step]) and (opened := opened_with(events[step - start.step], cards)) is not None:
                    named.cards[step], named.events[step] = cards, opened
                    events[step - start.step] = opened
            if named.cards and hand not in self.doubts:
                found[hand] = named
            elif named.cards:
                proofs = proofs_with(plain, entries) if plain else proofs_of_a_hand(start.state, events, start.step)
                if proofs is None or [p for p in proofs if p.since < start.step - (not self._begins(start.step))]:
                    return None
                found[hand] = Named(named.cards, named.events, proofs)
        return found

    def _begins(self, step: int) -> bool:
        """Whether somebody wrote here that a hand begins; else its first act began it."""
        return type(self.events[step - 1].event) is Hand

    def table_after(self, hand: int) -> Table:
        """The table at the end of a hand."""
        after = self.starts.get(hand + 1)
        return (after.state if after else self.state).table

    def _last(self, hand: int) -> int:
        """The last step of a hand."""
        after = self.starts.get(hand + 1)
        return after.step - 1 if after else len(self.events)

    def _entries(self, hand: int) -> list[Entry]:
        """What the journal notes of a hand."""
        low = bisect_left(self.journal, self.starts[hand].step, key=_step_of)
        return self.journal[low : bisect_right(self.journal, self._last(hand), lo=low, key=_step_of)]


_step_of = attrgetter("step")


def proofs_with(named: Mapping[int, tuple[int, ...]], entries: Sequence[Entry]) -> list[Proof]:
    """Which unseen cards of a hand turned out to be which, with those `named` that left unseen alone in their steps."""
    proofs: list[Proof] = []
    came: dict[str, int] = {}
    for e in entries:
        if e.kind in CAME_TO_LIGHT:
            proofs.append(Proof(e.pile, e.since, e.step, e.code))
        elif e.kind in ("in", "forgot"):
            came[e.pile] = e.step
        elif e.kind == "out" and e.step in named:
            proofs.append(Proof(e.pile, came.get(e.pile, 0), e.step, *named[e.step]))
    return proofs


def seen_before(doubts: Sequence[Doubt], lead: int | None) -> bool:
    """Whether all these acts came before the lead from which on the cards of the hand were read as they were played later."""
    return lead is None or doubts[-1].step < lead


def judge_in_one_pass(
    opening: Open, events: Sequence[InItsPlace], held: Mapping[int, Held] | None = None, last_known: Sequence[int] = ()
) -> SinglePass | None:
    """Walk a log once, with what had been seen; None where something is out of order, or cannot be, or if more than half of the
    acts are in doubt: then nothing is won by asking only these again.

    From some steps on the hands are read as the cards that are `held` there; from those that are `last_known` on nothing of them comes
    to light any more. Every act has been asked about then, and every unseen card that came to light is in the journal.
    """
    state = begin(opening.facts)
    key = state.game.key
    table, runs = handlers_by_phase(key), runs_by_phase(key)
    seen = SinglePass(state, events, [], [], {}, {}, {}, {}, last_known)
    hands, starts, begins_nothing = seen.hands, seen.starts, BEGINS_NOTHING - acts_of(key)
    state.table.journal = seen.journal
    phase, here, run, number, step, unsettled = state.phase, before_a_hand(key, state.phase), None, 0, 0, 0
    lines: Iterator[InItsPlace] = iter(events)
    leads = held or {}
    for placed in lines:
        step += 1
        if state.phase is not phase:
            phase, here, run = state.phase, table[state.phase], runs.get(state.phase)
        if step in leads and lay_open(leads[step], state.table):
            seen.leads[state.number] = step
        if run is not None:
            stopped = run(placed, lines, state)
            reached = len(events) - length_hint(lines) + (stopped is None)
            hands += [number] * (reached - step)
            if stopped is None:
                state.table.now = len(events)
                break
            # At the lead nobody may have known yet who holds the card that leads.
            if stopped is placed and state.acts and step not in leads and type(placed.event) is not Call:
                run = None
            placed, step = stopped, reached
            if state.phase is not phase:
                # The hand ended with the run.
                phase, here, run = state.phase, table[state.phase], runs.get(state.phase)
        event = placed.event
        kind = type(event)
        state.at = placed.n
        state.table.now = step
        start = state.snapshot() if kind is Hand or (state.settled and kind not in begins_nothing) else None
        script, lying = here.get(kind), state.table
        if state.ended and after_the_end(event, state):
            return None
        if script is None or event.by not in state.terms.side_of:
            script = handler_outside_phase(event, state, script)
            if script is None:
                return None
        act, checks = script
        if (not state.acts or state.undecided is not None) and open_hand(event, state):
            act = evolve_only
        if state.phase is not phase and kind not in table[state.phase]:
            return None  # by who dealt, as it shows now, it is out of its part of the hand
        if step in leads and state.table is not lying and lay_open(leads[step], state.table):
            seen.leads[state.number] = step
        asking = iter(checks)
        for check in asking:
            says = check(event, state)
            if says is not None:
                doubt = note_unsettled(event, state, act, says, asking, seen)
                unsettled += not (doubt.about or doubt.said)
                if unsettled > MANY and unsettled * 2 > step:
                    return None
                break
        else:
            act(event, state)
        if state.undecided is not None:
            keep_to_deal_again(event, state.undecided, state)
        if state.number != number:
            if start is None:
                return None
            number, starts[state.number] = state.number, Start(step, start)
        hands.append(number)
    if leads:
        seen.journal.sort(key=_step_of)
    for e in [e for e in seen.journal if e.kind == "out"]:
        seen.gone.setdefault(hands[e.step - 1], e.step)
    return None if state.table.trouble else seen


def note_unsettled(
    event: Event, state: State[Any], act: Callable[[Any, Any], None], says: CheckResult, others: Iterator[CheckFunction], seen: SinglePass,
) -> Doubt:  # fmt: skip
    """Keep that a check was not content with an act, and what it said; then ask the `others`, and apply the act."""
    doubt = Doubt(state.table.now)
    doubts = seen.doubts.setdefault(state.number, [])
    # Once an act cannot be asked about alone the hand will be walked again, and nothing more need be kept of it.
    if seen.nothing_comes_to_light(state.number, doubt.step):
        doubt.said = left_open_for_good(event, state, says, others)
    elif not doubts or doubts[-1].kept:
        doubt.about = piles_in_doubt(answers_about(event, state, says, others)) if len(doubts) < KEPT_PILES else []
        if not doubt.about and worth_a_copy(doubt, doubts, seen.starts.get(state.number)):
            doubt.before = state.fork()
    doubts.append(doubt)
    act(event, state)
    if doubt.before is not None:
        doubt.after = hand_fingerprint(state)
    return doubt


def worth_a_copy(doubt: Doubt, doubts: Sequence[Doubt], start: Start | None) -> bool:
    """Whether to keep the state before an act in doubt takes less than to walk the hand again, after these `doubts` in it."""
    copies = len([d for d in islice(doubts, KEPT_PILES) if d.before is not None])
    return copies < KEPT_STATES and doubt.step - (start.step if start else doubt.step) >= ACTS_A_DOUBT * copies


def answers_about(
    event: Event, state: State[Any], says: CheckResult, others: Iterator[CheckFunction]
) -> Iterator[tuple[Rule, CheckResult | None]]:
    """What the rules say about an act, by rule, from the first that was not content (it `says` so) on; the `others` are those after it."""
    kind = type(event)
    checks = plans(state.game.key)[state.phase][kind]
    first = 0
    if kind not in state.game.rules.asked_at_once:
        first = len(checks) - length_hint(others)
        yield checks[first - 1].rule, says
    for check in checks[first:]:
        yield check.rule, check.run(event, state)


def piles_in_doubt(answers: Iterable[tuple[Rule, CheckResult | None]]) -> list[PileInDoubt]:
    """The piles that leave open what these rules say about an act, as they lie now; none if one says anything else than that the cards of one
    pile leave it open."""
    out: list[PileInDoubt] = []
    for rule, says in answers:
        if says is None:
            continue
        if says.about is None or says.content is None or says.verdict != Verdict.OPEN or says.at:
            return []
        out.append(PileInDoubt(rule, says, says.about.apart(), says.content))
    return out


def left_open_for_good(
    event: Event, state: State[Any], says: CheckResult, others: Iterator[CheckFunction]
) -> list[tuple[Rule, CheckResult]]:
    """What the rules say about an act (`answers_about`), if all of it stays open and of none of the holdings that the actor may have had
    can be said that it leaves one or another of them broken; else nothing."""
    out: list[tuple[Rule, CheckResult]] = []
    for rule, answer in answers_about(event, state, says, others):
        if answer is not None:
            if answer.verdict != Verdict.OPEN or answer.at:
                return []
            out.append((rule, answer))
    return out if len(out) == 1 or holdings_say_nothing(event, state) else []


def holdings_say_nothing(act: Event, state: State[Any]) -> bool:
    """Whether an act is seen, and the holdings that its actor may have had are not to be tried one by one."""
    pile = state.table.piles.get(act.by)
    if isinstance(act, Play | Capture | Discard):
        return False
    return pile is None or pile.row is not None or not pile.covered or pile.possible_holdings(MAX_HOLDINGS_TRIED) is None


def hand_fingerprint(state: State[Any]) -> HandFingerprint | None:
    """How the hand stands: whose turn it is, what the page keeps of it, how many cards lie where, known and unseen.

    None if the page keeps something that cannot be compared with what it was.
    """
    lying = {id(state.table): None, id(state): None, **{id(pile): pile.name for pile in state.table.piles.values()}}
    try:
        values = [getattr(state.hand, name) for name in names_of(state.hand)]
        hand = [one if type(one) in NEVER_CHANGED else own(one, lying, compared=True) for one in values]
    except TypeError:
        return None
    piles = [(p.name, p.known, p.unseen, p.half, -1 if p.row is None else len(p.row)) for p in state.table.piles.values()]
    return (state.phase, state.turn, state.number, state.settled, state.ended, state.table.astray, hand, piles)
