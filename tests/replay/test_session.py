"""What a typed line means: fast entry at the table, refusals that teach, corrections, answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from given import log
from msgspec.structs import replace
from sampling import sampled

from events.errors import NotationError
from events.model import Event, Fix, Open, Play, Recorded, Tally
from events.tokens import split
from events.writing import write_event
from reducers import facts as fact
from reducers.first_state import begin
from reducers.tally import facts_declared
from replay.fold import corrected, fold
from replay.judging.judge import judge
from replay.judging.repairs import suggest
from replay.simulate import simulate
from replay.table.line_reader import SeveralMeaningsError
from replay.table.result_line import read_result
from replay.table.scribe import understood
from replay.table.session import Draft, Session

# The whole hand as typed, Enter at the end of each line: the auction, the trump suit, eight tricks.
TRANSCRIPT = """\
. 7 . .
h
c7aq8
d7ka8
sa8qj
sktdjht
dth8d9ck
c9jhadq
h9ks3h5
hjs9cthq
"""
PLAYED = (
    "N7c EAc SQc W8c E7d SKd WAd N8d WAs N8s EQs SJs WKs NTs EJd STh STd W8h N9d EKc W9c NJc EAh SQd E9h SKh W3s N5h "
    "SJh W9s NTc EQh"
)


class Table:
    """A session whose events are stored nowhere: they get the next positions."""

    def __init__(self, game: str = "kaiser", alert: bool = False, **tags: str) -> None:
        self.session = Session([Recorded(n=0, event=Open(by="@", facts={"Game": game, **tags}))], alert=alert)
        self.answers: list[str] = []

    def store(self, draft: Draft) -> str:
        first = self.session.records[-1].n + 1
        events = [
            Recorded(n=first + i, event=r.event, same=r.same, t=r.t, glyphs=r.glyphs, text=r.text)
            for i, r in enumerate(draft.events)
        ]
        answer = self.session.take(events)
        self.answers.append(answer.line)
        self.findings, self.offers = answer.findings, answer.offers
        return answer.line

    def type(self, *lines: str) -> Table:
        for line in lines:
            self.store(self.session.complete(line))
        return self

    @property
    def written(self) -> list[str]:
        return [write_event(r.event) for r in self.session.records[1:]]


def test_a_kaiser_hand_in_at_most_75_key_presses() -> None:
    """Two players at a table cannot wait for a recorder who types more than this."""
    assert len(TRANSCRIPT) <= 75
    table = Table(Dealer="W").type(*TRANSCRIPT.splitlines())
    assert [w.replace(" play ", "") for w in table.written if " play " in w] == PLAYED.split()
    assert table.written[:5] == ["N pass", "E bid 7", "S pass", "W pass", "E name h"]
    assert table.session.state.scores[0].points == {"NS": 4, "EW": -6}
    assert "NS +4, EW −6" in table.answers[-1]


AUCTION = (". 7 . .", "h")


@pytest.mark.parametrize(
    ("line", "events"),
    [
        ("c9 k a q", ["N play 9c", "E play Kc", "S play Ac", "W play Qc"]),
        ("9c", ["N play 9c"]),
        ("10♥", ["N play Th"]),
        ("h10", ["N play Th"]),
        ("TH", ["N play Th"]),
        ("n ht", ["N play Th"]),
        ("N play Th", ["N play Th"]),
        ("x", ["N play ??"]),
        ("?h", ["N play ?h"]),
        ("h9x", ["N play 9h", "E play ??"]),
        ("h93x", ["N play 9h", "E play ??", "S play ??", "W play ??"]),
        ("N h9 a", ["N play 9h", "E play Ah"]),
        ("note 3 {what was that?}", ["@ note #3"]),
        ("tally tricks.NS=5", ["@ tally tricks.NS=5"]),
        ("claim NS=4 EW=6", ["@ claim EW=6 NS=4"]),
    ],
)
def test_what_people_type_after_the_auction(line: str, events: list[str]) -> None:
    table = Table(Dealer="W").type(*AUCTION)
    draft = table.session.complete(line)
    assert [write_event(r.event) for r in draft.events] == events


@pytest.mark.parametrize(
    ("line", "events"),
    [
        ("7", ["N bid 7"]),
        ("7no", ["N bid 7no"]),
        ("7 no", ["N bid 7no"]),
        ("p", ["N pass"]),
        (".", ["N pass"]),
        ("b 8", ["N bid 8"]),
        ("N 8", ["N bid 8"]),
        ("call misdeal", ["N call misdeal"]),
        ("hand", ["W hand 1"]),
        ("N hand", ["N hand 1"]),
        ("deal N=8x E=8x S=8x W=8x", ["@ deal N=8x?? E=8x?? S=8x?? W=8x??"]),
    ],
)
def test_what_people_type_in_the_auction(line: str, events: list[str]) -> None:
    draft = Table(Dealer="W").session.complete(line)
    assert [write_event(r.event) for r in draft.events] == events


def test_a_comment_and_a_glyph_belong_to_the_last_act_of_the_line() -> None:
    draft = Table(Dealer="W").type(*AUCTION).session.complete("h9 a $6 {what a card}")
    assert [(r.text, r.glyphs) for r in draft.events] == [("", ()), ("what a card", (6,))]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("9", "which 9?"),
        ("xyzzy", "expected"),
        ("fix 99 h9", "there is no event 99"),
        ("7h7h7h7h7h", "expected"),
        ("", "nothing is written"),
        ("N hearts", "expected"),
    ],
)
def test_a_line_that_cannot_be_taken_says_what_was_expected(line: str, words: str) -> None:
    with pytest.raises(NotationError) as caught:
        Table(Dealer="W").type(*AUCTION).session.complete(line)
    assert words in str(caught.value)


def test_two_possible_meanings_are_refused_and_both_shown() -> None:
    """East and West may have taken the trick; nobody is guessed at."""
    table = Table(Dealer="W").type(*AUCTION, "d8 t 7 x")
    with pytest.raises(NotationError) as caught:
        table.session.complete("c9")
    assert "turn of E or W" in str(caught.value)
    assert table.type("W c9").session.state.hand.trick.won[-1].winners == ("W",)


def test_what_is_written_out_means_that_and_nothing_else() -> None:
    """If this failed, the answer to "which did you mean?" would be asked the same again."""
    session = Session(log("tresette", "N play 2c\nE call good", Seats="N E S W"))
    assert [write_event(r.event) for r in session.complete("call count 2").events] == ["E call count 2"]
    assert [write_event(r.event) for r in session.complete("E call count 2c").events] == ["E call count 2c"]


def test_a_missed_card_never_blocks_the_next_one() -> None:
    table = Table(Dealer="W").type(*AUCTION, "h9", "x", "h8", "hk", "N ca")
    assert table.written[-2:] == ["W play Kh", "N play Ac"]


def test_a_certainly_broken_act_is_doubted_an_open_one_never() -> None:
    table = Table(Dealer="W").type("deal N=AhKc9d8d7dTs9s8s E=KhQhAcQc9cJdTdAs S=JhThJc8c7cAdKdKs W=9h8h5hTcQdQsJs3s")
    table.type(*AUCTION, "N ah")
    (doubt,) = table.session.complete("E ac").doubts
    assert "kaiser.R11 follow suit" in doubt
    assert "Q♥, K♥" in doubt
    assert table.session.complete("E ac !").as_played
    hidden = Table(Dealer="W").type(*AUCTION, "h9")
    assert hidden.session.complete("E ac").doubts == ()


def test_findings_wait_for_the_end_of_the_hand_unless_alert() -> None:
    """A recorder must not coach the table."""
    revoke = ["hj9 c8 h8", "cq7aj", "hk"]
    quiet = Table(Dealer="W").type(*AUCTION, *revoke)
    assert quiet.findings == ()
    loud = Table(Dealer="W", alert=True).type(*AUCTION, *revoke)
    assert [f.rule for f in loud.findings] == ["kaiser.R11"]


def test_undo_takes_back_the_last_act_and_the_one_before() -> None:
    table = Table(Dealer="W").type(*AUCTION, "h9", "ha")
    table.store(table.session.undo())
    table.store(table.session.undo())
    assert table.written[-2:] == ["@ fix #7-", "@ fix #6-"]
    assert table.session.state.turn == ("N",)
    assert table.session.state.hand.trick.plays == []


def test_undo_of_a_correction_restores_what_stood() -> None:
    table = Table(Dealer="W").type(*AUCTION, "h9", "fix 6 h8")
    table.store(table.session.undo())
    assert table.written[-1] == "@ fix #6 N play 9h"
    assert "the correction of event 6 is taken back: N 9♥ again, and not N 8♥" in table.answers[-1]
    table.store(table.session.undo())
    assert "event 6 is struck out: N 9♥" in table.answers[-1]


@pytest.mark.parametrize(
    ("corrections", "undone"),
    [
        (["fix 6 h8"], ["@ fix #6 N play 9h", "@ fix #7-"]),
        (["fix 6 h8", "fix 6 hj"], ["@ fix #6 N play 8h", "@ fix #6 N play 9h", "@ fix #7-", "@ fix #6-"]),
        (["fix 6 h8", "fix 7 hk"], ["@ fix #7 E play Ah", "@ fix #6 N play 9h", "@ fix #7-"]),
        (["fix 6 h8", "fix 6 h9"], ["@ fix #7-"]),
        # what was struck out in the middle stands again; after that its strike is forgotten
        (["fix 6-"], ["@ fix #6 N play 9h", "@ fix #7-", "@ fix #6-"]),
        (["fix 6 h8", "fix 6-"], ["@ fix #6 N play 8h", "@ fix #6 N play 9h", "@ fix #7-"]),
        (["fix 6-", "fix 6 hk"], ["@ fix #6 N play 9h", "@ fix #7-"]),
        # a correction is corrected by its own number too
        (["fix 6 h8", "fix 8 hk"], ["@ fix #6 N play 8h", "@ fix #6 N play 9h"]),
        (["fix 6 h8", "fix 8-"], ["@ fix #6 N play 8h", "@ fix #6 N play 9h"]),
        (["fix 6+ E x"], ["@ fix #8-", "@ fix #7-"]),
    ],
)
def test_undo_of_a_correction_goes_back_further_each_time(corrections: list[str], undone: list[str]) -> None:
    """If this failed, a second `undo` would put back what the first one took back."""
    table = Table(Dealer="W").type(*AUCTION, "h9", "ha", *corrections)
    for _ in undone:
        table.store(table.session.undo())
    assert table.written[-len(undone) :] == undone


@sampled("game, seed", ["kaiser", "jersey-gin", "burraco", "scopa"], range(8), each=2, soak=range(8, 60))
def test_undo_gives_back_what_stood_before_any_correction(game: str, seed: int) -> None:
    """Acts given other cards, struck out, put in, brought back, in any order: `undo` leaves the record as before the
    last of them."""
    chance, records = Random(f"{game} {seed}"), simulate(game, seed=seed, hands=1)[:40]
    acts = [p for p in corrected(records).events[:-1] if hasattr(p.event, "cards")]

    def stands(log: Sequence[Recorded]) -> dict[int, Event]:
        return {p.n: p.event for p in corrected(log).events}

    for i, act in enumerate(chance.choices(acts, k=8) if acts else ()):
        before, n = stands(records), records[-1].n + 1
        how = chance.choice(["replace", "strike", "insert"] if act.n in before else ["replace", "insert"])
        # What says again what stood there before is an undo itself.
        other = replace(act.event, cards=(f"{i + 2}x??",))
        records.append(Recorded(n=n, event=Fix(by="@", at=act.n, how=how, event=None if how == "strike" else other)))
        assert stands(records) != before
        (back,) = Session(records).undo().events
        undone = stands([*records, replace(back, n=n + 1)])
        # What was brought back otherwise than it was is then as it was; for what was struck out nobody would
        # strike it again.
        assert undone == before if act.n in before or how == "insert" else undone.keys() == {*before, act.n}, (n, how)


def test_a_strike_of_what_is_struck_out_is_refused() -> None:
    table = Table(Dealer="W").type(*AUCTION, "h9", "ha", "fix 6-")
    with pytest.raises(
        NotationError,
        match="there is no event 6 to correct; expected a position from 0 to 8 that has not been struck out",
    ):
        table.type("fix 6-")
    assert table.type("fix 6 hk").answers[-1].startswith("9  event 6 stands again: N K♥")


MOVED = ("c8", "c9", "cj", "cq", "W da", "td", "9d", "kd")
"""A trick that West takes with the queen of clubs, and one that West leads."""


def test_a_correction_that_gives_a_trick_to_another_seat_asks_about_the_cards_behind_it() -> None:
    """If this failed, one corrected card would leave a hand of acts out of turn, and no way to say that all of them
    moved."""
    table = Table(Dealer="W").type(*AUCTION, *MOVED, "fix 9 7c")
    stood = [p.event.by for p in table.session.view.events[-4:]]
    (offer,) = table.offers
    # Who reads the record later is offered the same first.
    assert [one.lines for one in suggest(table.session.records)][:1] == [offer.lines]
    assert (offer.kind, offer.lines) == ("turn", ("fix #10> S play Ad",))
    assert (
        offer.text == (
            "S takes the trick now, and not W. The cards behind it stay with their seats; or all of them move "
            "round, and S led A♦"
        )
    )
    # If they stay, nothing is written.
    assert stood == ["W", "N", "E", "S"]
    table.type(offer.lines[0])
    assert "the cards from event 10 on move round: S A♦" in table.answers[-1]
    assert not table.offers
    assert [p.event.by for p in table.session.view.events[-4:]] == ["S", "W", "N", "E"]
    assert not judge(table.session.records).broken
    # It is one event, and one stroke to undo.
    assert table.written[-1] == "@ fix #10> S play Ad"
    table.store(table.session.undo())
    assert "moved back" in table.answers[-1]
    assert [p.event.by for p in table.session.view.events[-4:]] == stood


@pytest.mark.parametrize("fix", ["fix 7 7c", "fix 9 kc", "fix 13 8d"])
def test_a_correction_that_leaves_the_trick_where_it_was_asks_nothing(fix: str) -> None:
    assert Table(Dealer="W").type(*AUCTION, *MOVED, fix).offers == ()


def test_cards_move_round_to_the_end_of_their_hand_and_no_further() -> None:
    records = simulate("kaiser", seed=3, hands=2)
    plays = [r for r in records if isinstance(r.event, Play)]
    first, seats = plays[4], fold(records).terms.seats

    def then(seat: str) -> str:
        return seats[(seats.index(seat) + 1) % 4]

    turned = Fix(by="@", at=first.n, how="turn", event=replace(first.event, by=then(first.event.by)))
    after = [p.event for p in corrected([*records, Recorded(n=records[-1].n + 1, event=turned)]).events]
    moved = [r.event.by != event.by for r, event in zip(records[1:], after, strict=True)]
    assert moved == [r in plays[4:32] for r in records[1:]]
    assert all(event.by == then(r.event.by) for r, event in zip(records[1:], after, strict=True) if r in plays[4:32])


@pytest.mark.parametrize("at", [1, 3])
def test_what_is_no_card_of_a_seat_moves_nothing(at: int) -> None:
    table = Table(Dealer="W").type(*AUCTION, *MOVED)
    fix = Fix(by="@", at=at, how="turn", event=Play(by="S", cards=("Ad",)))
    view = corrected([*table.session.records, Recorded(n=table.session.records[-1].n + 1, event=fix)])
    assert [m.text for m in view.misfits] == [
        f"event {at} is no card that a seat played, so nothing moves round from there"
    ]


def test_undo_on_an_empty_match_says_so() -> None:
    with pytest.raises(NotationError, match="nothing to take back"):
        Table().session.undo()


@pytest.mark.parametrize(
    ("line", "event"),
    [
        ("fix 6 h8", "@ fix #6 N play 8h"),
        ("fix #6 N play 8h", "@ fix #6 N play 8h"),
        ("fix 7 8", "@ fix #7 E play 8h"),
        ("fix 6-", "@ fix #6-"),
        ("fix 6+ E ha", "@ fix #6+ E play Ah"),
        ("fix 2 E bid 8", "@ fix #2 E bid 8"),
    ],
)
def test_fix(line: str, event: str) -> None:
    table = Table(Dealer="W").type(*AUCTION, "h9", "ha")
    draft = table.session.complete(line)
    assert [write_event(r.event) for r in draft.events] == [event]
    assert isinstance(draft.events[0].event, Fix)


def test_fix_of_a_bid_needs_no_verb() -> None:
    table = Table(Dealer="W").type(*AUCTION)
    assert write_event(table.session.fix(2, "8no").events[0].event) == "@ fix #2 E bid 8no"


def test_the_answer_names_position_trick_and_turn() -> None:
    table = Table(Dealer="W").type(*AUCTION, "h9 a q k")
    assert table.answers[-1] == "6–9  N 9♥, E A♥, S Q♥, W K♥ · trick 1 to E · E to play"


def test_the_answer_names_who_won_the_hand() -> None:
    """If this failed, the line that tells the result would say `B won`, and then name both players."""
    facts = {"Game": "california-speed", "A": "Olena", "B": "Marcel"}
    session = Session([Recorded(n=0, event=Open(by="@", facts=facts))])
    draft = session.complete("result b 11 0")
    line = session.take([Recorded(n=n, event=r.event) for n, r in enumerate(draft.events, 1)]).line
    assert "hand 1: Marcel won: Olena +0, Marcel +1" in line


def test_the_cards_of_a_disputed_trick_follow_the_result() -> None:
    """If this failed, who told a hand by its result could not say later which cards the dispute was about, or its
    points would change with them, or the next result would be told of the same hand."""
    table = Table(Dealer="W").type("result E 7 h 6 ew ns", "fix 1+ gap", "fix 3+ E c9k8a")
    assert table.written[2:] == [
        "@ fix #1+ @ gap", "@ fix #3+ E play 9c", "@ fix #4+ S play Kc", "@ fix #5+ W play 8c", "@ fix #6+ N play Ac",
    ]
    assert [score.points for score in table.session.state.scores] == [{"NS": -1, "EW": 11}]
    table.type("dispute 4 revoke", "result N 7 c 6 ns ew")
    assert table.written[-2:] == ["N hand 2", "@ tally declarer=N five=NS level=7 three=EW tricks.NS=6 trump=c"]
    assert [score.points for score in table.session.state.scores] == [{"NS": -1, "EW": 11}, {"NS": 11, "EW": -1}]


def test_several_acts_are_put_in_as_they_would_be_typed() -> None:
    """If this failed, a trick that was forgotten would be put in card by card, each with its seat and the line
    before it."""
    table = Table(Dealer="W").type(*AUCTION, "h9 a q k", "c9k8a")
    draft = table.session.complete("fix 9+ d8 7 x j !")
    assert [write_event(r.event) for r in draft.events] == [
        "@ fix #9+ E play 8d", "@ fix #14+ S play 7d", "@ fix #15+ W play ??", "@ fix #16+ N play Jd"
    ]  # fmt: skip
    assert draft.as_played
    again = table.session.complete("fix 9+ d8 c9")
    assert any("9♣ already lies in the trick (recorded at 10)" in doubt for doubt in again.doubts)
    with pytest.raises(NotationError, match="there is no event 99"):
        table.session.complete("fix 99+ E c9 k")


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("fix 2 r b", "@ fix #2 @ tally winner=B"), ("fix 2 b", "@ fix #2 @ tally winner=B"),
        ("fix 2 ben", "@ fix #2 @ tally winner=B"), ("fix 2 draw", "@ fix #2 @ tally winner=draw"),
        ("fix 2 tally winner=b", "@ fix #2 @ tally winner=B"),
        ("fix 2 A draw x", "@ fix #2 A draw ??"),
    ],
)  # fmt: skip
def test_a_mistyped_result_is_told_anew(line: str, written: str) -> None:
    """If this failed, the letter of a player would be asked for a suit, and a small one would be no player."""
    table = Session(log("machiavelli", "B hand 1\n@ tally winner=A\n", Seats="A B", A="Ann", B="Ben"))
    assert [write_event(r.event) for r in table.complete(line).events] == [written]


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("winner=b", "winner=B"), ("left.a=0 left.ben=4", "left.A=0 left.B=4 winner=A"),
        ("winner=ben left.a=4", "left.A=4 winner=B"),
    ]
)
def test_the_facts_of_a_result_are_corrected_in_either_case_and_the_others_stand(words: str, written: str) -> None:
    table = Session(log("machiavelli", "B hand 1\n@ tally winner=A\n", Seats="A B", A="Ann", B="Ben"))
    assert [write_event(r.event) for r in table.fix(2, words).events] == [f"@ fix #2 @ tally {written}"]


def test_a_figure_of_one_side_is_corrected_and_that_of_the_other_stands() -> None:
    """If this failed, a sweep corrected for one player would take away what was told of the other."""
    table = Session(log("xeri", "B hand 1\n@ tally xeri.A=0 xeri.B=2 cards.A=21 ten=A\n", Seats="A B"))
    assert [
        write_event(r.event) for r in table.complete("fix 2 xeri.A=1").events
    ] == ["@ fix #2 @ tally cards.A=21 ten=A xeri.A=1 xeri.B=2"]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("fix 2 x", "'x' does not answer 'Who had no card left, or draw?'"),
        ("fix 2 7c", "'7c' does not answer 'Who had no card left, or draw?'"),
        ("fix r a", "'r' is not an event number"), ("fix", "'fix' lacks the number of an event"),
    ]
)
def test_a_correction_that_cannot_be_read_says_what_it_takes(line: str, what: str) -> None:
    table = Session(log("machiavelli", "B hand 1\n@ tally winner=A\n", Seats="A B", A="Ann", B="Ben"))
    with pytest.raises(NotationError) as caught:
        table.complete(line)
    assert caught.value.what == what
    expected = "A, B or draw" if "answer" in what else "as in fix 15 Jh, or fix 15 r … for a result"
    assert expected in str(caught.value.expected)


@pytest.mark.parametrize(
    ("game", "seats", "expected", "todo"),
    [
        ("zetema", "A B", "as in claim A=… B=…", ""), ("kaiser", "N E S W", "as in claim NS=… EW=…", ""),
        ("kowah", "A B C", "as in claim A=… B=… C=…", "A card is claimed by naming it: {} and the card."),
        ("rumino", "A B C", "as in claim A=… B=… C=…", "A card is claimed by naming it: {} and the card."),
    ],
)  # fmt: skip
@pytest.mark.parametrize("line", ["claim", "{} claim"])
def test_a_claim_of_nothing_says_what_a_claim_is(game: str, seats: str, expected: str, todo: str, line: str) -> None:
    """If this failed, somebody who claims a card would be asked for a whole number."""
    first, last = seats[0], seats[-1]
    with pytest.raises(NotationError) as caught:
        Session(log(game, "", Seats=seats)).complete(line.format(first))
    assert (caught.value.what, caught.value.expected) == (
        "'claim' says no score", f"the score as the table has it, {expected}",
    )
    assert caught.value.todo == todo.format(first if "{}" in line else last)


def test_a_result_in_a_hand_with_cards_says_how_to_go_on() -> None:
    """If this failed, the bid of the next hand would be asked of somebody in a hand that was told."""
    table = Table(Dealer="W").type(". 7 . .", "result E 7 h 6 ew ns")
    assert "`hand` begins the next; else E to name trumps" in table.answers[-1]
    assert table.type("result N 7 c 6 ns ew").written[-2] == "N hand 2"


def test_a_fix_names_the_line_that_has_the_card() -> None:
    """If this failed, one would look through the hand for the card that is there twice."""
    table = Table(Dealer="W").type(*AUCTION, "c9k8a")
    (doubt,) = table.session.complete("fix 6 ck").doubts
    assert doubt == "with this, K♣ already lies in the trick (recorded at 7)"
    later = Table("yaniv").type("hj", "hk", "7hc", "qdh", "ct", "sj", "dk", "hand", "hj")
    (old,) = later.session.complete("fix 2 kd").doubts
    assert old == "with this, K♦ already lies in the discard pile (recorded at 7)"


def test_the_deal_of_a_further_hand_is_no_second_deal() -> None:
    """If this failed, whoever goes on to the next hand with its deal would be told that the board got its cards
    before."""
    deal = "@ deal up board=Kd3d6d2h"
    hand = [deal, "A capture Jd/6d2h", "B capture Kh/Kd", "@ end hand misdeal"]
    between = Session(log("scopa", "\n".join(hand)))
    assert not between.complete("dk36h2").doubts
    begun = Session(log("scopa", "\n".join([*hand, "A play 7d"])))
    assert not any("cards were dealt to" in doubt for doubt in begun.complete(deal).doubts)
    rows = "@ deal col:A:1..4=6sQcKc5c"
    assert any(
        "cards were dealt to columns 1 to 4 of A at 1" in doubt
        for doubt in Session(log("russian-bank", rows)).complete(rows).doubts
    )


def test_expected_says_the_phase_the_seat_and_the_form() -> None:
    assert "N" in Table(Dealer="W").session.expected()
    assert "7no" in Table(Dealer="W").session.expected()


# -- a hand told by its result


KAISER = {"Game": "kaiser", "N": "Anna", "E": "Ben"}


def result_of(line: str, facts: dict[str, str] | None = None) -> list[str]:
    """The events that a result line stands for, before the first hand."""
    session = Session([Recorded(n=0, event=Open(by="@", facts=facts or KAISER))])
    return [write_event(r.event) for r in session.complete(line).events]


@pytest.mark.parametrize(
    ("line", "tally"),
    [
        ("r E 7 h 6 ew ns", "declarer=E five=EW level=7 three=NS tricks.EW=6 trump=h"),
        ("result n 8 no 5 ns ns", "declarer=N five=NS level=8 no=yes three=NS tricks.NS=5"),
        ("r ben 7 H - ew", "declarer=E five=EW level=7 trump=h"),
        ("r E 7 five=NS h", "declarer=E five=NS level=7 trump=h"),
        ("r misdeal", "void=misdeal"),
    ],
)
def test_a_result_is_told_in_the_order_in_which_players_say_it(line: str, tally: str) -> None:
    """If this failed, a plain result would be slower to type than to write on paper."""
    assert result_of(line) == ["W hand 1", f"@ tally {tally}"]


@pytest.mark.parametrize(
    ("line", "closed"), [("r 310 150 25 90 1 0 0 1 e", "E"), ("r 310 150 25 90 1 0 0 1 nobody", "-")],
)
def test_a_result_has_the_figures_of_both_partnerships(line: str, closed: str) -> None:
    """If this failed, a result line would ask what each of the four has, and no figure could be told."""
    figures = "clean.EW=0 clean.NS=1 closed={} dirty.EW=1 dirty.NS=0 left.EW=90 left.NS=25 melds.EW=150 melds.NS=310"
    assert result_of(line, {"Game": "burraco"}) == ["W hand 1", f"@ tally {figures.format(closed)}"]
    had = " pozzetto.EW=no pozzetto.NS=yes"
    assert result_of(
        f"{line} y n", {"Game": "burraco"},
    )[1].replace(had, "") == f"@ tally {figures.format(closed)}".replace(had, "")


@pytest.mark.parametrize(
    ("line", "tally"),
    [
        ("r ola c,a - h", "mattis=B out=C,A trump=h"),
        ("result B Ingrid,kari ingrid", "blamattis=C mattis=B out=C,A"),
    ],
)
def test_players_in_order_are_one_word_of_a_result(line: str, tally: str) -> None:
    """If this failed, who went out could not be told in the line that says who was left."""
    facts = {"Game": "mattis", "A": "Kari", "B": "Ola", "C": "Ingrid"}
    assert result_of(line, facts)[1] == f"@ tally {tally}"
    with pytest.raises(NotationError, match="does not answer 'Who went out, in order"):
        result_of("r B c,x", facts)


PONTOON = {"Game": "pontoon", "Seats": "A B C D", "A": "Anna"}


@pytest.mark.parametrize(
    ("line", "dealer", "tally"),
    [
        (
            "r d 4 20 6 bust 3 pontoon 19", "",
            "bank=\"19\" banker=D class.A=\"20\" class.B=bust class.C=pontoon stake.A=4 stake.B=6 stake.C=3",
        ),
        (
            "r 4 20 6 bust 3 pontoon 19", "D",
            "bank=\"19\" class.A=\"20\" class.B=bust class.C=pontoon stake.A=4 stake.B=6 stake.C=3",
        ),
        ("r anna 2 five - - 3 19 bust", "", "bank=bust banker=A class.B=five class.D=\"19\" stake.B=2 stake.D=3"),
        ("r B 2 five - - 3 19 bust", "", "bank=bust banker=B class.A=\"19\" class.C=five stake.A=3 stake.C=2"),
        ("r 4,4 20,five 6 bust", "D", "class.A=\"20\" class.A:2=five class.B=bust stake.A=4 stake.A:2=4 stake.B=6"),
        ("r banker=C 2 19", "D", "banker=C class.D=\"19\" stake.D=2"),
    ],
)
def test_a_result_of_everybody_against_the_bank_goes_round_from_the_banker(line: str, dealer: str, tally: str) -> None:
    """If this failed, a bank that is settled round the table could not be told round the table."""
    facts = {**PONTOON, "Dealer": dealer} if dealer else PONTOON
    banker = next((word[7:] for word in tally.split() if word.startswith("banker=")), dealer)
    assert result_of(line, facts) == [f"{banker} hand 1", f"@ tally {tally}"]


@pytest.mark.parametrize(
    ("line", "column", "said"),
    [
        (
            "r d 4 25", 7,
            (
                "'25' does not answer 'What was Anna?'; expected bust, five, pontoon or 2 to 21, for several "
                "hands with commas, or -"
            )
        ),
        ("r d 0", 5, "'0' does not answer 'What was staked on Anna in all?'"),
        ("r d 4,0", 5, "'4,0' does not answer 'What was staked on Anna in all?'"),
        ("r x", 3, "'x' does not answer 'Who held the bank?'; expected A, B, C or D"),
        ("r d stake.D=4", 3, "D held the bank and staked nothing"),
        (
            "r d 4,4 pontoon,pontoon 4 pontoon 4 pontoon pontoon", 3,
            "5 hands cannot have a pontoon: the pack has 4 aces",
        ),
        (
            "r d 4 20 4 20 4 20 19 19", 23,
            "one word too many; expected result banker stake.A class.A stake.B class.B stake.C class.C bank",
        ),
    ],
)
def test_what_nobody_can_have_against_the_bank_is_refused_at_the_word(line: str, column: int, said: str) -> None:
    """If this failed, chips would change hands for a hand that cannot be."""
    with pytest.raises(NotationError) as caught:
        result_of(line, PONTOON)
    assert said in str(caught.value)
    assert caught.value.column == column


@pytest.mark.parametrize(
    ("line", "column", "said"),
    [
        (
            "r E 7 x 6", 7,
            "'x' does not answer 'Which suit was named?'; expected c, d, h or s, no, or - if it is unknown",
        ),
        ("r E 7 h 9 ew ns", 9, "'9' does not answer 'How many tricks did Ben & W take?'; expected 0 to 8"),
        ("r E 7 h 6 ew ns 4", 17, "'4' is one word too many; expected result declarer level trump tricks five three"),
        ("r E 13 h", 3, "level is 6 to 12, not 13"),
        ("r E 7 h 8 ew ns", 3, "NS cannot have the 3♠ without a trick"),
        ("r E 7 h 0 ew", 3, "EW cannot have the 5♥ without a trick"),
        ("r", 1, "the result says nothing"),
    ],
)
def test_a_result_that_cannot_be_is_refused_at_the_word(line: str, column: int, said: str) -> None:
    """If this failed, a wrong sum would be found the next day."""
    with pytest.raises(NotationError) as caught:
        result_of(line)
    assert said in str(caught.value)
    assert caught.value.column == column


def test_a_game_without_a_result_line_says_what_to_type() -> None:
    """If this failed, somebody would be told to type `result`, and nothing after it."""
    state = begin(KAISER)
    state.game = replace(
        state.game, tally=facts_declared({"points.*": fact.number("points of a side"), "void": fact.word("misdeal")}),
    )
    with pytest.raises(
        NotationError, match=r"no result in one line yet; expected tally KEY=VALUE …\. Its keys are points\.\*, void",
    ):
        read_result(split("A 5")[0], state)
    for typed, told in (("misdeal", {"void": "misdeal"}), ("points.NS=5", {"points": {"NS": 5}})):
        event = read_result(split(typed)[0], state)[-1]
        assert isinstance(event, Tally)
        assert event.facts == told


def test_a_result_in_the_middle_of_a_hand_belongs_to_it() -> None:
    """If this failed, a result would begin another hand although one is in play."""
    session = Session(log("kaiser", "W hand 1\n@ deal N=8x??\nN bid 7\n"))
    (told,) = session.complete("r N 7 h 6 ns ns").events
    assert isinstance(told.event, Tally)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("claim ZZ=3", "'ZZ' is no side of this match; expected the score of NS and EW, as in claim NS=…"),
        ("claim hand.ZZ=3", "'ZZ' is no side of this match"),
        ("ruling 66 good", "there is no event 66; expected an event of this match, 0 to 5"),
        ("ruling 3 good", "'good' is not a word of a ruling. A ruling says a word (void, forfeit,"),
        ("dispute #9", "there is no event 9"),
        ('open S="ann"', "ann would sit in two places"),
        ("note #7", "there is no event 7"),
    ],
)
def test_what_cannot_be_meant_is_refused(line: str, said: str) -> None:
    """If this failed, a typing mistake would be found the next day, as a finding."""
    table = Table(Dealer="W", N="Ann", S="Cy").type(*AUCTION)
    with pytest.raises(NotationError) as caught:
        table.session.complete(line)
    assert said.casefold() in str(caught.value).casefold()


@pytest.mark.parametrize(
    "line", ["claim NS=3", "claim N=3", "claim hand.EW=3", "ruling 3 warning", "ruling #3 misdeal", "dispute #5"],
)
def test_what_can_be_meant_is_taken(line: str) -> None:
    """The control: the same lines with names and numbers that are there."""
    assert Table(Dealer="W").type(*AUCTION).session.complete(line).events


@pytest.mark.parametrize(
    ("line", "doubt"),
    [
        ("fix 7 Kh", "K♥ already lies in the trick (recorded at 6)"),
        ("claim NS=7 | fix 9 N play Ah", "this makes something else of it"),
        ("fix 8 bid 9", "S bids 9: not now; expected S to play: a card"),
        ("fix 6+ W 9h", "it is the turn of E"),
    ],
)
def test_a_correction_is_asked_about_like_a_new_line(line: str, doubt: str) -> None:
    """If this failed, a correction could put one card in two places, and nobody would be asked."""
    *first, line = line.split(" | ")
    table = Table(Dealer="W").type(*AUCTION, "Kh", "c8", "h8", *first)
    draft = table.session.complete(line)
    assert any(doubt in said for said in draft.doubts), draft.doubts


def test_a_correction_is_asked_for_its_piles() -> None:
    """If this failed, a card could be corrected onto a column that is not there; names are read in any case there,
    too."""
    table = Table("russian-bank").type("djs6cqk5sjckd2qh3", "dj>2")
    assert any(
        "no card is put on column 9 of A" in doubt
        for doubt in table.session.complete("fix 2 A move Jd <reserve:A >col:A:9").doubts
    )
    assert any(
        "is not available to A" in doubt for doubt in table.session.complete("fix 2 jd <reserve:z >col:a:2").doubts
    )
    (event,) = table.session.complete("fix 2 a MOVE jd <RESERVE:a >COL:a:2").events
    assert write_event(event.event) == "@ fix #2 A move Jd <reserve:A >col:A:2"


@pytest.mark.parametrize("line", ["fix 7 9c", "fix 6 Ah", "fix 8-", "fix 1 bid 8", "fix 8+ W 9h"])
def test_a_correction_that_fits_is_not_asked_about(line: str) -> None:
    """The control: these say nothing that cannot be."""
    assert Table(Dealer="W").type(*AUCTION, "Kh", "c8", "h8").session.complete(line).doubts == ()


@pytest.mark.parametrize(
    ("line", "event"),
    [
        ("claim ns=12 EW=7", "@ claim EW=7 NS=12"),
        ("claim anna=12 Ben=7", "@ claim E=7 N=12"),
        ("n claim hand.ns=5", "N claim hand.NS=5"),
        ("tally declarer=e tricks.ns=2 five=EW trump=h", "@ tally declarer=E five=EW tricks.NS=2 trump=h"),
    ],
)
def test_facts_are_typed_by_names_and_in_any_case(line: str, event: str) -> None:
    """If this failed, `claim ns=12` would be refused as a side that is not there."""
    session = Session([Recorded(n=0, event=Open(by="@", facts=KAISER))])
    assert [write_event(r.event) for r in session.complete(line).events] == [event]


@pytest.mark.parametrize(
    ("game", "before", "line", "event"),
    [
        ("california-speed", "b 8dts4c7d; ah2h3h5h", "a .", "A move * <col:A:1..4 >stock:A_"),
        ("california-speed", "b 8dts4c7d; ah2h3h5h", "B .", "B move * <col:B:1..4 >stock:B_"),
        ("kaiser", "7", "s .", "S pass"),
        ("kaiser", "", "N .", "N pass"),
        # The opponent's card is a lead, and what was drawn goes untold; a verb that is typed is meant.
        ("poke", "?? t ?? b t 3x?? t 2x?? t 2x??", "a 9d", "A play 9d"),
        ("poke", "?? t ?? b t 3x?? t 2x?? t 2x??", "a play 9d", "A play 9d"),
        ("poke", "?? t ?? b t 3x?? t 2x?? t 2x??", "b play 9d", "B play 9d"),
        # No run of cards, as there is one ace of clubs.
        ("ecarte", "c9; pr", "acc", "B call accept"),
    ],
)
def test_the_usual_act_of_a_player_who_is_named(game: str, before: str, line: str, event: str) -> None:
    """If this failed, `a .` would ask whose turn it is, although it says so."""
    tags = {"Dealer": "W"} if game == "kaiser" else {}
    table = Table(game, **tags).type(*filter(None, before.split("; ")))
    assert [write_event(r.event) for r in table.session.complete(line).events] == [event]


@pytest.mark.parametrize(("line", "event"), [("anna pass", "N pass"), ("ANNA bid 7", "N bid 7"), ("Ben 8", "E bid 8")])
def test_a_player_is_named_instead_of_the_seat(line: str, event: str) -> None:
    """If this failed, whoever does not know the seats by their letters would be told that the player is no verb."""
    session = Session([Recorded(n=0, event=Open(by="@", facts={**KAISER, "S": "Pass", "W": "Fix"}))])
    assert [write_event(r.event) for r in session.complete(line).events] == [event]
    assert [write_event(r.event) for r in session.complete("pass").events] == ["N pass"]


def test_what_is_wrong_in_a_correction_is_said_of_the_correction() -> None:
    """If this failed, `jd>9` would be called no verb, or one would be told what must be written in a file."""
    table = Table(Dealer="W").type(*AUCTION, "h9")
    with pytest.raises(NotationError, match="'jd>9' means nothing here; expected the act as it should be") as wrong:
        table.session.complete("fix 6 jd>9")
    assert wrong.value.column == 7
    bank = Table("russian-bank").type("djs6cqk5sjckd2qh3", "dj>2")
    with pytest.raises(NotationError, match="'>99': there is no column 99; expected a column from 1 to 8") as nowhere:
        bank.session.complete("fix 2 jd>99")
    assert nowhere.value.column == 9
    with pytest.raises(NotationError) as lacking:
        table.session.complete("draw")
    assert "In a file" not in str(lacking.value)


@pytest.mark.parametrize(
    ("line", "column", "said"),
    [
        ("c14", 1, "'c14': there is no 14; expected a rank from 2 to 10, or A, J, Q, K"),
        ("N 11h", 3, "'11h': there is no 11"),
        ("hearts", 1, "'hearts' means nothing here; expected a card"),
        ("N zz", 3, "'zz' means nothing here; expected a card"),
        ("Z 7h", 1, "there is no player at 'Z'; expected a seat of this match: N, E, S, W"),
        ("C 9h", 1, "there is no player at 'C'"),
        ("h", 1, "'h' is a suit without a rank; expected N to play: a card"),
        ("e", 1, "'e' says who, but not what; expected N to play: a card"),
        ("h9 . a", 4, "'.' stands for nothing here"),
    ],
)
def test_the_error_points_at_the_word_that_is_wrong(line: str, column: int, said: str) -> None:
    """If this failed, a slip would be explained in the words of the notation, or somewhere else in the line."""
    with pytest.raises(NotationError) as caught:
        Table(Dealer="W").type(*AUCTION).session.complete(line)
    assert said in str(caught.value)
    assert caught.value.column == column


@pytest.mark.parametrize(
    ("line", "doubt"),
    [
        ("m jd >col:B:1", "there is no meld in Russian Bank; its acts are call, discard, draw, move, pass, show"),
        ("deal col:A:1..4=6sQcKc5c", "K♣ already lies in column 3 of A"),
        ("2d >col:b:9", "A moves 2♦ from column 2 of B to column 9 of b - not allowed"),
    ],
)
def test_what_no_pile_or_player_can_do_is_asked_about(line: str, doubt: str) -> None:
    """If this failed, a verb of another game would be taken as the table's act, or a second deal as the first."""
    session = Session(log("russian-bank", ""))
    first = [Recorded(n=n, event=r.event) for n, r in enumerate(session.complete("djs6cqk5sjckd2qh3").events, 1)]
    session.take(first)
    assert any(doubt in said for said in session.complete(line).doubts)


