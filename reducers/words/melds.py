"""Melds: sets and runs for any order of the ranks, with or without wild cards; the melds that leave the least deadwood.

Games that lay cards down in groups share these words. A hand is a bag, as everywhere. A written group may have wild
cards (`Jo`, `2d=7?`), unseen or half-seen cards, and uncounted cards (`*x??`, or `*` for a whole hand). The answer
about it is None unless all cards that it may have agree.

The best melds are found exactly. If every card is there once and none is wild, only sets can take cards away from runs:
the sets worth trying are tried, and the runs of each suit are looked up. In all other cases the melds of the hand are
listed as bit masks and searched depth first, each rest of the hand once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product
from math import prod
from typing import NamedTuple

from events.cards import SUITS, Pack, item, pretty_all
from reducers.rules import CheckResult, broken, unknown
from reducers.table import Pile

# Size of the cache of answers about groups; an archive asks about the same few thousand again and again.
ANSWERS = 20_000
# Most ways to read the half-seen cards of a group that are tried before a question is left open.
MOST_WAYS = 3000
# Uncounted cards, as a group has them at its end.
UNCOUNTED = "*x??"


class LeastDeadwood(NamedTuple):
    """The least deadwood, and melds (bags) that leave it."""

    deadwood: int
    melds: tuple[int, ...]


class LaidOff(NamedTuple):
    """The least deadwood after laying off: the cards that go onto each meld on the table, and the melds kept (bags)."""

    deadwood: int
    off: tuple[int, ...]
    melds: tuple[int, ...]


class Melds:
    """The melds of a game: the value of its ranks, their order, and the size of a meld.

    `order` has the ranks as they follow each other in a run, from the bottom; a rank at both ends (`A 2 … K A`) may
    stand at either. `worth` is the deadwood of each rank. `set_sizes`, `shortest` and `longest` are the numbers of
    cards in a set and a run; with `suits_differ` no suit comes twice in a set. The cards of `wild` may stand for any
    other, at most `most_wild` of them in one meld, beside at least `fewest_natural` natural cards.

    >>> from events.cards import pack
    >>> p = pack(); gin = Melds(p, GIN_WORTH)
    >>> best = gin.best(p.bag("7c 7d 7h 8h 9h Kc".split()))
    >>> best.deadwood, [" ".join(p.cards(m)) for m in best.melds]
    (24, ['7h 8h 9h'])
    >>> gin.is_meld(["5c", "6c", "7c"]), gin.is_meld(["Qs", "Ks", "As"]), gin.is_meld(["5c", "??", "7c"])
    (True, False, None)
    """

    def __init__(
        self, pack: Pack, worth: Mapping[str, int], order: str = "A 2 3 4 5 6 7 8 9 10 J Q K", *,
        set_sizes: tuple[int, int] = (3, 4), shortest: int = 3, longest: int = 0, suits_differ: bool = True,
        wild: Iterable[str] = (), most_wild: int = 1, fewest_natural: int = 2,
    ) -> None:  # fmt: skip
        self.pack = pack
        self.order = tuple(order.replace("10", "T").split())
        self.places: dict[str, tuple[int, ...]] = {
            r: tuple(i for i, o in enumerate(self.order) if o == r) for r in self.order
        }
        self.worth = tuple(worth.get(r, 0) for r in pack.rank_of[: len(pack.faces)])
        self.set_sizes, self.shortest, self.suits_differ = set_sizes, shortest, suits_differ
        self.longest = longest or len(self.order)
        self.wild, self.most_wild, self.fewest_natural = frozenset(wild), most_wild, fewest_natural
        self._answers: dict[tuple[str, ...], bool | None] = {}
        self.plain = self._plain()
        if self.plain:
            self._build()

    # -- is it a meld ---------------------------------------------------------------------------------------------

    def is_meld(self, group: Sequence[str]) -> bool | None:
        """True if these cards, in any order, are a set or a run; None if unseen cards decide it."""
        asked = tuple(group)
        if asked not in self._answers:
            if len(self._answers) >= ANSWERS:
                self._answers.clear()
            self._answers[asked] = self._told(asked, self._is_meld)
        return self._answers[asked]

    def is_set(self, group: Sequence[str]) -> bool | None:
        """True if these cards are a set; None if unseen cards decide it."""
        return self._told(group, self._is_set)

    def is_run(self, group: Sequence[str]) -> bool | None:
        """True if these cards are a run; None if unseen cards decide it."""
        return self._told(group, self._is_run)

    def _told(self, group: Sequence[str], ask: Callable[[Sequence[str]], bool | None]) -> bool | None:
        """The answer of `ask` about a group with counts, uncounted cards and half-seen cards."""

        def asked(cards: Sequence[str]) -> bool | None:
            first = ask(cards)
            return first if first is not None or not any(map(is_half, cards)) or "??" in cards else in_any_reading(
                cards, ask, self.pack,
            )

        counted = [
            c for text in group
            for c in (
                [text.rpartition("x")[2]] * (item(text).count or 0) if "x" in text[1:] and text[0] != "*" else [text]
            )
        ]
        return however_many(counted, asked, len(self.order))

    def _is_meld(self, group: Sequence[str]) -> bool | None:
        return _either(self._is_set(group), self._is_run(group))

    def _is_set(self, group: Sequence[str]) -> bool | None:
        natural, wild, unseen = self._read(group)
        n = len(natural) + len(wild) + unseen
        ranks = {c[0] for c in (*natural, *wild) if c[0] != "?"}
        suits = [c[1] for c in natural if c[1] != "?"]
        if not self.set_sizes[0] <= n <= self.set_sizes[1] or len(ranks) > 1 or self._too_wild(natural, wild, unseen):
            return False
        if self.suits_differ and len(set(suits)) < len(suits):
            return False
        return None if unseen or any("?" in c for c in natural) else True

    def _is_run(self, group: Sequence[str]) -> bool | None:
        natural, wild, unseen = self._read(group)
        n = len(natural) + len(wild) + unseen
        suits = {c[1] for c in (*natural, *wild) if c[1] != "?"}
        if not self.shortest <= n <= self.longest or len(suits) > 1 or self._too_wild(natural, wild, unseen):
            return False
        fixed = [self.places.get(c[0], ()) for c in (*natural, *wild) if c[0] != "?"]
        for low in range(len(self.order) - n + 1):
            taken = [p for places in fixed for p in places if low <= p < low + n]
            if len(taken) == len(fixed) == len(set(taken)) and all(
                any(low <= p < low + n for p in places) for places in fixed
            ):
                return None if unseen or any("?" in c for c in natural) else True
        return False

    def fits(self, meld: Sequence[str], more: Sequence[str]) -> bool | None:
        """True if a meld on the table is still one with these cards added; None if unseen cards decide it."""
        return self.is_meld((*meld, *more))

    def _read(self, group: Sequence[str]) -> tuple[list[str], list[str], int]:
        """The natural cards, what the wild cards stand for (`??` if unknown), and the number of unseen cards."""
        natural, wild, unseen = list[str](), list[str](), 0
        for text in group:
            it = item(text)
            if it.stands_for:
                # An unseen card may be the one that it is said to stand for.
                (natural if "?" in it.card else wild).append(it.stands_for)
            elif it.card[:2] == "Jo":
                wild.append("??")
            elif it.card == "??":
                unseen += it.count or 1
            else:
                natural += [it.card] * (it.count or 1)
        return natural, wild, unseen

    def _too_wild(self, natural: list[str], wild: list[str], unseen: int) -> bool:
        return bool(wild) and (
            not self.wild or len(wild) > self.most_wild or len(natural) + unseen < self.fewest_natural
        )

    # -- the melds of a hand --------------------------------------------------------------------------------------

    def points(self, bag: int) -> int:
        """The deadwood of these cards without any meld."""
        worth = self.worth
        return sum(worth[c] for c in self.pack.codes(bag))

    def melds_in(self, bag: int) -> list[int]:
        """Every meld (a bag) that can be made of these cards, each once."""
        codes = list(self.pack.codes(bag))
        unit = self.pack.unit
        return list(dict.fromkeys(sum(unit[codes[i]] for i in slots) for slots in self._slots(codes)))

    def best(self, bag: int) -> LeastDeadwood:
        """The least deadwood of these cards, exactly, and melds that leave it."""
        if not self.plain:
            return self._search(bag)
        n, one, runs = self._n, self._one, self._runs
        c, d, h, s = bag & one, bag >> n & one, bag >> 2 * n & one, bag >> 3 * n
        three = c & d & (h | s) | h & s & (c | d)
        if not three:
            dead, left = self._dead, bag
            least = dead[c] + dead[d] + dead[h] + dead[s]
        else:
            least, c, d, h, s, left = self._sets(c, d, h, s, three)
        melds = (*runs[0][c], *runs[1][d], *runs[2][h], *runs[3][s])
        if left == bag:
            return LeastDeadwood(least, melds)
        taken, column, sets = bag ^ left, self._column, []
        ranks = (taken | taken >> n | taken >> 2 * n | taken >> 3 * n) & one
        while ranks:
            rank = ranks & -ranks
            ranks ^= rank
            sets.append(taken & column[rank])
        return LeastDeadwood(least, (*sets, *melds))

    def deadwood(self, bag: int) -> int:
        """The least deadwood of these cards, exactly."""
        if not self.plain:
            return self._search(bag).deadwood
        n, one, dead = self._n, self._one, self._dead
        c, d, h, s = bag & one, bag >> n & one, bag >> 2 * n & one, bag >> 3 * n
        three = c & d & (h | s) | h & s & (c | d)
        return self._sets(c, d, h, s, three)[0] if three else dead[c] + dead[d] + dead[h] + dead[s]

    def best_laying_off(self, bag: int, targets: Sequence[int]) -> LaidOff:
        """The least deadwood of these cards if some may be laid off onto melds on the table.

        Cards to keep and cards to lay off are searched together: melds that are not the best by themselves may be, once
        the rest is laid off.

        >>> from events.cards import pack
        >>> p = pack(); gin = Melds(p, GIN_WORTH)
        >>> hand = p.bag("7c 7d 7h 8h 9h".split())
        >>> gin.deadwood(hand), gin.best_laying_off(hand, [p.bag("Th Jh Qh".split())]).deadwood
        (14, 0)
        >>> hand = p.bag("8c 9c Tc 8d 8h Kd".split())
        >>> gin.best_laying_off(hand, [p.bag("5d 6d 7d".split()), p.bag("9h Th Jh".split())]).deadwood
        10
        """
        return _best_laying_off(self, bag, tuple(targets))

    def additions(self, meld: int, bag: int) -> list[int]:
        """Every bag of natural cards of a hand that a meld on the table can take at once, the empty bag first."""
        pack, out, todo = self.pack, [0], [0]
        while todo:
            laid = todo.pop()
            lying = pack.cards(meld + laid)
            for code in set(pack.codes(bag - laid)):
                more = laid + pack.unit[code]
                if more not in out and self.is_meld([*lying, pack.faces[code]]):
                    out.append(more)
                    todo.append(more)
        return out

    def partners(self, code: int) -> tuple[int, ...]:
        """The bags of cards that make the smallest natural melds together with this card.

        >>> from events.cards import pack
        >>> p = pack(); [" ".join(p.cards(b)) for b in Melds(p, GIN_WORTH).partners(p.code["Ac"])]
        ['2c 3c', 'Ad Ah', 'Ad As', 'Ah As']
        """
        return _partners(self, code)

    # -- every card there once: sets are tried, runs are looked up ------------------------------------------------

    def _plain(self) -> bool:
        """True if the fast search applies: no card twice, none wild, four suits alike, in the order of runs."""
        ranks = [r for r in self.order if self.pack.rank.get(r)]
        return (
            self.pack.single and not self.wild and self.set_sizes == (3, 4) and self.suits_differ
            and self.longest == len(self.order)
            and len(set(self.order)) == len(self.order) == len(ranks)
            and self.pack.faces == tuple(r + s for s in SUITS for r in ranks)
        )  # fmt: skip

    def _build(self) -> None:
        n = self._n = len(self.order)
        self._one = (1 << n) - 1
        self._column = {1 << i: sum(1 << (i + k * n) for k in range(4)) for i in range(n)}
        self._dead = _Dead(self.worth[:n], self.shortest)
        self._in_run = _InRun(self._dead)
        self._runs = tuple(_Runs(self._dead, k * n) for k in range(4))

    def _sets(self, c: int, d: int, h: int, s: int, three: int) -> tuple[int, int, int, int, int, int]:
        """The least deadwood of four suits; `three` are the ranks held three or four times.

        Return also the cards left in the suits beside the sets, and as a bag. A card in no run costs nothing where it
        is; so a rank is a set of all its cards, or of all but one that a run wants, or no set if runs want more.
        """
        dead, in_run = self._dead, self._in_run
        rc, rd, rh, rs = in_run[c], in_run[d], in_run[h], in_run[s]
        wanted = (rc | rd | rh | rs) & three
        if wanted != three:
            safe = three & ~wanted
            c, d, h, s = c & ~safe, d & ~safe, h & ~safe, s & ~safe
        if not wanted:
            n = self._n
            return dead[c] + dead[d] + dead[h] + dead[s], c, d, h, s, c | d << n | h << 2 * n | s << 3 * n
        rank = wanted & -wanted
        rest = wanted ^ rank
        sets = self._sets
        c0, d0, h0, s0 = c & ~rank, d & ~rank, h & ~rank, s & ~rank
        best = sets(c0, d0, h0, s0, rest)
        if c & d & h & s & rank:
            wants = 0
            if rc & rank:
                best, wants = min(best, sets(c, d0, h0, s0, rest)), 1
            if rd & rank:
                best, wants = min(best, sets(c0, d, h0, s0, rest)), wants + 1
            if rh & rank:
                best, wants = min(best, sets(c0, d0, h, s0, rest)), wants + 1
            if rs & rank:
                best, wants = min(best, sets(c0, d0, h0, s, rest)), wants + 1
            if wants < 2:
                return best
        return min(best, sets(c, d, h, s, rest))

    # -- the general way: melds as bit masks over the cards of the hand ----------------------------------------------

    def _search(self, bag: int) -> LeastDeadwood:
        """Depth first: the first card is deadwood, or in one of the melds that have it."""
        codes = list(self.pack.codes(bag))
        by_first: list[list[int]] = [[] for _ in codes]
        as_mask = [sum(1 << i for i in slots) for slots in self._slots(codes)]
        for mask in dict.fromkeys(as_mask):
            for i in range(len(codes)):
                if mask >> i & 1:
                    by_first[i].append(mask)
        worth = [self.worth[c] for c in codes]
        known: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}

        def least(left: int) -> tuple[int, tuple[int, ...]]:
            found = known.get(left)
            if found is not None:
                return found
            first = left & -left
            i = first.bit_length() - 1
            dead, melds = least(left ^ first)
            dead += worth[i]
            for meld in by_first[i]:
                if meld & left == meld:
                    other, more = least(left ^ meld)
                    if other < dead:
                        dead, melds = other, (meld, *more)
            known[left] = dead, melds
            return dead, melds

        dead, masks = least((1 << len(codes)) - 1)
        unit = self.pack.unit
        return LeastDeadwood(dead, tuple(sum(unit[c] for i, c in enumerate(codes) if m >> i & 1) for m in masks))

    def _slots(self, codes: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Every meld of these cards, as their places in the list; equal cards are two places."""
        faces = [self.pack.faces[c] for c in codes]
        natural = [i for i, f in enumerate(faces) if f[:2] != "Jo"]
        wild = [i for i, f in enumerate(faces) if f in self.wild or (f[:2] == "Jo" and self.wild)]
        most = min(self.most_wild, len(wild))
        for rank in dict.fromkeys(faces[i][0] for i in natural):
            same = [i for i in natural if faces[i][0] == rank]
            for k in range(max(1, self.fewest_natural), min(self.set_sizes[1], len(same)) + 1):
                for chosen in combinations(same, k):
                    if not self.suits_differ or len({faces[i][1] for i in chosen}) == k:
                        for extra in range(max(0, self.set_sizes[0] - k), min(most, self.set_sizes[1] - k) + 1):
                            others = [i for i in wild if i not in chosen]
                            yield from ((*chosen, *jokers) for jokers in combinations(others, extra))
        for suit in SUITS:
            at: dict[str, list[int]] = {}
            for i in natural:
                if faces[i][1] == suit:
                    at.setdefault(faces[i][0], []).append(i)
            for low in range(len(self.order)):
                yield from self._windows(low, at, wild, most)

    def _windows(self, low: int, at: Mapping[str, list[int]], wild: list[int], most: int) -> Iterator[tuple[int, ...]]:
        """Every run of a suit from this place up: natural cards, with wild ones in some places."""
        begun: list[tuple[tuple[int, ...], int]] = [((), 0)]
        for high in range(low, min(low + self.longest, len(self.order))):
            rank = self.order[high]
            begun = [
                longer
                for slots, holes in begun
                for longer in (
                    *(((*slots, i), holes) for i in at.get(rank, ()) if i not in slots),
                    *([(slots, holes + 1)] if holes < most else []),
                )
            ]
            if not begun:
                return
            if high - low + 1 >= self.shortest:
                for slots, holes in begun:
                    if len(slots) >= max(1, self.fewest_natural):
                        others = [i for i in wild if i not in slots]
                        yield from ((*slots, *jokers) for jokers in combinations(others, holes))


