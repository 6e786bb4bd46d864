"""Input that opens a match: players, terms, house rules. All faults are reported at once.

This is the only module here that imports pydantic; a page states its options as a plain struct, and this module
derives the model and its JSON schema.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from datetime import date as Date
from functools import cache
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, create_model, field_validator

from events.errors import UnreadableError, UsageError
from events.match_tags import WRITTEN_TAGS
from events.model import Facts
from events.packs import PACKS
from events.visible_text import NAME, duplicate_name, is_name
from reducers.first_state import terms_of
from reducers.house_rules import unknown_rule, wrong_value
from reducers.model import Game
from reducers.registry import distribution_of, find_game

_BOUNDS = (
    "ge", "gt", "le", "lt", "multiple_of", "pattern", "min_length", "max_length", "title", "description", "examples",
)


@cache
def options_model(key: str) -> type[BaseModel]:
    """The house rules of a game as a pydantic model. Raises NotFoundError for a game without a page.

    >>> options_model("kaiser")(target="32").target
    32
    """
    game = find_game(key)
    hints = get_type_hints(game.options, include_extras=True)
    fields: dict[str, Any] = {}
    for field in msgspec.structs.fields(game.options):
        kind, limits = _parted(hints[field.name])
        default = ... if field.default is msgspec.NODEFAULT else field.default
        fields[field.name] = (kind, Field(default, **limits))
    model: type[BaseModel] = create_model(
        f"{game.name.title().replace(' ', '')}Options",
        __config__=ConfigDict(extra="forbid", frozen=True),
        __doc__=f"House rules of {game.name}.",
        **fields,
    )
    return model


def _parted(hint: Any) -> tuple[Any, dict[str, Any]]:
    """A field's type for pydantic, and its bounds and description."""
    limits: dict[str, Any] = {}
    if get_origin(hint) is Annotated:
        hint, *extras = get_args(hint)
        for extra in extras:
            if isinstance(extra, msgspec.Meta):
                limits |= {name: getattr(extra, name) for name in _BOUNDS if getattr(extra, name, None) is not None}
    if get_origin(hint) is Literal:
        hint = Annotated[hint, BeforeValidator(_choice(get_args(hint)))]
    return hint, limits


def _choice(choices: tuple[Any, ...]) -> Callable[[Any], Any]:
    """A function that converts text to the choice spelled like it."""
    spelled = {({True: "yes", False: "no"}[c] if isinstance(c, bool) else str(c)): c for c in choices}
    return lambda value: spelled.get(value, value) if isinstance(value, str) else value


def options_schema(game: Game) -> dict[str, Any]:
    """The JSON schema of a game's house rules."""
    return options_model(game.key).model_json_schema()


