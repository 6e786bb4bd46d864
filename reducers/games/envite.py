"""Envite: two teams of two to six, to the right, play for two of three tricks; their captains raise the stakes, and
trumps grow with the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import takewhile
from typing import Annotated, Any

from msgspec import Meta, field
from msgspec.structs import replace

from events.model import Bid, Call, Deal, Event, Fault, Move, Play, Show
from events.model import Hand as HandEvent
from reducers.evolve import is_for_next_hand, new_hand
from reducers.facts import UNREAD
from reducers.facts import choice as choice_of
from reducers.page import (
    reopen_hand, CONSEQUENCE, DUTY, GLYPHS, RIGHT, SUITS, UNOBSERVABLE, Catalogue, DealSpec, Game, Dealing, MatchRules,
    Omissions, Shorthand, Display, Simulation, HandScore, Law, ScoreLine, Phase, Points, State, TallyFacts,
    as_many_as_dealt, choice, contract, counts_nothing, deal_passes_on, deals_next, finish_hand, gained, hand_score,
    try_lead_or_follow, apply_reported_facts, pack, partnerships, plus, ranking, HouseRules, read_by_the_page,
    ensure_dealt, result_text, rule, seatings, shuffle_and_deal, side, summary_of, teams, running_total, turned_up,
    we_they, CheckResult, broken, unknown, Standing, add_points, figure, Terms,
)  # fmt: skip
from reducers.words.raising import (
    Ladder, accepted_stakes_are_closed, accepted_unheard, answering, apply_raise_answer, captains_of, captains_speak,
    apply_ladder_raise, each_step, stake_named, the_challenged_captain_answers, the_first_raise_is_one_step,
    whoever_may_raise_may_do_it,
)  # fmt: skip
from reducers.words.scores import points_told, scorer_told
from reducers.words.tallies import is_cut_short, readable
from reducers.words.trick_play import (
    TRICKS, first_lead, just_taken, lay_out_tricks, one_card_in_turn, open_play, suit_led, winner_gathers, on_card,
)  # fmt: skip
from reducers.words.tricks import (
    Strength, strengths, strengths_before_trumps, Trick, Tricks, gathered_by, leaders_after, owner, NO_TRUMPS,
    holds_suit, must_follow_suit,
)  # fmt: skip
from reducers.words.upcards import UPCARD, UpcardHand, on_upcard, on_card_shown

# Setup
PACK = pack("A K Q J 7 6 5 4 3 2")
DEAL = DealSpec(each=3, then=(turned_up(UPCARD),), rest="stock")

# Card ranking: the two is the highest of trumps, and cards of any suit are above it, more of them at a larger table.
PLAIN, OF_TRUMPS = ranking("K Q J A 7 6 5 4 3 2"), "2KQJA76543"
ABOVE = {4: (), 6: ("3c", "Qc", "Jd")}
ABOVE[8] = ("5d", *ABOVE[6])
ABOVE[10] = ("2d", *ABOVE[8])
ABOVE[12] = ("Ad", *ABOVE[10])

def trumps_of(size: int, suit: str) -> tuple[str, ...]:
    """All trumps at a table of this size, the highest first.

    >>> trumps_of(8, "c")[:7], len(trumps_of(8, "c"))
    (('5d', '3c', 'Qc', 'Jd', '2c', 'Kc', 'Jc'), 12)
    """
    return (*ABOVE[size], *(f"{r}{suit}" for r in OF_TRUMPS if f"{r}{suit}" not in ABOVE[size]))


@cache
def strengths_with(size: int, suit: str) -> dict[str, Strength]:
    """The strengths of the cards at a table of this size, with this suit as trumps; `suit` is "" while unknown."""
    if suit:
        return strengths(PACK, PLAIN, suit, trumps_of(size, suit))
    return strengths_before_trumps(PACK, PLAIN, *[(one, trumps_of(size, one)) for one in SUITS])


ENOUGH = 2

# Bidding: the stakes, and the stones for a game, a side that lies down, and a trawl.
STAKES = ("2", "4", "7", "9", "game")
GAME_AT, LYING, FORFEITED, AGAINST, TRAWL = 12, 11, 1, 3, 2


class Options(HouseRules, frozen=True):
    """House rules of Envite."""

    games: Annotated[int, Meta(ge=1, le=99, description="the match is the best of this many games")] = 3
    captains: Annotated[
        str, Meta(max_length=9, description="the two captains, as A B; else the first seat of each team")
    ] = ""


TEAMS, SETUP, BIDDING, PLAY, LYING_DOWN = "Teams", "The deal", "Bidding", "Play of the hand", "Lying down"
RULES = Catalogue(
    "envite",
    rule("R1", TEAMS, CONSEQUENCE, "Two teams of two to six sit alternately; how many they are says which cards stand "
         "above the other trumps.", "teams and trumps"),
    rule("R2", SETUP, CONSEQUENCE, "Each seat is dealt three of the forty cards, and the next is turned up: the suit "
         "that it shows is trumps.", "the deal", {Deal: as_many_as_dealt}),
    rule("R3", BIDDING, DUTY, "Only the captain of a team raises, answers or gives up for it.",
         "captains speak", {Bid: captains_speak, Call: captains_speak}),
    rule("R4", BIDDING, RIGHT, "Either captain may make the first raise, from two stones to four.",
         "first raise", {Bid: the_first_raise_is_one_step, Fault: whoever_may_raise_may_do_it}),
    rule("R5", BIDDING, DUTY, "The captain who was challenged accepts, declines, or raises to the next of seven, nine "
         "and the game.", "answer", {Bid: the_challenged_captain_answers, Call: the_challenged_captain_answers}),
    rule("R6", BIDDING, DUTY, "After a raise was accepted, or the first card was led, no further raise is allowed.",
         "closed stakes", {Bid: accepted_stakes_are_closed}),
    rule("R7", LYING_DOWN, RIGHT, "If one team has eleven stones, there are no raises, and its captain may forfeit "
         "the hand before the lead; if both have eleven, the hand is played.", "forfeit"),
    rule("R8", PLAY, DUTY, "The dealer's right leads first, then the winner of each trick; the others play one card "
         "each, to the right.", "lead and turn", {Play: one_card_in_turn}),
    rule("R9", PLAY, DUTY, "A seat that holds the suit led plays it; a card that stands above the trumps is one of "
         "them. A seat that does not may play any card.", "follow suit"),
    rule("R10", PLAY, DUTY, "If a trump is led, a seat that has one plays it; the first that has none loses the hand "
         "for its team.", "trawl"),
    rule("R11", PLAY, CONSEQUENCE, "The highest trump wins the trick; without one, the highest card of the suit led.",
         "who wins", {Move: winner_gathers}),
    rule("R12", PLAY, CONSEQUENCE, "Two tricks win the hand, so a third is played only if each team has one.",
         "two tricks"),
    rule("R13", BIDDING, CONSEQUENCE, "The winners score the stake, two more after a trawl that a team could not "
         "follow; a raise that is declined scores what held before it.", "stones"),
    rule("R14", LYING_DOWN, CONSEQUENCE, "Unless the game is staked, no team goes beyond eleven; at eleven, a hand "
         "won wins the game. Against that team a hand counts three, a forfeit one.", "lying down"),
    rule("R15", PLAY, DUTY, "The deal passes to the right after every hand.",
         "the deal passes", {HandEvent: deal_passes_on}),
    rule("R16", LYING_DOWN, CONSEQUENCE, "The match is the best of three games.", "the match"),
    rule("R17", BIDDING, UNOBSERVABLE, "The players signal to their captain what they hold: a secret signal has no "
         "effect, and a table that saw one writes a remark."),
)  # fmt: skip

READINGS = {
    "Which cards are in the pack?": "forty, with the aces: the text counts them and ranks them, though a sentence "
    "leaves them out",
    "The card turned up is one that stands above the trumps": "the suit that it shows is trumps",
    "May stakes be raised again after they were accepted?": "no, nor after the first card",
    "Who accepts a raise without an answer?": "the first card shows that it was accepted; it may still be said",
    "The table plays on after a trawl, or after two tricks": "it has no effect: the hand was over",
    "What does a raise to the game count if it is declined?": "nine stones",
    "Whose lack of trumps loses the hand?": "that of the first seat in turn without one, also in the leader's team",
    "A trawl that cannot be followed against a team that lies down": "scores three and two more",
    "Ten stones and nine more": "stay at eleven: the excess is dropped by the hand, not stone by stone",
    "Is the lead of a card above the trumps a trawl?": "yes, in every trick",
    "Does a team that lies down say that it plays?": "no, the first card says it",
    "An odd number of players": "the smaller team has a dummy seat, which its captain plays; it is a seat like others",
    "Who are the captains?": "the first seat of each team, unless the option captains names them",
    "Who deals the first hand of a further game?": "the deal goes on to the right",
}
WORDS = {
    "accept": "call: take the hand at the stake that was raised",
    "decline": "call: give the hand up to a raise",
    "forfeit": "call: give it up when lying down; fault: the table does not accept it",
    "none": "call: have no trump when one is led",
    "raise": "fault: the table does not accept a raise",
    "revoke": "fault: the table says that a card was not allowed",
    "signal": "fault: the table objected to a signal",
}


class Hand(UpcardHand):
    """The record of one hand of Envite: the stakes, the seat without a trump in a trawl, the side that forfeits."""

    def __init__(self, state: State[Hand]) -> None:
        super().__init__(state, PLAIN)
        self.trick.possible_powers = tuple(self.with_trumps(suit) for suit in SUITS)
        self.stakes = Ladder(STAKES, captains_of(state.terms))
        self.down = sides_lying_down(state.before)
        self.lost_by = self.forfeits = self.won = ""

    def with_trumps(self, suit: str) -> dict[str, Strength]:
        """The strengths of the cards: the size of the table decides which are above the other trumps."""
        return strengths_with(len(self.trick.seats), suit)


def start(state: State[Hand]) -> Hand:
    """Begin a hand: before the lead the captains may raise, or one whose side lies down may forfeit."""
    state.before = in_game(state.before)
    lay_out_tricks(state)
    hand = Hand(state)
    raise_or_forfeit(hand, state)
    return hand


# Bidding, and lying down
def on_bid(bid: Bid, state: State[Hand]) -> None:
    ensure_dealt(state)
    if not state.hand.down:
        apply_ladder_raise(bid, state)


def on_call(call: Call, state: State[Hand]) -> None:
    """Apply a call: an answer to a raise, a forfeit, or a lack of trumps, which the loser may repeat."""
    if still_of_a_trawl(state, call):
        return
    ensure_dealt(state)
    hand = state.hand
    if answering(call) and not hand.down:
        apply_raise_answer(call, state)
    elif call.word == "forfeit" and not hand.trick.won and not hand.trick.plays:
        hand.forfeits = state.terms.side_of[call.by]
    else:
        says_none(call, state)
    if hand.stakes.gave_up or hand.forfeits or hand.lost_by:
        finish_hand(state)
    elif state.phase == "answering" and hand.stakes.closed:
        open_play(state)


def unwritten(state: State[Hand], act: Event) -> None:
    """Infer from the first card that a raise was accepted."""
    if isinstance(act, Play) and not state.settled:
        accepted_unheard(state)
    card_with_none(state, act)


def sides_lying_down(before: Standing) -> tuple[str, ...] | None:
    """The sides that lie down, as they have exactly eleven stones; None if a total is unknown."""
    totals = before.totals
    return None if None in totals.values() else tuple([one for one, n in totals.items() if n == LYING])


def raise_or_forfeit(hand: Any, state: State[Hand]) -> None:
    """Before the lead let both captains raise, or let the captain of the one side that lies down forfeit."""
    down, captains = hand.down, hand.stakes.captains
    speakers = [captain for side, captain in captains.items() if not down or side in down]
    state.phase = "forfeiting" if down else "raising"
    if down is not None and len(down) == len(captains):
        state.phase, speakers = "play", []
    state.turn = tuple(dict.fromkeys((state.terms.after(state.dealer), *speakers)))


@RULES.check("R7", Bid, Call)
def a_side_that_lies_down_may_forfeit(act: Bid | Call, state: State[Hand]) -> CheckResult | None:
    """While a side lies down there is no raise, and its captain may forfeit before the lead."""
    down, forfeits = state.hand.down, isinstance(act, Call) and act.word == "forfeit"
    if not forfeits and not isinstance(act, Bid) and not answering(act):
        return None
    if down is None or state.hand.trick.lost:
        return unknown("the points of the teams and the calls before" if down is None else "the calls before this")
    if not forfeits:
        lie = f"{down[0]} lies" if len(down) == 1 else "both teams lie"
        return broken(f"{lie} down, so there is no raise") if down else None
    if len(down) != 1:
        return broken("both teams lie down, so the hand is played" if down else "no team lies down")
    captain = state.hand.stakes.captains[down[0]]
    if act.by != captain:
        return broken(f"{captain} is the captain of {down[0]}, which lies down, and chooses")
    return broken("the first card was played") if state.phase == "play" else None


@RULES.check("R7", Fault)
def nobody_is_kept_from_forfeiting(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """Check a fault by which the table denies a side that lies down its right to forfeit."""
    side = state.hand.forfeits if state.number else ""
    if fault.word != "forfeit" or not side or state.hand.down != (side,):
        return None
    mine = fault.who in ("", state.hand.stakes.captains[side])
    return broken(f"{side} lies down, and may forfeit the hand") if mine else None


def who_may_speak(state: State[Hand], kind: type[Event]) -> tuple[str, ...]:
    """The seats meant by an act before the lead: a card is the leader's, a word a captain's."""
    if state.phase not in ("raising", "forfeiting"):
        return state.turn
    down, captains = state.hand.down, state.hand.stakes.captains
    if kind in (Bid, Call):
        return tuple(seat for one, seat in captains.items() if not down or one in down)
    return state.turn[:1]


# Play of the hand
RULES.check("R8", Play)(first_lead)


# Two tricks win, or a lost trawl loses
def side_with_enough(state: State[Hand]) -> str:
    """The side that has enough tricks to win the hand; "" if none has, or if unknown. A lead shows that no side had
    enough, so it proves no trick that would have been enough."""
    hand = state.hand
    if hand.won or hand.trick.lost:
        return hand.won
    have: list[str] = []
    for trick in hand.trick.won:
        have.append(owner(trick, state.terms.side_of))
        if have[-1] and not trick.inferred and have.count(have[-1]) >= ENOUGH:
            return have[-1]
    return ""


def decide(state: State[Hand]) -> None:
    """End the hand if a player has lost it, or a side has enough tricks to win."""
    hand = state.hand
    if state.settled or hand.trick.lost:
        return
    if hand.lost_by or (len(hand.trick.won) >= ENOUGH and side_with_enough(state)):
        finish_hand(state)


def on_gathered_early(move: Move, state: State[Hand]) -> None:
    """Apply the table's word on who took a trick: it may decide the hand, or reopen it."""
    gathered_by(move, state)
    if not state.number:
        return
    hand = state.hand
    early = state.settled and len(hand.trick.won) < hand.trick.total and not (state.stop_reason or state.tallies)
    if early and hand.trick.won and hand.trick.won[-1].gathered and not (hand.lost_by or side_with_enough(state)):
        reopen_hand(state)
        state.phase, state.turn = "play", leaders_after(hand.trick.won[-1], state)
    decide(state)


