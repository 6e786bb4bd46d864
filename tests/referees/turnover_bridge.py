"""A second opinion on Turnover Bridge, written from the rule text alone: it shares nothing with Kibitz but a
record's lines.

It reads lines with every card seen, says at which line something was against the rules for the first time, and what
each hand came to. It ignores the lines that it does not understand. It understands:

    A hand 1                        the dealer; in a series the deal alternates
    @ deal down col:B:1..12=…       twelve cards a seat, face down, and another twelve on top of them:
    @ deal up col:B:1..12=…         in as many lines as one likes, column by column too
    @ deal B=2h7h A=9c9d            the two cards in the hand
    B play 3d                       from wherever it lies; `<col:B:6`, or `<B` from the hand, may be added
    B show 9h <col:B:6              the card below, at once; it may be left out
    A move * <trick >won:A          a trick that is gathered; it may be left out
    @ end hand void                 the game does not count, and anybody may deal next

`hands` has the tricks of each game, `winners` who won it, empty if it was a tie.

Options: `play_out` (True: all 26 tricks are played) and `games`, how many the match has.
"""

from __future__ import annotations

ORDER = "23456789TJQKA"


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the two seats and the options."""

    def __init__(self, seats: list[str], play_out: bool = False, games: int = 1) -> None:
        self.seats, self.play_out, self.most = seats, play_out, games
        self.pack = {rank + suit for rank in ORDER for suit in "cdhs"}
        # The phases: deal, play.
        self.next_dealer = self.phase = ""
        self.hands: list[dict[str, int]] = []
        self.winners: list[str] = []
        self.tricks = dict.fromkeys(seats, 0)
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
            self.deal([word for word in rest if "=" in word], "up" in rest, "down" in rest)
        elif verb == "play":
            self.play(by, cards_of(rest), [word[1:] for word in rest if word[0] == "<"])
        elif verb == "show":
            self.show(by, cards_of(rest), [word[1:] for word in rest if word[0] == "<"])
        elif verb == "move":
            self.gather(by, rest)
        elif verb == "end" and rest[0] == "hand":
            self.next_dealer = "" if self.phase else self.next_dealer
            self.phase, self.to_play = "", []
            self.tricks = dict.fromkeys(self.seats, 0)

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    def other(self, seat: str) -> str:
        return self.seats[1 - self.seats.index(seat)]

    # The layout

    def begin(self, dealer: str) -> None:
        self.require(self.phase == "" and not self.over() and self.next_dealer in ("", dealer))
        self.dealer, self.next_dealer, self.phase = dealer, self.other(dealer), "deal"
        self.dealt: set[str] = set()
        self.holds: dict[str, set[str]] = {seat: set() for seat in self.seats}
        # Each column by its name: the card that lies open and the one below it.
        self.open = {f"col:{seat}:{i}": "" for seat in self.seats for i in range(1, 13)}
        self.below = self.open.copy()
        self.turned = ("", "")
        self.to_play = []
        self.trick: list[tuple[str, str]] = []
        self.last: list[tuple[str, str]] = []
        self.last_winner, self.gathered = "", True
        self.tricks = dict.fromkeys(self.seats, 0)

    def deal(self, piles: list[str], up: bool, down: bool) -> None:
        self.require(self.phase == "deal")
        for pile in piles:
            name, _, written = pile.partition("=")
            cards = cards_of([written])
            self.require(len(set(cards)) == len(cards) and set(cards) <= self.pack - self.dealt)
            self.dealt |= set(cards)
            if name in self.holds:
                self.holds[name] |= set(cards)
                self.require(len(self.holds[name]) <= 2)
                continue
            columns = columns_of(name)
            self.require(len(cards) % len(columns) == 0)
            each = len(cards) // len(columns)
            for i, card in enumerate(cards):
                self.lay(columns[i // each], card, up, down)
        if len(self.dealt) == 52:
            self.phase, self.to_play = "play", [self.other(self.dealer), self.dealer]

    def lay(self, column: str, card: str, up: bool, down: bool) -> None:
        """A card that is dealt open lies on the covered one; without a face the first card is the covered one."""
        self.require(column in self.open)
        pile = self.below if down or (not up and not self.below[column]) else self.open
        self.require(not pile[column] and (pile is self.open or not self.open[column]))
        pile[column] = card

    # Play

    def accessible(self, seat: str) -> set[str]:
        columns = {card for name, card in self.open.items() if name.startswith(f"col:{seat}:") and card}
        return self.holds[seat] | columns

    def legal(self, seat: str) -> set[str]:
        """The cards that a seat may play when it is its turn."""
        cards = self.accessible(seat)
        return {card for card in cards if self.trick and card[1] == self.trick[0][1][1]} or cards

    def play(self, seat: str, cards: list[str], from_: list[str]) -> None:
        self.require(self.phase == "play" and self.to_play[:1] == [seat])
        self.require(len(cards) == 1 and cards[0] in self.legal(seat))
        card = cards[0]
        place = next((name for name, one in self.open.items() if one == card), seat)
        self.require(not from_ or from_ == [place])
        self.to_play.pop(0)
        self.turned = ("", "")
        if place == seat:
            self.holds[seat].remove(card)
        else:
            self.open[place], self.below[place] = self.below[place], ""
            self.turned = (place, self.open[place])
        self.trick.append((seat, card))
        self.last, self.gathered = list(self.trick), True
        if not self.to_play:
            self.finish_trick()

    def show(self, by: str, cards: list[str], from_: list[str]) -> None:
        """The card that has just been turned up; other cards of the columns are open already or covered."""
        column, card = self.turned
        if self.phase != "play" and cards != [card]:
            return
        if from_ and not from_[0].startswith("col:"):
            return
        if not from_ and by in self.holds and set(cards) <= self.holds[by]:
            return
        self.require(card != "" and cards == [card] and by in ("@", column.split(":")[1]))
        self.require(not from_ or from_ == [column])
        self.turned = ("", "")

    def finish_trick(self) -> None:
        (leader, led), (second, answer) = self.trick
        beaten = ORDER.index(answer[0]) > ORDER.index(led[0]) if answer[1] == led[1] else answer[1] == "s"
        winner = second if beaten else leader
        self.tricks[winner] += 1
        self.last_winner, self.gathered, self.trick = winner, False, []
        self.to_play = [winner, self.other(winner)]
        if sum(self.tricks.values()) == 26 or (max(self.tricks.values()) == 14 and not self.play_out):
            self.finish_game()

    def finish_game(self) -> None:
        self.hands.append(self.tricks)
        self.winners.append(next((seat for seat in self.seats if self.tricks[seat] >= 14), ""))
        self.phase, self.to_play = "", []

    def gather(self, by: str, rest: list[str]) -> None:
        self.require(not self.gathered and by in ("@", self.last_winner) and rest[-1] == ">won:" + self.last_winner)
        cards = cards_of(rest)
        self.require(not cards or set(cards) == {card for _, card in self.last})
        self.gathered = True

    # The match

    def over(self) -> bool:
        """Whether the match is over; if nobody has won it then, it is a tie."""
        return len(self.winners) >= self.most

    def winner(self) -> str:
        """Who has won the match, empty if it goes on or is a tie; of one game whoever has fourteen tricks of it."""
        winners = self.winners
        if self.phase:
            winners = winners + [seat for seat in self.seats if self.tricks[seat] >= 14]
        won = {seat: winners.count(seat) for seat in self.seats}
        ahead = [seat for seat in self.seats if won[seat] == max(won.values())]
        return ahead[0] if len(winners) >= self.most and len(ahead) == 1 else ""


def columns_of(name: str) -> list[str]:
    """The columns of a range, col:B:1..12, or the one that is named."""
    stem, _, numbers = name.rpartition(":")
    first, _, last = numbers.partition("..")
    if not first.isdecimal() or not (last or first).isdecimal():
        raise Against
    return [f"{stem}:{i}" for i in range(int(first), int(last or first) + 1)] or [name]


def cards_of(words: list[str]) -> list[str]:
    """The cards in these words, without the faces and the piles."""
    cards = "".join(word for word in words if word not in ("up", "down", "*") and word[0] not in "<>")
    return [cards[i : i + 2] for i in range(0, len(cards), 2)]
