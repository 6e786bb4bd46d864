"""The program `kibitz`: runs a command line and reports its errors."""

import atexit
import gc
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cli.fast_path import Plain


def run_command_line(args: list[str]) -> int:
    """Run the command line and return its exit code. Every error ends here as one line on standard error."""
    _prepare()
    if args in (["--help"], ["-h"], ["--version"]) and _said(args[0]):
        return 0
    from cli import fast_path, shell

    shell.settings = shell.RunSettings()
    if args[:1] == ["help"]:
        args = [*(word for word in args[1:] if word != "help"), "--help"]
    try:
        try:
            plain = fast_path.short_command(args)
            code = _parsed(args) if plain is None else _done(plain)
            _flush()
        except OSError as error:
            if not isinstance(error, BrokenPipeError):
                raise
            raise shell.ReaderGone from error
    except shell.ReaderGone:
        _drop_output()
        return 0
    except (shell.Interrupted, KeyboardInterrupt):
        shell.fail("stopped")
        code = shell.CRASH
    except SystemExit as error:
        code = error.code
    except Exception as error:
        code = _explain(error)
    return code if isinstance(code, int) else 0


def _load_msgspec() -> None:
    """Load msgspec without typing_extensions, which takes a third of its loading time.

    msgspec prefers typing_extensions to `typing` if it is installed. All that it needs has been in `typing` since
    Python 3.11.
    """
    modules: dict[str, object] = sys.modules  # type: ignore[assignment]  # None says that a module is not to be had
    if "typing_extensions" in modules:
        return
    modules["typing_extensions"] = None
    try:
        import msgspec  # noqa: F401
    finally:
        del modules["typing_extensions"]


def _parsed(args: list[str]) -> object:
    """Parse the command line and run its command. Return the exit code."""
    import typer

    from cli import program, shell

    try:
        return program.build_program(program.asked_for(args))(
            args, prog_name="kibitz", standalone_mode=False, windows_expand_args=False,
        )
    except typer.Abort as error:
        raise shell.Interrupted from error


def _done(plain: "Plain") -> int:
    """Run the command of a plain command line. Return the exit code."""
    _load_msgspec()
    from cli import shell

    shell.settings.take(plain.settings.get("--db"), plain.settings.get("--recorder"))
    try:
        with shell.catch_signals():
            shell.call(plain.function, plain.given)
    except shell.Left as left:
        return left.code
    return 0


def _said(option: str) -> bool:
    """Print the help or the version without building the program. Return whether that was possible.

    A test compares the text with that of the program itself.
    """
    from cli import version_line

    text = f"{version_line()}\n" if option == "--version" else _help()
    if not text or sys.stdout is None:
        return False
    try:
        sys.stdout.write(text)
        _flush()
    except BrokenPipeError:
        _drop_output()
    except (OSError, ValueError):
        return False
    return True


def _help() -> str:
    """The help as the program would print it at this terminal width. Empty if there is no stored text for the width."""
    from shutil import get_terminal_size

    width = max(min(get_terminal_size().columns, 100) - 2, 50)
    try:
        with open(os.path.join(os.path.dirname(__file__), "help", f"{width}.txt"), encoding="utf-8") as kept:
            return kept.read()
    except OSError:
        return ""


def _explain(error: Exception) -> int:
    """Print one line about an error. Return the exit code of its kind."""
    if os.environ.get("KIBITZ_DEBUG") == "1":
        import traceback

        from events.visible_text import visible

        if sys.stderr is not None:
            sys.stderr.write(visible(traceback.format_exc(), keep="\n"))
    from cli import shell

    if "typer" in sys.modules:
        from cli.parsing import REFUSAL

        if isinstance(error, REFUSAL):
            return _explain_usage(error)
    from events.errors import KibitzError

    if isinstance(error, KibitzError):
        shell.fail(str(error))
        return error.exit_code
    if isinstance(error, OSError):
        where = error.filename if error.filename else "the output"
        shell.fail(f"{where}: this cannot be read or written ({error.strerror or error})")
        return shell.CRASH
    if isinstance(error, (RecursionError, MemoryError)):
        shell.fail("this is too large to work on")
        return shell.CRASH
    shell.fail(
        f"something went wrong that should not have ({type(error).__name__}: {error}). Please report it; "
        "KIBITZ_DEBUG=1 shows where it happened. What was recorded before is kept"
    )
    return shell.CRASH


def _explain_usage(error: Exception) -> int:
    from cli import shell

    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "kibitz"
    message = error.format_message()  # type: ignore[attr-defined]  # click's errors all have it
    if type(error).__name__ == "NoArgsIsHelpError":
        shell.say(message)
        return shell.USAGE
    if (wrong := getattr(error, "option_name", "")) and type(error).__name__ == "NoSuchOption":
        from events.suggestions import did_you_mean

        meant = did_you_mean(wrong, getattr(error, "possibilities", None) or ())
        message = f"no such option: {wrong}. {meant}".rstrip()
    message = message[:1].lower() + message[1:].rstrip(".")
    shell.fail(f"{message}{'' if message.endswith('?') else '.'} `{path} --help` shows what is possible")
    return shell.USAGE


def _prepare() -> None:
    """Write data as UTF-8 everywhere. Characters that a terminal cannot show become question marks."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is None:
            continue
        if stream is sys.stdout and not stream.closed and not stream.isatty():
            reconfigure(encoding="utf-8", errors="replace", newline="\n")
        else:
            reconfigure(errors="replace")


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()


def _drop_output() -> None:
    """Discard all further output after the reader has closed it, including what is flushed at exit."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        pass


def main() -> None:
    """The entry point. If no thread can run, the process ends at once, as it takes time to free every object."""
    # A short command makes little garbage, and looking for it would take a twentieth of its time.
    gc.set_threshold(50_000)
    try:
        code = run_command_line(sys.argv[1:])
    except KeyboardInterrupt:  # while the program was still loading
        sys.stderr.write("kibitz: stopped\n")
        code = 1
    try:
        _flush()
        if sys.stderr is not None:
            sys.stderr.flush()
    except (OSError, ValueError):
        _drop_output()
    if "threading" not in sys.modules:
        atexit._run_exitfuncs()
        os._exit(code)
    sys.exit(code)