def begin_after_a_decision(hand: HandEvent, state: State[Hand]) -> None:
    """Begin the next hand. If the last one broke off after a trick that gave only one side enough, that side won."""
    if state.number and not state.settled and not state.hand.trick.plays and not state.hand.trick.lost:
        tricks: list[Trick] = state.hand.trick.won
        enough = [side for side in state.terms.sides if may_have(side, tricks, state) >= ENOUGH]
        enough = [side for side in enough if may_have(side, tricks[-1:], state)]
        if len(enough) == 1:
            (state.hand.won,) = enough
            state.infer(
                f"the hand was over after {len(tricks)} tricks, so {state.hand.won} has won {ENOUGH}"
            )
            finish_hand(state)
    new_hand(hand, state)


def may_have(side: str, tricks: list[Trick], state: State[Hand]) -> int:
    """The most of these tricks that a side may have taken."""
    side_of = state.terms.side_of
    return sum(
        side in (mine,) if (mine := owner(t, side_of)) else any(side_of[w] == side for w in t.winners) for t in tricks
    )


def still_of_the_hand(state: State[Hand], act: Event) -> bool:
    """True if an act after the decision still belongs to the hand: a card that the table plays on with, from a hand
    that may have it. If trumps are unknown, only a player who is due and does not lead the next hand plays on."""
    if not state.number or not state.settled or state.stop_reason or state.tallies:
        return False
    hand = state.hand
    if not isinstance(act, Play) or act.by not in state.terms.seats:
        return False
    held, code = state.holding(act.by), state.code(act.cards)
    if not len(held) or not held.may_leave(code):
        return False
    if state.played_on or (
        not hand.trick.blind and code < state.game.pack.unknown and held.certain & state.game.pack.field[code]
    ):
        return True
    begins = state.terms.after(state.game.dealing.next_dealer(state))
    is_due = act.by in due(state)
    return act.by != begins and is_due if hand.trick.blind else act.by != begins or is_due


