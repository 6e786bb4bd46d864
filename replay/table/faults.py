"""Error messages for a line that cannot be read: the wrong word, in the words of the game, and what is expected
there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from events.cards import SUITS, is_face, pretty, pretty_all
from events.entries import SHORT, verb_named
from events.errors import NotationError
from events.model import VERBS, Play
from events.name_lists import one_of
from events.tokens import Token, card_readings
from events.words import shown_word
from reducers.legal import acts_of
from reducers.model import State
from replay.plain_text import player_names
from replay.table.reading_fit import PLAYED, expects
from replay.table.shorthand import position_to_come, suits_carried

MEANT = "Did you mean "
NO_CARD = re.compile(r"([cdhs])(1|1[1-9]|[2-9][0-9]+|0)|(1|1[1-9]|[2-9][0-9]+|0)([cdhs])", re.IGNORECASE)


def in_words_of_the_game(fault: NotationError, words: Sequence[Token], state: State[Any]) -> NotationError:
    """Rewrite a spelling error for this game: at the wrong word, with what is expected here. A typed verb is kept."""
    wrong = next((word for word in reversed(words) if word.column <= fault.column), words[0])
    if state.ended and "is not a verb" in fault.what:
        return NotationError(
            f"{shown_word(wrong.text)} means nothing here", column=wrong.column, expected=expects(state),
        )
    if words[0].text.lower() == "fix" and state.game.has_cards and any(
        text in fault.what for text in ("event number", "number of an event", "event to put there")
    ):
        expected = "the number of an event and what it should be, as in fix 15 Jh, or fix 15 r … for a result"
        return NotationError(fault.what, column=fault.column, expected=expected, todo="`log` shows the numbers.")
    if words[0].text.lower() == "fix" and "is not a verb" in fault.what:
        said = fault.what.replace("is not a verb", "means nothing here")
        return NotationError(
            said, column=fault.column, expected="the act as it should be, or other cards for it", todo=fault.todo,
        )
    if verb_named(words[-1].text) == "claim":
        return no_score(words[-1], words[0].text.upper(), state)
    if not state.game.has_cards or any(verb_named(word.text) for word in words if word.text.lower() not in SUITS):
        return fault
    state = position_to_come(state)
    phase = state.game.phases.get(state.phase)
    if phase is not None and Play not in phase.acts and fault.what.endswith("'play'"):
        # No card can be played now, so the spelling of cards is no help.
        fault = NotationError(fault.what, column=fault.column, expected=fault.expected)
    what = fault.what if "not a verb" in fault.what else f"{shown_word(wrong.text)} means nothing here"
    expected = expects(state) if state.ended else phase.expects if phase is not None else fault.expected
    return NotationError(
        what.replace("is not a verb", "means nothing here"), column=wrong.column, expected=expected,
        todo=meant_here(fault.todo, state),
    )


def no_score(word: Token, who: str, state: State[Any]) -> NotationError:
    """An empty claim: a score is claimed with its figures and, in games where cards can be claimed, a card with the
    card."""
    expected = f"the score as the table has it, as in claim {' '.join(f'{side}=…' for side in state.terms.sides)}"
    seat = who if who in state.terms.seats else state.terms.seats[-1]
    todo = f"A card is claimed by naming it: {seat} and the card." if "claim" in state.game.words else ""
    return NotationError(f"{shown_word(word.text)} says no score", column=word.column, expected=expected, todo=todo)


def meant_here(todo: str, state: State[Any]) -> str:
    """A "did you mean" hint without the verbs of acts that the game does not have."""
    near = todo.removeprefix(MEANT).removesuffix("?")
    if near == todo:
        return todo
    verbs, acts = re.split(", | or ", near), acts_of(state.game.key)
    there = [verb for verb in verbs if (kind := VERBS[verb_named(verb)]) in acts or kind not in PLAYED]
    return f"{MEANT}{one_of(there)}?" if there else ""


def no_such_thing(
    words: Sequence[Token], state: State[Any], *, read: bool, as_played: bool = False,
) -> NotationError | None:
    """An error for a word that names a nonexistent card or player; None if there is no such word.

    `read` says that the line has a reading, so that a short verb is not taken for a seat. A line kept `as_played` may
    have a card of another pack.
    """
    for word in words if state.game.has_cards else ():
        no_card = NO_CARD.fullmatch(word.text)
        if no_card is not None:
            rank = no_card[2] or no_card[3]
            return NotationError(
                f"'{word.text}': there is no {rank}", column=word.column, expected="a rank from 2 to 10, or A, J, Q, K",
            )
    first, seats = words[0], state.terms.seats
    named = len(words) > 1 and len(first.text) == 1 and "A" <= first.text <= "Z" and not card_readings(first.text)
    if named and first.text not in (*seats, *state.terms.sides) and not (read and first.text.lower() in SHORT):
        called = [f"{seat} {state.terms.name(seat)}" if state.terms.name(seat) != seat else seat for seat in seats]
        return NotationError(
            f"there is no player at '{first.text}'", column=first.column,
            expected=f"a seat of this match: {', '.join(called)}"
        )
    for word in words if state.game.has_cards and not as_played else ():
        if (missing := not_in_the_pack(word.text, state)) and word.text.lower() not in state.game.words:
            said = f"{shown_word(word.text)}: there is no {pretty(missing)} in the pack"
            of_the_suit = pretty_all(face for face in state.game.pack.faces if face[1:] == missing[1:])
            return NotationError(
                said, column=word.column, expected=f"one of {of_the_suit}" if of_the_suit else "a card of it",
                todo="If it was played all the same, write ! behind the line.",
            )
    return None


def not_in_the_pack(text: str, state: State[Any]) -> str:
    """The card missing in the pack that every reading of a word has; empty if there is none."""
    readings, faces = card_readings(text) if any(c.isdecimal() for c in text) else [], state.game.pack.faces
    whole = [
        [card.replace("_", suit or "_") for card, suit in zip(cards, suits_carried(text, cards), strict=True)]
        for cards in readings
    ]
    missing = [next((card for card in cards if is_face(card) and card not in faces), "") for cards in whole]
    return missing[0] if missing and all(missing) else ""


def unreadable(words: Sequence[Token], state: State[Any]) -> NotationError:
    """An error for a line that says too little or nothing: what its first word is, and what is expected."""
    word = words[0]
    who = player_names(state.terms.sides, state.terms.names).get(word.text.upper())
    if len(words) == 1 and who is not None:
        seat = word.text.upper()
        what = f"{shown_word(word.text)} says who" + (f" ({who})" if who != seat else "")
        return NotationError(f"{what}, but not what", column=word.column, expected=expects(state))
    if len(words) == 1 and word.text.lower() in SUITS and state.game.has_cards:
        return NotationError(
            f"{shown_word(word.text)} is a suit without a rank", column=word.column, expected=expects(state),
        )
    return NotationError(f"{shown_word(word.text)} means nothing here", column=word.column, expected=expects(state))
