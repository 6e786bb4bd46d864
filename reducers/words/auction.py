"""Auctions: calls in turn, the standing offer, who made it, and whose call nobody wrote."""

from __future__ import annotations

from collections.abc import Sequence

from events.model import Bid


class Auction:
    """The calls of one hand: a bid, or None for a pass, with the seat that made it.

    `high` is the standing bid and `bidder` the seat that owns it. What outranks what is the page's business. A pass goes
    without saying at many tables: `unwritten` are the seats whose call nobody wrote and which so are taken to have passed.
    `times` is how often each seat has called.
    """

    __slots__ = ("bidder", "calls", "high", "times", "unwritten")

    def __init__(self) -> None:
        self.calls: list[tuple[str, Bid | None]] = []
        self.times: dict[str, int] = {}
        self.high: Bid | None = None
        self.bidder = ""
        self.unwritten: tuple[str, ...] = ()

    def bid(self, bid: Bid) -> None:
        """An offer is made; it stands until another one is."""
        if self.unwritten:
            self._hears(bid.by)
        self.calls.append((bid.by, bid))
        self.times[bid.by] = self.times.get(bid.by, 0) + 1
        self.high, self.bidder = bid, bid.by

    def passed(self, seat: str) -> None:
        """A seat lets its call go by."""
        if self.unwritten:
            self._hears(seat)
        self.calls.append((seat, None))
        self.times[seat] = self.times.get(seat, 0) + 1

    def take_back(self) -> str:
        """The last call is taken back; answers whose it was."""
        seat, _ = self.calls.pop()
        self.times[seat] -= 1
        self.high = next((bid for _, bid in reversed(self.calls) if bid is not None), None)
        self.bidder = self.high.by if self.high is not None else ""
        return seat

    def skip(self, seats: Sequence[str]) -> None:
        """Others called behind these seats, and nobody wrote what they called."""
        for seat in seats:
            self.passed(seat)
        self.unwritten += tuple(seats)

    def _hears(self, seat: str) -> None:
        """What was taken for a pass is none if the seat calls after all."""
        if seat in self.unwritten:
            self.unwritten = tuple(s for s in self.unwritten if s != seat)
            self.calls.remove((seat, None))
            self.times[seat] -= 1

    def has_called(self, seat: str) -> bool:
        """Whether this seat has had a call that somebody wrote."""
        return seat not in self.unwritten and self.times.get(seat, 0) > 0

    def silent(self, order: Sequence[str]) -> tuple[str, ...]:
        """Those of these seats that have not called, and did not let their turn go by either."""
        return tuple([s for s in order if not self.times.get(s)])

    def before(self, seat: str, order: Sequence[str]) -> tuple[str, ...]:
        """Those who were to call before this seat, and of whom nobody wrote a call."""
        silent = self.silent(order)
        return silent[: silent.index(seat)] if seat in silent else ()
