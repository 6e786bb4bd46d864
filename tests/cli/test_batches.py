"""One bad file does not keep the others out, nothing takes more memory than it may, and each refusal is told."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from memory import peak
from sampling import a_few

from events import canon
from events.limits import MAX_ERRORS, MAX_LINE, MAX_MATCH_BYTES
from records import Store, intake, load_file
from records.intake import matches_in_file
from records.sqlite.inserting import SqliteWriter

from .conftest import Kibitz

OPENING = '{"event":{"by":"@","facts":{"Game":"kaiser","Match":"%s","Seats":"N E S W"},"verb":"open"},"n":0}\n'
HAND = '{"event":{"by":"W","number":1,"verb":"hand"},"n":1}\n'
BID = '{"event":{"by":"N","level":7,"verb":"bid"},"n":%d}\n'


def match(name: str, bids: int = 1) -> str:
    return OPENING % name + HAND + "".join(BID % n for n in range(2, bids + 2))


def kib(name: str, more: str = "") -> str:
    return f'%kib 1\n[Game "kaiser"]\n[Match "{name}"]\n[Seats "N E S W"]\n\n1. W hand 1\n2. N bid 7\n{more}'


DEEP = '{"a":' * 2_000 + "1" + "}" * 2_000
BAD: dict[str, str | bytes] = {
    "garbage.kib": "no such thing",
    "empty.kib": "",
    "nul.kib": b"\0" * 1_000,
    "nul-in-a-line.kib": kib("x", "3. E pass\0\n"),
    "latin.kib": kib("x").encode() + b"3. E pass {\xe9}\n",
    "utf16.kib": kib("x").encode("utf-16"),
    "digits.kib": kib("x", "3. E bid " + "9" * 5_000 + "\n"),
    "digits-before.kib": kib("x", "9" * 5_000 + ". E pass\n"),
    "digits-in-a-tag.kib": kib("x").replace('[Seats', "[Option.x " + "9" * 5_000 + "]\n[Seats"),
    "long-line.kib": kib("x", "3. E pass {" + "x" * 1_000_000 + "}\n"),
    "long-tag.kib": kib("x").replace("[Seats", '[Place "' + "x" * 1_000_000 + '"]\n[Seats'),
    "many-errors.kib": kib("x", "fly\n" * 3_000),
    "facts-in-facts.kib": kib("x", "3. @ tally " + "a." * 1_000 + "x=1\n"),
    "deep.jsonl": match("x") + '{"event":' + "[" * 20_000 + "]" * 20_000 + ',"n":3}\n',
    "deep-opening.jsonl": '{"event":{"by":"@","facts":' + DEEP + ',"verb":"open"},"n":0}\n' + HAND,
    "deep-alone.jsonl": '{"n":0,' * 30_000,
    "digits.jsonl": match("x") + '{"event":{"by":"N","verb":"pass"},"n":' + "9" * 5_000 + "}\n",
    "half-a-character.jsonl": match("x") + '{"event":{"by":"N","verb":"pass"},"n":3,"text":"\\ud800"}\n',
    "long-line.jsonl": match("x") + '{"event":{"by":"N","verb":"pass"},"n":3,"text":"' + "x" * 3_000_000 + '"}\n',
    "many-errors.jsonl": match("x") + "{}\n" * 3_000,
    "without-end.jsonl": match("x")[:-20],
    "list.json": "[" * 60_000,
}
"""What no command may take for a match, and none may end over."""


@pytest.fixture
def place(kibitz: Kibitz, tmp_path: Path) -> Kibitz:
    """A folder with all that is bad, and with something good."""
    for name, content in BAD.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with open(tmp_path / "huge.kib", "wb") as file:
        file.truncate(MAX_MATCH_BYTES + 1)
    (tmp_path / "good.kib").write_text(kib("good"))
    return kibitz


NO_FILES = ["folder", "pipe", "/dev/zero", "huge.kib"]


@pytest.mark.rest
def test_a_bad_file_does_not_end_the_batch(place: Kibitz) -> None:
    """If this failed, one file of an evening could keep all that come after it out of the store."""
    bad = [*BAD, *NO_FILES]
    files = []
    for i, name in enumerate(bad):
        Path(f"good{i}.kib").write_text(kib(f"match{i}"))
        files += [f"good{i}.kib", name]
    result = place("import", *files)
    assert result.code == 4, result.err
    assert result.out.splitlines() == [f"match{i}: new, 3 events including the opening" for i in range(len(bad))]
    for name in bad:
        assert f"kibitz: {name}" in result.err, f"nothing was said of {name}"
    assert "Traceback" not in result.err
    assert place("import", *files, "none.kib").code == 5, "a file that is not there goes before"
    assert place("import", *[f for f in files if f.startswith("good")]).code == 0, "the control"


def test_a_bad_match_does_not_end_its_file(kibitz: Kibitz) -> None:
    """Whatever is wrong with it, and wherever: those around it are in, and each refusal is told with its number."""
    bad = [str(c) for name, c in BAD.items() if name.endswith(".jsonl") and name != "deep-alone.jsonl"]
    bad = [content if content.endswith("\n") else content + "\n" for content in bad]
    Path("a.jsonl").write_text("".join(match(f"good{i}") + content for i, content in enumerate(bad)) + match("last"))
    result = kibitz("import", "a.jsonl")
    assert result.code == 4
    assert [
        line.partition(":")[0] for line in result.out.splitlines()
    ] == [*(f"good{i}" for i in range(len(bad))), "last"]
    for i in range(1, len(bad) + 1):
        assert f"a.jsonl, match {2 * i}: not imported" in result.err
    again = kibitz("import", "--json", "-", stdin=Path("a.jsonl").read_bytes())
    assert again.code == 4
    assert [one["status"] for one in again.json] == ["same", "unreadable"] * len(bad) + ["same"]
    assert max(len(one["errors"]) for one in again.json) == MAX_ERRORS + 1


def test_what_was_read_before_a_file_breaks_off_is_in(kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch) -> None:
    """An archive that cannot be read to its end: the matches before that are imported, and the next file is as well."""
    Path("a.jsonl").write_text("".join(match(f"m{i}") for i in range(120)))
    Path("b.kib").write_text(kib("b"))
    monkeypatch.setattr(intake, "AT_ONCE_BYTES", 4_000)
    monkeypatch.setattr(intake, "MAX_ARCHIVE_BYTES", Path("a.jsonl").stat().st_size - 3_000)
    result = kibitz("import", "a.jsonl", "b.kib")
    assert result.code == 4
    assert "kibitz: a.jsonl: the file is too large" in result.err
    imported = [line.partition(":")[0] for line in result.out.splitlines()]
    assert imported[-1] == "b"
    assert imported[:-1] == [f"m{i}" for i in range(len(imported) - 1)]
    assert 80 < len(imported) < 120


def test_the_list_of_what_was_imported_is_written_as_it_comes(kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch) -> None:
    """And is the same JSON as it would be in one piece; also if the store breaks off."""
    from events.errors import StoreError

    Path("a.jsonl").write_text("".join(match(f"m{i}") for i in range(120)))
    first = kibitz("import", "--json", "a.jsonl", "none.kib")
    assert first.code == 5
    assert [one["match"] for one in first.json] == [*(f"m{i}" for i in range(120)), ""]
    assert first.out == json.dumps(first.json, indent=2, ensure_ascii=False) + "\n"
    monkeypatch.setattr(SqliteWriter, "check_parts", broken_after(150))
    result = kibitz("import", "--json", "a.jsonl")
    assert result.code == 7
    assert [one["match"] for one in result.json] == [f"m{i}" for i in range(len(result.json))]
    assert 0 < len(result.json) < 120
    assert StoreError.exit_code == 7


def broken_after(count: int) -> Callable[[Store], None]:
    from events.errors import StoreError

    left = iter(range(count))

    def check(self: Store) -> None:
        if next(left, None) is None:
            raise StoreError("the disk is gone")

    return check


LOOKS = ["check", "audit", "score", "sheet", "replay", "report", "log", "show"]


@pytest.mark.parametrize("look", a_few([*LOOKS, "diff", "verify", "append"], 1))
def test_every_command_refuses_what_it_cannot_read(place: Kibitz, look: str) -> None:
    """In one line for each place, with exit code 4, and soon; the control reads what is good."""
    assert place("import", "good.kib").code == 0
    for name in [*BAD, *(n if "/" in n or "." in n else f"./{n}" for n in NO_FILES)]:
        args = {
            "diff": ("diff", "good.kib", name), "verify": ("verify", "good", "--against", name),
            "append": ("append", "good", name),
        }
        result = place(*args.get(look, (look, name)))
        # A whole .kib file is not what `append` takes, which goes before what is wrong with it.
        assert result.code == 4 or (look == "append" and result.code == 2), (name, result)
        assert "Traceback" not in result.err
        assert "too large to be worked on" not in result.err
        assert 1 <= len(result.err.splitlines()) <= 22, name
        assert max(map(len, result.err.splitlines())) < 700, name
    assert place("log", "good").out.count("\n") == 5, "nothing of it was written"
    if look in LOOKS:
        assert place(look, "good.kib").code == 0, "the control"


@pytest.mark.parametrize("name", a_few(BAD, 6))
def test_a_recorder_goes_on_behind_what_cannot_be_read(place: Kibitz, name: str) -> None:
    """From a pipe: each line that is refused is told, and the one after it is taken."""
    assert place("import", "good.kib").code == 0
    content = b"\n".join(Path(name).read_bytes().split(b"\n")[-30:])
    result = place("record", "good", stdin=content + b"\nE bid 9 {the line after them}\n")
    assert result.code == (4 if result.err else 0), "the exit code says that a line was not read"
    assert "{the line after them" in place("log", "good").out
    assert "Traceback" not in result.err


def test_a_line_that_is_too_long_is_counted(evening: Kibitz) -> None:
    """If this failed, a recorder who pipes lines in would be told of the wrong ones, or wait for a line of 100 MB."""
    long = "S play 8h {" + "x" * 5_000_000 + "}"
    result = evening(
        "record", "eve", stdin=f"N play Kh\n{long}\nE plya 8c\nE play 8c {{{'y' * 100}}}\n{'z' * (MAX_LINE + 1)}",
    )
    assert result.code == 4
    assert "line 2: the line is too long; expected at most 65536 bytes" in result.err
    assert "line 3 'E plya 8c'" in result.err
    assert "line 5: the line is too long" in result.err
    assert evening("log", "eve").out.count(" play ") == 2
    refused = evening("append", "eve", "-", stdin=f"S play 8h\n{long}\n")
    assert refused.code == 4
    assert (
        "standard input, line 2: the line is too long; expected at most 65536 bytes. Nothing was written" in refused.err
    )
    assert evening("log", "eve").out.count(" play ") == 2


# Memory


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks smaller than any file here, and little remembered of what was read: neither is what may not grow."""
    monkeypatch.setattr(intake, "AT_ONCE_BYTES", 1 << 14)
    monkeypatch.setattr(canon, "MOST_SOUND", 100)


