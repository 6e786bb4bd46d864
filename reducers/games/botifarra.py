"""Botifarra: four players in partnerships; no bidding, but nines on top, a duty to head the trick, and doubling up to eight."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from events.cards import GLYPHS, SUIT_NAMES, SUITS, how_many, pack, ranking
from events.model import Call, Deal, Event, Facts, Move, Name, Pass, Play
from events.model import Hand as HandEvent
from events.model import Tally as TallyEvent
from reducers.game import Game, Phase, partnerships
from reducers.rules import DUTY, RIGHT, Catalogue, Says, broken, rule, unknown
from reducers.scoring import HandScore, Line, Points, Standing, added, figure, signed
from reducers.sheet import Block, Cell, Row, Sheet
from reducers.state import State, Terms, hand_of
from reducers.words.tricks import (
    Tricks,
    dealt,
    gathered_by,
    must_follow_suit,
    must_head_the_trick,
    one_card_in_turn,
    owner,
    play_to_trick,
    strengths,
    who_led,
    winner_gathers,
)

# Setup
SEATS = partnerships("N E S W")
PACK = pack("9 A K Q J 8 7 6 5 4 3 2")
CARDS_EACH = 12
PAR = 36
MOST = 8

# Card ranking: the nine is the highest of every suit.
PLAIN = ranking("9 A K Q J 8 7 6 5 4 3 2")
STRENGTH = PLAIN.strength(PACK)
WORTH = {"9": 5, "A": 4, "K": 3, "Q": 2, "J": 1}
POINT_CARDS = PACK.mask_of(lambda card: card[0] in WORTH)
# For each card, the cards of its suit below it; for a worthless one they are all worthless too.
BELOW = tuple(
    sum(PACK.field[d] for d in range(PACK.unknown) if PACK.suit_of[d] == PACK.suit_of[c] and STRENGTH[d] < STRENGTH[c])
    for c in range(PACK.unknown)
)


class Options(Struct, frozen=True):
    """House rules of Botifarra."""

    direction: Annotated[
        Literal["clockwise", "counter-clockwise"], Meta(description="which way play goes round")
    ] = "clockwise"
    target: Annotated[int, Meta(ge=1, le=999, description="score that ends the match")] = 101
    losing_side_lowest_always: Annotated[
        bool, Meta(description="who cannot head an opponent's trick gives the lowest card of the suit, points or not")
    ] = False
    heading_lowest_when_worthless: Annotated[
        bool, Meta(description="a worthless card that heads the trick is the lowest one that does")
    ] = False


RULES = Catalogue(
    "botifarra",
    rule("R1", "Determining trumps and doubling", DUTY, "The dealer opens the hand: a suit for trumps, botifarra (no trumps), or the choice passed to the partner.", "the dealer chooses"),
    rule("R2", "Determining trumps and doubling", DUTY, "The partner to whom the choice was passed makes it.", "the partner must choose"),
    rule("R3", "Determining trumps and doubling", RIGHT, "The dealer's opponents may double, the dealer's side may redouble a double, the opponents may reredouble.", "who may double"),
    rule("R4", "Determining trumps and doubling", DUTY, "No hand counts more than eightfold; botifarra begins at two.", "at most eight"),
    rule("R5", "Determining trumps and doubling", DUTY, "They speak in turn, beginning behind whoever spoke last.", "speak in turn"),
    rule("R6", "Play of the hand", DUTY, "The dealer's left leads to the first trick, the winner of a trick to the next.", "lead"),
    rule("R7", "Play of the hand", DUTY, "A seat that holds the suit led plays it.", "follow suit"),
    rule("R8", "Play of the hand", DUTY, "A seat that can beat the card that is ahead must, with the suit led or, without it, with a trump, unless its partner is ahead.", "head the trick"),
    rule("R9", "Play of the hand", DUTY, "A worthless card that does not head an opponent's trick is the lowest the seat holds of its suit.", "the lowest worthless card"),
    rule("R10", "Play of the hand", DUTY, "Each seat in turn plays one card to a trick.", "play in turn"),
)  # fmt: skip

READINGS = {
    "How far may a botifarra be doubled?": "twice: it counts two from the start, and eight is the most",
    "101: reached or exceeded?": "reached is enough",
    "Does the lowest-card rule bind against an opponent who cannot be headed?": "yes, for worthless cards; a point card may be given instead; option losing_side_lowest_always",
    "Heading with a worthless card": "any card that heads will do; option heading_lowest_when_worthless",
    "Void, and only lower trumps": "any card; there is no duty to trump low",
    "The partner is ahead and the seat is void": "it may discard or trump; the lowest-card rule looks at the suit of the card chosen",
    "Who speaks first about doubling?": "the opponents in turn behind whoever chose; the lead stands for the passes nobody wrote",
    "Who may redouble?": "the dealer's side, also when the partner chose",
    "The next dealer": "passes on in the direction of play",
    "Three games an evening": "are three matches, with partners changed",
}


class Hand:
    """One hand of Botifarra as it goes."""

    __slots__ = ("chooser", "multiplier", "speakers", "strain", "trick")

    def __init__(self, state: State[Hand]) -> None:
        self.strain: str | None = None
        self.chooser = state.dealer
        self.multiplier = 1
        # Who may still speak about doubling before play begins.
        self.speakers: tuple[str, ...] = ()
        self.trick = Tricks(state, CARDS_EACH, {s: (left(state, s),) for s in state.terms.seats})
        self.trick.power = strengths(PACK, PLAIN, "")


def left(state: State[Any], seat: str, steps: int = 1) -> str:
    """The next seat in the direction of play."""
    way = 1 if state.terms.options.direction == "clockwise" else -1
    return state.terms.left(seat, way * steps)


def partner(state: State[Any], seat: str) -> str:
    return state.terms.left(seat, 2)


def start(state: State[Hand]) -> Hand:
    for seat in state.terms.seats:
        state.table.bag(seat)
    for side in state.terms.sides:
        state.table.row(f"won:{side}")
    state.phase, state.turn = "choice", (state.dealer,)
    return Hand(state)


def ready(state: State[Hand]) -> None:
    """Any act finds a hand begun and dealt; a deal nobody wrote is twelve unseen cards each."""
    dealt(state, CARDS_EACH)


@RULES.check("R10", Deal)
def twelve_each(deal: Deal, state: State[Hand]) -> Says | None:
    for name, cards in deal.piles:
        seat, count = name.removeprefix("hand:"), how_many(cards)
        if seat not in state.terms.seats or (count is not None and count + len(state.holding(seat)) != CARDS_EACH):
            return broken(f"the whole pack is dealt, {CARDS_EACH} cards to each seat")
    return None


# Determining trumps and doubling
@RULES.check("R1", Name, Pass)
def the_dealer_chooses(act: Name | Pass, state: State[Hand]) -> Says | None:
    if state.phase != "choice" or state.hand.chooser != state.dealer:
        return None
    if act.by != state.dealer:
        return broken(f"{state.dealer} deals and chooses")
    return strain_is_one(act)


def strain_is_one(act: Name | Pass) -> Says | None:
    if isinstance(act, Name) and act.what not in (*SUITS, "nt"):
        return broken("the choice is c, d, h, s or nt")
    return None


@RULES.check("R2", Name, Pass)
def the_partner_must_choose(act: Name | Pass, state: State[Hand]) -> Says | None:
    if state.phase != "choice" or state.hand.chooser == state.dealer:
        return None
    if isinstance(act, Pass):
        return broken(f"{state.dealer} has passed the choice on; it cannot go back")
    if act.by != state.hand.chooser:
        return broken(f"the choice was passed to {state.hand.chooser}")
    return strain_is_one(act)


def on_name(name: Name, state: State[Hand]) -> None:
    ready(state)
    if name.what in (*SUITS, "nt"):
        state.hand.strain = name.what
        state.hand.multiplier = 2 if name.what == "nt" else 1
        state.hand.trick.power = strengths(PACK, PLAIN, name.what if name.what in SUITS else "")
    may_speak(state, name.by)


def on_pass(act: Pass, state: State[Hand]) -> None:
    ready(state)
    hand = state.hand
    if state.phase == "play":
        return
    if state.phase == "choice":
        hand.chooser = partner(state, state.dealer)
        state.turn = (hand.chooser,)
        return
    hand.speakers = tuple(s for s in hand.speakers if s != act.by)
    state.turn = hand.speakers[:1]
    if not hand.speakers:
        open_play(state)


STEPS = {1: "double", 2: "redouble", 4: "reredouble"}


def step_now(hand: Hand) -> str:
    """The word that raises the stakes now."""
    base = 2 if hand.strain == "nt" else 1
    return STEPS.get(hand.multiplier // base, "")


@RULES.check("R3", Call)
def the_right_side_raises(call: Call, state: State[Hand]) -> Says | None:
    if call.word not in STEPS.values():
        return None
    step = step_now(state.hand)
    if call.word != step:
        return broken(f"what may be said now is {step or 'nothing more'}")
    dealers = state.terms.side_of[call.by] == state.terms.side_of[state.dealer]
    if dealers != (step == "redouble"):
        return broken(f"it is for the {'dealer' if step == 'redouble' else 'opponents of the dealer'} and not for {call.by}")
    return None


@RULES.check("R4", Call)
def no_more_than_eight(call: Call, state: State[Hand]) -> Says | None:
    if call.word in STEPS.values() and state.hand.multiplier * 2 > MOST:
        return broken(f"the hand counts {state.hand.multiplier}-fold already")
    return None


@RULES.check("R5", Call, Pass)
def they_speak_in_turn(act: Call | Pass, state: State[Hand]) -> Says | None:
    if state.phase != "doubling" or act.by in state.turn:
        return None
    return broken(f"it is for {state.turn[0]} to speak" if state.turn else "nobody has anything to say")


def on_call(call: Call, state: State[Hand]) -> None:
    ready(state)
    if call.word in STEPS.values():
        state.hand.multiplier = min(2 * state.hand.multiplier, MOST)
        may_speak(state, call.by)


def may_speak(state: State[Hand], last: str) -> None:
    """Those who may raise now, in turn behind whoever spoke last; nobody at eight, or once cards are played."""
    hand = state.hand
    if state.phase == "play":
        return
    dealers = step_now(hand) == "redouble"
    side = state.terms.side_of[state.dealer]
    order = [left(state, last, i) for i in (1, 2, 3, 4)]
    hand.speakers = tuple(s for s in order if (state.terms.side_of[s] == side) == dealers)
    if hand.multiplier >= MOST:
        open_play(state)
        return
    state.phase, state.turn = "doubling", hand.speakers[:1]


def open_play(state: State[Hand]) -> None:
    if state.phase != "play":
        state.phase, state.turn = "play", (left(state, state.dealer),)


# Play of the hand
@RULES.check("R6", Play)
def the_right_seat_leads(play: Play, state: State[Hand]) -> Says | None:
    trick = state.hand.trick
    leaders = state.turn if state.phase == "play" else (left(state, state.dealer),)
    doubtful = who_led(trick, play.by, state)
    if doubtful is not None or trick.plays or play.by in leaders:
        return doubtful
    return broken(f"{leaders[0]} {'won the last trick' if trick.won else 'sits behind the dealer'} and leads")


@RULES.check("R7", Play)
def follow_suit(play: Play, state: State[Hand]) -> Says | None:
    return must_follow_suit(state.hand.trick, play.by, state.code(play.cards), state)


def partner_is_ahead(seat: str, state: State[Hand]) -> bool | None:
    """Whether the seat's side is winning the trick; None where an unseen card may be ahead."""
    trick = state.hand.trick
    mine = {state.terms.side_of[s] == state.terms.side_of[seat] for s in trick.perhaps_ahead()}
    return mine.pop() if len(mine) == 1 else None