def due(state: State[Hand]) -> tuple[str, ...]:
    """The seats that would play next if the decided hand went on."""
    tricks: Tricks = state.hand.trick
    if not tricks.plays:
        return tricks.won[-1].winners if tricks.won else ()
    return tricks.next[tricks.plays[-1][0]]


def played_on(play: Play, state: State[Hand]) -> bool:
    """True if a card is played on in a decided hand: it leaves its holding, without other effect."""
    if not (state.settled and still_of_the_hand(state, play)):
        return False
    state.played_on = True
    state.table.move_one(state.code(play.cards), state.holding(play.by), state.table.row("trick"))
    return True


# Trawls: a trump is led, and every seat that has one plays it; the first in turn without one says `none`, or plays
# another card
def may_be_a_trawl(state: State[Hand]) -> bool:
    """Return True if a trump was, or may have been, led to the trick in progress."""
    trick = state.hand.trick
    return bool(trick.lost or (trick.plays and (trick.blind or trick.led in (state.hand.trump, "?"))))


def is_a_trawl(state: State[Hand]) -> bool:
    """Return True if a trump was certainly led to the trick in progress, or to the one just full."""
    trick, trump = state.hand.trick, state.hand.trump
    return bool(trump) and not trick.lost and trick.led == trump


def may_have_lost(state: State[Hand]) -> tuple[str, ...]:
    """The seats that may have failed to follow a trawl in the last trick: trumps or their cards are unknown."""
    hand = state.hand
    trick, trump = hand.trick, hand.trump
    plays = trick.plays or (trick.won[-1].plays if trick.won else ())
    suits = [trick.suits.of[code] for _, code in plays]
    if not plays or hand.lost_by or (trump and suits[0] not in (trump, "?")):
        return ()
    return tuple(
        seat for (seat, _), suit in zip(plays, suits, strict=True) if suit == "?" or suit != (trump or suits[0])
    )


