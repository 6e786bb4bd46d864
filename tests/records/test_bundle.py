"""A bundle proves itself to somebody who has nothing but Python."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from plain_rows import events_in
from sampling import a_few

from cli.app import run_command_line
from events.errors import NotFoundError, UnreadableError, UsageError
from events.model import Call, Recorded
from records import HOME, Store
from records.bundle import VERIFIER, bundle_differences, make_bundle, read_bundle
from records.proof.checkpoints import key_id, verifier_key
from records.proof.signing import key_path, signed_path


def said(i: int, text: str = "") -> Recorded:
    return Recorded(n=0, event=Call(by="N", word="w", amount=i), recorder="ann", text=text)


@pytest.fixture
def filled(store: Store) -> Store:
    """Two matches, mixed; the head signed in the middle, after 10 events."""
    store.create_match({}, game="kaiser", match="one")
    store.create_match({}, game="kaiser", match="two")
    for i in range(7):
        store.append("one", [said(i, "♥ – {x}")], key=f"k{i}")
        store.append("two", [said(i)])
        if i == 3:
            (store.path.parent / "early.txt").write_bytes(store.sign(HOME).note.encode())
    return store


def check(tmp_path: Path, bundle: bytes | dict[str, Any], *options: str) -> subprocess.CompletedProcess[str]:
    """The verifier alone in a directory, in an isolated interpreter."""
    there = tmp_path / "elsewhere"
    there.mkdir(exist_ok=True)
    shutil.copy(VERIFIER, there)
    data = bundle if isinstance(bundle, bytes) else json.dumps(bundle).encode()
    (there / "match.bundle").write_bytes(data)
    return subprocess.run(
        [sys.executable, "-I", "-S", "verify_bundle.py", "match.bundle", *options],
        cwd=there, capture_output=True, text=True, encoding="utf-8", timeout=60, env={"PYTHONUTF8": "1"},
    )  # fmt: skip


def test_a_bundle_is_verified_offline(filled: Store, tmp_path: Path) -> None:
    done = check(tmp_path, make_bundle(filled, "one"), "--against", str(tmp_path / "early.txt"))
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "match one: events 0 to 7 are those of book home when its 16 events were signed"
    assert lines[-1] == "the book begins with the 10 events of the checkpoint given"


def test_a_bundle_names_the_replay_that_was_written_beside_it(filled: Store, tmp_path: Path) -> None:
    """If this failed, whoever gets both files could not tell whether they belong together."""
    made = json.loads(make_bundle(filled, "one", replay=("hand\u202e.html", b"<!DOCTYPE html>")))
    assert made["replay"] == {
        "file": "hand\u202e.html", "sha256": "c77e5168dffda66b8dc13f1425b4d3630a6656a3e5acf707f4393277ba3c8b5e",
    }
    done = check(tmp_path, made)
    assert done.returncode == 0
    assert r"beside it as hand\u202e.html (SHA-256 c77e" in done.stdout
    for misshapen in ({"file": "x.html", "sha256": "c77e"}, {"file": "x.html"}, []):
        assert check(tmp_path, {**made, "replay": misshapen}).returncode == 2


def test_the_events_of_a_bundle_are_those_of_the_store(filled: Store, tmp_path: Path) -> None:
    """Byte for byte what the store holds; and --log prints what was recorded."""
    bundle = json.loads(make_bundle(filled, "one"))
    rows = [(row[1], row[3], row[9]) for row in events_in(filled.backend.conn) if row[2] == "one"]
    assert [(e["pos"], e["n"], e["payload"]) for e in bundle["events"]] == rows
    done = check(tmp_path, bundle, "--log")
    assert [json.loads(line)["event"].get("amount") for line in done.stdout.splitlines()[-7:]] == list(range(7))


def test_the_key_may_be_known_from_elsewhere(filled: Store, tmp_path: Path) -> None:
    bundle = make_bundle(filled, "one")
    key = json.loads(bundle)["public_key"]
    done = check(tmp_path, bundle, "--key", key)
    assert done.returncode == 0
    assert "comes with the bundle" not in done.stdout
    assert check(tmp_path, bundle, "--key", key[:-4] + "AAAA").returncode == 1


def first(bundle: dict[str, Any]) -> dict[str, Any]:
    return bundle["events"][3]


def flip(text: str) -> str:
    data = bytearray(base64.b64decode(text))
    data[5] ^= 4
    return base64.b64encode(data).decode()


SPOILT: dict[str, Callable[[dict[str, Any]], object]] = {
    "a payload": lambda b: first(b).update(payload=first(b)["payload"].replace("2", "3")),
    "a time": lambda b: first(b).update(time="2020-01-01T00:00:00.000Z"),
    "a recorder": lambda b: first(b).update(recorder="bob"),
    "a key": lambda b: first(b).update(key=""),
    "a type": lambda b: first(b).update(type="pass"),
    "a version": lambda b: first(b).update(version=2),
    "a position": lambda b: first(b).update(pos=first(b)["pos"] + 1),
    "the match": lambda b: b.update(match="two"),
    "the book": lambda b: b.update(book="club"),
    "an event taken out": lambda b: b["events"].pop(3),
    "an event taken out, the rest renumbered": lambda b: (
        b["events"].pop(3), [e.update(n=i) for i, e in enumerate(b["events"])],
    ),
    "two events swapped": lambda b: b["events"].insert(3, b["events"].pop(4)),
    "the opening taken out": lambda b: (b["events"].pop(0), [e.update(n=i) for i, e in enumerate(b["events"])]),
    "all events taken out": lambda b: b["events"].clear(),
    "a proof": lambda b: first(b)["proof"].__setitem__(0, flip(first(b)["proof"][0])),
    "a proof cut": lambda b: first(b)["proof"].pop(),
    "the size": lambda b: b.update(checkpoint=b["checkpoint"].replace("\n16\n", "\n17\n")),
    "the signature": lambda b: b.update(checkpoint=b["checkpoint"][:-12] + "AAAA" + b["checkpoint"][-8:]),
    "no signature": lambda b: b.update(checkpoint=b["checkpoint"].split("\n\n")[0] + "\n\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", a_few(SPOILT, 5))
def test_a_changed_bundle_is_not_verified(filled: Store, tmp_path: Path, name: str) -> None:
    bundle = json.loads(make_bundle(filled, "one"))
    assert check(tmp_path, bundle).returncode == 0
    SPOILT[name](bundle)
    done = check(tmp_path, bundle)
    assert (done.returncode, done.stdout[:14]) == (1, "NOT VERIFIED: "), done


def test_a_bundle_made_up_with_another_key_does_not_pass_for_this_one(filled: Store, tmp_path: Path) -> None:
    """Whoever makes up a whole store can make a bundle of it; but not under the key that the table knows."""
    key = json.loads(make_bundle(filled, "one"))["public_key"]
    filled.close()
    early = tmp_path / "early.txt"
    with Store.open(tmp_path / "made-up.db") as store:
        store.create_match({}, game="kaiser", match="one")
        store.append("one", [said(9)] * 12)
        bundle = make_bundle(store, "one")
    assert check(tmp_path, bundle).returncode == 0
    assert check(tmp_path, bundle, "--key", key).returncode == 1
    assert check(tmp_path, bundle, "--against", str(early)).returncode == 1


def test_another_key_cannot_take_the_name_of_this_one(filled: Store, tmp_path: Path) -> None:
    """The name of a key begins with its own hash, so that a name seen before means the key seen before."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    bundle = json.loads(make_bundle(filled, "one"))
    forger = Ed25519PrivateKey.generate()
    public = forger.public_key().public_bytes_raw()
    text = bundle["checkpoint"].split("\n\n")[0] + "\n"
    name = text.split("\n")[0]
    code = base64.b64encode(key_id(name, public) + forger.sign(text.encode())).decode()
    bundle.update(checkpoint=f"{text}\n— {name} {code}\n", public_key=verifier_key(name, public))
    done = check(tmp_path, bundle)
    assert (done.returncode, done.stdout) == (1, "NOT VERIFIED: the key is not the one of this book\n")


