"""The table at one position, for every pair of eyes."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
from given import log
from replays import example, records_of
from sampling import a_few

from events.cards import UNKNOWN, item, pretty
from events.errors import UsageError
from events.model import Recorded
from reducers.piles import how_it_lies
from replay.fold import fold
from replay.plain_text import text_columns
from replay.simulate import simulate
from replay.table.frame import Frame, PileView, frame
from replay.table.layout import layout
from replay.table.picture import by_suit, render_frame

DEAL = """
W hand 1
@ deal hand:N=AsTsQd8d7dJc9c7c hand:E=9sAhKhQhJhJdTdQc hand:S=QsJs8s3sAdAcKc8c hand:W=KsTh9h8h5hKd9dTc
"""
TO_PLAY = DEAL + "N pass\nE bid 7\nS pass\nW pass\nE name h\nN play As\nE play 9s\n"


def shown(view: PileView) -> Counter[str]:
    """The cards of a pile as the viewer sees them, unseen ones counted."""
    count: Counter[str] = Counter()
    for text in view.cards:
        written = item(text)
        count[written.card] += written.count or 0
    return count


def pile(seen: Frame, name: str) -> PileView:
    """A pile of the frame."""
    return next(p for p in seen.piles if p.name == name)


@pytest.mark.parametrize("game", ["kaiser", "scopa"])
@pytest.mark.parametrize("seed", range(3))
def test_no_card_appears_or_vanishes(game: str, seed: int) -> None:
    """At every position of a match every viewer sees the same number of cards, none twice."""
    played = simulate(game, seed=seed, hands=2)
    dealt = False
    for n in range(len(played)):
        state = fold(played, until=n)
        whole = frame(state)
        cards: Counter[str] = sum((shown(p) for p in whole.piles), Counter())
        assert all(k <= 1 for card, k in cards.items() if card != UNKNOWN)
        total = sum(cards.values())
        dealt = dealt or total == state.game.pack.size
        assert total in (0, state.game.pack.size) or not dealt or state.phase != "play"
        assert total == sum(p.count for p in whole.piles)
        for viewer in ("public", *state.terms.seats):
            seen = frame(state, viewer)
            assert [(p.name, p.count, p.seen_by) for p in seen.piles] == [
                (p.name, p.count, p.seen_by) for p in whole.piles
            ]
            assert [sum(shown(p).values()) for p in seen.piles] == [p.count for p in seen.piles]


@pytest.mark.parametrize("game", ["kaiser", "scopa"])
@pytest.mark.parametrize("seed", a_few(range(3), 1))
def test_nobody_sees_what_is_not_theirs_to_see(game: str, seed: int) -> None:
    """No card that lies in somebody's hand, or where nobody looks, stands anywhere in the frame of another."""
    played = simulate(game, seed=seed, hands=2)
    for n in range(len(played)):
        state = fold(played, until=n)
        whole = frame(state)
        for viewer in ("public", *state.terms.seats):
            seen = frame(state, viewer)
            data = msgspec.json.encode(msgspec.structs.replace(seen, last="", names={})).decode()
            words = set(render_frame(seen).split())
            for p in whole.piles:
                lies, owner = how_it_lies(p.name, state.game.display.piles, state.terms)
                rule = lies.seen
                if rule == "all" or (rule == "owner" and owner == viewer):
                    assert shown(pile(seen, p.name)) == shown(p)
                    continue
                for card in shown(p):
                    if card != UNKNOWN:
                        assert f'"{card}"' not in data
                        assert pretty(card) not in words


def test_the_frame_says_where_the_match_stands() -> None:
    seen = frame(fold(log("kaiser", TO_PLAY, N="Ann", E="Bea", S="Carl", W="Dora")))
    assert (seen.game, seen.hand, seen.phase, seen.dealer) == ("kaiser", 1, "play", "W")
    assert seen.turn == ["S"]
    assert [(c.seat, c.card) for c in seen.trick] == [("N", "As"), ("E", "9s")]
    assert seen.contract == "Bea & Dora 7 ♥"
    assert seen.headline == {"bidder": "E", "bid": "7", "trump": "h"}
    assert seen.scores == {"NS": 0, "EW": 0}
    assert pile(seen, "N").cards == ("Ts", "Qd", "8d", "7d", "Jc", "9c", "7c")
    assert (pile(seen, "N").seen_by, pile(seen, "N").owner, pile(seen, "N").holding) == ("owner", "N", True)


