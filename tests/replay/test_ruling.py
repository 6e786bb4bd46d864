"""Disputes, rulings, and the score three ways: as played, by the rules, as ruled."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from given import log
from msgspec.structs import replace
from pages import penalty
from results import FIRST, SECOND, THIRD, hands
from sampling import each_game, sampled

from cli.text_output import score_lines
from events import read_kib as read_text
from events.errors import NotationError
from events.model import Move, Play, Recorded
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.registry import PAGES, find_game
from replay.auditing.check import check
from replay.fold import corrected, fold
from replay.judging.judge import judge
from replay.judging.repairs import suggest
from replay.paper.sheet import THREE_WAYS, sheet_of
from replay.read_log import read_log
from replay.scoring.claims import claim_differences
from replay.scoring.rulings import WORDS, decisions, disputes, ruling_findings
from replay.scoring.score_shapes import MatchScore
from replay.scoring.three_ways import official_score, score_match
from replay.season.facts import match_facts
from replay.simulate import simulate
from replay.table.event_sentences import how_it_ended
from replay.table.frame import frame
from replay.table.session import Session


def ways(score: MatchScore, hand: int = 1) -> dict[str, tuple[int | None, ...]]:
    """The points of a hand each way, side by side."""
    return {name: tuple(way.points.values()) for name, way in score.hands[hand - 1].ways.items()}


def totals(score: MatchScore) -> dict[str, tuple[int | None, ...]]:
    """The totals of the match each way."""
    return {name: tuple(way.totals.values()) for name, way in score.ways.items()}


def problems(records: list[Recorded]) -> list[tuple[str, int]]:
    """Table rule and position of what is wrong with disputes and rulings."""
    return [(f.rule, f.at.pos) for f in ruling_findings(records)]


def effects(records: list[Recorded]) -> list[str]:
    return [d.effect for d in decisions(corrected(records))]


# FIRST is NS 10, EW 0 (five tricks to three, both special cards at NS and EW); event 2 of each match below.


# -- what a ruling does


@pytest.mark.parametrize(
    ("ruling", "points"),
    [
        ("points.NS=-3", (7, 0)),
        ("points.N=-3", (7, 0)),  # a seat speaks for its side
        ("adjust points.NS=-3 points.EW=3", (7, 3)),
        ("tricks.NS=1 tricks.EW=-1", (11, -1)),
        ("transfer tricks.NS=-1 tricks.EW=1", (9, 1)),
        ("five=EW", (-5, 5)),  # without the five the contract fails
        ("void", (0, 0)),
        ("forfeit hand=NS", (0, 0)),
        ("forfeit hand=NS points.EW=5", (0, 5)),
    ],
)
def test_what_a_ruling_does_to_a_hand(ruling: str, points: tuple[int, int]) -> None:
    records = hands(FIRST + f"; E dispute #2; @ ruling #3 {ruling}", SECOND)
    score = score_match(records)
    assert not problems(records)
    assert ways(score) == {"played": (10, 0), "rules": (10, 0), "ruled": points}
    assert totals(score)["ruled"] == (points[0] + 3, points[1] + 7)
    # What was played stays what it was, and the second hand is the same every way.
    assert score.totals == {"NS": 13, "EW": 7}
    assert set(ways(score, 2).values()) == {(3, 7)}


@pytest.mark.parametrize("ruling", ["warning", "stands", "warning rule=kaiser.R11", "stands rule=R11"])
def test_a_ruling_without_effect_leaves_one_score(ruling: str) -> None:
    records = hands(FIRST + f"; E dispute #2; @ ruling #3 {ruling}")
    score = score_match(records)
    assert not problems(records)
    assert score.hands[0].ways["ruled" if len(score.hands[0].ways) > 1 else "played"].points == {"NS": 10, "EW": 0}
    assert list(score.ways) == ["played"]


def test_a_match_forfeited() -> None:
    score = score_match(hands(FIRST, SECOND + "; @ ruling #2 forfeit match=NS"))
    assert (score.winner, score.over) == ("", False)
    assert (score.ways["ruled"].winner, score.ways["ruled"].over) == ("EW", True)
    assert score.ways["ruled"].totals == score.ways["played"].totals


def test_a_ruling_changes_what_comes_after_it() -> None:
    """The brake looks at the score before the hand: at 20 it is on, at 14 it is not."""
    first = "@ tally declarer=NS level=7 no=yes tricks.NS=8 tricks.EW=0 five=NS three=NS"  # NS 20
    defended = "@ tally declarer=EW level=8 trump=c tricks.NS=5 tricks.EW=3 five=EW three=EW"  # NS 5
    score = score_match(
        log("kaiser", f"@ hand 1\n{first}\n@ ruling #2 points.NS=-6\n@ hand 2\n{defended}", option={"brake": 18})
    )
    assert (ways(score, 2)["played"][0], ways(score, 2)["ruled"][0]) == (0, 5)
    assert (totals(score)["played"][0], totals(score)["ruled"][0]) == (20, 19)


def test_a_ruling_ends_the_match_or_takes_the_win_away() -> None:
    score = score_match(log("kaiser", f"@ hand 1\n{FIRST}\n@ ruling #2 points.NS=-3", option={"target": 10}))
    assert (score.winner, score.ways["ruled"].winner) == ("NS", "")
    assert "winner  NS         NS            –" in "\n".join(score_lines(score))


def test_a_card_goes_over_in_scopa() -> None:
    played = simulate("scopa", seed=2, hands=1)
    before = score_match(played)
    taker = next(w for w, n in next(c for c in before.hands[0].components if c.label == "7♦").amounts.items() if n)
    other = "B" if taker == "A" else "A"
    ruled = [*played, *renumbered(log("scopa", f"@ ruling #3 cards.{other}=7d"), len(played))]
    score = score_match(ruled)
    assert score.hands[0].ways["ruled"].points != score.hands[0].ways["played"].points
    assert not problems(ruled)


def renumbered(records: list[Recorded], first: int) -> list[Recorded]:
    """The events of another log, without its opening, to go on from here."""
    return [replace(r, n=first + i) for i, r in enumerate(records[1:])]


# -- void hands


def test_a_ruling_on_a_void_hand_has_no_effect_and_says_so() -> None:
    score = score_match(hands("@ tally void=misdeal; @ ruling #2 points.NS=-3", SECOND))
    assert score.hands[0].source == "void"
    assert set(ways(score).values()) == {(0, 0)}
    assert score.hands[0].ways["ruled"].why == (
        "ruling at event 3: NS −3 points (without effect: hand 1 is void and counts nothing)",
    )
    assert list(score.ways) == ["played"]
    remarks = sheet_of(hands("@ tally void=misdeal; @ ruling #2 points.NS=-3")).remarks
    assert "Hand 1, ruled: Ann & Carl −3 points; without effect: hand 1 is void and counts nothing." in remarks


def test_once_a_hand_is_void_nothing_else_about_it_counts() -> None:
    score = score_match(hands(FIRST + "; @ ruling #2 points.NS=-3; @ ruling #2 void"))
    assert ways(score)["ruled"] == (0, 0)
    assert any("without effect" in why for why in score.hands[0].ways["ruled"].why)


# -- only a later ruling undoes one


@pytest.mark.parametrize(
    ("lines", "ruled", "holds"),
    [
        ("@ ruling #2 points.NS=-3; @ ruling #3 withdrawn", None, (4,)),
        ("@ ruling #2 points.NS=-3; @ ruling #3 points.NS=-1", (9, 0), (4,)),  # replaced
        ("@ ruling #2 points.NS=-3; @ ruling #3 stands", (7, 0), (3, 4)),
        # another one on the same act: both hold
        ("@ ruling #2 points.NS=-3; @ ruling #2 points.NS=-1", (6, 0), (3, 4)),
        # the withdrawal withdrawn
        ("@ ruling #2 points.NS=-3; @ ruling #3 withdrawn; @ ruling #4 withdrawn", (7, 0), (3, 5)),
        # a dispute about a ruling undoes nothing
        ("@ ruling #2 points.NS=-3; N dispute #3; @ ruling #4 warning", (7, 0), (3, 5)),
        ("@ ruling #2 points.NS=-3; N dispute #3; @ ruling #4 #3 withdrawn", None, (5,)),
    ],
)
def test_a_ruling_holds_until_a_later_one_refers_to_it(
    lines: str, ruled: tuple[int, int] | None, holds: tuple[int, ...],
) -> None:
    records = hands(f"{FIRST}; {lines}")
    assert tuple(d.at for d in decisions(corrected(records)) if d.counts) == holds
    score = score_match(records)
    assert ways(score).get("ruled", (10, 0)) == (ruled or (10, 0))
    assert not problems(records)


def test_the_sheet_tells_which_ruling_no_longer_holds() -> None:
    remarks = sheet_of(hands(FIRST + "; @ ruling #2 points.NS=-3; @ ruling #3 withdrawn")).remarks
    assert "Hand 1, ruled: Ann & Carl −3 points. It no longer holds, as it was ruled otherwise later." in remarks


# -- which hand


def test_the_hand_is_that_of_the_act_in_question() -> None:
    """Disputed and ruled in the third hand, about the first: by way of the dispute, and named in the ruling."""
    for about in ("E dispute #2 revoke; @ ruling #7 points.NS=-1", "E dispute; @ ruling #7 #2 points.NS=-1"):
        score = score_match(hands(FIRST, SECOND, f"{THIRD}; {about}"))
        assert [
            name for h in score.hands for name in h.ways if name == "ruled"
            and h.ways[name].points != h.ways["played"].points
        ] == ["ruled"]
        assert ways(score, 1)["ruled"] == (9, 0)


def test_disputes_and_who_answered_them() -> None:
    records = hands(FIRST + "; E dispute #2 revoke; N dispute; @ ruling #3 warning")
    view = corrected(records)
    assert [(d.at, d.by, d.word, d.ruled) for d in disputes(view)] == [(3, "E", "revoke", (5,)), (4, "N", "", ())]
    assert any("Hand 1: Ann disputes an act; nobody has ruled on it." in r for r in sheet_of(records).remarks)


# -- what makes no sense


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("@ ruling #2 nonsense", "T10"),
        ("@ ruling #2 colour.NS=3", "T10"),
        ("@ ruling #2 points.XY=3", "T10"),
        ("@ ruling #2 points.NS=many", "T10"),
        ("@ ruling #2 points=3", "T10"),
        ("@ ruling #2 five=XY", "T10"),
        ("@ ruling #2 trick.1=XY", "T10"),
        ("@ ruling #2 tricks.NS=2 tricks.EW=-1", "T10"),  # where does the other trick come from?
        ("@ ruling #2 rule=kaiser.R99", "T10"),
        ("@ ruling #2 rule=scopa.R1", "T10"),
        ("@ ruling #2 hand=NS", "T10"),
        ("@ ruling #2 forfeit", "T10"),
        ("@ ruling #99 warning", "T11"),
        ("@ ruling #3 warning", "T11"),  # itself
        ("N dispute #99 revoke", "T11"),
    ],
)
def test_what_a_ruling_cannot_mean_is_a_finding(line: str, rule: str) -> None:
    records = hands(f"{FIRST}; {line}")
    assert problems(records) == [(f"table.{rule}", 3)]
    assert [(f.rule, f.at.pos) for f in check(records).broken] == [(f"table.{rule}", 3)]


@pytest.mark.parametrize(
    ("first", "second", "at"), [("; @ ruling #2 three=XY", "", (3, 1)), ("", "; @ ruling #4 three=XY", (5, 2))],
)
def test_what_a_ruling_cannot_mean_is_found_in_its_hand(first: str, second: str, at: tuple[int, int]) -> None:
    """If this failed, the finding would stand on the sheet of another hand, or of none."""
    (finding,) = ruling_findings(hands(FIRST + first, SECOND + second))
    assert (finding.at.pos, finding.at.hand) == at


@pytest.mark.parametrize(
    "word", [w for w in WORDS if w != "forfeit"] + ["misdeal", "forfeit hand=NS", "forfeit match=N"],
)
def test_words_that_are_known(word: str) -> None:
    assert problems(hands(f"{FIRST}; @ ruling #2 {word}")) == []


def test_the_word_of_the_dispute_is_known() -> None:
    assert problems(hands(FIRST + "; E dispute #2 revoke; @ ruling #3 revoke points.NS=-1")) == []
    assert problems(hands(FIRST + "; E dispute #2; @ ruling #3 revoke points.NS=-1")) == [("table.T10", 4)]


def test_what_is_understood_of_a_ruling_counts_all_the_same() -> None:
    records = hands(FIRST + "; @ ruling #2 points.NS=-3 points.XY=3")
    assert ways(score_match(records))["ruled"] == (7, 0)
    assert effects(records) == ["NS −3 points"]


def test_a_reference_to_a_struck_event_is_one_to_nothing() -> None:
    records = hands(FIRST + "; N pass; @ fix #3-; @ ruling #3 warning")
    assert ("table.T11", 5) in problems(records)


@pytest.mark.parametrize("fix", ["@ fix #4-", "@ fix #4 @ ruling #3 warning", "@ fix #4 N pass"])
def test_a_ruling_is_revoked_by_no_correction(fix: str) -> None:
    """It holds as it was made; the correction is the finding."""
    records = hands(FIRST + f"; E dispute #2; @ ruling #3 points.NS=-3; {fix}")
    assert [d.effect for d in decisions(corrected(records)) if d.counts] == ["NS −3 points"]
    assert ways(score_match(records))["ruled"] == (7, 0)
    (finding,) = check(records).broken
    assert (finding.rule, finding.at.pos) == ("table.T11", 5)
    assert "only a later ruling that names it takes its place" in finding.text
    # What is put in behind a ruling does not touch it.
    assert not check(hands(FIRST + "; E dispute #2; @ ruling #3 points.NS=-3; @ fix #4+ @ note")).broken


@pytest.mark.parametrize("line", ["fix 4-", "fix 4 @ ruling #3 warning", "@ fix #4-"])
def test_at_the_table_a_correction_of_a_ruling_is_refused(line: str) -> None:
    session = Session(hands(FIRST + "; E dispute #2; @ ruling #3 points.NS=-3"))
    for write in (
        lambda: session.complete(line), session.undo, lambda: session.fix(4, "-"),
        lambda: session.fix(4, "@ ruling #3 warning"),
    ):
        with pytest.raises(NotationError, match="ruling #4 withdrawn"):
            write()
    assert session.complete("@ ruling #4 withdrawn").events


def test_an_inserted_ruling_cannot_be_taken_back_either() -> None:
    session = Session(hands(FIRST + "; E dispute #2; @ fix #3+ @ ruling #3 points.NS=-3"))
    with pytest.raises(NotationError, match="ruling #4 withdrawn"):
        session.undo()


# -- the three ways

BID = "N bid 7\nE pass\nS pass\nW pass\nN name h\n"
DEAL = "W hand 1\n@ deal N=AhKhQhJhTh9h8h5h E=AcKcQcJcTc9c8c7c S=AdKdQdJdTd9d8d7d W=AsKsQsJsTs9s8s3s\n"


def run_of_hearts(gathered: int, side: str) -> str:
    """North draws trumps and has every trick; the trick with this number is gathered by this side."""
    n, e, s, w = (
        "Ah Kh Qh Jh Th 9h 8h 5h", "Ac Kc Qc Jc Tc 9c 8c 7c", "Ad Kd Qd Jd Td 9d 8d 7d", "As Ks Qs Js Ts 9s 8s 3s"
    )
    out = ""
    for i, cards in enumerate(zip(n.split(), e.split(), s.split(), w.split(), strict=True), 1):
        out += "".join(f"{seat} play {card}\n" for seat, card in zip("NESW", cards, strict=True))
        out += f"@ move * <trick >won:{side}\n" * (i == gathered)
    return out


@pytest.mark.parametrize(("number", "played"), [(3, (9, 1)), (8, (7, 3))])  # in the eighth lie the five and the three
def test_a_trick_gathered_by_the_wrong_side(number: int, played: tuple[int, int]) -> None:
    """As played it is theirs, by the rules it is not, and the ruling is half way: each is shown."""
    at = 7 + 4 * number + 1
    records = log(
        "kaiser",
        DEAL + BID + run_of_hearts(number, "EW")
        + f"E dispute #{at}\n@ ruling #41 points.NS=1 points.EW=-1 rule=kaiser.R12"
    )
    score = score_match(records)
    assert ways(score) == {"played": played, "rules": (10, 0), "ruled": (played[0] + 1, played[1] - 1)}
    assert totals(score) == ways(score)
    assert score.hands[0].points == dict(zip(("NS", "EW"), played, strict=True))
    text = "\n".join(score_lines(score))
    assert f"by the rules: the trick gathered at event {at} goes to the side that won it (kaiser.R12)" in text
    assert "as played" in text
    assert "as ruled" in text
    block = next(b for b in sheet_of(records).blocks if b.heading == THREE_WAYS)
    assert [row.cells[0].text for row in block.rows] == ["1", "match"]


def test_a_ruling_gives_a_trick_back() -> None:
    records = log("kaiser", DEAL + BID + run_of_hearts(3, "EW") + "@ ruling #20 trick.3=NS")
    assert ways(score_match(records)) == {"played": (9, 1), "rules": (10, 0), "ruled": (10, 0)}


def test_a_trick_that_is_not_there_cannot_be_given() -> None:
    records = log("kaiser", DEAL + BID + run_of_hearts(0, "") + "@ ruling #20 trick.9=EW")
    score = score_match(records)
    assert set(ways(score).values()) == {(10, 0)}
    assert "without effect: the record of the hand has no trick 9" in score.hands[0].ways["ruled"].why[0]


def test_a_trick_recorded_by_number_can_be_given() -> None:
    by_trick = "@ tally declarer=NS level=7 trump=h five=NS three=EW " + " ".join(
        f"trick.{i}={'NS' if i < 6 else 'EW'}" for i in range(1, 9)
    )
    assert ways(score_match(hands(f"{by_trick}; @ ruling #2 trick.1=EW")))["ruled"] == (9, 1)


GAMES_OF_TRICKS = [key for key in PAGES if find_game(key).family.startswith("tricks") or key == "bridge-solitaire"]


def a_full_trick(game: str, seed: int) -> tuple[list[Recorded], int, str, str]:
    """A hand with the index of the card that fills one of its tricks, the side that won it, and a side against it."""
    records, found = simulate(game, seed=seed, hands=1), list[tuple[int, str]]()
    state = begin(corrected(records).opening.facts)
    for i, record in enumerate(records[1:], 1):
        state.at = record.n
        evolve(state, record.event)
        keeper = getattr(state.hand, "trick", state.hand)
        if (
            getattr(keeper, "won", None) and keeper.won[-1].at == record.n and isinstance(record.event, Play)
            and keeper.won[-1].winner
        ):
            found.append((i, state.terms.side_of[keeper.won[-1].winner]))
    if not found:  # all passed
        return a_full_trick(game, seed + 1000)
    i, side = Random(seed).choice(found)
    alone = state.hand.declarer if game == "calabrasella" else ""
    wrong = next(one for one in state.terms.sides if one != side and (not alone or alone in (side, one)))
    return records, i, side, wrong


def assert_scored_by_the_rules(gathered: list[Recorded], clean: list[Recorded], game: str) -> None:
    """By the rules a hand is worth what it is without the line. One that a majority of tricks ends may not be over
    as played; cards that are played again in the second half contradict who has them."""
    score = score_match(gathered)
    if score.hands[0].done or game not in ("envite", "turnover-bridge", "mattis", "myllymatti"):
        assert ways(score)["rules"] == ways(score_match(clean))["played"]


def with_gathering(records: list[Recorded], before: int, side: str) -> list[Recorded]:
    """The log with a trick gathered by a side, before the event with this index."""
    events = [r.event for r in records]
    events.insert(before, Move(by="@", cards=("*",), src="trick", to=f"won:{side}"))
    return [Recorded(n=n, event=event) for n, event in enumerate(events, 1)]


@sampled("game, seed", GAMES_OF_TRICKS, range(4), each=1, soak=range(4, 40))
def test_a_trick_gathered_by_the_wrong_side_is_found_offered_and_scored_both_ways(game: str, seed: int) -> None:
    """The winner who leads is accused of nothing, and the gathering for the right side is offered first."""
    records, i, right, wrong = a_full_trick(game, seed)
    log_of_it, at = with_gathering(records, i + 1, wrong), i + 2
    short = log_of_it[: at + 1]
    found = judge(short)
    # A table that has given away the trick that decides a hand of Envite plays on in one that is over.
    assert {f.at.pos for f in found.broken if f.rule != "table.T6" or game != "envite"} == {at}
    assert suggest(short, found.findings)[0].lines == (f"@ fix #{at} @ move * <trick >won:{right}",)
    assert_scored_by_the_rules(log_of_it, records, game)


@sampled("game, seed", GAMES_OF_TRICKS, range(4), each=1, soak=range(4, 40))
def test_a_trick_gathered_before_it_is_full_is_found_and_scored_by_the_rules(game: str, seed: int) -> None:
    records, i, right, wrong = a_full_trick(game, seed)
    for side in (right, wrong):
        log_of_it, at = with_gathering(records, i, side), i + 1
        found = judge(log_of_it[: at + 2])
        # As above: a table that has given away the trick that decides a hand of Envite plays on in one that is over.
        broken = [f for f in found.broken if f.rule != "table.T6" or game != "envite"]
        assert [(f.at.pos, f.text.partition(":")[0]) for f in broken] == [(at, "the trick is not full")]
        offers = suggest(log_of_it[: at + 2], found.findings)
        first = [offer.lines[1] for offer in offers if any(ref.rule == broken[0].rule for ref in offer.removes)][:1]
        assert first == ([f"@ fix #{at + 1} @ move * <trick >won:{right}"] if side == right else [])
        assert_scored_by_the_rules(log_of_it, records, game)


@pytest.mark.parametrize("early", [False, True], ids=["full", "one card early"])
def test_a_trick_gathered_early_is_of_that_side_as_played(early: bool) -> None:
    records = with_gathering(log("kaiser", DEAL + BID + run_of_hearts(0, "")), 7 + 4 * 8 + 1 - early, "EW")
    assert ways(score_match(records)) == {"played": (7, 3), "rules": (10, 0), "ruled": (7, 3)}


@pytest.mark.parametrize(("seed", "game"), [(s, g) for s in range(4) for g in ("kaiser", "scopa", "bridge-solitaire")])
def test_a_clean_match_has_one_score(game: str, seed: int) -> None:
    score = score_match(simulate(game, seed=seed, hands=3))
    assert list(score.ways) == ["played"]
    assert all(list(h.ways) == ["played"] for h in score.hands if h.done)


def test_the_page_of_the_tests_ruled_against_its_own_penalty() -> None:
    """The rules prescribe two tricks; the table decides on one."""
    with penalty.registered():
        deal = "B hand 1\n@ deal A=AcQcJcAd B=KcKdQdJd stock=8x??\nA play Ac\nB play Kd\nA draw ??\nB draw ??\n"
        records = log("penalty", deal + "A call revoke B #4\n@ end hand agreed\n@ ruling #7 tricks.A=1 tricks.B=-1")
        assert ways(score_match(records)) == {"played": (1, 0), "rules": (3, -2), "ruled": (2, -1)}
        assert not problems(records)


# -- the table's own sum beside all this


def test_a_sum_wrong_in_hand_three_and_carried_on_is_found_there_alone() -> None:
    parts = [
        FIRST + "; @ claim NS=10 EW=0", SECOND + "; @ claim NS=13 EW=7", FIRST + "; @ claim NS=24 EW=7",
        SECOND + "; @ claim NS=27 EW=14",
    ]
    score = score_match(hands(*parts))
    assert [(c.hand, c.who, c.difference) for c in claim_differences(score)] == [(3, "NS", 1)]
    assert score.slip is not None
    assert (score.slip.hand, score.slip.carried) == (3, (4,))
    assert "13 + 11 = 24" in score.slip.text
    assert "13 + 10 = 23" in score.slip.text
    # A ruling later on changes none of it: claims are held against what was played.
    ruled = score_match(hands(*parts[:3], parts[3] + "; @ ruling #2 points.NS=-3"))
    assert [(c.hand, c.who, c.difference) for c in claim_differences(ruled)] == [(3, "NS", 1)]


@pytest.fixture(autouse=True, scope="module")
def nothing_left_behind() -> Iterator[None]:
    """The page of the tests is not registered for anybody else."""
    yield
    assert "penalty" not in PAGES


def test_a_misdeal_without_a_right_to_it_is_remarked_on_the_sheet() -> None:
    """North had an ace; the table threw the hand in all the same. No figure differs, and the sheet says so."""
    lines = "W hand 1\n@ deal N=Ac8c7c9dTs8h9s9c E=8x?? S=8x?? W=8x??\nN call misdeal\nW hand 2\n"
    remark = "Hand 1, by the rules: the hand was thrown in, and N had no right to a misdeal (kaiser.R2)."
    assert remark in sheet_of(log("kaiser", lines), findings=True).remarks
    rightly = sheet_of(log("kaiser", lines.replace("Ac8c7c9dTs8h9s9c", "Tc8c7c9dTs8h9s9c")), findings=True).remarks
    assert not any("misdeal" in r for r in rightly)
    # While the hand is hidden nobody can say.
    assert not any(
        "misdeal" in r
        for r in sheet_of(log("kaiser", lines.replace("Ac8c7c9dTs8h9s9c", "8x??")), findings=True).remarks
    )


# -- the score that counts


def official(records: list[Recorded]) -> tuple[tuple[int | None, ...], str, bool]:
    score = official_score(read_log(records))
    return tuple(score.totals.values()), score.winner, score.over


@pytest.mark.parametrize(
    ("lines", "counts"),
    [
        ("", ((30, 0), "NS", True)),
        ("; E dispute #6 marked; @ ruling #7 forfeit match=NS", ((30, 0), "EW", True)),
        ("; E dispute #6 marked; @ ruling #7 points.NS=-12", ((18, 0), "", False)),
        ("; E dispute #6 marked; @ ruling #7 warning", ((30, 0), "NS", True)),
        ("; E dispute #6 marked; @ ruling #7 forfeit match=NS; @ ruling #8 withdrawn", ((30, 0), "NS", True)),
    ],
    ids=["no ruling", "forfeit", "points", "warning", "withdrawn"],
)
def test_what_was_ruled_counts(lines: str, counts: tuple[tuple[int | None, ...], str, bool]) -> None:
    """If this failed, sheet and season would name a winner against the ruling."""
    records = hands(FIRST, FIRST, FIRST + lines, target=30)
    assert official(records) == counts
    facts, sheet, ruled = match_facts("m", records), sheet_of(records), "points" in lines or (
        "match=NS" in lines and "withdrawn" not in lines
    )
    assert (tuple(side.total for side in facts.sides), facts.winner, facts.over) == counts
    assert [side.total for side in sheet.head.sides] == [str(n) for n in counts[0]] if sheet.head else False
    assert ("As played", "Ann & Carl won 30 : 0") in sheet.facts if ruled else not any(
        name == "As played" for name, _ in sheet.facts
    )
    assert any("as ruled" in line for line in score_lines(score_match(records)) if line.startswith("score:")) == ruled


def test_a_ruling_that_ends_the_match_ends_it_until_it_is_withdrawn() -> None:
    records = hands(FIRST + "; E dispute #2 marked; @ ruling #3 forfeit match=NS")
    assert Session(records).state.ended == "ruled"
    assert official(records) == ((10, 0), "EW", True)
    score = score_match(records)
    assert (score.winner, score.together, score.over, score.official) == ("", (), False, "ruled")
    further = hands(FIRST + "; E dispute #2 marked; @ ruling #3 forfeit match=NS", SECOND)
    assert [f.text for f in judge(further).findings if f.rule == "table.T6"], "what is played after the end is found"
    again = hands(FIRST + "; E dispute #2 marked; @ ruling #3 forfeit match=NS; @ ruling #4 withdrawn", SECOND)
    assert not judge(again).findings
    assert official(again)[1:] == ("", False)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("@ ruling #2", "it is not said what was decided"),
        ("@ ruling #2 fnord", "'fnord' is not a word of a ruling"),
        ("@ ruling #2 tricks.NS=1", "do not add up to 0"),
        ("@ ruling #2 forfeit", "who forfeits what"),
        ("N dispute", "it is not said what is disputed"),
        ("note 2", "the remark is missing"),
        ("N confirm", "there is no claim to confirm"),
    ],
)
def test_a_line_that_decides_or_confirms_nothing_is_refused_with_what_is_missing(line: str, said: str) -> None:
    with pytest.raises(NotationError, match=said):
        Session(hands(FIRST)).complete(line)


@pytest.mark.parametrize(
    "line",
    [
        "@ ruling #2 {no more than a word of warning}", "N dispute {he showed a card}", "N confirm #2",
        "@ ruling #2 tricks.NS=1 tricks.EW=-1",
    ]
)
def test_a_line_with_a_remark_or_a_reference_says_enough(line: str) -> None:
    assert Session(hands(FIRST)).complete(line).events


@pytest.mark.parametrize("side", ["EW", "E"])
def test_a_ruling_on_a_total_that_is_not_known_counts_and_is_told(side: str) -> None:
    """If this failed, points that were given to a side whose total nobody knows would be lost without a word."""
    text = '%kib 1\n[Game "kaiser"]\nW hand 1\n@ tally points.NS=7\n'
    assert score_match(read_text(text).records).official == "played"
    score = score_match(read_text(f"{text}@ ruling #2 points.{side}=3\n").records)
    assert (score.official, score.hands[0].ways["ruled"].why) == ("ruled", (f"ruling at event 3: {side} +3 points",))
    assert score_match(read_text(f"{text}@ ruling #2 warning\n").records).official == "played"
    sheet = sheet_of(read_text(f"{text}@ ruling #2 points.{side}=3\n").records)
    assert dict(sheet.facts)["Result"].startswith("not finished, as ruled")
    assert any("+3 points" in note for block in sheet.blocks for row in block.rows for note in row.notes)


WON = '%kib 1\n[Game "kaiser"]\n[Option.target "10"]\nW hand 1\n@ tally points.NS=12 points.EW=3\n'
GOES_ON = {
    "won, and nothing was ruled": ("", "won", "NS"),
    "the win is taken back": ("@ ruling #2 points.NS=-5\n", "", ""),
    "a hand that does not count": ("@ ruling #2 void\n", "", ""),
    "a warning changes nothing": ("@ ruling #2 warning\n", "won", "NS"),
    "withdrawn, it is over again": ("@ ruling #2 points.NS=-5\n@ ruling #3 withdrawn\n", "won", "NS"),
    "a later ruling takes its place": ("@ ruling #2 points.NS=-5\n@ ruling #3 points.NS=-2\n", "won", "NS"),
    "the other side wins the next hand": (
        "@ ruling #2 points.NS=-5\nN hand 2\n@ tally points.NS=0 points.EW=9\n", "won", "EW",
    ),
    "the side that had won wins it all the same": (
        "@ ruling #2 points.NS=-5\nN hand 2\n@ tally points.NS=3 points.EW=1\n", "won", "NS",
    ),
    "it goes on after the next hand": ("@ ruling #2 points.NS=-5\nN hand 2\n@ tally points.NS=1 points.EW=1\n", "", ""),
    "and the hand behind that ends it": (
        (
            "@ ruling #2 points.NS=-5\nN hand 2\n@ tally points.NS=1 points.EW=1\nE hand 3\n@ tally "
            "points.NS=0 points.EW=7\n"
        ),
        "won", "EW",
    ),
}


@pytest.mark.parametrize("case", GOES_ON)
def test_a_ruling_that_takes_a_win_back_reopens_play(case: str) -> None:
    """The official standing says whether a match is over: further hands count, and the match ends when it says so."""
    lines, ended, winner = GOES_ON[case]
    records = read_text(WON + lines).records
    state, facts = fold(records), match_facts("m", records)
    assert (state.ended, state.official.winner) == (ended, winner)
    assert (facts.over, facts.winner) == (bool(ended), winner)
    assert frame(state).over == bool(ended)
    assert state.number == 1 + lines.count("hand ")
    assert not judge(records).broken
    if ended:
        assert how_it_ended(state).startswith("N & S won" if winner == "NS" else "E & W won")


def test_a_ruling_may_end_a_match_and_one_before_the_win_may_keep_it_open() -> None:
    """Points that are given take a side to the target; those taken in an earlier hand keep it from there."""
    text = WON.replace("points.NS=12", "points.NS=7")
    assert fold(read_text(text).records).ended == ""
    assert fold(read_text(text + "@ ruling #2 points.NS=4\n").records).ended == "won"
    second = "N hand 2\n@ tally points.NS=4 points.EW=0\n"
    assert fold(read_text(text + second).records).ended == "won"
    state = fold(read_text(text + "@ ruling #2 points.NS=-4\n" + second).records)
    assert (state.ended, state.official.totals, state.standing.totals) == ("", {"NS": 7, "EW": 3}, {"NS": 11, "EW": 3})


def test_tricks_that_change_hands_take_a_win_back_too() -> None:
    """The record of the hand is scored anew with them, as in the score as ruled."""
    text = (
        '%kib 1\n[Game "kaiser"]\n[Option.target "7"]\nW hand 1\n@ tally declarer=NS level=7 trump=h '
        'tricks.NS=7 tricks.EW=1 five=NS three=EW\n'
    )
    for ruling in ("@ ruling #2 tricks.NS=-6 tricks.EW=6\n", "@ ruling #2 forfeit hand=NS\n"):
        records = read_text(text + ruling).records
        score = score_match(records)
        assert fold(read_text(text).records).ended == "won"
        assert fold(records).official.totals == score.ways["ruled"].totals
        assert bool(fold(records).ended) == score.ways["ruled"].over


def test_the_next_hand_is_typed_after_a_win_was_taken_back() -> None:
    session = Session(read_text(WON).records)
    for line in ("ruling #2 points.NS=-5", "hand", "tally points.NS=0 points.EW=9"):
        events = session.complete(line).events
        session.take([replace(r, n=session.records[-1].n + i) for i, r in enumerate(events, 1)])
    assert (session.state.ended, session.state.official.totals) == ("won", {"NS": 7, "EW": 12})


@each_game(tuple(PAGES), short=8)
def test_the_standing_as_ruled_in_the_fold_is_that_of_the_score(game: str) -> None:
    """Whatever the game: a last hand that is ruled void, or forfeited, leaves the match over or open as the score as
    ruled has it."""
    match = simulate(game, seed=5)
    last, side = match[-1].n, next(iter(fold(match).terms.sides))
    for lines in ("void", f"forfeit hand={side}", f"points.{side}=-1"):
        records = [*match, *(replace(r, n=last + 1) for r in read_text(f"@ ruling #{last} {lines}\n").records if r.n)]
        state, score = fold(records), score_match(records)
        ruled = score.ways.get("ruled", score.ways["played"])
        assert state.official.totals == ruled.totals, lines
        assert (state.ended == "won") == ruled.over or state.ended == "agreed", lines


def test_chips_are_settled_as_ruled() -> None:
    """If this failed, a sheet would say that a ruling holds, and who pays whom as if nobody had ruled."""
    records = log(
        "put-and-take",
        "C hand 1\n@ tally put.A=1 put.B=6 take.A=7 take.B=0\n@ ruling #2 adjust points.A=-2 points.C=2\n",
        Seats="A B C",
    )
    pays = next(block for block in sheet_of(records).blocks if block.heading == "To settle")
    assert [tuple(cell.text for cell in row.cells) for row in pays.rows] == [("B", "A", "4"), ("B", "C", "2")]


def test_a_match_ended_as_it_stands_is_won_as_ruled() -> None:
    """If this failed, the answer at the prompt would name nobody where the sheet names the winner as ruled."""
    lines = (
        "W hand 1\n@ tally points.NS=9\n@ tally points.EW=11\n@ ruling #2 adjust points.NS=2 "
        "points.EW=-2\n@ end match late\n"
    )
    state = fold(log("kaiser", lines))
    assert (state.standing.winner, state.official.winner) == ("EW", "NS")
    assert how_it_ended(state) == "N & S won the match"
    assert official_score(read_log(log("kaiser", lines))).winner == "NS"