@RULES.check("R8", Play)
def head_the_trick(play: Play, state: State[Hand]) -> Says | None:
    trick = state.hand.trick
    if not trick.plays:
        return None
    excused = partner_is_ahead(play.by, state)
    if excused:
        return None
    says = must_head_the_trick(trick, play.by, state.code(play.cards), state, state.hand.strain or "")
    return unknown("an unseen card may be ahead") if says is not None and excused is None else says


@RULES.check("R9", Play)
def the_lowest_worthless_card(play: Play, state: State[Hand]) -> Says | None:
    trick, code = state.hand.trick, state.code(play.cards)
    if not trick.plays:
        return None
    if code >= PACK.unknown:
        return unknown("the card was not seen")
    options, excused = state.terms.options, partner_is_ahead(play.by, state)
    heads = trick.values[code] > trick.best
    worthless = not PACK.field[code] & POINT_CARDS
    lower = 0
    if (excused is not False and worthless) or (excused is False and not heads and (worthless or options.losing_side_lowest_always)):
        lower = BELOW[code]
    elif excused is False and heads and worthless and options.heading_lowest_when_worthless:
        lower = sum(PACK.field[c] for c in range(PACK.unknown) if PACK.field[c] & BELOW[code] and trick.values[c] > trick.best)
    if not lower:
        doubtful = (excused is None or (trick.doubt and not excused)) and (worthless or options.losing_side_lowest_always)
        if doubtful and state.holding(play.by).any_of(BELOW[code]) is not False:
            return unknown("an unseen card leaves open who was ahead")
        return None
    held = state.holding(play.by)
    has = held.any_of(lower)
    if trick.astray and held.any_of(BELOW[code]) is not False:
        return unknown("the order of play was broken before this, so a card may be missing from the record")
    if (trick.doubt or (excused is None and heads)) and held.any_of(BELOW[code]) is not False:
        return unknown("an unseen card leaves open who was ahead")
    if has:
        return broken(f"{play.by} holds a lower card of {SUIT_NAMES[PACK.suit_of[code]]}", held.certain & lower, play.by)
    return unknown(f"whether {play.by} held a lower card of the suit") if has is None else None