def test_a_frame_is_plain_json() -> None:
    seen = frame(fold(log("kaiser", TO_PLAY)), "S")
    data = msgspec.json.decode(msgspec.json.encode(seen))
    assert {"piles", "turn", "phase", "trick", "contract", "scores"} <= set(data)
    assert data["turn"] == ["S"]
    assert msgspec.convert(data, Frame) == seen


def test_looking_changes_nothing() -> None:
    state = fold(log("kaiser", TO_PLAY))
    before = msgspec.json.encode(frame(state))
    for viewer in ("public", "N", "all"):
        render_frame(frame(state, viewer))
    assert msgspec.json.encode(frame(state)) == before


def test_a_seat_sees_its_own_hand_only() -> None:
    state = fold(log("kaiser", TO_PLAY))
    south = frame(state, "S")
    assert pile(south, "S").cards == ("Qs", "Js", "8s", "3s", "Ad", "Ac", "Kc", "8c")
    assert pile(south, "W").cards == ("8x??",)
    assert [c.card for c in south.trick] == ["As", "9s"]


def test_what_nobody_recorded_stays_unseen() -> None:
    seen = frame(
        fold(log("kaiser", "@ hand 1\nN bid 7\nE pass\nS pass\nW pass\nN name h\nN play Kh\nE play ??\nS play ?h\n"))
    )
    assert pile(seen, "N").cards == ("7x??",)
    assert [c.card for c in seen.trick] == ["Kh", "??", "?h"]


def test_other_viewers_are_refused() -> None:
    with pytest.raises(UsageError, match="all, public or a seat: N, E, S, W"):
        frame(fold(log("kaiser", DEAL)), "X")


def test_inferred_cards_are_not_told_to_others() -> None:
    records: list[Recorded] = log("scopa", "@ hand 1\nA play 7d\n")
    state = fold(records)
    state.inferred.append((2, "7d is the card nobody saw in B"))
    state.inferred.append((2, "cards were dealt (not recorded)"))
    assert any("7d" in note for note in frame(state).inferred)
    assert frame(state, "public").inferred[-1] == "event 2: cards were dealt (not recorded)"
    assert not any("7d" in note for note in frame(state, "A").inferred)


def test_before_between_and_after() -> None:
    played = simulate("kaiser", seed=3)
    first = frame(fold(played, until=0))
    assert (first.phase, first.turn, first.hand) == ("between", [], 0)
    assert first.expects.startswith("the deal, by ")
    last = frame(fold(played))
    assert (last.phase, last.turn, last.over) == ("over", [], True)
    assert last.winner
    assert last.last.startswith(f"hand {last.hand}: ")
    assert f"{last.winner} won the match" in render_frame(last)


# -- the picture ------------------------------------------------------------------------------------------------------


def test_four_seats_sit_around_the_table() -> None:
    picture = render_frame(frame(fold(log("kaiser", TO_PLAY, N="Ann", E="Bea", S="Carl", W="Dora"))))
    assert picture == """\
hand 1 · event 9 · play · Bea & Dora 7 ♥

                            N Ann
                            ♠10 ♦Q87 ♣J97
  W Dora (D)                          A♠              E Bea
  ♠K ♥10985 ♦K9 ♣10                        9♠         ♥AKQJ ♦J10 ♣Q

                          > S Carl
                            ♠QJ83 ♦A ♣AK8

score   Ann & Carl 0   Bea & Dora 0
to act: S Carl - a card
"""


def test_plays_of_several_cards_are_read_in_their_order() -> None:
    """If this failed, a sequence on the table would show as one card, or as nobody's."""
    lines = "D hand 1\n@ deal A=3x?? B=3x?? C=3x?? D=3x??\n@ gap\nA name s\nA play 6c7c8c\nB play Kc\n"
    case = fold(log("mattis", lines, Seats="A B C D"))
    assert [(c.seat, c.card) for c in frame(case).trick] == [("A", "6c"), ("A", "7c"), ("A", "8c"), ("B", "Kc")]
    assert "A 6♣ 7♣ 8♣, B K♣" in render_frame(frame(case))


@pytest.mark.parametrize("game", ["kaiser", "scopa"])
def test_the_picture_fits_a_terminal(game: str) -> None:
    played = simulate(game, seed=2, hands=2)
    names = {"N": "Bartholomew Featherstonehaugh the third", "A": "日本" * 20, "E": "\x1b[31mred\n"}
    for n in range(0, len(played), 7):
        picture = render_frame(msgspec.structs.replace(frame(fold(played, until=n)), names=names))
        assert all(text_columns(line) <= 80 for line in picture.splitlines() if not line.startswith(("to act", "last")))
        assert "\x1b" not in picture
        assert all(line == line.rstrip() for line in picture.splitlines())


