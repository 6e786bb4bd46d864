"""An act that the table lets a player take back: the record goes on as if it had not been made, and it is judged as
it was made."""

from __future__ import annotations

import pytest
from given import Given, given

from events.errors import NotationError, UsageError
from events.model import Back, Fix, Recorded
from events.writing import write_event
from replay.fold import corrected, fold
from replay.log import NumberedEvent
from replay.redact import hide
from replay.table.session import Session
from replay.viewer.following import Follower

KAISER = """
    W hand 1
    @ deal N=AcKdKc5hAh9hThJh E=8cTc9d8d8hQhQc3s S=9c7dQdJdAd8s9sTs W=7cTdKhJcAsKsQsJs
    N bid 7
    E pass
    S pass
    W pass
    N name h
    N play Ac
"""
HIDDEN = KAISER.replace(
    "N=AcKdKc5hAh9hThJh E=8cTc9d8d8hQhQc3s S=9c7dQdJdAd8s9sTs W=7cTdKhJcAsKsQsJs", "N=8x?? E=8x?? S=8x?? W=8x??",
)


def kaiser(*lines: str) -> Given:
    """The first trick of a hand, led by North with the ace of clubs."""
    return given("kaiser", KAISER).when(*lines) if lines else given("kaiser", KAISER)


def standing(case: Given) -> tuple[list[tuple[str, str]], tuple[str, ...]]:
    """The cards of the trick in progress with who played them, and whose turn it is."""
    state = fold(case.records)
    return [(seat, state.game.pack.faces[code]) for seat, code in state.hand.trick.plays], state.turn


def broken(case: Given) -> list[tuple[str, int]]:
    """What is certainly broken in the whole record."""
    return [(f.rule, f.at.pos) for f in case.judgement.broken]


@pytest.mark.parametrize("back", ["E back", "E back 9d", "E back #9", "E move 9d <trick >E", "@ move 9d <trick >E"])
def test_the_same_seat_plays_again_and_the_first_card_is_judged(back: str) -> None:
    case = kaiser("E play 9d", back)
    assert standing(case) == ([("N", "Ac")], ("E",))
    case = case.when("E play 8c", "S play 9c", "W play 7c").finds("R11", at=9, words="put right at 10")
    assert broken(case) == [("kaiser.R11", 9)]
    assert [trick.winner for trick in fold(case.records).hand.trick.won] == ["N"]


def test_a_card_that_was_right_is_taken_back_without_a_finding() -> None:
    kaiser("E play Tc", "E back", "E play 8c", "S play 9c", "W play 7c").clean()


def test_what_others_played_meanwhile_stands_behind_the_second_card() -> None:
    case = kaiser("E play 9d", "S play 9c", "E back")
    assert standing(case) == ([("N", "Ac")], ("E",))
    case = case.when("E play 8c")
    assert standing(case) == ([("N", "Ac"), ("E", "8c"), ("S", "9c")], ("W",))
    assert broken(case.when("W play 7c", "N play Kc")) == [("kaiser.R11", 9)]


def test_a_lead_is_taken_back_and_a_card_that_fits_the_new_one_accuses_nobody() -> None:
    case = kaiser("E play 8c", "N back", "N play Kd")
    assert standing(case) == ([("N", "Kd"), ("E", "8c")], ("S",))
    case.when("E back", "E play 9d", "S play 7d", "W play Td", "N play Kc").clean()
    # Its card was right for the lead that it followed, so nothing is held against East for the other one.
    case.when("S play 7d", "W play Td", "N play Kc").clean()


def test_a_trick_that_the_card_filled_is_gathered_anew() -> None:
    full = kaiser("E play 8c", "S play 9c", "W play Kh", "@ move * <trick >won:EW", "W back")
    assert standing(full) == ([("N", "Ac"), ("E", "8c"), ("S", "9c")], ("W",))
    # The first gathering has gone with the card, so that the trick is not that of East and West.
    piles = fold(full.when("W play 7c", "N play Kc").records).table.piles
    assert len(piles["won:NS"]) == 4
    full = full.when("W play 7c", "@ move * <trick >won:NS", "N play Kc")
    assert broken(full) == [("kaiser.R11", 11)]
    assert [len(trick.plays) for trick in fold(full.records).hand.trick.won] == [4]


def test_a_bid_is_taken_back() -> None:
    case = given("kaiser", "W hand 1\nN bid 7").when("N back", "N bid 8", "E bid 7").finds("R5")
    assert fold(case.records).hand.auction.high is not None
    given("kaiser", "W hand 1\nN bid 7").when("N back", "N pass", "E bid 7").clean()


def test_two_acts_are_taken_back_one_after_the_other() -> None:
    case = kaiser("E play 9d", "E back", "N back")
    assert standing(case) == ([], ("N",))
    assert broken(case.when("N play Kd", "E play 9d", "S play 7d")) == [("kaiser.R11", 9)]


