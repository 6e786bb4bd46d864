"""Machiavelli: each player may take the melds on the table apart and rearrange them, as long as only melds are left
in the end, with a card of the hand among them; the player without cards wins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import combinations, islice
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from events.cards import RANKS, SUITS, how_many, one_by_one, squeeze
from events.model import Arrange, Call, Cards, Deal, Draw, Event, Fault, Gap, Meld, Move, Pass
from reducers.page import (
    CONSEQUENCE, DUTY, RIGHT, Catalogue, CheckResult, DealSpec, Game, Dealing, MatchRules, Judging, Omissions,
    Shorthand, Display, Simulation, HandScore, Law, ScoreLine, Phase, Points, State, TallyFacts, as_many_as_dealt,
    broken, counts_nothing, deals_next, figures, finish_hand, hand_of, hand_score, on_move, apply_reported_facts, pack,
    pretty_all, ensure_dealt, reopen_hand, result_text, rule, running, seat, shuffle_and_deal, singles, summary_of,
    unasked, unknown, after_gap,
)  # fmt: skip
from reducers.pile_words import pile_in_words, owned
from reducers.rules import Breach
from reducers.scoring import Penalty
from reducers.silent_acts import gone_from_above
from reducers.words.draw_and_throw import take_from_top
from reducers.words.layouts import around_the_corner, codes_of_group, minus
from reducers.words.melds import UNCOUNTED, Melds, as_said
from reducers.words.rebuilding import rebuilt
from reducers.words.regrouping import (
    Groups, Turn, changed_groups, found_on_table, going_on, is_turn_in_order, in_sequence, lay_down, lies_there,
    lose_sight_of, melds_on_table, number_of, put_back, touched_by, what_changed,
)  # fmt: skip
from reducers.words.rummy import cards_lying, first_turn, one_card, top_code
from reducers.words.scores import most_hands_of, highest_has_won
from reducers.words.tallies import wins_with

# Setup
PACK = pack(copies=2)
UNSEEN = PACK.unknown
DEAL = DealSpec(each=13, option="deal_size", rest="stock")

# Game play: sets of different suits; in runs the ace is low or high, but no run has it at both ends
MELDS = Melds(PACK, {}, "A 2 3 4 5 6 7 8 9 10 J Q K A", longest=13)
FEWEST = 3
NOBODY = "draw"

# Limits of lines to try: melds of a hand, groups beside a card, and cards of a hand laid all at once
MOST_MELDS, MOST_NEIGHBOURS, MOST_AT_ONCE = 60, 8, 6


class Options(Struct, frozen=True):
    """House rules of Machiavelli."""

    deal_size: Annotated[int, Meta(ge=1, le=20, description="cards dealt to each player")] = 13
    penalty_draw: Annotated[
        int, Meta(ge=0, le=10, description="cards drawn by a player who cannot put the table in order")
    ] = 3
    hands: Annotated[int, Meta(ge=0, le=99, description="hands of a match; 0 until the table ends it")] = 1


def when_it_is_over(rule: str, act: Event, state: State[Hand]) -> CheckResult | None:
    """Verdict of this rule on the turn that ends with this act, by the table as it was left; None if all is well."""
    hand = state.hand
    turn = hand.laying if hand is not None and not hand.order and in_play(act, state) else None
    says = left_wrong(turn, state).get(rule) if turn is not None and of_whom(act) != turn.seat else None
    if turn is None or says is None or says.verdict != "broken":
        return says
    return replace(says, text=f"{says.text}, and the turn of {turn.seat} is over")


SETUP, PLAY = "Setup", "Game play"
ACTS = (Draw, Meld, Arrange, Pass, Call)
TURNS = (*ACTS, Move)
RULES = Catalogue(
    "machiavelli",
    rule("R1", PLAY, DUTY, "The player left of the dealer begins; the turn goes round to the left.", "play in turn"),
    rule("R2", PLAY, DUTY, "In a turn a player draws one card of the stock or plays, never both; a pass is allowed "
         "only if the stock is out.", "draw or play"),
    rule("R3", PLAY, DUTY, "A set has three or four cards of one rank, each of another suit.", "set",
         {TURNS: partial(when_it_is_over, "R3")}),
    rule("R4", PLAY, DUTY, "A run has three cards or more of one suit in sequence.", "run",
         {TURNS: partial(when_it_is_over, "R4")}),
    rule("R5", PLAY, DUTY, "The ace stands below the two or above the king of a run, but not at both ends or in the "
         "middle.", "ace low or high", {TURNS: partial(when_it_is_over, "R5")}),
    rule("R6", PLAY, DUTY, "When a turn is over, every card on the table is in a meld.", "only melds",
         {TURNS: partial(when_it_is_over, "R6")}),
    rule("R7", PLAY, DUTY, "Cards that were on the table stay there; none of them goes to a hand.", "no card lost",
         {TURNS: partial(when_it_is_over, "R7")}),
    rule("R8", PLAY, DUTY, "Whoever plays lays down a card of the hand at least.", "one from the hand",
         {TURNS: partial(when_it_is_over, "R8")}),
    rule("R9", PLAY, DUTY, "A player who cannot put the table in order puts it back as it was, takes back the cards "
         "of the turn and draws three.", "penalty"),
    rule("R10", PLAY, CONSEQUENCE, "Whoever has laid down the last card of the hand wins.", "the last card"),
    rule("R11", SETUP, DUTY, "Each player is dealt thirteen cards; the others are the stock.", "thirteen each",
         {Deal: as_many_as_dealt}),
    rule("R12", PLAY, RIGHT, "All melds belong to all players: the player on turn may take any of them "
         "apart.", "rearrange"),
)  # fmt: skip

READINGS = {
    "Who begins?": "the player left of the dealer; after a hand the deal goes round to the left",
    "Cards laid onto a meld": "are a play: they make a new meld with those on the table",
    "Rearranging without a card of the hand": "is no play, as it would be a pass; at least one card comes from it",
    "When is the table judged?": "as it is when the turn is over; the way there does not count, nor cards laid down "
    "and taken back: with the table unchanged, the player may still draw",
    "When is a turn over?": "when another player acts, or with the last card of the hand if the table is in order "
    "then. All lines of a player up to that are one turn",
    "A run with an ace at both ends": "is none: thirteen cards are the longest",
    "Two equal melds side by side": "are fine, as two packs are played with; so are two sets of one rank",
    "How the cards are shared out among the melds": "does not matter if several ways are right",
    "May a player neither draw nor play?": "only if the stock is out, which is a pass. If all players pass in a row, "
    "the hand is over without a winner",
    "The table does not come out": "the player says so (fail), or another player does; drawing the penalty without a "
    "word says it too",
    "The penalty with too few cards in the stock": "is all of them",
    "The cards of the penalty": "need not be recorded; if some are, all are",
    "A record without a draw in two rounds": "shows a table that records no draws; a player who was passed over may "
    "have drawn, also one passed over earlier, if none of their draws is recorded",
    "A wrong table without an objection": "stays as it was laid, and later players answer for what they change",
    "Fail, said by another player": "applies only to a table that is not in order; a table in order stays",
    "Does the last card end the game at once?": "yes, if the table is in order; nothing has to be said",
    "How long is a match?": "one hand; option hands for more, and then the player who wins most of them wins",
    "Who could have gone out": "is said of those whose cards were all seen, for the table as it was at the end",
    "A hand broken off": "there is no winner; after a misdeal the same dealer deals again",
}
WORDS = {
    "fail": "call: the table does not come out and is put back, with a penalty (B call fail A: says B of A)",
    "melds": "fault: the table objected that a player took melds of others apart",
}


class Hand:
    """State of one hand of Machiavelli.

    `player` is the seat on turn, or the next one if cards were laid down (empty after a gap). `laying` is the last
    turn in which cards were laid down, until another seat acts, and `order` whether it may end with the table as it
    is. `drew` is the last seat that drew. `failed` is the seat that draws a penalty of `owed` cards; `paid` is the
    position of the last of these draws. `passes` counts passes in a row, `used` is the highest number of a meld.
    `skipped` is True if a turn may be missing from the record, as a seat acted out of turn, or failed without a line:
    then melds may have other numbers. `turns` counts turns up to that of `actor`, `drawn` has the seats that recorded a
    draw, and `passed_over` those whose turn another seat has taken. `undrawn` has the cards that were drawn without a
    line, with the position that first shows it; `came_from` the place in the stock that the last card came from, if
    others lay on it; `closed` is True if a meld of another hand came after the end.
    """

    def __init__(self, state: State[Hand]) -> None:
        self.player = first_turn("turn", state)
        self.actor = self.drew = self.failed = self.winner = ""
        self.laying: Turn | None = None
        self.order: bool | None = None
        self.gap = self.skipped = self.again = self.closed = False
        self.drawn, self.passed_over = set[str](), set[str]()
        self.undrawn, self.came_from = dict[int, int](), dict[str, int]()
        self.owed = self.paid = self.passes = self.turns = self.used = 0


# Game play: whose turn it is
def of_whom(act: Event) -> str:
    """The seat whose turn an act is part of; a call of failure belongs to the seat that is said to have failed."""
    return (act.who or act.by) if isinstance(act, Call) else act.by


def in_play(act: Event, state: State[Hand]) -> bool:
    """True if this is an act of a turn."""
    if not state.number or state.settled or (isinstance(act, Call) and act.word != "fail"):
        return False
    return act.by in state.terms.seats and (not isinstance(act, Move) or bool(number_of(act.src) or number_of(act.to)))


@RULES.check("R1", *TURNS)
def turn_by_turn(act: Event, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if not in_play(act, state) or not hand.player or says_it_of_nothing(act, state):
        return None
    who = of_whom(act)
    if who in may_act(state) or (who == hand.drew and who == act.by and not isinstance(act, Call)):
        return None  # a second act after a draw breaks another rule
    if not (hand.turns or isinstance(act, Draw)):
        # The first draw may be unrecorded as well; a recorded draw shows that draws are recorded.
        return unknown(f"whether {hand.player} drew a card: this record has no draws")
    begins = f"{hand.player} sits left of the dealer and begins"
    return broken(f"it is the turn of {hand.player}" if state.acts else begins)


def leaves_out_draws(who: str, state: State[Hand]) -> bool:
    """True if the record leaves out the draws of a seat: all had two turns and no draw was recorded, or this seat was
    passed over before and recorded no draw."""
    hand = state.hand
    return who in hand.passed_over - hand.drawn or (not hand.drawn and hand.turns >= 2 * len(state.terms.seats))


def may_act(state: State[Hand]) -> set[str]:
    """Seats that may act: the next player, the one still laying cards down, and the one who comes after a penalty."""
    hand = state.hand
    laying, owed = hand.laying.seat if hand.laying is not None else "", bool(hand.owed)
    return {hand.player, laying, state.terms.after(hand.failed) if owed else ""}


@RULES.check("R2", *TURNS)
def draw_or_play(act: Event, state: State[Hand]) -> CheckResult | None:
    hand, who = state.hand, act.by
    if not in_play(act, state) or isinstance(act, Call):
        return None
    if not hand.player and isinstance(act, Draw) and how_many(act.cards) != 1:
        return unknown("whether a penalty was drawn: acts are missing from the record")
    if who == hand.drew and who != hand.player:
        return broken(f"{who} has drawn, and the turn is over with that")
    if isinstance(act, Draw):
        return None if pays(act, state) else one_from_the_stock(act, state)
    if isinstance(act, Pass):
        return nothing_left_to_draw(act, state)
    return None


def laid(who: str, state: State[Hand]) -> bool | None:
    """True if this player has laid cards down in the current turn and not taken all of them back. None if a card of
    these melds was not seen and their number of cards is unchanged."""
    turn = state.hand.laying
    if turn is None or turn.seat != who:
        return False
    changed = what_changed(turn, state)
    return changed.laid or (None if changed.hidden or state.hand.gap else not changed.nothing)


def laid_before(act: Draw | Pass, then: str, state: State[Hand]) -> CheckResult | None:
    """Verdict on a draw or a pass after cards were laid down in the same turn; None if there were none."""
    has = laid(act.by, state)
    if has is None:
        return unknown(f"whether {act.by} had changed the table in this turn: not all of it was seen")
    turn = state.hand.laying
    done = "changed the table" if turn is not None and not what_changed(turn, state).laid else "laid cards down"
    return broken(f"{act.by} has {done} in this turn{then}") if has else None


def one_from_the_stock(draw: Draw, state: State[Hand]) -> CheckResult | None:
    if (before := laid_before(draw, " and draws none", state)) is not None:
        return before
    if draw.src not in ("", "stock"):
        return broken("a card is drawn from the stock")
    return one_card(draw.cards, "drawn") if how_many(draw.cards) != 1 else others_on_top(draw, 1, state)


def others_on_top(draw: Draw, count: int, state: State[Hand]) -> CheckResult | None:
    """Return broken if cards other than those drawn were on top of the stock; else None."""
    above, drawn = cards_lying("stock", state)[-count:], [PACK.code[c] for c in draw.cards if c in PACK]
    if max(above, default=UNSEEN) >= UNSEEN or not minus(drawn, above):
        return None
    on_top = pretty_all(PACK.tokens[c] for c in above[::-1])
    return broken(f"the stock has {on_top} on top, not {pretty_all(draw.cards)}")


def nothing_left_to_draw(act: Pass, state: State[Hand]) -> CheckResult | None:
    if (before := laid_before(act, ", and it needs no pass", state)) is not None:
        return before
    stock = state.table.piles.get("stock")
    undealt = PACK.size - len(state.terms.seats) * state.terms.options.deal_size
    left = len(stock) if stock is not None else 0 if state.acts else undealt
    if stock is not None and stock.vague:
        return unknown("whether the stock was out: not counted")
    return broken(f"the stock has {left} cards: {act.by} draws, or plays") if left else None


def laid_plainly(act: Event, state: State[Hand]) -> bool:
    """True if the next player, after a turn that left only melds, draws a single card or names no missing meld."""
    hand = state.hand
    if act.by != hand.player or hand.owed or state.settled or not (hand.laying is None or hand.order):
        return False
    if isinstance(act, Draw):
        on_top = state.code(act.cards) == top_code("stock", state)
        return on_top and len(act.cards) == 1 and "x" not in act.cards[0] and act.src in ("", "stock")
    if isinstance(act, Arrange):
        return all(number_of(name) for name, _ in act.piles)
    return isinstance(act, Meld) and not act.src and (not act.to or lies_there(act.to, state))


RULES.unless(laid_plainly, *ACTS)


def pass_on(who: str, state: State[Hand]) -> None:
    """Pass the turn to the left."""
    state.turn = state.terms.next[who]
    state.phase, state.hand.player = "turn", state.turn[0]


def note_act(who: str, state: State[Hand], *, anew: bool = False) -> None:
    """Note that a seat acts. An owed penalty, and a turn of another seat, are over. `anew` is True for a new turn."""
    ensure_dealt(state)
    hand = state.hand
    out_of_turn = hand.player != "" and (anew or who not in may_act(state))
    silent = hand.failed if hand.owed and who == hand.failed else hand.player if out_of_turn else ""
    certain = True
    if not (silent or hand.drawn or hand.laying is None) and laid(hand.laying.seat, state) is not True:
        # With a card unseen the turn may have changed nothing.
        silent, certain = hand.laying.seat, what_changed(hand.laying, state).nothing
    if silent and leaves_out_draws(silent, state):
        drawn_unwritten(state, certain=certain)
    if out_of_turn:
        hand.skipped = True
        hand.passed_over.add(hand.player)
    if hand.owed:
        penalty_unwritten(state)
    if hand.laying is not None and hand.laying.seat != who:
        hand.laying = None
    hand.turns += who != hand.actor
    hand.passes, hand.drew, hand.actor = 0, "", who


def drawn_unwritten(state: State[Hand], *, certain: bool = True) -> None:
    """Infer unrecorded draws; then the hands and the height of the stock are unknown."""
    if certain:
        state.leave_out("draws")
    for pile in (*map(state.holding, state.terms.seats), state.table.row("stock")):
        state.table.lose_sight(pile)
    state.infer("cards were drawn (not recorded)")


def shows_drawn(cards: Sequence[int], state: State[Hand]) -> None:
    """Note cards that were drawn, as this line shows, if they may lie in the stock; one line alone may be wrong unless
    no draw was recorded."""
    hand, stock = state.hand, state.table.row("stock")
    drawn = [code for code in cards if stock.any_of(PACK.may_be[code]) is not False]
    hand.undrawn = {**dict.fromkeys(drawn, state.at), **hand.undrawn}
    if drawn and (hand.turns > 1 > len(hand.drawn) or len(set(hand.undrawn.values())) > 1):
        drawn_unwritten(state)


def take_each(draw: Draw, state: State[Hand]) -> None:
    """Take the cards into the hand, each from the top if possible, even if its twin is below."""
    for text in draw.cards:
        for card in (text,) if text == UNCOUNTED else one_by_one((text,)):
            take_from_top(replace(draw, cards=(card,)), state)


def on_draw(draw: Draw, state: State[Hand]) -> None:
    ensure_dealt(state)
    hand = state.hand
    hand.drawn.add(draw.by)
    if pays(draw, state):
        if not hand.owed:
            state.infer(f"the table of {draw.by} was not in order, as the penalty draw shows (not recorded)")
            fail_turn(draw.by, state)
        take_each(draw, state)
        hand.owed, hand.paid = max(0, hand.owed - (how_many(draw.cards) or hand.owed)), state.at
        if not hand.owed:
            pass_on(draw.by, state)
        return
    if gone := gone_from_above(state.code(draw.cards), state.table.row("stock"), hand.came_from):
        shows_drawn(gone, state)
    note_act(draw.by, state, anew=hand.player != draw.by and bool(laid(draw.by, state)))
    take_each(draw, state)
    hand.laying, hand.drew = None, draw.by
    pass_on(draw.by, state)


def on_pass(act: Pass, state: State[Hand]) -> None:
    passes = state.hand.passes + (not cards_lying("stock", state))
    note_act(act.by, state)
    hand = state.hand
    hand.laying, hand.passes = None, passes
    if passes >= len(state.terms.seats):
        ends(NOBODY, state)
    else:
        pass_on(act.by, state)


def ends(winner: str, state: State[Hand]) -> None:
    state.hand.winner = winner
    finish_hand(state)


# Game play: rearranging the table
@lru_cache(maxsize=1 << 12)
def blamed(group: Cards) -> tuple[str, str]:
    """The rule that a group of cards breaks if it is no meld, and the text of the finding.

    >>> blamed(("7c", "7d", "7d"))[0], blamed(("Kc", "Ac", "2c"))[0], blamed(("9c", "Tc"))[0]
    ('R3', 'R5', 'R6')
    """
    ranks, suits = {c[0] for c in group}, {c[1] for c in group}
    if len(group) < FEWEST:
        return "R6", "is no meld"
    if len(ranks) == 1:
        return "R3", "is no set: the suits differ, and there are four at most"
    if len(suits) > 1 or "?" in suits:
        return "R6", "is neither a set nor a run"
    corner = around_the_corner([RANKS.index(rank) for rank in ranks if rank in RANKS], PLAIN)
    if corner or len(group) > MELDS.longest:
        return "R5", "is no run: the ace is low or high, not both"
    return "R4", "is no run"


PLAIN = Melds(pack(), {})
"""The ranks in order, once each, to see whether a run goes around the corner."""


def left_wrong(turn: Turn, state: State[Hand]) -> dict[str, CheckResult]:
    """Verdicts on the table as a turn left it, by rule: breaches, and questions left open by unseen cards."""
    changed, at, wrong = what_changed(turn, state), turn.last, dict[str, CheckResult]()
    for name, group in changed.groups.items():
        answer = MELDS.is_meld(group)
        if not answer and state.hand.skipped and turn.before[name]:
            wrong.setdefault("R6", unknown(f"which meld was {pile_in_words(name)}: a turn may be missing", at=at))
        elif answer is None:
            wrong.setdefault("R6", unknown(f"whether {as_said(group)} is a meld: not all of it was seen", at=at))
        elif not answer:
            rule_id, text = blamed(group)
            if rule_id not in wrong or wrong[rule_id].verdict == "open":
                wrong[rule_id] = broken(f"{as_said(group)} {text}", at=at)
    gone = pretty_all(PACK.tokens[code] for code in changed.gone)
    if changed.hidden or state.hand.gap or (state.hand.skipped and any(turn.before.values())):
        if changed.gone:
            wrong["R7"] = unknown(f"whether {gone} is still on the table: not all of it was seen", at=at)
        if not changed.laid:
            wrong["R8"] = unknown("whether a card came from the hand: not all of the table was seen", at=at)
        return wrong
    if changed.gone:
        wrong["R7"] = broken(f"{gone} {'is' if len(changed.gone) == 1 else 'are'} no longer on the table", at=at)
    if not changed.laid:
        wrong["R8"] = broken(f"no card of the hand of {turn.seat} was laid down", at=at)
    return wrong


@RULES.check("R8", Meld, Move)
def out_of_the_own_hand(act: Meld | Move, state: State[Hand]) -> CheckResult | None:
    """Cards laid down come from the player's own hand or from the table."""
    to_the_table = isinstance(act, Meld) or number_of(act.to)
    if not to_the_table or act.src in ("", act.by, hand_of(act.by)) or number_of(act.src) or not in_play(act, state):
        return None
    return broken(f"cards of {owned(act.src)} are not for {act.by} to lay down")


