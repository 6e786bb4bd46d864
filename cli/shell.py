"""What all commands share: output, errors, exit codes and the global options.

Data goes to standard output, plain. Everything else (questions, warnings, progress, colour) goes to standard error.
"""

import errno
import functools
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, NoReturn, TypeVar

from cli.options import argument, flag, option

if TYPE_CHECKING:
    from rich.console import Console

    from events import Recorded
    from events.packs import TablePack
    from records import Store
    from replay.pack_names import InPack
    from replay.read_log import ReadLog

CRASH, USAGE, FINDINGS, UNREADABLE, NOT_FOUND, CONFLICT, STORE = 1, 2, 3, 4, 5, 6, 7
WINDOWS = os.name == "nt"
# After this many seconds of work a message says that it is still going on.
PATIENCE = 2.0
# With fewer matches, one process is done before several have started.
FEW = 200
# Lines are never folded to fewer columns than this.
MOST_FOLDED = 40
# The exit codes, worst first. If several things went wrong, the first of them in this order is returned.
WORST = (STORE, CONFLICT, NOT_FOUND, USAGE, UNREADABLE, FINDINGS, 0)

DB = Annotated[
    str | None,
    option("--db", "FILE|URL", "The store, or postgresql://… [env: KIBITZ_DB; default: in your data folder]"),
]
WHO = Annotated[str | None, option("--recorder", "NAME", "Who is typing. [env: KIBITZ_RECORDER]")]
MATCH = Annotated[str, argument("MATCH", "A match id, or the start of one.", completes="open_matches")]
IN_PARTS = Annotated[
    bool, flag("--in-parts", "The match can be shown in part later, each part with its proof (docs/store.md).")
]
SOURCES = Annotated[
    list[str],
    argument("MATCH|FILE|-…", "Match ids or the starts of them, files, or - for standard input.", completes="matches"),
]
SOURCE = Annotated[
    str,
    argument("MATCH|FILE|-", "A match id or the start of one, a file, or - for standard input.", completes="matches"),
]
JSON = Annotated[bool, flag("--json", "Print JSON (docs/json.md describes its shape).")]
CSV = Annotated[bool, flag("--csv", "Print the table as CSV, for a spreadsheet.")]
PACK = Annotated[
    str | None,
    option("--pack", "PACK", "The cards to show: french, german, italian or spanish.", default="as the match says"),
]
DATES = Annotated[
    str,
    option(
        "--dates", "FORM", "Dates as words, us, dots, slashes, dashes or iso.", default="by the locale",
        completes=("words", "us", "dots", "slashes", "dashes", "iso"),
    ),
]
LANG = Annotated[str, option("--lang", "CODE", "The language, as in it, ca or el.", default="by the locale")]
OUT = Annotated[str | None, option("-o --output", "FILE", "Write to this file.")]


ALL = Annotated[bool, flag("--all", "Every match of the store.")]
GAME = Annotated[str | None, option("--game", "GAME", "With --all: only this game.", completes="games")]
ENGINE = Annotated[
    str, option("--engine", "NAME", "With --all: what works, processes or dask[://HOST:PORT].", default="processes")
]
TABLES = Annotated[
    str,
    option(
        "--from", "FOLDER", "With --all: the matches of a folder that `export --format parquet` wrote.",
        default="the store",
    ),
]
JOBS = Annotated[
    int, option("--jobs", "N", "With --all: how many processes to use.", default="one for each core", min=0)
]


class RunSettings:
    """The settings for all commands of one run. An option after the command overrides one before it."""

    def __init__(self) -> None:
        self.db: str | None = os.environ.get("KIBITZ_DB") or None
        self.db_named = False
        self.recorder: str = os.environ.get("KIBITZ_RECORDER", "")
        # Rewrites the cards in printed text to the pack on the table, if that is not French.
        self.in_pack: InPack | None = None
        # The pack that cards are printed with.
        self.cards: TablePack | None = None

    def take(self, db: str | None, recorder: str | None) -> None:
        """Store the options given on the command line."""
        if db is not None:
            self.db, self.db_named = db, True
        self.recorder = self.recorder if recorder is None else recorder


settings = RunSettings()


class ReaderGone(Exception):
    """The reader of the output has closed it."""


class Interrupted(Exception):
    """Ctrl-C."""


