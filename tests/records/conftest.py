"""What the tests of the store share: a store on disk, a clock that ticks, and short ways to write events."""

from __future__ import annotations

import secrets
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from postgres_server import NEEDED, Server, binaries, server

from records import Store


class Clock:
    """A clock that goes on by a second each time it is asked."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 14, 20, 5, 11, 250_000, tzinfo=UTC)

    def __call__(self) -> datetime:
        moment = self.now
        self.now += timedelta(seconds=1)
        return moment


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kibitz.db"


@pytest.fixture
def store(path: Path, clock: Clock) -> Iterator[Store]:
    with Store.open(path, clock=clock, timeout=0.2) as store:
        yield store


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A server for all tests of this process."""
    if binaries() is None:
        pytest.skip(f"the store was not asked on a server: {NEEDED}, or psycopg is not")
    with server() as one:
        yield one


@pytest.fixture
def new_address(postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """Makes the address of an empty database; what belongs to it beside lies with the test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def made() -> str:
        name = f"s{secrets.token_hex(6)}"
        postgres.execute(f"CREATE SCHEMA {name}")
        return postgres.address(schema=name)

    return made


@pytest.fixture
def address(new_address: Callable[[], str]) -> str:
    """The address of an empty database."""
    return new_address()


@pytest.fixture
def match(store: Store) -> str:
    """A match with nothing but its opening."""
    return store.create_match({"Seats": ["N", "E", "S", "W"]}, game="kaiser", match="kaiser-tuesday")


# A program of its own that writes without a pause until its input ends.
WRITE_ON = """
import sys, threading
from events.model import Call, Recorded
from records import HOME, Store
from records.proof.signing import sign
path, match = sys.argv[1:]
stop = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), stop.set()), daemon=True).start()
with Store.open(path, timeout=30) as store:
    print("ready", flush=True)
    i = 0
    while not stop.is_set():
        two = [Recorded(n=0, event=Call(by="N", word="w", amount=i + j)) for j in (0, 1)]
        store.append(match, two, key=f"k{i}")
        i += 2
        if i % 10 == 0:
            store.sign(HOME)
"""


@contextmanager
def _writer(path: Path, match: str) -> Iterator[None]:
    """Somebody appends, two events at a time, and signs now and then."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITE_ON, str(path), match], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    try:
        yield
    finally:
        process.communicate(timeout=60)
        assert process.returncode == 0


@pytest.fixture
def writing() -> Callable[[Path, str], AbstractContextManager[None]]:
    """A program that goes on appending to a match while the `with` lasts."""
    return _writer
