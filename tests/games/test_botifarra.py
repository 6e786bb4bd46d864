"""Botifarra, rule by rule: each has the two cases of its kind."""

from __future__ import annotations

import pytest
from given import given

from events.writing import write_event
from reducers.games.botifarra import Tally, score_tally
from replay.fold import fold
from replay.judging.judge import judge
from replay.redact import hide
from replay.simulate import simulate, simulate_breaches
from replay.table.session import Session

HIDDEN = "W hand 1\n@ deal N=12x?? E=12x?? S=12x?? W=12x??\n"
# Hearts are trumps in most cases here; North leads.
OPEN = (
    "W hand 1\n@ deal N=9cKc7c5c2c9dJd8d6h3hAs4s E=AcJc4cKd6d5d9h7h2hKsQs8s "
    "S=Qc8c3cAd7d2dAhQh5hJs7s3s W=6cQd4d3dKhJh8h4h9s6s5s2s\n"
)
HEARTS = "W name h\nN pass\nS pass\n"


# R1 to R5: who chooses, who raises
@pytest.mark.parametrize(
    ("acts", "rule"),
    [
        (["N name h"], "R1"),
        (["W name 7"], "R1"),
        (["W pass", "N name h"], "R2"),
        (["W pass", "E pass"], "R2"),
        (["W name h", "N call redouble"], "R3"),
        (["W name h", "E call double"], "R3"),
        (["W name h", "N call double", "S call redouble"], "R3"),
        (["W name nt", "N call double", "E call redouble", "N call reredouble"], "R4"),
        (["W name h", "N name c"], "R1"),
        (["W name h", "N play 9c", "E play 4c", "S call double"], "R5"),
        (["W name h", "S call double", "S call double"], "R3"),
        # Who was passed over and speaks after all shows that it had not passed without a line.
        (["W name h", "S pass", "N call double"], "R5"),
        (["W name h", "N call double", "W pass", "E call redouble"], "R5"),
    ],
    ids=lambda v: v if isinstance(v, str) else ", ".join(v),
)
def test_R1_R2_R3_R4_R5_broken(acts: list[str], rule: str) -> None:
    given("botifarra", HIDDEN).when(*acts).finds(rule)


@pytest.mark.parametrize(
    ("acts", "multiplier"),
    [
        (["W name h"], 1),
        (["W pass", "E name nt"], 2),
        (["W name h", "N call double"], 2),
        (["W name h", "N pass", "S call double", "W call redouble", "N call reredouble"], 8),
        (["W name nt", "N call double", "E call redouble"], 8),
        (["W name h", "N play 9c"], 1),
    ],
    ids=lambda v: str(v) if isinstance(v, int) else ", ".join(v),
)
def test_R1_R2_R3_R4_R5_kept(acts: list[str], multiplier: int) -> None:
    state = given("botifarra", HIDDEN).when(*acts).clean().judgement.state
    assert state.hand.multiplier == multiplier


def test_R3_wrongly_denied() -> None:
    """The table minded a double: wrongly where it was in order, rightly where it was not."""
    doubled = given("botifarra", HIDDEN + "W name h\nN call double\n")
    doubled.when("@ fault double N").finds("R3", words="N may double")
    doubled.when("@ fault double S").allows()
    doubled.when("@ fault redouble N").allows()
    doubled.when("E call redouble", "@ fault redouble").finds("R3", words="E may redouble")
    for out_of_order in ("E call double", "S call double", "N call redouble"):
        given("botifarra", HIDDEN + "W name h\n").when(out_of_order, f"@ fault {out_of_order.split()[-1]}").allows()
    assert given("botifarra", "").when("@ fault double N").about() == []
    given("botifarra", HIDDEN).when("N call double", "@ fault double N").allows()


def test_R4_a_ninefold_hand_is_not_to_be_had() -> None:
    acts = ["W name h", "N call double", "E pass", "W call redouble", "N call reredouble"]
    assert given("botifarra", HIDDEN).when(*acts).clean().judgement.state.phase == "play"
    given("botifarra", HIDDEN).when("W name nt", "N call double", "E call redouble", "S call reredouble").finds("R4")