def test_a_bare_seat_is_answered_by_the_name_of_its_player() -> None:
    """If this failed, one who stops after `e` would be told that nothing can be read, and not that the act is
    missing."""
    session = Session([Recorded(n=0, event=Open(by="@", facts=KAISER))])
    with pytest.raises(
        NotationError,
        match=r"'e' says who \(Ben\), but not what; expected hand 1, dealt by .* – Anna \(N\) to call: a bid",
    ):
        session.complete("e")


@pytest.mark.parametrize(
    ("game", "before", "line", "column", "said"),
    [
        # A capital that is no seat here is short for a verb, and a bid may be any word.
        ("yaniv", "hj; hk; 7hc; y", "D 7", 1, "there is no player at 'D'; expected a seat of this match: A, B"),
        ("california-speed", "b 8dts4c7d; djhk3j", "C 9h", 1, "there is no player at 'C'"),
        ("bridge-solitaire", "", "E 8h", 1, "there is no player at 'E'"),
        (
            "bridge-solitaire", "h7dtjod7h8c8hacaksad4c5t; joahactd8h4d; 7h7d8ckc5ctcas; p", "c14", 1,
            "'c14': there is no 14",
        ),
        ("scopa", "dkc6d3c2", "3", 1, "which 3?; expected a card with its suit. Write"),
        ("russian-bank", "djs6cqk5sjckd2qh3", "jd>9", 3, "'>9': there is no column 9; expected a column from 1 to 8"),
        (
            "pad", "", "A 5", 1,
            "'A' means nothing here; expected hand 1 – what each player or side won or lost in the hand",
        ),
        ("pad", "", "D 7", 1, "there is no player at 'D'"),
    ],
)
def test_every_game_says_which_word_is_wrong(game: str, before: str, line: str, column: int, said: str) -> None:
    """If this failed, a slip would be taken for a verb or a bid, and answered with what nobody wanted to know."""
    table = Table(game).type(*filter(None, before.split("; ")))
    with pytest.raises(NotationError) as caught:
        table.session.complete(line)
    assert said in str(caught.value)
    assert caught.value.column == column


