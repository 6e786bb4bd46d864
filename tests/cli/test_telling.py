"""A match told in words, everything there is to find about it, and how one is opened."""

from __future__ import annotations

from pathlib import Path

import pytest
from given import log as log_of
from sampling import each_game

from events import Recorded, UsageError, read_kib
from reducers.opening import opening, options_schema
from reducers.registry import PAGES, find_game
from replay.auditing.check import check
from replay.redact import hide
from replay.simulate import simulate, simulate_breaches
from replay.table.narration import tell

from .conftest import REVOKE, Kibitz

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def log(text: str) -> list[Recorded]:
    """The records of a file without a fault."""
    reading = read_kib(text)
    assert reading.errors == []
    return reading.records


def told(text: str) -> str:
    """The story with single spaces."""
    return "\n".join(" ".join(line.split()) for line in tell(log(text)))


def test_a_revoke_is_marked_where_it_happened() -> None:
    """The trick shows the act with its mark, the finding stands below it and points on to its proof."""
    story = told(REVOKE)
    assert "bidding Anna 7, E passes, S passes, W passes 2–5" in story
    assert "naming Anna spades 6" in story
    assert "trick 1 Anna K♥, E 8♣ (!), S 8♥, W 9♥ → Anna 7–10\n! kaiser.R11 follow suit" in story
    assert "known from event 12" in story


def test_corrections_are_visible() -> None:
    """What was replaced shows both readings, what was put in or struck out says so, remarks are kept."""
    story = told(
        REVOKE + "15. @ fix #8 E play 8h {misread}\n16. @ fix #9 S play Ts\n17. @ fix #14+ N play Ks\n18. @ fix #13-\n"
    )
    assert "E 8♥ [was 8♣; corrected at 15] {misread}" in story
    assert "S 10♠ [was 8♥; corrected at 16]" in story
    assert "Anna K♠ [inserted at 17]" in story
    assert "[struck out at 18: 13. S plays J♥]" in story


def test_a_correction_that_points_nowhere_is_told() -> None:
    """Nothing in the record is passed over in silence."""
    assert "(!) event 15: event 99" in told(REVOKE + "15. @ fix #99 E play 8h\n")


@each_game(sorted(PAGES), short=2)
def test_every_game_can_be_told(game: str) -> None:
    """Each act of a simulated match is in its story, open or hidden, clean or not; no line is left ragged."""
    records, _ = simulate_breaches(game, seed=3, p=0.1, hands=2)
    for view in (simulate(game, seed=1, hands=2), records, hide(records)):
        lines = list(tell(view))
        assert sum(line.startswith("Hand ") for line in lines) >= 1
        assert all(line == line.rstrip() for line in lines)
        assert any("result" in line for line in lines)


def test_everything_there_is_to_find() -> None:
    """The judge's findings, a claim that parts from the score (T9), a derived line that does not match (T8)."""
    text = REVOKE + "15. @ tally declarer=NS level=7 tricks.NS=5 tricks.EW=3 five=NS three=EW\n16. @ claim NS=9\n"
    found = check(log(text), [(20, "= hand 1: NS +9 EW +0 (NS 9 EW 0)")])
    rules = [f.rule for f in found.broken]
    assert rules == ["kaiser.R11", "table.T9", "table.T8"]
    assert found.broken[1].at.pos == 16
    assert "line 20 of the file" in found.broken[2].text


@pytest.mark.parametrize(
    ("example", "drawn"),
    [
        ("russian-bank-sunday", "Odile's columns: 1 6♣   2 3♥   3 10♣   4 4♣"),
        ("california-speed-beach", "Tyler's columns: 1 K♥   2 7♠   3 4♦   4 10♣"),
        ("scopa-sunday", "board: 4♦  J♠  K♠  3♦"),
    ],
)
def test_layouts_are_told_as_they_lie(example: str, drawn: str, kibitz: Kibitz) -> None:
    """If this failed, the columns of a deal would be one run of cards, and nobody would see which card lies in
    which."""
    assert drawn in kibitz("replay", Path(__file__).parents[2] / "examples" / f"{example}.kib").out


