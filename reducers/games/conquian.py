"""Conquian: two players meld what turns up, or let it go; no card ever comes into a hand, and eleven melded cards
win."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta, field
from msgspec.structs import replace

from events.cards import how_many
from events.model import Arrange, Call, Cards, Deal, Discard, Draw, End, Event, Fault, Gap, Meld, Move, Pass, Play
from events.model import Tally as TallyEvent
from reducers.page import (
    CONSEQUENCE, DUTY, RIGHT, Catalogue, Cell, CheckResult, DealSpec, Game, Dealing, Omissions, Shorthand, Display,
    Simulation, HandScore, Law, MatchRules, ScoreLine, Phase, Points, State, TallyFacts, as_many_as_dealt, bounded,
    broken, counts_nothing, deals_next, figure, figures, finish_hand, grows, hand_of, hand_score, ledger, number,
    apply_reported_facts, pack, pretty_all, result_text, rule, seat, shuffle_and_deal, signed, singles, summary_of,
    on_move, running_total, unknown, HouseRules, after_gap, ensure_dealt,
)  # fmt: skip
from reducers.pile_words import pile_in_words
from reducers.table import NOT_ON_TOP, NOT_THERE, TOO_MANY, TWICE, Pile, Trouble
from reducers.words.layouts import (
    LayoutChange, around_the_corner, arranged, can_lay, change, meld_in_order, all_layouts, lose_sight_of_top,
    groups_on_table, minus, moved, row_codes,
)  # fmt: skip
from reducers.words.melds import UNCOUNTED, Melds, no_meld
from reducers.words.rummy import (
    try_discards, first_turn, one_card, take_drawn, takes_back_the_discard, throw, top_code,
)  # fmt: skip
from reducers.words.scores import best_of_hands
from reducers.words.tallies import counts_from_tally, wins_with

# Setup
SEATS = singles(2)
PACK = pack("A 2 3 4 5 6 7 J Q K")
DEAL = DealSpec(each=10, rest="stock", empty=("upcard", "discard"))
UNSEEN = PACK.unknown

# Melding: sets of three or four, runs of three or more; the ace is low, the jack follows the seven
MELDS = Melds(PACK, {}, "A 2 3 4 5 6 7 J Q K")
OUT = 11

# Limit of the hidden hands that are searched, one by one, before a question is left open.
FEW = 300


class Options(HouseRules, frozen=True):
    """House rules of Conquian."""

    best_of: Annotated[int, Meta(ge=1, le=99, description="a match is the best of this many hands")] = 1
    force: Annotated[bool, Meta(description="a player can be made to meld a card that was passed")] = True
    hand_cards_with_rearrange: Annotated[
        Literal["free", "centre"],
        Meta(description="hand cards join any meld while a card is taken, or only its own meld"),
    ] = "free"
    stake: Annotated[int, Meta(ge=0, le=9999, description="what the loser of a hand pays")] = 0


PLAY, MELDING, FORCING, ENDING, SETUP = "Game play", "Melding", "Forcing", "Ending the hand", "Setup"
RULES = Catalogue(
    "conquian",
    rule("R1", PLAY, DUTY, "Whoever did not deal begins by turning up a card of the stock; then the players take "
         "turns, a card each.", "play in turn"),
    rule("R2", MELDING, DUTY, "A meld is a set, three or four cards of one rank, or a run, three or more cards of one "
         "suit that follow each other.", "a meld"),
    rule("R3", MELDING, DUTY, "In a run the ace stands below the two and never above the king; the jack follows the "
         "seven.", "ace low"),
    rule("R4", MELDING, DUTY, "Melding takes in the card in the centre; no meld is laid from the hand alone.",
         "with the centre card"),
    rule("R5", PLAY, DUTY, "A card from the centre goes into a meld at once, never into the hand.",
         "no card to the hand"),
    rule("R6", MELDING, DUTY, "Cards are added only to the player's own melds, never to those of the "
         "opponent.", "own melds"),
    rule("R7", MELDING, DUTY, "A player who takes a card may rearrange their own melds; every card in them stays on "
         "the table, in melds of three or more.", "whole melds left"),
    rule("R8", PLAY, DUTY, "A meld is followed by one discard from the hand, and nothing is discarded from it "
         "otherwise.", "discard after a meld"),
    rule("R9", PLAY, DUTY, "The discard is offered once, before the next card of the stock is turned up; one that was "
         "passed is dead.", "dead discard"),
    rule("R10", FORCING, DUTY, "A card may be let go; but a player who is forced to take it melds it if that is "
         "possible at all.", "meld when forced"),
    rule("R11", FORCING, RIGHT, "A card that a player passes can be forced on that player at once, if it can be "
         "melded.", "force"),
    rule("R12", ENDING, CONSEQUENCE, "Whoever has eleven cards in melds has won the hand.", "eleven melded"),
    rule("R13", ENDING, CONSEQUENCE, "When the stock has run out and no player is out, the hand is a "
         "draw.", "stock out"),
    rule("R14", SETUP, DUTY, "Both players are dealt ten cards; none is turned up yet.",
         "the deal", {Deal: as_many_as_dealt}),
)  # fmt: skip

READINGS = {
    "A player who melds the discard": "turns up no card in that turn; the player's own discard ends it",
    "Who may take the card turned up": "the player who turned it; it is offered to the opponent in the next turn, as "
    "the discard",
    "Both the offered and the turned card are passed": "only the one turned up is offered on",
    "An unrecorded pass": "a player who turns the next card has let the offered one go; one who turns, takes, passes "
    "or forces a card that the opponent turned shows that it was let go",
    "The card turned up, recorded as a discard of the player who turned it": "is a pass; so is an unseen discard "
    "then, or one of a card that may be the one turned up",
    "An unrecorded discard": "the opponent who takes a card before it has taken that one, whichever it was",
    "A layout that changes nothing": "takes in no card and is not an act; within a melding it only repeats what is on "
    "the table",
    "A card from under the discards": "was passed before and is dead, and is not on top either",
    "Hand cards beside the card taken": "any may join, in new melds or old ones, as long as each meld has the card "
    "taken or one from the table; option hand_cards_with_rearrange=centre: only the meld that takes the card",
    "Laying hand cards down without taking a card": "not allowed, and neither is rearranging",
    "Melding in several lines": "what is laid between taking the card and the discard is one melding",
    "What can be forced": "the offered discard as well as the card turned up; the forced player chooses how to meld it",
    "Until when it can be forced": "until the next act of play; later it has no effect",
    "Forced, and it cannot be melded": "the card stays passed, without further effect; that another meld would "
    "be better is not an excuse",
    "A forced card and a hidden hand": "the table goes by what the player says; the cards seen later show whether it "
    "was so",
    "The last card of the stock": "passed by the player who turned it, it is offered once more; passed again, it can "
    "no longer be forced, and the hand is a draw (two passes, or end hand draw)",
    "Runs longer than eight": "allowed, though they may leave no way to eleven",
    "After the eleventh card": "no discard follows",
    "An act against the rules": "the text has no penalty: it stands as it was done, until it is ruled on",
    "Each deal is a game of its own": "a hand won counts one, a draw nothing; option best_of for a match of several",
    "Who deals next": "the deal alternates; after a misdeal the same player deals again",
    "Laying down the same cards again": "a layout names all cards in front of its player; an unseen card of it is the "
    "one that was there",
}  # fmt: skip


class Hand:
    """The record of one hand of Conquian.

    `player`: the seat whose turn it is (empty after a gap). `centre`: the pile whose top card is to be melded or passed
    ("upcard", "discard", or none). `passed`: the player who has just let a card go, which may be forced now. `forced`:
    the phase to which the forced card belongs. `base`: the cards in front of the player, with the card taken;
    `perhaps`: it is unknown whether it was taken. `unsaid`: number of unrecorded passes. `asked`: cache
    of what a melding does: the act, its position, and the answer.
    """

    def __init__(self, state: State[Hand]) -> None:
        self.player = first_turn("turnup", state)
        self.centre = self.passed = self.forced = self.thrown = self.winner = ""
        self.base: list[int] = []
        self.melds: dict[str, int] = {}
        self.gap = self.perhaps = False
        self.unsaid = self.forces = 0
        self.asked: tuple[Event, int, Laid] | None = None


def other(seat: str, state: State[Hand]) -> str:
    return state.terms.next[seat][0]


def melds_of(seat: str, state: State[Hand]) -> dict[str, list[int]]:
    """The melds in front of a player: cards by name, oldest first."""
    return groups_on_table(state, f"meld:{seat}")


def cards_melded(seat: str, state: State[Hand]) -> list[int]:
    """The cards in front of a player, meld by meld."""
    return [c for codes in melds_of(seat, state).values() for c in codes]


def turns_up(act: Event) -> bool:
    return isinstance(act, Play) and act.src == "stock"


def throws(act: Event) -> bool:
    """Return True if a card goes from the hand to the discards."""
    return isinstance(act, Discard | Play) and act.src in ("", hand_of(act.by))


def lets_go(act: Event) -> bool:
    """Return True if the card turned up goes to the discards, by a pass or a discard."""
    return isinstance(act, Pass) or (isinstance(act, Discard | Play) and act.src == "upcard")


# Game play
@RULES.check("R1", Play, Pass, Arrange, Meld, Discard, Draw)
def play_in_turn(act: Event, state: State[Hand]) -> CheckResult | None:
    hand, seat = state.hand, act.by
    if state.settled or not hand.player:
        return None
    if seat == hand.player:
        if (hand.forced or state.phase) == "turned" and turns_up(act):
            return broken(f"{seat} has turned up a card in this turn already")
        if state.phase == "turnup" and not state.acts and isinstance(act, Pass):
            return broken("the hand begins with a card turned up")
        return None
    if state.phase == "turned" and (turns_up(act) or isinstance(act, Arrange | Meld | Pass)):
        return None  # the card turned up was let go without a line
    if state.phase == "discard":
        return owed(f"{hand.player} has melded and not discarded yet", state)
    if hand.forced:
        return broken(
            f"{hand.player} is forced to meld {PACK.shown(top_code(hand.centre, state))} and has not answered"
        )
    return broken(f"it is the turn of {hand.player}" if state.acts else f"{hand.player} did not deal and begins")


def owed(text: str, state: State[Hand]) -> CheckResult:
    """The verdict if a discard is owed; that may depend on an unseen card of the meld."""
    if state.hand.perhaps:
        return unknown("whether a discard was owed: a card of the meld, or of the centre, was not seen")
    held = state.holding(state.hand.player)
    if held.vague and not held.certain:
        return unknown(f"whether {state.hand.player} had a card left to discard: not counted")
    return broken(text)


@RULES.check("R9", Play, Pass)
def one_card_of_the_stock(act: Play | Pass, state: State[Hand]) -> CheckResult | None:
    if isinstance(act, Play) and turns_up(act) and how_many(act.cards) != 1:
        return one_card(act.cards, "turned up")
    if state.phase == "turnup" and state.acts and act.by == state.hand.player and lets_go(act):
        return broken("the discard was passed: the next card of the stock is turned up")
    return None


@RULES.check("R8", Play, Pass, Discard)
def one_discard_after_a_meld(act: Event, state: State[Hand]) -> CheckResult | None:
    hand, seat = state.hand, act.by
    if state.settled or not hand.player or seat != hand.player:
        return None
    if state.phase != "discard":
        if not throws(act) or (turned := of_the_upcard(act, state)):
            return None
        text = f"{seat} has melded nothing and discards nothing"
        return unknown(f"whether that is the card {seat} turned up") if turned is None else broken(text)
    if not throws(act):
        return owed(f"{seat} has melded and discards a card of the hand first", state)
    assert isinstance(act, Discard | Play)
    return one_card(act.cards, "discarded")


def of_the_upcard(act: Event, state: State[Hand]) -> bool | None:
    """True if a discard is the card its player has just turned up, which is so let go; None if unknown."""
    hand = state.hand
    if not isinstance(act, Discard) or act.src or (hand.forced or state.phase) != "turned" or act.by != hand.player:
        return False
    up, code = top_code("upcard", state), state.code(act.cards)
    if up < 0 or how_many(act.cards) not in (1, None):
        return False
    if code < UNSEEN and up < UNSEEN:
        return code == up
    in_hand = code < UNSEEN and bool(state.holding(act.by).known & PACK.field[code])
    return None if PACK.may_be_same(up, code) and not in_hand else False


@RULES.check("R5", Draw)
def no_card_into_the_hand(draw: Draw, state: State[Hand]) -> CheckResult | None:
    return broken(f"{draw.by} takes {pretty_all(draw.cards)} into the hand: a card from the centre is melded or passed")


def on_play(play: Play, state: State[Hand]) -> None:
    """Apply a play: a card of the stock is turned up; a card of the hand is a discard."""
    if not turns_up(play):
        on_discard(Discard(by=play.by, cards=play.cards, face=play.face, src=play.src), state)
        return
    table = state.table
    if state.phase == "turned":
        unwritten_pass(play.by, state)
    clear_centre(state)
    table.move(table.codes(play.cards), table.row("stock"), table.row("upcard"))
    set_turn(state, "turned", play.by, "upcard")


def on_pass(event: Pass, state: State[Hand]) -> None:
    """Apply a pass: the discard is dead, or the card turned up becomes the discard."""
    hand, seat = state.hand, event.by
    if hand.player != seat and state.phase == "turned" and hand.player == other(seat, state):
        unwritten_pass(seat, state)
        clear_centre(state)
        set_turn(state, "offer", seat, "discard")
    phase = hand.forced or state.phase
    if hand.player != seat and phase == "discard" and hand.player == other(seat, state):
        phase, hand.player = "offer", seat  # the owed discard is passed; it was not recorded
    if hand.player not in ("", seat):
        return
    if not hand.player:
        return  # after a gap it is unknown whether this was the card turned up or the discard
    if phase == "turned":
        clear_centre(state)
        set_turn(state, "offer", other(seat, state), "discard", passed=seat)
    elif phase == "offer":
        set_turn(state, "turnup", seat, passed=seat)
    else:
        perhaps = hand.perhaps
        set_turn(state, "turnup", other(seat, state))
        if perhaps:
            # The meld may not have taken the card of the centre: then it is passed now, and the turn goes on.
            hand.player, state.turn = "", state.terms.seats


def on_discard(discard: Discard, state: State[Hand]) -> None:
    """Apply a discard of the hand: the turn is over, and the card is offered."""
    table, seat = state.table, discard.by
    let_go = discard.src == "upcard" or of_the_upcard(discard, state)
    if let_go is not False:
        if state.code(discard.cards) < UNSEEN and top_code("upcard", state) >= UNSEEN:
            table.reveal(table.codes(discard.cards), table.row("upcard"))
        on_pass(Pass(by=seat), state)
        if let_go is None:
            # It may have been a card of the hand instead, which is now on top.
            table.row("discard").vague = state.holding(seat).vague = True
            if state.code(discard.cards) >= UNSEEN:
                lose_sight_of_top(table.row("discard"))
        return
    clear_centre(state)
    throw(discard, state)
    state.hand.thrown = seat
    # After a gap it may be the card turned up that is let go, and no discard.
    passed = seat if state.hand.gap and not state.hand.player and not discard.src else ""
    set_turn(state, "offer", other(seat, state), "discard", passed=passed)


def on_draw(draw: Draw, state: State[Hand]) -> None:
    """Apply a card taken into the hand, which no rule allows; a discard is then owed."""
    take_drawn(draw, state, "upcard" if top_code("upcard", state) >= 0 else "stock")
    state.hand.base = cards_melded(draw.by, state)
    set_turn(state, "discard", draw.by)


def unwritten_pass(by: str, state: State[Hand]) -> None:
    """Infer that a card was let go, as the opponent goes on. Noted once a hand, as it is the custom."""
    hand = state.hand
    hand.unsaid += hand.player not in ("", by)
    if hand.unsaid > 1:
        state.leave_out("passes")
    elif hand.unsaid and hand.player != by:
        shown = PACK.shown(top_code(hand.centre, state))
        state.infer(f"{hand.player} let {shown} go, as the next act shows; such passes need not be recorded")


def clear_centre(state: State[Hand]) -> None:
    """Move a card turned up that was not melded to the discards."""
    table = state.table
    upcard = table.row("upcard")
    if upcard.row:
        table.move(list(upcard.row[::-1]), upcard, table.row("discard"))


def set_turn(state: State[Hand], phase: str, player: str, centre: str = "", *, passed: str = "") -> None:
    """Set the turn and the phase. If a card is to be turned up and none is left, the hand is a draw."""
    hand = state.hand
    state.phase, state.turn = phase, (player,)
    hand.player, hand.centre, hand.passed, hand.forced, hand.perhaps = player, centre, passed, "", False
    if phase == "turnup" and not hand.gap and not (stock := state.table.row("stock")).row and not stock.vague:
        finish_hand(state)


# Melding
class Laid(LayoutChange):
    """What a melding does: the change in front of its player, and the card taken from the centre.

    `taken`: that card (`card`, in the pile `src`) is among those that came; None if unseen cards decide it. `dead`: it
    is a discard that was passed. `theirs`: cards that were in front of the opponent. `doubts`: by rule, the groups laid
    that would break it, with False for no meld and None for unknown.
    """

    taken: bool | None = False
    card: int = UNSEEN
    src: str = ""
    dead: bool = False
    theirs: tuple[int, ...] = ()
    doubts: dict[str, list[tuple[Cards, bool | None]]] = field(default_factory=dict)


def laid(act: Arrange | Meld, state: State[Hand], *, fold: bool = False) -> Laid:
    """What a meld or a layout would do; nothing is moved. With `fold` only what was seen so far counts, not what is
    proved later.

    Cached, as each rule asks about the same act; but not if it depends on what the hand may hold.
    """
    hand, seat = state.hand, act.by
    if hand.asked is not None and hand.asked[0] is act and hand.asked[1] == state.at:
        return hand.asked[2]
    card = top_code(hand.centre, state)
    found = change(act, state, f"meld:{seat}", hand.melds.get(seat, 0), MELDS, card, Laid)
    found.src, found.card = hand.centre, card
    if discard_missing(seat, state):
        found.src, found.card = "discard", UNSEEN
    found.theirs = lying_in_front_of_the_opponent(found, seat, state)
    found.doubts = doubts_about(found)
    hand.asked = (act, state.at, found) if found.card < UNSEEN else None
    find_centre(found, state, state.holding(seat), fold)
    return found


def lying_in_front_of_the_opponent(found: Laid, seat: str, state: State[Hand]) -> tuple[int, ...]:
    """The cards of a layout that are not known to be in the hand and are in melds of the opponent."""
    known = state.holding(seat).known
    foreign = [c for c in found.added if c < UNSEEN and c != found.card and not known & PACK.field[c]]
    lie_there = cards_melded(other(seat, state), state) if foreign else ()
    return tuple([c for c in foreign if c in lie_there])


def discard_missing(seat: str, state: State[Hand]) -> bool:
    """Return True if this player melds while the opponent's discard is missing: that may be the card taken."""
    return state.phase == "discard" and state.hand.player == other(seat, state) and not state.settled


