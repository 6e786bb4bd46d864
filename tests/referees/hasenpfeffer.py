"""A second opinion on Hasenpfeffer, written from the rule text alone: it shares nothing with Kibitz but a record's
lines.

It reads lines with every card seen, says at which line something was against the rules for the first time, and what
each hand came to. It ignores the lines that it does not understand. It understands:

    W hand 1                    the dealer, who is the next one clockwise
    @ deal N=… E=… S=… W=…      six each, and `@ deal down widow=9c`, in as many lines as one likes; the joker is Jo
    N bid 4, E pass             once each; the passes after a bid of six may be left out
    S show Jo                   after four passes, by whoever has it; `@ show Jo <S` and `S bid 3` are the same, and all of
                                them may be left out. `@ show Jo <widow` if nobody has it
    N draw 9c <widow            the high bidder takes the widow; `@ move 9c <widow >N` is the same, and it may be left out
    N name h                    the trumps, after the widow is taken and before the discard
    N discard down 9c           one card of seven
    N play Jo
    N move * <trick >won:NS     a trick that is gathered; it may be left out
    @ end hand void             may be left out if the joker is the widow after four passes; if somebody has the joker it is
                                wrong then. At any other time the hand does not count, and anybody may deal next

`hands` has what each side gained in each hand, nothing for both if the joker was the widow; `contracts` the
declaring side, the contract and the tricks of that side in the hands that were played.

Options: `target`, `defenders_can_go_out` (False: the defenders win only after a contract that fails) and `forced_bid`.
"""

from __future__ import annotations

import re

