"""Tricks: who leads, who follows, who wins, and which trick holds which card.

One `Tricks` belongs to the hand in play; a page keeps it as `trick` in its record of the hand, where the checks and
words find it. It never rejects a card: whether a card may be played is for a check. An unseen card leaves more than one
possible winner; the next lead then shows the winner, which is marked as inferred.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Protocol

from msgspec import Struct
from msgspec.structs import replace

from events.cards import SUIT_NAMES, SUITS, Pack, Ranking, pretty
from events.model import Move, Play
from events.name_lists import one_of
from reducers.evolve import finish_hand, on_move, settle
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.table import Pile, Table
from reducers.words.suits import Suits, before_trumps, places, printed_suits, with_trumps

UNSEEN = -1
NO_TRUMPS = "no trumps were recorded"
CARD_UNSEEN = "a card of this trick was not seen"


class Trick(Struct, frozen=True, gc=False):
    """A finished trick. `winners` are the seats that may have won it: one if all that matters was seen.

    `gathered`: the side that took the cards, if that was recorded. `inferred`: the winner is known only from the next
    lead. `at`: the position of its last card.
    """

    at: int
    plays: tuple[tuple[str, int], ...]
    winners: tuple[str, ...]
    inferred: bool = False
    gathered: str = ""

    def __deepcopy__(self, memo: object) -> Trick:
        # It never changes, and a record may have thousands of them.
        return self

    @property
    def leader(self) -> str:
        """The seat that led."""
        return self.plays[0][0]

    @property
    def winner(self) -> str:
        """The seat that won; empty while unknown."""
        return self.winners[0] if len(self.winners) == 1 else ""


class Strength:
    """The strength of the cards of a pack in a trick with a known suit led.

    `values` has the strength of every code: trumps above the suit led above 0; `UNSEEN` for unseen cards. `suits` has
    the suit of each card.
    """

    def __init__(self, pack: Pack, suits: Suits, led: str, trump: str, values: tuple[int, ...]) -> None:
        self.pack, self.suits, self.led, self.trump, self.values = pack, suits, led, trump, values
        self._above: dict[int, tuple[int, int]] = {}

    def __deepcopy__(self, memo: object) -> Strength:
        # It never changes.
        return self

    def above(self, best: int) -> tuple[int, int]:
        """The masks of the cards of the suit led, and of the trumps, that are stronger than `best`."""
        masks = self._above.get(best)
        if masks is None:
            pack, suit_of = self.pack, self.suits.of
            codes = [c for c in range(pack.unknown) if self.values[c] > best]
            masks = self._above[best] = (
                sum(pack.field[c] for c in codes if suit_of[c] == self.led),
                sum(pack.field[c] for c in codes if suit_of[c] == self.trump),
            )
        return masks


@cache
def strengths(
    pack: Pack, ranking: Ranking, trump: str, trumps: Ranking | tuple[str, ...] | None = None
) -> dict[str, Strength]:
    """The strength of every card for each suit led. `trump` is empty without trumps. `trumps` is their ranking, if not
    that of other suits; if it has cards of other suits, it lists all trumps, the highest first."""
    rank = ranking.strength(pack)
    above = rank if trumps is None else places(pack, trumps)
    suits = with_trumps(pack, trump, trumps) if isinstance(trumps, tuple) else printed_suits(pack)
    return by_suit_led(pack, suits, trump, rank, above)


@cache
def strengths_before_trumps(
    pack: Pack, ranking: Ranking, *possible: tuple[str, tuple[str, ...]],
) -> dict[str, Strength]:
    """The same while trumps are unknown; `possible` are suits, each with its trumps one by one, the highest first."""
    rank = ranking.strength(pack)
    return by_suit_led(pack, before_trumps(pack, *possible), "", rank, rank)


def by_suit_led(pack: Pack, suits: Suits, trump: str, rank: Sequence[int], above: Sequence[int]) -> dict[str, Strength]:
    """The strength of every card for each suit led, by its place among the trumps, or in its suit."""
    table: dict[str, Strength] = {}
    for led in (*SUITS, "", "?"):
        values = []
        for code, suit in enumerate(suits.of):
            if code >= pack.unknown:
                # A half-known card that can neither follow nor trump wins nothing.
                values.append(0 if suit in SUITS and suit != trump and suit != led and led != "?" else UNSEEN)
            elif suit and suit == trump:
                values.append(100 + above[code])
            elif suit == "?":
                values.append(UNSEEN)
            else:
                values.append(rank[code] if suit and suit == led else 0)
        table[led] = Strength(pack, suits, led, trump, tuple(values))
    return table


NO_LEAD = Strength(Pack({"As": 1}), printed_suits(Pack({"As": 1})), "", "", ())


class Tricks:
    """The tricks of one hand.

    `blind`: trumps, which decide who wins, were not recorded. `lost`: cards went by, so winners and the ends of tricks
    are unknown. `power`: the strength of the cards for each suit led; `suits`: the suit of each. `possible_powers`: the
    `power` with each suit that may be trumps, if trumps rank otherwise than their suit. `unseen`: by place in the trick
    in progress, the bag of cards that an unseen one can have been as it left its hand. `contradicted`: the record of
    the hand contradicts itself.
    """

    # A copy has its own of these; all other fields are replaced, never changed in place.
    CHANGED_IN_PLACE: ClassVar[frozenset[str]] = frozenset(("pile", "plays", "table", "won"))

    def __init__(self, state: State[Any], total: int, next: Mapping[str, tuple[str, ...]] | None = None) -> None:
        self.seats = state.terms.seats
        # The seats that play after each seat; clockwise unless the page says otherwise.
        self.next = state.terms.next if next is None else next
        self.table = state.table
        self.pile: Pile = state.table.row("trick")
        self.total = total
        self.won: list[Trick] = []
        self._power: dict[str, Strength] = {}
        self.suits = printed_suits(state.game.pack)
        self.plays: list[tuple[str, int]] = []
        self.unseen: dict[int, int] = {}
        self.contradicted = False
        self.led = ""
        self.strength: Strength = NO_LEAD
        self.values: tuple[int, ...] = ()
        self.best = 0
        self.ahead = ""
        self.doubt = self.blind = self.lost = False
        self.possible_powers: tuple[dict[str, Strength], ...] = ()

    @property
    def power(self) -> dict[str, Strength]:
        """The strength of the cards, for each suit led."""
        return self._power

    @power.setter
    def power(self, power: dict[str, Strength]) -> None:
        self._power, self.suits = power, power[""].suits

    def rank_by(self, power: dict[str, Strength]) -> None:
        """Set the strengths once trumps are known; the cards in the trick may change in strength."""
        self.power = power
        if not self.plays:
            return
        self.led = self.suits.of[self.plays[0][1]]
        self.strength = power[self.led]
        self.values = self.strength.values
        self.weigh()

    def weigh(self) -> None:
        """Find the seat that is ahead in the trick so far."""
        self.best, self.ahead, self.doubt = 0, self.plays[0][0], self.led == "?"
        for seat, code in self.plays:
            value = self.values[code]
            if value > self.best:
                self.best, self.ahead = value, seat
            elif value < 0:
                self.doubt = True

    @property
    def astray(self) -> bool:
        """True if a seat acted out of turn: the recorder may have missed a card, and tricks may be cut wrongly."""
        return self.table.astray

    def add(self, seat: str, code: int, state: State[Any], may_be: int = 0) -> tuple[str, ...]:
        """Add a card to the trick; return the seats that may act next (none when the last trick is full). `may_be` are
        the cards that an unseen one can have been."""
        plays = self.plays
        if seat not in state.turn:
            self.table.astray = True
            if any(who == seat for who, _ in plays):
                self._fill_up(state)
                plays = self.plays
        if not plays:
            self._begin(seat, code)
        if may_be:
            self.unseen = {**self.unseen, len(plays): may_be}
        plays.append((seat, code))
        value = self.values[code]
        if value > self.best:
            self.best, self.ahead = value, seat
        elif value < 0:
            self.doubt = True
        if len(plays) == len(self.seats):
            return self._finish(state.at)
        if self.lost:
            return self.seats
        waiting = self.next[seat]
        if self.table.astray:
            # A seat that was skipped still has a card to play to this trick.
            played = {who for who, _ in plays}
            for _ in plays:
                waiting = self.next[waiting[0]] if played.issuperset(waiting) else waiting
        return waiting

    def _begin(self, seat: str, code: int) -> None:
        won = self.won
        if won and len(won[-1].winners) > 1 and not self.lost:
            self.tell_winner(seat)
        self.led = led = self.suits.of[code]
        self.strength = self._power[led]
        self.values = self.strength.values
        self.best, self.ahead, self.doubt, self.unseen = 0, seat, led == "?", {}

    def _finish(self, at: int) -> tuple[str, ...]:
        if self.blind:
            winners = self.seats if self.lost else self._winners_before_trumps()
        else:
            winners = self._possible_winners() if self.doubt else (self.ahead,)
        self.won.append(Trick(at, tuple(self.plays), winners))
        self.plays = []
        return winners if len(self.won) < self.total or self.lost else ()

    def lose_count(self, state: State[Any]) -> None:
        """Cards are missing from the record: winners and the ends of tricks are unknown. The trick in progress may be
        over."""
        self.blind = self.lost = state.table.astray = True
        if self.plays:
            self._finish(state.at)
            gather_trick(state, self)

    def _winners_before_trumps(self) -> tuple[str, ...]:
        """The seats that may have won while trumps are unknown: those with no card of the same suit above theirs."""
        if self.possible_powers:
            return self._winners_for_any_trumps()
        suit_of, best = self.suits.of, dict[str, int]()
        worth = [(seat, suit_of[code], self._power[suit_of[code]].values[code]) for seat, code in self.plays]
        for _, suit, value in worth:
            best[suit] = max(value, best.get(suit, 0))
        may = {seat for seat, suit, value in worth if value <= 0 or value == best[suit]}
        return tuple([seat for seat in self.seats if seat in may])

    def _winners_for_any_trumps(self) -> tuple[str, ...]:
        """The seats that may have won with one of the suits that may be trumps."""
        before, may = self.power, set[str]()
        for power in self.possible_powers:
            self.power = power
            may.update(self._possible_winners())
        self.power = before
        return tuple([seat for seat in self.seats if seat in may])

    def _possible_winners(self) -> tuple[str, ...]:
        """The seats that may have won: each unseen card may be any possible one that has no known place."""
        seats, codes = zip(*self.plays, strict=True)
        leads = self.may_have_been(0) if self.led == "?" and codes[0] >= self.table.pack.unknown else [codes[0]]
        # If the record contradicts itself, the rest of the pack says nothing of an unseen lead.
        if any(self.suits.of[lead] == "?" for lead in leads) or (self.led == "?" and self.contradicted):
            return tuple(seats)
        winners: dict[str, None] = {}
        may_be: dict[int, list[int]] = {}
        for lead in leads:
            values = self._power[self.suits.of[lead]].values
            worth = [values[code] for code in (lead, *codes[1:])]
            best = max(0, *worth)
            for place, n in enumerate(worth):
                if n < 0 and place not in may_be:
                    may_be[place] = self.may_have_been(place)
            unseen = {place: [values[c] for c in may_be[place]] for place, n in enumerate(worth) if n < 0}
            # One of them may beat all cards that were seen, whichever it is: half of a trump was seen.
            least = 0 if self.contradicted else max([min(may) for may in unseen.values() if may], default=0)
            if least <= best:
                winners[seats[worth.index(best) if best else 0]] = None
            most = max(best, least - 1)
            winners |= {seats[place]: None for place, may in unseen.items() if max(may, default=0) > most}
        return tuple(winners)

    def may_have_been(self, place: int) -> list[int]:
        """The cards (codes) that an unseen one of the trick in progress can have been, by its place: possible as it
        left its hand, and without a known place."""
        pack = self.table.pack
        may_be = self.unseen.get(place, pack.everything) & pack.may_be[self.plays[place][1]]
        return list(dict.fromkeys(pack.codes(may_be & (self.table.free() | self.pile.later))))

    def _fill_up(self, state: State[Any]) -> None:
        """Infer the missing cards of a trick, as a seat plays again before it is full."""
        there = {seat for seat, _ in self.plays}
        missing = [s for s in self.seats if s not in there]
        for seat in missing:
            state.table.move_one(state.game.pack.unknown, state.holding(seat), self.pile)
            self.plays.append((seat, state.game.pack.unknown))
            self.doubt = True
        state.infer(
            f"trick {len(self.won) + 1} was full before this: the card of {' and '.join(missing)} was not recorded"
        )
        self._finish(state.at)
        gather_trick(state, self)

    def tell_winner(self, seat: str) -> None:
        """Infer the winner of the last trick from the next lead, if it was unknown."""
        last = self.won[-1]
        if seat in last.winners:
            self.won[-1] = replace(last, winners=(seat,), inferred=True)

    def perhaps_ahead(self) -> tuple[str, ...]:
        """The seats that may be winning the trick so far."""
        return self._possible_winners() if self.doubt else (self.ahead,)

    def just_taken(self, at: int) -> str:
        """The winner of the trick that became full with the event at this position, in words."""
        if not self.won or self.plays or self.won[-1].at != at or self.lost:
            return ""
        return f"trick {len(self.won)} to {one_of(self.won[-1].winners)}"

    def taken_by(self, side_of: Mapping[str, str]) -> dict[str, int | None]:
        """Number of tricks each side took as played; None if unknown."""
        count = dict.fromkeys(side_of.values(), 0)
        doubtful = 0
        for trick in self.won:
            side = trick.gathered or (side_of[trick.winners[0]] if len(trick.winners) == 1 else owner(trick, side_of))
            if side:
                count[side] += 1
            else:
                doubtful += 1
        return dict(count) if not doubtful else dict.fromkeys(count)

    def with_card(self, code: int) -> Trick | None:
        """The finished trick in which a card was played; None if there is none."""
        for trick in self.won:
            for _, played in trick.plays:
                if played == code:
                    return trick
        return None


def side_with(code: int, state: State[Any]) -> str | None:
    """The side that has a card in its tricks as played; None if unknown."""
    trick = state.hand.trick.with_card(code)
    if trick is not None:
        return owner(trick, state.terms.side_of) or None
    # It was not seen played: by elimination it may still have a place.
    pack, won = state.game.pack, state.hand.trick.won
    field = pack.field[code]
    side = next((side for side in state.terms.sides if state.table.row(f"won:{side}").certain & field), None)
    if side is not None or sum(len(trick.plays) for trick in won) < pack.size:
        return side
    # All cards of the pack were played: it is in a trick with an unseen card.
    unseen = [trick for trick in won for _, c in trick.plays if c >= pack.unknown and pack.may_be[c] & field]
    owners = {owner(trick, state.terms.side_of) for trick in unseen}
    return (owners.pop() or None) if len(owners) == 1 else None


class Keeper(Protocol):
    """What the functions below need of the tricks of a hand: `Tricks`, or a page's own record of the hand."""

    table: Table
    pile: Pile
    plays: list[tuple[str, int]]
    won: list[Trick]

    @property
    def suits(self) -> Suits:
        """The suit of each card."""

    @property
    def led(self) -> str:
        """The suit led to the trick in progress."""

    @property
    def astray(self) -> bool:
        """True if a seat acted out of turn."""


