"""Cases that must come out right: who broke what, from when it could be known, and what proves it."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest
from given import given
from given import log as records
from msgspec.structs import replace

from events.model import End, Fix, Play, Recorded, Show
from reducers.games.scopa import PACK
from reducers.rules import Verdict
from reducers.table import Table
from replay.auditing.audit import audit
from replay.auditing.audit_text import audit_lines
from replay.auditing.exhaustive import exact
from replay.budget import Cut
from replay.fold import corrected
from replay.judging.findings import questions_asked, sentence
from replay.judging.judge import Judge, deduce, judge
from replay.redact import hide
from replay.simulate import simulate, simulate_breaches, with_slips

KAISER = """
    W hand 1
    @ deal N=8x?? E=8x?? S=8x?? W=8x??
    N bid 7
    E pass
    S pass
    W pass
    N name h
"""
# Positions: 8..11 is the first trick, 12..15 the second, and so on.
SEVEN_TRICKS = """
    N play Ac
    E play Kc
    S play Qc
    W play Jc
    N play Ad
    E play Ts
    S play Qd
    W play Jd
    N play As
    E play Ks
    S play Qs
    W play Js
    N play Ah
    E play Kh
    S play Qh
    W play Jh
    N play Tc
    E play 9c
    S play 8c
    W play Td
    N play 7c
    E play 9s
    S play 8d
    W play 8s
    N play Th
    E play Kd
    S play 9h
    W play 8h
"""


def fixed(log: list[Recorded], *fixes: tuple[int, str, str]) -> list[Recorded]:
    """The log with plays corrected at its end."""
    out = list(log)
    for at, by, card in fixes:
        out.append(Recorded(n=len(out), event=Fix(by="@", at=at, how="replace", event=Play(by=by, cards=(card,)))))
    return out


def rules(log: list[Recorded]) -> list[tuple[int, str]]:
    """The positions and rules that are broken, conflicts left out."""
    return [(f.at.pos, f.rule) for f in judge(log).broken if not f.rule.startswith("table.")]


def test_a_revoke_in_the_second_trick_is_proven_by_the_seventh() -> None:
    game = given("kaiser", KAISER + SEVEN_TRICKS)
    game.finds("R11", at=13, known=33)
    (finding,) = game.judgement.broken[:1]
    assert (finding.at.pos, finding.evidence, finding.cards) == (13, (13, 33), ("Kd",))
    (because,) = finding.because
    assert because == "E held K♦ at 13: nothing unseen came in after 2, and 33 shows it (E play Kd)"


def test_before_the_proof_the_revoke_is_an_open_question() -> None:
    cut = records("kaiser", KAISER + SEVEN_TRICKS)[:33]
    assert rules(cut) == []
    assert [(f.at.pos, f.rule) for f in judge(cut).open if f.at.pos == 13] == [(13, "kaiser.R11")]


MISTYPED = (KAISER + SEVEN_TRICKS).replace("E play Ts", "E play Th").replace("W play Td", "W play 9d")


def test_a_mistyped_card_that_looks_like_a_revoke_is_a_conflict_and_no_revoke() -> None:
    """The ten of diamonds is typed as one of hearts for East in the diamond trick, and played by North in the
    seventh."""
    judgement = judge(records("kaiser", MISTYPED))
    assert rules(records("kaiser", MISTYPED)) == []
    first = judgement.findings[0]
    assert (first.rule, first.evidence) == ("table.T2", (13, 32))


def test_a_mistyped_card_once_corrected_is_no_finding() -> None:
    log = fixed(records("kaiser", MISTYPED), (13, "E", "Td"))
    assert judge(log).broken == []


def test_a_fix_that_makes_three_later_plays_impossible_leaves_three_conflicts() -> None:
    """North's hand was open; corrected, it no longer has three of the cards that North plays later."""
    from events.model import Deal

    lines = (KAISER + SEVEN_TRICKS).replace("N=8x??", "N=AcAdAsAhTc7cTh9d")
    log = records("kaiser", lines)
    piles = tuple((f"hand:{s}", ("8x??",)) for s in "ESW")
    deal = Deal(by="@", piles=(("hand:N", ("Ac", "Ad", "As", "Ah", "9d", "5h", "3s", "7d")), *piles))
    assert [f for f in judge(log).broken if f.rule.startswith("table.")] == []
    log.append(Recorded(n=len(log), event=Fix(by="@", at=2, how="replace", event=deal)))
    judgement = judge(log)
    conflicts = {f.at.pos: f for f in judgement.findings if f.rule in ("table.T2", "table.T4")}
    assert {24, 28, 32} <= conflicts.keys()
    assert all(pos in conflicts[pos].evidence and 2 in conflicts[pos].evidence for pos in (24, 28, 32))
    assert len(judgement.state.hand.trick.won) == 7


