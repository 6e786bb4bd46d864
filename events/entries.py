"""Tokens to entries: an event as it is typed, which may have holes.

At the table people leave out who acts, which suit was led, which pile is meant. `read_entries` returns every way to read
a line without knowing the position; the layer that knows the rules tries them and fills the holes. In a file an entry has
no holes, and a word that is spelled strictly has one meaning; `read_event` and `build` work that way.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product
from typing import Any, TypeAlias

from msgspec import Struct, structs

from events.canon import check_event, is_time
from events.cards import is_card
from events.errors import NotationError, UnreadableError
from events.forms import BARE_REFS, FORMS, HINTS, SYNTAX, Slot
from events.limits import DEPTH, MAX_INT, MAX_TYPED, MAX_WORDS
from events.model import VERBS, Event, Fix
from events.tokens import (
    ACTOR,
    BID,
    CLASSES,
    INNER_SEGMENT,
    NAMED,
    PILE,
    RESERVED,
    SEGMENT,
    SUIT_GLYPHS,
    Token,
    card_readings,
    classify,
    nfc,
    normal_name,
    odd_character,
    split,
    squeezed,
    stored_pile,
    unescape,
    whole,
)
from events.writing import write_event

ALIASES: dict[str, str] = {
    "reveal": "show", "layoff": "meld", "trail": "play", "give": "move", "void": "end", "throw": "discard",
}  # fmt: skip
"""Other words that people use for a verb. `void` is `end hand void`."""
SHORT: dict[str, str] = {
    "p": "pass", "d": "draw", "t": "discard", "m": "meld", "s": "show", "b": "bid", "c": "call",
}  # fmt: skip
"""Single letters for the verbs typed most."""

_MOST = 24  # readings kept of one line; more than a handful is a typing error anyway


class Entry(Struct, frozen=True, kw_only=True):
    """One line as typed: an event that may have holes, and what was written around it.

    `by` is None if the actor was left out; `verb` is None if only an actor, or `.`, was typed. `bare` says that
    the verb was left out and cards were typed: `verb` is then `play`. `args` are the words after the verb, each with
    the one kind it has in this reading (for a fix: the reference, then the words of the event in it). `inner` is the
    event in a fix. `event` is the finished event when nothing is missing; when only the actor is missing, `draft` is
    the event with `@` in the actor's place. `as_played` is set by a lone `!`.
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
        """The reading in words: `?` for an actor or verb that is missing, `_` for a suit."""
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


class _Table(Struct, frozen=True):
    """What is known while reading: seats and sides (capitals), and whether strict spelling decides (in files)."""

    seats: frozenset[str] = frozenset()
    strict: bool = True

    def seat(self, text: str) -> str:
        """The seat, side or seat's further hand that the text means, in either case; empty if it means none."""
        head, colon, number = text.partition(":")
        if not head.isascii() or not CLASSES["seat"].fullmatch(head.upper() + colon + number):
            return ""
        if head.upper() in self.seats or (not self.seats and len(head) == 1):
            return head.upper() + colon + number
        return ""


class _Fault(Struct, frozen=True):
    """Why a reading failed; the one that got furthest is the one worth showing."""

    column: int
    what: str
    expected: str = ""
    todo: str = ""

    def error(self, line: int = 1, file: str = "") -> NotationError:
        return NotationError(
            self.what, line=line, column=self.column, expected=self.expected, todo=self.todo, file=file
        )


class _Value(Struct, frozen=True):
    """What a word means as one kind."""

    kind: str
    value: Any
    hole: bool = False
    cards: tuple[tuple[str, ...], ...] = ()


def _show(text: str) -> str:
    return f"'{text}'" if len(text) <= 40 else f"'{text[:37]}…'"


# --- one word, one kind ---------------------------------------------------------------------------------------------


def _piles(text: str, table: _Table) -> list[tuple[str, bool]]:
    """The piles a text may mean, as events hold them; True if only the position can tell."""
    if not text.isascii() or not text or len(text) > 200:
        return []
    under = text.endswith("_")
    body = text[:-1] if under else text
    tail = "_" if under else ""
    if body[:5].lower() == "hand:":
        body = body[5:]
        seat = table.seat(body) or (body if CLASSES["seat"].fullmatch(body) else "")
        return [("hand:" + seat + tail, False)] if seat else []
    if body.isdigit():
        return [(text, True)] if len(body) <= 6 else []
    if seat := table.seat(body):
        return [("hand:" + seat + tail, False)]
    strict = PILE.fullmatch(text)
    if strict and (table.strict or not table.seats):
        return [(stored_pile(text), False)]
    head, *parts = body.split(":")
    if head.isupper() and strict and not parts:
        return [(stored_pile(text), False)]
    low = [p.upper() if p.upper() in table.seats else p if CLASSES["seat"].fullmatch(p) else p.lower() for p in parts]
    if table.strict:
        low = [p if CLASSES["seat"].fullmatch(p) else p.lower() for p in parts]
    found = ":".join([head.lower(), *low]) + tail
    if PILE.fullmatch(found) and not found[0].isupper() and not card_readings(head):
        return [(found, False)]
    if strict:
        return [(stored_pile(text), False)]
    return []


