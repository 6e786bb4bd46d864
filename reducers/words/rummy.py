"""The frame of a rummy game: a turn draws from stock or discards, lays melds and discards; at the end hands are shown.

A page's record of the hand has those of these fields that its words use: `player`: the seat whose turn it is (empty
after a `gap`). `drawn`: the turn has its card. `thrown`: the last seat to discard. `melds`: the number of melds of each
seat. `shown`: the seats that have shown the rest of their cards. `written`: number of recorded draws from the stock.
`unwritten`: the seat of each inferred one. `ending`: how play ended, `stock-out` if the stock was out.

The piles are `stock`, `discard`, and `meld:A:1` for the first meld of A.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple, TypeAlias

from events.cards import how_many, pretty
from events.model import Cards, Discard, Draw, Event, Meld, Move, Show, Shuffle, Tally
from reducers.evolve import finish_hand, is_for_next_hand, on_show, pile_named, settle
from reducers.facts import flat
from reducers.model import State
from reducers.rules import Catalogue, CheckFunction, CheckResult, broken, unknown
from reducers.table import Pile
from reducers.terms import hand_of
from reducers.words.deals import WHO_DEALS, has_unwritten_draws, next_of
from reducers.words.melds import UNCOUNTED, Melds, as_they_are, no_meld, written_cards_in, written_groups
from reducers.words.shown_facts import as_facts, by_moves
from reducers.words.tallies import in_this_hand, last_values
from reducers.words.wild_ranks import WildRanks

STOCK_OUT = "stock-out"
AnyMelds: TypeAlias = Melds | WildRanks
# What is unknown of a turn after a gap; if the hand was over already, the next acts may be of another one.
TURN_UNKNOWN: dict[str, Any] = {"gap": True, "drawn": False, "player": "", "thrown": "", "ending": "", "shown": ()}


# -- whose turn it is -------------------------------------------------------------------------------------------------


def first_turn(phase: str, state: State[Any]) -> str:
    """Set up the phase and the turn of the first player after the dealer, with empty hands. Return that seat."""
    playing = state.game.dealing.playing(state)
    for seat in playing:
        state.table.bag(seat)
    first = next_of(playing, state.dealer, state.terms)
    state.phase, state.turn = phase, (first,)
    return first


def not_the_turn(begun: bool, state: State[Any]) -> CheckResult:
    """The verdict on an act out of turn."""
    player = state.hand.player
    if not begun and state.dealer_is_guess:
        return unknown(WHO_DEALS)
    return broken(f"it is the turn of {player}" if begun else f"{player} sits left of the dealer and begins")


# -- drawing ----------------------------------------------------------------------------------------------------------


def cards_lying(name: str, state: State[Any]) -> list[int]:
    """The codes of a row, bottom to top; empty before the deal. Unlike `Table.row` it creates no pile."""
    pile = state.table.piles.get(name)
    return (pile.row or []) if pile is not None else []


def top_code(name: str, state: State[Any]) -> int:
    """The code of the top card of a pile; -1 if there is none."""
    pile = state.table.piles.get(name)
    return pile.row[-1] if pile is not None and pile.row else -1


def may_be_drawn(state: State[Any]) -> int:
    """The bag of cards that a draw may bring: those at an unknown place, and the top cards of stock and discards."""
    tops = {top_code("stock", state), top_code("discard", state)}
    return state.table.free() | sum(state.game.pack.unit[c] for c in tops if 0 <= c < state.game.pack.unknown)


def one_card(cards: Cards, done: str) -> CheckResult | None:
    """The verdict unless exactly one card is drawn or discarded; else None."""
    number = how_many(cards)
    if number == 1:
        return None
    return unknown(f"how many cards were {done}") if number is None else broken(f"one card is {done}")


def draws_from_top(draw: Draw, state: State[Any]) -> CheckResult | None:
    """A turn begins with one card drawn: the top one of the stock, or of the discards."""
    hand, src, unseen, may_be = state.hand, draw.src or "stock", state.game.pack.unknown, state.game.pack.may_be
    if hand.ending:
        return None
    if hand.drawn and draw.by == hand.player:
        return broken(f"{draw.by} has drawn already")
    if how_many(draw.cards) != 1:
        return one_card(draw.cards, "drawn")
    if src not in ("stock", "discard"):
        return broken("a card is drawn from the top of the stock or of the discards")
    pile, code = state.table.piles.get(src), state.code(draw.cards)
    if pile is None or not pile.row or code >= unseen or pile.row[-1] == code or (pile.vague and src == "stock"):
        return None
    if pile.row[-1] >= unseen and code not in pile.row:
        return None
    *below, above = pile.row
    # If the pack has a second copy, it may be the one on top.
    twin = below.count(code) < state.game.pack.copies[code] and may_be[above] & may_be[code]
    if above < unseen or (code in below and not twin):
        if missed_one(state) and (src == "stock" or (below and may_be[code] & may_be[below[-1]])):
            return unknown("an unrecorded draw before this may have been from here")
        lies = f", {state.game.pack.shown(above)} is" if above < unseen else ""
        return broken(f"{pretty(draw.cards[0])} is not on top{lies}")
    return None


def take_drawn(draw: Draw, state: State[Any], src: str = "stock") -> Pile:
    """Take cards into the hand, from `src` if the draw names no pile. Return the pile they came from."""
    pile: Pile = pile_named(state, draw.src or src)
    state.table.move(state.table.codes(draw.cards, pile), pile, state.holding(draw.by))
    return pile


def draw_unseen(seat: str, when: str, state: State[Any]) -> None:
    """Infer the draw of a player who goes on without one in the record: from the stock. The cards of the stock become
    unknown, as the draw may have been from the discards."""
    stock, unseen = state.table.row("stock"), state.game.pack.unknown
    if stock.row and min(stock.row) < unseen and top_code("discard", state) >= 0:
        uncounted = stock.vague
        state.table.lose_sight(stock)
        stock.vague = uncounted
    state.table.move([unseen], stock, state.holding(seat))
    state.hand.unwritten += (seat,)
    state.infer(f"{seat} drew a card from the stock {when} (not recorded)")


def missed_one(state: State[Any]) -> bool:
    """True if single draws are missing from a record that has most of them: those may have been from the discards."""
    return has_unwritten_draws(len(state.hand.unwritten), state.hand.written)


# -- throwing ---------------------------------------------------------------------------------------------------------


def one_discard(discard: Discard, state: State[Any]) -> CheckResult | None:
    """A turn ends with one discard from the hand."""
    if how_many(discard.cards) != 1:
        return one_card(discard.cards, "discarded")
    if discard.src not in ("", hand_of(discard.by)):
        return broken("a discard comes from the hand")
    if discard.by == state.hand.thrown and discard.by != state.hand.player:
        return broken(f"{discard.by} has discarded already")
    return None


def throw(discard: Discard, state: State[Any]) -> int:
    """Move cards to the discards, from the hand unless another pile is named. Return their number."""
    pile = pile_named(state, discard.src or discard.by)
    codes = state.table.codes(discard.cards, pile)
    drawn_from_the_discards(codes, pile, state)
    state.table.move(codes, pile, state.table.row("discard"))
    return len(codes)


def drawn_from_the_discards(codes: Sequence[int], holding: Pile, state: State[Any]) -> None:
    """Correct an inferred draw: cards of this hand that seem to be among the discards, below the top one, show that the
    draw was not from the stock."""
    table, discards = state.table, state.table.row("discard")
    if holding.name not in getattr(state.hand, "unwritten", ()) or not missed_one(state):
        return
    # If the pack has many copies of a card, another copy is more likely.
    for code in (code for code in dict.fromkeys(codes) if code < table.pack.unknown and table.pack.copies[code] <= 2):
        row, held = (discards.row or [])[:-1], table.pack.count(holding.certain & table.pack.field[code])
        if code in row and held < codes.count(code) and holding.unseen:
            table.take_at(len(row) - 1 - row[::-1].index(code), code, discards, holding)
            table.move_one(table.pack.unknown, holding, table.row("stock"))
            # Another copy of the card may have been held all along: then the draw was from the stock.
            table.row("stock").vague |= bool(table.free() & table.pack.field[code])
            state.infer(
                f"{holding.name} drew the {table.pack.shown(code)} from the discards before this (not recorded)"
            )


def show_cards(show: Show, state: State[Any]) -> None:
    """Apply a show; cards that seem to be among the discards were drawn from there."""
    pile = pile_named(state, show.src or show.by)
    for group in show.groups if state.number else ():
        drawn_from_the_discards(state.table.codes(group, pile), pile, state)
    on_show(show, state)


def takes_back_the_discard(move: Move, state: State[Any]) -> bool:
    """Return True if the last discard goes back to the hand it came from, while the hand is in play."""
    in_play = bool(state.number) and not state.settled
    return in_play and move.src == "discard" and move.to == hand_of(state.hand.thrown)


# -- the stock runs out -----------------------------------------------------------------------------------------------


def is_stock_uncounted(state: State[Any]) -> bool:
    """Return True if the height of the stock is unknown: acts or cards went by uncounted."""
    return state.hand.gap or state.table.row("stock").vague


def perhaps_out(seat: str, state: State[Any]) -> bool:
    """Return True if play may be over with the last discard: the stock is uncounted, and it is not this seat's turn."""
    hand = state.hand
    after_a_discard = bool(hand.thrown) and not hand.ending and not hand.drawn
    return after_a_discard and is_stock_uncounted(state) and not hand.gap and seat != hand.player


