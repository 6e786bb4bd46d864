"""A second opinion on Put and Take, written from the rule text alone.

It shares nothing with Kibitz but a record's lines. It reads lines with every card seen, says at which line something
was against the rules for the first time, and what each hand came to. It ignores the lines that it does not understand.
It understands:

    D hand 1                    the dealer, who is the next one clockwise
    @ deal A=… B=… C=…          five each and none to the dealer, in as many lines as one likes
    @ deal down stock=…         the other cards, the top one last; it may be left out
    D play 6c <stock            the dealer turns a card: five in the put round, then five in the take round
    B pay 2 >pot                what B owes for the card that was turned last
    B pay 3 <pot, D pay 2 >B    what B is owed for it, as far as the pot reaches, then from the dealer
    @ move * <board >dead       the five cards of a round that is over; it may be left out
    @ pay 7 <pot >D             what is left in the pot after the last card; it may be left out
    D pass                      everything is paid for the last card; it may be left out
    A show 6h6s                 cards of a hand
    @ end hand void             the hand does not count, and anybody may deal next

The payments of a hand may be left out, but not some of them: the next card comes too early then, and after the last one
the next hand, or what says that this one is over.

`hands` has what each seat won or lost in each hand. Options: `rates` ("linear" or "doubling"), `credit` (chips
for each) and `hands`, how many are played (0: as long as one likes).
"""

from __future__ import annotations

RATES = {"linear": [1, 2, 3, 4, 5], "doubling": [1, 2, 4, 8, 16]}


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the seats in order, clockwise, and the options."""

    def __init__(self, seats: list[str], rates: str = "linear", credit: int = 1, hands: int = 0) -> None:
        self.seats, self.rates, self.most = seats, [credit * rate for rate in RATES[rates]], hands
        self.pack = {rank + suit for rank in "A23456789TJQK" for suit in "cdhs"}
        self.next_dealer = ""
        self.done = True
        self.hands: list[dict[str, int]] = []
        # What each owes or is owed for the last card; whether payments are written, and the first line without one.
        self.owed: dict[str, int] = {}
        self.paying, self.skipped = False, 0
        # The line that is read, and the one to blame for a payment that was left out.
        self.at = self.blamed = 0

    def read(self, lines: list[str]) -> int:
        """The first line against the rules, counted from 1; 0 if there is none."""
        for self.at, line in enumerate(lines, 1):
            try:
                self.line(line.split())
            except Against:
                return self.blamed or self.at
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
        elif verb == "pass":
            self.require(self.done and self.paid_up())
        elif verb == "end" and rest[0] == "hand":
            self.require(not self.done or self.paid_up())
            self.next_dealer = self.next_dealer if self.done else ""
            self.done, self.count = True, 11

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    def begin(self, dealer: str) -> None:
        self.require(self.done and not self.over() and self.next_dealer in ("", dealer) and self.paid_up())
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
        self.owed = {}
        self.paying, self.skipped = False, 0

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
        if any(self.owed.values()):
            self.require(not self.paying)
            self.skipped = self.skipped or self.at
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
        # What the pot and the dealer pay for this card.
        self.in_pot = self.from_dealer = 0
        for seat in self.order:
            due = rate * sum(card[0] == cards[0][0] for card in self.holds[seat])
            self.settle(seat, due)
        if self.count == 10:
            self.finish_hand()

    def settle(self, seat: str, due: int) -> None:
        self.owed[seat] = due
        self.won[seat] += due if self.count > 5 else -due
        if self.count <= 5:
            self.pot += due
        else:
            drawn = min(due, self.pot)
            self.pot -= drawn
            self.in_pot += drawn
            self.from_dealer += due - drawn
            self.won[self.dealer] -= due - drawn

    def finish_hand(self) -> None:
        self.won[self.dealer] += self.pot
        self.hands.append(self.won)
        self.done = True

    def pay(self, by: str, amount: int, source: str, to: str) -> None:
        """Each sum is paid at once and once; if the pot is short it serves whoever comes first."""
        if self.skipped:
            self.blamed = self.skipped
            raise Against
        self.paying = True
        source, to = source or by, to or by
        self.require(by in ("@", source, to) and amount > 0)
        if to == "pot":
            self.require(0 < self.count <= 5 and self.owed.get(source) == amount)
            self.owed[source] = 0
        elif (source, to) == ("pot", self.dealer):
            self.require(self.done and self.pot == amount)
            self.pot = 0
        else:
            self.require(self.count > 5 and source in ("pot", self.dealer) and to in self.owed)
            due, left = self.owed[to], self.in_pot if source == "pot" else self.from_dealer
            self.require(amount == min(due, left))
            self.owed[to] -= amount
            self.in_pot -= amount * (source == "pot")
            self.from_dealer -= amount * (source != "pot")

    def put_away(self, by: str, cards: list[str], source: str, to: str) -> None:
        self.require(by in ("@", self.dealer) and (source, to) == ("board", "dead"))
        self.require(len(self.board) == 5 and (not cards or set(cards) == set(self.board)))
        self.board = []

    def paid_up(self) -> bool:
        """Whether nobody is owed anything for the last card, as far as payments are written."""
        return not (self.paying and any(self.owed.values()))

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