def may_be_over(state: State[Hand]) -> bool:
    """Return True if the hand may have been won or lost unnoticed, as trumps or cards were not seen."""
    if not state.number or state.settled:
        return False
    trick = state.hand.trick
    enough = len(trick.won) >= ENOUGH and any(
        may_have(side, trick.won, state) >= ENOUGH for side in state.terms.sides
    )
    return enough or (trick.blind and bool(trick.won)) or bool(may_have_lost(state))


def shows_out(state: State[Hand], *more: tuple[str, int]) -> str:
    """The first seat in turn that could not follow a trawl, in the trick with `more` cards; empty if there is none."""
    trick, trump = state.hand.trick, state.hand.trump
    if not trick.plays or trick.led != trump or trick.lost:
        return ""
    plays = (*trick.plays, *more)
    in_turn = zip(plays, state.terms.in_turn(plays[0][0]), strict=False)
    # After a card out of turn, a card of a seat before it may be missing from the record.
    seen = takewhile(lambda pair: pair[0][0] == pair[1], in_turn)
    return next((seat for (seat, code), _ in seen if trick.suits.of[code] not in (trump, "?")), "")


@RULES.check("R9", Play)
def must_follow_a_plain_lead(play: Play, state: State[Hand]) -> CheckResult | None:
    """A seat that holds the suit led plays it, if no trump is known to have been led."""
    trick = state.hand.trick
    return must_follow_suit(play, state) if trick.plays and trick.led != (state.hand.trump or "-") else None


