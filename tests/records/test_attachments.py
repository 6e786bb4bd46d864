"""Pictures that are attached: the copy is safe before the record names it, and nothing that goes wrong in between
loses either."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from ended_children import came_to_its_end
from plain_rows import forge

from events.canon import decode, encode
from events.errors import NotFoundError, StoreError, UnreadableError, UsageError
from events.limits import MAX_ATTACHMENT_BYTES
from events.model import Fix, Note, Pass, Recorded
from events.picture_notes import Attachment, attached, attachments, picture_note, taking_away
from events.versions import record_version
from records import HOME, SealedError, Store, import_loaded
from records.attachments import (
    PictureSweep,
    attach,
    clean_pictures,
    faults,
    look_at_pictures,
    looked_over,
    remove,
    unused,
)
from records.bundle import make_bundle, read_bundle
from records.copies import Copies, ReadPicture, picture_from_bytes, picture_kind, read_picture
from records.files import load_bundle
from records.restoring import restore
from records.verify_bundle import Refused, load, verify

JPEG, PNG = b"\xff\xd8\xff\xe0" + b"sheet" * 50, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + b"pile" * 50
PDF, WEBP = b"%PDF-1.7 " + b"scan" * 50, b"RIFF\x10\0\0\0WEBPVP8 " + b"hand" * 50
PICTURE = picture_from_bytes(JPEG, "")
NOTE = Recorded(n=0, event=Note(by="@"), text="the sheet")


@pytest.fixture
def two(store: Store, match: str) -> str:
    """A second match of the store."""
    return store.create_match({}, game="kaiser", match="kaiser-wednesday")


def states(store: Store) -> list[str]:
    """What became of every copy of the book."""
    return [one.state for one in looked_over(store, HOME)]


# What is read


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (JPEG, "jpeg"), (PNG, "png"), (WEBP, "webp"), (PDF, "pdf"), (b"hello", ""), (b"\xff\xd8", ""),
        (b"RIFF1234AVI ", ""), (b"", ""),
    ]
)  # fmt: skip
def test_the_content_says_what_it_is(tmp_path: Path, data: bytes, kind: str) -> None:
    """If this failed, a text could be attached under a name that ends in .jpg, or a photograph be refused."""
    (tmp_path / "x.jpg").write_bytes(data)
    assert picture_kind(data) == kind
    if kind:
        assert read_picture(tmp_path / "x.jpg") == ReadPicture(hashlib.sha256(data).hexdigest(), kind, data)
    else:
        with pytest.raises(UnreadableError, match=r"not a picture|empty"):
            read_picture(tmp_path / "x.jpg")


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    """A folder, a device, a pipe that nobody writes to, a link that leads nowhere or around; a link to a picture is
    followed."""
    (tmp_path / "x.png").write_bytes(PNG)
    (tmp_path / "link").symlink_to("x.png")
    (tmp_path / "around").symlink_to("around")
    (tmp_path / "away").symlink_to("nothing")
    os.mkfifo(tmp_path / "pipe")
    assert read_picture(tmp_path / "link").data == PNG
    for name, words in (
        ("", "folder"), ("pipe", "pipe"), ("around", "cannot be read"), ("x.png/y", "cannot be read"),
        ("a\0b", "cannot be read"),
    ):
        with pytest.raises(UnreadableError, match=words):
            read_picture(f"{tmp_path}/{name}")
    with pytest.raises(UnreadableError, match="device"):
        read_picture("/dev/null")
    with pytest.raises(NotFoundError):
        read_picture(tmp_path / "away")


def test_no_more_is_read_than_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a file of exactly 20 MB, it is read; one byte more is refused, also if the file does not say how long it
    is."""
    with (tmp_path / "x").open("wb") as file:
        file.write(JPEG)
        file.truncate(MAX_ATTACHMENT_BYTES)
    assert len(read_picture(tmp_path / "x").data) == MAX_ATTACHMENT_BYTES
    os.truncate(tmp_path / "x", MAX_ATTACHMENT_BYTES + 1)
    asked = []
    read, size = os.read, os.stat(tmp_path / "x")

    def counted(fd: int, most: int) -> bytes:
        asked.append(most)
        return read(fd, most)

    monkeypatch.setattr(os, "read", counted)
    monkeypatch.setattr(os, "fstat", lambda fd: os.stat_result((stat.S_IFREG, *size[1:6], 5, *size[7:])))
    with pytest.raises(UnreadableError, match="too large"):
        read_picture(tmp_path / "x")
    assert sum(asked) <= MAX_ATTACHMENT_BYTES + 1


