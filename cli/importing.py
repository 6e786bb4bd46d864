"""The command `import`: files into the store, each on its own, so that a bad one does not keep the others out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from cli import shell
from cli.source import MOST_ERRORS
from events.errors import KibitzError, UsageError
from records import import_loaded, load_file
from replay.judge import Finding, sentence

if TYPE_CHECKING:
    from records import Loaded, Store


class Brought(msgspec.Struct):
    """What became of one match of a file. `status` is new, same, appended, unreadable, conflict or failed."""

    file: str
    match: str = ""
    status: str = "failed"
    added: int = 0
    errors: list[str] = []
    findings: list[Finding] = []
    exit_code: int = 0


AT_ONCE = 50
"""So many matches of a file are written in one commit: few enough that another writer does not wait for long."""


def import_all(files: Sequence[str], *, book: str, match: str | None, json: bool, seal: bool = False) -> int:
    """Import all files, tell what became of each, and return the exit code of the worst.

    With `seal` every match is sealed at once, whether or not it is over.
    """
    done: list[Brought] = []
    with shell.store(write=True, create=True) as store:
        bar = shell.progress(files, "importing", len(files)) if len(files) > 1 else files
        for file in bar:
            for one in _file(store, str(file), book, match, seal):
                done.append(one)
                if not json:
                    _tell(one)
    if json:
        shell.out_json(done)
    return shell.worst(one.exit_code for one in done)


def _tell(one: Brought) -> None:
    for error in one.errors[:MOST_ERRORS]:
        shell.fail(error)
    if len(one.errors) > MOST_ERRORS:
        shell.fail(f"… and {len(one.errors) - MOST_ERRORS} more places that cannot be read")
    if one.match:
        events = f"{one.added} event{'s' * (one.added != 1)}"
        what = {"new": f"new, {events} with the opening", "same": "already here", "appended": f"{events} added"}[one.status]
        shell.out(f"{one.match}: {what}")
    elif one.status == "unreadable":
        shell.fail(f"{one.file}: not imported; correct the lines named above and import it again")
    for finding in one.findings:
        shell.out(sentence(finding))


def _file(store: Store, file: str, book: str, match: str | None, seal: bool) -> Iterator[Brought]:
    name = "standard input" if file == "-" else file
    parts = _parts(file)
    try:
        some = list(islice(parts, AT_ONCE))
        if match is not None and len(some) > 1:
            raise UsageError(f"there are {len(some) + len(list(parts))} matches in it", where=name, todo="Leave --match out")
    except KibitzError as error:
        yield Brought(name, errors=[str(error)], exit_code=error.exit_code)
        return
    while some:
        with store.together():
            done = [_match(store, loaded, book, match, seal) for loaded in some]
        yield from done  # told only once it is on the disk
        some = list(islice(parts, AT_ONCE))


def _parts(file: str) -> Iterator[Loaded]:
    """The matches of a file: JSON Lines may hold several, each begins with its opening."""
    from pathlib import Path

    if file == "-":
        data = shell.read_input()
    elif Path(file).is_file() if "\0" not in file else False:
        try:
            data = Path(file).read_bytes()
        except OSError:
            yield load_file(file)  # it says what is wrong
            return
    else:
        yield load_file(file)
        return
    if data.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] != b"{":
        yield load_file(file, data)
        return
    starts = _starts(data)
    if len(starts) < 2:
        yield load_file(file, data)
        return
    name = "standard input" if file == "-" else file
    for i, (start, end) in enumerate(zip([0, *starts[1:]], [*starts[1:], len(data)], strict=True), 1):
        yield load_file(f"{name}, match {i}", data[start:end])


def _starts(data: bytes) -> list[int]:
    """Where the openings of matches begin."""
    starts: list[int] = []
    for hint in re.finditer(rb'"n":\s*0[,}]', data):
        start, end = data.rfind(b"\n", 0, hint.start()) + 1, data.find(b"\n", hint.end())
        if [start] != starts[-1:] and _opens(data[start : end if end >= 0 else len(data)]):
            starts.append(start)
    return starts


class _Position(msgspec.Struct):
    n: int = -1


def _opens(line: bytes) -> bool:
    """Whether a line is the opening of a match."""
    try:
        return msgspec.json.decode(line, type=_Position).n == 0
    except msgspec.DecodeError:
        return False


def _match(store: Store, loaded: Loaded, book: str, match: str | None, seal: bool) -> Brought:
    if loaded.errors:
        return Brought(loaded.file, "", "unreadable", 0, [str(e) for e in loaded.errors], [], shell.UNREADABLE)
    try:
        done = import_loaded(store, loaded, book=book, match=match, sealed=seal)
    except KibitzError as error:
        if error.exit_code == shell.STORE:
            raise
        status = "conflict" if error.exit_code == shell.CONFLICT else "failed"
        said = str(error) if error.where.startswith(loaded.file) else f"{loaded.file}: {error}"
        return Brought(loaded.file, "", status, 0, [said], [], error.exit_code)
    findings = _judged(store, done.match, loaded, new=done.status == "new")
    return Brought(loaded.file, done.match, done.status, done.added, [], findings, shell.FINDINGS if findings else 0)


def _judged(store: Store, match: str, loaded: Loaded, *, new: bool) -> list[Finding]:
    """The derived lines that do not agree; and note in the store whether the match is over."""
    from replay.checking import unlike
    from replay.fold import fold

    try:
        records = loaded.records if new else store.read(match)
        state = fold(records)
        store.set_over(match, bool(state.ended))
        return unlike(loaded.records, [(d.line, d.text) for d in loaded.derived], state.number)
    except KibitzError as error:
        if error.exit_code == shell.STORE:
            raise
        # A game without a page is kept all the same; nothing can be said about it.
        shell.say(f"kibitz: {shell.one_line(f'{loaded.file}: imported, but not judged: {error}')}")
        return []
