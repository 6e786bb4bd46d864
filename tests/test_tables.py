"""The tables at which each game is tried: none is left out, each is played in every run, and no option is dead."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from msgspec.structs import replace
from sampling import Run, lot, module_of
from tables import Table, at, by_name, by_seed, ends, in_turn, own_options, tables

from events.model import Open, Recorded
from reducers.first_state import begin
from reducers.registry import PAGES, find_game, games_with_cards
from reducers.scoring import leaders_by_total
from reducers.terms import HouseRules
from replay.fold import fold
from replay.judging.judge import judge
from replay.read_log import read_log
from replay.scoring.three_ways import official_score
from replay.simulate import simulate, simulate_breaches

GAMES = sorted(PAGES)
HERE = Path(__file__).parent

every_game = pytest.mark.parametrize("game", GAMES)


# -- which tables there are


@every_game
def test_every_number_of_seats_and_every_option_has_a_table(game: str) -> None:
    """If this failed, a page could admit a table at which nobody ever tried it."""
    page, there = find_game(game), tables(game)
    assert (there[0].name, there[0].options) == (game, {})
    assert sorted(len(table.seats) for table in there if not table.options) == sorted(page.seating.sizes)
    assert there[0].seats == begin({"Game": game}).terms.seats
    assert {table.changed for table in there} == {"", *own_options(page)}
    hints = get_type_hints(page.options)
    for field in (field for field in msgspec.structs.fields(page.options) if field.name in own_options(page)):
        tried = {table.options[field.name] for table in there if table.changed == field.name}
        assert field.default not in tried, f"{field.name} as it is anyway"
        choices = {True, False} if hints[field.name] is bool else set(get_args(hints[field.name]))
        assert tried == choices - {field.default} if choices else tried, field.name


@every_game
def test_a_match_of_so_many_hands_ends_with_the_last_of_them(game: str) -> None:
    """If this failed, a club that plays two hands of a game would have no winner, or play on."""
    page = find_game(game)
    if game == "pad" or "hands" not in page.options.__struct_fields__:
        assert game == "pad"
        return
    if not issubclass(page.options, HouseRules):
        return
    records = simulate(game, seed=5, options={"hands": 2}, hands=20)
    state = fold(records)
    counted = [s for s in state.scores if s.source not in ("void", "nothing")]
    assert state.ended == "won"
    assert state.standing.over
    assert len(counted) <= 2
    best = leaders_by_total(state.standing.totals, fewest=page.match.fewest_lead(state.terms))
    if state.standing.counted == 2:
        assert state.standing.winner == (best[0] if len(best) == 1 else "")
        assert official_score(read_log(records)).together == (tuple(best) if len(best) > 1 else ())
    else:
        assert state.standing.winner, "the text ended it before"


@every_game
def test_the_page_says_how_many_play(game: str) -> None:
    """If this failed, `kibitz rules` would invite more people than may sit down, or fewer."""
    page = find_game(game)
    runs = re.findall(r"(\d+)(?: to (\d+))?", page.players)
    said = {n for first, last in runs for n in range(int(first), int(last or first) + 1)}
    assert said == {n - (page.seating.house != "") for n in page.seating.sizes}
    assert page.seating.sides.keys() == page.seating.sizes.keys()
    for n, sides in page.seating.sides.items():
        assert sorted(seat for members in sides.values() for seat in members) == sorted(page.seating.sizes[n])
        assert len(page.seating.sizes[n]) == n


def test_a_table_is_found_by_its_name() -> None:
    """If this failed, the name of a test that fails would not say at which table it did."""
    assert len(by_name()) == sum(len(tables(game)) for game in GAMES), "two tables have one name"
    for name, table in by_name().items():
        assert at(name) is table
        assert name == table.game or name.startswith(f"{table.game}-")
        facts = {"Game": table.game, "Seats": " ".join(table.seats), "Option": dict(table.options)}
        assert begin(facts).terms.seats == table.seats
    assert at("yaniv-4").seats == ("A", "B", "C", "D")
    assert at("kaiser-all_pass=dealer_forced").options == {"all_pass": "dealer_forced"}


def test_the_ends_of_a_number_are_within_its_bounds() -> None:
    """If this failed, an option would be tried with a value that nobody may agree on."""
    hints = get_type_hints(find_game("scopa").options, include_extras=True)
    assert list(ends(hints["kings_redeal"], 3)) == [1, 5]
    assert list(ends(hints["last_play_sweep"], False)) == [False, True]
    with pytest.raises(AssertionError, match=r"declared\.VALUES. has to say"):
        ends(str, "")


@every_game
def test_each_seed_sits_down_at_the_next_table(game: str) -> None:
    """If this failed, so many seeds would not have been at all tables."""
    names = in_turn(game)
    assert (names[0], sorted(names)) == (game, sorted(table.name for table in tables(game)))
    assert [by_seed(game, seed) for seed in range(2 * len(names))] == [*names, *names]
    assert by_seed(game, ("both", 1)) == by_seed(game, (1, True)) == names[1 % len(names)]


# -- all of them are played


@cache
def module(path: str) -> ModuleType:
    """A module of the tests, wherever it is."""
    spec = spec_from_file_location("looked_at", HERE / path)
    assert spec is not None
    assert spec.loader is not None
    found = module_from_spec(spec)
    sys.modules[spec.name] = found
    spec.loader.exec_module(found)
    return found


def asked_every_time(path: str) -> set[str]:
    """The tables among the parameters of the tests of a module that are not left to the soak."""
    marks = [
        mark for test in vars(module(path)).values() for mark in getattr(test, "pytestmark", ())
        if mark.name == "parametrize"
    ]
    cells = [
        getattr(cell, "values", (cell,)) for mark in marks for cell in mark.args[1]
        if all(one.name != "slow" for one in getattr(cell, "marks", ()))
    ]  # fmt: skip
    return {value for cell in cells for value in cell if isinstance(value, str)}


@pytest.mark.rest  # a short run asks the tables of a few games
@pytest.mark.parametrize("path", ["test_conformance.py", "replay/test_worlds.py", "test_degradation.py"])
def test_every_table_is_asked_something_in_every_run(path: str) -> None:
    """If this failed, a page could be wrong for four players, and only the soak would show it. To spoil records
    takes long: of the house rules each game draws one."""
    asked = games_with_cards() if path != "test_conformance.py" else GAMES
    left = {name for name in by_name() if at(name).game in asked} - asked_every_time(path)
    assert not {name for name in left if not at(name).changed}
    for game in GAMES:
        ruled = [table.name for table in tables(game) if table.changed]
        assert len(left & set(ruled)) <= (max(0, len(ruled) - 1) if path == "test_degradation.py" else 0)


# -- no option is dead

SEEDS = 6
RARE: Mapping[tuple[str, str], str] = {
    ("bridge-solitaire", "opponent_honors"): "test_option_opponent_honors",
    ("burraco", "target_is_enough"): "test_the_match_ends_beyond_the_target",
    ("jersey-gin", "tie_underknocks"): "test_a_level_opponent_underknocks_by_the_house_rule",
    ("kowah", "same_rank_triplets"): "test_six_of_a_rank",
    ("pad", "title"): "test_the_title_is_what_the_match_is_called",
    ("poke", "partial_set_leads"): "test_R4_option_partial_set_leads",
    ("poke", "wheel_straight"): "test_R10_option_wheel_straight",
    ("pontoon", "stop_at_five"): "test_R7_house_rules",
    ("russian-bank", "stop_window"): "test_R15_too_late_after_the_next_move",
    ("yaniv", "resets"): "test_resets_by_the_house_rule",
    ("zetema", "five_marriages"): "test_all_five_marriages_at_once",
}
"""Options that chance shows seldom, or late: the case of the page's own tests that shows what each does."""


