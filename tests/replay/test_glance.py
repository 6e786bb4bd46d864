"""The short ways of judging say what the long way says, and give up where they cannot."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from given import log as records
from msgspec.structs import replace
from sampling import seeds

from events.cards import pack
from events.model import Deal, Discard, Event, Hand, Pay, Play, Recorded, Show
from reducers.begin import begin
from reducers.evolve import evolve
from reducers.games.california_speed import Lot
from reducers.legal import acts_of, plans
from reducers.model import names_of
from reducers.registry import PAGES, find
from reducers.rules import TABLE, CheckResult, Verdict, broken, lacks, unknown
from reducers.table import Table
from reducers.words.beating import Laid
from reducers.words.tricks import Trick
from replay.budget import budget_for
from replay.fold import corrected, run
from replay.judging.elimination import cards_by_elimination, look_over, nothing_to_name
from replay.judging.hindsight import apply_proofs
from replay.judging.judge import Judge, as_seen, deduce, glance
from replay.judging.opened_deals import (
    SAID,
    as_played,
    dealt_in_parts,
    dealt_unseen,
    dealt_whole,
    each_hand,
    held_at_the_lead,
    lay_open,
)
from replay.judging.questions import left_open, settled
from replay.judging.single_pass import (
    HandToRecheck,
    judge_in_one_pass,
    own,
    piles_in_doubt,
)
from replay.judging.turned_later import columns_as_turned, hands_as_played, stocks_as_turned
from replay.masking import put_down_unseen
from replay.redact import hide
from replay.simulate import simulate, simulate_breaches

GAMES = sorted(PAGES)


def doubtful_log(game: str, seed: int) -> list[Recorded]:
    """Two hidden hands with breaches, some cards played unseen, perhaps cut off."""
    rng = Random(f"glance/{game}/{seed}")
    log = hide(simulate_breaches(game, seed=seed, p=rng.choice((0.0, 0.1, 0.25)), hands=2)[0])
    shown = [r.n for r in log if isinstance(r.event, Play | Discard) and len(r.event.cards) == 1 and not r.event.src]
    covered = set(rng.sample(shown, min(len(shown), rng.choice((0, 0, 1, 3)))))
    log = [replace(r, event=put_down_unseen(r.event)) if r.n in covered else r for r in log]
    return log if rng.random() < 0.5 else log[: rng.randrange(2, len(log) + 1)]


@pytest.mark.parametrize("seed", seeds(2, 150))
@pytest.mark.parametrize("game", GAMES)
def test_hidden_hands_with_breaches_are_judged_as_in_the_long_way(game: str, seed: int) -> None:
    """If this failed, a hidden record would be judged by how it was read, not by what is in it."""
    log = doubtful_log(game, seed)
    short, long = deduce(log), Judge(corrected(log), log).run()
    assert short.findings == long.findings
    assert (short.inferred, short.illegal) == (long.inferred, long.illegal)
    assert (short.state.scores, short.state.turn) == (long.state.scores, long.state.turn)


@pytest.mark.parametrize("game", ["jersey-gin", "kaiser", "put-and-take", "yaniv"])
def test_the_short_way_is_taken(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, the test above would compare the long way with itself."""
    log = hide(simulate(game, seed=3))
    findings = Judge(corrected(log), log).run().findings
    monkeypatch.setattr(Judge, "infer_hidden_cards", None)
    assert deduce(log).findings == findings
    with pytest.raises(TypeError):
        Judge(corrected(log), log).run()


def test_the_stock_of_put_and_take_is_read_as_it_was_turned() -> None:
    """If this failed, a card that is turned late would count as one that somebody may hold when the first cards are paid for."""
    seen = simulate("put-and-take", seed=4, hands=3)
    log = hide(seen)[1:]
    stocks = stocks_as_turned(log, list(each_hand(log)))
    assert len(stocks) == 3
    for step, laid in stocks.items():
        (name, under), (_, cards) = *laid.event.piles, *seen[step].event.piles
        assert (name, under) == ("stock", ("27x??", *cards[-10:]))


@pytest.mark.parametrize(
    ("change", "left"),
    [
        (lambda r: replace(r, event=replace(r.event, src="")) if isinstance(r.event, Play) else r, 0),
        (lambda r: replace(r, event=replace(r.event, cards=("??",))) if isinstance(r.event, Play) else r, 0),
        (lambda r: replace(r, event=Show(by="A", groups=(("7h",),))) if isinstance(r.event, Pay) else r, 0),
        (lambda r: replace(r, event=replace(r.event, piles=(("stock", ("9x??",)),))) if isinstance(r.event, Deal) and r.event.piles[0][0] == "stock" else r, 0),
        (lambda r: replace(r, event=replace(r.event, piles=(("stock", ("*x??",)),))) if isinstance(r.event, Deal) and r.event.piles[0][0] == "stock" else r, 0),
        (lambda r: r, 1),
    ],
)
def test_a_stock_is_left_as_it_was_dealt_if_something_else_may_come_to_light(change: Any, left: int) -> None:
    """If this failed, what somebody showed, or a card that nobody saw turned, would not be asked about again."""
    log = [change(r) for r in hide(simulate("put-and-take", seed=4, hands=1))[1:]]
    assert len(stocks_as_turned(log, list(each_hand(log)))) == left


