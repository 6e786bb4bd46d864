"""The judge: walks a log, asks every rule about every act, and says what it found.

A log read to its end knows more than the recorder did: a card that a seat played at 29 and did not pick up after 12 was
in its holding at 12. So the log is folded once to learn which unseen cards turned out to be which, and then judged
with what was certainly held at each moment. Knowledge comes from physical facts alone.

The recorder is suspected before the players. Where a log contradicts itself (a card in two places, more cards than a
hand holds) every position of that conflict is read as unseen before anything is judged, and the conflict itself is
the first finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.cards import pretty_all, squeeze
from events.model import Capture, Event, Hand, Open, Recorded, Tally
from events.writing import write_event
from reducers.game import acts_of, begin, evolve, find, in_hand, legal, plans
from reducers.rules import TABLE, Check, Rule, Says, Verdict
from reducers.state import State
from reducers.table import Entry, Trouble
from replay.fold import Corrected, Placed, corrected
from replay.slots import Proof, every, opened_with, slots_of, ways_of, world

# Ways the hidden cards of a hand can lie, up to which elimination looks at every one.
FEW = 500


class Place(Struct, frozen=True):
    """A position in the match, with its hand said beside it."""

    pos: int
    hand: int


class Finding(Struct, frozen=True):
    """A verdict worth showing.

    `rule` is the full id ("kaiser.R11"); `at` the act it is about; `known_from` the first position at which the log so
    far shows it, None while it is open. `cards` make it so (of `holder`, where they are somebody's); `legal` are acts
    known to have been possible instead, in written form, and `complete` says whether these are all. `text` says what
    is wrong in a sentence, `sentence` the rule in our words, `evidence` are the positions that prove it.
    """

    rule: str
    verdict: Verdict
    at: Place
    known_from: Place | None
    text: str
    act: str = ""
    by: str = ""
    heading: str = ""
    short: str = ""
    sentence: str = ""
    cards: tuple[str, ...] = ()
    holder: str = ""
    legal: tuple[str, ...] = ()
    complete: bool = False
    evidence: tuple[int, ...] = ()


class Said(Struct):
    """What a rule of `owner` (a game, or the table) says about an act, and the state just before it."""

    owner: str
    rule: Rule
    says: Says
    placed: Placed
    state: State[Any]
    standing: list[Proof]


class Judgement(Struct):
    """Everything the judge has to say about a log: findings in order, and the state it ended in.

    `inferred` has the cards that nobody saw played and that the rest of the pack leaves no choice about, by position.
    """

    findings: list[Finding]
    state: State[Any]
    inferred: dict[int, tuple[str, ...]] = {}

    @property
    def broken(self) -> list[Finding]:
        """The findings that are certain."""
        return [f for f in self.findings if f.verdict == Verdict.BROKEN]

    @property
    def open(self) -> list[Finding]:
        """The questions that hidden cards leave open."""
        return [f for f in self.findings if f.verdict == Verdict.OPEN]


def judge(records: Iterable[Recorded]) -> Judgement:
    """Judge a log. Raises UnreadableError or NotFoundError if it cannot be opened at all."""
    log = list(records)
    view = corrected(log)
    return Judge(view).run()


class Script(Struct, frozen=True):
    """What is done with one type of act in one phase: asked of its checks, then applied."""

    act: Callable[[Any, Any], None]
    checks: tuple[Check, ...]


@cache
def scripts(key: str) -> dict[str, dict[type[Event], Script]]:
    """For each phase of a game, the scripts of the acts that belong to it."""
    on, plan = find(key).on, plans(key)
    return {
        phase: {kind: Script(on.get(kind, evolve_only), plan[phase][kind]) for kind in acts_of(key) if kind in plan[phase]}
        for phase in plan
    }


def evolve_only(event: Event, state: State[Any]) -> None:
    """Apply an event in the general way."""
    evolve(state, event)


class Judge:
    """One judging of one corrected log. Steps count the folded events from 1; positions are what people call them."""

    def __init__(self, view: Corrected) -> None:
        self.view = view
        self.hand_at: list[int] = []
        self.conflicts: list[Finding] = []
        self.journal: list[Entry] = []
        self.events: list[Event] = [p.event for p in view.events]
        self.proofs: list[Proof] = []
        self.short = False
        # Cards that elimination named, by position.
        self.inferred: dict[int, tuple[str, ...]] = {}

    def run(self) -> Judgement:
        """Fold to learn, blur what is in conflict, then ask the rules."""
        clean = self._clean()
        if clean is not None:
            self.short = True
            return clean
        state = self.learn()
        findings = self.conflicts + [self._misfit(m.at, m.text) for m in self.view.misfits]
        findings += self._ask(self.events, self.proofs)
        findings.sort(key=lambda f: (not f.rule.startswith("table."), self._step(f.at.pos)))
        return Judgement(findings, state, self.inferred)

    def learn(self) -> State[Any]:
        """Find the conflicts, read what is in conflict as unseen, and learn which unseen cards turned out to be which.

        Returns the state the log ends in as it was recorded; `events` are then those to judge, with `proofs`.
        """
        events = self.events
        proofs, state = self._learn(events)
        blurred = self._blur(events)
        while blurred is not None and blurred != events:
            events = blurred
            found = self.conflicts
            self.conflicts = []
            proofs, _ = self._learn(events, keep_hands=True)
            blurred = self._blur(events)
            # What only shows once the first conflict is set aside is a conflict too.
            self.conflicts = found + [c for c in self.conflicts if c not in found]
        self.events, self.proofs = events, proofs
        self._eliminate()
        return state

    def _eliminate(self) -> None:
        """Name the cards nobody saw played, where only one face is left for them in every way the cards can lie.

        What is learnt so is inferred from the whole pack, not seen: `inferred` keeps it with its step.
        """
        if not any(e.kind == "out" for e in self.journal):
            return
        known = len(self.inferred)
        for hand in sorted({self.hand_at[e.step - 1] for e in self.journal if e.kind == "out"}):
            steps = [i for i, n in enumerate(self.hand_at, 1) if n == hand]
            first, last = steps[0], steps[-1]
            start = begin(self.view.opening.facts)
            for step, event in enumerate(self.events[: first - 1], 1):
                start.at = start.table.now = step
                evolve(start, event)
            start.table.trouble.clear()
            hand_events = self.events[first - 1 : last]
            ways, free, why = slots_of(start, hand_events, first, last)
            pack = start.game.pack
            if why or sum(ways_of(slots, free, pack) for slots in ways) > FEW:
                continue
            told: dict[int, set[tuple[int, ...]]] = {}
            for slots in ways:
                for chosen in every(slots, free, pack):
                    for step, codes in world(slots, chosen, hand_events, first, pack)[2].items():
                        told.setdefault(step, set()).add(tuple(codes))
            for step, faces in told.items():
                if len(faces) == 1:
                    cards = tuple(pack.faces[c] for c in next(iter(faces)))
                    opened = opened_with(self.events[step - 1], cards)
                    if opened is not None:
                        self.events = [*self.events[: step - 1], opened, *self.events[step:]]
                        self.inferred[self.view.events[step - 1].n] = cards
        if len(self.inferred) > known:
            found = self.conflicts
            self.proofs, _ = self._learn(self.events, keep_hands=True)
            self.conflicts = found

    def _clean(self) -> Judgement | None:
        """The short way for a log in which every card is known and nothing is in conflict: one walk, no hindsight.

        None as soon as an unseen card came in or something cannot be; then the long way begins.
        """
        if self.view.misfits:
            return None
        state = begin(self.view.opening.facts)
        key = state.game.key
        table, seats = scripts(key), state.terms.side_of
        journal: list[Entry] = []
        state.table.journal = journal
        trouble = state.table.trouble
        findings: list[Finding] = []
        for placed in self.view.events:
            event = placed.event
            kind = type(event)
            state.at = placed.n
            script = table[state.phase].get(kind)
            if script is None or event.by not in seats:
                # Not an act in its place: the deal, a claim, the first act of a hand nobody began; or out of order.
                if kind in acts_of(key):
                    if event.by not in seats or state.ended or state.phase != "between":
                        return None
                    in_hand(state)
                    script = table[state.phase].get(kind)
                    if script is None:
                        return None
                elif kind is Tally or journal or trouble:
                    return None
                else:
                    script = Script(evolve_only, tuple(plans(key)[state.phase].get(kind, ())))
            for check in script.checks:
                says = check.run(event, state)
                if says is not None:
                    findings.append(self._verdict(key, check.rule, says, placed, state, []))
            script.act(event, state)
        return None if journal or trouble else Judgement(findings, state)

    # -- learning -------------------------------------------------------------------------------------------------

    def _learn(self, events: Sequence[Event], keep_hands: bool = False) -> tuple[list[Proof], State[Any]]:
        """Fold without judging: which unseen cards turned out to be which, and what cannot be."""
        state = begin(self.view.opening.facts)
        journal: list[Entry] = []
        state.table.journal = journal
        hands: list[int] = []
        for step, event in enumerate(events, 1):
            state.at = self.view.events[step - 1].n
            state.table.now = step
            evolve(state, event)
            hands.append(state.number)
            if state.table.trouble:
                for trouble in state.table.trouble:
                    self.conflicts.append(self._conflict(step, trouble, state.number))
                state.table.trouble.clear()
        if not keep_hands:
            self.hand_at = hands
        self.journal = journal
        return [Proof(e.pile, e.since, e.step, e.code) for e in journal if e.kind == "shown"], state

    def _blur(self, events: Sequence[Event]) -> list[Event] | None:
        """The log with every card in conflict read as unseen at both its places; None if there is no conflict."""
        if not self.conflicts:
            return None
        out = list(events)
        for finding in self.conflicts:
            for pos in finding.evidence:
                step = self._step(pos)
                out[step - 1] = without(out[step - 1], finding.cards)
        return out

    def _conflict(self, step: int, trouble: Trouble, hand: int) -> Finding:
        here = self.view.events[step - 1]
        rule = TABLE[trouble.rule]
        places = [here.n]
        text = trouble.text
        other = last_sighting(self.view.events[: step - 1], trouble.card)
        if other is not None:
            places.insert(0, other.n)
            text += f" (recorded at {other.n} and at {here.n})"
        cards = (trouble.card,) if trouble.card and trouble.card != "??" else ()
        at = Place(here.n, hand)
        return self._finding("table", rule, Says(Verdict.BROKEN, text), here, at, at, cards=cards, evidence=tuple(places))

    def _misfit(self, at: int, text: str) -> Finding:
        place = Place(at, self.hand_at[-1] if self.hand_at else 0)
        rule = TABLE["T11"]
        return Finding("table.T11", Verdict.BROKEN, place, place, text, "", "@", rule.heading, rule.short, rule.text)

    # -- judging --------------------------------------------------------------------------------------------------

    def _ask(self, events: Sequence[Event], proofs: Sequence[Proof]) -> Iterator[Finding]:
        """What the rules say about every act, as findings."""
        for said in self.walk(events, proofs):
            if said.says.verdict == Verdict.BROKEN and said.owner == "table":
                yield self._table(said.rule.id, said.says.text, said.placed, said.state)
            else:
                yield self._verdict(said.owner, said.rule, said.says, said.placed, said.state, said.standing)

    def walk(
        self, events: Sequence[Event], proofs: Sequence[Proof], *, state: State[Any] | None = None, first: int = 1
    ) -> Iterator[Said]:
        """The forward walk: before each act its checks are asked with what was held at that moment.

        `proofs` are laid over the unseen cards of the holdings. With `state`, the walk begins there, and `events` are
        the steps from `first` on. Each event is applied once everything said about it has been taken.
        """
        if state is None:
            state = begin(self.view.opening.facts)
        key = state.game.key
        plan = plans(key)
        acts = acts_of(key)
        starts: dict[int, list[Proof]] = {}
        stops: dict[int, list[Proof]] = {}
        for proof in proofs:
            starts.setdefault(proof.since + 1, []).append(proof)
            stops.setdefault(proof.until + 1, []).append(proof)
        standing: list[Proof] = []
        for step, event in enumerate(events, first):
            placed = self.view.events[step - 1]
            state.at = placed.n
            state.table.now = step
            if step in starts or step in stops:
                standing = self._foresee(state, standing, starts.get(step, []), stops.get(step, []))
            kind = type(event)

            if kind in acts:
                if event.by.partition(":")[0] not in state.terms.side_of:
                    seats = ", ".join(state.terms.seats)
                    yield physical("T7", f"{event.by} is no seat of this match; the seats are {seats}", placed, state)
                    continue
                if state.ended:
                    yield physical("T6", "the match was over before this", placed, state)
                elif state.phase == "between":
                    in_hand(state)
            checks = plan[state.phase].get(kind)
            if checks is None:
                if kind in acts and not state.ended:
                    now = state.game.phases[state.phase].name if state.phase in state.game.phases else "no hand"
                    yield physical("T6", f"this is the time of {now}, and that is something else", placed, state)
            else:
                for check in checks:
                    says = check.run(event, state)
                    if says is not None:
                        yield Said(key, check.rule, says, placed, state, standing)
            if isinstance(event, Tally):
                for name in unknown_keys(event, state):
                    yield physical("T10", f"{state.game.name} knows no fact '{name}' in a tally", placed, state)
            evolve(state, event)
            state.table.trouble.clear()

    def _foresee(
        self, state: State[Any], standing: list[Proof], start: list[Proof], stop: list[Proof]
    ) -> list[Proof]:
        """Lay what later events prove over the unseen cards of each holding."""
        standing = [p for p in standing if p not in stop] + [p for p in start if p.until > p.since]
        unit = state.table.pack.unit
        for pile in state.table.piles.values():
            pile.later = 0
        state.table.later = 0
        for proof in standing:
            if proof.pile in state.table.piles:
                state.table.piles[proof.pile].later += unit[proof.code]
                state.table.later += unit[proof.code]
        return standing

    def _verdict(
        self, game: str, rule: Rule, says: Says, placed: Placed, state: State[Any], standing: list[Proof]
    ) -> Finding:
        at = Place(placed.n, state.number)
        if says.verdict == Verdict.OPEN:
            return self._finding(game, rule, says, placed, at, None)
        pack = state.game.pack
        cards = tuple(dict.fromkeys(pack.cards(says.cards)))
        evidence = [placed.n]
        known = Place(max(placed.n, placed.at), state.number)
        if says.cards and says.holder in state.table.piles:
            pile = state.table.piles[says.holder]
            if says.together or not pile.known & says.cards:
                # Only later events show it: the first of them is when it could be known, or the last that is needed.
                shown = [
                    p for p in standing if p.pile == says.holder and pack.field[p.code] & says.cards
                ]  # fmt: skip
                if shown:
                    choose = max if says.together else min
                    first = choose((self.view.events[p.until - 1] for p in shown), key=lambda p: max(p.n, p.at))
                    known = Place(max(first.n, first.at, placed.at), self.hand_at[self._step(first.n) - 1])
                    evidence.append(first.n)
        options = legal(state)
        instead = tuple(write_event(act) for act in options.acts if act.by == placed.event.by)
        return self._finding(
            game, rule, says, placed, at, known, cards=cards, legal=instead, complete=options.complete,
            evidence=tuple(evidence),
        )  # fmt: skip

    def _table(self, rule: str, text: str, placed: Placed, state: State[Any]) -> Finding:
        at = Place(placed.n, state.number)
        return self._finding("table", TABLE[rule], Says(Verdict.BROKEN, text), placed, at, at, evidence=(placed.n,))

    def _finding(
        self, game: str, rule: Rule, says: Says, placed: Placed, at: Place, known: Place | None, *,
        cards: tuple[str, ...] = (), legal: tuple[str, ...] = (), complete: bool = False, evidence: tuple[int, ...] = (),
    ) -> Finding:  # fmt: skip
        return Finding(
            rule=f"{game}.{rule.id}", verdict=says.verdict, at=at, known_from=known, text=says.text,
            act=write_event(placed.event), by=placed.event.by, heading=rule.heading, short=rule.short,
            sentence=rule.text, cards=cards, holder=says.holder, legal=legal, complete=complete, evidence=evidence,
        )  # fmt: skip

    def _step(self, pos: int) -> int:
        """The step of a position; one past the end for what is not folded."""
        steps = self.__dict__.setdefault("_steps", {p.n: i for i, p in enumerate(self.view.events, 1)})
        return int(steps.get(pos, len(self.view.events) + 1))


def physical(rule: str, text: str, placed: Placed, state: State[Any]) -> Said:
    """What the table itself says about an act."""
    return Said("table", TABLE[rule], Says(Verdict.BROKEN, text), placed, state, [])


def last_sighting(events: Sequence[Placed], card: str) -> Placed | None:
    """The last of these events, within the hand in play, that shows a card."""
    if card in ("", "??"):
        return None
    for placed in reversed(events):
        if isinstance(placed.event, Hand):
            return None
        if without(placed.event, (card,)) != placed.event:
            return placed
    return None


def without(event: Event, cards: Iterable[str]) -> Event:
    """The event with these cards read as unseen, wherever they stand in it.

    >>> from events.model import Play
    >>> without(Play(by="N", cards=("7h",)), ["7h"]).cards
    ('??',)
    """
    gone = set(cards)

    def blur(items: tuple[str, ...]) -> tuple[str, ...]:
        return squeeze("??" if c.partition("=")[0] in gone else c for c in items)

    changes: dict[str, Any] = {}
    if getattr(event, "cards", ()):
        changes["cards"] = blur(event.cards)  # type: ignore[union-attr]
    if getattr(event, "groups", ()):
        changes["groups"] = tuple(blur(g) for g in event.groups)  # type: ignore[union-attr]
    if getattr(event, "piles", ()):
        changes["piles"] = tuple((name, blur(c)) for name, c in event.piles)  # type: ignore[union-attr]
    if isinstance(event, Capture):
        changes["takes"] = blur(event.takes)
    return replace(event, **changes) if changes else event


def unknown_keys(event: Tally, state: State[Any]) -> Iterator[str]:
    """The keys of a tally that its game does not know."""
    who = {*state.terms.seats, *state.terms.sides}
    known = state.game.tally
    for key in flat(event.facts):
        shape = ".".join("#" if p.isdigit() else "*" if p.partition(":")[0] in who else p for p in key.split("."))
        if key not in known and shape not in known:
            yield key


def flat(facts: dict[str, Any], stem: str = "") -> Iterator[str]:
    """The dotted keys of nested facts."""
    for key, value in facts.items():
        if isinstance(value, dict):
            yield from flat(value, f"{stem}{key}.")
        else:
            yield f"{stem}{key}"


def sentence(finding: Finding) -> str:
    """A finding on one line, as `check` prints it."""
    where = f"hand {finding.at.hand}, event {finding.at.pos}"
    rule = f"{finding.rule} {finding.short}".strip()
    line = f"{finding.verdict}  {rule}  {where}: {finding.text}"
    if finding.cards and finding.holder:
        line += f" ({pretty_all(finding.cards)})"
    if finding.known_from is not None and finding.known_from.pos != finding.at.pos:
        line += f"; known from event {finding.known_from.pos}"
    return line


__all__ = ["Finding", "Judgement", "Open", "Place", "judge", "sentence", "without"]