@pytest.mark.parametrize("change", ["longer", "other", "shorter"])
def test_a_file_that_changes_meanwhile_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    """If this failed, half a photograph could be kept while a phone is still sending the rest."""
    path = tmp_path / "x"
    path.write_bytes(JPEG)
    read = os.read

    def meanwhile(fd: int, most: int) -> bytes:
        data = read(fd, most)
        monkeypatch.setattr(os, "read", read)
        if change == "other":
            os.utime(path, ns=(1, 1))
        else:
            os.truncate(path, len(JPEG) + (1 if change == "longer" else -1))
        return data

    monkeypatch.setattr(os, "read", meanwhile)
    with pytest.raises(UnreadableError, match="changed while"):
        read_picture(path)
    assert read_picture(path).kind == "jpeg"


# What the record says


def test_the_record_names_hash_kind_and_size() -> None:
    """In a note of version 2, which is read back the same; a fix can carry it, and what is not whole names nothing."""
    note = picture_note(PICTURE.sha256, "jpeg", 254, (3,))
    said = Recorded(n=5, event=note, v=record_version(note), text="trick 3")
    assert said.v == 2
    assert decode(encode(said)) == said
    one = attached(said)
    assert one is not None
    assert (
        one.n, one.sha256, one.kind, one.size, one.refs, one.text,
    ) == (5, PICTURE.sha256, "jpeg", 254, (3,), "trick 3")
    assert attached(Recorded(n=5, event=Fix(by="@", at=4, how="insert", event=note))) is not None
    for facts in (
        {"sha256": PICTURE.sha256}, {**note.facts, "kind": "gif"}, {**note.facts, "sha256": "x" * 64},
        {**note.facts, "bytes": True}, {**note.facts, "bytes": MAX_ATTACHMENT_BYTES + 1},
    ):  # fmt: skip
        assert attached(Recorded(n=5, event=Note(by="@", facts=facts))) is None
    assert attached(Recorded(n=5, event=Pass(by="N"))) is None


def test_removed_and_attached_again() -> None:
    """What came last counts, for every place that names the picture."""
    put, off = picture_note(PICTURE.sha256, "jpeg", 254), taking_away(PICTURE.sha256)
    told = [Recorded(n=n, event=event) for n, event in enumerate([put, put, off, put, off, off], 1)]
    assert [
        [one.removed for one in attachments(told[:n])] for n in range(1, 7)
    ] == [[0], [0, 0], [3, 3], [0, 0, 0], [3, 3, 5], [3, 3, 5]]


def test_struck_out(store: Store, match: str) -> None:
    """A note that is struck out, or gives way to another event, is told as such; its copy is kept, and it can be
    attached again."""
    attach(store, match, PICTURE, NOTE)
    store.append(match, [Recorded(n=0, event=Fix(by="@", at=1, how="insert", event=Pass(by="N")))])
    assert look_at_pictures(store, match, store.read(match))[0].struck == 0
    store.append(match, [Recorded(n=0, event=Fix(by="@", at=1, how="strike"))])
    assert attach(store, match, PICTURE, NOTE).first == 4
    assert [
        (one.n, one.struck, one.state) for one in look_at_pictures(store, match, store.read(match))
    ] == [(1, 3, "kept"), (4, 0, "kept")]


