"""Cards seen by half, and cards that nobody counted: what a pile says of them holds in every way they can lie."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, permutations, product
from random import Random

import pytest
from given import log as records
from hypothesis import given
from hypothesis import strategies as st
from sampling import examples, sampled

from events.cards import Pack, is_face, pack
from events.model import Recorded
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.registry import games_with_cards
from reducers.rules import Verdict
from reducers.table import NOT_THERE, TOO_MANY, Pile, Table
from replay.degrade import Kind, degrade
from replay.fold import fold
from replay.judging.judge import judge
from replay.simulate import Truth, simulate

SMALL = pack("7 8 9", suits="hsc")
FACES = SMALL.faces


# -- the pile against every way the cards can lie


def may_be(token: str, face: str) -> bool:
    """Whether a card written so can be this face."""
    return token == "??" or token == face or (
        token[0] == "?" and token[1] == face[1]
    ) or (token[1] == "?" and token[0] == face[0])


def tokens_of(face: str) -> tuple[str, ...]:
    """How a card may have been seen."""
    return face, face[0] + "?", "?" + face[1], "??"


@st.composite
def seen(draw: st.DrawFn) -> tuple[list[str], list[tuple[str, str]]]:
    """What was seen of the cards that came to a hand, and then of those that left it or were shown there."""
    order = draw(st.permutations(FACES))
    count = draw(st.integers(1, 5))
    came = [draw(st.sampled_from(tokens_of(face))) for face in order[:count]]
    gone = draw(st.permutations(order[:count]))[: draw(st.integers(0, count))]
    return came, [(draw(st.sampled_from(("out", "shown"))), draw(st.sampled_from(tokens_of(face)))) for face in gone]


def hands(came: list[str], later: list[tuple[str, str]]) -> Iterator[frozenset[str]]:
    """Every hand that may be left, by trying each: no line is shared with the table."""
    for cards in combinations(FACES, len(came)):
        if any(all(may_be(t, c) for t, c in zip(came, order, strict=True)) for order in permutations(cards)):
            yield from _left(frozenset(cards), later)


def _left(hand: frozenset[str], later: list[tuple[str, str]]) -> Iterator[frozenset[str]]:
    if not later:
        yield hand
        return
    (what, token), *rest = later
    for card in hand:
        if may_be(token, card):
            yield from _left(hand - {card} if what == "out" else hand, rest)


def table_after(came: list[str], later: list[tuple[str, str]]) -> tuple[Table, Pile]:
    """The table says what it knows of the same hand."""
    table = Table(SMALL)
    held, middle = table.bag("N"), table.row("trick")
    table.lay([SMALL.code[t] for t in came], held)
    for what, token in later:
        if what == "out":
            table.move([SMALL.code[token]], held, middle)
        elif is_face(token):
            table.reveal([SMALL.code[token]], held)
    return table, held


@given(seen())
@examples(400, deadline=None)
def test_what_a_holding_says_is_true_in_every_way_its_cards_can_lie(
    what: tuple[list[str], list[tuple[str, str]]]
) -> None:
    """If this failed, a half-seen card would prove something that one deal at least denies."""
    came, later = what
    later = [(w, t) for w, t in later if w == "out" or is_face(t)]
    table, held = table_after(came, later)
    worlds = set(hands(came, later))
    if not worlds:
        return
    assert table.trouble == []
    assert {len(hand) for hand in worlds} == {len(held)}
    for wanted in ("7?", "8?", "9?", "?h", "?s", "?c", *FACES):
        mask = SMALL.may_be[SMALL.code[wanted]]
        counts = {sum(may_be(wanted, c) for c in hand) for hand in worlds}
        low, high = held.how_many(mask)
        assert low <= min(counts), f"at least {low} of {wanted}"
        assert high >= max(counts), f"at most {high} of {wanted}"
        answer = held.any_of(mask)
        assert answer is None or {answer} == {n > 0 for n in counts}, wanted
        assert not any(c in hand for hand in worlds for c in FACES if not held.may_hold() & SMALL.unit[SMALL.code[c]])


def test_the_property_finds_a_table_that_keeps_the_slot(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: a table that leaves the half-seen slot where it was, as it once did, is caught."""

    def keeps(self: Table, mask: int, src: Pile) -> bool:
        if src.unseen:
            src.unseen -= 1
        elif src.half:
            src.half = src.half[1:]
        return True

    monkeypatch.setattr(Table, "_take_slot", keeps)
    held = table_after(["?h", "??"], [("out", "7h")])[1]
    assert held.any_of(SMALL.suit["h"]), "the slot that the seven of hearts may have been is there still"
    worlds = set(hands(["?h", "??"], [("out", "7h")]))
    assert {any(c[1] == "h" for c in hand) for hand in worlds} == {True, False}


