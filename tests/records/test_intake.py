"""Archives are parted where matches begin, whatever stands in them, and never more is kept than one match."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from memory import peak
from sampling import examples

from events.errors import NotFoundError, UnreadableError
from events.limits import MAX_LINE
from records import intake, load_file
from records.intake import FilePart, matches_in_file, read_whole

OPENING = b'{"event":{"by":"@","facts":{"Game":"kaiser","Match":"m%d"},"verb":"open"},"n":0}\n'
PASS = b'{"event":{"by":"N","verb":"pass"},"n":%d}\n'
DEEP = b'{"event":{"by":"@","facts":' + b'{"a":' * 2_000 + b"1" + b"}" * 2_000 + b',"verb":"open"},"n":0}\n'


def match(number: int, events: int = 3) -> bytes:
    return OPENING % number + b"".join(PASS % n for n in range(1, events + 1))


@pytest.fixture
def archive(tmp_path: Path) -> Callable[[bytes], list[FilePart]]:
    """What a file with these bytes is parted into."""

    def parts(data: bytes) -> list[FilePart]:
        (tmp_path / "a.jsonl").write_bytes(data)
        return list(matches_in_file(tmp_path / "a.jsonl"))

    return parts


# Where matches begin

ODD = [b"\n", b"  \n", b"x\n", b'{"n":0\n', b'{"a":{"n":0}}\n', b'{"a":{"n":1}}\n', b"\xff\n"]


@examples(200, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.tuples(st.integers(1, 12), st.lists(st.tuples(st.integers(0, 9), st.sampled_from(ODD)), max_size=2)),
        min_size=1, max_size=6,
    ),
    st.integers(1, 400), st.booleans(),
)  # fmt: skip
def test_each_match_is_given_whole(matches: list[tuple[int, list[tuple[int, bytes]]]], block: int, ended: bool) -> None:
    """However the file falls into blocks, and whatever stands between the events of a match."""
    written = []
    for number, (events, odd) in enumerate(matches):
        lines = match(number, events).splitlines(keepends=True)
        for place, line in odd:
            lines.insert(min(place + 1, len(lines) - 1) if len(lines) > 2 else 1, line)
        written.append(b"".join(lines))
    data = b"".join(written) if ended else b"".join(written)[:-1]
    written[-1] = written[-1] if ended else written[-1][:-1]
    blocks = iter([data[i : i + block] for i in range(0, len(data), block)])
    lines_ = intake._whole_lines(lambda size: next(blocks, b""), next(blocks), "a")
    parts = list(intake._Splitter("a").parts(lines_))
    assert [p.data for p in parts] == written
    assert [p.name for p in parts] == (
        ["a"] if len(written) == 1 else [f"a, match {i}" for i in range(1, len(written) + 1)]
    )


@pytest.mark.parametrize(
    ("name", "opening"),
    [
        ("it nests too deep", DEEP),
        ("it is cut short", OPENING[:30] + b"\n"),
        ("it is too long", b'{"event":{"by":"@","facts":{"Game":"' + b"x" * 3_000_000 + b'"},"verb":"open"},"n":0}\n'),
        ("it is not a text", b"\xff\x00" * 50 + b"\n"),
        (
            "its number is too large",
            b'{"event":{"by":"@","facts":{"Game":"kaiser"},"verb":"open"},"n":' + b"9" * 5_000 + b"}\n",
        ),
    ],
)
def test_a_match_whose_opening_cannot_be_read(
    archive: Callable[[bytes], list[FilePart]], name: str, opening: bytes,
) -> None:
    """Is told from the one before it, which is as good as it was."""
    bad = opening + match(1).split(b"\n", 1)[1]
    parts = archive(match(0) + bad + match(2))
    assert [parts[0].data, parts[2].data] == [match(0), match(2)], name
    assert [bool(load_file(p.name, p.data).errors) for p in parts] == [False, True, False]


def test_what_cannot_be_read_behind_an_opening_belongs_to_its_match(archive: Callable[[bytes], list[FilePart]]) -> None:
    """The control: if the rest of it were taken for a match of its own, half of this one would be imported."""
    broken = OPENING % 1 + b"garbage\n" + b"".join(PASS % n for n in range(1, 4))
    parts = archive(match(0) + broken + match(2))
    assert [p.data for p in parts] == [match(0), broken, match(2)]
    for between in (b"", b"\n"):
        repeated = OPENING % 1 + PASS % 1 + PASS % 2 + between + PASS % 1 + PASS % 2
        assert [p.data for p in archive(match(0) + repeated)] == [match(0), repeated]


# What is too large


def test_a_match_that_is_too_large_does_not_keep_the_others_back(
    archive: Callable[[bytes], list[FilePart]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Refused by name at the bound, at any size of block; one line less and it is given."""
    large = match(1, 200)
    data = match(0) + large + match(2)
    for block in (100, 1_000, 1 << 20):
        monkeypatch.setattr(intake, "AT_ONCE_BYTES", block)
        monkeypatch.setattr(intake, "MAX_MATCH_BYTES", len(large))
        assert [p.data for p in archive(data)] == [match(0), large, match(2)]
        monkeypatch.setattr(intake, "MAX_MATCH_BYTES", len(large) - 1)
        parts = archive(data)
        assert [p.data for p in parts] == [match(0), b"", match(2)]
        assert str(parts[1].error).startswith(
            f"{parts[1].name}: the match is too large; expected at most {len(large) - 1} bytes"
        )
        assert parts[1].name.endswith("a.jsonl, match 2")


