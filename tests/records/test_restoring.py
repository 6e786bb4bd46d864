"""A backup that is put back: verifying, appending and signing go on; what was signed since is told once, and
recorded."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from plain_rows import forge

from cli.app import run_command_line
from events.errors import NotFoundError, StoreError, UsageError
from events.model import Call, Recorded
from records import HOME, Store
from records.maintenance import accept_lost_end
from records.proof.checkpoints import Checkpoint, read_checkpoint
from records.proof.signers import forks, forks_path
from records.proof.signing import signed_path
from records.restoring import restore


def said(i: int) -> Recorded:
    return Recorded(n=0, event=Call(by="N", word="w", amount=i), recorder="ann")


@pytest.fixture
def copy(path: Path, tmp_path: Path) -> Path:
    """A backup of three events, two of them signed, and what was done since: three more events, all signed."""
    with Store.open(path) as store:
        store.create_match({}, game="kaiser", match="eve")
        store.append("eve", [said(1)])
        store.sign(HOME)
        store.append("eve", [said(2)])
        made = store.backup(tmp_path / "copy.db")
        store.append("eve", [said(3), said(4), said(5)])
        store.sign(HOME)
    return made


def by_command(path: Path, copy: Path) -> None:
    assert run_command_line(["--db", str(path), "db", "restore", str(copy)]) == 0


def by_hand(path: Path, copy: Path) -> None:
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    shutil.copy(copy, path)
    assert run_command_line(["--db", str(path), "db", "restore"]) == 0


@pytest.mark.parametrize("put_back", [by_command, by_hand])
def test_everything_goes_on_from_a_backup(
    path: Path, copy: Path, put_back: object, capsys: pytest.CaptureFixture[str],
) -> None:
    """If this failed, a table that lost its disk could not go on signing, or nobody would be told what is gone."""
    late = json.loads(signed_path(path).read_bytes())[HOME]
    assert callable(put_back)
    put_back(path, copy)
    told = "after 6 had been signed; what followed is another history"
    assert told in capsys.readouterr().out
    for _ in range(2):
        assert run_command_line(["--db", str(path), "verify", "home"]) == 0
        assert told in capsys.readouterr().out, "recorded, and shown ever after"
    with Store.open(path) as store:
        assert [r.n for r in store.read("eve")] == [0, 1, 2]
        store.append("eve", [said(9)])
        assert store.sign(HOME).size == 4
        assert store.warnings == [], "and told once"
        assert store.verify(HOME).found == []
    (fork,) = forks(path)
    assert (fork.kind, fork.book, fork.size, fork.signed, fork.note) == ("restored", HOME, 3, 6, late)
    assert run_command_line(["--db", str(path), "verify", "home", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["forks"][0]["note"] == late
    assert run_command_line(["--db", str(path), "db", "check"]) == 0
    assert told in capsys.readouterr().out
    slip = path.with_name("late.txt")
    slip.write_text(late, encoding="utf-8")
    assert run_command_line(
        ["--db", str(path), "verify", "home", "--against", str(slip)]
    ) == 7, "who has the later slip is not put off"


def test_without_it_the_backup_is_not_signed(path: Path, copy: Path) -> None:
    """The control: a backup that is only copied back is taken for what it looks like."""
    shutil.copy(copy, path)
    accept_lost_end(path)
    with Store.open(path) as store:
        with pytest.raises(StoreError, match="`kibitz db restore` records it and goes on"):
            store.sign(HOME)
        assert [c.kind for c in store.verify(HOME).found] == ["cut"]
    assert forks(path) == []


def test_what_was_here_is_kept(path: Path, copy: Path) -> None:
    """The events that the backup does not have can still be read."""
    done = restore(path, copy)
    assert (done.books, done.events, len(done.forks)) == (1, 3, 1)
    with Store.open(done.kept, write=False) as store:
        assert len(store.read("eve")) == 6
    again = restore(path, copy)
    assert (again.forks, again.kept != done.kept) == ([], True)
    assert copy.exists()
    assert not [p.name for p in path.parent.iterdir() if "restoring" in p.name]


def test_a_store_that_was_lost_or_is_damaged_is_replaced(path: Path, copy: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + bytes(5000))
    done = restore(path, copy)
    assert Path(done.kept).read_bytes()[:6] == b"SQLite"
    path.unlink()
    done = restore(path, copy)
    assert (done.kept, done.events) == ("", 3)


def test_a_backup_that_agrees_with_what_was_signed_is_no_fork(path: Path, tmp_path: Path) -> None:
    with Store.open(path) as store:
        store.create_match({}, game="kaiser", match="eve")
        head = store.sign(HOME)
        made = store.backup(tmp_path / "copy.db")
    assert restore(path, made).forks == []
    assert not forks_path(path).exists()
    with Store.open(path) as store:
        assert store.sign(HOME) == head
        assert store.warnings == []


def test_a_book_that_the_backup_does_not_know_is_recorded_too(
    path: Path, copy: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    with Store.open(path) as store:
        store.create_match({}, game="kaiser", match="else", book="club")
        store.sign("club")
    assert {(f.book, f.size, f.signed) for f in restore(path, copy).forks} == {(HOME, 3, 6), ("club", 0, 1)}
    assert run_command_line(["--db", str(path), "db", "check"]) == 0
    assert "of book club" in capsys.readouterr().out
    with Store.open(path) as store:
        store.create_match({}, game="kaiser", match="else", book="club")
        assert store.sign("club").size == 1


def test_a_backup_that_was_changed_is_not_put_back(path: Path, copy: Path) -> None:
    import sqlite3

    before = path.read_bytes()
    conn = sqlite3.connect(copy)
    forge(conn, "UPDATE events SET payload = replace(payload, '\"amount\":2', '\"amount\":3')")
    conn.commit()
    conn.close()
    with pytest.raises(StoreError, match="not what was written: event 3"):
        restore(path, copy)
    assert path.read_bytes() == before
    assert not [p.name for p in path.parent.iterdir() if "restoring" in p.name or "replaced" in p.name]
    shutil.copy(copy, path)
    accept_lost_end(path)
    with pytest.raises(StoreError, match="not what was written: event 3"):
        restore(path)
    assert forks(path) == []


@pytest.mark.parametrize("what", ["nothing", "a text", "itself"])
def test_what_is_no_backup_is_refused(path: Path, copy: Path, tmp_path: Path, what: str) -> None:
    (tmp_path / "text").write_text("hello" * 200)
    file, kind = {
        "nothing": (tmp_path / "no", NotFoundError), "a text": (tmp_path / "text", StoreError),
        "itself": (path, UsageError),
    }[what]
    before = path.read_bytes()
    with pytest.raises(kind):
        restore(path, file)
    assert path.read_bytes() == before


@pytest.mark.rest
def test_a_store_that_is_open_elsewhere_is_not_replaced(path: Path, copy: Path) -> None:
    """Whoever has it open would go on writing where nobody reads, even if the lock is free."""
    idle = (
        "import sys\nfrom records import Store\nwith Store.open(sys.argv[1]) as s:\n print('open', "
        "flush=True)\n sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", idle, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as other:
        assert other.stdout is not None
        assert other.stdin is not None
        assert other.stdout.readline() == b"open\n"
        with pytest.raises(StoreError, match="in use by another program"):
            restore(path, copy)
        other.stdin.close()
    assert len(restore(path, copy).forks) == 1


def test_a_kill_between_record_and_head_leaves_one_record(
    path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Done again, it goes on as if nothing had been: the record is written first, and not twice."""

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("records.restoring.write_signed", killed)
        with pytest.raises(KeyboardInterrupt):
            restore(path, copy)
    assert len(forks(path)) == 1
    restore(path)
    assert len(forks(path)) == 1
    with Store.open(path) as store:
        assert store.sign(HOME).size == 3
    last: Checkpoint = read_checkpoint(json.loads(signed_path(path).read_bytes())[HOME])[0]
    assert last.size == 3


def test_a_kill_between_the_files_loses_neither(path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The old store is put aside already and the backup is not there yet: nobody begins a new store in its place,
    and the backup can be put back again."""
    from records import restoring

    def killed(real: Path) -> None:
        aside(real)
        raise KeyboardInterrupt

    aside = restoring._moved_aside
    with monkeypatch.context() as patch:
        patch.setattr("records.restoring._moved_aside", killed)
        with pytest.raises(KeyboardInterrupt):
            restore(path, copy)
    assert not path.exists()
    with pytest.raises(StoreError, match="the store is gone"):
        Store.open(path)
    assert len(restore(path, copy).forks) == 1
    (kept,) = path.parent.glob("kibitz.db-replaced-*-??")
    with Store.open(kept, write=False) as store:
        assert len(store.read("eve")) == 6
