"""The command `practise`: a simulated hand is shown act by act, and the recorder types along. Nothing is stored."""

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
    """One hand, typed along with the cards of a pack; `plain` reads lines as they come. Raises NotFoundError for a game
    without a page."""
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
    for line in practice_outcome(practice):
        shell.out(line)


def _typed(practice: Practice, ask: Callable[[str], str]) -> bool:
    """Take lines until one moves the hand on; False if the recorder leaves."""
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
            # Of a line that was typed just now only the column needs to be said, and not of its first word.
            shell.warn(practice.in_pack.text(str(error).removeprefix("line 1, column 1: ").removeprefix("line 1, ")))
            continue
        (shell.out if reply.taken else shell.warn)(reply.text)
        if reply.taken:
            return True


def pack_letters(practice: Practice) -> str:
    """What is typed for the cards, if another pack than the French one lies on the table."""
    session = practice.session
    return "" if session.pack is FRENCH else typed_letters(session.pack, ranks_in_play(session.state))


def practice_outcome(practice: Practice) -> list[str]:
    """What was typed and what was missed, at the end."""
    lines = [f"You typed {practice.keys} keys; the shortest way found for what was shown takes {practice.shortest}."]
    if practice.missed:
        lines.append(f"Missed: {'; '.join(practice.missed)}.")
    return lines


def asker(practice: Practice) -> Callable[[str], str]:
    """How lines are asked for: with the line editor at a terminal, else as they come."""
    if not shell.can_edit():
        return ask_plain
    from prompt_toolkit.history import InMemoryHistory

    from cli.line_editor import LineEditor
    from replay.table.completion import CompletionWord, beginning_with, words_after

    def offered(typed: str) -> Sequence[CompletionWord]:
        before, _, begun = typed.rpartition(" ")
        words, told = words_after(before.split(), practice.session.state), practice.in_pack
        return beginning_with(begun, words if told.same else [CompletionWord(told.word(word.text), told.text(word.meaning)) for word in words])

    return LineEditor(offered, InMemoryHistory()).ask


def ask_plain(prompt: str) -> str:
    """A line of standard input. The prompt goes to standard error if that is a terminal. Raises EOFError at the end."""
    if shell.is_terminal(sys.stdin) and sys.stderr is not None:
        sys.stderr.write(prompt)
        sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line
