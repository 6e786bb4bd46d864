"""Acts and piles are told in the words of a game's players, by one mechanism: in answers, in reports and in proofs."""

from __future__ import annotations

import pytest
from given import deal_of, given, log
from msgspec.structs import replace

from events.entries import read_args, read_event
from events.model import Event
from reducers.first_state import begin
from replay.auditing.audit import audit
from replay.auditing.check import check
from replay.fold import fold
from replay.judging.findings import sentence
from replay.paper.report import render_report, report
from replay.table.frame import frame
from replay.table.picture import render_frame
from replay.table.session import Session
from replay.table.shorthand import spoken_act
from replay.table.wording import describe_event


def event_of(line: str) -> Event:
    """An act as it is written."""
    return read_event(read_args(line), seats=("A", "B", "C", "D"))


@pytest.mark.parametrize(
    ("game", "line", "told", "answered"),
    [
        ("myllymatti", "A draw 8h <trick", "A takes 8♥ from the trick", ""),
        ("pluck", "B draw Jh <won:A", "B takes J♥ from the cards won by A", ""),
        ("pay-me", "A draw ?? <stock", "A draws an unseen card from the stock", ""),
        ("put-and-take", "D play Qc <stock", "D turns Q♣ from the stock", ""),
        ("put-and-take", "D pass", "D has paid all", ""),
        ("seven-and-a-half", "B pass", "B stands", ""),
        ("seven-and-a-half", "B call out", "B stays out", ""),
        ("seven-and-a-half", "B call bust QcKc", "B calls bust Q♣ K♣", ""),
        ("rumino", "A bet 30", "A buys back in for 30", ""),
        ("xeri", "A call xeri", "A calls xeri", ""),
        ("stealing-bundles", "B capture 7d/* <won:A", "B takes the bundle of A with 7♦", "B 7♦ takes the bundle of A"),
        ("stealing-bundles", "B capture 7d/7s7h", "B takes 7♠ 7♥ with 7♦", "B 7♦ takes 7♠ 7♥"),
        ("dingo", "@ move 2d <widow >won:B", "the table moves 2♦ from the rabbits to the score pile of B", ""),
        ("yaniv", "A play 7h", "A plays 7♥", "A 7♥"),
        ("xeri", "@ deal up board=3s5hKd9s", "the deal", "dealt: the pile: 3♠ 5♥ K♦ 9♠"),
        ("yaniv", "@ deal A=5x?? discard=7h", "the deal", "dealt: A 5 unseen cards, the discard pile: 7♥"),
    ],
)
def test_an_act_is_told_in_the_words_of_its_game(game: str, line: str, told: str, answered: str) -> None:
    """If this failed, the report would say `draws` where the answer at the terminal says `takes`."""
    page = begin({"Game": game}).game
    assert describe_event(event_of(line), page) == told
    assert spoken_act(event_of(line), page) == (answered or told)


@pytest.mark.parametrize(
    ("game", "lines", "told"),
    [
        ("xeri", "@ deal up board=3s5hKd9s\nA play 5h", "5♥ already lies in the pile"),
        ("dingo", "A hand 1\nA discard Kd", "K♦ already lies among the rabbits"),
        (
            "stealing-bundles", "@ deal up board=3s5hKd9s\nA capture 3d/3s\nB play 3d",
            "3♦ already lies in the bundle of A",
        ),
        ("briscola", "@ deal up upcard=7h\nA play 7h", "7♥ already lies as the turned-up card"),
    ],
)
def test_a_pile_is_called_what_its_players_call_it(game: str, lines: str, told: str) -> None:
    """If this failed, players of Dingo would read of a widow, and those of Xeri of a board."""
    assert [trouble.text for trouble in fold(log(game, lines)).table.trouble] == [told]


STOLEN = "@ deal up board=5s2c5hAh\nA play 2s\nB capture 5d/5h5s\nA capture 5c/* <won:B\nB play 9c"


def test_a_stolen_bundle_is_no_capture_of_everything() -> None:
    """If this failed, an audit would say `takes everything with 5♣`."""
    found = given("stealing-bundles", STOLEN.replace("5c", "6c")).judgement
    assert found.broken
    (one,) = (f for f in audit(log("stealing-bundles", STOLEN.replace("5c", "6c"))).broken if f.rule.endswith("R4"))
    assert one.says == "A takes the bundle of B with 6♣; 6♣ does not take a bundle with a 5 on top"


def test_a_report_tells_what_a_card_took_by_itself() -> None:
    """If this failed, the players of a dispute about a xeri would look for the capture in vain."""
    lines = "B hand 1\n@ deal up board=3s5hKd9s\nA play 9h\nB play 4h\nA play 4s\nB play 2c"
    text = str(report(log("xeri", lines), hand=1))
    assert "9♥, takes the pile" in text
    assert "4♠, takes the pile, a xeri" in text


