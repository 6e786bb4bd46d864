"""One file, one name: a store with two hard links, or one that was moved while it was open, is not written to."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from events.errors import StoreError
from events.model import Pass, Recorded
from records import Store
from records.maintenance import accept_lost_end

PASS = Recorded(n=0, event=Pass(by="N"))

if not hasattr(os, "link"):
    pytest.skip("needs hard links", allow_module_level=True)

# A program of its own that has the store open under the other name, and begins a match when it is told to.
OTHER = """
import sys
from events.errors import KibitzError
from records import Store
from records.sqlite import backend, opening
if sys.argv[2] == "unchecked":
    backend.check_one_name = opening.check_one_name = lambda *_: None
try:
    with Store.open(sys.argv[1]) as one:
        print("ready", flush=True)
        sys.stdin.readline()
        one.create_match({}, game="kaiser", match="other")
        print("begun", flush=True)
        sys.stdin.readline()
except KibitzError as error:
    print(error, flush=True)
"""


def events_in(path: Path) -> int:
    with Store.open(path, write=False) as store:
        return len(store.tail()) if store.books() else 0


def lost(path: Path, how: str) -> int:
    """How many of 201 acknowledged events are lost: 200 under one name, and one under the other."""
    acknowledged = 0
    link = path.with_name("link.db")
    with Store.open(path) as store:
        os.link(path, link)
        command = [sys.executable, "-c", OTHER, str(link), how]
        other = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert other.stdin is not None
        assert other.stdout is not None
        ready = other.stdout.readline() == "ready\n"
        with suppress(StoreError):
            store.create_match({}, game="kaiser", match="one")
            acknowledged += 1
            for _ in range(199):
                store.append("one", [PASS])
                acknowledged += 1
        if ready:
            other.stdin.write("\n")
            other.stdin.flush()
            acknowledged += other.stdout.readline() == "begun\n"
    other.communicate("\n", timeout=60)
    return acknowledged - min(events_in(name) for name in (path, link))


def test_two_names_lose_nothing(path: Path) -> None:
    """Given two names of one file, when two programs write under one each, then nothing acknowledged is lost."""
    Store.open(path).close()
    assert lost(path, "checked") == 0


def test_two_names_that_are_not_looked_at_lose_events(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: written to under both names, a store does not show 200 of 201 acknowledged events under one of
    them."""
    for module in ("backend", "opening"):
        monkeypatch.setattr(f"records.sqlite.{module}.check_one_name", lambda *_: None)
    assert lost(path, "unchecked") == 200


@pytest.fixture
def closed(store: Store, match: str) -> Path:
    store.close()
    return store.path


def test_a_store_with_two_names_is_not_opened_for_writing(closed: Path, match: str, tmp_path: Path) -> None:
    """It says what, where, and what to do; reading and a backup go on, with a warning; with one name it is written
    again."""
    link = tmp_path / "link.db"
    os.link(closed, link)
    before = closed.read_bytes()
    for name in (closed, link):
        with pytest.raises(
            StoreError, match=rf"{name.name}: this file has 2 names \(hard links\).*-samefile.*db backup",
        ) as caught:
            Store.open(name)
        assert caught.value.exit_code == 7
        with pytest.raises(StoreError, match="2 names"):
            accept_lost_end(name)
    assert closed.read_bytes() == before
    with Store.open(link, write=False) as reader:
        assert "2 names" in reader.warnings[0]
        assert reader.length(match) == 1
        copy = reader.backup(tmp_path / "copy.db")
    with Store.open(copy) as store:
        assert store.append(match, [PASS]).last == 1
    link.unlink()
    with Store.open(closed) as store:
        assert store.append(match, [PASS]).last == 1


def test_a_second_name_made_while_the_store_is_open(path: Path, store: Store, match: str, tmp_path: Path) -> None:
    """Given a store in use, when it gets a second name, then the next append is refused; without that name it goes
    on."""
    os.link(path, tmp_path / "link.db")
    for _ in range(2):
        with pytest.raises(StoreError, match="2 names"):
            store.append(match, [PASS])
    assert store.length(match) == 1
    (tmp_path / "link.db").unlink()
    assert store.append(match, [PASS]).last == 1


def test_a_symbolic_link_does_no_harm(path: Path, store: Store, match: str, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    link = tmp_path / "sub" / "soft.db"
    link.symlink_to(path)
    with Store.open(link) as other:
        assert other.append(match, [PASS]).last == 1
        assert store.append(match, [PASS]).last == 2


@pytest.mark.parametrize(
    ("how", "said"),
    [("moved", "moved or removed"), ("removed", "moved or removed"), ("replaced", "replaced by another file")],
)
def test_a_store_that_is_no_longer_there_acknowledges_nothing(
    path: Path, store: Store, match: str, tmp_path: Path, how: str, said: str,
) -> None:
    """What would be written to a file that nobody finds again is refused, and so is what two files would share."""
    if how == "removed":
        path.unlink()
    else:
        os.rename(path, tmp_path / "elsewhere.db")
    if how == "replaced":
        path.write_bytes((tmp_path / "elsewhere.db").read_bytes())
    with pytest.raises(StoreError, match=said) as caught:
        store.append(match, [PASS])
    assert caught.value.exit_code == 7


def test_a_store_stays_itself_in_another_directory(
    store: Store, match: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A program that opens a store by a relative name and then goes elsewhere still writes to it."""
    monkeypatch.chdir(tmp_path)
    with Store.open("other.db") as other:
        other.create_match({}, game="kaiser", match="one")
        (tmp_path / "sub").mkdir()
        monkeypatch.chdir(tmp_path / "sub")
        assert other.append("one", [PASS]).last == 1