def _card_groups(text: str) -> list[tuple[tuple[str, ...], ...]]:
    """All readings of a word as cards in groups; a `/` at the edge leaves an empty group there."""
    if "/" not in text:
        return [(tuple(run),) for run in card_readings(text)]
    parts: list[list[tuple[str, ...]]] = []
    for part in text.split("/"):
        runs: list[tuple[str, ...]] = [tuple(run) for run in card_readings(part)] if part else [()]
        if not runs:
            return []
        parts.append(runs)
        if len(parts) > 500:
            return []
    out = []
    for choice in product(*parts):
        out.append(tuple(choice))
        if len(out) >= _MOST:
            break
    return out


def _has_hole(groups: Iterable[Iterable[str]]) -> bool:
    return any("_" in card for group in groups for card in group)


def _fact(text: str) -> tuple[str, str] | None:
    key, equals, value = text.partition("=")
    return (key, value) if equals and key else None


def _bids(text: str) -> list[tuple[int | None, str]]:
    small = text.translate(SUIT_GLYPHS).lower()
    found = BID.fullmatch(small) if small.isascii() and small else None
    if not found:
        return []
    level = whole(found[1]) if found[1] else None
    if found[1] and level is None:
        return []
    return [(level, found[2] or "")]


def _values(token: Token, kind: str, table: _Table, verb: str) -> list[_Value]:
    """What a word may mean in a field of this kind, strict spelling first."""
    match kind:
        case "cards" | "groups" | "pair":
            found = [token.cards] if token.cards and token.kinds == ("cards",) else _card_groups(token.text)
            return [_Value("cards", g, _has_hole(g), g) for g in found]
        case "assign":
            return _assigned(token, table)
        case "from" | "to":
            return _direction(token.text, kind, table, verb)
        case "on":
            return _onto(token.text, table)
        case "seat":
            seat = _strict_seat(token.text) or table.seat(token.text)
            return [_Value("seat", seat)] if seat else []
        case "fact":
            pair = _fact(token.text)
            return [_Value("fact", (pair[0], pair[1], token))] if pair else []
        case "bid":
            return [_Value("bid", b) for b in _bids(token.text)]
        case "ref" | "number" | "integer":
            return _figure(token.text, kind, verb)
    return _plain_word(token.text, kind)


def _assigned(token: Token, table: _Table) -> list[_Value]:
    """Cards given to a pile: `N=4c5c`, `stock=-`."""
    if "=" not in token.text:
        return []
    head, _, tail = token.text.partition("=")
    if tail == "-":
        runs: list[tuple[tuple[str, ...], ...]] = [((),)]
    elif token.cards and token.kinds == ("assign",):
        runs = [token.cards]
    elif "/" in tail:
        runs = []
    else:
        runs = _card_groups(tail)
    return [
        _Value("assign", (pile, run[0]), hole or _has_hole(run), run if run != ((),) else ())
        for pile, hole in _piles(head, table)
        for run in runs
    ]


def _direction(text: str, kind: str, table: _Table, verb: str) -> list[_Value]:
    """The pile that cards come `<` from or go `>` to; a move may name the seat alone."""
    if text.startswith("<" if kind == "from" else ">"):
        return [_Value(kind, p, hole) for p, hole in _piles(text[1:], table)]
    if kind == "to" and verb == "move" and (seat := table.seat(text) or _strict_seat(text)):
        return [_Value("to", "hand:" + seat)]
    return []


def _onto(text: str, table: _Table) -> list[_Value]:
    """What an act is done to: a pile, or a card that lies there."""
    if not text.startswith(">"):
        return []
    name = text[1:]
    if is_card(name):
        return [_Value("to", name)]
    out = [_Value("to", p, hole) for p, hole in _piles(name, table)]
    if out and PILE.fullmatch(name) and table.strict:
        return out
    runs = [tuple(map(tuple, g)) for g in _card_groups(name)]
    return out + [_Value("to", g[0][0], _has_hole(g), g) for g in runs if len(g[0]) == 1 and len(g[0][0]) in (2, 3)]


def _figure(text: str, kind: str, verb: str) -> list[_Value]:
    """A whole number: the number of an event (`#12`), one without a sign, or any."""
    digits = text
    if kind == "ref":
        digits = text[1:] if text[:1] == "#" else text if verb in BARE_REFS else ""
    number = whole(digits) if kind == "integer" or digits[:1].isdigit() else None
    return [] if number is None else [_Value("ref" if kind == "ref" else "integer", number)]


