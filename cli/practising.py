"""The command `practise`: shows a simulated hand act by act while the user types along. Nothing is stored."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from cli import shell
from events.errors import KibitzError
from events.packs import FRENCH, TablePack
from replay.table.pack_typing import ranks_in_play, typed_letters
from replay.table.practice import Practice

WORDS = "Type what you see; Enter alone passes it over, `?` says what can be typed here, quit or Ctrl-D leaves."


def practise(game: str, seed: str, pack: TablePack = FRENCH, *, plain: bool = False) -> None:
    """Practise one hand with the cards of a pack. `plain` reads lines without the editor.

    Raises NotFoundError for an unknown game.
    """
    practice = Practice(game, seed, pack)
    shell.settings.cards = pack
    ask = ask_plain if plain else asker(practice)
    name = practice.session.state.game.name
    shell.say(f"{name}, a hand played by chance (--seed {seed} shows it again). {WORDS}", "bold")
    while not practice.over:
        for line in practice.shown():
            shell.out(f"  {line}")
        try:
            if not _typed(practice, ask):
                break
        except EOFError:
            shell.say("")
            break
    shell.out(*practice_outcome(practice))


def _typed(practice: Practice, ask: Callable[[str], str]) -> bool:
    """Read lines until one advances the hand. Return False if the user quits."""
    while True:
        line = ask("> ").strip()
        if line.lower() in ("quit", "exit"):
            return False
        if line.lower() in ("?", "help"):
            shell.out_lines(practice.in_pack.text(practice.session.expected()))
            if pack_letters(practice):
                shell.out_lines(pack_letters(practice))
            continue
        try:
            reply = practice.answer(line) if line else practice.pass_over()
        except KibitzError as error:
            # For a line that was just typed, the column is enough, and column 1 needs no mention.
            shell.warn(practice.in_pack.text(str(error).removeprefix("line 1, column 1: ").removeprefix("line 1, ")))
            continue
        (shell.out if reply.taken else shell.warn)(reply.text)
        if reply.taken:
            return True


def pack_letters(practice: Practice) -> str:
    """The letters to type for the cards, if the pack on the table is not French."""
    session = practice.session
    return "" if session.pack is FRENCH else typed_letters(session.pack, ranks_in_play(session.state))


def practice_outcome(practice: Practice) -> list[str]:
    """The summary at the end: what was typed and what was missed."""
    lines = [f"You typed {practice.keys} keys; the shortest way found for what was shown takes {practice.shortest}."]
    if practice.missed:
        lines.append(f"Missed: {'; '.join(practice.missed)}.")
    return lines


def asker(practice: Practice) -> Callable[[str], str]:
    """The function that reads lines: with the line editor at a terminal, else plain."""
    if not shell.can_edit():
        return ask_plain
    from prompt_toolkit.history import InMemoryHistory

    from cli.line_editor import LineEditor
    from replay.table.completion import CompletionWord, beginning_with, words_after

    def offered(typed: str) -> Sequence[CompletionWord]:
        before, _, begun = typed.rpartition(" ")
        words, told = words_after(before.split(), practice.session.state), practice.in_pack
        return beginning_with(
            begun,
            words if told.same else [CompletionWord(told.word(word.text), told.text(word.meaning)) for word in words],
        )

    return LineEditor(offered, InMemoryHistory()).ask


def ask_plain(prompt: str) -> str:
    """A line from standard input. The prompt goes to standard error if input is a terminal. Raises EOFError at the
    end."""
    if shell.is_terminal(sys.stdin) and sys.stderr is not None:
        sys.stderr.write(prompt)
        sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line
