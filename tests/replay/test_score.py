"""The score as data: computed figures, claimed figures beside them, and the place where the two part."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from given import log
from msgspec.structs import replace
from results import FIRST, SECOND, THIRD, UNKNOWN, hands
from sampling import sampled
from tables import a_hand_or_two

from events.model import Claim, Facts, Hand, Play, Recorded
from reducers.opening import opening
from reducers.registry import find_game, games_with_cards
from reducers.scoring import Points, add_points
from replay.auditing.check import check
from replay.comparing.corrections import corrections
from replay.fold import fold
from replay.paper.sheet import sheet_of, without_one_winner
from replay.redact import hide
from replay.scoring.claims import claim_differences
from replay.scoring.score_shapes import MatchScore
from replay.scoring.three_ways import score_match
from replay.season.facts import match_facts
from replay.simulate import simulate
from replay.table.event_sentences import how_it_ended
from replay.table.narration import tell
from replay.viewer.document import document
from replay.viewer.text_page import match_result


def says(score: MatchScore) -> list[tuple[int, str, str]]:
    """Hand, whose figure, and what came of it, for every claim."""
    return [(c.hand, c.who, c.says) for c in score.claims]


def test_a_match_is_scored_hand_by_hand_with_its_arithmetic() -> None:
    score = score_match(hands(FIRST, SECOND, THIRD))
    assert [h.points for h in score.hands] == [{"NS": 10, "EW": 0}, {"NS": 3, "EW": 7}, {"NS": -9, "EW": 1}]
    assert [h.totals for h in score.hands] == [{"NS": 10, "EW": 0}, {"NS": 13, "EW": 7}, {"NS": 4, "EW": 8}]
    assert score.totals == {"NS": 4, "EW": 8}
    assert (score.winner, score.over, score.slip) == ("", False, None)
    first = score.hands[0]
    assert (first.contract, first.result, first.source, first.done) == ("Ann & Carl 7 ♥", "made", "tally", True)
    assert first.components[0].sums["NS"] == "5 tricks + 5 (5♥) = 10"


def test_the_score_is_plain_json() -> None:
    score = score_match(hands(FIRST + "; @ claim NS=11 EW=0; NS confirm", SECOND))
    data = msgspec.to_builtins(score)
    assert msgspec.json.decode(msgspec.json.encode(data)) == msgspec.json.decode(msgspec.json.encode(score))
    assert data["hands"][0]["claims"][0]["computed"] == 10
    assert data["slip"]["hand"] == 1
    assert msgspec.convert(data, MatchScore) == score


def test_a_finished_match_names_its_winner() -> None:
    score = score_match(simulate("kaiser", seed=1))
    assert score.over
    assert score.winner == max(score.totals, key=lambda who: score.totals[who] or 0)
    assert score.hands[-1].totals == score.totals


PAY_ME = "@ hand 1\n@ tally out=A deadwood.B=20 deadwood.C={}\n"


@pytest.mark.parametrize(
    ("game", "lines", "winner", "together", "told"),
    [
        (
            "kaiser", "declarer=NS level=7 trump=h tricks.NS=5 tricks.EW=3 five=NS three=EW; two-hands", "NS", (),
            "NS won 10 : 0, ended by agreement (two-hands)",
        ),
        (
            "kaiser", "declarer=NS level=7 trump=h tricks.NS=5 tricks.EW=3 five=NS three=EW; void", "", (),
            "no winner, ended by agreement (void)",
        ),
        (
            "kaiser", "declarer=NS level=7 trump=h tricks.NS=5 tricks.EW=3 five=NS three=EW;", "", (),
            "no winner, ended by agreement",
        ),
        ("pad", "points.A=7 points.B=7; late", "", ("A", "B"), "a tie between A and B, ended by agreement (late)"),
        ("pad", "points.A=7 points.B=9; late", "A", (), "A won 7 : 9, ended by agreement (late)"),
    ],
    ids=["by the total", "void", "no reason", "a tie", "fewest lead"],
)
def test_a_match_that_the_table_ends_is_won_by_the_better_total(
    game: str, lines: str, winner: str, together: tuple[str, ...], told: str,
) -> None:
    facts, _, why = lines.partition(";")
    records = log(
        game, f"@ hand 1\n@ tally {facts}\n@ end match {why}", option={"wins": "low"} if game == "pad" else {},
    )
    score = score_match(records)
    assert (score.winner, score.together, score.ended) == (winner, together, "agreed")
    assert dict(sheet_of(records).facts)["Result"].startswith(told)


@pytest.mark.parametrize(
    ("figure", "together", "won"), [(20, ("A",), None), (0, ("A", "C"), {"A": True, "B": False, "C": True})],
)
def test_several_with_the_best_total_have_won_together(
    figure: int, together: tuple[str, ...], won: dict[str, bool] | None,
) -> None:
    """If this failed, two winners and a loser would all be said to have drawn."""
    records = log("pay-me", PAY_ME.format(figure), Seats="A B C", option={"hands": 1})
    score = score_match(records)
    assert (score.together or (score.winner,)) == together
    found = {side.side: side.won for side in match_facts("m", records).sides}
    assert found == (won or {"A": True, "B": False, "C": False})


def test_who_has_won_may_hang_on_a_total_that_is_not_known() -> None:
    score = score_match(log("pay-me", "@ hand 1\n@ tally out=A", Seats="A B C", option={"hands": 1}))
    assert (score.winner, score.together, score.over) in (("", (), True), ("A", (), True))
    assert without_one_winner(score, {}) == ("who won hangs on the total of B and C" if not score.winner else "")


def test_a_hand_in_play_is_there_and_not_done() -> None:
    score = score_match(hands(FIRST, "E bid 7; S pass"))
    assert [h.done for h in score.hands] == [True, False]
    assert score.hands[-1].unknown
    assert score.totals == {"NS": 10, "EW": 0}


def test_a_hand_that_is_told_in_the_middle_of_its_cards_counts() -> None:
    """If this failed, a sheet would say of a hand in its totals that it is not counted."""
    score = score_match(hands("N bid 7; E pass; " + FIRST))
    assert [h.done for h in score.hands] == [True]
    assert score.totals == score.hands[0].totals == {"NS": 10, "EW": 0}


def test_a_hand_left_without_its_end_makes_the_totals_unknown() -> None:
    """A hand of which only the beginning was written is not worth nothing."""
    score = score_match(hands("N bid 7; E pass", SECOND))
    assert score.hands[0].points == {"NS": None, "EW": None}
    assert score.hands[0].unknown == ("the hand was not recorded to its end",)
    assert score.hands[1].points["EW"] == 7
    assert score.totals == {"NS": None, "EW": None}


# -- claims -----------------------------------------------------------------------------------------------------------


def test_claims_that_are_right_agree() -> None:
    score = score_match(hands(FIRST + "; @ claim NS=10 EW=0", SECOND + "; @ claim hand.NS=3 hand.EW=7; NS claim 13"))
    assert {c.says for c in score.claims} == {"agrees"}
    assert claim_differences(score) == []
    assert score.slip is None


def test_a_claim_between_two_hands_belongs_to_the_one_before() -> None:
    score = score_match(hands(FIRST + "; @ claim NS=10", SECOND))
    assert [(c.hand, c.says) for c in score.claims] == [(1, "agrees")]
    assert score.hands[0].claims == score.claims


def test_a_slip_is_named_once_with_both_sums_and_carried_on() -> None:
    score = score_match(hands(
        FIRST + "; @ claim NS=10 EW=0", SECOND + "; @ claim NS=13 EW=8", THIRD + "; @ claim NS=4 EW=9",
        FIRST + "; @ claim NS=14 EW=9", SECOND + "; @ claim NS=17 EW=16",
    ))  # fmt: skip
    assert score.slip is not None
    assert (score.slip.hand, score.slip.at, score.slip.carried) == (2, 6, (3, 4, 5))
    (part,) = score.slip.parts
    assert (part.who, part.claimed, part.computed, part.difference) == ("EW", 8, 7, 1)
    assert (part.table_sum, part.sum) == ("0 + 8 = 8", "0 + 7 = 7")
    assert "0 + 8 = 8" in score.slip.text
    assert "0 + 7 = 7" in score.slip.text
    assert score.slip.text.endswith("Hands 3 to 5 carry it on.")
    assert [c.at for c in claim_differences(score)] == [6]
    assert [c.hand for c in claim_differences(score, carried=True)] == [2, 3, 4, 5]
    assert {c.since for c in score.claims if c.says == "carried on"} == {2}
    assert {c.says for c in score.claims if c.who == "NS"} == {"agrees"}


def test_a_second_slip_is_told_from_the_first_that_goes_on() -> None:
    score = score_match(hands(FIRST + "; @ claim NS=12", SECOND + "; @ claim NS=15", THIRD + "; @ claim NS=7"))
    assert says(score) == [(1, "NS", "differs"), (2, "NS", "carried on"), (3, "NS", "differs")]
    assert [s.hand for s in score.slips] == [1, 3]
    assert score.slip == score.slips[0]


def test_a_slip_put_right_later_is_over() -> None:
    score = score_match(hands(FIRST + "; @ claim NS=12", SECOND + "; @ claim NS=13", THIRD + "; @ claim NS=6"))
    assert says(score) == [(1, "NS", "differs"), (2, "NS", "agrees"), (3, "NS", "differs")]
    assert "corrects hand 1" in score.claims[1].text


def test_a_wrong_hand_that_is_added_rightly_is_one_slip() -> None:
    """The points of the hand are wrong; the total that follows from them is not a second mistake."""
    score = score_match(hands(FIRST, SECOND + "; @ claim NS=14; @ claim hand.NS=4", THIRD + "; @ claim NS=5"))
    assert says(score) == [(2, "NS", "carried on"), (2, "NS", "differs"), (3, "NS", "carried on")]
    assert len(score.slips) == 1
    assert claim_differences(score)[0].sum == "3 tricks = 3; +3"


def test_a_claim_corrected_at_once_is_replaced() -> None:
    score = score_match(hands(FIRST + "; @ claim NS=12; @ claim NS=10"))
    assert [c.says for c in score.claims] == ["replaced", "agrees"]
    assert score.slip is None
    # Somebody else's claim does not take the first one back.
    score = score_match(hands(FIRST + "; N claim NS=12; E claim NS=10"))
    assert [c.says for c in score.claims] == ["differs", "agrees"]


def test_an_unknown_figure_contradicts_nobody() -> None:
    score = score_match(hands(UNKNOWN + "; @ claim NS=10 EW=0"))
    assert [(c.says, c.computed, c.difference) for c in score.claims] == [("unknown", None, None)] * 2
    assert score.slip is None


def test_the_tables_own_total_carries_over_what_is_unknown() -> None:
    """After a hand nobody can score, the table's addition can still be checked from its own total."""
    right = score_match(hands(UNKNOWN + "; @ claim NS=10", THIRD + "; @ claim NS=1"))
    assert says(right) == [(1, "NS", "unknown"), (2, "NS", "agrees")]
    wrong = score_match(hands(UNKNOWN + "; @ claim NS=10", THIRD + "; @ claim NS=2"))
    assert says(wrong) == [(1, "NS", "unknown"), (2, "NS", "differs")]
    assert wrong.slip is not None
    assert "10 − 9 = 1, from the table's own 10 after hand 1" in wrong.slip.text
    # Whoever has the five, the brake is not on, so what the defenders gain is known.
    assert [
        c.says for c in score_match(hands(UNKNOWN + "; @ claim NS=10", SECOND + "; @ claim NS=13")).claims
    ] == ["unknown", "agrees"]
    # With a brake at seven nobody can tell whether it is on, so neither what the defenders gain; but with the ten that
    # would make thirteen it is.
    for total, came in ((10, "unknown"), (-2, "unknown"), (13, "differs")):
        lines = f"@ hand 1\n{UNKNOWN}\n@ claim NS=10\n@ hand 2\n{SECOND}\n@ claim NS={total}"
        braked = score_match(log("kaiser", lines, option={"brake": 7}))
        assert [c.says for c in braked.claims] == ["unknown", came]
        assert braked.hands[1].possible == {"NS": [0, 3]}


