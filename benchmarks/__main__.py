"""Measure, print a table of ratios: `python -m benchmarks [--only WORD] [--game GAME] [--events N] [--quick]` (or
`make bench`).

Times are CPU seconds of this process (or of child processes); Kibitz and its peer take turns, and the best of several
rounds counts for each. Where the disk is involved the two sides are timed call by call in turn and the medians of wall
time are compared. A ratio is how many times as fast as its peer Kibitz is; in the rows headed "costs" it is how many
times what the peer takes, so smaller is better. `goal` is for
plain Python, and for the core compiled too unless it has a goal of its own.
"""

from __future__ import annotations

import argparse
import gzip
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from random import Random

import msgspec

from benchmarks.peers import Library, Peer, chess_games, poker_hands, spiel_games
from benchmarks.repetition import FEW, MANY, slowest
from events.canon import encode
from events.model import Open, Recorded
from records import load_file
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.games.jersey_gin import MELDS
from reducers.registry import games_with_cards
from replay.auditing.audit import audit
from replay.auditing.audit_text import audit_lines
from replay.auditing.check import check
from replay.fold import Corrected, apply_events, corrected, fold
from replay.judging.judge import judge
from replay.paper.report import render_report, report
from replay.read_log import ReadLog, read_log
from replay.redact import hide
from replay.scoring.as_played import scored
from replay.scoring.hands import folded_log
from replay.simulate import simulate
from replay.viewer.document import document
from replay.viewer.frames import Frames
from replay.viewer.page import replay_html

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("events", "reducers", "records", "replay", "cli")
ROUNDS = 9
FOLDS = 10
"""To fold the record of an evening takes too little time to be timed once."""

Log = tuple[Recorded, ...]


class Row(msgspec.Struct):
    """One line of the table. `ratio` is better large, or small where `costs`."""

    what: str
    ours: str
    peer: str
    ratio: float
    goal: str = ""
    compiled: str = ""
    costs: bool = False

    def cells(self) -> tuple[str, ...]:
        """As it is printed."""
        return (
            self.what, self.ours, self.peer, f"{'costs ' if self.costs else ''}{self.ratio:.2f}x", self.goal,
            self.compiled,
        )


def cpu(*works: Callable[[], object], rounds: int = 0) -> list[float]:
    """CPU seconds of one call of each, the best of several rounds in which they take turns."""
    best = [float("inf")] * len(works)
    for _ in range(rounds or ROUNDS):
        for i, work in enumerate(works):
            begun = time.process_time()
            work()
            best[i] = min(best[i], time.process_time() - begun)
    return best


