"""The audit: proofs that can be followed, open questions with what would settle them, deals put together again."""

from __future__ import annotations

import re
from collections import Counter
from functools import partial
from pathlib import Path
from random import Random

import pytest
from given import deal_of, given, log
from hypothesis import given as hypothesis_given
from hypothesis import settings
from hypothesis import strategies as st
from msgspec.structs import replace
from sampling import a_few, each_game, sampled

from cli.reading import check_lines
from events.errors import NotFoundError
from events.kib import read_kib
from events.model import Deal, End, Hand, Play, Recorded
from reducers.first_state import begin
from reducers.registry import games_with_cards
from replay.auditing.about_event import about
from replay.auditing.audit import audit, audit_of
from replay.auditing.audit_shapes import Audit, ReconstructedDeal
from replay.auditing.audit_text import about_lines, audit_lines
from replay.auditing.check import check
from replay.auditing.proof import HindsightReplay
from replay.few_holes import make_holes
from replay.judging import dating
from replay.judging import repairs as suggesting
from replay.judging.correction import MAX_QUESTIONS_TOLD
from replay.judging.findings import OF_THE_RECORD, questions_asked
from replay.judging.judge import judge
from replay.paper.report import report
from replay.read_log import read_log as read_log
from replay.redact import hide
from replay.simulate import simulate, simulate_breaches
from replay.table.session import Session
from replay.testing.corpus import corpus

EVENING = list(
    read_kib((Path(__file__).parents[2] / "examples" / "kaiser-evening.kib").read_text(encoding="utf-8")).records
)
BIDDING = "W hand 1\nN bid 7\nE pass\nS pass\nW pass\nN name s\n"


def kaiser(lines: str, **tags: str) -> list[Recorded]:
    """A hand of Kaiser, the contract N 7 ♠."""
    return log("kaiser", BIDDING + lines, Seats="N E S W", Dealer="W", **tags)


def text_of(found: Audit) -> str:
    """The audit on one line."""
    return " ".join(" ".join(audit_lines(found)).split())


def cards_of(deal: ReconstructedDeal, how: str = "") -> dict[tuple[str, int], set[str]]:
    """The cards of each packet, or those known in one way."""
    return {(p.pile, p.at): {c.card for c in p.cards if how in ("", c.how)} for p in deal.packets}


# -- proofs -----------------------------------------------------------------------------------------------------------


def test_a_revoke_is_proved_by_the_way_of_the_card() -> None:
    """Dealt, kept, shown: the chain names each position, and who could know it when."""
    (revoke, claim) = audit(EVENING, hand=3).broken
    assert revoke.rule == "kaiser.R11"
    assert (revoke.at.pos, revoke.known_from.pos if revoke.known_from else 0) == (96, 118)
    assert revoke.because == ("W held J♦ at 96: dealt at 85, no card taken since, played at 118",)
    assert [link.pos for link in revoke.chain] == [85, 96, 118]
    assert revoke.legal == ("J♦",)
    assert revoke.cost == "the rules of Kaiser name no penalty"
    assert claim.rule == "table.T9"


def test_a_deal_nobody_wrote_is_called_so() -> None:
    """The chain begins where the cards came, also where that is inferred."""
    (found,) = audit(kaiser("N play Kh\nE play 8c\nS play 8h\nW play 9h\nN play Ah\nE play Th\n")).broken
    assert found.because[0].startswith("E held 10♥ at 8: dealt before 2, no card taken since, played at 12")
    assert found.knew == "from event 12 (by E at once, from the own cards)"


@pytest.mark.parametrize(
    ("game", "draw", "known", "hidden"),
    [
        ("rumino", "A draw ??", "", 7), ("kowah", "A draw ??", "", 8), ("rumino", "A draw 9h", "8s", 6),
        ("machiavelli", "A draw 9h", "4s3s2s", 10), ("machiavelli", "A draw ??", "", 13),
        ("rumino", "A discard 9h", "", 7), ("zetema", "A discard 9h", "", 6),
    ],
)  # fmt: skip
def test_whoever_draws_first_was_dealt_cards_though_nobody_wrote_it(
    game: str, draw: str, known: str, hidden: int,
) -> None:
    """If this failed, the deal as reconstructed would be without the first player, or have that packet at a later
    turn."""
    later = (
        "B draw ??\nC draw ??\nA meld 2s3s4s\n" if game == "machiavelli"
        else "A discard 8s\nB discard 8h\nC discard 7d\nA discard 7c\n"
    )
    packets = {packet.pile: packet for packet in deal_of(log(game, draw + "\n" + later, Seats="A B C"), 1).packets}
    assert [*packets] == ["A", "B", "C"]
    assert packets["A"].at == 1
    assert "".join(card.card for card in packets["A"].cards) == known + "??" * hidden


