"""Tests that every game must pass: a registered game takes part without a test of its own.

Matches are random, each from its seed. A few seeds run every time, many with `make soak`. If a seed takes long, each
game draws one of the few (tests/sampling.py). The first seed plays at the usual table, each further one at another,
with more seats or a house rule (tests/tables.py); and a hand or two are played at every table every time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product, takewhile
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from events import model as ev
from events.canon import decode, encode
from events.cards import squeeze
from events.kib import read_bytes
from events.model import Event, Recorded
from events.writing import write_event, write_kib
from reducers.evolve import evolve, has_seat, may_begin, open_hand, who_may_deal
from reducers.facts import Fact
from reducers.first_state import begin
from reducers.legal import ANY_TIME, acts_of, legal, objections, plans
from reducers.model import State
from reducers.registry import find_game
from reducers.rules import DUTY, RIGHT, Kind
from reducers.scoring import HandScore
from reducers.sheet import Block, Sheet
from reducers.terms import hand_of
from reducers.words.tricks import tricks_in
from replay.degrade import each_list
from replay.fold import Corrected, corrected, fold
from replay.judging.judge import Judge, deduce, judge
from replay.masking import mask_cards, masked
from replay.paper.sheet import sheet_of
from replay.redact import PUBLIC, hide
from replay.simulate import SimulatedBreach, Truth, attempts, simulate, simulate_breaches, with_slips
from replay.takebacks import NO_ACT
from replay.testing.corpus import told_by_tally
from replay.testing.given import log as given_log
from replay.testing.odd_logs import odd, said_of
from replay.testing.sampling import asked, asked_with_cards, each_game, sampled
from replay.testing.tables import LONG, a_hand_or_two, at, by_name, by_seed

GAMES = asked()
FEW, MANY = 3, 200
"""The number of seeds that a quick run draws from, and the number in the soak."""

every_game = pytest.mark.parametrize("game", GAMES)
every_game_with_cards = pytest.mark.parametrize("game", asked_with_cards())
first_seed = sampled("table, seed", GAMES, range(FEW), always=[0], each=0, soak=range(FEW, MANY), sits=by_seed)
one_seed_of_some = sampled("table, seed", GAMES, range(FEW), each=1, soak=range(FEW, MANY), sits=by_seed, short=4)
one_seed = sampled("table, seed", GAMES, range(FEW), each=1, soak=range(FEW, MANY), sits=by_seed)

Fingerprint = tuple[Any, ...]


# -- what the tests play and compare ----------------------------------------------------------------------------------


@cache
def a_match(table: str, seed: int) -> tuple[Recorded, ...]:
    """A whole match."""
    return tuple(simulate(at(table).game, seed=seed, **at(table).terms))


@cache
def two_hands(table: str, seed: int) -> tuple[Recorded, ...]:
    """The first two hands of a match, for what is tried at every position."""
    return tuple(simulate(at(table).game, seed=seed, hands=2, **at(table).terms))


@cache
def with_breaches(table: str, seed: int, hands: int = 0) -> tuple[tuple[Recorded, ...], Truth]:
    """Hands in which rules are broken on purpose: this many; by default four, or two if hands are long."""
    hands = hands or (4 if len(two_hands(at(table).game, 0)) <= LONG else 2)
    log, truth = simulate_breaches(at(table).game, seed=seed, p=0.1, hands=hands, **at(table).terms)
    return tuple(log), truth


def viewers(table: str) -> tuple[str, ...]:
    """All viewers: the public and each seat."""
    return (PUBLIC, *at(table).seats)


def opening(log: tuple[Recorded, ...] | list[Recorded]) -> dict[str, Any]:
    """The facts of the opening."""
    assert isinstance(log[0].event, ev.Open)
    return log[0].event.facts


def walk(log: tuple[Recorded, ...] | list[Recorded]) -> Iterator[tuple[State[Any], Event, int]]:
    """The state before each event, the event, and its position; the state is the fold's own."""
    view: Corrected = corrected(log)
    state = begin(view.opening.facts)
    for placed in view.events:
        yield state, placed.event, placed.n
        state.at = state.table.now = placed.n
        evolve(state, placed.event)


def by_chance(event: Event) -> bool:
    """True for a deal, the beginning of a hand, or a card turned up in a column: no seat decides these."""
    turned_up = isinstance(event, ev.Show) and event.src.startswith("col:")
    return event.by == "@" or isinstance(event, ev.Hand) or turned_up


def fingerprint(state: State[Any]) -> Fingerprint:
    """The visible parts of a state, for comparison."""
    piles = {name: (sorted(p.codes()) if p.row is None else p.codes()) for name, p in state.table.piles.items()}
    return (
        state.number, state.phase, state.turn, state.dealer, state.ended, state.scores.copy(), state.standing, piles,
        state.table.located, len(state.inferred),
    )  # fmt: skip


def certain(state: State[Any]) -> int:
    """The cards whose pile is certain, with their copies."""
    return sum(pile.certain for pile in state.table.piles.values())


def on_table(state: State[Any]) -> int:
    """The number of cards in all piles together."""
    return sum(len(pile) for pile in state.table.piles.values())


def accused(log: tuple[Recorded, ...] | list[Recorded]) -> set[tuple[int, str]]:
    """Position and rule of each breach that the judge finds."""
    return {(f.at.pos, f.rule) for f in judge(log).broken}


def agree(hidden: HandScore, shown: HandScore) -> None:
    """Check that every figure of the hidden log is that of the open one."""
    assert hidden.number == shown.number
    for who, points in hidden.points.items():
        assert points is None or points == shown.points[who], f"points of {who} in hand {shown.number}"
    for who, total in hidden.totals.items():
        assert total is None or total == shown.totals[who], f"standing of {who} after hand {shown.number}"
    amounts = {line.label: line.amounts for line in shown.lines}
    for line in hidden.lines:
        for who, amount in line.amounts.items():
            # A line without amounts is not written.
            assert "None" not in line.sums.get(who, ""), f"{line.label} of {who}"
            assert amount is None or amount == amounts.get(line.label, {}).get(who, 0), f"{line.label} of {who}"


# -- what holds at every table ----------------------------------------------------------------------------------------


