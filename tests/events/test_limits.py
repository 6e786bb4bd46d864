"""What is beyond a bound is refused by name; what is just within it is read. The second is the control of the first."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sampling import a_few

from events import limits
from events.canon import decode, too_deep
from events.errors import UnreadableError
from events.kib import read_bytes, read_kib
from events.limits import MAX_ERRORS, MAX_LINE, MAX_LINES, MAX_MATCH_BYTES, MAX_NESTING
from events.unread_lines import Unread
from records import verify_bundle
from records.files import load_file

STORE = Path(__file__).parents[2] / "docs" / "store.md"
KIB = '%kib 1\n[Game "kaiser"]\n'
OPENING = b'{"event":{"by":"@","facts":{"Game":"kaiser"},"verb":"open"},"n":0}\n'
PASS = b'{"event":{"by":"N","verb":"pass"},"n":%d}\n'


def in_table(page: str) -> dict[str, int]:
    """The limits that the table of a page names."""
    rows = re.findall(r"^\| `(\w+)` \| ([\d,]+)[^|]* \| [^|]+ \| [^|]+ \|$", page, re.MULTILINE)
    return {name: int(value.replace(",", "")) for name, value in rows}


def in_code() -> dict[str, int]:
    return {name: value for name, value in vars(limits).items() if isinstance(value, int) and name.isupper()}


def test_the_table_of_the_docs_has_every_limit() -> None:
    """If this failed, a bound could be changed, or made, without anybody being told."""
    assert in_table(STORE.read_text(encoding="utf-8")) == in_code()


def test_the_table_is_looked_at() -> None:
    """The control: a row that is missing, or says another number, is seen."""
    page = STORE.read_text(encoding="utf-8")
    assert in_table(page.replace("65,536", "65,537")) != in_code()
    assert in_table(re.sub(r"^\| `MAX_ERRORS`.*\n", "", page, flags=re.MULTILINE)) != in_code()


def test_the_offline_verifier_has_the_same() -> None:
    """It shares no code with the rest; if this failed, one would read what the other refuses."""
    assert verify_bundle.MOST_BYTES == limits.MAX_BUNDLE_BYTES
    assert verify_bundle.MOST_NESTED == limits.MAX_NESTING
    assert verify_bundle.LARGEST == limits.MAX_INT


def test_every_limit_says_why() -> None:
    """If this failed, somebody would have to guess where a number comes from."""
    source = Path(limits.__file__).read_text(encoding="utf-8")
    assert set(re.findall(r'^([A-Z_]+) = .+\n"""', source, re.MULTILINE)) == set(in_code())


# A line


@pytest.mark.parametrize("spare", [0, 1])
@pytest.mark.parametrize("sign", ["x", "é", "😀"])
def test_the_longest_line_of_text(sign: str, spare: int) -> None:
    """Counted in bytes, whatever they spell: the longest is read, and one byte more is refused at its place."""
    line = "1. N pass {" + sign * 100
    line += "}" + " " * (MAX_LINE + spare - len((line + "}").encode()))
    for reading in (
        read_kib(f"{KIB}{line}\n2. S pass\n", file="g.kib"), read_bytes(f"{KIB}{line}\n2. S pass\n".encode(), "g.kib"),
    ):
        assert [r.n for r in reading.records] == [0, 1, 2]
        assert [type(r) is Unread for r in reading.records] == [False, bool(spare), False]
        assert [str(e) for e in reading.errors] == [
            (
                "g.kib, line 3, column 1: the line is too long; expected at most 65536 bytes. Shorten it, or "
                "part it in two."
            )
        ] * spare


@pytest.mark.parametrize("spare", [0, 1])
def test_the_longest_line_of_json(spare: int) -> None:
    line = (PASS % 1).rstrip()
    line = b"{" + b" " * (MAX_LINE + spare - len(line)) + line[1:]
    loaded = load_file("g.jsonl", OPENING + line + b"\n" + PASS % 2)
    assert [r.n for r in loaded.records] == [0, 1, 2]
    assert [type(r) is Unread for r in loaded.records] == [False, bool(spare), False]
    assert [
        "line 2: the line is too long; expected at most 65536 bytes" in str(e) for e in loaded.errors
    ] == [True] * spare


# Nesting, numbers, odd characters


@pytest.mark.parametrize("depth", [MAX_NESTING, MAX_NESTING + 1, 900, 1_000, 10_000])
@pytest.mark.parametrize("signs", ["[]", "{}"])
def test_json_that_nests_too_deep(signs: str, depth: int) -> None:
    """From the first level that is too many on, far from what a reader that calls itself could bear; before, it is read
    and refused for what it says."""
    inner = '{"a":' * depth + "1" + "}" * depth if signs == "{}" else "[" * depth + "]" * depth
    data = f'{{"event":{{"by":"N","facts":{inner},"verb":"tally"}},"n":1}}'.encode()
    with pytest.raises(UnreadableError) as caught:
        decode(data, where="g.jsonl, line 2")
    assert str(caught.value).startswith("g.jsonl, line 2")
    assert "at most 16 levels" in str(caught.value)
    shallow = data.replace(inner.encode(), b'{"a":{"a":{"a":{"a":1}}}}')
    assert decode(shallow).n == 1
    assert too_deep(shallow) == -1


