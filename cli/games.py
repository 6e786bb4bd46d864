"""The commands about games: list the games, show their rules, begin a match, simulate matches."""

from typing import Annotated, Any

from cli import shell
from cli.options import argument, flag, option
from cli.shell import CSV, IN_PARTS, JSON, out, out_json

KEY = Annotated[str, argument("GAME", "The key of a game; `kibitz games` lists them.", completes="games")]
SEATS = Annotated[
    list[str] | None, option("--seat", "N=NAME", "Who sits where; or just names, clockwise. May be repeated.")
]
OPTIONS = Annotated[
    list[str] | None, option("--option", "K=V", "A house rule; `kibitz rules GAME` lists them. May be repeated.")
]
DEALER = Annotated[
    str | None,
    option("--dealer", "WHO", "Who deals first: a seat, or the name of a player.", default="shown by the first act"),
]
DATE = Annotated[str | None, option("--date", "DATE", "The day, as 2026-03-14; - for none.", default="today")]
TITLE = Annotated[str | None, option("--title", "TEXT", "The title: an evening, a final.")]
ROUND = Annotated[str | None, option("--round", "TEXT", "The round.")]
TABLE = Annotated[str | None, option("--table", "TEXT", "The table.")]
PLACE = Annotated[str | None, option("--place", "TEXT", "Where it is played.")]
PACK = Annotated[
    str | None,
    option(
        "--pack", "PACK", "The cards on the table, for typing and showing: german, italian or spanish.",
        default="french",
    ),
]
BOOK = Annotated[
    str, option("--book", "BOOK", "The book the match belongs to: an evening, a tournament.", default=True)
]
ID = Annotated[str | None, option("--id", "ID", "The id of the match.", default="generated")]
MATCHES = Annotated[int | None, option("--matches", "N", "How many whole matches to play.", default="1", min=1)]
HANDS = Annotated[
    int | None, option("--hands", "N", "At most this many hands in each match.", default="to the end", min=1)
]
WITH_PACK = Annotated[
    str, option("--pack", "PACK", "The cards to play with: french, german, italian or spanish.", default=True)
]
PLAIN = Annotated[bool, flag("--plain", "Read lines as they come, without the line editor.")]
SEED = Annotated[str, option("--seed", "S", "The same seed gives the same matches.", default=True)]
TARGET = Annotated[
    str | None, option("-o --output", "FOLDER|FILE.jsonl", "Where to write; one match may go to standard output.")
]
HIDDEN = Annotated[bool, flag("--hidden", "Write what an onlooker would record: hands unseen.")]
MISCHIEF = Annotated[
    float, option("--mischief", "P", "How likely an act is to break a rule.", default=True, min=0, max=1)
]
PLAYERS = Annotated[int, option("--jobs", "N", "How many processes to use.", default="one for each core", min=0)]
ENGINE = Annotated[
    str, option("--engine", "NAME", "What works: processes, or dask[://HOST:PORT].", default="processes")
]
SLIPS = Annotated[
    float, option("--slips", "P", "How likely the recorder is to err in a line.", default=True, min=0, max=1)
]


@shell.command("games", store=False)
def games_command(csv: CSV = False, json: JSON = False) -> None:
    """List the games that Kibitz knows."""
    from cli.text_output import aligned_columns
    from reducers.registry import usable_pages

    shell.csv_or_json(csv, json)
    pages, unusable = usable_pages()
    for reason in unusable:
        shell.fail(reason)
    if json:
        out_json([
            {
                "key": g.key, "name": g.name, "players": g.players, "family": g.family, "summary": g.summary,
                "version": g.version,
            }
            for g in pages
        ])
        return
    rows = [(g.key, g.name, g.family, g.players, g.summary[:1].upper() + g.summary[1:]) for g in pages]
    if csv:
        shell.out_csv([("key", "name", "family", "players", "summary"), *rows])
        return
    if not shell.terminal_columns():
        out(*aligned_columns(rows))
        return
    # On a terminal, a game gets one line and its summary another: five columns would have to be folded.
    heads = aligned_columns([(key, name, f"{family} · {players}") for key, name, family, players, _ in rows])
    for head, (*_, summary) in zip(heads, rows, strict=True):
        out(head)
        out(f"    {summary}")


COMING = ", who may join or leave between two hands"


@shell.command("rules", store=False)
@shell.answers
def rules_command(game: KEY, json: JSON = False) -> None:
    """Show the numbered rules of a game, its house rules and readings."""
    from events.verb_forms import SYNTAX
    from reducers.opening import options_schema
    from reducers.registry import find_game
    from replay.scoring.rulings import ANY_RULING

    page = find_game(game.lower())
    schema = options_schema(page)
    acts = {str(t.__struct_config__.tag): None for phase in page.phases.values() for t in phase.acts}
    verbs = {verb: SYNTAX[verb] for verb in acts}
    if json:
        out_json({
            "key": page.key, "name": page.name, "summary": page.summary, "players": page.players, "family": page.family,
            "version": page.version,
            "seats": [
                {"players": n, "seats": seats, "sides": page.seating.sides[n]}
                for n, seats in page.seating.sizes.items()
            ],
            "rules": [
                {"id": f"{page.key}.{r.id}", "heading": r.heading, "kind": r.kind, "short": r.short, "text": r.text,
                 "checked": any(c.rule is r for c in page.rules.checks)}
                for r in page.rules
            ],
            "options": schema, "readings": [{"question": q, "reading": a} for q, a in page.readings.items()],
            "tally": meanings(page), "transfers": {**ANY_RULING, **page.tally.rulings}, "words": dict(page.words),
            "verbs": verbs,
            "phases": [
                {
                    "key": key, "name": p.name, "acts": [str(t.__struct_config__.tag) for t in p.acts],
                    "expects": p.expects,
                }
                for key, p in page.phases.items()
            ],
        })  # fmt: skip
        return
    out(*_rules_lines(page, schema, verbs))


