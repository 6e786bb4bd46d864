"""Writing into matches: a full evening by the command line, appending, correcting, two recorders, being asked once."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import sys
import time
from pathlib import Path

import pytest

from cli import shell
from cli.recording import Recording
from cli.scribe import StoreScribe
from reducers.first_state import begin
from reducers.registry import PAGES, find_game
from replay.table.game_help import help_lines
from replay.table.result_line import usage

from .conftest import REVOKE, SEATS, Kibitz, environment


def test_a_full_evening(kibitz: Kibitz, tmp_path: Path) -> None:
    """From the first command to the sheet, and the export of the import is the export."""
    assert kibitz("simulate", "kaiser", "--seed", "5", "-o", "sim").code == 0
    (file,) = (tmp_path / "sim").iterdir()
    typed = [line.partition(". ")[2].partition(" {")[0] for line in file.read_text().splitlines() if line[:1].isdigit()]
    assert kibitz("new", "kaiser", *SEATS, "--id", "eve", "--book", "league").out == "eve\n"
    done = kibitz("--recorder", "Ida", "record", "eve", stdin="\n".join(typed[1:]))
    assert done.code == 0
    assert done.err == ""
    assert len(done.out.splitlines()) == len(typed) - 1
    assert done.out.splitlines()[-1].endswith("won the match")
    (row,) = kibitz("list", "--json", "--book", "league").json
    # The last event is the one that keeps what stood.
    assert (row["match"], row["last"], row["over"]) == ("eve", len(typed), True)
    assert kibitz("list", "--json", "--game", "scopa").json == []
    assert kibitz("check", "eve").code == 0
    for command in ("log", "show", "replay", "score", "sheet"):
        result = kibitz(command, "eve")
        assert result.code == 0
        assert result.err == ""
        assert "Anna" in result.out
    assert kibitz("show", "eve", "--at", "2", "--as", "n").code == 0
    assert kibitz("export", "eve", "-o", "eve.kib").out == ""
    assert kibitz("check", "eve.kib").code == 0
    for form in ("kib", "jsonl"):
        text = kibitz("export", "eve", "--format", form).out
        (tmp_path / f"eve.{form}").write_text(text)
        brought = kibitz("--db", f"{form}.db", "import", f"eve.{form}", "--json").json[0]
        assert (brought["match"], brought["status"], brought["added"]) == ("eve", "new", len(typed) + 1)
        assert kibitz("--db", f"{form}.db", "export", "eve", "--format", form).out == text
        assert kibitz("--db", f"{form}.db", "list", "--json").json[0]["over"] is True
        assert kibitz("--db", f"{form}.db", "import", f"eve.{form}").out == "eve: already here\n"


def test_record_resumes_the_last_open_match(evening: Kibitz) -> None:
    """Without an id the match goes on that was changed last."""
    assert evening("new", "kaiser", "--id", "other").code == 0
    assert evening("record", stdin="7\n").out.startswith("1  N bids 7")
    assert len(evening("log", "other", "--json").out.splitlines()) == 2
    assert evening("undo", "eve").code == 0
    assert "eve" in evening("list").out.splitlines()[1]


def test_record_names_a_bad_line_and_goes_on(evening: Kibitz) -> None:
    """Nothing that was recorded is lost, and the exit code of a pipe says that a line was not read."""
    result = evening("record", "eve", stdin=b"Kh\n8c\n\xff\nplay play\nfrobnicate 7\n3h4h\nquit\nTd\n")
    assert result.code == 4
    assert result.out.startswith("6  Anna K♥")
    assert "line 3: this is not UTF-8 text" in result.err
    assert "line 4 'play play'" in result.err
    assert "line 5 'frobnicate 7'" in result.err
    assert "Td" not in evening("log", "eve").out


def test_record_marks_a_breach_from_a_pipe(evening: Kibitz) -> None:
    """Nobody is there to be asked: the act is kept as it was played; --strict refuses that line alone."""
    result = evening("record", "eve", "--strict", stdin="Kh\nS Th\nE 9h\n")
    assert result.code == 0
    assert "refused" in result.err
    assert [
        line.partition(" {")[0] for line in evening("log", "eve").out.splitlines()[-2:]
    ] == ["6. N play Kh", "7. E play 9h"]
    result = evening("record", "eve", stdin="N Th\n")
    assert result.code == 0
    assert result.out.startswith("8  Anna 10♥")
    assert evening("check", "eve").code == 3


def test_what_shows_later_is_told_when_the_hand_ends_or_at_once(evening: Kibitz) -> None:
    """A recorder does not coach the table unless --alert asks for it."""
    assert "R11" not in evening("record", "eve", stdin="Kh c8 h8 h9\nAh\nTh\n").out
    evening("new", "kaiser", "--id", "alert")
    assert "kaiser.R11" in evening("record", "alert", "--alert", stdin="7\np\np\np\nh\nKh c8 h8 h9\nAh\nTh\n").out


def test_help_about_something_is_help(evening: Kibitz) -> None:
    """If this failed, `help bid` would be called no verb."""
    assert evening("record", "eve", stdin="help bid\n").out == evening("record", "eve", stdin="help\n").out
    assert evening("record", "eve", stdin="help all\n").out != evening("record", "eve", stdin="help\n").out


def test_every_look_is_a_line(evening: Kibitz) -> None:
    """`?`, help, show, score, sheet, check and log answer without writing anything."""
    looks = ("?", "help", "show", "score", "sheet", "check", "log")
    result = evening("record", "eve", stdin="\n".join(looks))
    assert result.code == 0
    assert result.err == ""
    assert "last" not in result.err
    assert evening("list", "--json").json[0]["last"] == 5
    for words in ("R", "undo", "hand 1", "score", "Kaiser", "no rule was broken", "5. N name h"):
        assert words in result.out


@pytest.mark.parametrize("game", sorted(PAGES))
def test_help_is_that_of_the_game(game: str) -> None:
    """If this failed, somebody at the table would read how another game is typed."""
    page = find_game(game)
    lines = list(help_lines(begin({"Game": game})))
    told = " ".join(" ".join(lines).split())
    assert max(map(len, lines)) <= 78
    for phase in page.phases.values():
        assert f"{phase.name} " in told
        assert " ".join(phase.expects.split()) in told
    for key, fact in page.tally.facts.items():
        assert f"{key.split('.')[0]}" in told
        assert " ".join(fact.meaning.split()) in told
    assert usage(begin({"Game": game})) in told
    one_card, tricks = any(phase.one_card for phase in page.phases.values()), page.family.startswith("tricks")
    assert ("a whole trick" in told) == (one_card and tricks)
    assert ("cards of each in turn" in told) == (one_card and not tricks)


@pytest.mark.rest
def test_every_writing_command_is_also_a_line(evening: Kibitz) -> None:
    """fix, undo, note, claim, confirm, tally and fault write the same event either way."""
    lines = {
        "fix 2 bid 8": ("fix", "eve", "2", "bid", "8"),
        "fix 2+ S pass": ("fix", "eve", "2+", "S", "pass"),
        "fix 3-": ("fix", "eve", "3-"),
        "note 2 well done": ("note", "eve", "2", "well", "done"),
        "claim NS=7": ("claim", "eve", "NS=7"),
        "NS claim 7": ("claim", "eve", "--by", "ns", "7"),
        "confirm": ("confirm", "eve"),
        "tally tricks.NS=5": ("tally", "eve", "tricks.NS=5"),
        "fault revoke E #2": ("fault", "eve", "revoke", "E", "#2"),
        "undo": ("undo", "eve"),
    }
    evening("export", "eve", "-o", "eve.kib")
    for name in ("typed", "called"):
        evening("--db", f"{name}.db", "import", "eve.kib")
    for line, words in lines.items():
        typed = evening("--db", "typed.db", "record", "eve", stdin=line)
        called = evening("--db", "called.db", *words)
        assert (typed.code, called.code) == (0, 0), (line, typed.err, called.err)
        assert typed.out == called.out
    events = [
        re.sub(r"\[%t [^]]*\]", "", evening("--db", f"{name}.db", "log", "eve").out) for name in ("typed", "called")
    ]
    assert events[0] == events[1]


def test_notes_carry_text_and_marks(evening: Kibitz) -> None:
    """A note keeps its words, whatever they are, and its mark."""
    assert evening("note", "eve", "2", "a {brace} and Zoë", "--glyph", "?!").code == 0
    assert "@ note #2 $6 {a \\{brace\\} and Zoë" in evening("log", "eve").out
    assert evening("note", "eve", "0", "nice evening", "--json").json["first"] == 7


# -- append -----------------------------------------------------------------------------------------------------------


def test_append_takes_typed_strict_and_json_lines(evening: Kibitz) -> None:
    """All in one commit, the answer for the whole."""
    result = evening(
        "append", "eve", "-",
        stdin="6. N play Kh {out loud [%by Ida]}\nc8\n" + '{"event":{"by":"S","cards":["8h"],"verb":"play"},"n":8}\n',
    )
    assert result.code == 0
    assert result.out.startswith("6–8")
    log = evening("log", "eve").out
    assert "6. N play Kh {out loud [%t" in log
    assert "[%by Ida]" in log


def test_append_is_all_or_none(evening: Kibitz) -> None:
    """A bad line keeps the good ones out too, and is named."""
    result = evening("append", "eve", "-", stdin="Kh\nfrobnicate 7\n")
    assert result.code == 4
    assert "standard input, line 2, column 1" in result.err
    assert "Nothing was written" in result.err
    assert "Kh" not in evening("log", "eve").out
    assert evening("append", "eve", "-", stdin="7. N play Kh\n").code == 4


def test_a_conflict_prints_what_was_missed(evening: Kibitz) -> None:
    """Exit code 6, the unseen events as lines or as JSON; nothing is merged."""
    result = evening("append", "eve", "-", "--expect", "3", stdin="p\n")
    assert result.code == 6
    assert [line.partition(" {")[0] for line in result.out.splitlines()] == ["4. W pass", "5. N name h"]
    missed = evening("append", "eve", "-", "--expect", "3", "--json", stdin="p\n").json
    assert (missed["expect"], missed["last"], [u["n"] for u in missed["unseen"]]) == (3, 5, [4, 5])
    assert evening("append", "eve", "-", "--expect", "9", stdin="p\n").code == 6


def test_a_retry_with_the_same_key_does_no_harm(evening: Kibitz) -> None:
    """The same lines under the same key again give the same answer, also when others have written since."""
    first = evening("append", "eve", "-", "--key", "k1", "--expect", "5", "--json", stdin="Kh\n8c\n")
    assert (first.code, first.json["first"], first.json["last"]) == (0, 6, 7)
    evening("append", "eve", "-", stdin="h8\n")
    again = evening("append", "eve", "-", "--key", "k1", "--expect", "5", "--json", stdin="Kh\n8c\n")
    assert (again.code, again.json["first"], again.json["last"], again.json["repeated"]) == (0, 6, 7, True)
    other = evening("append", "eve", "-", "--key", "k1", stdin="Kh\n9c\n")
    assert other.code == 6
    assert "k1" in other.err
    assert evening("list", "--json").json[0]["last"] == 8


# -- import -----------------------------------------------------------------------------------------------------------


def test_import_keeps_good_files_when_one_is_bad(kibitz: Kibitz, tmp_path: Path) -> None:
    """Each file stands for itself; the worst gives the code."""
    (tmp_path / "good.kib").write_text(REVOKE)
    (tmp_path / "bad.kib").write_text(REVOKE.replace("9. S play 8h", "9. S plya 8h"))
    result = kibitz("import", "bad.kib", "good.kib")
    assert result.code == 4
    assert result.out == "revoke: new, 15 events including the opening\n"
    assert "bad.kib, line 15" in result.err
    (tmp_path / "other.kib").write_text(REVOKE.replace("N bid 7", "N bid 8"))
    result = kibitz("import", "other.kib")
    assert result.code == 6
    assert "event 2" in result.err
    assert kibitz("import", "other.kib", "--match", "second").code == 0


def test_import_compares_derived_lines(evening: Kibitz, tmp_path: Path) -> None:
    """A derived line that does not match is a finding, and the match is kept."""
    evening("simulate", "kaiser", "--seed", "1", "--hands", "2", "-o", "a.jsonl")
    evening("import", "a.jsonl", "--match", "two")
    text = evening("export", "two").out
    assert "= hand 1:" in text
    (tmp_path / "two.kib").write_text(
        text.replace("= hand 1: NS +", "= hand 1: NS +9", 1).replace("= hand 1: NS -", "= hand 1: NS -9", 1)
    )
    result = evening("--db", "b.db", "import", "two.kib")
    assert result.code == 3
    assert "table.T8" in result.out
    assert evening("--db", "b.db", "export", "kaiser-1-0001").out == text
    assert evening("check", "two.kib").code == 3


def test_import_exits_with_the_code_that_its_help_gives(kibitz: Kibitz, tmp_path: Path) -> None:
    """3 if a derived line differs, and only then: a broken rule is for `check` to say."""
    told = " ".join(kibitz("import", "--help").out.split())
    assert "Exit code 3 if a derived line (=) differs from what is computed." in told
    (tmp_path / "revoke.kib").write_text(REVOKE)
    (tmp_path / "wrong.kib").write_text(REVOKE.replace('"revoke"', '"wrong"') + "= hand 1: NS +99 EW +0 (NS 99 EW 0)\n")
    assert kibitz("import", "revoke.kib").code == 0
    assert kibitz("check", "revoke").code == 3
    assert kibitz("import", "wrong.kib").code == 3


def test_json_lines_may_hold_many_matches(kibitz: Kibitz) -> None:
    """What `simulate` writes into one file comes in as so many matches, and is read one after the other."""
    assert kibitz(
        "simulate", "kaiser", "--matches", "3", "--hands", "1", "--mischief", "0.3", "-o", "all.jsonl",
    ).code == 0
    result = kibitz("import", "all.jsonl", "--json")
    assert result.code == 0
    assert [b["match"] for b in result.json] == ["kaiser-1-0001", "kaiser-1-0002", "kaiser-1-0003"]
    assert Path("all.truth.jsonl").read_text().count("\n") == 3
    said = kibitz("log", "all.jsonl")
    assert (said.code, said.out.count('[Match "kaiser-1-000')) == (0, 3)


def test_a_game_without_a_page_is_kept(kibitz: Kibitz) -> None:
    """A log outlives our knowledge of its rules: it is stored and carried away, only not judged."""
    text = REVOKE.replace("kaiser", "nosuchgame")
    result = kibitz("import", "-", stdin=text)
    assert result.code == 0
    assert "not judged" in result.err
    assert "nosuchgame" in kibitz("export", "revoke").out
    assert kibitz("check", "revoke").code == 5


# -- two recorders, and a person at the terminal -----------------------------------------------------------------------


class Person:
    """Somebody at the terminal who types these lines; a line may be something to do first."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.prompts: list[str] = []

    def __call__(self, prompt: str) -> str:
        self.prompts.append(prompt)
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)


