"""Deals and draws: the cards of each pile, the unrecorded part of a deal, the next dealer, and a draw typed as a dot.

A page declares the deal once, as cards by pile (`{"A": 10, "B": 10, "discard": 1}`); the rest is the stock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from events.cards import how_many, one_by_one
from events.model import Deal, Draw, Event, Hand, Show
from reducers.deal import DealSpec
from reducers.evolve import each_pile, ensure_hand_started, is_for_next_hand, pile_named, spread
from reducers.facts import Limit, limit, listed_with_and
from reducers.model import State
from reducers.pile_words import pile_in_words
from reducers.registry import find_game
from reducers.rules import CheckResult, broken, unknown
from reducers.seating import next_dealer
from reducers.table import Pile, Table
from reducers.terms import Terms, every_seat, hand_of

if TYPE_CHECKING:
    from random import Random

_Record = TypeVar("_Record")


def no_more_than(whole: Mapping[str, int], deal: Deal, state: State[Any]) -> CheckResult | None:
    """No pile is dealt more cards than it gets in the `whole` deal; open if cards are uncounted.

    Fewer break no rule: a deal may name only the cards that were seen.
    """
    dealt: dict[str, int] = {}
    uncounted, piles = "", {} if state.settled else state.table.piles
    for name, cards in deal.piles:
        name = name.removeprefix("hand:")
        if ".." not in name:
            if name in whole:
                count = how_many(cards)
                uncounted = name if count is None else uncounted
                dealt[name] = dealt.get(name, 0) + (count or 0)
            continue
        names, count = each_pile(name), how_many(cards)
        if count is None and names[0] in whole:
            uncounted = name
        for one, share in zip(names, shared_out(count or 0, len(names)), strict=True):
            dealt[one] = dealt.get(one, 0) + share
    for name, count in dealt.items():
        pile, gets = piles.get(name), whole.get(name)
        if gets is None:
            # Some piles of a range get none.
            continue
        if pile is not None and pile.vague:
            uncounted = name
        elif pile is not None:
            count += len(pile)
        if count > gets:
            if name == "upcard":
                return broken(f"{'one' if gets else 'no'} card is turned up, not {count}")
            what = name if name in state.terms.seats else pile_in_words(name, state.table.called)
            return broken(f"{what} gets {gets or 'no'} card{'s' * (gets != 1)}, not {count}")
    return unknown(f"the cards dealt to {uncounted} were not counted") if uncounted else None


def shared_out(count: int, piles: int) -> list[int]:
    """Spread `count` cards evenly over the piles, the remainder on the last.

    >>> shared_out(24, 12)[:2], shared_out(7, 3), shared_out(5, 1)
    ([2, 2], [2, 2, 3], [5])
    """
    if piles == 1:
        return [count]
    each = count // piles
    return [each] * (piles - 1) + [count - each * (piles - 1)]


def deal_the_rest(whole: Mapping[str, int], state: State[Any]) -> None:
    """Complete the `whole` deal by unseen cards, before the first act of play.

    If an uncounted number of cards was dealt, the number left for the stock is unknown.
    """
    table, unseen = state.table, state.game.pack.unknown
    state.acts = 1
    for name, gets in whole.items():
        pile = pile_named(state, name)
        if not pile.vague and (missing := gets - len(pile)) > 0:
            table.lay([unseen] * missing, pile)
    stock, left = table.row("stock"), table.pack.size
    for name, pile in table.piles.items():
        count = len(pile)
        left -= max(count, whole[name]) if name in whole else count
        stock.vague = stock.vague or pile.vague
    if left > 0:
        stock.row = [unseen] * left + (stock.row or [])


def unseen_draw(state: State[Any]) -> Event | None:
    """The act of a lone `.`: a card drawn from the stock."""
    return Draw(by=state.turn[0], cards=("??",)) if state.turn else None


def take_as_it_lies(codes: list[int], src: Pile, dst: Pile, table: Table) -> None:
    """Take cards from the top of the stock, or a whole pile: the place tells two copies of a card apart."""
    pack, row, n = table.pack, src.row or [], len(codes)
    if src.vague or pack.many in codes:
        table.move(codes, src, dst)  # uncounted, so places do not tell copies apart
        return
    if codes and codes == row[-1:] and codes[0] < pack.unknown:
        table.move_one(codes[0], src, dst)  # the top card
        return
    if codes == row and (not codes or max(codes) < pack.unknown):
        table.move(codes[::-1], src, dst)  # the whole pile
        return
    places = list(zip(codes, row[-n:], strict=False)) if n == len(row) or (src.name == "stock" and n < len(row)) else []
    if places and all(pack.may_be_same(c, r) for c, r in places):
        if any(c < pack.unknown <= r for c, r in places):
            table.tell_order([pack.unknown] * (len(row) - n) + codes, src)
        codes = row[: -n - 1 : -1]
    elif codes and max(codes) >= pack.unknown:
        # A part of a pile, or in another order: an unseen card is none of the seen ones, if possible.
        table.move([c for c in codes if c < pack.unknown], src, dst)
        for code in sorted((c for c in codes if c >= pack.unknown), reverse=True):
            row.sort(key=lambda c, code=code: (pack.may_be_same(code, c), c >= pack.unknown))  # type: ignore[misc]  # the default binds it
            table.move_one(code, src, dst)
        return
    table.move(codes, src, dst)


RULE = 5


def has_unwritten_draws(unwritten: int, written: int) -> bool:
    """True if draws are missing from a record that usually has those from the stock; they may be from any pile then.

    A table that usually leaves out draws from the stock, and writes fewer than one in `RULE`, writes all others.

    >>> has_unwritten_draws(1, 5), has_unwritten_draws(3, 2), has_unwritten_draws(5, 1), has_unwritten_draws(0, 5)
    (True, True, False, False)
    """
    return 0 < unwritten < RULE * written


def misdealt(state: State[Any]) -> bool:
    """True if the last hand was a misdeal, which the same dealer deals again."""
    return bool(state.scores) and state.scores[-1].result == "misdeal"


def surrendered_by_the_dealer(hand: Hand, state: State[Any]) -> CheckResult | None:
    """After a misdeal the next player deals (for a text that says so)."""
    if not is_next_hand(hand, state) or not misdealt(state):
        return None
    right = state.terms.after(state.dealer)
    if hand.by == right:
        return None
    return unknown(WHO_DEALS) if state.dealer_is_guess else broken(
        f"{state.dealer} misdealt, and {right} deals, not {hand.by}"
    )


def deals_after_any_hand(state: State[Any]) -> str:
    """The next dealer if the deal goes round after every hand, a misdeal too."""
    return next_of(state.game.dealing.playing(state), state.dealer, state.terms)


def dealt_again_by_the_same(hand: Hand, state: State[Any]) -> CheckResult | None:
    """After a misdeal the same dealer deals again (for a text that says so)."""
    if not is_next_hand(hand, state) or not misdealt(state) or hand.by == state.dealer:
        return None
    if state.dealer_is_guess:
        return unknown(WHO_DEALS)
    return broken(f"after a misdeal the same dealer deals again: {state.dealer}, not {hand.by}")


WHO_DEALS = "who dealt: not recorded"


def deal_passes_on(hand: Hand, state: State[Any]) -> CheckResult | None:
    """After a hand that was played the player whose turn it is deals the next one (for a text that says so)."""
    last = state.score
    if not is_next_hand(hand, state) or state.stop_reason or last is None or last.source == "void" or getattr(
        state.hand, "gap", False,
    ):
        return None
    right = state.game.dealing.next_dealer(state)
    if hand.by == right:
        return None
    if state.dealer_is_guess:
        return unknown(WHO_DEALS)
    if state.game.dealing.playing is not every_seat and None in last.totals.values():
        return unknown("who is still in the game, and so who deals")
    way = "left" if state.terms.way == 1 else "right"
    return broken(f"the deal passes to the {way}: {right} deals, not {hand.by}")


def is_next_hand(hand: Hand, state: State[Any]) -> bool:
    """True if the hand that begins is the next one, with a dealer, and none is missing before it. False after a
    change of players, as no text says who deals then."""
    return (
        bool(state.number) and state.settled and state.coming is None and hand.by in state.terms.seats
        and hand.number == state.numbered + 1
    )


def deals_next(state: State[Any]) -> str:
    """The next dealer: the deal goes round to those who play; after a misdeal the same dealer deals again."""
    return state.dealer if misdealt(state) else next_of(state.game.dealing.playing(state), state.dealer, state.terms)


def next_of(seats: tuple[str, ...], seat: str, terms: Terms) -> str:
    """The next of these seats after another one; that one if there is none.

    >>> next_of(("A", "C"), "A", Terms(("A", "B", "C"), {}, {}, {}, None, "C", {}))
    'C'
    """
    for _ in terms.seats:
        seat = terms.after(seat)
        if seat in seats:
            break
    return seat


def begin_with(
    set_up: Callable[[State[Any]], None], record: Callable[[State[Any]], _Record],
) -> Callable[[State[Any]], _Record]:
    """The `start` of a page: `set_up` lays out the piles and says who acts first, then the `record` of the hand
    begins."""

    def start(state: State[Any]) -> _Record:
        set_up(state)
        return record(state)

    return start


# -- a declared deal --------------------------------------------------------------------------------------------------


def whole_deal(state: State[Any]) -> Mapping[str, int]:
    """The number of cards of each pile after the deal; the rest is the stock."""
    deal, playing = state.game.dealing.deal, state.game.dealing.playing(state)
    whole = once_dealt(state.game.key, playing, state.phase, counted_hand(state), told_each(state))
    return {**whole, **one_more_each(state)} if deal is not None and deal.uneven else whole


def one_more_each(state: State[Any], dealer: str = "") -> dict[str, int]:
    """The number of cards of each seat if the whole pack is dealt from the dealer's left on, given those recorded."""
    playing = state.game.dealing.playing(state)
    seats = [s for s in state.terms.in_turn(state.terms.after(dealer or state.dealer)) if s in playing]
    has = {
        s: len(pile) for s in seats if (pile := state.table.piles.get(s)) is not None and len(pile)
    } if not dealer else {}
    waiting = [s for s in seats if s not in has]
    if not waiting:
        return has
    each, over = divmod(max(0, state.game.pack.size - sum(has.values())), len(waiting))
    return {**has, **{s: each + (i < over) for i, s in enumerate(waiting)}}


