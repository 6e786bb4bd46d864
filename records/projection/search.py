"""Searches an index for matches and events."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from events.errors import NotFoundError, UsageError
from records.names import cut_short, first_names
from records.projection.index import Index
from records.projection.standings import day_bound
from records.register import Register, compared_name

MOST = 1000
"""The most hits returned."""


class Wanted(Struct, frozen=True):
    """The search criteria; empty ones are ignored. One match must meet all the others.

    `who` are the numbers of players who all sat in it. `score` is a condition on the total of a side and `points` on
    that of a hand (`52`, `>100`, `<=3`, `40..60`); with a player, on that player's side. `outcome` is "made" or
    "failed". `finding` is "broken", "perhaps" or "open", `rule` an id or the beginning of one (`kaiser.R11`).
    `dispute` is "open", or "any". `highlights` asks for the hands worth opening, the most interesting first: rules that
    were broken, then disputes, then the biggest swing of a match."""

    who: tuple[int, ...] = ()
    game: str = ""
    book: str = ""
    first: str = ""
    last: str = ""
    contract: str = ""
    outcome: str = ""
    score: str = ""
    points: str = ""
    finding: str = ""
    rule: str = ""
    comment: str = ""
    dispute: str = ""
    title: str = ""
    highlights: bool = False

    @property
    def empty(self) -> bool:
        """True if there are no criteria."""
        return self == Wanted()

    def checked(self) -> Wanted:
        """The criteria as they are typed, with the bounds of their days. Raises UsageError for one that cannot be."""
        for name, value, words in (
            ("outcome", self.outcome, ("made", "failed")), ("finding", self.finding, ("broken", "perhaps", "open")),
            ("dispute", self.dispute, ("open", "any")),
        ):
            if value and value not in words:
                raise UsageError(f"{name} is not {value[:40]!r}", expected=" or ".join(words))
        for value in filter(None, (self.score, self.points)):
            parse_bounds(value)
        return replace(self, game=self.game.lower(), first=day_bound(self.first), last=day_bound(self.last, end=True))


class Hit(Struct, frozen=True):
    """A hit: a match, an event in it (0 for the whole match) with its hand, the kind of hit, and a text.

    `link` names the place: `tuesday#42`. `players` are the sides, each with its players' names as shown."""

    link: str
    match: str
    at: int
    hand: int
    kind: str
    text: str
    game: str
    day: str
    book: str
    title: str
    players: tuple[tuple[str, ...], ...]


class Found(Struct, frozen=True):
    """The hits, the latest day first, and whether there were more than are listed."""

    hits: tuple[Hit, ...]
    more: bool


_SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠", "clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}
_COMPARED = re.compile(r"\s*(<=|>=|<|>|=)?\s*([+−-]?[0-9]{1,15})\s*")
_BETWEEN = re.compile(r"\s*([+−-]?[0-9]{1,15})\s*\.\.\s*([+−-]?[0-9]{1,15})\s*")


def parse_bounds(text: str) -> tuple[int, int]:
    """The least and greatest value of a condition. Raises UsageError if it is not one.

    >>> parse_bounds("52"), parse_bounds("40..60"), parse_bounds("<= -3")[1]
    ((52, 52), (40, 60), -3)
    """
    far = 2**62
    if found := _BETWEEN.fullmatch(text):
        low, high = (int(n.replace("−", "-")) for n in found.groups())
        return low, high
    if (found := _COMPARED.fullmatch(text)) is None:
        raise UsageError(f"{text[:40]!r} is not a figure", expected="52, >100, <=3 or 40..60")
    n = int(found[2].replace("−", "-"))
    return {"<": (-far, n - 1), "<=": (-far, n), ">": (n + 1, far), ">=": (n, far)}.get(found[1] or "=", (n, n))


def contract_pattern(text: str) -> str:
    """A contract in the form that is searched: suits as signs, a number and a suit apart.

    >>> contract_pattern("7h"), contract_pattern("8 no trump")
    ('7 ♥', '8 no trump')
    """
    words = re.sub(r"(?<=[0-9])(?=[cdhs♣♦♥♠]\b|[♣♦♥♠])", " ", text.casefold()).split()
    return " ".join(_SUITS.get(word, word) for word in words)


def _like(text: str) -> str:
    return "%" + re.sub(r"([%_\\])", r"\\\1", text) + "%"


