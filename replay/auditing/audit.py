"""The audit: every finding of the judge with its proof, and every open question with what would settle it.

`check` and `audit` use one judge. The audit adds the details a table asks for: the rule in words, the chain of
positions that proves the breach, the legal alternatives, the penalty, and for an open question the unseen cards that
keep it open. A player who cannot be proven wrong is not called wrong.

    broken  kaiser.R11 follow suit  hand 3, event 96: W plays 9♣; diamonds were led, and W holds one
    because W held J♦ at 96: dealt at 85, no card taken since, played at 118
    known   from event 118; W could know at once
    legal   J♦ (perhaps others)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from events.cards import pretty, pretty_all
from events.entries import read_args, read_event
from events.errors import KibitzError, NotFoundError
from events.model import Arrange, Event, Meld, Play, Recorded
from events.writing import write_event
from reducers.model import Game, State
from reducers.pile_words import pile_in_words
from reducers.rules import Verdict
from reducers.scoring import Penalty
from replay.auditing.audit_shapes import Audit, Audited, ExhaustiveRun, Offer, ProofLink, Worlds
from replay.auditing.check import check
from replay.auditing.deal import DealsOf
from replay.auditing.exhaustive import exact
from replay.auditing.proof import HindsightReplay, WalkingOnlooker, middle_before, piles_asked, plays_on_table
from replay.budget import cuts_in_words
from replay.judging.findings import OF_THE_RECORD, Finding, Judgement
from replay.judging.offers import is_physical
from replay.judging.worlds import SecondOpinion, with_all_worlds
from replay.log import NumberedEvent
from replay.read_log import read_log
from replay.scoring.rulings import breaches_of
from replay.table.wording import MAX_NAMED, cards_in_words, describe_event, reading_order, sorted_cards


def audit(
    records: Iterable[Recorded], *, hand: int | None = None, derived: Iterable[tuple[int, str]] = (),
    second: bool = False
) -> Audit:
    """Audit a log, or one hand of it; with `second` each finding has its exact opinion.

    Raises NotFoundError for a hand the log does not have, and like `replay.judging.judge.judge`.
    """
    log = read_log(records)
    judgement = check(log, derived, hand=hand)
    return audit_of(HindsightReplay(log), judgement, hand=hand, second=second)


def audit_of(
    memory: HindsightReplay, judgement: Judgement, *, hand: int | None = None, second: bool = False,
    also: Iterable[WalkingOnlooker] = (),
) -> Audit:  # fmt: skip
    """The audit of a judged log, in one walk; `also` are further onlookers. Raises NotFoundError for a hand the log
    does not have."""
    state = judgement.state
    known = {n for n in memory.hand_at if n} | {f.at.hand for f in judgement.findings}
    if hand is not None and hand not in known:
        last = max(known, default=0)
        raise NotFoundError(
            f"there is no hand {hand}", expected=f"a hand from 1 to {last}" if last else "a match that has begun",
        )
    opinions: dict[int, SecondOpinion] = {}
    if second:
        wanted = [hand] if hand is not None else sorted({f.at.hand for f in judgement.findings if f.at.hand})
        opinions.update({e.hand: e for e in exact(memory.log, hand=wanted)})
        judgement = with_all_worlds(judgement, opinions.values())
    findings = [f for f in judgement.findings if hand is None or f.at.hand == hand]
    findings.sort(key=lambda f: 0 if is_physical(f) else 2 if f.unless is None else 1)
    auditor = Auditor(memory, judgement, opinions, findings)
    deals = DealsOf(memory, [hand] if hand is not None else sorted({f.at.hand for f in findings if f.at.hand}))
    memory.walk(auditor, deals, *also)
    audited = auditor.audited()
    of_hand = {p.n for p, n in zip(memory.view.events, memory.hand_at, strict=True) if hand in (None, n)}
    return Audit(
        match=str(state.terms.facts.get("Match", "")), game=state.game.key, name=state.game.name,
        position=memory.log.last, hands=state.number, hand=hand,
        broken=tuple(a for a in audited if a.verdict == Verdict.BROKEN),
        open=tuple(a for a in audited if a.verdict == Verdict.OPEN),
        offers=tuple(
            Offer(r.hand, r.text, r.lines, tuple(f"{x.rule} at event {x.pos}" for x in r.removes), r.after)
            for r in judgement.repairs if hand in (None, r.hand)
        ),
        illegal=tuple(n for n in judgement.illegal if n in of_hand),
        across=tuple(one.names for one in judgement.either if not one.act and hand in (None, one.hand)),
        deals=tuple(d for d in deals.told() if d.packets),
        exact=tuple(ExhaustiveRun(e.hand, e.worlds, e.complete, worlds_words(e)) for e in opinions.values()),
        cuts=tuple(cuts_in_words(c for c in judgement.cuts if hand is None or c.hand in (0, hand))),
        either={one.act: one.names for one in judgement.either if one.act in of_hand},
    )  # fmt: skip


class Auditor(WalkingOnlooker):
    """Adds proofs to findings during a walk over the log (a `WalkingOnlooker`)."""

    def __init__(
        self, memory: HindsightReplay, judgement: Judgement, opinions: Mapping[int, SecondOpinion],
        findings: Sequence[Finding]
    ) -> None:
        self.memory, self.opinions, self.findings = memory, opinions, findings
        self.wanted: dict[int, list[int]] = {}
        for i, f in enumerate(findings):
            self.wanted.setdefault(memory.step.get(f.at.pos, 0), []).append(i)
        self.made = {one.act.n: one.act.event for one in memory.view.taken_back}
        self.done: dict[int, Audited] = {}
        self.game = judgement.state.game
        self.prescribed = list(self.game.judging.penalties(judgement.state, breaches_of(judgement, memory.view)))

    def look(self, step: int, placed: NumberedEvent, event: Event, state: State[Any]) -> None:
        """Complete the findings about an event; the state is the one before it."""
        for i in self.wanted.get(step, ()):
            self.done[i] = self.one(self.findings[i], step, self.made.get(self.findings[i].at.pos, event), state)

    def audited(self) -> list[Audited]:
        """Every finding with its proof, in the order given, after the walk."""
        return [self.done[i] if i in self.done else self.bare(f) for i, f in enumerate(self.findings)]

    def bare(self, f: Finding) -> Audited:
        """A finding about something that is not folded: a correction without a target, a line of the file."""
        return Audited(
            rule=f.rule, verdict=f.verdict.value, at=f.at, known_from=f.known_from, bound=f.bound, trick=f.trick,
            act=f.act, by=f.by, says=f.text, heading=f.heading, short=f.short, sentence=f.sentence, cards=f.cards,
            because=f.because, cost=cost_of(f, self.game, self.prescribed), unless=unless(f),
        )  # fmt: skip

    def one(self, f: Finding, step: int, event: Event, state: State[Any]) -> Audited:
        """A finding, with the state just before its act."""
        ours = f.rule not in OF_THE_RECORD
        because, chain = self.proof(f, step, state)
        return Audited(
            rule=f.rule, verdict=f.verdict.value, at=f.at, known_from=f.known_from, bound=f.bound, trick=f.trick,
            act=f.act or write_event(event), by=f.by, says=f.says,
            heading=f.heading, short=f.short, sentence=f.sentence,
            middle=middle_before(state, self.memory, step) if ours else "", cards=f.cards, holder=f.holder,
            because=reasons(f, because), chain=chain, knew=self.knew(f, state),
            legal=acts_in_words(f.legal, state) if ours else (), complete=f.complete,
            cost=cost_of(f, self.game, self.prescribed),
            settles=self.settles(f, event, state) if f.verdict == Verdict.OPEN else (), unless=unless(f),
            exact=self.exact(f),
        )  # fmt: skip

    def proof(self, f: Finding, step: int, state: State[Any]) -> tuple[tuple[str, ...], tuple[ProofLink, ...]]:
        """Why it is certain: a sentence per card, and the chain of positions."""
        spoken = ProofLink(f.at.pos, describe_event(self.memory.view.events[step - 1].event, self.game))
        if f.verdict == Verdict.OPEN:
            return (), ()
        if f.rule in OF_THE_RECORD:
            at = [self.memory.step[p] for p in f.evidence if p in self.memory.step]
            return (), tuple(
                ProofLink(self.memory.pos(s), describe_event(self.memory.view.events[s - 1].event, self.game))
                for s in at
            )
        if not self.ways(f, step, state):
            return (f"the act itself, against what the table saw up to event {f.at.pos}",), (spoken,)
        sentences, links = [], [spoken]
        ways = self.ways(f, step, state)
        for pile, cards in ways.items():
            if len(cards) > 2:
                said, way = self.many(pile, cards, step)
                sentences.append(said)
                links += way
                continue
            for card in cards:
                said, way = self.memory.way(card, pile, step, state)
                sentences.append(said)
                links += way
        rest = [c for c in f.cards if c not in ways.get(f.holder, ())]
        if rest and ways and f.holder in state.terms.side_of:
            sentences.append(f"{f.holder} held as well: {pretty_all(rest)}")
        return tuple(sentences), tuple(sorted(set(links), key=lambda link: (link.pos, link.text)))

    def ways(self, f: Finding, step: int, state: State[Any]) -> dict[str, list[str]]:
        """The cards to trace, by pile: those that later evidence shows; else one, or the board's."""
        pack = state.game.pack
        later = {self.memory.step[p] for p in f.evidence if p in self.memory.step}
        out: dict[str, list[str]] = {}
        for proof in self.memory.standing(step):
            pile = state.table.piles.get(proof.pile)
            needed = proof.until != step or any(
                f"held {pretty(pack.faces[proof.code])} at" in text for text in f.because
            )
            if needed and proof.until in later and pile is not None and not pile.known & pack.field[proof.code]:
                out.setdefault(proof.pile, []).append(pack.faces[proof.code])
        if not out and f.cards and f.holder:
            # One held card is enough; of a board, the cards that could have been taken.
            out[f.holder] = list(f.cards[:4] if f.holder not in state.terms.side_of else f.cards[:1])
        return out

    def many(self, pile: str, cards: Sequence[str], step: int) -> tuple[str, list[ProofLink]]:
        """Trace several cards of one pile in one sentence."""
        memory = self.memory
        pack = memory.pack
        proofs = sorted(
            (p for p in memory.standing(step) if p.pile == pile and pack.faces[p.code] in cards), key=lambda p: p.until,
        )
        links = [ProofLink(memory.pos(p.until), describe_event(memory.events[p.until - 1], self.game)) for p in proofs]
        shown = ", ".join(f"{pretty(pack.faces[p.code])} at {memory.pos(p.until)}" for p in proofs)
        since = max(p.since for p in proofs)
        came = f"no card taken since {memory.pos(since)}" if since else "no card taken since the deal"
        return f"{pile} held at {memory.pos(step)} what was seen later: {shown}; {came}", links

    def knew(self, f: Finding, state: State[Any]) -> str:
        """Who could know it, and when."""
        if f.known_from is None:
            return ""
        if f.known_from.pos == f.at.pos:
            return "at once"
        by = f" (by {f.holder} at once, from the own cards)" if f.holder in state.terms.side_of else ""
        if f.bound:
            return (
                f"by event {f.known_from.pos}, perhaps earlier: too much is doubtful in this record to "
                f"date it closer{by}"
            )
        return f"from event {f.known_from.pos}{by}"

    def settles(self, f: Finding, event: Event, state: State[Any]) -> tuple[str, ...]:
        """What would settle an open question: the unseen cards that it depends on."""
        out: list[str] = []
        groups = event.groups if isinstance(event, Meld) else (
            *event.groups, *(cards for _, cards in event.piles),
        ) if isinstance(event, Arrange) else ()
        named = (*getattr(event, "cards", ()), *getattr(event, "takes", ()), *(c for group in groups for c in group))
        unseen = [c for c in named if c == "*" or "?" in c]
        if unseen:
            out.append(
                f"{'everything' if '*' in unseen else cards_in_words(unseen)} of event {f.at.pos}, if "
                "somebody can name it"
            )
        missing = list(
            dict.fromkeys(
                seat for seat, codes in plays_on_table(state) if codes and max(codes) >= state.game.pack.unknown
            )
        )
        if missing:
            out.append(f"the unseen card of {' and '.join(missing)} in this trick, if somebody can name it")
        for name in piles_asked(f.rule.partition(".")[2], event, state):
            pile = state.table.piles.get(name)
            if pile is None:
                continue  # there is no pile before the first hand
            hidden, total = pile.hidden, len(pile)
            where = pile_in_words(name, state.table.called)
            if pile.vague:
                out.append(f"{where} at event {f.at.pos}: nobody counted it")
                continue
            which = (
                "the unseen card" if hidden == total == 1 else f"the {hidden} unseen cards" if hidden == total
                else f"{hidden} of the {total} cards"
            )
            free = sorted_cards(state.game.pack.cards(state.table.free()))
            of = f", out of {pretty_all(free)}" if len(free) <= 2 * MAX_NAMED else ""
            out.append(f"{where} at event {f.at.pos}: {which}{of}")
        return tuple(out) or (f"whether something is missing from the record before event {f.at.pos}",)

    def exact(self, f: Finding) -> Worlds | None:
        """The second opinion, if there is one for this hand."""
        e = self.opinions.get(f.at.hand)
        if e is None or f.rule in OF_THE_RECORD or (e.acts and f.at.pos not in e.acts):
            return None
        if not e.worlds:
            return Worlds("", 0, 0, False, worlds_words(e))
        found = next((o for o in e.opinions if o.pos == f.at.pos and o.rule == f.rule), None)
        n = found.worlds if found is not None else 0
        verdict = e.verdict(f.at.pos, f.rule).value
        if not e.complete:
            return Worlds(
                "open" if 0 < n < e.worlds else "", e.worlds, n, False,
                f"{'open: broken' if 0 < n < e.worlds else 'nothing proven: broken'} in {n} of {e.worlds} "
                "worlds drawn at random"
            )
        if e.worlds == 1:
            text = f"{verdict} in the only world that agrees with the record"
        elif n == e.worlds:
            text = f"broken in all {e.worlds} worlds"
        else:
            text = f"open: broken in {n} of {e.worlds} worlds" if n else f"allowed in all {e.worlds} worlds"
        return Worlds(verdict, e.worlds, n, True, text)