@pytest.mark.parametrize(
    ("game", "before", "line", "event"),
    [
        ("russian-bank", "djs6cqk5sjckd2qh3; dj>2; 4h; as; as", "fix 2 jd>7", "@ fix #2 A move Jd <reserve:A >col:B:3"),
        ("california-speed", "b 8dts4c7d; djhk3j; a 7hjd", "fix 3 a 7sjd", "@ fix #3 A move 7s <stock:A >col:A:1"),
        ("yaniv", "hj; hk; 7hc", "fix 3 7hd", "@ fix #3 B discard 7h7d"),
        ("russian-bank", "djs6cqk5sjckd2qh3; dj>2; qh; hq>5; ks", "fix 3 qs", "@ fix #3 A show Qs <reserve:A"),
    ],
)
def test_a_correction_is_typed_as_the_line_would_have_been(game: str, before: str, line: str, event: str) -> None:
    """If this failed, who mistyped a column would have to write the move in full, or the recorder would stop at `fix
    3 a 7hjs`."""
    table = Table(game).type(*before.split("; "))
    draft = table.session.complete(line)
    assert [write_event(r.event) for r in draft.events] == [event]


def test_the_answer_to_a_correction_tells_what_hands_come_to_now() -> None:
    """If this failed, one would have to ask for the score to see what a correction changed; a hand that stays is not
    told again."""
    first = "result E 7 h 6 ew ns"
    table = Table(Dealer="W").type(first, "result N 7 c 6 ns ew", "fix 2 result E 7 h 8 ew ew")
    now = table.session.state.scores
    assert "hand 1: E & W 7 ♥ made: NS +0, EW +10 → " in table.answers[-1]
    assert "hand 2" not in table.answers[-1]
    assert table.answers[-1].endswith(f"→ NS {now[-1].totals['NS']}, EW {now[-1].totals['EW']}")
    assert "hand" not in table.type("note 2 {said so}").answers[-1]


