"""Captures: which cards of the board pair or add up, who took what, and who swept the board.

For fishing games. The page has the table of card values; checks decide if a capture is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from events.cards import Pack, item
from reducers.model import State
from reducers.rules import CheckResult, broken
from reducers.table import Pile, Table


class CaptureValues:
    """The value of each card in a sum, and the cards it pairs with. Lists are indexed by card code; 0 means unknown.

    >>> from events.cards import pack
    >>> p = pack("A 2 3 4 5 6 7 J Q K")
    >>> w = CaptureValues(p, dict(zip("A234567JQK", range(1, 11))))
    >>> board = p.bag(["6c", "4d", "2s", "2h", "Kh"])
    >>> p.cards(w.pairs(p.code["2c"], board))
    ['2h', '2s']
    >>> [" ".join(p.cards(bag)) for bag in w.sums(10, board)]
    ['6c 4d', '6c 2h 2s']
    >>> w.adds_up(4, board), w.adds_up(3, board), w.adds_up(3, board, unseen=1, may_be=p.full)
    (True, False, None)
    """

    def __init__(self, pack: Pack, values: Mapping[str, int]) -> None:
        self.pack = pack
        self.of: tuple[int, ...] = tuple(values.get(r, 0) if pack.rank.get(r) else 0 for r in pack.rank_of)
        self.same: tuple[int, ...] = tuple(pack.rank.get(r, 0) for r in pack.rank_of)
        self.by_value = sorted((v, pack.rank[r]) for r, v in values.items())

    def pairs(self, code: int, board: int) -> int:
        """The cards of a bag that have the rank of this card."""
        return board & self.same[code]

    def total(self, codes: Iterable[int]) -> int | None:
        """The total value of these cards; None if one of them was not seen."""
        total = 0
        for code in codes:
            if not self.of[code]:
                return None
            total += self.of[code]
        return total

    def adds_up(self, target: int, board: int, unseen: int = 0, may_be: int = 0) -> bool | None:
        """True if some cards worth less than the target add up to it, False if not, None if unseen ones decide it.

        `unseen` cards are among the others, each of them one of `may_be`; they may also be worth the target itself.
        """
        reach = self._reach(1, target, board)
        if reach >> target & 1:
            return True
        if unseen:
            values = [v for v, mask in self.by_value if v <= target and may_be & mask]
            for _ in range(min(unseen, target)):
                for v in values:
                    reach |= reach << v
        return None if reach >> target & 1 else False

    def _reach(self, reach: int, target: int, board: int) -> int:
        """A bit set of all totals that some of the cards make."""
        count = self.pack.count
        for value, mask in self.by_value:
            if value >= target:
                break
            for _ in range(count(board & mask)):
                reach |= reach << value
        return reach

    def sums(self, target: int, board: int) -> Iterator[int]:
        """Yield every bag of two or more of these cards that adds up exactly."""
        of, unit = self.of, self.pack.unit
        cards = sorted((-of[c], c) for c in self.pack.codes(board) if 0 < of[c] < target)
        left = [0] * (len(cards) + 1)
        for i in range(len(cards) - 1, -1, -1):
            left[i] = left[i + 1] - cards[i][0]

        def pick(i: int, missing: int, bag: int) -> Iterator[int]:
            if not missing:
                yield bag
                return
            for j in range(i, len(cards)):
                if left[j] < missing:
                    return
                if j > i and cards[j] == cards[j - 1]:
                    continue  # the other copy of a card was tried in this place
                value, code = -cards[j][0], cards[j][1]
                if value <= missing:
                    yield from pick(j + 1, missing - value, bag + unit[code])

        yield from pick(0, target, 0)


@lru_cache(maxsize=4096)
def codes_of_cards(pack: Pack, cards: tuple[str, ...]) -> tuple[int, ...]:
    """The codes of a written card list, counts expanded; a card not in the pack is unseen, without a trouble."""
    out: list[int] = []
    for text in cards:
        if text != "*":
            it = item(text)
            out += [pack.code.get(it.card, pack.unknown)] * (it.count or 1)
    return tuple(out)


def names_part_of_it(named: Sequence[int], pile: Pile, what: str, of: str = "", beside: int = 0) -> CheckResult | None:
    """The verdict on the cards named as taken with a pile whose top card stands for it: they are that card, or all
    cards of the pile. Cards `beside` it may be named too; `what` and `of` say which pile it is."""
    if pile.vague:
        return None
    pack, row = pile.table.pack, pile.row or []
    elsewhere = [code for code in named if code < pack.unknown and code not in row and not beside & pack.field[code]]
    if len(elsewhere) > sum(code >= pack.unknown for code in row):
        return broken(f"{pack.shown(elsewhere[0])} is not in the {what}{of}")
    if len(named) == 1 and named[0] in row[:-1]:
        return broken(f"{pack.shown(named[0])} is not the top card, which stands for the {what}")
    return broken(f"the whole {what} is taken, all {len(row)} cards") if 1 < len(named) < len(row) else None


class CaptureTaken(Struct, frozen=True):
    """One capture: its position, the side, the board before it, card and cards taken, and whether it was a sweep."""

    at: int
    side: str
    board: int
    card: int
    takes: tuple[int, ...]
    sweep: bool = False

    def __deepcopy__(self, memo: object) -> CaptureTaken:
        return self


class Captures:
    """The board of one hand and what was taken from it.

    The board is a bag: the order of its cards does not matter, and an unseen one is identified when it is taken.
    `ordered` makes it a row with only its top card in play. With `stacked`, the piles of cards won keep the order in
    which they were won; the card that captured is on top of what it took. With `rest_to_last`, the cards left on the
    board at the end go to the side that captured last.
    """

    def __init__(
        self, state: State[Any], *, ordered: bool = False, stacked: bool = False, rest_to_last: bool = True
    ) -> None:
        self.board: Pile = state.table.row("board") if ordered else state.table.bag("board")
        lay_out, self.rest_to_last = state.table.row if stacked else state.table.bag, rest_to_last
        self.won: dict[str, Pile] = {side: lay_out(f"won:{side}") for side in state.terms.sides}
        self.side_of = state.terms.side_of
        self.log: list[CaptureTaken] = []

    @property
    def last(self) -> str:
        """The side that captured last, "" if none did."""
        return self.log[-1].side if self.log else ""

    @property
    def sweeps(self) -> tuple[str, ...]:
        """The sides that swept, in order."""
        return tuple(t.side for t in self.log if t.sweep)

    def take(self, table: Table, seat: str, cards: list[int], takes: list[int], holding: Pile, at: int) -> bool:
        """Give card and cards taken to the side of the seat; return True if the board is empty then."""
        board, side = self.board, self.side_of[seat]
        won, before = self.won[side], board.known
        bottom = len(won.row or ())
        table.move(cards, holding, won)
        middle = len(won.row or ())
        table.move(takes, board, won)
        if won.row is not None:
            # The card that captured goes on top of what it took.
            won.row = [*won.row[:bottom], *won.row[middle:], *won.row[bottom:middle]]
        # A `*` out of an empty hand names no card.
        self.log.append(CaptureTaken(at, side, before, cards[0] if cards else table.pack.unknown, tuple(takes)))
        return not (board.known or board.unseen or board.half or board.row or board.vague)

    def swept(self) -> None:
        """Count the last capture as a sweep."""
        t = self.log[-1]
        self.log[-1] = CaptureTaken(t.at, t.side, t.board, t.card, t.takes, True)

    def taken_back(self) -> None:
        """Remove the last capture, which was taken back at the table."""
        if self.log:
            self.log.pop()

    def remainder(self, table: Table) -> int:
        """Give the cards on the board to the side that captured last; return the number of cards."""
        board = self.board
        codes = board.codes() if self.log and self.rest_to_last else []
        if codes:
            table.move(codes, board, self.won[self.last])
        return len(codes)
