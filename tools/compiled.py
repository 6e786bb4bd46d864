"""Builds Kibitz with its core compiled by mypyc: `HATCH_BUILD_HOOK_ENABLE_CUSTOM=1 pip install .` (or `make compiled`).

The pages, the table, the words and the judge are plain Python and stay so; nobody who writes a page has to know of this
file. What is compiled is a copy of the sources in which some things are put otherwise, because mypyc (2.x) asks for it:

- A msgspec struct must not be defined in a compiled module: mypyc drops the keywords of its class (`frozen`) and the
  bounds of its fields without a word. The structs of a module `m` move to a module `_m_structs` beside it, which stays plain.
- A class whose objects are copied must be told so (`serializable`), and so must one that a plain module derives from. Without
  the second mark a copy comes out without its attributes, whether somebody derives from the class or not.
- `x in (*a, b)` is not known to it and becomes `x in tuple([*a, b])`.
- `__doc__` is not there yet while a compiled module is loaded; it becomes the text itself.
- `getattr(x, name, default)` raises and catches an error inside mypyc if there is no such attribute, which takes a
  microsecond; it becomes a call of Python's own, which does not.
- `isinstance(x, A | B)` makes the union anew each time; it becomes `isinstance(x, (A, B))`.

A `cached_property` is refused: mypyc takes it for a property, which is worked out anew each time.

Each source line stays on its line, so that a traceback names the right one. The wheel holds the plain sources as they
are beside what was compiled from them; they are what the version of a game's rules is reckoned from.

`KIBITZ_PAGES="kaiser scopa"` makes a sample: mypyc still has to take every page, but only these go through the C
compiler, with the rest of the core, unoptimized; the other pages stay plain. It takes a fifth of the time (`make
test-sample`).
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGES = ("events", "reducers", "records", "replay", "cli")
GAMES = "reducers/games/*.py"
# What every event goes through. Modules without hot code (the opening, the sheets, what people read) stay plain.
COMPILED = (
    "events/cards.py",
    "reducers/first_state.py",
    "reducers/evolve.py",
    GAMES,
    "reducers/legal.py",
    "reducers/model.py",
    "reducers/rules.py",
    "reducers/scoring.py",
    "reducers/known_cards.py",
    "reducers/table.py",
    "reducers/words/*.py",
    "replay/fold.py",
    "replay/judging/assignments.py",
    "replay/judging/contradictions.py",
    "replay/judging/elimination.py",
    "replay/judging/first_look.py",
    "replay/judging/hidden_cards.py",
    "replay/judging/hindsight.py",
    "replay/judging/judge.py",
    "replay/judging/opened_deals.py",
    "replay/judging/rule_questions.py",
    "replay/log.py",
    "replay/masking.py",
)
LOOKED_UP = "import builtins as _builtins; _getattr = vars(_builtins)['getattr']"
TOLD = "@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)"


class CompiledCore(BuildHookInterface[Any]):
    """The build hook: compiles in a directory of its own and adds what came of it to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Put the compiled modules into the wheel, which then is for this platform and this Python only."""
        if version == "editable":
            raise CannotCompileError(
                "an editable install stays plain Python: leave -e away, or HATCH_BUILD_HOOK_ENABLE_CUSTOM"
            )
        self.place = Path(tempfile.mkdtemp(prefix="kibitz-compiled-"))
        try:
            for made in compiled(Path(self.root), self.place, os.environ.get("KIBITZ_PAGES", "").split()):
                build_data["force_include"][str(self.place / made)] = str(made)
        except BaseException:
            self.finalize(version, build_data, "")  # nobody else calls it then
            raise
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["dependencies"].append("mypy_extensions>=1.0")

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Leave nothing behind."""
        shutil.rmtree(self.place, ignore_errors=True)


class CannotCompileError(Exception):
    """What cannot be compiled: the file, the line and why."""


