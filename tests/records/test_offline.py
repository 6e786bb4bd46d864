"""The store and the verifier that is handed out agree on what is valid, and nothing that is put before them stops
either."""

from __future__ import annotations

import base64
import json
import random
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from plain_rows import events_in, forge
from sampling import a_few, sized

from cli.app import run_command_line
from events.errors import StoreError, UnreadableError
from events.model import Call, Recorded
from events.visible_text import is_hidden, visible, visible_json
from records import HOME, Store, verify_bundle
from records.bundle import VERIFIER, make_bundle, read_bundle
from records.hashes import NO_PREVIOUS, leaf_hash
from records.merkle import Tree
from records.proof.checkpoints import SigningKey, origin_of, verifier_key

CLEAN = '{"event":{"by":"N","verb":"pass"}}'
OPENING = '{"event":{"by":"@","facts":{"Game":"kaiser"},"verb":"open"}}'
DEEP = '{"event":{"by":"N","verb":"pass","x":' + "[" * 100_000 + "]" * 100_000 + "}}"
# Payloads of the second event, each with whether it may stand there.
PAYLOADS: dict[str, tuple[str, bool]] = {
    "as it should be": (CLEAN, True),
    "with words": ('{"event":{"by":"N","verb":"pass"},"text":"♥ \\u202e \\u001b[31m"}', True),
    "nothing": ("", False),
    "no JSON": ("{", False),
    "null": ("null", False),
    "a list": ("[1]", False),
    "a number": ("5", False),
    "a text": ('"open"', False),
    "no event": ("{}", False),
    "an event that is a list": ('{"event":["pass"]}', False),
    "an event that is null": ('{"event":null}', False),
    "a verb that is a list": ('{"event":{"verb":["pass"]}}', False),
    "another verb": ('{"event":{"by":"N","verb":"show"}}', False),
    "a verb twice": ('{"event":{"verb":"show","by":"N","verb":"pass"}}', False),
    "an event twice": ('{"event":{"verb":"show"},"event":{"by":"N","verb":"pass"}}', False),
    "a position of its own": ('{"event":{"by":"N","verb":"pass"},"pos":7}', False),
    "NaN": ('{"event":{"by":"N","verb":"pass"},"t":NaN}', False),
    "Infinity": ('{"event":{"by":"N","verb":"pass"},"t":-Infinity}', False),
    "a fraction": ('{"event":{"by":"N","verb":"pass"},"t":1.5}', False),
    "an exponent": ('{"event":{"by":"N","verb":"pass"},"t":1e400}', False),
    "a number of 5,000 digits": ('{"event":{"by":"N","verb":"pass"},"t":' + "9" * 5000 + "}", False),
    "a number past 53 bits": ('{"event":{"by":"N","verb":"pass"},"t":9007199254740992}', False),
    "deep lists": (DEEP, False),
    "deep objects": ('{"event":' + '{"a":' * 100_000 + "1" + "}" * 100_000 + "}", False),
    "lists nested past the limit": ('{"event":{"by":"N","verb":"pass","x":' + "[" * 64 + "]" * 64 + "}}", False),
    "half a character": ('{"event":{"by":"N","verb":"pass"},"text":"\\ud800"}', True),
    "a mark of order": ("\ufeff" + CLEAN, False),
    "bytes behind it": (CLEAN + "x", False),
    "a salt in layout 1": ('{"event":{"by":"N","verb":"pass"},"salt":{"text":"AAAAAAAAAAAAAAAAAAAAAA=="}}', False),
    "something kept back in layout 1": ('{"event":{"by":"N","verb":"pass"},"kept":{"text":"x"}}', False),
    "an empty salt": ('{"event":{"by":"N","verb":"pass"},"salt":{}}', False),
    "a control character": ('{"event":{"by":"N","verb":"pass"},"text":"\x1b"}', False),
}  # fmt: skip


def bundle_of(payloads: list[str], signer: SigningKey | None = None, **changes: Any) -> dict[str, Any]:
    """A bundle of these events, hashed and signed as it should be with a key made for it: only what they say is odd."""
    signer = signer or SigningKey(Ed25519PrivateKey.generate())
    tip, leaves, rows = NO_PREVIOUS, [], []
    for n, payload in enumerate(payloads):
        kind = "open" if n == 0 else "pass"
        tip = leaf_hash(b"home", n + 1, b"eve", n, kind.encode(), 1, b"", b"", b"", tip, payload.encode())
        leaves.append(tip)
        rows.append(
            {
                "pos": n + 1, "n": n, "type": kind, "version": 1, "time": "", "recorder": "", "key": "",
                "payload": payload,
            }
        )
    tree = Tree(leaves)
    for n, row in enumerate(rows):
        row["proof"] = [base64.b64encode(step).decode() for step in tree.inclusion(n)]
    head = signer.sign(HOME, len(leaves), tree.root())
    return {
        "kibitz_bundle": 1, "match": "eve", "book": "home", "public_key": verifier_key(head.origin, signer.public),
        "checkpoint": head.note, "events": rows, "earlier": [], **changes,
    }  # fmt: skip


