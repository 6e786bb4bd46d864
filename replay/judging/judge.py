"""The judge: walks a log, checks every act against the rules, and returns findings.

A complete log knows more than the recorder did: a card that a seat played at 29 and did not pick up after 12 was in
its holding at 12. So the log is folded once to identify unseen cards, and then judged with what was certainly held at
each moment. Knowledge comes from physical facts alone.

The recorder is suspected before the players. If a log contradicts itself (a card in two places, more cards than a
hand holds), every position of that conflict is read as unseen before anything is judged, and the conflict itself is
the first finding.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Container, Generator, Iterable, Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

from msgspec.structs import replace

from events.card_lists import cards_in
from events.cards import pretty_all
from events.model import Call, Capture, Discard, Event, Fix, Gap, Hand, Open, Play, Recorded, Tally, verb_of
from events.suggestions import did_you_mean
from events.writing import write_event
from reducers.evolve import (
    broken_by_dealer,
    evolve,
    has_seat,
    is_by_nobody,
    is_for_next_hand,
    is_ignored_after_match_end,
    is_late_act,
    may_begin,
    open_hand,
    wrong_time,
)
from reducers.first_state import begin
from reducers.legal import ANOTHER_HAND, ON_THE_TABLE, acts_of, legal, pile_words, plans, unknown_pile
from reducers.model import State, Undecided
from reducers.registry import NOT_INSTALLED, page_for
from reducers.rules import TABLE, Check, CheckFunction, CheckResult, Verdict, broken, unknown
from reducers.silent_acts import put_in_unwritten
from reducers.words.deals import WHO_DEALS
from reducers.words.shown_facts import acts_are_missing
from reducers.words.tallies import against_the_moves, contradictory_facts, says_nothing_new, told_otherwise
from replay.budget import Budget, budget_for, steps_of
from replay.fold import Corrected
from replay.judging.contradictions import ConflictReading, reading_of
from replay.judging.dating import Dating, Shorter
from replay.judging.findings import (
    OF_THE_RECORD,
    Either,
    EventPlace,
    Finding,
    Judgement,
    finding_about,
    without_duplicates,
)
from replay.judging.first_look import FirstLook, first_look
from replay.judging.hindsight import CardProof, Hindsight, apply_proofs
from replay.judging.opened_deals import Line, dealt_unseen, with_deals_revealed
from replay.judging.rule_questions import (
    RuleQuestion,
    asked_about,
    broken_for_every_card,
    broken_for_every_holding,
    constant_answer,
    table_finding,
    won_in_words,
)
from replay.judging.unseen_trick_cards import answer_in_each_way
from replay.judging.worlds import answers_by_worlds, lies_in_few_ways, with_all_worlds
from replay.log import NumberedEvent
from replay.masking import puts_down, unseen_in
from replay.read_log import ReadLog, read_log
from replay.takebacks import NO_ACT, TakenBack, stands_as_written

TALLIES_COMPARED = 20
"""Most earlier tallies that a tally is compared with."""
MOST_WORLDS = 600
"""A hand is judged in every world if there are at most this many."""
EXPLAINED = frozenset(("table.T2", "table.T3", "table.T4", "table.T5", "table.T6"))
"""What the table finds wrong where lines were left out: cards that are not where they seem to lie, acts out of time."""
MOST_WAYS = 60
"""If no open card of a hand was missed, most ways to share its unseen cards out among the piles."""
WORLD_STEPS = 8
"""Events judged in worlds per event of the record, and at least `FEW_STEPS`."""
FEW_STEPS = 12_000


def judge(records: Iterable[Recorded], budget: Budget | None = None, hand: int | None = None) -> Judgement:
    """Judge a log. Raises UnreadableError or NotFoundError if it cannot be opened at all.

    Repeated work is charged to the `budget`; by default one for a log of this length. A question that hidden cards
    leave open is asked again in every world, if there are few: what all of them say is certain. With `hand`, only the
    findings of that hand are dated, and no worlds are tried in later hands; its findings are otherwise the same.
    """
    log = read_log(records)
    budget = budget_for(max(0, len(log) - 1)) if budget is None else budget
    judgement = judged_in_all_worlds(log, budget, hand)
    dated = [
        dated_by_shorter_logs(f, log, budget) if f.worlds and hand in (None, f.at.hand) else f
        for f in judgement.findings
    ]
    return replace(judgement, findings=dated)


def judged_in_all_worlds(log: ReadLog, budget: Budget, hand: int | None = None) -> Judgement:
    """Judge by deduction and then by worlds. What all worlds agree on is known by the end of its hand at the latest."""
    judgement, first = _deduced(log, budget, hand)
    if first is None or not judgement.open:
        return judgement
    # The worlds do not settle how many uncounted cards there were.
    uncounted = {one.n for one in log.view.events if is_uncounted(one.event)}
    asked_of_cards = [
        f for f in judgement.open
        if f.at.hand and (hand is None or f.at.hand <= hand) and not about_missing_lines(f)
        and f.at.pos not in uncounted
    ]
    few = {number for number in {f.at.hand for f in asked_of_cards} if first.is_worth_every_way(number)}
    several = {hand for (hand, *_), acts in first.about_a_holding.items() if len(acts) > 1}
    hands = few | (several & hands_of_several_charges(asked_of_cards))
    hands -= {f.at.hand for f in judgement.broken if f.rule in OF_THE_RECORD}
    charges: dict[int, set[tuple[int, str]]] = {}
    for f in asked_of_cards:
        if f.at.hand in hands:
            charges.setdefault(f.at.hand, set()).add((f.at.pos, f.rule))
    if not charges:
        return judgement
    # The worlds have to find what elimination would name, so its names are not used.
    asked = Judge(log.view, budget=budget, seen=first.seen)
    asked.hand_at = first.hand_at
    steps = budget.part(max(FEW_STEPS, WORLD_STEPS * len(log)))
    return with_all_worlds(judgement, answers_by_worlds(asked, charges, few, several, steps, limit=MOST_WORLDS))


def dated_by_shorter_logs(f: Finding, log: ReadLog, budget: Budget) -> Finding:
    """Date a finding from the worlds by the shortest log that shows it, if the budget allows."""
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
    """True if an open card was not seen, or some cards were not counted. If none was missed, counting tells nearly as
    much about a hidden hand as its worlds do."""
    return any(
        (unseen_in(event) and (isinstance(event, Play | Capture | Discard) or getattr(event, "face", "") == "up"))
        or is_uncounted(event)
        for event in [one.event for one in events]
    )


def is_uncounted(event: Event) -> bool:
    """True if the number of cards of an event is unknown."""
    return any(card.startswith("*") for card in cards_in(event))


def hands_of_several_charges(findings: Iterable[Finding]) -> set[int]:
    """The hands in which a seat has open questions under several rules in different acts, or under one rule in three
    acts. Only there may one of them be certain whatever the seat held."""
    acts: dict[tuple[int, str], dict[int, str]] = {}
    for f in findings:
        acts.setdefault((f.at.hand, f.by), {})[f.at.pos] = f.rule
    return {hand for (hand, _), rules in acts.items() if len(rules) > 2 or len(set(rules.values())) > 1}


def about_missing_lines(f: Finding) -> bool:
    """True if a question depends on lines that may be missing. Cards do not answer it."""
    return "missing from the record" in f.text


def deduce(records: Iterable[Recorded], budget: Budget | None = None) -> Judgement:
    """Judge a log by what was seen, what later events prove and what counting leaves, without trying worlds. Raises
    like `judge`."""
    log = read_log(records)
    return _deduced(log, budget_for(max(0, len(log) - 1)) if budget is None else budget)[0]


def _deduced(log: ReadLog, budget: Budget, hand: int | None = None) -> tuple[Judgement, Judge | None]:
    """Return the result of `deduce` and its judge; None for the judge if the first look settles everything."""
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
    """The first look at a log without corrections. Hands dealt unseen and played card by card are read as if the deal
    had been seen, except those with an unsettled act."""
    recorded, facts = lines[1:], opening.facts
    game = page_for(facts)
    if not dealt_unseen(lines):
        return first_look(begin(facts), recorded)
    played = with_deals_revealed(recorded, game)
    laid_open = [step for step, (one, other) in enumerate(zip(played, recorded, strict=True), 1) if one is not other]
    seen = first_look(begin(facts), played)
    if not laid_open or (seen is not None and seen.faultless):
        return seen
    if seen is not None and (doubtful := seen.unsettled_hands()).intersection(
        seen.hands[step - 1] for step in laid_open
    ):
        played = [r if hand in doubtful else one for r, one, hand in zip(recorded, played, seen.hands, strict=True)]
        seen = first_look(begin(facts), played)
    if seen is None or not seen.restarts or seen.unsettled_hands().intersection(
        hand for one, r, hand in zip(played, recorded, seen.hands, strict=True) if one is not r
    ):  # fmt: skip
        return first_look(begin(facts), recorded)
    seen.laid_open = True
    return seen


class Judge(ConflictReading):
    """One run over one corrected log. Steps count the folded events from 1; positions are the numbers that users see.
    """

    def __init__(
        self, view: Corrected, log: Sequence[Recorded] = (), only: int = 0, start: State[Any] | None = None,
        budget: Budget | None = None, seen: FirstLook | None = None,
    ) -> None:  # fmt: skip
        super().__init__(view, only, start, budget_for(len(view.events)) if budget is None else budget, seen)
        # The log itself, to judge shorter versions of it.
        self.log = log
        self._tallies = [step for step, event in enumerate(self.events, 1) if type(event) is Tally]
        # The positions of corrections and takebacks.
        self._fixes = sorted([*(r.n for r in log if type(r.event) is Fix), *(one.by.n for one in view.taken_back)])
        # Open charges at least one of which is certain, by the position of the act.
        self.either: dict[int, Either] = {}
        # Open questions that another question covers, by position and rule.
        self.untold: set[tuple[int, str]] = set()
        # Acts with open questions about one holding while no unseen card came to it, by hand, pile and step since.
        self.about_a_holding: dict[tuple[int, str, int], set[int]] = {}
        # Breaches that a single shown card proves, in hands where elimination names cards: the position that shows it
        # and a sentence, by position and rule of the breach.
        self.shown_by_one: dict[tuple[int, str], tuple[int, str]] = {}
        # Rules against acts that came before another act was taken back, as they were made, by position.
        self.as_made: dict[int, set[str]] = {}
        # Lines that the record of a hand certainly leaves out, by hand.
        self.left_out: Mapping[int, str] = {}
        # True if the log was read fully, so that the reading can be reused.
        self.whole = False

    def run(self, dated: int | None = None) -> Judgement:
        """Identify unseen cards, mask conflicts, then ask the rules. With `dated`, only the findings of that hand are
        dated."""
        state = self.infer_hidden_cards()
        self.left_out = state.left_out
        for hand in self.given_up:
            self.budget.cut("reading", hand)
        # The first look did not learn which cards a laid-open hand revealed.
        self.whole = not self.budget.cuts and not (self.seen is not None and self.seen.laid_open)
        findings = [replace(c, act=self._written(c.at.pos)) for c in self.conflicts]
        findings = [
            replace(c, verdict=Verdict.OPEN, text=though_missing(c.text, lines), known_from=None)
            if (lines := self.left_out.get(c.at.hand)) and c.rule in EXPLAINED else c for c in findings
        ]
        findings += [self._misfit(m.at, m.text) for m in self.view.misfits]
        found = list(self._ask(self._questions()))
        findings += map(self._with_one_card, Dating(self, self.log, self._fixes, broken_in_shorter).dated(found, dated))
        return self._told(findings, state)

    def _questions(self) -> Iterator[RuleQuestion]:
        """The rules' answers about the acts that the first look left unsettled, or about all if there was none. If
        elimination named cards, a part begins with the score that they make."""
        if self.seen is None or not self.seen.restarts:
            yield from self.walk(self.events, self.proofs)
            return
        for start, asked, last in self.seen.parts_to_ask(self.starts if self.inferred else self.seen.starts):
            began, _ = self.span(self.hand_at[start.step - 1])
            proofs = [
                proof for proof in self.proofs[
                    bisect_left(self.proofs, start.step, key=UNTIL) : bisect_right(self.proofs, last, key=UNTIL)
                ] if proof.since >= began - 1
            ]
            events = self.events[start.step - 1 : asked[-1]]
            yield from self.walk(events, proofs, state=start.state, first=start.step, asked=frozenset(asked))

    def is_worth_every_way(self, hand: int) -> bool:
        """True if the worlds of a hand are worth trying: an open card was missed, they are few, or the log cannot be
        judged hand by hand."""
        if self.seen is None or self.inferred or not self.seen.restarts:
            return True
        first, last = self.span(hand)
        return has_unseen_open_card(self.view.events[first - 1 : last]) or lies_in_few_ways(
            self.seen.state_after(hand).table, MOST_WAYS,
        )

    def _told(self, findings: list[Finding], state: State[Any]) -> Judgement:
        """The judgement, with its findings in order."""
        if state.game.key.endswith(NOT_INSTALLED):
            # Without the page of the game the lines have no known meaning.
            findings = []
        findings.sort(key=lambda f: (not f.rule.startswith("table."), self.step_of(f.at.pos)))
        either = tuple(self.either.values())
        return Judgement(
            without_duplicates(findings, either), state, self.inferred, either=either,
            cuts=tuple(sorted(self.budget.cuts)), untold=frozenset(self.untold),
        )  # fmt: skip

    def broken(self) -> set[tuple[int, str]]:
        """The positions and rules that are broken, without proofs or dates."""
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
        """The rules' answers about every act, as findings."""
        questions: list[RuleQuestion] = []
        for said in walk:
            if said.says.verdict == Verdict.BROKEN and (lines := self.left_out.get(said.state.number)):
                said = in_doubt(said, lines)
            if said.says.verdict == Verdict.BROKEN and said.owner == "table":
                yield self._table(said.rule.id, said.says, said.placed)
                continue
            if said.says.verdict == Verdict.OPEN:
                table = said.state.table
                pile = said.says.about or table.piles.get(said.placed.event.by)
                # One card more does not settle what the whole hand has to be seen for.
                if pile is not None and (not said.says.holder or pile.hidden < 2):
                    same = self._place(said.placed.n).hand, pile.name, table.since.get(pile.name, 0)
                    self.about_a_holding.setdefault(same, set()).add(said.placed.n)
                questions = [q for q in questions if q.placed.n == said.placed.n] + [said]
                if len(questions) > 1 and said.placed.n not in self.either:
                    rules = broken_for_every_holding(questions)
                    if rules:
                        at = said.placed.n
                        self.either[at] = Either(self._place(at).hand, tuple((at, rule) for rule in rules))
                if said.says.or_at:
                    self.either[said.placed.n] = this_act_or_that(
                        f"{said.owner}.{said.rule.id}", said.says, self._place(said.placed.n),
                    )
                if not said.says.told:
                    self.untold.add((said.placed.n, f"{said.owner}.{said.rule.id}"))
            yield self._verdict(said)

    def walk(
        self, events: Sequence[Event], proofs: Sequence[CardProof], *, state: State[Any] | None = None, first: int = 1,
        astray: Sequence[bool] | None = None, asked: Container[int] | None = None,
    ) -> Iterator[RuleQuestion]:
        """The forward walk: before each act its checks are asked with what was held at that moment.

        `proofs` are added to the unseen cards of the holdings. With `state`, the walk begins there, and `events` are
        the steps from `first` on; `astray` says before which of them an act may be missing. Rules are asked at the
        steps `asked`, or at all of them. Each event is applied once all answers about it have been taken.
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
        turning, by_dealer = foresight.turning, set[tuple[int, str]]()
        for step, event in enumerate(events, first):
            placed = self.view.events[step - 1]
            state.at = placed.n
            state.table.now = step
            if word := unknown_pile(event, state):
                text = f"{state.game.name} has no pile '{word}'. {did_you_mean(word, pile_words(key))}"
                yield table_finding("T10", text.rstrip(". "), placed, state)
                event = Gap(by="@")
            # What a hand without a hand line is proved to have held from the first is not of the hand before.
            begins = bool(self.hand_at) and self.hand_at[step - 1] != state.number
            if step in turning and not begins:
                foresight.reach(step, state)
            for one in taken_back.get(step, ()):
                yield from self._as_it_was_made(one, step, state, foresight.standing)
            if may_begin(event, state):
                table = state.table
                if open_hand(event, state) or state.table is not table:
                    apply_proofs(state, foresight.standing)
                if state.undecided is not None and state.undecided.contested == placed.n:
                    by_dealer = yield from self._whoever_dealt(state.undecided, placed, state)
            if step in turning and begins:
                foresight.reach(step, state)
            if astray is not None:
                state.table.astray = astray[step - first]
            kind = type(event)
            if kind in acts and is_by_nobody(event, state):
                yield not_seated(placed, event, state)
                continue
            if state.ended and is_ignored_after_match_end(event, state):
                further = state.past_match_end or kind in ANOTHER_HAND
                yield from after_match_end(placed, event, state)
                if further:
                    evolve(state, event)
                    continue
            checks = plan[state.phase].get(kind)
            if checks is None and kind in acts and not state.ended:
                put_in_unwritten(event, state)
                checks = plan[state.phase].get(kind)
            repeated = isinstance(event, Tally) and says_nothing_new(event.facts, state)
            if placed.n in that_take_back or repeated or (checks is None and (placed.n, "T6") in by_dealer):
                pass
            elif checks is None:
                yield from out_of_place(placed, event, state)
            elif (asked is None or step in asked) and (state.hand is not None or kind not in ON_THE_TABLE):
                # The game may have one check for all.
                if kind in at_once and step not in self.blurred and at_once[kind](event, state) is None:
                    checks = ()
                for said in self._answers(checks, step, placed, event, state, foresight.standing) if checks else ():
                    if (placed.n, said.rule.id) not in by_dealer and (
                        placed.n not in made_meanwhile or said.rule.id in self.as_made.get(placed.n, ())
                    ):
                        yield said
            if isinstance(event, Tally) and not repeated:
                yield from impossible_facts(placed, event, state)
                yield from self._told_against_moves(step, event, state)
            table = state.table
            evolve(state, event)
            if state.table is not table:
                apply_proofs(state, foresight.standing)
            state.table.trouble.clear()

    def _whoever_dealt(
        self, hand: Undecided, placed: NumberedEvent, state: State[Any],
    ) -> Generator[RuleQuestion, None, set[tuple[int, str]]]:
        """The open questions of a hand that some act breaks whoever dealt it, but not the same act for each dealer.
        Returns their positions and rules."""
        charges, accused, omissions = dict[tuple[int, str], str](), set[str](), state.game.omissions
        excused = {"T6", *omissions.often_omitted_rules, *omissions.explained_by_omissions}
        for at, rule, texts in broken_by_dealer(hand, state):
            # A line that nobody wrote may be all that is wrong with that dealer.
            accused.update(texts if rule.id not in excused else ())
            wrong = "; ".join(
                f"if {' or '.join(seat for seat, said in texts.items() if said == text)} did, {text}"
                for text in dict.fromkeys(texts.values())
            )
            says = unknown(f"{WHO_DEALS}; {wrong}", at=at)
            owner = "table" if rule is TABLE["T6"] else state.game.key
            charges[at, rule.id] = owner
            yield RuleQuestion(owner, rule, says, self._spoken_of(says, placed), state, [])
        if len(charges) > 1 and accused == set(hand.seats) and not acts_are_missing(state):
            place = self._place(placed.n)
            rules = tuple((at, f"{owner}.{rule}") for (at, rule), owner in charges.items())
            self.either[placed.n] = Either(place.hand, rules)
        return set(charges)

    def _as_it_was_made(
        self, one: TakenBack, step: int, state: State[Any], standing: list[CardProof],
    ) -> Iterator[RuleQuestion]:
        """The rules' answers about an act that was taken back, and about taking it back; `state` is that before the
        act. Rules against acts of others in between, which stand, are added to `as_made`."""
        plan, held, there = plans(state.game.key), list(standing), state.copy()
        for placed in (*one.led_to, one.act, *one.then):
            there.at, there.table.now = placed.n, step
            open_hand(placed.event, there)
            no_rule = placed in one.led_to or there.hand is None or (
                placed.event.by != "@" and not has_seat(placed.event.by, there)
            )
            for said in () if no_rule else self._answers(
                plan[there.phase].get(type(placed.event), ()), 0, placed, placed.event, there, held,
            ):
                if placed is one.act and (
                    placed.n not in self._made_meanwhile or said.rule.id in self.as_made.get(placed.n, ())
                ):
                    yield replace(said, says=replace(said.says, text=f"{said.says.text}; put right at {one.by.n}"))
                elif placed is one.by:
                    yield said
                elif placed is not one.act:
                    self.as_made.setdefault(placed.n, set()).add(said.rule.id)
            evolve(there, placed.event)
            # A card that later events prove to be in the hand has just been played here.
            gone = list(cards_in(placed.event)) if puts_down(placed.event) else []
            for proof in [p for p in held if p.pile == placed.event.by]:
                if (face := there.game.pack.faces[proof.code]) in gone:
                    gone.remove(face)
                    held.remove(proof)
            apply_proofs(there, held)

    @property
    def _made_meanwhile(self) -> frozenset[int]:
        """Positions of acts between an act and its takeback. They are wrong only if they are wrong both as made and
        as they stand."""
        return frozenset(p.n for one in self.view.taken_back for p in one.then[:-1] if type(p.event) not in NO_ACT)

    @property
    def _that_take_back(self) -> frozenset[int]:
        """The positions of takebacks, which are judged with the act they take back."""
        return frozenset(one.by.n for one in self.view.taken_back)

    @property
    def _taken_back(self) -> dict[int, list[TakenBack]]:
        """Acts that were taken back, by the step before which they were made."""
        out: dict[int, list[TakenBack]] = {}
        for one in self.view.taken_back:
            out.setdefault(self.step_of(one.act.n), []).append(one)
        return out

    def _told_against_moves(self, step: int, tally: Tally, state: State[Any]) -> Iterator[RuleQuestion]:
        """Compare a tally with the earlier tallies of its hand and with the moves, naming the event that contradicts
        it."""
        if not state.lost_count and not is_for_next_hand(state):
            at = bisect_left(self._tallies, step)
            for earlier_step in reversed(self._tallies[max(0, at - TALLIES_COMPARED) : at]):
                said = self.view.events[earlier_step - 1]
                if said.n <= state.began:
                    break
                if type(said.event) is Tally and (texts := told_otherwise(tally.facts, said.event.facts, state)):
                    yield table_finding(
                        "T12", f"{'; '.join(texts)} (event {said.n})", self.view.events[step - 1], state, at=said.n,
                    )
                    break
        open_still = against_the_moves(tally.facts, state)
        if not open_still or any(conflict.at.hand == state.number for conflict in self.conflicts):
            # In a hand that contradicts itself, a card was recorded wrong and proves nothing.
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
        self, checks: Iterable[Check], step: int, placed: NumberedEvent, event: Event, state: State[Any],
        standing: list[CardProof]
    ) -> Iterator[RuleQuestion]:
        """The rules' answers about an act in its place; `standing` are the proofs that hold there."""
        key = state.game.key
        for check in checks:
            says, run = check.run(event, state), check.run
            if step in self.blurred:
                says = in_conflict(run, says, event, placed.event, state, self.budget)
            elif says is not None:
                run = partial(answer_in_each_way, run, trick=not self.blurred)
                says = run(event, state, says)
            if says is None:
                continue
            about = self._spoken_of(says, placed)
            if about.n in self.view.adrift:
                says = CheckResult(Verdict.OPEN, "it names a meld that a correction took away")
                yield RuleQuestion(key, check.rule, says, about, state, [])
            elif step in self.blurred and says.verdict == Verdict.OPEN:
                # The rest of the pack proves nothing about the card if a line is wrong.
                yield RuleQuestion(key, check.rule, says, about, state, [])
            else:
                suppose = partial(asked_about, run, state)
                yield RuleQuestion(key, check.rule, says, about, state, standing, partial(run, event, state), suppose)

    def _spoken_of(self, says: CheckResult, placed: NumberedEvent) -> NumberedEvent:
        """The act that a check is about: the one that was asked about, or an earlier one."""
        step = self.steps.get(says.at) if says.at else None
        return placed if step is None else self.view.events[step - 1]

    def _verdict(self, said: RuleQuestion) -> Finding:
        """The finding for a rule's answer, with its evidence and date."""
        placed, state, says = said.placed, said.state, said.says
        at = self._place(placed.n)
        if says.verdict == Verdict.OPEN:
            return finding_about(said.owner, said.rule, says, placed.event, at, None)
        pack = state.game.pack
        cards = tuple(dict.fromkeys(pack.cards(says.cards)))
        evidence = [placed.n]
        # A finding about an earlier act is known with the act that was asked about.
        known: EventPlace | None = self._place(state.at)
        because: list[str] = []
        needed: list[CardProof] = []
        if said.standing:
            needed = self._needed(said)
            if needed:
                until = max(needed, key=lambda p: p.until).until
                last = self.view.events[until - 1]
                known = EventPlace(last.n, self.hand_at[until - 1])
                evidence += list(
                    dict.fromkeys(self.view.events[p.until - 1].n for p in sorted(needed, key=lambda p: p.until))
                )
                because += [self._shown(p, placed, state) for p in sorted(needed, key=lambda p: p.until)]
        pile = state.table.piles.get(says.holder)
        if pile is not None and pile.covered and not (says.cards and pile.certain & says.cards):
            because.append(
                f"by counting: {says.holder} has {pile.hidden} unseen card{'s' * (pile.hidden != 1)} at {placed.n}, "
                "and the other cards without a place are too few to be all of them"
            )
        # The positions whose cards were named by elimination in this hand.
        mine = [n for n in self.inferred if self.hand_at[self.step_of(n) - 1] == state.number]
        if mine and needed:
            self._look_for_one_card(said)
        because += [
            f"inferred: the card at {n} is the {pretty_all(self.inferred[n])}, as every other card of the "
            "pack has its place"
            for n in mine
        ]
        if not self._plain(placed, state.number, mine, needed):
            known = None  # to be dated by shorter logs
        options = legal(state)
        instead = tuple(write_event(act) for act in options.acts if act.by == placed.event.by)
        return finding_about(
            said.owner, said.rule, says, placed.event, at, known, cards=cards, legal=instead, complete=options.complete,
            evidence=tuple(evidence), because=tuple(because),
        )  # fmt: skip

    def _look_for_one_card(self, said: RuleQuestion) -> None:
        """Find the first card shown from the holder's hand that proves the breach on its own."""
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
        """The finding with the single card that proves it, if that card is what made it known."""
        shown, text = self.shown_by_one.get((f.at.pos, f.rule), (0, ""))
        if f.known_from is None or f.known_from.pos != shown:
            return f
        return replace(f, because=(text,), evidence=(f.at.pos, shown))

    def _needed(self, said: RuleQuestion) -> list[CardProof]:
        """A minimal set of proofs without which the rule is not known to be broken, the earliest possible."""
        state, shows_it = said.state, partial(proves, said)
        try:
            if shows_it([]):
                return []
            # More proofs never make less certain, so a binary search finds the first sufficient date.
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
        """A sentence on how a later event proves where a card was."""
        events = self.view.events
        card = pretty_all([state.game.pack.faces[proof.code]])
        came = (
            f"nothing unseen came in after {events[proof.since - 1].n}" if proof.since
            else "nothing unseen came in since"
        )
        shown = events[proof.until - 1]
        return f"{proof.pile} held {card} at {placed.n}: {came}, and {shown.n} shows it ({write_event(shown.event)})"

    # -- dating ---------------------------------------------------------------------------------------------------

    def _plain(self, placed: NumberedEvent, hand: int, inferred: Sequence[int], needed: Sequence[CardProof]) -> bool:
        """True if every shorter log reads this hand as the whole one does, so that the proofs alone give the date."""
        if inferred or hand in self.clashing:
            return False
        fixes = self._fixes
        if not fixes:
            return True
        if not needed:
            # Known at once, unless a later fix changed the log up to here.
            return fixes[-1] <= placed.n
        return False

    def _table(self, rule: str, says: CheckResult, placed: NumberedEvent) -> Finding:
        at = self._place(placed.n)
        return finding_about(
            "table", TABLE[rule], says, placed.event, at, at, evidence=(placed.n, says.at) if says.at else (placed.n,),
        )

    def _place(self, pos: int) -> EventPlace:
        """A position with its hand. A line that begins a hand belongs to that one; a position that is not folded gets
        the last hand."""
        return EventPlace(pos, self.hand_at[min(self.step_of(pos), len(self.hand_at)) - 1] if self.hand_at else 0)

    def _written(self, pos: int) -> str:
        """The event at a position in written form."""
        return write_event(self.view.events[self.step_of(pos) - 1].event)


