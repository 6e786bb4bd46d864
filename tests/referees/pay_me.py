"""A second opinion on Pay Me, written from the rule text alone: it shares nothing with Kibitz but a record's lines.

It reads lines with every card seen, says at which line something was against the rules for the first time, and what
each hand came to. It ignores the lines that it does not understand. It understands:

    D hand 1                    the dealer, who is the next one clockwise
    @ deal A=… B=…              three each in the first hand, then one more in each; `@ deal up discard=7d`
    @ deal down stock=…         the other cards, the top one last; it may be left out
    A draw 7h, A draw 2d <discard
    A discard 2d
    @ shuffle * <discard >stock all but the top card, if the stock has run out, or `@ shuffle stock=…` with their order
    A call pay-me               before the discard, or after it until somebody draws; the melds alone say it, too
    A meld 4c2h=5c6c/9c9dJo     new melds: of the caller at any time from then on, of the others after the last turn
    B meld 7c >meld:A:1         laid off, or added to a meld of the own
    B show 9s                   what is left of a hand
    @ end hand void             the hand does not count, and anybody may deal next

Who can meld all of his cards need not discard, the caller as well as the others in their last turn. A wild card that is
not marked may be any card that makes a meld, and stays where it is once cards were added.

`hands` has the deadwood of each seat in each hand: after the melds and lay-offs that were written as little as the
cards of the seat can leave. Of a seat that wrote nothing at the end lay-offs are found as well, seat by seat from the
caller's left, if the melds of the caller were written.
Options: `ace` ("low" or "both"), `jokers_per_deck` and `hands`.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import combinations, pairwise, permutations

RANKS = "A23456789TJQK"
WORDS = ("pay-me", "payme", "pay", "out", "declare")


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the seats in order, clockwise, and the options."""

    def __init__(self, seats: list[str], ace: str = "low", jokers_per_deck: int = 2, hands: int = 11) -> None:
        self.seats, self.ranks, self.most = seats, RANKS + "A" * (ace == "both"), hands
        packs = 1 if len(seats) == 2 else 2 if len(seats) <= 4 else 3
        self.pack = Counter({rank + suit: packs for rank in RANKS for suit in "cdhs"} | {"Jo": jokers_per_deck * packs})
        self.next_dealer = self.caller = ""
        # The phases: deal, draw, discard, show, and over.
        self.phase = "over"
        self.finished: list[dict[str, int]] = []

    def read(self, lines: list[str]) -> int:
        """The first line against the rules, counted from 1; 0 if there is none."""
        for at, line in enumerate(lines, 1):
            try:
                self.line(line.split())
            except Against:
                return at
        return 0

    def line(self, words: list[str]) -> None:
        by, verb, rest = words[0], words[1], words[2:]
        piles = {word[0]: word[1:] for word in rest if word[0] in "<>"}
        if verb == "hand":
            self.begin(by)
        elif verb == "deal":
            self.deal([word for word in rest if "=" in word])
        elif verb == "shuffle":
            self.shuffle(cards_of([word.removeprefix("stock=") for word in rest]))
        elif verb == "draw":
            self.draw(by, cards_of(rest), piles.get("<", "stock"))
        elif verb == "discard":
            self.discard(by, cards_of(rest))
        elif verb == "call" and rest[0] in WORDS:
            self.call(by)
        elif verb == "meld" and ">" in piles:
            self.lay_off(by, cards_of(rest), piles[">"])
        elif verb == "meld":
            self.meld(by, [cards_of([group]) for group in rest[0].split("/")])
        elif verb == "show":
            self.show(by, cards_of([rest[0].replace("/", "")]))
        elif verb == "end" and rest[0] == "hand":
            self.next_dealer = self.next_dealer if self.phase in ("show", "over") else ""
            self.finished, self.phase = self.hands, "over"

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    # The deal

    def begin(self, dealer: str) -> None:
        self.end_last_turn()
        self.require(self.phase in ("show", "over") and not self.over() and self.next_dealer in ("", dealer))
        self.finished = self.hands
        i = self.seats.index(dealer) + 1
        self.order = self.seats[i:] + self.seats[:i]
        self.next_dealer, self.phase, self.caller = self.order[0], "deal", ""
        self.size = len(self.finished) + 3
        self.wild = {"2", "J" if self.size == 11 else RANKS[self.size - 1], "Jo"}
        self.holds: dict[str, Counter[str]] = {seat: Counter() for seat in self.seats}
        self.unseen = self.pack.copy()
        self.stock: list[str] = []
        self.pile: list[str] = []
        # What everybody has melded, as written; how many turns there are after the call; who has discarded last.
        self.melds: dict[str, list[list[str]]] = {seat: [] for seat in self.seats}
        # All that a meld may be that was added to, which its cards say no more.
        self.grown: dict[tuple[str, ...], list[dict[object, str]]] = {}
        self.turns, self.discarder = len(self.seats) - 1, ""
        # Who has laid his hand down himself.
        self.shown: set[str] = set()

    def deal(self, piles: list[str]) -> None:
        for pile in piles:
            name, _, written = pile.partition("=")
            cards = cards_of([written])
            self.require(Counter(cards) <= self.unseen - Counter(self.stock))
            if name == "stock":
                self.require(not self.stock and len(cards) == self.pack.total() - self.size * len(self.seats) - 1)
                self.stock = cards
                continue
            self.unseen -= Counter(cards)
            if name == "discard":
                self.require(self.phase in ("deal", "draw") and not self.pile and len(cards) == 1)
                self.pile += cards
            else:
                self.require(self.phase == "deal" and name in self.holds)
                self.holds[name] += Counter(cards)
                self.require(self.holds[name].total() <= self.size)
        if self.phase == "deal" and all(held.total() == self.size for held in self.holds.values()):
            self.phase = "draw"

    def shuffle(self, cards: list[str]) -> None:
        self.require(self.phase in ("draw", "discard") and not self.unseen and len(self.pile) > 1)
        self.require(not cards or Counter(cards) == Counter(self.pile[:-1]))
        self.turn_over()
        self.stock = cards

    def turn_over(self) -> None:
        self.unseen, self.pile = Counter(self.pile[:-1]), self.pile[-1:]

    # The turns

    def draw(self, seat: str, cards: list[str], source: str) -> None:
        self.end_turn_without_discard()
        self.require(self.phase == "draw" and seat == self.order[0] and len(cards) == 1)
        self.require(self.pile != [] or self.caller != "")
        if source == "discard":
            self.require(not self.caller and self.pile.pop() == cards[0])
        else:
            self.require(source == "stock")
            if not self.unseen:
                self.turn_over()
            self.require(not self.stock or self.stock.pop() == cards[0])
            self.require(self.unseen[cards[0]] > 0)
            self.unseen -= Counter(cards)
        self.holds[seat][cards[0]] += 1
        self.phase, self.discarder = "discard", ""

    def end_turn_without_discard(self) -> None:
        if self.phase == "discard" and self.caller:
            self.require(self.fits(self.order[0], 0))
            self.end_turn()

    def end_turn(self) -> None:
        if self.caller and self.caller != self.order[0]:
            self.turns -= 1
        self.order = self.order[1:] + self.order[:1]
        self.phase = "draw" if self.turns else "show"

    def end_last_turn(self) -> None:
        if self.caller != "" and self.turns == 1 and self.order[0] != self.caller:
            self.end_turn_without_discard()

    def discard(self, seat: str, cards: list[str]) -> None:
        self.require(self.phase == "discard" and seat == self.order[0] and len(cards) == 1)
        self.require(self.holds[seat][cards[0]] > 0)
        self.holds[seat] -= Counter(cards)
        self.require(seat != self.caller or self.fits(seat, 0))
        self.pile += cards
        self.discarder = seat
        self.end_turn()

    def call(self, seat: str) -> None:
        self.require(not self.caller and self.phase in ("draw", "discard"))
        if self.phase == "discard":
            self.require(seat == self.order[0] and self.fits(seat, 1))
        else:
            self.require(seat == self.discarder and self.fits(seat, 0))
        self.caller = seat

    # The melds

    def fits(self, seat: str, left: int) -> bool:
        """Whether the rest of a hand can be melded, or be added to its own melds, but for so many cards at the most."""
        cards = list(self.holds[seat].elements())
        rests = [cards] if not left else [cards, *map(list, combinations(cards, len(cards) - 1))]
        own = tuple(map(tuple, self.melds[seat]))
        return any(not self.best(tuple(sorted(rest)), own)[0] for rest in rests)

    def meld(self, seat: str, groups: list[list[str]]) -> None:
        self.end_last_turn()
        if not self.caller:
            self.call(seat)
        self.require(seat in self.seats and (seat == self.caller or self.phase == "show"))
        for group in groups:
            self.require(bool(self.readings(group)))
            self.give(seat, group)
            self.melds[seat].append(group)
        self.require(seat != self.caller or self.fits(seat, self.to_discard(seat)))

    def to_discard(self, seat: str) -> int:
        """How many cards may be left of a hand that goes out: one before the discard."""
        return int(self.phase == "discard" and seat == self.order[0])

    def give(self, seat: str, cards: list[str]) -> None:
        plain = Counter(card.partition("=")[0] for card in cards)
        self.require(plain <= self.holds[seat])
        self.shown.add(seat)
        self.holds[seat] -= plain

    def lay_off(self, seat: str, cards: list[str], to: str) -> None:
        """Onto a meld of the caller after the last turn, or onto one of the own."""
        self.end_last_turn()
        _, owner, number = to.split(":")
        self.require(seat in self.seats and self.caller != "" and owner in (seat, self.caller))
        self.require(self.phase == "show" or seat == owner == self.caller)
        self.require(0 < int(number) <= len(self.melds[owner]) and len(cards) > 0)
        meld = self.melds[owner][int(number) - 1]
        self.require(bool(self.extended(meld, cards)))
        self.give(seat, cards)
        self.melds[owner][int(number) - 1] = self.grow(meld, cards)
        self.require(seat != self.caller or self.fits(seat, self.to_discard(seat)))

    def extended(self, meld: list[str], cards: list[str]) -> list[dict[object, str]]:
        """All that a meld may be when its cards stay where they are and these are added."""
        before = self.grown.get(tuple(meld)) or self.readings(meld)
        after = self.readings(meld + cards)
        return [other for other in after if any(one.items() <= other.items() for one in before)]

    def grow(self, meld: list[str], cards: list[str]) -> list[str]:
        """The meld with these cards; what it may be from now on is kept."""
        self.grown[*meld, *cards] = self.extended(meld, cards)
        return meld + cards

    def show(self, seat: str, cards: list[str]) -> None:
        self.end_last_turn()
        self.require(seat in self.seats and Counter(cards) <= self.holds[seat])
        self.shown |= {seat} if self.phase == "show" else set()

    def is_wild(self, card: str) -> bool:
        return card.startswith("Jo") or card[0] in self.wild

    def readings(self, cards: list[str]) -> list[dict[object, str]]:
        """All that these cards can be as a meld: its places, each with the card there.

        The places of a run are numbers, with its suit; those of a set its suits, and the wild cards by number.
        """
        fixed = [card for card in cards if not self.is_wild(card)]
        jokers = [card for card in cards if self.is_wild(card)]
        if len(cards) < 3:
            return []
        found: list[dict[object, str]] = []
        # Of the wild cards so many are used as what they are.
        for count in range(len(jokers) + 1):
            for own in combinations(range(len(jokers)), count):
                naturals = fixed + [jokers[i] for i in own]
                wilds = [jokers[i] for i in range(len(jokers)) if i not in own]
                if any(card.startswith("Jo") or card.partition("=")[2] not in ("", card[:2]) for card in naturals):
                    continue
                if 2 * len(wilds) <= len(cards):
                    plain = [card[:2] for card in naturals]
                    found += self.sets(plain, wilds) + self.runs(plain, wilds)
        return found

    def sets(self, naturals: list[str], wilds: list[str]) -> list[dict[object, str]]:
        suits = {card[1] for card in naturals}
        fair = len({card[0] for card in naturals}) == 1 and len(suits) == len(naturals)
        said = all(place_of(card)[:1] in ("", naturals[0][0]) for card in wilds)
        if not fair or not said or len(naturals) + len(wilds) > 4:
            return []
        return [{card[1]: card for card in naturals} | dict.fromkeys(range(len(wilds)), "wild")]

    def runs(self, naturals: list[str], wilds: list[str]) -> list[dict[object, str]]:
        suit = naturals[0][1]
        size = len(naturals) + len(wilds)
        if any(card[1] != suit for card in naturals) or any(
            place_of(card)[1:] not in ("", "?", suit) for card in wilds
        ):
            return []
        found: list[dict[object, str]] = []
        for start in range(len(self.ranks) - size + 1):
            window = self.ranks[start : start + size]
            for places in combinations(range(size), len(wilds)):
                own = [rank for at, rank in enumerate(window) if at not in places]
                apart = all(b - a > 1 for a, b in pairwise(places))
                if not apart or Counter(own) != Counter(card[0] for card in naturals):
                    continue
                for order in set(permutations(wilds)):
                    filled = dict(zip(places, order, strict=True))
                    if all(place_of(card)[:1] in ("", window[at]) for at, card in filled.items()):
                        cards = [filled.get(at, rank + suit)[:2] for at, rank in enumerate(window)]
                        found.append({(suit, start + at): card for at, card in enumerate(cards)})
        return found

    # What a hand comes to

    def points(self, card: str) -> int:
        if self.is_wild(card):
            return 15
        return 10 if card[0] in "89TJQK" else 5

    def best(
        self, cards: tuple[str, ...], table: tuple[tuple[str, ...], ...]
    ) -> tuple[tuple[str, ...], list[list[str]]]:
        """The least that can be left of a hand, and what was laid off on each meld of the table."""
        melds = self.melds_among(cards)

        @cache
        def left(rest: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
            if not rest:
                return 0, ()
            value, kept = left(rest[1:])
            found = [(value + self.points(rest[0]), (rest[0], *kept))]
            having = [meld for meld in melds.get(rest[0], ()) if not Counter(meld) - Counter(rest)]
            found += [left(without(rest, meld)) for meld in having]
            return min(found)

        def lay(rest: tuple[str, ...], at: int) -> tuple[int, int, tuple[str, ...], list[list[str]]]:
            if at == len(table):
                value, kept = left(rest)
                return value, 0, kept, []
            found = []
            for some in self.extensions(rest, list(table[at])):
                value, count, kept, laid = lay(without(rest, some), at + 1)
                found.append((value, count + len(some), kept, [list(some), *laid]))
            return min(found)

        _, _, kept, laid = lay(tuple(sorted(cards)), 0)
        return kept, laid

    def melds_among(self, cards: tuple[str, ...]) -> dict[str, set[tuple[str, ...]]]:
        """All melds that these cards can make, by the first of their cards in order."""
        wilds = sorted(card for card in cards if self.is_wild(card))
        found: set[tuple[str, ...]] = set()
        for rank in RANKS:
            own = {card for card in cards if card[0] == rank and card != "Jo"}
            for count in range(1, 5):
                for naturals in combinations(sorted(own), count):
                    spare = list((Counter(wilds) - Counter(naturals)).elements())
                    for more in range(max(3 - count, 0), min(count, 4 - count) + 1):
                        found |= {tuple(sorted(naturals + others)) for others in combinations(spare, more)}
        for suit in "cdhs":
            for start in range(len(self.ranks)):
                found |= self.runs_from(start, suit, Counter(cards), (), 0, False)
        by_first: dict[str, set[tuple[str, ...]]] = {}
        for meld in found:
            by_first.setdefault(meld[0], set()).add(meld)
        return by_first

    def runs_from(
        self, at: int, suit: str, cards: Counter[str], run: tuple[str, ...], wilds: int, after_wild: bool
    ) -> set[tuple[str, ...]]:
        found = {tuple(sorted(run))} if len(run) >= 3 and 2 * wilds <= len(run) else set()
        if at == len(self.ranks):
            return found
        natural = self.ranks[at] + suit
        if cards[natural]:
            found |= self.runs_from(at + 1, suit, cards - Counter([natural]), (*run, natural), wilds, False)
        if not after_wild:
            for card in [card for card in cards if self.is_wild(card)]:
                found |= self.runs_from(at + 1, suit, cards - Counter([card]), (*run, card), wilds + 1, True)
        return found

    def extensions(self, rest: tuple[str, ...], meld: list[str]) -> set[tuple[str, ...]]:
        """What of these cards can be laid off on a meld."""
        found: set[tuple[str, ...]] = {()}
        new: set[tuple[str, ...]] = {()} if meld else set()
        while new:
            more = set()
            for some in new:
                for card in set(without(rest, some)):
                    bigger = tuple(sorted((*some, card)))
                    if bigger not in found and self.extended(meld, list(bigger)):
                        more.add(bigger)
            found |= more
            new = more
        return found

    @property
    def hands(self) -> list[dict[str, int]]:
        if self.phase != "show":
            return list(self.finished)
        i = self.seats.index(self.caller)
        result = dict.fromkeys(self.seats, 0)
        table = tuple(tuple(meld) for meld in self.melds[self.caller])
        for seat in self.seats[i + 1 :] + self.seats[:i]:
            cards, shown = tuple(self.holds[seat].elements()), seat in self.shown
            cards, laid = self.best(cards, tuple(map(tuple, self.melds[seat])) if shown else table)
            if laid and not shown:
                table = tuple(tuple(self.grow(list(meld), more)) for meld, more in zip(table, laid, strict=True))
            result[seat] = sum(map(self.points, cards))
        return [*self.finished, result]

    def over(self) -> bool:
        return len(self.hands) == self.most

    def totals(self) -> dict[str, int]:
        return {seat: sum(hand[seat] for hand in self.hands) for seat in self.seats}


def place_of(card: str) -> str:
    """What a wild card was said to stand for, empty if nobody said it."""
    return card.partition("=")[2]


def without(cards: tuple[str, ...], some: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted((Counter(cards) - Counter(some)).elements()))


def cards_of(words: list[str]) -> list[str]:
    """The cards in these words, without the faces and the piles, each with what it stands for."""
    cards = "".join(word for word in words if word not in ("up", "down", "*") and word[0] not in "<>")
    found: list[str] = re.findall(r"(?:Jo|[A-Z2-9][cdhs])(?:[+-])?(?:=[A-Z2-9][cdhs?])?", cards)
    return [card.replace("+", "").replace("-", "") for card in found]
