"""Who signed: the key that is named counts and no other, the first signer is remembered, and a head without its
forerunner is not signed in silence."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli.app import run_command_line
from events.errors import StoreError, UnreadableError
from events.model import Call, Recorded
from records import HOME, Store
from records.bundle import make_bundle
from records.proof.checkpoints import Checkpoint, SigningKey
from records.proof.signers import forks, public_key_text, signer_path, signers
from records.proof.signing import key_path, signed_path
from records.sqlite.ends import ends_path


def said(i: int) -> Recorded:
    return Recorded(n=0, event=Call(by="N", word="w", amount=i), recorder="ann")


def public_of(path: Path) -> bytes:
    key = SigningKey.at(key_path(path), make=False)
    assert key is not None
    return key.public


@pytest.fixture
def honest(path: Path, tmp_path: Path) -> Checkpoint:
    """A store of eight events, signed after six; the slip lies beside it as `slip.txt`."""
    with Store.open(path) as store:
        store.create_match({}, game="kaiser", match="eve")
        store.append("eve", [said(i) for i in range(5)])
        slip = store.sign(HOME)
        store.append("eve", [said(7), said(8)])
    (tmp_path / "slip.txt").write_text(slip.note, encoding="utf-8")
    return slip


def forged(path: Path, *, amount: int = 99, others: str = "") -> Checkpoint:
    """The store at `path` made up anew with a key of the forger's own; what lies beside it is left as it is.

    `others`: the public key (hexadecimal) that is named among the signers along with his.
    """
    there = path.with_name("forged") / path.name
    there.parent.mkdir()
    with Store.open(there) as store:
        store.create_match({}, game="kaiser", match="eve")
        store.append("eve", [said(amount) for _ in range(9)])
        head = store.sign(HOME)
        if others:
            store.backend.conn.execute("INSERT INTO signers (signer, created) VALUES (?, '')", (others,))
    shutil.copy(there, path)
    return head


def test_the_key_given_is_the_only_one_that_counts(honest: Checkpoint, path: Path, tmp_path: Path) -> None:
    """If this failed, a forger with the file, the code and a key of his own would pass under the table's key."""
    key = public_of(path)
    with Store.open(path, write=False) as store:
        for against in (None, honest):
            done = store.verify(HOME, against, [key])
            assert (done.found, done.signed, [(s.key, s.size, s.known) for s in done.signers]) == (
                [], 6, [(public_key_text(key, HOME), 6, "given")],
            )  # fmt: skip
    head = forged(path)
    for file in path.parent.glob("kibitz.db-*"):
        file.unlink()
    with Store.open(path, write=False) as store:
        assert store.verify(HOME).found == [], "the control: without the key the forger passes"
        assert store.verify(HOME, head).found == [], "with his own slip too"
        (change,) = [c for c in store.verify(HOME, None, [key]).found if not c.first]
        assert (change.kind, change.text) == ("foreign", "nothing in this book is signed with the key given")
        with pytest.raises(UnreadableError, match="not signed with the key given"):
            store.verify(HOME, head, [key])
        assert {c.kind for c in store.verify(HOME, honest, [key]).found} == {"forked", "foreign"}


def test_what_nobody_signed_does_not_pass_under_a_key(honest: Checkpoint, path: Path) -> None:
    """A forger who signs nothing at all does not pass either; and what the key did sign still counts."""
    key = public_of(path)
    with Store.open(path) as store:
        store.backend.conn.execute("DELETE FROM checkpoints")
    signed_path(path).unlink()
    with Store.open(path, write=False) as store:
        assert store.verify(HOME).found == []
        assert [c.kind for c in store.verify(HOME, None, [key]).found] == ["foreign"]
        assert store.verify(HOME, honest, [key]).found == []


def test_what_another_key_signs_on_top_is_named(honest: Checkpoint, path: Path) -> None:
    """Under the old key the rest is not proven; without a key both are named."""
    old = public_of(path)
    key_path(path).unlink()
    with Store.open(path) as store:
        store.sign(HOME)
        assert "first signed with the key" in store.warnings[-1]
        new = public_of(path)
        (change,) = store.verify(HOME, None, [old]).found
        assert (change.kind, change.first, change.last) == ("foreign", 7, 8)
        assert public_key_text(new, HOME) in change.text
        done = store.verify(HOME)
        assert (done.found, [(s.key, s.size) for s in done.signers]) == (
            [], [(public_key_text(new, HOME), 8), (public_key_text(old, HOME), 6)],
        )
        assert store.verify(HOME, None, [new]).found == []
        said_before = list(store.warnings)
        store.append("eve", [said(1)])
        store.sign(HOME)
        assert store.warnings == said_before, "told once"


