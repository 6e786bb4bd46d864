"""Cribbage: two players lay two cards each into the crib, play to a count of thirty-one, and count their hands; 121
win.

The rules are the well-known ones of six-card Cribbage, as the usual books give them (Parlett, *The Penguin Book of Card
Games*; pagat.com, "Cribbage"); no sentence is theirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from random import Random
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from events.cards import how_many, squeeze
from events.model import Bet, Call, Event, Gap, Hand, Move, Play, Show
from events.model import Deal as DealEvent
from reducers.gaps import after_gap
from reducers.model import HandRecord
from reducers.piles import Lies
from reducers.page import (
    CONSEQUENCE, DUTY, Catalogue, Cell, CheckResult, Dealing, DealSpec, Display, Game, HandScore, HouseRules, Phase,
    Points, ScoreLine, Shorthand, Standing, State, TallyFacts, Terms, add_points, apply_reported_facts,
    as_many_as_dealt, broken, counts_nothing, deal_passes_on, deals_next, ensure_dealt, figures, finish_hand,
    hand_score, number, on_deal, on_move, on_show, pack, player_columns, rule, shuffle_and_deal, singles, summary_of,
    try_each_card, unknown,
)  # fmt: skip
from kibitz_cribbage.pegging import MOST, pegged_until, played_points, shown_points, pip_value

PACK = pack("A K Q J 10 9 8 7 6 5 4 3 2")
DEAL = DealSpec(each=6, rest="stock")
CRIB, STARTER, TABLE = "widow", "upcard", "board"
LAID, KEPT = 2, 4
FITS = [sum(PACK.unit[c] for c in PACK.codes(PACK.full) if pip_value(PACK, c) <= room) for room in range(MOST + 1)]
"""The cards that fit below thirty-one, by what is left to it."""


class Options(HouseRules, frozen=True):
    """House rules of Cribbage."""

    target: Annotated[int, Meta(ge=1, le=999, description="points that win the match")] = 121
    muggins: Annotated[
        bool, Meta(description="points that a player overlooks go to an opponent who says muggins")
    ] = False


CARDS, PLAY, COUNT, MATCH = "The deal and the crib", "The play", "The count", "The match"
RULES = Catalogue(
    "cribbage",
    rule("R1", CARDS, CONSEQUENCE, "Each player is dealt six cards.", "the deal", {DealEvent: as_many_as_dealt}),
    rule("R2", CARDS, DUTY, "Each player lays two cards into the crib, which is the dealer's.", "two into the crib"),
    rule("R3", CARDS, CONSEQUENCE, "Then a card of the stock is turned up; if it is a jack, the dealer pegs two.",
         "the starter"),
    rule("R4", PLAY, DUTY, "The dealer's opponent begins; then the players play in turn, as long as both can.",
         "play in turn"),
    rule("R5", PLAY, DUTY, "No card is played that takes the count beyond thirty-one.", "thirty-one"),
    rule("R6", PLAY, DUTY, "Only a player without a card that fits says go.", "go"),
    rule("R7", PLAY, CONSEQUENCE,
         "Fifteen and thirty-one are worth two, a pair two, three alike six, four twelve, a run "
         "a point a card; whoever plays the last card below thirty-one pegs one.", "pegging"),
    rule("R8", COUNT, CONSEQUENCE,
         "With the starter a hand counts two for each fifteen and each pair, a point a card of "
         "a run, four or five for a flush, one for the jack of the starter's suit.", "the count"),
    rule("R9", COUNT, DUTY, "The opponent's hand is counted first, then the dealer's, then the crib, which the dealer "
         "shows.", "the crib"),
    rule("R10", COUNT, CONSEQUENCE, "Nobody pegs more than was scored.", "pegs"),
    rule(
        "R11", COUNT, CONSEQUENCE, "If that was agreed, an opponent who says muggins pegs what was overlooked.",
        "muggins",
    ),
    rule("R12", MATCH, CONSEQUENCE, "Whoever comes to 121 has won at once, in the middle of a hand too.", "the match"),
    rule("R13", MATCH, DUTY, "The deal goes to the other player.", "the deal passes", {Hand: deal_passes_on}),
)  # fmt: skip


class Scored(Struct, frozen=True):
    """Points of a player: how many (None if a card was not seen), for what, and how many each has pegged of them, if
    that was written."""

    seat: str
    points: int | None
    what: str
    pegged: int | None = None
    muggins: int = 0


class CribbageHand(HandRecord):
    """The record of one hand. `laid`: the seats that have laid into the crib. `series` are the cards of the count,
    `last` the seat that played the last of them, `out` those that said go; `played` are the cards of each. `claims`:
    who said muggins. `lost`: cards went by unrecorded; `whole`: everything was counted, or the match was won;
    `dark`: where a count began is unknown, as a card of one was not seen."""

    __slots__ = ("claims", "dark", "laid", "last", "lost", "out", "played", "scored", "series", "starter", "whole")

    def __init__(self, state: State[CribbageHand]) -> None:
        self.laid: tuple[str, ...] = ()
        self.starter = -1
        self.series: tuple[int, ...] = ()
        self.last = self.claims = ""
        self.out: tuple[str, ...] = ()
        self.played: dict[str, tuple[int, ...]] = dict.fromkeys(state.terms.seats, ())
        self.scored: tuple[Scored, ...] = ()
        self.lost = self.whole = self.dark = False

    @property
    def count(self) -> int:
        return sum(pip_value(PACK, code) for code in self.series)


def start(state: State[CribbageHand]) -> CribbageHand:
    for each in state.terms.seats:
        state.table.bag(each)
    for name in (CRIB, STARTER, TABLE):
        state.table.row(name)
    state.phase, state.turn = "laying", state.terms.seats
    return CribbageHand(state)


def other(seat: str, state: State[CribbageHand]) -> str:
    return state.terms.after(seat)


# Points, as they are made
def add(seat: str, points: int | None, what: str, state: State[CribbageHand]) -> None:
    """Score points. Whoever comes to the target ends the hand."""
    if points != 0:
        state.hand.scored = (*state.hand.scored, Scored(seat, points, what))
        stop_at_target(state)


def finish(state: State[CribbageHand]) -> None:
    state.hand.whole = not state.hand.lost
    finish_hand(state)


def stop_at_target(state: State[CribbageHand]) -> None:
    if not state.settled and not state.hand.lost and gained(state)[1]:
        finish(state)


def pegs(state: State[CribbageHand]) -> Iterator[tuple[str, int | None]]:
    """Who pegs how many, in order: what was scored, or by muggins what each has pegged of it."""
    for one in state.hand.scored:
        if state.terms.options.muggins and one.pegged is not None and one.points is not None:
            yield one.seat, min(one.pegged, one.points)
            yield other(one.seat, state), one.muggins
        else:
            yield one.seat, one.points


def gained(state: State[CribbageHand]) -> tuple[Points, str]:
    return pegged_until(state.terms.options.target, state.before.totals, pegs(state))


# The crib and the starter
def lays(move: Move, state: State[CribbageHand]) -> bool:
    return move.by in state.terms.seats and move.to == CRIB


def on_dealt(deal: DealEvent, state: State[CribbageHand]) -> None:
    if all(pile != STARTER for pile, _ in deal.piles):
        on_deal(deal, state)
        return
    ensure_dealt(state)
    if not state.settled:
        infer_laid(state)
        on_deal(deal, state)
        see_starter(state)


def on_moved(move: Move, state: State[CribbageHand]) -> None:
    ensure_dealt(state)
    if state.settled:
        return
    if move.to == STARTER:
        infer_laid(state)
        on_move(move, state)
        see_starter(state)
        return
    on_move(move, state)
    if lays(move, state) and state.phase == "laying":
        note_laid(move.by, state)


def note_laid(seat: str, state: State[CribbageHand]) -> None:
    hand = state.hand
    hand.laid = (*hand.laid, seat)
    state.turn = tuple(s for s in state.terms.seats if s not in hand.laid)


def infer_laid(state: State[CribbageHand]) -> None:
    """What comes after shows that all have laid their cards away."""
    for seat in state.terms.seats:
        if seat not in state.hand.laid:
            for _ in range(LAID):
                state.table.move_one(PACK.unknown, state.holding(seat), state.table.row(CRIB))
            note_laid(seat, state)


def see_starter(state: State[CribbageHand]) -> None:
    turn_up((state.table.row(STARTER).row or [PACK.unknown])[-1], state)


def turn_up(code: int, state: State[CribbageHand]) -> None:
    hand = state.hand
    if hand.starter >= 0:
        return
    hand.starter = code
    state.phase, state.turn = "play", (other(state.dealer, state),)
    rank = PACK.rank_of[code]
    add(state.dealer, None if rank == "?" else 2 * (rank == "J"), "starter", state)


def infer_starter(state: State[CribbageHand]) -> None:
    """A card played shows that the starter was turned up; nobody wrote which."""
    infer_laid(state)
    state.table.move_one(PACK.unknown, state.table.row("stock"), state.table.row(STARTER))
    turn_up(PACK.unknown, state)


@RULES.check("R2", Move)
def two_cards_are_laid_away(move: Move, state: State[CribbageHand]) -> CheckResult | None:
    if not state.number or state.settled or not lays(move, state):
        return None
    if state.hand.lost:
        return unknown("acts are missing from the record")
    if state.phase != "laying" or move.by in state.hand.laid:
        return broken(f"{move.by} has laid cards away already" if move.by in state.hand.laid else "the crib is full")
    many = how_many(move.cards)
    if many is None:
        return unknown("the cards were not counted")
    return None if many == LAID else broken(f"two cards are laid away, and not {many}")


def try_to_lay(seat: str, state: State[CribbageHand]) -> Iterator[Event]:
    """Each two cards, and one or three."""
    cards = PACK.cards(state.holding(seat).certain)
    yield from (Move(by=seat, cards=two, to=CRIB) for two in combinations(cards, LAID))
    yield from (Move(by=seat, cards=some, to=CRIB) for n in (1, 3) for some in islice(combinations(cards, n), 3))


def lays_unseen(state: State[CribbageHand]) -> Event | None:
    return Move(by=state.turn[0], cards=("2x??",), to=CRIB) if state.turn else None


def starter_alone(state: State[CribbageHand], cards: tuple[str, ...]) -> Event | None:
    """A bare card before the first act is the starter: what is laid away goes unwritten at most tables."""
    return None if state.acts or how_many(cards) != 1 else DealEvent(by="@", face="up", piles=((STARTER, cards),))


# The play
def fits(seat: str, state: State[CribbageHand]) -> bool | None:
    """True if a player holds a card that fits below thirty-one; None if unknown."""
    # What later events prove to have been in a hand includes the card that leaves it now.
    gone = PACK.mask_of([PACK.faces[c] for cards in state.hand.played.values() for c in cards if c < PACK.unknown])
    return state.holding(seat).any_of(FITS[max(0, MOST - state.hand.count)] & ~gone)


def new_count(state: State[CribbageHand]) -> None:
    """Begin to count again; one for the last card, unless it made thirty-one."""
    hand, one = state.hand, state.hand.count != MOST
    series, last = hand.series, hand.last
    hand.series, hand.out = (), ()
    hand.dark = hand.dark or not all(pip_value(PACK, c) for c in series)
    if series and one:
        add(last, None if hand.dark else 1, "last card", state)


def left(seat: str, state: State[CribbageHand]) -> int:
    """How many cards a player still has to play."""
    held = state.holding(seat)
    return max(0, KEPT - len(state.hand.played[seat])) if held.vague else len(held)


def next_turn(seat: str, state: State[CribbageHand]) -> None:
    """Who plays after a card or a go of this seat; without cards the hands are counted."""
    hand = state.hand
    if not any(left(s, state) for s in state.terms.seats):
        new_count(state)
        if not state.settled:
            count_hands(state)
        return
    here = [s for s in (other(seat, state), seat) if left(s, state)]
    stuck = all(s in hand.out or not left(s, state) or fits(s, state) is False for s in state.terms.seats)
    if hand.count == MOST or (hand.out and stuck):
        new_count(state)
        if state.settled:
            return
        first = other(hand.last or seat, state)
        state.turn = (first,) if left(first, state) else (hand.last,)
        return
    able = [s for s in here if s not in hand.out][:1]
    # If the last player may have no card that fits either, the count begins again with the other.
    again = other(hand.last or seat, state)
    perhaps = [again] if hand.out and again not in able and left(again, state) else []
    state.turn = tuple(able + (perhaps if None in [fits(s, state) for s in able] else []))


def on_card(play: Play, state: State[CribbageHand]) -> None:
    ensure_dealt(state, play)
    if state.settled:
        return
    if state.phase == "laying":
        infer_starter(state)
    if state.settled:
        return
    hand, held = state.hand, state.holding(play.by)
    code = state.code(play.cards)
    if hand.series and (hand.count + pip_value(PACK, code) > MOST or play.by in hand.out):
        # Nobody could play any more, and one was pegged for the last card.
        new_count(state)
        if state.settled:
            return
    elif play.by not in state.turn and state.turn and hand.series and play.by == hand.last:
        hand.out = (*hand.out, other(play.by, state))
        state.infer(f"{other(play.by, state)} said go before this (not recorded)")
    state.table.move_one(code, held, state.table.row(TABLE))
    hand.played = {**hand.played, play.by: (*hand.played[play.by], code)}
    hand.series, hand.last = (*hand.series, code), play.by
    add(play.by, None if hand.lost or hand.dark else played_points(PACK, hand.series), f"{hand.count}", state)
    if not state.settled and not hand.lost:
        next_turn(play.by, state)


def on_call(call: Call, state: State[CribbageHand]) -> None:
    ensure_dealt(state)
    if state.settled or state.hand.lost:
        return
    if call.word == "muggins":
        state.hand.claims = call.by
    elif call.word == "go" and state.phase == "play" and call.by not in state.hand.out:
        state.hand.out = (*state.hand.out, call.by)
        next_turn(call.by, state)


def uncounted(state: State[CribbageHand]) -> CheckResult | None:
    """Whose turn it is, and what the count is, hangs on how many cards each has."""
    if state.hand.dark:
        return unknown("a card of this count, or of the one before, was not seen")
    there = any(state.holding(s).vague for s in state.terms.seats)
    return unknown("the cards of a hand were not counted") if there else None


@RULES.check("R4", Play, Call)
def in_turn(act: Play | Call, state: State[CribbageHand]) -> CheckResult | None:
    hand = state.hand
    if hand.lost or (isinstance(act, Call) and act.word != "go"):
        return None
    if state.phase == "laying":
        return unknown("whether the starter was turned up: that may be missing from the record")
    if state.phase != "play":
        return None
    if doubt := uncounted(state):
        return doubt
    if act.by in state.turn:
        return None
    if isinstance(act, Play) and act.by == hand.last and hand.series:
        if hand.count + pip_value(PACK, state.code(act.cards)) > MOST:
            return broken(f"{other(act.by, state)} begins the new count") if left(other(act.by, state), state) else None
        able = fits(other(act.by, state), state)
        if able is not True:
            return None if able is False else unknown(
                f"whether {other(act.by, state)} held a card that fits", state.holding(other(act.by, state)),
            )
        return broken(f"it is the turn of {other(act.by, state)}, who holds a card that fits")
    return broken(f"it is the turn of {state.turn[0]}") if state.turn else None


@RULES.check("R5", Play)
def not_beyond_thirty_one(play: Play, state: State[CribbageHand]) -> CheckResult | None:
    hand, code = state.hand, state.code(play.cards)
    if hand.lost or state.phase != "play" or not hand.series:
        return None
    if doubt := uncounted(state):
        return doubt
    if not all(pip_value(PACK, c) for c in (*hand.series, code)):
        return None if hand.count + 10 <= MOST and all(
            pip_value(PACK, c) for c in hand.series
        ) else unknown("a card of this count was not seen")
    if hand.count + pip_value(PACK, code) <= MOST:
        return None
    able = [fits(s, state) for s in state.terms.seats if s not in hand.out]
    if True in able:
        return broken(f"the count is {hand.count}, and the {PACK.shown(code)} takes it beyond thirty-one")
    return None if not able or set(able) == {False} else unknown("whether anybody held a card that fits")


@RULES.check("R6", Call)
def only_without_a_card_that_fits(call: Call, state: State[CribbageHand]) -> CheckResult | None:
    hand = state.hand
    if call.word != "go" or hand.lost or state.phase != "play":
        return None
    if doubt := uncounted(state):
        return doubt
    if not all(pip_value(PACK, c) for c in hand.series):
        return unknown("a card of this count was not seen")
    able, held = fits(call.by, state), state.holding(call.by)
    if able is None:
        return unknown(f"whether {call.by} held a card that fits", held)
    return broken(
        f"{call.by} holds a card that fits", held.certain & FITS[MOST - hand.count], call.by,
    ) if able else None


def try_to_play(seat: str, state: State[CribbageHand]) -> Iterator[Event]:
    yield from try_each_card(seat, state)
    yield Call(by=seat, word="go")


# The count
def count_hands(state: State[CribbageHand]) -> None:
    """Count the opponent's hand and the dealer's; then the dealer shows the crib."""
    hand = state.hand
    for seat in (other(state.dealer, state), state.dealer):
        add(seat, shown_points(PACK, hand.played[seat], hand.starter), "hand", state)
        if state.settled:
            return
    state.phase, state.turn = "showing", (state.dealer,)


def on_shown(show: Show, state: State[CribbageHand]) -> None:
    on_show(show, state)
    if state.phase == "showing" and not state.settled and show.src == CRIB:
        row = state.table.row(CRIB).row or []
        add(state.dealer, shown_points(PACK, row, state.hand.starter, crib=True), "crib", state)
        to_peg = state.terms.options.muggins and any(one.what == "crib" for one in state.hand.scored)
        if not state.settled and not to_peg:
            finish(state)
        elif not state.settled:
            state.phase, state.turn = "pegging", state.terms.seats


def on_bet(bet: Bet, state: State[CribbageHand]) -> None:
    """Points are pegged: of what this player scored last, or by muggins of what the other did."""
    hand, at = state.hand, which(bet, state)
    if at is not None:
        one = hand.scored[at]
        now = replace(one, pegged=bet.amount) if one.seat == bet.by else replace(one, muggins=bet.amount)
        hand.scored = (*hand.scored[:at], now, *hand.scored[at + 1 :])
    hand.claims = ""
    if state.phase == "pegging" and at is not None and all(
        one.pegged is not None for one in hand.scored if one.what == "crib"
    ):
        finish(state)


def which(bet: Bet, state: State[CribbageHand]) -> int | None:
    """The place of what is pegged among what was scored; None if there is nothing."""
    hand = state.hand
    of = other(bet.by, state) if hand.claims == bet.by else bet.by
    places = [i for i, one in enumerate(hand.scored) if one.seat == of and (one.pegged is None or of != bet.by)]
    return places[-1] if places else None


@RULES.check("R9", Show)
def the_dealer_shows_the_crib(show: Show, state: State[CribbageHand]) -> CheckResult | None:
    if show.src != CRIB or state.settled or state.hand is None or state.hand.lost:
        return None
    if doubt := uncounted(state):
        return doubt
    if state.phase != "showing":
        return unknown("whether all cards had been played: one may be missing from the record")
    return None if show.by == state.dealer or state.dealer_is_guess else broken("the dealer shows the crib")


@RULES.check("R10", Bet)
def no_more_than_was_scored(bet: Bet, state: State[CribbageHand]) -> CheckResult | None:
    hand = state.hand
    if hand.lost or hand.claims == bet.by:
        return None
    if doubt := uncounted(state):
        return doubt
    at = which(bet, state)
    if at is None:
        return broken(f"{bet.by} has scored nothing that is not pegged")
    points = hand.scored[at].points
    if points is None:
        return unknown("a card was not seen")
    return broken(f"{bet.by} scored {points}, and pegs {bet.amount}") if bet.amount > points else None


@RULES.check("R11", Bet)
def only_what_was_overlooked(bet: Bet, state: State[CribbageHand]) -> CheckResult | None:
    hand = state.hand
    if hand.lost or hand.claims != bet.by:
        return None
    if not state.terms.options.muggins:
        return broken("muggins is not played at this table")
    at = which(bet, state)
    one = hand.scored[at] if at is not None else None
    if one is None or one.pegged is None:
        return broken("nothing was overlooked")
    if one.points is None:
        return unknown("a card was not seen")
    left = one.points - one.pegged
    return broken(f"{one.seat} overlooked {max(0, left)}, and not {bet.amount}") if bet.amount > left else None


# Scoring
class Tally(TallyFacts):
    """What a hand of Cribbage is scored from."""

    pegs: Points = figures("what a player pegged in the play and for the starter", 0, 61, rule="R7")
    hands: Points = figures("what a player's hand counted", 0, 29, rule="R8")
    crib: int | None = number("what the crib counted", 0, 29, rule="R8", asks="what the crib counted")


def tally(state: State[CribbageHand]) -> Tally:
    hand, sides = state.hand, tuple(state.terms.sides)
    by_part: dict[str, dict[str, int | None]] = {part: dict.fromkeys(sides, 0) for part in ("pegs", "hand", "crib")}
    for one in hand.scored:
        part = by_part[one.what if one.what in by_part else "pegs"]
        so_far = part[one.seat]
        part[one.seat] = None if one.points is None or so_far is None else so_far + one.points
    if not hand.whole or hand.lost:
        return apply_reported_facts(Tally(dict.fromkeys(sides), dict.fromkeys(sides), None), state)
    return apply_reported_facts(Tally(by_part["pegs"], by_part["hand"], by_part["crib"][state.dealer]), state)


def score(state: State[CribbageHand]) -> HandScore:
    t, sides, dealer = tally(state), tuple(state.terms.sides), state.dealer
    crib: Points = {side: (t.crib if side == dealer else 0) for side in sides}
    if state.tallies:
        told = [(s, t.pegs.get(s)) for s in sides]
        told += [(s, t.hands.get(s)) for s in (other(dealer, state), dealer)] + [(dealer, t.crib)]
        points, _ = pegged_until(state.terms.options.target, state.before.totals, told)
    else:
        points, _ = gained(state)
        if None in (*t.pegs.values(), *t.hands.values(), t.crib):
            points = dict.fromkeys(sides)
    lines = tuple(ScoreLine(label, dict(part)) for label, part in (("pegs", t.pegs), ("hand", t.hands), ("crib", crib)))
    unseen = [f"what {state.terms.name(s)} scored" for s, n in points.items() if n is None]
    return counts_nothing(
        state, t.void, so_far=points if not state.settled else None,
    ) or hand_score(state, points, lines, unknown=unseen)


def after(before: Standing, hand: HandScore, terms: Terms) -> Standing:
    """Whoever comes to the target first has won: no other comes there in the same hand."""
    now = replace(before, totals=add_points(before.totals, hand.points), hands=before.hands + 1)
    there = [who for who, n in now.totals.items() if n is not None and n >= terms.options.target]
    return replace(now, over=bool(there), winner=there[0]) if there else now


def chance(state: State[CribbageHand], random: Random) -> list[Event]:
    """The deal; and once the crib is full, the starter."""
    if state.settled or not state.number or state.phase != "laying":
        return shuffle_and_deal(state, random)
    row = state.table.row("stock").row
    return [Move(by="@", cards=(PACK.tokens[row[-1]] if row else "??",), face="up", src="stock", to=STARTER)]


def crib_unseen(state: State[CribbageHand]) -> Event | None:
    return Show(by=state.dealer, groups=(("4x??",),), src=CRIB) if state.phase == "showing" else None


def shows_the_crib(seat: str, state: State[CribbageHand]) -> Iterator[Event]:
    row = state.table.row(CRIB).row or []
    yield Show(by=seat, groups=(squeeze(PACK.tokens[c] for c in row),), src=CRIB)


def pegs_the_crib(seat: str, state: State[CribbageHand]) -> Iterator[Event]:
    one = state.hand.scored[-1] if state.hand.scored else None
    if one is not None and one.what == "crib" and one.pegged is None and seat == one.seat:
        yield from (Bet(by=seat, amount=n) for n in dict.fromkeys((one.points or 0, (one.points or 0) + 1)))


GAME = Game(
    key="cribbage", name="Cribbage", family="tricks", summary=summary_of(__doc__),
    seating=singles(2), pack=PACK,
    dealing=Dealing(deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=chance),
    options=Options, rules=RULES,
    readings={
        "Must go be written?": "no: a second card in a row shows that the other player said it",
        "Must the points be pegged in the record?": "no: they follow from the cards; what is pegged is compared",
        "What does muggins give?": "what was pegged too little; what nobody pegged in the record counts in full",
        "How is the crib called?": "it lies as widow, and the dealer shows it",
    },
    words={
        "go": "call: no card fits", "muggins": "call: the other player has overlooked points",
    },
    start=start,
    phases={
        "laying": Phase(
            "laying away", (Move, Play, DealEvent), "the starter (7h), or first two cards for the crib (. unseen)",
            to_do="lay away", default_act=lays_unseen, tries=(try_to_lay,),
        ),
        "play": Phase(
            "play", (Play, Call, Bet), "a card, or go", to_do="play", one_card=True, verb_required=(Call, Bet),
            tries=(try_to_play,),
        ),
        "showing": Phase(
            "the count", (Show, Call, Bet), "the crib", to_do="show", default_act=crib_unseen, tries=(shows_the_crib,),
        ),
        "pegging": Phase("pegging", (Bet, Call), "what the crib counts", to_do="peg", tries=(pegs_the_crib,)),
    },
    on={
        DealEvent: on_dealt, Move: on_moved, Play: on_card, Call: on_call, Show: on_shown, Bet: on_bet,
        Gap: after_gap(lost=True),
    },
    tally=Tally, compute_tally=tally, score=score, after=after,
    sheet=player_columns({"crib of": lambda s, state: Cell(state.terms.name(s.dealer))}),
    shorthand=Shorthand(led=lambda state: "", verbs={Bet: "pegs"}, open_deal=starter_alone),
    display=Display(
        headline=lambda state: {"count": state.hand.count} if state.phase == "play" else {},
        piles={
            CRIB: Lies("stack", "beside", "nobody", called="crib"), STARTER: Lies("stack", "beside", called="starter"),
        },
    ),
)  # fmt: skip
