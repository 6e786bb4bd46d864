"""The score of a match as it was played."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from reducers.model import State
from reducers.scoring import HandScore, Standing
from reducers.seating import everybody, whole_totals
from reducers.words.shown_facts import rests_on_leads
from replay.read_log import ReadLog
from replay.scoring.claims import compare_claims, slips_among
from replay.scoring.enumerate import Readings, histories, match_outcomes, readings_of_hands
from replay.scoring.hands import folded_log
from replay.scoring.older_rules import begun_under, differences, judged_before, right_then
from replay.scoring.outcomes import HandEnd, HandWorth, MatchOutcome, Values, certain
from replay.scoring.score_shapes import Compared, Component, MatchScore, ScoredHand


class PlayedMatch(Struct):
    """The match as played: its finished hands, the readings of each, and their sum."""

    hands: list[HandEnd]
    readings: dict[int, Readings]
    course: MatchOutcome


def match_as_played(log: ReadLog) -> PlayedMatch:
    """The match as played, with every open figure examined. Call it as `log.once(match_as_played)`."""
    final = log.once(folded_log)
    hands, found = final.hands, readings_of_hands(final.view, final.hands)
    return PlayedMatch(hands, found, match_outcomes(hands, lambda h: (found[h.number].played, found[h.number].why)))


def _if_open(log: ReadLog) -> PlayedMatch | None:
    """The match as played; None if every figure is certain."""
    return log.once(match_as_played) if any(_open(s) for s in log.once(folded_log).state.scores) else None


def courses_played(log: ReadLog) -> list[tuple[list[HandScore], Standing]]:
    """Every possible course of the score as played; empty if it is certain, or if there are too many."""
    played = _if_open(log)
    return [] if played is None else histories(played.hands, lambda h: played.readings[h.number].played)


def _open(score: HandScore) -> bool:
    return None in score.points.values() or None in score.totals.values()


def scored(log: ReadLog) -> MatchScore:
    """The score of a match, as played."""
    return scored_from(log, _if_open(log))


def scored_from(log: ReadLog, played: PlayedMatch | None) -> MatchScore:
    final = log.once(folded_log)
    state = final.state
    worth = {} if played is None else {w.number: w for w in played.course.hands}
    scores = [_resolved(s, worth.get(s.number)) for s in state.scores]
    claims, slips = compare_claims(state, scores, ranges_of(played) if played is not None and state.claims else {})
    if any(c.says in OTHERWISE for c in claims):
        claims = without_leads(log, scores, claims)
        slips = slips_among(claims)
    stood = judged_before(log, state, scores, claims)
    if stood is not None:
        claims = tuple(right_then(c, stood) for c in claims)
        slips = slips_among(claims)
    standing, facts, terms = resolved_standing(state.standing, played), state.terms.facts, everybody(state)
    possible, winners = ({}, ()) if played is None else (
        several_values(totals_as_played(played.course)), played.course.winners,
    )
    return MatchScore(
        match=str(facts.get("Match", "")),
        game=state.game.key,
        name=state.game.name,
        rules=state.game.version,
        position=final.position,
        seats=terms.seats,
        sides=dict(terms.sides),
        names=dict(terms.names),
        facts=facts,
        options=msgspec.to_builtins(state.terms.options),
        hands=_hands(state, scores, claims, worth),
        totals=whole_totals(standing),
        winner=standing.winner,
        together=standing.winners,
        over=standing.over,
        ended=state.ended or ("won" if standing.over else ""),
        why_ended=state.why_ended,
        claims=claims,
        slip=slips[0] if slips else None,
        slips=slips,
        agreed=final.agreed,
        possible=possible,
        winners=winners if len(winners) > 1 else (),
        unread=final.unread,
        left=tuple(standing.left),
        older=(*begun_under(final.view, state), *(differences(stood, state, scores) if stood is not None else ())),
    )


def ranges_of(played: PlayedMatch, *, only_listed: bool = False) -> dict[int, tuple[Values, Values]]:
    """The figures that the cards alone allow, regardless of who led next, by hand: its points, and the totals after
    it. With `only_listed`, none from the first hand on that rests on who led next and has too many ways to list."""
    match = match_outcomes(played.hands, lambda h: (played.readings[h.number].cards, ""))
    open_ = [
        h.number for h in played.hands
        if only_listed and rests_on_leads(h.state) and played.readings[h.number].cards[0].state is h.state
    ]
    return {w.number: (w.points, w.totals) for w in match.hands if not open_ or w.number < open_[0]}


OTHERWISE = ("differs", "carried on")
"""What a comparison says of a claim that differs from the score."""


def without_leads(log: ReadLog, scores: list[HandScore], claims: tuple[Compared, ...]) -> tuple[Compared, ...]:
    """The comparisons of claims; one that differs is made again with the figures that the cards alone allow, as a
    certain finding does not rest on who led next."""
    state, hands = log.once(folded_log).state, log.once(folded_log).hands
    on_leads = {h.number: sides for h in hands if (sides := rests_on_leads(h.state))}
    if not on_leads:
        return claims
    ranges = ranges_of(log.once(match_as_played), only_listed=True)
    known, open_still = list[HandScore](), set[str]()
    for score in scores:
        points, totals = ranges.get(score.number, ({}, {}))
        doubted = {who for who in on_leads.get(score.number, ()) if points.get(who) != [score.points[who]]}
        open_still = {who for who in open_still | doubted if totals.get(who) != [score.totals.get(who)]}
        known.append(replace(
            score, points=score.points | dict.fromkeys(doubted), totals=score.totals | dict.fromkeys(open_still),
        ))
    there = state.snapshot()
    there.claims = [
        replace(c, points=dict.fromkeys(c.points)) if c.playing and c.hand in on_leads else c for c in there.claims
    ]
    again, _ = compare_claims(there, known, ranges)
    return tuple(other if c.says in OTHERWISE else c for c, other in zip(claims, again, strict=True))


def _resolved(score: HandScore, worth: HandWorth | None) -> HandScore:
    """The score of a hand with every figure that all readings share; the only reading if there is one."""
    if worth is None or not _open(score) or not worth.scores:
        return score
    if len(worth.scores) == 1:
        only = worth.scores[0]
        return replace(only, unknown=(*only.unknown, worth.why)) if worth.why else only
    points = {who: n if n is not None else certain(worth.points, who) for who, n in score.points.items()}
    totals = {who: n if n is not None else certain(worth.totals, who) for who, n in score.totals.items()}
    unknown = (*score.unknown, worth.why) if worth.why else score.unknown
    return replace(score, points=points, totals=totals, unknown=unknown)


def resolved_standing(standing: Standing, played: PlayedMatch | None) -> Standing:
    if played is None or not played.course.standings:
        return standing
    possible = totals_as_played(played.course)
    totals = {who: n if n is not None else certain(possible, who) for who, n in standing.totals.items()}
    who = played.course.winners
    if len(who) == 1 and who[0] and not standing.winner:
        standing = replace(standing, winner=who[0], over=True)
    return replace(standing, totals=totals)


def totals_as_played(match: MatchOutcome) -> Values:
    found: dict[str, set[int | None]] = {}
    for standing in match.standings:
        for who, n in whole_totals(standing).items():
            found.setdefault(who, set()).add(n)
    return {who: sorted(n for n in ns if n is not None) for who, ns in found.items() if None not in ns}


def several_values(values: Values) -> Values:
    """The sides with more than one possible figure."""
    return {who: list(found) for who, found in values.items() if len(found) > 1}


def _hands(
    state: State[Any], scores: list[HandScore], claims: tuple[Compared, ...], worth: dict[int, HandWorth]
) -> tuple[ScoredHand, ...]:
    """All hands, including the one in play, which has no points yet."""
    hands = [
        _hand(s, s.number < state.number or state.settled or told_whole(s, state), claims, worth.get(s.number))
        for s in scores
    ]
    if state.number and state.score is None:
        now = replace(state.game.score(state), totals=state.before.totals)
        hands.append(_hand(now, False, claims))
    return tuple(hands)


def told_whole(score: HandScore, state: State[Any]) -> bool:
    """True if a hand with incomplete moves has a complete result, so that it counts."""
    return bool(state.tallies) and score.source == "tally" and not score.unknown and None not in score.points.values()


def _hand(s: HandScore, done: bool, claims: tuple[Compared, ...], worth: HandWorth | None = None) -> ScoredHand:
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
        possible=several_values(worth.points) if worth else {},
        possible_totals=several_values(worth.totals) if worth else {},
        questions=worth.questions if worth else (),
    )