def owner(trick: Trick, side_of: Mapping[str, str]) -> str:
    """The side that has the trick as played: the one that gathered it, else the winner's; empty if unknown."""
    if trick.gathered:
        return trick.gathered
    if len(trick.winners) == 1:
        return side_of[trick.winners[0]]
    sides = {side_of[w] for w in trick.winners}
    return sides.pop() if len(sides) == 1 else ""


def gather_trick(state: State[Any], tricks: Keeper) -> None:
    """Move the cards of a full trick to the side that won it; to no side while that is unknown.

    A side that took up the first of them before the trick was full has it as played.
    """
    row, last, side_of = tricks.pile.row, tricks.won[-1], state.terms.side_of
    assert row is not None
    early = len(last.plays) - len(row)
    if early > 0 and not tricks.astray:
        taken = [code for _, code in last.plays[:early]]
        by = next(
            (side for side in state.terms.sides if (state.table.row(f"won:{side}").row or [])[-early:] == taken), "",
        )
        if by:
            last = mark_gathered(by, state, tricks)
    side = side_of[last.winners[0]] if len(last.winners) == 1 and not last.gathered else owner(last, side_of)
    pile = state.table.row(f"won:{side}" if side else "won").row
    assert pile is not None
    pile += row
    row.clear()


# -- what must be played ----------------------------------------------------------------------------------------------


