"""The errors of Kibitz. Each says what is wrong, where, what was expected and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class KibitzError(Exception):
    """A mistake that a person can correct. `exit_code` is the exit code of the command line.

    `what` says what is wrong; `where` names a file, line, column or event; `expected` says what would have been
    right; `todo` says what to do now. Empty parts are left out of the message.
    """

    exit_code = 4

    def __init__(self, what: str, *, where: str = "", expected: str = "", todo: str = "") -> None:
        self.what, self.where, self.expected, self.todo = what, where, expected, todo
        super().__init__(str(self))

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        if self.expected:
            text += f"; expected {self.expected}"
        if self.todo:
            text += f". {self.todo}"
        return text


class UnreadableError(KibitzError):
    """Input that cannot be read: bad text, bad JSON, a file from a newer version, an impossible set-up."""

    exit_code = 4


class NotationError(UnreadableError):
    """Text of a `.kib` file that cannot be read. `line` and `column` count from 1."""

    def __init__(
        self, what: str, *, line: int = 1, column: int = 1, expected: str = "", todo: str = "", file: str = ""
    ) -> None:
        self.line, self.column, self.file = line, column, file
        place = f"line {line}, column {column}"
        super().__init__(what, where=f"{file}, {place}" if file else place, expected=expected, todo=todo)


class UsageError(KibitzError):
    """A command or call that asks for something that does not exist, or combines things that do not go together."""

    exit_code = 2


@contextmanager
def needs_extra(what: str, extra: str, or_else: str = "") -> Iterator[None]:
    """A block for imports from an extra. Raises UsageError, which says `what` needs it, if one of them fails."""
    try:
        yield
    except ImportError as error:
        raise UsageError(
            f"{what} needs the extra kibitz[{extra}]", todo=f"Install it with `pip install 'kibitz[{extra}]'`{or_else}."
        ) from error


class NotFoundError(KibitzError):
    """A match, book, file, game or event that does not exist."""

    exit_code = 5


class ConflictError(KibitzError):
    """A conflict between two writers, or between two records of one match. Nothing was written."""

    exit_code = 6


class StoreError(KibitzError):
    """The store cannot be used: it is locked, read-only, full, damaged, or from a newer version."""

    exit_code = 7
