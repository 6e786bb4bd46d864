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
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property, partial
from itertools import islice
from typing import Any

from msgspec.structs import replace

from events.cards import Pack, pretty_all
from events.model import Call, Event, Fix, Hand, Open, Recorded, Tally, verb_of
from events.writing import write_event
from reducers.begin import begin
from reducers.evolve import after_the_end, evolve, in_hand, plays_on, seated
from reducers.legal import ANOTHER_HAND, ANY_TIME, ON_THE_TABLE, acts_of, legal, plans
from reducers.model import State
from reducers.rules import TABLE, CheckFunction, CheckResult, Rule, Verdict, broken
from reducers.table import TOO_MANY, TWICE, Entry, Trouble
from reducers.words.tallies import cannot_be
from replay.budget import Budget, budget_for
from replay.fold import Corrected, corrected, own_state
from replay.judging.contradictions import Mentions
from replay.judging.dating import split_at_corrections
from replay.judging.elimination import cards_by_elimination
from replay.judging.findings import Finding, Judgement, Place
from replay.judging.hindsight import Hindsight, Proof, apply_proofs
from replay.judging.opened_deals import as_played, dealt_unseen
from replay.judging.questions import (
    RuleQuestion,
    allowed_with_hindsight,
    asked_about,
    broken_for_every_card,
    broken_for_every_holding,
    physical,
    same,
    won_by,
)
from replay.judging.single_pass import (
    HandToRecheck,
    judge_in_one_pass,
    state_if_faultless,
)
from replay.log import NumberedEvent
from replay.masking import cards_in, mask_cards, opened_with, put_down_unseen

# One part in so many of the budget is for dating findings by shorter logs; a log so full of trouble that this does not
# do has its findings dated by the end of their hand, which is late but never wrong.
DATING = 3


# As much is for looking at every way the unseen cards can lie, to name those that can be one card only.
NAMING = 5


# A record that contradicts itself is read again with what is in conflict unseen, at most so often. What still does not
# fit then is not sorted out card by card: all that was put down in that hand is read as unseen.
READINGS = 10


# So many steps it takes to see what has a part in a conflict, and to ask again about the acts in it.
CLASH = 3


# Of the places of a conflict so many are named, and how many more there are.
NAMED = 6


def judge(records: Iterable[Recorded], budget: Budget | None = None) -> Judgement:
    """Judge a log. Raises UnreadableError or NotFoundError if it cannot be opened at all.

    What has to be looked at more than once draws on the `budget`; without one, on that for a log of this length.
    """
    log = list(records)
    opening = log[0].event if log else None
    if type(opening) is Open and not dealt_unseen(log):
        state = state_if_faultless(opening, islice(log, 1, None))
        if state is not None:
            return Judgement([], state)
    return Judge(corrected(log), log, budget=budget).run()


