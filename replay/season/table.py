"""A season as data: the standings, each player's results, partners and opponents.

It is computed from sums (`records.projection.standings`, or anything of that form), so that a table of a hundred
thousand matches costs no more than its rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from events.errors import UsageError
from events.season_sums import Adjustment, LeftOutRow, PlayedDay
from replay.season.formula import BestEvenings, Measure, worth
from replay.season.settlement import SeasonAccounts, settled
from replay.season.tie_breaks import TIE_BREAKS, split_ties
from replay.season.victory_points import exact_figure

MOST_BESIDE = 2000
"""Most pairs, and most meetings, listed; the figures of a player are always complete."""


class SeasonFigures(Protocol):
    """The sums that a season is computed from."""

    @property
    def played(self) -> Sequence[PlayedDay]: ...
    @property
    def people(self) -> Mapping[int, tuple[str, str]]: ...
    @property
    def runs(self) -> Mapping[tuple[int, str], str]: ...
    @property
    def whole_runs(self) -> Mapping[int, str]: ...
    @property
    def pairs(self) -> Sequence[tuple[int, int, str, int, int, int, int, int, int, int]]: ...
    @property
    def met(self) -> Sequence[tuple[int, int, str, int, int, int]]: ...
    @property
    def breaches(self) -> Mapping[tuple[int, str], int]: ...
    @property
    def games(self) -> Mapping[str, tuple[str, int, int]]: ...
    @property
    def large(self) -> bool: ...
    @property
    def left_out(self) -> Sequence[LeftOutRow]: ...
    @property
    def adjusted(self) -> Sequence[Adjustment]: ...
    @property
    def feats(self) -> Sequence[tuple[str, str, int, str, str, int, str]]: ...
    @property
    def clean(self) -> Sequence[tuple[int, str, int]]: ...


class Evening(Struct, frozen=True):
    """A player's day: matches played and won, hands, points (None if a total is unknown), and its value by the
    measure of the table. `kind` is what the director decided for it: "bye", "absent", "adjusted", or "" for nothing."""

    day: str
    matches: int
    won: int
    hands: int
    points: float | None
    figure: float
    counts: bool = True
    kind: str = ""


class Rated(Struct, frozen=True):
    """A rating: its mean, its uncertainty, the cautious figure (mean less three times the uncertainty), and the
    number of matches."""

    mu: float
    sigma: float
    cautious: float
    matches: int


class PlayerRow(Struct, frozen=True):
    """A player's row. `player` is the id in the register; "" if the name is not linked.

    `figure` is what the table is ordered by, `points` the sum of the known totals, with `unknown` more. `average` is
    points per hand. With very many matches (`Season.large`) only a single requested player has evenings and runs.
    `streak` is the longest run of matches won, `now` the current run (negative for matches lost). `breaches` is None
    unless requested.
    """

    place: int
    name: str
    player: str
    figure: float
    matches: int
    won: int
    drawn: int
    lost: int
    evenings: tuple[Evening, ...]
    hands: int
    hands_won: int
    points: float
    unknown: int
    average: float | None
    made: int
    failed: int
    best: Evening | None
    streak: int
    now: int
    breaches: int | None = None
    rating: Rated | None = None
    difference: float = 0
    vp: float = 0
    chips: int = 0


class Pair(Struct, frozen=True):
    """Two partners, with the fields of a player's row. On the page of a player the partner is second."""

    names: tuple[str, str]
    matches: int
    won: int
    hands: int
    points: int
    unknown: int
    average: float | None
    made: int
    failed: int


class HeadToHead(Struct, frozen=True):
    """Two opponents: their matches, and how many each of them won; other players may have won the rest. On the page
    of a player the opponent is second."""

    names: tuple[str, str]
    matches: int
    won: tuple[int, int]


