"""The one correction that explains most, offered before anybody is accused.

A forgotten line moves every later one to the wrong seat, a mistyped card is played twice, two neighbours typed in the
wrong order are both out of turn. One slip of the recorder so looks like many faults of the players. Where that may be
so, the hand is judged again and again with one correction folded in, and those that explain most are offered.

**When it is looked for.** A hand with a symptom of the record: a *conflict* (T1 to T5: a card in two places, too many
cards), an act *out of order* (by a seat whose turn it was not, or in the wrong part of the hand), a hand that *stops
short* before the next one begins; or with two broken rules or more. With one alone, two cards that a seat turned up
from the stock one after the other may be typed in the wrong order: that much is tried.

**What is tried.** Put in an unseen act of whoever was to act, at every gap up to the first symptoms that could be its
work (where the record has no symptom of its own, one that brings nothing to light by itself); read as unseen a card that is in conflict, wherever the hand mentions it; swap two neighbours near a symptom;
strike a line that says what the one before it said.

**The score.** A hand weighs `CONFLICT` for each conflict, `ORDER` for each act out of order, `SHORT` if it stops short,
1 for each other broken rule. A correction is worth the weight it takes away. What counts for it is what it does to the
*symptoms of the record*: one that only takes broken rules away is none, for these can be facts. So

- an act put in, a swap and a strike must take away a conflict, an act out of order or the stop, and be worth more than
  what they bring to light;
- a card read as unseen always takes away the findings about its own act, which proves nothing. It must resolve a
  conflict; or an act out of order together with at least one finding more; or, in a hand with neither, settle at least
  `CHORUS` findings about other acts and leave none, of at least two seats (a whole table that seems to revoke on one
  lead) or without opening a question (a row of known cards that is one out from there on);
- two cards turned up from the stock were nobody's choice: that their swap leaves nothing broken in the hand and opens no
  question is enough (where other rules were broken too, the breach is as likely);
- where there is no symptom of the record, an act put in must settle `CHORUS` findings about other acts, bring none to
  light and open no question.

A genuine revoke brings no symptom of the record, so one or two of them are never explained away. An act that really
was out of turn looks like a slip of the recorder, and no record can tell the two apart: that is offered, and the table
knows which it was.

A rule that was open and is seen to be broken once a correction is folded in does not count against it: that one is no
finding which the correction brings to light, but one that the slip kept from being told.

**And then.** Where the best correction leaves symptoms of the record, the recorder may have slipped twice: the hand as
corrected is looked at once more, and what explains most of the rest is offered behind it, up to `SLIPS` in all.

Of equal worth, a card that is easily typed for the one in conflict comes first, then the correction that leaves fewer
questions open; those that are equal in this too are ties, and each says so.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.cards import is_face, pretty
from events.model import (
    ABOUT,
    Capture,
    Deal,
    Discard,
    Draw,
    End,
    Event,
    Fix,
    Gap,
    Hand,
    Move,
    Open,
    Plain,
    Play,
    Recorded,
    Shuffle,
    Tally,
    verb_of,
)
from events.writing import write_event
from reducers.game import acts_of, begin, evolve, legal, objections
from reducers.rules import Verdict
from reducers.state import State
from replay.fold import Corrected, Placed, corrected
from replay.hide import unseen
from replay.judge import Finding, Judge, judge, sentence, without
from replay.offer import Kind, Ref, Repair
from replay.simulate import near_miss

CONFLICT, ORDER, SHORT = 3, 2, 2
CHORUS = 3
MOST = 4
SLIPS = 3
"""So many corrections of one hand, one after the other."""
EFFORT = 100_000
"""So many events are folded or judged in all for one hand, a second or two; what was found until then is offered. Counted,
not timed: the same log gets the same offer on a slow machine."""
VARIANTS = 6
"""So many acts that may be missing in one place are looked at with everything known."""
LONGEST = 240
"""No more events than this are judged together, where nobody wrote the beginning of a hand."""
PHYSICAL = ("T1", "T2", "T3", "T4", "T5")
FRAME = (Open, Hand, Deal, Shuffle, End, Tally, Gap, *ABOUT)


class Look(Struct):
    """A hand as judged: what is in conflict, out of order, broken otherwise, and how many questions are open."""

    conflicts: set[tuple[str, int, str]]
    order: set[tuple[str, int]]
    broken: set[tuple[str, int]]
    asked: set[tuple[str, int]]
    short: bool
    by: dict[int, str]
    cost: int = 0
    """How many events were folded or judged for it: a record in conflict is read several times over."""

    @property
    def weight(self) -> int:
        """How much speaks against the record."""
        return CONFLICT * len(self.conflicts) + ORDER * len(self.disorder) + SHORT * self.short + len(self.broken)

    @property
    def symptoms(self) -> bool:
        """Whether something shows that the record is wrong, whatever the players did."""
        return bool(self.conflicts or self.order or self.short)

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
    """The part of a match that is judged alone: a hand, up to where the next one is written to begin."""

    facts: dict[str, Any]
    hand: int
    hands: set[int]
    events: list[Placed]
    followed: bool
    limit: int
    """The number that the next event of the log will have."""
    read: int = 0
    """How many events were folded or asked about to see that a line put in cannot have been missing."""


class Tried(Struct):
    """A correction that was tried: what it is, and the hand judged with it."""

    kind: Kind
    at: int
    fixes: tuple[Fix, ...]
    events: list[Placed]
    card: str = ""
    # Whether the card is easily typed for no other that is in conflict.
    strange: bool = False
    # Whether both lines of a swap are cards that one seat turned up from the stock.
    turned_up: bool = False
    look: Look | None = None
    # How many questions of the hand as it stands are answered with it, and the answer is that a rule was broken.
    answered: int = 0

    @property
    def weight(self) -> int:
        """How much still speaks against the record."""
        assert self.look is not None
        return self.look.weight - self.answered

    def judged(self, look: Look, base: Look) -> None:
        """Keep how the hand is judged with it, beside how it is judged as it stands."""
        self.look, self.answered = look, len(look.broken & base.asked)

    @property
    def corrected(self) -> tuple[int, ...]:
        """The positions of the acts that the correction brings, blurs or moves."""
        return (self.events[[p.n for p in self.events].index(self.at) + 1].n,) if self.kind == "insert" else (self.at,)

    def key(self) -> tuple[int, bool, int]:
        """From the best: worth most, a likely slip of the hand, fewest questions left open."""
        assert self.look is not None
        return (self.weight, self.strange, self.look.opens(*self.corrected))


class _Quick(Judge):
    """A judge that does not stop to eliminate: for the many corrections that are tried only once."""

    def _eliminate(self) -> None:
        return


def suggest(
    records: Iterable[Recorded],
    findings: Sequence[Finding] | None = None,
    *,
    within: Collection[int] | None = None,
    effort: int = EFFORT,
    slips: int = SLIPS,
) -> list[Repair]:
    """The corrections that explain most of what speaks against the record, best first, at most four for a hand.

    `findings` are those of the log, if they are known already; `within` names the only hands to look at. `effort`
    bounds the events judged for one hand. Behind the corrections of a hand come those of what the best of them leaves
    (`after`), so that up to `slips` are put right one after the other. Empty where nothing calls for a correction.
    Raises like `replay.judge.judge`.
    """
    log = list(records)
    found = judge(log).findings if findings is None else findings
    view = corrected(log)
    hands = _worth_a_look(found)
    out: list[Repair] = []
    for stretch in _stretches(view, hands, log[-1].n + 1):
        if within is None or stretch.hands.intersection(within):
            out += _one_after_the_other(stretch, effort, slips)
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
    """What is broken, a line each, in the order in which it is fair to say it.

    First what the record contradicts itself in, then the corrections with the lines to type, then what those would
    remove, said to rest on the record as it stands; what no correction touches comes last.
    """
    for f in findings:
        if physical(f):
            yield sentence(f)
    for i, repair in enumerate(repairs):
        first = i == 0 or repairs[i - 1].hand != repair.hand
        yield offered(repair, "perhaps" if first else "then" if repair.after else "or")
    players = [f for f in findings if not physical(f)]
    resting = [f for f in players if f.unless is not None]
    if resting:
        yield "these rest on the record as it stands:"
        for f in resting:
            yield f"  {sentence(f)}"
    for f in players:
        if f.unless is None:
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
            now, wanted = Stretch(facts, state.number, set(), [], False, limit), False
            if not isinstance(placed.event, Hand):
                begun = Hand(by=dealer, number=state.number)
                now.events.append(Placed(before, 0, begun, Recorded(n=before, event=begun)))
        number, before = state.number, placed.n
        if now is not None:
            wanted = wanted or number in hands
            if len(now.events) < LONGEST:
                now.events.append(placed)
                now.hands.add(number)
    if now is not None:
        now.followed = bool(state.ended == "agreed" and not state.settled)
        if wanted or now.followed:
            yield now


def _under_way(state: State[Any]) -> bool:
    """Whether anything was played in the hand: a card left a holding, or somebody spoke."""
    return state.phase not in ("between", "over")


# -- judging a stretch ------------------------------------------------------------------------------------------------


def _look(stretch: Stretch, events: Sequence[Placed], *, thorough: bool = False) -> Look:
    """Judge a stretch as it stands with these events."""
    asked = (Judge if thorough else _Quick)(Corrected(Open(by="@", facts=stretch.facts), tuple(events)))
    ended = asked.learn()
    cost = asked.read + len(events)
    look = Look(set(), set(), set(), set(), stretch.followed and not ended.settled, {p.n: p.event.by for p in events}, cost)
    for f in asked.conflicts:
        look.conflicts.add((f.rule.removeprefix("table."), f.at.pos, f.cards[0] if f.cards else ""))
    for said in asked.walk(asked.events, asked.proofs):
        key = (f"{said.owner}.{said.rule.id}", said.placed.n)
        if said.says.verdict == Verdict.OPEN:
            look.asked.add(key)
        elif key[0] == "table.T6" or _out_of_turn(said.state, said.placed.event):
            look.order.add(key)
        else:
            look.broken.add(key)
    return look


def _out_of_turn(state: State[Any], event: Event) -> bool:
    return bool(state.turn) and event.by not in state.turn and type(event) in acts_of(state.game.key)


# -- what may be put right --------------------------------------------------------------------------------------------


def _one_after_the_other(stretch: Stretch, effort: int, slips: int) -> list[Repair]:
    """The corrections of a hand, and behind them what puts right the rest once the best of those before is made."""
    out: list[Repair] = []
    limit = stretch.limit
    after: tuple[str, ...] = ()
    for slip in range(slips):
        offers, best = _repairs(stretch, effort)
        if slip:
            # Only a correction that is of lines already there: the numbers of new ones are not known before they are typed.
            offers = [replace(r, after=after) for r in offers[:1] if all(f.at < limit for f in r.fixes)]
        out += offers
        if not offers or best is None or best.look is None or not best.look.symptoms:
            break
        after += offers[0].lines
        stretch = replace(stretch, events=best.events, limit=stretch.limit + len(best.fixes), read=0)
    return out


def _repairs(stretch: Stretch, effort: int) -> tuple[list[Repair], Tried | None]:
    """The corrections of a hand, best first, and the best as it was tried."""
    base = _look(stretch, stretch.events)
    tried: list[Tried] = []
    spent = base.cost

    def attempt(candidates: Iterable[Tried]) -> None:
        nonlocal spent
        for one in candidates:
            if spent + stretch.read >= effort:
                return
            one.judged(look := _look(stretch, one.events), base)
            spent += look.cost
            if _explains(one, base):
                tried.append(one)

    if not (base.conflicts or base.order or base.short or len({pos for _, pos in base.broken}) >= 2):
        attempt(t for t in _swaps(stretch, base) if t.turned_up)
        return _best(stretch, tried)
    attempt(_blanks(stretch, base))
    attempt(_swaps(stretch, base))
    attempt(_strikes(stretch, base))
    attempt(_insertions(stretch, base))
    attempt(_closer(stretch, tried, base))
    return _best(stretch, tried)


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
    if one.turned_up and not look.all and look.opens() <= base.opens():
        return True
    if one.kind == "insert" and not base.conflicts and not base.order and not base.short:
        return nothing_new and len(others) >= CHORUS and look.opens(*one.corrected) <= base.opens()
    return ordered or (base.short and not look.short)


def _acting(stretch: Stretch, placed: Placed) -> bool:
    return placed.event.by != "@" and not isinstance(placed.event, FRAME)


def _fix(at: int, how: str, event: Plain | None = None) -> Fix:
    return Fix(by="@", at=at, how=how, event=event)  # type: ignore[arg-type]  # one of the three words


def _blanks(stretch: Stretch, base: Look) -> Iterator[Tried]:
    """Each line of the hand that mentions a card in conflict, with that card read as unseen."""
    cards = {card for _, _, card in base.conflicts if card}
    # A card that is not where it should be may be another one that was written wrong before it came there.
    clashes = [(pos, card) for rule, pos, card in base.conflicts if rule in ("T3", "T4")]
    if base.conflicts:
        last = max((pos for pos, _ in clashes), default=-1)
    else:
        last = min((pos for _, pos in base.order), default=max((pos for _, pos in base.broken), default=-1))
    for i, placed in enumerate(stretch.events):
        lone = _lone_card(placed.event) if i <= _index(stretch, last) else ()
        for card in sorted(cards.union(lone)):
            blurred = without(placed.event, (card,))
            if placed.n and blurred != placed.event and not isinstance(blurred, Hand | Fix):
                events = [*stretch.events[:i], replace(placed, event=blurred), *stretch.events[i + 1 :]]
                strange = card not in cards and not any(near_miss(card, other) for _, other in clashes if is_face(other))
                yield Tried("blank", placed.n, (_fix(placed.n, "replace", blurred),), events, card, strange)


def _index(stretch: Stretch, pos: int) -> int:
    return next((i for i, p in enumerate(stretch.events) if p.n == pos), -1)


def _lone_card(event: Plain) -> tuple[str, ...]:
    """The card of an act with one card that somebody chose."""
    if isinstance(event, Play | Capture) and len(event.cards) == 1 and is_face(event.cards[0]):
        return event.cards
    return ()


def _near(base: Look, placed: Sequence[Placed], reach: int = 2) -> set[int]:
    """The indices of the events around what speaks against the record."""
    marked = {pos for _, pos in base.all}
    return {j for i, p in enumerate(placed) if p.n in marked for j in range(i - reach, i + reach + 1)}


def _swaps(stretch: Stretch, base: Look) -> Iterator[Tried]:
    """Two neighbouring acts in the other order."""
    acts = [i for i, p in enumerate(stretch.events) if _acting(stretch, p)]
    near = _near(base, stretch.events)
    for i, j in pairwise(acts):
        a, b = stretch.events[i], stretch.events[j]
        if (i not in near and j not in near) or a.event == b.event:
            continue
        events = list(stretch.events)
        events[i], events[j] = replace(a, event=b.event), replace(b, event=a.event)
        fixes = (_fix(a.n, "replace", b.event), _fix(b.n, "replace", a.event))
        yield Tried("swap", a.n, fixes, events, turned_up=a.event.by == b.event.by and _from_stock(a.event) and _from_stock(b.event))


def _from_stock(event: Plain) -> bool:
    """Whether a card is turned up from the stock, where nobody chooses which."""
    return isinstance(event, Play | Discard | Draw | Move) and event.src.partition(":")[0] == "stock"


def _strikes(stretch: Stretch, base: Look) -> Iterator[Tried]:
    """A line that says what the one before it said, by whomever it was taken to be."""
    before: Placed | None = None
    for i, placed in enumerate(stretch.events):
        if not _acting(stretch, placed):
            continue
        if before is not None and replace(placed.event, by=before.event.by) == before.event:
            events = [*stretch.events[:i], *stretch.events[i + 1 :]]
            yield Tried("strike", placed.n, (_fix(placed.n, "strike"),), events)
        before = placed


# -- a line that was forgotten ----------------------------------------------------------------------------------------


def _insertions(stretch: Stretch, base: Look) -> Iterator[Tried]:
    """An unseen act of whoever was to act, in every gap up to what it may have caused."""
    if not (base.order or base.short or base.conflicts or len(base.broken) >= CHORUS):
        return
    forms = _forms(stretch)
    calm = not (base.order or base.short or base.conflicts)
    for i, state in _gaps(stretch, base):
        for act in _unwritten(state, forms):
            if not calm or not _comes_to_light(stretch, i, act, state, base):
                yield _put_in(stretch, i, act)


def _comes_to_light(stretch: Stretch, i: int, act: Plain, state: State[Any], base: Look) -> bool:
    """Whether an act put in behind event `i` brings a conflict or a broken rule to light that shows without hindsight.

    More knowledge takes back neither, so where the record has no symptom of its own the act explains nothing.
    """
    key, step = state.game.key, state.table.now
    if _objected(state, act):
        stretch.read += 1
        return True
    state = state.copy()
    for placed in (Placed(stretch.limit, stretch.limit, act, Recorded(n=stretch.limit, event=act)), *stretch.events[i + 1 :]):
        step += 1
        stretch.read += 1
        state.at, state.table.now = placed.n, step
        if any((f"{key}.{rule}", placed.n) not in base.broken for rule in _objected(state, placed.event)):
            return True
        evolve(state, placed.event)
        if state.table.trouble:
            return True
    return False


def _objected(state: State[Any], event: Event) -> list[str]:
    """The rules of the page that this act breaks here, as far as it is seen."""
    if state.phase not in state.game.phases:
        return []
    return [rule.id for rule, says in objections(state, event) if says.verdict == Verdict.BROKEN]


def _gaps(stretch: Stretch, base: Look) -> Iterator[tuple[int, State[Any]]]:
    """Each gap where an act may be missing: the index of the event before it, and the state there (the fold's own)."""
    marks = base.disorder | {pos for _, pos, _ in base.conflicts} or {pos for _, pos in base.broken}
    last = next((i for i, p in enumerate(stretch.events) if p.n in marks), len(stretch.events))
    if base.short:
        last = len(stretch.events)
    state = begin(stretch.facts)
    for i, placed in enumerate(stretch.events):
        if i > last:
            return
        state.at, state.table.now = placed.n, i + 1
        evolve(state, placed.event)
        state.table.trouble.clear()
        behind = stretch.events[i + 1] if i + 1 < len(stretch.events) else None
        if isinstance(placed.event, ABOUT) or (behind is not None and isinstance(behind.event, Deal | Hand)):
            continue
        if behind is not None and isinstance(behind.recorded.event, Fix) and behind.recorded.event.how == "insert":
            # What is put in now would come to stand behind it.
            continue
        if state.turn and state.phase in state.game.phases:
            yield i, state


def _put_in(stretch: Stretch, i: int, act: Plain) -> Tried:
    before = stretch.events[i]
    n = stretch.limit
    new = Placed(n, n, act, Recorded(n=n, event=act))
    events = [*stretch.events[: i + 1], new, *stretch.events[i + 1 :]]
    return Tried("insert", before.n, (_fix(before.n, "insert", act),), events)


def _forms(stretch: Stretch) -> dict[str, list[Plain]]:
    """How each seat acts with cards in this hand: its acts with every card unseen."""
    out: dict[str, list[Plain]] = {}
    for placed in stretch.events:
        event = placed.event
        if isinstance(event, Play | Discard | Draw | Move | Capture) and _acting(stretch, placed):
            form = _unseen(event)
            if form not in out.setdefault(event.by, []):
                out[event.by].append(form)
    return out


def _unseen(event: Play | Discard | Draw | Move | Capture) -> Plain:
    if isinstance(event, Capture):
        return replace(event, cards=unseen(event.cards), takes=("??",))
    return replace(event, cards=unseen(event.cards))


def _unwritten(state: State[Any], forms: dict[str, list[Plain]]) -> Iterator[Plain]:
    """The acts that may have gone unwritten here, their cards unseen."""
    acts = state.game.phases[state.phase].acts
    for seat in state.turn:
        if seat not in state.terms.seats:
            continue
        seen: list[Plain] = [f for f in forms.get(seat, ()) if type(f) in acts]
        if Play in acts and not any(isinstance(f, Play) for f in seen):
            seen.append(Play(by=seat, cards=("??",)))
        yield from seen
    if not any(t in acts for t in (Play, Capture)):
        yield from _spoken(state)


def _spoken(state: State[Any]) -> Iterator[Plain]:
    """Calls, bids and names that were possible; the quiet one first."""
    words = [a for a in legal(state, limit=40).acts if not getattr(a, "cards", ())]
    yield from sorted(words, key=lambda a: verb_of(a) != "pass")  # type: ignore[misc]  # a legal act is never a fix


def _closer(stretch: Stretch, tried: Sequence[Tried], base: Look) -> Iterator[Tried]:
    """For the best gaps, a capture that names what it may have taken."""
    best = sorted((t for t in tried if t.kind == "insert"), key=Tried.key)
    gaps = list(dict.fromkeys(t.at for t in best))[:6]
    index = {p.n: i for i, p in enumerate(stretch.events)}
    states = {i: state.copy() for i, state in _gaps(stretch, base) if stretch.events[i].n in gaps}
    for at in gaps:
        state = states.get(index[at])
        if state is None or Capture not in state.game.phases[state.phase].acts:
            continue
        board = state.table.piles.get("board")
        lying = state.game.pack.cards(board.certain) if board is not None else []
        takes = [(c,) for c in lying] + list(combinations(lying, 2))
        for seat in state.turn:
            for some in takes[:24]:
                yield _put_in(stretch, index[at], Capture(by=seat, cards=("??",), takes=some))


# -- the offer --------------------------------------------------------------------------------------------------------


def _best(stretch: Stretch, tried: list[Tried]) -> tuple[list[Repair], Tried | None]:
    """The best few, judged once more with everything known, ties told; and the first of them as it was tried."""
    if not tried:
        return [], None
    tried.sort(key=Tried.key)
    groups: dict[tuple[Any, ...], list[Tried]] = {}
    for t in tried:
        groups.setdefault((t.kind, t.at, t.card), []).append(t)
    whole = _look(stretch, stretch.events, thorough=True)
    finalists = [t for group in list(groups.values())[: 3 * MOST] for t in _standing(stretch, group, whole)]
    finalists.sort(key=Tried.key)
    out = []
    for t in finalists[:MOST]:
        ties = tuple(sorted({o.at for o in finalists if o.kind == t.kind and o.key() == t.key()}))
        out.append(_told(stretch, t, ties, whole))
    return out, finalists[0] if finalists else None


def _standing(stretch: Stretch, group: Sequence[Tried], whole: Look) -> Iterator[Tried]:
    """Of several acts that may be missing in one place, the first that still explains something with everything known."""
    for t in group[:VARIANTS]:
        t.judged(_look(stretch, t.events, thorough=True), whole)
        if _explains(t, whole):
            yield t
            return


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
    }
    return say[t.kind]()


def _ties(t: Tried, ties: tuple[int, ...], words: str) -> str:
    others = [n for n in ties if n != t.at]
    return f" ({words} {_either(others)})" if others else ""


def _either(positions: Sequence[int]) -> str:
    """Positions in words: 12, 13 or 14."""
    return " or ".join(", ".join(map(str, positions)).rsplit(", ", 1))


def _missing(event: Plain | None) -> str:
    if event is None:
        return "a line"
    what = {"play": "a card", "capture": "a capture", "pass": "a call", "bid": "a call", "discard": "a discard", "draw": "a card drawn"}
    return f"{what.get(verb_of(event), f'a {verb_of(event)}')} of {event.by}"


__all__ = ["depending", "in_order", "offered", "physical", "suggest"]
