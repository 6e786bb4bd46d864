"""The one correction that explains most, offered before anybody is accused.

A forgotten line moves every later one to the wrong seat, a mistyped card is played twice, two lines typed in the wrong
order look like two revokes, a line typed twice is somebody's second card. One slip of the recorder so looks like many
faults of the players. If that may be so, the hand is judged again with one correction folded in, and those that explain
most are offered.

**When it is looked for.** A hand has a *symptom of the record*: a *conflict* (T1 to T5: a card in two places, too many
cards), an act *out of order* (by a seat whose turn it was not, in the wrong part of the hand, or against a rule that
the page names as broken most easily by an act left out), or it *stops short* before the next one begins. Or it has two
broken rules or more. With a single one only this is tried: that two cards turned up from the stock were typed in the
wrong order, that the line was typed twice, and that another seat before it let a right go by without a word.

**What is tried.** Whatever the game and the verb:

- a line *put in* after any other, up to the first symptom: what goes without saying there, what is known to be legal,
  and the acts of this hand with their cards unseen, done by whoever was to act; what chance was to do, if nobody was;
- a card *read as unseen*: one in conflict, wherever the hand shows it, and the cards of earlier lines that somebody
  chose;
- two lines *exchanged*: neighbours near a symptom or shortly before it, of one seat or of two; a line shortly before a
  symptom and one some lines later; two that are called in question, or one of these and another of its kind by the same
  seat;
- a line *struck*: one that says what the one before it said, by whatever seat, or once more what an earlier one said;
- the first line out of order, or the one before it, given to another *seat*; the hand, given to whoever was to deal it.

Where the record is seen to be wrong in several places far apart, the first of them may be a breach and another the
slip: `STARTS` of them are looked around. Of a long hand a window around them is looked at, then, if that leads to
nothing, all of it. What cannot be the explanation is held back at a glance: a fold with checks from the corrected line
on, given up as soon as it brings something to light or leaves the first symptom as it is. Only what passes is judged
with hindsight, and only the best few with everything known, on the whole hand. All this draws on one budget of steps;
what was cut short is noted there.

**The score.** A hand weighs `CONFLICT` for each conflict, `ORDER` for each act out of order, `SHORT` if it stops short,
1 for each other broken rule. A correction is worth the weight it takes away. What counts for it is what it does to the
symptoms of the record: one that only takes broken rules away is none, for these can be facts. So

- a line put in, an exchange, a strike and another seat must take away a conflict, an act out of order or the stop, and
  be worth more than what they bring to light;
- a card read as unseen always takes away the findings about its own act, which proves nothing. It must resolve a
  conflict; or an act out of order together with at least one finding more, if one of the cards that are easily typed
  for it does so too and opens no question; or, in a hand with neither, settle at least `CHORUS` findings about other
  acts and leave none, of at least two seats (a whole table that seems to revoke on one lead) or without opening a
  question (a row of known cards that is one out from there on), and with one of the cards that are easily typed for it
  nothing may be broken either: a card that only leaves everything open explains nothing;
- if there is no symptom of the record, an exchange, a strike or a line put in must leave nothing broken in the hand and
  open no question, and settle findings of two seats at least, or those of both lines exchanged if they are not far
  apart, or two that come of the numbers of two new melds. For a line that says what the one before it said, for two
  cards turned up from the stock (nobody chose which) and for what goes without saying of another seat, the first is
  enough; two cards turned up from the stock may also be cleared of what is said of both, if nothing else comes to
  light. So may, whatever else was broken, a line that says what the one before it said and of what a later one shows;
  and two neighbours of which the second says what was inferred before the first. A line put in may also settle `CHORUS`
  findings about other acts, bring none to light and open no question, whatever else was broken;
- if there is no conflict, and `DROWNED` times as many rules are broken as the correction settles, the act out of order
  is as likely one breach more. Those that only the correction brings to light do not count.

A genuine revoke brings no symptom of the record, so one or two of them are never explained away. An act that really
was out of turn looks like a slip of the recorder, and no record can tell the two apart: that is offered, and the table
knows which it was.

A rule that was open and is seen to be broken once a correction is folded in does not count against it: that one is no
finding which the correction brings to light, but one that the slip kept from being told. What the first correction of a
hand removes from the next hand (who deals it, what lies there) is counted among what it removes.

**And then.** If the best correction leaves symptoms of the record, the recorder may have slipped twice: the hand as
corrected is looked at once more, and what explains most of the rest is offered after it, up to `SLIPS` in all.

Of equal worth, a card that is easily typed for the one in conflict comes first, then the likelier slip (what goes
without saying left out, a line typed twice in a row), then the correction that leaves fewer questions open; those that
are equal in this too are ties, and each says so. No exchange is offered beside an unwritten act that explains as much
and goes without saying, and none of lines that are no neighbours beside what explains as much and brings less to light.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import combinations, islice, pairwise
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.cards import is_face, pretty
from events.model import (
    ABOUT,
    Arrange,
    Call,
    Capture,
    Deal,
    Discard,
    Draw,
    End,
    Event,
    Fix,
    Gap,
    Hand,
    Meld,
    Move,
    Open,
    Plain,
    Play,
    Recorded,
    Show,
    Shuffle,
    Tally,
    verb_of,
)
from events.writing import write_event
from reducers.game import ANY_TIME, acts_of, begin, evolve, in_hand, legal, plans, plays_on, seated
from reducers.rules import Verdict
from reducers.state import State
from replay.budget import Budget, budget_for
from replay.fold import Corrected, Placed, corrected
from replay.hide import unseen
from replay.judge import Finding, Judge, judge, sentence, without
from replay.meant import LAYS, Meaning, Reader, as_they_stand, renamed
from replay.offer import Kind, Ref, Repair, likewise, resting_on
from replay.simulate import near_miss
from replay.slots import snap

CONFLICT, ORDER, SHORT = 3, 2, 2
CHORUS = 3
MOST = 4
FEW = 3
"""So many findings that rest on one correction are told each in full; of more than these only the first."""
SLIPS = 3
"""So many corrections of one hand, one after the other."""
EFFORT = 100_000
"""So many events are folded or judged in all for one hand, a second or two; what was found until then is offered. Counted,
not timed: the same log gets the same offer on a slow machine."""
VARIANTS = 6
"""So many acts that may be missing in one place are looked at with everything known."""
WHOLE = 120
"""A hand of no more events than this is looked at as a whole at once; of a longer one a window around the first symptom."""
REACHES = (48, 1_000_000)
"""So many events before the first symptom are looked at, then so many."""
APART, WRONG = 8, 6
"""Two lines so many acts apart may be exchanged; of so many that are called in question each two."""
DROWNED = 8
VARIETY, PROPOSED = 16, 24
"""So many acts are put into one gap; so many of those known to be legal there are asked for."""
STARTS = 3
"""So many symptoms of the record, far from each other, are looked around in one hand."""
EQUAL = 3
"""So many of several equal lines are read with a card unseen."""
PHYSICAL = ("T1", "T2", "T3", "T4", "T5")
FRAME = (Open, Hand, Deal, Shuffle, End, Tally, Gap, *ABOUT)
CHOSEN = (Play, Capture, Discard, Draw, Move, Meld, Show, Arrange)


class Look(Struct):
    """A hand as judged: what is in conflict, out of order, broken otherwise, and how many questions are open."""

    conflicts: set[tuple[str, int, str]]
    order: set[tuple[str, int]]
    broken: set[tuple[str, int]]
    asked: set[tuple[str, int]]
    short: bool
    by: dict[int, str]
    # The positions at which something is inferred that nobody wrote, once for each.
    inferred: tuple[int, ...] = ()

    @property
    def weight(self) -> int:
        """How much speaks against the record."""
        return CONFLICT * len(self.conflicts) + ORDER * len(self.disorder) + SHORT * self.short + len(self.broken)

    @property
    def symptoms(self) -> bool:
        """Whether something shows that the record is wrong, whatever the players did."""
        return bool(self.conflicts or self.order or self.short)

    @property
    def marks(self) -> set[int]:
        """The positions at which that shows."""
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
        """How many questions are open; what is open about an act put in or read as unseen is no certainty lost."""
        return sum(pos not in corrected for _, pos in self.asked)

    @property
    def all(self) -> set[tuple[str, int]]:
        """Everything broken, by rule and position."""
        return {(f"table.{rule}", pos) for rule, pos, _ in self.conflicts} | self.order | self.broken


class Stretch(Struct):
    """The part of a match that is judged alone: a hand, up to where the next one is written to begin; or a window of it."""

    facts: dict[str, Any]
    hand: int
    hands: set[int]
    events: list[Placed]
    followed: bool
    limit: int
    """The number that the next event of the log will have."""
    start: State[Any] | None = None
    """The state before the first event, if that is not the beginning of the hand, and how many events came before it."""
    skipped: int = 0
    starts: tuple[int, ...] = ()
    """The indices of the events at which the record is seen to be wrong, once they were looked for (`_starts`)."""
    adrift: frozenset[int] = frozenset()
    """The lines that speak of a meld which a correction took away."""
    part_of: Stretch | None = None
    """The hand of which this is a window."""
    meaning: Meaning | None = None
    """What the numbers of melds mean in the lines of the hand, once it was looked for."""
    due: str = ""
    """Who was to deal this hand, if another is written to have dealt it."""

    def begun(self) -> State[Any]:
        """The state before the first event, to be changed at will."""
        return begin(self.facts) if self.start is None else _fork(self.start)

    def meant(self) -> Meaning:
        """What the numbers of melds mean in the lines of the hand."""
        if self.meaning is None:
            self.meaning = as_they_stand(Open(by="@", facts=self.facts), self.events)
        return self.meaning


class Tried(Struct):
    """A correction that was tried: what it is, and the hand judged with it. `index` is the first event that is another."""

    kind: Kind
    at: int
    fixes: tuple[Fix, ...]
    events: list[Placed]
    card: str = ""
    # Whether the card is easily typed for no other that is in conflict.
    strange: bool = False
    # Whether both lines of a swap are cards that one seat turned up from the stock.
    turned_up: bool = False
    # Whether both lines of a swap are new melds of one seat, which have their numbers from the order of the lines.
    numbered: bool = False
    look: Look | None = None
    # How many questions of the hand as it stands are answered with it, and the answer is that a rule was broken.
    answered: int = 0
    # How much that spoke against the record no longer does.
    gain: int = 0
    index: int = 0
    # How seldom such a slip is: what goes without saying is left out most easily.
    rank: int = 1
    # The lines that speak of a meld which the correction takes away; the lines beyond the window, if melds in them have
    # other numbers with it.
    adrift: frozenset[int] = frozenset()
    beyond: list[Placed] | None = None
    # Who deals the hand, if that is what the correction is about.
    dealer: str = ""

    @property
    def weight(self) -> int:
        """How much still speaks against the record."""
        assert self.look is not None
        return self.look.weight - self.answered

    def judged(self, look: Look, base: Look) -> None:
        """Keep how the hand is judged with it, beside how it is judged as it stands."""
        self.look, self.answered = look, len(look.broken & base.asked)
        self.gain = base.weight - self.weight

    @property
    def corrected(self) -> tuple[int, ...]:
        """The positions of the acts that the correction brings, blurs or moves."""
        # An act put in has the number that the next line of the log will have.
        return (max(p.n for p in self.events),) if self.kind == "insert" else tuple(f.at for f in self.fixes)

    def key(self) -> tuple[int, bool, int, int]:
        """From the best: worth most, a likely slip of the hand, fewest questions left open."""
        assert self.look is not None
        return (-self.gain, self.strange, self.rank, self.look.opens(*self.corrected))


class _Quick(Judge):
    """A judge that does not stop to eliminate: for the many corrections that are tried only once."""

    def _eliminate(self) -> None:
        return

    def _begin(self) -> State[Any]:
        return begin(self.view.opening.facts) if self.start is None else _fork(self.start)


def suggest(
    records: Iterable[Recorded],
    findings: Sequence[Finding] | None = None,
    *,
    within: Collection[int] | None = None,
    effort: int = EFFORT,
    slips: int = SLIPS,
    budget: Budget | None = None,
) -> list[Repair]:
    """The corrections that explain most of what speaks against the record, best first, at most four for a hand.

    `findings` are those of the log, if they are known already; `within` names the only hands to look at. `effort`
    bounds the steps for one hand, `budget` those for the record. After the corrections of a hand come those of what the
    best of them leaves (`after`), so that up to `slips` are put right one after the other. Empty if nothing calls for
    a correction. Raises like `replay.judge.judge`.
    """
    log = list(records)
    budget = budget_for(len(log)) if budget is None else budget
    found = judge(log).findings if findings is None else findings
    view = corrected(log)
    stretches = list(_stretches(view, _worth_a_look(found), log[-1].n + 1))
    stretches = [s for s in stretches if within is None or s.hands.intersection(within)]
    out: list[Repair] = []
    for waiting, stretch in zip(range(len(stretches), 0, -1), stretches, strict=True):
        out += _one_after_the_other(stretch, budget.part(effort, of=waiting), slips)
    return _into_the_next_hand(log, out, found, budget)


def _into_the_next_hand(log: Sequence[Recorded], repairs: list[Repair], found: Sequence[Finding], budget: Budget) -> list[Repair]:
    """The repairs, those that come first for their hand with what they remove beyond it: from the next one, who deals it and
    what lies there; from their own, what only the hands before it prove, as the order of a pack that goes on."""
    removed = {(ref.rule, ref.pos) for r in repairs for ref in r.removes}
    waiting = [f for f in found if f.verdict == Verdict.BROKEN and (f.rule, f.at.pos) not in removed]
    out: list[Repair] = []
    for i, repair in enumerate(repairs):
        here = {(f.rule, f.at.pos) for f in waiting if f.at.hand == repair.hand}
        # What the hand alone proves is among what the repair leaves.
        here = here if len(here) > repair.leaves else set()
        at = {fix.at for fix in repair.fixes}
        beyond = {(f.rule, f.at.pos) for f in waiting if f.at.hand == repair.hand + 1 or f.at.pos in at}
        first = not repair.after and (i == 0 or repairs[i - 1].hand != repair.hand)
        if (beyond or here) and first and budget.left > 3 * len(log):
            kind = Judge if here else _Quick
            asked = kind(corrected([*log, *(Recorded(n=log[-1].n + 1 + j, event=fix) for j, fix in enumerate(repair.fixes))]))
            still = {(rule, pos) for pos, rule in asked.broken()} | {(f.rule, f.at.pos) for f in asked.conflicts}
            budget.spend(asked.read + len(log))
            gone = (beyond | here) - still
            repair = replace(repair, removes=(*repair.removes, *(Ref(*key) for key in sorted(gone, key=lambda k: k[1]))))
        out.append(repair)
    return out


def depending(findings: Iterable[Finding], repairs: Sequence[Repair]) -> list[Finding]:
    """The findings, each that a repair would remove marked with the first that does."""
    first: dict[tuple[str, int], Repair] = {}
    for repair in repairs:
        for ref in repair.removes:
            first.setdefault((ref.rule, ref.pos), repair)
    return [
        replace(f, unless=first[f.rule, f.at.pos]) if f.verdict == Verdict.BROKEN and (f.rule, f.at.pos) in first else f
        for f in findings
    ]


def in_order(findings: Sequence[Finding], repairs: Sequence[Repair]) -> Iterator[str]:
    """What is broken, in the order in which it is fair to say it.

    First what the record contradicts itself in, then the corrections with the lines to type, then what those would
    remove, each group under the correction it rests on; what no correction touches comes last. Of a group of many the
    first is told, and of the others which rules they are about and where: they have one cause.
    """
    groups: dict[tuple[str, ...], list[Finding]] = {}
    for f in findings:
        if f.unless is not None:
            groups.setdefault(f.unless.lines, []).append(f)
    told = {id(f) for f in findings if physical(f)}
    for group in groups.values():
        record = [f for f in group if physical(f)]
        if len(record) > FEW:
            told -= {id(f) for f in record[1:]}
    for f in findings:
        if id(f) in told:
            yield sentence(f)
    for i, repair in enumerate(repairs):
        first = i == 0 or repairs[i - 1].hand != repair.hand
        yield offered(repair, "perhaps" if first else "then" if repair.after else "or")
    for group in groups.values():
        rest = sorted((f for f in group if id(f) not in told), key=lambda f: (physical(f), f.at.pos))
        if rest and rest[0].unless is not None:
            n = len(rest)
            yield f"{'this rests' if n == 1 else f'these {n} rest'} on {resting_on(rest[0].unless)}:"
            yield from (f"  {sentence(f)}" for f in rest[: n if n <= FEW else 1])
            yield from (f"  and     {line}" for line in likewise(rest[1:] if n > FEW else []))
    for f in findings:
        if not physical(f) and f.unless is None:
            yield sentence(f)


def offered(repair: Repair, word: str = "perhaps") -> str:
    """An offer on one line, with what is to be typed."""
    n = len(repair.removes)
    settles = f"settles {n} finding{'s' * (n != 1)}" if n else "completes the hand"
    return f"{word:<7} hand {repair.hand}: {repair.text} ({settles}, leaves {repair.leaves or 'none'}): type {' and '.join(f'`{line}`' for line in repair.lines)}"


def physical(finding: Finding) -> bool:
    """Whether the record contradicts itself here: not a matter of rules."""
    return finding.rule.startswith("table.") and finding.rule[6:] in PHYSICAL


def _worth_a_look(findings: Sequence[Finding]) -> set[int]:
    """The hands in which something broken stands; which symptoms it is, the hand itself is asked."""
    return {f.at.hand for f in findings if f.verdict == Verdict.BROKEN and f.rule not in ("table.T8", "table.T9", "table.T11")}


def _stretches(view: Corrected, hands: set[int], limit: int) -> Iterator[Stretch]:
    """The hands to look at: those named, and those that stop short before the next one."""
    state = begin(view.opening.facts)
    now: Stretch | None = None
    number, before, wanted, short = 0, 0, False, False
    for step, placed in enumerate(view.events, 1):
        open_still = bool(state.number) and not state.settled and bool(state.acts or _under_way(state))
        due, gap = _due(state) if type(placed.event) is Hand else "", state.gap
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
            now, wanted = Stretch(facts, state.number, set(), [], False, limit, due=due if due != dealer else ""), False
            if not isinstance(placed.event, Hand):
                # After a gap the hand goes on, and nobody knows what lies where.
                begun: Plain = Gap(by="@") if gap else Hand(by=dealer, number=state.number)
                now.events.append(Placed(before, 0, begun, Recorded(n=before, event=begun)))
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


def _due(state: State[Any]) -> str:
    """Who is to deal the next hand; empty where that is a guess."""
    return "" if state.guessed else state.game.next_dealer(state) if state.number else state.terms.dealer


def _under_way(state: State[Any]) -> bool:
    """Whether anything was played in the hand: a card left a holding, or somebody spoke."""
    return state.phase not in ("between", "over")


# -- judging a stretch ------------------------------------------------------------------------------------------------


def _look_at(stretch: Stretch, one: Tried, budget: Budget, *, thorough: bool = False) -> Look:
    """Judge a stretch as it stands with a correction."""
    if one.dealer:
        stretch = replace(stretch, facts={**stretch.facts, "Dealer": one.dealer})
    return _look(stretch, one.events, budget, thorough=thorough, adrift=one.adrift)


def _look(
    stretch: Stretch, events: Sequence[Placed], budget: Budget, *, thorough: bool = False, adrift: frozenset[int] = frozenset()
) -> Look:
    """Judge a stretch as it stands with these events; `adrift` are the lines whose meld they take away."""
    view = Corrected(Open(by="@", facts=stretch.facts), tuple(events), adrift=stretch.adrift | adrift)
    asked = (Judge if thorough else _Quick)(view, start=stretch.start)
    ended = asked.learn()
    look = Look(set(), set(), set(), set(), stretch.followed and not ended.settled, {p.n: p.event.by for p in events})
    look.inferred = tuple(n for n, _ in ended.inferred)
    look.conflicts.update(("T11", n, "") for n in adrift)
    for f in asked.conflicts:
        look.conflicts.add((f.rule.removeprefix("table."), f.at.pos, f.cards[0] if f.cards else ""))
    for said in asked.walk(asked.events, asked.proofs):
        key = (f"{said.owner}.{said.rule.id}", said.placed.n)
        if said.says.verdict == Verdict.OPEN:
            look.asked.add(key)
        elif key[0] == "table.T6" or _out_of_turn(said.state, said.placed.event) or said.rule.id in said.state.game.forgotten:
            look.order.add(key)
        else:
            look.broken.add(key)
    budget.spend(asked.read + len(events))
    return look


def _out_of_turn(state: State[Any], event: Event) -> bool:
    return bool(state.turn) and event.by not in state.turn and type(event) in acts_of(state.game.key)


def _seen_wrong(state: State[Any], event: Event) -> Iterator[tuple[str, int]]:
    """Apply an event; what shows about it without hindsight: each rule that it breaks, and how much that weighs.

    The same questions as the judge asks in his walk, so that more knowledge takes none of it back.
    """
    kind, key = type(event), state.game.key
    acts = acts_of(key)
    if kind in acts:
        if not seated(event.by, state) and not (event.by == "@" and kind in ANY_TIME):
            yield "table.T7", 1
            return
        if state.phase == "between" and not state.ended:
            in_hand(state)
    checks = plans(key)[state.phase].get(kind)
    if (state.ended and plays_on(event, state)) or (checks is None and kind is not Call and not state.ended):
        yield "table.T6", ORDER
    weight = ORDER if _out_of_turn(state, event) else 1
    for check in checks or ():
        says = check.run(event, state)
        if says is not None and says.verdict == Verdict.BROKEN:
            yield f"{key}.{check.rule.id}", weight
    evolve(state, event)
    for trouble in state.table.trouble:
        yield f"table.{trouble.rule}", CONFLICT
    state.table.trouble.clear()


def _fork(state: State[Any]) -> State[Any]:
    """A state of one's own, as `copy` makes it, but for what a fold only replaces."""
    out = snap(state)
    out.tallies, out.transfers = list(state.tallies), list(state.transfers)
    old, out.table = state.table, state.table.as_it_lies()
    memo: dict[int, Any] = {id(old): out.table, id(state): out}
    memo.update((id(pile), out.table.piles[name]) for name, pile in old.piles.items())
    out.hand = copy.deepcopy(state.hand, memo)
    return out