@RULES.check("R10", Play)
def one_card_each_in_turn(play: Play, state: State[Hand]) -> Says | None:
    return one_card_in_turn(play, state, state.hand.trick)


def on_play(play: Play, state: State[Hand]) -> None:
    if state.phase != "play":
        ready(state)
        open_play(state)
    play_to_trick(play, state, state.hand.trick)


@RULES.check("R6", Move)
def the_winner_gathers(move: Move, state: State[Hand]) -> Says | None:
    return winner_gathers(move, state, state.hand.trick)


def on_gathering(move: Move, state: State[Hand]) -> None:
    gathered_by(move, state, state.hand.trick)


# Scoring
class Tally(Struct):
    """What a hand of Botifarra is scored from; None where it is not known."""

    strain: str | None = None
    multiplier: int | None = None
    counted: Points = {}
    void: str = ""


TALLY = {
    "strain": "the suit chosen, or nt",
    "multiplier": "1, 2, 4 or 8",
    "points.*": "what a side's tricks count, 0 to 72",
    "tricks.*": "tricks taken by a side",
    "void": "misdeal: the hand does not count",
}
WORDS = {
    "double": "call: the opponents of the dealer raise the stakes", "redouble": "call: the dealer's side raises them again",
    "reredouble": "call: the opponents raise them once more", "misdeal": "end: the hand is dealt again", "void": "end: the hand does not count",
}  # fmt: skip


