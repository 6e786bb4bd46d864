"""The score of a match as plain data, and where the table's own arithmetic parts from it.

What the table says of its score is a `claim`. Its facts mean:

    @ claim NS=17 EW=9            the running totals after the hand it belongs to
    @ claim hand.NS=7 hand.EW=3   the points of that hand
    NS claim 17                   the running total of the side (or seat) that says it

A claim belongs to the hand in which it is made, or, made between two hands, to the one before. It is compared with
the computed figure of that hand. A figure that cannot be computed contradicts nobody; but where the table named its
total before and every hand since can be scored, that total is taken as given and the sum from there is compared. Where
unseen cards leave several figures possible, a claim that is none of them differs all the same: "possible 7..11". What
is possible is read from the cards alone, not from who led next, and not in a hand whose record contradicts itself.

A difference that only goes on is no second slip: the table's totals stay as far from ours as they were, and the claim
is marked as carried on from the hand where the two parted.

Where cards were not seen, figures are certain or a list of possible ones (`replay.possible`). And a match is scored
three ways, shown where they differ: as *played* (what the table did), by the *rules* (what is proven is put right: a
trick gathered by the wrong side, the penalties of the game's text), as *ruled* (as played, plus the rulings that hold).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from events.model import Call, Confirm, Facts, Move, Recorded
from reducers.game import begin, evolve
from reducers.rules import CONSEQUENCE, Breach
from reducers.scoring import HandScore, Points, Standing, figure, signed
from reducers.state import State
from replay.fold import Corrected, corrected
from replay.judge import Judgement, judge
from replay.possible import (
    Alternative,
    Change,
    Closing,
    Course,
    Question,
    Readings,
    Values,
    Worth,
    certain,
    closings,
    course,
    histories,
    readings_of,
    score_of,
    span,
)
from replay.ruling import (
    Act,
    acts_of_penalties,
    acts_of_rulings,
    after_forfeit,
    changing,
    decisions,
    forfeited,
    without_effect,
)

# Findings of the table that say: this record cannot be right as it stands.
_CONFLICTS = frozenset(f"table.{id}" for id in ("T1", "T2", "T3", "T4", "T5"))

Says = Literal["agrees", "differs", "carried on", "unknown", "replaced", "not understood"]


class Component(Struct, frozen=True):
    """One line of a hand's score.

    `column` parts a sheet where the game does ("above"); `amounts` are figures by side or seat, null where unknown;
    `sums` the arithmetic behind them in words, `5 tricks + 5 (5♥) = 10`.
    """

    label: str
    amounts: Points
    sums: dict[str, str] = {}
    column: str = ""


class Compared(Struct, frozen=True):
    """One figure the table stated, beside ours.

    `at` is the position of the claim, `hand` the hand it belongs to, `by` who said it, `who` the side or seat whose
    figure it is. `kind` is "total" (running total of the match) or "hand" (points of this hand). `computed` is ours,
    null where it cannot be known; `difference` is claimed minus computed. `possible` lists the figures there can be where
    there are several. `sum` is how ours comes about, `table_sum` how the table's does as far as it said.

    `says`: "agrees"; "differs" (first differs here); "carried on" (as far off as in hand `since`); "unknown"
    (nothing to compare with); "replaced" (the same claimant corrected it in the same hand, later); "not understood"
    (no side or seat of the match, or no whole number). `text` is the whole as a sentence.
    """

    at: int
    hand: int
    by: str
    kind: Literal["total", "hand"]
    who: str
    claimed: int | None
    computed: int | None
    difference: int | None
    says: Says
    text: str
    sum: str = ""
    table_sum: str = ""
    since: int = 0
    confirmed: tuple[str, ...] = ()
    possible: tuple[int, ...] = ()


class Slip(Struct, frozen=True):
    """A place where the table's arithmetic differs from ours.

    `parts` are the figures that do (several sides may part in one claim), with both sums written out; `carried` lists
    the later hands whose claims are off by just as much; `text` says all of it in one paragraph.
    """

    hand: int
    at: int
    parts: tuple[Compared, ...]
    carried: tuple[int, ...]
    text: str


class Agreed(Struct, frozen=True):
    """Somebody confirmed: position, who, in which hand, and what (positions; empty means the sheet as it stood)."""

    at: int
    by: str
    hand: int
    refs: tuple[int, ...] = ()


class Way(Struct, frozen=True):
    """A hand, or the match, scored one way.

    `points` and `totals` are null where unknown; `possible` and `possible_totals` list the figures there can be, for a
    side with more than one. `why` says what makes it differ from what was played.
    """

    points: Points
    totals: Points
    possible: Values = {}
    possible_totals: Values = {}
    why: tuple[str, ...] = ()


class MatchWay(Struct, frozen=True):
    """The match scored one way: as `Way`, with who has won (empty while nobody has) or may have (`winners`)."""

    totals: Points
    possible: Values = {}
    winner: str = ""
    winners: tuple[str, ...] = ()
    over: bool = False


class ScoredHand(Struct, frozen=True):
    """One hand of the match.

    `source` says what the score rests on: "moves", "tricks", "tally", "void" or "nothing". `done` is false for a hand
    still in play. `points` are the hand's, `totals` the match's after it; null where it cannot be known, and `unknown`
    then says what is missing. `claims` are the figures the table stated for it.

    `possible` and `possible_totals` list the figures there can be, for each side with more than one; `questions` say
    what decides. `by_cards` lists what the cards alone leave possible where the figure as played rests on who led
    next. `ways` has the hand as `played`, by the `rules` and as `ruled` where they differ, else only as played.
    """

    number: int
    dealer: str
    source: str
    done: bool
    contract: str
    result: str
    components: tuple[Component, ...]
    points: Points
    totals: Points
    notes: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    claims: tuple[Compared, ...] = ()
    possible: Values = {}
    possible_totals: Values = {}
    questions: tuple[Question, ...] = ()
    by_cards: Values = {}
    ways: dict[str, Way] = {}


class MatchScore(Struct, frozen=True):
    """A match, scored. `msgspec.to_builtins` turns it into plain JSON data:

        {"match": "kaiser-4f7k2m", "game": "kaiser", "name": "Kaiser", "rules": 1, "position": 96,
         "seats": ["N", "E", "S", "W"], "sides": {"NS": ["N", "S"], "EW": ["E", "W"]}, "names": {"N": "Ann", …},
         "facts": {…the tags of the opening…}, "options": {"target": 52, …},
         "hands": [{"number": 1, "dealer": "W", "source": "moves", "done": true, "contract": "Ann & Carl 7 ♥",
                    "result": "made",
                    "components": [{"label": "tricks", "amounts": {"NS": 10, "EW": 0}, "sums": {…}, "column": ""}],
                    "points": {"NS": 10, "EW": 0}, "totals": {"NS": 10, "EW": 0}, "notes": [], "unknown": [],
                    "claims": [{"at": 41, "hand": 1, "by": "@", "kind": "total", "who": "NS", "claimed": 10, …}]}],
         "totals": {"NS": 53, "EW": 22}, "winner": "NS", "over": true, "ended": "won", "why_ended": "",
         "claims": […all of them, in the order made…], "slip": null, "slips": [], "agreed": []}

    `possible` lists the totals there can be, for each side with more than one, `winners` who may have won where that
    is open ("" for nobody yet). `ways` has the match as `played`, by the `rules` and as `ruled` where they differ, else
    only as played.

    `winner` is empty while there is none; `over` says that the rules ended the match, `ended` is "won", "agreed" or
    empty. `slip` is the first place where the table's arithmetic differs from ours, or null; `slips` are all of them.
    """

    match: str
    game: str
    name: str
    rules: int
    position: int
    seats: tuple[str, ...]
    sides: dict[str, tuple[str, ...]]
    names: dict[str, str]
    facts: Facts
    options: dict[str, Any]
    hands: tuple[ScoredHand, ...]
    totals: Points
    winner: str
    over: bool
    ended: str
    why_ended: str
    claims: tuple[Compared, ...] = ()
    slip: Slip | None = None
    slips: tuple[Slip, ...] = ()
    agreed: tuple[Agreed, ...] = ()
    possible: Values = {}
    winners: tuple[str, ...] = ()
    ways: dict[str, MatchWay] = {}


def score_match(records: Iterable[Recorded]) -> MatchScore:
    """Score a match from its log, all three ways (the log is judged for it).

    Raises UnreadableError for a log that cannot be opened, NotFoundError for its game.
    """
    log = list(records)
    read = folded(log)
    return three_ways(read, judge(log))


def score_played(records: Iterable[Recorded]) -> MatchScore:
    """The score as played alone, without judging the log: the claims, the figures, what is possible. Raises alike."""
    return scored(folded(records))


def claim_differences(score: MatchScore, *, carried: bool = False) -> list[Compared]:
    """The claimed figures that part from the computed ones, in the order made (rule `table.T9`).

    Those that only carry an earlier difference on are left out unless asked for.
    """
    return [c for c in score.claims if c.says == "differs" or (carried and c.says == "carried on")]


# -- folding ----------------------------------------------------------------------------------------------------------


class Folded(Struct, frozen=True):
    """A log read to its end: its corrected view, the state, who confirmed what on the way, the last position."""

    view: Corrected
    state: State[Any]
    agreed: tuple[Agreed, ...]
    position: int


def folded(records: Iterable[Recorded]) -> Folded:
    """Read a log to its end. Raises like `replay.fold.fold`."""
    log = list(records)
    view = corrected(log)
    state = begin(view.opening.facts)
    agreed: list[Agreed] = []
    for placed in view.events:
        state.at = state.table.now = placed.n
        evolve(state, placed.event)
        event = placed.event
        if isinstance(event, Confirm):
            refs = event.refs or tuple(c.at for c in state.claims[-1:])
            agreed.append(Agreed(placed.n, event.by, state.number, refs))
    return Folded(view, state, tuple(agreed), log[-1].n)


class _Played(Struct):
    """The match as played: its hands closed, the readings of each, and what they add up to."""

    hands: list[Closing]
    readings: dict[int, Readings]
    course: Course


def _played(read: Folded, *, all_: bool) -> _Played | None:
    """The match as played, each open figure looked at; None where every figure is certain and not `all_` are wanted."""
    if not all_ and not any(_open(s) for s in read.state.scores):
        return None
    hands = closings(read.view)
    found = readings_of(read.view, hands)
    return _Played(hands, found, course(hands, lambda h: (found[h.number].played, found[h.number].why)))


def courses_played(read: Folded) -> list[tuple[list[HandScore], Standing]]:
    """Every way in which the score as played may have come about; empty where it is certain, or where they are too many."""
    played = _played(read, all_=False)
    return [] if played is None else histories(played.hands, lambda h: played.readings[h.number].played)


def _open(score: HandScore) -> bool:
    return None in score.points.values() or None in score.totals.values()


def scored(read: Folded) -> MatchScore:
    """The score, as played, of a match that is already folded."""
    return _scored(read, _played(read, all_=False))


def _scored(read: Folded, played: _Played | None) -> MatchScore:
    state = read.state
    worth = {} if played is None else {w.number: w for w in played.course.hands}
    scores = [_resolved(s, worth.get(s.number)) for s in state.scores]
    claims, slips = _compare(state, scores, _ranges(played) if played is not None and state.claims else {})
    standing, facts = _resolved_standing(state.standing, played), state.terms.facts
    possible, winners = ({}, ()) if played is None else (_several(_totals(played.course)), _winners(played.course))
    return MatchScore(
        match=str(facts.get("Match", "")),
        game=state.game.key,
        name=state.game.name,
        rules=state.game.version,
        position=read.position,
        seats=state.terms.seats,
        sides=dict(state.terms.sides),
        names=dict(state.terms.names),
        facts=facts,
        options=msgspec.to_builtins(state.terms.options),
        hands=_hands(state, scores, claims, worth),
        totals=dict(standing.totals),
        winner=standing.winner,
        over=standing.over,
        ended=state.ended or ("won" if standing.over else ""),
        why_ended=state.why_ended,
        claims=claims,
        slip=slips[0] if slips else None,
        slips=slips,
        agreed=read.agreed,
        possible=possible,
        winners=winners,
    )


def _ranges(played: _Played) -> dict[int, tuple[Values, Values]]:
    """The figures that the cards leave possible, whoever led next, by hand: its points, and the totals after it."""
    match = course(played.hands, lambda h: (played.readings[h.number].cards, ""))
    return {w.number: (w.points, w.totals) for w in match.hands}


def _resolved(score: HandScore, worth: Worth | None) -> HandScore:
    """The score of a hand with every figure that is the same in all readings; the whole of it where there is but one."""
    if worth is None or not _open(score) or not worth.scores:
        return score
    if len(worth.scores) == 1:
        only = worth.scores[0]
        return replace(only, unknown=(*only.unknown, worth.why)) if worth.why else only
    points = {who: n if n is not None else certain(worth.points, who) for who, n in score.points.items()}
    totals = {who: n if n is not None else certain(worth.totals, who) for who, n in score.totals.items()}
    unknown = (*score.unknown, worth.why) if worth.why else score.unknown
    return replace(score, points=points, totals=totals, unknown=unknown)


def _resolved_standing(standing: Standing, played: _Played | None) -> Standing:
    if played is None or not played.course.standings:
        return standing
    possible = _totals(played.course)
    totals = {who: n if n is not None else certain(possible, who) for who, n in standing.totals.items()}
    who = played.course.winners
    if len(who) == 1 and who[0] and not standing.winner:
        standing = replace(standing, winner=who[0], over=True)
    return replace(standing, totals=totals)


def _totals(match: Course) -> Values:
    found: dict[str, set[int | None]] = {}
    for standing in match.standings:
        for who, n in standing.totals.items():
            found.setdefault(who, set()).add(n)
    return {who: sorted(n for n in ns if n is not None) for who, ns in found.items() if None not in ns}


def _several(values: Values) -> Values:
    """The sides with more than one possible figure."""
    return {who: list(found) for who, found in values.items() if len(found) > 1}


def _winners(match: Course) -> tuple[str, ...]:
    return match.winners if len(match.winners) > 1 else ()


def _hands(
    state: State[Any], scores: list[HandScore], claims: tuple[Compared, ...], worth: dict[int, Worth]
) -> tuple[ScoredHand, ...]:
    """All hands, the one in play too, which is worth nothing yet."""
    hands = [_hand(s, s.number < state.number or state.settled, claims, worth.get(s.number)) for s in scores]
    if state.number and state.score is None:
        now = replace(state.game.score(state), totals=state.before.totals)
        hands.append(_hand(now, False, claims))
    return tuple(hands)


def _hand(s: HandScore, done: bool, claims: tuple[Compared, ...], worth: Worth | None = None) -> ScoredHand:
    return ScoredHand(
        number=s.number,
        dealer=s.dealer,
        source=s.source,
        done=done,
        contract=s.contract,
        result=s.result,
        components=tuple(Component(x.label, dict(x.amounts), dict(x.sums), x.column) for x in s.lines),
        points=dict(s.points),
        totals=dict(s.totals),
        notes=s.notes,
        unknown=s.unknown,
        claims=tuple(c for c in claims if c.hand == s.number),
        possible=_several(worth.points) if worth else {},
        possible_totals=_several(worth.totals) if worth else {},
        questions=worth.questions if worth else (),
    )


# -- the three ways -----------------------------------------------------------------------------------------------------


def three_ways(read: Folded, judgement: Judgement) -> MatchScore:
    """The score of a match, as played, by the rules and as ruled; `judgement` is what the judge says of its log."""
    played = _played(read, all_=True)
    assert played is not None
    score = _scored(read, played)
    proven = tuple(Breach(f.at.pos, f.rule, f.by, f.at.hand) for f in judgement.broken)
    ruled, ruled_why = _ruled(read, played)
    rules, rules_why = _by_rules(read, played, proven)
    courses = {"played": (played.course, {}), "rules": (rules, rules_why), "ruled": (ruled, ruled_why)}
    hands = tuple(_with_ways(h, courses, played) for h in score.hands)
    terms = read.state.terms
    whole = {name: _match_way(match) for name, (match, _) in courses.items()}
    out = forfeited(acts_of_rulings(decisions(read.view, played.hands)), terms)
    if out:
        last = [after_forfeit(s, out) for s in ruled.standings] or [after_forfeit(read.state.game.new_match(terms), out)]
        whole["ruled"] = _match_way(Course(ruled.hands, last, ruled.whole))
    if whole["played"] == whole["rules"] == whole["ruled"]:
        whole = {"played": whole["played"]}
    return replace(score, hands=hands, ways=whole)


def _ruled(read: Folded, played: _Played) -> tuple[Course, dict[int, list[str]]]:
    """As played, with the rulings that hold."""
    acts = acts_of_rulings(decisions(read.view, played.hands))
    if not acts:
        return played.course, {}
    match = course(played.hands, lambda h: (played.readings[h.number].played, ""), changing(acts))
    return match, _reasons(acts, played.hands, "ruling")


def _reasons(acts: list[Act], hands: list[Closing], what: str) -> dict[int, list[str]]:
    why: dict[int, list[str]] = {}
    nothing: dict[int, list[str]] = {}
    for at, text in without_effect(acts, hands):
        nothing.setdefault(at, []).append(text)
    for act in acts:
        text = f"{what} at event {act.at}: {act.text}"
        if act.at in nothing:
            text += f" (without effect: {'; '.join(nothing[act.at])})"
        why.setdefault(act.hand, []).append(text)
    return why


def _by_rules(read: Folded, played: _Played, proven: tuple[Breach, ...]) -> tuple[Course, dict[int, list[str]]]:
    """What the rules make of it: as played, except where something else is proven.

    A trick that was gathered by a side that cannot have won it counts for whoever did; what the cards alone show goes
    before who led next; and the penalties of the game's text are applied.
    """
    why: dict[int, list[str]] = {}
    game = read.state.game
    ids = {f"{game.key}.{r.id}" for r in game.rules if r.kind == CONSEQUENCE}
    false = {b.pos: b for b in proven if b.rule in ids}
    wrong = {p.n for p in read.view.events if p.n in false and isinstance(p.event, Move) and p.event.to.startswith("won:")}
    hands, found = played.hands, played.readings
    if wrong:
        view = replace(read.view, events=tuple(p for p in read.view.events if p.n not in wrong))
        hands = closings(view)
        found = readings_of(view, hands)
        for at in sorted(wrong):
            why.setdefault(false[at].hand, []).append(f"the trick gathered at event {at} went to the wrong side ({false[at].rule})")
    for b in proven:
        said = next((p.event for p in read.view.events if p.n == b.pos), None)
        hand = next((h for h in played.hands if h.number == b.hand), None)
        if isinstance(said, Call) and said.word == "misdeal" and hand is not None and score_of(hand, hand.state, hand.state.game.new_match(hand.state.terms)).source == "void":
            why.setdefault(b.hand, []).append(f"the hand was thrown in, and {b.by} had no right to a misdeal ({b.rule}, event {b.pos})")
    fines = list(game.penalties(read.state, proven)) if proven else []
    change: Change | None = None
    if fines:
        acts = acts_of_penalties(fines)
        change = changing(acts)
        for fine in fines:
            why.setdefault(fine.hand, []).append(f"{fine.text} ({fine.rule}, event {fine.at})")
    shown: set[int] = set()
    # Where the record contradicts itself its cards show nothing: a wrong card may have been written.
    doubtful = {b.hand for b in proven if b.rule in _CONFLICTS}

    def choose(hand: Closing) -> tuple[list[Alternative], str]:
        both = found[hand.number]
        if hand.number in doubtful or _agree(hand, both):
            return both.played, both.why
        shown.add(hand.number)
        return both.cards, both.why

    match = course(hands, choose, change)
    for number in shown:
        why.setdefault(number, []).append("the cards show who won a trick, no matter who led to the next")
    if not why:
        return played.course, {}
    return match, why


def _agree(hand: Closing, both: Readings) -> bool:
    """Whether the cards leave what was played possible."""
    if both.played is both.cards:
        return True
    nothing = hand.state.game.new_match(hand.state.terms)
    left = {repr(score_of(hand, a.state, nothing).points) for a in both.cards}
    return any(repr(score_of(hand, a.state, nothing).points) in left for a in both.played)


def _with_ways(hand: ScoredHand, courses: dict[str, tuple[Course, dict[int, list[str]]]], played: _Played) -> ScoredHand:
    """A hand with its three ways, and with what the cards alone leave possible of it."""
    ways: dict[str, Way] = {}
    for name, (match, why) in courses.items():
        worth = next((w for w in match.hands if w.number == hand.number), None)
        if worth is None:
            return hand
        ways[name] = _way(worth, hand, tuple(why.get(hand.number, ())))
    by_cards: Values = {}
    both = played.readings.get(hand.number)
    if both is not None and both.played is not both.cards and len(both.cards) > len(both.played):
        closing = next(h for h in played.hands if h.number == hand.number)
        free = course([closing], lambda h: (both.cards, "")).hands
        taken = course([closing], lambda h: (both.played, "")).hands
        by_cards = {who: v for who, v in free[0].points.items() if v != taken[0].points.get(who)}
    same = {name: replace(way, why=()) for name, way in ways.items()}
    differ = not (same["played"] == same["rules"] == same["ruled"])
    told = any(way.why for way in ways.values())
    return replace(hand, ways=ways if differ or told else {"played": ways["played"]}, by_cards=by_cards)


def _way(worth: Worth, hand: ScoredHand, why: tuple[str, ...]) -> Way:
    points = {who: certain(worth.points, who) for who in hand.points}
    totals = {who: certain(worth.totals, who) for who in hand.totals}
    return Way(points, totals, _several(worth.points), _several(worth.totals), why)


def _match_way(match: Course) -> MatchWay:
    if not match.standings:
        return MatchWay({})
    totals = _totals(match)
    winners = match.winners
    return MatchWay(
        {who: certain(totals, who) for who in match.standings[0].totals}, _several(totals),
        winners[0] if len(winners) == 1 else "", winners if len(winners) > 1 else (), all(s.over for s in match.standings),
    )  # fmt: skip


# -- claimed against computed -----------------------------------------------------------------------------------------


class _Stated(Struct, frozen=True):
    """One figure of a claim before it is compared; `value` is None if it is not a whole number."""

    at: int
    hand: int
    by: str
    kind: Literal["total", "hand"]
    who: str
    value: int | None
    written: str
    confirmed: tuple[str, ...]


def _stated(state: State[Any]) -> list[_Stated]:
    """Every figure the table stated, in the order made."""
    totals = state.before.totals
    out: list[_Stated] = []
    for made in state.claims:
        figures: list[tuple[Literal["total", "hand"], str, object]] = []
        if made.claim.amount is not None:
            figures.append(("total", made.by.partition(":")[0], made.claim.amount))
        for key, value in made.claim.facts.items():
            if key == "hand" and isinstance(value, dict):
                figures += [("hand", str(who), points) for who, points in value.items()]
            else:
                figures.append(("total", key, value))
        for kind, who, value in figures:
            # A partner may speak for the side: the total is the side's.
            name = who if who in totals else state.terms.side_of.get(who, who)
            number = value if isinstance(value, int) and not isinstance(value, bool) and name in totals else None
            out.append(_Stated(made.at, made.hand, made.by, kind, name, number, str(value), made.confirmed))
    return out


class _Account:
    """One side's figures as the comparison walks along: ours, and how far off the table is."""

    def __init__(
        self, state: State[Any], who: str, scores: list[HandScore], ranges: dict[int, tuple[Values, Values]]
    ) -> None:
        self.who = who
        self.scores = {s.number: s for s in scores}
        self.ranges = ranges
        self.first = state.game.new_match(state.terms).totals.get(who)
        # A hand in play is worth nothing yet, which is not a figure to hold against anybody.
        self.open = 0 if state.settled or state.tallies else state.number
        self.drift = 0  # how far the table's totals are off
        self.since = 0  # the hand where they parted
        self.said: tuple[int, int] | None = None  # the table's last total: hand, figure
        self.stated: dict[int, int] = {}  # points of a hand that the table stated and that are not among the possible ones

    def points(self, hand: int) -> int | None:
        """What the hand is worth to this side; None where unknown, and while it is in play."""
        score = self.scores.get(hand)
        return None if score is None or hand == self.open else score.points.get(self.who)

    def total(self, hand: int) -> int | None:
        """The total after a hand; after hand 0 what the match began with."""
        if hand == 0:
            return self.first
        score = self.scores.get(hand)
        return None if score is None or hand == self.open else score.totals.get(self.who)

    def can_score(self, hand: int) -> tuple[int, ...]:
        """What the hand can be worth; empty where that is not known."""
        points = self.points(hand)
        return self._possible(hand, 0) if points is None else (points,)

    def can_stand(self, hand: int) -> tuple[int, ...]:
        """What the total after a hand can be; empty where that is not known."""
        total = self.total(hand)
        return self._possible(hand, 1) if total is None else (total,)

    def _possible(self, hand: int, which: Literal[0, 1]) -> tuple[int, ...]:
        found = self.ranges.get(hand) if hand != self.open else None
        return () if found is None else tuple(found[which].get(self.who, ()))

    def can_follow(self, hand: int) -> tuple[int, ...]:
        """What the table's total can be, reckoned from what it said before; empty where that is not known."""
        if self.said is not None and self.said[0] < hand:
            start, totals = self.said[0], {self.said[1]}
        elif hand in self.stated:
            start, totals = hand - 1, set(self.can_stand(hand - 1))
        else:
            return ()
        for h in range(start + 1, hand + 1):
            points = (self.stated[h],) if h in self.stated else self.can_score(h)
            totals = {t + p for t in totals for p in points}
        return tuple(sorted(totals))

    def total_sum(self, hand: int) -> str:
        """How the total after a hand comes about: `10 + 7 = 17`."""
        after, points = self.total(hand), self.points(hand)
        before = self.total(hand - 1) if hand else None
        if after is None or points is None or before is None or before + points != after:
            return figure(after)
        return f"{_added(before, points)} = {figure(after)}"

    def hand_sum(self, hand: int) -> str:
        """How the points of a hand come about, from its lines."""
        score = self.scores.get(hand)
        return "; ".join(line.sums[self.who] for line in score.lines if self.who in line.sums) if score else ""

    def from_said(self, hand: int) -> tuple[int, str] | None:
        """The total reckoned from the one the table named last, where every hand since can be scored."""
        if self.said is None or self.said[0] >= hand:
            return None
        start, total = self.said
        known = [p for h in range(start + 1, hand + 1) if (p := self.points(h)) is not None]
        if len(known) < hand - start:
            return None
        text, result = figure(total), total + sum(known)
        for points in known:
            text += f" {'−' if points < 0 else '+'} {abs(points)}"
        return result, f"{text} = {figure(result)}, from the table's own {figure(total)} after hand {start}"