def test_an_opening_names_every_fault() -> None:
    """All that is wrong with a set-up is said at once."""
    with pytest.raises(UsageError) as caught:
        opening(
            "kaiser", seats={"X": "Ann", "Y": ""}, options={"target": "0", "foo": 1, "all_pass": "x"}, date="soon",
            place=" ", dealer="Q",
        )
    for word in ("X, Y", "target", "foo", "all_pass", "soon", "seat Y", "place"):
        assert word in str(caught.value)


@pytest.mark.parametrize("who", ["E", "e", " E ", "Zoë", "zoë", "ZOE\u0308"])
def test_the_first_dealer_is_a_seat_or_a_player(who: str) -> None:
    """The seat goes by its letter, the player by name, in either case and however its letters are made up."""
    assert opening("kaiser", seats=["Ann", "Zoë", "Cleo", "Dan"], dealer=who)["Dealer"] == "E"


@pytest.mark.parametrize(
    ("who", "seats", "sitting"),
    [
        ("Zo", ["Ann", "Zoë", "Cleo", "Dan"], r"\(N Ann, E Zoë, S Cleo, W Dan\)"),
        ("Ann", {"N": "Cleo"}, r"\(N Cleo, E, S, W\)"),
        ("Ann", [], r"\(N, E, S, W\)"),
    ],
)
def test_a_first_dealer_who_does_not_sit_there_is_refused(
    who: str, seats: list[str] | dict[str, str], sitting: str,
) -> None:
    with pytest.raises(UsageError, match=f"dealer: '{who}' does not sit at this table {sitting}"):
        opening("kaiser", seats=seats, dealer=who)


@pytest.mark.parametrize("game", sorted(PAGES))
def test_every_option_of_every_game_has_a_schema_and_opens_a_match(game: str) -> None:
    """What the schema gives as the usual value, typed as text, is what the page takes."""
    page = find_game(game)
    schema = options_schema(page)
    typed = {}
    for name, field in schema["properties"].items():
        assert field.get("description"), name
        value = field["default"]
        if value is not None:
            typed[name] = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
            assert opening(game, options={name: typed[name]})["Option"] == {name: value}
    assert opening(game, options=typed)["Game"] == game


def test_a_line_struck_before_anything_else_happened_is_told() -> None:
    """If this failed, a record whose first line was a slip could not be replayed."""
    story = told('%kib 1\n[Game "kaiser"]\n\n1. W hand 1\n2. @ fix #1-\n3. N hand 1\n')
    assert "Hand 1, dealt by N" in story
    assert "struck" in story


@pytest.mark.parametrize("columns", [60, 80])
@pytest.mark.parametrize(
    "game", ["xeri-kafenio", "play-or-pay-cottage", "seven-and-a-half-christmas", "kaiser-evening"],
)
def test_a_replay_fits_a_narrow_terminal(game: str, columns: int) -> None:
    """If this failed, the number of an act would stand on a line of its own at 60 columns."""
    records = read_kib((EXAMPLES / f"{game}.kib").read_text(encoding="utf-8")).records
    acts = [
        line for line in tell(records, columns) if line.startswith("  ") and not line.startswith("  result")
        and not line.lstrip().startswith(("(", "!", "["))
    ]
    assert acts
    assert not [line for line in acts if len(line) > columns or line.strip().isdigit()]


def test_what_is_said_after_a_hand_is_no_part_between_two_hands() -> None:
    """If this failed, a dealer who has paid would be told under `between`, and the end of a match would be told
    twice."""
    lines = "D hand 1\n" + "".join(
        f"D play {card} <stock\n" for card in ["Qc", "7h", "9s", "Kd", "Th", "5s", "Ah", "7c", "2d", "Jc"]
    ) + "D show *x??\nD pass\nD pass\n"
    told = list(tell(log_of("put-and-take", lines, Seats="A B C D")))
    assert not [line for line in told if line.startswith("  between")]
    twice = log_of(
        "xeri", "B hand 1\n@ tally xeri.A=0 xeri.B=2 cards.A=21 honours.A=9 ten=A two=B\nA hand 2\n",
        option={"hands": 1},
    )
    assert len([line for line in tell(twice) if line.startswith("  result")]) == 1
