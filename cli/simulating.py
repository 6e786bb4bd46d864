"""Simulated matches, written to a folder, to one file, or to standard output."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
from msgspec.structs import replace

from cli import shell
from events import Open, Recorded, UsageError
from events.errors import StoreError
from events.file_names import file_name
from records import export_jsonl, export_kib
from records.names import stem
from replay.engines.port import Engine
from replay.redact import hide
from replay.simulate import Truth, derived_seed, simulate_breaches, with_slips


class Wish(msgspec.Struct, frozen=True):
    """The options of a simulation."""

    game: str
    matches: int
    hands: int | None
    seed: str
    hidden: bool = False
    mischief: float = 0.0
    slips: float = 0.0

    @property
    def has_truth(self) -> bool:
        """Whether the logs contain errors that they do not show themselves."""
        return self.mischief > 0 or self.slips > 0


Played = tuple[str, list[Recorded], Truth]


def play_one(number: int, wish: Wish) -> Played:
    """Simulate one match, with its id, from its own seed."""
    seed = derived_seed(wish.seed, number)
    log, truth = simulate_breaches(wish.game, seed=seed, p=wish.mischief, hands=wish.hands)
    if wish.slips:
        log, truth = with_slips(log, wish.slips, Random(f"{seed}/slips"), truth)
    if wish.hidden:
        log = hide(log)
    name = f"{stem(wish.game)}-{stem(wish.seed)[:12]}-{number + 1:04}"
    opening = log[0].event
    assert isinstance(opening, Open)
    log[0] = replace(log[0], event=Open(by=opening.by, facts={**opening.facts, "Match": name}))
    return name, log, truth


def play(wish: Wish, engine: Engine) -> Iterator[Played]:
    """The matches with their ids, in order, whichever engine plays them."""
    return engine.run(play_one, range(wish.matches), wish, _not_played)


def _not_played(number: int, why: str) -> Played:
    raise StoreError(f"match {number + 1} could not be played: {why}", todo="Try it with --engine processes --jobs 1")


def write_matches(wish: Wish, output: str | None, engine: Engine) -> None:
    """Simulate and write matches. Raises UsageError if they cannot be written."""
    matches = shell.progress(play(wish, engine), "playing", wish.matches)
    if output is None or output == "-":
        for _, log, _ in matches:
            shell.out_exactly(export_kib(log) if wish.matches == 1 else export_jsonl(log).decode())
        if wish.has_truth:
            shell.say("What was done wrong on purpose is written only beside a file: add -o.")
        return
    where = Path(output)
    if output.lower().endswith(".jsonl"):
        lines, truths = [], []
        for name, log, truth in matches:
            lines.append(export_jsonl(log))
            truths.append(msgspec.json.encode({"match": name, "truth": truth}, order="sorted") + b"\n")
        shell.write_out(output, b"".join(lines))
        if wish.has_truth:
            shell.write_out(output[: -len(".jsonl")] + ".truth.jsonl", b"".join(truths))
        return
    try:
        if where.exists() and not where.is_dir():
            raise UsageError("this is a file", where=output, expected="a folder, or a name that ends in .jsonl")
        where.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"the folder cannot be created ({error.strerror})", where=output, todo="Name another place",
        ) from error
    for name, log, truth in matches:
        shell.write_out(str(where / f"{file_name(name)}.kib"), export_kib(log).encode())
        if wish.has_truth:
            shell.write_out(str(where / f"{file_name(name)}.truth.json"), truth.to_json())