def whole(*covered: str) -> list[Recorded]:
    """A hand in which the whole pack is played, these cards unseen."""
    lines = """
        N play Ac
        E play Kc
        S play Qc
        W play Jc
        N play Ad
        E play Kd
        S play Qd
        W play Jd
        N play As
        E play Ks
        S play Qs
        W play Js
        N play Ah
        E play Kh
        S play Qh
        W play Jh
        N play Tc
        E play 9c
        S play 8c
        W play 7c
        N play Td
        E play 9d
        S play 8d
        W play 8s
        N play Th
        E play 9h
        S play 8h
        W play 9s
        N play 5h
        E play 7d
        S play Ts
        W play 3s
    """
    for card in covered:
        lines = lines.replace(f"play {card}", "play ??")
    return records("kaiser", KAISER + lines)


TAKEN_BEFORE_IT_LAY_THERE = """\
    A hand 1
    @ deal B=3x?? A=3x??
    @ deal up board=3d2c2h3c
    @ deal down stock=30x??
    B capture 5h/2c3d
    A capture 3s/3c
    B capture 4h/2h
    A play 7d
    B play 6d
    A capture Ac/7d
    B capture 6c/6d
    A play Kh
    B play Jd
    A capture Kc/Kh
    B play Ah
    A play 5c
    B play 2d
    A capture 3h/2dAh
    B play 4s
    A capture Qd/4s
    B play As
    A capture Jh/Jd
    B capture 5s/5c
    A play Qh
    B capture Qs/Qh
    A play Kd
    B play 7h
    A capture Jc/7hAs
    B capture 5d/Kd
    A play Ks
    B play 6h
    A play 4d
    B play 2s
    A capture 4c/4d
    B play Ad
    A capture 7s/Ad
    A capture Qc/7c2s
    B play 7c
    B capture 6s/6h
    A play Js
"""


def test_in_a_record_that_contradicts_itself_no_card_is_named_by_elimination() -> None:
    """Two lines are swapped: a seven is taken before it lies there. Read as unseen it would be the only card left,
    and the sum wrong; but a record with a wrong line proves nothing about that line."""
    judgement = judge(records("scopa", TAKEN_BEFORE_IT_LAY_THERE))
    assert [(f.rule, f.at.pos) for f in judgement.broken if f.rule.startswith("table.")] == [("table.T4", 37)]
    assert judgement.inferred == {}
    assert ("scopa.R3", 37) in {(f.rule, f.at.pos) for f in judgement.open}
    assert not [f for f in judgement.broken if f.rule == "scopa.R3"]


TWO_MISTYPED = """\
    N hand 1
    @ deal E=8x?? S=8x?? W=8x?? N=8x??
    E pass
    S pass
    W bid 7
    N pass
    W name d
    E play 7d
    S play 8d
    W play As
    N play Ad
    W play 9d
    N play Kc
    E play Td
    S play Tc
    E play Js
    S play 9s
    W play Kd
    N play Ks
    W play Th
    N play Jh
    E play Kh
    S play 9h
    E play 8h
    S play As
"""


def test_a_doubtful_card_is_not_held_against_its_player_by_elimination() -> None:
    """The ace of spades cannot have been played twice. Read as unseen, the card at 10 would have to be no diamond,
    as every diamond has its place; but the ace at 11 was typed wrong too, and it was the diamond."""
    judgement = judge(records("kaiser", TWO_MISTYPED))
    assert [f.evidence for f in judgement.broken if f.rule == "table.T2"] == [(10, 25)]
    assert ("kaiser.R11", 10) in {(f.rule, f.at.pos) for f in judgement.open}
    assert {
        f.rule for f in judgement.broken
    } == {"table.T2", "kaiser.R9"}, "whose lead it was does not hang on the card"


def test_one_unseen_card_of_a_whole_pack_is_named_and_marked_as_inferred() -> None:
    assert judge(whole()).broken == []
    judgement = judge(whole("9h"))
    assert judgement.inferred == {33: ("9h",)}
    assert judgement.state.scores[-1].points["NS"] is not None


def test_two_unseen_cards_whose_exchange_changes_a_winner_leave_both_ways_open() -> None:
    """North's ace of diamonds and East's king: whichever East had, the trick is another's."""
    log = whole("Ad", "9d")
    judgement = judge(log)
    assert judgement.inferred == {}
    (opinion,) = exact(log)
    assert opinion.complete
    assert opinion.worlds == 2
    assert opinion.cards == {12: ["9d", "Ad"], 29: ["9d", "Ad"]}
    assert len(opinion.points["NS"]) == 2


def test_a_lead_does_not_prove_who_won() -> None:
    """East's unseen card may have won the first trick, so North's lead to the second stays a question."""
    log = records("kaiser", KAISER + "N play Kc\nE play ??\nS play Qc\nW play Jc\nN play Ad")
    assert [(f.at.pos, f.rule) for f in judge(log).open if f.at.pos == 12] == [(12, "kaiser.R9")]


def r11(log: list[Recorded], pos: int) -> list[Verdict]:
    """What the fast judge and the worlds say about following suit at a position, allowed included."""
    fast = [f.verdict for f in judge(log).findings if (f.at.pos, f.rule) == (pos, "kaiser.R11")] or [Verdict.ALLOWED]
    return [*fast, exact(log)[0].verdict(pos, "kaiser.R11")]


