"""The first look at a log: what it settles is settled, and the rest is asked again."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

import pytest
from given import log as records
from msgspec.structs import replace
from sampling import seeds

from events.cards import pack
from events.model import Deal, Discard, Hand, Note, Open, Pass, Play, Recorded
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.games.california_speed import Lot
from reducers.model import attribute_names, copy_hand_value
from reducers.registry import PAGES, find_game
from reducers.table import Table
from reducers.words.beating import LaidPlay
from reducers.words.tricks import Trick
from replay.budget import budget_for
from replay.fold import corrected, fold
from replay.judging import judge as judge_module
from replay.judging.elimination import cards_by_elimination, named_at_once
from replay.judging.first_look import FirstLook, first_look
from replay.judging.judge import Judge, deduce
from replay.judging.opened_deals import dealt_in_parts, dealt_unseen, dealt_whole, with_deals_revealed
from replay.masking import put_down_unseen, unseen_in
from replay.redact import hide
from replay.simulate import simulate, simulate_breaches
from replay.takebacks import stands_as_written
from replay.testing.corpus import with_holes

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
def test_hidden_hands_with_breaches_are_judged_as_without_a_first_look(game: str, seed: int) -> None:
    """If this failed, an act that the first look took for settled would be judged otherwise with what came to light
    later."""
    log = doubtful_log(game, seed)
    short, long = deduce(log), Judge(corrected(log), log).run()
    assert short.findings == long.findings
    assert (short.inferred, short.illegal) == (long.inferred, long.illegal)
    assert (short.state.scores, short.state.turn) == (long.state.scores, long.state.turn)


def looked_at(log: list[Recorded]) -> FirstLook | None:
    """What the first look comes to."""
    assert isinstance(log[0].event, Open)
    return first_look(begin(log[0].event.facts), log[1:])


@pytest.mark.parametrize("seed", seeds(2, 60))
@pytest.mark.parametrize("game", GAMES)
def test_the_first_look_leaves_the_state_that_the_fold_leaves(game: str, seed: int) -> None:
    """If this failed, a match would stand otherwise for the judge than for everybody else."""
    poorer = [one.log for legal in (True, False) for one in with_holes(game, legal, (seed,), 1, 200)]
    clean = simulate(game, seed=seed, hands=1)
    undealt = [r for r in clean if not isinstance(r.event, Deal)]
    # Within a hand it stands otherwise if its first act was not noted as that.
    begun = [log[:n] for log in (clean, undealt) for n in range(3, min(len(log), 24), 4)]
    for log in (doubtful_log(game, seed), *map(list, poorer), *begun):
        seen = looked_at(log) if stands_as_written(log) else None
        if seen is not None:
            folded = begin(log[0].event.facts)
            folded.table.journal = []
            for step, r in enumerate(log[1:], 1):
                folded.at, folded.table.now = r.n, step
                evolve(folded, r.event)
            told = [
                name for name in attribute_names(folded)
                if name not in ("table", "hand", "again", "undecided", "undone")
            ]
            assert {name: getattr(seen.state, name) for name in told} == {name: getattr(folded, name) for name in told}
            assert seen.journal == folded.table.journal


def test_an_act_that_was_put_in_is_forgotten_once_it_is_written() -> None:
    """If this failed, the judge would take a written act for one that was only inferred."""
    log = simulate("pontoon", seed=1, hands=1)
    line = next(r for r in log if isinstance(r.event, Pass))
    state = fold(log, until=line.n - 1)
    state.silent = (line.event,)
    assert first_look(state, [replace(line, event=Note(by="@")), line]) is not None
    assert state.silent == ()


def walked_parts(log: list[Recorded], monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The first step of each walk that it takes to judge a log."""
    walks: list[int] = []
    walk = Judge.walk
    with monkeypatch.context() as patched:
        patched.setattr(
            Judge, "walk", lambda self, *args, **how: walks.append(how.get("first", 0)) or walk(self, *args, **how),
        )
        deduce(log)
    return walks