def compiled(root: Path, place: Path, pages: Sequence[str] = ()) -> Iterator[Path]:
    """Compile a copy of the packages of `root` in `place`; yields what has to join the plain sources, relative to it.

    If `pages` are named, the other games stay plain; mypyc is asked about them all the same, which takes it seconds.
    """
    if pages:
        with tempfile.TemporaryDirectory(prefix="kibitz-compiled-") as whole:
            translate(Path(whole), put_otherwise(root, Path(whole))[0])
    sources, beside = put_otherwise(root, place, pages)
    yield from beside
    # A sample is tried and thrown away: what mypyc made of the sources is on trial there, not the C compiler's
    # optimizer.
    build(place, sources, optimized="0" if pages else "2")
    shutil.rmtree(place / "build")
    yield from sorted(path.relative_to(place) for ending in ("so", "pyd") for path in place.rglob(f"*.{ending}"))


def put_otherwise(root: Path, place: Path, pages: Sequence[str] = ()) -> tuple[list[str], list[Path]]:
    """Put a copy of the packages of `root` into `place` so that mypyc takes it: what to compile, and the modules of
    structs."""
    for package in PACKAGES:
        shutil.copytree(root / package, place / package, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    sources = sources_of(place, pages)
    structs, natives = structs_of(place), natives_of([place / source for source in sources])
    besides = []
    for source in sources:
        text, moved = rewritten((place / source).read_text(encoding="utf-8"), source, structs, natives)
        (place / source).write_text(text, encoding="utf-8")
        if moved:
            beside = source.with_name(f"_{source.stem}_structs.py")
            (place / beside).write_text(moved, encoding="utf-8")
            besides.append(beside)
    return [str(source) for source in sources], besides


def sources_of(root: Path, pages: Sequence[str] = ()) -> list[Path]:
    """What is compiled, relative to `root`: of the games the `pages` named, or all if none is."""
    named = [f"reducers/games/{page.replace('-', '_')}.py" for page in pages]
    if missing := [page for page, path in zip(pages, named, strict=True) if not (root / path).is_file()]:
        raise CannotCompileError(
            f"there is no page for {', '.join(missing)}; KIBITZ_PAGES names games as `kibitz games` does"
        )
    patterns = [pattern for pattern in COMPILED if not named or pattern != GAMES] + sorted(named)
    return [
        path.relative_to(root) for pattern in patterns for path in sorted(root.glob(pattern)) if path.stat().st_size
    ]


MYPYC = """
import os, sys
from mypyc.build import mypycify
modules = mypycify(
    ["--python-version", f"{sys.version_info[0]}.{sys.version_info[1]}", *sys.argv[2:]],
    opt_level=sys.argv[1], debug_level="0", multi_file=True, group_name="kibitz",
)
"""
SETUP = """
from setuptools import setup
setup(
    name="kibitz", packages=[], py_modules=[], ext_modules=modules,
    script_args=["build_ext", "--inplace", "--parallel", str(os.cpu_count() or 1)],
)
"""


def translate(place: Path, sources: list[str]) -> None:
    """Run mypyc alone: the C is written and left."""
    run(place, MYPYC, "0", *sources)


def build(place: Path, sources: list[str], optimized: str) -> None:
    """Run mypyc and the C compiler, which optimizes at the level given, "0" to "3"."""
    run(place, MYPYC + SETUP, optimized, *sources)


def run(place: Path, program: str, *arguments: str) -> None:
    """Run a program in a process of its own, as mypyc and the C compiler both write where they stand."""
    done = subprocess.run(
        (sys.executable, "-c", program, *arguments), cwd=place, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, env={**os.environ, "MYPYPATH": str(place)}, check=False,
    )  # fmt: skip
    if done.returncode:
        errors = [line for line in done.stdout.splitlines() if " error: " in line]
        told = "\n".join(errors) or done.stdout[-4000:]
        raise CannotCompileError(f"mypyc or the C compiler gave up:\n{told}")


# -- the sources put otherwise


def structs_of(place: Path) -> frozenset[str]:
    """The names of all struct classes, those derived from another one too."""
    bases: dict[str, set[str]] = {}
    for package in PACKAGES:
        for path in (place / package).rglob("*.py"):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef):
                    bases.setdefault(node.name, set()).update(
                        ast.unparse(base).rpartition(".")[2] for base in node.bases
                    )
    found = {"Struct"}
    while more := {name for name, of in bases.items() if name not in found and of & found}:
        found |= more
    return frozenset(found)


