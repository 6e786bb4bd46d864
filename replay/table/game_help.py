"""What a recorder can type in one game: the help of `kibitz record`, from what the page declares."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from reducers.model import State
from replay.table.result_line import asked, usage

WIDTH = 78
INTRODUCTION = "Type what happens, one act per line. What you leave out is filled in from the position."
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
    ("Corrections", "undo  undo line  redo  fix 15 Jh  fix 15+ S Td  fix 15-"),
    ("About", "note 15 text   claim {claim}   confirm   fault revoke {seat}"),
    ("Look", "?  what is expected   show  score  sheet  check  log"),
    ("Leave", "quit (or Ctrl-D); nothing needs saving"),
)


def help_lines(state: State[Any]) -> Iterator[str]:
    """What can be typed at this table, at most 78 columns wide."""
    game, terms = state.game, state.terms
    first, second = terms.seats[0], terms.seats[1]
    yield from textwrap.wrap(INTRODUCTION, WIDTH)
    for phase in game.phases.values():
        yield from entry(f"  {phase.name}", phase.expects)
    yield ""
    tricks = (WHOLE_TRICK,) if any(phase.one_card for phase in game.phases.values()) else ()
    for typed, meaning in (*tricks, *ALWAYS):
        yield from entry(f"  {typed.format(second=second, text='{text}')}", meaning.format(first=first))
    said = {word: text.removeprefix("call: ") for word, text in game.words.items() if text.startswith("call: ")}
    if said:
        yield "Said aloud"
        for word, meaning in said.items():
            yield from entry(f"  {word}", meaning.partition("; ")[0])
    if next(asked(state, {}), None) is not None:
        yield from entry("Result of a hand", f"{usage(state)}, in this order; - for what nobody knows; r alone asks for each")
    yield "A hand without its moves: tally and any of these"
    for key, fact in game.tally.facts.items():
        yield from entry(f"  {shown(key, state)}=", fact.meaning)
    claim = " ".join(f"{side}=…" for side in terms.sides)
    for head, text in AFTER:
        yield from entry(head, text.format(claim=claim, seat=terms.seats[-1]))


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