def find_centre(found: Laid, state: State[Hand], pile: Pile, fold: bool) -> None:
    """Find out whether the centre card, or a discard that was passed before, is among those that came."""
    if found.card in found.added and found.card < UNSEEN:
        found.taken = True
        return
    dead = row_codes(state, "discard")
    dead = dead[:-1] if found.src == "discard" and found.card < UNSEEN else dead
    passed = next((c for c in reversed(dead) if c < UNSEEN and c in found.added), -1)
    if passed >= 0:
        found.taken, found.card, found.src, found.dead = True, passed, "discard", True
    elif found.card >= UNSEEN and found.added:
        # The centre card was not seen: a card that cannot come from the hand is it.
        held = dict[int, bool | None]()
        for c in found.added:
            if c < UNSEEN:
                held[c] = None if fold and not pile.known & PACK.field[c] else pile.any_of(PACK.field[c])
        may = [c for c in found.added if held.get(c) is not True and PACK.may_be_same(c, found.card)]
        must = [c for c in may if held.get(c) is False]
        found.taken = bool(must) or (None if may else False)
        found.card = must[0] if must else found.card
    elif found.card >= 0 and found.added and any(PACK.may_be_same(c, found.card) for c in unseen_now(found)):
        found.taken = None
    if not found.taken and found.card >= 0 and (found.more or found.unsure):
        found.taken = None  # an uncounted meld may have it, or had it before