@RULES.check("R10", Play)
def must_follow_a_trawl(play: Play, state: State[Hand]) -> CheckResult | None:
    """A seat that has a trump plays it to a trump that was led."""
    trick = state.hand.trick
    return must_follow_suit(play, state) if trick.plays and trick.led == state.hand.trump else None


@RULES.check("R10", Call)
def none_is_said_to_a_trawl(call: Call, state: State[Hand]) -> CheckResult | None:
    """A seat that says `none` is to play to a trump that was led, and has none."""
    trick, trump = state.hand.trick, state.hand.trump
    if call.word != "none":
        return None
    if trick.lost or (trick.plays and (trick.blind or trick.led == "?")):
        return unknown("whether a trump was led" if trick.lost else NO_TRUMPS if trick.blind else "which card was led")
    if not trick.plays or trick.led != trump:
        return broken("no trump was led")
    if call.by not in state.turn:
        return broken(f"it is the turn of {state.turn[0]}")
    held = state.holding(call.by)
    has = holds_suit(held, trump, trick.suits)
    if has:
        return broken(f"{call.by} holds a trump", held.certain & trick.suits.sure[trump], call.by)
    if has is False:
        return None
    return unknown(f"whether {call.by} held a trump", held)


def says_none(call: Call, state: State[Hand]) -> bool:
    """Return True if a seat says that it has no trump and so loses the hand; without a trump led nothing changes."""
    lost = call.word == "none" and may_be_a_trawl(state)
    if lost:
        state.hand.lost_by = call.by
    return lost


def on_card_to_a_trawl(play: Play, state: State[Hand]) -> None:
    """Apply a card; a seat that cannot follow a trawl ends the hand, and so does the trick that wins it."""
    if state.settled:
        card_with_none(state, play)
    if played_on(play, state):
        return
    if state.number and not state.settled and not state.hand.lost_by:
        state.hand.lost_by = shows_out(state, (play.by, state.code(play.cards)))
    on_card(play, state)
    decide(state)


def on_card_shown_late(show: Show, state: State[Hand]) -> None:
    """Apply a show; after the upcard is seen, the trick in progress may be a trawl."""
    on_card_shown(show, state)
    if state.number and not state.settled:
        state.hand.lost_by = state.hand.lost_by or shows_out(state)
        decide(state)


