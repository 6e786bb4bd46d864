"""A second opinion on Briscola, written from the rule text alone: it shares nothing with Kibitz but a record's lines.

It reads lines with every card seen, says at which line something was against the rules for the first time, and what
each hand came to.
"""

from __future__ import annotations

COUNTS = {"A": 11, "3": 10, "K": 4, "Q": 3, "J": 2}
ORDER = "24567JQK3A"


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the seats in order, clockwise, and which card is out of the pack if three play."""

    def __init__(self, seats: list[str], removed_two: str = "2c") -> None:
        self.seats = seats
        self.pack = {rank + suit for rank in ORDER for suit in "cdhs"} - ({removed_two} if len(seats) == 3 else set())
        # Partners sit opposite each other.
        self.side = {seat: seats[i % 2] + seats[i % 2 + 2] if len(seats) == 4 else seat for i, seat in enumerate(seats)}
        self.dealer = ""
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
            self.play(by, rest[0])
        elif verb == "draw":
            self.draw(by, rest[0], "<upcard" in rest)
        elif verb == "call":
            self.look(by)
        elif verb == "end" and rest[0] == "hand":
            # It does not count, and anybody may deal next.
            self.dealer = ""

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    def after(self, seat: str) -> str:
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def round_from(self, seat: str) -> list[str]:
        i = self.seats.index(seat)
        return self.seats[i:] + self.seats[:i]

    def begin(self, dealer: str) -> None:
        self.require(not self.dealer or dealer == self.after(self.dealer))
        self.dealer = dealer
        self.holds: dict[str, list[str]] = {}
        self.stock: list[str] = []
        self.upcard = self.trump = ""
        self.points = dict.fromkeys(self.side.values(), 0)
        self.trick: list[tuple[str, str]] = []
        self.to_play = self.round_from(self.after(dealer))
        self.to_draw: list[str] = []
        self.looking = False

    def deal(self, piles: list[str]) -> None:
        for pile in piles:
            name, _, written = pile.partition("=")
            cards = [written[i : i + 2] for i in range(0, len(written), 2)]
            if name == "upcard":
                (self.upcard,) = cards
                self.trump = self.upcard[1]
            elif name == "stock":
                self.stock = cards
            else:
                self.require(len(cards) == 3)
                self.holds[name] = cards
        if self.stock:
            everything = [*self.stock, self.upcard, *(card for cards in self.holds.values() for card in cards)]
            self.require(set(everything) == self.pack and len(everything) == len(self.pack))

    def play(self, seat: str, card: str) -> None:
        self.require(not self.to_draw and self.to_play[:1] == [seat] and card in self.holds[seat])
        self.holds[seat].remove(card)
        self.to_play.pop(0)
        self.trick.append((seat, card))
        self.looking = False
        if not self.to_play:
            self.finish_trick()

    def finish_trick(self) -> None:
        led = self.trick[0][1][1]
        trumps = [one for one in self.trick if one[1][1] == self.trump]
        best = trumps or [one for one in self.trick if one[1][1] == led]
        winner, _ = max(best, key=lambda one: ORDER.index(one[1][0]))
        self.points[self.side[winner]] += sum(COUNTS.get(card[0], 0) for _, card in self.trick)
        self.trick = []
        self.to_play = self.round_from(winner)
        if self.upcard:
            self.to_draw = self.round_from(winner)
        elif not any(self.holds.values()):
            self.hands.append(self.points)

    def draw(self, seat: str, card: str, the_upcard: bool) -> None:
        self.require(self.to_draw[:1] == [seat] and the_upcard == (not self.stock))
        self.require(card == (self.stock.pop() if self.stock else self.upcard))
        if the_upcard:
            self.upcard = ""
            self.looking = len(self.seats) == 4
        self.to_draw.pop(0)
        self.holds[seat].append(card)

    def look(self, seat: str) -> None:
        self.require(self.looking)

    def winner(self) -> str:
        """Who has won the match, empty if it goes on."""
        most = 3 if len(self.seats) == 3 else 2
        if len(self.hands) < most:
            return ""
        ahead = list(dict.fromkeys(self.side.values()))
        total = {side: sum(hand[side] for hand in self.hands[:most]) for side in ahead}
        ahead = [side for side in ahead if total[side] == max(total.values())]
        for hand in self.hands[most:]:
            ahead = [side for side in ahead if hand[side] == max(hand[one] for one in ahead)]
        return ahead[0] if len(ahead) == 1 else ""