def dealt_by_now(state: State[Any]) -> int:
    """The number of cards on the table: the whole pack after the last part of the deal. While chance is to act, the
    part of this phase is still to come."""
    deal = state.game.dealing.deal
    parts = dict(deal.stages) if deal is not None and not deal.rest else {}
    if deal is None or state.phase not in parts:
        return state.game.pack.size
    each = deal.by_then(state.phase) - state.game.dealing.chance_acts_first(state) * parts[state.phase]
    return len(state.game.dealing.playing(state)) * each


def every_card_lies_somewhere(state: State[Any], event: Event, n: int) -> None:
    """Check that each card of the pack is in exactly one pile."""
    pack = state.game.pack
    assert state.table.trouble == [], f"at {n}"
    assert certain(state) == state.table.located, f"before {n}"
    assert not state.table.located & ~pack.everything
    assert all(pile.unseen >= 0 for pile in state.table.piles.values())
    if not by_chance(event):
        assert on_table(state) == dealt_by_now(state), f"before {n}"


def somebody_may_act(state: State[Any], event: Event, n: int) -> None:
    """Check that the seat that acts is in turn and has a legal act, unless chance acts or the match is over."""
    assert not state.ended, f"something happened at {n}, after the end"
    assert set(state.turn) <= set(state.terms.seats)
    if not by_chance(event):
        assert event.by.partition(":")[0] in state.turn, f"at {n}"
        assert legal(state, limit=1).acts


def nobody_is_accused(log: tuple[Recorded, ...]) -> None:
    """A legal match breaks nothing."""
    verdict = judge(log)
    assert verdict.broken == []
    assert verdict.open == [], "with everything known nothing is unknown"


@first_seed
def test_whoever_wins_is_the_one_who_led(table: str, seed: int) -> None:
    """If this failed, the board of an evening would show the wrong player as the leader."""
    state = fold(a_match(table, seed))
    totals, winner = state.standing.totals, state.standing.winner
    if winner in totals and None not in totals.values():
        best = min if state.game.match.fewest_lead(state.terms) else max
        assert totals[winner] == best(n for n in totals.values() if n is not None)


def what_is_hidden_agrees(log: tuple[Recorded, ...], viewer: str) -> None:
    """Turns and figures, as far as a viewer knows them, are the true ones."""
    shown, unseen = fold(log), hide(log, viewer)
    assert [(r.n, type(r.event), r.event.by) for r in unseen] == [(r.n, type(r.event), r.event.by) for r in log]
    assert hide(unseen, viewer) == unseen
    state = fold(unseen)
    assert len(state.scores) == len(shown.scores)
    for here, there in zip(state.scores, shown.scores, strict=True):
        agree(here, there)
    if state.ended:
        # A match with a fixed number of hands ends even if a total is unknown; then it has no winner.
        known = None not in state.standing.totals.values()
        assert (state.ended, state.standing.winner) == (shown.ended, shown.standing.winner if known else "")
    for (dim, _, n), (bright, _, _) in zip(walk(unseen), walk(log), strict=True):
        # If the turn is not known for certain, the true seat is among those named.
        assert set(bright.turn) <= set(dim.turn), f"{viewer} at {n}"


def really_broken(truth: Truth) -> set[tuple[int, str]]:
    """Position and rule of every breach that was made on purpose."""
    return {(b.position, f"{truth.game}.{rule}") for b in truth.breaches for rule in b.rules}


def every_breach_is_found(log: tuple[Recorded, ...], truth: Truth) -> None:
    """Check that the judge finds every breach, and nothing else, if everything is known."""
    verdict = judge(log)
    assert {(f.at.pos, f.rule) for f in verdict.broken} == really_broken(truth)
    # After an act out of turn a card may be missing from any record, and what follows is left open.
    assert [f for f in verdict.open if "missing from the record" not in f.text] == []


def no_other_is_accused(log: tuple[Recorded, ...], truth: Truth, viewer: str) -> None:
    """Check that the judge finds each breach in the log of a viewer or leaves it open, and accuses no legal act."""
    verdict, done = judge(hide(log, viewer)), really_broken(truth)
    found = {(f.at.pos, f.rule) for f in verdict.broken}
    asked = {(f.at.pos, f.rule) for f in verdict.open}
    assert found <= done, viewer
    assert done <= found | asked, f"{viewer}: a breach is neither found nor left open"


# -- the page as it is written


@every_game
def test_rules_are_numbered_without_holes(game: str) -> None:
    """If this failed, a finding could cite a rule that the catalogue does not list in its place."""
    rules = list(find_game(game).rules)
    assert [r.id for r in rules] == [f"R{i}" for i in range(1, len(rules) + 1)]
    for r in rules:
        assert isinstance(r.kind, Kind)
        assert r.heading.strip(), r.id
        assert r.text.endswith("."), f"{r.id} is no sentence"
    assert find_game(game).rules.game == game


@every_game
def test_every_check_carries_a_rule_of_the_page(game: str) -> None:
    """If this failed, a check could speak for a rule that does not exist, or for acts that never come."""
    page = find_game(game)
    acts = {t for phase in page.phases.values() for t in phase.acts} | ANY_TIME
    for check in page.rules.checks:
        assert page.rules.rules[check.rule.id] is check.rule
        assert check.on, f"a check of {check.rule.id} is for no event"
        assert set(check.on) <= acts, f"a check of {check.rule.id} is for events that belong to no phase"
        assert set(check.when) <= {
            *page.phases, "between", "over",
        }, f"a check of {check.rule.id} is for a phase that the game does not have"


@every_game
def test_a_check_is_asked_in_its_phases_and_in_no_other(game: str) -> None:
    """If this failed, a rule of one part of a hand would be held against the players in another, or never be asked."""
    for check in find_game(game).rules.checks:
        plan = plans(game)
        for kind in check.on:
            there = {phase for phase, asked in plan.items() if check in asked.get(kind, ())}
            possible = {phase for phase, asked in plan.items() if kind in asked}
            assert there == (possible & set(check.when) if check.when else possible)
            assert there, (
                f"a check of {check.rule.id} is for acts that do not belong to its phases: {kind.__name__} is in the "
                f"acts of {', '.join(sorted(possible))}, and the check names {', '.join(check.when)}"
            )


