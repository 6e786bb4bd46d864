"""Tables and searches over a large archive: `python -m benchmarks.seasons [--matches N] [--keep FOLDER]`.

The archive is one-hand matches of six games, ended by agreement and sealed, played by 400 players in books of 2,000
(40 evenings of 50 matches). A few hundred matches are simulated, 1 in 60 with breaches; the others are copies of
them under ids, days and players of their own. The index is built once; then it is asked as the commands ask it: each
question opens the store and the index, looks whether anything is new, and answers. Times are wall time and CPU time,
the medians of the rounds.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path

from msgspec.structs import replace

from benchmarks.storage import place
from events.model import End, Note, Open, Recorded
from events.register_notes import NameLink
from records import Store, players
from records.projection.index import Index, index_path
from records.projection.search import Wanted, people, search
from records.projection.standings import Chosen, Standings
from replay.season.facts import match_facts
from replay.season.formula import measure
from replay.season.ratings import rate
from replay.season.table import SeasonRequest, season_tables
from replay.simulate import simulate_breaches

GAMES = ("kaiser", "hasenpfeffer", "scopa", "xeri", "briscola", "scotch-whist")
IN_A_BOOK, IN_AN_EVENING, PLAYERS, IN_A_CLUB = 2000, 50, 400, 60
ROUNDS = 5


def logs(number: int) -> Iterator[tuple[str, list[Recorded]]]:
    """The book and the log of each match."""
    rng = random.Random(24)
    played = [
        list(simulate_breaches(game, seed=seed, p=0.02 if seed == 0 else 0.0, hands=1)[0]) for seed in range(60)
        for game in GAMES
    ]
    names = [f"Player {n:03}" for n in range(PLAYERS)]
    for i in range(number):
        opening, *rest = played[rng.randrange(len(played))]
        assert isinstance(opening.event, Open)
        book, within = divmod(i, IN_A_BOOK)
        day = date(2020, 1, 7) + timedelta(days=280 * (book // 7) + 7 * (within // IN_AN_EVENING))
        club = random.Random(book).sample(names, IN_A_CLUB)
        seats = str(opening.event.facts["Seats"]).split()
        facts = {
            **opening.event.facts, "Match": f"m-{i:07}", "Date": day.isoformat(),
            "Event": f"Evening {within // IN_AN_EVENING + 1}",
            **dict(zip(seats, rng.sample(club, len(seats)), strict=True)),
        }  # fmt: skip
        last = rest[-1].n
        rest = [*rest, Recorded(n=last + 1, event=End(by="@", what="match", why="late"), time=rest[-1].time)]
        if i % 100 == 0:
            rest.append(
                Recorded(
                    n=last + 2, event=Note(by="@", refs=(3,)), text=f"A remark about the {i // 100}th hand",
                    time=rest[-1].time,
                )
            )
        yield f"club-{book:02}", [replace(opening, event=Open(by="@", facts=facts)), *rest]


def fill(path: Path, number: int) -> int:
    """Make the archive; how many events it has."""
    events = 0
    waiting = logs(number)
    with Store.open(path) as store:
        while True:
            piece = [one for _, one in zip(range(200), waiting, strict=False)]
            if not piece:
                break
            with store.together():
                for book, log in piece:
                    opening = log[0].event
                    assert isinstance(opening, Open)
                    store.import_match(
                        str(opening.facts["Match"]), log, game=str(opening.facts["Game"]), book=book, sealed=True,
                    )
                    events += len(log)
        for n in range(3):
            player = players.add_player(store, f"Member {n}")
            players.link_name(store, player, NameLink(name=f"Player {n:03}"))
    return events


def asked(path: Path, ask: Callable[[Index], object], rounds: int = ROUNDS) -> tuple[float, float]:
    """Seconds of wall time and of CPU time to open store and index and to answer a question: the medians."""
    wall, cpu = [], []
    for _ in range(rounds):
        begun, used = time.perf_counter(), time.process_time()
        with Store.open(path, write=False) as store, Index.open(store, match_facts, "benchmark") as index:
            ask(index)
        wall.append(time.perf_counter() - begun)
        cpu.append(time.process_time() - used)
    return statistics.median(wall), statistics.median(cpu)


def row(what: str, wall: float, cpu: float) -> None:
    print(f"| {what} | {wall * 1000:,.0f} ms | {cpu * 1000:,.0f} ms |", flush=True)


def questions() -> dict[str, Callable[[Index], object]]:
    """What a club asks."""

    def one(index: Index) -> object:
        only = of(index, "Member 1")
        return season_tables(Standings(index, Chosen(), only), SeasonRequest("", measure("matches"), only=only))

    def table(book: str, by: str = "matches", **more: object) -> Callable[[Index], object]:
        return lambda index: season_tables(Standings(index, Chosen(book, **more)), SeasonRequest("", measure(by)))  # type: ignore[arg-type]  # handed on

    def rated(index: Index) -> object:
        standings = Standings(index, Chosen("club-00", "scotch-whist"))
        found = {(r.game, r.who): (r.mu, r.sigma, r.matches) for r in standings.ratings(rate)}
        return season_tables(standings, SeasonRequest("", measure("matches"), ratings=found))

    def of(index: Index, name: str) -> int:
        return next((id for id, label, *_ in people(index) if label == name), 0)

    return {
        "nothing: the store and the index are opened": lambda index: None,
        "table of a season (2,000 matches)": table("club-00"),
        "table of a season by points, a table a game": table("club-00", "points"),
        "table of all books": table(""),
        "table of one game in all books": table("", "points", game="kaiser"),
        "ratings of a season": rated,
        "one player in all books": one,
        "find a player's matches": lambda index: search(index, Wanted((of(index, "Member 1"),))),
        "find a contract that failed": lambda index: search(index, Wanted(contract="7 h", outcome="failed")),
        "find a contract of a player": lambda index: search(
            index, Wanted((of(index, "Member 1"),), contract="no trump"),
        ),
        "find a finding by rule": lambda index: search(index, Wanted(rule="kaiser.R11", finding="broken")),
        "find a remark": lambda index: search(index, Wanted(comment="about the 99th")),
        "find a score on a day": lambda index: search(index, Wanted(score=">9", first="2021-01-01", last="2021-12-31")),
        "find what is nowhere": lambda index: search(index, Wanted(comment="no such words", contract="13 nothing")),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--keep", help="a folder to make it in; what is there is asked again")
    given = parser.parse_args()
    with place() as folder:
        folder = Path(given.keep) if given.keep else folder
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "seasons.db"
        if not path.exists():
            begun = time.process_time()
            events = fill(path, given.matches)
            print(
                (
                    f"{given.matches:,} matches, {events:,} events, made in {time.process_time() - begun:,.0f} "
                    "s of CPU time"
                ),
                flush=True,
            )
        if not index_path(path).exists():
            begun = time.process_time()
            with Store.open(path, write=False) as store, Index.open(store, match_facts, "benchmark"):
                pass
            print(f"index built in {time.process_time() - begun:,.0f} s of CPU time", flush=True)
        print(f"store {path.stat().st_size / 1e6:,.0f} MB, index {index_path(path).stat().st_size / 1e6:,.0f} MB")
        print("| question | wall | CPU |\n|---|---|---|")
        for what, ask in questions().items():
            row(what, *asked(path, ask))
        with Store.open(path) as store:
            _, log = next(logs(1))
            opening = log[0].event
            assert isinstance(opening, Open)
            store.import_match(f"new-{time.time_ns()}", log, game=str(opening.facts["Game"]), book="club-00")
        row("the first question after a new match", *asked(path, ask, rounds=1))


if __name__ == "__main__":
    main()
