"""Pages of other distributions: found when they are asked for, refused if they clash, and missed without harm."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from given import given, log

from cli.app import run_command_line
from events.errors import ConflictError, NotFoundError, UnreadableError
from events.model import Deal, End
from events.writing import write_kib
from reducers import legal, registry
from reducers.opening import opening
from reducers.words.tallies import missing_facts
from replay.auditing.check import check
from replay.comparing.kept_verdict import kept_end, read_kept_verdict
from replay.comparing.recheck import recheck
from replay.comparing.rule_sources import page_hash
from replay.fold import fold
from replay.paper.sheet import sheet_of
from replay.scoring.derived_lines import compare_derived, derived_lines
from replay.scoring.three_ways import score_match
from replay.season.facts import match_facts
from replay.table.frame import frame
from replay.table.position import here
from replay.table.session import Session

CACHED = (registry.find_game, registry.plugins, legal.plans, legal.acts_of, page_hash)
PAGE = """
from msgspec.structs import replace
from reducers.games import pad
GAME = replace(pad.GAME, key="slosh", name="Slosh")
"""
MISSING = {"Rules": "1", "Plugin": "kibitz-slosh 1.0"}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of installed distributions, and nothing looked up before or after."""
    monkeypatch.syspath_prepend(tmp_path)
    for cached in CACHED:
        cached.cache_clear()
    yield tmp_path
    for cached in CACHED:
        cached.cache_clear()
    for name in ("slosh_page", "broken_page"):
        sys.modules.pop(name, None)


def install(site: Path, name: str, version: str, key: str, value: str) -> None:
    """The metadata of a distribution with one page."""
    info = site / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8", newline="\n",
    )
    (info / "entry_points.txt").write_text(f"[{registry.GROUP}]\n{key} = {value}\n", encoding="utf-8", newline="\n")


def write_page(site: Path, source: str = PAGE) -> None:
    (site / "slosh_page.py").write_text(source, encoding="utf-8", newline="\n")


def test_a_page_is_imported_when_its_game_is_asked_for(site: Path) -> None:
    """If this failed, every command would pay for every page that is installed."""
    write_page(site)
    install(site, "kibitz-slosh", "1.0", "slosh", "slosh_page:GAME")
    assert "slosh" in registry.installed_games()
    assert "slosh_page" not in sys.modules
    assert registry.find_game("slosh").name == "Slosh"
    assert registry.distribution_of("slosh") == "kibitz-slosh 1.0"


def test_a_page_of_kibitz_is_found_without_a_look_at_others(site: Path) -> None:
    """If this failed, each command would read the metadata of all that is installed."""
    assert registry.find_game("kaiser").key == "kaiser"
    assert registry.module_of_page("kaiser") == "reducers.games.kaiser"
    assert registry.distribution_of("kaiser") == ""
    assert registry.plugins.cache_info().currsize == 0


def test_the_help_reads_no_metadata() -> None:
    """If this failed, `kibitz --help` would be slower with every distribution."""
    code = (
        "import sys; sys.argv = ['kibitz', '--help']; import cli.app; "
        "cli.app.run_command_line(['--help']); print('importlib.metadata' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(__file__).parent.parent,
    )
    assert done.stdout.splitlines()[-1] == "False"


def test_a_key_that_exists_twice_is_refused(site: Path) -> None:
    """If this failed, chance would decide which page judges a match."""
    write_page(site)
    install(site, "kibitz-slosh", "1.0", "slosh", "slosh_page:GAME")
    install(site, "other-slosh", "2.1", "slosh", "slosh_page:GAME")
    install(site, "my-kaiser", "0.3", "kaiser", "slosh_page:GAME")
    with pytest.raises(
        ConflictError, match=r"kibitz-slosh 1\.0 and other-slosh 2\.1|other-slosh 2\.1 and kibitz-slosh 1\.0",
    ):
        registry.find_game("slosh")
    assert registry.find_game("kaiser").name == "Kaiser"
    assert "slosh" not in registry.installed_games()
    kaiser, slosh = registry.refused_pages()
    assert "Kibitz itself and my-kaiser 0.3; the page of Kibitz is used" in kaiser
    assert "none of the pages is used" in slosh


