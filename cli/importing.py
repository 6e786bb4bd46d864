"""The command `import`: imports files into the store, each separately, so that a bad one does not block the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from cli import shell
from cli.record_files import expanded
from events.errors import KibitzError, UnreadableError, UsageError
from events.kib import MISNUMBERED, UNNUMBERED
from events.limits import MOST_ERRORS
from events.model import Recorded
from records import Loaded, import_loaded
from records.files import load_files
from records.transfer import id_of
from replay.judging.findings import Finding, sentence
from replay.languages.translate import t, tn

if TYPE_CHECKING:
    from records import Store


class ImportedMatch(msgspec.Struct):
    """The outcome for one match of a file. `status` is new, same, appended, unreadable, conflict or failed."""

    file: str
    match: str = ""
    status: str = "failed"
    added: int = 0
    errors: list[str] = []
    findings: list[Finding] = []
    exit_code: int = 0


AT_ONCE = 50
"""The number of matches written in one commit: few enough that other writers do not wait long."""
EVENTS_AT_ONCE = 5_000
"""A commit is also full with this many events, because they are kept in memory until then."""


def import_all(
    files: Sequence[str], *, book: str, match: str | None, json: bool, seal: bool = False, in_parts: bool = False
) -> int:
    """Import all files, print the outcome of each, and return the exit code of the worst.

    With `seal`, every match is sealed at once, even one that is not over; with `in_parts` it can be shown in part.
    """
    codes: set[int] = set()
    files = list(expanded(files))
    with shell.store(write=True, create=True) as store, shell.json_list(json) as listed:
        bar = shell.progress(files, "importing", len(files)) if len(files) > 1 else files
        for file in bar:
            for one in _file(store, file, book, match, seal, in_parts):
                codes.add(one.exit_code)
                listed(one) if json else _tell(one)
    return shell.worst(codes)


def import_corrections(files: Sequence[str], *, match: str | None, yes: bool, json: bool) -> int:
    """Import edited files as corrections of the matches in the store that they were exported from.

    The corrections are shown first, and written after confirmation. Returns the exit code of the worst file.
    """
    codes: set[int] = set()
    with shell.store(write=True) as store, shell.json_list(json) as listed:
        for file in expanded(files):
            for loaded in _loaded(file):
                # Editing a file removes and inserts lines, so their numbers may not be consecutive.
                if errors := [error for error in loaded.errors if error.todo not in (UNNUMBERED, MISNUMBERED)]:
                    codes.add(shell.UNREADABLE)
                    for error in errors[:MOST_ERRORS]:
                        shell.fail(str(error))
                    continue
                name = store.find(match or id_of(loaded.records))
                written = correct(store, name, loaded.records, yes=yes, quiet=json)
                if json:
                    listed({"match": name, "written": written})
    return shell.worst(codes)


def correct(store: Store, match: str, wanted: Sequence[Recorded], *, yes: bool, quiet: bool = False) -> int:
    """Write the corrections that make a match equal to another record, after confirmation. Return their number."""
    from cli.scribe import StoreScribe
    from replay.comparing.corrections import corrections
    from replay.table.scribe import check_writable

    scribe = StoreScribe(store, match)
    found = corrections(scribe.session.records, wanted)
    for one in () if quiet else found:
        place = (
            f"{one.at}: {one.was} → {one.now or t('struck out')}" if one.was
            else t("after {n}: {line}", n=one.at, line=one.now) if one.at
            else t("at the end: {line}", line=one.now)
        )
        shell.out(f"{match}  {place}")
    if not found:
        shell.say(t("{match}: nothing to correct", match=match))
        return 0
    check_writable(scribe.session, [one.line.event for one in found])
    shell.confirmed(
        tn("Write {n} correction into {match}?", "Write {n} corrections into {match}?", len(found), match=match), yes,
    )
    scribe.write([one.line for one in found])
    return len(found)


def _tell(one: ImportedMatch) -> None:
    for error in one.errors[:MOST_ERRORS]:
        shell.fail(error)
    if len(one.errors) > MOST_ERRORS:
        shell.fail(f"… and {len(one.errors) - MOST_ERRORS} more places that cannot be read")
    if one.match:
        shell.out({
            "new": tn(
                "{match}: new, {n} event including the opening", "{match}: new, {n} events including the opening",
                one.added, match=one.match,
            ),
            "same": t("{match}: already here", match=one.match),
            "appended": tn("{match}: {n} event added", "{match}: {n} events added", one.added, match=one.match),
        }[one.status])  # fmt: skip
    elif one.status == "unreadable":
        shell.fail(f"{one.file}: not imported; correct the lines named above and import it again")
    for finding in one.findings:
        shell.out(sentence(finding))


def _file(store: Store, file: str, book: str, match: str | None, seal: bool, in_parts: bool) -> Iterator[ImportedMatch]:
    name = "standard input" if file == "-" else file
    groups = _groups(_loaded(file))
    try:
        some = next(groups, [])
        if match is not None and len(some) > 1:
            number = len(some) + sum(map(len, groups))
            raise UsageError(f"there are {number} matches in it", where=name, todo="Leave --match out")
        while some:
            with store.together():
                done = [_match(store, loaded, book, match, seal, in_parts) for loaded in some]
            yield from done  # reported only after it is on the disk
            some = next(groups, [])
    except KibitzError as error:
        if error.exit_code == shell.STORE:
            raise
        yield ImportedMatch(name, errors=[str(error)], exit_code=error.exit_code)


def _groups(matches: Iterator[Loaded]) -> Iterator[list[Loaded]]:
    """Groups of matches, each to be written in one commit."""
    some: list[Loaded] = []
    try:
        for loaded in matches:
            some.append(loaded)
            if len(some) == AT_ONCE or sum(len(one.records) for one in some) >= EVENTS_AT_ONCE:
                yield some
                some = []
    except KibitzError:
        # The rest of the file cannot be read. The matches before it are imported first, then the error is reported.
        if some:
            yield some
        raise
    if some:
        yield some


def _loaded(file: str) -> Iterator[Loaded]:
    """The matches of a file. An unreadable one comes with its errors."""
    for loaded in load_files(file):
        if loaded.kept:
            why = UnreadableError(
                f"this record is {loaded.kept}", where=loaded.file, expected="a record that shows everything",
                todo="`kibitz check`, `show` and `replay` read the file as it is",
            )
            yield Loaded(loaded.file, [], [], [why])
        else:
            yield loaded


def _match(store: Store, loaded: Loaded, book: str, match: str | None, seal: bool, in_parts: bool) -> ImportedMatch:
    if loaded.errors:
        return ImportedMatch(loaded.file, "", "unreadable", 0, [str(e) for e in loaded.errors], [], shell.UNREADABLE)
    try:
        done = import_loaded(store, loaded, book=book, match=match, sealed=seal, in_parts=in_parts)
    except KibitzError as error:
        if error.exit_code == shell.STORE:
            raise
        status = "conflict" if error.exit_code == shell.CONFLICT else "failed"
        said = str(error) if error.where.startswith(loaded.file) else f"{loaded.file}: {error}"
        return ImportedMatch(loaded.file, "", status, 0, [said], [], error.exit_code)
    findings = _judged(store, done.match, loaded, new=done.status == "new")
    return ImportedMatch(
        loaded.file, done.match, done.status, done.added, [], findings, shell.FINDINGS if findings else 0,
    )


def _judged(store: Store, match: str, loaded: Loaded, *, new: bool) -> list[Finding]:
    """The derived lines that do not agree. Also stores whether the match is over."""
    from reducers.registry import is_missing, missing_page
    from replay.auditing.check import differing_lines
    from replay.fold import fold

    try:
        records = loaded.records if new else store.read(match)
        state = fold(records)
        if is_missing(state.terms.facts):
            shell.say(
                "kibitz: "
                f"{shell.one_line(f'{loaded.file}: imported, but not judged: {missing_page(state.terms.facts)}')}"
            )
        store.set_over(match, bool(state.ended))
        return differing_lines(loaded.records, [(d.line, d.text) for d in loaded.derived], state.number)
    except KibitzError as error:
        if error.exit_code == shell.STORE:
            raise
        # A match of an unknown game is kept, but cannot be judged.
        shell.say(f"kibitz: {shell.one_line(f'{loaded.file}: imported, but not judged: {error}')}")
        return []
