"""The commands for many matches: `season` (tables of results) and `find`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from cli import shell
from cli.options import flag, option
from cli.shell import CSV, JSON, LANG, OUT, out, out_json
from replay.paper.formats import BINARY, SEASON, format_by_ending

if TYPE_CHECKING:
    from records.projection.search import Hit

BYS = ("matches", "share", "points", "hands", "points-a-hand", "difference", "vp")
BOOK = Annotated[str | None, option("--book", "BOOK", "Only this book.", completes="books")]
GAME = Annotated[str | None, option("--game", "GAME", "Only this game.", completes="games")]
FROM = Annotated[str, option("--from", "DATE", "From this day on (2026-03-14, or 2026-03).")]
TO = Annotated[str, option("--to", "DATE", "Up to this day.")]
BY = Annotated[str, option("--by", "|".join(BYS), "What orders the table.", default=True, completes=BYS)]
FORMULA = Annotated[str, option("--formula", "TEXT", "Order it by a formula of your own: '3*won + drawn'.")]
BEST = Annotated[str, option("--best", "N[/M]", "Only the best N evenings of each player count, of the first M.")]
ONE = Annotated[str | None, option("--player", "PLAYER", "This player alone, with partners and opponents.")]
TIES = Annotated[
    str,
    option(
        "--ties", "NAME,…|all", "What orders equal figures: head-to-head, wins, difference, best-evening.",
        default="they share a place", completes=("all", "head-to-head", "wins", "difference", "best-evening"),
    ),
]
GRID = Annotated[bool, flag("--grid", "Show each evening of each player.")]
VP = Annotated[
    str,
    option(
        "--vp", "FILE", "The club's table of victory points for a margin, as CSV (up to,winner,loser); orders by them.",
    ),
]
RECORDS = Annotated[
    bool, flag("--records", "Add the records: best hand, best total, longest run, most hands without a finding.")
]
DUES = Annotated[str, option("--dues", "AMOUNT", "Settle dues: the amount for an evening, as 2.50.")]
STAKE = Annotated[
    str, option("--stake", "AMOUNT", "Settle chips: the amount for a point, if one player wins what another loses.")
]
BREACHES = Annotated[
    bool, flag("--breaches", "Tell how many breaches were found of each player. They are private: not for the wall.")
]
RATINGS = Annotated[
    bool, flag("--ratings", "Rate the players in games of more than two sides (needs kibitz[seasons]).")
]
SUBSTITUTES = Annotated[
    bool, flag("--substitutes", "Count a match for every player in it, not only for the one who played most of it.")
]
TITLE = Annotated[str, option("--title", "TEXT", "The heading.", default="the book")]
FORMAT = Annotated[
    str, option("--format", "|".join(SEASON), "How it is written.", default="by the file's ending", completes=SEASON)
]
REBUILD = Annotated[bool, flag("--rebuild", "Make the tables from the record again first.")]
JOBS = Annotated[
    int, option("--jobs", "N", "The number of processes that read new matches.", default="one per core", min=0)
]
ENGINE = Annotated[
    str,
    option(
        "--engine", "NAME", "What reads the matches that are new: processes, or dask[://HOST:PORT].",
        default="processes",
    ),
]

PLAYER = Annotated[
    list[str] | None, option("--player", "PLAYER", "Who sat in it: a name or the id of a player. Repeatable.")
]
CONTRACT = Annotated[
    str, option("--contract", "TEXT", "A hand with this contract, as the sheet has it: '7 h', 'no trump'.")
]
OUTCOME = Annotated[
    str, option("--outcome", "made|failed", "A hand whose contract was made, or failed.", completes=("made", "failed"))
]
SCORE = Annotated[str, option("--score", "N", "A match in which a side has this total: 52, >100, <=3, 40..60.")]
POINTS = Annotated[str, option("--points", "N", "A hand that brought a side this many points.")]
FINDING = Annotated[
    str,
    option(
        "--finding", "broken|perhaps|open", "A finding of this kind; perhaps: a slip of the recorder may explain it.",
        completes=("broken", "perhaps", "open"),
    ),
]
RULE = Annotated[
    str, option("--rule", "RULE", "A finding about this rule (kaiser.R11), or about any of a game (kaiser).")
]
COMMENT = Annotated[str, option("--comment", "TEXT", "A remark with these words.")]
DISPUTE = Annotated[
    str, option("--dispute", "open|any", "A dispute: one without a ruling, or any.", completes=("open", "any"))
]
NAMED = Annotated[str, option("--title", "TEXT", "A match with these words in its title or id.")]
HIGHLIGHTS = Annotated[
    bool,
    flag(
        "--highlights",
        "The hands worth opening: rules broken, disputes, the biggest swings; the most interesting first.",
    ),
]
MOST = Annotated[int, option("--most", "N", "The most to list.", default=True, min=1, max=1000)]


@shell.command("season")
@shell.answers
def season_command(
    book: BOOK = None, game: GAME = None, by: BY = "matches", formula: FORMULA = "", best: BEST = "", first: FROM = "",
    last: TO = "", player: ONE = None, breaches: BREACHES = False, ratings: RATINGS = False,
    substitutes: SUBSTITUTES = False, ties: TIES = "", grid: GRID = False, vp: VP = "", records: RECORDS = False,
    dues: DUES = "", stake: STAKE = "", title: TITLE = "", format_: FORMAT = "", output: OUT = None,
    rebuild: REBUILD = False, jobs: JOBS = 0, engine: ENGINE = "", lang: LANG = "", json: JSON = False,
) -> None:  # fmt: skip
    """Write the table of a season: who leads, pairs, head to head. The file's ending chooses the format; without -o
    it is text."""
    from msgspec.structs import replace

    from cli.index_access import index_of
    from events.errors import NotFoundError, UsageError
    from records.intake import read_utf8
    from records.projection.search import player_number
    from records.projection.standings import Chosen, Standings, day_bound
    from replay.languages.translate import t
    from replay.season import page
    from replay.season.choice import SeasonChoice
    from replay.season.table import season_tables as made_of

    asked, victory = SeasonChoice(
        book=book or "", by=by, formula=formula, best=best, title=title, ties=ties, grid=grid, records=records,
        vp=read_utf8(vp, 100_000) if vp else "", dues=dues, stake=stake,
    ).request()
    chosen = "text" if json else format_.lower() or format_by_ending(output or "", SEASON, "a season") or "text"
    if chosen not in SEASON:
        raise UsageError(f"there is no format {chosen!r} of a season", expected=f"one of {', '.join(SEASON)}")
    if chosen in BINARY and output in (None, "-"):
        raise UsageError(f"{chosen.upper()} is no text for a terminal", expected=f"a file: -o season.{chosen}")
    days = day_bound(first), day_bound(last, end=True)
    with shell.store(write=False) as store, index_of(store, rebuild=rebuild, jobs=jobs, engine=engine) as index:
        only = player_number(index, store.register, player) if player is not None else 0
        standings = Standings(
            index, Chosen(book or "", (game or "").lower(), *days, substitutes), only,
            store.register.adjustments(book or ""), victory,
        )
        if not standings.games and not standings.left_out:
            raise NotFoundError(
                f"there is no match {_asked(book, game, first, last)}", where=shell.plain_line(str(store.path)),
                todo="`kibitz list` shows the matches",
            )
        rated: dict[tuple[str, int], tuple[float, float, int]] = {}
        if ratings:
            from replay.season.ratings import rate

            rated = {(r.game, r.who): (r.mu, r.sigma, r.matches) for r in standings.ratings(rate)}
        made = made_of(standings, replace(asked, breaches=breaches, ratings=rated, only=only))
    if ratings and not rated:
        shell.say(t("no game of more than two sides was played, so no player is rated"))
    if json:
        shell.write_out(output, shell.as_json(made).encode() + b"\n")
        return
    shell.write_out(output, page.written_season(made, chosen, shell.terminal_columns() if output in (None, "-") else 0))
    if breaches and output not in (None, "-"):
        shell.say(t("it says how many breaches were found of each player: keep it among those it concerns"))


@shell.command("find")
@shell.answers
def find_command(
    player: PLAYER = None, game: GAME = None, book: BOOK = None, first: FROM = "", last: TO = "",
    contract: CONTRACT = "", outcome: OUTCOME = "", score: SCORE = "", points: POINTS = "", finding: FINDING = "",
    rule: RULE = "", comment: COMMENT = "", dispute: DISPUTE = "", title: NAMED = "", highlights: HIGHLIGHTS = False,
    most: MOST = 100, lang: LANG = "", csv: CSV = False, json: JSON = False,
) -> None:  # fmt: skip
    """Find matches and events again; all that is asked has to be so. A hit is MATCH#EVENT: `kibitz show MATCH --at
    EVENT` shows it."""
    from cli.index_access import index_of
    from events.errors import UsageError
    from records.projection.search import Wanted, player_number, search
    from replay.languages.translate import t

    shell.csv_or_json(csv, json)
    wanted = Wanted(
        (), game or "", book or "", first, last, contract, outcome, score, points, finding, rule, comment, dispute,
        title, highlights,
    ).checked()  # fmt: skip
    if wanted.empty and not player:
        raise UsageError(
            "say what to look for", expected="--player, --comment, --rule, --contract …",
            todo="`kibitz find --help` lists them; `kibitz list` lists all",
        )
    with shell.store(write=False) as store, index_of(store) as index:
        from msgspec.structs import replace

        found = search(
            index,
            replace(
                wanted, who=tuple(dict.fromkeys(player_number(index, store.register, name) for name in player or [])),
            ),
            most,
        )
    if not found.hits:
        shell.check_game(game)
    if json:
        out_json(found)
        return
    if csv:
        heads = ("link", "match", "event", "hand", "kind", "text", "game", "day", "book", "title", "players")
        shell.out_csv([
            heads,
            *(
                (
                    h.link, h.match, h.at, h.hand, h.kind, h.text, h.game, h.day, h.book, h.title,
                    " – ".join(map(" & ".join, h.players)),
                )
                for h in found.hits
            )
        ])
    out(*(() if csv else hit_lines(found.hits)))
    if not found.hits:
        shell.say(t("nothing was found"))
    elif found.more:
        shell.say(t("these are the first {n}; --most lists more", n=len(found.hits)))


def hit_lines(hits: "tuple[Hit, ...]") -> Iterator[str]:
    """A line for each hit: the place, the day, the game and players, the text found."""
    from replay.languages.translate import in_language, t

    width = min(max((len(hit.link) for hit in hits), default=0), 40)
    for hit in hits:
        players = " – ".join(" & ".join(names) for names in hit.players)
        place = f", {t('hand {n}', n=hit.hand)}" if hit.hand else ""
        text = f": {hit.text}" if hit.text else ""
        yield f"{hit.link:{width}}  {hit.day or '?':10}  {in_language(hit.game)}, {players}{place}{text}"


def _asked(book: str | None, game: str | None, first: str, last: str) -> str:
    parts = [
        f"in the book {book!r}" if book else "", f"of {game}" if game else "", f"from {first}" if first else "",
        f"up to {last}" if last else "",
    ]
    return " ".join(filter(None, parts)) or "in the store"