def archive(name: str, matches: int, bids: int) -> str:
    with open(name, "w", encoding="utf-8") as file:
        for i in range(matches):
            file.write(match(f"{name[:-6]}{i}", bids))
    return name


def imported(kibitz: Kibitz, file: str, *more: str) -> int:
    """The most memory that importing a file took."""

    def work() -> None:
        result = kibitz("import", file, "--db", f"{file}.db", *more)
        assert result.code == 0, result.err

    return peak(work)


@pytest.mark.rest  # with fewer matches, what any import takes hides what grows
@pytest.mark.usefixtures("small_blocks")
def test_the_memory_of_import_does_not_grow_with_the_file(kibitz: Kibitz) -> None:
    """2,000 matches take no more than 200 but for their names, sealed or not; the control: reading all of them does,
    and longer ones do."""
    few, many = archive("few.jsonl", 200, 4), archive("many.jsonl", 2_000, 4)
    imported(kibitz, many)  # once, for what is loaded on the way, and remembered up to a bound
    for more in ((), ("--seal",)):
        small = imported(kibitz, archive(f"few{len(more)}.jsonl", 200, 4), *more)
        large = imported(kibitz, archive(f"many{len(more)}.jsonl", 2_000, 4), *more)
        assert large < small + 300 * (2_000 - 200), (small, large)
    size = Path(many).stat().st_size
    whole = peak(lambda: [load_file(p.name, p.data) for p in matches_in_file(many)])
    assert whole > 5 * peak(lambda: [load_file(p.name, p.data) for p in matches_in_file(few)])
    assert whole > 2_000 * 2_000
    assert peak(lambda: [None for _ in matches_in_file(many)]) < size / 4


@pytest.mark.rest
@pytest.mark.usefixtures("small_blocks")
def test_the_memory_of_import_grows_with_the_longest_match(kibitz: Kibitz) -> None:
    """The control of the test above: what takes more is seen."""
    imported(kibitz, archive("warm.jsonl", 5, 4))
    short, long = imported(kibitz, archive("short.jsonl", 20, 100)), imported(kibitz, archive("long.jsonl", 1, 2_000))
    assert long > 1.2 * short
