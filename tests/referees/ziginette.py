"""A second opinion on Ziginette, written from the rule text alone: it shares nothing with Kibitz but a record's lines.

It reads lines with every card seen, says at which line something was against the rules for the first time, and what
each hand came to. It ignores the lines that it does not understand. It understands:

    B hand 1 min=2 max=20       who holds the bank, and the limits; they stay as they are if none are announced
    @ shuffle stock=…           the pack, the top card last; it may be left out, or come after the deal without the deal
    B deal up board=6c5d banker=Qd
    @ shuffle * >stock          after a playette, and then a new deal; the shuffle may be left out
    A bet 10 >6c                on a card of the board; a second bet on it raises the first
    B play 4c <stock            the banker turns a card
    A pay 10 >B                 what B collects for the card that was turned last; it may be left out
    B pay 20 >A                 what is paid at the end, in one sum; it may be left out
    B pay 3 >house              the rake
    @ end hand no-bets          nobody bets any more
    @ end hand void             the hand does not count, and anybody may hold the bank next

After a hand that the banker did not lose the bank stays or goes to the right.

`hands` has what each seat won or lost in each hand, after the rake. Options: `low` and `high`, the limits at first, for
all that one seat bets on one card; `rake`, in per cent of what the banker won in a hand, rounded down; `refusals`
(whether the next one may refuse the bank, so that it goes further to the right), `hands`, how many are played (0: as
long as one likes), and `chips`, which everybody begins with.
"""

