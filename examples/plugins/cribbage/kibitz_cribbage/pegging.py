"""What cards count in Cribbage: fifteens, pairs and runs, as they are played and as they are shown.

Cards are given by their codes. The points of a hand that are scored one after the other may end a match in its middle:
`pegged_until` stops them there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import prod

from events.cards import Pack

FIFTEEN, MOST = 15, 31


def pip_value(pack: Pack, code: int) -> int:
    """What a card adds to the count: court cards ten, an ace one; 0 if its rank was not seen."""
    rank = pack.rank_of[code]
    return {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}.get(rank) or (int(rank) if rank.isdigit() else 0)


def place_of(pack: Pack, code: int) -> int:
    """The place of a card in a run, from the ace on; 0 if its rank was not seen."""
    return "A23456789TJQK".find(pack.rank_of[code]) + 1


def played_points(pack: Pack, series: Sequence[int]) -> int | None:
    """What the last card of a series scores: two for a count of fifteen or thirty-one, two for a pair, six for three
    alike, twelve for four, and as many as a run has. None if a card was not seen.

    >>> from events.cards import pack
    >>> p = pack("A K Q J 10 9 8 7 6 5 4 3 2"); codes = lambda text: [p.code[c] for c in text.split()]
    >>> [played_points(p, codes(text)) for text in ("7c 8d", "7c 7d", "4c 6d 5h", "5c Td Jh 6c", "2c 2d 2h", "Kc 5d")]
    [2, 2, 5, 2, 6, 2]
    """
    places = [place_of(pack, code) for code in series]
    if 0 in places:
        return None
    points = 2 * (sum(pip_value(pack, code) for code in series) in (FIFTEEN, MOST))
    alike = next((n for n, place in enumerate(reversed(places)) if place != places[-1]), len(places))
    points += alike * (alike - 1)
    runs = (
        n for n in range(len(places), 2, -1) if len(set(places[-n:])) == n
        and max(places[-n:]) - min(places[-n:]) == n - 1
    )
    return points + next(runs, 0)


def shown_points(pack: Pack, cards: Sequence[int], starter: int, *, crib: bool = False) -> int | None:
    """What a hand, of four cards in order, and the starter count: fifteens, pairs, runs, a flush, and the jack of
    the starter's suit. In a crib only five cards of a suit are a flush. None if a card was not seen.

    >>> from events.cards import pack
    >>> p = pack("A K Q J 10 9 8 7 6 5 4 3 2"); codes = lambda text: [p.code[c] for c in text.split()]
    >>> shown_points(p, codes("5c 5d 5s Jh"), p.code["5h"]), shown_points(p, codes("2c 4c 6c 8c"), p.code["Kd"])
    (29, 4)
    >>> (
    ...     shown_points(p, codes("3c 3d 4s 5h"), p.code["5d"]),
    ...     shown_points(p, codes("2c 4c 6c 8c"), p.code["Kd"], crib=True)
    ... )
    (20, 0)
    """
    all_five = [*cards, starter]
    suits = [pack.suit_of[code] for code in all_five]
    if any(not place_of(pack, code) for code in all_five) or "?" in suits:
        return None
    values = [pip_value(pack, code) for code in all_five]
    points = 2 * sum(sum(some) == FIFTEEN for n in range(2, len(values) + 1) for some in combinations(values, n))
    ranks = Counter(place_of(pack, code) for code in all_five)
    points += sum(n * (n - 1) for n in ranks.values())
    points += sum(len(run) * prod(ranks[place] for place in run) for run in longest_runs(ranks))
    same = suits[-1] == suits[0]
    if len(cards) >= 4 and len(set(suits[:-1])) == 1 and (same or not crib):
        points += len(cards) + same
    return points + any(pack.rank_of[code] == "J" and pack.suit_of[code] == suits[-1] for code in cards)


def longest_runs(places: Iterable[int]) -> list[list[int]]:
    """The runs of three places or more, none within another.

    >>> longest_runs([1, 2, 3, 5, 6]), longest_runs([9, 10, 12])
    ([[1, 2, 3]], [])
    """
    runs: list[list[int]] = []
    for place in sorted(places):
        if runs and runs[-1][-1] == place - 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return [run for run in runs if len(run) > 2]


def pegged_until(
    target: int, before: Mapping[str, int | None], pegs: Iterable[tuple[str, int | None]],
) -> tuple[dict[str, int | None], str]:
    """The points of a hand that are pegged in this order, and who comes to the target with them ("" if none does): what
    follows is not pegged any more, and no player goes beyond. A figure is None after one that is unknown."""
    gained: dict[str, int | None] = dict.fromkeys(before, 0)
    for who, n in pegs:
        had, so_far = before[who], gained[who]
        gained[who] = None if n is None or so_far is None else so_far + n
        now = gained[who]
        if had is not None and now is not None and had + now >= target:
            gained[who] = target - had
            return gained, who
    return gained, ""