# Attaching


def test_one_copy_for_all_who_name_it(store: Store, match: str, two: str) -> None:
    """Given one picture for two matches, one copy is kept; the same again about the same is not recorded twice."""
    assert attach(store, match, PICTURE, NOTE).first == 1
    assert attach(store, match, PICTURE, NOTE).repeated
    assert attach(store, match, PICTURE, Recorded(n=0, event=Note(by="@", refs=(1,)))).first == 2
    assert attach(store, two, PICTURE, NOTE).first == 1
    assert store.copies.names() == [f"{PICTURE.sha256}.jpg"]
    assert store.copies.read(PICTURE.sha256, "jpeg") == JPEG
    assert states(store) == ["kept"] * 3
    assert store.verify(HOME).found == []
    assert [one.text for one in look_at_pictures(store, match, store.read(match))] == ["the sheet", ""]


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_the_copy_is_on_the_disk_before_the_event(store: Store, match: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given what is asked of the system, the bytes are synced, then named, then the folder is synced, then it is
    committed."""
    order: list[str] = []

    def noted(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **more: Any) -> Any:
            where = os.readlink(f"/proc/self/fd/{args[0]}") if name == "fsync" else ""
            order.append(name if name != "fsync" else "folder" if Path(where).is_dir() else "file")
            return call(*args, **more)

        return run

    monkeypatch.setattr(os, "fsync", noted("fsync", os.fsync))
    monkeypatch.setattr(os, "replace", noted("replace", os.replace))
    store.backend.conn.set_trace_callback(
        lambda sql: order.append(sql) if sql in ("COMMIT",) or "INTO recent" in sql else None
    )
    attach(store, match, PICTURE, NOTE)
    del order[: order.index("file")]
    assert [
        step if step.isalpha() else "event" for step in order
    ][:5] == ["file", "replace", "folder", "event", "COMMIT"]


@pytest.mark.parametrize("call", ["fsync", "replace", "write"])
def test_a_full_disk_records_nothing(store: Store, match: str, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    """Whatever fails: the answer says to make room, the record is as it was, and nothing is left beside the store."""
    import errno

    def full(*args: object, **more: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        if call == "write":
            patch.setattr(os, "fdopen", full)
        else:
            patch.setattr(os, call, full)
        with pytest.raises(StoreError, match="Make room"):
            attach(store, match, PICTURE, NOTE)
    assert store.length(match) == 1
    assert store.copies.names() == []
    assert attach(store, match, PICTURE, NOTE).first == 1


def test_what_is_refused_leaves_nothing(store: Store, match: str, two: str) -> None:
    """A sealed match takes no picture, and a match that is not there neither; what another match has stays."""
    attach(store, two, PICTURE, NOTE)
    store.seal(match, unfinished=True)
    for name, error in ((match, SealedError), ("nix", NotFoundError)):
        with pytest.raises(error):
            attach(store, name, PICTURE, NOTE)
        with pytest.raises(error):
            attach(store, name, picture_from_bytes(PNG, ""), NOTE)
    assert store.copies.names() == [f"{PICTURE.sha256}.jpg"]


# Ended in between


def until(path: Path, step: int, work: Callable[[Store], object]) -> bool:
    """Do this in a child that is ended before its `step`-th change of a file; whether it came to its end."""

    def watched(before: Callable[[], None]) -> None:
        def counted(call: Callable[..., Any]) -> Callable[..., Any]:
            def run(*args: Any, **more: Any) -> Any:
                before()
                return call(*args, **more)

            return run

        with Store.open(path) as store:
            for name in ("open", "fsync", "replace", "unlink"):
                setattr(os, name, counted(getattr(os, name)))
            store.backend.conn.set_trace_callback(counted(lambda sql: None))
            work(store)

    return came_to_its_end(watched, step)


def steps(path: Path, work: Callable[[Store], object]) -> Iterator[int]:
    """Every step at which the work can be ended, up to its end."""
    step = 1
    while not until(path, step, work):
        yield step
        step += 1


@pytest.mark.skipif(sys.platform != "linux", reason="forks")
def test_ended_while_it_is_attached(path: Path, store: Store, match: str) -> None:
    """Given a program that is killed at any step, then each event has its copy; a file without one is named, and
    cleaned up."""
    store.close()
    seen = set()
    for step in steps(
        path,
        lambda s: attach(
            s, match, picture_from_bytes(JPEG + bytes([0]), ""),
            Recorded(n=0, event=Note(by="@"), text=str(s.length(match))),
        )
    ):
        with Store.open(path) as found:
            assert found.verify(HOME).found == []
            assert set(states(found)) <= {"kept"}
            left = unused(found, PictureSweep(found))
            seen.add((found.length(match) > 1, bool(left)))
            assert clean_pictures(found) == left
            assert states(found) == ["kept"] * (found.length(match) - 1)
        assert step < 60
    assert {(False, False), (False, True)} <= seen


@pytest.mark.rest
@pytest.mark.skipif(sys.platform != "linux", reason="forks")
def test_ended_while_it_is_removed(path: Path, store: Store, match: str) -> None:
    """Given a program that is killed at any step, then the copy is there, or the record says that it was removed."""
    attach(store, match, PICTURE, NOTE)
    store.close()
    for step in steps(path, lambda s: remove(s, match, "1")):
        with Store.open(path) as found:
            said = bool(look_at_pictures(found, match, found.read(match))[0].removed)
            assert states(found) == (["removed"] if said else ["kept"])
            assert faults(looked_over(found, HOME)) == []
        assert step < 60
    with Store.open(path) as found:
        assert found.length(match) == 3
        assert found.copies.names() == []


@pytest.mark.skipif(sys.platform != "linux", reason="forks")
def test_several_at_once(path: Path, store: Store, match: str, two: str) -> None:
    """Given programs that attach and remove one picture in two matches, then at the end each match has what its
    record says."""
    store.close()
    children = []
    for name in (match, match, two, two):
        child = os.fork()
        if not child:
            try:
                with Store.open(path, timeout=30) as own:
                    for i in range(6):
                        done = attach(own, name, PICTURE, Recorded(n=0, event=Note(by="@"), text=f"{os.getpid()} {i}"))
                        if i % 2:
                            remove(own, name, str(done.first))
                os._exit(0)
            finally:
                os._exit(1)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * 4
    with Store.open(path) as found:
        assert found.verify(HOME).found == []
        assert set(states(found)) <= {"kept", "removed"}
        assert unused(found, PictureSweep(found)) == []
        # The last word of all decides whether there is a copy.
        assert bool(found.copies.names()) == ("kept" in states(found))


def test_nobody_attaches_while_a_copy_goes(
    path: Path, store: Store, match: str, two: str, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Given that a picture is looked for in other matches before its copy goes, then nobody can attach it to one in
    between."""
    attach(store, match, PICTURE, NOTE)
    on, tried = PictureSweep.on, []

    def meanwhile(self: PictureSweep) -> dict[str, list[Attachment]]:
        found = on(self)
        try:
            with Store.open(path, timeout=0.05) as other:
                attach(other, two, PICTURE, NOTE)
        except StoreError as error:
            tried.append(error.what)
        return found

    monkeypatch.setattr(PictureSweep, "on", meanwhile)
    assert remove(store, match, "1").gone
    assert tried == ["the store is in use by another program"]
    assert clean_pictures(store) == []
    assert len(tried) == 2


# What becomes of a copy


def test_what_happened_to_a_copy_is_named(store: Store, match: str, tmp_path: Path) -> None:
    """Changed by a bit, cut, replaced by a folder, a pipe or a link to another file: changed. Gone: missing. Put
    back: well."""
    attach(store, match, PICTURE, NOTE)
    path = store.copies.path(PICTURE.sha256, "jpeg")
    (tmp_path / "same").write_bytes(JPEG)
    spoilt: list[tuple[str, Callable[[], object]]] = [
        ("edited", lambda: path.write_bytes(JPEG[:-1] + b"\0")), ("edited", lambda: path.write_bytes(JPEG[:-1])),
        ("edited", path.mkdir), ("edited", lambda: os.mkfifo(path)),
        ("edited", lambda: path.symlink_to(tmp_path / "same")), ("deleted", lambda: None),
    ]  # fmt: skip
    for kind, spoil in spoilt:
        path.unlink()
        spoil()
        (change,) = faults(looked_over(store, HOME))
        assert (change.kind, change.match) == (kind, match)
        assert "event 1" in change.text
        assert store.copies.read(PICTURE.sha256, "jpeg") is None
        if path.is_dir():
            path.rmdir()
        assert attach(store, match, PICTURE, NOTE).repeated
        assert states(store) == ["kept"]
    assert (tmp_path / "same").read_bytes() == JPEG


def test_removed_is_not_missing(store: Store, match: str, two: str) -> None:
    """The hash stays, and who removed it and why; another match keeps its copy, and a sealed one does so too."""
    attach(store, match, PICTURE, NOTE)
    attach(store, two, PICTURE, NOTE)
    store.seal(two, unfinished=True)
    done = remove(store, match, PICTURE.sha256[:8], text="not ours", recorder="ann")
    assert (done.gone, done.others, done.done.first) == (False, [two], 2)
    assert states(store) == ["removed", "kept"]
    store.unseal(two)
    again = remove(store, two, "#1")
    assert (again.gone, again.others) == (True, [])
    assert store.copies.names() == []
    assert remove(store, match, "1").done == type(done.done)(2, 2, repeated=True)
    (one,) = look_at_pictures(store, match, store.read(match))
    assert (one.sha256, one.state, one.removed) == (PICTURE.sha256, "removed", 2)
    assert faults(looked_over(store, HOME)) == []
    with pytest.raises(NotFoundError, match="one of #1"):
        remove(store, match, "7")


def test_nothing_that_is_wanted_is_cleaned_up(store: Store, match: str) -> None:
    """Given a store that cannot be read in part, nothing is cleaned up: what is unreadable may name a picture."""
    attach(store, match, PICTURE, NOTE)
    (store.copies.folder / "notes.txt").write_text("mine")
    part = store.copies.prepare(picture_from_bytes(PNG, ""))
    assert clean_pictures(store) == [part.name]
    assert sorted(store.copies.names()) == sorted([f"{PICTURE.sha256}.jpg", "notes.txt"])
    for spoilt in ("""replace(payload, '"verb":"note"', '"verb":"nope"')""", "x'00'"):
        forge(store.backend.conn, f"UPDATE events SET payload = {spoilt} WHERE n = 1")
        with pytest.raises(StoreError):
            clean_pictures(store)
    assert f"{PICTURE.sha256}.jpg" in store.copies.names()


# Carried along


def test_a_backup_has_the_pictures(path: Path, store: Store, match: str, tmp_path: Path) -> None:
    """And putting it back brings them back, a spoilt one too; what was there stays with the store that was put
    aside."""
    attach(store, match, PICTURE, NOTE)
    made = store.backup(tmp_path / "copy.db")
    assert sorted(p.name for p in tmp_path.glob("copy*")) == ["copy.db", "copy.db-attached"]
    with pytest.raises(UsageError):
        store.backup(made)
    attach(store, match, picture_from_bytes(PNG, ""), NOTE)
    store.copies.path(PICTURE.sha256, "jpeg").write_bytes(b"spoilt")
    store.close()
    done = restore(path, made)
    with Store.open(path) as back, Store.open(Path(done.kept), write=False) as old:
        assert states(back) == ["kept"]
        assert unused(back, PictureSweep(back)) == [f"{picture_from_bytes(PNG, '').sha256}.png"]
        assert states(old) == ["kept", "kept"]


def test_a_backup_that_fails_is_none(store: Store, match: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a picture cannot be copied, there is no file that could be taken for a backup."""
    attach(store, match, PICTURE, NOTE)
    monkeypatch.setattr(Copies, "copy_to", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(StoreError, match="Make room"):
        store.backup(tmp_path / "copy.db")
    assert list(tmp_path.glob("copy.db*")) == []


def test_a_bundle_carries_them(store: Store, match: str, tmp_path: Path) -> None:
    """Its own verifier checks them, another store takes them in; one that is missing is said, one that was removed
    stays away."""
    attach(store, match, PICTURE, NOTE)
    attach(store, match, picture_from_bytes(PDF, ""), NOTE)
    made = make_bundle(store, match)
    assert [one.data for one in read_bundle(made.decode()).pictures] == [JPEG, PDF]
    assert sum("comes along as it was attached" in line for line in verify(load(made.decode()))) == 2
    with Store.open(tmp_path / "other.db") as other:
        assert import_loaded(other, load_bundle("b", made)).status == "new"
        assert states(other) == ["kept", "kept"]
        remove(other, match, "1")
        assert import_loaded(other, load_bundle("b", made)).status == "same"
        assert states(other) == ["removed", "kept"]
        assert len(other.copies.names()) == 1
        assert any("was removed, as event 3 says" in line for line in verify(load(make_bundle(other, match).decode())))
    store.copies.path(PICTURE.sha256, "jpeg").unlink()
    assert any(
        "event 1" in line and "does not come along" in line for line in verify(load(make_bundle(store, match).decode()))
    )
    assert "event 1 does not come along" in store.warnings[-1]
    assert b"attachments" not in make_bundle(store, match, pictures=False)


@pytest.mark.parametrize("change", ["bit", "twice", "other", "key", "base64"])
def test_a_bundle_with_another_picture_is_refused(store: Store, match: str, change: str) -> None:
    """If this failed, a picture could be exchanged on the way, or one be added that nobody attached."""
    import base64

    attach(store, match, PICTURE, NOTE)
    bundle = json.loads(make_bundle(store, match))
    (one,) = bundle["attachments"]
    other = {"sha256": hashlib.sha256(PNG).hexdigest(), "data": base64.b64encode(PNG).decode()}
    match change:
        case "bit":
            one["data"] = base64.b64encode(JPEG[:-1]).decode()
        case "twice":
            bundle["attachments"].append(one)
        case "other":
            bundle["attachments"].append(other)
        case "key":
            one["name"] = "x"
        case _:
            one["data"] = "?"
    with pytest.raises((Refused, ValueError)):
        verify(bundle)
    with pytest.raises(UnreadableError):
        load_bundle("b", json.dumps(bundle).encode())


def test_a_picture_too_many_for_a_bundle(store: Store, match: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused with what to do, and not written so that nobody could read it."""
    attach(store, match, PICTURE, NOTE)
    monkeypatch.setattr("records.bundle._MOST_PICTURES", len(JPEG) - 1)
    with pytest.raises(UsageError, match="--bare"):
        make_bundle(store, match)
    assert make_bundle(store, match, pictures=False)


def test_an_import_that_is_refused_leaves_no_picture(store: Store, match: str, tmp_path: Path) -> None:
    """Given a store that has another match of this name, then neither its events nor its pictures come in."""
    attach(store, match, PICTURE, NOTE)
    made = make_bundle(store, match)
    with Store.open(tmp_path / "other.db") as other:
        other.create_match({}, game="kaiser", match=match)
        with pytest.raises(Exception, match="event 0"):
            import_loaded(other, load_bundle("b", made))
        assert other.copies.names() == []
