"""A second opinion on Kowah, written from the rule text alone: it shares nothing with Kibitz but a record's lines.

It reads lines with every card seen, says at which line something was against the rules for the first time, and what
each hand came to. It ignores the lines that it does not understand. It understands:

    D hand 1                    the dealer, who is the next one clockwise
    @ deal A=… B=…              eight each, in as many lines as one likes
    @ deal down stock=…         the other cards, the top one last; it may be left out
    A draw 7h                   from the stock; `A draw up 7h` if the others see it
    A draw 2d <discard          the top of the discard pile
    A discard 2d
    C call checki 5h5h          before the own first draw, or in the own turn after drawing, until somebody else draws
    C draw 5h <A                claims what A has just drawn, also from the discards: the claim goes first
    C draw 7d <discard          claims, out of turn, what was discarded last
    B show 2c3h                 cards of a hand
    @ end hand void             the hand does not count, and anybody may deal next

A third card of the pair that lies open wins at once, however it comes, if the hand is a checki then; it has to come
after checki was said. Draws are shown as long as a pair lies open. After the last card of the stock there is one
more discard, which may be claimed.

`hands` has 1 for who won each hand and 0 for the others. Options: `same_rank_triplets` (six of a rank are two
triplets), `any_pair` (the third card of any pair held is claimed, not only of the one that lies open), `duty`
(checki is said before the own next draw at the latest), `shown_only` (a card that its player draws and does not show
wins nothing) and `hands`, how many are played (0: as long as one likes).
"""

from __future__ import annotations

