"""A sealed match takes what its events may take, whatever its bytes say of themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zstandard
from memory import peak
from sampling import a_few

from events.errors import StoreError, UnreadableError
from events.limits import MAX_BLOB_BYTES, MAX_EVENTS, MAX_WINDOW
from events.model import Open, Pass, Recorded
from records import HOME, Store, sealed_codec
from records.rows import EventLine
from records.sealed_codec import ends_in, seal_lines, unpack

HEAD = b'{"key":"","pos":1,"recorder":"","time":%b,"version":1}'
PASS = b'{"event":{"by":"N","verb":"pass"}}'
OPENING = b'{"event":{"by":"@","facts":{"Game":"kaiser"},"verb":"open"}}'


def compressed(text: bytes | Iterator[bytes], size: int = -1) -> bytes:
    """A frame as somebody else might make it, with the dictionary of the store."""
    data = zstandard.ZstdCompressionDict(sealed_codec._bytes_of(1))
    packer = zstandard.ZstdCompressor(level=1, dict_data=data, write_checksum=True)
    if isinstance(text, bytes):
        return packer.compress(text)
    out = packer.compressobj(size=size)
    return b"".join([*(out.compress(piece) for piece in text), out.flush()])


def again(piece: bytes, size: int) -> Iterator[bytes]:
    for _ in range(size // len(piece)):
        yield piece


def bomb(line: bytes) -> bytes:
    """A few bytes that hold the most a blob may, the same line again and again."""
    whole = line * (65_536 // len(line))
    size = MAX_BLOB_BYTES // len(whole) * len(whole)
    return compressed(again(whole, size), size)


BOMBS = {"line ends": b"\n", "zeros": b"\x00", "one number": b"1", "events": PASS + b"\n"}


@pytest.fixture(scope="module", params=sorted(BOMBS))
def small_but_large(request: pytest.FixtureRequest) -> bytes:
    return bomb(BOMBS[request.param])


def refused(blob: bytes, *events: int) -> Callable[[], None]:
    def work() -> None:
        with pytest.raises(UnreadableError, match="sealed"):
            unpack(blob, 1, *events)

    return work


def test_eight_kilobytes_never_take_gigabytes(small_but_large: bytes) -> None:
    """If this failed, a few bytes put into a store would end the program that reads it, or the machine.

    A blob of that size once took 4.6 GB.
    """
    assert len(small_but_large) < 60_000
    assert zstandard.frame_content_size(small_but_large) > 0.99 * MAX_BLOB_BYTES, "the control: that is what it holds"
    assert peak(refused(small_but_large, 26)) < 4_000_000


@pytest.mark.parametrize(
    ("line", "most"),
    a_few([("line ends", 8_000_000), ("events", 16_000_000), ("zeros", 2 * MAX_BLOB_BYTES + 32_000_000)], 1),
)
def test_nor_if_the_entry_lies_as_well(line: str, most: int) -> None:
    """What the entry says of the number of events is no better than the blob. It is taken apart only as long as it
    looks like lines of events; what looks like one long first line, up to the bound of a blob."""
    blob = bomb(BOMBS[line])

    def opening() -> None:
        with pytest.raises(UnreadableError, match="sealed"):
            ends_in(blob, 1, MAX_EVENTS + 1)

    for work in (refused(blob), opening):
        assert peak(work) < most


@pytest.mark.parametrize("part", a_few(["time", "pos", "version", "key", "recorder"], 3))
@pytest.mark.parametrize("one", [b"0", b'""'])
def test_nor_does_a_first_line_that_speaks_of_millions_of_events(part: str, one: bytes) -> None:
    """A blob of a few kilobytes with a first line of this kind once took 3.7 GB in a list, and in the service. No
    more is made of it than the events that the entry says there are."""
    parts = {
        "key": b'""', "pos": b"1", "recorder": b'""', "time": b"[1,1]", "version": b"1",
        part: b"[" + (one + b",") * 4_000_000 + one + b"]",
    }
    blob = compressed(
        b"\n".join(
            [b"{%b}" % b",".join(b'"%b":%b' % (name.encode(), said) for name, said in parts.items()), OPENING, PASS]
        )
    )
    assert len(blob) < 20_000
    for events in (2, 26, 4_000):

        def listed(events: int = events) -> None:
            with pytest.raises(UnreadableError, match="sealed"):
                ends_in(blob, 1, events)

        for work in (refused(blob, events), listed):
            assert peak(work) < 64_000_000


def test_nor_does_one_event_without_end() -> None:
    """Behind a first line that is whole."""
    zeros = b"\x00" * 65_536
    size = len(TEXT) + 1 + 4_000 * len(zeros)
    blob = compressed(iter([TEXT + b"\n", *[zeros] * 4_000]), size)
    assert zstandard.frame_content_size(blob) == size, "the control"
    assert peak(refused(blob)) < 8_000_000


def test_a_store_names_the_match_and_goes_on(store: Store, small_but_large: bytes) -> None:
    """Reading it, listing it and adding to it are refused; verify names it; others are read as before."""
    for name in ("good", "bad"):
        store.create_match({"Seats": ["N", "S"]}, game="kaiser", match=name)
        store.append(name, [Recorded(n=0, event=Pass(by="N"))] * 20)
        store.seal(name, unfinished=True)
    assert store.verify(HOME).found == []
    store.backend.conn.execute("UPDATE sealed SET body = ? WHERE match = 'bad'", (small_but_large,))
    for work in (lambda: store.read("bad"), lambda: store.tail(HOME)):
        def told(work: Callable[[], object] = work) -> None:
            with pytest.raises(StoreError, match="match bad: the store is damaged") as caught:
                work()
            assert caught.value.exit_code == 7

        assert peak(told) < 4_000_000
    (change,) = store.verify(HOME).found
    assert (change.kind, change.match) == ("edited", "bad")
    assert len(store.read("good")) == 21


def honest(events: int) -> list[EventLine]:
    lines = [EventLine(1, 0, "open", 1, "", "", "", OPENING)]
    return lines + [
        EventLine(n + 1, n, "pass", 1, "", "", "", b'{"event":{"by":"N","verb":"pass"},"t":%d}' % n)
        for n in range(1, events)
    ]


def test_a_large_match_is_taken_apart_piece_by_piece() -> None:
    """The control of all refusals here: a match of the most events comes out as it went in."""
    lines = honest(MAX_EVENTS + 1)
    blob = seal_lines(lines)
    assert zstandard.frame_content_size(blob) > 4 * sealed_codec.AT_ONCE_BYTES
    assert zstandard.get_frame_parameters(blob).window_size <= MAX_WINDOW // 4
    assert unpack(blob, 1, len(lines)) == lines
    assert ends_in(blob, 1, len(lines)) == (1, OPENING, lines[0].time, lines[-1].time)
    with pytest.raises(UnreadableError, match="sealed match has 100002 events"):
        unpack(blob, 1, MAX_EVENTS + 2)
    with pytest.raises(UnreadableError, match="sealed"):
        unpack(blob, 1, len(lines) - 1)


MOMENT = "2026-03-14T20:05:11.250Z"


@pytest.mark.parametrize(
    "times",
    [
        [MOMENT], [MOMENT, ""], ["", MOMENT], ["yesterday", "today"], [MOMENT, "2026-03-14T20:05:10.000Z", MOMENT],
        ["", "", ""],
    ]
)
def test_the_ends_are_those_of_all_events(times: list[str]) -> None:
    """If this failed, a list would show another time than the events themselves."""
    events = [OPENING, *[PASS] * (len(times) - 1)]
    kinds = ["open", *["pass"] * (len(times) - 1)]
    lines = [EventLine(n + 1, n, kinds[n], 1, times[n], "", "", events[n]) for n in range(len(times))]
    assert ends_in(seal_lines(lines), 1, len(lines)) == (1, OPENING, times[0], times[-1])


def test_a_long_remark_and_long_keys_come_out_the_same() -> None:
    """The longest events, and the longest line beside them, are within the bounds as well."""
    text = b"x" * 16_000
    lines = [
        EventLine(
            n + 1, n, "pass", 1, "", "é" * 200, f"{n:0200}", b'{"event":{"by":"N","verb":"pass"},"text":"%b"}' % text,
        )
        for n in range(300)
    ]
    assert unpack(seal_lines(lines), 1, 300) == lines


TEXT = b"\n".join([HEAD % b"[1,1]", OPENING, PASS])
LARGE = b"\n".join([HEAD % (b"[" + b"0," * 99_999 + b"0]"), OPENING, *[PASS] * 99_999])


WIDE = b"\x28\xb5\x2f\xfd\x84\xb8\x00\x00\x40\x00"
"""The head of a frame of 4 MiB that refers back as far as 8 GiB, and takes that much to be read."""


def lied(blob: bytes, size: int) -> bytes:
    """The frame with another length in its head (a field of four bytes)."""
    true = zstandard.frame_content_size(blob).to_bytes(4, "little")
    at = blob.index(true, 5)
    assert at < 16
    return blob[:at] + size.to_bytes(4, "little") + blob[at + 4 :]


@pytest.mark.parametrize(
    ("name", "blob"),
    [
        ("no length", compressed(again(TEXT, len(TEXT)))),
        ("nothing", compressed(b"")),
        ("no blob", b"x" * 50),
        ("no bytes", b""),
        ("cut short", compressed(TEXT)[:-8]),
        ("less than it says", lied(compressed(LARGE), len(LARGE) + 1)),
        ("more than it says", lied(compressed(LARGE), len(LARGE) - 1)),
        ("far more than it says", lied(compressed(LARGE), 70_000)),
        ("far less than it says", lied(compressed(LARGE), MAX_BLOB_BYTES)),
        ("more than there may be", lied(compressed(LARGE), MAX_BLOB_BYTES + 1)),
        ("a large one cut short", compressed(LARGE)[:-8]),
        ("a check sum that is wrong", compressed(LARGE)[:-1] + b"\x00"),
        ("another dictionary", zstandard.ZstdCompressor().compress(LARGE)[:-1]),
        ("a window that is too wide", WIDE + compressed(LARGE)[10:]),
        ("an empty line", compressed(LARGE + b"\n\n" + PASS)),
        ("a line that is too long", compressed(LARGE[: -len(PASS)] + b"x" * 60_000)),
        ("one event too many", compressed(LARGE + b"\n" + PASS)),
    ],
)  # fmt: skip
def test_a_frame_that_lies_is_refused(name: str, blob: bytes) -> None:
    """Clearly, like other damage, and before more is taken than there may be."""
    with pytest.raises(UnreadableError) as caught:
        unpack(blob, 1, 100_000)
    assert "sealed" in caught.value.what, name
    assert len(str(caught.value)) < 300


def test_frames_that_do_not_lie() -> None:
    """The control: the same texts, told as they are."""
    assert len(unpack(compressed(TEXT), 1, 2)) == 2
    assert len(unpack(compressed(LARGE), 1, 100_000)) == 100_000
    assert lied(compressed(LARGE), len(LARGE)) == compressed(LARGE)


def test_what_is_packed_is_taken_apart_again_before_it_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The blob itself, not only its text; and none is made that could not be read again."""
    lines = honest(30)
    monkeypatch.setattr(
        sealed_codec, "_tools",
        lambda number, tools=sealed_codec._tools: (
            lambda text: tools(number)[0](text + b"\n" + PASS), *tools(number)[1:],
        )
    )
    with pytest.raises(UnreadableError):
        seal_lines(lines)
    monkeypatch.undo()
    assert unpack(seal_lines(lines), 1, 30) == lines
    monkeypatch.setattr(sealed_codec, "MAX_BLOB_BYTES", 500)
    with pytest.raises(UnreadableError, match="too large for one piece"):
        seal_lines(lines)


def test_a_match_in_a_store_has_a_most(store: Store, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Appending beyond it is refused and writes nothing; up to it all is taken."""
    from events.errors import UsageError

    monkeypatch.setattr("records.store.MAX_EVENTS", 30)
    monkeypatch.setattr("records.inserting.MAX_EVENTS", 30)
    store.create_match({}, game="kaiser", match="long")
    one = Recorded(n=0, event=Pass(by="N"))
    store.append("long", [one] * 29)
    with pytest.raises(UsageError, match="would have 31 events; expected at most 30"):
        store.append("long", [one] * 2)
    assert store.length("long") == 30
    store.append("long", [one])
    with pytest.raises(UsageError):
        store.append("long", [one])
    opening = Recorded(n=0, event=Open(by="@", facts={"Game": "kaiser"}))
    whole = [opening, *(Recorded(n=n, event=Pass(by="N")) for n in range(1, 32))]
    with pytest.raises(UnreadableError, match="too long; expected at most 30"):
        store.import_match("other", whole, game="kaiser")
    assert store.import_match("other", whole[:-1], game="kaiser").added == 31
