"""Translate finished texts from French cards into another pack.

Every text is made with French cards. Here its cards get the names and symbols of the pack on the table: `10♦`, `♠AK`,
a card in the notation, `hearts`, `the seven of diamonds`. Text written by people stays: names, places, comments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from functools import lru_cache
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import fields, force_setattr, replace

from events.cards import RANK_NAMES, RANKS, SEVERAL, SUIT_NAMES, SUITS
from events.entries import SHORT
from events.model import Open, Recorded
from events.packs import FRENCH, PACKS, PackTerm, TablePack
from events.tokens import card_readings
from replay.fold import Corrected
from replay.languages.catalogue import ENGLISH
from replay.languages.translate import speaking, spoken_language, t

T = TypeVar("T")

_SIGNS = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}
_CARD = r"(?:[A2-9TJQK?][cdhs?]|Jo[+-]?)"
_ITEM = rf"(?:(?:[1-9]\d{{0,2}}|\*)x)?{_CARD}(?:={_CARD})?"
_RANK_WORDS = {word: rank for rank in FRENCH.ranks for word in (FRENCH.ranks[rank].one, FRENCH.ranks[rank].many)}
_COURT = "|".join(word for word, rank in _RANK_WORDS.items() if rank in "AJQK")
_SUIT_WORDS = {word: suit for suit in FRENCH.suits for word in (FRENCH.suits[suit].one, FRENCH.suits[suit].many)}
_SUITS = "|".join(sorted(_SUIT_WORDS, key=len, reverse=True))
_ANY_RANK = "|".join(sorted(_RANK_WORDS, key=len, reverse=True))

# What must not surround cards in small letters, so that they are not part of a word, a name or a number.
_BEFORE, _AFTER = r"(?<![\w:#$~-])(?<!\w['’])", r"(?![\w:]|['’]\w)"

# The forms of cards in a text; the first match counts. `{…}` is a comment, or a place for one.
_PARTS = {
    "comment": r"\{(?:\\.|[^{}\\])*\}",
    "quoted": r"`[^`]+`",
    "phrase": rf"(?<![\w.=-])(?:{_ANY_RANK}) of (?:{_SUITS})(?!\w)",
    "card": r"(?:10|[A2-9TJQK?])[♣♦♥♠]",
    "hand": r"[♣♦♥♠](?:10|[A2-9TJQK])+(?![♣♦♥♠])",
    "level": r"(?<=\d)[♣♦♥♠]",
    "sign": r"[♣♦♥♠]",
    "written": rf"(?<![\w.:#$~])(?:{_ITEM})+(?![\w:])",
    "suits": r"(?<![\w.])c, d, h(?:,| or) s(?!\w)",
    "told": r"(?<=\w=)[cdhs](?![\w.:=])|(?<=\bname )[cdhs](?![\w.:=])|(?<=\bbid )[cdhs](?![\w.:=])",
    "letter": rf"(?<!\w)(?:[cdhs] \((?:{_SUITS})\)|[ajqk] \((?:{_COURT})\))",
    "typed": rf"{_BEFORE}[cdhs][cdhsx0-9A-Zatjqk-]*{_AFTER}|{_BEFORE}(?:10|[2-9atjqk])[cdhsx0-9atjqk-]*[cdhs]{_AFTER}",
    "name": rf"(?<![\w.=-])(?i:{_COURT}|{_SUITS})(?!\w|=|\.\w|-\w)",
    "alone": r"(?<![\w`])r (?=(?:alone )?asks )",
}
_PLAIN = "|".join(f"(?P<{name}>{part})" for name, part in _PARTS.items())
_TAKEN_FOR_WORDS = {"As", "Ah", "Ad"}
"""Cards that are also words, at the beginning of a sentence."""
_OF_A_SUIT = re.compile(r"(?=.*[JQK])(?:\[?(?:10|[2-9AKQJ])\]?(?: |$))+")
"""The cards of one suit in a table headed by its symbol: `K 9 [8] 4`."""
_EXAMPLE = re.compile(r"( +for example +)(.*)")
_GAP = re.compile(r"( {2,})")


class InPack:
    """Translates texts for a pack. `untouched` are texts written by people, `seats` those of the match."""

    def __init__(self, pack: TablePack, untouched: Iterable[str] = (), seats: Iterable[str] = ()) -> None:
        self._pack = pack
        self._seats = frozenset(seats)
        self._kept = ""
        theirs = {
            text for text in untouched if len(text) > 1 and self._said(text) != text
        } if pack is not FRENCH else set[str]()
        if theirs:
            kept = "|".join(re.escape(text) for text in sorted(theirs, key=len, reverse=True))
            self._kept = rf"(?P<theirs>(?<!\w)(?:{kept})(?!\w))|"

    @property
    def pack(self) -> TablePack:
        """The pack, with its names in the language that is spoken if it is at home there."""
        return pack_spoken(self._pack.name, spoken_language())

    @property
    def same(self) -> bool:
        """True if texts are unchanged."""
        return self._pack is FRENCH

    def in_words(self, card: str) -> str:
        """A card in full, as players say it and screen readers read it."""
        said = self.pack.in_words(card)
        return re.sub(r"\bde (?=[aeo])", "d’", said) if spoken_language() == "ca" else said

    def text(self, text: str) -> str:
        """Translate a text of one or more lines, keeping its columns if possible.

        >>> shown = InPack(PACKS["italian"], ["Jack of Clubs"])
        >>> shown.text("Jack of Clubs 10♦ takes J♠; hearts were led  (♠AK ♥7)")
        'Jack of Clubs 10d takes Fs; coppe were led   (sAR c7)'
        >>> shown.text("12  A capture Kh/6c4d {the king}, the seven of diamonds")
        '12  A capture Rc/6b4d {the king}, the sette di denari'
        """
        if self.same or not text:
            return text
        if "\n" in text:
            return "\n".join(self.text(line) for line in text.split("\n"))
        return self._in_columns(text)

    def word(self, text: str) -> str:
        """A word that can be typed, for this pack: a card or a suit alone; anything else stays.

        >>> [InPack(PACKS["italian"]).word(text) for text in ("Kh", "c", "deal", "col:A:1")]
        ['Rc', 'b', 'deal', 'col:A:1']
        """
        return self.pack.suits[text].typed[0] if text in FRENCH.suits else self.text(text)

    def _in_columns(self, line: str) -> str:
        """Translate a line. Text after at least two spaces stays in its column if there is room."""
        example = _EXAMPLE.fullmatch(line)
        if example is not None:
            return example[1] + self.line_typed(example[2])
        pieces = _GAP.split(line)
        out, due = "", 0
        for i, piece in enumerate(pieces):
            due += len(piece)
            if i % 2:
                out += " " * max(due - len(out), 2)
            else:
                out += self._said(piece)
        return out

    def _said(self, text: str) -> str:
        # Compiled on demand: the usual cards never need it, and it takes as long as reading a short record.
        words = words_spoken(self.pack.name, spoken_language())
        named = rf"(?P<spoken>(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w))|" if words else ""
        return re.sub(self._kept + named + _PLAIN, self._one, text)

    def _one(self, found: re.Match[str]) -> str:
        """Translate one part of a text."""
        kind, text = found.lastgroup or "", found[0]
        say: Mapping[str, Callable[[], str]] = {
            "spoken": lambda: words_spoken(self.pack.name, spoken_language())[text],
            "quoted": lambda: f"`{self.line_typed(text[1:-1])}`",
            "phrase": lambda: self._phrase(text),
            "card": lambda: self._signed(text) + (" " if found.string[found.end() : found.end() + 1].isdigit() else ""),
            "hand": lambda: self.pack.suits[_SIGNS[text[0]]].sign
            + "".join(map(self._rank, re.findall("10|.", text[1:]))),
            "level": lambda: self.pack.suits[_SIGNS[text]].sign,
            "doubled": lambda: "",
            "sign": lambda: self.pack.suits[_SIGNS[text]].many,
            "written": lambda: self._written(found),
            "suits": lambda: re.sub(r"(?<!\w)[cdhs](?!\w)", lambda s: self.pack.suits[s[0]].typed[0], text),
            "told": lambda: self.pack.suits[text].typed[0],
            "letter": lambda: self._explained(text),
            "typed": lambda: self.typed(text),
            "name": lambda: self._named(text),
            "alone": lambda: "result " if "r" in self.pack.rank_typed() else text,
        }
        return say[kind]() if kind in say else text

    def _rank(self, rank: str) -> str:
        rank = "T" if rank == "10" else rank
        return self.pack.ranks[rank].sign if rank in self.pack.ranks else rank

    def _signed(self, text: str) -> str:
        """A card with a French symbol: `10♦`."""
        return self._rank(text[:-1]) + self.pack.suits[_SIGNS[text[-1]]].sign

    def _phrase(self, text: str) -> str:
        """A card in full: `seven of diamonds`."""
        rank, _, suit = text.partition(" of ")
        return self.in_words(_RANK_WORDS[rank] + _SUIT_WORDS[suit])

    def _written(self, found: re.Match[str]) -> str:
        """Cards in the notation: `7hTd3x??`."""
        text = found[0]
        before = found.string[: found.start()].rstrip()
        if text in _TAKEN_FOR_WORDS and (
            not before or before[-1] in ".:;!?"
        ) and found.string[found.end() : found.end() + 2].lstrip(" ").islower():
            return text
        return re.sub(_ITEM, lambda item: self._item(item[0]), text)

    def _item(self, text: str) -> str:
        if text[0] in self._seats and text[1:] == "?":
            return text  # a question about a player
        count, x, card = text.rpartition("x")
        return count + x + self.pack.sign(card)

    def _named(self, text: str) -> str:
        """A rank or suit by name, singular or plural as in the text."""
        low = text.lower()
        letter = _RANK_WORDS.get(low) or _SUIT_WORDS[low]
        french = FRENCH.suits[letter] if letter in SUITS else FRENCH.ranks[letter]
        own: PackTerm = self.pack.suits[letter] if letter in SUITS else self.pack.ranks[letter]
        said = own.one if low == french.one else own.many
        return said[:1].upper() + said[1:] if text[0].isupper() else said

    def _explained(self, text: str) -> str:
        """A letter with its explanation: `d (diamonds)`."""
        letter, word = text[0], text[3:-1]
        own = self.pack.suits[letter] if letter in SUITS else self.pack.ranks[letter.upper()]
        return f"{own.typed[0]} ({self._named(word)})"

    def line_typed(self, line: str) -> str:
        """Translate a typed line from French letters into those of the pack.

        >>> [
        ...     InPack(PACKS["spanish"]).line_typed(line)
        ...     for line in ("as", "k", "d k", "s 7h8h", "deal A=ahkd", "E 7h.", "mkcdh")
        ... ]
        ['ae', 'r', 'd r', 'sh 7c8c', 'deal A=acro', 'E 7c.', 'mrboc']
        """
        words = []
        *before, _ = line.split(" ")
        for i, word in enumerate(line.split(" ")):
            if word in SHORT and i < len(before):  # a verb, as words follow
                words.append("sh" if word == "s" and word in self.pack.rank_typed() else word)
            else:
                words.append(re.sub(r"[^.<>=/mM]+|m(?=[mM])", self._cards_typed, word))
        return " ".join(words)

    def _cards_typed(self, found: re.Match[str]) -> str:
        """Translate cards in small letters, or a suit alone; anything else stays."""
        text = found[0]
        if text != text.lower():
            return self._said(text)
        if not (text in SUITS or card_readings(text)):
            return text
        return "".join(self._letter(part) for part in re.findall("10|.", text))

    def typed(self, text: str) -> str:
        """Translate typed cards from French letters: `c7ka9`. Anything else stays.

        >>> InPack(PACKS["spanish"]).typed("d7ka"), [InPack(PACKS["italian"]).typed(text) for text in ("4-7c", "cash")]
        ('o7ra', ['4-7b', 'cash'])
        """
        like_a_card = re.fullmatch(r"[cdhs][jqkATJQK]|[jqk][cdhs]", text) or any(c.isdigit() for c in text)
        if not like_a_card or not set(text.lower()) & set(SUITS) or not card_readings(text):
            return text
        return "".join(self._letter(part) for part in re.findall("10|.", text.lower()))

    def _letter(self, part: str) -> str:
        if part in SUITS:
            return self.pack.suits[part].typed[0]
        rank = "T" if part == "10" else part.upper()
        return self.pack.ranks[rank].typed[0] if rank in RANKS and part not in "x-" else part

    def data(self, value: T) -> T:
        """Translate all texts of a sheet, a report, a score or a pad. Its cards must be texts, not notation. The fields
        that a class names in `TYPED` stay."""
        return value if self.same else self._data(value)

    def _data(self, value: Any) -> Any:
        if isinstance(value, str):
            return re.sub(
                "10|[2-9AKQJ]", lambda rank: self._rank(rank[0]), value,
            ) if _OF_A_SUIT.fullmatch(value) else self.text(value)
        if isinstance(value, tuple | list):
            return type(value)(map(self._data, value))
        if isinstance(value, dict):
            return {key: self._data(one) for key, one in value.items()}
        if isinstance(value, Struct):
            new = copy(value)
            stay = getattr(value, "TYPED", ())
            for field in fields(value):
                if field.name in stay:
                    continue
                force_setattr(new, field.name, self._data(getattr(value, field.name)))
            return new
        return value


@lru_cache(maxsize=64)
def words_spoken(name: str, language: str) -> Mapping[str, str]:
    """The suits and court cards of the French pack in a language, each with the word for it in another pack; none in
    English, whose words the texts are made with.

    >>> words_spoken("german", "de")["Pik"], words_spoken("italian", "it")["donna"]
    ('Laub', 'cavallo')
    """
    words, pack = dict[str, str](), pack_spoken(name, language)
    with speaking(language):
        for terms, names in ((pack.suits, SUIT_NAMES), (pack.ranks, RANK_NAMES)):
            for sign in names if language != ENGLISH else "":
                if sign in "cdhsJQKA":
                    many = SUIT_NAMES.get(sign) or SEVERAL[sign]
                    words |= {t(many.removesuffix("s")): terms[sign].one, t(many): terms[sign].many}
    return dict(sorted(words.items(), key=lambda word: -len(word[0])))


@lru_cache(maxsize=64)
def pack_spoken(name: str, language: str) -> TablePack:
    """A pack with the names of a language in which it is at home: the Spanish one in Catalan and Portuguese too.

    >>> pack_spoken("spanish", "ca").suits["s"].many, pack_spoken("spanish", "de").suits["s"].many
    ('espases', 'espadas')
    """
    pack = PACKS[name]
    if name != "spanish" or language not in ("ca", "pt"):
        return pack
    with speaking(language):
        # Figures have no word of a pack's own.
        return replace(
            pack, suits={suit: replace(term, one=t(term.one), many=t(term.many)) for suit, term in pack.suits.items()},
            ranks={
                rank: replace(
                    term, one=t(term.one if rank in "AJQK" else RANK_NAMES[rank]),
                    many=t(term.many if rank in "AJQK" else SEVERAL[rank]),
                )
                for rank, term in pack.ranks.items()
            },
        )  # fmt: skip


def pack_of(view: Corrected) -> TablePack:
    """The pack in the latest terms of a match that name one; the French one by default."""
    named = [e.facts.get("Pack") for e in (view.opening, *(p.event for p in view.events)) if isinstance(e, Open)]
    return next((PACKS[name] for name in reversed(named) if isinstance(name, str) and name in PACKS), FRENCH)


def in_pack(view: Corrected, records: Iterable[Recorded], pack: TablePack | None = None) -> InPack:
    """The translator for texts about a match, with this pack or the one on its table."""
    pack = pack or pack_of(view)
    if pack is FRENCH:
        return InPack(pack)
    return InPack(
        pack, (*_texts(view.opening.facts), *(r.text for r in records if r.text)),
        str(view.opening.facts.get("Seats", "")).split(),
    )


def _texts(facts: Mapping[str, Any]) -> Iterable[str]:
    """The names and places of a tag block."""
    for value in facts.values():
        if isinstance(value, Mapping):
            yield from _texts(value)
        elif isinstance(value, str):
            yield value
