"""Hands that may end before their last card: a side has enough tricks to win, or a player has lost at once.

The page's record of the hand keeps its `Tricks` as `trick`; `enough` is the number of tricks that win. `lost_by` is
the seat that lost the hand by its card or its word, `won` the side that has won it by later evidence. A page puts
`on_gathered_early` and `begin_after_a_decision` into its `on`, names `still_of_the_hand` as its
`belongs_to_finished_hand`, and calls `decide` after each card. Envite uses it.
"""

from __future__ import annotations

from typing import Any, Protocol

from events.model import Event, Hand, Move, Play
from reducers.evolve import finish_hand, new_hand, reopen_hand
from reducers.model import State
from reducers.words.tricks import Trick, Tricks, gathered_by, leaders_after, owner


class Decided(Protocol):
    """The part of a page's record of a hand that decides it."""

    enough: int
    lost_by: str
    trick: Tricks
    won: str


def side_with_enough(state: State[Any]) -> str:
    """The side that has enough tricks to win the hand; "" if none has, or if unknown. A lead shows that no side had
    enough, so it proves no trick that would have been enough."""
    hand: Decided = state.hand
    if hand.won or hand.trick.lost:
        return hand.won
    have: list[str] = []
    for trick in hand.trick.won:
        have.append(owner(trick, state.terms.side_of))
        if have[-1] and not trick.inferred and have.count(have[-1]) >= hand.enough:
            return have[-1]
    return ""


def decide(state: State[Any]) -> None:
    """End the hand if a player has lost it, or a side has enough tricks to win."""
    hand: Decided = state.hand
    if state.settled or hand.trick.lost:
        return
    if hand.lost_by or (len(hand.trick.won) >= hand.enough and side_with_enough(state)):
        finish_hand(state)


def on_gathered_early(move: Move, state: State[Any]) -> None:
    """Apply the table's word on who took a trick: it may decide the hand, or reopen it."""
    gathered_by(move, state)
    if not state.number:
        return
    hand: Decided = state.hand
    early = state.settled and len(hand.trick.won) < hand.trick.total and not (state.stop_reason or state.tallies)
    if early and hand.trick.won and hand.trick.won[-1].gathered and not (hand.lost_by or side_with_enough(state)):
        reopen_hand(state)
        state.phase, state.turn = "play", leaders_after(hand.trick.won[-1], state)
    decide(state)


def begin_after_a_decision(hand: Hand, state: State[Any]) -> None:
    """Begin the next hand. If the last one broke off after a trick that gave only one side enough, that side won."""
    if state.number and not state.settled and not state.hand.trick.plays and not state.hand.trick.lost:
        tricks: list[Trick] = state.hand.trick.won
        enough = [side for side in state.terms.sides if may_have(side, tricks, state) >= state.hand.enough]
        enough = [side for side in enough if may_have(side, tricks[-1:], state)]
        if len(enough) == 1:
            (state.hand.won,) = enough
            state.infer(
                f"the hand was over after {len(tricks)} tricks, so {state.hand.won} has won {state.hand.enough}"
            )
            finish_hand(state)
    new_hand(hand, state)


def may_have(side: str, tricks: list[Trick], state: State[Any]) -> int:
    """The most of these tricks that a side may have taken."""
    side_of = state.terms.side_of
    return sum(
        side in (mine,) if (mine := owner(t, side_of)) else any(side_of[w] == side for w in t.winners) for t in tricks
    )


# -- play after the decision ------------------------------------------------------------------------------------------


def still_of_the_hand(state: State[Any], act: Event) -> bool:
    """True if an act after the decision still belongs to the hand: a card that the table plays on with, from a hand
    that may have it. If trumps are unknown, only a player who is due and does not lead the next hand plays on."""
    if not state.number or not state.settled or state.stop_reason or state.tallies:
        return False
    hand: Decided = state.hand
    if not isinstance(act, Play) or act.by not in state.terms.seats:
        return False
    held, code = state.holding(act.by), state.code(act.cards)
    if not len(held) or not held.may_leave(code):
        return False
    if state.played_on or (
        not hand.trick.blind and code < state.game.pack.unknown and held.certain & state.game.pack.field[code]
    ):
        return True
    begins = state.terms.after(state.game.dealing.next_dealer(state))
    is_due = act.by in due(state)
    return act.by != begins and is_due if hand.trick.blind else act.by != begins or is_due


def due(state: State[Any]) -> tuple[str, ...]:
    """The seats that would play next if the decided hand went on."""
    tricks: Tricks = state.hand.trick
    if not tricks.plays:
        return tricks.won[-1].winners if tricks.won else ()
    return tricks.next[tricks.plays[-1][0]]


def played_on(play: Play, state: State[Any]) -> bool:
    """True if a card is played on in a decided hand: it leaves its holding, without other effect."""
    if not (state.settled and still_of_the_hand(state, play)):
        return False
    state.played_on = True
    state.table.move_one(state.code(play.cards), state.holding(play.by), state.table.row("trick"))
    return True
