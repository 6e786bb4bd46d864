"""Writing: checks and records what clients submit, and answers them.

A line is read in the position that the writer sees, so that no answer reveals hidden cards. Its effect is computed on
the whole record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from events.errors import KibitzError, NotationError
from events.model import Event, Fix, Note, Recorded
from records.errors import StaleWriterError
from replay.judging.findings import finding_told
from replay.languages.translate import in_language, one_of_them, t
from replay.pack_names import InPack, in_pack, pack_of
from replay.plain_text import with_player_names
from replay.table.line_reader import Draft, SeveralMeaningsError, WhoseTurnError, meaning
from replay.table.scribe import AppendDone, check_writable, takes_back_line, understood
from replay.table.session import LineAnswer, Session
from replay.table.shorthand import position_to_come, spoken_act, spoken_fix
from replay.visibility import SEALED, Audience
from service.grants import Grant
from service.problems import RefusedError, not_allowed, problem_of
from service.tables import LiveTable
from service.write_permissions import why_refused


class HandSummary(Struct, frozen=True):
    """A message once a hand is over: a finding and its event, or a correction that would explain some, with the
    `lines` to send."""

    TYPED: ClassVar = ("lines",)

    text: str
    n: int
    lines: tuple[str, ...] = ()


class Entered(Struct, frozen=True):
    """The result of an entry: its events, whether it is a repetition, the answer in a line, messages, and the part of
    the line that says who acts next."""

    first: int
    last: int
    repeated: bool
    line: str
    told: tuple[HandSummary, ...] = ()
    next: str = ""


class TypedFor(Struct, frozen=True):
    """What a line was typed for; empty fields are not checked.

    `expect` is the last event that the writer had seen, `after` the key of the line before; `seat` is the acting
    seat, `phase` the key of the phase of the hand."""

    expect: int | None = None
    after: str = ""
    seat: str = ""
    phase: str = ""


class Missed(Struct, frozen=True):
    """An event that a stale writer has not seen."""

    n: int
    line: str
    event: Any


def enter_line(
    table: LiveTable, audience: Audience, grant: Grant, line: str, bound: TypedFor, *, key: str, as_played: bool,
    sealed: bool = False, by_hand: bool = False
) -> Entered:
    """Record one line as `grant` allows; one written `by_hand` has the cards of the pack on the table. The caller
    locks the table.

    Raises RefusedError, and KibitzError for a line that cannot be read or stored."""
    table.refresh()
    known = _known(table, key)
    if known is not None:
        return _again(table, audience, grant, line, known, key, sealed=sealed, by_hand=by_hand)
    session = table.session(audience)
    _fresh(table, audience, _followed(table, bound))
    draft = _read(table, session, line, by_hand=by_hand)
    may_write(grant, [r.event for r in draft.events], table)
    _fits(session, draft, bound)
    if draft.doubts and not (as_played or draft.as_played):
        raise RefusedError(
            "doubt", 422, t("this is against the rules as it stands"),
            doubts=tuple(
                pack_at(session).text(doubt_on_a_page(table.scribe.in_words(text), table.scribe.called))
                for text in draft.doubts
            ),
            todo=t("Send it again as it was played, or correct the line"),
        )  # fmt: skip
    return _write(table, audience, grant, _sealed(draft.events, sealed=sealed), key)


def enter_events(
    table: LiveTable, audience: Audience, grant: Grant, events: Sequence[Recorded], *, expect: int | None, key: str
) -> Entered:
    """Record events as they are. Raises as `enter_line`."""
    table.refresh()
    may_write(grant, [r.event for r in events], table)
    check_writable(table.scribe.session, [r.event for r in events])
    known = _known(table, key)
    if known is not None:
        done = table.shared.append(table.match, [replace(r, recorder=grant.subject) for r in events], key=key)
        return Entered(done.first, done.last, True, "")
    _fresh(table, audience, expect)
    return _write(table, audience, grant, [replace(r, n=0, key="", recorder="") for r in events], key)


def pack_at(session: Session) -> InPack:
    """The names and signs of the pack on the table of a session."""
    return in_pack(session.view, session.records)


def may_write(grant: Grant, events: Sequence[Event], table: LiveTable) -> None:
    """Raise RefusedError for an event that the holder of a grant may not write."""
    for event in events:
        if why := why_refused(grant.role, event):
            raise not_allowed(why)
    if grant.role == "seat":
        terms = table.scribe.session.state.terms
        own = {grant.seat, terms.side_of[grant.seat]} if grant.seat in terms.side_of else {grant.seat}
        if any(event.by not in own for event in events):
            raise not_allowed(t("a player speaks for nobody else"))


def missed(table: LiveTable, audience: Audience, after: int) -> tuple[Missed, ...]:
    """The events after a position, as the writer sees them."""
    called, game = table.scribe.called, table.scribe.session.state.game
    shown = pack_at(table.session(audience))
    return tuple(
        Missed(
            r.n,
            shown.text(with_player_names(
                spoken_fix(r.event, None, game) if isinstance(r.event, Fix) else spoken_act(r.event, game), called,
            )),
            r.event,
        )
        for r in table.view(audience).log if r.n > after
    )


def doubt_on_a_page(text: str, called: Mapping[str, str]) -> str:
    """The reason why an act is against the rules, in a line for a player: without rule numbers and typing hints.

    >>> text = 'Bo 8♥ - not allowed\\n  rule     x.R9 lead ("Play")\\n  because  Ann leads\\n  next     keep it with !'
    >>> doubt_on_a_page(text, {}), doubt_on_a_page("not now; expected Ann (N) to play", {"N": "Ann"})
    ('Bo 8♥: Ann leads', 'not now; expected Ann to play')
    """
    act, *rows = text.split("\n")
    # A paragraph has the rule, then the reason, each behind its heading.
    told = f"{act.partition(' - ')[0]}: {rows[1].strip().partition('  ')[2]}" if len(rows) > 1 else text
    for seat, name in called.items():
        told = told.replace(f"{name} ({seat})", name)
    return told


def _fresh(table: LiveTable, audience: Audience, expect: int | None) -> None:
    if expect is not None and expect != table.last:
        problem = problem_of(StaleWriterError(table.match, expect, table.last, []))
        raise RefusedError(
            "stale", 409, problem.title, detail=problem.detail, expected=problem.expected, todo=problem.todo,
            last=table.last, missed=missed(table, audience, expect),
        )  # fmt: skip


def _followed(table: LiveTable, bound: TypedFor) -> int | None:
    """The last event that the writer of a line had seen, or that was written by the line before it."""
    if not bound.after:
        return bound.expect
    before = _known(table, bound.after)
    if before is None:
        raise RefusedError(
            "unfounded", 409, t("the line that this one followed is not in the record"), last=table.last,
            todo=t("Look at the table, and say what was played"),
        )  # fmt: skip
    return before[1]


def _fits(session: Session, draft: Draft, bound: TypedFor) -> None:
    """Refuse an act that would be written for another seat, or in another phase, than it was typed for. A line read
    in the very position that its writer saw is accepted, whatever seat was next: in some games a step may be left
    out."""
    if bound.expect is not None and bound.phase:
        return
    there = position_to_come(session.state)
    name, phases = there.terms.name, there.game.phases
    if bound.phase and bound.phase != there.phase:
        was, now = (phases[key].name if key in phases else key for key in (bound.phase, there.phase))
        title = t("this was typed for another part of the hand: {was}, and now it is {now}", was=was, now=now)
        raise _elsewhere(session, title)
    by = {r.event.by for r in draft.events} - {"@"}
    if bound.seat and by and bound.seat not in by:
        who, meant, acts = name(bound.seat), one_of_them(map(name, sorted(by))), one_of_them(map(name, there.turn))
        raise _elsewhere(
            session,
            t("this was typed for {who}, and would be written for {other}", who=who, other=meant)
            if bound.seat in there.turn
            else t("this was typed for {who}, and now it is the turn of {other}", who=who, other=acts or t("nobody")),
        )


def _elsewhere(session: Session, title: str) -> RefusedError:
    return RefusedError(
        "elsewhere", 409, title, last=session.records[-1].n, todo=t("Look at the table, and say what was played"),
    )


def _read(table: LiveTable, session: Session, line: str, *, by_hand: bool) -> Draft:
    try:
        # A taken-back act is restored as it was, possibly with cards that the writer may not see.
        there = table.scribe.session if takes_back_line(line) else session
        return understood(there.typed_with(pack_of(there.view)) if by_hand else there, line)
    except (SeveralMeaningsError, WhoseTurnError) as error:
        problem = problem_of(error)
        readings = (
            tuple(f"{seat} {line}" for seat in error.seats) if isinstance(error, WhoseTurnError)
            else tuple(map(meaning, error.drafts))
        )
        raise RefusedError(
            "several", 422, problem.title, detail=problem.detail, todo=problem.todo, readings=readings
        ) from error


def _sealed(events: Sequence[Recorded], *, sealed: bool) -> Sequence[Recorded]:
    """Mark remarks as sealed, so that only a director reads them."""
    if not sealed:
        return events
    if not all(isinstance(r.event, Note) for r in events):
        raise NotationError("only a remark can be sealed", expected="note 12 TEXT")
    return [
        replace(r, event=replace(r.event, facts={**r.event.facts, SEALED: True})) if isinstance(r.event, Note) else r
        for r in events
    ]


def _write(table: LiveTable, audience: Audience, grant: Grant, events: Sequence[Recorded], key: str) -> Entered:
    """Append, and answer with only what the writer may see."""
    session = table.session(audience)
    done, answer = table.scribe.write(events, expect=table.last, key=key, who=grant.subject)
    table.update()
    if session is not table.scribe.session or table.session(audience) is not table.scribe.session:
        answer = _answer(table, audience, session, done)
    return _entered(table, done, answer)


def _answer(table: LiveTable, audience: Audience, before: Session, done: AppendDone) -> LineAnswer:
    """The answer to what was just written, from the view of this audience."""
    view = table.view(audience)
    if before.records and view.log[: len(before.records)] == before.records and before is not table.scribe.session:
        session = before
    else:
        session = Session([r for r in view.log if r.n < done.first])
    answer = session.take([r for r in view.log if r.n > session.records[-1].n])
    table.keep_session(audience, session)
    return answer


def _entered(table: LiveTable, done: AppendDone, answer: LineAnswer) -> Entered:
    return Entered(done.first, done.last, done.repeated, answer.line, _told(answer, table), answer.next)


def _told(answer: LineAnswer, table: LiveTable) -> tuple[HandSummary, ...]:
    """Findings and offers in words, with players' names; findings that a correction would explain come last."""
    called = table.scribe.called
    found = sorted(answer.findings, key=lambda f: (f.unless is not None, f.at.pos))
    offers = [
        HandSummary(
            with_player_names(what if one.kind == "turn" else t("Perhaps {what}", what=what), called), one.at,
            one.lines,
        )
        for one in answer.offers for what in [in_language(one.text)]
    ]
    told = [HandSummary(with_player_names(finding_told(f.short, f.says), called), f.at.pos) for f in found]
    firm = sum(f.unless is None for f in found)
    return (*told[:firm], *offers, *told[firm:])


