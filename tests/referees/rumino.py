"""A second opinion on Rumino, written from the rule text alone: it shares nothing with Kibitz but a record's lines.

It reads lines with every card seen, says at which line something was against the rules for the first time, and what
each hand came to. It ignores the lines that it does not understand. It understands:

    D hand 1                    the dealer, the next one clockwise who is still in
    A pay 5 >pot                the stake, in the first hand; it may be left out
    @ deal A=… B=…              seven each, in as many lines as one likes; `@ deal up discard=7d` is the upcard
    @ deal down stock=…         the other cards, the top one last; it may be left out
    A draw 7h, A draw 2d <discard
    A discard 2d
    @ shuffle * <discard >stock all but the upcard, if the stock has run out, or `@ shuffle stock=…` with their order
    A call knock, A call gin    at the beginning of a turn
    A show 4c5c6c/2h2hJo/9s     the hands after a knock; A meld 4c5c6c a meld of the hand; both may be left out
    C draw 7d <discard          out of turn: the seventh card of a rumino, which C then lays open
    C call rumino 4d5d6d…       or without cards, or `C show` and `C meld` with just those seven
    A pay 5 >pot, A call rebuy  in again after a hand, in the order from the dealer's left; A pass, or nothing: out
    @ pay 30 <pot >B            the pool
    @ end hand void             the hand does not count, and anybody may deal next

`hands` has what each seat scored in each hand: nothing in one that a rumino ends. `scores` are the totals, changed by a
rebuy; `winners` who shares the game.
Options: `stake`, `knock_limit`, `gin_score`, `out_at`, `gin_timing` ("start_of_turn", or "after_draw" as well) and
`rebuy` (whether one may, if there is a stake).
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations

RANKS = "A23456789TJQK"


class Against(Exception):
    """The line is against the rules."""


class Referee:
    """One match: the seats in order, clockwise, and the options."""

    def __init__(
        self, seats: list[str], stake: int = 0, knock_limit: int = 7, gin_score: int = -10, out_at: int = 100,
        gin_timing: str = "start_of_turn", rebuy: bool = True,
    ) -> None:  # fmt: skip
        self.seats, self.stake, self.limit, self.gin_score, self.out_at = seats, stake, knock_limit, gin_score, out_at
        self.gin_after_draw, self.rebuys = gin_timing == "after_draw", rebuy and stake > 0
        self.pack = Counter({rank + suit: 2 for rank in RANKS for suit in "cdhs"} | {"Jo": 4})
        self.dealer = ""
        # The phases: deal, draw, discard, claimed (a rumino has to be laid open), and over.
        self.phase = "over"
        self.players = list(seats)
        self.scores = dict.fromkeys(seats, 0)
        self.hands: list[dict[str, int]] = []
        self.winners: list[str] = []
        self.pool = stake * len(seats)
        self.staked: set[str] = set()
        self.times = dict.fromkeys(seats, 0)
        # Who is at a hundred or more and has not said whether to go on.
        self.asked: list[str] = []

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
        piles = {word[0]: word[1:] for word in rest if word[0] in "<>"}
        if verb == "hand":
            self.begin(by)
        elif verb == "deal":
            self.deal([word for word in rest if "=" in word])
        elif verb == "draw":
            self.draw(by, cards_of(rest), piles.get("<", "stock"))
        elif verb == "discard":
            self.discard(by, cards_of(rest))
        elif verb == "shuffle":
            self.shuffle([word.removeprefix("stock=") for word in rest])
        elif verb == "call" and rest[0] in ("knock", "gin"):
            self.go_out(by, rest[0] == "gin")
        elif verb == "call" and rest[0] == "rumino":
            self.rumino(by, cards_of(rest[1:]))
        elif verb in ("show", "meld"):
            self.lay_open(by, rest[0].split("/"), verb == "meld")
        elif verb == "pay":
            self.pay(by, int(rest[0]), piles)
        elif verb == "call" and rest[0] == "rebuy":
            self.buy(by, self.price(by))
        elif verb == "pass":
            self.require(by in self.asked)
            self.decline(by)
            self.asked.remove(by)
            self.close()
        elif verb == "end" and rest[0] == "hand":
            self.dealer = self.dealer if self.phase == "over" else ""
            self.phase = "over"

    def require(self, fair: bool) -> None:
        if not fair:
            raise Against

    # The deal

    def begin(self, dealer: str) -> None:
        for seat in self.asked:
            self.players.remove(seat)
        self.asked = []
        self.close()
        self.require(self.phase == "over" and not self.winners and dealer in self.players)
        self.require(self.dealer == "" or dealer == self.after(self.dealer)[0])
        self.dealer, self.phase = dealer, "deal"
        self.order = self.after(dealer)
        self.holds: dict[str, Counter[str]] = {seat: Counter() for seat in self.players}
        self.unseen = self.pack.copy()
        self.stock: list[str] = []
        self.pile: list[str] = []
        # Who has discarded last, as long as nobody has drawn.
        self.discarder = ""

    def after(self, seat: str) -> list[str]:
        """Those who are still in, in their order from the left of a seat."""
        i = self.seats.index(seat) + 1
        return [one for one in self.seats[i:] + self.seats[:i] if one in self.players]

    def deal(self, piles: list[str]) -> None:
        for pile in piles:
            name, _, written = pile.partition("=")
            cards = cards_of([written])
            self.require(Counter(cards) <= self.unseen - Counter(self.stock))
            if name == "stock":
                self.require(not self.stock and len(cards) == 107 - 7 * len(self.players))
                self.stock = cards
                continue
            self.unseen -= Counter(cards)
            if name == "discard":
                self.require(self.phase in ("deal", "draw") and not self.pile and len(cards) == 1)
                self.pile += cards
            else:
                self.require(self.phase == "deal" and name in self.holds)
                self.holds[name] += Counter(cards)
                self.require(self.holds[name].total() <= 7)
        if self.phase == "deal" and all(held.total() == 7 for held in self.holds.values()):
            self.phase = "draw"

    def shuffle(self, words: list[str]) -> None:
        cards = cards_of(words)
        self.require(self.phase == "draw" and not self.unseen and len(self.pile) > 1)
        self.require(not cards or Counter(cards) == Counter(self.pile[:-1]))
        self.turn_over()
        self.stock = cards

    def turn_over(self) -> None:
        self.unseen, self.pile = Counter(self.pile[:-1]), self.pile[-1:]

    # The turns

    def draw(self, seat: str, cards: list[str], source: str) -> None:
        self.require(self.phase == "draw" and len(cards) == 1 and seat in self.players and len(self.pile) > 0)
        card = cards[0]
        if seat != self.order[0]:
            self.require(source == "discard" and self.discarder not in ("", seat))
            held = list(self.holds[seat].elements())
            self.require(any(is_rumino([*six, card]) for six in combinations(held, 6)))
            self.claimant, self.phase = seat, "claimed"
        else:
            self.phase, self.discarder = "discard", ""
        if source == "discard":
            self.require(self.pile.pop() == card)
        else:
            self.require(source == "stock")
            if not self.unseen:
                self.turn_over()
            self.require(not self.stock or self.stock.pop() == card)
            self.require(self.unseen[card] > 0)
            self.unseen -= Counter([card])
        self.holds[seat][card] += 1

    def discard(self, seat: str, cards: list[str]) -> None:
        self.require(self.phase == "discard" and seat == self.order[0] and len(cards) == 1)
        self.require(self.holds[seat][cards[0]] > 0)
        self.holds[seat] -= Counter(cards)
        self.pile += cards
        self.order = self.order[1:] + self.order[:1]
        self.discarder, self.phase = seat, "draw"

    def go_out(self, seat: str, gin: bool) -> None:
        self.require(self.phase in ("draw", "discard") and seat == self.order[0])
        held = list(self.holds[seat].elements())
        if self.phase == "discard":
            self.require(
                gin and self.gin_after_draw and any(deadwood(list(seven)) == 0 for seven in combinations(held, 7))
            )
        else:
            self.require(deadwood(held) <= (0 if gin else self.limit))
        result = dict.fromkeys(self.seats, 0)
        for one in self.players:
            out = gin and one == seat
            result[one] = self.gin_score if out else deadwood(list(self.holds[one].elements()))
            self.scores[one] += result[one]
        self.hands.append(result)
        self.phase = "over"
        self.asked = [one for one in self.after(self.dealer) if self.scores[one] >= self.out_at]
        self.close()

    def lay_open(self, seat: str, groups: list[str], melds: bool) -> None:
        written = [cards_of([group]) for group in groups]
        cards = [card for group in written for card in group]
        self.require(seat in self.players and Counter(cards) <= self.holds[seat])
        if self.phase not in ("deal", "over") and len(groups) == 1 and is_rumino(cards):
            self.rumino(seat, cards)
        else:
            self.require(self.phase != "claimed")
            self.require(not melds or (self.phase == "over" and all(is_meld(group) for group in written)))

    def rumino(self, seat: str, cards: list[str]) -> None:
        self.require(self.phase in ("draw", "discard") or (self.phase == "claimed" and seat == self.claimant))
        self.require(seat in self.players and Counter(cards) <= self.holds[seat])
        held = cards or list(self.holds[seat].elements())
        self.require(any(is_rumino(list(seven)) for seven in combinations(held, 7)))
        self.hands.append(dict.fromkeys(self.seats, 0))
        self.winners, self.phase = [seat], "over"

    # Who goes on

    def price(self, seat: str) -> int:
        return int(self.stake * 2 ** self.times[seat])

    def pay(self, by: str, amount: int, piles: dict[str, str]) -> None:
        if piles.get(">") != "pot":
            self.require(piles.get("<") == "pot" and self.winners == [piles.get(">")] and amount == self.pool)
        elif by in self.asked:
            self.buy(by, amount)
        else:
            self.require(self.stake > 0 and by in self.seats and by not in self.staked and amount == self.stake)
            self.require(not self.hands)
            self.staked.add(by)

    def buy(self, seat: str, amount: int) -> None:
        """At least three have to be in afterwards; the score is the highest of the others under a hundred."""
        self.require(self.rebuys and seat in self.asked and amount == self.price(seat))
        under = [self.scores[one] for one in self.players if one != seat and self.scores[one] < self.out_at]
        self.require(len(under) >= 2)
        self.decline(seat)
        self.asked.remove(seat)
        self.scores[seat] = max(under)
        self.times[seat] += 1
        self.pool += amount

    def decline(self, seat: str) -> None:
        """Those before have said nothing and are out; `seat` itself only if it does not buy."""
        while self.asked[0] != seat:
            self.players.remove(self.asked.pop(0))

    def close(self) -> None:
        """The game is over as soon as nobody but one is under a hundred, or will be."""
        out = [seat for seat in self.players if self.scores[seat] >= self.out_at and seat not in self.asked]
        under = [seat for seat in self.players if self.scores[seat] < self.out_at]
        if len(under) < 2 and not self.winners:
            least = min(self.scores[seat] for seat in self.players)
            self.winners = under or [seat for seat in self.players if self.scores[seat] == least]
        self.players = [seat for seat in self.players if seat not in out]

    def totals(self) -> dict[str, int]:
        return dict(self.scores)

    def winner(self) -> str:
        """Who has won the match, empty if it goes on or several have equally little."""
        return self.winners[0] if len(self.winners) == 1 else ""


def points(card: str) -> int:
    return 10 if card == "Jo" else min(RANKS.index(card[0]) + 1, 10)


def one_suit(cards: list[str]) -> bool:
    """Whether these are a sequence of one suit, or can be with the jokers among them."""
    naturals = [card for card in cards if card != "Jo"]
    ranks = sorted(RANKS.index(card[0]) for card in naturals)
    different = len(set(ranks)) == len(ranks) and len({card[1] for card in naturals}) == 1
    return not ranks or (different and ranks[-1] - ranks[0] < len(cards))


def one_rank(cards: list[str]) -> bool:
    return len({card[0] for card in cards if card != "Jo"}) <= 1


def is_meld(cards: list[str]) -> bool:
    return len(cards) in (3, 4) and (one_rank(cards) or one_suit(cards))


def is_rumino(cards: list[str]) -> bool:
    return len(cards) == 7 and (one_rank(cards) or one_suit(cards))


def deadwood(cards: list[str]) -> int:
    """What is left in the hand at the least."""
    least = sum(map(points, cards))
    for size in (3, 4):
        for chosen in combinations(range(len(cards)), size):
            if is_meld([cards[i] for i in chosen]):
                least = min(least, deadwood([card for i, card in enumerate(cards) if i not in chosen]))
    return least


def cards_of(words: list[str]) -> list[str]:
    """The cards in these words, without the faces, the piles and what a joker stands for."""
    cards = "".join(word for word in words if word not in ("up", "down", "*") and word[0] not in "<>")
    return [re.sub("(Jo).*", r"\1", card) for card in re.findall(r"Jo[+-]?(?:=..)?|[A-Z2-9][cdhs]", cards)]
