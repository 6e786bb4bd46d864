"""The score of a match under the rules at its end, if the game module has changed since."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from events.model import End
from reducers.model import State
from reducers.registry import NOT_INSTALLED
from reducers.scoring import HandScore, figure
from reducers.seating import whole_totals
from replay.comparing.kept_verdict import KeptVerdict, keeps_verdict, read_kept_verdict
from replay.fold import Corrected
from replay.read_log import ReadLog
from replay.scoring.score_shapes import Compared


def judged_before(
    log: ReadLog, state: State[Any], scores: list[HandScore], claims: Iterable[Compared],
) -> KeptVerdict | None:
    """The verdict stored when the match ended, if another version of the game module judged then and figures or
    claims differ now; else None."""
    if state.game.key.endswith(NOT_INSTALLED) or not any(
        type(p.event) is End and keeps_verdict(p.event) for p in log.view.events
    ):
        return None
    stood = read_kept_verdict(log)
    if stood is None or not (any(differences(stood, state, scores)) or any(c.says == "differs" for c in claims)):
        return None
    from replay.comparing.rule_sources import page_hash

    # A difference under the same module was corrected since.
    return stood if stood.page and stood.page != page_hash(state.game.key) else None


def begun_under(view: Corrected, state: State[Any]) -> Iterator[str]:
    """A sentence if the opening names another version of the rules than the current one."""
    version = str(view.opening.facts.get("Rules", ""))
    if version.isdecimal() and int(version) != state.game.version:
        yield f"the match was begun under version {version} of the rules, and is judged by version {state.game.version}"


def right_then(claim: Compared, stood: KeptVerdict) -> Compared:
    """Let a claim that differs from the current score agree if it was right when it was made."""
    hands = stood.hands.get(claim.who, [])
    total, later = stood.totals.get(claim.who), hands[claim.hand :]
    if claim.kind == "hand":
        was = hands[claim.hand - 1] if 0 < claim.hand <= len(hands) else None
    else:
        was = None if total is None or None in later else total - sum(n for n in later if n is not None)
    if claim.says not in ("differs", "carried on") or was is None or was != claim.claimed:
        return claim
    text = (
        f"{claim.who} {figure(was)} was right by the rules of then (the verdict kept at {stood.at}); by "
        f"those of today it is {figure(claim.computed)}"
    )
    return replace(claim, says="agrees", text=text)


def differences(stood: KeptVerdict, state: State[Any], scores: list[HandScore]) -> Iterator[str]:
    """The differences of the current score from the stored verdict, a sentence each; none if only the module has
    changed."""
    standing = state.standing
    if stood.winner != standing.winner:
        yield f"{stood.winner or 'nobody'} had won; by the rules of today {standing.winner or 'nobody'} has"
    for who, total in whole_totals(standing).items():
        if who in stood.totals and stood.totals[who] != total:
            yield f"the total of {who} was {figure(stood.totals[who])}, and is {figure(total)} by the rules of today"
    for hand in scores:
        was = {who: points[hand.number - 1] for who, points in stood.hands.items() if hand.number <= len(points)}
        for who, points in was.items():
            if points != hand.points.get(who):
                yield (
                    f"hand {hand.number} was {figure(points)} for {who}, and is "
                    f"{figure(hand.points.get(who))} by the rules of today"
                )
