"""What is asked of every game whose record says less than happened (replay/testing/degradation.py), and what was
wrong in some of them once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

import pytest
from msgspec.structs import replace
from sampling import a_few

from benchmarks.auditing import NO_PROOF, before
from events.card_lists import card_lists, cards_in
from events.cards import is_face
from events.model import (
    Call,
    Capture,
    Deal,
    Discard,
    Draw,
    Event,
    Fix,
    Gap,
    Hand,
    Meld,
    Name,
    Open,
    Play,
    Recorded,
    Show,
    Shuffle,
    Tally,
    verb_of,
)
from events.writing import write_event
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.legal import ANY_TIME, acts_of, pile_words
from reducers.registry import find_game
from reducers.words.tricks import tricks_in
from replay.auditing.check import check
from replay.degrade import Degraded, DraftLine, Kind, as_degraded, goes_without_saying
from replay.few_holes import NEVER_SEEN, make_holes
from replay.fold import fold
from replay.judging.judge import deduce
from replay.redact import PUBLIC, hide
from replay.scoring.score_shapes import MatchScore
from replay.scoring.three_ways import score_played
from replay.simulate import SimulatedBreach, Truth
from replay.testing import adopt, degradation
from replay.testing.corpus import MOST, a_match, corpus, with_holes
from replay.testing.declared import PROVEN
from replay.testing.degradation import (
    GAMES,
    LINES,
    SAMPLE,
    newly_certain_in,
    with_a_kind_unwritten,
    with_one_card_unseen,
)
from replay.testing.given import log as given_log
from replay.testing.measuring import (
    Count,
    Row,
    Said,
    as_it_was_led,
    as_users_see_it,
    measure,
    newly_certain,
    nothing_lost,
    shown,
    shown_later,
    shows,
    verdict,
)
from replay.testing.sampling import sampled
from replay.typos import faces, mistyped, near_miss

adopt(globals(), degradation)
PROVEN.update({
    "botifarra":         "7/7 5/7 7/7 2/2 5/7 7/7 4/4 5/7 5/5 7/7 6/7",
    "bridge-solitaire":  "3/3 3/3 3/3 1/1 3/3 1/1 3/3 3/3 3/3 3/3 3/3",
    "briscola":          "4/5 4/5 3/5 4/5 4/5 6/6 3/4 4/5 4/5 4/5 4/5",
    "burraco":           "3/3 3/3 3/3 3/3 3/3 0/0 3/3 3/3 3/3 3/3 3/3",
    "calabrasella":      "6/6 4/6 6/6 5/5 3/3 3/3 6/6 6/6 6/6 5/6 4/6",
    "california-speed":  "7/7 7/7 7/7 3/3 7/7 0/0 7/7 7/7 7/7 5/7 2/7",
    "conquian":          "5/5 5/5 5/5 1/2 3/5 1/2 0/0 4/5 5/5 5/5 4/5",
    "couillon":          "4/4 4/4 4/4 1/1 3/4 3/3 4/4 3/3 3/3 4/4 4/4",
    "court-piece":       "3/3 3/3 3/3 3/3 0/3 3/3 3/3 3/3 2/2 3/3 3/3",
    "ecarte":            "3/3 3/3 3/3 3/3 3/3 1/1 1/3 3/3 3/3 3/3 3/3",
    "envite":            "5/5 4/5 5/5 5/5 2/2 2/2 3/5 5/5 4/5 4/5 4/5",
    "dingo":             "7/8 4/8 7/8 6/7 1/5 4/5 0/0 7/8 5/6 7/8 7/8",
    "funfzehnern":       "6/6 6/6 6/6 5/6 1/4 4/4 6/6 5/6 6/6 5/6 5/5",
    "hasenpfeffer":      "4/4 4/4 4/4 2/2 0/0 0/0 0/0 4/4 2/2 3/4 3/4",
    "jersey-gin":        "3/3 3/3 3/3 0/0 3/3 3/3 3/3 3/3 3/3 0/3 3/3",
    "kaiser":            "7/7 7/7 7/7 5/5 1/2 2/2 7/7 6/7 6/7 7/7 7/7",
    "kowah":             "18/18 18/18 18/18 16/16 18/18 26/26 1/3 18/18 18/18 18/18 18/18",
    "machiavelli":       "5/5 5/5 0/5 0/0 5/5 3/3 5/5 5/5 5/5 5/5 5/5",
    "malilla":           "5/5 1/5 5/5 0/2 0/3 2/2 0/0 2/5 3/5 2/5 1/5",
    "mattis":            "3/3 3/3 3/3 1/1 3/3 0/0 3/3 0/3 0/3 0/3 0/3",
    "myllymatti":        "7/7 6/7 6/7 0/0 3/6 0/0 7/7 6/6 6/7 6/7 7/7",
    "omi":               "5/5 5/5 5/5 3/3 5/5 4/4 5/5 5/5 4/4 5/5 5/5",
    "pay-me":            "3/3 3/3 3/3 2/2 0/0 1/1 0/2 3/3 3/3 3/3 3/3",
    "pluck":             "4/4 2/4 4/4 0/0 0/4 2/2 0/0 2/4 3/3 4/4 2/3",
    "poke":              "3/3 3/3 3/3 0/0 2/2 2/2 3/3 3/3 3/3 3/3 2/2",
    "pontoon":           "3/3 3/3 3/3 2/2 1/3 2/2 0/0 3/3 3/3 3/3 3/3",
    "rumino":            "3/3 3/3 1/3 2/2 3/3 2/2 0/0 3/3 3/3 3/3 3/3",
    "put-and-take":      "3/3 0/3 3/3 3/3 0/3 3/3 3/3 3/3 1/1 2/3 3/3",
    "russian-bank":      "12/12 10/12 12/12 4/4 2/6 0/0 0/0 12/12 12/12 12/12 11/11",
    "scopa":             "3/3 1/3 3/3 3/3 2/2 3/3 0/0 2/3 3/3 2/3 2/3",
    "tresette":          "3/3 1/3 3/3 1/2 3/3 8/9 2/3 2/3 3/3 3/3 2/3",
    "turnover-bridge":   "3/3 2/3 3/3 3/3 3/3 0/0 3/3 3/3 3/3 2/3 3/3",
    "tute":              "3/3 3/3 3/3 1/1 0/0 1/1 3/3 1/3 2/3 3/3 1/3",
    "scotch-whist":      "3/3 1/3 3/3 0/0 2/3 2/2 3/3 1/3 2/3 3/3 3/3",
    "seven-and-a-half":  "5/5 5/5 5/5 5/5 3/3 2/2 5/5 5/5 5/5 5/5 5/5",
    "yaniv":             "3/3 3/3 3/3 0/0 3/3 2/2 1/1 2/2 2/3 2/3 3/3",
    "play-or-pay":       "7/7 7/7 7/7 7/7 3/5 11/11 7/7 7/7 0/7 7/7 0/7",
    "ziginette":         "5/5 4/5 5/5 3/3 2/5 3/3 5/5 5/5 5/5 4/5 5/5",
    "zetema":            "5/5 5/5 5/5 2/2 5/5 2/2 5/5 5/5 5/5 5/5 5/5",
    "stealing-bundles":  "8/8 8/8 8/8 8/8 8/8 8/8 8/8 8/8 7/8 3/8 5/8",
    "xeri":              "4/4 2/4 4/4 2/2 1/2 5/5 2/2 4/4 3/3 3/4 4/4",
})  # fmt: skip
"""How many of the provable breaches of this sample are proven without doubt, for each kind in the order of `KINDS`.
A share may grow, and not shrink. A further game has to reach `ANY_GAME` until it has a row:

    PYTHONPATH=.:tests python -c "from test_degradation import row_of; print(row_of('forehand'))"

