"""The command `new-game`: writes a distribution with a page, its tests and an example, which pass at once."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from cli import shell
from cli.options import argument, option
from events.errors import ConflictError, NotFoundError, UsageError

NAME = Annotated[str, argument("NAME", "The key of the game, as hearts or german-whist.")]
FOLDER = Annotated[
    str, option("-o --output", "FOLDER", "The folder to write, which must not exist.", default="kibitz-NAME")
]

_BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


@shell.command("new-game", store=False)
def new_game_command(name: NAME, output: FOLDER = "") -> None:
    """Begin a game of your own: a small package with a page, its tests and an example, which pass at once."""
    from reducers.registry import installed_games

    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or len(name) > 40:
        raise UsageError(
            f"{name[:60]!r} is no key of a game", expected="lower-case words with hyphens, as german-whist",
        )
    if name in installed_games():
        raise ConflictError(f"there is a game '{name}' already", todo="Take another name; `kibitz games` lists them.")
    folder = Path(output or f"kibitz-{name}")
    if folder.exists():
        raise ConflictError(f"{folder} is there already", todo="Take another folder with -o; nothing was written.")
    for path, text in _files(name):
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
        shell.out(str(file))
    shell.out(f"Now, in {folder}: pip install -e '.[test]' and pytest. README.md says how to go on.")


def _files(name: str) -> Iterator[tuple[str, str]]:
    """The path and the text of each file: those of Forehand, with its names replaced."""
    guide, parts = _sources()
    page, cases = _BLOCK.findall(guide.read_text(encoding="utf-8"))
    module = name.replace("-", "_")
    texts = {
        "pyproject.toml": "pyproject.toml", "README.md": "README.md", "tests/conftest.py": "conftest.py",
        f"examples/{name}.kib": "forehand.kib", f"tests/playthroughs/{name}.txt": "playthrough.txt",
    }  # fmt: skip
    yield f"kibitz_{module}/__init__.py", _named(page, name)
    yield f"kibitz_{module}/py.typed", ""
    yield f"tests/test_{module}.py", _named(
        cases.replace("from given import", "from replay.testing.given import"), name,
    )
    for path, part in texts.items():
        yield path, _named((parts / part).read_text(encoding="utf-8"), name)


def _named(text: str, name: str) -> str:
    """The text with the names of this game for those of Forehand."""
    module = name.replace("-", "_")
    for old, new in (
        ("kibitz_forehand", f"kibitz_{module}"), ("test_forehand", f"test_{module}"), ("forehand", name),
        ("Forehand", name.replace("-", " ").title()),
    ):
        text = text.replace(old, new)
    return text


def _sources() -> tuple[Path, Path]:
    """The guide with the page and its cases, and the folder with the other files: beside this module if installed,
    else in the checkout."""
    here = Path(__file__).parent
    for guide, parts in (
        (here / "examples" / "adding-a-game.md", here / "examples" / "new-game"),
        (here.parent / "docs" / "adding-a-game.md", here.parent / "examples" / "new-game"),
    ):
        if guide.is_file() and parts.is_dir():
            return guide, parts
    raise NotFoundError("the template of a game is missing", where=str(here), todo="Install Kibitz again")
