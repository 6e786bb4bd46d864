"""Questions to a rule about an act, and whether the answer holds whichever cards the hidden ones were."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.cards import one_by_one, squeeze
from events.model import Capture, Discard, Event, Play
from reducers.model import HandRecord, State
from reducers.rules import TABLE, CheckFunction, CheckResult, Rule, Verdict
from replay.budget import Budget
from replay.judging.assignments import LIGHT
from replay.judging.hindsight import CardProof
from replay.log import NumberedEvent

MAX_HOLDINGS_TRIED = 200
"""Most holdings of one seat that are tried for an act under several open rules."""


class RuleQuestion(Struct):
    """The answer of a rule of `owner` (a game, or the table) about an act, and the state just before it.

    `ask` asks again while the state is still the one before the act; `suppose` asks about the act with other cards.
    """

    owner: str
    rule: Rule
    says: CheckResult
    placed: NumberedEvent
    state: State[Any]
    standing: list[CardProof]
    ask: Callable[[], CheckResult | None] = lambda: None
    suppose: Callable[[Event], CheckResult | None] = lambda event: None


def asked_about(run: CheckFunction, state: State[Any], event: Event) -> CheckResult | None:
    """Run a check on an act in this position."""
    return run(event, state)


def broken_for_every_holding(questions: Sequence[RuleQuestion]) -> tuple[str, ...]:
    """The rules at least one of which is broken whatever the actor held and whatever the act's unseen card was. Empty
    if some possibility breaks none."""
    said = questions[0]
    state, event = said.state, said.placed.event
    acts = as_it_may_have_been(event, state)
    if len(acts) > MAX_HOLDINGS_TRIED:
        return ()
    table, pile = state.table, state.table.piles.get(event.by)
    holdings = None
    if pile is not None and pile.row is None and pile.covered:
        holdings = pile.possible_holdings(MAX_HOLDINGS_TRIED // len(acts))
    if pile is None or holdings is None:
        # The holdings are not tried: the possible acts themselves must show it.
        return one_of_each(questions, [act for _, act in acts]) if len(acts) > 1 else ()
    before, proved = pile.later, table.later
    rules: dict[str, None] = {}
    try:
        for bag in holdings:
            possible = [act for card, act in acts if not card & ~bag]
            pile.later = bag - pile.known
            table.later = proved - before + pile.later
            found = one_of_each(questions, possible)
            if possible and not found:
                return ()
            rules.update(dict.fromkeys(found))
        return tuple(rules)
    finally:
        pile.later, table.later = before, proved


def one_of_each(questions: Sequence[RuleQuestion], acts: Sequence[Event]) -> tuple[str, ...]:
    """The rules that at least one of these acts breaks, in order; empty if some act breaks none."""
    found: set[str] = set()
    for act in acts:
        broken = {
            q.rule.id for q in questions if (says := q.suppose(act)) is not None and says.verdict == Verdict.BROKEN
        }
        if not broken:
            return ()
        found |= broken
    return tuple(dict.fromkeys(f"{q.owner}.{q.rule.id}" for q in questions if q.rule.id in found))


def as_it_may_have_been(event: Event, state: State[Any]) -> list[tuple[int, Event]]:
    """The act with each possible card in place of its unseen one, and a bag of that card if it came from the hand.

    Returns the act as written if it has no unseen card, if it has several, or if no card fits.
    """
    pack, piles = state.game.pack, state.table.piles
    places = {"cards": piles.get(event.by), "takes": piles.get("board")}
    if not isinstance(event, Play | Capture | Discard) or event.src not in ("", f"hand:{event.by}"):
        return [(0, event)]
    slots = [
        (name, i, card) for name in places for i, card in enumerate(one_by_one(getattr(event, name, ()))) if "?" in card
    ]
    if len(slots) != 1 or any("*" in card for name in places for card in getattr(event, name, ())):
        return [(0, event)]
    name, at, card = slots[0]
    pile = places[name]
    may_be = pile.may_leave(state.code((card,))) if pile is not None else 0
    cards = one_by_one(getattr(event, name))
    acts: list[tuple[int, Event]] = []
    # A card that is open to the actor did not come from the hand.
    beside = name == "cards" and isinstance(state.hand, HandRecord)
    playable = state.hand.lying_open(event.by) if beside else 0
    open_to_all = playable & pack.may_be[state.code((card,))]
    for code in pack.codes(may_be | open_to_all):
        change: dict[str, Any] = {name: (*cards[:at], pack.faces[code], *cards[at + 1 :])}
        from_hand = name == "cards" and not pack.unit[code] & open_to_all
        acts.append((pack.unit[code] if from_hand else 0, replace(event, **change)))
    return acts or [(0, event)]


def broken_for_every_card(
    run: CheckFunction, says: CheckResult, event: Event, state: State[Any], budget: Budget,
) -> bool:
    """True if the verdict on a doubtful line holds whichever card its unseen one was, or is not "broken".

    The rest of the pack is not used: if one line is wrong, another may be. So a finding about turn stands, a finding
    about the card does not. Asking about `LIGHT` cards costs a step.
    """
    if says.verdict != Verdict.BROKEN:
        return True
    pack = state.game.pack
    for name in ("cards", "takes"):
        cards = one_by_one(getattr(event, name, ()))
        if "??" not in cards:
            continue
        at = cards.index("??")
        # Equal cards are counted again, so that a hand of hundreds is not read card by card for each face.
        before, after = squeeze(cards[:at]), squeeze(cards[at + 1 :])
        for i, face in enumerate(pack.faces[: pack.unknown]):
            if not i % LIGHT:
                budget.spend(1)
            other: Any = replace(event, **{name: (*before, face, *after)})
            again = run(other, state)
            if again is None or again.verdict != Verdict.BROKEN:
                return False
    return True


def won_in_words(state: State[Any]) -> str:
    """Say who won the match, as a clause; "" if no one did."""
    return (
        f", won by {state.terms.name(state.standing.winner)}" if state.ended == "won" and state.standing.winner else ""
    )


def table_finding(rule: str, text: str, placed: NumberedEvent, state: State[Any], at: int = 0) -> RuleQuestion:
    """The table's own finding about an act; `at` is the position of an earlier event that shows it."""
    return RuleQuestion("table", TABLE[rule], CheckResult(Verdict.BROKEN, text, at=at), placed, state, [])


def constant_answer(says: CheckResult) -> CheckResult:
    """Ask again about a fact: the answer does not depend on what comes later."""
    return says
