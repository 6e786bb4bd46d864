"""All players against the bank: stakes within its limits, hands settled one by one in chips, and the next banker.

A player may have several hands; each is named by its holding, `A`, then `A:2` (`reducers.words.bets` has stakes and
payments). The page's record of a hand keeps the banker as `bank`, the limits as `low` and `high`, the seats that are
dealt in as `seated`, the banker last, the players' hands in the order of play as `order`, first stakes as `bets` and
added stakes as `buys`, how each hand ended as `done` (`stick`, `bust`, …) and how the bank's did as `bank_done`, the
hands `passed` over, the number of cards `down` in each, the hands `shown`, the chips `paid` for each, and as `over`
the position of the end. The possible values of a hand, by the cards seen of it, are a set.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from events.cards import how_many, one_by_one, squeeze
from events.model import Call, Draw, Event, Fault, Hand, Move, Pay, Play, Show, Tally
from events.tokens import card_items
from reducers.evolve import finish_hand, is_for_next_hand, new_hand, settle
from reducers.facts import typed_fact
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.scoring import HandScore, Points, ScoreLine, Standing, add_points, plus, signed, sum_of, with_winners
from reducers.sheet import Cell
from reducers.table import Pile
from reducers.terms import Terms, hand_of
from reducers.words.bets import Account, by_hand, paid_to, seat_of
from reducers.words.sheets import Form, Settlement, running_total
from reducers.words.sheets import settlement_sheet as with_settlement
from reducers.words.tallies import readable

T = TypeVar("T")


def in_stock(card: Sequence[str], state: State[Any]) -> bool:
    """True if a card may lie in the stock, by what was seen so far."""
    code, pack = state.code(card), state.game.pack
    return code >= pack.unknown or state.table.row("stock").any_of(pack.field[code]) is not False


# -- limits and players -----------------------------------------------------------------------------------------------


def the_limits_leave_room(event: Hand, state: State[Any]) -> CheckResult | None:
    """The limits that a banker announces are numbers of chips, and the smallest stake is not above the largest."""
    announced = {key: event.facts[key] for key in ("min", "max") if key in event.facts}
    wrong = [f"{key}={typed_fact(value)}" for key, value in announced.items() if type(value) is not int]
    if wrong:
        return broken(f"{' and '.join(wrong)}: a limit is a number of chips")
    low, high = announced.get("min"), announced.get("max")
    if low is not None and high is not None and low > high:
        return broken(f"no stake can be at least {low} and at most {high}")
    return None


def limits(bank: str, state: State[Any]) -> tuple[int, int]:
    """The smallest and the largest stake: as announced while the bank stays; else the options `min` and `max`."""
    before, options = state.hand, state.terms.options
    return (before.low, before.high) if before is not None and before.bank == bank else (
        options.min, max(options.min, options.max),
    )


def told_within_the_limits(event: Tally, state: State[Any]) -> CheckResult | None:
    """A reported stake is within the limits of its hand, if the hand has begun."""
    hand = state.hand
    stakes = by_hand(
        event.facts, "stake", state.terms.seats,
    ) if hand is not None and not is_for_next_hand(state) else ()
    wrong = [f"{name} staked {n}" for name, n in stakes if type(n) is int and not hand.low <= n <= hand.high]
    return broken(f"{' and '.join(wrong)}; the banker takes from {hand.low} to {hand.high}") if wrong else None


def on_hand(event: Hand, state: State[Any]) -> None:
    """Begin a hand: the banker may announce limits (`min`, `max`), and `out` names the seats that sit out."""
    new_hand(event, state)
    hand, facts = state.hand, event.facts
    low, high = facts.get("min"), facts.get("max")
    hand.low = low if type(low) is int else hand.low
    hand.high = high if type(high) is int else max(hand.high, hand.low)
    if out := facts.get("out"):
        away = out if isinstance(out, list | tuple) else (out,)
        sit([s for s in hand.seated if s not in away or s == hand.bank], state)
        state.turn = (hand.seated[0],)


def sit(seats: list[str], state: State[Any]) -> None:
    """Set the seats that are dealt in, the banker last."""
    state.hand.seated, state.hand.order = seats, [s for s in seats if s != state.hand.bank]


# -- turns ------------------------------------------------------------------------------------------------------------


def first_without(names: Iterable[str], done: Container[str]) -> str:
    """The first of these names that is not done; "" if all are.

    >>> first_without(["A", "A:2", "B"], {"A": "stick"}), first_without(["A"], {"A": "bust"})
    ('A:2', '')
    """
    for name in names:
        if name not in done:
            return name
    return ""


def undone(name: str, state: State[Any]) -> list[str]:
    """The hands that play before this one and have no recorded end."""
    order: list[str] = state.hand.order
    before = order[: order.index(name)] if name in order else order
    return [other for other in before if other not in state.hand.done]


def players_then_the_bank(
    name: str, state: State[Any], over: Callable[[str, State[Any]], bool | None] = lambda name, state: False
) -> CheckResult | None:
    """Each player's hand is played in turn to its end, the bank's last.

    A hand passed over is a finding about the first player due before it; it may have ended unrecorded. In some games
    hands are `over` by their cards, without a call; None if those were not seen.
    """
    hand = state.hand
    if name == first_without(hand.order, hand.done):
        return None
    if name not in hand.order and name != hand.bank:
        return broken(f"{name} has no hand to play")
    if name in hand.done:
        how = hand.done[name]
        return broken(f"{name} has finished{f': {how}' if how not in ('stick', 'stand') else ''}")
    left = {n: over(n, state) for n in undone(name, state) if n not in hand.passed}
    before = next((n for n, ended in left.items() if ended is False), "")
    if not before:
        return unknown(
            f"the cards of {' and '.join(n for n in left if left[n] is None)} were not shown"
        ) if None in left.values() else None
    return broken(f"{'the bank plays last: ' if name == hand.bank else ''}it is the turn of {before}")


def covered(state: State[Any]) -> list[str]:
    """The hands with a card face down that are neither bust nor shown, in turn."""
    hand = state.hand
    return [n for n in hand.order if hand.down.get(n) and n not in hand.shown and hand.done.get(n) != "bust"]


def first_covered(state: State[Any]) -> str:
    """The hand that is shown next; "" if all have been."""
    names = covered(state)
    return names[0] if names else ""


def the_bank_plays(state: State[Any]) -> None:
    """Continue after all players have played: the bank turns up its card (phase `reveal`) and plays (`bank`), then
    the hands are shown (`showdown`), and the hand is over."""
    hand = state.hand
    if set(map(hand.done.get, hand.order)) <= {"bust"}:
        close(state)
    elif not hand.bank_done:
        state.phase, state.turn = "reveal" if hand.down.get(hand.bank) else "bank", (hand.bank,)
    elif shows := covered(state):
        state.phase, state.turn = "showdown", (seat_of(shows[0]),)
        # A losing hand is often thrown in unseen: what is known counts if no more hands are shown.
        if state.score is None or state.score.unknown:
            over = state.ended
            settle(state)
            state.ended = over
    else:
        close(state)


def close(state: State[Any]) -> None:
    """End the hand."""
    state.hand.over = state.at
    finish_hand(state)


def pass_over(name: str, state: State[Any]) -> None:
    """Mark the hands due before this one as passed over: they ended unrecorded, or will still play."""
    if name != first_without(state.hand.order, state.hand.done):
        state.hand.passed.update(undone(name, state))


def nothing_is_played(play: Play, state: State[Any]) -> CheckResult | None:
    """A bare card is shorthand for another act. Recorded as played, it has no effect."""
    return broken("in this game cards are dealt, drawn and shown, never played to the middle")


def draws_one_card(draw: Draw) -> CheckResult | None:
    """The verdict unless exactly one card is drawn."""
    count = how_many(draw.cards)
    if count == 1:
        return None
    return unknown("the cards were not counted") if count is None else broken("cards come one at a time")


def the_bank_stops_where_it_likes(fault: Fault, state: State[Any]) -> CheckResult | None:
    """Denial of a right: the table objected to the bank's stopping or going on."""
    return broken("the banker may stop or go on at any total") if fault.word == "stop" else None