@pytest.mark.parametrize(
    ("game", "acts"),
    [
        ("machiavelli", "A meld 3s4s6s\nB call fail A\nA draw 2x??\nB draw ??\n"),
        ("machiavelli", "A meld 3s4s6s\nB call fail A\nB draw ??\n"),
        ("zetema", "A draw ??\nA meld KhQh\nB draw ??\nB discard 9h\n"),
        ("zetema", "A draw ??\nA discard 9c\nB show 2s3d4s5s6s7s\nB discard 2s\n"),
    ],
)  # fmt: skip
def test_cards_drawn_though_nobody_wrote_it_are_no_second_deal(game: str, acts: str) -> None:
    """If this failed, a deal would have a packet more for whoever drew a penalty, or filled up, without a word of
    it."""
    dealt = {"machiavelli": "13", "zetema": "6"}[game]
    lines = f"C hand 1\n@ deal A={dealt}x?? B={dealt}x?? C={dealt}x??\n@ deal down stock=40x??\n"
    assert [packet.pile for packet in deal_of(log(game, lines + acts, Seats="A B C"), 1).packets] == ["A", "B", "C"]


def test_with_open_hands_it_was_known_at_once() -> None:
    """A card that was seen when it was dealt needs no later proof; where it went is told all the same."""
    deal = "@ deal N=KhAh6x?? E=Th8c6x?? S=8x?? W=8x??\n"
    lines = BIDDING.replace(
        "N bid", deal + "N bid",
    ) + "N play Kh\nE play 8c\nS play 8h\nW play 9h\nN play Ah\nE play Th\n"
    (found,) = audit(log("kaiser", lines, Seats="N E S W", Dealer="W")).broken
    assert found.knew == "at once"
    assert found.because == ("E held 10♥ at 9: dealt at 2, played at 13",)


def test_a_trail_in_scopa_is_proved_by_the_board() -> None:
    """No hindsight is needed: what could have been taken lay there, and the audit says since when."""
    (found,) = audit(
        log("scopa", "B hand 1\n@ deal up board=4d2c6hKs\nA play 5c\nB play 4s\n", Seats="A B", Dealer="B")
    ).broken
    assert found.rule == "scopa.R5"
    assert found.middle == "board: K♠ 6♥ 4♦ 5♣ 2♣"
    assert found.because == ("4♦ lay on the board at 4: dealt at 2",)
    assert found.knew == "at once"
    assert "takes 4♦ with 4♠" in found.legal
    assert not found.complete


def test_a_joker_thrown_too_early_is_proved_by_the_suit_shown_later() -> None:
    """Bridge Solitaire: hidden cards, a joker on a club lead, and a club four tricks later."""
    lines = """
    P hand 1
    @ deal down reserve:P=7x??
    @ deal up board=13x??
    P draw 6x?? <board
    P discard 7x?? <board
    P draw 7x?? <reserve:P
    H pass
    P bid 1h
    H play 3c <stock
    P play Jo
    P play Ah
    H play 2h <stock
    P play Kh
    H play 4h <stock
    P play Qh
    H play 5h <stock
    P play 8c
    """
    found = [f for f in audit(log("bridge-solitaire", lines, Seats="P H")).broken if f.rule == "bridge-solitaire.R9"]
    assert [(f.at.pos, f.known_from.pos if f.known_from else 0) for f in found] == [(10, 17)]
    assert "P held 8♣ at 10" in found[0].because[0]
    assert found[0].because[0].endswith("played at 17")
    assert found[0].middle == "trick: H 3♣ (9)"


def test_a_contradiction_of_the_record_costs_nobody_anything() -> None:
    """The same card twice: both positions are named, and nobody is called a cheat."""
    found = audit(kaiser("N play Kh\nE play Ah\nS play 8h\nW play Kh\n"))
    first = found.broken[0]
    assert first.rule == "table.T2"
    assert [link.pos for link in first.chain] == [7, 10]
    assert first.cost == "none: it is the record that cannot be as it stands"


