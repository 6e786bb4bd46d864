"""A second opinion on Seven and a Half, written from the rule text alone.

It shares nothing with Kibitz but a record's lines. It reads lines with every card seen, says at which line something
was against the rules for the first time, and what each hand came to. It ignores the lines that it does not understand.
It understands:

    D hand 1 min=1 max=10       who holds the bank, and the limits; they stay as they are if none are announced
    @ shuffle stock=…           all forty, the top one last; `@ deal down stock=…` is what is left after the deal
    A bet 5                     one each, before the cards; who does not bet sits the hand out, and may say A call out
    D deal down A=… B=… D=…     one card each, the banker too, in as many lines as one likes
    A draw up 4c                a hit
    A pass                      stands
    A call natural, A call bust what has just come of it; like A show 6h, a card that the seat has, it may be left out
    D draw up 4c, D pass        the banker, last of all, who stops at nothing but a bust; D call natural stands as well
    A pay 5, D pay 5 >A         what was lost (to the banker) or won; it may be left out
    @ shuffle * <discard >stock if the stock has run out: the cards of those who went bust, or these cards in this order
    @ end hand void             the hand does not count, and the bank stays

A bust, a seven and a half in two cards and what follows from the banker's stand need no line of their own. The hand is
over if everybody went bust.

`hands` has what each seat won or lost in each hand. Options: `low` and `high`, the limits at first, `natural_pays` and
`hands`, how many are played (0: as long as one likes); `chips`, which everybody begins with.
"""

from __future__ import annotations

