"""The house plan, kept by tests: who imports whom, and that the installed names are ours."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
# What each room may import of the project, apart from itself.
ROOMS: dict[str, frozenset[str]] = {
    "events": frozenset(),
    "reducers": frozenset({"events"}),
    "records": frozenset({"events"}),
    "replay": frozenset({"events", "reducers"}),
    "service": frozenset({"events", "reducers", "records", "replay"}),
    "cli": frozenset({"events", "reducers", "records", "replay", "service"}),
}
OURS = frozenset(ROOMS) | {"tests", "examples", "benchmarks", "docs"}


@lru_cache(maxsize=1)
def nodes_of(source: str) -> list[ast.AST]:
    """What a module imports, calls and names of others, and its strings; each is asked about several times in a row."""
    asked = (ast.Import, ast.ImportFrom, ast.Call, ast.Attribute, ast.Constant)
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, asked)]


def imported(source: str, package: str) -> Iterator[tuple[int, str]]:
    """Line and top-level name of every import in a module that lies in `package` (dotted); relative ones resolved."""
    for node in nodes_of(source):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.partition(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                base = package.split(".")
                base = base[: len(base) - node.level + 1]
                yield node.lineno, base[0] if base else (node.module or "").partition(".")[0]
            else:
                yield node.lineno, (node.module or "").partition(".")[0]
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in ("import_module", "__import__", "importorskip") and isinstance(node.args[0].value, str):
                yield node.lineno, node.args[0].value.partition(".")[0]


def against_the_plan(source: str, package: str) -> list[tuple[int, str]]:
    """The imports that the plan does not allow."""
    room = package.partition(".")[0]
    return [(line, name) for line, name in imported(source, package) if name in OURS - ROOMS[room] - {room}]


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_imports_run_one_way(room: str) -> None:
    """If this failed, a room would lean on one that it must not know, and could not be used without it."""
    files = sorted((ROOT / room).rglob("*.py"))
    assert files
    for path in files:
        package = ".".join(path.relative_to(ROOT).parent.parts)
        wrong = against_the_plan(path.read_text(encoding="utf-8"), package)
        assert wrong == [], f"{path.relative_to(ROOT)} imports against the plan (line, name)"


@pytest.mark.parametrize(
    ("package", "source", "wrong"),
    [
        ("events", "import reducers.evolve", [(1, "reducers")]),
        ("reducers.games", "from events.model import Play\nfrom replay.fold import fold", [(2, "replay")]),
        ("replay", "def late():\n    from records import Store", [(2, "records")]),
        ("records", "import json, reducers as r", [(1, "reducers")]),
        ("events", "import importlib\nimportlib.import_module('cli.app')", [(2, "cli")]),
        ("replay", "from tests.given import given", [(1, "tests")]),
        ("reducers.words", "from .tricks import Trick\nfrom ..game import begin\nfrom events import cards", []),
        ("cli", "import events, reducers, records, replay, typer", []),
    ],
)
def test_an_import_against_the_plan_is_seen(package: str, source: str, wrong: list[tuple[int, str]]) -> None:
    """If this failed, the test above would find nothing wherever it looked."""
    assert against_the_plan(source, package) == wrong


# The rooms of a folder, from the lowest: each may import those before it, and itself.
FLOORS: dict[str, tuple[frozenset[str], ...]] = {
    "replay": (
        frozenset({"languages"}),
        frozenset({""}),
        frozenset({"judging", "engines"}),
        frozenset({"table", "scoring", "comparing"}),
        frozenset({"auditing"}),
        frozenset({"paper"}),
        frozenset({"season"}),
        frozenset({"viewer"}),
        frozenset({"pictures"}),
        frozenset({"testing"}),
    )
}


def modules_of(root: Path, room: str) -> dict[str, Path]:
    """The modules of a folder by their dotted names."""
    out = {}
    for path in sorted((root / room).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        out[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return out


def imports_of(source: str, known: Collection[str]) -> set[str]:
    """The modules among those known that a source imports, wherever in it: for its types and within functions, too."""
    found = set()
    for node in nodes_of(source):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {
                f"{node.module}.{a.name}" if f"{node.module}.{a.name}" in known else node.module for a in node.names
            }
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found & set(known)


def circles(imports: Mapping[str, Collection[str]]) -> list[set[str]]:
    """The groups of modules that import each other, each itself or by way of others."""

    def reached(module: str) -> set[str]:
        seen: set[str] = set()
        waiting = [module]
        while waiting:
            for other in imports[waiting.pop()]:
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return seen

    reach = {module: reached(module) for module in imports}
    groups = {frozenset(b for b in reach[a] if a in reach[b]) for a in imports if a in reach[a]}
    return [set(group) for group in sorted(groups, key=min)]


@pytest.mark.rest
def test_no_two_files_import_each_other() -> None:
    """If this failed, neither of two files could be read, or used, without the other."""
    known = {name: path for room in ROOMS for name, path in modules_of(ROOT, room).items()}
    imports = {name: imports_of(path.read_text(encoding="utf-8"), known) - {name} for name, path in known.items()}
    assert circles(imports) == []


def test_a_circle_is_seen() -> None:
    """If this failed, the test above would find none wherever it looked."""
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [{"a", "b", "c"}]
    assert circles({"a": {"b"}, "b": set(), "c": {"b"}}) == []
    assert imports_of("def late():\n    from events import kib", ["events", "events.kib", "cli"]) == {"events.kib"}
    assert imports_of("if TYPE_CHECKING:\n    from events.kib import C", ["events", "events.kib"]) == {"events.kib"}


def floor_of(module: str, room: str) -> int:
    """How high a module of a folder lies."""
    inner = module.removeprefix(room).strip(".").rpartition(".")[0]
    return next(i for i, rooms in enumerate(FLOORS[room]) if inner in rooms)


@pytest.mark.parametrize("room", sorted(FLOORS))
def test_nothing_imports_upwards_within_a_folder(room: str) -> None:
    """If this failed, what is judged could come to depend on how it is printed."""
    known = modules_of(ROOT, room)
    wrong = [
        (name, other)
        for name, path in known.items()
        for other in imports_of(path.read_text(encoding="utf-8"), known) - {room}
        if floor_of(other, room) > floor_of(name, room)
    ]
    assert wrong == []
    assert floor_of(f"{room}.paper.sheet", room) > floor_of(
        f"{room}.judging.judge", room,
    ) > floor_of(f"{room}.fold", room)


# What may not be known to whom in `records`, and why a second database would suffer from it.
APART = [
    (
        "records.proof", ("records.sqlite", "records.store"),
        "what is proved is asked of a Reader, whatever the database",
    ),
    (
        "records.sqlite", ("records.proof", "records.store", "records.sealing"),
        "a database keeps rows and decides nothing",
    ),
    (
        "records.projection", ("records.sqlite", "records.backend"),
        "an index asks the store, so that it fits every database",
    ),
    (
        "records.store", ("records.sqlite.reading", "records.sqlite.inserting", "records.sqlite.backend"),
        "the store asks a Backend",
    ),
    (
        "records.postgres", ("records.sqlite", "records.store", "records.sealing"),
        "one database does not know the other",
    ),
    ("records.sqlite", ("records.postgres",), "one database does not know the other"),
]


@pytest.mark.parametrize(("here", "there", "why"), APART)
def test_the_database_lies_behind_its_interface(here: str, there: tuple[str, ...], why: str) -> None:
    """If this failed, a second database could not take the place of the first."""
    known = modules_of(ROOT, "records")
    files = {name: path for name, path in known.items() if name == here or name.startswith(here + ".")}
    assert files
    wrong = [
        (name, other)
        for name, path in files.items()
        for other in imports_of(path.read_text(encoding="utf-8"), known)
        if other.startswith(there)
    ]
    assert wrong == [], why


def test_only_the_rooms_of_databases_speak_sql() -> None:
    """If this failed, words of one database would stand outside its room. The index beside a store is a file of its
    own, and its room speaks SQL too."""
    speakers = [
        name for name, path in modules_of(ROOT, "records").items()
        if re.search(
            r"^\s*(import|from) (sqlite3|psycopg)|\"(SELECT|INSERT|UPDATE|DELETE|PRAGMA) ",
            path.read_text(encoding="utf-8"), re.M,
        )
    ]  # fmt: skip
    rooms = {name.rpartition(".")[0] for name in speakers}
    assert {"records.sqlite", "records.postgres"} <= rooms
    assert [
        name for name in speakers
        if not name.startswith(("records.sqlite.", "records.postgres.", "records.projection."))
    ] == []


def test_every_place_that_the_map_names_is_there() -> None:
    """If this failed, a newcomer would be sent to a file that has moved."""
    text = (ROOT / "docs" / "rooms.md").read_text(encoding="utf-8").partition("## Places that are reserved")[0]
    places = set(re.findall(r"`((?:events|reducers|records|replay|cli|tests)/[\w/.]*)`", text))
    assert len(places) > 30
    assert [place for place in sorted(places) if not (ROOT / place).exists()] == []


def promises_without_test(text: str) -> list[str]:
    """The rows of the tables of promises that name no test, or one that is not there: a file with tests, or
    `file::test`."""
    loose = []
    for row in re.findall(r"^\| .* \|$", text.partition("## What is not promised")[0], re.M):
        named = re.findall(r"`((?:[\w/]*/)?test_\w+\.py)(?:::(\w+))?`", row.rstrip("| ").rpartition("|")[2])
        files = [(ROOT / (name if "/" in name else f"tests/proof/{name}"), test) for name, test in named]
        if not files or any(
            not file.exists() or f"def {test or 'test_'}" not in file.read_text(encoding="utf-8")
            for file, test in files
        ):
            loose.append(row)
    return loose


def promises_of(page: str, head: str) -> str:
    """The rows of the table on a page of docs/ that begins with this head."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert text.count(head) == 1
    return text.partition(head)[2].partition("\n\n")[0].partition("|\n")[2]