class Adjusted(Struct, frozen=True):
    """A decision of the director that the table counts: the player, the day, a bye, an absence or an adjustment, the
    figures that are added, the reason, and its entry in the register."""

    name: str
    game: str
    day: str
    kind: str
    figures: dict[str, float]
    why: str
    n: int


class SeasonRecord(Struct, frozen=True):
    """A record of the season: what it is, who holds it, the figure, and where (day, match and hand)."""

    what: str
    names: str
    figure: str
    where: str


class SeasonTable(Struct, frozen=True):
    """A table of one game, or of all (`game` is empty). `lowest` is True if the lowest total wins, and the table is
    ordered so. `days` are the evenings in order, `players` the number of players; a table for one player has one row.
    `broken` says which ties were broken, and by what; `records` and `settled` are there if they were asked for.
    """

    game: str
    name: str
    matches: int
    lowest: bool
    days: tuple[str, ...]
    players: int
    rows: tuple[PlayerRow, ...]
    pairs: tuple[Pair, ...] = ()
    met: tuple[HeadToHead, ...] = ()
    broken: tuple[str, ...] = ()
    adjusted: tuple[Adjusted, ...] = ()
    records: tuple[SeasonRecord, ...] = ()
    settled: SeasonAccounts | None = None


class Season(Struct, frozen=True):
    """A season. `by` is the order of its tables in words, `formula` the formula; `best` and `of` limit it to the
    best evenings. `unlinked` are the names that are linked to no player. `player` is the one requested player, if
    any: then the first table is of all games and the others are of each. `ties` are the tie-breaks in their order;
    with `grid` the pages show each evening of each player."""

    title: str
    by: str
    formula: str
    best: int
    of: int
    first: str
    last: str
    matches: int
    tables: tuple[SeasonTable, ...]
    left_out: tuple[LeftOutRow, ...]
    unlinked: tuple[str, ...]
    notes: tuple[str, ...]
    large: bool = False
    player: str = ""
    ties: tuple[str, ...] = ()
    grid: bool = False


class SeasonRequest(Struct, frozen=True):
    """The request for a season: its title, the measure, the number of evenings that count, whether breaches are
    included, the ratings by game and player, and the number of a single player (0 for all). `ties` are the tie-breaks,
    `dues` an evening and the `stake` of a point are in hundredths."""

    title: str
    measure: Measure
    best: BestEvenings | None = None
    breaches: bool = False
    ratings: Mapping[tuple[str, int], tuple[float, float, int]] = {}
    only: int = 0
    ties: tuple[str, ...] = ()
    grid: bool = False
    records: bool = False
    dues: int = 0
    stake: int = 0


def season_tables(found: SeasonFigures, asked: SeasonRequest) -> Season:
    """The tables of a season. Each game gets a table if the measure cannot be compared between them; a single player
    gets one of all games and one of each. Raises UsageError if the best evenings of too many matches are requested."""
    games = found.games
    if asked.best is not None and found.large:
        raise UsageError(
            "there are too many matches to look at every evening of every player",
            expected="a book, a game or some days", todo="--book, --game, --from and --to choose them",
        )
    apart = asked.measure.by_game or bool(asked.ratings)
    chosen: list[str] = [*games] if apart or len(games) == 1 else ["", *games] if asked.only else [""]
    tables = tuple(_table(found, asked, game) for game in chosen)
    days = sorted({p.day for p in found.played if p.day})
    people = found.people
    shown = {who for p in found.played if (who := p.who) and asked.only in (0, who)}
    return Season(
        asked.title, asked.measure.text, asked.measure.formula, asked.best.n if asked.best else 0,
        asked.best.of if asked.best else 0, days[0] if days else "", days[-1] if days else "",
        sum(n for _, n, _ in games.values()), tables, tuple(found.left_out),
        tuple(sorted(people[w][0] for w in shown if not people[w][1])),
        (*_notes(tables, asked, games), *([_MANY] if found.large else [])), found.large,
        people[asked.only][0] if asked.only in people else "", asked.ties, asked.grid,
    )  # fmt: skip


