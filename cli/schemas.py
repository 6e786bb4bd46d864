"""The command `schema`: prints the JSON Schemas of what Kibitz reads and writes."""

from typing import Annotated, Any

from cli import shell
from cli.options import argument

KINDS = {
    "events": ("events.model", "Recorded", "an event with its number, time and recorder, as a line of JSON Lines"),
    "frames": ("replay.table.frame", "Frame", "the table at one position, as show --json prints it"),
    "findings": ("replay.judging.findings", "Finding", "a finding, as it stands in check --json"),
    "scores": ("replay.scoring.score_shapes", "MatchScore", "the score of a match, as score --json prints it"),
    "sheets": ("reducers.sheet", "Sheet", "a scoresheet, as sheet --json prints it"),
    "seasons": ("replay.season.table", "Season", "the tables of a season, as season --json prints them"),
}
WHAT = Annotated[
    str, argument("|".join(KINDS), "The kind of data; without it, a list of them.", completes=tuple(KINDS))
]


@shell.command("schema", store=False)
def schema_command(what: WHAT = "") -> None:
    """Print a JSON Schema (2020-12): of events, frames, findings, scores, sheets or seasons."""
    from events.errors import UsageError

    if not what:
        for name, (_, _, text) in KINDS.items():
            shell.out(f"{name:9} {text}")
        return
    if what.lower() not in KINDS:
        raise UsageError(f"there is no schema of {what[:40]!r}", expected=f"one of {', '.join(KINDS)}")
    shell.out_json(schema_of(what.lower()))


def schema_of(what: str) -> dict[str, Any]:
    """The JSON Schema of one of `KINDS`."""
    import importlib

    import msgspec

    module, name, _ = KINDS[what]
    made = msgspec.json.schema(getattr(importlib.import_module(module), name))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": what, **made}
