"""The king of trumps, which its holder may show for points: after the exchange, and before playing a first card.

The page's record of the hand keeps the `ShownKings` as `kings`, its suit as `trump`, its `Exchange` as `exchange`, its
`Proposals` as `proposals` and its `Tricks` as `trick`. The page's option `king_until` says until when the king may be
shown: the holder's own first card ("own_card") or the first lead ("lead"). Écarté uses it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from events.cards import pretty
from events.model import Event, Fault, Show
from reducers.evolve import reopen_hand
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.words.deals import ensure_dealt
from reducers.words.exchange import GONE
from reducers.words.one_round import GONE_BY, gone_by
from reducers.words.proposals import NOBODY
from reducers.words.trick_play import open_play
from reducers.words.upcards import on_card_shown


class ShownKings:
    """The kings shown in a hand. `by`: the seat that showed each, empty if the table does not let it score. `at`:
    number of acts of the exchange before it. `perhaps`: by seat, a card that may be the king of trumps, or the king if
    it may have been that seat's lead."""

    def __init__(self) -> None:
        self.by: dict[str, str] = {}
        self.at: dict[str, int] = {}
        self.perhaps: dict[str, str] = {}


def king_of(state: State[Any]) -> str:
    """The king of trumps."""
    return f"K{state.hand.trump}"


def king_shown(show: Show, state: State[Any]) -> tuple[str, str]:
    """The seat that shows a card that may be the king of trumps, and the card; else two empty strings."""
    if not state.number or state.settled:
        return "", ""
    pack, cards = state.game.pack, [card for group in show.groups for card in group]
    whose = show.by if show.src in ("", "trick") else show.src.removeprefix("hand:")
    code = pack.code.get(cards[0]) if len(cards) == 1 else None
    if code is None or whose not in state.terms.seats:
        return "", ""
    kings = pack.rank["K"] & (pack.suit[state.hand.trump] if state.hand.trump else pack.full)
    return (whose, cards[0]) if pack.may_be[code] & kings else ("", "")


def was_card_seen(card: str, state: State[Any]) -> bool:
    """Return True if all of this card was seen."""
    return bool(state.game.pack.code[card] < state.game.pack.unknown)


def with_the_lead(whose: str, king: str, state: State[Any]) -> bool:
    """Return True if the king is the card that its holder has just led to the first trick."""
    trick = state.hand.trick
    return not trick.won and trick.plays == [(whose, state.game.pack.code[king])]


def has_been_played(whose: str, card: str, state: State[Any]) -> bool:
    """Return True if a seat has played this card, so that it is shown on the table."""
    trick = state.hand.trick
    return any(
        (whose, state.game.pack.code[card]) in plays for plays in (*(one.plays for one in trick.won), trick.plays)
    )


def perhaps_with_the_lead(whose: str, king: str, state: State[Any]) -> bool:
    """Return True if the king may be the half-seen card that its holder has just led to the first trick."""
    trick, pack = state.hand.trick, state.game.pack
    if trick.won or [seat for seat, _ in trick.plays] != [whose]:
        return False
    code: int = trick.plays[0][1]
    return code >= pack.unknown and bool(pack.may_be[code] & pack.may_be[pack.code[king]])


def changed_after_king(king: str, state: State[Any]) -> bool:
    """Return True if cards were changed after this king was shown, by the record."""
    at: int | None = state.hand.kings.at.get(king)
    return at is not None and state.hand.exchange.acts > at


def why_king_too_late(whose: str, king: str, state: State[Any]) -> str:
    """Why a king can no longer be shown; empty if it can."""
    trick = state.hand.trick
    if king in state.hand.kings.by and not changed_after_king(king, state):
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
    """Return True if a seat that shows the king now, instead of making a call, thereby begins the play."""
    return state.phase in ("proposing", "answering") and whose in state.turn


def the_king_in_time(show: Show, state: State[Any]) -> CheckResult | None:
    """The king of trumps is shown after the exchange, once, and not too late."""
    whose, card = king_shown(show, state)
    if not whose:
        return None
    if gone_by(state):
        return unknown(GONE_BY)
    if not state.hand.trump:
        return unknown("whether it is the king of trumps: no trumps were recorded")
    king = king_of(state)
    late = why_king_too_late(whose, king, state)
    if late and perhaps_with_the_lead(whose, king, state):
        holds = False if show.src == "trick" else state.holding(whose).any_of(
            state.game.pack.field[state.game.pack.code[king]]
        )
        if holds is None:
            return unknown(f"whether {whose} has led the {pretty(king)}; not all of that card was seen")
        late = late if holds else ""
    over = state.phase == "play" or wants_no_exchange(whose, state)
    if not was_card_seen(card, state):
        return unknown(f"whether it is the {pretty(king)}; not all of the card was seen") if late or not over else None
    if late:
        return broken(late)
    return None if over else unknown(f"whether the exchange was over: {GONE}")


