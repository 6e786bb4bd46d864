"""The command `recheck`: compares the verdict kept at the end of a match with the one computed today."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from cli import shell
from cli.options import argument
from cli.shell import JSON, PACK, out, out_json

if TYPE_CHECKING:
    from events.packs import TablePack
    from replay.comparing.recheck import Recheck

MAYBE = Annotated[
    str | None,
    argument("[MATCH|FILE|-]", "A match id or the start of one, a file, or - for standard input.", completes="matches"),
]


@shell.command("recheck")
@shell.each_record
def recheck_command(
    source: MAYBE = None, all_: shell.ALL = False, game: shell.GAME = None, jobs: shell.JOBS = 0,
    engine: shell.ENGINE = "", tables: shell.TABLES = "", pack: PACK = None, json: JSON = False,
) -> None:  # fmt: skip
    """Judge again, and list what differs from the verdict kept when the match ended. Exit code 3 if anything does."""
    shell.one_or_all(source, all_, game, jobs, engine, "recheck", tables)
    if pack is not None and source is None:
        from events.errors import UsageError

        raise UsageError("--pack shows one match", expected="recheck --all, or recheck MATCH with it")
    codes: list[int] = []
    found = list(
        _all(game, jobs, engine, tables, codes) if source is None else _one(source, shell.asked_pack(pack), codes)
    )
    if json:
        out_json(found)
    else:
        for one in found:
            if all_ and one.status != "differs":
                continue
            out(*recheck_lines(one))
        if all_:
            out(*recheck_summary(found))
    codes += [shell.FINDINGS for one in found if one.status == "differs"]
    shell.exit_with(shell.worst(codes))


def _one(source: str, pack: "TablePack | None", codes: list[int]) -> "Iterator[Recheck]":
    from cli.log_source import load_log
    from replay.comparing.recheck import recheck as anew

    given = load_log(source)
    shell.use_pack(given.log, pack)
    if given.errors:
        codes.append(shell.UNREADABLE)
    yield anew(given.log, given.match or given.name)


def _all(game: str | None, jobs: int, engine: str, tables: str, codes: list[int]) -> "Iterator[Recheck]":
    """Recheck every match of an archive in several processes, in the order of their creation.

    An error in one match is printed and does not stop the others. Variations are skipped, as they keep no verdict.
    """
    from replay.auditing.batch import recheck_all
    from replay.engines.choosing import engine_named

    load, matches = shell.archive_of(tables, game)
    work = recheck_all(matches, load, engine_named(engine, shell.workers(jobs, len(matches))))
    for one in shell.progress(work, "judging again", len(matches)):
        if one.error:
            shell.fail(one.error if one.match in one.error else f"{one.match}: {one.error}")
            codes.append(one.code)
        elif one.found is not None:
            yield one.found


def recheck_lines(one: "Recheck") -> Iterator[str]:
    """The result for one match: one line, and one for each difference."""
    if one.stood is None:
        yield f"{one.match}: no verdict was kept"
        return
    when = f"event {one.stood.at}" + (f", {one.stood.time[:10]}" if one.stood.time else "")
    n = len(one.differences)
    yield f"{one.match}: " + (
        f"{shell.count(n, 'difference')} from the kept verdict ({when})" if n else f"the verdict stands ({when})"
    )
    for difference in one.differences:
        yield f"  {difference.text}"


def recheck_summary(found: "list[Recheck]") -> "Iterator[str]":
    """The number of matches of each kind, by game and version of the rules in the kept verdict, then in total."""
    kinds: dict[tuple[str, str], list[str]] = {}
    for one in found:
        rules = "" if one.stood is None or one.stood.rules is None else f"rules {one.stood.rules}"
        kinds.setdefault((one.game, rules), []).append(one.status)
    if len(kinds) > 1:
        for (game, rules), states in sorted(kinds.items()):
            yield f"{' '.join(filter(None, (game, rules)))}: {count_states(states)}"
    yield f"{shell.count(len(found), 'match', 'es')}: {count_states([one.status for one in found])}"


def count_states(states: list[str]) -> str:
    """`3 unchanged, 1 differs, no verdict kept for 2`."""
    same, differs, nothing = (states.count(s) for s in ("same", "differs", "nothing stood"))
    return f"{same} unchanged, {differs} differ{'s' * (differs == 1)}, no verdict kept for {nothing}"
