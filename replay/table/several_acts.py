"""Several acts on one line: the words of each act are found by trying them in the position after the acts before.

An act is one word (`7h`, `.`), a verb with its words (`m 4-6h`), or either with the piles it names (`6c>3`). If acts
take one card, a word of several cards is one act for each. `<` alone takes the discard pile; `=` repeats the last
act.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from events.entries import SHORT, verb_named
from events.errors import NotationError
from events.model import Call, Event, Meld, Play
from events.tokens import Token, card_readings
from events.words import Places, piles_named
from reducers.model import State
from replay.table.shorthand import BROKEN, FITS, GUESS, LineMeaning, applied, suits_carried, word_meant
from replay.table.typed_signs import TAKES

OneAct: TypeAlias = Callable[[Sequence[Token], State[Any], list[NotationError], Event | None], list[LineMeaning]]
"""Reads words as one act in a position; the last argument is the act before it on the line, if any."""

MAX_TRIED = 400
"""Most ways to split a line that are tried."""
MAX_MEANINGS = 9
FAR_FETCHED = 9
"""A call with unsuitable extra words counts as much as nine omitted acts."""
LONGEST_ACT = 4
"""Most words of an act on a line of several, except single cards after a verb."""

_GLUED = re.compile(r">[^<>]*|<|\.|[^<>.]+")
# Cards, and `m` for the melds among them: `<m7hmjh8s`.
_IN_MELDS = r"(?:jo|[acdhjkqstx0-9?♣♦♥♠♧♢♡♤+/=<>.-])"
_WITH_MELDS = re.compile(f"{_IN_MELDS}*m(?:{_IN_MELDS}|m)+", re.IGNORECASE)


def several_acts(
    words: Sequence[Token], state: State[Any], one_act: OneAct, faults: list[NotationError],
) -> list[LineMeaning]:
    """Every reading of these words as several acts, without breaches if possible. Adds the errors of the longest
    attempts to `faults`."""
    parts = [part for word in words for part in split_word(word, state)]
    for allowed in ((FITS,), (FITS, BROKEN, GUESS)):
        search = _Search(one_act, allowed)
        found = [r for r in search.readings(parts, state) if len(r.events) > 1 or len(parts) > len(words)]
        if found:
            best = min(r.fit for r in found)
            return likeliest([r for r in found if r.fit == best], state)
    faults += search.faults
    return []


def likeliest(readings: Sequence[LineMeaning], state: State[Any]) -> list[LineMeaning]:
    """The readings with the fewest omitted acts; of these, readings that split what one seat does in one act are
    dropped: cards after the verb `m` are one meld."""
    if len(readings) < 2:
        return list(readings)
    unwritten = [_unwritten(reading, state) + _more_than_is_said(reading, state) for reading in readings]
    kept = [reading for reading, count in zip(readings, unwritten, strict=True) if count == min(unwritten)]
    return [r for r in kept if not any(other is not r and _parts(r.events, other.events, state) for other in kept)]


def _unwritten(reading: LineMeaning, state: State[Any]) -> int:
    """The number of acts that a reading implies without words for them."""
    after = state.copy()
    for event in reading.events:
        applied(after, event)
    return len(after.inferred) - len(state.inferred)


def _more_than_is_said(reading: LineMeaning, state: State[Any]) -> int:
    """A penalty for calls with extra words that the called word does not take; calls with their proper cards reduce
    it."""
    calls = [event for event in reading.events if isinstance(event, Call) and (event.what or event.cards)]
    return sum(FAR_FETCHED if call.what or not names_cards(call.word, state) else -1 for call in calls)


def names_cards(word: str, state: State[Any]) -> bool:
    """Return True if cards are named with this word when it is called."""
    return "; cards: " in state.game.words.get(word, "")


def _parts(events: Sequence[Event], whole: Sequence[Event], state: State[Any]) -> bool:
    """True if `events` are `whole` with at least one event split into several of the same kind, seat and place."""
    return len(events) > len(whole) and at_once(events, state) == at_once(whole, state)


def at_once(events: Sequence[Event], state: State[Any]) -> list[tuple[tuple[object, ...], tuple[str, ...]]]:
    """The events, with consecutive ones merged that one seat could have done as one. A new pile is not a different
    place."""
    out = list[tuple[tuple[object, ...], tuple[str, ...]]]()
    for event in events:
        cards = tuple(
            card for group in event.groups for card in group
        ) if isinstance(event, Meld) else tuple(getattr(event, "cards", ()))
        to = getattr(event, "to", "")
        how = (
            type(event), event.by, getattr(event, "src", ""), to if to in state.table.piles else "",
            getattr(event, "takes", ()),
        )
        if cards and out and out[-1][0] == how:
            cards = out.pop()[1] + cards
        out.append((how, cards))
    return out


def split_word(word: Token, state: State[Any]) -> Iterator[Token]:
    """Split a word into acts and piles typed without a space: `6c>3`, `jh.qh.`, `<9c`.

    >>> from reducers.first_state import begin
    >>> state = begin({"Game": "russian-bank"})
    >>> [
    ...     [t.text for t in split_word(Token(text=text, column=1), state)]
    ...     for text in ("6c>3", "jh.qh.", "<9c", "<discard", "a.NS=1")
    ... ]
    [['6c', '>3'], ['jh', '.', 'qh', '.'], ['<', '9c'], ['<discard'], ['a.NS=1']]
    """
    text = word.text
    if _WITH_MELDS.fullmatch(text):
        column = word.column
        for part in re.split("([mM])", text):
            token = Token(text=part, column=column)
            yield from (token,) if part in ("m", "M") else split_word(token, state) if part else ()
            column += len(part)
        return
    if set(text.partition(">")[0]) & set('="#:@{}') or (
        text[0] in "<>" and (text[0] == ">" or names_a_pile(text[1:], state))
    ):
        yield word
        return
    for part in _GLUED.finditer(text):
        yield Token(text=part[0], column=word.column + part.start())


def names_a_pile(text: str, state: State[Any]) -> bool:
    """True if this is the name of a pile, and not cards."""
    seats = frozenset((*state.terms.seats, *state.terms.sides))
    return bool(piles_named(text, Places(seats, False))) and not card_readings(text)


def most_of(cards: Sequence[str], seat: str, state: State[Any]) -> int:
    """The number of these cards that a seat can hold: its known ones, and one per unseen card of its hand."""
    pack, pile = state.game.pack, state.holding(seat)
    known = [card for card in cards if card in pack and pack.unit[pack.code[card]] & pile.certain]
    return len(known) + len(pile) - pack.count(pile.certain)


def card_by_card(word: Token, state: State[Any]) -> list[Token]:
    """Split a word of several cards into one word per card, with suits carried on; empty if it is no such word.

    If an act can take several cards, such a word is one act, right or wrong, unless no seat to act can hold all of
    them.
    """
    found = card_readings(word.text)
    if len(found) != 1 or len(found[0]) < 2 or word.text.isdecimal():
        return []
    phase, many = state.game.phases.get(state.phase), len(found[0])
    one_by_one = phase is not None and (phase.one_card or not state.game.shorthand.is_one_act(found[0]))
    if not one_by_one and not (
        state.turn
        and all(len(state.holding(seat)) > 0 and most_of(found[0], seat, state) < many for seat in state.turn)
    ):
        return []
    suits = suits_carried(word.text, found[0])
    return [
        Token(text=(card.replace("_", suit or "_") if suit else card.rstrip("_")).lower(), column=word.column)
        for card, suit in zip(found[0], suits, strict=True)
    ]


def may_be_one_card(word: str) -> bool:
    """Return True if a word can be one card, or a rank that is no number."""
    return word[0] != "." and not word.isdecimal() and any(len(cards) == 1 for cards in card_readings(word))


def may_go_on(act: Sequence[Token], state: State[Any]) -> bool:
    """Return True if the last card may belong to the act before it: single cards after a verb, cards after a call."""
    rest = [word.text for word in act if word.text[0] not in "<>" or word is act[0]]
    if len(rest) > 1 and rest[0].upper() in state.terms.seats and (rest[1] in SHORT or not card_readings(rest[1])):
        rest.pop(0)
    verb = verb_named(rest[0]) if rest[0] in SHORT or not card_readings(rest[0]) else None
    calls = verb == "call" or (not verb and bool(word_meant(rest[0], state)))
    cards = rest[2:] if calls and len(rest) > 1 and word_meant(rest[1], state) else rest[1:]
    return bool(verb or calls) and bool(cards) and all(
        may_be_one_card(word) or (calls and card_readings(word)) for word in cards
    )


def begins_with_a_seat(words: Sequence[Token], state: State[Any]) -> bool:
    """Return True if the first word is the seat of an act with its verb next, though its letter is also a rank."""
    return len(words) > 1 and words[0].text.upper() in state.terms.seats and len(words[1].text) > 1 and bool(
        verb_named(words[1].text)
    ) and not card_readings(words[1].text)


def may_be_several(words: Sequence[Token], readings: Sequence[LineMeaning], state: State[Any]) -> bool:
    """Return True if words that fit as one act may be several: a card comes last, or a call has extra words."""
    calls = [
        event for reading in readings for event in reading.events if isinstance(event, Call)
        and (event.what or event.cards)
    ]
    short_for = any(
        state.game.words.get(word_meant(word.text, state), "").startswith("typed for") for word in words[:2]
    )
    if short_for or any(call.cards and names_cards(call.word, state) for call in calls):
        return False
    return len(words) > 1 and not words[-1].text.isdecimal() and (bool(calls) or may_be_one_card(words[-1].text))


def has_unseen_cards_together(events: Sequence[Event]) -> bool:
    """Return True if an act is a play of several cards, some of them unseen."""
    return any(
        isinstance(event, Play) and len(event.cards) > 1 and any("?" in card for card in event.cards)
        for event in events
    )


class _Search:
    """One search for the acts of a line, among readings with an `allowed` fit."""

    def __init__(self, one_act: OneAct, allowed: tuple[int, ...]) -> None:
        self.one_act, self.allowed = one_act, allowed
        self.tried = 0
        self.found: list[LineMeaning] = []
        # The errors of the longest attempts, and the number of words left there.
        self.faults: list[NotationError] = []
        self.left = 10**6

    def readings(self, words: Sequence[Token], state: State[Any]) -> list[LineMeaning]:
        """The readings of the words as consecutive acts."""
        self._go_on(tuple(words), state, LineMeaning((), FITS))
        return self.found

    def _go_on(self, words: tuple[Token, ...], state: State[Any], before: LineMeaning) -> bool:
        """Read the remaining words. Returns False if they cannot be read."""
        if not words:
            if all(before.events != r.events for r in self.found):
                self.found.append(before)
            return True
        went_on = False
        for first in self._first_acts(words, state):
            if self.tried >= MAX_TRIED or len(self.found) >= MAX_MEANINGS:
                return went_on
            if went_on and not may_go_on(first, state):
                return True
            self.tried += 1
            faults: list[NotationError] = []
            readings = self._distinct(self.one_act(first, state, faults, before.events[-1] if before.events else None))
            # Words of one card each are not cards laid together with an unseen one.
            readings = [
                r for r in readings if len(first) == 1 or may_go_on(first, state)
                or not has_unseen_cards_together(r.events)
            ]
            if not readings:
                self._keep(faults, len(words))
                cards = card_by_card(first[-1], state) if not went_on else []
                if cards and self._go_on((*first[:-1], *cards, *words[len(first) :]), state, before):
                    return True
                continue
            for reading in readings:
                after = state.copy()
                for event in reading.events:
                    applied(after, event)
                whole = LineMeaning(
                    before.events + reading.events, max(before.fit, reading.fit), before.doubts + reading.doubts,
                )
                went_on |= self._go_on(words[len(first) :], after, whole)
        return went_on

    def _first_acts(self, words: tuple[Token, ...], state: State[Any]) -> Iterator[tuple[Token, ...]]:
        """The possible words of the first act, the fewest first, with the piles that follow."""
        length = 0
        while length < len(words):
            length += 1
            while length < len(words) and words[length].text[0] in "<>" and words[length].text != TAKES:
                length += 1
            if sum(
                word.text[0] not in "<>" for word in words[:length]
            ) > LONGEST_ACT and not may_go_on(words[:length], state):
                return
            if length > 1 or not begins_with_a_seat(words, state):
                yield words[:length]

    def _distinct(self, readings: Sequence[LineMeaning]) -> list[LineMeaning]:
        fit = [r for r in readings if r.fit in self.allowed]
        best = min((r.fit for r in fit), default=0)
        kept: list[LineMeaning] = []
        for reading in fit:
            if reading.fit == best and all(reading.events != k.events for k in kept):
                kept.append(reading)
        return kept

    def _keep(self, faults: list[NotationError], left: int) -> None:
        if left < self.left:
            self.left, self.faults = left, []
        if left == self.left:
            self.faults += faults
