"""The score of a match as plain data, and the differences of the table's own arithmetic.

The table states its score by a `claim`. Its facts mean:

    @ claim NS=17 EW=9            the running totals after the hand it belongs to
    @ claim hand.NS=7 hand.EW=3   the points of that hand
    NS claim 17                   the running total of the side (or seat) that says it

A claim belongs to the hand in which it is made or, before the first act of the next hand, to the previous one. It is
right if it is the computed figure at its own moment or at the end of that hand. A figure that cannot be computed
contradicts no claim; but if the table stated its total before and every hand since can be scored, the sum from that
total is compared. If unseen cards leave several figures possible, a claim of another figure differs: "possible
7..11". The possible figures follow from the cards alone, not from who led next, and not in a hand whose record
contradicts itself.

A difference that continues is not another slip: if the table's totals stay off by the same amount, the claim is
marked as carried on from the hand where they diverged.

With unseen cards, figures are certain or a list of possible ones (`replay.scoring.enumerate`). A match is scored in
three ways, shown if they differ: as *played* (what the table did), by the *rules* (proven errors put right: a trick
gathered by the wrong side, a wrong payment, the penalties of the rules), as *ruled* (as played, plus the rulings that
hold).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec.structs import replace

from events.model import Call, Move, Recorded, Ruling
from reducers.evolve import standing_at_agreed_end
from reducers.rules import Breach
from reducers.seating import whole_totals
from replay.judging.findings import Judgement
from replay.judging.judge import judge
from replay.read_log import ReadLog, read_log
from replay.scoring.as_played import PlayedMatch, match_as_played, scored, scored_from, several_values, totals_as_played
from replay.scoring.enumerate import Change, Readings, match_outcomes, readings_of_hands, score_of
from replay.scoring.hands import Folded, folded_log, hand_ends
from replay.scoring.outcomes import Alternative, HandEnd, HandWorth, MatchOutcome, Values, certain
from replay.scoring.rulings import (
    Act,
    acts_of_penalties,
    acts_of_rulings,
    after_forfeit,
    breaches_of,
    changes_by_acts,
    decisions,
    forfeited,
    without_effect,
)
from replay.scoring.score_shapes import CONFLICTS, MatchScore, MatchWay, ScoredHand, Way


def score_match(records: Iterable[Recorded]) -> MatchScore:
    """Score a match from its log, in all three ways (the log is judged for it).

    Raises UnreadableError for a log that cannot be opened, NotFoundError for an unknown game.
    """
    log = read_log(records)
    return three_ways(log, judge(log))


def score_played(records: Iterable[Recorded]) -> MatchScore:
    """The score as played alone, without judging the log: the claims, the figures, the possible ones. Raises like
    `score_match`."""
    return scored(read_log(records))


def three_ways(log: ReadLog, judgement: Judgement) -> MatchScore:
    """The score of a match as played, by the rules and as ruled; `judgement` is the judge's on its log."""
    final, played = log.once(folded_log), log.once(match_as_played)
    score = scored_from(log, played)
    proven = breaches_of(judgement, final.view)
    ruled, ruled_why = _ruled(final, played)
    fines = acts_of_penalties(final.state.game.judging.penalties(final.state, proven)) if proven else []
    rules, rules_why = _by_rules(final, played, proven)
    courses = {"played": (played.course, {}), "rules": (rules, rules_why), "ruled": (ruled, ruled_why)}
    hands = tuple(_with_ways(h, courses, played) for h in score.hands)
    terms = final.state.terms
    decided = acts_of_rulings(decisions(final.view, played.hands))
    whole = {name: _match_way(_as_it_ended(match, final), final) for name, (match, _) in courses.items()}
    for name, acts in (("rules", fines), ("ruled", decided)):
        if out := forfeited(acts, terms):
            match = courses[name][0]
            standings = match.standings or [final.state.game.match.new_match(terms)]
            last = [after_forfeit(s, out) for s in standings]
            whole[name] = _match_way(MatchOutcome(match.hands, last, match.whole), final)
    official: Literal["played", "ruled"] = (
        "played" if whole["ruled"] == whole["played"] and not _adds_to_an_unknown(decided, score) else "ruled"
    )
    if whole["played"] == whole["rules"] == whole["ruled"] and official == "played":
        whole = {"played": whole["played"]}
    return replace(score, hands=hands, ways=whole, official=official)