class _Dead(dict[int, int]):
    """Cache: the least deadwood of the cards of one suit (a bit each, from the bottom of a run), with runs only."""

    def __init__(self, worth: Sequence[int], shortest: int) -> None:
        super().__init__({0: 0})
        self.worth, self.shortest = worth, shortest

    def __missing__(self, cards: int) -> int:
        low = cards & -cards
        least = self[cards ^ low] + self.worth[low.bit_length() - 1]
        for run in self.runs_from(low, cards):
            least = min(least, self[cards ^ run])
        self[cards] = least
        return least

    def runs_from(self, low: int, cards: int) -> Iterator[int]:
        """The runs among these cards that begin with `low`."""
        run, top, length = low, low, 1
        while cards & top << 1:
            top <<= 1
            run, length = run | top, length + 1
            if length >= self.shortest:
                yield run


class _InRun(dict[int, int]):
    """Cache: the cards of one suit that are in any run."""

    def __init__(self, dead: _Dead) -> None:
        super().__init__()
        self.dead = dead

    def __missing__(self, cards: int) -> int:
        found, left = 0, cards
        while left:
            low = left & -left
            left ^= low
            for run in self.dead.runs_from(low, cards):
                found |= run
        self[cards] = found
        return found


class _Runs(dict[int, tuple[int, ...]]):
    """Cache: the runs, as bags, that leave the least deadwood of one suit."""

    def __init__(self, dead: _Dead, shift: int) -> None:
        super().__init__({0: ()})
        self.dead, self.shift = dead, shift

    def __missing__(self, cards: int) -> tuple[int, ...]:
        low = cards & -cards
        found = self[cards ^ low]
        if self.dead[cards] != self.dead[cards ^ low] + self.dead.worth[low.bit_length() - 1]:
            for run in self.dead.runs_from(low, cards):
                if self.dead[cards ^ run] == self.dead[cards]:
                    found = (run << self.shift, *self[cards ^ run])
                    break
        self[cards] = found
        return found


