"""What a recorder can type in one game: the help of `kibitz record`, from what the page declares."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from reducers.model import State
from replay.table.result_line import asked, example, in_order, usage

WIDTH = 78
INTRODUCTION = "Type what happens, one act per line. What you leave out is filled in from the position."
FIGURES = "Type what each hand came to, one hand per line. Nothing is dealt or played here."
COLUMN = 20
WHOLE_TRICK = ("c7ka9", "a whole trick: 7♣ K♣ A♣ 9♣; a suit carries on, a rank alone follows suit")
ALWAYS = (
    (".", "the usual act of the player to act"),
    ("{second} 7h", "somebody other than expected; x is a card nobody saw"),
    ("hand  deal", "begins a new hand; its cards, as far as they are open: deal {first}=AhKd…"),
    ("… !", "keep it as it was played, without asking"),
    ("… {text}", "a remark on the line"),
)
AFTER = (
    ("Corrections", "undo  undo line  redo  {fix}"),
    ("About", "note 15 text   claim {claim}   confirm   fault revoke {seat}"),
    ("Look", "?  what is expected   show  score  sheet  check  log"),
    ("Leave", "quit (or Ctrl-D); nothing needs saving"),
)


def help_lines(state: State[Any]) -> Iterator[str]:
    """What can be typed at this table, at most 78 columns wide."""
    game, terms = state.game, state.terms
    yield from textwrap.wrap(INTRODUCTION if game.has_cards else FIGURES, WIDTH)
    for phase in game.phases.values():
        yield from entry(f"  {phase.name}", phase.expects)
    yield ""
    for typed, meaning in acts_typed(state) if game.has_cards else results_typed(state):
        yield from entry(f"  {typed}", meaning)
    said = {word: text.removeprefix("call: ") for word, text in game.words.items() if text.startswith("call: ")}
    if said:
        yield "Said aloud"
        for word, meaning in said.items():
            yield from entry(f"  {word}", meaning.partition("; ")[0])
    if next(asked(state, {}), None) is not None:
        yield from entry("Result of a hand", f"{usage(state)}, in this order; - for what nobody knows; r alone asks for each")
    yield "A hand without its moves: tally and any of these" if game.has_cards else "One figure by itself: tally and any of these"
    for key, fact in game.tally.facts.items():
        yield from entry(f"  {shown(key, state)}=", fact.meaning)
    claim = " ".join(f"{side}=…" for side in terms.sides)
    fix = "fix 15 Jh  fix 15+ S Td  fix 15-" if game.has_cards else f"fix 15 {example(state)}  fix 15-"
    for head, text in AFTER:
        yield from entry(head, text.format(claim=claim, seat=terms.seats[-1], fix=fix))


def acts_typed(state: State[Any]) -> Iterator[tuple[str, str]]:
    """What can be typed where cards are played, and what it means."""
    first, second = state.terms.seats[:2]
    tricks = (WHOLE_TRICK,) if any(phase.one_card for phase in state.game.phases.values()) else ()
    for typed, meaning in (*tricks, *ALWAYS):
        yield typed.format(second=second, text="{text}"), meaning.format(first=first)


def results_typed(state: State[Any]) -> Iterator[tuple[str, str]]:
    """What can be typed where only results are kept, and what it means."""
    line = example(state)
    yield line, f"the points of {in_order(state)}; the figures alone will do"
    yield "result void", "the hand does not count; misdeal: it is dealt again"
    yield "end match", "the evening is over"
    yield f"{line} {{text}}", "a note of the hand"


def first_words(state: State[Any]) -> str:
    """What a recorder reads before the first line of a match."""
    if state.game.has_cards:
        return "You need not type the deal: begin with the first bid or card. `deal N=…` notes a hand that lies open."
    return f"Type what each hand came to, in this order: {in_order(state)}. For example `{example(state)}`."


def shown(key: str, state: State[Any]) -> str:
    """A key as one types it: of the first side, or the first number.

    >>> from reducers.begin import begin
    >>> [shown(key, begin({"Game": "kaiser"})) for key in ("tricks.*", "trick.#", "five")]
    ['tricks.NS', 'trick.1', 'five']
    """
    return key.replace("*", next(iter(state.terms.sides))).replace("#", "1")


def entry(head: str, text: str) -> list[str]:
    """A word and what it means, in two columns."""
    gap = " " * max(COLUMN - len(head), 2)
    return textwrap.wrap(text, WIDTH, initial_indent=head + gap, subsequent_indent=" " * COLUMN, break_on_hyphens=False)
