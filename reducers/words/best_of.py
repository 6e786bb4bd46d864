"""A match of games: the points of each game are counted from nothing, and whoever wins most of so many games has won.

The score of a hand that wins a game has a line `GAME`: one for the side that won it, nothing for the others; None if nobody
knows whether it did. A page takes `no_game_won` as its `new_match` and `best_of` as its `after`. Envite uses it.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, field
from msgspec.structs import replace

from reducers.scoring import HandScore, Points, ScoreLine, Standing, add_points, figure, plus
from reducers.terms import Terms

GAME = "game"


class Games(Standing, frozen=True):
    """The points of the game in play, or of the one that has just `ended`, and the games that each side has won."""

    games: Points = field(default_factory=dict)
    ended: bool = False


def no_game_won(terms: Terms) -> Games:
    """The first game begins."""
    nothing: Points = dict.fromkeys(terms.sides, 0)
    return Games(totals=nothing, games=nothing)


def in_game(before: Standing) -> Games:
    """The standing of the game that is played now: a game that ended is followed by a new one."""
    assert isinstance(before, Games)
    return replace(before, totals=dict.fromkeys(before.totals, 0), ended=False) if before.ended else before


def game_line(winner: str, wins: bool | None, before: Games) -> ScoreLine:
    """The line of a score that says whether a side won the game, None if nobody knows."""
    return ScoreLine(GAME, {side: 0 if side != winner else None if wins is None else 1 for side in before.games})


def game_won_by(name: str, winner: str, before: Games) -> str:
    """That a side has won a game, and how many it has then, in words."""
    return f"{name} won the game, and {figure(plus(before.games[winner], 1))} in all"


class BestOf(Struct, frozen=True):
    """The end of a match that `best_of` makes."""

    games: Callable[[Terms], int]

    def __call__(self, before: Standing, hand: HandScore, terms: Terms) -> Games:
        """The points are added; a game that is won counts, and most of the games win the match."""
        now = in_game(before)
        game: Points = next((line.amounts for line in hand.lines if line.label == GAME), {})
        games, totals = add_points(now.games, game), add_points(now.totals, hand.points)
        if hand.source == "nothing" and None in hand.points.values():
            games = dict.fromkeys(games)
        ended = any(n == 1 for n in game.values())
        winner = next((one for one, n in games.items() if n is not None and n > self.games(terms) // 2), "")
        return replace(
            now, totals=totals, games=games, ended=ended and not winner, winner=winner, over=bool(winner),
            hands=now.hands + 1,
        )  # fmt: skip


def best_of(games: Callable[[Terms], int]) -> BestOf:
    """The side that wins more than half of so many games wins the match."""
    return BestOf(games)


def games_in_words(before: Standing) -> dict[str, str]:
    """How many games each side has won, for whoever looks at the table."""
    assert isinstance(before, Games)
    won = before.games
    # It is asked at every event.
    return {"games": " ".join([f"{side} {figure(n)}" for side, n in won.items()])} if [n for n in won.values() if n != 0] else {}


__all__ = ["GAME", "Games", "best_of", "game_line", "game_won_by", "games_in_words", "in_game", "no_game_won"]