# In halves.
WORTH = {"A": 2, "2": 4, "3": 6, "4": 8, "5": 10, "6": 12, "7": 14, "J": 1, "Q": 1, "K": 1}
BEST = 15


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the seats in order, clockwise, and the options."""

    def __init__(
        self, seats: list[str], low: int = 1, high: int = 10, natural_pays: int = 2, hands: int = 0, chips: int = 0
    ) -> None:
        self.seats, self.low, self.high, self.chips = seats, low, high, chips
        self.natural_pays, self.most = natural_pays, hands
        self.pack = {rank + suit for rank in WORTH for suit in "cdhs"}
        self.next_banker = ""
        self.done = True
        self.turn: list[str] = []
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
        elif verb == "bet":
            self.bet(by, int(rest[0]))
        elif verb == "deal":
            self.deal(by, "up" in rest, [word for word in rest if "=" in word])
        elif verb == "shuffle":
            self.shuffle([word.partition("=")[2] if "=" in word else word for word in rest])
        elif verb == "draw":
            self.hit(by, "down" in rest, cards_of(rest))
        elif verb == "pass":
            self.stand(by)
        elif verb == "call" and rest[0] in ("natural", "bust"):
            self.require(by in self.holds)
            self.require(self.natural(by) if rest[0] == "natural" else value(self.holds[by]) == 0)
            if self.turn == [by] == [self.banker]:
                self.end_turn()
        elif verb == "call" and rest[0] == "out":
            self.sit_out(by)
        elif verb == "play":
            raise Against
        elif verb == "show":
            self.require(set(cards_of(rest)) <= set(self.holds.get(by, ())))
        elif verb == "pay":
            self.pay(by, int(rest[0]), next((word[1:] for word in rest if word[0] == ">"), self.banker))
        elif verb == "end" and rest[0] == "hand":
            self.next_banker = self.next_banker if self.done else self.banker
            self.done, self.turn = True, []

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    # The stakes and the deal

    def begin(self, banker: str, limits: dict[str, str]) -> None:
        self.require(self.done and not self.over() and self.next_banker in ("", banker))
        self.low, self.high = int(limits.get("min", self.low)), int(limits.get("max", self.high))
        self.require(0 < self.low <= self.high)
        i = self.seats.index(banker)
        self.banker, self.order = banker, self.seats[i + 1 :] + self.seats[: i + 1]
        self.done = False
        self.bets: dict[str, int] = {}
        self.out_of_it: set[str] = set()
        self.holds: dict[str, list[str]] = {}
        # The stock, if its order was written; the cards that lie in a hand; those out of play.
        self.stock: list[str] = []
        self.seen: set[str] = set()
        self.out: set[str] = set()
        self.turn = []
        # Who has just stood without a word.
        self.content = ""
        self.won = dict.fromkeys(self.seats, 0)
        self.owed: dict[tuple[str, str], int] = {}

    def bet(self, seat: str, amount: int) -> None:
        self.require(not self.done and not self.holds and seat in self.order[:-1])
        self.require(seat not in {*self.bets, *self.out_of_it})
        self.require(self.low <= amount <= self.high)
        self.bets[seat] = amount

    def sit_out(self, seat: str) -> None:
        self.require(
            not self.done and not self.holds and seat in self.order[:-1] and seat not in {*self.bets, *self.out_of_it}
        )
        self.out_of_it.add(seat)
        if len(self.out_of_it) == len(self.order) - 1:
            self.settle()

    def deal(self, by: str, up: bool, piles: list[str]) -> None:
        self.require(not self.done and by in ("@", self.banker))
        for pile in piles:
            name, _, written = pile.partition("=")
            cards = cards_of([written])
            if name == "stock":
                self.require(not self.stock and set(cards) == self.pack - self.seen and len(cards) == len(set(cards)))
                self.stock = cards
                continue
            self.require(not up and not self.turn and name not in self.holds and len(cards) == 1)
            self.require(bool(self.bets) and (name in self.bets or name == self.banker))
            self.take(name, cards[0])
        if len(self.holds) == len(self.bets) + 1 and not self.turn:
            self.turn = [seat for seat in self.order if seat in self.holds]

    def take(self, seat: str, card: str) -> None:
        if self.stock:
            self.require(card == self.stock.pop())
        self.require(card in self.pack - self.seen)
        self.seen.add(card)
        self.holds.setdefault(seat, []).append(card)

    def shuffle(self, words: list[str]) -> None:
        """Before the deal all cards; afterwards, if no card is left, those that are out of play."""
        cards = cards_of(words)
        if not self.done and not self.holds:
            self.require(not cards or (set(cards) == self.pack and len(cards) == 40))
        elif self.turn:
            self.require(self.seen == self.pack and not self.stock)
            self.require(not cards or (set(cards) == self.out and len(cards) == len(self.out)))
            self.seen -= self.out
            self.out = set()
        self.stock = cards

    # The turns

    def hit(self, seat: str, down: bool, cards: list[str]) -> None:
        self.require(self.turn[:1] == [seat] and not down and len(cards) == 1)
        self.content = ""
        self.take(seat, cards[0])
        total = value(self.holds[seat])
        if total == 0 and seat != self.banker:
            self.won[seat] = -self.bets[seat]
            self.owed[seat, self.banker] = self.bets[seat]
            self.out |= set(self.holds[seat])
        if total == 0 or (self.natural(seat) and seat != self.banker):
            self.end_turn()
            self.content = seat if total else ""

    def stand(self, seat: str) -> None:
        """Whoever has seven and a half in two cards stands without a word, and may say so."""
        if seat != self.content:
            self.require(self.turn[:1] == [seat])
            self.end_turn()
        self.content = ""

    def natural(self, seat: str) -> bool:
        return len(self.holds[seat]) == 2 and value(self.holds[seat]) == BEST

    def end_turn(self) -> None:
        self.turn.pop(0)
        if not self.turn or all(value(self.holds[seat]) == 0 for seat in self.bets):
            self.settle()

    def settle(self) -> None:
        bank = 0 if self.turn or not self.bets else self.rank(self.banker)
        for seat in self.bets:
            ours = self.rank(seat)
            if ours > bank:
                self.won[seat] = self.bets[seat] * (self.natural_pays if self.natural(seat) else 1)
                self.owed[self.banker, seat] = self.won[seat]
            elif 0 < ours < bank:
                self.won[seat] = -self.bets[seat]
                self.owed[seat, self.banker] = self.bets[seat]
        self.won[self.banker] = -sum(self.won.values())
        self.hands.append(self.won)
        takers = [seat for seat in self.order if seat in self.bets and self.natural(seat)]
        self.next_banker = takers[0] if takers and bank <= BEST else self.banker
        self.done, self.turn = True, []

    def rank(self, seat: str) -> int:
        """What is compared: a seven and a half in two cards is better than a longer one."""
        return value(self.holds[seat]) + self.natural(seat)

    def pay(self, by: str, amount: int, to: str) -> None:
        """Each sum is paid at once and once."""
        self.require(amount > 0 and self.owed.get((by, to)) == amount)
        del self.owed[by, to]

    def over(self) -> bool:
        return 0 < self.most <= len(self.hands)

    def totals(self) -> dict[str, int]:
        return {seat: self.chips + sum(hand[seat] for hand in self.hands) for seat in self.seats}


def value(cards: list[str]) -> int:
    """The total in halves, 0 for a bust; the king of diamonds is any whole number, and as many as it helps."""
    rest = sum(WORTH[card[0]] for card in cards if card != "Kd")
    if "Kd" in cards:
        rest += max((BEST - rest) // 2 * 2, 2)
    return rest if rest <= BEST else 0


def cards_of(words: list[str]) -> list[str]:
    """The cards in these words, without the faces and the piles."""
    cards = "".join(word for word in words if word not in ("up", "down", "*") and word[0] not in "<>")
    return [cards[i : i + 2] for i in range(0, len(cards), 2)]
