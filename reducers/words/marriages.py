"""Marriages: the king and queen of a suit, declared by the winner of a trick before the next lead, and shown.

A marriage of trumps has another word than one of a plain suit; all kings together may have a word as well. The page's
record of the hand keeps its `Tricks` as `trick`, trumps as `trump`, and the declarations in a list, `declared`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from events.cards import GLYPHS, SUITS, Pack, pretty
from events.model import Call, Event, Fault
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.words.declarations import GONE_BY, after_an_own_trick
from reducers.words.tricks import NO_TRUMPS


class Declaration(NamedTuple):
    """A declaration made after n `tricks`. `suit` is that of a marriage; empty if it was not named."""

    seat: str
    word: str
    suit: str
    tricks: int


class Marriages:
    """Words that declare a marriage of trumps, a marriage of a plain suit, and all kings."""

    def __init__(self, pack: Pack, *, trumps: str, plain: str, kings: str) -> None:
        self.pack, self.trumps, self.plain, self.kings = pack, trumps, plain, kings
        self.words = (trumps, plain, kings)
        self.pairs = {suit: (f"K{suit}", f"Q{suit}") for suit in SUITS}
        self.all_kings = tuple(f"K{suit}" for suit in SUITS)

    def cards_of(self, call: Call, state: State[Any]) -> tuple[str, ...]:
        """The cards that a declaration names or means (`veinte h`, `veinte kh`); none if its suit is open."""
        if call.word == self.kings:
            return self.all_kings
        suits = {self.pack.suit_of[state.code((card,))] for card in call.cards} - {"?", ""}
        meant = suits.pop() if len(suits) == 1 else state.hand.trump if call.word == self.trumps else ""
        return self.pairs.get(call.what[-1:] or meant, ())

    def held(self, seat: str, cards: tuple[str, ...], state: State[Any], *, shown: bool = False) -> CheckResult | None:
        """Why it is impossible or unknown that a seat holds these cards; `shown` cards leave no doubt."""
        holding = state.holding(seat)
        has = {card: holding.any_of(self.pack.field[self.pack.code[card]]) for card in cards}
        missing = [pretty(card) for card in cards if has[card] is False]
        if missing:
            return broken(f"{seat} does not hold the {' and the '.join(missing)}")
        unclear = [pretty(card) for card in cards if has[card] is None and not shown]
        return unknown(f"whether {seat} held the {' and the '.join(unclear)}") if unclear else None

    # -- what may be declared -----------------------------------------------------------------------------------------

    def after_an_own_trick(self, call: Call, state: State[Any]) -> CheckResult | None:
        """The winner of a trick makes one declaration before the next lead (the first trick: another rule)."""
        if call.word not in self.words:
            return None
        if state.settled:
            return None
        trick, said = state.hand.trick, state.hand.declared
        if not (trick.won or trick.lost):
            return None
        if said and said[-1].tricks == len(trick.won) and not trick.lost:
            return broken(f"{said[-1].seat} has declared after this trick already")
        return after_an_own_trick(call.by, state)

    def not_before_a_trick(self, call: Call, state: State[Any]) -> CheckResult | None:
        """There is no declaration before the first trick is taken, or once the hand is over."""
        if call.word in self.words and state.settled:
            return unknown(GONE_BY) if state.gap else broken("no hand is in play, so nothing can be declared")
        early = call.word in self.words and not state.hand.trick.won and not state.hand.trick.lost
        return broken("no trick has been taken yet") if early else None

    def king_and_queen(self, call: Call, state: State[Any]) -> CheckResult | None:
        """The player who declares a marriage holds both cards, of the suit that the word says, once each."""
        if call.word not in (self.trumps, self.plain) or state.settled:
            return None
        cards, trump = self.cards_of(call, state), state.hand.trump
        if not cards:
            return self.one_is_left(call, state)
        suit = cards[0][1]
        if suit in (one.suit for one in state.hand.declared):
            return broken(f"the marriage in {GLYPHS[suit]} was declared already")
        pack = state.game.pack
        others = [card for card in call.cards if not pack.may_be[pack.code.get(card, pack.unknown)] & pack.bag(cards)]
        if others or (trump and (suit == trump) != (call.word == self.trumps)):
            what = "trumps" if call.word == self.trumps else "a suit other than trumps"
            return broken(f"{call.word} is the king and queen of {what}")
        holds = self.held(call.by, cards, state, shown=len(call.cards) == len(cards))
        return holds or (None if trump else unknown(NO_TRUMPS))

    def one_is_left(self, call: Call, state: State[Any]) -> CheckResult | None:
        """Check a marriage whose suit was not named: its player must hold one that has not been declared."""
        said = [one.suit for one in state.hand.declared]
        if call.word == self.trumps or not state.hand.trump:
            return unknown(NO_TRUMPS)
        left = [suit for suit in SUITS if suit != state.hand.trump and suit not in said]
        found = [self.held(call.by, self.pairs[suit], state) for suit in left]
        if all(one is not None and one.verdict == "broken" for one in found):
            return broken(f"{call.by} holds no king and queen of an undeclared suit")
        return None if None in found and "" not in said else unknown(f"which king and queen {call.by} held")

    def four_kings(self, call: Call, state: State[Any]) -> CheckResult | None:
        """The player who declares all kings holds them."""
        if call.word != self.kings or state.settled:
            return None
        return self.held(call.by, self.all_kings, state, shown=len(call.cards) == len(self.all_kings))

    # -- applying the acts --------------------------------------------------------------------------------------------

    def declare(self, call: Call, state: State[Any]) -> None:
        """Record a declaration; the cards that it names become public."""
        held, cards, code = state.holding(call.by), self.cards_of(call, state), self.pack.code
        shown = [code[card] for card in call.cards if card in cards]
        state.table.reveal([c for c in shown if held.any_of(self.pack.field[c]) is not False], held)
        suit = cards[0][1] if cards and call.word != self.kings else ""
        state.hand.declared.append(Declaration(call.by, call.word, suit, len(state.hand.trick.won)))

    def refused(self, fault: Fault, state: State[Any]) -> Declaration | None:
        """The declaration that the table rejects: the last one, if no card has been played since; else None."""
        said: Declaration | None = state.hand.declared[-1] if state.number and state.hand.declared else None
        if said is None or state.hand.trick.plays or said.tricks != len(state.hand.trick.won):
            return None
        return said if fault.word == said.word and fault.who in ("", said.seat) else None

    def in_order(self, said: Declaration, state: State[Any]) -> bool:
        """Return True if the last declaration was certainly legal."""
        trick, before = state.hand.trick, state.hand.declared[:-1]
        if not trick.won or trick.won[-1].winners != (said.seat,) or any(one.tricks == said.tricks for one in before):
            return False
        if said.word == self.kings:
            return self.held(said.seat, self.all_kings, state) is None
        fits = said.suit and state.hand.trump and (said.suit == state.hand.trump) == (said.word == self.trumps)
        once = all(one.suit not in (said.suit, "") or one.word == self.kings for one in before)
        return bool(fits and once) and self.held(said.seat, self.pairs[said.suit], state) is None

    # -- what may be tried, and how it is typed -----------------------------------------------------------------------

    def tries(self, seat: str, state: State[Any]) -> Iterator[Event]:
        """The declarations that the seat is known to be able to make; if it leads, also those of the other seats."""
        for who in state.terms.seats if not state.hand.trick.plays else (seat,):
            for suit, cards in self.pairs.items():
                if self.held(who, cards, state) is None:
                    yield Call(by=who, word=self.trumps if suit == state.hand.trump else self.plain, cards=cards)
            if self.held(who, self.all_kings, state) is None:
                yield Call(by=who, word=self.kings, cards=self.all_kings)

    def in_full(self, state: State[Any], event: Event) -> tuple[Event, ...]:
        """A declaration as it may be typed: with the cards that it means, once for each possible meaning."""
        if not isinstance(event, Call) or event.word not in self.words or not state.number:
            return (event,)
        cards = self.cards_of(event, state)
        if cards or event.cards or event.word != self.plain:
            return (replace(event, what="", cards=cards),) if len(event.cards) < len(cards) else (event,)
        said = [one.suit for one in state.hand.declared]
        ways = (pair for suit, pair in self.pairs.items() if suit != state.hand.trump and suit not in said)
        return tuple(
            replace(event, cards=pair) for pair in ways if self.held(event.by, pair, state, shown=True) is None
        )
