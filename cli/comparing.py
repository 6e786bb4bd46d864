"""The commands for a second record of the same match: `fork`, `diff` and `merge`."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

from cli import shell
from cli.options import argument, flag, option
from cli.shell import JSON, MATCH, OUT, PACK, out, out_json

if TYPE_CHECKING:
    from cli.log_source import LogSource
    from events import Recorded
    from records import Store
    from replay.comparing.diff import Comparison, DiffRow
    from replay.comparing.merge import Fill, Merged

AT = Annotated[int, option("--at", "N", "The last event the two have in common; 0 means only the opening.", min=0)]
ID = Annotated[str | None, option("--id", "ID", "The id of the variation.", default="the match's, and -v1")]
ONE = Annotated[
    str, argument("A", "A match id or the start of one, a file, or - for standard input.", completes="matches")
]
TWO = Annotated[str, argument("B", "The other record of the same hands, named in the same ways.")]
PAGE = Annotated[
    str | None, option("-o --output", "FILE", "Write both as one page (HTML), the second beside the first.")
]
FILL = Annotated[bool, flag("--fill", "Write what is sure; without this option it is only listed.")]
INTO = Annotated[
    str | None,
    option("--into", "MATCH", "Append to this match, which must be the record A.", default="A, if it is a match"),
]


# -- what if ----------------------------------------------------------------------------------------------------------


@shell.command("fork")
def fork_command(match: MATCH, at: AT, id_: ID = None, json: JSON = False) -> None:
    """Open a variation: what could have happened after event N. The match itself stays as it is.

    `kibitz record ID` continues it. A variation is never taken for the last open match.
    """
    from datetime import UTC, datetime

    from msgspec.structs import replace

    from replay.comparing.variation import variation
    from replay.fold import fold

    with shell.store(write=True) as store:
        parent = store.find(match)
        name = _free(store, parent) if id_ is None else id_
        log = variation(store.told(parent), at, name, parent)
        now = datetime.now(UTC).replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
        log[0] = replace(log[0], time=now, recorder=shell.settings.recorder)
        state = fold(log)
        store.import_match(name, log, game=state.game.key, book=store.book_of(parent), fresh=True)
        if state.ended:
            store.set_over(name, True)
    if json:
        out_json({"match": name, "parent": parent, "parent_n": at, "last": log[-1].n})
    else:
        out(name)


def _free(store: "Store", parent: str) -> str:
    """`eve-v1`, or the next unused number."""
    from events.errors import NotFoundError

    for number in range(1, 10**6):
        name = f"{parent[:56]}-v{number}"
        try:
            store.length(name)
        except NotFoundError:
            break
    return name


# -- two records ------------------------------------------------------------------------------------------------------


@shell.command("diff")
def diff_command(a: ONE, b: TWO, pack: PACK = None, output: PAGE = None, json: JSON = False) -> None:
    """Show where two records of the same hands differ. Exit code 3 if they do.

    An unseen card beside a known one is listed but is not a difference: one recorder saw more than the other. With -o
    a page shows both side by side, on the table: two recorders, or a match and its variation.
    """
    from events.errors import UsageError
    from replay.comparing.diff import compare

    if output == "-" and json:
        raise UsageError("standard output cannot take both the page and the JSON", expected="-o FILE")
    wanted = shell.asked_pack(pack)
    one, two = _both(a, b)
    shell.use_pack(one.log, wanted)
    found = compare(one.records, two.records, (one.name, two.name))
    if output is not None:
        from replay.viewer.beside import side_by_side
        from replay.viewer.page import replay_html

        shell.write_out(output, replay_html(side_by_side(one.records, two.records, (one.name, two.name))).encode())
    if json:
        out_json(found)
    else:
        for line in diff_lines(found):
            shell.say(line) if output == "-" else out(line)
    codes = [shell.UNREADABLE for s in (one, two) if s.errors] + [shell.FINDINGS] * found.differs
    shell.exit_with(shell.worst(codes))


def _both(a: str, b: str) -> "tuple[LogSource, LogSource]":
    from cli.log_source import load_log
    from events.errors import UsageError

    if a == b == "-":
        raise UsageError("both records cannot come from standard input", expected="a match or a file for one of them")
    return load_log(a), load_log(b)


def diff_lines(found: "Comparison") -> Iterator[str]:
    """The rows in which two records differ, and a summary."""
    yield f"A: {found.a}"
    yield f"B: {found.b}"
    yield from row_lines(found.rows)
    less = sum(r.kind.endswith("unseen") for r in found.rows)
    real = sum(r.real for r in found.rows)
    rest = len(found.rows) - less - real
    said = shell.count(real, "difference") if real else "no difference"
    said += f", {shell.count(less, 'event')} that one recorder saw more of" if less else ""
    said += f", {rest} in only one record, without effect on the cards" if rest else ""
    yield (
        f"{said}; {shell.count(found.same, 'event')} the same in {shell.count(found.hands, 'hand')}"
    )


_KINDS = {
    "a unseen": "unseen in A", "b unseen": "unseen in B", "each unseen": "each saw part", "different": "different",
    "only a": "only in A", "only b": "only in B",
}  # fmt: skip


def row_lines(rows: "Sequence[DiffRow]") -> Iterator[str]:
    """Rows as lines: the hand, the kind of difference, both events."""
    from cli.text_output import aligned_columns

    table = []
    for r in rows:
        mark = "!" if r.real else " "
        one, two = (
            f"{name} {n}: {says}" if n is not None else ""
            for name, n, says in (("A", r.a, r.a_says), ("B", r.b, r.b_says))
        )
        table.append(
            (mark, f"hand {r.hand}" if r.hand else "terms", _KINDS[r.kind], one, two, f"({r.why})" if r.why else "")
        )
    yield from aligned_columns(table)


@shell.command("merge")
def merge_command(
    a: ONE, b: TWO, fill: FILL = False, output: OUT = None, into: INTO = None, json: JSON = False,
) -> None:
    """Fill in from B what A did not see, as corrections of A. Exit code 6 if the two contradict each other anywhere.

    A hand in which they do is not filled: Kibitz does not choose. Only cards unseen in A are filled in. An event
    that A lacks is a difference, listed as `only in B`; put it in by hand (`fix 12+ EVENT`). Without --fill nothing
    is written. With --fill the corrections go into the match A; with -o, A and its corrections are written to a file
    instead.
    """
    from events.errors import UsageError
    from replay.comparing.merge import merge_records as merged

    if (output is not None or into is not None) and not fill:
        raise UsageError("nothing is written without --fill", expected="merge A B --fill")
    if output is not None and into is not None:
        raise UsageError("-o and --into do not go together", expected="one of them")
    if output == "-" and json:
        raise UsageError("standard output cannot take both the record and the JSON", expected="-o FILE")
    one, two = _both(a, b)
    shell.use_pack(one.log)
    if one.errors or two.errors:
        # An incomplete record is no evidence: its missing lines would look like differences.
        shell.exit_with(shell.UNREADABLE)
    if fill and output is None and into is None and not one.match:
        raise UsageError("A is not a match of the store", expected="-o FILE, or --into MATCH")
    found = merged(one.records, two.records, (one.name, two.name))
    written = fill and bool(found.fixes)
    if written and output is None:
        _append(into or one.match, one, found)
    elif fill and output is not None:
        from cli.managing import derived
        from records import export_kib

        whole = [*one.records, *found.fixes]
        shell.write_out(output, export_kib(whole, derived(whole)).encode())
    if json:
        out_json({"written": written, "merged": found})
    else:
        for line in merge_lines(found, written):
            shell.say(line) if output == "-" else out(line)
    shell.exit_with(shell.CONFLICT if found.conflicts else 0)


def _append(match: str, one: "LogSource", found: "Merged") -> None:
    """Write the corrections into the match, if it is the record that they correct."""
    from cli.scribe import StoreScribe
    from events.errors import ConflictError

    with shell.store(write=True) as store:
        scribe = StoreScribe(store, store.find(match))
        if [_said(r) for r in scribe.session.records] != [_said(r) for r in one.records]:
            raise ConflictError(
                f"this match is not the record {one.name}", where=f"match {scribe.match}",
                todo="Import A first, or name the match it is; nothing was written",
            )  # fmt: skip
        scribe.write(found.fixes)


def _said(r: "Recorded") -> object:
    return r.n, r.event, r.same, r.t, r.glyphs, r.text


def merge_lines(found: "Merged", written: bool) -> Iterator[str]:
    """The events that can be filled in, the others, and the reasons."""
    yield f"A: {found.a}"
    yield f"B: {found.b}"
    yield from (_fill_line("filled" if written else "sure", f) for f in found.fills)
    yield from (_fill_line("held back", f) for f in found.held)
    yield from row_lines(found.conflicts)
    n, held, bad = len(found.fills), len(found.held), len(found.conflicts)
    said = f"{shell.count(n, 'event')} {'filled' if written else 'can be filled'}"
    said += f", {held} held back in hands with a conflict" if held else ""
    said += f", {shell.count(bad, 'conflict')}: nothing was chosen" if bad else ""
    yield said + ("" if written or not n else "; add --fill to write")


def _fill_line(what: str, fill: "Fill") -> str:
    return f"  hand {fill.hand}  {what}  {fill.at}: {fill.was} → {fill.now} (B {fill.source})"
