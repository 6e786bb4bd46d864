"""Ask a rule about an act once for each way in which the unseen cards of its tricks can lie.

A check is written for cards that were seen, and leaves the rest open. Its answer for every card that an unseen one
can have been is certain: broken in all is broken, broken in none is allowed, and the rest stays open. An unseen card
can be any that its player may have held by what was seen until then, and that is nowhere else by now; proofs from
later events apply. No state is copied, and if all cards were seen nothing is asked again.
"""

from __future__ import annotations

from collections.abc import Generator
from itertools import product
from math import prod
from typing import Any

from msgspec.structs import replace

from events.model import Play
from events.name_lists import one_of
from reducers.model import State
from reducers.rules import CheckFunction, CheckResult, Verdict, unknown
from reducers.words.tricks import Tricks, tricks_in
from replay.judging.rule_questions import as_it_may_have_been

MOST_WAYS = 240
"""A rule is asked again if the unseen cards have at most this many possibilities."""
MOST_TEXTS = 3
"""Most different texts of a rule that are quoted."""


def answer_in_each_way(
    run: CheckFunction, event: Any, state: State[Any], says: CheckResult | None = None, *, trick: bool = True,
) -> CheckResult | None:
    """Run a check on an act for all its possible unseen cards; it `says` this of the act as it was seen, if known.
    Without `trick`, the unseen cards of the trick stay unseen: if the record contradicts itself, the rest of the pack
    proves nothing about them."""
    says = run(event, state) if says is None else says
    if says is None or says.verdict != Verdict.OPEN or not has_unseen(event, state):
        return says
    answers: list[CheckResult] = []
    allowed = False
    ways = each_way(event, state, trick=trick)
    for act in ways:
        answer = run(act, state)
        if answer is None:
            allowed = True
        elif answer.verdict == Verdict.BROKEN:
            answers.append(answer)
        if (answer is not None and answer.verdict == Verdict.OPEN) or (allowed and answers):
            ways.close()
            # No single pile decides it: more knowledge of the trick would, too.
            return unknown(says.text, at=says.at, told=says.told, or_at=says.or_at)
    if answers:
        return broken_in_all(answers, state)
    return None if allowed else unknown(says.text, at=says.at, told=says.told, or_at=says.or_at)


def has_unseen(event: Any, state: State[Any]) -> bool:
    """True if this is a card played to a trick, and it or a card of the trick was not seen."""
    tricks = tricks_in(state.hand) if isinstance(event, Play) else None
    unknown_code = state.game.pack.unknown
    return tricks is not None and (
        any("?" in card for card in event.cards) or any(code >= unknown_code for _, code in tricks.plays)
    )


def broken_in_all(answers: list[CheckResult], state: State[Any]) -> CheckResult:
    """The answer for an act that is broken for all its possible unseen cards, with the cards that prove it each time.
    """
    first, cards = answers[0], answers[0].cards
    for other in answers[1:]:
        alike = other.holder == first.holder and not other.together and not first.together
        cards = cards if other.cards == cards else cards & other.cards if alike and state.game.pack.single else 0
    texts = list(dict.fromkeys(answer.text for answer in answers))
    text = (
        one_of(texts[:MOST_TEXTS]) if len(texts) <= MOST_TEXTS
        else f"{texts[0]}; the same holds for every other card it may be"
    )
    return replace(first, text=text, cards=cards, holder=first.holder if cards else "")


def each_way(event: Any, state: State[Any], *, trick: bool = True) -> Generator[Any, None, None]:
    """Yield the act with each possible card for its unseen one, while the unseen cards of the trick are set to each
    of theirs. Yields nothing if there are too many ways or no card fits. Restores the table at the end."""
    tricks: Tricks = state.hand.trick
    table, pack, pile = state.table, state.game.pack, state.holding(event.by)
    acts = as_it_may_have_been(event, state)
    places = [i for i, (_, code) in enumerate(tricks.plays) if code >= pack.unknown] if trick else []
    cards = [tricks.may_have_been(place) for place in places]
    if len(acts) * prod(map(len, cards)) > MOST_WAYS:
        return
    free, plays, located, later, held_later = table.free(), list(tricks.plays), table.located, table.later, pile.later
    kept = tricks.led, tricks.strength, tricks.values, tricks.best, tricks.ahead, tricks.doubt
    try:
        for codes in product(*cards):
            if pack.single and len(set(codes)) < len(codes):
                continue
            table.located = located + sum(
                [pack.unit[code] for code in codes if pack.field[code] & free and pack.single]
            )
            for place, code in zip(places, codes, strict=True):
                tricks.plays[place] = (plays[place][0], code)
            if places:
                tricks.rank_by(tricks.power)
            for card, act in acts:
                if pack.single and any(pack.unit[code] == card for code in codes):
                    continue
                more = card & ~pile.known & ~held_later if pack.single and pile.row is None else 0
                pile.later, table.later = held_later + more, later + more
                yield act
            pile.later, table.later = held_later, later
    finally:
        tricks.plays[:] = plays
        tricks.led, tricks.strength, tricks.values, tricks.best, tricks.ahead, tricks.doubt = kept
        table.located, table.later, pile.later = located, later, held_later
