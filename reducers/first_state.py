"""The terms of a match from the facts of its opening, and the state in which it begins."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec

from events.cards import Pack
from events.errors import UnreadableError
from events.model import Facts
from events.packs import FRENCH, PACKS
from reducers.model import Game, State
from reducers.registry import NOT_INSTALLED, find_game, page_for
from reducers.terms import Terms, called_by, sides_told


def terms_of(game: Game, facts: Facts) -> Terms:
    """The terms of a match from the facts of its opening.

    Raises UnreadableError naming the tag that is wrong, what was expected and what to do.
    """
    sizes = game.seating.sizes
    seats = _seats(game, facts)
    usual = dict(zip(sizes[len(seats)], seats, strict=True))
    # The house rules of a game that is not installed are unknown; a stand-in is called like the game.
    told = {
        "title": game.key.removesuffix(NOT_INSTALLED)[:40], "sides": str(facts.get("Sides", "")),
    } if game.key.endswith(NOT_INSTALLED) else facts.get("Option", {})
    options = _options(game, told)
    sides = _agreed_sides(options, seats) or {
        "".join(usual[s] for s in members) if name == "".join(members) else name: tuple(usual[s] for s in members)
        for name, members in game.seating.sides[len(seats)].items()
    }
    dealer = str(facts.get("Dealer", seats[-1]))
    if dealer not in seats:
        raise _wrong_tag("Dealer", f"'{dealer}' is not a seat of this match", f"one of {', '.join(seats)}")
    side_of = {s: side for side, members in sides.items() for s in members}
    _captains_named(options, side_of)
    if str(facts.get("Pack", FRENCH.name)) not in PACKS:
        raise _wrong_tag("Pack", f"'{facts['Pack']}' is not a pack", f"one of {', '.join(PACKS)}")
    names = {s: str(facts[s]) for s in (*seats, *sides) if s in facts}
    way = -1 if game.dealing.counter_clockwise(options) else 1
    return Terms(
        seats=seats,
        sides=sides,
        side_of=side_of,
        names=names,
        options=options,
        dealer=dealer,
        facts=facts,
        next={s: (seats[(i + way) % len(seats)],) for i, s in enumerate(seats)},
        called=called_by(sides, names),
        way=way,
    )


def _wrong_tag(tag: str, what: str, expected: str) -> UnreadableError:
    return UnreadableError(what, where=f"tag {tag}", expected=expected, todo="Correct the tag block and read it again.")


def _seats(game: Game, facts: Facts) -> tuple[str, ...]:
    """The seats of the table, clockwise; those of the smallest table if none are named."""
    given = facts.get("Seats")
    if given is None:
        return game.seating.usual
    seats = tuple(str(given).split())
    if len(set(seats)) != len(seats) or not all(
        s.isalnum() and s.isascii() and s[:1].isupper() and s == s.upper() for s in seats
    ):
        raise _wrong_tag("Seats", f"'{given}' is not a list of different seats", "seats like 'N E S W', clockwise")
    if len(seats) not in game.seating.sizes:
        raise _wrong_tag("Seats", f"{game.name} is not played by {len(seats)}", f"{game.seating.in_words} seats")
    return seats


def _agreed_sides(options: Any, seats: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The sides that the table agreed on, in a game with an option for it; {} without one."""
    told = getattr(options, "sides", "")
    try:
        return sides_told(told, seats) if told else {}
    except ValueError as e:
        raise _wrong_tag("Option.sides", str(e), f"every seat once, as in '{' '.join(seats)}'") from None


def _captains_named(options: Any, side_of: Mapping[str, str]) -> None:
    """Raise UnreadableError if the captains named in the options are not one of each side."""
    named = str(getattr(options, "captains", "")).split()
    sides = [side_of.get(seat) for seat in named]
    if named and (None in sides or len(named) != len(set(side_of.values())) or len(set(sides)) != len(named)):
        example = " ".join(
            next(seat for seat in side_of if side_of[seat] == side) for side in dict.fromkeys(side_of.values())
        )
        raise _wrong_tag(
            "Option.captains", f"'{' '.join(named)}' are not one seat of each team", f"captains as in '{example}'",
        )


def _options(game: Game, given: Any) -> Any:
    """The house rules as the game's own options struct. Raises UnreadableError for an unknown option or value."""
    if not isinstance(given, dict):
        raise _wrong_tag("Option", "an option has a name", "tags like [Option.target \"52\"]")
    known = game.options.__struct_fields__
    for name in given:
        if name not in known:
            from reducers.house_rules import unknown_rule

            raise _wrong_tag(f"Option.{name}", *unknown_rule(game, name))
    if not given:
        return game.options()
    try:
        return msgspec.convert({k: _plain(v) for k, v in given.items()}, game.options, strict=False)
    except msgspec.ValidationError as e:
        from reducers.house_rules import wrong_value

        name = str(e).partition(" - at `$.")[2].rstrip("`")
        raise _wrong_tag(
            f"Option.{name}", wrong_value(game, name, given[name]), "a value that `kibitz rules` lists for it",
        ) from None


def _plain(value: object) -> object:
    return {"yes": True, "no": False}.get(value, value) if isinstance(value, str) else value


def begin(facts: Facts) -> State[Any]:
    """The state of a match that has only been opened. Raises like `reducers.registry.page_for`."""
    game = page_for(facts)
    terms = terms_of(game, facts)
    return State(with_pack(game, terms), terms, game.match.new_match(terms))


def with_pack(game: Game, terms: Terms) -> Game:
    """The page with the pack of these terms, and with the title that the table gave to the game."""
    pack = game.pack if game.dealing.packs is None else game.dealing.packs(terms)
    name = getattr(terms.options, "title", "") or game.name
    return game if pack is game.pack and name == game.name else _other(game.key, pack, name)


@lru_cache(maxsize=256)
def _other(key: str, pack: Pack, name: str) -> Game:
    return msgspec.structs.replace(find_game(key), pack=pack, name=name)
