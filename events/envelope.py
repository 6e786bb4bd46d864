"""The parts of a line around its event: number, times, comment, and the commands in the comment."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from events.canon import is_time
from events.errors import NotationError
from events.limits import MAX_INT, MAX_WORDS
from events.tokens import Token, nfc, odd_character, split, unescape, whole_number
from events.words import shown_word


class Around(Struct, kw_only=True):
    """A parsed line: its number, the words of the event, and everything around them."""

    n: int | None = None
    same: bool = False
    words: list[Token]
    t: int | None = None
    glyphs: tuple[int, ...] = ()
    text: str = ""
    time: str = ""
    recorder: str = ""
    key: str = ""
    end: int = 1


_LINE_NUMBER = re.compile(r"\s*([0-9]+)\.(?=\s|[^0-9.]|$)\s*")
_SECONDS = re.compile(r"~([0-9]{1,13})(?:[.,]([0-9]{1,3}))?")
_COMMAND = re.compile(r"\[%([A-Za-z]*)((?:[^\]\\]|\\.)*)\]")


def take_apart(line_text: str, *, line: int = 1, file: str = "") -> Around:
    """Split a line into number, `&`, words, `~seconds`, `$glyphs` and comment. Raises NotationError."""
    odd = odd_character(line_text.replace("\t", " "))
    if odd >= 0:
        raise NotationError(
            f"the character U+{ord(line_text[odd]):04X}", line=line, column=odd + 1, expected="plain text",
            todo="Strike it; it cannot be seen and does not belong in a line.", file=file,
        )  # fmt: skip
    text = line_text.replace("\t", " ")
    out = Around(words=[])
    column = 1
    if number := _LINE_NUMBER.match(text):
        out.n = whole_number(number[1])
        if out.n is None:
            raise NotationError("the line's number is out of bounds", line=line, expected="1., 2., 3. …", file=file)
        text, column = text[number.end() :], 1 + number.end()
    words, comment, at = split(text, column=column, line=line, file=file)
    out.end = column + len(text.rstrip())
    if comment is not None:
        out.end = at
        _take_comment(out, comment, at + 1, line, file)
    if words and words[0].text[:1] == "&":
        out.same = True
        rest = words[0].text[1:]
        words[:1] = [Token(text=rest, column=words[0].column + 1)] if rest else []
    if len(words) > MAX_WORDS:
        raise NotationError(f"the line has {len(words)} words", line=line, expected=f"at most {MAX_WORDS}", file=file)
    glyphs: list[int] = []
    for word in join_signs(words):
        if word.text[:1] == "~":
            found = _SECONDS.fullmatch(word.text)
            t = int(found[1]) * 1000 + int((found[2] or "0").ljust(3, "0")) if found and word.text.isascii() else -1
            if not 0 <= t <= MAX_INT or out.t is not None:
                what = "a second time" if out.t is not None else f"{shown_word(word.text)} is not a time"
                raise NotationError(
                    what, line=line, column=word.column, expected="seconds since the hand began (~3.12)", file=file
                )
            out.t = t
        elif word.text[:1] == "$":
            glyph = whole_number(word.text[1:]) if word.text[1:2].isdigit() else None
            if glyph is None:
                raise NotationError(
                    f"{shown_word(word.text)} is not a glyph", line=line, column=word.column, expected="$ and a number",
                    file=file,
                )  # fmt: skip
            glyphs.append(glyph)
        else:
            out.words.append(word)
    out.glyphs = tuple(glyphs)
    return out


def _take_comment(out: Around, comment: str, column: int, line: int, file: str) -> None:
    """Split the comment into the remark and the commands after it, and store both in `out`."""
    start = len(comment)
    i = 0
    while i < len(comment):
        if comment[i] == "\\":
            i += 2
        elif comment.startswith("[%", i):
            start = i
            break
        else:
            i += 1
    remark = comment[:start]
    if start < len(comment) and remark.endswith(" "):
        remark = remark[:-1]
    out.text = nfc(unescape(remark, "{}\\[]"))

    def fail(what: str, at: int, expected: str, todo: str = "") -> NotationError:
        return NotationError(what, line=line, column=column + at, expected=expected, todo=todo, file=file)

    seen: set[str] = set()
    at = start
    while at < len(comment):
        if comment[at] == " ":
            at += 1
            continue
        found = _COMMAND.match(comment, at)
        if not found:
            raise fail(
                "this is not a command", at, "[%t …], [%by …] or [%key …] at the end of the comment",
                "Write \\[% if the remark itself has [%.",
            )  # fmt: skip
        name, value = found[1], nfc(unescape(found[2].removeprefix(" "), "{}\\[]"))
        if name not in ("t", "by", "key"):
            raise fail(f"'%{name[:20]}' is not a command", at, "%t, %by or %key", "Write \\[% if it is plain text.")
        if name in seen:
            raise fail(f"'%{name}' is given twice", at, "each command once")
        if not value or len(value) > 200:
            raise fail(f"'%{name}' {'holds too much' if value else 'holds nothing'}", at, "1 to 200 characters")
        if name == "t":
            if not is_time(value):
                raise fail(f"{shown_word(value)} is not a time", at, "UTC, as [%t 2026-03-14T20:05:11.250Z]")
            out.time = value
        elif name == "by":
            out.recorder = value
        else:
            out.key = value
        seen.add(name)
        at = found.end()


def join_signs(tokens: Sequence[Token]) -> list[Token]:
    """Join a `<`, `>` or `#` that was typed with a space after it to the next word."""
    out: list[Token] = []
    for token in tokens:
        if out and out[-1].text in ("<", ">", "#") and not token.text.startswith(("<", ">", "#")):
            out[-1] = Token(text=out[-1].text + token.text, column=out[-1].column)
        else:
            out.append(token)
    return out
