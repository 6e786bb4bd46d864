"""A second opinion on Dingo, written from the rule text alone: it shares nothing with Kibitz but a record's lines.

It reads lines with every card seen, says at which line something was against the rules for the first time, and what
each hand came to. It ignores the lines that it does not understand. It understands:

    D hand 1                    the dealer; in a series the next one clockwise @ deal A=… B=… C=… D=…      ten each,
    in as many lines as one likes @ deal up widow=KdQd…3d2d   the rabbits, the two on top; it may be left out A
    discard 3s, A move Kh >B  the exchange: four rounds of discards, and between them one card to the left, across,
    right D name 5                    the dealer calls the rank; it may be left out, also if the heart was discarded
    C play 5h                   the dingo D play 5c, A pass           a wolf, or none; passes before a wolf or before
    the next hunt may be left out A play AcAd                 the ace hunt: in the order played, in one line or in
    several C show Ad, A show 2c9c      the rabbit that was not played, and the hands, at the end; both may be left
    out D move 5c5d >won:D          where cards of a hunt go (won:C, penalty:C, dead or discard); it may be left out
    @ end hand void             the game does not count, and anybody may deal next

A heart that its holder does not play is against the rules in the line that goes on without it, but the game goes on
after it: whoever has a red card at the end forfeits. Any other line against the rules is the last that is read.

`hands` has the score of each game, `winners` who won it, empty if several did; `won` and `penalty` have the piles.
Option: `games`, how many the match has.
"""

from __future__ import annotations

