"""A second opinion on Poke, written from the rule text alone: it shares nothing with Kibitz but a record's lines.

It reads lines with every card seen, says at which line something was against the rules for the first time, and what
each hand came to. It ignores the lines that it does not understand. It understands:

    B hand 1                    the dealer; the deal alternates
    @ deal A=… B=…              five each; `@ deal down stock=…` is the other 42, the top one last
    A discard down 3 cards      one to three, the non-dealer at most twice, then the dealer at most three times
    A draw 3 cards              in one line or in several; it may be left out if the stock is written
    A pass                      stands, or is content with what was drawn; after the last draw it may be left out
    A play 2s2d, B play 6h8c    one card, or a set, and as many cards for it
    A move * <trick >won:A      a trick that is gathered; it may be left out
    @ end hand void             the hand does not count, and anybody may deal next

One rubber is the match. `hands` has what each hand scored below the line, `above` above it for the better hand and
for all five tricks, `bonuses` above it for a game or the rubber; `tricks` the tricks and `multipliers` what a trick
of the *other* player counted for the draws of this one. `games` has who won each game, `below` how the sheet stands
in the one that is on.

Options: `game_target`, `partial_set_leads` (False: a single card or all cards of its rank) and `wheel_straight` (False:
A2345 is no straight).
"""

from __future__ import annotations

