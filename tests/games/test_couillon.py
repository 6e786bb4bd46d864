"""Couillon, rule by rule: each has the cases of its kind."""

from __future__ import annotations

from collections import Counter

import pytest
from given import Given, given
from msgspec.structs import replace
from referees.couillon import Referee
from sampling import seeds

from events.errors import UnreadableError
from events.model import Deal, Open, Play, Recorded
from events.writing import write_event
from reducers.first_state import begin
from reducers.games.couillon import COUNTS, PACK, SHORT
from reducers.legal import legal
from replay.auditing.check import check
from replay.fold import fold
from replay.judging.first_look import first_look
from replay.judging.judge import judge
from replay.paper.sheet import sheet_of
from replay.redact import hide
from replay.scoring.claims import claim_differences
from replay.scoring.three_ways import score_match
from replay.simulate import simulate, simulate_breaches
from replay.table.session import Session

HIDDEN = "W hand 1\n@ deal up upcard=7h\n"
ACCEPTED = HIDDEN + "N call accept\n"
# Hearts are trumps; West deals, and North leads.
DEAL = "W hand 1\n@ deal N=AcKcAd7s E=QcTh9hAs S=JcTc9d8d W=8cJhKh9s\n@ deal up upcard=7h\nN call accept\n"


def cards(seat: str, case: Given) -> set[str]:
    """The cards that a seat may play by the rules."""
    return {a.cards[0] for a in legal(case.judgement.state).acts if isinstance(a, Play) and a.by == seat}


def judged(*plays: str) -> Given:
    """A first trick with hearts for trumps and nothing known but the upcard; N leads."""
    return given(
        "couillon", ACCEPTED + "\n".join(f"{seat} play {card}" for seat, card in zip("NESW", plays, strict=False)),
    )


# R1, the deal
def test_R1_four_each_and_one_turned_up() -> None:
    given("couillon", DEAL).clean()
    state = given("couillon", HIDDEN + "N pass").judgement.state
    assert {seat: len(state.holding(seat)) for seat in "NESW"} == dict.fromkeys("NESW", 4)
    assert len(state.table.piles["stock"]) == 15


@pytest.mark.parametrize("deal", ["N=5x??", "upcard=7h8h"])
def test_R1_more_than_is_dealt(deal: str) -> None:
    given("couillon", "W hand 1").when(f"@ deal {deal}").finds("R1")


def test_R1_the_upcard_comes_to_no_hand() -> None:
    judged("Ac").when("E play 7h").finds("T2")


def test_R1_the_pack_of_24_is_an_option() -> None:
    assert (PACK.size, SHORT.size) == (32, 24)
    short = given("couillon", "W hand 1\n@ deal up upcard=9h\nN call accept", option={"deck": "24"})
    assert len(short.when("N play Ac").judgement.state.table.piles["stock"]) == 7
    short.when("N play 8c").finds("T1")
    with pytest.raises(UnreadableError, match="deck"):
        begin({"Game": "couillon", "Option": {"deck": "28"}})


# R2, accepting
def test_R2_once_round_from_the_dealers_left_until_one_accepts() -> None:
    given("couillon", HIDDEN).when("N pass", "E call decline", "S call accept", "N play Ac").clean()
    given("couillon", HIDDEN).when("N pass", "N call accept").finds(
        "R2", words="N has called already; there is one round",
    )
    twice = given("couillon", HIDDEN).when("N call accept", "E call accept")
    assert twice.finds("T6").judgement.state.hand.accepted == "N"
    given("couillon", HIDDEN).when("N pass", "E pass", "S pass", "W pass", "N call accept").finds("R2")


def test_R2_whoever_was_passed_over_may_have_declined_without_a_line() -> None:
    case = given("couillon", HIDDEN).when("S call accept")
    case.opens("R2")
    assert case.judgement.state.hand.accepted == "S"