def why_unknown(tricks: Keeper, code: int = 0) -> CheckResult | None:
    """The result `unknown` for a card that follows: it, or the lead, was not seen, or a card may be missing; else None.

    A rule that goes on to ask what an unseen card may have been gives no `code`.
    """
    unseen = tricks.table.pack.unknown
    if tricks.led == "?" and tricks.plays and tricks.plays[0][1] < unseen:
        return unknown(NO_TRUMPS)
    if tricks.led == "?" or (code >= unseen and tricks.suits.of[code] == "?"):
        return unknown(CARD_UNSEEN)
    if tricks.astray:
        return unknown("the order of play was broken before this, so a card may be missing from the record")
    return None


def why_out_of_turn(seat: str, state: State[Any]) -> CheckResult | None:
    """The result `unknown` for a card played out of turn: the one before it may be missing; else None."""
    return None if seat in state.turn else unknown(
        "it was not this seat's turn, so a card may be missing from the record"
    )


def must_follow_suit(play: Play, state: State[Any]) -> CheckResult | None:
    """A seat that holds the suit led plays it; a seat that does not may play anything."""
    tricks: Keeper = state.hand.trick
    if not tricks.plays:
        return None
    led, suits = tricks.led, tricks.suits
    if suits.named.get(play.cards[0]) == led != "?":
        return None
    seat, code = play.by, state.code(play.cards)
    dark = why_unknown(tricks) or why_out_of_turn(seat, state)
    if dark is not None:
        return dark
    follows = holds_suit(state.holding(seat), led, suits)
    if suits.of[code] == "?" and follows is not False:
        pack = state.game.pack
        if code >= pack.unknown:
            return unknown(CARD_UNSEEN)
        if pack.field[code] & suits.perhaps[led]:
            return unknown(NO_TRUMPS)
    return judge_following(follows, seat, state)


