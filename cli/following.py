"""`show --follow` and `log --follow`: show a match while another program records it, until Ctrl-C.

They ask the store every half second for the length of the match, or earlier if the database signals a write. They
hold no lock between two reads.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress

from cli import shell
from cli.record_files import looks_like_file
from events import Recorded
from events.errors import UsageError
from events.packs import TablePack

EVERY = 0.5
"""The number of seconds between two reads of the store."""


def follow_log(source: str, *, json: bool) -> None:
    """Print the record, and each line added to it, until Ctrl-C."""
    with suppress(KeyboardInterrupt):
        for new in follow_events(source):
            print_log(new, json=json)
            shell.flush()


def print_log(records: Sequence[Recorded], *, json: bool) -> None:
    """Print events, one per line, with the tags of an opening before them."""
    from events import write_line, write_tags
    from records import export_jsonl

    if json:
        shell.out_json_lines(export_jsonl(records))
        return
    if records[0].n == 0 and hasattr(records[0].event, "facts"):
        shell.out(*write_tags(records[0].event.facts), data=True)
    shell.out(*(write_line(recorded) for recorded in records if recorded.n), data=True)


def follow_show(source: str, viewer: str, pack: TablePack | None = None) -> None:
    """Draw the table, and draw it again after every new event, until Ctrl-C."""
    with suppress(KeyboardInterrupt):
        _show(source, viewer, pack)


def _show(source: str, viewer: str, pack: TablePack | None) -> None:
    from replay.fold import fold
    from replay.read_log import read_log
    from replay.table.frame import frame
    from replay.table.picture import render_frame

    records: list[Recorded] = []
    for new in follow_events(source):
        records += new
        shell.use_pack(read_log(records), pack)
        picture = render_frame(frame(fold(records), viewer), columns=shell.terminal_columns())
        if clears():
            # Clear the screen and start at the top left corner.
            sys.stdout.write("\x1b[H\x1b[2J\x1b[3J")
        elif len(records) > len(new):
            shell.out("")
        shell.out_lines(picture)
        shell.flush()


def follow_events(source: str) -> Iterator[Sequence[Recorded]]:
    """The events of a match, then new ones as they come, without end. Raises UsageError for a file."""
    if source == "-" or looks_like_file(source):
        raise UsageError(
            "a file does not go on while it is read", where=source, expected="--follow with a match of the store",
        )
    with shell.store(write=False) as store:
        match = store.find(source)
        last = -1
        while True:
            if store.length(match) > last + 1:
                new = store.told(match, after=last)
                last = new[-1].n
                yield new
            store.wait(EVERY)


def clears() -> bool:
    """Whether the output can be cleared from the screen."""
    return shell.is_terminal(sys.stdout) and os.environ.get("TERM", "dumb") not in ("dumb", "unknown", "")