def perhaps_not_out(seat: str, state: State[Any]) -> bool:
    """Return True if play, which an empty stock is taken to have ended, may go on with this seat: an unrecorded draw
    was from the discards."""
    hand = state.hand
    return hand.ending == STOCK_OUT and missed_one(state) and seat == state.terms.after(hand.thrown)


def not_out_after_all(seat: str, state: State[Any]) -> None:
    """Go on with the hand after `STOCK_OUT`, as the next player plays on; not if cards have been shown by now."""
    hand = state.hand
    if not perhaps_not_out(seat, state) or any(len(state.holding(s)) for s in hand.shown):
        return
    hand.ending = hand.by = ""
    hand.shown, hand.player = (), seat
    state.table.row("stock").vague = True
    state.infer("the stock was not out, as the next player goes on: an unrecorded draw was from the discards")


def turn_over_unwritten(count: int, state: State[Any]) -> bool:
    """Infer that n discards, the lowest, became a new stock for a draw from an empty one; False if there are none."""
    if not count:
        return False
    table = state.table
    table.mix([state.game.pack.unknown] * count, table.row("discard"), table.row("stock"))
    state.infer(f"the stock was out: {count} discards were shuffled to form a new one (not recorded)")
    return True


def turn_stock_over(shuffle: Shuffle, count: int, state: State[Any]) -> Pile | None:
    """Turn n discards over to be the new stock, in the order written or in unknown order; or shuffle other piles as the
    line says. Return the pile that cards were taken from, or None."""
    table = state.table
    src, dst = pile_named(state, shuffle.src or "discard"), pile_named(state, shuffle.to or "stock")
    if shuffle.piles or src.row is None or dst.row is None:
        for name, cards in shuffle.piles:
            pile = pile_named(state, name)
            if pile.row is not None:
                table.mix(table.codes(cards, pile)[: len(pile.row)], pile, pile)
        return None
    if how_many(shuffle.cards or ("*",)) is None:
        codes = [state.game.pack.unknown] * (count if src.name == "discard" else len(src))
    else:
        codes = table.codes(shuffle.cards, src)
    table.mix(codes, src, dst)
    pile_taken: Pile = src
    return pile_taken