@RULES.check("R10", TallyEvent)
def seventy_two_in_a_tally(event: TallyEvent, state: State[Hand]) -> Says | None:
    for key, total in (("points", 72), ("tricks", CARDS_EACH)):
        counts = event.facts.get(key)
        if isinstance(counts, dict) and len(counts) == 2 and all(isinstance(n, int) for n in counts.values()) and sum(counts.values()) != total:
            return broken(f"the {key} of both sides make {total}")
    return None


def tally(state: State[Hand]) -> Tally:
    """The tally of the hand in play: from its moves, overlaid by what a `tally` says."""
    hand, sides = state.hand, state.terms.sides
    out = Tally(hand.strain, hand.multiplier if hand.strain else None)
    out.void = state.cut if state.cut in ("misdeal", "void") else ""
    if len(hand.trick.won) == CARDS_EACH:
        out.counted = counted(state)
    for facts in state.tallies:
        out.strain = facts.get("strain", out.strain)
        if "multiplier" in facts or out.multiplier is None:
            out.multiplier = facts.get("multiplier", 2 if out.strain == "nt" else 1 if out.strain else None)
        given: Facts = facts.get("points", {})
        if isinstance(given, dict) and given:
            known = {s: given[s] for s in sides if isinstance(given.get(s), int)}
            if len(known) == 1:
                ((one, n),) = known.items()
                known |= {s: 72 - n for s in sides if s != one}
            out.counted = {s: known.get(s) for s in sides}
        out.void = facts.get("void", out.void)
    return out


