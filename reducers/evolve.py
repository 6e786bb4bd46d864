"""How events change the state: what is the same for all games is applied here once.

A page is data and a few functions. A new hand, an agreed end, claims, results without moves and cards that lie
anywhere are the same for all games.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, Literal

import msgspec

from events.cards import pretty
from events.errors import UnreadableError
from events.model import (
    ABOUT,
    Back,
    Call,
    Capture,
    Claim,
    Confirm,
    Deal,
    Discard,
    Draw,
    End,
    Event,
    Facts,
    Gap,
    Hand,
    Move,
    Open,
    Play,
    Ruling,
    Show,
    Shuffle,
    Tally,
)
from reducers.first_state import terms_of, with_pack
from reducers.legal import (
    ANY_TIME,
    ON_THE_TABLE,
    ONTO_A_PILE,
    acts_of,
    begins_unwritten,
    objections,
    plans,
    unknown_pile,
)
from reducers.model import ClaimMade, Evolve, State, Undecided, attribute_names
from reducers.pile_words import where_card_lies
from reducers.registry import NOT_INSTALLED, find_game
from reducers.rules import TABLE, CheckResult, Rule, Verdict, broken
from reducers.ruling_effects import apply_rulings, changes_the_record, hand_over
from reducers.scoring import HandScore, Points, Standing, add_points, leaders_by_total, with_winners
from reducers.seating import next_dealer, seated_anew, sit_down, terms_with, with_names, with_who_left
from reducers.silent_acts import forget_written, put_in_unwritten
from reducers.table import Trouble
from reducers.tally_declarations import last_words, reported_dealer
from reducers.terms import HouseRules, hand_of, side_named


def evolve(state: State[Any], event: Event) -> None:
    """Apply an event to the state. An act out of place is applied as far as possible, without objection. An act
    with an unknown word for a pile is a gap: nobody knows what it moved."""
    kind = type(event)
    # Most acts name no pile, and are not asked for one.
    if (getattr(event, "src", "") or kind in ONTO_A_PILE) and unknown_pile(event, state):
        event, kind = Gap(by="@"), Gap
    if may_begin(event, state):
        # Each act is applied as if the dealer was known; what it shows of the dealer comes first.
        state.dealer_is_guess = state.dealer_is_guess and state.undecided is None
        if open_hand(event, state):
            state.acts = 1
    act = state.game.on.get(kind)
    if act is None or kind in FRAME or state.ended or state.hand is None:
        act = act_outside_play(event, state, act)
        if act is None:
            return
    # An actor without a seat cannot act; the line is kept, and the judge reports it.
    elif kind not in ANY_TIME:
        if event.by not in state.terms.side_of and not has_seat(event.by, state):
            return
        phase = state.game.phases.get(state.phase)
        if phase is not None and (event.by not in state.turn or kind not in phase.acts):
            put_in_unwritten(event, state)
    act(event, state)
    if kind is Deal:
        state.deals_are_written = True
    if state.silent:
        forget_written(event, state)
    if state.undone is not None and kind is not Deal and kind is not Gap and kind not in ABOUT:
        state.undone = None
    if state.undecided is not None:
        keep_to_deal_again(event, state.undecided, state)


def is_in_full_play(state: State[Any]) -> bool:
    """True if the hand has begun and nothing about it is in doubt, unless it may be over. Then `evolve` only hands an
    act to the function of `acts_within_hand`, if a seat in turn makes it (of those in `ANY_TIME`, any seat) and it
    names no unknown pile."""
    if not state.acts or state.settled or state.ended or state.lost_count or state.tallies or state.silent:
        return False
    return state.undone is None and state.undecided is None


@cache
def acts_within_hand(key: str) -> dict[str, dict[type[Event], Evolve]]:
    """The functions for acts by phase, without acts that show where a hand begins or is over."""
    game, on = find_game(key), {**COMMON, **find_game(key).on}
    return {
        name: {kind: on[kind] for kind in (*phase.acts, Move, Show) if kind in on and kind not in FRAME}
        for name, phase in game.phases.items()
    }


def may_begin(event: Event, state: State[Any]) -> bool:
    """True if this event may show that a hand begins, or who dealt the hand in play."""
    if not state.acts or state.settled or state.lost_count or state.tallies or state.undecided is not None:
        return True
    return state.may_be_over() or (type(event) is Deal and event.by == "@" and may_have_run_out(state))


def open_hand(event: Event, state: State[Any]) -> bool:
    """Begin and deal an unrecorded hand before its first act; missing cards of the deal are laid unseen.

    Called before an act is judged and before it is applied. Return True if the act is the first of its hand.
    """
    if type(event) is Hand:
        return False
    if is_by_nobody(event, state):
        return False
    if state.acts or state.settled or state.phase == "between" or state.tallies or state.lost_count or (
        state.may_be_over()
    ):
        begin_hand_shown_by(event, state)
    if state.settled or state.ended or not has_seat(event.by, state):
        return False
    if state.undecided is not None and type(event) in acts_of(state.game.key) and type(event) is not Deal:
        state.is_tried = True
        narrow_the_dealer(event, state.undecided, state)
        state.is_tried = False
    if state.acts:
        return False
    finds_cards = type(event) in acts_of(state.game.key) and (type(event) is Move or type(event) not in ANY_TIME)
    if isinstance(event, Show | Move) and event.by in state.table.piles:
        # A seat that shows or moves cards in an unrecorded hand must have been dealt them.
        has_none = event.src in ("", hand_of(event.by)) and not len(state.holding(event.by))
        finds_cards = has_none or (finds_cards and type(event) is Move)
    if not finds_cards:
        return False
    table = state.table
    state.game.dealing.lay_deal(state)
    # These cards were there before the act.
    table.since.update(
        {name: step - 1 for name, step in table.since.items() if step == table.now and table.piles[name].row is None}
    )
    is_first, state.acts = state.acts > 0, 0
    return is_first


def begin_hand_shown_by(event: Event, state: State[Any]) -> None:
    """Begin another hand if this event shows that the last one is over and nobody wrote the beginning of the next."""
    if begins_unwritten(event, state) and has_seat(event.by, state):
        ensure_hand_started(state)
    elif is_dealt_later(event, state) or fits_only_the_next_hand(event, state):
        new_hand(None, state)
        state.infer(f"hand {state.number} is dealt here, so the one before it was over; its beginning was not recorded")
    elif shows_card_of_another_hand(event, state) or goes_on_in_another_hand(event, state):
        new_hand(None, state)
        continue_unrecorded_hand(state)
    elif (
        state.settled and is_out_of_place(event, state)
        and (not state.ended or (state.ended == "won" and state.game.omissions.belongs_to_finished_hand(state, event)))
    ):
        put_in_unwritten(event, state)


def is_dealt_later(event: Event, state: State[Any]) -> bool:
    """True if a deal or shuffle after a gap or tally, or in a hand that may be over, cannot be of this hand: another
    begins."""
    if type(event) not in (Deal, Shuffle) or event.by != "@" or state.settled or state.ended:
        return False
    if not state.tallies and not (state.acts and (
        state.lost_count or state.may_be_over()
        or (may_have_run_out(state) and fits_a_new_hand(event, state))
    )):
        return False
    declared = state.game.dealing.deal
    if isinstance(event, Deal) and not (declared is not None and declared.stages) and (
        (state.acts and cannot_be_dealt_again(event, state))
        or shows_card_of_another_hand(event, state)
    ):
        return True
    there = state if state.undone is None else state.undone[1]
    return (there is state and isinstance(event, Deal) and is_part_of_first_deal(event, state)) or any(
        says.verdict == Verdict.BROKEN for _, says in objections(there, event)
    )


def cannot_be_dealt_again(deal: Deal, state: State[Any]) -> bool:
    """True if a deal lays cards where some lie, or, after a tally, does more than give cards to players without any."""
    piles, seats = state.table.piles, state.terms.seats
    names = [name for pile, _ in deal.piles for name in each_pile(pile.removeprefix("hand:"))]
    if state.tallies:
        return any(name not in seats or (name in piles and len(piles[name])) for name in names)
    laid_out = state.game.dealing.deal is None
    return laid_out and any(name not in (*seats, "stock") and name in piles and len(piles[name]) for name in names)


def may_have_run_out(state: State[Any]) -> bool:
    """True if the cards of a player were not counted, or of a pile that may have ended the hand with its last card."""
    return any(pile.vague for name, pile in state.table.piles.items() if name not in ("stock", "discard"))


def fits_only_the_next_hand(event: Event, state: State[Any]) -> bool:
    """True if the hand was told by a tally after some of its acts, and this act breaks a rule in it, or is out of
    place, but not as the first act of the next hand: the tally stood for the rest of the hand. A tally from which
    nobody's points follow, as of trumps, stands for nothing. So it is with the first act after the end of a hand of
    which the table may still speak, or play on."""
    if state.settled:
        first = state.phase != "between" and not state.played_on
        return first and bool(speaks_against_this_hand(event, state)) and fits_a_new_hand(event, state)
    if not (state.tallies and state.acts) or state.ended or type(event) not in acts_of(state.game.key):
        return False
    if state.score is None or all(points is None for points in state.score.points.values()):
        return False
    says = objections_here(event, state.copy())
    # The cards of a deal are counted: an open question about it is an objection, too.
    objected = bool(says) if type(event) is Deal else any(said.verdict == Verdict.BROKEN for _, said in says)
    return objected and fits_a_new_hand(event, state)


def goes_on_in_another_hand(event: Event, state: State[Any]) -> bool:
    """True if an act is not of the hand in play, which may be over at a table that writes no deals, or to which acts
    were added after its end: another began before it."""
    if state.settled:
        return state.played_on and bool(speaks_against_this_hand(event, state))
    against = speaks_against_this_hand(event, state) if state.acts and not state.deals_are_written else ""
    return against == "card" or (against == "rule" and fits_a_new_hand(event, state))


def speaks_against_this_hand(event: Event, state: State[Any]) -> Literal["", "rule", "card"]:
    """What an act breaks in a hand that may be over, or a call in one that is, if the match goes on: a rule, or that a
    card lies elsewhere."""
    if state.ended or type(event) not in acts_of(state.game.key):
        return ""
    is_late_call = type(event) is Call and state.settled and not state.played_on
    if not is_late_call and not state.may_be_over():
        return ""
    if state.is_tried or (state.undecided is not None and len(state.undecided.seats) > 1):
        return ""
    then = state.copy()
    if any(says.verdict == Verdict.BROKEN for _, says in objections_here(event, then)):
        return "rule"
    if type(event) is Call:
        return ""
    then.game.on[type(event)](event, then)
    return "card" if len(then.table.trouble) > len(state.table.trouble) else ""


def fits_a_new_hand(event: Event, state: State[Any]) -> bool:
    """True if the event breaks no rule as the first one of the next hand, and a deal gives no player a part of a hand
    only."""
    then, declared = state.copy(), state.game.dealing.deal
    new_hand(None, then)
    if any(says.verdict == Verdict.BROKEN for _, says in objections_in_place(event, then)):
        return False
    if type(event) is not Deal or declared is None or not declared.each or (
        declared.stages or declared.shares or declared.by_hand or declared.option or declared.uneven
    ):
        return True
    evolve(then, event)
    held = [then.table.piles[seat] for seat in then.terms.seats if seat in then.table.piles]
    return all(pile.vague or len(pile) in (0, declared.each) for pile in held)


def shows_card_of_another_hand(event: Event, state: State[Any]) -> bool:
    """True if a card after a gap, or in a hand that may be over, was already played in this hand: it belongs to
    another hand, and the gap hides the rest of this one. In games that play a card twice in a hand, only a deal of the
    table shows it."""
    if state.settled or state.ended:
        return False
    may_be_over = state.may_be_over()
    if not (state.lost_count or may_be_over):
        return False
    trick, captures = getattr(state.hand, "trick", None), getattr(state.hand, "captures", None)
    if trick is captures is None and not (isinstance(event, Deal) and event.by == "@"):
        return False
    pack, free = state.table.pack, state.table.free()
    if isinstance(event, Deal):
        named = tuple(card for _, cards in event.piles for card in cards)
    elif isinstance(event, Show):
        named = tuple(card for cards in event.groups for card in cards)
    elif isinstance(event, Play | Draw | Discard | Move):
        named = event.cards
    elif isinstance(event, Capture):
        named = (*event.takes, *event.cards)
    else:
        return False
    if not isinstance(event, Deal) and event.src.partition(":")[0] in ("won", "trick"):
        return False
    if trick is captures is None:
        return any(not free & pack.field[pack.code[card]] for card in set(named) & set(pack.faces))
    mine = None if isinstance(event, Deal) else state.table.piles.get(event.src.removeprefix("hand:") or event.by)
    # Of two equal cards one may have been played, and the other be in the hand.
    there = free if mine is None else free | mine.certain
    again = pack.mask_of(card for card in set(named) & set(pack.faces) if not there & pack.field[pack.code[card]])
    log = captures.log if captures is not None else []
    plays = trick.plays if trick is not None else [(event.by, taken.card) for taken in log[-1:]]
    if (event.by, pack.code.get(named[-1] if named else "")) in plays[-1:]:
        return False  # the same line, typed twice
    # A hand hardly ends within a trick: a card of the current trick was typed wrong.
    within = trick is None or (0 < len(plays) < len(state.game.dealing.playing(state)) and not may_be_over)
    at_rest = ("won",) if within else ("won", "trick")
    return bool(again) and any(
        pile.certain & again for name, pile in state.table.piles.items() if name.startswith(at_rest)
    )


def is_out_of_place(event: Event, state: State[Any]) -> bool:
    """True if an act does not belong to this phase of the hand."""
    key = state.game.key
    return type(event) in acts_of(key) and type(event) not in plans(key)[state.phase]


def act_outside_play(event: Event, state: State[Any], act: Evolve | None) -> Evolve | None:
    """The function that applies an event outside play, the frame of a hand, or the table's own events; None if the
    event has no effect. `act` is the page's function for it, if any."""
    kind = type(event)
    if (state.ended or kind in FRAME) and absorb_after_match_end(event, state):
        return None
    if act is None:
        return COMMON.get(kind)
    if state.hand is None and kind in ON_THE_TABLE:
        act = COMMON[kind]
    return act if event.by in state.terms.side_of or kind in ANY_TIME or has_seat(event.by, state) else None