def test_R1_a_word_out_of_turn_takes_no_choice_from_the_dealer() -> None:
    """If this failed, the dealer would be accused of choosing, because somebody else had passed."""
    for said in ("E pass", "N name c"):
        case = given("botifarra", HIDDEN).when(said, "W name h", "N pass").finds("R1", at=3).allows(at=4).allows(at=5)
        assert case.judgement.state.hand.strain == "h"
    case = given("botifarra", HIDDEN).when("N pass", "W name h", "N pass").opens("R1", at=3).allows(at=4).allows(at=5)
    assert case.judgement.state.hand.strain == "h"


# What goes unwritten: a pass, the choice, a raise
@pytest.mark.parametrize(
    ("acts", "strain", "multiplier", "inferred"),
    [
        (["W name h", "S pass", "N play 9c"], "h", 1, "N passed before S spoke"),
        (["W name h", "S call double", "W pass", "E pass", "N play 9c"], "h", 2, "N passed before S spoke"),
        (["W name h", "N call double", "W call redouble", "N play 9c"], "h", 4, "E passed before W spoke"),
        (["E name nt", "S pass", "N pass", "N play 9c"], "nt", 2, "W passed the choice to E"),
        (["N pass", "S pass", "N play 9c"], None, None, "trumps were named before this"),
        (["W pass", "S pass", "N play 9c"], None, None, "trumps were named before this"),
        (["N call double", "E pass", "W pass", "N play 9c"], None, None, "trumps were named before this"),
        (["N play 9c"], None, None, "trumps were named before this"),
        # A raise that nobody wrote: what answers it shows it, a pass may show it.
        (["W name h", "W call redouble", "N pass", "S pass", "N play 9c"], "h", 4, "a player said double before this"),
        (["W name h", "N call double", "S call reredouble", "N play 9c"], "h", 8, "a player said redouble before this"),
        (["W name h", "N pass", "W pass", "E pass", "N play 9c"], "h", None, "the stakes may have been raised before"),
    ],
    ids=lambda v: ", ".join(v) if isinstance(v, list) else None,
)
def test_what_went_unwritten_before_the_lead_is_inferred(
    acts: list[str], strain: str | None, multiplier: int | None, inferred: str,
) -> None:
    """A line that goes without saying would make the later ones look like breaches."""
    case = given("botifarra", HIDDEN).when(*acts).clean()
    state = case.judgement.state
    assert (state.phase, len(state.hand.trick.plays)) == ("play", 1)
    assert (state.hand.strain, state.hand.multiplier) == (strain, multiplier)
    assert any(inferred in text for _, text in state.inferred)


def test_after_trumps_that_nobody_wrote_nobody_is_held_to_a_lead_or_to_head_the_trick() -> None:
    trick = ["N play 5c", "E play 4c", "S play 3c", "W play 6c"]
    for before in (["N pass", "S pass"], ["N call double"], []):
        given("botifarra", OPEN).when(*before, *trick, "S play 7s").clean()


def test_R3_R4_R5_a_word_typed_too_late_is_refused_with_the_rule() -> None:
    def typed(lines: str, line: str) -> tuple[list[str], str]:
        draft = Session(given("botifarra", HIDDEN + lines).records).complete(line)
        return [write_event(r.event) for r in draft.events], " ".join(draft.doubts)

    assert typed("W name h\n", "double") == (["N call double"], "")
    assert "R3" in typed("W name h\n", "redouble")[1]
    assert "R5" in typed("W name h\nN play 9c\n", "double")[1]
    assert "R4" in typed("W name nt\nN call double\nE call redouble\n", "reredouble")[1]


# R6, R10: leads and turns
def test_R6_the_left_of_the_dealer_leads() -> None:
    given("botifarra", OPEN + "W pass\nE name h\nS pass\nN pass").when("N play 9c").clean()
    given("botifarra", OPEN + "W pass\nE name h\nS pass\nN pass").when("E play Ac").finds("R6")