@pytest.mark.parametrize(
    ("came", "later", "half", "unseen"),
    [
        (["?h", "?h", "??"], [("out", "7h")], ("?h",), 1),
        (["7?", "?h"], [("out", "7h")], (), 1),
        (["7?", "?s"], [("out", "7h")], ("?s",), 0),
        (["7h", "?h"], [("out", "?h")], ("?h",), 0),
        (["7h", "8s", "??"], [("out", "?h")], (), 1),
        (["?h", "??"], [("out", "??")], (), 1),
        (["?h", "?h"], [("out", "??")], ("?h",), 0),
    ],
)  # fmt: skip
def test_a_card_uses_up_the_slot_that_it_may_have_been(
    came: list[str], later: list[tuple[str, str]], half: tuple[str, ...], unseen: int,
) -> None:
    """What is sure of the others is kept, and no more."""
    held = table_after(came, later)[1]
    assert (tuple(SMALL.tokens[c] for c in held.half), held.unseen) == (half, unseen)


def test_a_card_that_no_half_seen_slot_can_be_is_a_conflict() -> None:
    """Nobody holds the seven of hearts who holds two spades."""
    table, held = table_after(["?s", "?s"], [("out", "7h")])
    assert [t.rule for t in table.trouble] == [NOT_THERE]
    assert len(held) == 1


@pytest.mark.parametrize("token", ["?s", "8?"])
def test_what_leaves_half_seen_and_cannot_be_there_is_a_conflict(token: str) -> None:
    table, held = table_after(["7h", "9c"], [("out", token)])
    assert [t.rule for t in table.trouble] == [NOT_THERE]
    assert len(held) == 1


def test_cards_that_nobody_counted_may_be_any_number() -> None:
    """At least one came; whether a card is there, and how many, stays open."""
    table = Table(SMALL)
    held = table.bag("N")
    table.lay(table.codes(["*x??"]), held)
    assert (len(held), held.vague) == (1, True)
    table.move(table.codes(["7h"]), held, table.row("trick"))
    table.move(table.codes(["8h"]), held, table.row("trick"))
    assert table.trouble == []
    assert held.any_of(SMALL.suit["h"]) is None
    assert held.any_of(SMALL.field[SMALL.code["7h"]]) is False, "it lies in the middle"
    assert held.how_many(SMALL.suit["s"]) == (0, 3)


@pytest.mark.parametrize(
    "cards",
    [["7h", "??", "8h"], ["??", "??", "8h"], ["7h", "?h", "8c"], ["7h", "8h", "9h"], ["7h", "??", "8h", "*x??"]],
)
def test_a_whole_pile_is_moved_as_it_lies(cards: list[str]) -> None:
    """An unseen card among the others is the one that lies there, and not the card on top."""
    for to in ("won", "stock"):
        table = Table(SMALL)
        pile, other = table.row("board"), table.row(to) if to == "stock" else table.bag(to)
        table.lay(table.codes(cards), pile)
        codes = pile.codes()
        table.move(table.codes(["*"], pile), pile, other)
        assert table.trouble == []
        assert not pile.row
        assert other.row is None or other.row[: len(codes)] == codes