def holds_suit(held: Pile, suit: str, suits: Suits) -> bool | None:
    """True if a holding has a card of this suit; None if unknown."""
    sure, perhaps = suits.sure[suit], suits.perhaps[suit]
    has = held.any_of(sure)
    return has if has or sure == perhaps or held.any_of(perhaps) is False else None


def judge_following(follows: bool | None, seat: str, state: State[Any]) -> CheckResult | None:
    """The verdict on a card that does not follow suit, given whether its seat could."""
    tricks: Keeper = state.hand.trick
    if follows is None:
        return unknown(f"whether {seat} held {SUIT_NAMES[tricks.led]}", state.holding(seat))
    if not follows:
        return None
    pack, led = state.game.pack, tricks.led
    could = state.holding(seat).certain & tricks.suits.sure[led]
    first = tricks.plays[0][1]
    # A card that does not show its suit is named.
    by = f" with the {pack.shown(first)}" if pack.suit_of[first] not in (led, "?") else ""
    # By counting alone it is unknown which card it is.
    one = "one" if could & pack.suit[led] or not could else f"the {pretty(pack.cards(could)[0])}, a trump"
    return broken(f"{SUIT_NAMES[led]} were led{by}, and {seat} holds {one}", could, seat)


def must_head_the_trick(play: Play, state: State[Any]) -> CheckResult | None:
    """A seat that can beat the card that is ahead must: in the suit led while it follows, else by a trump.

    Exceptions (a partner is ahead) are the page's own.
    """
    tricks: Tricks = state.hand.trick
    if not tricks.plays:
        return None
    seat, code = play.by, state.code(play.cards)
    dark = why_unknown(tricks) or why_out_of_turn(seat, state)
    if dark is not None:
        return dark
    pack, values, best = tricks.table.pack, tricks.values, tricks.best
    if code < pack.unknown and values[code] > best and not tricks.doubt:
        return None
    held = state.holding(seat)
    if tricks.doubt or code >= pack.unknown:
        return unknown(CARD_UNSEEN)
    in_suit, trumps = tricks.strength.above(best)
    follows = holds_suit(held, tricks.led, tricks.suits)
    heads = held.any_of(in_suit)
    if tricks.suits.of[code] == tricks.led or follows:
        better = in_suit
    elif follows is None:
        return None if heads is False and held.any_of(trumps) is False else unknown(
            f"whether {seat} could beat the trick"
        )
    else:
        better, heads = trumps, held.any_of(trumps)
    if heads:
        return broken(f"{seat} could beat the trick and did not", held.certain & better, seat)
    return unknown(f"whether {seat} could beat the trick") if heads is None else None