from __future__ import annotations


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the seats in order, clockwise, and the options."""

    def __init__(
        self, seats: list[str], low: int = 1, high: int = 10, rake: int = 0, refusals: bool = False, hands: int = 0,
        chips: int = 0,
    ) -> None:  # fmt: skip
        self.seats, self.low, self.high, self.rake, self.refusals = seats, low, high, rake, refusals
        self.most, self.chips = hands, chips
        self.pack = {rank + suit for rank in "A234567JQK" for suit in "cdhs"}
        # Who may hold the bank next.
        self.next_bankers = list(seats)
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
            self.begin(by, dict(word.split("=") for word in rest if "=" in word))
        elif verb == "deal":
            self.deal(by, [word for word in rest if "=" in word])
        elif verb == "shuffle":
            self.shuffle(cards_of([word.removeprefix("stock=") for word in rest]))
        elif verb == "bet":
            self.bet(by, int(rest[0]), rest[-1][1:] if rest[-1][0] == ">" else "")
        elif verb == "play":
            self.turn(by, cards_of(rest))
        elif verb == "pay":
            self.pay(by, int(rest[0]), next((word[1:] for word in rest if word[0] == ">"), ""))
        elif verb == "end" and rest[0] == "hand":
            if "no-bets" in rest:
                self.require(not self.done and self.laid_out() and not self.stakes)
                self.finish(False)
            elif not self.done:
                self.next_bankers, self.done = list(self.seats), True

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    def begin(self, banker: str, limits: dict[str, str]) -> None:
        self.require(self.done and not self.over() and banker in self.next_bankers)
        self.low, self.high = int(limits.get("min", self.low)), int(limits.get("max", self.high))
        self.require(0 < self.low <= self.high)
        self.banker, self.done = banker, False
        self.stock: list[str] = []
        self.seen: set[str] = set()
        self.board: list[str] = []
        self.own: list[str] = []
        self.dead: set[str] = set()
        self.turned = False
        self.stakes: dict[tuple[str, str], int] = {}
        self.won = dict.fromkeys(self.seats, 0)
        self.owed: dict[tuple[str, str], int] = {}

    # The layout

    def laid_out(self) -> bool:
        ranks = {card[0] for card in self.board + self.own}
        return self.turned or len(ranks) == 3

    def playette(self) -> bool:
        return not self.turned and len(self.board + self.own) > len({card[0] for card in self.board + self.own})

    def deal(self, by: str, piles: list[str]) -> None:
        self.require(not self.done and by in ("@", self.banker))
        for pile in piles:
            name, _, written = pile.partition("=")
            cards = cards_of([written])
            if name == "stock":
                self.require(not self.stock and not self.turned and set(cards) == self.pack - self.seen)
                self.require(len(cards) == len(set(cards)))
                self.stock = cards
                continue
            if len(self.board + self.own) == 3 and self.playette():
                self.shuffle([])
            for card in cards:
                self.require(not self.turned and name in ("board", "banker"))
                self.take(card)
                (self.own if name == "banker" else self.board).append(card)
            self.require(len(self.board) <= 2 and len(self.own) <= 1)

    def take(self, card: str) -> None:
        self.require(not self.stock or self.stock.pop() == card)
        self.require(card in self.pack - self.seen)
        self.seen.add(card)

    def shuffle(self, cards: list[str]) -> None:
        """Before the deal and after a playette."""
        if self.done:
            return
        self.require(not self.seen or self.playette())
        self.require(not cards or (set(cards) == self.pack and len(cards) == 40))
        self.stock, self.seen, self.board, self.own = cards, set(), [], []

    # The bets and the turns

    def bet(self, seat: str, amount: int, card: str) -> None:
        self.require(not self.done and self.laid_out() and seat in self.seats and seat != self.banker)
        self.require(amount > 0 and (card in self.board or card in [one[0] + "?" for one in self.board]))
        spot = seat, card[0]
        self.stakes[spot] = self.stakes.get(spot, 0) + amount
        self.require(self.low <= self.stakes[spot] <= self.high)

    def turn(self, by: str, cards: list[str]) -> None:
        self.require(not self.done and self.laid_out() and by == self.banker and len(cards) == 1)
        self.take(cards[0])
        rank = cards[0][0]
        self.turned, self.owed = True, {}
        if rank == self.own[0][0]:
            self.finish(True)
        elif rank in [card[0] for card in self.board]:
            self.collect(rank)
        elif rank not in self.dead:
            self.board.append(cards[0])

    def collect(self, rank: str) -> None:
        for seat, on in list(self.stakes):
            if on == rank:
                amount = self.stakes.pop((seat, on))
                self.won[seat] -= amount
                self.owed[seat, self.banker] = amount
        self.board = [card for card in self.board if card[0] != rank]
        self.dead.add(rank)
        if not self.board:
            self.finish(False)

    def finish(self, lost: bool) -> None:
        for (seat, _), amount in self.stakes.items():
            self.won[seat] += amount
            self.owed[self.banker, seat] = self.owed.get((self.banker, seat), 0) + amount
        profit = -sum(self.won.values())
        self.owed[self.banker, "house"] = max(profit, 0) * self.rake // 100
        self.won[self.banker] = profit - self.owed[self.banker, "house"]
        self.hands.append(self.won)
        i = self.seats.index(self.banker)
        right = [self.seats[i - n] for n in range(1, len(self.seats) + 1)]
        self.next_bankers = right[: len(right) - lost if self.refusals else 1] + [self.banker] * (not lost)
        self.stakes, self.done = {}, True

    def pay(self, by: str, amount: int, to: str) -> None:
        """Each sum is paid at once and once."""
        self.require(amount > 0 and self.owed.get((by, to or self.banker)) == amount)
        del self.owed[by, to or self.banker]

    def over(self) -> bool:
        return 0 < self.most <= len(self.hands)

    def totals(self) -> dict[str, int]:
        return {seat: self.chips + sum(hand[seat] for hand in self.hands) for seat in self.seats}


def cards_of(words: list[str]) -> list[str]:
    """The cards in these words, without the faces and the piles."""
    cards = "".join(word for word in words if word not in ("up", "down", "*") and word[0] not in "<>")
    return [cards[i : i + 2] for i in range(0, len(cards), 2)]
