"""Care of a store: copies made while others write, copies that lack their end, and the commands for it."""

from __future__ import annotations

import json
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from plain_rows import forge

from cli.app import run_command_line
from events.errors import NotFoundError, StoreError, UsageError
from events.model import Pass, Recorded
from records import HOME, Store
from records.maintenance import accept_lost_end
from records.proof.signing import key_path
from records.sqlite import schema
from records.sqlite.inserting import CHECKPOINT_EVERY

PASS = Recorded(n=0, event=Pass(by="N"))


# Backups


def test_a_backup_is_the_store_at_that_moment(path: Path, store: Store, match: str, tmp_path: Path) -> None:
    """Also what is still in the write-ahead file; one file, without the key, and whole by itself."""
    store.append(match, [PASS] * 3, key="k")
    store.sign(HOME)
    made = store.backup(tmp_path / "sub.db")
    store.append(match, [PASS])
    assert sorted(p.name for p in tmp_path.iterdir() if p.name.startswith("sub")) == ["sub.db"]
    with Store.open(made) as copy:
        assert copy.read(match) == store.read(match)[:4]
        assert copy.warnings == []
        assert copy.verify(HOME).found == []
        assert copy.append(match, [PASS] * 3, key="k").repeated
    with Store.open(path, write=False) as reader:
        assert reader.backup(tmp_path / "two.db").exists()


def test_a_backup_while_others_write(
    path: Path, store: Store, match: str, tmp_path: Path, writing: Callable[[Path, str], AbstractContextManager[None]]
) -> None:
    """Given a program that appends without a pause, when backups are made, then each is a whole beginning of the
    match."""
    lengths: list[int] = []
    deadline = time.monotonic() + 30
    with writing(path, match):
        while (i := len(lengths)) < 8 or (lengths[-1] == lengths[0] and time.monotonic() < deadline):
            with Store.open(path, write=False) as reader:
                made = reader.backup(tmp_path / f"{i}.db")
            with Store.open(made, write=False) as copy:
                assert copy.verify(HOME).found == []
                lengths.append(copy.length(match))
    assert lengths == sorted(lengths)
    assert lengths[-1] > lengths[0]
    assert all(length % 2 == 1 for length in lengths), "never half an append"


def test_a_backup_destroys_nothing(store: Store, match: str, tmp_path: Path) -> None:
    (tmp_path / "there").write_text("mine")
    with pytest.raises(UsageError, match="a file of this name"):
        store.backup(tmp_path / "there")
    assert (tmp_path / "there").read_text() == "mine"
    with pytest.raises(UsageError, match="no such directory"):
        store.backup(tmp_path / "no" / "where.db")


