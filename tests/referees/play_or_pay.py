"""A second opinion on Play or Pay, written from the rule text alone.

It shares nothing with Kibitz but a record's lines. It reads lines with every card seen, says at which line something
was against the rules for the first time, and what each hand came to. It ignores the lines that it does not understand.
It understands:

    C hand 1                    the dealer, who is the next one clockwise
    @ deal A=… B=… C=…          the whole pack, in as many lines as one likes; the hands differ by one card at the most
    A play 6c
    B pay 1 >pot                cannot go on; before a card that goes on some of these or all may be left out;
                                `B pass` if there is no credit and B has no chip
    B show 3h4hKd               what B has left, at the end; it may be left out
    B pay 3 >pot                a chip for each of these cards, and
    @ pay 39 <pot >A            the whole pot for the winner; both may be left out
    @ end hand void             the hand does not count, and anybody may deal next

`hands` has what each seat won or lost in each hand, `paid` and `left` what each paid during the last one and the cards
that were left then, `won` who won each.
Options: `hands`, how many are played (0: as long as one likes), `chips`, `credit` (if not, who has no chip left
pays nothing more) and `until_broke` (the match ends when somebody has no chip left).
"""

from __future__ import annotations

RANKS = "A23456789TJQK"


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the seats in order, clockwise, and the options."""

    def __init__(
        self, seats: list[str], hands: int = 10, chips: int = 0, credit: bool = True, until_broke: bool = False
    ) -> None:
        self.seats, self.most, self.credit, self.until_broke = seats, hands, credit, until_broke
        self.chips = dict.fromkeys(seats, chips)
        self.pack = {rank + suit for rank in RANKS for suit in "cdhs"}
        self.next_dealer = ""
        # The phases: deal, play, and over.
        self.phase = "over"
        self.hands: list[dict[str, int]] = []
        self.won: list[str] = []

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
            self.play(by, cards_of(rest))
        elif verb == "pay" and self.phase == "over":
            self.settle(by, int(rest[0]), rest[1:])
        elif verb == "pay":
            self.require(int(rest[0]) == 1 and rest[1:] in ([], [">pot"]))
            self.require(self.credit or self.chips[by] > 0)
            self.pay(by)
        elif verb == "pass":
            self.require(not self.credit and self.chips[by] == 0)
            self.pay(by)
        elif verb == "show":
            self.require(set(cards_of(rest)) <= self.holds.get(by, set()))
        elif verb == "end" and rest[0] == "hand":
            self.next_dealer = self.next_dealer if self.phase == "over" else ""
            self.give_back()
            self.phase = "over"

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    def round_from(self, seat: str) -> list[str]:
        i = self.seats.index(seat)
        return self.seats[i:] + self.seats[:i]

    # The deal

    def begin(self, dealer: str) -> None:
        self.require(self.phase == "over" and not self.over() and self.next_dealer in ("", dealer))
        self.turn = self.next_dealer = self.round_from(dealer)[1]
        self.phase = "deal"
        self.holds: dict[str, set[str]] = {seat: set() for seat in self.seats}
        self.unseen = set(self.pack)
        # The card that is due, empty if a sequence has to be begun, and how many lie in the sequence.
        self.due, self.count = "", 0
        self.paid = dict.fromkeys(self.seats, 0)
        self.left = dict.fromkeys(self.seats, 0)
        self.owed: dict[str, int] = {}

    def deal(self, piles: list[str]) -> None:
        for pile in piles:
            name, _, written = pile.partition("=")
            cards = cards_of([written])
            self.require(self.phase == "deal" and name in self.holds)
            self.require(len(set(cards)) == len(cards) and set(cards) <= self.unseen)
            self.unseen -= set(cards)
            self.holds[name] |= set(cards)
            self.require(len(self.holds[name]) <= -(-52 // len(self.seats)))
        if self.phase == "deal" and not self.unseen:
            sizes = [len(held) for held in self.holds.values()]
            self.require(max(sizes) - min(sizes) <= 1)
            self.phase = "play"

    # The play

    def legal(self, seat: str) -> set[str]:
        """The cards that a seat may play when it is its turn; none: it pays."""
        return self.holds[seat] & {self.due} if self.due else set(self.holds[seat])

    def play(self, seat: str, cards: list[str]) -> None:
        self.require(self.phase == "play" and len(cards) == 1 and cards[0] in self.legal(seat))
        self.require(self.due != "" or seat == self.turn)
        while self.turn != seat:
            self.pay(self.turn)
        self.holds[seat].remove(cards[0])
        self.count += 1
        if not self.holds[seat]:
            self.finish(seat)
        elif self.count == 13:
            self.due, self.count = "", 0
        else:
            self.due = RANKS[(RANKS.index(cards[0][0]) + 1) % 13] + cards[0][1]
            self.turn = self.round_from(seat)[1]

    def pay(self, seat: str) -> None:
        self.require(self.phase == "play" and self.due != "" and seat == self.turn and not self.legal(seat))
        self.put(seat, 1)
        self.turn = self.round_from(seat)[1]

    def put(self, seat: str, amount: int) -> int:
        amount = amount if self.credit else min(amount, self.chips[seat])
        self.chips[seat] -= amount
        self.paid[seat] += amount
        return amount

    # What a hand comes to

    def finish(self, winner: str) -> None:
        before = dict(self.paid)
        self.left = {seat: len(self.holds[seat]) for seat in self.seats}
        self.owed = {seat: self.put(seat, self.left[seat]) for seat in self.seats}
        pot = sum(self.paid.values())
        self.chips[winner] += pot
        self.owed["pot"] = pot
        self.hands.append({seat: pot * (seat == winner) - self.paid[seat] for seat in self.seats})
        self.won.append(winner)
        self.paid = before
        self.phase = "over"

    def settle(self, by: str, amount: int, piles: list[str]) -> None:
        """Each sum is paid at once and once."""
        if "<pot" in piles:
            self.require(piles[-1] == ">" + self.won[-1] and by in ("@", self.won[-1]))
            by = "pot"
        self.require(amount > 0 and self.owed.get(by) == amount and (by == "pot" or piles in ([], [">pot"])))
        del self.owed[by]

    def give_back(self) -> None:
        if self.phase == "play":
            for seat in self.seats:
                self.chips[seat] += self.paid[seat]

    def over(self) -> bool:
        broke = self.until_broke and any(chips <= 0 for chips in self.chips.values())
        return broke or 0 < self.most <= len(self.hands)

    def totals(self) -> dict[str, int]:
        return dict(self.chips)


def cards_of(words: list[str]) -> list[str]:
    """The cards in these words, without the faces and the piles."""
    cards = "".join(word for word in words if word not in ("up", "down", "*") and word[0] not in "<>")
    return [cards[i : i + 2] for i in range(0, len(cards), 2)]