def test_an_unseen_card_followed_where_all_it_can_have_been_does() -> None:
    """East's and West's last clubs were not seen, and these two are all that has no place: whichever, it follows."""
    log = whole("9c", "7c")
    assert judge(log).inferred == {}
    assert r11(log, 25) == r11(log, 27) == [Verdict.ALLOWED] * 2
    # With a spade among them that West may have thrown, and no club of West's anywhere else, it is no revoke of
    # East either: in neither of
    # the two ways these can lie.
    log = whole("9c", "8s")
    assert r11(log, 25) == [Verdict.ALLOWED] * 2


def test_an_unseen_card_that_cannot_have_followed_is_a_revoke_whichever_it_was() -> None:
    """East throws the nine of hearts on the sixth lead, a diamond, and plays the nine of diamonds to the next."""
    log = whole("9h", "8h")
    at, other = log[29].event, log[33].event
    log[29], log[33] = Recorded(n=29, event=other), Recorded(n=33, event=at)
    assert judge(log).inferred == {}
    assert r11(log, 29) == [Verdict.BROKEN] * 2
    (finding,) = [f for f in judge(log).broken if f.at.pos == 29]
    assert set(finding.cards) == {"9d", "7d"}
    assert r11(log[:37], 29)[0] == Verdict.OPEN


def test_an_unseen_card_of_a_seat_that_cannot_have_held_the_suit_is_allowed() -> None:
    """Every diamond is accounted for elsewhere, so whatever West laid on the sixth lead, no duty was broken."""
    log = whole("8s", "9s", "3s")
    assert r11(log, 31) == [Verdict.ALLOWED] * 2


def test_a_misdeal_with_a_court_card_is_open_while_hidden_and_settled_when_shown() -> None:
    start = """
        W hand 1
        @ deal N=8x?? E=8x?? S=8x?? W=8x??
        N call misdeal
    """
    given("kaiser", start).opens("R2", at=3)
    shown = given("kaiser", start + "N show 9c8c7d9dTsJh9s8h\n")
    shown.finds("R2", at=3, known=4)


SCOPA = """
    B hand 1
    @ deal A=3x?? B=3x??
    @ deal up board=7d4c3h2s
    @ deal down stock=30x??
"""


def test_scopa_a_sum_with_a_pair_on_the_board_is_broken_at_once() -> None:
    given("scopa", SCOPA).when("A capture 7c/4c3h").finds("R4", known=5)


def test_scopa_a_trailed_card_that_could_capture_is_broken_at_once() -> None:
    given("scopa", SCOPA).when("A play 4d").finds("R5", known=5)


def test_scopa_an_unseen_card_on_the_board_is_named_by_its_capture() -> None:
    """What A trailed unseen at 5 is taken as the six at 8: so the six that B trailed at 6 could have taken it."""
    game = given("scopa", SCOPA.replace("7d4c3h2s", "7dKcQhJs")).when(
        "A play ??", "B play 6d", "A play 3c", "B capture 6h/6c",
    )
    game.finds("R5", at=6, known=8)


def last_three(six: str, *plays: str) -> Any:
    """Everything but six cards has its place: three of them lie in each hand, and nobody has seen which."""
    held = {six[i : i + 2] for i in range(0, len(six), 2)}
    rest = "".join(r + s for s in "cdhs" for r in "A234567JQK" if r + s not in held | {"7d", "4c", "3h", "2s"})
    lines = f"B hand 1\n@ deal A=3x?? B=3x??\n@ deal up board=7d4c3h2s\n@ deal down stock={rest}\n"
    return given("scopa", lines + "\n".join(plays))


def test_scopa_three_free_slots_and_two_other_cards_mean_yes() -> None:
    """Four of the six can capture, so one of A's three can; with three others it cannot be known, and with four
    neither."""
    for six, answer in (
        ("4d2h7c3cAhAd", True), ("4d2h7cJdAhAd", None), ("4dJhJcJdAhAd", None), ("JsJhJcJdAhAd", False),
    ):
        game = last_three(six)
        capturing = PACK.bag(c for c in (six[i : i + 2] for i in range(0, 12, 2)) if c[0] in "4273")
        assert game.judgement.state.holding("A").any_of(capturing) is answer, six


AFTER = ("A play ??", "B capture 7c/7d", "A play Ah", "B capture 3c/3h", "A capture 2h/2s")  # 5 to 9


def test_scopa_the_last_three_cards_of_a_seat_are_settled_by_its_later_plays() -> None:
    """A lays an unseen card at 5. It is the last without a place once B's third is seen at 10: the four, which
    pairs."""
    game = last_three("4dAh2h7c3cAd", *AFTER)
    game.opens("R5", at=5)
    game.when("B capture Ad/Ah").finds("R5", at=5, known=10)
    assert exact(game.when("B capture Ad/Ah").records)[0].verdict(5, "scopa.R5") == Verdict.BROKEN