def absorb_after_match_end(event: Event, state: State[Any]) -> bool:
    """Return True if the event has no effect: the match is over, it only reports the end, or it is a gap of no acts
    between two hands.

    Also note what a gap hides, and what a deal after the gap shows.
    """
    if type(event) is End and event.facts and event.what == "match":
        # A reported final standing ends nothing: otherwise a correction could not reopen the match.
        if state.game.key.endswith(NOT_INSTALLED):
            believe_verdict(event, state)
        return True
    if state.ended and is_ignored_after_match_end(event, state):
        # The winner and the score stay. If a correction takes the end back, the log is applied again with this event.
        state.past_match_end = state.past_match_end or is_late_act(event, state)
        if type(event) is End:
            state.past_match_end = False
        return True
    if type(event) is Gap:
        if event.number == 0 and state.number and state.settled:
            return True
        if state.number and not state.settled and not state.acts:
            state.undone = (event.number or 0, state.copy())
            if state.game.dealing.deal is not None:
                state.game.dealing.lay_deal(state)
        state.gap = state.settled or not state.number
        state.dealer_is_guess = state.lost_count = True
        state.undecided = None
    elif type(event) is Deal and state.undone is not None and is_part_of_first_deal(event, state):
        restore_hand_before_gap(state)
    elif type(event) is Deal and state.gap and (event.by == "@" or Deal not in acts_of(state.game.key)):
        state.gap = False
    return False


