"""The commands that prove a record: changes in it, the signed head of a book, and maintenance of the store."""

from typing import TYPE_CHECKING, Annotated

from cli import shell
from cli.options import argument, flag, option
from cli.shell import JSON, out, out_json, plain_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from events import Recorded
    from records import Store
    from records.attachments import PictureState
    from records.proof.verify import Change, Verified

NAME = Annotated[str, argument("BOOK|MATCH", "A book, a match id, or the start of one.")]
BOOK = Annotated[str, argument("BOOK", "The book.")]
AGAINST = Annotated[
    str | None, option("--against", "FILE", "A checkpoint or bundle that you kept elsewhere; - for standard input.")
]
KEY = Annotated[str | None, option("--key", "NAME+ID+KEY", "The public key as you were given it.")]
TARGET = Annotated[str, argument("FILE", "The new file.")]
PROOFS = Annotated[
    str | None,
    option(
        "--proofs", "FOLDER",
        "Write beside it the bundle of each match that can be shown in part: what the public saw, with its proof.",
    ),
]
FROM = Annotated[str | None, argument("[FILE]", "The backup.")]
SOURCE = Annotated[str, argument("FROM", "The store to copy from: a file, or postgresql://…")]
INTO = Annotated[str, argument("TO", "The store to copy to; it is created if it is missing.")]
ONLY = Annotated[list[str] | None, option("--book", "BOOK", "Only this book. Can be given more than once.")]
MATCHES = Annotated[list[str] | None, argument("MATCH…", "Match ids, or the starts of them.")]
ALL = Annotated[bool, flag("--all", "All matches that are over.")]
OF = Annotated[str | None, option("--book", "BOOK", "With --all: only those of this book.")]
UNFINISHED = Annotated[bool, flag("--unfinished", "Also seal a match that is not over.")]
UNSEAL = Annotated[bool, flag("--unseal", "Open sealed matches again, to add to them.")]
COMPACT = Annotated[bool, flag("--compact", "Return free space to the disk.")]
CLEAN = Annotated[bool, flag("--clean", "Remove pictures that no event names.")]
ACCEPT = Annotated[bool, flag("--accept", "Continue with a copy that lacks its end.")]


@shell.command("verify")
def verify_command(name: NAME, against: AGAINST = None, key: KEY = None, json: JSON = False) -> None:
    """Say whether a book is what was written, or what was changed in it. Exit code 7 if anything was."""
    from records.bundle import bundle_differences, read_bundle
    from records.examination import examined
    from records.proof.checkpoints import read_checkpoint, read_verifier_key
    from replay.comparing.kept_verdict import ended_and_kept

    text = "" if against is None else _text(against)
    bundle = read_bundle(text, key) if text.lstrip()[:1] == "{" else None
    given = bundle.checkpoint if bundle else None if against is None else read_checkpoint(text)[0]
    keys = [] if key is None else [read_verifier_key(key)[1]]
    with shell.store(write=False) as store:
        book, match = store.book_named(name)
        looked = examined(store, book, given, keys, ended=ended_and_kept)
        done, pictures = looked.done, looked.pictures
        told = {(c.kind, c.first) for c in done.found}
        more = [] if bundle is None else [c for c in bundle_differences(store, bundle) if (c.kind, c.first) not in told]
    _unlisted(looked.unlisted)
    found = looked.found + more
    if json:
        out_json({
            "book": book, "match": match, "size": done.size, "root": done.root, "signed": done.signed,
            "checkpoints": done.checkpoints, "found": found, "signers": done.signers, "forks": done.forks,
            "in_parts": done.in_parts,
        })  # fmt: skip
    else:
        _tell(found)
        out(_summary(done, len(found), "bundle" if bundle else "checkpoint" if given else ""))
        if done.in_parts:
            out(f"{done.in_parts} of the {done.size} events can be shown in part (layout 2 of the leaf)")
        out(*_of_pictures(pictures))
        for signer in done.signers:
            upto = "" if signer.size == done.signed else f" (the first {signer.size} events)"
            out(f"{plain_line(signer.text)}{upto}")
        if done.signers and key is None:
            shell.say(
                "anyone who could write this file could have written that key too; use --key to name the "
                "key you were given"
            )
        for fork in done.forks:
            out(f"{fork.kind:<8}  {plain_line(fork.text)}")
        if any(one.state in ("missing", "changed") for one in pictures):
            shell.say(
                "attach the same file again to put its copy back; `kibitz attach MATCH --remove N` says "
                "that it is gone on purpose"
            )
        if any("beside the store" in change.text for change in found):
            shell.say("if a backup was put back, `kibitz db restore` records it and continues from there")
    shell.exit_with(shell.STORE if found else 0)