def test_R2_what_nobody_wrote_leaves_trumps_open() -> None:
    case = given("couillon", HIDDEN).when("N play Ac", "E play 7s")
    case.opens("R6")
    assert (case.judgement.state.hand.trump, case.judgement.state.hand.accepted) == ("", "")


# R3, the bottom card
def test_R3_after_four_declines_the_bottom_card_makes_trumps() -> None:
    case = given("couillon", HIDDEN).when("N pass", "E pass", "S pass", "W pass")
    assert case.judgement.state.phase == "bottom"
    state = case.when("W show 9s <stock_", "N play Ac").clean().judgement.state
    assert (state.hand.trump, state.hand.accepted) == ("s", "none")
    assert PACK.faces[state.table.piles["stock"].codes()[0]] == "9s"


def test_R3_the_bottom_card_shows_that_all_have_declined() -> None:
    state = given("couillon", HIDDEN).when("N pass", "@ show 9s <stock_", "N play Ac").clean().judgement.state
    assert (state.hand.trump, state.hand.accepted, state.turn) == ("s", "none", ("E",))


def test_R3_a_lead_shows_that_it_was_turned_up() -> None:
    declined = ("N pass", "E pass", "S pass", "W pass", "N play Ac")
    state = given("couillon", HIDDEN).when(*declined).clean().judgement.state
    assert (state.hand.trump, state.hand.accepted) == ("", "none")
    known = HIDDEN + "@ deal down stock=9s14x??\n"
    assert given("couillon", known).when(*declined).judgement.state.hand.trump == "s"


def test_R3_a_bottom_card_that_was_written_late_ranks_the_trick_again() -> None:
    declined = given("couillon", HIDDEN).when("N pass", "E pass", "S pass", "W pass", "N play Ac", "E play 7s")
    state = declined.when("@ show 9s <stock_", "S play Kc", "W play 8c").judgement.state
    assert state.hand.trick.won[0].winners == ("E",)


def test_R3_nobody_names_a_suit() -> None:
    given("couillon", HIDDEN).when("N name s").finds("R3", words="no suit is named")
    assert given("couillon", HIDDEN).when("N name s", "N call accept").judgement.state.hand.trump == "h"
    declined = given("couillon", HIDDEN).when("N pass", "E pass", "S pass", "W pass", "W name s")
    assert declined.finds("R3").judgement.state.phase == "bottom"
    assert declined.when("@ show 9d <stock_").judgement.state.hand.trump == "d"


# R4, the lead
def test_R4_the_dealers_left_leads_then_whoever_won() -> None:
    given("couillon", ACCEPTED).when("N play Ac").allows()
    given("couillon", ACCEPTED).when("E play Ac").finds("R4", words="N sits left of the dealer and leads")
    judged("Kc", "Qc", "Ac", "Jc").when("S play 7s").allows()
    judged("Kc", "Qc", "Ac", "Jc").when("N play 7s").finds("R4", words="S won the last trick and leads")


def test_R4_open_until_the_card_is_seen() -> None:
    case = judged("Kc", "Qc", "??", "Jc").when("N play 7s")
    case.opens("R4")
    case.when("@ fix #6 S play Ac").finds("R4", at=8)


# R5 to R9, what may be played
def test_R5_a_trump_may_be_played_though_the_seat_could_follow() -> None:
    led = given("couillon", DEAL).when("N play Ac")
    assert cards("E", led) == {"Qc", "Th", "9h"}
    led.when("E play 9h").clean()
    assert led.when("E play 9h").about() == []


def test_R5_wrongly_denied() -> None:
    given("couillon", DEAL).when(
        "N play Ac", "E play 9h", "S fault revoke E",
    ).finds("R5", words="may be played to any trick")
    given("couillon", DEAL).when("N play Ac", "E play As", "S fault revoke E").allows()


def test_R5_wrongly_denied_to_a_hand_that_nobody_saw() -> None:
    judged("Ac", "9h").when("S fault revoke E").finds("R5")
    judged("Ac", "9c").when("S fault revoke E").finds("R9")
    given("couillon", "W hand 1\nN call accept\nN play Ac\nE play 9h\nS fault revoke E").allows()


