"""Many programs on one match: nothing is lost, doubled, out of order or skipped; and retries without end add
nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from proof.harness import MATCH, Nursery, expect_whole, new_store, proving, scratch, submission
from proof.test_kills import lines
from sampling import forms

from records import Store

CROWDS = forms((4, 30, 2), (8, 100, 3), (32, 200, 8))


def crowd(
    directory: Path, nursery: Nursery, writers: int, appends: int, readers: int, *, by_time: int = 0
) -> tuple[list[list[list[str]]], list[list[list[str]]]]:
    """Let writers append to one match while readers follow the book. What the writers said, and what the readers
    said."""
    path = directory / "kibitz.db"
    new_store(path)
    until = 1 + sum(len(submission(f"w{w}-{i}")) for w in range(writers) for i in range(appends))
    common = {"path": str(path), "start": str(directory / "start")}
    started = []
    for r in range(readers):
        out = directory / f"r{r}"
        started.append((nursery.child("tail", out, until=until, by_time=r < by_time, **common), out))
    for w in range(writers):
        out = directory / f"w{w}"
        started.append((nursery.child("polite", out, name=f"w{w}", appends=appends, **common), out))
    Path(common["start"]).touch()
    for pid, out in started:
        code = nursery.wait(pid)
        assert code == 0, f"{out.name} ended with {code}: {out.read_text()[-2000:] if out.exists() else ''}"
    return [lines(out) for _, out in started[readers:]], [lines(out) for _, out in started[:readers]]


def followed(reader: list[list[str]]) -> list[int]:
    return [int(pos) for word, *rest in reader if word == "pos" for pos in rest]


@pytest.mark.parametrize(("writers", "appends", "readers"), CROWDS)
def test_a_crowd_on_one_match(writers: int, appends: int, readers: int) -> None:
    """Every append lands once, right behind what its writer had seen; every reader gets every position, once, in
    order."""
    with proving(f"{writers} processes x {appends}") as proof, Nursery() as nursery, scratch() as directory:
        wrote, read = crowd(directory, nursery, writers, appends, readers)
        with Store.open(directory / "kibitz.db", write=False) as store:
            spans = expect_whole(store.read(MATCH))
            length = store.length(MATCH)
            assert [placed.pos for placed in store.tail()] == list(range(1, length + 1))
            store.check()
        acked = {rest[2]: (int(rest[0]), int(rest[1])) for said in wrote for word, *rest in said if word == "ack"}
        assert acked == spans
        assert spans.keys() == {f"w{w}-{i}" for w in range(writers) for i in range(appends)}
        for w in range(writers):
            own = [spans[f"w{w}-{i}"] for i in range(appends)]
            assert own == sorted(own), "a writer's events are not in the order in which it wrote them"
        for reader in read:
            assert followed(reader) == list(range(1, length + 1))
        proof.count("appends", len(acked))
        proof.count("events", length - 1)
        proof.count("stale", sum(int(said[-1][1]) for said in wrote))
        proof.count("readers", readers)
        proof.count("polls", sum(int(said[-1][1]) for said in read))
        assert proof.figures["stale"] > 0, "nobody was ever in the way of another"


@pytest.mark.rest
def test_a_reader_who_trusts_the_clock_is_caught() -> None:
    """The control: a reader that polls by time instead of position misses events or gets them in another order."""
    with proving("crowd, control") as proof, Nursery() as nursery:
        for _ in range(5):  # whether two appends meet in one tick of the clock is luck; five crowds without one are not
            with scratch() as directory:
                _, (reader, honest) = crowd(directory, nursery, 8, 60, 2, by_time=1)
            assert followed(honest) == list(range(1, len(followed(honest)) + 1))
            proof.count("skipped", len(set(followed(honest)) - set(followed(reader))))
            if proof.figures["skipped"]:
                break
        assert proof.figures["skipped"] > 0
