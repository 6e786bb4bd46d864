"""The judge: walks a log, asks every rule about every act, and says what it found.

A log read to its end knows more than the recorder did: a card that a seat played at 29 and did not pick up after 12 was
in its holding at 12. So the log is folded once to learn which unseen cards turned out to be which, and then judged
with what was certainly held at each moment. Knowledge comes from physical facts alone.

The recorder is suspected before the players. Where a log contradicts itself (a card in two places, more cards than a
hand holds) every position of that conflict is read as unseen before anything is judged, and the conflict itself is
the first finding.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cached_property, partial
from operator import attrgetter
from typing import Any

from msgspec.structs import replace

from events.cards import pretty_all
from events.model import Call, Capture, Discard, Event, Fix, Hand, Open, Play, Recorded, Tally, verb_of
from events.writing import write_event
from reducers.evolve import after_the_end, evolve, is_for_next_hand, is_late_act, may_begin, open_hand, seated
from reducers.first_state import begin
from reducers.legal import ANOTHER_HAND, ANY_TIME, ON_THE_TABLE, acts_of, legal, plans
from reducers.model import State
from reducers.registry import find_game
from reducers.rules import TABLE, Check, CheckFunction, CheckResult, Verdict, broken
from reducers.words.tallies import against_the_moves, cannot_be, told_otherwise
from replay.budget import Budget, budget_for, steps_of
from replay.fold import Corrected, own_state
from replay.judging.contradictions import ConflictReading, reading_of
from replay.judging.dating import Dating, Shorter
from replay.judging.findings import OF_THE_RECORD, Either, EventPlace, Finding, Judgement, finding_about, told_once
from replay.judging.first_look import FirstLook, first_look
from replay.judging.hindsight import CardProof, Hindsight, apply_proofs
from replay.judging.opened_deals import Line, as_played, dealt_unseen
from replay.judging.rule_questions import (
    RuleQuestion,
    asked_about,
    broken_for_every_card,
    broken_for_every_holding,
    same,
    table_finding,
    won_in_words,
)
from replay.judging.unseen_trick_cards import answer_in_each_way
from replay.judging.worlds import answers_by_worlds, lies_in_few_ways, with_all_worlds
from replay.log import NumberedEvent
from replay.masking import cards_in, puts_down, unseen_in
from replay.read_log import ReadLog, read_log
from replay.takebacks import NO_ACT, TakenBack, stands_as_written

TALLIES_COMPARED = 20
"""A tally is held against so many before it."""
MOST_WORLDS = 600
"""A hand is judged in every way its unseen cards can lie if there are no more ways than these."""
MOST_WAYS = 60
"""If no card of a hand was missed, its unseen cards may be shared out among the piles in no more ways than these."""
WORLD_STEPS = 8
"""For each event of a record at most so many are judged in these ways, and `FEW_STEPS` in a short record."""
FEW_STEPS = 12_000


def judge(records: Iterable[Recorded], budget: Budget | None = None, hand: int | None = None) -> Judgement:
    """Judge a log. Raises UnreadableError or NotFoundError if it cannot be opened at all.

    What has to be looked at more than once draws on the `budget`; without one, on that for a log of this length. A question that
    hidden cards leave open is asked once more in every way these can lie, if there are few: what all of them say is certain. With `hand`
    only the findings of that hand are dated, and no way is tried in the hands after it; all that is said of it is the same.
    """
    log = read_log(records)
    budget = budget_for(max(0, len(log) - 1)) if budget is None else budget
    judgement = judged_in_all_worlds(log, budget, hand)
    dated = [dated_by_shorter_logs(f, log, budget) if f.worlds and hand in (None, f.at.hand) else f for f in judgement.findings]
    return replace(judgement, findings=dated)


def judged_in_all_worlds(log: ReadLog, budget: Budget, hand: int | None = None) -> Judgement:
    """What is deduced of a log, and what every way the hidden cards can lie says; that is known by the end of its hand at the latest."""
    judgement, first = _deduced(log, budget, hand)
    if first is None or not judgement.open:
        return judgement
    # How many cards there were is not told by the ways in which those that went out can lie.
    uncounted = {one.n for one in log.view.events if is_uncounted(one.event)}
    asked_of_cards = [
        f for f in judgement.open
        if f.at.hand and (hand is None or f.at.hand <= hand) and not about_missing_lines(f) and f.at.pos not in uncounted
    ]
    few = {number for number in {f.at.hand for f in asked_of_cards} if first.is_worth_every_way(number)}
    hands = few | hands_of_several_charges(asked_of_cards)
    hands -= {f.at.hand for f in judgement.broken if f.rule in OF_THE_RECORD}
    charges: dict[int, set[tuple[int, str]]] = {}
    for f in asked_of_cards:
        if f.at.hand in hands:
            charges.setdefault(f.at.hand, set()).add((f.at.pos, f.rule))
    if not charges:
        return judgement
    # What elimination would name is found out here, not taken over.
    asked = Judge(log.view, budget=budget, seen=first.seen)
    asked.hand_at = first.hand_at
    steps = budget.part(max(FEW_STEPS, WORLD_STEPS * len(log)))
    return with_all_worlds(judgement, answers_by_worlds(asked, charges, few, steps, limit=MOST_WORLDS))


def dated_by_shorter_logs(f: Finding, log: ReadLog, budget: Budget) -> Finding:
    """A finding that trying every way has shown, with the end of the shortest log that shows it, if the budget does for that."""
    positions = [r.n for r in log.records if r.n >= f.at.pos]
    if not f.bound or budget.left < len(log) * len(positions).bit_length():
        return f

    def shows_it(n: int) -> bool:
        if budget.left <= 0:
            return False
        shorter = judged_in_all_worlds(read_log([r for r in log.records if r.n <= n]), budget, f.at.hand)
        return any((one.at.pos, one.rule) == (f.at.pos, f.rule) for one in shorter.broken)

    at = positions[bisect_left(positions[:-1], True, key=shows_it)]
    if budget.left <= 0:
        budget.cut("dates", f.at.hand)
        return f
    return replace(f, known_from=EventPlace(at, f.at.hand), bound=False, evidence=tuple(dict.fromkeys((f.at.pos, at))))


def has_unseen_open_card(events: Iterable[Line]) -> bool:
    """Whether a card that all could see was not seen, or some were not counted. Where none was missed, counting tells of a hidden hand
    nearly all that its worlds would."""
    return any(
        (unseen_in(event) and (isinstance(event, Play | Capture | Discard) or getattr(event, "face", "") == "up")) or is_uncounted(event)
        for event in [one.event for one in events]
    )


def is_uncounted(event: Event) -> bool:
    """Whether an event says of cards only that there were some."""
    return any(card.startswith("*") for card in cards_in(event))


def hands_of_several_charges(findings: Iterable[Finding]) -> set[int]:
    """The hands in which a seat stands under several rules in different acts, or under one in three: only then can it be that one of
    them is broken whatever it held."""
    acts: dict[tuple[int, str], dict[int, str]] = {}
    for f in findings:
        acts.setdefault((f.at.hand, f.by), {})[f.at.pos] = f.rule
    return {hand for (hand, _), rules in acts.items() if len(rules) > 2 or len(set(rules.values())) > 1}


def about_missing_lines(f: Finding) -> bool:
    """Whether a question hangs on lines that may be missing: no card answers it."""
    return "missing from the record" in f.text


def deduce(records: Iterable[Recorded], budget: Budget | None = None) -> Judgement:
    """Judge a log by what was seen, what later events prove and what counting leaves, without trying the ways in which hidden cards can
    lie. Raises like `judge`."""
    log = read_log(records)
    return _deduced(log, budget_for(max(0, len(log) - 1)) if budget is None else budget)[0]


def _deduced(log: ReadLog, budget: Budget, hand: int | None = None) -> tuple[Judgement, Judge | None]:
    """What `deduce` finds, and the judge who found it; none is needed for a log of which the first look leaves nothing to ask."""
    lines = log.records
    seen = None
    if lines and type(opening := lines[0].event) is Open and stands_as_written(lines):
        seen = looked_at(opening, lines)
        if seen is not None and seen.faultless:
            return Judgement([], seen.state), None
    asked = Judge(log.view, lines, budget=budget, seen=seen)
    judgement = asked.run(hand)
    if asked.whole:
        log.keep(reading_of, asked)
    return judgement, asked


def looked_at(opening: Open, lines: Sequence[Recorded]) -> FirstLook | None:
    """The first look at a log without corrections. Hands that were dealt unseen and played card by card are read as if they had been
    seen in the deal; those of them with an unsettled act are read as they were recorded."""
    recorded, facts = lines[1:], opening.facts
    game = find_game(str(facts.get("Game", "")))
    played = as_played(recorded, game) if dealt_unseen(lines) and not game.pack_goes_on else recorded
    laid_open = [step for step, (one, other) in enumerate(zip(played, recorded, strict=True), 1) if one is not other]
    seen = first_look(begin(facts), played)
    if not laid_open or (seen is not None and seen.faultless):
        return seen
    if seen is not None and (doubtful := seen.unsettled_hands()).intersection(seen.hands[step - 1] for step in laid_open):
        played = [r if hand in doubtful else one for r, one, hand in zip(recorded, played, seen.hands, strict=True)]
        seen = first_look(begin(facts), played)
    if seen is None or not seen.restarts or seen.unsettled_hands().intersection(
        hand for one, r, hand in zip(played, recorded, seen.hands, strict=True) if one is not r
    ):  # fmt: skip
        return first_look(begin(facts), recorded)
    seen.laid_open = True
    return seen


class Judge(ConflictReading):
    """One judging of one corrected log. Steps count the folded events from 1; positions are what people call them."""

    def __init__(
        self, view: Corrected, log: Sequence[Recorded] = (), only: int = 0, start: State[Any] | None = None,
        budget: Budget | None = None, seen: FirstLook | None = None,
    ) -> None:  # fmt: skip
        super().__init__(view, only, start, budget_for(len(view.events)) if budget is None else budget, seen)
        # The log itself, for looking back at what it said when it was shorter.
        self.log = log
        # The rules of which an act certainly broke one or another, by position, while each of them is open.
        self.either: dict[int, Either] = {}
        # The open questions of which another one speaks as well, by position and rule.
        self.untold: set[tuple[int, str]] = set()
        # Breaches in hands of which elimination names a card that one other card proves alone, by position and rule: where
        # that card was shown, and how.
        self.shown_by_one: dict[tuple[int, str], tuple[int, str]] = {}
        # The rules that what others did before an act was taken back was against as it was done, by position.
        self.as_made: dict[int, set[str]] = {}
        # Whether the log was read the long way, and to its end: the reading may serve others.
        self.whole = False

    def run(self, dated: int | None = None) -> Judgement:
        """Learn what the unseen cards turned out to be, blur what is in conflict, then ask the rules. Only the findings of the hand that
        is to be `dated` are, if one is."""
        state = self.infer_hidden_cards()
        for hand in self.given_up:
            self.budget.cut("reading", hand)
        # Of a hand that was laid open the look has not learnt what came to light.
        self.whole = not self.budget.cuts and not (self.seen is not None and self.seen.laid_open)
        findings = [replace(c, act=self._written(c.at.pos)) for c in self.conflicts]
        findings += [self._misfit(m.at, m.text) for m in self.view.misfits]
        found = list(self._ask(self._questions()))
        findings += map(self._with_one_card, Dating(self, self.log, self._fixes, broken_in_shorter).dated(found, dated))
        return self._told(findings, state)

    def _questions(self) -> Iterator[RuleQuestion]:
        """What the rules say about the acts that the first look left unsettled; about all acts if there was none, or if elimination
        named cards: what hangs on a score may be known then."""
        if self.seen is None or self.inferred or not self.seen.restarts or self.seen.state.game.pack_goes_on:
            yield from self.walk(self.events, self.proofs)
            return
        for start, asked, last in self.seen.parts_to_ask():
            proofs = self.proofs[bisect_left(self.proofs, start.step, key=UNTIL) : bisect_right(self.proofs, last, key=UNTIL)]
            events = self.events[start.step - 1 : asked[-1]]
            yield from self.walk(events, proofs, state=own_state(start.state), first=start.step, asked=frozenset(asked))

    def is_worth_every_way(self, hand: int) -> bool:
        """Whether the ways in which the unseen cards of a hand can lie are worth a look at each: a card that all could see was missed, they
        are few, or the log could not be looked at hand by hand."""
        if self.seen is None or self.inferred or not self.seen.restarts:
            return True
        first, last = self.span(hand)
        return has_unseen_open_card(self.view.events[first - 1 : last]) or lies_in_few_ways(self.seen.state_after(hand).table, MOST_WAYS)

    def _told(self, findings: list[Finding], state: State[Any]) -> Judgement:
        """What was found, in order."""
        findings.sort(key=lambda f: (not f.rule.startswith("table."), self.step_of(f.at.pos)))
        either = tuple(self.either.values())
        return Judgement(
            told_once(findings, either), state, self.inferred, either=either, cuts=tuple(sorted(self.budget.cuts)),
            untold=frozenset(self.untold),
        )  # fmt: skip

    def broken(self) -> set[tuple[int, str]]:
        """The positions and rules that are judged broken, and nothing else: neither proof nor date."""
        self.infer_hidden_cards()
        return {
            (said.placed.n, f"{said.owner}.{said.rule.id}")
            for said in self._questions()
            if said.says.verdict == Verdict.BROKEN
        }

    def _misfit(self, at: int, text: str) -> Finding:
        place = self._place(at)
        rule = TABLE["T11"]
        return Finding("table.T11", Verdict.BROKEN, place, place, text, "", "@", rule.heading, rule.short, rule.text)

    # -- judging --------------------------------------------------------------------------------------------------

    def _ask(self, walk: Iterable[RuleQuestion]) -> Iterator[Finding]:
        """What the rules say about every act, as findings."""
        questions: list[RuleQuestion] = []
        for said in walk:
            if said.says.verdict == Verdict.BROKEN and said.owner == "table":
                yield self._table(said.rule.id, said.says, said.placed)
                continue
            if said.says.verdict == Verdict.OPEN:
                questions = [q for q in questions if q.placed.n == said.placed.n] + [said]
                if len(questions) > 1 and said.placed.n not in self.either:
                    rules = broken_for_every_holding(questions)
                    if rules:
                        at = said.placed.n
                        self.either[at] = Either(self._place(at).hand, tuple((at, rule) for rule in rules))
                if said.says.or_at:
                    self.either[said.placed.n] = this_act_or_that(f"{said.owner}.{said.rule.id}", said.says, self._place(said.placed.n))
                if not said.says.told:
                    self.untold.add((said.placed.n, f"{said.owner}.{said.rule.id}"))
            yield self._verdict(said)

    def walk(
        self, events: Sequence[Event], proofs: Sequence[CardProof], *, state: State[Any] | None = None, first: int = 1,
        astray: Sequence[bool] | None = None, asked: Container[int] | None = None,
    ) -> Iterator[RuleQuestion]:
        """The forward walk: before each act its checks are asked with what was held at that moment.

        `proofs` are laid over the unseen cards of the holdings. With `state`, the walk begins there, and `events` are
        the steps from `first` on; `astray` says of each whether an act may be missing before it. Rules are asked at the steps `asked`, or at all of them. Each event is applied once everything said about it has been taken.
        """
        self.budget.spend(self.weight * steps_of(events))
        if state is None:
            state = self.begun()
        key = state.game.key
        plan = plans(key)
        acts = acts_of(key)
        at_once = state.game.rules.asked_at_once
        taken_back, that_take_back, made_meanwhile = self._taken_back, self._that_take_back, self._made_meanwhile
        foresight = Hindsight(proofs, first, first + len(events) - 1)
        turning = foresight.turning
        for step, event in enumerate(events, first):
            placed = self.view.events[step - 1]
            state.at = placed.n
            state.table.now = step
            if step in turning:
                foresight.reach(step, state)
            for one in taken_back.get(step, ()):
                yield from self._as_it_was_made(one, step, state, foresight.standing)
            if may_begin(state):
                table = state.table
                if open_hand(event, state) or state.table is not table:
                    apply_proofs(state, foresight.standing)
            if astray is not None:
                state.table.astray = astray[step - first]
            kind = type(event)
            if kind in acts and not seated(event.by, state) and not (event.by == "@" and kind in ANY_TIME):
                yield not_seated(placed, event, state)
                continue
            if state.ended and after_the_end(event, state):
                further = state.past_match_end or kind in ANOTHER_HAND
                yield from after_match_end(placed, event, state)
                if further:
                    evolve(state, event)
                    continue
            checks = plan[state.phase].get(kind)
            if checks is None and kind in acts and not state.ended:
                state.game.unwritten(state, event)
                checks = plan[state.phase].get(kind)
            if placed.n in that_take_back:
                pass
            elif checks is None:
                yield from out_of_place(placed, event, state)
            elif (asked is None or step in asked) and (state.hand is not None or kind not in ON_THE_TABLE):
                if step not in self.blurred and all_content(at_once.get(kind), checks, event, state):
                    checks = ()
                for said in self._answers(checks, step, placed, event, state, foresight.standing) if checks else ():
                    if placed.n not in made_meanwhile or said.rule.id in self.as_made.get(placed.n, ()):
                        yield said
            if isinstance(event, Tally):
                yield from impossible_facts(placed, event, state)
                yield from self._told_against_moves(step, event, state)
            table = state.table
            evolve(state, event)
            if state.table is not table:
                apply_proofs(state, foresight.standing)
            state.table.trouble.clear()

    def _as_it_was_made(self, one: TakenBack, step: int, state: State[Any], standing: list[CardProof]) -> Iterator[RuleQuestion]:
        """What the rules say about an act that was taken back, and about taking it back; `state` is that before the act. What they say of
        what others did meanwhile, which stands, is noted in `as_made`."""
        plan, held, there = plans(state.game.key), list(standing), state.copy()
        for placed in (*one.led_to, one.act, *one.then):
            there.at, there.table.now = placed.n, step
            open_hand(placed.event, there)
            before = placed in one.led_to
            for said in () if before else self._answers(plan[there.phase].get(type(placed.event), ()), 0, placed, placed.event, there, held):
                if placed is one.act and (placed.n not in self._made_meanwhile or said.rule.id in self.as_made.get(placed.n, ())):
                    yield replace(said, says=replace(said.says, text=f"{said.says.text}; put right at {one.by.n}"))
                elif placed is one.by:
                    yield said
                elif placed is not one.act:
                    self.as_made.setdefault(placed.n, set()).add(said.rule.id)
            evolve(there, placed.event)
            # A card that later events prove in the hand has just been played here.
            gone = list(cards_in(placed.event)) if puts_down(placed.event) else []
            for proof in [p for p in held if p.pile == placed.event.by]:
                if (face := there.game.pack.faces[proof.code]) in gone:
                    gone.remove(face)
                    held.remove(proof)
            apply_proofs(there, held)

    @cached_property
    def _made_meanwhile(self) -> frozenset[int]:
        """What others did between an act and its being taken back, by position: only what is wrong both as it was done and as it stands is
        held against them."""
        return frozenset(p.n for one in self.view.taken_back for p in one.then[:-1] if type(p.event) not in NO_ACT)

    @cached_property
    def _that_take_back(self) -> frozenset[int]:
        """The positions of the lines that take an act back; they are asked about with it."""
        return frozenset(one.by.n for one in self.view.taken_back)

    @cached_property
    def _taken_back(self) -> dict[int, list[TakenBack]]:
        """For each step the acts that were made before it and taken back."""
        out: dict[int, list[TakenBack]] = {}
        for one in self.view.taken_back:
            out.setdefault(self.step_of(one.act.n), []).append(one)
        return out

    def _told_against_moves(self, step: int, tally: Tally, state: State[Any]) -> Iterator[RuleQuestion]:
        """What an earlier tally of its hand tells otherwise than this one, and what its moves rule out, with the event that shows it."""
        if not state.dealer_is_guess and not is_for_next_hand(state):
            at = bisect_left(self._tallies, step)
            for earlier_step in reversed(self._tallies[max(0, at - TALLIES_COMPARED) : at]):
                said = self.view.events[earlier_step - 1]
                if said.n <= state.began:
                    break
                if type(said.event) is Tally and (texts := told_otherwise(tally.facts, said.event.facts, state)):
                    yield table_finding("T12", f"{'; '.join(texts)} (event {said.n})", self.view.events[step - 1], state, at=said.n)
                    break
        open_still = against_the_moves(tally.facts, state)
        if not open_still or any(conflict.at.hand == state.number for conflict in self.conflicts):
            # Where the record of the hand contradicts itself, a card was written wrong, and shows nothing.
            return
        begins = next((i for i in range(step - 1, 0, -1) if type(self.events[i - 1]) is Hand), 1)
        there = begin(state.terms.facts)
        placed = self.view.events[step - 1]
        for earlier, event in zip(self.view.events[begins - 1 : step], self.events[begins - 1 : step], strict=True):
            if not open_still or earlier is placed:
                break
            there.at = there.table.now = earlier.n
            evolve(there, event)
            there.table.trouble.clear()
            for key, text in against_the_moves(tally.facts, there).items():
                if open_still.pop(key, ""):
                    yield table_finding("T12", f"{text} (event {earlier.n})", placed, state, at=earlier.n)
        for text in open_still.values():
            yield table_finding("T12", text, placed, state)

    def _answers(
        self, checks: Iterable[Check], step: int, placed: NumberedEvent, event: Event, state: State[Any], standing: list[CardProof]
    ) -> Iterator[RuleQuestion]:
        """What the rules say about an act in its place; `standing` are the proofs that hold there."""
        key = state.game.key
        for check in checks:
            run = partial(answer_in_each_way, check.run, trick=not self.blurred) if step not in self.blurred else check.run
            says = run(event, state)
            if step in self.blurred:
                says = in_conflict(check.run, says, event, placed.event, state, self.budget)
            if says is None:
                continue
            about = self._spoken_of(says, placed)
            if about.n in self.view.adrift:
                says = CheckResult(Verdict.OPEN, "it speaks of a meld that a correction took away")
                yield RuleQuestion(key, check.rule, says, about, state, [])
            elif step in self.blurred and says.verdict == Verdict.OPEN:
                # What the rest of the pack says about the card is of no use where one line is wrong.
                yield RuleQuestion(key, check.rule, says, about, state, [])
            else:
                suppose = partial(asked_about, run, state)
                yield RuleQuestion(key, check.rule, says, about, state, standing, partial(run, event, state), suppose)

    def _spoken_of(self, says: CheckResult, placed: NumberedEvent) -> NumberedEvent:
        """The act that a check speaks of: the one it was asked about, or an earlier one."""
        step = self.steps.get(says.at) if says.at else None
        return placed if step is None else self.view.events[step - 1]

    def _verdict(self, said: RuleQuestion) -> Finding:
        """The finding about what a rule says, with what proves it and when that was there."""
        placed, state, says = said.placed, said.state, said.says
        at = self._place(placed.n)
        if says.verdict == Verdict.OPEN:
            return finding_about(said.owner, said.rule, says, placed.event, at, None)
        pack = state.game.pack
        cards = tuple(dict.fromkeys(pack.cards(says.cards)))
        evidence = [placed.n]
        # What is said of an earlier act is known with the one that was asked about.
        known: EventPlace | None = self._place(state.at)
        because: list[str] = []
        needed: list[CardProof] = []
        if said.standing:
            needed = self._needed(said)
            if needed:
                until = max(needed, key=lambda p: p.until).until
                last = self.view.events[until - 1]
                known = EventPlace(last.n, self.hand_at[until - 1])
                evidence += list(dict.fromkeys(self.view.events[p.until - 1].n for p in sorted(needed, key=lambda p: p.until)))
                because += [self._shown(p, placed, state) for p in sorted(needed, key=lambda p: p.until)]
        pile = state.table.piles.get(says.holder)
        if pile is not None and pile.covered and not (says.cards and pile.certain & says.cards):
            because.append(
                f"by counting: {says.holder} has {pile.hidden} unseen card{'s' * (pile.hidden != 1)} at {placed.n}, "
                "and the other cards without a place are too few to be all of them"
            )
        mine = self._inferred_in.get(state.number, ())
        if mine and needed:
            self._look_for_one_card(said)
        because += [
            f"inferred: the card at {n} is the {pretty_all(self.inferred[n])}, as every other card of the pack has its place" for n in mine
        ]
        if not self._plain(placed, state.number, mine, needed):
            known = None  # to be dated by what shorter logs said
        options = legal(state)
        instead = tuple(write_event(act) for act in options.acts if act.by == placed.event.by)
        return finding_about(
            said.owner, said.rule, says, placed.event, at, known, cards=cards, legal=instead, complete=options.complete,
            evidence=tuple(evidence), because=tuple(because),
        )  # fmt: skip

    def _look_for_one_card(self, said: RuleQuestion) -> None:
        """Note the first card that was shown out of the hand of the holder and proves the breach, whatever else is known."""
        field, says = said.state.game.pack.field, said.says
        try:
            for proof in sorted(said.standing, key=lambda p: p.until):
                shown = self.view.events[proof.until - 1].n
                its_own = proof.pile == says.holder and field[proof.code] & says.cards and shown not in self.inferred
                if its_own and proves(said, [proof]):
                    text = self._shown(proof, said.placed, said.state)
                    self.shown_by_one[said.placed.n, f"{said.owner}.{said.rule.id}"] = (shown, text)
                    return
        finally:
            apply_proofs(said.state, said.standing)

    def _with_one_card(self, f: Finding) -> Finding:
        """The finding with the one card that proves it, if it was known with that card and not before."""
        shown, text = self.shown_by_one.get((f.at.pos, f.rule), (0, ""))
        if f.known_from is None or f.known_from.pos != shown:
            return f
        return replace(f, because=(text,), evidence=(f.at.pos, shown))

    def _needed(self, said: RuleQuestion) -> list[CardProof]:
        """The later proofs without which the rule would not be known to be broken: those there earliest, and no more."""
        state, shows_it = said.state, partial(proves, said)
        try:
            if shows_it([]):
                return []
            # More proofs never make less certain, so the first sufficient date can be found by halving.
            dates = sorted({p.until for p in said.standing})
            low, high = 0, len(dates) - 1
            while low < high:
                middle = (low + high) // 2
                if shows_it([p for p in said.standing if p.until <= dates[middle]]):
                    high = middle
                else:
                    low = middle + 1
            enough = [p for p in said.standing if p.until <= dates[low]]
            if not shows_it(enough):
                return []
            for proof in sorted(enough, key=lambda p: p.until):
                rest = [p for p in enough if p is not proof]
                if shows_it(rest):
                    enough = rest
            return enough
        finally:
            apply_proofs(state, said.standing)

    def _shown(self, proof: CardProof, placed: NumberedEvent, state: State[Any]) -> str:
        """How a later event proves where a card lay, as a sentence."""
        events = self.view.events
        card = pretty_all([state.game.pack.faces[proof.code]])
        came = f"nothing unseen came in after {events[proof.since - 1].n}" if proof.since else "nothing unseen came in since"
        shown = events[proof.until - 1]
        return f"{proof.pile} held {card} at {placed.n}: {came}, and {shown.n} shows it ({write_event(shown.event)})"

    # -- dating ---------------------------------------------------------------------------------------------------

    def _plain(self, placed: NumberedEvent, hand: int, inferred: Sequence[int], needed: Sequence[CardProof]) -> bool:
        """Whether each shorter log reads this hand as the whole one does, so that proofs alone say when it was known."""
        if inferred or hand in self.clashing:
            return False
        fixes = self._fixes
        if not fixes:
            return True
        if not needed:
            # Known at once, unless a later fix changed what was read up to here.
            return fixes[-1] <= placed.n
        return False

    @cached_property
    def _inferred_in(self) -> dict[int, list[int]]:
        """For each hand the positions whose cards were named by elimination."""
        out: dict[int, list[int]] = {}
        for n in self.inferred:
            out.setdefault(self.hand_at[self.step_of(n) - 1], []).append(n)
        return out

    @cached_property
    def _tallies(self) -> list[int]:
        """The steps of the tallies."""
        return [step for step, placed in enumerate(self.view.events, 1) if type(placed.event) is Tally]

    @cached_property
    def _fixes(self) -> list[int]:
        """The positions of the corrections, and of the lines that take an act back."""
        return sorted([*(r.n for r in self.log if type(r.event) is Fix), *(one.by.n for one in self.view.taken_back)])

    def _table(self, rule: str, says: CheckResult, placed: NumberedEvent) -> Finding:
        at = self._place(placed.n)
        return finding_about("table", TABLE[rule], says, placed.event, at, at, evidence=(placed.n, says.at) if says.at else (placed.n,))

    def _place(self, pos: int) -> EventPlace:
        """A position with the hand of its line: the one it begins, if it is the first of one; for what is not folded, the last."""
        return EventPlace(pos, self.hand_at[min(self.step_of(pos), len(self.hand_at)) - 1] if self.hand_at else 0)

    def _written(self, pos: int) -> str:
        """The event at a position as it is written."""
        return write_event(self.view.events[self.step_of(pos) - 1].event)


def all_content(at_once: CheckFunction | None, checks: Iterable[Check], event: Event, state: State[Any]) -> bool:
    """Whether every check is content with an act as it was seen; the page may have one that asks them all `at_once`."""
    if at_once is not None:
        return at_once(event, state) is None
    return all(check.run(event, state) is None for check in checks)


def this_act_or_that(rule: str, says: CheckResult, at: EventPlace) -> Either:
    """That an act broke a rule, or the earlier one that its check names."""
    return Either(at.hand, ((says.or_at, rule), (at.pos, rule)))


UNTIL = attrgetter("until")


def proves(said: RuleQuestion, proofs: list[CardProof]) -> bool:
    """Whether the rule is known to be broken with these proofs."""
    apply_proofs(said.state, proofs)
    says = said.ask()
    return says is not None and says.verdict == Verdict.BROKEN


def broken_in_shorter(view: Corrected, only: int, start: State[Any] | None, budget: Budget) -> Shorter:
    """What a shorter log says is broken, where it contradicts itself, and what of it was given up."""
    other = Judge(view, (), only, start, budget)
    return Shorter(other.broken(), frozenset(c.at.hand for c in other.conflicts), frozenset(other.given_up))


def not_seated(placed: NumberedEvent, event: Event, state: State[Any]) -> RuleQuestion:
    """Somebody acts who has no seat."""
    seats = ", ".join(state.terms.seats)
    return table_finding("T7", f"{event.by} is not a seat of this match; the seats are {seats}", placed, state)


def after_match_end(placed: NumberedEvent, event: Event, state: State[Any]) -> Iterator[RuleQuestion]:
    """What comes after the end of the match. A further hand is marked once, where it begins: nothing comes of it, so no
    rule is asked about it either."""
    if type(event) is Hand or (not state.past_match_end and is_late_act(event, state)):
        yield table_finding("T6", f"the match was over before this{won_in_words(state)}; it changes nothing", placed, state)


def out_of_place(placed: NumberedEvent, event: Event, state: State[Any]) -> Iterator[RuleQuestion]:
    """What the table says of an event that does not belong to this part of the hand, or to this game. What is still of a hand
    that was over is marked once, and a word about it may be said."""
    if state.ended:
        return
    if state.phase == "between" and state.game.belongs_to_finished_hand(state, event):
        if type(event) is not Call and not state.played_on:
            yield table_finding("T6", "the hand was over before this, and nothing comes of what is played on in it", placed, state)
        return
    if type(event) in acts_of(state.game.key):
        now = state.game.phases[state.phase].name if state.phase in state.game.phases else "no hand"
        said = table_finding("T6", f"this is the time of {now}, and that is something else", placed, state)
        # What part of the hand this is was only inferred if acts went by unrecorded.
        yield replace(said, says=replace(said.says, verdict=Verdict.OPEN)) if state.dealer_is_guess else said
    elif type(event) is not Call:
        # Whatever is said besides may be said; what is done has to be something that is done in this game.
        yield table_finding("T6", f"{state.game.name} knows no {verb_of(event)}; it changes nothing", placed, state)


def impossible_facts(placed: NumberedEvent, tally: Tally, state: State[Any]) -> Iterator[RuleQuestion]:
    """What of a tally cannot be: by a rule of the page, or by what its facts are."""
    for rule, text in cannot_be(tally.facts, state):
        if rule:
            wrong = broken(text)
            yield RuleQuestion(state.game.key, state.game.rules[rule], wrong, placed, state, [], partial(same, wrong))
        else:
            yield table_finding("T10", text, placed, state)


IN_CONFLICT = "the record contradicts itself about this card, which may be any other"


def in_conflict(
    run: CheckFunction, says: CheckResult | None, event: Event, written: Event, state: State[Any], budget: Budget
) -> CheckResult | None:
    """What a rule says of a line in conflict, of which `says` is what it says with the card in conflict unseen.

    What is broken whichever card it was is broken. What is broken only by the act as it is `written` is named beside what
    the table says of it, and open: where one slip explains both, nobody is accused of either.
    """
    if says is not None and says.verdict == Verdict.BROKEN and broken_for_every_card(run, says, event, state, budget):
        return says
    as_written = run(written, state) if written is not event else None
    if as_written is not None and as_written.verdict == Verdict.BROKEN:
        return CheckResult(Verdict.OPEN, f"as it is written, {as_written.text}; but {IN_CONFLICT}")
    return CheckResult(Verdict.OPEN, IN_CONFLICT) if says is not None and says.verdict == Verdict.BROKEN else says


__all__ = ["deduce", "judge"]
