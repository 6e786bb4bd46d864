"""The viewer's sources with what only their readers need left out: comments, and spaces between signs.

The modules are taken apart as far as that takes: texts, templates, patterns, words and signs. Every line that ends without a sign
that ends it stays one, so that what runs is what was written. What the sources say at every turn is said in fewer letters (`SHORT`),
and so are the names of what stands at the top of a module (`with_short_names`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

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
SHORT = "let M$=Math.max,m$=Math.min,{keys:k$,values:v$,entries:e$}=Object;"
"""What a script begins with that has these short forms in it."""
_SHORTER = {("Math", "max"): "M$", ("Math", "min"): "m$", ("Object", "keys"): "k$", ("Object", "values"): "v$", ("Object", "entries"): "e$"}
_VALUES = {"true": "!0", "false": "!1", "undefined": "void 0"}
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_AT_THE_TOP = re.compile(r"^(?:export\s+)?(?:async\s+)?(?:function|class|const|let)\s+([\w$]+)", re.M)
_PART = re.compile(r"^(?=(?:export\s+)?(?:async\s+)?(?:function|class|const|let)\s)", re.M)
_DECLARED = re.compile(r"(?<![\w$])(?:let|function|class) ([A-Za-z_$][\w$]*)")
_OF_THE_BROWSER = frozenset(
    ["blur", "close", "event", "find", "focus", "history", "length", "location", "name", "open", "origin", "parent", "print", "screen", "scroll", "self", "status", "stop", "top"]
)
"""What a browser has, too: to be on the safe side these stay."""
_CLOSES = frozenset(")],;:?.=*%&|<>") | {"=>", "??", "??=", "?.", "&&", "||", "**", "}"}


def tight_script(source: str) -> str:
    """A module without what only its readers need.

    >>> tight_script('const a = 1; // one\\nreturn / a b/.test(`${ a + b } c`)\\n  ? a - -b : [ "x  y" ];\\n')
    'let a=1;return/ a b/.test(`${a+b} c`)?a- -b:["x  y"];'
    >>> tight_script('f(Math.max(1, a.max), { true: false });\\n')
    'f(M$(1,a.max),{true:!1});'
    """
    return "".join(_tight(source, 0, "", set())[0])


def at_the_top(source: str) -> list[str]:
    """The names of what stands at the top of a module.

    >>> at_the_top("export function f() {\\n  const a = 1;\\n}\\nconst B = 2;\\n")
    ['f', 'B']
    """
    return _AT_THE_TOP.findall(source)


def declared(sources: Iterable[str]) -> set[str]:
    """The names of what stands at the top of these modules, and those that each part of them which says them declares itself: so that
    none of them is anything of the browser's.

    >>> declared(["function f(a) {\\n  const b = a, c = b;\\n  return b + top;\\n}\\n", "function g() {\\n  const top = 1;\\n  return f(top);\\n}\\n"])  == {"f", "g", "b"}
    True
    """
    top: set[str] = set()
    own: set[str] = set()
    foreign: set[str] = set()
    for source in sources:
        top.update(at_the_top(source))
        for part in _PART.split(source):
            text = tight_script(part)
            mine = {*_DECLARED.findall(text)}
            own |= mine
            foreign |= {*_NAME.findall(text)} - mine
    return top | (own - foreign - _OF_THE_BROWSER)


def with_short_names(script: str, names: Iterable[str], keep: Iterable[str] = ()) -> str:
    """A script with some of its names in fewer letters; those that are to be kept stay, and those that are said in a text or are
    what a part of something is called.

    >>> with_short_names('function first(){}let second=1;first(second,a.third,"fourth",{fifth})', ["first", "second", "third", "fourth", "fifth"])
    'function $a(){}let $b=1;$a($b,a.third,"fourth",{fifth})'
    """
    fixed = {*keep}
    _tight(script, 0, "", fixed)
    found = [one for one in _NAME.findall(script) if len(one) > 2]
    free = sorted({*names}.difference(fixed).intersection(found), key=lambda name: (-found.count(name), name))
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    short = {name: "$" + (letters[i // 52 - 1] if i >= 52 else "") + letters[i % 52] for i, name in enumerate(free)}
    return _NAME.sub(lambda name: short.get(name[0], name[0]), script)


def _tight(source: str, at: int, end: str, fixed: set[str]) -> tuple[list[str], int]:
    """The tokens that stay, from a place on up to `end`, and the place after it. A sign in brackets needs as many that close it.
    Words in texts, and names of parts, are added to those that are fixed."""
    out: list[str] = []
    last, broken, depth = "", False, 0
    brackets = [""]
    while at < len(source):
        if source[at] == "`":
            token, at = _template(source, at, fixed)
        elif source[at] == "/" and (found := _PATTERN.match(source, at)) and source[at + 1] not in "/*" and _value_follows(last):
            token, at = found[0], found.end()
            fixed.update(_NAME.findall(token))
        else:
            found = _TOKEN.match(source, at)
            if found is None:
                raise ValueError(f"no JavaScript: {source[at : at + 20]!r}")
            at, token = found.end(), found[0]
            if found.lastgroup in ("space", "comment", "line"):
                broken = broken or "\n" in token
                continue
            if found.lastgroup == "text":
                fixed.update(_NAME.findall(token))
            elif found.lastgroup == "word" and _of_a_part(last, brackets[-1], source[at : at + 9].lstrip()[:1]):
                fixed.add(token)
            if token in "([{":
                brackets.append(token)
            elif token in ")]}" and len(brackets) > 1:
                brackets.pop()
            if token == "const" and last != ".":
                # What is never assigned again may be said in fewer letters.
                token = "let"
            elif out[-1:] == ["."] and (of := _NAME.findall(out[-2])[-1:]) and (of[0], token) in _SHORTER:
                last, broken = _SHORTER[of[0], token], False
                out[-2:] = [out[-2].removesuffix(of[0]) + last]
                continue
            elif token in _VALUES and last != "." and not (last in ("{", ",") and source[at : at + 9].lstrip().startswith(":")):
                token = _VALUES[token]
            depth += (token == "{") - (token == "}")
            if depth < 0 and token == end:
                return out, at
        if token in "}])" and last in (";", ",") and out[-2] not in (")", "[", ",", ";"):
            # The sign that closes ends a statement, or a list, as well.
            del out[-1]
        out.append(_between(last, token, broken) + token)
        last, broken = token, False
    return out, at


def _of_a_part(last: str, bracket: str, following: str) -> bool:
    """Whether a word, by what stands around it, may be what a part of something is called."""
    return last in (".", "?.") or following == ":" or (bracket == "{" and last in ("{", ",") and following in ("", ",", "}", "=", "("))


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


def _template(source: str, at: int, fixed: set[str]) -> tuple[str, int]:
    """A text between backquotes, as it is but for what is worked out in it."""
    parts, i, said = ["`"], at + 1, ""
    while source[i] != "`":
        if source[i] == "\\":
            parts.append(source[i : i + 2])
            i += 2
        elif source.startswith("${", i):
            inner, i = _tight(source, i + 2, "}", fixed)
            parts += ["${", *inner, "}"]
            said += " "
        else:
            parts.append(source[i])
            said += source[i]
            i += 1
    fixed.update(_NAME.findall(said))
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


__all__ = ["SHORT", "at_the_top", "declared", "tight_script", "tight_style", "with_short_names"]
