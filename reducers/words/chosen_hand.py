"""A hand that its player chooses: six of thirteen cards that lie open, and the seven that lie face down.

The seven open cards that are not kept are thrown out, and the seven face down are turned up. When no card is left on
the board or face down, the house calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from events.cards import how_many, ranking, squeeze
from events.model import Cards, Discard, Draw, Event, Move, Show
from reducers.evolve import ensure_hand_started, pile_named
from reducers.model import HandRecord, State
from reducers.rules import CheckResult, broken, unknown
from reducers.table import Pile, each_has_one

FACE_DOWN, FACE_UP, KEPT = 7, 13, 6
HIGHEST_FIRST = ranking("A K Q J 10 9 8 7 6 5 4 3 2")


class ChosenHand(HandRecord):
    """The player's hand as it is chosen, and the piles that it comes from.

    `kept` is the number of cards kept from the board, unknown if `vague`. `top` is the last card thrown out, if it was
    recorded.
    """

    def __init__(self, state: State[Any]) -> None:
        self.player, self.house = state.terms.seats
        self.other = {self.player: self.house, self.house: self.player}
        self.table, row = state.table, state.table.row
        self.stock, self.reserve, self.board = row("stock"), row(f"reserve:{self.player}"), row("board")
        self.thrown, self.held = row("discard"), state.table.bag(self.player)
        self.kept, self.vague, self.top = 0, False, ""

    def source(self, act: Draw | Discard) -> str:
        """The pile that cards come from: first the board, then those that lie face down, unless the act names it."""
        return act.src or ("board" if isinstance(act, Discard) or self.kept < KEPT else self.reserve.name)

    def turned_up(self) -> Draw:
        """The act that turns up the cards that lie face down, as far as they are known."""
        tokens = self.table.pack.tokens
        return Draw(by=self.player, cards=squeeze(tokens[c] for c in self.reserve.codes()), src=self.reserve.name)


# -- rules -------------------------------------------------------------------------------------------------------------


def six_are_kept(act: Draw | Discard, state: State[Any]) -> CheckResult | None:
    """The player keeps six of the open cards and throws out seven."""
    hand: ChosenHand = state.hand
    src, vague = hand.source(act), uncounted(act.cards)
    if state.phase in ("play", "gap"):
        return None
    if act.by != hand.player:
        return broken(f"{hand.player} chooses the hand")
    if src == hand.reserve.name:
        none = "the seven cards face down belong to the hand, and none is thrown out"
        return broken(none) if isinstance(act, Discard) else None
    if src not in ("board", "discard"):
        return broken(f"the hand is made of six open cards and the seven face down, nothing comes from {src}")
    count = at_least(act, hand.board if src == "board" else hand.thrown)
    if isinstance(act, Draw):
        kept = hand.kept + count
        if kept <= KEPT and vague:
            return unknown("the cards kept were not counted")
        if hand.vague:
            return unknown("the cards kept before were not counted")
        return broken(f"six cards are kept, not {kept}") if kept > KEPT else None
    thrown = len(hand.thrown) + count * (src == "board")
    if hand.thrown.vague or (src == "board" and vague):
        return unknown("the cards thrown out were not counted")
    if thrown <= FACE_UP - KEPT:
        return None
    return broken(f"seven cards are thrown out, not {thrown}, so that six are kept")


def jokers_are_kept(act: Draw | Discard, state: State[Any]) -> CheckResult | None:
    """A joker on the board is one of the six."""
    hand: ChosenHand = state.hand
    if hand.source(act) != "board":
        return None
    pack = hand.table.pack
    named, all_seen = act.cards.count("Jo"), all(c in pack for c in act.cards)
    sure, perhaps = hand.board.how_many(pack.joker)
    if isinstance(act, Discard):
        # With six kept, a joker was left behind when they were chosen.
        if hand.kept >= KEPT or not (named or (perhaps and not all_seen)):
            return None
        return broken("a joker is thrown out") if named else unknown("whether a joker was thrown out")
    if hand.kept + at_least(act, hand.board) < KEPT:
        return None
    if sure > named and all_seen:
        return broken("a joker on the board is not among the six")
    return unknown("whether a joker was left on the board") if perhaps > named else None


def closed_cards_stay_closed(act: Draw | Show | Move, state: State[Any]) -> CheckResult | None:
    """The cards face down are turned up after the choice; of those thrown out only the top one is looked at then."""
    if state.number == 0 or state.settled:
        return None
    hand: ChosenHand = state.hand
    src = hand.source(act) if isinstance(act, Draw) else act.src
    if src == hand.reserve.name and state.phase == "choice":
        return broken("the seven cards are turned up only when six of the open ones are chosen")
    if src != "discard" or state.phase in ("choice", "gap") or len(hand.reserve) == FACE_DOWN:
        return None
    cards = [c for group in act.groups for c in group] if isinstance(act, Show) else []
    if how_many(cards) != 1 or hand.top not in ("", *cards):
        return broken("of the cards thrown out only the top one may be looked at")
    return None if hand.top else unknown("which of the cards thrown out is on top")


def at_least(act: Draw | Discard, pile: Pile) -> int:
    """The number of cards that an act moves; uncounted ones count as none."""
    if act.cards == ("*",):
        return len(pile)
    return how_many(act.cards) or how_many(tuple(c for c in act.cards if not uncounted((c,)))) or 0


def uncounted(cards: Cards) -> bool:
    """True if the number of these cards is unknown."""
    return how_many(cards) is None and cards != ("*",)


# -- effects -----------------------------------------------------------------------------------------------------------


def ensure_laid_open(state: State[Any]) -> None:
    """Make sure that a hand is begun and dealt: unrecorded cards are unseen, uncounted piles complete."""
    ensure_hand_started(state)
    if state.acts:
        return
    state.acts = 1
    hand: ChosenHand = state.hand
    down = FACE_DOWN - len(hand.held) + hand.kept
    for pile, count in ((hand.reserve, down), (hand.board, FACE_UP - hand.kept)):
        missing = [hand.table.pack.unknown] * (0 if pile.vague else count - len(pile))
        if hand.stock.vague:
            hand.table.lay(missing, pile)  # they were above the cards known to be the stock
        else:
            hand.table.move(missing, hand.stock, pile)


def keep_drawn(draw: Draw, state: State[Any]) -> None:
    """Apply a draw: cards are kept, or turned up."""
    ensure_laid_open(state)
    hand: ChosenHand = state.hand
    src = pile_named(state, hand.source(draw))
    codes = state.table.codes(draw.cards, src)
    if src in (hand.board, hand.thrown):
        hand.vague = hand.vague or uncounted(draw.cards)
        # A player who draws an uncounted rest draws what makes up the six.
        hand.kept = max(hand.kept, KEPT) if uncounted(draw.cards) else hand.kept + len(codes)
    take_in_any_order(codes, src, state.holding(draw.by), state)
    let_the_house_call(state)


def throw_out(discard: Discard, state: State[Any]) -> None:
    """Apply a discard of the player; the cards left on the board are kept once seven are thrown out."""
    hand: ChosenHand = state.hand
    src = pile_named(state, hand.source(discard))
    take_in_any_order(state.table.codes(discard.cards, src), src, hand.thrown, state)
    hand.top = discard.cards[-1] if discard.cards[-1] in state.table.pack else ""
    if src is hand.board and not src.vague and len(src) and len(src) + hand.kept == KEPT:
        state.infer("the cards left on the board were kept")
        hand.kept = KEPT
        state.table.move(src.codes()[::-1], src, hand.held)
    let_the_house_call(state)


def take_in_any_order(codes: list[int], src: Pile, dst: Pile, state: State[Any]) -> None:
    """Move cards; the order of cards from the board or the reserve in a list says nothing about their places."""
    table, row, unseen, may_be = state.table, src.row, state.table.pack.unknown, state.table.pack.may_be
    lies_in_order = src not in (state.hand.board, state.hand.reserve)
    if lies_in_order or max(codes, default=0) < unseen or table.pack.many in codes or not row:
        table.move(codes, src, dst)
        return
    if len(codes) < len(row):
        forget_places(src)
    table.move([c for c in codes if c < unseen], src, dst)
    covered = [c for c in codes if c >= unseen]
    if any(c != unseen for c in row) and each_has_one([may_be[c] for c in covered], [may_be[c] for c in row]):
        # What was seen of them in the pile is all that is known of them; which is which is unknown.
        covered = [unseen] * len(covered)
    table.move(covered, src, dst)


def forget_places(pile: Pile) -> None:
    """Mark the cards of a pile as unseen, as some of them went away and it was not recorded which."""
    assert pile.row is not None
    pile.table.located -= pile.certain - pile.later
    pile.row[:] = [pile.table.pack.unknown] * len(pile.row)


def let_the_house_call(state: State[Any]) -> None:
    """End the choice when six are kept; let the house call when there is no card left to throw out or turn up."""
    hand: ChosenHand = state.hand
    if state.phase in ("choice", "opening"):
        if hand.kept >= KEPT or not len(hand.board):
            state.phase = "opening"
        if state.phase == "opening" and not len(hand.board) and not len(hand.reserve):
            state.phase, state.turn = "house call", (hand.house,)


def complete_choice(state: State[Any]) -> None:
    """Infer the rest of the choice, as the hand goes on."""
    hand, table = state.hand, state.table
    if state.phase not in ("choice", "opening"):
        return
    missing = min(KEPT - hand.kept, len(hand.board))
    if missing > 0:
        if missing < len(hand.board):
            forget_places(hand.board)
        table.move([table.pack.unknown] * missing, hand.board, hand.held)
        state.infer(f"{missing} of the cards on the board were kept before this; which ones was not recorded")
        hand.kept += missing
    if len(hand.board):
        table.move(hand.board.codes(), hand.board, hand.thrown)
        state.infer("the cards that were not kept were thrown out")
    if len(hand.reserve):
        table.move(hand.reserve.codes()[::-1], hand.reserve, hand.held)
        state.infer("the face-down cards were turned up")
    let_the_house_call(state)


# -- acts to try -------------------------------------------------------------------------------------------------------


def try_sixes(seat: str, state: State[Any]) -> Iterator[Event]:
    """Every way to keep six cards, jokers first and then high cards, so that of 1716 the better ones come first."""
    hand: ChosenHand = state.hand
    if hand.board.hidden:
        return
    pack = hand.table.pack
    # A card that only a later line names is known as a card of the board, without a place.
    cards = pack.cards(hand.board.certain) if hand.board.covered else [pack.tokens[c] for c in hand.board.codes()]
    jokers = [c for c in cards if c == "Jo"]
    others = sorted((c for c in cards if c != "Jo"), key=lambda c: HIGHEST_FIRST.place(c[0]))
    for kept in combinations(others, max(0, KEPT - hand.kept - len(jokers))):
        yield Draw(by=seat, cards=(*jokers, *kept), src="board")


def try_throwing_out(seat: str, state: State[Any]) -> Iterator[Event]:
    """The rest thrown out, with any of its cards as the one seen; then the seven turned up."""
    hand: ChosenHand = state.hand
    if not len(hand.board):
        yield hand.turned_up()
    cards = [hand.table.pack.tokens[c] for c in hand.board.codes()]
    for at in map(cards.index, dict.fromkeys(cards)):
        yield Discard(by=seat, cards=squeeze([*cards[:at], *cards[at + 1 :], cards[at]]), src="board")
