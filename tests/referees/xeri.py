"""A second opinion on Xeri, written from the rule text alone: it shares nothing with Kibitz but a record's lines.

It reads lines with every card seen, says at which line something was against the rules for the first time, and what
each hand came to. It ignores the lines that it does not understand. It understands:

    B hand 1                    the dealer; the deal alternates
    @ deal A=… B=…              six each, now and whenever both are out; `@ deal up board=…` is the first pile
    @ shuffle * <board >stock   after a pile that is dealt again, and then a new one; the shuffle may be left out
    @ deal down stock=…         the other cards, the top one last; it may be left out. If it is written, later deals
                                may be left out: six to the one who plays first, then six to the dealer
    A play 7c
    A capture 7c/…              the same, and it has to take just these cards, or `*`
    A call xeri                 after a xeri of his own
    @ move * <board >won:A      a pile that is taken; it may be left out
    @ end hand void             the hand does not count, and anybody may deal next

`hands` has the points of each hand, `winners` who won it, empty for a tie.
Options: `hands` of a match, `xeri_points`, `jack_xeri_points` and `misdeal` ("top" or "deep": a jack or two equal ranks
anywhere in the first pile).
"""

from __future__ import annotations


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the two seats and the options."""

    def __init__(
        self, seats: list[str], hands: int = 3, xeri_points: int = 10, jack_xeri_points: int = 10, misdeal: str = "top"
    ) -> None:
        self.seats, self.most, self.deep = seats, hands, misdeal == "deep"
        self.xeri_points, self.jack_xeri_points = xeri_points, jack_xeri_points
        self.pack = {rank + suit for rank in "A23456789TJQK" for suit in "cdhs"}
        self.next_dealer = ""
        self.done = True
        self.hands: list[dict[str, int]] = []
        self.winners: list[str] = []

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
        elif verb == "shuffle":
            self.shuffle()
        elif verb == "play":
            self.play(by, cards_of(rest))
        elif verb == "capture":
            self.capture(by, rest[0])
        elif verb == "call" and rest[0] == "xeri":
            self.require(self.last_xeri == by)
        elif verb == "move":
            self.gather(by, cards_of(rest), rest[-1])
        elif verb == "end" and rest[0] == "hand":
            self.next_dealer = self.next_dealer if self.done else ""
            self.done = True

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    # The deal

    def begin(self, dealer: str) -> None:
        self.require(self.done and not self.over() and self.next_dealer in ("", dealer))
        self.turn = self.next_dealer = self.other(dealer)
        self.done = False
        self.holds: dict[str, set[str]] = {seat: set() for seat in self.seats}
        self.seen: set[str] = set()
        self.stock: list[str] = []
        self.board: list[str] = []
        # How many were dealt to each hand in this round, and whether anybody has played.
        self.given = dict.fromkeys(self.seats, 0)
        self.played = False
        self.piles: dict[str, list[str]] = {seat: [] for seat in self.seats}
        self.xeri = dict.fromkeys(self.seats, 0)
        self.taker = self.last_xeri = ""
        self.last: list[str] = []

    def other(self, seat: str) -> str:
        return self.seats[1 - self.seats.index(seat)]

    def deal(self, piles: list[str]) -> None:
        for pile in piles:
            name, _, written = pile.partition("=")
            cards = cards_of([written])
            self.require(not self.done and len(set(cards)) == len(cards))
            if name == "board":
                self.require(not self.played and set(cards) <= self.pack - self.seen)
                if self.misdealt():
                    self.shuffle()
                self.seen |= set(cards)
                self.board += cards
                self.require(len(self.board) <= 4)
            elif name == "stock":
                self.require(not self.stock and set(cards) == self.pack - self.seen)
                self.stock = cards
            else:
                self.give(name, cards)

    def give(self, seat: str, cards: list[str]) -> None:
        """The cards of a later round may be dealt without a line; a line that says it again says the same."""
        top = self.stock[-(12 - sum(self.given.values())) :] if self.played else self.stock
        self.given[seat] += len(cards)
        self.require(self.given[seat] <= 6)
        self.require(not self.stock or set(cards) <= set(top))
        self.require(set(cards) <= self.pack - self.seen)
        self.stock = [card for card in self.stock if card not in cards]
        self.seen |= set(cards)
        self.holds[seat] |= set(cards)

    def misdealt(self) -> bool:
        """Whether the first pile has to be dealt again: for a jack on top, or two equal ranks there."""
        ranks = [card[0] for card in self.board]
        jacks, pairs = (ranks, ranks) if self.deep else (ranks[-1:], ranks[-2:])
        return len(ranks) == 4 and ("J" in jacks or len(set(pairs)) < len(pairs))

    def shuffle(self) -> None:
        self.require(self.done or self.misdealt())
        self.require(self.done or not self.played)
        if not self.done:
            self.seen -= set(self.board)
            self.board, self.stock = [], []

    # The play

    def play(self, seat: str, cards: list[str]) -> None:
        self.deal_again()
        self.require(not self.done and seat == self.turn and len(cards) == 1)
        self.require(self.played or (len(self.board) == 4 and not self.misdealt()))
        self.require(all(count == 6 for count in self.given.values()))
        card = cards[0]
        self.require(card in self.holds[seat])
        self.holds[seat].remove(card)
        takes = self.takes(card)
        self.played, self.last_xeri, self.last = True, "", []
        self.board.append(card)
        if takes:
            self.take(seat, card)
        self.turn = self.other(seat)
        if not any(self.holds.values()):
            self.given = dict.fromkeys(self.seats, 0)
            if self.seen == self.pack and not self.stock:
                self.finish_hand()

    def deal_again(self) -> None:
        if self.stock and self.played and not any(self.holds.values()) and not any(self.given.values()):
            for seat in (self.turn, self.other(self.turn)):
                self.give(seat, self.stock[-6:])

    def takes(self, card: str) -> bool:
        return bool(self.board) and (card[0] == "J" or card[0] == self.board[-1][0])

    def take(self, seat: str, card: str) -> None:
        if len(self.board) == 2 and self.board[0][0] == card[0]:
            self.xeri[seat] += self.jack_xeri_points if card[0] == "J" else self.xeri_points
            self.last_xeri = seat
        self.piles[seat] += self.board
        self.last, self.board, self.taker = self.board, [], seat

    def capture(self, seat: str, written: str) -> None:
        card, _, taken = written.partition("/")
        self.require(not self.done and self.takes(card))
        self.require(taken == "*" or set(cards_of([taken])) == set(self.board))
        self.play(seat, [card])

    def gather(self, by: str, cards: list[str], to: str) -> None:
        self.require(bool(self.last) and by in ("@", self.taker) and to == ">won:" + self.taker)
        self.require(not cards or set(cards) == set(self.last))
        self.last = []

    # What a hand comes to

    def finish_hand(self) -> None:
        if self.taker:
            self.piles[self.taker] += self.board
        points = {seat: self.xeri[seat] + value(self.piles[seat]) for seat in self.seats}
        for seat in self.seats:
            points[seat] += 3 * (len(self.piles[seat]) > len(self.piles[self.other(seat)]))
        self.hands.append(points)
        self.winners.append(next((seat for seat in self.seats if points[seat] > points[self.other(seat)]), ""))
        self.done = True

    def over(self) -> bool:
        return len(self.hands) >= self.most

    def winner(self) -> str:
        """Who has won more hands, empty if the match goes on or is a tie."""
        ahead = [seat for seat in self.seats if self.winners.count(seat) > self.winners.count(self.other(seat))]
        return ahead[0] if self.over() and ahead else ""


def value(cards: list[str]) -> int:
    return sum((card[0] in "AKQJT") + (card in ("Td", "2c")) for card in cards)


def cards_of(words: list[str]) -> list[str]:
    """The cards in these words, without the faces and the piles."""
    cards = "".join(word for word in words if word not in ("up", "down", "*") and word[0] not in "<>")
    return [cards[i : i + 2] for i in range(0, len(cards), 2)]
