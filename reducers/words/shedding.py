"""Shedding games: each play beats what is on the table; a player who cannot beat it takes cards up; a player without
cards is out.

The page's record of a hand keeps its `Beating` as `beating`, the suit of trumps as `trump` (empty if it was not seen),
and the plays on the table as `lying`, oldest first. With `last_only` a play must beat the last one, and that is taken
up (Myllymatti); else it must beat all, and the oldest is taken up (Mattis). `live`: the players in the game. `out`:
those who went out, in order. `size`: the number of plays that fill the trick. `opened`: the first play was made. `gone`
and `cleared`: the positions at which a player last went out, and at which the table was last empty. `gap`: acts are
missing from the record. `doubt`: another reason why holdings are unknown.

Its phases are `leading`, while the table is empty, and `shedding`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from events.cards import how_many, pretty_all
from events.model import Call, Draw, Event, Play
from reducers.evolve import finish_hand, pile_named
from reducers.gaps import lose_track
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.words.beating import LaidPlay, may_be_same_cards, take_play, written_play
from reducers.words.captures import codes_of_cards

SHEDDING = "leading shedding"
"""Phases in which cards are shed, for checks of them."""


# -- what is known ----------------------------------------------------------------------------------------------------


def has_cards(seat: str, state: State[Any]) -> bool:
    """Return True if a seat may have a card."""
    pile = state.holding(seat)
    return pile.known > 0 or pile.vague or len(pile) > 0


def why_order_unknown(state: State[Any]) -> CheckResult | None:
    """The reason why order and holdings are unknown, as a result `unknown`; None if they are known."""
    if state.table.astray:
        return unknown("the order of play was broken before this, so an act may be missing from the record")
    if state.hand.gap:
        return unknown("acts are missing from the record")
    return unknown(state.hand.doubt) if state.hand.doubt else None


def unsure(state: State[Any]) -> bool:
    """Return True if it is unknown who is still in the game, and so when a trick is full."""
    return state.hand.gap or state.table.astray or any(state.holding(seat).vague for seat in state.hand.live)


def may_be_out(seat: str) -> str:
    """Why the turn is unknown, once a seat may have played the last of its uncounted cards."""
    return f"the cards of {seat} were not counted, and {seat} may be out"


def play_in_words(play: LaidPlay, state: State[Any]) -> str:
    """A play in words."""
    return pretty_all(written_play(play, state.game.pack))


def plays_to_beat(state: State[Any]) -> list[LaidPlay]:
    """The plays that the next one has to beat."""
    hand = state.hand
    return hand.lying[-1:] if hand.last_only else hand.lying  # type: ignore[no-any-return]  # a page keeps plays there


def next_taken(state: State[Any]) -> LaidPlay:
    """The play that is taken up next."""
    hand = state.hand
    return hand.lying[-1 if hand.last_only else 0]  # type: ignore[no-any-return]  # a page keeps plays there


# -- what the rules say -----------------------------------------------------------------------------------------------


def beats_what_lies(play: Play, state: State[Any]) -> CheckResult | None:
    """Each card of a play beats each one that it has to beat."""
    hand, pack = state.hand, state.game.pack
    if not hand.lying:
        return None
    if dark := why_order_unknown(state):
        return dark
    codes = codes_of_cards(pack, play.cards)
    plays = plays_to_beat(state)
    sure, perhaps = hand.beating.beating_all(plays, hand.trump)
    for code in codes:
        may_be = pack.may_be[code]
        if not may_be & perhaps:
            over = next(p for p in reversed(plays) if not may_be & hand.beating.beaters(p.codes, hand.trump)[1])
            return broken(f"{pack.shown(code)} does not beat {play_in_words(over, state)}")
    if all(code < pack.unknown and pack.field[code] & sure for code in codes):
        return None
    return unknown("a card on the table was not seen" if hand.trump else "the trump suit was not seen")


def whoever_can_beat_does(draw: Draw, state: State[Any]) -> CheckResult | None:
    """Cards are taken up only by a player who cannot beat what is on the table."""
    hand = state.hand
    if draw.src != "trick" or not hand.lying:
        return None
    if dark := why_order_unknown(state):
        return dark
    sure, perhaps = hand.beating.beating_all(plays_to_beat(state), hand.trump)
    held = state.holding(draw.by)
    if held.any_of(sure):
        return broken(
            f"{draw.by} could beat {play_in_words(hand.lying[-1], state)} and picked up", held.certain & sure, draw.by,
        )
    if held.any_of(perhaps) is False:
        return None
    return unknown(f"whether {draw.by} could beat {play_in_words(hand.lying[-1], state)}")


def several_are_a_sequence(play: Play, state: State[Any]) -> CheckResult | None:
    """Cards that are played together are neighbours in one suit."""
    count = how_many(play.cards)
    if count == 1:
        return None
    good = None if count is None else state.hand.beating.is_sequence(codes_of_cards(state.game.pack, play.cards))
    if good is None:
        return unknown("a card of the sequence was not seen")
    return None if good else broken(f"{pretty_all(play.cards)} is not a sequence of one suit")


def takes_one_play(draw: Draw, state: State[Any]) -> CheckResult | None:
    """The oldest play, or the last one, is taken up whole, and nothing else."""
    hand, pack = state.hand, state.game.pack
    if draw.src != "trick":
        return None
    if dark := why_order_unknown(state):
        return dark
    if not hand.lying:
        return broken("the table is empty")
    if how_many(draw.cards) is None and draw.cards != ("*",):
        return unknown("the cards were not counted")
    named = codes_of_cards(pack, draw.cards) if draw.cards != ("*",) else [c for p in hand.lying for c in p.codes]
    right = next_taken(state)
    if may_be_same_cards(named, right.codes, pack):
        return None
    return broken(
        f"{play_in_words(right, state)} {'was played last' if hand.last_only else 'is the lowest play'}, and must be "
        "picked up as it is"
    )


def never_laid(draw: Draw, state: State[Any]) -> CheckResult | None:
    """A card is taken up that is not known to have been played: a play may be missing, and the turn is unknown."""
    if draw.src != "trick":
        return None
    pack, lying = state.game.pack, [c for p in state.hand.lying for c in p.codes]
    seen = [c for c in codes_of_cards(pack, draw.cards) if c < pack.unknown]
    if all(any(pack.may_be[c] & pack.field[code] for c in lying) for code in seen):
        return None
    return unknown("a card without a recorded play was picked up, so a play may be missing from the record")


def acts_in_turn(act: Event, state: State[Any]) -> CheckResult | None:
    """Turns go round among the players in the game. The first play is the page's own rule."""
    hand = state.hand
    if act.by in state.turn or (isinstance(act, Play) and not hand.opened):
        return None
    if dark := why_order_unknown(state):
        return dark
    if act.by in hand.out:
        return broken(f"{act.by} has gone out")
    if isinstance(act, Draw) and (unwritten := never_laid(act, state)):
        return unwritten
    return broken(f"it is the turn of {state.turn[0]}" if hand.lying else f"{state.turn[0]} leads")