def columns_of(log: list[Recorded]) -> dict[int, Any]:
    """The deals of a match of Turnover Bridge as its cards were turned up, by step."""
    return columns_as_turned(log, list(each_hand(log)))


@pytest.mark.parametrize("seed", range(6))
def test_columns_are_read_as_they_were_turned_up(seed: int) -> None:
    """If this failed, a card that is turned up late would count as one that the other player may hold, or lie in another column."""
    seen = simulate("turnover-bridge", seed=seed)
    laid = columns_of(hide(seen)[1:])
    assert len(laid) == 3
    came = 0
    for step, placed in laid.items():
        for (name, cards), (_, dealt) in zip(placed.event.piles, seen[step].event.piles, strict=True):
            known = [card for card in cards if card != "??"]
            if name.startswith("col:"):
                assert all(card in ("??", true) for card, true in zip(cards, dealt, strict=True))
            else:
                assert len(cards) == len(dealt)
                assert set(known) <= set(dealt)
            came += len(known)
    assert came > 24 + 12


def without_one_show(log: list[Recorded]) -> list[Recorded]:
    """A match in which one of the cards that were turned up was not written, and something was played after it."""
    at = [i for i, r in enumerate(log) if isinstance(r.event, Show)][3]
    return log[:at] + log[at + 1 :]


def with_each(kind: type[Event], nth: int, change: Any) -> Any:
    """What changes the nth event of a kind in a log."""

    def changed(log: list[Recorded]) -> list[Recorded]:
        at = [i for i, r in enumerate(log) if isinstance(r.event, kind)][nth]
        return [*log[:at], replace(log[at], event=change(log[at].event)), *log[at + 1 :]]

    return changed


@pytest.mark.parametrize(
    ("change", "laid"),
    [
        (without_one_show, 0),
        (with_each(Show, 2, lambda e: replace(e, src="")), 0),
        (with_each(Show, 2, lambda e: replace(e, groups=(("??",),))), 0),
        (with_each(Play, 4, lambda e: replace(e, cards=("??",))), 0),
        (with_each(Play, 4, lambda e: replace(e, by="A" if e.by == "B" else "B")), 0),
        (with_each(Deal, 0, lambda e: replace(e, piles=(("hand:A", ("*x??",)), ("hand:B", ("2x??",))))), 0),
        (with_each(Deal, 0, lambda e: replace(e, piles=(("hand:A", ("?h", "??")), ("hand:B", ("2x??",))))), 0),
        (lambda log: log, 3),
        (lambda log: log[:30], 3),
    ],
)
def test_columns_are_left_as_they_were_dealt_if_a_card_may_have_lain_elsewhere(change: Any, laid: int) -> None:
    """If this failed, a card would be placed in a hand or a column by guessing."""
    assert len(columns_of(change(hide(simulate("turnover-bridge", seed=1))[1:]))) == laid


@pytest.mark.parametrize("seed", range(4))
def test_hands_of_which_cards_are_left_are_read_as_they_were_played(seed: int) -> None:
    """If this failed, a card would be asked about that nobody can have held, or taken for dealt to somebody else."""
    seen = simulate("envite", seed=seed, hands=4)
    log = hide(seen)[1:]
    laid = hands_as_played(log, list(each_hand(log)))
    assert laid
    left = 0
    for step, placed in laid.items():
        for (name, cards), (dealt_to, dealt) in zip(placed.event.piles, seen[step].event.piles, strict=True):
            assert (name, len(cards)) == (dealt_to, len(dealt))
            assert set(cards) <= {*dealt, "??"}
            left += cards.count("??")
    assert left


