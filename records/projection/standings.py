"""Figures for a table of results: sums by player, evening, pair and opponent. Only matches that count are used."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple

from msgspec import Struct

from events.errors import UsageError
from events.season_sums import Adjustment, LeftOutRow, PlayedDay
from records.projection.index import Index


class Chosen(Struct, frozen=True):
    """The matches of a table: of one book or all, one game or all, between two days (`2026-03-14`).

    With `substitutes`, a match counts for everyone who sat in it, otherwise at each seat for the player who played
    most of it."""

    book: str = ""
    game: str = ""
    first: str = ""
    last: str = ""
    substitutes: bool = False

    def whole(self, of: str = "s") -> str:
        """The SQL condition for a row of `seat` to count the match itself, not only its hands and points."""
        return "1" if self.substitutes else f"{of}.whole"

    def where(self, of: str = "s") -> tuple[str, list[str]]:
        """The SQL condition, and its values."""
        asked = [
            (self.book, f"{of}.book = ?"), (self.game, f"{of}.game = ?"), (self.first, f"{of}.day >= ?"),
            (self.last, f"{of}.day <= ?"),
        ]
        return " AND ".join(["1", *(text for value, text in asked if value)]), [value for value, _ in asked if value]


def day_bound(text: str, *, end: bool = False) -> str:
    """A day in comparable form; a month or a year becomes its start, or its end with `end`. UsageError if not valid.

    >>> day_bound("2026-3"), day_bound("2026-03", end=True) > "2026-03-31"
    ('2026-03', True)
    """
    if not text:
        return ""
    try:
        parts = [int(part) for part in text.strip().split("-")]
        date(*[*parts, 1, 1][:3])
        if len(parts) > 3 or parts[0] < 1000:
            raise ValueError
    except (ValueError, TypeError, OverflowError):
        raise UsageError(f"{text[:40]!r} is not a day", expected="2026-03-14, 2026-03 or 2026") from None
    written = "-".join([f"{parts[0]:04}", *(f"{part:02}" for part in parts[1:])])
    # Days are compared as text, and no day of a month sorts after the month with a tilde.
    return written + "~" if end and len(parts) < 3 else written


ADJUSTED = ("matches", "won", "lost", "hands", "hands_won", "points", "made", "failed", "difference", "vp", "chips")
"""The figures that a director may add to."""
DECIMAL = ("points", "difference", "vp")
"""Those that may have two decimals; the others count."""


def adjusting_figures(words: Sequence[str], *, absent: bool = False) -> dict[str, float]:
    """The figures of a decision, from words such as `points=-50`. Raises UsageError for one that is none, or if
    there is none and nobody is `absent`."""
    figures: dict[str, float] = {}
    for word in words:
        found = re.fullmatch(r"(\w+)=([+-]?\d{1,9})(?:[.,](\d{1,2}))?", word.replace("−", "-").replace(" ", ""))
        if found is None or found[1] not in ADJUSTED or (found[3] and found[1] not in DECIMAL):
            raise UsageError(
                f"{word[:40]!r} is no figure to add",
                expected=(
                    f"a whole number for one of {', '.join(ADJUSTED)}, as points=-50; "
                    f"{', '.join(DECIMAL)} may have decimals, as vp=-0.5"
                ),
            )
        figures[found[1]] = float(f"{found[2]}.{found[3]}") if (found[3] or "").strip("0") else int(found[2])
    if not figures and not absent:
        raise UsageError("a decision adds points, or excuses a player", expected="a figure, as points=-50, or --absent")
    return figures


def game_of_book(index: Index, book: str, game: str = "") -> str:
    """The game of a decision: the given one, of a book that has no results yet any, or the only one that the book has.
    Raises UsageError."""
    there = list(Standings(index, Chosen(book)).games)
    if (game and (not there or game.lower() in there)) or (not game and len(there) == 1):
        return game.lower() or there[0]
    lacks = f"no game {game[:40]!r}" if game else "several games" if there else "no match that counts"
    raise UsageError(
        f"the book {book[:64]!r} has {lacks}", expected=f"--game {there[0]}" if there else "a book with results",
        todo="`kibitz season` shows the tables of a book",
    )


class Somebody(NamedTuple):
    """The name to show, and the player's id; empty if the name is not linked."""

    label: str
    player: str


