"""The commands that organize a store: title and date of a match, trials, the book of a match."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from cli import shell
from cli.options import argument, flag, option
from cli.shell import JSON, out, out_json

if TYPE_CHECKING:
    from records import Store

MATCH = Annotated[str, argument("MATCH", "A match id, or the start of one.", completes="matches")]
TITLE = Annotated[str | None, argument("[TITLE]", "The title; an empty one takes it away.")]
DATE = Annotated[str | None, option("--date", "DATE", "The day it was played (2026-03-14).")]
PLACE = Annotated[str | None, option("--place", "TEXT", "Where it was played.")]
ROUND = Annotated[str | None, option("--round", "TEXT", "The round.")]
TABLE = Annotated[str | None, option("--table", "TEXT", "The table.")]
EVERYWHERE = Annotated[bool, flag("--everywhere", "Give the title to every match that has the same title now.")]
UNDO = Annotated[bool, flag("--undo", "It counts after all.")]
BOOK = Annotated[str, argument("BOOK", "The book it belongs to from now on.", completes="books")]


@shell.command("rename")
def rename_command(
    match: MATCH, title: TITLE = None, date: DATE = None, place: PLACE = None, round_: ROUND = None,
    table: TABLE = None, everywhere: EVERYWHERE = False, json: JSON = False,
) -> None:  # fmt: skip
    """Correct the title of a match, its day, place, round or table. It is an event: what stood there before stays in
    the record."""
    from events.errors import UsageError
    from events.match_tags import TITLE
    from replay.fold import corrected
    from replay.season.order import checked_tags

    changes = checked_tags({"title": title, "date": date, "place": place, "round": round_, "table": table})
    if not changes:
        raise UsageError(
            "nothing to change was given", expected="rename MATCH TITLE, or --date, --place, --round, --table",
        )
    if everywhere and title is None:
        raise UsageError("--everywhere needs a title", expected="rename MATCH TITLE --everywhere")
    with shell.store(write=True) as store:
        name = store.find(match)
        others: list[str] = []
        if everywhere:
            before = corrected(store.read(name)).opening.facts.get(TITLE)
            others = _of_title(store, str(before)) if before is not None else []
            sealed = [row.match for row in store.matches() if row.sealed and row.match in {*others, name}]
            if sealed:
                raise _sealed(sealed)
        with store.turn():
            done = [_retag(store, name, changes)]
            done += [_retag(store, other, {TITLE: changes[TITLE]}) for other in others if other != name]
    _answer([one for one in done if one is not None], json, "says that already")


@shell.command("trial")
def trial_command(match: MATCH, undo: UNDO = False, json: JSON = False) -> None:
    """Mark a match as a trial: no table counts it. --undo takes it back."""
    from replay.season.order import TRIAL

    with shell.store(write=True) as store:
        done = _retag(store, store.find(match), {TRIAL: None if undo else True})
    _answer([done] if done is not None else [], json, "counts already" if undo else "is a trial already")


@shell.command("move")
def move_command(match: MATCH, book: BOOK, json: JSON = False) -> None:
    """Put a finished match into another book. The proof stays where it was recorded, and `export --bundle` carries
    it."""
    from records.moving_matches import file_match
    from replay.comparing.kept_verdict import ended_and_kept

    with shell.store(write=True) as store:
        name = store.find(match)
        over, _ = ended_and_kept(store.read(name)) or (False, False)
        before, recorded = file_match(store, name, book, over=over, recorder=shell.settings.recorder)
    if json:
        out_json({"match": name, "book": book, "before": before, "recorded": recorded})
    else:
        out(f"{name}: {shell.plain_line(before)} → {shell.plain_line(book)}")
        if recorded != book:
            shell.say(
                shell.plain_line(
                    f"its proof stays in the book {recorded}, where it was recorded; `kibitz verify "
                    f"{name}` asks it, `kibitz export {name} --bundle` carries it"
                )
            )


def _of_title(store: "Store", title: str) -> list[str]:
    """The matches that currently have this title, after corrections."""
    from cli.index_access import index_of
    from records.projection.search import titled

    with index_of(store) as index:
        return titled(index, title)


def _retag(store: "Store", match: str, changes: Mapping[str, Any]) -> dict[str, Any] | None:
    """Write the correction. Return its result, None if there was nothing to correct."""
    from events.model import Recorded
    from records.errors import SealedError
    from replay.season.order import retagged

    fix = retagged(store.read(match), changes)
    if fix is None:
        return None
    try:
        done = store.append(match, [Recorded(n=1, event=fix, recorder=shell.settings.recorder)])
    except SealedError as error:
        raise _sealed([match]) from error
    return {"match": match, "at": done.last, "tags": changes}


def _sealed(matches: list[str]) -> Exception:
    from events.errors import ConflictError

    first = f"{matches[0]}{f' and {len(matches) - 1} more' if len(matches) > 1 else ''}"
    return ConflictError(
        f"sealed: {first}; nothing was written",
        todo=f"`kibitz db seal --unseal {matches[0]}` lets it be corrected; seal it again afterwards",
    )


def _answer(done: list[dict[str, Any]], json: bool, otherwise: str) -> None:
    if json:
        out_json(done)
        return
    for one in done:
        tags = ", ".join(
            f"{tag} {'taken away' if value is None else 'yes' if value is True else repr(value)}"
            for tag, value in one["tags"].items()
        )
        out(f"{one['match']}#{one['at']}  {tags}")
    if not done:
        shell.say(f"nothing was written: it {otherwise}")
