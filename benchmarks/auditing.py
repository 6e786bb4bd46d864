"""What becomes of the judge's answers when a record says less than happened, or says it wrongly.

    python -m benchmarks.auditing [--logs 20] [--games kaiser,scopa] [--kinds hidden,half-seen] [--show] [--markdown]
    python -m benchmarks.auditing --games yaniv --seats 'A B C D' --option decks=2

What is counted, and what each word means, stands in `replay.testing.measuring`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from events.model import Recorded
from reducers.registry import games_with_cards
from replay.degrade import KINDS, SEEING, SLIPS, Degraded
from replay.testing.corpus import corpus
from replay.testing.measuring import ANY_GAME, Count, Row, accuses_nobody, always_a_typo, measure, shown, verdict


def before(game: str, kinds: Iterable[str] = KINDS) -> float:
    """The share of provable breaches that may not be lost: what was proven without doubt when this was first
    measured."""
    measured, unsound = _PROVEN.get(game, {}), NO_PROOF.get(game, {})
    rows = [(measured[kind][0] - len(unsound.get(kind, ())), measured[kind][1]) for kind in kinds if kind in measured]
    proven = sum(proven for _, proven in rows)
    return sum(kept for kept, _ in rows) / proven if proven else ANY_GAME


TURNED_UP = "B passes twice, and the card that B turned up in between may be missing from the record"
NO_PROOF: Mapping[str, Mapping[str, Sequence[str]]] = {
    "conquian": {
        **dict.fromkeys(
            ("hidden", "half-seen", "uncounted", "late", "swapped", "doubled", "mistyped"),
            (f"match 2, R9 at 42: {TURNED_UP}",),
        ),
        "left out": (f"match 2, R9 at 41: {TURNED_UP}",),
    },
    "jersey-gin": {
        "uncounted": (
            (
                "match 1, R7 at 84: the cards dealt to A were not counted; with more than were shown the "
                "deadwood may have been less"
            ),
            "match 1, R8 at 85: the same",
        ),
        "late": (
            (
                "match 2, R3 at 32: in a gap of about one line the next hand may have begun, and with eleven "
                "cards gin is said"
            ),
        ),
    },
}
"""What was among that and was no proof: the match of the corpus, the rule and the line of the degraded log, and why."""
_PROVEN: dict[str, dict[str, tuple[int, int]]] = json.loads(Path(__file__).with_name("proven.json").read_text("utf-8"))


def controls(games: Iterable[str], logs: int) -> Iterator[str]:
    """A sentence for each judge that is of no use and passes; there is none."""
    for control in (always_a_typo, accuses_nobody):
        for game in games:
            row: Row = (game, "hidden", False)
            if not verdict(game, {row: measure(corpus(*row, range(logs)), control)}, before(game, ["hidden"])).missed:
                yield f"the control `{control.__name__}` passes in {game}: the proof proves nothing"


HEADS = (
    "game", "degraded", "match", "logs", "accused (shown)", "kept", "wrong figures", "findings", "exit 1", "s a log",
)
WIDE = (16, 9, 8, 4, 15, 13, 13, 8, 6, 7)


def line(cells: Sequence[object]) -> str:
    """A line of the long table."""
    return "  ".join(
        f"{cell!s:<{w}}" if i < 3 else f"{cell!s:>{w}}" for i, (cell, w) in enumerate(zip(cells, WIDE, strict=True))
    )


def figures(row: Row, c: Count) -> str:
    """The figures of one game and kind, legal or with breaches."""
    game, kind, legal = row
    kept = f"{c.kept}/{c.proven} {c.share:.0%}" if c.proven else "-"
    return line((game, kind, "legal" if legal else "breaches", c.logs, f"{c.accused} ({c.shown})", kept, c.figures,
                 c.findings, c.crashed, f"{c.seconds / max(1, c.logs):.2f}"))  # fmt: skip


def markdown(counts: Mapping[Row, Count]) -> Iterator[str]:
    """The two tables of `docs/auditing.md`: by game, and by the way in which the records are degraded."""
    games = list(dict.fromkeys(game for game, _, _ in counts))
    kinds = [kind for kind in KINDS if any(row[1] == kind for row in counts)]

    def total(game: str | None, some: Iterable[str]) -> Count:
        wanted = set(some)
        return sum((c for (g, kind, _), c in counts.items() if game in (None, g) and kind in wanted), Count())

    def proven(c: Count) -> str:
        return f"{c.kept} of {c.proven} ({c.share:.1%})" if c.proven else "-"

    yield (
        "| game | seeing lost: accused, wrong figures, findings | unwritten: accused (shown) | one slip: "
        "accused (shown) | proven | proven before |"
    )
    yield "|---|---|---|---|---|---|"
    for game in games:
        seeing, rest, slips = (total(game, some) for some in (SEEING, ["unwritten"], SLIPS))
        yield (f"| {game} | {seeing.accused}, {seeing.figures}, {seeing.findings} of {seeing.logs} logs "
               f"| {rest.accused} ({rest.shown}) of {rest.logs} | {slips.accused} ({slips.shown}) of {slips.logs} "
               f"| {proven(total(game, kinds))} | {before(game, kinds):.1%} |")  # fmt: skip
    yield ""
    yield "| degraded | logs | accused | of these shown | wrong figures | findings | proven | exit 1 |"
    yield "|---|---|---|---|---|---|---|---|"
    for kind in kinds:
        c = total(None, [kind])
        strict = (c.figures, c.findings) if kind in SEEING else ("", "")
        yield f"| {kind} | {c.logs} | {c.accused} | {c.shown} | {strict[0]} | {strict[1]} | {proven(c)} | {c.crashed} |"


def main() -> int:
    """Print the figures, then the aims that are missed; 1 if there are any, or if a judge that is of no use passes."""
    reader = argparse.ArgumentParser(description="What becomes of the judge's answers when a record is poor.")
    reader.add_argument("--logs", type=int, default=20, help="so many logs of each game, kind and match")
    reader.add_argument("--games", default=",".join(games_with_cards()))
    reader.add_argument(
        "--seats", type=str.split, help="who sits there, as in 'A B C D'; the smallest table if nobody is named",
    )
    reader.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="a house rule; may be repeated",
    )
    reader.add_argument("--kinds", default=",".join(KINDS).replace(" ", "-"))
    reader.add_argument(
        "--show", type=int, nargs="?", const=1, default=0, help="print so many failing records of each rule",
    )
    reader.add_argument("--jobs", type=int, default=2, help="so many processes")
    reader.add_argument("--markdown", action="store_true", help="print the tables as they stand in docs/auditing.md")
    reader.add_argument("--keep", type=Path, help="keep the degraded logs in this file, and do nothing else")
    reader.add_argument("--over", type=Path, help="judge the logs kept in this file, of whatever version of the pages")
    reader.add_argument("--proven", type=Path, help="write what is proven to this file (`proven.json` keeps what was)")
    given = reader.parse_args()
    games = given.games.split(",")
    wanted = [k for k in KINDS if k.replace(" ", "-") in given.kinds.split(",")]
    rows: list[Row] = [(game, kind, legal) for game in games for kind in wanted for legal in (True, False)]
    terms = {"seats": given.seats, "options": dict(option.split("=", 1) for option in given.option)}
    if given.keep:
        kept = [one for row in rows for one in corpus(*row, range(given.logs), **terms)]
        given.keep.write_bytes(msgspec.msgpack.encode(kept))
        return 0
    counts: dict[Row, Count] = {}
    if not given.markdown:
        print(line(HEADS))
    pool = ProcessPoolExecutor(given.jobs)
    for row, count in zip(rows, pool.map(partial(_counted, given.logs, given.over, terms), rows), strict=True):
        counts[row] = count
        if not given.markdown:
            print(figures(row, count), flush=True)
        told: Counter[str] = Counter()
        for failure in count.failures if given.show else ():
            told[failure.key[1]] += 1
            if told[failure.key[1]] <= given.show:
                print(shown(failure), flush=True)
    if given.proven:
        proven = {g: {k: (c.kept, c.proven) for k in wanted if (c := counts[g, k, False]).proven} for g in games}
        given.proven.write_text(json.dumps(proven, indent=1) + "\n", encoding="utf-8")
    if given.markdown:
        print(*markdown(counts), sep="\n")
    missed = []
    for game in games:
        kinds = [k for k in wanted if k in _PROVEN.get(game, {})] or wanted
        mine = {row: c for row, c in counts.items() if row[0] == game}
        missed += [f"{game}: {text}" for text in verdict(game, mine, before(game, kinds), kinds).missed]
    missed += controls(games, min(3, given.logs))
    print(*missed, sep="\n", file=sys.stderr)
    return bool(missed)


def _counted(logs: int, over: Path | None, terms: dict[str, Any], row: Row) -> Count:
    """The figures of one row, in a process of its own."""
    return measure(corpus(*row, range(logs), **terms) if over is None else _read(over).get(row, []))


@cache
def _read(file: Path) -> dict[Row, list[Degraded]]:
    """Degraded logs as they were kept, with one copy of what several were made from."""
    out: dict[Row, list[Degraded]] = {}
    copies: dict[bytes, tuple[Recorded, ...]] = {}

    def once(log: tuple[Recorded, ...]) -> tuple[Recorded, ...]:
        return copies.setdefault(msgspec.msgpack.encode(log), log)

    for one in msgspec.msgpack.decode(file.read_bytes(), type=list[Degraded]):
        one = replace(one, whole=once(one.whole), happened=once(one.happened))
        out.setdefault((one.truth.game, one.kind, one.legal), []).append(one)
    return out


if __name__ == "__main__":
    sys.exit(main())