ORDER = "23456789TJQKA"
HONOURS = {
    "royal": 1000, "straight-flush": 750, "four": 600, "full-house": 500, "flush": 400, "straight": 300, "three": 200,
    "two-pair": 100, "pair": 50, "none": 0,
}  # fmt: skip


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One rubber: the two seats and the options."""

    def __init__(
        self, seats: list[str], game_target: int = 20, partial_set_leads: bool = True, wheel_straight: bool = True
    ) -> None:
        self.seats, self.target = seats, game_target
        self.partial_set_leads, self.wheel_straight = partial_set_leads, wheel_straight
        self.pack = {rank + suit for rank in ORDER for suit in "cdhs"}
        # The phases: deal, draw, play.
        self.next_dealer = self.phase = ""
        self.below = dict.fromkeys(seats, 0)
        self.hands: list[dict[str, int]] = []
        self.above: list[dict[str, int]] = []
        self.bonuses: list[dict[str, int]] = []
        self.tricks: list[dict[str, int]] = []
        self.multipliers: list[dict[str, int]] = []
        self.games: list[str] = []
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
        if verb in ("pass", "discard", "play"):
            self.finish_draw()
        if verb == "hand":
            self.begin(by)
        elif verb == "deal":
            self.deal([word for word in rest if "=" in word])
        elif verb == "pass":
            self.stand(by)
        elif verb == "discard":
            self.discard(by, cards_of(rest))
        elif verb == "draw":
            self.draw(by, cards_of(rest))
        elif verb == "play":
            self.play(by, cards_of(rest))
        elif verb == "move":
            self.gather(by, rest)
        elif verb == "end" and rest[0] == "hand":
            self.next_dealer = "" if self.phase else self.next_dealer
            self.phase, self.to_play = "", []

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    def other(self, seat: str) -> str:
        return self.seats[1 - self.seats.index(seat)]

    # The deal

    def begin(self, dealer: str) -> None:
        self.require(self.phase == "" and not self.over() and self.next_dealer in ("", dealer))
        self.dealer, self.next_dealer, self.phase = dealer, self.other(dealer), "deal"
        self.holds: dict[str, set[str]] = {seat: set() for seat in self.seats}
        self.seen: set[str] = set()
        self.stock: list[str] = []
        self.draws = dict.fromkeys(self.seats, 0)
        # Whose turn it is to draw, and who has just taken his last draw and may still say so.
        self.to_draw, self.content = self.next_dealer, ""
        # Whose draw is not complete, and how many cards he still takes; the cards, if the stock is written.
        self.drawing, self.missing, self.may_be_left_out = "", 0, False
        self.coming: set[str] = set()
        self.to_play = []
        self.lead: tuple[str, list[str]] | None = None
        self.last: set[str] = set()
        self.last_winner, self.gathered = "", True
        self.played: dict[str, list[str]] = {seat: [] for seat in self.seats}
        self.taken = dict.fromkeys(self.seats, 0)

    def deal(self, piles: list[str]) -> None:
        self.require(self.phase == "deal" or not self.stock)
        for pile in piles:
            name, _, written = pile.partition("=")
            cards = cards_of([written])
            taken = self.seen | set(self.stock)
            self.require(len(set(cards)) == len(cards) and set(cards) <= self.pack - taken)
            if name == "stock":
                self.require(len(cards) == 42 and not any(self.draws.values()))
                self.stock = cards
                continue
            self.require(self.phase == "deal")
            self.seen |= set(cards)
            self.holds[name] |= set(cards)
            self.require(len(self.holds[name]) <= 5)
        if self.phase == "deal" and len(self.seen) == 10:
            self.phase = "draw"

    # The draw

    def stand(self, seat: str) -> None:
        if seat != self.content:
            self.require(self.phase == "draw" and seat == self.to_draw)
            self.finish_turn()
        self.content = ""

    def finish_turn(self) -> None:
        if self.to_draw == self.dealer:
            self.phase, self.to_play = "play", [self.next_dealer, self.dealer]
        self.to_draw = self.dealer

    def discard(self, seat: str, cards: list[str]) -> None:
        self.require(self.phase == "draw" and seat == self.to_draw)
        self.require(1 <= len(cards) <= 3 and len(set(cards)) == len(cards) and set(cards) <= self.holds[seat])
        self.content = ""
        self.holds[seat] -= set(cards)
        self.drawing, self.missing, self.may_be_left_out = seat, len(cards), bool(self.stock)
        if self.stock:
            self.coming = {self.stock.pop() for _ in cards}
            self.holds[seat] |= self.coming
            self.seen |= self.coming
        self.draws[seat] += 1
        if self.draws[seat] == (3 if seat == self.dealer else 2):
            self.finish_turn()
            self.content = seat

    def draw(self, seat: str, cards: list[str]) -> None:
        self.require(seat == self.drawing and 0 < len(cards) <= self.missing and len(set(cards)) == len(cards))
        self.missing, self.may_be_left_out = self.missing - len(cards), False
        if self.coming:
            self.require(set(cards) <= self.coming)
            self.coming -= set(cards)
        else:
            self.require(set(cards) <= self.pack - self.seen)
            self.seen |= set(cards)
            self.holds[seat] |= set(cards)
        self.drawing = seat if self.missing else ""

    def finish_draw(self) -> None:
        """A draw is written in full or, if the stock is known, left out."""
        self.require(not self.drawing or self.may_be_left_out)
        self.drawing, self.coming = "", set()

    # Play

    def legal(self, seat: str) -> set[str]:
        """The cards that a seat may play one of; all of them, as suits do not matter."""
        return set(self.holds[seat])

    def play(self, seat: str, cards: list[str]) -> None:
        self.require(self.phase == "play" and self.to_play[:1] == [seat])
        self.require(0 < len(set(cards)) == len(cards) and set(cards) <= self.holds[seat])
        if self.lead is None:
            same = {card for card in self.holds[seat] if card[0] == cards[0][0]}
            self.require(set(cards) <= same)
            self.require(self.partial_set_leads or len(cards) in (1, len(same)))
            self.lead, self.last = (seat, cards), set(cards)
        else:
            self.require(len(cards) == len(self.lead[1]))
            self.last |= set(cards)
        self.gathered, self.content = True, ""
        self.to_play.pop(0)
        self.holds[seat] -= set(cards)
        self.played[seat] += cards
        if not self.to_play:
            self.finish_trick(seat, cards)

    def finish_trick(self, seat: str, cards: list[str]) -> None:
        """Only as large a set of a higher rank beats a lead, a single card by a single one."""
        assert self.lead is not None
        leader, led = self.lead
        higher = ORDER.index(cards[0][0]) > ORDER.index(led[0][0])
        winner = seat if len({card[0] for card in cards}) == 1 and higher else leader
        self.taken[winner] += len(cards)
        self.last_winner, self.gathered, self.lead = winner, False, None
        if any(self.holds.values()):
            self.to_play = [winner, self.other(winner)]
        else:
            self.finish_hand()

    def gather(self, by: str, rest: list[str]) -> None:
        self.require(not self.gathered and by in ("@", self.last_winner) and rest[-1] == ">won:" + self.last_winner)
        cards = cards_of(rest)
        self.require(not cards or set(cards) == self.last)
        self.gathered = True

    # What a hand comes to

    def finish_hand(self) -> None:
        free = {self.dealer: 1, self.next_dealer: 0}
        times = {seat: 2 ** max(self.draws[seat] - free[seat], 0) for seat in self.seats}
        self.tricks.append(self.taken)
        self.multipliers.append(times)
        self.hands.append({seat: self.taken[seat] * times[self.other(seat)] for seat in self.seats})
        self.above.append({seat: 250 * (self.taken[seat] == 5) for seat in self.seats})
        better = max(self.seats, key=lambda seat: self.worth(self.played[seat]))
        if self.worth(self.played[better]) > self.worth(self.played[self.other(better)]):
            self.above[-1][better] += HONOURS[self.kind(self.played[better])]
        for seat in self.seats:
            self.below[seat] += self.hands[-1][seat]
        self.bonuses.append(dict.fromkeys(self.seats, 0))
        ahead = max(self.seats, key=lambda seat: self.below[seat])
        if self.below[ahead] >= self.target and self.below[ahead] > self.below[self.other(ahead)]:
            self.win_game(ahead)
        self.phase, self.to_play = "", []

    def win_game(self, seat: str) -> None:
        self.games.append(seat)
        self.bonuses[-1][seat] += 100
        self.below = dict.fromkeys(self.seats, 0)
        if self.over():
            self.bonuses[-1][seat] += 500 if self.other(seat) in self.games else 750

    def kind(self, cards: list[str]) -> str:
        """What these five cards are called at poker."""
        ranks = sorted(ORDER.index(card[0]) for card in cards)
        sizes = sorted(ranks.count(rank) for rank in set(ranks))
        flush = len({card[1] for card in cards}) == 1
        straight = ranks == list(range(ranks[0], ranks[0] + 5)) or (self.wheel_straight and ranks == [0, 1, 2, 3, 12])
        if flush and straight:
            return "royal" if ranks[0] == ORDER.index("T") else "straight-flush"
        if flush or straight:
            return "flush" if flush else "straight"
        names = {(1, 4): "four", (2, 3): "full-house", (1, 1, 3): "three", (1, 2, 2): "two-pair", (1, 1, 1, 2): "pair"}
        return names.get(tuple(sizes), "none")

    def worth(self, cards: list[str]) -> tuple[int, list[tuple[int, int]]]:
        """The kind of hand, then its ranks: those it has most of first, and of those the highest."""
        kind = self.kind(cards)
        ranks = [ORDER.index(card[0]) for card in cards]
        if kind in ("straight", "straight-flush") and sorted(ranks) == [0, 1, 2, 3, 12]:
            # The ace is the lowest card of this straight.
            ranks[ranks.index(12)] = -1
        return HONOURS[kind], sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)

    # The rubber

    def totals(self) -> dict[str, int]:
        """What stands above the line; what stands below it does not count in the end."""
        return {seat: sum(hand[seat] for hand in [*self.above, *self.bonuses]) for seat in self.seats}

    def over(self) -> bool:
        """Whether the rubber is over; if nobody has won it then, it is a tie."""
        return any(self.games.count(seat) == 2 for seat in self.seats)

    def winner(self) -> str:
        """Who has most above the line at the end of the rubber, empty if it goes on or is a tie."""
        totals = self.totals()
        ahead = [seat for seat in self.seats if totals[seat] == max(totals.values())]
        return ahead[0] if self.over() and len(ahead) == 1 else ""


def cards_of(words: list[str]) -> list[str]:
    """The cards in these words, without the faces and the piles."""
    cards = "".join(word for word in words if word not in ("up", "down", "*") and word[0] not in "<>")
    return [cards[i : i + 2] for i in range(0, len(cards), 2)]
