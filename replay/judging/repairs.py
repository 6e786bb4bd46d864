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
  and the acts of this hand with their cards unseen, done by whoever was to act; what chance was to do, if nobody was, and what goes
  without saying then, or in the next part of the hand: a table that writes no deal and nobody who sits out may have left out a stand too;
- a card *read as unseen*: one in conflict, wherever the hand shows it, the cards of earlier lines that somebody
  chose, and one that was turned up with the deal, which may make trumps;
- two lines *exchanged*: neighbours near a symptom or shortly before it, of one seat or of two; a line shortly before a
  symptom and one some lines later; two that are called in question, or one of these and another of its kind by the same
  seat;
- a line *struck*: one that says what the one before it said, by whatever seat, or once more what an earlier one said;
  a part of the deal that stands there twice in a row;
- the first line out of order, or the one before it, given to another *seat*; the hand, given to whoever was to deal it;
- the cards behind a trick that a correction gives to another seat, *moved round* with the lead;
- a trick that was gathered by the wrong side, given to another *side*; one gathered too early, after the next card.

Where the record is seen to be wrong in several places far apart, the first of them may be a breach and another the
slip: `MAX_STARTS` of them are looked around. Of a long hand a window around them is looked at, then, if that leads to
nothing, all of it. What cannot be the explanation is held back at a glance: a fold with checks from the corrected line
on, given up as soon as it brings something to light or leaves the first symptom as it is. Only what passes is judged
with hindsight, and only the best few with everything known, on the whole hand. All this draws on one budget of steps;
what was cut short is noted there.

**The score.** A hand weighs `WEIGHT_CONFLICT` for each conflict, `WEIGHT_ORDER` for each act out of order, `WEIGHT_SHORT` if it stops short,
1 for each other broken rule. A correction is worth the weight it takes away. What counts for it is what it does to the
symptoms of the record: one that only takes broken rules away is none, for these can be facts. So

- a line put in, an exchange, a strike and another seat must take away a conflict, an act out of order or the stop, and
  be worth more than what they bring to light;
- a card read as unseen always takes away the findings about its own act, which proves nothing. It must resolve a
  conflict; or an act out of order together with at least one finding more, if one of the cards that are easily typed
  for it does so too and opens no question; or, in a hand with neither, settle at least `MIN_FINDINGS_EXPLAINED` findings, two of
  them about other acts, and leave none, of at least two seats (a whole table that seems to revoke on one lead, a meld that
  another player goes on with) or without opening a question (a row of known cards that is one out from there on), and with
  one of the cards that are easily typed for it nothing may be broken either: a card that only leaves everything open
  explains nothing. Of a card that stands twice in a line one is read so;
- if there is no symptom of the record, an exchange, a strike or a line put in must leave nothing broken in the hand and
  open no question, and settle findings of two seats at least, or those of both lines exchanged if they are not far
  apart (an exchange in no order in which more acts went unwritten), or two that come of the numbers of two new melds. For a line that says what the one before it said, for two
  cards turned up from the stock (nobody chose which) and for what goes without saying of another seat, the first is
  enough; two cards turned up from the stock may also be cleared of what is said of both, if nothing else comes to
  light. So may, whatever else was broken, a line that says what the one before it said and of what a later one shows;
  and two neighbours of which the second says what was inferred before the first. A line put in may also settle `MIN_FINDINGS_EXPLAINED`
  findings about other acts, bring none to light and open no question, whatever else was broken;
- a trick given to another side, or gathered later, must settle what is said of its gathering, bring nothing to light, and the next
  act must then be right: whoever leads shows which side had it at the table;
- if there is no conflict, and `DROWNING_RATIO` times as many rules are broken as the correction settles, the act out of order
  is as likely one breach more. Those that only the correction brings to light do not count, and a rule that one
  player broke `HABIT` times or more counts once.

A genuine revoke brings no symptom of the record, so one or two of them are never explained away. An act that really
was out of turn looks like a slip of the recorder, and no record can tell the two apart: that is offered, and the table
knows which it was.