def lose_the_hands(state: State[Any]) -> None:
    """After a gap the cards, and the acts of all hands that were not over, are unknown."""
    hand = state.hand
    hand.gone_by |= {name for name in hand.order if name not in hand.done} | {hand.bank}
    for pile in state.table.piles.values():
        state.table.lose_sight(pile)


# -- cards in the notation --------------------------------------------------------------------------------------------


def cards_of_hand(name: str, state: State[Any]) -> tuple[str, ...]:
    """All cards of a hand; unseen ones as `??`."""
    return squeeze(state.game.pack.tokens[c] for c in state.holding(name).codes())


def in_dealing_order(pile: Pile) -> list[str]:
    """The cards of a pile in the order in which they would be dealt."""
    return [pile.table.pack.tokens[c] for c in reversed(pile.codes())]


def one_each(seats: Iterable[str], cards: Iterable[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """A deal of one card to each seat."""
    return tuple((hand_of(name), (card,)) for name, card in zip(seats, cards, strict=False))


def with_what_lies_open(cards: tuple[str, ...], by: str, state: State[Any]) -> tuple[tuple[str, ...], ...]:
    """The hidden cards of a shown hand, with its open ones added; () if there are more than were hidden."""
    pile, each, faces = state.holding(by), one_by_one(cards), state.game.pack.faces
    known = state.game.pack.cards(pile.certain)
    hidden = len(pile) - len(known)
    if not set(each) <= set(faces) or pile.vague or not hidden or set(each) & set(known):
        return (cards,)
    if len(each) == hidden:
        return (tuple(sorted([*known, *each], key=faces.index)),)
    return () if len(each) > hidden else (cards,)


def with_typed_cards(call: Call) -> Call:
    """`bust kc`: text in small letters may begin a word, and here it is a card."""
    typed = card_items(call.what) if call.what and not call.cards else None
    return replace(call, what="", cards=tuple(typed)) if typed else call


def turned_up_next(state: State[Any]) -> Show:
    """What is turned up in the phases `reveal` and `showdown`: the bank's hand, or that of the next player."""
    name = state.hand.bank if state.phase == "reveal" else first_covered(state)
    return Show(by=name, groups=(cards_of_hand(name, state) or ("??",),))


def if_there(pile: Pile, cards: Iterable[str], ask: Callable[[], T]) -> T:
    """What `ask` returns if the cards that an act names in a hand, those of them that have no place yet, are there."""
    proved, unit = pile.later, pile.table.pack.unit_of
    named = sum([unit.get(c, 0) for c in set(cards)]) & ~(pile.table.located | proved) if pile.unseen else 0
    if not named or named.bit_count() > pile.hidden:
        return ask()
    pile.later |= named
    try:
        return ask()
    finally:
        pile.later = proved


def under_the_pack(state: State[Any]) -> tuple[list[Event], list[str]]:
    """The moves of all hands under the pack, bust ones first; and the order of the cards then, from the top."""
    hand, events, left = state.hand, list[Event](), in_dealing_order(state.table.row("stock"))
    for name in [*sorted(hand.order, key=lambda n: hand.done.get(n) != "bust"), hand.bank]:
        if cards := cards_of_hand(name, state):
            face: Literal["up"] | None = None if hand.down.get(name) else "up"
            events.append(Move(by="@", cards=cards, face=face, src=hand_of(name), to="stock_"))
            left += in_dealing_order(state.holding(name))
    return events, left


# -- settling with the bank -------------------------------------------------------------------------------------------


def staked(name: str, hand: Any) -> int | None:
    """The whole stake on a hand; None if its first stake was not recorded."""
    first, bought = hand.bets.get(name), hand.buys.get(name)
    return plus(first, sum(bought)) if bought else first


def headline(state: State[Any]) -> dict[str, Any]:
    """The banker, the limits, and the stake on each hand."""
    hand = state.hand
    stakes = " ".join([f"{n} {staked(n, hand)}" for n in hand.order if n in hand.bets])
    return {"bank": hand.bank, "limits": f"{hand.low} to {hand.high}", "stakes": stakes}


class Settled(Struct):
    """A hand against the bank: its stake and its gain, each None if unknown, and the gain in words."""

    stake: int | None
    gain: int | None
    told: str


def gain_of(mine: Collection[int], bank: Collection[int], pays: Callable[[int, int], int | None]) -> int | None:
    """The gain of a hand for all its possible values and the bank's; None if that makes a difference.

    >>> higher = lambda mine, bank: 2 if mine > bank else -2
    >>> gain_of({18, 19}, {17}, higher), gain_of({18, 19}, {18}, higher)
    (2, None)
    """
    if len(mine) == len(bank) == 1:
        return pays(*mine, *bank)
    found = {pays(one, other) for one in mine for other in bank}
    return found.pop() if len(found) == 1 else None


def settlement(hands: Mapping[str, Settled], banker: str, bank: str, state: State[Any]) -> tuple[ScoreLine, ScoreLine]:
    """The lines `staked` and `won` of a score; the chips of all seats together stay the same.

    The bank has lost what all others have won; if no hand is known, all gains are unknown.
    """
    seats = state.terms.seats
    stakes: Points = dict.fromkeys(seats, 0)
    points: Points = dict.fromkeys(seats, 0 if hands or state.stop_reason else None)
    sums = dict[str, str]()
    for name, one in hands.items():
        who = seat_of(name)
        points[who], stakes[who] = plus(points[who], one.gain), plus(stakes[who], one.stake)
        told = one.told if name == who and f"{name}:2" not in hands else f"{name} {one.told}"
        sums[who] = f"{sums[who]}; {told}" if who in sums else told
    lost = sum_of([points[s] for s in seats if s != banker])
    points[banker] = None if lost is None else -lost
    sums[banker] = f"the bank{bank}"
    return ScoreLine("staked", stakes), ScoreLine("won", points, sums)


def account(name: str, due: Mapping[str, int | None], state: State[Any]) -> Account:
    """The account between the bank and the player of a hand, by the gain due for each hand."""
    names = [n for n in state.hand.order if seat_of(n) == name] or [name]
    return Account(name, {n: due.get(n) for n in names}, state.hand.paid)


def pays_what_is_due(amount: int, now: Account, told: str) -> CheckResult | None:
    """A payment may be for one hand or all of a player, and in parts. `told` is the sum for one hand."""
    if amount in (now.mine, now.whole):
        return None
    if is_a_part(amount, now.mine) or is_a_part(amount, now.whole):
        return rest_may_follow(now.name)
    why, _, comes_to = told.rpartition(": ")
    due = f"{'nothing' if comes_to == '0' else comes_to} is due ({why})"
    if len(now.due) > 1:
        mine, whole = signed(now.due.get(now.name)), signed(now.all_due)
        due = f"{mine} is due for {now.name}, {whole} for {' and '.join(now.due)}"
    before = f", {signed(now.had)} of it already settled" if now.had else ""
    return broken(f"{now.name} {'gets' if amount > 0 else 'pays'} {abs(amount)}; {due}{before}")


def is_a_part(amount: int, due: int | None) -> bool:
    """True if the amount is less than what is due, with the same sign.

    >>> is_a_part(3, 4), is_a_part(-1, -4), is_a_part(4, 4), is_a_part(-1, 4), is_a_part(1, None)
    (True, True, False, False, False)
    """
    return due is not None and amount * due > 0 and abs(amount) < abs(due)


def rest_may_follow(name: str) -> CheckResult:
    """The answer to a part payment: the rest may be paid until the next hand begins."""
    return unknown(f"whether {name} is paid the rest; the payment may come later")


def left_unpaid(due: Mapping[str, int | None], state: State[Any]) -> CheckResult | None:
    """Finding, when the next hand begins, about a hand paid only in part; none for a hand without any payment."""
    if state.hand_may_be_missing or state.gap:
        return None
    for name, had in state.hand.paid.items():
        if is_a_part(had, due.get(name)) and account(seat_of(name), due, state).whole:
            return broken(
                f"{name} {'has had' if had > 0 else 'has paid'} {abs(had)} of {signed(due[name])} when the "
                "next hand begins"
            )
    return None


def pays(event: Pay, due: Mapping[str, int | None], state: State[Any]) -> str:
    """Apply a payment; return the hand that it is about."""
    name, amount = paid_to(event, state.hand.bank)
    account(name, due, state).pay(amount)
    return name


# -- the next banker --------------------------------------------------------------------------------------------------


def who_had(what: int, hands: Iterable[tuple[str, frozenset[int]]], state: State[Any]) -> Points:
    """The seats that had a hand of this kind: 1 or 0 by seat, None if that was not seen."""
    out: Points = dict.fromkeys(state.terms.seats, 0)
    for name, found in hands:
        if what in found and out.get(seat_of(name), 1) != 1:
            out[seat_of(name)] = 1 if len(found) == 1 else None
    return out


def heir(had: Points | None, state: State[Any]) -> str | None:
    """The next banker if these seats had such a hand: the first player from the banker's left, or the banker, if the
    bank had one too or no player did. None if that depends on unseen cards."""
    if had is None or had.get(state.dealer):
        return state.dealer
    for seat in state.terms.around(state.terms.left(state.dealer)):
        if had.get(seat, 0) != 0:
            # With such a hand of its own the bank would stay.
            return seat if had[seat] and had.get(state.dealer, 0) is not None else None
    return state.dealer


def banks_next(had: Points, state: State[Any]) -> str:
    """The reported next banker (`next`), else the heir; the present banker if unknown."""
    told = [str(facts["next"]) for facts in readable(state) if facts.get("next") in state.terms.seats]
    return told[-1] if told else heir(had, state) or state.dealer


def the_right_banker(seat: str, had: Points | None, what: str, state: State[Any]) -> CheckResult | None:
    """The next hand is dealt by the player who has won the bank with such a hand, or by the same banker."""
    right = heir(had, state)
    if state.coming is not None:
        return None  # no text says who banks after a change of players
    if right is None:
        return unknown(f"a hand that was not shown may have been {what}")
    why = f"had {what}" if had and had.get(right) else f"keeps it: no player had {what}"
    return broken(f"the bank belongs to {right}, who {why}") if seat != right else None


def begins_with_chips(terms: Terms) -> Standing:
    """The standing before the first hand: the same number of chips for every player (option `chips`)."""
    return Standing(dict.fromkeys(terms.sides, terms.options.chips))


def most_chips(before: Standing, hand: HandScore, terms: Terms) -> Standing:
    """After the agreed number of hands (option `hands`, 0 for no end) the players with the most chips win."""
    chips, hands = add_points(before.totals, hand.points), before.hands + (hand.source != "void")
    over = 0 < terms.options.hands <= hands
    known = sorted(n for n in chips.values() if n is not None) if over else []
    ahead = [s for s, n in chips.items() if n == known[-1]] if len(known) == len(chips) else []
    after = replace(before, totals=chips, hands=hands)
    return with_winners(after, ahead) if over else after


# -- the sheet: gains, losses and chips -------------------------------------------------------------------------------


def line_of(s: HandScore, label: str) -> ScoreLine:
    """The line of a score with this label, empty if there is none."""
    return next((line for line in s.lines if line.label == label), ScoreLine(label, {}))


def banked(s: HandScore, state: State[Any]) -> Cell:
    """The cell with the name of the banker."""
    said = line_of(s, "won").sums.items()
    return Cell(state.terms.name(next((seat for seat, text in said if text.startswith("the bank")), s.dealer)))


class Won(Struct, frozen=True):
    """The gain of a player, with its calculation; marked if the player had a hand of this `kind`."""

    kind: str

    def __call__(self, s: HandScore, seat: str, state: State[Any]) -> Cell:
        """The cell of one player."""
        gain, text = s.points.get(seat), line_of(s, "won").sums.get(seat, "")
        told = signed(gain) if gain != 0 else "0" if text else "–"
        had = line_of(s, self.kind).amounts.get(seat)
        mark: Literal["", "unknown", "won"] = "unknown" if gain is None else "won" if had else ""
        return Cell(told, text, mark, shaded=text.startswith("the bank"))


def chips(kind: str) -> Settlement:
    """The sheet of a game against the bank: banker and bank's hand, gains, chips; then payments between players."""
    return with_settlement(Form(
        once={"bank has": lambda s, state: Cell(s.result.removeprefix("bank ") or "–")},
        each={"{} ±": Won(kind), "chips": running_total}, heading="Chips",
        first=("hand", "bank"), second=banked,
    ))  # fmt: skip
