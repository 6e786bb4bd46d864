"""Cards, packs and rankings.

A card is written with two characters, rank then suit (`Td` is the ten of diamonds). A joker is `Jo`, or `Jo+` and
`Jo-` if two jokers differ. `?` stands for an unknown part: `7?`, `?h`, `??`.

A **bag** is a multiset of cards whose order does not matter: one integer with a small counter for each face of the
pack, so that a doubled pack costs no more than a single one. With one copy of each face the counter is one bit wide
and the bag is a bit mask. Only the pack that made a bag can read it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

RANKS = "A23456789TJQK"
SUITS = "cdhs"
JOKERS = ("Jo", "Jo+", "Jo-")
UNKNOWN = "??"
UNCOUNTED = "*x??"
# The largest count that can be written.
MOST = 999
CARDS: tuple[str, ...] = tuple(r + s for s in SUITS for r in RANKS)
HALF_KNOWN: tuple[str, ...] = tuple(r + "?" for r in RANKS) + tuple("?" + s for s in SUITS)
SUIT_NAMES: Mapping[str, str] = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
GLYPHS: Mapping[str, str] = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
RED = "dh"
RANK_NAMES: Mapping[str, str] = dict(
    zip(
        RANKS, ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"],
        strict=True,
    )
)
SEVERAL: Mapping[str, str] = {
    rank: f"{name}{'es' if name == 'six' else 's'}" for rank, name in (*RANK_NAMES.items(), ("10", "ten"))
}
"""The plural name of a rank, by its letter (`10` works too)."""

_FACES = frozenset(CARDS) | frozenset(JOKERS)
_TOKENS = _FACES | frozenset(HALF_KNOWN) | {UNKNOWN}


def is_face(token: str) -> bool:
    """True if the token names one face: `Td`, `Jo+`."""
    return token in _FACES


def is_card(token: str) -> bool:
    """True if the token is a card (known, half known or unseen) without count or `=`.

    >>> [is_card(t) for t in ("Td", "?h", "7?", "??", "Jo-", "1h", "10h")]
    [True, True, True, True, True, False, False]
    """
    return token in _TOKENS


def rank_of(card: str) -> str:
    """The rank letter, `?` if unknown, `Jo` for a joker."""
    return "Jo" if card[:2] == "Jo" else card[0]


def suit_of(card: str) -> str:
    """The suit letter, `?` if unknown, empty for a joker."""
    return "" if card[:2] == "Jo" else card[1]


def same_colour(suit: str) -> str:
    """The other suit of the same colour.

    >>> same_colour("h"), same_colour("c")
    ('d', 's')
    """
    return {"c": "s", "s": "c", "d": "h", "h": "d"}[suit]


@lru_cache(maxsize=1 << 10)
def pretty(card: str) -> str:
    """The card as a person writes it.

    >>> pretty("Td"), pretty("Jo"), pretty("??"), pretty("Jo=7h"), pretty("3x??")
    ('10♦', 'Joker', '??', 'Joker (as 7♥)', '3x ??')
    >>> pretty("3h=T?"), pretty("3h=8?"), pretty("Jo=?h"), pretty("2c=??")
    ('3♥ (as a 10)', '3♥ (as an 8)', 'Joker (as a ♥)', '2♣ (wild)')
    """
    count, x, face = card.rpartition("x")
    if x:
        return f"{count}x {pretty(face)}"
    face, equals, stands_for = card.partition("=")
    if stands_for == UNKNOWN:
        return f"{pretty(face)} (wild)"
    if equals:
        # For a card in a set the rank alone may be known.
        article = "" if "?" not in stands_for else "an " if stands_for[0] in "8A" else "a "
        return f"{pretty(face)} (as {article}{pretty(stands_for).replace('?', '')})"
    if face[:2] == "Jo":
        return "Joker" + face[2:]
    if face in (UNKNOWN, "*"):
        return face
    rank = "10" if face[0] == "T" else face[0]
    return rank + GLYPHS.get(face[1], face[1])


def pretty_all(cards: Iterable[str]) -> str:
    """Several cards as a person writes them, in the given order."""
    return " ".join(map(pretty, cards))


class Item:
    """One parsed item of a card list: its count (None if uncounted), its card, and the card it stands for if any."""

    __slots__ = ("card", "count", "stands_for")

    def __init__(self, count: int | None, card: str, stands_for: str = "") -> None:
        self.count, self.card, self.stands_for = count, card, stands_for


@lru_cache(maxsize=4096)
def item(text: str) -> Item:
    """Parse one item of a card list: `7h`, `4x??`, `*x??`, `Jo=7h`. `*` (a whole pile) has neither count nor faces.

    Raises ValueError with a sentence if the text is not an item.

    >>> i = item("4x??"); (i.count, i.card)
    (4, '??')
    >>> i = item("Jo=7h"); (i.count, i.card, i.stands_for)
    (1, 'Jo', '7h')
    """
    if text == "*":
        return Item(None, UNKNOWN)
    count: int | None = 1
    rest = text
    head, x, tail = text.partition("x")
    if x:
        rest = tail
        if head == "*":
            count = None
        elif head.isascii() and head.isdigit() and not head.startswith("0") and len(head) <= 3 and int(head) >= 2:
            count = int(head)
        else:
            raise ValueError(f"'{text}' does not begin with a count from 2 to 999 or with *")
    card, equals, stands_for = rest.partition("=")
    if card not in _TOKENS:
        raise ValueError(f"'{card}' is not a card")
    if equals and stands_for not in _TOKENS:
        raise ValueError(f"'{stands_for}' is not a card")
    if x and (card in _FACES or equals):
        raise ValueError(f"'{text}' counts a card that is known; write it out")
    return Item(count, card, stands_for)


def check_cards(cards: tuple[str, ...]) -> None:
    """Raise ValueError unless the list is `*` alone, or items with equal neighbouring unknowns counted together."""
    if cards == ("*",):
        return
    if not cards:
        raise ValueError("a list of cards must name at least one card")
    last = ""
    for text in cards:
        if text == "*":
            raise ValueError("'*' means the whole pile and must stand alone")
        it = item(text)
        if it.card not in _FACES and not it.stands_for:
            if it.card == last:
                raise ValueError(f"neighbouring {it.card} must be written with one count")
            last = it.card
        else:
            last = ""


def squeeze(cards: Iterable[str]) -> tuple[str, ...]:
    """Bring a card list into its one written form: equal neighbouring unknowns become one item, at most `MOST`.

    >>> squeeze(["7h", "??", "2x??", "?h"])
    ('7h', '3x??', '?h')
    """
    out: list[str] = []
    run: list[int | None] = []
    last = ""

    def flush() -> None:
        if run:
            total = None if None in run else min(MOST, sum(n for n in run if n is not None))
            out.append(last if total == 1 else f"{'*' if total is None else total}x{last}")
            run.clear()

    for text in cards:
        if text == "*":
            flush()
            out.append(text)
            continue
        it = item(text)
        if it.card in _FACES or it.stands_for:
            flush()
            last = ""
            out.append(text)
            continue
        if it.card != last:
            flush()
            last = it.card
        run.append(it.count)
    flush()
    return tuple(out)


def how_many(cards: Sequence[str]) -> int | None:
    """The number of cards in a written list; None if it has uncounted cards.

    >>> how_many(["7h", "3x??"]), how_many(["*x??"]), how_many(["*"])
    (4, None, None)
    """
    if len(cards) == 1 and len(cards[0]) == 2:
        return 1
    if "x" not in (run := "".join(cards)) and "*" not in run:
        return len(cards)
    total = 0
    for text in cards:
        if text == "*":
            return None
        count = item(text).count if "x" in text else 1
        if count is None:
            return None
        total += count
    return total


def one_by_one(cards: Iterable[str]) -> list[str]:
    """A written list with each count expanded; an uncounted item gives one card.

    >>> one_by_one(["7h", "2x??", "*x??"])
    ['7h', '??', '??', '??']
    """
    cards = list(cards)
    if "x" not in "".join(cards):
        return cards
    return [
        text for card in cards for text in [card.rpartition("x")[2]] * (item(card).count or 1 if "x" in card else 1)
    ]


class Pack:
    """All cards of a game: its faces, the copies of each, and the arithmetic of bags.

    A card's **code** is its index in `faces`. Codes of cards not fully known follow the faces, so that one small
    integer stands for any token. `code["??"]` is `unknown`; every code below it is a face. The last code, `many`, is
    `*x??`: an uncounted number of unseen cards, at least one.
    """

    def __init__(self, copies: Mapping[str, int]) -> None:
        self.faces: tuple[str, ...] = tuple(copies)
        self.copies: tuple[int, ...] = tuple(copies.values())
        self.size = sum(self.copies)
        self.width = max(self.copies, default=1).bit_length()
        # There is one copy of every face, so a card's name is its identity.
        self.single = self.width == 1
        self.unknown = len(self.faces)
        self.tokens: tuple[str, ...] = (*self.faces, UNKNOWN, *HALF_KNOWN, UNCOUNTED)
        self.many = len(self.tokens) - 1
        self.unit_of: dict[str, int] = {}
        self.code: dict[str, int] = {t: i for i, t in enumerate(self.tokens)}
        w, mask1 = self.width, (1 << self.width) - 1
        self.unit: tuple[int, ...] = tuple(1 << (w * i) for i in range(len(self.faces)))
        self.unit_of.update(zip(self.faces, self.unit, strict=True))
        self.field: tuple[int, ...] = tuple(mask1 << (w * i) for i in range(len(self.faces)))
        self.full = sum(u * n for u, n in zip(self.unit, self.copies, strict=True))
        self.everything = sum(self.field)
        # For each counter bit but the lowest: its weight minus one, and the mask of that bit in all counters.
        self._digits: tuple[tuple[int, int], ...] = tuple(
            ((1 << i) - 1, sum(u << i for u in self.unit)) for i in range(1, w)
        )
        self._units = sum(self.unit)
        # Mask of the faces that each code may be: one face for a known card, several for one half known.
        self.may_be: tuple[int, ...] = tuple(self._possible(t) for t in self.tokens)
        self.suit: dict[str, int] = {s: self.may_be[self.code["?" + s]] for s in SUITS}
        self.rank: dict[str, int] = {r: self.may_be[self.code[r + "?"]] for r in RANKS}
        self.rank["Jo"] = self.joker = self.mask_of(lambda c: c[:2] == "Jo")
        self.suit_of: tuple[str, ...] = tuple("?" if t == UNCOUNTED else suit_of(t) for t in self.tokens)
        self.suit_named: dict[str, str] = dict(zip(self.tokens, self.suit_of, strict=True))
        self.rank_of: tuple[str, ...] = tuple("?" if t == UNCOUNTED else rank_of(t) for t in self.tokens)

    def _possible(self, token: str) -> int:
        if token in _FACES:
            return self.field[self.code[token]]
        if token in (UNKNOWN, UNCOUNTED):
            return self.everything
        at = 0 if token[1] == "?" else 1
        return self.mask_of(lambda c: c[:2] != "Jo" and c[at] == token[at])

    def may_be_same(self, code: int, other: int) -> bool:
        """True if these two codes, perhaps half known, may be one card; False if one is negative, as there is none."""
        return min(code, other) >= 0 and (code == other or bool(self.may_be[code] & self.may_be[other]))

    def may_be_these(self, codes: Sequence[int], others: Sequence[int]) -> bool:
        """True if these may be the same cards in the same order."""
        return codes == others or (len(codes) == len(others) and all(map(self.may_be_same, codes, others)))

    def mask_of(self, wanted: object) -> int:
        """The mask (all counter bits set) of the listed faces, or of those that the predicate `wanted` accepts."""
        if callable(wanted):
            return sum(f for c, f in zip(self.faces, self.field, strict=True) if wanted(c))
        if isinstance(wanted, Iterable):
            return sum(self.field[self.code[c]] for c in wanted)
        raise TypeError("a function or the faces themselves")

    def bag(self, cards: Iterable[str]) -> int:
        """The bag of these faces, with repetitions. Raises KeyError for a card that is not in the pack."""
        return sum(self.unit[self.code[c]] for c in cards)

    def cards(self, bag: int) -> list[str]:
        """The faces in a bag, copies repeated, in the order of the pack.

        >>> p = pack("A K", copies=2); p.cards(p.bag(["Ah", "Kc", "Ah"]))
        ['Kc', 'Ah', 'Ah']
        """
        return [self.faces[code] for code in self.codes(bag)]

    def shown(self, code: int) -> str:
        """A card as people read it, by its code.

        >>> p = pack("A K"); p.shown(p.code["Ah"]), p.shown(p.unknown)
        ('A♥', '??')
        """
        return pretty(self.tokens[code])

    def count(self, bag: int) -> int:
        """The number of cards in a bag."""
        if self.width == 1:
            return bag.bit_count()
        # popcount gives each set bit weight 1; add the rest of its weight.
        total = bag.bit_count()
        for more, bits in self._digits:
            total += more * (bag & bits).bit_count()
        return total

    def contains(self, bag: int, part: int) -> bool:
        """True if a bag has all cards of `part`, copies counted.

        >>> p = pack("A K", copies=2); two = p.bag(["Ah", "Ah", "Kc"])
        >>> p.contains(two, p.bag(["Ah", "Kc"])), p.contains(two, p.bag(["Kc", "Kc"])), p.contains(two, p.bag(["Ks"]))
        (True, False, False)
        """
        left = bag - part
        # True if no counter borrowed from the next one.
        return left >= 0 and not (bag ^ part ^ left) & self._units

    def codes(self, bag: int) -> Iterator[int]:
        """The codes of the cards in a bag, copies repeated."""
        w, low = self.width, (1 << self.width) - 1
        while bag and w == 1:
            lowest = bag & -bag
            yield lowest.bit_length() - 1
            bag ^= lowest
        while bag:
            # Skip to the lowest counter that is not zero.
            i = ((bag & -bag).bit_length() - 1) // w
            n = bag >> i * w & low
            bag ^= n << i * w
            yield i
            for _ in range(n - 1):
                yield i

    def __contains__(self, card: object) -> bool:
        return card in self.code and card in _FACES

    def __repr__(self) -> str:
        return f"<pack of {self.size}: {' '.join(self.faces)}>"

    def __deepcopy__(self, memo: object) -> Pack:
        return self


def pack(
    ranks: str = "A 2 3 4 5 6 7 8 9 T J Q K",
    *,
    suits: str = SUITS,
    copies: int = 1,
    jokers: int = 0,
    told_apart: bool = False,
    plus: str = "",
    minus: str = "",
) -> Pack:
    """A pack built from ranks and suits.

    `ranks` are written as players say them (`10` or `T`). `copies` multiplies the pack. `jokers` is the number of
    jokers in the whole pack; `told_apart` makes half of them `Jo+`, half `Jo-`. `plus` adds and `minus` removes
    faces.

    >>> pack("A K Q J 10 9 8", plus="7c 7d 5h 3s").size
    32
    >>> pack(copies=2, jokers=4).size, pack("A 2 3", suits="cs").size
    (108, 6)
    """
    faces = [r + s for s in suits for r in ranks.replace("10", "T").split()]
    faces = [c for c in faces if c not in minus.split()] + plus.split()
    for card in faces:
        if card not in _FACES:
            raise ValueError(f"'{card}' is not a card")
    order = {c: i for i, c in enumerate(CARDS)}
    table = dict.fromkeys(sorted(faces, key=lambda c: (SUITS.index(c[1]), order[c])), copies)
    if told_apart:
        table |= {"Jo+": jokers - jokers // 2, "Jo-": jokers // 2}
    elif jokers:
        table["Jo"] = jokers
    return Pack(table)


class Ranking:
    """An order of ranks, highest first, as `A K Q J 10 9`.

    >>> r = ranking("A K Q J 10 9"); r.beats("Ah", "Th"), r.place("K")
    (True, 1)
    """

    def __init__(self, ranks: tuple[str, ...]) -> None:
        self.ranks = ranks
        self._place = {r: i for i, r in enumerate(ranks)}

    def __deepcopy__(self, memo: object) -> Ranking:
        # A ranking is immutable.
        return self

    def place(self, rank: str) -> int:
        """Index of the rank, 0 for the highest. Raises KeyError for a rank that is not in the order."""
        return self._place[rank]

    def beats(self, card: str, other: str) -> bool:
        """True if the first card's rank is the higher; suits are ignored."""
        return self._place[rank_of(card)] < self._place[rank_of(other)]

    def strength(self, p: Pack) -> tuple[int, ...]:
        """A number for each face code of the pack, larger for a higher rank; 0 for a rank not in the order."""
        n = len(self.ranks)
        return tuple(n - self._place[r] if (r := rank_of(c)) in self._place else 0 for c in p.faces)


def ranking(ranks: str) -> Ranking:
    """An order of ranks, highest first."""
    return Ranking(tuple(ranks.replace("10", "T").split()))