def card_with_none(state: State[Hand], act: Event) -> None:
    """Reopen the hand for the card that a player plays with `none`, and for a later one if trumps are unknown: the
    lead was no trump, or the hand would be over."""
    if not (state.number and state.settled and isinstance(act, Play) and still_of_the_hand(state, act)):
        return
    hand, plays = state.hand, state.hand.trick.plays
    with_none = bool(plays) and act.by == hand.lost_by and act.by not in [seat for seat, _ in plays]
    if with_none or (hand.trick.blind and hand.lost_by):
        hand.lost_by = hand.lost_by if with_none else ""
        reopen_hand(state)
        state.phase, state.turn = "play", (act.by,)


def still_of_a_trawl(state: State[Hand], act: Event) -> bool:
    """Return True if an act belongs to the finished hand: a card, a repeated `none` of its loser, or any word while
    it is unknown whether a trump was led."""
    if isinstance(act, Bid | Call):
        loser = state.hand.lost_by if state.number and state.settled else ""
        repeated = isinstance(act, Call) and act.word == "none" and act.by == loser
        return bool(loser) and (state.hand.trick.blind or repeated)
    return still_of_the_hand(state, act)


def plays_or_has_none(seat: str, state: State[Hand]) -> Iterator[Event]:
    """A card, or `none` to a lead."""
    yield from try_lead_or_follow(seat, state)
    if state.hand.trick.plays:
        yield Call(by=seat, word="none")


# Scoring
def stakes_that_cannot_be(known: Mapping[str, Any], state: State[Hand]) -> str:
    """A law: a forfeit, and stakes of one or three, need a side that lies down; other stakes need none."""
    before = in_game(state.standing if is_for_next_hand(state) else state.before)
    down, ending, stake = sides_lying_down(before), known.get("ending"), str(known.get("stake", ""))
    if stake == "game" and ending == "declined":
        return "a raise to the game that is declined counts 9"
    if down is None:
        return ""
    if not down and known.get("winner") and (ending == "forfeit" or stake in ("1", "3")):
        return "no team lies down, so there is no forfeit, and the stakes are 2, 4, 7, 9 and the game"
    if down and (ending == "declined" or stake not in ("", "1", "3")):
        return f"{' and '.join(down)} lies down, so there was no raise"
    forfeit = ending == "forfeit" or stake == "1"
    if len(down) > 1 and forfeit:
        return "both teams lie down, so neither could forfeit"
    if forfeit and known.get("winner") in down:
        return f"{down[0]} lies down, and only it may forfeit, to the others"
    if down and ending and stake and (ending == "forfeit") != (stake == "1"):
        return "a forfeit counts 1, and a hand that was played 3"
    return ""


class Tally(TallyFacts):
    """What a hand of Envite is scored from."""

    winner: str | None = side("team that won the hand", rule="R12", asks="who won the hand")
    stake: str = read_by_the_page(
        {"stake": choice_of(
            "stones of the hand; what was scored if a raise was declined", 2, 4, 7, 9, "game", 3, 1, rule="R13",
        )},
        "", asks="what the stake was", said=True,
    )  # fmt: skip
    ending: str = choice(
        "how the hand ended", "played", "declined", "forfeit", "trawl", rule="R13", asks="how the hand ended",
    )

    laws = (Law(("stake", "ending"), stakes_that_cannot_be, "R7"),)


def tally(state: State[Hand]) -> Tally:
    hand, terms = state.hand, state.terms
    loser, ending = "", ""
    if hand.lost_by and is_a_trawl(state):
        loser, ending = terms.side_of[hand.lost_by], "trawl"
    elif hand.stakes.gave_up:
        loser, ending = hand.stakes.gave_up, "declined"
    elif hand.forfeits:
        loser, ending = hand.forfeits, "forfeit"
    doubtful, enough = may_have_lost(state), side_with_enough(state)
    winner = terms.other(loser) if loser else "" if any(terms.side_of[seat] == enough for seat in doubtful) else enough
    stake = hand.stakes.value if winner and hand.down is not None else ""
    t = apply_reported_facts(Tally(winner=winner or None, stake=stake, ending=ending), state)
    unknown_end = is_cut_short(state) or bool(doubtful)
    for facts in readable(state):
        if "stake" in facts:
            t.stake = str(facts["stake"]) if str(facts["stake"]) in (*STAKES, "1", "3") else ""
        unknown_end = unknown_end or facts.get("ending") == UNREAD
    if hand.down:
        # The stake follows from the winner.
        t.ending, t.stake = "forfeit" if t.stake == "1" else t.ending, "1" if t.ending == "forfeit" else "3"
    t.ending = t.ending or ("played" if t.winner and not unknown_end else "")
    return t