def test_a_backup_that_fails_leaves_nothing(
    store: Store, match: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(path: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("records.sqlite.copying.synced", broken)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(StoreError, match="cannot be written"):
        store.backup(tmp_path / "copy.db")
    assert sorted(tmp_path.iterdir()) == before


# Copies that lack their end


def copied(path: Path, tmp_path: Path, *endings: str) -> Path:
    """A copy as people make it, of the file alone or with some of what lies beside it."""
    there = tmp_path / "copy"
    there.mkdir()
    for ending in ("", *endings):
        shutil.copy(f"{path}{ending}", there / f"kibitz.db{ending}")
    return there / "kibitz.db"


@pytest.mark.parametrize("appends", [1, 5, CHECKPOINT_EVERY + 20])
def test_a_copy_without_its_write_ahead_file_is_noticed(
    path: Path, store: Store, match: str, tmp_path: Path, appends: int,
) -> None:
    """Given a store in use, when only its file is copied, then the copy says that its end is missing."""
    for _ in range(appends):
        store.append(match, [PASS])
    copy = copied(path, tmp_path)
    with Store.open(copy, write=False) as reader:
        assert reader.lacking()
        assert "what was added last may be missing (book home)" in reader.warnings[0]
        again = reader.backup(tmp_path / "again.db")
    with Store.open(again, write=False) as reader:
        assert reader.lacking(), "a backup of it is no better"
    with pytest.raises(StoreError, match=r"copy taken while the store was in use.*db check --accept"):
        Store.open(copy)
    assert accept_lost_end(copy) == [HOME]
    with Store.open(copy) as going_on:
        assert going_on.warnings == []
        going_on.append(match, [PASS])
    assert accept_lost_end(copy) == []


def test_a_copy_with_its_write_ahead_file_is_whole(path: Path, store: Store, match: str, tmp_path: Path) -> None:
    store.append(match, [PASS])
    store.append(match, [PASS])
    with Store.open(copied(path, tmp_path, "-wal")) as copy:
        assert copy.warnings == []
        assert copy.length(match) == 3


@pytest.mark.parametrize("others", ["nobody", "a reader", "a writer"])
def test_a_copy_of_a_closed_store_is_whole(path: Path, store: Store, match: str, tmp_path: Path, others: str) -> None:
    """Whoever else has it open: what the last writer left is there."""
    store.append(match, [PASS])
    other = None if others == "nobody" else Store.open(path, write=others == "a writer")
    store.close()
    if other is not None:
        other.close()
    endings = ["-wal"] if path.with_name("kibitz.db-wal").exists() else []
    with Store.open(copied(path, tmp_path, *endings)) as copy:
        assert copy.warnings == []
        assert copy.length(match) == 2


def test_a_store_is_not_suspected_after_a_crash(path: Path, store: Store, match: str, tmp_path: Path) -> None:
    """Given the file and its write-ahead file as a crash left them, then writing goes on at once."""
    store.append(match, [PASS])
    with Store.open(copied(path, tmp_path, "-wal")) as again:
        assert again.append(match, [PASS]).last == 2
    with Store.open(tmp_path / "copy" / "kibitz.db") as again:
        assert (again.length(match), again.warnings) == (3, [])


def test_a_store_from_a_foreign_program_that_closed_it_last(path: Path, store: Store, match: str) -> None:
    """A program that only reads, by a connection that could write, does no harm."""
    store.append(match, [PASS])
    conn = sqlite3.connect(path)
    conn.execute("SELECT * FROM events").fetchall()
    store.close()
    conn.close()
    with Store.open(path) as again:
        assert again.warnings == []


# The commands


@pytest.fixture
def cli(path: Path, store: Store, match: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    store.append(match, [PASS] * 3)
    store.close()
    monkeypatch.setenv("KIBITZ_DB", str(path))
    return path


def test_verify_and_checkpoint(cli: Path, match: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["verify", "home"]) == 0
    assert (
        capsys.readouterr().out == "book home: 4 events, as written; nothing is signed yet (`kibitz checkpoint home`)\n"
    )
    assert run_command_line(["checkpoint", "home"]) == 0
    said = capsys.readouterr()
    note = tmp_path / "note.txt"
    note.write_bytes(said.out.encode())
    key, first = (line.partition(": ")[2] for line in said.err.splitlines())
    assert first == "the same"
    for name in ("home", "kaiser"):
        assert run_command_line(["verify", name, "--against", str(note), "--key", key]) == 0
        assert capsys.readouterr().out == (
            f"book home: 4 events, as written and signed, and as in the checkpoint given\nsigned by {key}, "
            "the key given\n"
        )
    with Store.open(cli) as store:
        forge(store.backend.conn, "UPDATE events SET payload = replace(payload, 'N', 'S') WHERE n = 2")
    assert run_command_line(["verify", match, "--against", str(note)]) == 7
    assert capsys.readouterr().out == (
        "edited    event 3 (match kaiser-tuesday, event 2) is not the one that was written\n"
        "book home: 1 change found in 4 events\n"
        f"signed by {key}, a key that only the file itself names, and the one remembered beside it\n"
    )
    assert run_command_line(["verify", match, "--json"]) == 7
    data = json.loads(capsys.readouterr().out)
    assert list(data) == [
        "book", "match", "size", "root", "signed", "checkpoints", "found", "signers", "forks", "in_parts",
    ]
    assert data["signers"] == [{"key": key, "size": 4, "known": "remembered"}]
    assert data["forks"] == []
    assert data["found"] == [{
        "kind": "edited", "text": "event 3 (match kaiser-tuesday, event 2) is not the one that was written", "first": 3,
        "last": 3, "match": match,
    }]  # fmt: skip
    assert run_command_line(["checkpoint", "home"]) == 0, "the same head: the leaves are what was signed"


def test_what_cannot_be_verified_is_said(cli: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x").write_text("hello")
    assert run_command_line(["verify", "nothing"]) == 5
    assert run_command_line(["verify", "home", "--against", str(tmp_path / "none")]) == 5
    assert run_command_line(["verify", "home", "--against", str(tmp_path / "x")]) == 4
    assert run_command_line(["verify", "home", "--key", "x"]) == 4
    assert run_command_line(["checkpoint", "nothing"]) == 5
    assert capsys.readouterr().out == ""


def test_a_bundle_is_exported(cli: Path, match: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from records.verify_bundle import main

    assert run_command_line(["export", match, "--bundle", "-o", str(tmp_path / "b")]) == 0
    assert main([str(tmp_path / "b")]) == 0
    assert capsys.readouterr().out.startswith("match kaiser-tuesday: events 0 to 3 are those of book home")


def test_the_commands_of_care(cli: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["db", "path"]) == 0
    assert capsys.readouterr().out == f"{cli}\n"
    assert run_command_line(["db", "path", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "path": str(cli), "exists": True, "key": str(key_path(cli)), "signed": f"{cli}-signed",
        "signer": f"{cli}-signer", "forks": f"{cli}-forks",
    }  # fmt: skip
    assert run_command_line(["db", "check"]) == 0
    assert capsys.readouterr().out == "1 book, 4 events: nothing is wrong\n"
    assert run_command_line(["db", "backup", str(tmp_path / "b.db")]) == 0
    assert run_command_line(["db", "backup", str(tmp_path / "b.db")]) == 2
    assert run_command_line(["--db", str(tmp_path / "b.db"), "db", "check", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"books": 1, "events": 4, "found": [], "warnings": [], "forks": []}
    assert run_command_line(["db", "migrate", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"before": 5, "after": 5}
    assert run_command_line(["--db", str(tmp_path / "no.db"), "db", "migrate"]) == 5
    assert run_command_line(["--db", str(tmp_path / "no.db"), "db", "check"]) == 5


def test_a_copy_that_lacks_its_end_is_found_and_accepted(
    cli: Path, match: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    with Store.open(cli) as store:
        store.append(match, [PASS])
        copy = copied(cli, tmp_path)
    assert run_command_line(["--db", str(copy), "list"]) == 0
    assert "what was added last may be missing" in capsys.readouterr().err
    assert run_command_line(["--db", str(copy), "db", "check"]) == 7
    assert capsys.readouterr().out.startswith("cut       this is a copy taken while")
    assert run_command_line(["--db", str(copy), "note", match, "0", "hello"]) == 7
    assert run_command_line(["--db", str(copy), "db", "check", "--accept"]) == 0
    assert run_command_line(["--db", str(copy), "db", "check"]) == 0


def test_an_old_store_is_migrated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], store: Store, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.close()
    monkeypatch.setattr(schema, "MIGRATIONS", [lambda db: db.execute("UPDATE books SET head = head")])
    assert run_command_line(["--db", str(store.path), "db", "migrate"]) == 0
    assert capsys.readouterr().out == "version 6, was 5\n"
    assert run_command_line(["--db", str(store.path), "verify", "home"]) == 0
    with pytest.raises(NotFoundError):
        Store.open(tmp_path / "none.db", write=False)
