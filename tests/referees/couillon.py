"""A second opinion on Couillon, written from the rule text alone: it shares nothing with Kibitz but a record's lines.

It reads lines with every card seen, says at which line something was against the rules for the first time, and what
each hand came to. It ignores the lines that it does not understand. It understands:

    W hand 1                    the dealer, who is the next one clockwise @ deal N=4 cards …          in as many
    lines as one likes @ deal up upcard=7h         the top card of the stub @ deal down stock=…         the rest of
    it, from the bottom; without it the bottom card must be shown before the lead N pass, N call accept       the
    suit of the upcard is declined or accepted; `N call decline` is a pass W show 9s <stock_           the bottom
    card, after four passes; may be left out if the stock is known N play 9s N move * <trick >won:NS     a trick that
    is gathered; it may be left out @ end hand void             the hand does not count, and anybody may deal next

`hands` has the points of each hand, `winners` which side won it (empty for a tie), `strokes` what is still to be
erased.

Options: `lines` (at the start), `deck` (32, or 24 without eights and sevens) and `double_penalty` (True: two marks
for the side that accepted and lost a hand that counts double).
"""

from __future__ import annotations

ORDER = "789TJQKA"
COUNTS = {"A": 4, "K": 3, "Q": 2, "J": 1}


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the seats in order, clockwise, and the options."""

    def __init__(self, seats: list[str], lines: int = 5, deck: int = 32, double_penalty: bool = False) -> None:
        self.seats = seats
        # Partners sit opposite each other.
        self.side = {seat: seats[i % 2] + seats[i % 2 + 2] for i, seat in enumerate(seats)}
        self.pack = {rank + suit for rank in ORDER[8 - deck // 4 :] for suit in "cdhs"}
        self.double_penalty = double_penalty
        self.next_dealer = self.phase = ""
        self.hands: list[dict[str, int]] = []
        self.winners: list[str] = []
        self.strokes = dict.fromkeys(self.side.values(), lines)
        self.double = False
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
        elif verb == "pass" or (verb == "call" and rest[0] in ("accept", "decline")):
            self.speak(by, verb == "call" and rest[0] == "accept")
        elif verb == "name":
            # Nobody names a suit.
            self.require(False)
        elif verb == "show" and rest[-1].startswith("<stock"):
            self.show_bottom(rest[0])
        elif verb == "play":
            self.play(by, rest[0])
        elif verb == "move":
            self.gather(by, rest)
        elif verb == "end" and rest[0] == "hand":
            self.next_dealer = self.next_dealer if self.phase == "" else ""
            self.phase, self.to_play = "", []

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    def round_from(self, seat: str) -> list[str]:
        i = self.seats.index(seat)
        return self.seats[i:] + self.seats[:i]

    # The deal and the trumps

    def begin(self, dealer: str) -> None:
        self.require(self.phase == "" and not self.winner() and self.next_dealer in ("", dealer))
        self.first = self.next_dealer = self.round_from(dealer)[1]
        self.phase, self.trump, self.accepted = "deal", "", ""
        self.holds: dict[str, list[str]] = {seat: [] for seat in self.seats}
        self.stock: list[str] = []
        self.upcard = self.bottom = ""
        self.to_speak = self.round_from(self.first)
        self.to_play = []
        self.trick: list[tuple[str, str]] = []
        self.last: list[tuple[str, str]] = []
        self.last_winner, self.gathered = "", True
        self.points = dict.fromkeys(self.side.values(), 0)

    def deal(self, piles: list[str]) -> None:
        self.require(self.phase in ("deal", "offer"))
        for pile in piles:
            name, _, written = pile.partition("=")
            cards = [written[i : i + 2] for i in range(0, len(written), 2)]
            if name == "upcard":
                self.require(not self.upcard)
                (self.upcard,) = cards
            else:
                (self.stock if name == "stock" else self.holds[name]).extend(cards)
        dealt = [*self.stock, *(card for held in self.holds.values() for card in held)]
        dealt += [self.upcard] if self.upcard else []
        self.require(len(set(dealt)) == len(dealt) and set(dealt) <= self.pack)
        self.require(len(self.stock) <= len(self.pack) - 17 and all(len(held) <= 4 for held in self.holds.values()))
        if self.upcard and all(len(held) == 4 for held in self.holds.values()):
            self.phase = "offer"

    def speak(self, seat: str, accepts: bool) -> None:
        """Once round the table, until somebody accepts."""
        self.require(self.phase == "offer" and self.to_speak[:1] == [seat])
        self.to_speak.pop(0)
        if accepts:
            self.accepted = self.side[seat]
            self.begin_play(self.upcard[1])
        elif not self.to_speak:
            self.phase = "bottom"
            if len(self.stock) == len(self.pack) - 17:
                self.bottom = self.stock[0]
                self.begin_play(self.bottom[1])

    def show_bottom(self, card: str) -> None:
        self.require((self.phase == "bottom" or (self.phase == "play" and self.bottom != "")) and not self.last)
        self.require(self.bottom in ("", card) and card in self.pack and card != self.upcard)
        self.require(not any(card in held for held in self.holds.values()))
        if not self.bottom:
            self.bottom = card
            self.begin_play(card[1])

    def begin_play(self, trump: str) -> None:
        self.trump, self.phase = trump, "play"
        self.to_play = self.round_from(self.first)

    # Play

    def legal(self, seat: str) -> set[str]:
        """The cards that a seat may play when it is its turn: a trump always, else the suit led if it has one."""
        held = set(self.holds[seat])
        led = self.trick[0][1][1] if self.trick else ""
        if not any(card[1] == led for card in held):
            return held
        return {card for card in held if card[1] in (led, self.trump)}

    def play(self, seat: str, card: str) -> None:
        self.require(self.phase == "play" and self.to_play[:1] == [seat] and card in self.legal(seat))
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
        self.points[self.side[winner]] += sum(COUNTS.get(card[0], 0) for _, card in self.trick)
        self.last_winner, self.gathered, self.trick = winner, False, []
        if any(self.holds.values()):
            self.to_play = self.round_from(winner)
        else:
            self.finish_hand()

    def finish_hand(self) -> None:
        """The winner erases; the side that accepted and lost gets a mark; a tie leaves it all to the next hand."""
        self.hands.append(self.points)
        self.phase = ""
        one, other = self.points
        if self.points[one] == self.points[other]:
            self.winners.append("")
            self.double = True
            return
        winner, loser = (one, other) if self.points[one] > self.points[other] else (other, one)
        self.winners.append(winner)
        self.strokes[winner] = max(self.strokes[winner] - (2 if self.double else 1), 0)
        if self.accepted == loser:
            self.strokes[loser] += 2 if self.double and self.double_penalty else 1
        self.double = False

    def gather(self, by: str, rest: list[str]) -> None:
        self.require(not self.gathered and by in ("@", self.last_winner))
        self.require(rest[-1] in (">won:" + self.side[self.last_winner], ">won:" + self.last_winner))
        cards = "".join(word for word in rest if word[0] not in "<>*")
        self.require(
            not cards or {cards[i : i + 2] for i in range(0, len(cards), 2)} == {card for _, card in self.last}
        )
        self.gathered = True

    def winner(self) -> str:
        """Who has won the match, empty if it goes on. Only the winner of a hand erases."""
        return next((side for side, left in self.strokes.items() if left == 0), "")
