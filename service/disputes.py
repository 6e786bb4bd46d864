"""The disputes of a match, their rulings, and the words that a ruling may use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from litestar import Response
from litestar.params import QueryParameter
from msgspec import Struct
from msgspec.structs import replace

from events.errors import NotationError
from events.model import Dispute, Ruling
from replay.auditing.audit import audit
from replay.fold import Corrected
from replay.judging.findings import finding_told
from replay.paper.sheet import result_in_words
from replay.plain_text import with_player_names
from replay.read_log import read_log
from replay.scoring.rulings import ANY_RULING, Decision, decisions, disputes
from replay.scoring.three_ways import official_score, score_as_ruled, score_match
from replay.table.scribe import understood
from replay.table.shorthand import spoken_act
from service.request_context import Asked, Match, MatchAccess, get, looking, sent


class EventText(Struct, frozen=True):
    """An event in the words of the table."""

    n: int
    text: str


class Ruled(Struct, frozen=True):
    """A ruling: its event, its effect in words, and whether it still holds."""

    n: int
    text: str
    holds: bool


class FoundInHand(Struct, frozen=True):
    """A finding at an event: the rule, by the letter and number that a ruling cites, and what happened, in words."""

    n: int
    text: str
    rule: str


class DisputeView(Struct, frozen=True):
    """A dispute by a player about events of a hand, and its rulings. `over` is True once that hand is over. `found`
    has the findings in that hand; it is empty unless the client is a director."""

    n: int
    by: str
    word: str
    about: tuple[EventText, ...]
    hand: int
    over: bool
    ruled: tuple[Ruled, ...]
    found: tuple[FoundInHand, ...]


class DisputeList(Struct, frozen=True):
    """The disputes of a match, the latest first, with the names of its sides. `changes` are the keys that a ruling
    may change, `rules` the rules that it may cite, in short."""

    match: str
    questions: tuple[DisputeView, ...]
    sides: dict[str, str]
    changes: dict[str, str]
    rules: dict[str, str]


@get("/api/v1/matches/{match:str}/disputes")
def disputes_of_route(request: Asked, match: Match) -> Response[bytes]:
    """What is disputed in a match, and what was decided."""
    with looking(request, match) as look:
        told = look.view.kept("disputes", lambda: msgspec.json.encode(disputed(look)))
        return sent(request, told)


def disputed(look: MatchAccess) -> DisputeList:
    """The disputes of a match as this audience sees it."""
    view, state = look.view.read.view, look.view.follower.state
    called, terms = look.table.scribe.called, state.terms
    events: dict[int, Any] = {p.n: p.event for p in view.events}
    made = {d.at: d for d in decisions(view)}
    walk = look.view.follower

    def about(refs: tuple[int, ...]) -> tuple[EventText, ...]:
        return tuple(
            EventText(n, with_player_names(spoken_act(events[n], state.game), called)) for n in refs if n in events
        )

    found = [
        DisputeView(
            d.at, called.get(d.by, "" if d.by == "@" else d.by), d.word, about(d.refs), d.hand,
            d.hand in walk.over or d.hand < walk.hand, tuple(ruled(made[n], called) for n in d.ruled if n in made),
            tuple(found_in(look, d.hand)),
        )
        for d in reversed(disputes(view))
    ]  # fmt: skip
    return DisputeList(
        look.table.match, tuple(found), {side: terms.name(side) for side in terms.sides},
        {**ANY_RULING, **state.game.tally.rulings}, {rule.id: rule.short or rule.heading for rule in state.game.rules},
    )


def found_in(look: MatchAccess, hand: int) -> Iterator[FoundInHand]:
    """The findings in a hand, for a director only."""
    if look.grant.role == "director":
        audited = look.view.kept("findings", lambda: audit(look.view.read))
        called = look.table.scribe.called
        for one in audited.broken:
            if one.at.hand == hand:
                said = with_player_names(finding_told(one.short, one.says), called)
                yield FoundInHand(one.at.pos, said, one.rule.rpartition(".")[2])


def ruled(made: Decision, called: Any) -> Ruled:
    """A ruling in words."""
    rules = f" ({', '.join(made.rules)})" if made.rules else ""
    return Ruled(made.at, with_player_names(made.effect, called) + rules, made.counts)


class WouldBe(Struct, frozen=True):
    """The score in words now and after a ruling, and what the ruling does to its hand."""

    now: str
    then: str
    why: tuple[str, ...]


@get("/api/v1/matches/{match:str}/ruled")
def would_be_route(
    request: Asked, match: Match, line: Annotated[str, QueryParameter(min_length=1, max_length=4000)],
) -> Response[bytes]:
    """What a ruling would make of the score, for a director who has not given it yet. Nothing is written."""
    with looking(request, match, "director") as look:
        session = look.table.scribe.session
        draft = understood(session, line)
        if not all(isinstance(r.event, Ruling) for r in draft.events):
            raise NotationError("this is no ruling", expected="a line such as ruling #12 points.NS=3")
        log = [*session.records, *(replace(r, n=look.table.last + i) for i, r in enumerate(draft.events, 1))]
        before, after = official_score(read_log(session.records)), score_match(log)
        called = look.table.scribe.called
        reasons = {
            text: None for hand in after.hands for way in hand.ways.values() for text in way.why
            if f"event {log[-1].n}:" in text
        }
        told = WouldBe(
            result_in_words(before), result_in_words(score_as_ruled(after)),
            tuple(with_player_names(text.partition(": ")[2], called) for text in reasons),
        )
        return sent(request, told)


def count_disputes(view: Corrected) -> tuple[int, int]:
    """The number of disputes without a ruling in a log, and the number of rulings."""
    asked = any(isinstance(p.event, Dispute | Ruling) for p in view.events)
    return (sum(not d.ruled for d in disputes(view)), len(decisions(view))) if asked else (0, 0)


HANDLERS: list[Any] = [disputes_of_route, would_be_route]