A rule that was open and is seen to be broken once a correction is folded in does not count against it: that one is no
finding which the correction brings to light, but one that the slip kept from being told. What the first correction of a
hand removes from the next hand (who deals it, what lies there) is counted among what it removes.

**And then.** If the best correction leaves symptoms of the record, the recorder may have slipped twice: the hand as
corrected is looked at once more, and what explains most of the rest is offered after it, up to `MAX_CORRECTIONS` in all.

Of equal worth, a card that is easily typed for the one in conflict comes first, then the likelier slip (what goes
without saying left out, a line typed twice in a row), then the correction that leaves fewer questions open; those that
are equal in this too are ties, and each says so. No exchange is offered beside an unwritten act that explains as much
and goes without saying, and none of lines that are no neighbours beside what explains as much and brings less to light.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from msgspec.structs import replace

from events.cards import is_face
from events.model import (
    Deal,
    Hand,
    Plain,
    Recorded,
)
from reducers.first_state import begin
from reducers.rules import Verdict
from replay.budget import Budget, budget_for
from replay.fold import corrected
from replay.judging.candidates import (
    captures_named,
    cards_unseen,
    fix_line,
    gatherings_corrected,
    lines_exchanged,
    lines_struck,
    neighbours_exchanged,
    other_seats,
    rights_let_go_by,
)
from replay.judging.correction import Ref, SuggestedCorrection
from replay.judging.findings import Finding
from replay.judging.judge import Judge, judge
from replay.judging.moved_tricks import moved_round
from replay.judging.numbering import numbered_as_meant
from replay.judging.screening import Screening, explains, inferred_too_early
from replay.judging.segments import (
    REACHES,
    CandidateCorrection,
    Diagnosis,
    HandSegment,
    QuickJudge,
    diagnose,
    hands_with_breaks,
    segments_of,
    window_around,
)
from replay.judging.wording import suggested
from replay.read_log import read_log
from replay.typos import near_miss

MAX_OFFERS = 4
MAX_CORRECTIONS = 3
"""So many corrections of one hand, one after the other."""
EVENT_BUDGET_PER_HAND = 100_000
"""So many events are folded or judged in all for one hand, a second or two; what was found until then is offered. Counted,
not timed: the same log gets the same offer on a slow machine."""
MAX_VARIANTS = 6
"""So many acts that may be missing in one place are looked at with everything known."""
DROWNING_RATIO = 8
HABIT = 3
"""Whoever breaks a rule so often in a hand plays by another one: that counts once."""


def suggest(
    records: Iterable[Recorded],
    findings: Sequence[Finding] | None = None,
    *,
    within: Collection[int] | None = None,
    effort: int = EVENT_BUDGET_PER_HAND,
    slips: int = MAX_CORRECTIONS,
    budget: Budget | None = None,
) -> list[SuggestedCorrection]:
    """The corrections that explain most of what speaks against the record, best first, at most four for a hand.

    `findings` are those of the log, if they are known already; `within` names the only hands to look at. `effort`
    bounds the steps for one hand, `budget` those for the record. After the corrections of a hand come those of what the
    best of them leaves (`after`), so that up to `slips` are put right one after the other. Empty if nothing calls for
    a correction. Raises like `replay.judging.judge.judge`.
    """
    log = read_log(records)
    budget = budget_for(len(log)) if budget is None else budget
    found = judge(log).findings if findings is None else findings
    stretches = list(segments_of(log.view, hands_with_breaks(found), log.last + 1))
    stretches = [s for s in stretches if within is None or s.hands.intersection(within)]
    broken = {(f.rule, f.at.pos): f.at.hand for f in found if f.verdict == Verdict.BROKEN and (within is None or f.at.hand in within)}
    moved = list(moved_round(log.records, broken, budget))
    out: list[SuggestedCorrection] = []
    for waiting, stretch in zip(range(len(stretches), 0, -1), stretches, strict=True):
        out += _one_after_the_other(stretch, budget.part(effort, of=waiting), slips)
    others = _into_the_next_hand(log.records, out, found, budget)
    # That all cards behind a corrected trick moved comes before what would put right one of them.
    return sorted([*moved, *others], key=lambda one: one.hand) if moved else others


