"""The commands `audit` and `report`, for settling disputes: an audit with proofs, and a page about a hand for the
players."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from cli import shell
from cli.options import argument, flag, option
from cli.shell import CSV, DATES, JSON, OUT, PACK, SOURCE, out, out_json
from replay.paper.formats import REPORT, format_by_ending

if TYPE_CHECKING:
    from events.packs import TablePack
    from replay.auditing.batch import Judged, Summary
    from replay.paper.pictures import PagePicture
    from replay.read_log import ReadLog

MAYBE = Annotated[
    str | None,
    argument("[MATCH|FILE|-]", "A match id or the start of one, a file, or - for standard input.", completes="matches"),
]

HAND = Annotated[int | None, option("--hand", "N", "Only hand N.")]
ABOUT = Annotated[int | None, option("--about", "N", "Everything known about event N.")]
EXACT = Annotated[bool, flag("--exact", "Add the exact opinion: try every way the unseen cards can lie, or a sample.")]
ONE = Annotated[
    int | None, option("--hand", "N", "The hand; you may leave it out if there is only one, or only one with findings.")
]

BESIDE = Annotated[
    str | None, option("--replay", "FILE", "Write the replay of the hand to this .html, too; the report leads to it.")
]


@shell.command("audit")
@shell.each_record
def audit_command(
    source: MAYBE = None, hand: HAND = None, about: ABOUT = None, exact: EXACT = False, all_: shell.ALL = False,
    game: shell.GAME = None, jobs: shell.JOBS = 0, engine: shell.ENGINE = "", tables: shell.TABLES = "",
    pack: PACK = None, csv: CSV = False, json: JSON = False,
) -> None:  # fmt: skip
    """Judge as `check` does, and add proofs, costs, open questions and the deal. Exit code 3 if a rule was broken."""
    from events.errors import UsageError

    shell.one_or_all(source, all_, game, jobs, engine, "audit", tables)
    shell.csv_or_json(csv, json)
    if csv and source is not None:
        raise UsageError("--csv prints the table of an archive", expected="audit --all --csv")
    if source is not None:
        _one(source, hand, about, exact, pack, json)
        return
    if hand is not None or about is not None or exact or pack is not None:
        raise UsageError(
            "--hand, --about, --exact and --pack look at one match", expected="audit --all, or audit MATCH with them",
        )
    _all(game, jobs, engine, tables, csv, json)


def _one(source: str, hand: int | None, about: int | None, exact: bool, pack: str | None, json: bool) -> None:
    from cli.log_source import load_log
    from events.errors import UsageError
    from replay.auditing.about_event import about as everything_about
    from replay.auditing.audit import audit as audited
    from replay.auditing.audit_shapes import WIDTH
    from replay.auditing.audit_text import Page, about_lines, audit_lines
    from replay.fold import apply_events, corrected
    from replay.plain_text import one_plain_line, player_names

    if hand is not None and about is not None:
        raise UsageError("an event is in one hand already", expected="--hand or --about", todo="Leave one of them out.")
    wanted = shell.asked_pack(pack)
    given = load_log(source)
    shell.use_pack(given.log, wanted)
    derived = [(d.line, d.text) for d in given.derived]
    opening = apply_events(corrected(given.log).opening, [])
    page = Page(
        player_names(opening.terms.sides, opening.terms.names), min(shell.terminal_columns() or WIDTH, WIDTH),
        opening.table.called,
    )
    if about is not None:
        with shell.announce_long_work(f"judging {given.name}"):
            one = everything_about(given.log, about, derived=derived, second=exact)
        broken = one.verdict == "broken" or any(f.verdict == "broken" for f in one.findings)
        if json:
            out_json(one)
        for text in () if json else about_lines(one, page):
            out(one_plain_line(text))
    else:
        with shell.announce_long_work(f"judging {given.name}"):
            found = audited(given.log, hand=hand, derived=derived, second=exact)
        broken = bool(found.broken or found.either or found.across)
        if json:
            out_json(found)
        for text in () if json else audit_lines(found, given.name, page):
            out(one_plain_line(text))
    given.close(shell.FINDINGS if broken else 0)


def _all(game: str | None, jobs: int, engine: str, tables: str, csv: bool, json: bool) -> None:
    """Judge every match of an archive in several processes, and print a table of the findings."""
    from replay.auditing.batch import judge_all, summarize
    from replay.engines.choosing import engine_named

    load, matches = shell.archive_of(tables, game)
    codes: list[int] = []
    bad: list[Judged] = []

    def each() -> "Iterator[Judged]":
        work = judge_all(matches, load, engine_named(engine, shell.workers(jobs, len(matches))))
        for one in shell.progress(work, "judging", len(matches)):
            if one.error:
                shell.fail(one.error if one.match in one.error else f"{one.match}: {one.error}")
                codes.append(one.code)
            elif any(o.verdict == "broken" for o in one.offences):
                bad.append(one)
            yield one

    found = summarize(each())
    if json:
        out_json({"summary": found, "matches": bad})
    if csv:
        shell.out_csv([
            ("rule", "broken", "perhaps", "open", "matches"),
            *((r.rule, r.broken, r.doubtful, r.open, r.matches) for r in found.rules),
        ])
    out(*(() if csv or json else summary_lines(found, bad)))
    shell.exit_with(shell.worst([*codes, *([shell.FINDINGS] if found.broken else [])]))


MOST_NAMED = 20
"""The table names at most this many matches with findings. `--json` lists all of them."""


def summary_lines(found: "Summary", bad: "list[Judged]") -> "Iterator[str]":
    """The summary of an archive on one page."""
    from replay.auditing.batch import offences_text
    from replay.plain_text import one_plain_line

    if found.rules:
        width = max(len("rule"), *(len(r.rule) for r in found.rules))
        yield f"{'rule':{width}}  broken  perhaps  open  matches"
        for r in found.rules:
            yield f"{r.rule:{width}}  {r.broken:6}  {r.doubtful:7}  {r.open:4}  {r.matches:7}"
        yield ""
    for one in bad[:MOST_NAMED]:
        yield one_plain_line(f"{one.match}: {offences_text(one)}")
    if len(bad) > MOST_NAMED:
        yield f"… and {len(bad) - MOST_NAMED} more; --json has them all"
    n = found.matches
    games = ", ".join(f"{count} {game}" for game, count in found.games.items())
    yield (
        f"{shell.count(n, 'match', 'es')}{f' ({games})' if games else ''}, {found.events} events; a rule was broken "
        f"in {len(found.broken)}"
    ) + (f", {len(found.unreadable)} could not be judged" if found.unreadable else "")


@shell.command("report")
@shell.each_record
def report_command(
    source: SOURCE, hand: ONE = None, output: OUT = None, beside: BESIDE = None, dates: DATES = "", pack: PACK = None,
    json: JSON = False,
) -> None:
    """Write one page about a hand for the arbiter. The file's ending chooses HTML, Markdown or PDF; without -o it is
    Markdown."""
    from msgspec.structs import replace

    from cli.log_source import last_head, load_log
    from replay.paper import report as reporting

    path = "" if json or output is None or output == "-" else output
    chosen = format_by_ending(path, REPORT, "a report", "Name such a file.") or "md"
    wanted, form = shell.asked_pack(pack), shell.asked_dates(dates)
    given = load_log(source)
    told = shell.use_pack(given.log, wanted)
    derived = [(d.line, d.text) for d in given.derived]
    number = reporting.only_hand(given.log, derived) if hand is None else hand
    with shell.announce_long_work(f"judging {given.name}"):
        made = reporting.report(given.log, number, derived=derived)
    made = told.data(replace(made, signed=last_head(given.match), suits=told.same, dates=form))
    if beside is not None:
        made = replace(made, replay=_replay_beside(given.log, number, output, beside, wanted, derived=derived))
    if json:
        shell.write_out(output, shell.as_json(made).encode() + b"\n")
        given.close()
        return
    if chosen == "html" and made.pictures and given.match:
        made = replace(made, pictures=_shown(made.pictures))
    if chosen == "pdf":
        from replay.paper.report_pdf import report_as_pdf

        shell.write_out(output, report_as_pdf(made))
        given.close()
        return
    page = reporting.render_report(made, chosen)
    if output is None and shell.is_terminal(sys.stdout):
        with shell.as_written():
            shell.out_lines(page)
    else:
        shell.write_out(output, page.encode())
    given.close()


def _replay_beside(
    log: "ReadLog", hand: int, output: str | None, beside: str, pack: "TablePack | None", *,
    derived: "list[tuple[int, str]]"
) -> str:
    """Write the replay of a hand. Return its path relative to the report."""
    from replay.viewer.document import document
    from replay.viewer.page import replay_html

    where = shell.relative_page(beside, output, "report MATCH -o report.html --replay hand.html")
    shell.write_out(beside, replay_html(document(log, hand=hand, pack=pack, derived=derived)).encode())
    return where


def _shown(pictures: "tuple[PagePicture, ...]") -> "tuple[PagePicture, ...]":
    """The pictures of a match in the store, with the bytes of their copies."""
    from replay.paper.pictures import with_bytes

    with shell.store(write=False) as store:
        return with_bytes(pictures, lambda one: store.copies.read(one.sha256, one.kind))
