"""A second opinion on Tute, written from the rule text alone: it shares nothing with Kibitz but a record's lines.

It reads lines with every card seen, says at which line something was against the rules for the first time, and what
each hand came to. It ignores the lines that it does not understand. It understands:

    W hand 1                    the dealer, who is the next one to the right
    @ deal N=… E=… S=… W=…      in as many lines as one likes
    @ deal up W=7h              the card that is turned up, the dealer's last; `@ deal up upcard=7h` and `@ show 7h <W`
                                or `W show 7h` are the same. It may be one of the ten dealt already, or the tenth
    S play 3h
    S show KhQh                 a marriage declared by whoever won the last trick, KcKdKhKs a tute; or in words, with the
                                cards or without: `S call veinte KhQh`, `S call cuarenta`, `S call tute`. The cards of a
                                marriage that was called may be shown in the next line
    N move * <trick >won:NS     a trick that is gathered; it may be left out
    @ end hand void             the hand does not count, and anybody may deal next

`hands` has what both sides count in each hand, nothing after a tute; `winners` which side won each hand, empty if it
was drawn. Option: `hands`, how many the match has.
"""

from __future__ import annotations

ORDER = "24567JQK3A"
COUNTS = {"A": 11, "3": 10, "K": 4, "Q": 3, "J": 2}


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the seats in order, clockwise, and the option."""

    def __init__(self, seats: list[str], hands: int = 1) -> None:
        # Play goes to the right. Partners sit opposite each other.
        self.seats = seats[::-1]
        self.side = {seat: seats[i % 2] + seats[i % 2 + 2] for i, seat in enumerate(seats)}
        self.most = hands
        self.pack = {rank + suit for rank in ORDER for suit in "cdhs"}
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
            self.show(by, rest)
        elif verb == "play":
            self.play(by, rest[0])
        elif verb == "move":
            self.gather(by, rest)
        elif verb == "call" and rest[0] in ("veinte", "cuarenta", "tute"):
            self.declare(by, rest[0], cards_of("".join(rest[1:])))
            self.to_show = (by, rest[0])
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
        self.require(self.done and not self.over() and self.next_dealer in ("", dealer))
        self.dealer, self.next_dealer, self.done = dealer, self.round_from(dealer)[1], False
        self.holds: dict[str, set[str]] = {seat: set() for seat in self.seats}
        self.dealt: set[str] = set()
        self.trump = self.turned = ""
        self.to_play = []
        self.trick: list[tuple[str, str]] = []
        self.last: list[tuple[str, str]] = []
        self.last_winner, self.gathered = "", True
        self.points = dict.fromkeys(self.side.values(), 0)
        self.extras = self.points.copy()
        self.may_declare = ""
        self.to_show = ("", "")
        self.married: dict[str, list[str]] = {seat: [] for seat in self.seats}

    def deal(self, piles: list[str], face_up: bool) -> None:
        for pile in piles:
            name, _, written = pile.partition("=")
            name = self.dealer if name == "upcard" else name
            for card in cards_of(written):
                if not (face_up and card in self.holds[name]):
                    self.require(card in self.pack and card not in self.dealt)
                    self.dealt.add(card)
                    self.holds[name].add(card)
                if face_up:
                    self.turn_up(card)
            self.require(len(self.holds[name]) <= 10)
        if len(self.dealt) == 40 and not self.to_play:
            self.to_play = self.round_from(self.round_from(self.dealer)[1])

    def turn_up(self, card: str) -> None:
        self.require(self.turned in ("", card) and card in self.holds[self.dealer])
        self.turned, self.trump = card, card[1]

    # Play

    def legal(self, seat: str) -> set[str]:
        """The cards that a seat may play when it is its turn."""
        held = self.holds[seat]
        if not self.trick:
            return set(held)
        led = self.trick[0][1][1]
        bound = {card for card in held if card[1] == led} or {card for card in held if card[1] == self.trump}
        best = self.strength(self.ahead()[1])
        return {card for card in bound if self.strength(card) > best} or bound or set(held)

    def strength(self, card: str) -> int:
        led = self.trick[0][1][1]
        above = 20 if card[1] == self.trump else 10 if card[1] == led else 0
        return above + ORDER.index(card[0]) if above else -1

    def ahead(self) -> tuple[str, str]:
        """The seat and the card that win the trick as it lies."""
        return max(self.trick, key=lambda one: self.strength(one[1]))

    def play(self, seat: str, card: str) -> None:
        self.require(self.to_play[:1] == [seat] and self.trump != "" and card in self.legal(seat))
        self.to_play.pop(0)
        self.holds[seat].remove(card)
        self.trick.append((seat, card))
        self.last, self.gathered = list(self.trick), True
        self.may_declare, self.to_show = "", ("", "")
        if not self.to_play:
            self.finish_trick()

    def finish_trick(self) -> None:
        winner, _ = self.ahead()
        side = self.side[winner]
        self.points[side] += sum(COUNTS.get(card[0], 0) for _, card in self.trick)
        self.last_winner, self.gathered, self.trick = winner, False, []
        if any(self.holds.values()):
            self.to_play = self.round_from(winner)
            self.may_declare = winner
            return
        self.extras[side] += 10
        total = {one: self.points[one] + self.extras[one] for one in self.points}
        ahead = [one for one in total if total[one] == max(total.values())]
        self.finish_hand(total, ahead[0] if len(ahead) == 1 else "")

    def finish_hand(self, total: dict[str, int], winner: str) -> None:
        self.hands.append(total)
        self.winners.append(winner)
        self.done, self.to_play = True, []

    def gather(self, by: str, rest: list[str]) -> None:
        self.require(not self.gathered and by in ("@", self.last_winner))
        self.require(self.side.get(rest[-1][5:], rest[-1][5:]) == self.side[self.last_winner])
        cards = cards_of("".join(word for word in rest if word[0] not in "<>*"))
        self.require(not cards or set(cards) == {card for _, card in self.last})
        self.gathered = True

    # Declarations

    def show(self, by: str, rest: list[str]) -> None:
        cards = cards_of(rest[0])
        seat = rest[-1][1:] if rest[-1][0] == "<" else by
        ranks, suits = sorted(card[0] for card in cards), {card[1] for card in cards}
        if ranks == ["K", "Q"] and len(suits) == 1:
            kind = "cuarenta" if suits == {self.trump} else "veinte"
            if self.to_show == (seat, kind):
                # Only the cards of what was called in the line before.
                self.require(set(cards) <= self.holds[seat])
                said = self.married[seat]
                if kind == "veinte" and not suits & set(said):
                    self.require("?" in said)
                    said[said.index("?")] = cards[0][1]
                self.to_show = ("", "")
            else:
                self.declare(seat, kind, cards)
        elif ranks == ["K"] * 4 and len(suits) == 4:
            if self.to_show != (seat, "tute"):
                self.declare(seat, "tute", cards)
        elif seat == self.dealer and len(cards) == 1 and not self.last:
            self.turn_up(cards[0])

    def declare(self, seat: str, kind: str, cards: list[str]) -> None:
        """One after each trick, by its winner, before the next lead."""
        self.require(not self.done and self.may_declare == seat)
        held, said = self.holds[seat], self.married[seat]
        self.require(set(cards) <= held)
        self.may_declare = ""
        if kind == "tute":
            self.require({"K" + suit for suit in "cdhs"} <= held)
            self.finish_hand({}, self.side[seat])
            return
        suits = {card[1] for card in cards} or {suit for suit in "cdhs" if (suit == self.trump) == (kind == "cuarenta")}
        suits = {suit for suit in suits if {"K" + suit, "Q" + suit} <= held and suit not in said}
        self.require(len(suits) > said.count("?") and (not cards or len(suits) == 1))
        self.require(all((suit == self.trump) == (kind == "cuarenta") for suit in suits))
        # Whoever has declared a veinte has no cuarenta any more; a partner's veinte takes nothing away.
        self.require(kind == "veinte" or not said)
        said.append(suits.pop() if len(suits) == 1 else "?")
        self.extras[self.side[seat]] += 40 if kind == "cuarenta" else 20

    # The match

    def over(self) -> bool:
        """Whether the match is over; if nobody has won it then, it is drawn."""
        return len(self.winners) >= self.most

    def winner(self) -> str:
        """Who has won the match, empty if it goes on or is drawn."""
        won = {side: self.winners.count(side) for side in self.side.values()}
        ahead = [side for side in won if won[side] == max(won.values())]
        return ahead[0] if self.over() and len(ahead) == 1 else ""


def cards_of(written: str) -> list[str]:
    written = written.replace("/", "")
    return [written[i : i + 2] for i in range(0, len(written), 2)]
