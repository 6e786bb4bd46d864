"""The commands that write into a match."""

from typing import TYPE_CHECKING, Annotated, Any

from cli import shell
from cli.options import argument, flag, option
from cli.shell import JSON, LANG, MATCH, PACK

if TYPE_CHECKING:
    from cli.scribe import StoreScribe
    from replay.table.session import Draft

MAYBE = Annotated[
    str | None,
    argument("[MATCH]", "A match id, or the start of one; by default the last open match.", completes="open_matches"),
]
LINES = Annotated[str, argument("FILE|-", "Lines as in a .kib file, as typed at the table, or JSON Lines.")]
EXPECT = Annotated[
    int | None,
    option("--expect", "N", "The last event you have seen; if there are later ones, nothing is written.", min=0),
]
KEY = Annotated[str, option("--key", "K", "A submission key: sending the same lines again does no harm.")]
STRICT = Annotated[bool, flag("--strict", "Refuse an act that certainly breaks a rule.")]
AS_PLAYED = Annotated[bool, flag("--as-played", "Record such an act without asking; it is marked.")]
ALERT = Annotated[bool, flag("--alert", "Say at once what becomes provable, not only after the hand.")]
PLAIN = Annotated[bool, flag("--plain", "Read lines as they come, without the line editor.")]
NUMBER = Annotated[str, argument("N", "The event: 15 replaces it, 15+ inserts one after it, 15- strikes it out.")]
EVENT = Annotated[list[str] | None, argument("[EVENT]…", "The event that belongs there, or just other cards.")]
REF = Annotated[int, argument("N", "The event the note is about; 0 for the whole match.", min=0)]
TEXT = Annotated[list[str] | None, argument("[TEXT]…", "Your remark.")]
GLYPH = Annotated[list[str] | None, option("--glyph", "MARK", "A mark: ! ? !! ?? !? ?!")]
WORDS = Annotated[list[str] | None, argument("[WORD]…", "What is said, as in the notation.")]
DRY_RUN = Annotated[bool, flag("--dry-run", "Show what it would make of the score; nothing is written.")]
BY = Annotated[str | None, option("--by", "SEAT", "Who says it: a seat, a side, or @.", default="@")]


@shell.command("record")
@shell.answers
def record_command(
    match: MAYBE = None, strict: STRICT = False, as_played: AS_PLAYED = False, alert: ALERT = False,
    plain: PLAIN = False, lang: LANG = "", pack: PACK = None,
) -> None:  # fmt: skip
    """Record a match, line by line. `?` says what comes next, `help` what you can type."""
    from cli.recording import Recording

    wanted = shell.asked_pack(pack)
    shell.exit_with(Recording(match, strict=strict, as_played=as_played, alert=alert, plain=plain, pack=wanted).run())


@shell.command("append")
@shell.answers
def append_command(
    match: MATCH, lines: LINES, expect: EXPECT = None, key: KEY = "", strict: STRICT = False,
    as_played: AS_PLAYED = False, lang: LANG = "", json: JSON = False,
) -> None:  # fmt: skip
    """Append lines to a match, all or none."""
    from cli.appending import append_lines

    append_lines(match, lines, expect=expect, key=key, strict=strict and not as_played, json=json)


@shell.command("fix", free=True)
@shell.answers
def fix_command(match: MATCH, number: NUMBER, event: EVENT = None, json: JSON = False) -> None:
    """Correct an event that was typed wrong. You can also insert one, or strike one out."""
    from events.errors import NotFoundError, UsageError

    number, words = number.lstrip("#"), " ".join(event or [])
    at, sign = (number[:-1], number[-1]) if number[-1:] in ("+", "-") else (number, "")
    if not (at.isascii() and at.isdigit() and len(at) < 16):
        raise UsageError(f"{number!r} is not an event number", expected="15, 15+ or 15-")
    if (sign == "-") == bool(words):
        raise UsageError(
            "the new event is missing" if not words else "a strike has no new event",
            expected=f"fix {at} EVENT, or fix {at}-",
        )

    def draft(scribe: "StoreScribe") -> "Draft":
        if int(at) > scribe.last:
            raise NotFoundError(
                f"there is no event {at}", where=f"match {scribe.match}", expected=f"a position from 0 to {scribe.last}"
            )
        return scribe.understand(f"fix {at}{sign} {words}")

    _say(match, draft, json)