In Russian Bank 89 of 93 were proven once. After a gap, 39 legal acts were accused in those logs (a card was said to
lie turned up), and among so many an act out of turn passed for one breach more: no discard left out was offered for
it, nor for the Stop that it decides. Now these two stand alone and look like a slip, as they do in any record.
"""


@pytest.mark.parametrize(
    ("game", "kind", "seed"),
    [
        ("botifarra", "left out", 2),
        ("kaiser", "left out", 2),
        pytest.param("russian-bank", "unwritten", 1, marks=pytest.mark.slow),
        pytest.param("russian-bank", "swapped", 2, marks=pytest.mark.slow),
        ("russian-bank", "doubled", 2),
    ],
)  # fmt: skip
def test_records_in_which_somebody_was_accused_of_a_slip(game: str, kind: Kind, seed: int) -> None:
    """If this failed, a record that was judged wrongly once would be so again: matches full of breaches, with a slip
    that shows among them."""
    count = measure(corpus(game, kind, False, [seed]))
    assert count.logs == 1
    assert not count.shown, "\n".join(shown(f) for f in count.failures)


@pytest.mark.rest
def test_a_line_left_out_of_a_long_record_explains_what_comes_of_it() -> None:
    """If this failed, a hand too long to be judged again with everything known would be read as if nobody had
    counted its deal, and the one line that puts it right would be offered for nothing of what it settles."""
    count = measure(corpus("california-speed", "left out", True, [1]))
    assert count.logs == 1
    assert not count.accused, "\n".join(f.text for f in count.failures)


ONCE = (
    "botifarra", "bridge-solitaire", "calabrasella", "couillon", "court-piece", "ecarte", "funfzehnern",
    "hasenpfeffer", "kaiser", "malilla", "omi", "pluck", "poke", "scopa", "scotch-whist", "stealing-bundles",
    "tresette", "tute", "xeri",
)  # fmt: skip
"""Games in which a card is played once in a hand, and a hand is not over before the last card unless somebody says
so."""
CAPTURED = ("scopa", "stealing-bundles", "xeri")
"""Those of them without tricks."""
LONG = ("bridge-solitaire", *CAPTURED)
"""Those of them with hands of many lines."""


def with_no_hand_line_behind_a_gap(game: str, seed: int) -> Iterator[Degraded]:
    """A legal match with a gap for one card of the first hand, and nothing that says that the second begins; with
    its deal and without."""
    log, truth, _, whole = a_match(game, seed, True, 2 * LINES if game in LONG else LINES)
    begins = [i for i, r in enumerate(whole) if isinstance(r.event, Hand)]
    plays = [i for i, r in enumerate(whole) if isinstance(r.event, Play | Capture) and begins[1:] and i < begins[1]]
    for with_deal in (True, False) if plays else ():
        dealt = (i for i, r in enumerate(whole) if isinstance(r.event, Deal | Shuffle) and i > begins[1])
        unwritten = {begins[1], *(() if with_deal else dealt)}
        at = Random(f"no hand line/{game}/{seed}/{with_deal}").choice(plays)
        lines = [DraftLine(r, r.n) for i, r in enumerate(whole) if i not in unwritten]
        if lines[begins[1] - 1].recorded.event == lines[begins[1]].recorded.event:
            continue  # nobody can tell that from a line typed twice
        lines[at] = DraftLine(replace(whole[at], event=Gap(by="@", number=1)))
        yield replace(
            as_degraded("late", f"match {seed}, a gap for {at}, unwritten {sorted(unwritten)}", whole, lines, truth),
            happened=log,
        )


@sampled("game, seed", ONCE, range(6), each=1, soak=range(6, 40))
def test_a_hand_that_begins_unwritten_behind_a_gap_accuses_nobody(game: str, seed: int) -> None:
    """If this failed, a card of the next hand would be one that was played twice, because a card of this one was not
    seen. One that lies in a trick which seems unfinished is taken for a slip: that is a finding about the record,
    and not asked here."""
    found = [
        f for one in with_no_hand_line_behind_a_gap(game, seed) for f in newly_certain(one)
        if "already lies in the trick" not in f.text
    ]
    assert not found, "\n".join(f"[{f.degraded.what}] {f.text}" for f in found)


@sampled(
    "game, seed", [game for game in ONCE if len(find_game(game).seating.usual) > 2 and game not in CAPTURED], range(6),
    each=1, soak=range(6, 40),
)
def test_a_card_that_is_missing_in_the_middle_of_a_trick_is_one_finding(game: str, seed: int) -> None:
    """If this failed, one line left out would be told as several breaches, because the next trick would take a card
    for it. The card that won the trick is not asked about: without it somebody else seems to lead."""
    log, _, _, whole = a_match(game, seed, True, LINES)
    state, middle = begin(log[0].event.facts), list[int]()
    for r in whole[1:]:
        state.at = state.table.now = r.n
        evolve(state, r.event)
        trick = tricks_in(state.hand) if isinstance(r.event, Play) else None
        if trick is not None and 1 < len(trick.plays) < len(state.terms.seats):
            middle.append(r.n)
        if trick is not None and trick.won and not trick.plays and len(trick.won[-1].winners) == 1:
            winner, seats = trick.won[-1].winners[0], [seat for seat, _ in trick.won[-1].plays]
            middle = [n for n in middle if n < r.n - len(seats) or whole[n].event.by != winner]
    gone = Random(f"missing/{game}/{seed}").choice(middle)
    found = check([replace(r, n=n) for n, r in enumerate(one for one in whole if one.n != gone)])
    behind = next(r.n for r in whole[gone + 1 :] if isinstance(r.event, Play)) - 1
    assert [f.at.pos for f in found.broken] == [behind], [f.says for f in found.broken]
    best = found.repairs[0]
    assert (best.fixes[0].event.by, best.leaves) == (whole[gone].event.by, 0)
    assert gone - 1 in (best.fixes[0].at, *best.ties)


@pytest.mark.parametrize(("game", "seed"), [("bridge-solitaire", 13), ("ziginette", 0), ("ziginette", 2)])
def test_a_joker_played_unseen_doubles_and_a_layout_half_seen_may_be_matched(game: str, seed: int) -> None:
    """The same for records that were scored wrongly once: one was of a joker that the player had shown before."""
    assert [f.text for one in with_one_card_unseen(game, seed) for f in newly_certain(one)] == []


@pytest.mark.parametrize(
    ("game", "seed", "legal", "share"),
    a_few([
        *((game, seed, True, 1) for game, seed in (
            ("bridge-solitaire", 27), ("california-speed", 23), ("california-speed", 26), ("ecarte", 36),
            ("pontoon", 10),
        )),
        *(("machiavelli", seed, True, 1) for seed in (7, 13, 15, 24, 25, 28, 29)),
        ("machiavelli", 1, True, 0.5), ("machiavelli", 34, True, 0.5), ("conquian", 1, False, 1),
        *(("envite", seed, False, 1) for seed in (1, 3, 9, 19, 31, 38)), ("dingo", 8, False, 1),
        *(("seven-and-a-half", *rest) for rest in ((98, False, 1), (4, False, 0.5), (98, False, 0.5))),
        *(("seven-and-a-half", seed, False, 0.5) for seed in (34, 36, 41, 42, 56)),
        *(("seven-and-a-half", seed, False, 1) for seed in (42, 46, 56)), ("hasenpfeffer", 72, False, 0.5),
    ], 8),
)  # fmt: skip
def test_records_in_which_somebody_was_accused_because_of_a_kind_left_out(
    game: str, seed: int, legal: bool, share: float,
) -> None:
    """If this failed, a table that leaves out a kind of line would be told again of a breach, or of a score, that
    was none."""
    found = [f for one in with_a_kind_unwritten(game, seed, legal, share) for f in newly_certain(one)]
    assert not found, "\n".join(f"[{f.degraded.what}] {f.text}" for f in found)


@pytest.mark.parametrize(
    ("seed", "legal", "share"), a_few([(27, True, 0.5), (10, False, 0.5), (10, False, 1), (80, False, 1)], 1),
)
def test_throws_from_the_stock_that_are_missing_in_part_accuse_nobody(seed: int, legal: bool, share: float) -> None:
    """The same for records of Bridge Solitaire without some of its throws, or a call; there may be breaches."""
    found = [f for one in with_a_kind_unwritten("bridge-solitaire", seed, legal, share) for f in newly_certain(one)]
    assert not found, "\n".join(f"[{f.degraded.what}] {f.text}" for f in found)


@sampled("game, seed", GAMES, range(6), each=1, soak=range(6, 40), short=2)
def test_a_kind_of_line_that_is_written_by_halves_accuses_nobody(game: str, seed: int) -> None:
    """If this failed, a recorder who writes every other stand, pass or draw would have those accused who play after
    one that was left out."""
    found = [f for one in with_a_kind_unwritten(game, seed, True, 0.5) for f in newly_certain(one)]
    assert not found, "\n".join(f"[{f.degraded.what}] {f.text}" for f in found)


def with_no_frame(game: str, seed: int, legal: bool) -> Iterator[Degraded]:
    """A match of several hands, played for more than one, as everybody saw it and as the table did: without a line
    for the hand, and without a deal; and with one card that was typed wrong and corrected later."""
    options = {"games": 2} if "games" in find_game(game).options.__struct_fields__ else {}
    log, truth, _, _ = a_match(game, seed, legal, 3 * LINES, (None, tuple(options.items())))
    for whole in (log, tuple(hide(log, PUBLIC))):
        lines = [DraftLine(r, r.n) for r in whole if not isinstance(r.event, Hand | Deal | Shuffle)]
        yield replace(
            as_degraded("unwritten", f"match {seed}, no hand line and no deal", whole, lines, truth), happened=log,
        )
        rng = Random(f"no frame/{game}/{seed}/{legal}")
        n = rng.choice([n for n, line in enumerate(lines) if any(map(is_face, cards_in(line.recorded.event)))])
        right = lines[n].recorded
        lines[n] = replace(
            lines[n], recorded=replace(right, event=mistyped(right.event, find_game(game).pack, rng)),
        )
        lines.append(DraftLine(replace(right, event=Fix(by="@", at=n, how="replace", event=right.event))))
        yield replace(
            as_degraded("unwritten", f"match {seed}, and {n} corrected", whole, lines, truth), happened=log,
        )


@sampled("game, seed", ("turnover-bridge", "ziginette"), range(8), each=2, soak=range(8, 40))
def test_a_hand_after_one_that_may_be_over_needs_no_line_and_no_deal(game: str, seed: int) -> None:
    """If this failed, a table that writes acts alone would be told that cards of the next hand were played before, or
    that somebody acted in place of the dealer of the hand that was over. Long matches with breaches are asked in the
    soak."""
    legal = seed % 2 == 0 or (seed < 8 and game == "turnover-bridge")
    found = [f for one in with_no_frame(game, seed, legal) for f in newly_certain(one)]
    assert not found, "\n".join(f"[{f.degraded.what}] {f.text}" for f in found)


@pytest.mark.parametrize("seed", a_few([8, 12], 1))
def test_checki_said_in_a_turn_with_its_draw_unwritten_accuses_nobody(seed: int) -> None:
    """If this failed, whoever says checki after a draw that nobody wrote, and then throws, would be told that it was
    said before the draw, or with no checki; there may be breaches."""
    log, truth, _, _ = a_match("kowah", seed, False, LINES)
    wrong = {breach.position for breach in truth.breaches}
    for whole in (log, tuple(hide(log, PUBLIC))):
        for r, said, thrown in zip(whole, whole[1:], whole[2:], strict=False):
            if not (
                isinstance(r.event, Draw) and isinstance(said.event, Call) and isinstance(thrown.event, Discard)
                and r.event.by == said.event.by == thrown.event.by and r.n not in wrong
            ):
                continue
            lines = [DraftLine(one, one.n) for one in whole if one is not r]
            one = replace(as_degraded("unwritten", f"no line {r.n}", whole, lines, truth), happened=log)
            found = [f for f in newly_certain(one) if f.key[1] in ("kowah.R3", "kowah.R12")]
            assert not found, "\n".join(f"[{f.degraded.what}] {f.text}" for f in found)


def with_cards_never_seen(game: str, seed: int, legal: bool = True, records: int = 3) -> Iterator[Degraded]:
    """A match in which all but one, two or four cards were seen, in several variants."""
    log, truth, _, _ = a_match(game, seed, legal, MOST)
    for i in range(records):
        one = make_holes(log, log, truth, Random(f"{game}/{seed}/{i}"), holes=1, among=(NEVER_SEEN,))
        if one is not None:
            yield replace(one, what=f"match {seed}, record {i}; {one.what}")


@sampled("game, seed", GAMES, range(6), each=1, soak=range(6, 40), short=2)
def test_cards_that_nobody_ever_saw_accuse_nobody(game: str, seed: int) -> None:
    """If this failed, a card that the table knew would be counted twice in a world, a covered card would be one of the
    hand before it was turned up, or a meld that had one unseen card would break a rule that it does not."""
    found = [f for one in with_cards_never_seen(game, seed) for f in newly_certain(one)]
    assert not found, "\n".join(f"[{f.degraded.what}] {f.text}" for f in found)


@pytest.mark.parametrize(
    ("game", "seed", "legal"),
    a_few(
        [("pay-me", 7, True), ("pay-me", 15, True), ("turnover-bridge", 9, True), ("turnover-bridge", 24, True),
         ("conquian", 14, False), ("kowah", 13, True), ("machiavelli", 0, True)], 3,
    ),
)  # fmt: skip
def test_records_in_which_a_card_that_nobody_saw_accused_somebody(game: str, seed: int, legal: bool) -> None:
    """The same for records that were judged wrongly once."""
    found = [f for one in with_cards_never_seen(game, seed, legal, 6) for f in newly_certain(one)]
    assert not found, "\n".join(f"[{f.degraded.what}] {f.text}" for f in found)


@sampled("game, seed", GAMES, range(4), each=1, soak=range(4, 24), short=1)
def test_a_misspelt_pile_is_a_finding_about_the_record_and_accuses_nobody(game: str, seed: int) -> None:
    """If this failed, a player would be told to have drawn or thrown wrongly because the recorder wrote `<discrad`, or
    a pile of other games, or nobody would be told of the word."""
    log, truth, _, _ = a_match(game, seed, True, LINES)
    last = {type(r.event): i for i, r in enumerate(log) if isinstance(r.event, Capture | Discard | Draw | Meld | Play)}
    of_another = next(word for word in ("widow", "pozzetto") if word not in pile_words(game))
    for i, word in product(last.values(), {"discrad", of_another}):
        wrong = replace(log[i], event=replace(log[i].event, src=word))
        lines = [DraftLine(wrong if r is log[i] else r, r.n) for r in log]
        one = replace(as_degraded("unwritten", f"line {i}", log, lines, truth), happened=log)
        said, at = as_users_see_it(one.log), (log[i].n, "table.T10")
        assert at in said.record, write_event(wrong.event)
        more = [f.text for f in newly_certain(one, lambda _, said=said: said) if f.key != at]
        assert not more, (write_event(wrong.event), more)


@sampled("game, seed", GAMES, range(4), each=1, soak=range(4, 24), short=1)
def test_a_hand_that_is_legal_for_no_dealer_is_not_called_legal(game: str, seed: int) -> None:
    """If this failed, a bid that only the dealer may make would be taken for legal although a later act of the hand
    shows that somebody else has dealt. Each of the first acts says what another one said."""
    log, _, _, _ = a_match(game, seed, True, LINES)
    opening = replace(log[0], event=Open(by="@", facts={k: v for k, v in log[0].event.facts.items() if k != "Dealer"}))
    acts = [r.event for r in log[1:] if type(r.event) in acts_of(game) - ANY_TIME][:4]
    for i, j, k in product(range(len(acts)), range(len(acts)), range(2, len(acts) + 1)):
        said = [*acts[:i], replace(acts[j], by=acts[i].by), *acts[i + 1 :]][:k]
        if i != j and i < k and not deduce(lines_of(opening, said)).findings:
            dealers = [
                seat for seat in begin(opening.event.facts).terms.seats
                if not deduce(lines_of(opening, [Hand(by=seat, number=1), *said])).broken
            ]
            assert dealers, [write_event(act) for act in said]


def lines_of(opening: Recorded, acts: Sequence[Event]) -> list[Recorded]:
    """A log of these acts."""
    return [opening, *(Recorded(n=n, event=act) for n, act in enumerate(acts, 1))]


RUMMY = ("jersey-gin", "pay-me", "rumino", "yaniv")
"""Games in which a draw may be from the discards."""


def with_a_draw_from_the_discards_unwritten(game: str, seed: int) -> Iterator[Degraded]:
    """A legal match as everybody saw it and as the table did, without one draw of a discard that was thrown again or
    shown later; most draws are written by then."""
    log, truth, _, _ = a_match(game, seed, True, LINES)
    for whole in (log, hide(log, PUBLIC)):
        for r in whole[len(whole) // 4 :]:
            drawn, after = r.event, [one.event for one in whole[r.n + 1 :]]
            if not isinstance(drawn, Draw) or drawn.src != "discard":
                continue
            seen = [
                e for e in after if isinstance(e, Discard | Show) and e.by == drawn.by and drawn.cards[0] in cards_in(e)
            ]
            if seen and seen[0] is not after[0]:
                lines = [DraftLine(one, one.n) for one in whole if one is not r]
                yield replace(
                    as_degraded("unwritten", f"match {seed}, no line {r.n}", whole, lines, truth), happened=log,
                )


@sampled("game, seed", RUMMY, range(6), each=2, soak=range(6, 40))
def test_a_discard_drawn_without_a_word_may_be_thrown_again(game: str, seed: int) -> None:
    """If this failed, a card would lie among the discards and in a hand at once, because a draw was not written; or
    a hand would be taken to have the top card of a stock that everybody saw."""
    found = [f for one in with_a_draw_from_the_discards_unwritten(game, seed) for f in newly_certain(one)]
    assert not found, "\n".join(f"[{f.degraded.what}] {f.text}" for f in found)


def test_a_card_thrown_unseen_and_seen_since_is_not_the_last_one_without_a_place() -> None:
    """If this failed, a half-seen card of the stock would be named as one that was thrown, which was none of the
    cards of that hand."""
    (one,) = [one for one in with_holes("burraco", False, [501], 6, 80) if "record 5;" in one.what]
    assert not newly_certain(one)


def test_a_judge_that_accuses_on_a_poorer_record_fails() -> None:
    """If this failed, accusations that only a poorer record leads to would not be counted."""
    assert newly_certain_in("kaiser", accuses_everybody)


def test_a_score_that_guesses_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, a figure made up where it cannot be known would not be counted."""

    def guesses(log: Sequence[Recorded]) -> MatchScore:
        score = score_played(log)
        return replace(
            score, hands=tuple(replace(h, done=True, points=dict.fromkeys(h.points, 99)) for h in score.hands),
        )

    poor = list(with_holes("kaiser", True, SAMPLE, 3))
    assert all(nothing_lost(one.happened).figures for one in poor), "the sample has no score"
    assert not [f for one in poor for f in newly_certain(one) if f.key[1] == "figure"]
    monkeypatch.setattr("replay.testing.measuring.score_played", guesses)
    assert [f for one in poor for f in newly_certain(one) if f.key[1] == "figure"]