# -- open questions


def test_an_open_question_says_whose_cards_would_settle_it() -> None:
    """Counted at that position, from the state then."""
    (question,) = audit(kaiser("N play Kh\nE play 8c\n")).open
    assert question.rule == "kaiser.R11"
    assert question.settles == ("the hand of E at event 8: 7 of the 8 cards",)
    assert question.cost == ""
    assert question.because == ()


def test_of_a_half_known_hand_only_the_rest_is_asked_for() -> None:
    """What later cards show is no part of the question any more, and few candidates are named."""
    deal = "@ deal N=AcKcQcJcTc9c8c7c E=AdKd6x?? S=8x?? W=AsKsQsJsTs9s8s3s\n"
    lines = BIDDING.replace("N bid", deal + "N bid") + "N play Ac\nE play Ad\nS play ??\n"
    found = audit(log("kaiser", lines, Seats="N E S W", Dealer="W"))
    assert 9 not in [f.at.pos for f in found.open]  # no club is left for East: that is certain
    deal = "@ deal N=AcKcQcJcTc9c8cAh E=AdKd6x?? S=8x?? W=AsKsQsJsTs9s8s3s\n"
    lines = BIDDING.replace("N bid", deal + "N bid") + "N play Ac\nE play Ad\n"
    (question,) = audit(log("kaiser", lines, Seats="N E S W", Dealer="W")).open
    (says,) = question.settles
    assert says.startswith("the hand of E at event 9: 6 of the 8 cards, out of ")
    assert "7♣" in says
    assert "A♣" not in says


def test_an_unseen_card_that_was_played_is_asked_for_itself() -> None:
    """Whoever remembers the card answers the question."""
    found = audit(kaiser("N play Kh\nE play ??\n"))
    assert any("an unseen card of event 8, if somebody can name it" in text for f in found.open for text in f.settles)


def questions_told(records: list[Recorded]) -> Counter[str]:
    """How many lines of open questions there are for each hand."""
    lines = questions_asked(judge(records).open)
    return Counter(match[1] for line in lines if (match := re.search(r"hand (\d+), event", line)))


def test_a_question_that_recurs_with_one_cause_is_asked_once() -> None:
    """One card of a long hand that nobody saw would ask hundreds of questions."""
    whole = simulate("play-or-pay", seed=1, hands=1)
    at = next(r.n for r in whole if isinstance(r.event, Play))
    records = [
        replace(r, event=replace(r.event, cards=("??",))) if r.n == at and isinstance(r.event, Play) else r
        for r in whole if not isinstance(r.event, Deal)
    ]
    found = check(records).open
    assert len(found) > 5 * MAX_QUESTIONS_TOLD
    lines = questions_asked(found)
    assert len(lines) <= MAX_QUESTIONS_TOLD
    # Every question is in one of the lines, by its rule.
    assert {f.rule for f in found} <= {word for line in lines for word in line.split()}


@sampled("game, seed", games_with_cards(), range(2), each=1, soak=range(2, 40))
def test_one_hole_asks_few_questions(game: str, seed: int) -> None:
    """Whoever reads a check would find the one question among hundreds that say the same."""
    whole, truth = simulate_breaches(game, seed=f"hole-{seed}", p=0, hands=1)
    for i in range(3):
        hole = make_holes(whole, whole, truth, Random(f"{game}-{seed}-{i}"), holes=1)
        if hole is not None:
            told = questions_told(list(hole.log))
            assert all(n <= MAX_QUESTIONS_TOLD for n in told.values()), (hole.what, told)


@pytest.mark.rest
def test_exact_counts_worlds_beside_each_question() -> None:
    """How many of how many, and whether these are all or a sample."""
    deal = "@ deal N=AcKcQcJcTc9c8cAh E=AdKdQdJdTd9d8d?? S=7d5hKhQhJhTh9h?? W=AsKsQsJsTs9s8s3s\n"
    lines = BIDDING.replace("N bid", deal + "N bid") + "N play Ac\nE play Ad\n"
    found = audit(log("kaiser", lines, Seats="N E S W", Dealer="W"), second=True)
    (question,) = found.open
    assert question.exact is not None
    assert (question.exact.worlds, question.exact.broken, question.exact.complete) == (2, 1, True)
    assert question.exact.text == "open: broken in 1 of 2 worlds"
    sampled = audit(kaiser("N play Kh\nE play 8c\n"), second=True)
    assert not sampled.exact[0].complete
    assert "a sample proves only that something is open" in sampled.exact[0].text


