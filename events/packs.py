"""National packs: the names of their cards, how each is typed, and the French card it is stored as.

A record knows only the French pack: `c d h s`, ranks A to K. Scopa is played with coins and cups, Skat with acorns
and leaves. The tag `Pack` of a match names the pack, and affects only what is typed and shown: coins are stored as
diamonds, cups as hearts, swords as spades, batons as clubs.

In each pack a letter means one rank or one suit and nothing else. The sign of a card (`7d`, `Fc`) is also what one
types for it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache

from msgspec import Struct

from events.cards import GLYPHS, RANKS, SUITS, pretty
from events.errors import UsageError
from events.tokens import IN_SEQUENCE, SUIT_GLYPHS, card_readings

Ranks = Collection[str]
"""The ranks used in a game, as the French letters of the record."""


class PackTerm(Struct, frozen=True):
    """A rank or suit of a pack: singular, plural, sign, and the letters, figures and words that may be typed for it."""

    one: str
    many: str
    sign: str
    typed: tuple[str, ...]
    words: tuple[str, ...] = ()


class TablePack(Struct, frozen=True):
    """A national pack. `ranks` and `suits` are keyed by the letters of the record.

    `phrase` formats a rank and a suit as one name. `counted` are court cards that players also call by a figure; it
    applies only if the game has none of the ranks in `unless`, which have these figures themselves.
    """

    name: str
    ranks: Mapping[str, PackTerm]
    suits: Mapping[str, PackTerm]
    phrase: str
    counted: Mapping[str, str] = {}
    unless: str = ""

    # -- shown --------------------------------------------------------------------------------------------------------

    def sign(self, card: str) -> str:
        """A card in short, as it can be typed: `Td`, `?h`, `Jo=7h`.

        >>> [PACKS["italian"].sign(card) for card in ("7d", "Jh", "?s", "K?", "??", "Jo=7c")]
        ['7d', 'Fc', '?s', 'R?', '??', 'Jo=7b']
        """
        face, equals, stands_for = card.partition("=")
        if equals:
            return f"{self.sign(face)}={self.sign(stands_for)}"
        if face[:2] == "Jo" or len(face) != 2:
            return face
        return self._sign(self.ranks, face[0]) + self._sign(self.suits, face[1])

    @staticmethod
    def _sign(table: Mapping[str, PackTerm], letter: str) -> str:
        return table[letter].sign if letter in table else letter

    def in_words(self, card: str) -> str:
        """A card in full, as players say it and screen readers read it.

        >>> [PACKS[name].in_words("Qc") for name in PACKS]
        ['queen of clubs', 'Eichel-Ober', 'cavallo di bastoni', 'caballo de bastos']
        """
        if len(card) != 2 or card[0] not in self.ranks or card[1] not in self.suits:
            return pretty(card)
        return self.phrase.format(rank=self.ranks[card[0]].one, suit=self.suits[card[1]].many)

    # -- typed --------------------------------------------------------------------------------------------------------

    def rank_typed(self, ranks: Ranks = RANKS) -> dict[str, str]:
        """What may be typed for a rank in a game with these `ranks`, mapped to the letter of the record.

        >>> PACKS["italian"].rank_typed("A234567JQK")["10"], PACKS["italian"].rank_typed()["10"]
        ('K', 'T')
        """
        found = {typed: rank for rank, called in self.ranks.items() for typed in called.typed}
        if not set(self.unless) & set(ranks):
            found |= self.counted
        return found

    def suit_typed(self) -> dict[str, str]:
        """What may be typed for a suit, mapped to the letter of the record."""
        return {typed: suit for suit, called in self.suits.items() for typed in called.typed}

    def named(self, word: str, ranks: Ranks = RANKS) -> str:
        """The card, rank or suit that a word names in full, in the letters of the record; empty if it names none.

        >>> spanish = PACKS["spanish"]
        >>> list(map(spanish.named, ("sota", "oros", "7oros", "Rey-de-Copas", "o7")))
        ['J', 'd', '7d', 'Kh', '']
        >>> PACKS["german"].named("Eichel-König"), PACKS["german"].named("gruen")
        ('Kc', 's')
        """
        word = small_plain(word)
        in_ranks, in_suits = _words(self.ranks), _words(self.suits)
        if word in in_ranks or word in in_suits:
            return in_ranks.get(word) or in_suits[word]
        short = self.rank_typed(ranks)
        for first, last in _parted(word):
            for rank, suit in ((first, last), (last, first)):
                if suit in in_suits and (rank in in_ranks or rank in short):
                    return (in_ranks.get(rank) or short[rank]) + in_suits[suit]
        return ""

    def in_french(self, word: str, ranks: Ranks = RANKS) -> str | None:
        """A run of cards typed with this pack, respelled for the French pack; None if the word is not such a run.

        >>> PACKS["spanish"].in_french("o7sr", "A234567JQK"), PACKS["spanish"].in_french("12c11", "A234567JQK")
        ('d7jk', 'khq')
        >>> PACKS["italian"].in_french("b6-f", "A234567JQK"), PACKS["italian"].in_french("7h")
        ('c67j', None)
        """
        return _in_french(self.name, word, frozenset(ranks))


def small_plain(word: str) -> str:
    """A word in lower case without accents.

    >>> small_plain("König"), small_plain("GRÜN")
    ('konig', 'grun')
    """
    return "".join(c for c in unicodedata.normalize("NFD", word.lower()) if not unicodedata.combining(c))


@lru_cache(maxsize=64)
def _words_of(called: tuple[tuple[str, PackTerm], ...]) -> dict[str, str]:
    """Words to letters. Suits may be named in the plural as well, ranks only in the singular."""
    return {
        small_plain(w): letter for letter, c in called
        for w in (c.one, *c.words, *([c.many] if letter in SUITS else []))
    }


def _words(table: Mapping[str, PackTerm]) -> dict[str, str]:
    """The words for the ranks, or the suits, of a pack."""
    return _words_of(tuple(table.items()))


_JOINTS = ("", "-", "de", "di", "-de-", "-di-")


def _parted(word: str) -> Iterator[tuple[str, str]]:
    """Yield every split of a word in two parts, without a joint such as `-` or `de` between them."""
    for at in range(1, len(word)):
        for joint in _JOINTS:
            if word.startswith(joint, at):
                yield word[:at], word[at + len(joint) :]


# -- a run of cards ---------------------------------------------------------------------------------------------------

_COUNT = re.compile(r"(?:[1-9][0-9]{0,2}|\*)x")
_ALIKE = re.compile(r"jo[+-]?|[x?/=-]")


@lru_cache(maxsize=4096)
def _in_french(name: str, word: str, ranks: frozenset[str]) -> str | None:
    small = word.translate(SUIT_GLYPHS).lower() if len(word) <= 4000 else ""
    if word == "*" or not small:
        return word or None
    parts = _letters(PACKS[name], small, word, ranks)
    if parts is None:
        return None
    spelled = "".join(_through(parts, ranks))
    return spelled if all(card_readings(run) for run in spelled.split("/") if run) and set(spelled) != {"/"} else None


def _letters(pack: TablePack, small: str, word: str, ranks: frozenset[str]) -> list[str] | None:
    """A run respelled letter by letter for the French pack; None if this pack lacks one of its letters."""
    by_rank, by_suit = pack.rank_typed(ranks), pack.suit_typed()
    drawn = {i for i, sign in enumerate(word) if sign in "♣♦♥♠♧♢♡♤"} if len(word) == len(small) else set[int]()
    out: list[str] = []
    i = 0
    while i < len(small):
        counted = _COUNT.match(small, i) if i == 0 or small[i - 1] == "/" else None
        alike = counted or _ALIKE.match(small, i)
        rank = next((small[i:j] for j in (i + 2, i + 1) if small[i:j] in by_rank), "")
        if alike:
            out.append(alike[0])
            i = alike.end()
        elif i in drawn:
            out.append(small[i])
            i += 1
        elif rank:
            out.append(by_rank[rank].lower())
            i += len(rank)
        elif small[i] in by_suit:
            out.append(by_suit[small[i]])
            i += 1
        else:
            return None
    return out


def _through(parts: list[str], ranks: frozenset[str]) -> list[str]:
    """A run with each range, such as `6-j`, written out if the game lacks ranks within it."""
    out, i = list[str](), 0
    while i < len(parts):
        low, high = (
            parts[i].upper(), parts[i + 2].upper() if parts[i + 1 : i + 2] == ["-"] and i + 2 < len(parts) else ""
        )
        between = _between(low, high) if high else ""
        if not between or set(between) <= ranks:
            out.append(parts[i])
            i += 1
            continue
        suit = parts[i + 3] if i + 3 < len(parts) and parts[0] not in SUITS else ""
        out += [rank.lower() + suit for rank in between if rank in ranks]
        i += 3 + len(suit)
    return out


def _between(low: str, high: str) -> str:
    """The ranks from one to another, both included; empty if they are not in sequence."""
    if len(low) != 1 or len(high) != 1 or low not in RANKS or high not in RANKS:
        return ""
    return IN_SEQUENCE[IN_SEQUENCE.index(low) : IN_SEQUENCE.rindex(high) + 1]


# -- the packs --------------------------------------------------------------------------------------------------------


def _figures(words: str) -> dict[str, PackTerm]:
    """The ranks two to ten, with these names."""
    signs = {"T": "10"}
    return {
        rank: PackTerm(word, word, signs.get(rank, rank), (signs.get(rank, rank),))
        for rank, word in zip("23456789T", words.split(), strict=True)
    }


PACKS: Mapping[str, TablePack] = {
    "french": TablePack(
        "french",
        {
            "A": PackTerm("ace", "aces", "A", ("a",)),
            **_figures("two three four five six seven eight nine ten"),
            "J": PackTerm("jack", "jacks", "J", ("j",)),
            "Q": PackTerm("queen", "queens", "Q", ("q",)),
            "K": PackTerm("king", "kings", "K", ("k",)),
        },
        {
            "c": PackTerm("club", "clubs", GLYPHS["c"], ("c",)),
            "d": PackTerm("diamond", "diamonds", GLYPHS["d"], ("d",)),
            "h": PackTerm("heart", "hearts", GLYPHS["h"], ("h",)),
            "s": PackTerm("spade", "spades", GLYPHS["s"], ("s",)),
        },
        "{rank} of {suit}",
    ),
    "german": TablePack(
        "german",
        {
            "A": PackTerm("Ass", "Asse", "A", ("a",), ("Daus",)),
            **_figures("Zwei Drei Vier Fünf Sechs Sieben Acht Neun Zehn"),
            "J": PackTerm("Unter", "Unter", "U", ("u",)),
            "Q": PackTerm("Ober", "Ober", "O", ("o",)),
            "K": PackTerm("König", "Könige", "K", ("k",), ("Koenig",)),
        },
        {
            "c": PackTerm("Eichel", "Eichel", "e", ("e",)),
            "d": PackTerm("Schelle", "Schellen", "s", ("s",)),
            "h": PackTerm("Herz", "Herz", "h", ("h",)),
            "s": PackTerm("Laub", "Laub", "l", ("l", "g"), ("Grün", "Gruen")),
        },
        "{suit}-{rank}",
    ),
    "italian": TablePack(
        "italian",
        {
            "A": PackTerm("asso", "assi", "A", ("a", "1")),
            **_figures("due tre quattro cinque sei sette otto nove dieci"),
            "J": PackTerm("fante", "fanti", "F", ("f",)),
            "Q": PackTerm("cavallo", "cavalli", "V", ("v",)),
            "K": PackTerm("re", "re", "R", ("r",)),
        },
        {
            "c": PackTerm("bastone", "bastoni", "b", ("b",)),
            "d": PackTerm("denaro", "denari", "d", ("d",), ("ori",)),
            "h": PackTerm("coppa", "coppe", "c", ("c",)),
            "s": PackTerm("spada", "spade", "s", ("s",)),
        },
        "{rank} di {suit}",
        counted={"8": "J", "9": "Q", "10": "K"},
        unless="89T",
    ),
    "spanish": TablePack(
        "spanish",
        {
            "A": PackTerm("as", "ases", "A", ("a", "1")),
            **_figures("dos tres cuatro cinco seis siete ocho nueve diez"),
            "J": PackTerm("sota", "sotas", "S", ("s",)),
            "Q": PackTerm("caballo", "caballos", "V", ("v",)),
            "K": PackTerm("rey", "reyes", "R", ("r",)),
        },
        {
            "c": PackTerm("basto", "bastos", "b", ("b",)),
            "d": PackTerm("oro", "oros", "o", ("o",)),
            "h": PackTerm("copa", "copas", "c", ("c",)),
            "s": PackTerm("espada", "espadas", "e", ("e",)),
        },
        "{rank} de {suit}",
        counted={"10": "J", "11": "Q", "12": "K"},
        unless="T",
    ),
}
"""The packs by the names that the tag `Pack` takes."""

FRENCH = PACKS["french"]


def pack_named(name: str) -> TablePack:
    """The pack with this name, in either case. Raises UsageError for an unknown name.

    >>> pack_named("Spanish").name
    'spanish'
    """
    found = PACKS.get(name.lower())
    if found is None:
        raise UsageError(f"there is no pack '{name}'", expected=f"one of {', '.join(PACKS)}")
    return found


__all__ = ["FRENCH", "PACKS", "PackTerm", "TablePack", "pack_named"]
