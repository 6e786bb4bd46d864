"""Scoresheets by name: a page chooses a form and names its columns; figures and sums come from the score.

A column is a function of the hand (`contract`, `result_text`) or of one side or player (`figure_of_line("tricks")`,
`gained`, `running_total`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from reducers.model import Game, State
from reducers.scoring import HandScore, Points, ScoreLine, figure, signed
from reducers.sheet import Block, Cell, Column, Sheet, SheetRow
from reducers.terms import Terms
from reducers.words.debts import fewest_payments

OfTheHand: TypeAlias = Callable[[HandScore, State[Any]], Cell]
OfASide: TypeAlias = Callable[[HandScore, str, State[Any]], Cell]


class Form(Struct, frozen=True, kw_only=True):
    """A sheet with a row for each hand: its number, its dealer, columns of the hand, then columns of each side.

    `once` and `each` have the columns by their heads. In a head of `each`, `{}` is the side as the sheet calls it: by
    `name` (the player's or the partners'), by `seat`, by `side` or as `we and they`; for the last two the sheet names
    the players above. If `each` has several groups, the columns of all sides in the first come before those in the
    next. `notes` go below a row. `first` are the heads of number and dealer; a game in which the dealer does not matter
    has only one. `second` is the second column, if it is not the dealer.
    """

    once: Mapping[str, OfTheHand]
    each: Mapping[str, OfASide] | tuple[Mapping[str, OfASide], ...]
    called: Literal["name", "seat", "side", "we and they"] = "name"
    heading: str = "Score"
    first: tuple[str, ...] = ("hand", "dealer")
    second: OfTheHand = lambda s, state: Cell(state.terms.name(s.dealer))
    notes: Callable[[HandScore, State[Any]], tuple[str, ...]] = lambda s, state: s.notes

    def __call__(self, state: State[Any], empty: Sheet) -> Sheet:
        """The sheet of the match so far."""
        sides = tuple(state.terms.sides)
        names = side_names(self.called, sides, state.terms)
        each = (head.format(name) for group in self.groups for name in names for head in group)
        heads = (*self.first, *self.once, *each)
        rows = tuple(self.row(s, sides, state) for s in state.scores if has_row(s))
        facts = empty.facts
        if self.called in ("side", "we and they"):
            facts = (*facts, *zip(names, map(state.terms.name, sides), strict=True))
        form: Literal["", "we and they"] = "we and they" if self.called == "we and they" else ""
        return replace(empty, facts=facts, blocks=(Block(self.heading, heads, rows, self.layout(state.terms), form),))

    def layout(self, terms: Terms) -> tuple[Column, ...]:
        """The columns in groups, each side by its name."""
        each = (
            of_a_side(head, terms.name(side), column)
            for group in self.groups for side in terms.sides for head, column in group.items()
        )  # fmt: skip
        first = (Column(head, role="dealer" if i else "") for i, head in enumerate(self.first))
        return (*first, *map(Column, self.once), *each)

    @property
    def groups(self) -> tuple[Mapping[str, OfASide], ...]:
        """The columns of the sides, group by group."""
        return self.each if isinstance(self.each, tuple) else (self.each,)

    def row(self, s: HandScore, sides: tuple[str, ...], state: State[Any]) -> SheetRow:
        """The row of one hand."""
        cells = [Cell(str(s.number)), self.second(s, state)][: len(self.first)]
        cells += [column(s, state) for column in self.once.values()]
        cells += [column(s, side, state) for group in self.groups for side in sides for column in group.values()]
        return SheetRow(tuple(cells), notes=self.notes(s, state))


def ledger(
    once: Mapping[str, OfTheHand], each: Mapping[str, OfASide], *, called: Literal["name", "seat"] = "name",
    heading: str = "Score", notes: Callable[[HandScore, State[Any]], tuple[str, ...]] = lambda s, state: s.notes,
) -> Form:  # fmt: skip
    """A row for each hand, with the same columns for each side or player."""
    return Form(once=once, each=each, called=called, heading=heading, notes=notes)


def we_they(
    once: Mapping[str, OfTheHand],
    each: Mapping[str, OfASide],
    notes: Callable[[HandScore, State[Any]], tuple[str, ...]] = lambda s, state: s.notes,
) -> Form:
    """The sheet of two partnerships, WE and THEY, with the players' names above it."""
    return Form(once=once, each=each, called="we and they", notes=notes)


