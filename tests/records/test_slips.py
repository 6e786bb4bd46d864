"""Sheets and dispute reports of a match in the store carry the last signed head of its book."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.app import run_command_line
from records import HOME, Store, import_records
from replay.simulate import simulate


@pytest.fixture
def signed(store: Store, monkeypatch: pytest.MonkeyPatch) -> str:
    """A store for the command line with one signed match, `eve`; its note."""
    import_records(store, simulate("kaiser", seed=3, hands=1), match="eve")
    note = store.sign(HOME).note
    store.create_match({}, game="kaiser", match="later")
    store.close()
    monkeypatch.setenv("KIBITZ_DB", str(store.path))
    return note


def from_text(page: str) -> str:
    return page.partition("Last signed head of the book\n")[2]


def from_md(page: str) -> str:
    lines = page.partition("## Last signed head of the book\n\n")[2].splitlines()
    return "".join(line.removeprefix("    ") + "\n" for line in lines)


def from_html(page: str) -> str:
    found = re.search(r"<pre[^>]*>(.*?)</pre>", page, re.DOTALL)
    return html.unescape(found[1]) + "\n" if found else ""


COMMANDS: list[tuple[list[str], str, Callable[[str], str]]] = [
    (["sheet", "eve"], "s.txt", from_text),
    (["sheet", "eve", "--format", "md"], "s.md", from_md),
    (["sheet", "eve", "--format", "html"], "s.html", from_html),
    (["report", "eve"], "r.md", from_md),
    (["report", "eve"], "r.html", from_html),
    (["sheet", "eve", "--json"], "s.json", lambda page: "".join(f"{line}\n" for line in json.loads(page)["signed"])),
]


@pytest.mark.parametrize(("command", "file", "found"), COMMANDS, ids=[f for _, f, _ in COMMANDS])
def test_the_slip_can_be_read_back_from_the_page(
    signed: str, tmp_path: Path, command: list[str], file: str, found: Callable[[str], str]
) -> None:
    """Not a character is lost: what stands on the page is what `verify --against` takes."""
    assert run_command_line([*command, "-o", str(tmp_path / file)]) == 0
    page = (tmp_path / file).read_bytes().decode().replace("\r\n", "\n")
    slip = tmp_path / "slip"
    slip.write_text(found(page), encoding="utf-8")
    assert slip.read_text(encoding="utf-8") == signed
    assert run_command_line(["verify", "eve", "--against", str(slip)]) == 0


def test_nothing_is_printed_where_nothing_is_signed(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No match, no heading: neither for an unsigned book nor for a file; a note that is not genuine counts as none."""
    log = simulate("kaiser", seed=3, hands=1)
    import_records(store, log, match="eve")
    monkeypatch.setenv("KIBITZ_DB", str(store.path))
    page = tmp_path / "s.txt"
    assert run_command_line(["sheet", "eve", "-o", str(page)]) == 0
    assert "signed head" not in page.read_text(encoding="utf-8")
    good = store.sign(HOME)
    assert store.last_checkpoint(HOME) == good
    store.backend.conn.execute("UPDATE checkpoints SET note = replace(note, '— kibitz', '— kibutz')")
    assert store.last_checkpoint(HOME) is None