@pytest.mark.parametrize("claim", ["@ claim winner=NS", "@ claim NS=many", "@ claim 17", "@ claim Q=3"])
def test_a_claim_that_means_nothing_is_kept_and_not_compared(claim: str) -> None:
    score = score_match(hands(f"{FIRST}; {claim}"))
    assert [c.says for c in score.claims] == ["not understood"]
    assert claim_differences(score) == []


def test_a_partner_speaks_for_the_side() -> None:
    score = score_match(hands(FIRST + "; S claim 11"))
    assert [(c.by, c.who, c.claimed, c.says) for c in score.claims] == [("S", "NS", 11, "differs")]


def test_a_claim_in_a_hand_that_is_still_in_play_waits() -> None:
    score = score_match(hands(FIRST, "E bid 7; @ claim NS=17 EW=9"))
    assert {c.says for c in score.claims} == {"unknown"}


def test_a_claim_before_the_first_hand_is_held_against_the_beginning() -> None:
    score = score_match(log("kaiser", "@ claim NS=5 EW=0"))
    assert says(score) == [(0, "NS", "differs"), (0, "EW", "agrees")]


def test_who_confirmed_what() -> None:
    score = score_match(hands(FIRST + "; @ claim NS=10 EW=0; NS confirm; EW confirm #3", SECOND + "; W confirm #5"))
    assert {c.confirmed for c in score.claims} == {("NS", "EW")}
    assert [(a.by, a.hand, a.refs) for a in score.agreed] == [("NS", 1, (3,)), ("EW", 1, (3,)), ("W", 2, (5,))]