def accuses_everybody(log: object) -> Said:
    """A control: a judge that finds the first rule broken by every act, whatever it was."""
    said = as_users_see_it(log)
    assert isinstance(log, tuple)
    return Said({(r.n, "kaiser.R1") for r in log}, set(), set(), said.judgement)


def test_a_judge_that_accuses_everybody_fails() -> None:
    """If this failed, false accusations would not be counted."""
    counts: dict[Row, Count] = {
        ("kaiser", "hidden", True): measure(corpus("kaiser", "hidden", True, SAMPLE, LINES), accuses_everybody)
    }
    assert any("accused" in missed for missed in verdict("kaiser", counts, 0.0).missed)


@pytest.mark.parametrize(
    ("kind", "legal", "count", "missed"),
    [
        ("hidden", True, Count(accused=1), "accused"),
        ("left out", True, Count(accused=1, shown=1), "shows the slip"),
        ("left out", True, Count(accused=1), ""),
        ("half-seen", True, Count(figures=1), "certain figures"),
        ("cut", True, Count(findings=1), "in legal matches"),
        ("swapped", False, Count(logs=1, crashed=1), "stop the judge"),
    ],
)
def test_each_aim_can_be_missed(kind: Kind, legal: bool, count: Count, missed: str) -> None:
    """If this failed, one of the figures would be counted and not looked at."""
    good: dict[Row, Count] = {("kaiser", "hidden", False): Count(proven=4, kept=4)}
    says = verdict("kaiser", {**good, ("kaiser", kind, legal): count}, 1.0).missed
    assert len(says) == bool(missed)
    assert all(missed in text for text in says)


