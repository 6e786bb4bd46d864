"""Translate lines typed with another pack into French cards, word by word.

Only words that are cards, ranks or suits of the pack change, and only in places for cards: never a comment, a seat in
capitals, a pile, a word of the game, or a figure that is a bid or a stake. A small letter that is a rank of the pack
is that card before it is a seat or a short verb: with Spanish cards `s` is the sota, `S` the seat, and `show` the
verb.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from events.cards import RANKS, SUITS
from events.entries import ALIASES, SHORT, verb_named
from events.errors import NotationError
from events.model import VERBS, Bet, Bid, Facts, Name, Pay
from events.name_lists import one_of
from events.packs import FRENCH, TablePack, small_plain
from events.tokens import CLASSES, RESERVED, Token, card_items, card_readings
from events.words import Places, piles_named
from reducers.evolve import ensure_hand_started
from reducers.facts import Fact, set_fact
from reducers.model import Phase, State
from replay.table.result_line import RESULT, next_asked, read_answer

OF_CARDS = frozenset({"play", "draw", "discard", "move", "meld", "capture", "arrange", "deal", "show", "shuffle"})
"""The verbs that take cards, so that a rank or a figure alone is a card."""
CHOOSES = frozenset({"name", "bid"})
"""The verbs that take a suit alone."""
KEPT = frozenset(VERBS) | frozenset(ALIASES) | frozenset((
    *RESERVED, "result", "hand", "match", "undo", "redo", "line", "yes", "no", "score", "sheet", "check", "log", "help",
    "quit", "exit",
))  # fmt: skip
"""Words that are never cards."""
_GLUED = re.compile(r"([.<>]|[mM](?=.))")
_JOINTS = frozenset({"de", "di", "of"})


def in_french(words: Sequence[Token], state: State[Any], pack: TablePack, *, cards: bool = True) -> list[Token]:
    """The words of a line, with cards and suits of the pack spelled as French ones; each keeps its column.

    With `cards`, bare figures may be cards; they are not in a correction of something else. Raises NotationError for
    a card that the pack does not have.
    """
    if pack is FRENCH or not state.game.has_cards or not words:
        return list(words)
    return list(_Line(state, pack, cards).read(list(words)))


def is_a_rank(word: str, state: State[Any], pack: TablePack) -> bool:
    """True if a word typed alone is a rank of the pack, and so not short for anything else: `r` is the re."""
    return pack is not FRENCH and state.game.has_cards and word in pack.rank_typed(ranks_in_play(state))


def ranks_in_play(state: State[Any]) -> frozenset[str]:
    """The ranks of this game."""
    return frozenset(rank for rank in RANKS if state.game.pack.rank[rank])


class _Line:
    """One line in one position."""

    def __init__(self, state: State[Any], pack: TablePack, cards: bool) -> None:
        self.state, self.pack, self.cards = state, pack, cards
        self.ranks = ranks_in_play(state)
        terms = state.terms
        self.seats = frozenset((*terms.seats, *terms.sides))
        self.places = Places(self.seats, False)

    def read(self, words: list[Token]) -> Iterator[Token]:
        """All words: a correction, a result, or an act with its actor and its verb."""
        first = words[0].text.lower()
        if first == "fix" and len(words) > 2:
            yield from words[:2]
            yield from self.read(words[2:])
            return
        if first in RESULT and not is_a_rank(words[0].text, self.state, self.pack):
            yield words[0]
            yield from self._result(words[1:])
            return
        actor, words = self._actor(words)
        yield from actor
        verb = self._verb(words)
        if verb:
            yield words.pop(0)
        if verb == "call" and words:
            yield words.pop(0)
        yield from self._said(words, verb)

    def _actor(self, words: list[Token]) -> tuple[list[Token], list[Token]]:
        """The actor, if the line begins with one, and the rest. A small letter that is a rank is no actor."""
        text = words[0].text
        if text == "@" or (CLASSES["seat"].fullmatch(text) and text.partition(":")[0] in self.seats):
            return words[:1], words[1:]
        if (
            len(words) > 1 and text.upper() in self.seats and not self._letter(text) and not verb_named(text)
            and not self._suit_here(text)
        ):
            return words[:1], words[1:]
        return [], words

    def _letter(self, text: str) -> bool:
        return text in self.pack.rank_typed(self.ranks)

    def _verb(self, words: list[Token]) -> str:
        """The verb that the words begin with; empty if they begin with cards, or with a word of the game."""
        text = words[0].text if words else ""
        low = text.lower()
        if not text or self._letter(text) or low in self.state.game.words or (
            low not in KEPT and self._card(text) is not None
        ):
            return ""
        if self._suit_here(low):
            return ""
        if len(low) == 1 and low not in SHORT:
            return ""
        return verb_named(low)

    # -- words that are said
    # --------------------------------------------------------------------------------------------

    def _said(self, words: list[Token], verb: str) -> Iterator[Token]:
        """The words after the verb, or without one."""
        alone, bare, first = len(words) == 1, not verb, True
        while words:
            card, used = self._in_words(words)
            if used:
                taken, words = words[:used], words[used:]
                if card in SUITS and not (verb in CHOOSES or (bare and (alone or self._names_later))):
                    yield from taken
                else:
                    yield replace(taken[0], text=card.lower())
                first = False
                continue
            word = words.pop(0)
            named = verb in CHOOSES or (bare and (self._suit_here(word.text) if first else self._names_later))
            suit = self.pack.suit_typed().get(word.text.lower(), "") if named and word.text not in self.seats else ""
            first = False
            if suit:
                yield replace(word, text=suit)
                continue
            if bare and word.text.lower() in self.state.game.words:
                yield word
            else:
                yield self._word(word, verb)

    def _word(self, word: Token, verb: str) -> Token:
        """One word: cards, cards for a pile, a direction or a fact; anything else is unchanged."""
        text = word.text
        if text.lower() in KEPT or text in self.seats or text[:1] in "#{" or (
            verb and verb not in OF_CARDS and text.isalnum() and not _whole(text, self)
        ):
            return word
        key, equals, value = text.partition("=")
        if equals and value and verb in ("tally", "claim", "ruling", "hand", "end", "open"):
            return replace(word, text=f"{key}={self._value(value, self._fact(key))}")
        if equals and value and piles_named(key, self.places) and self._card(key) is None:
            return replace(word, text=f"{key}={self._word(replace(word, text=value), 'deal').text}")
        if not verb and text.isdecimal() and not self._figures():
            return word
        found = self._run(text)
        if found is not None:
            return replace(word, text=found)
        if verb in ("", *OF_CARDS) and not self._may_stand(text):
            raise NotationError(
                "there is no such card in this pack", column=word.column, expected=expected_letters(self.ranks),
            )
        return word

    def _may_stand(self, text: str) -> bool:
        """True if a word that is no card of the pack may be something else, as it does not look like a French card."""
        body = text.lstrip("<>")
        return not card_readings(body) or body.isdecimal() or (body.lower() in SHORT or body.upper() in self.seats)

    def _run(self, text: str) -> str | None:
        """Cards, with piles and signs in the same word; None if it is something else."""
        if text[:1] in ("<", ">"):
            body = text[1:]
            if body.isdecimal() or body.upper() in self.seats:
                return None
            inner = self._card(body)
            return text[0] + inner if inner is not None else self._apart(text)
        found = self._card(text)
        return self._apart(text) if found is None else found

    def _apart(self, text: str) -> str | None:
        """Cards with piles, dots and melds between them: `6d>3`, `fc.vc.`, `<md4-6`."""
        parts = [part for part in _GLUED.split(text) if part]
        if len(parts) < 2:
            return None
        out, changed, before = "", False, ""
        for part in parts:
            signs = part in ".<>" or part in "mM"
            pile = before == ">" and (
                part.isdecimal() or (bool(piles_named(part, self.places)) and self._card(part) is None)
            )
            found = None if signs or pile else self._card(part)
            if found is None and not signs and self._names_later:
                found = self.pack.suit_typed().get(part)  # `...h` ends an auction with the trumps
            if not signs and not pile and found is None and card_readings(part):
                return None  # a card, but not of this pack; anything else stays
            changed |= found is not None
            out, before = out + (part if found is None else found), part
        return out if changed else None

    def _card(self, text: str) -> str | None:
        """A run of cards, or a card named in full, in the French spelling."""
        if text in self.seats:
            return None
        name = self.pack.named(text, self.ranks)
        if name and name not in SUITS:
            return name.lower()
        return self.pack.in_french(text, self.ranks)

    def _in_words(self, words: Sequence[Token]) -> tuple[str, int]:
        """The card, rank or suit that the next words name in full, and the number of words: `rey de copas`."""
        first = self._one_name(words[0].text)
        joint = len(words) > 2 and small_plain(words[1].text) in _JOINTS
        second = words[1 + joint] if len(words) > 1 + joint else None
        last = self._one_name(second.text) if second is not None else ""
        short = self.pack.rank_typed(self.ranks)
        rank = first if first and first not in SUITS else short.get(words[0].text.lower(), "")
        if rank and last in SUITS and last:
            return rank + last, 2 + joint
        if first in SUITS and first and second is not None and not joint:
            rank = last if last and last not in SUITS else short.get(second.text.lower(), "")
            if rank:
                return rank + first, 2
        return (first, 1) if first else ("", 0)

    def _one_name(self, text: str) -> str:
        """The rank or the suit that one word names in full."""
        found = "" if len(text) < 2 or text in self.seats else self.pack.named(text, self.ranks)
        return found if len(found) == 1 else ""

    # -- the position
    # -----------------------------------------------------------------------------------------------------

    def _phase(self) -> Phase | None:
        state = self.state
        if state.phase == "between":
            state = state.copy()
            ensure_hand_started(state)
        return state.game.phases.get(state.phase)

    def _suit_here(self, text: str) -> bool:
        """True if this is a suit that is said alone here, without a verb."""
        return text in self.pack.suit_typed() and (phase := self._phase()) is not None and _says_suits(phase)

    @cached_property
    def _names_later(self) -> bool:
        """True if a suit may be said alone in this part of the hand, or in a later one."""
        phases = list(self.state.game.phases.values())
        here = self._phase()
        return any(map(_says_suits, phases[phases.index(here) :])) if here in phases else False

    def _figures(self) -> bool:
        """True if a figure alone is a card here, not a bid or a stake."""
        phase = self._phase()
        return self.cards and phase is not None and not any(kind in (Bid, Bet, Pay) for kind in phase.acts)

    # -- facts
    # ------------------------------------------------------------------------------------------------------------

    def _result(self, words: Sequence[Token]) -> Iterator[Token]:
        """The words of a result line: a suit if the next fact is one, cards if it is cards."""
        facts: Facts = {}
        said: set[str] = set()
        for word in words:
            key, equals, value = word.text.partition("=")
            if equals:
                yield replace(word, text=f"{key}={self._value(value, self._fact(key))}")
                continue
            one = next_asked(said, facts, self.state)
            if one is None:
                yield word
                continue
            text = self._value(word.text, one.fact)
            said.add(one.key)
            for name, told in (read_answer(text, one, self.state) or {}).items():
                set_fact(facts, name, told)
            yield replace(word, text=text)

    def _fact(self, key: str) -> Fact | None:
        """The game's declaration of a fact, by its dotted key as typed."""
        facts = self.state.game.tally.facts
        stem = key.rpartition(".")[0]
        found = next((facts[name] for name in (key, f"{stem}.*", f"{stem}.#") if name in facts), None)
        return found if isinstance(found, Fact) else None

    def _value(self, text: str, fact: Fact | None) -> str:
        """The value of a fact, as the record keeps it."""
        if fact is not None and fact.kind == "choice" and set(SUITS) <= set(map(str, fact.only)):
            named = self.pack.named(text, self.ranks)
            return self.pack.suit_typed().get(text.lower()) or (named if named in SUITS and named else text)
        if fact is not None and fact.kind == "cards":
            return ",".join("".join(card_items(self._card(part) or "") or ()) or part for part in text.split(","))
        return text


