"""The counters of `/metrics`, in the format of Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest


class Counters:
    """The counters of one service."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.answers = Counter("kibitz_answers", "Requests answered, by status.", ["status"], registry=self._registry)
        self.events = Counter("kibitz_events", "Events recorded.", registry=self._registry)
        self.streams = Gauge("kibitz_streams", "Streams that are followed now.", registry=self._registry)
        self.dropped = Counter(
            "kibitz_streams_dropped", "Streams that were dropped because their client did not read them.",
            registry=self._registry,
        )

    def text(self) -> bytes:
        """All counters in the format of Prometheus."""
        return generate_latest(self._registry)
