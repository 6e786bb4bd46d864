"""The movements of evenings: kept in the register, their tables begun, the standing of an evening so far."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from events.errors import ConflictError, NotFoundError, UsageError
from events.model import Facts
from events.register_notes import Registered, register_note
from records.names import cut_short, stem
from records.players import add_register_entry
from records.store import Store
from records.store_reader import StoreReader


def keep_movement(
    store: Store, *, book: str, day: str, game: str, kind: str, title: str, entrants: Sequence[str],
    rounds: Sequence[str], options: dict[str, str], recorder: str = ""
) -> Registered:
    """Record the movement of an evening; one of the same evening takes the place of the one before. UsageError for a
    day that is none."""
    try:
        day = date.fromisoformat(day).isoformat()
    except ValueError:
        raise UsageError(f"{day[:40]!r} is not a day", expected="2026-03-14") from None
    note = register_note(
        "move", book=book, day=day, game=game, kind=kind, name=title, entrants=list(entrants), rounds=list(rounds),
        options=options,
    )
    add_register_entry(store, note, recorder)
    return kept_movement(store, book, day)


def kept_movement(store: StoreReader, book: str, day: str = "") -> Registered:
    """The movement of an evening, by default of the last. NotFoundError if there is none."""
    found = store.register.movement_of(book, day)
    if found is None:
        raise NotFoundError(
            f"there is no movement in the book {cut_short(book)!r}{f' on {day}' if day else ''}",
            todo="`kibitz movement BOOK 'Olena & Walter' 'Doris & Marcel' … --game GAME` makes one",
        )
    return found


def table_id(kept: Registered, round_: int, table: int) -> str:
    """The id of the match at a table of a round."""
    return f"{stem(kept.book)[:30]}-{kept.day}-r{round_}-t{table}"


def begin_tables(
    store: Store, kept: Registered, round_: int, openings: Sequence[Facts], *, recorder: str = "",
) -> list[str]:
    """Begin the matches of a round, all or none. Returns their ids. ConflictError if they have been begun."""
    ids = [table_id(kept, round_, n) for n in range(1, len(openings) + 1)]
    if any(store.end(match) is not None for match in ids):
        raise ConflictError(
            f"round {round_} has been begun", where=f"match {ids[0]}",
            todo="Begin the next round, or `kibitz new` a table that was left out",
        )
    with store.turn():
        return [
            store.create_match(facts, game=kept.game, book=kept.book, match=match, recorder=recorder)
            for match, facts in zip(ids, openings, strict=True)
        ]


def rounds_begun(store: StoreReader, kept: Registered) -> int:
    """The number of rounds that have been begun."""
    return max((n for n in range(1, len(kept.rounds) + 1) if store.end(table_id(kept, n, 1)) is not None), default=0)