def sit(person: Person, **how: bool) -> int:
    """A sitting at the match `eve`."""
    shell.settings = shell.RunSettings()
    return Recording("eve", terminal=True, ask=person, **how).run()


def test_a_breach_is_asked_about_once(evening: Kibitz, capsys: pytest.CaptureFixture[str]) -> None:
    """The paragraph is shown, y keeps the line, n drops it, another line takes its place; an open doubt never asks."""
    person = Person("S Kh", "n", "Kh", "N Th", "N Qh", "y", "8c", "quit")
    assert sit(person) == 0
    shown = capsys.readouterr()
    asked = [p for p in person.prompts if p.startswith("Keep")]
    assert len(asked) == 3
    assert person.prompts[0] == "1 play N> "
    assert "rule     kaiser.R9" in shown.err
    assert "nothing was written" in shown.err
    events = [line.partition(" {")[0] for line in evening("log", "eve").out.splitlines()]
    assert "6. N play Kh" in events
    assert "7. N play Qh" in events
    assert not any("Th" in e for e in events)


def test_a_tally_against_the_cards_is_asked_about_at_once(evening: Kibitz, capsys: pytest.CaptureFixture[str]) -> None:
    """With the names of the players; what agrees with the cards is not asked about."""
    impossible = "tally tricks.NS=0 tricks.EW=8"
    person = Person(
        "Ah", "8h", "9h", "Th", impossible, "n", impossible, "y", "undo", "tally tricks.NS=5 tricks.EW=3", "quit",
    )
    assert sit(person) == 0
    assert len([p for p in person.prompts if p.startswith("Keep")]) == 2
    assert "result: Anna & Cleo won trick 1: 8 tricks for Ben & Dan are not possible" in capsys.readouterr().err
    lines = evening("log", "eve").out
    assert "@ tally tricks.EW=8 tricks.NS=0" in lines
    assert "@ tally tricks.EW=3 tricks.NS=5" in lines
    # A command asks nothing, and says it.
    again = evening("tally", "eve", "tricks.NS=4", "tricks.EW=4")
    assert again.code == 0
    marked = "recorded as played, and marked: result: tricks of Anna & Cleo is 4, and was reported as 5"
    assert marked in " ".join(again.err.split())


