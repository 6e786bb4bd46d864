"""Answers get lost and senders try again: one event for each key all the same."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from msgspec import structs
from proof.harness import MATCH, Proof, expect_whole, new_store, proving, scratch, sizes, submission

from records import Appended, StaleWriterError, Store

AT_ONCE = 12  # submissions under way at the same time
REOPEN = 400  # the store is closed and opened again after about so many sendings
MOST = 25_000  # submissions to one match, which may not have more than 100,000 events


def storm(proof: Proof, path: Path, appends: int, *, keys: bool = True) -> Counter[str]:
    """Send every submission one to five times, in any order among those under way. How often each is in the match."""
    chance = proof.chance
    new_store(path)
    store = Store.open(path, timeout=30)
    waiting = [f"s-{i}" for i in reversed(range(appends))]
    under_way: dict[str, int] = {}  # how often it will still be sent
    first: dict[str, Appended] = {}
    finished: list[str] = []
    while waiting or under_way:
        while waiting and len(under_way) < AT_ONCE:
            under_way[waiting.pop()] = chance.randint(1, 5)
        key = chance.choice(list(under_way))
        # Now and then the doubled copy of a message that was settled long ago comes in late.
        if finished and chance.random() < 0.05:
            key = chance.choice(finished)
        drafts = submission(key) if keys else [structs.replace(r, key="") for r in submission(key)]
        last = store.length(MATCH) - 1
        expect = chance.choice([None, last, max(0, last - chance.randrange(30))])
        proof.count("sendings")
        try:
            answer = store.append(MATCH, drafts, expect=expect, key=key if keys else "")
        except StaleWriterError:
            # Nothing was written, so this was no sending; and a key that is known is never stale.
            assert key not in first
            proof.count("stale")
            continue
        if keys:
            assert answer.repeated == (key in first)
            assert (answer.first, answer.last) == (
                first.setdefault(key, answer).first,
                first[key].last,
            ), "a retry got another answer"
        if key in under_way:
            under_way[key] -= 1
            if not under_way[key]:
                del under_way[key]
                finished.append(key)
        if chance.random() < 1 / REOPEN:
            store.close()
            store = Store.open(path, timeout=30)
            proof.count("reopened")
    records = store.read(MATCH)
    if keys:
        assert expect_whole(records) == {key: (a.first, a.last) for key, a in first.items()}
    store.check()
    store.close()
    found = Counter(r.key for r in records if r.n) if keys else Counter({"": len(records) - 1})
    proof.count("events", found.total())
    return found


@sizes(800, 100_000)
def test_a_storm_of_retries_leaves_one_copy(size: int) -> None:
    """However often an append is sent, and whatever lies between, its key has its events once, and one answer for
    ever."""
    with proving(f"retry storm x {size}") as proof, scratch() as directory:
        for i, appends in enumerate([MOST] * (size // MOST) or [size]):
            found = storm(proof, directory / f"{i}.db", appends)
            assert found == Counter({f"s-{i}": len(submission(f"s-{i}")) for i in range(appends)})
        assert proof.figures["sendings"] > 2 * size


def test_a_storm_without_keys_is_caught() -> None:
    """The control: without submission keys the same storm leaves doubles."""
    with proving("retry storm, control") as proof, scratch() as directory:
        found = storm(proof, directory / "kibitz.db", 100, keys=False)
        assert found.total() > sum(len(submission(f"s-{i}")) for i in range(100))
