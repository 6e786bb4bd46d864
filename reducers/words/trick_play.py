"""The frame of a trick game: the piles, the leads, one card after another, a gap.

A page spreads `TRICKS` into its `on` and adds what it does differently. Its record of the hand keeps the `Tricks` as
`trick`, and its phase of play is called `play`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from events.cards import GLYPHS, SUIT_NAMES, SUITS, Ranking
from events.model import Event, Fault, Gap, Move, Play
from events.name_lists import one_of
from reducers.facts import Limit
from reducers.gaps import after_gap
from reducers.model import Evolve, HandRecord, State
from reducers.rules import CheckResult, broken, unknown
from reducers.scoring import Points
from reducers.silent_acts import put_in_unwritten
from reducers.tally import counts
from reducers.words.deals import WHO_DEALS, declared_deal, ensure_dealt
from reducers.words.rulings import trick_winners_as_ruled
from reducers.words.tricks import (
    NO_TRUMPS, Tricks, gathered_by, must_follow_suit, must_head_the_trick, one_card_in_turn, why_out_of_turn, owner,
    play_to_trick, side_with, strengths, strengths_before_trumps, who_led, why_unknown, winner_gathers, CARD_UNSEEN,
    holds_suit,
)  # fmt: skip

def must_follow_suit_or_trump(play: Play, state: State[Any]) -> CheckResult | None:
    """A seat that plays no trump plays the suit led if it can: trumps may be played to any trick."""
    says = must_follow_suit(play, state)
    tricks: Tricks = state.hand.trick
    if says is None or tricks.led == "?" or tricks.astray:
        return says
    if tricks.blind:
        return says if says.verdict == "open" else unknown(NO_TRUMPS)
    return None if tricks.suits.of[state.code(play.cards)] == tricks.strength.trump else says


def must_head_in_suit(play: Play, state: State[Any]) -> CheckResult | None:
    """A seat that follows suit beats the card that is ahead if it can, the partner's too. (A seat that could follow and
    does not breaks another rule.)"""
    tricks: Tricks = state.hand.trick
    if not tricks.plays:
        return None
    seat, code, pack, suits = play.by, state.code(play.cards), tricks.table.pack, tricks.suits
    if code < pack.unknown and suits.of[code] != tricks.led != "?":
        return None
    dark = why_unknown(tricks) or why_out_of_turn(seat, state)
    if dark is not None:
        return dark
    held, (in_suit, _) = state.holding(seat), tricks.strength.above(tricks.best)
    heads = held.any_of(in_suit)
    if heads is False or (code < pack.unknown and tricks.values[code] > tricks.best and not tricks.doubt):
        return None
    if tricks.doubt or code >= pack.unknown:
        return unknown(CARD_UNSEEN)
    if heads is None or tricks.blind:
        return unknown(NO_TRUMPS if tricks.blind else f"whether {seat} could beat the trick")
    return broken(f"{seat} could beat the trick and did not", held.certain & in_suit, seat)


def must_trump_higher(play: Play, state: State[Any]) -> CheckResult | None:
    """A seat that cannot follow heads the trick with a trump if it can, even over its partner."""
    due, dark = trump_is_due(play, state)
    if not due:
        return dark
    tricks, seat = state.hand.trick, play.by
    held, (_, above) = state.holding(seat), tricks.strength.above(tricks.best)
    heads = held.any_of(above)
    if heads is False or (not tricks.doubt and tricks.values[state.code(play.cards)] > tricks.best):
        return None
    if dark is not None or not heads:
        return dark or unknown(f"whether {seat} had to trump")
    return broken(f"{seat} could head the trick with a trump", held.certain & above, seat)


def must_undertrump(play: Play, state: State[Any]) -> CheckResult | None:
    """A seat that cannot follow, and whose trumps are all too low, plays one of them all the same."""
    due, dark = trump_is_due(play, state)
    if not due:
        return dark
    tricks, seat = state.hand.trick, play.by
    held, trump, (_, above) = state.holding(seat), tricks.strength.trump, tricks.strength.above(tricks.best)
    has, heads = held.any_of(tricks.suits.sure.get(trump, 0)), None if tricks.doubt else held.any_of(above)
    if has is False or heads or tricks.suits.of[state.code(play.cards)] == trump:
        return None
    if dark is not None or not has or heads is None:
        return dark or unknown(f"whether {seat} had to play a trump")
    return broken(
        f"{seat} holds a trump and must play it, even if it is too low", held.certain & tricks.suits.sure[trump], seat,
    )


def trump_is_due(play: Play, state: State[Any]) -> tuple[bool, CheckResult | None]:
    """True if a card may have had to be a trump, with what is unknown; else False, with the verdict of the rule."""
    tricks: Tricks = state.hand.trick
    if not tricks.plays:
        return False, None
    code, pack, suits = state.code(play.cards), state.game.pack, tricks.suits
    if code < pack.unknown and suits.of[code] == tricks.led:
        return False, None
    dark = why_unknown(tricks) or why_out_of_turn(play.by, state)
    if dark is not None or tricks.led == tricks.strength.trump:
        return False, dark
    follows = holds_suit(state.holding(play.by), tricks.led, suits)
    if follows or tricks.blind:
        return False, None if follows else unknown(NO_TRUMPS)
    if tricks.doubt or code >= pack.unknown:
        return True, unknown(CARD_UNSEEN)
    return True, unknown(f"whether {play.by} had to trump") if follows is None else None


class TrickHand(HandRecord):
    """The record of a hand that has only tricks; a page may derive its own from it."""

    def __init__(self, state: State[Any], ranked: Ranking) -> None:
        self.trick = Tricks(state, declared_deal(state).each)
        self.trick.power = strengths(state.game.pack, ranked, "")


def play_at_once(state: State[Any], ranked: Ranking, record: type[TrickHand] = TrickHand) -> TrickHand:
    """Begin a hand with the lead of the seat after the dealer: there are no calls and no trumps."""
    lay_out_tricks(state)
    state.phase, state.turn = "play", (state.terms.after(state.dealer),)
    return record(state, ranked)


def lay_out_tricks(state: State[Any]) -> None:
    """Set up empty hands and a pile of won cards for each side."""
    for seat in state.terms.seats:
        state.table.bag(seat)
    for side in state.terms.sides:
        state.table.row(f"won:{side}")


def first_to_act(phase: str, *, dealer: bool = False) -> Callable[[State[Any]], None]:
    """Set up the tricks; the seat after the dealer, or the dealer, acts first, in this phase."""

    def set_up(state: State[Any]) -> None:
        lay_out_tricks(state)
        state.phase, state.turn = phase, (state.dealer if dealer else state.terms.after(state.dealer),)

    return set_up


def first_lead(play: Play, state: State[Any]) -> CheckResult | None:
    """The seat after the dealer leads to the first trick, the winner of a trick to the next."""
    trick = state.hand.trick
    if trick.plays:
        return None
    if state.dealer_is_guess and not trick.won:
        return unknown(WHO_DEALS)
    doubtful = who_led(play.by, state)
    # A lead may end the phase before the play, in which it was another seat's turn.
    in_play = state.phase == "play" or trick.lost
    leaders = (in_play and state.turn) or (state.terms.after(state.dealer),)
    if doubtful is not None or play.by in leaders:
        return doubtful
    side = "left" if state.terms.way == 1 else "right"
    return broken(f"{one_of(leaders)} {'won the last trick' if trick.won else f'sits {side} of the dealer'} and leads")


def dealers_next_leads_first(play: Play, state: State[Any]) -> CheckResult | None:
    """The seat after the dealer leads to the first trick."""
    return None if state.hand.trick.won else first_lead(play, state)


def winner_leads_next(play: Play, state: State[Any]) -> CheckResult | None:
    """The winner of a trick leads to the next."""
    return first_lead(play, state) if state.hand.trick.won else None


def partner_is_ahead(seat: str, state: State[Any]) -> bool | None:
    """True if the seat's side is winning the trick; None if an unseen card may be ahead."""
    trick, side_of = state.hand.trick, state.terms.side_of
    if not trick.doubt:
        ours: bool = side_of[trick.ahead] == side_of[seat]
        return ours
    mine = {side_of[s] == side_of[seat] for s in trick.perhaps_ahead()}
    return mine.pop() if len(mine) == 1 else None


