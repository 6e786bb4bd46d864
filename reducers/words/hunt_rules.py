"""The rules of hunts: which rank is called, who plays what, and where the cards go (`reducers.words.hunts`).

The game is Dingo.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeAlias

from msgspec.structs import replace

from events.cards import one_by_one, pretty, pretty_all
from events.model import Event, Fault, Move, Name, Pass, Play, Show
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.words.called_card import seen_in_pile
from reducers.words.deals import WHO_DEALS
from reducers.words.hunts import LAST, Roles, begins_a_hunt, ends_by_a_line, goes_where_it_belongs, held
from reducers.words.passing import GONE_BY

# -- the rank ---------------------------------------------------------------------------------------------------------


def why_hunt_unknown(state: State[Any]) -> CheckResult | None:
    """An open answer if it is unknown which hunt is on; else None."""
    if state.hand.gap:
        return unknown(GONE_BY)
    return unknown("a card of the hunt was not seen") if state.hand.dark else None


def held_back(state: State[Any]) -> CheckResult | None:
    """Finding about a hunt that goes on without the dingo that was called; None if that dingo is out of play."""
    roles: Roles = state.hand.roles
    dingo = roles.dingos[state.hand.hunt]
    who, has = held(dingo, state)
    if has is False:
        return None
    if who:
        text = f"{who} holds the {roles.shown(dingo)} that was called, and has not played it"
        return broken(text, roles.pack.field[dingo], who, by=who)
    return unknown(f"whether a player holds the {roles.shown(dingo)} that was called; the final hands will show it")


def skipped(upto: int, state: State[Any]) -> CheckResult | None:
    """Finding about a rank hunted before the one due. The call of a discarded dingo may be unrecorded."""
    roles: Roles = state.hand.roles
    for dingo in roles.dingos[state.hand.next : upto]:
        who, has = held(dingo, state)
        if has:
            text = f"the {roles.said[state.hand.next]} is hunted next, and the {roles.shown(dingo)} is with {who}"
            return broken(text, roles.pack.field[dingo], who)
        if has is None:
            return unknown(f"whether the {roles.shown(dingo)} was thrown; a call may be missing from the record")
    return None


def ranks_are_called_in_order(name: Name, state: State[Any]) -> CheckResult | None:
    """The dealer calls one rank after the other."""
    hand, roles = state.hand, state.hand.roles
    place = roles.called(name.what)
    if place < 0:
        return broken(f"a rank is called, from {roles.said[0]} to {roles.said[-1]}")
    if dark := why_hunt_unknown(state):
        return dark
    if name.by != state.dealer:
        return unknown(WHO_DEALS) if state.dealer_is_guess else broken(f"{state.dealer} has dealt and calls the ranks")
    if place == hand.hunt and state.phase == "dingo":
        return None
    if place <= hand.hunt:
        over = f"the {roles.said[place]} was hunted already"
        return broken(f"{roles.last_hunt} is the last" if hand.is_last else over)
    return skipped(place, state)


def the_dingo_comes_before_the_next_call(name: Name, state: State[Any]) -> CheckResult | None:
    """The next rank is not called before the dingo of the last one has been played."""
    if (dark := why_hunt_unknown(state)) or state.phase != "dingo":
        return dark
    return None if state.hand.roles.called(name.what) == state.hand.hunt else held_back(state)


Judge: TypeAlias = Callable[[Any, State[Any]], CheckResult | None]


# -- plays ------------------------------------------------------------------------------------------------------------


def in_any_hunt(judge: Judge) -> Judge:
    """Apply a check of a card to each card that an unseen one may have been."""

    @wraps(judge)
    def asked(play: Play, state: State[Any]) -> CheckResult | None:
        pack = state.game.pack
        code = state.code(play.cards)
        if dark := why_hunt_unknown(state):
            return dark
        if code < pack.unknown or len(one_by_one(play.cards)) != 1:
            return judge(play, state)
        may_be = pack.cards(state.holding(play.by).may_leave(code))
        said = [judge(replace(play, cards=(card,)), state) for card in may_be]
        if not any(said):
            return None
        broken_by_all = all(s is not None and s.verdict == "broken" for s in said)
        return said[0] if broken_by_all else unknown("the card was not seen")

    return asked


def codes_in(play: Play, state: State[Any]) -> list[int]:
    """The codes of the cards of a play, in order."""
    pack = state.game.pack
    return [pack.code.get(card, pack.unknown) for card in one_by_one(play.cards)]


def plainly_in_order(play: Play, state: State[Any]) -> bool:
    """True if no rule can object: the dingo that was called or is next, or a wolf by a seat with a turn."""
    hand, roles, code = state.hand, state.hand.roles, state.code(play.cards)
    if hand.dark or hand.gap or code >= roles.pack.unknown:
        return False
    if state.phase == "hunt":
        return code in roles.wolves[hand.hunt] and play.by in hand.left
    if state.phase == "calling":
        return not hand.is_last and code == roles.dingos[hand.next]
    return state.phase == "dingo" and bool(code == roles.dingos[hand.hunt])


@in_any_hunt
def no_rank_is_left_out(play: Play, state: State[Any]) -> CheckResult | None:
    """A dingo is not played without its call."""
    code = codes_in(play, state)[0]
    return skipped(state.hand.roles.place(code), state) if begins_a_hunt(code, state) else None


@in_any_hunt
def the_dingo_is_played_at_once(play: Play, state: State[Any]) -> CheckResult | None:
    """The player who holds the dingo that was called plays it, and nothing else."""
    hand, roles, code = state.hand, state.hand.roles, codes_in(play, state)[0]
    called = state.phase == "dingo" and code == roles.dingos[hand.hunt]
    if code in roles.dingos and not called and not begins_a_hunt(code, state):
        return broken(f"the {roles.shown(code)} had to be played when its rank was called")
    if called or state.phase != "dingo":
        return None
    if begins_a_hunt(code, state):
        return held_back(state)
    dingo = roles.dingos[hand.hunt]
    has = state.holding(play.by).any_of(roles.pack.field[dingo])
    if has:
        return broken(f"{play.by} holds the {roles.shown(dingo)} that was called", roles.pack.field[dingo], play.by)
    return unknown(f"whether {play.by} holds the {roles.shown(dingo)}") if has is None else None


def out_of_its_turn(act: Event, state: State[Any]) -> CheckResult | None:
    """Finding about a seat without a turn in a hunt; None if it has. Seats before it may have passed silently."""
    hand = state.hand
    if act.by in hand.left or (act.by == hand.lately and isinstance(act, Play)):
        return None
    if act.by == hand.dingo and not hand.is_last:
        return broken(f"{act.by} played the dingo, and adds no wolf")
    return broken(f"{act.by} has already had a turn in this hunt")


@in_any_hunt
def wolves_in_turn(play: Play, state: State[Any]) -> CheckResult | None:
    """The others add wolves of the rank that is hunted, each in turn: one of them, and in the last hunt several."""
    hand, roles, codes = state.hand, state.hand.roles, codes_in(play, state)
    last, unseen = state.phase in LAST, roles.pack.unknown
    if len(codes) != 1 and not last:
        return broken("one card is played at a time")
    if not last and (codes[0] == roles.rabbit or codes[0] in roles.dingos or codes[0] >= unseen):
        return None
    if state.phase in ("calling", "dingo"):
        place = roles.place(codes[0])
        if place <= hand.hunt - (state.phase == "dingo"):
            return broken(f"the hunt of the {roles.said[place]} is over")
        return broken(f"no wolf before the dingo: the {roles.shown(roles.dingos[place])} comes first")
    for code in codes:
        if code not in roles.wolves[hand.hunt] and code < unseen and not (last and code == roles.rabbit):
            return broken(f"the {roles.said[hand.hunt]} is hunted, and the {roles.shown(code)} is not its wolf")
    return out_of_its_turn(play, state) or (unknown("a card was not seen") if max(codes) >= unseen else None)


def who_may_pass(act: Pass, state: State[Any]) -> CheckResult | None:
    """A player with a turn in a hunt may pass; no pass is needed after the last wolf."""
    if dark := why_hunt_unknown(state):
        return dark
    if state.phase == "dingo":
        roles: Roles = state.hand.roles
        return broken(f"the {roles.shown(roles.dingos[state.hand.hunt])} was called and must be played first")
    if state.phase == "calling":
        return None if act.by in state.hand.spared else broken("no hunt is on now")
    return None if act.by == state.hand.lately else out_of_its_turn(act, state)


@in_any_hunt
def the_rabbit_after_all_wolves(play: Play, state: State[Any]) -> CheckResult | None:
    """The rabbit of the last hunt comes after all wolves, perhaps in the same turn."""
    roles, codes = state.hand.roles, codes_in(play, state)
    if roles.rabbit not in codes:
        return None if max(codes) < roles.pack.unknown else unknown("a card was not seen")
    rabbit, wolves = roles.shown(roles.rabbit), roles.wolves[-1]
    if state.phase not in LAST:
        return broken(f"the {rabbit} is played in {roles.last_hunt}, after the dingo")
    out = len(state.hand.sent)
    for code in codes[: codes.index(roles.rabbit)]:
        if code >= roles.pack.unknown:
            return unknown("a card was not seen")
        out += code in wolves
    if out < len(wolves):
        which = " and the ".join(map(roles.shown, wolves))
        return broken(f"the {rabbit} is played after the {which}, and {'only one' if out else 'none'} is out")
    return None


def denied_in_the_last_hunt(word: str, right: str, *, of_the_dingo: bool = False) -> Judge:
    """A check that the table does not deny a `right` of the last hunt, of all players or of the dingo's player."""

    def denied(fault: Fault, state: State[Any]) -> CheckResult | None:
        if fault.word != word or not state.number or not state.hand.is_last:
            return None
        who: str = state.hand.dingo if of_the_dingo else ""
        if of_the_dingo and fault.who not in ("", who):
            return None
        return broken(f"{who or 'the player of the dingo'} {right}" if of_the_dingo else right)

    return denied


