"""The catalogues: a file `<code>.po` for each language, read as it stands, so that a checkout needs no build step."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from msgspec import Struct

FOLDER = os.path.dirname(__file__)
ENGLISH = "en"
"""The language of the sources, which needs no catalogue."""
APART = "\x04"
"""Between the game and the words, in the key of a phrase that one game says otherwise."""
_PLACE = re.compile(r"\{(\w*)\}")
_ESCAPED = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


class Message(Struct):
    """An entry of a catalogue: the game it is for (empty for all), the English text, its plural, and their
    translations; the notes above it."""

    game: str = ""
    text: str = ""
    plural: str = ""
    said: dict[int, str] = {}
    notes: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """What the phrase is looked up by."""
        return f"{self.game}{APART}{self.text}" if self.game else self.text

    @property
    def is_game_word(self) -> bool:
        """True if only games have it, as their pages declare it: a catalogue may leave it out."""
        return any(note.startswith("of ") for note in self.notes)

    @property
    def done(self) -> bool:
        """True if it is translated, with the places of the English text."""
        texts = [self.text, self.plural] if self.plural else [self.text]
        fuzzy = any("fuzzy" in note for note in self.notes)
        known = {frozenset(_PLACE.findall(text)) for text in texts}
        return not fuzzy and bool(self.said) and all(
            said and frozenset(_PLACE.findall(said)) in known for said in self.said.values()
        )


class Language(Struct, frozen=True):
    """A language: its code, its own name, the phrases it translates, and its rule of plurals in the notation of C."""

    code: str = ENGLISH
    name: str = "English"
    phrases: Mapping[str, str] = {}
    plurals: Mapping[str, tuple[str, ...]] = {}
    rule: str = "n != 1"
    whole: bool = True

    @property
    def form(self) -> Callable[[int], int]:
        """The index of the form for a number."""
        return _form(self.rule)


@cache
def _form(rule: str) -> Callable[[int], int]:
    # `gettext` reads the notation, and refuses what is none. It is not imported for a reader of English.
    from gettext import c2py

    form: Callable[[int], int] = c2py(rule)
    return form


@cache
def catalogue(code: str) -> Language | None:
    """The catalogue of a language; None if there is none. A phrase with other places than the English one is left out:
    the English one is shown.

    >>> catalogue("tlh") is None, catalogue("en").name
    (True, 'English')
    """
    if code == ENGLISH:
        return Language()
    if code not in codes():
        return None
    with open(os.path.join(FOLDER, f"{code}.po"), encoding="utf-8") as file:
        return catalogue_of(code, file.read())


@cache
def codes() -> tuple[str, ...]:
    """The languages that have a catalogue."""
    return tuple(sorted(name[:-3] for name in os.listdir(FOLDER) if name.endswith(".po")))


def catalogue_of(code: str, text: str) -> Language:
    """The catalogue in the text of a file."""
    head, *messages = messages_in(text)
    facts = dict(line.split(": ", 1) for line in head.said.get(0, "").splitlines() if ": " in line)
    rule = re.search(r"plural=(.+?);?$", facts.get("Plural-Forms", ""))
    done = [one for one in messages if one.done]
    return Language(
        code, facts.get("Language-Team", code), {one.key: one.said[0] for one in done if not one.plural},
        {one.key: tuple(one.said[i] for i in sorted(one.said)) for one in done if one.plural},
        rule[1] if rule else "n != 1", all(one.done or one.is_game_word for one in messages),
    )  # fmt: skip


def messages_in(text: str) -> Iterator[Message]:
    """The entries of a catalogue, its head first.

    >>> list(messages_in('#. of scopa\\nmsgid "a {card}"\\nmsgstr "una "\\n"{card}"\\n'))[0].said
    {0: 'una {card}'}
    """
    for block in re.split(r"\n\s*\n", text.strip()):
        one = Message()
        put = _filling(one, "text")
        for line in block.splitlines():
            word, _, rest = line.partition(" ")
            if line.startswith("#~"):
                break
            if line.startswith("#"):
                one.notes += (line[2:].strip(),)
            elif line.startswith('"'):
                put(_plain(line))
            elif word in ("msgctxt", "msgid", "msgid_plural"):
                put = _filling(one, {"msgctxt": "game", "msgid": "text", "msgid_plural": "plural"}[word])
                put(_plain(rest))
            elif found := re.match(r"msgstr(?:\[(\d+)\])?$", word):
                put = _translating(one, int(found[1] or 0))
                put(_plain(rest))
        if one.text or one.said:
            yield one


def _filling(one: Message, field: str) -> Callable[[str], None]:
    return lambda more: setattr(one, field, getattr(one, field) + more)


def _translating(one: Message, form: int) -> Callable[[str], None]:
    return lambda more: one.said.__setitem__(form, one.said.get(form, "") + more)


def _plain(quoted: str) -> str:
    return re.sub(r"\\(.)", lambda found: _ESCAPED.get(found[1], found[1]), quoted.strip()[1:-1])
