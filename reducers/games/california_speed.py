"""California Speed: two players at once cover matching cards on the table; the first to be rid of the packet wins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import compress, permutations
from random import Random
from typing import Annotated

from msgspec import Meta, Struct

from events.cards import how_many, one_by_one, squeeze
from events.model import Deal, Event, Fault, Gap, Move, Play
from events.model import Hand as HandEvent
from events.name_lists import one_of
from reducers.evolve import pile_named, spread
from reducers.page import (
    CONSEQUENCE, DUTY, RIGHT, Catalogue, Cell, CheckResult, Game, Dealing, Omissions, Shorthand, Display, Simulation,
    HandScore, Law, ScoreLine, Phase, Points, State, TallyFacts, broken, counts_nothing, figure, figures, finish_hand,
    hand_score, ensure_hand_started, missing_facts, on_deal, on_move, apply_reported_facts, pack, result_text, rule,
    seat, singles, summary_of, running_total, unknown, HouseRules, in_play, lose_track,
)  # fmt: skip
from reducers.piles import Lies
from reducers.silent_acts import gone_from_above
from reducers.table import NOT_THERE, Pile, Trouble
from reducers.words.layouts import minus
from reducers.words.scores import best_of_hands
from reducers.words.sheets import Form
from reducers.words.tallies import no_more_in_all, nothing_left_of

# Setup: half the pack for each, squared up and never looked at
PACK = pack()
PACKET = 26
PLACES = (1, 2, 3, 4)


class Options(HouseRules, frozen=True):
    """House rules of California Speed."""

    best_of: Annotated[int, Meta(ge=1, le=99, description="a match is the best of this many games")] = 1
    redeal_limit: Annotated[
        int, Meta(ge=1, le=999, description="this many new rows without a covered card make a draw")
    ] = 50


SETUP, PLAY = "Setup", "Game play"
RULES = Catalogue(
    "california-speed",
    rule("R1", SETUP, DUTY, "Each player has a packet of twenty-six cards face down and plays only "
         "from it.", "own packet"),
    rule("R2", PLAY, DUTY, "Each row is four cards from the player's own packet; both players lay theirs at the same "
         "moment.", "the rows"),
    rule("R3", PLAY, DUTY, "A card is laid only on a pile that belongs to a match: its rank shows on another pile, or "
         "did until that one was covered.", "cover a match"),
    rule("R4", PLAY, CONSEQUENCE, "The card that covers is the top one of the packet, whatever it is.", "the top card"),
    rule("R5", PLAY, DUTY, "The piles are taken up only when eight different ranks show; each player puts their own "
         "piles under their packet.", "gather when stuck"),
    rule("R6", PLAY, CONSEQUENCE, "The game is over when a packet is empty; no card is laid after that.", "the end"),
    rule("R7", PLAY, RIGHT, "Either player may cover any pile, on either side.", "any pile"),
)  # fmt: skip

READINGS = {
    "A match covered in part": "the rest of it may still be covered, by either player, although it no longer shows",
    "Must a match be covered to the last pile?": "no; whether piles may be taken up looks only at the eight ranks "
    "that show",
    "Both cover the same pile": "the first line stands; the second needs a match of its own",
    "The order of the piles taken up": "is the one in which the record names their cards; each is turned over as a "
    "whole, so that its oldest card comes first again",
    "An unrecorded order": "is open until the cards come up again: the pile whose oldest card comes first "
    "was taken up first",
    "Last cards at the same moment": "the line recorded first wins",
    "The own packet": "is not looked at, and not shuffled; that is for the table to see, the record has the cards as "
    "they come",
    "Who saw a match first": "is not known; the order of the lines is the order in which the cards were laid",
    "New rows": "are complete when both are laid; a player who has already taken up and laid waits for the other",
    "Unrecorded rows": "are taken as laid, unseen, when a player covers or takes up; whether an empty pile could be "
    "covered is unknown",
    "Unrecorded covers": "one is a slip; when more cards are taken up than the pile had, the piles are unknown from "
    "there on",
    "Piles taken up without a record": "are taken as picked up, in an unknown order, when their owner lays a new row "
    "and nothing matches, or the other player has taken up",
    "No match ever": "a draw after redeal_limit new rows in a row without a card covered",
}


class Lot(Struct):
    """Piles in a packet one after the other, in an unrecorded order.

    Each of the `stacks` has its cards in the order in which they come up again. `below` is the number of cards of the
    packet below all of them, `top` the size of the packet when the first of them comes up.
    """

    stacks: list[list[int]]
    below: int
    top: int

    def first(self, code: int) -> list[list[int]]:
        """The stacks that may be on top if this card comes up."""
        exact = [stack for stack in self.stacks if stack[0] == code < PACK.unknown]
        return exact or [stack for stack in self.stacks if PACK.may_be_same(stack[0], code)]


class Hand(Struct):
    """The record of one game of California Speed.

    `matched`: the piles of a match that has begun; `perhaps`: those that may be, because of unseen cards. `rows`:
    players with a row on the table (`begun`: both have had one). `gathered`: players who have taken up their side and
    wait for the other. `quiet`: number of new rows since the last cover. `latest`: position and covered card of the
    last cover. `omitted`: cards that were laid without a line, as the record shows; `came_from`: by packet, the place
    that the last card came from, if others lay on it. `lots`: by packet, the piles whose order in it is unknown, the
    next to come up first.
    """

    packets: dict[str, Pile]
    piles: dict[str, Pile]
    matched: set[str] = set()
    perhaps: set[str] = set()
    rows: set[str] = set()
    gathered: set[str] = set()
    quiet: int = 0
    begun: bool = False
    winner: str = ""
    latest: tuple[int, int] = (0, PACK.unknown)
    omitted: set[int] = set()
    came_from: dict[str, int] = {}
    lots: dict[str, list[Lot]] = {}

    def ranks(self) -> list[str]:
        """The rank that shows on each pile, `?` if unseen, empty if the pile is."""
        rank_of = PACK.rank_of
        return [rank_of[row[-1]] if (row := pile.row) else "?" if pile.vague else "" for pile in self.piles.values()]

    def matches(self, name: str) -> bool | None:
        """True if a pile's rank shows on another pile; None if a card was not seen."""
        shown = self.ranks()
        rank = shown[list(self.piles).index(name)]
        if rank and rank != "?" and shown.count(rank) > 1:
            return True
        return None if "?" in shown else False


