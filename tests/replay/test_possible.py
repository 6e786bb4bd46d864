"""Unknown cards and scores: what a hand may be worth, what decides, and what is certain all the same."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest
from given import log
from msgspec.structs import replace
from pages import penalty
from results import FIRST, SECOND, UNKNOWN, hands
from sampling import sampled

from cli.text_output import score_lines
from events.errors import NotFoundError
from events.model import Claim, End, Play, Recorded
from reducers.registry import PAGES, find_game
from replay.auditing.check import check
from replay.fold import corrected, fold
from replay.paper.sheet import sheet_of
from replay.redact import hide
from replay.scoring.claims import claim_differences
from replay.scoring.enumerate import hand_readings, match_outcomes
from replay.scoring.hands import hand_ends
from replay.scoring.outcomes import Alternative, figures_span
from replay.scoring.score_shapes import MatchScore, ScoredHand
from replay.scoring.three_ways import score_match, score_played
from replay.simulate import simulate, simulate_breaches

# North has the hearts, East the clubs, South the diamonds, West the spades; North plays at hearts.
BID = "N bid 7\nE pass\nS pass\nW pass\nN name h\n"
HIDDEN = "W hand 1\n@ deal N=8x?? E=8x?? S=8x?? W=8x??\n"
DEAL = (
    "W hand 1\n@ deal N=AhKhQhJhTh9h8h5h E=AcKcQcJcTc9c8c7c S=AdKdQdJdTd9d8d7d W=AsKsQsJsTs9s8s3s\n"
)


def plays(*tricks: str) -> str:
    """Tricks, each as `N Ah Ac Ad As`: the leader, then the four cards from there on."""
    out = []
    for trick in tricks:
        leader, *cards = trick.split()
        order = "NESW"["NESW".index(leader) :] + "NESW"["NESW".index(leader) - 4 : "NESW".index(leader)]
        out += [f"{seat} play {card}" for seat, card in zip((order * 2)[:4], cards, strict=True)]
    return "\n".join(out)


# No trump is led after the first tricks, so that hidden cards in the last ones decide. Trumps are hearts.
RUN = [
    "N Ah 9c 7d 8s", "N Kh Tc 8d 9s", "N Qh Jc 9d Ts", "N Jh Qc Td Js",
    "N Th Kc Jd Qs", "N 9h Ac Qd Ks",
]  # fmt: skip


def last(score: MatchScore) -> ScoredHand:
    return score.hands[-1]


def text_of(records: list[Recorded]) -> str:
    return "\n".join(score_lines(score_match(records)))


# -- the cases


def test_one_unseen_card_in_a_fully_dealt_hand_leaves_the_score_certain() -> None:
    """The eight of hearts is the only card without a place: the trick is North's, inferred, and nothing is a range."""
    seen = log("kaiser", HIDDEN + BID + plays(*RUN, "N 8h 7c Kd As", "N 5h 8c Ad 3s"))
    unseen = log("kaiser", HIDDEN + BID + plays(*RUN, "N 8h 7c Kd As", "N ?? 8c Ad 3s"))
    assert last(score_match(unseen)).points == last(score_match(seen)).points == {"NS": 8 + 5 - 3, "EW": 0}
    assert (last(score_match(unseen)).possible, last(score_match(unseen)).questions) == ({}, ())
    assert "?" not in text_of(unseen)


def test_two_unseen_cards_whose_exchange_changes_the_winner_of_a_trick() -> None:
    """The last trick: N and E play a card nobody saw, the five of hearts (trumps) and a club. Whose was the five?"""
    records = log("kaiser", HIDDEN + BID + plays(*RUN, "N 8h 7c Kd As", "N ?? ?? Ad 3s"))
    score = score_match(records)
    hand = last(score)
    # With the five at North: eight tricks + 5 − 3; at East: seven tricks for NS, one + 5 − 3 for EW.
    assert hand.points == {"NS": None, "EW": None}
    assert hand.possible == {"NS": [7, 10], "EW": [0, 3]}
    assert score.possible == {"NS": [7, 10], "EW": [0, 3]}
    assert [(q.at, q.by) for q in hand.questions] == [(36, "N"), (37, "E")]
    by_card = {a.text: a.points for a in hand.questions[0].answers}
    assert by_card == {"5♥": {"NS": [10], "EW": [0]}, "8♣": {"NS": [7], "EW": [3]}}
    text = text_of(records)
    assert "total    NS   7..10 → 7..10" in text
    assert "the card of N at event 36: 8♣: NS 7, EW 3; 5♥: NS 10, EW 0" in text
    remarks = sheet_of(records).remarks
    assert "Hand 1: possible: NS 7..10 (7, 10), EW 0..3 (0, 3)." in remarks