def test_a_file_of_one_match_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "MAX_MATCH_BYTES", 1_000)
    (tmp_path / "a.kib").write_bytes(b"x" * 1_000)
    assert [len(p.data) for p in matches_in_file(tmp_path / "a.kib")] == [1_000]
    (tmp_path / "a.kib").write_bytes(b"x" * 1_001)
    (part,) = matches_in_file(tmp_path / "a.kib")
    assert "a.kib: the match is too large; expected at most 1000 bytes" in str(part.error)
    assert read_whole(tmp_path / "a.kib", 1_001) == b"x" * 1_001
    with pytest.raises(UnreadableError, match="too large"):
        read_whole(tmp_path / "a.kib", 1_000)


def test_an_archive_ends_somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was read of it is given before it is refused."""
    (tmp_path / "a.jsonl").write_bytes(b"".join(match(i) for i in range(50)))
    monkeypatch.setattr(intake, "AT_ONCE_BYTES", 500)
    monkeypatch.setattr(intake, "MAX_ARCHIVE_BYTES", 3_000)
    given = []
    with pytest.raises(UnreadableError, match="too large; expected at most 3000 bytes"):
        given += [given.append(p) for p in matches_in_file(tmp_path / "a.jsonl")]
    assert [p.data for p in given] == [match(i) for i in range(len(given))]
    assert 8 < len(given) < 15


def test_a_line_without_end_takes_no_room(tmp_path: Path) -> None:
    """100 MB in one line, between good matches: refused in a few megabytes. The control reads it as a whole."""
    with open(tmp_path / "a.jsonl", "wb") as file:
        file.write(match(0) + OPENING % 1 + b'{"text":"')
        for _ in range(100):
            file.write(b"x" * 1_000_000)
        file.write(b'"}\n' + PASS % 2 + match(2))
    taken: list[FilePart] = []
    assert peak(lambda: taken.extend(matches_in_file(tmp_path / "a.jsonl"))) < 8_000_000
    assert [taken[0].data, taken[2].data] == [match(0), match(2)]
    assert "line 2: the line is too long" in str(load_file("a", taken[1].data).errors[0])
    assert len(max(taken[1].data.split(b"\n"), key=len)) > MAX_LINE
    assert peak((tmp_path / "a.jsonl").read_bytes) > 100_000_000


def test_a_match_that_is_too_large_takes_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match of 30 MB where 200 KB are the most: it is let go of while it is read. The control keeps it."""
    data = b"".join(PASS % n for n in range(2, 20_000))
    with open(tmp_path / "a.jsonl", "wb") as file:
        file.write(match(0) + match(1, 1))
        for _ in range(40):
            file.write(data)
        file.write(match(2))
    taken: list[FilePart] = []
    assert peak(lambda: list(matches_in_file(tmp_path / "a.jsonl"))) > 30_000_000
    monkeypatch.setattr(intake, "MAX_MATCH_BYTES", 200_000)
    assert peak(lambda: taken.extend(matches_in_file(tmp_path / "a.jsonl"))) < 8_000_000
    assert [p.data for p in taken] == [match(0), b"", match(2)]
    assert taken[1].error is not None


# What is no file


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    for name, wrong in (("folder", "folder"), ("pipe", "no program writes"), ("null", "device")):
        path = tmp_path / name
        if name == "folder":
            path.mkdir()
        elif name == "pipe":
            os.mkfifo(path)
        else:
            path = Path("/dev/zero")
        for read in (read_whole, load_file, lambda p: list(matches_in_file(p))):
            with pytest.raises(UnreadableError, match=wrong) as caught:
                read(path)
            assert str(caught.value).startswith(f"{path}: ")
    for name in (tmp_path / "none", "a\0b"):
        with pytest.raises((NotFoundError, UnreadableError)):
            read_whole(name)


def test_a_pipe_is_read_if_somebody_writes(tmp_path: Path) -> None:
    """The control of the refusal: what a shell gives in place of a file (`<(…)`) is read to its end."""
    reading, writing = os.pipe()

    def write() -> None:
        with os.fdopen(writing, "wb") as file:
            file.write(b"".join(match(i, 400) for i in range(20)))

    thread = threading.Thread(target=write)
    thread.start()
    try:
        assert [p.data for p in matches_in_file(f"/dev/fd/{reading}")] == [match(i, 400) for i in range(20)]
    finally:
        thread.join(10)
        os.close(reading)


# Length bombs

