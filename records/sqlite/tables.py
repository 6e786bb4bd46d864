"""The tables, indexes and the view of a store, as a new store gets them.

The schema is portable: plain columns, primary and foreign keys, unique indexes, and one view for people; no `rowid`.
A change of it is a migration (records/sqlite/schema.py), and an entry here.
"""

from __future__ import annotations

from records.sqlite.event_runs import EVENTS_VIEW

TABLES = {
    "migrations": "number INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, applied TEXT NOT NULL",
    # `head` is the last position used; incrementing it in the transaction of an append makes positions gapless and
    # gives them the order of the commits. `settled` is UNSETTLED from the first append until a writer closes the
    # store; a file that says so and has no WAL is a copy taken meanwhile, and lacks its end. `digest` is a checksum,
    # against accidents, of rows that no leaf covers.
    "books": (
        "book TEXT PRIMARY KEY NOT NULL, head INTEGER NOT NULL, created TEXT NOT NULL, digest TEXT NOT NULL "
        "DEFAULT '', settled INTEGER NOT NULL DEFAULT 1"
    ),
    # Only what a list needs and the opening event lacks. `last` is the number of the last event; `created` is when
    # the match was opened, `changed` when this store last wrote to it. `parent` and `parent_n` name the match and
    # event that a variation branches off. If `is_sealed`, the events are in `sealed` or in a volume; neither they nor
    # their submission keys have rows of their own, except the opening's key, by which a match is found. If `volume` is
    # set, `changed` and `digest` are empty: the volume has them, and confirms the other columns.
    "matches": (
        "match TEXT PRIMARY KEY NOT NULL, book TEXT NOT NULL REFERENCES books(book), game TEXT NOT NULL, created TEXT "
        "NOT NULL, changed TEXT NOT NULL, last INTEGER NOT NULL, is_over INTEGER NOT NULL, parent TEXT REFERENCES "
        "matches(match), parent_n INTEGER, digest TEXT NOT NULL DEFAULT '', is_sealed INTEGER NOT NULL DEFAULT 0, "
        "volume INTEGER"
    ),
    # Consecutive events of one match (records/sqlite/event_runs.py). Here and below the long columns come last.
    "runs": (
        "match TEXT NOT NULL REFERENCES matches(match), n INTEGER NOT NULL, book TEXT NOT NULL REFERENCES books(book), "
        "pos INTEGER NOT NULL, last_pos INTEGER NOT NULL, events INTEGER NOT NULL, beside TEXT NOT NULL, payload TEXT "
        "NOT NULL, leaves BLOB NOT NULL, PRIMARY KEY (match, n)"
    ),
    # The tail: a row an append, until it is filed, with a run and the updates of its match, book and key. There are
    # no indexes or references, so that an append writes one page.
    "recent": (
        "place INTEGER PRIMARY KEY, match TEXT NOT NULL, n INTEGER NOT NULL, book TEXT NOT NULL, pos INTEGER NOT NULL, "
        "last_pos INTEGER NOT NULL, events INTEGER NOT NULL, beside TEXT NOT NULL, payload TEXT NOT NULL, leaves BLOB "
        "NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, changed TEXT NOT NULL, digest TEXT NOT NULL"
    ),
    # Submission keys are kept for ever, with what was submitted and the events it became.
    "keys": (
        "match TEXT NOT NULL REFERENCES matches(match), key TEXT NOT NULL, fingerprint TEXT NOT NULL, first INTEGER "
        "NOT NULL, last INTEGER NOT NULL, digest TEXT NOT NULL DEFAULT '', PRIMARY KEY (match, key)"
    ),
    # The signed heads as they were published, and the public keys (hexadecimal) that signed them.
    "signers": "signer TEXT PRIMARY KEY NOT NULL, created TEXT NOT NULL",
    "checkpoints": (
        "book TEXT NOT NULL REFERENCES books(book), size INTEGER NOT NULL, signer TEXT NOT NULL REFERENCES "
        "signers(signer), root TEXT NOT NULL, time TEXT NOT NULL, note TEXT NOT NULL, PRIMARY KEY (book, size, signer)"
    ),
    # A finished match: the positions of its events, the dictionary (records/sealed_codec.py) that compressed `body`,
    # and the leaf of the last event, which covers all of them.
    "sealed": (
        "match TEXT PRIMARY KEY NOT NULL REFERENCES matches(match), book TEXT NOT NULL REFERENCES books(book), "
        "first_pos INTEGER NOT NULL, last_pos INTEGER NOT NULL, events INTEGER NOT NULL, dictionary INTEGER NOT NULL, "
        "tip BLOB NOT NULL, body BLOB NOT NULL"
    ),
    # Many finished matches (records/volume_codec.py).
    "volumes": (
        "volume INTEGER PRIMARY KEY, book TEXT NOT NULL REFERENCES books(book), first_pos INTEGER NOT NULL, last_pos "
        "INTEGER NOT NULL, matches INTEGER NOT NULL, events INTEGER NOT NULL, dictionary INTEGER NOT NULL, tips BLOB "
        "NOT NULL, clock BLOB NOT NULL, body BLOB NOT NULL"
    ),
    # The roots over 1,024 leaves each that have been signed, counted from 0, so that signing the head of a long book
    # does not read all of it again.
    "tiles": (
        "book TEXT NOT NULL REFERENCES books(book), number INTEGER NOT NULL, root BLOB NOT NULL, PRIMARY KEY (book, "
        "number)"
    ),
}
BY_KEY = {"matches": " WITHOUT ROWID"}
"""Tables whose rows are stored in the order of the key, so that a row is not written twice."""
INDEXES = {
    "runs_by_end": "CREATE INDEX runs_by_end ON runs (book, last_pos, pos)",
    # A client that repeats the opening of a match knows its key, not yet its id.
    "openings_by_key": "CREATE INDEX openings_by_key ON keys (key) WHERE first = 0",
    "volumes_by_end": "CREATE INDEX volumes_by_end ON volumes (book, last_pos, first_pos)",
    "sealed_by_end": "CREATE INDEX sealed_by_end ON sealed (book, last_pos, first_pos)",
    "unfinished": "CREATE INDEX unfinished ON matches (changed) WHERE is_over = 0 AND is_sealed = 0",
}
VIEWS = {"events": EVENTS_VIEW}


def table_statement(name: str) -> str:
    """The statement that makes a table."""
    return f"CREATE TABLE {name} ({TABLES[name]}){BY_KEY.get(name, '')}"
