"""Compare the figures that the table stated with the computed ones.

A figure is right if it is so at its own moment or at the end of its hand: a claim in mid-hand may mean the score
without the hand, the hand so far, or its expected result.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from events.name_lists import one_of
from reducers.model import State
from reducers.scoring import HandScore, figure, signed
from reducers.seating import everybody, whole_totals
from replay.scoring.outcomes import Values, figures_span
from replay.scoring.score_shapes import ArithmeticSlip, Compared, MatchScore, Says


def claim_differences(score: MatchScore, *, carried: bool = False) -> list[Compared]:
    """The claimed figures that differ from the computed ones, in the order made (rule `table.T9`).

    Those that only carry an earlier difference on are included only with `carried`.
    """
    return [c for c in score.claims if c.says == "differs" or (carried and c.says == "carried on")]


class _Stated(Struct, frozen=True):
    """One figure of a claim before it is compared; `value` is None if it is not a whole number.

    If it was made while the hand was in play (`playing`), `so_far` are the hand's points at that time; None if
    unknown.
    """

    at: int
    hand: int
    by: str
    kind: Literal["total", "hand"]
    who: str
    value: int | None
    written: str
    confirmed: tuple[str, ...]
    playing: bool
    so_far: int | None


def stated_claims(state: State[Any]) -> list[_Stated]:
    """Every figure the table stated, in the order made."""
    totals = whole_totals(state.before)
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
            so_far = made.points.get(name)
            # A total before the first act may have in it what the deal scored.
            by_deal = not made.playing and kind == "total" and any(made.points.values())
            out.append(
                _Stated(
                    made.at, made.hand + by_deal, made.by, kind, name, number, str(value), made.confirmed,
                    made.playing or by_deal, so_far,
                )
            )
    return out


class _Account:
    """One side's figures during the comparison: ours, and the difference of the table's."""

    def __init__(
        self, state: State[Any], who: str, scores: list[HandScore], ranges: dict[int, tuple[Values, Values]]
    ) -> None:
        self.who = who
        self.scores = {s.number: s for s in scores}
        self.ranges = ranges
        # The score line with the points of a hand, if the match counts hands in another way.
        self.hand_points = state.game.match.hand_points
        self.first = state.game.match.new_match(everybody(state)).totals.get(who)
        # A hand in play has no points yet, so nothing is compared with it.
        self.open = 0 if state.settled or state.tallies else state.number
        self.drift = 0  # the difference of the table's totals
        self.since = 0  # the hand where they diverged
        self.said: tuple[int, int] | None = None  # the table's last total: hand, figure
        self.stated: dict[int, int] = {}  # points of a hand that the table stated and that are not possible

    def points(self, hand: int) -> int | None:
        """The points of the hand for this side; None if unknown or in play."""
        score = self.scores.get(hand)
        return None if score is None or hand == self.open else score.points.get(self.who)

    def total(self, hand: int) -> int | None:
        """The total after a hand; the initial total for hand 0."""
        if hand == 0:
            return self.first
        score = self.scores.get(hand)
        return None if score is None or hand == self.open else score.totals.get(self.who)

    def counted(self, hand: int) -> tuple[int | None, ...]:
        """The points of the hand in games where the match counts it in another way: one figure, None if unknown.
        Empty in other games."""
        score = self.scores.get(hand)
        lines = score.lines if score is not None and hand != self.open else ()
        return tuple(line.amounts.get(self.who) for line in lines if line.label == self.hand_points)

    def can_score(self, hand: int) -> tuple[int, ...]:
        """The possible points of the hand; empty if unknown."""
        points = self.points(hand)
        return self._possible(hand, 0) if points is None else (points,)

    def can_stand(self, hand: int) -> tuple[int, ...]:
        """The possible totals after a hand; empty if unknown."""
        total = self.total(hand)
        return self._possible(hand, 1) if total is None else (total,)

    def _possible(self, hand: int, which: Literal[0, 1]) -> tuple[int, ...]:
        found = self.ranges.get(hand) if hand != self.open else None
        return () if found is None else tuple(found[which].get(self.who, ()))

    def can_follow(self, hand: int) -> tuple[int, ...]:
        """The possible totals of the table, based on its earlier ones; empty if unknown."""
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
        """The arithmetic of the total after a hand: `10 + 7 = 17`."""
        after, points = self.total(hand), self.points(hand)
        before = self.total(hand - 1) if hand else None
        if after is None or points is None or before is None or before + points != after:
            return figure(after)
        return f"{_added(before, points)} = {figure(after)}"

    def hand_sum(self, hand: int) -> str:
        """The arithmetic of the points of a hand, from its lines."""
        score = self.scores.get(hand)
        return "; ".join(line.sums[self.who] for line in score.lines if self.who in line.sums) if score else ""

    def from_said(self, hand: int) -> tuple[int, str] | None:
        """The total computed from the table's last one, if every hand since can be scored."""
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


