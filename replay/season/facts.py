"""The facts of one match for a season: the seating, the results of hands and match, findings and remarks.

These follow from the log. They are cached in tables beside a store (`records.projection`) and can be computed again
at any time; nothing is ever read back from them into a log.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from events.card_lists import cards_in
from events.errors import KibitzError
from events.model import Fix, Open, Recorded
from reducers.rules import Verdict
from reducers.scoring import HandScore
from reducers.seating import everybody
from reducers.terms import Terms
from reducers.words.sheets import chips_brought
from replay.auditing.check import check_if_needed
from replay.fold import LAST, Sitting, sittings
from replay.log import NumberedEvent
from replay.plain_text import with_player_names
from replay.read_log import ReadLog, read_log
from replay.scoring.hands import Folded, folded_log
from replay.scoring.rulings import disputes
from replay.scoring.score_shapes import MatchScore
from replay.scoring.three_ways import official_score
from replay.season.highlights import BROKEN, DISPUTED, HandToOpen, hands_to_open
from replay.season.order import TRIAL, YES

_OUTCOME = re.compile(r"\b(made|failed)\b")


class SeatFacts(Struct, frozen=True):
    """A player at a seat, from one position to another: the side, and the recorded name (the seat itself if there was
    none).

    `total`, `made`, `failed` and `hands_won` are of the hands that began while the player sat there (`total` is None
    if unknown). The totals of all players at a seat add up to that of its side. The match itself counts for the
    player with most of its hands (`whole`).
    """

    seat: str
    side: str
    name: str
    since: int = 0
    until: int = LAST
    whole: bool = True
    hands: int = 0
    total: int | None = None
    made: int = 0
    failed: int = 0
    hands_won: int = 0


class SideFacts(Struct, frozen=True):
    """The result of a side: its total (None if unknown), whether it won (None without a winner, or in an unfinished
    match), its place (1 is first; equal sides share one), its declared contracts, and the hands in which it alone had
    the best figure. `margin` is by how much its total is better than the best of the others (None if unknown),
    `stack` what it brought of its total, if chips are settled."""

    side: str
    total: int | None
    won: bool | None
    place: int
    made: int = 0
    failed: int = 0
    hands_won: int = 0
    margin: int | None = None
    stack: int = 0


class HandFacts(Struct, frozen=True):
    """A finished hand: its first event, its contract and declarer, and the points of each side.

    `made` is None in games without contracts. `seat` bid it, if known; `side` declared it.
    """

    number: int
    at: int
    dealer: str
    contract: str
    result: str
    side: str
    seat: str
    made: bool | None
    points: dict[str, int | None]


class FoundFacts(Struct, frozen=True):
    """A finding: the event, its hand, the rule, the actor, and a sentence. `verdict` is "broken", "open", or
    "perhaps" if a slip of the recorder may explain it, so that no player is accused."""

    at: int
    hand: int
    rule: str
    verdict: str
    by: str
    text: str


class Remark(Struct, frozen=True):
    """A remark at an event; 0 is the opening."""

    at: int
    text: str


class DisputeFacts(Struct, frozen=True):
    """A request for a decision; `open` while there is no ruling on it."""

    at: int
    by: str
    hand: int
    word: str
    open: bool


class MatchFacts(Struct, frozen=True):
    """The facts of a match for a season.

    `day` is its date (`2026-03-14`), or the day it was opened; `title`, `place` and `table` are from its corrected
    opening. `trial` matches and variations (`parent`) are counted in no table. `way` is 1 if the winner had the
    highest total, -1 if the lowest, else 0. `fault` is the reason why nothing more is known of it.
    """

    match: str
    game: str
    name: str = ""
    day: str = ""
    title: str = ""
    place: str = ""
    table: str = ""
    trial: bool = False
    parent: str = ""
    over: bool = False
    winner: str = ""
    way: int = 0
    last: int = 0
    seats: tuple[SeatFacts, ...] = ()
    sides: tuple[SideFacts, ...] = ()
    hands: tuple[HandFacts, ...] = ()
    found: tuple[FoundFacts, ...] = ()
    remarks: tuple[Remark, ...] = ()
    disputes: tuple[DisputeFacts, ...] = ()
    worth_opening: tuple[HandToOpen, ...] = ()
    fault: str = ""

    @property
    def counted(self) -> bool:
        """True if tables count it: it is over, no trial and no variation, and could be scored."""
        return self.over and not self.trial and not self.parent and not self.fault


def match_facts(match: str, records: Iterable[Recorded]) -> MatchFacts:
    """The facts of a match. For one that cannot be read or scored, `fault` is set and nothing is raised."""
    log = read_log(records)
    try:
        return _of(match, log)
    except KibitzError as error:
        return _unscored(match, log, str(error))
    except (RecursionError, MemoryError):
        return _unscored(match, log, "it is too large to work on")


def _of(match: str, log: ReadLog) -> MatchFacts:
    final = log.once(folded_log)
    score, terms, tags = official_score(log), everybody(final.state), log.view.opening.facts
    hands = tuple(_hands(score, final, terms))
    won = _won(score)
    way = _way(score, won)
    places = _places(score, way, won)
    over = bool(score.over or score.ended) and not score.hangs_on
    stacks = chips_brought(final.state.game, terms)
    sides = tuple(
        SideFacts(
            side, score.totals.get(side), None if not over or not won else side in won, places.get(side, 1),
            sum(h.side == side and h.made is True for h in hands),
            sum(h.side == side and h.made is False for h in hands), sum(_best(h.points, way) == side for h in hands),
            _margin(score, side, way), stacks[side],
        )
        for side in terms.sides
    )  # fmt: skip
    found = tuple(_found(log))
    asked = tuple(DisputeFacts(d.at, d.by, d.hand, d.word, not d.ruled) for d in disputes(log.view))
    return MatchFacts(
        match, _game(score), score.name, **_tags(tags, log.records[0]), over=over,
        winner=won[0] if len(won) == 1 else "", way=way, last=log.last,
        seats=tuple(_seats(sittings(log.view, terms), sides, hands, way, terms)),
        sides=sides, hands=hands, found=found, remarks=_remarks(log), disputes=asked,
        worth_opening=hands_to_open(
            _reasons(found, asked, terms), {hand.number: hand.points for hand in hands},
            {hand.number: _last_cards(final.view.events[hand.first - 1 : hand.last]) for hand in final.hands},
            terms.name,
        ),
    )  # fmt: skip


def _seats(
    sat: Sequence[Sitting], sides: Sequence[SideFacts], hands: Sequence[HandFacts], way: int, terms: Terms,
) -> Iterable[SeatFacts]:
    """All players at the table, with the results of the hands that began while they sat there."""
    totals = {one.side: one.total for one in sides}
    for seat in terms.seats:
        here, side = [one for one in sat if one.seat == seat], terms.side_of[seat]
        played = [[h for h in hands if one.since <= h.at <= one.until and side in h.points] for one in here]
        most = max(
            range(len(here)),
            key=lambda i: (sum(len(own) for one, own in zip(here, played, strict=True) if one.name == here[i].name), i),
        )
        points = [_sum([h.points.get(side) for h in own]) for own in played]
        points[most] = _sum([totals.get(side), *(None if n is None else -n for i, n in enumerate(points) if i != most)])
        for i, (one, own, total) in enumerate(zip(here, played, points, strict=True)):
            yield SeatFacts(
                seat, side, one.name, one.since, one.until, i == most, len(own), total,
                sum(h.side == side and h.made is True for h in own),
                sum(h.side == side and h.made is False for h in own), sum(_best(h.points, way) == side for h in own),
            )  # fmt: skip


def _sum(figures: Sequence[int | None]) -> int | None:
    known = [n for n in figures if n is not None]
    return sum(known) if len(known) == len(figures) else None


def _game(score: MatchScore) -> str:
    """The key of the game; for a score pad that of its title, so that Skat is not added to Hearts."""
    title = score.options.get("title")
    return re.sub(r"\W+", "-", str(title).casefold()).strip("-") or score.game if title else score.game


def _tags(tags: Mapping[str, object], opening: Recorded) -> dict[str, Any]:
    """The tags of the opening that place a match in a season."""

    def said(tag: str) -> str:
        value = tags.get(tag)
        return "" if value is None or isinstance(value, bool | dict | list) else str(value)

    return {
        "day": said("Date") or opening.time[:10], "title": said("Event"), "place": said("Place") or said("Site"),
        "table": said("Table"), "trial": tags.get(TRIAL) in YES, "parent": said("Parent"),
    }  # fmt: skip


def _unscored(match: str, log: ReadLog, why: str) -> MatchFacts:
    """The facts of a match that cannot be scored: its tags, and the names in them."""
    opening = log.records[0] if log.records else None
    tags = opening.event.facts if opening is not None and isinstance(opening.event, Open) else {}
    seats = str(tags.get("Seats", "")).split()
    return MatchFacts(
        match, str(tags.get("Game", "")), **(_tags(tags, opening) if opening is not None else {}), last=log.last,
        seats=tuple(SeatFacts(s, s, str(tags[s])) for s in dict.fromkeys(seats) if s in tags), remarks=_remarks(log),
        fault=why,
    )  # fmt: skip


def _won(score: MatchScore) -> tuple[str, ...]:
    """The sides that won; a winner given by a seat is its side. Empty if there is none, or if all have the same
    total."""
    if not score.winner:
        return score.together if len(score.together) < len(score.sides) - len(score.left) else ()
    return tuple(side for side, seats in score.sides.items() if score.winner == side or score.winner in seats)[:1]


def _way(score: MatchScore, won: Sequence[str]) -> int:
    """1 if the winners had the highest total, -1 if the lowest; 0 if neither, or both."""
    mine = score.totals.get(won[0]) if won else None
    others = [total for side, total in score.totals.items() if side not in (*won, *score.left)]
    if mine is None or not others or None in others:
        return 0
    known = [total for total in others if total is not None]
    return (mine > max(known)) - (mine < min(known))


def _places(score: MatchScore, way: int, won: Sequence[str]) -> dict[str, int]:
    """The place of each side. If totals do not determine it, the winner is first and the others share the next place.
    Players who left are behind those who stayed, unless that total counts."""
    if way:
        last = dict.fromkeys((side for side in score.left if side not in won), len(score.totals) - len(score.left) + 1)
        order = {side: -way * total for side, total in score.totals.items() if total is not None and side not in last}
        return {side: 1 + sum(other < figure for other in order.values()) for side, figure in order.items()} | last
    return {side: 1 if not won or side in won else 2 for side in score.sides}


def _margin(score: MatchScore, side: str, way: int) -> int | None:
    """By how much a side is better than the best of the others; None if a total is unknown, or if it is alone."""
    own, others = score.totals.get(side), [
        total for other, total in score.totals.items() if other != side and other not in score.left
    ]
    known = [total for total in others if total is not None]
    if own is None or not others or len(known) < len(others):
        return None
    return min(known) - own if way < 0 else own - max(known)


def _best(points: Mapping[str, int | None], way: int) -> str:
    """The side that alone had the best figure of a hand; "" if there is none, or if a figure is unknown."""
    known = {side: -n if way < 0 else n for side, n in points.items() if n is not None}
    first = max(known.values(), default=0)
    best = [side for side, n in known.items() if n == first]
    return best[0] if len(best) == 1 and len(known) == len(points) > 1 else ""


def _hands(score: MatchScore, final: Folded, terms: Terms) -> Iterable[HandFacts]:
    kept: dict[int, HandScore] = {s.number: s for s in final.state.scores}
    view = final.view.events
    starts = {h.number: view[h.first - 1].n if 0 < h.first <= len(view) else 0 for h in final.hands}
    for hand in score.hands:
        if not hand.done:
            continue
        bidder = kept[hand.number].bidder if hand.number in kept else ""
        side = terms.side_of.get(bidder) or _declared_by(hand.contract, terms)
        outcome = _OUTCOME.search(hand.result) if side else None
        # The declarer is separate, so equal contracts have the same text.
        contract = hand.contract.removeprefix(f"{terms.name(side)} ") if side else hand.contract
        yield HandFacts(
            hand.number, starts.get(hand.number, 0), hand.dealer, contract, hand.result, side, bidder,
            None if outcome is None else outcome[1] == "made", dict(hand.points),
        )  # fmt: skip


def _declared_by(contract: str, terms: Terms) -> str:
    """The side whose name a contract begins with; "" if there is none."""
    named = [side for side in terms.sides if contract.startswith(f"{terms.name(side)} ")]
    return max(named, key=lambda side: len(terms.name(side)), default="")


def _found(log: ReadLog) -> Iterable[FoundFacts]:
    """The findings of `check`."""
    for f in check_if_needed(log).findings:
        verdict = "open" if f.verdict != Verdict.BROKEN else "broken" if f.unless is None else "perhaps"
        yield FoundFacts(f.at.pos, f.at.hand, f.rule, verdict, f.by, f.text)


def _reasons(found: Iterable[FoundFacts], asked: Iterable[DisputeFacts], terms: Terms) -> Iterable[HandToOpen]:
    """What was broken and disputed, in words. Slips of the record are no news."""
    called = {who: terms.name(who) for who in (*terms.seats, *terms.sides)}
    for f in found:
        if f.verdict == "broken" and f.hand and not f.rule.startswith("table."):
            name, text = called.get(f.by, ""), with_player_names(f.text, called)
            yield HandToOpen(f.hand, f.at, "broken", text if name in text else f"{name}: {text}", BROKEN)
    for d in (d for d in asked if d.hand):
        who, word = terms.name(d.by) if d.by in called else "the table", f": {d.word}" if d.word else ""
        yield HandToOpen(d.hand, d.at, "dispute", f"disputed by {who}{word}", DISPUTED)


def _last_cards(events: Sequence[NumberedEvent]) -> int:
    """The last event with cards; the last of all if there is none."""
    last = next((one for one in reversed(events) if any(cards_in(one.event))), events[-1] if events else None)
    return last.n if last is not None else 0


def _remarks(log: ReadLog) -> tuple[Remark, ...]:
    return tuple(Remark(r.event.at if isinstance(r.event, Fix) else r.n, r.text) for r in log if r.text)


__all__ = [
    "YES", "DisputeFacts", "FoundFacts", "HandFacts", "MatchFacts", "Remark", "SeatFacts", "SideFacts", "match_facts",
]  # fmt: skip