def unseen_now(found: Laid) -> list[int]:
    """The unseen cards of the layout, if one of them need not have been there before."""
    unseen = [c for codes in found.piles.values() for c in codes if c >= UNSEEN]
    return unseen if found.murky else [c for c in found.added if c >= UNSEEN]


def doubts_about(found: Laid) -> dict[str, list[tuple[Cards, bool | None]]]:
    """The groups that are no melds, by rule: R7 for what was left over, R3 for runs around the corner, else R2."""
    lay = [sorted(codes) for codes in found.old.values()]
    doubts = dict[str, list[tuple[Cards, bool | None]]](R2=[], R3=[], R7=[])
    for name, codes in found.piles.items():
        loose = name in found.uncounted
        if (not codes and not loose) or (sorted(codes) in lay and (not loose or found.unsure)):
            continue  # an unchanged group was checked when it was laid
        group = (*(PACK.tokens[c] for c in codes), *((UNCOUNTED,) if loose else ()))
        answer = MELDS.is_meld(group)
        if answer is not True:
            new = minus(codes, found.before)
            left_over = not new and not (loose and found.more)
            if answer is False and new and all(c >= UNSEEN for c in new):
                # A card that was not seen may have lain there: then the group is left over.
                doubts["R7"].append((group, None))
                answer = None
            doubts["R7" if left_over else "R3" if around_the_corner(codes, MELDS) else "R2"].append((group, answer))
    return doubts