def sign_of_trumps(state: State[Any]) -> str:
    """The sign of the trump suit of the hand in play; empty while unknown."""
    return GLYPHS.get(state.hand.trump, "")


def no_trumps_recorded(state: State[Any]) -> bool:
    """Return True if card strengths are unknown because trumps were not recorded."""
    trick: Tricks = state.hand.trick
    return trick.blind and not trick.lost


def must_head_the_opponents(play: Play, state: State[Any]) -> CheckResult | None:
    """A seat that can beat the card that is ahead must (see `must_head_the_trick`), unless its partner is ahead."""
    if not state.hand.trick.plays:
        return None
    excused = partner_is_ahead(play.by, state)
    if excused:
        return None
    says = must_head_the_trick(play, state)
    if says is None or (excused is not None and not no_trumps_recorded(state)):
        return says
    return unknown("an unseen card may be ahead" if excused is None else NO_TRUMPS)


class Denied(NamedTuple):
    """The last card played, which the table takes for a fault, with what was before it.

    `led`: the suit of the trick, empty if a card was unseen. `above`: the cards that would have beaten the seat
    `ahead`. `tricks`: number of full tricks before it. `held`: the hand it came from, None if not fully seen.
    """

    seat: str
    code: int
    before: tuple[tuple[str, int], ...]
    tricks: int
    led: str = ""
    ahead: str = ""
    above: int = 0
    held: int | None = None


