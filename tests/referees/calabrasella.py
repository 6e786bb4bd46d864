"""A second opinion on Calabrasella, written from the rule text alone: it shares nothing with Kibitz but a record's
lines.

It reads lines with every card seen, says at which line something was against the rules for the first time, and what
each hand came to. It ignores the lines that it does not understand. It understands:

    C hand 1                    the dealer, who is the next one clockwise
    @ deal A=… B=… C=… and @ deal down widow=…
    A pass, B bid play          the bidding; `B call play` is the same
    B name 3d                   the card that the declarer asks for
    C move 3d >B, B move 4c >C  it is handed over, and another card paid for it; neither happens if it lies in the widow
    B discard down 4c5c         one to four cards
    @ show 4 cards <widow       the widow is turned up; it may be left out
    B draw QhTd <widow          as many as were discarded
    C play 3h
    A move * <trick >won:A      a trick that is gathered, by a defender to the other's pile too; it may be left out
    A pay 3 >B                  after the hand; it may be left out
    @ end hand void, @ end match

`hands` has the chips that each seat won or lost in each hand, `points` those of the declarer and of the defenders in
the hands that were played, `declarers` who played them. If all three passed, the hand has no chips and no points.

Options: `aside_to` ("none", or "last_trick": the points put aside go to the last trick), `hands` (0 is until `end
match`) and `stake`, the chips for a point.
"""

from __future__ import annotations

