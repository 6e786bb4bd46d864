"""The commands that read a log: print it, show the table, check and score it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

from cli import shell
from cli.options import flag, option
from cli.shell import CSV, JSON, LANG, OUT, PACK, SOURCE, SOURCES, out, out_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from events.model import Recorded
    from replay.judging.findings import Judgement

AT = Annotated[int | None, option("--at", "N", "The table after event N; later corrections are not known.")]
EYES = Annotated[
    str,
    option(
        "--as", "SEAT|public|all", "Whose view: a seat's, everybody's, or the record's.", default=True,
        completes=("all", "public"),
    ),
]
HAND = Annotated[int | None, option("--hand", "N", "With -o: this hand alone.")]
POSITION = Annotated[
    int | None, option("--at", "EVENT", "For a picture: the table after this event.", default="the last one")
]
SVG = Annotated[bool, flag("--svg", "Write a position as SVG.")]
PNG = Annotated[bool, flag("--png", "Write a position as PNG.")]
GIF = Annotated[bool, flag("--gif", "Write a hand as GIF, event by event.")]
WIDTH = Annotated[
    int | None, option("--width", "PIXELS", "How wide a picture is.", default="880; a GIF 480", min=320, max=2400)
]
DARK = Annotated[bool, flag("--dark", "Draw a picture in dark colours.")]
EXACT = Annotated[
    bool, flag("--exact", "With -o: ask all hidden hands that agree with the record, as `audit --exact` does.")
]
URL = Annotated[
    str,
    option("--url", "URL", "With -o: where the page will be found. Then it has links to copy, and a code in print."),
]
FIRST = Annotated[int | None, option("--from", "EVENT", "With -o: the event to begin with.")]
OPEN = Annotated[bool, flag("--open", "List the open questions too, one per line.")]
FOLLOW = Annotated[bool, flag("--follow", "Go on as the match is recorded; Ctrl-C ends it.")]
RESULTS = Annotated[
    bool, flag("--results", "Say how each match ended, as ruled, and the verdict that was kept if it is another.")
]
BOOK = Annotated[str | None, option("--book", "BOOK", "Only this book.", completes="books")]
GAME = Annotated[str | None, option("--game", "GAME", "Only this game.", completes="games")]


@shell.command("log")
@shell.each_record
def log_command(source: SOURCE, follow: FOLLOW = False, json: JSON = False) -> None:
    """Print the record, one event per line. --json prints JSON Lines."""
    from cli.following import follow_log, print_log
    from cli.log_source import load_log

    if follow:
        follow_log(source, json=json)
        return
    given = load_log(source)
    print_log(given.records, json=json)
    given.close()


@shell.command("show")
@shell.answers
@shell.each_record
def show_command(
    source: SOURCE, at: AT = None, eyes: EYES = "all", follow: FOLLOW = False, lang: LANG = "", pack: PACK = None,
    json: JSON = False,
) -> None:  # fmt: skip
    """Show the table as it stands. Who holds what, whose turn it is, the trick, the score."""
    from msgspec.structs import replace

    from cli.log_source import load_log
    from events.unread_lines import unread_in
    from replay.fold import fold
    from replay.table.frame import frame
    from replay.table.picture import render_frame

    wanted = shell.asked_pack(pack)
    viewer = shell.viewer_option(eyes)
    if follow:
        if at is not None or json:
            from events.errors import UsageError

            raise UsageError(
                f"--follow and {'--json' if json else '--at'} do not go together", expected="show MATCH --follow",
            )
        from cli.following import follow_show

        follow_show(source, viewer, wanted)
        return
    given = load_log(source)
    shell.use_pack(given.log, wanted)
    seen = replace(frame(fold(given.records, until=at), viewer), unread=tuple(unread_in(given.records)))
    if json:
        out_json(seen)
    else:
        shell.out_lines(render_frame(seen, columns=shell.terminal_columns()))
        out(*_attached(given.records, at))
    given.close()


def _attached(records: "Sequence[Recorded]", at: int | None) -> Iterator[str]:
    """A line about the pictures attached to a match, if there are any."""
    from events.picture_notes import attachments
    from replay.languages.translate import t

    found = [one for one in attachments(r for r in records if at is None or r.n <= at) if not one.struck]
    if found:
        gone = f" ({t('removed')})"
        shown = "; ".join(f"#{one.n} {one.about}{gone if one.removed else ''}" for one in found)
        yield t("attached: {what}", what=shown)


@shell.command("replay")
@shell.answers
@shell.each_record
def replay_command(
    source: SOURCE, output: OUT = None, hand: HAND = None, eyes: EYES = "all", first: FIRST = None,
    exact: EXACT = False, at: POSITION = None, svg: SVG = False, png: PNG = False, gif: GIF = False,
    width: WIDTH = None, dark: DARK = False, url: URL = "", lang: LANG = "", pack: PACK = None, json: JSON = False,
) -> None:  # fmt: skip
    """Tell the match in words, one line per trick. (!) marks what broke a rule.

    With -o FILE.html write it as one page to step through, for any browser and without a network; with -o FILE.svg
    or FILE.png write a position as a picture, with -o FILE.gif a hand.
    """
    from cli.log_source import load_log
    from cli.picturing import PictureRequest, output_kind, write_picture
    from replay.table.narration import tell

    kind = output_kind(output, [name for name, given_so in (("svg", svg), ("png", png), ("gif", gif)) if given_so])
    for name, given_so in (("--at", at is not None), ("--width", width is not None), ("--dark", dark)):
        if given_so and kind in ("", "html"):
            refuse_with(name, "a page" if kind else "a replay in the terminal")
    if kind and json:
        refuse_with("--json", "-o" if output else f"--{kind}")
    if kind == "html":
        replay_page(source, output or "-", hand, eyes, first, pack, second=exact, url=url)
        return
    if kind:
        for name, given_so in (
            ("--from", first is not None), ("--exact", exact), ("--url", bool(url)),
            ("--at", kind == "gif" and at is not None),
        ):
            if given_so:
                refuse_with(name, "a GIF" if kind == "gif" else "a picture")
        write_picture(PictureRequest(source, kind, output, hand, at, eyes, pack, width, dark))
        return
    for name, given_so in (
        ("--hand", hand is not None), ("--as", eyes != "all"), ("--from", first is not None), ("--exact", exact),
        ("--url", bool(url)),
    ):
        if given_so:
            refuse_with(name, "a replay in the terminal")
    wanted = shell.asked_pack(pack)
    given = load_log(source)
    shell.use_pack(given.log, wanted)
    lines = tell(given.log, 0 if json else shell.terminal_columns())
    if json:
        out_json({"match": match_of(given.records), "lines": list(lines)})
    else:
        for line in lines:
            out(line)
    given.close()


def refuse_with(option: str, other: str) -> NoReturn:
    """Raise UsageError: these two do not go together."""
    from events.errors import UsageError

    raise UsageError(
        f"{option} and {other} do not go together",
        expected=(
            "replay MATCH -o hand.html [--hand N] [--as SEAT] [--from EVENT] [--url URL], or -o hand.png [--at "
            "EVENT]"
        )
    )


def replay_page(
    source: str, output: str, hand: int | None, eyes: str, first: int | None, pack: str | None, *, second: bool,
    url: str,
) -> None:
    """Write a replay as an HTML page."""
    from cli.log_source import load_log
    from replay.paper.codes import code_if_drawn
    from replay.viewer.document import document
    from replay.viewer.page import replay_html

    viewer = shell.viewer_option(eyes)
    wanted, home = shell.asked_pack(pack), shell.address(url)
    given = load_log(source)
    with shell.announce_long_work(f"judging {given.name}"):
        made = document(
            given.log, viewer, hand=hand, start=first, derived=[(d.line, d.text) for d in given.derived], pack=wanted,
            second=second,
        )
    made |= {"url": home, "kept": given.kept}
    shell.write_out(output, replay_html(made, code_if_drawn(home)).encode())
    given.close()


@shell.command("check")
@shell.answers
def check_command(
    sources: SOURCES, open_: OPEN = False, lang: LANG = "", pack: PACK = None, json: JSON = False,
) -> None:
    """Say which rules were broken, and when. Exit code 3 if any was; of several records, the gravest code."""
    from cli.log_source import load_log
    from cli.record_files import expanded
    from replay.auditing.check import check as judge
    from replay.languages.translate import t

    wanted, names, with_broken = shell.asked_pack(pack), list(expanded(sources)), 0
    with shell.json_list(json and len(names) > 1) as listed:

        def one(name: str, number: int) -> None:
            nonlocal with_broken
            given = load_log(name)
            shell.use_pack(given.log, wanted)
            with shell.announce_long_work(f"judging {given.name}"):
                judgement = judge(given.log, [(d.line, d.text) for d in given.derived])
            broken = bool(judgement.broken or judgement.either)
            with_broken += broken
            if json:
                findings = [f.in_full for f in judgement.findings]
                listed({"record": given.name, "findings": findings}) if len(names) > 1 else out_json(findings)
            else:
                out(*check_lines(given.name, judgement, told=open_))
            given.close(shell.FINDINGS if broken else 0)

        codes = shell.for_each_record(names, one)
    if len(codes) > 1 and not json:
        unread = sum(code not in (0, shell.FINDINGS) for code in codes)
        said = [t("rules were broken in {n}", n=with_broken) if with_broken else t("no rule was broken")]
        said += [t("{n} could not be read whole", n=unread)] if unread else []
        out(t("{n} records: {what}", n=len(codes), what=", ".join(said)))
    shell.exit_with(shell.worst(codes))


def check_lines(name: str, judgement: "Judgement", *, told: bool = False) -> Iterator[str]:
    """One line per finding, and a summary, with player names. `told` lists the open questions too."""
    from replay.plain_text import player_names, with_player_names

    terms = judgement.state.terms
    called = player_names(terms.sides, terms.names)
    yield from (
        line if line.startswith(f"{name}: ") else with_player_names(line, called)
        for line in _found(name, judgement, told=told)
    )


def _found(name: str, judgement: "Judgement", *, told: bool) -> Iterator[str]:
    """The lines of `check_lines`, with seat letters."""
    from events.unread_lines import unread_summary as unread_summary
    from replay.budget import cuts_in_words
    from replay.judging.findings import either_way, questions_asked
    from replay.judging.offers import findings_in_order
    from replay.languages.translate import in_language, t, tn

    broken, unsettled, hands = judgement.broken, judgement.open, judgement.state.number
    yield from findings_in_order(broken, judgement.repairs)
    # An act that certainly breaks one of several rules counts as a finding; only which rule is open.
    for one in judgement.either:
        yield either_way(one, judgement.charged(one))
    unsettled = [f for f in unsettled if not f.one_of and f not in judgement.unread]
    wrong = len(broken) + len(judgement.either)
    questions = questions_asked(unsettled)
    # Possible double entries are always listed: nothing else shows them, and they count as recorded.
    yield from questions if told else questions_asked([f for f in unsettled if f.rule in ("table.T14", "table.T15")])
    yield from cuts_in_words(judgement.cuts)
    if wrong:
        said = tn("{n} finding", "{n} findings", wrong)
    else:
        sure = not unsettled and not judgement.unread
        said = t("no rule was broken") if sure else t("no rule was certainly broken")
    if resting := sum(f.unless is not None for f in broken):
        said = t("{what} ({n} of them only if the record stands)", what=said, n=resting)
    if unsettled:
        said += ", " + tn("{n} open question", "{n} open questions", len(questions))
        said = said if told else t("{what} (--open lists them)", what=said)
    if hands:
        yield f"{name}: {tn('{what} in {n} hand', '{what} in {n} hands', hands, what=said)}"
    else:
        begun = t("no hand could be read") if judgement.unread else t("no hand was begun")
        yield f"{name}: {f'{said}; ' if wrong or unsettled else ''}{begun}"
    if judgement.unread:
        yield f"{name}: {in_language(unread_summary([f.text for f in judgement.unread]))}"


def match_of(records: Any) -> str:
    """The match id in the opening, empty if there is none."""
    return str(getattr(records[0].event, "facts", {}).get("Match", ""))


@shell.command("score")
@shell.answers
@shell.each_record
def score_command(source: SOURCE, lang: LANG = "", pack: PACK = None, csv: CSV = False, json: JSON = False) -> None:
    """Score the match and show the arithmetic. What the table claimed stands beside it."""
    from cli.log_source import load_log
    from replay.scoring.three_ways import score_match

    shell.csv_or_json(csv, json)
    wanted = shell.asked_pack(pack)
    given = load_log(source)
    in_pack = shell.use_pack(given.log, wanted)
    if csv:
        from replay.paper.as_csv import as_csv
        from replay.paper.sheet import sheet_of

        shell.out_exactly(as_csv(in_pack.data(sheet_of(given.log))))
    elif json:
        out_json(score_match(given.log))
    else:
        from cli.text_output import score_lines

        with shell.data_told(score_match(given.log)) as said:
            out(*score_lines(said))
    given.close()


def _ended(records: "Sequence[Recorded]") -> tuple[str, str]:
    """How a match ended, and the kept verdict if it differs. If that cannot be computed, the reason."""
    from events.errors import KibitzError
    from replay.languages.translate import in_language
    from replay.paper.sheet import result_and_verdict

    try:
        won, kept = map(in_language, result_and_verdict(records))
        return won, kept
    except KibitzError as error:
        return str(error), ""


@shell.command("list")
@shell.answers
def list_matches(
    book: BOOK = None, game: GAME = None, results: RESULTS = False, lang: LANG = "", csv: CSV = False,
    json: JSON = False,
) -> None:
    """List the matches of the store, latest first."""
    from msgspec import to_builtins

    from cli.text_output import aligned_columns
    from replay.languages.translate import t

    shell.csv_or_json(csv, json)
    rows, books, ended = [], None, dict[str, tuple[str, str]]()
    from events.errors import NotFoundError

    try:
        with shell.store(write=False) as store:
            rows = store.matches(book=book, game=game and game.lower())
            ended = {row.match: _ended(store.read(row.match)) for row in rows if row.over} if results else {}
            books = [one.book for one in store.books()] if not rows and book is not None else None
    except NotFoundError:
        # Before the first match there is no store. But a store that the user named has to exist.
        if shell.settings.db_named:
            raise
        if not json:
            shell.say(t("There is no match yet. {line} begins one.", line="`kibitz new GAME --seat N=NAME …`"))
    if not rows:
        shell.check_game(game)
    if books is not None and book not in books and not (json or csv):
        from events.suggestions import did_you_mean

        meant = did_you_mean(str(book), books)
        raise NotFoundError(
            f"there is no book {book!r}", expected="" if meant else f"one of {', '.join(books)}",
            todo=f"{meant} `kibitz list` shows books and matches".lstrip(),
        )
    if json:
        out_json(
            rows if not results
            else [
                {**to_builtins(row), "result": said, "kept": kept} for row in rows
                for said, kept in [ended.get(row.match, ("", ""))]
            ]
        )
        return
    if not rows and not csv:
        return
    table = [
        (
            t("match"), t("game"), t("players"), t("events"), t("state"), t("changed"), t("book"),
            *((t("result"), t("kept")) if results else ()),
        )
    ]
    for row in rows:
        names = [str(row.facts[s]) for s in str(row.facts.get("Seats", "")).split() if s in row.facts]
        changed = row.changed[:16].replace("T", " ")
        state = t("over") if row.over else t("open")
        if "Parent" in row.facts:
            # Decided by the opening, so that a variation imported without its parent is recognized too.
            state = t(
                "{what}, a variation of {match} from event {n}", what=state, match=row.facts["Parent"],
                n=row.facts.get("ParentEvent", "?"),
            )
        table.append((
            row.match, row.game, ", ".join(names), str(row.last), state, changed, row.book,
            *(ended.get(row.match, ("", "")) if results else ()),
        ))
    if csv:
        shell.out_csv(table)
        return
    out(*aligned_columns(table))