def test_a_pile_put_onto_itself_lies_as_before() -> None:
    table = Table(SMALL)
    pile = table.row("stock")
    table.lay(table.codes(["7h", "??", "9h"]), pile)
    table.move(table.codes(["*"], pile), pile, pile)
    assert pile.row == table.codes(["7h", "??", "9h"])


@pytest.mark.parametrize("row", [True, False])
def test_cards_that_nobody_counted_leave_a_pile_of_which_nothing_is_certain(row: bool) -> None:
    table = Table(SMALL)
    src = table.row("pozzetto") if row else table.bag("board")
    table.lay(table.codes(["7h", "2x??"]), src)
    held = table.bag("N")
    table.move(table.codes(["*x??"], src), src, held)
    assert src.any_of(SMALL.field[SMALL.code["7h"]]) is None
    assert held.any_of(SMALL.field[SMALL.code["7h"]]) is None
    assert (src.vague, held.vague) == (True, True)
    assert table.located == 0
    table.move(table.codes(["7h"]), held, table.row("trick"))
    assert table.trouble == []


# -- whole records ----------------------------------------------------------------------------------------------------


def broken(game: str, text: str) -> set[tuple[int, str]]:
    """What is broken for certain."""
    return {(f.at.pos, f.rule) for f in judge(records(game, text)).findings if f.verdict == Verdict.BROKEN}


KAISER = """
    W hand 1
    @ deal N={hand} E=8x?? S=8x?? W=8x??
    N bid 7
    E pass
    S pass
    W pass
    N name s
    N play Ah
    E play 5h
    S play ??
    W play 9h
    N play Kh
    E play Th
    S play 9c
    W play Jh
    N play 8c
    E play Kc
    S play Tc
    W play 7c
    E play Qh
    S play 8d
    W play 9d
    N play 7d
"""


@pytest.mark.parametrize(
    ("hand", "revoked"), [("2x?h6x??", False), ("3x?h5x??", True), ("8x??", False), ("K?8?A?5x??", False)],
)
def test_half_seen_hearts_that_were_played_prove_no_revoke(hand: str, revoked: bool) -> None:
    """Two half-seen hearts are the two that North played; of three, one is left for the diamond at 22."""
    assert broken("kaiser", KAISER.format(hand=hand)) == ({(23, "kaiser.R11")} if revoked else set())


BOTIFARRA = """
    W hand 1
    @ deal N={hand} E=12x?? S=12x?? W=12x??
    W name s
    N play 9h
    E play 2h
    S play 3h
    W play 4h
    N play 8h
    E play Ah
    S play 6h
    W play 7h
    E play Qh
    S play 5h
    W play Jh
    N play 7d
"""


@pytest.mark.parametrize(("hand", "revoked"), [("2x?h10x??", False), ("3x?h9x??", True)])
def test_half_seen_hearts_that_were_played_prove_no_revoke_in_botifarra(hand: str, revoked: bool) -> None:
    """The nine and the eight were the two half-seen hearts; of three, the last is left for the diamond at 15."""
    assert ((15, "botifarra.R7") in broken("botifarra", BOTIFARRA.format(hand=hand))) is revoked


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("@ deal up board=7???6dAc\nA capture 7c/7h\nB capture 7s/6dAc", "R4 pairing with the seven that may be gone"),
        ("@ deal up board=2s?s4hKd\nA capture 6h/?s4h\nB play 2c", "R5 the two that may have been taken"),
        ("@ deal up board=2c?cKd7h\nA capture 6c/?c4c", "T4 the half-seen club may be the four"),
    ],
)  # fmt: skip
def test_half_seen_cards_of_the_board_accuse_nobody(text: str, rule: str) -> None:
    """Each of these was judged broken while the slot of a card that had gone was kept."""
    assert broken("scopa", f"B hand 1\n{text}") == set(), rule


def test_a_half_seen_card_still_proves_what_it_can() -> None:
    """Two sevens lay half seen, one was taken by its name: the other may not be passed over."""
    found = broken("scopa", "B hand 1\n@ deal up board=2x7?6dAc\nA capture 7c/7h\nB capture 7s/6dAc")
    assert found == {(4, "scopa.R4")}


