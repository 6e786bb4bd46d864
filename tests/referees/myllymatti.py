"""A second opinion on Myllymatti, written from the rule text alone: it shares nothing with Kibitz but a record's lines.

It reads lines with every card seen, says at which line something was against the rules for the first time, and what
each hand came to. It ignores the lines that it does not understand. It understands:

    C hand 1                    the dealer
    @ deal A=… B=… C=…          three each; `@ deal down stock=…` is the other 43, the top one last. It is needed
    B play 6d, B play 7s <stock first half: a card from the hand, or blind from the stock while more than one is left in it
    A draw 5h, C draw up 4h     the winner first, after a bounce the leader; the last one of the stock is shown and goes to the
                                won cards. Each may be left out
    A move * <trick >won:A      a trick that is won, and the cards that lay there from bounces; it may be left out
    A show 3c4d                 what was left in the hands at the end of the first half; it may be left out, like a led card
                                that goes back, `A move 6d <trick >won:A`
    C play Kh                   second half: it leads, or beats the last card
    C draw Kh <trick            takes the last card; `C move Kh <trick >C` is the same
    @ move * <trick >discard    a complete trick; it may be left out
    @ end hand void             the game does not count

`hands` has a 1 for whoever lost each game, `out` the others in the order in which they went out, `trumps` the trumps.

Options: `draw_after_bounce`, `draw_order` ("winner", or "leader": the leader draws first even if he lost the trick),
`must_beat_if_able`, `next_dealer` ("", anybody, or "loser") and `games`, how many the match has. What a sequence
would be, which the notes name as an option, no text says; there is none.
"""

from __future__ import annotations