def believe_verdict(event: End, state: State[Any]) -> None:
    """Take the points of the hands, the totals and the winner from the verdict kept in the record, as the page that
    judged it is not installed."""
    sums: Points = dict.fromkeys(state.terms.sides, 0)
    for i, score in enumerate(state.scores):
        points = {side: _kept_points(event.facts, side, score) for side in score.points}
        sums = add_points(sums, points)
        unknown = score.unknown if None in points.values() else ()
        state.scores[i] = msgspec.structs.replace(score, points=points, totals={**sums}, unknown=unknown)
    totals = {**state.standing.totals, **event.facts.get("totals", {})}
    state.after = msgspec.structs.replace(
        state.standing, totals=totals, winner=str(event.facts.get("winner", "")), over=True,
    )
    state.ended, state.phase, state.turn = event.why or "won", "over", ()


def _kept_points(verdict: Facts, side: str, score: HandScore) -> int | None:
    """The points of a side in a hand by a kept verdict; as they were reported if it has none."""
    kept = verdict.get("hands", {})
    each = kept.get(side) if isinstance(kept, dict) else None
    hands = each if isinstance(each, list) else [each]
    points = hands[score.number - 1] if score.number <= len(hands) else None
    return points if type(points) is int else score.points[side]


def is_part_of_first_deal(deal: Deal, state: State[Any]) -> bool:
    """True if a deal after a gap can only be part of the first deal of a hand: cards for another pile than a seat's,
    or any cards if the game deals all at once. A deal that names its pile (`from stock`) is a later one."""
    declared = state.game.dealing.deal
    if declared is None or deal.by != "@" or deal.src:
        return False  # the cards may have been picked up again
    return not (declared.rest or declared.stages) or any(
        name.removeprefix("hand:") not in state.terms.seats for name, _ in deal.piles
    )


def restore_hand_before_gap(state: State[Any]) -> None:
    """Restore the hand as it was before a gap, as the deal continues after it. If no card had been dealt and the gap
    gives no number of acts, a whole hand may be missing, and the dealer is a guess."""
    assert state.undone is not None
    (number, before), table = state.undone, state.table
    before = before.copy()
    for name in attribute_names(before):
        setattr(state, name, getattr(before, name))
    if table.journal is not None:
        table.journal[:] = [entry for entry in table.journal if entry.step < before.table.now]
    state.table.now, state.table.trouble, state.table.journal = table.now, table.trouble, table.journal
    if not number and not any(map(len, state.table.piles.values())):
        state.dealer_is_guess = state.lost_count = True
        state.undecided = None
        state.hand = state.game.start(state)


def has_seat(by: str, state: State[Any]) -> bool:
    """True for a seat of the match, or a further hand of one in a game with several hands a seat."""
    seats = state.terms.side_of
    return by in seats or (state.game.tally.of_hands and by.partition(":")[0] in seats)


