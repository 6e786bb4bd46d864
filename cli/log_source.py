"""Sources of a log: a match of the store, a file, or standard input."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from cli import shell
from cli.record_files import looks_like_file, records_of, waiting
from events.errors import KibitzError, NotFoundError, UnreadableError
from events.limits import MOST_ERRORS

if TYPE_CHECKING:
    from events import Derived, Recorded
    from replay.read_log import ReadLog


class LogSource:
    """A loaded log. `name` is its display name; `match` is its id if it comes from the store.

    `errors` are the unreadable places of a file. `records` has the events that can be read. `kept` says what a record
    that is shown in part keeps back; it is empty if the record shows everything.
    """

    def __init__(
        self, name: str, records: Sequence[Recorded], *, match: str = "", derived: Sequence[Derived] = (),
        errors: Sequence[KibitzError] = (), kept: str = "",
    ) -> None:  # fmt: skip
        self.name, self.match, self.kept = name, match, kept
        self.records = list(records)
        self.derived = list(derived)
        self.errors = list(errors)

    @cached_property
    def log(self) -> ReadLog:
        """The records as a `ReadLog`, so that each command reads them only once."""
        from replay.read_log import read_log

        return read_log(self.records)

    def close(self, code: int = 0) -> None:
        """End the command: with 4 if something could not be read, else with `code`."""
        shell.exit_with(shell.UNREADABLE if self.errors else code)


def load_log(text: str) -> LogSource:
    """Load a log: of a file the first one, unless `records_of` was used to read them all.

    Unreadable places are printed on standard error. A file with nothing readable ends the command.

    Raises NotFoundError, UnreadableError or StoreError.
    """
    loaded = waiting.pop(text, None)
    if loaded is None and text != "-" and not looks_like_file(text):
        return _stored(text)
    errors: list[KibitzError] = []
    if loaded is None:
        names = records_of(text)
        loaded = waiting.pop(next(names))
        if (second := next(names, None)) is not None:
            del waiting[second]
            todo = "Put each into a file of its own; only the first was read here"
            errors = [UnreadableError("there is more than one match in it", where=text, expected="one", todo=todo)]
    errors += loaded.errors
    for error in errors[:MOST_ERRORS]:
        shell.fail(str(error))
    if len(errors) > MOST_ERRORS:
        shell.fail(f"… and {len(errors) - MOST_ERRORS} more places that cannot be read")
    if not loaded.records:
        shell.exit_with(shell.UNREADABLE)
    _say_what_to_install(loaded.records)
    if loaded.kept:
        shell.say(shell.plain_line(f"{loaded.file} is {loaded.kept}"))
    return LogSource(loaded.file, loaded.records, derived=loaded.derived, errors=errors, kept=loaded.kept)


def _stored(text: str) -> LogSource:
    try:
        with shell.store(write=False) as store:
            match = store.find(text)
            source = LogSource(match, store.told(match), match=match)
            _say_what_to_install(source.records)
            return source
    except NotFoundError as error:
        # The text may have been meant as a file name, so the error mentions both.
        if " matches begin with " in error.what:
            raise
        raise NotFoundError(
            f"there is no match and no file {text[:80]!r}"
            + ("" if "no match" in error.what else f", and {error.what}"),
            where=error.where, expected=error.expected, todo=error.todo or "`kibitz list` shows the matches",
        ) from error  # fmt: skip


def _say_what_to_install(records: Sequence[Recorded]) -> None:
    """Print an error line if the page of the game comes with a distribution that is not installed."""
    facts = getattr(records[0].event, "facts", {}) if records else {}
    if facts.get("Plugin"):
        from reducers.registry import is_missing, missing_page

        if is_missing(facts):
            shell.fail(str(missing_page(facts)))


def last_head(match: str) -> tuple[str, ...]:
    """The last signed head of the book of a match, as lines. Empty for a file, or if nothing is signed."""
    if not match:
        return ()

    with shell.store(write=False) as store:
        return store.slip(match)