def this_act_or_that(rule: str, says: CheckResult, at: EventPlace) -> Either:
    """Either an act broke a rule, or the earlier act that its check names did."""
    return Either(at.hand, ((says.or_at, rule), (at.pos, rule)))


UNTIL = attrgetter("until")


def proves(said: RuleQuestion, proofs: list[CardProof]) -> bool:
    """True if the rule is known to be broken with these proofs."""
    apply_proofs(said.state, proofs)
    says = said.ask()
    return says is not None and says.verdict == Verdict.BROKEN


def broken_in_shorter(view: Corrected, only: int, start: State[Any] | None, budget: Budget) -> Shorter:
    """Judge a shorter log: its broken rules, the hands that contradict themselves, and those given up."""
    other = Judge(view, (), only, start, budget)
    return Shorter(other.broken(), frozenset(c.at.hand for c in other.conflicts), frozenset(other.given_up))


def not_seated(placed: NumberedEvent, event: Event, state: State[Any]) -> RuleQuestion:
    """Finding: the actor has no seat."""
    seats = ", ".join(state.terms.seats)
    return table_finding("T7", f"{event.by} is not a seat of this match; the seats are {seats}", placed, state)


def after_match_end(placed: NumberedEvent, event: Event, state: State[Any]) -> Iterator[RuleQuestion]:
    """Finding: an event after the end of the match. A further hand is marked once, where it begins; as it has no
    effect, no rule is asked about it."""
    if type(event) is Hand or (not state.past_match_end and is_late_act(event, state)):
        yield table_finding(
            "T6", f"the match was over before this{won_in_words(state)}; it changes nothing", placed, state,
        )