def start(state: State[Hand]) -> Hand:
    state.phase, state.turn = "rows", state.terms.seats
    table, seats = state.table, state.terms.seats
    piles = {name: table.row(name) for s in seats for name in side(s)}
    return Hand({s: table.row(f"stock:{s}") for s in seats}, piles)


@cache
def side(seat: str) -> tuple[str, ...]:
    """The four piles in front of a player, left to right."""
    return tuple([f"col:{seat}:{i}" for i in PLACES])


def ensure_dealt(state: State[Hand]) -> None:
    """Make sure that a game is begun; packets without a recorded deal are twenty-six unseen cards each."""
    ensure_hand_started(state)
    if not state.acts:
        for packet in state.hand.packets.values():
            if not packet.row:
                state.table.lay([PACK.unknown] * PACKET, packet)
        state.acts = 1


# Setup and rows
@RULES.check("R1", Deal)
def twenty_six_each(deal: Deal, state: State[Hand]) -> CheckResult | None:
    for name, cards in deal.piles:
        if name.startswith("stock:") and how_many(cards) not in (PACKET, None):
            return broken(f"a packet has {PACKET} cards, not {how_many(cards)}")
        if name.startswith("col:") and deal.by in state.terms.seats and deal.src not in ("", f"stock:{deal.by}"):
            return broken(f"{deal.by} lays only from their own packet")
    return None


@RULES.check("R2", Deal)
def four_in_a_row(deal: Deal, state: State[Hand]) -> CheckResult | None:
    for name, cards in deal.piles:
        if not name.startswith("col:"):
            continue
        owner = name.split(":")[1]
        if deal.by != owner:
            return broken(f"{deal.by} lays their own row, not that of {owner}")
        if how_many(cards) not in (len(PLACES), None):
            return broken(f"a row has {len(PLACES)} cards")
        if state.hand is not None and owner in state.hand.rows and not has_taken_up(owner, state):
            return broken(f"the row of {owner} is already laid")
    return None


