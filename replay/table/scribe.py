"""Write into one match: a line is completed from the position, appended, and answered.

The store behind `MatchWriter` assigns positions, rejects stale lines, and makes durable what it acknowledges.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from msgspec.structs import replace

from events.errors import NotationError
from events.model import Event, Fix, Note, Open, Recorded
from events.packs import FRENCH, TablePack
from events.picture_notes import WRITTEN_BY_COMMANDS
from replay.comparing.kept_verdict import keeps_verdict, verdict_event
from replay.fold import fold
from replay.languages.translate import t
from replay.plain_text import player_names, with_player_names
from replay.table.session import Draft, LineAnswer, Session


class AppendDone(Protocol):
    """The result of an append: the first and the last position, and whether it was a repetition."""

    @property
    def first(self) -> int: ...
    @property
    def last(self) -> int: ...
    @property
    def repeated(self) -> bool: ...


class MatchWriter(Protocol):
    """The part of a store that recording a match needs."""

    def read(self, match: str, *, after: int = -1) -> Sequence[Recorded]: ...
    def append(
        self, match: str, drafts: Sequence[Recorded], *, expect: int | None = None, key: str = "",
    ) -> AppendDone: ...
    def append_end(
        self, match: str, drafts: Sequence[Recorded], *, expect: int | None = None, key: str = "",
    ) -> AppendDone:
        """Append and mark the match as over, in one transaction."""
        ...

    def set_over(self, match: str, over: bool) -> None: ...


class Scribe:
    """One match that is being recorded; `warn` is called with the text of a harmless error."""

    def __init__(
        self, store: MatchWriter, match: str, records: Sequence[Recorded], *, alert: bool = False,
        pack: TablePack = FRENCH, warn: Callable[[str], None] = lambda text: None,
    ) -> None:  # fmt: skip
        self.store, self.match, self.warn = store, match, warn
        self.session = Session(records, alert=alert, pack=pack)

    @property
    def last(self) -> int:
        """The position of the last event this writer has seen."""
        return self.session.records[-1].n

    @property
    def called(self) -> Mapping[str, str]:
        """The names of the players of this match."""
        terms = self.session.state.terms
        return player_names(terms.sides, terms.names)

    def in_words(self, doubt: str) -> str:
        """A doubt about an act, with the names of players."""
        if doubt.startswith("event "):
            return doubt  # as recorded, with letters
        # The turn is given by name and by the letter to type.
        return with_player_names(doubt, self.called, letters="\n" not in doubt)

    def understand(self, line: str) -> Draft:
        """The meaning of a line: an event, or one of the few words that stand for one. Raises NotationError."""
        return understood(self.session, line)

    def write(
        self, events: Sequence[Recorded], *, expect: int | None = None, key: str = "", who: str = ""
    ) -> tuple[AppendDone, LineAnswer]:
        """Append the events recorded by `who`, durably, and answer. Raises StaleWriterError if another client was
        faster.

        If these events end the match, the current verdict is appended in the same transaction.
        """
        drafts = [replace(r, recorder=r.recorder or who) for r in events]
        if any(isinstance(r.event, Open | Fix) for r in drafts):
            # A log with an invalid opening could never be opened again, not even to correct it.
            fold([*self.session.records, *(replace(r, n=self.last + i) for i, r in enumerate(drafts, 1))])
        kept = self._kept(drafts, key or drafts[-1].key) if drafts else []
        drafts += kept
        expect = self.last if expect is None else expect
        if kept:
            done = self.store.append_end(self.match, drafts, expect=expect, key=key)
        else:
            done = self.store.append(self.match, drafts, expect=expect, key=key)
        if done.repeated:
            return done, LineAnswer(t("{events} already recorded under this key", events=positions_span(done)))
        return done, self.catch_up(done, noted=bool(kept))

    def _kept(self, drafts: Sequence[Recorded], key: str) -> list[Recorded]:
        """The event that stores the verdict, if these events end the match."""
        stored = (*self.session.records, *self.store.read(self.match, after=self.last)) if key else ()
        sent = [r for r in stored if r.key == key]
        if sent:
            # A retry under this key must repeat what was sent, even if the rules have changed since.
            return [] if any(keeps_verdict(r.event) for r in drafts) else [
                r for r in sent[-1:] if keeps_verdict(r.event)
            ]
        numbered = [replace(r, n=self.last + i) for i, r in enumerate(drafts, 1)]
        try:
            end = verdict_event(self.session.records, self.session.state, numbered, self.session.view)
        except Exception as error:
            # An error in the rules must not lose the last card of the match.
            self.warn(f"the verdict could not be kept ({type(error).__name__}: {error}); the entry itself is recorded")
            return []
        if end is None:
            return []
        return [Recorded(n=0, event=end, time=drafts[-1].time, recorder=drafts[-1].recorder, key=drafts[-1].key)]

    def catch_up(self, done: AppendDone, *, noted: bool = False) -> LineAnswer:
        """Fold what was stored, and mark the match as over or not if that changed and was not `noted` with it."""
        before = bool(self.session.state.ended)
        answer = self.session.take([r for r in self.store.read(self.match, after=self.last) if r.n <= done.last])
        over = bool(self.session.state.ended)
        if over != (before or noted):
            self.store.set_over(self.match, over)
        return answer


def understood(session: Session, line: str) -> Draft:
    """The meaning of a line in the position of a session (see `Scribe.understand`)."""
    draft = _meant(session, line)
    if not takes_back_line(line):
        check_writable(session, [r.event for r in draft.events])
    return draft


def check_writable(session: Session, events: Sequence[Event]) -> None:
    """Raise NotationError for events that only Kibitz writes, and for an opening that changes the game or match.

    Kibitz writes the verdict at the end, and the facts of a note that name a picture, mark it as removed, or seal a
    remark.
    """
    for event in (e.event if isinstance(e, Fix) else e for e in events):
        if event is not None and keeps_verdict(event):
            raise NotationError(
                "Kibitz keeps the verdict at the end by itself; it cannot be typed",
                expected="end match, and a word that says why", todo="`kibitz recheck` shows the verdict.",
            )  # fmt: skip
        if isinstance(event, Note) and (ours := sorted({*event.facts} & {*WRITTEN_BY_COMMANDS})):
            raise NotationError(
                f"the fact {ours[0]} of a note cannot be written by hand", expected="note 12 TEXT",
                todo=WRITTEN_BY_COMMANDS[ours[0]],
            )
        if isinstance(event, Open):
            named = session.records[0].event
            opening = named.facts if isinstance(named, Open) else {}
            for tag in ("Game", "Match"):
                if tag in event.facts and event.facts[tag] != opening.get(tag):
                    raise NotationError(
                        f"this is a match of {opening.get(tag)}" if tag == "Game"
                        else f"this is the match {opening.get(tag)}",
                        expected="an opening that changes terms of this match",
                        todo="`kibitz new` opens another match.",
                    )  # fmt: skip


def takes_back_line(line: str) -> bool:
    """True if a line takes back the last act or the last whole line."""
    return line.lower().split() in (["undo"], ["undo", "line"])


def _meant(session: Session, line: str) -> Draft:
    word, _, rest = line.strip().partition(" ")
    if takes_back_line(line):
        return session.undo(line=bool(rest.strip()))
    if word.lower() == "undo":
        numbered = re.fullmatch(r"#?([0-9]{1,15})", rest.strip())
        typed, at = (f"`undo {numbered[1]}`: ", numbered[1]) if numbered else ("", "15")
        raise NotationError(
            f"{typed}undo takes back what came last", expected="undo or undo line",
            todo=f"`fix {at}-` strikes event {at} out.",
        )
    if word.lower() == "fix" and (
        found := re.fullmatch(r"#?([0-9]{1,15})\s*-|#?([0-9]{1,15})\s+([^+\s].*)", rest.strip())
    ):
        return _a_fix(session.fix(int(found[1] or found[2]), found[3] or "-"), line)
    if word.lower() == "note" and (
        found := re.fullmatch(r"((?:#?[0-9]{1,15}\s+)*)([^{$#~&\s].*)", rest.strip())
    ) and not found[2].isdigit():
        return remark([int(n.lstrip("#")) for n in found[1].split()], found[2])
    draft = session.complete(line)
    return _a_fix(draft, line) if word.lower() == "fix" else draft


def _a_fix(draft: Draft, line: str) -> Draft:
    """Check that a line that begins with `fix` is a correction. Raises NotationError otherwise."""
    if not isinstance(draft.events[0].event, Fix):
        raise NotationError(
            f"'{line.strip()}' is not a correction", expected="fix 15 Jh, fix 15 N bid 8, fix 15+ S Td, fix 15-",
        )
    return draft


def positions_span(done: AppendDone) -> str:
    """The positions of an append in words."""
    return t("event {n}", n=done.first) if done.first == done.last else t("events {n}–{m}", n=done.first, m=done.last)


def remark(refs: Sequence[int], text: str, glyphs: Sequence[int] = ()) -> Draft:
    """A note about the log, in the recorder's own words."""
    text = "".join(c for c in unicodedata.normalize("NFC", text.strip()) if c.isprintable())
    if not text and not glyphs:
        raise NotationError("the note says nothing", expected="note 12 TEXT")
    note: Event = Note(by="@", refs=tuple(refs))
    return Draft((Recorded(n=0, event=note, text=text, glyphs=tuple(glyphs)),))