def _added(a: int, b: int) -> str:
    """`10 + 7`, `10 − 3`, as a person writes it."""
    return f"{figure(a)} {'−' if b < 0 else '+'} {abs(b)}"


def _compare(
    state: State[Any], scores: list[HandScore], ranges: dict[int, tuple[Values, Values]]
) -> tuple[tuple[Compared, ...], tuple[Slip, ...]]:
    """Compare every stated figure with ours, or with those that are possible, and find the places where they part."""
    stated = _stated(state)
    accounts = {who: _Account(state, who, scores, ranges) for who in state.before.totals}
    last = {(s.hand, s.by, s.kind, s.who): s.at for s in stated}
    done: list[tuple[int, Compared]] = []
    # Within a hand its points come before the total they are added to, whichever was said first.
    walk = sorted(enumerate(stated), key=lambda p: (p[1].hand, p[1].kind == "total", p[1].at))
    for order, s in walk:
        account = accounts.get(s.who)
        if account is None or s.value is None:
            done.append((order, _not_understood(s, known=account is not None)))
        elif last[s.hand, s.by, s.kind, s.who] != s.at:
            text = f"{s.who} {figure(s.value)} was replaced by a later claim in the same hand"
            done.append((order, _compared(s, None, "replaced", text)))
        else:
            compare = _hand_claim if s.kind == "hand" else _total_claim
            done.append((order, compare(s, s.value, account)))
    claims = tuple(c for _, c in sorted(done, key=lambda p: p[0]))
    return claims, _slips(claims)


