"""The possible scores of a hand with unseen cards: every way they can lie, scored.

A hand is *closed* just before the next one begins, and its score is computed from what is known then. If an unseen
card leaves the score open, each way the hidden cards can lie is folded, without checking rules, and scored. So
figures are certain, or a list of possible ones with the cards that decide between them. With more ways than `LIMIT`
nothing is guessed: the figure stays unknown, and the reason is given. The same is true if the record of the hand
contradicts itself, as a card was then recorded wrong.

There are two readings of a hand. *As played* assumes that the leader of each trick won the one before, if the cards
leave that open, as the table played on accordingly. *By the cards* assumes nothing. No proof and no verdict depends
on either.

Hands depend on each other (a brake depends on the score before), so the set of all possible standings after each hand
is carried along.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import combinations, islice, product
from operator import or_
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from events.cards import Pack, how_many, is_face, one_by_one, pretty_all, squeeze
from events.model import Call, Capture, Deal, Event, Facts
from reducers.evolve import add_unrecorded_hand, evolve, with_hand
from reducers.legal import acts_of
from reducers.model import State
from reducers.scoring import HandScore, Points, Standing
from reducers.words.tallies import contradictions, open_questions, two_readings
from replay.budget import Budget
from replay.fold import Corrected
from replay.judging.assignments import all_assignments, max_assignments, world_from
from replay.judging.hidden_cards import HiddenCard, read_hand, trace_hidden_cards
from replay.scoring.outcomes import Alternative, HandEnd, HandWorth, MatchOutcome, ScoreAnswer, ScoreQuestion, Values

LIMIT = 3000
"""Most ways the hidden cards of a hand can lie that are examined; with more, figures stay unknown."""
STEPS = 250_000
"""Steps for the ways of all hidden cards of a match; a folded event is one step."""
STEPS_PER_WORLD = 20
"""Steps to begin a hand again, and to score it."""
PAIRS = 20_000
"""Most pairs of a hand's reading and an earlier standing that are scored; with more, only what all standings share is
used."""
STANDINGS = 400
"""Most different standings of the match that are carried along."""

HISTORIES = 300
"""Most possible courses of a whole match that are listed."""


def score_of(hand: HandEnd, state: State[Any], before: Standing) -> HandScore:
    """The score of a hand in one reading, after this standing."""
    state.before = before
    score = state.game.score(state)
    if hand.left and score.source != "void":
        points: Points = dict.fromkeys(before.totals)
        return HandScore(
            hand.number, state.dealer, "nothing", points=points, unknown=("the hand was not recorded to its end",),
        )
    return score


# -- the ways a hand may have gone ------------------------------------------------------------------------------------


class Readings(Struct):
    """The two readings of a hand, both the hand itself if nothing is open; `why` is the reason for what was not
    examined."""

    played: list[Alternative]
    by_cards: list[Alternative] | Callable[[], list[Alternative]]
    why: str = ""

    @property
    def cards(self) -> list[Alternative]:
        """The reading by the cards, computed on demand."""
        if callable(self.by_cards):
            self.by_cards = self.by_cards()
        return self.by_cards


def readings_of_hands(view: Corrected, hands: Sequence[HandEnd]) -> dict[int, Readings]:
    """The readings of these hands, within one budget that counts folded events."""
    budget = Budget(STEPS)
    return {hand.number: hand_readings(view, hand, budget=budget) for hand in hands}


def hand_readings(view: Corrected, hand: HandEnd, *, limit: int = LIMIT, budget: Budget | None = None) -> Readings:
    """Every course of a hand that its score can distinguish."""
    itself = [Alternative(hand.state, [{}])]
    if not hand.counted or hand.left:
        return Readings(itself, itself)
    events = [p.event for p in view.events[hand.first - 1 : hand.last]]
    plain = score_of(hand, hand.state, _nothing(hand))
    open_ = None in plain.points.values() or bool(plain.unknown)
    if hand.doubtful:
        # A card was recorded wrong, and it may be any, so no layout of the others is certain either.
        return Readings(itself, itself, "the record of the hand contradicts itself" if open_ else "")
    if both := two_readings(hand.state):
        asked = [
            told for one, text in zip(both, BOTH, strict=True) for told in _one_of_two(replace(hand, state=one), text)
        ]
        return Readings(asked, asked)
    if hand.state.tallies or not any(map(_unseen, events)):
        asked = _asked(hand) if open_ else []
        return Readings(asked or itself, asked or itself)
    steps = Budget(STEPS) if budget is None else budget

    def every_way() -> list[Alternative]:
        found = _worlds(view, hand, events, limit, steps)
        return itself if isinstance(found, str) else found[1]

    if not open_:
        return Readings(itself, every_way)
    found = _worlds(view, hand, events, limit, steps)
    if isinstance(found, str):
        return Readings(itself, itself, found)
    return Readings(*found)


def _nothing(hand: HandEnd) -> Standing:
    return hand.state.game.match.new_match(hand.state.terms)


def _unseen(event: Event) -> bool:
    """True if a card of an act was not seen as it left the hand, or one that was dealt face up."""
    cards = (*getattr(event, "cards", ()), *(event.takes if isinstance(event, Capture) else ()))
    if isinstance(event, Deal) and event.face == "up":
        cards = tuple(card for _, some in event.piles for card in some)
    return any("?" in c for c in cards)


BOTH = ("as the moves show", "as the table told it")
"""The two readings of a hand with a tally that its moves contradict."""


def _one_of_two(hand: HandEnd, text: str) -> list[Alternative]:
    """A hand in one of these readings, with every answer to its missing facts."""
    said = {("the moves and the tally do not agree", 0, ""): text}
    return [
        Alternative(one.state, [said | more for more in one.answers]) for one in _asked(hand)
        or [Alternative(hand.state, [{}])]
    ]


def _asked(hand: HandEnd) -> list[Alternative]:
    """A result without cards: every answer to its missing facts, as the game lists them."""
    state = hand.state
    questions = [(text, list(answers.items())) for text, answers in open_questions(state)]
    if not questions:
        return []
    if math.prod(len(answers) for _, answers in questions) > LIMIT:
        return []
    out: list[Alternative] = []
    for chosen in product(*(answers for _, answers in questions)):
        one = state.snapshot()
        told: Facts = {}
        for _, facts in chosen:
            told |= facts
        one.tallies = [*state.tallies, told]
        if contradictions(one) > contradictions(state):
            # These answers contradict each other: the five of hearts cannot be without a trick.
            continue
        said = {(text, 0, ""): who for (text, _), (who, _) in zip(questions, chosen, strict=True)}
        out.append(Alternative(one, [said]))
    return out


def _worlds(
    view: Corrected, hand: HandEnd, events: Sequence[Event], limit: int, budget: Budget
) -> tuple[list[Alternative], list[Alternative]] | str:
    """The ways the unseen cards can lie: those with no more acts out of turn than recorded, and all. The reason if
    they cannot be listed."""
    pack = hand.start.game.pack
    ways, free, why = trace_hidden_cards(read_hand(hand.start, events, hand.first))
    if why:
        return why
    # If the cards that left unseen or were laid open are all that is missing, each has its place in every way. Else a
    # card that stayed where it was changes no trick: if it may be any card, any rest of the pack will do.
    slots = [[s for s in way if s.leaves or s.code is not None] for way in ways]
    if not all(sum(s.code is None for s in way) == pack.count(free) for way in slots):
        slots = [
            [
                s for s in way if len(s.leaves) > s.laid_open or s.many or s.code is not None
                or (s.may_be != pack.everything and not s.laid_open)
            ]
            for way in ways
        ]
    count = sum(max_assignments(way, free, pack) for way in slots)
    if count > limit or len(ways) > 200:
        return (
            f"the hidden cards can lie in {'more than ' if len(ways) > 200 else ''}{count} ways, too many to try each"
        )
    heard = _calls_as_heard(events, hand.first, pack, limit // max(count, 1))
    steps = count * (len(heard) or 1) * (len(events) + STEPS_PER_WORLD)
    if steps > budget.left:
        return f"the hidden cards can lie in {count} ways, too many to try each in a record as long as this"
    budget.spend(steps)
    fold = _Fold(hand, view)
    usual = fold.world(list(events), ())[0]
    straight: dict[str, Alternative] = {}
    all_: dict[str, Alternative] = {}
    for way, chosen in _assignments(slots, free, hand):
        played, _, told = world_from(way, chosen, events, hand.first, pack)
        if played is None:
            continue
        worlds = [(*fold.world(played, told), told)]
        if heard and None in score_of(hand, worlds[0][1], _nothing(hand)).points.values():
            worlds = [
                (*fold.world([calls.get(i, event) for i, event in enumerate(played)], more), more)
                for calls, named in heard for more in [told | named]
            ]
        for astray, state, more in worlds:
            said: dict[tuple[str, int, str], str] = {}
            for step, codes in more.items():
                placed = view.events[step - 1]
                by = placed.event.by
                whose = f"the card of {by}" if by != "@" else "the card dealt"
                said[f"{whose} at event {placed.n}", placed.n, by] = pretty_all([pack.faces[c] for c in codes])
            key = _mark(hand, state)
            for table in (all_, straight) if astray <= usual else (all_,):
                if key in table:
                    table[key].answers.append(said)
                else:
                    table[key] = Alternative(state, [said])
    if not all_:
        return "no way the hidden cards can lie agrees with the record"
    return list((straight or all_).values()), list(all_.values())


def _calls_as_heard(
    events: Sequence[Event], first: int, pack: Pack, limit: int,
) -> list[tuple[dict[int, Event], dict[int, list[int]]]]:
    """Each way in which cards that calls named, and that nobody heard, may be: the calls by their index, and those
    cards by step. Empty if all were heard, with more ways than the limit, or with more cards than there are."""
    ways: list[tuple[dict[int, Event], dict[int, list[int]]]] = [({}, {})]
    for i, event in enumerate(events):
        cards = one_by_one(event.cards) if type(event) is Call and how_many(event.cards) is not None else []
        unheard = [card for card in cards if card.startswith("?")]
        if not unheard or not pack.code.keys() >= {*cards}:
            continue
        may_be = reduce(or_, [pack.may_be[pack.code[card]] for card in unheard])
        faces = [face for face in pack.faces if is_face(face) and may_be & pack.field[pack.code[face]]]
        left = [face for face in faces if face not in cards]
        heard = [card for card in cards if card not in unheard]
        named = [[*heard, *some] for some in islice(combinations(left, len(unheard)), limit + 1)]
        if not 0 < len(ways) * len(named) <= limit:
            return []
        ways = [
            (
                {**calls, i: replace(event, cards=squeeze(each))},
                {**codes, first + i: [pack.code[card] for card in each[-len(unheard) :]]},
            ) for calls, codes in ways for each in named
        ]
    return ways if ways[0][0] else []


def _assignments(
    slots: list[list[HiddenCard]], free: int, hand: HandEnd,
) -> Iterator[tuple[list[HiddenCard], list[tuple[HiddenCard, int]]]]:
    for way in slots:
        for chosen in all_assignments(way, free, hand.start.game.pack):
            yield way, chosen


class _Fold:
    """Folds the worlds of a hand one after the other, each from where its cards first differ from the one before."""

    def __init__(self, hand: HandEnd, view: Corrected) -> None:
        self.first, self.view, self.played = hand.first, view, list[Event]()
        self.acts = acts_of(hand.state.game.key)
        # Step, number of acts out of turn before it, and state before it.
        self.kept = [(hand.first, 0, hand.start)]

    def world(self, played: list[Event], differs: Iterable[int]) -> tuple[int, State[Any]]:
        """The number of acts out of turn in a world, and its last state. Other worlds have other events at the steps
        that it `differs` in."""
        same = next((
            i for i, (one, was) in enumerate(zip(played, self.played, strict=False)) if one is not was and one != was
        ), 0)
        while len(self.kept) > 1 and self.kept[-1][0] > self.first + same:
            self.kept.pop()
        self.played = played
        begins, astray, state = self.kept[-1]
        state = state.snapshot() if begins == self.first else state.fork()
        later = {at for at in differs if at > begins}
        for step, event in enumerate(played[begins - self.first :], begins):
            if step in later:
                self.kept.append((step, astray, state.fork()))
            astray += type(event) in self.acts and bool(state.turn) and event.by not in state.turn
            state.at = state.table.now = self.view.events[step - 1].n
            evolve(state, event)
        return astray, state


def _mark(hand: HandEnd, state: State[Any]) -> str:
    """A key for distinct readings of a hand: its score with all lines."""
    return repr(msgspec.to_builtins(replace(score_of(hand, state, _nothing(hand)), totals={})))


# -- the match

Change = Callable[[HandEnd, State[Any]], tuple[State[Any], Callable[[HandScore], HandScore]]]
"""How a reading of the match changes a hand: the state to score, and a function applied to its score."""


def match_outcomes(
    hands: Sequence[HandEnd], choose: Callable[[HandEnd], tuple[list[Alternative], str]], change: Change | None = None
) -> MatchOutcome:
    """Sum up a match in one reading: every score each hand may have after every standing before it."""
    out: list[HandWorth] = []
    standings: list[Standing] = []
    whole = True
    for hand in hands:
        if not standings:
            standings = [_nothing(hand)]
        if hand.state.hand_may_be_missing:
            whole, standings = False, [add_unrecorded_hand(_common(standings), hand.state)]
        if not hand.counted:
            continue
        alternatives, why = choose(hand)
        if len(alternatives) * len(standings) > PAIRS and len(standings) > 1:
            whole, standings = False, [_common(standings)]
        scores: dict[str, HandScore] = {}
        after: dict[str, Standing] = {}
        told: list[tuple[dict[tuple[str, int, str], str], Points]] = []
        for alternative in alternatives:
            state, do = change(hand, alternative.state) if change else (alternative.state, _same)
            for before in standings:
                score = do(score_of(hand, state, before))
                standing = with_hand(before, score, state)
                score = replace(score, totals=dict(standing.totals))
                scores.setdefault(repr(score), score)
                after.setdefault(repr(standing), standing)
                told += [(said, score.points) for said in alternative.answers]
        if len(after) > STANDINGS:
            # Too many to carry on, so only what all share is kept.
            whole = False
            after = {"": _common(list(after.values()))}
        standings = list(after.values())
        points, totals = _values(s.points for s in scores.values()), _values(s.totals for s in scores.values())
        asked = _questions(told) if any(len(v) > 1 for v in points.values()) else ()
        out.append(HandWorth(hand.number, list(scores.values()), points, totals, asked, why))
    return MatchOutcome(out, standings, whole)


def histories(
    hands: Sequence[HandEnd], choose: Callable[[HandEnd], list[Alternative]], most: int = HISTORIES
) -> list[tuple[list[HandScore], Standing]]:
    """Return every possible course of a match's scores: its hand scores with totals, and the final standing.

    Empty if there are more than `most`.
    """
    found: dict[str, tuple[list[HandScore], Standing]] = {}
    for hand in hands:
        found = found or {"": ([], _nothing(hand))}
        if hand.state.hand_may_be_missing:
            return []
        if not hand.counted:
            continue
        longer: dict[str, tuple[list[HandScore], Standing]] = {}
        for key, (scores, before) in found.items():
            for alternative in choose(hand):
                score = score_of(hand, alternative.state, before)
                standing = with_hand(before, score, hand.state)
                score = replace(score, totals=dict(standing.totals))
                longer.setdefault(f"{key}\n{score!r}", ([*scores, score], standing))
                if len(longer) > most:
                    return []
        found = longer
    return list(found.values())


def _same(score: HandScore) -> HandScore:
    return score


def _common(standings: list[Standing]) -> Standing:
    first = standings[0]
    totals: Points = {
        who: n if all(s.totals.get(who) == n for s in standings) else None for who, n in first.totals.items()
    }
    one = len({(s.winner, s.over) for s in standings}) == 1
    return replace(first, totals=totals, winner=first.winner if one else "", over=first.over if one else False)


def _values(points: Iterable[Points]) -> Values:
    """The different figures of each side, except sides with an unknown one."""
    found: dict[str, set[int | None]] = {}
    for one in points:
        for who, n in one.items():
            found.setdefault(who, set()).add(n)
    return {who: sorted(n for n in ns if n is not None) for who, ns in found.items() if None not in ns}


def _questions(told: list[tuple[dict[tuple[str, int, str], str], Points]]) -> tuple[ScoreQuestion, ...]:
    """The decisive questions, and the possible points for each answer.

    A question whose answers all give the same points is left out.
    """
    asked: dict[tuple[str, int, str], dict[str, list[Points]]] = {}
    for said, points in told:
        for key, answer in said.items():
            asked.setdefault(key, {}).setdefault(answer, []).append(points)
    out = []
    for (text, at, by), answers in asked.items():
        left = {answer: _values(points) for answer, points in answers.items()}
        if len({repr(v) for v in left.values()}) > 1:
            out.append(
                ScoreQuestion(text, at, by, tuple(ScoreAnswer(answer, values) for answer, values in left.items()))
            )
    return tuple(sorted(out, key=lambda q: q.at))