from collections import Counter


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the seats in order, clockwise, and the options."""

    def __init__(
        self, seats: list[str], same_rank_triplets: bool = False, any_pair: bool = False, duty: bool = False,
        shown_only: bool = False, hands: int = 0,
    ) -> None:  # fmt: skip
        self.seats, self.same_rank_triplets, self.any_pair, self.most = seats, same_rank_triplets, any_pair, hands
        self.duty, self.shown_only = duty, shown_only
        kinds = [rank + suit for rank in "A23456789" for suit in "sdh"] + ["Jc", "Qc", "Kc"]
        self.pack = Counter(kinds * 4)
        self.next_dealer = ""
        # The phases: deal, draw, discard, last (only a claim is left), and over.
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
        if verb == "hand":
            self.begin(by)
        elif verb == "deal":
            self.deal([word for word in rest if "=" in word])
        elif verb == "draw":
            source = next((word[1:] for word in rest if word[0] == "<"), "stock")
            self.draw(by, cards_of(rest), source, "up" in rest)
        elif verb == "discard":
            self.discard(by, cards_of(rest))
        elif verb == "call" and rest[0] == "checki":
            self.declare(by, cards_of(rest[1:]))
        elif verb == "show":
            self.require(by in self.seats and Counter(cards_of(rest)) <= self.holds[by])
        elif verb == "end" and rest[0] == "hand":
            self.next_dealer = self.next_dealer if self.phase in ("last", "over") else ""
            self.phase = "over"

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    def begin(self, dealer: str) -> None:
        self.require(self.phase in ("last", "over") and not self.over() and self.next_dealer in ("", dealer))
        i = self.seats.index(dealer) + 1
        self.order = self.seats[i:] + self.seats[:i]
        self.next_dealer, self.phase = self.order[0], "deal"
        self.holds: dict[str, Counter[str]] = {seat: Counter() for seat in self.seats}
        # What lies in the stock and in hands that were dealt, of which the order of the stock if it was written.
        self.unseen = self.pack.copy()
        self.stock: list[str] = []
        self.pile: list[str] = []
        self.pairs: dict[str, str] = {}
        # Who may still declare what was dealt, who declared while the card lay there that may be claimed, who has
        # discarded last, and the card that was drawn from the stock.
        self.fresh, self.late = set(self.seats), set[str]()
        self.discarder = self.drawn = ""

    def deal(self, piles: list[str]) -> None:
        for pile in piles:
            name, _, written = pile.partition("=")
            cards = cards_of([written])
            if name == "stock":
                self.require(not self.stock and Counter(cards) <= self.unseen)
                self.require(len(cards) == 120 - 8 * len(self.seats))
                self.stock = cards
                continue
            self.require(self.phase == "deal" and name in self.holds)
            self.require(Counter(cards) <= self.unseen - Counter(self.stock))
            self.unseen -= Counter(cards)
            self.holds[name] += Counter(cards)
            self.require(self.holds[name].total() <= 8)
        if self.phase == "deal" and all(held.total() == 8 for held in self.holds.values()):
            self.phase = "draw"

    # The turns

    def draw(self, seat: str, cards: list[str], source: str, up: bool) -> None:
        self.require(len(cards) == 1 and self.phase in ("draw", "discard", "last"))
        card = cards[0]
        if self.phase != "draw" or seat != self.order[0]:
            self.claim(seat, card, source)
            return
        self.require(
            not self.duty or seat in self.pairs or not any(self.is_checki(seat, one) for one in self.holds[seat])
        )
        if source == "stock":
            others = [one for one in self.pairs if one != seat]
            self.require(up or not others)
            self.require(not self.stock or self.stock.pop() == card)
            self.require(self.unseen[card] > 0)
            self.unseen[card] -= 1
            self.drawn = card
        else:
            self.require(source == "discard" and self.pile[-1:] == [card])
            self.pile.pop()
            self.drawn = card
        self.fresh.discard(seat)
        if source == "stock":
            self.late.clear()
            self.discarder = ""
        self.phase = "discard"
        self.take(seat, card, self.pairs.get(seat) == card and (up or source == "discard" or not self.shown_only))

    def claim(self, seat: str, card: str, source: str) -> None:
        pair = self.pairs.get(seat, "")
        self.require(seat not in self.late and pair != "")
        self.require(card == pair or (self.any_pair and self.holds[seat][card] == 2))
        if source == "discard":
            self.require(self.phase != "discard" and self.discarder not in ("", seat) and self.pile[-1:] == [card])
            self.pile.pop()
        else:
            drawer = self.order[0]
            self.require(
                seat != self.discarder and source == drawer != seat and self.phase == "discard" and self.drawn == card
            )
            self.holds[drawer][card] -= 1
        self.take(seat, card)

    def take(self, seat: str, card: str, wins: bool = True) -> None:
        if wins:
            self.require(any(self.is_checki(seat, one) for one in self.holds[seat]))
            self.finish(seat)
        self.holds[seat][card] += 1

    def discard(self, seat: str, cards: list[str]) -> None:
        self.require(self.phase == "discard" and seat == self.order[0] and len(cards) == 1)
        card = cards[0]
        self.require(self.holds[seat][card] > 0)
        self.holds[seat][card] -= 1
        self.pile.append(card)
        if seat in self.pairs and self.holds[seat][self.pairs[seat]] < 2:
            del self.pairs[seat]
        self.late.clear()
        self.discarder, self.drawn = seat, ""
        self.order = self.order[1:] + self.order[:1]
        if self.unseen.total():
            self.phase = "draw"
        else:
            self.finish("")
            self.phase = "last"

    # Checki

    def declare(self, seat: str, cards: list[str]) -> None:
        self.require(self.phase in ("draw", "discard", "last") and seat not in self.pairs)
        drawn = self.phase == "discard" and seat == self.order[0]
        thrown = self.phase != "discard" and seat == self.discarder
        last_moment = self.duty and self.phase == "draw" and seat == self.order[0]
        self.require(drawn or last_moment or thrown or seat in self.fresh)
        self.require(len(cards) == 2 and cards[0] == cards[1])
        held = list(self.holds[seat].elements())
        eights = [held[:i] + held[i + 1 :] for i in range(len(held))] if drawn else [held]
        self.require(any(self.is_form(Counter(eight), cards[0]) for eight in eights))
        self.pairs[seat] = cards[0]
        self.late.add(seat)

    def is_checki(self, seat: str, pair: str) -> bool:
        return self.is_form(+self.holds[seat], pair)

    def is_form(self, held: Counter[str], pair: str) -> bool:
        """Whether these are eight cards of either form, with a pair of this card that may lie open."""
        ranks = Counter(card[0] for card in held.elements())
        sizes = sorted(ranks.values())
        if held[pair] != 2:
            return False
        if ranks[pair[0]] == 2:
            return sizes == [2, 3, 3] or (self.same_rank_triplets and sizes == [2, 6])
        five = sorted(count for card, count in held.items() if card[0] == pair[0])
        return sizes == [3, 5] and five == [1, 2, 2]

    # What a hand comes to

    def finish(self, winner: str) -> None:
        if self.phase == "last":
            self.hands.pop()
        self.hands.append({seat: int(seat == winner) for seat in self.seats})
        self.phase = "over"

    def over(self) -> bool:
        return 0 < self.most <= len(self.hands)

    def totals(self) -> dict[str, int]:
        return {seat: sum(hand[seat] for hand in self.hands) for seat in self.seats}


def cards_of(words: list[str]) -> list[str]:
    """The cards in these words, without the faces and the piles."""
    cards = "".join(word for word in words if word not in ("up", "down", "*") and word[0] not in "<>")
    return [cards[i : i + 2] for i in range(0, len(cards), 2)]