def _compared(s: _Stated, computed: int | None, says: Says, text: str, **more: Any) -> Compared:
    difference = None if computed is None or s.value is None or says == "replaced" else s.value - computed
    return Compared(s.at, s.hand, s.by, s.kind, s.who, s.value, computed, difference, says, text, confirmed=s.confirmed, **more)


def _not_understood(s: _Stated, *, known: bool) -> Compared:
    what = f"'{s.written}' is not a whole number" if known else f"'{s.who}' is not a side or seat that has a score"
    return _compared(s, None, "not understood", f"the claim at event {s.at} was not compared: {what}")


def _hand_claim(s: _Stated, value: int, account: _Account) -> Compared:
    """Points of one hand."""
    ours = account.points(s.hand)
    if ours is None:
        gives, possible = f"the table gives {s.who} {signed(value)} for hand {s.hand}", account.can_score(s.hand)
        if not possible:
            return _compared(s, None, "unknown", f"{gives}; this cannot be computed")
        if value in possible:
            return _compared(s, None, "unknown", f"{gives}, which is possible ({span(possible)})", possible=possible)
        account.stated[s.hand] = value
        account.since = s.hand
        return _compared(s, None, "differs", f"{gives}; {_none_of(value, possible)}", possible=possible)
    why = account.hand_sum(s.hand)
    if value == ours:
        return _compared(s, ours, "agrees", f"{s.who} {signed(value)} for hand {s.hand}", sum=why)
    account.drift += value - ours
    account.since = s.hand if account.drift else 0
    text = f"the table gives {s.who} {signed(value)} for hand {s.hand}; computed {signed(ours)}" + (f" ({why})" if why else "")
    return _compared(s, ours, "differs", text, sum=why)


