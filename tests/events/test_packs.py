"""Packs as the games need them, and the arithmetic of bags in each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sampling import a_few

from events.cards import JOKERS, Pack, check_cards, how_many, item, pack, ranking, squeeze

KAISER = pack("A K Q J 10 9 8", plus="7c 7d 5h 3s")
SCOPA = pack("A 2 3 4 5 6 7 J Q K")
JOKERS_TWO = pack(jokers=2)
TOLD_APART = pack(jokers=2, told_apart=True)
BURRACO = pack(copies=2, jokers=4)
DOUBLE = pack(copies=2)
KOWAH = Pack(
    dict.fromkeys([r + s for s in "dhs" for r in "A23456789"], 4) | dict.fromkeys(["Jc", "Qc", "Kc"], 4)
)
NO_CLUBS = pack(suits="dhs")
PACKS = {
    "kaiser": (KAISER, 32), "scopa": (SCOPA, 40), "two jokers": (JOKERS_TWO, 54), "told apart": (TOLD_APART, 54),
    "burraco": (BURRACO, 108), "double": (DOUBLE, 104), "kowah": (KOWAH, 120), "no clubs": (NO_CLUBS, 39),
}  # fmt: skip


@pytest.mark.parametrize("name", PACKS)
def test_size(name: str) -> None:
    """The pack has as many cards as the game's box, and the bag of all of them says so."""
    made, size = PACKS[name]
    assert made.size == size == made.count(made.full) == len(made.cards(made.full)) == len(list(made.codes(made.full)))
    assert made.single == (max(made.copies) == 1)


@pytest.mark.parametrize("name", a_few(PACKS, 2))
def test_bags(name: str) -> None:
    """Putting cards into a bag and taking them out again gives the same cards, copies counted."""
    made, _ = PACKS[name]

    @given(st.permutations(made.cards(made.full)), st.integers(0, made.size))
    def run(cards: list[str], cut: int) -> None:
        one, other = made.bag(cards[:cut]), made.bag(cards[cut:])
        assert one + other == made.full
        assert sorted(made.cards(one)) == sorted(cards[:cut])
        assert made.count(one) == cut

    run()


def test_kaiser_has_its_odd_cards() -> None:
    assert "5h" in KAISER
    assert "3s" in KAISER
    assert "7h" not in KAISER
    assert "7s" not in KAISER
    assert "??" not in KAISER


@pytest.mark.parametrize(
    ("cards", "others", "may_be"),
    [
        ("7h", "7h", True), ("7h ??", "7? Ks", True), ("7h ??", "8? Ks", False), ("7h", "7h Ks", False),
        ("7h Ks", "Ks 7h", False),
    ],
)
def test_cards_that_may_be_the_same_in_their_order(cards: str, others: str, may_be: bool) -> None:
    """If this failed, half-seen cards that are written again would be taken for other ones."""
    one, other = ([DOUBLE.code[card] for card in line.split()] for line in (cards, others))
    assert DOUBLE.may_be_these(one, other) == may_be


def test_jokers_told_apart() -> None:
    """A red and a black joker are two faces; jokers that look alike are one face twice."""
    assert "Jo+" in TOLD_APART
    assert "Jo" not in TOLD_APART
    assert TOLD_APART.single
    assert JOKERS_TWO.cards(JOKERS_TWO.full).count("Jo") == 2
    assert TOLD_APART.joker == TOLD_APART.mask_of(JOKERS[1:])


def test_a_removed_suit_is_gone() -> None:
    assert NO_CLUBS.suit["c"] == 0
    assert NO_CLUBS.may_be[NO_CLUBS.code["K?"]] == NO_CLUBS.mask_of(["Kd", "Kh", "Ks"])
    assert KOWAH.suit["c"] == KOWAH.mask_of(["Jc", "Qc", "Kc"])


@pytest.mark.parametrize("name", PACKS)
def test_half_known_cards_may_be_what_they_show(name: str) -> None:
    """`7?` may be any seven, never a joker; `??` anything, and so may be each of the cards that nobody counted."""
    made, _ = PACKS[name]
    for token in made.tokens:
        faces = [c for c in made.faces if made.may_be[made.code[token]] & made.field[made.code[c]]]
        if token in ("??", "*x??"):
            assert faces == list(made.faces)
        elif "?" in token:
            assert all(c[:2] != "Jo" and any(a == b for a, b in zip(c, token, strict=True)) for c in faces)
        else:
            assert faces == [token]


def test_cards_that_are_none() -> None:
    with pytest.raises(ValueError, match="'1c' is not a card"):
        pack("1 2")
    for text in ("1h", "", "3x7h", "1x??", "0x??", "1000x??", "x??", "７h", "Jo=", "=7h", "3x??=7h"):
        with pytest.raises(ValueError, match=r"is not a card|count"):
            item(text)


@pytest.mark.parametrize("cards", [(), ("??", "??"), ("2x?h", "?h"), ("*", "7h"), ("7h*",)])
def test_lists_not_in_their_one_form(cards: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"."):
        check_cards(cards)


def test_squeezing_keeps_the_number_of_cards() -> None:
    cards = ["7h", "??", "??", "2x??", "?h", "7h", "*x?h", "?h"]
    assert squeeze(cards) == ("7h", "4x??", "?h", "7h", "*x?h")
    assert how_many(["7h", "??", "??", "2x??"]) == how_many(squeeze(["7h", "??", "??", "2x??"])) == 5
    assert how_many(cards) is None


def test_a_ranking_is_an_order() -> None:
    order = ranking("A 10 K Q J 9")
    assert order.beats("Th", "Ks")
    assert not order.beats("9h", "Js")
    assert order.strength(pack("A 9"))[:2] == (6, 1)