def _plain_word(text: str, kind: str) -> list[_Value]:
    """A word of a kind that is written one way only: a face, the hand or the match, a word, a name."""
    if kind == "name":
        name = normal_name(text)
        return [_Value("name", name)] if NAMED.fullmatch(name) else []
    low = text.lower() if text.isascii() else ""
    if kind == "face":
        return [_Value("face", low)] if low in RESERVED else []
    if kind == "what":
        return [_Value("word", low)] if low in ("hand", "match") else []
    return [_Value("word", low)] if kind == "word" and CLASSES["word"].fullmatch(low) else []


def _strict_seat(text: str) -> str:
    return text if CLASSES["seat"].fullmatch(text) else ""


# --- facts ----------------------------------------------------------------------------------------------------------

_PIECE = re.compile(r'"((?:[^"\\]|\\.)*)"|([^",\s]*)')


def read_value(text: str, *, column: int = 1, line: int = 1, file: str = "") -> Any:
    """A fact's value: whole number, yes or no, `-` for nothing, a list with commas, else text (quoted or not).

    Raises NotationError with the place of the fault.

    >>> [read_value(v) for v in ("5", "yes", "-", "N,3", "N,", '"5"', "kaiser.R11")]
    [5, True, None, ['N', 3], ['N'], '5', 'kaiser.R11']
    """
    out: list[Any] = []
    i = 0

    def fail(what: str, expected: str = "") -> NotationError:
        return NotationError(
            what, line=line, column=column + i, expected=expected or "a value",
            todo='Put text with spaces, quotes or commas into "quotes".', file=file,
        )  # fmt: skip

    while True:
        piece = _PIECE.match(text, i)
        assert piece is not None  # the second branch matches everywhere
        if piece[1] is not None:
            out.append(nfc(unescape(piece[1], '"\\')))
        elif piece[2]:
            out.append(_read_atom(piece[2], fail))
        elif out and i == len(text) and len(out) == 1:
            return out  # a comma after a single value makes it a list
        else:
            raise fail("a value is missing" if i >= len(text) or text[i] == "," else "the quote is not closed")
        i = piece.end()
        if i == len(text):
            return out[0] if len(out) == 1 else out
        if text[i] != ",":
            raise fail(f"{_show(text[i:])} is not part of the value", "a comma or the end")
        i += 1


def _read_atom(text: str, fail: Any) -> Any:
    if text == "-":
        return None
    if text in ("yes", "no"):
        return text == "yes"
    if re.fullmatch(r"[+-]?[0-9]+", text):
        number = whole(text)
        if number is None:
            raise fail(f"the number {_show(text)} is out of bounds", f"at most {MAX_INT}")
        return number
    return nfc(text)


def nest(rows: Iterable[tuple[str, Any, int]], *, line: int = 1, file: str = "") -> dict[str, Any]:
    """Facts from dotted keys: rows of (key, value, column).

    Raises NotationError for a malformed key, a key given twice, and a key that is both value and stem.

    >>> nest([("tricks.NS", 5, 1), ("tricks.EW", 3, 13), ("closed", True, 25)])
    {'tricks': {'NS': 5, 'EW': 3}, 'closed': True}
    """
    facts: dict[str, Any] = {}
    for key, value, column in rows:
        put(facts, key, value, column, line=line, file=file)
    return facts


def put(facts: dict[str, Any], key: str, value: Any, column: int = 1, *, line: int = 1, file: str = "") -> None:
    """Enter one value under its dotted key. Raises NotationError as `nest` does, and leaves the facts as they were."""

    def fail(what: str, expected: str, todo: str = "") -> NotationError:
        return NotationError(what, line=line, column=column, expected=expected, todo=todo, file=file)

    parts = key.split(".")
    if not (SEGMENT.fullmatch(parts[0]) and all(INNER_SEGMENT.fullmatch(p) for p in parts[1:])):
        raise fail(f"{_show(key)} is not a key", "letters and digits, parts joined by dots (tricks.NS)")
    if len(parts) > DEPTH:
        raise fail(f"the key {_show(key)} has {len(parts)} parts", f"at most {DEPTH}")
    held = facts
    for i, part in enumerate(parts[:-1]):
        held = held.setdefault(part, {})
        if not isinstance(held, dict):
            stem = ".".join(parts[: i + 1])
            raise fail(f"{_show(stem)} already has a value of its own", f"a key that does not begin with {stem}.")
    if isinstance(held.get(parts[-1]), dict):
        raise fail(f"{_show(key)} already begins other keys", f"{key}.… or another key")
    if parts[-1] in held:
        raise fail(f"the key {_show(key)} is given twice", "each key once", "Strike one of the two.")
    held[parts[-1]] = value


# --- words into fields ----------------------------------------------------------------------------------------------