@pytest.mark.parametrize("line", ["fail", "B fail", "qdqhqc", "B meld qdqhqc", ".", "2c"])
def test_nothing_more_is_taken_for_an_act_once_the_match_is_won(line: str) -> None:
    """A word of the game, or cards, would be of a hand that does not begin."""
    lines = "C hand 1\n@ deal A=3x?? B=3x?? C=3x??\nA meld QdQhQs\n"
    session = Session(log("machiavelli", lines, Seats="A B C", option={"deal_size": 3}))
    assert session.state.ended == "won"
    try:
        said = " ".join(session.complete(line).doubts)
    except NotationError as error:
        said = error.expected
    assert "nothing more: the match is over" in said


@pytest.mark.parametrize(
    ("game", "line", "said"),
    [
        ("kowah", "9c", "'9c': there is no 9♣ in the pack; expected one of J♣ Q♣ K♣"),
        ("kowah", "t 9c", "'9c': there is no 9♣ in the pack; expected one of J♣ Q♣ K♣"),
        ("scopa", "9s", "'9s': there is no 9♠ in the pack; expected one of A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠ J♠ Q♠ K♠"),
        ("put-and-take", "1s", "'1s': there is no 1"),
    ],
)
def test_a_card_that_is_not_in_the_pack_is_refused(game: str, line: str, said: str) -> None:
    session = Session(log(game, ""))
    with pytest.raises(NotationError) as caught:
        session.complete(line)
    assert said in str(caught.value)