class Together(NamedTuple):
    """The sums of two partners in one game, the lower number first."""

    a: int
    b: int
    game: str
    matches: int
    won: int
    hands: int
    points: int
    unknown: int
    made: int
    failed: int


class Met(NamedTuple):
    """How often two players met as opponents in a game, and how often `a` won and lost."""

    a: int
    b: int
    game: str
    matches: int
    won: int
    lost: int


class Feat(NamedTuple):
    """The best hand, or the best total of a match, in a game: its figure, day, match and hand (0 for a total), and the
    names of the side."""

    game: str
    kind: str
    figure: int
    day: str
    match: str
    hand: int
    names: str


class Rating(NamedTuple):
    """The rating of a player in a game: mean, uncertainty, and number of matches."""

    who: int
    game: str
    mu: float
    sigma: float
    matches: int


MOST = 8_000
"""With more matches than this, there are only sums for each player: no evenings, runs, pairs or meetings."""


class Standings:
    """The figures of the chosen matches, each queried when needed. With `only`, pairs and meetings are those of one
    player, whose evenings and runs are complete however many matches there are."""

    def __init__(
        self, index: Index, chosen: Chosen, only: int = 0, adjustments: Sequence[Adjustment] = (),
        victory: Callable[[int], float] | None = None
    ) -> None:
        self.index, self.chosen, self.only, self._adjustments = index, chosen, only, adjustments
        self._scored = victory is not None
        if victory is not None:
            index.db.create_function(
                "victory", 1, lambda margin: 0 if margin is None else victory(margin), deterministic=True,
            )

    def _rows(self, sql: str, *more: object) -> list[Any]:
        return self.index.db.execute(sql, more).fetchall()

    @cached_property
    def large(self) -> bool:
        """True if there are so many matches that only sums are given."""
        return sum(n for _, n, _ in self.games.values()) > MOST

    def _sums(self) -> str:
        counts = self.chosen.whole()
        return (
            f"sum({counts}), sum(s.won IS 1 AND {counts}), sum(s.won IS 0 AND {counts}), sum(s.hands), "
            "sum(s.hands_won),"
            " coalesce(sum(s.total), 0), sum(s.total IS NULL), sum(s.made), sum(s.failed),"
            f" coalesce(sum(s.margin * {counts}), 0), "
            f"{f'coalesce(sum(victory(s.margin) * {counts}), 0)' if self._scored else 0},"
            " coalesce(sum(s.total - s.stack), 0)"
        )

    @cached_property
    def played(self) -> list[PlayedDay]:
        """Sums by player, game and day, in order of days. If `large`, by player and game for all players but `only`."""
        where, values = self.chosen.where()
        rows: list[Any] = []
        if self.large:
            rows = self._rows(
                (
                    f"SELECT s.who, s.game, '', {self._sums()} FROM seat s WHERE s.counted AND s.who <> ? AND "
                    f"{where} GROUP BY s.who, s.game"
                ),
                self.only, *values,
            )
            where, values = f"s.who = ? AND {where}", [self.only, *values]  # type: ignore[list-item]  # a number among the texts
        rows += self._rows(
            (
                f"SELECT s.who, s.game, s.day, {self._sums()} FROM seat s WHERE s.counted AND {where} GROUP BY "
                "s.who, s.game, s.day ORDER BY s.day"
            ),
            *values
        )  # fmt: skip
        made = [PlayedDay(*row) for row in rows]
        numbers = {player: who for who, (_, player) in self.people.items() if player}
        for one in self.adjusted:
            figures = {"unknown": 0, **dict.fromkeys(ADJUSTED, 0), **one.figures, "kind": one.kind}
            row = {"who": numbers[one.player], "game": one.game, "day": "" if self.large else one.day, **figures}
            made.append(PlayedDay._make(row[name] for name in PlayedDay._fields))
        return sorted(made, key=lambda one: one.day)

    @cached_property
    def adjusted(self) -> list[Adjustment]:
        """What the director decided for the chosen book, games and days."""
        chosen = self.chosen
        return [
            one for one in self._adjustments
            if one.game in self.games and chosen.book in ("", one.book)
            and (not chosen.first or one.day >= chosen.first) and (not chosen.last or one.day <= chosen.last)
        ]  # fmt: skip

    def _detailed(self) -> tuple[str, list[Any]]:
        """The condition for details: of one player if there are too many matches, else of all."""
        where, values = self.chosen.where()
        return (f"s.who = ? AND {where}", [self.only, *values]) if self.large else (where, list(values))

    def _of_only(self) -> tuple[str, list[Any]]:
        """The condition for pairs and meetings: those of one player, if given. No player has number 0."""
        where, values = self.chosen.where()
        if not self.only and not self.large:
            return where, list(values)
        return f"s.id IN (SELECT o.id FROM seat o WHERE o.who = ?) AND ? IN (s.who, t.who) AND {where}", [
            self.only, self.only, *values,
        ]

    @cached_property
    def people(self) -> dict[int, Somebody]:
        """The people, by number. A name that is a player's, but not linked to them, says so."""
        rows = self._rows("SELECT id, label, player FROM who")
        known = {label for _, label, player in rows if player}
        there = {player for *_, player in rows}
        # Somebody who has not played yet may have a bye.
        rows += [
            (-n, one.label, one.player)
            for n, one in enumerate({a.player: a for a in self._adjustments if a.player not in there}.values(), 1)
        ]
        return {
            id: Somebody(f"{label} (not linked)" if not player and label in known else label, player)
            for id, label, player in rows
        }

    @cached_property
    def runs(self) -> dict[tuple[int, str], str]:
        """Results by player and game, in order: `w` won, `l` lost, `d` neither."""
        where, values = self._detailed()
        return {(who, game): text for who, game, text in self._rows(
            "SELECT who, game, group_concat(r, '') FROM (SELECT s.who, s.game, CASE s.won WHEN 1 THEN 'w' "
            "WHEN 0 THEN 'l' ELSE 'd' END r"
            f" FROM seat s WHERE s.counted AND {self.chosen.whole()} AND {where} ORDER BY s.who, s.game, "
            "s.day, s.id) GROUP BY who, game",
            *values
        )}  # fmt: skip

    @cached_property
    def whole_runs(self) -> dict[int, str]:
        """Results by player over all games, in order."""
        where, values = self._detailed()
        return dict(self._rows(
            "SELECT who, group_concat(r, '') FROM (SELECT s.who, CASE s.won WHEN 1 THEN 'w' WHEN 0 THEN "
            "'l' ELSE 'd' END r"
            f" FROM seat s WHERE s.counted AND {self.chosen.whole()} AND {where} ORDER BY s.who, s.day, "
            "s.id) GROUP BY who",
            *values
        ))  # fmt: skip

    @cached_property
    def pairs(self) -> list[Together]:
        """Sums by pair, on sides of two players."""
        where, values = self._of_only()
        # If one of them sat there for only part of the match, that part is what they played together.
        both = {
            name: f"CASE WHEN t.hands < s.hands THEN t.{name} ELSE s.{name} END"
            for name in ("hands", "total", "made", "failed")
        }
        return list(map(Together._make, self._rows(
            "SELECT min(s.who, t.who) a, max(s.who, t.who) b, s.game, count(*), sum(s.won IS 1), "
            f" sum({both['hands']}), coalesce(sum({both['total']}), 0), sum({both['total']} IS NULL), "
            f"sum({both['made']}), sum({both['failed']})"
            " FROM seat s JOIN seat t ON t.id = s.id AND t.side = s.side AND t.seat > s.seat"
            f" WHERE s.counted AND s.mates = 2 AND {self.chosen.whole()} AND {self.chosen.whole('t')} AND "
            f"s.who <> t.who AND {where} GROUP BY a, b, s.game",
            *values
        )))  # fmt: skip

    @cached_property
    def met(self) -> list[Met]:
        """How often two players met as opponents, each pair once, and how often each won."""
        where, values = self._of_only()
        return list(map(Met._make, self._rows(
            "SELECT CASE WHEN s.who < t.who THEN s.who ELSE t.who END a, CASE WHEN s.who < t.who THEN "
            "t.who ELSE s.who END b, s.game, count(*),"
            " sum(CASE WHEN s.who < t.who THEN s.won ELSE t.won END IS 1), sum(CASE WHEN s.who < t.who "
            "THEN t.won ELSE s.won END IS 1)"
            " FROM seat s JOIN seat t ON t.id = s.id AND t.side <> s.side AND t.seat > s.seat"
            f" WHERE s.counted AND {self.chosen.whole()} AND {self.chosen.whole('t')} AND s.who <> t.who "
            f"AND {where} GROUP BY a, b, s.game",
            *values
        )))  # fmt: skip

    @cached_property
    def breaches(self) -> dict[tuple[int, str], int]:
        """Certain breaches by player and game. They are private: query only on explicit request."""
        where, values = self.chosen.where()
        return {(who, game): n for who, game, n in self._rows(
            "SELECT s.who, s.game, count(*) FROM finding f JOIN seat s ON s.id = f.id AND s.seat = f.seat "
            "AND f.at BETWEEN s.since AND s.until"
            f" WHERE f.verdict = 'broken' AND f.rule NOT LIKE 'table.%' AND s.counted AND {where} GROUP BY "
            "s.who, s.game",
            *values
        )}  # fmt: skip

    @cached_property
    def games(self) -> dict[str, tuple[str, int, int]]:
        """The games: name, number of matches, and whether the highest total wins (above 0) or the lowest."""
        where, values = self.chosen.where("m")
        return {game: (name, n, way) for game, name, n, way in self._rows(
            f"SELECT m.game, min(m.name), count(*), sum(m.way) FROM match m WHERE m.counted AND {where} "
            "GROUP BY m.game ORDER BY count(*) DESC, m.game",
            *values
        )}  # fmt: skip

    @cached_property
    def feats(self) -> list[Feat]:
        """The best hand and the highest total of each game, with all who had them; a low total is best where it
        wins."""
        where, values = self.chosen.where("m")
        out = []
        for game, (_, _, way) in self.games.items():
            best, side, order = ("least", "least_side", "min") if way < 0 else ("most", "most_side", "max")
            out += self._rows(
                f"SELECT m.game, 'best hand', h.{best}, m.day, m.match, h.number, group_concat(w.label, ' "
                "& ') FROM hand h JOIN match m ON m.id = h.id"
                f" JOIN seat s ON s.id = h.id AND s.side = h.{side} AND h.at BETWEEN s.since AND s.until "
                "JOIN who w ON w.id = s.who"
                f" WHERE m.counted AND m.hands > 1 AND m.game = ? AND {where} AND h.{best} = (SELECT "
                f"{order}(h.{best}) FROM hand h JOIN match m ON m.id = h.id WHERE m.counted AND m.hands > "
                f"1 AND m.game = ? AND {where})"
                " GROUP BY h.id, h.number ORDER BY m.day, m.id", game, *values, game, *values,
            )  # fmt: skip
            out += self._rows(
                "SELECT m.game, 'best total', s.total, m.day, m.match, 0, group_concat(w.label, ' & ') "
                "FROM seat s JOIN match m ON m.id = s.id JOIN who w ON w.id = s.who"
                f" WHERE m.counted AND s.whole AND m.game = ? AND {where} AND s.total = (SELECT "
                f"{order}(s.total) FROM seat s JOIN match m ON m.id = s.id WHERE m.counted AND s.whole AND "
                f"m.game = ? AND {where})"
                " GROUP BY s.id, s.side ORDER BY m.day, m.id", game, *values, game, *values,
            )  # fmt: skip
        return [Feat(*row) for row in out]

    @cached_property
    def clean(self) -> list[tuple[int, str, int]]:
        """The hands of players without findings, by player and game."""
        where, values = self.chosen.where()
        return self._rows(
            f"SELECT s.who, s.game, sum(s.hands) FROM seat s WHERE s.counted AND {where} GROUP BY s.who, s.game"
            " HAVING NOT EXISTS (SELECT 1 FROM finding f JOIN seat t ON t.id = f.id AND t.seat = f.seat "
            "AND f.at BETWEEN t.since AND t.until"
            " WHERE f.verdict <> 'open' AND f.rule NOT LIKE 'table.%' AND t.who = s.who AND t.game = s.game)", *values,
        )  # fmt: skip

    @cached_property
    def left_out(self) -> list[LeftOutRow]:
        """The matches that do not count, and why, in order of days; with `only`, those of this player."""
        where, values = self.chosen.where("m")
        if self.only:
            where, values = f"m.id IN (SELECT id FROM seat WHERE who = ?) AND {where}", [self.only, *values]  # type: ignore[list-item]  # a number among the texts
        return [LeftOutRow(*row) for row in self._rows(
            "SELECT m.match, m.name, m.day, CASE WHEN m.fault <> '' THEN m.fault WHEN m.trial THEN 'a "
            "trial' WHEN m.parent <> '' THEN 'a variation'"
            f" ELSE 'not finished' END FROM match m WHERE NOT m.counted AND {where} ORDER BY m.day, m.id", *values
        )]  # fmt: skip

    def ratings(
        self, rate: Callable[[Iterable[Sequence[tuple[Sequence[int], int]]]], dict[int, tuple[float, float, int]]],
    ) -> list[Rating]:
        """Ratings for games with more than two sides, over all matches of the book, on any day.

        `rate` computes them from the matches in order, each as its sides with their players and places. They are
        cached until a match is added or changes."""
        book = self.chosen.book
        out = []
        for game in self.games:
            if self.chosen.game not in ("", game) or self._sides(game) < 3:
                continue
            state = str(
                self._rows(
                    "SELECT count(*) || '/' || coalesce(max(id), 0) FROM match m WHERE m.counted AND "
                    "m.game = ? AND (? = '' OR m.book = ?)",
                    game, book, book,
                )[0][0]
            )
            if self._rows("SELECT state FROM rated WHERE book = ? AND game = ?", book, game) != [(state,)]:
                found = rate(self._places(game))
                with self.index.db as db:
                    db.execute("DELETE FROM rating WHERE book = ? AND game = ?", (book, game))
                    db.executemany(
                        "INSERT INTO rating VALUES (?, ?, ?, ?, ?, ?)",
                        [(book, game, who, *one) for who, one in found.items()],
                    )
                    db.execute("INSERT OR REPLACE INTO rated VALUES (?, ?, ?)", (book, game, state))
            out += [
                Rating(who, game, mu, sigma, n)
                for who, mu, sigma,
                n in self._rows("SELECT who, mu, sigma, matches FROM rating WHERE book = ? AND game = ?", book, game)
            ]
        return out

    def _sides(self, game: str) -> int:
        where, values = Chosen(self.chosen.book, game).where()
        return int(
            self._rows(
                "SELECT coalesce(max(n), 0) FROM (SELECT count(DISTINCT s.side) n FROM seat s WHERE "
                f"s.counted AND {where} GROUP BY s.id)",
                *values,
            )[0][0]
        )

    def _places(self, game: str) -> Iterable[list[tuple[list[int], int]]]:
        where, values = Chosen(self.chosen.book, game).where()
        now, sides = None, dict[str, tuple[list[int], int]]()
        for id, side, who, place in self.index.db.execute(
            f"SELECT s.id, s.side, s.who, s.place FROM seat s WHERE s.counted AND s.whole AND {where} "
            "ORDER BY s.day, s.id, s.side",
            values,
        ):
            if id != now and sides:
                yield list(sides.values())
                sides = {}
            now = id
            sides.setdefault(side, ([], place))[0].append(who)
        if sides:
            yield list(sides.values())


def evening_standing(index: Index, book: str, day: str) -> dict[str, tuple[int, float]]:
    """The matches of each name at the tables of an evening, and what orders them: matches won, then points
    difference."""
    rows = index.db.execute(
        "SELECT s.name, count(*), sum(s.won IS 1) + sum(s.won IS NULL) / 2.0, coalesce(sum(s.margin), 0) "
        "FROM seat s WHERE s.counted AND s.whole AND s.book = ? AND s.day = ? GROUP BY s.name",
        (book, day)
    ).fetchall()  # fmt: skip
    return {name: (matches, won + margin / 1e9) for name, matches, won, margin in rows}
