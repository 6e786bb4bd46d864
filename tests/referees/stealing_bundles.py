"""A second opinion on Stealing Bundles, written from the rule text alone.

It shares nothing with Kibitz but a record's lines. It reads lines with every card seen, says at which line something
was against the rules for the first time, and what each hand came to. It ignores the lines that it does not understand.
It understands:

    B hand 1                    the dealer; the deal alternates
    @ deal A=… B=…              four each, now and whenever both are out; `@ deal up board=…` is four as well
    @ deal down stock=…         the other cards, the top one last; it may be left out. If it is written, later deals
                                may be left out: four to the one who plays first, then four to the dealer
    A play 7c                   trails
    A capture 7c/7d7h           takes these of the board, `*` all of it
    A capture 7c/* <won:B       steals the bundle; all its cards may be written instead of `*`
    @ end hand void             the hand does not count, and anybody may deal next

`hands` has how many cards each bundle has in the end, `won` who has more, empty for a tie.
Options: `games`, `must_capture` (who can capture does not trail), `combined` (a card that takes from the board steals,
too, and the other way round) and `remainder` ("nobody" or "last": who captured last has what is left on the board).
"""

from __future__ import annotations


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the two seats and the options."""

    def __init__(
        self, seats: list[str], games: int = 1, must_capture: bool = True, combined: bool = False,
        remainder: str = "nobody",
    ) -> None:  # fmt: skip
        self.seats, self.most = seats, games
        self.must_capture, self.combined, self.remainder = must_capture, combined, remainder
        self.pack = {rank + suit for rank in "A23456789TJQK" for suit in "cdhs"}
        self.next_dealer = ""
        self.done = True
        self.hands: list[dict[str, int]] = []
        self.won: list[str] = []

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
            self.trail(by, cards_of(rest))
        elif verb == "capture":
            card, _, taken = rest[0].partition("/")
            self.capture(by, card, taken, rest[-1][1:] if rest[-1][0] == "<" else "")
        elif verb == "end" and rest[0] == "hand":
            self.next_dealer = self.next_dealer if self.done else ""
            self.done = True

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    # The deal

    def begin(self, dealer: str) -> None:
        self.require(self.done and len(self.hands) < self.most and self.next_dealer in ("", dealer))
        self.turn = self.next_dealer = self.other(dealer)
        self.done = False
        self.holds: dict[str, set[str]] = {seat: set() for seat in self.seats}
        self.seen: set[str] = set()
        self.stock: list[str] = []
        self.board: set[str] = set()
        # How many cards were dealt in this round, and whether anybody has played.
        self.given = dict.fromkeys(self.seats, 0)
        self.played = False
        self.bundles: dict[str, list[str]] = {seat: [] for seat in self.seats}
        self.taker = ""

    def other(self, seat: str) -> str:
        return self.seats[1 - self.seats.index(seat)]

    def deal(self, piles: list[str]) -> None:
        for pile in piles:
            name, _, written = pile.partition("=")
            cards = cards_of([written])
            self.require(not self.done and len(set(cards)) == len(cards) and set(cards) <= self.pack - self.seen)
            if name == "board":
                self.seen |= set(cards)
                self.board |= set(cards)
                self.require(not self.played and len(self.board) <= 4)
            elif name == "stock":
                self.require(not self.stock and set(cards) == self.pack - self.seen)
                self.stock = cards
            else:
                self.give(name, cards)

    def give(self, seat: str, cards: list[str]) -> None:
        top = self.stock[-(8 - sum(self.given.values())) :] if self.played else self.stock
        self.given[seat] += len(cards)
        self.require(self.given[seat] <= 4)
        self.require(not self.stock or set(cards) <= set(top))
        self.stock = [card for card in self.stock if card not in cards]
        self.seen |= set(cards)
        self.holds[seat] |= set(cards)

    # The play

    def start_turn(self, seat: str, card: str) -> None:
        if self.stock and self.played and not any(self.holds.values()) and not any(self.given.values()):
            for one in (self.turn, self.other(self.turn)):
                self.give(one, self.stock[-4:])
        self.require(not self.done and seat == self.turn and card in self.holds[seat])
        self.require(all(count == 4 for count in self.given.values()) and (self.played or len(self.board) == 4))

    def may_capture(self, seat: str, card: str) -> bool:
        bundle = self.bundles[self.other(seat)]
        return card[0] in {one[0] for one in [*self.board, *bundle[-1:]]}

    def trail(self, seat: str, cards: list[str]) -> None:
        self.require(len(cards) == 1)
        self.start_turn(seat, cards[0])
        self.require(not self.must_capture or not any(self.may_capture(seat, card) for card in self.holds[seat]))
        self.board.add(cards[0])
        self.end_turn(seat, cards[0])

    def capture(self, seat: str, card: str, taken: str, source: str) -> None:
        self.start_turn(seat, card)
        bundle = self.bundles[self.other(seat)]
        same = [one for one in self.board if one[0] == card[0]]
        named = cards_of([taken]) if taken != "*" else bundle if source else list(self.board)
        self.require(source in ("", "board", "won:" + self.other(seat)) and len(set(named)) == len(named))
        steals = source.startswith("won")
        if steals:
            self.require(bool(bundle) and bundle[-1][0] == card[0] and set(named) == set(bundle))
        else:
            self.require(bool(named) and set(named) <= set(same))
        from_board = [] if steals else named
        if self.combined:
            from_board = same if steals else named
            steals = steals or (bundle[-1:] != [] and bundle[-1][0] == card[0])
        if steals:
            self.bundles[self.other(seat)] = []
        self.board -= set(from_board)
        self.bundles[seat] += [*(bundle if steals else []), *from_board, card]
        self.taker = seat
        self.end_turn(seat, card)

    def end_turn(self, seat: str, card: str) -> None:
        self.holds[seat].remove(card)
        self.played, self.turn = True, self.other(seat)
        if not any(self.holds.values()):
            self.given = dict.fromkeys(self.seats, 0)
            if self.seen == self.pack:
                self.finish_hand()

    def finish_hand(self) -> None:
        sizes = {seat: len(self.bundles[seat]) for seat in self.seats}
        if self.remainder == "last" and self.taker:
            sizes[self.taker] += len(self.board)
        self.hands.append(sizes)
        self.won.append(next((seat for seat in self.seats if sizes[seat] > sizes[self.other(seat)]), ""))
        self.done = True

    def totals(self) -> dict[str, int]:
        return {seat: sum(hand[seat] for hand in self.hands) for seat in self.seats}

    def winner(self) -> str:
        """Who has more cards of all games, empty if the match goes on or is a tie."""
        totals = self.totals()
        ahead = [seat for seat in self.seats if totals[seat] > totals[self.other(seat)]]
        return ahead[0] if len(self.hands) >= self.most and ahead else ""


def cards_of(words: list[str]) -> list[str]:
    """The cards in these words, without the faces and the piles."""
    cards = "".join(word for word in words if word not in ("up", "down", "*") and word[0] not in "<>")
    return [cards[i : i + 2] for i in range(0, len(cards), 2)]
