"""Hearts: four players, each alone, pass three cards and take no hearts and no queen of spades; the fewest points win.

The rules are the well-known ones, as the usual books of card games give them (Parlett, *The Penguin Book of Card
Games*; pagat.com, "Hearts"); no sentence is theirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from events.cards import how_many
from events.model import Deal, Event, Gap, Hand, Move, Play
from reducers.gaps import after_gap
from reducers.page import (
    CONSEQUENCE, DUTY, UNOBSERVABLE, Catalogue, CheckResult, Dealing, DealSpec, Display, Game, HandScore, HouseRules,
    MatchRules, Phase, Points, ScoreLine, Shorthand, Simulation, Standing, State, TallyFacts, Terms, add_points,
    apply_reported_facts, as_many_as_dealt, broken, changes_hands, counts, counts_nothing, deal_passes_on, deals_next,
    ensure_dealt, hand_of, hand_score, leaders_by_total, on_deal, pack, player_columns, ranking, rule, seat,
    shuffle_and_deal, singles, summary_of, try_lead_or_follow, unknown,
)  # fmt: skip
from reducers.words.breaking import breaks_trumps, no_heart_is_led_too_early
from reducers.words.trick_play import (
    TRICKS, TrickHand, first_lead, just_taken, lay_out_tricks, must_follow_suit, on_card as on_card_to_trick,
    one_card_in_turn, owner, suit_led, why_unknown, winner_gathers,
)  # fmt: skip

RANKS = "A K Q J 10 9 8 7 6 5 4 3 2"
PACK, PLAIN, DEAL = pack(RANKS), ranking(RANKS), DealSpec(each=13)
LEAD, POINTS = PACK.mask_of(["2c"]), PACK.suit["h"] | PACK.mask_of(["Qs"])
PASSED = 3
WAYS = {1: "to the left", 3: "to the right", 2: "across", 0: "to nobody"}
"""Where the cards go in the first four hands; then it begins again."""


class Options(HouseRules, frozen=True):
    """House rules of Hearts."""

    target: Annotated[int, Meta(ge=1, le=999, description="points that end the match")] = 100
    moon: Annotated[
        Literal["others", "self"], Meta(description="26 points for all others, or 26 less, if one takes all")
    ] = "others"


PASSING, PLAY, SCORING = "Passing", "Play", "Scoring"
RULES = Catalogue(
    "hearts",
    rule("R1", PASSING, CONSEQUENCE, "Each player is dealt thirteen cards.", "the deal", {Deal: as_many_as_dealt}),
    rule("R2", PASSING, DUTY, "Each player passes three cards: in the first hand to the left, then to the right, then "
         "across, and in each fourth hand none.", "three cards"),
    rule("R3", PASSING, UNOBSERVABLE, "The cards are passed before those received are looked at: no record shows it."),
    rule("R4", PLAY, DUTY, "The two of clubs is led to the first trick.", "two of clubs"),
    rule("R5", PLAY, DUTY, "The winner of a trick leads to the next.", "lead"),
    rule("R6", PLAY, DUTY, "The players play one card each to a trick, clockwise.",
         "play in turn", {Play: one_card_in_turn}),
    rule("R7", PLAY, DUTY, "A player who holds the suit led plays it.", "follow suit", {Play: must_follow_suit}),
    rule("R8", PLAY, DUTY, "No heart is led before one was thrown on another suit, unless the leader has nothing else.",
         "hearts not broken", {Play: no_heart_is_led_too_early}),
    rule("R9", PLAY, DUTY, "To the first trick nobody throws a card that counts who has another.", "first trick"),
    rule("R10", PLAY, CONSEQUENCE, "The highest card of the suit led wins the trick; there are no trumps.",
         "who wins", {Move: winner_gathers}),
    rule("R11", SCORING, CONSEQUENCE, "Each heart counts a point, the queen of spades thirteen.", "26 points"),
    rule("R12", SCORING, CONSEQUENCE, "Whoever takes all 26 gives them to each of the others, or takes them off.",
         "shooting the moon"),
    rule("R13", SCORING, CONSEQUENCE, "The match ends with the hand that takes somebody to a hundred; fewest points "
         "win.", "the match"),
    rule("R14", PASSING, DUTY, "The deal passes to the left.", "the deal passes", {Hand: deal_passes_on}),
)  # fmt: skip


class HeartsHand(TrickHand):
    """The record of one hand. `passed`: the seats that have passed; `got`: the cards that each got, as far as they
    were seen; `way`: how many places to the left the cards go. `broken` and `trump` are asked by `words.breaking`."""

    __slots__ = ("broken", "got", "passed", "trump", "way")

    def __init__(self, state: State[HeartsHand]) -> None:
        super().__init__(state, PLAIN)
        self.way = tuple(WAYS)[(state.number - 1) % len(WAYS)]
        self.passed: tuple[str, ...] = ()
        self.got: dict[str, int] = {}
        self.trump = "h"
        self.broken: bool | None = False


def forget_hearts(state: State[HeartsHand]) -> None:
    """After a gap nobody knows whether a heart was thrown."""
    state.hand.broken = state.hand.broken or None


def start(state: State[HeartsHand]) -> HeartsHand:
    lay_out_tricks(state)
    hand = HeartsHand(state)
    state.phase, state.turn = ("passing" if hand.way else "play"), state.terms.seats
    return hand


# Passing
def receiver(giver: str, state: State[HeartsHand]) -> str:
    return state.terms.left(giver, state.hand.way)


def may_lead(state: State[HeartsHand]) -> tuple[str, ...]:
    """The seats that may hold the two of clubs."""
    seats = state.terms.seats
    return tuple(s for s in seats if state.holding(s).any_of(LEAD) is not False) or seats


def begin_play(state: State[HeartsHand]) -> None:
    state.phase, state.turn = "play", may_lead(state)


def on_dealt(deal: Deal, state: State[HeartsHand]) -> None:
    on_deal(deal, state)
    if state.phase == "play" and not state.settled and not state.hand.trick.plays and not state.hand.trick.won:
        begin_play(state)


def on_moved(move: Move, state: State[HeartsHand]) -> None:
    passes = bool(state.number) and not state.settled and changes_hands(move, state)
    if passes:
        ensure_dealt(state)
    TRICKS[Move](move, state)
    if passes and state.phase == "passing":
        note_pass(move.by, move.to.removeprefix("hand:"), PACK.mask_of([c for c in move.cards if c in PACK]), state)


def note_pass(giver: str, to: str, cards: int, state: State[HeartsHand]) -> None:
    hand = state.hand
    hand.got = {**hand.got, to: hand.got.get(to, 0) | cards}
    hand.passed = (*hand.passed, giver)
    state.turn = tuple(s for s in state.terms.seats if s not in hand.passed)
    if not state.turn:
        begin_play(state)


@RULES.check("R2", Move)
def three_cards_are_passed_the_right_way(move: Move, state: State[HeartsHand]) -> CheckResult | None:
    if not state.number or state.settled or not changes_hands(move, state):
        return None
    hand, many = state.hand, how_many(move.cards)
    if hand.trick.lost:
        return unknown("acts are missing from the record")
    if state.phase != "passing":
        return broken("no card is passed now" if hand.way else "no cards are passed in this hand")
    if move.by in hand.passed:
        return broken(f"{move.by} has passed already")
    if move.to.removeprefix("hand:") != receiver(move.by, state):
        return broken(f"cards go {WAYS[hand.way]} in this hand: {move.by} passes to {receiver(move.by, state)}")
    if many is None:
        return unknown("the cards were not counted")
    return None if many == PASSED else broken(f"three cards are passed, and not {many}")


def try_passes(giver: str, state: State[HeartsHand]) -> Iterator[Event]:
    """Each three of the cards that were dealt, for the first seat that has not passed; and too few, and to another."""
    if giver != state.turn[0]:
        return
    own = state.game.pack.cards(state.holding(giver).certain & ~state.hand.got.get(giver, 0))
    to = receiver(giver, state)
    yield from (Move(by=giver, cards=cards, to=hand_of(to)) for cards in combinations(own, PASSED))
    yield from (Move(by=giver, cards=cards, to=hand_of(to)) for cards in islice(combinations(own, 2), 30))
    other = state.terms.left(giver, state.hand.way % 3 + 1)
    yield from (Move(by=giver, cards=cards, to=hand_of(other)) for cards in islice(combinations(own, PASSED), 30))


def unseen_pass(state: State[HeartsHand]) -> Event | None:
    giver = state.turn[0] if state.turn else ""
    return Move(by=giver, cards=("3x??",), to=hand_of(receiver(giver, state))) if giver else None


def passes_if_cards(state: State[HeartsHand], event: Event) -> tuple[Event, ...]:
    """Bare cards before the play are passed."""
    if state.phase != "passing" or not isinstance(event, Play) or event.src or event.by not in state.terms.seats:
        return (event,)
    return (Move(by=event.by, cards=event.cards, to=hand_of(receiver(event.by, state))),)


def infer_passes(state: State[HeartsHand]) -> None:
    """A card played shows that all have passed."""
    left = [s for s in state.terms.seats if s not in state.hand.passed]
    state.infer(f"{' and '.join(left)} passed three cards before this (not recorded)")
    for giver in left:
        table, to = state.table, state.holding(receiver(giver, state))
        for _ in range(PASSED):
            table.move_one(state.game.pack.unknown, state.holding(giver), to)
    begin_play(state)


# Play
def on_card(play: Play, state: State[HeartsHand]) -> None:
    ensure_dealt(state, play)
    if not state.settled:
        if state.phase == "passing":
            infer_passes(state)
        if not state.hand.trick.lost:
            state.hand.broken = breaks_trumps(play, state)
    on_card_to_trick(play, state)


@RULES.check("R4", Play)
def the_two_of_clubs_comes_first(play: Play, state: State[HeartsHand]) -> CheckResult | None:
    trick = state.hand.trick
    if trick.lost or trick.plays or trick.won:
        return None
    if state.phase == "passing":
        return unknown("whether all had passed: that may be missing from the record")
    code = state.code(play.cards)
    if code >= PACK.unknown:
        return unknown("the card was not seen") if PACK.may_be[code] & LEAD else broken("it is not the two of clubs")
    return None if PACK.unit[code] & LEAD else broken("the two of clubs is led first")


@RULES.check("R5", Play)
def the_winner_leads(play: Play, state: State[HeartsHand]) -> CheckResult | None:
    return first_lead(play, state) if state.hand.trick.won else None


@RULES.check("R9", Play)
def nothing_that_counts_comes_first(play: Play, state: State[HeartsHand]) -> CheckResult | None:
    trick, code = state.hand.trick, state.code(play.cards)
    if trick.lost or trick.won or not trick.plays or not PACK.may_be[code] & POINTS:
        return None
    held = state.holding(play.by)
    others = held.any_of(PACK.everything & ~POINTS)
    if others is False:
        return None
    if doubt := why_unknown(trick, code):
        return doubt
    if play.by not in state.turn:
        return unknown("it was not this seat's turn, so a card may be missing from the record")
    if others is None:
        return unknown(f"whether {play.by} held a card that counts nothing", held)
    return broken(f"{play.by} holds a card that counts nothing", held.certain & ~POINTS, play.by)


# Scoring
class Tally(TallyFacts):
    """What a hand of Hearts is scored from."""

    hearts: Points = counts("hearts a player took", of=13, rule="R11", asks="who took how many hearts")
    queen: str = seat("who took the queen of spades", rule="R11", asks="who took the queen of spades")


def tally(state: State[HeartsHand]) -> Tally:
    trick, side_of, sides = state.hand.trick, state.terms.side_of, state.terms.sides
    hearts: Points = dict.fromkeys(sides, 0)
    queen, known = "", len(trick.won) == trick.total and not trick.lost
    for one in trick.won if known else ():
        codes, taker = [code for _, code in one.plays], owner(one, side_of)
        if any(PACK.may_be[code] & POINTS and (not taker or code >= PACK.unknown) for code in codes):
            known = False
            break
        if taker:
            hearts[taker] = (hearts[taker] or 0) + sum(PACK.suit_of[code] == "h" for code in codes)
            queen = taker if PACK.code["Qs"] in codes else queen
    return apply_reported_facts(Tally(hearts, queen) if known else Tally(dict.fromkeys(sides), ""), state)


def score(state: State[HeartsHand]) -> HandScore:
    t, sides, moon = tally(state), tuple(state.terms.sides), state.terms.options.moon
    queen = {side: None if not t.queen else 13 * (side == t.queen) for side in sides}
    taken = {side: None if (n := t.hearts.get(side)) is None or (q := queen[side]) is None else n + q for side in sides}
    points: Points = dict(taken)
    shooter = next((side for side, n in taken.items() if n == 26), "")
    if shooter:
        points = {side: (-26 * (side == shooter) if moon == "self" else 26 * (side != shooter)) for side in sides}
    lines = (ScoreLine("hearts", dict(t.hearts)), ScoreLine("queen", queen))
    missing = [
        text
        for text,
        gone in (("who took how many hearts", None in t.hearts.values()), ("who took the queen of spades", not t.queen))
        if gone
    ]
    result = f"{state.terms.name(shooter)} took everything" if shooter else ""
    return counts_nothing(state, t.void) or hand_score(
        state, points, lines, result=result, unknown=missing if None in points.values() else (),
    )


def after(before: Standing, hand: HandScore, terms: Terms) -> Standing:
    """The match ends with the hand that takes a total to the target; if the fewest are level it goes on."""
    now = replace(before, totals=add_points(before.totals, hand.points), hands=before.hands + 1)
    known = [n for n in now.totals.values() if n is not None]
    best = leaders_by_total(now.totals, fewest=True)
    over = len(known) == len(now.totals) and max(known) >= terms.options.target and len(best) == 1
    return replace(now, over=over, winner=best[0] if over else "")


GAME = Game(
    key="hearts", name="Hearts", family="tricks", summary=summary_of(__doc__),
    seating=singles(4), pack=PACK,
    dealing=Dealing(deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=shuffle_and_deal),
    options=Options, rules=RULES,
    readings={
        "In which order are cards passed?": "in any: all pass before they look at what they get",
        "Does the queen of spades break hearts?": "no, only a heart does",
        "What if the fewest are level?": "another hand is played, until one is ahead",
        "What if cards taken on were passed on?": "no record shows in which order a hand was looked at",
    },
    start=start,
    phases={
        "passing": Phase(
            "passing", (Move, Play), "three cards to pass (. if they were not seen)", to_do="pass",
            default_act=unseen_pass, tries=(try_passes,),
        ),
        "play": Phase("play", (Play,), "a card", to_do="play", one_card=True, tries=(try_lead_or_follow,)),
    },
    on={**TRICKS, Gap: after_gap(also=forget_hearts), Deal: on_dealt, Move: on_moved, Play: on_card},
    tally=Tally, compute_tally=tally, score=score, after=after, match=MatchRules(fewest_lead=lambda terms: True),
    sheet=player_columns(),
    shorthand=Shorthand(led=suit_led, expand=passes_if_cards),
    display=Display(last_outcome_text=just_taken),
    simulation=Simulation(most_acts=1000),
)  # fmt: skip