@pytest.mark.parametrize("line", ["S Kh !", "S Kh"])
def test_a_breach_need_not_be_asked_about(line: str, evening: Kibitz) -> None:
    """`!` in the line, or --as-played, keeps it without a question."""
    person = Person(line)
    assert sit(person, as_played="!" not in line) == 0
    assert not [p for p in person.prompts if p.startswith("Keep")]
    assert "6. S play Kh" in evening("log", "eve").out


@pytest.mark.parametrize(("line", "said"), [("?", "Ben (E) to play"), ("h", "another recorder was quicker")])
def test_a_line_is_answered_in_the_position_of_the_store(
    line: str, said: str, evening: Kibitz, capsys: pytest.CaptureFixture[str],
) -> None:
    """If this failed, `?` would tell of a position that is over, and a line that does not fit there would be called
    wrong."""
    lines = [line]

    def ask(prompt: str) -> str:
        if lines:
            assert evening("append", "eve", "-", stdin="Ah\n").code == 0
            shell.settings = shell.RunSettings()
            return lines.pop()
        raise EOFError

    shell.settings = shell.RunSettings()
    Recording("eve", terminal=True, ask=ask).run()
    shown = "".join(capsys.readouterr())
    assert "6  Anna A♥ · Ben to play" in shown
    assert said in shown