def _tell(found: "list[Change]") -> None:
    for change in found:
        out(f"{change.kind:<8}  {plain_line(change.text)}")


def _of_pictures(pictures: "list[PictureState]") -> "Iterator[str]":
    """Lines about the pictures, apart from errors."""
    for one in pictures:
        if one.state == "removed":
            yield (
                f"removed   the picture of event {one.n} (match {plain_line(one.match)}, "
                f"{one.sha256[:12]}…): on purpose, as event {one.removed} says"
            )
        elif one.state == "absent":
            yield (
                f"absent    the picture of event {one.n} (match {plain_line(one.match)}, "
                f"{one.sha256[:12]}…): the record was imported without it"
            )
    kept = sum(one.state == "kept" for one in pictures)
    if kept:
        yield f"{shell.count(kept, 'picture')}, as attached"


def _unlisted(matches: list[str]) -> None:
    if matches:
        n, more = len(matches), f" and {len(matches) - 3} more" if len(matches) > 3 else ""
        shell.warn(
            f"{n} match{'es are' if n > 1 else ' is'} over by {'their' if n > 1 else 'its'} events, and "
            f"not listed as over: {', '.join(matches[:3])}{more}"
        )


def _summary(done: "Verified", changes: int, compared: str) -> str:
    events = shell.count(done.size, "event")
    book = plain_line(done.book)
    if changes:
        return f"book {book}: {shell.count(changes, 'change')} found in {events}"
    if not done.checkpoints:
        return f"book {book}: {events}, as written; nothing is signed yet (`kibitz checkpoint {book}`)"
    later = done.size - done.signed
    said = f"book {book}: {events}, as written" + (f"; the first {done.signed} as signed" if later else " and signed")
    return said + (f", and as in the {compared} given" if compared else "")


@shell.command("checkpoint")
def checkpoint_command(book: BOOK, json: JSON = False) -> None:
    """Sign the head of a book and print it. Keep it elsewhere: it proves later that nothing before it was changed."""
    from records.bundle import public_key_of
    from records.proof.signers import public_key_text, signers

    with shell.store(write=True) as store:
        made = store.sign(book)
        key = public_key_of(store, made)
        first = public_key_text(bytes.fromhex(signers(store.path)[0].signer), book)
    if json:
        out_json({
            "book": book, "size": made.size, "root": made.root.hex(), "public_key": key, "note": made.note,
            "first_signer": first,
        })  # fmt: skip
    else:
        shell.out_lines(made.note)
        shell.say(f"public key: {key}")
        shell.say(f"first signer: {'the same' if first == key else first}")


@shell.command("db path")
def path_command(json: JSON = False) -> None:
    """Print where the store is."""
    from pathlib import Path

    from records import default_path
    from records.postgres.address import address_of, is_address
    from records.proof.signers import forks_path, signer_path
    from records.proof.signing import key_path, signed_path

    if is_address(shell.settings.db):
        address = address_of(str(shell.settings.db))
        shown, exists, beside = address.shown, True, address.beside
    else:
        beside = Path(shell.settings.db) if shell.settings.db else default_path()
        shown, exists = str(beside), beside.is_file()
    if json:
        paths = {"key": key_path, "signed": signed_path, "signer": signer_path, "forks": forks_path}
        out_json({"path": shown, "exists": exists, **{name: str(path_of(beside)) for name, path_of in paths.items()}})
    else:
        out(shown)


@shell.command("db check")
def check_store_command(accept: ACCEPT = False, clean: CLEAN = False, json: JSON = False) -> None:
    """Check the whole store: its file and every book. Exit code 7 if anything is wrong."""
    from records import Store, default_path
    from records.attachments import faults, looked_over
    from records.examination import ends_of
    from records.maintenance import accept_lost_end as go_on
    from records.proof.signers import forks
    from records.proof.verify import Change
    from replay.comparing.kept_verdict import ended_and_kept

    if accept:
        for book in go_on(shell.settings.db or default_path()):
            shell.say(f"book {book} continues with what is there")
    pictures: list[PictureState] = []
    with Store.open(shell.settings.db, write=False) as store:
        found = store.faults() + [Change("cut", text) for text in store.lacking()]
        books = [row.book for row in store.books()]
        sizes = 0
        for book in books:
            done = store.verify(book)
            sizes += done.size
            ends, unlisted = ([], []) if done.found else ends_of(store, book, ended_and_kept)
            found += done.found or ends
            _unlisted(unlisted)
            pictures += looked_over(store, book)
        found += faults(pictures)
        warnings, broken = store.warnings, forks(store.path)
        unused = _unused(store)
    if clean and unused:
        unused = _cleaned(unused)
    warnings = [*warnings, *unused]
    shell.warn(*warnings)
    if json:
        out_json({"books": len(books), "events": sizes, "found": found, "warnings": warnings, "forks": broken})
    else:
        _tell(found)
        for fork in broken:
            out(f"{fork.kind:<8}  {plain_line(fork.text)}")
        said = f"{shell.count(len(found), 'change')} found" if found else "nothing is wrong"
        out(f"{shell.count(len(books), 'book')}, {shell.count(sizes, 'event')}: {said}")
        out(*_of_pictures(pictures))
    shell.exit_with(shell.STORE if found else 0)


