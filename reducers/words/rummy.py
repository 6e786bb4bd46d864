"""The frame of a rummy game: a turn draws from stock or discards, lays melds and throws; at the end hands are shown.

A page's record of the hand keeps of these what the words that it uses speak of: `player` is whose turn it is (empty
after a `gap`), `drawn` says whether the turn has its card, `thrown` who threw last, `melds` how many melds each seat
has laid, `shown` who has shown what was left. `written` counts the draws from the stock that are in the record,
`unwritten` has the seat of each that is inferred. `ending` is how play came to its end, `stock-out` if nothing was left to draw.

The piles are `stock`, `discard`, and `meld:A:1` for the first meld of A.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any, TypeAlias

from events.cards import how_many, pretty
from events.model import Cards, Discard, Draw, Event, Gap, Meld, Move, Show, Shuffle, Tally
from reducers.evolve import finish_hand, on_show, pile_named, settle
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.table import Pile
from reducers.terms import hand_of
from reducers.words.deals import ensure_dealt, has_unwritten_draws, next_of, unseen_draw
from reducers.words.melds import UNCOUNTED, Melds, as_they_are, no_meld, written_cards_in, written_groups
from reducers.words.wild_ranks import WildRanks

STOCK_OUT = "stock-out"
AnyMelds: TypeAlias = Melds | WildRanks


# -- whose turn it is -------------------------------------------------------------------------------------------------


def first_turn(phase: str, state: State[Any]) -> str:
    """Before the deal nothing lies on the table; the first player behind the dealer begins. Who that is."""
    playing = state.game.playing(state)
    for seat in playing:
        state.table.bag(seat)
    first = next_of(playing, state.dealer, state.terms)
    state.phase, state.turn = phase, (first,)
    return first


def not_the_turn(begun: bool, state: State[Any]) -> CheckResult:
    """What is wrong with an act of somebody whose turn it is not."""
    player = state.hand.player
    return broken(f"it is the turn of {player}" if begun else f"{player} sits left of the dealer and begins")


# -- drawing ----------------------------------------------------------------------------------------------------------


def cards_lying(name: str, state: State[Any]) -> list[int]:
    """The codes of a row, bottom to top; empty before the deal. To ask lays no empty pile on the table."""
    pile = state.table.piles.get(name)
    return (pile.row or []) if pile is not None else []


def top_code(name: str, state: State[Any]) -> int:
    """The code of the card on top of a pile; -1 if nothing lies there."""
    pile = state.table.piles.get(name)
    return pile.row[-1] if pile is not None and pile.row else -1


def one_card(cards: Cards, done: str) -> CheckResult | None:
    """What is wrong unless exactly one card is drawn or thrown."""
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
    *below, above = pile.row
    # If the pack has it twice, a card of which one lies below may be the one on top.
    twin = below.count(code) < state.game.pack.copies[code] and may_be[above] & may_be[code]
    if above < unseen or (code in below and not twin):
        if missed_one(state) and (src == "stock" or (below and may_be[code] & may_be[below[-1]])):
            return unknown("a draw before this was not written, and may have been from here")
        lies = f", {state.game.pack.shown(above)} is" if above < unseen else ""
        return broken(f"{pretty(draw.cards[0])} is not on top{lies}")
    return None


def take_drawn(draw: Draw, state: State[Any], src: str = "stock") -> Pile:
    """Cards come into the hand, from this pile if the draw does not say from where. The pile they came from."""
    pile: Pile = pile_named(state, draw.src or src)
    state.table.move(state.table.codes(draw.cards, pile), pile, state.holding(draw.by))
    return pile


def draw_unseen(seat: str, when: str, state: State[Any]) -> None:
    """A player who goes on without a draw in the record has drawn all the same: from the stock, as far as one knows. What lies in the stock
    is not known any more then, as the draw may have been from the discards."""
    stock, unseen = state.table.row("stock"), state.game.pack.unknown
    if stock.row and min(stock.row) < unseen and top_code("discard", state) >= 0:
        uncounted = stock.vague
        state.table.lose_sight(stock)
        stock.vague = uncounted
    state.table.move([unseen], stock, state.holding(seat))
    state.hand.unwritten += (seat,)
    state.infer(f"{seat} drew a card from the stock {when}; nobody wrote it")


def missed_one(state: State[Any]) -> bool:
    """Whether a draw is missing from a record that has most of them: then it may have been from the discards."""
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
    """Cards go to the discards, from the hand if nothing else is said. How many they were."""
    pile = pile_named(state, discard.src or discard.by)
    codes = state.table.codes(discard.cards, pile)
    drawn_from_the_discards(codes, pile, state)
    state.table.move(codes, pile, state.table.row("discard"))
    return len(codes)


def drawn_from_the_discards(codes: Sequence[int], holding: Pile, state: State[Any]) -> None:
    """Cards out of a hand that lie among the discards, below the top one, for all that was written: a draw that nobody wrote, and that was
    taken for one from the stock, was from there."""
    table, discards = state.table, state.table.row("discard")
    if holding.name not in getattr(state.hand, "unwritten", ()) or not missed_one(state):
        return
    # Of a card of which the pack has many copies another one is the likelier.
    for code in (code for code in dict.fromkeys(codes) if code < table.pack.unknown and table.pack.copies[code] <= 2):
        row, held = (discards.row or [])[:-1], table.pack.count(holding.certain & table.pack.field[code])
        if code in row and held < codes.count(code) and holding.unseen:
            table.take_at(len(row) - 1 - row[::-1].index(code), code, discards, holding)
            table.move_one(table.pack.unknown, holding, table.row("stock"))
            # Another copy of the card may have been held all along: then the draw was from the stock.
            table.row("stock").vague |= bool(table.free() & table.pack.field[code])
            state.infer(f"{holding.name} drew the {table.pack.shown(code)} from the discards before this; nobody wrote it")


def show_cards(show: Show, state: State[Any]) -> None:
    """Cards are shown; those that seem to lie among the discards were drawn from there."""
    pile = pile_named(state, show.src or show.by)
    for group in show.groups if state.number else ():
        drawn_from_the_discards(state.table.codes(group, pile), pile, state)
    on_show(show, state)


def takes_back_the_discard(move: Move, state: State[Any]) -> bool:
    """Whether the card thrown last goes back to the hand it came from, while the hand is in play."""
    in_play = bool(state.number) and not state.settled
    return in_play and move.src == "discard" and move.to == hand_of(state.hand.thrown)


# -- the stock runs out -----------------------------------------------------------------------------------------------


def is_stock_uncounted(state: State[Any]) -> bool:
    """Whether nobody can tell how high the stock is: acts went by unrecorded, or cards that nobody counted."""
    return state.hand.gap or state.table.row("stock").vague


def perhaps_out(seat: str, state: State[Any]) -> bool:
    """Whether play may be over with the last discard, as nobody counted the stock, and it is not this seat's turn."""
    hand = state.hand
    after_a_discard = bool(hand.thrown) and not hand.ending and not hand.drawn
    return after_a_discard and is_stock_uncounted(state) and not hand.gap and seat != hand.player