def search(index: Index, wanted: Wanted, most: int = 100) -> Found:
    """The hits, the latest day first, or the highlights by what they weigh; at most `most`. Raises UsageError for an
    invalid condition on a figure."""
    most = max(1, min(most, MOST))
    where, values = ["1"], list[object]()

    def asked(value: object, text: str) -> None:
        if value:
            where.append(text)
            values.append(value)

    asked(wanted.game, "m.game = ?")
    asked(wanted.book, "m.book = ?")
    asked(wanted.first, "m.day >= ?")
    asked(wanted.last, "m.day <= ?")
    if wanted.title:
        where.append("(m.title LIKE ? ESCAPE '\\' OR m.match LIKE ? ESCAPE '\\')")
        values += [_like(wanted.title)] * 2
    for who in wanted.who:
        where.append("m.id IN (SELECT id FROM seat WHERE who = ?)")
        values.append(who)
    if wanted.score:
        own = f" AND s.who IN ({', '.join('?' * len(wanted.who))})" if wanted.who else ""
        where.append(f"m.id IN (SELECT s.id FROM seat s WHERE s.total BETWEEN ? AND ?{own})")
        values += [*parse_bounds(wanted.score), *wanted.who]
    kinds: list[_Asked] = [("worth_opening", "1", [])] if wanted.highlights else []
    if wanted.dispute:
        kinds.append(("dispute", "x.is_open" if wanted.dispute == "open" else "1", []))
    if wanted.comment:
        kinds.append(("remark", "x.folded LIKE ? ESCAPE '\\'", [_like(wanted.comment.casefold())]))
    kinds += filter(None, (_findings(wanted), _hands(wanted)))
    # The first kind gives the hits; the other kinds must occur in the same match.
    for table, condition, more in kinds[1:]:
        where.append(f"m.id IN (SELECT x.id FROM {table} x WHERE {condition})")
        values += more
    text = " AND ".join(where)
    if kinds:
        table, condition, more = kinds[0]
        columns = _COLUMNS[table]
        rows = index.db.execute(
            f"SELECT m.id, {columns}, {_WHOSE[table]}, m.day FROM {table} x JOIN match m ON m.id = x.id "
            f"WHERE {condition} AND {text}"
            f" ORDER BY {'x.weight DESC, ' if wanted.highlights else ''}m.day DESC, m.id DESC, 2 LIMIT ?",
            [*more, *values, most + 1],
        ).fetchall()  # fmt: skip
    else:
        rows = index.db.execute(
            f"SELECT m.id, 0, 0, 'match', '', '', m.day FROM match m WHERE {text} ORDER BY m.day DESC, "
            "m.id DESC LIMIT ?",
            [*values, most + 1],
        ).fetchall()
    return Found(tuple(_hits(index, rows[:most], told=wanted.highlights)), len(rows) > most)


_COLUMNS = {
    "worth_opening": "x.at, x.hand, x.kind, x.text",
    "dispute": (
        "x.at, x.hand, 'dispute', CASE x.word WHEN '' THEN '' ELSE ' (' || x.word || ')' END || CASE x.is_open "
        "WHEN 1 THEN ', open' ELSE ', ruled' END"
    ),
    "remark": "x.at, 0, 'comment', x.text",
    "finding": "x.at, x.hand, x.verdict, x.rule || ': ' || x.text",
    "hand": "x.at, x.number, 'hand', x.contract || CASE x.result WHEN '' THEN '' ELSE ', ' || x.result END",
}
"""By table: the event, hand, kind and text of a hit."""
_WHOSE = {"worth_opening": "''", "dispute": "x.seat", "remark": "''", "finding": "x.seat", "hand": "x.side"}
"""By table: the seat or side that a hit is about."""
_Asked = tuple[str, str, list[object]]


def _findings(wanted: Wanted) -> _Asked | None:
    if not wanted.finding and not wanted.rule:
        return None
    conditions, values = ["1"], list[object]()
    if wanted.finding:
        conditions.append("x.verdict = ?")
        values.append(wanted.finding)
    if wanted.rule:
        # Only whole parts of an id match: kaiser.R1 is not kaiser.R11.
        conditions.append("(x.rule = ? OR x.rule LIKE ? ESCAPE '\\')")
        values += [wanted.rule, _like(wanted.rule + ".")[1:]]
    return "finding", " AND ".join([*conditions, *_own(wanted, "seat", values)]), values


def _hands(wanted: Wanted) -> _Asked | None:
    if not wanted.contract and not wanted.outcome and not wanted.points:
        return None
    conditions, values = ["1"], list[object]()
    if wanted.contract:
        conditions.append("x.folded LIKE ? ESCAPE '\\'")
        values.append(_like(contract_pattern(wanted.contract)))
    if wanted.outcome:
        conditions.append("x.made = ?")
        values.append(int(wanted.outcome == "made"))
    if wanted.points:
        low, high = parse_bounds(wanted.points)
        conditions.append("(x.most BETWEEN ? AND ? OR x.least BETWEEN ? AND ?)")
        values += [low, high, low, high]
    own = _own(wanted, "side", values) if wanted.contract or wanted.outcome else []
    return "hand", " AND ".join([*conditions, *own]), values