def test_R6_names_the_side_of_the_dealer_on_which_the_leader_sits() -> None:
    for direction, leader, side in (("clockwise", "N", "left"), ("counter-clockwise", "S", "right")):
        case = given(
            "botifarra", HIDDEN, option={"direction": direction},
        ).when("W name h", f"{leader} pass", "E play Ac")
        (found,) = case.finds("R6").judgement.broken
        assert found.text == f"{leader} sits {side} of the dealer and leads"


def test_R6_contradicted_by_whoever_gathers() -> None:
    trick = OPEN + HEARTS + "N play 9c\nE play 4c\nS play 3c\nW play 6c\n"
    given("botifarra", trick).when("@ move * <trick >won:NS").clean()
    given("botifarra", trick).when("@ move * <trick >won:EW").finds("R6")


def test_R10_in_turn_and_one_card() -> None:
    given("botifarra", OPEN + HEARTS).when("N play 9c", "E play 4c").clean()
    given("botifarra", OPEN + HEARTS).when("N play 9c", "S play 3c").finds("R10")
    given("botifarra", OPEN + HEARTS).when("N play 9c", "E play 4cAc").finds("R10")


def test_R11_twelve_cards_each_in_any_packets() -> None:
    packets = "@ deal N=6x?? E=6x?? S=6x?? W=6x??"
    given("botifarra", "W hand 1").when(packets, packets, "W name h").clean()
    given("botifarra", "W hand 1").when("@ deal N=6x?? N=6x?? E=12x??", "@ deal S=12x?? W=12x??", "W name h").clean()
    given("botifarra", "W hand 1").when("@ deal N=6x?? N=7x??").finds("R11")
    given("botifarra", "W hand 1").when("@ deal stock=4x??").finds("R11")
    given("botifarra", "W hand 1").when(
        packets, "@ deal N=6x?? E=7x?? S=6x?? W=6x??",
    ).finds("R11", words="E gets 12 cards, not 13")
    given("botifarra", HIDDEN + HEARTS).when("@ end hand agreed", "@ deal N=12x?? E=12x?? S=12x?? W=12x??").clean()
    # Whoever wrote only the own hand is no witness for the others.
    given("botifarra", "W hand 1").when(
        "@ deal N=9cKc7c5c2c9dJd8d6h3hAs4s", "W name h", "N play 9c", "E play 4c",
    ).clean()


def test_R10_the_other_way_round() -> None:
    match = given("botifarra", HIDDEN, option={"direction": "counter-clockwise"})
    match.when("W name h", "S pass", "N pass", "S play 9c", "E play 4c").clean()


# R7: follow suit
def test_R7_kept_and_broken() -> None:
    given("botifarra", OPEN + HEARTS).when("N play 9d", "E play 5d").allows()
    given("botifarra", OPEN + HEARTS).when("N play 9c", "E play 2h").finds("R7")


def test_R7_known_from_the_later_card() -> None:
    lines = HIDDEN + HEARTS + "N play 9c\nE play 2s\nS play 3c\nW play 6c\nN play 2c\nE play 4c"
    given("botifarra", lines).finds("R7", at=7, known=11)


# R8: head the trick
def test_R8_kept_in_suit_and_by_a_trump() -> None:
    given("botifarra", OPEN + HEARTS).when("N play 5c", "E play Ac").allows()
    given("botifarra", OPEN + HEARTS).when(
        "N play 9c", "E play 4c", "S play 3c", "W play 6c", "N play 2c", "E play Ac", "S play Qc", "W play 4h",
    ).allows()


def test_R8_broken_below_a_card_one_could_beat() -> None:
    given("botifarra", OPEN + HEARTS).when("N play 5c", "E play 4c").finds("R8")


