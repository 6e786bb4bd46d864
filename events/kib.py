"""Reading `.kib` files, with recovery from errors.

A bad line is reported (line, column, what was expected, what to do), and the lines after it are still read. A file
that is not `.kib` at all gives one error and no records.

Positions are those written. A line whose number is missing or out of sequence is an error but is still read: it takes
the position that the numbers around it leave free. If they leave none, it becomes an inserted event after the line
above it, numbered after the last. If the numbers jump and go on from there, lines were lost.

A line that cannot be read, and a run of lost lines, is recorded as an `Unread` at its position
(`events/unread_lines.py`). A byte that is not UTF-8 is read as `\ufffd`; the line is lost only if it then makes no
sense. The bounds on a line, a match and the number of errors are in `events/limits.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, AnyStr

from msgspec import Struct

from events.canon import encode
from events.entries import read_event
from events.envelope import Around, take_apart
from events.errors import NotationError, UnreadableError
from events.facts import enter_fact, read_value
from events.limits import MAX_ERRORS, MAX_EVENTS, MAX_INT, MAX_LINE, MAX_LINES, MAX_MATCH_BYTES
from events.model import Event, Fix, Gap, Note, Open, Recorded
from events.tokens import nfc, odd_character, unescape, whole_number
from events.unread_lines import corrected_by, lost, may_be_act, may_have_been_corrected, unread, unread_tag
from events.versions import record_version

UNNUMBERED = "Events are numbered 1., 2., 3. through the whole match."
MISNUMBERED = "Lines are missing, or the number is wrong."
"""Advice for a line whose number does not follow. Every line was read, and nothing else is wrong with this one."""


class Derived(Struct, frozen=True):
    """A line that starts with `=`: its line number and its whole text. It is never trusted."""

    line: int
    text: str


class KibFile(Struct, kw_only=True):
    """What a file contained: records in order (the opening first, at 0), errors in order, derived lines."""

    records: list[Recorded]
    errors: list[NotationError]
    derived: list[Derived]


_HEADER = re.compile(r"\s*%kib(?:\s+(\S+))?\s*", re.IGNORECASE)
BEGINNING = "(?:\ufeff)?" r"[ \t]*(?:(?P<head>%(?i:kib)\b)|\[\s*Game\s)"
"""Where another record begins: at a header, or at the game tag if an event stands above it."""
_BEGINNING = re.compile(BEGINNING)
_TAG = re.compile(r"\s*\[\s*([^\s\"\]]+)\s+(.*?)\s*\]\s*")
_NUMBERED = re.compile(r"\s*([0-9]+)\.(?=\s|[^0-9.]|$)")


def read_bytes(data: bytes, file: str = "", *, before: int = 0) -> KibFile:
    """Read the bytes of a `.kib` file: UTF-8, with or without a byte order mark, any line endings.

    `before` is the number of lines above these in the file. A byte that is not UTF-8 is an error of its own. Never
    raises; all errors are in the result.
    """
    if _is_too_large(data, b"\n"):
        return _too_large(file)
    data = data.removeprefix(b"\xef\xbb\xbf")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _alone("the file is in UTF-16", file, "UTF-8", "Save it as UTF-8.")
    try:
        return read_kib(data.decode("utf-8"), file=file, before=before)
    except UnicodeDecodeError:
        pass
    lines: list[str] = []
    bad: dict[int, NotationError] = {}
    for number, raw in enumerate(data.split(b"\n"), 1):
        try:
            lines.append(raw.decode("utf-8"))
        except UnicodeDecodeError as error:
            column = len(raw[: error.start].decode("utf-8", "replace")) + 1
            bad[before + number] = NotationError(
                f"the byte {raw[error.start]:#04x} is not UTF-8", line=before + number, column=column,
                expected="UTF-8 text", todo="Save the file as UTF-8, or type the line again.", file=file,
            )  # fmt: skip
            lines.append(raw.decode("utf-8", "replace"))
            if len(bad) > MAX_ERRORS:
                break
    return _Reader(file, before, bad).read(lines)


def read_kib(text: str, *, file: str = "", before: int = 0) -> KibFile:
    """Read the text of a `.kib` file. `file` is named in the errors. Never raises; all errors are in the result.

    >>> r = read_kib('%kib 1\\n[Game "kaiser"]\\n1. N hand 1\\n2. E plya Kh\\n3. s 10h\\n')
    >>> [(x.n, type(x.event).__name__) for x in r.records]
    [(0, 'Open'), (1, 'Hand'), (2, 'Gap'), (3, 'Play')]
    >>> print(r.errors[0])
    line 4, column 6: 'plya' is not a verb; expected a verb (play, draw, pass …) or cards. Did you mean play?
    """
    if _is_too_large(text, "\n"):
        return _too_large(file)
    return _Reader(file, before, {}).read(text.removeprefix("\ufeff").split("\n"))


def _is_too_large(text: AnyStr, end: AnyStr) -> bool:
    return len(text) > MAX_MATCH_BYTES or text.count(end) >= MAX_LINES


def _too_large(file: str) -> KibFile:
    return _alone(
        "the file is too large for one match", file, f"at most {MAX_MATCH_BYTES} bytes in {MAX_LINES} lines",
        "Put each match in a file of its own.",
    )  # fmt: skip


def _enough(line: int, file: str) -> NotationError:
    return NotationError(
        f"more than {MAX_ERRORS} places cannot be read, and from here on nothing was", line=line,
        todo="Check that it is the right file.", file=file,
    )  # fmt: skip


def _alone(what: str, file: str, expected: str, todo: str, line: int = 1) -> KibFile:
    error = NotationError(what, line=line, expected=expected, todo=todo, file=file)
    return KibFile(records=[], errors=[error], derived=[])


class _Line(Struct):
    """A line that is an event or cannot be read: its text, place in the file, written number, and event if read.

    `is_tag`: it has the form of a tag. `is_rest`: it stands for all lines from there on.
    """

    text: str
    at: int
    number: int | None = None
    read: tuple[Event, Around] | None = None
    is_tag: bool = False
    is_rest: bool = False


class _Reader:
    """Reads the lines of one record. `before` lines stand above it; `bad` are the errors of lines not in UTF-8."""

    def __init__(self, file: str, before: int, bad: dict[int, NotationError]) -> None:
        self.file, self.before, self.bad = file, before, bad
        self.out = KibFile(records=[], errors=[], derived=[])
        self.facts: dict[str, Any] = {}
        self.tagged = 0  # line of the first tag
        self.opened = 0  # line numbered 0
        self.seats: tuple[str, ...] = ()
        self.lines: list[_Line] = []
        self.astray: list[tuple[int, _Line]] = []  # lines without a position, each with the position above it
        self.unread: list[tuple[_Line, int]] = []  # unread lines that may be acts or corrections, with positions

    def fail(self, what: str, line: int, column: int = 1, expected: str = "", todo: str = "") -> None:
        self.failed(NotationError(what, line=line, column=column, expected=expected, todo=todo, file=self.file))

    def failed(self, error: NotationError) -> None:
        """Add an error. For a line with a byte that is not UTF-8, that byte is the only error."""
        if error.line not in self.bad:
            self.out.errors.append(error)

    def read(self, lines: list[str]) -> KibFile:
        lines = [line.removesuffix("\r") for line in lines]
        first = next((i for i, line in enumerate(lines) if line.strip()), None)
        if first is None:
            return _alone("the file is empty", self.file, "'%kib 1' in the first line", "")
        start = first
        header = _HEADER.fullmatch(lines[first]) if len(lines[first]) < 200 else None
        if header:
            if header[1] != "1":
                return self._other_version(header[1] or "", self.before + first + 1)
            start = first + 1
        elif not self._looks_like_kib(lines, first):
            return self._no_kib(lines[first], self.before + first + 1)
        else:
            self.fail(
                "the header is missing", self.before + first + 1, 1, "'%kib 1' in the first line",
                "Put '%kib 1' in the first line."
            )
        self._body(lines, start)
        self._place()
        self.out.errors += self.bad.values()
        self.out.errors.sort(key=lambda e: (e.line, e.column))
        if len(self.out.errors) > MAX_ERRORS:
            self.out.errors[MAX_ERRORS:] = [_enough(self.out.errors[MAX_ERRORS].line, self.file)]
        return self.out

    def _other_version(self, version: str, line: int) -> KibFile:
        number = whole_number(version) if version[:1].isdigit() else None
        if number is not None and number > 1:
            return _alone(
                f"the file is in version {number} of the notation, written by a newer Kibitz", self.file,
                "'%kib 1'", "Update Kibitz to read it.", line,
            )  # fmt: skip
        return _alone(f"'%kib {version[:20]}' is not a version of the notation", self.file, "'%kib 1'", "", line)

    @staticmethod
    def _looks_like_kib(lines: list[str], first: int) -> bool:
        some = [line for line in lines[first : first + 50] if line.strip() and "\x00" not in line]
        return any(_NUMBERED.match(line) or _TAG.fullmatch(line) for line in some if len(line) < 20000)

    def _no_kib(self, line: str, number: int) -> KibFile:
        if line.lstrip().startswith("{"):
            return _alone(
                "this looks like JSON Lines, not like .kib", self.file, "'%kib 1' in the first line",
                "Read it as JSON Lines: name the file .jsonl.", number,
            )  # fmt: skip
        what = "this is not text" if "\x00" in line else "this is not a .kib file"
        return _alone(what, self.file, "'%kib 1' in the first line", "Check that it is the right file.", number)

    def _body(self, lines: list[str], start: int) -> None:
        in_tags = True
        for at, line in enumerate(lines[start:], self.before + start + 1):
            if not line or line.isspace():
                continue
            begun = line.lstrip()
            if self._beyond(at):
                self.lines.append(_Line("and all after it", at, is_rest=True))
                break
            if line[0] == "=":
                self._derived(line, at)
            elif begun[0] in "%[" and (found := _BEGINNING.match(begun)) and (found["head"] or not in_tags):
                self.fail(
                    "another record begins here", at, 1, "one match",
                    "`kibitz check` and `import` read one after the other.",
                )
                if not in_tags or self.facts:
                    break
            elif begun[0] == "[":
                if in_tags:
                    self._tag(line, at)
                else:
                    self.fail(
                        "a tag follows the first event", at, 1, "all tags above the first numbered line",
                        "Write later terms as an event: @ open key=value.",
                    )  # fmt: skip
                    self.lines.append(_Line(line, at, is_tag=True))
            else:
                if in_tags:
                    self._open()
                    in_tags = False
                self._line(line, at)
        if in_tags:
            self._open()
        self._close_opening()

    def _beyond(self, at: int) -> bool:
        """True, with an error added, if the bound on errors or on events is reached."""
        if len(self.out.errors) >= MAX_ERRORS:
            self.out.errors.append(_enough(at, self.file))
        elif len(self.lines) >= MAX_EVENTS:
            self.fail("the match is too long", at, 1, f"at most {MAX_EVENTS} events", "Put the rest into a new match.")
        else:
            return False
        return True

    def _derived(self, line: str, at: int) -> None:
        line = line.rstrip()
        odd = odd_character(line)
        if odd >= 0:
            self.fail(f"the character U+{ord(line[odd]):04X}", at, odd + 1, "plain text", "Strike it.")
        else:
            self.out.derived.append(Derived(at, line))

    # --- the opening

    def _tag(self, line: str, at: int) -> None:
        """Read a tag. One that cannot be read is recorded after the last event, because it has no position."""
        if not self._is_tag(line, at):
            self.lines.append(_Line(line, at, is_tag=True))

    def _is_tag(self, line: str, at: int) -> bool:
        found = _TAG.fullmatch(line) if len(line) < 20000 else None
        odd = odd_character(line.replace("\t", " "))
        if odd >= 0:
            self.fail(f"the character U+{ord(line[odd]):04X}", at, odd + 1, "plain text", "Strike it.")
            return False
        if not found:
            self.fail("this is not a tag", at, 1, '[Name "text"]', 'Write \\" for a quote in the text.')
            return False
        text, column = found[2], found.start(2) + 1
        value: Any
        try:
            if text[:1] == '"' and re.fullmatch(r'"(?:[^"\\]|\\.)*"', text):
                value = nfc(unescape(text[1:-1], '"\\'))
            else:
                value = read_value(text, column=column, line=at, file=self.file)
            enter_fact(self.facts, found[1], value, found.start(1) + 1, line=at)
        except NotationError as error:
            self.fail(error.what, at, error.column, error.expected or '[Name "text"]', error.todo)
            return False
        self.tagged = self.tagged or at
        return True

    def _open(self) -> None:
        if not self.facts:
            return
        facts = self.facts
        self.out.records.append(Recorded(n=0, event=Open(by="@", facts=facts)))
        self.seats = (*seats_of(facts.get("Seats")), *seats_of(facts.get("Sides")))

    def _opening_line(self, line: str, at: int) -> None:
        """Read the line numbered 0: the fields of the opening other than its tags."""
        try:
            around = take_apart(line, line=at, file=self.file)
            if not self.facts:
                self.fail("there is no opening above this line", at, 1, "tags above it", "Number events from 1.")
                return
            words = [w.text for w in around.words]
            if len(words) != 2 or words[1].lower() != "open":
                self.fail("this is not the line of the opening", at, 1, "0. @ open {…}", "Number events from 1.")
                return
            if self.opened:
                self.fail(
                    "this is a second line for the opening", at, 1, "one line numbered 0", "Strike one of the two.",
                )
                return
            # A fact stands in for the tags, so that the usual reader can read the actor.
            words_and_fact = [*around.words, *take_apart("x=1").words]
            event = read_event(words_and_fact, seats=self.seats, end=around.end, line=at, file=self.file)
            facts = self.out.records[0].event
            assert isinstance(facts, Open)
            self.out.records[0] = self._recorded(0, Open(by=event.by, facts=facts.facts), around)
            self.opened = at
        except NotationError as error:
            self.failed(error)

    def _close_opening(self) -> None:
        if not self.facts:
            return
        line = self.opened or self.tagged
        try:
            encode(self.out.records[0])
        except UnreadableError as error:
            self.fail(f"the opening cannot be kept: {error.what}", line, 1, error.expected, error.todo)
            del self.out.records[0]

    # --- events

    def _line(self, text: str, at: int) -> None:
        found = _NUMBERED.match(text, 0, 200)
        number = whole_number(found[1]) if found else None
        if number == 0:
            self._opening_line(text, at)
            return
        line = _Line(text, at, number)
        self.lines.append(line)
        try:
            if len(text) > MAX_LINE // 4 and len(text.encode(errors="surrogatepass")) > MAX_LINE:
                self.fail("the line is too long", at, 1, f"at most {MAX_LINE} bytes", "Shorten it, or part it in two.")
                return
            around = take_apart(text, line=at, file=self.file)
            event = read_event(around.words, seats=self.seats, end=around.end, line=at, file=self.file)
            if len(text) > 1000:
                encode(self._recorded(1, event, around))
        except NotationError as error:
            self.failed(error)
        except UnreadableError as error:
            self.fail(error.what, at, 1, error.expected, error.todo)
        else:
            line.read = event, around

    def _place(self) -> None:
        """Give each line its position: the one written, or a free one nearby if its number does not fit."""
        position = written = 0
        waiting: list[_Line] = []
        following = [*[line.number for line in self.lines if line.number is not None][1:], 0]
        numbered = iter(following)
        for line in self.lines:
            number, due = line.number, position + 1 + len(waiting)
            follows = next(numbered) if number is not None else 0
            if line.is_tag:
                self.astray.append((position, line))
                continue
            if number is None:
                if not line.is_rest:
                    self.fail("the line has no number", line.at, 1, f"'{due}.'", UNNUMBERED)
            elif number not in {due, written + 1}:
                self.fail(f"the line is numbered {number}", line.at, 1, f"'{due}.'", MISNUMBERED)
            written = written if number is None else number
            if number is not None and position < number <= MAX_INT and (number <= due or follows == number + 1):
                self._settle(waiting, position, number)
                self._put(line, number)
                position, waiting = number, []
            else:
                waiting.append(line)
        position = self._settle(waiting, position, None)
        for above, line in self.astray:
            position += 1
            self._put_behind(line, above, position)
        doubted = {at for line, n in self.unread for at in corrected_by(line.text, n)}
        self.out.records += [may_have_been_corrected(n, at) for n, at in enumerate(sorted(doubted), position + 1)]

    def _settle(self, waiting: Sequence[_Line], position: int, end: int | None) -> int:
        """Place the waiting lines after a position, in the room up to `end`. Return the last position taken."""
        for line in waiting:
            is_stray = line.read is None and line.number is None and not line.is_rest and not may_be_act(
                line.text, self.seats,
            )
            if is_stray or position + 1 == end:
                self.astray.append((position, line))
            else:
                position += 1
                self._put(line, position)
        if end is not None and position + 1 < end:
            self.out.records.append(lost(position + 1, end - 1))
        return position

    def _put(self, line: _Line, n: int) -> None:
        """Record a line at its position."""
        if line.read is not None:
            self.out.records.append(self._recorded(n, *line.read))
        else:
            self.out.records.append(unread(n, line.at, line.text, Gap(by="@")))
            self.unread.append((line, n))

    def _put_behind(self, line: _Line, above: int, n: int) -> None:
        """Record a line without a position: inserted after event `above` by event `n`, or as a note if it is no act."""
        if line.read is not None:
            event, around = line.read
            put_in = event if isinstance(event, Fix) else Fix(by="@", at=above, how="insert", event=event)
            self.out.records.append(self._recorded(n, put_in, around))
        elif line.is_tag:
            self.out.records.append(unread_tag(n, line.at, line.text))
        elif not may_be_act(line.text, self.seats):
            self.out.records.append(unread(n, line.at, line.text, Note(by="@")))
        else:
            self.out.records.append(
                unread(n, line.at, line.text, Fix(by="@", at=above, how="insert", event=Gap(by="@")))
            )
            self.unread.append((line, above + 1))

    @staticmethod
    def _recorded(n: int, event: Any, around: Around) -> Recorded:
        a = around
        return Recorded(
            n=n, event=event, v=record_version(event), same=a.same, t=a.t, glyphs=a.glyphs, text=a.text, time=a.time,
            recorder=a.recorder, key=a.key,
        )  # fmt: skip


def seats_of(tag: object) -> tuple[str, ...]:
    """The seats or sides that a tag lists: `N E S W`, or with names `N=Anna`.

    >>> seats_of("N E S W"), seats_of("X=ACEG Y=BDFH")
    (('N', 'E', 'S', 'W'), ('X', 'Y'))
    """
    if not isinstance(tag, str):
        return ()
    heads = (part.partition("=")[0] for part in tag.replace(",", " ").split())
    return tuple(h for h in heads if re.fullmatch(r"[A-Z][A-Z0-9]{0,15}", h))
