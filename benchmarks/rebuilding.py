"""How long a table that everybody lays anew takes: `python -m benchmarks.rebuilding [POSITIONS]`, 1,000 unless told
otherwise.

First the judge: what a turn made of a table of eighty cards, every group of it laid anew, is asked as it is asked
when the turn is over. Then the search: twenty groups on the table and ten cards in a hand, by their seeds; whether
all of the hand could have gone out. How often that is so, how often the search is given up, and its times. CPU time,
the best of nine for the judge.
"""

from __future__ import annotations

import sys
import time
from random import Random

from events.cards import RANKS, SUITS, pack
from reducers.first_state import begin
from reducers.games.machiavelli import MELDS
from reducers.words.rebuilding import rebuilt
from reducers.words.regrouping import Turn, is_turn_in_order, what_changed

PACK = pack(copies=2)
GROUPS, HAND, CARDS, ROUNDS = 20, 10, 80, 9


def some_table(random: Random, groups: int) -> tuple[list[tuple[str, ...]], list[str]]:
    """So many melds, and the cards that are not among them."""
    left, out = [face for face in PACK.faces for _ in range(2)], list[tuple[str, ...]]()
    while len(out) < groups:
        rank, suit, size = random.choice(RANKS), random.choice(SUITS), random.choice((3, 3, 3, 4, 4, 5))
        at = random.randrange(len(RANKS) + 2 - size)
        run = [r + suit for r in (RANKS + "A")[at : at + size]]
        meld = run if random.random() < 0.5 else [rank + s for s in random.sample(SUITS, min(size, 4))]
        if all(card in left for card in meld):
            for card in meld:
                left.remove(card)
            out.append(tuple(meld))
    return out, left


def judged() -> tuple[int, float]:
    """How many cards lie on a table that is judged, and how many milliseconds that takes."""
    random = Random(1)
    table, left = next(t for t in (some_table(random, 22) for _ in range(1000)) if sum(map(len, t[0])) == CARDS - 1)
    cards = [card for meld in table for card in meld]
    new = next(way for card in left if (way := rebuilt([*cards, card]).melds) is not None)
    state = begin({"Game": "machiavelli"})
    for i, meld in enumerate(new, 101):
        pile = state.table.row(f"meld:{i}")
        state.table.lay([PACK.code[card] for card in meld], pile)
    before = {f"meld:{i}": tuple(PACK.code[card] for card in meld) for i, meld in enumerate(table)}
    turn = Turn("A", {**before, **{f"meld:{i}": () for i in range(101, 101 + len(new))}})
    best = float("inf")
    for _ in range(ROUNDS):
        MELDS._answers.clear()  # nothing is known of these groups yet
        begun = time.process_time()
        assert is_turn_in_order(what_changed(turn, state), MELDS)
        best = min(best, time.process_time() - begun)
    return sum(map(len, new)), best * 1000


def searched(positions: int) -> tuple[int, int, list[float]]:
    """In how many positions the hand could have gone out, in how many nobody knows, and the milliseconds of each."""
    out = given_up = 0
    times: list[float] = []
    for seed in range(positions):
        random = Random(seed)
        table, left = some_table(random, GROUPS)
        cards = [card for meld in table for card in meld] + random.sample(left, min(HAND, len(left)))
        begun = time.process_time()
        found = rebuilt(cards)
        times.append(1000 * (time.process_time() - begun))
        out, given_up = out + (found.melds is not None), given_up + found.given_up
    return out, given_up, sorted(times)


def main() -> None:
    cards, took = judged()
    print(f"a table of {cards} cards, every group laid anew, is judged in {took:.2f} ms")
    positions = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    out, given_up, times = searched(positions)
    print(f"{positions} positions: in {out} the hand could have gone out, {given_up} given up")
    print(
        f"median {times[len(times) // 2]:.1f} ms, of a hundred the slowest "
        f"{times[len(times) * 99 // 100]:.0f} ms, worst {times[-1]:.0f} ms"
    )


if __name__ == "__main__":
    main()