class _Fit(Struct, frozen=True):
    """One way to read the words after a verb."""

    args: tuple[Token, ...]
    filled: tuple[tuple[Slot, Any], ...]
    hole: int  # the column of the first hole; 0 without one


def _options(token: Token, form: Sequence[Slot], table: _Table, verb: str) -> list[tuple[Slot, _Value]]:
    """The fields of the form that the word may fill, each with its value."""
    kinds = {slot.kind for slot in form}
    strict = classify(token.text)
    same = {
        "cards": {"cards", "groups", "pair"}, "integer": {"integer", "number"}, "to": {"to", "on"},
        "word": {"word", "what"},
    }.get(strict, {strict})  # fmt: skip
    # A word spelled strictly has one meaning. At the table only words and bare numbers stay open, because
    # small letters also stand for seats.
    decided = not token.kinds and bool(strict) and bool(same & kinds) and (table.strict or strict not in ("word", "integer"))
    out: list[tuple[Slot, _Value]] = []
    for slot in form:
        if decided and slot.kind not in same:
            continue
        values = _values(token, slot.kind, table, verb)
        out += [(slot, value) for value in values if not token.kinds or value.kind in token.kinds]
    return out


def _fits(
    verb: str, tokens: Sequence[Token], table: _Table, end: int, faults: list[_Fault]
) -> list[_Fit]:
    """All ways to read the words as fields of the verb; what stopped the others is added to `faults`."""
    found: list[_Fit] = []
    for form in FORMS[verb]:
        _fit_form(verb, form, tokens, table, end, found, faults)
    return found


_Chain: TypeAlias = tuple[Any, Any] | None


class _Branch(Struct, frozen=True):
    """A way to read the words so far: the next word, the fields taken, and the column of the first hole.

    `filled` (fields with their values) and `args` (words as read) are chains (last, chain before), so that long lines
    stay cheap.
    """

    next: int = 0
    taken: frozenset[str] = frozenset()
    hole: int = 0
    filled: _Chain = None
    args: _Chain = None


def _fit_form(
    verb: str, form: Sequence[Slot], tokens: Sequence[Token], table: _Table, end: int,
    found: list[_Fit], faults: list[_Fault],
) -> None:  # fmt: skip
    """Add to `found` every way to read the words as one form of the verb; depth-first, without recursion."""
    if any(slot.kind == "assign" for slot in form):
        tokens = _gathered(tokens)
    options = [_options(token, form, table, verb) for token in tokens]
    stack = [_Branch()]
    for _ in range(5000 + 2 * len(tokens)):
        if not stack or len(found) >= _MOST:
            return
        branch = stack.pop()
        if branch.next == len(tokens):
            fit = _whole_form(verb, form, branch, table, end)
            found.append(fit) if isinstance(fit, _Fit) else faults.append(fit)
            continue
        token = tokens[branch.next]
        branches = list(_branches(token, branch, options[branch.next]))
        if not branches:
            faults.append(_surplus(verb, token, form))
        stack.extend(reversed(branches))


def _whole_form(verb: str, form: Sequence[Slot], branch: _Branch, table: _Table, end: int) -> _Fit | _Fault:
    """What all words come to: a fit, or what is missing."""
    missing = [slot for slot in form if slot.need and slot.attr not in branch.taken]
    if any(not slot.hole for slot in missing) or (missing and table.strict):
        lacking = next((s for s in missing if not s.hole), missing[0])
        return _Fault(end, f"'{verb}' lacks {HINTS[lacking.kind]}", SYNTAX[verb], _FILL * lacking.hole)
    return _Fit(_unchained(branch.args), _unchained(branch.filled), branch.hole or end * bool(missing))


def _branches(token: Token, branch: _Branch, options: Iterable[tuple[Slot, _Value]]) -> Iterator[_Branch]:
    """Each way to go on with the next word."""
    words = 0
    for slot, value in options:
        joined = _join(slot, value, branch.filled)
        if joined is None:
            if slot.attr in branch.taken and not slot.many:
                continue
            if value.kind == "word":
                words += 1
                if words > 1:
                    continue  # the first of several free words is meant
            joined = ((slot, value.value), branch.filled)
        read = Token(text=token.text, column=token.column, kinds=(value.kind,), cards=value.cards)
        hole = branch.hole or token.column * value.hole
        yield _Branch(branch.next + 1, branch.taken | {slot.attr}, hole, joined, (read, branch.args))


def _unchained(chain: _Chain) -> tuple[Any, ...]:
    out = []
    while chain is not None:
        last, chain = chain
        out.append(last)
    return tuple(reversed(out))


_FILL = "In a file everything must be written out; `kibitz append` and `kibitz record` fill in what the position tells."


