"""Writing into one match of the store from the command line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from cli import shell
from cli.shell import out, out_json
from events import Recorded, write_line
from events.errors import UsageError
from events.packs import TablePack
from records import Store
from replay.languages.translate import t
from replay.plain_text import with_player_names
from replay.read_log import read_log
from replay.table import scribe
from replay.table.scribe import AppendDone
from replay.table.session import LineAnswer

GLYPHS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""Marks of a remark, with their numbers from chess notation (NAG)."""


class LocalRecord:
    """The store of this machine, with the methods that a scribe needs."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def read(self, match: str, *, after: int = -1) -> Sequence[Recorded]:
        return self.store.told(match, after=after)

    def append(self, match: str, drafts: Sequence[Recorded], *, expect: int | None = None, key: str = "") -> AppendDone:
        return self.store.append(match, drafts, expect=expect, key=key)

    def append_end(
        self, match: str, drafts: Sequence[Recorded], *, expect: int | None = None, key: str = "",
    ) -> AppendDone:
        with self.store.turn():
            done = self.store.append(match, drafts, expect=expect, key=key)
            if not done.repeated:
                self.store.set_over(match, True)
        return done

    def set_over(self, match: str, over: bool) -> None:
        self.store.set_over(match, over)


class StoreScribe(scribe.Scribe):
    """A scribe for one match of the store."""

    def __init__(
        self, store: Store, match: str, *, until: int | None = None, alert: bool = False, pack: TablePack | None = None,
    ) -> None:
        records = store.told(match)
        # Lines are typed with the same pack that the answers use.
        told = shell.use_pack(read_log(records), pack)
        seen = records if until is None else [r for r in records if r.n <= until]
        super().__init__(LocalRecord(store), match, seen, alert=alert, pack=told.pack, warn=shell.warn)

    def write(
        self, events: Sequence[Recorded], *, expect: int | None = None, key: str = "", who: str = ""
    ) -> tuple[AppendDone, LineAnswer]:
        """Append what this machine's recorder entered, and answer (see `replay.table.scribe`)."""
        return super().write(events, expect=expect, key=key, who=who or shell.settings.recorder)


def glyph_number(mark: str) -> int:
    """The number of a mark such as `?!`. Raises UsageError for any other."""
    if mark.isascii() and mark.isdigit() and len(mark) < 9:
        return int(mark)
    if mark not in GLYPHS:
        raise UsageError(f"{mark!r} is not a mark", expected=f"one of {' '.join(GLYPHS)}")
    return GLYPHS[mark]


def strict_lines(records: Sequence[Recorded]) -> list[str]:
    """Events as complete lines of notation."""
    return [write_line(r) for r in records]


def answered(scribe: StoreScribe, done: Any, answer: Any, json: bool, doubts: Iterable[str] = ()) -> None:
    """Print the result of an entry, and the doubts about it."""
    from replay.judging.offers import findings_in_order

    for doubt in doubts:
        shell.warn(t("recorded as played, and marked: {what}", what=scribe.in_words(doubt).splitlines()[0]))
    if json:
        out_json({
            "match": scribe.match, "first": done.first, "last": done.last, "repeated": done.repeated,
            "line": answer.line, "findings": answer.findings, "offers": answer.offers,
        })  # fmt: skip
        return
    out(answer.line)
    for line in findings_in_order(answer.findings, answer.offers):
        out(with_player_names(line, scribe.called))
