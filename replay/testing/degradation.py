"""Tests of the judge on incomplete or wrong records: no player is accused because of a gap.

A registered game takes part. Matches are random and are degraded in every way of `replay.degrade`. A quick run tries
each game at its usual table in the first of these ways and in another that it draws (tests/sampling.py), and in one
way at tables with more seats or a house rule (tests/tables.py); `make soak` tries all of them, and `python -m
benchmarks.auditing` runs the long form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, product
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from events import model as ev
from events.canon import decode, encode
from events.card_lists import card_lists
from events.cards import Pack, how_many, is_face, one_by_one
from events.kib import read_kib
from events.model import Recorded
from events.writing import write_kib
from reducers.facts import flat, set_fact
from reducers.registry import PAGES, find_game
from replay.auditing.check import check
from replay.degrade import KINDS, SEEING, SLIPS, Degraded, DraftLine, Kind, as_degraded, goes_without_saying
from replay.degrade import told_by_tally as told_of
from replay.fold import fold
from replay.judging.correction import MAX_QUESTIONS_TOLD, asked_once
from replay.simulate import Truth
from replay.testing.corpus import a_match, corpus, told_by_tally, with_holes
from replay.testing.declared import PROVEN
from replay.testing.measuring import (
    ANY_GAME,
    Count,
    Failure,
    JudgeOf,
    Row,
    accuses_nobody,
    always_a_typo,
    as_users_see_it,
    judged_wrongly,
    measure,
    newly_certain,
    shown,
    verdict,
)
from replay.testing.sampling import Run, asked_with_cards, each_game, left_to_the_rest, lot, sampled
from replay.testing.tables import at, tables

GAMES = asked_with_cards()
SAMPLE = range(1)
LINES = 80
"""The matches of each game and kind that run every time, and how many lines of them."""
FURTHER = range(6)
"""The matches of a game of another distribution, which is tested alone."""


def matches(game: str) -> range:
    """The matches over which the breaches of a game are counted."""
    return SAMPLE if game in PAGES else FURTHER


every_game = pytest.mark.parametrize("game", GAMES)


def sample(game: str, kind: Kind) -> list[Degraded]:
    """The degraded logs of the sample, legal ones and ones with breaches."""
    return [one for legal in (True, False) for one in corpus(game, kind, legal, SAMPLE, LINES)]


@cache
def counted(game: str, kind: Kind, seeds: range) -> dict[Row, Count]:
    """The counts over these matches of one game and kind, legal and with breaches."""
    rows: list[Row] = [(game, kind, legal) for legal in (True, False)]
    return {row: measure(corpus(*row, seeds, LINES)) for row in rows}


def share(game: str, kinds: Collection[Kind]) -> float:
    """The share of provable breaches that must be kept, over the sample of these kinds."""
    if game not in PROVEN:
        return ANY_GAME
    found = [
        tuple(map(int, cell.split("/"))) for kind, cell in zip(KINDS, PROVEN[game].split(), strict=True)
        if kind in kinds
    ]
    proven = sum(proven for _, proven in found)
    return sum(kept for kept, _ in found) / proven if proven else ANY_GAME


def row_of(game: str) -> str:
    """What is proven today, for the table."""
    totals = [sum(counted(game, kind, matches(game)).values(), Count()) for kind in KINDS]
    return " ".join(f"{total.kept}/{total.proven}" for total in totals)


def nobody_is_accused(game: str, kinds: Collection[Kind]) -> None:
    """Compare the sample of these kinds with the aims."""
    counts = {row: count for kind in kinds for row, count in counted(game, kind, SAMPLE).items()}
    proofs = {
        row: Count(proven=c.proven, kept=c.kept) for kind in kinds
        for row, c in counted(game, kind, matches(game)).items()
    }
    missed = [
        text for row, count in counts.items() for text in judged_wrongly(row, count)
    ] + verdict(game, proofs, share(game, kinds)).missed
    records = [shown(f) for c in counts.values() for f in c.failures if f.shown or f.degraded.kind in SEEING]
    assert not missed, "\n".join([*missed, *records[:3]])


@sampled("game, kind", GAMES, KINDS, each=1, always=["hidden"], short=0)
def test_nobody_is_accused_because_of_a_gap(game: str, kind: Kind) -> None:
    """If this failed, a player would be accused because something was not seen or not written, or breaches that were
    proven before would not be."""
    # A sample this small proves nothing for some kinds. For hidden logs it always does.
    nobody_is_accused(game, dict.fromkeys(("hidden", kind)))


def elsewhere() -> Iterator[Any]:
    """The other tables of each game with every kind. In a quick run, one table with more seats and one with a house
    rule draw one kind each."""
    every_time, soak = [], []
    for game in GAMES:
        ruled = sorted(
            (table.name for table in tables(game) if table.changed), key=lambda name: lot("elsewhere", game, name),
        )
        for table in tables(game)[1:]:
            first, *others = sorted(product(KINDS, (True, False)), key=lambda way: lot("elsewhere", table.name, way))
            drawn = table.name not in ruled[1:]
            every_time += [(game, (table.name, *first))] if drawn else []
            soak += [(table.name, *way) for way in (others if drawn else (first, *others))]
    later = left_to_the_rest("elsewhere", every_time, 6)
    yield from (pytest.param(*cell[1], marks=pytest.mark.rest if cell in later else ()) for cell in every_time)
    if Run.whole or not Run.quick:
        yield from (pytest.param(*values, marks=() if Run.whole else pytest.mark.slow) for values in soak)


@pytest.mark.parametrize(("table", "kind", "legal"), list(elsewhere()))
def test_nobody_is_accused_at_another_table_because_less_was_seen(table: str, kind: Kind, legal: bool) -> None:
    """If this failed, a judge that is right for the usual table would accuse players at a larger table, or with a house
    rule, because of what was not seen; or a slip of the recorder would stop it there. Accusations because of a slip
    are counted at the usual table."""
    row: Row = (at(table).game, kind, legal)
    count = measure(corpus(*row, SAMPLE, LINES // 2, **at(table).terms))
    wrong = list(judged_wrongly(row, count)) if kind in SEEING else [
        f.text for f in count.failures if f.key == (0, "crash")
    ]
    assert not wrong, "\n".join([*wrong, *(shown(f) for f in count.failures[:3])])


@pytest.mark.slow
@every_game
def test_nobody_is_accused_in_all_kinds_together(game: str) -> None:
    """The same for all kinds and matches of a game."""
    nobody_is_accused(game, KINDS)


NOT_SEEN = ("cards", "uncounted", "gap", "fact")
"""The kinds of holes in a quick run. `python -m benchmarks.holes` also leaves out lines that go without saying."""


def newly_certain_in(game: str, judge: JudgeOf = as_users_see_it) -> list[Failure]:
    """What is certain only in the degraded records of the sample, legal and with breaches."""
    poor = [one for legal in (True, False) for one in with_holes(game, legal, SAMPLE, 2, LINES // 2, among=NOT_SEEN)]
    return [failure for one in poor for failure in newly_certain(one, judge)]


@each_game(GAMES, short=2)
def test_less_information_never_accuses_more(game: str) -> None:
    """If this failed, an unseen card, an uncounted list, a gap or a missing figure of a tally would lead to an
    accusation, or a wrong score would be certain."""
    found = newly_certain_in(game)
    assert not found, "\n".join(f"[{f.degraded.what}] {f.text}" for f in found)


@sampled("game, seed", GAMES, range(6), each=1, soak=range(6, 40), short=2)
def test_one_hole_asks_few_questions_of_a_hand(game: str, seed: int) -> None:
    """If this failed, a question with one cause would be listed again and again, and hide the other findings."""
    for one in with_holes(game, bool(seed % 2), [seed], 4, LINES // 2):
        if one.what.count(";") == 1:
            questions = [f for f in check(one.log).open if f.rule != "table.T13"]
            told = Counter(first.at.hand for first, *_ in asked_once(questions, lambda f: f.text))
            assert max(told.values(), default=0) <= MAX_QUESTIONS_TOLD, (one.what, told)


def told_with_a_fact_less(game: str, seed: int) -> Iterator[Degraded]:
    """A legal match with a tally in place of the moves of a hand, or of the rest of them; the tally whole, and without
    each of its facts and figures."""
    log, truth, _, whole = a_match(game, seed, True, LINES)
    made = told_of(
        whole, log, Random(f"a fact less/{game}/{seed}"), told,
    ) if (told := told_by_tally(game)) is not None else None
    for what, lines in [made] if made is not None else []:
        at = next(i for i, line in enumerate(lines) if isinstance(line.recorded.event, ev.Tally))
        tally = lines[at].recorded.event
        assert isinstance(tally, ev.Tally)
        known = dict(flat(tally.facts))
        for gone in dict.fromkeys(["", *tally.facts, *known]):
            facts: ev.Facts = {}
            for key, value in known.items():
                if not gone or not f"{key}.".startswith(f"{gone}."):
                    set_fact(facts, key, value)
            said = replace(lines[at], recorded=replace(lines[at].recorded, event=replace(tally, facts=facts)))
            poor = [*lines[:at], *([said] if facts else []), *lines[at + 1 :]]
            yield replace(
                as_degraded("late", f"match {seed}, {what}, without {gone or 'nothing'}", whole, poor, truth),
                happened=log,
            )


SAID_TO_BE_NONE = {"no"}
"""Facts whose absence has a meaning on the page: in Kaiser, the hand was not played at no trump."""


@sampled("game, seed", GAMES, range(6), each=1, soak=range(6, 40))
def test_a_fact_that_a_tally_leaves_out_accuses_nobody_and_changes_no_score(game: str, seed: int) -> None:
    """If this failed, a missing fact would be guessed, or what was recorded before the tally would be taken for the
    whole hand."""
    poor = [one for one in told_with_a_fact_less(game, seed) if one.what.rpartition(" ")[2] not in SAID_TO_BE_NONE]
    found = [failure for one in poor for failure in newly_certain(one)]
    assert not found, "\n".join(f"[{f.degraded.what}] {f.text}" for f in found)


def told_behind_a_gap(game: str, seed: int) -> Iterator[Degraded]:
    """A legal match with the tally of its first hand behind the moves, whole and each of its facts alone; a gap stands
    for one of the moves, or right before the tally."""
    log, truth, _, whole = a_match(game, seed, True, 2 * LINES)
    begins = [r.n for r in log if isinstance(r.event, ev.Hand)]
    end = begins[1] if len(begins) > 1 else len(log)
    state, told = fold(log[:end]), told_by_tally(game)
    facts = told(state) if told is not None and state.settled and not isinstance(log[end - 1].event, ev.End) else {}
    rng = Random(f"told behind a gap/{game}/{seed}")
    each = [facts, *({key: fact} for key, fact in facts.items())] if facts else []
    for some, gone in product(each, (rng.randrange(begins[0] + 1, end), end)):
        lines = [DraftLine(r, r.n) for r in whole]
        tally = DraftLine(replace(whole[0], event=ev.Tally(by="@", facts=some)))
        gap = DraftLine(replace(whole[0], event=ev.Gap(by="@")))
        lines[gone:end] = [gap, *lines[gone + 1 : end]]
        lines.insert(end + (gone == end), tally)
        what = f"match {seed}, a gap for {gone}, {', '.join(some)} behind {end - 1}"
        yield replace(as_degraded("late", what, whole, lines, truth), happened=log)


@sampled("game, seed", GAMES, range(8), each=1, soak=range(8, 40), short=3)
def test_what_was_told_behind_a_hand_with_a_gap_accuses_nobody(game: str, seed: int) -> None:
    """If this failed, a result that is right would be held against the moves that were seen, a wrong figure would be
    certain, or no score would come at all."""
    found = [failure for one in told_behind_a_gap(game, seed) for failure in newly_certain(one)]
    assert not found, "\n".join(f"[{f.degraded.what}] {f.text}" for f in found)


def with_a_gap_in_the_deal(game: str, matches: Iterable[int], legal: bool) -> Iterator[Degraded]:
    """The logs of one game with a gap for each run of lines that deal the first hand, its number given in every
    other."""
    for seed in matches:
        log, truth, _, whole = a_match(game, seed, legal, LINES // 2)
        acts = (
            r.n for r in whole[1:]
            if not (isinstance(r.event, ev.Hand | ev.Shuffle) or (isinstance(r.event, ev.Deal) and r.event.by == "@"))
        )
        deals = range(1, next(acts, len(whole)) + 1)
        for first, end in combinations(deals, 2):
            gap = ev.Gap(by="@", number=(None, end - first)[(first + end) % 2])
            lines = [DraftLine(r, r.n) for r in whole]
            lines[first:end] = [DraftLine(replace(whole[first], event=gap))]
            what = f"match {seed}, a gap for {first} to {end - 1}"
            yield replace(as_degraded("late", what, whole, lines, truth), happened=log)


@every_game
def test_a_gap_in_the_deal_accuses_nobody(game: str) -> None:
    """If this failed, a gap in place of the hand line or some of the deal would lead to an accusation, or to a finding
    about the record."""
    poor = list(with_a_gap_in_the_deal(game, SAMPLE, True))
    found = [
        failure for one in sorted(poor, key=lambda one: lot("a gap in the deal", game, one.what))[:4]
        for failure in newly_certain(one)
    ]
    assert poor
    assert not found, "\n".join(f"[{f.degraded.what}] {f.text}" for f in found)


@sampled("game, seed", GAMES, range(6), each=1, soak=range(6, 40), short=3)
def test_a_hand_that_nobody_began_accuses_nobody(game: str, seed: int) -> None:
    """If this failed, a table that writes no hand lines would have a wrong dealer, or two hands in place of one."""
    log, truth, _, whole = a_match(game, seed, True, LINES // 2)
    lines = [DraftLine(r, r.n) for r in whole if not isinstance(r.event, ev.Hand)]
    one = replace(as_degraded("unwritten", f"match {seed}, no hand line", whole, lines, truth), happened=log)
    found = newly_certain(one)
    assert len(lines) < len(whole)
    assert not found, "\n".join(f"[{f.degraded.what}] {f.text}" for f in found)


def with_one_card_unseen(game: str, seed: int) -> Iterator[Degraded]:
    """A legal match in which only one card was not seen, dealt face up or played; with hand lines and without."""
    log, truth, _, _ = a_match(game, seed, True, LINES)
    rng = Random(f"one unseen/{game}/{seed}")
    played = [
        (r, replace(r.event, cards=("??",))) for r in log if isinstance(r.event, ev.Play) and len(r.event.cards) == 1
        and is_face(r.event.cards[0])
    ]
    dealt = []
    for r in log:
        piles = r.event.piles if isinstance(r.event, ev.Deal) and r.event.face == "up" else ()
        for i, (pile, cards) in enumerate(piles):
            gone = rng.randrange(len(cards))
            seen = (*cards[:gone], "??", *cards[gone + 1 :])
            dealt.append((r, replace(r.event, piles=(*piles[:i], (pile, seen), *piles[i + 1 :]))))
    for some in (played, dealt):
        for r, poorer in rng.sample(some, min(2, len(some))):
            lines = [DraftLine(replace(one, event=poorer) if one is r else one, one.n) for one in log]
            for left in (lines, [line for line in lines if not isinstance(line.recorded.event, ev.Hand)]):
                what = f"match {seed}, a card unseen at {r.n}, {len(lines) - len(left)} hand lines unwritten"
                yield replace(as_degraded("unwritten", what, log, left, truth), happened=log)


@sampled("game, seed", GAMES, range(6), each=1, soak=range(6, 40), short=3)
def test_one_card_that_was_not_seen_accuses_nobody_and_makes_no_score_certain(game: str, seed: int) -> None:
    """If this failed, a card turned later would match nothing because the other card was not seen; or the points of a
    card played unseen would be lost."""
    found = [f for one in with_one_card_unseen(game, seed) for f in newly_certain(one)]
    assert not found, "\n".join(f"[{f.degraded.what}] {f.text}" for f in found)


def kinds_that_may_be_unwritten(game: str, whole: Sequence[Recorded], truth: Truth) -> dict[str, list[int]]:
    """The positions of the lines that go without saying, by kind; without kinds that a table of this game always
    writes, and kinds with a line that broke a rule, as no record leaves out such a line."""
    kinds: dict[str, list[int]] = {}
    for r in whole[1:]:
        if kind := goes_without_saying(r.event):
            kinds.setdefault(kind, []).append(r.n)
    wrong = {breach.position for breach in truth.breaches}
    always = find_game(game).omissions.always_written
    return {kind: at for kind, at in kinds.items() if kind not in always and wrong.isdisjoint(at)}


def with_a_kind_unwritten(game: str, seed: int, legal: bool, share: float = 1) -> Iterator[Degraded]:
    """A match as somebody saw it, without each kind of line that a table of this game may leave out: without all
    lines of the kind, or without about this share of them."""
    log, truth, who, whole = a_match(game, seed, legal, LINES)
    for kind, places in kinds_that_may_be_unwritten(game, whole, truth).items():
        rng = Random(f"half/{game}/{seed}/{kind}")
        gone = [n for n in places if rng.random() < share]
        lines = [DraftLine(r, r.n) for r in whole if r.n not in gone]
        what = f"match {seed} as {who} saw it, no {kind} at {gone}"
        yield replace(as_degraded("unwritten", what, whole, lines, truth), happened=log)


@sampled("game, seed", GAMES, range(6), each=1, soak=range(6, 40), short=2)
def test_no_kind_of_line_that_goes_without_saying_is_missed(game: str, seed: int) -> None:
    """If this failed, a table that never writes draws, passes or the dealer's acts would get an accusation, or a wrong
    score would be certain."""
    found = [f for one in with_a_kind_unwritten(game, seed, True) for f in newly_certain(one)]
    assert not found, "\n".join(f"[{f.degraded.what}] {f.text}" for f in found)


@every_game
def test_what_a_table_always_writes_is_a_plain_line(game: str) -> None:
    """If this failed, a page would give a reason for a line that needs none."""
    page = find_game(game)
    words = {f"calls of {word}" for word in page.words}
    for line in page.omissions.always_written:
        assert line in words | {"draws", "draws from discard"}, (
            f"always_written names '{line}': these tests leave out draws and words of calls, and no other line needs a "
            f"reason"
        )
    assert all(page.omissions.always_written.values())


@pytest.mark.slow
@every_game
@pytest.mark.parametrize("legal", [True, False])
def test_no_gap_in_the_deal_accuses_anybody(game: str, legal: bool) -> None:
    """The same for every gap in the deals of several matches, legal and with breaches."""
    found = [failure for one in with_a_gap_in_the_deal(game, range(3), legal) for failure in newly_certain(one)]
    assert not found, "\n".join(f"[{f.degraded.what}] {f.text}" for f in found)


CONTROLS: dict[str, JudgeOf] = {"always a typo": always_a_typo, "accuses nobody": accuses_nobody}


@sampled("game, control", GAMES, CONTROLS, each=1, short=2)
def test_a_judge_that_is_of_no_use_fails(game: str, control: str) -> None:
    """If this failed, a judge could pass by calling every breach a slip of the recorder, or by finding nothing."""
    counts: dict[Row, Count] = {
        (game, "hidden", False): measure(corpus(game, "hidden", False, matches(game), LINES), CONTROLS[control])
    }
    (total,) = counts.values()
    assert total.proven, "the sample has no provable breach"
    assert verdict(game, counts, share(game, KINDS)).missed


@sampled("game, kind", GAMES, KINDS, each=4)
def test_a_degraded_log_can_be_written_and_read(game: str, kind: Kind) -> None:
    """If this failed, the judge would be tested with logs that cannot be written."""
    for one in sample(game, kind):
        log = [replace(r, time="", recorder="") for r in one.log]
        assert [r.n for r in log] == list(range(len(log)))
        reading = read_kib(write_kib(log))
        assert not reading.errors
        assert [r.event for r in reading.records] == [r.event for r in log]
        assert [decode(encode(r)) for r in log] == log


@sampled("game, kind", GAMES, KINDS, each=4)
def test_every_line_says_what_happened_unless_it_is_the_slip(game: str, kind: Kind) -> None:
    """If this failed, the judge would be blamed for errors of the degraded log."""
    for one in sample(game, kind):
        pack = find_game(game).pack
        assert sorted(one.was.values()) == (
            list(one.was.values()) if kind != "swapped" else sorted(set(one.was.values()))
        )
        assert kind in SLIPS or not one.touched
        for n, was in one.was.items():
            told, true = one.log[n].event, one.whole[was].event
            if n in one.touched and kind == "mistyped":
                continue
            assert type(told) is type(true)
            assert told.by == true.by
            if kind not in ("half-seen", "uncounted"):
                assert replace(told, refs=()) == replace(true, refs=()) if hasattr(told, "refs") else told == true
                continue
            for cards, really in zip(card_lists(told), card_lists(true), strict=True):
                assert says_less(cards, really, pack), f"{cards} of {really}"


def says_less(cards: ev.Cards, really: ev.Cards, pack: Pack) -> bool:
    """True if an onlooker who saw less could have written this list for these cards."""
    if cards == really:
        return True
    if how_many(cards) is None:
        known, true = Counter(c for c in cards if is_face(c)), Counter(c for c in really if is_face(c))
        return known <= true
    one, other = one_by_one(cards), one_by_one(really)
    return len(one) == len(other) and all(could_be(a, b, pack) for a, b in zip(one, other, strict=True))


def could_be(told: str, true: str, pack: Pack) -> bool:
    """True if a card as written may be this card. A card that was not seen at all always may."""
    told, true = told.partition("=")[0], true.partition("=")[0]
    code, real = pack.code[told], pack.code[true]
    return true == "??" or bool(pack.may_be[code] & pack.may_be[real])


@each_game(GAMES, short=2)
def test_every_kind_has_a_place_in_every_game(game: str) -> None:
    """If this failed, a kind of degradation would go untested in some game."""
    for kind in KINDS:
        assert any(True for legal in (True, False) for _ in corpus(game, kind, legal, range(3), LINES)), kind


@sampled(
    "game, seed, legal", GAMES, product(range(3), (True, False)), each=1, soak=product(range(3, 40), (True, False)),
    short=2,
)
def test_a_line_that_cannot_be_read(game: str, seed: int, legal: bool) -> None:
    """If this failed, a misspelt line would not be a gap at its number, or a misspelt correction would leave something
    certain about the event it names."""
    rng = Random(f"unread/{game}/{seed}/{legal}")
    for one in corpus(game, KINDS[0], legal, [seed], LINES):
        lines = write_kib([replace(r, time="", recorder="", text="") for r in one.whole]).splitlines()
        acts = [i for i, line in enumerate(lines) if line[:1].isdigit()]
        misspelt, missing = list(lines), list(lines)
        for i in rng.sample(acts, rng.choice((1, 2))):
            number, by, verb, *rest = lines[i].split(" ")
            misspelt[i] = " ".join((number, by, f"{verb[:1]}_{verb[1:]}", *rest))
            missing[i] = f"{number} @ gap"
        said, wanted = (check(read_kib("\n".join(text)).records) for text in (misspelt, missing))
        assert [f.at.pos for f in said.unread] == [
            int(a.partition(".")[0]) for a, b in zip(misspelt, lines, strict=True) if a != b
        ]
        assert [(f.rule, f.at, f.known_from, f.text) for f in said.broken] == [
            (f.rule, f.at, f.known_from, f.text) for f in wanted.broken
        ]
        act = lines[rng.choice(acts)]
        named = int(act.partition(".")[0])
        doubted = check(
            read_kib("\n".join([*lines, f"{len(acts) + 1}. @ fxi #{named}{act.partition('.')[2]}"])).records
        )
        assert [str(f.text) for f in doubted.broken if f.at.pos == named] == []
