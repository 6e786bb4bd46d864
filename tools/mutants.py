"""Faults planted on purpose, one line each, and whether the tests find them: `make mutants` (tests/README.md has the
share).

    python tools/mutants.py [--only N ...] [--list] [--seed N] [--likely] [--further]

A seed draws where the faults lie: half in the words of the pages and the code behind them, a quarter in what judges
a log, a quarter in the pages. Two that an earlier trial left alive are always among them. Each is planted in a copy
of the checkout and asked of the tests that most likely find it; if none of them does, of the whole of `make test`;
with `--further` then of `make test-rest` too. It ends with 1 if `make test` misses more than one in twenty of those
that change anything.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PYTEST = (
    "-m", "pytest", "--disable-plugin-autoload", "-p", "xdist", "-p", "hypothesispytest", "-p", "no:cacheprovider",
    "-q", "-x", "-m", "not slow", "--short",
)
SEED = 41
MANY = 40
SHARES = {
    "words": (0.5, ("reducers/words", "reducers/*.py")), "judging": (0.25, ("replay/judging", "replay/scoring")),
    "pages": (0.25, ("reducers/games",)),
}


class Mutant(NamedTuple):
    """One line of one file, put otherwise. `line` counts from 1."""

    path: str
    line: int
    old: str
    new: str

    def plant(self, checkout: Path) -> None:
        """Write the fault into a checkout; a ValueError if the line does not read as it did."""
        path = checkout / self.path
        lines = path.read_text(encoding="utf-8").split("\n")
        if lines[self.line - 1].strip() != self.old:
            raise ValueError(
                f"{self.path}:{self.line} reads {lines[self.line - 1].strip()!r}, where {self.old!r} was "
                "expected; nothing was planted"
            )
        lines[self.line - 1] = lines[self.line - 1].replace(self.old, self.new)
        path.write_text("\n".join(lines), encoding="utf-8")


ALWAYS = (
    ("reducers/words/tricks.py", "        if value > self.best:", "        if value >= self.best:", "def add("),
    ("reducers/evolve.py", '        state.ended = ""', "        pass", "def settle("),
)
"""Faults that an earlier trial left alive: the file, the line, what it becomes, and the line of a function before
it."""

CONTROL = ("tests/games/test_kaiser.py", "tests/test_playthroughs.py")
"""Tests that have to pass before any fault is planted."""

EQUIVALENT = {
    (
        "for suit, n in zip(SUITS, of_each, strict=True):", "for suit, n in zip(SUITS, of_each, strict=False):",
    ): "there is one figure for each of the four suits",
    ("total, groups, left_last = [0] * (everybody + 1), [0] * (everybody + 1), [0] * (everybody + 1)",
     "total, groups, left_last = [0] * (everybody + 1), [0] * (everybody + 1), [1] * (everybody + 1)"):
        "each is written before it is read, but for that of nobody, which is never read",
    ("if not made:", "if False:"): "without a ruling the rest comes to none as well, later",
    ((
        "asked = kind(corrected([*log, *(Recorded(n=log[-1].n + 1 + j, event=fix) for j, fix in "
        "enumerate(repair.fixes))]))"
    ),
     (
         "asked = kind(corrected([*log, *(Recorded(n=log[-2].n + 1 + j, event=fix) for j, fix in "
         "enumerate(repair.fixes))]))"
     )):
        "a correction that is only tried has no number of its own; it is still the last that was typed",
}  # fmt: skip
"""Faults that change nothing anybody can see, as the line and what it becomes, and why."""


def always() -> Iterator[Mutant]:
    """The faults that are always asked."""
    for path, old, new, behind in ALWAYS:
        lines = (ROOT / path).read_text(encoding="utf-8").split("\n")
        start = next(i for i, line in enumerate(lines) if behind in line)
        yield Mutant(path, lines.index(old, start) + 1, old.strip(), new.strip())


# -- where faults can lie

COMPARED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"), ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="), ast.In: (" in ", " not in "), ast.NotIn: (" not in ", " in "),
    ast.Is: (" is ", " is not "), ast.IsNot: (" is not ", " is "),
}  # fmt: skip
COUNTED: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.BitAnd: ("&", "|"), ast.BitOr: ("|", "&"),
}


def unannotated(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all in it, but for the types that are said of names, and functions in it, which are looked at by
    themselves."""
    yield node
    for name, value in ast.iter_fields(node):
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, ast.AST) and name != "annotation" and not isinstance(inner, ast.FunctionDef):
                yield from unannotated(inner)