def is_by_nobody(event: Event, state: State[Any]) -> bool:
    """True for an act of a seat that is not at the table, or of the table if only players may do it."""
    return not has_seat(event.by, state) and not (event.by == "@" and type(event) in ANY_TIME)


def new_hand(hand: Hand | None, state: State[Any]) -> None:
    """Begin the next hand: add the last one to the standing and clear the table."""
    behind_gap = state.lost_count and not (state.number and state.settled)
    leave_hand_open(state)
    state.hand_may_be_missing = state.lost_count and (hand is None or hand.number != state.numbered + 1)
    state.before = add_unrecorded_hand(state.standing, state) if state.hand_may_be_missing else state.standing
    state.after = state.undone = None
    may_deal: tuple[str, ...] = ()
    if hand is not None and hand.by in (state.coming or state.terms).seats:
        state.dealer, state.dealer_is_guess, state.lost_count = hand.by, False, False
        state.dealer_by_act = False
    else:
        may_deal = who_may_deal(state)
        state.dealer = next_dealer(state)
        state.dealer_is_guess = len(may_deal) > 1
    state.number += 1
    sit_down(state, state.number)
    state.before = seated_anew(state.before, state.game, state.terms)
    if state.ruled_after is not None:
        state.ruled_before = seated_anew(state.ruled_after, state.game, state.terms)
    state.rulings, state.ruled_after, state.ruled_so_far = (), None, None
    state.numbered = state.numbered + 1 if hand is None else hand.number
    state.game = with_pack(state.game, state.terms)
    state.began = state.at
    open_to_tell = (state.dealer_is_guess or state.dealer_by_act) and hand is None
    out = tuple(seat for seat in state.terms.seats if state.dealer_by_act and seat not in may_deal)
    state.undecided = Undecided(
        may_deal, len(state.table.journal or ()), out=out, behind_gap=behind_gap,
    ) if open_to_tell else None
    state.dealer_is_guess = state.dealer_is_guess and not open_to_tell
    clear_table(state)


def clear_table(state: State[Any]) -> None:
    """Empty the table for the hand in play, as before its first event."""
    before = state.table
    state.table = type(before)(state.game.pack, before.called)
    state.table.now, state.table.trouble, state.table.journal = before.now, before.trouble, before.journal
    state.tallies = []
    state.transfers = []
    state.stop_reason = ""
    state.acts, state.believed = 0, ""
    state.settled = state.gap = state.played_on = False
    state.turn = ()
    state.hand = state.game.start(state)
    state.silent = ()


def who_may_deal(state: State[Any]) -> tuple[str, ...]:
    """The seats that may deal the next hand by the rules. All seats if the text does not say who deals next, if the
    last dealer is unknown, or if whole hands may be missing."""
    usual = next_dealer(state)
    if state.coming is not None:
        return state.coming.seats
    # The dealer may be the one seat that gets no cards.
    playing = {*state.game.dealing.playing(state), usual}
    seats = tuple(seat for seat in state.terms.seats if seat in playing)
    if not state.number:
        return (usual,) if "Dealer" in state.terms.facts and not state.lost_count else seats
    number = state.numbered + 1
    may = tuple(
        s for s in seats
        if all(says.verdict != Verdict.BROKEN for _, says in objections(state, Hand(by=s, number=number)))
    )
    return may or (usual,)


def is_dealer_open(state: State[Any]) -> bool:
    """True if the dealer of the hand in play, or of the next one once that is over, is unknown."""
    return len(who_may_deal(state)) > 1 if state.settled else state.dealer_is_guess


NOT_WRITTEN = " has dealt (not recorded)"
UNSEEN_CARD_IS = "the unseen card is the "
"""How the note begins that names the only unseen card; sheets and reports leave some of these out."""
MOST_TRIED = 12
"""The most acts that are used to find out who dealt their hand."""


def keep_to_deal_again(event: Event, hand: Undecided, state: State[Any]) -> None:
    """Keep an event applied while the dealer is unknown; once the hand is over, no later act shows the dealer."""
    # A hand that began only as its first act was applied has not been used to find the dealer.
    is_asked = bool(hand.happened) or type(event) in TO_DEAL_AGAIN
    hand = kept_with(event, hand, state)
    state.dealer_is_guess = len(hand.seats) > 1
    state.undecided = hand if is_asked and not state.settled else None
    if state.settled:
        settle(state)


def kept_with(event: Event, hand: Undecided, state: State[Any]) -> Undecided:
    """The hand with an event that is needed to lay it out again as dealt by another seat."""
    kept = type(event) is not Hand and (type(event) in state.game.on or type(event) in TO_DEAL_AGAIN)
    if not kept or is_in_undecided_hand(event, hand, state):
        return hand
    return msgspec.structs.replace(hand, happened=(*hand.happened, (state.at, state.table.now, event)))


def is_in_undecided_hand(event: Event, hand: Undecided, state: State[Any]) -> bool:
    """True if the event is already the last one kept in an undecided hand."""
    return bool(hand.happened) and hand.happened[-1][0] == state.at and hand.happened[-1][2] is event


def narrow_the_dealer(event: Event, hand: Undecided, state: State[Any]) -> None:
    """Narrow the possible dealers by an act not yet applied: keep those for whom it breaks no more than for others.

    The hand is laid out as dealt by one of them, so findings about the act hold for all. The dealer may stay open.
    """
    if is_in_undecided_hand(event, hand, state):
        return
    decided = len(hand.seats) == 1
    if decided and not breaks_in_place(event, state):
        return
    # After a gap acts may be missing between the first one and a later one, which then does not tell who has dealt.
    most = 1 if hand.behind_gap else MOST_TRIED
    if sum(type(happened) not in TO_DEAL_AGAIN for _, _, happened in hand.happened) >= most:
        deal_again(state.dealer, hand, state, guessed=not decided or hand.behind_gap)
        return
    usual, notes = state.dealer, state.inferred
    may_have_dealt, left, speaks, doubts, _ = tried_as_dealers(hand.seats, event, hand, state)
    if not speaks:
        left = may_have_dealt
    if hand.out and left == hand.seats and speaks_against(usual, (*left, *hand.out), event, hand, state):
        # It speaks for a seat that an earlier act ruled out: whoever has dealt, somebody has broken a rule.
        deal_again(usual, hand, state, guessed=True)
        state.inferred = [note for note in notes if not (decided and note[1].endswith(NOT_WRITTEN))]
        open_again = msgspec.structs.replace(hand, seats=(*left, *hand.out), out=(), contested=state.at)
        state.undecided = kept_with(event, open_again, state)
        return
    # The best guess: a seat for which the act is in its phase, then the one with the fewest open questions.
    deal_again(min(left, key=lambda seat: (doubts[seat], seat != usual)), hand, state)
    state.inferred = notes
    out = (*hand.out, *(seat for seat in may_have_dealt if seat not in left))
    if len(left) > 1 or out:
        happened = (*hand.happened, (state.at, state.table.now, event))
        state.undecided = msgspec.structs.replace(hand, seats=left, happened=happened, out=out)
    if len(left) == 1 and not decided:
        state.dealer_by_act = bool(out)
        shown = f"{event.by} acts first, so" if len(may_have_dealt) > 1 else "as the cards were dealt,"
        state.infer(f"{shown} {state.dealer}{NOT_WRITTEN}")