def test_an_exchange_that_changes_nothing_leaves_the_score_certain() -> None:
    """South's and West's last cards are unseen: a diamond and the three of spades, and North's trump beats both."""
    records = log("kaiser", HIDDEN + BID + plays(*RUN, "N 8h 7c Kd As", "N 5h 8c ?? ??"))
    hand = last(score_match(records))
    assert hand.points == {"NS": 10, "EW": 0}
    assert hand.possible == {}


def test_who_leads_next_shows_who_won_in_the_score_as_played_only() -> None:
    """The same in the first trick: North leads to the second, so North had won. The cards alone do not say so."""
    tricks = ["N ?? ?? 7d 8s", *RUN[1:], "N 8h 7c Kd As", "N 5h 8c Ad 3s"]
    score = score_match(log("kaiser", HIDDEN + BID + plays(*tricks)))
    hand = last(score)
    assert hand.points == {"NS": 10, "EW": 0}
    assert hand.by_cards == {"NS": [9, 10], "EW": [0, 1]}
    # What is only possible is no difference between what was played and what the rules make of it.
    assert list(hand.ways) == ["played"]
    assert "the cards alone allow NS 9..10, EW 0..1" in "\n".join(score_lines(score))


@pytest.mark.parametrize("first", ["N ?? ?? 7d 8s", "N Kh ?? 7d 8s"])
@pytest.mark.parametrize(("claim", "says"), [
    ("hand.NS=10", "agrees"), ("hand.NS=9", "unknown"), ("hand.NS=8", "differs"), ("NS=10", "agrees"),
    ("NS=9", "unknown"), ("NS=8", "differs"),
])  # fmt: skip
def test_a_claim_that_the_cards_allow_is_not_certainly_wrong(first: str, claim: str, says: str) -> None:
    """If this failed, a table would have added up wrongly for certain, though only the next lead says so."""
    tricks = [
        first, "N Qh Tc 8d 9s", "N Jh Jc 9d Ts", "N Th Qc Td Js", "N 9h Kc Jd Qs", "N 8h 9c Qd Ks", "N 5h 7c Kd As",
        "N Ac 8c Ad 3s",
    ] if first.startswith("N Kh") else [first, *RUN[1:], "N 8h 7c Kd As", "N 5h 8c Ad 3s"]  # fmt: skip
    records = log("kaiser", HIDDEN + BID + plays(*tricks) + f"\nN claim {claim}")
    assert [c.says for c in score_match(records).claims] == [says]
    assert ("table.T9" in [f.rule for f in check(records).broken]) == (says == "differs")


def test_what_stays_open_is_read_with_what_the_leads_have_shown() -> None:
    """First and last trick have two unseen cards each. North led to the second trick, so East won at most the last."""
    tricks = ["N ?? ?? 7d 8s", *RUN[1:], "N 8h 7c Kd As", "N ?? ?? Ad 3s"]
    hand = last(score_match(log("kaiser", HIDDEN + BID + plays(*tricks))))
    # All tricks to NS: 10. The last to East with the five in it: 7 and 3; with the five in the first: 12 and −2.
    assert hand.possible == {"NS": [7, 10, 12], "EW": [-2, 0, 3]}
    assert hand.by_cards["NS"][0] < 7


