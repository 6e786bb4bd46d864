"""The king of trumps, which its holder may show for points: after the exchange, and before playing a first card.

The page's record of the hand keeps the `ShownKings` as `kings`, `trump` as its suit, its `Exchange` as `exchange`, its
`Proposals` as `proposals` and its `Tricks` as `trick`. With the option `king_until` of its page the king may be shown until the
holder's own first card ("own_card"), or until the first lead ("lead"). Écarté uses it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from events.cards import pretty
from events.model import Event, Fault, Show
from reducers.evolve import play_on
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.words.deals import ready
from reducers.words.exchange import GONE
from reducers.words.one_round import GONE_BY, gone_by
from reducers.words.proposals import NOBODY
from reducers.words.trick_play import open_play
from reducers.words.upcards import on_card_shown


class ShownKings:
    """The kings that were shown in a hand: `by` says who showed each, empty if the table does not let it score, and `at` how
    far the exchange was then."""

    __slots__ = ("at", "by")

    def __init__(self) -> None:
        self.by: dict[str, str] = {}
        self.at: dict[str, int] = {}


def king_of(state: State[Any]) -> str:
    """The king of trumps."""
    return f"K{state.hand.trump}"


def king_shown(show: Show, state: State[Any]) -> tuple[str, str]:
    """Who shows a king that may be the king of trumps, and which; nobody if it is something else that is shown."""
    if not state.number or state.settled:
        return "", ""
    cards = [card for group in show.groups for card in group]
    whose = show.by if show.src in ("", "trick") else show.src.removeprefix("hand:")
    if len(cards) != 1 or cards[0][0] != "K" or cards[0] not in state.game.pack.code or whose not in state.terms.seats:
        return "", ""
    return (whose, cards[0]) if state.hand.trump in ("", cards[0][1]) else ("", "")


def with_the_lead(whose: str, king: str, state: State[Any]) -> bool:
    """Whether the king is the card that its holder has just led to the first trick."""
    trick = state.hand.trick
    return not trick.won and trick.plays == [(whose, state.game.pack.code[king])]


def too_early(king: str, state: State[Any]) -> bool:
    """Whether cards were changed after this king was shown, as it is written."""
    at: int | None = state.hand.kings.at.get(king)
    return at is not None and state.hand.exchange.acts > at


def too_late(whose: str, king: str, state: State[Any]) -> str:
    """Why a king can be shown no more; empty if it can."""
    trick = state.hand.trick
    if king in state.hand.kings.by and not too_early(king, state):
        return f"the {pretty(king)} was shown before"
    if with_the_lead(whose, king, state):
        return ""
    played = [one for one, _ in (*(trick.won[0].plays if trick.won else ()), *trick.plays)]
    if whose in played:
        return f"{whose} has played a card, and shows the {pretty(king)} too late"
    if played and state.terms.options.king_until == "lead":
        return f"{played[0]} has led, and {whose} shows the {pretty(king)} too late"
    return ""


def wants_no_exchange(whose: str, state: State[Any]) -> bool:
    """Whether a seat that shows the king now, instead of saying anything, says with it that the play begins."""
    return state.phase in ("proposing", "answering") and whose in state.turn


def the_king_in_time(show: Show, state: State[Any]) -> CheckResult | None:
    """The king of trumps is shown after the exchange, once, and not too late."""
    whose, king = king_shown(show, state)
    if not whose:
        return None
    if gone_by(state):
        return unknown(GONE_BY)
    if not state.hand.trump:
        return unknown("whether it is the king of trumps: no trumps were recorded")
    late = too_late(whose, king, state)
    if late:
        return broken(late)
    over = state.phase == "play" or wants_no_exchange(whose, state)
    return None if over else unknown(f"whether the exchange was over: {GONE}")


def the_king_scores(fault: Fault, state: State[Any]) -> CheckResult | None:
    """A king that was shown in time scores, whatever the table says."""
    king = king_of(state) if state.number and fault.word == "king" else ""
    shown = state.hand.kings.by.get(king, "") if king and not too_early(king, state) else ""
    return broken(f"{shown} showed the king of trumps in time") if shown and fault.who in ("", shown) else None


def on_king_shown(show: Show, state: State[Any]) -> None:
    """Cards are shown: the upcard tells trumps; a king of trumps in the hand scores, if it is shown in time."""
    whose, king = king_shown(show, state)
    if whose:
        ready(state)
        if wants_no_exchange(whose, state):
            state.hand.proposals.plays = whose
    if not (whose and with_the_lead(whose, king, state)):
        on_card_shown(show, state)
    if whose and not too_late(whose, king, state):
        state.hand.kings.by[king], state.hand.kings.at[king] = whose, state.hand.exchange.acts


def on_king_denied(fault: Fault, state: State[Any]) -> None:
    """A king that the table does not let score does not; if it had won the match, the hand goes on."""
    king = king_of(state) if state.number else ""
    shown = state.hand.kings.by if king else {}
    if fault.word != "king" or king not in shown or fault.who not in ("", shown[king]):
        return
    shown[king] = ""
    if state.settled and len(state.hand.trick.won) < state.hand.trick.total:
        state.ended = ""
        play_on(state)
        state.phase = "proposing"
        open_play(state)


def who_showed_it(state: State[Any]) -> str:
    """Who showed the king of trumps for points, `NOBODY` if nobody did; empty while that is open."""
    kings, king = state.hand.kings, king_of(state)
    in_doubt = too_early(king, state) or (not state.hand.trump and any(kings.by.values()))
    return "" if in_doubt else kings.by.get(king, "") or NOBODY


def shows_the_king(seat: str, state: State[Any]) -> Iterator[Event]:
    """The king of trumps, by whoever holds it, while it may be shown."""
    king, pack = king_of(state), state.game.pack
    if state.hand.trump and king not in state.hand.kings.by and state.holding(seat).certain & pack.field[pack.code[king]]:
        yield Show(by=seat, groups=((king,),))


__all__ = [
    "ShownKings", "king_of", "on_king_denied", "on_king_shown", "shows_the_king", "the_king_in_time", "the_king_scores",
    "who_showed_it",
]  # fmt: skip