_MANY = (
    "There are so many matches that evenings, runs, pairs and meetings are left out; choose a book, some "
    "days, or one player."
)


def _table(found: SeasonFigures, asked: SeasonRequest, game: str) -> SeasonTable:
    mine = [p for p in found.played if not game or p.game == game]
    name, matches, way = found.games[game] if game else ("", sum(n for _, n, _ in found.games.values()), 0)
    lowest = way < 0
    days = tuple(sorted({p.day for p in mine} - ({""} if found.large else set())))
    by_player: dict[int, dict[str, list[PlayedDay]]] = {}
    for p in mine:
        by_player.setdefault(p.who, {}).setdefault(p.day, []).append(p)
    turned = lowest and _points_only(asked.measure)
    within = frozenset(days[: asked.best.of] if asked.best and asked.best.of else (*days, ""))
    made = [(who, _standing(who, told, found, asked, game, turned, within)) for who, told in by_player.items()]
    made.sort(key=lambda one: _order(one[1], turned))
    rows, won = dict(made), _won_against(found, game) if asked.ties else {}
    sign = -1 if turned else 1

    def figure(by: str, who: int) -> float:
        row = rows[who]
        return {"wins": row.won, "difference": row.difference}.get(
            by, max((sign * e.figure for e in row.evenings if e.counts), default=0.0),
        )

    placed: list[PlayerRow] = []
    numbers: list[int] = []
    broken: list[str] = []
    for _, equal in groupby(rows, key=lambda who: rows[who].figure):
        groups, splits = split_ties(list(equal), asked.ties, figure, won)
        broken += [f"{', '.join(found.people[who][0] for who in one.who)}: {TIE_BREAKS[one.by]}" for one in splits]
        for together in groups:
            # Players who are still equal share a place.
            place = len(placed) + 1
            placed += [replace(rows[who], place=place) for who in together]
            numbers += together
    shown = tuple(row for row, who in zip(placed, numbers, strict=True) if asked.only in (0, who))
    adjusted = tuple(
        Adjusted(one.label, one.game, one.day, one.kind, dict(one.figures), one.why, one.n) for one in found.adjusted
        if game in ("", one.game)
    )
    account = None
    if asked.dues or asked.stake:
        account = settled(
            {row.name: sum(e.kind not in ("bye", "absent") for e in row.evenings) for row in placed},
            {row.name: row.chips for row in placed}, asked.dues, asked.stake,
        )
    return SeasonTable(
        game, name, matches, lowest, days, len(made), shown, _pairs(found, asked, game), _met(found, asked, game),
        tuple(broken), adjusted, _records(found, placed, game) if asked.records else (), account,
    )  # fmt: skip


def _won_against(found: SeasonFigures, game: str) -> dict[tuple[int, int], int]:
    """The matches that a player won against another."""
    out: dict[tuple[int, int], int] = {}
    for a, b, played, _, won, lost in found.met:
        if not game or played == game:
            out[a, b], out[b, a] = out.get((a, b), 0) + won, out.get((b, a), 0) + lost
    return out


def _records(found: SeasonFigures, rows: Sequence[PlayerRow], game: str) -> tuple[SeasonRecord, ...]:
    """The best hand and total of each game, the longest run of matches won, and the most hands without a finding."""
    out = []
    for of, kind, figure, day, match, hand, names in found.feats:
        if not game or of == game:
            where = f"{day or '?'}, {match}" + (f", hand {hand}" if hand else "")
            out.append(
                SeasonRecord(
                    kind if game else f"{kind}, {found.games[of][0]}", names, str(figure).replace("-", "−"), where,
                )
            )
    run = max((row.streak for row in rows), default=0)
    if run > 1:
        out.append(
            SeasonRecord(
                "longest run of matches won", ", ".join(row.name for row in rows if row.streak == run), str(run), "",
            )
        )
    clean: dict[int, int] = {}
    for who, of, hands in found.clean:
        if not game or of == game:
            clean[who] = clean.get(who, 0) + hands
    most = max(clean.values(), default=0)
    if most:
        out.append(
            SeasonRecord(
                "most hands without a finding",
                ", ".join(found.people[who][0] for who, n in clean.items() if n == most), str(most), "",
            )
        )
    return tuple(out)


