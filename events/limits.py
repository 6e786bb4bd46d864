"""The bounds on input, and the reason for each. docs/store.md has them in a table.

Input beyond a bound is refused, and the error names the bound and the place; nothing is cut off silently. No bound is
near what a table plays in an evening: they guard against damaged and malicious files.
"""

from __future__ import annotations

# Bounds on an event. These belong to the notation: no larger event is ever stored.

MAX_EVENT_BYTES = 16_384
"""Bytes of a whole record in canonical JSON. The longest deal takes a few hundred; the rest is for a long remark."""
MAX_TEXT = 16_384
"""Characters of a remark, or of a text among the facts: as much as fits into an event. It is checked first, so that
the error names the text and not the whole event."""
MAX_NAME = 200
"""Characters of a recorder or a submission key: a full name, or the longest key a program is likely to make."""
MAX_INT = 2**53 - 1
"""The largest whole number; beyond it other programs' JSON parsers begin to round."""
DEPTH = 4
"""How deep facts may nest, and how many parts a dotted key may have. Tags and tallies need two."""

# Bounds on a line.

MAX_LINE = 65_536
"""Bytes of a line in any input: four times the longest event, because JSON escapes take up to six bytes a character,
and a writer may put spaces between."""
MAX_TYPED = 20_000
"""Characters of a line typed at the table, which has several readings: a little more than fits into an event."""
MAX_WORDS = 20_000
"""Words of a line. No valid event needs as many."""
MAX_NESTING = 16
"""How deep objects and lists may nest in a line of JSON or in a bundle: twice what the deepest event needs, and far
less than the depth at which a recursive parser fails."""

# Bounds on a match.

MAX_EVENTS = 100_000
"""Events of a match. An evening has a few thousand; a match in use is held in memory, at about 1 KB an event."""
MAX_MATCH_BYTES = 1 << 26
"""Bytes of a match in a file, of one append, and of any file that holds one match (64 MiB): 670 for each of
`MAX_EVENTS` events, where 60 to 200 are usual."""
MAX_LINES = 4 * MAX_EVENTS
"""Lines of a match in a file: four for each event, which leaves room for tags, blank lines and derived lines."""

# Bounds on a file.

MAX_ARCHIVE_BYTES = 1 << 36
"""Bytes of a file of many matches, which is read match by match (64 GiB): some nine million matches. It stops an
endless pipe."""
MAX_BUNDLE_BYTES = 1 << 28
"""Bytes of a bundle (256 MiB): a match of `MAX_EVENTS` events, with a proof of some 1.4 KB for each in a book of
2^30."""
MAX_ATTACHMENT_BYTES = 20_000_000
"""Bytes of an attached picture (20 MB). A photograph of a sheet takes 2 to 8 MB, and is in memory while it is read."""
MAX_NOTE_BYTES = 65_536
"""Bytes of a checkpoint in a file: one takes 300, and each signature that others have added 150 more."""
MAX_ERRORS = 1_000
"""Unreadable places of a file that are kept; after these the rest is not read. No one corrects a thousand by hand,
and they must not take more room than the file."""
MOST_ERRORS = 20
"""Unreadable places of a file that are reported at once; the next run shows what is left after these are corrected."""

# Bounds on a sealed match.

MAX_BLOB_BYTES = 1 << 28
"""Bytes of a sealed match when unpacked (256 MiB). The bound never changed, so no blob that was written is refused."""
MAX_BOUND_BYTES = 262_144
"""Bytes of the payloads of a sealed match bound with others: a few kilobytes must not unpack to many megabytes."""
MAX_WINDOW = 1 << 23
"""How many bytes back a sealed match may refer to itself (8 MiB): reading it as a stream takes as much memory. Kibitz
itself writes at most 2 MiB."""
AT_ONCE_BYTES = 1 << 20
"""Bytes read or unpacked in one step (1 MiB): almost every match is smaller and needs one step."""