@RULES.check("R2", Arrange, Meld)
def melds_are_melds(act: Arrange | Meld, state: State[Hand]) -> CheckResult | None:
    return no_meld(laid(act, state).doubts["R2"], "is neither a set nor a run")


@RULES.check("R3", Arrange, Meld)
def the_ace_is_low(act: Arrange | Meld, state: State[Hand]) -> CheckResult | None:
    return no_meld(laid(act, state).doubts["R3"], "is not a run: the ace is low")


@RULES.check("R7", Arrange, Meld)
def what_lay_there_stays_in_melds(act: Arrange | Meld, state: State[Hand]) -> CheckResult | None:
    found, going_on = laid(act, state), state.phase == "discard"
    gone = [c for c in found.freed if c < UNSEEN]
    if going_on and act.by == state.hand.player:
        gone = [c for c in gone if c in state.hand.base]
    if gone and not state.hand.gap:
        if found.more or found.unsure:
            return unknown("which cards stay on the table: not counted")
        return broken(f"{act.by} had {pretty_all(PACK.tokens[c] for c in gone)} in front, which stays on the table")
    takes_one = found.added or found.told or going_on or found.more or found.unsure
    if not takes_one and moved(found, state):
        return broken("melds are rearranged only to take a card")
    return no_meld(found.doubts["R7"], "is left over and no meld")


@RULES.check("R4", Arrange, Meld)
def melds_take_in_the_centre_card(act: Arrange | Meld, state: State[Hand]) -> CheckResult | None:
    hand, found = state.hand, laid(act, state)
    going_on = state.phase == "discard" and act.by == hand.player
    if hand.gap or (not found.added and not going_on and not found.more):
        idle = not (hand.gap or found.freed or found.told or found.unsure or moved(found, state))
        return broken("no card is laid: all of them are there already, and no card is taken") if idle else None
    if found.taken is False and not going_on and not found.covered and all(c < UNSEEN for c in found.freed):
        seen = 0 <= found.card < UNSEEN
        takes = f"must take in the {PACK.shown(found.card)}" if seen else "takes in a card of the centre"
        return broken(f"a meld {takes}; nothing is laid from the hand alone")
    anchors = set(hand.base if going_on else found.before)
    centre = -1 if going_on else found.card
    loose = [codes for codes in found.piles.values() if codes and not anchors & set(codes) and centre not in codes]
    counted = not (found.more or found.unsure)
    house = state.terms.options.hand_cards_with_rearrange == "centre"
    if found.taken is not None and house:
        new = set(minus(found.added, [centre]))
        with_it = hand.base[-1] if going_on and hand.base else centre
        apart = [codes for codes in found.piles.values() if new & set(codes) and with_it not in codes]
        loose += [codes for codes in apart if codes not in loose]
    if found.murky or any(c >= UNSEEN for c in found.freed):
        return unknown("which of the cards laid were there before: one of those was not seen")
    if not loose:
        open_ = found.taken is None and not going_on
        return unknown("whether the card of the centre was taken: a card was not seen") if open_ else None
    hidden = any(c >= UNSEEN for codes in loose for c in codes)
    doubtful = (found.taken is None and len(loose) == 1) or hidden or not counted
    text = pretty_all(PACK.tokens[c] for c in loose[-1])
    if doubtful:
        return unknown(f"whether {text} takes in a card from outside the hand: a card was not seen")
    if house:
        return broken(f"{text}: by the house rule hand cards join only the meld that takes the card")
    return broken(f"{text}: it is laid from the hand alone")


@RULES.check("R9", Arrange, Meld)
def a_passed_discard_is_dead(act: Arrange | Meld, state: State[Hand]) -> CheckResult | None:
    found = laid(act, state)
    if found.dead and not state.hand.gap:
        lies = (
            ""
            if found.card == top_code("discard", state)
            else f"; it is under {PACK.shown(top_code('discard', state))}"
        )
        return broken(f"{PACK.shown(found.card)} was let go before and is dead{lies}")
    return None


@RULES.check("R6", Arrange, Meld)
def own_melds_only(act: Arrange | Meld, state: State[Hand]) -> CheckResult | None:
    names = [act.to] if isinstance(act, Meld) else [name for name, _ in act.piles]
    theirs = [name for name in names if name.startswith(f"meld:{other(act.by, state)}:")]
    if theirs:
        return broken(f"{theirs[0]} is in front of the opponent")
    taken = laid(act, state).theirs
    lie = "lies" if len(taken) == 1 else "lie"
    return broken(f"{pretty_all(PACK.tokens[c] for c in taken)} {lie} in front of the opponent") if taken else None


def on_melding(act: Arrange | Meld, state: State[Hand]) -> None:
    """Apply a melding; with eleven cards the hand is won, else a discard is owed."""
    hand, seat = state.hand, act.by
    found = laid(act, state, fold=True)
    hand.asked = None  # it changes with the cards moved now
    going_on = state.phase == "discard" and seat == hand.player
    if state.phase == "turned":
        unwritten_pass(seat, state)
    if found.src == "discard" and not found.dead and found.taken is not False and discard_missing(seat, state):
        thrower = other(seat, state)
        state.table.move([UNSEEN], state.holding(thrower), state.table.row("discard"))
        state.infer(f"{thrower} threw a card before this, which {seat} takes (not recorded)")
    hand.passed = ""
    doubtful, before = found.hidden, len(state.table.trouble)
    put(found, act, state)
    if doubtful:
        which_is_which(found, going_on, before, state, seat)
    if found.taken is not False or hand.gap or doubtful:
        hand.base = [*found.before, found.card]
    elif not going_on:
        return
    if len(cards_melded(seat, state)) >= OUT:
        hand.winner = hand.player = seat
        finish_hand(state)
    elif len(state.holding(seat)) or state.holding(seat).vague:
        guessed = found.taken is None or bool(found.uncounted) or doubtful
        perhaps = guessed or (hand.perhaps if going_on else found.taken is False)
        set_turn(state, "discard", seat)
        hand.perhaps = perhaps
    else:
        clear_centre(state)
        set_turn(state, "turnup", other(seat, state))