@pytest.mark.parametrize(
    ("source", "value", "what"),
    [
        ("1 / 0", "slosh_page:GAME", "cannot be imported: ZeroDivisionError"),
        ("", "slosh_page:GAME", "cannot be imported: AttributeError"),
        ("GAME = 3", "slosh_page:GAME", "is no page, but int"),
        ("from reducers.games.pad import GAME", "slosh_page", "is the page of 'pad'"),
        ("", "no_such_module:GAME", "cannot be imported: ModuleNotFoundError"),
    ],
)
def test_a_page_that_cannot_be_used_names_its_distribution(site: Path, source: str, value: str, what: str) -> None:
    """If this failed, a traceback of somebody else's page would reach a user."""
    write_page(site, source)
    install(site, "kibitz-slosh", "1.0", "slosh", value)
    with pytest.raises(UnreadableError, match=what) as raised:
        registry.find_game("slosh")
    assert raised.value.where == "kibitz-slosh 1.0"
    assert raised.value.todo == "Update kibitz-slosh, or uninstall it."
    pages, unusable = registry.usable_pages()
    assert [page.key for page in pages] == sorted(registry.PAGES)
    assert len(unusable) == 1
    assert what in unusable[0]


def test_a_record_keeps_which_distribution_judged_it(site: Path) -> None:
    """If this failed, nobody could say later by which page a match was judged."""
    write_page(site)
    install(site, "kibitz-slosh", "1.0", "slosh", "slosh_page:GAME")
    assert opening("slosh")["Plugin"] == "kibitz-slosh 1.0"
    assert "Plugin" not in opening("kaiser")
    records = log("slosh", "@ hand 1\n@ tally points.A=7 points.B=3\n@ end match", Seats="A B", **MISSING)
    end = kept_end(records)
    assert end is not None
    assert (end.facts["plugin"], end.facts["page"]) == ("kibitz-slosh 1.0", page_hash("slosh"))
    assert len(page_hash("slosh")) == 64
    kept = log(
        "slosh",
        "@ hand 1\n@ tally points.A=7 points.B=3\n@ end match\n@ end match agreed plugin=\"kibitz-slosh 0.9\" page=abc",
        Seats="A B", **MISSING,
    )
    assert (stood := read_kept_verdict(kept)) is not None
    assert stood.plugin == "kibitz-slosh 0.9"
    assert "kibitz-slosh 0.9 judged then; now it is kibitz-slosh 1.0" in [d.text for d in recheck(kept).differences]


# -- the suite for a page of another distribution ---------------------------------------------------------------------


GUIDE = (Path(__file__).parent.parent / "docs" / "adding-a-game.md").read_text(encoding="utf-8")


def ask(site: Path, *args: str, page: str) -> subprocess.CompletedProcess[str]:
    """Run pytest over an empty folder beside an installed page."""
    write_page(site, page)
    install(site, "kibitz-forehand", "1.0", "forehand", "slosh_page:GAME")
    (site / "tests").mkdir()
    path = os.pathsep.join([str(site), str(Path(__file__).parent.parent)])
    command = [sys.executable, "-m", "pytest", "--disable-plugin-autoload", "-p", "replay.testing.plugin", "-q", *args]
    return subprocess.run(
        command, cwd=site / "tests", env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True,
        check=False, timeout=120,
    )


def test_the_suite_is_asked_of_a_page_outside(site: Path) -> None:
    """If this failed, a club could not prove its page as ours are proven."""
    page = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)[0]
    done = ask(
        site, "--kibitz-game", "forehand", "-k",
        "numbered or explains or breach_is_found or contradicts or playthrough", page=page,
    )
    assert "there is no" in done.stdout, done.stdout
    assert re.search(r"1 failed, \d+ passed", done.stdout), done.stdout


@pytest.mark.rest
def test_a_wrong_page_outside_fails(site: Path) -> None:
    """If this failed, the suite would pass whatever the page did."""
    page = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)[0]
    done = ask(
        site, "--kibitz-game", "forehand", "-k", "nobody_is_accused",
        page=page.replace("Tally(tricks_of_each(state))", "Tally(state.hand.trick.led_by(state.terms.side_of))"),
    )
    assert done.returncode == 1
    assert "the record" in done.stdout


@pytest.mark.rest
def test_the_suite_is_not_asked_of_a_game_that_is_not_there(site: Path) -> None:
    """If this failed, a misspelt name would pass with no test at all."""
    done = ask(site, "--kibitz-game", "forhand", page="")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "there is no page for the game 'forhand'" in done.stderr


def test_the_plugin_does_nothing_of_itself(site: Path) -> None:
    """If this failed, every run of pytest beside Kibitz would import it, or get its tests."""
    done = ask(site, page="")
    assert done.returncode == pytest.ExitCode.NO_TESTS_COLLECTED
    code = (
        "import sys, replay.testing.plugin; print([name for name in sys.modules if "
        "name.startswith(('events', 'reducers', 'replay.'))])"
    )
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(__file__).parent.parent,
    )
    assert said.stdout == "['replay.testing', 'replay.testing.plugin']\n"


