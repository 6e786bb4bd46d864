"""Plays for the app BG Stats: a play file (`.bgsplay`) that it imports, and the rows of one that it exported.

The form is that of the app's own files: `players`, `games` and `locations` with numbers, and `plays` that refer to them
(docs/sheets.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import msgspec
from msgspec import Struct

from events.errors import KibitzError, UnreadableError, UsageError
from events.match_tags import shown_tags
from reducers.registry import find_game
from reducers.seating import everybody
from replay.fold import sittings
from replay.paper.sheet import result_in_words
from replay.read_log import ReadLog
from replay.scoring.hands import folded_log
from replay.scoring.three_ways import official_score

ABOUT = "This is a Play file that can be read by Board Game Stats. Share or open it with the app."
_LONGEST_MINUTES = 24 * 60


class _Named(Struct, rename="camel", kw_only=True):
    """A player, place or game, with the number by which plays refer to it."""

    id: int
    name: str
    uuid: str = ""


class BgPlayer(_Named, kw_only=True):
    """A player."""

    is_anonymous: bool = False


class BgGame(_Named, kw_only=True):
    """A game. `bgg_id` is its number at BoardGameGeek, 0 if unknown."""

    bgg_id: int = 0
    highest_wins: bool = True
    no_points: bool = False
    uses_teams: bool = False
    cooperative: bool = False


class BgScore(Struct, rename="camel", kw_only=True):
    """What a player had in a play; `seat_order` counts from 1, 0 if unknown, and so does `rank`."""

    player_ref_id: int
    score: str | float | None = None
    winner: bool = False
    start_player: bool = False
    new_player: bool = False
    seat_order: int = 0
    rank: int = 0
    team: str | None = None


class BgPlay(Struct, rename="camel", kw_only=True):
    """A play. The app leaves `ignored` plays out of its statistics."""

    uuid: str = ""
    play_date: str
    game_ref_id: int
    location_ref_id: int | None = None
    player_scores: list[BgScore]
    duration_min: int = 0
    rounds: int = 0
    uses_teams: bool = False
    manual_winner: bool = False
    ignored: bool = False
    comments: str | None = None


class BgFile(Struct, rename="camel", kw_only=True):
    """A play file."""

    about: str = ABOUT
    players: list[BgPlayer]
    locations: list[_Named] = []
    games: list[BgGame]
    plays: list[BgPlay]
    user_info: dict[str, Any] = {}


def play_file(matches: Iterable[tuple[str, ReadLog]]) -> tuple[bytes, list[str]]:
    """The plays of all matches that are over, as JSON, and the ids of those that are not, or that cannot be scored."""
    made, left = _Writer(), []
    for match, log in matches:
        try:
            if made.add(match, log):
                continue
        except KibitzError:
            pass
        left.append(match)
    return msgspec.json.format(
        msgspec.json.encode(BgFile(players=made.players, locations=made.places, games=made.games, plays=made.plays)),
        indent=1,
    ) + b"\n", left


class _Writer:
    """A play file under construction."""

    def __init__(self) -> None:
        self.players: list[BgPlayer] = []
        self.places: list[_Named] = []
        self.games: list[BgGame] = []
        self.plays: list[BgPlay] = []
        self.numbers: dict[tuple[str, str], int] = {}

    def add(self, match: str, log: ReadLog) -> bool:
        """Add a match. Returns False if it is not over."""
        final, score = log.once(folded_log), official_score(log)
        if not (score.over or score.ended):
            return False
        terms = everybody(final.state)
        tags = dict(shown_tags(score.facts))
        page = find_game(score.game)
        title = str(score.options.get("title") or page.name)
        teams = any(len(members) > 1 for members in terms.sides.values())
        game = self._number("game", title, lambda n, uuid: self.games.append(
            BgGame(id=n, name=title, uuid=uuid, highest_wins=not page.match.fewest_lead(terms), uses_teams=teams)
        ))  # fmt: skip
        place = str(tags.get("Place") or tags.get("Site") or "")
        at = self._number(
            "place", place, lambda n, uuid: self.places.append(_Named(id=n, name=place, uuid=uuid)),
        ) if place else None
        won = [
            side for side, members in terms.sides.items() if score.winner == side or score.winner in members
            or side in score.together
        ]
        last = {one.seat: one.name for one in sittings(log.view, terms)}
        first = next((hand.dealer for hand in score.hands), terms.dealer)
        scores = []
        for order, seat in enumerate(terms.in_turn(terms.after(first)), 1):
            side, name = terms.side_of[seat], last.get(seat) or terms.name(seat)
            if seat == page.seating.house:
                continue
            total = score.totals.get(side)
            number = self._number(
                "player", name, lambda n, uuid, name=name: self.players.append(BgPlayer(id=n, name=name, uuid=uuid)),
            )
            scores.append(BgScore(
                player_ref_id=number, score=None if total is None else str(total), winner=side in won,
                start_player=order == 1, seat_order=order, team=terms.name(side) if teams else None,
            ))  # fmt: skip
        begun, minutes = _when(log, str(tags.get("Date", "")))
        self.plays.append(BgPlay(
            uuid=str(uuid5(NAMESPACE_URL, f"kibitz:{match}")), play_date=begun, game_ref_id=game, location_ref_id=at,
            player_scores=scores, duration_min=minutes, rounds=sum(hand.done for hand in score.hands), uses_teams=teams,
            manual_winner=True, comments=f"{result_in_words(score)} ({match})",
        ))  # fmt: skip
        return True

    def _number(self, kind: str, name: str, add: Any) -> int:
        """The number of a player, place or game, which is added if it is new."""
        if (kind, name) not in self.numbers:
            number = self.numbers[kind, name] = 1 + sum(k == kind for k, _ in self.numbers)
            add(number, str(uuid5(NAMESPACE_URL, f"kibitz:{kind}:{name}")))
        return self.numbers[kind, name]


def _when(log: ReadLog, day: str) -> tuple[str, int]:
    """When a match began, as the app writes it, and the minutes that it took, 0 if unknown. Without a time it is
    noon, so that the day is the same in every time zone."""
    times = [datetime.fromisoformat(r.time.replace("Z", "+00:00")) for r in log if r.time]
    minutes = round((times[-1] - times[0]).total_seconds() / 60) if times else 0
    begun = times[0].strftime("%Y-%m-%d %H:%M:%S") if times else ""
    if day and not begun.startswith(day):
        # Written down on another day: its times say nothing about the play.
        return f"{day} 12:00:00", 0
    return begun, minutes if 0 <= minutes < _LONGEST_MINUTES else 0


# -- reading -----------------------------------------------------------------------------------------------------------


def rows_of_plays(data: bytes, game: str = "") -> list[list[str]]:
    """The plays of one game as the rows of a spreadsheet: the name of the game above the heads, then a row for each
    play with its day, its place, and the points of each player or team.

    Raises UnreadableError if this is no play file or has no play, and UsageError if it has several games and none of
    them is named.
    """
    told, plays = _plays_of(data)
    played = list(dict.fromkeys(name for name, _ in plays))
    if not played:
        raise UnreadableError("there is no play in it", expected="what the app exports as JSON, or a .bgsplay file")
    if game not in played and (game or len(played) > 1):
        what = f"no play of {game!r} is in it" if game else f"it has plays of {len(played)} games"
        raise UsageError(what, expected=f"--sheet with one of {', '.join(played[:10])}")
    game = game or played[0]
    rows = list(_rows(told, [play for name, play in plays if name == game]))
    heads = list(dict.fromkeys(["Date", "Place", *(head for row in rows for head in row)]))
    return [[game], heads, *([row.get(head, "") for head in heads] for row in rows)]


def games_of_plays(data: bytes) -> list[str]:
    """The games of which a play file has plays. Raises UnreadableError if this is no play file."""
    return list(dict.fromkeys(name for name, _ in _plays_of(data)[1]))


def _plays_of(data: bytes) -> tuple[BgFile, list[tuple[str, BgPlay]]]:
    try:
        told = msgspec.json.decode(data, type=BgFile)
    except msgspec.DecodeError as error:
        raise UnreadableError(
            f"this is no play file of BG Stats ({error})", expected="what the app exports as JSON, or a .bgsplay file",
        ) from None
    names = {one.id: one.name for one in told.games}
    return told, [
        (names[play.game_ref_id], play) for play in told.plays if not play.ignored and play.game_ref_id in names
    ]


def _rows(told: BgFile, plays: Iterable[BgPlay]) -> Iterator[dict[str, str]]:
    """The cells of each play by their heads. Without points, the winners have one."""
    people, places = {one.id: one.name for one in told.players}, {one.id: one.name for one in told.locations}
    for play in plays:
        sides: dict[str, list[BgScore]] = {}
        for i, one in enumerate(play.player_scores):
            sides.setdefault(one.team or f"\x00{i}", []).append(one)
        counted = any(_points(one) for one in play.player_scores)
        row = {"Date": play.play_date[:10], "Place": places.get(play.location_ref_id or 0, "")}
        for members in sides.values():
            head = " & ".join(people.get(one.player_ref_id, f"player {one.player_ref_id}") for one in members)
            row[head] = _points(members[0]) if counted else str(int(members[0].winner))
        yield row


def _points(one: BgScore) -> str:
    """The points of a player, added up where the app has them as a sum (`12+5`); "" if there are none."""
    text = f"{one.score:g}" if isinstance(one.score, float) else (one.score or "").replace(" ", "")
    parts = text.split("+")
    return str(sum(map(int, parts))) if all(part.removeprefix("-").isdecimal() for part in parts) else text