def _total_claim(s: _Stated, value: int, account: _Account) -> Compared:
    """A running total."""
    ours, why, drift = account.total(s.hand), account.total_sum(s.hand), account.drift
    absolute = ours is not None
    if ours is None:
        possible, reckoned = account.can_stand(s.hand), account.from_said(s.hand)
        if possible and value not in possible and (account.since or reckoned is None):
            return _outside(s, value, possible, account)
        if reckoned is not None and not (value in possible and account.since and value != reckoned[0]):
            # There is nothing absolute to be off from: only what the table added since its last total is looked at.
            (ours, why), drift = reckoned, 0
    table_sum = _table_sum(value, s.hand, account)
    account.said = s.hand, value
    stands = f"after hand {s.hand} the table has {s.who} at {figure(value)}"
    if ours is None:
        if possible:
            return _compared(s, None, "unknown", f"{stands}, which is possible ({span(possible)})", table_sum=table_sum, possible=possible)
        return _compared(s, None, "unknown", f"{stands}; this cannot be computed", table_sum=table_sum)
    off, since = value - ours, account.since
    if off and off == drift:
        text = f"{stands}; computed {figure(ours)}; carried on from hand {since}: {abs(off)} too {'many' if off > 0 else 'few'}"
        return _compared(s, ours, "carried on", text, sum=why, table_sum=table_sum, since=since)
    if absolute:
        account.drift, account.since = off, s.hand if off else 0
    if off:
        text = f"{stands} ({table_sum}); computed {figure(ours)} ({why})"
        return _compared(s, ours, "differs", text, sum=why, table_sum=table_sum)
    text = f"{stands}, as computed" + (f"; this corrects hand {since}" if drift else "")
    return _compared(s, ours, "agrees", text, sum=why, table_sum=table_sum)


