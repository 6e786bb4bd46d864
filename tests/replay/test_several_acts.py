"""Several acts on one line: which words belong to which act, what is never parted, what is asked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice, takewhile
from random import Random

import pytest
from given import given
from msgspec.structs import replace
from sampling import sampled

from events.entries import SHORT
from events.errors import NotationError
from events.model import Call, Discard, Event, Play, Recorded
from events.writing import write_event
from reducers.legal import acts_of
from reducers.registry import games_with_cards
from replay.degrade import onlookers
from replay.fold import fold
from replay.simulate import simulate
from replay.table.line_reader import SeveralMeaningsError, plays_one_by_one
from replay.table.reading_fit import PLAYED
from replay.table.session import Session
from replay.table.several_acts import at_once

CARDS = re.compile(r"[A23456789TJQK][cdhs]|\?\?")

GIN = "C hand 1\n@ deal A=10x?? B=10x?? C=10x??\n@ deal up discard=7c\n"
YANIV = "B hand 1\n@ deal A=5x?? B=5x??\n@ deal up discard=7h\n"
SCOPA = "B hand 1\n@ deal A=3x?? B=3x??\n@ deal up board=2s4d7d3d\n"
BANK = (
    "B hand 1\n@ deal reserve:A=12x??6d col:A:1..4=7d8h3dKd stock:A=35x?? reserve:B=12x??5h "
    "col:B:1..4=2d7sQd4s stock:B=35x??\n"
)
SHOWN = (
    "C hand 1\n@ deal down A=?? B=?? C=??\nA bet 2\nB bet 3\nC deal up A=Th B=9h C=8s\nA pass\nB pass\nC "
    "show 8sTs\nC pass\n"
)
BOARD = "D hand 1\nD play Ac <stock\nD play 2s <stock\nD play 3h <stock\n"
OUT = "C hand 1\n@ deal down A=?? B=?? C=??\nA bet 2\nB bet 3\nA deal up A=Th\n"
BURRACO = (
    "W hand 1\n@ deal N=11x?? E=11x?? S=11x?? W=11x??\n@ deal down pozzetto:1=11x?? pozzetto:2=11x??\n@ "
    "deal up discard=Td\n"
)
POZZETTO = (
    BURRACO + "N draw ??\nN meld 4h5h6h7h8h9h\nN meld KcKdKhKs\nN meld 3c\nN discard 2s\n"
    "E draw ??\nE discard Kd\nS draw ??\nS discard 2s\nW draw ??\nW discard Qd\n"
)


def read(game: str, before: str, line: str) -> list[str]:
    seats = {"Seats": "A B C"} if game == "pontoon" else {}
    return [write_event(r.event) for r in Session(given(game, before, **seats).records).complete(line).events]


@pytest.mark.parametrize(
    ("game", "before", "line", "acts"),
    [
        # a trick, an auction
        ("kaiser", "", "7 . . . h", ["N bid 7", "E pass", "S pass", "W pass", "N name h"]),
        (
            "kaiser", "", "7 ... h c9ak8",
            ["N bid 7", "E pass", "S pass", "W pass", "N name h", "N play 9c", "E play Ac", "S play Kc", "W play 8c"],
        ),
        # spaces and commas part cards, and change nothing: a suit in front is that of all ranks up to the next one
        *((game, "", line, [f"{a} play Kh", f"{b} play 7h", f"{c} play Qh", f"{d} play Ah"]) for game, (a, b, c, d) in
          {"tresette": "NESW", "funfzehnern": "ABCD", "play-or-pay": "ABCD", "botifarra": "WNES"}.items()
          for line in ("hk7qa", "hk 7 q a", "h k 7 q a", "hk, 7, q, a", "kh7hqhah")),
        ("turnover-bridge", "", "hk7q2", ["A play Kh", "B play 7h", "A play Qh", "B play 2h"]),
        ("mattis", "", "hk7q2", ["A play Kh", "B play 7h", "C play Qh", "A play 2h"]),
        ("malilla", "W hand 1\n@ deal up W=2s\n", "c4 x 5 7", ["N play 4c", "E play ??", "S play 5c", "W play 7c"]),
        ("malilla", "", "c4x57", ["N play 4c", "E play ??", "S play 5c", "W play 7c"]),
        ("tresette", "", "h76x4", ["N play 7h", "E play 6h", "S play ??", "W play 4h"]),
        ("kaiser", "", "d a 8", ["N play Ad", "E play 8d"]),
        ("kaiser", "", "s a k", ["N play As", "E play Ks"]),
        ("kaiser", "", "h a k", ["N play Ah", "E play Kh"]),
        ("kaiser", "", "c k q d8 9", ["N play Kc", "E play Qc", "S play 8d", "W play 9d"]),
        ("kaiser", "", "E h a k", ["E play Ah", "S play Kh"]),
        # before one rank a letter is a suit if it is neither the seat whose turn it is nor a verb of this
        # part of a hand
        *(
            (game, "", "h j", [act])
            for game, act in (("tresette", "N play Jh"), ("zetema", "A discard Jh"), ("scopa", "A play Jh"))
        ),
        ("kaiser", "W hand 1\nN play Qs\n", "s t", ["E play Ts"]),
        ("kaiser", "W hand 1\nN play Qs\nE play Ts\n", "s j", ["S play Js"]),
        ("tresette", "", "h j c k", ["N play Jh", "E play Kc"]),
        ("zetema", "", "c k", ["A discard Kc"]),
        # single cards behind a verb are of one act, and so are cards behind a call that names them
        ("yaniv", YANIV, "7s . t kh kd", ["A discard 7s", "A draw ??", "B discard KhKd"]),
        ("yaniv", YANIV, "t 7s 7c d x t kh", ["A discard 7s7c", "A draw ??", "B discard Kh"]),
        ("couillon", "W hand 1\n@ deal up upcard=Kh\n", "acc x 7d", ["N call accept", "N play ??", "E play 7d"]),
        ("seven-and-a-half", OUT, "bu 6h", ["A call bust 6h"]),
        # a letter that is a seat and a rank: before a verb the seat, in small letters between cards the rank
        ("funfzehnern", "", "A play ht B play sj", ["A play Th", "B play Js"]),
        ("funfzehnern", "", "hk 7 a q", ["A play Kh", "B play 7h", "C play Ah", "D play Qh"]),
        # words of the game in parts; a bet on a card of the board
        ("pay-me", "B hand 1\nA draw ??\n", "pay me 9d", ["A call payme 9d"]),
        ("pay-me", "B hand 1\nA draw ??\nA discard Jo\n", "< pay me 5s", ["B draw Jo <discard", "B call payme 5s"]),
        ("ziginette", BOARD, "B 3 2s", ["B bet 3 >2s"]),
        ("ziginette", BOARD, "b 3 s2", ["B bet 3 >2s"]),
        ("ziginette", BOARD, "fix 3 2c", ["@ fix #3 D play 2c <stock"]),
        ("ziginette", BOARD, "fix 4 2s", ["@ fix #4 D play 2s <stock"]),
        # what a bare card does in this game, one card an act
        ("scopa", SCOPA, "4h", ["A capture 4h/4d"]),
        ("scopa", SCOPA, "4hjs2h", ["A capture 4h/4d", "B play Js", "A capture 2h/2s"]),
        # draws that go unwritten, the discard pile
        ("jersey-gin", GIN, "4s ts", ["A discard 4s", "B discard Ts"]),
        ("jersey-gin", GIN, "4s <9c", ["A discard 4s", "B draw 4s <discard", "B discard 9c"]),
        ("jersey-gin", GIN, "4s<9c", ["A discard 4s", "B draw 4s <discard", "B discard 9c"]),
        ("jersey-gin", GIN, "<9c", ["A draw 7c <discard", "A discard 9c"]),
        ("yaniv", YANIV, "7s kh<9d", ["A discard 7s", "B discard Kh", "B draw 7s <discard", "A discard 9d"]),
        ("yaniv", YANIV, "7s . kh", ["A discard 7s", "A draw ??", "B discard Kh"]),
        # fewer cards than a meld are single discards; as many are one act
        ("jersey-gin", GIN, "4sts", ["A discard 4s", "B discard Ts"]),
        # melds, lay-offs and a discard
        (
            "burraco", BURRACO, "<m4-6h mkcdh 9s",
            ["N draw Td <discard", "N meld 4h5h6h", "N meld KcKdKh", "N discard 9s"],
        ),
        ("burraco", BURRACO, ".m4-6h kc", ["N draw ??", "N meld 4h5h6h", "N discard Kc"]),
        ("burraco", BURRACO, "d <stock", ["N draw ??"]),
        ("burraco", POZZETTO, "d <pozzetto", ["N draw 11x?? <pozzetto:1"]),
        ("burraco", POZZETTO, "< 9s", ["N draw Td2sKd2sQd <discard", "N discard 9s"]),
        ("burraco", BURRACO, ".mkhkdjo m4-6h 9s", ["N draw ??", "N meld KhKdJo", "N meld 4h5h6h", "N discard 9s"]),
        # columns by number, a card of the stock turned and thrown
        ("russian-bank", BANK, "3h.3d>8", ["B draw 3h <stock:B", "B discard 3h", "A move 3d <col:A:3 >col:B:4"]),
        (
            "russian-bank", BANK, "3h.3d>b4 6d>3",
            ["B draw 3h <stock:B", "B discard 3h", "A move 3d <col:A:3 >col:B:4", "A move 6d <reserve:A >col:A:3"],
        ),
        # the open cards of a deal come first
        ("jersey-gin", "", "c7 4s ts", ["@ deal up discard=7c", "A discard 4s", "B discard Ts"]),
        ("yaniv", "", "7h 7s7c", ["@ deal up discard=7h", "A discard 7s7c"]),
        ("scopa", "", "s2d473 4h", ["@ deal up board=2s4d7d3d", "A capture 4h/4d"]),
        ("russian-bank", "", "d67h8d3kh5d2s7dqs4",
         [
             (
                 "@ deal reserve:A=12x??6d col:A:1..4=7d8h3dKd stock:A=35x?? reserve:B=12x??5h "
                 "col:B:1..4=2d7sQd4s stock:B=35x??"
             )
         ]),
        # the same again
        ("pontoon", "C hand 1\n@ deal down A=?? B=?? C=??\n", "10 =", ["A bet 10", "B bet 10"]),
        ("pontoon", "C hand 1\n@ deal down A=?? B=?? C=??\nA bet 10\n", "=", ["B bet 10"]),
        # hands that are shown: one hidden card each
        ("pontoon", SHOWN, "kdqc", ["A show KdTh", "B show Qc9h"]),
        # a word of the game by its beginning
        ("yaniv", YANIV, "7s kh yan", ["A discard 7s", "B discard Kh", "A call yaniv"]),
    ],
)  # fmt: skip
def test_a_line_is_these_acts(game: str, before: str, line: str, acts: list[str]) -> None:
    assert read(game, before, line) == acts


def spelled(cards: Sequence[str], carry: bool, between: str) -> str:
    """Cards as a recorder may type them: with the suit in front, said again only where it changes, or behind each
    rank."""
    words, suit = [], ""
    for card in cards:
        rank, of = card[0].lower(), card[1]
        words.append("x" if card == "??" else f"{rank}{of}" if not carry else rank if of == suit else of + rank)
        suit = suit if card == "??" else of
    return between.join(words)


PLACES = 6
"""Places of a hand that a quick run types; the soak types every act of it."""


@sampled(
    "game, seed, most", games_with_cards(), [(seed, PLACES) for seed in range(4)], each=1,
    soak=[(seed, None) for seed in range(40)], short=3,
)
def test_cards_of_several_players_are_the_same_in_every_spelling(game: str, seed: int, most: int | None) -> None:
    """Glued, with spaces or commas, with suits said once or each time, with any card unseen: those acts, or a
    question; never others."""
    chance = Random(f"{game} {seed}")
    log = next(iter(onlookers(simulate(game, seed=seed, hands=1))))[1]
    pairs = [at for at in range(1, len(log) - 1) if is_one_card(log[at]) and is_one_card(log[at + 1])]
    starts = list(
        islice((at for at in chance.sample(pairs, len(pairs)) if plays_one_by_one(fold(log[:at]), None)), most)
    )
    read = Counter[str]()
    for start in starts:
        acts = [play_of(r) for r in takewhile(is_one_card, log[start : start + chance.randint(2, 6)])]
        before = Session(log[:start])
        for unseen in (None, chance.randrange(len(acts))):
            meant = [replace(act, cards=("??",)) if i == unseen else act for i, act in enumerate(acts)]
            cards = [act.cards[0] for act in meant]
            for text in {spelled(cards, carry, between) for carry in (True, False) for between in ("", " ", ",", ", ")}:
                read[taken_for(text, meant, before)] += 1
    assert read["meant"] or len(starts) < 3


def taken_for(text: str, meant: Sequence[Event], before: Session) -> str:
    """Whether a line is read as what was meant, asked about or refused. AssertionError if it is read as anything
    else."""
    try:
        draft = before.complete(text)
    except NotationError:
        return "refused"
    if draft.doubts:
        return "asked"
    assert at_once([r.event for r in draft.events], before.state) == at_once(meant, before.state), text
    return "meant"


def typed(event: Event, chance: Random, names_seats: bool) -> str:
    """An act with its verb and its piles, its cards in a spelling drawn by lot; a single card that is played without
    its verb."""
    actor, verb, *words = write_event(event).split(" ")
    carry, between, out = chance.random() < 0.5, chance.choice(["", " ", ",", ", "]), list[str]()
    for word in words:
        cards = CARDS.findall(word)
        known = cards and "".join(cards) == word
        out.append(spelled(cards, carry and between == "", between) if known else word)
    plain = isinstance(event, Play) and len(event.cards) == 1 and not (event.src or event.face)
    short = next((letter for letter, meant in SHORT.items() if meant == verb), verb)
    return " ".join([*[actor] * names_seats, *[chance.choice([verb, short])] * (not plain), *out])


@sampled(
    "game, seed, most", games_with_cards(), [(seed, 15) for seed in range(2)], each=1,
    soak=[(seed, None) for seed in range(40)], short=3,
)
def test_acts_of_every_kind_on_one_line_are_these_acts_or_a_question(game: str, seed: int, most: int | None) -> None:
    """Bids, draws, discards, melds, captures, bets and plays one after the other, with a card unseen or all seen;
    never other acts."""
    chance, read = Random(f"{game} {seed} of every kind"), Counter[str]()
    log = next(iter(onlookers(simulate(game, seed=seed, hands=1))))[1]
    for start in chance.sample(range(1, len(log) - 1), min(len(log) - 2, most or len(log))):
        acts = [r.event for r in takewhile(is_an_act, log[start : start + chance.randint(1, 3)])]
        if not acts:
            continue
        hidden = chance.randrange(2 * len(acts))
        meant = [with_a_card_unseen(act, chance) if i == hidden else act for i, act in enumerate(acts)]
        before = Session(log[:start])
        seats = chance.random() < 0.3 or len(before.state.turn) != 1
        read[taken_for(chance.choice([" ", ", "]).join(typed(act, chance, seats) for act in meant), meant, before)] += 1
    assert read["meant"] or not any(map(is_an_act, log[:-1]))


def is_an_act(record: Recorded) -> bool:
    """Whether this is an act of play that is judged in its place; what is shown may be shown at any time."""
    return isinstance(record.event, PLAYED) and record.event.by != "@"


def with_a_card_unseen(act: Event, chance: Random) -> Event:
    """An act with one of the cards from a hand unseen; any other as it is."""
    if not isinstance(act, Play | Discard) or act.src or not act.cards:
        return act
    unseen = chance.randrange(len(act.cards))
    return replace(act, cards=tuple("??" if i == unseen else card for i, card in enumerate(act.cards)))


def is_one_card(record: Recorded) -> bool:
    """Whether a known card is played, and no more is said of it."""
    event = record.event
    return isinstance(event, Play) and not (
        event.src or event.face
    ) and len(event.cards) == 1 and "?" not in event.cards[0] and event.cards[0] != "Jo"


def play_of(record: Recorded) -> Play:
    assert isinstance(record.event, Play)
    return record.event


@pytest.mark.parametrize("pile", ["8", "b4", "B4", "col:B:4", "COL:B:4", "Col:b:4"])
def test_a_pile_is_named_in_any_case(pile: str) -> None:
    """If this failed, a recorder in a hurry would be told that there is no such pile."""
    assert read("russian-bank", BANK, f"3h.3d>{pile}")[-1] == "A move 3d <col:A:3 >col:B:4"
    assert read("jersey-gin", GIN, "A DRAW 7c <DISCARD") == ["A draw 7c <discard"]


@pytest.mark.parametrize(
    ("game", "before", "line", "act"),
    [("jersey-gin", GIN + "A draw ??\n", "m 4s5d6s", "A meld 4s5d6s"), ("yaniv", YANIV, "9d9cJs", "A discard 9d9cJs")],
)
def test_a_wrong_meld_is_not_made_right_by_parting_it(game: str, before: str, line: str, act: str) -> None:
    """If this failed, three cards laid down wrongly would be recorded as the discards of three players."""
    draft = Session(given(game, before).records).complete(line)
    assert [write_event(r.event) for r in draft.events] == [act]
    assert draft.doubts


def test_a_number_is_not_parted() -> None:
    """If this failed, a stake that is too high would become the stakes of two players."""
    draft = Session(given("pontoon", "C hand 1\n@ deal down A=?? B=?? C=??\n", Seats="A B C").records).complete("27")
    assert [write_event(r.event) for r in draft.events] == ["A bet 27"]


def test_what_can_be_read_in_two_ways_is_asked_as_a_whole() -> None:
    """If this failed, a recorder would have to type a whole line again for one card of it."""
    session = Session(given("scopa", SCOPA).records)
    with pytest.raises(SeveralMeaningsError) as asked:
        session.complete("js qh")
    meanings = [[write_event(r.event) for r in draft.events] for draft in asked.value.drafts]
    assert sorted(meanings) == [["A play Js", "B capture Qh/3d4d2s"], ["A play Js", "B capture Qh/7d2s"]]


@pytest.mark.parametrize("game", [game for game in games_with_cards() if Call not in acts_of(game)])
def test_a_word_that_the_game_does_not_know_is_asked_about(game: str) -> None:
    """If this failed, a card typed where none can be played would stand in the record as something that the table
    said."""
    assert "knows no such word" in Session(given(game).records).complete("@ call k").doubts[0]


@pytest.mark.parametrize(("before", "why"), [("", "as no suit was led"), ("A play 7s\n", "as any suit may follow")])
def test_why_a_rank_alone_is_no_card_is_said(before: str, why: str) -> None:
    """A game in which nobody has to follow suit has a suit led all the same."""
    with pytest.raises(NotationError) as refused:
        read("briscola", "B hand 1\n" + before, "k")
    assert refused.value.expected == f"a card with its suit, {why}"


def test_a_letter_that_may_be_a_seat_or_a_rank_is_asked_about() -> None:
    """If this failed, the card of the next player would become the second card of a trick, and shift every seat
    behind it."""
    before = given("funfzehnern", "B hand 1\nC play 9d\n").records
    with pytest.raises(SeveralMeaningsError) as asked:
        Session(before).complete("d8 A ct")
    meanings = [[write_event(r.event) for r in draft.events] for draft in asked.value.drafts]
    assert sorted(meanings) == [["D play 8d", "A play Ad", "B play Tc"], ["D play 8d", "A play Tc"]]


def test_a_call_behind_a_card_may_be_of_the_player_who_put_it_down() -> None:
    """If this failed, whoever types the discard before the word would have the next player say it."""
    with pytest.raises(SeveralMeaningsError) as asked:
        Session(given("pay-me", "B hand 1\nA draw ??\n").records).complete("9d payme")
    meanings = [[write_event(r.event) for r in draft.events] for draft in asked.value.drafts]
    assert meanings == [["A discard 9d", "B call payme"], ["A call payme 9d"]]


@pytest.mark.parametrize("line", ["< 5s payme", "< 5s pay me", "<5s pay-me"])
def test_a_call_behind_several_acts_is_asked_about_too(line: str) -> None:
    """If this failed, whoever took the last discard, threw a card and went out would have left that to the next
    player."""
    before = given("pay-me", "B hand 1\nA draw ??\nA discard Jo\n").records
    with pytest.raises(SeveralMeaningsError) as asked:
        Session(before).complete(line)
    meanings = [[write_event(r.event) for r in draft.events] for draft in asked.value.drafts]
    took = "B draw Jo <discard"
    assert meanings == [[took, "B discard 5s", "A call payme"], [took, "B call payme 5s"]]


@pytest.mark.parametrize(("line", "board"), [("jdks 7s", "board=JdKs banker=7s"), ("d j sk 7", "board=JdKs banker=7s")])
def test_the_open_cards_of_a_deal_may_have_spaces_between_them(line: str, board: str) -> None:
    """What they may mean besides is asked about: cards that are turned one after the other."""
    try:
        found = [Session(given("ziginette").records).complete(line)]
    except SeveralMeaningsError as asked:
        found = [*asked.drafts]
    assert f"@ deal up {board}" in [write_event(draft.events[0].event) for draft in found]


@pytest.mark.parametrize(("seed", "last", "line"), [(4, 90, "6c x 5h"), (6, 28, "x, 7c, play 2c <stock")])
def test_whose_card_comes_after_what_may_have_been_a_tie_is_asked_about(seed: int, last: int, line: str) -> None:
    """If this failed, a card that breaks a tie would be the lead of another seat, as a card before it was not seen."""
    log = next(iter(onlookers(simulate("mattis", seed=seed, hands=1))))[1]
    with pytest.raises(SeveralMeaningsError) as asked:
        Session(log[: last + 1]).complete(line)
    at = [r.event.by for r in log[last + 1 : last + 4]]
    assert at in [[r.event.by for r in draft.events] for draft in asked.value.drafts]


def test_the_letter_of_a_seat_may_be_a_pass() -> None:
    """If this failed, the pass of the house would go unwritten before the bid of the player, whose seat is P."""
    board = "Jh7c5s9s8c6h3cTh3dAdQd2cAc"
    begun = f"P hand 1\n@ deal down reserve:P=7x??\n@ deal up board={board}\n@ deal down stock=34x??\n"
    before = begun + "P draw AdAcQdJh8c6h <board\nP discard 5s9s3cTh3d2c7c <board\nP draw 7x?? <reserve:P\n"
    with pytest.raises(SeveralMeaningsError) as asked:
        read("bridge-solitaire", before, "p b 1h")
    assert [
        [write_event(r.event) for r in draft.events] for draft in asked.value.drafts
    ] == [["P bid 1h"], ["H pass", "P bid 1h"]]


def test_a_bet_may_lie_on_a_card_that_nobody_saw() -> None:
    """If this failed, a card on which somebody bets would be one that the banker turns, if the board was not noted."""
    assert read("ziginette", "D hand 1\nA bet 1 >Ks\n", "C 1 ks") == ["C bet 1 >Ks"]


def test_cards_behind_one_that_may_be_turned_up_are_asked_about() -> None:
    """If this failed, four cards of a first trick would become a turned trump and three cards, each of another seat."""
    with pytest.raises(SeveralMeaningsError) as asked:
        Session(given("malilla").records).complete("c4 x 5 7")
    meanings = [[write_event(r.event) for r in draft.events] for draft in asked.value.drafts]
    assert ["N play 4c", "E play ??", "S play 5c", "W play 7c"] in meanings
    assert ["@ deal up W=4c", "N play ??", "E play 5c", "S play 7c"] in meanings


@pytest.mark.parametrize(
    ("game", "before", "line", "what"),
    [
        ("jersey-gin", GIN, "4s zz", "zz"),
        ("russian-bank", BANK, "3h.zz", "zz"),
        ("russian-bank", BANK, "3h.3d>9", "there is no column 9"),
        ("burraco", BURRACO + "N meld 4h5h6h\n", "m kd>2", "there is no meld 2"),
        *(
            (game, "", line, "there is no")
            for game,
            line in (
                ("funfzehnern", "hk7q2"), ("funfzehnern", "h2"), ("tute", "h8"), ("tute", "hk8"), ("kaiser", "c72"),
            )
        ),
        ("kaiser", "", "<", "nothing can be taken from a discard pile"),
        ("kaiser", "", "=", "nothing to do again"),
    ],
)
def test_the_word_that_is_wrong_is_named(game: str, before: str, line: str, what: str) -> None:
    with pytest.raises(NotationError, match=what):
        read(game, before, line)
