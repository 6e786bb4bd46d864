"""The sheet of an evening: the results of all matches, each player's results, and one settlement over all of them."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from reducers.facts import listed_with_and
from reducers.scoring import signed as signed_figure
from reducers.sheet import Block, Cell, Head, Sheet, SheetRow, SheetSide
from reducers.words.debts import fewest_payments
from reducers.words.sheets import UNSETTLED
from replay.pack_names import in_pack
from replay.paper.sheet import sheet_of
from replay.read_log import ReadLog

_MOST_GAMES = 4
PAID = ("pays", "to")
"""The heads of a settlement, before the unit paid."""


def evening_of(title: str, logs: Iterable[ReadLog], signed: tuple[str, ...] = ()) -> Sheet:
    """The sheet of an evening from its logs, in order; `signed` are the lines of the slip that proves them."""
    return replace(evening(title, [in_pack(log.view, log).data(sheet_of(log)) for log in logs]), signed=signed)


def evening(book: str, sheets: Iterable[Sheet]) -> Sheet:
    """Combine the sheets of the matches, in order. The title is their event, or the book.

    Debts of one match are offset against those of the others, separately for each unit, so that there are as few
    payments as possible.
    """
    made = list(sheets)
    # The event, if all matches name the same.
    book = next(iter(events)) if len(
        events := {dict(s.facts).get("Event", "") for s in made}
    ) == 1 and "" not in events else book
    places = list(dict.fromkeys(s.head.place for s in made if s.head.place))
    dates = list(dict.fromkeys(s.head.date for s in made if s.head.date))
    day = dates[0] if len(dates) == 1 else f"{dates[0]} – {dates[-1]}" if dates else ""
    games = list(dict.fromkeys(s.head.game for s in made))
    count = f"{len(made)} match{'es' * (len(made) != 1)}"
    head = Head("", book, " · ".join(places[:2]), day, count, scorer=_scorer(made))
    blocks = [_results(made), _players(made)]
    for unit in units(made):
        blocks += [block for block in (_carried(made, unit), _settled(made, unit)) if block is not None]
    facts = (("Evening", book), ("Matches", str(len(made))), ("Games", ", ".join(games)))
    return Sheet(book, facts, tuple(blocks), tuple(_remarks(made)), head=head)


def _scorer(sheets: list[Sheet]) -> str:
    scorers = list(dict.fromkeys(s.head.scorer for s in sheets if s.head.scorer))
    return scorers[0] if len(scorers) == 1 else ""


def _results(sheets: list[Sheet]) -> Block:
    """A row per match: the game, the players, and the totals, the winner's first."""
    rows = []
    for s in sheets:
        sides = sorted(s.head.sides, key=lambda side: not side.won)
        totals = " – ".join(f"{side.name} {side.total}" for side in sides)
        won = listed_with_and(tuple(side.name for side in _winners(s))) if _winners(s) else ""
        rows.append(SheetRow((Cell(s.head.game), Cell(totals), Cell(won or "–", "", "won" if won else ""))))
    return Block("Results", ("game", "result", "winner"), tuple(rows))


def _winners(sheet: Sheet) -> list[SheetSide]:
    """The sides that won a match; none of them if it was a tie of all."""
    won = [side for side in sheet.head.sides if side.won]
    return won if len(won) < len(sheet.head.sides) or len(won) == 1 else []


