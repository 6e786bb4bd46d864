"""The command `append`: adds lines from a file or a pipe to a match, either all of them or none."""

from __future__ import annotations

import re

from msgspec.structs import replace

from cli import shell
from cli.scribe import StoreScribe, answered, strict_lines
from events import Recorded, decode
from events.envelope import take_apart
from events.errors import KibitzError, NotationError, UnreadableError, UsageError
from events.limits import MAX_LINE, MAX_LINES
from records import StaleWriterError, Store
from records.intake import read_whole
from replay.table.scribe import check_writable
from replay.table.session import LineAnswer

_NUMBERED = re.compile(r"\s*([0-9]+)\.(?=\s)")


def append_lines(match: str, source: str, *, expect: int | None, key: str, strict: bool, json: bool) -> None:
    """Read the lines, complete them, append them in one commit and print the answer.

    Exits with 3 if `strict` refuses a line, and with 6 on a conflict.
    """
    name, text = _read(source)
    with shell.store(write=True) as store:
        match = store.find(match)
        scribe = _scribe(store, match, expect, key)
        start = scribe.last
        try:
            drafts, doubts = _complete(scribe, name, text)
            if doubts and strict:
                for doubt in doubts:
                    shell.say(scribe.in_words(doubt))
                shell.fail(f"refused because of --strict: {_acts(len(doubts))} a rule; nothing was written")
                shell.exit_with(shell.FINDINGS)
            # The session advanced while it completed the lines. Only the content of the store counts.
            fresh = _scribe(store, match, expect, key)
            done, answer = fresh.write(drafts, expect=start if expect is None else expect, key=key)
        except StaleWriterError as error:
            _conflict(error, json)
            return
    if doubts:
        answer = LineAnswer(answer.line, answer.findings)
    answered(scribe, done, answer, json, doubts)


def _acts(n: int) -> str:
    return "one act certainly breaks" if n == 1 else f"{n} acts certainly break"


def _scribe(store: Store, match: str, expect: int | None, key: str) -> StoreScribe:
    """The match as the sender knew it: up to `expect`, or up to the first use of this key."""
    until = expect
    if key:
        first = next((r.n for r in store.read(match) if r.key == key), None)
        if first is not None:
            until = first - 1 if until is None else min(until, first - 1)
    return StoreScribe(store, match, until=until)


def _conflict(error: StaleWriterError, json: bool) -> None:
    if json:
        shell.out_json({"match": error.match, "expect": error.expect, "last": error.last, "unseen": error.unseen})
    else:
        shell.out(*strict_lines(error.unseen))
    shell.fail(str(error))
    shell.exit_with(shell.CONFLICT)


def _read(source: str) -> tuple[str, str]:
    """The display name of the source, and its text."""
    name = "standard input" if source == "-" else source
    data = read_whole(source)
    if data.count(b"\n") >= MAX_LINES:
        raise UnreadableError(
            "there are too many lines", where=name, expected=f"at most {MAX_LINES}", todo="Nothing was written",
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UnreadableError(
            "this is not UTF-8 text", where=f"{name}, line {line}", todo="Nothing was written",
        ) from error
    if re.match(r"\s*%kib\b", text):
        raise UsageError(
            "this is a whole .kib file", where=name, expected="lines to append",
            todo="`kibitz import FILE --match ID` imports a whole match, even one that has grown",
        )  # fmt: skip
    if not text.strip():
        raise UnreadableError("this is empty", where=name, expected="lines to append")
    return name, text


def _complete(scribe: StoreScribe, name: str, text: str) -> tuple[list[Recorded], list[str]]:
    """The events of all lines, each completed in the position after the lines before it, and the doubts about them."""
    drafts: list[Recorded] = []
    doubts: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        line = line.rstrip("\r")
        if not line.strip() or line.lstrip().startswith("="):
            continue
        try:
            if len(line.encode()) > MAX_LINE:
                raise UnreadableError("the line is too long", expected=f"at most {MAX_LINE} bytes")
            events, doubtful = _one(scribe, line)
            check_writable(scribe.session, [r.event for r in events])
        except KibitzError as error:
            raise _placed(error, name, number) from error
        doubts += doubtful
        numbered = [replace(r, n=scribe.last + 1 + i) for i, r in enumerate(events)]
        scribe.session.take(numbered)
        drafts += events
    return drafts, doubts


def _one(scribe: StoreScribe, line: str) -> tuple[list[Recorded], list[str]]:
    """The events of one line: JSON, a numbered line of a file, or a line as typed."""
    if line.lstrip().startswith("{"):
        recorded = decode(line.strip().encode())
        _in_order(recorded.n, scribe.last)
        return [recorded], _doubts(scribe, recorded)
    found = _NUMBERED.match(line)
    if found is None:
        draft = scribe.understand(line)
        return list(draft.events), [] if draft.as_played else list(draft.doubts)
    around = take_apart(line)
    _in_order(around.n or 0, scribe.last)
    draft = scribe.session.of_the_record.complete(line[found.end() :])
    events = [replace(r, time=around.time, recorder=around.recorder, key=around.key) for r in draft.events]
    return events, [] if draft.as_played else list(draft.doubts)


def _in_order(n: int, last: int) -> None:
    if n != last + 1:
        raise NotationError(f"the line is numbered {n}", expected=f"{last + 1}, as the match ends at event {last}")


def _doubts(scribe: StoreScribe, recorded: Recorded) -> list[str]:
    """The rules that a complete event certainly breaks."""
    from events.writing import write_event

    try:
        draft = scribe.session.of_the_record.complete(write_event(recorded.event))
    except KibitzError:
        return []
    return list(draft.doubts) if [r.event for r in draft.events] == [recorded.event] else []


def _placed(error: KibitzError, name: str, line: int) -> KibitzError:
    """The same error, with the line of the file."""
    column = f", column {error.column}" if isinstance(error, NotationError) else ""
    todo = (error.todo.rstrip(".") + ". " if error.todo else "") + "Nothing was written"
    out = UnreadableError(error.what, where=f"{name}, line {line}{column}", expected=error.expected, todo=todo)
    out.exit_code = error.exit_code
    return out