def told(log: list[Recorded], options: Mapping[str, Any]) -> Any:
    """What is found and scored in a log under these options."""
    assert isinstance(log[0].event, Open)
    facts = {**log[0].event.facts, "Option": dict(options)}
    judgement = judge([replace(log[0], event=replace(log[0].event, facts=facts)), *log[1:]])
    state = judgement.state
    return [
        (f.at, f.rule, f.verdict) for f in judgement.findings
    ], state.scores, state.standing, state.ended, state.turn


def differences(table: Table) -> Iterator[str]:
    """How a log at this table is judged, scored or dealt otherwise than without its option."""
    game, terms, without = table.game, table.terms, table.unchanged
    for seed in range(SEEDS):
        log = simulate(game, seed=seed, **terms)
        for one in (log, simulate_breaches(game, seed=seed, p=0.2, hands=2, **terms)[0]):
            if told(one, table.options) != told(one, without["options"]):
                yield f"seed {seed} is judged or scored otherwise"
        if log[1:] != simulate(game, seed=seed, **without)[1:]:
            yield f"seed {seed} is dealt or played otherwise"


def options() -> Iterator[Any]:
    """Each option of each game; each game draws one for a quick run."""
    for game in GAMES:
        names = own_options(find_game(game))
        quick = sorted(names, key=lambda name: lot("no option is dead", game, name))[:1]
        for name in names:
            if name in quick or Run.whole:
                yield pytest.param(game, name)
            elif not Run.quick:
                yield pytest.param(game, name, marks=pytest.mark.slow)


@pytest.mark.parametrize(("game", "option"), list(options()))
def test_an_option_makes_a_difference(game: str, option: str) -> None:
    """If this failed, people could agree on a house rule, and nothing would come of it."""
    if case := RARE.get((game, option)):
        text = (HERE / "games" / f"test_{module_of(game)}.py").read_text(encoding="utf-8")
        assert f"def {case}(" in text
        assert option in text.partition(f"def {case}(")[2].partition("\ndef ")[0]
        return
    there = [table for table in tables(game) if table.changed == option]
    assert any(
        difference for table in there for difference in differences(table)
    ), f"{option} of {game} is dead, or chance shows it seldom (RARE), or at other tables (tests/tables.py)"