class Setup(BaseModel):
    """A match as it is set up: who sits where, who deals first, when and where, with which pack on the table."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seats: dict[str, str] = {}
    dealer: str | None = None
    date: Date | None = None
    title: str | None = None
    round: str | None = None
    table: str | None = None
    place: str | None = None
    pack: str | None = None

    @field_validator("pack")
    @classmethod
    def _on_the_table(cls, pack: str | None) -> str | None:
        if pack is not None and pack not in PACKS:
            raise ValueError(f"the pack is one of {', '.join(PACKS)}")
        return pack

    @field_validator("seats")
    @classmethod
    def _names(cls, seats: dict[str, str]) -> dict[str, str]:
        return {seat: _text(name, seat) for seat, name in seats.items()}

    @field_validator("date", mode="before")
    @classmethod
    def _day(cls, value: object) -> object:
        if isinstance(value, str):
            try:
                return Date.fromisoformat(value)
            except ValueError:
                raise ValueError("a date is written like 2026-03-14") from None
        return value

    @field_validator("title", "round", "table", "place")
    @classmethod
    def _tag(cls, text: str | None) -> str | None:
        return None if text is None else _text(text)


def _text(value: str, seat: str = "") -> str:
    value = unicodedata.normalize("NFC", value.strip())
    if not is_name(value):
        raise ValueError(f"a name is {NAME}{f' (seat {seat})' if seat else ''}")
    return value


def opening(
    key: str,
    *,
    seats: Mapping[str, str] | Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
    dealer: str | None = None,
    date: str | Date | None = None,
    title: str | None = None,
    round: str | None = None,
    table: str | None = None,
    place: str | None = None,
    pack: str | None = None,
) -> Facts:
    """The facts of a match's opening, checked.

    `seats` are names by seat, or just names, clockwise from the first seat. Seats without a name may be left out.
    `dealer` is a seat or a player's name. Raises UsageError with all faults, NotFoundError for an unknown game.

    >>> opening("kaiser", seats={"N": "Anna"}, options={"target": "32"}, dealer="W")
    {'Game': 'kaiser', 'Rules': '1', 'Seats': 'N E S W', 'N': 'Anna', 'Dealer': 'W', 'Option': {'target': 32}}
    """
    game = find_game(key)
    wrong: list[str] = []
    sitting = _table(game, seats, wrong)
    named = dict(seats) if isinstance(seats, Mapping) else dict(zip(sitting, seats, strict=False))
    dealer = _seat_of(dealer, named, sitting)
    tags = {"title": title, "round": round, "table": table, "place": place, "date": date}
    setup = _setup({"seats": named, "dealer": dealer, "pack": pack, **tags}, wrong)
    house = _house_rules(game, dict(options or {}), wrong)
    if setup is not None and (same := duplicate_name(setup.seats)):
        wrong.append(f"seats: {same} sits in two places; tell two players of one name apart, as {same} A and {same} B")
    if dealer is not None and sitting and dealer not in sitting:
        there = ", ".join(f"{seat} {named[seat]}" if seat in named else seat for seat in sitting)
        wrong.append(f"dealer: '{dealer}' does not sit at this table ({there})")
    if wrong or setup is None or house is None:
        raise UsageError(
            "; ".join(wrong), where=f"match of {game.name}", todo=f"`kibitz rules {key}` lists seats and options",
        )
    source = distribution_of(key)
    facts: Facts = {
        "Game": key, "Rules": str(game.version), **({"Plugin": source} if source else {}), "Seats": " ".join(sitting),
    }
    facts |= {seat: setup.seats[seat] for seat in sitting if seat in setup.seats}
    facts |= {} if dealer is None else {"Dealer": dealer}
    facts |= {tag: str(value) for key, tag in WRITTEN_TAGS.items() if (value := getattr(setup, key)) is not None}
    facts |= {} if setup.pack is None else {"Pack": setup.pack}
    if options:
        facts["Option"] = {name: getattr(house, name) for name in options}
    try:
        sides = terms_of(game, facts).sides
    except UnreadableError as e:
        what = f"{e.where.removeprefix('tag ').replace('Option.', 'option ')}: {e.what}"
        raise UsageError(what, expected=e.expected, todo=f"`kibitz rules {key}` lists seats and options") from None
    if source and len(sides) < len(sitting):
        # Where this page is not installed, nothing else says who plays together.
        facts["Sides"] = " ".join(map("".join, sides.values()))
    return facts


def _seat_of(who: str | None, named: Mapping[str, str], table: Sequence[str]) -> str | None:
    """The seat for a letter or a player's name, in either case; `who` unchanged if there is none."""
    if who is None or who.strip().upper() in table:
        return who and who.strip().upper()
    typed = unicodedata.normalize("NFC", who.strip()).casefold()
    found = [
        seat for seat in table if unicodedata.normalize("NFC", str(named.get(seat, "")).strip()).casefold() == typed
    ]
    return found[0] if len(found) == 1 else who


def _table(game: Game, given: Mapping[str, str] | Sequence[str], wrong: list[str]) -> tuple[str, ...]:
    """The seats of the table, clockwise: the usual ones if possible; () with a message in `wrong` if impossible."""
    sizes = game.seating.sizes
    if not given:
        return game.seating.usual
    players = game.seating.in_words
    if not isinstance(given, Mapping):
        if len(given) in sizes:
            return sizes[len(given)]
        wrong.append(f"seats: {len(given)} name{'s' * (len(given) != 1)}, but {game.name} is played by {players}")
        return ()
    for n in sorted(sizes, key=lambda n: (n != len(given), n)):
        if set(given) <= set(sizes[n]):
            return sizes[n]
    if len(given) in sizes and all(
        s.isascii() and s.isalnum() and s[0].isupper() and s == s.upper() for s in given if s
    ):
        return tuple(given)
    usual = "; ".join(" ".join(seats) for seats in sizes.values())
    wrong.append(f"seats: {', '.join(given)} is not a table of {game.name} (played by {players}, usually {usual})")
    return ()


def _setup(data: dict[str, Any], wrong: list[str]) -> Setup | None:
    try:
        return Setup.model_validate(data)
    except ValidationError as error:
        for fault in error.errors(include_url=False):
            said = fault["msg"].removeprefix("Value error, ") if fault["type"] == "value_error" else "this is a text"
            # The sentence itself says which name is wrong.
            wrong.append(
                f"{'.'.join(map(str, fault['loc']))}: {said}"
                + ("" if isinstance(fault["input"], dict) else f", not {str(fault['input'])[:60]!r}")
            )
        return None


def _house_rules(game: Game, data: dict[str, Any], wrong: list[str]) -> BaseModel | None:
    try:
        return options_model(game.key).model_validate(data)
    except ValidationError as error:
        for fault in error.errors(include_url=False):
            name = str(fault["loc"][0])
            if fault["type"] == "extra_forbidden":
                what, expected = unknown_rule(game, name)
                wrong.append(f"{what} (expected {expected})")
            else:
                wrong.append(f"option {wrong_value(game, name, data[name])}")
        return None