# -- what may be put right --------------------------------------------------------------------------------------------


def _one_after_the_other(stretch: Stretch, budget: Budget, slips: int) -> list[Repair]:
    """The corrections of a hand, and after them what puts right the rest once the best of those before is made."""
    out: list[Repair] = []
    limit = stretch.limit
    after: tuple[str, ...] = ()
    for slip in range(slips):
        offers, best = _repairs(stretch, budget)
        if slip:
            # Only a correction that is of lines already there: the numbers of new ones are not known before they are typed.
            offers = [replace(r, after=after) for r in offers[:1] if all(f.at < limit for f in r.fixes)]
        out += offers
        if not offers or best is None or best.look is None or not best.look.symptoms:
            break
        after += offers[0].lines
        stretch = replace(
            stretch, events=best.events, starts=(), limit=stretch.limit + len(best.fixes), adrift=stretch.adrift | best.adrift, meaning=None
        )
        if best.dealer:
            stretch = replace(stretch, facts={**stretch.facts, "Dealer": best.dealer}, due="")
    return out


def _repairs(stretch: Stretch, budget: Budget) -> tuple[list[Repair], Tried | None]:
    """The corrections of a hand, best first, and the best as it was tried."""
    whole = _look(stretch, stretch.events, budget)
    if not whole.all and not whole.short:
        return [], None
    offers: list[Repair] = []
    best: Tried | None = None
    for reach in REACHES:
        window = _window(stretch, whole, reach)
        base = whole if window is stretch else _look(window, window.events, budget)
        tried, finished = _tried(window, base, budget.part(budget.left * 3 // 4))
        if window is not stretch:
            for one in tried:
                one.index += window.skipped
                after = stretch.events[window.skipped + len(window.events) :] if one.beyond is None else one.beyond
                one.events = [*stretch.events[: window.skipped], *one.events, *after]
            tried = [*_seen_elsewhere(stretch, window, whole, budget), *tried]
        offers, best = _best(stretch, tried, budget)
        if offers or window is stretch or budget.left <= 0:
            break
    if not finished and (not offers or offers[0].leaves):
        budget.cut("corrections", stretch.hand)
    return offers, best


def _seen_elsewhere(stretch: Stretch, window: Stretch, whole: Look, budget: Budget) -> Iterator[Tried]:
    """The lines outside the window that show a card in conflict, with that card read as unseen."""
    inside = range(window.skipped, window.skipped + len(window.events))
    lines = (one for one in _blanks(stretch, whole) if not one.strange and one.index not in inside and one.card in whole.doubtful)
    for one in _as_meant(stretch, islice(lines, MOST), budget):
        one.judged(_look_at(stretch, one, budget), whole)
        if _explains(one, whole):
            yield one


def _window(stretch: Stretch, whole: Look, reach: int) -> Stretch:
    """The part of a long hand around the first symptom, with the state before it; the hand itself if it is short."""
    n = len(stretch.events)
    starts = _starts(stretch, whole)
    low, high = max(0, starts[0] - reach), min(n, starts[-1] + reach // 2 + 1)
    if n <= WHOLE or (low == 0 and high == n):
        return stretch
    state = begin(stretch.facts)
    for placed in stretch.events[:low]:
        state.at = placed.n
        evolve(state, placed.event)
    state.table.trouble.clear()
    followed = stretch.followed and high == n
    return replace(stretch, events=stretch.events[low:high], start=state, skipped=low, followed=followed, starts=(), part_of=stretch)


def _starts(stretch: Stretch, base: Look) -> tuple[int, ...]:
    """The indices of the events at which the record is seen to be wrong: the first, and the first of each group further on,
    those with a conflict before others. Without a symptom of the record, the first broken rule.

    One symptom may be a breach, and the next one the slip.
    """
    if not stretch.starts:
        groups = _groups(_at_sight(stretch)) if base.conflicts else []
        if not groups:
            # Once a conflict is set aside, others may show before it that are only its shadow.
            marks = base.marks or {min((pos for _, pos in base.broken), default=stretch.events[-1].n)}
            groups = _groups([(i, ORDER) for i, p in enumerate(stretch.events) if p.n in marks])
        first, *others = groups or [(len(stretch.events) - 1, ORDER)]
        others.sort(key=lambda group: -group[1])
        stretch.starts = tuple(sorted(i for i, _ in [first, *others[: STARTS - 1]]))
    return stretch.starts


def _groups(marks: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Of each group of marked events that are not far apart the first, with the most that one of them weighs.

    >>> _groups([(3, 2), (9, 3), (30, 2)])
    [(3, 3), (30, 2)]
    """
    out: list[tuple[int, int]] = []
    last = -1
    for i, weight in marks:
        if out and i - last <= APART:
            out[-1] = (out[-1][0], max(out[-1][1], weight))
        else:
            out.append((i, weight))
        last = i
    return out


def _at_sight(stretch: Stretch) -> list[tuple[int, int]]:
    """The indices of the events at which the record is seen to be wrong as it is folded, and how much each weighs."""
    state = stretch.begun()
    out: list[tuple[int, int]] = []
    for i, placed in enumerate(stretch.events):
        state.at, state.table.now = placed.n, i + 1
        weight = max((weight for _, weight in list(_seen_wrong(state, placed.event))), default=0)
        if weight >= ORDER:
            out.append((i, weight))
    return out


def _far(i: int, starts: Sequence[int]) -> int:
    """How far an event is from the nearest of these."""
    return min(abs(i - start) for start in starts)


def _tried(stretch: Stretch, base: Look, budget: Budget) -> tuple[list[Tried], bool]:
    """Every correction that explains something in this stretch, and whether all were tried that come into question."""
    tried: list[Tried] = []
    finished = True

    def attempt(candidates: Iterable[Tried], share: float) -> None:
        nonlocal finished
        part = budget.part(int(budget.limit * share))
        for one in candidates:
            if part.left <= 0:
                finished = False
                return
            one.judged(_look_at(stretch, one, part), base)
            if _explains(one, base):
                tried.append(one)

    broken = {pos for _, pos in base.broken}
    if not base.symptoms and len(broken) < 2:
        attempt(_as_meant(stretch, (t for t in _swaps(stretch, base) if t.turned_up or _too_early(t, base)), budget), 1)
        attempt(_as_meant(stretch, (t for t in _strikes(stretch, base) if t.rank == 0 and t.at in broken), budget), 1)
        attempt(_gone_by(stretch, base), 1)
        return tried, finished
    attempt(_as_meant(stretch, _strikes(stretch, base), budget), 0.2)
    attempt(_as_meant(stretch, _blanks(stretch, base), budget), 0.4)
    attempt(_another_dealer(stretch), 1)
    if base.symptoms or len(broken) > 1:
        sieve = _Sieve(stretch, base, budget.part(int(budget.limit * 0.4)))
        attempt(sieve.passed(_swaps(stretch, base)), 0.3)
        attempt(sieve.passed(_seats(stretch, base)), 0.2)
        attempt(sieve.passed(_exchanges(stretch, base)), 0.3)
        attempt(sieve.inserted(), 0.5)
        attempt(_closer(stretch, tried, base), 0.2)
        finished = finished and sieve.budget.left > 0
    return tried, finished


class _Sieve:
    """Holds back what cannot be the explanation, at a glance: a fold with checks from the line that is corrected on, without hindsight.

    More knowledge takes back nothing that is broken, so a correction that brings a conflict or a broken rule to light on the
    way to the first symptom, or leaves that as it is, explains nothing.
    """

    def __init__(self, stretch: Stretch, base: Look, budget: Budget) -> None:
        self.stretch, self.base, self.budget = stretch, base, budget
        self.starts = _starts(stretch, base)
        self.sight: dict[int, dict[str, int]] = {}
        state = stretch.begun()
        for i, placed in enumerate(stretch.events):
            self._reach(state, placed, i + 1)
            self.sight[placed.n] = dict(_seen_wrong(state, placed.event))
        budget.spend(len(stretch.events))

    @staticmethod
    def _reach(state: State[Any], placed: Placed, step: int) -> None:
        state.at, state.table.now = placed.n, step

    def passed(self, candidates: Iterable[Tried]) -> Iterator[Tried]:
        """Those of the candidates that may explain something."""
        wanted: dict[int, list[Tried]] = {}
        for one in _as_meant(self.stretch, candidates, self.budget):
            wanted.setdefault(one.index, []).append(one)
        if not wanted:
            return
        good: list[tuple[int, int, Tried]] = []
        state = self.stretch.begun()
        for i, placed in enumerate(self.stretch.events[: max(wanted) + 1]):
            for one in wanted.get(i, ()):
                worth = self.worth(state, one.events, i)
                if worth is not None:
                    good.append((worth, _far(i, self.starts), one))
            self._reach(state, placed, i + 1)
            evolve(state, placed.event)
            state.table.trouble.clear()
        yield from (one for _, _, one in sorted(good, key=lambda g: g[:2]))

    def inserted(self) -> Iterator[Tried]:
        """An act that is not written, in every gap up to what it may have caused."""
        forms = _forms(self.stretch)
        good: list[tuple[int, int, int, Tried]] = []
        for i, state in _gaps(self.stretch, self.base):
            self.budget.spend(1)
            for place, (act, quiet) in enumerate(_unwritten(state, forms)):
                if self.budget.left <= 0:
                    break
                (one,) = _as_meant(self.stretch, [_put_in(self.stretch, i, act, quiet)], self.budget)
                worth = self.worth(state, one.events, i + 1)
                if worth is not None:
                    good.append((worth, _far(i, self.starts), place, one))
        yield from (one for *_, one in sorted(good, key=lambda g: g[:3]))

    def worth(self, before: State[Any], events: Sequence[Placed], i: int) -> int | None:
        """How much less speaks against the record from event `i` on (less than 0 is better); None if it explains nothing."""
        if self.budget.left <= 0:
            return None
        state = _fork(before)
        base, sight = self.base, self.sight
        # A correction may leave a symptom as it is, if it is not the last that it could explain.
        waiting = {self.stretch.events[start].n for start in self.starts if start >= i}
        settled = False
        there = {p.n for p in events[i:]}
        # What is struck out has nothing wrong with it any more.
        better = sum(sum(found.values()) for p in self.stretch.events[i:] if p.n not in there for found in (sight[p.n],))
        worse = 0
        slack = 1 if base.symptoms else 0
        for step, placed in enumerate(events[i:], i + 1):
            self.budget.spend(1)
            self._reach(state, placed, step)
            found = dict(_seen_wrong(state, placed.event))
            was = sight.get(placed.n, {})
            for rule, weight in found.items():
                key = (rule, placed.n)
                if rule not in was and key not in base.asked and key not in base.broken:
                    worse += weight
            better += sum(max(0, weight - found.get(rule, 0)) for rule, weight in was.items())
            if worse > better + slack:
                return None
            if placed.n in waiting:
                waiting.discard(placed.n)
                settled = settled or not was or any(found.get(rule, 0) < weight for rule, weight in was.items())
                if not waiting and not settled:
                    return None
        if base.symptoms and any(sight[p.n] for p in self.stretch.events[self.starts[0] :]):
            return worse - better if worse < better else None
        return worse - better if not worse or base.symptoms else None


def _as_meant(stretch: Stretch, candidates: Iterable[Tried], budget: Budget) -> Iterator[Tried]:
    """The candidates, each with the melds numbered as they are once it is typed: the other lines still mean the melds that
    they meant (`replay.meant`)."""
    hand = stretch.part_of or stretch
    for one in candidates:
        acts = [stretch.events[one.index].event] if one.kind == "strike" else [fix.event for fix in one.fixes]
        # Cards laid onto a meld that is there take no number.
        if any(type(act) in LAYS and not getattr(act, "to", "") for act in acts) and hand.meant():
            if one.kind == "insert" and isinstance(acts[0], Meld):
                _count_up(stretch, one, acts[0], hand)
            else:
                _number(stretch, one, hand)
                budget.spend(len(hand.events))
        yield one


def _count_up(stretch: Stretch, one: Tried, act: Meld, hand: Stretch) -> None:
    """The same for a meld that is put in: of its owner's, those laid after it have higher numbers."""
    side = hand.begun().terms.side_of.get(act.by, "")
    place = {p.n: i for i, p in enumerate(hand.events)}
    at = one.index + stretch.skipped
    names: dict[str, str] = {}
    for meant in hand.meant().values():
        for name, meld in meant.items():
            stem, _, number = name.rpartition(":")
            if stem in (f"meld:{act.by}", f"meld:{side}") and place.get(meld.n, -1) >= at:
                names[name] = f"{stem}:{int(number) + len(act.groups)}"
    if names:
        after = hand.events[stretch.skipped + len(stretch.events) :] if hand is not stretch else []
        lines = [_counted_up(p, names, hand) for p in (*one.events[one.index + 1 :], *after)]
        one.events, one.beyond = [*one.events[: one.index + 1], *lines[: len(one.events) - one.index - 1]], lines[len(one.events) - one.index - 1 :]


def _counted_up(placed: Placed, names: dict[str, str], hand: Stretch) -> Placed:
    """A line with these names for its melds; one that broke a rule as it was typed may have been typed with that meld counted."""
    meant = hand.meant().get((placed.n, placed.at), {})
    if not meant or any(meld.wrong for meld in meant.values()):
        return placed
    return replace(placed, event=renamed(placed.event, names))


def _number(stretch: Stretch, one: Tried, hand: Stretch) -> None:
    """Write the melds in the lines of a hand with the numbers that they have with a correction."""
    typed = {fix.at for fix in one.fixes if fix.how == "replace"}
    events = [replace(p, at=hand.limit) if p.n in typed else p for p in one.events]
    after = hand.events[stretch.skipped + len(stretch.events) :] if hand is not stretch else []
    lines, gone = Reader(Open(by="@", facts=hand.facts), hand.meant()).corrected([*hand.events[: stretch.skipped], *events, *after])
    end = stretch.skipped + len(events)
    one.events, one.beyond, one.adrift = lines[stretch.skipped : end], lines[end:], frozenset(gone)


def _explains(one: Tried, base: Look) -> bool:
    """Whether a correction counts as an explanation (the rules stand at the head of this module)."""
    look = one.look
    assert look is not None
    if len(look.conflicts) > len(base.conflicts) or one.weight >= base.weight:
        return False
    if len(look.conflicts) < len(base.conflicts):
        return True
    gone = base.all - look.all
    others = {pos for _, pos in gone} - {one.at}
    ordered = len(look.disorder) < len(base.disorder)
    nothing_new = look.all <= base.all
    if one.kind == "blank":
        if base.conflicts or not nothing_new:
            return False
        if base.order:
            return ordered and len(gone) > 1
        sure = look.opens(one.at) <= base.opens(one.at)
        return not look.all and len(others) >= CHORUS and (sure or len({base.by[p] for p in others}) >= 2)
    if not base.symptoms:
        return _explains_breaches(one, look, base)
    return (ordered and bool(gone)) or (base.short and not look.short)


def _explains_breaches(one: Tried, look: Look, base: Look) -> bool:
    """Whether it does in a hand with no symptom of the record."""
    settled = {pos for _, pos in base.all - look.all}
    others, nothing_new = settled - {one.at}, look.all <= base.all
    certain = look.opens(*one.corrected) <= base.opens()
    if certain and nothing_new and one.kind == "swap" and _too_early(one, base) and len(look.inferred) < len(base.inferred):
        # What was inferred before the first of the two lines is written in the second.
        return bool(settled.intersection(one.corrected))
    if one.turned_up and certain and (not look.all or (nothing_new and settled >= {f.at for f in one.fixes})):
        # Nobody chose these cards; what is said of both of them is gone at once.
        return True
    if one.kind == "insert" and nothing_new and len(others) >= CHORUS and certain:
        return True
    if one.kind == "insert" and one.rank == 0 and one.fixes[0].event is not None:
        # Somebody let a right go by, as is done without a word, before another did what is called in question.
        return not look.all and certain and one.fixes[0].event.by not in {base.by[pos] for pos in settled}
    if one.kind == "strike" and one.rank == 0:
        # The line says what the one before it said; and nothing else is wrong in the hand, or a later line shows it too.
        return certain and (not look.all or (nothing_new and one.at in settled and len(settled) > 1))
    if one.numbered and len(settled) > 1:
        # Nobody chose these numbers, and more than one act speaks of a meld that is the other one.
        return not look.all and certain
    ats = [f.at for f in one.fixes]
    both = one.kind == "swap" and abs(ats[0] - ats[-1]) <= APART and settled >= set(ats)
    return not look.all and certain and (both or len({base.by[pos] for pos in settled}) >= 2)


def _too_early(one: Tried, base: Look) -> bool:
    """Whether something is inferred at one of two neighbouring lines, that nobody wrote before it."""
    return one.rank == 1 and not base.symptoms and any(f.at in base.inferred for f in one.fixes)


def _acting(placed: Placed) -> bool:
    return placed.event.by != "@" and not isinstance(placed.event, FRAME)


def _fix(at: int, how: str, event: Plain | None = None) -> Fix:
    return Fix(by="@", at=at, how=how, event=event)  # type: ignore[arg-type]  # one of the three words


# -- a card that was typed wrong ----------------------------------------------------------------------------------------


def _blanks(stretch: Stretch, base: Look) -> Iterator[Tried]:
    """Each line of the hand that mentions a card in conflict, with that card read as unseen; and each line before it with
    a card that somebody chose."""
    cards = base.doubtful
    # A card that is not where it should be may be another one that was written wrong before it came there.
    clashes = [(pos, card) for rule, pos, card in base.conflicts if rule in ("T3", "T4")]
    if base.conflicts:
        last = max((pos for pos, _ in clashes), default=-1)
    else:
        last = min((pos for _, pos in base.order), default=max((pos for _, pos in base.broken), default=-1))
    index = {p.n: i for i, p in enumerate(stretch.events)}
    until, starts = index.get(last, -1), _starts(stretch, base)
    found: list[tuple[bool, int, Tried]] = []
    equal: dict[Plain, int] = {}
    for i, placed in enumerate(stretch.events):
        named = _faces(placed.event)
        if not named:
            continue
        equal[placed.event] = equal.get(placed.event, 0) + 1
        if equal[placed.event] > EQUAL:
            continue
        chosen = named if i <= until and isinstance(placed.event, CHOSEN) else ()
        for card in dict.fromkeys(c for c in named if c in cards or c in chosen):
            blurred = without(placed.event, (card,))
            if placed.n and blurred != placed.event and not isinstance(blurred, Hand | Fix):
                events = [*stretch.events[:i], replace(placed, event=blurred), *stretch.events[i + 1 :]]
                strange = card not in cards and not any(near_miss(card, other) for _, other in clashes if is_face(other))
                one = Tried("blank", placed.n, (_fix(placed.n, "replace", blurred),), events, card, strange, index=i)
                found.append((strange, _far(i, starts) if strange else i, one))
    yield from (one for *_, one in sorted(found, key=lambda f: f[:2]))


def _faces(event: Event) -> tuple[str, ...]:
    """The cards that a line names."""
    lists: list[tuple[str, ...]] = [getattr(event, "cards", ()), getattr(event, "takes", ()), *getattr(event, "groups", ())]
    lists += [cards for _, cards in getattr(event, "piles", ())]
    return tuple(c.partition("=")[0] for cards in lists for c in cards if is_face(c.partition("=")[0]))


# -- lines in the wrong order, lines typed twice ------------------------------------------------------------------------


def _near(base: Look, placed: Sequence[Placed], reach: int = 2) -> set[int]:
    """The indices of the events around what speaks against the record."""
    marked = {pos for _, pos in base.all}
    return {j for i, p in enumerate(placed) if p.n in marked for j in range(i - reach, i + reach + 1)}


def _swaps(stretch: Stretch, base: Look) -> Iterator[Tried]:
    """Two neighbouring acts in the other order; what the table gathers among them."""
    acts = [i for i, p in enumerate(stretch.events) if _acting(p)]
    gathered = [i for i, p in enumerate(stretch.events) if p.event.by == "@" and isinstance(p.event, Move)]
    beside = {(min(i, j), max(i, j)) for i in gathered for j in (i - 1, i + 1) if j in acts}
    starts = _starts(stretch, base)
    near = _near(base, stretch.events) | {i for start in starts for i in range(start - APART, start)}
    for i, j in (*pairwise(acts), *sorted(beside)):
        if (i in near or j in near) and stretch.events[i].event != stretch.events[j].event:
            yield _exchanged(stretch, i, j, 1)


def _exchanges(stretch: Stretch, base: Look) -> Iterator[Tried]:
    """Two acts that are no neighbours, each in the place of the other: one of them shortly before the first symptom; or
    two of what is broken, or one of these and another act of the same kind by the same seat."""
    events = stretch.events
    acts = [i for i, p in enumerate(events) if _acting(p)]
    place = {i: k for k, i in enumerate(acts)}
    marked = {pos for _, pos in base.all}
    wrong = [i for i in acts if events[i].n in marked][:WRONG]
    shortly = {i for start in _starts(stretch, base) for i in range(start - APART, start + 1)}
    pairs = {(i, j) for i in acts if i in shortly for j in acts[place[i] + 2 : place[i] + 2 + APART]}
    pairs |= set(combinations(wrong, 2))
    pairs |= {(min(i, j), max(i, j)) for i in wrong for j in acts if _alike(events[i].event, events[j].event)}
    for i, j in sorted(pairs):
        if place[j] - place[i] > 1 and events[i].event != events[j].event:
            yield _exchanged(stretch, i, j, 3)


def _alike(a: Event, b: Event) -> bool:
    return a.by == b.by and type(a) is type(b)


def _exchanged(stretch: Stretch, i: int, j: int, rank: int) -> Tried:
    a, b = stretch.events[i], stretch.events[j]
    events = list(stretch.events)
    events[i], events[j] = replace(a, event=b.event), replace(b, event=a.event)
    fixes = (_fix(a.n, "replace", b.event), _fix(b.n, "replace", a.event))
    beside = rank == 1 and a.event.by == b.event.by
    turned_up = beside and _from_stock(a.event) and _from_stock(b.event)
    numbered = beside and _new_meld(a.event) and _new_meld(b.event)
    return Tried("swap", a.n, fixes, events, turned_up=turned_up, numbered=numbered, index=i, rank=rank)


def _from_stock(event: Plain) -> bool:
    """Whether a card is turned up from the stock, where nobody chooses which."""
    return isinstance(event, Play | Discard | Draw | Move) and event.src.partition(":")[0] == "stock"


def _new_meld(event: Plain) -> bool:
    """Whether a meld is laid that gets the next number."""
    return isinstance(event, Meld) and not event.to


def _strikes(stretch: Stretch, base: Look) -> Iterator[Tried]:
    """A line that says what the one before it said, by whomever it was taken to be; or what one before that said, if it
    names a card."""
    starts = _starts(stretch, base)
    said: dict[Plain, int] = {}
    before, runs = -1, set[int]()
    found: list[tuple[int, int, Tried]] = []
    for i, placed in enumerate(stretch.events):
        if not _acting(placed):
            continue
        bare = replace(placed.event, by="")
        earlier = said.get(bare)
        doubled = earlier is not None and earlier == before
        if doubled and i - before == 1 and before in runs and stretch.events[before].event == placed.event:
            # To strike one of several equal lines is to strike any of them.
            runs.add(i)
            said[bare] = before = i
            continue
        if doubled:
            runs.add(i)
        if earlier is not None and (doubled or i in starts or (_faces(bare) and _far(i, starts) <= APART)):
            for gone in (i, earlier) if _faces(bare) and not doubled else (i,):
                line = stretch.events[gone]
                events = [*stretch.events[:gone], *stretch.events[gone + 1 :]]
                rank = 0 if doubled else 2 + (gone != i)
                one = Tried("strike", line.n, (_fix(line.n, "strike"),), events, index=gone, rank=rank)
                found.append((rank, _far(i, starts), one))
        said[bare] = before = i
    yield from (one for *_, one in sorted(found, key=lambda f: f[:2]))


def _seats(stretch: Stretch, base: Look) -> Iterator[Tried]:
    """A line near the first act out of order, by each other seat: it may have been typed for the wrong one."""
    for i in sorted({max(0, start - back) for start in _starts(stretch, base) for back in (0, 1)}):
        placed = stretch.events[i]
        if not _acting(placed) or isinstance(placed.event, Fix):
            continue
        for seat in stretch.begun().terms.seats:
            if seat == placed.event.by:
                continue
            other = replace(placed.event, by=seat)
            events = [*stretch.events[:i], replace(placed, event=other), *stretch.events[i + 1 :]]
            yield Tried("seat", placed.n, (_fix(placed.n, "replace", other),), events, index=i, rank=3)


def _another_dealer(stretch: Stretch) -> Iterator[Tried]:
    """The hand, dealt by whoever was to deal it."""
    first = stretch.events[0]
    if stretch.due and stretch.start is None and isinstance(first.event, Hand) and first.n:
        right = replace(first.event, by=stretch.due)
        events = [replace(first, event=right), *stretch.events[1:]]
        yield Tried("seat", first.n, (_fix(first.n, "replace", right),), events, rank=0, dealer=stretch.due)


# -- a line that was forgotten ----------------------------------------------------------------------------------------


def _gaps(stretch: Stretch, base: Look) -> Iterator[tuple[int, State[Any]]]:
    """Each gap where an act may be missing: the index of the event before it, and the state there (the fold's own).

    They are those up to the first symptom, and shortly before each further one.
    """
    first, *others = _starts(stretch, base)
    last = len(stretch.events) - 1 if base.short else [first, *others][-1]
    state = stretch.begun()
    for i, placed in enumerate(stretch.events[: last + 1]):
        state.at, state.table.now = placed.n, i + 1
        evolve(state, placed.event)
        state.table.trouble.clear()
        after = stretch.events[i + 1] if i + 1 < len(stretch.events) else None
        if isinstance(placed.event, ABOUT) or (after is not None and isinstance(after.event, Deal | Hand)):
            continue
        if after is not None and isinstance(after.recorded.event, Fix) and after.recorded.event.how == "insert":
            # What is put in now would come to stand after it.
            continue
        if state.phase in state.game.phases and (base.short or i <= first or any(s - APART <= i <= s for s in others)):
            yield i, state


def _gone_by(stretch: Stretch, base: Look) -> Iterator[Tried]:
    """What goes without saying, of another seat, just before what is called in question."""
    last = _starts(stretch, base)[0] - 1
    for i, state in _gaps(stretch, base):
        quiet = state.game.phases[state.phase].quiet(state) if i == last and state.turn else None
        if quiet is not None and quiet.by != stretch.events[last + 1].event.by:
            yield _put_in(stretch, i, quiet, quiet=True)  # type: ignore[arg-type]  # what goes without saying is never a fix


def _put_in(stretch: Stretch, i: int, act: Plain, quiet: bool = False) -> Tried:
    before = stretch.events[i]
    n = stretch.limit
    new = Placed(n, n, act, Recorded(n=n, event=act))
    events = [*stretch.events[: i + 1], new, *stretch.events[i + 1 :]]
    return Tried("insert", before.n, (_fix(before.n, "insert", act),), events, index=i + 1, rank=0 if quiet else 1)


def _forms(stretch: Stretch) -> list[Plain]:
    """How acts with cards look in this hand: each with every card unseen, as the seats do them."""
    out: dict[Plain, None] = {}
    for placed in stretch.events:
        if _acting(placed) and isinstance(placed.event, CHOSEN) and not isinstance(placed.event, Arrange):
            out[_covered(placed.event)] = None
    return list(out)


def _covered(event: Plain) -> Plain:
    """The act with its cards unseen."""
    if isinstance(event, Capture):
        return replace(event, cards=unseen(event.cards), takes=("??",))
    if isinstance(event, Meld | Show):
        return replace(event, groups=tuple(map(unseen, event.groups)))
    if isinstance(event, Play | Discard | Draw | Move):
        return replace(event, cards=unseen(event.cards))
    return event


def _unwritten(state: State[Any], forms: Sequence[Plain]) -> list[tuple[Plain, bool]]:
    """The acts that may have gone unwritten here, and whether each is what goes without saying."""
    game = state.game
    phase = game.phases[state.phase]
    out: dict[Plain, bool] = {}
    if not state.turn or game.due(state):
        # Nobody is to act before chance has done something.
        chance = islice(game.chance(state.copy(), Random(0)), 1)
        return [(_unseen_deal(event), False) for event in chance if not isinstance(event, Hand)]
    quiet = phase.quiet(state)
    if quiet is not None:
        out[quiet] = True  # type: ignore[index]  # what goes without saying is never a fix
    for act in legal(state, limit=PROPOSED).acts:
        # Which card leaves a pile that all see is known; which one leaves a holding is not.
        open_to_all = bool(getattr(act, "src", "")) or not _faces(act)
        if isinstance(act, Meld):
            out.setdefault(act, False)
        if open_to_all or not isinstance(act, Play | Capture):
            out.setdefault(act if open_to_all else _covered(act), False)  # type: ignore[arg-type]  # a legal act is never a fix
    for seat in state.turn:
        if seat not in state.terms.seats:
            continue
        own = [f for f in forms if f.by == seat and type(f) in phase.acts]
        kinds = {type(f) for f in own}
        own += [_done_by(f, seat) for f in forms if f.by != seat and type(f) in phase.acts and type(f) not in kinds]
        if Play in phase.acts and not any(isinstance(f, Play) for f in own):
            own.append(Play(by=seat, cards=("??",)))
        for form in own:
            out.setdefault(form, False)
    said = sorted(out.items(), key=lambda a: (not a[1], verb_of(a[0]) != "pass"))
    return said[:VARIETY]


def _done_by(form: Plain, seat: str) -> Plain:
    """The act as another seat would do it: what was its own is the other's own."""
    def own(pile: str) -> str:
        return ":".join(seat if part == form.by else part for part in pile.split(":"))

    changes: dict[str, Any] = {name: own(getattr(form, name)) for name in ("src", "to") if getattr(form, name, "")}
    return replace(form, by=seat, **changes)


def _unseen_deal(event: Event) -> Plain:
    """What chance did, with no card seen."""
    if isinstance(event, Deal | Shuffle):
        return replace(event, piles=tuple((name, unseen(cards)) for name, cards in event.piles))
    return _covered(event)  # type: ignore[arg-type]  # chance corrects nothing


def _closer(stretch: Stretch, tried: Sequence[Tried], base: Look) -> Iterator[Tried]:
    """For the best gaps, a capture that names what it may have taken."""
    best = sorted((t for t in tried if t.kind == "insert"), key=Tried.key)
    gaps = list(dict.fromkeys(t.index - 1 for t in best))[:6]
    if not any(isinstance(p.event, Capture) for p in stretch.events):
        return
    states = {i: state.copy() for i, state in _gaps(stretch, base) if i in gaps}
    for i in gaps:
        state = states.get(i)
        if state is None or Capture not in state.game.phases[state.phase].acts:
            continue
        board = state.table.piles.get("board")
        lying = state.game.pack.cards(board.certain) if board is not None else []
        takes = [(c,) for c in lying] + list(combinations(lying, 2))
        for seat in state.turn:
            for some in takes[:24]:
                yield _put_in(stretch, i, Capture(by=seat, cards=("??",), takes=some))


# -- the offer --------------------------------------------------------------------------------------------------------


def _best(stretch: Stretch, tried: list[Tried], budget: Budget) -> tuple[list[Repair], Tried | None]:
    """The best few, judged once more with everything known, ties told; and the first of them as it was tried."""
    if not tried:
        return [], None
    tried.sort(key=Tried.key)
    groups: dict[tuple[Any, ...], list[Tried]] = {}
    for t in tried:
        groups.setdefault((t.kind, t.at, t.fixes[-1].at, t.card), []).append(t)
    whole = _look(stretch, stretch.events, budget, thorough=True)
    finalists: list[Tried] = []
    for group in list(groups.values())[: 3 * MOST]:
        if finalists and budget.left <= 0:
            break
        finalists += _standing(stretch, group, whole, budget)
    finalists.sort(key=Tried.key)
    quiet = next((t for t in finalists if t.kind == "insert" and t.rank == 0), None)
    if quiet is not None:
        # What goes without saying is left out; nobody need have typed two lines in the wrong order.
        finalists = [t for t in finalists if t.kind != "swap" or t.gain > quiet.gain]
    # Lines that are no neighbours are seldom exchanged: not if something else explains as much and brings less to light.
    light = {id(t): len(t.look.all - whole.all) for t in finalists if t.look is not None}
    finalists = [
        t for t in finalists
        if t.kind != "swap" or t.rank == 1 or not any(o.gain >= t.gain and light[id(o)] < light[id(t)] for o in finalists)
    ]  # fmt: skip
    out = []
    for t in finalists[:MOST]:
        ties = tuple(sorted({o.at for o in finalists if o.kind == t.kind and o.key() == t.key()}))
        out.append(_told(stretch, t, ties, whole))
    return out, finalists[0] if finalists else None


def _standing(stretch: Stretch, group: Sequence[Tried], whole: Look, budget: Budget) -> Iterator[Tried]:
    """Of several acts that may be missing in one place, the first that still explains something with everything known."""
    for t in group[:VARIANTS]:
        t.judged(_look_at(stretch, t, budget, thorough=True), whole)
        if not _explains(t, whole) or _drowned(t, whole):
            continue
        if t.kind != "blank" or whole.conflicts or whole.short or _easily_typed(stretch, t, whole, budget):
            yield t
            return


def _drowned(t: Tried, whole: Look) -> bool:
    """Whether so many other rules were broken in the hand that an act out of order is as likely one more. A line that says
    what the one before it said is likely a slip all the same."""
    assert t.look is not None
    if len(t.look.conflicts) < len(whole.conflicts) or (t.kind == "strike" and t.rank == 0):
        return False
    # What only the correction brings to light was there whether somebody was out of turn or not.
    return len(t.look.all) - t.answered >= DROWNED * max(1, len(whole.all - t.look.all))


def _easily_typed(stretch: Stretch, t: Tried, whole: Look, budget: Budget) -> bool:
    """Whether nothing is broken with one of the cards that are easily typed for another, or, if somebody acts out of order,
    fewer do: an unseen card that only leaves everything open is no explanation."""
    faces = begin(stretch.facts).game.pack.faces
    was = stretch.events[t.index]
    for face in dict.fromkeys(f for f in faces if is_face(f) and near_miss(f, t.card)):
        event = _with_card(was.event, t.card, face)
        look = _look(stretch, [*stretch.events[: t.index], replace(was, event=event), *stretch.events[t.index + 1 :]], budget)
        better = look.all <= whole.all and len(look.disorder) < len(whole.disorder) if whole.order else not look.all
        if better and look.opens() <= whole.opens():
            return True
    return False


def _with_card(event: Plain, card: str, other: str) -> Plain:
    """The event with another card in the place of one."""
    def typed(cards: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(other if c == card else c for c in cards)

    changes: dict[str, Any] = {name: typed(getattr(event, name)) for name in ("cards", "takes") if getattr(event, name, ())}
    if getattr(event, "groups", ()):
        changes["groups"] = tuple(map(typed, event.groups))  # type: ignore[union-attr]  # it has the field: just asked
    return replace(event, **changes)


def _told(stretch: Stretch, t: Tried, ties: tuple[int, ...], base: Look) -> Repair:
    look = t.look
    assert look is not None
    removes = tuple(Ref(rule, pos) for rule, pos in sorted(base.all - look.all, key=lambda k: (k[1], k[0])))
    lines = tuple(write_event(f) for f in t.fixes)
    return Repair(t.fixes, t.at, stretch.hand, t.kind, removes, len(look.all), _text(t, ties), lines, ties)


def _text(t: Tried, ties: tuple[int, ...]) -> str:
    fix = t.fixes[0]
    say: dict[Kind, Callable[[], str]] = {
        "insert": lambda: f"{_missing(fix.event)} may be missing after {t.at}" + _ties(t, ties, "or, just as well, an act after"),
        "blank": lambda: f"{pretty(t.card)} may be typed wrong at {_either(ties)}; read {t.at} as unseen",
        "swap": lambda: f"{t.at} and {t.fixes[-1].at} may be typed in the wrong order" + _ties(t, ties, "or, just as well, the two from"),
        "strike": lambda: f"{t.at} may be typed twice",
        "seat": lambda: _other_seat(t),
    }
    return say[t.kind]()


def _other_seat(t: Tried) -> str:
    event = t.fixes[0].event
    if t.dealer or event is None:
        return f"{t.at} may name the wrong dealer; {t.dealer} was to deal"
    return f"{t.at} may be an act of {event.by}, typed for the wrong seat"


def _ties(t: Tried, ties: tuple[int, ...], words: str) -> str:
    others = [n for n in ties if n != t.at]
    return f" ({words} {_either(others)})" if others else ""


def _either(positions: Sequence[int]) -> str:
    """Positions in words: 12, 13 or 14."""
    return " or ".join(", ".join(map(str, positions)).rsplit(", ", 1))


def _missing(event: Plain | None) -> str:
    if event is None:
        return "a line"
    what = {"play": "a card", "capture": "a capture", "pass": "a pass", "bid": "a bid", "discard": "a discard", "draw": "a card drawn"}
    return f"{what.get(verb_of(event), f'a {verb_of(event)}')} of {event.by}"


__all__ = ["depending", "in_order", "offered", "physical", "suggest"]