@pytest.mark.parametrize(
    ("change", "laid"),
    [
        (with_each(Play, 1, lambda e: replace(e, cards=("??",))), 0),
        (with_each(Play, 1, lambda e: replace(e, src="stock")), 0),
        (with_each(Deal, 0, lambda e: replace(e, piles=e.piles[:3])), 0),
        (with_each(Deal, 0, lambda e: replace(e, piles=tuple([(name, ("??",)) for name, _ in e.piles]))), 0),
        (with_each(Deal, 0, lambda e: replace(e, piles=tuple([(name, ("*x??",)) for name, _ in e.piles]))), 0),
        (with_each(Deal, 0, lambda e: replace(e, piles=tuple([(name, ("?h", "2x??")) for name, _ in e.piles]))), 0),
        (lambda log: [*log[:6], log[1], *log[6:]], 0),
        (lambda log: log, 1),
    ],
)
def test_hands_are_left_as_they_were_dealt_if_a_card_may_have_come_otherwise(change: Any, laid: int) -> None:
    """If this failed, a card would be dealt to a hand by guessing."""
    log = change(hide(simulate("envite", seed=1, hands=1))[1:])
    assert len(hands_as_played(log, list(each_hand(log)))) == laid


def test_only_pages_in_which_a_hand_gets_cards_by_the_deal_alone_say_so() -> None:
    """If this failed, a card that was drawn, passed or taken up would be read as if it had been dealt."""
    for game in GAMES:
        page = find(game)
        assert not page.dealt_only or not acts_of(game) - {Play, *SAID}


@pytest.mark.parametrize("game", ["envite", "turnover-bridge"])
def test_what_is_left_open_by_cards_that_never_come_to_light_is_said_as_in_the_long_way(game: str) -> None:
    """If this failed, a question about cards that nobody ever saw would be told otherwise than with all that came to light."""
    said = 0
    for seed in range(4):
        log = hide(simulate(game, seed=seed, hands=8))
        found = glance(log[0].event, log[1:], budget_for(len(log)))
        assert found is not None
        assert found.hands == []
        said += sum(bool(doubt.said) for doubts in found.seen.doubts.values() for doubt in doubts)
        assert found.still_open == Judge(corrected(log), log).run().findings
    assert said


def test_what_stays_open_for_good_is_said_as_in_the_long_way() -> None:
    """If this failed, the payments for cards of hands that nobody saw would be told differently, or twice."""
    log = hide(simulate("put-and-take", seed=2))
    found = glance(log[0].event, log[1:], budget_for(len(log)))
    assert found is not None
    assert found.hands == []
    assert all(doubt.said for doubts in found.seen.doubts.values() for doubt in doubts)
    assert len(found.still_open) > 100
    assert found.still_open == Judge(corrected(log), log).run().findings


def rechecked(log: list[Recorded]) -> Iterator[tuple[HandToRecheck, list[Event]]]:
    """The hands of a log that are looked at again, with its events."""
    view = corrected(log)
    seen = judge_in_one_pass(view.opening, view.events)
    for hand in (seen.again() or ()) if seen is not None else ():
        yield hand, [placed.event for placed in view.events]


@pytest.mark.parametrize("game", ["bridge-solitaire", "pontoon"])
def test_several_acts_in_doubt_are_settled_without_a_walk(game: str) -> None:
    """If this failed, hands in which more than one act is in doubt would be walked a second time, which takes as long again."""
    hands = [(len(hand.doubts), settled(hand, events) == []) for seed in range(2) for hand, events in rechecked(hide(simulate(game, seed=seed, hands=8)))]
    assert [n for n, allowed in hands if n > 1 and allowed]


@pytest.mark.parametrize("game", ["bridge-solitaire", "jersey-gin", "pontoon", "yaniv"])
def test_an_act_in_doubt_is_settled_by_what_came_to_light_and_by_nothing_else(game: str) -> None:
    """If this failed, a rule that could not answer would be taken for content."""
    tried = 0
    for seed in range(3):
        for hand, events in rechecked(hide(simulate(game, seed=seed, hands=6))):
            tried += 1
            assert settled(replace(hand, came=[]), events) != []
    assert tried