def test_a_history_rewritten_under_the_same_key_is_seen_by_whoever_has_a_checkpoint(
    filled: Store, tmp_path: Path,
) -> None:
    make_bundle(filled, "one")
    filled.close()
    with Store.open(tmp_path / "other.db") as store:
        shutil.copy(key_path(filled.path), key_path(store.path))
        store.create_match({}, game="kaiser", match="one")
        store.append("one", [said(9)] * 9)
        store.sign(HOME)
        store.append("one", [said(9)])
        bundle = make_bundle(store, "one")
    done = check(tmp_path, bundle, "--against", str(tmp_path / "early.txt"))
    assert (done.returncode, "are not those of the checkpoint" in done.stdout) == (1, True)


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{}", b"{", b'{"kibitz_bundle":2}', b'{"kibitz_bundle":1}', b"\xff", b"null"],
)
def test_what_is_no_bundle_cannot_be_read(tmp_path: Path, data: bytes) -> None:
    done = check(tmp_path, data)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr


def test_a_signed_match_needs_no_new_signature(filled: Store) -> None:
    """Who may only read gets a bundle of what is signed, and is told about the rest."""
    with Store.open(filled.path, write=False) as reader, pytest.raises(UsageError, match="not signed yet"):
        make_bundle(reader, "one")
    filled.set_over("one", True)
    before = signed_path(filled.path).read_bytes()
    filled.append("two", [said(9)])
    with Store.open(filled.path, write=False) as reader:
        assert make_bundle(reader, "one") == make_bundle(filled, "one")
    assert signed_path(filled.path).read_bytes() == before
    with pytest.raises(NotFoundError):
        make_bundle(filled, "three")