def out_of_place(placed: NumberedEvent, event: Event, state: State[Any]) -> Iterator[RuleQuestion]:
    """The table's finding about an event that does not belong in this part of the hand, or in this game. An act of a
    finished hand is marked once; speech about it is allowed."""
    if state.ended:
        return
    if state.phase == "between" and state.game.omissions.belongs_to_finished_hand(state, event):
        if type(event) is not Call and not state.played_on:
            yield table_finding(
                "T6", "the hand was over before this, and what is played on in it has no effect", placed, state,
            )
        return
    if type(event) in acts_of(state.game.key):
        said = table_finding("T6", wrong_time(state).text, placed, state)
        # If acts went unrecorded, the part of the hand is only inferred.
        yield replace(said, says=replace(said.says, verdict=Verdict.OPEN)) if state.dealer_is_guess else said
    elif type(event) is not Call:
        # Anything may be said at the table. An act must be one of this game.
        yield table_finding("T6", f"{state.game.name} knows no {verb_of(event)}; it changes nothing", placed, state)


def impossible_facts(placed: NumberedEvent, tally: Tally, state: State[Any]) -> Iterator[RuleQuestion]:
    """Facts of a tally that are impossible, by a rule of the game or by their values."""
    for rule, text in contradictory_facts(tally.facts, state):
        if rule:
            wrong = broken(text)
            yield RuleQuestion(
                state.game.key, state.game.rules[rule], wrong, placed, state, [], partial(constant_answer, wrong),
            )
        else:
            yield table_finding("T10", text, placed, state)


