"""The command `practise`: a simulated hand is shown act by act, and the recorder types along. Nothing is stored."""

from __future__ import annotations

import sys
from collections.abc import Callable

from cli import shell
from events.errors import KibitzError
from replay.table.practice import Practice

WORDS = "Type what you see; Enter alone passes it over, `?` says what can be typed here, quit or Ctrl-D leaves."


def practise(game: str, seed: str, *, plain: bool = False) -> None:
    """One hand, typed along; `plain` reads lines as they come. Raises NotFoundError for a game without a page."""
    practice = Practice(game, seed)
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
    for line in outcome(practice):
        shell.out(line)


def _typed(practice: Practice, ask: Callable[[str], str]) -> bool:
    """Take lines until one moves the hand on; False if the recorder leaves."""
    while True:
        line = ask("> ").strip()
        if line.lower() in ("quit", "exit"):
            return False
        if line.lower() in ("?", "help"):
            shell.out_lines(practice.session.expected())
            continue
        try:
            reply = practice.answer(line) if line else practice.pass_over()
        except KibitzError as error:
            # Of a line that was typed just now only the column needs to be said, and not of its first word.
            shell.warn(str(error).removeprefix("line 1, column 1: ").removeprefix("line 1, "))
            continue
        (shell.out if reply.taken else shell.warn)(reply.text)
        if reply.taken:
            return True


def outcome(practice: Practice) -> list[str]:
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
    from replay.table.completion import completions

    return LineEditor(lambda typed: completions(typed, practice.session.state), InMemoryHistory()).ask


def ask_plain(prompt: str) -> str:
    """A line of standard input. The prompt goes to standard error if that is a terminal. Raises EOFError at the end."""
    if shell.is_terminal(sys.stdin) and sys.stderr is not None:
        sys.stderr.write(prompt)
        sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line