def test_a_deal_says_how_many_tricks_each_hand_has(site: Path) -> None:
    """If this failed, a game with fewer cards from hand to hand could neither ask for the figure that is missing nor
    say that another is impossible."""
    page = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)[0].replace("forehand", "shrink")
    page = page.replace("DEAL.each, \"R5\"", "DEAL, \"R5\"")
    write_page(site, page.replace("each=7,", "each=7, by_hand=(7, 5, 3),"))
    install(site, "kibitz-slosh", "1.0", "shrink", "slosh_page:GAME")
    told = "B hand 1\n@ tally tricks.A=3\nA hand 2\n@ tally tricks.A=1\n"
    case = given("shrink", told)
    assert [dict(s.lines[0].amounts) for s in case.judgement.state.scores] == [{"A": 3, "B": 4}, {"A": 1, "B": 4}]
    case.clean()
    case.when("B hand 3", "@ tally tricks.A=2 tricks.B=1").clean()
    case.when("B hand 3", "@ tally tricks.A=3 tricks.B=2").finds("R5", words="3 and 2 are not the 3 tricks there are")
    given("shrink", "").when("B hand 1", "@ tally tricks.A=8").finds("R5")
    again = case.when("@ tally tricks.A=5").judgement
    assert dict(again.state.scores[-1].lines[0].amounts) == {"A": 5, "B": 0}
    left = list(missing_facts(fold(case.when("B hand 3", "@ tally tricks.A=-").records)))
    assert [list(answers) for _, answers in left] == [[f"A {n}" for n in range(4)]]


# -- a game begun from the template


def begin_game(folder: Path, *args: str) -> int:
    """`kibitz new-game` in this folder."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        return run_command_line(["new-game", *args])
    finally:
        os.chdir(before)


def ask_beside(made: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in the folder of a game that was begun from the template."""
    path = os.pathsep.join([str(made), str(Path(__file__).parent.parent)])
    return subprocess.run(
        [sys.executable, "-m", "pytest", "--disable-plugin-autoload", "-p", "replay.testing.plugin", "-q", *args],
        cwd=made, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


@pytest.mark.rest
def test_a_new_game_has_its_cases_alone_and_examples_of_its_own(site: Path) -> None:
    """If this failed, each run of a page's cases would take as long as the suite; or the record of the template would
    stand beside a page of other rules, and nobody would notice."""
    assert begin_game(site, "my-hand") == 0
    made = site / "kibitz-my-hand"
    install(made, "kibitz-my-hand", "0.1.0", "my-hand", "kibitz_my_hand:GAME")
    assert "3 passed" in ask_beside(made, "tests/test_my_hand.py").stdout
    page = made / "kibitz_my_hand" / "__init__.py"
    text = page.read_text(encoding="utf-8").replace("singles(2)", "singles(3, 4)")
    page.write_text(text, encoding="utf-8", newline="\n")
    done = ask_beside(made, "-k", "examples_are_records")
    assert "My Hand is not played by 2" in done.stdout


@pytest.mark.rest
def test_a_new_game_passes_its_own_tests_at_once(site: Path) -> None:
    """If this failed, whoever begins a game would begin with a fault that is not theirs."""
    assert begin_game(site, "my-hand") == 0
    made = site / "kibitz-my-hand"
    assert not [
        path for path in made.rglob("*.*") if "orehand" in path.read_text(encoding="utf-8") or "orehand" in path.name
    ]
    install(made, "kibitz-my-hand", "0.1.0", "my-hand", "kibitz_my_hand:GAME")
    path = os.pathsep.join([str(made), str(Path(__file__).parent.parent)])
    done = ask_beside(made, "-k", "my_hand or playthrough or numbered or because_of_a_gap")
    assert done.returncode == 0, done.stdout
    assert int(re.findall(r"(\d+) passed", done.stdout)[0]) >= 15
    said = subprocess.run(
        [sys.executable, "-c", "from cli.app import main; main()", "check", "examples/my-hand.kib"],
        cwd=made, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert "my-hand.R3 follow suit" in said.stdout
    assert said.returncode == 3


@pytest.mark.parametrize(
    ("args", "code", "what"),
    [
        (("kaiser",), 6, "there is a game 'kaiser' already"), (("My Hand",), 2, "is no key of a game"),
        (("../x",), 2, "is no key of a game"), (("my-hand", "-o", "."), 6, ". is there already"),
    ],
)  # fmt: skip
def test_a_new_game_takes_nothing_that_is_there(
    site: Path, capsys: pytest.CaptureFixture[str], args: tuple[str, ...], code: int, what: str,
) -> None:
    """If this failed, somebody's files would be written over, or a game would have the name of another."""
    assert begin_game(site, *args) == code
    assert what in capsys.readouterr().err
    assert not list(site.iterdir())


EXAMPLES = sorted(
    path.name for path in (Path(__file__).parent.parent / "examples" / "plugins").iterdir() if path.is_dir()
)


@pytest.mark.rest
@pytest.mark.parametrize("key", EXAMPLES)
def test_the_games_of_the_examples_pass(site: Path, key: str) -> None:
    """If this failed, the packages that a club copies from would be out of date. Their whole suite takes minutes:
    this is a part of it."""
    made, module = Path(__file__).parent.parent / "examples" / "plugins" / key, key.replace("-", "_")
    install(site, f"kibitz-{key}", "0.1.0", key, f"kibitz_{module}:GAME")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(made), str(site), str(Path(__file__).parent.parent)])}
    command = [
        sys.executable, "-m", "pytest", "--disable-plugin-autoload", "-p", "replay.testing.plugin", "-p",
        "no:cacheprovider", "-q",
    ]
    asked = f"test_{module} or playthrough or numbered or explains or match_ends or breach_is_found"
    done = subprocess.run(
        [*command, "-k", asked], cwd=made, env=env, capture_output=True, text=True, check=False, timeout=300,
    )
    assert done.returncode == 0, done.stdout
    for record in (made / "examples").iterdir():
        said = subprocess.run(
            [sys.executable, "-c", "from cli.app import main; main()", "check", str(record)], env=env,
            capture_output=True, text=True, check=False, timeout=60
        )
        assert said.returncode in (0, 3), said.stderr
        assert not said.stderr


