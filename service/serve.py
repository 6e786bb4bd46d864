"""Runs the service: where it listens, the addresses it announces, and how it stops."""

from __future__ import annotations

import asyncio
import io
import ipaddress
import logging
import signal
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import h11
import segno
import uvicorn
from msgspec import Struct
from uvicorn.protocols.http.h11_impl import H11Protocol

from events.errors import StoreError, UsageError
from service.app import application
from service.audiences import Delay
from service.grants import Grants, path_of
from service.service_state import Service, ServiceSettings

PORT = 8642
STOP = 10
"""Seconds for pending requests when the service stops; streams end at once."""
HEAD = 10.0
"""Seconds for the head of a request to arrive; at most twice as many."""


class Plan(Struct, frozen=True):
    """Where a service listens: `host` and `port`, its addresses there, and its other `names`."""

    store: Path | str
    host: str
    port: int
    addresses: tuple[str, ...]
    names: tuple[str, ...] = ()
    delay: Delay = Delay()
    secure: bool = False
    version: str = ""

    @property
    def url(self) -> str:
        """The address that is announced."""
        return (
            f"{'https' if self.secure else 'http'}://{self.names[0]}" if self.names
            else f"http://{host_and_port(self.addresses[0], self.port)}"
        )

    @property
    def hosts(self) -> frozenset[str]:
        """All host names that a request may use."""
        return frozenset(
            {host_and_port(one, self.port) for one in (*self.addresses, "127.0.0.1", "localhost", "::1")}
            | {name.lower() for name in self.names}
        )


def host_and_port(address: str, port: int) -> str:
    """An address and its port, as a browser writes them.

    >>> host_and_port("192.0.2.7", 8642), host_and_port("::1", 8642), host_and_port("localhost", 80)
    ('192.0.2.7:8642', '[::1]:8642', 'localhost')
    """
    host = f"[{address}]" if ":" in address else address
    return host if port == 80 else f"{host}:{port}"


def plan(
    store: Path | str, *, lan: bool = False, host: str = "", port: int = PORT, names: Iterable[str] = (),
    delay: Delay = Delay(), secure: bool = False, version: str = ""
) -> Plan:
    """Where to listen: on this machine only, on the network with `lan`, or at `host`. UsageError without a network."""
    if host:
        return Plan(store, host, port, (host,), tuple(names), delay, secure, version)
    if not lan:
        return Plan(store, "127.0.0.1", port, ("127.0.0.1",), tuple(names), delay, secure, version)
    found = own_addresses()
    if not found:
        raise UsageError(
            "this machine has no address in a network", todo="Join the network of the room, or leave out --lan",
        )
    return Plan(store, "0.0.0.0", port, tuple(found), tuple(names), delay, secure, version)