def _says_suits(phase: Phase) -> bool:
    """True if a suit may be said in this part of a hand without a verb."""
    return any(
        kind in phase.acts and kind not in phase.verb_required for kind in (Name, Bid)
    ) and bool(set(SUITS) & set(phase.bare or ()))


def _whole(text: str, line: _Line) -> bool:
    """True if a word gives the rank and suit of a card, so that it is one after any verb."""
    found = card_items(line._card(text) or "")
    return found is not None and bool(found) and all("_" not in card and "?" not in card for card in found)


def expected_letters(ranks: Collection[str]) -> str:
    """The letters of the cards in words, for French cards; the message is translated for the pack on the table.

    >>> expected_letters("A234567JQK")
    'the suits d (diamonds), h (hearts), s (spades), c (clubs), the court cards j (jack), q (queen), k (king)'
    """
    suits = ", ".join(f"{suit} ({FRENCH.suits[suit].many})" for suit in "dhsc")
    court = ", ".join(f"{rank.lower()} ({FRENCH.ranks[rank].one})" for rank in "JQK" if rank in ranks)
    return f"the suits {suits}, the court cards {court}"


def typed_letters(pack: TablePack, ranks: Collection[str]) -> str:
    """What may be typed for the cards of a pack in a game with these ranks, on one line.

    >>> from events.packs import PACKS
    >>> typed_letters(PACKS["italian"], "A234567JQK")
    'italian cards: d denari, c coppe, s spade, b bastoni; a or 1 asso, f or 8 fante, v or 9 cavallo, r or 10 re'
    """
    suits = ", ".join(f"{one_of(pack.suits[suit].typed)} {pack.suits[suit].many}" for suit in "dhsc")
    by_rank = pack.rank_typed(ranks)
    typed = {
        rank: sorted((t for t in by_rank if by_rank[t] == rank), key=str.isdecimal) for rank in "AJQK" if rank in ranks
    }
    court = ", ".join(f"{one_of(ways)} {pack.ranks[rank].one}" for rank, ways in typed.items())
    return f"{pack.name} cards: {suits}; {court}"