def test_what_was_no_proof_need_not_be_proven_any_more() -> None:
    """If this failed, a game could miss its aim only by what it proves from cards that nobody counted; or by less
    than that pass it."""
    kinds = ["hidden", "uncounted", "late"]
    kept = {"hidden": 9, "uncounted": 9 - 2, "late": 9 - 1}
    assert before("jersey-gin", kinds) == sum(kept.values()) / 27
    assert before("jersey-gin", ["hidden"]) == 1
    assert set(NO_PROOF) <= set(GAMES)
    assert all(
        re.fullmatch(r"match \d+, R\d+ at \d+: .+", why) for some in NO_PROOF.values() for all_ in some.values()
        for why in all_
    )


@pytest.mark.rest
@pytest.mark.all_games
def test_cards_are_degraded_in_every_verb_and_pile() -> None:
    """If this failed, a half-seen or uncounted card would be tried in some places only."""
    verbs: dict[Kind, set[str]] = {"half-seen": set(), "uncounted": set()}
    for game in GAMES:
        for kind, found in verbs.items():
            for one in corpus(game, kind, True, range(3), LINES):
                for n, was in one.was.items():
                    if card_lists(one.log[n].event) != card_lists(one.whole[was].event):
                        found.add(verb_of(one.log[n].event))
    assert verbs["half-seen"] >= {"deal", "play", "draw", "discard", "move", "meld", "capture", "arrange", "show"}
    assert verbs["uncounted"] >= {"deal", "draw", "discard", "meld", "capture", "arrange", "show"}