def which_is_which(found: Laid, going_on: bool, before: int, state: State[Hand], seat: str) -> None:
    """Handle unseen cards of a melding: which were there before, and which came from the centre, is a guess.

    If the guess is impossible, the fault is not one of the record.
    """
    table, pile = state.table, state.holding(seat)
    wrong = [t for t in table.trouble[before:] if t.rule in (TWICE, TOO_MANY, NOT_THERE)]
    left = bool(found.src) and not going_on and bool(row_codes(state, found.src))
    if wrong:
        table.trouble[before:] = [t for t in table.trouble[before:] if t not in wrong]
        table.lose_sight(pile)
    if left:
        lose_sight_of_top(table.row(found.src))
    if not going_on and pile.half:
        # One of these may have been laid, or still be there, instead of the assumed centre card.
        pile.unseen, pile.half = pile.unseen + len(pile.half), ()
    pile.vague = pile.vague or left


def put(found: Laid, act: Event, state: State[Hand]) -> None:
    """Move the cards: those freed to the hand, those that stay from meld to meld, the others from centre and hand."""
    table, hand, seat = state.table, state.hand, act.by
    pile = state.holding(seat)
    names = list(dict.fromkeys((*found.old, *found.piles)))
    if len(found.before) > PACK.size:
        return  # a meld cannot have more cards than the pack
    numbers = [n.removeprefix(f"meld:{seat}:") for n in names]
    hand.melds[seat] = max([hand.melds.get(seat, 0), *(int(n) for n in numbers if n.isdigit())])
    stays: list[int] = []
    for name in names:
        row = table.row(name).row
        assert row is not None
        for code in list(row) if found.freed else ():
            if code in found.freed:
                found.freed.remove(code)
                table.move_one(code, table.row(name), pile)
        stays += row
        row.clear()
    doubtful = centre_unseen(found, pile, state)
    if found.dead and found.card != (above := top_code("discard", state)):
        # Two findings: the rule's is about the player, the table's about the record; neither card need be wrong.
        lies = f"{PACK.shown(found.card)} is in the discard pile under {PACK.shown(above)}"
        text = f"{lies}, and only the card on top can be taken"
        table.trouble.append(Trouble(NOT_ON_TOP, text))
    theirs = taken_from_the_opponent(found, act, state)
    for dst, place, code in lay_each(found, stays, doubtful, theirs, pile, state):
        table.tell_order([*[UNSEEN] * place, code], dst)
    for code in stays:
        # It is among the unseen ones, and one more unseen card than it seemed came from the hand: the count stays
        # right.
        table.located -= PACK.unit[code] if code < UNSEEN else 0
        table.lay([UNSEEN], pile)
    if found.uncounted or found.unsure:
        if found.taken is None and found.src and row_codes(state, found.src):
            lose_sight_of_top(table.row(found.src))  # an uncounted meld may have it
        for name in names:
            table.row(name).vague = name in found.uncounted
        pile.vague = pile.vague or found.more


def paired(found: Laid, stays: Sequence[int]) -> dict[int, int]:
    """The cards named now that were there unseen, each with the unseen card that it is taken for."""
    lay_there = dict[int, int]()
    if not found.covered:
        return lay_there
    named = {*found.murky, *(code for _, code in found.told)}
    for code in sorted(c for c in named if c not in stays):
        left = minus([c for c in found.covered if c >= UNSEEN], list(lay_there.values()))
        still = minus(stays, list(lay_there.values()))
        fits = [c for c in left if c in still and PACK.may_be_same(c, code)]
        if fits and not (code == found.card and found.src):
            lay_there[code] = fits[0]
    return lay_there


def lay_each(
    found: Laid, stays: list[int], doubtful: Sequence[int], theirs: Mapping[int, Pile], pile: Pile, state: State[Hand]
) -> list[tuple[Pile, int, int]]:
    """Move each card of the layout to its place, and remove those that were there from `stays`. Return the cards that
    are named only afterwards, each with its pile and place."""
    table = state.table
    lay_there = paired(found, stays)
    hidden: list[tuple[Pile, int, int]] = []
    from_centre = False
    for name, codes in found.piles.items():
        dst = table.row(name)
        assert dst.row is not None
        for code in codes:
            if code < UNSEEN and code in stays:
                stays.remove(code)
                dst.row.append(code)
            elif found.covered and (kept := resting(code, found, stays, lay_there)) >= 0:
                # It is among the unseen ones from now on, in an unknown place; or a named card was there unseen.
                lay_there.pop(code, None)
                found.covered.remove(kept)
                stays.remove(kept)
                table.located -= PACK.unit[kept] if kept < UNSEEN else 0
                table.since[name] = table.now
                dst.row.append(code if code >= UNSEEN else UNSEEN)
                table.glimpsed |= code > UNSEEN
                hidden += [(dst, len(dst.row) - 1, code)] if code < UNSEEN else []
            elif code in theirs:
                table.move_one(code, theirs[code], dst)
            elif found.src and found.taken is not False and not doubtful and code == found.card:
                table.move_one(code, table.row(found.src), dst)
                found.card, found.src = top_code(name, state), ""
            elif code in doubtful:
                hidden.append((dst, len(dst.row), code))
                table.move_one(UNSEEN, pile if from_centre else table.row(found.src), dst)
                from_centre = True
            elif code in found.murky:
                hidden.append((dst, len(dst.row), code))
                table.move_one(UNSEEN, pile, dst)
            elif code >= UNSEEN and found.taken is None and PACK.may_be_same(code, top_code(found.src, state)):
                lose_sight_of_top(table.row(found.src))
                state.infer("a card of the meld was not seen; it is taken to be the one from the centre")
                table.move_one(code, table.row(found.src), dst)
                found.src = ""
            else:
                table.move_one(code, pile, dst)
    return hidden


def taken_from_the_opponent(found: Laid, act: Event, state: State[Hand]) -> dict[int, Pile]:
    """The cards of a layout that are in front of the opponent, and their piles. The rule's finding is about the player,
    the table's about the record; neither card need be wrong."""
    opponent = other(act.by, state)
    if not found.theirs or (isinstance(act, Meld) and act.to.startswith(f"meld:{opponent}:")):
        return {}
    piles = [state.table.row(name) for name in melds_of(opponent, state)]
    theirs = {c: pile for pile in piles for c in found.theirs if c in (pile.row or ())}
    for code, pile in theirs.items():
        text = f"{PACK.shown(code)} is not among the cards of {act.by}: it is in {pile_in_words(pile.name)}"
        state.table.trouble.append(Trouble(NOT_THERE, text))
    return theirs