def _adds_to_an_unknown(acts: Sequence[Act], score: MatchScore) -> bool:
    """True if a ruling changes an unknown figure, which then stays unknown but is another one."""
    open_yet = {
        (hand.number, who) for hand in score.hands for side, n in hand.points.items() if n is None
        for who in (side, *score.sides.get(side, ()))
    }
    return any((act.hand, who) in open_yet for act in acts for who, n in (act.facts.get("points") or {}).items() if n)


def official_score(log: ReadLog) -> MatchScore:
    """The score that counts: as played, with the rulings that hold (docs/seasons.md). The log is not judged for it."""
    return ruled_score(log) or scored(log)


def ruled_score(log: ReadLog) -> MatchScore | None:
    """The score as ruled; None if no ruling changes it. The log is not judged for it."""
    if not any(type(p.event) is Ruling for p in log.view.events):
        return None
    score = three_ways(log, Judgement([], log.once(folded_log).state))
    return score_as_ruled(score) if score.official == "ruled" else None


def score_as_ruled(score: MatchScore) -> MatchScore:
    """Replace the figures, winner and end as played by those that count."""
    if score.official == "played":
        return score
    way = score.ways["ruled"]
    hands = tuple(
        replace(
            h, points=h.ways["ruled"].points, totals=h.ways["ruled"].totals, possible=h.ways["ruled"].possible,
            possible_totals=h.ways["ruled"].possible_totals,
        )
        if "ruled" in h.ways else h for h in score.hands
    )  # fmt: skip
    return replace(
        score, hands=hands, totals=way.totals, possible=way.possible, winner=way.winner, winners=way.winners,
        together=way.together, over=way.over,
        ended=score.ended if score.ended == "agreed" else "ruled" if way.over else "",
    )  # fmt: skip


def _ruled(final: Folded, played: PlayedMatch) -> tuple[MatchOutcome, dict[int, list[str]]]:
    """As played, with the rulings that hold."""
    acts = acts_of_rulings(decisions(final.view, played.hands))
    if not acts:
        return played.course, {}
    match = match_outcomes(played.hands, lambda h: (played.readings[h.number].played, ""), changes_by_acts(acts))
    return match, _reasons(acts, played.hands, "ruling")


def _reasons(acts: list[Act], hands: list[HandEnd], what: str) -> dict[int, list[str]]:
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