def perhaps_not_out(seat: str, state: State[Any]) -> bool:
    """Whether play, which the stock is taken to have ended, may go on with this seat: a draw that nobody wrote was from
    the discards."""
    hand = state.hand
    return hand.ending == STOCK_OUT and missed_one(state) and seat == state.terms.after(hand.thrown)


def not_out_after_all(seat: str, state: State[Any]) -> None:
    """The next player plays on, so the stock was not out; unless somebody has shown cards by now."""
    hand = state.hand
    if not perhaps_not_out(seat, state) or any(len(state.holding(s)) for s in hand.shown):
        return
    hand.ending = hand.by = ""
    hand.shown, hand.player = (), seat
    state.table.row("stock").vague = True
    state.infer("the stock was not out, as the next player goes on: a draw that nobody wrote was from the discards")


def turn_over_unwritten(count: int, state: State[Any]) -> bool:
    """A draw from a stock that is out finds it made anew of so many discards, the lowest; False if there are none."""
    if not count:
        return False
    table = state.table
    table.mix([state.game.pack.unknown] * count, table.row("discard"), table.row("stock"))
    state.infer(f"the stock was out: {count} discards were shuffled to be the new one; nobody wrote it")
    return True


def turn_stock_over(shuffle: Shuffle, count: int, state: State[Any]) -> Pile | None:
    """So many discards become the new stock, in the order written, or in one that nobody knows; or other piles are
    shuffled, as the line says. The pile that cards were taken from, if any were."""
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
    """In a simulation so many discards, those at the bottom, become the new stock."""
    cards = [state.game.pack.tokens[code] for code in (state.table.row("discard").row or [])[:count]]
    random.shuffle(cards)
    return [Shuffle(by="@", cards=tuple(cards), src="discard", to="stock")]


