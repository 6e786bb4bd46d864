"""The help of `kibitz record` for one game, from the declarations of its module.

`help` is one screen: the deal, the acts, the words, the result line, and what can be typed at any time. `help all`
lists every part of a hand and every fact of a tally.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from events.cards import pretty
from reducers.model import Phase, State
from replay.plain_text import wrapped
from replay.table.example import open_deals, shortest
from replay.table.line_reader import LineReader
from replay.table.result_line import asked_facts, figure_order, result_example, usage

WIDTH = 78
SCREEN = 24
"""The lines of one screen."""
INTRODUCTION = "Type what happens, one act per line. What you leave out is filled in from the position."
FIGURES = "Type what each hand came to, one hand per line. Nothing is dealt or played here."
COLUMN = 20
ALWAYS = (
    (".", "the usual act of the player to act"),
    ("{second} 7h", "another player than expected; x is an unseen card"),
    ("hand  deal", "begins a new hand; its cards, as far as they are open: deal {first}=AhKd…"),
    ("… !", "keep it as it was played, without asking"),
    ("… {text}", "a remark on the line"),
)
AFTER = (
    ("Corrections", "undo  undo line  redo  {fix}"),
    ("Taken back", "back   {first} back   the table lets a player take back the last act; the same seat acts again"),
    ("About", "note 15 text   claim {claim}   confirm   {fault}"),
    ("Substitute", 'open {first}="Timo"   Timo sits there from here on; who changes seats is written in one line'),
    ("Join, leave", 'join Timo   join Timo after {first}   leave {first}   between two hands'),
    ("Look", "?  where you are and what is expected   show  score  sheet  check  log"),
    ("Leave", "quit (or Ctrl-D); nothing needs saving"),
)


def help_screen(reader: LineReader, columns: int = WIDTH) -> list[str]:
    """What can be typed at this table, on one screen of at most `columns` (at least 60) columns."""
    state = reader.state
    what = "type what happens; what you leave out is filled in." if state.game.has_cards else FIGURES
    before = list(wrapped(f"{state.game.name}: {what[0].lower()}{what[1:]}", columns))
    before += _item("the deal", _deal(reader), columns) if state.game.has_cards else []
    after = _item("a result", _result(state), columns)
    claim = " ".join(f"{side}=…" for side in state.terms.sides)
    if not state.game.has_cards:
        after += [line for typed, meaning in results_typed(state) for line in _item(typed, meaning, columns)]
    for head, text in IN_SHORT if state.game.has_cards else IN_SHORT_OF_FIGURES:
        line, seat = result_example(state) if not state.game.has_cards else "", state.terms.seats[1]
        text = text.format(seat=seat, claim=claim, text="{text}", line=line, fault=fault_example(state, seat))
        # Keep related words on one line.
        together = " · ".join(part.replace(" ", TIE) for part in text.split(" · "))
        after += [line.replace(TIE, " ") for line in _item(head, together, columns)]
    room = SCREEN - len(before) - len(after)
    acts: list[str] = []
    for most, most_said in ((9, 2), (3, 2), (2, 2), (1, 2), (1, 1)):
        acts = [line for phase in _phases(state) for line in _item(phase.name, phase.expects, columns, most)]
        acts += _item("said", _said(state), columns, most_said)
        if len(acts) <= room:
            break
    return [*before, *acts[:room], *after]


IN_SHORT = (
    ("always", ". the usual act · {seat} 7h somebody else's · x an unseen card · ! as it was played · {text} a remark"),
    ("correct", "undo · undo line · redo · fix 15 Jh · fix 15+ {seat} Kd (put in after it) · fix 15- (struck out)"),
    (
        "about",
        "back an act taken back at the table · note 15 text · claim {claim} · confirm · {fault} · hand begins the next",
    ),
    ("look", "? here and now · show · score · sheet · check · log · help all · quit"),
)
IN_SHORT_OF_FIGURES = (
    ("correct", "undo · undo line · redo · fix 15 {line} · fix 15- (struck out)"),
    ("about", "note 15 text · claim {claim} · confirm"),
    IN_SHORT[-1],
)
TIE = "\x00"
HEADS = 11
"""The columns of the heads of a screen."""


def _item(head: str, text: str, columns: int, most: int = 9) -> list[str]:
    """A head and its text, in at most `most` lines; nothing without text."""
    if not text:
        return []
    lead = f"{head:<{HEADS - 2}}  " if len(head) <= HEADS - 2 else f"{head}: "
    lines = list(wrapped(lead + text, columns))
    if len(lines) > most:
        last = lines[most - 1]
        lines = [*lines[: most - 1], (last if len(last) < columns - 1 else last.rpartition(" ")[0]) + " …"]
    return lines


def _deal(reader: LineReader) -> str:
    """How to type the deal of a hand, even during a hand."""
    seat = reader.state.terms.seats[0]
    before = reader.at_the_beginning
    lines = [shortest(deal, before) for deal in open_deals(before.state)]
    if lines and all(lines):
        hand = f"; deal {seat}=… for a hand that does" if not before.state.game.dealing.no_hands else ""
        return f"{' then '.join(lines)} for what lies open{hand}"
    return f"need not be typed; deal {seat}=AhKd… for a hand that lies open"


def _phases(state: State[Any]) -> list[Phase]:
    """The parts of a hand except "gap". Parts with the same input are listed once; of two with one name, the fuller
    text is kept."""
    phases = {
        phase.expects: phase for key, phase in reversed([*state.game.phases.items()]) if key not in ("gap", "between")
    }
    shown = list(reversed(phases.values()))
    return [
        p for p in shown if not any(q is not p and q.name == p.name and q.expects.startswith(p.expects) for q in shown)
    ]


def _said(state: State[Any]) -> str:
    """The words called in this game, spaced if they may be typed in parts (`pay me`)."""
    words, spoken = state.game.words, state.game.spoken
    # A word said in parts may be listed with more text about its spelling.
    said = {
        word: text for word, text in words.items() if text.startswith("call: ")
        or spoken(word) != word
    }
    return " · ".join(
        f"{spoken(word)} ({text.partition(': ')[2].partition(';')[0]})" for word, text in said.items()
    )


def _result(state: State[Any]) -> str:
    """How the result of a hand is typed. For a game without cards that was explained before."""
    if not state.game.has_cards:
        return "a figure for each, - for unknown; r asks for each"
    if next(asked_facts(state, {}), None) is not None:
        told = usage(state)
        again = next((word for word in told.split() if told.split().count(word) > 1), "")
        others = f" ({again} of each of the others in turn)" if again else ""
        return f"{told}{others} · - unknown · r asks for each"
    return f"tally KEY=VALUE …: {', '.join(key_as_typed(key, state) for key in state.game.tally.facts)}"


def help_lines(state: State[Any]) -> Iterator[str]:
    """Everything that can be typed at this table, at most 78 columns wide."""
    game, terms = state.game, state.terms
    yield from textwrap.wrap(INTRODUCTION if game.has_cards else FIGURES, WIDTH)
    for phase in game.phases.values():
        yield from help_row(f"  {phase.name}", phase.expects)
    yield ""
    for typed, meaning in acts_typed(state) if game.has_cards else results_typed(state):
        yield from help_row(f"  {typed}", meaning)
    said = {
        word: text.partition(": ")[2] for word, text in game.words.items() if text.startswith("call: ")
        or game.spoken(word) != word
    }
    if said:
        yield "Said aloud"
        for word, meaning in said.items():
            yield from help_row(f"  {word}", meaning.partition("; ")[0])
    if next(asked_facts(state, {}), None) is not None:
        yield from help_row(
            "Result of a hand", f"{usage(state)}, in this order; - for unknown; r alone asks for each",
        )
    yield (
        "A hand without its moves: tally and any of these" if game.has_cards
        else "One figure by itself: tally and any of these"
    )
    for key, fact in game.tally.facts.items():
        yield from help_row(f"  {key_as_typed(key, state)}=", fact.meaning)
    claim = " ".join(f"{side}=…" for side in terms.sides)
    fix = (
        f"fix 15 Jh  fix 15+ {terms.seats[-1]} Kd  fix 15-" if game.has_cards
        else f"fix 15 {result_example(state)}  fix 15-"
    )
    for head, text in AFTER:
        if head == "Join, leave" and not game.match.open_table:
            continue
        yield from help_row(
            head, text.format(claim=claim, fix=fix, fault=fault_example(state, terms.seats[-1]), first=terms.seats[0]),
        )


def acts_typed(state: State[Any]) -> Iterator[tuple[str, str]]:
    """What can be typed in a game with cards, and what it means."""
    first, second = state.terms.seats[:2]
    several = (several_cards(state),) if any(phase.one_card for phase in state.game.phases.values()) else ()
    for typed, meaning in (*several, *ALWAYS):
        yield typed.format(second=second, text="{text}"), meaning.format(first=first)


def several_cards(state: State[Any]) -> tuple[str, str]:
    """Cards of several players in one word, with the meaning: a trick, or cards one after the other.

    >>> from reducers.first_state import begin
    >>> several_cards(begin({"Game": "scopa"}))
    ('c7kaq', 'cards of each in turn: 7♣ K♣ A♣ Q♣; a suit carries on')
    """
    ranks = [rank for rank in "7KA9Q" if state.game.pack.rank[rank]][:4]
    cards = " ".join(pretty(rank + "c") for rank in ranks)
    trick = of_tricks(state)
    means = (
        f"a whole trick: {cards}; a suit carries on, a rank alone follows suit" if trick
        else f"cards of each in turn: {cards}; a suit carries on"
    )
    return f"c{''.join(ranks).lower()}", means


def of_tricks(state: State[Any]) -> bool:
    """True if the game has tricks."""
    return state.game.family.startswith("tricks")


def fault_example(state: State[Any], seat: str) -> str:
    """An example of an irregularity: a revoke in trick games, or else the first that the game names, or a misdeal."""
    named = next((word for word, text in state.game.words.items() if text.startswith("fault:")), "misdeal")
    return f"fault {'revoke' if of_tricks(state) else named} {seat}"


def results_typed(state: State[Any]) -> Iterator[tuple[str, str]]:
    """What can be typed if only results are kept, and what it means."""
    line = result_example(state)
    yield line, f"the points of {figure_order(state)}; the figures alone will do"
    yield "result void", "the hand does not count; misdeal: it is dealt again"
    yield "end match", "the evening is over"
    yield f"{line} {{text}}", "a note of the hand"


def first_words(state: State[Any]) -> str:
    """The hint before the first line of a match."""
    if state.game.has_cards:
        return "You need not type the deal: begin with the first bid or card. `deal N=…` notes a hand that lies open."
    return f"Type what each hand came to, in this order: {figure_order(state)}. For example `{result_example(state)}`."


def key_as_typed(key: str, state: State[Any]) -> str:
    """An example of a key: for the first side, or the first number.

    >>> from reducers.first_state import begin
    >>> [key_as_typed(key, begin({"Game": "kaiser"})) for key in ("tricks.*", "trick.#", "five")]
    ['tricks.NS', 'trick.1', 'five']
    """
    return key.replace("*", next(iter(state.terms.sides))).replace("#", "1")


def help_row(head: str, text: str) -> list[str]:
    """A word and its meaning, in two columns."""
    gap = " " * max(COLUMN - len(head), 2)
    return textwrap.wrap(text, WIDTH, initial_indent=head + gap, subsequent_indent=" " * COLUMN, break_on_hyphens=False)
