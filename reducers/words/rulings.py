"""Transfers by a ruling, or by a penalty of the rules: whole tricks, tricks by number, single cards.

These change the record of a hand that is scored again; the log is never touched. Each function returns sentences about
what could not be done, none if all was.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from events.cards import pretty
from events.model import Facts
from reducers.model import State
from reducers.scoring import Points, plus
from reducers.terms import Terms, side_named
from reducers.words.tricks import Trick


def trick_winners_as_ruled(facts: Facts, tricks: list[Trick], state: State[Any]) -> list[str]:
    """`trick.3=EW`: the third trick counts as gathered by that side, whether it was recorded in cards or in a tally."""
    said: list[str] = []
    given = facts.get("trick")
    told = {k: v for t in state.tallies if isinstance(t.get("trick"), dict) for k, v in t["trick"].items()}
    for number, who in (given.items() if isinstance(given, dict) else ()):
        side, i = side_named(who, state.terms), int(number) if str(number).isdigit() else 0
        if not side:
            continue
        if str(number) in told:
            told[str(number)] = side
            state.tallies = [*state.tallies, {"trick": dict(told)}]
        elif 1 <= i <= len(tricks):
            tricks[i - 1] = replace(tricks[i - 1], gathered=side)
        else:
            said.append(f"the record of the hand has no trick {number}")
    return said


def tricks_as_ruled(facts: Facts, tricks: Points, terms: Terms, key: str = "tricks") -> Points:
    """`tricks.NS=1 tricks.EW=-1`: the number of tricks of each side after the transfer.

    >>> from reducers.model import Terms
    >>> terms = Terms(("N", "E"), {"N": ("N",), "E": ("E",)}, {"N": "N", "E": "E"}, {}, None, "E", {})
    >>> tricks_as_ruled({"tricks": {"N": 1, "E": -1}}, {"N": 5, "E": 3}, terms)
    {'N': 6, 'E': 2}
    """
    out = dict(tricks)
    given = facts.get(key)
    for who, n in (given.items() if isinstance(given, dict) else ()):
        side = side_named(who, terms)
        if side and isinstance(n, int):
            out[side] = plus(out.get(side), n)
    return out


def cards_over(facts: Facts, state: State[Any], pile: str = "won:") -> list[str]:
    """`cards.A=7d,Kd`: these cards count as taken by that side, whatever their pile."""
    said: list[str] = []
    given = facts.get("cards")
    pack, table = state.game.pack, state.table
    for who, named in (given.items() if isinstance(given, Mapping) else ()):
        side = side_named(who, state.terms)
        for card in named if isinstance(named, list | tuple) else (named,):
            code = pack.code.get(str(card), pack.unknown)
            if not side or code >= pack.unknown:
                continue
            src = next((p for p in table.piles.values() if p.certain & pack.field[code]), None)
            if src is None:
                said.append(f"the place of the {pretty(str(card))} is unknown")
            elif src.name != pile + side:
                table.move_one(code, src, table.row(pile + side))
    return said