class Left(RuntimeError):
    """The command has ended with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


# -- commands ---------------------------------------------------------------------------------------------------------

F = TypeVar("F", bound=Callable[..., None])
V = TypeVar("V")


class CommandSpec(NamedTuple):
    """A command: its function; `store` adds --db and --recorder; `free` allows words that begin with a dash."""

    function: Callable[..., None]
    store: bool
    free: bool


COMMANDS: dict[str, CommandSpec] = {}
"""The commands of the modules that are loaded, by name; one of a group as `player add`."""


def command(name: str, *, store: bool = True, free: bool = False) -> Callable[[F], F]:
    """A decorator that makes a function a command."""

    def keep(function: F) -> F:
        COMMANDS[name] = CommandSpec(function, store, free)
        return function

    return keep


_EACH: set[Callable[..., None]] = set()
_SPOKEN: set[Callable[..., None]] = set()


def each_record(function: F) -> F:
    """Run a command whose first argument is a SOURCE once for each record of a file."""
    _EACH.add(function)
    return function


def answers(function: F) -> F:
    """Run a command in the language of its option `lang`, else in that of the locale. Data for programs is English."""
    _SPOKEN.add(function)
    return function


def call(function: Callable[..., None], given: dict[str, Any]) -> None:
    """Run a command, in its language. Raises UsageError for a language without a whole catalogue."""
    if function not in _SPOKEN:
        _call(function, given)
        return
    from replay.languages.catalogue import ENGLISH
    from replay.languages.translate import speaking

    language = asked_language(given.get("lang", ""))
    with speaking(ENGLISH if given.get("json") or given.get("csv") else language):
        _call(function, given)


def _call(function: Callable[..., None], given: dict[str, Any]) -> None:
    """Run a command. One decorated with `each_record` runs once for each record of its file.

    From the second record on, the names of written files get a number (`sheet-2.md`).
    """
    source = given.get("source")
    if function not in _EACH or source is None or given.get("follow"):
        function(**given)
        return

    def one(name: str, number: int) -> None:
        written = {
            kind: where for kind in ("output", "beside") if number > 1 and (where := given.get(kind)) and where != "-"
        }
        function(
            **given | {"source": name}
            | {kind: f"-{number}".join(os.path.splitext(where)) for kind, where in written.items()}
        )

    exit_with(worst(for_each_record([source], one)))


def for_each_record(words: Iterable[str], work: Callable[[str, int], None]) -> list[int]:
    """Call `work` with the name and number of each record of these matches and files. Return the exit codes.

    An error in one record does not stop the others.
    """
    from cli.record_files import expanded, records_of
    from events.errors import KibitzError

    codes: list[int] = []
    for word in expanded(words):
        try:
            for name in records_of(word):
                codes.append(0)
                try:
                    work(name, len(codes))
                except Left as left:
                    codes[-1] = left.code
                except KibitzError as error:
                    fail(str(error))
                    codes[-1] = error.exit_code
        except KibitzError as error:
            fail(str(error))
            codes.append(error.exit_code)
    return codes


@contextmanager
def catch_signals() -> Iterator[None]:
    """Turn Ctrl-C, end of input and a closed output into our own exceptions, before the command parser handles them."""
    try:
        yield
    except KeyboardInterrupt as error:
        raise Interrupted from error
    except EOFError as error:
        raise Interrupted from error
    except OSError as error:
        if isinstance(error, BrokenPipeError) or error.errno == errno.EPIPE:
            raise ReaderGone from error
        raise


def confirmed(question: str, yes: bool) -> None:
    """Ask for confirmation. Raises UsageError if the answer is not yes."""
    from events.errors import UsageError

    if not yes and not ask_yes_or_no(question):
        raise UsageError("nothing was changed", expected="yes", todo="Answer yes, or say --yes")


def ask_yes_or_no(question: str) -> bool | None:
    """Ask a question. Returns the answer; None if there was neither yes nor no."""
    return {"y": True, "yes": True, "n": False, "no": False}.get(reply(f"{question} [yes/no]").casefold())


def reply(question: str) -> str:
    """Ask a question. Returns the line that was typed; "" if there was none."""
    say(plain_line(question))
    try:
        return (sys.stdin.readline() if sys.stdin is not None else "").strip()
    except (ValueError, OSError, UnicodeDecodeError):
        return ""


def exit_with(code: int) -> None:
    """End the command with this code, unless it is 0."""
    if code:
        raise Left(code)


def worst(codes: Iterable[int]) -> int:
    """The exit code if several things went wrong."""
    found = set(codes)
    return next((code for code in WORST if code in found), 0)


# -- output -----------------------------------------------------------------------------------------------------------


def out(*lines: str, data: bool = False) -> None:
    """Print lines on standard output. Control characters are made visible.

    They are folded to the terminal width (`terminal_columns`). `data` that a program may read back is folded only on a
    terminal.
    """
    for text in lines:
        _shown(plain_line(with_pack_cards(text).removesuffix("\n")), data=data)


def count(n: int, what: str, more: str = "s") -> str:
    """A number of things: `1 match`, `2 matches`."""
    return f"{n} {what}{more * (n != 1)}"


def flush() -> None:
    """Flush standard output, if there is one."""
    if sys.stdout is not None:
        sys.stdout.flush()


def out_lines(text: str) -> None:
    """Print several lines on standard output, each like `out`."""
    _shown(plain_line(with_pack_cards(text), keep="\n"))


def _shown(text: str, *, data: bool = False) -> None:
    """Print lines for a person: folded, and coloured if the terminal has colours."""
    if not data or is_terminal(sys.stdout):
        text = _folded(text.removesuffix("\n"), sys.stdout)
    _write(_coloured(text, sys.stdout))


def _folded(text: str, stream: Any) -> str:
    """The text, its lines folded to the width of the terminal."""
    width = terminal_columns(stream)
    if not width:
        return text
    from replay.plain_text import all_folded

    return "\n".join(all_folded(text.split("\n"), width))


def _coloured(text: str, stream: Any) -> str:
    """The text with its cards in four colours, if the terminal has colours."""
    if not shows_colour(stream):
        return text
    from cli.colour import painted

    return painted(text, settings.cards)


def terminal_columns(stream: Any = None) -> int:
    """The number of columns for a line. 0 means no limit: no terminal, and COLUMNS is not set."""
    if os.environ.get("COLUMNS", "").isdecimal() or is_terminal(stream or sys.stdout):
        import shutil

        return max(shutil.get_terminal_size().columns, MOST_FOLDED)
    return 0


def out_json(value: Any) -> None:
    """Print a value as indented JSON on standard output."""
    _write(as_json(value))


def as_json(value: Any) -> str:
    """A value as indented JSON. Control characters are escaped."""
    import msgspec

    from events.visible_text import visible_json

    return visible_json(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def out_csv(rows: "Iterable[Sequence[str | float | None]]") -> None:
    """Print a table as CSV on standard output, with its column heads first."""
    from replay.paper.as_csv import rows_as_csv

    out_exactly(rows_as_csv(rows))


def asked_dates(form: str) -> str:
    """The form of dates on paper, by the locale if none is named. Raises UsageError for an unknown one."""
    from replay.paper.dates import form_of_locale, in_form

    form = form.lower() or form_of_locale(next(filter(None, map(os.environ.get, ("LC_ALL", "LC_TIME", "LANG"))), ""))
    in_form("", form)
    return form


def asked_language(code: str) -> str:
    """The language of a page: the one that is named, else that of the locale if it is on offer. Raises UsageError for
    a language without a whole catalogue."""
    from events.errors import UsageError
    from replay.languages.translate import is_offered, language_for, offered_languages

    if code and not is_offered(code.lower()):
        offered = ", ".join(f"{one} ({name})" for one, name in offered_languages().items())
        raise UsageError(f"Kibitz does not speak {code!r}", expected=f"one of {offered}")
    return language_for(code, *(os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")))


def csv_or_json(csv: bool, json: bool) -> None:
    """Raise UsageError if both formats were requested."""
    from events.errors import UsageError

    if csv and json:
        raise UsageError("--csv and --json do not go together", expected="one of them")


def out_json_lines(data: bytes) -> None:
    """Print JSON Lines on standard output, escaped like `out_json`."""
    from events.visible_text import visible_json

    _write(visible_json(data.decode()))


def out_exactly(text: str) -> None:
    """Print data that a program may read back, unchanged. On a terminal, control characters are made visible."""
    _write(plain_line(text.replace("\r\n", "\n"), keep="\n") if is_terminal(sys.stdout) else text)


def _write(text: str) -> None:
    if sys.stdout is not None:
        sys.stdout.write(text if text.endswith("\n") else text + "\n")


def plain_line(text: str, keep: str = "") -> str:
    """Text from a file or a store on one line, with control characters made visible except those in `keep`."""
    if text.isprintable():
        return text
    from events.visible_text import visible

    return visible(text, keep)


@contextmanager
def json_list(wanted: bool) -> Iterator[Callable[[Any], None]]:
    """A function that prints values one by one as the elements of a JSON list, so that none is kept in memory."""
    begun = False

    def add(value: Any) -> None:
        nonlocal begun
        write(("," if begun else "[") + "\n  " + as_json(value).replace("\n", "\n  "))
        begun = True

    def write(text: str) -> None:
        if sys.stdout is not None:
            sys.stdout.write(text)

    try:
        yield add
    except BaseException:
        if begun:  # make the output so far valid JSON
            write("\n]\n")
        raise
    if wanted:
        write("\n]\n" if begun else "[]\n")


def shows_colour(stream: Any) -> bool:
    """Whether a stream is a terminal with colours. The old Windows console would print the escape codes."""
    knows = not WINDOWS or any(os.environ.get(name) for name in ("WT_SESSION", "TERM", "TERM_PROGRAM", "ANSICON"))
    return is_terminal(stream) and knows and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def can_edit() -> bool:
    """Whether input and output are a terminal that can redraw a line. On Windows, TERM need not be set."""
    usual = "windows" if WINDOWS else "dumb"
    return is_terminal(sys.stdin) and is_terminal(sys.stdout) and os.environ.get("TERM", usual) not in (
        "dumb", "unknown", "",
    )


def is_terminal(stream: Any) -> bool:
    """Whether the stream is a terminal."""
    try:
        return stream is not None and bool(stream.isatty())
    except ValueError:  # the stream is closed
        return False


@functools.cache
def console() -> "Console":
    """The shared console on standard error, for everything that is not data."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)