ORDER = "23456789TJQKA"


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the three seats in order, clockwise, and the options."""

    def __init__(
        self,
        seats: list[str],
        draw_after_bounce: bool = True,
        draw_order: str = "winner",
        must_beat_if_able: bool = False,
        next_dealer: str = "",
        games: int = 1,
    ) -> None:
        self.seats, self.most = seats, games
        self.draw_after_bounce, self.winner_draws_first = draw_after_bounce, draw_order == "winner"
        self.must_beat_if_able, self.loser_deals = must_beat_if_able, next_dealer == "loser"
        self.pack = {rank + suit for rank in ORDER for suit in "cdhs"}
        # The phases: deal, build (the first half), shed (the second).
        self.next_dealer = self.phase = ""
        self.hands: list[dict[str, int]] = []
        self.out: list[list[str]] = []
        self.trumps: list[str] = []
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
            self.deal([word for word in rest if "=" in word])
        elif verb == "play" and self.phase == "shed":
            self.shed(by, cards_of(rest), "<stock" in rest)
        elif verb == "play":
            self.play(by, cards_of(rest), "<stock" in rest)
        elif verb == "draw":
            self.draw(by, cards_of(rest), "down" in rest, "<stock" in rest)
        elif verb == "show":
            self.show(rest[-1][1:] if rest[-1][0] == "<" else by, cards_of(rest))
        elif verb == "move":
            self.move(by, cards_of(rest), "<trick" in rest, rest[-1][1:])
        elif verb == "end" and rest[0] == "hand":
            self.next_dealer = "" if self.phase else self.next_dealer
            self.phase, self.to_play = "", []

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    def round_from(self, seat: str) -> list[str]:
        i = self.seats.index(seat)
        return self.seats[i:] + self.seats[:i]

    # The deal

    def begin(self, dealer: str) -> None:
        self.require(self.phase == "" and not self.over() and self.next_dealer in ("", dealer))
        self.dealer, self.phase = dealer, "deal"
        self.holds: dict[str, set[str]] = {seat: set() for seat in self.seats}
        self.won: dict[str, set[str]] = {seat: set() for seat in self.seats}
        self.stock: list[str] = []
        self.dealt: set[str] = set()
        self.to_play = []
        # The trick on the table, and in the first half the bounces under it, with who played each card.
        self.table: list[tuple[str, str]] = []
        self.bounced: list[tuple[str, str]] = []
        # The draws since the last card was played, of which some may be written: who, what, and whether it is the last.
        self.drawn: list[tuple[str, str, bool]] = []
        self.last: set[str] = set()
        self.last_winner, self.gathered, self.cleared = "", True, False
        self.trump = self.maker = ""
        # At the end of the first half: what was left in the hands or went back to them.
        self.left: dict[str, set[str]] = {seat: set() for seat in self.seats}
        self.shedding, self.size = False, 0
        self.gone: list[str] = []

    def deal(self, piles: list[str]) -> None:
        self.require(self.phase == "deal")
        for pile in piles:
            name, _, written = pile.partition("=")
            cards = cards_of([written])
            self.require(len(set(cards)) == len(cards) and set(cards) <= self.pack - self.dealt)
            self.dealt |= set(cards)
            if name == "stock":
                self.stock += cards
            else:
                self.holds[name] |= set(cards)
                self.require(len(self.holds[name]) <= 3)
        if len(self.dealt) == 52:
            self.phase = "build"
            self.lead(self.round_from(self.dealer)[1])

    # The first half

    def lead(self, seat: str) -> None:
        """The next trick of two, if there is one."""
        self.to_play = self.round_from(seat)[:2]
        self.end_first_half()

    def play(self, seat: str, cards: list[str], blind: bool) -> None:
        self.require(self.phase == "build" and self.to_play[:1] == [seat] and len(cards) == 1)
        if blind:
            self.require(len(self.stock) > 1 and cards == self.stock[-1:])
            self.stock.pop()
        else:
            self.require(cards[0] in self.holds[seat])
            self.holds[seat].remove(cards[0])
        self.to_play.pop(0)
        self.table.append((seat, cards[0]))
        self.drawn, self.gathered = [], True
        if self.to_play:
            self.end_first_half()
        else:
            self.finish_trick()

    def finish_trick(self) -> None:
        (leader, led), (second, answer) = self.table
        self.table, pair = [], self.table
        if led[0] == answer[0]:
            self.bounced += pair
            if self.draw_after_bounce:
                self.refill([leader, second])
            self.lead(leader)
            return
        winner = leader if ORDER.index(led[0]) > ORDER.index(answer[0]) else second
        self.last = {card for _, card in self.bounced + pair}
        self.won[winner] |= self.last
        self.bounced, self.last_winner, self.gathered = [], winner, False
        self.refill([leader, second] if winner == leader or not self.winner_draws_first else [second, leader])
        self.lead(winner)

    def refill(self, seats: list[str]) -> None:
        for seat in seats:
            while self.stock and len(self.holds[seat]) < 3:
                self.draw_one(seat)

    def draw_one(self, seat: str) -> None:
        """The last card of the stock makes trumps, and goes to the won cards."""
        card = self.stock.pop()
        self.drawn.append((seat, card, not self.stock))
        if self.stock:
            self.holds[seat].add(card)
        else:
            self.trump, self.maker = card[1], seat
            self.won[seat].add(card)

    def end_first_half(self) -> None:
        """It is over when somebody on turn has no card. Every card of a trick or a bounce goes back to its player."""
        seat = self.to_play[0]
        if self.holds[seat] or len(self.stock) > 1:
            return
        if self.stock:
            # Only without draws after bounces.
            self.draw_one(seat)
        for who, card in self.table + self.bounced:
            self.left[who].add(card)
        self.table, self.bounced, self.phase = [], [], "shed"
        for who in self.seats:
            self.left[who] |= self.holds[who]
            self.holds[who] = self.won[who] | self.left[who]
        self.gone = [who for who in self.seats if not self.holds[who]]
        self.to_play = [self.maker]
        self.end_game()

    # What follows from the cards, and may be written

    def draw(self, seat: str, cards: list[str], down: bool, stock: bool) -> None:
        if self.phase == "shed" and not stock and (self.shedding or not self.drawn):
            self.take(seat, cards)
            return
        self.require(len(cards) > 0)
        for card in cards:
            while self.drawn and self.drawn[0][:2] != (seat, card):
                self.drawn.pop(0)
            self.require(self.drawn != [] and not (down and self.drawn[0][2]))
            self.drawn.pop(0)

    def show(self, seat: str, cards: list[str]) -> None:
        if self.phase == "shed" and not self.shedding and seat in self.seats:
            self.require(set(cards) <= self.left[seat])

    def move(self, by: str, cards: list[str], from_trick: bool, to: str) -> None:
        seat = to.removeprefix("won:")
        if to in ("discard", "dead"):
            self.require(self.cleared and (not cards or set(cards) == self.last))
            self.cleared = False
        elif self.phase == "shed" and self.shedding:
            self.require(from_trick and by == seat)
            self.take(seat, cards)
        elif not self.gathered and to == "won:" + self.last_winner and set(cards) in (set(), self.last):
            self.require(by in ("@", self.last_winner))
            self.gathered = True
        else:
            self.require(self.phase == "shed" and seat in self.seats and set(cards) <= self.holds[seat])

    # The second half

    def beats(self, card: str) -> bool:
        last = self.table[-1][1]
        if card[1] == last[1]:
            return ORDER.index(card[0]) > ORDER.index(last[0])
        return card[1] == self.trump

    def legal(self, seat: str) -> set[str]:
        """The cards of the hand that a seat may play when it is its turn; perhaps none, in the second half."""
        held = self.holds[seat]
        return {card for card in held if self.beats(card)} if self.phase == "shed" and self.table else set(held)

    def next_with_cards(self, seat: str) -> str:
        return next(who for who in [*self.round_from(seat)[1:], seat] if self.holds[who])

    def shed(self, seat: str, cards: list[str], blind: bool) -> None:
        self.require(self.to_play == [seat] and not blind and len(cards) == 1 and cards[0] in self.legal(seat))
        if not self.table:
            self.size = sum(bool(held) for held in self.holds.values())
        self.shedding, self.cleared, self.gathered = True, False, True
        self.holds[seat].remove(cards[0])
        self.table.append((seat, cards[0]))
        if not self.holds[seat]:
            self.gone.append(seat)
            self.end_game()
        if self.phase and len(self.table) == self.size:
            self.last = {card for _, card in self.table}
            self.table, self.cleared = [], True
            self.to_play = [seat if self.holds[seat] else self.next_with_cards(seat)]
        elif self.phase:
            self.to_play = [self.next_with_cards(seat)]

    def take(self, seat: str, cards: list[str]) -> None:
        """The last card; whoever is next faces the one below it, or leads if there is none."""
        self.require(self.phase == "shed" and self.to_play == [seat] and self.table != [])
        self.require(cards == [self.table[-1][1]] or (not cards and len(self.table) == 1))
        self.require(not (self.must_beat_if_able and self.legal(seat)))
        self.holds[seat].add(self.table.pop()[1])
        self.to_play = [self.next_with_cards(seat)]

    def end_game(self) -> None:
        if len(self.gone) < 2:
            return
        (loser,) = (seat for seat in self.seats if seat not in self.gone)
        self.hands.append({seat: int(seat == loser) for seat in self.seats})
        self.out.append(self.gone)
        self.trumps.append(self.trump)
        self.next_dealer = loser if self.loser_deals else ""
        self.phase, self.to_play = "", []

    # The match

    def over(self) -> bool:
        return len(self.hands) >= self.most

    def loser(self) -> str:
        """Who has lost most games, empty if the match goes on or several have lost as many."""
        lost = {seat: sum(hand[seat] for hand in self.hands) for seat in self.seats}
        behind = [seat for seat in self.seats if lost[seat] == max(lost.values())]
        return behind[0] if self.over() and len(behind) == 1 else ""

    def winner(self) -> str:
        """Nobody wins at this game; one loses."""
        return ""


def cards_of(words: list[str]) -> list[str]:
    """The cards in these words, without the faces and the piles."""
    cards = "".join(word for word in words if word not in ("up", "down", "*") and word[0] not in "<>")
    return [cards[i : i + 2] for i in range(0, len(cards), 2)]
