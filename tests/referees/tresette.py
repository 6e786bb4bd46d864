"""A second opinion on Tresette, written from the rule text alone: it shares nothing with Kibitz but a record's lines.

It reads lines with every card seen, says at which line something was against the rules for the first time, and what
each hand came to. It ignores the lines that it does not understand. It understands:

    W hand 1                    the dealer, who is the next one in the direction of play
    @ deal N=… E=… S=… W=…      in as many lines as one likes
    N call good                 "good play"
    N call declare 3x3?         a meld that is named: 4x2?, AcAdAs, 3?2?A?, 3c2cAc; several with / between them
    N call best                 the leader's "play your best", before the card or after it
    N call count 3              how many cards of the suit led a seat holds, with the card it plays or without it
    N call short 1              two, one or no cards of some suit; with a word or a card that names the suit it is wrong
    N play 3h
    N move * <trick >won:NS     a trick that is gathered; it may be left out
    @ end hand void             the hand does not count, and anybody may deal next

Without its cards a `declare`, and without its number a `count` or a `short`, is only looked at for who says it and
when.

Options: `target`, `direction` ("left", or "right" for play and deal to the right), `table_talk` (False: none at all)
and `true_talk` (False: a number that is not true is let pass, as the text has no penalty for it).
"""

from __future__ import annotations

import re