@pytest.mark.parametrize("named_too", [False, True])
def test_a_signer_that_is_not_the_one_remembered_is_reported(honest: Checkpoint, path: Path, named_too: bool) -> None:
    """If this failed, the store could be exchanged for one of another hand, and whoever opens it every day would not
    see it."""
    key = public_of(path)
    forged(path, others=key.hex() if named_too else "")
    signed_path(path).unlink()
    with Store.open(path, write=False) as store:
        (change,) = store.verify(HOME).found
        assert change.kind == "foreign"
        assert public_key_text(key, HOME) in change.text
    signer_path(path).unlink()
    with Store.open(path, write=False) as store:
        assert store.verify(HOME).found == [], "the control: only what is remembered tells"


def test_the_command_names_who_signed(
    honest: Checkpoint, path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    key = public_key_text(public_of(path), HOME)
    for more, known, words in (
        ([], "remembered", "a key that only the file itself names, and the one remembered beside it"),
        (["--key", key], "given", "the key given"),
        (["--key", key, "--against", str(tmp_path / "slip.txt")], "given", "the key given"),
    ):
        assert run_command_line(["--db", str(path), "verify", "home", *more]) == 0
        assert f"signed by {key}, {words}\n" in capsys.readouterr().out
        assert run_command_line(["--db", str(path), "verify", "home", "--json", *more]) == 0
        assert json.loads(capsys.readouterr().out)["signers"] == [{"key": key, "size": 6, "known": known}]
    signer_path(path).unlink()
    assert run_command_line(["--db", str(path), "verify", "home"]) == 0
    assert f"signed by {key}, a key that only the file itself names\n" in capsys.readouterr().out
    head = forged(path)
    (tmp_path / "his.txt").write_text(head.note, encoding="utf-8")
    # The forger has all that lies beside the store.
    for file in (signed_path(path), key_path(path), ends_path(path)):
        file.unlink()
    for more, code in ([], 0), (["--key", key], 7), (["--key", key, "--against", str(tmp_path / "his.txt")], 4):
        assert run_command_line(["--db", str(path), "verify", "home", *more]) == code
    said = capsys.readouterr()
    assert key not in said.out
    assert "not signed with the key given" in said.err


def test_a_bundle_passes_under_its_key_alone(
    honest: Checkpoint, path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    """The bundle of a forger is refused under the table's key, by the store and by the verifier."""
    from records.verify_bundle import main

    key = public_key_text(public_of(path), HOME)
    forged(path)
    bundle = tmp_path / "b"
    with Store.open(path.with_name("forged") / path.name) as store:
        bundle.write_bytes(make_bundle(store, "eve"))
    assert main([str(bundle)]) == 0
    assert main([str(bundle), "--key", key]) == 1
    assert run_command_line(["--db", str(path), "verify", "home", "--key", key, "--against", str(bundle)]) == 4
    assert "another key than the one given" in capsys.readouterr().err


def test_the_first_signer_is_printed_with_every_checkpoint(
    honest: Checkpoint, path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    first = public_key_text(public_of(path), HOME)
    assert [one.signer for one in signers(path)] == [public_of(path).hex()]
    assert run_command_line(["--db", str(path), "checkpoint", "home"]) == 0
    assert f"public key: {first}\nfirst signer: the same\n" in capsys.readouterr().err
    key_path(path).unlink()
    assert run_command_line(["--db", str(path), "checkpoint", "home", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["public_key"], said["first_signer"]) == (public_key_text(public_of(path), HOME), first)
    assert said["public_key"] != first
    assert run_command_line(["--db", str(path), "checkpoint", "home"]) == 0
    assert f"first signer: {first}\n" in capsys.readouterr().err


# The remembered head


@pytest.mark.parametrize("away", ["the file", "its entry"])
@pytest.mark.parametrize("state", ["put back to before anything was signed", "as it was"])
def test_without_the_remembered_head_nothing_is_signed_in_silence(
    path: Path, tmp_path: Path, state: str, away: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """If this failed, taking one file away would let another history be signed, and nobody would hear of it."""
    with Store.open(path) as store:
        store.create_match({}, game="kaiser", match="eve")
    shutil.copy(path, tmp_path / "early.db")
    with Store.open(path) as store:
        store.append("eve", [said(1)])
        store.sign(HOME)
        assert store.warnings == [], "the control: the first head of all has no forerunner"
        store.create_match({}, game="kaiser", match="club", book="club")
        store.sign("club")
        assert store.warnings == [], "nor has that of a new book"
    if state != "as it was":
        shutil.copy(tmp_path / "early.db", path)
        for end in ("-ends", "-wal", "-shm"):
            path.with_name(path.name + end).unlink(missing_ok=True)
    if away == "the file":
        signed_path(path).unlink()
    else:
        notes = json.loads(signed_path(path).read_bytes())
        signed_path(path).write_text(json.dumps({"club": notes["club"]}))
    assert run_command_line(["--db", str(path), "checkpoint", "home"]) == 0
    assert "the checkpoint of book home that was signed last is not there" in " ".join(capsys.readouterr().err.split())
    (fork,) = forks(path)
    assert (fork.kind, fork.book) == ("unremembered", "home")
    for _ in range(2):
        assert run_command_line(["--db", str(path), "verify", "home"]) == 0
        assert "without the checkpoint signed last" in capsys.readouterr().out, "recorded, and told ever after"
    assert run_command_line(["--db", str(path), "checkpoint", "home"]) == 0
    assert "not there" not in capsys.readouterr().err, "it is remembered again"


def test_a_warning_of_signing_reaches_whoever_ends_the_match(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The head of a book is signed by itself when a match ends: what there is to say about it is said then."""
    base = ["--db", str(path)]
    assert run_command_line([*base, "new", "kaiser", "--id", "eve"]) == 0
    assert run_command_line([*base, "checkpoint", "home"]) == 0
    signed_path(path).unlink()
    capsys.readouterr()
    assert run_command_line([*base, "note", "eve", "0", "well"]) == 0
    assert capsys.readouterr().err == ""
    with Store.open(path) as store:
        store.append("eve", [said(1)])
    from cli import shell

    with shell.store(write=True) as store:
        store.set_over("eve", True)
    assert "is not there" in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("file", ["-signer", "-forks"])
def test_a_spoilt_file_beside_the_store_is_said(honest: Checkpoint, path: Path, file: str) -> None:
    """It is neither believed nor written over."""
    spoilt = path.with_name(path.name + file)
    for data in (b"", b"[", b"{}", b'[{"signer": "x", "since": ""}]', b"[" * 100_000, b"\xff"):
        spoilt.write_bytes(data)
        with Store.open(path) as store:
            assert [c.kind for c in store.verify(HOME).found] == ["damaged"]
            store.append("eve", [said(1)])
            if file == "-signer":
                with pytest.raises(StoreError, match="the file of the signers cannot be read"):
                    store.sign(HOME)
        assert spoilt.read_bytes() == data


# A key that cannot be made

FULL = """
import resource, signal, sys
from records import HOME, Store
from records.proof.signing import sign
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with Store.open(sys.argv[1]) as store:
    store.create_match({}, game="kaiser", match="eve")
    resource.setrlimit(resource.RLIMIT_FSIZE, (40, resource.RLIM_INFINITY))
    try:
        store.sign(HOME)
    except Exception as error:
        print(type(error).__name__, error)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of this kind")
def test_a_full_disk_leaves_no_half_key(path: Path) -> None:
    """The system itself takes 40 bytes of the key and refuses the rest: the message says that there is no room."""
    done = subprocess.run([sys.executable, "-c", FULL, str(path)], capture_output=True, text=True, timeout=60)
    assert done.stdout == (
        f"StoreError {key_path(path)}: there is no room left to write the key; nothing was signed. Make "
        "room on the disk "
        "and try again\n"
    ), done
    assert not key_path(path).exists()
    assert not list(path.parent.glob("*.new"))
    with Store.open(path) as store:
        assert store.checkpoints(HOME) == []
        assert store.sign(HOME).size == 1
        assert store.warnings == []


def test_a_key_that_cannot_be_made_for_another_reason_is_told_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*args: object, **how: object) -> None:
        raise PermissionError(13, "Permission denied")

    with Store.open(path) as store:
        store.create_match({}, game="kaiser", match="eve")
        monkeypatch.setattr("records.proof.checkpoints.write_whole", refused)
        with pytest.raises(StoreError, match=r"the key cannot be made \(Permission denied\)"):
            store.sign(HOME)