def compare_claims(
    state: State[Any], scores: list[HandScore], ranges: dict[int, tuple[Values, Values]]
) -> tuple[tuple[Compared, ...], tuple[ArithmeticSlip, ...]]:
    """Compare every stated figure with ours, or with the possible ones, and find where they diverge."""
    stated = stated_claims(state)
    accounts = {who: _Account(state, who, scores, ranges) for who in state.before.totals}
    last = {_moment(s): s.at for s in stated}
    done: list[tuple[int, Compared]] = []
    # Within a hand its points come before the total they are added to, in any order of statement.
    walk = sorted(enumerate(stated), key=lambda p: (p[1].hand, not p[1].playing, p[1].kind == "total", p[1].at))
    for order, s in walk:
        account = accounts.get(s.who)
        if account is None or s.value is None:
            done.append((order, _not_understood(s, known=account is not None)))
        elif last[_moment(s)] != s.at:
            text = f"{s.who} {figure(s.value)} was replaced by a later claim in the same hand"
            done.append((order, _compared(s, None, "replaced", text)))
        else:
            compared, accounts[s.who] = _in_play(s, s.value, account) if s.playing else (
                _figure(s, s.value, account), account,
            )
            done.append((order, compared))
    claims = tuple(c for _, c in sorted(done, key=lambda p: p[0]))
    return claims, slips_among(claims)


def _moment(s: _Stated) -> tuple[object, ...]:
    """The key by which a later claim replaces an earlier one: same claimant, side and figure, before the points of
    the hand change."""
    return s.hand, s.by, s.kind, s.who, s.playing and (s.so_far,)


def _figure(s: _Stated, value: int, account: _Account) -> Compared:
    """Compare a figure with the final result of its hand."""
    return _hand_claim(s, value, account) if s.kind == "hand" else _total_claim(s, value, account)


RANK: tuple[Says, ...] = ("agrees", "carried on", "unknown", "differs")
"""Results in order of preference, for a figure with several possible meanings."""


def _in_play(s: _Stated, value: int, account: _Account) -> tuple[Compared, _Account]:
    """Compare a figure stated while its hand was in play, in the meaning that fits best. Returns the account after it
    as well."""
    ways: list[tuple[Compared, _Account]] = []
    if s.so_far != 0 or s.kind == "hand":
        ways.append((_so_far(s, value, account), account))
    if s.kind == "total":
        before = copy(account)
        without = _total_claim(replace(s, hand=s.hand - 1), value, before)
        ways.append((replace(without, hand=s.hand, playing=True), before))
    after = copy(account)
    ended = _figure(s, value, after)
    ways.append((ended, after))
    best = min(ways, key=lambda way: RANK.index(way[0].says))
    if best[0].says != "differs":
        return best
    total = account.total(s.hand - 1)
    if s.kind == "total" and total is not None:
        after.drift = value - total
    at_that_moment = [figure(way.computed) for way, _ in ways[:-1] if way.computed is not None]
    if at_that_moment:
        ended = replace(ended, text=f"{ended.text}; while it was in play, {' or '.join(at_that_moment)}")
    return ended, after


def _so_far(s: _Stated, value: int, account: _Account) -> Compared:
    """Compare a figure with the points of the hand so far."""
    said = f"in hand {s.hand} the table has {s.who} at {figure(value)}"
    if s.kind == "total":
        starts = account.can_stand(s.hand - 1)
        possible = () if s.so_far is None else tuple(sorted({n + s.so_far for n in starts}))
    else:
        possible = () if s.so_far is None else (s.so_far,)
    if not possible or (len(possible) > 1 and value in possible):
        return _compared(
            s, None, "unknown", f"{said}, which cannot be computed for that moment", possible=possible, playing=True,
        )
    ours = possible[0] if len(possible) == 1 else None
    if value == ours:
        return _compared(s, ours, "agrees", f"{said}, as computed for that moment", playing=True)
    return _compared(s, ours, "differs", f"{said}; {_none_of(value, possible)}", possible=possible, playing=True)


def _compared(s: _Stated, computed: int | None, says: Says, text: str, **more: Any) -> Compared:
    difference = None if computed is None or s.value is None or says == "replaced" else s.value - computed
    return Compared(
        s.at, s.hand, s.by, s.kind, s.who, s.value, computed, difference, says, text, confirmed=s.confirmed, **more,
    )


def _not_understood(s: _Stated, *, known: bool) -> Compared:
    what = f"'{s.written}' is not a whole number" if known else f"'{s.who}' is not a side or seat that has a score"
    return _compared(s, None, "not understood", f"the claim at event {s.at} was not compared: {what}")