def _surplus(verb: str, token: Token, form: Sequence[Slot]) -> _Fault:
    if not form:
        return _Fault(token.column, f"'{verb}' takes no words, but {_show(token.text)} follows", SYNTAX[verb])
    text = token.text
    kinds = [slot.kind for slot in form]
    sign = {"<": "from", ">": "to", "#": "ref"}.get(text[:1]) or ("fact" if "=" in text else "")
    wanted = next((k for k in kinds if k == sign or (sign == "fact" and k == "assign")), "")
    if not wanted:
        wanted = next((k for k in kinds if k in ("cards", "groups", "pair", "bid", "name", "assign")), kinds[0])
    return _Fault(
        token.column, f"{_show(text)} does not fit '{verb}'", SYNTAX[verb], f"Possible here: {HINTS[wanted]}."
    )


def _gathered(tokens: Sequence[Token]) -> list[Token]:
    """Cards after `pile=cards`, typed with a space between, belong to that pile."""
    out: list[Token] = []
    tails: list[list[str]] = []
    opened = False  # whether the last word kept is an assignment that more cards may follow
    for token in tokens:
        if opened and not token.kinds and "=" not in token.text and "/" not in token.text and _card_groups(token.text):
            tails[-1].append(token.text)
            continue
        out.append(token)
        tails.append([])
        opened = not token.kinds and "=" in token.text and classify(token.text) != "cards"
    return [
        structs.replace(token, text=token.text + "".join(tail)) if tail else token
        for token, tail in zip(out, tails, strict=True)
    ]


def _join(slot: Slot, value: _Value, filled: _Chain) -> _Chain:
    """People type spaces freely: cards after cards belong to the same field."""
    if value.kind != "cards" or filled is None:
        return None
    (last, held), before = filled
    if last.attr != slot.attr:
        return None
    return (slot, (*held[:-1], (*held[-1], *value.value[0]), *value.value[1:])), before


def _event(by: str, verb: str, fit: _Fit, end: int, line: int, file: str) -> Event:
    """The event of a reading without holes. Raises NotationError."""
    fields: dict[str, Any] = {}
    facts: list[tuple[str, Any, int]] = []
    column = fit.args[0].column if fit.args else end
    for slot, value in fit.filled:
        match slot.kind:
            case "cards" | "groups" | "pair":
                groups = [tuple(squeezed(group)) for group in value]
                if slot.kind == "groups":
                    fields[slot.attr] = tuple(groups)
                elif len(groups) != (2 if slot.kind == "pair" else 1):
                    raise NotationError(
                        f"{len(groups)} groups of cards", line=line, column=column, expected=SYNTAX[verb], file=file
                    )
                else:
                    fields[slot.attr] = groups[0]
                    if slot.kind == "pair":
                        fields["takes"] = groups[1]
            case "assign":
                fields[slot.attr] = (*fields.get(slot.attr, ()), (value[0], tuple(squeezed(value[1]))))
            case "ref":
                fields[slot.attr] = (*fields.get(slot.attr, ()), value)
            case "fact":
                key, text, token = value
                at = token.column + len(key) + 1
                facts.append((key, read_value(text, column=at, line=line, file=file), token.column))
            case "bid":
                fields["level"], fields["strain"] = value
            case _:
                fields[slot.attr] = value
    if facts:
        fields["facts"] = nest(facts, line=line, file=file)
    event = VERBS[verb](by=by, **fields)
    return _checked(event, column, line, file)


def _checked(event: Event, column: int, line: int, file: str) -> Event:
    try:
        check_event(event)
    except UnreadableError as error:
        raise NotationError(
            error.what, line=line, column=column, expected=error.expected, todo=error.todo, file=file
        ) from None
    return event


# --- actor, verb, fix -----------------------------------------------------------------------------------------------


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
    """The verb meant by a word: a verb, an alias, a unique start of one, or its single letter; empty when none.

    >>> [verb_named(t) for t in ("play", "PLAY", "pl", "t", "layoff", "dis", "x")]
    ['play', 'play', 'play', 'discard', 'meld', '', '']
    """
    return _VERB.get(text.lower(), "") if text.isascii() and len(text) <= 20 else ""


def _no_verb(token: Token) -> _Fault:
    from difflib import get_close_matches  # needed only if something is already wrong

    low = token.text.lower()
    starts = sorted({n for n in (*VERBS, *ALIASES) if n.startswith(low)}) if low.isascii() else []
    near = starts or get_close_matches(low[:20], [*VERBS, *ALIASES], n=2)
    todo = f"Did you mean {' or '.join(near)}?" if near else ""
    return _Fault(token.column, f"{_show(token.text)} is not a verb", "a verb (play, draw, pass …) or cards", todo)


class _Reading(Struct, frozen=True):
    by: str | None
    verb: str | None
    args: tuple[Token, ...] = ()
    bare: bool = False
    inner: _Reading | None = None
    event: Event | None = None
    draft: Event | None = None