def reasons(f: Finding, ours: Sequence[str]) -> tuple[str, ...]:
    """The judge's reasons, or ours if they trace the same cards."""
    if not f.because:
        return tuple(ours)
    other = [text for text in f.because if " held " not in text.partition(":")[0]]
    return (*ours, *other) if any(" held " in text or " lay in " in text for text in ours) else f.because


def acts_in_words(acts: Sequence[str], state: State[Any]) -> tuple[str, ...]:
    """Written acts in words: bare cards if all of them play one."""
    events: list[Event] = []
    for text in acts:
        try:
            events.append(read_event(read_args(text), seats=state.terms.seats))
        except KibitzError:
            return tuple(acts)
    if all(isinstance(e, Play) and not e.src and not e.face for e in events):
        return tuple(
            pretty_all(c)
            for c in sorted((e.cards for e in events if isinstance(e, Play)), key=lambda c: reading_order(c[0]))
        )
    return tuple(describe_event(e, state.game).partition(" ")[2] for e in events)


def unless(f: Finding) -> str:
    """The correction of the record on which a finding depends, in words."""
    if f.unless is None:
        return ""
    first = (
        f"once {' and '.join(f'`{line}`' for line in f.unless.after)} has put that right, " if f.unless.after else ""
    )
    return f"{first}{f.unless.text} (type {' and '.join(f'`{line}`' for line in f.unless.lines)})"


def cost_of(f: Finding, game: Game, prescribed: Sequence[Penalty]) -> str:
    """The penalty for a breach by the rules of its game; `prescribed` are the penalties for all breaches of the log."""
    if f.verdict == Verdict.OPEN:
        return ""
    own = dict.fromkeys(p.text for p in prescribed if p.at == f.at.pos)
    if own:
        return "; ".join(own)
    if f.rule not in OF_THE_RECORD:
        return f"the rules of {game.name} name no penalty" + (" for this" if prescribed else "")
    if f.rule == "table.T9":
        return "none: what is claimed changes no score"
    return "none: it is the record that cannot be as it stands"


def worlds_words(e: SecondOpinion) -> str:
    """How an exact opinion was found."""
    if not e.worlds:
        return f"no exact opinion: {e.why}"
    worlds = "1 world" if e.worlds == 1 else f"{e.worlds} worlds"
    if e.cut:
        return (
            f"{worlds} tried, then it was cut short: there are more and they take too long; what was tried "
            "proves only that something is open"
        )
    return (
        f"{worlds} agree{'s' * (e.worlds == 1)} with the record; all were tried" if e.complete
        else f"{worlds} tried, drawn at random from more; a sample proves only that something is open"
    )