def test_another_recorder_was_quicker(evening: Kibitz, capsys: pytest.CaptureFixture[str]) -> None:
    """What was missed is shown, the line is not written, and can be typed again."""
    lines = ["Kh", "8c", "9c"]

    def ask(prompt: str) -> str:
        if prompt == "1 play N> " and len(lines) == 3:
            assert evening("append", "eve", "-", stdin="Ah\n").code == 0
            shell.settings = shell.RunSettings()
        if not lines:
            raise EOFError
        return lines.pop(0)

    shell.settings = shell.RunSettings()
    assert Recording("eve", terminal=True, ask=ask).run() == 0
    shown = capsys.readouterr()
    assert "another recorder was quicker" in shown.err
    assert "6  Anna A♥ · Ben to play" in shown.err
    assert "type `Kh` again" in shown.err
    events = [line.partition(" {")[0] for line in evening("log", "eve").out.splitlines()][-3:]
    assert events == ["6. N play Ah", "7. E play 8c", "8. S play 9c"]


def test_two_meanings_are_chosen_between_by_number(kibitz: Kibitz, capsys: pytest.CaptureFixture[str]) -> None:
    """The number is enough; another line takes the place of the first; nothing is written of what was not chosen."""
    kibitz("new", "kaiser", *SEATS, "--id", "eve")
    person = Person("7", "p", "p", "p", "h", "Kd x x x", "ha", "3", "h8", "quit")
    assert sit(person) == 0
    asked = [p for p in person.prompts if p.startswith("Which one?")]
    shown = capsys.readouterr()
    assert len(asked) == 1
    assert "it may be the turn of Anna, Ben, Cleo or Dan:" in shown.err
    assert "  3  S ha" in shown.err
    log = kibitz("log", "eve").out
    assert "S play Ah" in log
    assert "E play Ah" not in log