def offline(bundle: bytes | str, tmp_path: Path, *options: str) -> int:
    """The answer of the verifier, in this process; whatever it prints has nothing hidden in it."""
    file = tmp_path / "bundle"
    file.write_bytes(bundle.encode("utf-8", "surrogatepass") if isinstance(bundle, str) else bundle)
    words = {"--log": "yes"} | dict(zip(options[::2], options[1::2], strict=True))
    code, lines = verify_bundle.answer(str(file), words)
    assert lines
    assert not any(is_hidden(c) for line in lines for c in line)
    return code


def store_reads(bundle: str) -> bool:
    try:
        read_bundle(bundle)
    except UnreadableError:
        return False
    return True


@pytest.mark.parametrize("name", a_few(PAYLOADS, 6))
def test_no_payload_stops_the_verifier(name: str, tmp_path: Path) -> None:
    """As a program of its own: an answer, never a traceback, though all is hashed and signed as it should be."""
    payload, valid = PAYLOADS[name]
    text = json.dumps(bundle_of([OPENING, payload]))
    shutil.copy(VERIFIER, tmp_path)
    (tmp_path / "b").write_text(text)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "verify_bundle.py", "b", "--log"], cwd=tmp_path, capture_output=True, text=True,
        encoding="utf-8", timeout=60, env={"PYTHONUTF8": "1"},
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr[-500:]
    assert (done.returncode == 0) == valid, done
    assert store_reads(text) == valid
    assert not [c for c in done.stdout + done.stderr if is_hidden(c) and c != "\n"]


@pytest.mark.parametrize("name", a_few(PAYLOADS, 8))
def test_the_store_says_of_an_event_what_the_verifier_says(name: str, store: Store, tmp_path: Path) -> None:
    """The same event in a store whose owner hashed and signed it: verify, the export and the verifier agree."""
    payload, valid = PAYLOADS[name]
    store.create_match({}, game="kaiser", match="eve")
    store.append("eve", [Recorded(n=0, event=Call(by="N", word="w"))])
    opening, event = events_in(store.backend.conn)
    prev, time, recorder = opening[11], event[6], event[7]
    leaf = leaf_hash(b"home", 2, b"eve", 1, b"pass", 1, time.encode(), recorder.encode(), b"", prev, payload.encode())
    forge(
        store.backend.conn, "UPDATE events SET type = 'pass', payload = ?, leaf = ? WHERE n = 1", values=(payload, leaf)
    )
    store.sign(HOME)
    found = store.verify(HOME).found
    assert (found == []) == valid, found
    assert not found or (found[0].kind, found[0].first) == ("edited", 2)
    if valid:
        assert offline(make_bundle(store, "eve"), tmp_path) == 0
    else:
        with pytest.raises(StoreError, match="no bundle is written, it would not be verified"):
            make_bundle(store, "eve")


@pytest.mark.parametrize(
    "changes",
    [
        {"extra": 1}, {"events": {}}, {"events": [[]]}, {"events": [None]}, {"match": 5}, {"book": None},
        {"book": "h\ud800"}, {"kibitz_bundle": True}, {"public_key": 5}, {"public_key": "+"},
        {"public_key": "\x00+\x00+\x00"}, {"checkpoint": []}, {"checkpoint": "\n\n"},
        {"checkpoint": "a\n" + "9" * 5000 + "\nb\n\n— x y\n"}, {"earlier": 5}, {"earlier": [5]},
        {"earlier": [{"size": True, "proof": []}]}, {"earlier": [{"size": -1, "proof": []}]},
        {"earlier": [{"size": 1, "proof": ["AA"]}]}, {"earlier": [{"size": 1, "proof": [[]]}]},
        {"earlier": [{"size": 1, "proof": [], "x": 1}]},
    ],
    ids=str,
)  # fmt: skip
def test_a_misshapen_bundle_is_refused_by_both(changes: dict[str, Any], tmp_path: Path) -> None:
    assert offline(json.dumps(bundle_of([OPENING, CLEAN])), tmp_path) == 0
    text = json.dumps(bundle_of([OPENING, CLEAN], **changes))
    assert offline(text, tmp_path) in (1, 2)
    assert not store_reads(text)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000, '{"kibitz_bundle":' * 50_000, '{"kibitz_bundle":' + "1" * 10_000 + "}", "NaN", '"\\ud800"',
        "\ud800", "\ufeff{}", '{"kibitz_bundle":1,"kibitz_bundle":1}', '{"kibitz_bundle":1.0}',
    ],
    ids=range(9),
)  # fmt: skip
def test_what_is_hardly_JSON_is_refused_by_both(text: str, tmp_path: Path) -> None:
    assert offline(text, tmp_path) == 2
    assert not store_reads(text)