def speaks_against(
    dealer: str, seats: tuple[str, ...], event: Event, hand: Undecided, state: State[Any],
) -> bool:
    """True if the act breaks no rule with some of these seats as the dealer, but does with this one."""
    _, left, _, _, in_common = tried_as_dealers(seats, event, hand, state)
    return dealer not in left and not in_common


def breaks_in_place(event: Event, state: State[Any]) -> bool:
    """True if an act is out of place as the hand was laid out, or certainly breaks a rule."""
    return is_out_of_place(event, state) or any(
        says.verdict == Verdict.BROKEN for _, says in objections(state, event)
    )


def tried_as_dealers(
    seats: tuple[str, ...], event: Event, hand: Undecided, state: State[Any]
) -> tuple[tuple[str, ...], tuple[str, ...], bool, dict[str, tuple[bool, int]], frozenset[str]]:
    """Those of these seats that may have dealt by the deal itself; those of them for whom the act breaks no more than
    for the others; whether it certainly breaks more for another one; for each whether it is out of place and the
    number of objections; the rules that it breaks whoever has dealt. The hand is to be dealt again."""
    journal = state.table.journal
    breaks, doubts, dealt = dict[str, frozenset[str]](), dict[str, tuple[bool, int]](), dict[str, frozenset[str]]()
    may_break = dict[str, frozenset[str]]()
    for seat in seats:
        state.table.journal, state.inferred = None, []
        dealt[seat] = frozenset(rule.id for _, rule, _ in deal_again(seat, hand, state, asked=(Deal,)))
        says = objections_in_place(event, state)
        breaks[seat] = frozenset(rule.id for rule, said in says if said.verdict == Verdict.BROKEN)
        may_break[seat] = frozenset(rule.id for rule, _ in says)
        doubts[seat] = "T6" in breaks[seat], len(says)
    state.table.journal = journal
    in_common = frozenset.intersection(*dealt.values())
    # The deal itself shows the dealer, if the dealer gets no cards.
    may_have_dealt = tuple(seat for seat in seats if dealt[seat] == in_common) or seats
    in_common = frozenset.intersection(*(breaks[seat] for seat in may_have_dealt))
    left = tuple(seat for seat in may_have_dealt if breaks[seat] == in_common)
    # An act out of turn, for one of them, leaves open what the later ones break, and so they speak for nobody.
    later = any(type(happened) not in TO_DEAL_AGAIN for _, _, happened in hand.happened)
    speaks = not later or any(breaks[seat] - in_common - may_break[one] for one in left for seat in may_have_dealt)
    return may_have_dealt, left or may_have_dealt, speaks, doubts, in_common


def broken_by_dealer(hand: Undecided, state: State[Any]) -> list[tuple[int, Rule, dict[str, str]]]:
    """The acts of a hand that break a rule if some of its possible dealers dealt it, but not if others did: the
    position, the rule, and what is wrong for each of those dealers. The state is not changed."""
    found: dict[tuple[int, str], tuple[Rule, dict[str, str]]] = {}
    for seat in hand.seats:
        there = state.copy()
        there.table.journal = None
        for at, rule, says in deal_again(seat, hand, there, asked=acts_of(state.game.key)):
            found.setdefault((at, rule.id), (rule, {}))[1].setdefault(seat, says.text)
    return [(at, *found[at, rule]) for at, rule in sorted(found) if len(found[at, rule][1]) < len(hand.seats)]


def deal_again(
    dealer: str, hand: Undecided, state: State[Any], *, guessed: bool = False, asked: Collection[type[Event]] = ()
) -> list[tuple[int, Rule, CheckResult]]:
    """Lay the hand out again as dealt by this seat, with all its events. Return the position of each event of the types
    `asked` that breaks a rule, with that rule and what is wrong."""
    at, now, trouble = state.at, state.table.now, len(state.table.trouble)
    is_tried, state.is_tried = state.is_tried, True
    state.again += 1 + len(hand.happened)
    state.dealer, state.dealer_is_guess, state.undecided = dealer, guessed, None
    if state.table.journal is not None:
        del state.table.journal[hand.entries :]
    reopen_hand(state)
    clear_table(state)
    breaks: list[tuple[int, Rule, CheckResult]] = []
    for state.at, state.table.now, event in hand.happened:
        if state.settled:
            break  # with this dealer the hand was over, and the rest would begin another
        if type(event) in asked:
            says = objections(state, event) if type(event) is Deal else objections_in_place(event, state.copy())
            breaks += [(state.at, rule, said) for rule, said in says if said.verdict == Verdict.BROKEN]
        evolve(state, event)
    state.at, state.table.now, state.is_tried = at, now, is_tried
    del state.table.trouble[trouble:]
    return breaks


def objections_in_place(event: Event, state: State[Any]) -> list[tuple[Rule, CheckResult]]:
    """The objections of the rules to an act as the next one of the hand, which it may begin: rule and answer; T6 if
    it is out of place, or if the hand is over."""
    if state.settled:
        return [(TABLE["T6"], wrong_time(state))]
    open_hand(event, state)
    return objections_here(event, state)