def test_R8_broken_where_a_trump_was_there() -> None:
    lines = ("N play 9c", "E play 4c", "S play 3c", "W play 6c", "N play 2c", "E play Ac", "S play 8c", "W play 2s")
    # East is West's partner and ahead with the ace: West need not trump.
    given("botifarra", OPEN + HEARTS).when(*lines).allows()
    other = ("N play 9c", "E play 4c", "S play 3c", "W play 6c", "N play Kc", "E play Jc", "S play Qc", "W play 2s")
    given("botifarra", OPEN + HEARTS).when(*other).finds("R8")


def test_R8_excused_while_the_partner_is_ahead_provable_later_when_not() -> None:
    """The duty to beat, missed with hidden hands: allowed with the partner ahead, else provable from the card shown."""
    ahead = HIDDEN + HEARTS + "N play Kc\nE play Jc\nS play 8c\nW play 6c\nN play 2c\nE play 4c\nS play Ac"
    assert not [f for f in given("botifarra", ahead).about(8) if f.rule.endswith("R8")]
    losing = HIDDEN + HEARTS + "N play Qc\nE play Jc\nS play 8c\nW play 6c\nN play 2c\nE play Kc"
    given("botifarra", losing).finds("R8", at=7, known=11)


# R9: the lowest worthless card
def test_R9_kept_with_the_lowest_or_a_point_card() -> None:
    given("botifarra", OPEN + HEARTS).when("N play 9c", "E play 4c", "S play 3c").allows()
    given("botifarra", OPEN + HEARTS).when("N play 9c", "E play 4c", "S play Qc").allows()


def test_R9_broken_by_a_middle_card() -> None:
    given("botifarra", OPEN + HEARTS).when(
        "N play 9c", "E play 4c", "S play 8c",
    ).finds("R9", words="lower card of clubs")


def test_R9_hidden_then_shown() -> None:
    lines = HIDDEN + HEARTS + "N play 9c\nE play 4c\nS play 8c\nW play 6c\nN play 2c\nE play Ac\nS play 3c"
    given("botifarra", lines).finds("R9", at=8, known=12)


def test_R9_the_house_rules() -> None:
    lines = OPEN + HEARTS + "N play 9c"
    given("botifarra", lines).when("E play Jc").allows()
    given("botifarra", lines, option={"losing_side_lowest_always": "yes"}).when("E play Jc").finds("R9")


def test_R9_open_where_the_card_before_may_be_missing() -> None:
    """South may have headed a card of East's that nobody wrote."""
    case = given("botifarra", OPEN + HEARTS).when("N play 2c", "S play 8c").opens("R9")
    assert [f.rule for f in case.about() if f.verdict == "broken"] == ["botifarra.R10"]


# What was not recorded
def test_after_a_gap_nobody_is_accused() -> None:
    lines = HIDDEN + HEARTS + "N play 9c\nE play 4c\n"
    case = given("botifarra", lines).when(
        "@ gap", "W play 2h", "W play Kh", "N play 3h", "E play Ad", "S play 2d", "N play 4s",
    )
    case.clean().opens("R9")
    given("botifarra", HIDDEN + HEARTS).when("@ gap", "W play 2h", "S play 3h", "N play Ac").clean()
    assert case.judgement.state.score is None


@pytest.mark.parametrize(
    "acts", [["N call redouble", "W pass"], ["N play 9c"], ["E pass", "W call double"]], ids=", ".join,
)
def test_after_a_gap_in_the_choice_anything_may_have_been_said(acts: list[str]) -> None:
    case = given("botifarra", HIDDEN).when("@ gap", *acts).clean()
    assert case.when("@ tally points.NS=50").judgement.state.scores[-1].points == {"NS": None, "EW": None}
    case.when("@ tally strain=h multiplier=4 points.NS=50").scores(NS=56, EW=0)


def test_a_gap_in_the_play_leaves_the_stakes_as_they_were() -> None:
    lines = HIDDEN + "W name h\nN call double\nE pass\nW pass\nN play 9c\n@ gap\n"
    given("botifarra", lines).when("@ tally points.NS=50").scores(NS=28, EW=0)
    # How many cards went by nobody knows, so the hand does not end by itself, and is worth nobody knows what.
    cards = "".join(f"{seat} play ??\n" for _ in range(12) for seat in "NESW")
    case = given("botifarra", lines + cards + "N hand 2\n").clean()
    assert [s.points for s in case.judgement.state.scores] == [{"NS": None, "EW": None}]