def running(once: Mapping[str, OfTheHand] | None = None, *, heading: str = "Score") -> Form:
    """A row for each hand with nothing but the running totals; the points of the hand are their small print."""
    return Form(once=once or {}, each={"{}": total_with_gain}, heading=heading)


class Columns(Struct, frozen=True, kw_only=True):
    """A sheet with a column for each side or player: the points of each hand, and their totals.

    After every n hands (`every`) there is a line with the totals below it; the last line has the totals of the match.
    """

    once: Mapping[str, OfTheHand]
    every: int
    called: Literal["name", "seat"] = "name"
    heading: str = "Score"

    def __call__(self, state: State[Any], empty: Sheet) -> Sheet:
        """The sheet of the match so far."""
        sides = tuple(state.terms.sides)
        scores, rows = list(hands_with_row(state)), list[SheetRow]()
        for i, s in enumerate(scores, 1):
            cells = [Cell(str(s.number)), *(column(s, state) for column in self.once.values())]
            void = (s.result,) if s.source == "void" else ()
            rows.append(SheetRow((*cells, *(points_alone(s, side, state) for side in sides)), notes=(*void, *s.notes)))
            if i == len(scores):
                rows.append(self.line_below("total", s, state))
            elif i % self.every == 0:
                rows.append(self.line_below("", s, state))
        heads = ("hand", *self.once, *side_names(self.called, sides, state.terms))
        return replace(empty, blocks=(Block(self.heading, heads, tuple(rows)),))

    def line_below(self, name: Literal["", "total"], s: HandScore, state: State[Any]) -> SheetRow:
        """The totals after a hand, with a line above them."""
        totals = (Cell(figure(s.totals.get(side)), "", self.mark(name, side, state)) for side in state.terms.sides)
        return SheetRow((Cell(name), *(Cell("") for _ in self.once), *totals), name or "rule")

    def mark(self, name: str, side: str, state: State[Any]) -> Literal["total", "won"]:
        """The mark of a total; that of the winner is "won"."""
        return "won" if name and side == state.standing.winner else "total"


def player_columns(once: Mapping[str, OfTheHand] | None = None, *, every: int = 5, heading: str = "Score") -> Columns:
    """A column for each player with the points of each hand, and a line with the totals after every n hands."""
    return Columns(once=once or {}, every=every, heading=heading)


class Parts(Struct, frozen=True, kw_only=True):
    """A sheet with a part for each hand: every line of its score, their sum below a rule, and the running total.

    `told` describes the hand at the head of its part. `called` renames lines of the score: these come last, in this
    order; a line renamed to nothing has no row. `printed` are the lines on a pad.
    """

    told: OfTheHand
    called: Mapping[str, str]
    printed: tuple[ScoreLine, ...] = ()
    heading: str = "Score"

    def __call__(self, state: State[Any], empty: Sheet) -> Sheet:
        """The sheet of the match so far."""
        names = side_names("name", tuple(state.terms.sides), state.terms)
        layout = (Column(""), *(Column("", name, "total") for name in names))
        rows = tuple(row for s in hands_with_row(state) for row in self.part(s, state))
        return replace(empty, blocks=(Block(self.heading, ("", *names), rows, layout, "parts"),))

    def part(self, s: HandScore, state: State[Any]) -> Iterator[SheetRow]:
        """The rows of one hand."""
        sides = tuple(state.terms.sides)
        told = self.told(s, state).text
        dealt = f"dealt by {state.terms.name(s.dealer)}"
        yield SheetRow(
            (Cell(f"Hand {s.number}"), Cell(f"{dealt}, {told}" if told not in ("", "–") else dealt)), "part", s.notes,
        )
        order = list(self.called)
        for line in sorted(s.lines, key=lambda line: order.index(line.label) if line.label in order else -1):
            label = self.called.get(line.label, line.label)
            if label and any(n != 0 for n in line.amounts.values()):
                yield SheetRow((Cell(label), *(self.entry(line, side) for side in sides)))
        if s.source != "void":
            gains = (
                Cell(figure(s.points.get(side)), "", "unknown" if s.points.get(side) is None else "") for side in sides
            )
            yield SheetRow((Cell("hand"), *gains), "rule")
        yield SheetRow((Cell("total"), *(self.total(s, side, state) for side in sides)))

    def entry(self, line: ScoreLine, side: str) -> Cell:
        """The amount of a score line for a side, with its sum beside it."""
        n = line.amounts.get(side)
        if n == 0:
            return Cell("")
        return Cell(figure(n), small=line.sums.get(side, "").partition(" = ")[0], mark="unknown" if n is None else "")

    def total(self, s: HandScore, side: str, state: State[Any]) -> Cell:
        """The total after a hand; the one that won the match is marked."""
        won = state.standing.winner == side and s is state.scores[-1]
        return Cell(figure(s.totals.get(side)), "", "won" if won else "total")