@pytest.mark.parametrize(
    ("game", "line", "kind"),
    [
        ("jersey-gin", "A draw ??", "draws"),
        ("jersey-gin", "A draw 7h <discard", "draws from discard"),
        ("kaiser", "A pass", "passes"),
        ("pontoon", "A call bust", "calls of bust"),
        ("kaiser", "@ move * <trick >won:NS", "moves of the table"),
        ("california-speed", "A move * <col:A:1..4 >stock:A_", "piles taken up"),
        ("california-speed", "A move 7h <stock:A >col:B:2", "covers"),
        ("russian-bank", "A discard 7h <stock:A", "throws from the stock"),
        ("kaiser", "N play 7h", ""),
        ("kaiser", "N bid 7", ""),
        ("russian-bank", "A call stop #5", ""),
    ],
)
def test_what_goes_without_saying(game: str, line: str, kind: str) -> None:
    """If this failed, a line that says something of its own would count as one that need not be written."""
    assert goes_without_saying(given_log(game, line)[1].event) == kind


@pytest.mark.parametrize(
    "event",
    [
        Play(by="N", cards=("7h",)),
        Meld(by="N", groups=(("7h", "8h", "??"), ("Kc", "Kd", "Kh"))),
        Name(by="N", what="5h"),
        Deal(by="@", piles=(("hand:N", ("2x??", "7h")), ("hand:E", ("Td",)))),
        Capture(by="N", cards=("7h",), takes=("4c", "3d")),
    ],
)
def test_one_card_is_mistyped_for_a_near_one(event: Event) -> None:
    """If this failed, a slip would be more than a slip, or none."""
    pack = find_game("jersey-gin").pack
    for seed in range(20):
        wrong = mistyped(event, pack, Random(seed))
        pairs = [(a, b) for a, b in zip(faces(event), faces(wrong), strict=True) if a != b]
        assert len(pairs) == 1
        assert near_miss(*pairs[0])
        assert type(wrong) is type(event)


