"""The packs on tables: every card by its letters, figures and names, and the page that lists them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sampling import examples

from events.cards import CARDS, RANKS, SUITS
from events.entries import SHORT
from events.errors import UsageError
from events.packs import FRENCH, PACKS, TablePack, pack_named, small_plain
from events.tokens import card_items, card_readings

PAGE = Path(__file__).parent.parent.parent / "docs" / "packs.md"
BEGIN, END = "<!-- packs -->\n", "<!-- end of packs -->\n"
FORTY = "A234567JQK"
OTHERS = [name for name in PACKS if name != "french"]


def cards(pack: TablePack, typed: str, ranks: str = RANKS) -> list[str] | None:
    """The cards that are typed so; None if they are none, or can be different ones."""
    return card_items(pack.in_french(typed, ranks) or "")


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("ranks", [RANKS, FORTY, "A23456789JQK"])
def test_no_letter_has_two_meanings(name: str, ranks: str) -> None:
    """If this failed, a recorder could type one card and store another."""
    pack = PACKS[name]
    by_rank, by_suit = pack.rank_typed(ranks), pack.suit_typed()
    assert not set(by_rank) & set(by_suit)
    assert sum(len(called.typed) for called in pack.suits.values()) == len(by_suit)
    assert len(
        {typed for called in pack.ranks.values() for typed in called.typed}
    ) == sum(len(called.typed) for called in pack.ranks.values())
    # Nothing that is said of any card, and no letter that would make a verb of a card: an unseen card, a joker, a
    # meld, a pass, a throw.
    assert not (set(by_rank) | set(by_suit)) & {"x", "j", "m", "p", "t", "?", "*", "-", "=", "."}
    # What a figure is cannot turn on the one after it: 10, 11 and 12 are one card each, and there is no 0.
    assert {typed for typed in by_rank if len(typed) > 1} <= {"10", "11", "12"}
    assert "0" not in by_rank
    assert set(ranks) <= set(by_rank.values())
    assert set(by_suit.values()) == set(SUITS)


@pytest.mark.parametrize("name", PACKS)
def test_every_card_by_letters_figures_and_names(name: str) -> None:
    """If this failed, somebody who names a card as players do would get another, or none."""
    pack = PACKS[name]
    for ranks in (RANKS, FORTY):
        by_rank, by_suit = pack.rank_typed(ranks), pack.suit_typed()
        for rank, stored in by_rank.items():
            for suit, of in by_suit.items():
                for typed in (rank + suit, suit + rank, (rank + suit).upper(), (suit + rank).title()):
                    assert cards(pack, typed, ranks) == [stored + of], typed
    for card in CARDS:
        rank, suit = pack.ranks[card[0]], pack.suits[card[1]]
        if name != "french":
            for one in (rank.one, *rank.words):
                for many in (suit.one, suit.many, *suit.words):
                    said = (f"{one}{many}", f"{many}-{one}", f"{one}-de-{many}", f"{one}di{many}", f"{rank.sign}{many}")
                    for typed in (*said, *map(str.upper, said)):
                        assert pack.named(typed) == card, typed
        assert cards(pack, pack.sign(card)) == [card]
        assert pack.in_words(card) == pack.phrase.format(rank=rank.one, suit=suit.many)


@pytest.mark.parametrize("name", OTHERS)
def test_a_name_means_one_thing(name: str) -> None:
    """If this failed, the name of one rank or suit would be taken for another, or for cards by their letters."""
    pack = PACKS[name]
    ranks = [
        (letter, word) for letter, called in pack.ranks.items()
        for word in {*map(small_plain, (called.one, *called.words))}
    ]
    suits = [
        (letter, word) for letter, called in pack.suits.items()
        for word in {*map(small_plain, (called.one, called.many, *called.words))}
    ]
    said = [*ranks, *suits]
    assert len({word for _, word in said}) == len(said)
    for letter, word in said:
        assert pack.named(word) == letter
    # Where letters would read as cards too, the name comes first: `as` is the ace, and not an ace and a sota.
    assert {word for _, word in said if pack.in_french(word, FORTY)} == {
        "german": {"ass"}, "italian": set(), "spanish": {"as", "oros"},
    }[name]


def test_which_short_verbs_are_letters_of_a_pack() -> None:
    """The page says how each clash is decided; a new one has to be decided too."""
    clashes = {name: {*PACKS[name].rank_typed(), *PACKS[name].suit_typed()} & {*SHORT, "r"} for name in OTHERS}
    assert clashes == {"german": {"s"}, "italian": {"b", "c", "d", "r", "s"}, "spanish": {"b", "c", "r", "s"}}
    # Of these a rank comes before the verb: it may be typed alone.
    assert {name: clash & set(PACKS[name].rank_typed()) for name, clash in clashes.items()} == {
        "german": set(), "italian": {"r"}, "spanish": {"s", "r"},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "ranks", "typed", "french"),
    [
        # runs with the suit in front, carried on until the next
        ("spanish", FORTY, "o7sr", "d7jk"), ("spanish", FORTY, "o712c1", "d7kha"),
        ("italian", FORTY, "b7rd10", "c7kdk"), ("german", RANKS, "eko10l7", "ckqts7"), ("german", RANKS, "g10", "st"),
        # a rank once for all its suits
        ("italian", FORTY, "7dcs", "7dhs"), ("spanish", FORTY, "10oe", "jds"),
        # by their ends, over what the game is played without
        ("spanish", FORTY, "o4-7", "d4-7"), ("spanish", FORTY, "4-7o", "4-7d"), ("spanish", FORTY, "o6-s", "d67j"),
        ("spanish", FORTY, "6-11o", "6d7djdqd"), ("italian", FORTY, "b6-r", "c67jqk"),
        ("italian", RANKS, "b6-r", "c6-k"), ("spanish", "A23456789JQK", "o7-s", "d789j"),
        ("german", RANKS, "h7-a", "h7-a"),
        # holes, unseen cards, jokers, groups
        ("spanish", FORTY, "s", "j"), ("italian", FORTY, "9", "q"), ("italian", RANKS, "9", "9"),
        ("spanish", FORTY, "12", "k"), ("spanish", RANKS, "10", "t"), ("spanish", FORTY, "3x", "3x"),
        ("spanish", FORTY, "c7x", "h7x"), ("italian", FORTY, "?c", "?h"), ("italian", FORTY, "r?", "k?"),
        ("german", RANKS, "jo=7l", "jo=7s"), ("italian", FORTY, "rc/6b4d", "kh/6c4d"), ("italian", FORTY, "*", "*"),
        ("italian", FORTY, "7♥", "7h"),
        # figures are as long as they can be
        ("spanish", FORTY, "o112", "dq2"), ("spanish", FORTY, "oa2", "da2"), ("spanish", FORTY, "o123", "dk3"),
        # no cards of the pack
        ("italian", FORTY, "7h", None), ("italian", FORTY, "kd", None), ("spanish", FORTY, "7d", None),
        ("german", RANKS, "7c", None), ("spanish", FORTY, "o13", "da3"), ("spanish", FORTY, "14o", "a4d"),
        ("italian", FORTY, "dd", None), ("italian", FORTY, "", None), ("spanish", FORTY, "bc", None),
        ("italian", FORTY, "stock", None), ("italian", FORTY, "7d/", "7d/"), ("italian", FORTY, "/", None),
    ],
)  # fmt: skip
def test_a_run_of_cards(name: str, ranks: str, typed: str, french: str | None) -> None:
    """If this failed, what is typed as with French cards would mean something else with these."""
    assert PACKS[name].in_french(typed, ranks) == french


@examples(30)
@given(st.sampled_from(OTHERS), st.sampled_from([RANKS, FORTY]), st.data())
def test_what_is_shown_can_be_typed(name: str, ranks: str, data: st.DataObject) -> None:
    """If this failed, a recorder who copies the cards on the screen would get other cards."""
    pack = PACKS[name]
    held = data.draw(st.lists(st.sampled_from([card for card in CARDS if card[0] in ranks]), min_size=1, max_size=12))
    assert cards(pack, "".join(map(pack.sign, held)), ranks) == held
    assert cards(pack, "".join(map(pack.sign, held)).lower(), ranks) == held
    suit = held[0][1]
    in_front = pack.suits[suit].sign + "".join(pack.ranks[card[0]].sign for card in held)
    read = [[card.replace("_", suit) for card in run] for run in card_readings(pack.in_french(in_front, ranks) or "")]
    assert [card[0] + suit for card in held] in read


def test_an_unknown_pack_is_refused() -> None:
    """If this failed, a mistyped name would quietly show French cards."""
    with pytest.raises(UsageError, match="klingon") as refused:
        pack_named("klingon")
    assert all(name in refused.value.expected for name in PACKS)
    assert pack_named("ITALIAN") is PACKS["italian"]
    assert FRENCH.sign("Td") == "10♦"


# -- the page ---------------------------------------------------------------------------------------------------------


def table() -> str:
    """The table of the page, computed from the packs."""
    lines = [
        "| card | " + " | ".join(f"{name}: shown, typed, called" for name in OTHERS) + " |",
        "|---|" + "---|" * len(OTHERS),
    ]
    for letter in (*SUITS, *RANKS):
        cells = [
            FRENCH.suits[letter].sign + f" {FRENCH.suits[letter].many}" if letter in SUITS
            else f"{FRENCH.ranks[letter].sign} {FRENCH.ranks[letter].one}"
        ]
        for name in OTHERS:
            pack = PACKS[name]
            called = pack.suits[letter] if letter in SUITS else pack.ranks[letter]
            figure = [
                f"{typed}¹" for typed, rank in pack.counted.items() if rank == letter
            ] if letter not in SUITS else []
            words = [called.one, *([called.many] if called.many != called.one else []), *called.words]
            cells.append(
                f"`{called.sign}`, {' '.join([*(f'`{t}`' for t in called.typed), *figure])}, {', '.join(words)}"
            )
        lines.append(f"| {' | '.join(cells)} |")
    both = ", ".join(f"{name} {PACKS[name].sign('Qc')} is {PACKS[name].in_words('Qc')}" for name in OTHERS)
    lines += ["", f"Q♣ in each: {both}."]
    return "\n".join(lines) + "\n"


def test_the_page_lists_what_the_packs_are() -> None:
    """`KIBITZ_REWRITE=1` writes the table anew."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    now = before + BEGIN + table() + END + after
    if os.environ.get("KIBITZ_REWRITE"):
        PAGE.write_text(now, encoding="utf-8")
    assert text == now
