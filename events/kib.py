"""Files in `.kib`: read as far as they can be read.

A bad line is named (line, column, what was expected, what to do) and the lines after it are still read. What cannot
be a `.kib` file at all gives one error and no records.

Positions are those written. If a number is missing or does not follow the one before, the line is an error but is still
read: if the lines after it continue from the number written, lines were lost and that number is kept; otherwise the line
takes the next position in sequence. The position of a line that cannot be read stays free.

How long a line and a match may be, and how many errors are kept, stands in `events/limits.py`.
"""

from __future__ import annotations

import re
from bisect import bisect
from typing import Any, AnyStr

from msgspec import Struct

from events.around import Around, take_apart
from events.canon import encode
from events.entries import read_event
from events.errors import NotationError, UnreadableError
from events.facts import put, read_value
from events.limits import MAX_ERRORS, MAX_EVENTS, MAX_INT, MAX_LINE, MAX_LINES, MAX_MATCH_BYTES
from events.model import Open, Recorded
from events.tokens import nfc, odd_character, unescape, whole
from events.versions import version_of


class Derived(Struct, frozen=True):
    """A line that starts with `=`: its line number, and the whole of it. It is never trusted."""

    line: int
    text: str


class Reading(Struct, kw_only=True):
    """What a file gave: records in order (the opening first, at 0), errors in order, derived lines."""

    records: list[Recorded]
    errors: list[NotationError]
    derived: list[Derived]


_HEADER = re.compile(r"%kib(?:\s+(\S+))?\s*", re.IGNORECASE)
_TAG = re.compile(r"\[\s*([^\s\"\]]+)\s+(.*?)\s*\]\s*")
_NUMBERED = re.compile(r"\s*([0-9]+)\.(?=\s|[^0-9.]|$)")


def read_bytes(data: bytes, file: str = "") -> Reading:
    """Read the bytes of a `.kib` file: UTF-8, with or without a byte order mark, any line ends.

    A line that is not UTF-8 is an error of its own. Never raises; all errors are in the reading.
    """
    if _is_too_large(data, b"\n"):
        return _too_large(file)
    data = data.removeprefix(b"\xef\xbb\xbf")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _alone("the file is in UTF-16", file, "UTF-8", "Save it as UTF-8.")
    try:
        return read(data.decode("utf-8"), file=file)
    except UnicodeDecodeError:
        pass
    lines: list[str] = []
    errors: list[NotationError] = []
    for number, raw in enumerate(data.split(b"\n"), 1):
        try:
            lines.append(raw.decode("utf-8"))
        except UnicodeDecodeError as error:
            if len(errors) == MAX_ERRORS:
                errors.append(_enough(number, file))
                break
            column = len(raw[: error.start].decode("utf-8", "replace")) + 1
            errors.append(
                NotationError(
                    f"the byte {raw[error.start]:#04x} is not UTF-8", line=number, column=column,
                    expected="UTF-8 text", todo="Save the file as UTF-8, or type the line again.", file=file,
                )
            )  # fmt: skip
            # The line keeps its number, so that the lines after it are still in sequence.
            kept = re.match(rb"\s*[0-9]{1,16}\.", raw)
            lines.append(_UNREADABLE + (kept[0].decode() if kept else ""))
    reading = _Reader(file).read(lines)
    reading.errors = sorted(reading.errors + errors, key=lambda e: (e.line, e.column))
    if len(reading.errors) > MAX_ERRORS:
        reading.errors[MAX_ERRORS:] = [_enough(reading.errors[MAX_ERRORS].line, file)]
    return reading


_UNREADABLE = "\x00unreadable\x00"  # stands before the number of a line whose bytes were not text


def read(text: str, *, file: str = "") -> Reading:
    """Read the text of a `.kib` file. `file` is named in the errors. Never raises; all errors are in the reading.

    >>> r = read('%kib 1\\n[Game "kaiser"]\\n1. N hand 1\\n2. E plya Kh\\n3. s 10h\\n')
    >>> [(x.n, type(x.event).__name__) for x in r.records]
    [(0, 'Open'), (1, 'Hand'), (3, 'Play')]
    >>> print(r.errors[0])
    line 4, column 6: 'plya' is not a verb; expected a verb (play, draw, pass …) or cards. Did you mean play?
    """
    if _is_too_large(text, "\n"):
        return _too_large(file)
    return _Reader(file).read(text.removeprefix("\ufeff").split("\n"))


def _is_too_large(text: AnyStr, end: AnyStr) -> bool:
    return len(text) > MAX_MATCH_BYTES or text.count(end) >= MAX_LINES