def test_a_question_swallows_nothing(evening: Kibitz, capsys: pytest.CaptureFixture[str]) -> None:
    """If this failed, `!` would not keep the line, or a line typed at the question would be lost, or not be asked
    about itself."""
    assert sit(Person("Kh", "N Th", "!", "N Qh", "N Jh", "undo", "N Qh", "8c 9c", "?", "quit")) == 0
    shown = capsys.readouterr()
    events = [line.partition(" {")[0] for line in evening("log", "eve").out.splitlines()]
    assert events[-4:] == ["6. N play Kh", "7. N play Th", "8. E play 8c", "9. S play 9c"]
    assert shown.err.count("Dropped; nothing was written.") == 3
    assert "hand 1, dealt by Dan · play" in shown.out


def test_undo_goes_back_act_by_act_and_redo_forward(evening: Kibitz, capsys: pytest.CaptureFixture[str]) -> None:
    """`undo` takes back one act, `redo` puts it back, `undo line` a whole line; another entry leaves nothing to put
    back."""
    person = Person(
        "Kh c8 h8 h9", "undo", "undo", "redo", "redo", "redo", "undo line", "redo", "Ah", "undo", "7c", "redo", "quit",
    )
    assert sit(person) == 0
    shown = capsys.readouterr()
    lines = [line.partition("  ")[2].partition(" ·")[0] for line in shown.out.splitlines()]
    assert lines == [
        "Anna K♥, Ben 8♣, Cleo 8♥, Dan 9♥", "event 9 is struck out: Dan 9♥", "event 8 is struck out: Cleo 8♥",
        "Cleo 8♥", "Dan 9♥", "event 13 is struck out: Dan 9♥", "Dan 9♥", "Anna A♥", "event 16 is struck out: Anna A♥",
        "Anna 7♣"
    ]  # fmt: skip
    assert shown.err.count("there is nothing to put back") == 2


def test_undo_takes_no_number(evening: Kibitz, capsys: pytest.CaptureFixture[str]) -> None:
    """If this failed, whoever wants event 6 gone would be told what to play next."""
    assert sit(Person("Kh", "undo 6", "undo #6", "quit")) == 0
    shown = capsys.readouterr().err
    assert shown.count(
        "`undo 6`: undo takes back what came last; expected undo or undo line. `fix 6-` strikes event 6 out."
    ) == 2
    assert "fix" not in evening("log", "eve").out