def counted(state: State[Hand]) -> Points:
    """What each side's tricks count as played: a point a trick, and the cards in it."""
    points: Points = dict.fromkeys(state.terms.sides, 0)
    for trick in state.hand.trick.won:
        side = owner(trick, state.terms.side_of)
        value = 1 + sum(WORTH.get(PACK.rank_of[c], 0) for _, c in trick.plays)
        if not side or any(c >= PACK.unknown for _, c in trick.plays):
            return counted_by_pile(state)
        points[side] = (points[side] or 0) + value
    return points


def counted_by_pile(state: State[Hand]) -> Points:
    """The same from the won cards, where elimination has named every one of them."""
    taken = state.hand.trick.taken_by(state.terms.side_of)
    points: Points = {}
    for side in state.terms.sides:
        pile, n = state.table.row(f"won:{side}"), taken[side]
        points[side] = None if n is None or pile.hidden else n + sum(WORTH.get(c[0], 0) for c in PACK.cards(pile.certain))
    return points


def score_tally(t: Tally) -> tuple[Points, tuple[Line, ...], str]:
    """Points of both sides, the lines behind them, and who came out ahead.

    >>> score_tally(Tally("h", 2, {"NS": 50, "EW": 22}))[0]
    {'NS': 28, 'EW': 0}
    >>> score_tally(Tally("nt", 2, {"NS": 36, "EW": 36}))[0]
    {'NS': 0, 'EW': 0}
    """
    lines = [Line("counted", t.counted)]
    if None in t.counted.values() or not t.counted or t.multiplier is None:
        return dict.fromkeys(t.counted), tuple(lines), ""
    points: Points = {}
    sums: dict[str, str] = {}
    for side, n in t.counted.items():
        over = (n or 0) - PAR
        points[side] = max(over, 0) * t.multiplier
        if over > 0:
            sums[side] = f"{n} − {PAR} = {over}" + (f", {t.multiplier} × {over} = {points[side]}" if t.multiplier > 1 else "")
    lines.append(Line("points", points, sums))
    return points, tuple(lines), next((s for s, n in points.items() if n), "even")


def score(state: State[Hand]) -> HandScore:
    t = tally(state)
    sides = state.terms.sides
    strain = "botifarra" if t.strain == "nt" else GLYPHS.get(t.strain or "", "")
    contract = f"{strain} ×{t.multiplier}" if strain and (t.multiplier or 1) > 1 else strain
    nothing: Points = dict.fromkeys(sides, 0)
    if t.void:
        return HandScore(state.number, state.dealer, "void", result=t.void, points=nothing)
    if not state.settled and not state.tallies:
        return HandScore(state.number, state.dealer, "nothing", contract, points=nothing, unknown=("the hand is in play",))
    points, lines, result = score_tally(t)
    missing = ("the strain",) if t.multiplier is None else ()
    if not points or None in points.values():
        missing = (*missing, "what the tricks count")
        points = dict.fromkeys(sides)
    return HandScore(state.number, state.dealer, "tally" if state.tallies else "moves", contract, result, lines, points, unknown=missing)


def after(before: Standing, hand: HandScore, terms: Terms) -> Standing:
    """Only one side scores in a hand, so the first to the target has won."""
    totals = added(before.totals, hand.points)
    home = [side for side, n in totals.items() if n is not None and n >= terms.options.target]
    return replace(before, totals=totals, over=bool(home), winner=home[0] if home else "", hands=before.hands + 1)


def next_dealer(state: State[Hand]) -> str:
    """On in the direction of play; after a misdeal the same dealer deals again."""
    misdealt = state.scores and state.scores[-1].result == "misdeal"
    return state.dealer if misdealt else left(state, state.dealer)


