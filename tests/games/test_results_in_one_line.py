"""A hand told by its result in one line, as a recorder types it: the points come out as they were played, in few
keys."""

from __future__ import annotations

from sampling import each_game

from benchmarks.keys import GAMES, settled_hands, told_in_one_line

SEEDS = range(16)
# Keys of a result, Enter included, at the most: of a hand, or of each player.
A_HAND = {
    "kaiser": 20, "scopa": 20, "botifarra": 20, "tresette": 20, "calabrasella": 20, "funfzehnern": 20,
    "hasenpfeffer": 12, "pluck": 12, "ecarte": 20, "envite": 18, "turnover-bridge": 8, "poke": 20, "dingo": 14,
    "myllymatti": 12,
}  # fmt: skip
A_PLAYER = {"yaniv": 20, "pontoon": 20, "put-and-take": 8, "seven-and-a-half": 12}


@each_game(GAMES, short=2)
def test_a_hand_is_told_in_one_line(game: str) -> None:
    """If this failed, a result would be slower to type than to write on paper, or would score otherwise than the
    hand did."""
    told = [
        (len(told_in_one_line(state)) + 1, len(state.terms.seats)) for seed in SEEDS
        for state in settled_hands(game, seed)
    ]
    keys, players = [n for n, _ in told], max(of for _, of in told)
    assert len(keys) > 12
    assert max(keys) <= A_HAND.get(game, max(keys))
    assert max(keys) <= A_PLAYER.get(game, max(keys)) * players