def _points_only(measure: Measure) -> bool:
    """True if a measure is points only, so that the lowest are the best if the lowest total wins."""
    return measure.name in ("points", "points-a-hand")


def _order(row: PlayerRow, turned: bool) -> tuple[object, ...]:
    """Sort key: the best figure first; among equal ones the larger share of wins."""
    return row.figure if turned else -row.figure, -(
        row.won / row.matches if row.matches else 0
    ), row.name.casefold(), row.name, row.player


def _figures(told: Iterable[PlayedDay], evenings: int) -> dict[str, float]:
    out = dict.fromkeys(
        ("matches", "won", "lost", "hands", "hands_won", "points", "made", "failed", "difference", "vp", "chips"), 0.0,
    )
    for p in told:
        for field in out:
            out[field] += getattr(p, field)
    return {**out, "drawn": out["matches"] - out["won"] - out["lost"], "evenings": float(evenings)}


def _standing(
    who: int, told: Mapping[str, list[PlayedDay]], found: SeasonFigures, asked: SeasonRequest, game: str, turned: bool,
    within: frozenset[str]
) -> PlayerRow:
    # If the lowest total wins, a player with few matches would lead by a sum.
    formula, best = "points/matches" if turned and asked.measure.name == "points" else asked.measure.formula, asked.best
    made = []
    for day in sorted(told):
        parts = told[day]
        points = None if any(p.unknown for p in parts) else exact_figure(sum(p.points for p in parts))
        made.append(Evening(
            day, sum(p.matches for p in parts), sum(p.won for p in parts), sum(p.hands for p in parts), points,
            round(worth(formula, _figures(parts, 1)), 6), kind=next((p.kind for p in parts if p.kind), ""),
        ))  # fmt: skip
    counting = set(told) & within
    detailed = not found.large or who == asked.only
    if best is not None:
        ranked = sorted((e for e in made if e.day in within), key=lambda e: (e.figure if turned else -e.figure, e.day))
        counting = {e.day for e in ranked[: best.n]}
        made = [replace(e, counts=e.day in counting) for e in made]
    every = [p for parts in told.values() for p in parts]
    figures = _figures(every, sum(any(p.kind != "absent" for p in parts) for parts in told.values()))
    figure = worth(formula, _figures((p for day in counting for p in told[day]), len(counting)))
    run = found.runs.get((who, game), "") if game else found.whole_runs.get(who, "")
    label, player = found.people[who]
    hands, points_sum, unknown = int(figures["hands"]), exact_figure(figures["points"]), sum(p.unknown for p in every)
    broken = None
    if asked.breaches:
        broken = sum(n for (one, where), n in found.breaches.items() if one == who and (not game or where == game))
    rating = asked.ratings.get((game, who))
    return PlayerRow(
        0, label, player, round(figure, 6), int(figures["matches"]), int(figures["won"]), int(figures["drawn"]),
        int(figures["lost"]), tuple(made) if detailed else (), hands, int(figures["hands_won"]), points_sum, unknown,
        None if unknown or not hands else round(points_sum / hands, 3), int(figures["made"]), int(figures["failed"]),
        max(
            (e for e in made if e.kind not in ("bye", "absent")),
            key=lambda e: (-e.figure if turned else e.figure, e.day), default=None,
        )
        if detailed else None,
        max(map(len, run.replace("d", "l").split("l")), default=0), _at_the_end(run), broken,
        None if rating is None
        else Rated(round(rating[0], 3), round(rating[1], 3), round(rating[0] - 3 * rating[1], 3), rating[2]),
        exact_figure(figures["difference"]), exact_figure(figures["vp"]), int(figures["chips"]),
    )  # fmt: skip