def on_row(deal: Deal, state: State[Hand]) -> None:
    rows = [name for name, _ in deal.piles if name.startswith("col:")]
    if not rows:
        on_deal(deal, state)
        state.acts = 1
        return
    ensure_dealt(state)
    hand = state.hand
    if has_taken_up(deal.by, state):
        state.infer(f"{deal.by} has taken up their own side (not recorded)")
        take_up(deal.by, state)
        taken_up(deal.by, state)
    packet = pile_named(state, deal.src or f"stock:{deal.by}")
    for name, cards in deal.piles:
        if name.startswith("col:") and how_many(cards) is None:
            # The row was not counted, so the size of the packet is unknown.
            uncounted(packet, state)
            for pile, _ in spread(state, name, cards):
                state.table.move([PACK.unknown], packet, pile)
            continue
        for pile, codes in spread(state, name, cards):
            for code in codes:
                lift(code, packet, pile, state)
    hand.rows.add(deal.by)
    hand.begun |= len(hand.rows) == 2
    set_turn(state)


def unwritten_rows(hand: Hand) -> list[str]:
    """Players whose unrecorded row must be on the table, if a card is covered or a side taken up now."""
    return [] if hand.gathered else [seat for seat in hand.packets if seat not in hand.rows]


def lay_unwritten_rows(state: State[Hand]) -> None:
    """Infer the rows that were not recorded, unseen but for known cards of the packets."""
    hand = state.hand
    for player in unwritten_rows(hand):
        packet = hand.packets[player]
        if not packet.row and not packet.vague:
            continue
        for name in side(player):
            if packet.row or packet.vague:
                lift(PACK.unknown, packet, hand.piles[name], state)
        hand.rows.add(player)
        hand.begun |= len(hand.rows) == 2
        state.infer(f"{player} has laid a row (not recorded)")


def has_taken_up(seat: str, state: State[Hand]) -> bool:
    """Return True if a new row shows that its owner has taken up the old one, without a line."""
    hand = state.hand
    mine = [hand.piles[name] for name in side(seat)] if seat in hand.packets else []
    if any(pile.vague for pile in mine):
        return True
    lies = seat in hand.rows and seat not in hand.gathered and hand.begun and bool(mine) and all(map(len, mine))
    return lies and bool(hand.gathered or not twice_shown(hand))


def twice_shown(hand: Hand) -> str:
    """A rank that certainly shows twice; empty if there is none."""
    ranks = "".join(hand.ranks()).replace("?", "")
    return next((r for r in ranks if ranks.count(r) > 1), "")


def lift(code: int, packet: Pile, dst: Pile, state: State[Hand]) -> None:
    """Take a card off a packet; it may show which pile of an unrecorded order was taken up first, or, after one that
    lay under others too, that these were laid."""
    row, came_from = packet.row, state.hand.came_from
    if (came_from or (row and row[-1] != code)) and (gone := gone_from_above(code, packet, came_from)):
        laid_unwritten(gone, state)
    if code == PACK.many:
        state.hand.lots.pop(packet.name, None)
    elif (lots := state.hand.lots.get(packet.name)) and (
        not row or (code != row[-1] and code < PACK.unknown) or len(row) <= lots[0].top
    ):
        # It is not just the top card of the known ones.
        comes_up(code, packet, lots, state)
    state.table.move_one(code, packet, dst)


def comes_up(code: int, packet: Pile, lots: list[Lot], state: State[Hand]) -> None:
    """Put a packet in the order that it must have if this card comes off it now."""
    row = packet.row
    assert row is not None
    lot = lots[0]
    on_top = lot.first(code) if len(row) == lot.top else []
    if len(on_top) == 1:
        stack = on_top[0]
        if stack is lot.stacks[0]:
            del lot.stacks[0]
        else:
            lot.stacks.remove(stack)
            row[lot.below :] = [c for other in (*lot.stacks[::-1], stack) for c in other[::-1]]
        lot.top -= len(stack)
        if len(lot.stacks) < 2:
            del lots[0]
    elif on_top:
        # It may have been any of several, so the place of the rest is unknown.
        under = row[: lot.below]
        packet.row = row[lot.below :]
        state.table.mix([PACK.unknown] * len(packet.row), packet, packet)
        packet.row = [*under, *packet.row]
        del lots[0]
    else:
        # It comes from below, or from a known place.
        at = place_of(code, row)
        for one in lots[:] if at >= 0 else ():
            if at < one.below:
                one.below -= 1
                one.top -= 1
            elif at < one.top:
                drop(one.stacks, one.top - 1 - at)
                one.top -= 1
                if len(one.stacks) < 2:
                    lots.remove(one)


