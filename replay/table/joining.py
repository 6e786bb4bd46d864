"""`join Timo`, `join Timo after B`, `leave Bea`: players who join or leave the table between two hands, as typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from events.errors import NotationError, UnreadableError
from events.model import Open
from events.tokens import Token
from events.visible_text import NAME, is_name
from reducers.model import State
from reducers.seating import joins, leaves, terms_with
from reducers.terms import Terms

JOIN, LEAVE, AFTER = "join", "leave", "after"


def coming_or_going(words: Sequence[Token], state: State[Any]) -> Open | None:
    """The event for the seating from the next hand on; None if these words are something else.

    Raises NotationError if the player is missing, or cannot join or leave.
    """
    word = words[0].text.lower()
    if word not in (JOIN, LEAVE):
        return None
    said = [one.text.strip('"') for one in words[1:]]
    behind = seat_named(said[-1], state) if word == JOIN and len(said) > 2 and said[-2].lower() == AFTER else ""
    name = " ".join(said[:-2] if behind else said)
    if word == JOIN and (not is_name(name) or "=" in name):
        raise NotationError(
            "it is not said who joins", column=words[0].column,
            expected=f"join Timo, or join Timo after {state.terms.seats[0]}; a name is {NAME}",
        )
    seat = seat_named(name, state)
    if word == LEAVE and not seat:
        raise NotationError(
            f"no player called {name} sits at this table" if name else "the line does not say who leaves",
            column=words[0].column, expected=f"leave {state.terms.seats[-1]}",
        )
    if word == JOIN and seat:
        raise NotationError(
            f"{name} sits at this table already", column=words[0].column, expected=f"another name, as {name} B",
        )
    event = joins(name, behind, state) if word == JOIN else leaves(seat, state)
    checked_terms(event, state, words[0].column)
    return event


def checked_terms(event: Open, state: State[Any], column: int) -> Terms:
    """The terms after an opening in mid-match. Raises NotationError if they are invalid."""
    try:
        return terms_with(event, state)
    except UnreadableError as error:
        what = f"{error.where}: {error.what}" if error.where else error.what
        raise NotationError(what, column=column, expected=error.expected, todo=error.todo) from None


def seat_named(who: str, state: State[Any]) -> str:
    """The seat with this letter, or with this player from the next hand on; empty if there is none."""
    terms = state.coming or state.terms
    return next((seat for seat in terms.seats if who.casefold() in (seat.casefold(), terms.name(seat).casefold())), "")