class Judge:
    """One judging of one corrected log. Steps count the folded events from 1; positions are what people call them."""

    def __init__(
        self, view: Corrected, log: Sequence[Recorded] = (), only: int = 0, start: State[Any] | None = None,
        budget: Budget | None = None,
    ) -> None:  # fmt: skip
        self.view = view
        self.key = str(view.opening.facts.get("Game", ""))
        self.view_seats = frozenset(begin(view.opening.facts).terms.seats)
        # The log itself, for looking back at what it said when it was shorter; `only` one hand is looked at closely, and
        # `start` is the state before the first event where that is not the beginning of the match.
        self.log, self.only, self.start = log, only, start
        self.hand_at: list[int] = []
        self.conflicts: list[Finding] = []
        self.journal: list[Entry] = []
        self.turned: list[Proof] = []
        self.events: list[Event] = [p.event for p in view.events]
        self.proofs: list[Proof] = []
        self.budget = budget_for(len(view.events)) if budget is None else budget
        # Events folded, or asked about, in all.
        self.read = 0
        # Cards that elimination named, by position.
        self.inferred: dict[int, tuple[str, ...]] = {}
        # What is read as unseen because of a conflict: a step, and the cards (none: all that were put down there).
        self.doubts: dict[tuple[int, tuple[str, ...]], None] = {}
        # The hands in which all that was put down is read so, because they were read often enough.
        self.given_up: set[int] = set()
        # The steps that were read so.
        self.blurred: set[int] = set()
        self.illegal: dict[int, None] = {}
        # The rules of which an illegal act broke one, by position.
        self.either: dict[int, tuple[str, ...]] = {}
        self._seen = Mentions(self.view.events)

    def run(self, *, glance: bool = True) -> Judgement:
        """Fold to learn, blur what is in conflict, then ask the rules. Without `glance` no short way is looked for."""
        short = self._glanced() if glance else None
        if short is not None:
            return short
        state = self.learn()
        for hand in self.given_up:
            self.budget.cut("reading", hand)
        findings = [replace(c, act=self._written(c.at.pos)) for c in self.conflicts]
        findings += [self._misfit(m.at, m.text) for m in self.view.misfits]
        findings += self._dated(list(self._ask(self.walk(self.events, self.proofs))))
        return self._told(findings, state)

    def _told(self, findings: list[Finding], state: State[Any]) -> Judgement:
        """What was found, in order."""
        findings.sort(key=lambda f: (not f.rule.startswith("table."), self._step(f.at.pos)))
        if self.illegal:
            findings = [replace(f, one_of=self.either[f.at.pos]) if f.rule in self.either.get(f.at.pos, ()) else f for f in findings]
        return Judgement(findings, state, self.inferred, illegal=tuple(self.illegal), cuts=tuple(sorted(self.budget.cuts)))

    def _glanced(self) -> Judgement | None:
        """The short way: every rule asked once, and only what was not answered asked again with what came to light.

        None where the record was corrected or contradicts itself, or an unseen card is named by elimination.
        """
        if not self.log or self._fixes:
            return None
        opening, events = self.view.opening, self.view.events
        opened = as_played(events)
        seen = judge_in_one_pass(opening, opened or events)
        if opened and seen is not None and seen.doubts:
            # Hands in which something is to be asked again are looked at as they were recorded.
            mixed = [r if hand in seen.doubts else o for r, o, hand in zip(events, opened, seen.hands, strict=True)]
            seen = judge_in_one_pass(opening, mixed)
        if seen is None or seen.look_closer(self.budget):
            return None
        self.hand_at, self.journal = seen.hands, seen.journal
        hands = seen.again()
        return None if hands is None else self._told(list(self._ask(self._asked_again(hands))), seen.state)

    def _asked_again(self, hands: Sequence[HandToRecheck]) -> Iterator[RuleQuestion]:
        """Ask about these hands once more, with what later events prove."""
        for hand in hands:
            if not allowed_with_hindsight(hand, self.events):
                events = self.events[hand.first - 1 : hand.last]
                yield from self.walk(events, hand.proofs, state=hand.state, first=hand.first, asked=hand.asked)

    def broken(self) -> set[tuple[int, str]]:
        """The positions and rules that are judged broken, and nothing else: neither proof nor date."""
        self.learn()
        return {
            (said.placed.n, f"{said.owner}.{said.rule.id}")
            for said in self.walk(self.events, self.proofs)
            if said.says.verdict == Verdict.BROKEN
        }

    def learn(self, *, eliminate: bool = True) -> State[Any]:
        """Find the conflicts, read what is in conflict as unseen, and learn which unseen cards turned out to be which.

        Returns the state the log ends in as it was recorded; `events` are then those to judge, with `proofs`.
        Without `eliminate`, only what was seen counts.
        """
        events = self.events
        proofs, state = self._learn(events)
        blurred = self._blur(events)
        readings = 1
        while blurred is not None and blurred != events:
            last = readings == READINGS or self.budget.left <= 0
            if last:
                blurred = self._all_unseen(events)
            events = blurred
            found, told = self.conflicts, {c.at.pos for c in self.conflicts}
            self.conflicts, self.doubts = [], {}
            proofs, _ = self._learn(events, keep_hands=True)
            blurred = None if last else self._blur(events)
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
        state, folded = self._begin(), 0
        doubtful = {c.at.hand for c in self.conflicts}
        events = list(self.events)
        budget = self.budget.part(self.budget.limit // NAMING)
        for hand in sorted({self.hand_at[e.step - 1] for e in self.journal if e.kind == "out"} - doubtful):
            if not hand or self.only not in (0, hand):
                continue
            first, last = self._span(hand)
            for step in range(folded + 1, first):
                state.at = state.table.now = step
                evolve(state, events[step - 1])
            folded = first - 1
            state.table.trouble.clear()
            faces = cards_by_elimination(state, events[first - 1 : last], first, last, budget)
            if faces is None:
                budget.cut("elimination", hand)
                continue
            for step, codes in faces.items():
                cards = tuple(state.game.pack.faces[c] for c in codes)
                opened = opened_with(events[step - 1], cards)
                if opened is not None:
                    events[step - 1] = opened
                    self.inferred[self.view.events[step - 1].n] = cards
        self.events = events
        if len(self.inferred) > known:
            conflicts = self.conflicts
            self.proofs, _ = self._learn(self.events, keep_hands=True)
            self.conflicts = conflicts

    def _begin(self) -> State[Any]:
        """The state before the first event, to be changed at will."""
        return begin(self.view.opening.facts) if self.start is None else own_state(self.start)

    def _span(self, hand: int) -> tuple[int, int]:
        """The first and the last step of a hand."""
        return bisect_left(self.hand_at, hand) + 1, bisect_right(self.hand_at, hand)

    # -- learning -------------------------------------------------------------------------------------------------

    def _learn(self, events: Sequence[Event], keep_hands: bool = False) -> tuple[list[Proof], State[Any]]:
        """Fold without judging: which unseen cards turned out to be which, and what cannot be."""
        self._seen = Mentions(self.view.events)
        clashes = len(self.conflicts)
        state = self._begin()
        journal: list[Entry] = []
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
        read = len(events) + CLASH * (len(self.conflicts) - clashes)
        self.read += read
        self.budget.spend(read)
        if not keep_hands:
            self.hand_at = hands
        self.journal = journal
        # What a row turned out to hold, the slots of the holdings do not have.
        self.turned = [Proof(e.pile, e.since, e.step, e.code) for e in journal if e.kind == "turned"]
        return [Proof(e.pile, e.since, e.step, e.code) for e in journal if e.kind in ("shown", "turned")], state

    def _blur(self, events: Sequence[Event]) -> list[Event] | None:
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
            first, last = self._span(hand)
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
        seen = self._seen
        seen.reach(step)
        places: Sequence[int]
        if trouble.rule == TWICE:
            # Wherever the card was recorded in this hand, one of the times was wrong.
            self.doubts[step, card] = None
            places = seen.cards.get(trouble.card, ())
            self.doubts.update(((i, card), None) for i in seen.fresh(places))
        elif trouble.rule == TOO_MANY and trouble.pile in self.view_seats:
            # One of the cards that this seat put down was not of this hand.
            self.doubts[step, ()] = None
            places = seen.put_down.get(trouble.pile, ())
            self.doubts.update(((i, ()), None) for i in seen.fresh(places))
        else:
            # The card may have been recorded elsewhere; or one of those that should lie there was written wrong.
            self.doubts[step, card] = None
            tokens = card + tuple(pack.cards(trouble.doubt))
            found = {token: seen.cards[token][-1] for token in tokens if token in seen.cards}
            self.doubts.update(((i, (token,)), None) for token, i in found.items())
            places = sorted(set(found.values()))
        named = [self.view.events[i - 1].n for i in (places if len(places) <= NAMED else places[: NAMED // 2])]
        if named:
            more = f" and {len(places) - len(named)} more, and at" if len(places) > len(named) else " and at"
            text += f" (recorded at {', '.join(map(str, named))}{more} {here.n})"
        at = Place(here.n, hand)
        # What was written is added to those that are told: a record in conflict is read again and again.
        return Finding(
            f"table.{trouble.rule}", Verdict.BROKEN, at, at, text, "", here.event.by, rule.heading, rule.short, rule.text,
            card, evidence=(*named, here.n),
        )  # fmt: skip

    def _misfit(self, at: int, text: str) -> Finding:
        step = self._steps.get(at)
        place = Place(at, self.hand_at[step - 1] if step else self.hand_at[-1] if self.hand_at else 0)
        rule = TABLE["T11"]
        return Finding("table.T11", Verdict.BROKEN, place, place, text, "", "@", rule.heading, rule.short, rule.text)

    # -- judging --------------------------------------------------------------------------------------------------

    def _ask(self, walk: Iterable[RuleQuestion]) -> Iterator[Finding]:
        """What the rules say about every act, as findings."""
        questions: list[RuleQuestion] = []
        for said in walk:
            if said.says.verdict == Verdict.BROKEN and said.owner == "table":
                yield self._table(said.rule.id, said.says.text, said.placed, said.state)
                continue
            if said.says.verdict == Verdict.OPEN:
                questions = [q for q in questions if q.placed.n == said.placed.n] + [said]
                if len(questions) > 1 and said.placed.n not in self.either:
                    rules = broken_for_every_holding(questions)
                    if rules:
                        self.illegal[said.placed.n] = None
                        self.either[said.placed.n] = rules
            yield self._verdict(said)

    def walk(
        self, events: Sequence[Event], proofs: Sequence[Proof], *, state: State[Any] | None = None, first: int = 1,
        astray: Sequence[bool] | None = None, asked: int = 0,
    ) -> Iterator[RuleQuestion]:
        """The forward walk: before each act its checks are asked with what was held at that moment.

        `proofs` are laid over the unseen cards of the holdings. With `state`, the walk begins there, and `events` are
        the steps from `first` on; `astray` says of each whether an act may be missing before it. Rules are asked from the step `asked` on. Each event is applied once everything said about it has been taken.
        """
        self.budget.spend(len(events))
        if state is None:
            state = self._begin()
        key = state.game.key
        plan = plans(key)
        acts = acts_of(key)
        foresight = Hindsight(proofs, first)
        turning = foresight.turning
        for step, event in enumerate(events, first):
            placed = self.view.events[step - 1]
            state.at = placed.n
            state.table.now = step
            if step in turning:
                foresight.reach(step, state)
            if astray is not None:
                state.table.astray = astray[step - first]
            kind = type(event)

            if kind in acts:
                if not seated(event.by, state) and not (event.by == "@" and kind in ANY_TIME):
                    seats = ", ".join(state.terms.seats)
                    yield physical("T7", f"{event.by} is no seat of this match; the seats are {seats}", placed, state)
                    continue
                if state.phase == "between" and not state.ended:
                    in_hand(state)
            if state.ended and after_the_end(event, state):
                # A further hand is marked once, where it begins. Nothing comes of it, so no rule is asked about it either.
                further = state.beyond or kind in ANOTHER_HAND
                if kind is Hand or (not state.beyond and plays_on(event, state)):
                    yield physical("T6", f"the match was over before this{won_by(state)}; it changes nothing", placed, state)
                if further:
                    evolve(state, event)
                    continue
            checks = plan[state.phase].get(kind)
            if checks is None and kind in acts and not state.ended:
                state.game.unwritten(state, event)
                checks = plan[state.phase].get(kind)
            if checks is None:
                if kind in acts and not state.ended:
                    now = state.game.phases[state.phase].name if state.phase in state.game.phases else "no hand"
                    yield physical("T6", f"this is the time of {now}, and that is something else", placed, state)
                elif kind not in acts and kind is not Call and not state.ended:
                    # Whatever is said besides may be said; what is done has to be something that is done in this game.
                    yield physical("T6", f"{state.game.name} knows no {verb_of(event)}; it changes nothing", placed, state)
            else:
                if state.hand is None and kind in ON_THE_TABLE:
                    checks = ()
                for check in checks if step >= asked else ():
                    says = check.run(event, state)
                    if step in self.blurred:
                        says = in_conflict(check.run, says, event, placed.event, state, self.budget)
                    if says is None:
                        continue
                    if placed.n in self.view.adrift:
                        yield RuleQuestion(key, check.rule, CheckResult(Verdict.OPEN, "it speaks of a meld that a correction took away"), placed, state, [])
                    elif step in self.blurred and says.verdict == Verdict.OPEN:
                        # What the rest of the pack says about the card is of no use where one line is wrong.
                        yield RuleQuestion(key, check.rule, says, placed, state, [])
                    else:
                        suppose = partial(asked_about, check.run, state)
                        yield RuleQuestion(key, check.rule, says, placed, state, foresight.standing, partial(check.run, event, state), suppose)
            if isinstance(event, Tally):
                for rule, text in cannot_be(event.facts, state):
                    if rule:
                        yield RuleQuestion(key, state.game.rules[rule], (wrong := broken(text)), placed, state, [], partial(same, wrong))
                    else:
                        yield physical("T10", text, placed, state)
            evolve(state, event)
            state.table.trouble.clear()

    def _verdict(self, said: RuleQuestion) -> Finding:
        """The finding about what a rule says, with what proves it and when that was there."""
        placed, state, says = said.placed, said.state, said.says
        at = Place(placed.n, state.number)
        if says.verdict == Verdict.OPEN:
            return self._finding(said.owner, said.rule, says, placed, at, None)
        pack = state.game.pack
        cards = tuple(dict.fromkeys(pack.cards(says.cards)))
        evidence = [placed.n]
        known: Place | None = at
        because: list[str] = []
        needed: list[Proof] = []
        if said.standing:
            needed = self._needed(said)
            if needed:
                until = max(needed, key=lambda p: p.until).until
                last = self.view.events[until - 1]
                known = Place(last.n, self.hand_at[until - 1])
                evidence += list(dict.fromkeys(self.view.events[p.until - 1].n for p in sorted(needed, key=lambda p: p.until)))
                because += [self._shown(p, placed, state) for p in sorted(needed, key=lambda p: p.until)]
        pile = state.table.piles.get(says.holder)
        if pile is not None and pile.covered and not (says.cards and pile.certain & says.cards):
            because.append(
                f"by counting: {says.holder} has {pile.hidden} unseen card{'s' * (pile.hidden != 1)} at {placed.n}, "
                "and the other cards without a place are too few to be all of them"
            )
        mine = self._inferred_in.get(state.number, ())
        because += [
            f"inferred: the card at {n} is the {pretty_all(self.inferred[n])}, as every other card of the pack has its place" for n in mine
        ]
        if not self._plain(placed, state.number, mine, needed):
            known = None  # to be dated by what shorter logs said
        options = legal(state)
        instead = tuple(write_event(act) for act in options.acts if act.by == placed.event.by)
        return self._finding(
            said.owner, said.rule, says, placed, at, known, cards=cards, legal=instead, complete=options.complete,
            evidence=tuple(evidence), because=tuple(because),
        )  # fmt: skip

    def _needed(self, said: RuleQuestion) -> list[Proof]:
        """The later proofs without which the rule would not be known to be broken: those there earliest, and no more."""
        state = said.state

        def shows_it(proofs: list[Proof]) -> bool:
            apply_proofs(state, proofs)
            says = said.ask()
            return says is not None and says.verdict == Verdict.BROKEN

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

    def _shown(self, proof: Proof, placed: NumberedEvent, state: State[Any]) -> str:
        """How a later event proves where a card lay, as a sentence."""
        events = self.view.events
        card = pretty_all([state.game.pack.faces[proof.code]])
        came = f"nothing unseen came in after {events[proof.since - 1].n}" if proof.since else "nothing unseen came in since"
        shown = events[proof.until - 1]
        return f"{proof.pile} held {card} at {placed.n}: {came}, and {shown.n} shows it ({write_event(shown.event)})"

    # -- dating ---------------------------------------------------------------------------------------------------

    def _plain(self, placed: NumberedEvent, hand: int, inferred: Sequence[int], needed: Sequence[Proof]) -> bool:
        """Whether each shorter log reads this hand as the whole one does, so that proofs alone say when it was known."""
        if inferred or hand in self._clashing:
            return False
        fixes = self._fixes
        if not fixes:
            return True
        if not needed:
            # Known at once, unless a later fix changed what was read up to here.
            return fixes[-1] <= placed.n
        return False

    @cached_property
    def _clashing(self) -> set[int]:
        """The hands in which the record contradicts itself."""
        return {c.at.hand for c in self.conflicts}

    @cached_property
    def _inferred_in(self) -> dict[int, list[int]]:
        """For each hand the positions whose cards were named by elimination."""
        out: dict[int, list[int]] = {}
        for n in self.inferred:
            out.setdefault(self.hand_at[self._step(n) - 1], []).append(n)
        return out

    @cached_property
    def _fixes(self) -> list[int]:
        """The positions of the corrections."""
        return [r.n for r in self.log if type(r.event) is Fix]

    def _dated(self, findings: list[Finding]) -> list[Finding]:
        """Date what proofs alone cannot: by asking every shorter log that may know it first.

        Without conflicts a longer log never knows less until something is corrected, so halving finds the shortest among
        those from one correction to the next; where there is a conflict a finding may come and go, and each is asked in
        turn. When this part of the budget is at an end, the rest is dated by the end of its hand.
        """
        waiting = {(f.at.pos, f.rule): f for f in findings if f.known_from is None and f.verdict == Verdict.BROKEN}
        if not waiting:
            return findings
        if not self.log:
            return [replace(f, known_from=f.at) if (f.at.pos, f.rule) in waiting else f for f in findings]
        dates: dict[tuple[int, str], int] = {}
        bounds: set[tuple[int, str]] = set()
        known: dict[int, set[tuple[int, str]]] = {}
        clash: dict[int, set[int]] = {}
        conflicts = self._clashing
        fixes = self._fixes
        hands = {p.n: h for p, h in zip(self.view.events, self.hand_at, strict=True)}
        budget = self.budget.part(self.budget.limit // DATING)
        refused = False

        def asked(n: int, hand: int) -> set[tuple[int, str]]:
            nonlocal refused
            if n not in known:
                if budget.left <= 0:
                    refused = True
                    return set()
                if fixes:
                    other = Judge(corrected([r for r in self.log if r.n <= n], self.view.meaning), budget=budget)
                else:
                    # Nothing that came later touches the hands before, so they need not be read again.
                    first, last = self._span(hand)
                    part = tuple(p for p in self.view.events[first - 1 : last] if p.n <= n)
                    other = Judge(Corrected(self.view.opening, part), (), hand, before(hand), budget)
                known[n] = other.broken()
                clash[n] = {c.at.hand for c in other.conflicts}
                # What was not read to the end says nothing for certain.
                refused = refused or hand in other.given_up - self.given_up
            return known[n]

        state, folded = self._begin(), 0

        @cache
        def before(hand: int) -> State[Any]:
            """The state before the first event of a hand; the hands are asked for in order, or the fold begins anew."""
            nonlocal state, folded
            first, _ = self._span(hand)
            if first <= folded:
                state, folded = self._begin(), 0
            for step in range(folded + 1, first):
                state.at = self.view.events[step - 1].n
                evolve(state, self.events[step - 1])
            folded = first - 1
            state.table.trouble.clear()
            return own_state(state)

        @cache
        def entered(hand: int) -> list[int]:
            """The positions at which something was entered about this hand, corrections among them."""
            first, last = self._span(hand)
            return sorted({*(p.n for p in self.view.events[first - 1 : last]), *fixes})

        for (pos, rule), finding in waiting.items():
            hand = finding.at.hand
            # Only what was entered about this hand, and corrections, can have told anything.
            told = entered(hand)
            found, refused = max(pos, told[-1]) if told else pos, budget.left <= 0
            if not refused:
                at = told[bisect_left(told, pos) :]
                if not at or at[0] != pos:
                    at = [pos, *at]
                for part in split_at_corrections(at, fixes):
                    # The whole log shows it; what a shorter one does is asked.
                    shown = part[-1] == at[-1] or (pos, rule) in asked(part[-1], hand)
                    if hand in clash.get(part[-1], conflicts):
                        first = next((n for n in part if (pos, rule) in asked(n, hand)), None)
                    elif shown:
                        first = part[bisect_left(part, True, 0, len(part) - 1, key=lambda n: (pos, rule) in asked(n, hand))]
                    else:
                        first = None
                    if first is not None:
                        found = first
                        break
            if refused and found != pos:
                budget.cut("dates", hand)
            dates[pos, rule] = found
            if refused and found != pos:
                bounds.add((pos, rule))
        out = []
        for f in findings:
            n = dates.get((f.at.pos, f.rule))
            if n is not None:
                where = Place(n, hands.get(n, f.at.hand))
                f = replace(f, known_from=where, bound=(f.at.pos, f.rule) in bounds, evidence=tuple(dict.fromkeys((*(e for e in f.evidence if e <= n), n))))
            out.append(f)
        return out

    def _table(self, rule: str, text: str, placed: NumberedEvent, state: State[Any]) -> Finding:
        at = Place(placed.n, state.number)
        return self._finding("table", TABLE[rule], CheckResult(Verdict.BROKEN, text), placed, at, at, evidence=(placed.n,))

    def _finding(
        self, game: str, rule: Rule, says: CheckResult, placed: NumberedEvent, at: Place, known: Place | None, *,
        cards: tuple[str, ...] = (), legal: tuple[str, ...] = (), complete: bool = False, evidence: tuple[int, ...] = (),
        because: tuple[str, ...] = (),
    ) -> Finding:  # fmt: skip
        return Finding(
            rule=f"{game}.{rule.id}", verdict=says.verdict, at=at, known_from=known, text=says.text,
            act=write_event(placed.event), by=placed.event.by, heading=rule.heading, short=rule.short,
            sentence=rule.text, cards=cards, holder=says.holder, legal=legal, complete=complete, evidence=evidence,
            because=because,
        )  # fmt: skip

    def _step(self, pos: int) -> int:
        """The step of a position; one past the end for what is not folded."""
        return self._steps.get(pos, len(self.view.events) + 1)

    def _written(self, pos: int) -> str:
        """The event at a position as it is written."""
        return write_event(self.view.events[self._step(pos) - 1].event)

    @cached_property
    def _steps(self) -> dict[int, int]:
        return {p.n: i for i, p in enumerate(self.view.events, 1)}


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


__all__ = ["judge"]
