"""One event of a replay: its actor, its description, and its earlier versions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from events.card_lists import cards_in
from events.model import Capture, Cards, Claim, Deal, Dispute, Event, Play, Shuffle, verb_of
from reducers.model import State
from replay.languages.catalogue import ENGLISH
from replay.languages.translate import in_language, spoken_language, t
from replay.log import NumberedEvent
from replay.table.event_sentences import Telling
from replay.table.wording import events_named


class Step(Struct, omit_defaults=True):
    """An event of a replay.

    `n` is its number; `by` the actor; `says` is a sentence with names, `short` the form for a list, without the
    actor. `cards` are those it concerns. `group` is its index among the groups of the hand. `text` is the recorder's
    remark, `glyphs` are its marks. `at` is the position of the correction that brought it (0: none), and `was` its
    earlier versions. `inferred` is what follows here without being recorded; `follows` are cards of an unseen play
    found by elimination. `choices` are the sets of cards that a capture could have taken. `change` is the change of
    the frame.
    """

    n: int
    by: str
    verb: str
    says: str
    short: str
    group: int = -1
    cards: tuple[str, ...] = ()
    text: str = ""
    glyphs: tuple[int, ...] = ()
    at: int = 0
    was: tuple[str, ...] = ()
    inferred: tuple[str, ...] = ()
    follows: tuple[str, ...] = ()
    choices: tuple[Cards, ...] = ()
    change: dict[str, Any] = {}


def step_of(placed: NumberedEvent, state: State[Any], acts: dict[int, Event]) -> Step:
    """The step of an event; the state is the one before it. `acts` are the events so far by their numbers; this one is
    added to them."""

    def named(refs: Sequence[int]) -> str:
        """The event that another one is about, as what somebody did."""
        act = acts.get(refs[0]) if len(refs) == 1 else None
        if act is None:
            return events_named(refs)
        who, n = telling.who(act.by), refs[0]
        if isinstance(act, Claim):
            return t("what {who} claimed at {n}", who=who, n=n)
        return (
            t("what {who} disputed at {n}", who=who, n=n) if isinstance(act, Dispute)
            else t("what {who} did at {n}", who=who, n=n)
        )

    telling = Telling(state, events=named)
    event = acts[placed.n] = placed.event
    cards: Iterable[str] = () if isinstance(event, Deal | Shuffle) else cards_in(event)
    return Step(
        n=placed.n, by=event.by, verb=verb_of(event), says=telling.sentence(event), short=telling.short(event),
        cards=tuple(cards), text=placed.recorded.text, glyphs=placed.recorded.glyphs,
        at=placed.at if placed.at != placed.n else 0, was=tuple(telling.short(old) for _, old in placed.was),
        choices=tuple(capture_choices(event, state)),
    )  # fmt: skip


LABELS = frozenset({"contract", "result", "label", "to_do"})
"""The keys of words that the page of a game declares or makes."""


def labels_in_language(value: Any, game: str, key: str = "") -> Any:
    """Data of a replay with the words of its game in the language of the reader; the same data in English."""
    if spoken_language() == ENGLISH:
        return value
    if isinstance(value, str):
        return in_language(value, game) if key in LABELS else value
    if isinstance(value, dict):
        return {name: labels_in_language(one, game, name) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [labels_in_language(one, game, key) for one in value]
    return value


def capture_choices(event: Event, state: State[Any]) -> Iterator[Cards]:
    """All sets of cards that a capture could have taken, if there are several."""
    if not isinstance(event, Capture) or event.src or len(event.cards) != 1 or state.hand is None:
        return
    found = state.game.shorthand.expand(state, Play(by=event.by, cards=event.cards))
    takes = [one.takes for one in found if isinstance(one, Capture)]
    if len(takes) > 1:
        yield from takes