def who_led(seat: str, state: State[Any]) -> CheckResult | None:
    """The result `unknown` for a lead while more than one seat may have won the trick before; else None.

    Checked before the page's own rule about the lead. A lead does not prove that its seat had won, and neither does the
    gathering of the cards.
    """
    tricks: Keeper = state.hand.trick
    if tricks.plays or not tricks.won or len(tricks.won[-1].winners) < 2 or seat not in tricks.won[-1].winners:
        return None
    return unknown(f"who won the trick before: {one_of(tricks.won[-1].winners)}")


# -- who gathers -------------------------------------------------------------------------------------------------------


def winner_gathers(move: Move, state: State[Any]) -> CheckResult | None:
    """The side that won a trick takes its cards once it is full (a check of the `move` that records it)."""
    tricks: Keeper = state.hand.trick
    if move.src != "trick" or not move.to.startswith("won:"):
        return None
    if tricks.plays or not tricks.won:
        if tricks.astray:
            return unknown("whether the trick was full: a card may be missing from the record", told=False)
        if not tricks.plays:
            return broken("no trick was played before this")
        if tricks.won and (tricks.won[-1].inferred or tricks.won[-1].winners != (tricks.plays[0][0],)):
            return unknown("whether this means the previous trick, gathered late")
        return broken(f"the trick is not full: {one_of(state.turn)} must still play")
    last, side_of = tricks.won[-1], state.terms.side_of
    if side_of.get(move.to[4:], move.to[4:]) not in {side_of[w] for w in last.winners}:
        seat = last.winners[0]
        card = dict(last.plays).get(seat)
        if card is None:
            # A gap ended the trick: whoever won it may have played in the gap.
            return unknown("whether the trick was full: a card may be missing from the record", told=False)
        if last.inferred:
            return unknown(f"who won the trick: {seat} led to the next")
        return broken(f"{seat} won the trick with the {tricks.table.pack.shown(card)}")
    return None


