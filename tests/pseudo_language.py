"""A language that marks every phrase and lengthens it by half, so that what is not translatable, or has no room for
longer words, is seen."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

CODE, NAME = "qps", "⟦pseudo⟧"
FILLER = "ipsum dolor sit amet sed diam nonumy eirmod tempor invidunt ut labore et dolore magna aliquyam erat sed"


def finder() -> ModuleType:
    """The program that finds the phrases of the sources."""
    path = Path(__file__).resolve().parent.parent / "tools" / "languages.py"
    spec = importlib.util.spec_from_file_location("finder", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def marked(text: str) -> str:
    """A phrase as the language has it.

    >>> marked("hand {n}")
    '⟦hand {n} ipsu⟧'
    """
    return f"⟦{text} {FILLER[: len(text) // 2].strip()}⟧"


def unmarked(text: str) -> str:
    """What of a text is no phrase.

    >>> unmarked("Ann ⟦plays ⟦clubs i⟧ ip⟧, 7")
    'Ann , 7'
    """
    out, deep = "", 0
    for sign in text:
        deep += (sign == "⟦") - (sign == "⟧")
        out += sign if not deep and sign != "⟧" else ""
    return out


def write_catalogue(folder: Path) -> None:
    """Write its catalogue into a folder."""
    found = finder()
    blocks = [f'msgid ""\nmsgstr ""\n"Language-Team: {NAME}\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"']
    texts = {**dict.fromkeys(found.phrases()), **dict.fromkeys((text, "") for text in found.game_phrases())}
    for one, many in texts:
        if many:
            blocks.append(
                f"msgid {quoted(one)}\nmsgid_plural {quoted(many)}\nmsgstr[0] {quoted(marked(one))}\n"
                f"msgstr[1] {quoted(marked(many))}"
            )
        else:
            blocks.append(f"msgid {quoted(one)}\nmsgstr {quoted(marked(one))}")
    (folder / f"{CODE}.po").write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
