"""A second opinion on Pluck, written from the rule text alone: it shares nothing with Kibitz but a record's lines.

It reads lines with every card seen, says at which line something was against the rules for the first time, and what
each hand came to. It ignores the lines that it does not understand. It understands:

    C hand 1                    the dealer, who is the next one clockwise
    @ deal A=… B=… C=…          seventeen each, in as many lines as one likes; the big joker is Jo+, the little one Jo-
    A move 5h >B, B move Kh >A  a pluck, from the second hand on: a card, and at once the highest of its suit for it
    C name c                    the trumps; plucks that are left lapse
    A play 2c
    A move * <trick >won:A      a trick that is gathered; it may be left out
    @ end hand misdeal          the hand does not count, and anybody may deal next; the plucks are owed again

`hands` has the points of each hand, `tricks` the tricks.

Options: `target`, `pluck_optional` (False: all plucks are taken before the trumps are named),
`forced_trump_lead_breaks` (False: trumps that are led because there is nothing else do not break them) and
`pluck_order` ("free", or "quota": of two who may pluck, the one with the higher quota in this hand takes all of his
first).
"""

from __future__ import annotations

import re

ORDER = "23456789TJQKA"
JOKERS = ("Jo-", "Jo+")


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the seats in order, clockwise, and the options."""

    def __init__(
        self,
        seats: list[str],
        target: int = 20,
        pluck_optional: bool = True,
        forced_trump_lead_breaks: bool = True,
        pluck_order: str = "free",
    ) -> None:
        self.seats = seats
        self.target, self.pluck_optional, self.free_order = target, pluck_optional, pluck_order == "free"
        self.forced_trump_lead_breaks = forced_trump_lead_breaks
        self.pack = {rank + suit for rank in ORDER[1:] for suit in "cdhs"} | {"2c", *JOKERS}
        self.next_dealer = self.phase = self.won = ""
        self.hands: list[dict[str, int]] = []
        self.tricks: list[dict[str, int]] = []
        self.to_play: list[str] = []
        # How often each seat may pluck in the next hand, and how often it may be plucked.
        self.over = dict.fromkeys(seats, 0)
        self.short = self.over.copy()

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
        elif verb == "move" and rest[-1].startswith(">won:"):
            self.gather(by, rest)
        elif verb == "move":
            self.move(by, cards_of(rest), rest[-1][1:])
        elif verb == "name":
            self.name(by, rest[0])
        elif verb == "play":
            self.play(by, rest[0])
        elif verb == "end" and rest[0] == "hand":
            self.next_dealer = "" if self.phase else self.next_dealer
            self.phase, self.to_play = "", []

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    def round_from(self, seat: str) -> list[str]:
        i = self.seats.index(seat)
        return self.seats[i:] + self.seats[:i]

    # The deal, the plucks and the trumps

    def begin(self, dealer: str) -> None:
        self.require(self.phase == "" and not self.won and self.next_dealer in ("", dealer))
        self.dealer, self.next_dealer, self.phase = dealer, self.round_from(dealer)[1], "deal"
        self.quota = dict(zip(self.round_from(dealer), (7, 6, 4), strict=True))
        self.holds: dict[str, set[str]] = {seat: set() for seat in self.seats}
        self.dealt: set[str] = set()
        self.may_pluck, self.may_lose = self.over.copy(), self.short.copy()
        # The card that was passed and is still to be answered: by whom, to whom, in which suit.
        self.owed: tuple[str, str, str] | None = None
        self.trump, self.broken = "", False
        self.to_play = []
        self.trick: list[tuple[str, str]] = []
        self.last: list[tuple[str, str]] = []
        self.last_winner, self.gathered = "", True
        self.taken = dict.fromkeys(self.seats, 0)

    def deal(self, piles: list[str]) -> None:
        self.require(self.phase == "deal")
        for pile in piles:
            name, _, written = pile.partition("=")
            for card in cards_of([written]):
                self.require(card in self.pack and card not in self.dealt)
                self.dealt.add(card)
                self.holds[name].add(card)
            self.require(len(self.holds[name]) <= 17)
        if len(self.dealt) == 51:
            self.phase = "pluck"

    def move(self, seat: str, cards: list[str], to: str) -> None:
        """One half of a pluck: a card that is passed, or the answer."""
        self.require(self.phase == "pluck" and to in self.seats and to != seat)
        self.require(len(cards) == 1 and cards[0] in self.legal(seat))
        if self.owed:
            self.require(self.owed[:2] == (seat, to))
            self.owed = None
        else:
            self.require(self.may_pluck[seat] > 0 and self.may_lose[to] > 0 and self.first_to_pluck(seat))
            self.may_pluck[seat] -= 1
            self.may_lose[to] -= 1
            self.owed = (to, seat, cards[0][1])
        self.holds[seat].remove(cards[0])
        self.holds[to].add(cards[0])

    def first_to_pluck(self, seat: str) -> bool:
        waiting = [one for one in self.seats if self.may_pluck[one]]
        return self.free_order or self.quota[seat] == max(self.quota[one] for one in waiting)

    def name(self, seat: str, suit: str) -> None:
        self.require(self.phase == "pluck" and not self.owed and seat == self.dealer and suit in set("cdhs"))
        self.require(self.pluck_optional or not any(self.may_pluck.values()))
        self.trump, self.phase = suit, "play"
        self.to_play = self.round_from(next(one for one in self.seats if "2c" in self.holds[one]))

    # Play

    def suit(self, card: str) -> str:
        return self.trump if card in JOKERS else card[1]

    def strength(self, card: str) -> int:
        if card in JOKERS:
            return 40 + JOKERS.index(card)
        led = self.suit(self.trick[0][1])
        above = 20 if card[1] == self.trump else 0 if card[1] == led else -20
        return above + ORDER.index(card[0])

    def legal(self, seat: str) -> set[str]:
        """The cards that a seat may play when it is its turn, or may move for a pluck."""
        held = self.holds[seat]
        if self.phase == "pluck":
            plain = held - set(JOKERS)
            if self.owed and self.owed[0] == seat:
                suit = {card for card in plain if card[1] == self.owed[2]}
                return {max(suit, key=lambda card: ORDER.index(card[0]))}
            return plain
        if self.trick:
            return {card for card in held if self.suit(card) == self.suit(self.trick[0][1])} or set(held)
        if not sum(self.taken.values()):
            return held & {"2c"}
        plain = {card for card in held if self.suit(card) != self.trump}
        return set(held) if self.broken else plain or set(held)

    def play(self, seat: str, card: str) -> None:
        self.require(self.phase == "play" and self.to_play[:1] == [seat] and card in self.legal(seat))
        self.to_play.pop(0)
        self.holds[seat].remove(card)
        self.trick.append((seat, card))
        # A trump breaks them: on another suit, in the first trick, and by the option on a lead without a choice.
        if self.suit(card) == self.trump:
            first = not sum(self.taken.values())
            plain_led = self.suit(self.trick[0][1]) != self.trump
            self.broken |= plain_led or first or self.forced_trump_lead_breaks
        self.last, self.gathered = list(self.trick), True
        if not self.to_play:
            self.finish_trick()

    def finish_trick(self) -> None:
        winner, _ = max(self.trick, key=lambda one: self.strength(one[1]))
        self.taken[winner] += 1
        self.last_winner, self.gathered, self.trick = winner, False, []
        if any(self.holds.values()):
            self.to_play = self.round_from(winner)
        else:
            self.finish_hand()

    def finish_hand(self) -> None:
        self.over = {seat: max(self.taken[seat] - self.quota[seat], 0) for seat in self.seats}
        self.short = {seat: max(self.quota[seat] - self.taken[seat], 0) for seat in self.seats}
        self.tricks.append(self.taken)
        self.hands.append(self.over.copy())
        self.phase = ""
        totals = self.totals()
        ahead = [seat for seat in self.seats if totals[seat] == max(totals.values())]
        if totals[ahead[0]] >= self.target and len(ahead) == 1:
            self.won = ahead[0]

    def gather(self, by: str, rest: list[str]) -> None:
        self.require(not self.gathered and by in ("@", self.last_winner) and rest[-1] == ">won:" + self.last_winner)
        cards = cards_of(rest)
        self.require(not cards or set(cards) == {card for _, card in self.last})
        self.gathered = True

    # The match

    def totals(self) -> dict[str, int]:
        return {seat: sum(hand[seat] for hand in self.hands) for seat in self.seats}

    def winner(self) -> str:
        """Who has won the match, empty if it goes on; of two who have as many, nobody has won it yet."""
        return self.won


def cards_of(words: list[str]) -> list[str]:
    """The cards in these words, without the faces and the piles."""
    cards = [word for word in words if word not in ("up", "down", "*") and word[0] not in "<>"]
    return re.findall(r"Jo[+-]|..", "".join(cards))
