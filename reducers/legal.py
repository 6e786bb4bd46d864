"""The legal acts: the checks of each phase, the acts of a game, and the acts that no check rejects."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from msgspec import Struct

from events.model import (
    ABOUT,
    Capture,
    Deal,
    Discard,
    Draw,
    End,
    Event,
    Gap,
    Hand,
    Meld,
    Move,
    Open,
    Pay,
    Play,
    Show,
    Shuffle,
    Tally,
)
from reducers.model import State
from reducers.piles import BY_NAME
from reducers.registry import find_game
from reducers.rules import Check
from reducers.terms import hand_of

# Events that belong to another hand, once one is over.
ANOTHER_HAND: frozenset[type[Event]] = frozenset((Hand, Deal, Shuffle))


# Events that may be written at any time: they are about the log, the score or the frame of the hand, not its order.
ANY_TIME: frozenset[type[Event]] = frozenset((Open, Hand, Deal, End, Tally, Show, Move, Pay, Shuffle, Gap, *ABOUT))


# Events that move or show cards on the table: before the first hand there are none, and no rule applies.
ON_THE_TABLE: frozenset[type[Event]] = frozenset((Move, Show))


@cache
def plans(key: str) -> dict[str, dict[type[Event], tuple[Check, ...]]]:
    """The checks that judge each type of act, by phase of a game."""
    game = find_game(key)
    table: dict[str, dict[type[Event], tuple[Check, ...]]] = {}
    for name in (*game.phases, "between", "over"):
        acts = set(game.phases[name].acts) if name in game.phases else set()
        asked = [c for c in game.rules.checks if not c.when or name in c.when]
        table[name] = {t: tuple(c for c in asked if t in c.on) for t in acts | ANY_TIME}
    return table


@cache
def acts_of(key: str) -> frozenset[type[Event]]:
    """The types of event that are acts of play in some phase of a game."""
    return frozenset(t for phase in find_game(key).phases.values() for t in phase.acts)


# Events that take cards from a pile, and those that may also lay them on one.
FROM_A_PILE: frozenset[type[Event]] = frozenset((Capture, Deal, Discard, Draw, Meld, Move, Play, Show, Shuffle))
ONTO_A_PILE: frozenset[type[Event]] = frozenset((Meld, Move, Shuffle))


ANY_TABLE = ("hand", "stock", "discard", "dead", "won")
"""Piles that any table may have."""


@cache
def pile_words(key: str) -> frozenset[str]:
    """The words for piles of a game: those of any table, and those that its page declares, deals to or plays with. A
    page that lays its own table and does not name its piles may use all that are known."""
    game, acts = find_game(key), acts_of(key)
    deal, names = game.dealing.deal, [*ANY_TABLE, *game.display.piles]
    names += ["meld"] * (Meld in acts) + ["trick"] * (game.family == "tricks")
    if deal is not None:
        names += [*deal.empty, *(pile for part in deal.then for pile in part.piles), *["upcard"] * deal.last_up]
    else:
        names += BY_NAME if game.dealing.own_piles is None else game.dealing.own_piles
    return frozenset(name.partition(":")[0] for name in names)


@lru_cache(maxsize=4096)
def unknown_word(name: str, key: str) -> str:
    """The word in the name of a pile, if this game has no such piles; empty otherwise."""
    word = name.removeprefix("hand:").rstrip("_").partition(":")[0]
    return word if word[:1].islower() and word not in pile_words(key) else ""


def unknown_pile(event: Event, state: State[Any]) -> str:
    """The word in an act that stands for a pile but is not known in this game; empty if there is none.

    >>> from reducers.first_state import begin
    >>> state = begin({"Game": "burraco"})
    >>> [unknown_pile(Draw(by="N", cards=("4d",), src=pile), state) for pile in ("discrad", "widow", "discard", "")]
    ['discrad', 'widow', '', '']
    """
    kind = type(event)
    if kind not in FROM_A_PILE:
        return ""
    word = unknown_word(name, state.game.key) if (name := getattr(event, "src", "")) else ""
    if not word and kind in ONTO_A_PILE and (name := getattr(event, "to", "")):
        word = unknown_word(name, state.game.key)
    there = word and (word in state.terms.side_of or any(pile.partition(":")[0] == word for pile in state.table.piles))
    return "" if there else word


def changes_hands(move: Event, state: State[Any]) -> bool:
    """True if a card goes from one hand to another."""
    seats = state.terms.seats
    return type(move) is Move and move.by in seats and move.src in ("", hand_of(move.by)) and (
        move.to.removeprefix("hand:") in seats
    )


def begins_unwritten(event: Event, state: State[Any]) -> bool:
    """True if this act is the first of a hand without a hand line. Acts that a page lists for the phase `between` are
    about the hand that is over, if there was one, and begin none; nor do acts that still belong to that hand."""
    if state.ended or (state.phase != "between" and not isinstance(event, Show | Move)):
        return False
    of_its_hand = isinstance(event, Show | Move) and event.by in state.terms.seats and event.src in (
        "", hand_of(event.by),
    )
    # A seat with no card left shows or moves one of the next hand.
    gets_cards = not state.game.dealing.no_hands if state.number else state.game.dealing.deal is not None
    none_left = of_its_hand and state.settled and gets_cards and not len(state.holding(event.by))
    if state.phase != "between" and not none_left:
        return False
    # If the dealer is known, no cards are drawn for the deal: cards a seat shows or moves belong to its hand.
    of_a_hand = none_left or (
        of_its_hand and not state.number and ("Dealer" in state.terms.facts or changes_hands(event, state))
    )
    belongs_to_finished_hand = state.game.omissions.belongs_to_finished_hand
    if not (of_a_hand or type(event) in acts_of(state.game.key)) or belongs_to_finished_hand(state, event):
        return False
    after = state.game.phases.get("between")
    return after is None or type(event) not in (after.acts if state.number else after.early)


def objections(state: State[Any], event: Event) -> Iterator[Any]:
    """Yield every objection to the act in this position, as rule and answer. An objection about an earlier act of
    another seat is left out, as it is no fault of this act."""
    if state.hand is None and type(event) in ON_THE_TABLE:
        return
    for check in plans(state.game.key)[state.phase].get(type(event), ()):
        says = check.run(event, state)
        if says is not None and not (says.at and says.by not in ("", event.by)):
            yield check.rule, says


class Legal(Struct, frozen=True):
    """The legal acts: the seats that may act, the acts known to be possible, and whether these are all."""

    seats: tuple[str, ...]
    acts: tuple[Event, ...]
    complete: bool


def legal(state: State[Any], limit: int | None = None) -> Legal:
    """The seats that may act and their legal acts, by the same checks that judge a log.

    Acts with cards that are only possibly held are left out, and then `complete` is False. At most `limit` acts are
    listed (default: the page's `most_acts`).
    """
    acts: list[Event] = []
    limit = state.game.simulation.most_acts if limit is None else limit
    complete = all(state.game.simulation.knows_all_choices(state, s) for s in state.turn if s in state.terms.seats)
    for event in state.game.simulation.candidates(state) if state.number else ():
        if len(acts) >= limit:
            complete = False
            break
        if not any(says.verdict == "broken" for _, says in objections(state, event)):
            acts.append(event)
    return Legal(state.turn, tuple(acts), complete)