def hand_parts(
    told: OfTheHand, *, printed: tuple[str, ...], called: Mapping[str, str] | None = None, heading: str = "Score",
) -> Parts:
    """A part for each hand, with every line of its score above a rule and the running total below it."""
    return Parts(
        told=told, called=called or {}, printed=tuple(ScoreLine(label, {}) for label in printed), heading=heading,
    )


class Strokes(Struct):
    """The lines of one side on the slate: the marks on each line left, and the hand in which each other line was
    erased. Lines are erased from the top. A mark is put on the lowest; once no other line is left, the mark is erased
    before its line."""

    marks: list[int]
    erased: list[int]
    sure: bool = True

    def erase(self, strokes: int, hand: int) -> None:
        """Erase n strokes."""
        for _ in range(strokes):
            if not self.marks:
                return
            if self.marks[0]:
                self.marks[0] -= 1
            else:
                self.marks.pop(0)
                self.erased.append(hand)

    def mark(self, strokes: int) -> None:
        """Put n marks on the lowest line."""
        if self.marks:
            self.marks[-1] += strokes

    def cell(self, line: int) -> Cell:
        """The cell of one line, the first being 0."""
        if line < len(self.erased):
            return Cell(f"hand {self.erased[line]}", "", "erased")
        return Cell("×" * self.marks[line - len(self.erased)], "", "line") if self.sure else Cell("?", "", "unknown")

    @property
    def left(self) -> Cell:
        """The cell that says what is left to erase."""
        if not self.sure:
            return Cell("?", "", "unknown")
        if not self.marks:
            return Cell("all erased", "", "won")
        marks = sum(self.marks)
        more = "" if not marks else " and a mark" if marks == 1 else f" and {marks} marks"
        return Cell(f"{len(self.marks)} line{'s' * (len(self.marks) != 1)}{more} left")


class Chalk(Struct, frozen=True, kw_only=True):
    """A sheet on which each side begins with n `lines` and erases them; below it are the `hands` in another form.

    `erased` and `marked` are labels of score lines: the strokes each side erased in a hand, and the marks it had to add
    (a marked line takes one more win). After a hand with an unknown one the slate is unknown.
    """

    lines: Callable[[Terms], int]
    erased: str
    marked: str
    hands: Callable[[State[Any], Sheet], Sheet]
    heading: str = "Lines to erase"

    def __call__(self, state: State[Any], empty: Sheet) -> Sheet:
        """The sheet of the match so far."""
        count = self.lines(state.terms)
        slate = [self.strokes(side, count, state) for side in state.terms.sides]
        rows = [SheetRow((Cell(str(i + 1)), *(strokes.cell(i) for strokes in slate))) for i in range(count)]
        rows.append(SheetRow((Cell("left"), *(strokes.left for strokes in slate)), "rule"))
        heads = ("line", *side_names("name", tuple(state.terms.sides), state.terms))
        below = self.hands(state, empty)
        return replace(below, blocks=(Block(self.heading, heads, tuple(rows)), *below.blocks))

    def strokes(self, side: str, count: int, state: State[Any]) -> Strokes:
        """The lines of one side after all hands."""
        out = Strokes([0] * count, [])
        for s in hands_with_row(state):
            erased, marked = amount_in(self.erased, s, side), amount_in(self.marked, s, side)
            if erased is None or marked is None:
                out.sure = False
                break
            out.erase(erased, s.number)
            out.mark(marked)
        return out


