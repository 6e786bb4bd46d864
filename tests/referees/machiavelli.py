"""A second opinion on Machiavelli, written from the rule text alone.

It shares nothing with Kibitz but a record's lines. It reads lines with every card seen, says at which line something
was against the rules for the first time, and what each hand came to. It ignores the lines that it does not understand.
It understands:

    D hand 1                    the dealer, who is the next one clockwise
    @ deal A=… B=…              thirteen each, in as many lines as one likes
    @ deal down stock=…         the other cards, the top one last; it may be left out
    B draw 7h                   instead of playing
    B pass                      the same if no stock is left
    A meld 4c4d4h/QhKhAh        new groups, with the next numbers; A meld 2d >meld:6 adds to one
    A arrange meld:8=8d9dTd meld:5=-
                                these groups are now so; what is left over is in the hand again
    A arrange 8d9dTd/7c7d7s     the whole table
    A move 8d <meld:2 >meld:5   from one group to another, or `>A` into the hand
    A call fail, B call fail A  it does not come out: table and hand are as before the turn
    A draw 7h8c9d               the penalty; it may be left out if the stock is written
    @ end hand void             the hand does not count, and anybody may deal next

A turn may have several lines. It ends when another seat acts, or when the hand is empty and the table in order; if the
table is not in order then, the last line of the turn was against the rules.

`hands` has 1 for who won each hand and 0 for the others: for all if everybody has passed.
Options: `deal_size`, `penalty_draw` and `hands`, how many are played (0: as long as one likes).
"""

from __future__ import annotations

from collections import Counter