def objections_here(event: Event, state: State[Any]) -> list[tuple[Rule, CheckResult]]:
    """The objections of the rules to an act in the hand in play: rule and answer; T6 if it is out of place."""
    if is_out_of_place(event, state):
        put_in_unwritten(event, state)
        if is_out_of_place(event, state):
            return [(TABLE["T6"], wrong_time(state))]
    return list(objections(state, event))


def wrong_time(state: State[Any]) -> CheckResult:
    """What is wrong with an act of another part of the hand."""
    now = state.game.phases[state.phase].name if state.phase in state.game.phases else "no hand"
    return broken(f"this is the time of {now}, and that is something else")


def add_unrecorded_hand(before: Standing, state: State[Any]) -> Standing:
    """The standing after a hand with unknown points."""
    points: dict[str, int | None] = dict.fromkeys(before.totals)
    return with_hand(before, HandScore(state.number, state.dealer, "nothing", points=points), state)


def leave_hand_open(state: State[Any]) -> None:
    """Score a hand left without its end as unknown, not as zero."""
    if state.number and state.score is None:
        score = state.game.score(state)
        if score.source != "void":
            points: dict[str, int | None] = dict.fromkeys(state.before.totals)
            score = HandScore(
                state.number, state.dealer, "nothing", points=points, unknown=("the hand was not recorded to its end",)
            )
        state.after = with_hand(state.before, score, state)
        state.scores.append(msgspec.structs.replace(score, totals=state.after.totals))


def continue_unrecorded_hand(state: State[Any]) -> None:
    """Continue a hand with an unrecorded beginning: nothing is known of its deal and acts so far."""
    state.infer(f"hand {state.number} goes on here; its beginning was not recorded")
    if state.undecided is not None:
        state.dealer_is_guess, state.undecided = True, None
    if state.game.dealing.deal is not None:
        state.game.dealing.lay_deal(state)
    state.game.on[Gap](Gap(by="@"), state)


def ensure_hand_started(state: State[Any]) -> None:
    """Begin a hand, as inferred, for an act of play without one."""
    if state.number == 0 or state.settled:
        gap = state.gap
        new_hand(None, state)
        if gap and Gap in state.game.on:
            continue_unrecorded_hand(state)
        else:
            dealt = (
                f", dealt by {state.dealer}" if state.game.has_cards and not state.dealer_is_guess
                and state.undecided is None else ""
            )
            state.infer(f"hand {state.number} begins here{dealt} (not recorded)")


def is_late_act(event: Event, state: State[Any]) -> bool:
    """True if this is an act of play or of another hand: both come too late once the match is over.

    A tally reports the last hand, unless it comes after a gap. The end of a hand already over is that of another.
    """
    kind = type(event)
    if type(event) is Tally:
        return is_for_next_hand(state) or (
            state.ended != "" and was_played_out(state) and scores_otherwise(event, state)
        )
    if type(event) is End:
        return event.what == "hand" and state.settled
    # The last card may still be played, and the hand may still be talked about.
    still = state.game.phases[state.phase].acts if state.settled and state.phase in state.game.phases else ()
    if kind is Deal and won_in_the_deal(state):
        return False
    return kind in (Hand, Deal) or (kind in acts_of(state.game.key) and kind not in still)


def won_in_the_deal(state: State[Any]) -> bool:
    """True if a card of the deal has won the match: other cards of that deal may be recorded after it."""
    return state.ended == "won" and not (state.acts or state.tallies or state.past_match_end)


def is_ignored_after_match_end(event: Event, state: State[Any]) -> bool:
    """True if an event has no effect as the match is over: the table plays on, or the event belongs to such play."""
    kind = type(event)
    if state.past_match_end and kind is not Open and kind not in ABOUT:
        return True
    return kind in (Gap, Shuffle, Deal) or (kind is Tally and was_played_out(state)) or is_late_act(event, state)


def is_for_next_hand(state: State[Any]) -> bool:
    """True if a tally now would be of a hand that has not begun: before the first hand, or after a gap that may hide
    the beginning of one. Otherwise it is of the hand in play or just played."""
    return state.number == 0 or state.gap


def was_played_out(state: State[Any]) -> bool:
    """True if the last hand was recorded to its end by moves alone, which leave nothing of its score unknown: if it
    ended the match, no tally changes it."""
    return state.settled and not state.tallies and state.score is not None and not state.score.unknown


def repeats_played_score(tally: Tally, state: State[Any]) -> bool:
    """True if a tally of a hand that was played out gives the same score: its moves then remain the source."""
    if not (state.settled and state.acts) or state.tallies or state.score is None:
        return False
    again = scored_with(tally, state)
    return None not in again.points.values() and again.points == state.score.points and again.source != "void"


def scores_otherwise(tally: Tally, state: State[Any]) -> bool:
    """True if a tally certainly gives other points than the moves of the hand, or makes it void."""
    again, points = scored_with(tally, state), {} if state.score is None else state.score.points
    return again.source == "void" or any(n not in (None, points.get(who)) for who, n in again.points.items())


def scored_with(tally: Tally, state: State[Any]) -> HandScore:
    """The score of the hand in play with this tally alone; the state stays as it is."""
    before, state.tallies = state.tallies, [tally.facts]
    again = state.game.score(state)
    state.tallies = before
    return again


def settle(state: State[Any]) -> None:
    """Score the hand in play as far as it was recorded; the latest score replaces an earlier one."""
    score = state.game.score(state)
    state.after = after = with_hand(state.before, score, state)
    score = msgspec.structs.replace(score, totals=after.totals)
    if state.scores and state.scores[-1].number == state.number:
        state.scores[-1] = score
    else:
        state.scores.append(score)
    if state.rulings or state.ruled_before is not None:
        state.ruled_after = standing_as_ruled(score, state)
    if state.official.over:
        state.ended = "won"
    elif state.ended == "won":
        # The latest score of this hand takes the end of the match back.
        state.ended = ""
    elif state.ended:
        fix_standing_at_agreed_end(state)


def with_hand(before: Standing, score: HandScore, state: State[Any]) -> Standing:
    """The standing with a hand added. If the table agreed on a number of hands, the last of them ends the match, and
    the better total wins; a void or unknown hand does not count towards that number."""
    before = seated_anew(before, state.game, state.terms)
    after = state.game.after(before, score, state.terms)
    if before.left:
        after = with_who_left(msgspec.structs.replace(after, left=before.left), state.game, state.terms)
    options = state.terms.options
    if after.over:
        return with_those_level(after, state)
    if not isinstance(options, HouseRules) or not options.hands:
        return after
    counted = before.counted + (score.source not in ("void", "nothing"))
    after = msgspec.structs.replace(after, counted=counted)
    return after if counted < options.hands else msgspec.structs.replace(better_total(after, state), over=True)


