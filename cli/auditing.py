"""The commands that settle a dispute: the audit with its proofs, and the page for the table."""

from typing import Annotated

import typer

from cli import shell
from cli.shell import JSON, OUT, SOURCE, out, out_json

HAND = Annotated[int | None, typer.Option("--hand", metavar="N", help="Only hand N.", show_default=False)]
ABOUT = Annotated[int | None, typer.Option("--about", metavar="N", help="Everything known about event N.", show_default=False)]
EXACT = Annotated[bool, typer.Option("--exact", help="Add the exact opinion: every way the unseen cards can lie, or a sample.")]
ONE = Annotated[int | None, typer.Option("--hand", metavar="N", help="The hand; may be left out where there is only one.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    shell.command(app, "audit")(audit)
    shell.command(app, "report")(report)


def audit(source: SOURCE, hand: HAND = None, about: ABOUT = None, exact: EXACT = False, json: JSON = False) -> None:
    """Judge like check, with proofs, costs, open questions and the deal. Exit code 3 if a rule was broken."""
    from cli.source import load
    from events.errors import UsageError
    from replay import audit as auditing
    from replay.render import clean

    if hand is not None and about is not None:
        raise UsageError("an event lies in one hand already", expected="--hand or --about", todo="Leave one of them out.")
    given = load(source)
    derived = [(d.line, d.text) for d in given.derived]
    if about is not None:
        one = auditing.about(given.records, about, derived=derived, second=exact)
        broken = one.verdict == "broken" or any(f.verdict == "broken" for f in one.findings)
        if json:
            out_json(one)
        for text in () if json else auditing.about_lines(one):
            out(clean(text))
    else:
        found = auditing.audit(given.records, hand=hand, derived=derived, second=exact)
        broken = bool(found.broken or found.illegal)
        if json:
            out_json(found)
        for text in () if json else auditing.audit_lines(found, given.name):
            out(clean(text))
    given.close(shell.FINDINGS if broken else 0)


def report(source: SOURCE, hand: ONE = None, output: OUT = None) -> None:
    """Write one page about a hand for the arbiter, .html or .md by the ending of the file; Markdown without one."""
    from cli.source import load
    from events.errors import UsageError
    from replay import report as reporting

    ending = "md" if output is None or output == "-" else output.lower().rpartition(".")[2]
    ending = {"htm": "html", "markdown": "md"}.get(ending, ending)
    if ending not in reporting.FORMATS:
        raise UsageError("a report is HTML or Markdown", where=output or "", expected="a file that ends in .html or .md", todo="Name such a file.")
    given = load(source)
    number = reporting.only_hand(given.records) if hand is None else hand
    made = reporting.report(given.records, number, derived=[(d.line, d.text) for d in given.derived])
    shell.write_out(output, reporting.render_report(made, ending).encode())
    given.close()