def _actors(tokens: Sequence[Token], table: _Table) -> list[tuple[str | None, int]]:
    """The actors that the first word may mean; (None, 0) if it may not be an actor at all."""
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
        out.append((text, 1))  # a seat the match does not list; the layer above says so
    out.append((None, 0))
    if seat and len(tokens) == 1:
        out.append((seat, 1))
    return out


def _names_verb_alone(tokens: Sequence[Token], table: _Table) -> bool:
    return len(tokens[0].text) > 1 and verb_named(tokens[0].text) != "" and not table.seats


def _readings(
    tokens: Sequence[Token], table: _Table, end: int, line: int, file: str, faults: list[_Fault], inner: bool = False
) -> Iterator[_Reading]:
    """Every way to take the words of an event, strict or bare, with or without its actor."""
    if not tokens:
        return
    actors = _actors(tokens, table)
    if not actors:
        first = tokens[0]
        if verb_named(first.text) or _card_groups(first.text):
            faults.append(_Fault(first.column, "the actor is missing", "a seat (N, A:2), a side (NS) or @", _FILL))
        else:
            faults.append(_Fault(first.column, f"{_show(first.text)} is not an actor", "a seat (N, A:2), a side or @"))
        return
    found = False
    for by, used in actors:
        rest = tokens[used:]
        if not rest:
            if table.strict:
                faults.append(_Fault(end, f"nothing follows '{by}'", "a verb, or cards", _FILL))
            elif not found or tokens[0].text == by:
                yield _Reading(by, None)
            continue
        for reading in _behind_actor(by, rest, table, end, line, file, faults, inner):
            found = True
            yield reading


def _behind_actor(
    by: str | None, rest: Sequence[Token], table: _Table, end: int, line: int, file: str, faults: list[_Fault],
    inner: bool,
) -> Iterator[_Reading]:  # fmt: skip
    word = rest[0]
    verb = verb_named(word.text) if not word.kinds else ""
    cards = bool(_card_groups(word.text))
    exact = word.text.lower() in VERBS or word.text.lower() in ALIASES
    if verb == "fix":
        if inner:
            faults.append(_Fault(word.column, "a fix stands within a fix", "any other verb", "Fix the event itself instead."))
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
    by: str | None, verb: str, args: Sequence[Token], bare: bool, table: _Table, end: int, line: int, file: str,
    faults: list[_Fault],
) -> Iterator[_Reading]:  # fmt: skip
    for fit in _fits(verb, args, table, end, faults):
        if table.strict and fit.hole:
            faults.append(_Fault(fit.hole, "something is left open here", SYNTAX[verb], _FILL))
            continue
        event: Event | None = None
        try:
            if not fit.hole:
                # The actor is checked too, so a stand-in takes the place of a missing one; its event is not kept.
                event = _event(by or "@", verb, fit, end, line, file)
        except NotationError as error:
            faults.append(_Fault(error.column, error.what, error.expected, error.todo))
            continue
        yield _Reading(by, verb, fit.args, bare, None, event if by else None, None if by else event)


_FIX = re.compile(r"#?([0-9]{1,16})([+-])?")


def _fixes(
    by: str | None, rest: Sequence[Token], table: _Table, end: int, line: int, file: str, faults: list[_Fault]
) -> Iterator[_Reading]:
    expected = SYNTAX["fix"]
    if len(rest) < 2:
        faults.append(_Fault(end, "'fix' lacks the number of an event", expected))
        return
    ref, tail = rest[1], list(rest[2:])
    found = _FIX.fullmatch(ref.text) if ref.text.isascii() else None
    sign = found[2] if found else ""
    if found and not sign and tail and tail[0].text in ("+", "-"):
        sign, tail = tail[0].text, tail[1:]
    at = whole(found[1]) if found else None
    if at is None:
        faults.append(_Fault(ref.column, f"{_show(ref.text)} is not an event number", expected))
        return
    first = structs.replace(ref, kinds=("ref",))
    if sign == "-":
        if tail:
            faults.append(_Fault(tail[0].column, f"{_show(tail[0].text)} follows a strike", f"fix #{at}- and nothing else"))
            return
        strike = Fix(by=by or "@", at=at, how="strike")
        yield _Reading(by, "fix", (first,), False, None, strike if by else None, None if by else strike)
        return
    if not tail:
        faults.append(_Fault(end, "'fix' lacks the event to put there", expected, f"To strike it write fix #{at}-."))
        return
    for inner in _readings(tail, table, end, line, file, faults, inner=True):
        event: Event | None = None
        if inner.event is not None:
            event = Fix(by=by or "@", at=at, how="insert" if sign == "+" else "replace", event=inner.event)  # type: ignore[arg-type]  # `inner` lets no fix into a fix
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
        if len(out) >= _MOST:
            break
    return out


