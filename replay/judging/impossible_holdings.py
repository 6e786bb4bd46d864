"""Find acts of one seat that no holding allows together, when its possible holdings are too many to try.

A seat that plays off suit breaks a rule if it held the suit; if it takes the card back it breaks one if it did not.
Each is open on its own, but one of them is broken. So each open question about a holding is asked once for every card
that the seat may hold: would the card break the rule, or is it needed to keep the rule? A holding that keeps all the
rules has none of the first and, for each question, one of the second. If no holding does, one of the charges is
certain.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from events.cards import Pack
from reducers.known_cards import Pile
from reducers.rules import CheckResult, Verdict
from replay.judging.rule_questions import RuleQuestion

Charge = tuple[int, str]


class Demand(Struct):
    """What an open question demands of a seat's unseen cards: none of `without`, and one of `needs` unless that is
    empty.

    `free` are the cards that may be among the `hidden` ones, which have been there `since` a step.
    """

    charge: Charge
    pile: str
    hidden: int
    since: int
    free: int
    without: int = 0
    needs: int = 0


def demand_of(said: RuleQuestion) -> Demand | None:
    """Return the demand of an open question on its holding; None if it makes none."""
    table = said.state.table
    pile = said.says.about or table.piles.get(said.placed.event.by)
    if pile is None or pile.row is not None or pile.vague or pile.hidden <= 0 or pile.name not in table.piles:
        return None
    pack, free = table.pack, table.free()
    one = Demand(
        (said.placed.n, f"{said.owner}.{said.rule.id}"), pile.name, pile.hidden, table.since.get(pile.name, 0), free,
    )
    for code in dict.fromkeys(pack.codes(free)):
        says = asked_with(said, pile, pack.unit[code], 0)
        if says is None:
            one.needs |= pack.field[code]
        elif says.verdict == Verdict.BROKEN:
            one.without |= pack.field[code]
    if one.needs:
        # These cards are needed only if the rule is broken without all of them.
        says = asked_with(said, pile, 0, free & one.needs)
        if says is None or says.verdict != Verdict.BROKEN:
            one.needs = 0
    return one if one.without or one.needs else None


def asked_with(said: RuleQuestion, pile: Pile, held: int, elsewhere: int) -> CheckResult | None:
    """Ask the rule again, supposing that these cards (bags) are in the pile, or elsewhere."""
    table = pile.table
    before = pile.later, table.later, table.located
    try:
        pile.later, table.later, table.located = pile.later + held, table.later + held, table.located + elsewhere
        return said.ask()
    finally:
        pile.later, table.later, table.located = before


def one_is_broken(demands: Iterable[Demand], pack: Pack) -> tuple[Charge, ...]:
    """Return a minimal set of charges one of which is certain, in order; empty if a holding may keep all the rules."""
    alike: dict[tuple[str, int, int], list[Demand]] = {}
    for demand in demands:
        alike.setdefault((demand.pile, demand.hidden, demand.since), []).append(demand)
    for some in alike.values():
        if len({d.charge[0] for d in some}) < 2 or may_be_kept(some, pack):
            continue
        for demand in reversed(list(some)):
            rest = [d for d in some if d is not demand]
            if not may_be_kept(rest, pack):
                some = rest
        return tuple(sorted({d.charge for d in some}))
    return ()


def may_be_kept(demands: Sequence[Demand], pack: Pack) -> bool:
    """True if a holding may meet all demands, or if checking them one by one cannot exclude it."""
    if not demands:
        return True
    left = -1
    for demand in demands:
        left &= demand.free & ~demand.without
    return pack.count(left) >= demands[0].hidden and all(left & d.needs for d in demands if d.needs)
