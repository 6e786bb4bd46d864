"""Draws for a better hand: the dealer's opponent discards and draws, several times if wanted, and stands; then the
dealer does. Then the cards are played.

The page's record of the hand keeps the `Draws` as `draws`, its `Exchange` as `exchange` (see there) and its tricks as
`trick`. The page spreads `DRAWN_IN_TURN` into its `on` and `draw_phases(most)` into its phases, and calls
`draws_are_over` before a card is played. Draws follow from the discards, and a stand from the next act, so many
tables record neither. Poke uses it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from events.cards import how_many
from events.model import Discard, Draw, Event, Pass, Play
from reducers.evolve import steps_while
from reducers.model import Evolve, Phase, State
from reducers.rules import CheckResult, broken, unknown
from reducers.words.deals import WHO_DEALS
from reducers.words.exchange import (
    GONE,
    Exchange,
    as_many_are_drawn,
    cards_are_changed_in_turn,
    default_exchange_draw,
    discarded_unwritten,
    discarding,
    discards_down,
    drawn_from_the_stock,
    draws_as_many,
    draws_for_them,
    infer_exchange_draws,
    is_late,
    keeps_all,
    mark_exchange_unknown,
)  # fmt: skip
from reducers.words.one_round import GONE_BY, gone_by
from reducers.words.trial_acts import try_pass

TIMES = {1: "once", 2: "twice", 3: "three times"}


class Draws:
    """The limits of draws: the dealer's opponent may draw `others` times, the dealer `dealers` times.

    `stood` are the seats that have finished drawing, `silent` those that did not say so, each with the position of
    the act that followed, and `blurred` those with unrecorded draws.
    """

    def __init__(self, others: int, dealers: int) -> None:
        self.others, self.dealers = others, dealers
        self.stood: set[str] = set()
        self.silent: dict[str, int] = {}
        self.blurred: set[str] = set()


def most_draws(seat: str, state: State[Any]) -> int:
    """The most draws of a seat."""
    draws: Draws = state.hand.draws
    return draws.dealers if seat == state.dealer else draws.others


def times_drawn(seat: str, state: State[Any]) -> int | None:
    """The number of draws of a seat; None if that or the dealer is unknown."""
    if state.dealer_is_guess or seat in state.hand.draws.blurred:
        return None
    times: int = state.hand.exchange.times.get(seat, 0)
    return times


def has_play_begun(state: State[Any]) -> bool:
    """True if a card was played."""
    return bool(state.hand.trick.plays or state.hand.trick.won)


def gone_on(seat: str, state: State[Any]) -> bool:
    """True if a seat after this one has acted."""
    order = state.terms.in_turn(state.terms.after(state.dealer))
    later = order[order.index(seat) + 1 :]
    return has_play_begun(state) or any(
        state.hand.exchange.times.get(one) or one in state.hand.draws.stood for one in later
    )


# -- checks -----------------------------------------------------------------------------------------------------------


def drawn_too_often(seat: str, state: State[Any]) -> CheckResult | None:
    """No player draws more often than is allowed."""
    times, most = state.hand.exchange.times.get(seat, 0), most_draws(seat, state)
    if times < most:
        return None
    said = TIMES.get(most, f"{most} times")
    return unknown(WHO_DEALS) if state.dealer_is_guess else broken(f"{seat} has drawn {said} already")


def drawn_in_turn(act: Discard | Draw | Pass, state: State[Any]) -> CheckResult | None:
    """One seat after the other draws, and a player who has stood draws no more."""
    draws: Draws = state.hand.draws
    times, most = state.hand.exchange.times.get(act.by, 0), most_draws(act.by, state)
    if isinstance(act, Pass) and not state.hand.trick.won and (times >= most or act.by in draws.silent):
        # A player who has drawn for the last time may still say so, and so may one who stood without a word.
        return None
    if gone_by(state):
        return unknown(GONE_BY)
    if act.by in draws.silent and not has_play_begun(state):
        # Either the dealer drew before this seat had stood, or this seat draws after it stood.
        drew = draws.silent[act.by] if isinstance(act, Discard) and not state.dealer_is_guess else 0
        return unknown(f"whether {act.by} had stood: {GONE}", or_at=drew)
    if isinstance(act, Draw) and is_late(act, state) and not gone_on(act.by, state):
        # It has discarded again before its cards were recorded.
        return None
    if isinstance(act, Discard) and state.phase != "play" and act.by in draws.stood and times < most:
        return broken(f"{act.by} stood before this")
    first = state.turn[0] if state.phase == "exchanging" else act.by
    if act.by == state.dealer != first and state.hand.exchange.times.get(first):
        # The other player has drawn, and stands without a word.
        return None
    return cards_are_changed_in_turn(act, state)


def as_many_as_discarded(draw: Draw, state: State[Any]) -> CheckResult | None:
    """As many cards are drawn from the stock as were discarded, in one line or several."""
    exchange: Exchange = state.hand.exchange
    late, due, many = exchange.late.get(draw.by, 0), exchange.due, how_many(draw.cards)
    if late and not gone_on(draw.by, state) and due is not None and many is not None and due < many <= due + late:
        return drawn_from_the_stock(draw, state) or unknown(f"how often {draw.by} has drawn: {GONE}")
    return drawn_from_the_stock(draw, state) or as_many_are_drawn(draw, state)


def the_draw_is_over(play: Play, state: State[Any]) -> CheckResult | None:
    """The cards are played once all players have drawn or stood."""
    if state.phase not in ("exchanging", "drawing"):
        return None
    exchange: Exchange = state.hand.exchange
    last = exchange.seat if state.phase == "drawing" else state.turn[0]
    if last == state.dealer and exchange.times.get(last):
        return None
    return unknown(f"whether {last} had drawn or stood: {GONE}")


# -- applying acts ----------------------------------------------------------------------------------------------------


def stand(seat: str, state: State[Any]) -> None:
    """End the draws of a seat; after the last one the cards are played."""
    stood: set[str] = state.hand.draws.stood
    stood.add(seat)
    order = state.terms.in_turn(state.terms.after(state.dealer))
    left = [one for one in order if one not in stood]
    state.phase, state.turn = ("exchanging", (left[0],)) if left else ("play", (order[0],))


def one_more_draw(seat: str, state: State[Any]) -> None:
    """End a draw; the seat may draw again, or stand."""
    if state.hand.exchange.times.get(seat, 0) >= most_draws(seat, state):
        stand(seat, state)
    else:
        state.phase, state.turn = "exchanging", (seat,)


def infer_dealer_by_draw(act: Event, state: State[Any]) -> None:
    """Infer the dealer, if unrecorded, from the seat of two that acts first."""
    if not state.dealer_is_guess or act.by != state.dealer or state.hand.exchange.times or state.hand.draws.stood:
        return
    state.dealer = state.terms.after(act.by)
    state.infer(f"{act.by} acts first, so {state.dealer} has dealt (not recorded)")
    state.turn = (act.by,)


def infer_missing_acts(act: Event, state: State[Any]) -> None:
    """Infer what is unrecorded before this act: the dealer, draws, another's stand; or undo a stand of this seat."""
    infer_dealer_by_draw(act, state)
    hand = state.hand
    if state.phase == "drawing":
        before = hand.exchange.seat
        infer_exchange_draws(state)
        one_more_draw(before, state)
    if act.by in hand.draws.silent and not has_play_begun(state):
        del hand.draws.silent[act.by]
        hand.draws.blurred.discard(act.by)
        hand.draws.stood.discard(act.by)
        state.phase, state.turn = "exchanging", (act.by,)
    if state.phase == "exchanging" and act.by == state.dealer and act.by not in state.turn:
        leave_draw_open(state.turn[0], state, drew=not isinstance(act, Pass))