def _unused(store: "Store") -> list[str]:
    """A sentence for each file among the copies that no event names.

    Empty if part of the store cannot be read, because an event in it could name the file.
    """
    from events.errors import StoreError
    from records.attachments import PictureSweep, unused
    from records.copies import is_ours

    try:
        names = unused(store, PictureSweep(store)) if store.copies.names() else []
    except StoreError:
        return []
    todo = {
        True: "no event names this picture; `kibitz db check --clean` removes it",
        False: "this file among the pictures is not Kibitz's",
    }
    return [f"{store.copies.folder / name}: {todo[is_ours(name)]}" for name in names]


def _cleaned(unused: list[str]) -> list[str]:
    """Remove pictures that no event names. Return the sentences about the remaining files."""
    from records.attachments import clean_pictures

    with shell.store(write=True) as store:
        for name in clean_pictures(store):
            path = f"{store.copies.folder / name}"
            shell.say(f"{path} is removed, no event named it")
            unused = [text for text in unused if not text.startswith(path)]
    return unused


@shell.command("db backup")
def backup_command(target: TARGET, json: JSON = False) -> None:
    """Copy the store to a new file, even while others write. The key is not copied."""
    from records.copies import Copies

    with shell.store(write=False) as store:
        made = store.backup(target)
        events = sum(row.head for row in store.books())
    copies = Copies(made)
    pictures = len(copies.pictures())
    if json:
        out_json({"path": str(made), "events": events})
    else:
        beside = f", and {shell.count(pictures, 'picture')} in {copies.folder}" if pictures else ""
        shell.say(f"{made}: {shell.count(events, 'event')}{beside}")


@shell.command("db restore")
def restore_command(backup: FROM = None, json: JSON = False) -> None:
    """Replace the store with a backup, and continue from it. What was signed since is reported and recorded.

    Without FILE the store is accepted as it is, for example after a backup was copied back by hand.
    """
    from records.maintenance import refuse_address
    from records.restoring import restore as put_back

    refuse_address(shell.settings.db, "replaced with a backup")
    done = put_back(shell.settings.db, backup)
    if json:
        out_json(done)
        return
    for fork in done.forks:
        out(f"{fork.kind:<8}  {plain_line(fork.text)}")
    books = f"{shell.count(done.books, 'book')}, {shell.count(done.events, 'event')}"
    out(
        f"{books}: "
        + (
            "what was signed is recorded; signing continues from here" if done.forks
            else "nothing that was signed is missing"
        )
    )
    if done.kept:
        shell.say(f"the store that was here is kept as {done.kept}")


@shell.command("db migrate")
def migrate_command(json: JSON = False) -> None:
    """Bring a store of an earlier version up to date. Every command does so by itself; this one also reports it."""
    from records.maintenance import version

    before, after = version(shell.settings.db)
    with shell.store(write=True):
        pass
    if json:
        out_json({"before": before, "after": after})
    else:
        out(f"version {after}" + (f", was {before}" if before != after else ", unchanged"))


@shell.command("db seal")
def seal_command(
    matches: MATCHES = None, all_: ALL = False, book: OF = None, unfinished: UNFINISHED = False, unseal: UNSEAL = False,
    compact: COMPACT = False, json: JSON = False,
) -> None:  # fmt: skip
    """Compress each finished match into one piece. It reads and proves as before; nothing can be added until
    --unseal."""
    from events.errors import UsageError

    if bool(matches) == all_ and not (compact and not matches):
        raise UsageError("name what to seal", expected="match ids, or --all")
    if unseal and (all_ or unfinished):
        raise UsageError("--unseal takes only match ids", expected="db seal --unseal MATCH…")
    if book is not None and not all_:
        raise UsageError("--book needs --all", expected="db seal --all --book BOOK")
    with shell.store(write=True) as store:
        names = [store.find(match) for match in matches or []]
        opened = {match: store.unseal(match) for match in names} if unseal else {}
        chosen = [] if unseal else store.to_seal(book) if all_ else names
        done = list(store.seal_all(chosen, unfinished=unfinished))
        room = store.compact() if compact else None
    if json:
        out_json({"sealed": done, "opened": list(opened), "room": room})
        return
    for match, events in opened.items():
        out(f"{match}: {shell.count(events, 'event')}, open")
    for one in done:
        out(f"{one.match}: {shell.count(one.events, 'event')} sealed in {one.bytes:,} bytes")
    if all_ and not done:
        shell.say("there is nothing to seal")
    if room is not None:
        shell.say(f"the store takes {room[1]:,} bytes, {room[0]:,} before")