DEALT = """
    W hand 1
    @ deal N=8x?? E=8x?? S=8x?? W=8x??
    N bid 7no
    E pass
    S pass
    W pass
    """
TRICKS = ("N play Kh", "E play 8h", "S play 9h", "W play Th", "N play Qd", "E play 8d")


@pytest.mark.parametrize(
    ("written", "said", "shown"),
    [
        (TRICKS, Said(set(), set()), False),
        (("N play Kh", "E play 8c", *TRICKS[2:]), Said({(8, "kaiser.R11")}, set()), False),
        (("N play Kh", "E play Th", *TRICKS[2:]), Said(set(), set(), {(8, "table.T2")}), True),
        (("N play Kh", "N play 8h", *TRICKS[2:]), Said({(8, "kaiser.R10")}, set()), True),
        (("N play Kc", *TRICKS[1:]), Said({(8, "kaiser.R11"), (9, "kaiser.R11")}, set()), True),
        (("N play Kc", *TRICKS[1:]), Said({(8, "kaiser.R10"), (8, "kaiser.R11")}, set()), False),
    ],
    ids=["nothing", "one act accused", "a contradiction", "out of turn", "two acts accused", "one act, two rules"],
)
def test_what_shows_a_slip(written: Sequence[str], said: Said, shown: bool) -> None:
    """If this failed, accusations would be excused that the record itself speaks against, or none would."""
    whole = tuple(given_log("kaiser", DEALT + "\n    ".join(TRICKS)))
    log = tuple(given_log("kaiser", DEALT + "\n    ".join(written)))
    one = Degraded("mistyped", "by hand", whole, log, {n: n for n in range(len(log))}, Truth("kaiser"))
    assert shows(one, said, Said(set(), set())) is shown