def test_the_key_is_handed_out_under_the_name_of_its_book_alone(tmp_path: Path) -> None:
    """The same key under the name of another book, or spelled another way, is not what the store hands out."""
    key = SigningKey(Ed25519PrivateKey.generate())
    good = bundle_of([OPENING, CLEAN], key)
    assert offline(json.dumps(good), tmp_path) == 0
    for spelled in (verifier_key(origin_of(key.public, "club"), key.public), good["public_key"] + "\n"):
        text = json.dumps({**good, "public_key": spelled})
        assert offline(text, tmp_path) == 1
        assert not store_reads(text)


def test_a_bundle_without_the_earlier_proofs_still_holds(tmp_path: Path) -> None:
    bundle = bundle_of([OPENING, CLEAN])
    del bundle["earlier"]
    assert offline(json.dumps(bundle), tmp_path) == 0
    assert store_reads(json.dumps(bundle))


# Whatever is changed


ODD = [
    None, True, False, 0, 1, -1, 2, 3, 1.0, 10**20, "", "x", "open", "\u202e", "\x1b[31m", "\ud800", [], {}, [[]],
    {"": 0}, "A" * 44,
]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every part of a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path] + [way for key, part in inner for way in places(part, (*path, key))]


def changed(bundle: dict[str, Any], chance: random.Random) -> str:
    """The bundle with one thing done to it: to a part of it, or to its bytes."""
    text = json.dumps(bundle, ensure_ascii=False)
    if chance.random() < 0.3:
        at = chance.randrange(len(text))
        with_what = chance.choice(
            ["", text[at] * 2, chance.choice(' "{}[]:,0aA+/=\\\n\u202e'), text[chance.randrange(len(text))]]
        )
        return text[:at] + with_what + text[at + 1 :]
    bundle = json.loads(text)
    way = chance.choice([w for w in places(bundle) if w])
    held = bundle
    for step in way[:-1]:
        held = held[step]
    last, was = way[-1], held[way[-1]]
    act = chance.randrange(5)
    if act == 0:
        del held[last]
    elif act == 1 and isinstance(was, str) and was:
        at = chance.randrange(len(was))
        held[last] = was[:at] + chance.choice(["", "x", "A", "\n", "=", was[at] * 2, "%41"]) + was[at + 1 :]
    elif act == 2 and isinstance(held, list):
        held.insert(last, was)
    elif act == 3 and isinstance(held, dict):
        held[chance.choice(["extra", "pos", "n", last + "x"])] = was
    else:
        held[last] = chance.choice(ODD)
    return json.dumps(bundle, ensure_ascii=chance.random() < 0.5)


@pytest.fixture
def real(store: Store) -> dict[str, Any]:
    """The bundle of a real match, with earlier proofs."""
    store.create_match({"N": "Ann"}, game="kaiser", match="one")
    for i in range(5):
        store.append(
            "one", [Recorded(n=0, event=Call(by="N", word="w", amount=i), recorder="ann", text="♥ {x}")], key=f"k{i}",
        )
        store.sign(HOME)
    made: dict[str, Any] = json.loads(make_bundle(store, "one"))
    assert len(made["earlier"]) == 4
    return made


def says(bundle: Any) -> Any:
    """What a bundle shows, without how it proves it."""
    events = [{k: v for k, v in e.items() if k != "proof"} for e in bundle["events"]]
    return bundle["match"], bundle["book"], bundle["public_key"].strip(), events


@pytest.mark.both
def test_both_agree_on_whatever_is_changed(real: dict[str, Any], tmp_path: Path) -> None:
    """If this failed, one of the two would believe what the other refuses; and what both believe is what was
    written."""
    chance = random.Random(5)
    valid = 0
    for _ in range(sized(130, 400)):
        text = changed(real, chance)
        code = offline(text, tmp_path)
        assert code in (0, 1, 2)
        assert (code == 0) == store_reads(text), text
        if code == 0:
            valid += 1
            told, truth = says(json.loads(text)), says(real)
            # That a match did not go on after the last event is not shown.
            assert told[:-1] == truth[:-1]
            assert told[-1] == truth[-1][: len(told[-1])], "believed, and not what was written"
    assert 3 < valid < 200, "both sides of the question came up"


