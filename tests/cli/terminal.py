"""A real terminal of a given width, with the command in another process at its end."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from .conftest import environment

KIBITZ = "from cli.app import main; main()"
# Cursor movements, colours, titles: everything that is not text.
STEERS = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Z0-9]|[=>78cDEHM])")
PATIENCE = 40.0


class Terminal:
    """A command that is running at a terminal. `screen` is what it has shown since something was typed last."""

    def __init__(
        self, home: Path, *words: str, columns: int = 80, more: Mapping[str, str | None] | None = None,
    ) -> None:
        env = {
            **environment(home / "kibitz.db"), "XDG_DATA_HOME": str(home / "data"), "TERM": "xterm-256color",
            **(more or {})
        }
        self.raw = b""
        self.code: int | None = None
        self.child, self.fd = pty.fork()
        if self.child == 0:
            # tests that run in the background ignore it, and would hand that on
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            env.pop("COLUMNS", None)
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
            os.execve(
                sys.executable, [sys.executable, "-c", KIBITZ, *words], {k: v for k, v in env.items() if v is not None},
            )

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None,
    ) -> None:
        if self.code is None:
            os.kill(self.child, signal.SIGKILL)
            os.waitpid(self.child, 0)
        os.close(self.fd)

    @property
    def screen(self) -> str:
        """The text that was shown, without what steers the terminal."""
        return STEERS.sub("", self.raw.decode(errors="replace")).replace("\r\n", "\n")

    def until(self, text: str) -> str:
        """Wait until this is shown; what was shown by then."""
        end = time.monotonic() + PATIENCE
        while text not in self.screen and time.monotonic() < end and self._read(0.5):
            pass
        assert text in self.screen, self.screen
        return self.screen

    def _read(self, seconds: float) -> bool:
        """Take in what is there by then; False at the end of it."""
        if select.select([self.fd], [], [], seconds)[0]:
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                return False
            self.raw += data
            return bool(data)
        return True

    def type(self, text: str) -> None:
        """Type this; what was shown before is forgotten."""
        self.raw = b""
        os.write(self.fd, text.encode())

    def ends(self) -> int:
        """Wait for the end of the command; its exit code."""
        end = time.monotonic() + PATIENCE
        while self._read(0.5) and time.monotonic() < end:
            pass
        _, status = os.waitpid(self.child, 0)
        self.code = os.waitstatus_to_exitcode(status)
        return self.code