def finish_hand(state: State[Any]) -> None:
    """End a hand that is played out: no seat may act in it, and it is scored."""
    state.phase = "between"
    state.turn = ()
    state.settled = True
    for pile, code in state.table.eliminate():
        card = pretty(state.game.pack.faces[code])
        state.infer(
            f"{UNSEEN_CARD_IS}{card}, {where_card_lies(pile.name, state.table.called)}, as "
            "every other card has its place"
        )
    settle(state)


MOST_STEPS = 1000
"""The most unrecorded steps that are inferred to reach the phase of an act; no hand has as many cards or phases."""


def steps_while(behind: Callable[[], bool]) -> Iterator[None]:
    """Yield once for each step that a hand is `behind`, at most `MOST_STEPS` times, so no record loops forever.

    >>> left = [3, 2, 1]
    >>> [left.pop() for _ in steps_while(lambda: len(left) > 1)], len(list(steps_while(lambda: True)))
    ([1, 2], 1000)
    """
    for _ in range(MOST_STEPS):
        if not behind():
            return
        yield


def reopen_hand(state: State[Any]) -> None:
    """Reopen a hand that was over: what ended it does not stand. The page then sets phase and turn."""
    state.settled, state.after = False, None
    state.ended, state.past_match_end = "" if state.ended == "won" else state.ended, False
    if state.scores and state.scores[-1].number == state.number:
        state.scores.pop()


def on_open(event: Open, state: State[Any]) -> None:
    """Change the terms from here on. Impossible terms are reported as a trouble and change nothing."""
    try:
        terms = terms_with(event, state)
    except UnreadableError as error:
        where = f"{error.where}: " if error.where else ""
        state.table.trouble.append(Trouble("T10", f"these terms cannot be: {where}{error.what}"))
        return
    if terms.seats == state.terms.seats:
        state.terms, state.coming = terms, None
    elif state.number:
        if not state.settled:
            # Its result was reported, or the rest of it is unrecorded.
            leave_hand_open(state)
            state.phase, state.turn, state.settled = "between", (), True
        here = {"Seats": " ".join(state.terms.seats), **{k: v for k, v in state.terms.facts.items() if k == "Dealer"}}
        state.terms, state.coming = with_names(terms_of(state.game, {**terms.facts, **here}), terms), terms
    else:
        state.terms, state.dealer, state.before = terms, terms.dealer, state.game.match.new_match(terms)


def on_end(event: End, state: State[Any]) -> None:
    """End the hand or match by agreement: `misdeal` and `void` do not count, others as they stand."""
    if event.what == "hand":
        if state.number == 0:
            return
        state.stop_reason = event.why or "agreed"
        finish_hand(state)
        return
    state.ended = "agreed"
    state.why_ended = event.why
    state.turn = ()
    state.phase = "over"
    fix_standing_at_agreed_end(state)


def standing_as_ruled(score: HandScore, state: State[Any]) -> Standing:
    """The standing after a hand, as ruled in this hand and in earlier ones. Caches the rulings applied so far."""
    before = state.before if state.ruled_before is None else state.ruled_before
    if not state.rulings:
        return with_hand(before, score, state)
    known = state.ruled_so_far
    if known is None or known[0] != score or state.rulings[: len(known[1])] != known[1]:
        known = (score, (), state.fork(), score)
    _, done, there, made = known
    acts = [(event.word, event.facts) for _, event in state.rulings]
    new = acts[len(done) :]
    if any(changes_the_record(facts) for _, facts in new):
        there = there.fork()
        hand_over([facts for _, facts in new], there)
        made = apply_rulings(state.game.score(there), acts, state.terms)
    else:
        made = apply_rulings(made, new, state.terms)
    state.ruled_so_far = (score, state.rulings, there, made)
    return with_hand(before, made, there)


def on_ruling(event: Ruling, state: State[Any]) -> None:
    """Apply a ruling about the hand in play or just played; it may end the match or take its end back, and a later
    ruling may replace it. A ruling that one of two sides forfeits ends the match, until a later ruling on that one."""
    if state.number and event.refs:
        held = state.rulings
        if held and event.word != "stands" and max(event.refs) >= held[0][0]:
            held = tuple([(at, made) for at, made in held if at not in event.refs])
        if (event.word == "void" or {*event.facts} - {"match", "rule"}) and min(event.refs) >= state.began:
            held = (*held, (state.at, event))
        if held != state.rulings:
            state.rulings = held
            if state.score is not None:
                state.ruled_after = None
                settle(state)
    if state.ended == "ruled" and event.word != "stands" and state.why_ended in map(ruled_at, event.refs):
        state.ended = state.why_ended = ""
    loser = side_named(event.facts.get("match"), state.terms)
    if event.word == "forfeit" and loser and len(state.terms.sides) == 2 and not state.ended:
        state.ended, state.why_ended = "ruled", ruled_at(state.at)


def ruled_at(position: int) -> str:
    return f"ruling at event {position}"


def fix_standing_at_agreed_end(state: State[Any]) -> None:
    """Fix the standing at the agreed end of the match, as played and as ruled."""
    standing = standing_at_agreed_end(state.standing, state)
    if standing is not state.standing:
        state.after = standing
    if state.ruled_after is not None:
        state.ruled_after = standing_at_agreed_end(state.ruled_after, state)


def standing_at_agreed_end(standing: Standing, state: State[Any]) -> Standing:
    """The standing of a match ended by the table. With a reason, the better total wins; if `void`, no side does."""
    if state.why_ended == "void":
        return standing
    ended = state.game.match.ended_by_the_table(standing, state.terms)
    if ended is not standing or not state.why_ended or not state.scores:
        return with_those_level(ended, state) if ended.over else ended
    return better_total(standing, state)


def better_total(standing: Standing, state: State[Any]) -> Standing:
    """The standing with the best total as winner (several if level); unchanged if a total is unknown."""
    best = leaders_by_total(standing.totals, fewest=state.game.match.fewest_lead(state.terms))
    return with_winners(standing, best) if best and len(standing.totals) > 1 else standing


