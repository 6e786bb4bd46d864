"""Reject lines that cannot be meant: a score of a side that does not exist, a reference to an event that does not.

A finding would report them later. At the table the line is refused, and the recorder types it again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from events.errors import NotationError
from events.model import ABOUT, Claim, Confirm, Dispute, End, Fix, Gap, Hand, Note, Open, Recorded, Ruling, Tally
from events.visible_text import duplicate_name
from events.writing import write_event
from reducers.legal import acts_of
from reducers.model import State
from replay.fold import Corrected, apply_events, corrected
from replay.log import NumberedEvent
from replay.scoring.rulings import ANY_RULING, WORDS, decisions
from replay.table.joining import checked_terms
from replay.table.reading_fit import fit_of, sighting
from replay.table.result_line import result_example

RESULTS = (Open, Hand, Tally, End, Gap, *ABOUT)
"""What is recorded of a game with results only."""


def screen(recorded: Recorded, records: Sequence[Recorded], state: State[Any], column: int = 1) -> None:
    """Raises NotationError for a line that cannot be meant in this match."""
    event = recorded.event
    if not state.game.has_cards and not isinstance(event, RESULTS):
        raise NotationError(
            f"no cards are recorded of {state.game.name}, only what each hand came to", column=column,
            expected=f"a line such as {result_example(state)}"
        )  # fmt: skip
    if isinstance(event, Open) and (name := duplicate_name(names_with(event, state, column))):
        raise NotationError(
            f"{name} would sit in two places", column=column,
            expected=f"two names, as {name} A and {name} B; players who change seats are written in one line",
        )
    if isinstance(event, Claim):
        screen_claim(event, state, column)
    for ref in getattr(event, "refs", ()):
        if ref > records[-1].n:
            raise NotationError(
                f"there is no event {ref}", column=column, expected=f"an event of this match, 0 to {records[-1].n}",
                todo="`log` lists them."
            )  # fmt: skip
    if missing := missing_content(recorded, state):
        raise NotationError(missing[0], column=column, expected=missing[1])
    if isinstance(event, Ruling):
        made = decisions(corrected([*records, replace(recorded, n=records[-1].n + 1)]))[-1]
        for _, text in made.problems:
            changes = ", ".join((*state.game.tally.rulings, *ANY_RULING))
            raise NotationError(
                text, column=column, todo=f"A ruling says a word ({', '.join(WORDS)}), or what changes ({changes}).",
            )


def names_with(opening: Open, state: State[Any], column: int) -> dict[str, str]:
    """The names at the seats once this line is written. Raises NotationError if its terms are invalid."""
    terms = checked_terms(opening, state, column)
    return {seat: terms.names[seat] for seat in terms.seats if seat in terms.names}


def missing_content(recorded: Recorded, state: State[Any]) -> tuple[str, str] | None:
    """What is missing in a confirmation, dispute, ruling or remark without content, and what to type; None for any
    other line."""
    event, sides = recorded.event, tuple(state.before.totals)
    score = " ".join(f"{side}=…" for side in sides[:2])
    if isinstance(event, Confirm) and not (state.claims or event.refs):
        return "there is no claim to confirm", f"the score first, as in claim {score}, and then confirm"
    if isinstance(event, Note) and not (event.facts or recorded.text or recorded.glyphs):
        return "the remark is missing", "what is remarked, as in note 12 {a card fell}, or a glyph, as in note 12 $6"
    if isinstance(event, Dispute) and not (event.refs or event.word or recorded.text):
        return (
            "it is not said what is disputed",
            "the event or a word for it, as in dispute #12, dispute revoke or dispute {he showed a card}"
        )
    if isinstance(event, Ruling) and not (event.word or event.facts or recorded.text):
        return (
            "it is not said what was decided",
            f"a word or what changes, as in ruling #12 warning, or ruling #12 points.{sides[0]}=-3"
        )
    return None


def screen_claim(claim: Claim, state: State[Any], column: int) -> None:
    """Raises NotationError unless the score is of a side, or of a seat that speaks for it."""
    terms = state.terms
    sides = tuple(state.before.totals)
    for key, value in claim.facts.items():
        for who in value if key == "hand" and isinstance(value, Mapping) else (key,):
            if who not in (*sides, *terms.seats):
                raise NotationError(
                    f"'{who}' is no side of this match", column=column,
                    expected=f"the score of {', '.join(sides[:-1])} and {sides[-1]}, as in claim {sides[0]}=…"
                )  # fmt: skip


def doubts_about_fix(fix: Fix, view: Corrected, records: Sequence[Recorded], state: State[Any]) -> tuple[str, ...]:
    """Reasons why a correction may itself be wrong: the rules it breaks in its place, and contradictions after it.

    `view` and `state` are the match before it.
    """
    n = records[-1].n + 1
    after = corrected([*records, Recorded(n=n, event=fix)])
    said: list[str] = []
    place = next((i for i, placed in enumerate(after.events) if placed.at == n), None)
    if fix.event is not None and place is not None:
        before = after.events[:place]
        there = next((placed.event for placed in view.events if placed.n == fix.at), None)
        acts = acts_of(state.game.key)
        if fix.how == "replace" and there is not None and (type(fix.event) in acts) != (type(there) in acts):
            said.append(
                f"event {fix.at} is '{write_event(there)}', and this makes something else of it: "
                f"'{write_event(fix.event)}'"
            )
        said += fit_of((fix.event,), apply_events(after.opening, before), before).doubts
    return tuple(dict.fromkeys([*said, *troubles_after([Recorded(n=n, event=fix)], records, state, said)]))


def _to_the_end_of_the_hand(view: Corrected, entered: Collection[int]) -> Sequence[NumberedEvent]:
    """The events up to the end of the hand with the last of these corrections."""
    last = max((i for i, placed in enumerate(view.events) if placed.at in entered), default=-1)
    ends = next(
        (i for i, placed in enumerate(view.events) if i > last >= 0 and isinstance(placed.event, Hand)),
        len(view.events),
    )
    return view.events[:ends]


def troubles_after(
    fixes: Sequence[Recorded], records: Sequence[Recorded], state: State[Any], said: Sequence[str] = (),
) -> list[str]:
    """Contradictions after these corrections, each with the line that has the card already. Those in `said` are left
    out."""
    after = corrected([*records, *fixes])
    known, entered = {trouble.text for trouble in state.table.trouble}, {fix.n for fix in fixes}
    # The card just entered is the wrong one, not the one that it clashes with.
    log = [placed for placed in _to_the_end_of_the_hand(after, entered) if placed.at not in entered]
    new = [
        t for t in apply_events(after.opening, after.events).table.trouble if t.text not in known
        and not any(t.text in doubt for doubt in said)
    ]
    return [f"with this, {t.text}{sighting(t.card, log)}" for t in new]