def test_a_lax_verifier_is_caught(real: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: one that takes JSON as it comes, and looks at no shapes, is told from the store and from the
    truth."""
    monkeypatch.setattr(verify_bundle, "load", lambda text: json.loads(text))
    monkeypatch.setattr(verify_bundle, "shaped", lambda value, *_, **__: value)
    with pytest.raises((AssertionError, AttributeError, IndexError)):
        test_both_agree_on_whatever_is_changed(real, tmp_path)


ROW = ("pos", "n", "type", "version", "time", "recorder", "key", "payload", "match", "leaf")


@pytest.mark.both
@pytest.mark.parametrize("signed", [True, pytest.param(False, marks=pytest.mark.rest)])
def test_both_agree_on_a_store_that_was_changed(signed: bool, path: Path, tmp_path: Path) -> None:
    """One column of one event, whatever it is made: the store finds it if and only if no bundle is written."""
    with Store.open(path) as store:
        store.create_match({}, game="kaiser", match="one")
        store.append(
            "one", [Recorded(n=0, event=Call(by="N", word="w", amount=i), recorder="ann") for i in range(5)], key="k",
        )
        if signed:
            store.sign(HOME)
    chance = random.Random(5)
    same = 0
    for turn in range(sized(60, 120)):
        there = tmp_path / f"{turn}.db"
        shutil.copy(path, there)
        for end in ("-key", "-signed", "-signer"):
            if path.with_name(path.name + end).exists():
                shutil.copy(path.with_name(path.name + end), there.with_name(there.name + end))
        conn = sqlite3.connect(there, isolation_level=None)
        column, n = chance.choice(ROW), chance.randrange(6)
        value = chance.choice(
            [0, 1, 2, 3, 7, -1, 2**60, "", "x", "call", "open", "ann", b"\xff\xfe", b"", None, 1.5, "one", "k", CLEAN]
        )
        try:
            forge(conn, f"UPDATE events SET {column} = ? WHERE n = ?", values=(value, n))
        except sqlite3.IntegrityError:
            continue
        finally:
            conn.close()
        with Store.open(there) as store:
            wrong = [c for c in store.verify(HOME).found if not c.text.startswith("the submission key")]
            try:
                code = offline(make_bundle(store, "one"), tmp_path)
            except StoreError:
                code = 1
        same += code == 0
        assert (code == 0) == (not wrong), (column, n, value, wrong)
    assert same > 3


# Text


def test_the_verifier_hides_nothing_as_the_commands_do() -> None:
    """It shares no code with Kibitz, so that the two are compared character by character."""
    for code in range(0x110000):
        char = chr(code)
        assert verify_bundle.is_hidden(char) == is_hidden(char), hex(code)
        if is_hidden(char):
            assert verify_bundle.visible(char) == visible(char)
            if not 0xD800 <= code < 0xE000:
                assert json.loads(verify_bundle.visible_json(char)) == json.loads(
                    visible_json(json.dumps(char, ensure_ascii=False))
                ) == char
                assert verify_bundle.visible_json(char).isascii()


def test_a_reader_that_goes_away_is_no_traceback(real: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "b").write_text(json.dumps(real))
    with subprocess.Popen(
        [sys.executable, str(VERIFIER), str(tmp_path / "b"), "--log"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as done:
        assert done.stdout is not None
        assert done.stderr is not None
        done.stdout.close()
        assert done.stderr.read() == b""
    assert done.returncode == 0


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_output_will_do(encoding: str, tmp_path: Path) -> None:
    payload = '{"event":{"by":"N","verb":"pass"},"text":"♥ \\u202e"}'
    (tmp_path / "b").write_text(json.dumps(bundle_of([OPENING, payload])))
    done = subprocess.run(
        [sys.executable, str(VERIFIER), str(tmp_path / "b"), "--log"], capture_output=True,
        env={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}, timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_slip_with_ends_of_lines_of_another_system_is_read(
    real: dict[str, Any], store: Store, tmp_path: Path,
) -> None:
    """By both."""
    slip = tmp_path / "slip"
    slip.write_bytes(real["checkpoint"].replace("\n", "\r\n").encode())
    assert offline(json.dumps(real), tmp_path, "--against", str(slip)) == 0
    store.close()
    assert run_command_line(["--db", str(store.path), "verify", "home", "--against", str(slip)]) == 0


def test_a_fork_of_the_same_length_is_called_so(tmp_path: Path) -> None:
    """Same key, same number of events, another root: that is no lack of a proof, but another book."""
    key = SigningKey(Ed25519PrivateKey.generate())
    slip = tmp_path / "slip"
    slip.write_text(key.sign(HOME, 2, bytes(32)).note, encoding="utf-8")
    with pytest.raises(verify_bundle.Refused, match="the 2 events of the book are not those of the checkpoint given"):
        verify_bundle.verify(bundle_of([OPENING, CLEAN], key), None, slip.read_text(encoding="utf-8"))