ORDER = "4567QJKA23"
FIGURES = "23KQJ"


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the seats in order, clockwise, and the options."""

    def __init__(
        self,
        seats: list[str],
        target: int = 31,
        direction: str = "left",
        table_talk: bool = True,
        true_talk: bool = True,
    ) -> None:
        # Partners sit opposite each other.
        self.side = {seat: seats[i % 2] + seats[i % 2 + 2] for i, seat in enumerate(seats)}
        self.seats = seats if direction in ("left", "clockwise") else seats[::-1]
        self.target, self.table_talk, self.true_talk = target, table_talk, true_talk
        self.pack = {rank + suit for rank in ORDER for suit in "cdhs"}
        self.next_dealer = ""
        self.done = True
        self.to_play: list[str] = []
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
        elif verb == "play":
            self.play(by, rest[0])
        elif verb == "call":
            self.call(by, rest[0], rest[1:])
        elif verb == "move":
            self.gather(by, rest)
        elif verb == "end" and rest[0] == "hand":
            self.done, self.next_dealer, self.to_play = True, "", []

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    def round_from(self, seat: str) -> list[str]:
        i = self.seats.index(seat)
        return self.seats[i:] + self.seats[:i]

    def begin(self, dealer: str) -> None:
        self.require(self.done and not self.winner() and self.next_dealer in ("", dealer))
        self.first = self.round_from(dealer)[1]
        self.next_dealer = self.first
        self.done, self.to_play = False, []
        self.original: dict[str, set[str]] = {seat: set() for seat in self.seats}
        self.holds: dict[str, set[str]] = {}
        self.trick: list[tuple[str, str]] = []
        self.last: list[tuple[str, str]] = []
        self.won: dict[str, int] = dict.fromkeys(self.seats, 0)
        self.last_winner = ""
        self.gathered = True
        self.good: set[str] = set()
        self.named: dict[str, list[str]] = {seat: [] for seat in self.seats}
        sides = dict.fromkeys(self.side.values(), 0)
        self.melds, self.figures, self.aces = sides.copy(), sides.copy(), sides.copy()

    def deal(self, piles: list[str]) -> None:
        for pile in piles:
            name, _, written = pile.partition("=")
            for i in range(0, len(written), 2):
                card = written[i : i + 2]
                self.require(card in self.pack and not any(card in held for held in self.original.values()))
                self.original[name].add(card)
            self.require(len(self.original[name]) <= 10)
        if all(len(held) == 10 for held in self.original.values()):
            self.holds = {seat: set(held) for seat, held in self.original.items()}
            self.to_play = self.round_from(self.first)

    def legal(self, seat: str) -> set[str]:
        """The cards that a seat may play when it is its turn."""
        held = self.holds[seat]
        return {card for card in held if self.trick and card[1] == self.trick[0][1][1]} or held

    def play(self, seat: str, card: str) -> None:
        self.require(self.to_play[:1] == [seat] and card in self.legal(seat))
        self.to_play.pop(0)
        self.holds[seat].remove(card)
        self.trick.append((seat, card))
        self.last, self.gathered = list(self.trick), True
        if not self.to_play:
            self.finish_trick()

    def finish_trick(self) -> None:
        led = self.trick[0][1][1]
        winner, _ = max((one for one in self.trick if one[1][1] == led), key=lambda one: ORDER.index(one[1][0]))
        side = self.side[winner]
        self.figures[side] += sum(card[0] in FIGURES for _, card in self.trick)
        self.aces[side] += sum(card[0] == "A" for _, card in self.trick)
        self.won[winner] += 1
        self.last_winner, self.gathered, self.trick = winner, False, []
        if any(self.holds.values()):
            self.to_play = self.round_from(winner)
        else:
            self.done = True
            self.hands.append(
                {s: self.melds[s] + self.figures[s] // 3 + self.aces[s] + (s == side) for s in self.melds}
            )

    def gather(self, by: str, rest: list[str]) -> None:
        self.require(not self.gathered and by in ("@", self.last_winner))
        self.require(self.side.get(rest[-1][5:], rest[-1][5:]) == self.side[self.last_winner])
        cards = "".join(word for word in rest if word[0] not in "<>*")
        self.require(
            not cards or {cards[i : i + 2] for i in range(0, len(cards), 2)} == {card for _, card in self.last}
        )
        self.gathered = True

    # What is said

    def call(self, seat: str, word: str, rest: list[str]) -> None:
        numbers = [int(one) for one in rest if one.isdigit()]
        if word == "good":
            self.require(bool(self.holds) and len(self.holds[seat]) == 10 and self.best_melds(seat) > 0)
            self.good.add(seat)
        elif word == "declare":
            self.require(seat in self.good and self.won[seat] == 1 and self.last_winner == seat and not self.trick)
            for group in "/".join(rest).split("/") if rest else []:
                self.declare(seat, group)
        elif word in ("best", "count", "short"):
            self.require(self.table_talk and bool(self.holds))
            if word == "best":
                leading = self.to_play[:1] == [seat] if not self.trick else [who for who, _ in self.trick] == [seat]
                self.require(leading)
            elif word == "count":
                self.count(seat, numbers)
            else:
                self.require(len(numbers) == len(rest) and all(number <= 2 for number in numbers))
                lengths = {sum(card[1] == suit for card in self.holds[seat]) for suit in "cdhs"}
                self.require(not self.true_talk or set(numbers) <= lengths)

    def count(self, seat: str, numbers: list[int]) -> None:
        """Said by a seat that plays to a trick led by another, until the next lead."""
        self.require(bool(self.last) and self.last[0][0] != seat and (bool(self.trick) or any(self.holds.values())))
        led = self.last[0][1][1]
        held = sum(card[1] == led for card in self.holds[seat])
        played = [card for who, card in self.last if who == seat]
        other = held + (played[0][1] == led) if played else max(held - 1, 0)
        self.require(not self.true_talk or set(numbers) <= {held, other})

    def best_melds(self, seat: str) -> int:
        """What all the melds of a seat would score."""
        held = self.original[seat]
        sets = [sum(card[0] == rank for card in held) for rank in "A23"]
        return sum(n for n in sets if n >= 3) + 3 * sum({"3" + s, "2" + s, "A" + s} <= held for s in "cdhs")

    def declare(self, seat: str, group: str) -> None:
        found = re.findall(r"(?:(\d+)x)?(\w[cdhs?])", group)
        cards = [card for times, card in found for _ in range(int(times or 1))]
        ranks, suits = {card[0] for card in cards}, [card[1] for card in cards if card[1] != "?"]
        held, said = self.original[seat], self.named[seat]
        self.require(all(card in held for card in cards if card[1] != "?"))
        if len(ranks) == 1:
            (rank,) = ranks
            self.require(rank in "A23" and 3 <= len(cards) <= sum(card[0] == rank for card in held))
            self.require(len(set(suits)) == len(suits) and rank not in said)
            said.append(rank)
        else:
            self.require(ranks == set("32A") and len(cards) == 3 and len(set(suits)) <= 1)
            suit = suits[0] if suits else "?"
            naps = {s for s in "cdhs" if {"3" + s, "2" + s, "A" + s} <= held}
            self.require(suit in naps | {"?"} and (suit == "?" or suit not in said))
            said.append(suit)
            self.require(sum(one in "cdhs?" for one in said) <= len(naps))
        self.melds[self.side[seat]] += len(cards)
        if self.done:
            # Its first trick was the last one.
            self.hands[-1][self.side[seat]] += len(cards)

    # The match

    def totals(self) -> dict[str, int]:
        return {side: sum(hand[side] for hand in self.hands) for side in self.side.values()}

    def winner(self) -> str:
        """Who has won the match, empty if it goes on."""
        totals = self.totals()
        best = max(totals.values())
        ahead = [side for side, total in totals.items() if total == best]
        return ahead[0] if best >= self.target and len(ahead) == 1 else ""