def place_of(code: int, row: Sequence[int]) -> int:
    """The topmost place in a packet that has, or else may have, this card; -1 if there is none."""
    there = code in row and code < PACK.unknown
    return max((i for i, one in enumerate(row) if (one == code if there else PACK.may_be_same(one, code))), default=-1)


def drop(stacks: list[list[int]], place: int) -> None:
    """Remove the card at this place, counted through all stacks."""
    for stack in stacks:
        if place < len(stack):
            del stack[place]
            if not stack:
                stacks.remove(stack)
            return
        place -= len(stack)


def set_turn(state: State[Hand]) -> None:
    """Set phase and turn: covering while both rows are on the table; a player who has taken up waits for the other."""
    hand, seats = state.hand, state.terms.seats
    waiting = hand.gathered if len(hand.rows) < 2 else set()
    state.phase = "rows" if len(hand.rows) < 2 and not waiting else "covering"
    idle = hand.rows if state.phase == "rows" else waiting
    state.turn = tuple([s for s in seats if s not in idle])


# Covering
def covers(move: Move, state: State[Hand]) -> bool:
    return state.hand is not None and move.to in state.hand.piles


def packet_of(move: Move, state: State[Hand]) -> Pile:
    """The packet that a player's card comes from."""
    return pile_named(state, move.src) if move.src else state.hand.packets[move.by]


@RULES.check("R1", Move)
def from_the_own_packet(move: Move, state: State[Hand]) -> CheckResult | None:
    if move.src and move.src != f"stock:{move.by}" and covers(move, state):
        return broken(f"{move.by} plays only from their own packet")
    return None


@RULES.check("R3", Move)
def cover_a_match(move: Move, state: State[Hand]) -> CheckResult | None:
    if not covers(move, state) or state.settled:
        return None
    hand = state.hand
    count = how_many(move.cards)
    if count is None:
        return unknown("the cards were not counted")
    if count != 1:
        return broken("one card is laid at a time")
    if move.to in hand.matched or (matches := hand.matches(move.to)):
        return None
    if matches is None or move.to in hand.perhaps:
        return unknown("a card that shows, or showed, was not seen")
    if lacking := unwritten_rows(hand):
        return unknown(f"the row of {lacking[0]} was not recorded")
    row, (_, owner, place) = hand.piles[move.to].row, move.to.split(":")
    what = f"the {PACK.shown(row[-1])} on pile {place} of {owner} matches no other pile" if row else ""
    return broken(what or f"pile {place} of {owner} is empty")


@RULES.check("R3", Play)
def laid_on_a_pile(play: Play, state: State[Hand]) -> CheckResult | None:
    """Two cards are typed for a cover (see `expand_shorthand`). If no pile shows them, the act has no effect."""
    return broken("a card is laid on a pile: write the card and the one it covers, as in A qd7h")


@RULES.check("R4", Move)
def the_top_card(move: Move, state: State[Hand]) -> CheckResult | None:
    if not covers(move, state) or move.by not in state.hand.packets:
        return None
    packet, code = packet_of(move, state), state.code(move.cards)
    tops = on_top(packet, state)
    if not tops or packet.vague or code in tops or any(PACK.may_be_same(top, code) for top in tops):
        return None
    if lacking := unwritten_rows(state.hand):
        return unknown(f"the row of {lacking[0]} was not recorded")
    named = one_of([PACK.shown(top) for top in tops])
    return broken(f"the {named} lay on top{', whichever pile was taken up first' if len(tops) > 1 else ''}")


def on_top(packet: Pile, state: State[Hand]) -> list[int]:
    """The possible top cards of a packet, perhaps half seen; several if the order is open."""
    lots = state.hand.lots.get(packet.name)
    if lots and len(packet) == lots[0].top:
        return [stack[0] for stack in lots[0].stacks]
    return packet.row[-1:] if packet.row else []