def faults_of(path: str, source: str) -> list[Mutant]:
    """All faults that can be planted in a source: a comparison, an `and`, a `not`, a sum or a number otherwise; a
    statement or a condition left out. None in what is only said of the code, or to a reader."""
    lines = source.split("\n")
    tree = ast.parse(source)
    found: dict[tuple[int, str], Mutant] = {}

    def swap(line: int, start: int, end: int, new: str) -> None:
        text = lines[line - 1].encode()
        put = (text[:start] + new.encode() + text[end:]).decode()
        found[line, put] = Mutant(path, line, lines[line - 1].strip(), put.strip())

    def between(before: ast.expr, after: ast.expr, signs: tuple[str, str]) -> None:
        if before.end_lineno == after.lineno and before.end_col_offset is not None:
            text = lines[after.lineno - 1].encode()
            at = text.find(signs[0].encode(), before.end_col_offset, after.col_offset)
            if at >= 0:
                swap(after.lineno, at, at + len(signs[0].encode()), signs[1])

    def one_line(node: ast.expr | ast.stmt) -> bool:
        return node.lineno == node.end_lineno

    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in (node for statement in function.body for node in unannotated(statement)):
            if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARED:
                between(node.left, node.comparators[0], COMPARED[type(node.ops[0])])
            elif isinstance(node, ast.BoolOp):
                signs = (" and ", " or ") if isinstance(node.op, ast.And) else (" or ", " and ")
                for left, right in zip(node.values, node.values[1:], strict=False):
                    between(left, right, signs)
            elif isinstance(node, ast.BinOp) and type(node.op) in COUNTED:
                between(node.left, node.right, COUNTED[type(node.op)])
            elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) and one_line(node):
                swap(node.lineno, node.col_offset, node.operand.col_offset, "")
            elif (
                isinstance(node, ast.Constant) and type(node.value) is int and one_line(node)
                and node.end_col_offset is not None
            ):
                swap(node.lineno, node.col_offset, node.end_col_offset, str(node.value + 1))
            elif (
                isinstance(node, ast.Constant) and type(node.value) is bool and one_line(node)
                and node.end_col_offset is not None
            ):
                swap(node.lineno, node.col_offset, node.end_col_offset, str(not node.value))
            elif isinstance(node, ast.Assign | ast.AugAssign) and one_line(node) and node.end_col_offset is not None:
                if any(
                    isinstance(target, ast.Attribute | ast.Subscript)
                    for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
                ):
                    swap(node.lineno, node.col_offset, node.end_col_offset, "pass")
            elif isinstance(node, ast.Expr) and isinstance(
                node.value, ast.Call,
            ) and one_line(node) and node.end_col_offset is not None:
                swap(node.lineno, node.col_offset, node.end_col_offset, "pass")
            elif isinstance(node, ast.If) and one_line(node.test) and node.test.end_col_offset is not None:
                swap(node.test.lineno, node.test.col_offset, node.test.end_col_offset, "False")
    return list(found.values())


def is_python(mutant: Mutant) -> bool:
    """Whether the file can be read with this line."""
    lines = (ROOT / mutant.path).read_text(encoding="utf-8").split("\n")
    lines[mutant.line - 1] = lines[mutant.line - 1].replace(mutant.old, mutant.new)
    try:
        ast.parse("\n".join(lines))
    except SyntaxError:
        return False
    return True


