"""A second opinion on Court Piece, written from the rule text alone: it shares nothing with Kibitz but a record's
lines.

It reads lines with every card seen, says at which line something was against the rules for the first time, and what
each hand came to. It ignores the lines that it does not understand. It understands:

    W hand 1                   the dealer
    @ deal N=5 cards …         five each; the other eight after the trumps, each part in as many lines as one likes
    E name s                   the trumps
    S play 6d
    S move 6d <trick >S        a card that is taken back in the trick, to be replaced by the next `S play`
    E call revoke N #16        a revoke in an earlier trick is claimed; seat and number may be missing
    N call on, N call stop     after the first seven tricks; both may be left out
    N move * <trick >won:NS    a trick that is gathered; it may be left out
    @ end hand void, @ end match time

A revoke is against the rules, but play goes on after it, so that it can be put right or claimed; any other line
against the rules is the last that is read. A side that has lost a trick while it plays on has nothing left to play
for: the hand is over, but if somebody plays it out, nobody minds.

Options: `hands` (how many the match has; 0 is until `end match`) and `reset_on_any_court`.
"""

from __future__ import annotations

ORDER = "23456789TJQKA"


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the seats in order, clockwise, and the options."""

    def __init__(self, seats: list[str], hands: int = 0, reset_on_any_court: bool = False) -> None:
        self.seats = seats
        # Partners sit opposite each other.
        self.side = {seat: seats[i % 2] + seats[i % 2 + 2] for i, seat in enumerate(seats)}
        self.most, self.reset_on_any_court = hands, reset_on_any_court
        self.pack = {rank + suit for rank in ORDER for suit in "cdhs"}
        self.next_dealer = ""
        self.done, self.ended = True, False
        self.sweeper, self.playing_on = "", False
        # The courts that each hand brought, who won it, and the streak after it.
        self.hands: list[dict[str, int]] = []
        self.winners: list[str] = []
        self.streak: tuple[str, int] = ("", 0)
        self.to_play: list[str] = []
        # The line that is read, and the first one in which somebody revoked.
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
            self.deal([word for word in rest if "=" in word])
        elif verb == "name":
            self.name(by, rest[0])
        elif verb == "play":
            self.play(by, rest[0])
        elif verb == "move" and rest[-1].startswith(">won:"):
            self.gather(by, rest)
        elif verb == "move":
            self.take_back(by, rest[0], rest[1:])
        elif verb == "call":
            self.call(by, rest[0], rest[1:])
        elif verb == "end":
            self.end(rest[0], "".join(rest[1:]))

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    def round_from(self, seat: str) -> list[str]:
        i = self.seats.index(seat)
        return self.seats[i:] + self.seats[:i]

    def other(self, side: str) -> str:
        return next(one for one in self.side.values() if one != side)

    # The deal and the trumps

    def begin(self, dealer: str) -> None:
        self.require(self.finished() and not self.over() and self.next_dealer in ("", dealer))
        self.dealer, self.done, self.trump = dealer, False, ""
        self.holds: dict[str, set[str]] = {seat: set() for seat in self.seats}
        self.dealt: set[str] = set()
        # The cards of the trick in the order of the seats, and the seats that have taken a card back.
        self.trick: dict[str, str] = {}
        self.owing: list[str] = []
        self.mended = self.led = ""
        self.to_play = []
        self.last: set[str] = set()
        self.last_winner, self.gathered = "", True
        self.tricks = dict.fromkeys(self.side.values(), 0)
        # Who revoked in which line: in the trick on the table, and in those before it.
        self.revoked: dict[str, int] = {}
        self.revokes: list[tuple[str, int]] = []
        self.sweeper, self.playing_on = "", False

    def deal(self, piles: list[str]) -> None:
        most = 13 if self.trump else 5
        for pile in piles:
            name, _, written = pile.partition("=")
            for i in range(0, len(written), 2):
                card = written[i : i + 2]
                self.require(card in self.pack and card not in self.dealt)
                self.dealt.add(card)
                self.holds[name].add(card)
            self.require(len(self.holds[name]) <= most)
        if len(self.dealt) == 52:
            self.to_play = [*self.round_from(self.dealer)[1:], self.dealer]

    def name(self, seat: str, suit: str) -> None:
        self.require(len(self.dealt) == 20 and not self.trump and seat == self.round_from(self.dealer)[1])
        self.require(suit in set("cdhs"))
        self.trump = suit

    # Play

    def legal(self, seat: str) -> set[str]:
        """The cards that a seat may play when it is its turn, or when it owes one."""
        held = self.holds[seat]
        return {card for card in held if self.led and card[1] == self.led} or held

    def play(self, seat: str, card: str) -> None:
        turn = self.owing or self.to_play[:1]
        self.require(seat in turn and card in self.holds[seat])
        if not self.led and sum(self.tricks.values()) == 7 and self.sweeper:
            self.playing_on = True
        fair = card in self.legal(seat)
        self.led = self.led or card[1]
        self.holds[seat].remove(card)
        self.trick[seat] = card
        (self.owing or self.to_play).remove(seat)
        self.gathered = True
        if not fair:
            self.revoked[seat] = self.at
            self.wrong = self.wrong or self.at
        if not self.owing and not self.to_play:
            self.finish_trick()

    def take_back(self, seat: str, card: str, way: list[str]) -> None:
        """By a seat that revoked in this trick; then by those that played after it."""
        if "<trick" not in way or way[-1] != ">" + seat:
            return
        self.require(self.trick.get(seat) == card and seat not in self.owing)
        order = list(self.trick)
        later = self.mended != "" and order.index(seat) > order.index(self.mended)
        self.require(seat in self.revoked or later)
        if seat in self.revoked:
            del self.revoked[seat]
            if not later:
                self.mended = seat
        self.holds[seat].add(card)
        self.owing.append(seat)

    def finish_trick(self) -> None:
        trumps = {seat: card for seat, card in self.trick.items() if card[1] == self.trump}
        best = trumps or {seat: card for seat, card in self.trick.items() if card[1] == self.led}
        winner = max(best, key=lambda seat: ORDER.index(best[seat][0]))
        self.tricks[self.side[winner]] += 1
        self.last, self.last_winner, self.gathered = set(self.trick.values()), winner, False
        self.revokes += self.revoked.items()
        self.revoked, self.trick, self.led, self.mended = {}, {}, "", ""
        side, played = self.side[winner], sum(self.tricks.values())
        if played < 13:
            self.to_play = self.round_from(winner)
        if played == 7 and self.tricks[side] == 7:
            self.sweeper = side
            self.score(side, 1)
        elif self.sweeper and not self.done:
            if side != self.sweeper:
                self.done = True
            elif played == 13:
                self.done = True
                self.take_score_back()
                self.score(side, 52)
        elif played == 13 and not self.done:
            self.done = True
            self.score(max(self.tricks, key=lambda one: self.tricks[one]), 0)

    def gather(self, by: str, rest: list[str]) -> None:
        self.require(not self.gathered and by in ("@", self.last_winner))
        self.require(self.side.get(rest[-1][5:], rest[-1][5:]) == self.side[self.last_winner])
        cards = "".join(word for word in rest if word[0] not in "<>*")
        self.require(not cards or {cards[i : i + 2] for i in range(0, len(cards), 2)} == self.last)
        self.gathered = True

    def call(self, seat: str, word: str, rest: list[str]) -> None:
        if word in ("on", "stop"):
            asked = self.sweeper == self.side[seat] and not self.playing_on and not self.done
            self.require(asked and sum(self.tricks.values()) == 7 and not self.trick)
            self.playing_on, self.done = word == "on", word == "stop"
            self.to_play = self.to_play if word == "on" else []
        elif word == "revoke":
            whom = [one for one in rest if one in self.seats]
            where = [int(one[1:]) for one in rest if one[0] == "#"]
            found = [who for who, at in self.revokes if who in (whom or [who]) and at in (where or [at])]
            self.require(bool(found) and not self.done)
            if self.sweeper:
                self.take_score_back()
            self.score(self.other(self.side[found[0]]), 1)
            self.done, self.to_play, self.owing = True, [], []

    def end(self, what: str, why: str) -> None:
        """What was scored before the end stands, unless the hand does not count."""
        if what == "match":
            self.ended = True
        elif not self.done:
            if self.sweeper and why in ("void", "misdeal"):
                self.take_score_back()
            if not self.sweeper or why in ("void", "misdeal"):
                self.next_dealer = ""
        self.done, self.to_play, self.owing = True, [], []

    # What a hand comes to

    def score(self, side: str, courts: int) -> None:
        """This side has won the hand, and so many courts besides what the streak brings."""
        self.before = self.streak, self.next_dealer
        who, count = self.streak
        count = count + 1 if who == side else 1
        if count == 7:
            courts, count = courts + 1, 0
        elif courts and self.reset_on_any_court:
            count = 0
        self.streak = (side, count)
        self.hands.append({one: courts * (one == side) for one in self.side.values()})
        self.winners.append(side)
        left, partner = self.round_from(self.dealer)[1:3]
        lost = partner if courts else self.dealer
        self.next_dealer = left if side == self.side[self.dealer] else lost

    def take_score_back(self) -> None:
        self.streak, self.next_dealer = self.before
        self.hands.pop()
        self.winners.pop()

    def finished(self) -> bool:
        """Whether the next hand may begin: this one is over, or stops after seven tricks because nobody plays on."""
        return self.done or (self.sweeper != "" and not self.playing_on)

    def courts(self) -> dict[str, int]:
        return {side: sum(hand[side] for hand in self.hands) for side in self.side.values()}

    def over(self) -> bool:
        """Whether the match is over; if nobody has won it then, it is a draw."""
        return self.ended or (0 < self.most <= len(self.hands) and self.finished())

    def winner(self) -> str:
        """Who has won the match, empty if it goes on or is a draw."""
        courts = self.courts()
        ahead = [side for side in courts if courts[side] == max(courts.values())]
        return ahead[0] if self.over() and len(ahead) == 1 else ""