# The sheet: what was chosen, what both sides counted, the running score
def sheet(state: State[Hand], empty: Sheet) -> Sheet:
    we, they = state.terms.sides
    rows = []
    for s in state.scores:
        cells = [Cell(str(s.number)), Cell(state.terms.name(s.dealer)), Cell(s.contract or "–")]
        for side in (we, they):
            took = s.lines[0].amounts.get(side) if s.lines else None
            sums = "; ".join(line.sums[side] for line in s.lines if side in line.sums)
            cells += [Cell(figure(took) if s.lines else s.result or "–"), Cell(signed(s.points.get(side)), sums), Cell(figure(s.totals.get(side)), "", "total")]
        rows.append(Row(tuple(cells), notes=s.notes))
    heads = ("hand", "dealer", "trumps", "WE counted", "WE ±", "WE", "THEY counted", "THEY ±", "THEY")
    facts = (*empty.facts, ("WE", state.terms.name(we)), ("THEY", state.terms.name(they)))
    return replace(empty, facts=facts, blocks=(Block("Score", heads, tuple(rows)),))


# What may be done now
def candidates(state: State[Hand]) -> Iterator[Event]:
    for seat in state.turn:
        if state.phase == "choice":
            yield from (Name(by=seat, what=strain) for strain in (*SUITS, "nt"))
            yield Pass(by=seat)
        elif state.phase == "doubling":
            yield Pass(by=seat)
            yield Call(by=seat, word=step_now(state.hand) or "double")
        elif state.phase == "play":
            yield from (Play(by=seat, cards=(card,)) for card in PACK.cards(state.holding(seat).certain))


def headline(state: State[Hand]) -> dict[str, Any]:
    hand = state.hand
    return {"trump": hand.strain, "multiplier": hand.multiplier} if hand.strain else {}


def latest(state: State[Hand]) -> str:
    return state.hand.trick.just_taken(state.at)


# Simulation
def chance(state: State[Hand], random: Random) -> list[Event]:
    cards = list(PACK.faces)
    random.shuffle(cards)
    first = next_dealer(state) if state.number else state.terms.dealer
    order = [left(state, first, i) for i in (1, 2, 3, 4)]
    hands = tuple((hand_of(s), tuple(cards[CARDS_EACH * i : CARDS_EACH * (i + 1)])) for i, s in enumerate(order))
    return [HandEvent(by=first, number=state.number + 1), Deal(by="@", piles=hands)]


def weigh(state: State[Hand], event: Event) -> float:
    """Long suits are chosen, strong hands raise, now and then."""
    if isinstance(event, Name):
        held = state.holding(event.by).certain
        return 1.0 if event.what == "nt" else 0.1 + PACK.count(held & PACK.suit[event.what]) ** 2
    return 0.3 if isinstance(event, Call) else 1.0


GAME = Game(
    key="botifarra",
    name="Botifarra",
    summary=(__doc__ or "").partition(": ")[2].strip(),
    players="4, partners opposite",
    seating=SEATS,
    pack=PACK,
    options=Options,
    rules=RULES,
    readings=READINGS,
    tally=TALLY,
    words=WORDS,
    phases={
        "choice": Phase("choosing trumps", (Name, Pass), "the trump suit (c, d, h, s), nt, or a pass to the partner", to_do="choose", bare=(*SUITS, "nt")),
        "doubling": Phase("doubling", (Call, Pass, Play), "double, redouble, reredouble or a pass; the lead ends it", quiet=lambda state: Pass(by=state.turn[0]), to_do="speak"),
        "play": Phase("play", (Play,), "a card", to_do="play", one_card=True),
    },
    start=start,
    on={Name: on_name, Pass: on_pass, Call: on_call, Play: on_play, Move: on_gathering},
    candidates=candidates,
    new_match=lambda terms: Standing(dict.fromkeys(terms.sides, 0)),
    score=score,
    after=after,
    next_dealer=next_dealer,
    sheet=sheet,
    chance=chance,
    weigh=weigh,
    most_hands=150,
    hidden={"*": "owner", "won:*": "nobody", "won": "nobody"},
    headline=headline,
    latest=latest,
    led=lambda state: state.hand.trick.led if state.phase == "play" and state.hand.trick.plays else "",
)