@shell.command("db copy")
def copy_command(source: SOURCE, target: INTO, book: ONLY = None, json: JSON = False) -> None:
    """Copy books to another store, a file or a database, with their proofs. Broken off, it goes on where it stopped."""
    from records import Store
    from records.transfer import copy_books

    _two_stores(source, target)
    with Store.open(source, write=False) as here, Store.open(target) as there:
        done = copy_books(here, there, book or [])
        warnings = [*here.warnings, *there.warnings]
    shell.warn(*warnings)
    if json:
        out_json({"books": done, "warnings": warnings})
        return
    for one in done:
        events = shell.count(one.events, "event")
        out(f"{one.book}: {events}, {one.added} copied now; root {one.root[:16]} in both")
    if not done:
        shell.say("there is no book to copy")


@shell.command("db publish")
def publish_command(source: SOURCE, target: INTO, book: ONLY = None, proofs: PROOFS = None, json: JSON = False) -> None:
    """Copy finished matches, as the public sees them, to a store that others may read: no hidden cards, remarks or
    recorders."""
    from records import Store
    from records.publishing import opened_to_publish
    from records.publishing import publish as published

    _two_stores(source, target)
    refused, counts, proven = [], {"new": 0, "appended": 0, "same": 0, "refused": 0}, list[str]()
    with Store.open(source, write=False) as here, opened_to_publish(target) as there:
        for one in published(here, there, _for_the_public, book or []):
            counts[one.status] += 1
            if one.status == "refused":
                refused.append(one)
                shell.fail(f"{one.match} was not published: {one.error}")
            elif proofs is not None:
                proven += _proof_beside(here, one.match, proofs)
        warnings = [*here.warnings, *there.warnings]
    shell.warn(*warnings)
    if json:
        out_json({**counts, "not_published": refused, "proofs": proven, "warnings": warnings})
    else:
        out(
            f"{counts['new']} new, {counts['appended']} with new events, {counts['same']} as they were, "
            f"{counts['refused']} not published"
        )
    shell.exit_with(6 if refused else 0)


def _proof_beside(store: "Store", match: str, folder: str) -> list[str]:
    """Write the bundle of a match as the public sees it, if it can be shown in part. Return its path.

    Raises UsageError if the file cannot be written, or if the end of the match is not signed."""
    from pathlib import Path

    from events.errors import UsageError
    from events.file_names import file_name
    from records.bundle import is_in_parts, make_bundle
    from replay.visibility import published

    if not is_in_parts(store, match):
        shell.warn(f"{match} has no proof: it cannot be shown in part")
        return []
    path, made = Path(folder) / f"{file_name(match)}.json", make_bundle(store, match, view=published)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(made)
    except OSError as error:
        raise UsageError(f"the proof cannot be written ({error.strerror})", where=str(path)) from error
    return [str(path)]


def _for_the_public(log: "Sequence[Recorded]") -> "list[Recorded] | None":
    """A log in its public form. None for a trial."""
    from replay.season.order import is_trial
    from replay.visibility import published

    return None if is_trial(log) else published(log)


def _two_stores(source: str, target: str) -> None:
    """Raise UsageError if both are the same store."""
    from pathlib import Path

    from events.errors import UsageError

    if source == target or Path(source).resolve() == Path(target).resolve():
        raise UsageError("this is the same store twice", expected="the store to copy from, and another one to copy to")


def _text(name: str) -> str:
    """The text of a file, or of standard input. Raises NotFoundError or UnreadableError."""
    from events.errors import UnreadableError
    from events.limits import MAX_BUNDLE_BYTES, MAX_NOTE_BYTES
    from records.intake import read_utf8

    text = read_utf8(name, MAX_BUNDLE_BYTES)
    if len(text) > MAX_NOTE_BYTES and text.lstrip()[:1] != "{":
        raise UnreadableError(
            "the file is too large for a checkpoint", where=name, expected=f"at most {MAX_NOTE_BYTES} bytes",
        )
    return text.replace("\r\n", "\n")