def test_an_accusation_counts_unless_the_act_was_illegal_or_it_is_in_doubt() -> None:
    """If this failed, the proof would count true accusations as false ones, or the other way round."""
    log = tuple(given_log("kaiser", DEALT + "\n    ".join(TRICKS)))
    truth = Truth("kaiser", (SimulatedBreach(8, ("R11",), log[8].event),))
    one = Degraded("left out", "by hand", log, log, {n: n for n in range(len(log)) if n != 11}, truth)
    accused = {(8, "kaiser.R11"), (9, "kaiser.R11"), (10, "kaiser.R11"), (11, "kaiser.R10")}
    count = measure([one], lambda _: Said(accused, {(10, "kaiser.R11")}))
    assert {f.key for f in count.failures} == {(9, "kaiser.R11"), (11, "kaiser.R10")}
    assert (count.accused, count.breaches) == (2, 1)


def test_a_breach_that_nobody_wrote_is_known_by_the_line_that_shows_it() -> None:
    """If this failed, whoever is told to have acted out of turn would count as accused wrongly, because the draw
    with which it began was left unwritten; or an act of somebody else, or of another rule, would be excused by that
    draw."""
    whole = tuple(given_log("russian-bank", """
        B hand 1
        B draw 3d <stock:B
        A move 5h >foundation:1
        B discard 3d
        B draw 4c <stock:B
    """))
    written = [whole[0], whole[1], *whole[3:]]
    log = tuple(replace(r, n=n) for n, r in enumerate(written))
    one = Degraded("unwritten", "by hand", whole, log, {0: 0, 1: 1, 2: 3, 3: 4, 4: 5}, Truth("russian-bank"))
    assert shown_later(one, {(2, "russian-bank.R2")}) == {(3, "russian-bank.R2")}
    assert shown_later(one, {(3, "russian-bank.R2")}) == set(), "this line was written"