def no_dingo_is_left(show: Show, state: State[Any]) -> CheckResult | None:
    """No dingo is left in a hand that is laid open after the last hunt."""
    if not state.number or not (state.hand.over or state.phase in LAST):
        return None
    roles: Roles = state.hand.roles
    left = [c for group in show.groups for c in group if roles.pack.code.get(c, roles.pack.unknown) in roles.dingos]
    who = show.src.removeprefix("hand:") or show.by
    if not left or who not in state.terms.seats:
        return None
    return broken(f"{who} has the {pretty_all(left)} left and forfeits the game")


def each_card_goes_where_it_belongs(move: Move, state: State[Any]) -> CheckResult | None:
    """A recorded move to a pile goes to the right one."""
    if not goes_where_it_belongs(move, state):
        return None
    if dark := why_hunt_unknown(state):
        return dark
    pack, then = state.game.pack, state.copy()
    ends_by_a_line(then)
    for card in move.cards:
        field = pack.field[pack.code[card]] if card in pack.faces else 0
        there = next((name for name, pile in then.table.piles.items() if seen_in_pile(pile) & field), "")
        kind, _, owner = there.partition(":")
        if kind in ("won", "penalty") and there != move.to:
            return broken(f"the {pretty(card)} goes to {owner}{', as a penalty' if kind == 'penalty' else ''}")
        if kind == "dead" and move.to not in ("dead", "discard"):
            return broken(f"the {pretty(card)} counts for no player")
    return None