def test_a_card_of_another_pack_that_was_played_is_kept() -> None:
    """If this failed, a record could not say what happened with a pack that was put together wrongly. What is no
    card stays none."""
    session = Table(Dealer="W").type(*AUCTION).session
    with pytest.raises(NotationError, match=r"there is no 7♥ in the pack.*write ! behind the line"):
        session.complete("7h")
    assert [write_event(r.event) for r in session.complete("7h !").events] == ["N play 7h"]
    with pytest.raises(NotationError, match="there is no 11"):
        session.complete("11h !")


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("c d <", ["C draw 9c <discard"]), ("c <", ["C draw 9c <discard"]), ("C <", ["C draw 9c <discard"]),
        ("D <", ["D draw 9c <discard"]), ("<", ["B draw 9c <discard"]), ("d <", ["B draw 9c <discard"]),
        ("b <", ["B draw 9c <discard"]), ("c d 9c", ["C draw 9c <discard"]), ("d rumino", ["D call rumino"]),
    ],
)
def test_a_seat_that_is_short_for_a_verb_too_claims_a_card(line: str, written: list[str]) -> None:
    """With the seats C and D at the table nobody means a call of something unheard of."""
    session = Session(log("rumino", "D hand 1\n@ deal up discard=8d\nA draw ??\nA discard 9c\n", Seats="A B C D"))
    draft = session.complete(line)
    assert [write_event(r.event) for r in draft.events] == written
    assert draft.doubts == ()