def chance_turns_over(count: int, state: State[Any], random: Random) -> list[Event]:
    """In a simulation shuffle the lowest n discards into a new stock."""
    cards = [state.game.pack.tokens[code] for code in (state.table.row("discard").row or [])[:count]]
    random.shuffle(cards)
    return [Shuffle(by="@", cards=tuple(cards), src="discard", to="stock")]


# -- melds on the table -----------------------------------------------------------------------------------------------


def on_table(name: str, state: State[Any]) -> Cards:
    """The cards of a meld as they are written; none if there is no such meld."""
    pile = state.table.piles.get(name)
    return written_cards_in(pile) if pile is not None else ()


def meld_names(state: State[Any]) -> list[str]:
    """The names of the melds on the table."""
    return [name for name in state.table.piles if name.startswith("meld:")]


def meld_owner(name: str) -> str:
    """The owner of a meld, by its name; empty for another pile.

    >>> meld_owner("meld:B:2"), meld_owner("stock")
    ('B', '')
    """
    parts = name.split(":")
    return parts[1] if len(parts) == 3 and parts[0] == "meld" else ""


def cards_laid(act: Meld | Discard, state: State[Any]) -> tuple[Cards, ...]:
    """The groups laid, or the cards discarded, card by card: `*` is all that is left of the hand."""
    groups = act.groups if isinstance(act, Meld) else (act.cards,)
    if as_they_are(groups):
        return groups
    src = (act.src or act.by).removeprefix("hand:")
    return written_groups(groups, state.table.piles.get(src) or state.holding(act.by))


