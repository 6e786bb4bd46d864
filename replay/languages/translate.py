"""Say a phrase in the language of the reader.

The language is a context variable: each request, each follower and each command has its own. Phrases are whole
sentences, or whole predicates behind a name, with named places; a phrase without a translation is said in English.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

from replay.languages.catalogue import APART, ENGLISH, Language, catalogue, codes
from replay.languages.finished import FINISHED

_PLACE = re.compile(r"\\{(\w+)\\}")
_FIGURES = re.compile(r"([^,;]*?[^\W\d_])([ \d+−·–½:]*\d)")
"""A word with figures behind it: `hand 3`, `counted 37 · +1`."""
_JOINTS = (" · ", " = ", "; ", ": ", ", ", " + ", " − ", " ÷ ", " × ")
"""What stands between the terms of a sum or a list."""
_MORE_ITEMS = re.compile(r"(?!.* (?:and|or) ).*, .*")
"""No list of names, but a name with other items of a list behind it: `Ann, new cards`."""
_SOURCE = Language()
_SPOKEN: ContextVar[Language] = ContextVar("language", default=_SOURCE)


def t(text: str, /, **places: object) -> str:
    """A phrase in the language that is spoken, with its places filled.

    >>> t("{who} is next", who="Ann")
    'Ann is next'
    """
    said = _SPOKEN.get().phrases.get(text, text)
    return said.format_map(places) if places else said


def tn(one: str, many: str, n: int, /, **places: object) -> str:
    """A phrase with a number `n`, in the form that the language has for it.

    >>> tn("{n} table", "{n} tables", 1), tn("{n} table", "{n} tables", 2)
    ('1 table', '2 tables')
    """
    spoken = _SPOKEN.get()
    forms = spoken.plurals.get(one)
    said = forms[min(spoken.form(n), len(forms) - 1)] if forms else one if n == 1 else many
    return said.format_map({"n": n, **places})


def phrase(text: str) -> str:
    """Mark a phrase that is said elsewhere, so that the catalogues have it."""
    return text


def in_language(text: str, game: str = "") -> str:
    """A finished English text that the page of a game declares or makes, as players of that game say it.

    Such texts are part of the state, which is the same for all readers. One with places is recognised by them; a
    number behind a word stays, and of a sum or a list each term is said.
    """
    spoken = _SPOKEN.get()
    return _told(spoken.code, game, text) if text and spoken.phrases else text


@lru_cache(maxsize=4096)
def _told(code: str, game: str, text: str) -> str:
    phrases = (catalogue(code) or _SOURCE).phrases
    for key in (f"{game}{APART}{text}", text):
        if key in phrases:
            return phrases[key]
    for literal, whole, said in _templates(code):
        found = whole.fullmatch(text) if literal in text else None
        if found and not _MORE_ITEMS.fullmatch(found.groupdict().get("who", "")):
            return said.format_map({
                name: _listed(code, one) if name in ("who", "m") else _told(code, game, one)
                for name, one in found.groupdict().items()
            })  # fmt: skip
    behind = _FIGURES.fullmatch(text)
    if behind and (word := _told(code, game, behind[1])) != behind[1]:
        return f"{word}{behind[2]}"
    joint = next((sign for sign in _JOINTS if sign in text), "") if not text.endswith(".") else ""
    return joint.join(_told(code, game, term) for term in text.split(joint)) if joint else text


def _listed(code: str, names: str) -> str:
    """Names or numbers in a list."""
    for joint in ("{before} and {last}", "{before} or {last}"):
        before, joined, last = names.rpartition(joint[8:-6])
        if joined:
            return (catalogue(code) or _SOURCE).phrases.get(joint, joint).format(before=before, last=last)
    return names


def one_of_them(names: Iterable[str]) -> str:
    """Names joined by commas and "or"; empty if there are none.

    >>> one_of_them(["Ann", "Ben", "Cleo"]), one_of_them(["Ann"])
    ('Ann, Ben or Cleo', 'Ann')
    """
    *others, last = list(names) or [""]
    return t("{before} or {last}", before=", ".join(others), last=last) if others else last


def listed_words(words: Iterable[str]) -> str:
    """Join words with commas and "and".

    >>> listed_words(["a", "b", "c"]), listed_words(["a"]), listed_words([])
    ('a, b and c', 'a', '')
    """
    *others, last = list(words) or [""]
    return t("{before} and {last}", before=", ".join(others), last=last) if others else last


def _place(found: re.Match[str]) -> str:
    """A place as a pattern: `n` and `target` are figures, `m` is several of them, `signs` are cards in signs,
    `who` is in no sum, a `remark` is any text, and others are one item of a list."""
    what = {
        "n": r"[\d+−.½]+", "target": r"\d+", "m": r"[\d+−½–, ]+(?: (?:and|or) \d+)?", "remark": ".+",
        "who": "(?:(?! · |; |: | [=+−×÷] ).)+?",
        "signs": r"(?:\S*[♠♥♦♣]\S*|Joker)(?: (?:\S*[♠♥♦♣]\S*|Joker))*",
    }.get(found[1], "(?:(?! · |; ).)+?")
    return f"(?P<{found[1]}>{what})"


@lru_cache(maxsize=32)
def _templates(code: str) -> Sequence[tuple[str, re.Pattern[str], str]]:
    """The phrases with places that a finished text may be, the most exact first, each behind its longest words."""
    spoken = catalogue(code) or _SOURCE
    exact = {text: sum(map(len, re.split(r"\{\w+\}", text))) for text in FINISHED if "{" in text}
    return [
        (
            max(re.split(r"\{\w+\}", text), key=len), re.compile(_PLACE.sub(_place, re.escape(text))),
            said,
        )
        # What is behind a sentence in brackets is no part of its last place.
        for text in sorted(exact, key=lambda text: (text.endswith(")"), exact[text]), reverse=True)
        if (said := spoken.phrases.get(text) or spoken.plurals.get(text, ("",))[0])
    ]


def spoken_language() -> str:
    """The code of the language that is spoken."""
    return _SPOKEN.get().code


def script_spoken(script: str) -> str:
    """A script in the language that is spoken."""
    from replay.languages.scripts import script_in

    return script_in(_SPOKEN.get(), script)


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Speak a language until the `with` block ends; English if it has no catalogue."""
    before = _SPOKEN.set(catalogue(code) or _SOURCE)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def offered_languages() -> Mapping[str, str]:
    """The languages whose catalogue is whole, by code, with their own names; English is the first."""
    return _offered()


@lru_cache(maxsize=1)
def _offered() -> Mapping[str, str]:
    found = [one for one in map(catalogue, (ENGLISH, *codes())) if one is not None and one.whole]
    return {one.code: one.name for one in found}


@lru_cache(maxsize=256)
def language_for(*wanted: str) -> str:
    """The first language on offer among several wishes, each a code, a locale, or what a browser accepts.

    >>> language_for("", "de_AT.UTF-8;q=0"), language_for("tlh, en;q=0.5"), language_for("C")
    ('en', 'en', 'en')
    """
    for wish in wanted:
        ranked = []
        for place, part in enumerate(wish[:400].split(",")):
            name, _, more = part.strip().partition(";")
            _, _, weight = more.partition("q=")
            try:
                ranked.append((-float(weight or 1), place, name.replace("_", "-").partition("-")[0].lower()))
            except ValueError:
                continue
        for less, _, code in sorted(ranked):
            if less < 0 and (code == ENGLISH or is_offered(code)):
                return code
    return ENGLISH


def is_offered(code: str) -> bool:
    """True if this language has a whole catalogue; no other catalogue is read."""
    found = catalogue(code)
    return found is not None and found.whole