@RULES.check("R6", Arrange)
def only_melds_are_laid_anew(act: Arrange, state: State[Hand]) -> CheckResult | None:
    other = next((name for name, _ in act.piles if not number_of(name)), "") if in_play(act, state) else ""
    return broken(f"{pile_in_words(other)} is no meld on the table") if other else None


@RULES.check("R6", Meld)
def onto_a_meld_that_lies_there(meld: Meld, state: State[Hand]) -> CheckResult | None:
    if not meld.to or not in_play(meld, state) or lies_there(meld.to, state):
        return None
    if state.hand.gap or state.hand.skipped:
        return unknown("whether there was such a meld: lines may be missing from the record")
    if not number_of(meld.to):
        return broken(f"{pile_in_words(meld.to)} is no meld on the table")
    return broken(f"there is no meld {number_of(meld.to)} on the table")


def on_lines(act: Meld | Arrange, state: State[Hand]) -> None:
    """Apply a line of a turn in which cards are laid down."""
    if says_it_lies_there(act, state):
        return
    missing = state.hand.gap or state.hand.skipped
    if missing and isinstance(act, Meld) and number_of(act.to) and not lies_there(act.to, state):
        state.table.row(act.to).vague = True
    lays(act, state)
    lay_down(act, state)
    look_at_the_table(state)


