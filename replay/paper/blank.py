"""A pad to print and fill in by hand: its columns are in the order in which a result is typed afterwards."""

from __future__ import annotations

from collections.abc import Iterator

from events.errors import UsageError
from reducers.first_state import begin
from reducers.registry import find_game
from reducers.sheet import Block, Cell, Column, Head, Sheet, SheetRow, SheetSide
from reducers.terms import Terms
from replay.table.result_line import asked_facts, usage

ROWS = 18
"""The hands on a pad."""
_OF = " of "


def blank(game: str, players: int = 0) -> Sheet:
    """The pad of a game, for the usual number of players or the given one. Raises NotFoundError, and UsageError for a
    number of players that the game does not have."""
    page = find_game(game)
    facts: dict[str, object] = {"Game": page.key}
    if players:
        sizes = page.seating.sizes
        if players not in sizes:
            raise UsageError(f"{page.name} is not for {players} players", expected=page.seating.in_words)
        facts["Seats"] = " ".join(sizes[players])
    state = begin(facts)
    called = dict(zip(state.terms.sides, sides_on_a_pad(state.terms), strict=True))
    heads = ["hand", *(column_head(one.called, state.terms, called) for one in asked_facts(state, {}))]
    totals = list(called.values())
    rows = tuple(SheetRow((Cell(str(n)), *(Cell("") for _ in (*heads[1:], *totals)))) for n in range(1, ROWS + 1))
    columns = (*heads, *(f"{name} in all" for name in totals))
    sides = tuple(SheetSide("", "") for _ in called)
    remark = f"In the order of the line that tells a hand afterwards: {usage(state)}"
    head = Head(page.name, sides=sides)
    return Sheet(page.name, (("Game", page.name),), (Block("Score", columns, rows, tuple(map(Column, columns))),), (remark,), head=head)


def sides_on_a_pad(terms: Terms) -> Iterator[str]:
    """The names of the sides on a pad, before the players are known: we and they, or the seats."""
    if len(terms.sides) == 2 and all(len(seats) > 1 for seats in terms.sides.values()):
        return iter(("we", "they"))
    return iter(terms.sides)


def column_head(asked_for: str, terms: Terms, called: dict[str, str]) -> str:
    """The head of a column: the fact and its side.

    >>> terms = begin({"Game": "burraco"}).terms
    >>> column_head("clean of N & S", terms, {"NS": "we", "EW": "they"})
    'clean, we'
    """
    what, _, who = asked_for.partition(_OF)
    names = {terms.name(side): name for side, name in called.items()}
    return f"{what}, {names[who]}" if who in names else asked_for


__all__ = ["blank"]
