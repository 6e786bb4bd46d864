"""A desktop entry: a double click starts the service and opens the director's page in the browser."""

import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from events.errors import UsageError


def program() -> list[str]:
    """The command that starts this installation of Kibitz."""
    script = Path(sys.executable).with_name("kibitz.exe" if sys.platform == "win32" else "kibitz")
    return [str(script)] if script.exists() else [sys.executable, "-c", "from cli.app import main; main()"]


def desktop_entry(platform: str, home: Path, words: Sequence[str]) -> tuple[Path, str]:
    """The path of the desktop entry in the folder `home`, and its content: it runs the command `words`.

    Raises UsageError for a platform (a value of `sys.platform`) without such entries.

    >>> desktop_entry("linux", Path("/home/ann"), ["/opt/kibitz", "serve", "--open"])[1].splitlines()[4]
    'Exec="/opt/kibitz" "serve" "--open"'
    """
    if platform == "win32":
        return home / "Desktop" / "Kibitz.cmd", "@" + " ".join(f'"{word}"' for word in words) + "\r\n@pause\r\n"
    if platform == "darwin":
        return home / "Desktop" / "Kibitz.command", f"#!/bin/sh\nexec {shlex.join(words)}\n"
    if platform.startswith("linux"):
        desktop = home / "Desktop" if (home / "Desktop").is_dir() else home / ".local" / "share" / "applications"
        quoted = " ".join(
            '"' + "".join(f"\\{c}" if c in '"`$\\' else c for c in word).replace("%", "%%") + '"' for word in words
        )
        return (
            desktop / "kibitz.desktop",
            "[Desktop Entry]\nType=Application\nName=Kibitz\nComment=Keep the record of an "
            f"evening\nExec={quoted}\nTerminal=true\nCategories=Game;\n"
        )
    raise UsageError(f"no desktop of this platform ({platform}) is known", todo="Begin it with `kibitz serve`.")


def write_entry(words: Sequence[str]) -> Path:
    """Write the desktop entry of the current user. Return its path. Raises UsageError if it cannot be written."""
    path, text = desktop_entry(sys.platform, Path.home(), words)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
        path.chmod(0o755)
    except OSError as error:
        raise UsageError(
            f"the desktop entry cannot be written ({error.strerror})", where=str(path),
            todo="Begin it with `kibitz serve`.",
        ) from error
    return path


def has_screen(platform: str = sys.platform, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether a browser would open in a window here, not in the terminal.

    >>> has_screen("linux", {}), has_screen("linux", {"DISPLAY": ":0"}), has_screen("darwin", {})
    (False, True, True)
    """
    return not platform.startswith("linux") or bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))