def test_only_hands_with_an_unsettled_act_are_walked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, one breach would cost a walk over the whole match, or the tests above would compare a walk
    with itself."""
    clean = simulate("kaiser", seed=1, hands=3)
    assert walked_parts(clean, monkeypatch) == []
    begins = [r.n for r in clean if isinstance(r.event, Hand)]
    revoked = [replace(r, event=replace(r.event, by="N")) if r.n == begins[1] + 2 else r for r in clean]
    assert walked_parts(revoked, monkeypatch) == [begins[1]]
    seen = looked_at(revoked)
    assert seen is not None
    ((start, asked, last),) = seen.parts_to_ask(seen.starts)
    assert (start.step, asked[0], last) == (begins[1], begins[1] + 2, len(revoked) - 1)


def test_a_late_act_is_judged_again_from_the_state_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, one open question at the end of each hidden hand would cost all its events again; or a hand
    whose acts conclude something from cards held unseen would be judged by less than is known."""
    for game, starts_midway in (("yaniv", True), ("rumino", True), ("pluck", False)):
        log = hide(simulate(game, seed=1, hands=2))
        begins = {r.n for r in log if isinstance(r.event, Hand)}
        walks = set(walked_parts(log, monkeypatch))
        assert walks, game
        assert bool(walks - begins) == starts_midway, game


def test_the_first_act_of_a_hand_is_asked_about_with_the_hand_before() -> None:
    """If this failed, the wrong dealer would be asked about with the cards of the hand before gone from the table."""
    clean = simulate("court-piece", seed=1, hands=2)
    second = [r.n for r in clean if isinstance(r.event, Hand)][1]
    wrong = [[replace(r, event=replace(r.event, by=seat)) if r.n == second else r for r in clean] for seat in "NESW"]
    looks = [seen for log in wrong if (seen := looked_at(log)) is not None and second in seen.unsettled]
    assert looks
    for seen in looks:
        assert next((start.step, asked) for start, asked, _ in seen.parts_to_ask(seen.starts)) == (1, [second])