def on_moving(move: Move, state: State[Hand]) -> None:
    """Moving a card between melds, out of the hand or back to it is a line of a turn too."""
    if not in_play(move, state):
        on_move(move, state)
        return
    lays(move, state)
    if number_of(move.src) and not all(card in PACK for card in move.cards):
        lose_sight_of(move.src, state)
    on_move(move, state)
    state.hand.used = max(state.hand.used, number_of(move.to))
    look_at_the_table(state)


def lays(act: Meld | Arrange | Move, state: State[Hand]) -> None:
    """Add a line to the current turn, or to a new one. Cards that the hand cannot have were drawn, if no draw was
    recorded."""
    note_act(act.by, state)
    hand, held = state.hand, state.holding(act.by)
    hand.again = hand.laying is not None and (hand.again or hand.order is not False)
    if isinstance(act, Meld) and not act.src:
        laid = [PACK.code.get(card, UNSEEN) for group in act.groups for card in group]
        strange = [c for c in laid if c >= UNSEEN or not held.known & PACK.field[c]]
        if strange and (drawn := [c for c in strange if held.any_of(PACK.may_be[c]) is False]):
            shows_drawn(drawn, state)
    hand.laying = going_on(hand.laying or Turn(act.by), touched_by(act, state), state.at, state)


