"""Four colours on a terminal that has them, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.colour import SUITS, painted
from events.packs import PACKS

from .conftest import Kibitz
from .terminal import Terminal

HEART, END = "\x1b[31m", "\x1b[39m"


@pytest.mark.parametrize(
    ("text", "coloured"),
    [
        ("N K♥, E ??", f"N {HEART}K♥{END}, E ??"),
        ("♠A10 ♥107 3x??", f"♠A10 {HEART}♥107{END} 3x??"),
        ("10♥ 7♥", f"{HEART}10♥{END} {HEART}7♥{END}"),
        ("6♥ made", f"{HEART}6♥{END} made"),
        ("nothing at all", "nothing at all"),
    ],
)
def test_cards_have_the_colour_of_their_suit(text: str, coloured: str) -> None:
    """The sign stays where it is: colour is never all there is to tell a suit by."""
    assert painted(text) == coloured
    assert painted(text).replace(HEART, "").replace(END, "") == text


@pytest.mark.parametrize(
    ("pack", "text", "coloured"),
    [
        ("italian", "A Rc takes 7d, cA7 5s", f"A {HEART}Rc{END} takes \x1b[94m7d{END}, {HEART}cA7{END} 5s"),
        ("spanish", "10b 7o", f"\x1b[32m10b{END} \x1b[94m7o{END}"),
        ("german", "As played, N As", f"As played, N \x1b[94mAs{END}"),
        ("italian", "won:A col:B:3 B:2 #7c x=7c", "won:A col:B:3 B:2 #7c x=7c"),
    ],
)
def test_cards_of_another_pack_have_colours_too(pack: str, text: str, coloured: str) -> None:
    """If this failed, a table that plays with coins and cups would see no colour at all, or colours in names and
    positions."""
    assert painted(text, PACKS[pack]) == coloured


@pytest.mark.rest
def test_a_terminal_colours_the_cards_on_the_table(kibitz: Kibitz, tmp_path: Path) -> None:
    """If this failed, the colours would be looked for in cards that are not shown."""
    kibitz("new", "scopa", "--pack", "italian", "--id", "it")
    with Terminal(tmp_path, "record", "it", "--plain", more={"NO_COLOR": None}) as at:
        at.until("> ")
        at.type("dr3c62\n")
        at.until("to play")
        at.type("7d\n")
        at.until("B to play")
        assert b"\x1b[94m7d\x1b[39m" in at.raw
        at.type("quit\n")
        assert at.ends() == 0


def test_four_suits_have_four_colours() -> None:
    """Spades have that of the text."""
    assert len(set(SUITS.values())) == 3
    assert painted("A♠") == "A♠"
    assert len({painted(f"A{suit}").replace(suit, "") for suit in "♣♦♥♠"}) == 4


@pytest.mark.rest
@pytest.mark.parametrize(
    ("more", "colours"),
    [
        ({"NO_COLOR": None}, True), pytest.param({"NO_COLOR": "1"}, False, marks=pytest.mark.rest),
        pytest.param({"NO_COLOR": None, "TERM": "dumb"}, False, marks=pytest.mark.rest),
    ]
)
def test_colour_where_the_terminal_has_it(
    more: dict[str, str | None], colours: bool, evening: Kibitz, tmp_path: Path,
) -> None:
    """Answers, the table and findings; none with NO_COLOR, none on a terminal that has none."""
    assert evening("record", "eve", stdin="Kh 8c 8h 9h\nAh 10h\n").code == 0
    shown = {}
    for words in (("show", "eve"), ("check", "eve"), ("record", "eve", "--plain")):
        with Terminal(tmp_path, *words, more=more) as at:
            if words[0] == "record":
                at.until("> ")
                at.type("Jh\n")
                at.until("to play")
                shown[words[0]] = at.raw
                at.type("quit\n")
            assert at.ends() == (3 if words[0] == "check" else 0)
            shown.setdefault(words[0], at.raw)
    for word, sign in (("show", HEART), ("check", "\x1b[1;31mbroken"), ("record", f"{HEART}J♥{END}")):
        assert (sign.encode() in shown[word]) == colours, word
        assert colours or b"\x1b[3" not in shown[word], word


def test_a_pipe_gets_no_colour(evening: Kibitz, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the environment says."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    assert "\x1b" not in evening(
        "record", "eve", stdin="Kh\nshow\n?\nN Th\n",
    ).out + evening("check", "eve").out + evening("show", "eve").out
