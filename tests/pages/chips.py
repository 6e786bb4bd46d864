"""Chips: a page of the tests that is a score pad for a game with chips; each begins with a hundred, and in the end
they settle."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace
from pages.registering import in_the_registry

from reducers.games import pad
from reducers.page import Standing, player_columns, settlement_sheet

KEY = "chips"

GAME = replace(
    pad.GAME, key=KEY, name="Chips", sheet=settlement_sheet(player_columns()),
    match=replace(pad.GAME.match, new_match=lambda terms: Standing(dict.fromkeys(terms.sides, 100))),
)  # fmt: skip

registered = partial(in_the_registry, KEY, __name__)
"""The page is in the registry while this lasts; its key."""

__all__ = ["GAME", "KEY", "registered"]