def groups_of(meld: Meld, melds: AnyMelds, state: State[Any]) -> tuple[Cards, ...]:
    """The groups laid, card by card; a known hand laid down as a whole is split into melds that leave nothing over."""
    if as_they_are(meld.groups):
        return meld.groups
    pack, out = melds.pack, list[Cards]()
    for group, cards in zip(meld.groups, cards_laid(meld, state), strict=True):
        whole = group == ("*",) and not meld.to and bool(cards) and all(c in pack for c in cards)
        best = melds.best(pack.bag(cards)) if whole else None
        out += [cards] if best is None or best.deadwood else [tuple(pack.cards(m)) for m in best.melds]
    return tuple(out)


def as_laid(meld: Meld, melds: Melds, state: State[Any]) -> tuple[Cards, ...]:
    """The groups as they are on the table after this meld."""
    groups = groups_of(meld, melds, state)
    if not meld.to:
        return groups
    # After a gap it is unknown which melds there are, and so which one has that number.
    lying = (UNCOUNTED,) if state.hand.gap else on_table(meld.to, state)
    return ((*lying, *(c for g in groups for c in g)),)


def like_a_set(group: Cards, melds: Melds) -> bool:
    """Return True if these cards look like a set."""
    ranks = [c[0] for c in group if c in melds.pack]
    return len(ranks) > 1 and len(set(ranks)) == 1


def laid_right(meld: Meld, melds: Melds, state: State[Any], text: str, *, sets: bool) -> CheckResult | None:
    """Check the sets, or else the runs, that are laid; `text` says what is wrong (is not a run)."""
    groups = as_laid(meld, melds, state)
    return no_meld(((group, melds.is_meld(group)) for group in groups if like_a_set(group, melds) is sets), text)


class JudgedGroup(NamedTuple):
    """Cards that are laid, what is wrong with them if they are no meld, and whether they are one."""

    cards: Cards
    fault: str
    answer: bool | None


def judge_faults(
    rules: Catalogue, groups: Callable[[Meld, Any], Iterable[Any]], faults: Mapping[str, tuple[str, str]],
) -> None:
    """Register a check of melds for each fault: its rule, and what is wrong with a group that has it. `groups` gives
    those that a meld lays, each with the attributes of a `JudgedGroup`."""

    def check(fault: str, text: str, meld: Meld, state: State[Any]) -> CheckResult | None:
        return no_meld(((one.cards, one.answer) for one in groups(meld, state) if one.fault == fault), text)

    for fault, (rule, text) in faults.items():
        rules.check(rule, Meld)(partial(check, fault, text))


def lay_melds(meld: Meld, melds: AnyMelds, state: State[Any]) -> None:
    """Lay new melds of a player, numbered in the order laid, or lay cards off onto a meld."""
    table, hand, seat = state.table, state.hand, meld.by
    groups, src = groups_of(meld, melds, state), pile_named(state, meld.src or seat)
    for group in groups:
        if not meld.to:
            hand.melds[seat] = hand.melds.get(seat, 0) + 1
        pile = table.row(meld.to or f"meld:{seat}:{hand.melds[seat]}")
        pile.vague = pile.vague or (bool(meld.to) and hand.gap)
        codes = table.codes(group, src)
        drawn_from_the_discards(codes, src, state)
        table.move(codes, src, pile)


# -- hands are shown at the end ---------------------------------------------------------------------------------------


def without_cards(seats: Iterable[str], state: State[Any]) -> tuple[str, ...]:
    """The seats that hold no card, and so have nothing to show."""
    return tuple([seat for seat in seats if state.holding(seat).empty])