def worth(t: Tally, mine: int | None, theirs: int | None) -> tuple[int | None, bool | None, str]:
    """The stones for the winners, whether they win the game, and the sum; they had `mine`, the others `theirs`.

    >>> [worth(Tally("NS", *told), 6, 0)[:2] for told in (("4", "played"), ("4", "trawl"), ("game", "played"))]
    [(4, False), (5, False), (6, True)]
    >>> [worth(Tally("NS", "3", ending), 6, 11)[0] for ending in ("played", "forfeit", "trawl")]
    [3, 1, 5]
    """
    wins = t.stake == "game" and t.ending != "declined"
    if mine == LYING or (wins and theirs != LYING):
        return plus(GAME_AT, None if mine is None else -mine), True, "the game"
    if mine is None or theirs is None or not t.stake or not t.ending:
        return None, None, ""
    got, sums = int(t.stake) if theirs != LYING else AGAINST, t.stake
    if theirs == LYING:
        got = FORFEITED if t.ending == "forfeit" else AGAINST
        sums = "forfeited: 1" if t.ending == "forfeit" else f"{AGAINST} against a team that lies down"
    if t.ending == "trawl":
        got, sums = got + TRAWL, f"{sums} + {TRAWL} for the trawl"
    most = LYING - mine
    sums = f"{sums}, {most} up to {LYING}" if got > most else sums
    return min(got, most), False, sums


def stake_in_words(stake: str) -> str:
    """A stake as the sheet shows it; a question mark if unknown."""
    return {"": "?", "game": "the game"}.get(stake, stake)


def raised_so_far(stakes: Ladder) -> str:
    """What the hand in play counts, and the raise that is still to be answered."""
    return f"{counts_now(stakes)}, raised to {stake_in_words(stakes.value)}" if stakes.raiser else counts_now(stakes)


def counts_now(stakes: Ladder) -> str:
    """What the hand in play counts until a raise is answered."""
    return stake_in_words(stakes.steps[stakes.to - 1] if stakes.raiser else stakes.value)


def in_words(state: State[Hand], stake: str) -> str:
    """The trumps, and the stake unless a side lies down."""
    trump = GLYPHS.get(state.hand.trump, "")
    return trump if state.hand.down else f"{trump} {stake}".strip()


def stake_so_far(state: State[Hand]) -> str:
    """The same while the hand has no winner, for a frame in which it stands alone."""
    stakes = state.hand.stakes
    raised = f", raised to {stake_in_words(stakes.value)}" if stakes.raiser else ""
    return in_words(state, f"{counts_now(stakes)} at stake{raised}")


def what_is_missing(t: Tally) -> str:
    """What is missing for the score of a hand with a known winner."""
    if not t.stake:
        return "what the stake was"
    return "how many stones the teams had" if t.ending else "how the hand ended"


def score(state: State[Hand]) -> HandScore:
    t, terms, before = tally(state), state.terms, in_game(state.before)
    down = state.hand.down
    said_of = in_words(state, stake_in_words(t.stake)) if t.winner or state.tallies else stake_so_far(state)
    if nothing := counts_nothing(state, t.void, contract=said_of, unfinished=t.winner is None):
        return nothing
    nobody: Points = dict.fromkeys(terms.sides, 0)
    winner = t.winner or scorer_told(state)
    if not winner:
        unseen: Points = dict.fromkeys(nobody)
        stake = t.stake or ("" if state.tallies else state.hand.stakes.value)
        lines: tuple[ScoreLine, ...] = () if down == () and stake in STAKES[:-1] else (ScoreLine("game", unseen),)
        return hand_score(state, unseen, lines, contract=said_of, unknown=["who won the hand"])
    name, mine = terms.name(winner), before.totals[winner]
    got, wins, sums = worth(t, mine, before.totals[terms.other(winner)])
    if (told := points_told(state).get(winner)) is not None:
        # A game is won with its last stone, and no hand brings more.
        got, wins, sums = told, None if mine is None else mine + told >= GAME_AT, ""
    lines = (ScoreLine("stones", {**nobody, winner: got}, {winner: sums} if sums else {}),)
    if wins is not False:
        lines = (*lines, ScoreLine("game", {**nobody, winner: None if wins is None else 1}))
    missing = [] if got is not None else [what_is_missing(t)]
    notes = (f"{name} won the game, and {figure(plus(before.games[winner], 1))} in all",) if wins else ()
    how = {"declined": ", a raise declined", "forfeit": ", a forfeit", "trawl": ", by a trawl"}.get(t.ending, "")
    return hand_score(
        state, {**nobody, winner: got}, lines, contract=said_of, result=f"{name}{how}", notes=notes, unknown=missing
    )


# The match: the best of three games, each counted from zero
class Games(Standing, frozen=True):
    """The points of the game in play, or of the one just `ended`, and the games won by each side."""

    games: Points = field(default_factory=dict)
    ended: bool = False


def in_game(before: Standing) -> Games:
    """The standing of the game now in play: after a game that ended, a new one at zero."""
    assert isinstance(before, Games)
    return replace(before, totals=dict.fromkeys(before.totals, 0), ended=False) if before.ended else before