def look_at_the_table(state: State[Hand]) -> None:
    """If the table is in order the turn is over, unless its player goes on; with no card left the hand is over."""
    hand = state.hand
    turn = hand.laying
    assert turn is not None
    changed, held = what_changed(turn, state), state.holding(turn.seat)
    hand.order = is_turn_in_order(changed, MELDS)
    for name, group in changed.groups.items() if hand.order else ():
        # Easiest to read; the order in which cards were laid has no meaning.
        if (lies := in_sequence(group, MELDS)) != group:
            state.table.row(name).row = codes_of_group(lies, PACK)
    if hand.order is False:
        hand.player, state.turn = state.terms.after(turn.seat), (turn.seat,)
        state.phase = "turn" if changed.nothing else "laying"
    elif (out := held.empty) and (not leaves_out_draws(turn.seat, state) or is_all_seen(state)):
        ends(turn.seat, state)
    else:
        if out:
            # No player can play a hand out without a draw, so the number of cards left is unknown.
            drawn_unwritten(state)
        pass_on(turn.seat, state)


def is_all_seen(state: State[Hand]) -> bool:
    """True if every hand was seen and no turn is missing: then no player has drawn."""
    return not state.hand.skipped and all(state.holding(who).complete for who in state.terms.seats)


def plays_on(state: State[Hand], act: Event) -> bool:
    """True if an act shows that no player was out, as draws are missing from the record: others are, or it is about
    melds of this hand. A new meld is one of another hand, and so is all that follows."""
    if not state.number or not state.settled or type(act) not in ACTS or act.by not in state.terms.seats:
        return False
    hand, names = state.hand, [act.to] if isinstance(act, Meld) else [name for name, _ in getattr(act, "piles", ())]
    touches = any(lies_there(name, state) for name in names)
    hand.closed = hand.closed or (isinstance(act, Meld | Arrange) and not touches)
    missing = leaves_out_draws(hand.winner, state) or hand.undrawn or hand.passed_over - {hand.winner}
    seems_out = hand.winner in state.terms.seats and not (state.tallies or state.stop_reason)
    return seems_out and bool(missing or (touches and not hand.closed))