@lru_cache(maxsize=1024)
def _best_laying_off(melds: Melds, bag: int, targets: tuple[int, ...]) -> LaidOff:
    found: LaidOff | None = None
    for off in product(*(melds.additions(target, bag) for target in targets)):
        gone = 0
        for cards in off:
            if gone & cards:
                break
            gone |= cards
        else:
            best = melds.best(bag - gone)
            if found is None or best.deadwood < found.deadwood:
                found = LaidOff(best.deadwood, off, best.melds)
    assert found is not None  # laying nothing off is always tried
    return found


@lru_cache(maxsize=1024)
def _partners(melds: Melds, code: int) -> tuple[int, ...]:
    pack, face = melds.pack, melds.pack.faces[code]
    out: list[int] = []
    for low in range(len(melds.order) - melds.shortest + 1):
        ranks = melds.order[low : low + melds.shortest]
        if face[0] in ranks:
            others = [r + face[1] for r in ranks if r != face[0]]
            if all(c in pack for c in others):
                out.append(pack.bag(others))
    same = [c for c in pack.faces if c[0] == face[0] and c != face]
    out += [pack.bag(cards) for cards in combinations(same, melds.set_sizes[0] - 1)]
    return tuple(out)


def written_groups(groups: Iterable[Sequence[str]], pile: Pile) -> tuple[tuple[str, ...], ...]:
    """Groups taken from a pile card by card, counts written out; `*` is all that is left, uncounted cards come last.

    >>> from events.cards import pack
    >>> from reducers.table import Table
    >>> table = Table(pack()); hand = table.bag("A"); table.lay(table.codes(("7c", "2x??")), hand)
    >>> (
    ...     written_groups([("2x??", "5c")], hand),
    ...     written_groups([("7c",), ("*",)], hand),
    ...     written_groups([("5c", "*x??", "6c")], hand)
    ... )
    ((('??', '??', '5c'),), (('7c',), ('??', '??')), (('5c', '6c', '*x??'),))
    """
    groups = tuple(groups)
    if as_they_are(groups):
        return groups  # type: ignore[return-value]  # nothing to write out
    left, out = written_cards_in(pile), list[tuple[str, ...]]()
    for group in groups:
        cards, uncounted = list[str](), False
        for text in group:
            if text == "*":
                cards, uncounted = [*cards, *(c for c in left if c != UNCOUNTED)], uncounted or pile.vague
            elif "x" in text:
                it = item(text)
                cards, uncounted = cards + [it.card] * (it.count or 0), uncounted or it.count is None
            else:
                cards.append(text)
        rest = list(left)
        for card in cards:
            gone = next((c for c in (card.partition("=")[0], "??") if c in rest), None)
            if gone is not None:
                rest.remove(gone)
        left = tuple(rest)
        out.append((*cards, UNCOUNTED) if uncounted else tuple(cards))
    return tuple(out)