def card_denied(fault: Fault, state: State[Any]) -> Denied | None:
    """The card that a fault is about, if it is the last one played."""
    trick: Tricks | None = state.hand.trick if state.number else None
    plays = () if trick is None or trick.lost else tuple(trick.plays) or (trick.won[-1].plays if trick.won else ())
    if trick is None or not plays or fault.who not in ("", plays[-1][0]) or fault.refs not in ((), (state.at - 1,)):
        return None
    *before, (seat, code) = plays
    tricks, pack, holding = len(trick.won) - (not trick.plays), state.game.pack, state.holding(seat)
    if not before or max(c for _, c in plays) >= pack.unknown or trick.astray:
        return Denied(seat, code, tuple(before), tricks)
    held = holding.certain | pack.unit[code] if holding.complete else None
    return with_cards_ahead(Denied(seat, code, tuple(before), tricks, held=held), trick)


def with_cards_ahead(card: Denied, trick: Tricks) -> Denied:
    """A card that was not led, with the state of its trick before it."""
    led = trick.suits.of[card.before[0][1]]
    strength = trick.power[led]
    ahead, best = max(card.before, key=lambda play: strength.values[play[1]])
    in_suit, trumps = strength.above(strength.values[best])
    return card._replace(led=led, ahead=ahead, above=in_suit | trumps)


def any_card_without_the_suit(fault: Fault, state: State[Any]) -> CheckResult | None:
    """A fault that says the last card had to follow suit is wrong if it did, or if its seat could not."""
    denied = card_denied(fault, state) if fault.word == "revoke" and state.number else None
    if denied is None or denied.led not in SUITS or no_trumps_recorded(state):
        return None
    suits = state.hand.trick.suits
    if suits.of[denied.code] == denied.led:
        return broken(f"the {state.game.pack.shown(denied.code)} is of the suit led")
    follows = state.holding(denied.seat).any_of(suits.sure[denied.led])
    if follows is None:
        return unknown(f"whether {denied.seat} held {SUIT_NAMES[denied.led]}", state.holding(denied.seat))
    return None if follows else broken("the seat held no card of the suit led, so any card may be played")