def _at_the_end(run: str) -> int:
    """The length of the current run: positive for matches won, negative for matches lost.

    >>> _at_the_end("lww"), _at_the_end("wl"), _at_the_end("wd")
    (2, -1, 0)
    """
    if not run or run[-1] == "d":
        return 0
    length = len(run) - len(run.rstrip(run[-1]))
    return length if run[-1] == "w" else -length


def _pairs(found: SeasonFigures, asked: SeasonRequest, game: str) -> tuple[Pair, ...]:
    sums: dict[tuple[int, int], list[int]] = {}
    for a, b, played, *figures in found.pairs:
        if (not game or played == game) and asked.only in (0, a, b):
            mine = sums.setdefault((b, a) if asked.only == b else (a, b), [0] * 7)
            for i, n in enumerate(figures):
                mine[i] += n
    people = found.people
    out = [
        Pair((people[a][0], people[b][0]), m, w, h, p, u, None if u or not h else round(p / h, 3), made, failed)
        for (a, b), (m, w, h, p, u, made, failed) in sums.items()
    ]
    out.sort(key=lambda pair: (-pair.won, -(pair.won / pair.matches), -pair.matches, pair.names))
    return tuple(out[:MOST_BESIDE])


def _met(found: SeasonFigures, asked: SeasonRequest, game: str) -> tuple[HeadToHead, ...]:
    sums: dict[tuple[int, int], list[int]] = {}
    for a, b, played, *figures in found.met:
        if (not game or played == game) and asked.only in (0, a, b):
            if asked.only == b:
                a, b, figures = b, a, [figures[0], figures[2], figures[1]]
            mine = sums.setdefault((a, b), [0] * 3)
            for i, n in enumerate(figures):
                mine[i] += n
    people = found.people
    out = [HeadToHead((people[a][0], people[b][0]), m, (won, lost)) for (a, b), (m, won, lost) in sums.items()]
    out.sort(key=lambda one: (-one.matches, one.names))
    return tuple(out[:MOST_BESIDE])


def _notes(
    tables: Sequence[SeasonTable], asked: SeasonRequest, games: Mapping[str, tuple[str, int, int]],
) -> Iterable[str]:
    """What a reader of the tables should know."""
    if any(row.best for table in tables for row in table.rows):
        yield (
            f"Beside a best evening stands its figure, {asked.measure.text}; the longest run is of matches "
            "won one after the other."
        )
    if asked.best is not None:
        of = f" of the first {asked.best.of}" if asked.best.of else ""
        yield f"The best {asked.best.n} evenings{of} of each player count; the other columns have all of them."
        most = max((len(t.days) for t in tables), default=0)
        if asked.best.of and most > asked.best.of:
            yield f"There were {most} evenings by now; those after the first {asked.best.of} do not count."
    for table in tables:
        if table.lowest and _points_only(asked.measure):
            each = "; the table is ordered by points a match" if asked.measure.name == "points" else ""
            yield f"In {table.name} the lowest total wins, so fewer points are better{each}."
        if any(row.unknown for row in table.rows):
            yield (
                f"{f'{table.name}: ' if table.name else ''}Some totals cannot be known from the record; "
                "they are in no sum, and averages of those players are left out."
            )
    if any(sum(one.won) < one.matches for table in tables for one in table.met):
        yield "Head to head tells who of the two won; in the other matches somebody else did, or nobody."
    if asked.ties:
        yield (
            "Players with the same figure are ordered by "
            f"{', then '.join(TIE_BREAKS[one] for one in asked.ties)}; who is equal by all of them shares a place."
        )
    if any(e.kind for table in tables for row in table.rows for e in row.evenings):
        yield "The director's decisions are in the figures; they are listed with their reasons."
    if asked.breaches:
        yield "It tells of breaches because that was asked for. They are private: keep it among those it concerns."
