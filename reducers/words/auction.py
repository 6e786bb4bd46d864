"""Auctions: calls in turn, the standing offer, who made it."""

from __future__ import annotations

from events.model import Bid


class Auction:
    """The calls of one hand: a bid, or None for a pass, with the seat that made it.

    `high` is the standing bid and `bidder` the seat that owns it. What outranks what is the page's business.
    """

    __slots__ = ("bidder", "calls", "high")

    def __init__(self) -> None:
        self.calls: list[tuple[str, Bid | None]] = []
        self.high: Bid | None = None
        self.bidder = ""

    def bid(self, bid: Bid) -> None:
        """An offer is made; it stands until another one is."""
        self.calls.append((bid.by, bid))
        self.high, self.bidder = bid, bid.by

    def passed(self, seat: str) -> None:
        """A seat lets its call go by."""
        self.calls.append((seat, None))

    def take_back(self) -> str:
        """The last call is taken back; answers whose it was."""
        seat, _ = self.calls.pop()
        bids = [bid for _, bid in self.calls if bid is not None]
        self.high = bids[-1] if bids else None
        self.bidder = self.high.by if self.high is not None else ""
        return seat

    def has_called(self, seat: str) -> bool:
        """Whether this seat has had a call."""
        return any(s == seat for s, _ in self.calls)