def with_those_level(standing: Standing, state: State[Any]) -> Standing:
    """The standing of a match that is over: if its page names no winner, sides level with the best total win."""
    if standing.winner or standing.winners or state.game.match.nobody_wins:
        return standing
    best = leaders_by_total(standing.totals, fewest=state.game.match.fewest_lead(state.terms))
    return with_winners(standing, best) if len(best) > 1 else standing


def on_tally(event: Tally, state: State[Any]) -> None:
    """Score a hand by reported facts; a hand without any acts is over with them."""
    if is_for_next_hand(state):
        ensure_hand_started(state)
    elif repeats_played_score(event, state):
        return
    if state.undecided is not None and (dealer := reported_dealer(event.facts, state)) in state.undecided.seats:
        deal_again(dealer, state.undecided, state)
    state.tallies = last_words(state.tallies, event.facts, state)
    settle(state)
    if not state.acts:
        state.phase = "between"
        state.turn = ()
        state.settled = True


def on_claim(event: Claim, state: State[Any]) -> None:
    """Record a score stated by the table; it changes nothing. Before a hand's first act it is about the hand before."""
    in_play = bool(state.number) and not (state.settled or state.tallies)
    playing = in_play and bool(state.acts)
    points = (state.score or state.game.score(state)).points if in_play else {}
    state.claims.append(ClaimMade(state.at, state.number - (in_play and not playing), event.by, event, playing, points))


def on_confirm(event: Confirm, state: State[Any]) -> None:
    """A seat agrees with the claims named, or with the last one."""
    refs = event.refs or tuple(c.at for c in state.claims[-1:])
    state.claims = [
        msgspec.structs.replace(c, confirmed=(*c.confirmed, event.by)) if c.at in refs else c for c in state.claims
    ]


def on_deal(event: Deal, state: State[Any]) -> None:
    """Lay out cards, from the pile named or from outside the table; a deal begins a hand if no hand line did."""
    ensure_hand_started(state)
    table = state.table
    src = table.piles.get(event.src) if event.src else table.piles.get("stock")
    for name, cards in event.piles:
        if src is None and table.lay_known(name[5:], cards):
            continue
        for pile, codes in spread(state, name, cards):
            if src is not None and src is not pile:
                table.move(codes, src, pile)
            else:
                table.lay(codes, pile)


def spread(state: State[Any], name: str, cards: tuple[str, ...]) -> Iterator[tuple[Any, list[int]]]:
    """Yield the piles that an assignment means, with their cards: `col:B:1..4` spreads the cards evenly, in order."""
    table = state.table
    if ".." not in name:
        pile = pile_named(state, name)
        yield pile, table.codes(cards)
        return
    names = each_pile(name)
    codes = table.codes(cards)
    share = max(1, len(codes) // len(names))
    for i, one in enumerate(names):
        yield pile_named(state, one), codes[i * share : (i + 1) * share]


MAX_PILES_OF_A_NAME = 100
"""The most piles that one name may mean."""


@lru_cache(maxsize=1000)
def each_pile(name: str) -> Sequence[str]:
    """The names of the piles that a name means: `col:A:1..4` is four of them.

    >>> each_pile("col:A:2..4"), each_pile("stock"), each_pile("col:A:4..1"), len(each_pile("col:A:1..999999"))
    (['col:A:2', 'col:A:3', 'col:A:4'], ['stock'], ['col:A:4'], 100)
    """
    first, dots, last = name.partition("..")
    if not dots:
        return [name]
    stem, _, low = first.rpartition(":")
    return [f"{stem}:{int(low) + i}" for i in range(min(MAX_PILES_OF_A_NAME, max(1, int(last) - int(low) + 1)))]


def pile_named(state: State[Any], name: str) -> Any:
    """The pile of this name, created if there is none: a seat's holding is a bag, everything else a row.

    Events write a holding `hand:N`; the table calls it by its seat.
    """
    pile = state.table.piles.get(name)
    if pile is not None:
        return pile
    name = name.rstrip("_").removeprefix("hand:")
    pile = state.table.piles.get(name)
    if pile is not None:
        return pile
    if name.partition(":")[0] in state.terms.seats:
        return state.table.bag(name)
    return state.table.row(name)


def on_move(event: Move, state: State[Any]) -> None:
    """Move cards from one pile to another; from the player's own holding unless the event says otherwise."""
    src = pile_named(state, event.src or event.by)
    # Before the first hand this may happen in a hand that was not recorded.
    src.vague = src.vague or not state.number
    codes = state.table.codes(event.cards, src)
    state.table.move(codes, src, pile_named(state, event.to), bottom=event.to.endswith("_"))


def on_show(event: Show, state: State[Any]) -> None:
    """Show cards to all; they stay where they are."""
    pile = pile_named(state, event.src or event.by)
    # Before the first hand these may be cards of a hand that was not recorded.
    pile.vague = pile.vague or not state.number
    for group in event.groups:
        state.table.reveal(state.table.codes(group, pile), pile)


def shown_as_taken_back(event: Back, state: State[Any]) -> None:
    """Reveal cards that were taken back to the hand; the act itself is already left out of the record."""
    held = state.table.piles.get(event.by)
    if held is not None and held.row is None:
        # It may have been played from elsewhere on the table.
        pack = state.game.pack
        seen = [
            code for code in state.table.codes(event.cards, held) if code < pack.unknown
            and held.any_of(pack.field[code]) is not False
        ]
        state.table.reveal(seen, held)


COMMON: dict[type[Event], Evolve] = {
    Back: shown_as_taken_back,
    Open: on_open,
    Hand: new_hand,
    End: on_end,
    Tally: on_tally,
    Claim: on_claim,
    Confirm: on_confirm,
    Ruling: on_ruling,
    Deal: on_deal,
    Move: on_move,
    Show: on_show,
}


# The events applied again when a hand is dealt again, besides the acts of its game.
TO_DEAL_AGAIN: frozenset[type[Event]] = frozenset((Back, Deal, Move, Show, Tally))


# The events that show where a hand begins or continues, or what is over.
FRAME: frozenset[type[Event]] = frozenset((Deal, Gap, End))
