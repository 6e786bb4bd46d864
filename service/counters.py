"""The counters of `/metrics`, in the format of Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest


class Counters:
    """The counters of one service."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._answers = Counter("kibitz_answers", "Requests answered, by status.", ["status"], registry=self._registry)
        self._lines = Counter("kibitz_events", "Events recorded.", registry=self._registry)
        self._streams = Gauge("kibitz_streams", "Streams that are followed now.", registry=self._registry)
        self._dropped = Counter(
            "kibitz_streams_dropped", "Streams that were dropped because their client did not read them.",
            registry=self._registry,
        )

    def answered(self, status: int) -> None:
        """Count an answered request."""
        self._answers.labels(str(status)).inc()

    def recorded(self, events: int) -> None:
        """Count recorded events."""
        self._lines.inc(events)

    def following(self, more: int) -> None:
        """Add to the number of open streams; negative for closed ones."""
        self._streams.inc(more)

    def dropped(self) -> None:
        """Count a dropped stream."""
        self._dropped.inc()

    def text(self) -> bytes:
        """All counters in the format of Prometheus."""
        return generate_latest(self._registry)
