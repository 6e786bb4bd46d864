"""Records of lines in a file that could not be read.

The content of such a line is unknown, so the record holds a `gap` in its place, and nothing that depends on it is
certain. If the line may have been a correction, the event that it names becomes a gap as well. All outputs list these
lines; they find them with `unread_in`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from events.entries import verbs_meant
from events.model import Fix, Gap, Note, Plain, Recorded
from events.tokens import ACTOR, nfc, odd_character
from events.versions import record_version

MOST_SHOWN = 100
"""The most characters of an unread line that are shown."""


class Unread(Recorded, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """An unread line at its position: a gap, or a note if it cannot have been an act. `text` names the line."""


class Doubted(Recorded, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """A possible correction in an unread line: the event that it names becomes a gap."""


def unread(n: int, line: int, text: str, event: Plain | Fix) -> Unread:
    """The record for a line of a file that could not be read."""
    words = nfc("".join(ch if odd_character(ch) < 0 else "\ufffd" for ch in " ".join(text[: 4 * MOST_SHOWN].split())))
    shown = words[:MOST_SHOWN] + "…" * (len(words) > MOST_SHOWN)
    return Unread(n=n, event=event, v=record_version(event), text=nfc(f"line {line}: {shown}"))


def lost(first: int, last: int) -> Unread:
    """The record for lines missing from a file: positions `first` to `last`."""
    where = f"{first}" if first == last else f"{first} to {last}"
    return Unread(n=first, event=Gap(by="@"), text=f"no line is numbered {where}")


def may_have_been_corrected(n: int, at: int) -> Doubted:
    """The record for a possible correction of event `at` in an unread line."""
    return Doubted(
        n=n, event=Fix(by="@", at=at, how="replace", event=Gap(by="@")),
        text="perhaps corrected in a line that was not read",
    )


def unread_tag(n: int, line: int, text: str) -> Unread:
    """The record for an unread line above the events, with the name of its tag if that is legible."""
    found = _TAG_NAME.match(text)
    return unread(n, line, text, Note(by="@", facts={"tag": found[1] if found else ""}))


def unread_terms_since(records: Iterable[Recorded]) -> int | None:
    """The position from which on an unread line may have set the rules or the seats: 0 for a tag, that of the line for
    an event; None if no line may have."""
    found = [
        r.n if isinstance(r.event, Gap) else 0 for r in records if type(r) is Unread and (
            str(r.event.facts.get("tag", "Date")) in _TERMS if isinstance(r.event, Note) else _may_be_open(r.text)
        )
    ]
    return min(found, default=None)


def _may_be_open(text: str) -> bool:
    """True if an unread line looks like `@ open`, with other terms from there on."""
    verbs = _JSON_VERB.findall(text) or _words(text.partition(": ")[2])[1:2]
    return any("open" in verbs_meant(verb) for verb in verbs)


def unread_in(records: Iterable[Recorded]) -> list[str]:
    """The lines that could not be read, in words.

    >>> unread_in([unread(3, 9, "3. N plya Kh", Gap(by="@")), lost(7, 8)])
    ['line 9: 3. N plya Kh', 'no line is numbered 7 to 8']
    """
    return [r.text for r in records if type(r) is Unread]


def unread_summary(lines: Sequence[str]) -> str:
    """The number of unread lines and a list of them, as one sentence without its full stop; empty if there are none.

    >>> unread_summary(["line 9: 3. N plya Kh"])
    '1 line was not read, and nothing that rests across it is certain (line 9: 3. N plya Kh)'
    """
    if not lines:
        return ""
    said = (
        "1 line was not read, and nothing that rests across it" if len(lines) == 1
        else f"{len(lines)} lines were not read, and nothing that rests across them"
    )
    return f"{said} is certain ({'; '.join(lines)})"


# What may stand in a line that cannot be read

_EVENT = re.compile(r"\s*(?:[0-9]+\.(?![0-9.]))?\s*&?\s*(.*)", re.DOTALL)
_NUMBER = re.compile(r"#?([0-9]{1,9})[+-]?")
_TAG_NAME = re.compile(r"\s*\[\s*([A-Za-z]+)(?=[\s.\"\]]|$)")
_TERMS = frozenset(("", "Game", "Seats", "Sides", "Dealer", "Pack", "Option"))
"""The tags that decide the rules of a match. An illegible name ("") counts as one."""
_JSON_VERB, _JSON_AT = re.compile(r'"verb"\s*:\s*"([^"]*)"'), re.compile(r'"at"\s*:\s*([0-9]{1,9})\b')


def may_be_act(text: str, seats: Sequence[str]) -> bool:
    """True if a line without a number may be an event: it begins with a seat, a side or `@`.

    >>> may_be_act("E plya 9d", ["N", "E"]), may_be_act("(coffee)", ["N", "E"])
    (True, False)
    """
    words = _words(text)
    return bool(words) and (words[0] in ("@", *seats) if seats else ACTOR.fullmatch(words[0]) is not None)


def corrected_by(text: str, n: int) -> Sequence[int]:
    """The earlier events that a line at position `n` may have corrected: one, or all if its number is illegible.

    >>> corrected_by("15. @ fxi #8 E play Kc", 15), corrected_by("15. E plya Kc", 15)
    ((8,), ())
    >>> corrected_by("3. @ fix #\ufffd pass", 3)
    range(1, 3)
    """
    if text.lstrip().startswith("{"):
        at, verbs = _JSON_AT.search(text), _JSON_VERB.findall(text)
        named = int(at[1]) if at and ("fix" in verbs or not any(verbs_meant(verb) for verb in verbs)) else 0
        return (named,) if 0 < named < n else ()
    words = _words(text.partition("{")[0])
    for i, word in enumerate(words[:3]):
        meant = [] if i == 0 and ACTOR.fullmatch(word) else verbs_meant(word)
        if "fix" in meant:
            return _named(words[i + 1 :], n)
        if meant:
            return ()
    return _named([word for word in words[1:] if _NUMBER.fullmatch(word)], n)


def _words(text: str) -> list[str]:
    found = _EVENT.fullmatch(text)
    return found[1].replace("# ", "#").split() if found else []


def _named(words: Sequence[str], n: int) -> Sequence[int]:
    """The event that the first word names; every earlier one if the word is garbled; none if it is no number."""
    if not words:
        return ()
    found = _NUMBER.fullmatch(words[0])
    if found is None:
        return range(1, n) if "\ufffd" in words[0] or words[0].startswith("#") else ()
    return (int(found[1]),) if 0 < int(found[1]) < n else ()
