"""Tricks of sets: two players; the leader plays one card or several of one rank, the other answers with as many (Poke).

A lead of n cards is worth n tricks. Suits do not count: only n cards of one higher rank beat a lead. The record of a
hand keeps the `SetTricks` as `trick`, and the phase is called `play`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from events.cards import Pack, how_many
from events.model import Event, Play
from events.name_lists import one_of
from reducers.evolve import finish_hand
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.table import Pile
from reducers.words.suits import Suits, printed_suits
from reducers.words.tricks import Trick, gather_trick, owner

ORDER = "23456789TJQKA"


def led_with(trick: Trick) -> int:
    """The number of cards led, which is the number of tricks that this one is worth."""
    plays = trick.plays
    leader = plays[0][0]
    # Most leads are of a single card.
    return 1 if len(plays) == 2 and plays[1][0] != leader else len([seat for seat, _ in plays if seat == leader])


class SetTricks:
    """The leads of one hand with their answers, each of them a `Trick` of all their cards.

    `lost`: acts are missing from the record, so the end of a trick is unknown.
    """

    def __init__(self, state: State[Any], total: int) -> None:
        self.seats, self.table, self.total = state.terms.seats, state.table, total
        self.pile: Pile = state.table.row("trick")
        self.plays: list[tuple[str, int]] = []
        self.won: list[Trick] = []
        # Suits do not count.
        self.led = ""
        self.lost = False

    @property
    def suits(self) -> Suits:
        """Each card has the suit it shows."""
        return printed_suits(self.table.pack)

    @property
    def astray(self) -> bool:
        """True if a seat acted out of turn."""
        return self.table.astray

    @property
    def played(self) -> int:
        """Number of tricks played."""
        return sum(map(led_with, self.won))

    def taken_by(self, side_of: Mapping[str, str]) -> dict[str, int | None]:
        """Number of tricks each side took; None if a winner is unknown."""
        count: dict[str, int | None] = dict.fromkeys(side_of.values(), 0)
        for trick in self.won:
            side = owner(trick, side_of)
            if not side:
                return dict.fromkeys(count)
            count[side] = (count[side] or 0) + led_with(trick)
        return count

    def lose_count(self, state: State[Any]) -> None:
        """Acts are missing from the record: the trick in progress, and who won, are unknown."""
        self.lost = state.table.astray = True
        self.plays = []

    def winners(self, answer: list[int]) -> tuple[str, ...]:
        """The seats that may win if the lead is answered with these cards."""
        leader = self.plays[0][0]
        other = next(seat for seat in self.seats if seat != leader)
        led = [code for _, code in self.plays]
        high, low = possible_ranks(led, self.table.pack, self.table.free()), set_ranks(
            answer, self.table.pack, self.table.free(),
        )
        pack = self.table.pack
        sure = max(answer) < pack.unknown or (len(answer) == 1 and bool(low))
        surely_a_set = sure and len({pack.rank_of[c] for c in answer}) == 1
        may = [seat for seat, could in (
            (leader, not surely_a_set or not low or not high or min(low) <= max(high)),
            (other, bool(low) and (not high or max(low) > min(high))),
        ) if could]  # fmt: skip
        return tuple(may)

    def add(self, seat: str, codes: list[int], state: State[Any]) -> tuple[str, ...]:
        """Add cards that are led, or answer a lead; return the seats that may play next."""
        other = next(one for one in self.seats if one != seat)
        if seat not in state.turn:
            self.table.astray = True
        if not self.plays:
            if self.won and len(self.won[-1].winners) > 1 and seat in self.won[-1].winners:
                self.won[-1] = replace(self.won[-1], winners=(seat,), inferred=True)
            self.plays = [(seat, code) for code in codes]
            return (other,)
        return self.finish(seat, codes, state)

    def make_good(self, seat: str, state: State[Any]) -> None:
        """Infer an unseen answer, as a seat leads again."""
        if not self.plays or self.plays[0][0] != seat:
            return
        other = next(one for one in self.seats if one != seat)
        unseen = [state.game.pack.unknown] * len(self.plays)
        self.table.astray = True
        self.table.move(unseen, state.holding(other), self.pile)
        state.infer(f"{other} answered before this (not recorded)")
        self.finish(other, unseen, state)
        gather_trick(state, self)

    def finish(self, seat: str, answer: list[int], state: State[Any]) -> tuple[str, ...]:
        """Finish the trick with this answer; return its possible winners."""
        winners = self.seats if self.lost else self.winners(answer)
        self.won.append(Trick(state.at, (*self.plays, *((seat, code) for code in answer)), winners))
        self.plays = []
        return winners

    def just_taken(self, at: int) -> str:
        """The winner of the tricks that the event at this position decided, in words."""
        if not self.won or self.plays or self.won[-1].at != at or self.lost:
            return ""
        last = self.played
        first = last - led_with(self.won[-1]) + 1
        which = (
            f"trick {last}" if first == last else f"tricks {first} and {last}" if last == first + 1
            else f"tricks {first} to {last}"
        )
        return f"{which} to {one_of(self.won[-1].winners)}"


def possible_ranks(codes: list[int], pack: Pack, free: int) -> set[int]:
    """The ranks that cards of one rank may have; for cards of several ranks, the highest seen."""
    known = {ORDER.index(rank) for code in codes if (rank := pack.rank_of[code]) in ORDER}
    return {max(known)} if known else set_ranks(codes, pack, free)


def set_ranks(codes: list[int], pack: Pack, free: int) -> set[int]:
    """The ranks that all of these cards may have together; empty if they cannot be of one rank."""
    out = set(range(len(ORDER)))
    for code in codes:
        if pack.rank_of[code] in ORDER:
            out &= {ORDER.index(pack.rank_of[code])}
        else:
            left = pack.may_be[code] & free
            out &= {i for i, rank in enumerate(ORDER) if left & pack.rank[rank]}
    return out


def play_sets(play: Play, state: State[Any]) -> None:
    """Apply a play; gather a trick that is full, and end the hand with the last one."""
    table, trick, pack = state.table, state.hand.trick, state.game.pack
    codes = table.codes(play.cards, state.holding(play.by))
    if pack.many in codes:
        table.astray = True
        codes = [pack.unknown if code == pack.many else code for code in codes]
    if not codes:
        return
    trick.make_good(play.by, state)
    before = len(trick.won)
    table.move(codes, state.holding(play.by), trick.pile)
    state.turn = trick.add(play.by, codes, state)
    if len(trick.won) > before and not trick.plays:
        gather_trick(state, trick)
    if trick.lost:
        state.turn = state.terms.seats
    elif not trick.plays and (trick.played >= trick.total or any(map(out_of_cards, map(state.holding, trick.seats)))):
        finish_hand(state)


def out_of_cards(held: Pile) -> bool:
    """Return True if a player has no card left to play, as too many were played at once."""
    return held.empty


# -- whole runs -------------------------------------------------------------------------------------------------------


# -- what must be played ----------------------------------------------------------------------------------------------


def play_in_turn(play: Play, state: State[Any]) -> CheckResult | None:
    """A lead is answered by the other player."""
    trick = state.hand.trick
    if not trick.plays or play.by in state.turn or trick.lost:
        return None
    return broken(f"it is the turn of {state.turn[0]}")


def led_of_one_rank(play: Play, state: State[Any]) -> CheckResult | None:
    """One card is led, or two to four of one rank."""
    trick, pack = state.hand.trick, state.game.pack
    many = how_many(play.cards)
    if trick.plays or trick.lost or many == 1:
        return None
    codes = state.table.pack.code
    seen = {pack.rank_of[codes[card.rpartition("x")[2]]] for card in play.cards if card.rpartition("x")[2] in codes}
    if len(seen - {"?"}) > 1 or (many or 0) > 4:
        return broken("cards that are led together are of one rank")
    return unknown("which cards were led") if "?" in seen or many is None else None


def whole_set_is_led(play: Play, state: State[Any]) -> CheckResult | None:
    """The player who leads several cards of a rank leads all of that rank (if the table has agreed on it)."""
    trick, pack, many = state.hand.trick, state.game.pack, how_many(play.cards)
    if trick.plays or trick.lost or many == 1:
        return None
    code = state.table.pack.code
    if any(card not in code or code[card] >= pack.unknown for card in play.cards):
        return unknown("which cards were led")
    others = pack.rank[play.cards[0][0]] & ~pack.mask_of(play.cards)
    more = state.holding(play.by).any_of(others)
    if more:
        return broken("all cards of the rank are led, or one", state.holding(play.by).certain & others, play.by)
    return unknown(f"whether {play.by} held another of that rank") if more is None else None


def as_many_as_led(play: Play, state: State[Any]) -> CheckResult | None:
    """A lead is answered with as many cards."""
    trick, many = state.hand.trick, how_many(play.cards)
    if not trick.plays or trick.lost or play.by == trick.plays[0][0]:
        return None
    led, held = len(trick.plays), state.holding(play.by)
    if many is not None and many < led and (held.vague or many == len(held)):
        # Too many were played before this, and these may be all that are left.
        return unknown(f"whether {play.by} held more cards: not counted") if held.vague else None
    if many is None or state.table.astray:
        return unknown("how many cards were led and played") if many != led else None
    return None if many == led else broken(
        f"{led} card{'s' * (led != 1)} were led, and {many} answer{'s' * (many == 1)} them"
    )


def each_set(seat: str, state: State[Any]) -> list[Event]:
    """Leads and answers to try, some of them illegal."""
    pack, trick = state.game.pack, state.hand.trick
    cards = pack.cards(state.holding(seat).certain)
    sizes = (1, 2, 3, 4) if not trick.plays else {len(trick.plays), min(len(cards), len(trick.plays) + 1)}
    return [Play(by=seat, cards=some) for size in sizes if size for some in combinations(cards, size)]
