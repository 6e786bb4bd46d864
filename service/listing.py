"""The list of matches that a client may see."""

from __future__ import annotations

from datetime import UTC, timedelta

from msgspec import Struct

from events.errors import KibitzError
from records.rows import MatchRow
from reducers.first_state import begin
from replay.languages.translate import in_language
from service.grants import Grant
from service.service_state import Service


class MatchInList(Struct, frozen=True):
    """A match in a list."""

    match: str
    book: str
    game: str
    name: str
    title: str
    table: str
    date: str
    players: tuple[str, ...]
    over: bool


def rows_for(
    service: Service, grant: Grant, *, game: str | None = None, book: str | None = None, player: str | None = None
) -> list[MatchInList]:
    """The matches that a grant covers, those of the last day first, and of a day the last begun."""
    if book is not None and grant.book not in ("", book):
        return []
    listed = service.shared.reading.matches(book=book or grant.book or None, game=game)
    listed = sorted(
        listed, key=lambda row: (str(row.facts.get("Date") or row.created[:10]), row.created, row.match), reverse=True,
    )
    rows = [row for row in listed if grant.covers(row.match, row.book)]
    made = (listed_match(row, over=_over(service, grant, row)) for row in rows)
    return [
        row for row in made if row is not None
        and (player is None or player.casefold() in (name.casefold() for name in row.players))
    ]


def _over(service: Service, grant: Grant, row: MatchRow) -> bool:
    """True if a match is over and the client may know it already."""
    minutes = service.settings.delay.minutes if grant.role == "spectator" else 0.0
    if not minutes:
        return row.over
    then = (service.clock().astimezone(UTC) - timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%S")
    return row.over and row.changed[:19] <= then


def listed_match(row: MatchRow, *, over: bool) -> MatchInList | None:
    """A match in the list, described by its opening; None if that cannot be read."""
    said = row.facts
    try:
        terms = begin(said).terms
    except KibitzError:
        return None
    players = tuple(terms.name(seat) for seat in terms.seats)
    facts = {tag: str(said.get(tag, "")) for tag in ("Event", "Table", "Date")}
    title = facts["Event"] or " – ".join(terms.name(side) for side in terms.sides)
    return MatchInList(
        row.match, row.book, row.game, in_language(begin(said).game.name), title, facts["Table"], facts["Date"],
        players, over,
    )
