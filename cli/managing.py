"""The commands `import` and `export`, for whole matches."""

from pathlib import Path
from typing import Annotated, Any

from cli import shell
from cli.options import argument, flag, option
from cli.shell import IN_PARTS, JSON, LANG, OUT

MATCH = Annotated[
    str | None,
    argument("[MATCH]", "A match id, or the start of one; for Parquet it may be left out.", completes="matches"),
]

FILES = Annotated[list[str], argument("FILE…", "Files in .kib or JSON Lines, or bundles; - for standard input.")]
INTO = Annotated[str, option("--book", "BOOK", "The book that new matches belong to.", default=True, completes="books")]
AS = Annotated[str | None, option("--match", "ID", "The id to give the match.", default="the one it names")]
SEAL = Annotated[bool, flag("--seal", "Seal the matches at once: they take less room, and nothing can be added.")]
AS_CORRECTIONS = Annotated[
    bool,
    flag(
        "--as-corrections",
        "What was edited in a file since it was exported comes in as corrections, shown before they are written.",
    ),
]
YES = Annotated[bool, flag("--yes", "Do not ask before corrections are written.")]
BUNDLE = Annotated[bool, flag("--bundle", "Write a file that proves itself; verify_bundle.py checks it.")]
BESIDE = Annotated[
    str | None,
    option("--replay", "FILE", "With --bundle: write the replay to this .html, too; the bundle names it and its hash."),
]
BARE = Annotated[bool, flag("--bare", "With --bundle: leave out the pictures that are attached.")]
NAMES = Annotated[bool, flag("--names", "With --bundle: even if it has a name that is to be forgotten.")]
FOR = Annotated[
    str | None,
    option(
        "--for", "SEAT|public|all|NAME",
        "As a bundle that is shown in part: the cards that this seat, player or the public saw, or all, and no "
        "remarks; the rest is kept back, and can be opened later.",
        completes=("public", "all"),
    ),
]
NAMELESS = Annotated[bool, flag("--nameless", "With --for: keep back the names of the players, too.")]
FORMAT = Annotated[
    str | None,
    option(
        "--format", "kib|jsonl|parquet|bgstats",
        "How the log is written; Parquet as three tables in a folder; bgstats as plays for the app BG Stats.",
        default="by the ending of -o, else kib", completes=("kib", "jsonl", "parquet", "bgstats"),
    ),
]
NUMBERS = Annotated[list[int] | None, argument("[N]…", "The events; with --hand all of them, if none is named.")]
HAND = Annotated[
    str, option("--hand", "SEAT", "Only the cards that this seat saw and the public did not.", default=True)
]
OPENED = Annotated[str, argument("MATCH", "A match id, or the start of one.", default=True, completes="matches")]
OF = Annotated[str | None, option("--book", "BOOK", "Every match of this book, in one file.", completes="books")]


ENDINGS = {
    "": "kib", ".kib": "kib", ".txt": "kib", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl",
    ".parquet": "parquet", ".bgsplay": "bgstats",
}
"""The format for each file extension."""


@shell.command("import")
@shell.answers
def import_matches(
    files: FILES, book: INTO = "home", match: AS = None, seal: SEAL = False, as_corrections: AS_CORRECTIONS = False,
    yes: YES = False, in_parts: IN_PARTS = False, lang: LANG = "", json: JSON = False
) -> None:
    """Bring whole matches into the store. A match that has grown since is continued. Exit code 3 if a derived line
    (=) differs from what is computed."""
    from cli.importing import import_all, import_corrections

    shell.exit_with(
        import_corrections(files, match=match, yes=yes, json=json) if as_corrections
        else import_all(files, book=book, match=match, json=json, seal=seal, in_parts=in_parts)
    )  # fmt: skip