def test_a_card_that_was_seen_so_is_known_to_be_in_its_hand() -> None:
    case = given("kaiser", HIDDEN).when("E play 9d", "E back")
    state = fold(case.records)
    assert state.game.pack.cards(state.holding("E").known) == ["9d"]
    # And so East did not follow diamonds later, although it held one.
    later = case.when("E play 8c", "S play 9c", "W play 7c", "N play Kd", "E play Tc")
    assert broken(later) == [("kaiser.R11", 9), ("kaiser.R11", 15)]


def test_whether_the_first_card_was_against_the_rules_may_be_open() -> None:
    case = given("kaiser", HIDDEN).when("E play 9d", "E back", "E play ??", "S play 9c")
    assert [
        (f.rule, f.at.pos, f.verdict.value) for f in case.judgement.findings
    ] == [("kaiser.R11", 9, "open"), ("kaiser.R11", 11, "open")]


def test_there_is_nothing_to_take_back() -> None:
    """If this failed, a line that says nothing would pass for one that does."""
    for lines in (["S back 9c"], ["E back 9d"], ["E play 8c", "S play 9c", "@ gap", "E back"]):
        kaiser(*lines).finds("T11", words="could be taken back")


@pytest.mark.parametrize("way", ["replace", "strike", "insert"])
def test_a_correction_of_what_was_taken_back_is_read_anew(way: str) -> None:
    log = kaiser("E play 9d", "E back", "E play 8c").records
    fix = {
        "replace": Fix(by="@", at=9, how="replace", event=log[11].event),
        "strike": Fix(by="@", at=10, how="strike"),
        "insert": Fix(by="@", at=11, how="insert", event=Back(by="E")),
    }[way]
    state = fold([*log, Recorded(n=12, event=fix)])
    lines = {"replace": ["E play 8c"], "strike": ["E play 9d", "E play 8c"], "insert": []}[way]
    assert (state.turn, state.hand.trick.plays) == (
        fold(kaiser(*lines).records).turn, fold(kaiser(*lines).records).hand.trick.plays,
    )


# -- at the table -----------------------------------------------------------------------------------------------------


def typed(*lines: str) -> tuple[Session, list[str]]:
    """A hand of Kaiser with these lines typed at the first trick, and the events that they became."""
    session, events = Session(kaiser().records), []
    for line in lines:
        for one in session.complete(line).events:
            one = Recorded(n=session.records[-1].n + 1, event=one.event)
            session.take([one])
            events.append(write_event(one.event))
    return session, events


def test_back_is_typed_for_whoever_acted_last() -> None:
    session, events = typed("9d", "back", "8c", "9c", "e back", "tc", "7c")
    assert events == ["E play 9d", "E back", "E play 8c", "S play 9c", "E back", "E play Tc", "W play 7c"]
    assert session.state.hand.trick.won[0].winner == "N"
    assert session.state.turn == fold(session.records).turn


def test_the_answer_says_what_was_taken_back() -> None:
    session, _ = typed("9d")
    answer = session.take([Recorded(n=10, event=r.event) for r in session.complete("back").events])
    assert answer.line == "10  event 9 is taken back: E 9♦ · E to play"


def test_undo_of_back_puts_the_act_there_again() -> None:
    session, _ = typed("9d", "back")
    session.take([Recorded(n=session.records[-1].n + 1, event=r.event) for r in session.undo().events])
    assert ([seat for seat, _ in session.state.hand.trick.plays], session.state.turn) == (["N", "E"], ("S",))


@pytest.mark.parametrize(
    ("line", "words"),
    [("s back 9c", "Sana has no such act"), ("back #99", "there is no such act"), ("e back qs", "Emil has no such act")]
)
def test_back_without_such_an_act_is_refused(line: str, words: str) -> None:
    lines = kaiser("E play 9d").records
    opening = lines[0].event
    named = [Recorded(n=0, event=type(opening)(by="@", facts={**opening.facts, "E": "Emil", "S": "Sana"})), *lines[1:]]
    with pytest.raises(NotationError, match="in this hand that could be taken back") as caught:
        Session(named).complete(line)
    assert words in caught.value.what
    assert "undo" in caught.value.todo


def test_whoever_follows_is_told_anew_until_the_place_is_filled() -> None:
    """If this failed, a spectator would go on seeing the first card, or the second one in another place."""
    whole = kaiser("E play 9d", "S play 9c", "E back", "E play 8c", "W play 7c").records
    for n in (11, 12):
        with pytest.raises(UsageError, match="may change what was shown"):
            Follower(whole[:n], "public").add(whole[n])
    follower = Follower(whole[:13], "public")
    follower.add(whole[13])
    assert follower.state.hand.trick.won[0].plays == fold(whole).hand.trick.won[0].plays


def test_what_is_hidden_stays_hidden() -> None:
    log = kaiser("E play 9d", "E back", "E play 8c").records
    assert [
        type(p.event) for p in corrected(hide(log, "public")).events[-2:]
    ] == [type(p.event) for p in corrected(log).events[-2:]]
    assert all(isinstance(p, NumberedEvent) for p in corrected(log).events)