def chalk(
    lines: int | Callable[[Terms], int], *, erased: str, marked: str = "", hands: Callable[[State[Any], Sheet], Sheet],
    heading: str = "Lines to erase",
) -> Chalk:  # fmt: skip
    """n chalk lines for each side, of which it erases those it wins; below them the hands."""
    return Chalk(
        lines=lines if callable(lines) else lambda terms: lines, erased=erased, marked=marked, hands=hands,
        heading=heading,
    )


def amount_in(label: str, s: HandScore, side: str) -> int | None:
    """The amount of a side in the score line with this label; 0 without such a line, None if unknown."""
    if None in s.points.values() and s.source == "nothing":
        return None
    line = next((line for line in s.lines if line.label == label), None)
    return 0 if line is None else line.amounts.get(side, 0)


UNSETTLED = "Payments are unknown while a total is unknown."
HOUSE = "the house"


class Settlement(Struct, frozen=True, kw_only=True):
    """Another form, and below it who pays whom to settle all debts, with the fewest payments.

    A player's balance is the total less the total at the start. With a `house`, the score line with that label is what
    the house got; a player pays it.
    """

    form: Callable[[State[Any], Sheet], Sheet]
    unit: str
    heading: str = "To settle"
    house: str = ""

    def __call__(self, state: State[Any], empty: Sheet) -> Sheet:
        """The sheet of the match so far, settled."""
        # The rows know a hand that its moves leave open, if only one score is possible.
        return self.settled(
            self.form(state, empty), state.scores[-1].totals if state.scores else state.standing.totals, state,
        )

    def settled(self, sheet: Sheet, totals: Points, state: State[Any]) -> Sheet:
        """The sheet with the payments that settle these totals."""
        had = state.game.match.new_match(state.terms).totals
        balances = {who: n - (had[who] or 0) for who, n in totals.items() if n is not None}
        if len(balances) < len(totals):
            return replace(sheet, remarks=(*sheet.remarks, UNSETTLED))
        share = [n for s in state.scores for line in s.lines if line.label == self.house for n in line.amounts.values()]
        if self.house and any(share):
            balances[HOUSE] = -sum(n or 0 for n in share)
        return with_payments(sheet, balances, self.heading, self.unit, state.terms)


def chips_brought(game: Game, terms: Terms) -> dict[str, int]:
    """What each side had before the match: its chips in a game that settles them, else nothing."""
    had = game.match.new_match(terms).totals if isinstance(game.sheet, Settlement) else {}
    return {side: had.get(side) or 0 for side in terms.sides}


def with_payments(sheet: Sheet, balances: Mapping[str, int], heading: str, unit: str, terms: Terms) -> Sheet:
    """A sheet with the payments that settle these balances below it."""
    if odd := sum(balances.values()):
        what = f"Wins and losses add up to {signed(odd)}, not to zero, so the payments are unknown."
        return replace(sheet, remarks=(*sheet.remarks, what))

    def name(who: str) -> str:
        return who if who == HOUSE else terms.name(who)

    rows = [
        SheetRow((Cell(name(p.by)), Cell(name(p.to)), Cell(str(p.amount), "", "total")))
        for p in fewest_payments(balances)
    ]
    if not rows:
        return sheet
    return replace(sheet, blocks=(*sheet.blocks, Block(heading, ("pays", "to", unit), tuple(rows))))


