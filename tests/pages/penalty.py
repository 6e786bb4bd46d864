"""Penalty: a small game for the tests, with what the registered games lack: a hidden pick-up and a penalty.

Two players, sixteen cards (aces to jacks), four each, the rest a stock. A trick is two cards; the suit led is
followed; there are no trumps. After each trick both pick up a card that the other does not see, while the stock
lasts. A trick is a point. Who did not follow suit though they could loses two tricks to the other, if that one says
so (`call revoke B #12`) before the next hand is dealt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from pages.registering import in_the_registry

from events.cards import SUIT_NAMES, pack, ranking
from events.model import Call, Deal, Draw, Event, Move, Play
from events.model import Hand as HandEvent
from reducers.evolve import ensure_hand_started, finish_hand, on_deal, on_move
from reducers.model import Dealing, Game, Judging, Phase, Simulation, State
from reducers.rules import CONSEQUENCE, DUTY, RIGHT, Breach, Catalogue, CheckResult, broken, rule, unknown
from reducers.scoring import HandScore, Penalty, Points, ScoreLine, Standing, add_points, figure
from reducers.sheet import Block, Cell, Sheet, SheetRow
from reducers.tally import facts_declared
from reducers.terms import hand_of, singles
from reducers.words.rulings import trick_winners_as_ruled, tricks_as_ruled
from reducers.words.tallies import apply_reported_facts
from reducers.words.tricks import Tricks, gather_trick, strengths

KEY = "penalty"
SEATS = singles(2)
PACK = pack("A K Q J")
CARDS_EACH, TRICKS, COST = 4, 8, 2
POWER = strengths(PACK, ranking("A K Q J"), "")


class Options(Struct, frozen=True):
    """House rules of Penalty."""

    target: int = 20


RULES = Catalogue(
    KEY,
    rule("P1", "Play", DUTY, "Who won the last trick leads, the other answers, and both pick up.", "in turn"),
    rule("P2", "Play", DUTY, "A seat that holds the suit led plays it.", "follow suit"),
    rule("P3", "Play", CONSEQUENCE, "The higher card of the suit led wins the trick.", "who wins"),
    rule(
        "P4", "Penalty", RIGHT, "Two tricks for a revoke, claimed by the other before the next hand is dealt.", "revoke"
    ),
)


class Spoken(Struct, frozen=True):
    """A revoke that somebody claimed; `dealt` is the last hand that had been dealt by then."""

    at: int
    by: str
    who: str
    refs: tuple[int, ...]
    dealt: int


class Hand:
    """One hand; what was claimed is kept for the whole match, as a claim may come after the hand."""

    def __init__(self, state: State[Hand]) -> None:
        self.trick = Tricks(state, TRICKS)
        self.trick.power = POWER
        self.to_draw: tuple[str, ...] = ()
        self.lead: tuple[str, ...] = ()
        self.dealt = False
        self.spoken: list[Spoken] = state.hand.spoken if state.hand is not None else []


def start(state: State[Hand]) -> Hand:
    for seat in state.terms.seats:
        state.table.bag(seat)
        state.table.row(f"won:{seat}")
    state.phase, state.turn = "play", (state.terms.left(state.dealer),)
    return Hand(state)


def on_dealing(deal: Deal, state: State[Hand]) -> None:
    on_deal(deal, state)
    state.hand.dealt = True


@RULES.check("P1", Play, Draw)
def in_turn(act: Event, state: State[Hand]) -> CheckResult | None:
    return None if act.by in state.turn else broken(f"it is the turn of {' or '.join(state.turn)}")


@RULES.check("P2", Play)
def follow_suit(play: Play, state: State[Hand]) -> CheckResult | None:
    trick = state.hand.trick
    if not trick.plays:
        return None
    suit = PACK.suit_of[state.code(play.cards)]
    if suit == trick.led:
        return None
    if "?" in (suit, trick.led):
        return unknown("a card of this trick was not seen")
    held = state.holding(play.by)
    follows = held.any_of(PACK.suit[trick.led])
    if follows:
        return broken(
            f"{SUIT_NAMES[trick.led]} were led, and {play.by} holds one", held.certain & PACK.suit[trick.led], play.by,
        )
    return unknown(f"whether {play.by} held {SUIT_NAMES[trick.led]}") if follows is None else None


def on_play(play: Play, state: State[Hand]) -> None:
    ensure_hand_started(state)
    trick = state.hand.trick
    code = state.code(play.cards)
    state.table.move_one(code, state.holding(play.by), trick.pile)
    state.turn = turn = trick.add(play.by, code, state)
    if trick.plays:
        return
    gather_trick(state, trick)
    if not turn:
        finish_hand(state)
    elif len(state.table.row("stock")):
        state.hand.lead, state.hand.to_draw = turn, state.terms.seats
        state.phase, state.turn = "pick-up", state.hand.to_draw


def on_draw(draw: Draw, state: State[Hand]) -> None:
    ensure_hand_started(state)
    hand, stock = state.hand, state.table.row("stock")
    state.table.move(state.table.codes(draw.cards, stock), stock, state.holding(draw.by))
    hand.to_draw = tuple(s for s in hand.to_draw if s != draw.by)
    state.turn = hand.to_draw
    if not hand.to_draw:
        state.phase, state.turn = "play", hand.lead


@RULES.check("P3", Move)
def the_winner_gathers(move: Move, state: State[Hand]) -> CheckResult | None:
    won = state.hand.trick.won
    if move.src != "trick" or not won or move.to[4:] in won[-1].winners:
        return None
    return broken(f"{' or '.join(won[-1].winners)} won the trick")


def on_gathering(move: Move, state: State[Hand]) -> None:
    if move.src == "trick" and move.to[4:] in state.terms.seats and state.hand.trick.won:
        state.hand.trick.won[-1].gathered = move.to[4:]
    else:
        on_move(move, state)


def on_call(call: Call, state: State[Hand]) -> None:
    if call.word == "revoke" and state.number:
        hand = state.hand
        hand.spoken.append(
            Spoken(state.at, call.by, call.who, call.refs, state.number if hand.dealt else state.number - 1)
        )


def penalties(state: State[Hand], breaches: Sequence[Breach]) -> Iterator[Penalty]:
    """Two tricks for each proven revoke that the other claimed in time."""
    for breach in breaches:
        if breach.rule != f"{KEY}.P2" or state.hand is None:
            continue
        for said in state.hand.spoken:
            if breach.pos in said.refs and said.who == breach.by != said.by and said.dealt <= breach.hand:
                facts = {"tricks": {said.by: COST, breach.by: -COST}}
                yield Penalty(
                    breach.hand, breach.pos, f"{KEY}.P4", facts,
                    f"{COST} tricks from {breach.by} to {said.by} for the revoke",
                )
                break


def score(state: State[Hand]) -> HandScore:
    seats = state.terms.seats
    if state.stop_reason in ("void", "misdeal"):
        return HandScore(state.number, state.dealer, "void", result=state.stop_reason, points=dict.fromkeys(seats, 0))
    if not state.settled:
        return HandScore(
            state.number, state.dealer, "nothing", points=dict.fromkeys(seats, 0), unknown=("the hand is in play",),
        )
    trick = state.hand.trick
    took: Points = trick.taken_by(state.terms.side_of) if trick.won else dict.fromkeys(seats, 0)
    for facts in state.transfers:
        took = tricks_as_ruled(facts, took, state.terms)
    sums = {who: f"{figure(n)} tricks" for who, n in took.items()}
    missing = () if None not in took.values() else ("who took which trick",)
    return HandScore(
        state.number, state.dealer, "moves", lines=(ScoreLine("tricks", took, sums),), points=took, unknown=missing,
    )


def after(before: Standing, hand: HandScore, terms: Any) -> Standing:
    totals = add_points(before.totals, hand.points)
    best = max((n for n in totals.values() if n is not None), default=0)
    ahead = [who for who, n in totals.items() if n == best]
    over = None not in totals.values() and best >= terms.options.target and len(ahead) == 1
    return replace(before, totals=totals, over=over, winner=ahead[0] if over else "")


def sheet(state: State[Hand], empty: Sheet) -> Sheet:
    rows = tuple(
        SheetRow((Cell(str(s.number)), *(Cell(figure(s.points.get(w))) for w in state.terms.seats)))
        for s in state.scores
    )
    return replace(empty, blocks=(Block("Score", ("hand", *state.terms.seats), rows),))


def candidates(state: State[Hand]) -> Iterator[Event]:
    for seat in state.turn:
        if state.phase == "play":
            yield from (Play(by=seat, cards=(card,)) for card in PACK.cards(state.holding(seat).certain))
        else:
            top = (state.table.row("stock").row or [PACK.unknown])[-1]
            yield Draw(by=seat, cards=(PACK.tokens[top],))


def chance(state: State[Hand], random: Random) -> list[Event]:
    cards = list(PACK.faces)
    random.shuffle(cards)
    first = state.game.dealing.next_dealer(state) if state.number else state.terms.dealer
    piles = tuple((hand_of(s), tuple(cards[4 * i : 4 * i + 4])) for i, s in enumerate(state.terms.seats))
    return [HandEvent(by=first, number=state.number + 1), Deal(by="@", piles=(*piles, ("stock", tuple(cards[8:]))))]


TALLY = facts_declared({}, (), {"tricks.*": "tricks that a player gets", "trick.#": "who gets that trick"})
GAME = Game(
    key=KEY, name="Penalty", family="tricks", summary="tricks, a hidden pick-up and a penalty",
    seating=SEATS, pack=PACK,
    dealing=Dealing(next_dealer=lambda state: state.terms.left(state.dealer), chance=chance),
    options=Options, rules=RULES, readings={}, words={"revoke": "call: the other did not follow suit"},
    start=start,
    phases={
        "play": Phase("play", (Play, Call), "a card"),
        "pick-up": Phase("pick-up", (Draw, Call), "a card from the stock"),
    },
    on={Deal: on_dealing, Play: on_play, Draw: on_draw, Move: on_gathering, Call: on_call},
    tally=TALLY, compute_tally=lambda state: apply_reported_facts(TALLY(), state), score=score, after=after,
    sheet=sheet,
    judging=Judging(
        penalties=penalties, transfer=lambda state, facts: trick_winners_as_ruled(facts, state.hand.trick.won, state),
    ),
    simulation=Simulation(candidates=candidates),
)  # fmt: skip


registered = partial(in_the_registry, KEY, __name__)
"""The page is in the registry while this lasts; its key."""


__all__ = ["GAME", "KEY", "registered"]