def natives_of(sources: Sequence[Path]) -> frozenset[str]:
    """The names of the classes that mypyc makes classes of its own kind of, not ordinary ones (named tuples,
    enumerations): those with no base but a generic one, and those derived from them."""
    classes = [
        node for path in sources for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.keywords
    ]  # fmt: skip
    found: set[str] = set()
    while more := {n.name for n in classes if n.name not in found and all(is_native(base, found) for base in n.bases)}:
        found |= more
    return frozenset(found)


def is_native(base: ast.expr, natives: Collection[str]) -> bool:
    """Whether a class may have this base and be native all the same."""
    named = ast.unparse(base)
    return named.startswith("Generic") or named.partition("[")[0] in natives


def rewritten(text: str, source: Path, structs: frozenset[str], natives: Collection[str]) -> tuple[str, str]:
    """A module put so that mypyc takes it, and the module of its structs, empty if it has none."""
    lines = text.splitlines(keepends=True)
    body = ast.parse(text).body
    moved = [
        n for n in body if isinstance(n, ast.ClassDef)
        and {ast.unparse(b).rpartition(".")[2] for b in n.bases} & structs
    ]
    plain = [n for n in body if isinstance(n, ast.ClassDef) and n not in moved and n.name in natives]
    beside = ""
    for node in plain:
        tell(node, lines, source)
    if moved:
        beside = move(moved, body, lines, source)
    if plain:
        join(body, lines, "from mypy_extensions import mypyc_attr")
    if cached := [n.lineno for n in body if isinstance(n, ast.ImportFrom) for a in n.names if a.name == "cached_property"]:
        raise CannotCompileError(f"{source}:{cached[0]}: mypyc forgets what a cached_property has worked out")
    if " getattr(" in text or "(getattr(" in text:
        join(body, lines, LOOKED_UP)
    return reworded("".join(lines)), beside


def tell(node: ast.ClassDef, lines: list[str], source: Path) -> None:
    """Mark a class as one whose objects are copied; the mark takes the blank line above it."""
    above = min([node.lineno, *(d.lineno for d in node.decorator_list)]) - 2
    if lines[above].strip():
        raise CannotCompileError(f"{source}:{above + 1}: there is no blank line above class {node.name}")
    lines[above] = f"{TOLD}\n"


def join(body: list[ast.stmt], lines: list[str], statement: str) -> None:
    """Put an import behind the last one, on its line."""
    last = max(n.end_lineno or 0 for n in body if isinstance(n, ast.Import | ast.ImportFrom))
    line = lines[last - 1].removesuffix("  # fmt: skip\n").rstrip()
    lines[last - 1] = f"{line}; {statement}\n"


def move(moved: list[ast.ClassDef], body: list[ast.stmt], lines: list[str], source: Path) -> str:
    """Take the structs out of the lines of a module, which imports them instead; returns the module they make up.

    Constants that stand in a struct go with it. What its methods call stays in the module, which hands it over at
    its end.
    """
    module = ".".join(source.with_suffix("").parts)
    beside = ".".join(source.with_name(f"_{source.stem}_structs").parts)
    named: dict[str, ast.stmt] = {name: node for node in body for name in names_given(node)}
    own = {node.name for node in moved}
    along: list[ast.stmt] = []
    waiting = [name for node in moved for name in used_at_once(node)]
    while waiting:
        name = waiting.pop()
        node = named.get(name)
        if node is None or name in own or node in along:
            continue
        if not isinstance(node, ast.Assign | ast.AnnAssign):
            raise CannotCompileError(
                f"{source}:{node.lineno}: {name} is needed where a struct is defined; put it into another module"
            )
        along.append(node)
        waiting += [n.id for n in ast.walk(node) if isinstance(n, ast.Name)]
    gone = sorted((*moved, *along), key=lambda n: n.lineno)
    given = [name for node in gone for name in names_given(node)]
    later = sorted(
        {name for node in moved for name in used_in(node)} & named.keys() - set(given) - names_imported(body)
    )
    imports: list[ast.stmt] = [
        n for n in body if isinstance(n, ast.Import | ast.ImportFrom) and getattr(n, "module", "") != "__future__"
    ]
    imports += [n for n in body if isinstance(n, ast.If) and ast.unparse(n.test).endswith("TYPE_CHECKING")]
    text = [
        f'"""The structs of `{module}`, moved out of it to be compiled."""\n\nfrom __future__ import annotations\n\n'
    ]
    text += [piece(n, lines) for n in imports]
    if later:
        text.append(
            f"from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from {module} import {', '.join(later)}\n"
        )
    text += [f"\n\n{piece(n, lines)}" for n in gone]
    for node in gone:
        for i in span(node):
            lines[i] = "\n"
    if later:
        handed = "; ".join(f'setattr(_structs, "{name}", {name})' for name in later)
        lines.append(f"import {beside} as _structs; {handed}\n")
    join(body, lines, f"from {beside} import {', '.join(f'{name} as {name}' for name in given)}")
    return "".join(text)