def settlement_sheet(form: Callable[[State[Any], Sheet], Sheet], *, unit: str = "chips", house: str = "") -> Settlement:
    """A form for chips that change hands, and below it who pays whom with the fewest payments."""
    return Settlement(form=form, unit=unit, house=house)


def side_names(called: str, sides: tuple[str, ...], terms: Terms) -> tuple[str, ...]:
    """The names of the sides on a sheet."""
    if called == "we and they":
        return ("WE", "THEY")
    return sides if called in ("seat", "side") else tuple(map(terms.name, sides))


def has_row(s: HandScore) -> bool:
    """Return True if a hand has a row: not one in play of which only the contract is unknown."""
    return s.source != "nothing" or None in s.points.values() or bool(s.contract)


def of_a_side(head: str, name: str, column: OfASide) -> Column:
    """A column of a side, with its head less the name: `{} ±` is the gain of a hand, a bare `{}` the total."""
    said = head.replace("{}", "").strip()
    if column in (gained, points_alone) or said in ("±", "+", "hand"):
        return Column(said, name, "gain")
    return Column(said, name, "total" if column in (running_total, total_with_gain) or said in ("", "total") else "")


# -- columns ----------------------------------------------------------------------------------------------------------


def contract(s: HandScore, state: State[Any]) -> Cell:
    """The contract or the trumps."""
    return Cell(s.contract or "–")


def contract_alone(s: HandScore, state: State[Any]) -> Cell:
    """The contract without the side that plays it, which has its own column."""
    sides = map(state.terms.name, state.terms.sides)
    return Cell(
        next((s.contract.removeprefix(name).strip() for name in sides if s.contract.startswith(f"{name} ")), s.contract)
        or "–"
    )


def bid_by(s: HandScore, state: State[Any]) -> Cell:
    """The player who bid the contract, or the side if no more is known."""
    sides = map(state.terms.name, state.terms.sides)
    side = next((name for name in sides if s.contract.startswith(f"{name} ")), "–")
    return Cell(state.terms.name(s.bidder) if s.bidder else side)


def result_text(s: HandScore, state: State[Any]) -> Cell:
    """The result of the hand."""
    return Cell(s.result.replace("-", " ") or "–")


def figure_of_line(label: str) -> OfASide:
    """The figure of a side in the score line with this label, with its sum."""
    return TakenColumn(label)


class TakenColumn(Struct, frozen=True):
    """The column made by `figure_of_line`."""

    label: str

    def __call__(self, s: HandScore, side: str, state: State[Any]) -> Cell:
        """The cell of one side."""
        line = next((line for line in s.lines if line.label == self.label), None)
        return Cell("–") if line is None else Cell(figure(line.amounts.get(side)), line.sums.get(side, ""))


def gained(s: HandScore, side: str, state: State[Any]) -> Cell:
    """The points of the hand, signed, with all sums."""
    return Cell(signed(s.points.get(side)), hand_arithmetic(s, side), "unknown" if s.points.get(side) is None else "")


def points_alone(s: HandScore, side: str, state: State[Any]) -> Cell:
    """The points of the hand for a column to be added up; a dash if the hand is void."""
    if s.source == "void":
        return Cell("–")
    n = s.points.get(side)
    return Cell(figure(n), hand_arithmetic(s, side), "unknown" if n is None else "")


def running_total(s: HandScore, side: str, state: State[Any]) -> Cell:
    """The running total."""
    return Cell(figure(s.totals.get(side)), "", "total")


def total_with_gain(s: HandScore, side: str, state: State[Any]) -> Cell:
    """The running total, with the points of the hand beside it."""
    return Cell(figure(s.totals.get(side)), signed(s.points.get(side)), "total")


def hand_arithmetic(s: HandScore, side: str) -> str:
    """The arithmetic of a hand for one side."""
    return "; ".join(line.sums[side] for line in s.lines if side in line.sums)


def hands_with_row(state: State[Any]) -> Iterator[HandScore]:
    """The hands that have a row, for a page that draws its sheet itself."""
    return (s for s in state.scores if has_row(s))