def say(text: str, style: str = "") -> None:
    """Print a line for the person on standard error. Control characters are made visible."""
    if sys.stderr is None:
        return
    text = _folded(plain_line(with_pack_cards(text), keep="\n"), sys.stderr)
    if style and shows_colour(sys.stderr):
        console().print(text, style=style)
    else:
        sys.stderr.write(_coloured(text, sys.stderr) + "\n")
        sys.stderr.flush()


def warn(*texts: str) -> None:
    """Print one-line warnings."""
    for text in texts:
        say(one_line(text), "yellow")


def one_line(text: str) -> str:
    """The text on one line, with control characters made visible."""
    return plain_line(" ".join(text.split()).replace("?; expected", "? Expected"))


def fail(text: str) -> None:
    """Print a one-line error."""
    say("kibitz: " + one_line(text), "bold red")


def relative_page(page: str, output: str | None, expected: str) -> str:
    """The path of an HTML page relative to the output file. Raises UsageError if there is no output file."""
    from os.path import dirname, relpath

    from events.errors import UsageError

    if output in (None, "-"):
        raise UsageError("what leads to a replay has to be a file", expected=expected)
    if not page.lower().endswith((".html", ".htm")):
        raise UsageError(
            "a replay is written as HTML", where=page, expected="a file that ends in .html", todo="Name such a file.",
        )
    return relpath(page, dirname(str(output)) or ".")


