"""Contracts scored as in rubber bridge: tricks below the line, everything else above it, games, and the rubber.

A contract is a level (tricks beyond six), a strain and a multiplier: 1, 2 (doubled) or 4 (redoubled). Two sides play;
only the side that declares can score below the line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from events.cards import GLYPHS
from reducers.scoring import Points, ScoreLine, Standing, add_points, plus

# From the lowest to the highest.
STRAINS = ("c", "d", "h", "s", "nt")
BOOK = 6
DOUBLED: Mapping[int, str] = {1: "", 2: "doubled", 4: "redoubled"}

# Below the line: the first odd trick, and each one after it.
ODD_TRICK: Mapping[str, tuple[int, int]] = {"c": (20, 20), "d": (20, 20), "h": (30, 30), "s": (30, 30), "nt": (40, 30)}
GAME = 100

# Above the line, each pair: not vulnerable, vulnerable.
OVERTRICK: Mapping[int, tuple[int, int]] = {2: (100, 200), 4: (200, 400)}
INSULT: Mapping[int, int] = {2: 50, 4: 100}
SLAM: Mapping[int, tuple[str, tuple[int, int]]] = {6: ("small slam", (500, 750)), 7: ("grand slam", (1000, 1500))}

# The total cost of the first one to four undertricks, and the cost of each further one.
SHORT: Mapping[int, tuple[tuple[tuple[int, int, int, int], int], tuple[tuple[int, int, int, int], int]]] = {
    1: (((50, 100, 150, 200), 50), ((100, 200, 300, 400), 100)),
    2: (((100, 300, 500, 800), 300), ((200, 500, 800, 1100), 300)),
    4: (((200, 600, 1000, 1600), 600), ((400, 1000, 1600, 2200), 600)),
}

HONOURS = "AKQJT"
RUBBER = {0: 700, 1: 500}
ONE_GAME_AHEAD = 300
ONLY_PART_SCORE = 100
# Games that win the rubber.
GAMES = 2


class Contract(Struct, frozen=True):
    """A contract, the side that declares, and its multiplier `times`."""

    declarer: str
    level: int
    strain: str
    times: int = 1


def outranks(level: int, strain: str, other_level: int, other_strain: str) -> bool:
    """True if one bid is higher than another: by level, then by strain.

    >>> outranks(1, "nt", 1, "s"), outranks(2, "c", 1, "nt"), outranks(1, "h", 1, "h")
    (True, True, False)
    """
    return (level, STRAINS.index(strain)) > (other_level, STRAINS.index(other_strain))


def bid_text(level: int | None, strain: str) -> str:
    """A bid as it is written on a pad.

    >>> bid_text(1, "c"), bid_text(3, "nt"), bid_text(None, "h")
    ('1♣', '3NT', '?♥')
    """
    return f"{'?' if level is None else level}{'NT' if strain == 'nt' else GLYPHS.get(strain, strain or '?')}"


def trick_points(level: int, strain: str) -> int:
    """The points of the odd tricks of a contract, undoubled.

    >>> trick_points(1, "c"), trick_points(4, "s"), trick_points(3, "nt")
    (20, 120, 100)
    """
    first, more = ODD_TRICK[strain]
    return first + more * (level - 1)


def undertricks(short: int, times: int, vulnerable: bool) -> int:
    """The points the other side gets for a contract that is `short` by this number of tricks.

    >>> undertricks(1, 1, False), undertricks(3, 2, False), undertricks(4, 2, True), undertricks(6, 4, False)
    (50, 500, 1100, 2800)
    """
    first, more = SHORT[times][vulnerable]
    return first[min(short, 4) - 1] + more * max(0, short - 4)


def honours(strain: str, held: int) -> int:
    """The points for `held` honours in one hand: of five trumps, or of four aces at no trump.

    >>> honours("h", 3), honours("h", 4), honours("h", 5), honours("nt", 4), honours("nt", 3)
    (0, 100, 150, 150, 0)
    """
    if strain == "nt":
        return 150 if held == 4 else 0
    return {4: 100, 5: 150}.get(held, 0)


def pad_entry(label: str, side: str, amount: int, text: str, column: str = "above") -> ScoreLine:
    """One entry on the pad: the points of a side, with the arithmetic; the other side has nothing in that line."""
    return ScoreLine(label, {side: amount}, {side: text}, column)


def unknown_entries(below: Iterable[str], sides: Iterable[str]) -> list[ScoreLine]:
    """The entries of a hand with an unknown score; below the line only these sides may have scored."""
    columns = (("below", below), ("above", sides))
    return [ScoreLine("contract", dict.fromkeys(may_score), {}, column) for column, may_score in columns]


def made_or_set(contract: Contract, tricks: int, vulnerable: bool | None, sides: Sequence[str]) -> list[ScoreLine]:
    """The entries for a contract that was played: `tricks` are those of the declaring side. If it is unknown whether
    that is vulnerable (None), only what counts below the line is certain where the other entries depend on it.

    >>> one_club = Contract("P", 1, "c", 2)
    >>> [(e.column, e.label, e.amounts["P"]) for e in made_or_set(one_club, 7, False, ("P", "H"))]
    [('below', 'tricks', 40), ('above', 'insult', 50)]
    >>> [(e.column, e.label, e.sums) for e in made_or_set(one_club, 4, True, ("P", "H"))]
    [('above', 'undertricks', {'H': '1♣ doubled, 3 down, vulnerable: 800'})]
    """
    if vulnerable is None:
        unsure = "above" if depends_on_vulnerability(contract, tricks) else ""
        entries = made_or_set(contract, tricks, False, sides)
        return [replace(e, amounts=dict.fromkeys(e.sums), sums={}) if e.column == unsure else e for e in entries]
    side, level, strain, times = contract.declarer, contract.level, contract.strain, contract.times
    name = f"{bid_text(level, strain)} {DOUBLED[times]}".strip()
    over = tricks - BOOK - level
    if over < 0:
        other = next(s for s in sides if s != side)
        cost = undertricks(-over, times, vulnerable)
        text = f"{name}, {-over} down{', vulnerable' * vulnerable}: {cost}"
        return [pad_entry("undertricks", other, cost, text)]
    first, more = ODD_TRICK[strain]
    odd = f"{level} × {first}" if first == more else f"{first} + {level - 1} × {more}"
    points = times * trick_points(level, strain)
    text = f"{times} × ({odd})" if times > 1 else odd
    lines = [pad_entry("tricks", side, points, f"{name}: {text} = {points}", "below")]
    if over:
        each = OVERTRICK[times][vulnerable] if times > 1 else more
        how = f" {DOUBLED[times]}{', vulnerable' * vulnerable}" if times > 1 else ""
        text = f"{over} overtrick{'s' * (over > 1)}{how}: {over} × {each} = {over * each}"
        lines.append(pad_entry("overtricks", side, over * each, text))
    if times > 1:
        lines.append(pad_entry("insult", side, INSULT[times], f"{DOUBLED[times]} and made: {INSULT[times]}"))
    if level in SLAM:
        slam, pair = SLAM[level]
        lines.append(
            pad_entry(slam, side, pair[vulnerable], f"{slam}{', vulnerable' * vulnerable}: {pair[vulnerable]}")
        )
    return lines


def depends_on_vulnerability(contract: Contract, tricks: int) -> bool:
    """True if the entries would differ between a vulnerable side and one that is not.

    >>> depends_on_vulnerability(Contract("P", 1, "c"), 9), depends_on_vulnerability(Contract("P", 1, "c"), 6)
    (False, True)
    """
    over = tricks - BOOK - contract.level
    return over < 0 or contract.level in SLAM or (over > 0 and contract.times > 1)


# The rubber
class Rubber(Standing, frozen=True):
    """A rubber so far.

    `below` counts towards the game in progress, `above` is the sum of the entries above the line, `games` the games
    won; a figure is None if an earlier hand could not be scored.
    """

    below: Points = field(default_factory=dict)
    above: Points = field(default_factory=dict)
    games: Points = field(default_factory=dict)

    def vulnerable(self, side: str) -> bool | None:
        """True if the side has won a game; None if unknown."""
        won = self.games[side]
        return None if won is None else won > 0


def new_rubber(sides: Iterable[str]) -> Rubber:
    """A rubber without points or games."""
    zero: Points = dict.fromkeys(sides, 0)
    return Rubber(totals=zero, below=zero, above=zero, games=zero)


def entries_sum(lines: Iterable[ScoreLine], side: str, column: str = "") -> int | None:
    """The sum of the entries for a side, all or those of one column; None if one of them is unknown."""
    total = 0
    for line in lines:
        if not column or line.column == column:
            amount = line.amounts.get(side, 0)
            if amount is None:
                return None
            total += amount
    return total


def with_sums(points: Points, lines: Iterable[ScoreLine], column: str = "") -> Points:
    """These points with the entries for each side added, all or those of one column; None where one is unknown.

    >>> with_sums(
    ...     {"P": 5, "H": None},
    ...     [pad_entry("tricks", "P", 40, "", "below"), pad_entry("honors", "P", 100, "", "above")], "below",
    ... )
    {'P': 45, 'H': None}
    """
    sums = dict(points)
    for line in lines:
        if not column or line.column == column:
            for side, amount in line.amounts.items():
                if side in sums:
                    sums[side] = plus(sums[side], amount)
    return sums


def wins_game(before: Rubber, lines: Sequence[ScoreLine]) -> str:
    """The side that these entries carry to a hundred below the line, "" if none."""
    for side, points in before.below.items():
        if (plus(points, entries_sum(lines, side, "below")) or 0) >= GAME:
            return side
    return ""


def carries_to(target: int, before: Rubber, lines: Sequence[ScoreLine]) -> str | None:
    """The side that has the target and leads below the line with these entries; "" for none, None if unknown.

    >>> r = replace(new_rubber(("P", "H")), below={"P": 12, "H": 20})
    >>> [carries_to(20, r, [pad_entry("tricks", "P", n, "", "below")]) for n in (4, 8, 9)]
    ['H', '', 'P']
    """
    below = with_sums(before.below, lines, "below")
    side = higher(below)
    if None in below.values():
        return None
    return side if side and (below[side] or 0) >= target else ""


def second_game(before: Rubber, side: str, worth: Mapping[int, int] = RUBBER) -> tuple[ScoreLine, ...]:
    """The entry for the rubber, if the side has won its second game: its `worth` by the games of the other side. The
    amount is None if the number of games won before is unknown."""
    if not side or before.over or before.games[side] not in (None, GAMES - 1):
        return ()
    lost = next(n for one, n in before.games.items() if one != side)
    if lost is None or before.games[side] is None:
        return (ScoreLine("rubber", {side: None}, column="above"),)
    return (pad_entry("rubber", side, worth[lost], f"rubber, two games to {'one' if lost else 'none'}: {worth[lost]}"),)


def rubber_bonus(before: Rubber, lines: Sequence[ScoreLine]) -> tuple[ScoreLine, ...]:
    """The entry for the second game, if these entries win it.

    >>> r = replace(new_rubber(("P", "H")), games={"P": 1, "H": 0}, below={"P": 60, "H": 0})
    >>> rubber_bonus(r, [pad_entry("tricks", "P", 40, "", "below")])[0].sums
    {'P': 'rubber, two games to none: 700'}
    >>> rubber_bonus(replace(r, below={"P": None, "H": 0}), [pad_entry("tricks", "P", 40, "", "below")])[0].amounts
    {'P': None}
    """
    side = wins_game(before, lines)
    may_win = [
        one for one, n in before.below.items() if n is None and entries_sum(lines, one, "below")
        and before.games[one] != 0
    ]
    if not side and may_win and not before.over:
        return (ScoreLine("rubber", dict.fromkeys(may_win), column="above"),)
    return second_game(before, side)


def broken_off(rubber: Rubber) -> tuple[ScoreLine, ...]:
    """The entries when a rubber is left unfinished: for the only game won, and for the only part score.

    >>> r = replace(new_rubber(("P", "H")), games={"P": 1, "H": 0}, below={"P": 0, "H": 60})
    >>> [e.sums for e in broken_off(r)]
    [{'P': 'one game ahead in an unfinished rubber: 300'}, {'H': 'the only part score: 100'}]
    """
    lines = []
    for name, what, count, amount in (
        ("unfinished rubber", "one game ahead in an unfinished rubber", rubber.games, ONE_GAME_AHEAD),
        ("part score", "the only part score", rubber.below, ONLY_PART_SCORE),
    ):
        if None not in count.values():
            ahead = [side for side, n in count.items() if n]
            if len(ahead) == 1:
                lines.append(pad_entry(name, ahead[0], amount, f"{what}: {amount}"))
    return tuple(lines)


def carried(before: Rubber, lines: Sequence[ScoreLine], points: Points | None = None) -> Rubber:
    """The rubber with the entries of a hand: a game won clears the points below the line for both; two games end it.
    By default `points` is the sum of the entries.

    >>> sides = ("P", "H")
    >>> r = carried(new_rubber(sides), [pad_entry("tricks", "P", 120, "", "below")])
    >>> r.games, r.below, r.totals, r.over
    ({'P': 1, 'H': 0}, {'P': 0, 'H': 0}, {'P': 120, 'H': 0}, False)
    """
    side = wins_game(before, lines)
    unknown = None in (plus(n, entries_sum(lines, one, "below")) for one, n in before.below.items())
    return with_entries(
        before, lines, None if unknown and not side else side,
        {one: entries_sum(lines, one) for one in before.totals} if points is None else points,
    )


def with_entries(before: Rubber, lines: Sequence[ScoreLine], side: str | None, points: Points) -> Rubber:
    """The rubber with the entries of a hand, worth these points; `side` won a game ("" none, None unknown)."""
    totals, above = add_points(before.totals, points), with_sums(before.above, lines, "above")
    below, games = with_sums(before.below, lines, "below"), before.games
    if side:
        below = dict.fromkeys(below, 0)
        games = {one: plus(n, int(one == side)) for one, n in games.items()}
    elif side is None:
        # A side with nothing below the line has won no game; the other's points there may be wiped out.
        games = {one: n if below[one] == 0 else None for one, n in games.items()}
        below = {one: 0 if n == 0 else None for one, n in below.items()}
    over = any(n is not None and n >= GAMES for n in games.values())
    return replace(
        before, totals=totals, below=below, above=above, games=games, hands=before.hands + 1, over=over,
        winner=higher(totals) if over else "",
    )  # fmt: skip


def higher(totals: Points) -> str:
    """The side with the higher total; "" for a tie, or if one is unknown.

    >>> higher({"P": 300, "H": 200}), higher({"P": 200, "H": 200})
    ('P', '')
    """
    known = [n for n in totals.values() if n is not None]
    if len(known) < len(totals):
        return ""
    most = max(known)
    best = [side for side, n in totals.items() if n == most]
    return best[0] if len(best) == 1 else ""