def test_R6_kept_and_broken() -> None:
    led = given("couillon", DEAL).when("N play Ac")
    led.when("E play Qc").clean()
    led.when("E play As").finds("R6", words="clubs were led, and E holds one")


def test_R6_hidden_and_then_provable() -> None:
    case = judged("Ac", "As", "Jc", "8c")
    case.opens("R6", at=5)
    case.when("N play Kc", "E play Qc").finds("R6", at=5, known=9)
    # A trump on a plain card proves nothing, whatever comes later.
    judged("Ac", "9h", "Jc", "8c").when("E play Kc", "S play Qc", "W play Tc", "N play 9c").clean()
    assert judged("Ac", "9h").about() == []


def test_R6_a_hand_is_not_taken_for_faultless_in_which_a_plain_card_did_not_follow() -> None:
    whole = DEAL.replace("upcard=7h", "upcard=7h\n@ deal stock=7c7d8h8s9cTdTsJdJsQdQhQsKdKsAh")
    for card, faultless in (("Qc", True), ("9h", True), ("As", False)):
        opening, *log = given("couillon", whole).when("N play Ac", f"E play {card}").records
        assert isinstance(opening.event, Open)
        seen = first_look(begin(opening.event.facts), log)
        assert (seen is not None and seen.faultless) is faultless


def test_R6_an_unseen_card_may_have_been_a_trump() -> None:
    held = DEAL.replace("E=QcTh9hAs", "E=QcTh2x??").replace("N call", "N call")
    assert [f.verdict.value for f in given("couillon", held).when("N play Ac", "E play ??").about()] == ["open"]
    assert given("couillon", held).when("N play Ac", "E play ?h").about() == []
    given("couillon", held).when("N play Ac", "E play ?s").finds("R6")


def test_R6_without_trumps_recorded_it_stays_open() -> None:
    case = given("couillon", "W hand 1\n@ deal E=QcTh9hAs\nN play Ac\nE play As")
    case.opens("R6")


def test_R7_without_the_suit_any_card_is_free_and_nobody_may_deny_it() -> None:
    led = given("couillon", DEAL).when("N play Ac", "E play Qc", "S play Jc", "W play 8c", "N play Ad", "E play As")
    led.clean()
    assert cards("E", given("couillon", DEAL).when("N play Ad")) == {"Qc", "Th", "9h", "As"}
    led.when("S fault revoke E").finds("R7", words="the seat had no card of the suit led")


def test_R7_denied_to_a_hidden_hand_is_open_until_its_cards_are_seen() -> None:
    denied = judged("Ac", "9s").when("S fault revoke E")
    denied.opens("R7")
    rest = denied.when(
        "S play Kc", "W play 7c", "N play Ad", "E play Kd", "S play Qd", "W play Jd", "N play As", "E play Ks",
        "S play Qs", "W play Js",
    )
    rest.when("N play 8d", "E play 7s").finds("R7", at=6)
    revoked = rest.when("N play 8d", "E play 8c")
    revoked.finds("R6", at=5).allows(at=6)


def test_R8_trumps_that_are_led_are_followed() -> None:
    led = given("couillon", DEAL.replace("N=AcKc", "N=AhKc")).when("N play Ah")
    assert cards("E", led) == {"Th", "9h"}
    led.when("E play As").finds("R8", words="hearts were led, and E holds one")
    led.when("E play 9h").clean()
    hidden = judged("Ah", "As", "9h", "8h").when("N play Ac", "E play Th")
    hidden.finds("R8", at=5, known=9)


def test_R9_nobody_has_to_beat_anything() -> None:
    low = given("couillon", DEAL.replace("S=JcTc", "S=AhTc").replace("E=Qc", "E=Jc")).when("N play Kc", "E play 9h")
    assert cards("S", low) == {"Tc", "Ah"}
    low.when("S play Tc", "W fault revoke S").finds("R9", words="no duty to beat")