# -- about one event


def test_about_tells_seen_shown_later_inferred_and_unknown_apart() -> None:
    """What was held at a moment, by the source of the knowledge."""
    told = about(EVENING, 96)
    west = next(h for h in told.held if h.pile == "W")
    assert (west.count, set(west.later), west.seen, west.hidden) == (
        7, {"8s", "3s", "Jh", "Th", "5h", "Jd", "9c"}, (), 0,
    )
    assert told.verdict == "broken"
    assert {r.rule: r.verdict for r in told.rules}["kaiser.R10"] == "allowed"
    early = about([r for r in EVENING if r.n <= 96], 96)
    west = next(h for h in early.held if h.pile == "W")
    assert (west.hidden, early.verdict) == (6, "open")
    assert set(west.later) == {"9c"}


def test_about_any_event_says_something() -> None:
    """Openings, deals, corrections and claims too; a position that is not there is refused."""
    for r in EVENING:
        assert next(iter(about_lines(about(EVENING, r.n)))).startswith("event")
        if r.n > 8:
            break
    with pytest.raises(NotFoundError):
        about(EVENING, 999)


# -- the deal


def test_a_card_nobody_saw_is_inferred_and_marked() -> None:
    """Seven seen, one by elimination: certain and inferred are told apart."""
    deal = deal_of(EVENING, 6)
    inferred = {key: cards for key, cards in cards_of(deal, "inferred").items() if cards}
    assert inferred == {("E", 134): {"9d"}}
    assert deal.complete


def test_a_hand_that_was_not_played_stays_unknown() -> None:
    """Four passes show nothing."""
    deal = deal_of(EVENING, 7)
    assert not deal.complete
    assert {c.how for p in deal.packets for c in p.cards} == {"unknown"}
    assert len(deal.packets) == 4


def test_two_cards_nobody_saw_stay_unknown_with_their_faces() -> None:
    """No guess: both faces are named for both places."""
    hidden = hide(simulate("kaiser", seed=5, hands=1))
    plays = [r for r in hidden if r.event.__struct_config__.tag == "play"]
    first, second = plays[0], next(r for r in plays if r.event.by != plays[0].event.by and r.n > plays[4].n)
    lost = {first.n, second.n}
    cut = [Recorded(n=r.n, event=type(r.event)(by=r.event.by, cards=("??",))) if r.n in lost else r for r in hidden]
    deal = deal_of(cut, 1)
    unknown = [p for p in deal.packets if any(c.how == "unknown" for c in p.cards)]
    faces = {c for r in plays if r.n in lost for c in r.event.cards}
    if unknown:
        assert all(set(p.may_be) == faces for p in unknown)
    else:
        assert all(c.how != "certain" for p in deal.packets for c in p.cards if c.card in faces)


@hypothesis_given(st.integers(0, 10_000))
@settings(max_examples=12, deadline=None, derandomize=True)
def test_a_hidden_hand_played_to_the_end_gives_back_the_open_deal(seed: int) -> None:
    """The whole pack was played, so the auditor knows every deal, and calls nothing inferred that was seen."""
    records = simulate("kaiser", seed=seed, hands=2)
    hidden = hide(records)
    for r in records:
        if not isinstance(r.event, Deal):
            continue
        number = 1 if r is next(x for x in records if isinstance(x.event, Deal)) else 2
        played = sum(1 for x in records if x.n > r.n and x.event.__struct_config__.tag == "play")
        if played < 32:
            continue
        open_deal = {(name.removeprefix("hand:"), r.n): set(cards) for name, cards in r.event.piles}
        deal = deal_of(hidden, number)
        if cards_of(deal) == open_deal:
            assert {c.how for p in deal.packets for c in p.cards} == {"certain"}
        else:
            assert not deal.complete  # the hand was thrown in before a card was played


