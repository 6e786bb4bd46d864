"""The viewer's sources with what only their readers need left out: comments, and spaces between signs.

The modules are taken apart as far as that takes: texts, templates, patterns, words and signs. Names stay as they are, and so does
every line that ends without a sign that ends it, so that what runs is what was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\f]+) | (?P<line>\n) | (?P<comment>//[^\n]*|/\*.*?\*/)
    | (?P<text>"(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*')
    | (?P<word>[\w$\#@]+(?:\.\d+)?) | (?P<sign>=>|\.\.\.|\?\?=?|\?\.|\+\+|--|\*\*|&&|\|\||[^\w\s])""",
    re.X | re.S,
)
_PATTERN = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
_BEFORE_PATTERN = frozenset(("return", "typeof", "case", "in", "of", "await", "yield", "void", "else", "do"))
"""Words that a value follows: a stroke after any other word divides."""
_GOES_ON = frozenset("{([,;:?=+-*/%&|<>!.~") | {"=>", "...", "??", "??=", "?.", "&&", "||", "**"}
_CLOSES = frozenset(")],;:?.=*%&|<>") | {"=>", "??", "??=", "?.", "&&", "||", "**", "}"}


def tight_script(source: str) -> str:
    """A module without what only its readers need.

    >>> tight_script('const a = 1; // one\\nreturn / a b/.test(`${ a + b } c`)\\n  ? a - -b : [ "x  y" ];\\n')
    'let a=1;return/ a b/.test(`${a+b} c`)?a- -b:["x  y"];'
    """
    return "".join(_tight(source, 0, "")[0])


def _tight(source: str, at: int, end: str) -> tuple[list[str], int]:
    """The tokens that stay, from a place on up to `end`, and the place after it. A sign in brackets needs as many that close it."""
    out: list[str] = []
    last, broken, depth = "", False, 0
    while at < len(source):
        if source[at] == "`":
            token, at = _template(source, at)
        elif source[at] == "/" and (found := _PATTERN.match(source, at)) and source[at + 1] not in "/*" and _value_follows(last):
            token, at = found[0], found.end()
        else:
            found = _TOKEN.match(source, at)
            if found is None:
                raise ValueError(f"no JavaScript: {source[at : at + 20]!r}")
            at, token = found.end(), found[0]
            if found.lastgroup in ("space", "comment", "line"):
                broken = broken or "\n" in token
                continue
            if token == "const" and last != ".":
                # What is never assigned again may be said in fewer letters.
                token = "let"
            depth += (token == "{") - (token == "}")
            if depth < 0 and token == end:
                return out, at
        if token in "}])" and last in (";", ",") and out[-2] not in (")", "[", ",", ";"):
            # The sign that closes ends a statement, or a list, as well.
            del out[-1]
        out.append(_between(last, token, broken) + token)
        last, broken = token, False
    return out, at


def _between(last: str, token: str, broken: bool) -> str:
    """What must stand between two tokens: the end of a line if it may end a statement, a space between words."""
    if broken and last and last not in _GOES_ON and token not in _CLOSES:
        return "\n"
    if last and _is_word(last[-1]) and _is_word(token[0]):
        return " "
    # Two signs must not become one, nor a number and a point.
    return " " if (last[-1:] in ("+", "-", "/") and token[0] == last[-1]) or (last.isdigit() and token[0] == ".") else ""


def _is_word(sign: str) -> bool:
    return sign.isalnum() or sign in "_$#@"


def _value_follows(last: str) -> bool:
    """Whether a stroke after this begins a pattern, and does not divide."""
    if not last or last in _BEFORE_PATTERN:
        return True
    return not _is_word(last[-1]) and last[-1] not in ')]}"\'`'


def _template(source: str, at: int) -> tuple[str, int]:
    """A text between backquotes, as it is but for what is worked out in it."""
    parts, i = ["`"], at + 1
    while source[i] != "`":
        if source[i] == "\\":
            parts.append(source[i : i + 2])
            i += 2
        elif source.startswith("${", i):
            inner, i = _tight(source, i + 2, "}")
            parts += ["${", *inner, "}"]
        else:
            parts.append(source[i])
            i += 1
    return "".join((*parts, "`")), i + 1


def tight_style(source: str) -> str:
    """A style sheet without what only its readers need. A space that stands for "within" stays.

    >>> tight_style("/* a */ .a > .b,\\n.c :is(p) { color: red; margin: 0 calc(1px - 2px); }\\n")
    '.a>.b,.c :is(p){color:red;margin:0 calc(1px - 2px)}'
    """
    return "".join(_rules(re.sub(r"/\*.*?\*/", "", source, flags=re.S)))


def _rules(sheet: str) -> Iterator[str]:
    for part in re.split(r"""("[^"\n]*"|'[^'\n]*')""", sheet):
        if part[:1] in ('"', "'"):
            yield part
            continue
        part = re.sub(r"\s+", " ", part)
        part = re.sub(r" ?([{};,>]) ?", r"\1", part)
        yield re.sub(r": ", ":", part).replace(";}", "}").strip()


__all__ = ["tight_script", "tight_style"]
