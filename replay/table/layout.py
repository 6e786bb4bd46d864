"""Draw piles that are in columns or side by side, as they are on the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from events.cards import UNKNOWN, item, pretty
from replay.plain_text import shortened, text_columns
from replay.table.frame import PileView

MOST_ROWS = 12
"""Of a longer column the open end is drawn, and the number of cards above it is shown."""
GAP = 4
EMPTY = "–"


def layout_number(pile: PileView) -> tuple[str, str]:
    """The layout that a pile is part of and its number there, or its rank; empty strings for a separate pile.

    >>> layout_number(PileView("col:A:3", (), 0, "all", form="column", place="middle"))
    ('col:A', '3')
    >>> layout_number(PileView("stock:A", (), 0, "nobody", form="stack", place="beside"))
    ('', '')
    >>> layout_number(PileView("rank:T", (), 0, "all", form="column", place="middle"))
    ('rank', '10')
    """
    layout, _, number = pile.name.rpartition(":")
    if pile.place == "middle" and pile.form in ("column", "stack", "grid") and layout and (
        number.isdigit() or layout == "rank"
    ):
        return layout, "10" if number == "T" else number
    return "", ""


def layouts_in_rows(piles: Iterable[PileView], columns: int, called: Mapping[str, str]) -> list[str]:
    """Draw every layout among these piles, side by side if there is room. `called` has the names of players."""
    found: dict[str, list[PileView]] = {}
    for pile in piles:
        if layout_number(pile)[0]:
            found.setdefault(layout_number(pile)[0], []).append(pile)
    out: list[str] = []
    row: list[list[str]] = []
    for name, head in headed(found, called).items():
        drawn = layout(head, found[name])
        if row and sum(map(block_width, row)) + GAP * len(row) + block_width(drawn) > columns:
            out += [*blocks_side_by_side(row), ""]
            row = []
        row.append(drawn)
    return [*out, *(blocks_side_by_side(row) if row else [])]


def headed(found: Mapping[str, Sequence[PileView]], called: Mapping[str, str]) -> dict[str, str]:
    """The heading of each layout: its name, its owner, and the numbers to type if several layouts have columns.

    >>> four = [PileView(f"col:A:{n}", (), 0, "all", form="column", place="middle") for n in range(1, 5)]
    >>> list(headed({"col:A": four, "col:B": four, "foundation": four}, {"B": "Boris"}).values())
    ['col:A >1–4', 'col:B Boris >5–8', 'foundation']
    """
    several = sum(name.startswith("col:") for name in found) > 1
    heads, before = dict[str, str](), 0
    for name, members in found.items():
        owner = name.partition(":")[2]
        numbers = f">{before + 1}–{before + len(members)}" if several and name.startswith("col:") else ""
        before += len(members) if name.startswith("col:") else 0
        whose = called.get(owner, owner)
        heads[name] = " ".join(part for part in (name, shortened(whose, 10) if whose != owner else "", numbers) if part)
    return heads


def layout(name: str, piles: Sequence[PileView]) -> list[str]:
    """One layout: its name, the numbers of its piles, and the cards below each; only the top card of a stack.

    >>> a = PileView("col:A:1", ("Qc", "Jh"), 2, "all", form="column", place="middle")
    >>> b = PileView("col:A:2", (), 0, "all", form="column", place="middle")
    >>> print(chr(10).join(layout("col:A", [a, b])))
    col:A
       1   2
      Q♣   –
      J♥
    """
    cells = [column(pile) for pile in piles]
    rows = max(map(len, cells))
    more = [pile.count - len(cards) if pile.form == "column" else 0 for pile, cards in zip(piles, cells, strict=True)]
    heads = [layout_number(pile)[1] for pile in piles]
    wide = [max(map(text_columns, [head, *cards])) for head, cards in zip(heads, cells, strict=True)]
    wide = [max(2, w, text_columns(f"+{n}") if n > 0 else 0) for w, n in zip(wide, more, strict=True)]
    lines = [heads]
    if any(n > 0 for n in more):
        lines.append([f"+{n}" if n > 0 else "" for n in more])
    lines += [[cards[i] if i < len(cards) else "" for cards in cells] for i in range(rows)]
    return [
        name,
        *(
            "  " + "  ".join(" " * (w - text_columns(text)) + text for text, w in zip(line, wide, strict=True)).rstrip()
            for line in lines
        )
    ]


def column(pile: PileView) -> list[str]:
    """The cards of a pile from top to bottom of the page: those that overlap, or the visible one."""
    cards = [text for written in pile.cards for text in each(written)]
    if not cards:
        return [EMPTY]
    return cards[-1:] if pile.form == "stack" else cards[-MOST_ROWS:]


def each(written: str) -> list[str]:
    """Counted cards one by one; uncounted ones as one."""
    it = item(written)
    return [UNKNOWN if it.card == UNKNOWN else pretty(it.card)] * (it.count or 1)


def cards_in_rows(cards: Sequence[str], columns: int) -> list[str]:
    """Cards side by side, in as many rows as needed.

    >>> cards_in_rows(["7h", "Td", "Kc"], 14)
    ['  7♥  10♦', '  K♣']
    """
    shown = [text for written in cards for text in each(written)]
    wide = max(map(text_columns, shown), default=1) + 2
    most = max(1, columns // wide)
    return [
        "".join(" " * (wide - text_columns(text)) + text for text in shown[i : i + most])
        for i in range(0, len(shown), most)
    ]


def block_width(lines: Sequence[str]) -> int:
    """The width of a block of lines."""
    return max(map(text_columns, lines), default=0)


def blocks_side_by_side(blocks: Sequence[Sequence[str]]) -> list[str]:
    """Blocks of lines beside each other."""
    wide = [block_width(block) for block in blocks]
    rows = max(map(len, blocks))
    lines = ([block[i] if i < len(block) else "" for block in blocks] for i in range(rows))
    return [
        (" " * GAP).join(text + " " * (w - text_columns(text)) for text, w in zip(line, wide, strict=True)).rstrip()
        for line in lines
    ]