# R10 and R11, the tricks
@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("Kc Ac Qc Tc", "E"), ("8c 9c Tc 7c", "S"), ("7c As 8c Ks", "S"), ("Ac 8h Kc Qc", "E"), ("Ac 8h Th Kc", "S"),
        ("Kh Jh Ah Qh", "S"),
    ],
)
def test_R10_who_wins(trick: str, winner: str) -> None:
    case, side = judged(*trick.split()), {"N": "NS", "S": "NS", "E": "EW", "W": "EW"}[winner]
    case.when(f"@ move * <trick >won:{side}").allows()
    case.when(f"@ move * <trick >won:{'EW' if side == 'NS' else 'NS'}").finds("R10", words=f"{winner} won the trick")


def test_R11_the_hand_is_over_after_four_tricks() -> None:
    log = simulate("couillon", seed=1, hands=1)
    assert sum(isinstance(r.event, Play) for r in log) == 16
    assert fold(log).phase == "between"


# R12, in turn
def test_R12_one_card_each_clockwise() -> None:
    led = given("couillon", DEAL).when("N play Ac")
    led.when("E play Qc").allows()
    led.when("S play Jc").finds("R12", words="it is the turn of E")
    given("couillon", DEAL).when("N play AcKc").finds("R12", words="one card")


# R13 to R15, erasing
def test_R13_what_the_cards_count() -> None:
    worth = COUNTS[PACK]
    assert [worth.of[PACK.code[f"{rank}d"]] for rank in "AKQJT987"] == [4, 3, 2, 1, 0, 0, 0, 0]
    assert worth.whole(tricks=0) == 40


def told(*hands: str, **more: object) -> Given:
    """Hands of which only the result is told, dealt by W, N, E and S in turn."""
    lines = [f"{'WNES'[i % 4]} hand {i + 1}\n@ tally {facts}" for i, facts in enumerate(hands)]
    return given("couillon", "\n".join(lines), **more)


NS, EW, TIE = (
    "declarer=N points.NS=13 points.EW=9", "declarer=E points.NS=9 points.EW=13", "declarer=E points.NS=9 points.EW=9"
)


def test_R13_the_side_with_more_erases_a_line() -> None:
    told(NS).clean().totals(NS=4, EW=5)
    told(EW).clean().totals(NS=5, EW=4)
    told("declarer=none points.NS=0 points.EW=1").totals(NS=5, EW=4)


@pytest.mark.parametrize("facts", ["points.NS=41", "points.NS=-1", "points.NS=30 points.EW=11"])
def test_R13_figures_that_cannot_be(facts: str) -> None:
    told(facts).finds("R13")


def test_R14_a_side_that_accepted_and_lost_adds_a_mark() -> None:
    told("declarer=E points.NS=13 points.EW=9").totals(NS=4, EW=6)
    told("declarer=none points.NS=13 points.EW=9").totals(NS=4, EW=5)
    told("points.NS=13 points.EW=9").totals(NS=4, EW=None)
    assert told("points.NS=13 points.EW=9").judgement.state.scores[0].unknown == ("who accepted trumps",)


def test_R15_after_a_tie_the_next_decided_hand_counts_double() -> None:
    told(TIE).totals(NS=5, EW=5)
    told(TIE, NS).totals(NS=3, EW=5)
    told(TIE, TIE, NS).totals(NS=3, EW=5)
    told(TIE, NS, NS).totals(NS=2, EW=5)
    told("declarer=none points.NS=0 points.EW=0", EW).totals(NS=5, EW=3)


def test_R15_a_mark_is_not_doubled_but_by_the_house_rule() -> None:
    lost = (TIE, "declarer=E points.NS=13 points.EW=9")
    told(*lost).totals(NS=3, EW=6)
    told(*lost, option={"double_penalty": "yes"}).totals(NS=3, EW=7)