def _into_the_next_hand(log: Sequence[Recorded], repairs: list[SuggestedCorrection], found: Sequence[Finding], budget: Budget) -> list[SuggestedCorrection]:
    """The repairs, those that come first for their hand with what they remove beyond it: from the next one, who deals it and
    what lies there; from their own, what only the hands before it prove, as the order of a pack that goes on."""
    removed = {(ref.rule, ref.pos) for r in repairs for ref in r.removes}
    waiting = [f for f in found if f.verdict == Verdict.BROKEN and (f.rule, f.at.pos) not in removed]
    out: list[SuggestedCorrection] = []
    for i, repair in enumerate(repairs):
        here = {(f.rule, f.at.pos) for f in waiting if f.at.hand == repair.hand}
        # What the hand alone proves is among what the repair leaves.
        here = here if len(here) > repair.leaves else set()
        at = {fix.at for fix in repair.fixes}
        beyond = {(f.rule, f.at.pos) for f in waiting if f.at.hand == repair.hand + 1 or f.at.pos in at}
        first = not repair.after and (i == 0 or repairs[i - 1].hand != repair.hand)
        if (beyond or here) and first and budget.left > 3 * len(log):
            kind = Judge if here else QuickJudge
            asked = kind(corrected([*log, *(Recorded(n=log[-1].n + 1 + j, event=fix) for j, fix in enumerate(repair.fixes))]))
            still = {(rule, pos) for pos, rule in asked.broken()} | {(f.rule, f.at.pos) for f in asked.conflicts}
            budget.spend(asked.read + len(log))
            gone = (beyond | here) - still
            repair = replace(repair, removes=(*repair.removes, *(Ref(*key) for key in sorted(gone, key=lambda k: k[1]))))
        out.append(repair)
    return out


def _look_at(stretch: HandSegment, one: CandidateCorrection, budget: Budget, *, thorough: bool = False) -> Diagnosis:
    """Judge a stretch as it stands with a correction."""
    if one.dealer:
        stretch = replace(stretch, facts={**stretch.facts, "Dealer": one.dealer})
    return diagnose(stretch, one.events, budget, thorough=thorough, adrift=one.adrift)


def _one_after_the_other(stretch: HandSegment, budget: Budget, slips: int) -> list[SuggestedCorrection]:
    """The corrections of a hand, and after them what puts right the rest once the best of those before is made."""
    out: list[SuggestedCorrection] = []
    limit = stretch.limit
    after: tuple[str, ...] = ()
    for slip in range(slips):
        if budget.left <= 0:
            if not slip:
                budget.cut("corrections", stretch.hand)
            break
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


def _repairs(stretch: HandSegment, budget: Budget) -> tuple[list[SuggestedCorrection], CandidateCorrection | None]:
    """The corrections of a hand, best first, and the best as it was tried."""
    whole = diagnose(stretch, stretch.events, budget)
    if not whole.all and not whole.short:
        return [], None
    offers: list[SuggestedCorrection] = []
    best: CandidateCorrection | None = None
    for reach in REACHES:
        window = window_around(stretch, whole, reach)
        base = whole if window is stretch else diagnose(window, window.events, budget)
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


def _seen_elsewhere(stretch: HandSegment, window: HandSegment, whole: Diagnosis, budget: Budget) -> Iterator[CandidateCorrection]:
    """The lines outside the window that show a card in conflict, with that card read as unseen."""
    inside = range(window.skipped, window.skipped + len(window.events))
    lines = (one for one in cards_unseen(stretch, whole) if not one.strange and one.index not in inside and one.card in whole.doubtful)
    for one in numbered_as_meant(stretch, islice(lines, MAX_OFFERS), budget):
        if budget.left <= 0:
            return
        one.judged(_look_at(stretch, one, budget), whole)
        if explains(one, whole):
            yield one