def drawn(seed: int, many: int) -> list[Mutant]:
    """The faults of a seed: those that are always asked, and others from files drawn by their length. Each is drawn
    by what it says, so that a change of the sources leaves the others."""

    def lot(mutant: Mutant) -> bytes:
        return sha256(f"{seed} {mutant.path} {mutant.old} {mutant.new}".encode()).digest()

    out = list(always())
    drawing = many - len(out)
    for share, patterns in SHARES.values():
        files = sorted(
            {
                path for pattern in patterns
                for path in (ROOT.glob(pattern) if "*" in pattern else (ROOT / pattern).rglob("*.py"))
            }
        )
        every = [
            mutant for path in files
            for mutant in faults_of(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8"))
        ]
        out += islice(filter(is_python, sorted(every, key=lot)), min(round(share * drawing), many - len(out)))
    return out


# -- what they are asked of


def likely(mutant: Mutant, checkout: Path) -> list[list[str]]:
    """The tests that most likely find a fault, in rounds: those of the page, or of pages that use these words; then
    what is asked of every game."""
    using = [path for path in users(mutant.path, checkout) if path.parent.name == "games"]
    tests = [path for page in using if (path := checkout / f"tests/games/test_{page.stem}.py").exists()]
    named = [path for path in checkout.glob(f"tests/*/test_{Path(mutant.path).stem}.py") if path not in tests]
    rest = [
        checkout / "tests" / name
        for name in ("pages", "test_playthroughs.py", "games", "replay", "test_conformance.py", "test_degradation.py")
    ]
    return [[str(path.relative_to(checkout)) for path in some] for some in (named + tests[:6], tests[6:], rest) if some]


def users(path: str, checkout: Path) -> list[Path]:
    """A file, those that name it, those that name these, and so on: the nearest first."""
    texts = {file: file.read_text(encoding="utf-8") for file in sorted((checkout / "reducers").rglob("*.py"))}
    found = [checkout / path]
    for one in found:
        name = ".".join(one.relative_to(checkout).with_suffix("").parts)
        found += [file for file, text in texts.items() if file not in found and f"{name} " in text]
    return found


def is_found(tests: Sequence[str], checkout: Path, *more: str) -> bool:
    """Whether any of these tests fails in a checkout. One that cannot be collected fails too."""
    env = {**os.environ, "PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"}
    words = [word for word in PYTEST if word not in more]
    if "--rest" in more:
        words.remove("--short")
    done = subprocess.run(
        [sys.executable, *words, *more, *tests], cwd=checkout, env=env, capture_output=True, text=True, check=False,
    )
    if done.returncode not in (0, 1, 2, 5):
        raise RuntimeError(f"the tests did not run: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.returncode not in (0, 5)


def copied(where: Path) -> Path:
    """A copy of what git knows of this checkout, as it lies here."""
    checkout = where / "checkout"
    known = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True,
        check=True,
    )
    for name in known.stdout.splitlines():
        if (ROOT / name).is_file():
            (checkout / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, checkout / name)
    return checkout


def who_finds(mutant: Mutant, checkout: Path, *, likely_only: bool, further: bool) -> str:
    """What finds a fault: the tests most likely to, `make test`, `make test-rest`, or nothing ("")."""
    path = checkout / mutant.path
    whole = path.read_bytes()
    mutant.plant(checkout)
    try:
        for tests in likely(mutant, checkout):
            if is_found(tests, checkout, "-n", "0"):
                return "the likely tests"
        if likely_only:
            return ""
        many = ("-n", str(os.cpu_count() or 1), "--doctest-modules")
        if is_found((), checkout, *many):
            return "make test"
        return "make test-rest" if further and is_found((), checkout, *many, "--rest") else ""
    finally:
        path.write_bytes(whole)


def main() -> int:
    """Plant each fault, ask for it, and say the share that was found."""
    parser = argparse.ArgumentParser(description="Plant faults, and say which the tests find.")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--many", type=int, default=MANY)
    parser.add_argument("--only", type=int, nargs="*", default=[], help="only the faults with these numbers")
    parser.add_argument("--list", action="store_true", help="print the faults and plant none")
    parser.add_argument("--likely", action="store_true", help="ask only the tests that most likely find a fault")
    parser.add_argument(
        "--further", action="store_true", help="ask make test-rest too for what make test does not find",
    )
    asked = parser.parse_args()
    missed = found = 0
    with tempfile.TemporaryDirectory() as scratch:
        checkout = ROOT if asked.list else copied(Path(scratch))
        if not asked.list and is_found(CONTROL, checkout, "-n", "0"):
            print("the tests fail in a copy of this checkout, before any fault is planted")
            return 2
        for n, mutant in enumerate(drawn(asked.seed, asked.many)):
            if asked.only and n not in asked.only:
                continue
            what = f"{n:2} {mutant.path}:{mutant.line}: {mutant.old}  →  {mutant.new}"
            if asked.list:
                print(what)
                continue
            if why := EQUIVALENT.get((mutant.old, mutant.new)):
                print(f"{what}\n   changes nothing: {why}", flush=True)
                continue
            began = time.monotonic()
            by = who_finds(mutant, checkout, likely_only=asked.likely, further=asked.further)
            found, missed = (found + 1, missed) if by in ("the likely tests", "make test") else (found, missed + 1)
            print(
                f"{what}\n   {f'found by {by}' if by else 'NOT FOUND'} in {time.monotonic() - began:.0f} s", flush=True,
            )
    if asked.list:
        return 0
    print(
        f"make test finds {found} of {found + missed} faults that change anything "
        f"({found / max(1, found + missed):.0%})"
    )
    return int(found < 0.95 * (found + missed))


if __name__ == "__main__":
    sys.exit(main())
