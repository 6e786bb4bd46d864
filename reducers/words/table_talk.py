"""Talk that the rules of a trick game allow: to ask for the best card, to count a suit, to say that a suit is short.

A statement is public and changes nothing; whether it was true is checked against the cards that the seat held. The
page's record of the hand keeps its `Tricks` as `trick`, and the last legal statement as `spoken`; the words of the page
explain `best`, `count` and `short`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from events.cards import SUIT_NAMES, SUITS
from events.model import Call, Event, Fault
from events.name_lists import one_of
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.words.deals import WHO_DEALS
from reducers.words.declarations import GONE_BY, MOST_HANDS_TRIED, nothing_dealt
from reducers.words.tricks import CARD_UNSEEN, Tricks

NOT_TOLD = "the number that the seat stated is missing from the record"

Says: TypeAlias = Callable[[Call, State[Any]], CheckResult | None]


def asks_for_the_best(call: Call, state: State[Any]) -> CheckResult | None:
    """The leader asks the partner for the best card of the suit, with the lead or just before it."""
    trick: Tricks = state.hand.trick
    if trick.plays:
        leader = trick.plays[0][0]
        if leader == call.by and len(trick.plays) == 1:
            return None
        return broken("the best card is asked for with the lead" if leader == call.by else f"{leader} led, and may ask")
    if call.by not in state.turn:
        return broken(f"{one_of(state.turn)} leads, and may ask" if state.turn else "no further trick is led")
    if state.dealer_is_guess and not trick.won:
        return unknown(WHO_DEALS)
    return unknown(f"who leads: {one_of(state.turn)}") if len(state.turn) > 1 else None


def says_how_many(call: Call, state: State[Any]) -> CheckResult | None:
    """A seat that follows says how many cards it has of the suit led, with the card that it plays or without."""
    trick, seat, pack = state.hand.trick, call.by, state.game.pack
    plays = trick.plays or (trick.won[-1].plays if trick.won else ())
    if not plays:
        return broken("no card has been led yet")
    if plays[0][0] == seat:
        return broken(f"{seat} led; those who follow may say how many they hold")
    led = pack.suit_of[plays[0][1]]
    own = [pack.suit_of[code] for who, code in plays if who == seat]
    if call.amount is None:
        return unknown(NOT_TOLD)
    if led == "?" or "?" in own:
        return unknown(CARD_UNSEEN)
    # The line may come before the card or after it.
    offsets = (0, -1) if not own else (0, 1) if led in own else (0,)
    held = state.holding(seat)
    low, high = held.how_many(pack.suit[led])
    fits = {call.amount in {max(n + more, 0) for more in offsets} for n in range(low, high + 1)}
    many = f"{call.amount or 'none'} of {SUIT_NAMES[led]}"
    if True not in fits:
        return broken(f"{seat} said {many}, which was not true", held.certain, seat, together=True)
    return unknown(f"whether {seat} held {many}") if False in fits else None


def says_that_a_suit_is_short(call: Call, state: State[Any]) -> CheckResult | None:
    """A seat says that it has two, one or no cards of a suit that it does not name."""
    if call.what or call.cards:
        return broken("the suit is not named")
    if call.amount is None:
        return unknown(NOT_TOLD)
    if not 0 <= call.amount <= 2:
        return broken("a seat may say that it holds two, one or none of a suit")
    held, pack, short = state.holding(call.by), state.game.pack, call.amount
    if nothing_dealt(call.by, state):
        return unknown("which cards were dealt: not recorded")
    spans = [held.how_many(pack.suit[suit]) for suit in SUITS]
    if (short, short) in spans:
        return None
    said = f"{short or 'none'} of a suit"
    wrong = broken(f"{call.by} said {said}, which was not true", held.certain, call.by, together=True)
    if not any(low <= short <= high for low, high in spans):
        return wrong
    holdings = held.possible_holdings(MOST_HANDS_TRIED) or ()
    so = {any(pack.count(bag & pack.suit[suit]) == short for suit in SUITS) for bag in holdings}
    return None if so == {True} else wrong if so == {False} else unknown(f"whether {call.by} held {said}")


MAY_SAY: Mapping[str, Says] = {
    "best": asks_for_the_best, "count": says_how_many, "short": says_that_a_suit_is_short,
}  # fmt: skip


def may_be_said(call: Call, state: State[Any]) -> CheckResult | None:
    """The verdict on a statement; None if it is legal or no talk."""
    if call.word not in MAY_SAY:
        return None
    return unknown(GONE_BY) if state.hand.trick.lost else MAY_SAY[call.word](call, state)


def talk_is_not_refused(fault: Fault, state: State[Any]) -> CheckResult | None:
    """Check a fault by which the table rejects a legal statement."""
    spoken: Call | None = state.hand.spoken if state.number else None
    if spoken is None or fault.word != spoken.word or fault.who not in ("", spoken.by):
        return None
    return broken(f"{spoken.by} may say this here")


def talks(seat: str, state: State[Any]) -> Iterator[Event]:
    """Statements to try, among them a false count."""
    plays = state.hand.trick.plays
    if not plays:
        yield Call(by=seat, word="best")
    elif (led := state.game.pack.suit_of[plays[0][1]]) in SUITS:
        held = state.game.pack.count(state.holding(seat).certain & state.game.pack.suit[led])
        yield from (Call(by=seat, word="count", amount=n) for n in (held, held + 2))
    yield from (Call(by=seat, word="short", amount=n) for n in range(3))
