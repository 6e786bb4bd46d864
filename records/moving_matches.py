"""Files a finished match in another book.

Nothing is copied or moved in the log: a match stays in the book it was recorded in, whose chain and signatures prove
it. The register says which book it belongs to, with its last event and leaf at that time, so that the filed state is
proved too. Lists, sheets, sites, tables and searches use the register's book.
"""

from __future__ import annotations

from events.errors import ConflictError, UsageError
from events.register_notes import register_note
from events.visible_text import NAME, is_name
from records.names import cut_short
from records.players import add_register_entry
from records.register import REGISTER
from records.store import Store


def file_match(store: Store, match: str, book: str, *, over: bool, recorder: str = "") -> tuple[str, str]:
    """File a match in a book. Returns its previous book and the one it was recorded in. `over`: its events end it.

    UsageError if it is not over, or the name of the book is not valid; ConflictError if it is there already.
    """
    if match == REGISTER or book == REGISTER:
        raise UsageError(
            "the register of the players stays where it is", expected="a match that was played, and a book of matches",
        )
    if not is_name(book):
        raise UsageError(f"{cut_short(book)!r} cannot be a book", expected=NAME)
    if not over and not any(row.over for row in store.matches() if row.match == match):
        raise UsageError(
            f"match {match} is not over", expected="a finished match",
            todo=f"`kibitz record {match}` finishes it: `end match`",
        )
    recorded = store.book_of(match)
    before = store.register.filed.get(match, recorded)
    if before == book:
        raise ConflictError(
            f"match {match} is in the book {cut_short(book)!r} already", where=str(store.path),
            todo="`kibitz list` shows the books",
        )
    last, tip = store.tip(match)
    add_register_entry(store, register_note("file", match=match, book=book, last=last, tip=tip.hex()), recorder)
    return before, recorded
