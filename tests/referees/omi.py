"""A second opinion on Omi, written from the rule text alone: it shares nothing with Kibitz but a record's lines.

It reads lines with every card seen, says at which line something was against the rules for the first time, and what
each hand came to. It ignores the lines that it does not understand. It understands:

    W hand 1                    the dealer, who is the next one clockwise
    @ deal N=4 cards …          four each; the other four after the trumps, each part in as many lines as one likes
    E name s                    the trumps
    E play Ah
    N move * <trick >won:NS     a trick that is gathered; it may be left out
    @ end hand void             the hand does not count, and anybody may deal next

Options: `target` and `tie_extra` ("single": one extra point however many ties there were, or "accumulate").
"""

from __future__ import annotations

ORDER = "789TJQKA"


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the seats in order, clockwise, and the options."""

    def __init__(self, seats: list[str], target: int = 10, tie_extra: str = "single") -> None:
        self.seats = seats
        # Partners sit opposite each other.
        self.side = {seat: seats[i % 2] + seats[i % 2 + 2] for i, seat in enumerate(seats)}
        self.target, self.accumulate = target, tie_extra == "accumulate"
        self.pack = {rank + suit for rank in ORDER for suit in "cdhs"}
        self.next_dealer = ""
        self.done = True
        self.extra = 0
        self.hands: list[dict[str, int]] = []
        self.to_play: list[str] = []

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
        elif verb == "name":
            self.name(by, rest[0])
        elif verb == "play":
            self.play(by, rest[0])
        elif verb == "move":
            self.gather(by, rest)
        elif verb == "end" and rest[0] == "hand":
            self.next_dealer = self.next_dealer if self.done else ""
            self.done, self.to_play = True, []

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    def round_from(self, seat: str) -> list[str]:
        i = self.seats.index(seat)
        return self.seats[i:] + self.seats[:i]

    def begin(self, dealer: str) -> None:
        self.require(self.done and not self.winner() and self.next_dealer in ("", dealer))
        self.declarer = self.next_dealer = self.round_from(dealer)[1]
        self.done, self.trump = False, ""
        self.holds: dict[str, set[str]] = {seat: set() for seat in self.seats}
        self.dealt: set[str] = set()
        self.to_play = []
        self.trick: list[tuple[str, str]] = []
        self.last: list[tuple[str, str]] = []
        self.last_winner, self.gathered = "", True
        self.tricks = dict.fromkeys(self.side.values(), 0)

    def deal(self, piles: list[str]) -> None:
        for pile in piles:
            name, _, written = pile.partition("=")
            for i in range(0, len(written), 2):
                card = written[i : i + 2]
                self.require(card in self.pack and card not in self.dealt)
                self.dealt.add(card)
                self.holds[name].add(card)
            self.require(len(self.holds[name]) <= (8 if self.trump else 4))
        if len(self.dealt) == 32:
            self.to_play = self.round_from(self.declarer)

    def name(self, seat: str, suit: str) -> None:
        """After four cards each and before the rest, by the declarer, who need not hold the suit."""
        self.require(len(self.dealt) == 16 and not self.trump and seat == self.declarer and suit in set("cdhs"))
        self.trump = suit

    def legal(self, seat: str) -> set[str]:
        """The cards that a seat may play when it is its turn."""
        held = self.holds[seat]
        return {card for card in held if self.trick and card[1] == self.trick[0][1][1]} or held

    def play(self, seat: str, card: str) -> None:
        self.require(self.to_play[:1] == [seat] and card in self.legal(seat))
        self.to_play.pop(0)
        self.holds[seat].remove(card)
        self.trick.append((seat, card))
        self.last, self.gathered = list(self.trick), True
        if not self.to_play:
            self.finish_trick()

    def finish_trick(self) -> None:
        led = self.trick[0][1][1]
        trumps = [one for one in self.trick if one[1][1] == self.trump]
        best = trumps or [one for one in self.trick if one[1][1] == led]
        winner, _ = max(best, key=lambda one: ORDER.index(one[1][0]))
        self.tricks[self.side[winner]] += 1
        self.last_winner, self.gathered, self.trick = winner, False, []
        if any(self.holds.values()):
            self.to_play = self.round_from(winner)
        else:
            self.finish_hand()

    def finish_hand(self) -> None:
        points = dict.fromkeys(self.tricks, 0)
        side = max(self.tricks, key=lambda one: self.tricks[one])
        if self.tricks[side] == 4:
            self.extra = self.extra + 1 if self.accumulate else 1
        else:
            usual = 1 if side == self.side[self.declarer] else 2
            points[side] = (3 if self.tricks[side] == 8 else usual) + self.extra
            self.extra = 0
        self.hands.append(points)
        self.done = True

    def gather(self, by: str, rest: list[str]) -> None:
        self.require(not self.gathered and by in ("@", self.last_winner))
        self.require(self.side.get(rest[-1][5:], rest[-1][5:]) == self.side[self.last_winner])
        cards = "".join(word for word in rest if word[0] not in "<>*")
        self.require(
            not cards or {cards[i : i + 2] for i in range(0, len(cards), 2)} == {card for _, card in self.last}
        )
        self.gathered = True

    def totals(self) -> dict[str, int]:
        return {side: sum(hand[side] for hand in self.hands) for side in self.side.values()}

    def winner(self) -> str:
        """Who has won the match, empty if it goes on. Only one side scores in a hand."""
        return next((side for side, total in self.totals().items() if total >= self.target), "")