def _mark(r: _Reading) -> object:
    return (r.by, r.verb, tuple((t.text, t.kinds, t.cards) for t in r.args), r.inner and _mark(r.inner))


def _worst(faults: list[_Fault], column: int) -> _Fault:
    """The fault furthest to the right: the reading that got there understood most of the line."""
    if not faults:
        return _Fault(column, "nothing can be read here", "an event (S play Kh)")
    return max(faults, key=lambda fault: fault.column)


def _joined(tokens: Sequence[Token]) -> list[Token]:
    """A sign typed with a space after it belongs to the next word."""
    out: list[Token] = []
    for token in tokens:
        if out and out[-1].text in ("<", ">", "#") and not token.text.startswith(("<", ">", "#")):
            out[-1] = Token(text=out[-1].text + token.text, column=out[-1].column)
        else:
            out.append(token)
    return out


# --- lines ----------------------------------------------------------------------------------------------------------


class Around(Struct, kw_only=True):
    """A line taken apart: its number, the words of the event, and what stands around them."""

    n: int | None = None
    same: bool = False
    words: list[Token]
    t: int | None = None
    glyphs: tuple[int, ...] = ()
    text: str = ""
    time: str = ""
    recorder: str = ""
    key: str = ""
    end: int = 1


_LINE_NUMBER = re.compile(r"\s*([0-9]+)\.(?=\s|[^0-9.]|$)\s*")
_SECONDS = re.compile(r"~([0-9]{1,13})(?:[.,]([0-9]{1,3}))?")
_COMMAND = re.compile(r"\[%([A-Za-z]*)((?:[^\]\\]|\\.)*)\]")


def take_apart(line_text: str, *, line: int = 1, file: str = "") -> Around:
    """Split a line into number, `&`, words, `~seconds`, `$glyphs` and comment. Raises NotationError."""
    odd = odd_character(line_text.replace("\t", " "))
    if odd >= 0:
        raise NotationError(
            f"the character U+{ord(line_text[odd]):04X}", line=line, column=odd + 1, expected="plain text",
            todo="Strike it; it cannot be seen and does not belong in a line.", file=file,
        )  # fmt: skip
    text = line_text.replace("\t", " ")
    out = Around(words=[])
    column = 1
    if number := _LINE_NUMBER.match(text):
        out.n = whole(number[1])
        if out.n is None:
            raise NotationError("the line's number is out of bounds", line=line, expected="1., 2., 3. …", file=file)
        text, column = text[number.end() :], 1 + number.end()
    words, comment, at = split(text, column=column, line=line, file=file)
    out.end = column + len(text.rstrip())
    if comment is not None:
        out.end = at
        _take_comment(out, comment, at + 1, line, file)
    if words and words[0].text[:1] == "&":
        out.same = True
        rest = words[0].text[1:]
        words[:1] = [Token(text=rest, column=words[0].column + 1)] if rest else []
    if len(words) > MAX_WORDS:
        raise NotationError(f"the line has {len(words)} words", line=line, expected=f"at most {MAX_WORDS}", file=file)
    glyphs: list[int] = []
    for word in _joined(words):
        if word.text[:1] == "~":
            found = _SECONDS.fullmatch(word.text)
            t = int(found[1]) * 1000 + int((found[2] or "0").ljust(3, "0")) if found and word.text.isascii() else -1
            if not 0 <= t <= MAX_INT or out.t is not None:
                what = "a second time" if out.t is not None else f"{_show(word.text)} is not a time"
                raise NotationError(
                    what, line=line, column=word.column, expected="seconds since the hand began (~3.12)", file=file
                )
            out.t = t
        elif word.text[:1] == "$":
            glyph = whole(word.text[1:]) if word.text[1:2].isdigit() else None
            if glyph is None:
                raise NotationError(
                    f"{_show(word.text)} is not a glyph", line=line, column=word.column, expected="$ and a number",
                    file=file,
                )  # fmt: skip
            glyphs.append(glyph)
        else:
            out.words.append(word)
    out.glyphs = tuple(glyphs)
    return out