def _too_large(file: str) -> Reading:
    return _alone(
        "the file is too large for one match", file, f"at most {MAX_MATCH_BYTES} bytes in {MAX_LINES} lines",
        "Put each match in a file of its own.",
    )  # fmt: skip


def _enough(line: int, file: str) -> NotationError:
    return NotationError(
        f"more than {MAX_ERRORS} places cannot be read, and from here on nothing was", line=line,
        todo="Check that it is the right file.", file=file,
    )  # fmt: skip


def _alone(what: str, file: str, expected: str, todo: str, line: int = 1) -> Reading:
    error = NotationError(what, line=line, expected=expected, todo=todo, file=file)
    return Reading(records=[], errors=[error], derived=[])


class _Reader:
    """Walks over the lines of one file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.out = Reading(records=[], errors=[], derived=[])
        self.facts: dict[str, Any] = {}
        self.tagged = 0  # the line of the first tag
        self.opened = 0  # the line numbered 0
        self.seats: tuple[str, ...] = ()
        self.position = 0  # of the line before, in the match
        self.written = 0  # the number that was written there
        self.numbered: list[int] | None = None  # the indices of the lines with a number, once they are asked for

    def fail(self, what: str, line: int, column: int = 1, expected: str = "", todo: str = "") -> None:
        self.out.errors.append(
            NotationError(what, line=line, column=column, expected=expected, todo=todo, file=self.file)
        )

    def read(self, lines: list[str]) -> Reading:
        lines = [line.removesuffix("\r") for line in lines]
        first = next((i for i, line in enumerate(lines) if line.strip()), None)
        if first is None:
            return _alone("the file is empty", self.file, "'%kib 1' in the first line", "")
        start = first
        header = _HEADER.fullmatch(lines[first]) if len(lines[first]) < 200 else None
        if header:
            if header[1] != "1":
                return self._other_version(header[1] or "", first + 1)
            start = first + 1
        elif not self._looks_like_kib(lines, first):
            return self._no_kib(lines[first], first + 1)
        else:
            self.fail(
                "the header is missing", first + 1, 1, "'%kib 1' in the first line", "Put '%kib 1' in the first line."
            )
        self._body(lines, start)
        self.out.errors.sort(key=lambda e: (e.line, e.column))
        return self.out

    def _other_version(self, version: str, line: int) -> Reading:
        number = whole(version) if version[:1].isdigit() else None
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

    def _no_kib(self, line: str, number: int) -> Reading:
        if line.lstrip().startswith("{"):
            return _alone(
                "this looks like JSON Lines, not like .kib", self.file, "'%kib 1' in the first line",
                "Read it as JSON Lines: name the file .jsonl.", number,
            )  # fmt: skip
        what = "this is not text" if "\x00" in line else "this is not a .kib file"
        return _alone(what, self.file, "'%kib 1' in the first line", "Check that it is the right file.", number)

    def _body(self, lines: list[str], start: int) -> None:
        numbers = [self._number(line) for line in lines]
        in_tags = True
        for i in range(start, len(lines)):
            line, at = lines[i], i + 1
            if line.startswith(_UNREADABLE):
                self._take_position(numbers, i)
                continue
            if not line or line.isspace():
                continue
            if self._beyond(at):
                break
            if len(line) > MAX_LINE // 4 and len(line.encode(errors="surrogatepass")) > MAX_LINE:
                self.fail("the line is too long", at, 1, f"at most {MAX_LINE} bytes", "Shorten it, or part it in two.")
                if in_tags and line.lstrip()[0] == "[":
                    continue
                if in_tags:
                    self._open(lines, numbers, i)
                self._take_position(numbers, i)
                in_tags = False
            elif line[0] == "=":
                self._derived(line, at)
            elif line.lstrip()[0] == "[":
                if in_tags:
                    self._tag(line, at)
                else:
                    self.fail(
                        "a tag follows the first event", at, 1, "all tags above the first numbered line",
                        "Write later terms as an event: @ open key=value.",
                    )  # fmt: skip
            else:
                if in_tags:
                    self._open(lines, numbers, i)
                    in_tags = False
                self._line(line, at, numbers, i)
        if in_tags:
            self._open(lines, numbers, len(lines))
        self._close_opening()

    def _beyond(self, at: int) -> bool:
        """Whether there are more errors, or more events, than are kept; then it is said."""
        if len(self.out.errors) >= MAX_ERRORS:
            self.out.errors.append(_enough(at, self.file))
        elif len(self.out.records) > MAX_EVENTS:
            self.fail("the match is too long", at, 1, f"at most {MAX_EVENTS} events", "Put the rest into a new match.")
        else:
            return False
        return True

    @staticmethod
    def _number(line: str) -> int | None:
        found = _NUMBERED.match(line.removeprefix(_UNREADABLE), 0, 200)
        return whole(found[1]) if found else None

    def _derived(self, line: str, at: int) -> None:
        line = line.rstrip()
        odd = odd_character(line)
        if odd >= 0:
            self.fail(f"the character U+{ord(line[odd]):04X}", at, odd + 1, "plain text", "Strike it.")
        else:
            self.out.derived.append(Derived(at, line))

    # --- the opening

    def _tag(self, line: str, at: int) -> None:
        found = _TAG.fullmatch(line) if len(line) < 20000 else None
        odd = odd_character(line.replace("\t", " "))
        if odd >= 0:
            self.fail(f"the character U+{ord(line[odd]):04X}", at, odd + 1, "plain text", "Strike it.")
            return
        if not found:
            self.fail("this is not a tag", at, 1, '[Name "text"]', 'Write \\" for a quote in the text.')
            return
        text, column = found[2], found.start(2) + 1
        value: Any
        try:
            if text[:1] == '"' and re.fullmatch(r'"(?:[^"\\]|\\.)*"', text):
                value = nfc(unescape(text[1:-1], '"\\'))
            else:
                value = read_value(text, column=column, line=at, file=self.file)
            put(self.facts, found[1], value, found.start(1) + 1, line=at)
        except NotationError as error:
            self.fail(error.what, at, error.column, error.expected or '[Name "text"]', error.todo)
            return
        self.tagged = self.tagged or at

    def _open(self, lines: list[str], numbers: list[int | None], i: int) -> None:
        if not self.facts:
            return
        facts = self.facts
        self.out.records.append(Recorded(n=0, event=Open(by="@", facts=facts)))
        self.seats = (*seats_of(facts.get("Seats")), *seats_of(facts.get("Sides")))

    def _opening_line(self, line: str, at: int) -> None:
        """The line numbered 0: what the log keeps of the opening besides its tags."""
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
                self.fail("this is a second line for the opening", at, 1, "one line numbered 0", "Strike one of the two.")
                return
            # Read with a fact in place of the tags, so that the actor is read as everywhere else.
            words_and_fact = [*around.words, *take_apart("x=1").words]
            event = read_event(words_and_fact, seats=self.seats, end=around.end, line=at, file=self.file)
            facts = self.out.records[0].event
            assert isinstance(facts, Open)
            self.out.records[0] = self._recorded(0, Open(by=event.by, facts=facts.facts), around)
            self.opened = at
        except NotationError as error:
            self.out.errors.append(error)

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

    def _take_position(self, numbers: list[int | None], i: int) -> int:
        """The position of the line at index `i`, whose written number may be wrong."""
        number = numbers[i]
        position = self.position + 1
        expected = {position, self.written + 1}
        if number is None:
            self.fail(
                "the line has no number", i + 1, 1, f"'{position}.'",
                "Events are numbered 1., 2., 3. through the whole match.",
            )  # fmt: skip
            self.written = position
        else:
            if number not in expected:
                after = self._number_after(numbers, i)
                self.fail(
                    f"the line is numbered {number}", i + 1, 1, f"'{position}.'",
                    "Lines are missing, or the number is wrong.",
                )  # fmt: skip
                if number > position and after == number + 1 and number <= MAX_INT:
                    position = number
            self.written = number
        self.position = position
        return position

    def _number_after(self, numbers: list[int | None], i: int) -> int | None:
        """The number of the next line that has one."""
        if self.numbered is None:
            self.numbered = [at for at, number in enumerate(numbers) if number is not None]
        after = bisect(self.numbered, i)
        return numbers[self.numbered[after]] if after < len(self.numbered) else None

    def _line(self, line: str, at: int, numbers: list[int | None], i: int) -> None:
        if numbers[i] == 0:
            self._opening_line(line, at)
            return
        if line.lstrip()[0] == "%":
            self.fail("a header stands in the middle of the file", at, 1, "an event", "Put each match in a file of its own.")
            return
        position = self._take_position(numbers, i)
        try:
            around = take_apart(line, line=at, file=self.file)
            event = read_event(around.words, seats=self.seats, end=around.end, line=at, file=self.file)
            recorded = self._recorded(position, event, around)
            if len(line) > 1000:
                encode(recorded)
        except NotationError as error:
            self.out.errors.append(error)
        except UnreadableError as error:
            self.fail(error.what, at, 1, error.expected, error.todo)
        else:
            self.out.records.append(recorded)

    @staticmethod
    def _recorded(n: int, event: Any, around: Around) -> Recorded:
        a = around
        return Recorded(
            n=n, event=event, v=version_of(event), same=a.same, t=a.t, glyphs=a.glyphs, text=a.text, time=a.time,
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
