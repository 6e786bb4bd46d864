"""A second opinion on Fünfzehnern, written from the rule text alone: it shares nothing with Kibitz but a record's
lines.

It reads lines with every card seen, says at which line something was against the rules for the first time, and what
each hand came to. It ignores the lines that it does not understand. It understands:

    D hand 1                    the dealer, who is the next one clockwise
    @ deal A=… B=… C=… D=…      in as many lines as one likes
    A call zwang                before or after the queen that the leader plays; `A call zwang Qh` is the same
    A play Qh
    A move * <trick >won:A      a trick that is gathered; it may be left out
    B pay 3 >pot                into the pot after the hand, or `@ pay 3 <pot >B` out of it; it may be left out
    @ end hand void, @ end match

Everybody plays alone, three or four. `hands` has the points above fifteen, or below it, `points` those of the cards.

Options: `hands` (0 is until `end match`), `removed_suit` (with three players; a letter or a word),
`opening_leader_locked` (whoever leads to the first trick and wins it has to go on with its suit) and
`own_higher_cards_count_as_unbeatable` (a card is unbeatable too if the higher ones are in the same hand).
"""

from __future__ import annotations

ORDER = "789TJQKA"
COUNTS = {"A": 5, "K": 4, "Q": 3, "J": 2, "T": 1}


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the seats in order, clockwise, and the options."""

    def __init__(
        self,
        seats: list[str],
        hands: int = 8,
        removed_suit: str = "c",
        opening_leader_locked: bool = False,
        own_higher_cards_count_as_unbeatable: bool = False,
    ) -> None:
        self.seats, self.most = seats, hands
        self.opening_leader_locked = opening_leader_locked
        self.own_higher = own_higher_cards_count_as_unbeatable
        suits = "cdhs".replace(removed_suit[0], "") if len(seats) == 3 else "cdhs"
        self.pack = {rank + suit for rank in ORDER for suit in suits}
        self.next_dealer = ""
        self.done, self.ended = True, False
        self.hands: list[dict[str, int]] = []
        self.points: list[dict[str, int]] = []
        self.to_play: list[str] = []
        self.unpaid: dict[str, int] = {}

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
        elif verb == "call" and rest[0] == "zwang":
            self.force(by, rest[1:])
        elif verb == "play":
            self.play(by, rest[0])
        elif verb == "move":
            self.gather(by, rest)
        elif verb == "pay":
            self.pay(by, int(rest[0]), rest[1:])
        elif verb == "end":
            self.end(rest[0])

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    def round_from(self, seat: str) -> list[str]:
        i = self.seats.index(seat)
        return self.seats[i:] + self.seats[:i]

    def begin(self, dealer: str) -> None:
        self.require(self.done and not self.over() and self.next_dealer in ("", dealer))
        self.first = self.next_dealer = self.round_from(dealer)[1]
        self.done = False
        self.holds: dict[str, set[str]] = {seat: set() for seat in self.seats}
        self.dealt: set[str] = set()
        self.out: set[str] = set()
        self.lock = ""
        self.called = False
        self.forced = ""
        self.to_play = []
        self.trick: list[tuple[str, str]] = []
        self.last: list[tuple[str, str]] = []
        self.last_winner, self.gathered = "", True
        self.counted = dict.fromkeys(self.seats, 0)
        self.unpaid = {}

    def deal(self, piles: list[str]) -> None:
        for pile in piles:
            name, _, written = pile.partition("=")
            for i in range(0, len(written), 2):
                card = written[i : i + 2]
                self.require(card in self.pack and card not in self.dealt)
                self.dealt.add(card)
                self.holds[name].add(card)
            self.require(len(self.holds[name]) <= 8)
        if self.dealt == self.pack:
            self.to_play = self.round_from(self.first)

    # Play

    def higher(self, card: str) -> set[str]:
        return {rank + card[1] for rank in ORDER[ORDER.index(card[0]) + 1 :]}

    def legal(self, seat: str) -> set[str]:
        """The cards that a seat may play when it is its turn."""
        held = self.holds[seat]
        if self.trick:
            if self.forced in held:
                return {self.forced}
            return {card for card in held if card[1] == self.trick[0][1][1]} or held
        locked = {card for card in held if card[1] == self.lock}
        gone = self.out | held if self.own_higher else self.out
        return locked | {card for card in held if self.higher(card) <= gone} if locked else held

    def may_force(self, seat: str, card: str) -> bool:
        """A queen with its king beside it, before the ace has been played."""
        return card[0] == "Q" and "K" + card[1] in self.holds[seat] and "A" + card[1] not in self.out

    def force(self, seat: str, cards: list[str]) -> None:
        """The leader says it with the lead: just before the queen or just after it."""
        if self.trick:
            self.require([who for who, _ in self.trick] == [seat] and not self.called)
            queen = self.trick[0][1]
            self.require(self.may_force(seat, queen) and cards in ([], [queen]))
            self.forced = "A" + queen[1]
        else:
            self.require(self.to_play[:1] == [seat])
            self.require(any(self.may_force(seat, card) for card in self.legal(seat) & set(cards or self.legal(seat))))
        self.called = True

    def play(self, seat: str, card: str) -> None:
        self.require(self.to_play[:1] == [seat] and card in self.legal(seat))
        if self.called and not self.trick:
            self.require(self.may_force(seat, card))
            self.forced = "A" + card[1]
        self.to_play.pop(0)
        self.holds[seat].remove(card)
        self.trick.append((seat, card))
        self.last, self.gathered = list(self.trick), True
        if not self.to_play:
            self.finish_trick()

    def finish_trick(self) -> None:
        leader, led = self.trick[0][0], self.trick[0][1][1]
        winner, _ = max((one for one in self.trick if one[1][1] == led), key=lambda one: ORDER.index(one[1][0]))
        if winner != leader or (not self.out and self.opening_leader_locked):
            # Whoever takes the lead from another is held to the suit it was taken in.
            self.lock = led
        elif not any(card[1] == self.lock for card in self.holds[winner]):
            self.lock = ""
        self.out |= {card for _, card in self.trick}
        self.counted[winner] += sum(COUNTS.get(card[0], 0) for _, card in self.trick)
        self.last_winner, self.gathered, self.trick = winner, False, []
        self.called, self.forced = False, ""
        if any(self.holds.values()):
            self.to_play = self.round_from(winner)
            return
        self.points.append(self.counted)
        self.hands.append({seat: points - 15 for seat, points in self.counted.items()})
        self.unpaid = dict(self.hands[-1])
        self.done = True

    def gather(self, by: str, rest: list[str]) -> None:
        self.require(not self.gathered and by in ("@", self.last_winner) and rest[-1] == ">won:" + self.last_winner)
        cards = "".join(word for word in rest if word[0] not in "<>*")
        self.require(
            not cards or {cards[i : i + 2] for i in range(0, len(cards), 2)} == {card for _, card in self.last}
        )
        self.gathered = True

    # The match

    def pay(self, by: str, amount: int, way: list[str]) -> None:
        """A chip for each point: into the pot below fifteen, out of it above."""
        seat = next((word[1:] for word in way if word[0] == ">" and word[1:] in self.seats), by)
        out = amount if "<pot" in way else -amount
        self.require(seat in self.unpaid and self.unpaid.pop(seat) == out)

    def end(self, what: str) -> None:
        if what == "match":
            self.ended = True
        elif not self.done:
            self.next_dealer = ""
        self.done, self.to_play = True, []

    def totals(self) -> dict[str, int]:
        return {seat: sum(hand[seat] for hand in self.hands) for seat in self.seats}

    def over(self) -> bool:
        """Whether the match is over."""
        return self.ended or 0 < self.most <= len(self.hands)

    def winner(self) -> str:
        """Who has most at the end of the match, empty if it goes on or two have as much."""
        totals = self.totals()
        ahead = [seat for seat in self.seats if totals[seat] == max(totals.values())]
        return ahead[0] if self.over() and len(ahead) == 1 else ""
