"""A second opinion on Envite, written from the rule text alone: it shares nothing with Kibitz but a record's lines.

It reads lines with every card seen, says at which line something was against the rules for the first time, and what
each hand came to. It ignores the lines that it does not understand. It understands:

    D hand 1                    the dealer, who is the next one to the right @ deal A=… B=… C=… D=…      three each,
    and `@ deal up upcard=5d`; `@ deal down stock=…` is the rest, which nobody needs A bid 4, B bid 7            a
    captain challenges, the other one raises: 4, 7, 9, game B call accept               the first card accepts an
    open challenge too B call decline              the hand is given up for what it was worth before A call forfeit
    a side that lies down gives up the hand; to play it, `A call play` or nothing C play 5d C call none
    the seat has no trump, and trumps are led; it may be left out, or another suit played A move * <trick >won:AC
    a trick that is gathered; it may be left out @ end hand void             the hand does not count, and anybody may
    deal next

Four to twelve seats, an even number; a dummy is a seat like any other. Play goes to the right, the seats are named
clockwise.

`hands` has the stones of each hand, as many as its winner's score rose by: eleven is never passed but by the hand
that wins the game, which fills it up to twelve. `endings` says how each hand ended (played, declined, forfeit,
trawl), at which stake and who won it; at a side that lies down, the stake is what its opponents get. `games` has who
won each game.

Options: `captains` ("A B"; without it the first seat of each side) and `games`, of how many games more than half win
the match.
"""

from __future__ import annotations

