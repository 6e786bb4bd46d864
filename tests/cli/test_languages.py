"""An evening at a terminal in another language: every answer, question and result is a phrase of the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pseudo_language import CODE, marked, unmarked, write_catalogue
from replays import EXAMPLES, example

from cli import shell
from cli.recording import Recording
from records.files import load_files
from reducers.evolve import evolve
from reducers.first_state import begin
from replay.languages import catalogue as catalogues
from replay.languages import translate
from replay.languages.translate import in_language, speaking
from replay.read_log import read_log

from .conftest import Kibitz, call

GAMES = (
    "scopa-sunday", "briscola-bar", "botifarra-cafe", "tresette-osteria", "xeri-kafenio", "tute-plaza", "burraco-club",
    "myllymatti-sauna", "couillon-estaminet", "kaiser-evening",
)
"""Every other one is recorded; all are asked for their results."""
LOOKS = ("?", "help", "help all", "show", "score")
TYPED = re.compile(
    r"^ *(?:undo  undo line .*|note 15 text .*|hand(?:  deal)?|… \{text\}) *$"
    r"|`[^`]*`|\b(?:result|deal|fault) [\w.,=… -]+|\b[a-z]+(?:\.\w+)?=\S*|\b[cdhs][0-9ajqkt]+\b"
    r"|\b[ajqk2-9t][cdhs]\b|[♣♦♥♠][0-9AKQJ]+|\*x\?\?|x\?\?|Joker|\bnt\b|@ .*|\(seats .*\)|\{text\}"
    r"|\w+ \((?:\s*\)|$)|· \w+$|\b[a-z]+\.[A-Z]",
    re.MULTILINE,
)
"""What is typed is the same in every language: lines in backquotes, usages, keys of a tally; cards are signs."""


@pytest.fixture(scope="module", autouse=True)
def _pseudo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The language of the tests beside the others."""
    folder = tmp_path_factory.mktemp("languages")
    write_catalogue(folder)

    def forget() -> None:
        for kept in (catalogues.catalogue, catalogues.codes, translate.language_for):
            kept.cache_clear()
        translate._offered.cache_clear()
        translate._told.cache_clear()
        translate._templates.cache_clear()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalogues, "FOLDER", str(folder))
        forget()
        yield
    forget()


class Evening:
    """Types lines, and keeps what it was asked."""

    def __init__(self, lines: list[str]) -> None:
        self.lines, self.prompts = list(reversed(lines)), list[str]()

    def __call__(self, prompt: str) -> str:
        self.prompts.append(prompt)
        if not self.lines:
            raise EOFError
        return self.lines.pop()


def english_in(text: str, own: set[str]) -> list[str]:
    """The words of a screen that no phrase has, line by line."""
    examples = marked("for example"), marked("written out")
    shown = "\n".join(line for line in text.splitlines() if not line.strip().startswith(examples))
    # A word that is typed, before its meaning.
    shown = re.sub(r"^  [a-z-]+(?=  +⟦)|^The table's arithmetic differs.*", "", shown, flags=re.MULTILINE)
    rest = TYPED.sub("", unmarked(shown))
    for name in sorted(own, key=len, reverse=True):
        rest = rest.replace(name, "")
    return [line.strip() for line in rest.splitlines() if re.search(r"[^\W\d_]{2}", line)]


def begun(name: str, kibitz: Kibitz, tmp_path: Path) -> tuple[list[str], set[str]]:
    """A match `eve` with the players of an example: the lines of its moves, and the names."""
    head, _, moves = example(name).read_text(encoding="utf-8").partition("\n\n")
    (tmp_path / "head.kib").write_text(re.sub(r"\[Pack .*\]\n", "", head) + "\n", encoding="utf-8")
    assert kibitz("import", "head.kib", "--match", "eve").code == 0
    typed = [line.partition(". ")[2].partition(" {")[0] for line in moves.splitlines() if line[:1].isdigit()]
    own = {"eve", *re.findall(r'"([^"]+)"', head)}
    return (
        [line for line in typed if not line.partition(" ")[2].startswith(("end match", "note", "open"))],
        own | {part for text in own for part in text.split()},
    )


def recorded(lines: list[str]) -> Evening:
    """Record the match in the language of the tests; who typed, with the prompts."""
    person = Evening(lines)
    shell.settings = shell.RunSettings()
    with speaking(CODE):
        Recording("eve", terminal=True, ask=person).run()
    return person


