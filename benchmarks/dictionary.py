"""Train a dictionary for sealing: `python -m benchmarks.dictionary FILE`.

The samples are what is compressed when a match is sealed (records/sealed_codec.py): simulated matches of all games,
whole and by the hand, in the forms in which they come: written down live, with or without submission keys, with
hidden hands, and imported without times. Same program, same `zstandard`: same bytes.

To ship a new one: give it the next number in `records/dictionaries/`, and write the number and the hash that this
prints into `DICTIONARIES` of records/sealed_codec.py. The old ones stay: blobs name theirs.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from events.canon import encode_body
from events.model import Recorded, verb_of
from records.rows import EventLine
from records.sealed_codec import _written
from reducers.registry import PAGES
from replay.redact import hide
from replay.simulate import simulate, simulate_breaches

SIZE = 48 * 1024
MATCHES = 40
FORMS = ("live", "keys", "bare", "simulated")


def lines_of(log: list[Recorded], form: str, chance: Random) -> list[EventLine]:
    """A log as the store would hold it, entered in one of the forms."""
    now = datetime(2020 + chance.randrange(10), 1 + chance.randrange(12), 1 + chance.randrange(28), 20, tzinfo=UTC)
    at = chance.randrange(1, 100_000)
    who = chance.choice(["ann", "bob", "Marie", "table 3"])
    lines = []
    for r in log:
        now += timedelta(milliseconds=chance.randrange(700, 15_000))
        time, recorder, key = r.time, r.recorder, r.key
        if form in ("live", "keys"):
            time, recorder = now.isoformat(timespec="milliseconds")[:23] + "Z", who
            key = f"{chance.getrandbits(64):016x}" if form == "keys" else ""
        elif form == "bare":
            time = recorder = key = ""
        lines.append(EventLine(at, r.n, verb_of(r.event), r.v, time, recorder, key, encode_body(r)))
        at += 1
    return lines


def samples(seed: int) -> Iterator[bytes]:
    """What would be compressed, for matches of every game."""
    for game in sorted(PAGES):
        for i in range(MATCHES):
            chance = Random(f"{game} {seed} {i}")
            log = simulate_breaches(game, seed=f"{seed} {i}", hands=1)[0] if i % 4 == 1 else simulate(
                game, seed=f"{seed} {i}", hands=1 + i % 3 // 2,
            )
            # A match of a thousand events would drown the others, and needs a dictionary least.
            log = (hide(log) if i % 4 == 3 else log)[:250]
            yield _written(lines_of(log, FORMS[i % 4], chance))


def main() -> None:
    """Train, write, and say the hash."""
    import zstandard

    data = zstandard.train_dictionary(SIZE, list(samples(1)), dict_id=int(Path(sys.argv[1]).stem)).as_bytes()
    Path(sys.argv[1]).write_bytes(data)
    print(f"{len(data)} bytes, {hashlib.sha256(data).hexdigest()[:16]}, zstandard {zstandard.__version__}")


if __name__ == "__main__":
    main()