@RULES.check("R6", Move, when="between over")
def not_after_the_end(move: Move, state: State[Hand]) -> CheckResult | None:
    return broken("a packet was empty, and the game over") if state.settled and covers(move, state) else None


@RULES.check("R7", Fault)
def any_pile_is_free(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """Check a fault by which the table denies a player the right to cover the other side."""
    return broken("either player may cover any pile") if fault.word == "side" else None


def on_cover(move: Move, state: State[Hand]) -> None:
    if move.src.startswith("col:") and move.to.rstrip("_").startswith("stock:"):
        gather(move, state)
        return
    if state.hand is None or not covers(move, state) or move.by not in state.terms.seats:
        on_move(move, state)
        return
    if state.settled:
        return
    hand, table = state.hand, state.table
    if not state.acts:
        ensure_dealt(state)
    if len(hand.rows) < 2:
        lay_unwritten_rows(state)
    # A match that is covered in part stays one: note its other piles before this one changes.
    pile, ranks = hand.piles[move.to], hand.ranks()
    rank = ranks[list(hand.piles).index(move.to)]
    if rank == "?":
        hand.perhaps.update(hand.piles)
    elif rank:
        hand.matched.update(compress(hand.piles, map(rank.__eq__, ranks)))
        if "?" in ranks:
            hand.perhaps.update(compress(hand.piles, map("?".__eq__, ranks)))
    hand.latest = (state.at, pile.row[-1] if pile.row else PACK.unknown)
    hand.matched.discard(move.to)
    hand.perhaps.discard(move.to)
    packet = packet_of(move, state)
    for code in table.codes(move.cards, packet):
        lift(code, packet, pile, state)
    hand.quiet = 0
    hand.gathered.clear()
    if not packet.row and not packet.vague and (owner := packet.name.removeprefix("stock:")) in hand.packets:
        hand.winner = owner
        finish_hand(state)


# Taking up
@RULES.check("R5", Move)
def gather_when_stuck(move: Move, state: State[Hand]) -> CheckResult | None:
    if not (move.src.startswith("col:") and move.to.rstrip("_").startswith("stock:")) or state.hand is None:
        return None
    if f"col:{move.by}:" not in move.src or move.to.rstrip("_") != f"stock:{move.by}":
        return broken(f"{move.by} takes up their own side, under their own packet")
    if state.hand.gathered - {move.by}:
        return None
    if unwritten_covers(move, state):
        return unknown("cards were taken up that were not recorded as laid")
    ranks = state.hand.ranks()
    if twice := twice_shown(state.hand):
        return broken(f"a match shows: two of rank {'10' if twice == 'T' else twice}")
    if "" in ranks and not state.hand.begun:
        if lacking := unwritten_rows(state.hand):
            return unknown(f"the row of {lacking[0]} was not recorded")
        return broken(f"only {len([r for r in ranks if r not in ('', '?')])} piles are on the table")
    return unknown("a card that shows was not seen") if "?" in ranks else None


def gather(move: Move, state: State[Hand]) -> None:
    """Apply the taking up of the own four piles, left to right: each, turned over, goes under the packet."""
    ensure_dealt(state)
    hand, seat = state.hand, move.by
    if seat not in hand.packets:
        return
    lay_unwritten_rows(state)
    if count := unwritten_covers(move, state):
        lie = whole(hand.piles[name] for name in side(seat))
        laid_unwritten(minus(state.table.codes(move.cards), lie)[:count], state)
    take_up(seat, state, move.cards)
    taken_up(seat, state)
    set_turn(state)
    if hand.quiet >= state.terms.options.redeal_limit:
        finish_hand(state)


def unwritten_covers(move: Move, state: State[Hand]) -> int:
    """Number of cards taken up that were not recorded as laid."""
    hand = state.hand
    mine = [hand.piles[name] for name in side(move.by)] if move.by in hand.packets else []
    count = how_many(move.cards)
    rows = [pile.row for pile in mine if pile.row and not pile.vague]
    return 0 if count is None or len(rows) < len(PLACES) else max(0, count - sum(map(len, rows)))


def laid_unwritten(cards: Iterable[int], state: State[Hand]) -> None:
    """Note cards that were laid without a line. One is a slip; of more the places, and other missing acts, are unknown.
    """
    omitted, before = state.hand.omitted, len(state.hand.omitted)
    omitted.update(cards)
    if len(omitted) > max(1, before):
        state.leave_out("covers")
        state.infer("cards were laid that were not recorded")
        uncounted_all(state)


def taken_up(seat: str, state: State[Hand]) -> None:
    """Record that a side is empty; when both are, new rows come."""
    hand = state.hand
    hand.rows.discard(seat)
    hand.gathered.add(seat)
    if len(hand.gathered) == 2:
        hand.gathered.clear()
        hand.quiet += 1


def take_up(seat: str, state: State[Hand], written: tuple[str, ...] = ()) -> None:
    """Put the four piles of a side under the packet, each as it was; the first one taken up comes up first.

    `written` are the cards as the record names them, which may show the order.
    """
    hand, packet = state.hand, state.hand.packets[seat]
    mine = [hand.piles[name] for name in side(seat)]
    nobody_counted = packet.vague or any(pile.vague for pile in mine)
    order, told = in_order(mine, written, state)
    stacks = [list(pile.row or []) for pile in order]
    for pile in mine:
        pile.row, pile.vague = [], False
    hand.matched.difference_update(side(seat))
    hand.perhaps.difference_update(side(seat))
    packet.row = [*[card for stack in reversed(stacks) for card in reversed(stack)], *(packet.row or [])]
    if nobody_counted:
        # The number of cards above these is unknown, and so when they come up again.
        uncounted(packet, state)
        return
    lots = hand.lots.setdefault(packet.name, [])
    for lot in lots:
        more = sum(map(len, stacks))
        lot.below += more
        lot.top += more
    if len(stacks) - told > 1:
        lots.append(Lot(stacks[told:], 0, sum(map(len, stacks[told:]))))


def uncounted(pile: Pile, state: State[Hand]) -> None:
    """Mark a packet or pile as unknown, as its number of cards is."""
    state.table.lose_sight(pile)
    pile.row = [PACK.unknown] * len(pile)
    state.hand.lots.pop(pile.name, None)


def in_order(piles: Sequence[Pile], written: tuple[str, ...], state: State[Hand]) -> tuple[list[Pile], int]:
    """The piles in the order in which they were taken up, and the number of them, from the first on, whose order is
    known.

    The record names all cards in the order of the hand, or the top card of each pile."""
    lie = [pile for pile in piles if pile.row]
    codes = [] if how_many(written) is None else state.table.codes(written)
    if codes == whole(lie) and max(codes, default=PACK.unknown) < PACK.unknown:
        # The usual case: left to right, and all cards were seen before.
        return lie, len(lie)
    for shown in (tops, whole):
        fits = [order for order in permutations(lie) if PACK.may_be_these(shown(order), codes)] if codes else []
        if fits:
            told = next((i for i in range(len(lie)) if len({order[i].name for order in fits}) > 1), len(lie))
            order = list(fits[0])
            if told == len(lie):
                reveal(order, codes, state)
            return order, told
    for code in () if any(pile.vague for pile in piles) else codes:
        if not any(PACK.may_be_same(code, card) for pile in lie for card in pile.row or ()):
            text = f"{PACK.shown(code)} is not in a pile that was taken up"
            state.table.trouble.append(Trouble(NOT_THERE, text, PACK.tokens[code]))
    return lie, 0


def tops(order: Iterable[Pile]) -> list[int]:
    """The cards that show on these piles."""
    return [(pile.row or [PACK.unknown])[-1] for pile in order]


def whole(order: Iterable[Pile]) -> list[int]:
    """All cards of these piles, one pile after the other."""
    return [card for pile in order for card in pile.row or ()]


def reveal(order: Sequence[Pile], written: Sequence[int], state: State[Hand]) -> None:
    """Reveal cards that are first named as they are taken up."""
    only_tops, at = len(written) == len(order), 0
    for pile in order:
        n = 1 if only_tops else len(pile)
        state.table.tell_order([PACK.unknown] * (len(pile) - n) + list(written[at : at + n]), pile)
        at += n


def both_rows_may_lie(state: State[Hand]) -> None:
    """After a gap both rows may be on the table."""
    lose_track(state, rows=set(state.terms.seats), gathered=set(), begun=True)
    uncounted_all(state)
    set_turn(state)


def uncounted_all(state: State[Hand]) -> None:
    """Make the piles and the packets unknown."""
    hand = state.hand
    for pile in (*hand.piles.values(), *hand.packets.values()):
        uncounted(pile, state)
    hand.matched.clear()
    hand.perhaps = set(hand.piles)


# Scoring: games won


class Tally(TallyFacts):
    """The result of a game: the winner (or `draw`), and the cards the other had left."""

    winner: str = seat(
        "the seat whose packet was empty first, or draw", "draw", rule="R6", asks="who won",
        says="a game is won by {names}, or is a draw",
    )  # fmt: skip
    left: Points = figures("cards a seat had left", 0, PACK.size, rule="R6")

    laws = (
        Law(("winner", "left"), nothing_left_of("winner", "left"), "R6"),
        Law(("winner", "left"), no_more_in_all("left", PACK.size, "{n} cards left are more than the pack has"), "R6"),
    )


WORDS = {"side": "fault: the table objected that the other side was covered"}


def tally(state: State[Hand]) -> Tally:
    """The winner and the cards left as played, overruled by a `tally`."""
    hand, t = state.hand, Tally()
    if hand.winner:
        t.winner, t.left = hand.winner, {player: len(packet) for player, packet in hand.packets.items()}
    elif state.settled and not state.stop_reason and not state.tallies:
        t.winner = "draw"
    return apply_reported_facts(t, state)


def score(state: State[Hand]) -> HandScore:
    """One point for the winner. A draw, or a game that does not count, gives none."""
    t, seats = tally(state), state.terms.seats
    if nothing := counts_nothing(state, t.void):
        return nothing
    if not t.winner:
        return hand_score(state, dict.fromkeys(seats), unknown=["who won"], source="nothing")
    points: Points = {player: int(player == t.winner) for player in seats}
    lines = [ScoreLine("game", points), *([ScoreLine("left", t.left)] if t.left else [])]
    won = f"{state.terms.name(t.winner)} won"
    return hand_score(state, points, lines, result="draw" if t.winner == "draw" else won)


def left_with(s: HandScore, player: str, state: State[Hand]) -> Cell:
    """The number of cards that a player had left."""
    left = (line.amounts.get(player) for line in s.lines if line.label == "left")
    return Cell(next((figure(n) for n in left if n is not None), "–"))


# What may be done now
def a_row(player: str, state: State[Hand]) -> Iterator[Event]:
    """Four cards off the packet."""
    row = state.hand.packets[player].row or []
    if len(row) >= len(PLACES):
        cards = squeeze(PACK.tokens[c] for c in row[:-5:-1])
        yield Deal(by=player, piles=((f"col:{player}:1..4", cards),), src=f"stock:{player}")


def covers_or_takes_up(player: str, state: State[Hand]) -> Iterator[Event]:
    """The top card on each pile; and the own side taken up."""
    hand = state.hand
    row = hand.packets[player].row
    if row and not hand.gathered:
        for name in hand.piles:
            yield Move(by=player, cards=(PACK.tokens[row[-1]],), src=f"stock:{player}", to=name)
    lies = squeeze(PACK.tokens[c] for c in whole(hand.piles[name] for name in side(player)))
    yield Move(by=player, cards=lies or ("*",), src=f"col:{player}:1..4", to=f"stock:{player}_")


def covers_left_out(state: State[Hand], act: Event) -> Iterator[Event]:
    """Acts that may be unrecorded: a cover or a side taken up, first by the player who acts now."""
    for player in state.terms.in_turn(act.by):
        yield from covers_or_takes_up(player, state)


def expand_shorthand(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """`A 7hjc2d9s` lays a row; `A qd7h` covers the seven of hearts with the queen of diamonds."""
    if not isinstance(event, Play) or event.src or event.face is not None:
        return (event,)
    cards = one_by_one(event.cards)
    if state.phase == "rows":
        return (Deal(by=event.by, piles=((f"col:{event.by}:1..4", event.cards),), src=f"stock:{event.by}"),)
    shows = [name for name, pile in state.hand.piles.items() if pile.row and PACK.tokens[pile.row[-1]] == cards[-1]]
    if len(cards) != 2 or not shows:
        return (event,)
    return tuple(Move(by=event.by, cards=(cards[0],), src=f"stock:{event.by}", to=name) for name in shows)


def quiet(state: State[Hand]) -> Event | None:
    """What a lone `.` means: an unseen row, or the own side taken up, by the first in turn; `. .` is that of both."""
    seat = state.turn[0]
    if state.phase == "rows":
        return Deal(by=seat, piles=((f"col:{seat}:1..4", (f"{len(PLACES)}x??",)),), src=f"stock:{seat}")
    return Move(by=seat, cards=("*",), src=f"col:{seat}:1..4", to=f"stock:{seat}_")


def last_outcome_text(state: State[Hand]) -> str:
    """The card that was covered, and the number of cards left to each player."""
    at, code = state.hand.latest
    covered = f"on the {PACK.shown(code)}" if at == state.at and code != PACK.unknown else ""
    return "; ".join(part for part in (covered, packets(state)) if part)


def packets(state: State[Hand]) -> str:
    """The number of cards in each packet; empty if one is unknown."""
    found = state.hand.packets.items()
    return "" if any(p.vague for _, p in found) else ", ".join(f"{seat} has {len(p)}" for seat, p in found)


def top_is_known(state: State[Hand], seat: str) -> bool:
    """Return True if the next cards of the packet are known: there is no choice, the packet decides."""
    row = state.hand.packets[seat].row
    wanted = len(PLACES) if state.phase == "rows" else 1
    lots = state.hand.lots.get(f"stock:{seat}")
    if lots and len(row or ()) - wanted < lots[0].top:
        return False
    return bool(row) and all(c < PACK.unknown for c in (row or [])[-wanted:])


def chance(state: State[Hand], random: Random) -> list[Event]:
    cards = list(PACK.faces)
    random.shuffle(cards)
    packets = tuple((f"stock:{s}", tuple(cards[PACKET * i :][:PACKET])) for i, s in enumerate(state.terms.seats))
    dealer = state.game.dealing.next_dealer(state) if state.number else state.dealer
    return [HandEvent(by=dealer, number=state.number + 1), Deal(by="@", face="down", piles=packets)]


GAME = Game(
    key="california-speed", name="California Speed", family="patience", summary=summary_of(__doc__),
    seating=singles(2, how="at the same time"), pack=PACK,
    dealing=Dealing(
        lay_deal=ensure_dealt, next_dealer=lambda state: state.terms.left(state.dealer), chance=chance,
        own_piles=("col",),
    ),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=start,
    phases={
        "rows": Phase(
            "laying the rows", (Deal, Play), "four cards of each packet (A 7hjc2d9s), . for an unseen row",
            default_act=quiet, to_do="lay a row", tries=(a_row,),
        ),
        "covering": Phase(
            "covering", (Move, Play),
            "a card and the one it covers (B qd7h), or . for a side taken up (. . for both)",
            default_act=quiet, left_out=covers_left_out, to_do="cover", tries=(covers_or_takes_up,),
        ),
    },
    on={Deal: on_row, Move: on_cover, Gap: in_play(both_rows_may_lie)},
    tally=Tally, compute_tally=tally, score=score, after=best_of_hands(lambda terms: terms.options.best_of),
    sheet=Form(
        once={"result": result_text}, each={"{} left": left_with, "{}": running_total}, heading="Games",
        first=("game",),
    ),
    omissions=Omissions(
        explained_by_omissions=frozenset({"R3", "R4", "R5"}),
        missing=lambda state: missing_facts(state) if state.tallies else (),
    ),
    shorthand=Shorthand(expand=expand_shorthand),
    display=Display(
        headline=lambda state: {"packets": packets(state)}, last_outcome_text=last_outcome_text,
        piles={"*": Lies("fan", "hand"), "stock": Lies("stack", "front", "nobody")},
    ),
    simulation=Simulation(knows_all_choices=top_is_known, most_hands=99),
)  # fmt: skip