def test_hands_played_card_by_card_are_judged_as_open_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, a match of which everything came to light would be judged twice over."""
    log = hide(simulate("kaiser", seed=1, hands=3))
    expected = deduce(log).state.scores
    last = max(r.n for r in log if isinstance(r.event, Hand))
    assert with_deals_revealed(log[1:], find_game("kaiser")) != log[1:]
    unfinished = with_deals_revealed(log[1 : last + 12], find_game("kaiser"))
    assert [
        one.n for one, r in zip(unfinished, log[1:], strict=False) if one is not r
    ] == [r.n for r in log[:last] if isinstance(r.event, Deal)]
    with monkeypatch.context() as patched:
        patched.setattr("replay.judging.judge.Judge", None)
        assert deduce(log).state.scores == expected
        with pytest.raises(TypeError):
            deduce(hide(simulate_breaches("kaiser", seed=1, p=0.05, hands=3)[0]))


def test_a_copy_of_a_hand_is_one_of_its_own() -> None:
    """If this failed, asking again about an act would change what is known of the acts after it."""
    pile = Table(pack()).row("stock")
    kept = {"A": [1, (2, [3])], "B": {"x"}, "C": Lot([[1]], 0, 1), "D": pile, "E": LaidPlay("A", (3, 4))}
    copied = copy_hand_value(kept, {id(pile): "stock"})
    assert copied == {**kept, "D": "stock"}
    copied["A"][1][1].append(4)
    copied["B"].add("y")
    copied["C"].stacks[0].append(2)
    assert kept["A"] == [1, (2, [3])]
    assert kept["B"] == {"x"}
    assert kept["C"] == Lot([[1]], 0, 1)
    trick = Trick(1, (("N", 2),), ("N",))
    assert copy_hand_value(trick, {}) is trick
    with pytest.raises(TypeError):
        copy_hand_value([object()], {})
    with pytest.raises(TypeError):
        copy_hand_value({"pile": pile}, {})


def test_a_hand_played_card_by_card_is_laid_open() -> None:
    """If this failed, hands that came to light would be looked at as if nobody had seen them."""
    log = simulate("kaiser", seed=1, hands=2)
    view = corrected(hide(log))
    opened = with_deals_revealed(view.events, find_game("kaiser"))
    deals = [(p.event, r.event) for p, r in zip(opened, log[1:], strict=True) if isinstance(p.event, Deal)]
    assert deals
    for found, true in deals:
        assert isinstance(true, Deal)
        assert [(name, set(cards)) for name, cards in found.piles] == [(name, set(cards)) for name, cards in true.piles]


def test_a_deal_in_two_parts_is_laid_open_where_nothing_is_asked_between_them() -> None:
    """If this failed, hands dealt in two parts would be looked at as if nobody had seen them, or a rule about the
    first part would be asked with cards of the second."""
    log = simulate("court-piece", seed=1, hands=2)
    view = corrected(hide(log))
    opened = with_deals_revealed(view.events, find_game("court-piece"))
    parts = [p.event.piles for p in opened if isinstance(p.event, Deal)]
    true = [r.event.piles for r in log if isinstance(r.event, Deal)]
    assert [[len(cards) for _, cards in deal] for deal in parts] == [[5] * 4, [8] * 4] * 2
    for hand in (0, 2):
        both = zip(parts[hand], parts[hand + 1], true[hand], true[hand + 1], strict=True)
        assert all({*a, *b} == {*c, *d} for (_, a), (_, b), (_, c), (_, d) in both)
    assert dealt_in_parts(find_game("court-piece"))
    assert not dealt_in_parts(find_game("kaiser"))


def test_a_hand_with_a_card_that_nobody_saw_stays_closed() -> None:
    """If this failed, a card would be read into a deal that may have lain elsewhere."""
    log = hide(simulate("kaiser", seed=1, hands=1))
    last = max(r.n for r in log if isinstance(r.event, Play))
    covered = [replace(r, event=put_down_unseen(r.event)) if r.n == last else r for r in log]
    assert with_deals_revealed(covered[1:], find_game("kaiser")) == covered[1:]
    assert with_deals_revealed(log[1:last], find_game("kaiser")) == log[1:last]


def test_a_hand_of_which_cards_are_left_is_laid_open_as_far_as_it_was_played_if_the_whole_pack_was_dealt() -> None:
    """If this failed, each payment for want of a card would be asked about twice, or a card would be read into a
    deal that was drawn later."""
    log = simulate("play-or-pay", seed=1, hands=1)
    view = corrected(hide(log))
    deal = next(
        p.event for p in with_deals_revealed(view.events, find_game("play-or-pay")) if isinstance(p.event, Deal)
    )
    true = next(r.event for r in log if isinstance(r.event, Deal))
    played = {
        seat: {r.event.cards[0] for r in log if isinstance(r.event, Play) and r.event.by == seat} for seat in "ABCD"
    }
    for (name, cards), (_, dealt) in zip(deal.piles, true.piles, strict=True):
        mine = played[name.removeprefix("hand:")]
        assert set(cards) - {"??"} == mine <= set(dealt)
        assert cards.count("??") == len(dealt) - len(mine)
    assert sum(map(len, played.values())) < 52
    assert dealt_whole(find_game("play-or-pay"))
    assert not dealt_whole(find_game("kaiser"))


@pytest.mark.parametrize("seed", seeds(4, 100))
def test_a_breach_in_a_hand_laid_open_as_far_as_it_was_played_is_dated_by_what_was_recorded(seed: int) -> None:
    """If this failed, whoever pays and holds the card would be known for it before the card is played, or not at
    all."""
    log = hide(simulate_breaches("play-or-pay", seed=seed, p=0.02, hands=2)[0])
    found = deduce(log).findings
    assert found == Judge(corrected(log), log).run().findings


def test_an_act_that_is_not_allowed_is_asked_about_with_what_was_known_before_it() -> None:
    """If this failed, a lead would be an open question where only the trick before it was not followed with what is
    known today."""
    log = doubtful_log("hasenpfeffer", 40)
    assert deduce(log).findings == Judge(corrected(log), log).run().findings == []


def test_whether_the_first_deal_was_seen() -> None:
    """If this failed, an open record would be walked as a hidden one, or a hidden one twice."""
    log = simulate("kaiser", seed=1, hands=1)
    assert not dealt_unseen(log)
    assert dealt_unseen(hide(log))
    assert not dealt_unseen(log[:1])


@pytest.mark.parametrize("game", ["botifarra", "calabrasella", "jersey-gin", "kaiser", "pluck", "pontoon"])
def test_what_the_first_look_names_is_what_elimination_names(game: str) -> None:
    """If this failed, a card that only elimination tells would be left untold."""
    plain = 0
    for seed in range(12):
        log = doubtful_log(game, seed)
        seen = looked_at(log)
        for hand in {seen.hands[e.step - 1] for e in seen.journal if e.kind == "out"} if seen is not None else ():
            assert seen is not None
            start, after = seen.starts[hand], seen.starts.get(hand + 1)
            last = after.step - 1 if after else len(seen.hands)
            entries = [e for e in seen.journal if start.step <= e.step <= last]
            named = named_at_once(entries, seen.state_after(hand).table)
            if named is not None:
                plain += 1
                events = [r.event for r in log[start.step : last + 1]]
                traced = cards_by_elimination(start.state.fork(), events, start.step, budget_for(500))
                assert traced == {step: cards for step, cards in named.items() if unseen_in(events[step - start.step])}
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
def test_a_hand_that_leaves_whole_is_named_only_if_nothing_else_is_left(
    unseen: int, shown: str, moved: str, plain: bool,
) -> None:
    """If this failed, the cards of a hand thrown in would be told from what they were not, or each such hand looked
    at in every way its cards can lie."""
    faces = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
    top = faces[::7][:unseen]
    known = "".join(face for face in faces if face not in top)
    log = records(
        "pontoon",
        f"B hand 1\n@ shuffle stock={known}{unseen}x??\n@ deal down A=?? B=??\nA bet 4\nB deal up "
        f"A={top[0]} B={top[1]}\nA pass\nB pass\nA pass\n@ move {moved} <A >stock_\n{shown.format(*top)}",
        Seats="A B",
    )
    seen = looked_at(log)
    assert seen is not None
    events = [r.event for r in log[1:]]
    assert (named_at_once(seen.journal, seen.state.table) == {}) == plain
    named = cards_by_elimination(seen.starts[1].state.fork(), events, 1, budget_for(5000))
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
        state = begin(log[0].event.facts)
        shared: list[tuple[Any, Any]] = []
        for placed in log[1:]:
            evolve(state, placed.event)
            assert all(one == before for one, before in shared)
            parts = [getattr(state.hand, name) for name in attribute_names(state.hand)]
            shared = [
                (one, deepcopy(one)) for part in parts if hasattr(part, "CHANGED_IN_PLACE")
                for name in attribute_names(part) if name not in part.CHANGED_IN_PLACE
                if type(one := getattr(part, name)) in (dict, list, tuple, set)
            ]  # fmt: skip
            assert shared


def test_a_record_that_contradicts_itself_is_not_done_with_a_first_look() -> None:
    """If this failed, a card played twice would go unnoticed."""
    log = records(
        "kaiser",
        "W hand 1\n@ deal N=8x?? E=8x?? S=8x?? W=8x??\nN bid 7no\nE pass\nS pass\nW pass\nN play 8h\nE play 8h",
    )
    assert looked_at(log) is None
    assert [f.rule for f in deduce(log).findings][:1] == ["table.T2"]


def test_a_hand_that_was_laid_open_is_read_as_recorded_if_something_is_to_ask_in_it() -> None:
    """If this failed, a breach would be dated by the deal, where it was known only as the card was played."""
    log = hide(simulate_breaches("kaiser", seed=4, p=0.05, hands=6)[0])
    assert isinstance(log[0].event, Open)
    seen, plain = judge_module.looked_at(log[0].event, log), looked_at(log)
    assert seen is not None
    assert plain is not None
    assert seen.laid_open
    doubtful = seen.unsettled_hands()
    assert doubtful
    assert doubtful < set(seen.hands)
    # What came to light in the others is not in the journal, and of these it is all there.
    assert [e for e in seen.journal if e.kind == "shown"] == [
        e for e in plain.journal if e.kind == "shown" and plain.hands[e.step - 1] in doubtful
    ]
    assert deduce(log).findings == Judge(corrected(log), log).run().findings