def test_scopa_counting_settles_what_no_card_names() -> None:
    """Which four A laid at 5 and which B still holds nobody knows. With the ace, seen at 7, every harmless card is
    out."""
    game = last_three("4dAh2h7c3c4h", *AFTER).finds("R5", at=5, known=7, words="4♦ or 4♥")
    assert game.judgement.inferred == {}
    assert exact(game.records)[0].verdict(5, "scopa.R5") == Verdict.BROKEN
    last_three("4dAh2h7c3c4h", *AFTER[:2]).opens("R5", at=5)


def test_scopa_an_unseen_card_that_can_have_taken_nothing_was_rightly_laid() -> None:
    """Five of the six hidden cards take nothing of what lies there; the sixth is played by B."""
    game = last_three("JsJhJcJdAh4d", "A play ??")
    game.opens("R5", at=5)
    game = game.when("B capture 4d/4c")
    assert [f for f in game.judgement.findings if f.at.pos == 5] == []
    assert exact(game.records)[0].verdict(5, "scopa.R5") == Verdict.ALLOWED


def solitaire(*lines: str) -> Any:
    """The player has bid one heart after the house's pass that nobody saw; the stock is unseen."""
    return given(
        "bridge-solitaire",
        """
        P hand 1
        @ deal down reserve:P=7x??
        @ deal up board=AhKhJo4h9d4c9c6dKc4sJc5c7h
        @ deal down stock=34x??
        P draw AhKhJo9dKc4s <board
        P discard 4h4c9c6dJc5c7h <board
        P draw 7x?? <reserve:P
        H bid 3s
        P bid 4h
        """ + "\n".join(lines),
    )  # fmt: skip


def test_bridge_solitaire_a_joker_thrown_while_the_suit_was_held_is_known_four_tricks_later() -> None:
    game = solitaire(
        "H play 8c <stock", "P play Jo",  # 10, 11: the joker, which the house takes
        "H play 2d <stock", "P play 9d",
        "P play Ah", "H play 2h <stock",
        "P play Kh", "H play 3h <stock",
        "P play Qc", "H play 3c <stock",  # 18: a club that lay among the seven
    )  # fmt: skip
    # The king of clubs is known to be held: it was taken from the board.
    game.finds("R9", at=11, known=11)
    hidden = game.records
    blind = [r if r.n not in (3, 5, 6) else blinded(r) for r in hidden]
    (finding,) = [f for f in judge(blind).broken if f.rule.endswith("R9") and f.at.pos == 11]
    assert finding.known_from is not None
    assert (finding.known_from.pos, finding.evidence) == (18, (11, 18))


def blinded(r: Recorded) -> Recorded:
    """The event with its clubs unseen."""
    from msgspec.structs import replace

    from replay.masking import mask_cards

    return replace(r, event=mask_cards(r.event, ["4c", "9c", "Kc", "Jc", "5c"]))


def test_bridge_solitaire_a_stock_card_skipped_is_broken() -> None:
    game = given(
        "bridge-solitaire",
        """
        P hand 1
        @ deal down reserve:P=7x??
        @ deal up board=AhKhJo4h9d4c9c6dKc4sJc5c7h
        @ deal down stock=32x??QdQs
        P draw AhKhJo9dKc4s <board
        P discard 4h4c9c6dJc5c7h <board
        P draw 7x?? <reserve:P
        H bid 3s
        P bid 4h
        H play Qd <stock
        """,
    )
    game.finds("R13", at=10, words="Q♠ is on top")


def test_more_cards_than_a_hand_held_put_every_card_of_that_hand_in_doubt() -> None:
    """South has two cards and plays three: one of the three was not South's, and none of them proves a revoke."""
    log = records(
        "kaiser",
        """
        W hand 1
        @ deal N=8x?? E=8x?? S=2x?? W=8x??
        N bid 7
        E pass
        S pass
        W pass
        N name h
        N play Ac
        E play Kc
        S play Qd
        W play Jc
        N play Ad
        E play Kd
        S play Qc
        W play Jd
        N play As
        E play Ks
        S play Qs
        """,
    )
    judgement = judge(log)
    conflict = next(f for f in judgement.findings if f.rule == "table.T3")
    assert conflict.evidence == (10, 14, 18)
    assert [f for f in judgement.broken if f.rule == "kaiser.R11"] == []


@pytest.mark.parametrize(("cards", "unseen", "count"), [("AhKh", 1, 4), ("AhKh", 2, 6)])
def test_the_possible_holdings_of_a_seat_are_listed_lazily(cards: str, unseen: int, count: int) -> None:
    """A page may ask what no monotone question answers: is this the lowest card, in every holding there may be?"""
    from events.cards import pack

    p = pack("A K Q")
    table = Table(p)
    pile, other = table.bag("N"), table.bag("E")
    table.lay(table.codes([cards[:2], cards[2:]]), pile)
    table.lay([p.unknown] * unseen, pile)
    table.lay(table.codes(["Ac", "Kc", "Qc", "Ad", "Kd", "Qd"]), other)
    bags = pile.possible_holdings(limit=10)
    assert bags is not None
    listed = list(bags)
    assert len(listed) == len(set(listed)) == count
    assert all(bag & pile.certain == pile.certain and p.count(bag) == 2 + unseen for bag in listed)
    assert pile.possible_holdings(limit=count - 1) is None
    lowest = {p.cards(bag)[-1] for bag in pile.possible_holdings(limit=10) or ()}
    assert len(lowest) > 1