@every_game
def test_a_hand_goes_on_after_a_gap_in_any_way_it_may(game: str) -> None:
    """If this failed, an act that the gap hides the way to would be out of its time."""
    page = find_game(game)
    phases = page.phases
    if ev.Gap in page.on and page.has_cards:
        log = two_hands(game, 0)
        state = fold([*log[:4], Recorded(n=4, event=ev.Gap(by="@"))])
        expected = (*phases, "between")
        assert state.phase in expected, f"a hand goes on in the phase '{state.phase}': the page has to list it"
    gap = phases.get("gap")
    assert gap is None or {kind for phase in phases.values() for kind in phase.acts} <= set(gap.acts)


STILL_SHOWN = {
    game: {"won"} for game in ("scopa", "stealing-bundles", "xeri")
} | {"bridge-solitaire": {"won", "discard", "dead"}}


@every_game_with_cards
def test_after_a_gap_no_card_is_where_it_was_seen(game: str) -> None:
    """If this failed, a player would be held to a card that went away while nobody wrote."""
    log = simulate(game, seed=3, hands=1)
    state = fold(log, until=len(log) // 2)
    evolve(state, ev.Gap(by="@"))
    assert not state.settled
    assert {
        name.partition(":")[0] for name, pile in state.table.piles.items() if pile.certain
    } <= STILL_SHOWN.get(game, set())


@every_game
def test_every_duty_has_a_check(game: str) -> None:
    """If this failed, a duty could be broken without a finding."""
    page = find_game(game)
    carried = {check.rule.id for check in page.rules.checks}
    assert [r.id for r in page.rules if r.kind is DUTY and r.id not in carried] == []


@every_game
def test_every_right_can_be_denied_on_record(game: str) -> None:
    """If this failed, a table could refuse what the rules allow, and there would be no line for it. Who plays alone is
    refused nothing."""
    page = find_game(game)
    denied = {check.rule.id for check in page.rules.checks if ev.Fault in check.on}
    alone = page.seating.house != ""
    assert [r.id for r in page.rules if r.kind is RIGHT and r.id not in denied and not alone] == []


@every_game
def test_the_page_explains_itself(game: str) -> None:
    """If this failed, a reader could not learn how the page takes the rules, or what may be written in a tally."""
    page = find_game(game)
    assert page.key == game
    assert page.name
    assert page.summary.endswith(".")
    assert page.players
    assert page.readings, "no rule text is without a doubtful passage"
    for question, answer in page.readings.items():
        assert question.strip()
        assert answer.strip()
    for key, fact in page.tally.facts.items():
        assert re.fullmatch(r"[a-z][a-z0-9]*(\.(\*|#|[a-zA-Z0-9]+))*", key), f"'{key}' cannot be written in a tally"
        told = key.replace("*", page.seating.usual[0]).replace("#", "1")
        assert not given_log(game, f"@ tally {told}=1")[-1].text
        assert isinstance(fact, Fact), f"what '{key}' can be is not declared"
        assert fact.meaning.strip()
        assert not fact.rule or fact.rule in page.rules.rules
    for word, meaning in page.words.items():
        assert re.fullmatch(r"[a-z][a-z0-9-]*", word)
        assert meaning.strip()
    for name, phase in page.phases.items():
        assert re.fullmatch(r"[a-z][a-z0-9 -]*", name)
        assert phase.name
        assert phase.expects
        assert phase.acts or not page.has_cards
        assert set(phase.acts) <= set(ev.EVENT_TYPES)


# -- playing


@each_game(by_name(), short=16, name="table")
def test_every_number_of_seats_and_every_house_rule_is_played(table: str) -> None:
    """If this failed, a page would be right for the smallest table alone, or would not know what its own options do."""
    log = a_hand_or_two(table, 0)
    for state, event, n in walk(log):
        before = fingerprint(state)
        if state.number:
            assert event in legal(state).acts or by_chance(event), f"what was done at {n} is not listed"
            state.game.display.headline(state)
            state.game.display.last_outcome_text(state)
        assert fingerprint(state) == before, f"to look at the table before {n} changes it"
        every_card_lies_somewhere(state, event, n)
        somebody_may_act(state, event, n)
    nobody_is_accused(log)
    who, other = Random(table).sample((PUBLIC, Random(table).choice(at(table).seats)), 2)
    what_is_hidden_agrees(log, who)
    assert accused(hide(log, who)) == set(), who
    every_breach_is_found(*with_breaches(table, 0, 1))
    no_other_is_accused(*with_breaches(table, 0, 1), other)


@first_seed
def test_a_match_ends_and_nobody_is_accused(table: str, seed: int) -> None:
    """If this failed, a legal act would be refused, or a match could not be played to its end."""
    log = a_match(table, seed)
    state = fold(log)
    # A match for which no end was agreed is closed by the table.
    assert state.ended == "won" or (state.ended == "agreed" and state.standing.over)
    assert state.standing.over
    nobody_is_accused(log)


@one_seed
def test_no_card_is_made_or_lost(table: str, seed: int) -> None:
    """If this failed, a card could be in two piles, or in none."""
    for log in (a_match(table, seed), hide(a_match(table, seed)), with_breaches(table, seed)[0]):
        for state, event, n in walk(log):
            every_card_lies_somewhere(state, event, n)


@first_seed
def test_somebody_may_act_until_the_end(table: str, seed: int) -> None:
    """If this failed, a hand could stop with no seat in turn."""
    for state, event, n in walk(a_match(table, seed)):
        somebody_may_act(state, event, n)


@one_seed
def test_every_listed_act_is_accepted(table: str, seed: int) -> None:
    """If this failed, the list of legal acts and the checks would disagree, or a legal act would not fit the cards."""
    rng = Random(seed)
    for state, event, n in walk(two_hands(table, seed)):
        if by_chance(event):
            continue
        options = legal(state)
        assert options.seats == state.turn
        assert options.complete
        assert event in options.acts, f"what was done at {n} is not listed"
        assert len(set(map(repr, options.acts))) == len(options.acts), "an act is listed twice"
        for act in rng.sample(options.acts, min(3, len(options.acts))):
            assert act.by.partition(":")[0] in state.turn
            assert state.game.simulation.weigh(state, act) > 0
            assert list(objections(state, act)) == []
            then = state.copy()
            evolve(then, act)
            assert then.table.trouble == []
            assert on_table(then) == dealt_by_now(then)


@every_game
def test_asking_about_a_hand_that_is_not_there_puts_none_on_the_table(game: str) -> None:
    """If this failed, a log that was judged would end with other piles than one that was only folded."""
    log = two_hands(game, 0)
    seats = begin(opening(log)).terms.seats
    for state, event, _ in walk(log):
        before = fingerprint(state)
        for other in (f"{seat}:2" for seat in seats):
            assert state.holding(other).vague
            if has_seat(other, state):
                list(objections(state, replace(event, by=other)))
        assert fingerprint(state) == before


@every_game_with_cards
def test_a_hand_that_nobody_can_have_stops_nothing(game: str) -> None:
    """If this failed, one slip of the pen (`N:2` for `N`) would keep a record from being judged at all."""
    log = [
        r if r.event.by == "@" or r.n % 5 else replace(r, event=replace(r.event, by=f"{r.event.by}:2"))
        for r in two_hands(game, 0)
    ]
    wrong = {r.n for r in log if r.event.by.endswith(":2") and type(r.event) in acts_of(game)}
    assert wrong
    found = {f.at.pos for f in judge(log).findings if f.rule == "table.T7"}
    assert found == (set() if find_game(game).tally.of_hands else wrong)


@every_game
def test_a_tally_says_whether_the_hand_counts(game: str) -> None:
    """`void=no` takes it back, and is not a reason."""
    facts = opening(two_hands(game, 0))
    first = begin(facts).terms.seats[0]
    for written, why in (("yes", "void"), ("misdeal", "misdeal"), ("no", ""), ("-", "")):
        state = begin(facts)
        for r in given_log(game, f"{first} hand 1\n@ tally void=yes\n@ tally void={written}")[1:]:
            evolve(state, r.event)
        assert state.score is not None
        assert (state.score.result if state.score.source == "void" else "") == why, written


@sampled("table, seed", GAMES, range(6), each=1, soak=range(6, 30), sits=by_seed)
def test_a_log_however_odd_is_judged_and_scored(table: str, seed: int) -> None:
    """If this failed, lost or swapped acts, unseen hands or arbitrary facts would stop the judge or the score."""
    log, _ = simulate_breaches(at(table).game, seed=seed, p=0.15, hands=1, **at(table).terms)
    assert all(said_of(one) for one in odd(list(log), Random(f"{at(table).game} {seed}")))


@one_seed
def test_replaying_twice_agrees(table: str, seed: int) -> None:
    """If this failed, a score could change without an event."""
    log = a_match(table, seed)
    assert fingerprint(fold(log)) == fingerprint(fold(log))
    assert log == tuple(simulate(at(table).game, seed=seed, **at(table).terms))


@one_seed
def test_any_position_is_reached_the_same_way(table: str, seed: int) -> None:
    """If this failed, `replay --until` would show another table than the one that was there."""
    log = two_hands(table, seed)
    for state, _, n in walk(log):
        assert fingerprint(fold(log, until=n - 1)) == fingerprint(state)


@first_seed
def test_a_copy_is_independent(table: str, seed: int) -> None:
    """If this failed, a change to a copied state would change the fold it came from."""
    log = two_hands(table, seed)
    end = fingerprint(fold(log))
    rng = Random(seed)
    chosen = set(rng.sample([r.n for r in log[1:]], min(12, len(log) - 1)))
    for state, _, n in walk(log):
        if n not in chosen:
            continue
        before = fingerprint(state)
        copy = state.copy()
        assert copy.table is not state.table
        assert copy.game is state.game or copy.game.pack is state.game.pack
        for r in log[n:]:
            copy.at = copy.table.now = r.n
            evolve(copy, r.event)
        assert fingerprint(state) == before, f"the copy made before {n} changed its original"
        assert fingerprint(copy) == end, f"the copy made before {n} does not go on like its original"


# -- the first act of a hand


def first_acts(game: str, seed: int, most: int) -> tuple[ev.Open, list[Event], list[Event]]:
    """The opening of a match, the lines that deal its first hand with no card seen, and what a seat may try then,
    legal or not: of each kind of act by each seat at most this many."""
    first, *lines = simulate(game, seed=seed, hands=1, **at(game).terms)
    assert isinstance(first.event, ev.Open)
    state, acts, dealt = begin(first.event.facts), acts_of(game), []
    for r in takewhile(lambda r: type(r.event) not in acts or r.event.by not in state.terms.seats, lines):
        state.at = state.table.now = r.n
        evolve(state, r.event)
        dealt.append(deal_unseen(r.event))
    return first.event, dealt, tries(state, most)


def deal_unseen(event: Event) -> Event:
    """A deal with no card seen; any other event as it is."""
    if not isinstance(event, ev.Deal):
        return event
    return replace(event, piles=tuple((pile, masked(cards)) for pile, cards in event.piles))


def tries(state: State[Any], most: int) -> list[Event]:
    """What a seat may try here, legal or not: of each kind of act by each seat at most this many."""
    tried = list(attempts(state))
    for seat in state.terms.seats:
        if held := tuple(state.game.pack.cards(state.holding(seat).certain)):
            tried += [
                ev.Show(by=seat, groups=(held[:1],)), ev.Show(by=seat, groups=(held,)),
                ev.Play(by=seat, cards=held[:1]), ev.Discard(by=seat, cards=held[:1]),
            ]
        tried += [
            *(ev.Call(by=seat, word=word) for word, kind in state.game.words.items() if kind.startswith("call")),
            ev.Pass(by=seat), ev.Draw(by=seat, cards=("??",)),
        ]
        tried += [replace(act, by=seat) for act in tried if isinstance(act, ev.Move | ev.Bid | ev.Bet)]
    of_each: dict[tuple[Any, ...], dict[str, Event]] = {}
    for act in tried:
        of_each.setdefault((type(act), act.by, getattr(act, "word", "")), {})[write_event(act)] = act
    return [act for some in of_each.values() for act in list(some.values())[:most]]


def said_of_first(opening: ev.Open, dealt: Sequence[Event], act: Event) -> list[tuple[str, str, str]]:
    """The findings about an act behind these lines, and about nothing before it."""
    judgement = judge([Recorded(n=n, event=event) for n, event in enumerate([opening, *dealt, act])])
    return sorted(
        (f.rule, f.verdict, "" if "event" in f.text else f.text) for f in judgement.findings if f.at.pos > len(dealt)
    )


@sampled("game, seed, most", asked_with_cards(), [(0, 1)], each=1, soak=[(0, 6), (1, 6), (2, 6)])
def test_the_first_act_is_judged_as_if_the_deal_had_been_written(game: str, seed: int, most: int) -> None:
    """If this failed, a rule would be checked before the cards of a hand without a written deal are laid. The dealer is
    given: else a card that is shown before the beginning of a hand is written may be a cut for the deal."""
    opening, dealt, acts = first_acts(game, seed, most)
    hands = [event for event in dealt if isinstance(event, ev.Hand)]
    opening = replace(opening, facts={**opening.facts, "Dealer": hands[0].by} if hands else opening.facts)
    assert acts
    for act in acts:
        wanted = said_of_first(opening, dealt, act)
        assert said_of_first(opening, hands, act) == wanted, write_event(act)
        assert said_of_first(opening, [], act) == wanted, write_event(act)


Told = set[tuple[int, str, str]]
"""What the judge says of a record: position, rule and verdict; -1 stands for the last line, -2 for the lines of its
deal."""


def told_of(before: Sequence[Event], *dealt: Event) -> Told:
    """What the judge says of a hand that is over, and of these lines, the last of which is an act."""
    said = deduce([Recorded(n=n, event=event) for n, event in enumerate([*before, *dealt])])
    end = len(before) + len(dealt)
    return {
        (at if at < len(before) else max(at - end, -2), f.rule, f.verdict) for f in said.findings for at in (f.at.pos,)
    }


def breaches_in(ways: Iterable[Told]) -> set[tuple[int, str]]:
    """Position and rule of each breach that is found in all of these ways; any rule is written as none."""
    each = [{(at, rule) for at, rule, verdict in told if verdict == "broken"} for told in ways]
    return set.intersection(*({*found, *((at, "") for at, _ in found)} for found in each))


def is_listed_after(act: Event, over: State[Any]) -> bool:
    """True if the page lists an act for a hand that is over, or a seat shows a card of those it has left."""
    phase = over.game.phases.get(over.phase)
    return not over.settled or (phase is not None and type(act) in phase.acts) or (
        over.game.omissions.belongs_to_finished_hand(over, act)
        or (isinstance(act, ev.Show) and len(over.holding(act.by)) > 0)
    )


def a_later_hand(game: str, seed: int, most: int) -> tuple[list[Recorded], list[Event], list[Event]]:
    """The first hand of a match; the lines that deal the second one with no card seen; and what a seat may try then."""
    options: dict[str, Any] = {"games": 2, "best_of": 3, "hands": 2}
    has = find_game(game).options.__struct_fields__
    log = simulate(game, seed=seed, hands=2, options={k: n for k, n in options.items() if k in has})
    _, begins, *_ = *(r.n for r in log if isinstance(r.event, ev.Hand)), len(log)
    state, dealt = fold(log[:begins]), list[Event]()
    for r in takewhile(lambda r: isinstance(r.event, ev.Hand) or r.event.by not in state.terms.seats, log[begins:]):
        state.at = state.table.now = r.n
        evolve(state, r.event)
        dealt.append(deal_unseen(r.event))
    return list(log[:begins]), dealt, tries(state, most)


@sampled("game, seed", asked_with_cards(), range(1), each=1, soak=range(1, 40))
def test_the_first_act_of_a_later_hand_needs_no_line_and_no_deal(game: str, seed: int) -> None:
    """If this failed, somebody would have broken a rule only because a hand has no line or no deal, or a breach that
    shows without them would be missed. Everybody who may deal by the text is asked. What the page lists for a hand that
    is over may be of that hand, as is a card that its dealer goes on to turn."""
    log, (hand, *deal), acts = a_later_hand(game, seed, 2)
    rng = Random(f"later/{game}/{seed}")
    before = [r.event for r in (log if rng.random() < 0.5 else hide(log, PUBLIC))]
    over = fold([Recorded(n=n, event=event) for n, event in enumerate(before)])
    for act in rng.sample(acts, min(10, len(acts))):
        listed = is_listed_after(act, over)
        differ = told_of(before, hand, act) ^ told_of(before, hand, *deal, act)
        assert not [told for told in differ if told[0] != -2], (write_event(act), differ)
        for cards in (deal, []) if not (listed and isinstance(act, ev.Show)) else (deal,):
            each = [told_of(before, replace(hand, by=seat), *cards, act) for seat in who_may_deal(over)]
            # The deal itself may show who has dealt.
            wrong = [sum(at == -2 for at, _ in breaches_in([told])) for told in each]
            common = breaches_in(told for told, n in zip(each, wrong, strict=True) if n == min(wrong))
            found = breaches_in([told_of(before, *cards, act)])
            goes_on = listed and isinstance(act, ev.Play) and act.by == over.dealer and not cards
            assert goes_on or {at for at, _ in found} <= {at for at, _ in common}, (write_event(act), found, common)
            assert common <= found or (listed and not cards), (write_event(act), found, common)


def cards_on(state: State[Any]) -> dict[str, Any]:
    """How the piles of a table lie."""
    return {
        name: (pile.known, pile.unseen, pile.half, pile.row, pile.vague) for name, pile in state.table.piles.items()
    }


@sampled("game, seed", asked_with_cards(), range(3), each=1, soak=range(3, 20))
def test_a_deal_that_nobody_wrote_is_laid_once(game: str, seed: int) -> None:
    """If this failed, a hand would have more cards than were dealt as soon as a rule was asked about its first act."""
    log = hide(simulate(game, seed=seed, hands=1), PUBLIC)
    once, asked = begin(opening(log)), begin(opening(log))
    for r in [
        r for r in log[1:] if not isinstance(r.event, ev.Shuffle)
        and not (isinstance(r.event, ev.Deal) and r.event.by == "@")
    ][:12]:
        once.at = once.table.now = asked.at = asked.table.now = r.n
        evolve(once, r.event)
        if may_begin(r.event, asked):
            open_hand(r.event, asked)
        evolve(asked, r.event)
        assert cards_on(asked) == cards_on(once), write_event(r.event)


@every_game_with_cards
def test_a_seat_without_cards_shows_one_of_the_next_hand(game: str) -> None:
    """If this failed, a card shown at the beginning of a hand would be taken for one of the cards won in the hand
    before, and count as a breach of the player who shows it."""
    log = two_hands(game, 0)
    begins = [r.n for r in log if isinstance(r.event, ev.Hand)]
    first = list(log[: begins[1] if len(begins) > 1 else len(log)])
    state = fold(first)
    if not state.settled or state.ended or state.game.dealing.deal is None:
        return
    for seat in state.terms.seats:
        if not len(state.holding(seat)):
            shown = Recorded(n=len(first), event=ev.Show(by=seat, groups=(state.game.pack.faces[:1],)))
            said = judge([*first, shown])
            assert said.broken == []
            assert said.state.number == state.number + 1


# -- after the end


def further(log: tuple[Recorded, ...], events: Sequence[Event]) -> list[Recorded]:
    """The log with these events behind it."""
    return [*log, *(Recorded(n=len(log) + i, event=event) for i, event in enumerate(events))]


def played_first(log: tuple[Recorded, ...]) -> list[Event]:
    """The events of the first hand."""
    begins = [r.n for r in log if isinstance(r.event, ev.Hand)]
    return [r.event for r in log[begins[0] : begins[1] if len(begins) > 1 else len(log)]]


def written(game: str, lines: str) -> list[Event]:
    """The events of these lines."""
    return [r.event for r in given_log(game, lines)[1:]]


FURTHER = (
    "a whole hand", "acts without a hand line", "a tally that counts", "a tally taken back", "a void hand",
    "an agreed end", "a gap and acts", "two hands", "a misdeal", "a claim",
)  # fmt: skip
"""What may be written after the end of a match."""


def further_events(game: str, log: tuple[Recorded, ...], what: str) -> tuple[list[Event], int]:
    """These events, and how many of them are marked."""
    end, whole = fold(log), played_first(log)
    first, *dealt = whole
    told, agreed, gone = written(game, "@ tally void=no"), written(game, "@ end hand agreed"), written(game, "@ gap 3")
    void, acts = written(game, "@ tally void=yes"), dealt
    if not end.game.has_cards:
        # A tally after a hand that was recorded by one belongs to that hand, unless a hand line comes before it.
        void, acts = [first, *void], whole
    claim = f"@ claim {end.terms.seats[0]}=3\n{end.terms.seats[0]} confirm"
    made: dict[str, tuple[list[Event], int]] = {
        "a whole hand": (whole, 1), "acts without a hand line": (acts, 1), "a tally that counts": ([first, *told], 1),
        "a tally taken back": (told, 0), "a void hand": (void, int(any(end.scores[-1].points.values()))),
        "an agreed end": (agreed, 1), "a gap and acts": ([*gone, *acts], 1),
        "two hands": ([first, *agreed, first, *dealt], 2), "a misdeal": (written(game, "@ end hand misdeal"), 1),
        "a claim": (written(game, claim), 0),
    }  # fmt: skip
    return made[what]


@sampled("game, what", GAMES, FURTHER, each=1, always=["a whole hand"], short=2)
def test_a_further_hand_after_the_match_is_marked_and_changes_nothing(game: str, what: str) -> None:
    """If this failed, a match that was won could be lost again by playing on."""
    log = a_match(game, 0)
    end = fold(log)
    more, marks = further_events(game, log, what)
    longer = further(log, more)
    verdict = deduce(longer)
    found = [f for f in verdict.findings if f.rule != "table.T9"]
    assert [f.rule for f in found] == ["table.T6"] * marks
    assert marks == 0 or found[0].at.pos - len(log) in (0, 1, 2)
    assert verdict.findings == Judge(corrected(longer), longer).run().findings
    for state in (verdict.state, fold(longer)):
        assert (
            state.standing, state.scores, state.ended, state.number,
        ) == (end.standing, end.scores, end.ended, end.number)
    assert computed(sheet_of(longer)) == computed(sheet_of(list(log)))


def computed(sheet: Sheet) -> list[Block]:
    """The blocks of a sheet without what the table wrote otherwise."""
    return [
        replace(b, rows=tuple(replace(r, cells=tuple(replace(c, stated="") for c in r.cells)) for r in b.rows))
        for b in sheet.blocks
    ]  # fmt: skip


@every_game
def test_a_correction_that_takes_the_end_of_the_match_back_lets_the_further_hand_count(game: str) -> None:
    """If this failed, the hand after a mistyped last hand would be lost when that is put right."""
    log = a_match(game, 0)
    number = fold(log).number
    begins = max(r.n for r in log if isinstance(r.event, ev.Hand))
    longer = further(log, played_first(log))
    struck = [ev.Fix(by="@", at=n, how="strike") for n in range(begins, len(log))]
    state = fold(further(tuple(longer), struck))
    assert (state.number, len(state.scores)) == (number, number)
    assert state.scores[: number - 1] == fold(log).scores[: number - 1]
    late = [f.at.pos for f in judge(further(tuple(longer), struck)).findings if f.rule == "table.T6"]
    if late:
        # A hand that wins a match of Zetema is over before its last card, and then the same is so without the
        # struck hand.
        plain = further(log[:begins], played_first(log))
        assert fold(plain[: min(late) - (len(log) - begins)]).ended == "won"


# -- writing and reading


@one_seed_of_some
def test_the_log_survives_being_written(table: str, seed: int) -> None:
    """If this failed, a log that was exported and read again would be another log."""
    broken, _ = with_breaches(table, seed)
    slipped, _ = with_slips(broken, 0.1, Random(seed))
    whole = a_hand_or_two(table, seed)
    for log in (list(whole), hide(whole), list(broken), slipped):
        assert [decode(encode(r)) for r in log] == log
        text = write_kib(log)
        reading = read_bytes(text.encode())
        assert reading.errors == []
        assert reading.records == log
        assert write_kib(reading.records) == text


# -- hidden hands


@one_seed
def test_a_hidden_log_agrees_with_the_open_one(table: str, seed: int) -> None:
    """If this failed, what is not known would be answered, and wrongly."""
    log = a_match(table, seed)
    for viewer in viewers(table):
        what_is_hidden_agrees(log, viewer)


@one_seed
def test_nobody_is_accused_in_a_hidden_log_of_a_legal_match(table: str, seed: int) -> None:
    """If this failed, somebody who kept the rules would be called a cheat because the hands were not seen."""
    log = a_match(table, seed)
    for viewer in viewers(table):
        assert accused(hide(log, viewer)) == set(), viewer


WITHOUT_LINES = ("seen", "hidden", "uncounted", "a gap first", "told in mid-hand")


@sampled("game, how", asked_with_cards(), WITHOUT_LINES, each=2, short=8)
def test_without_a_hand_line_nobody_is_accused_and_certain_scores_are_true(game: str, how: str) -> None:
    """If this failed, a seat that did not deal would be taken for an unrecorded dealer, or the next hand for the rest
    of one that may be over."""
    seats = at(game).seats
    log = simulate(game, seed=1, hands=2, dealer=seats[len(game) % len(seats)], **at(game).terms)
    true = fold(log).scores
    known = list(log if how == "seen" else hide(log, PUBLIC))
    if how == "uncounted":
        known = [replace(r, event=each_list(r.event, r.event, nobody_counted)) for r in known]
    elif how == "a gap first":
        known[1:4] = [replace(known[1], event=ev.Gap(by="@", number=3))]
    elif how == "told in mid-hand":
        _, begins, *_ = *(i for i, r in enumerate(known) if isinstance(r.event, ev.Hand)), len(known)
        middle, told = begins // 2 + 1, told_by_tally(game)
        assert told is not None
        known[middle:begins] = [replace(known[middle], event=ev.Tally(by="@", facts=told(fold(log[:begins]))))]
    without = [r for r in known if not isinstance(r.event, ev.Hand)]
    said = judge([replace(r, n=n) for n, r in enumerate(without)])
    assert said.broken == []
    for ours in said.state.scores:
        assert all(points in (None, true[ours.number - 1].points[who]) for who, points in ours.points.items())


@one_seed
def test_what_a_hand_came_to_may_be_told_and_claimed_behind_it(table: str, seed: int) -> None:
    """If this failed, a result that was written after the cards would count as a breach, or as the result of another
    hand."""
    log = [r for r in two_hands(table, seed) if not isinstance(r.event, ev.End)]
    begins = [i for i, r in enumerate(log) if isinstance(r.event, ev.Hand)]
    end = begins[1] if len(begins) > 1 else len(log)
    state, told = fold(log[:end]), told_by_tally(at(table).game)
    if told is None or not state.settled:
        return
    totals = {who: n for who, n in state.standing.totals.items() if n is not None}
    more = [ev.Tally(by="@", facts=told(state)), *([ev.Claim(by="@", facts=totals)] if totals else [])]
    for known in (log, hide(log, PUBLIC)):
        lines = [*known[:end], *(replace(log[0], event=event) for event in more), *known[end:]]
        said = judge([replace(r, n=n) for n, r in enumerate(lines)])
        assert said.broken == []
        assert said.state.number == fold(log).number


def nobody_counted(cards: ev.Cards, _: ev.Cards) -> ev.Cards:
    """The cards with an unknown number of unseen ones."""
    return squeeze("*x" + card.partition("x")[2] if "x" in card else card for card in cards)


@one_seed
def test_a_first_look_settles_nothing_that_a_walk_would_object_to(table: str, seed: int) -> None:
    """If this failed, a record would be called clean because it was only looked at once."""
    log, broken = a_match(table, seed), with_breaches(table, seed)[0]
    for records in (log, hide(two_hands(table, seed)), broken):
        short, view = deduce(records), corrected(records)
        long = Judge(view, records).run()
        assert short.findings == long.findings
        assert short.inferred == long.inferred
        assert fingerprint(short.state) == fingerprint(long.state)


def has_upcards(game: str) -> bool:
    """True if cards are turned up with the deal."""
    deal = find_game(game).dealing.deal
    return deal is not None and (deal.last_up or any(part.face == "up" for part in deal.then))


def first_upcards_unseen(log: Iterable[Recorded]) -> list[Recorded]:
    """The log without the faces of the cards turned up before the first act of a hand, until they are played. Cards
    turned up later are seen."""
    seen: list[Recorded] = []
    unseen, acted = set[str](), False
    for r in log:
        if isinstance(r.event, ev.Hand):
            unseen, acted = set(), False
        if isinstance(r.event, ev.Deal) and r.event.face == "up" and not acted:
            unseen.update(card for _, cards in r.event.piles for card in cards)
        acted = acted or not by_chance(r.event)
        seen.append(
            replace(r, event=mask_cards(r.event, unseen)) if isinstance(r.event, ev.Deal | ev.Draw | ev.Move) else r
        )
    return seen


@each_game([game for game in GAMES if has_upcards(game)], short=3)
def test_no_later_card_stands_in_for_an_upcard_that_was_not_seen(game: str) -> None:
    """If this failed, a card turned up later would make trumps because the first one was not seen: tricks would go
    to the wrong player, and the right one would be accused of leading."""
    log = two_hands(game, 0)
    for unseen in (first_upcards_unseen(log), first_upcards_unseen(hide(log))):
        assert accused(unseen) == set()
        for (dim, _, n), (bright, _, _) in zip(walk(unseen), walk(log), strict=True):
            assert set(bright.turn) <= set(dim.turn), f"at {n}"
            if dim.number:
                said, true = dim.game.display.headline(dim), bright.game.display.headline(bright)
                assert {
                    fact: told for fact, told in said.items() if told not in ("", "??", true.get(fact))
                } == {}, f"at {n}"
        for here, there in zip(fold(unseen).scores, fold(log).scores, strict=True):
            agree(here, there)


def without_trumps(log: Sequence[Recorded]) -> list[Recorded]:
    """The log without anything that makes trumps: no card turned up, and no suit named."""
    kept = [r for r in log if not isinstance(r.event, ev.Name)]
    return first_upcards_unseen(replace(r, n=n) for n, r in enumerate(kept))


@sampled("game, seed", GAMES, range(8), each=1, soak=range(8, 40), short=3)
def test_whoever_won_a_trick_may_have_won_it_whatever_is_trumps(game: str, seed: int) -> None:
    """If this failed, a trick would go to the wrong side because trumps were not recorded, or a trick with cards of one
    suit would have several possible winners, and the true one would not have to lead."""
    won: list[list[Any]] = []
    for log in (two_hands(game, seed), without_trumps(two_hands(game, seed))):
        tricks = [tricks_in(state.hand) for state, event, _ in walk(log) if isinstance(event, ev.Play)]
        won.append([t.won[-1] for t in tricks if t is not None and t.won and not t.plays and not t.lost])
    for true, told in zip(*won, strict=False):
        if true.plays == told.plays:
            assert set(true.winners) <= set(told.winners)


# -- breaches and slips


@first_seed
def test_every_breach_is_found_in_an_open_log_and_nothing_else(table: str, seed: int) -> None:
    """If this failed, a rule could be broken unseen, or a player blamed for the breach of another."""
    every_breach_is_found(*with_breaches(table, seed))


@one_seed_of_some
def test_nobody_is_accused_wrongly_in_a_hidden_log(table: str, seed: int) -> None:
    """If this failed, hindsight would accuse a player of something that did not happen."""
    for viewer in viewers(table):
        no_other_is_accused(*with_breaches(table, seed), viewer)


@every_game_with_cards
def test_breaches_of_most_duties_are_tried(game: str) -> None:
    """If this failed, the two tests above would pass because nothing was broken."""
    breaches: list[SimulatedBreach] = []
    for seed in range(8):
        breaches += with_breaches(game, seed)[1].breaches
        tried = {rule for b in breaches for rule in b.rules}
        if len(tried) >= 2 and len(breaches) >= 20:
            return
    raise AssertionError(f"{len(breaches)} breaches, of {sorted(tried)}")


@sampled(
    "table, seed, broken", GAMES, product(range(FEW), (False, True)), each=1,
    soak=product(range(FEW, MANY), (False, True)), sits=by_seed, short=2
)
def test_a_slip_of_the_recorder_stops_nothing(table: str, seed: int, broken: bool) -> None:
    """If this failed, one line typed wrong would make the rest of the evening unreadable."""
    source = with_breaches(table, seed, 2)[0] if broken else a_hand_or_two(table, seed)
    rng = Random(f"{seed} {broken}")
    log, _ = with_slips(source, rng.choice((0.02, 0.1, 0.4)), rng)
    for seen in (log, hide(log)):
        for state, _, n in walk(seen):
            assert certain(state) == state.table.located, f"before {n}"
        verdict = judge(seen)
        assert {f.at.pos for f in verdict.findings} <= {r.n for r in seen}


LINES = 120
UNWRITTEN: dict[str, tuple[type[Event], ...]] = {
    "all written": (), "no hand lines": (ev.Hand,), "no deals": (ev.Deal, ev.Shuffle),
    "neither": (ev.Hand, ev.Deal, ev.Shuffle),
}
"""The number of lines to judge; and the event types that a table may leave out at the beginning of a hand."""


TAKEN_BACK = ("the same act", "another act", "others acted before", "as the card moves")


@sampled(
    "table, seed, how", GAMES, product(range(FEW), TAKEN_BACK), each=1, soak=product(range(FEW, MANY), TAKEN_BACK),
    sits=by_seed,
)
def test_an_act_that_is_taken_back_and_done_anew_changes_nothing_else(table: str, seed: int, how: str) -> None:
    """If this failed, a card that a player may take back would cost a turn, a trick or the score, or lead to further
    accusations. One act of each kind is tried; a card in the middle also as a move, without the word `back`."""
    log = two_hands(table, seed)
    rng, before = Random(f"{table} {seed} {how}"), fold(log)
    acts = [r for r in log if r.event.by != "@" and type(r.event) not in NO_ACT]
    kinds = {(type(r.event), getattr(r.event, "word", "")): r for r in rng.sample(acts, len(acts))}
    if how == "as the card moves":
        kinds = {kind: r for kind, r in kinds.items() if kind[0] is ev.Play and lies_in_the_middle(log[: r.n + 1])}
    # A rule of the game may say when an act is taken back.
    ruled = any(checks.get(ev.Back) or checks.get(ev.Move) for checks in plans(before.game.key).values())
    for act in kinds.values():
        first, behind = act.event, log[act.n + 1 :]
        if how not in ("the same act", "as the card moves"):
            alike = [r.event for r in acts if r.n > act.n and (r.event.by, type(r.event)) == (first.by, type(first))]
            first = rng.choice([first, *alike[:6]])
        other = [
            r for r in behind[: how == "others acted before"] if type(r.event) is type(first)
            and r.event.by not in ("@", first.by)
        ]
        back = ev.Back(by=first.by) if how != "as the card moves" else ev.Move(
            by=first.by, cards=getattr(first, "cards", ()), src="trick", to=hand_of(first.by),
        )
        added = [Recorded(n=-1, event=first), *other, Recorded(n=-1, event=back), act]
        lines = [*log[: act.n], *added, *behind[len(other) :]]
        now = {r.n: n for n, r in enumerate(lines)}
        again = [replace(r, n=n, event=referring(r.event, now)) for n, r in enumerate(lines)]
        after = fold(again)
        assert [(s.points, s.totals) for s in after.scores] == [
            (s.points, s.totals) for s in before.scores
        ], again[act.n]
        assert (after.turn, after.phase) == (before.turn, before.phase), again[act.n]
        found = [f for f in judge(again).broken if "put right" not in f.text]
        assert all(ruled and again[f.at.pos].event == back for f in found), found


def lies_in_the_middle(log: Sequence[Recorded]) -> bool:
    """Whether the card played last lies in the trick."""
    trick = fold(log).table.piles.get("trick")
    return trick is not None and bool(len(trick)) and not getattr(log[-1].event, "src", "")


def referring(event: Event, now: dict[int, int]) -> Event:
    """An event with its references to where the lines are now."""
    refs = getattr(event, "refs", ())
    return replace(event, refs=tuple(now[n] for n in refs if n in now)) if refs else event


@sampled(
    "table, seed, left_out", GAMES, product(range(FEW), UNWRITTEN), each=1, soak=product(range(FEW, MANY), UNWRITTEN),
    sits=by_seed,
)
def test_each_finding_is_told_once_and_in_the_hand_of_its_line(table: str, seed: int, left_out: str) -> None:
    """If this failed, one act would look like two breaches, or be listed in the wrong hand. One more line is left
    out, so that there is something to find."""
    opening, *lines = with_breaches(table, seed)[0][:LINES]
    lines = [r for r in lines if type(r.event) not in UNWRITTEN[left_out]]
    del lines[Random(f"{table} {seed} {left_out}").randrange(len(lines))]
    log = [replace(r, n=n) for n, r in enumerate((opening, *lines))]
    hands = [state.number for state, _, _ in walk(log)]
    hands.append(fold(log).number)
    for seen in (log, list(hide(log, "public"))):
        findings = judge(seen).findings
        told = [(f.rule, f.at.pos, f.text) for f in findings]
        assert sorted(set(told)) == sorted(told)
        for place in {place for f in findings for place in (f.at, f.known_from) if place is not None}:
            assert place.hand == hands[place.pos], place
