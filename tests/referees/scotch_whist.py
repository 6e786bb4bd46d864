"""A second opinion on Scotch Whist, written from the rule text alone: it shares nothing with Kibitz but a record's
lines.

It reads lines with every card seen, says at which line something was against the rules for the first time, and what
each hand came to. It ignores the lines that it does not understand. It understands:

    D hand 1                    the dealer, who is the next one clockwise
    @ deal A=… B=… C=… D=…      in as many lines as one likes
    @ deal up D=7h              the card that is turned up, the dealer's last; `@ deal up upcard=7h` and `@ show 7h <D`
                                or `D show 7h` are the same. It may be one that was dealt already
    A play 9h
    A move * <trick >won:A      a trick that is gathered; it may be left out
    @ end hand void             the hand does not count, and anybody may deal next

Everybody plays alone, two to seven. Option: `target`.
"""

from __future__ import annotations

PLAIN = "6789TJQKA"
TRUMPS = "6789TQKAJ"


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the seats in order, clockwise, and the option."""

    def __init__(self, seats: list[str], target: int = 41) -> None:
        self.seats, self.target = seats, target
        self.pack = {rank + suit for rank in PLAIN for suit in "cdhs"}
        if len(seats) in (5, 7):
            self.pack.remove("6c")
        self.each = len(self.pack) // len(seats)
        self.dealer = self.next_dealer = ""
        self.done = True
        self.hands: list[dict[str, int]] = []
        self.winners: list[str] = []
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
            self.deal([word for word in rest if "=" in word], "up" in rest)
        elif verb == "show":
            if (by == self.dealer or "<" + self.dealer in rest) and not self.last:
                self.turn_up(rest[0])
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

    # The deal

    def begin(self, dealer: str) -> None:
        self.require(self.done and not self.winners and self.next_dealer in ("", dealer))
        self.dealer, self.next_dealer, self.done = dealer, self.round_from(dealer)[1], False
        self.holds: dict[str, set[str]] = {seat: set() for seat in self.seats}
        self.dealt: set[str] = set()
        self.trump = self.turned = ""
        self.to_play = []
        self.trick: list[tuple[str, str]] = []
        self.last: list[tuple[str, str]] = []
        self.last_winner, self.gathered = "", True
        self.won: dict[str, set[str]] = {seat: set() for seat in self.seats}

    def deal(self, piles: list[str], face_up: bool) -> None:
        for pile in piles:
            name, _, written = pile.partition("=")
            name = self.dealer if name == "upcard" else name
            for i in range(0, len(written), 2):
                card = written[i : i + 2]
                if not (face_up and card in self.holds[name]):
                    self.require(card in self.pack and card not in self.dealt)
                    self.dealt.add(card)
                    self.holds[name].add(card)
                if face_up:
                    self.turn_up(card)
            self.require(len(self.holds[name]) <= self.each)
        if self.dealt == self.pack and not self.to_play:
            self.to_play = self.round_from(self.round_from(self.dealer)[1])

    def turn_up(self, card: str) -> None:
        self.require(self.turned in ("", card) and card in self.holds[self.dealer])
        self.turned, self.trump = card, card[1]

    # Play

    def legal(self, seat: str) -> set[str]:
        """The cards that a seat may play when it is its turn."""
        held = self.holds[seat]
        return {card for card in held if self.trick and card[1] == self.trick[0][1][1]} or held

    def play(self, seat: str, card: str) -> None:
        self.require(self.to_play[:1] == [seat] and self.trump != "" and card in self.legal(seat))
        self.to_play.pop(0)
        self.holds[seat].remove(card)
        self.trick.append((seat, card))
        self.last, self.gathered = list(self.trick), True
        if not self.to_play:
            self.finish_trick()

    def finish_trick(self) -> None:
        led = self.trick[0][1][1]
        trumps = [one for one in self.trick if one[1][1] == self.trump]
        best, order = (trumps, TRUMPS) if trumps else ([one for one in self.trick if one[1][1] == led], PLAIN)
        winner, _ = max(best, key=lambda one: order.index(one[1][0]))
        self.won[winner] |= {card for _, card in self.trick}
        self.last_winner, self.gathered, self.trick = winner, False, []
        if any(self.holds.values()):
            self.to_play = self.round_from(winner)
        else:
            self.finish_hand()

    def finish_hand(self) -> None:
        """In the order in which the points are scored: the ten, the cards, then ace, king, queen and jack of trumps."""
        running = self.totals()
        steps = [self.honour("T", 10), {seat: max(len(cards) - self.each, 0) for seat, cards in self.won.items()}]
        steps += [self.honour(rank, points) for rank, points in (("A", 4), ("K", 3), ("Q", 2), ("J", 11))]
        self.hands.append({seat: sum(step[seat] for step in steps) for seat in self.seats})
        self.done = True
        for step in steps:
            running = {seat: running[seat] + step[seat] for seat in self.seats}
            there = [seat for seat in self.seats if running[seat] >= self.target]
            if there:
                # Only the cards can bring several there at once: then the higher sum counts, there or at the end.
                totals = self.totals()
                best = max((running[seat], totals[seat]) for seat in there)
                self.winners = [seat for seat in there if (running[seat], totals[seat]) == best]
                return

    def honour(self, rank: str, points: int) -> dict[str, int]:
        return {seat: points * (rank + self.trump in cards) for seat, cards in self.won.items()}

    def gather(self, by: str, rest: list[str]) -> None:
        self.require(not self.gathered and by in ("@", self.last_winner) and rest[-1] == ">won:" + self.last_winner)
        cards = "".join(word for word in rest if word[0] not in "<>*")
        self.require(
            not cards or {cards[i : i + 2] for i in range(0, len(cards), 2)} == {card for _, card in self.last}
        )
        self.gathered = True

    # The match

    def totals(self) -> dict[str, int]:
        return {seat: sum(hand[seat] for hand in self.hands) for seat in self.seats}

    def winner(self) -> str:
        """Who has won the match, empty if it goes on or is shared (`winners` has all of them)."""
        return self.winners[0] if len(self.winners) == 1 else ""