def still_to_show(order: Iterable[str], state: State[Any]) -> None:
    """Let the seats that have not shown their cards do so, in this order; with none left end the hand."""
    state.turn = tuple(seat for seat in order if seat not in state.hand.shown)
    if not state.turn:
        finish_hand(state)


def shows_the_rest(seat: str, seats: tuple[str, ...], state: State[Any]) -> bool:
    """Record that a seat shows the rest of its cards. Return False if it is not one of `seats` or has done so; a show
    after the scoring may still change the score."""
    hand = state.hand
    if state.settled:
        if state.stop_reason not in ("misdeal", "void"):
            settle(state)
        return False
    if seat not in seats or seat in hand.shown:
        return False
    hand.shown = (*hand.shown, seat)
    return True


def hand_count_bounds(seat: str, worth: Sequence[int], state: State[Any]) -> tuple[int, int | None]:
    """Least and greatest value of the cards a seat holds; None for the greatest if they are uncounted."""
    pile, table, pack = state.holding(seat), state.table, state.game.pack
    known = value(pile.certain, worth, state)
    if pile.complete:
        return known, known
    if pile.vague:
        return known, None
    # Half-known cards can be told apart only while later events name none of the cards.
    half = [] if pile.later else [[worth[c] for c in pack.codes(pack.may_be[h] & pack.full)] for h in pile.half]
    free, rest = sorted(worth[c] for c in pack.codes(table.free())), max(0, pile.hidden - len(half))
    least = sum(free[:rest]) + sum(map(min, half))
    return known + least, known + sum(free[len(free) - rest :] if rest else []) + sum(map(max, half))


def value(bag: int, worth: Sequence[int], state: State[Any]) -> int:
    """The value of these cards."""
    return sum(worth[c] for c in state.game.pack.codes(bag))


# -- acts worth trying ------------------------------------------------------------------------------------------------


def draws(seat: str, state: State[Any]) -> Iterator[Event]:
    """Draws to try: the top card of the stock, or of the discards."""
    tokens = state.game.pack.tokens
    for name, src in (("stock", ""), ("discard", "discard")):
        code = top_code(name, state)
        if code >= 0:
            yield Draw(by=seat, cards=(tokens[code],), src=src)


def try_discards(seat: str, state: State[Any]) -> Iterator[Event]:
    """Discards to try: each card that the seat is known to hold; equal cards once."""
    held = dict.fromkeys(state.game.pack.cards(state.holding(seat).certain))
    return (Discard(by=seat, cards=(card,)) for card in held)


def try_show_hand(seat: str, state: State[Any]) -> Iterator[Event]:
    """The hand as far as it is known, shown."""
    cards = tuple(state.game.pack.cards(state.holding(seat).certain))
    if cards:
        yield Show(by=seat, groups=(cards,))


# -- what is left over ------------------------------------------------------------------------------------------------


def of_deadwood(points: int) -> str:
    """n points of deadwood, in words.

    >>> of_deadwood(1), of_deadwood(8)
    ('1 point of deadwood', '8 points of deadwood')
    """
    return f"{points} point{'s' * (points != 1)} of deadwood"


def too_much_told(ending: str, most: Callable[[Any], int]) -> CheckFunction:
    """A check: a tally gives the player who ended the hand, by the tally or by the moves, no more deadwood than that
    ending allows by the options. Deadwood that the moves show is judged where it was seen."""

    def check(event: Tally, state: State[Any]) -> CheckResult | None:
        known, at_most = last_values(in_this_hand(event.facts, state), state), most(state.terms.options)
        hand = None if is_for_next_hand(state) else state.hand
        by = str(known.get("by", hand and hand.by))
        points = known.get(f"deadwood.{by}") if known.get("ending", hand and hand.ending) == ending else None
        named = {"by", "ending", f"deadwood.{by}"}.intersection(key for key, _ in flat(event.facts))
        if type(points) is not int or points <= at_most or not named or (
            hand is not None and hand.by == by and f"deadwood.{by}" in as_facts(by_moves(state)[0])
        ):
            return None
        left = f"{at_most or 'none'} may be left"
        return broken(f"{by} cannot have ended with a {ending} and {of_deadwood(points)}: {left}")

    return check