def leave_draw_open(seat: str, state: State[Any], *, drew: bool = False) -> None:
    """Infer that a seat has stood, as another goes on, with a draw if `drew`; its own draw may be unrecorded."""
    state.hand.draws.silent[seat] = state.at if drew else 0
    if not state.hand.exchange.times.get(seat):
        mark_exchange_unknown(seat, state)
        state.hand.draws.blurred.add(seat)
    stand(seat, state)


def draws_are_over(play: Play, state: State[Any]) -> None:
    """End all draws before a card is played."""
    if state.phase not in ("exchanging", "drawing") or state.hand.trick.lost:
        return
    infer_dealer_by_draw(play, state)
    for _ in steps_while(lambda: state.phase in ("exchanging", "drawing")):
        if state.phase == "drawing":
            before = state.hand.exchange.seat
            infer_exchange_draws(state)
            one_more_draw(before, state)
        else:
            leave_draw_open(state.turn[0], state)


def on_discard(discard: Discard, state: State[Any]) -> None:
    """Discard cards face down."""
    if not state.hand.trick.lost:
        infer_missing_acts(discard, state)
    discards_down(discard, state)


def on_draw(draw: Draw, state: State[Any]) -> None:
    """Draw cards for the discards; draws for two discards may have been one."""
    late = state.hand.exchange.late
    if state.phase == "exchanging" and not is_late(draw, state):
        infer_missing_acts(draw, state)
        discarded_unwritten(draw, state)
    owed = 0 if is_late(draw, state) else late.get(draw.by, 0)
    if draws_for_them(draw, state):
        one_more_draw(draw.by, state)
    if late.get(draw.by, 0) < owed:
        state.hand.draws.blurred.add(draw.by)


def on_pass(act: Pass, state: State[Any]) -> None:
    """A seat stands."""
    if state.hand.trick.lost:
        return
    draws: Draws = state.hand.draws
    if state.phase == "drawing" or act.by not in draws.stood or act.by in draws.silent:
        infer_missing_acts(act, state)
    if state.phase == "exchanging" and act.by in state.turn:
        keeps_all(act, state)
        stand(act.by, state)


DRAWN_IN_TURN: Mapping[type[Event], Evolve] = {Discard: on_discard, Draw: on_draw, Pass: on_pass}
ACTS = (Discard, Draw, Pass, Play)


def standing(state: State[Any]) -> Event | None:
    """The act of a lone `.`: the seat stands."""
    return Pass(by=state.turn[0]) if state.turn else None


def draw_phases(most: int) -> Mapping[str, Phase]:
    """The phases of a hand before the play, with at most `most` cards changed at once."""
    return {
        "exchanging": Phase(
            "changing cards", ACTS, "cards to change (2x unseen), or a pass (.)", to_do="draw or stand",
            verb_required=(Draw, Play), default_act=standing, tries=(try_pass, discarding(most)),
        ),
        "drawing": Phase(
            "drawing", ACTS, "as many cards drawn (.), or the next act at once", to_do="draw",
            verb_required=(Discard, Play), default_act=default_exchange_draw, tries=(draws_as_many,),
        ),
    }  # fmt: skip