def as_they_are(groups: Iterable[Sequence[str]]) -> bool:
    """Return True if each card of these groups is written by itself."""
    for group in groups:
        run = "".join(group)
        if "x" in run or "*" in run:
            return False
    return True


def written_cards_in(pile: Pile) -> tuple[str, ...]:
    """The cards of a pile as they are written, with `UNCOUNTED` for uncounted cards."""
    tokens = pile.table.pack.tokens
    cards = [tokens[c] for c in (pile.row if pile.row is not None else pile.codes())]
    return (*cards, UNCOUNTED) if pile.vague else tuple(cards)


def however_many(group: Sequence[str], ask: Callable[[Sequence[str]], bool | None], most: int) -> bool | None:
    """The answer of `ask` whatever the number of uncounted cards, up to `most`; None if that number decides it."""
    if not any(text[:1] == "*" for text in group):
        return ask(group)
    rest = [c for c in group if c[:1] != "*"]
    return None if any(ask([*rest, *["??"] * more]) is not False for more in range(most + 1)) else False


def in_any_reading(group: Sequence[str], ask: Callable[[Sequence[str]], bool | None], pack: Pack) -> bool | None:
    """The answer of `ask` about a group for every reading of its half-seen cards; None if the readings do not agree.

    `ask` itself handles cards that were not seen at all.
    """
    if count_readings(group, pack) > MOST_WAYS:
        return None
    answers = set[bool | None]()
    for way in ways_to_read(group, pack):
        answers.add(ask(way))
        if len(answers) > 1 or None in answers:
            return None
    return answers.pop() if answers else None