def address(url: str) -> str:
    """The address of a web page, empty if none was given. Raises UsageError if it is not an address."""
    from events.errors import UsageError

    if url and not url.startswith(("https://", "http://")):
        raise UsageError("this is no address of a web page", where=url, expected="one that begins with https://")
    return url


def write_out(path: str | None, data: bytes) -> None:
    """Write the bytes to a file, or to standard output. Raises UsageError if the file cannot be written."""
    if path is None or path == "-":
        out_exactly(data.decode())
        return
    from events.errors import UsageError

    def refuse(why: str, todo: str) -> NoReturn:
        raise UsageError(why, where=path, todo=todo)

    try:
        if os.path.isdir(path):
            refuse("this is a folder", "Name a file in it")
        if _is_store(path):
            refuse("this is a store, and would be destroyed", "Name another file")
        with open(path, "wb") as file:
            file.write(data)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        refuse(f"the file cannot be written ({why})", "Name another place")


def _is_store(path: str) -> bool:
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.read(16) == b"SQLite format 3\0"


def progress(items: Iterable[Any], what: str, total: int | None = None) -> Iterable[Any]:
    """The items, with a progress bar on a terminal."""
    if not is_terminal(sys.stderr):
        return items
    return _bar(items, what, total)


def _bar(items: Iterable[Any], what: str, total: int | None) -> Iterator[Any]:
    """A progress bar with count, speed and remaining time."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Any) -> Text:
            return Text(f"{task.speed:,.0f}/s" if task.speed else "")

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    with Progress(*columns, console=console(), transient=True) as bar:
        task = bar.add_task(what, total=total)
        for item in items:
            yield item
            bar.advance(task)


@contextmanager
def announce_long_work(what: str) -> Iterator[None]:
    """Show on a terminal that work is going on, and for how long, after `PATIENCE` seconds."""
    if not is_terminal(sys.stderr):
        yield
        return
    import threading
    import time

    done = threading.Event()

    def tell() -> None:
        began = time.monotonic()
        if done.wait(PATIENCE):
            return
        from rich.status import Status

        with Status(f"{what} …", console=console()) as status:
            while not done.wait(1):
                status.update(f"{what} for {time.monotonic() - began:.0f} seconds; Ctrl-C stops it")

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()


def archive_of(tables: str, game: str | None) -> "tuple[Callable[[str], Sequence[Recorded]], list[str]]":
    """A function that loads a match of an archive, and the ids of its matches: the store, or a folder of tables."""
    if tables:
        from replay.season.read_tables import TablesLoader, matches_in

        return TablesLoader(tables), matches_in(tables, game)
    from records.loading import StoreLoader

    with store(write=False) as opened:
        found = opened.ids(game=game and game.lower())
    if not found:
        check_game(game)
    return StoreLoader(opened.address), found


def check_game(game: str | None) -> None:
    """Raise NotFoundError if there is no such game: after an empty result, its name may be misspelt."""
    from reducers.registry import find_game

    if game is not None:
        find_game(game.lower())


def one_or_all(
    source: str | None, all_: bool, game: str | None, jobs: int, engine: str, command: str, tables: str = "",
) -> None:
    """Raise UsageError unless either a match or --all is given, and options that need --all come with it."""
    from events.errors import UsageError

    if (source is None) != all_:
        what = "name a match, or use --all" if source is None else "--all and a match do not go together"
        raise UsageError(what, expected=f"{command} MATCH, or {command} --all")
    needs = "--game" if game is not None else "--jobs" if jobs else "--engine" if engine else "--from" if tables else ""
    if needs and not all_:
        raise UsageError(f"{needs} needs --all", expected=f"{command} --all")


def workers(jobs: int, matches: int) -> int:
    """The number of processes: as requested, else one per core, or one if there is little to do."""
    if jobs:
        return jobs
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # not available on every system
        cores = os.cpu_count() or 1
    return cores if matches >= FEW else 1


# -- the pack on the table


def viewer_option(eyes: str) -> str:
    """The requested view: "all", "public" or a seat."""
    return next((v for v in ("all", "public") if v == eyes.lower()), eyes.upper())


def asked_pack(name: str | None) -> "TablePack | None":
    """The requested pack, None if there is none. Raises UsageError for an unknown pack."""
    from events.packs import pack_named

    return None if name is None else pack_named(name)


def use_pack(log: "ReadLog", pack: "TablePack | None" = None) -> "InPack":
    """From now on print cards with this pack, or with the pack on the table of the match."""
    from replay.pack_names import in_pack

    found = in_pack(log.view, log, pack)
    settings.in_pack = None if found.same else found
    settings.cards = found.pack
    return found


def with_pack_cards(text: str) -> str:
    """A text with the cards of the pack on the table. All text printed for a person passes through here once."""
    return text if settings.in_pack is None else settings.in_pack.text(text)


@contextmanager
def data_told(value: V) -> Iterator[V]:
    """A sheet or a score with the cards of the pack on the table. Text printed inside the block is not converted
    again."""
    said = value if settings.in_pack is None else settings.in_pack.data(value)
    with as_written():
        yield said


@contextmanager
def as_written() -> Iterator[None]:
    """Print text unchanged inside this block, without converting its cards."""
    kept, settings.in_pack = settings.in_pack, None
    try:
        yield
    finally:
        settings.in_pack = kept


# -- the store --------------------------------------------------------------------------------------------------------


@contextmanager
def store(*, write: bool, create: bool = False) -> Iterator["Store"]:
    """The store of this run. `create` makes a missing one. Raises NotFoundError or StoreError."""
    from events.errors import NotFoundError
    from records import Store

    try:
        opened = Store.open(settings.db, write=write, create=create)
    except NotFoundError as error:
        todo = "`kibitz new GAME --seat N=NAME …` begins the first match"
        raise NotFoundError(
            error.what, where=error.where, todo=f"Look at the path; {todo}" if settings.db_named else todo,
        ) from error
    told = 0
    with opened:
        try:
            told = _warn_of(opened, told)
            yield opened
        except NotFoundError:
            opened.check_counts()  # what is not found may have been lost
            raise
        finally:
            _warn_of(opened, told)


def _warn_of(opened: "Store", told: int) -> int:
    """Print the store's new warnings. Return the total number of warnings."""
    warn(*opened.warnings[told:])
    return len(opened.warnings)