def test_not_to_follow_suit_is_no_legal_act_because_the_lead_was_out_of_turn() -> None:
    """If this failed, whoever is told rightly not to have followed suit would count as accused wrongly, as the judge
    of the whole record leaves that open; or somebody who could not follow would not."""
    whole = tuple(given_log("scotch-whist", """
        B hand 1
        @ deal A=AsKsQsJsTs9s8s7s6sAhKhQhJhTh9h8h7h6d B=AdKdQdJdTd9d8d7d6hAcKcQcJcTc9c8c7c
        @ deal up B=6c
        B play 7d
        A play 6s
        B play 7c
        A play 7s
    """, Seats="A B"))
    truth = Truth("scotch-whist", (SimulatedBreach(4, ("R3",), whole[4].event),))
    one = Degraded("hidden", "by hand", whole, whole, {n: n for n in range(len(whole))}, truth, happened=whole)
    accused = {(5, "scotch-whist.R5"), (7, "scotch-whist.R5")}
    count = measure([one], lambda _: Said(accused, set()))
    assert {f.key for f in count.failures} == {(7, "scotch-whist.R5")}


def test_a_tally_of_a_hand_with_a_breach_may_have_figures_that_cannot_be() -> None:
    """If this failed, a hand in which somebody was a card short could not be told as it was; or a tally could tell
    anything."""
    whole = tuple(given_log("poke", "B hand 1\n@ deal A=5x?? B=5x??\nA pass\nB pass\nA discard 7s\nA play 9c"))
    log = (*whole[:2], Recorded(n=2, event=Tally(by="@", facts={"tricks": {"A": 1, "B": 3}})))
    accused = {(2, "poke.R7"), (2, "poke.R4")}
    breach = Truth("poke", (SimulatedBreach(5, ("R2",), whole[5].event),))
    for truth, wrong in ((breach, {(2, "poke.R4")}), (Truth("poke"), accused)):
        one = Degraded("tally", "by hand", whole, log, {0: 0, 1: 1}, truth, tells={2: (2, 6)})
        count = measure([one], lambda _: Said(accused, set()))
        assert {f.key for f in count.failures} == wrong


def test_a_trick_with_a_card_that_was_not_seen_is_of_whoever_led_next() -> None:
    """If this failed, the figures of tricks as they were led would count as wrong after a lead out of turn; or those
    of tricks of which every card was seen would be held against anything but the cards."""
    written = "B hand 1\n@ deal A=18x?? B=17x??\n@ deal up B=6c\nA play Ks\nB play {}\nB play As\nA play Qs"
    whole, log = (tuple(given_log("scotch-whist", written.format(card), Seats="A B")) for card in ("7s", "??"))
    one = Degraded(
        "half-seen", "by hand", whole, log, {n: n for n in range(len(log))}, Truth("scotch-whist"), happened=whole,
    )
    assert [write_event(r.event) for r in as_it_was_led(one)[len(whole) :]] == ["@ fix #5+ @ move * <trick >won:B"]
    assert as_it_was_led(replace(one, log=whole)) == whole


@pytest.mark.parametrize(
    ("game", "lines", "hands"),
    [
        (
            "scopa", "@ deal A=Js7cJd B=6hKs2h\n@ deal up board=KdKcQhQc\nA play 7c\n@ gap 4\n@ deal up board=Ac6hKh7c",
            2,
        ),
        ("scopa", "@ deal A=Js7cJd B=6hKs2h\n@ deal up board=KdKcQhQc\nA play 7c\n@ deal up board=Ac6hKh7c", 1),
        (
            "scopa",
            (
                "@ deal A=Js7cJd B=6hKs2h\n@ deal up board=2d4h5hAh\n@ tally cards.A=20\n@ deal A=6d6cJh "
                "B=4sAdKs\n@ deal up board=Ac6hKh6s"
            ),
            2,
        ),
        ("pay-me", "@ gap\n@ deal A=4x?? B=4x??\n@ deal up discard=As\n@ deal down stock=45x??", 2),
        ("omi", "@ deal N=*x?? E=*x?? S=*x?? W=*x??\nN name d\n@ deal N=4x?? E=4x?? S=4x?? W=4x??\nN play Ah", 1),
    ],
    ids=[
        "the board, behind a gap", "the board, with no gap", "a deal behind a tally", "a larger deal in parts",
        "the second part, of hands not counted",
    ],
)
def test_a_deal_that_the_hand_cannot_have_begins_another_behind_a_gap_or_a_tally(
    game: str, lines: str, hands: int,
) -> None:
    """If this failed, a hand whose first line was lost would be held against the one before it, card by card."""
    records = given_log(game, f"{'W' if game == 'omi' else 'B'} hand 1\n{lines}")
    verdict = check(records)
    assert fold(records).number == hands
    assert sorted({str(f.rule) for f in verdict.broken}) == (
        [] if "gap" in lines or "tally" in lines or game == "omi" else ["scopa.R7", "table.T2"]
    )