def _outside(s: _Stated, value: int, possible: tuple[int, ...], account: _Account) -> Compared:
    """A running total that is none of the possible ones."""
    table_sum, following, since = _table_sum(value, s.hand, account), account.can_follow(s.hand), account.since
    account.said = s.hand, value
    stands = f"after hand {s.hand} the table has {s.who} at {figure(value)}"
    # Known to be off by so much, or reckoned on from a total that was off already: no second slip.
    if since and (value in following or (account.drift and value - account.drift in possible)):
        text = f"{stands}; {_none_of(value, possible)}; carried on from hand {since}"
        return _compared(s, None, "carried on", text, table_sum=table_sum, since=since, possible=possible)
    account.since = s.hand
    text = f"{stands} ({table_sum}); {_none_of(value, possible)}"
    return _compared(s, None, "differs", text, table_sum=table_sum, possible=possible)


def _none_of(value: int, possible: Sequence[int]) -> str:
    """What a figure should have been: `possible 7..11`, or each of them where the range alone would not exclude it.

    >>> _none_of(12, (7, 9, 11)), _none_of(8, (7, 9, 11))
    ('possible 7..11', 'possible 7, 9 or 11')
    """
    if not possible[0] < value < possible[-1]:
        return f"possible {span(possible)}"
    return "possible " + " or ".join(", ".join(map(figure, possible)).rsplit(", ", 1))


