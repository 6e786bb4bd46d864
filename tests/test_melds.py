"""Melds: what is one, and the best of them against an exhaustive search that knows nothing of how they are found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product
from random import Random

import pytest
from sampling import sized

from events.cards import Pack, pack
from reducers.table import Table
from reducers.words.melds import GIN_WORTH, Melds, may_be_among
from reducers.words.wild_ranks import WildRanks

GIN = Melds(pack(), GIN_WORTH)
CONQUIAN = Melds(pack("A 2 3 4 5 6 7 J Q K"), GIN_WORTH, "A 2 3 4 5 6 7 J Q K")
DOUBLE = Melds(pack(copies=2), GIN_WORTH, "A 2 3 4 5 6 7 8 9 10 J Q K A")
WILD = Melds(
    pack(copies=2, jokers=4), {**GIN_WORTH, "2": 20, "Jo": 30}, "A 2 3 4 5 6 7 8 9 10 J Q K A",
    set_sizes=(3, 8), suits_differ=False, wild=("Jo", "2c", "2d", "2h", "2s"),
)  # fmt: skip
SHORT = Melds(
    pack(copies=2, jokers=4), {**GIN_WORTH, "Jo": 10}, suits_differ=False, longest=4, wild=("Jo",), most_wild=2,
    fewest_natural=1,
)
ALL = {"gin": GIN, "conquian": CONQUIAN, "double": DOUBLE, "wild": WILD, "short": SHORT}


@pytest.mark.parametrize(
    ("group", "answer"),
    [
        ("5c 6c 7c", True), ("7c 5c 6c 8c", True), ("As 2s 3s", True), ("Qs Ks As", False), ("Ks As 2s", False),
        ("5c 6c", False), ("5c 6c 7d", False), ("7c 7d 7h 7s", True), ("7c 7d", False), ("7c 7d 7d", False),
        ("5c ?? 7c", None), ("5c ?c 7c", None), ("5c ?d 7c", False), ("5c ?? 9c", False), ("7c 7? 7d", True),
        ("7c 7d 2x??", None), ("4x??", None), ("2x??", False), ("5c 6c Jo", False),
    ],
)  # fmt: skip
def test_is_meld(group: str, answer: bool | None) -> None:
    assert GIN.is_meld(group.split()) is answer


@pytest.mark.parametrize(
    ("group", "answer"),
    [
        ("5d 6d Jo=7d 8d", True), ("7c 7h 2d=7?", True), ("7c 7h Jo", True), ("5c 6c 2c=7c", True), ("Ac 2c 3c", True),
        ("Qs Ks As", True), ("5c 6c 2c", False), ("7c Jo 2d=7?", False), ("7c 8c Jo Jo", False), ("5c 7c Jo=7c", False),
        ("7c 7c 7h", True), ("Ks As 2s", False),
    ],
)  # fmt: skip
def test_is_meld_with_wild_cards(group: str, answer: bool) -> None:
    assert WILD.is_meld(group.split()) is answer


@pytest.mark.parametrize(
    ("group", "answer"),
    [
        ("5c 6c 7c 8c", True), ("5c 6c 7c 8c 9c", False), ("5c 6c 7c 8c Jo", False), ("5c Jo Jo", True),
        ("5c Jo 7c Jo", True), ("Jo Jo 5c 5c", True), ("5c 5c 5c 5d 5d", False), ("5c ?? ?? ?? ??", False),
        ("5c Jo 8c ??", None),
    ],
)  # fmt: skip
def test_short_melds_with_few_natural_cards(group: str, answer: bool | None) -> None:
    assert SHORT.is_meld(group.split()) is answer


@pytest.mark.parametrize(
    ("group", "answer"),
    [
        ("*x??", None), ("5c *x??", None), ("5c 6c 7c *x??", None), ("5c 6d *x??", False), ("5c 7c *x??", None),
        ("7c 7d 7h 7s *x??", None), ("7c 7c *x??", False), ("*", None), ("5c 6d *", False), ("7? 7c 7d", True),
        ("2x7? 7d", True), ("7? ?h 7d", None), ("7c ?c 7d", False), ("5c ?c 9c", False), ("?c 6c 7c", None),
        ("4x7?", True), ("7c 7? ??", None), ("Q? Ks As", False),
    ],
)  # fmt: skip
def test_a_group_is_a_meld_or_none_if_every_card_it_may_have_says_so(group: str, answer: bool | None) -> None:
    """`*x??` may be no card or many; `7?` beside two sevens is one of the other two."""
    assert GIN.is_meld(group.split()) is answer


def test_the_jack_follows_the_seven() -> None:
    assert CONQUIAN.is_meld(["6h", "7h", "Jh"])
    assert CONQUIAN.best(CONQUIAN.pack.bag(["6h", "7h", "Jh", "Kc"])).deadwood == 10


# -- an exhaustive search


def a_meld(m: Melds, cards: Sequence[str]) -> bool:
    """Whether some way of taking the wild cards among these makes a meld, by trying every face for each of them."""
    wild = [c for c in cards if c in m.wild]
    for used in (
        used for k in range(len(wild) + 1) for used in combinations(range(len(cards)), k)
        if all(cards[i] in m.wild for i in used)
    ):
        natural = [c for i, c in enumerate(cards) if i not in used]
        if len(used) > m.most_wild or (used and len(natural) < m.fewest_natural) or any(c[:2] == "Jo" for c in natural):
            continue
        for stands in product([f for f in m.pack.faces if f[:2] != "Jo"], repeat=len(used)):
            if plain_meld(m, natural, stands):
                return True
    return False


def plain_meld(m: Melds, natural: Sequence[str], stands: Sequence[str]) -> bool:
    cards = [*natural, *stands]
    ranks, suits = {c[0] for c in cards}, {c[1] for c in cards}
    low, high = m.set_sizes
    different = len({c[1] for c in natural}) == len(natural)
    if len(ranks) == 1 and low <= len(cards) <= high and (different or not m.suits_differ):
        return True
    if len(suits) != 1 or not m.shortest <= len(cards) <= m.longest or len(ranks) < len(cards):
        return False
    order = "".join(m.order)
    return any(
        "".join(sorted(ranks)) == "".join(sorted(order[i : i + len(cards)])) for i in range(len(order) - len(cards) + 1)
    )


def splits(m: Melds, cards: tuple[str, ...]) -> Iterator[int]:
    """The deadwood of every way to lay these cards down."""
    if not cards:
        yield 0
        return
    first, rest = cards[0], cards[1:]
    worth = m.worth[m.pack.code[first]]
    for points in splits(m, rest):
        yield worth + points
    for k in range(2, len(rest) + 1):
        for others in combinations(range(len(rest)), k):
            if a_meld(m, (first, *(rest[i] for i in others))):
                yield from splits(m, tuple(c for i, c in enumerate(rest) if i not in others))


def some_hand(m: Melds, random: Random, most: int) -> tuple[str, ...]:
    """A few cards, drawn from few ranks so that they meld."""
    p: Pack = m.pack
    ranks = random.sample(m.order, random.randint(2, 5)) if random.random() < 0.5 else m.order[
        (i := random.randrange(8)) : i + 4
    ]
    cards = [c for c, n in zip(p.faces, p.copies, strict=True) for _ in range(n) if c[0] in ranks or c[:2] == "Jo"]
    if random.random() < 0.5:
        suits = random.sample("cdhs", 2)
        cards = [c for c in cards if c[1] in suits or c[:2] == "Jo"]
    return tuple(random.sample(cards, min(random.randint(3, most), len(cards))))


def agree(which: str, hands: int, most: int) -> None:
    m, random = ALL[which], Random(f"{which}/{hands}")
    for _ in range(hands):
        cards = some_hand(m, random, most)
        bag = m.pack.bag(cards)
        best = m.best(bag)
        assert best.deadwood == min(splits(m, cards)), cards
        left = bag - sum(best.melds)
        assert m.points(left) == best.deadwood == m.deadwood(bag)
        assert all(a_meld(m, m.pack.cards(meld)) for meld in best.melds), (cards, best)
        assert sorted((*m.pack.cards(left), *(c for meld in best.melds for c in m.pack.cards(meld)))) == sorted(cards)


@pytest.mark.parametrize("which", ALL)
def test_the_best_melds_are_never_worse_than_an_exhaustive_search(which: str) -> None:
    """If this failed, somebody would be told more deadwood than there is."""
    agree(which, 40 if ALL[which].wild else 150, 5 if ALL[which].wild else 7)


@pytest.mark.slow
@pytest.mark.parametrize(("which", "hands"), [("gin", 10_000), ("conquian", 3_000), ("double", 3_000), ("wild", 1_000)])
def test_the_best_melds_of_many_hands(which: str, hands: int) -> None:
    agree(which, hands, 5 if which == "wild" else 8)


def test_the_quick_way_and_the_general_way_agree() -> None:
    """Meld-rich hands of ten, drawn from the fives to the nines."""
    slow = Melds(pack(), GIN_WORTH)
    slow.plain = False
    random, cards = Random(5), [r + s for r in "56789" for s in "cdhs"]
    for _ in range(300):
        bag = GIN.pack.bag(random.sample(cards, 10))
        assert GIN.best(bag).deadwood == slow.best(bag).deadwood == GIN.deadwood(bag)


@pytest.mark.parametrize(
    ("hand", "deadwood"),
    [
        ("9c 9d 9h 9s Tc Jc Td Jd", 18), ("9c 9d 9h 9s Tc Jc Td 2d", 12), ("9c 9d 9h Tc Jc Td Jd", 9),
        ("7c 7d 7h 7s 8c 9c 8d 9d 8h 9h", 0), ("3c 3d 3h 4c 4d 4h 5c 5d 5h", 0),
        ("5c 5d 5h 5s 6c 7c 6d 7d 6h 7h 8s", 8),
    ],
)  # fmt: skip
def test_a_rank_wanted_by_several_runs(hand: str, deadwood: int) -> None:
    """All of a rank in a set, one of it in a run, or no set at all: whatever leaves least."""
    assert GIN.best(GIN.pack.bag(hand.split())).deadwood == deadwood


def test_laying_off_is_searched_together_with_the_melds() -> None:
    """Against every way to lay some cards off, one after the other, and then to meld the rest."""
    p, random = GIN.pack, Random(6)
    for _ in range(60):
        cards = random.sample([r + s for r in "56789T" for s in "cdhs"], 12)
        runs = [m for m in GIN.melds_in(p.bag([r + s for r in "56789T" for s in "cdhs"])) if not m & p.bag(cards[:7])]
        targets = random.sample(runs, 1)
        bag = p.bag(cards[:7])
        lay = {0}
        grown = [(targets[0], 0)]
        while grown:
            meld, off = grown.pop()
            for code in p.codes(bag - off):
                if a_meld(GIN, p.cards(meld + p.unit[code])) and off + p.unit[code] not in lay:
                    lay.add(off + p.unit[code])
                    grown.append((meld + p.unit[code], off + p.unit[code]))
        found = GIN.best_laying_off(bag, targets)
        assert found.deadwood == min(GIN.deadwood(bag - off) for off in lay)
        assert GIN.points(bag - sum(found.off) - sum(found.melds)) == found.deadwood


def half_wild(cards: Sequence[str], order: str) -> bool:
    """Whether these are a meld with twos, sevens and jokers wild: as many of them as may be are tried as any card."""
    can, must = [
        i for i, c in enumerate(cards) if c == "Jo" or c[0] in "27"
    ], {i for i, c in enumerate(cards) if c == "Jo"}
    for wild in (set(some) for n in range(len(cards) // 2 + 1) for some in combinations(can, n) if must <= set(some)):
        natural = [c for i, c in enumerate(cards) if i not in wild]
        faces = {r + natural[0][1] for r in order} | {natural[0][0] + s for s in "cdhs"}
        for stands in product(faces, repeat=len(wild)):
            left = iter(stands)
            if lies_as_meld([(next(left) if i in wild else c, i in wild) for i, c in enumerate(cards)], order):
                return True
    return False


def lies_as_meld(laid: Sequence[tuple[str, bool]], order: str) -> bool:
    """Whether these cards, each said to be wild or not, are a set, or a run with no two wild ones side by side."""
    n, suits, ranks = len(laid), {c[1] for c, _ in laid}, {c[0] for c, _ in laid}
    if len(ranks) == 1:
        return n in (3, 4) and len(suits) == n
    windows = [
        order[low : low + n] for low in range(len(order) - n + 1)
    ] if len(suits) == 1 and len(ranks) == n >= 3 else []
    for window in windows:
        wild = [w for rank in window for c, w in laid if c[0] == rank]
        if len(wild) == n and not any(a and b for a, b in pairwise(wild)):
            return True
    return False


@pytest.mark.parametrize("order", ["A23456789TJQK", "A23456789TJQKA"])
def test_several_wild_cards_against_every_way_to_lay_them(order: str) -> None:
    """If this failed, a meld with two wild cards would be taken for none, or a hand would count too much."""
    p, random = pack(copies=2, jokers=4), Random(9)
    worth = [5 if rank in "A234567" else 10 for rank in p.rank_of[: p.unknown]]
    melds = WildRanks(p, "27", worth, 15, " ".join(order))
    few = [r + s for r in "A236789K" for s in "cd"] + ["Jo", "Jo", "2c", "7d"]
    for _ in range(25):
        hand = random.sample(few, 5)
        groups = [g for n in (3, 4, 5) for g in combinations(range(5), n) if half_wild([hand[i] for i in g], order)]
        for n in (3, 4, 5):
            for g in combinations(range(5), n):
                assert melds.is_meld([hand[i] for i in g]) is (g in groups), [hand[i] for i in g]
        left = min(
            (melds.points(p.bag(c for i, c in enumerate(hand) if i not in g)) for g in groups),
            default=melds.points(p.bag(hand)),
        )
        assert melds.best(p.bag(hand)).deadwood == left, hand


def test_cards_that_may_be_among_those_nobody_saw() -> None:
    """If this failed, a hand with one card unseen would be said to lack two, or to be able to have them."""
    p = pack()
    table = Table(p)
    hand, seen = table.bag("A"), table.row("discard")
    table.lay([p.code["7c"], p.unknown], hand)
    table.lay([p.code["Kd"]], seen)
    assert may_be_among(p.bag(["8c"]), hand)
    assert not may_be_among(p.bag(["8c", "9c"]), hand)
    assert not may_be_among(p.bag(["Kd"]), hand)
    hand.vague = True
    assert may_be_among(p.bag(["8c", "9c"]), hand)
    assert not may_be_among(p.bag(["8c", "Kd"]), hand)


FAMILIES = {**ALL, "ranks": WildRanks(pack(copies=2, jokers=4), "27", (10,) * 53, 15)}


@pytest.mark.both
@pytest.mark.parametrize("family", FAMILIES)
def test_a_meld_of_which_less_was_seen_is_never_no_meld(family: str) -> None:
    """Whatever of a meld was not seen, or half, also of a card said to stand for another: the answer is never no."""
    melds, random = FAMILIES[family], Random(family)
    melds_tried = 0
    while melds_tried < sized(120, 400):
        group = some_meld(melds.order, random)
        faces = [card.partition("=")[0] for card in group]
        if melds.is_meld(group) is not True or any(
            faces.count(c) > melds.pack.copies[melds.pack.code[c]] for c in faces
        ):
            continue
        melds_tried += 1
        hidden = set(random.sample(range(len(group)), random.randint(1, len(group))))
        shown = [less_of(card, random) if i in hidden else card for i, card in enumerate(group)]
        assert melds.is_meld(shown) is not False, (group, shown)


def some_meld(order: Sequence[str], random: Random) -> list[str]:
    """A few cards of one rank, or of one suit in order, some of them wild: mostly a meld."""
    size, at, suit = random.choice((3, 3, 4, 5)), random.randrange(len(order)), random.choice("cdhs")
    cards = [
        order[at] + s for s in random.sample("cdhs", min(size, 4))
    ] if random.random() < 0.5 else [r + suit for r in order[at : at + size]]
    wild = [random.choice(("Jo", "2c", "2d")) if random.random() < 0.25 else "" for _ in cards]
    return [random.choice((w, f"{w}={card}")) if w else card for w, card in zip(wild, cards, strict=True)]


def less_of(card: str, random: Random) -> str:
    """A card as somebody saw it who saw less of it."""
    face, equals, stands_for = card.partition("=")
    seen = "??" if face == "Jo" else random.choice(("??", face[0] + "?", "?" + face[1]))
    return seen + equals + stands_for


@pytest.mark.parametrize(
    ("lies", "card", "longer"),
    [
        (("5h", "5d", "2c"), "Jo", ("5h", "5d", "2c=5?", "Jo=5?")),
        (("5h", "5d", "2c"), "5s", ("5h", "5d", "2c=5?", "5s")),
        (("5h", "5d", "5c"), "2s", ("5h", "5d", "5c", "2s=5?")),
        (("5h", "5d", "5c", "2s"), "5s", None),
    ],
)  # fmt: skip
def test_a_set_of_four_may_be_half_wild(lies: tuple[str, ...], card: str, longer: tuple[str, ...] | None) -> None:
    """If this failed, a second wild card could not be laid onto a set of three."""
    melds = WildRanks(pack(jokers=2), "2", (10,) * 53, 15)
    assert melds.longer(melds.lies(lies), [card]) == (() if longer is None else (longer,))
