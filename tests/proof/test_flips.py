"""A bit that turns over on the disk: what a reader then sees is the same, or it is reported; and nothing crashes."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec import structs
from proof.harness import MINUTES, Kept, Proof, found_by_verify, proving, scratch, signed, sizes, submission
from sampling import forms

from cli.app import run_command_line
from events.errors import KibitzError
from events.model import Open, Play, Recorded
from records import HOME, Store

Reported = Callable[[Path, dict[str, Kept]], bool]


def make(path: Path, submissions: int, *, open_end: bool) -> tuple[dict[str, bytes], dict[str, Kept]]:
    """The files of a store with two books, four matches, one of them sealed, and sixteen short ones that are bound
    in a volume; and a checkpoint of each book.

    With `open_end` they are those of a store in use: a part of it is in the write-ahead file still.
    """
    store = Store.open(path, timeout=5)
    for match, book in (("kaiser-a", HOME), ("kaiser-b", HOME), ("kaiser-c", "cup"), ("kaiser-s", HOME)):
        store.create_match({"Seats": ["N", "E", "S", "W"]}, game="kaiser", match=match, book=book, key=f"open {match}")
    for i in range(submissions):
        match = f"kaiser-{'aabcs'[i % 5] if i < submissions // 2 else 'aabc'[i % 4]}"
        drafts = [structs.replace(r, text=r.text[:60]) for r in submission(f"b-{i}")]
        store.append(match, drafts, key=f"b-{i}")
        if i == submissions // 2:
            store.seal("kaiser-s", unfinished=True)
            with store.together():
                for n in range(16):
                    facts = {"Game": "kaiser", "Match": f"hand-{n}"}
                    opening = Recorded(
                        n=0, event=Open(by="@", facts=facts), time=f"2026-03-14T20:{n:02}:00.000Z", key=f"hand {n}",
                    )
                    played = Recorded(
                        n=1, event=Play(by="N", cards=("7h",)), time=f"2026-03-14T20:{n:02}:07.500Z", text=f"{n}",
                    )
                    store.import_match(f"hand-{n}", [opening, played], game="kaiser", book="cup", sealed=True)
            store.close()
            store = Store.open(path, timeout=5)
    kept = signed(store)
    if not open_end:
        store.close()
    names = [path.name, f"{path.name}-wal"]
    files = {name: (path.parent / name).read_bytes() for name in names if (path.parent / name).exists()}
    if open_end:
        store.close()
    assert len(files) == 1 + open_end
    return files, kept


def view(store: Store) -> list[object]:
    """All that a reader can see of a store."""
    seen: list[object] = [store.matches(), store.books(), store.last_open_match()]
    for row in store.matches():
        seen += [store.read(row.match), store.length(row.match), store.read(row.match, after=row.last // 2)]
    seen += [store.tail(row.book) for row in store.books()]
    return seen


def reported(path: Path, kept: dict[str, Kept]) -> bool:
    """Whether somebody who kept a checkpoint is told: by check, by verify, or because it cannot be read."""
    try:
        with Store.open(path, write=False, timeout=1) as store:
            store.check()
            return any(found_by_verify(store, book, one) for book, one in kept.items())
    except KibitzError:
        return True


def by_check(path: Path, kept: dict[str, Kept]) -> bool:
    """Whether the look at the file alone reports it."""
    try:
        with Store.open(path, write=False, timeout=1) as store:
            store.check()
            return False
    except KibitzError:
        return True


Spoilt = tuple[str, str, bytes]
"""What was done, the name of the file, and what stands in it then."""


def flipped(files: dict[str, bytes], bits: Iterator[int]) -> Iterator[Spoilt]:
    """One bit after the other turned over, the others as they were. `bits` count through all the files."""
    for bit in bits:
        at, name = bit // 8, "kibitz.db"
        if at >= len(files[name]):
            at, name = at - len(files[name]), "kibitz.db-wal"
        wrong = bytearray(files[name])
        wrong[at] ^= 1 << bit % 8
        yield f"byte {at} of {name}, bit {bit % 8}", name, bytes(wrong)


def misplaced(proof: Proof, files: dict[str, bytes], number: int) -> Iterator[Spoilt]:
    """Two pages of the database that changed places, or one that lies where another was as well."""
    whole = files["kibitz.db"]
    size = int.from_bytes(whole[16:18], "big")
    pages = [whole[at : at + size] for at in range(0, len(whole), size)]
    for _ in range(number):
        one, other = proof.chance.sample(range(len(pages)), 2)
        wrong, both = list(pages), proof.chance.random() < 0.5
        wrong[one], wrong[other] = pages[other], pages[one] if both else pages[other]
        yield f"pages {one} and {other} {'swapped' if both else 'the same'}", "kibitz.db", b"".join(wrong)


def spoil_each(
    proof: Proof, files: dict[str, bytes], kept: dict[str, Kept], done: Iterator[Spoilt], tells: Reported,
    kind: str = "flips",
) -> None:
    """Spoil the files in one way after the other: a reader sees the same, or somebody says so."""
    with scratch() as directory:
        path = directory / "kibitz.db"

        def lay() -> None:
            for name in os.listdir(directory):
                os.unlink(directory / name)
            for name, content in files.items():
                (directory / name).write_bytes(content)

        lay()
        with Store.open(path, write=False) as store:
            truth = view(store)
            assert not any(found_by_verify(store, book, one) for book, one in kept.items()), "nothing is wrong yet"
        until = time.monotonic() + 60 * MINUTES
        for what, name, wrong in done:
            if time.monotonic() > until:
                break
            lay()
            (directory / name).write_bytes(wrong)
            proof.count(kind)
            try:
                with Store.open(path, write=False, timeout=1) as store:
                    same, warned = view(store) == truth, bool(store.warnings)
            except KibitzError:
                proof.count("refused to read")
                continue
            except BaseException as error:
                error.add_note(what)
                raise
            if same:
                proof.count("only a needless warning" if warned else "nothing seen")
                continue
            assert tells(path, kept), f"{what}: a reader sees something else, and nobody says so"
            proof.count("seen and reported")
            if not by_check(path, kept):
                proof.count("of these by verify alone")


def sample(proof: Proof, files: dict[str, bytes], number: int) -> Iterator[int]:
    size = 8 * sum(map(len, files.values()))
    return (proof.chance.randrange(size) for _ in range(number))


@pytest.mark.parametrize(("submissions", "flips", "open_end"), [
    *forms((10, 200, False), (20, 480, False), (400, 70_000, False)),
    *forms((10, 100, True), (20, 240, True), (400, 30_000, True)),
])  # fmt: skip
def test_a_flipped_bit_is_reported(submissions: int, flips: int, open_end: bool) -> None:
    """Sampled over a store at rest and over one in use: what a reader sees is the same, or somebody says so."""
    with proving(f"bit flips, {'in use' if open_end else 'closed'}, x {flips}") as proof, scratch() as directory:
        files, kept = make(directory / "kibitz.db", submissions, open_end=open_end)
        proof.count("bytes", sum(map(len, files.values())))
        spoil_each(proof, files, kept, flipped(files, sample(proof, files, flips)), reported)
        assert proof.figures["seen and reported"] > proof.figures["flips"] / 100


@pytest.mark.slow
def test_every_flipped_bit_is_reported() -> None:
    """Every bit of a store of at most 64 KiB; in the order of the seed, so that a run cut short has sampled all of
    it."""
    with proving("bit flips, every bit") as proof, scratch() as directory:
        path = directory / "kibitz.db"
        _, kept = make(path, 12, open_end=False)
        # Small pages: fewer empty bytes, in which a flip means nothing.
        conn = sqlite3.connect(path, isolation_level=None)
        for step in ("journal_mode=DELETE", "page_size=512"):
            conn.execute(f"PRAGMA {step}").fetchall()
        conn.execute("VACUUM")
        conn.execute("PRAGMA journal_mode=WAL").fetchall()
        conn.close()
        files = {path.name: path.read_bytes()}
        size = sum(map(len, files.values()))
        assert 16384 < size <= 65536, size
        proof.count("bytes", size)
        proof.count("bits", 8 * size)
        bits = list(range(8 * size))
        proof.chance.shuffle(bits)
        spoil_each(proof, files, kept, flipped(files, iter(bits)), reported)


@sizes(120, 10_000)
def test_misplaced_pages_are_reported(size: int) -> None:
    """A disk, or whoever puts a file together again, may mix up whole pages, each with nothing wrong in it."""
    with proving(f"misplaced pages, x {size}") as proof, scratch() as directory:
        files, kept = make(directory / "kibitz.db", 60, open_end=False)
        spoil_each(proof, files, kept, misplaced(proof, files, size), reported, "misplaced")
        assert proof.figures["refused to read"] > size / 10


COMMANDS = [
    ("log", "kaiser-a"), ("log", "kaiser-s"), ("log", "hand-3"), ("export", "kaiser-b"), ("export", "kaiser-s"),
    ("export", "hand-3"), ("list",), ("verify", HOME), ("verify", "cup"), ("season", HOME),
]  # fmt: skip


@sizes(40, 2_000)
def test_commands_that_meet_misplaced_pages_end_with_7(size: int, capsys: pytest.CaptureFixture[str]) -> None:
    """If this failed, a script would take an empty record for a match, or an error of ours for damage to the store."""
    with proving(f"misplaced pages at the terminal, x {size}") as proof, scratch() as directory:
        path = directory / "kibitz.db"
        files, _ = make(path, 60, open_end=False)

        def said(words: tuple[str, ...]) -> tuple[int, str]:
            code = run_command_line(["--db", str(path), *words])
            return code, capsys.readouterr().out

        path.write_bytes(files["kibitz.db"])
        truth = {words: said(words) for words in COMMANDS}
        for what, _, wrong in misplaced(proof, files, size):
            for ending in ("-wal", "-shm"):
                Path(f"{path}{ending}").unlink(missing_ok=True)
            path.write_bytes(wrong)
            for words in COMMANDS:
                code, out = said(words)
                proof.count("ended with 7" if code == 7 else "the same")
                assert code == 7 or (code, out) == truth[words], f"{what}: {' '.join(words)} ends with {code}"


def test_a_reader_who_never_verifies_is_caught() -> None:
    """The control: SQLite and `check` alone let flips through that change what was recorded."""
    with proving("bit flips, control") as proof, scratch() as directory:
        files, kept = make(directory / "kibitz.db", 20, open_end=False)
        with pytest.raises(AssertionError, match="nobody says so"):
            spoil_each(proof, files, kept, flipped(files, sample(proof, files, 2_000)), by_check)