@pytest.mark.parametrize(
    ("page", "head", "rows"),
    [("reliability.md", "| | promise | proof |\n", 24), ("service.md", "| what holds | test |\n", 5)],
)
def test_every_promise_names_a_test_that_is_there(page: str, head: str, rows: int) -> None:
    """If this failed, something would be promised that nothing proves."""
    text = promises_of(page, head)
    assert len(text.splitlines()) >= rows
    assert promises_without_test(text) == []


def test_a_promise_without_a_test_is_seen() -> None:
    """The control: no test, a file that is not there, and a test that is not in its file."""
    rows = [
        "| 1 | It holds. | |", "| 2 | It holds. | `test_nowhere.py` |",
        "| 3 | It holds. | `tests/test_structure.py::test_of_nothing` |",
    ]
    assert promises_without_test(
        "\n".join([*rows, "| 4 | It holds. | `tests/test_structure.py::test_a_promise_without_a_test_is_seen` |"])
    ) == rows


ASK = """
import importlib, importlib.metadata as md, json, sys
from pathlib import Path
rooms = sys.argv[1:]
parents = {r: str(Path(importlib.import_module(r).__file__).resolve().parent.parent) for r in rooms}
try:
    owner = md.distribution("kibitz")
    url = json.loads(owner.read_text("direct_url.json") or "{}")
    home = str(Path(owner.locate_file("")).resolve())
except md.PackageNotFoundError:
    owner, url, home = None, {}, ""
owners = md.packages_distributions()
print(json.dumps({
    "parents": parents,
    "owners": {r: sorted(set(owners.get(r, []))) for r in rooms},
    "installed": owner is not None,
    "editable": bool(url.get("dir_info", {}).get("editable")),
    "project": url.get("url", ""),
    "home": home,
}))
"""


