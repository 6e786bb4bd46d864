"""Programs that are killed in the middle of their work lose nothing that was acknowledged."""

from __future__ import annotations

import time
from pathlib import Path

from proof.harness import MATCH, Nursery, Proof, expect_whole, new_store, proving, scratch, sizes, submission

from records import HOME, Store
from records.sqlite.ends import key_of_book, read_ends

PER_STORE = 100


def lines(path: Path) -> list[list[str]]:
    return [line.split() for line in path.read_text().splitlines()] if path.exists() else []


def kill_some(proof: Proof, nursery: Nursery, directory: Path, kills: int, *, early: bool = False) -> int:
    """Kill so many children on one store, then resolve and count what is missing. Returns how many were lost."""
    path = directory / "kibitz.db"
    new_store(path)
    acked: dict[str, tuple[int, int]] = {}
    open_keys: set[str] = set()
    done = 0
    while done < kills:
        # Mostly one at a time; sometimes two or three, so that locks are left behind in the way of the others.
        running = []
        for _ in range(min(kills - done, proof.chance.choice([1, 1, 1, 2, 3]))):
            name, out = f"c{done}", directory / f"c{done}"
            pid = nursery.child(
                "appending", out, path=str(path), name=name, seed=f"{proof.seed} {done}", early=early
            )
            running.append((pid, out))
            done += 1
        for pid, out in running:
            # Some while they start; most once they are at work, however long the machine takes to let them.
            until = time.monotonic() + 10 * (proof.chance.random() < 0.9)
            while not out.exists() and time.monotonic() < until:
                time.sleep(0.0002)
            time.sleep(proof.chance.choice([0.004, 0.015]) * proof.chance.random())
            assert nursery.kill(pid) == -9, lines(out)[-1:]
            proof.count("kills")
        for _, out in running:
            tried: set[str] = set()
            for word, *rest in lines(out):
                assert word in ("try", "ack"), rest
                if word == "try":
                    tried.add(rest[0])
                else:
                    acked[rest[2]] = (int(rest[0]), int(rest[1]))
            unacked = tried - acked.keys()
            assert len(unacked) <= 1
            open_keys |= unacked
            proof.count("killed in an append", len(unacked))
            out.unlink(missing_ok=True)
    proof.count("acknowledged", len(acked))
    # What is kept beside the store lags by nothing that was acknowledged. (The match begins at position 1 of the book.)
    noted = read_ends(path)[key_of_book(HOME)].position
    assert early or noted > max((last for _, last in acked.values()), default=0), (noted, acked)
    with Store.open(path, timeout=30) as store:
        store.check()
        spans = expect_whole(store.read(MATCH))
        if early:
            return len(acked.keys() - spans.keys())
        assert {key: spans.get(key) for key in acked} == acked, "an acknowledged submission is lost or elsewhere"
        assert spans.keys() - acked.keys() <= open_keys, "something is there that nobody submitted"
        for key in sorted(open_keys):
            answer = store.append(MATCH, submission(key), key=key)
            again = store.append(MATCH, submission(key), key=key)
            assert answer.repeated == (key in spans), key
            assert again.repeated
            assert (answer.first, answer.last) == (again.first, again.last) == spans.get(
                key, (answer.first, answer.last),
            )
            proof.count("there unacknowledged" if answer.repeated else "not there, appended by the retry")
        spans = expect_whole(store.read(MATCH))
        assert spans.keys() == acked.keys() | open_keys
        assert [placed.pos for placed in store.tail()] == list(range(1, store.length(MATCH) + 1))
        store.check()
    return 0


@sizes(80, 10_000)
def test_kill_minus_nine_loses_nothing_acknowledged(size: int) -> None:
    """Killed at random moments, opening, appending, checkpointing, closing: all acknowledged is there, the rest is
    resolved by its key."""
    with proving(f"kill -9 x {size}") as proof, Nursery() as nursery:
        stores, each = 0, min(PER_STORE, size)
        # On a machine that is busy with other things fewer kills fall into an append; then more are needed.
        while stores < size // each or (
            proof.figures["killed in an append"] <= size // 4 and stores < 5 * size // each
        ):
            with scratch() as directory:
                kill_some(proof, nursery, directory, each)
            stores += 1
        assert proof.figures["kills"] == stores * each >= size
        assert proof.figures["killed in an append"] > size // 4, "too few kills fell into an append to say anything"


def test_a_store_that_acknowledges_too_early_is_caught() -> None:
    """The control: acknowledge first, commit later, and kills lose acknowledged events."""
    with proving("kill -9, control") as proof, Nursery() as nursery, scratch() as directory:
        assert kill_some(proof, nursery, directory, 40, early=True) > 0