def has_none_left(call: Call, state: State[Any]) -> CheckResult | None:
    """A player reported to be out has played the last card."""
    pile = state.holding(call.by)
    if pile.vague or call.by in state.hand.out:
        return None
    return why_order_unknown(state) or broken(f"{call.by} still has {len(pile)} card{'s' * (len(pile) != 1)}")


# -- what happens -----------------------------------------------------------------------------------------------------


def more_than_counted(seat: str) -> str:
    """The doubt about a seat that played a card that it did not have, by the record."""
    return f"{seat} played a card that was not among its cards, and may have taken up more than was seen"


def lay_play(play: Play, state: State[Any]) -> None:
    """Lay a play on top of the others; put a full trick away; a player without cards is out."""
    hand, table, seat = state.hand, state.table, play.by
    note_turn_order(seat, state)
    hand.opened = True
    if how_many(play.cards) is None:
        lose_count(state)
    src, trick = pile_named(state, play.src or seat), table.row("trick")
    codes, wrong = table.codes(play.cards, src), len(table.trouble)
    table.move(codes, src, trick)
    if len(table.trouble) > wrong and src.row is None:
        # It may have taken this card up unseen: then it has more cards than were counted.
        src.vague, hand.doubt = True, hand.doubt or more_than_counted(seat)
    if not hand.lying:
        hand.size = len(hand.live)
    lying = (trick.row or [])[-len(codes) :]
    hand.lying.append(LaidPlay(seat, hand.beating.lowest_first(lying)))
    if not has_cards(seat, state):
        player_goes_out(seat, state)
        if state.settled:
            return
    elif not len(state.holding(seat)):
        hand.doubt = hand.doubt or may_be_out(seat)
    full = len(hand.lying) >= hand.size
    if full:
        put_away(state)
    turn_to(next_to_act(seat, state, itself=full), state)


