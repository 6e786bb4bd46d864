"""How many keys a hand and a result take, of every game: `python -m benchmarks.keys [--hands 5] [GAME ...]`.

A hand is a simulated one with hidden cards, as a practised recorder types it, in the shortest lines that are read as
its acts and no others (`replay.table.typist`): every key counts, Enter too. A result is the line `r …` that tells
the same hand afterwards, in the order of the page; what it is told in is read back, and scores as the hand did. Of
each the median, the fewest and the most are printed, for the usual number of players.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from events.model import Open, Recorded
from reducers.evolve import evolve
from reducers.facts import set_fact
from reducers.first_state import begin
from reducers.games import pontoon, seven_and_a_half
from reducers.model import State
from reducers.registry import PAGES, find_game
from reducers.tally import FactSpec
from replay.fold import fold
from replay.redact import hide
from replay.simulate import simulate
from replay.table.result_line import next_asked, read_answer
from replay.table.session import Session
from replay.table.typist import lines_of_a_hand

SEATS: Mapping[str, str] = {"yaniv": "ABCD", "pontoon": "ABCD", "mattis": "ABCD"}
"""Tables that are usual, where the page admits fewer players too."""
WRITTEN = {"pontoon": pontoon.WRITTEN, "seven-and-a-half": seven_and_a_half.WRITTEN}
"""What the hands of these games are, by the words that tell it."""
HANDS = 5
GAMES = [key for key in sorted(PAGES) if find_game(key).has_cards]


# -- a hand


def keys_of_a_hand(game: str, seed: int) -> int:
    """The keys of a simulated hand whose hands are hidden, Enter included."""
    log = hide(simulate(game, seed=seed, hands=1, seats=SEATS.get(game)))
    return sum(line.keys for line in lines_of_a_hand(log))


# -- a result


def settled_hands(game: str, seed: int) -> Iterator[State[Any]]:
    """A simulated hand as it was settled; none if it was void."""
    records = simulate(game, seed=seed, hands=1, seats=SEATS.get(game))
    assert isinstance(records[0].event, Open)
    state = begin(records[0].event.facts)
    for record in records[1:]:
        settled = state.settled
        state.at = state.table.now = record.n
        evolve(state, record.event)
        if state.settled and not settled and state.score is not None and state.score.source != "void":
            yield state


def word(value: Any, game: str = "") -> str:
    """A value as it is typed; `-` for what nobody knows."""
    if isinstance(value, frozenset):
        return next((name for name, n in WRITTEN[game].items() if value == {n}), "-")
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple) and value and isinstance(value[0], int):
        return word(value[0] if value[0] == value[1] else None)
    if isinstance(value, tuple | list):
        return ",".join(value).lower() or "-"
    return "-" if value in (None, "") else str(value).lower()


def of_the_hand(attribute: str, one: FactSpec, who: str, state: State[Any]) -> str:
    """What the page counted, of the hand or of somebody."""
    tally: Any = state.game.compute_tally(state)
    if one.deals:
        return state.dealer.lower()
    value = getattr(tally, attribute)
    if isinstance(value, dict):
        mine = [name for name in value if name == who or name.startswith(f"{who}:")]
        return ",".join(word(value[name], state.game.key) for name in sorted(mine)) or "-"
    if value in (None, ""):
        # Words such as `no` (no trump) tell another fact in the place of this one.
        told = {said: next(iter(facts.items())) for said, facts in one.instead.items()}
        for said, (key, fact) in told.items():
            other = next(a for a, o in type(tally).told.items() if o.key == key)
            if other == attribute or getattr(tally, other) == fact:
                return said
    return word(value, state.game.key)


def result_line(state: State[Any], opening: State[Any]) -> str:
    """The line that tells the hand just played, in the order of the page; what is not known at its end is left out."""
    facts: dict[str, Any] = {}
    said, words = set[str](), ["r"]
    while (one := next_asked(said, facts, opening)) is not None:
        shape, _, who = one.key.partition(".")
        attribute, told = next(
            (a, t) for a, t in state.game.tally.told.items() if {one.key, f"{shape}.*"} & set(t.facts)
        )
        words.append(of_the_hand(attribute, told, who, state))
        said.add(one.key)
        answer = read_answer(words[-1], one, opening)
        assert answer is not None, (one, words)
        for key, value in answer.items():
            set_fact(facts, key, value)
    while words[-1] == "-":
        words.pop()
    return " ".join(words)


def told_in_one_line(state: State[Any]) -> str:
    """The same line, typed and read back: it leaves no doubt, and scores as the hand did. AssertionError if not."""
    facts = {"Game": state.game.key, "Seats": " ".join(state.terms.seats), "Dealer": state.dealer}
    session = Session([Recorded(n=0, event=Open(by="@", facts=facts))])
    line = result_line(state, session.state)
    draft = session.complete(line)
    assert not draft.doubts, (line, draft.doubts)
    after = fold([*session.records, *(Recorded(n=n, event=r.event) for n, r in enumerate(draft.events, 1))])
    assert after.score is not None, line
    assert state.score is not None, line
    assert after.score.points == state.score.points, line
    return line


# -- the table


def figures(keys: Sequence[int]) -> str:
    """The median, and the fewest and the most.

    >>> figures([15, 13, 22]), figures([])
    ('15 (13 to 22)', 'none')
    """
    return f"{statistics.median(keys):.0f} ({min(keys)} to {max(keys)})" if keys else "none"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--hands", type=int, default=HANDS, help="hands a game")
    parser.add_argument("games", nargs="*", metavar="GAME", help="these games; else all")
    args = parser.parse_args()
    print("| game | players | keys of a hand | keys of a result | such as |\n|---|---:|---:|---:|---|", flush=True)
    for game in args.games or GAMES:
        hands = [keys_of_a_hand(game, seed) for seed in range(args.hands)]
        told = [(state, told_in_one_line(state)) for seed in range(args.hands) for state in settled_hands(game, seed)]
        results = [len(line) + 1 for _, line in told]
        players = len(told[0][0].terms.seats) if told else ""
        print(
            f"| {game} | {players} | {figures(hands)} | {figures(results)} | `{told[0][1] if told else ''}` |",
            flush=True,
        )


if __name__ == "__main__":
    main()