@pytest.mark.parametrize(
    ("game", "line", "written"),
    [
        ("kowah", "d", "B draw ??"), ("kowah", "draw", "B draw ??"), ("kowah", "b d", "B draw ??"),
        ("rumino", "d", "B draw ??"), ("zetema", "d", "B draw ??"), ("pay-me", "Ben d", "B draw ??"),
        ("machiavelli", "d", "B draw ??"), ("kowah", "d 8s", "B draw 8s"), ("rumino", "d 8s", "B draw 8s"),
        ("pay-me", "draw 8s", "B draw 8s"), ("machiavelli", "d 8s", "B draw 8s"), ("zetema", "d 8s", "B draw 8s"),
        ("kowah", "d 9h", "B draw 9h <discard"),
    ],
)  # fmt: skip
def test_a_draw_typed_by_its_verb_is_one(game: str, line: str, written: str) -> None:
    """If this failed, `d` would be a draw that lacks its cards, and so would `d 8s` be, though it has them."""
    first = "A draw ??" if game == "machiavelli" else "A draw ??\nA discard 9h"
    draft = Session(log(game, first, Seats="A B C", B="Ben")).complete(line)
    assert ([write_event(r.event) for r in draft.events], draft.doubts) == ([written], ())


@pytest.mark.parametrize(
    ("game", "line", "asked"),
    [
        ("kowah", "n", "Did you mean note?"), ("kaiser", "nmae", "Did you mean name?"), ("kowah", "plya", ""),
        ("kaiser", "plya", "Did you mean play?"), ("zetema", "bidd", ""), ("kowah", "darw", "Did you mean draw?"),
        ("rumino", "discrad", "Did you mean discard?"),
    ],
)  # fmt: skip
def test_no_verb_is_offered_for_which_the_game_has_no_act(game: str, line: str, asked: str) -> None:
    """If this failed, a recorder of Kowah would be asked whether trumps were named."""
    with pytest.raises(NotationError) as caught:
        Session(log(game, "")).complete(line)
    assert caught.value.todo == asked