ORDER = "9TJQKA"
SAME_COLOUR = {"c": "s", "s": "c", "d": "h", "h": "d"}


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the seats in order, clockwise, and the options."""

    def __init__(
        self, seats: list[str], target: int = 10, defenders_can_go_out: bool = True, forced_bid: int = 3
    ) -> None:
        self.seats = seats
        # Partners sit opposite each other.
        self.side = {seat: seats[i % 2] + seats[i % 2 + 2] for i, seat in enumerate(seats)}
        self.target, self.defenders_can_go_out, self.forced_bid = target, defenders_can_go_out, forced_bid
        self.pack = {rank + suit for rank in ORDER for suit in "cdhs"} | {"Jo"}
        self.next_dealer = self.phase = self.won = ""
        self.hands: list[dict[str, int]] = []
        self.contracts: list[tuple[str, int, int]] = []

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
        elif verb == "bid":
            self.bid(by, rest[0])
        elif verb == "pass":
            self.speak(by, 0)
        elif verb == "show":
            self.show(by, rest)
        elif verb == "draw" or (verb == "move" and "<widow" in rest):
            self.take(rest[-1][1:] if rest[-1][0] == ">" else by, cards_of(rest))
        elif verb == "name":
            self.name(by, rest[0])
        elif verb == "discard":
            self.discard(by, cards_of(rest))
        elif verb == "play":
            self.play(by, rest[0])
        elif verb == "move":
            self.gather(by, rest)
        elif verb == "end" and rest[0] == "hand":
            self.break_off("".join(rest[1:]))

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    def round_from(self, seat: str) -> list[str]:
        i = self.seats.index(seat)
        return self.seats[i:] + self.seats[:i]

    # The deal and the bidding

    def begin(self, dealer: str) -> None:
        self.require(self.phase == "" and not self.won and self.next_dealer in ("", dealer))
        self.next_dealer, self.phase = self.round_from(dealer)[1], "deal"
        self.to_speak = self.round_from(self.next_dealer)
        self.holds: dict[str, set[str]] = {seat: set() for seat in self.seats}
        self.widow: set[str] = set()
        self.dealt: set[str] = set()
        self.declarer, self.contract, self.trump = "", 0, ""
        # Whether the contract came from four passes, and whether its bid or the widow has been written.
        self.forced = self.said = self.taken = False
        self.to_play: list[str] = []
        self.trick: list[tuple[str, str]] = []
        self.last: list[tuple[str, str]] = []
        self.last_winner, self.gathered = "", True
        self.tricks = dict.fromkeys(self.side.values(), 0)

    def deal(self, piles: list[str]) -> None:
        self.require(self.phase == "deal")
        for pile in piles:
            name, _, written = pile.partition("=")
            holding = self.widow if name == "widow" else self.holds[name]
            for card in cards_of([written]):
                self.require(card in self.pack and card not in self.dealt)
                self.dealt.add(card)
                holding.add(card)
            self.require(len(holding) <= (1 if name == "widow" else 6))
        if len(self.dealt) == 25:
            self.phase = "bid"

    def bid(self, seat: str, written: str) -> None:
        self.require(written.isdecimal())
        if self.forced and self.phase == "name":
            # The holder of the joker says what he is bound to.
            self.require(seat == self.declarer and int(written) == self.forced_bid and not self.said)
            self.said = True
        else:
            self.require(self.contract < int(written) <= 6)
            self.speak(seat, int(written))

    def speak(self, seat: str, level: int) -> None:
        self.require(self.phase == "bid" and self.to_speak[:1] == [seat])
        self.to_speak.pop(0)
        if level:
            self.declarer, self.contract = seat, level
        if not self.to_speak:
            self.finish_bidding()

    def finish_bidding(self) -> None:
        if not self.declarer:
            self.declarer = next((seat for seat in self.seats if "Jo" in self.holds[seat]), "")
            self.contract, self.forced = self.forced_bid, True
        if self.declarer:
            self.phase = "name"
            self.holds[self.declarer] |= self.widow
        else:
            self.hands.append(dict.fromkeys(self.side.values(), 0))
            self.phase = ""

    def finish_bidding_at_six(self) -> None:
        if self.phase == "bid" and self.contract == 6:
            self.finish_bidding()

    def show(self, by: str, rest: list[str]) -> None:
        """Only the joker matters, and only until the play begins."""
        place = rest[-1][1:] if rest[-1][0] == "<" else by
        if "Jo" in cards_of(rest) and self.phase in ("bid", "name", "discard"):
            self.require("Jo" in (self.widow if place == "widow" else self.holds.get(place, set())))

    # The widow, the trumps and the discard

    def take(self, seat: str, cards: list[str]) -> None:
        self.finish_bidding_at_six()
        self.require(self.phase == "name" and seat == self.declarer and not self.taken)
        self.require(not cards or set(cards) == self.widow)
        self.taken = True

    def name(self, seat: str, suit: str) -> None:
        self.finish_bidding_at_six()
        self.require(self.phase == "name" and seat == self.declarer and suit in set("cdhs"))
        self.trump, self.phase = suit, "discard"

    def discard(self, seat: str, cards: list[str]) -> None:
        self.require(self.phase == "discard" and seat == self.declarer)
        self.require(len(cards) == 1 and set(cards) <= self.holds[seat])
        self.holds[seat] -= set(cards)
        self.phase, self.to_play = "play", self.round_from(seat)

    # Play

    def suit(self, card: str) -> str:
        """The joker and the left bower are trumps and nothing else."""
        left = "J" + SAME_COLOUR[self.trump]
        return self.trump if card in ("Jo", left) else card[1]

    def strength(self, card: str) -> int:
        led = self.suit(self.trick[0][1])
        if card in ("Jo", "J" + self.trump, "J" + SAME_COLOUR[self.trump]):
            return 32 - ("Jo", "J" + self.trump, "J" + SAME_COLOUR[self.trump]).index(card)
        above = 20 if card[1] == self.trump else 10 if card[1] == led else 0
        return above + ORDER.index(card[0]) if above else -1

    def legal(self, seat: str) -> set[str]:
        """The cards that a seat may play when it is its turn, or throw away."""
        held = self.holds[seat]
        return {card for card in held if self.trick and self.suit(card) == self.suit(self.trick[0][1])} or set(held)

    def play(self, seat: str, card: str) -> None:
        self.require(self.phase == "play" and self.to_play[:1] == [seat] and card in self.legal(seat))
        self.to_play.pop(0)
        self.holds[seat].remove(card)
        self.trick.append((seat, card))
        self.last, self.gathered = list(self.trick), True
        if not self.to_play:
            self.finish_trick()

    def finish_trick(self) -> None:
        winner, _ = max(self.trick, key=lambda one: self.strength(one[1]))
        self.tricks[self.side[winner]] += 1
        self.last_winner, self.gathered, self.trick = winner, False, []
        if any(self.holds.values()):
            self.to_play = self.round_from(winner)
        else:
            self.finish_hand()

    def finish_hand(self) -> None:
        """The declarers win before the defenders, who need the option or a contract that failed."""
        declarers = self.side[self.declarer]
        (defenders,) = {*self.side.values()} - {declarers}
        taken = self.tricks[declarers]
        made = taken >= self.contract
        self.contracts.append((declarers, self.contract, taken))
        self.hands.append({declarers: taken if made else -self.contract, defenders: self.tricks[defenders]})
        self.phase = ""
        totals = self.totals()
        if totals[declarers] >= self.target:
            self.won = declarers
        elif totals[defenders] >= self.target and (self.defenders_can_go_out or not made):
            self.won = defenders

    def gather(self, by: str, rest: list[str]) -> None:
        self.require(not self.gathered and by in ("@", self.last_winner))
        self.require(rest[-1] in (">won:" + self.side[self.last_winner], ">won:" + self.last_winner))
        cards = cards_of(rest)
        self.require(not cards or set(cards) == {card for _, card in self.last})
        self.gathered = True

    # The match

    def break_off(self, why: str) -> None:
        if self.phase:
            self.require(not (why == "void" and self.contract))
            self.next_dealer = ""
        self.phase, self.to_play = "", []

    def totals(self) -> dict[str, int]:
        return {side: sum(hand[side] for hand in self.hands) for side in self.side.values()}

    def winner(self) -> str:
        """Who has won the match, empty if it goes on."""
        return self.won


def cards_of(words: list[str]) -> list[str]:
    """The cards in these words, without the faces and the piles."""
    cards = [word for word in words if word not in ("up", "down", "*") and word[0] not in "<>"]
    return re.findall("Jo|..", "".join(cards))