def _players(sheets: list[Sheet]) -> Block:
    """Each player's matches and wins, and in each game the sum of the own side's totals, or of the chips won."""
    games = list(dict.fromkeys(s.head.game for s in sheets))
    told: dict[str, dict[str, int | None]] = {}
    for s in sheets:
        for side in s.head.sides:
            for name in side.players:
                one = told.setdefault(name, {"played": 0, "won": 0})
                one["played"], one["won"] = (one["played"] or 0) + 1, (one["won"] or 0) + (side in _winners(s))
                # The stake is taken home again, so it is not part of the gain.
                figure = None if (has := _number(side.total)) is None else has - side.stack
                before = one.get(f"in {s.head.game}", 0)
                one[f"in {s.head.game}"] = None if figure is None or before is None else before + figure
    # A column per game, or one for all if there are many.
    few = len(games) <= _MOST_GAMES
    columns = ("player", "matches", "won", *(games if few else ("totals",)))
    rows = []
    for name in sorted(told, key=lambda name: (-(told[name]["won"] or 0), -(told[name]["played"] or 0))):
        one = told[name]
        figures = [_shown(one[key]) if key in one else "" for key in (f"in {game}" for game in games)]
        if not few:
            figures = [", ".join(f"{game} {text}" for game, text in zip(games, figures, strict=True) if text)]
        rows.append(
            SheetRow((Cell(name), Cell(str(one["played"])), Cell(str(one["won"]), "", "total"), *map(Cell, figures)))
        )
    return Block("Players", columns, tuple(rows))


def _number(text: str) -> int | None:
    """A total as a number, None if it is a question mark or a range."""
    plain = text.replace("−", "-")
    return int(plain) if plain.removeprefix("-").isdecimal() else None


def _shown(n: int | None) -> str:
    return "?" if n is None else str(n).replace("-", "−")


def units(sheets: Iterable[Sheet]) -> list[str]:
    """The units paid in these matches: chips, points."""
    return list(dict.fromkeys(b.columns[2] for s in sheets for b in s.blocks if b.columns[:2] == PAID))


def balances(sheets: Iterable[Sheet], unit: str) -> dict[str, int]:
    """What each player receives, or pays if it is negative."""
    out: dict[str, int] = {}
    for s in sheets:
        for block in s.blocks:
            if block.columns == (*PAID, unit):
                for row in block.rows:
                    by, to, amount = (cell.text for cell in row.cells)
                    out[by] = out.get(by, 0) - int(amount)
                    out[to] = out.get(to, 0) + int(amount)
    return out


def _carried(sheets: list[Sheet], unit: str) -> Block | None:
    """Each player's running balance after each match, with the change; None for a single match."""
    paid = [(s, one) for s in sheets if (one := balances([s], unit))]
    names = list(dict.fromkeys(name for _, one in paid for name in one))
    has, rows = dict.fromkeys(names, 0), []
    for sheet, one in paid:
        cells = [Cell(sheet.head.game)]
        for name in names:
            has[name] += one.get(name, 0)
            cells.append(
                Cell(
                    f"{_shown(has[name])} ({signed_figure(one[name])})" if one.get(name) else _shown(has[name]), "",
                    "total",
                )
            )
        rows.append(SheetRow(tuple(cells)))
    return Block(f"From match to match: {unit}", ("after", *names), tuple(rows)) if len(rows) > 1 else None


def _settled(sheets: list[Sheet], unit: str) -> Block | None:
    payments = fewest_payments(balances(sheets, unit))
    rows = [SheetRow((Cell(p.by), Cell(p.to), Cell(str(p.amount), "", "total"))) for p in payments]
    return Block("To settle", (*PAID, unit), tuple(rows)) if rows else None


def _remarks(sheets: list[Sheet]) -> list[str]:
    """The matches with figures that the table wrote differently, and those not finished."""
    out = []
    for s in sheets:
        out += [f"† {s.head.game}: {remark.removeprefix('† ')}" for remark in s.remarks if remark.startswith("† ")]
    open_ones = [
        f"{s.head.game}, {' – '.join(side.name for side in s.head.sides)}" for s in sheets
        if s.head.verdict.startswith("not finished")
    ]
    if open_ones:
        out.append(f"Not finished: {listed_with_and(tuple(open_ones))}.")
    unsettled = [
        s.head.game for s in sheets
        if any(remark == UNSETTLED or remark.startswith("What was won") for remark in s.remarks)
    ]
    if unsettled:
        out.append(f"Not among what is to settle: {listed_with_and(tuple(unsettled))}, where not every total is known.")
    return out