def after(before: Standing, hand: HandScore, terms: Terms) -> Games:
    """Add the points of a hand; count a game that is won. The side that wins more than half of the games wins."""
    now = in_game(before)
    game: Points = next((line.amounts for line in hand.lines if line.label == "game"), {})
    games, totals = add_points(now.games, game), add_points(now.totals, hand.points)
    if hand.source == "nothing" and None in hand.points.values():
        games = dict.fromkeys(games)
    ended = any(n == 1 for n in game.values())
    winner = next((one for one, n in games.items() if n is not None and n > terms.options.games // 2), "")
    return replace(
        now, totals=totals, games=games, ended=ended and not winner, winner=winner, over=bool(winner),
        hands=now.hands + 1,
    )


def games_in_words(before: Standing) -> dict[str, str]:
    """The number of games won by each side, for the headline; {} if none was won."""
    assert isinstance(before, Games)
    won = before.games
    # A list and not a generator, for speed: called at every event.
    return {
        "games": " ".join([f"{side} {figure(n)}" for side, n in won.items()])
    } if [n for n in won.values() if n != 0] else {}


# At the table
def speaks_or_leads(seat: str, state: State[Hand]) -> Iterator[Event]:
    """The words of a captain and the plays of the leader; also for a seat that may not act."""
    captains = state.hand.stakes.captains.values()
    if seat == state.terms.after(state.dealer) and state.phase != "answering":
        yield from try_lead_or_follow(seat, state)
    for who in (seat, state.terms.after(seat, 2)) if seat in captains else ():
        yield from each_step(who, state)
        yield Call(by=who, word="forfeit")


def weigh(state: State[Hand], event: Event) -> float:
    """Weights for the simulation: captains raise now and then, and seldom give up."""
    if isinstance(event, Bid):
        return 1.0 if stake_named(event) != "game" else 0.4
    if isinstance(event, Call):
        return 0.1 if event.word in ("decline", "forfeit") else 0.5
    # A trawl ends most hands, so it is rare.
    trick = state.hand.trick
    trawls = not trick.plays and isinstance(event, Play) and trick.suits.of[state.code(event.cards)] == state.hand.trump
    return 0.1 if trawls else 1.0


def headline(state: State[Hand]) -> dict[str, Any]:
    hand = state.hand
    down = hand.down
    shown: dict[str, Any] = {"trump": hand.trump} if hand.trump else {}
    shown |= {"lying down": " ".join(down)} if down else {"stake": raised_so_far(hand.stakes)}
    return shown | games_in_words(state.before)


SAID = (Play, Bid, Call)
GAME = Game(
    key="envite", name="Envite", family="tricks", summary=summary_of(__doc__),
    seating=seatings(partnerships(), teams(6, 8, 10, 12)), pack=PACK,
    dealing=Dealing(
        deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=shuffle_and_deal,
        counter_clockwise=lambda options: True,
    ),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=start,
    phases={
        "raising": Phase(
            "before the lead", SAID, "a raise by a captain (b 4), or the first card", to_do="lead or raise",
            one_card=True, bare=("game",), tries=(speaks_or_leads,),
        ),
        "answering": Phase(
            "a raise", SAID, "accept, decline or a higher raise; the first card accepts", to_do="answer", one_card=True,
            bare=("game",), tries=(speaks_or_leads,),
        ),
        "forfeiting": Phase(
            "lying down", SAID, "the first card, or forfeit", to_do="lead or forfeit", one_card=True, bare=("game",),
            tries=(speaks_or_leads,),
        ),
        "play": Phase(
            "play", SAID, "a card, or none", to_do="play", one_card=True, bare=("game",), tries=(plays_or_has_none,),
        ),
    },
    on={
        **TRICKS, Deal: on_upcard, Show: on_card_shown_late, Bid: on_bid, Call: on_call, Play: on_card_to_a_trawl,
        Move: on_gathered_early, HandEvent: begin_after_a_decision,
    },
    tally=Tally, compute_tally=tally, score=score, after=after,
    match=MatchRules(
        new_match=lambda terms: Games(totals=dict.fromkeys(terms.sides, 0), games=dict.fromkeys(terms.sides, 0))
    ),
    sheet=we_they({"stake": contract, "result": result_text}, {"{} ±": gained, "{}": running_total}),
    omissions=Omissions(
        unwritten=unwritten, belongs_to_finished_hand=still_of_a_trawl, may_be_over=may_be_over,
    ),
    shorthand=Shorthand(implied_actor=who_may_speak, led=suit_led),
    display=Display(headline=headline, last_outcome_text=just_taken, contract=stake_so_far),
    simulation=Simulation(weigh=weigh),
)  # fmt: skip
