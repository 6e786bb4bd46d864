"""The command `attach`: attaches a picture of the paper sheet or of a trick pile to a match."""

import re
from typing import TYPE_CHECKING, Annotated

from cli import shell
from cli.options import argument, option
from cli.shell import JSON, MATCH, out, out_json, plain_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.scribe import StoreScribe
    from records.attachments import PictureState

FILE = Annotated[str | None, argument("[FILE]", "The picture: JPEG, PNG, WebP or PDF, at most 20 MB.")]
WORDS = Annotated[
    list[str] | None, argument("[N]… [TEXT]…", "The events it shows (0 for the whole match), and your words.")
]
REMOVE = Annotated[
    str | None, option("--remove", "N", "Remove the copy of the picture attached at event N; its hash stays.")
]


@shell.command("attach", free=True)
def attach_command(
    match: MATCH, file: FILE = None, words: WORDS = None, remove: REMOVE = None, json: JSON = False,
) -> None:
    """Attach a picture of the sheet or of a trick pile. Without FILE list what is attached."""
    if remove is not None:
        _remove(match, remove, [*([file] if file is not None else []), *(words or [])], json)
    elif file is None:
        _list(match, json)
    else:
        _attach(match, file, words or [], json)


def _attach(match: str, file: str, words: list[str], json: bool) -> None:
    from cli.scribe import StoreScribe, answered
    from events.model import Note, Recorded
    from events.picture_notes import KINDS, amount
    from records import attachments
    from records.copies import read_picture
    from replay.table.session import LineAnswer

    new = read_picture(file)
    with shell.store(write=True) as store:
        scribe = StoreScribe(store, store.find(match))
        refs, text = _said(scribe, words)
        note = Recorded(n=0, event=Note(by="@", refs=refs), text=text, recorder=shell.settings.recorder)
        done = attachments.attach(store, scribe.match, new, note)
        answer = LineAnswer(f"{done.first}  attached: {KINDS[new.kind]}, {amount(len(new.data))}{_on(refs)}")
        if done.repeated:
            answer = LineAnswer(f"this picture is attached already, at event {done.first}")
        else:
            scribe.catch_up(done)
        path = store.copies.path(new.sha256, new.kind)
    answered(scribe, done, answer, json)
    if not json:
        shell.say(f"SHA-256 {new.sha256}; the copy is {path}")


def _remove(match: str, which: str, words: list[str], json: bool) -> None:
    from cli.scribe import StoreScribe, answered
    from records import attachments
    from replay.table.session import LineAnswer

    with shell.store(write=True) as store:
        scribe = StoreScribe(store, store.find(match))
        removed = attachments.remove(store, scribe.match, which, text=_plain(words), recorder=shell.settings.recorder)
        done = removed.done
        answer = LineAnswer(f"{done.first}  the copy of the picture was removed")
        if done.repeated:
            answer = LineAnswer(f"event {done.first} already says that the copy was removed")
        else:
            scribe.catch_up(done)
    answered(scribe, done, answer, json)
    if json:
        return
    if removed.others:
        shell.say(
            f"the copy stays: {', '.join(removed.others[:5])} "
            f"{'names' if len(removed.others) == 1 else 'name'} the same picture"
        )
    elif removed.gone:
        shell.say("the copy is removed; the record keeps its hash, and backups and bundles keep their copies")
    else:
        shell.say("there was no copy any more")


def _list(match: str, json: bool) -> None:
    from records import attachments

    with shell.store(write=False) as store:
        name = store.find(match)
        found = attachments.look_at_pictures(store, name, store.told(name))
    if json:
        out_json(found)
        return
    for one in found:
        out(*_told(one))
    if not found:
        shell.say("nothing is attached to this match")


def _told(one: "PictureState") -> list[str]:
    from events.picture_notes import KINDS, amount

    state = {
        "kept": "", "missing": "; its copy is missing", "changed": "; its copy is not the one that was attached",
        "absent": "; the record was imported without it", "unreadable": "; its copy cannot be read",
        "removed": f"; its copy was removed at event {one.removed}",
    }[one.state]  # fmt: skip
    state += f"; struck out at event {one.struck}" if one.struck else ""
    said = f": {plain_line(one.text)}" if one.text else ""
    return [
        f"#{one.n}  {KINDS[one.kind]}, {amount(one.size)}{_on(one.refs)}{state}{said}", f"    {one.path or one.sha256}",
    ]


def _on(refs: "Sequence[int]") -> str:
    events = ", ".join(map(str, refs))
    return f", on event{'s' * (len(refs) != 1)} {events}" if events else ""


def _said(scribe: "StoreScribe", words: list[str]) -> tuple[tuple[int, ...], str]:
    """The events that a picture shows, and the remark about it. Raises NotFoundError for an event that the match does
    not have."""
    from events.errors import NotFoundError

    refs: list[int] = []
    while words and 0 not in refs and re.fullmatch("#?[0-9]{1,15}", words[0]):
        refs.append(int(words[0].lstrip("#")))
        words = words[1:]
    for n in refs:
        if n > scribe.last:
            raise NotFoundError(
                f"there is no event {n}", where=f"match {scribe.match}", expected=f"a position from 0 to {scribe.last}",
            )
    return tuple(dict.fromkeys(n for n in refs if n)), _plain(words)


def _plain(words: list[str]) -> str:
    """The words of a remark, with or without braces, without invisible characters."""
    import unicodedata

    text = "".join(c for c in unicodedata.normalize("NFC", " ".join(words).strip()) if c.isprintable())
    return text[1:-1].strip() if len(text) > 1 and text[0] == "{" and text[-1] == "}" else text