BOMBS = r"""
import io, resource, sys, zipfile
from pathlib import Path
import openpyxl, pyarrow, pyarrow.parquet, zstandard
from events.errors import KibitzError
from records import HOME, load_file, sealed_codec
from records.bundle import read_bundle
from records.copies import read_picture
from records.rows import Volume
from records.sealed_codec import decompressed, ends_in, unpack
from records.volume_codec import OpenVolume
from replay.season.read_tables import TABLES, TablesLoader, matches_in
from replay.season.table_cells import cells_of

MANY = 150_000_000
SHEET = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>%b</sheetData></worksheet>'

def frame(text, dictionary=zstandard.ZstdCompressionDict(sealed_codec._bytes_of(1))):
    return zstandard.ZstdCompressor(level=1, dict_data=dictionary).compress(text)

def workbook(rows):
    written, made = io.BytesIO(), io.BytesIO()
    openpyxl.Workbook().save(written)
    with zipfile.ZipFile(written) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new:
        for name in old.namelist():
            new.writestr(name, SHEET % rows if name.endswith("sheet1.xml") else old.read(name))
    return made.getvalue()

def table(**columns):
    folder = Path("tables")
    folder.mkdir(exist_ok=True)
    pyarrow.parquet.write_table(pyarrow.table(columns), folder / "events.parquet", compression="zstd")
    return folder

def bombs():
    first = b'{"key":"","pos":1,"recorder":"","time":[' + b"1," * (MANY // 2) + b'1],"version":1}\n{}'
    for what, blob in {
        "zeros": frame(bytes(MANY)), "line ends": frame(b"\n" * MANY), "a first line": frame(first),
        "a length of 4 GB": b"\x28\xb5\x2f\xfd\xa0\xff\xff\xff\xff" + frame(b"x" * 300)[9:],
    }.items():
        yield "blob of " + what, blob, lambda: unpack(blob, 1, 26)
        yield "list of " + what, blob, lambda: ends_in(blob, 1, 26)
        yield "frame of " + what, blob, lambda: decompressed(blob, 1, 65_536)
        yield "volume of " + what, blob, lambda: OpenVolume(Volume(HOME, 1, 1000, 1, 1000, 1, bytes(8), b"", blob)).lines(0)
    for text in (bytes(1 << 20), b"[" * (1 << 20), b'{"a":' * 200_000, b"1" * (1 << 20)):
        yield "bundle", text, lambda: read_bundle(text.decode())
        yield "JSON", text, lambda: load_file("x.jsonl", text)
        yield ".kib", text, lambda: load_file("x.kib", b'%kib 1\n[Game "kaiser"]\n' + text)
    for line in (b"@ deal N=999999999x??", b"@ deal col:A:1..999999999=7h", b"@ gap 999999999", b"@ fix #999999999: N pass", b"N play " + b"7h" * 30_000):
        yield ".kib, a line", line, lambda: load_file("x.kib", b'%kib 1\n[Game "kaiser"]\n1. ' + line)
    with open("sparse", "wb") as file:
        file.write(b"\xff\xd8\xff")
        file.truncate(1 << 34)
    yield "attachment", b"", lambda: read_picture("sparse")
    for text in (b"," * (1 << 20), b"\n" * (1 << 20), b'"' + b"x" * (1 << 20)):
        yield "CSV", text, lambda: cells_of(text)
    for rows in (
        b"<row/>" * 2_000_000, b'<row><c t="inlineStr"><is><t>' + b"x" * 20_000_000 + b"</t></is></c></row>",
        b"<row>" + b"<c><v>1</v></c>" * 1_000_000 + b"</row>", b'<row r="1"><c r="XFD1048576"><v>1</v></c></row>',
    ):
        book = workbook(rows)
        yield "spreadsheet", book, lambda: cells_of(book)
    one = {"string": "m", "int64": 0, "bool": False}
    columns = {name: [one[kind]] * 2_000 for name, kind in TABLES["events"].items()}
    folder = table(**columns | {"event": ["x" * 200_000] * 2_000})
    yield "Parquet", b"", lambda: TablesLoader(folder)("m")
    yield "Parquet", b"", lambda: matches_in(folder)
    yield "the control", b"", lambda: bytearray(len(b"".join([bytes(1_000_000)] * 100)))

def answer(size, work):
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + 64_000_000 + size, resource.RLIM_INFINITY))
    try:
        work()
    except KibitzError as error:
        return "memory" if "MemoryError" in str(error) else "refused"
    except MemoryError:
        return "memory"
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return "read"

for name, data, work in bombs():
    print(answer(len(data), work), name, flush=True)
"""


@pytest.mark.rest
@pytest.mark.skipif(sys.platform != "linux", reason="how much a process has is asked of /proc")
def test_no_decoder_takes_what_its_input_only_speaks_of(tmp_path: Path) -> None:
    """If this failed, some kilobytes that somebody hands in would take gigabytes: each decoder has 64 MB more than
    its input has bytes.

    The last is one that takes what it is told.
    """
    ran = subprocess.run([sys.executable, "-c", BOMBS], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    answers = [line.partition(" ")[::2] for line in ran.stdout.splitlines()]
    assert answers.pop() == ("memory", "the control")
    assert [name for said, name in answers if said == "memory"] == []
    assert len(answers) > 40
    assert {name for said, name in answers if said == "read"} <= {"JSON", ".kib", ".kib, a line"}
