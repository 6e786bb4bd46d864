"""A second opinion on Zetema, written from the rule text alone: it shares nothing with Kibitz but a record's lines.

It reads lines with every card seen, says at which line something was against the rules for the first time, and what
each hand came to. It ignores the lines that it does not understand. It understands:

    D hand 1                    the dealer, who is the next one clockwise
    @ deal A=… B=…              six each, five if six play, in as many lines as one likes
    @ deal down stock=…         the other cards, the top one last; it may be left out
    A draw 7h                   from the stock; who marries draws again, which may be left out if the stock is written
    B show ThQhKd9d8dJs         a meld, which is as many cards as a hand has, or five of a rank; they stay in the hand
    A discard Tc                onto the pile of its rank
    @ move * <rank:T >dead      the five cards of a zetema; it may be left out
    A draw Qc <rank:Q           the other card of a marriage
    A meld KcQc, A meld KsQs/KsQs
    @ end hand void             the hand does not count, and anybody may deal next

`hands` has what each side scored in each hand, also in the one that the target ends; `sides` has the side of each seat.
Options: `double_suit`, `target` (0: 300, or 200 if four or more play), `ace_in_sequence` ("low", "high" or "both") and
`five_marriages`.
"""

from __future__ import annotations

from collections import Counter

RANKS = "A23456789TJQK"
ASSEMBLIES = {"K": 130, "Q": 130, "J": 120, "A": 110, "5": 110}
ZETEMAS = {"K": 50, "Q": 50, "J": 20, "A": 15, "5": 15}


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the seats in order, clockwise, and the options."""

    def __init__(
        self, seats: list[str], double_suit: str = "s", target: int = 0, ace_in_sequence: str = "low",
        five_marriages: int = 150,
    ) -> None:  # fmt: skip
        self.seats, self.double, self.five = seats, double_suit, five_marriages
        self.target = target or (300 if len(seats) < 4 else 200)
        self.size = 5 if len(seats) == 6 else 6
        # Partners sit opposite each other.
        half = len(seats) // 2
        paired = len(seats) in (4, 6)
        self.sides = {
            seat: seats[i % half] + seats[i % half + half] if paired else seat for i, seat in enumerate(seats)
        }
        orders = {"low": [RANKS], "high": [RANKS[1:] + "A"], "both": [RANKS, RANKS[1:] + "A"]}
        self.orders = orders[ace_in_sequence]
        self.pack = Counter(rank + suit for rank in RANKS for suit in "cdhs" + double_suit)
        self.next_dealer = self.zetema = ""
        # The phases: deal, draw, act, marry (after a card from a pile), refill, and over.
        self.phase = "over"
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
        piles = {word[0]: word[1:] for word in rest if word[0] in "<>"}
        if verb == "hand":
            self.begin(by)
        elif verb == "deal":
            self.deal([word for word in rest if "=" in word])
        elif verb == "draw" and piles.get("<", "stock") == "stock":
            self.draw(by, cards_of(rest))
        elif verb == "draw":
            self.pull(by, cards_of(rest), piles["<"])
        elif verb == "show":
            self.show(by, cards_of([rest[0].replace("/", "")]))
        elif verb == "discard":
            self.discard(by, cards_of(rest))
        elif verb == "meld":
            self.marry(by, [cards_of([group]) for group in rest[0].split("/")])
        elif verb == "move" and piles.get("<", "").startswith("rank:"):
            self.require(piles["<"] == "rank:" + self.zetema and piles.get(">") == "dead")
            self.zetema = ""
        elif verb == "end" and rest[0] == "hand" and self.phase != "over":
            self.next_dealer, self.phase = "", "over"
            self.hands.pop()

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    # The deal

    def begin(self, dealer: str) -> None:
        self.require(self.phase == "over" and not self.winner() and self.next_dealer in ("", dealer))
        i = self.seats.index(dealer) + 1
        self.order = self.seats[i:] + self.seats[:i]
        self.next_dealer, self.phase = self.order[0], "deal"
        self.holds: dict[str, Counter[str]] = {seat: Counter() for seat in self.seats}
        self.unseen = self.pack.copy()
        self.stock: list[str] = []
        self.piles: dict[str, Counter[str]] = {rank: Counter() for rank in RANKS}
        self.hands.append(dict.fromkeys(self.sides.values(), 0))
        # The meld of this turn, the cards that were pulled out of piles for marriages, and the last zetema.
        self.declared: list[str] = []
        self.pulled: Counter[str] = Counter()
        self.zetema = ""
        # Whose hand is not full again, by how many cards, and which cards those are, if that is known.
        self.drawer, self.missing = "", 0
        self.coming: Counter[str] = Counter()

    def deal(self, piles: list[str]) -> None:
        for pile in piles:
            name, _, written = pile.partition("=")
            cards = cards_of([written])
            self.require(Counter(cards) <= self.unseen - Counter(self.stock))
            if name == "stock":
                self.require(not self.stock and len(cards) == 65 - self.size * len(self.seats))
                self.stock = cards
                continue
            self.require(self.phase == "deal" and name in self.holds)
            self.unseen -= Counter(cards)
            self.holds[name] += Counter(cards)
            self.require(self.holds[name].total() <= self.size)
        if self.phase == "deal" and all(held.total() == self.size for held in self.holds.values()):
            self.phase = "draw"

    # A turn

    def draw(self, seat: str, cards: list[str]) -> None:
        self.require(len(cards) > 0)
        if self.drawer == seat and (self.missing or self.coming):
            self.refill(Counter(cards))
            return
        self.finish_refill()
        self.require(self.phase == "draw" and seat == self.order[0] and len(cards) == 1)
        self.require(not self.stock or self.stock.pop() == cards[0])
        self.take(seat, Counter(cards))
        self.phase = "act"

    def take(self, seat: str, cards: Counter[str]) -> None:
        self.require(cards <= self.unseen)
        self.unseen -= cards
        self.holds[seat] += cards

    def refill(self, cards: Counter[str]) -> None:
        if self.coming:
            self.require(cards <= self.coming)
            self.coming -= cards
        else:
            self.require(cards.total() <= self.missing)
            self.missing -= cards.total()
            self.take(self.drawer, cards)

    def finish_refill(self) -> None:
        """A refill is written in full or, if the stock is known, left out."""
        self.require(self.missing == 0)
        self.coming = Counter()
        self.drawer = ""

    def on_turn(self, seat: str) -> None:
        """What is done after the draw, if there is anything to draw."""
        self.finish_refill()
        if self.phase == "draw" and not self.unseen:
            self.phase = "act"
        self.require(self.phase in ("act", "marry") and seat == self.order[0])

    def show(self, seat: str, cards: list[str]) -> None:
        self.require(seat in self.seats and self.phase != "over" and Counter(cards) <= self.holds[seat])
        if len(cards) not in (5, self.size):
            return
        self.on_turn(seat)
        self.require(self.phase == "act" and not self.declared and self.value(cards) > 0)
        self.declared = cards
        self.score(seat, self.value(cards))

    def value(self, cards: list[str]) -> int:
        """What a meld scores, 0 if it is none."""
        ranks, suits = {card[0] for card in cards}, {card[1] for card in cards}
        if len(ranks) == 1:
            return ASSEMBLIES.get(cards[0][0], 100) if len(cards) == 5 else 0
        if len(cards) != self.size:
            return 0
        windows = [set(order[i : i + self.size]) for order in self.orders for i in range(14 - self.size)]
        if ranks in windows:
            return 20 if len(suits) > 1 else 50
        return 30 if len(suits) == 1 else 0

    def discard(self, seat: str, cards: list[str]) -> None:
        self.on_turn(seat)
        self.require(self.phase == "act" and len(cards) == 1 and self.holds[seat][cards[0]] > 0)
        self.require(not self.declared or cards[0] in self.declared)
        rank = cards[0][0]
        self.holds[seat] -= Counter(cards)
        self.piles[rank] += Counter(cards)
        self.zetema = ""
        if self.piles[rank].total() == 5:
            self.piles[rank], self.zetema = Counter(), rank
            self.score(seat, ZETEMAS.get(rank, 5))
        self.end_turn()

    # Marriages

    def pull(self, seat: str, cards: list[str], pile: str) -> None:
        self.on_turn(seat)
        self.require(not self.declared and pile in ("rank:K", "rank:Q") and len(cards) > 0)
        for card in cards:
            partner = ("Q" if card[0] == "K" else "K") + card[1]
            self.require(pile == "rank:" + card[0] and self.piles[card[0]][card] > 0)
            self.require(self.holds[seat][partner] - self.pulled[partner] > self.pulled[card])
            self.piles[card[0]] -= Counter([card])
            self.pulled[card] += 1
            self.holds[seat][card] += 1
        self.phase = "marry"

    def marry(self, seat: str, pairs: list[list[str]]) -> None:
        """Each card from a pile marries one from the hand."""
        self.on_turn(seat)
        self.require(not self.declared)
        self.require(all(len(pair) == 2 and {card[0] for card in pair} == {"K", "Q"} for pair in pairs))
        self.require(all(pair[0][1] == pair[1][1] for pair in pairs))
        suits = Counter(pair[0][1] for pair in pairs)
        self.require(all(suits[suit] >= self.pulled["K" + suit] + self.pulled["Q" + suit] for suit in "cdhs"))
        cards = Counter(card for pair in pairs for card in pair)
        self.require(cards <= self.holds[seat])
        self.holds[seat] -= cards
        self.zetema = ""
        usual = {1: 10, 2: 30, 3: 60, 4: 100}
        points = self.five if len(pairs) == 5 else usual[len(pairs)] + 10 * suits[self.double]
        self.score(seat, points)
        if self.phase == "over":
            return
        self.drawer = seat
        self.missing = min(max(self.size - self.holds[seat].total(), 0), self.unseen.total())
        if self.stock:
            self.coming = Counter([self.stock.pop() for _ in range(self.missing)])
            self.missing = 0
            self.take(seat, self.coming)
        self.end_turn()

    # What comes of it

    def score(self, seat: str, points: int) -> None:
        self.hands[-1][self.sides[seat]] += points
        if self.winner():
            self.phase = "over"

    def end_turn(self) -> None:
        self.declared, self.pulled = [], Counter()
        self.order = self.order[1:] + self.order[:1]
        cards_left = self.unseen.total() > 0
        if self.phase == "over":
            return
        if not cards_left and not any(self.holds.values()):
            self.phase = "over"
            return
        # Only a hand that nothing is left for stays empty.
        while not cards_left and not self.holds[self.order[0]].total():
            self.order = self.order[1:] + self.order[:1]
        self.phase = "draw"

    def totals(self) -> dict[str, int]:
        return {side: sum(hand[side] for hand in self.hands) for side in self.sides.values()}

    def winner(self) -> str:
        """Who has won the match, empty if it goes on. Only one side scores at a time."""
        return next((side for side, total in self.totals().items() if total >= self.target), "")


def cards_of(words: list[str]) -> list[str]:
    """The cards in these words, without the faces and the piles."""
    cards = "".join(word for word in words if word not in ("up", "down", "*") and word[0] not in "<>")
    return [cards[i : i + 2] for i in range(0, len(cards), 2)]
