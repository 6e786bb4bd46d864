"""A second opinion on Écarté, written from the rule text alone: it shares nothing with Kibitz but a record's lines.

It reads lines with every card seen, says at which line something was against the rules for the first time, and what
each hand came to. It ignores the lines that it does not understand. It understands:

    B hand 1                    the dealer; the deal alternates
    @ deal A=… B=…              five each, and `@ deal up upcard=7h`; `@ deal down stock=…` is the other 21, the top one last
    A pass, A call play         "I play"; the lead says it too
    A call propose              "I propose"
    B call accept, B call decline
    A discard down 3 cards      the exchange, the dealer's after the non-dealer's; `A pass` exchanges nothing
    A draw 3 cards              in one line or in several; it may be left out if the stock is written
    B show Kc                   the king of trumps: after the exchange and before the own first card, or by the leader with
                                this card, before the answer. Other cards that are shown have no effect
    A play 7h
    A move * <trick >won:A      a trick that is gathered; it may be left out
    @ end hand void             the hand does not count, nor its kings, and anybody may deal next

`hands` has the points of each hand, kings and all; `tricks` the tricks of the hands that were played out.

Options: `target`, `vulnerable_vole_points` (what all five tricks against a vulnerable player score) and
`king_announcement_deadline` ("own_first_card"; with "first_lead" a king is shown before anybody plays).
"""

from __future__ import annotations