@shell.command("export")
def export_command(
    match: MATCH = None, format_: FORMAT = None, output: OUT = None, bundle: BUNDLE = False, bare: BARE = False,
    beside: BESIDE = None, names: NAMES = False, book: OF = None, audience: FOR = None, nameless: NAMELESS = False,
) -> None:
    """Write a match as a .kib file, or as JSON Lines. --bundle adds the proofs that it is the one recorded; --for
    leaves out what others may not see, and the proofs stay. As Parquet, write many for analysis."""
    from events.errors import UsageError
    from events.picture_notes import attachments
    from records import export_jsonl, export_kib

    bundle = bundle or audience is not None
    kind = "" if bundle else format_.lower() if format_ else _by_ending(output)
    if kind in ("parquet", "bgstats"):
        (_tables if kind == "parquet" else _plays)(match, book, output)
        return
    if (match is None and (book is None or bundle)) or (match is not None and book is not None):
        raise UsageError(
            "name the match to export" if match is None else "--book is for all matches of a book",
            expected="export MATCH, export --book BOOK, or export --format parquet -o FOLDER",
        )
    if (bare or beside is not None) and not bundle:
        option = "--bare" if bare else "--replay FILE"
        raise UsageError(
            f"{option.partition(' ')[0]} needs --bundle", expected=f"export MATCH --bundle {option} -o FILE",
        )
    if nameless and audience is None:
        raise UsageError("--nameless needs --for", expected="export MATCH --for public --nameless -o FILE")
    if bundle:
        from records.bundle import make_bundle

        with shell.store(write=True) as store:
            name = store.find(match or "")
            log = store.told(name)
            view = None if audience is None else view_for(log, audience, nameless)
            if not names and view is None and log != store.read(name):
                raise UsageError(
                    "a bundle proves the bytes of the record, and they have a name that is to be forgotten",
                    where=f"match {name}",
                    expected="an export without --bundle, or --names if its reader may know the name",
                )  # fmt: skip
            replay = None if beside is None else _replay_beside(log if view is None else view(log), output, beside)
            shell.write_out(output, make_bundle(store, name, pictures=not bare, replay=replay, view=view))
        return
    if kind not in ("kib", "jsonl"):
        raise UsageError(f"there is no format {format_!r}", expected="kib, jsonl, parquet or bgstats")
    with shell.store(write=False) as store:
        found = [row.match for row in reversed(store.matches(book=book))] if match is None else [store.find(match)]
        logs = [store.told(name) for name in found]
    if any(not one.removed for records in logs for one in attachments(records)):
        shell.warn("the pictures that are attached do not come along; --bundle takes them with it")
    if kind == "jsonl":
        shell.write_out(output, b"".join(map(export_jsonl, logs)))
    else:
        shell.write_out(output, "\n".join(export_kib(records, derived(records)) for records in logs).encode())


@shell.command("open")
def open_command(match: OPENED, number: NUMBERS = None, hand: HAND = "", output: OUT = None) -> None:
    """Write what opens a record that was shown in part: events, or a hand. `kibitz check RECORD.json+OPENING.json`
    reads both."""
    from events.errors import NotFoundError, UsageError
    from records.bundle import make_opening

    if not number and not hand:
        raise UsageError("name what to open", expected="open MATCH N…, or open MATCH --hand SEAT")
    with shell.store(write=False) as store:
        name = store.find(match)
        log = store.told(name)
        if missing := [n for n in number or [] if not 0 <= n < len(log)]:
            raise NotFoundError(
                f"there is no event {missing[0]}", where=f"match {name}", expected=f"an event from 0 to {len(log) - 1}",
            )
        views = (view_for(log, hand), view_for(log, "public")) if hand else None
        made = make_opening(store, name, number or range(len(log)), views)
    shell.write_out(output, made)


