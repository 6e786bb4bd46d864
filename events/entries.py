"""Tokens to entries. An entry is an event as typed, which may have holes.

People at the table leave out the actor, the suit led or the pile. `read_entries` returns every reading of a line
without knowing the position; the layer that knows the rules tries them and fills the holes. In a file an entry has no
holes, and a word spelled strictly has one meaning; `read_event` and `build_event` work that way.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct, structs

from events.envelope import Around, join_signs, take_apart
from events.errors import NotationError
from events.limits import MAX_TYPED
from events.model import VERBS, Event, Fix
from events.name_lists import one_of
from events.tokens import ACTOR, Token, split, whole_number
from events.verb_fields import FILL, event_from, readings_of
from events.verb_forms import SYNTAX
from events.words import MAX_READINGS, Places, ReadingFault, card_groups, shown_word
from events.writing import write_event

ALIASES: dict[str, str] = {
    "reveal": "show", "layoff": "meld", "trail": "play", "give": "move", "void": "end", "throw": "discard",
}  # fmt: skip
"""Other words for a verb. `void` is `end hand void`."""
SHORT: dict[str, str] = {
    "p": "pass", "d": "draw", "t": "discard", "m": "meld", "s": "show", "b": "bid", "c": "call",
}  # fmt: skip
"""Single letters for the verbs that are typed most."""


class Entry(Struct, frozen=True, kw_only=True):
    """One line as typed: an event that may have holes, and the rest of its line.

    `by` is None if the actor was left out; `verb` is None if only an actor, or `.`, was typed. `bare` is True if
    cards were typed without a verb: `verb` is then `play`. `args` are the words after the verb, each with its one
    kind in this reading (for a fix: the reference, then the words of the inner event). `inner` is the event in a fix.
    `event` is the complete event if nothing is missing. If only the actor is missing, `draft` is the event with `@`
    as its actor. `as_played` is set by a lone `!`.
    """

    by: str | None = None
    verb: str | None = None
    args: tuple[Token, ...] = ()
    n: int | None = None
    same: bool = False
    t: int | None = None
    glyphs: tuple[int, ...] = ()
    text: str = ""
    time: str = ""
    recorder: str = ""
    key: str = ""
    as_played: bool = False
    bare: bool = False
    raw: str = ""
    inner: Entry | None = None
    event: Event | None = None
    draft: Event | None = None

    def __str__(self) -> str:
        """The reading in words: `?` for a missing actor or verb, `_` for a missing suit."""
        if self.event is not None:
            return write_event(self.event)
        if self.draft is not None:
            return "?" + write_event(self.draft)[1:]
        words = [self.by or "?", self.verb or "?"]
        if self.inner is not None:
            return " ".join([*words, self.args[0].text, str(self.inner)])
        for token in self.args:
            run = "/".join("".join(group) for group in token.cards)
            words.append(run if run and token.kinds == ("cards",) else token.text)
        return " ".join(words)


def _find_verbs() -> dict[str, str]:
    names = {**{v: v for v in VERBS}, **ALIASES}
    starts: dict[str, set[str]] = {}
    for name, verb in names.items():
        for i in range(1, len(name)):
            starts.setdefault(name[:i], set()).add(verb)
    table = {start: next(iter(verbs)) for start, verbs in starts.items() if len(verbs) == 1}
    return {**table, **SHORT, **names}


_VERB: dict[str, str] = _find_verbs()


def verb_named(text: str) -> str:
    """The verb meant by a word: a verb, an alias, a unique prefix of one, or its single letter; empty if none.

    >>> [verb_named(t) for t in ("play", "PLAY", "pl", "t", "layoff", "dis", "x")]
    ['play', 'play', 'play', 'discard', 'meld', '', '']
    """
    return _VERB.get(text.lower(), "") if text.isascii() and len(text) <= 20 else ""


def verbs_meant(text: str) -> list[str]:
    """The verbs that start with a word, else those that resemble it.

    >>> verbs_meant("dis"), verbs_meant("plya"), verbs_meant("xyz")
    (['discard', 'dispute'], ['play'], [])
    """
    from difflib import get_close_matches  # imported late: needed only for an error

    low = text.lower()
    starts = sorted({n for n in (*VERBS, *ALIASES) if n.startswith(low)}) if low.isascii() else []
    return starts or get_close_matches(low[:20], [*VERBS, *ALIASES], n=2)


def _no_verb(token: Token) -> ReadingFault:
    near = verbs_meant(token.text)
    todo = f"Did you mean {one_of(near)}?" if near else ""
    return ReadingFault(
        token.column, f"{shown_word(token.text)} is not a verb", "a verb (play, draw, pass …) or cards", todo,
    )


class _Reading(Struct, frozen=True):
    by: str | None
    verb: str | None
    args: tuple[Token, ...] = ()
    bare: bool = False
    inner: _Reading | None = None
    event: Event | None = None
    draft: Event | None = None


def _actors(tokens: Sequence[Token], table: Places) -> list[tuple[str | None, int]]:
    """The actors that the first word may mean, each with the words it takes; (None, 0) if it may be none."""
    text = tokens[0].text
    if text == "@":
        return [("@", 1)]
    strict = ACTOR.fullmatch(text) is not None
    if strict and (text.partition(":")[0] in table.seats or table.strict):
        return [(text, 1)]
    if table.strict:
        seat = table.seat(text)
        return [(seat, 1)] if seat and not _names_verb_alone(tokens, table) else []
    out: list[tuple[str | None, int]] = []
    seat = table.seat(text) or ("" if table.seats or not strict else text)
    if seat and len(tokens) > 1:
        out.append((seat, 1))
    elif strict and not seat and len(tokens) > 1 and tokens[1].text.lower() in VERBS:
        out.append((text, 1))  # a seat that the match does not list; the caller reports it
    out.append((None, 0))
    if seat and len(tokens) == 1:
        out.append((seat, 1))
    return out


def _names_verb_alone(tokens: Sequence[Token], table: Places) -> bool:
    return len(tokens[0].text) > 1 and verb_named(tokens[0].text) != "" and not table.seats


def _readings(
    tokens: Sequence[Token], table: Places, end: int, line: int, file: str, faults: list[ReadingFault],
    inner: bool = False
) -> Iterator[_Reading]:
    """Yield every reading of the words of an event, with or without an actor, with or without a verb."""
    if not tokens:
        return
    actors = _actors(tokens, table)
    if not actors:
        first = tokens[0]
        if verb_named(first.text) or card_groups(first.text):
            faults.append(ReadingFault(first.column, "the actor is missing", "a seat (N, A:2), a side (NS) or @", FILL))
        else:
            faults.append(
                ReadingFault(first.column, f"{shown_word(first.text)} is not an actor", "a seat (N, A:2), a side or @")
            )
        return
    found = False
    for by, used in actors:
        rest = tokens[used:]
        if not rest:
            if table.strict:
                faults.append(ReadingFault(end, f"nothing follows '{by}'", "a verb, or cards", FILL))
            elif not found or tokens[0].text == by:
                yield _Reading(by, None)
            continue
        for reading in _behind_actor(by, rest, table, end, line, file, faults, inner):
            found = True
            yield reading


def _behind_actor(
    by: str | None, rest: Sequence[Token], table: Places, end: int, line: int, file: str, faults: list[ReadingFault],
    inner: bool,
) -> Iterator[_Reading]:  # fmt: skip
    word = rest[0]
    verb = verb_named(word.text) if not word.kinds else ""
    cards = bool(card_groups(word.text))
    exact = word.text.lower() in VERBS or word.text.lower() in ALIASES
    if verb == "fix":
        if inner:
            faults.append(
                ReadingFault(
                    word.column, "a fix stands within a fix", "any other verb", "Fix the event itself instead.",
                )
            )
        else:
            yield from _fixes(by, rest, table, end, line, file, faults)
    elif verb:
        args = list(rest[1:])
        if word.text.lower() == "void":
            args = [Token(text=w, column=word.column) for w in ("hand", "void")] + args
        yield from _finished(by, verb, args, False, table, end, line, file, faults)
    elif not cards:
        faults.append(_no_verb(word))
    if cards and not exact:
        yield from _finished(by, "play", rest, True, table, end, line, file, faults)


def _finished(
    by: str | None, verb: str, args: Sequence[Token], bare: bool, table: Places, end: int, line: int, file: str,
    faults: list[ReadingFault],
) -> Iterator[_Reading]:  # fmt: skip
    for fit in readings_of(verb, args, table, end, faults):
        if table.strict and fit.hole:
            faults.append(ReadingFault(fit.hole, "something is left open here", SYNTAX[verb], FILL))
            continue
        event: Event | None = None
        try:
            if not fit.hole:
                # A stand-in actor lets the rest be checked; the event is then only a draft.
                event = event_from(by or "@", verb, fit, end, line, file)
        except NotationError as error:
            faults.append(ReadingFault(error.column, error.what, error.expected, error.todo))
            continue
        yield _Reading(by, verb, fit.args, bare, None, event if by else None, None if by else event)


_FIX = re.compile(r"#?([0-9]{1,16})([+>-])?")
_HOW: dict[str | None, Literal["replace", "insert", "turn"]] = {"+": "insert", ">": "turn"}


def _fixes(
    by: str | None, rest: Sequence[Token], table: Places, end: int, line: int, file: str, faults: list[ReadingFault]
) -> Iterator[_Reading]:
    expected = SYNTAX["fix"]
    if len(rest) < 2:
        faults.append(ReadingFault(end, "'fix' lacks the number of an event", expected))
        return
    ref, tail = rest[1], list(rest[2:])
    found = _FIX.fullmatch(ref.text) if ref.text.isascii() else None
    sign = found[2] if found else ""
    if found and not sign and tail and tail[0].text in ("+", "-"):
        sign, tail = tail[0].text, tail[1:]
    at = whole_number(found[1]) if found else None
    if at is None:
        faults.append(ReadingFault(ref.column, f"{shown_word(ref.text)} is not an event number", expected))
        return
    first = structs.replace(ref, kinds=("ref",))
    if sign == "-":
        if tail:
            faults.append(
                ReadingFault(
                    tail[0].column, f"{shown_word(tail[0].text)} follows a strike", f"fix #{at}- and nothing else",
                )
            )
            return
        strike = Fix(by=by or "@", at=at, how="strike")
        yield _Reading(by, "fix", (first,), False, None, strike if by else None, None if by else strike)
        return
    if not tail:
        faults.append(
            ReadingFault(end, "'fix' lacks the event to put there", expected, f"To strike it write fix #{at}-.")
        )
        return
    for inner in _readings(tail, table, end, line, file, faults, inner=True):
        event: Event | None = None
        if inner.event is not None:
            event = Fix(by=by or "@", at=at, how=_HOW.get(sign, "replace"), event=inner.event)  # type: ignore[arg-type]  # `inner` holds no fix
        args = (first, *tail)
        yield _Reading(by, "fix", args, False, inner, event if by else None, None if by else event)


def _distinct(readings: Iterable[_Reading]) -> list[_Reading]:
    out: list[_Reading] = []
    seen: list[object] = []
    for r in readings:
        mark: object = r.event if r.event is not None else r.draft if r.draft is not None else _mark(r)
        mark = (r.by, mark, r.bare and r.draft is not None)
        if mark not in seen:
            seen.append(mark)
            out.append(r)
        if len(out) >= MAX_READINGS:
            break
    return out


def _mark(r: _Reading) -> object:
    return (r.by, r.verb, tuple((t.text, t.kinds, t.cards) for t in r.args), r.inner and _mark(r.inner))


def _worst(faults: list[ReadingFault], column: int) -> ReadingFault:
    """The rightmost fault: its reading understood most of the line."""
    if not faults:
        return ReadingFault(column, "nothing can be read here", "an event (S play Kh)")
    return max(faults, key=lambda fault: fault.column)


def read_event(
    words: Sequence[Token], *, seats: Collection[str] = (), end: int = 1, line: int = 1, file: str = ""
) -> Event:
    """The event of a line in a file. Nothing may be left out, and strict spelling decides. Raises NotationError.

    >>> read_event(read_args("s PLAY 10♥"))
    Play(cards=('Th',), face=None, src='', by='S')
    """
    faults: list[ReadingFault] = []
    if not words:
        raise NotationError(
            "the line says nothing", line=line, column=end, expected="an event (S play Kh)",
            todo="Write @ gap if something was missed.", file=file,
        )  # fmt: skip
    table = Places(frozenset(s.upper() for s in seats), True)
    found = _distinct(_readings(words, table, end, line, file, faults))
    if not found:
        raise _worst(faults, words[0].column).error(line, file)
    if len(found) > 1:
        raise _ambiguous([str(_entry(r, None, "")) for r in found], words[0].column, line, file)
    event = found[0].event
    assert event is not None  # a strict reading is always complete
    return event


def _ambiguous(readings: list[str], column: int, line: int, file: str) -> NotationError:
    shown = "; or ".join(f"'{r}'" for r in readings[:3])
    return NotationError(
        f"this can be read in {len(readings)} ways: {shown}", line=line, column=column, expected="one meaning",
        todo="Write it out: capital letter for the seat, the whole verb, cards as 7h.", file=file,
    )  # fmt: skip


def _entry(r: _Reading, around: Around | None, raw: str, as_played: bool = False) -> Entry:
    a = around or Around(words=[])
    inner = _entry(r.inner, None, "") if r.inner is not None else None
    return Entry(
        by=r.by, verb=r.verb, args=r.args, bare=r.bare, inner=inner, event=r.event, draft=r.draft, raw=raw,
        as_played=as_played, n=a.n, same=a.same, t=a.t, glyphs=a.glyphs, text=a.text, time=a.time, recorder=a.recorder,
        key=a.key,
    )  # fmt: skip


def read_entries(line: str, *, seats: Collection[str] = (), sides: Collection[str] = ()) -> list[Entry]:
    """Every reading of a line typed at the table, at least one. Raises NotationError if there is none.

    `seats` and `sides` are those of the match. A capital first word that is one of them is the actor. Small letters
    may be a seat, a verb or a card, and each reading is returned.

    >>> [str(e) for e in read_entries("s 7h", seats="NESW")]
    ['S play 7h', '? show 7h']
    >>> [str(e) for e in read_entries("c7ka9", seats="NESW")]
    ['? play 7cK_A_9_']
    """
    if len(line) > MAX_TYPED:
        raise NotationError("the line is too long", expected=f"at most {MAX_TYPED} characters")
    around = take_apart(line.rstrip("\r\n"))
    words = [w for w in around.words if w.text != "!"]
    as_played = len(words) < len(around.words)
    if len(words) == 1 and words[0].text == ".":
        dot = _Reading(None, None, (words[0],))
        return [_entry(dot, around, line, as_played)]
    if not words:
        raise NotationError("nothing is written here", column=around.end, expected="an event (S play Kh)")
    known = frozenset(s.upper() for s in (*seats, *sides))
    faults: list[ReadingFault] = []
    found = _distinct(_readings(words, Places(known, False), around.end, 1, "", faults))
    if not found:
        raise _worst(faults, words[0].column).error()
    return [_entry(r, around, line, as_played) for r in found]


def read_entry(line: str, *, seats: Collection[str] = (), sides: Collection[str] = ()) -> Entry:
    """The only reading of a line. Raises NotationError if there is none, or several (the error lists them).

    >>> read_entry("S 7h", seats="NESW").event
    Play(cards=('7h',), face=None, src='', by='S')
    """
    found = read_entries(line, seats=seats, sides=sides)
    if len(found) > 1:
        raise _ambiguous([str(e) for e in found], 1, 1, "")
    return found[0]


def read_args(text: str) -> tuple[Token, ...]:
    """The words of a text as tokens, for `build_event`. Raises NotationError for a comment or an open quote.

    >>> [t.text for t in read_args("7h <stock")]
    ['7h', '<stock']
    """
    words, comment, at = split(text)
    if comment is not None:
        raise NotationError("a comment stands here", column=at, expected="words only")
    return tuple(join_signs(words))


def build_event(by: str, verb: str, args: Sequence[Token], *, seats: Collection[str] = ()) -> Event:
    """Build an event from an actor, a verb and words without holes.

    A token with `kinds` is read only as one of these, and its `cards` are kept. Raises NotationError with the column
    and the syntax of the verb.

    >>> build_event("S", "play", read_args("kh"))
    Play(cards=('Kh',), face=None, src='', by='S')
    """
    if verb not in VERBS:
        raise _no_verb(Token(text=verb)).error()
    if not ACTOR.fullmatch(by):
        raise NotationError(f"{shown_word(by)} is not an actor", expected="a seat (N, A:2), a side (NS) or @")
    end = args[-1].column + len(args[-1].text) if args else 1
    table = Places(frozenset(s.upper() for s in seats), True)
    faults: list[ReadingFault] = []
    if verb == "fix":
        readings = _fixes(by, [Token(text="fix"), *args], table, end, 1, "", faults)
    else:
        readings = _finished(by, verb, args, False, table, end, 1, "", faults)
    found = _distinct(readings)
    if not found:
        raise _worst(faults, 1).error()
    if len(found) > 1:
        raise _ambiguous([str(_entry(r, None, "")) for r in found], 1, 1, "")
    event = found[0].event
    assert event is not None  # a strict reading with an actor is complete
    return event