def _table_sum(value: int, hand: int, account: _Account) -> str:
    """How the table came to its total, as far as it said: from its total before, or from ours where it named none."""
    if account.said is not None and account.said[0] == hand - 1:
        before = account.said[1]
    else:
        ours = account.total(hand - 1) if hand else None
        if ours is None:
            return figure(value)
        before = ours + (account.drift if account.since and account.since < hand else 0)
    return f"{_added(before, value - before)} = {figure(value)}"


def _slips(claims: tuple[Compared, ...]) -> tuple[Slip, ...]:
    """Each hand in which figures part anew, and where that was carried on."""
    slips: list[Slip] = []
    for hand in sorted({c.hand for c in claims if c.says == "differs"}):
        parts = tuple(c for c in claims if c.says == "differs" and c.hand == hand)
        carried = tuple(sorted({c.hand for c in claims if c.says == "carried on" and c.since == hand and c.hand > hand}))
        text = f"The table's arithmetic {'again ' if slips else ''}differs from ours in hand {hand}: " + "; ".join(c.text for c in parts) + "."
        if len(carried) == 1:
            text += f" Hand {carried[0]} carries it on."
        elif carried:
            text += f" Hands {_runs(carried)} carry it on."
        slips.append(Slip(hand, min(c.at for c in parts), parts, carried, text))
    return tuple(slips)


def _runs(numbers: tuple[int, ...]) -> str:
    """Whole numbers with neighbours joined.

    >>> _runs((4, 5, 6, 9))
    '4 to 6, 9'
    """
    runs: list[list[int]] = []
    for n in numbers:
        if runs and runs[-1][-1] == n - 1:
            runs[-1] = [runs[-1][0], n]
        else:
            runs.append([n])
    return ", ".join(" to ".join(str(n) for n in run) for run in runs)


__all__ = [
    "Agreed", "Compared", "Component", "Folded", "MatchScore", "MatchWay", "ScoredHand", "Slip", "Way", "claim_differences",
    "courses_played", "folded", "score_match", "score_played", "scored", "three_ways",
]  # fmt: skip