def test_a_letter_that_is_short_for_what_the_game_has_not_is_a_seat() -> None:
    """If this failed, a card of B in a game without bids would be a bid of the table."""
    session = Session(log("kowah", "A draw ??\nA discard 7h\nB discard 9h\n", Seats="A B C"))
    with pytest.raises(SeveralMeaningsError, match="'B draw 6s <discard'; or 'B discard 6s'"):
        session.complete("b 6s")


def test_a_call_of_a_word_that_the_game_does_not_know_is_asked_about() -> None:
    session = Session(log("rumino", "D hand 1\n@ deal up discard=8d\n", Seats="A B C D"))
    (doubt,) = session.complete("A call foo").doubts
    assert doubt == "A calls foo: Rumino knows no such word; what is said in it is knock, gin, rumino"


def test_another_card_for_one_that_was_turned_up_is_turned_up_as_well() -> None:
    session = Session(log("put-and-take", "D hand 1\nD play 6c <stock\n", Seats="A B C D"))
    (record,) = session.complete("fix 2 6d").events
    assert write_event(record.event) == "@ fix #2 D play 6d <stock"


def test_what_breaks_a_rule_as_one_act_is_not_read_as_two() -> None:
    """One card is not bust; nobody means that A is, and that B draws the king."""
    session = Session(log("seven-and-a-half", "D hand 1\nA bet 2\nB bet 3\nC bet 1\n", Seats="A B C D"))
    draft = session.complete("bust kc")
    assert [write_event(r.event) for r in draft.events] == ["A call bust Kc"]
    assert "is not bust" in draft.doubts[0]