@pytest.mark.parametrize("name", GAMES[::2])
def test_an_evening_at_a_terminal_says_nothing_in_english_only(
    name: str, kibitz: Kibitz, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Findings are English until their sentences are templates."""
    typed, own = begun(name, kibitz, tmp_path)
    lines = [*LOOKS]
    for i, line in enumerate(typed if name == "scopa-sunday" else typed[:45]):
        lines += [f"{line} !", *(LOOKS[::3] if i % 9 == 5 else ()), *(("score", "undo", "redo") if i % 40 == 9 else ())]
    # The longer phrases of the language must not be cut off.
    monkeypatch.setattr("replay.table.game_help.SCREEN", 200)
    monkeypatch.setattr("replay.judging.offers.findings_in_order", lambda findings, offers: ())
    person, said = recorded([*lines, "show", "quit"]), capsys.readouterr()
    assert len(person.prompts) > len(lines) // 2
    assert sorted(set(english_in("\n".join([said.out, said.err, *person.prompts]), own))) == []


@pytest.mark.parametrize("name", GAMES)
def test_the_questions_about_a_result_are_asked_in_the_language(
    name: str, kibitz: Kibitz, tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    _, own = begun(name, kibitz, tmp_path)
    person, said = recorded(["r", "-", "-", "undo", "zzz", *["-"] * 12]), capsys.readouterr()
    assert len(person.prompts) > 3
    assert english_in("\n".join([said.out, said.err, *person.prompts]).replace("zzz", ""), own) == []


def test_a_doubt_and_a_choice_are_in_the_language(
    kibitz: Kibitz, tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    """The rule and its reason are English until the sentences of verdicts are templates."""
    _, own = begun("kaiser-evening", kibitz, tmp_path)
    lines = ["bid 7", "p", "p", "p", "h", "E Kh", "n", "S Kh", "n", "Kd x x x", "ha", "", "quit"]
    person, said = recorded(lines), capsys.readouterr()
    shown = "\n".join([said.out, said.err, *person.prompts])
    assert "Which one?" in shown
    assert "Keep it" in shown
    rule, because = marked("rule"), marked("because")
    shown = "\n".join(line for line in shown.splitlines() if not line.strip().startswith((rule, because)))
    assert english_in(shown, own) == []


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[set[str]]:
    """A store of evenings with findings, imported in the language; the words that are nobody's phrases."""
    own = {"home"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KIBITZ_DB", str(tmp_path_factory.mktemp("club") / "kibitz.db"))
        for name in ("kaiser-evening", "court-piece-verandah", "scopa-sunday"):
            text = example(name).read_text(encoding="utf-8")
            own |= {*re.findall(r'"([^"]+)"', text), *re.findall(r"\{([^}]+)\}", text), name}
            said = call(("import", example(name), "--lang", CODE))
            assert said.code in (0, 3)
            assert english_in(said.out + said.err, own) == []
        yield own | {part for text in own for part in text.split() if part[:1].isupper()}


LOOKING: dict[tuple[str, ...], int] = {
    ("check", "kaiser-evening", "--open"): 3, ("check", "court-piece-verandah", "--open"): 3,
    ("check", "kaiser-evening", "scopa-sunday"): 3, ("check", "scopa-sunday"): 0, ("replay", "kaiser-evening"): 0,
    ("replay", "court-piece-verandah"): 0, ("list", "--results"): 0, ("find", "--comment", "queen"): 0,
    ("find", "--comment", "zzz"): 0, ("season",): 0, ("show", "kaiser-evening"): 0, ("score", "scopa-sunday"): 0,
}
"""Commands that print, with their exit codes in every language."""


@pytest.mark.parametrize("words", LOOKING, ids="_".join)
def test_what_a_command_prints_is_in_the_language(words: tuple[str, ...], club: set[str]) -> None:
    """If this failed, a player who reads no English would not learn what was found in the evening."""
    said = call((*words, "--lang", CODE))
    assert said.code == LOOKING[words]
    assert "⟦" in said.out + said.err
    shown = re.sub(r"\{[^}]*\}|[\w-]+\.[RT]\d+|#\d+", "", said.out + said.err)
    assert english_in(shown, club) == []


@pytest.mark.parametrize("words", [one for one in LOOKING if one[0] != "show" and "zzz" not in one], ids="_".join)
def test_data_are_the_same_in_every_language(
    words: tuple[str, ...], club: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If this failed, a program that reads what a command prints would break where another language is spoken."""
    table = tmp_path / "table.csv"
    forms = [("--json",), *([("--csv",)] if words[0] in ("list", "find", "score") else [])]
    forms += [("-o", str(table))] if words[0] == "season" else []
    for form in forms:
        told = []
        for code in ("", CODE):
            monkeypatch.setenv("LC_ALL", code or "C")
            said = call((*words, *form, *(("--lang", code) if code else ())))
            assert said.code == LOOKING[words]
            told.append(table.read_text(encoding="utf-8") if "-o" in form else said.out)
        assert told[0] == told[1]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_what_a_hand_came_to_is_said_in_the_language(path: Path) -> None:
    """If this failed, the answer to a card, or a line of the score, would be half in English."""
    [loaded] = load_files(str(path))
    log = read_log(loaded.records)
    state = begin(log.view.opening.facts)
    texts: dict[str, None] = {}
    for placed in log.view.events:
        state.at = state.table.now = placed.n
        evolve(state, placed.event)
        texts[state.game.display.last_outcome_text(state) if state.number else ""] = None
    for hand in state.scores:
        texts |= dict.fromkeys((hand.result, *hand.notes, *hand.unknown))
        for line in hand.lines:
            texts |= dict.fromkeys((line.label, *line.sums.values()))
    names = {*state.terms.names.values(), *state.terms.sides}
    with speaking(CODE):
        told = "\n".join(in_language(text, state.game.key) for text in (*texts, *(text for _, text in state.inferred)))
    assert english_in(told, {*names, *(word for name in names for word in name.split())}) == []


def test_a_record_that_contradicts_itself_is_explained_in_the_language(club: set[str], tmp_path: Path) -> None:
    """If this failed, a recorder who reads no English could not put the record right."""
    plays = ("N play Kh", "E play 9h", "S play Ah", "W play 8h", "S play Kh", "W play 9h", "N play Td", "N play 7d")
    lines = ["W hand 1", "N bid 7", "E pass", "S pass", "W pass", "N name h", *plays]
    head = ['%kib 1', '[Game "kaiser"]', '[Seats "N E S W"]', *(f'[{seat} "Anna"]' for seat in "NESW"), ""]
    wrong = tmp_path / "wrong.kib"
    wrong.write_text("\n".join([*head, *(f"{n}. {line}" for n, line in enumerate(lines, 1))]), encoding="utf-8")
    said = call(("check", "--open", wrong, "--lang", CODE))
    assert said.code == 3
    assert marked("perhaps") in said.out
    assert english_in(re.sub(r"[\w-]+\.[RT]\d+", "", said.out), {*club, str(wrong), "Anna"}) == []