# Repeated submissions


def _known(table: LiveTable, key: str) -> tuple[int, int] | None:
    """The first and last event submitted under a key; None if there are none."""
    return table.shared.reading.submitted(table.match, key) if key else None


def _again(
    table: LiveTable, audience: Audience, grant: Grant, line: str, known: tuple[int, int], key: str, *, sealed: bool,
    by_hand: bool
) -> Entered:
    """The first answer to this submission. Raises RefusedError if the key was used for something else."""
    first, last = known
    view = table.view(audience)
    session = Session([r for r in view.log if r.n < first])
    try:
        old = Session([r for r in table.log if r.n < first]) if takes_back_line(line) else session
        draft = understood(old.typed_with(pack_of(old.view)) if by_hand else old, line)
    except KibitzError as error:
        raise _other_body() from error
    said = [_bare(r) for r in _sealed(draft.events, sealed=sealed)]
    stored = [_bare(r) for r in table.log if first <= r.n <= last]
    # The verdict stored with the last act of a match was not typed.
    if said != stored[: len(said)]:
        raise _other_body()
    answer = session.take([r for r in view.log if first <= r.n <= last])
    return Entered(first, last, True, answer.line, _told(answer, table), answer.next)


def _bare(r: Recorded) -> Recorded:
    """An event without position, recorder, time and key."""
    return replace(r, n=0, v=1, recorder="", time="", key="")


def _other_body() -> RefusedError:
    return RefusedError(
        "key-reused", 422, t("this submission key was used for something else"), todo=t("Use a new key for a new line"),
    )
