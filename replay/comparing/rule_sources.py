"""The content hash of a game's rules: the sources of its page and of the shared modules that it imports.

It is loaded only when a verdict is stored or compared: what it needs takes as long to load as a record to judge.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from reducers.registry import module_of_page

SHARED = ("reducers.words", "reducers.games")


@cache
def page_hash(game: str) -> str:
    """The content hash of a game module, defined in `replay.comparing.recheck`; "" without its source."""
    sources: dict[str, str] = {}
    page = module_of_page(game)
    wanted = [page] if page else []
    own = page.partition(".")[0]
    while wanted:
        name = wanted.pop()
        if name in sources:
            continue
        source = _source(name)
        if source is None:
            return ""
        sources[name] = source
        wanted += [m for m in _imported(source, own) if m not in sources]
    return hash_of(sources) if sources else ""


def hash_of(sources: dict[str, str]) -> str:
    """SHA-256 over sources by module name; carriage returns before line ends are ignored.

    >>> hash_of({"a": "x = 1\\r\\n"}) == hash_of({"a": "x = 1\\n"}) != hash_of({"b": "x = 1\\n"})
    True
    """
    digest = hashlib.sha256()
    for name in sorted(sources):
        data = sources[name].replace("\r\n", "\n").encode()
        digest.update(f"{name} {len(data)}\n".encode() + data)
    return digest.hexdigest()


def _source(name: str) -> str | None:
    spec = importlib.util.find_spec(name)
    get = getattr(spec.loader, "get_source", None) if spec is not None else None
    try:
        source = get(name) if get is not None else None
        if source is None and spec is not None and spec.origin:
            # If the loader has no source, or the module was compiled, the file has it, or the .py file beside it.
            file = Path(spec.origin)
            with tokenize.open(
                file if file.suffix == ".py" else file.with_name(f"{name.rpartition('.')[2]}.py")
            ) as text:
                source = text.read()
    except (ImportError, OSError, SyntaxError, UnicodeError):
        return None
    return source if isinstance(source, str) else None


def _imported(source: str, own: str) -> Iterator[str]:
    """The shared modules that a game module imports, anywhere in it, and those of its own distribution (package
    `own`)."""
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module] if node.module not in SHARED else [f"{node.module}.{a.name}" for a in node.names]
        yield from (
            n for n in names if n.rpartition(".")[0] in SHARED or (own != "reducers" and n.partition(".")[0] == own)
        )