RANKS = "23456789TJQKA"


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the seats in order, clockwise, and the option."""

    def __init__(self, seats: list[str], games: int = 1) -> None:
        self.seats, self.most = seats, games
        self.rabbits = [rank + "d" for rank in RANKS[-2::-1]]
        self.pack = {rank + suit for rank in RANKS for suit in "chs"} | {"Ad"}
        # The phases: deal, exchange, hunt; the game is scored in the last of them.
        self.next_dealer = self.phase = ""
        self.scored = True
        self.hands: list[dict[str, int]] = []
        self.winners: list[str] = []
        # The line that is read, and the first one that went on without a heart.
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
        elif verb == "discard":
            self.discard(by, cards_of(rest))
        elif verb == "move" and rest[-1][1:] in self.seats:
            self.hand_on(by, cards_of(rest), rest[-1][1:])
        elif verb == "move":
            self.gather(cards_of(rest), rest[-1][1:])
        elif verb == "name":
            self.name(by, rest[0].upper().replace("10", "T"))
        elif verb == "play":
            self.play(by, cards_of(rest))
        elif verb == "pass":
            self.let_by(by)
        elif verb == "show":
            self.show(rest[-1][1:] if rest[-1][0] == "<" else by, cards_of(rest))
        elif verb == "end" and rest[0] == "hand":
            self.next_dealer = self.next_dealer if self.scored else ""
            self.scored, self.phase = True, ""

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    def round_from(self, seat: str) -> list[str]:
        i = self.seats.index(seat)
        return self.seats[i:] + self.seats[:i]

    # The deal and the exchange

    def begin(self, dealer: str) -> None:
        self.require(self.scored and not self.over() and self.next_dealer in ("", dealer))
        self.dealer, self.next_dealer = dealer, self.round_from(dealer)[1]
        self.phase, self.scored = "deal", False
        self.holds: dict[str, set[str]] = {seat: set() for seat in self.seats}
        self.dealt: set[str] = set()
        self.laid_out: list[str] = []
        self.thrown: set[str] = set()
        # Who does what next in the exchange, empty for a discard and otherwise the seat that the card goes to.
        self.steps: list[tuple[str, str]] = []
        for direction in (0, 1, 0, 2, 0, 3, 0):
            for seat in self.round_from(dealer):
                self.steps.append((seat, self.round_from(seat)[direction] if direction else ""))
        # Which hunt it is, whether it was called, who played the dingo, who still has a turn, and the wolves.
        self.hunt, self.named, self.dingo, self.acted = 0, False, "", False
        self.waiting: list[str] = []
        self.wolves: list[tuple[str, str]] = []
        self.caught = ""
        self.won: dict[str, set[str]] = {seat: set() for seat in self.seats}
        self.penalty: dict[str, set[str]] = {seat: set() for seat in self.seats}

    def deal(self, piles: list[str]) -> None:
        for pile in piles:
            name, _, written = pile.partition("=")
            if name in ("widow", "rabbits"):
                self.laid_out += cards_of([written])
                self.require(self.laid_out == self.rabbits[: len(self.laid_out)])
                continue
            self.require(self.phase == "deal")
            for card in cards_of([written]):
                self.require(card in self.pack and card not in self.dealt)
                self.dealt.add(card)
                self.holds[name].add(card)
            self.require(len(self.holds[name]) <= 10)
        if self.phase == "deal" and len(self.dealt) == 40:
            self.phase = "exchange"

    def step(self, seat: str, cards: list[str], to: str) -> None:
        self.require(self.phase == "exchange" and self.steps[:1] == [(seat, to)])
        self.require(len(cards) == 1 and cards[0] in self.legal(seat))
        self.steps.pop(0)
        self.holds[seat].remove(cards[0])
        if not self.steps:
            self.phase = "hunt"

    def discard(self, seat: str, cards: list[str]) -> None:
        self.step(seat, cards, "")
        self.thrown |= set(cards)

    def hand_on(self, seat: str, cards: list[str], to: str) -> None:
        self.step(seat, cards, to)
        self.holds[to] |= set(cards)

    # The hunts

    def legal(self, seat: str) -> set[str]:
        """The cards that a seat may throw away, pass on or play; a hunter may pass instead."""
        held = self.holds[seat]
        if self.phase == "exchange":
            return set(held) if self.steps[0][1] else {card for card in held if card[0] != "A"}
        if not self.dingo:
            hearts = [rank + "h" for rank in RANKS[self.hunt :] if rank + "h" not in self.thrown]
            return held & set(hearts[:1])
        rank = RANKS[self.hunt]
        black = {rank + "c", rank + "s"}
        if seat not in self.waiting:
            return set()
        return held & (black | {"Ad"} if rank == "A" and len(self.wolves) == 2 else black)

    def name(self, seat: str, rank: str) -> None:
        self.require(self.phase == "hunt" and not self.scored and seat == self.dealer and rank in tuple(RANKS))
        self.go_on_to(RANKS.index(rank))
        self.require(not self.named and not self.dingo)
        self.named = True

    def go_on_to(self, hunt: int) -> None:
        self.require(hunt >= self.hunt)
        while self.hunt < hunt:
            self.finish_hunt()

    def finish_hunt(self) -> None:
        """Any hunt but the last; who has not spoken has passed."""
        rank = RANKS[self.hunt]
        if not self.dingo:
            if rank + "h" not in self.thrown:
                self.wrong = self.wrong or self.at
        elif not self.wolves:
            self.penalty[self.dingo].add(rank + "h")
        else:
            self.won[self.dingo] |= {rank + "h", *(card for _, card in self.wolves[:-1])}
            hunter, wolf = self.wolves[-1]
            self.won[hunter] |= {wolf, rank + "d"}
        self.hunt, self.named, self.dingo = self.hunt + 1, False, ""
        self.waiting, self.wolves = [], []

    def play(self, seat: str, cards: list[str]) -> None:
        self.require(self.phase == "hunt" and len(cards) > 0)
        for card in cards:
            self.require(card in self.holds[seat])
            if card[1] == "h":
                self.go_on_to(RANKS.index(card[0]))
                self.require(not self.dingo)
                self.dingo, self.acted = seat, False
                self.waiting = self.round_from(seat)[1:] + [seat] * (card == "Ah")
            else:
                self.require(self.dingo != "" and card in self.legal(seat))
                self.take_turn(seat)
                if card == "Ad":
                    self.caught = seat
                else:
                    self.wolves.append((seat, card))
            self.holds[seat].remove(card)
        self.settle()

    def take_turn(self, seat: str) -> None:
        """Those before have passed. In the ace hunt the turn lasts until somebody else acts."""
        i = self.waiting.index(seat)
        self.waiting = self.waiting[i:]
        self.acted = True
        if self.hunt < 12:
            self.waiting.pop(0)

    def let_by(self, seat: str) -> None:
        self.require(self.phase == "hunt" and self.dingo != "")
        if self.hunt == 12 and self.acted:
            self.waiting.pop(0)
            self.acted = False
        self.require(self.waiting[:1] == [seat])
        self.waiting.pop(0)
        self.settle()

    def show(self, seat: str, cards: list[str]) -> None:
        """After the last hunt; nobody plays any more."""
        if self.phase == "hunt" and self.hunt == 12 and self.dingo and seat in self.seats:
            self.require(set(cards) <= self.holds[seat])
            self.waiting = []
            self.settle()

    def gather(self, cards: list[str], to: str) -> None:
        """Where the cards of a hunt that is over go."""
        self.require(self.phase == "hunt")
        if self.hunt < 12 and any(card[0] == RANKS[self.hunt] for card in cards):
            self.require(self.dingo != "" or RANKS[self.hunt] + "h" in self.thrown)
            self.finish_hunt()
        elif self.hunt == 12 and self.dingo and any(card[0] == "A" for card in cards):
            self.waiting = []
            self.settle()
        area, _, seat = to.partition(":")
        for card in cards:
            owner = next((f"won:{one}" for one in self.seats if card in self.won[one]), "")
            owner = next((f"penalty:{one}" for one in self.seats if card in self.penalty[one]), owner)
            dead = not owner and card in self.rabbits[12 - self.hunt :]
            self.require(dead if area in ("dead", "discard") else owner == f"{area}:{seat}")

    # What a game comes to

    def settle(self) -> None:
        """The ace hunt is over if nobody has a turn left, or nothing left to play in it."""
        if self.hunt < 12 or not self.dingo or (len(self.waiting) > self.acted and any(map(self.legal, self.waiting))):
            return
        for seat in self.seats:
            self.won[seat] -= {"Ac", "As", "Ah", "Ad"}
            self.penalty[seat] -= {"Ah", "Ad"}
            self.won[seat] |= {card for hunter, card in self.wolves if hunter == seat}
            if "Ad" in self.holds[seat]:
                self.penalty[seat].add("Ad")
        (self.won if self.wolves else self.penalty)[self.dingo].add("Ah")
        if self.caught:
            self.won[self.caught].add("Ad")
        result = {seat: value(self.won[seat], 10) - value(self.penalty[seat], 3) for seat in self.seats}
        self.hands[len(self.hands) - self.scored :] = [result]
        self.winners[len(self.winners) - self.scored :] = [self.best(result)]
        self.scored = True

    def best(self, result: dict[str, int]) -> str:
        """The highest score of those without a heart in the hand; of several, whoever caught the highest rabbit."""
        fair = [seat for seat in self.seats if not any(card[1] == "h" for card in self.holds[seat])]
        ahead = [seat for seat in fair if result[seat] == max(result[one] for one in fair)]
        if len(ahead) == 1:
            return ahead[0]
        highest = {seat: [RANKS.index(card[0]) for card in self.won[seat] if card[1] == "d"] for seat in ahead}
        return max(ahead, key=lambda seat: max(highest[seat], default=-1)) if any(highest.values()) else ""

    def over(self) -> bool:
        """Whether the match is over; if nobody has won it then, several have."""
        return self.scored and len(self.hands) >= self.most

    def winner(self) -> str:
        """Who has won most games, empty if the match goes on or several have won as many."""
        won = {seat: self.winners.count(seat) for seat in self.seats}
        ahead = [seat for seat in self.seats if won[seat] == max(won.values())]
        return ahead[0] if self.over() and len(ahead) == 1 else ""


def value(pile: set[str], rabbit: int) -> int:
    """What a pile is worth; the ace of diamonds is worth more in the one than in the other."""
    worth = {"A": 3, "K": 2, "Q": 2, "J": 2, "T": 2}
    return sum(rabbit if card == "Ad" else worth.get(card[0], 1) for card in pile)


def cards_of(words: list[str]) -> list[str]:
    """The cards in these words, without the faces and the piles."""
    cards = "".join(word for word in words if word not in ("up", "down", "*") and word[0] not in "<>")
    return [cards[i : i + 2] for i in range(0, len(cards), 2)]