def _by_rules(
    final: Folded, played: PlayedMatch, proven: tuple[Breach, ...],
) -> tuple[MatchOutcome, dict[int, list[str]]]:
    """The score by the rules: as played, except where something else is proven.

    A trick gathered by a side that cannot have won it counts for the side that did; what the cards alone show takes
    precedence over who led next; and the penalties of the rules are applied.
    """
    why: dict[int, list[str]] = {}
    game = final.state.game
    false = {b.pos: b for b in proven if b.rule.startswith(f"{game.key}.")}
    wrong = {
        p.n for p in final.view.events if p.n in false and isinstance(p.event, Move) and p.event.src == "trick"
        and p.event.to.startswith("won:")
    }
    hands, found = played.hands, played.readings
    if wrong:
        view = replace(final.view, events=tuple(p for p in final.view.events if p.n not in wrong))
        hands = hand_ends(view)
        found = readings_of_hands(view, hands)
        for at in sorted(wrong):
            why.setdefault(false[at].hand, []).append(
                f"the trick gathered at event {at} goes to the side that won it ({false[at].rule})"
            )
    for b in proven:
        said = next((p.event for p in final.view.events if p.n == b.pos), None)
        hand = next((h for h in played.hands if h.number == b.hand), None)
        if not isinstance(said, Call) or said.word != "misdeal" or hand is None:
            continue
        before = hand.state.game.match.new_match(hand.state.terms)
        if score_of(hand, hand.state, before).source == "void":
            why.setdefault(b.hand, []).append(
                f"the hand was thrown in, and {b.by} had no right to a misdeal ({b.rule}, event {b.pos})"
            )
    fines = list(game.judging.penalties(final.state, proven)) if proven else []
    change: Change | None = None
    if fines:
        acts = acts_of_penalties(fines)
        change = changes_by_acts(acts)
        for fine in fines:
            why.setdefault(fine.hand, []).append(f"{fine.text} ({fine.rule}, event {fine.at})")
    shown: set[int] = set()
    # If the record contradicts itself its cards prove nothing, as a wrong card may have been recorded.
    doubtful = {b.hand for b in proven if b.rule in CONFLICTS}

    def choose(hand: HandEnd) -> tuple[list[Alternative], str]:
        both = found[hand.number]
        if hand.number in doubtful or _agree(hand, both):
            return both.played, both.why
        shown.add(hand.number)
        return both.cards, both.why

    match = match_outcomes(hands, choose, change)
    for number in shown:
        why.setdefault(number, []).append("the cards show who won a trick, no matter who led to the next")
    if not why:
        return played.course, {}
    return match, why


def _agree(hand: HandEnd, both: Readings) -> bool:
    """True if the cards allow what was played."""
    if both.played is both.cards:
        return True
    nothing = hand.state.game.match.new_match(hand.state.terms)
    left = {repr(score_of(hand, a.state, nothing).points) for a in both.cards}
    return any(repr(score_of(hand, a.state, nothing).points) in left for a in both.played)


def _with_ways(
    hand: ScoredHand, courses: dict[str, tuple[MatchOutcome, dict[int, list[str]]]], played: PlayedMatch,
) -> ScoredHand:
    """A hand with its three ways, and with what the cards alone allow."""
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
        free = match_outcomes([closing], lambda h: (both.cards, "")).hands
        taken = match_outcomes([closing], lambda h: (both.played, "")).hands
        by_cards = {who: v for who, v in free[0].points.items() if v != taken[0].points.get(who)}
    same = {name: replace(way, why=()) for name, way in ways.items()}
    differ = not (same["played"] == same["rules"] == same["ruled"])
    told = any(way.why for way in ways.values())
    return replace(hand, ways=ways if differ or told else {"played": ways["played"]}, by_cards=by_cards)


def _way(worth: HandWorth, hand: ScoredHand, why: tuple[str, ...]) -> Way:
    points = {who: certain(worth.points, who) for who in hand.points}
    totals = {who: certain(worth.totals, who) for who in hand.totals}
    return Way(points, totals, several_values(worth.points), several_values(worth.totals), why)


def _as_it_ended(match: MatchOutcome, final: Folded) -> MatchOutcome:
    """The same, with the winner if the table ended the match."""
    state = final.state
    if state.ended != "agreed":
        return match
    return MatchOutcome(match.hands, [standing_at_agreed_end(s, state) for s in match.standings], match.whole)


def _match_way(match: MatchOutcome, final: Folded) -> MatchWay:
    if not match.standings:
        return MatchWay({})
    totals = totals_as_played(match)
    winners = match.winners
    return MatchWay(
        {who: certain(totals, who) for who in whole_totals(match.standings[0])}, several_values(totals),
        winners[0] if len(winners) == 1 else "", winners if len(winners) > 1 else (),
        all(s.over for s in match.standings), match.standings[0].winners if len(match.standings) == 1 else (),
    )  # fmt: skip