@hypothesis_given(st.integers(0, 10_000))
@settings(max_examples=12, deadline=None, derandomize=True)
def test_every_packet_of_a_hidden_hand_of_scopa_comes_back(seed: int) -> None:
    """Six deals of three, each known once its cards were played."""
    records = simulate("scopa", seed=seed, hands=1)
    open_deals = deal_of(records, 1)
    hidden_deals = deal_of(hide(records), 1)
    assert open_deals.complete
    if any(isinstance(r.event, End) for r in records):
        return  # three kings: the hand was thrown in, and nobody saw what was dealt
    assert hidden_deals.complete
    assert cards_of(hidden_deals) == cards_of(open_deals)
    assert sum(len(cards) for cards in cards_of(hidden_deals).values()) == 40


@pytest.mark.parametrize("game", ["scopa", "stealing-bundles", "xeri"])
def test_hands_of_which_nobody_wrote_the_deal_come_back_though_the_board_was_written(game: str) -> None:
    """Both players' first cards come back with the plays, as those of the later deals do: whose packet they are is
    plain."""
    records = simulate(game, seed=2, hands=1)
    end = next((r.n for r in records if isinstance(r.event, Hand) and r.event.number == 2), len(records))
    events = [
        r.event for r in records[:end]
        if not (isinstance(r.event, Deal) and not any(pile == "board" for pile, _ in r.event.piles))
    ]
    boards = [
        replace(e, piles=tuple((p, c) for p, c in e.piles if p == "board")) if isinstance(e, Deal) else e
        for e in events
    ]
    unwritten = deal_of([Recorded(n=n, event=event) for n, event in enumerate(boards)], 1)
    assert unwritten.complete
    written = deal_of(records, 1)
    assert [
        {c.card for c in p.cards} for p in unwritten.packets
    ] == [{c.card for c in p.cards} for p in written.packets]


def test_no_hand_no_deal() -> None:
    """A hand that is not there is refused."""
    with pytest.raises(NotFoundError, match="no hand 9"):
        audit(EVENING, hand=9)
    with pytest.raises(NotFoundError, match="no hand 9"):
        audit(EVENING, hand=9)
    assert "no rule was broken in hand 1" in text_of(audit(EVENING, hand=1))


def test_a_chain_is_told_in_the_same_order_each_time() -> None:
    """If this failed, one deal that gave cards to two holders would be told in another order whenever the program
    starts."""
    (one,) = corpus("botifarra", "late", False, [11], most=120)
    chains = [f.chain for f in audit(one.log).broken if len({link.pos for link in f.chain}) < len(f.chain)]
    assert chains
    assert all(list(chain) == sorted(chain, key=lambda link: (link.pos, link.text)) for chain in chains)


def test_columns_that_are_dealt_stand_in_a_row_of_their_player() -> None:
    """If this failed, the deal of Turnover Bridge would be two dozen lines, each with a name that only a recorder
    types."""
    example = Path(__file__).parents[2] / "examples" / "turnover-bridge-porch.kib"
    lines = list(audit_lines(audit(list(read_kib(example.read_text(encoding="utf-8")).records))))
    at = next(i for i, line in enumerate(lines) if line.startswith("deal"))
    assert " ".join(lines[at + 1].split()) == "columns 1 to 12 of A 8♦ 3♠ 9♣ J♥ J♠ 10♦ 3♥ A♣ 2♠ Q♣ 4♥ 4♠ (at 2)"


def test_a_card_that_is_passed_on_is_none_of_the_deal() -> None:
    """If this failed, a card would be said to be dealt to whoever had it before a pass, and to whoever had it after."""
    lines = [
        "A hand 2", "A move ?? >B", "B move ?? >A", "A move 8d >B", "B move Td >A", "A name d", "A play 2c",
        "B play Ac", "C play Jc", "B play 8d",
    ]
    before = "A hand 1\n@ tally tricks.A=9 tricks.B=4 tricks.C=4\n"
    unwritten = deal_of(given("pluck", before).when(*lines).records, 2)
    assert {
        packet.pile: [card.card for card in packet.cards] for packet in unwritten.packets
    } == {seat: ["??"] * 17 for seat in "ABC"} | {
        "C": ["Jc", *["??"] * 16]
    }
    written = deal_of(given("pluck", before).when(lines[0], "@ deal A=17x?? B=17x?? C=17x??", *lines[1:]).records, 2)
    assert {
        packet.pile: {card.card for card in packet.cards if card.how == "certain"} for packet in written.packets
    } == {"A": set(), "B": set(), "C": {"Jc"}}