def put_away(state: State[Any]) -> None:
    """Put all cards of the trick out of the game."""
    trick, dead = state.table.row("trick"), state.table.row("dead")
    assert dead.row is not None
    assert trick.row is not None
    dead.row += trick.row
    trick.row.clear()
    state.hand.lying = []
    if unsure(state):
        state.table.lose_sight(dead)
        state.table.lose_sight(trick)


def pick_up(draw: Draw, state: State[Any]) -> None:
    """Take the next play, or the cards named, from the table into the hand, and move the turn on."""
    hand, table, seat, pack = state.hand, state.table, draw.by, state.game.pack
    note_turn_order(seat, state)
    trick = table.row("trick")
    named = table.codes(draw.cards, trick)
    if pack.many in named:
        lose_count(state)
    taken = take_play(hand.lying, named, pack, last_first=hand.last_only)
    # The cards taken are on top of the row for a moment, so that each is found although it was not seen.
    trick.row = [c for p in hand.lying for c in p.codes] + [c for c in taken if c is not None]
    for code, found in zip(reversed(named), reversed(taken), strict=True):
        table.move_one(code if code < pack.unknown or found is None else found, trick, state.holding(seat))
        if code < pack.unknown and found is not None and found >= pack.unknown:
            # If it was seen in another play as well, the card left there is the unseen one.
            hand.lying = [p._replace(codes=tuple(found if c == code else c for c in p.codes)) for p in hand.lying]
    hand.lying = [p for p in hand.lying if p.codes]
    if seat in hand.out:
        hand.out.remove(seat)
        hand.live = [s for s in state.terms.seats if s not in hand.out]
    turn_to(next_to_act(seat, state), state)


def note_turn_order(seat: str, state: State[Any]) -> None:
    """Note an act out of turn: it changes holdings for the rest of the game. A seat acting in turn is not out."""
    if seat not in state.turn:
        state.table.astray = True
    elif state.hand.doubt == may_be_out(seat):
        state.hand.doubt = ""


def turn_to(who: tuple[str, ...], state: State[Any]) -> None:
    """Set the turn and the phase; after a gap any player may act. With no seat left end the hand."""
    hand = state.hand
    state.phase, state.turn = "shedding" if hand.lying else "leading", tuple(hand.live) if hand.gap else who
    if not hand.lying:
        hand.cleared = state.at
    if not state.turn:
        finish_hand(state)


def next_to_act(seat: str, state: State[Any], *, itself: bool = False) -> tuple[str, ...]:
    """The next player in the game; if the table is empty, the next one who has a card to lead."""
    hand, after = state.hand, state.terms.next
    who = (seat,) if itself else after[seat]
    for _ in state.terms.seats:
        if who[0] in hand.live and (hand.lying or has_cards(who[0], state)):
            return who
        who = after[who[0]]
    return ()


def player_goes_out(seat: str, state: State[Any]) -> None:
    """Take a player out of the game; when one is left end the hand, whatever is on the table."""
    hand = state.hand
    if seat in hand.live:
        hand.live.remove(seat)
        hand.out.append(seat)
        hand.gone = state.at
    if len(hand.live) == 1:
        finish_hand(state)


def said_to_be_out(seat: str, state: State[Any]) -> None:
    """Take a player out by the table's word, if that player's cards are uncounted."""
    if not state.holding(seat).vague:
        return
    if state.hand.doubt == may_be_out(seat):
        state.hand.doubt = ""
    player_goes_out(seat, state)
    if not state.settled:
        left = tuple(s for s in state.turn if s in state.hand.live)
        turn_to(left or next_to_act(seat, state), state)


def lose_count(state: State[Any]) -> None:
    """Make holdings, table and turn unknown."""
    lose_track(state, gap=True, lying=[])
    turn_to(tuple(state.hand.live), state)


# -- what may be done -------------------------------------------------------------------------------------------------


def each_play(seat: str, state: State[Any]) -> Iterator[Event]:
    """Each card and each sequence that the seat is known to hold."""
    return (Play(by=seat, cards=cards) for cards in state.hand.beating.plays_of(state.holding(seat).certain))


def taken_up(seat: str, state: State[Any]) -> Draw:
    """A draw of the play that is to be taken up."""
    return Draw(by=seat, cards=written_play(next_taken(state), state.game.pack), src="trick")


def each_pick_up(seat: str, state: State[Any]) -> Iterator[Event]:
    """The same, if there are cards on the table."""
    if state.hand.lying:
        yield taken_up(seat, state)


def forced_pick_up(state: State[Any]) -> Event | None:
    """What a lone `.` means while cards are on the table: take up what is to be taken."""
    return taken_up(state.turn[0], state) if state.turn and state.hand.lying else None