def meanings(page: Any) -> dict[str, str]:
    """The facts of a tally, each with its meaning."""
    return {key: fact if isinstance(fact, str) else fact.meaning for key, fact in page.tally.facts.items()}


def _rules_lines(page: Any, schema: dict[str, Any], verbs: dict[str, str]) -> list[str]:
    from replay.languages.translate import in_language
    from replay.scoring.rulings import ANY_RULING

    lines = [
        f"{in_language(page.name)} ({page.key}), rules version {page.version}",
        page.summary[:1].upper() + page.summary[1:],
        f"players: {page.players}{COMING * page.match.open_table}; family: {page.family}",
    ]
    lines.append(f"seats, clockwise: {' / '.join(' '.join(seats) for seats in page.seating.sizes.values())}")
    lines += ["", "Rules"]
    heading = ""
    for r in page.rules:
        if r.heading != heading:
            heading = r.heading
            lines.append(f"  {heading}")
        lines.append(
            f"    {page.key}.{r.id:<4} {r.kind:<13} {r.short}: {r.text}" if r.short
            else f"    {page.key}.{r.id:<4} {r.kind:<13} {r.text}"
        )
    lines += ["", "House rules (--option NAME=VALUE)"]
    for name, field in schema.get("properties", {}).items():
        said = in_language(field.get("description", ""), page.key)
        lines.append(f"    {name}={_plain(field.get('default'))}  {said}{_values(field)}")
    for title, table in (
        ("How doubtful passages are read", page.readings),
        ("A hand without its moves: tally KEY=VALUE", meanings(page)),
        ("What a ruling may change: ruling #N KEY=VALUE", {**ANY_RULING, **page.tally.rulings}),
        ("Words of call, fault and end", page.words), ("Acts", verbs),
    ):  # fmt: skip
        if table:
            lines += [
                "", title, *(f"    {key}{'' if key.endswith('?') else ':'} {text}" for key, text in table.items()),
            ]
    return lines


def _values(field: dict[str, Any]) -> str:
    if "enum" in field:
        return f" ({', '.join(_plain(v) for v in field['enum'])})"
    if "minimum" in field or "maximum" in field:
        return f" ({_plain(field.get('minimum', '…'))} to {_plain(field.get('maximum', '…'))})"
    return " (yes, no)" if field.get("type") == "boolean" else ""


def _plain(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def parse_pairs(given: list[str] | None, what: str) -> dict[str, str]:
    """`K=V` words as a dict. Raises UsageError for a word without a value, or a key given twice."""
    from events.errors import UsageError

    table: dict[str, str] = {}
    for word in given or []:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise UsageError(
                f"{word!r} is not {'an' if what == 'option' else 'a'} {what}", expected=f"--{what} NAME=VALUE",
            )
        if key.strip() in table:
            raise UsageError(f"--{what} {key} is given twice")
        table[key.strip()] = value.strip()
    return table


@shell.command("new")
def new_command(
    game: KEY, seat: SEATS = None, option: OPTIONS = None, dealer: DEALER = None, date: DATE = None,
    title: TITLE = None, round_: ROUND = None, table: TABLE = None, place: PLACE = None, pack: PACK = None,
    book: BOOK = "home", id_: ID = None, in_parts: IN_PARTS = False, json: JSON = False,
) -> None:  # fmt: skip
    """Begin a match and print its id. Then record it with `kibitz record`."""
    from datetime import date as Date

    from reducers.opening import opening

    plain = bool(seat) and not any("=" in word for word in seat or [])
    seats: Any = [word.strip() for word in seat or []] if plain else {
        k.upper(): v for k, v in parse_pairs(seat, "seat").items()
    }
    day = {None: Date.today().isoformat(), "-": None, "": None}.get(date, date)
    facts = opening(
        game.lower(), seats=seats, options=parse_pairs(option, "option"), dealer=dealer or None, date=day,
        title=title or None, round=round_ or None, table=table or None, place=place or None,
        pack=pack.lower() if pack else None,
    )
    with shell.store(write=True, create=True) as store:
        match = store.create_match(
            facts, game=game.lower(), book=book, match=id_, recorder=shell.settings.recorder, in_parts=in_parts,
        )
    if json:
        out_json({"match": match, "game": game.lower(), "book": book, "facts": facts})
    else:
        out(match)


@shell.command("simulate", store=False)
def simulate_command(
    game: KEY, matches: MATCHES = None, hands: HANDS = None, seed: SEED = "1", output: TARGET = None,
    hidden: HIDDEN = False, mischief: MISCHIEF = 0.0, slips: SLIPS = 0.0, jobs: PLAYERS = 0, engine: ENGINE = "",
) -> None:  # fmt: skip
    """Play random matches, to try things out. With --mischief or --slips, a file beside them says what is wrong."""
    from cli.simulating import Wish, write_matches
    from replay.engines.choosing import engine_named

    wish = Wish(game.lower(), matches or 1, hands, seed, hidden=hidden, mischief=mischief, slips=slips)
    write_matches(wish, output, engine_named(engine, shell.workers(jobs, wish.matches)))


@shell.command("practise", store=False)
def practise_command(game: KEY, seed: SEED = "1", plain: PLAIN = False, pack: WITH_PACK = "french") -> None:
    """Type along with a hand played by chance, and learn the shortest way. Nothing is stored."""
    from cli.practising import practise as sit_down
    from events.packs import pack_named

    sit_down(game.lower(), seed, pack_named(pack), plain=plain)