def _tried(stretch: HandSegment, base: Diagnosis, budget: Budget) -> tuple[list[CandidateCorrection], bool]:
    """Every correction that explains something in this stretch, and whether all were tried that come into question."""
    tried: list[CandidateCorrection] = []
    finished = True

    def attempt(candidates: Iterable[CandidateCorrection], share: float) -> None:
        nonlocal finished
        part = budget.part(int(budget.limit * share))
        for one in candidates:
            if part.left <= 0:
                finished = False
                return
            one.judged(_look_at(stretch, one, part), base)
            if explains(one, base):
                tried.append(one)

    broken = {pos for _, pos in base.broken}
    attempt(gatherings_corrected(stretch, base), 1)
    if not base.symptoms and len(broken) < 2:
        attempt(numbered_as_meant(stretch, (t for t in neighbours_exchanged(stretch, base) if t.turned_up or inferred_too_early(t, base)), budget), 1)
        attempt(numbered_as_meant(stretch, (t for t in lines_struck(stretch, base) if t.rank == 0 and t.at in broken), budget), 1)
        attempt(rights_let_go_by(stretch, base), 1)
        return tried, finished
    attempt(numbered_as_meant(stretch, lines_struck(stretch, base), budget), 0.2)
    attempt(numbered_as_meant(stretch, cards_unseen(stretch, base), budget), 0.4)
    attempt(_another_dealer(stretch), 1)
    if base.symptoms or len(broken) > 1:
        sieve = Screening(stretch, base, budget.part(int(budget.limit * 0.4)))
        attempt(sieve.passed(neighbours_exchanged(stretch, base)), 0.3)
        attempt(sieve.passed(other_seats(stretch, base)), 0.2)
        attempt(sieve.passed(lines_exchanged(stretch, base)), 0.3)
        attempt(sieve.inserted(), 0.5)
        attempt(captures_named(stretch, tried, base), 0.2)
        finished = finished and sieve.budget.left > 0
    return tried, finished


def _another_dealer(stretch: HandSegment) -> Iterator[CandidateCorrection]:
    """The hand, dealt by whoever was to deal it."""
    first = stretch.events[0]
    if stretch.due and stretch.start is None and isinstance(first.event, Hand) and first.n:
        right = replace(first.event, by=stretch.due)
        events = [replace(first, event=right), *stretch.events[1:]]
        yield CandidateCorrection("seat", first.n, (fix_line(first.n, "replace", right),), events, rank=0, dealer=stretch.due)


def _best(stretch: HandSegment, tried: list[CandidateCorrection], budget: Budget) -> tuple[list[SuggestedCorrection], CandidateCorrection | None]:
    """The best few, judged once more with everything known, ties told; and the first of them as it was tried."""
    if not tried:
        return [], None
    tried.sort(key=CandidateCorrection.key)
    groups: dict[tuple[Any, ...], list[CandidateCorrection]] = {}
    for t in tried:
        groups.setdefault((t.kind, t.at, t.fixes[-1].at, t.card), []).append(t)
    whole = diagnose(stretch, stretch.events, budget, thorough=True)
    finalists: list[CandidateCorrection] = []
    for place, group in enumerate(list(groups.values())[: 3 * MAX_OFFERS]):
        if place and budget.left <= 0:
            break
        finalists += _standing(stretch, group, whole, budget)
    finalists.sort(key=CandidateCorrection.key)
    quiet = next((t for t in finalists if t.kind == "insert" and t.rank == 0), None)
    if quiet is not None:
        # What goes without saying is left out; nobody need have typed two lines in the wrong order.
        finalists = [t for t in finalists if t.kind != "swap" or t.gain > quiet.gain]
    # An act is missing where it explains most.
    put_in = [t for t in finalists if t.kind == "insert"]
    finalists = [t for t in finalists if t.kind != "insert" or not any(o.gain > t.gain and o.fixes[-1].event == t.fixes[-1].event for o in put_in)]
    # Lines that are no neighbours are seldom exchanged: not if something else explains as much and brings less to light.
    light = {id(t): len(t.look.all - whole.all) for t in finalists if t.look is not None}
    finalists = [
        t for t in finalists
        if t.kind != "swap" or t.rank <= 1 or not any(o.gain >= t.gain and light[id(o)] < light[id(t)] for o in finalists)
    ]  # fmt: skip
    out = []
    for t in finalists[:MAX_OFFERS]:
        ties = tuple(sorted({o.at for o in finalists if o.kind == t.kind and o.key() == t.key()}))
        out.append(suggested(stretch, t, ties, whole))
    return out, finalists[0] if finalists else None