def test_R15_a_hand_that_does_not_count_leaves_the_double() -> None:
    told(TIE, "void=misdeal", NS).totals(NS=3, EW=5)


def test_R15_after_a_hand_nobody_knows_the_strokes_are_open() -> None:
    told("points.NS=13", NS).totals(NS=None, EW=None)
    # Only one line stands: double or not, it is erased.
    state = told(NS, NS, NS, NS, TIE, NS).judgement.state
    assert (state.standing.winner, dict(state.standing.totals)) == ("NS", {"NS": 0, "EW": 5})


def test_R15_a_claim_says_the_strokes_left() -> None:
    case = told(TIE, NS)
    assert claim_differences(score_match(case.when("@ claim NS=3 EW=5").records)) == []
    wrong = score_match(case.when("@ claim NS=4 EW=5").records)
    assert [(c.who, c.claimed, c.computed) for c in claim_differences(wrong)] == [("NS", 4, 3)]


def test_R15_a_ruling_gives_strokes_back() -> None:
    score = score_match(told(NS).when("E dispute #2", "@ ruling #3 points.NS=1").records)
    assert (score.ways["played"].totals, score.ways["ruled"].totals) == ({"NS": 4, "EW": 5}, {"NS": 5, "EW": 5})


# R16 and R17
def test_R16_the_deal_passes_to_the_left() -> None:
    told(TIE).when("N hand 2").allows()
    told(TIE).when("E hand 2").finds("R16", words="N deals, not E")


def test_R17_whoever_has_nothing_left_to_erase_wins() -> None:
    state = told(*[NS] * 5).clean().judgement.state
    assert (state.ended, state.standing.winner) == ("won", "NS")
    assert told(*[NS] * 4).judgement.state.standing.winner == ""
    assert told(NS, option={"lines": 1}).judgement.state.standing.winner == "NS"


def test_the_sheet_is_a_slate_with_lines_that_are_erased() -> None:
    sheet = sheet_of(told(NS, "declarer=N points.NS=9 points.EW=13", NS).records)
    slate = sheet.blocks[0]
    assert [[(cell.text, cell.mark) for cell in row.cells] for row in slate.rows] == [
        [("1", ""), ("hand 1", "erased"), ("hand 2", "erased")], [("2", ""), ("hand 3", "erased"), ("", "line")],
        [("3", ""), ("", "line"), ("", "line")], [("4", ""), ("", "line"), ("", "line")],
        [("5", ""), ("×", "line"), ("", "line")], [("left", ""), ("3 lines and a mark left", ""), ("4 lines left", "")],
    ]  # fmt: skip


# At the table
def test_a_bare_card_after_four_passes_is_the_bottom_card() -> None:
    session = Session(given("couillon", HIDDEN).when("N pass", "E pass", "S pass", "W pass").records)
    for typed in ("9s", "s 9s"):
        assert [write_event(r.event).partition(" ")[2] for r in session.complete(typed).events] == ["show 9s <stock_"]


def test_after_a_gap_anything_goes_until_the_hand_is_over() -> None:
    given("couillon", DEAL).when("N play Ac", "@ gap", "W play As", "S play Kd", "N call accept").clean()


# The referee: a second opinion, written from the rule text alone
TABLES: dict[str, dict[str, str]] = {
    "usual": {}, "24 cards": {"deck": "24"}, "two marks": {"double_penalty": "yes"}, "one line": {"lines": "1"},
    "ten lines": {"lines": "10"},
}  # fmt: skip


def refereed(records: list[Recorded], table: str) -> tuple[Referee, int]:
    """The same lines, read by the referee."""
    options = TABLES[table]
    referee = Referee(
        list("NESW"), int(options.get("lines", 5)), int(options.get("deck", 32)), options.get("double_penalty") == "yes"
    )
    return referee, referee.read([write_event(r.event) for r in records[1:]])


def options_of(table: str) -> dict[str, object]:
    """The options of a table, as a simulated match takes them."""
    return {k: {"yes": True}.get(v, int(v) if k == "lines" else v) for k, v in TABLES[table].items()}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("seed", seeds(2, 100))