def cards_played(seat: str, trick: Tricks) -> list[Denied] | None:
    """Each card that a seat played to a lead in the hand so far, last first, with the hand that it came from; None if
    not all of that was seen."""
    pack, holding = trick.table.pack, trick.table.piles.get(seat)
    tricks = [*enumerate(t.plays for t in trick.won), (len(trick.won), tuple(trick.plays))]
    its_own = [(number, plays, i) for number, plays in tricks for i, (who, _) in enumerate(plays) if who == seat]
    if trick.lost or trick.astray or (its_own and (trick.blind or holding is None or not holding.complete)):
        return None
    played, held = list[Denied](), holding.certain if holding is not None else 0
    for number, plays, i in reversed(its_own):
        if max(code for _, code in plays[: i + 1]) >= pack.unknown:
            return None
        held |= pack.unit[plays[i][1]]
        if i:
            played.append(with_cards_ahead(Denied(seat, plays[i][1], plays[:i], number, held=held), trick))
    return played


def is_led(state: State[Any]) -> bool:
    """Return True if the first card of the hand has been played."""
    return bool(state.hand.trick.won or state.hand.trick.plays)


def suit_led(state: State[Any]) -> str:
    """The suit that the next card has to follow; empty before a lead."""
    return state.hand.trick.led if state.phase == "play" and state.hand.trick.plays else ""


def just_taken(state: State[Any]) -> str:
    """The winner of the trick that has just become full, in words."""
    said: str = state.hand.trick.just_taken(state.at)
    return said


def open_play(state: State[Any]) -> None:
    """Start the play; the seat after the dealer leads, any seat if the dealer is unknown."""
    if state.phase != "play" and not state.hand.trick.lost:
        terms = state.terms
        state.phase, state.turn = "play", terms.seats if state.dealer_is_guess else (terms.after(state.dealer),)


def on_card(play: Play, state: State[Any]) -> None:
    """Apply a card played; the first one implies the unrecorded acts before it."""
    if state.phase != "play" or not state.acts:
        ensure_dealt(state, play)
        put_in_unwritten(play, state)
        open_play(state)
    play_to_trick(play, state)


def trick_counts(who: str, of: Limit, rule: str, *, one_by_one: bool = False, **more: Any) -> Any:
    """The fact of a tally that tells how many of the tricks each side took (`who`: "side" or "player"), or each of
    them; `more` is for `counts`."""
    if one_by_one:
        each = "seat or side that took that trick" if who == "side" else f"{who} who took that trick"
        more = {
            "one_by_one": ("trick", each), "ruling_one": f"{who} {'that' if who == 'side' else 'who'} gets that trick",
            **more
        }
    ruling = f"tricks that a {who} gets, or gives with a minus"
    return counts(f"tricks taken by a {who}", of=of, rule=rule, asks="who took how many tricks", ruling=ruling, **more)


def tricks_of_each(state: State[Any]) -> Points:
    """The tricks of each side once the last one is played; None until then, and if a winner is unknown."""
    tricks = state.hand.trick
    whole = len(tricks.won) == tricks.total and not tricks.lost
    return tricks.taken_by(state.terms.side_of) if whole else dict.fromkeys(state.terms.sides)


TRICKS: dict[type[Event], Evolve] = {Play: on_card, Move: gathered_by, Gap: after_gap()}


__all__ = [
    "NO_TRUMPS", "TRICKS", "Denied", "TrickHand", "Tricks", "any_card_without_the_suit", "card_denied", "cards_played",
    "dealers_next_leads_first", "first_lead", "first_to_act", "just_taken", "lay_out_tricks", "is_led",
    "must_follow_suit", "must_follow_suit_or_trump", "must_head_in_suit", "must_head_the_opponents",
    "must_head_the_trick", "must_trump_higher", "must_undertrump", "no_trumps_recorded", "trick_winners_as_ruled",
    "on_card", "one_card_in_turn", "open_play", "why_out_of_turn", "owner", "partner_is_ahead", "play_at_once",
    "play_to_trick", "side_with", "strengths", "strengths_before_trumps", "sign_of_trumps", "suit_led", "trick_counts",
    "tricks_of_each", "who_led", "why_unknown", "winner_gathers", "winner_leads_next",
]  # fmt: skip