def test_a_pile_is_told_as_it_lies() -> None:
    """If this failed, whoever asks whether the first pile had a pair on top would read it suit by suit."""
    lines = "B hand 1\n@ deal up board=3s5hKd9s\nA play 9h"
    pile = next(packet for packet in deal_of(log("xeri", lines), 1).packets if packet.pile == "board")
    assert [card.card for card in pile.cards] == ["3s", "5h", "Kd", "9s"]
    (late,) = audit(log("xeri", f"{lines.replace('9h', '2h')}\nB call xeri")).broken
    assert late.by == "B"
    assert next(audit(log("xeri", f"{lines}\nB play 4h\nA call xeri")).broken.__iter__()).middle == "pile: 4♥"


def test_whoever_draws_first_was_dealt_a_card_before() -> None:
    """If this failed, the first player of a hand would be missing from the deal."""
    lines = (
        "C hand 1\nA bet 1\nB bet 1\nA draw up 7c\nA pass\nB draw up 6c\nB pass\nC show 5c\nC pass\nA show "
        "Ac\nB show Kc"
    )
    dealt = {
        packet.pile: [card.card for card in packet.cards]
        for packet in deal_of(log("seven-and-a-half", lines, Seats="A B C"), 1).packets
    }
    assert dealt == {"A": ["Ac"], "B": ["Kc"], "C": ["5c"]}


@pytest.mark.parametrize(
    ("game", "lines", "seats", "told"),
    [
        ("ecarte", "B hand 1\n@ deal up upcard=9c\n", "A B", "trumps 9♣"),
        ("envite", "D hand 1\n", "A B C D", "2 at stake"),
        ("omi", "W hand 1\nN name h\n", "N E S W", "trumps ♥"),
    ],
)
def test_a_contract_that_stands_alone_says_what_it_is(game: str, lines: str, seats: str, told: str) -> None:
    """If this failed, the head of a position would be a lone card, or a lone figure."""
    state = fold(log(game, lines, Seats=seats))
    assert told in render_frame(frame(state)).split("\n\n")[0]


def test_a_report_begins_with_what_is_trumps() -> None:
    """If this failed, a page about Écarté would say `9♣.` and nothing else."""
    lines = (
        "B hand 1\n@ deal up upcard=9c\nA call propose\nB call decline\nA play Qd\nB play 9d\nA play 8h\nB play Kd\n"
    )
    text = render_report(report(log("ecarte", lines, Seats="A B"), 1), "md")
    assert "\nTrumps 9♣. Before the hand A 0, B 0.\n" in text
    assert "- **Trumps:** 9♣" in text


def test_a_pass_is_called_what_it_is_in_its_part_of_the_hand() -> None:
    """If this failed, whoever throws a hand in unshown would be told to stand."""
    page = begin({"Game": "seven-and-a-half"}).game
    assert [
        describe_event(event_of("C pass"), page, phase) for phase in ("", "play", "showdown")
    ] == ["C stands", "C stands", "C does not show"]
    lines = (
        "D hand 1\nA bet 1\nB bet 1\nC bet 1\nA pass\nB pass\nC pass\nD show Kc\nD draw up 7d\nD draw up "
        "6d\nA show 5c\nB show 4c\n"
    )
    session = Session(log("seven-and-a-half", lines, Seats="A B C D"))
    (typed,) = session.complete(".").events
    answer = session.take([replace(typed, n=session.records[-1].n + 1)]).line
    assert answer.startswith("13  C does not show · ")
    won = session.state.scores[-1].lines[1]
    assert won.sums["C"] == "not shown: +1"


TRICK = "W hand 1\nN bid 7\nE pass\nS pass\nW pass\nN name s\nN play Kh\nE play Qh\nS play Jh\nW play Th\n"


@pytest.mark.parametrize(
    ("lines", "at", "trick"),
    [
        (f"{TRICK}N play Kc\nE play Qc\nS play 9d\nW play Tc\nW play 8c\n", 15, 3),
        (f"{TRICK}N play Kc\nE play Qc\nS play 9d\nW play Tc\nN play Ac\nE play Jc\nS play Jc\n", 17, 3),
        (f"{TRICK}@ gap\nN play Kc\nE play Qc\nE play Jc\n", 14, None),
    ],
)
def test_a_finding_says_which_trick_its_card_was_played_to(lines: str, at: int, trick: int | None) -> None:
    """If this failed, a table that argues about a trick would have to count the cards to the number of the event."""
    found = [f for f in check(given("kaiser", lines).records).findings if f.at.pos == at and f.did]
    assert {f.trick for f in found} <= {trick}
    assert all((f", trick {trick}, event {at}: " in sentence(f)) == bool(trick) for f in found)
    assert found or trick is None