def test_the_cards_may_show_that_who_led_had_not_won() -> None:
    """North leads on, but the one card nobody saw can only be the ace of trumps: by the rules the first trick is
    East's."""
    tricks = [
        "N Kh ?? 7d 8s", "N Qh Tc 8d 9s", "N Jh Jc 9d Ts", "N Th Qc Td Js", "N 9h Kc Jd Qs", "N 8h 9c Qd Ks",
        "N 5h 7c Kd As", "N Ac 8c Ad 3s",
    ]  # fmt: skip
    hand = last(score_match(log("kaiser", HIDDEN + BID + plays(*tricks))))
    assert {
        name: tuple(way.points.values()) for name, way in hand.ways.items()
    } == {"played": (10, 0), "rules": (9, 1), "ruled": (10, 0)}
    assert hand.ways["rules"].why == ("the cards show who won a trick, no matter who led to the next",)


def test_a_record_that_contradicts_itself_shows_nothing_about_who_won() -> None:
    """North's ace at the first trick was written down as the five, which North plays again at the seventh."""
    tricks = [
        "N 5h ?? 7d 8s", "N Qh Tc 8d 9s", "N Jh Jc 9d Ts", "N Th Qc Td Js", "N 9h Kc Jd Qs", "N Kh 9c Qd Ks",
        "N 5h 7c Kd As", "N Ac 8c Ad 3s",
    ]  # fmt: skip
    score = score_match(log("kaiser", HIDDEN + BID + plays(*tricks)))
    # By the letter of that record East's unseen card beats a five, whichever it was; but the record is not right.
    assert list(last(score).ways) == ["played"]
    assert list(score.ways) == ["played"]


def test_what_the_table_gathered_settles_the_score_as_played() -> None:
    lines = HIDDEN + BID + plays(*RUN, "N 8h 7c Kd As", "N ?? ?? Ad 3s") + "\n@ move * <trick >won:EW"
    hand = last(score_match(log("kaiser", lines)))
    # The trick is East and West's; the five of hearts lies in it, whoever played it.
    assert hand.points == {"NS": 7, "EW": 3}


def test_totals_become_ranges_and_a_later_hand_is_added_to_each() -> None:
    score = score_match(hands(UNKNOWN, SECOND))
    first, second = score.hands
    # The contract of seven is made with the five, and fails without it.
    assert first.possible == first.possible_totals == {"NS": [-5, 10], "EW": [0, 5]}
    assert second.points == {"NS": 3, "EW": 7}
    assert second.possible == {}
    assert second.possible_totals == {
        who: [n + second.points[who] for n in ns] for who, ns in first.possible_totals.items()
    }
    assert score.possible == second.possible_totals
    assert [q.text for q in first.questions] == ["who has the 5♥"]


def test_figures_hang_together() -> None:
    """The five is one side's or the other's, so of the four pairs of totals only two can be."""
    view = corrected(hands(UNKNOWN, SECOND))
    found = match_outcomes(hand_ends(view), lambda h: (hand_readings(view, h).played, ""))
    assert sorted(tuple(s.totals.values()) for s in found.standings) == [(-2, 12), (13, 7)]


def test_the_winner_may_be_certain_whatever_it_was() -> None:
    last_hand = "@ tally declarer=EW level=6 trump=c tricks.NS=6 tricks.EW=2 three=EW"
    score = score_match(log("kaiser", f"@ hand 1\n{FIRST}\n@ hand 2\n{last_hand}", option={"target": 15}))
    assert score.possible == {"NS": [16, 21], "EW": [-4, 1]}
    assert (score.winner, score.over, score.winners) == ("NS", True, ())
    assert "won the match, whatever the score was" in "\n".join(score_lines(score))


def test_the_winner_may_be_open() -> None:
    score = score_match(log("kaiser", f"@ hand 1\n{UNKNOWN}", option={"target": 10}))
    assert score.winner == ""
    assert score.winners == ("", "NS")
    assert "won by nobody yet or NS" in "\n".join(score_lines(score))


def test_beyond_the_bound_nothing_is_guessed() -> None:
    """Of eight tricks nobody saw a card: far too many ways."""
    lines = HIDDEN + BID + plays(*(["N ?? ?? ?? ??"] * 8))
    hand = last(score_match(log("kaiser", lines)))
    assert hand.points == {"NS": None, "EW": None}
    assert hand.possible == {}
    assert any("too many to try each" in text for text in hand.unknown)