def view_for(log: Any, text: str, nameless: bool = False) -> Any:
    """A function that returns a log as a seat, a player by name, the public or everybody (`all`) sees it, without
    remarks. Raises UsageError if there is no such player."""
    from events.errors import UsageError
    from replay.fold import fold
    from replay.redact import PUBLIC
    from replay.visibility import ALL_HANDS, Audience, Hands, seen
    from replay.visibility import nameless as without_names

    terms = fold(log).terms
    names = {seat: terms.name(seat) for seat in terms.seats}
    wanted = text.strip().casefold()
    seats = [seat for seat, name in names.items() if wanted in (seat.casefold(), str(name).casefold())]
    if wanted not in ("public", "all") and len(seats) != 1:
        raise UsageError(
            f"{text[:60]!r} does not sit at this table", expected=f"public, all, or one of {', '.join(terms.seats)}",
        )
    opened = frozenset({ALL_HANDS} if wanted == "all" else ())
    audience = Audience(PUBLIC if wanted in ("public", "all") else seats[0], opened=opened)

    def view(records: Any) -> Any:
        shown = seen(records, Hands({}, set()), audience)
        return without_names(shown) if nameless else shown

    return view


def _by_ending(output: str | None) -> str:
    """The format for a file's extension. Raises UsageError if matches are not exported in such files."""
    from events.errors import UsageError

    found = ENDINGS.get(Path(output or "").suffix.lower())
    if found is None:
        raise UsageError(
            "no match is exported to a file with this ending", where=output or "",
            expected="a file that ends in .kib, .txt, .jsonl, .ndjson, .json, .parquet or .bgsplay",
            todo="Name such a file, or choose a format with --format. `kibitz sheet` and `kibitz report` write paper",
        )  # fmt: skip
    return found


def _plays(match: str | None, book: str | None, output: str | None) -> None:
    """Write matches as plays for the app BG Stats."""
    from events.errors import NotFoundError
    from replay.read_log import read_log
    from replay.season.bgstats import play_file

    with shell.store(write=False) as store:
        one = None if match is None else store.find(match)
        found = [row.match for row in reversed(store.matches(book=book)) if one in (None, row.match)]
        data, left = play_file(
            (name, read_log(store.told(name))) for name in shell.progress(found, "writing", len(found))
        )
    if len(left) == len(found):
        raise NotFoundError("there is no match that is over", todo="`kibitz list` shows the matches")
    if left:
        shell.warn(f"not written, as they are not over or cannot be scored: {', '.join(left)}")
    shell.write_out(output, data)


def _tables(match: str | None, book: str | None, output: str | None) -> None:
    """Write matches as tables for analysis."""
    from collections.abc import Iterator

    from events.errors import NotFoundError, UsageError
    from replay.season.tables import MatchTables, write_tables

    if output in (None, "-"):
        raise UsageError("Parquet is no text for a terminal", expected="a folder to write to: -o FOLDER")
    with shell.store(write=False) as store:
        one = None if match is None else store.find(match)
        found = [(row.match, row.book) for row in reversed(store.matches(book=book)) if one in (None, row.match)]
        if not found:
            raise NotFoundError("there is no match to export", todo="`kibitz list` shows the matches")
        register = store.register

        def sources() -> Iterator[MatchTables]:
            for name, where in shell.progress(found, "writing", len(found)):
                facts = getattr(store.read(name)[0].event, "facts", {})
                sat = {
                    seat: register.player_of(name, where, seat, called) for seat, called in facts.items()
                    if seat.isupper() and isinstance(called, str)
                }
                yield MatchTables(
                    name, where, store.told(name), {seat: (p.label, p.id) for seat, p in sat.items() if p is not None},
                )

        counts = write_tables(Path(str(output)), sources())
    shell.out(f"{output}: " + ", ".join(f"{n} {table}" for table, n in counts.items()), data=True)


def _replay_beside(records: Any, output: str | None, beside: str) -> tuple[str, bytes]:
    """Write the replay of a match. Return its path relative to the bundle, and its content."""
    from replay.viewer.document import document
    from replay.viewer.page import replay_html

    where = shell.relative_page(beside, output, "export MATCH --bundle -o match.json --replay hand.html")
    made = replay_html(document(records)).encode()
    shell.write_out(beside, made)
    return where, made


def derived(records: Any) -> list[str]:
    """The derived lines of a log. Empty if they cannot be computed."""
    from events.errors import KibitzError
    from replay.scoring.derived_lines import derived_lines

    try:
        return derived_lines(records)
    except KibitzError as error:
        # A log that cannot be folded can still be exported.
        shell.warn(f"written without derived lines: {error}")
        return []
