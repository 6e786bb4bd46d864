"""The phrases of the sources, and the catalogues of their translations.

    python tools/languages.py              brings every catalogue up to date with the sources
    python tools/languages.py new ro română  begins a catalogue, with what the language calls itself
    python tools/languages.py terms        writes a page of each language, game by game, into docs/terms

What it writes needs Babel, with this checkout (`pip install -e '.[languages]'`); what it finds, the tests ask for too.
"""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from events.cards import RANK_NAMES, SEVERAL, SUIT_NAMES
from events.packs import PACKS
from reducers.piles import BY_NAME, WORDS
from reducers.registry import usable_pages
from replay.languages.catalogue import APART, FOLDER, codes, messages_in
from replay.languages.finished import FINISHED
from replay.languages.scripts import phrases_in_script
from replay.paper.sheet import WAYS
from replay.table.completion import ALWAYS, LOOKS
from replay.table.event_sentences import DECIDED, NUMBERS, ONE_SUIT
from replay.table.pad import SAID_AS, words_of_game
from replay.table.wording import SAID

ROOT = Path(__file__).resolve().parent.parent
Place = tuple[str, str]
"""A phrase and its plural, empty if it has none."""
CALLED = {"t": 1, "phrase": 1, "tn": 2}


def phrases_in_python(source: str) -> Iterator[Place]:
    """Each phrase of a module, with its plural."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLED:
            texts = [one.value for one in node.args[: CALLED[node.func.id]] if isinstance(one, ast.Constant)]
            if len(texts) == CALLED[node.func.id]:
                yield texts[0], texts[1] if len(texts) > 1 else ""


LISTED = (
    *SUIT_NAMES.values(), *(name.removesuffix("s") for name in SUIT_NAMES.values()), *RANK_NAMES.values(),
    *SEVERAL.values(), *NUMBERS, *ONE_SUIT.values(), *DECIDED.values(), *SAID.values(), *SAID_AS.values(),
    *ALWAYS.values(), *LOOKS.values(), *WAYS.values(), *PACKS,
    "nt", "no", *(WORDS.get(stem, stem) for stem in BY_NAME if stem != "*"), "pot", "deck",
)  # fmt: skip
"""Phrases in tables of words, which are looked up when they are said."""


def phrases() -> dict[Place, list[str]]:
    """Every phrase of the pages, with the files that have it."""
    found: dict[Place, list[str]] = {(text, ""): ["tables of words"] for text in (*LISTED, *FINISHED)}
    for room in ("replay", "service", "cli"):
        for path in sorted((ROOT / room).rglob("*")):
            if path.suffix == ".py" or (path.suffix == ".js" and path.parent.name == "static"):
                text = path.read_text(encoding="utf-8")
                made = phrases_in_python(text) if path.suffix == ".py" else phrases_in_script(text)
                for one in made:
                    files = found.setdefault(one, [])
                    name = str(path.relative_to(ROOT))
                    if name not in files:
                        files.append(name)
    # What has a plural is one entry of a catalogue, whoever says it without.
    for one, many in list(found):
        if many:
            found.pop((one, ""), None)
    return found


def game_phrases() -> dict[str, list[str]]:
    """Every phrase that the pages of games declare, and the words of the Spanish pack, with the games that have it."""
    found: dict[str, list[str]] = {}
    for game in usable_pages()[0]:
        for text in words_of_game(game):
            games = found.setdefault(text, [])
            if game.key not in games:
                games.append(game.key)
    spanish = PACKS["spanish"]
    for term in (*spanish.suits.values(), *(spanish.ranks[rank] for rank in "AJQK")):
        for text in (term.one, term.many):
            found.setdefault(text, []).append("the Spanish pack")
    return found


def bring_up_to_date(code: str, name: str = "") -> None:
    """Write the catalogue of a language anew: its translations stay, what the sources no longer say goes to the end."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import read_po, write_po

    path = Path(FOLDER) / f"{code}.po"
    template = Catalog(project="Kibitz", charset="utf-8")
    known = phrases()
    for (one, many), files in sorted(known.items(), key=lambda item: (item[1], item[0])):
        template.add((one, many) if many else one, locations=[(file, None) for file in files])
    said = {one for one, _ in known}
    for text, games in sorted(game_phrases().items(), key=lambda item: (item[1], item[0])):
        if text not in said:
            template.add(text, auto_comments=[f"of {', '.join(games)}"])
    if path.exists():
        with path.open("rb") as file:
            kept = read_po(file, locale=code, ignore_obsolete=False)
        for own in [one for one in kept if one.context and one.id in template]:
            template.add(own.id, context=own.context)
        # The date would differ in every change, and be all that two of them disagree about.
        made = kept.creation_date
        kept.update(template, no_fuzzy_matching=True)
        kept.creation_date = made
    else:
        kept = template
        kept.locale = code
        kept.language_team = name or code
        # Babel has a third form for millions, which no page counts. Whoever translates puts the rule right.
        kept._num_plurals, kept._plural_expr = 2, "(n != 1)"
    for message in kept:
        message.flags.discard("python-format")
        message.flags.discard("python-brace-format")
    kept.header_comment = f"# The phrases of Kibitz: {kept.language_team} (docs/translating.md)"
    with path.open("wb") as file:
        write_po(file, kept, width=110, omit_header=False, include_previous=False, include_lineno=False)


def terms(code: str) -> str:
    """The page of a language: suits and ranks, then the words of each game; what is missing is said in English."""
    text = (Path(FOLDER) / f"{code}.po").read_text(encoding="utf-8")
    kept = {one.key: one.said.get(0, "") for one in messages_in(text)}
    heads = ["| English | |", "|---|---|"]

    def rows(texts: Iterable[str], game: str = "") -> list[str]:
        return [f"| {text} | {kept.get(f'{game}{APART}{text}') or kept.get(text, '')} |" for text in texts]

    lines = [f"# The words of games: {code}", "", "## Suits and ranks", "", *heads]
    lines += rows((*SUIT_NAMES.values(), *RANK_NAMES.values()))
    for game in usable_pages()[0]:
        lines += ["", f"## {game.name}", "", *heads, *rows(dict.fromkeys(words_of_game(game)), game.key)]
    return "\n".join([*lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="?", default="update", choices=("update", "new", "terms"))
    parser.add_argument("of", nargs="*")
    asked = parser.parse_args()
    if asked.what == "terms":
        folder = ROOT / "docs" / "terms"
        folder.mkdir(exist_ok=True)
        for code in codes():
            (folder / f"{code}.md").write_text(terms(code), encoding="utf-8")
    elif asked.what == "new":
        bring_up_to_date(asked.of[0], " ".join(asked.of[1:]))
    else:
        for code in codes():
            bring_up_to_date(code)


if __name__ == "__main__":
    main()