def resting(code: int, found: Laid, stays: Sequence[int], lay_there: Mapping[int, int]) -> int:
    """The card there before that this one is now: the one it was paired with, or for an unseen card any that it may be;
    -1 if there is none."""
    if code in lay_there:
        fits = [lay_there[code]] if lay_there[code] in found.covered else []
    else:
        others = minus(found.covered, list(lay_there.values())) if code >= UNSEEN else []
        fits = [c for c in others if PACK.may_be_same(c, code)]
    return next((c for c in fits if c in stays), -1)


def centre_unseen(found: Laid, pile: Pile, state: State[Hand]) -> list[int]:
    """The cards that may have been the unseen centre card; empty if it is known.

    Later knowledge of the hand must not change what the table knows now, so only seen cards count here.
    """
    if found.taken is False or not found.src or top_code(found.src, state) < UNSEEN:
        return []
    fit = [c for c in found.added if PACK.may_be_same(c, top_code(found.src, state))]
    if any(c >= UNSEEN for c in fit):
        return []
    may = [c for c in fit if not pile.known & PACK.field[c]]
    if not (pile.unseen or pile.half or pile.vague):
        found.card = may[0] if may else found.card
        return []
    return may


# Forcing
def forcible(by: str, state: State[Hand]) -> str:
    """The phase to which the card belongs that this player may force on the opponent; empty if there is none."""
    hand, them = state.hand, other(by, state)
    if hand.passed == them:
        return "offer" if state.phase == "turnup" else "turned"
    return state.phase if state.phase in ("offer", "turned") and hand.player == them else ""


def can_meld(seat: str, code: int, state: State[Hand]) -> bool | None:
    """True if a player could meld this card, with hand and melds as they are; None if hidden cards decide it."""
    if not 0 <= code < UNSEEN or state.hand.gap:
        return None
    pile, lying_there = state.holding(seat), cards_melded(seat, state)
    counted = not any(state.table.piles[name].vague for name in melds_of(seat, state))
    alone = state.terms.options.hand_cards_with_rearrange == "centre"
    unit = PACK.unit[code]
    sees = [(f, pile.any_of(f)) for f in PACK.field]
    sure = sum(f for f, holds in sees if holds)
    perhaps = sum(f for f, holds in sees if holds is None)
    if any(c >= UNSEEN for c in lying_there) or not counted:
        # A meld on the table was not fully seen: only a new meld can be sure.
        return True if can_lay(MELDS, unit, sure) else None
    must = unit | sum(PACK.unit[c] for c in lying_there)
    if can_lay(MELDS, must, sure, first=unit, alone=alone):
        return True
    slots = PACK.size if pile.vague else pile.hidden
    if not perhaps or not can_lay(MELDS, must, sure, perhaps, slots, first=unit, alone=alone):
        return False
    holdings = pile.possible_holdings(FEW)
    if holdings is None:
        return None
    answers = {can_lay(MELDS, must, bag, first=unit, alone=alone) for bag in holdings}
    return answers.pop() if len(answers) == 1 else None


def needed(seat: str, code: int, state: State[Hand]) -> int:
    """The fewest cards of a hand (a bag) that meld this card; 0 if that is known by elimination alone."""
    held, unit = state.holding(seat).certain, PACK.unit[code]
    lying_there = sum(PACK.unit[c] for c in cards_melded(seat, state) if c < UNSEEN)
    ways = all_layouts(MELDS, unit | lying_there, held, first=unit)
    return min((sum(way) & held for way in ways), key=int.bit_count, default=0)


@RULES.check("R10", Pass, Play, Discard, Draw)
def meld_when_forced(act: Event, state: State[Hand]) -> CheckResult | None:
    hand, seat = state.hand, act.by
    if not hand.forced or seat != hand.player:
        return None
    code = top_code(hand.centre, state)
    answer = can_meld(seat, code, state)
    if answer is False:
        return None
    if answer is None:
        return unknown(f"whether {seat} could meld {PACK.shown(code)}")
    text = f"{seat} is forced to take {PACK.shown(code)} and can meld it"
    return broken(text, needed(seat, code, state), seat, together=True)


@RULES.check("R11", Call)
def force_what_can_be_melded(call: Call, state: State[Hand]) -> CheckResult | None:
    if call.word != "force":
        return None
    if not state.terms.options.force:
        return broken("by the house rule no player is forced")
    hand, them = state.hand, other(call.by, state)
    if not forcible(call.by, state):
        # After a gap a pass may be missing, until an act shows again whose turn it is.
        return broken(f"{them} has not just passed a card") if hand.player or not hand.gap else None
    code = top_code("discard" if hand.passed == them else hand.centre, state)
    answer = can_meld(them, code, state)
    if answer is None:
        return unknown(f"whether {them} can meld {PACK.shown(code)}")
    held = state.holding(them).certain
    return None if answer else broken(f"{them} cannot meld {PACK.shown(code)}", held, them, together=True)