def test_cards_passed_on_in_a_round_that_nobody_wrote_are_no_second_deal() -> None:
    first = ["D discard 3c", "A discard 6c", "B discard 3s", "C discard 8h", "D discard 4c"]
    (packets,) = [deal_of(given("dingo", "D hand 1").when(*first).records, 1).packets]
    assert [(packet.pile, packet.at, len(packet.cards)) for packet in packets] == [(seat, 2, 10) for seat in "ABCD"]
    assert {packet.pile: packet.cards[0].card for packet in packets} == {"A": "6c", "B": "3s", "C": "8h", "D": "3c"}


def test_what_lies_below_a_card_that_was_played_is_none_of_a_second_deal() -> None:
    """And a card that lay open in a column was not dealt to the hand as well."""
    up = "@ deal up col:A:1..12=8d3s9cJhJsTd3hAc2sQc4h4s col:B:1..12=Qh5sJdQsThKsAs7c3c9hTcJc"
    lines = [
        "B hand 1", up, "A play 3s", "A show 8c <col:A:2", "B play Qs", "B play Tc", "A play 8c", "B play Jc",
        "A play Qc", "B play Kd",
    ]
    packets = deal_of(given("turnover-bridge").when(*lines).records, 1).packets
    assert {packet.at for packet in packets} == {2, 3}
    assert [
        (packet.pile, [card.card for card in packet.cards]) for packet in packets if packet.at == 3
    ] == [("A", ["??", "??"]), ("B", ["??", "??"])]


@pytest.mark.parametrize(
    "game",
    [
        "kaiser",
        *(pytest.param(game, marks=pytest.mark.rest) for game in ("burraco", "pontoon", "scopa", "yaniv", "xeri")),
    ]
)
def test_a_hand_is_audited_alone_as_among_the_others(game: str) -> None:
    """If this failed, `audit --hand N` would say something else of the hand than `audit` does."""
    records = hide(simulate_breaches(game, seed=1, p=0.1, hands=2)[0])
    whole = check(records)
    assert whole.findings
    assert not whole.cuts
    for hand in range(1, whole.state.number + 1):
        assert audit(records, hand=hand) == audit_of(HindsightReplay(read_log(records)), whole, hand=hand)


