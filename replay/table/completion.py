"""Completions for a recorder's line: seats, verbs and words of this part of the hand, piles, and visible cards.

A card is visible if it is face up, or if the seat to act is known to hold it. Nothing that only later events reveal
is offered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from events.cards import UNKNOWN, pretty, rank_of, suit_of
from events.errors import NotationError
from events.model import Bid, Call, Claim, Deal, Name, Pass
from events.tokens import split
from events.verb_forms import SYNTAX
from reducers.facts import names_allowed
from reducers.model import State
from reducers.piles import how_it_lies
from replay.languages.translate import in_language, t, tn
from replay.table.result_line import NOBODY_KNOWS, RESULT, AskedFact, take_answers
from replay.table.shorthand import position_to_come
from replay.table.wording import word_meaning

LOOKS = {
    "?": "where the match stands, and what comes next", "help": "what can be typed in this game", "show": "the table",
    "score": "the points", "sheet": "the scoresheet", "check": "what broke a rule", "log": "the record, line by line",
}  # fmt: skip
"""Words that only show something."""
ALWAYS = {
    "result": "a hand by its result alone", "undo": "takes back one act", "redo": "puts it back",
    "fix": "corrects a line", "note": "a remark", "claim": "the score as the table states it",
    "confirm": "somebody agrees with it", "join": "a player joins between two hands",
    "leave": "a player leaves between two hands",
    "back": "the table lets a player take back the last act; a card of it stays known",
    "fault": "an irregularity that the table lets pass", "hand": "a new hand", "quit": "leaves; everything is saved",
}  # fmt: skip
"""Words that can be typed at any time and change the record, or leave it."""


class CompletionWord(Struct, frozen=True):
    """A word that can be typed, and its meaning."""

    text: str
    meaning: str = ""


def beginning_with(begun: str, words: Iterable[CompletionWord]) -> list[CompletionWord]:
    """The words that begin so, ignoring case and without duplicates. A card may begin with its suit."""
    found: dict[str, CompletionWord] = {}
    for word in words:
        for text in (word.text, word.text[::-1]) if looks_like_card(word.text) else (word.text,):
            if text.lower().startswith(begun.lower()):
                found.setdefault(text, CompletionWord(text, word.meaning))
                break
    return list(found.values())


def looks_like_card(text: str) -> bool:
    """True if this is a card as it is written, rank before suit."""
    return len(text) == 2 and (text[0].isdigit() or text[0].isupper()) and text[1].islower()


def words_after(words: list[str], state: State[Any]) -> Iterator[CompletionWord]:
    """The words that can follow these."""
    terms = state.terms
    first = words[0].lower() if words else ""
    if first in RESULT:
        yield from next_answers(words[1:], state)
        return
    if first == "claim":
        yield from (CompletionWord(f"{side}=", terms.name(side)) for side in terms.sides)
        return
    state = position_to_come(state)
    if not words or (len(words) == 1 and words[0].upper() in terms.seats):
        yield from acts_here(state)
    yield from cards_in_sight(state)
    if not words:
        yield from (
            CompletionWord(seat, terms.names.get(seat, ""))
            for seat in sorted(terms.seats, key=lambda s: s not in state.turn)
        )
    yield from piles(state)
    if not words:
        yield from (CompletionWord(text, t(meaning)) for text, meaning in (*ALWAYS.items(), *LOOKS.items()))


def next_answers(said: list[str], state: State[Any]) -> Iterator[CompletionWord]:
    """The next answers of a result line; none if the answers so far are invalid."""
    try:
        one = take_answers(split(" ".join(said))[0], {}, state)
    except NotationError:
        return
    if one is not None:
        yield from possible_answers(one, state)


def possible_answers(one: AskedFact, state: State[Any]) -> Iterator[CompletionWord]:
    """The possible answers for a fact."""
    fact, terms = one.fact, state.terms
    if fact.kind in ("somebody", "seats"):
        who = names_allowed(fact, terms) if fact.kind == "somebody" else terms.seats
        yield from (CompletionWord(name, terms.name(name) if terms.name(name) != name else "") for name in who)
    if fact.kind == "yes or no":
        yield from (CompletionWord("yes"), CompletionWord("no"))
    yield from (CompletionWord(str(word)) for word in (*fact.only, *one.instead))
    yield CompletionWord(NOBODY_KNOWS, t("unknown"))


def acts_here(state: State[Any]) -> Iterator[CompletionWord]:
    """The words of this part of the hand: words said aloud, suits to name, and the verbs of its acts."""
    phase = state.game.phases.get(state.phase)
    if phase is None:
        return
    if phase.default_act(state) is not None:
        yield CompletionWord(".", t("the usual act of the player to act"))
    if Call in phase.acts:
        for word, meaning in state.game.words.items():
            if meaning.startswith("call: "):
                yield CompletionWord(word, in_language(word_meaning(meaning), state.game.key))
    if Name in phase.acts:
        yield from (CompletionWord(word) for word in phase.bare or ())
    for kind in phase.acts:
        if kind in (Call, Name, Bid, Deal, Claim):
            continue
        verb = str(kind.__struct_config__.tag)
        yield CompletionWord(verb, "" if kind is Pass else SYNTAX[verb])


def cards_in_sight(state: State[Any]) -> Iterator[CompletionWord]:
    """The face-up cards and those that the seats to act are known to hold, the latter first."""
    where: dict[str, str] = {}
    for pile in sorted(state.table.piles.values(), key=lambda p: p.name.removeprefix("hand:") not in state.turn):
        lies, owner = how_it_lies(pile.name, state.game.display.piles, state.terms)
        codes = pile.codes()
        if lies.seen == "top":
            codes = codes[-1:]
        elif lies.seen == "nobody" or (lies.seen == "owner" and owner not in state.turn):
            continue
        holding = pile.name.partition(":")[0] in state.terms.seats
        for code in codes:
            face = state.game.pack.tokens[code]
            if UNKNOWN not in face and "?" not in face:
                whose = t("{card}, held by {who}", card=pretty(face), who=state.terms.name(owner))
                where.setdefault(face, whose if holding else f"{pretty(face)}, {pile.name}")
    yield from (CompletionWord(face, where[face]) for face in sorted(where, key=_from_the_top))


def _from_the_top(face: str) -> tuple[int, int]:
    return "shdc".find(suit_of(face)), "AKQJT98765432".find(rank_of(face))


def piles(state: State[Any]) -> Iterator[CompletionWord]:
    """The piles by name, with the sign for a source and the one for a destination."""
    for pile in state.table.piles.values():
        count = (
            tn("at least {n} card", "at least {n} cards", len(pile)) if pile.vague
            else tn("{n} card", "{n} cards", len(pile))
        )
        yield from (CompletionWord(sign + pile.name, count) for sign in "<>")