def test_span() -> None:
    assert [figures_span([7]), figures_span([7, 9, 11]), figures_span([-4, 0])] == ["7", "7..11", "−4..0"]


# -- properties


@dataclass
class Blurred:
    """A match with some plays unseen and the deals hidden, and the truth."""

    records: list[Recorded]
    truth: MatchScore


def blurred(game: str, seed: int, how_many: int) -> Blurred:
    """The first hand of a match by chance, all hands hidden, so many played cards unseen."""
    played = [r for r in simulate(game, seed=seed, hands=1) if r.event.__struct_config__.tag not in ("claim",)]
    chance = random.Random(seed)
    cards = [r.n for r in played if isinstance(r.event, Play)]
    gone = set(chance.sample(cards, min(how_many, len(cards))))
    out = []
    for r in played:
        event = r.event
        if r.n in gone:
            event = replace(event, cards=("??",))
        elif event.__struct_config__.tag == "deal":
            event = replace(event, piles=tuple((name, (f"{len(c)}x??",)) for name, c in event.piles))
        out.append(replace(r, event=event))
    return Blurred(out, score_played(played))


@pytest.mark.parametrize("how_many", [1, 2, 4])
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("game", ["kaiser", "botifarra"])
def test_the_truth_is_among_what_is_possible(game: str, seed: int, how_many: int) -> None:
    """Whatever was not seen, the real score of the hand is certain or among the possible ones, if any are given."""
    case = blurred(game, seed, how_many)
    score = score_match(case.records)
    for ours, true in zip(score.hands, case.truth.hands, strict=True):
        for who, n in true.points.items():
            assert ours.points[who] in (None, n)
            if who in ours.possible:
                assert n in ours.possible[who]
            if who in ours.by_cards:
                assert n in ours.by_cards[who]
        if how_many == 1:
            assert None not in ours.points.values()


IN_TRICKS = [game for game in PAGES if find_game(game).family == "tricks"]


@sampled(
    "game, seed", IN_TRICKS, range(12), each=1, soak=range(12, 60), short=3,
    always=lambda game: [9] * (game == "briscola"),
)
def test_no_true_score_is_called_wrong_because_a_seat_led_out_of_turn(game: str, seed: int) -> None:
    """If this failed, whoever leads would be taken to have won the trick before for certain."""
    played = list(simulate_breaches(game, seed=seed, p=0.1, hands=1)[0])
    while isinstance(played[-1].event, End):
        played.pop()
    true = fold(played).score
    for how_many in (1, 3, 6):
        cards = [r.n for r in played if isinstance(r.event, Play) and len(r.event.cards) == 1]
        gone = random.Random(f"{game}/{seed}/{how_many}").sample(cards, min(how_many, len(cards)))
        seen = [replace(r, event=replace(r.event, cards=("??",))) if r.n in gone else r for r in hide(played)]
        claim = Claim(by="@", facts={"hand": {} if true is None else dict(true.points)})
        records = [*seen, Recorded(n=len(seen), event=claim)]
        assert true is None or None in true.points.values() or claim_differences(score_match(records)) == []


@pytest.mark.parametrize("game", ["kaiser", "scopa", "bridge-solitaire"])
@pytest.mark.parametrize("seed", range(3))
def test_closed_hands_add_up_to_what_the_fold_gives(game: str, seed: int) -> None:
    """The same figures on both ways: as the fold settles them, and from each hand when it is closed."""
    played = simulate(game, seed=seed)
    found = match_outcomes(hand_ends(corrected(played)), lambda h: ([Alternative(h.state, [{}])], ""))
    state = fold(played)
    assert [w.scores[0] for w in found.hands] == state.scores
    assert found.standings == [state.standing]


def test_a_page_of_the_tests_is_registered_only_while_it_is_used() -> None:
    with penalty.registered() as key:
        assert find_game(key).name == "Penalty"
    with pytest.raises(NotFoundError):
        find_game("penalty")