def test_the_installed_names_are_ours(tmp_path: Path) -> None:
    """If this failed, `import events` could bring the package of somebody else.

    Asked in an isolated interpreter outside the checkout. An editable installation points at the checkout and lists no
    files, so there the names must belong to nobody else, and the modules must lie in the checkout it points at.
    """
    rooms = sorted(ROOMS)
    run = subprocess.run(
        [sys.executable, "-I", "-c", ASK, *rooms], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert run.returncode == 0, f"the packages cannot be imported outside the checkout:\n{run.stderr}"
    said = json.loads(run.stdout)
    assert said["installed"], "kibitz is not installed; `make test` installs it"
    assert len(set(said["parents"].values())) == 1, f"the packages lie in different places: {said['parents']}"
    parent = Path(said["parents"]["events"])
    if said["editable"]:
        assert all(owners in ([], ["kibitz"]) for owners in said["owners"].values()), said["owners"]
        assert said["project"] == parent.as_uri(), "the modules are not those of the checkout that was installed"
    else:
        assert said["owners"] == {room: ["kibitz"] for room in rooms}
        assert parent == Path(said["home"])


def test_every_room_is_installed_with_its_types() -> None:
    """If this failed, a package would be left out of the wheel, or a type checker would take it for untyped."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert sorted(project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]) == sorted(ROOMS)
    for room in ROOMS:
        assert (ROOT / room / "__init__.py").exists()
        assert (ROOT / room / "py.typed").exists()


@pytest.mark.parametrize("page", sorted((ROOT / "reducers" / "games").glob("[a-z]*.py")), ids=lambda page: page.stem)
def test_a_page_is_read_without_scrolling_aside(page: Path) -> None:
    """If this failed, a page would be shorter in lines only because they are longer."""
    long = [n for n, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1) if len(line) > 120]
    assert long == [], f"{page.name} has lines of more than 120 characters"


SAME_MEANING = {
    frozenset({"reducers/tally.py", "reducers/facts.py"}): "an attribute of a tally, and the one fact that tells it",
    frozenset({"records/postgres/faults.py", "records/sqlite/faults.py"}): "two databases behind one interface",
    frozenset({"records/postgres/schema.py", "records/sqlite/schema.py"}): "two databases behind one interface",
}
"""Modules that may name the same thing twice, and why."""
EACH_ITS_OWN = frozenset({"register", "main"})
"""Names that each module of a kind has: what a module of commands registers, how a program begins."""


def names_used_twice(root: Path) -> dict[str, list[str]]:
    """The public functions and classes of the product that share a name, each with its modules.

    A page stands for itself, a suite of tests too, and so do `on_…`, which every page and family has for the same
    event, and `verify_bundle.py`, which is copied into a bundle and imports nothing of ours.
    """
    found: dict[str, list[str]] = {}
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            here = path.relative_to(root).as_posix()
            if here.startswith(("reducers/games/", "replay/testing/")) or here == "records/verify_bundle.py":
                continue
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(
                    node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
                ) and not node.name.startswith(("_", "on_")):
                    found.setdefault(node.name, []).append(here)
    return {
        name: there for name, there in found.items()
        if len(there) > 1 and name not in EACH_ITS_OWN and frozenset(there) not in SAME_MEANING
    }  # fmt: skip


@pytest.mark.rest
def test_no_two_things_have_one_name() -> None:
    """If this failed, whoever looks a name up would find the wrong thing first."""
    assert names_used_twice(ROOT) == {}


def test_a_name_used_twice_is_seen(tmp_path: Path) -> None:
    for room in ROOMS:
        (tmp_path / room).mkdir()
    (tmp_path / "events" / "a.py").write_text("def total(): ...\n\ndef _own(): ...\n\ndef on_play(): ...\n")
    (tmp_path / "replay" / "b.py").write_text("class total: ...\n\ndef _own(): ...\n\ndef on_play(): ...\n")
    assert names_used_twice(tmp_path) == {"total": ["events/a.py", "replay/b.py"]}


def test_the_games_stand_in_the_order_of_their_keys() -> None:
    """If this failed, one of them would stand at the end of a list where nobody looks for it."""
    from reducers.registry import PAGES

    assert list(PAGES) == sorted(PAGES)


def test_no_test_starts_a_loop_beside_that_of_a_browser() -> None:
    """If this failed, a test would fail in some runs: if its process had opened a browser for another test before."""
    loose = [
        f"{path.name}:{node.lineno}"
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        if re.search(r"\b(asyncio|anyio)\b", source := path.read_text(encoding="utf-8"))
        for node in nodes_of(source)
        if isinstance(node, ast.Attribute) and node.attr == "run" and isinstance(node.value, ast.Name)
        and node.value.id in ("asyncio", "anyio")
    ]
    assert loose == [], "these call `in_a_loop_of_its_own` instead"


# -- what only one system has

MODULES_OF_ONE_SYSTEM = frozenset(
    [
        "crypt", "curses", "fcntl", "grp", "msvcrt", "nt", "posix", "pty", "pwd", "readline", "resource", "spwd",
        "syslog", "termios", "tty", "winreg", "winsound",
    ]
)
OS_OF_ONE_SYSTEM = frozenset(
    [
        "chown", "chroot", "fchmod", "fchown", "fork", "forkpty", "getegid", "geteuid", "getgid", "getgroups",
        "getloadavg", "getpgid", "getpgrp", "getsid", "getuid", "initgroups", "killpg", "lchown", "lockf", "major",
        "makedev", "minor", "mkfifo", "mknod", "nice", "openpty", "posix_fadvise", "posix_fallocate", "posix_spawn",
        "pread", "preadv", "pwrite", "pwritev", "register_at_fork", "rename", "sched_getaffinity", "sched_setaffinity",
        "sched_yield", "sendfile", "set_blocking", "setegid", "seteuid", "setgid", "setgroups", "setpgid", "setsid",
        "setuid", "startfile", "statvfs", "symlink", "sync", "sysconf", "tcgetpgrp", "ttyname", "uname", "wait",
        "wait3", "wait4", "waitid",
    ]
)  # fmt: skip
"""`rename` is among them as it replaces a file on one system and fails on the other: `os.replace` is the same on
both."""
OS_EVERYWHERE = frozenset(["O_APPEND", "O_CREAT", "O_EXCL", "O_RDONLY", "O_RDWR", "O_TRUNC", "O_WRONLY"])
SIGNALS_EVERYWHERE = frozenset(["SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM", "SIG_DFL", "SIG_IGN"])
OTHERS_OF_ONE_SYSTEM = frozenset(
    [
        "socket.AF_UNIX", "socket.SO_REUSEPORT", "select.epoll", "select.kqueue", "select.poll", "time.tzset",
        "loop.add_signal_handler",
    ]
)
PLACES_OF_ONE_SYSTEM = re.compile(r"(/(bin|dev|etc|home|opt|proc|root|run|sys|tmp|usr|var)(/|$)|[A-Za-z]:\\\\)")

ALLOWED = {
    ("records/sqlite/locking.py", "import fcntl"): "stands where the system is not Windows",
    ("records/sqlite/locking.py", "import msvcrt"): "stands where the system is Windows",
    ("records/sqlite/locking.py", "'/proc/self/mounts'"): "is read if it is there",
    ("cli/recording.py", "import readline"): "is done without where there is none",
    ("records/intake.py", "os.set_blocking"): "is asked of a named pipe alone, and no folder of Windows has one",
    ("cli/shell.py", "os.sched_getaffinity"): "where it is missing the AttributeError is taken",
}  # fmt: skip


def of_one_system(source: str) -> Iterator[tuple[int, str]]:
    """The line and the name of what not every system has in a module, and of files that are text in an encoding, or
    with ends of lines, that depend on the system."""
    tree = ast.parse(source)
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (
                    (node.lineno, f"import {name.name}") for name in names
                    if name.name.partition(".")[0] in MODULES_OF_ONE_SYSTEM
                )
            case ast.ImportFrom(module=str(module), level=0):
                found = {
                    "os": OS_OF_ONE_SYSTEM,
                    "signal": frozenset(
                        name.name for name in node.names if name.name.startswith("SIG")
                    ) - SIGNALS_EVERYWHERE
                }
                if module in MODULES_OF_ONE_SYSTEM or {
                    name.name for name in node.names
                } & found.get(module, frozenset()):
                    yield node.lineno, f"import {module}"
            case ast.Attribute(value=ast.Name(id=name), attr=attr):
                wrong = (
                    (
                        name == "os"
                        and (attr in OS_OF_ONE_SYSTEM or (attr.startswith("O_") and attr not in OS_EVERYWHERE))
                    )
                    or (name == "signal" and attr.startswith("SIG") and attr not in SIGNALS_EVERYWHERE)
                    or f"{name}.{attr}" in OTHERS_OF_ONE_SYSTEM
                )  # fmt: skip
                if wrong:
                    yield node.lineno, f"{name}.{attr}"
            case ast.Constant(value=str(text)) if id(node) not in documentation and PLACES_OF_ONE_SYSTEM.match(text):
                yield node.lineno, repr(text)
            case ast.Call(func=func):
                yield from ((node.lineno, what) for what in as_the_system_likes(func, node))


def as_the_system_likes(func: ast.expr, call: ast.Call) -> Iterator[str]:
    """What is left to the system where a file is read or written as text."""
    name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
    said = {word.arg for word in call.keywords}
    modes = [
        arg.value for arg in (*call.args, *(word.value for word in call.keywords if word.arg == "mode"))
        if isinstance(arg, ast.Constant) and isinstance(arg.value, str) and re.fullmatch("[rwxabt+]{1,4}", arg.value)
    ]
    mode = modes[0] if modes else "r"
    builtin = isinstance(func, ast.Name) and name == "open"
    of_a_path = isinstance(func, ast.Attribute) and name == "open" and (
        bool(modes) or (not call.args and not call.keywords)
    ) and not (isinstance(func.value, ast.Name) and func.value.id in ("os", "webbrowser"))
    if name in ("read_text", "write_text") or ((builtin or of_a_path or name == "fdopen") and "b" not in mode):
        if "encoding" not in said:
            yield f"{name} without encoding"
        if (name == "write_text" or set(mode) & set("wxa")) and "newline" not in said:
            yield f"{name} without newline"
    if name == "strftime" and any(
        isinstance(arg, ast.Constant) and re.search("%[-#]", str(arg.value)) for arg in call.args
    ):
        yield "strftime with a form of one system"


MAY_HAVE_SUCH = re.compile(
    r"\b(os|signal|socket|select|loop)\.[a-zA-Z]|\btzset|\b(from|import) "
    rf"({'|'.join(MODULES_OF_ONE_SYSTEM)}|os|signal)\b|\bopen\(|\bfdopen\(|_text\(|strftime|['\"]({PLACES_OF_ONE_SYSTEM.pattern})"
)
"""A module without any of these words is not looked through: most have none, and taking them apart costs seconds."""


@pytest.mark.rest
def test_what_only_one_system_has_is_guarded() -> None:
    """If this failed, Kibitz would stop on Windows or macOS at a line that nobody there has run. Each exception has
    its reason."""
    sources = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for room in ROOMS
        for path in sorted((ROOT / room).rglob("*.py"))
    }
    found = {
        (name, what): line for name, source in sources.items() if MAY_HAVE_SUCH.search(source)
        for line, what in of_one_system(source)
    }
    assert {place: line for place, line in found.items() if place not in ALLOWED} == {}
    assert ALLOWED.keys() - found.keys() == set(), "an exception that nothing needs any more"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import fcntl", ["import fcntl"]), ("from termios import tcgetattr", ["import termios"]),
        ("import os\nos.fork()", ["os.fork"]), ("os.geteuid() == 0", ["os.geteuid"]),
        ("from os import fork, path", ["import os"]), ("from signal import SIGKILL", ["import signal"]),
        ("from signal import SIGINT", []), ("os.kill(1, signal.SIGKILL)", ["signal.SIGKILL"]),
        ("signal.signal(signal.SIGINT, signal.SIG_IGN)", []),
        ("os.open(p, os.O_RDONLY | os.O_DIRECTORY)", ["os.O_DIRECTORY"]), ("getattr(os, 'O_NONBLOCK', 0)", []),
        ("os.rename(a, b)", ["os.rename"]), ("Path('/tmp/x')", ["'/tmp/x'"]), ("x = '/dev/null'", ["'/dev/null'"]),
        ("def f():\n    '/tmp is named in a text'", []), ("x = '/temporary'", []),
        ("open(p)", ["open without encoding"]), ("open(p, 'rb')", []),
        ("open(p, 'w', encoding='utf-8')", ["open without newline"]), ("p.read_text()", ["read_text without encoding"]),
        ("p.write_text(t, encoding='utf-8')", ["write_text without newline"]),
        ("p.open('a', encoding='utf-8', newline='\\n')", []), ("p.open()", ["open without encoding"]),
        ("Store.open(path, write=True)", []), ("p.open('wb')", []),
        ("os.fdopen(fd, 'w')", ["fdopen without encoding", "fdopen without newline"]),
        ("day.strftime('%-d')", ["strftime with a form of one system"]),
        ("s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)", ["socket.SO_REUSEPORT"]),
    ],
)  # fmt: skip
def test_what_only_one_system_has_is_seen(source: str, found: list[str]) -> None:
    """If this failed, the test above would find nothing wherever it looked."""
    assert [what for _, what in of_one_system(source)] == found
    assert MAY_HAVE_SUCH.search(source) or not found