def test_a_score_does_not_count_a_half_seen_card_twice() -> None:
    """The seven of diamonds was taken from among cards half seen; what lies there still may be any other seven."""
    state = fold(records("scopa", "B hand 1\n@ deal up board=7?7?KsKc\nA capture 7h/7d"))
    board = state.table.piles["board"]
    assert board.how_many(state.game.pack.rank["7"])[0] == 1
    assert isinstance(state.game.pack, Pack)
    assert board.any_of(state.game.pack.field[state.game.pack.code["7d"]]) is False


# -- what the table keeps about its rows, so that it need not look through them


@sampled(
    "key, kind, seed", games_with_cards(), product(("half-seen", "uncounted", "left out"), range(6)), each=4, short=8,
)
def test_the_table_keeps_up_with_what_lies_in_its_rows(key: str, kind: Kind, seed: int) -> None:
    """If this failed, a card named later would leave half-seen cards of its row certain that are not, or be looked for
    in the wrong place."""
    log = two_hands(key, seed)
    poor = degrade(kind, log, log, Truth(key), Random(seed))
    assert poor is not None
    state = begin(log[0].event.facts)
    for r in poor.log[1:]:
        evolve(state, r.event)
        table, pack = state.table, state.game.pack
        rows = {name: pile.row for name, pile in table.piles.items() if pile.row}
        assert table.glimpsed or not any(max(row) > pack.unknown for row in rows.values()), (r.n, rows)
        assert all(table.located & pack.field[c] for row in rows.values() for c in row if c < pack.unknown), (r.n, rows)


@lru_cache(maxsize=64)
def two_hands(game: str, seed: int) -> list[Recorded]:
    """A legal match, so far."""
    return simulate(game, seed=seed, hands=2)[:160]


def test_a_half_seen_card_in_a_row_is_known_of_however_it_came_there() -> None:
    """If this failed, one of the ways in which cards come to a row would keep it from the table."""
    code = SMALL.code

    def fresh() -> tuple[Table, Pile]:
        table = Table(SMALL)
        return table, table.row("pile")

    table, row = fresh()
    table.lay([code["7?"], code["8h"]], row)
    assert table.glimpsed
    table, row = fresh()
    table.lay([code["??"]] * 2, table.bag("N"))
    assert not table.glimpsed
    table.move_one(code["?h"], table.bag("N"), row)
    assert table.glimpsed
    table, row = fresh()
    table.lay([code["??"]] * 2, row)
    table.mix([code["7?"], code["??"]], row, row)
    assert table.glimpsed
    table, row = fresh()
    row.vague = True
    table.tell_order([code["7?"]], row)
    assert table.glimpsed
    assert table.as_it_lies().glimpsed


@pytest.mark.parametrize(
    ("written", "unseen", "trouble"), [("12x??", 12, []), ("1x??", 1, []), ("52x??", 52, []), ("53x??", 52, [TOO_MANY])]
)
def test_cards_dealt_unseen_in_one_stroke(written: str, unseen: int, trouble: list[str]) -> None:
    """If this failed, more cards than there are would be dealt at a stroke, or fewer than were written."""
    table = Table(pack())
    held = table.bag("A")
    assert table.lay_known("A", (written,)) == (not trouble)
    assert held.unseen == (0 if trouble else unseen)
    assert table.codes((written,)) == [table.pack.unknown] * unseen
    assert [t.rule for t in table.trouble] == trouble


@pytest.mark.parametrize("written", ["*x??", "3x7?", "2xKh", "x??"])
def test_what_is_not_so_many_unseen_cards_is_not_dealt_in_one_stroke(written: str) -> None:
    """If this failed, what was seen of a card would be lost in the deal."""
    table = Table(pack())
    assert not table.lay_known(table.bag("A").name, (written,))
    assert not table.piles["A"].unseen