ORDER = "789TAJQK"


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the two seats and the options."""

    def __init__(
        self,
        seats: list[str],
        target: int = 5,
        vulnerable_vole_points: int = 3,
        king_announcement_deadline: str = "own_first_card",
    ) -> None:
        self.seats, self.target, self.vole_points = seats, target, vulnerable_vole_points
        self.before_the_lead = king_announcement_deadline == "first_lead"
        self.pack = {rank + suit for rank in ORDER for suit in "cdhs"}
        # The phases: deal, speak, answer, exchange, play.
        self.next_dealer = self.phase = ""
        self.hands: list[dict[str, int]] = []
        self.tricks: list[dict[str, int]] = []
        self.gained = dict.fromkeys(seats, 0)
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
        if verb in ("pass", "call", "discard", "show", "play"):
            self.finish_draw()
        if verb == "hand":
            self.begin(by)
        elif verb == "deal":
            self.deal([word for word in rest if "=" in word])
        elif verb == "pass":
            self.let_by(by)
        elif verb == "call":
            self.call(by, rest[0])
        elif verb == "discard":
            self.discard(by, cards_of(rest))
        elif verb == "draw":
            self.draw(by, cards_of(rest))
        elif verb == "show":
            self.show(rest[-1][1:] if rest[-1][0] == "<" else by, cards_of(rest))
        elif verb == "play":
            self.play(by, rest[0])
        elif verb == "move":
            self.gather(by, rest)
        elif verb == "end" and rest[0] == "hand":
            self.break_off()

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    def other(self, seat: str) -> str:
        return self.seats[1 - self.seats.index(seat)]

    # The deal

    def begin(self, dealer: str) -> None:
        self.require(self.phase == "" and not self.winner() and self.next_dealer in ("", dealer))
        self.dealer, self.first = dealer, self.other(dealer)
        self.next_dealer, self.phase = self.first, "deal"
        self.holds: dict[str, set[str]] = {seat: set() for seat in self.seats}
        self.seen: set[str] = set()
        self.stock: list[str] = []
        self.left = 21
        self.upcard = self.trump = self.vulnerable = self.to_exchange = ""
        self.exchanged = self.king_shown = False
        # Whose draw is not complete, and how many cards he still takes; the cards, if the stock is written.
        self.drawing, self.missing, self.may_be_left_out = "", 0, False
        self.coming: set[str] = set()
        self.to_play = []
        self.trick: list[tuple[str, str]] = []
        self.last: list[tuple[str, str]] = []
        self.last_winner, self.gathered = "", True
        self.gained = dict.fromkeys(self.seats, 0)
        self.taken = self.gained.copy()

    def deal(self, piles: list[str]) -> None:
        for pile in piles:
            name, _, written = pile.partition("=")
            cards = cards_of([written])
            if name == "stock":
                self.require(not self.stock and self.left == len(cards) == 21)
                self.stock = cards
                fresh = set(cards) - self.seen
            else:
                fresh = set(cards) - self.seen - set(self.stock)
                self.seen |= set(cards)
            self.require(fresh <= self.pack and len(fresh) == len(cards))
            if name == "upcard":
                self.require(not self.upcard and len(cards) == 1)
                self.upcard, self.trump = cards[0], cards[0][1]
            elif name != "stock":
                self.holds[name] |= fresh
                self.require(self.phase == "deal" and len(self.holds[name]) <= 5)
        if self.phase == "deal" and self.upcard and len(self.seen) == 11:
            self.phase = "speak"
            if self.upcard[0] == "K":
                self.score(self.dealer, 1)

    # The exchange

    def let_by(self, seat: str) -> None:
        if self.phase == "speak":
            self.stand(seat)
        else:
            self.require(self.phase == "exchange" and seat == self.to_exchange)
            self.finish_exchange()

    def stand(self, seat: str) -> None:
        self.require(self.phase == "speak" and seat == self.first)
        self.vulnerable = "" if self.exchanged else self.first
        self.start_play()

    def call(self, seat: str, word: str) -> None:
        if word == "propose":
            self.require(self.phase == "speak" and seat == self.first)
            self.phase = "answer"
        elif word in ("play", "i-play"):
            self.stand(seat)
        elif word in ("accept", "decline", "refuse"):
            self.require(self.phase == "answer" and seat == self.dealer)
            if word == "accept":
                self.phase, self.exchanged, self.to_exchange = "exchange", True, self.first
            else:
                self.vulnerable = "" if self.exchanged else self.dealer
                self.start_play()

    def discard(self, seat: str, cards: list[str]) -> None:
        self.require(self.phase == "exchange" and seat == self.to_exchange)
        self.require(0 < len(cards) <= self.left and len(set(cards)) == len(cards) and set(cards) <= self.holds[seat])
        self.holds[seat] -= set(cards)
        self.drawing, self.missing, self.may_be_left_out = seat, len(cards), bool(self.stock)
        self.left -= len(cards)
        if self.stock:
            self.coming = {self.stock.pop() for _ in cards}
            self.holds[seat] |= self.coming
            self.seen |= self.coming
        self.finish_exchange()

    def finish_exchange(self) -> None:
        """The dealer comes after the non-dealer, unless nothing is left for him."""
        if self.to_exchange == self.first and self.left:
            self.to_exchange = self.dealer
        elif self.left:
            self.phase = "speak"
        else:
            self.start_play()

    def draw(self, seat: str, cards: list[str]) -> None:
        self.require(seat == self.drawing and 0 < len(cards) <= self.missing)
        self.missing, self.may_be_left_out = self.missing - len(cards), False
        if self.coming:
            self.require(set(cards) <= self.coming and len(set(cards)) == len(cards))
            self.coming -= set(cards)
        else:
            self.require(set(cards) <= self.pack - self.seen and len(set(cards)) == len(cards))
            self.seen |= set(cards)
            self.holds[seat] |= set(cards)
        self.drawing = seat if self.missing else ""

    def finish_draw(self) -> None:
        """A draw is written in full or, if the stock is known, left out."""
        self.require(not self.drawing or self.may_be_left_out)
        self.drawing, self.coming = "", set()

    def start_play(self) -> None:
        self.phase, self.to_play = "play", [self.first, self.dealer]

    # Play

    def show(self, seat: str, cards: list[str]) -> None:
        king = "K" + self.trump if self.phase else ""
        if king not in cards:
            return
        self.require(self.phase == "play" and not self.king_shown)
        led = bool(self.last)
        in_hand = king in self.holds.get(seat, set()) and len(self.holds[seat]) == 5
        with_the_lead = self.trick == [(seat, king)] and self.last == self.trick and not any(self.taken.values())
        self.require((in_hand and not (led and self.before_the_lead)) or with_the_lead)
        self.king_shown = True
        self.score(seat, 1)

    def legal(self, seat: str) -> set[str]:
        """The cards that a seat may play when it is its turn, or throw away."""
        held = self.holds[seat]
        if not self.trick:
            return set(held)
        led = self.trick[0][1]
        suit = {card for card in held if card[1] == led[1]}
        higher = {card for card in suit if ORDER.index(card[0]) > ORDER.index(led[0])}
        return higher or suit or {card for card in held if card[1] == self.trump} or set(held)

    def play(self, seat: str, card: str) -> None:
        if self.phase == "speak" and seat == self.first:
            # The lead says "I play".
            self.stand(seat)
        self.require(self.phase == "play" and self.to_play[:1] == [seat] and card in self.legal(seat))
        self.to_play.pop(0)
        self.holds[seat].remove(card)
        self.trick.append((seat, card))
        self.last, self.gathered = list(self.trick), True
        if not self.to_play:
            self.finish_trick()

    def finish_trick(self) -> None:
        (leader, led), (second, answer) = self.trick
        beaten = ORDER.index(answer[0]) > ORDER.index(led[0]) if answer[1] == led[1] else answer[1] == self.trump
        winner = second if beaten else leader
        self.taken[winner] += 1
        self.last_winner, self.gathered, self.trick = winner, False, []
        if any(self.holds.values()):
            self.to_play = [winner, self.other(winner)]
        else:
            self.finish_hand()

    def finish_hand(self) -> None:
        winner = max(self.seats, key=lambda seat: self.taken[seat])
        all_five, overbold = self.taken[winner] == 5, self.vulnerable == self.other(winner)
        self.tricks.append(self.taken)
        self.gained[winner] += self.vole_points if all_five and overbold else 1 + all_five + overbold
        self.close()

    def gather(self, by: str, rest: list[str]) -> None:
        self.require(not self.gathered and by in ("@", self.last_winner) and rest[-1] == ">won:" + self.last_winner)
        cards = cards_of(rest)
        self.require(not cards or set(cards) == {card for _, card in self.last})
        self.gathered = True

    # The match

    def score(self, seat: str, points: int) -> None:
        """A king counts at once, and may win the match without a card."""
        self.gained[seat] += points
        if self.totals()[seat] >= self.target:
            self.close()

    def close(self) -> None:
        self.hands.append(self.gained)
        self.gained = dict.fromkeys(self.seats, 0)
        self.phase, self.to_play = "", []

    def break_off(self) -> None:
        if self.phase:
            self.next_dealer = ""
        self.gained = dict.fromkeys(self.seats, 0)
        self.phase, self.to_play = "", []

    def totals(self) -> dict[str, int]:
        """The points so far, with those of the hand that is played."""
        return {seat: sum(hand[seat] for hand in self.hands) + self.gained[seat] for seat in self.seats}

    def winner(self) -> str:
        """Who has won the match, empty if it goes on."""
        return next((seat for seat, total in self.totals().items() if total >= self.target), "")


def cards_of(words: list[str]) -> list[str]:
    """The cards in these words, without the faces and the piles."""
    cards = "".join(word for word in words if word not in ("up", "down", "*") and word[0] not in "<>")
    return [cards[i : i + 2] for i in range(0, len(cards), 2)]