@shell.command("undo")
@shell.answers
def undo_command(match: MATCH, json: JSON = False) -> None:
    """Take back the last act. It stays in the log, struck out."""
    _say_line(match, "undo", json)


@shell.command("note", free=True)
@shell.answers
def note_command(match: MATCH, number: REF, text: TEXT = None, glyph: GLYPH = None, json: JSON = False) -> None:
    """Add a remark about an event."""
    from cli.scribe import glyph_number
    from events.errors import NotationError, UsageError
    from replay.table.scribe import remark

    try:
        draft = remark([number] if number else [], " ".join(text or []), [glyph_number(g) for g in glyph or []])
    except NotationError as error:
        raise UsageError(error.what, expected=error.expected) from error
    _say(match, lambda scribe: draft, json)


def _saying(verb: str, about: str, *, free: bool = True) -> None:
    """Add the command that writes an event with this verb; `about` is its help."""

    def say(match: MATCH, word: WORDS = None, by: BY = None, json: JSON = False) -> None:
        _say_line(match, _line(verb, word, by), json)

    say.__doc__ = about
    shell.command(verb, free=free)(shell.answers(say))


_saying("claim", "Note a score as the table stated it. `claim MATCH NS=17 EW=9`, or `claim MATCH --by NS 17`.")
_saying("confirm", "Note that somebody agrees with a claim. With the last claim, or with those numbered.", free=False)
_saying("tally", "Note the facts that are enough to score a hand. `kibitz rules GAME` lists them.")
_saying("fault", "Note an irregularity that the table let pass. `fault MATCH revoke W #12`")
_saying("dispute", "Note that somebody wants a decision. `dispute MATCH --by S #16 revoke`")


@shell.command("ruling", free=True)
@shell.answers
def ruling_command(
    match: MATCH, word: WORDS = None, by: BY = None, dry_run: DRY_RUN = False, json: JSON = False,
) -> None:
    """Note what was decided. `ruling MATCH #19 tricks.NS=1 tricks.EW=-1 rule=kaiser.R12`"""
    (_preview if dry_run else _say_line)(match, _line("ruling", word, by), json)


def _line(verb: str, words: list[str] | None, by: str | None) -> str:
    actor = "@" if by is None else by if by == "@" else by.upper()
    return " ".join([actor, verb, *(words or [])])


def _say_line(match: str, line: str, json: bool) -> None:
    _say(match, lambda scribe: scribe.understand(line), json)


def _say(match: str, draft: Any, json: bool) -> None:
    """Write one entry and print the answer."""
    from cli.scribe import StoreScribe, answered

    with shell.store(write=True) as store:
        scribe = StoreScribe(store, store.find(match))
        entry = _understood(scribe, draft)
        done, answer = scribe.write(entry.events)
    answered(scribe, done, answer, json, () if entry.as_played else entry.doubts)


def _preview(match: str, line: str, json: bool) -> None:
    """Print the score that the match would have with one more line, without writing the line."""
    from msgspec.structs import replace

    from cli.scribe import StoreScribe
    from cli.text_output import score_lines
    from replay.languages.translate import t
    from replay.scoring.three_ways import score_match

    with shell.store(write=False) as store:
        scribe = StoreScribe(store, store.find(match))
        entry = _understood(scribe, lambda scribe: scribe.understand(line))
        log = scribe.session.records
        score = score_match([*log, *(replace(r, n=scribe.last + i) for i, r in enumerate(entry.events, 1))])
    if json:
        shell.out_json(score)
        return
    with shell.data_told(score) as said:
        for text in score_lines(said):
            shell.out(text)
    shell.say(t("Nothing was written."))


def _understood(scribe: "StoreScribe", draft: Any) -> "Draft":
    """The typed words as events. Raises UnreadableError."""
    from events.errors import NotationError, UnreadableError

    try:
        entry: Draft = draft(scribe)
    except NotationError as error:
        # There is no line to point at: the words come from the command line.
        raise UnreadableError(error.what, expected=error.expected, todo=error.todo) from error
    return entry