ORDER = "4567JQKA23"
COUNTS = {"A": 3, "3": 1, "2": 1, "K": 1, "Q": 1, "J": 1}


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the seats in order, clockwise, and the options."""

    def __init__(self, seats: list[str], aside_to: str = "none", hands: int = 0, stake: int = 1) -> None:
        self.seats = seats
        self.aside_to, self.most, self.stake = aside_to, hands, stake
        self.pack = {rank + suit for rank in ORDER for suit in "cdhs"}
        self.next_dealer = self.phase = ""
        self.ended = False
        self.hands: list[dict[str, int]] = []
        self.points: list[tuple[int, int]] = []
        self.declarers: list[str] = []
        self.debts: list[tuple[str, str, int]] = []

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
        elif verb == "pass":
            self.speak(by, False)
        elif verb == "bid" or (verb == "call" and rest[0] == "play"):
            self.speak(by, True)
        elif verb == "name":
            self.ask(by, rest[0])
        elif verb == "move" and rest[-1].startswith(">won:"):
            self.gather(by, rest)
        elif verb == "move" and rest[-1][1:] in self.seats:
            self.hand_over(by, rest[0], rest[-1][1:])
        elif verb == "discard":
            self.discard(by, cards_of(rest[-1]))
        elif verb == "show" and rest[-1] == "<widow":
            self.require(self.phase == "draw" and set(cards_of(rest[0])) == self.widow)
        elif verb == "draw":
            self.draw(by, cards_of("".join(word for word in rest if word not in ("up", "down", "<widow"))))
        elif verb == "play":
            self.play(by, rest[0])
        elif verb == "pay":
            self.pay(by, int(rest[0]), rest[-1][1:])
        elif verb == "end":
            self.end(rest[0])

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    def round_from(self, seat: str) -> list[str]:
        i = self.seats.index(seat)
        return self.seats[i:] + self.seats[:i]

    # The deal and the bidding

    def begin(self, dealer: str) -> None:
        self.require(self.phase == "" and not self.over() and self.next_dealer in ("", dealer))
        first = self.round_from(dealer)[1]
        self.next_dealer, self.phase, self.declarer = first, "deal", ""
        self.to_speak = self.round_from(first)
        self.holds: dict[str, set[str]] = {seat: set() for seat in self.seats}
        self.widow: set[str] = set()
        self.asked, self.holder = "", ""
        self.thrown = 0
        self.aside: set[str] = set()
        self.to_play: list[str] = []
        self.trick: list[tuple[str, str]] = []
        self.last: list[tuple[str, str]] = []
        self.last_winner, self.gathered = "", True
        self.won = {True: 0, False: 0}
        self.debts = []

    def deal(self, piles: list[str]) -> None:
        self.require(self.phase == "deal")
        for pile in piles:
            name, _, written = pile.partition("=")
            for card in cards_of(written):
                self.require(card in self.pack and not any(card in held for held in (*self.holds.values(), self.widow)))
                (self.widow if name == "widow" else self.holds[name]).add(card)
            self.require(len(self.widow) <= 4 and all(len(held) <= 12 for held in self.holds.values()))
        if len(self.widow) + sum(len(held) for held in self.holds.values()) == 40:
            self.phase = "bid"

    def speak(self, seat: str, plays: bool) -> None:
        """The first who plays is the declarer; if nobody does, the next one deals."""
        if not plays and self.phase in ("hand over", "discard") and seat != self.declarer:
            # A defender says that the card is not there.
            self.require(seat != self.holder)
            return
        self.require(self.phase == "bid" and self.to_speak[:1] == [seat])
        self.to_speak.pop(0)
        if plays:
            self.declarer, self.phase = seat, "name"
            if not self.may_ask():
                self.phase = "discard"
        elif not self.to_speak:
            self.hands.append(dict.fromkeys(self.seats, 0))
            self.phase = ""

    # The exchange

    def may_ask(self) -> set[str]:
        """The cards that the declarer may ask for: a missing three, or a two if no three is missing."""
        held = self.holds[self.declarer]
        threes, twos = ({rank + suit for suit in "cdhs"} - held for rank in "32")
        return threes or twos

    def ask(self, seat: str, card: str) -> None:
        self.require(self.phase == "name" and seat == self.declarer and card in self.may_ask())
        self.asked = card
        self.holder = next((who for who in self.seats if card in self.holds[who]), "")
        self.phase = "hand over" if self.holder else "discard"

    def hand_over(self, seat: str, card: str, to: str) -> None:
        if self.phase == "hand over":
            self.require((seat, card, to) == (self.holder, self.asked, self.declarer))
            self.phase = "give back"
        else:
            self.require(self.phase == "give back" and (seat, to) == (self.declarer, self.holder))
            # Another card than the one asked for is given for it.
            self.require(card in self.holds[seat] and card != self.asked)
            self.phase = "discard"
        self.holds[seat].remove(card)
        self.holds[to].add(card)

    def discard(self, seat: str, cards: list[str]) -> None:
        self.require(self.phase == "discard" and seat == self.declarer)
        self.require(1 <= len(cards) <= 4 and len(set(cards)) == len(cards) and set(cards) <= self.holds[seat])
        self.holds[seat] -= set(cards)
        self.aside = set(cards)
        self.thrown, self.phase = len(cards), "draw"

    def draw(self, seat: str, cards: list[str]) -> None:
        self.require(self.phase == "draw" and seat == self.declarer)
        self.require(len(cards) == self.thrown == len(set(cards)) and set(cards) <= self.widow)
        self.holds[seat] |= set(cards)
        self.aside |= self.widow - set(cards)
        self.phase = "play"
        self.to_play = self.round_from(self.round_from(seat)[1])

    # Play

    def legal(self, seat: str) -> set[str]:
        """The cards that a seat may play when it is its turn."""
        held = self.holds[seat]
        return {card for card in held if self.trick and card[1] == self.trick[0][1][1]} or held

    def play(self, seat: str, card: str) -> None:
        self.require(self.phase == "play" and self.to_play[:1] == [seat] and card in self.legal(seat))
        self.to_play.pop(0)
        self.holds[seat].remove(card)
        self.trick.append((seat, card))
        self.last, self.gathered = list(self.trick), True
        if not self.to_play:
            self.finish_trick()

    def finish_trick(self) -> None:
        led = self.trick[0][1][1]
        winner, _ = max((one for one in self.trick if one[1][1] == led), key=lambda one: ORDER.index(one[1][0]))
        self.won[winner == self.declarer] += sum(COUNTS.get(card[0], 0) for _, card in self.trick)
        self.last_winner, self.gathered, self.trick = winner, False, []
        if any(self.holds.values()):
            self.to_play = self.round_from(winner)
            return
        self.won[winner == self.declarer] += 3
        if self.aside_to == "last_trick":
            self.won[winner == self.declarer] += sum(COUNTS.get(card[0], 0) for card in self.aside)
        self.settle(self.won[True], self.won[False])

    def settle(self, mine: int, theirs: int) -> None:
        """Each defender pays the difference or gets it, twice if it is 35 to nothing."""
        each = (mine - theirs) * self.stake * (2 if {mine, theirs} == {35, 0} else 1)
        defenders = [seat for seat in self.seats if seat != self.declarer]
        self.points.append((mine, theirs))
        self.declarers.append(self.declarer)
        self.hands.append({seat: 2 * each if seat == self.declarer else -each for seat in self.seats})
        if each > 0:
            self.debts = [(seat, self.declarer, each) for seat in defenders]
        elif each < 0:
            self.debts = [(self.declarer, seat, -each) for seat in defenders]
        self.phase = ""

    def pay(self, seat: str, amount: int, to: str) -> None:
        self.require((seat, to, amount) in self.debts)
        self.debts.remove((seat, to, amount))

    def gather(self, by: str, rest: list[str]) -> None:
        self.require(not self.gathered and by in ("@", self.last_winner))
        own = [self.declarer] if self.last_winner == self.declarer else [s for s in self.seats if s != self.declarer]
        self.require(rest[-1][5:] in (*own, "".join(own)))
        cards = cards_of("".join(word for word in rest if word[0] not in "<>*"))
        self.require(not cards or set(cards) == {card for _, card in self.last})
        self.gathered = True

    # The match

    def end(self, what: str) -> None:
        if what == "match":
            self.ended = True
        elif self.phase:
            self.next_dealer = ""
        self.phase, self.to_play = "", []

    def totals(self) -> dict[str, int]:
        return {seat: sum(hand[seat] for hand in self.hands) for seat in self.seats}

    def over(self) -> bool:
        """Whether the match is over; a hand that everybody passed is none of those that were agreed."""
        return self.ended or 0 < self.most <= len(self.points)

    def winner(self) -> str:
        """Who has the most chips at the end of the match, empty if it goes on or two have as many."""
        totals = self.totals()
        ahead = [seat for seat in self.seats if totals[seat] == max(totals.values())]
        return ahead[0] if self.over() and len(ahead) == 1 else ""


def cards_of(written: str) -> list[str]:
    return [written[i : i + 2] for i in range(0, len(written), 2)]
