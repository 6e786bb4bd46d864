"""The one place where database errors become errors with advice for a person."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors

from events.errors import KibitzError, StoreError, UsageError
from records.errors import TryAgainError

IN_USE = ("the book is in use by another program", "Wait a moment and try again, or close the other program")

_SENTENCES: tuple[tuple[tuple[type[psycopg.Error], ...], str, str], ...] = (
    ((errors.LockNotAvailable,), *IN_USE),
    (
        (errors.InsufficientPrivilege, errors.ReadOnlySqlTransaction),
        "the store may not be changed, or not even read, by this role",
        "Name another role in the address, or ask for the rights",
    ),
    (
        (errors.DiskFull, errors.OutOfMemory, errors.ConfigurationLimitExceeded),
        "the server has no room left; nothing was recorded", "Make room there and try again",
    ),
    (
        (errors.DataCorrupted, errors.IndexCorrupted), "the store is damaged",
        "Stop the server and copy its directory before anything else; then go back to a backup",
    ),
    (
        (errors.UndefinedTable, errors.UndefinedColumn), "the store is damaged: a part of its tables is missing",
        "Go back to a backup; nothing was changed",
    ),
    (
        (errors.IntegrityError,), "the store refuses an entry that contradicts what it holds",
        "Check the store; this is a fault of the program or of the database",
    ),
)
_AGAIN = (errors.SerializationFailure, errors.DeadlockDetected, errors.UniqueViolation)
"""Conflicts with concurrent transactions: what was rolled back may simply be retried. Two that open the same match or
make the same book violate a key; the retry finds the row that the first one wrote."""


def refusal(error: psycopg.Error, place: str) -> KibitzError:
    """The error that explains a fault of the server or its driver."""
    said = (error.diag.message_primary or str(error)).strip().split("\n")[0] if error.diag else str(error)
    if isinstance(error, _AGAIN):
        return TryAgainError(
            f"others wrote at the same moment ({said})", where=place, todo="Try again; nothing was recorded",
        )
    for kinds, what, todo in _SENTENCES:
        if isinstance(error, kinds):
            return StoreError(what if what == IN_USE[0] else f"{what} ({said})", where=place, todo=todo)
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return StoreError(
            f"the database cannot be reached ({said})", where=place,
            todo="Look at the address and at the server, then do it again; what was acknowledged is kept",
        )  # fmt: skip
    if isinstance(error, psycopg.DataError):
        return UsageError(f"a store cannot hold this text or number ({said})", where=place)
    return StoreError(f"the store cannot be used ({said})", where=place)


def error_for(error: BaseException, place: str) -> KibitzError | None:
    """The error for a fault of the server or its driver; None for any other exception."""
    if isinstance(error, psycopg.Error):
        return refusal(error, place)
    if isinstance(error, UnicodeEncodeError | OverflowError):
        return UsageError(f"a store cannot hold this text or number ({error})", where=place)
    return None


@contextmanager
def translated_errors(place: str) -> Iterator[None]:
    """Raise database errors inside as StoreError or UsageError."""
    try:
        yield
    except Exception as error:
        if (said := error_for(error, place)) is None:
            raise
        raise said from error
