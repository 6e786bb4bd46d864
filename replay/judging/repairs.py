"""Find the one correction that explains most, to be offered before any player is accused.

A forgotten line moves every later one to the wrong seat, a mistyped card is played twice, two lines in the wrong
order look like two revokes, a line typed twice is a player's second card. So one slip of the recorder looks like many
faults of the players. In such a case the hand is judged again with one correction folded in, and the corrections that
explain most are offered.

**When.** A hand has a *symptom of the record*: a *conflict* (T1 to T5: a card in two places, too many cards), an act
*out of order* (by the wrong seat, in the wrong part of the hand, or against a rule that the game names as broken most
easily by an omitted act), or it *stops short* before the next one begins. Or it has at least two broken rules. With a
single one only three things are tried: two cards turned up from the stock were typed in the wrong order, the line was
typed twice, or another seat before it silently declined a right.

**What is tried**, whatever the game and the verb:

- a line *inserted* after any other, up to the first symptom: the default act, acts known to be legal, and the acts of
  this hand with their cards unseen, by the seats to act; a pending act of chance, and the default act after it;
- the fewest acts that go without saying (`reducers.silent_acts`) *inserted* before a symptom, so that it is in its
  place; and the same in every place of the hand at once, for a recorder who leaves such acts out;
- a card *read as unseen*: one in conflict, wherever the hand shows it, the cards of earlier lines that a player chose,
  and a card turned up with the deal, which may make trumps;
- two lines *exchanged*: neighbours at a symptom or shortly before it; a line shortly before a symptom and one some
  lines later; two suspect lines, or one of these and another of its kind by the same seat;
- a line *struck*: one that repeats the line before it, by any seat, or an earlier one; a part of the deal recorded
  twice in a row;
- the first line out of order, or the one before it, given to another *seat*; the hand given to the dealer whose turn
  it was;
- the cards after a trick that a correction gives to another seat, *shifted* with the lead;
- a trick gathered by the wrong side, given to another *side*; one gathered too early, moved after the next card.

If the record is wrong in several places far apart, the first may be a breach and another the slip, so `MAX_STARTS` of
them are searched. In a long hand a window around them is searched first, then all of it. A fast screening drops most
candidates: a fold with checks from the corrected line on, given up as soon as it reveals something new or leaves the
first symptom. Only candidates that pass are judged with hindsight, and only the best few with full knowledge on the
whole hand. All this draws on one budget of steps, which notes what was cut short.

**The score.** A hand weighs `WEIGHT_CONFLICT` for each conflict, `WEIGHT_ORDER` for each act out of order,
`WEIGHT_SHORT` if it stops short, and 1 for each other broken rule. A correction is worth the weight it removes. It
must act on the symptoms of the record: broken rules alone can be facts. So

- a line inserted, exchanged, struck or given to another seat must remove a conflict, an act out of order or the stop,
  and be worth more than what it reveals;
- a card read as unseen always removes the findings about its own act, which proves nothing. It is offered in three
  cases. It resolves a conflict. Or it resolves an act out of order and another finding, and a card easily mistaken
  for it does so too and opens no question. Or, in a hand with neither, it settles at least `MIN_FINDINGS_EXPLAINED`
  findings, two of them about other acts, and leaves none. It then has to do so for two seats (a whole table that
  seems to revoke on one lead, a meld that another player extends) or without opening a question (a row of known cards
  that is shifted from there on). Some card easily mistaken for it must leave nothing broken either: a card that only
  leaves everything open explains nothing. If a line has the card twice, one of them is read as unseen;
- without a symptom of the record, an exchange, a strike or an insertion must leave nothing broken in the hand and
  open no question. It must also settle findings of at least two seats, or those of both exchanged lines if they are
  close (and the exchange must not imply more missing acts), or two that come from the numbers of two new melds.
  Acts that go without saying in several places may open questions, if they settle `MIN_FINDINGS_EXPLAINED` findings of
  several seats. The
  first condition alone is enough for a line that repeats the one before it, for two cards turned up from the stock
  (no choice of a player) and for the default act of another seat. Whatever else was broken, these are offered too:
  two cards turned up from the stock that settle the findings about both and reveal nothing else; a line that repeats
  the one before it and also settles a finding about a later line; two neighbours if the second records what was
  inferred before the first; an insertion that settles `MIN_FINDINGS_EXPLAINED` findings about other acts, reveals
  none and opens no question;
- a trick given to another side, or gathered later, must settle the findings about its gathering and reveal nothing, and
  the next act must then be right: the next leader shows which side took the trick;
- if there is no conflict, and `DROWNING_RATIO` times as many rules are broken as the correction settles, the act out
  of order is as likely another breach. Findings that only the correction reveals do not count, and a rule that one
  player broke `HABIT` times or more counts once.

A genuine revoke brings no symptom of the record, so one or two of them are never explained away. An act that really
was out of turn looks like a slip of the recorder, and no record can distinguish the two: the correction is offered,
and the table knows which it was.

An open rule that a correction shows to be broken does not count against it: the slip had only hidden that finding.
What the first correction of a hand removes from the next hand (its dealer, its cards) is counted too.

**Further slips.** If the best correction leaves symptoms of the record, the recorder may have slipped twice: the
corrected hand is searched again, and what explains most of the rest is offered after it, up to `MAX_CORRECTIONS` in
all.

No act is offered at a second place where it explains less, nor several lines put in where fewer settle nearly as much.
Of equal worth, a card that is easily mistaken for the one in conflict comes first, then the likelier slip (a default
act omitted, a line typed twice in a row), then the correction that leaves fewer questions open; corrections equal in
this too are ties, and each says so. No exchange is offered beside a missing default act that explains as much, and no
exchange of distant lines beside a correction that explains as much and reveals less.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from msgspec.structs import replace

from events.cards import is_face
from events.model import Deal, Hand, Plain, Recorded
from reducers.first_state import begin
from reducers.rules import Verdict
from replay.budget import Budget, budget_for
from replay.fold import corrected
from replay.judging.candidates import (
    acts_gone_without_saying,
    captures_named,
    cards_unseen,
    fix_line,
    gatherings_corrected,
    lines_exchanged,
    lines_struck,
    neighbours_exchanged,
    other_seats,
)
from replay.judging.correction import Ref, SuggestedCorrection
from replay.judging.findings import Finding
from replay.judging.judge import Judge, judge, judged_in_all_worlds
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
from replay.masking import unseen_in
from replay.read_log import read_log
from replay.typos import near_miss

MAX_OFFERS = 4
MAX_CORRECTIONS = 3
"""Most corrections of one hand, one after the other."""
EVENT_BUDGET_PER_HAND = 100_000
"""Most events folded or judged for one hand, a second or two; what was found until then is offered. Events are
counted, not time: the same log gets the same offer on a slow machine."""
MAX_VARIANTS = 6
"""Most acts missing in one place that are judged with full knowledge."""
DROWNING_RATIO = 8
HABIT = 3
"""A player who breaks a rule this often in a hand plays by another one: that counts once."""


def suggest(
    records: Iterable[Recorded],
    findings: Sequence[Finding] | None = None,
    *,
    within: Collection[int] | None = None,
    effort: int = EVENT_BUDGET_PER_HAND,
    slips: int = MAX_CORRECTIONS,
    budget: Budget | None = None,
) -> list[SuggestedCorrection]:
    """Return the corrections that explain most, best first, at most four for a hand.

    `findings` are those of the log, if they are known already; `within` limits the hands. `effort` bounds the steps
    for one hand, `budget` those for the record. After the corrections of a hand come those for what the best of them
    leaves (`after`), up to `slips` in a row. Empty if nothing calls for a correction. Raises like
    `replay.judging.judge.judge`.
    """
    log = read_log(records)
    budget = budget_for(len(log)) if budget is None else budget
    found = judge(log).findings if findings is None else findings
    stretches = list(segments_of(log.view, hands_with_breaks(found), log.last + 1))
    stretches = [s for s in stretches if within is None or s.hands.intersection(within)]
    broken = {
        (f.rule, f.at.pos): f.at.hand for f in found if f.verdict == Verdict.BROKEN
        and (within is None or f.at.hand in within)
    }
    moved = list(moved_round(log.records, broken, budget))
    out: list[SuggestedCorrection] = []
    for waiting, stretch in zip(range(len(stretches), 0, -1), stretches, strict=True):
        out += _one_after_the_other(stretch, budget.part(effort, of=waiting), slips)
    others = _into_the_next_hand(log.records, list(_with_kept_promises(log.records, out, budget)), found, budget)
    # Shifting all cards after a corrected trick comes before correcting one of them.
    return sorted([*moved, *others], key=lambda one: one.hand) if moved else others


def _into_the_next_hand(
    log: Sequence[Recorded], repairs: list[SuggestedCorrection], found: Sequence[Finding], budget: Budget,
) -> list[SuggestedCorrection]:
    """Add what the first repair of each hand removes beyond it: in the next hand (its dealer, its cards), and in its
    own hand what only earlier hands prove (such as the order of a pack that is not shuffled)."""
    removed = {(ref.rule, ref.pos) for r in repairs for ref in r.removes}
    waiting = [f for f in found if f.verdict == Verdict.BROKEN and (f.rule, f.at.pos) not in removed]
    out: list[SuggestedCorrection] = []
    for i, repair in enumerate(repairs):
        here = {(f.rule, f.at.pos) for f in waiting if f.at.hand == repair.hand}
        # What the hand alone proves is already counted in `leaves`.
        here = here if len(here) > repair.leaves else set()
        at = {fix.at for fix in repair.fixes}
        beyond = {(f.rule, f.at.pos) for f in waiting if f.at.hand == repair.hand + 1 or f.at.pos in at}
        first = not repair.after and (i == 0 or repairs[i - 1].hand != repair.hand)
        if (beyond or here) and first and budget.left > 3 * len(log):
            kind = Judge if here else QuickJudge
            asked = kind(corrected(repair.typed(log)))
            still = {(rule, pos) for pos, rule in asked.broken()} | {(f.rule, f.at.pos) for f in asked.conflicts}
            budget.spend(asked.read + len(log))
            gone = (beyond | here) - still
            repair = replace(
                repair, removes=(*repair.removes, *(Ref(*key) for key in sorted(gone, key=lambda k: k[1]))),
            )
        out.append(repair)
    return out


def _with_kept_promises(
    records: Sequence[Recorded], offers: Iterable[SuggestedCorrection], budget: Budget,
) -> Iterator[SuggestedCorrection]:  # fmt: skip
    """The offers, without the findings that an inserted act with unseen cards leaves broken in every world."""
    for offer in offers:
        unseen = [fix for fix in offer.fixes if offer.kind == "insert" and fix.event and unseen_in(fix.event)]
        if unseen and not offer.after and budget.left > 0:
            found = judged_in_all_worlds(read_log(offer.typed(records)), budget, offer.hand)
            broken = {(f.rule, f.at.pos) for f in found.broken}
            left = tuple(ref for ref in offer.removes if (ref.rule, ref.pos) not in broken)
            if offer.removes and not left:
                continue
            offer = replace(offer, removes=left)
        yield offer


def _look_at(stretch: HandSegment, one: CandidateCorrection, budget: Budget, *, thorough: bool = False) -> Diagnosis:
    """Judge a stretch with a correction."""
    if one.dealer:
        stretch = replace(stretch, facts={**stretch.facts, "Dealer": one.dealer})
    return diagnose(stretch, one.events, budget, thorough=thorough, adrift=one.adrift)


def _one_after_the_other(stretch: HandSegment, budget: Budget, slips: int) -> list[SuggestedCorrection]:
    """The corrections of a hand, and after them those for what the best one leaves."""
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
            # Only corrections of existing lines: new lines have no number before they are typed.
            offers = [replace(r, after=after) for r in offers[:1] if all(f.at < limit for f in r.fixes)]
        out += offers
        if not offers or best is None or best.look is None or not best.look.symptoms:
            break
        after += offers[0].lines
        stretch = replace(
            stretch, events=best.events, starts=(), limit=stretch.limit + len(best.fixes),
            adrift=stretch.adrift | best.adrift, meaning=None
        )
        if best.dealer:
            stretch = replace(stretch, facts={**stretch.facts, "Dealer": best.dealer}, due="")
    return out


def _repairs(stretch: HandSegment, budget: Budget) -> tuple[list[SuggestedCorrection], CandidateCorrection | None]:
    """The corrections of a hand, best first, and the best candidate; None if there is none."""
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
        offers, best = _best(stretch, tried, whole, budget)
        if offers or window is stretch or budget.left <= 0:
            break
    if not finished and (not offers or offers[0].leaves):
        budget.cut("corrections", stretch.hand)
    return offers, best


def _seen_elsewhere(
    stretch: HandSegment, window: HandSegment, whole: Diagnosis, budget: Budget,
) -> Iterator[CandidateCorrection]:
    """Lines outside the window that show a card in conflict, with that card read as unseen."""
    inside = range(window.skipped, window.skipped + len(window.events))
    lines = (
        one for one in cards_unseen(stretch, whole) if not one.strange and one.index not in inside
        and one.card in whole.doubtful
    )
    for one in numbered_as_meant(stretch, islice(lines, MAX_OFFERS), budget):
        if budget.left <= 0:
            return
        one.judged(_look_at(stretch, one, budget), whole)
        if explains(one, whole):
            yield one


def _tried(stretch: HandSegment, base: Diagnosis, budget: Budget) -> tuple[list[CandidateCorrection], bool]:
    """Every correction that explains something in this stretch, and True if all candidates were tried."""
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
        attempt(
            numbered_as_meant(
                stretch, (t for t in neighbours_exchanged(stretch, base) if t.turned_up or inferred_too_early(t, base)),
                budget,
            ),
            1,
        )
        attempt(
            numbered_as_meant(
                stretch, (t for t in lines_struck(stretch, base) if t.rank == 0 and t.at in broken), budget,
            ),
            1,
        )
        attempt(acts_gone_without_saying(stretch, base), 1)
        return tried, finished
    attempt(numbered_as_meant(stretch, lines_struck(stretch, base), budget), 0.2)
    attempt(numbered_as_meant(stretch, cards_unseen(stretch, base), budget), 0.4)
    attempt(_another_dealer(stretch), 1)
    if base.symptoms or len(broken) > 1:
        sieve = Screening(stretch, base, budget.part(int(budget.limit * 0.4)))
        attempt(sieve.passed(neighbours_exchanged(stretch, base)), 0.3)
        attempt(sieve.passed(other_seats(stretch, base)), 0.2)
        attempt(sieve.passed(lines_exchanged(stretch, base)), 0.3)
        attempt(acts_gone_without_saying(stretch, base), 0.2)
        attempt(sieve.inserted(), 0.5)
        attempt(captures_named(stretch, tried, base), 0.2)
        finished = finished and sieve.budget.left > 0
    return tried, finished


def _another_dealer(stretch: HandSegment) -> Iterator[CandidateCorrection]:
    """The hand given to the dealer whose turn it was."""
    first = stretch.events[0]
    if stretch.due and stretch.start is None and isinstance(first.event, Hand) and first.n:
        right = replace(first.event, by=stretch.due)
        events = [replace(first, event=right), *stretch.events[1:]]
        yield CandidateCorrection(
            "seat", first.n, (fix_line(first.n, "replace", right),), events, rank=0, dealer=stretch.due,
        )


def _best(
    stretch: HandSegment, tried: list[CandidateCorrection], quick: Diagnosis, budget: Budget
) -> tuple[list[SuggestedCorrection], CandidateCorrection | None]:
    """The best few, judged again with full knowledge, with their ties; and the best candidate. If the budget is too
    small to judge the hand itself with full knowledge, its `quick` diagnosis is used."""
    if not tried:
        return [], None
    tried.sort(key=CandidateCorrection.key)
    groups: dict[tuple[Any, ...], list[CandidateCorrection]] = {}
    for t in tried:
        groups.setdefault((t.kind, t.at, t.fixes[-1].at, t.card), []).append(t)
    whole = diagnose(stretch, stretch.events, budget, thorough=True)
    whole = quick if whole.given_up else whole
    finalists: list[CandidateCorrection] = []
    for place, group in enumerate(list(groups.values())[: 3 * MAX_OFFERS]):
        if place and budget.left <= 0:
            break
        finalists += _standing(stretch, group, whole, budget)
    finalists.sort(key=CandidateCorrection.key)
    quiet = next((t for t in finalists if t.quiet), None)
    if quiet is not None:
        # A default act is often left out, so an exchange must explain more.
        finalists = [t for t in finalists if t.kind != "swap" or t.gain > quiet.gain]
    # Lines that explain little more than fewer lines do are not missing.
    put_in = [t for t in finalists if t.kind == "insert"]
    put_in = [t for t in put_in if not any(len(t.fixes) - len(o.fixes) > 1 + max(0, t.gain - o.gain) for o in put_in)]
    # An act is missing at the place where it explains most.
    finalists = [
        t for t in finalists if t.kind != "insert"
        or (t in put_in and not any(o.gain > t.gain and o.fixes[-1].event == t.fixes[-1].event for o in put_in))
    ]
    # Distant lines are rarely exchanged, so a correction that explains as much and reveals less is preferred.
    light = {id(t): len(t.look.all - whole.all) for t in finalists if t.look is not None}
    finalists = [
        t for t in finalists
        if t.kind != "swap" or t.rank <= 1
        or not any(o.gain >= t.gain and light[id(o)] < light[id(t)] for o in finalists)
    ]  # fmt: skip
    out = []
    for t in finalists[:MAX_OFFERS]:
        ties = tuple(sorted({o.at for o in finalists if o.kind == t.kind and o.key() == t.key()}))
        out.append(suggested(stretch, t, ties, whole))
    return out, finalists[0] if finalists else None


def _standing(
    stretch: HandSegment, group: Sequence[CandidateCorrection], whole: Diagnosis, budget: Budget,
) -> Iterator[CandidateCorrection]:
    """Of several acts that may be missing in one place, the first that still explains something with full knowledge."""
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
    """True if so many other rules were broken in the hand that an act out of order is as likely another breach. A
    line that repeats the one before it is likely a slip even then, as is a gathered trick that the next lead
    contradicts."""
    assert t.look is not None
    if len(t.look.conflicts) < len(whole.conflicts) or (t.kind in ("strike", "side", "swap") and t.rank <= 0):
        return False
    # What only the correction reveals was there anyway. A rule that a player breaks turn after turn is one habit, and
    # makes no other breach likelier.
    broken = Counter((rule, t.look.by.get(pos, "")) for rule, pos in t.look.all - (t.look.broken & whole.asked))
    left = sum(1 if times >= HABIT else times for times in broken.values())
    return left >= DROWNING_RATIO * max(1, len(whole.all - t.look.all))


def _easily_typed(stretch: HandSegment, t: CandidateCorrection, whole: Diagnosis, budget: Budget) -> bool:
    """True if some card easily mistaken for this one leaves nothing broken or, if acts are out of order, fewer of
    those. An unseen card that only leaves everything open explains nothing."""
    faces = begin(stretch.facts).game.pack.faces
    was = stretch.events[t.index]
    for face in dict.fromkeys(f for f in faces if is_face(f) and near_miss(f, t.card)):
        if budget.left <= 0:
            break
        event = _with_card(was.event, t.card, face)
        look = diagnose(
            stretch, [*stretch.events[: t.index], replace(was, event=event), *stretch.events[t.index + 1 :]], budget,
        )
        better = look.all <= whole.all and len(look.disorder) < len(whole.disorder) if whole.order else not look.all
        if better and look.opens() <= whole.opens():
            return True
    return False


def _with_card(event: Plain, card: str, other: str) -> Plain:
    """Replace the first occurrence of a card in the event."""
    left = iter((True,))

    def typed(cards: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(other if c == card and next(left, False) else c for c in cards)

    changes: dict[str, Any] = {
        name: typed(getattr(event, name)) for name in ("cards", "takes") if getattr(event, name, ())
    }
    if getattr(event, "groups", ()):
        changes["groups"] = tuple(map(typed, event.groups))  # type: ignore[union-attr]  # it has the field: just asked
    if isinstance(event, Deal):
        changes["piles"] = tuple((name, typed(cards)) for name, cards in event.piles)
    return replace(event, **changes)