def _standing(stretch: HandSegment, group: Sequence[CandidateCorrection], whole: Diagnosis, budget: Budget) -> Iterator[CandidateCorrection]:
    """Of several acts that may be missing in one place, the first that still explains something with everything known."""
    for place, t in enumerate(group[:MAX_VARIANTS]):
        if place and budget.left <= 0:
            return
        t.judged(_look_at(stretch, t, budget, thorough=True), whole)
        if not explains(t, whole) or _drowned(t, whole):
            continue
        if t.kind != "blank" or whole.conflicts or whole.short or _easily_typed(stretch, t, whole, budget):
            yield t
            return


def _drowned(t: CandidateCorrection, whole: Diagnosis) -> bool:
    """Whether so many other rules were broken in the hand that an act out of order is as likely one more. A line that says
    what the one before it said is likely a slip all the same, and so is how a trick was gathered if the next lead does not go with it."""
    assert t.look is not None
    if len(t.look.conflicts) < len(whole.conflicts) or (t.kind in ("strike", "side", "swap") and t.rank <= 0):
        return False
    # What only the correction brings to light was there whether somebody was out of turn or not. A rule that a player
    # breaks turn after turn is one habit, and makes no breach of another rule likelier.
    broken = Counter((rule, t.look.by.get(pos, "")) for rule, pos in t.look.all - (t.look.broken & whole.asked))
    left = sum(1 if times >= HABIT else times for times in broken.values())
    return left >= DROWNING_RATIO * max(1, len(whole.all - t.look.all))


def _easily_typed(stretch: HandSegment, t: CandidateCorrection, whole: Diagnosis, budget: Budget) -> bool:
    """Whether nothing is broken with one of the cards that are easily typed for another, or, if somebody acts out of order,
    fewer do: an unseen card that only leaves everything open is no explanation."""
    faces = begin(stretch.facts).game.pack.faces
    was = stretch.events[t.index]
    for face in dict.fromkeys(f for f in faces if is_face(f) and near_miss(f, t.card)):
        if budget.left <= 0:
            break
        event = _with_card(was.event, t.card, face)
        look = diagnose(stretch, [*stretch.events[: t.index], replace(was, event=event), *stretch.events[t.index + 1 :]], budget)
        better = look.all <= whole.all and len(look.disorder) < len(whole.disorder) if whole.order else not look.all
        if better and look.opens() <= whole.opens():
            return True
    return False


def _with_card(event: Plain, card: str, other: str) -> Plain:
    """The event with another card where one stands first."""
    left = iter((True,))

    def typed(cards: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(other if c == card and next(left, False) else c for c in cards)

    changes: dict[str, Any] = {name: typed(getattr(event, name)) for name in ("cards", "takes") if getattr(event, name, ())}
    if getattr(event, "groups", ()):
        changes["groups"] = tuple(map(typed, event.groups))  # type: ignore[union-attr]  # it has the field: just asked
    if isinstance(event, Deal):
        changes["piles"] = tuple((name, typed(cards)) for name, cards in event.piles)
    return replace(event, **changes)


__all__ = ["suggest"]