def test_a_date_that_is_only_a_bound_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistyped card makes dating slow; without patience the break is dated by the end of the hand, and that is
    said."""
    lines = (KAISER + SEVEN_TRICKS).replace("W play 8h", "W play Jh")
    (dated,) = [f for f in judge(records("kaiser", lines)).broken if f.rule == "kaiser.R11" and f.at.pos == 13]
    assert dated.known_from is not None
    assert (dated.known_from.pos, dated.bound) == (33, False)
    assert "known from event 33" in sentence(dated)
    monkeypatch.setattr("replay.judging.dating.DATING", 10**9)
    (bound,) = [f for f in judge(records("kaiser", lines)).broken if f.rule == "kaiser.R11" and f.at.pos == 13]
    assert bound.known_from is not None
    assert (bound.known_from.pos, bound.bound) == (35, True)
    assert "known by event 35, perhaps earlier" in sentence(bound)
    assert judge(records("kaiser", lines)).cuts == (Cut(bound.at.hand, "dates"),)
    told = "\n".join(audit_lines(audit(records("kaiser", lines))))
    assert "known   by event 35, perhaps earlier" in told


@pytest.mark.parametrize(
    ("game", "acts"),
    [("scopa", ["A pass", "A discard ??"]), ("mattis", ["A pass", "A meld 3d4d5d"]), ("kaiser", ["N discard ??"])],
)
def test_an_act_that_the_game_does_not_have_is_named(game: str, acts: list[str]) -> None:
    """If this failed, a pass in a game without passing would go by in silence; what is said at the table may be
    said."""
    before = given(game, f"{'W' if game == 'kaiser' else 'B'} hand 1\n")
    for act in acts:
        case = before.when(act).finds("T6", words=f"knows no {act.split()[1]}")
        assert len(case.judgement.findings) == 1
    if game == "scopa":
        before.when("A call scopa").clean()


@pytest.mark.parametrize("line", ["W hand 2", "@ deal N=8x?? E=8x?? S=8x?? W=8x??", "N bid 7no", "N:2 play 7h"])
def test_after_the_end_of_the_match_nothing_is_played_and_no_hand_begins(line: str) -> None:
    """If this failed, a match that went on after its end would pass as one that was over, or one that is over as
    going on."""
    over = given("kaiser", KAISER + "@ end match")
    over.when(line).finds("T7" if ":" in line else "T6")
    over.when("@ claim NS=0 EW=0", "@ tally declarer=N level=7 tricks.NS=7", "N show Jh").clean()


def test_a_card_shown_after_the_end_is_out_of_its_time_where_showing_is_an_act() -> None:
    """If this failed, the short way of judging would overlook what the long way reports."""
    log = [*simulate("russian-bank", seed=1, hands=1), Recorded(n=0, event=End(by="@", what="match"))]
    state = judge(log).state
    seat, top = next((seat, p.known) for seat, p in state.hand.reserve.items() if p.known)
    log.append(Recorded(n=0, event=Show(by=seat, groups=(tuple(state.game.pack.cards(top)),), src=f"reserve:{seat}")))
    log = [replace(r, n=n) for n, r in enumerate(log)]
    found = deduce(log).findings
    assert [f.rule for f in found] == ["table.T6"]
    assert found == Judge(corrected(log), log).run().findings


@pytest.mark.parametrize(("game", "seed"), [("kaiser", 2), ("jersey-gin", 4), ("botifarra", 0), ("botifarra", 3)])
def test_a_date_is_the_end_of_the_shortest_log_that_shows_the_break(game: str, seed: int) -> None:
    """Only the hand in question is read again; if this failed, that would date it otherwise than the log read from
    its start."""
    log, _ = with_slips(simulate_breaches(game, seed=seed, p=0.1, hands=3)[0], 0.02, Random(seed))
    seen = hide(log)

    @cache
    def broken(n: int) -> set[tuple[int, str]]:
        return Judge(corrected([r for r in seen if r.n <= n])).broken()

    late = [
        (f.at.pos, f.rule, f.known_from.pos) for f in judge(seen).broken
        if f.known_from is not None and not f.bound and not f.worlds and not f.rule.startswith("table.")
        and f.at.hand > 1 and f.known_from.pos > f.at.pos
    ]  # fmt: skip
    assert late
    for pos, rule, known in late:
        assert (pos, rule) in broken(known)
        assert (pos, rule) not in broken(known - 1)


LAYOUT = (
    "B hand 1\n@ deal reserve:A=12x??5h col:A:1..4=7hJc2d9s stock:A=35x?? reserve:B=12x??9c "
    "col:B:1..4=Kd8c4sQh stock:B=35x??\n"
)
BOARD = "B hand 1\n@ deal A=3x?? B=3x??\n@ deal up board=7h5c2d4s\n"


@pytest.mark.parametrize(
    ("game", "lines", "act", "named", "certain"),
    [
        ("scopa", BOARD, "A capture 6h/5d2s", {"R3": "as it is written, 5♦ + 2♠ = 7, and 6♥ takes 6"}, set()),
        ("scopa", BOARD, "B capture 6h/6d", {}, {"scopa.R1"}),
        (
            "russian-bank", LAYOUT, "A move 9h <col:B:4 >col:B:1",
            {"R9": "as it is written, the 9♥ does not go on the K♦", "R10": "on top"}, set(),
        ),
        ("russian-bank", LAYOUT, "B move 9h <col:B:4 >col:B:1", {"R9": "as it is written"}, {"russian-bank.R1"}),
        (
            "yaniv", "B hand 1\n@ deal A=7h5c2d4s9s B=5x??\n@ deal up discard=Kd\n", "A discard 3c8d",
            {"R3": "as it is written, 3♣ 8♦"}, set(),
        ),
    ],
)  # fmt: skip
def test_what_the_table_finds_does_not_hide_what_the_act_would_break(
    game: str, lines: str, act: str, named: dict[str, str], certain: set[str]
) -> None:
    """If this failed, a card that was not there would keep the game's own rule from being named; or one slip would
    be two accusations, of the record and of the player."""
    case = given(game, lines).when(act)
    here = case.about()
    assert any(f.rule == "table.T4" for f in here)
    assert {f.rule for f in here if f.verdict == "broken" and not f.rule.startswith("table.")} == certain
    for rule, words in named.items():
        (found,) = [f for f in here if f.rule == f"{game}.{rule}"]
        assert found.verdict == "open"
        assert words in found.text
        assert "the record contradicts itself" in found.text


OFF_SUIT_THREE_TIMES = """
    W hand 1
    @ deal N=AcAdAsAhKhQhJh5h E=8x?? S=8x?? W=8x??
    N bid 8no
    E pass
    S pass
    W pass
    N play Ac
    E play 8c
    S play {first}
    W play 9c
    N play Ad
    E play 8d
    S play {second}
    W play 9d
    N play As
    E play 8s
    S play {third}
    W play 9s
    """


def test_acts_of_which_one_is_broken_whatever_was_held_are_said_together() -> None:
    """South follows neither clubs nor diamonds nor spades, and there are not as many hearts as South still has
    cards."""
    judgement = judge(records("kaiser", OFF_SUIT_THREE_TIMES.format(first="8h", second="9h", third="Th")))
    assert judgement.broken == []
    assert [one.charges for one in judgement.either] == [((9, "kaiser.R11"), (13, "kaiser.R11"), (17, "kaiser.R11"))]
    assert all(f.one_of == judgement.either[0].names for f in judgement.open if f.rule == "kaiser.R11" and f.by == "S")
    # Whoever follows once may hold nothing but that suit.
    judgement = judge(records("kaiser", OFF_SUIT_THREE_TIMES.format(first="Tc", second="9h", third="Th")))
    assert judgement.either == ()


TAKEN_BACK = """
    N hand 1
    E name s
    E play Ah
    S play 6d
    S move 6d <trick >S
    S play {again}
    """


def test_a_card_off_suit_that_is_taken_back_breaks_one_of_two_rules() -> None:
    """With a heart, South had to follow; without one, there was nothing to put right."""
    judgement = judge(records("court-piece", TAKEN_BACK.format(again="7c")))
    assert judgement.broken == []
    assert [one.charges for one in judgement.either] == [((4, "court-piece.R4"), (5, "court-piece.R6"))]
    # A heart that is played in its place was held all the time.
    assert judge(records("court-piece", TAKEN_BACK.format(again="7h"))).either == ()


@pytest.mark.parametrize(("third", "ways"), [("2d", 72), ("??", 576)])
def test_where_two_or_three_cards_were_missed_what_was_dealt_is_not_forgotten(third: str, ways: int) -> None:
    """East was dealt nine hearts and a spade, and shows the spade at last: what it played unseen on spades was a
    heart, and eight are left."""
    lines = f"""
        W hand 1
        @ deal N=AsKsQsJs7s6s5s3s2sKd E=4sAhQhJh7h6h5h4h3h2h S=AcKcQcJc7c6c5c4c3c2c W=KhAdQdJd7d6d5d4d3d2d
        N play 2s
        E play ??
        S play ??
        W play {third}
        N play Kd
        E play 5h
        S play 2c
        W play Ad
        W play Kh
        N play 5s
        E play 4s
        """
    broken = judge(records("tresette", lines)).broken
    assert [
        (f.at.pos, f.rule, f.known_from and f.known_from.pos) for f in broken
    ] == [(4, "tresette.R8", 13), (13, "tresette.R8", 13)]
    assert broken[1].because == (f"by trying: each of the {ways} ways the unseen cards can lie breaks it",)


def test_what_every_way_the_cards_can_lie_says_is_said_by_the_judge() -> None:
    """North's unseen lead came out of spades alone, whichever it was, and East holds one."""
    lines = """
        W hand 1
        @ deal N=AsKsQsJs7s6s5s3s2sKd E=4sAhQhJh7h6h5h4h3h2h S=AcKcQcJc7c6c5c4c3c2c W=KhAdQdJd7d6d5d4d3d2d
        N play Kd
        E play Ah
        S play Ac
        W play 4d
        N play ??
        E play {card}
        """
    (found,) = judge(records("tresette", lines.format(card="2h"))).broken
    assert (found.at.pos, found.rule, found.text) == (8, "tresette.R8", "spades were led, and E holds one")
    assert judge(records("tresette", lines.format(card="4s"))).findings == []


