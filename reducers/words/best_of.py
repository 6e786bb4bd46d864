"""A match of games: each game is counted from zero, and the side that wins most of the agreed games wins.

The score of a hand that wins a game has a line `GAME`: 1 for the side that won it, 0 for the others; None if unknown.
A page takes `no_game_won` as its `new_match` and `best_of` as its `after`. Envite uses it.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, field
from msgspec.structs import replace

from reducers.scoring import HandScore, Points, ScoreLine, Standing, add_points, figure, plus
from reducers.terms import Terms

GAME = "game"


class Games(Standing, frozen=True):
    """The points of the game in play, or of the one just `ended`, and the games won by each side."""

    games: Points = field(default_factory=dict)
    ended: bool = False


def no_game_won(terms: Terms) -> Games:
    """The standing before the first game."""
    nothing: Points = dict.fromkeys(terms.sides, 0)
    return Games(totals=nothing, games=nothing)


def in_game(before: Standing) -> Games:
    """The standing of the game now in play: after a game that ended, a new one at zero."""
    assert isinstance(before, Games)
    return replace(before, totals=dict.fromkeys(before.totals, 0), ended=False) if before.ended else before


def game_line(winner: str, wins: bool | None, before: Games) -> ScoreLine:
    """The line of a score that says if a side won the game, None if unknown."""
    return ScoreLine(GAME, {side: 0 if side != winner else None if wins is None else 1 for side in before.games})


def game_won_by(name: str, winner: str, before: Games) -> str:
    """The message that a side has won a game, with its number of games."""
    return f"{name} won the game, and {figure(plus(before.games[winner], 1))} in all"


class BestOf(Struct, frozen=True):
    """The `after` of a page, made by `best_of`."""

    games: Callable[[Terms], int]

    def __call__(self, before: Standing, hand: HandScore, terms: Terms) -> Games:
        """Add the points of a hand; count a game that is won, and end the match for the side with most games."""
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
    """The side that wins more than half of this number of games wins the match."""
    return BestOf(games)


def games_in_words(before: Standing) -> dict[str, str]:
    """The number of games won by each side, for the headline; {} if none was won."""
    assert isinstance(before, Games)
    won = before.games
    # A list and not a generator, for speed: called at every event.
    return {
        "games": " ".join([f"{side} {figure(n)}" for side, n in won.items()])
    } if [n for n in won.values() if n != 0] else {}