def test_the_example_of_a_hidden_hand_is_the_act_that_is_expected(
    site: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If this failed, a recorder of Hearts who has to write what is passed would be shown a card that is played."""
    monkeypatch.syspath_prepend(Path(__file__).parent.parent / "examples" / "plugins" / "hearts")
    install(site, "kibitz-hearts", "0.1.0", "hearts", "kibitz_hearts:GAME")
    records = log("hearts", "D hand 1\n@ deal A=13x?? B=13x?? C=13x?? D=13x??", Seats="A B C D")
    assert "  written out  A move 3x?? >B" in list(here(Session(records).of_the_record))


# -- a record whose page is not installed -----------------------------------------------------------------------------


HEARTS = (
    "@ hand 1\n@ deal A=2x?? B=2x??\nA play 2c\nB play Kc\nB call something\n@ tally points.A=7 points.B=3 jokes.A=4\n"
)


def test_a_record_without_its_page_is_read_as_far_as_no_rule_is_needed(site: Path) -> None:
    """If this failed, a club could not read its evenings on another machine; or a game without rules would be
    judged."""
    records = log("slosh", HEARTS, Seats="A B", A="Ann", B="Bo", **MISSING)
    score = score_match(records)
    assert (score.name, score.totals) == ("slosh", {"A": 7, "B": 3})
    judged = check(records)
    assert judged.broken == []
    (asked,) = judged.open
    assert "pip install kibitz-slosh" in asked.text
    assert "kibitz-slosh 1.0 began this record" in asked.text
    assert any("pip install kibitz-slosh" in remark for remark in sheet_of(records).remarks)
    assert frame(fold(records), "all").scores == {"A": 7, "B": 3}
    facts = match_facts("m", records)
    assert (facts.game, facts.fault) == ("slosh", "")
    assert "[Plugin \"kibitz-slosh 1.0\"]" in write_kib(records)
    with pytest.raises(NotFoundError, match="pip install kibitz-slosh"):
        recheck(records)


def test_cards_and_figures_are_shown_as_they_were_recorded(site: Path) -> None:
    """If this failed, a reader would see neither what was played nor what was told; or a card that not all have seen,
    or a figure of another hand, would be shown."""
    more = "A play down 9c\nB play 4d\nB draw 5d\nA meld 3c3d3h\n@ tally tricks.A=2\n"
    records = log("slosh", HEARTS.replace("@ tally", f"{more}@ tally"), Seats="A B", **MISSING)
    shown = frame(fold(records), "all").headline
    assert shown == {"played": {"A": "2♣", "B": "K♣ 4♦"}, "melded": {"A": "3♣ 3♦ 3♥"}}
    assert frame(fold(records, until=3), "all").headline == {"played": {"A": "2♣"}}
    (hand,) = score_match(records).hands
    assert {part.label: part.amounts for part in hand.components} == {
        "tricks": {"A": 2, "B": None}, "jokes": {"A": 4, "B": None},
    }
    assert " ".join(sheet_of(records).blocks[0].columns) == "hand dealer A tricks A jokes A B tricks B jokes B"
    second = log("slosh", HEARTS + "@ hand 2\nA play Ah\n", Seats="A B", **MISSING)
    assert frame(fold(second), "all").headline == {"played": {"A": "A♥"}}


def test_a_record_without_its_page_says_who_plays_together(site: Path) -> None:
    """If this failed, the points of two partnerships could not be read without the page, and nobody would have won."""
    page = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)[0].replace("forehand", "slosh")
    write_page(site, page.replace("singles(2)", "partnerships()").replace("    singles, ", "    partnerships, "))
    install(site, "kibitz-slosh", "1.0", "slosh", "slosh_page:GAME")
    tags = opening("slosh", seats=["N", "E", "S", "W"])
    assert tags["Sides"] == "NS EW"
    (site / "kibitz_slosh-1.0.dist-info" / "entry_points.txt").unlink()
    for cached in CACHED:
        cached.cache_clear()
    del tags["Game"]
    told = log("slosh", "@ hand 1\n@ tally points.NS=7 points.EW=3 tricks.NS=5\n", **tags)
    assert score_match(told).totals == {"NS": 7, "EW": 3}


def test_no_derived_line_is_written_or_compared_without_the_page(site: Path) -> None:
    """If this failed, what the page had counted would be held against the record, or unknown totals would be handed
    on as if they had been counted."""
    records = log("slosh", HEARTS, Seats="A B", **MISSING)
    assert derived_lines(records) == []
    assert compare_derived(records, [(1, "hand 1: A +9 B +1 (A 9 B 1)")]) == []


def test_an_option_of_a_missing_page_stops_nothing(site: Path) -> None:
    """If this failed, a house rule that nobody knows here would make the record unreadable."""
    assert fold(
        log("slosh", HEARTS, Seats="A B", option={"target": "50"}, **MISSING)
    ).standing.totals == {"A": 7, "B": 3}


def test_the_verdict_that_was_kept_says_who_won(site: Path) -> None:
    """If this failed, a finished match would have no winner because the page is not here; or a verdict without rules
    would be kept."""
    over = HEARTS + "@ end match won totals.A=9 totals.B=3 winner=A rules=1"
    state = fold(log("slosh", over, Seats="A B", **MISSING))
    assert (state.ended, state.standing.winner, state.standing.totals) == ("won", "A", {"A": 9, "B": 3})
    assert kept_end(log("slosh", HEARTS + "@ end match", Seats="A B", **MISSING)) is None
    hands = "@ hand 1\n@ tally tricks.A=3\n@ hand 2\n@ tally points.A=2 points.B=4\n@ end match won totals.A=9"
    scores = fold(log("slosh", f"{hands} totals.B=3 hands.A=7,2 hands.B=-1,4 winner=A", Seats="A B", **MISSING)).scores
    assert [(dict(s.points), dict(s.totals)) for s in scores] == [
        ({"A": 7, "B": -1}, {"A": 7, "B": -1}), ({"A": 2, "B": 4}, {"A": 9, "B": 3}),
    ]
    scores = fold(log("slosh", f"{hands} hands.A=x,9 hands.B=5 winner=A", Seats="A B", **MISSING)).scores
    assert [dict(s.points) for s in scores] == [{"A": None, "B": 5}, {"A": 9, "B": 4}]
    assert score_match(log("slosh", over + " page=abc hands.A=9 hands.B=3", Seats="A B", **MISSING)).older == ()


def test_a_record_that_names_no_distribution_is_still_a_mistake(site: Path) -> None:
    """If this failed, a misspelt game would be read as one without rules."""
    with pytest.raises(NotFoundError, match="there is no page for the game 'slosh'"):
        fold(log("slosh", HEARTS, Seats="A B"))
    with pytest.raises(NotFoundError):
        opening("slosh")


def test_what_a_stand_in_cannot_apply_changes_nothing(site: Path) -> None:
    """If this failed, cards would lie somewhere by rules that nobody has."""
    state = fold(log("slosh", HEARTS, Seats="A B", **MISSING))
    assert Deal in state.game.on
    assert End not in state.game.on
    assert not any(len(pile) for pile in state.table.piles.values())