FIRST_ACTS = (
    # game, lines, who has dealt (empty: that stays open)
    ("envite", "E play Qc", "S"),
    ("botifarra", "N name c", ""),
    ("kaiser", "N hand 1\n@ end hand misdeal\nE bid 7", "N"),
    ("kaiser", "S bid 7\nW pass\nN bid 7", "N"),
    ("kaiser", "S pass", ""),
    ("ecarte", "B call propose", "A"),
    ("play-or-pay", "A play 7c\nB play 8c", "D"),
    ("omi", "S name h", "E"),
    ("tute", "@ deal up hand:S=5c", "S"),
    ("ziginette", "@ deal up board=6c5d banker=Qd\nA bet 10 >6c\nC bet 5 >5d", ""),
    ("ziginette", "@ deal up board=6c5d banker=Qd\nA bet 10 >6c\nC bet 5 >5d\nB play 6h <stock", "B"),
    ("ziginette", "@ tally ending=cleared won.A=0 lost.A=30 won.B=0 lost.B=0 won.C=0 lost.C=0", "D"),
    ("put-and-take", "@ deal A=5x?? B=5x??\nC play 3h <stock", "C"),
    ("put-and-take", "C hand 1\n@ tally put.A=3 put.B=1 put.D=0 take.A=0 take.B=0 take.D=0\nB play 3h <stock", ""),
    ("court-piece", "N hand 1\n@ tally winner=EW\nE name h", "N"),
    ("court-piece", "N hand 1\n@ tally winner=EW\n@ deal N=5x??", ""),
)


