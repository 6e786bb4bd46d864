"""A PostgreSQL server of the tests' own: from the system's package, as an unprivileged user, in a temporary directory.

It listens on a socket in that directory alone. Whoever runs the tests as root has it run as the user `postgres`, or
`nobody`.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

NEEDED = "PostgreSQL 15 or newer is not installed here"


def binaries() -> Path | None:
    """The directory of the server's programs, the newest there is; None if there is none that is new enough, or no
    driver."""
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return None
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found and int(found[-1].parts[-3]) >= 15:
        return found[-1].parent
    return Path(there).resolve().parent if (there := shutil.which("initdb")) else None


class _EndedError(Exception):
    """The server ended by itself."""


class Server:
    """A server that runs, and can be killed and started again."""

    def __init__(self, folder: Path, programs: Path, *, sync: bool = True) -> None:
        self.folder, self.programs = folder, programs
        self.data, self.socket = folder / "data", folder / "socket"
        self.user = _unprivileged()
        self.sync = sync
        self._process: subprocess.Popen[bytes] | None = None

    def made(self) -> Server:
        """Make its directories."""
        self.socket.mkdir()
        if self.user is not None:
            for path in (self.folder, self.socket):
                os.chown(path, self.user.pw_uid, self.user.pw_gid)
        self.run(
            "initdb", "-D", str(self.data), "-U", "club", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "-k",
        )
        return self

    def run(self, program: str, *words: str) -> None:
        """Run one of the server's programs to its end."""
        done = subprocess.run(
            [str(self.programs / program), *words], capture_output=True, cwd=self.folder, **self._as_user(),
        )
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stderr.decode(errors='replace')[-2000:]}")

    def _as_user(self) -> dict[str, object]:
        env = {"PATH": f"{self.programs}:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": str(self.folder)}
        if self.user is None:
            return {"env": env}
        return {"env": env, "user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []}

    def start(self, **settings: str) -> None:
        """Start it and wait until it answers."""
        chosen = {
            "listen_addresses": "", "unix_socket_directories": str(self.socket), "max_connections": "100",
            "fsync": "on" if self.sync else "off", "shared_buffers": "32MB", "log_min_messages": "fatal", **settings,
        }  # fmt: skip
        words = [word for name, value in chosen.items() for word in ("-c", f"{name}={value}")]
        for _ in range(20):
            self._process = subprocess.Popen(
                [str(self.programs / "postgres"), "-D", str(self.data), *words],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder, start_new_session=True,
                **self._as_user(),
            )  # fmt: skip
            try:
                return self.wait()
            except _EndedError:  # after a kill, the system may still hold for a moment what its processes shared
                time.sleep(0.2)
        raise RuntimeError("the server does not start")

    def wait(self, seconds: float = 30.0) -> None:
        """Wait until it answers."""
        import psycopg

        until = time.monotonic() + seconds
        while True:
            try:
                psycopg.connect(self.address("postgres")).close()
                return
            except psycopg.OperationalError:
                if self._process is not None and self._process.poll() is not None:
                    raise _EndedError from None
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)

    def address(self, database: str = "postgres", schema: str = "", user: str = "club") -> str:
        """How a client names a database on it, or a schema in that."""
        return f"postgresql://{user}@/{database}?host={self.socket}" + (
            f"&options=-csearch_path%3D{schema}" if schema else ""
        )

    def execute(self, *statements: str, database: str = "postgres") -> None:
        """Put statements to it as its owner."""
        import psycopg

        with psycopg.connect(self.address(database), autocommit=True) as conn:
            for statement in statements:
                conn.execute(statement.encode())

    def kill(self) -> None:
        """End it and all its processes at once, as a power cut would, but for what the system has still to write."""
        if self._process is None:
            return
        # Its children have sessions of their own. It is held first, so that it does not make new ones.
        with suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGSTOP)
        for pid in _children(self._process.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        self._process = None

    @contextmanager
    def standby(self) -> Iterator[Server]:
        """A second server that follows this one."""
        other = Server(self.folder / "standby", self.programs, sync=self.sync)
        other.folder.mkdir()
        other.socket.mkdir()
        if self.user is not None:
            for path in (other.folder, other.socket):
                os.chown(path, self.user.pw_uid, self.user.pw_gid)
        self.run(
            "pg_basebackup", "-h", str(self.socket), "-U", "club", "-D", str(other.data), "-R", "-X", "stream", "-c",
            "fast",
        )
        try:
            other.start(hot_standby="on")
            yield other
        finally:
            other.stop()

    def until_streaming(self, primary: Server, seconds: float = 30.0) -> None:
        """Wait until the primary counts on this standby before it answers."""
        import psycopg

        until = time.monotonic() + seconds
        with psycopg.connect(primary.address(), autocommit=True) as conn:
            while conn.execute(
                "SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')"
            ).fetchone() != (1,):
                if time.monotonic() > until:
                    raise RuntimeError("the standby does not follow")
                time.sleep(0.05)

    def promote(self) -> None:
        """Make this standby the server that is written to."""
        self.run("pg_ctl", "promote", "-D", str(self.data), "-w")

    def stop(self) -> None:
        """End it in order."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(30)
            self.kill()


def _children(parent: int) -> list[int]:
    """The processes that a process has made."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(path.read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(path.parent.name))
    return found


def _unprivileged() -> pwd.struct_passwd | None:
    """Whom the server runs as; None: whoever runs the tests."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            return pwd.getpwnam(name)
    return None


@contextmanager
def server(*, sync: bool = False, **settings: str) -> Iterator[Server]:
    """A server for as long as the `with` lasts. Without `sync` it waits for no disk, which changes nothing but its
    speed."""
    programs = binaries()
    if programs is None:
        raise RuntimeError(NEEDED)
    folder = Path(tempfile.mkdtemp(prefix="kibitz-postgres-"))
    one = Server(folder, programs, sync=sync)
    try:
        one.made().start(**settings)
        yield one
    finally:
        one.stop()
        shutil.rmtree(folder, ignore_errors=True)