@RULES.check("R11", Fault)
def a_force_denied(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """Check a fault by which the table let a force drop."""
    hand = state.hand
    if fault.word != "no-force" or not state.number or not hand.forced:
        return None
    code = top_code(hand.centre, state)
    answer = can_meld(hand.player, code, state)
    if answer is None:
        return unknown(f"whether {hand.player} can meld {PACK.shown(code)}")
    return broken(f"{hand.player} can meld {PACK.shown(code)} and had to") if answer else None


def on_call(call: Call, state: State[Hand]) -> None:
    """Apply a force: the opponent has to take the card just passed. Too late it has no effect."""
    hand, them = state.hand, other(call.by, state)
    phase = forcible(call.by, state)
    if call.word != "force" or not phase or not state.terms.options.force or state.settled:
        return
    centre = "discard" if hand.passed == them else hand.centre
    if not hand.passed:
        unwritten_pass(call.by, state)
    set_turn(state, "forced", them, centre)
    hand.forced = phase
    hand.forces += 1


def on_fault(fault: Fault, state: State[Hand]) -> None:
    """Apply a fault that drops a force: the card may be let go."""
    hand = state.hand
    if fault.word == "no-force" and state.number and hand.forced and state.phase == "forced":
        set_turn(state, hand.forced, hand.player, hand.centre)
        hand.forces -= 1


# Irregular: taking back, and gaps
def on_taking_back(move: Move, state: State[Hand]) -> None:
    """Apply cards taken back: the discard is owed again; a card put back to the centre is to be decided on again."""
    on_move(move, state)
    if not state.number or state.settled:
        return
    if takes_back_the_discard(move, state):
        set_turn(state, "discard", state.hand.thrown)
    elif move.src.startswith("meld:") and move.to in ("upcard", "discard"):
        set_turn(state, "turned" if move.to == "upcard" else "offer", move.by, move.to)


# Scoring: a hand won counts one
def a_draw_without_a_stock(known: Mapping[str, Any], state: State[Hand]) -> str:
    drawn_early = known.get("winner") == "draw" and known.get("stock")
    return f"with {known['stock']} cards left in the stock the hand goes on" if drawn_early else ""


class Tally(TallyFacts):
    """What a hand is scored from: the winner (a seat, or "draw"), and for the sheet the cards on the table."""

    winner: str = seat(
        "the seat that was out first, or draw", "draw", rule="R12", asks="who won the hand",
        ruling="who counts as the winner of the hand",
    )  # fmt: skip
    table: Points = grows(figures(
        "cards a player had melded", 0, OUT, rule="R12", says=f"no player melds more than {OUT} cards or less than none"
    ))
    stock: int | None = bounded(
        lambda state: {"": None if (pile := state.table.row("stock")).vague else range(len(pile) + 1)},
        number("cards left in the stock", 0, PACK.size - 2 * DEAL.each),
    )
    forces: int | None = bounded(
        lambda state: {"": state.hand.forces}, number("how often a player was forced", 0),
    )

    laws = (
        Law(("winner", "table"), wins_with(OUT, "table", "melded"), "R12"),
        Law(("winner", "stock"), a_draw_without_a_stock, "R13"),
    )  # fmt: skip


WORDS = {
    "force": "call: the opponent must meld the card just passed",
    "cannot": "typed for the pass of a player who is forced and has no meld",
    "no-force": "fault: the table let a force drop",
    "draw": "end: the stock is out, and no player takes the last card",
}


@RULES.check("R2", TallyEvent)
def three_cards_at_least(event: TallyEvent, state: State[Hand]) -> CheckResult | None:
    told = counts_from_tally("table", [event.facts])
    few = [f"{who} {n}" for who, n in told.items() if n in (1, 2) and who in state.terms.seats]
    return broken(f"melds have three cards or more: {', '.join(few)} cannot be") if few else None


@RULES.check("R13", End)
def no_draw_before_the_stock_is_out(end: End, state: State[Hand]) -> CheckResult | None:
    left = state.table.piles.get("stock")
    if end.what != "hand" or end.why != "draw":
        return None
    if state.number and state.hand.winner:
        return broken(f"{state.hand.winner} has {OUT} cards on the table and won")
    if state.settled or left is None or left.vague or not left.row:
        return None
    return broken(f"with {len(left)} cards left in the stock the hand goes on")


def tally(state: State[Hand]) -> Tally:
    hand, seats = state.hand, state.terms.seats
    uncounted = {s for s in seats if any(state.table.piles[meld].vague for meld in melds_of(s, state))}
    melded: Points = {s: None if s in uncounted else len(cards_melded(s, state)) for s in seats} if state.acts else {}
    t = Tally(hand.winner, melded)
    if state.settled and not hand.winner and state.stop_reason in ("", "draw") and not state.tallies:
        t.winner = "draw"
    if state.settled and state.acts and not state.table.row("stock").vague:
        t.stock = len(state.table.row("stock"))
    return apply_reported_facts(t, state)


def score(state: State[Hand]) -> HandScore:
    """One point for the winner; none for a draw, or a hand that does not count."""
    t, seats = tally(state), state.terms.seats
    known = t.winner in (*seats, "draw")
    if nothing := counts_nothing(state, t.void, unfinished=not known, then="nobody won"):
        return nothing
    if not known:
        return hand_score(state, dict.fromkeys(seats), unknown=["who won the hand"])
    points: Points = {s: int(s == t.winner) for s in seats}
    lines = [ScoreLine("hand", points)]
    if t.table:
        lines.append(ScoreLine("melded", {s: t.table.get(s) for s in seats}, column="cards"))
    stake = state.terms.options.stake
    if stake and t.winner in seats:
        paid: Points = {s: stake if s == t.winner else -stake for s in seats}
        lines.append(ScoreLine("stake", paid, column="stake"))
    came_of_it = "a draw" if t.winner == "draw" else f"{state.terms.name(t.winner)} is out"
    return hand_score(state, points, lines, result=came_of_it)


BEST_OF = best_of_hands(lambda terms: terms.options.best_of)


# The sheet: hands won, and the stakes with them
def melded(s: HandScore, who: str, state: State[Hand]) -> Cell:
    """The number of cards in front of a player; marked if the hand was won."""
    line = next((line for line in s.lines if line.label == "melded"), None)
    return Cell("–" if line is None else figure(line.amounts[who]), "", "won" if s.points.get(who) else "")


def money(s: HandScore, who: str, state: State[Hand]) -> Cell:
    """The stakes won or lost so far, with those of the hand as its sum."""
    stakes = [(hand, line) for hand in state.scores for line in hand.lines if line.label == "stake"]
    so_far = [line.amounts[who] for hand, line in stakes if hand.number <= s.number]
    now = "".join(signed(line.amounts[who]) for hand, line in stakes if hand.number == s.number)
    return Cell(signed(sum(n or 0 for n in so_far)), now)


HANDS = {"{} melded": melded, "{}": running_total}


# What may be done now
def turns_the_next(who: str, state: State[Hand]) -> Iterator[Event]:
    if top_code("stock", state) >= 0:
        yield Play(by=who, cards=(PACK.tokens[top_code("stock", state)],), src="stock")


def passes_or_melds(who: str, state: State[Hand]) -> Iterator[Event]:
    yield Pass(by=who)
    yield from layouts_with(who, top_code(state.hand.centre, state), state)


def forces(who: str, state: State[Hand]) -> Iterator[Event]:
    if state.hand.passed == other(who, state):
        yield Call(by=who, word="force")


def layouts_with(seat: str, code: int, state: State[Hand]) -> Iterator[Arrange]:
    """Every layout that takes this card in; then a few plausible ones that are illegal."""
    lying_there = cards_melded(seat, state)
    vague = any(state.table.piles[name].vague for name in melds_of(seat, state))
    if not 0 <= code < UNSEEN or vague or any(c >= UNSEEN for c in lying_there):
        return
    unit, held = PACK.unit[code], state.holding(seat).certain
    must, seen = unit | sum(PACK.unit[c] for c in lying_there), list[tuple[int, ...]]()
    alone = state.terms.options.hand_cards_with_rearrange == "centre"
    for way in all_layouts(MELDS, must, held, first=unit, alone=alone):
        seen.append(way)
        yield arranged(seat, way, PACK)
    table = tuple(PACK.bag(PACK.faces[c] for c in codes) for codes in melds_of(seat, state).values())
    wrong = [(*table, meld) for meld in MELDS.melds_in(held)[:2]]
    wrong += [(*table, unit | card) for card in list(map(PACK.unit.__getitem__, PACK.codes(held)))[:1]]
    wrong += [tuple(m & ~(1 << m.bit_length() - 1) for m in way) for way in seen[:1] if table]
    yield from (arranged(seat, way, PACK) for way in wrong if way not in seen and all(way))


def expand_shorthand(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """The meaning of a bare card: the next one turned up, or the discard after a meld; melds become a whole layout."""
    hand, them = state.hand, other(event.by, state)
    if isinstance(event, Play | Draw) and not event.src and len(event.cards) > 1:
        return as_layouts(Meld(by=event.by, groups=(event.cards,)), state)
    if isinstance(event, Play | Draw) and not event.src:
        if state.phase == "discard":
            return (Discard(by=event.by, cards=event.cards),)
        by = them if state.phase == "turned" and event.by == hand.player else event.by
        return (Play(by=by, cards=event.cards, src="stock"),)
    up = top_code("upcard", state)
    let_go = isinstance(event, Discard) and state.phase == "turned" and state.code(event.cards) == up < UNSEEN
    if let_go or (isinstance(event, Call) and event.word == "cannot"):
        return (Pass(by=event.by),)
    if isinstance(event, Call) and event.word == "force" and not forcible(event.by, state):
        return (replace(event, by=them),)
    return as_layouts(event, state) if isinstance(event, Meld) else (event,)


def as_layouts(meld: Meld, state: State[Hand]) -> tuple[Event, ...]:
    """The whole layout after new melds, or after cards added to each meld that takes them."""
    old = melds_of(meld.by, state)
    if any(c >= UNSEEN for codes in old.values() for c in codes) or meld.src:
        return (meld,)
    lay = [tuple(PACK.tokens[c] for c in codes) for codes in old.values()]
    if meld.to and meld.to not in old:
        return (meld,)
    if not meld.to and state.phase == "discard" and how_many(meld.groups[0]) == 1:
        return ()  # a single card typed now is the discard
    ways = [lay]
    for group in meld.groups:
        new = not meld.to and MELDS.is_meld(group) is not False
        fit = [i for i, name in enumerate(old) if name == meld.to or (not meld.to and MELDS.fits(lay[i], group))]
        ways = [[*way, group] for way in ways if new] or [
            [meld_in_order((*m, *group), PACK) if i == k else m for k, m in enumerate(way)] for way in ways for i in fit
        ]
    return tuple(Arrange(by=meld.by, groups=tuple(way)) for way in ways) or (meld,)


def quiet(state: State[Hand]) -> Event | None:
    """What a lone `.` means: the card is let go, or an unseen card is turned up or discarded."""
    if not state.turn:
        return None
    seat = state.turn[0]
    if state.phase == "turnup":
        return Play(by=seat, cards=("??",), src="stock")
    return Discard(by=seat, cards=("??",)) if state.phase == "discard" else Pass(by=seat)


def headline(state: State[Hand]) -> dict[str, Any]:
    """The height of the stock, the card to be decided on, and the cards melded by each player."""
    hand = state.hand
    told: dict[str, Any] = {"stock": len(state.table.row("stock"))} if state.acts else {}
    if hand.centre and not state.settled:
        told["forced" if hand.forced else "offered"] = f"{PACK.shown(top_code(hand.centre, state))} to {hand.player}"
    return told | {f"{seat} melded": n for seat in state.terms.seats if (n := len(cards_melded(seat, state)))}


def last_outcome_text(state: State[Hand]) -> str:
    """The player who is forced, or who has just melded."""
    hand = state.hand
    if state.settled:
        return "" if hand.winner or state.stop_reason or state.tallies else "the stock is out"
    if hand.forced:
        return f"{PACK.shown(top_code(hand.centre, state))} is forced on {hand.player}"
    return f"{hand.player} has {len(cards_melded(hand.player, state))} melded" if state.phase == "discard" else ""


# Simulation: meld what can be melded, keep what goes together, force now and then
def weigh(state: State[Hand], event: Event) -> float:
    if isinstance(event, Arrange):
        return float(sum(map(len, event.groups))) ** 2
    if isinstance(event, Discard):
        code = state.code(event.cards)
        near = sum(1 for m in MELDS.partners(code) if m & state.holding(event.by).certain)
        return 1.0 / (1 + near) ** 2
    return {Call: 3.0, Play: 1.0}.get(type(event), 4.0)


ACTS = (Pass, Play, Arrange, Meld, Discard, Draw, Call)
TAKE = (
    "a pass (.), a meld of it (m 5c6c7c, m 8c onto the meld it fits, arrange 5c6c7c/QdQhQs for all cards there now)"
)
GAME = Game(
    key="conquian", name="Conquian", family="rummy", summary=summary_of(__doc__),
    seating=SEATS, pack=PACK,
    dealing=Dealing(deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=shuffle_and_deal),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=Hand,
    phases={
        "turnup": Phase(
            "turning up", ACTS,
            "the card turned up from the stock (5c); force, if the opponent has just passed one",
            default_act=quiet, to_do="turn up", tries=(turns_the_next, forces),
        ),
        "offer": Phase(
            "the discard", ACTS, f"{TAKE}, or straight the next card turned up (5c)",
            default_act=quiet, to_do="take the discard or turn up", tries=(turns_the_next, passes_or_melds, forces),
        ),
        "turned": Phase(
            "the card turned up", ACTS, f"{TAKE}, or straight the opponent's next card (6d)",
            default_act=quiet, to_do="meld or pass", tries=(passes_or_melds, forces),
        ),
        "discard": Phase(
            "the discard after a meld", ACTS, "a card thrown (kd)", default_act=quiet, to_do="discard",
            tries=(try_discards,)
        ),
        "forced": Phase(
            "forced", ACTS, "a meld of it (m 5c6c7c), or cannot",
            default_act=quiet, to_do="meld it", tries=(passes_or_melds, forces),
        ),
    },
    on={
        Play: on_play, Pass: on_pass, Discard: on_discard, Draw: on_draw, Arrange: on_melding, Meld: on_melding,
        Call: on_call, Move: on_taking_back, Fault: on_fault,
        Gap: after_gap("turnup", gap=True, player="", centre="", passed="", forced=""),
    },
    tally=Tally, compute_tally=tally, score=score,
    after=lambda before, hand, terms: before if hand.notes else BEST_OF(before, hand, terms),
    match=MatchRules(hand_points="melded"),
    sheet=lambda state, empty: ledger(
        {"result": result_text}, {**HANDS, "{} ±": money} if state.terms.options.stake else HANDS, heading="Hands",
    )(state, empty),
    omissions=Omissions(
        often_omitted_rules=frozenset({"R1", "R4", "R9"}), explained_by_omissions=frozenset({"R1"}),
    ),
    shorthand=Shorthand(expand=expand_shorthand, verbs={Play: "turns up"}),
    display=Display(headline=headline, last_outcome_text=last_outcome_text),
    simulation=Simulation(most_acts=3000, weigh=weigh, most_hands=99),
)  # fmt: skip