def _hand_claim(s: _Stated, value: int, account: _Account) -> Compared:
    """Points of one hand: what it adds to the total, or what was counted in it."""
    ours, counted = account.points(s.hand), account.counted(s.hand)
    if value in counted and value != ours:
        return _compared(
            s, value, "agrees", f"{s.who} {figure(value)} points in hand {s.hand}", sum=account.hand_sum(s.hand),
        )
    if ours is None or (None in counted and value != ours):
        gives, possible = f"the table gives {s.who} {signed(value)} for hand {s.hand}", account.can_score(s.hand)
        if not possible or None in counted:
            return _compared(s, None, "unknown", f"{gives}; this cannot be computed")
        if value in possible:
            return _compared(
                s, None, "unknown", f"{gives}, which is possible ({figures_span(possible)})", possible=possible,
            )
        account.stated[s.hand] = value
        account.since = s.hand
        return _compared(s, None, "differs", f"{gives}; {_none_of(value, possible)}", possible=possible)
    why = account.hand_sum(s.hand)
    if value == ours:
        return _compared(s, ours, "agrees", f"{s.who} {signed(value)} for hand {s.hand}", sum=why)
    account.drift += value - ours
    account.since = s.hand if account.drift else 0
    text = f"the table gives {s.who} {signed(value)} for hand {s.hand}; computed {signed(ours)}" + (
        f" ({why})" if why else ""
    )
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
            # Without an absolute total, only the table's additions since its last total are checked.
            (ours, why), drift = reckoned, 0
    table_sum = _table_sum(value, s.hand, account)
    account.said = s.hand, value
    stands = f"after hand {s.hand} the table has {s.who} at {figure(value)}"
    if ours is None:
        if possible:
            return _compared(
                s, None, "unknown", f"{stands}, which is possible ({figures_span(possible)})", table_sum=table_sum,
                possible=possible,
            )
        return _compared(s, None, "unknown", f"{stands}; this cannot be computed", table_sum=table_sum)
    off, since = value - ours, account.since
    if off and off == drift:
        text = (
            f"{stands}; computed {figure(ours)}; carried on from hand {since}: {abs(off)} too "
            f"{'many' if off > 0 else 'few'}"
        )
        return _compared(s, ours, "carried on", text, sum=why, table_sum=table_sum, since=since)
    if absolute:
        account.drift, account.since = off, s.hand if off else 0
    if off:
        text = f"{stands} ({table_sum}); computed {figure(ours)} ({why})"
        return _compared(s, ours, "differs", text, sum=why, table_sum=table_sum)
    text = f"{stands}, as computed" + (f"; this corrects hand {since}" if drift else "")
    return _compared(s, ours, "agrees", text, sum=why, table_sum=table_sum)


def _outside(s: _Stated, value: int, possible: tuple[int, ...], account: _Account) -> Compared:
    """A running total that is not possible."""
    table_sum, following, since = _table_sum(value, s.hand, account), account.can_follow(s.hand), account.since
    account.said = s.hand, value
    stands = f"after hand {s.hand} the table has {s.who} at {figure(value)}"
    # A known difference, or a sum on top of a wrong total, is not another slip.
    if since and (value in following or (account.drift and value - account.drift in possible)):
        text = f"{stands}; {_none_of(value, possible)}; carried on from hand {since}"
        return _compared(s, None, "carried on", text, table_sum=table_sum, since=since, possible=possible)
    account.since = s.hand
    text = f"{stands} ({table_sum}); {_none_of(value, possible)}"
    return _compared(s, None, "differs", text, table_sum=table_sum, possible=possible)


def _none_of(value: int, possible: Sequence[int]) -> str:
    """The figures that would be possible: `possible 7..11`, or each of them if the range does not exclude the value.

    >>> _none_of(12, (7, 9, 11)), _none_of(8, (7, 9, 11))
    ('possible 7..11', 'possible 7, 9 or 11')
    """
    if not possible[0] < value < possible[-1]:
        return f"possible {figures_span(possible)}"
    return "possible " + one_of(map(figure, possible))


def _table_sum(value: int, hand: int, account: _Account) -> str:
    """The table's sum, from its last total if stated, else from ours."""
    if account.said is not None and account.said[0] == hand - 1:
        before = account.said[1]
    else:
        ours = account.total(hand - 1) if hand else None
        if ours is None:
            return figure(value)
        before = ours + (account.drift if account.since and account.since < hand else 0)
    return f"{_added(before, value - before)} = {figure(value)}"


def slips_among(claims: tuple[Compared, ...]) -> tuple[ArithmeticSlip, ...]:
    """Each hand in which figures diverge, and the hands that carry it on."""
    slips: list[ArithmeticSlip] = []
    for hand in sorted({c.hand for c in claims if c.says == "differs"}):
        parts = tuple(c for c in claims if c.says == "differs" and c.hand == hand)
        carried = tuple(
            sorted({c.hand for c in claims if c.says == "carried on" and c.since == hand and c.hand > hand})
        )
        text = f"The table's arithmetic {'again ' if slips else ''}differs from ours in hand {hand}: " + "; ".join(
            c.text for c in parts
        ) + "."
        if len(carried) == 1:
            text += f" Hand {carried[0]} carries it on."
        elif carried:
            text += f" Hands {_runs(carried)} carry it on."
        slips.append(ArithmeticSlip(hand, min(c.at for c in parts), parts, carried, text))
    return tuple(slips)


def _runs(numbers: tuple[int, ...]) -> str:
    """Numbers with consecutive ones joined.

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
