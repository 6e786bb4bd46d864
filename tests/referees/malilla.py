"""A second opinion on Malilla, written from the rule text alone: it shares nothing with Kibitz but a record's lines.

It reads lines with every card seen, says at which line something was against the rules for the first time, and what
each hand came to. It ignores the lines that it does not understand. It understands:

    W hand 1                    the dealer, who is the next one clockwise
    @ deal N=… E=… S=… W=…      in as many lines as one likes
    @ deal up W=7h              the card that is turned up, the dealer's last; `@ deal up upcard=7h` and `@ show 7h <W`
                                or `W show 7h` are the same. It may be one of the ten dealt already, or the tenth
    N play 3h
    N call foul E #12           a wrong card in an earlier line; seat and number may be missing
    N move * <trick >won:NS     a trick that is gathered; it may be left out
    @ end hand misdeal          the next one deals, and a bonus is taken back; after `void` anybody may deal

A wrong card (not followed, not beaten, a seven that may not be thrown) is against the rules, but play goes on after
it, so that it can be claimed; any other line against the rules is the last that is read.

Options: `target`, `trick_point` (0 has half of 60, not of 70, for its line) and `bonus`.
"""

from __future__ import annotations

ORDER = "23456JQKA7"
COUNTS = {"7": 5, "A": 4, "K": 3, "Q": 2, "J": 1}


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the seats in order, clockwise, and the options."""

    def __init__(self, seats: list[str], target: int = 35, trick_point: int = 1, bonus: bool = True) -> None:
        self.seats = seats
        # Partners sit opposite each other.
        self.side = {seat: seats[i % 2] + seats[i % 2 + 2] for i, seat in enumerate(seats)}
        self.target, self.trick_point, self.bonus = target, trick_point, bonus
        self.line_at = 30 + 5 * trick_point
        self.pack = {rank + suit for rank in ORDER for suit in "cdhs"}
        self.dealer = self.next_dealer = ""
        self.done = True
        # What each side gained in each hand, the bonus with it.
        self.hands: list[dict[str, int]] = []
        self.to_play: list[str] = []
        # Who played a wrong card in which line, in this hand or an earlier one, and which side has lost by one.
        self.fouls: list[tuple[str, int]] = []
        self.lost_by_foul = ""
        # The line that is read, and the first one with a wrong card.
        self.at = self.wrong = 0

    def read(self, lines: list[str]) -> int:
        """The first line against the rules, counted from 1; 0 if there is none."""
        for at, line in enumerate(lines, 1):
            self.at = at
            try:
                self.line(line.split())
            except Against:
                return self.wrong or at
        return self.wrong

    def line(self, words: list[str]) -> None:
        by, verb, rest = words[0], words[1], words[2:]
        if verb == "hand":
            self.begin(by)
        elif verb == "deal":
            self.deal([word for word in rest if "=" in word], "up" in rest)
        elif verb == "show":
            if by == self.dealer or "<" + self.dealer in rest:
                self.turn_up(rest[0])
        elif verb == "play":
            self.play(by, rest[0])
        elif verb == "move":
            self.gather(by, rest)
        elif verb == "call" and rest[0] == "foul":
            self.foul(rest[1:])
        elif verb == "end" and rest[0] == "hand":
            self.break_off("".join(rest[1:]))

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    def round_from(self, seat: str) -> list[str]:
        i = self.seats.index(seat)
        return self.seats[i:] + self.seats[:i]

    # The deal

    def begin(self, dealer: str) -> None:
        self.require(self.done and not self.winner() and self.next_dealer in ("", dealer))
        self.dealer, self.next_dealer, self.done = dealer, self.round_from(dealer)[1], False
        self.holds: dict[str, set[str]] = {seat: set() for seat in self.seats}
        self.dealt: set[str] = set()
        self.turned = self.trump = ""
        self.suspended = 0
        self.gained = dict.fromkeys(self.side.values(), 0)
        self.to_play = []
        self.trick: list[tuple[str, str]] = []
        self.last: list[tuple[str, str]] = []
        self.last_winner, self.gathered = "", True
        self.tricks, self.points = self.gained.copy(), self.gained.copy()
        self.opened: set[str] = set()

    def deal(self, piles: list[str], face_up: bool) -> None:
        for pile in piles:
            name, _, written = pile.partition("=")
            name = self.dealer if name == "upcard" else name
            for i in range(0, len(written), 2):
                card = written[i : i + 2]
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
        """The dealer's last card; its bonus counts at once, unless it would win the match."""
        if self.turned and self.opened | {one[1][1] for one in self.trick}:
            # Shown for some other reason, after the first lead.
            return
        self.require(self.turned in ("", card) and card in self.holds[self.dealer])
        if self.turned:
            return
        self.turned, self.trump = card, card[1]
        side, bonus = self.side[self.dealer], COUNTS.get(card[0], 0) * self.bonus
        if self.totals()[side] + bonus >= self.target:
            self.suspended = bonus
        else:
            self.gained[side] += bonus

    # Play

    def legal(self, seat: str) -> set[str]:
        """The cards that a seat may play when it is its turn."""
        held = self.holds[seat]
        if not self.trick:
            return set(held)
        led = self.trick[0][1][1]
        unopened = {card for card in held if card[0] == "7" and card[1] not in self.opened | {led, self.trump}}
        free = {card for card in held if card[1] == led} or held - unopened or set(held)
        who, best = self.ahead()
        beating = {card for card in free if self.strength(card) > self.strength(best)}
        return beating if beating and self.side[who] != self.side[seat] else free

    def strength(self, card: str) -> int:
        led = self.trick[0][1][1]
        above = 20 if card[1] == self.trump else 10 if card[1] == led else 0
        return above + ORDER.index(card[0]) if above else -1

    def ahead(self) -> tuple[str, str]:
        """The seat and the card that win the trick as it lies."""
        return max(self.trick, key=lambda one: self.strength(one[1]))

    def play(self, seat: str, card: str) -> None:
        self.require(self.to_play[:1] == [seat] and card in self.holds[seat] and self.trump != "")
        if card not in self.legal(seat):
            self.fouls.append((seat, self.at))
            self.wrong = self.wrong or self.at
        self.to_play.pop(0)
        self.holds[seat].remove(card)
        self.trick.append((seat, card))
        self.last, self.gathered = list(self.trick), True
        if not self.to_play:
            self.finish_trick()

    def finish_trick(self) -> None:
        winner, _ = self.ahead()
        side = self.side[winner]
        self.opened.add(self.trick[0][1][1])
        self.points[side] += sum(COUNTS.get(card[0], 0) for _, card in self.trick) + self.trick_point
        self.tricks[side] += 1
        self.last_winner, self.gathered, self.trick = winner, False, []
        if any(self.holds.values()):
            self.to_play = self.round_from(winner)
        else:
            self.finish_hand()

    def finish_hand(self) -> None:
        """The result first; the bonus that was held back only if the result has not won the match."""
        before = self.totals()
        for side, points in self.points.items():
            self.gained[side] += max(points - self.line_at, 0)
        if all(before[side] + self.gained[side] < self.target for side in before):
            self.gained[self.side[self.dealer]] += self.suspended
        self.hands.append(self.gained)
        self.done = True

    def gather(self, by: str, rest: list[str]) -> None:
        self.require(not self.gathered and by in ("@", self.last_winner))
        self.require(self.side.get(rest[-1][5:], rest[-1][5:]) == self.side[self.last_winner])
        cards = "".join(word for word in rest if word[0] not in "<>*")
        self.require(
            not cards or {cards[i : i + 2] for i in range(0, len(cards), 2)} == {card for _, card in self.last}
        )
        self.gathered = True

    # Irregularities

    def foul(self, rest: list[str]) -> None:
        """The whole match is lost by the side that played the wrong card."""
        whom = [one for one in rest if one in self.seats]
        where = [int(one[1:]) for one in rest if one[0] == "#"]
        found = [who for who, at in self.fouls if who in (whom or [who]) and at in (where or [at])]
        self.require(bool(found) and not self.winner())
        self.lost_by_foul = self.side[found[0]]
        self.done, self.to_play = True, []

    def break_off(self, why: str) -> None:
        if not self.done and why != "misdeal":
            self.next_dealer = ""
        self.done, self.to_play = True, []

    # The match

    def totals(self) -> dict[str, int]:
        return {side: sum(hand[side] for hand in self.hands) for side in self.side.values()}

    def winner(self) -> str:
        """Who has won the match, empty if it goes on."""
        if self.lost_by_foul:
            return next(side for side in self.side.values() if side != self.lost_by_foul)
        return next((side for side, total in self.totals().items() if total >= self.target), "")