@pytest.mark.parametrize("line", ["r 15", "hand"])
def test_a_further_hand_is_doubted_once_the_match_is_over(line: str) -> None:
    """If this failed, another evening would be recorded at the end of a match in which it counts nothing, and nobody
    would be told."""
    table = Table("turnover-bridge").type("r 15")
    draft = table.session.complete(line)
    assert ["the match is over" in doubt for doubt in draft.doubts] == [True]
    assert table.session.complete(f"{line} !").as_played
    assert not Table("turnover-bridge").session.complete(line).doubts


def test_an_answer_says_in_words_what_is_turned_up_drawn_and_taken_up() -> None:
    """If this failed, a table would be told that it was a draw from `<trick`, who leads twice over, and trumps not
    at all."""
    typed = (Path(__file__).parent.parent / "transcripts" / "myllymatti.txt").read_text("utf-8").splitlines()
    lines = [line for line in typed if line[:1] not in "#="]
    table = Table("myllymatti", Dealer="C").type(*lines)
    assert "C 4♦ from the stock · trick 6 to B" in table.answers[0]
    last = next(answer for answer in table.answers if "face up" in answer)
    assert "B draws A♠ face up · spades are trumps · B to play" in last
    assert "C takes K♦ from the trick" in next(answer for answer in table.answers if "A♥, B 4♠" in answer)
    assert not [answer for answer in table.answers if " leads · " in answer]
    assert "hand 1: trumps ♠, B is the loser: A +0, B +1, C +0" in table.answers[-1]


def answers(game: str, lines: Sequence[str], seats: str, **option: str) -> list[str]:
    """What is answered to lines that are typed into a new match, one after the other."""
    session, out = Session(log(game, "", Seats=seats, option=option)), []
    for line in lines:
        draft = understood(session, line)
        out.append(session.take([replace(r, n=session.records[-1].n + i) for i, r in enumerate(draft.events, 1)]).line)
    return out


@pytest.mark.parametrize(
    ("game", "before", "line", "means"),
    [
        ("seven-and-a-half", "", "a 3", "A bet 3"),
        ("seven-and-a-half", "D hand 1\n", "b 3", "B bet 3"),
        ("seven-and-a-half", "D hand 1\n", "c 3", "C bet 3"),
        ("pontoon", "D hand 1\n", "a 4", "A bet 4"),
        ("put-and-take", "D hand 1\nD play 6c <stock\n", "a 1", "A pay 1 >pot"),
        ("put-and-take", "D hand 1\nD play 6c <stock\n", "b 1", "B pay 1 >pot"),
        ("play-or-pay", "D hand 1\nA play 6c\n", "b 1", "B pay 1"),
        ("put-and-take", "D hand 1\n", "7c!", "D play 7c <stock"),
    ],
)
def test_who_pays_or_bets_may_be_typed_small(game: str, before: str, line: str, means: str) -> None:
    """If this failed, `a 3` would be an ace without a suit, and `b 20` a bid of which the game knows nothing."""
    (event,) = Session(log(game, before, Seats="A B C D")).complete(line).events
    assert write_event(event.event) == means


def test_a_mark_behind_a_card_needs_no_space() -> None:
    """If this failed, `kd!` would mean nothing, though `kd !` keeps the card as it was played."""
    session = Session(log("kaiser", "W hand 1\n", Seats="N E S W"))
    assert session.complete("7!").as_played
    assert not session.complete("7").as_played


@pytest.mark.parametrize(
    ("line", "says"), [("undo 22", "`fix 22-` strikes event 22 out"), ("undo that", "`fix 15-` strikes event 15 out")],
)
def test_undo_of_an_earlier_event_is_a_correction(line: str, says: str) -> None:
    """If this failed, `undo 22` would mean nothing, though the help lists `undo`."""
    with pytest.raises(NotationError) as caught:
        understood(Session(log("xeri", "B hand 1\nA play 9h\n")), line)
    assert says in str(caught.value)


def test_a_line_of_several_acts_says_what_came_of_each() -> None:
    """If this failed, a xeri in the middle of a line would go by without a word."""
    *_, last = answers("xeri", ["3s5hkd9s", "9h 4h 4s 2c"], "A B")
    assert last == "2–5  A 9♥ (A takes the pile), B 4♥, A 4♠ (A takes the pile, a xeri), B 2♣ · A to play"


def test_a_hand_that_is_shown_late_is_added_up_anew() -> None:
    """If this failed, nobody would see what a hand came to once the last cards were shown."""
    *_, late = answers("seven-and-a-half", ["A 3", ".", ".", "2d 4c .", "x", "7s", ".", "as", "D show 3c7s"], "A B C D")
    assert late.startswith("11  D shows 3♣ 7♠ · bank bust · hand 1: bank bust: A +3, B +0, C +0, D −3 → A 3")


@pytest.mark.parametrize(
    ("game", "lines", "seats", "line", "says"),
    [
        (
            "xeri", "B hand 1\n@ tally xeri.A=0 xeri.B=2 cards.A=21 honours.A=9 ten=A two=B\n", "A B", "B hand 2",
            "xeri.R1",
        ),
        ("xeri", "B hand 1\n@ tally xeri.A=0 xeri.B=2 cards.A=21 honours.A=9 ten=A two=B\n", "A B", "A hand 2", ""),
        ("xeri", "B hand 1\n@ tally xeri.A=0 xeri.B=2 cards.A=21 honours.A=9 ten=A two=B\n", "A B", "hand", ""),
        (
            "seven-and-a-half", "D hand 1\n@ tally stake.A=2 class.A=natural bank=6\n", "A B C D", "D hand 2",
            "the bank belongs to A",
        ),
    ],
)
def test_a_hand_that_somebody_else_should_deal_is_asked_about(
    game: str, lines: str, seats: str, line: str, says: str,
) -> None:
    """If this failed, the wrong banker would be found only when the hand was over."""
    doubts = Session(log(game, lines, Seats=seats)).complete(line).doubts
    assert (says in "".join(doubts)) if says else not doubts


def test_two_cards_where_one_is_played_are_two_plays() -> None:
    """If this failed, a card that breaks a rule would be read with the next one as a single play of both."""
    lines = "A hand 1\n@ deal up board=5s2c5hAh\n@ deal B=4c3d9cKd A=5c3sJdQc\nB play 4c\n"
    session = Session(log("stealing-bundles", lines, Seats="A B"))
    draft = session.complete("3s 9c")
    assert [write_event(r.event) for r in draft.events] == ["A play 3s", "B play 9c"]
    assert [doubt.partition(" - ")[0] for doubt in draft.doubts] == ["A 3♠", "B 9♣"]
    assert all("R5 no trailing" in doubt for doubt in draft.doubts)


def test_a_hand_left_without_a_result_is_said_and_its_later_result_finds_it() -> None:
    """If this failed, the result of a hand that was broken off would become that of the next one, or the hand would
    be forgotten."""
    table = Table(Dealer="W").type(*AUCTION[:-1])
    answer = table.type("hand").answers[-1]
    assert "hand 1 has no result; give it now with `r`" in answer, answer
    with pytest.raises(SeveralMeaningsError) as caught:
        table.session.complete("r e 7 h 7 ew ew")
    (before, now) = caught.value.drafts
    table.store(before)
    assert [score.points for score in table.session.state.scores] == [{"NS": 1, "EW": 9}]
    assert table.session.state.number == 2
    assert [type(r.event) for r in now.events] == [Tally]
    # From here on a result is that of the hand in play.
    assert table.session.complete("r e 7 h 7 ew ew").events