def own_addresses() -> list[str]:
    """The addresses of this machine in its networks, the one it would answer from first."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked, suppress(OSError):
        # Nothing is sent: this asks which address a packet would leave from.
        asked.connect(("192.0.2.1", 9))
        found.append(asked.getsockname()[0])
    with suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [one for one in dict.fromkeys(found) if not ipaddress.ip_address(one).is_loopback]


def reachable(plan: Plan) -> str:
    """One line that says where it listens, and who can reach it."""
    here = plan.host in ("127.0.0.1", "::1", "localhost")
    if plan.names:
        who = "programs of this machine" if here else "everybody in this network"
        return (
            f"{plan.url} · {who} can reach it at {host_and_port(plan.addresses[0], plan.port)}, others "
            "through the proxy; without a link nobody sees anything"
        )
    if here:
        return f"{plan.url} · only this machine can reach it"
    return f"{plan.url} · everybody in this network can reach it; without a link nobody sees anything"


def director_link(plan: Plan) -> str:
    """A link for the director of everything, valid for one browser and one day."""
    grants = Grants(path_of(plan.store))
    try:
        grant = grants.give("director", "director", hours=24)
        return f"{plan.url}/enter#{grants.secret(grant, 'link', once=True)}"
    finally:
        grants.close()


def terminal_code(link: str) -> str:
    """A link as a code to scan, for a terminal."""
    drawn = io.StringIO()
    segno.make(link, error="l").terminal(drawn, compact=True, border=2)
    return drawn.getvalue().rstrip("\n")


def serve_until_stopped(
    plan: Plan, say: Callable[[str], None], clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> None:
    """Serve until stopped. `say` is called once when it listens. Pending requests are written and answered first.

    Raises StoreError if the store cannot be used, UsageError if another program listens there.
    """
    listening = _listen(plan)
    try:
        service = Service(ServiceSettings(plan.store, plan.hosts, plan.delay, plan.secure, version=plan.version), clock)
        config = uvicorn.Config(
            application(service), http=Connection, log_level="warning", access_log=False, server_header=False,
            date_header=True, timeout_keep_alive=30, timeout_graceful_shutdown=STOP,
            h11_max_incomplete_event_size=16 * 1024, limit_concurrency=2000,
        )  # fmt: skip
        logging.getLogger("kibitz.service").setLevel(logging.ERROR)
        logging.getLogger("uvicorn.error").addFilter(_is_news)
        say(reachable(plan))
        Server(config, service).run(sockets=[listening])
    finally:
        listening.close()


class Connection(H11Protocol):
    """A connection that is closed if the head of a request does not arrive, or arrives too slowly."""

    _look: asyncio.TimerHandle | None = None
    _waited = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in the base class
        """Start the timer for the head."""
        super().connection_made(transport)
        self._look = self.loop.call_later(HEAD, self._looked)

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timer."""
        if self._look is not None:
            self._look.cancel()
        super().connection_lost(exc)

    def _looked(self) -> None:
        if self.transport.is_closing():
            # It was closed, but the client still does not read what was sent.
            self.transport.abort()
            return
        # Between two requests another timer runs, until the first byte of the next one.
        waits = self.conn.their_state is h11.IDLE and self.timeout_keep_alive_task is None and (
            self.cycle is None or self.cycle.response_complete
        )
        if waits and self._waited:
            self.transport.close()
            return
        self._waited = waits
        self._look = self.loop.call_later(HEAD, self._looked)


class Server(uvicorn.Server):
    """A server that ends its streams as soon as it is told to stop."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self.service = service

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on Ctrl-C and SIGTERM, without raising the signal again afterwards."""
        before = {sig: signal.signal(sig, self.handle_exit) for sig in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for sig, handler in before.items():
                signal.signal(sig, handler)

    def handle_exit(self, sig: int, frame: object) -> None:
        """Stop. A second signal does not stop it sooner: it takes at most `STOP` seconds."""
        self.should_exit = True
        self.service.stopping = True
        self.service.changes.fire_all()


def _is_news(record: logging.LogRecord) -> bool:
    """False for the message about a dropped stream, which is counted instead."""
    return not str(record.msg).startswith("ASGI callable returned without completing response")


def _listen(plan: Plan) -> socket.socket:
    family = socket.AF_INET6 if ":" in plan.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    # Reuse an address that was just released; on Windows that option would share it with another program.
    listening.setsockopt(socket.SOL_SOCKET, getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR), 1)
    # A small buffer, so that an unread stream is noticed soon.
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 128 * 1024)
    try:
        listening.bind((plan.host, plan.port))
        listening.listen(256)
    except (OSError, TypeError, UnicodeError) as error:
        # An invalid name fails before any lookup.
        listening.close()
        why = error.strerror if isinstance(error, OSError) else "this is no address"
        raise UsageError(
            f"nothing can listen at {host_and_port(plan.host, plan.port)} ({why})",
            todo="Name another port with --port, or another address with --host",
        ) from error
    return listening


__all__ = ["PORT", "Plan", "StoreError", "director_link", "plan", "reachable", "serve_until_stopped"]
