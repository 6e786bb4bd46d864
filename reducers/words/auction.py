"""Auctions: calls in turn, the standing bid and bidder, and calls that were not recorded."""

from __future__ import annotations

from collections.abc import Sequence

from events.model import Bid


class Auction:
    """The calls of one hand: a bid, or None for a pass, with the seat that made it.

    `high` is the standing bid and `bidder` the seat that owns it. The page decides what outranks what. Passes are not
    recorded at many tables: `unwritten` are the seats without a recorded call, which are taken to have passed.
    `times` is the number of calls of each seat.
    """

    def __init__(self) -> None:
        self.calls: list[tuple[str, Bid | None]] = []
        self.times: dict[str, int] = {}
        self.high: Bid | None = None
        self.bidder = ""
        self.unwritten: tuple[str, ...] = ()

    def bid(self, bid: Bid) -> None:
        """Record a bid; it stands until a higher one is made."""
        if self.unwritten:
            self._hears(bid.by)
        self.calls.append((bid.by, bid))
        self.times[bid.by] = self.times.get(bid.by, 0) + 1
        self.high, self.bidder = bid, bid.by

    def passed(self, seat: str) -> None:
        """Record a pass."""
        if self.unwritten:
            self._hears(seat)
        self.calls.append((seat, None))
        self.times[seat] = self.times.get(seat, 0) + 1

    def take_back(self) -> str:
        """Take back the last call; return the seat that made it."""
        seat, _ = self.calls.pop()
        self.times[seat] -= 1
        self.high = next((bid for _, bid in reversed(self.calls) if bid is not None), None)
        self.bidder = self.high.by if self.high is not None else ""
        return seat

    def skip(self, seats: Sequence[str]) -> None:
        """Infer passes of these seats, as later seats called and these calls were not recorded."""
        for seat in seats:
            self.passed(seat)
        self.unwritten += tuple(seats)

    def _hears(self, seat: str) -> None:
        """Remove the inferred pass of a seat that calls after all."""
        if seat in self.unwritten:
            self.unwritten = tuple(s for s in self.unwritten if s != seat)
            self.calls.remove((seat, None))
            self.times[seat] -= 1

    def has_called(self, seat: str) -> bool:
        """True if this seat has a recorded call."""
        return seat not in self.unwritten and self.times.get(seat, 0) > 0

    def silent(self, order: Sequence[str]) -> tuple[str, ...]:
        """The seats among these without a call, recorded or inferred."""
        return tuple([s for s in order if not self.times.get(s)])

    def before(self, seat: str, order: Sequence[str]) -> tuple[str, ...]:
        """The seats due to call before this one that have no call yet."""
        silent = self.silent(order)
        return silent[: silent.index(seat)] if seat in silent else ()