@pytest.mark.parametrize(("game", "lines", "dealer"), FIRST_ACTS)
def test_whoever_acts_first_shows_who_dealt_or_it_stays_open(game: str, lines: str, dealer: str) -> None:
    """If this failed, the last seat would be taken for the dealer, and a legal act for a breach."""
    judgement = given(game, lines).clean().judgement
    assert judgement.state.dealer_is_guess is (not dealer)
    assert not dealer or judgement.state.dealer == dealer


@pytest.mark.parametrize(
    ("lines", "rule"), [("E play Qc\nW play 3c", "R8"), ("E play Qc\nN play Kc\nW play 3c\nE play 2c", "R8")]
)
def test_once_the_dealer_is_shown_who_acts_out_of_turn_is_found(lines: str, rule: str) -> None:
    given("envite", lines).finds(rule)


@pytest.mark.parametrize(
    ("act", "then", "dealer"),
    [
        ("D play Ac <stock", "D play Kc <stock", "D"),
        ("D play Ac <stock", "A bet 1 >Ac", ""),
        ("A play Ac <stock", "A play Kc <stock", "A"),
    ],
)
def test_a_later_act_may_speak_for_a_dealer_whom_an_earlier_one_ruled_out(act: str, then: str, dealer: str) -> None:
    """If this failed, a banker who bets against the rule would make another seat the banker, and every card that the
    banker turns a breach."""
    judgement = given("ziginette", "@ deal up board=6c5d banker=Qd\nD bet 1 >6c\nB bet 1 >6c").when(act, then).clean()
    assert judgement.judgement.state.dealer_is_guess is (not dealer)
    assert not dealer or judgement.judgement.state.dealer == dealer


def test_an_act_that_an_earlier_one_out_of_turn_leaves_open_speaks_for_no_dealer() -> None:
    """If this failed, two false claims would make another seat the dealer, who dealt the next cards wrongly."""
    deal = "@ deal A=7cAd6sAsJh7d B=8c4d5h7h8hKs\n@ deal up board=QdJd2h5s\n@ deal down stock=36x??"
    plays = "A play Jh\nB play 8h\nA play 7c\nB play Ks\nA call xeri\nA play As\nB play 8c\nA play 6s\nB call xeri"
    case = given("xeri", f"{deal}\n{plays}")
    assert [(f.at.pos, f.rule) for f in case.judgement.broken] == [(8, "xeri.R5"), (12, "xeri.R5")]
    assert case.judgement.state.dealer == "B"
    assert not case.judgement.state.dealer_is_guess


def test_what_is_broken_whoever_dealt_is_broken() -> None:
    """If this failed, an unknown dealer would excuse whatever is said first."""
    given("put-and-take", "@ deal A=5x?? B=5x?? C=5x?? D=5x??").finds("R1", words="gets no cards")
    given("kaiser", "N bid 14").finds("R4")
    given("court-piece", "N hand 1\n@ tally tricks.EW=8 tricks.NS=5").when("S name h").finds("R2")


