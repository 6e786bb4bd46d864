"""The command `kibitz`: the commands put together, and the one place where errors end."""

import os
import sys
from typing import Annotated

import typer

from cli import auditing, comparing, games, managing, proving, reading, shell, standing, writing

app = typer.Typer(
    name="kibitz",
    help="The record of card games: logged move by move, replayed, checked and scored.",
    epilog="Exit codes: 0 fine, 1 stopped, 2 usage, 3 findings, 4 unreadable, 5 not found, 6 conflict, 7 store unusable.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
for room in (games, writing, reading, auditing, standing, comparing, managing, proving):
    room.register(app)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        shell.out(f"kibitz {version('kibitz')}")
        raise typer.Exit


@app.callback()
def kibitz(
    db: shell.DB = None,
    recorder: shell.WHO = None,
    version: Annotated[bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)] = False,
) -> None:
    """The record of card games: logged move by move, replayed, checked and scored."""
    shell.settings.take(db, recorder)


def run(args: list[str]) -> int:
    """Run the command line and return its exit code. Whatever goes wrong ends here as one line on standard error."""
    shell.settings = shell.Settings()
    _prepare()
    try:
        try:
            code = app(args, prog_name="kibitz", standalone_mode=False)
            _flush()
        except OSError as error:
            if not isinstance(error, BrokenPipeError):
                raise
            raise shell.Gone from error
    except shell.Gone:
        _drop_output()
        return 0
    except (shell.Interrupted, KeyboardInterrupt, typer.Abort):
        shell.fail("stopped")
        code = shell.CRASH
    except SystemExit as error:
        code = error.code
    except Exception as error:
        code = _explain(error)
    return code if isinstance(code, int) else 0


def _explain(error: Exception) -> int:
    """One line for what went wrong, and the code of its kind."""
    if os.environ.get("KIBITZ_DEBUG") == "1":
        import traceback

        traceback.print_exc()
    # The parser's own refusals, under whichever name this version of it knows them.
    usage = typer.BadParameter.__mro__[2]
    if isinstance(error, usage):
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
        shell.fail("this is too large to be worked on")
        return shell.CRASH
    shell.fail(
        f"something went wrong that should not ({type(error).__name__}: {error}). Please report it; "
        "KIBITZ_DEBUG=1 shows where it happened, and what was recorded before is kept"
    )
    return shell.CRASH


def _explain_usage(error: Exception) -> int:
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "kibitz"
    message = error.format_message()  # type: ignore[attr-defined]  # click's errors all have it
    if type(error).__name__ == "NoArgsIsHelpError":
        say = message
        if sys.stderr is not None:
            sys.stderr.write(say + "\n")
    else:
        message = message[:1].lower() + message[1:].rstrip(".")
        shell.fail(f"{message}. `{path} --help` tells what is possible")
    return shell.USAGE


def _prepare() -> None:
    """Data is UTF-8 wherever it goes; what a terminal cannot show becomes a question mark."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is None:
            continue
        if stream is sys.stdout and not shell.is_terminal(stream):
            reconfigure(encoding="utf-8", errors="replace", newline="\n")
        else:
            reconfigure(errors="replace")


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()


def _drop_output() -> None:
    """Nobody reads on: let nothing be written at the very end either."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        pass


def main() -> None:
    """The entry point."""
    code = run(sys.argv[1:])
    try:
        _flush()
    except (OSError, ValueError):
        _drop_output()
    sys.exit(code)
