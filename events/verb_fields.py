"""Fits the words of a line into the fields of an event, in every way that the verb's forms allow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from msgspec import Struct, structs

from events.canon import check_event
from events.errors import NotationError, UnreadableError
from events.facts import nest, read_value
from events.model import VERBS, Event
from events.tokens import Token, classify, squeezed
from events.verb_forms import FORMS, HINTS, SYNTAX, Slot
from events.words import MAX_READINGS, Places, ReadingFault, Value, card_groups, shown_word, values_of


class Fit(Struct, frozen=True):
    """One way to read the words after a verb."""

    args: tuple[Token, ...]
    filled: tuple[tuple[Slot, Any], ...]
    hole: int  # column of the first hole; 0 if there is none


def _options(token: Token, form: Sequence[Slot], table: Places, verb: str) -> list[tuple[Slot, Value]]:
    """The fields of the form that the word may fill, each with a value for it."""
    kinds = {slot.kind for slot in form}
    strict = classify(token.text)
    same = {
        "cards": {"cards", "groups", "pair"}, "integer": {"integer", "number"}, "to": {"to", "on"},
        "word": {"word", "what"},
    }.get(strict, {strict})  # fmt: skip
    # A word spelled strictly has one meaning. At the table words and bare numbers stay open: small letters may be
    # seats.
    decided = not token.kinds and bool(strict) and bool(same & kinds) and (
        table.strict or strict not in ("word", "integer")
    )
    out: list[tuple[Slot, Value]] = []
    for slot in form:
        if decided and slot.kind not in same:
            continue
        values = values_of(token, slot.kind, table, verb)
        out += [(slot, value) for value in values if not token.kinds or value.kind in token.kinds]
    return out


def readings_of(verb: str, tokens: Sequence[Token], table: Places, end: int, faults: list[ReadingFault]) -> list[Fit]:
    """All ways to fit the words into fields of the verb. The reasons why others failed are added to `faults`."""
    found: list[Fit] = []
    for form in FORMS[verb]:
        fit_form(verb, form, tokens, table, end, found, faults)
    return found


_Chain: TypeAlias = tuple[Any, Any] | None


class _Branch(Struct, frozen=True):
    """A partial reading: the index of the next word, the fields taken, and the column of the first hole.

    `filled` (fields with values) and `args` (words as read) are linked lists (last, rest), so that long lines stay
    cheap.
    """

    next: int = 0
    taken: frozenset[str] = frozenset()
    hole: int = 0
    filled: _Chain = None
    args: _Chain = None


def fit_form(
    verb: str, form: Sequence[Slot], tokens: Sequence[Token], table: Places, end: int,
    found: list[Fit], faults: list[ReadingFault],
) -> None:  # fmt: skip
    """Add to `found` every way to fit the words into one form of the verb; depth-first, without recursion."""
    if any(slot.kind == "assign" for slot in form):
        tokens = join_pile_cards(tokens)
    options = [_options(token, form, table, verb) for token in tokens]
    stack = [_Branch()]
    for _ in range(5000 + 2 * len(tokens)):
        if not stack or len(found) >= MAX_READINGS:
            return
        branch = stack.pop()
        if branch.next == len(tokens):
            fit = _whole_form(verb, form, branch, table, end)
            found.append(fit) if isinstance(fit, Fit) else faults.append(fit)
            continue
        token = tokens[branch.next]
        branches = list(_branches(token, branch, options[branch.next]))
        if not branches:
            # A further number does not continue the first one, as further cards do.
            free = [s for s in form if s.kind not in ("integer", "number") or s.attr not in branch.taken]
            faults.append(surplus(verb, token, free or form))
        stack.extend(reversed(branches))


def _whole_form(verb: str, form: Sequence[Slot], branch: _Branch, table: Places, end: int) -> Fit | ReadingFault:
    """The fit when all words are used, or a fault for the missing field."""
    missing = [slot for slot in form if slot.need and slot.attr not in branch.taken]
    if any(not slot.hole for slot in missing) or (missing and table.strict):
        lacking = next((s for s in missing if not s.hole), missing[0])
        return ReadingFault(end, f"'{verb}' lacks {HINTS[lacking.kind]}", SYNTAX[verb], FILL * lacking.hole)
    return Fit(_unchained(branch.args), _unchained(branch.filled), branch.hole or end * bool(missing))


def _branches(token: Token, branch: _Branch, options: Iterable[tuple[Slot, Value]]) -> Iterator[_Branch]:
    """Yield each way to continue with the next word."""
    words = 0
    for slot, value in options:
        joined = join(slot, value, branch.filled)
        if joined is None:
            if slot.attr in branch.taken and not slot.many:
                continue
            if value.kind == "word":
                words += 1
                if words > 1:
                    continue  # of several free word fields only the first is used
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


FILL = "In a file everything must be written out; `kibitz append` and `kibitz record` fill in what the position tells."


def surplus(verb: str, token: Token, form: Sequence[Slot]) -> ReadingFault:
    if not form:
        return ReadingFault(
            token.column, f"'{verb}' takes no words, but {shown_word(token.text)} follows", SYNTAX[verb],
        )
    text = token.text
    kinds = [slot.kind for slot in form]
    sign = {"<": "from", ">": "to", "#": "ref"}.get(text[:1]) or ("fact" if "=" in text else "")
    wanted = next((k for k in kinds if k == sign or (sign == "fact" and k == "assign")), "")
    if not wanted:
        wanted = next((k for k in kinds if k in ("cards", "groups", "pair", "bid", "name", "assign")), kinds[0])
    return ReadingFault(
        token.column, f"{shown_word(text)} does not fit '{verb}'", SYNTAX[verb], f"Possible here: {HINTS[wanted]}."
    )


def join_pile_cards(tokens: Sequence[Token]) -> list[Token]:
    """Join cards typed after `pile=cards` with a space between to that pile."""
    out: list[Token] = []
    tails: list[list[str]] = []
    opened = False  # True if more cards may follow the last kept word
    for token in tokens:
        if opened and not token.kinds and "=" not in token.text and "/" not in token.text and card_groups(token.text):
            tails[-1].append(token.text)
            continue
        out.append(token)
        tails.append([])
        opened = not token.kinds and "=" in token.text and classify(token.text) != "cards"
    return [
        structs.replace(token, text=token.text + "".join(tail)) if tail else token
        for token, tail in zip(out, tails, strict=True)
    ]


def join(slot: Slot, value: Value, filled: _Chain) -> _Chain:
    """Add cards to the field that the last word filled, as people type spaces freely. None for another field."""
    if value.kind != "cards" or filled is None:
        return None
    (last, held), before = filled
    if last.attr != slot.attr:
        return None
    return (slot, (*held[:-1], (*held[-1], *value.value[0]), *value.value[1:])), before


def event_from(by: str, verb: str, fit: Fit, end: int, line: int, file: str) -> Event:
    """Build the event of a reading without holes. Raises NotationError."""
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
    return checked_event(event, column, line, file)


def checked_event(event: Event, column: int, line: int, file: str) -> Event:
    try:
        check_event(event)
    except UnreadableError as error:
        raise NotationError(
            error.what, line=line, column=column, expected=error.expected, todo=error.todo, file=file
        ) from None
    return event