def test_after_a_gap_the_stakes_are_as_high_as_was_heard() -> None:
    """If this failed, a gap would excuse every later raise, or a raise that may answer another would be held against
    somebody."""
    lines = HIDDEN + "W name h\n@ gap\nN play 9c\n"
    case = given("botifarra", lines).when("N call double").opens("R3")
    case.when("W call double").finds("R3")
    case.when("W call redouble").opens("R3").opens("R4")
    case.when("W call redouble", "N call reredouble", "W call double").finds("R3").finds("R4")
    # It may be another hand by now, in which nobody has raised anything.
    given("botifarra", HIDDEN + HEARTS + "N play 9c\n@ gap 60").when("N call double", "W pass").clean()


def test_who_deals_after_a_gap_is_seen_from_the_choice() -> None:
    """If this failed, the choice would be held against whoever is not the dealer that was guessed."""
    lines = "@ gap\n@ deal N=12x?? E=12x?? S=12x?? W=12x??\n"
    case = given("botifarra", lines).when("E name h", "S call double", "S play 9c").clean()
    assert case.judgement.state.dealer == "E"
    given("botifarra", lines).when("E name h", "E name c").finds("R1")


def test_without_trumps_named_who_won_is_not_known() -> None:
    lines = HIDDEN + "N play 9c\nE play 2h\nS play 3c\nW play 6c\n"
    given("botifarra", lines).when("E play 4d").opens("R6")
    given("botifarra", lines + "N play 5c\n").when("E play 4c").opens("R8").opens("R9")
    given("botifarra", lines + "E play 4d\n").when("@ fix #3+ W name h").allows(at=7)
    # Who leads next is said to have won, as inferred; after a gap not even that.
    told = fold(given("botifarra", lines + "E play 4d").records).hand.trick.won[0]
    assert (told.winners, told.inferred) == (("E",), True)
    lost = fold(
        given("botifarra", HIDDEN + HEARTS + "@ gap\nN play 9c\nE play 2h\nS play 3c\nW play 6c\nE play 4d").records
    ).hand.trick.won[0]
    assert (lost.winners, lost.inferred) == (("N", "E", "S", "W"), False)


@pytest.mark.parametrize(("gap", "points"), [("", {"NS": 36, "EW": 0}), ("@ gap\n", {"NS": None, "EW": None})])
def test_tricks_gathered_count_without_trumps_but_not_after_a_gap(gap: str, points: dict[str, int | None]) -> None:
    hands = [line.partition("=")[2] for line in OPEN.split() if "=" in line]
    tricks = [
        "".join(f"{seat} play {held[i : i + 2]}\n" for seat, held in zip("NESW", hands, strict=True))
        + "@ move * <trick >won:NS\n"
        for i in range(0, 24, 2)
    ]
    lines = OPEN + tricks[0] + "@ tally strain=h multiplier=1\n" + gap + "".join(tricks[1:]) + "@ end hand agreed\n"
    assert fold(given("botifarra", lines).records).scores[0].points == points


# Scoring
@pytest.mark.parametrize(
    ("tally", "points"),
    [
        (Tally("h", 1, {"NS": 40, "EW": 32}), (4, 0)),
        (Tally("h", 4, {"NS": 30, "EW": 42}), (0, 24)),
        (Tally("nt", 8, {"NS": 72, "EW": 0}), (288, 0)),
        (Tally("h", 8, {"NS": 36, "EW": 36}), (0, 0)),
        (Tally("h", None, {"NS": 40, "EW": 32}), (None, None)),
    ],
)
def test_points(tally: Tally, points: tuple[int | None, int | None]) -> None:
    got = score_tally(tally)[0]
    assert (got["NS"], got["EW"]) == points