def test_undo_at_a_question_drops_the_line_in_question_and_no_other(
    evening: Kibitz, capsys: pytest.CaptureFixture[str],
) -> None:
    """If this failed, the line before the one that is asked about would be struck out."""
    assert sit(Person("Kh", "N Th", "undo", "8c", "quit")) == 0
    log = evening("log", "eve").out
    assert "Kh" in log
    assert "fix" not in log
    assert "Dropped" in capsys.readouterr().err


def test_who_comes_back_is_told_where_the_match_stands(evening: Kibitz, capsys: pytest.CaptureFixture[str]) -> None:
    """The hand, the contract, the score and whose turn it is; at the first prompt of a match how its deal is put
    down."""
    assert sit(Person("Kh 8c")) == 0
    capsys.readouterr()
    assert sit(Person()) == 0
    told = capsys.readouterr().err
    for words in (
        "hand 1, dealt by Dan · play · Anna & Cleo 7 ♥", "on the table: Anna K♥, Ben 8♣",
        "score: Anna & Cleo 0, Ben & Dan 0", "Cleo (S) to play",
    ):
        assert words in told
    evening("new", "scopa", "--seat", "A=Ida", "--id", "scopa")
    shell.settings = shell.RunSettings()
    assert Recording("scopa", terminal=True, ask=Person()).run() == 0
    assert "Put down what is dealt open (the board), for example `kc2c4c7s`" in capsys.readouterr().err


def test_players_go_by_their_names(evening: Kibitz, capsys: pytest.CaptureFixture[str]) -> None:
    """Who acts, who is to play, who took it and what it came to are told by names."""
    assert sit(Person("Kh c8 h8 h9", "E Th", "!", "quit"), alert=True) == 0
    shown = capsys.readouterr()
    assert "Anna K♥, Ben 8♣, Cleo 8♥, Dan 9♥ · trick 1 to Anna · Anna to play" in shown.out
    assert "because  Anna won the last trick and leads" in shown.err
    assert "Ben 10♥ - not allowed" in shown.err
    found = [line for line in shown.out.splitlines() if "broken" in line]
    assert any("Ben" in line for line in found)
    assert "Anna & Cleo" in evening("score", "eve").out


@pytest.mark.parametrize(
    ("game", "lines", "said"),
    [
        ("briscola", "s5 | h3dksqd5 | h3", "Anna 3♥: 3♥ already lies among the cards won by Anna (recorded at 2)"),
        ("briscola", "s5 | s5", "Anna 5♠: 5♠ already lies as the turned-up card (recorded at 1)"),
        ("scopa", "dkc6d3c2 | d3", "3♦ already lies on the board (recorded at 1)"),
    ],
)
def test_a_doubt_names_piles_and_players_in_words(
    game: str, lines: str, said: str, kibitz: Kibitz, capsys: pytest.CaptureFixture[str],
) -> None:
    """If this failed, a card seen twice would lie in `won:A`, and nobody would know whose cards these are."""
    kibitz("new", game, "--seat", "A=Anna", "--seat", "B=Ben", "--id", "eve")
    assert sit(Person(*lines.split(" | "), "n", "quit")) == 0
    assert said in capsys.readouterr().err
    with shell.store(write=False) as store:
        scribe = StoreScribe(store, "eve")
    early = "A K♥: not now; expected Ben (B) to call: a bid"
    assert scribe.in_words(early) == early.replace("A K♥", "Anna K♥")
    other = "event 8 is 'B show Qh', and this makes something else of it: 'B play Qd'"
    assert scribe.in_words(other) == other
    clash = "with this, 7♦ already lies among the cards won by B (recorded at 11)"
    assert scribe.in_words(clash) == clash.replace("by B", "by Ben")
    assert scribe.in_words("B 9♦: 9♦ is not among the cards of B") == "Ben 9♦: 9♦ is not among the cards of Ben"


def test_a_knock_is_told_by_the_name_of_the_player(kibitz: Kibitz) -> None:
    """If this failed, the answer would be `A: knock`."""
    kibitz("new", "jersey-gin", "--seat", "A=Anna", "--seat", "B=Ben", "--seat", "C=Cleo", "--id", "eve")
    assert "2  Anna discards an unseen card face down · Anna knocks · Anna to lay down" in kibitz(
        "record", "eve", stdin="d8\nkn\n",
    ).out


