"""The evening's board: all tables at once, as their spectators may see them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct

from records.movements import rounds_begun
from reducers.model import State
from reducers.scoring import HandScore, Points, figure, leaders_by_total, signed
from replay.languages.translate import in_language, listed_words, t
from replay.pack_names import in_pack
from replay.plain_text import with_player_names
from replay.scoring.three_ways import ruled_score
from replay.season.movements import decoded_movement
from replay.table.frame import contract_of
from replay.table.shorthand import position_to_come
from service.disputes import count_disputes
from service.grants import Grant
from service.listing import MatchInList, rows_for
from service.request_context import table_for
from service.service_state import Service
from service.tables import View

MOST_TABLES = 60
"""The most tables on a board; the last begun are shown."""
MOST_ENDED = 6
SUITS = frozenset("♠♥♦♣")


class BoardSide(Struct, frozen=True):
    """A side or player on the board: its letters, its name, the total, the totals hand by hand, and whether it
    leads."""

    side: str
    name: str
    total: str
    course: tuple[int | None, ...]
    leads: bool


class TableOnBoard(Struct, frozen=True):
    """One table. `target` is the score that ends the match, None if there is none. `now` is the current contract,
    `ended` the result of the last hand; `disputed` counts the disputes without a ruling, `rulings` the rulings;
    `position` is the last visible event."""

    match: str
    table: str
    game: str
    title: str
    hand: int
    over: bool
    winner: str
    sides: tuple[BoardSide, ...]
    target: int | None
    now: str
    ended: str
    # Time of the last event of the last finished hand, to sort what has just ended.
    at: str
    players: tuple[str, ...]
    disputed: int
    rulings: int
    position: int
    date: str = ""


class Board(Struct, frozen=True):
    """All tables, the hands that have just ended, the latest first, and the next round of the evening's movement
    with its meetings (empty if there is none)."""

    title: str
    tables: tuple[TableOnBoard, ...]
    players: int
    ended: tuple[str, ...]
    round: str = ""
    meetings: tuple[str, ...] = ()


def board_as_sent(service: Service, grant: Grant, book: str | None, whole: bool) -> bytes:
    """The board of a grant's matches as JSON, cached for a second: many clients poll the same board."""
    who = (grant.role, grant.match, grant.book, grant.seat, book, whole)
    return service.recent(("board", *who), lambda: msgspec.json.encode(board_of(service, grant, book, whole=whole)))


def board_of(service: Service, grant: Grant, book: str | None, *, whole: bool = False) -> Board:
    """The current board of a grant's matches; `whole` with those of earlier evenings, which come last."""
    rows = rows_for(service, grant, book=book)
    if whole:
        # What is not over comes first, then the last evening; of an evening the first table.
        rows.reverse()
        days = sorted(rows, key=lambda row: row.date, reverse=True)
        rows = sorted(days, key=lambda row: row.over)[:MOST_TABLES][::-1]
    else:
        # A book holds a whole season: the board shows the evening that has a movement, or else the last evening and
        # all unfinished matches.
        kept, played = service.shared.reading.register.movement_of(book or grant.book), [row.date for row in rows]
        moves = kept is not None and kept.day in played
        latest = kept.day if kept is not None and moves else max(played, default="")
        rows = [row for row in rows if row.date in ("", latest) or not (moves or row.over)][:MOST_TABLES]
    tables: list[TableOnBoard] = []
    people: set[str] = set()
    for number, row in enumerate(reversed(rows), 1):
        table = table_for(service, grant, row.match)
        with table.lock:
            table.refresh()
            view = table.view(service.audience(grant, row.match))
            tables.append(view.kept(f"board {number}", partial(on_board, view, row, row.table or str(number))))
        people |= set(row.players)
    last = sorted((one for one in tables if one.ended), key=lambda one: one.at, reverse=True)[:MOST_ENDED]
    title = next((row.title for row in rows if row.title), "") if len({row.title for row in rows}) == 1 else ""
    return Board(
        title or book or grant.book or t("The evening"), tuple(tables), len(people),
        tuple(t("{table} {game}, {ended}", table=one.table, game=one.game, ended=one.ended) for one in last),
        *next_meetings(service, grant, book or grant.book),
    )  # fmt: skip


def next_meetings(service: Service, grant: Grant, book: str) -> tuple[str, tuple[str, ...]]:
    """The next round of the last movement of a book, and its meetings; empty if all rounds have been begun."""
    if grant.match or not book or (grant.book and grant.book != book):
        return "", ()
    kept = service.shared.reading.register.movement_of(book)
    begun = rounds_begun(service.shared.reading, kept) if kept is not None else 0
    if kept is None or begun >= len(kept.rounds):
        return "", ()
    made = decoded_movement(kept)
    bye = made.bye(begun + 1)
    meetings = [f"{one.table}: {' – '.join(made.sits(one))}" for one in made.rounds[begun]]
    title = t("Next: round {n} of {all}", n=begun + 1, all=len(made.rounds))
    return title, (*meetings, *([t("{who} has a bye", who=bye)] if bye else []))


def when(view: View) -> str:
    """The time at which the last finished hand ended; empty if there is none."""
    walk = view.follower
    over = max(walk.over, default=0)
    return max((r.time for r in view.log if walk.hand_of.get(r.n) == over), default="") if over else ""


def on_board(view: View, row: MatchInList, table: str) -> TableOnBoard:
    """One table as it stands."""
    state = view.follower.state
    terms, standing = state.terms, state.standing
    called = {who: terms.name(who) for who in (*terms.seats, *terms.sides, *terms.names)}
    target = getattr(terms.options, "target", None)
    ruled = ruled_score(view.read)
    totals, winner, hands = (
        standing.totals, standing.winner, state.scores,
    ) if ruled is None else (ruled.totals, ruled.winner, ruled.hands)
    together = standing.winners if ruled is None else ruled.together
    won = (winner,) if winner else together if len(together) < len(totals) else ()
    best = winner or leader(totals, state)
    sides = tuple(
        BoardSide(who, called[who], figure(n), (0, *(hand.totals.get(who) for hand in hands)), who == best)
        for who, n in totals.items()
    )
    shown = in_pack(view.read.view, view.log)
    last = state.scores[-1] if state.scores else None
    ended = t(
        "hand {n}: {outcome}", n=last.number, outcome=hand_outcome(last, called, state.game.key),
    ) if last is not None else ""
    over = bool(state.ended) or (ruled is not None and ruled.over)
    now = "" if over or position_to_come(state).number != state.number else with_player_names(
        in_language(contract_of(state), state.game.key), called,
    )
    # A suit alone says little to spectators who have just come.
    now = t("trumps {suit}", suit=now) if now in SUITS else now
    return TableOnBoard(
        row.match, table, in_language(state.game.name), row.title, state.number, over,
        listed_words([called.get(who, who) for who in won]), sides, target if type(target) is int and target else None,
        shown.text(now), shown.text(ended), when(view), row.players, *count_disputes(view.read.view), view.last,
        row.date,
    )  # fmt: skip


def hand_outcome(last: HandScore, called: Mapping[str, str], game: str) -> str:
    """The result of a hand in words, or else the points of each player."""
    gains = [f"{called[who]} {signed(n)}" for who, n in last.points.items() if n]
    return with_player_names(in_language(last.told, game), called) or ", ".join(gains) or t("played")


def leader(totals: Points, state: State[Any]) -> str:
    """The only leader; empty if several lead or a total is unknown."""
    best = leaders_by_total(totals, fewest=state.game.match.fewest_lead(state.terms))
    return best[0] if len(best) == 1 < len(totals) else ""