PLAIN = "234567AJQK"
TRUMPS = "34567AJQK2"
# What becomes a trump at a larger table, the lowest first: the first two cards and the jack with three a side.
SPECIAL = ["Jd", "Qc", "3c", "5d", "2d", "Ad"]
LADDER = {"4": 4, "7": 7, "9": 9, "game": 12}


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the seats in order, clockwise, and the options."""

    def __init__(self, seats: list[str], captains: str = "", games: int = 3) -> None:
        # Play and deal go to the right.
        self.seats = seats[::-1]
        self.sides = ["".join(seats[0::2]), "".join(seats[1::2])]
        self.side = {seat: self.sides[i % 2] for i, seat in enumerate(seats)}
        self.captains = captains.replace(",", " ").split() or seats[:2]
        a_side = len(seats) // 2
        self.special = SPECIAL[: a_side if a_side > 2 else 0]
        self.pack = {rank + suit for rank in PLAIN for suit in "cdhs"}
        self.most = games
        # The phases: deal, talk (until the first card), play.
        self.next_dealer = self.phase = ""
        self.scores = dict.fromkeys(self.sides, 0)
        self.hands: list[dict[str, int]] = []
        self.endings: list[tuple[str, str, str]] = []
        self.games: list[str] = []
        self.to_play: list[str] = []
        self.short = ""

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
        elif verb == "call" and rest[0] in ("accept", "decline"):
            self.answer(by, rest[0])
        elif verb == "call" and rest[0] in ("forfeit", "play"):
            self.decide(by, rest[0])
        elif verb == "call" and rest[0] == "none":
            self.show_out(by)
        elif verb == "play":
            self.play(by, rest[0])
        elif verb == "move":
            self.gather(by, rest)
        elif verb == "end" and rest[0] == "hand":
            self.next_dealer = "" if self.phase else self.next_dealer
            self.phase, self.to_play, self.short = "", [], ""

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    def round_from(self, seat: str) -> list[str]:
        i = self.seats.index(seat)
        return self.seats[i:] + self.seats[:i]

    def other(self, side: str) -> str:
        return self.sides[1 - self.sides.index(side)]

    # The deal

    def begin(self, dealer: str) -> None:
        self.require(self.phase == "" and not self.winner() and self.next_dealer in ("", dealer))
        self.next_dealer, self.phase = self.round_from(dealer)[1], "deal"
        self.holds: dict[str, set[str]] = {seat: set() for seat in self.seats}
        self.dealt: set[str] = set()
        self.trump = self.short = ""
        # The stake that is agreed on, the challenge that is open and by which side, and whether the talk is closed.
        self.stake, self.offer, self.challenger, self.closed = 2, "", "", False
        self.to_play = self.round_from(self.next_dealer)
        self.trick: list[tuple[str, str]] = []
        self.last: list[tuple[str, str]] = []
        self.last_winner, self.gathered = "", True
        self.tricks = dict.fromkeys(self.sides, 0)

    def deal(self, piles: list[str]) -> None:
        for pile in piles:
            name, _, written = pile.partition("=")
            for card in cards_of([written]):
                self.require(card in self.pack and card not in self.dealt)
                self.dealt.add(card)
                if name == "upcard":
                    self.require(self.phase == "deal" and not self.trump)
                    self.trump = card[1]
                elif name != "stock":
                    self.require(self.phase == "deal" and len(self.holds[name]) < 3)
                    self.holds[name].add(card)
        if self.phase == "deal" and self.trump and all(len(held) == 3 for held in self.holds.values()):
            self.phase = "talk"

    # The talk of the captains

    def lying(self) -> list[str]:
        return [side for side in self.sides if self.scores[side] == 11]

    def bid(self, seat: str, step: str) -> None:
        """The first challenge is by either captain, every raise by the one who was challenged."""
        self.require(self.phase == "talk" and seat in self.captains and not self.lying() and not self.closed)
        self.require(step in LADDER and self.challenger != self.side[seat])
        before = LADDER.get(self.offer, 2)
        self.require([value for value in LADDER.values() if value > before][:1] == [LADDER[step]])
        self.stake, self.offer, self.challenger = before, step, self.side[seat]

    def answer(self, seat: str, word: str) -> None:
        self.require(self.phase == "talk" and seat in self.captains and not self.closed)
        self.require(self.challenger != "" and self.side[seat] != self.challenger)
        if word == "accept":
            self.accept()
        else:
            self.win(self.challenger, "declined", self.stake)

    def accept(self) -> None:
        self.stake, self.closed = LADDER[self.offer], True

    def decide(self, seat: str, word: str) -> None:
        """Only the captain of the one side that lies down."""
        self.require(self.phase == "talk" and seat in self.captains and not self.closed)
        self.require(self.lying() == [self.side[seat]])
        self.closed = True
        if word == "forfeit":
            self.win(self.other(self.side[seat]), "forfeit", 1)

    # Play

    def rank(self, card: str) -> tuple[bool, int]:
        """Whether the card is a trump, and its place in its suit."""
        if card in self.special:
            return True, 10 + self.special.index(card)
        trump = card[1] == self.trump
        return trump, (TRUMPS if trump else PLAIN).index(card[0])

    def suit(self, card: str) -> str:
        return self.trump if self.rank(card)[0] else card[1]

    def legal(self, seat: str) -> set[str]:
        """The cards that a seat may play when it is its turn."""
        held = self.holds[seat]
        return {card for card in held if self.trick and self.suit(card) == self.suit(self.trick[0][1])} or set(held)

    def play(self, seat: str, card: str) -> None:
        if self.short:
            # Another suit says that the seat has no trump.
            self.require(seat == self.short and card in self.holds[seat])
            self.short = ""
            return
        self.require(self.phase in ("talk", "play") and self.to_play[:1] == [seat] and card in self.legal(seat))
        if self.phase == "talk":
            if self.offer and not self.closed:
                self.accept()
            self.phase = "play"
        self.to_play.pop(0)
        self.holds[seat].remove(card)
        self.trick.append((seat, card))
        self.last, self.gathered = list(self.trick), True
        if not self.to_play:
            self.finish_trick()
        elif self.rank(self.trick[0][1])[0] and not any(self.rank(one)[0] for one in self.holds[self.to_play[0]]):
            self.short = self.to_play[0]
            self.win(self.other(self.side[self.short]), "trawl", self.stake)

    def show_out(self, seat: str) -> None:
        """The hand is over when the turn comes to a seat without a trump; that it says so changes nothing."""
        self.require(self.short == seat)
        self.short = ""

    def finish_trick(self) -> None:
        led = self.suit(self.trick[0][1])
        following = [one for one in self.trick if self.suit(one[1]) in (led, self.trump)]
        winner, _ = max(following, key=lambda one: self.rank(one[1]))
        side = self.side[winner]
        self.tricks[side] += 1
        self.last_winner, self.gathered, self.trick = winner, False, []
        self.to_play = self.round_from(winner)
        if self.tricks[side] == 2:
            self.win(side, "played", self.stake)

    def gather(self, by: str, rest: list[str]) -> None:
        self.require(not self.gathered and by in ("@", self.last_winner))
        self.require(rest[-1] in (">won:" + self.side[self.last_winner], ">won:" + self.last_winner))
        cards = cards_of(rest)
        self.require(not cards or set(cards) == {card for _, card in self.last})
        self.gathered = True

    # What a hand comes to

    def win(self, side: str, how: str, stake: int) -> None:
        """This side has won the hand."""
        lying, before = self.lying(), self.scores[side]
        if len(lying) == 1 and how != "forfeit":
            stake = 3
        gain = stake + 2 if how == "trawl" else stake
        game = side in lying or (stake == 12 and how != "declined")
        self.scores[side] = 12 if game else min(11, before + gain)
        self.hands.append({one: self.scores[one] - before if one == side else 0 for one in self.sides})
        self.endings.append((how, "" if len(lying) == 2 else "game" if stake == 12 else str(stake), side))
        if game:
            self.games.append(side)
            self.scores = dict.fromkeys(self.sides, 0)
        self.phase, self.to_play = "", []

    def winner(self) -> str:
        """Which side has won the match, empty if it goes on."""
        return next((side for side in self.sides if self.games.count(side) > self.most // 2), "")


def cards_of(words: list[str]) -> list[str]:
    """The cards in these words, without the faces and the piles."""
    cards = "".join(word for word in words if word not in ("up", "down", "*") and word[0] not in "<>")
    return [cards[i : i + 2] for i in range(0, len(cards), 2)]