def in_doubt(said: RuleQuestion, lines: str) -> RuleQuestion:
    """The answer of a rule in a hand whose record leaves such lines out: open, if one of them may explain a breach."""
    may_explain = f"{said.owner}.{said.rule.id}" in EXPLAINED or (
        said.owner != "table" and said.rule.id in said.state.game.omissions.explained_by_omissions
    )
    return replace(said, says=CheckResult(Verdict.OPEN, though_missing(said.says.text, lines))) if may_explain else said


def though_missing(text: str, lines: str) -> str:
    return f"{text}; but {lines} are missing from the record of this hand"


IN_CONFLICT = "the record contradicts itself about this card, which may be any other"


def in_conflict(
    run: CheckFunction, says: CheckResult | None, event: Event, written: Event, state: State[Any], budget: Budget
) -> CheckResult | None:
    """The answer of a rule about a line in conflict; `says` is its answer with the card in conflict unseen.

    An act is broken if the rule is broken whichever card it was. If it is broken only as `written`, the finding stays
    open beside the table's: one slip explains both, so no player is accused.
    """
    if says is not None and says.verdict == Verdict.BROKEN and broken_for_every_card(run, says, event, state, budget):
        return says
    as_written = run(written, state) if written is not event else None
    if as_written is not None and as_written.verdict == Verdict.BROKEN:
        return CheckResult(Verdict.OPEN, f"as it is written, {as_written.text}; but {IN_CONFLICT}")
    return CheckResult(Verdict.OPEN, IN_CONFLICT) if says is not None and says.verdict == Verdict.BROKEN else says