def test_a_result_is_asked_fact_by_fact(kibitz: Kibitz, capsys: pytest.CaptureFixture[str]) -> None:
    """`r` asks in the order in which players say it; a wrong word is asked again, an empty one is not known, Ctrl-D
    leaves."""
    kibitz("new", "kaiser", *SEATS, "--id", "eve")
    person = Person("r", "E", "7", "x", "h", "6", "ew", "", "quit")
    assert sit(person) == 0
    asked = [p for p in person.prompts if p.endswith(") ") and "? (" in p]
    assert [p.partition(" (")[0] for p in asked] == [
        "Who plays the contract?", "What was the bid?", "Which suit was named?", "Which suit was named?",
        "How many tricks did Ben & Dan take?", "Who has the five of hearts?", "Who has the three of spades?",
    ]
    shown = capsys.readouterr()
    assert "'x' does not answer " in shown.err
    assert "declarer=E five=EW level=7 tricks.EW=6 trump=h" in kibitz("log", "eve").out


def test_undo_at_the_questions_of_a_result_goes_back_one_answer(
    kibitz: Kibitz, capsys: pytest.CaptureFixture[str],
) -> None:
    """If this failed, whoever mistyped a figure would have to answer everything and correct it then, and the words
    `undo` and names of players would be called wrong answers."""
    kibitz("new", "kaiser", *SEATS, "--id", "eve")
    person = Person("r", "ben", "8", "undo", "7", "h", "6", "ew", "undo", "undo", "5", "ns", "", "r", "undo", "quit")
    assert sit(person) == 0
    asked = [p for p in person.prompts if p.endswith(") ") and "? (" in p]
    assert asked[0] == "Who plays the contract? (NS, EW, N Anna, E Ben, S Cleo or W Dan) "
    assert [p.partition(" (")[0] for p in asked] == [
        "Who plays the contract?", "What was the bid?", "Which suit was named?", "What was the bid?",
        "Which suit was named?", "How many tricks did Ben & Dan take?", "Who has the five of hearts?",
        "Who has the three of spades?", "Who has the five of hearts?", "How many tricks did Ben & Dan take?",
        "Who has the five of hearts?", "Who has the three of spades?", "Who plays the contract?",
    ]  # fmt: skip
    assert "Enter if it is unknown; undo goes back, Ctrl-D drops it all." in (err := capsys.readouterr().err)
    assert "cannot be" not in err
    log = kibitz("log", "eve").out
    assert "declarer=E five=NS level=7 tricks.EW=5 trump=h" in log
    assert log.count("tally") == 1


def test_figures_that_follow_each_other_are_asked_as_a_run(kibitz: Kibitz) -> None:
    """If this failed, the question for the primiera would list forty figures on three lines."""
    kibitz("new", "scopa", "--id", "eve")
    person = Person("result", "21", "5", "a", "undo", "undo", "undo", "undo", "quit")
    assert sit(person) == 0
    assert "What primiera did A have? (0, 40, 42 to 79, 81 or 84) " in person.prompts


def test_a_bank_is_settled_player_by_player(kibitz: Kibitz, capsys: pytest.CaptureFixture[str]) -> None:
    """If this failed, `r` would ask for all stakes before anybody's outcome, or ask the banker for a stake."""
    kibitz("new", "pontoon", "--seat", "A=Anna", "--seat", "B=Ben", "--seat", "C=Cleo", "--id", "eve")
    person = Person("r", "ben", "4", "20", "6", "bust", "19", "quit")
    assert sit(person) == 0
    asked = [p.partition(" (")[0] for p in person.prompts if p.endswith(") ") and "? (" in p]
    assert asked == [
        "Who held the bank?", "What was staked on Cleo in all?", "What was Cleo?", "What was staked on Anna in all?",
        "What was Anna?", "What was the bank?",
    ]  # fmt: skip
    log = kibitz("log", "eve").out
    assert "B hand 1" in log
    assert "class.A=bust class.C=\"20\" stake.A=6 stake.C=4" in log


def test_answers_that_cannot_be_together_are_asked_again(kibitz: Kibitz, capsys: pytest.CaptureFixture[str]) -> None:
    """If this failed, a whole result would be typed again because one figure was wrong, and be told of columns
    nobody typed."""
    kibitz("new", "ziginette", "--seat", "A=Anna", "--seat", "B=Ben", "--dealer", "B", "--id", "eve")
    person = Person("r", "cleared", "3", "5", "undo", "0", "5", "quit")
    assert sit(person) == 0
    asked = [p.partition(" (")[0] for p in person.prompts if p.endswith(") ") and "? (" in p]
    assert asked == [
        "How did the hand end?",
        *(
            paid := [
                "What did the bank pay to Anna at the end?", took := "What did the bank take of Anna's bets in all?",
            ]
        ),
        took, *paid,
    ]
    err = " ".join(capsys.readouterr().err.split())
    assert (
        (
            "the bank's card was not matched, and Anna is paid nothing; expected another answer, or undo for "
            "an earlier one"
        ) in err
    )
    assert "ending=cleared lost.A=5 won.A=0" in kibitz("log", "eve").out