def count_readings(cards: Sequence[str], pack: Pack) -> int:
    """An upper bound for the number of ways to read the half-seen cards."""
    return prod(pack.may_be[pack.code[c.partition("=")[0]]].bit_count() // pack.width for c in cards if is_half(c))


def is_half(card: str) -> bool:
    """Return True if a card was half seen, or not seen but said to stand for another (`7?`, `??=6h`)."""
    face, equals, _ = card.partition("=")
    return "?" in face and (bool(equals) or face != "??")


def ways_to_read(cards: Sequence[str], pack: Pack) -> Iterator[tuple[str, ...]]:
    """The cards with each half-seen one replaced by a card that it may be; no card more often than the pack has it.

    >>> from events.cards import pack
    >>> list(ways_to_read(("7c", "7?", "7d"), pack()))
    [('7c', '7h', '7d'), ('7c', '7s', '7d')]
    """
    slots = []
    for card in cards:
        face, equals, stands_for = card.partition("=")
        may_be = pack.may_be[pack.code[face]] if is_half(card) else 0
        slots.append(
            [f + equals + stands_for for f, field in zip(pack.faces, pack.field, strict=True) if field & may_be]
            or [card]
        )
    for way in product(*slots):
        faces = [c.partition("=")[0] for c in way]
        if all(faces.count(c) <= pack.copies[pack.code[c]] for c in dict.fromkeys(faces) if c in pack):
            yield way


def may_be_among(bag: int, pile: Pile) -> bool:
    """Return True if these cards may all be among the unseen ones of a hand."""
    pack = pile.table.pack
    if not pile.vague and pack.count(bag) > pile.hidden:
        return False
    return all(pile.any_of(pack.field[c]) is not False for c in pack.codes(bag))


def no_meld(groups: Iterable[tuple[Sequence[str], bool | None]], text: str) -> CheckResult | None:
    """The verdict of a rule on groups: broken for the first that is no meld, else unknown if one may be none.

    >>> said = no_meld([(("5c", "??", "7c"), None), (("5d", "6d"), False)], "is not a run")
    >>> said.text  # type: ignore[union-attr]  # it says something
    '5♦ 6♦ is not a run'
    """
    doubt = None
    for group, answer in groups:
        if answer is False:
            return broken(f"{as_said(group)} {text}")
        if answer is None:
            why = "its cards were not counted" if UNCOUNTED in group else "one of its cards was not seen"
            doubt = unknown(f"whether {as_said(group)} is a meld: {why}")
    return doubt


def as_said(group: Sequence[str]) -> str:
    """A group in words.

    >>> as_said(("5c", "6c")), as_said(("5c", "*x??")), as_said(("*x??",))
    ('5♣ 6♣', '5♣ with uncounted cards', 'uncounted cards')
    """
    cards = pretty_all(c for c in group if c != UNCOUNTED)
    return cards if UNCOUNTED not in group else f"{cards} with uncounted cards" if cards else "uncounted cards"


def _either(one: bool | None, other: bool | None) -> bool | None:
    """True if either is True; None if neither is but one is None; else False."""
    if one or other:
        return True
    return None if one is None or other is None else False


GIN_WORTH: Mapping[str, int] = {"A": 1, **{str(n): n for n in range(2, 10)}, **dict.fromkeys("TJQK", 10)}
"""Deadwood of each rank in gin: an ace counts one, court cards ten."""
