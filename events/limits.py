"""How much Kibitz reads at once, and why: every bound, in one place. docs/store.md has them in a table.

Input beyond a bound is refused, and the refusal names the bound and the place; nothing is cut off silently. No bound is
near what a table plays in an evening: they are there for damaged files, and for files made to do harm.
"""

from __future__ import annotations

# What an event may say. These belong to the notation: no larger event is ever stored.

MAX_EVENT_BYTES = 16_384
"""Bytes of an event in canonical JSON, with everything beside it. The longest deal takes a few hundred bytes; the rest is
room for a long remark."""
MAX_TEXT = 16_384
"""Characters of a remark, or of a text among the facts: as much as fits into an event. It is checked first, so
that the error names the text and not the whole event."""
MAX_NAME = 200
"""Characters of a recorder or a submission key: a full name, or the longest key a program is likely to make."""
MAX_INT = 2**53 - 1
"""The largest whole number; beyond it other programs' JSON readers begin to round."""
DEPTH = 4
"""How deep facts may nest, and how many parts a dotted key may have. Tags and tallies need two."""

# What a line may say.

MAX_LINE = 65_536
"""Bytes of a line in any input: four times the longest event, because JSON spells a character with up to six bytes, and
a writer may put spaces between."""
MAX_TYPED = 20_000
"""Characters of a line as typed at the table, which is read in several ways: a little more than fits into an event."""
MAX_WORDS = 20_000
"""A line with more words is refused unread; no event that may be kept needs so many."""
MAX_NESTING = 16
"""How deep objects and lists may nest in a line of JSON or in a bundle: twice what the deepest event needs, and far less
than the depth at which a recursive reader fails."""

# What a match may be.

MAX_EVENTS = 100_000
"""Events of a match. An evening has a few thousand; a match is kept in memory while it is worked on, at about 1 KB an
event."""
MAX_MATCH_BYTES = 1 << 26
"""Bytes of a match in a file, of what is appended at once, and of any file that holds one match (64 MiB): 670 for each
of the most events, where 60 to 200 are usual."""
MAX_LINES = 4 * MAX_EVENTS
"""Lines of a match in a file: its events, and as many again for tags, blank lines and what is derived, twice over."""

# What a file may be.

MAX_ARCHIVE_BYTES = 1 << 36
"""Bytes of a file of many matches, which is read match by match (64 GiB): some nine million matches. It stops a pipe that
never ends."""
MAX_BUNDLE_BYTES = 1 << 28
"""Bytes of a bundle (256 MiB): a match of the most events, with a proof of some 1.4 KB for each in a book of 2^30."""
MAX_ATTACHMENT_BYTES = 20_000_000
"""Bytes of a picture that is attached (20 MB): a photograph of a sheet takes 2 to 8 MB; it is kept in memory while it is read."""
MAX_NOTE_BYTES = 65_536
"""Bytes of a checkpoint that is brought along: one takes 300, and each signature that others have added 150 more."""
MAX_ERRORS = 1_000
"""Unreadable places of a file that are kept; after these the rest is not read. Nobody corrects a thousand by hand, and they
must not take more room than the file."""
MOST_ERRORS = 20
"""At most this many places of a file are named; the next run shows what is left once these are corrected."""

# What a sealed match may be.

MAX_BLOB_BYTES = 1 << 28
"""Bytes of a sealed match when taken apart (256 MiB), as it has been from the beginning: no blob that was written is refused."""
MAX_BOUND_BYTES = 262_144
"""Of the payloads of a sealed match that is bound with others: it is read out of a few kilobytes, and must not become many megabytes."""
MAX_WINDOW = 1 << 23
"""How many bytes back a sealed match may refer to itself (8 MiB): reading it as a stream takes as much memory. Those that
Kibitz writes need 2 MiB."""
AT_ONCE_BYTES = 1 << 20
"""Bytes that are read or unpacked at once (1 MiB): almost every match is smaller and needs one step."""