def test_a_corrected_line_is_scored_as_corrected() -> None:
    score = score_match(hands(FIRST + "; @ claim NS=10; @ fix #2 " + SECOND))
    assert score.totals == {"NS": 3, "EW": 7}
    assert says(score) == [(1, "NS", "differs")]


@pytest.mark.parametrize("game", ["kaiser", "scopa"])
@pytest.mark.parametrize("seed", range(5))
def test_true_claims_agree_and_one_wrong_one_is_found_where_it_was_made(game: str, seed: int) -> None:
    """For matches played by chance: claims read off the sheet agree; one figure changed in one hand is found there."""
    played = simulate(game, seed=seed, hands=6)
    score = score_match(played)
    done = [h for h in score.hands if h.done and h.source != "nothing"]
    claimed = [replace(r, n=0) for r in played]
    # A claim goes behind each hand: before the next `hand`, or at the end.
    told: list[Recorded] = []
    number = 0
    for r in [*claimed, None]:
        if r is None or r.event.__struct_config__.tag == "hand":
            told += [Recorded(n=0, event=Claim(by="@", facts=dict(h.totals))) for h in done if h.number == number]
            number += 1
        if r is not None:
            told.append(r)
    records = [replace(r, n=i) for i, r in enumerate(told)]
    # Positions moved, which a log without references does not mind.
    agreed = score_match(records)
    assert {c.says for c in agreed.claims} == {"agrees"}
    wrong = done[len(done) // 2]
    who = next(iter(wrong.totals))
    changed = []
    number = 0
    for r in records:
        if r.event.__struct_config__.tag == "hand":
            number += 1
        if isinstance(r.event, Claim) and number >= wrong.number:
            r = replace(r, event=Claim(by="@", facts={**r.event.facts, who: r.event.facts[who] + 2}))
        changed.append(r)
    found = score_match(changed)
    assert [(c.hand, c.who, c.difference) for c in claim_differences(found)] == [(wrong.number, who, 2)]
    assert found.slip is not None
    assert found.slip.carried == tuple(h.number for h in done if h.number > wrong.number)


# -- claims where unseen cards leave a range ---------------------------------------------------------------------------

def test_a_claim_that_no_unseen_card_can_make_true_differs() -> None:
    score = score_match(hands(UNKNOWN + "; @ claim NS=12 EW=3; @ claim hand.NS=9"))
    by_hand = [c for c in score.claims if c.kind == "hand"]
    assert [(c.says, c.computed, c.difference, c.possible) for c in by_hand] == [("differs", None, None, (-5, 10))]
    assert by_hand[0].text == "the table gives NS +9 for hand 1; possible −5 or 10"
    ew = next(c for c in score.claims if c.who == "EW")
    assert (ew.says, ew.possible) == ("differs", (0, 5))
    assert ew.text == "after hand 1 the table has EW at 3 (0 + 3 = 3); possible 0 or 5"
    ns = score_match(hands(UNKNOWN + "; @ claim NS=12")).claims[0]
    assert ns.text == "after hand 1 the table has NS at 12 (0 + 12 = 12); possible −5..10"


def test_a_claim_among_the_possible_figures_contradicts_nobody() -> None:
    score = score_match(hands(UNKNOWN + "; @ claim NS=-5 EW=5; @ claim hand.NS=-5"))
    assert {c.says for c in score.claims} == {"unknown"}
    assert claim_differences(score) == []
    assert score.claims[0].text == "after hand 1 the table has NS at −5, which is possible (−5..10)"


def test_a_total_outside_the_range_is_named_once_and_carried_on() -> None:
    score = score_match(hands(
        UNKNOWN + "; @ claim EW=3", SECOND + "; @ claim EW=10", SECOND + "; @ claim EW=17", SECOND + "; @ claim EW=25",
    ))  # fmt: skip
    assert says(score) == [(1, "EW", "differs"), (2, "EW", "carried on"), (3, "EW", "carried on"), (4, "EW", "differs")]
    assert score.slip is not None
    assert (score.slip.hand, score.slip.carried) == (1, (2, 3))


def test_points_outside_the_range_that_are_added_rightly_are_one_slip() -> None:
    score = score_match(hands(FIRST, UNKNOWN + "; @ claim hand.EW=3; @ claim EW=3", SECOND + "; @ claim EW=10"))
    assert says(score) == [(2, "EW", "differs"), (2, "EW", "carried on"), (3, "EW", "carried on")]


def test_a_known_slip_carried_into_a_range_is_no_second_one() -> None:
    """One too many in hand 1; in hand 2, which nobody can score, the table goes on from there."""
    score = score_match(hands(FIRST + "; @ claim EW=1", UNKNOWN + "; @ claim EW=6", UNKNOWN + "; @ claim EW=5"))
    assert says(score) == [(1, "EW", "differs"), (2, "EW", "carried on"), (3, "EW", "unknown")]


def unseen_last_trick(claim: str, *, first: str = "Ah", last: str = "Ad") -> list[Recorded]:
    """A hand of Kaiser in which North's and East's last cards were not seen: the five of hearts and a club."""
    order = f"{first} 9c 7d 8s|Kh Tc 8d 9s|Qh Jc 9d Ts|Jh Qc Td Js|Th Kc Jd Qs|9h Ac Qd Ks|8h 7c Kd As|?? ?? {last} 3s"
    tricks = "\n".join(
        f"{seat} play {card}" for trick in order.split("|") for seat, card in zip("NESW", trick.split(), strict=True)
    )
    start = "W hand 1\n@ deal N=8x?? E=8x?? S=8x?? W=8x??\nN bid 7\nE pass\nS pass\nW pass\nN name h\n"
    return log("kaiser", start + tricks + "\n" + claim)


def test_unseen_cards_leave_a_range_and_a_claim_outside_it_is_a_finding() -> None:
    findings = check(unseen_last_trick("@ claim NS=12 EW=0")).broken
    assert [(f.rule, f.at.pos) for f in findings] == [("table.T9", 40)]
    assert findings[0].text.endswith("possible 7..10")
    assert check(unseen_last_trick("@ claim NS=7 EW=3")).broken == []


def test_where_the_record_contradicts_itself_no_range_is_held_against_the_table() -> None:
    """The ace of hearts stands twice in it: whichever card was written wrong, the range may be too."""
    score = score_match(unseen_last_trick("@ claim NS=12", last="Ah"))
    assert says(score) == [(1, "NS", "unknown")]
    assert "the record of the hand contradicts itself" in score.hands[0].unknown


@pytest.mark.parametrize("seed", range(20))
def test_the_true_score_claimed_never_differs_however_many_cards_were_unseen(seed: int) -> None:
    records = simulate("kaiser", seed=seed, hands=2)
    truth = score_match(records)
    chance = Random(seed)
    plays = [r.n for r in records if isinstance(r.event, Play)]
    gone = set(chance.sample(plays, min(chance.choice([1, 2, 4]), len(plays))))
    out = [replace(r, event=replace(r.event, cards=("??",))) if r.n in gone else r for r in hide(records)]
    out.append(Recorded(n=len(out), event=Claim(by="@", facts=dict(truth.totals))))
    assert claim_differences(score_match(out)) == []


GAMES = games_with_cards()


# -- claims at any moment, in every game -------------------------------------------------------------------------------


def with_claim(records: list[Recorded], after: int, facts: Facts) -> list[Recorded]:
    """The record with a claim behind the event at this position."""
    lines = [*records[: after + 1], Recorded(n=0, event=Claim(by="@", facts=facts)), *records[after + 1 :]]
    return [replace(r, n=n) for n, r in enumerate(lines)]


def true_at(records: list[Recorded], after: int, ended: MatchScore) -> tuple[list[Points], list[Points]]:
    """Every total, and every figure of a hand, that is right behind the event at this position: of that moment, and
    of the end of the hand that it is said of."""
    state = fold(records, until=after)
    begun = state.settled or state.acts
    number = state.number if begun else max(0, state.number - 1)
    now = (
        state.score.points if state.score is not None else state.game.score(state).points if begun and state.number
        else {}
    )
    totals: list[Points] = [state.before.totals, state.standing.totals, add_points(state.before.totals, now)]
    points: list[Points] = [now] if begun else []
    for hand in ended.hands:
        if hand.number == number and hand.done:
            totals.append(hand.totals)
            points += [hand.points, *(c.amounts for c in hand.components if c.label == state.game.match.hand_points)]
    if state.settled:
        totals = totals[1:]
    return totals, points


@sampled("game, seed", GAMES, range(20), each=1, short=2)
def test_a_claim_that_is_true_at_its_moment_or_for_its_hand_is_right_and_no_other_is(game: str, seed: int) -> None:
    """If this failed, a table that says how it stands in the middle of a hand, or before the next is dealt, would be
    contradicted."""
    records = list(a_hand_or_two(game, seed))
    ended, chance = score_match(records), Random(f"{game}/{seed}")
    first = [r.n for r in records if type(r.event) is Hand]
    moments = {
        *first, len(records) - 1, *chance.sample(range(1, len(records)), 2),
        *(min(n + k, len(records) - 1) for n in first[1:] for k in (-1, 1, 2, 3, 4)),
    }
    for after in sorted(moments):
        totals, points = true_at(records, after, ended)
        for facts in [*totals, *({"hand": some} for some in points)]:
            assert claim_differences(score_match(with_claim(records, after, dict(facts)))) == [], (after, facts)
        who = chance.choice(list(ended.totals))
        wrong = next(n for n in range(1, 1000) if all(n != some.get(who) for some in totals + points))
        for false, right in (({who: wrong}, totals), ({"hand": {who: wrong}}, points)):
            found = claim_differences(score_match(with_claim(records, after, false)))
            # A hand that is not over in the record can still come to anything.
            known = fold(records, until=after).number in {h.number for h in ended.hands if h.done} and len(right) > 0
            assert bool(found) == known, (after, false)


def test_everything_that_says_how_a_match_ended_says_who_won_together() -> None:
    """If this failed, two winners would be "without a winner" in the replay, at the prompt or on the board."""
    names = {"A": "Ann", "B": "Ben", "C": "Cy"}
    records = log("pad", "@ hand 1\n@ tally points.A=5 points.B=7 points.C=7\n@ end match time", Seats="A B C", **names)
    state = fold(records)
    assert state.standing.winners == ("B", "C")
    assert how_it_ended(state) == "Ben and Cy won the match together"
    assert "Ben and Cy won the match together" in list(tell(records))
    assert match_result(document(records)).endswith("Ben and Cy won the match together")
    tie = fold(log("pad", "@ hand 1\n@ tally points.A=7 points.B=7\n@ end match time", Seats="A B", A="Ann", B="Ben"))
    assert how_it_ended(tie) == "the match is a tie between Ann and Ben"


def test_a_match_that_was_begun_under_other_rules_says_so() -> None:
    """The opening keeps the version of the rules: if the game's page has another by now, check and sheet name both,
    and accuse nobody of it."""
    assert opening("kaiser")["Rules"] == str(find_game("kaiser").version)
    for version, told in ((find_game("kaiser").version, False), (0, True)):
        records = log("kaiser", "@ hand 1\n@ tally points.NS=7 points.EW=3", Rules=str(version))
        text = (
            f"the match was begun under version 0 of the rules, and is judged by version {find_game('kaiser').version}"
        )
        found = check(records).findings
        assert [(f.rule, f.verdict.value, f.text) for f in found] == (
            [("table.T15", "open", f"judged under older rules: {text}")] if told else []
        )
        assert (f"Judged under older rules: {text}." in sheet_of(records).remarks) == told
        again = log("kaiser", "@ hand 1\n@ tally points.NS=7 points.EW=3")
        assert not corrections(records, again)
        assert not corrections(again, records)


TURNED_LATER = "W hand 1\n@ tally points.EW=51 bonus=0\nN hand 2\n@ deal up N=Kc\n"
DEALT = [
    ("malilla", "W hand 1\n@ deal up W=Kd\n@ claim EW=3 NS=0\nN play 7s", "N E S W"),
    ("malilla", f"{TURNED_LATER}@ claim EW=16 NS=3\n@ claim EW=16 NS=0", "N E S W"),
    ("malilla", f"{TURNED_LATER}@ claim hand.EW=16 hand.NS=0", "N E S W"),
    ("ecarte", "B hand 1\n@ deal up upcard=Kc\n@ claim A=0 B=1\nA play 7h", "A B"),
    ("pontoon", "C hand 1\n@ tally bank=19 class.A=bust class.B=20 stake.A=4 stake.B=2\nC hand 2\n"
                "@ deal down A=?? B=?? C=??\n@ claim hand.A=-4 hand.B=2 hand.C=2\nA bet 1", "A B C"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "lines", "seats"), DEALT)
def test_a_claim_before_the_first_act_is_of_the_hand_before_with_what_the_deal_scored(
    game: str, lines: str, seats: str,
) -> None:
    """If this failed, a table that writes down at once what the card turned up is worth would be contradicted; or one
    that speaks of the last hand when the cards of the next lie before it."""
    assert claim_differences(score_match(log(game, lines, Seats=seats))) == []


@pytest.mark.parametrize("game", [game for game in GAMES if find_game(game).match.hand_points])
def test_what_was_counted_in_a_hand_may_be_claimed_where_the_match_counts_it_otherwise(game: str) -> None:
    """If this failed, a table would be contradicted that writes down the points of its tricks, and not what they add
    to the score."""
    told_otherwise = 0
    for seed in range(3):
        records = list(a_hand_or_two(game, seed))
        hand = score_match(records).hands[0]
        end = next((r.n for r in records if isinstance(r.event, Hand) and r.event.number == 2), len(records)) - 1
        for counted in (dict(c.amounts) for c in hand.components if c.label == find_game(game).match.hand_points):
            told_otherwise += counted != {who: hand.points[who] for who in counted}
            assert claim_differences(score_match(with_claim(records, end, {"hand": counted}))) == [], (seed, counted)
    assert told_otherwise