def the_king_scores(fault: Fault, state: State[Any]) -> CheckResult | None:
    """A king that was shown in time scores; a fault that denies it is wrong."""
    if not state.number or fault.word != "king":
        return None
    kings, king = state.hand.kings, king_of(state)
    shown = kings.by.get(king, "") if not changed_after_king(king, state) else ""
    if shown and fault.who in ("", shown):
        return broken(f"{shown} showed the king of trumps in time")
    in_doubt = kings.perhaps and (not fault.who or fault.who in kings.perhaps)
    return unknown("whether the king of trumps was shown in time") if in_doubt else None


def on_king_shown(show: Show, state: State[Any]) -> None:
    """Apply a show: the upcard shows trumps; a king of trumps in the hand scores if it is shown in time."""
    whose, card = king_shown(show, state)
    if whose:
        ensure_dealt(state)
        if wants_no_exchange(whose, state) and was_card_seen(card, state):
            state.hand.proposals.plays = whose
    kings, in_doubt = state.hand.kings if whose else None, whose and perhaps_with_the_lead(whose, card, state)
    if not whose or not (has_been_played(whose, card, state) or (in_doubt and not show.src)):
        on_card_shown(show, state)
    if kings is None or not in_time(show, whose, card, state):
        return
    if not was_card_seen(card, state) or (in_doubt and not show.src):
        kings.perhaps[whose] = card
    else:
        kings.by[card], kings.at[card] = whose, state.hand.exchange.acts


def in_time(show: Show, whose: str, card: str, state: State[Any]) -> bool:
    """Return True if a card that was shown may score as the king of trumps."""
    king = card if was_card_seen(card, state) or not state.hand.trump else king_of(state)
    return perhaps_with_the_lead(whose, king, state) if why_king_too_late(whose, king, state) else True


def on_king_denied(fault: Fault, state: State[Any]) -> None:
    """Apply a fault that denies the king its score; if it had won the match, the hand goes on."""
    king = king_of(state) if state.number else ""
    kings = state.hand.kings if king else None
    if fault.word != "king" or kings is None:
        return
    kings.perhaps = {whose: card for whose, card in kings.perhaps.items() if fault.who not in ("", whose)}
    if king not in kings.by or fault.who not in ("", kings.by[king]):
        return
    kings.by[king] = ""
    if state.settled and len(state.hand.trick.won) < state.hand.trick.total:
        state.ended = ""
        reopen_hand(state)
        state.phase = "proposing"
        open_play(state)


def who_showed_it(state: State[Any]) -> str:
    """The seat that showed the king of trumps for points, `NOBODY` if none did; empty while unknown."""
    kings, king = state.hand.kings, king_of(state)
    if changed_after_king(king, state) or (not state.hand.trump and (any(kings.by.values()) or kings.perhaps)):
        return ""
    by: str = kings.by.get(king, "")
    if by:
        return by
    told = {showed_it_after_all(whose, card, state) for whose, card in kings.perhaps.items()}
    return told.pop() if len(told) == 1 else "" if told else NOBODY


def showed_it_after_all(whose: str, card: str, state: State[Any]) -> str:
    """The seat, if the cards played show that its doubtful card was the king; `NOBODY` if not; empty while unknown."""
    pack, king = state.game.pack, king_of(state)
    code, tricks = pack.code[king], [one.plays for one in state.hand.trick.won]
    led = was_card_seen(card, state)
    if led and card != king:
        return NOBODY
    # A king that may have been led was shown too late if it comes later.
    cards = [c for plays in tricks[led:] for seat, c in plays if seat == whose]
    if any(seat != whose and c == code for plays in tricks for seat, c in plays) or (led and code in cards):
        return NOBODY
    all_seen = len(tricks) == state.hand.trick.total and max(cards, default=pack.unknown) < pack.unknown
    if not all_seen or (code in cards and not led):
        return ""
    return whose if led else NOBODY


def shows_the_king(seat: str, state: State[Any]) -> Iterator[Event]:
    """A show of the king of trumps by its holder, while it may be shown."""
    king, pack = king_of(state), state.game.pack
    if (
        state.hand.trump and king not in state.hand.kings.by
        and state.holding(seat).certain & pack.field[pack.code[king]]
    ):
        yield Show(by=seat, groups=((king,),))
