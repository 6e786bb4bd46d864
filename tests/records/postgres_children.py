"""What the children of the server's tests do. Each runs in a process of its own: `python postgres_children.py WHAT
ADDRESS …`.

A child says on its output what was acknowledged, a line each, as soon as it was.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

from events.model import Pass, Recorded
from records import HOME, Appended, Store

PASS = Recorded(n=0, event=Pass(by="N"))


def said(*words: object) -> None:
    print(*words, flush=True)


def writer(address: str, match: str, name: str, many: str) -> None:
    """Append so many events to a match, each under a key of its own."""
    with Store.open(address, timeout=120) as store:
        for i in range(int(many)):
            done = store.append(match, [PASS], key=f"{name}-{i}")
            said(done.first, f"{name}-{i}")


def killed(address: str, match: str, key: str, statement: str, after: str) -> None:
    """Append one event, and die before or after the statement of this number travels to the server."""
    from records.postgres.connecting import StoreConnection

    run, count = StoreConnection.run, [0]

    def counted(self: StoreConnection, query: str, values: Any = ()) -> Any:
        count[0] += 1
        if count[0] == int(statement) and after == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        done = run(self, query, values)
        if count[0] == int(statement):
            os.kill(os.getpid(), signal.SIGKILL)
        return done

    with Store.open(address, timeout=60) as store:
        StoreConnection.run = counted
        done: Appended = store.append(match, [PASS], key=key)
        said(done.first, key, count[0])


def tail(address: str, until: str) -> None:
    """Follow the book by its positions until one, and say those that came, in the order they came."""
    last = 0
    with Store.open(address, write=False, timeout=60) as store:
        while last < int(until):
            for event in store.tail(HOME, after=last, limit=500):
                said(event.pos)
                last = event.pos


if __name__ == "__main__":
    {"writer": writer, "killed": killed, "tail": tail}[sys.argv[1]](*sys.argv[2:])