@pytest.mark.parametrize(
    ("game", "seats", "lines", "charges"),
    [
        ("omi", "N E S W", "E name h\nS play Ac", "R2@1 R4@2"),
        ("couillon", "N E S W", "S pass\nW pass\nN call accept\nN play Ah", "R2@2 R2@3 R4@4"),
        ("dingo", "A B C D", "B discard 3c\nD discard 4c", "R1@1 R1@2"),
        ("put-and-take", "A B C", "B play 6c <stock\nA play 7c <stock", "R2@1 R2@2"),
        ("pontoon", "A B C", "A bet 4\nC bet 4", "R1@1 R1@2"),
        ("seven-and-a-half", "A B C", "A bet 4\nC bet 4\nA draw up 7h", ""),  # C may have stood, if B dealt
        (
            "pontoon", "A B", "@ deal down A=Kd B=Qc\nA bet 2\nB deal up A=Kh B=8h\nA move Kh >A:2\nA draw up 2s\n"
            "A:2 draw up 6h\nA draw up 4s\nB show Qc8h\nA bet 3", "",
        ),  # another hand may have begun
        (
            "ziginette", "A B C", "@ deal up board=6c5d banker=Qd\nA bet 5 >6c\nB bet 5 >5d\nB play 6h <stock",
            "R4@2 R4@3 R6@4",
        ),
    ],
)  # fmt: skip
def test_one_of_several_acts_is_broken_whoever_dealt(game: str, seats: str, lines: str, charges: str) -> None:
    """If this failed, the act that breaks a rule for the guessed dealer would be blamed alone, or none at all, and an
    open question would be told twice."""
    judgement = given(game, lines, Seats=seats).judgement
    expected = tuple((int(at), f"{game}.{rule}") for rule, at in (one.split("@") for one in charges.split()))
    assert [one.charges for one in judgement.either] == ([expected] if charges else [])
    assert not judgement.broken
    asked = [(f.at.pos, f.rule) for f in judgement.open]
    assert len(asked) == len(set(asked))


@pytest.mark.parametrize(
    ("game", "lines", "asked"),
    [
        (
            "ecarte", "B hand 1\n@ deal up upcard=7h\nA pass\nA play ??\nB play 7c",
            "R9 head the trick at 5 R10 trump at 5",
        ),
        ("zetema", "B hand 1\nA draw ??\nA show 2s4s6s8sTs??", "R6 flush at 3 R8 assembly at 3 R9 five of six at 3"),
        (
            "dingo", "D hand 1\nA play ?h\nB play 3c",
            "R6 play the dingo at 3 R7 wolves in turn at 3 R8 the A♦ after both wolves at 3",
        ),
    ],
)  # fmt: skip
def test_what_one_unseen_card_leaves_open_of_one_act_is_asked_once(game: str, lines: str, asked: str) -> None:
    """If this failed, each rule that the card may break would ask about it again."""
    said = questions_asked(given(game, lines).judgement.open)[-1]
    assert said.partition("; also open: ")[2].replace(f"{game}.", "").replace(";", "") == asked


def test_what_is_wrong_is_said_of_the_dealer_for_whom_it_is() -> None:
    """If this failed, one dealer's left would be named for each of three."""
    (said,) = (f.text for f in given("omi", "E name h\nS play Ac").judgement.open if f.at.pos == 2)
    assert said.endswith("if S did, W sits left of the dealer and leads; if W did, N sits left of the dealer and leads")


@pytest.mark.parametrize(("gap", "lost"), [("@ gap", True), ("@ gap 1", False), ("@ deal E=2x??\n@ gap", False)])
def test_whole_hands_may_be_missing_in_a_gap_of_no_length_before_the_first_card(gap: str, lost: bool) -> None:
    """If this failed, who deals would be taken for certain although hands may have been played meanwhile, or be
    doubted within a deal."""
    state = given("kaiser", f"N hand 1\n{gap}\n@ deal N=2x??").judgement.state
    assert (state.lost_count, state.dealer_is_guess) == (lost, lost)


@pytest.mark.parametrize(
    ("plays", "said"),
    [
        ("N play Kh\nE play 8h\nN play 9h", "trick 1 was full before this: the card of S and W was not recorded"),
        (
            "N play Kh\nE play 8h\nS play 9h\nW play Th\nN play Qh\nE play Jh\nS play Ah\nE play Kc",
            "trick 2 was full before this: the card of W was not recorded",
        ),
    ],
)  # fmt: skip
def test_a_trick_that_lacks_cards_is_named_by_its_number(plays: str, said: str) -> None:
    """If this failed, the missing card would be looked for in another trick of the paper."""
    state = given(
        "kaiser", f"W hand 1\n@ deal N=8x?? E=8x?? S=8x?? W=8x??\nN bid 7\nE pass\nS pass\nW pass\nN name h\n{plays}",
    ).judgement.state
    assert [text for _, text in state.inferred if "was full before this" in text] == [said]
