"""What a club chooses for the table of a season, in the words of an option or of a form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from msgspec import Meta, Struct, field

from events.errors import UsageError
from replay.languages.translate import phrase
from replay.season.formula import MOST as MOST_FORMULA
from replay.season.formula import measure, parse_best
from replay.season.settlement import parse_amount
from replay.season.table import SeasonRequest
from replay.season.tie_breaks import parse_ties
from replay.season.victory_points import parse_victory_table

MOST_VICTORY = 4_000
"""Most characters of a table of victory points."""


class SeasonChoice(Struct, forbid_unknown_fields=True):
    """The table of a season: book, game and days, its order (`by`, or a formula), how many evenings count, the
    tie-breaks, the table of victory points (as CSV), for whom a match with substitutes counts, and what is added:
    ratings, each evening, records, accounts."""

    book: Annotated[str, Meta(max_length=64)] = ""
    game: Annotated[str, Meta(max_length=40)] = ""
    by: Annotated[str, Meta(max_length=40)] = "matches"
    formula: Annotated[str, Meta(max_length=MOST_FORMULA)] = ""
    best: Annotated[str, Meta(max_length=20)] = ""
    first: Annotated[str, Meta(max_length=10)] = field(name="from", default="")
    last: Annotated[str, Meta(max_length=10)] = field(name="to", default="")
    title: Annotated[str, Meta(max_length=120)] = ""
    ratings: bool = False
    substitutes: bool = False
    ties: Annotated[str, Meta(max_length=120)] = ""
    vp: Annotated[str, Meta(max_length=MOST_VICTORY)] = ""
    grid: bool = False
    records: bool = False
    dues: Annotated[str, Meta(max_length=20)] = ""
    stake: Annotated[str, Meta(max_length=20)] = ""

    def request(self) -> tuple[SeasonRequest, Callable[[int], float] | None]:
        """The request, and the victory points for a margin (None without a table of them). Raises UsageError for a
        choice that cannot be, UnreadableError for a table of victory points that cannot be read."""
        victory = parse_victory_table(self.vp).points if self.vp else None
        by = "vp" if victory is not None and self.by == "matches" and not self.formula else self.by
        if self.formula and by != "matches":
            raise UsageError("an order and a formula do not go together", expected="one of them")
        if victory is None and (by == "vp" or "vp" in self.formula):
            raise UsageError(
                "victory points follow from a table of the club",
                expected="the file of the table (--vp FILE), as examples/burraco-vp.csv",
            )
        return SeasonRequest(
            self.title or self.book or phrase("All books"), measure(by, self.formula), parse_best(self.best),
            ties=parse_ties(self.ties), grid=self.grid, records=self.records, dues=parse_amount(self.dues, "dues"),
            stake=parse_amount(self.stake, "stake"),
        ), victory