def test_a_result_is_enough_and_one_side_suffices() -> None:
    given("botifarra", "W hand 1").when("@ tally strain=h multiplier=2 points.NS=50").clean().scores(NS=28, EW=0)


@pytest.mark.parametrize(
    ("tallies", "rule"),
    [
        (["strain=h points.NS=50 points.EW=20"], "R12"),
        (["strain=h points.NS=50", "points.EW=20"], "R12"),
        (["strain=h points.NS=90"], "R12"),
        (["strain=h points.NS=80 points.EW=-8"], "R12"),
        (["strain=h tricks.NS=13"], "R12"),
        (["strain=h tricks.NS=0 points.NS=50"], "R12"),
        (["strain=h tricks.NS=7", "points.NS=6"], "R12"),
        (["strain=h tricks.NS=1 points.NS=22"], "R12"),
        (["strain=h multiplier=16 points.NS=50"], "R4"),
        (["strain=h multiplier=3 points.NS=50"], "R4"),
        (["strain=nt multiplier=1 points.NS=50"], "R4"),
        (["strain=x points.NS=50"], "R1"),
    ],
)
def test_R1_R4_R12_a_tally_that_cannot_be(tallies: list[str], rule: str) -> None:
    case = given("botifarra", "W hand 1").when(*(f"@ tally {t}" for t in tallies)).finds(rule)
    assert len(case.about()) == 1


def test_several_tallies_of_a_hand_add_up() -> None:
    case = given("botifarra", "W hand 1").when(
        "@ tally strain=nt multiplier=4", "@ tally points.NS=50", "@ tally tricks.NS=8", "@ tally points.EW=22",
    )
    case.clean().scores(NS=56, EW=0)
    given("botifarra", "W hand 1").when(
        "@ tally strain=h multiplier=1 points.NS=0 tricks.NS=0"
    ).clean().scores(NS=0, EW=36)
    given("botifarra", "W hand 1").when("@ tally strain=h points.NS=0 tricks.NS=0").clean().scores(NS=None, EW=None)
    given("botifarra", HIDDEN + "W name h").when("@ tally points.NS=0").clean().scores(NS=None, EW=None)
    given("botifarra", "W hand 1").when("@ tally strain=- multiplier=- points.NS=50").clean().scores(NS=None, EW=None)


@pytest.mark.parametrize(
    "facts", ["strain=c,d points.NS=50", "strain=h multiplier=two points.NS=50", "strain=h points=50"],
)
def test_a_tally_that_nobody_can_read_scores_nothing(facts: str) -> None:
    case = given("botifarra", "W hand 1").when(f"@ tally {facts}")
    assert case.about() or "points=50" in facts
    assert set(case.judgement.state.scores[-1].points.values()) <= {None, 14}


def test_the_first_side_at_the_target_has_won() -> None:
    match = given("botifarra", "W hand 1\n@ tally strain=nt multiplier=4 points.NS=62 points.EW=10")
    standing = match.totals(NS=104, EW=0).judgement.state.standing
    assert (standing.over, standing.winner) == (True, "NS")


# Whole matches
@pytest.mark.parametrize("seed", range(10))
def test_self_play_ends_and_nobody_is_accused(seed: int) -> None:
    log = simulate("botifarra", seed=seed)
    judgement = judge(log)
    assert judgement.state.ended
    assert judgement.findings == []
    hidden = judge(hide(log))
    assert hidden.broken == []
    assert [s.points for s in hidden.state.scores] == [s.points for s in judgement.state.scores]


@pytest.mark.parametrize("seed", range(10))
def test_every_breach_is_found_also_with_hidden_hands(seed: int) -> None:
    """At the end of a hand every card has been played, so the hidden log knows as much as the open one."""
    log, truth = simulate_breaches("botifarra", seed=seed, p=0.1)
    breaches = {(b.position, rule) for b in truth.breaches for rule in b.rules}
    for records in (log, hide(log)):
        assert {(f.at.pos, f.rule.split(".")[1]) for f in judge(records).broken} == breaches
    assert fold(log).table.trouble == []