def child_cpu(*commands: tuple[str, ...]) -> list[float]:
    """CPU seconds of whole processes, the best of several rounds in which they take turns."""
    best = [float("inf")] * len(commands)
    for _ in range(ROUNDS):
        for i, command in enumerate(commands):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, cwd=ROOT)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            best[i] = min(best[i], after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


# -- what is played


EVENTS = 8_000
"""A game is measured with matches of so many events together, or a little more."""


@cache
def matches(game: str) -> tuple[Log, ...]:
    """Complete records of whole matches, about ten thousand events together unless fewer were asked for."""
    logs: list[Log] = []
    while sum(map(len, logs)) < EVENTS and len(logs) < 40:
        logs.append(tuple(simulate(game, seed=len(logs))))
    return tuple(logs)


def events_of(game: str) -> int:
    """How many events these are."""
    return sum(map(len, matches(game)))


def checked(game: str) -> Callable[[], object]:
    """Fold and check all of them."""
    logs = matches(game)
    return lambda: [judge(log) for log in logs]


def against(game: str, peer: Peer, name: str, goal: str = "", compiled: str = "") -> Row:
    """Events a second folded and checked, beside the moves a second of a peer."""
    play, moves = peer
    ours, theirs = cpu(checked(game), play)
    rate, other = events_of(game) / ours, moves / theirs
    return Row(
        f"fold + all checks, {game}", f"{rate:,.0f} events/s", f"{name} {other:,.0f} moves/s", rate / other, goal,
        compiled,
    )


ONLY_GAMES: list[str] = []
"""The games that were asked for; all of them if it is empty."""


def asked_of() -> list[str]:
    """The games that rows of every game are made of."""
    return [game for game in games_with_cards() if not ONLY_GAMES or game in ONLY_GAMES]


# -- the rows


def _judge_all(logs: list[Log] | tuple[Log, ...]) -> None:
    for log in logs:
        judge(log)


def melds() -> Iterator[Row]:
    """Best melds of hands that are rich in them."""
    play, moves = chess_games()
    chosen, rich = Random(2), [rank + suit for rank in "56789" for suit in "cdhs"]
    hands = [MELDS.pack.bag(chosen.sample(rich, 10)) for _ in range(10_000)]
    ours, theirs = cpu(lambda: [MELDS.best(hand) for hand in hands], play)
    rate, other = len(hands) / ours, moves / theirs
    yield Row(
        "best melds of ten cards from 5 to 9", f"{rate:,.0f} hands/s", f"python-chess {other:,.0f} moves/s",
        rate / other, "1x",
    )


def reading() -> Iterator[Row]:
    """Decoding, opening, seeking."""
    logs = matches("kaiser")
    lines = [encode(r) for log in logs for r in log]
    starts = [0]
    for log in logs:
        starts.append(starts[-1] + len(log))
    decoder = msgspec.json.Decoder(Recorded)
    bare, both = cpu(
        lambda: [decoder.decode(line) for line in lines],
        lambda: [fold([decoder.decode(line) for line in lines[a:b]]) for a, b in pairwise(starts)],
    )
    yield Row(
        "decode and fold, kaiser", f"{both / len(lines) * 1e6:.2f} µs/event",
        f"bare msgspec decode {bare / len(lines) * 1e6:.2f} µs", both / bare, costs=True,
    )
    long = logs[0]
    chance = [Random(3).randrange(len(long)) for _ in range(50)]
    seek, whole = cpu(lambda: [fold(long, until=n) for n in chance], lambda: [fold(long) for _ in chance])
    yield Row(
        "seek to any position of a match", f"{seek / 50 * 1e6:,.0f} µs", f"full replay {whole / 50 * 1e6:,.0f} µs",
        seek / whole, "1.1x", "0.6x", True,
    )
    yield opening()


def opening() -> Row:
    """A match of 60 events out of the store and folded, beside the library `eventsourcing` getting an aggregate of
    60."""
    from records import Store

    log = simulate("kaiser", seed=1)[:60]
    assert isinstance(log[0].event, Open)
    with tempfile.TemporaryDirectory() as folder:
        library = Library(f"{folder}/b.db")
        number = library.save(log)
        with Store.open(f"{folder}/a.db") as store:
            name = "m"
            store.import_match(name, log, game="kaiser")
            ours, theirs = cpu(
                lambda: [fold(store.read(name)) for _ in range(50)],
                lambda: [library.app.repository.get(number) for _ in range(50)]
            )
        library.app.close()
    return Row(
        "open a match of 60 events and fold it", f"{ours / 50 * 1e6:,.0f} µs",
        f"eventsourcing, get of 60 {theirs / 50 * 1e6:,.0f} µs", theirs / ours, "8x",
    )


def appends() -> Iterator[Row]:
    """One validated durable append to a match of 60 events and more, with the folded state kept and without, beside a
    bare overwrite and sync; in a new store, and in one whose log file has stopped growing."""
    from records import Store

    log = simulate("kaiser", seed=0)
    opening = log[0].event
    assert isinstance(opening, Open)
    with tempfile.TemporaryDirectory(dir=ROOT) as folder:
        bare = os.open(os.path.join(folder, "bare"), os.O_RDWR | os.O_CREAT)
        block = b"k" * 4096
        os.pwrite(bare, block, 0)
        os.fsync(bare)

        def timed(store: Store, how: str) -> tuple[float, float]:
            ours, theirs = [], []
            for _ in range(6):
                match = store.create_match(opening.facts, game="kaiser")
                store.append(match, log[1:61])
                state = fold(log[:61])
                for r in log[61:91]:
                    begun = time.perf_counter()
                    if how == "again":
                        state = fold(store.read(match))
                    evolve(state, r.event)
                    store.append(match, [r], expect=r.n - 1)
                    middle = time.perf_counter()
                    os.pwrite(bare, block, 0)
                    os.fdatasync(bare)
                    ours.append(middle - begun)
                    theirs.append(time.perf_counter() - middle)
            return statistics.median(ours), statistics.median(theirs)

        with Store.open(os.path.join(folder, "a.db")) as store:
            for age, label, how, goal in (
                (0, "state at hand, new store", "at hand", ""), (700, "state at hand", "at hand", "1.5x"),
                (0, "match folded again", "again", "2.5x"),
            ):  # fmt: skip
                if age:
                    match = store.create_match(opening.facts, game="kaiser")
                    for i in range(age):
                        store.append(match, [log[1 + i % 200]])
                one, other = timed(store, how)
                yield Row(
                    f"one durable append, {label}", f"{one * 1e6:.0f} µs",
                    f"4 KiB overwrite + fdatasync {other * 1e6:.0f} µs", one / other, goal, costs=True,
                )
        os.close(bare)


def bulk() -> Iterator[Row]:
    """Many events at once, beside bare rows."""
    from benchmarks.storage import appending, importing, logs

    some = logs(10_000)
    ours, theirs = appending(some[0])
    yield Row(
        "100 events in one commit", f"{ours * 1e6:,.0f} µs", f"the same rows bare {theirs * 1e6:,.0f} µs",
        theirs / ours, "0.9x",
    )
    open_, sealed, plain = importing(some)
    each = 1e6 / sum(map(len, some))
    for label, took, goal in (("", open_, "0.9x"), (", sealed at once", sealed, "0.6x")):
        yield Row(
            f"import from JSON Lines, 10,000 matches{label}", f"{took * each:.1f} µs/event",
            f"the same rows bare {plain * each:.1f} µs", plain / took, goal,
        )


def starting() -> Iterator[Row]:
    """The command from the press of the key to its end, as it is once it was installed: compiled to bytecode."""
    subprocess.run([sys.executable, "-m", "compileall", "-q", *PACKAGES], check=True, cwd=ROOT)
    kibitz = str(Path(sys.executable).with_name("kibitz"))
    example = str(ROOT / "examples" / "kaiser-evening.kib")
    with tempfile.TemporaryDirectory() as folder:
        store = ("--db", os.path.join(folder, "a.db"))
        subprocess.run([kibitz, "new", "kaiser", "--id", "bench", *store], stdout=subprocess.DEVNULL, check=True)
        line = f"echo 'note {{a card fell}}' | {kibitz} append bench - --db {store[1]}"
        commands = {
            "kibitz --help": (kibitz, "--help"), "kibitz --version": (kibitz, "--version"),
            "kibitz show FILE": (kibitz, "show", example),
            "kibitz check FILE": ("sh", "-c", f"{kibitz} check {example} || true"),
            "kibitz append": ("sh", "-c", line),
        }  # fmt: skip
        nothing, *took = child_cpu((sys.executable, "-c", "pass"), *commands.values())
    for label, one in zip(commands, took, strict=True):
        goal = "" if "--" in label else "6x"
        yield Row(
            label, f"{one * 1000:.0f} ms", f"python -c pass {nothing * 1000:.0f} ms", one / nothing, goal, costs=True,
        )


def reports() -> Iterator[Row]:
    """What a record with corrections, inferred cards and findings costs, beside one plain fold of it."""
    loaded = load_file(str(ROOT / "examples" / "kaiser-evening.kib"))
    log, derived = tuple(loaded.records), [(d.line, d.text) for d in loaded.derived]
    works: dict[str, Callable[[], object]] = {
        "check": lambda: check(log, derived),
        "audit": lambda: list(audit_lines(audit(log, derived=derived), "")),
        "report": lambda: render_report(report(log, 3, derived=derived), "html"),
    }
    # Short works, which one interruption spoils: more rounds.
    plain, *took = cpu(lambda: [fold(log) for _ in range(FOLDS)], *works.values(), rounds=3 * ROUNDS)
    for name, one in zip(works, took, strict=True):
        yield Row(
            f"{name} of the Kaiser evening", f"{one * 1e3:.1f} ms", f"one fold {plain / FOLDS * 1e3:.2f} ms",
            one * FOLDS / plain, costs=True,
        )


def framed(log: Log) -> None:
    """Work out all frames of a match: the first of each hand, then what changes."""
    view = corrected(log)
    state = begin(view.opening.facts)
    frames = Frames(state, "all")
    for placed in view.events:
        state.at = state.table.now = placed.n
        evolve(state, placed.event)
        frames.whole() if frames.anew else frames.changed()


def replays() -> Iterator[Row]:
    """The frames of a replay beside folding and checking it, and how large the pages of the examples are."""
    rates: list[float] = []
    for game in asked_of():
        logs, n = matches(game)[:10], sum(map(len, matches(game)[:10]))
        # Each match is timed for itself, so that an interruption spoils one of them.
        judged, told = map(
            sum, zip(*(cpu(partial(judge, log), partial(framed, log), rounds=5) for log in logs), strict=True),
        )
        rates.append(judged / told)
        yield Row(
            f"frames of a replay, {game}", f"{n / told:,.0f} events/s", f"fold + checks {n / judged:,.0f} events/s",
            rates[-1], "0.5x",
        )
    yield Row("median of all games", "", "fold + checks", statistics.median(rates), "0.5x")
    packed, whole = {}, {}
    for path in sorted((ROOT / "examples").glob("*.kib")):
        doc = document(load_file(str(path)).records)
        packed[path.stem] = len(gzip.compress(msgspec.json.encode(doc), 9))
        whole[path.stem] = len(replay_html(doc).encode())
    for what, sizes, most in (
        ("data of an example, compressed", packed, 60_000), ("page of an example", whole, 150_000),
    ):
        name = max(sizes, key=sizes.__getitem__)
        yield Row(
            f"{what}, the largest ({name})", f"{sizes[name]:,} bytes", f"{most:,} bytes", sizes[name] / most, "1x",
            costs=True,
        )


def profile() -> Iterator[tuple[str, ...]]:
    """Where the time of a record goes, µs an event: decoding, the fold, the checks, hindsight, and the score once
    folded."""
    yield ("game", "decode", "fold", "checks", "hindsight (hands unseen)", "score")
    for game in asked_of():
        logs, n = matches(game), events_of(game)
        lines = [encode(r) for log in logs for r in log]
        unseen = [tuple(hide(log)) for log in logs[:3]]
        decoder = msgspec.json.Decoder(Recorded)
        views = [corrected(log) for log in logs]
        known = [read_log(log) for log in logs]
        for one in known:
            one.once(folded_log)
        decode, fold_, all_, score = cpu(
            partial(_decode_all, decoder, lines), partial(_fold_all, views), checked(game), partial(_score_all, known),
            rounds=5
        )
        (blind,) = cpu(partial(_judge_all, unseen), rounds=2)
        m = sum(map(len, unseen))
        yield (
            game,
            *(
                f"{t * 1e6:.2f}"
                for t in (decode / n, fold_ / n, max(0.0, all_ - fold_) / n, max(0.0, blind / m - all_ / n), score / n)
            )
        )


def _decode_all(decoder: msgspec.json.Decoder[Recorded], lines: list[bytes]) -> None:
    for line in lines:
        decoder.decode(line)


def _fold_all(views: list[Corrected]) -> None:
    for view in views:
        apply_events(view.opening, view.events)


def _score_all(logs: list[ReadLog]) -> None:
    for one in logs:
        scored(one)


def every() -> Iterator[tuple[str, ...]]:
    """Every game beside python-chess, and its rate with unseen hands beside its own: three works that take turns."""
    yield ("game", "events/s", "of python-chess", "hands unseen")
    play, moves = chess_games()
    rates, shares = [], []
    for game in asked_of():
        logs, n = matches(game), events_of(game)
        unseen = [tuple(hide(log)) for log in logs]
        seen, blind, chess = cpu(partial(_judge_all, logs), partial(_judge_all, unseen), play)
        rates.append(n / seen / (moves / chess))
        shares.append(seen / blind)
        yield (game, f"{n / seen:,.0f}", f"{rates[-1]:.2f}x", f"{shares[-1]:.2f}x")
    yield ("median", "", f"{statistics.median(rates):.2f}x", f"{statistics.median(shares):.2f}x")
    yield ("lowest", "", f"{min(rates):.2f}x", f"{min(shares):.2f}x")


def peers() -> Iterator[Row]:
    """Games beside the same or a similar game of another library."""
    spades = spiel_games("spades", 60)
    yield against("kaiser", chess_games(), "python-chess", "4.5x", "9x")
    yield against("kaiser", spades, "open_spiel spades", "0.3x", "0.7x")
    yield against("botifarra", spades, "open_spiel spades", "0.3x", "0.7x")
    yield against("jersey-gin", spiel_games("gin_rummy", 20), "open_spiel gin_rummy", "1.5x", "4x")
    yield against("pontoon", poker_hands(60), "pokerkit", "8x", "20x")


def repeating() -> Iterator[Row]:
    """Lines repeated without end: what grows fastest with them, beside n log n."""
    ratio, ours, due, what = slowest()
    yield Row(
        f"judge {MANY:,} repeated lines, the worst of all ({what})", f"{ours * 1e3:,.0f} ms",
        f"n log n from {FEW} lines {due * 1e3:,.0f} ms", ratio, "1.3x", costs=True,
    )


SECTIONS: dict[str, Callable[[], Iterator[Row]]] = {
    "peers": peers, "melds": melds, "reading": reading, "appends": appends, "bulk": bulk,
    "starting": starting, "repeating": repeating, "reports": reports, "replays": replays,
}  # fmt: skip
TABLES: dict[str, Callable[[], Iterator[tuple[str, ...]]]] = {"every": every, "profile": profile}
"""Tables of another form."""


def table(rows: Iterable[tuple[str, ...]]) -> None:
    """Print rows as a Markdown table, each as soon as it is there."""
    lines = iter(rows)
    head = next(lines)
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in lines:
        print("| " + " | ".join(row) + " |", flush=True)


def main() -> None:
    """Run what was asked for and print the tables."""
    global ROUNDS, EVENTS
    wish = argparse.ArgumentParser(prog="python -m benchmarks")
    wish.add_argument("--only", choices=[*SECTIONS, *TABLES], help="one section")
    wish.add_argument(
        "--game", action="append", choices=games_with_cards(), metavar="GAME",
        help="of rows of every game these alone; may be repeated",
    )
    wish.add_argument("--quick", action="store_true", help="fewer rounds")
    wish.add_argument(
        "--events", type=int, default=EVENTS, metavar="N", help=f"so many events of a game (else {EVENTS:,})",
    )
    options = wish.parse_args()
    ONLY_GAMES.extend(options.game or ())
    ROUNDS, EVENTS = 3 if options.quick else ROUNDS, options.events
    rows = [("what", "Kibitz", "against", "ratio", "goal", "goal compiled")]
    for name, section in SECTIONS.items():
        if options.only in (name, None):
            rows += [row.cells() for row in section()]
    if len(rows) > 1:
        table(rows)
    for name, lines in TABLES.items():
        if options.only in (name, None):
            print()
            table(lines())


if __name__ == "__main__":
    main()