def lost_sight(gap: Gap, state: State[Any]) -> bool:
    """Acts went by unrecorded: who holds what, what lies there and how high the stock is, nobody can say any more.
    Whether a hand was in play, so that the page has to say what else is not known."""
    if state.settled or not state.number:
        return False
    ensure_dealt(state)
    for pile in list(state.table.piles.values()):
        state.table.lose_sight(pile)
    return True


# -- melds on the table -----------------------------------------------------------------------------------------------


def on_table(name: str, state: State[Any]) -> Cards:
    """The cards of a meld as they are written; none if there is no such meld."""
    pile = state.table.piles.get(name)
    return written_cards_in(pile) if pile is not None else ()


def meld_names(state: State[Any]) -> list[str]:
    """The names of the melds on the table."""
    return [name for name in state.table.piles if name.startswith("meld:")]


def meld_owner(name: str) -> str:
    """Whose meld it is, by its name; empty for another pile.

    >>> meld_owner("meld:B:2"), meld_owner("stock")
    ('B', '')
    """
    parts = name.split(":")
    return parts[1] if len(parts) == 3 else ""


def groups_of(meld: Meld, melds: AnyMelds, state: State[Any]) -> tuple[Cards, ...]:
    """The groups laid, card by card; a known hand laid down as a whole, in the melds that leave nothing over."""
    if as_they_are(meld.groups):
        return meld.groups
    pack, src = melds.pack, (meld.src or meld.by).removeprefix("hand:")
    pile = state.table.piles.get(src) or state.holding(src)
    out: list[Cards] = []
    for group, cards in zip(meld.groups, written_groups(meld.groups, pile), strict=True):
        whole = group == ("*",) and not meld.to and bool(cards) and all(c in pack for c in cards)
        best = melds.best(pack.bag(cards)) if whole else None
        out += [cards] if best is None or best.deadwood else [tuple(pack.cards(m)) for m in best.melds]
    return tuple(out)


def as_laid(meld: Meld, melds: Melds, state: State[Any]) -> tuple[Cards, ...]:
    """The groups as they lie on the table after this."""
    groups = groups_of(meld, melds, state)
    if not meld.to:
        return groups
    # After a gap nobody knows which melds lie there, and so which one has that number.
    lying = (UNCOUNTED,) if state.hand.gap else on_table(meld.to, state)
    return ((*lying, *(c for g in groups for c in g)),)


def like_a_set(group: Cards, melds: Melds) -> bool:
    """Whether somebody who laid these cards meant a set."""
    ranks = [c[0] for c in group if c in melds.pack]
    return len(ranks) > 1 and len(set(ranks)) == 1


def laid_right(meld: Meld, melds: Melds, state: State[Any], text: str, *, sets: bool) -> CheckResult | None:
    """What is wrong with the sets, or else with the runs, that are laid: that one `text` (is not a run)."""
    groups = as_laid(meld, melds, state)
    return no_meld(((group, melds.is_meld(group)) for group in groups if like_a_set(group, melds) is sets), text)


def lay_melds(meld: Meld, melds: AnyMelds, state: State[Any]) -> None:
    """New melds of a player, numbered in the order laid, or cards laid off onto a meld."""
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
    """Those of the seats who hold no card, and so have nothing to show."""
    holdings = ((seat, state.holding(seat)) for seat in seats)
    return tuple(seat for seat, pile in holdings if not len(pile) and not pile.vague)


def still_to_show(order: Iterable[str], state: State[Any]) -> None:
    """Those who have not shown yet what is left do so, in this order; if everybody has, the hand is over."""
    state.turn = tuple(seat for seat in order if seat not in state.hand.shown)
    if not state.turn:
        finish_hand(state)


