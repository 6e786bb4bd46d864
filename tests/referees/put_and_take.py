"""A second opinion on Put and Take, written from the rule text alone.

It shares nothing with Kibitz but a record's lines. It reads lines with every card seen, says at which line something
was against the rules for the first time, and what each hand came to. It ignores the lines that it does not understand.
It understands:

    D hand 1                    the dealer, who is the next one clockwise
    @ deal A=… B=… C=…          five each and none to the dealer, in as many lines as one likes
    @ deal down stock=…         the other cards, the top one last; it may be left out
    D play 6c <stock            the dealer turns a card: five in the put round, then five in the take round
    B pay 2 >pot                what B owes for the card that was turned last; it may be left out
    @ pay 3 <pot >B, D pay 2 >B what B is owed for it, as far as the pot reaches and then from the dealer, or nothing
    @ move * <board >dead       the five cards of a round that is over; it may be left out
    @ pay 7 <pot >D             what is left in the pot after the last card; it may be left out
    A show 6h6s                 cards of a hand
    @ end hand void             the hand does not count, and anybody may deal next

The pot serves those who are owed something in their order from the dealer's left.

`hands` has what each seat won or lost in each hand. Options: `rates` ("linear" or "doubling") and `hands`, how many are
played (0: as long as one likes).
"""

from __future__ import annotations

RATES = {"linear": [1, 2, 3, 4, 5], "doubling": [1, 2, 4, 8, 16]}


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the seats in order, clockwise, and the options."""

    def __init__(self, seats: list[str], rates: str = "linear", hands: int = 0) -> None:
        self.seats, self.rates, self.most = seats, RATES[rates], hands
        self.pack = {rank + suit for rank in "A23456789TJQK" for suit in "cdhs"}
        self.next_dealer = ""
        self.done = True
        self.hands: list[dict[str, int]] = []

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
        if verb == "hand":
            self.begin(by)
        elif verb == "deal":
            self.deal([word for word in rest if "=" in word])
        elif verb == "play":
            self.turn(by, cards_of(rest))
        elif verb == "pay":
            self.pay(by, int(rest[0]), *ends(rest))
        elif verb == "move":
            self.put_away(by, cards_of(rest), *ends(rest))
        elif verb == "show":
            self.require(set(cards_of(rest)) <= set(self.holds.get(by, ())))
        elif verb == "end" and rest[0] == "hand":
            self.next_dealer = self.next_dealer if self.done else ""
            self.done, self.count = True, 11

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    def begin(self, dealer: str) -> None:
        self.require(self.done and not self.over() and self.next_dealer in ("", dealer))
        i = self.seats.index(dealer)
        self.dealer, self.order = dealer, self.seats[i + 1 :] + self.seats[:i]
        self.next_dealer, self.done = self.order[0], False
        self.holds: dict[str, list[str]] = {seat: [] for seat in self.order}
        self.seen: set[str] = set()
        self.stock: list[str] = []
        self.board: list[str] = []
        # How many cards were turned, what lies in the pot, and what each has won so far.
        self.count = self.pot = 0
        self.won = dict.fromkeys(self.seats, 0)
        # What may still be written for the last card, as from, to and the amount.
        self.owed: dict[tuple[str, str], int] = {}

    def deal(self, piles: list[str]) -> None:
        for pile in piles:
            name, _, written = pile.partition("=")
            cards = cards_of([written])
            self.require(self.count == 0 and not self.done)
            self.require(len(set(cards)) == len(cards) and set(cards) <= self.pack - self.seen)
            self.seen |= set(cards)
            if name == "stock":
                self.require(not self.stock and len(cards) == 52 - 5 * len(self.order))
                self.stock = cards
            else:
                self.require(name in self.holds)
                self.holds[name] += cards
                self.require(len(self.holds[name]) <= 5)

    def turn(self, by: str, cards: list[str]) -> None:
        self.require(not self.done and by == self.dealer and len(cards) == 1)
        self.require(all(len(held) == 5 for held in self.holds.values()))
        if self.stock:
            self.require(cards == [self.stock.pop()])
        else:
            self.require(cards[0] in self.pack - self.seen)
        self.seen.add(cards[0])
        if self.count == 5:
            self.board = []
        self.board.append(cards[0])
        rate = self.rates[self.count % 5]
        self.count, self.owed = self.count + 1, {}
        for seat in self.order:
            due = rate * sum(card[0] == cards[0][0] for card in self.holds[seat])
            self.settle(seat, due)
        if self.count == 10:
            self.finish_hand()

    def settle(self, seat: str, due: int) -> None:
        if self.count <= 5:
            self.owed[seat, "pot"] = due
            self.pot += due
            self.won[seat] -= due
        else:
            drawn = min(due, self.pot)
            self.owed["pot", seat], self.owed[self.dealer, seat] = drawn, due - drawn
            self.pot -= drawn
            self.won[seat] += due
            self.won[self.dealer] -= due - drawn

    def finish_hand(self) -> None:
        self.owed["pot", self.dealer] = self.pot
        self.won[self.dealer] += self.pot
        self.hands.append(self.won)
        self.done = True

    def pay(self, by: str, amount: int, source: str, to: str) -> None:
        """Each sum is paid at once and once."""
        source = source or by
        self.require(by in ("@", source, to) and amount > 0 and self.owed.get((source, to)) == amount)
        del self.owed[source, to]

    def put_away(self, by: str, cards: list[str], source: str, to: str) -> None:
        self.require(by in ("@", self.dealer) and (source, to) == ("board", "dead"))
        self.require(len(self.board) == 5 and (not cards or set(cards) == set(self.board)))
        self.board = []

    def over(self) -> bool:
        return 0 < self.most <= len(self.hands)

    def totals(self) -> dict[str, int]:
        return {seat: sum(hand[seat] for hand in self.hands) for seat in self.seats}


def cards_of(words: list[str]) -> list[str]:
    """The cards in these words, without the faces and the piles."""
    cards = "".join(word for word in words if word not in ("up", "down", "*") and word[0] not in "<>")
    return [cards[i : i + 2] for i in range(0, len(cards), 2)]


def ends(words: list[str]) -> tuple[str, str]:
    """The piles from and to that these words name."""
    piles = {word[0]: word[1:] for word in words if word[0] in "<>"}
    return piles.get("<", ""), piles.get(">", "")