def counted_hand(state: State[Any]) -> int:
    """The number of the hand in play, or of the next one. Hands that did not count are left out, unless the next one
    repeated their number. It is 1 if the deal is the same in all hands."""
    if state.game.dealing.deal is None or not state.game.dealing.deal.by_hand:
        return 1
    void, once_more = sum(score.source == "void" for score in state.scores), max(0, state.number - state.numbered)
    return state.numbered + state.settled - max(0, void - once_more)


def limit_now(of: Limit | None, state: State[Any]) -> int | None:
    """A bound in the hand that a tally belongs to: that in play or just over, or the next one."""
    return limit(of, state.terms, counted_hand(state) - (state.settled and not is_for_next_hand(state)))


def told_each(state: State[Any]) -> int | None:
    """The number of cards of a seat by the house rules; None if they do not set it."""
    deal: DealSpec | None = state.game.dealing.deal
    return getattr(state.terms.options, deal.option) if deal is not None and deal.option else None


@cache
def once_dealt(
    key: str, seats: tuple[str, ...], phase: str, hand: int = 1, each: int | None = None,
) -> Mapping[str, int]:
    """The number of cards of these seats and the other piles of a game after the deal that belongs to this phase."""
    deal = find_game(key).dealing.deal
    assert deal is not None, "the page uses words of a declared deal, and declares none"
    deal = deal.among(len(seats), hand, each)
    by_then = deal.by_then(phase)
    parts: dict[str, int] = {}
    for part in deal.parts(seats):
        for pile in part.piles:
            names = each_pile(pile)
            for name in names:
                parts[name] = parts.get(name, 0) + (part.count // len(names) if by_then == deal.each else 0)
    return {**dict.fromkeys(seats, by_then), **parts, **dict.fromkeys(deal.empty, 0)}


def declared_deal(state: State[Any]) -> DealSpec:
    """The deal that the page declares, for the present players."""
    deal: DealSpec | None = state.game.dealing.deal
    assert deal is not None, "the page uses words of a declared deal, and declares none"
    if not deal.shares and not deal.by_hand and not deal.option:
        return deal
    return deal_among(state.game.key, len(state.game.dealing.playing(state)), counted_hand(state), told_each(state))


@cache
def deal_among(key: str, seats: int, hand: int, each: int | None) -> DealSpec:
    """The deal of a game for this number of seats, in this hand of the match; an option may set `each`."""
    deal = find_game(key).dealing.deal
    assert deal is not None, "the page uses words of a declared deal, and declares none"
    return deal.among(seats, hand, each)


def as_many_as_dealt(deal: Deal, state: State[Any]) -> CheckResult | None:
    """No pile is dealt more cards than it gets; if the whole pack goes to the seats, no other pile gets one."""
    # Another rule judges if a seat that is out of the match may get cards.
    whole = once_dealt(state.game.key, state.terms.seats, state.phase, counted_hand(state), told_each(state))
    declared = declared_deal(state)
    if not declared.rest:
        for name in [one for pile, _ in deal.piles for one in each_pile(pile)]:
            if name.removeprefix("hand:") not in whole:
                return broken(f"all cards are dealt to the seats, none to {name}")
    over = state.game.pack.size % len(whole) if declared.uneven else 0
    if not over:
        return no_more_than(whole, deal, state)
    # The seats with one card more depend on where the deal began.
    return no_more_than(
        {seat: count + 1 for seat, count in whole.items()}, deal, state,
    ) or one_more_for(over, deal, state)


def one_more_for(over: int, deal: Deal, state: State[Any]) -> CheckResult | None:
    """With `over` cards left over, that many seats get one card more than the others."""
    dealt = {} if state.settled else {
        seat: len(pile) for seat in state.terms.seats if (pile := state.table.piles.get(seat)) is not None
    }
    for name, cards in deal.piles:
        seat = name.removeprefix("hand:")
        dealt[seat] = dealt.get(seat, 0) + (how_many(cards) or 0)
    most = state.game.pack.size // len(state.terms.seats) + 1
    more = [seat for seat, count in dealt.items() if count == most]
    if len(more) <= over:
        return None
    return broken(
        f"{listed_with_and(tuple(more))} cannot all get {most} cards: {over} {'is' if over == 1 else 'are'} left over"
    )


def the_last_cards_too(state: State[Any]) -> None:
    """Infer the cards left over, if the whole pack is dealt and every seat was recorded with the same number."""
    each, over = divmod(state.game.pack.size, len(state.terms.seats))
    piles = [state.table.bag(seat) for seat in state.terms.in_turn(state.terms.after(state.dealer))]
    if over and all(len(pile) == each and not pile.vague for pile in piles):
        for pile in piles[:over]:
            state.table.lay([state.game.pack.unknown], pile)
        more = listed_with_and(tuple(pile.name for pile in piles[:over]))
        state.infer(f"the whole pack is dealt, so {more} got one card more than the others (not recorded)")


def ensure_dealt(state: State[Any], act: Event | None = None) -> None:
    """Begin and deal a hand before any act of play; unrecorded cards of the deal are unseen. An `act` that still
    belongs to the hand that is over begins no other."""
    belongs_to_finished_hand = state.game.omissions.belongs_to_finished_hand
    if state.acts and (not state.settled or (act is not None and belongs_to_finished_hand(state, act))):
        return
    ensure_hand_started(state)
    deal = declared_deal(state)
    if deal.rest and deal.by_then(state.phase) == deal.each:
        deal_the_rest(whole_deal(state), state)
        return
    if deal.uneven:
        the_last_cards_too(state)
    for name, count in whole_deal(state).items():
        pile = pile_named(state, name)
        # Perhaps only the last card of the dealer's hand was seen, or all but that.
        if not len(pile) or (
            deal.last_up and not pile.vague and (len(pile) == 1 or short_of_the_last(pile, count, state))
        ):
            state.table.lay([state.game.pack.unknown] * (count - len(pile)), pile)
    state.acts = 1


def short_of_the_last(pile: Pile, count: int, state: State[Any]) -> bool:
    """True if this is the dealer's hand, with all its cards except the one that is turned up."""
    return len(pile) == count - 1 and pile is state.holding(state.dealer)


def laid_open(state: State[Any], cards: tuple[str, ...]) -> Event | None:
    """The deal of the open cards, typed as bare cards in the order they are turned up; None if impossible."""
    deal: DealSpec | None = state.game.dealing.deal
    if deal is not None and deal.last_up:
        return dealers_last(state, cards, declared_deal(state).each)
    after = deal.parts(state.terms.seats) if deal is not None else ()
    parts = [(pile, part.count) for part in after if part.face == "up" for pile in part.piles]
    return dealt_up(state, cards, parts)


def dealers_last(state: State[Any], cards: tuple[str, ...], each: int) -> Event | None:
    """A bare card before the first act as the dealer's last one: dealt face up, or shown after the whole deal."""
    holding = state.holding(state.dealer)
    if state.acts or how_many(cards) != 1 or holding.certain or (holding.vague and len(holding)):
        return None
    if len(holding) == each:
        return Show(by=state.dealer, groups=(cards,))
    return Deal(by="@", face="up", piles=((hand_of(state.dealer), cards),))


def dealt_up(state: State[Any], cards: tuple[str, ...], parts: Sequence[tuple[str, int]]) -> Deal | None:
    """Bare cards before the first act as a deal to these piles, n cards each; None if they cannot be that."""
    if state.acts or not parts or how_many(cards) != sum(count for _, count in parts):
        return None
    if any(pile in state.table.piles and state.table.piles[pile].certain for pile, _ in parts):
        return None
    left = one_by_one(cards)
    return Deal(by="@", face="up", piles=tuple((pile, cut(left, count)) for pile, count in parts))


def deal_from(stock: Pile, deal: Deal, state: State[Any]) -> list[Pile]:
    """Deal cards from the stock or the named pile; `stock=…` orders the rest. Return the piles that were dealt to."""
    src, dealt = pile_named(state, deal.src) if deal.src else stock, list[Pile]()
    for name, cards in sorted(deal.piles, key=lambda pile: pile[0] == "stock"):
        for pile, codes in spread(state, name, cards):
            if pile is stock:
                state.table.tell_order(codes, pile)
            else:
                state.table.move(codes, src, pile)
            dealt.append(pile)
    return dealt


def dealt_out(state: State[Any]) -> None:
    """Complete the last part of a deal by unseen cards.

    For a hand without any card played yet; the phase is that of the last part.
    """
    ensure_dealt(state)
    if declared_deal(state).rest:
        deal_the_rest(whole_deal(state), state)
        return
    for seat in state.game.dealing.playing(state):
        holding = state.holding(seat)
        if not holding.vague:
            state.table.lay([state.game.pack.unknown] * (declared_deal(state).each - len(holding)), holding)


def shuffle_and_deal(state: State[Any], random: Random) -> list[Event]:
    """The acts of chance between two hands: the pack is shuffled and dealt from the seat after the dealer on.

    A later part of the deal, in the middle of a hand, comes from what is left.
    """
    declared, game, later = declared_deal(state), state.game, not state.settled
    cards = game.pack.cards(game.pack.full - state.table.located if later else game.pack.full)
    if declared.apart:
        cards = [card for card in cards if card not in declared.apart]
    random.shuffle(cards)
    dealer = state.dealer if later else next_dealer(state)
    seats = [s for s in state.terms.in_turn(dealer) if s in game.dealing.playing(state)]
    seats = seats[1:] + seats[:1] if seats[0] == dealer else seats
    by_then = declared.by_then(state.phase) if later else declared.at_first
    events: list[Event] = [] if later else [Hand(by=dealer, number=state.number + 1)]
    gets = one_more_each(state, dealer) if declared.uneven else {
        s: by_then - later * len(state.holding(s)) for s in seats
    }
    events.append(Deal(by="@", piles=tuple((hand_of(s), cut(cards, gets[s])) for s in seats)))
    if by_then < declared.each:
        return events
    if declared.last_up:
        events += last_card_up(events.pop(), dealer)
    events += [
        Deal(by="@", face=part.face, piles=tuple((pile, cut(cards, part.count)) for pile in part.piles))
        for part in declared.parts(seats)
    ]
    if declared.rest:
        events.append(Deal(by="@", face="down", piles=((declared.rest, tuple(cards)),)))
    return events


def last_card_up(deal: Event, dealer: str) -> list[Event]:
    """The same deal with the dealer's last card turned up, if there is one (a record may have too many cards)."""
    assert isinstance(deal, Deal)
    piles = dict(deal.piles)
    if not piles[hand_of(dealer)]:
        return [deal]
    *covered, last = piles[hand_of(dealer)]
    piles[hand_of(dealer)] = tuple(covered)
    return [Deal(by="@", piles=tuple(piles.items())), Deal(by="@", face="up", piles=((hand_of(dealer), (last,)),))]


def cut(cards: list[str], count: int) -> tuple[str, ...]:
    """Take this number of cards off the top."""
    taken = tuple(cards[:count])
    del cards[:count]
    return taken
