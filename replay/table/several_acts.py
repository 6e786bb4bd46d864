"""Several acts on one line: which words belong to which act is found by trying them where the acts before them lead.

An act is one word (`7h`, `.`), a verb with its words (`m 4-6h`), or either with the piles it names (`6c>3`). Where acts take one
card, a word of several cards is one act for each. `<` alone takes what lies on the discard pile; `=` is the same again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from events.errors import NotationError
from events.model import Event, Play
from events.tokens import Token, card_readings
from events.words import Places, piles_named
from reducers.model import State
from replay.table.shorthand import BROKEN, FITS, GUESS, Reading, applied, suits_carried
from replay.table.signs import TAKES

OneAct: TypeAlias = Callable[[Sequence[Token], State[Any], list[NotationError], Event | None], list[Reading]]
"""Reads words as one act in a position; the last argument is the act before it on the line, if there is one."""

MAX_TRIED = 400
"""So many ways to part a line are tried before it is called unreadable."""
MAX_MEANINGS = 9
LONGEST_ACT = 4
"""So many words an act may have on a line of several, the piles it names not counted."""

_GLUED = re.compile(r">[^<>]*|<|\.|[^<>.]+")
# Cards, and `m` for the melds among them: `<m7hmjh8s`.
_WITH_MELDS = re.compile(r"[acdhjkqstx0-9?♣♦♥♠♧♢♡♤+/=<>.-]*m[acdhjkqstx0-9?♣♦♥♠♧♢♡♤+/=<>.m-]+", re.IGNORECASE)


def several_acts(words: Sequence[Token], state: State[Any], one_act: OneAct, faults: list[NotationError]) -> list[Reading]:
    """Every reading of these words as more than one act, each act the shortest that can be read; none breaks a rule if that
    can be. The faults of the acts that got furthest are added."""
    parts = [part for word in words for part in apart(word, state)]
    for allowed in ((FITS,), (FITS, BROKEN, GUESS)):
        search = _Search(one_act, allowed)
        found = [r for r in search.readings(parts, state) if len(r.events) > 1 or len(parts) > len(words)]
        if found:
            best = min(r.fit for r in found)
            return [r for r in found if r.fit == best]
    faults += search.faults
    return []


def apart(word: Token, state: State[Any]) -> Iterator[Token]:
    """A word as the acts and piles that are typed into it without a space: `6c>3`, `jh.qh.`, `<9c`.

    >>> from reducers.begin import begin
    >>> state = begin({"Game": "russian-bank"})
    >>> [[t.text for t in apart(Token(text=text, column=1), state)] for text in ("6c>3", "jh.qh.", "<9c", "<discard", "a.NS=1")]
    [['6c', '>3'], ['jh', '.', 'qh', '.'], ['<', '9c'], ['<discard'], ['a.NS=1']]
    """
    text = word.text
    if _WITH_MELDS.fullmatch(text):
        column = word.column
        for part in re.split("([mM])", text):
            token = Token(text=part, column=column)
            yield from (token,) if part in ("m", "M") else apart(token, state) if part else ()
            column += len(part)
        return
    if set(text.partition(">")[0]) & set('="#:@{}') or (text[0] in "<>" and (text[0] == ">" or names_a_pile(text[1:], state))):
        yield word
        return
    for part in _GLUED.finditer(text):
        yield Token(text=part[0], column=word.column + part.start())


def names_a_pile(text: str, state: State[Any]) -> bool:
    """Whether this is the name of a pile, and not cards."""
    seats = frozenset((*state.terms.seats, *state.terms.sides))
    return bool(piles_named(text, Places(seats, False))) and not card_readings(text)


def most_of(cards: Sequence[str], seat: str, state: State[Any]) -> int:
    """How many of these cards a seat can hold: those it is known to, and one for each card of its hand that nobody saw."""
    pack, pile = state.game.pack, state.holding(seat)
    known = [card for card in cards if card in pack and pack.unit[pack.code[card]] & pile.certain]
    return len(known) + len(pile) - pack.count(pile.certain)


def card_by_card(word: Token, state: State[Any]) -> list[Token]:
    """A word of several cards as one word for each, with the suit that is carried on to it; empty if it is not one.

    Where an act can take several cards, a word of as many is one act, right or wrong, unless nobody on turn can hold them all.
    """
    found = card_readings(word.text)
    if len(found) != 1 or len(found[0]) < 2 or word.text.isdecimal():
        return []
    phase, many = state.game.phases.get(state.phase), len(found[0])
    one_by_one = phase is not None and (phase.one_card or (many < state.game.fewest_together and not state.game.together(found[0])))
    if not one_by_one and not (state.turn and all(len(state.holding(seat)) > 0 and most_of(found[0], seat, state) < many for seat in state.turn)):
        return []
    suits = suits_carried(word.text, found[0])
    return [
        Token(text=(card.replace("_", suit or "_") if suit else card.rstrip("_")).lower(), column=word.column)
        for card, suit in zip(found[0], suits, strict=True)
    ]


def has_unseen_cards_together(events: Sequence[Event]) -> bool:
    """Return True if an act is a play of several cards of which some were not seen."""
    return any(isinstance(event, Play) and len(event.cards) > 1 and any("?" in card for card in event.cards) for event in events)


class _Search:
    """One search for the acts of a line, of readings that fit as well as `allowed`."""

    def __init__(self, one_act: OneAct, allowed: tuple[int, ...]) -> None:
        self.one_act, self.allowed = one_act, allowed
        self.tried = 0
        self.found: list[Reading] = []
        # The faults where the search came furthest, and how many words were left there.
        self.faults: list[NotationError] = []
        self.left = 10**6

    def readings(self, words: Sequence[Token], state: State[Any]) -> list[Reading]:
        """What the words can mean one act after the other."""
        self._go_on(tuple(words), state, Reading((), FITS))
        return self.found

    def _go_on(self, words: tuple[Token, ...], state: State[Any], before: Reading) -> bool:
        """Read the words that are left; whether they could be read."""
        if not words:
            if all(before.events != r.events for r in self.found):
                self.found.append(before)
            return True
        for first in self._first_acts(words):
            if self.tried >= MAX_TRIED or len(self.found) >= MAX_MEANINGS:
                return False
            self.tried += 1
            faults: list[NotationError] = []
            readings = self._distinct(self.one_act(first, state, faults, before.events[-1] if before.events else None))
            # Words of a card each are not laid down together for a card that nobody saw.
            readings = [r for r in readings if len(first) == 1 or not has_unseen_cards_together(r.events)]
            if not readings:
                self._keep(faults, len(words))
                cards = card_by_card(first[-1], state)
                if cards and self._go_on((*first[:-1], *cards, *words[len(first) :]), state, before):
                    return True
                continue
            went_on = False
            for reading in readings:
                after = state.copy()
                for event in reading.events:
                    applied(after, event)
                whole = Reading(before.events + reading.events, max(before.fit, reading.fit), before.doubts + reading.doubts)
                went_on |= self._go_on(words[len(first) :], after, whole)
            if went_on:
                return True
        return False

    def _first_acts(self, words: tuple[Token, ...]) -> Iterator[tuple[Token, ...]]:
        """The words that may be the first act, the fewest first; the piles that follow belong to it."""
        length = 0
        for _ in range(LONGEST_ACT):
            length += 1
            if length > len(words):
                return
            while length < len(words) and words[length].text[0] in "<>" and words[length].text != TAKES:
                length += 1
            yield words[:length]

    def _distinct(self, readings: Sequence[Reading]) -> list[Reading]:
        fit = [r for r in readings if r.fit in self.allowed]
        best = min((r.fit for r in fit), default=0)
        kept: list[Reading] = []
        for reading in fit:
            if reading.fit == best and all(reading.events != k.events for k in kept):
                kept.append(reading)
        return kept

    def _keep(self, faults: list[NotationError], left: int) -> None:
        if left < self.left:
            self.left, self.faults = left, []
        if left == self.left:
            self.faults += faults


__all__ = ["several_acts"]