def test_a_question_is_asked_again_after_a_word_that_looks_and_quit_leaves_it(
    kibitz: Kibitz, capsys: pytest.CaptureFixture[str],
) -> None:
    """If this failed, `?` or `score` at a question would be called a wrong answer, or be written as the line in
    question."""
    kibitz("new", "kaiser", *SEATS, "--dealer", "W", "--id", "eve")
    assert sit(Person("7 . . . h", "c9 x k8", "d7", "score", "help", "?", "2", "r", "?", "quit")) == 0
    shown = capsys.readouterr()
    assert shown.out.count("to play: a card") >= 2, "the position was shown at both questions"
    assert "cannot be" not in shown.err
    log = kibitz("log", "eve").out
    assert ("S play 7d" in log) != ("E play 7d" in log)
    assert "tally" not in log


def test_the_open_questions_are_listed_at_the_prompt_as_the_summary_says(
    evening: Kibitz, capsys: pytest.CaptureFixture[str],
) -> None:
    """If this failed, what `check` says of its own option would mean nothing where it is said."""
    assert sit(Person("Ah", "8d", "9h", "Th", "check", "check --open", "quit")) == 0
    out = capsys.readouterr().out
    assert "1 open question (--open lists them)" in out
    assert "open    kaiser.R11 follow suit" in out


@pytest.mark.parametrize(
    ("word", "asked"),
    [
        ("hand", "hand 2: hand 1 is not over, and has no result"),
        ("void", "hand 1 is in play; ended now it has no result"),
    ]
)
def test_a_hand_is_left_in_its_middle_only_if_that_is_meant(
    word: str, asked: str, kibitz: Kibitz, capsys: pytest.CaptureFixture[str],
) -> None:
    """If this failed, a word typed too early would end the hand that is played, and what follows would be of
    another."""
    kibitz("new", "kaiser", *SEATS, "--dealer", "W", "--id", "eve")
    assert sit(Person("7 . . . h", "c9 a", word, "n", word, "y", "quit")) == 0
    assert asked in (shown := capsys.readouterr()).err
    assert shown.err.count("Dropped; nothing was written.") == 1
    assert kibitz("log", "eve").out.splitlines()[-1].startswith("8. ")


def test_a_run_behind_an_unknown_winner_is_asked_about_once(kibitz: Kibitz) -> None:
    """If this failed, a trick on one line would be refused where its first card alone is asked about."""
    kibitz("new", "kaiser", *SEATS, "--dealer", "W", "--id", "eve")
    person = Person("7 . . . h", "c9 x k8 d7 8 9", "1", "quit")
    assert sit(person) == 0
    assert sum(p.startswith("Which one?") for p in person.prompts) == 1
    assert "S play 7d" in (log := kibitz("log", "eve").out)
    assert "W play 8d" in log


@pytest.mark.rest
def test_a_real_terminal(evening: Kibitz, tmp_path: Path) -> None:
    """With a terminal there is a prompt and a question; Ctrl-C ends in one line and loses nothing."""
    child, fd = pty.fork()
    if child == 0:
        # tests that run in the background ignore it, and would hand that on
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.execve(
            sys.executable, [sys.executable, "-c", "from cli.app import main; main()", "record", "eve"],
            {**environment(tmp_path / "kibitz.db"), "TERM": "dumb"},
        )
    screen = b""

    def until(text: str) -> None:
        nonlocal screen
        end = time.monotonic() + 20
        while text.encode() not in screen and time.monotonic() < end:
            if select.select([fd], [], [], 0.5)[0]:
                screen += os.read(fd, 4096)
        assert text.encode() in screen, screen.decode()

    def type_(text: str) -> None:
        nonlocal screen
        screen = b""
        os.write(fd, text.encode())

    try:
        until("1 play N> ")
        type_("Kh\n")
        until("1 play E> ")
        type_("N Th\n")
        until("Keep it as it was played?")
        type_("n\n")
        until("1 play E> ")
        # The prompt is printed a moment before the line is read; a Ctrl-C that comes too early may be lost.
        for _ in range(5):
            type_("\x03")
            if select.select([fd], [], [], 4)[0]:
                break
        until("stopped")
        _, status = os.waitpid(child, 0)
    finally:
        os.close(fd)
    assert os.waitstatus_to_exitcode(status) == 1
    assert b"Traceback" not in screen
    assert evening("log", "eve").out.splitlines()[-1].startswith("6. N play Kh")
