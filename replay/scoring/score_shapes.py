"""The data types of a score: hands, components, compared claims, and the match."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from events.model import Facts
from reducers.scoring import Points
from replay.scoring.outcomes import ScoreQuestion, Values

# Findings of the table that prove the record wrong.
CONFLICTS = frozenset(f"table.{id}" for id in ("T1", "T2", "T3", "T4", "T5"))

Says = Literal["agrees", "differs", "carried on", "unknown", "replaced", "not understood"]


class Component(Struct, frozen=True):
    """One line of a hand's score.

    `column` is the part of the sheet in games with several ("above"); `amounts` are figures by side or seat, null if
    unknown; `sums` is their arithmetic in words, `5 tricks + 5 (5♥) = 10`.
    """

    label: str
    amounts: Points
    sums: dict[str, str] = {}
    column: str = ""


class Compared(Struct, frozen=True):
    """One figure the table stated, compared with ours.

    `at` is the position of the claim, `hand` its hand, `by` the claimant, `who` the side or seat of the figure.
    `kind` is "total" (running total of the match) or "hand" (points of this hand). `computed` is ours, null if
    unknown; `difference` is claimed minus computed. `possible` lists the possible figures if there are several. `sum`
    is our arithmetic, `table_sum` the table's, if stated.

    `says`: "agrees"; "differs" (first differs here); "carried on" (the same difference as in hand `since`); "unknown"
    (nothing to compare with); "replaced" (the claimant corrected it later in the same hand); "not understood" (no
    side or seat of the match, or no whole number). `text` is a sentence about all of it.
    """

    at: int
    hand: int
    by: str
    kind: Literal["total", "hand"]
    who: str
    claimed: int | None
    computed: int | None
    difference: int | None
    says: Says
    text: str
    sum: str = ""
    table_sum: str = ""
    since: int = 0
    confirmed: tuple[str, ...] = ()
    possible: tuple[int, ...] = ()
    playing: bool = False


class ArithmeticSlip(Struct, frozen=True):
    """A place where the table's arithmetic differs from ours.

    `parts` are the figures that differ (several sides may in one claim), with both sums; `carried` lists the later
    hands whose claims have the same difference; `text` is a paragraph about all of it.
    """

    hand: int
    at: int
    parts: tuple[Compared, ...]
    carried: tuple[int, ...]
    text: str


class Confirmation(Struct, frozen=True):
    """A confirmation: position, player, hand, and what was confirmed (positions; empty for the sheet at that time)."""

    at: int
    by: str
    hand: int
    refs: tuple[int, ...] = ()


class Way(Struct, frozen=True):
    """A hand scored in one way.

    `points` and `totals` are null if unknown; `possible` and `possible_totals` list the possible figures of each side
    with more than one. `why` says what makes it differ from the score as played.
    """

    points: Points
    totals: Points
    possible: Values = {}
    possible_totals: Values = {}
    why: tuple[str, ...] = ()


class MatchWay(Struct, frozen=True):
    """The match scored in one way, like `Way`, with the winner ("" while there is none), the possible `winners`, or
    those `together` at the best total."""

    totals: Points
    possible: Values = {}
    winner: str = ""
    winners: tuple[str, ...] = ()
    over: bool = False
    together: tuple[str, ...] = ()


class ScoredHand(Struct, frozen=True):
    """One hand of the match.

    `source` is the basis of the score: "moves", "tricks", "tally", "void" or "nothing". `done` is False for a hand in
    play. `points` are the hand's, `totals` the match's after it; null if unknown, and `unknown` then lists what is
    missing. `claims` are the figures the table stated for it.

    `possible` and `possible_totals` list the possible figures of each side with more than one; `questions` say what
    decides. `by_cards` lists what the cards alone allow if the figure as played depends on who led next. `ways` has
    the hand as `played`, by the `rules` and as `ruled` if these differ, else only as played.
    """

    number: int
    dealer: str
    source: str
    done: bool
    contract: str
    result: str
    components: tuple[Component, ...]
    points: Points
    totals: Points
    notes: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    claims: tuple[Compared, ...] = ()
    possible: Values = {}
    possible_totals: Values = {}
    questions: tuple[ScoreQuestion, ...] = ()
    by_cards: Values = {}
    ways: dict[str, Way] = {}


class MatchScore(Struct, frozen=True):
    """A match, scored. `msgspec.to_builtins` turns it into plain JSON data:

        {"match": "kaiser-4f7k2m", "game": "kaiser", "name": "Kaiser", "rules": 1, "position": 96,
         "seats": ["N", "E", "S", "W"], "sides": {"NS": ["N", "S"], "EW": ["E", "W"]}, "names": {"N": "Ann", …},
         "facts": {…the tags of the opening…}, "options": {"target": 52, …},
         "hands": [{"number": 1, "dealer": "W", "source": "moves", "done": true, "contract": "Ann & Carl 7 ♥",
                    "result": "made",
                    "components": [{"label": "tricks", "amounts": {"NS": 10, "EW": 0}, "sums": {…}, "column": ""}],
                    "points": {"NS": 10, "EW": 0}, "totals": {"NS": 10, "EW": 0}, "notes": [], "unknown": [],
                    "claims": [{"at": 41, "hand": 1, "by": "@", "kind": "total", "who": "NS", "claimed": 10, …}]}],
         "totals": {"NS": 53, "EW": 22}, "winner": "NS", "over": true, "ended": "won", "why_ended": "",
         "claims": […all of them, in the order made…], "slip": null, "slips": [], "agreed": []}

    `possible` lists the possible totals of each side with more than one, `winners` the possible winners if several
    ("" for none yet). `ways` has the match as `played`, by the `rules` and as `ruled` if these differ, else only as
    played. `official` is the way that counts: "ruled" if a valid ruling changes the score, else "played"; all other
    figures here are those as played.

    `winner` is empty while there is none; `together` are the sides that share the best total of a finished match.
    `over` is true if the rules ended the match, or the table a pad without a target; `ended` is "won", "agreed",
    "ruled" or empty. `slip` is the first place where the table's arithmetic differs from ours, or null; `slips` are
    all of them. `older` lists the differences from a verdict stored under older rules. `unread` are the unreadable
    lines of the file, in words. `seats` and `totals` include all who sat at the table, and `left` are those who had
    left before the last hand was played; a hand has the figures of those who played it.
    """

    match: str
    game: str
    name: str
    rules: int
    position: int
    seats: tuple[str, ...]
    sides: dict[str, tuple[str, ...]]
    names: dict[str, str]
    facts: Facts
    options: dict[str, Any]
    hands: tuple[ScoredHand, ...]
    totals: Points
    winner: str
    over: bool
    ended: str
    why_ended: str
    claims: tuple[Compared, ...] = ()
    slip: ArithmeticSlip | None = None
    slips: tuple[ArithmeticSlip, ...] = ()
    agreed: tuple[Confirmation, ...] = ()
    possible: Values = {}
    winners: tuple[str, ...] = ()
    ways: dict[str, MatchWay] = {}
    unread: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    official: Literal["played", "ruled"] = "played"
    older: tuple[str, ...] = ()
    left: tuple[str, ...] = ()

    @property
    def hangs_on(self) -> tuple[str, ...]:
        """The sides with unknown totals that decide the winner, in a finished match or one that the table ended;
        empty if the winner is known."""
        ends = self.over or ended_by_better_total(self.ended, self.why_ended)
        return () if not ends or self.winner or self.together else tuple(
            side for side, total in self.totals.items() if total is None
        )


def ended_by_better_total(ended: str, why: str) -> bool:
    """True if the table ended a match so that the better total has won.

    >>> [ended_by_better_total(*how) for how in (("agreed", "late"), ("agreed", "void"), ("won", ""))]
    [True, False, False]
    """
    return ended == "agreed" and why not in ("", "void")
