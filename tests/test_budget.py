"""What the tests cost is measured and written down, and it is no more than a run may take."""

from __future__ import annotations

import re
from pathlib import Path

from costs import grows, table
from sampling import module_of

from reducers.registry import PAGES

HERE = Path(__file__).parent
README = (HERE / "README.md").read_text(encoding="utf-8")


def test_what_grows_with_the_games_is_told_from_what_does_not() -> None:
    """If this failed, the budget would be reckoned from the wrong figures."""
    everybody = dict.fromkeys(PAGES, 2.0)
    assert grows("tests/test_conformance.py::test_a", everybody)
    assert grows("tests/games/test_kaiser.py::test_R1", {"kaiser": 1.0})
    assert grows("tests/test_compiled.py::test_a", {"*": 1.0})
    assert not grows("tests/replay/test_frame.py::test_a", {"kaiser": 1.0, "scopa": 1.0})
    assert not grows("tests/records/test_store.py::test_a", {"": 1.0})
    lines = list(table({"tests/a.py::test_a": everybody, "tests/a.py::test_b": {"": 3.0}}, 2.0 * len(PAGES) + 4))
    assert lines[1].split() == ["tests/a.py", "3.0", "2.00"]
    assert lines[2].split()[-2:] == ["3.0", "2.00"]
    assert lines[3].split()[-1] == "1.0"
    assert {line.split()[0] for line in lines[5:]} == set(PAGES)


MODULE = re.compile(r"`([\w/<>]*test_[\w<>]+\.py)`")


def rows() -> list[tuple[str, float, float]]:
    """The table of the budget: whose cost it is, and the CPU seconds in `make test` and in `make test-rest`."""
    cells = [line.strip("|").split("|") for line in README.splitlines() if line.startswith("|")]
    return [
        (first.strip(), float(rest[0]), float(rest[1])) for first, *rest in cells if re.fullmatch(r" [\d.]+ ", rest[0])
    ]


def test_the_budget_names_every_module() -> None:
    """If this failed, a module could take any time and stand in no table."""
    own = {f"games/test_{module_of(game)}.py" for game in PAGES}
    there = {str(path.relative_to(HERE)) for path in HERE.glob("**/test_*.py")} - own
    named = sorted(name for first, *_ in rows() for name in MODULE.findall(first))
    assert named == sorted({*there, "games/test_<game>.py"})


def number_in_the_readme(pattern: str) -> int:
    found = re.search(pattern, README)
    assert found is not None, pattern
    return int(found[1].replace(",", ""))


def test_the_budget_adds_up() -> None:
    """If this failed, `make test` or `make test-rest` would take longer than the table says, or too long."""
    *parts, (last, short, rest) = rows()
    assert last == "all of it"
    assert (short, rest) == tuple(round(sum(part[i] for part in parts), 1) for i in (1, 2))
    assert short <= number_in_the_readme(r"(\d+) CPU seconds in `make test`")
    assert rest <= number_in_the_readme(r"([\d,]+) CPU seconds in all")
    assert (round(short), round(rest)) == tuple(
        map(number_in_the_readme, (r"They come to (\d+) and", r"They come to \d+ and ([\d,]+)\."))
    )