def span(node: ast.stmt) -> range:
    """The lines of a statement, from 0, decorators with it."""
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
    return range(first - 1, node.end_lineno or first)


def piece(node: ast.stmt, lines: list[str]) -> str:
    """The text of a statement."""
    return "".join(lines[i] for i in span(node))


def names_given(node: ast.stmt) -> Iterable[str]:
    """The names that a statement of a module defines."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        return (node.name,)
    if isinstance(node, ast.Assign):
        return tuple(n.id for target in node.targets for n in ast.walk(target) if isinstance(n, ast.Name))
    return (node.target.id,) if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) else ()


def names_imported(body: list[ast.stmt]) -> set[str]:
    """The names that a module imports."""
    return {a.asname or a.name for n in body if isinstance(n, ast.Import | ast.ImportFrom) for a in n.names}


def used_at_once(node: ast.ClassDef) -> Iterator[str]:
    """The names that must be there when a struct is defined: in its bases, its keywords and the defaults of its
    fields."""
    for part in (*node.bases, *(k.value for k in node.keywords), *node.decorator_list):
        yield from (n.id for n in ast.walk(part) if isinstance(n, ast.Name))
    for field in node.body:
        if isinstance(field, ast.AnnAssign | ast.Assign) and field.value is not None:
            value = field.value
            yield from (
                n.id for n in ast.walk(value.args if isinstance(value, ast.Lambda) else value)
                if isinstance(n, ast.Name)
            )
            if isinstance(field, ast.AnnAssign):
                yield from names_in_annotation(field.annotation)


def used_in(node: ast.ClassDef) -> Iterator[str]:
    """All names in a struct, those in annotations as well."""
    yield from (n.id for n in ast.walk(node) if isinstance(n, ast.Name))


def names_in_annotation(node: ast.expr) -> Iterator[str]:
    """Constants in the annotation of a field: its bounds and the aliases it is written with."""
    yield from (n.id for n in ast.walk(node) if isinstance(n, ast.Name) and n.id.isupper())


def reworded(text: str) -> str:
    """Expressions that mypyc does not know or is slow at, in words it knows: a star in a membership test, the text of
    the module, `getattr` with a default, `isinstance` of a union."""
    data = text.encode()
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    tree = ast.parse(text)
    found: list[tuple[int, int, bytes]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == "__doc__":
            found.append((*place_of(node, starts), repr(ast.get_docstring(tree, clean=False)).encode()))
        for test in node.comparators if isinstance(node, ast.Compare) else ():
            if isinstance(test, ast.Tuple) and any(isinstance(e, ast.Starred) for e in test.elts):
                a, z = place_of(test, starts)
                found.append((a, z, b"tuple([" + data[a + 1 : z - 1] + b"])"))
        match node:
            case ast.Call(ast.Name("getattr") as name, [_, _, _]):
                found.append((*place_of(name, starts), b"_getattr"))
            case ast.Call(ast.Name("isinstance"), [_, ast.BinOp(op=ast.BitOr()) as union]):
                a, z = place_of(union, starts)
                found.append((a, z, b"(" + data[a:z].replace(b"|", b",") + b")"))
    for a, z, instead in sorted(found, reverse=True):
        data = data[:a] + instead + data[z:]
    return data.decode()


def place_of(node: ast.expr, starts: list[int]) -> tuple[int, int]:
    """Where an expression begins and ends, in bytes, of lines that begin at `starts`."""
    return starts[node.lineno - 1] + node.col_offset, starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