def _own(wanted: Wanted, column: str, values: list[object]) -> list[str]:
    """Conditions that a row is about a wanted player, or that player's side. Appends their values to `values`."""
    if not wanted.who:
        return []
    values += wanted.who
    return [
        f"x.{column} IN (SELECT s.{column} FROM seat s WHERE s.id = x.id AND x.at BETWEEN s.since AND "
        f"s.until AND s.who IN ({', '.join('?' * len(wanted.who))}))"
    ]


def _hits(index: Index, rows: Sequence[tuple[int, int, int, str, str, str, str]], *, told: bool) -> list[Hit]:
    """The rows as hits; of those `told` already the text says who is meant."""
    ids = list(dict.fromkeys(row[0] for row in rows))
    matches: dict[int, tuple[str, str, str, str, str]] = {}
    sat: dict[int, list[tuple[str, str, str, int, int]]] = {}
    for i in range(0, len(ids), 500):
        piece = ids[i : i + 500]
        marks = ", ".join("?" * len(piece))
        for id, *rest in index.db.execute(
            f"SELECT id, match, name, day, book, title FROM match WHERE id IN ({marks})", piece,
        ):
            matches[id] = (rest[0], rest[1], rest[2], rest[3], rest[4])
        for id, *one in index.db.execute(
            "SELECT s.id, s.seat, s.side, w.label, s.since, s.until FROM seat s JOIN who w ON w.id = "
            f"s.who WHERE s.id IN ({marks}) ORDER BY s.id, s.seat, s.since",
            piece
        ):  # fmt: skip
            sat.setdefault(id, []).append((one[0], one[1], one[2], one[3], one[4]))
    out = []
    for id, at, hand, kind, text, whose, _ in rows:
        match, game, day, book, title = matches[id]
        who = " & ".join(
            label for seat, side, label, since, until in sat.get(id, []) if whose in (seat, side)
            and since <= at <= until
        )
        if told:
            pass
        elif kind == "hand" and whose:
            text = f"{who or whose} {text}"
        elif kind == "dispute":
            text = f"disputed by {who or 'the table'}{text}"
        elif kind in ("broken", "perhaps", "open"):
            text += f" ({', '.join(filter(None, (kind, who)))})"
        sides: dict[str, dict[str, None]] = {}
        for _seat, side, label, _since, _until in sat.get(id, []):
            sides.setdefault(side, {})[label] = None
        players = tuple(map(tuple, sides.values()))
        out.append(Hit(f"{match}#{at}" if at else match, match, at, hand, kind, text, game, day, book, title, players))
    return out


def people(index: Index, book: str = "") -> list[tuple[int, str, str, int, int]]:
    """Everyone who sat at a table (of one book, if named), the most matches first.

    Each row has the number, the name to show, the player's id (empty if not linked), matches, and matches that count.
    """
    return index.db.execute(
        "SELECT w.id, w.label, w.player, count(DISTINCT s.id), count(DISTINCT CASE s.counted WHEN 1 THEN "
        "s.id END) FROM who w JOIN seat s ON s.who = w.id WHERE ? IN ('', s.book)"
        " GROUP BY w.id ORDER BY count(DISTINCT s.id) DESC, w.label", (book,)
    ).fetchall()  # fmt: skip


def player_number(index: Index, register: Register, text: str) -> int:
    """The number of a player, by id or name, or of an unlinked name; 0 for a player who has not played.

    Raises NotFoundError if there is no such player."""
    everybody = people(index)
    free = [id for id, label, player, *_ in everybody if not player and label == compared_name(text)]
    try:
        player = register.named(text)
    except NotFoundError:
        if free:
            return free[0]
        if likely := [label for _, label, *_ in everybody if compared_name(text).casefold() in label.casefold()]:
            raise NotFoundError(f"no player is called {cut_short(text)!r}", expected=first_names(likely)) from None
        raise
    return next((id for id, _, key, *_ in everybody if key == player.id), 0)


def seats_named(index: Index, name: str, book: str = "") -> list[tuple[str, str, str, str]]:
    """The seats where a name is written: match, seat, day, and the player's id (empty if not linked)."""
    return index.db.execute(
        "SELECT m.match, s.seat, s.day, w.player FROM seat s JOIN match m ON m.id = s.id JOIN who w ON "
        "w.id = s.who WHERE s.name = ?"
        " AND (? = '' OR s.book = ?) ORDER BY s.day, m.id, s.seat", (name, book, book),
    ).fetchall()  # fmt: skip


def titled(index: Index, title: str) -> list[str]:
    """The ids of the matches with this title, after corrections."""
    return [match for (match,) in index.db.execute("SELECT match FROM match WHERE title = ? ORDER BY id", (title,))]