def not_out_after_all(state: State[Hand], act: Event) -> None:
    """Go on with a hand that was not won after all."""
    if plays_on(state, act):
        who, state.hand.winner = state.hand.winner, ""
        state.hand.skipped = True
        reopen_hand(state)
        drawn_unwritten(state)
        pass_on(who, state)


@RULES.check("R12", Fault)
def melds_belong_to_everybody(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """Denial of a right: the table objected to melds that were rearranged correctly."""
    turn = state.hand.laying if state.number else None
    if fault.word != "melds" or turn is None or not state.hand.order or fault.who not in ("", turn.seat):
        return None
    touched = [name for name in what_changed(turn, state).groups if turn.before[name]]
    return broken(f"{turn.seat} may take any meld apart, and left only melds") if touched else None


# Game play: the table does not come out
def pays(draw: Draw, state: State[Hand]) -> bool:
    """True if this is the draw of a penalty: one that is owed, or one that shows that the turn failed."""
    hand = state.hand
    if hand.owed:
        return draw.by == hand.failed
    if hand.laying is None:
        return False
    unsaid = bool(laid(draw.by, state)) and hand.order is False and how_many(draw.cards) == penalty(state)
    return unsaid and draw.src in ("", "stock")


def penalty(state: State[Hand]) -> int:
    """Number of cards that a failed turn costs now."""
    stock, full = state.table.piles.get("stock"), int(state.terms.options.penalty_draw)
    return full if stock is None or stock.vague else min(full, len(stock))


OUT_OF_ORDER = frozenset(f"machiavelli.R{n}" for n in (3, 4, 5, 6, 7, 8))


def costs(state: State[Hand], breaches: Sequence[Breach]) -> Iterator[Penalty]:
    """Penalties for leaving the table out of order: it is put back, and cards are drawn; the score is unchanged."""
    owed = state.terms.options.penalty_draw
    for breach in breaches:
        if breach.rule in OUT_OF_ORDER and breach.by in state.terms.side_of:
            text = f"{state.terms.name(breach.by)} puts the table back and draws {owed} card{'s' * (owed != 1)}"
            yield Penalty(breach.hand, breach.pos, "machiavelli.R9", {}, text)


@RULES.check("R9", Draw)
def as_many_as_owed(draw: Draw, state: State[Hand]) -> CheckResult | None:
    hand, count = state.hand, how_many(draw.cards)
    if not in_play(draw, state) or not pays(draw, state):
        return None
    owed = hand.owed or penalty(state)
    if draw.src not in ("", "stock"):
        return broken("the penalty is drawn from the stock")
    if count is None:
        return unknown(f"how many cards {draw.by} drew")
    return broken(f"{draw.by} draws {owed}, not {count}") if count > owed else others_on_top(draw, count, state)


@RULES.check("R9", *TURNS)
def all_of_the_penalty(act: Event, state: State[Hand]) -> CheckResult | None:
    """The whole penalty is drawn; a player who owes one does nothing else."""
    hand = state.hand
    if not in_play(act, state) or not hand.owed or (isinstance(act, Draw) and act.by == hand.failed):
        return None
    if of_whom(act) == hand.failed:
        if says_it_lies_there(act, state):
            return None
        return broken(f"{hand.failed} has failed: the table stays as it was, and {hand.owed} cards are drawn")
    return broken(f"{hand.failed} still had {hand.owed} of the penalty to draw", at=hand.paid) if hand.paid else None


def says_it_lies_there(act: Event, state: State[Hand]) -> bool:
    """True if the player who has failed records how the melds are put back, which follows anyway."""
    if not isinstance(act, Arrange) or not state.hand.owed or act.by != state.hand.failed:
        return False
    old = {name: sorted(PACK.tokens[code] for code in codes) for name, codes in melds_on_table(state).items()}
    if act.piles:
        return all(old.get(name, []) == sorted(cards) for name, cards in act.piles)
    return sorted(map(sorted, act.groups)) == sorted(old.values())


@RULES.check("R9", Call)
def nothing_fails_that_comes_out(call: Call, state: State[Hand]) -> CheckResult | None:
    """A player may say that another's turn has failed only if it has."""
    if not in_play(call, state) or of_whom(call) == call.by:
        return None
    if says_it_of_nothing(call, state):
        return broken(f"{call.who} has laid down no cards")
    return broken(f"{call.who} left only melds") if state.hand.order else None


def says_it_of_nothing(act: Event, state: State[Hand]) -> bool:
    """True if a player says that the turn of another, who has laid down no cards, has failed."""
    return isinstance(act, Call) and of_whom(act) != act.by and laid(act.who, state) is False


def on_call(call: Call, state: State[Hand]) -> None:
    if call.word == "fail" and of_whom(call) in state.terms.seats:
        fail_turn(of_whom(call), state)


def fail_turn(who: str, state: State[Hand]) -> None:
    """Put the table and the hand back as they were before the turn; the penalty is owed."""
    note_act(who, state)
    hand = state.hand
    if hand.laying is not None:
        put_back(hand.laying, state)
    if hand.again and not hand.drawn:
        hand.skipped = True  # its lines may be of several turns, with draws between them
        drawn_unwritten(state, certain=False)
    hand.skipped = hand.skipped or hand.laying is None
    hand.laying, hand.failed, hand.owed, hand.paid = None, who, penalty(state), 0
    hand.player = who
    state.phase, state.turn = "penalty", (who,)
    if not hand.owed:
        pass_on(who, state)


def penalty_unwritten(state: State[Hand]) -> None:
    """Infer that an unrecorded penalty was drawn from the top of the stock."""
    hand = state.hand
    state.table.move([UNSEEN] * hand.owed, state.table.row("stock"), state.holding(hand.failed))
    state.infer(f"{hand.failed} drew a penalty of {hand.owed} (not recorded)")
    hand.owed, hand.player = 0, state.terms.after(hand.failed)


# The end of the game
def as_many_as_there_are(known: Mapping[str, Any], state: State[Hand]) -> str:
    """Return an error text if the cards left do not fit the deal and the melds, else ""."""
    left, winner = [n for who in state.terms.seats if type(n := known.get(f"left.{who}")) is int], known.get("winner")
    is_out = winner in state.terms.seats or 0 in left
    most, held = PACK.size - is_out * state.terms.options.deal_size, sum(left)
    if held > most:
        return f"{held} cards left in all are more than the {most} that can be"
    if winner == NOBODY and len(left) == len(state.terms.seats) and 0 < PACK.size - held < FEWEST:
        return f"with {held} cards left, and no stock, the table has no meld of {PACK.size - held}"
    return ""


class Tally(TallyFacts):
    """The result of a hand of Machiavelli."""

    winner: str = seat("who had no card left, or draw", NOBODY, asks="who won", ruling="who counts as the winner")
    left: Points = unasked(figures("cards left in a player's hand", 0, PACK.size))

    laws = (
        Law(("winner", "left"), wins_with(0, "left", "left"), "R10"),
        Law(("winner", "left"), as_many_as_there_are, "R11"),
    )


def tally(state: State[Hand]) -> Tally:
    left: Points = {}
    for who in state.terms.seats if state.hand.winner else ():
        held = state.holding(who)
        left[who] = None if held.vague else len(held)
    t = apply_reported_facts(Tally(state.hand.winner, left), state)
    # A player reported to have no card left is the winner.
    t.winner = t.winner or next((who for who, n in t.left.items() if n == 0), "")
    return t


def score(state: State[Hand]) -> HandScore:
    """Score of the hand in play: a hand won counts one."""
    t, terms = tally(state), state.terms
    if nothing := counts_nothing(state, t.void, unfinished=not t.winner, then="nobody wins"):
        return nothing
    if not t.winner:
        return hand_score(state, dict.fromkeys(terms.seats), unknown=["who won"])
    points: Points = {s: int(s == t.winner) for s in terms.seats}
    lines = [ScoreLine("hands won", points)]
    if any(n is not None for n in t.left.values()):
        lines.append(ScoreLine("cards left", {s: t.left.get(s) for s in terms.seats}))
    if t.winner == NOBODY:
        return hand_score(state, points, lines, result="all players passed: no winner")
    return hand_score(state, points, lines, result=f"{terms.name(t.winner)} wins", notes=said_of_the_end(state))


def said_of_the_end(state: State[Hand]) -> Iterator[str]:
    """Notes: whether the last table was not seen, and players who could have laid down their whole hand."""
    if state.hand.laying is not None and state.hand.order is None:
        yield "whether the last table was in order was not seen"
    cards = [code for codes in melds_on_table(state).values() for code in codes]
    for who in state.terms.seats if not state.tallies and state.settled and max(cards, default=UNSEEN) < UNSEEN else ():
        held = state.holding(who)
        if held.complete and held.known:
            way = rebuilt_with(sum(PACK.unit[code] for code in cards) + held.known)
            if way is None or way:
                can = "could have gone out" if way else "may have been able to go out (that takes too long to find out)"
                yield f"{state.terms.name(who)} {can} with {pretty_all(PACK.cards(held.known))}"


# What may be done now
def draws(who: str, state: State[Hand]) -> Iterator[Event]:
    """The top card of the stock, or two; a pass."""
    above = [PACK.tokens[code] for code in cards_lying("stock", state)[:-3:-1]]
    yield from (Draw(by=who, cards=(card,)) for card in above[:1])
    yield Pass(by=who)
    yield from (Draw(by=who, cards=squeeze(above)) for _ in above[1:])


def penalties(who: str, state: State[Hand]) -> Iterator[Event]:
    """The cards owed, and one too many; nothing if the stock is empty."""
    owed = state.hand.owed
    above = [PACK.tokens[code] for code in cards_lying("stock", state)[: -owed - 2 : -1]]
    yield from (Draw(by=who, cards=squeeze(above[:owed])) for _ in above[:1])
    yield from (Draw(by=who, cards=squeeze(above)) for _ in above[owed:])


@lru_cache(maxsize=1 << 14)
def rebuilt_with(bag: int) -> tuple[Cards, ...] | None:
    """Melds of all these cards; empty if there are none, None if the search gave up."""
    found = rebuilt(PACK.cards(bag))
    return None if found.given_up else found.melds or ()


def plays(who: str, state: State[Hand]) -> Iterator[Event]:
    """Lines that lay cards down, legal and not, if all cards of the hand and on the table were seen."""
    lying = [code for codes in melds_on_table(state).values() for code in codes]
    if state.holding(who).complete and max(lying, default=0) < UNSEEN:
        yield from lays_what_fits(who, state)
        yield from try_illegal_layouts(who, state)


def lays_what_fits(who: str, state: State[Hand]) -> Iterator[Event]:
    """New melds, cards added to melds, and melds rearranged for a card that fits nowhere else, or for the hand."""
    old, held = melds_on_table(state), state.holding(who).known
    cards = [*dict.fromkeys(PACK.cards(held))]
    new = [in_sequence(tuple(PACK.cards(meld)), MELDS) for meld in islice(MELDS.melds_in(held), MOST_MELDS)]
    onto = [(card, name) for name, codes in old.items() for card in cards if fit_onto((card,), codes)]
    yield from (Meld(by=who, groups=(meld,)) for meld in new)
    yield from (Meld(by=who, groups=((card,),), to=name) for card, name in onto)
    used = {*(card for card, _ in onto), *(card for meld in new for card in meld)}
    whole = [(PACK.cards(held), tuple(old))] if old and 0 < PACK.count(held) <= MOST_AT_ONCE else []
    few = [([card], names) for card in cards if card not in used for names in neighbours(card, old)]
    seen = set[Event]()
    for more, names in (*whole, *few):
        touched = {name: old[name] for name in names}
        way = rebuilt_with(sum(PACK.unit[code] for codes in touched.values() for code in codes) + PACK.bag(more))
        if way:
            laid = [codes_of_group(in_sequence(meld, MELDS), PACK) for meld in way]
            line = Arrange(by=who, piles=changed_groups(laid, touched, state.hand.used, PACK))
            if line not in seen:
                seen.add(line)
                yield line


def neighbours(card: str, old: Groups) -> list[tuple[str, ...]]:
    """The groups that a card may be rearranged with, one or two of them: those of its rank, or of its suit nearby."""
    at = {RANKS.index(card[0]), len(RANKS) if card[0] == "A" else RANKS.index(card[0])}
    near = [
        name for name, codes in old.items() if any(is_near(PACK.tokens[code], card, at) for code in codes)
    ][:MOST_NEIGHBOURS]
    return [*((name,) for name in near), *combinations(near, 2)]


def is_near(lies: str, card: str, at: set[int]) -> bool:
    return lies[0] == card[0] or (lies[1] == card[1] and any(abs(RANKS.index(lies[0]) - place) <= 2 for place in at))


def fit_onto(cards: Cards, codes: Sequence[int]) -> bool:
    """Return True if the cards make a meld together with `codes`."""
    return MELDS.is_meld((*(PACK.tokens[code] for code in codes), *cards)) is True


def try_illegal_layouts(who: str, state: State[Hand]) -> Iterator[Event]:
    """Illegal lines to try: groups that are no melds, a card taken to the hand, nothing from the hand. Two of
    them, chosen by the position."""
    cards = PACK.cards(state.holding(who).known)
    same = [c for c in cards if cards.count(c) == 2][:2]
    ranks = [(*same, c) for c in cards if same and c[0] == same[0][0] and c not in same]
    suits = [tuple(of) for s in SUITS if len(of := list(dict.fromkeys(c for c in cards if c[1] == s))[:3]) == 3]
    corner = [around for around in (("K" + s, "A" + s, "2" + s) for s in SUITS) if {*around} <= {*cards}]
    groups = [group for group in (*ranks[:1], *suits[:1], *corner[:1], tuple(cards[:2])) if len(group) > 1]
    lines: list[Event] = [Meld(by=who, groups=(group,)) for group in groups if MELDS.is_meld(group) is False]
    for name, codes in islice(melds_on_table(state).items(), 1):
        there = tuple(PACK.tokens[code] for code in codes)
        lines += [Arrange(by=who, piles=((name, there[1:]),)), Arrange(by=who, piles=((name, there),))]
        lines.append(Move(by=who, cards=there[:1], src=name, to=hand_of(who)))
    yield from dict.fromkeys(lines[i % len(lines)] for i in (state.at, state.at + 1) if lines)


def says_fail(who: str, state: State[Hand]) -> Iterator[Event]:
    """Calls that the turn fails, and acts of the next player without such a call."""
    yield Call(by=who, word="fail")
    if state.hand.laying is not None:
        yield from draws(state.terms.after(who), state)


def expand_shorthand(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """Expand shorthand of lines that lay cards down; a card named alone is laid down, not drawn."""
    if isinstance(event, Call):
        who = event.what.upper()
        event = replace(event, what="", who=who) if who in state.terms.seats else event
        return (event,) if event.word in state.game.words else ()
    if isinstance(event, Draw) and not event.src and state.phase != "penalty" and state.code(event.cards[:1]) < UNSEEN:
        return ()
    return lines_meant(event, state) if isinstance(event, Meld | Arrange) else (event,)


def lines_meant(event: Meld | Arrange, state: State[Hand]) -> tuple[Event, ...]:
    """The meanings of a typed line. Cards that are no meld go onto the melds they fit, or are several melds in a row.
    The cards of groups that are typed as a layout come from where they are: only the changes are written."""
    if isinstance(event, Meld):
        if event.to or event.src or len(event.groups) != 1 or MELDS.is_meld(event.groups[0]) is not False:
            return (event,)
        onto = [name for name, codes in melds_on_table(state).items() if fit_onto(event.groups[0], codes)]
        there = tuple(replace(event, to=name) for name in onto)
        return there or tuple(replace(event, groups=ways) for ways in one_after_the_other(event.groups[0])) or (event,)
    groups = [codes_of_group(group, PACK) for group in event.groups]
    if not groups or event.to or max(code for group in groups for code in group) >= UNSEEN:
        return (event,)
    ways = found_on_table(groups, state, event.by, MELDS)
    return tuple(Arrange(by=event.by, piles=piles) for piles in ways if piles) or (event,)


def one_after_the_other(cards: Cards) -> Iterator[tuple[Cards, ...]]:
    """The ways to split cards, in the order typed, into melds; none if a card was not seen."""
    if MELDS.is_meld(cards):
        yield (cards,)
    for size in range(3, len(cards) - 2):
        if MELDS.is_meld(cards[:size]):
            yield from ((cards[:size], *others) for others in one_after_the_other(cards[size:]))


def quiet(state: State[Hand]) -> Event | None:
    """The act that a lone `.` stands for: a card drawn unseen, the whole penalty, or a pass if the stock is out."""
    if not state.turn:
        return None
    who, hand = state.turn[0], state.hand
    if state.phase == "laying" and (hand.laying is None or who == hand.laying.seat):
        return None
    if hand.owed:
        return Draw(by=who, cards=(f"{hand.owed}x??" if hand.owed > 1 else "??",))
    stock = state.table.piles.get("stock")
    out = state.acts and stock is not None and stock.empty
    return Pass(by=who) if out else Draw(by=who, cards=("??",))


def headline(state: State[Hand]) -> dict[str, Any]:
    """Height of the stock and number of cards in each hand, for the headline."""
    told: dict[str, Any] = {"stock": len(cards_lying("stock", state))}
    held = {s: len(pile) for s in state.terms.seats if not (pile := state.holding(s)).vague}
    return told | ({"cards": held} if held else {})


def last_outcome_text(state: State[Hand]) -> str:
    """Words for what is not in order yet, or for the penalty owed."""
    hand = state.hand
    if state.settled:
        return f"{state.terms.name(hand.winner)} is out" if hand.winner in state.terms.seats else ""
    if hand.owed:
        return f"the table is as it was; {hand.failed} draws {hand.owed}"
    if hand.laying is None or state.phase != "laying":
        return ""
    wrong = [says.text for says in left_wrong(hand.laying, state).values() if says.verdict == "broken"]
    return f"not in order yet: {'; '.join(wrong)}"


# Simulation: lay down as many cards as possible
def weigh(state: State[Hand], event: Event) -> float:
    if isinstance(event, Draw):
        return 2.0
    if isinstance(event, Meld | Arrange):
        old = melds_on_table(state)
        there = [PACK.tokens[code] for code in old.get(event.to, ())]
        now = event.piles if isinstance(event, Arrange) else [(event.to, (*there, *group)) for group in event.groups]
        more = sum(len(cards) - len(old.get(name, ())) for name, cards in now)
        return 10.0 * more if more > 0 and all(MELDS.is_meld(cards) for _, cards in now if cards) else 0.1
    if isinstance(event, Call):
        return 3.0 if state.phase == "laying" else 0.02
    return 0.05 if isinstance(event, Move) else 1.0


LAYING = "melds (qdqhqs), cards onto one (2d, 2d>6), groups rearranged (arr 8d9d10d/7c7d7s)"
part = partial(Phase, acts=ACTS, default_act=quiet, ignores_holdings=True)
GAME = Game(
    key="machiavelli", name="Machiavelli", family="rummy", summary=summary_of(__doc__),
    seating=singles(2, 3, 4, 5), pack=PACK,
    dealing=Dealing(deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=shuffle_and_deal),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=Hand,
    phases={
        "turn": part(
            "the turn", expects=f"a card drawn (. unseen), {LAYING}, or fail", to_do="draw or play",
            verb_required=(Draw, Arrange), tries=(draws, plays),
        ),
        "laying": part(
            "rearranging the table", expects=f"{LAYING}, until the table is in order, or fail",
            to_do="bring the table in order", verb_required=(Draw, Arrange), tries=(says_fail, plays),
        ),
        "penalty": part(
            "the penalty", expects="the cards of the penalty (. unseen)", to_do="draw the penalty", tries=(penalties,),
        ),
    },
    on={
        Draw: on_draw, Pass: on_pass, Meld: on_lines, Arrange: on_lines, Move: on_moving, Call: on_call,
        Gap: after_gap("turn", gap=True, player="", drew="", failed="", laying=None, owed=0, passes=0),
    },
    tally=Tally, compute_tally=tally, score=score, after=most_hands_of(lambda terms: terms.options.hands or 10**6),
    match=MatchRules(ended_by_the_table=highest_has_won, open_table=True),
    sheet=running({"result": result_text}),
    judging=Judging(said_any_time=frozenset(("fail",)), penalties=costs),
    omissions=Omissions(
        often_omitted_rules=frozenset({"R9"}), explained_by_omissions=frozenset({"R1", "R2", "R8", "R9"}),
        belongs_to_finished_hand=plays_on, unwritten=not_out_after_all,
    ),
    shorthand=Shorthand(expand=expand_shorthand),
    display=Display(headline=headline, last_outcome_text=last_outcome_text),
    simulation=Simulation(most_acts=200, weigh=weigh),
)  # fmt: skip