def gathered_by(move: Move, state: State[Any]) -> None:
    """Apply the record of the side that took a full trick, by side or seat; any other move is applied as usual."""
    tricks: Keeper = state.hand.trick
    side = state.terms.side_of.get(move.to[4:], move.to[4:])
    if move.src != "trick" or side not in state.terms.sides or tricks.plays or not tricks.won:
        on_move(move, state)
        return
    carry_over(side, state, tricks)
    mark_gathered(side, state, tricks)
    if state.settled:
        # The last trick: there is no further lead, and the hand has another score.
        settle(state)


def carry_over(side: str, state: State[Any], tricks: Keeper) -> None:
    """Move the cards of the last trick to this side, from where they were put when it was full."""
    last = tricks.won[-1]
    before = owner(last, state.terms.side_of)
    src, dst = state.table.row(f"won:{before}" if before else "won"), state.table.row(f"won:{side}")
    assert src.row is not None
    assert dst.row is not None
    dst.row += src.row[-len(last.plays) :]
    del src.row[-len(last.plays) :]


def mark_gathered(side: str, state: State[Any], tricks: Keeper) -> Trick:
    """Mark the last trick as gathered by this side, and let its possible winners lead, if the hand goes on."""
    last = tricks.won[-1] = replace(tricks.won[-1], gathered=side)
    if state.turn:
        state.turn = leaders_after(last, state)
    return last


def leaders_after(gathered: Trick, state: State[Any]) -> tuple[str, ...]:
    """The seats that may lead after a gathered trick: its winner, if that side has it; else the winner by the rules,
    and the members of that side."""
    members = state.terms.sides[gathered.gathered]
    return tuple(seat for seat in gathered.winners if seat in members) or (*gathered.winners, *members)


# -- one card after the other ------------------------------------------------------------------------------------------


def tricks_in(hand: object) -> Tricks | None:
    """The tricks of a hand, which every page keeps as `trick`; None in games without."""
    tricks = getattr(hand, "trick", None)
    return tricks if isinstance(tricks, Tricks) else None


def one_card_in_turn(play: Play, state: State[Any]) -> CheckResult | None:
    """Each seat in turn plays one card to a trick; the lead is another rule."""
    cards = play.cards
    if len(cards) > 1 or (len(cards[0]) > 2 and cards[0] not in state.game.pack.code):
        return broken("one card is played at a time")
    plays = state.hand.trick.plays
    if play.by in state.turn or not plays:
        return None
    passed_over = state.turn != state.hand.trick.next[plays[-1][0]]
    if passed_over and any(who == play.by for who, _ in plays):
        return unknown(f"the card of {state.turn[0]} is missing from the trick before, so the leader is unknown")
    return broken(f"it is the turn of {state.turn[0]}")


def play_to_trick(play: Play, state: State[Any]) -> None:
    """Move a card from the holding to the trick; gather a full trick, and end the hand with the last one."""
    table, tricks = state.table, state.hand.trick
    seat, cards = play.by, play.cards
    code = table.pack.code.get(cards[0])
    if code is None:
        code = table.code(cards)
    may_be = 0 if code < table.pack.unknown else table.piles[seat].may_go(code)
    table.move_one(code, table.piles[seat], tricks.pile)
    state.turn = turn = tricks.add(seat, code, state, may_be)
    if not tricks.plays:
        gather_trick(state, tricks)
        if not turn:
            finish_hand(state)