def test_cards_as_short_words() -> None:
    assert by_suit(["Jo", "As", "Ts", "?s", "Kh", "7?", "2x??"]) == ["Joker", "♠A10", "?♠", "♥K", "7?", "2x??"]


def test_layouts_are_drawn_with_their_columns() -> None:
    """Russian Bank and California Speed: columns by number, cards from the bottom up; the board of Scopa side by
    side."""
    bank = log(
        "russian-bank",
        (
            "B hand 1\n@ deal reserve:A=11x??8c col:A:1..4=2c7sTc2h reserve:B=11x??9h col:B:1..4=KdKs4c5h\nA "
            "move Tc <col:A:3 >col:A:1"
        )
    )
    dealt = render_frame(frame(fold(bank[:3]))).splitlines()
    at = next(i for i, line in enumerate(dealt) if line.startswith("col:A"))
    assert [line[:18].rstrip() for line in dealt[at : at + 4]] == [
        "col:A >1–4", "   1   2    3   4", "  2♣  7♠  10♣  2♥", "",
    ]
    assert [line[21:39].strip() for line in dealt[at : at + 3]] == ["col:B >5–8", "1   2   3   4", "K♦  K♠  4♣  5♥"]
    moved = render_frame(frame(fold(bank))).splitlines()
    assert [line[:18].split() for line in moved[at + 1 : at + 4]] == [
        ["1", "2", "3", "4"], ["2♣", "7♠", "–", "2♥"], ["10♣"],
    ]
    assert layout(
        "foundation", [PileView("foundation:1", ("Ac", "2c"), 2, "all", form="stack", place="middle")],
    )[2:] == ["  2♣"]
    scopa = render_frame(frame(fold(log("scopa", "B hand 1\n@ deal up board=7hKd2c5s"))))
    assert "  on the table\n    5♠  7♥  K♦  2♣\n" in scopa


def test_what_is_to_be_won_stands_below_the_cards() -> None:
    """If this failed, whoever looks at a bank, or at a pool, would not see what it is about."""
    bets = frame(
        fold(
            log(
                "ziginette",
                "D hand 1\n@ deal up board=6c5d banker=Qd\nA bet 10 >6c\nA bet 5 >5d\nB bet 4 >6c\nC bet 2 >7h",
                A="Ann", B="Ben",
            )
        )
    )
    assert bets.headline == {
        "bank": "D", "limits": "1 to 10", "bets": {"A": {"6c": 10, "5d": 5}, "B": {"6c": 4}, "C": {"7?": 2}},
    }
    assert "\nbank D, limits 1 to 10, bets Ann 10 on 6♣, Ann 5 on 5♦, Ben 4 on 6♣, C 2 on 7?\n" in render_frame(bets)
    assert "\nturned 7, pot 6 as it was paid\n" in render_frame(
        frame(fold(records_of(example("put-and-take-caravan")), until=15))
    )


def test_a_picture_has_room_in_sixty_columns() -> None:
    """If this failed, the right side of the table would be on the next line."""
    for columns in (60, 78):
        picture = render_frame(
            frame(fold(log("kaiser", TO_PLAY, N="Annemarie", E="Bea", S="Carl", W="Dorothea"))), columns=columns,
        )
        assert max(map(len, picture.splitlines())) <= columns
        assert "Annemarie" in picture


def test_melds_are_numbered_side_by_side_and_a_note_stands_once() -> None:
    """If this failed, melds would be hunted for among the other piles, and each picture would repeat what was
    inferred long ago."""
    lines = "@ deal up discard=Ah\nN draw Ah <discard\nN meld 8c8d2d\nN discard 5c\nE meld 7c7h2c\nE discard Qc"
    records = log("burraco", lines, N="Ann", E="Ben", S="Cleo", W="Dan")
    told = render_frame(frame(fold(records)), columns=60).splitlines()
    melds = told.index("melds of Ann & Cleo")
    assert told[melds : melds + 4] == ["melds of Ann & Cleo", "  1: 8♣ 8♦ 2♦", "melds of Ben & Dan", "  1: 7♣ 7♥ 2♣"]
    assert not any(line.startswith("inferred") for line in told)
    drawn = render_frame(frame(fold(records, until=5)))
    assert "inferred, event 5: Ben drew a card from the stock (not recorded)" in drawn
    kaiser = log(
        "kaiser", TO_PLAY.replace("E play 9s", "E play 9s\nS play Qs\nW play Ks"), N="Ann", E="Ben", S="Cleo", W="Dan",
    )
    assert "won by Ann & Cleo: 4" in render_frame(frame(fold(kaiser)))
