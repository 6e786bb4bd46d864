"""The line editor of `record` at a terminal: editing, Tab completion, and a history that is kept between sessions.

Only `record` at a terminal imports this module, because the editor takes longer to load than most commands take to
run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion, get_common_complete_suffix
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import to_formatted_text
from prompt_toolkit.history import DummyHistory, History
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput
from prompt_toolkit.layout.utils import explode_text_fragments
from prompt_toolkit.output import Output
from prompt_toolkit.output.defaults import create_output
from prompt_toolkit.shortcuts import CompleteStyle, PromptSession

from cli import shell
from replay.plain_text import text_columns as width_of
from replay.table.completion import CompletionWord, beginning_with

REMEMBERED = 1000
"""The number of lines kept in the history of a game."""
Words = Callable[[str], Sequence[CompletionWord]]


def history_path(game: str) -> Path:
    """The history file of a game, in the user's data folder."""
    from platformdirs import user_data_path

    return user_data_path("kibitz", appauthor=False) / "history" / f"{game}.txt"


class Remembered(History):
    """The history, kept in a file. If the file cannot be read or written, it lasts only for this session."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path

    def load_history_strings(self) -> Iterable[str]:
        """The lines, latest first."""
        try:
            lines = self.path.read_text(encoding="utf-8", errors="replace").splitlines()
            if len(lines) > 2 * REMEMBERED:
                lines = lines[-REMEMBERED:]
                self.path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
        except OSError:
            return []
        return [line for line in reversed(lines[-REMEMBERED:]) if line]

    def store_string(self, string: str) -> None:
        """Add a line to the history."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(string + "\n")
        except OSError:
            pass


class FromPosition(Completer):
    """Completes the last word of a line."""

    def __init__(self, words: Words) -> None:
        self.words = words

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """The possible completions of the last word."""
        typed = document.text_before_cursor
        begun = typed.rpartition(" ")[2]
        for word in self.words(typed):
            yield Completion(word.text, start_position=-len(begun), display_meta=shell.plain_line(word.meaning))


class WholeWords(Processor):
    """Moves a word that the screen edge would cut to the next row."""

    def __init__(self, prompt: Callable[[], str]) -> None:
        self.prompt = prompt

    def apply_transformation(self, given: TransformationInput) -> Transformation:
        """Fill the row with spaces before such a word. The text itself is not changed."""
        width = given.width
        text = "".join(fragment[1] for fragment in given.fragments)
        at = spaces_before(text, width_of(self.prompt()), width)
        if not at:
            return Transformation(given.fragments)
        out: Any = []
        for i, fragment in enumerate(explode_text_fragments(given.fragments)):
            if i in at:
                out.append(("", " " * at[i]))
            out.append(fragment)

        def shown(i: int) -> int:
            return i + sum(count for place, count in at.items() if place <= i)

        def typed(i: int) -> int:
            return next((j for j in range(len(text), -1, -1) if shown(j) <= i), 0)

        return Transformation(to_formatted_text(out), source_to_display=shown, display_to_source=typed)


def spaces_before(text: str, column: int, width: int) -> dict[int, int]:
    """The numbers of spaces to insert, by position, so that no word is cut if the text begins at this column.

    >>> spaces_before("c7 ka 9h", 3, 10), spaces_before("c7 ka", 3, 80)
    ({6: 1}, {})
    >>> spaces_before("abcd", 6, 8)
    {0: 2}
    """
    out: dict[int, int] = {}
    place = 0
    for word in text.split(" "):
        if column % width and width_of(word) <= width < column % width + width_of(word):
            out[place] = width - column % width
            column += out[place]
        column += width_of(word) + 1
        place += len(word) + 1
    return out


def keys() -> KeyBindings:
    """Ctrl-C clears the line, as a key or as a signal. Tab completes a word, or lists the possible completions."""
    bindings = KeyBindings()

    def clear(event: KeyPressEvent) -> None:
        event.current_buffer.reset()

    def complete(event: KeyPressEvent) -> None:
        buffer: Buffer = event.current_buffer
        if buffer.complete_state:
            buffer.complete_next()
            return
        # Done synchronously, so that later keys are inserted after the completed word.
        ways = list(buffer.completer.get_completions(buffer.document, CompleteEvent(completion_requested=True)))
        if len(ways) == 1:
            begun = -ways[0].start_position
            if begun:
                buffer.delete_before_cursor(begun)
            buffer.insert_text(ways[0].text)
        elif ways:
            buffer.insert_text(get_common_complete_suffix(buffer.document, ways))
            buffer.start_completion(select_first=False)

    bindings.add("c-i")(complete)

    bindings.add("c-c")(clear)
    bindings.add("<sigint>")(clear)
    return bindings


class LineEditor:
    """Reads lines at a terminal. `words` gives the possible completions of the last word of a line.

    Pasted text with several lines is returned line by line.
    """

    def __init__(
        self, words: Words, history: History, *, input: Input | None = None, output: Output | None = None,
    ) -> None:
        self.words = words
        self.waiting: list[str] = []
        self.prompt = ""
        if output is None:
            output = create_output()
            # Otherwise the editor waits for a terminal that does not report its cursor position, and warns about it.
            output.enable_cpr = False  # type: ignore[attr-defined]  # only a terminal has it
        self._lines: PromptSession[str] = self._session(
            history, FromPosition(lambda typed: self.words(typed)), input, output,
        )
        self._offered: Sequence[CompletionWord] = ()
        answers = FromPosition(lambda typed: beginning_with(typed.rpartition(" ")[2], self._offered))
        self._answers: PromptSession[str] = self._session(DummyHistory(), answers, input, output)

    def _session(
        self, history: History, completer: Completer, input: Input | None, output: Output,
    ) -> PromptSession[str]:
        return PromptSession(
            history=history, completer=completer, complete_while_typing=False, complete_style=CompleteStyle.COLUMN,
            enable_history_search=True, key_bindings=keys(),
            input_processors=[WholeWords(lambda: self.prompt.rpartition("\n")[2])], input=input, output=output,
        )  # fmt: skip

    def ask(self, prompt: str, offered: Sequence[CompletionWord] | None = None) -> str:
        """The next line. With `offered`, the answer to a question with these usual answers. Raises EOFError."""
        if offered is None and self.waiting:
            return self.waiting.pop(0)
        self.prompt, self._offered = shell.plain_line(prompt, keep="\n"), offered or ()
        typed = (self._lines if offered is None else self._answers).prompt(self.prompt)
        first, *rest = typed.splitlines() or [""]
        self.waiting += rest
        return first