def shows_the_rest(seat: str, seats: tuple[str, ...], state: State[Any]) -> bool:
    """Whether one of the seats shows with this what it has left, which it had not done. What is shown after the hand
    is scored may tell what was open."""
    hand = state.hand
    if state.settled:
        if not state.stop_reason:
            settle(state)
        return False
    if seat not in seats or seat in hand.shown:
        return False
    hand.shown = (*hand.shown, seat)
    return True


def hand_count_bounds(seat: str, worth: Sequence[int], state: State[Any]) -> tuple[int, int | None]:
    """What the cards a seat holds count, at least and at most; None if nobody counted them."""
    pile, table, pack = state.holding(seat), state.table, state.game.pack
    known = value(pile.certain, worth, state)
    if pile.complete:
        return known, known
    if pile.vague:
        return known, None
    # What is half known can be told apart only while later events name none of the cards.
    half = [] if pile.later else [[worth[c] for c in pack.codes(pack.may_be[h] & pack.full)] for h in pile.half]
    free, rest = sorted(worth[c] for c in pack.codes(table.free())), max(0, pile.hidden - len(half))
    least = sum(free[:rest]) + sum(map(min, half))
    return known + least, known + sum(free[len(free) - rest :] if rest else []) + sum(map(max, half))


def value(bag: int, worth: Sequence[int], state: State[Any]) -> int:
    """What these cards count."""
    return sum(worth[c] for c in state.game.pack.codes(bag))


# -- acts worth trying ------------------------------------------------------------------------------------------------


def draws(seat: str, state: State[Any]) -> Iterator[Event]:
    """The top card of the stock, or of the discards."""
    tokens = state.game.pack.tokens
    for name, src in (("stock", ""), ("discard", "discard")):
        code = top_code(name, state)
        if code >= 0:
            yield Draw(by=seat, cards=(tokens[code],), src=src)


def try_discards(seat: str, state: State[Any]) -> Iterator[Event]:
    """Each card that the seat is known to hold, thrown alone; equal cards once."""
    held = dict.fromkeys(state.game.pack.cards(state.holding(seat).certain))
    return (Discard(by=seat, cards=(card,)) for card in held)


def try_show_hand(seat: str, state: State[Any]) -> Iterator[Event]:
    """The hand as it is known."""
    cards = tuple(state.game.pack.cards(state.holding(seat).certain))
    if cards:
        yield Show(by=seat, groups=(cards,))


# -- what is left over ------------------------------------------------------------------------------------------------


def of_deadwood(points: int) -> str:
    """So many points, in words.

    >>> of_deadwood(1), of_deadwood(8)
    ('1 point of deadwood', '8 points of deadwood')
    """
    return f"{points} point{'s' * (points != 1)} of deadwood"


def too_much_told(event: Tally, ending: str, at_most: int) -> CheckResult | None:
    """Whether a tally gives whoever ended the hand so more deadwood than that takes."""
    facts, told = event.facts, event.facts.get("deadwood")
    points = told.get(str(facts.get("by"))) if isinstance(told, dict) and facts.get("ending") == ending else None
    if type(points) is not int or points <= at_most:
        return None
    return broken(f"{facts['by']} cannot have ended with a {ending} and {of_deadwood(points)}: {at_most or 'none'} may be left")


__all__ = [
    "STOCK_OUT", "as_laid", "chance_turns_over", "hand_count_bounds", "try_discards", "draw_unseen", "draws", "first_turn",
    "draws_from_top", "groups_of", "laid_right", "lay_melds", "like_a_set", "lost_sight", "meld_names", "missed_one",
    "next_of", "not_out_after_all", "not_the_turn", "of_deadwood", "on_table", "one_card", "one_discard", "meld_owner",
    "perhaps_not_out", "perhaps_out", "ensure_dealt", "show_cards", "try_show_hand", "shows_the_rest", "still_to_show", "take_drawn",
    "takes_back_the_discard", "throw", "too_much_told", "top_code", "turn_stock_over", "turn_over_unwritten", "is_stock_uncounted", "unseen_draw", "value",
    "without_cards",
]  # fmt: skip
