"""The order of a table: a named measure, or a formula of the club.

A formula is arithmetic with the figures of a player: `3*won + drawn`, `points/hands`, `max(won - lost, 0)`. It is
parsed here and never run as a program.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from functools import lru_cache

from msgspec import Struct

from events.errors import UsageError

FIELDS = {
    "matches": "matches played",
    "won": "matches won",
    "drawn": "matches without a winner",
    "lost": "matches lost",
    "hands": "hands played",
    "hands_won": "hands in which the own side alone had the best figure",
    "points": "totals of the own side, added up",
    "made": "contracts of the own side that were made",
    "failed": "contracts of the own side that failed",
    "difference": "points by which the own side was better than the best other one, less those by which it was worse",
    "chips": "totals less what was brought to the table, in games of chips",
    "vp": "victory points, by the table of the club",
    "evenings": "days on which at least one match was played",
}
"""The figures that a formula may use."""


class Measure(Struct, frozen=True):
    """An order of a table: its name, its formula, and its text."""

    name: str
    formula: str
    text: str

    @property
    def by_game(self) -> bool:
        """True if it is meaningful within one game only, as it uses points or hands; each game then gets a table."""
        return bool(
            {"points", "hands", "hands_won", "made", "failed", "difference", "vp", "chips"}
            & figures_named(self.formula)
        )


MEASURES = {
    m.name: m
    for m in (
        Measure("matches", "won", "matches won"),
        Measure("share", "won/matches", "share of the matches won"),
        Measure("points", "points", "points, all totals added up"),
        Measure("hands", "hands_won", "hands won"),
        Measure("difference", "difference", "points difference"),
        Measure("vp", "vp", "victory points"),
        Measure("points-a-hand", "points/hands", "points a hand"),
    )
}
"""The measures that need no formula."""
MOST = 200
"""The greatest length of a formula."""
DEEPEST = 20
"""The greatest nesting depth of a formula."""
_BINARY: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip
_CALLS: dict[str, Callable[..., float]] = {"min": min, "max": max, "abs": abs}


def measure(by: str, formula: str = "") -> Measure:
    """The requested measure. Raises UsageError for an unknown name, or an invalid formula."""
    if formula:
        _parsed(formula)
        return Measure("formula", formula, formula)
    if by not in MEASURES:
        raise UsageError(
            f"a table cannot be ordered by {by[:40]!r}", expected=f"one of {', '.join(MEASURES)}",
            todo="--formula takes a formula of your own",
        )
    return MEASURES[by]


def worth(formula: str, figures: Mapping[str, float]) -> float:
    """The value of a formula; a division by zero gives 0. Raises UsageError for an invalid formula.

    >>> worth("3*won + drawn", {"won": 2, "drawn": 1}), worth("points/hands", {"points": 7, "hands": 0})
    (7.0, 0.0)
    """
    try:
        found = float(_worth(_parsed(formula), figures))
    except OverflowError:
        return 0.0
    return found if abs(found) < 1e300 else 0.0


def figures_named(formula: str) -> set[str]:
    """The figures that a formula uses."""
    return {node.id for node in ast.walk(_parsed(formula)) if isinstance(node, ast.Name)}


@lru_cache(maxsize=64)
def _parsed(formula: str) -> ast.expr:
    if len(formula) > MOST:
        raise UsageError(f"the formula has {len(formula)} characters", expected=f"at most {MOST}")
    try:
        found = ast.parse(formula.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _unread(formula) from None
    _look(found, formula, 0)
    return found


def _look(node: ast.expr, formula: str, depth: int) -> None:
    """Raise UsageError for anything that is not arithmetic with the figures."""
    if depth > DEEPEST:
        raise _unread(formula)
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool) and abs(value) < 10**9:
            return
        case ast.Name(id=name):
            if name not in FIELDS:
                raise UsageError(
                    f"{name[:40]!r} is not a figure of a player", where=formula, expected=f"one of {', '.join(FIELDS)}",
                )
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            _look(left, formula, depth + 1)
            _look(right, formula, depth + 1)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=one):
            _look(one, formula, depth + 1)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _CALLS and (
            len(args) == 1 if name == "abs" else len(args) > 1
        ):
            for one in args:
                _look(one, formula, depth + 1)
        case _:
            raise _unread(formula)


def _unread(formula: str) -> UsageError:
    return UsageError(
        "the formula cannot be read", where=formula[:80],
        expected="arithmetic such as 3*won + drawn, with + - * / min max abs",
        todo=f"The figures are {', '.join(FIELDS)}",
    )  # fmt: skip


def _worth(node: ast.expr, figures: Mapping[str, float]) -> float:
    match node:
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.Name(id=name):
            return figures.get(name, 0)
        case ast.BinOp(left=left, op=op, right=right):
            a, b = _worth(left, figures), _worth(right, figures)
            return 0.0 if isinstance(op, ast.Div) and not b else _BINARY[type(op)](a, b)
        case ast.UnaryOp(op=op, operand=one):
            return -_worth(one, figures) if isinstance(op, ast.USub) else _worth(one, figures)
        case ast.Call(func=ast.Name(id=name), args=args):
            return _CALLS[name](*(_worth(one, figures) for one in args))
    raise AssertionError(ast.dump(node))


class BestEvenings(Struct, frozen=True):
    """Only the best evenings of each player count: `n` of the first `of` (0 for all)."""

    n: int
    of: int = 0


def parse_best(text: str) -> BestEvenings | None:
    """Parse `6` or `6/8`; None for an empty text. Raises UsageError.

    >>> parse_best("6"), parse_best("6/8"), parse_best("")
    (BestEvenings(n=6, of=0), BestEvenings(n=6, of=8), None)
    """
    if not text.strip():
        return None
    first, sign, second = text.strip().partition("/")
    parts = [first.strip(), *([second.strip()] if sign else [])]
    if not all(
        p.isascii() and p.isdigit() and 0 < int(p) < 10_000 for p in parts
    ) or (sign and int(parts[0]) > int(parts[1])):
        raise UsageError(
            f"{text[:40]!r} does not say how many evenings count",
            expected="6 for the best six, or 6/8 for the best six of the first eight",
        )
    return BestEvenings(*map(int, parts))