def test_only_the_hand_asked_for_and_the_one_before_it_are_corrected(monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, a page about one hand would take as long as all pages about a long match together."""
    looked: list[int] = []
    usual = suggesting._one_after_the_other
    monkeypatch.setattr(
        suggesting, "_one_after_the_other",
        lambda stretch, *rest: (looked.append(stretch.hand), usual(stretch, *rest))[1],
    )
    records = log("kaiser", "".join(f"N hand {n}\n@ deal N=7h\n" for n in range(1, 9)))
    audit(records)
    assert set(looked) == set(range(1, 9))
    for ask in (partial(audit, records, hand=5), partial(report, records, 5)):
        looked.clear()
        ask()
        assert set(looked) == {4, 5}


def test_only_the_findings_of_the_hand_asked_for_are_dated(monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, a page about one hand would judge shorter logs for the findings of all others."""
    dated: list[int] = []
    usual = dating.Dating._first_known
    monkeypatch.setattr(
        dating.Dating, "_first_known", lambda self, finding: (dated.append(finding.at.hand), usual(self, finding))[1],
    )
    records = hide(simulate_breaches("kaiser", seed=3, p=0.2, hands=4)[0])
    plays = [r.n for r in records if isinstance(r.event, Play)]
    clashing = [
        replace(r, n=n)
        for n, r in enumerate(r for one in records for r in [one] * (2 if one.n in (plays[40], plays[100]) else 1))
    ]
    whole = check(clashing)
    assert len(set(dated)) > 1, "the control: findings of several hands are dated"
    for hand in sorted(set(dated)):
        dated.clear()
        assert audit(clashing, hand=hand) == audit_of(HindsightReplay(read_log(clashing)), whole, hand=hand)
        assert set(dated) == {hand}


# -- entered twice

RESULT = "@ tally declarer=N five=NS level=7 three=NS tricks.NS={} trump=h"


def by(recorder: str, records: list[Recorded]) -> list[Recorded]:
    return [replace(r, recorder=recorder) for r in records]


@pytest.mark.parametrize(
    ("numbers", "between", "asked"),
    [
        ((1, 2, 3), "", []),
        ((4, 5, 6), "", []),  # a record may begin with a later hand
        ((1, 1, 2), "", ["hand 1 was begun before; if this is hand 2, `fix 3 N hand 2`"]),
        ((1, 2, 4), "", ["hand 3 is missing; if this is hand 3, `fix 5 E hand 3`; if not, `fix 4+ gap`"]),
        ((1, 3, 4), "@ gap", []),  # whole hands may lie in it
    ],
)
def test_a_hand_number_that_repeats_or_skips_is_asked_about(
    numbers: tuple[int, ...], between: str, asked: list[str],
) -> None:
    """If this failed, a hand that was entered twice would count twice, without a word."""
    parts = [
        f"{seat} hand {number}\n{RESULT.format(7 - number % 3)}\n" for seat, number in zip("WNE", numbers, strict=True)
    ]
    found = check(log("kaiser", parts[0] + between + "\n" + "".join(parts[1:])))
    said = [f.text for f in found.findings if f.rule == "table.T14"]
    assert len(said) == len(asked)
    assert all(text.startswith(start) for text, start in zip(said, asked, strict=True)), said
    assert not found.broken
    lines = list(check_lines("m", found))
    assert sum("T14" in line for line in lines) == len(asked), "told without being asked for"


@pytest.mark.parametrize(
    ("first", "second", "recorders", "asked"),
    [
        (7, 6, ("Ann's phone", "Bo"), True),
        (7, 7, ("Ann's phone", "Bo"), True),
        (7, 6, ("Bo", "Bo"), False),  # one recorder tells one hand after the other
        (7, 6, ("", "Bo"), False),
    ],
)
def test_one_hand_that_two_recorders_told_is_asked_about(
    first: int, second: int, recorders: tuple[str, str], asked: bool,
) -> None:
    """If this failed, two scorers who both send the result would make two hands of it."""
    whole = log("kaiser", f"W hand 1\n{RESULT.format(first)}\nN hand 2\n{RESULT.format(second)}\n")
    records = [*by(recorders[0], whole[:3]), *by(recorders[1], whole[3:])]
    said = [f.text for f in check(records).findings if f.rule == "table.T14"]
    assert said == (
        [
            "Ann's phone recorded hand 1 at 2, and Bo recorded much the same; if it is one hand, `fix 3-` and `fix 4-`"
        ] if asked
        else []
    )
    other = log("kaiser", f"W hand 1\n{RESULT.format(7)}\nN hand 2\n{RESULT.format(6).replace('=h', '=c')}\n")
    other = [*by("Ann's phone", other[:3]), *by("Bo", other[3:])]
    assert not [f for f in check(other).findings if f.rule == "table.T14"], "another contract is another hand"


@pytest.mark.parametrize(
    "example", a_few(sorted((Path(__file__).parents[2] / "examples").glob("*.kib")), 10), ids=lambda path: path.stem,
)
def test_a_finding_names_who_did_what(example: Path) -> None:
    """If this failed, `check` would say which rule was broken, and a reader would have to look up by whom and with
    which card."""
    judgement = check(read_kib(example.read_text(encoding="utf-8")).records)
    seats = judgement.state.terms.seats
    for f in judgement.findings:
        if f.rule not in OF_THE_RECORD and f.act.split(" ")[0] in seats and " hand " not in f.act:
            assert f.says.startswith(f"{f.act.split(' ')[0]} "), f.says
            assert f.text in f.says


@each_game(games_with_cards(), short=3)
def test_answers_and_findings_go_by_names(game: str) -> None:
    """If this failed, a player would be told of as a letter: in the answer to a line, in a finding, or in an open
    question."""
    terms = begin({"Game": game}).terms
    names = dict(
        zip(
            terms.seats, ("Olena", "Walter", "Marcel", "Doris", "Priya", "Quentin", "Rosa", "Timo", "Ugo", "Vera"),
            strict=False,
        )
    )
    log = simulate_breaches(game, seed=2, hands=1, names=names)[0]
    letter = re.compile(rf"(?<![\w:.#=<>(])(?:{'|'.join([*terms.seats, *terms.sides])})(?![\w=♣♦♥♠.)])")
    session = Session(log[:1])
    told = [session.take([r]).line for r in log[1:]]
    told += [line for one in (log, hide(log)) for line in check_lines("file", check(one), told=True)]
    assert [line for line in told if letter.search(re.sub("`[^`]*`", "", line))] == []