def test_brackets_in_a_text_are_no_nesting() -> None:
    text = "[{" * 5_000
    assert decode(b'{"event":{"by":"N","verb":"pass"},"n":1,"text":"%b"}' % text.encode()).text == text


@pytest.mark.parametrize(
    "line",
    [
        b'{"event":{"by":"N","verb":"pass"},"n":1,"t":' + b"9" * 5_000 + b"}",
        b'{"event":{"by":"N","verb":"pass"},"n":' + b"9" * 60_000 + b"}",
        b'{"event":{"by":"N","verb":"pass"},"n":1e' + b"9" * 5_000 + b"}",
        b'{"event":{"by":"N","verb":"pass"},"n":-' + b"9" * 5_000 + b"}",
        b'{"event":{"by":"N","verb":"pass"},"n":1,"text":"a\x00"}',
        b'{"event":{"by":"N","verb":"pass"},"n":1,"text":"a\\u0000"}',
        b'{"event":{"by":"N","verb":"pass"},"n":1,"text":"\\ud800"}',
        b"\x00" * 1_000,
    ],
)
def test_a_line_that_is_no_record_is_named_and_the_rest_is_read(line: bytes) -> None:
    """If this failed, a number or a character made to do harm would end the reading of a file."""
    loaded = load_file("g.jsonl", OPENING + line + b"\n" + PASS % 2)
    assert [(r.n, type(r) is Unread) for r in loaded.records] == [(0, False), (1, True), (2, False)]
    assert len(loaded.errors) == 1
    assert "g.jsonl, line 2" in str(loaded.errors[0])
    assert len(str(loaded.errors[0])) < 400, "it does not repeat all of it"


# Errors, and whole matches


@pytest.mark.parametrize("count", [MAX_ERRORS - 1, MAX_ERRORS, MAX_ERRORS + 1, 5_000])
@pytest.mark.parametrize("line", a_few(["{i}. N plya Kh", "N pass", "{i}. N pass \udcff", "[x"], 1))
def test_so_many_errors_of_a_text_are_kept(line: str, count: int) -> None:
    """If this failed, a file of errors would take more room than the file, and hours; up to the bound all are named."""
    data = KIB + "".join(f"{line}\n".replace("{i}", str(i)) for i in range(1, count + 1))
    reading = read_bytes(data.encode(errors="surrogateescape"), "g.kib")
    assert len(reading.errors) == min(count, MAX_ERRORS + 1)
    told = "more than 1000 places cannot be read" in str(reading.errors[-1])
    assert told == (count > MAX_ERRORS)
    assert reading.errors == sorted(reading.errors, key=lambda e: (e.line, e.column))


@pytest.mark.parametrize("count", [MAX_ERRORS - 1, MAX_ERRORS, MAX_ERRORS + 1, 5_000])
def test_so_many_errors_of_json_are_kept(count: int) -> None:
    errors = load_file("g.jsonl", OPENING + b"{}\n" * count).errors
    assert len(errors) == min(count, MAX_ERRORS + 1)
    assert ("more than 1000 places cannot be read" in str(errors[-1])) == (count > MAX_ERRORS)


def test_numbers_that_do_not_follow_cost_no_more_than_others() -> None:
    """Looking for the number that comes next once took a walk over the rest of the file, for each wrong one."""
    text = KIB + "".join(f"{n}. N pass\n" for n in range(10, 3_000, 3)) + "\n" * 390_000
    assert len(read_kib(text).errors) == len(range(10, 3_000, 3))


@pytest.mark.parametrize("form", ["kib", "jsonl"])
def test_the_longest_match(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match of the most events is read; from the first one more on it is refused, and what to do is said."""
    for module in ("events.kib", "records.files"):
        monkeypatch.setattr(f"{module}.MAX_EVENTS", 30)
    for events in (30, 31, 40):
        if form == "kib":
            data = (KIB + "".join(f"{n}. N pass\n" for n in range(1, events + 1))).encode()
        else:
            data = OPENING + b"".join(PASS % n for n in range(1, events + 1))
        loaded = load_file("g", data)
        assert [type(r) is Unread for r in loaded.records] == [False] * 31 + [True] * (events > 30), "with the opening"
        assert [
            "the match is too long; expected at most 30 events" in str(e) for e in loaded.errors
        ] == [True] * (events > 30)


def test_a_file_of_too_many_lines_or_bytes_is_not_taken_apart() -> None:
    """If this failed, line ends alone would take a hundred times their room."""
    many = b"\n" * (MAX_LINES - 2)
    assert read_bytes(many).errors[0].what == "the file is empty", "as many are read"
    assert "too large" in read_bytes(many + b"\n\n", "g.kib").errors[0].what
    assert "400000 lines" in str(read_bytes(many + b"\n\n", "g.kib").errors[0])
    with pytest.raises(UnreadableError, match="too many lines"):
        load_file("g.jsonl", OPENING + many + b"\n")
    assert "too large" in read_bytes(b"x" * (MAX_MATCH_BYTES + 1)).errors[0].what
