"""What the children of the proofs do. Each runs in a process of its own and says what it has to say on its own file.

Nothing here is a test; `harness.Nursery` starts these functions by name.
"""

from __future__ import annotations

import json
import os
import random
import sqlite3
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from proof.harness import MATCH, insist, submission

import records.sqlite.opening  # noqa: F401  # before the children are forked, or each would load it anew
from records import HOME, StaleWriterError, Store

Say = Callable[[str], None]


def nursery() -> None:
    """Fork a child for each request that comes in, or wait for one; answer with its process id or its exit code."""
    for line in sys.stdin:
        request = json.loads(line)
        if "wait" in request:
            _, status = os.waitpid(request["wait"], 0)
            print(os.waitstatus_to_exitcode(status), flush=True)
            continue
        pid = os.fork()
        if pid:
            print(pid, flush=True)
            continue
        code = 1
        try:
            out = os.open(request["out"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

            def say(text: str, out: int = out) -> None:
                # One call, one line: a kill leaves whole lines only.
                os.write(out, text.encode() + b"\n")

            try:
                globals()["child_" + request["what"]](say=say, **request["args"])
                code = 0
            except BaseException:
                say("failed " + json.dumps(traceback.format_exc()))
        finally:
            os._exit(code)


OPENED = "opened"  # the mark that stands for the acknowledgement of the match itself


SIGNED = "signed:"  # begins the mark of a checkpoint that was handed out; the note follows


def evening(path: Path, appends: int, seed: str, mark: Say, *, signing: bool = False) -> None:
    """Make a store and append to it, closing and opening at times. `mark` is told of every acknowledgement."""
    chance = random.Random(seed)
    store = Store.open(path, timeout=5)
    store.create_match({"Seats": ["N", "E", "S", "W"]}, game="kaiser", match=MATCH)
    mark(OPENED)
    for i in range(appends):
        store.append(MATCH, submission(f"p-{i}"), key=f"p-{i}")
        mark(f"p-{i}")
        if signing and chance.random() < 0.15:
            mark(SIGNED + store.sign(HOME).note)
        if chance.random() < 0.05:
            store.close()
            store = Store.open(path, timeout=5)
    store.close()


def child_appending(say: Say, path: str, name: str, seed: str, early: bool = False) -> None:
    """Append until killed, and say `ack FIRST LAST KEY` once an append has returned. Closes and opens now and then.

    `early` is the broken store of the control: it acknowledges before it commits.
    """
    chance = random.Random(seed)
    i = 0
    while True:
        with Store.open(Path(path), timeout=60) as store:
            for _ in range(chance.randint(1, 40)):
                key = f"{name}-{i}"
                say(f"try {key}")
                if early:
                    say(f"ack 0 0 {key}")
                answer = store.append(MATCH, submission(key), key=key)
                if not early:
                    say(f"ack {answer.first} {answer.last} {key}")
                i += 1


def _wait_for(start: str) -> None:
    """Hold until everybody is there and the file appears: then all run at once."""
    while not os.path.exists(start):
        time.sleep(0.001)


def child_polite(say: Say, path: str, name: str, appends: int, start: str) -> None:
    """Append with the position last seen, reading what was missed whenever somebody was quicker."""
    stale = 0
    _wait_for(start)
    with Store.open(Path(path), timeout=120) as store:
        seen = store.length(MATCH) - 1
        for i in range(appends):
            key = f"{name}-{i}"
            while True:
                try:
                    answer = store.append(MATCH, submission(key), expect=seen, key=key)
                    break
                except StaleWriterError as error:
                    stale += 1
                    insist([r.n for r in error.unseen] == list(range(seen + 1, error.last + 1)), error.unseen)
                    seen = error.last
            say(f"ack {answer.first} {answer.last} {key}")
            assert answer.first == seen + 1, (answer, seen)
            seen = answer.last
    say(f"stale {stale}")


def child_tail(say: Say, path: str, until: int, start: str, by_time: bool = False) -> None:
    """Follow the book from its beginning to position `until`, and say every position in the order it came.

    `by_time` is the control: it asks for what is later than the latest time seen.
    """
    polls = 0
    _wait_for(start)
    if by_time:
        # What a reader does who trusts the clock. Stops when the last event is there.
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=120)) as conn:
            latest = ""
            while True:
                (head,) = conn.execute("SELECT max(pos) FROM events").fetchone()
                rows = conn.execute(
                    "SELECT pos, time FROM events WHERE time > ? ORDER BY time, pos", (latest,),
                ).fetchall()
                if rows:
                    latest = rows[-1][1]
                    say("pos " + " ".join(str(row[0]) for row in rows))
                elif head == until:
                    return
    with Store.open(Path(path), write=False, timeout=120) as store:
        last = 0
        while last < until:
            polls += 1
            news = store.tail(after=last, limit=50)
            if news:
                say("pos " + " ".join(str(placed.pos) for placed in news))
                last = news[-1].pos
            else:
                time.sleep(0.0005)
    say(f"polls {polls}")
