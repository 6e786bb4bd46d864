"""The page that stands in for a game whose own page is not installed: it has no rules, and points are those told."""

from __future__ import annotations

from itertools import chain
from typing import Any

from msgspec.structs import replace

from events.cards import pretty_all
from events.model import ABOUT, EVENT_TYPES, Capture, End, Event, Gap, Hand, Meld, Open, Play, Show, Tally
from reducers.evolve import ensure_hand_started, is_for_next_hand, on_tally
from reducers.games.pad import GAME as PAD
from reducers.model import Game, HandRecord, Phase, State
from reducers.scoring import HandScore, Points, ScoreLine
from reducers.sheet import Sheet
from reducers.words.sheets import figure_of_line, ledger, running_total

FRAME = frozenset((Open, Hand, End, Tally, Gap, *ABOUT))
ACTS = tuple(kind for kind in EVENT_TYPES if kind not in FRAME)
"""All events that only the rules of a game can apply: here they move no cards."""
SEEN: dict[type[Event], str] = {Play: "played", Capture: "captured with", Meld: "melded", Show: "shown"}
"""The acts whose cards all players see, with the word for such cards."""


class Kept(HandRecord):
    """What is kept of a hand: the cards that all have seen, by what was done with them and by seat, and the figures of
    its tallies."""

    def __init__(self, state: State[Kept]) -> None:
        self.cards: dict[str, dict[str, tuple[str, ...]]] = {}
        self.figures: dict[str, Points] = {}
        state.phase = "result"


def change_nothing(event: Event, state: State[Any]) -> None:
    """Apply an act whose rules are unknown."""


def keep_cards(event: Event, state: State[Kept]) -> None:
    """Keep the cards of an act that all see, by seat and in order. Only the rules say where they lie."""
    if getattr(event, "face", None) == "down":
        return
    ensure_hand_started(state)
    cards = getattr(event, "cards", ()) or chain(*getattr(event, "groups", ()))
    kept = state.hand.cards.setdefault(SEEN[type(event)], {})
    kept[event.by] = (*kept.get(event.by, ()), *cards)


def keep_figures(tally: Tally, state: State[Kept]) -> None:
    """Apply a tally, and keep its figures of the sides: what else it reports can only be read in the record."""
    if is_for_next_hand(state):
        ensure_hand_started(state)
    sides = state.terms.sides
    for key, figures in tally.facts.items():
        known = {s: n for s, n in figures.items() if s in sides and type(n) is int} if type(figures) is dict else {}
        if known and key != "points":
            state.hand.figures[key] = {**state.hand.figures.get(key, dict.fromkeys(sides)), **known}
    on_tally(tally, state)


def score(state: State[Kept]) -> HandScore:
    """The points as they were reported, with the other figures that were."""
    out = PAD.score(state)
    unknown = ("the points, without the rules of the game",) if None in out.points.values() else out.unknown
    return replace(out, lines=tuple(ScoreLine(*line) for line in state.hand.figures.items()), unknown=unknown)


def cards_as_played(state: State[Kept]) -> dict[str, Any]:
    """The cards of the hand, as they were played."""
    return {word: {by: pretty_all(cards) for by, cards in kept.items()} for word, kept in state.hand.cards.items()}


def sheet(state: State[Kept], empty: Sheet) -> Sheet:
    """The sheet of a pad; with the figures that were told of the sides, if there are any."""
    told = dict.fromkeys(line.label for hand in state.scores for line in hand.lines)
    columns = {f"{{}} {label}": figure_of_line(label) for label in told}
    return (ledger({}, {**columns, "{}": running_total}) if told else PAD.sheet)(state, empty)


def stand_in(key: str) -> Game:
    """The stand-in page of a game; its key ends in `?`."""
    return replace(
        PAD, key=key, phases={"result": Phase("result", ACTS, "what each player or side won or lost in the hand")},
        on={**dict.fromkeys(ACTS, change_nothing), **dict.fromkeys(SEEN, keep_cards), Tally: keep_figures}, words={},
        match=replace(PAD.match, ended_by_the_table=lambda standing, terms: standing), readings={}, start=Kept,
        score=score, sheet=sheet,
        display=replace(PAD.display, headline=cards_as_played, reminders=tuple(SEEN.values())),
    )  # fmt: skip