def test_the_referee_agrees_about_legal_matches(seed: int, table: str) -> None:
    """What the cards of each hand counted, who won it, the strokes left, and the match."""
    records = simulate("couillon", seed=seed, options=options_of(table))
    referee, wrong = refereed(records, table)
    state = fold(records)
    assert wrong == 0
    assert [dict(score.lines[0].amounts) for score in state.scores] == referee.hands
    won = ["" if s.result == "tie" else next(who for who, n in s.points.items() if (n or 0) < 0) for s in state.scores]
    assert (won, dict(state.standing.totals)) == (referee.winners, referee.strokes)
    assert state.standing.winner == referee.winner() != ""


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("seed", seeds(3, 200))
def test_the_referee_agrees_about_the_first_breach(seed: int, table: str) -> None:
    """What the page calls broken first, the referee does, and nothing before it."""
    records, _ = simulate_breaches("couillon", seed=seed, p=0.1, hands=2, options=options_of(table))
    _, wrong = refereed(records, table)
    assert wrong == min((f.at.pos for f in judge(records).broken), default=0)


def test_every_duty_of_the_cards_is_broken_now_and_then() -> None:
    """If this failed, the two would agree about less than they seem to."""
    found = Counter(
        f.rule for seed in range(12) for f in judge(simulate_breaches("couillon", seed=seed, p=0.2, hands=2)[0]).broken
    )
    assert {"couillon.R3", "couillon.R6", "couillon.R8"} <= set(found), found


@pytest.mark.parametrize(("seed", "typed"), [(0, "Qh"), (1, "Qc"), (2, "Ah")])
def test_a_mistyped_upcard_is_offered_before_anybody_is_accused(seed: int, typed: str) -> None:
    """With other trumps the real winners seem to lead out of turn: the card turned up may be typed wrong."""
    log = hide(simulate("couillon", seed=seed, hands=1))
    at = next(r.n for r in log if isinstance(r.event, Deal) and r.event.face == "up")
    wrong = Deal(by="@", face="up", piles=(("upcard", (typed,)),))
    mended = check([replace(r, event=wrong) if r.n == at else r for r in log])
    assert any(f.rule == "couillon.R4" for f in mended.findings)
    assert at in {offer.at for offer in mended.repairs}


def test_R4_a_lone_lead_out_of_turn_may_come_of_a_card_easily_typed_for_another() -> None:
    """With the ace of trumps, a diamond, North would have won the trick before; the ace of spades is typed as
    easily."""
    dealt = "N hand 1\n@ deal E=4x?? S=4x?? W=4x?? N=4x??\n@ deal up upcard=Qd\nN call accept\n"
    first = dealt + "E play 8d\nS play Kd\nW play 9h\nN play {}\nN play 8c\nE play Td\nS play Ac\nW play Jc"
    offers = check(given("couillon", first.format("As")).records).repairs
    assert any(offer.lines == ("@ fix #8 N play ??",) for offer in offers)
    # No card like the seven of spades beats the king of trumps: then the lead was out of turn.
    alone = check(given("couillon", first.format("7s")).records)
    assert any(f.rule == "couillon.R4" and f.unless is None for f in alone.broken)


@pytest.mark.parametrize(("facts", "broken"), [("points.NS=39 points.EW=1", True), ("points.NS=40", False), (
    "points.NS=36 points.EW=4", False,
),
                                               (
                                                   "points.NS=37 points.EW=3", True,
                                               ), ("points.NS=0 points.EW=0", False)])  # fmt: skip
def test_R13_a_side_has_the_cards_of_its_tricks(facts: str, broken: bool) -> None:
    """Three tricks have twelve cards, which count 36 at most."""
    case = given("couillon", "W hand 1").when(f"@ tally declarer=S {facts}")
    assert [f.rule for f in case.judgement.broken] == ["couillon.R13"] * broken