RANKS = "A23456789TJQKA"


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the seats in order, clockwise, and the options."""

    def __init__(self, seats: list[str], deal_size: int = 13, penalty_draw: int = 3, hands: int = 0) -> None:
        self.seats, self.size, self.penalty, self.most = seats, deal_size, penalty_draw, hands
        self.pack = Counter({rank + suit: 2 for rank in RANKS for suit in "cdhs"})
        self.next_dealer = ""
        # The phases: deal, play, penalty (somebody draws for a turn that failed), and over.
        self.phase = "over"
        self.hands: list[dict[str, int]] = []
        # The line that is read, the last one of the turn that is on, and that of a turn that ended in disorder.
        self.at = self.last = self.blamed = 0

    def read(self, lines: list[str]) -> int:
        """The first line against the rules, counted from 1; 0 if there is none."""
        for at, line in enumerate(lines, 1):
            self.at = at
            try:
                self.line(line.split())
            except Against:
                return self.blamed or at
        return 0

    def line(self, words: list[str]) -> None:
        by, verb, rest = words[0], words[1], words[2:]
        piles = {word[0]: word[1:] for word in rest if word[0] in "<>"}
        if verb == "hand":
            self.begin(by)
        elif verb == "deal":
            self.deal([word for word in rest if "=" in word])
        elif verb == "draw":
            self.draw(by, cards_of(rest))
        elif verb == "pass":
            self.pass_by(by)
        elif verb == "meld":
            self.meld(by, [cards_of([group]) for group in rest[0].split("/")], piles.get(">", ""))
        elif verb == "arrange" and "=" in rest[0]:
            self.arrange(by, {word.partition("=")[0]: cards_of([word.partition("=")[2]]) for word in rest})
        elif verb == "arrange":
            self.arrange_all(by, [cards_of([group]) for group in rest[0].split("/")])
        elif verb == "move":
            self.move(by, cards_of(rest), piles.get("<", by), piles.get(">", ""))
        elif verb == "call" and rest[0] == "fail":
            self.fail(by, rest[1] if len(rest) > 1 and rest[1] in self.seats else by)
        elif verb == "show":
            self.require(Counter(cards_of(rest)) <= self.holds.get(by, Counter()))
        elif verb == "end" and rest[0] == "hand":
            self.next_dealer = self.next_dealer if self.phase == "over" else ""
            self.phase = "over"

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    # The deal

    def begin(self, dealer: str) -> None:
        self.require(self.phase == "over" and not self.over() and self.next_dealer in ("", dealer))
        i = self.seats.index(dealer) + 1
        self.order = self.seats[i:] + self.seats[:i]
        self.next_dealer, self.phase = self.order[0], "deal"
        self.holds: dict[str, Counter[str]] = {seat: Counter() for seat in self.seats}
        self.unseen = self.pack.copy()
        self.stock: list[str] = []
        self.table: dict[int, list[str]] = {}
        self.used = self.passes = 0
        # What the turn began with, while it is on; how many cards of a penalty are missing, or which ones they are.
        self.before: tuple[Counter[str], dict[int, list[str]]] | None = None
        self.missing, self.coming = 0, Counter[str]()

    def deal(self, piles: list[str]) -> None:
        for pile in piles:
            name, _, written = pile.partition("=")
            cards = cards_of([written])
            self.require(Counter(cards) <= self.unseen - Counter(self.stock))
            if name == "stock":
                self.require(not self.stock and len(cards) == 104 - self.size * len(self.seats))
                self.stock = cards
                continue
            self.require(self.phase == "deal" and name in self.holds)
            self.unseen -= Counter(cards)
            self.holds[name] += Counter(cards)
            self.require(self.holds[name].total() <= self.size)
        if self.phase == "deal" and all(held.total() == self.size for held in self.holds.values()):
            self.phase = "play"

    # The turns

    def act(self, seat: str) -> None:
        """Somebody acts: a turn that was on is over if it is somebody else."""
        if self.phase == "penalty" and seat != self.order[0]:
            self.require(self.missing == 0)
            self.end_turn()
        elif self.before is not None and seat != self.order[0]:
            if not self.in_order():
                self.blamed = self.last
                raise Against
            self.end_turn()
        self.require(self.phase == "play" and seat == self.order[0])

    def end_turn(self) -> None:
        self.order = self.order[1:] + self.order[:1]
        self.before, self.coming, self.phase = None, Counter(), "play"

    def draw(self, seat: str, cards: list[str]) -> None:
        if self.phase == "penalty" and seat == self.order[0]:
            self.draw_penalty(Counter(cards))
            return
        self.act(seat)
        self.require(self.taken_back() and len(cards) == 1)
        self.require(not self.stock or self.stock.pop() == cards[0])
        self.take(seat, Counter(cards))
        self.passes = 0
        self.end_turn()

    def take(self, seat: str, cards: Counter[str]) -> None:
        self.require(cards <= self.unseen)
        self.unseen -= cards
        self.holds[seat] += cards

    def pass_by(self, seat: str) -> None:
        self.act(seat)
        self.require(self.taken_back() and not self.unseen)
        self.passes += 1
        self.end_turn()
        if self.passes == len(self.seats):
            self.finish("")

    def taken_back(self) -> bool:
        """Whether nothing was laid down in this turn, or everything lies as it did before."""
        if self.before is None:
            return True
        _, table = self.before
        return sorted(map(sorted, table.values())) == sorted(map(sorted, self.table.values()))

    def fail(self, by: str, seat: str) -> None:
        """One says it of oneself, or of somebody else whose table is not in order."""
        if by != seat:
            self.require(self.phase == "play" and seat == self.order[0] and self.before is not None)
            self.require(not self.in_order())
        else:
            self.act(seat)
        if self.before is not None:
            self.holds[seat], self.table = self.before
        self.before, self.passes, self.phase = None, 0, "penalty"
        self.missing = min(self.penalty, self.unseen.total())
        if self.stock:
            self.coming = Counter([self.stock.pop() for _ in range(self.missing)])
            self.missing = 0
            self.take(seat, self.coming)
        if not self.missing and not self.coming:
            self.end_turn()

    def draw_penalty(self, cards: Counter[str]) -> None:
        if self.coming:
            self.require(cards <= self.coming)
            self.coming -= cards
        else:
            self.require(cards.total() <= self.missing)
            self.missing -= cards.total()
            self.take(self.order[0], cards)
        if not self.missing and not self.coming:
            self.end_turn()

    # What is laid down

    def start(self, seat: str) -> Counter[str]:
        """A line of a turn in which cards are laid down; the hand, from which and to which they go."""
        self.act(seat)
        if self.before is None:
            self.before = self.holds[seat].copy(), {number: list(group) for number, group in self.table.items()}
        self.last, self.passes = self.at, 0
        return self.holds[seat]

    def meld(self, seat: str, groups: list[list[str]], to: str) -> None:
        held = self.start(seat)
        for group in groups:
            self.require(len(group) > 0 and Counter(group) <= held)
            held -= Counter(group)
            if to:
                self.require(self.number(to) in self.table)
                self.table[self.number(to)] = self.table[self.number(to)] + group
            else:
                self.used += 1
                self.table[self.used] = group
        self.laid(seat, held)

    def number(self, pile: str) -> int:
        self.require(pile.startswith("meld:") and pile[5:].isdigit())
        return int(pile[5:])

    def arrange(self, seat: str, piles: dict[str, list[str]]) -> None:
        """Groups that are named are taken up and laid down as it is said."""
        held = self.start(seat)
        groups = {self.number(pile): cards for pile, cards in piles.items()}
        for number in groups:
            self.require(number in self.table or number > self.used)
            held += Counter(self.table.pop(number, []))
        self.used = max([self.used, *groups])
        for number, cards in groups.items():
            self.require(Counter(cards) <= held)
            held -= Counter(cards)
            if cards:
                self.table[number] = cards
        self.laid(seat, held)

    def arrange_all(self, seat: str, groups: list[list[str]]) -> None:
        """Groups that are as they were keep their numbers."""
        named: dict[str, list[str]] = {f"meld:{number}": [] for number in self.table}
        used = self.used
        for group in groups:
            same = [pile for pile in named if not named[pile] and self.same(pile, group)]
            used += not same
            named[same[0] if same else f"meld:{used}"] = group
        self.arrange(seat, named)

    def same(self, pile: str, group: list[str]) -> bool:
        return Counter(self.table.get(self.number(pile), [])) == Counter(group)

    def move(self, seat: str, cards: list[str], source: str, to: str) -> None:
        held = self.start(seat)
        if source == seat:
            self.require(Counter(cards) <= held)
            held -= Counter(cards)
        else:
            group = self.table.get(self.number(source), [])
            self.require(Counter(cards) <= Counter(group))
            rest = list((Counter(group) - Counter(cards)).elements())
            self.table[self.number(source)] = rest
        if to == seat:
            held += Counter(cards)
        else:
            number = self.number(to)
            self.require(number in self.table or number > self.used)
            self.used = max(self.used, number)
            self.table[number] = self.table.get(number, []) + cards
        self.table = {number: group for number, group in self.table.items() if group}
        self.laid(seat, held)

    def laid(self, seat: str, held: Counter[str]) -> None:
        self.holds[seat] = held
        if not held and self.in_order():
            self.finish(seat)

    def in_order(self) -> bool:
        """Whether all groups are fair, no card of the table is in the hand, and one of the hand on the table."""
        assert self.before is not None
        _, table = self.before
        was = Counter(card for group in table.values() for card in group)
        now = Counter(card for group in self.table.values() for card in group)
        return was <= now and was != now and all(map(is_meld, self.table.values()))

    # What a hand comes to

    def finish(self, winner: str) -> None:
        self.hands.append({seat: int(seat == winner) for seat in self.seats})
        self.phase, self.before = "over", None

    def over(self) -> bool:
        return 0 < self.most <= len(self.hands)

    def totals(self) -> dict[str, int]:
        return {seat: sum(hand[seat] for hand in self.hands) for seat in self.seats}


def is_meld(cards: list[str]) -> bool:
    """Three or four of a rank in different suits, or three and more of a suit in sequence."""
    ranks, suits = {card[0] for card in cards}, {card[1] for card in cards}
    if len(cards) < 3 or len(set(cards)) < len(cards):
        return False
    windows = [set(RANKS[i : i + len(cards)]) for i in range(15 - len(cards))]
    return len(ranks) == 1 or (len(suits) == 1 and ranks in windows)


def cards_of(words: list[str]) -> list[str]:
    """The cards in these words, without the faces and the piles."""
    cards = "".join(word for word in words if word not in ("up", "down", "*", "-") and word[0] not in "<>")
    return [cards[i : i + 2] for i in range(0, len(cards), 2)]