@pytest.mark.parametrize(
    ("game", "change"),
    [
        *(("bridge-solitaire", change) for change in ("otherwise", "one objects", "pile objects", "not alone", "none")),
        *(("pontoon", change) for change in ("pile objects", "not alone", "none")),
    ],
)
def test_a_hand_is_settled_only_if_each_act_in_doubt_is(game: str, change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, one act that is allowed would speak for the others, or for those after it that were not asked about again."""
    log = hide(simulate(game, seed=1, hands=12))
    # To ask about a hand uses up what was kept of it, so it is made anew.
    which = next(i for i, (hand, events) in enumerate(rechecked(log)) if len(hand.doubts) > 1 and settled(hand, events) == [])
    hand, events = list(rechecked(log))[which]
    kept, about = [doubt for doubt in hand.doubts if doubt.before is not None], [doubt for doubt in hand.doubts if doubt.about]
    if change == "otherwise":
        last = kept[-1]
        assert last.after is not None
        last.after = (*last.after[:1], ("nobody",), *last.after[2:])
    elif change == "one objects":
        monkeypatch.setattr("replay.judging.questions.content", lambda act, state: act is not events[kept[-1].step - 1])
    elif change == "pile objects":
        about[-1].about[0].content = lambda pile: False
    elif change == "not alone":
        hand.alone = False
    assert (settled(hand, events) is not None) == (change == "none")


@pytest.mark.parametrize("seed", seeds(2, 60))
@pytest.mark.parametrize("game", ["bridge-solitaire", "calabrasella", "envite", "pluck", "pontoon", "seven-and-a-half", "stealing-bundles", "turnover-bridge"])
def test_a_pile_that_an_act_is_in_doubt_about_says_what_its_checks_say(game: str, seed: int) -> None:
    """If this failed, an act would be allowed that a check has something to say about, or a whole hand walked again for nothing."""
    for log in (doubtful_log(game, seed), hide(simulate(game, seed=seed, hands=2))):
        for hand, events in rechecked(log):
            for doubt in [doubt for doubt in hand.doubts if doubt.about][:8]:
                view = corrected(log)
                seen, act = run(view.opening, view.events[: doubt.step - 1]), events[doubt.step - 1]
                seen.at, seen.table.now = view.events[doubt.step - 1].n, doubt.step
                known = seen.fork()
                apply_proofs(known, [p for p in hand.proofs if p.since <= doubt.step <= p.until and p.since < p.until])
                asked = [(check.rule, says) for check in plans(game)[known.phase][type(act)] if (says := check.run(act, known)) is not None]
                left = left_open(doubt, [(e.pile, e.since, e.step, known.table.pack.unit[e.code]) for e in hand.came])
                if left is None:
                    assert asked
                else:
                    told = [(one.rule, Verdict.OPEN, one.says.text, one.says.holder) for one in left]
                    assert told == [(rule, says.verdict, says.text, says.holder) for rule, says in asked]


@pytest.mark.parametrize("game", ["calabrasella", "pluck", "stealing-bundles"])
def test_where_one_pile_leaves_an_act_open_no_state_is_kept(game: str) -> None:
    """If this failed, each act in doubt would cost as much as many that are not."""
    doubts = [doubt for hand, _ in rechecked(hide(simulate(game, seed=3, hands=6))) for doubt in hand.doubts]
    about = [doubt for doubt in doubts if doubt.about]
    assert len(about) > len(doubts) // 2
    assert not any(doubt.before for doubt in about)


def test_an_act_is_about_a_pile_only_if_every_check_that_is_not_content_says_so() -> None:
    """If this failed, a question that was never answered would be dropped, as another about the same act was."""
    own = begin({"Game": "calabrasella"}).table.bag("A")
    about, earlier, open_question, wrong = unknown("a", own, lacks(1)), unknown("a", own, lacks(1), at=1), unknown("b"), broken("c")

    def asked(*answers: CheckResult | None) -> int:
        return len(piles_in_doubt([(TABLE["T1"], says) for says in (about, *answers)]))

    assert [asked(), asked(None), asked(about), asked(None, open_question), asked(wrong), asked(earlier)] == [1, 1, 2, 0, 0, 0]


def test_hands_played_card_by_card_are_judged_as_open_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, a match of which everything came to light would be judged twice over."""
    log = hide(simulate("kaiser", seed=1, hands=3))
    expected = deduce(log).state.scores
    last = max(r.n for r in log if isinstance(r.event, Hand))
    assert as_seen(log[0].event, log)  # type: ignore[arg-type]  # every log begins with its opening
    assert not as_seen(log[0].event, log[: last + 12])  # type: ignore[arg-type]  # as above
    with monkeypatch.context() as patched:
        patched.setattr("replay.judging.judge.Judge", None)
        assert deduce(log).state.scores == expected
        with pytest.raises(TypeError):
            deduce(hide(simulate_breaches("kaiser", seed=1, p=0.05, hands=3)[0]))


@pytest.mark.parametrize("game", ["calabrasella", "court-piece", "envite", "kowah", "pluck", "turnover-bridge"])
def test_what_the_cards_of_a_pile_leave_open_for_good_is_told_without_a_walk(game: str) -> None:
    """If this failed, a question that nothing ever settles would cost another walk, or would be told in other words."""
    told = 0
    for seed in range(6):
        log = hide(simulate(game, seed=seed, hands=3))
        log = log[: len(log) * 3 // 4]
        long = Judge(corrected(log), log).run()
        found = glance(log[0].event, log[1:], budget_for(len(log)))  # type: ignore[arg-type]  # every log begins with its opening
        assert found is not None
        if not found.hands:
            assert found.still_open == long.findings
            told += len(found.still_open)
    assert told


def test_every_check_is_asked_again() -> None:
    """If this failed, a rule that says nothing until a card is known would never be heard."""
    log = records(
        "hasenpfeffer",
        "W hand 1\n@ deal N=6x?? E=6x?? S=6x?? W=6x??\n@ deal down widow=??\nN pass\nE pass\nS pass\nW pass\nN bid 3\nN draw Jo <widow",
    )
    view = corrected(log)
    seen = judge_in_one_pass(view.opening, view.events)
    assert seen is not None
    (hand,) = seen.again() or ()
    assert hand.alone
    assert [f.rule for f in deduce(log).findings] == ["hasenpfeffer.R5"]


def test_a_hand_in_which_cards_left_unseen_is_looked_at_again_if_something_is_in_doubt() -> None:
    """If this failed, hands that every rule was content with would be walked again, or one with a doubt would not."""
    there, looked = 0, 0
    for seed in range(4):
        log = hide(simulate("pontoon", seed=seed))
        view = corrected(log)
        seen = judge_in_one_pass(view.opening, view.events)
        assert seen is not None
        again = {seen.hands[hand.first - 1] for hand in seen.again() or ()}
        assert again == set(seen.doubts)
        there, looked = there + len(seen.gone.keys() - again), looked + len(seen.gone.keys() & again)
    assert there
    assert looked


def test_a_copy_of_a_hand_is_one_of_its_own() -> None:
    """If this failed, asking again about an act would change what is known of the acts after it."""
    pile = Table(pack()).row("stock")
    kept = {"A": [1, (2, [3])], "B": {"x"}, "C": Lot([[1]], 0, 1), "D": pile, "E": Laid("A", (3, 4))}
    copied = own(kept, {id(pile): "stock"})
    assert copied == {**kept, "D": "stock"}
    copied["A"][1][1].append(4)
    copied["B"].add("y")
    copied["C"].stacks[0].append(2)
    assert kept["A"] == [1, (2, [3])]
    assert kept["B"] == {"x"}
    assert kept["C"] == Lot([[1]], 0, 1)
    trick = Trick(1, (("N", 2),), ("N",))
    assert own(trick, {}) is trick
    with pytest.raises(TypeError):
        own([object()], {})
    with pytest.raises(TypeError):
        own({"pile": pile}, {})


def test_a_hand_played_card_by_card_is_laid_open() -> None:
    """If this failed, hands that came to light would be looked at as if nobody had seen them."""
    log = simulate("kaiser", seed=1, hands=2)
    view = corrected(hide(log))
    opened = as_played(view.events)
    deals = [(p.event, r.event) for p, r in zip(opened, log[1:], strict=True) if isinstance(p.event, Deal)]
    assert deals
    for found, true in deals:
        assert isinstance(true, Deal)
        assert [(name, set(cards)) for name, cards in found.piles] == [(name, set(cards)) for name, cards in true.piles]


def test_a_deal_in_two_parts_is_laid_open_where_nothing_is_asked_between_them() -> None:
    """If this failed, hands dealt in two parts would be looked at as if nobody had seen them, or a rule about the first part
    would be asked with cards of the second."""
    log = simulate("court-piece", seed=1, hands=2)
    view = corrected(hide(log))
    assert as_played(view.events) == []
    opened = as_played(view.events, in_parts=True)
    parts = [p.event.piles for p in opened if isinstance(p.event, Deal)]
    true = [r.event.piles for r in log if isinstance(r.event, Deal)]
    assert [[len(cards) for _, cards in deal] for deal in parts] == [[5] * 4, [8] * 4] * 2
    for hand in (0, 2):
        both = zip(parts[hand], parts[hand + 1], true[hand], true[hand + 1], strict=True)
        assert all({*a, *b} == {*c, *d} for (_, a), (_, b), (_, c), (_, d) in both)
    assert dealt_in_parts(find("court-piece"))
    assert not dealt_in_parts(find("kaiser"))


def test_a_hand_with_a_card_that_nobody_saw_stays_closed() -> None:
    """If this failed, a card would be read into a deal that may have lain elsewhere."""
    log = hide(simulate("kaiser", seed=1, hands=1))
    last = max(r.n for r in log if isinstance(r.event, Play))
    covered = [replace(r, event=put_down_unseen(r.event)) if r.n == last else r for r in log]
    assert as_played(corrected(covered).events) == []
    assert as_played(corrected(log[:last]).events) == []


def test_a_hand_of_which_cards_are_left_is_laid_open_as_far_as_it_was_played_if_the_whole_pack_was_dealt() -> None:
    """If this failed, each payment for want of a card would be asked about twice, or a card would be read into a deal that was
    drawn later."""
    log = simulate("play-or-pay", seed=1, hands=1)
    view = corrected(hide(log))
    assert as_played(view.events) == []
    deal = next(p.event for p in as_played(view.events, whole=True) if isinstance(p.event, Deal))
    true = next(r.event for r in log if isinstance(r.event, Deal))
    played = {seat: {r.event.cards[0] for r in log if isinstance(r.event, Play) and r.event.by == seat} for seat in "ABCD"}
    for (name, cards), (_, dealt) in zip(deal.piles, true.piles, strict=True):
        mine = played[name.removeprefix("hand:")]
        assert set(cards) - {"??"} == mine <= set(dealt)
        assert cards.count("??") == len(dealt) - len(mine)
    assert sum(map(len, played.values())) < 52
    assert dealt_whole(find("play-or-pay"))
    assert not dealt_whole(find("kaiser"))


@pytest.mark.parametrize("seed", seeds(4, 100))
def test_a_breach_in_a_hand_laid_open_as_far_as_it_was_played_is_dated_by_what_was_recorded(seed: int) -> None:
    """If this failed, whoever pays and holds the card would be known for it before the card is played, or not at all."""
    log = hide(simulate_breaches("play-or-pay", seed=seed, p=0.02, hands=2)[0])
    found = deduce(log).findings
    assert found == Judge(corrected(log), log).run().findings


@pytest.mark.parametrize("game", ["calabrasella", "ecarte", "pluck"])
def test_a_hand_in_which_cards_were_exchanged_is_laid_open_at_the_lead(game: str) -> None:
    """If this failed, each card of a hand in which cards changed hands unseen would be asked about twice."""
    log = simulate(game, seed=1, hands=6)
    view = corrected(hide(log))
    held = held_at_the_lead(view.events)
    laid, closed = judge_in_one_pass(view.opening, view.events, held), judge_in_one_pass(view.opening, view.events)
    assert laid is not None
    assert closed is not None
    assert laid.leads
    # What comes to light does so in the same step.
    assert [e for e in laid.journal if e.kind == "shown"] == [e for e in closed.journal if e.kind == "shown"]
    assert laid.state.scores == closed.state.scores
    for lead in laid.leads.values():
        true = run(view.opening, corrected(log).events[: lead - 1])
        codes = {seat: {true.game.pack.code[card] for _, card in cards} for seat, cards in held[lead].items()}
        assert codes == {seat: set(true.holding(seat).codes()) for seat in true.terms.seats}


def shows_in_the_play(log: list[Recorded]) -> Iterator[tuple[int, Show]]:
    """The cards of a hand that are shown after its lead, with the position of the lead."""
    lead = 0
    for r in log:
        lead = 0 if isinstance(r.event, Hand) else lead or (r.n if isinstance(r.event, Play) else 0)
        if lead and isinstance(r.event, Show):
            yield lead, r.event


def test_a_card_that_is_shown_in_the_play_came_to_light_then() -> None:
    """If this failed, a hand in which a king is shown would be asked about twice, or the king would be known from its play on."""
    tried = 0
    for seed in range(12):
        log = simulate("ecarte", seed=seed)
        view = corrected(hide(log))
        held = held_at_the_lead(view.events)
        for lead, show in shows_in_the_play(log):
            assert sum(card == show.groups[0][0] and step < max(s for s, _ in cards) for cards in held[lead].values() for step, card in cards)
            tried += 1
        laid, closed = judge_in_one_pass(view.opening, view.events, held), judge_in_one_pass(view.opening, view.events)
        assert laid is not None
        assert closed is not None
        assert [e for e in laid.journal if e.kind == "shown"] == [e for e in closed.journal if e.kind == "shown"]
        assert not laid.doubts.keys() & {laid.hands[lead - 1] for lead in held}
    assert tried


def test_what_was_shown_before_the_lead_came_to_light_again_as_it_was_played() -> None:
    """If this failed, a card that may have been thrown away and drawn again would be known before it was."""
    hand = "B hand 1\n@ deal A=5x?? B=5x??\n@ deal up upcard=7c\nA call propose\nA show Kc\nB call accept\nA discard 2x??\nA draw 2x??\nB pass\n"
    log = records("ecarte", hand + "A play Kc\nB play 8c\nA play Ah\nB show Kh\nB play Kh")
    (held,) = held_at_the_lead(corrected(log).events).values()
    assert held == {"A": [(10, "Kc"), (12, "Ah")], "B": [(11, "8c"), (13, "Kh")]}


def test_a_hand_in_which_cards_were_exchanged_keeps_no_other_closed() -> None:
    """If this failed, what happens in the first hand would say how long the others take to judge."""
    logs = (simulate("ecarte", seed=seed, hands=6) for seed in range(20))
    log = next(log for log in logs if isinstance(next(r.event for r in log if isinstance(r.event, Discard | Play)), Discard))
    assert as_played(corrected(hide(log)).events)


@pytest.mark.parametrize(("game", "seed"), [("calabrasella", 3), ("calabrasella", 4), ("pluck", 7)])
def test_a_breach_in_a_hand_laid_open_at_the_lead_is_dated_by_what_was_recorded(game: str, seed: int) -> None:
    """If this failed, a breach would be known before the card was shown that proves it."""
    log = doubtful_log(game, seed)
    view = corrected(log)
    seen = judge_in_one_pass(view.opening, view.events, held_at_the_lead(view.events))
    assert seen is not None
    assert any(doubt.step >= seen.leads[hand] for hand in seen.leads for doubt in seen.doubts.get(hand, ()))
    assert deduce(log).findings == Judge(view, log).run().findings


@pytest.mark.parametrize("hole", ["play unseen", "play missing", "card twice"])
def test_a_hand_is_not_laid_open_at_the_lead_if_a_card_of_it_has_no_place(hole: str) -> None:
    """If this failed, a card would be read into a hand that never had it."""
    log = hide(simulate("calabrasella", seed=1, hands=1))
    plays = [(r, r.event) for r in log if isinstance(r.event, Play)]
    (one, play), (other, _) = [(r, e) for r, e in plays if e.by == plays[-1][1].by][-2:]
    changed = {
        "play unseen": [replace(r, event=put_down_unseen(r.event)) if r is one else r for r in log],
        "play missing": [replace(r, n=r.n - (r.n > one.n)) for r in log if r is not one],
        "card twice": [replace(r, event=play) if r is other else r for r in log],
    }[hole]
    view = corrected(changed)
    (held,) = held_at_the_lead(view.events).values()
    state = run(view.opening, view.events[: min(step for cards in held.values() for step, _ in cards) - 1])
    before = {name: (pile.known, pile.unseen) for name, pile in state.table.piles.items()}
    assert not lay_open(held, state.table)
    assert {name: (pile.known, pile.unseen) for name, pile in state.table.piles.items()} == before


def test_what_takes_a_whole_hand_stays_open_without_a_second_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, each hidden hand of Kowah in which somebody says checki would be walked twice."""
    log = hide(simulate("kowah", seed=1))
    long = Judge(corrected(log), log).run()
    walked: list[object] = []
    walk = Judge.walk
    monkeypatch.setattr(Judge, "walk", lambda self, *args, **how: walked.append(args) or walk(self, *args, **how))
    assert deduce(log).findings == long.findings
    assert {f.rule for f in long.open} == {"kowah.R3", "kowah.R5"}
    assert walked == []


def test_an_act_that_is_not_allowed_is_asked_about_with_what_was_known_before_it() -> None:
    """If this failed, a lead would be an open question where only the trick before it was not followed with what is known today."""
    log = doubtful_log("hasenpfeffer", 40)
    assert deduce(log).findings == Judge(corrected(log), log).run().findings == []


def test_whether_the_first_deal_was_seen() -> None:
    """If this failed, an open record would be walked as a hidden one, or a hidden one twice."""
    log = simulate("kaiser", seed=1, hands=1)
    assert not dealt_unseen(log)
    assert dealt_unseen(hide(log))
    assert not dealt_unseen(log[:1])


def test_a_contradiction_is_not_for_a_glance() -> None:
    """If this failed, a card played twice would go unnoticed."""
    log = records("kaiser", "W hand 1\n@ deal N=8x?? E=8x?? S=8x?? W=8x??\nN bid 7no\nE pass\nS pass\nW pass\nN play 8h\nE play 8h")
    view = corrected(log)
    assert judge_in_one_pass(view.opening, view.events) is None
    assert [f.rule for f in deduce(log).findings][:1] == ["table.T2"]


def test_a_card_that_elimination_names_is_told_in_the_short_way() -> None:
    """If this failed, one card put aside would cost every hand of a match a long look."""
    named = 0
    for seed in range(4):
        log = hide(simulate("calabrasella", seed=seed, hands=4))
        found = glance(log[0].event, log[1:], budget_for(len(log)))  # type: ignore[arg-type]  # every log begins with its opening
        judge_of = Judge(corrected(log), log)
        named += len(judge_of.run(found).inferred)
        assert judge_of.read == 0
    assert named


def test_the_last_card_of_the_pack_is_the_one_that_every_way_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, what is plain from the journal would not be what comes of looking at every way the cards can lie."""
    named = 0
    for seed in range(8):
        log = hide(simulate("calabrasella", seed=seed, hands=4))
        view = corrected(log)
        seen = judge_in_one_pass(view.opening, view.events)
        assert seen is not None
        short = seen.look_closer(budget_for(5000))
        assert short is not None
        with monkeypatch.context() as patched:
            for module in ("elimination", "single_pass"):
                patched.setattr(f"replay.judging.{module}.the_last_one", lambda entries, table: {})
            long = seen.look_closer(budget_for(5000))
        assert long is not None
        # Of some hands there are too many ways to look at each.
        assert all(short[hand].cards == one.cards for hand, one in long.items())
        assert all(set(short[hand].proofs) == set(one.proofs) for hand, one in long.items())
        named += len(long)
    assert named


@pytest.mark.parametrize("game", ["botifarra", "calabrasella", "jersey-gin", "kaiser", "pluck", "pontoon"])
def test_where_nothing_is_to_name_elimination_names_nothing(game: str) -> None:
    """If this failed, a card that only elimination tells would be left untold."""
    plain = 0
    for seed in range(12):
        view = corrected(doubtful_log(game, seed))
        seen = judge_in_one_pass(view.opening, view.events)
        for hand in seen.gone if seen is not None else ():
            assert seen is not None
            start, after = seen.starts[hand], seen.starts.get(hand + 1)
            last = after.step - 1 if after else len(view.events)
            entries = [e for e in seen.journal if start.step <= e.step <= last]
            table = (after.state if after else seen.state).table
            if nothing_to_name(look_over(entries, table.pack), table):
                plain += 1
                assert cards_by_elimination(start.state, [p.event for p in view.events[start.step - 1 : last]], start.step, last, budget_for(500)) == {}
    assert plain


@pytest.mark.parametrize(
    ("unseen", "shown", "moved", "plain"),
    [
        (4, "", "2x??", True),
        (6, "", "2x??", True),
        (8, "", "2x??", True),
        (6, "", "??", False),
        (4, "B show {3}{1}\n", "2x??", True),
        (6, "B show {3}{1}\n", "2x??", True),
    ],
)
def test_a_hand_that_leaves_whole_is_named_only_if_nothing_else_is_left(unseen: int, shown: str, moved: str, plain: bool) -> None:
    """If this failed, the cards of a hand thrown in would be told from what they were not, or each such hand looked at in every
    way its cards can lie."""
    faces = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
    top = faces[::7][:unseen]
    known = "".join(face for face in faces if face not in top)
    log = records(
        "pontoon",
        f"B hand 1\n@ shuffle stock={known}{unseen}x??\n@ deal down A=?? B=??\nA bet 4\nB deal up A={top[0]} B={top[1]}\nA pass\n"
        f"B pass\nA pass\n@ move {moved} <A >stock_\n{shown.format(*top)}",
        Seats="A B",
    )
    view = corrected(log)
    seen = judge_in_one_pass(view.opening, view.events)
    assert seen is not None
    events, last = [p.event for p in view.events], len(view.events)
    assert nothing_to_name(look_over(seen.journal, seen.state.table.pack), seen.state.table) == plain
    named = cards_by_elimination(seen.starts[1].state, events, 1, last, budget_for(5000))
    assert named == {}


def test_the_last_card_is_named_as_before() -> None:
    """If this failed, elimination would overlook a card that every other card of the pack leaves over."""
    log = hide(simulate("kaiser", seed=1, hands=1))
    plays = [(r.n, r.event) for r in log if isinstance(r.event, Play)]
    at, play = plays[-6]
    covered = [replace(r, event=put_down_unseen(r.event)) if r.n == at else r for r in log]
    assert deduce(covered).inferred == {at: play.cards}


@pytest.mark.parametrize("game", ["envite", "kaiser", "pluck"])
def test_what_a_copy_of_a_hand_shares_with_it_is_never_changed(game: str) -> None:
    """If this failed, an act in doubt would be asked about as if the cards lay as they did later."""
    for log in (simulate(game, seed=3, hands=3), simulate_breaches(game, seed=4, hands=3)[0]):
        state = begin(log[0].event.facts)  # type: ignore[union-attr]  # every log begins with its opening
        shared: list[tuple[Any, Any]] = []
        for placed in log[1:]:
            evolve(state, placed.event)
            assert all(one == before for one, before in shared)
            parts = [getattr(state.hand, name) for name in names_of(state.hand)]
            shared = [
                (one, deepcopy(one)) for part in parts if hasattr(part, "CHANGED_IN_PLACE")
                for name in names_of(part) if name not in part.CHANGED_IN_PLACE
                if type(one := getattr(part, name)) in (dict, list, tuple, set)
            ]  # fmt: skip
            assert shared
