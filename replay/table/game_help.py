"""The help of `kibitz record` for one game, from the declarations of its module.

`help` is one screen: the deal, the acts, the words, the result line, and what can be typed at any time. `help all`
lists every part of a hand and every fact of a tally.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from functools import reduce
from typing import Any

from events.cards import pretty
from reducers.model import Phase, State
from replay.languages.translate import in_language, phrase, t
from replay.plain_text import wrapped
from replay.table.example import open_deals, shortest
from replay.table.line_reader import LineReader
from replay.table.result_line import asked_facts, figure_order, result_example, usage
from replay.table.wording import expects_spoken, word_meaning

WIDTH = 78
SCREEN = 24
"""The lines of one screen."""
INTRODUCTION = phrase("Type what happens, one act per line. What you leave out is filled in from the position.")
FIGURES = phrase("Type what each hand came to, one hand per line. Nothing is dealt or played here.")
COLUMN = 20
ALWAYS = (
    (".", phrase("the usual act of the player to act")),
    ("{second} 7h", phrase("another player than expected; x is an unseen card")),
    ("hand  deal", phrase("begins a new hand; its cards, as far as they are open: deal {first}=AhKd…")),
    ("… !", phrase("keep it as it was played, without asking")),
    ("… {text}", phrase("a remark on the line")),
)
AFTER = (
    (phrase("Corrections"), "undo  undo line  redo  {fix}"),
    (
        phrase("Taken back"),
        phrase("back   {first} back   the table lets a player take back the last act; the same seat acts again"),
    ),
    (phrase("About"), "note 15 text   claim {claim}   confirm   {fault}"),
    (
        phrase("Substitute"),
        phrase('open {first}="Timo"   Timo sits there from here on; who changes seats is written in one line'),
    ),
    (phrase("Join, leave"), phrase("join Timo   join Timo after {first}   leave {first}   between two hands")),
    (phrase("Look"), phrase("?  where you are and what is expected   show  score  sheet  check  log")),
    (phrase("Leave"), phrase("quit (or Ctrl-D); nothing needs saving")),
)


def help_screen(reader: LineReader, columns: int = WIDTH) -> list[str]:
    """What can be typed at this table, on one screen of at most `columns` (at least 60) columns."""
    state = reader.state
    what = (
        t("{game}: type what happens; what you leave out is filled in.", game=in_language(state.game.name))
        if state.game.has_cards else t(
            "{game}: type what each hand came to, one hand per line. Nothing is dealt or played here.",
            game=in_language(state.game.name),
        )
    )
    before = list(wrapped(what, columns))
    before += _item(t("the deal"), _deal(reader), columns) if state.game.has_cards else []
    after = _item(t("a result"), _result(state), columns)
    claim = " ".join(f"{side}=…" for side in state.terms.sides)
    if not state.game.has_cards:
        after += [line for typed, meaning in results_typed(state) for line in _item(typed, meaning, columns)]
    for head, text in IN_SHORT if state.game.has_cards else IN_SHORT_OF_FIGURES:
        line, seat = result_example(state) if not state.game.has_cards else "", state.terms.seats[1]
        text = said_with(text, seat=seat, claim=claim, text="{text}", line=line, fault=fault_example(state, seat))
        # Keep related words on one line.
        together = " · ".join(part.replace(" ", TIE) for part in text.split(" · "))
        after += [line.replace(TIE, " ") for line in _item(t(head), together, columns)]
    room = SCREEN - len(before) - len(after)
    acts: list[str] = []
    for most, most_said in ((9, 2), (3, 2), (2, 2), (1, 2), (1, 1)):
        acts = [line for phase in _phases(state) for line in _item(*in_words(phase, state), columns, most)]
        acts += _item(t("said"), _said(state), columns, most_said)
        if len(acts) <= room:
            break
    return [*before, *acts[:room], *after]


IN_SHORT = (
    (
        phrase("always"),
        phrase(". the usual act · {seat} 7h somebody else's · x an unseen card · ! as it was played · {text} a remark"),
    ),
    (
        phrase("correct"),
        phrase("undo · undo line · redo · fix 15 Jh · fix 15+ {seat} Kd (put in after it) · fix 15- (struck out)"),
    ),
    (
        phrase("about"),
        phrase(
            "back an act taken back at the table · note 15 text · claim {claim} · confirm · {fault} · "
            "hand begins the next"
        ),
    ),
    (phrase("look"), phrase("? here and now · show · score · sheet · check · log · help all · quit")),
)
IN_SHORT_OF_FIGURES = (
    (phrase("correct"), phrase("undo · undo line · redo · fix 15 {line} · fix 15- (struck out)")),
    (phrase("about"), "note 15 text · claim {claim} · confirm"),
    IN_SHORT[-1],
)
TIE = "\x00"
HEADS = 11
"""The columns of the heads of a screen."""


def said_with(text: str, /, **places: object) -> str:
    """A text of the help in the language that is spoken, with its examples."""
    return in_language(text).format_map(places)


def in_words(phase: Phase, state: State[Any]) -> tuple[str, str]:
    """A part of a hand, and what it expects: in another language than English without the notation."""
    return in_language(phase.name, state.game.key), expects_spoken(phase.expects, state.game)


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
        typed = reduce(lambda one, other: t("{line} then {more}", line=one, more=other), lines)
        return (
            t("{lines} for what lies open", lines=typed) if before.state.game.dealing.no_hands
            else t("{lines} for what lies open; {line} for a hand that does", lines=typed, line=f"deal {seat}=…")
        )
    return t("need not be typed; {line} for a hand that lies open", line=f"deal {seat}=AhKd…")


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
        f"{spoken(word)} ({in_language(word_meaning(text), state.game.key)})"
        for word, text in said.items()
    )


def _result(state: State[Any]) -> str:
    """How the result of a hand is typed. For a game without cards that was explained before."""
    if not state.game.has_cards:
        return t("a figure for each, - for unknown; r asks for each")
    if next(asked_facts(state, {}), None) is not None:
        told = usage(state)
        again = next((word for word in told.split() if told.split().count(word) > 1), "")
        shown = t("{line} ({word} of each of the others in turn)", line=told, word=again) if again else told
        return t("{line} · - unknown · r asks for each", line=shown)
    return f"tally KEY=VALUE …: {', '.join(key_as_typed(key, state) for key in state.game.tally.facts)}"


def help_lines(state: State[Any]) -> Iterator[str]:
    """Everything that can be typed at this table, at most 78 columns wide."""
    game, terms = state.game, state.terms
    yield from textwrap.wrap(t(INTRODUCTION) if game.has_cards else t(FIGURES), WIDTH)
    for phase in game.phases.values():
        name, expects = in_words(phase, state)
        yield from help_row(f"  {name}", expects)
    yield ""
    for typed, meaning in acts_typed(state) if game.has_cards else results_typed(state):
        yield from help_row(f"  {typed}", meaning)
    said = {
        word: word_meaning(text) for word, text in game.words.items() if text.startswith("call: ")
        or game.spoken(word) != word
    }
    if said:
        yield t("Said aloud")
        for word, meaning in said.items():
            yield from help_row(f"  {word}", in_language(meaning, game.key))
    if next(asked_facts(state, {}), None) is not None:
        yield from help_row(
            t("Result of a hand"),
            t("{line}, in this order; - for unknown; r alone asks for each", line=usage(state)),
        )
    yield (
        t("A hand without its moves: tally and any of these") if game.has_cards
        else t("One figure by itself: tally and any of these")
    )
    for key, fact in game.tally.facts.items():
        yield from help_row(f"  {key_as_typed(key, state)}=", in_language(fact.meaning, game.key))
    claim = " ".join(f"{side}=…" for side in terms.sides)
    fix = (
        f"fix 15 Jh  fix 15+ {terms.seats[-1]} Kd  fix 15-" if game.has_cards
        else f"fix 15 {result_example(state)}  fix 15-"
    )
    for head, text in AFTER:
        if head == "Join, leave" and not game.match.open_table:
            continue
        yield from help_row(
            t(head), said_with(
                text, claim=claim, fix=fix, fault=fault_example(state, terms.seats[-1]), first=terms.seats[0],
            ),
        )


def acts_typed(state: State[Any]) -> Iterator[tuple[str, str]]:
    """What can be typed in a game with cards, and what it means."""
    first, second = state.terms.seats[:2]
    several = (several_cards(state),) if any(phase.one_card for phase in state.game.phases.values()) else ()
    for typed, meaning in (*several, *ALWAYS):
        yield typed.format(second=second, text="{text}"), said_with(meaning, first=first)


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
        t("a whole trick: {cards}; a suit carries on, a rank alone follows suit", cards=cards) if trick
        else t("cards of each in turn: {cards}; a suit carries on", cards=cards)
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
    yield line, t("the points of {who}; the figures alone will do", who=figure_order(state))
    yield "result void", t("the hand does not count; misdeal: it is dealt again")
    yield "end match", t("the evening is over")
    yield f"{line} {{text}}", t("a note of the hand")


def first_words(state: State[Any]) -> str:
    """The hint before the first line of a match."""
    if state.game.has_cards:
        return t(
            "You need not type the deal: begin with the first bid or card. {line} notes a hand that lies open.",
            line="`deal N=…`",
        )
    return t(
        "Type what each hand came to, in this order: {who}. For example {line}.", who=figure_order(state),
        line=f"`{result_example(state)}`",
    )


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