def test_the_verifier_needs_nothing_else() -> None:
    import ast

    names = {
        alias.name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(ast.parse(VERIFIER.read_text(encoding="utf-8")))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    assert {str(name).partition(".")[0] for name in names} <= sys.stdlib_module_names


@pytest.mark.parametrize("sealed", [False, True])
def test_verify_takes_a_bundle_for_a_checkpoint(
    filled: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str], sealed: bool
) -> None:
    """A bundle says more than the head in it: also which event a forger changed who computed every hash anew."""
    file = tmp_path / "match.bundle"
    file.write_bytes(make_bundle(filled, "one"))
    key = json.loads(file.read_bytes())["public_key"]
    if sealed:
        filled.seal("one", unfinished=True)
    filled.append("two", [said(9)])
    filled.close()
    command = ["--db", str(filled.path), "verify", "one", "--against", str(file)]
    for more in ([], ["--key", key]):
        assert run_command_line([*command, *more]) == 0
        first, second = capsys.readouterr().out.splitlines()
        assert first == "book home: 17 events, as written; the first 16 as signed, and as in the bundle given"
        assert second.startswith(
            f"signed by {key}, " + ("the key given" if more else "a key that only the file itself names")
        )
    other = tmp_path / "other.db"
    with Store.open(other) as forged, Store.open(filled.path, write=False) as real:
        for row in ("one", "two"):
            forged.create_match({}, game="kaiser", match=row)
        for placed in real.tail(after=2):
            r = placed.recorded
            event = Call(by="N", word="w", amount=77) if placed.pos == 7 else r.event
            forged.append(placed.match, [structs.replace(r, event=event)])
        if sealed:
            forged.seal("one", unfinished=True)
    shutil.copy(key_path(filled.path), key_path(other))
    assert run_command_line(["--db", str(other), "verify", "home", "--against", str(file)]) == 7
    told = capsys.readouterr().out
    assert "forked" in told
    assert "event 7 (match one, event 3) is not as it stands in the bundle given" in told


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda b: b["events"][2].update(payload=b["events"][3]["payload"]), "is not the one that was signed"),
        (lambda b: b.pop("events"), "this is not a bundle"),
        (lambda b: b.update(kibitz_bundle=9), "this is not a bundle"),
        (lambda b: b.update(events=7), "this is not a bundle"),
    ],
)
def test_a_bundle_that_does_not_hold_accuses_nobody(
    filled: Store, spoil: Callable[[dict[str, Any]], object], why: str,
) -> None:
    bundle = json.loads(make_bundle(filled, "one"))
    assert bundle_differences(filled, read_bundle(json.dumps(bundle))) == []
    spoil(bundle)
    with pytest.raises(UnreadableError, match=why):
        read_bundle(json.dumps(bundle))
    with pytest.raises(UnreadableError, match="another key"):
        read_bundle(make_bundle(filled, "one").decode(), "kibitz-00000000/home+00000000+AQ==")
