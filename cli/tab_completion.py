"""Shell completions on Tab: games, matches, formats, books. On an error they offer nothing and print nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from records.rows import MatchRow

Offered = list[tuple[str, str]]


def complete_games(incomplete: str) -> Offered:
    """The keys of the games that begin with this text."""
    from reducers.registry import usable_pages

    return [(page.key, page.name) for page in usable_pages(incomplete.lower())[0]]


def complete_open_matches(ctx: typer.Context, incomplete: str) -> Offered:
    """The open matches that begin with this text, latest first."""
    return _matches(ctx, incomplete, open_only=True)


def complete_matches(ctx: typer.Context, incomplete: str) -> Offered:
    """The matches that begin with this text, open ones first. If there is none, the shell completes file names."""
    return _matches(ctx, incomplete, open_only=False)


def complete_books(ctx: typer.Context, incomplete: str) -> list[str]:
    """The books of the store that begin with this text."""
    return sorted({row.book for row in _rows(ctx) if row.book.startswith(incomplete)})


def complete_words(*words: str) -> Callable[[str], list[str]]:
    """A function that completes these words.

    >>> complete_words("kib", "jsonl")("j")
    ['jsonl']
    """
    return lambda incomplete: [word for word in words if word.startswith(incomplete.lower())]


def _matches(ctx: typer.Context, incomplete: str, *, open_only: bool) -> Offered:
    found = [row for row in _rows(ctx) if row.match.startswith(incomplete) and not (open_only and row.over)]
    return [(row.match, _told(row)) for row in sorted(found, key=lambda row: row.over)]


def _told(row: MatchRow) -> str:
    """A short description of a match: its game and its players."""
    names = [str(row.facts[seat]) for seat in str(row.facts.get("Seats", "")).split() if seat in row.facts]
    return ", ".join([row.game, *names])


def _rows(ctx: typer.Context) -> list[MatchRow]:
    """The matches of the store that the command line names, else of the default store. Empty if it cannot be read."""
    from records import Store

    try:
        with Store.open(_db(ctx), write=False) as store:
            return store.matches()
    except Exception:
        return []


def _db(ctx: typer.Context) -> str | None:
    """The store from the command, the global options or the environment. None for the default store."""
    named = (str(context.params["db"]) for context in _up(ctx) if context.params.get("db"))
    return next(named, None) or os.environ.get("KIBITZ_DB") or None


def _up(ctx: typer.Context) -> Iterator[typer.Context]:
    context: typer.Context | None = ctx
    while context is not None:
        yield context
        context = context.parent  # type: ignore[assignment]  # the parent of a context is one of the same kind
