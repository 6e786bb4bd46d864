"""The index tables that make a season and a search fast. All their data can be derived from the log.

They are in a file of their own (`NAME-index`), outside the store and its proofs, and may be removed at any time.
"""

from __future__ import annotations

NUMBER = 5
"""Goes up when a table changes; an index with another number is dropped and rebuilt."""

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE book (book TEXT PRIMARY KEY, seen INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE match (
  id INTEGER PRIMARY KEY, match TEXT NOT NULL UNIQUE, book TEXT NOT NULL, recorded TEXT NOT NULL, game TEXT NOT NULL, name TEXT NOT NULL,
  day TEXT NOT NULL, title TEXT NOT NULL, place TEXT NOT NULL, at_table TEXT NOT NULL, trial INTEGER NOT NULL, parent TEXT NOT NULL,
  over INTEGER NOT NULL, counted INTEGER NOT NULL, winner TEXT NOT NULL, way INTEGER NOT NULL, last INTEGER NOT NULL, hands INTEGER NOT NULL,
  tip BLOB NOT NULL, fault TEXT NOT NULL
);
CREATE INDEX match_book ON match (book, day);
CREATE INDEX match_day ON match (day);
CREATE TABLE who (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, label TEXT NOT NULL, player TEXT NOT NULL);
CREATE TABLE seat (
  id INTEGER NOT NULL, seat TEXT NOT NULL, name TEXT NOT NULL, who INTEGER NOT NULL, book TEXT NOT NULL, game TEXT NOT NULL, day TEXT NOT NULL,
  counted INTEGER NOT NULL, side TEXT NOT NULL, mates INTEGER NOT NULL, total INTEGER, won INTEGER, place INTEGER NOT NULL, hands INTEGER NOT NULL,
  made INTEGER NOT NULL, failed INTEGER NOT NULL, hands_won INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL, whole INTEGER NOT NULL,
  margin INTEGER, stack INTEGER NOT NULL,
  PRIMARY KEY (id, seat, since)
) WITHOUT ROWID;
CREATE INDEX seat_who ON seat (who, id);
CREATE INDEX seat_name ON seat (name);
CREATE INDEX seat_book ON seat (book, counted, day);
CREATE TABLE hand (
  id INTEGER NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL, dealer TEXT NOT NULL, contract TEXT NOT NULL, result TEXT NOT NULL,
  side TEXT NOT NULL, seat TEXT NOT NULL, made INTEGER, most INTEGER, least INTEGER, folded TEXT NOT NULL,
  most_side TEXT NOT NULL, least_side TEXT NOT NULL, PRIMARY KEY (id, number)
) WITHOUT ROWID;
CREATE INDEX hand_contract ON hand (folded, made);
CREATE INDEX hand_most ON hand (most);
CREATE INDEX seat_total ON seat (total);
CREATE TABLE finding (
  id INTEGER NOT NULL, at INTEGER NOT NULL, hand INTEGER NOT NULL, rule TEXT NOT NULL, verdict TEXT NOT NULL, seat TEXT NOT NULL, text TEXT NOT NULL
);
CREATE INDEX finding_id ON finding (id);
CREATE INDEX finding_rule ON finding (rule, verdict);
CREATE TABLE remark (id INTEGER NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL, folded TEXT NOT NULL);
CREATE INDEX remark_id ON remark (id);
CREATE TABLE dispute (
  id INTEGER NOT NULL, at INTEGER NOT NULL, hand INTEGER NOT NULL, seat TEXT NOT NULL, word TEXT NOT NULL, is_open INTEGER NOT NULL
);
CREATE INDEX dispute_id ON dispute (id);
CREATE INDEX dispute_open ON dispute (is_open);
CREATE TABLE worth_opening (
  id INTEGER NOT NULL, at INTEGER NOT NULL, hand INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL, weight REAL NOT NULL
);
CREATE INDEX worth_opening_id ON worth_opening (id);
CREATE TABLE rating (
  book TEXT NOT NULL, game TEXT NOT NULL, who INTEGER NOT NULL, mu REAL NOT NULL, sigma REAL NOT NULL, matches INTEGER NOT NULL, PRIMARY KEY (book, game, who)
) WITHOUT ROWID;
CREATE TABLE rated (book TEXT NOT NULL, game TEXT NOT NULL, state TEXT NOT NULL, PRIMARY KEY (book, game)) WITHOUT ROWID;
"""
FACTS = ("seat", "hand", "finding", "remark", "dispute", "worth_opening")
"""The tables that hold the facts of one match."""