def _take_comment(out: Around, comment: str, column: int, line: int, file: str) -> None:
    """Split the comment into the remark and the commands after it."""
    start = len(comment)
    i = 0
    while i < len(comment):
        if comment[i] == "\\":
            i += 2
        elif comment.startswith("[%", i):
            start = i
            break
        else:
            i += 1
    remark = comment[:start]
    if start < len(comment) and remark.endswith(" "):
        remark = remark[:-1]
    out.text = nfc(unescape(remark, "{}\\[]"))

    def fail(what: str, at: int, expected: str, todo: str = "") -> NotationError:
        return NotationError(what, line=line, column=column + at, expected=expected, todo=todo, file=file)

    seen: set[str] = set()
    at = start
    while at < len(comment):
        if comment[at] == " ":
            at += 1
            continue
        found = _COMMAND.match(comment, at)
        if not found:
            raise fail(
                "this is not a command", at, "[%t …], [%by …] or [%key …] at the end of the comment",
                "Write \\[% if the remark itself has [%.",
            )  # fmt: skip
        name, value = found[1], nfc(unescape(found[2].removeprefix(" "), "{}\\[]"))
        if name not in ("t", "by", "key"):
            raise fail(f"'%{name[:20]}' is not a command", at, "%t, %by or %key", "Write \\[% if it is plain text.")
        if name in seen:
            raise fail(f"'%{name}' is given twice", at, "each command once")
        if not value or len(value) > 200:
            raise fail(f"'%{name}' {'holds too much' if value else 'holds nothing'}", at, "1 to 200 characters")
        if name == "t":
            if not is_time(value):
                raise fail(f"{_show(value)} is not a time", at, "UTC, as [%t 2026-03-14T20:05:11.250Z]")
            out.time = value
        elif name == "by":
            out.recorder = value
        else:
            out.key = value
        seen.add(name)
        at = found.end()


def read_event(
    words: Sequence[Token], *, seats: Collection[str] = (), end: int = 1, line: int = 1, file: str = ""
) -> Event:
    """The event of a line in a file: nothing left open, strict spelling decides. Raises NotationError.

    >>> read_event(read_args("s PLAY 10♥"))
    Play(cards=('Th',), face=None, src='', by='S')
    """
    faults: list[_Fault] = []
    if not words:
        raise NotationError(
            "the line says nothing", line=line, column=end, expected="an event (S play Kh)",
            todo="Write @ gap if something was missed.", file=file,
        )  # fmt: skip
    table = _Table(frozenset(s.upper() for s in seats), True)
    found = _distinct(_readings(words, table, end, line, file, faults))
    if not found:
        raise _worst(faults, words[0].column).error(line, file)
    if len(found) > 1:
        raise _ambiguous([str(_entry(r, None, "")) for r in found], words[0].column, line, file)
    event = found[0].event
    assert event is not None  # in a file every reading is whole
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
        by=r.by, verb=r.verb, args=r.args, bare=r.bare, inner=inner, event=r.event, draft=r.draft, raw=raw, as_played=as_played,
        n=a.n, same=a.same, t=a.t, glyphs=a.glyphs, text=a.text, time=a.time, recorder=a.recorder, key=a.key,
    )  # fmt: skip


def read_entries(line: str, *, seats: Collection[str] = (), sides: Collection[str] = ()) -> list[Entry]:
    """Every way to read a line typed at the table, at least one. Raises NotationError if there is none.

    `seats` and `sides` are those of the match. A capital first word that is one of them is the actor; small letters
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
    faults: list[_Fault] = []
    found = _distinct(_readings(words, _Table(known, False), around.end, 1, "", faults))
    if not found:
        raise _worst(faults, words[0].column).error()
    return [_entry(r, around, line, as_played) for r in found]


def read_entry(line: str, *, seats: Collection[str] = (), sides: Collection[str] = ()) -> Entry:
    """The one way to read a line. Raises NotationError if there is none; if there are several, it names the readings.

    >>> read_entry("S 7h", seats="NESW").event
    Play(cards=('7h',), face=None, src='', by='S')
    """
    found = read_entries(line, seats=seats, sides=sides)
    if len(found) > 1:
        raise _ambiguous([str(e) for e in found], 1, 1, "")
    return found[0]


def read_args(text: str) -> tuple[Token, ...]:
    """The words of a text as tokens, for `build`. Raises NotationError for a comment or an open quote.

    >>> [t.text for t in read_args("7h <stock")]
    ['7h', '<stock']
    """
    words, comment, at = split(text)
    if comment is not None:
        raise NotationError("a comment stands here", column=at, expected="words only")
    return tuple(_joined(words))


def build(by: str, verb: str, args: Sequence[Token], *, seats: Collection[str] = ()) -> Event:
    """The event of an actor, a verb and words without holes.

    A token whose `kinds` are set is taken as nothing else, and its `cards` as they stand. Raises NotationError with the
    column and what the verb expects.

    >>> build("S", "play", read_args("kh"))
    Play(cards=('Kh',), face=None, src='', by='S')
    """
    if verb not in VERBS:
        raise _no_verb(Token(text=verb)).error()
    if not ACTOR.fullmatch(by):
        raise NotationError(f"{_show(by)} is not an actor", expected="a seat (N, A:2), a side (NS) or @")
    end = args[-1].column + len(args[-1].text) if args else 1
    table = _Table(frozenset(s.upper() for s in seats), True)
    faults: list[_Fault] = []
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
    assert event is not None  # a strict reading with an actor is whole
    return event
