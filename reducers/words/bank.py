"""Everybody against the bank: stakes within its limits, hands settled one by one in chips, and who holds the bank next.

A player may have several hands; each is called by its holding, `A`, then `A:2` (`reducers.words.bets` has stakes and
payments). The page's record of a hand keeps the banker as `bank`, the limits as `low` and `high`, who is dealt in as
`seated`, the banker last, the players' hands in the order of play as `order`, first stakes as `bets` and what was added
as `buys`, how each hand ended as `done` (`stick`, `bust`, …) and how the bank's did as `bank_done`, which were `passed`
over, how many cards of each lie `down`, which were `shown`, what was `paid` for each, and as `over` the position of the
end. What a hand may be, as far as its cards were seen, is a set: of one thing if it is known.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from events.cards import one_by_one, squeeze
from events.model import Call, Event, Hand, Move, Pay, Show, Tally
from events.tokens import card_items
from reducers.evolve import finish_hand, is_for_next_hand, new_hand, settle
from reducers.facts import typed_fact
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.scoring import HandScore, Points, ScoreLine, Standing, add_points, plus, signed, with_winners
from reducers.sheet import Cell
from reducers.table import Pile
from reducers.terms import Terms, hand_of
from reducers.words.bets import Account, by_hand, paid_to, seat_of
from reducers.words.bets import sum_or_unknown as sum_of
from reducers.words.sheets import Form, Settlement, running_total
from reducers.words.sheets import settlement_sheet as with_settlement
from reducers.words.tallies import readable

# -- the limits, and who is dealt in ----------------------------------------------------------------------------------


def the_limits_leave_room(event: Hand, state: State[Any]) -> CheckResult | None:
    """The limits that a banker announces are numbers of chips, and the smallest stake is not above the largest."""
    announced = {key: event.facts[key] for key in ("min", "max") if key in event.facts}
    wrong = [f"{key}={typed_fact(value)}" for key, value in announced.items() if type(value) is not int]
    if wrong:
        return broken(f"{' and '.join(wrong)}: a limit is a number of chips")
    low, high = announced.get("min"), announced.get("max")
    if low is not None and high is not None and low > high:
        return broken(f"nobody can stake at least {low} and at most {high}")
    return None


def limits(bank: str, state: State[Any]) -> tuple[int, int]:
    """The smallest and the largest stake: what a banker has announced holds while the bank stays, else the options `min` and
    `max`."""
    before, options = state.hand, state.terms.options
    return (before.low, before.high) if before is not None and before.bank == bank else (options.min, max(options.min, options.max))


def told_within_the_limits(event: Tally, state: State[Any]) -> CheckResult | None:
    """What a result tells of a stake lies within the limits of its hand, if that has begun."""
    hand = state.hand
    stakes = by_hand(event.facts, "stake", state.terms.seats) if hand is not None and not is_for_next_hand(state) else ()
    wrong = [f"{name} staked {n}" for name, n in stakes if type(n) is int and not hand.low <= n <= hand.high]
    return broken(f"{' and '.join(wrong)}; the banker takes from {hand.low} to {hand.high}") if wrong else None


def on_hand(event: Hand, state: State[Any]) -> None:
    """A hand begins: the banker may announce limits (`min`, `max`), and `out` names who sits out."""
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
    """Who is dealt in, the banker last."""
    state.hand.seated, state.hand.order = seats, [s for s in seats if s != state.hand.bank]


# -- whose turn it is -------------------------------------------------------------------------------------------------


def first_without(names: Iterable[str], done: Container[str]) -> str:
    """The first of these that is still to come; empty when all are done.

    >>> first_without(["A", "A:2", "B"], {"A": "stick"}), first_without(["A"], {"A": "bust"})
    ('A:2', '')
    """
    for name in names:
        if name not in done:
            return name
    return ""


def undone(name: str, state: State[Any]) -> list[str]:
    """The hands that play before this one and have not been played to their end, as far as that was written."""
    order: list[str] = state.hand.order
    before = order[: order.index(name)] if name in order else order
    return [other for other in before if other not in state.hand.done]


def players_then_the_bank(
    name: str, state: State[Any], over: Callable[[str, State[Any]], bool | None] = lambda name, state: False
) -> CheckResult | None:
    """Each player's hand is played in turn to its end, the bank's last.

    A hand passed over is a finding about the first who plays before it; it may have ended unwritten. Some games have hands
    that are `over` by their cards, so that nobody need say so; None where those were not seen.
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
        return unknown(f"the cards of {' and '.join(n for n in left if left[n] is None)} were not shown") if None in left.values() else None
    return broken(f"{'the bank plays last: ' if name == hand.bank else ''}it is the turn of {before}")


def covered(state: State[Any]) -> list[str]:
    """The hands that are not bust with a card face down that have not been shown, in turn."""
    hand = state.hand
    return [n for n in hand.order if hand.down.get(n) and n not in hand.shown and hand.done.get(n) != "bust"]


def first_covered(state: State[Any]) -> str:
    """The hand that is shown next; empty when all have been."""
    names = covered(state)
    return names[0] if names else ""


def the_bank_plays(state: State[Any], *, declared: str = "") -> None:
    """All players have played: the bank turns up its card (phase `reveal`) and plays (`bank`), then the hands are shown
    (`showdown`), and the hand is over. What was `declared` with this word may be refuted as it is shown."""
    hand = state.hand
    if set(map(hand.done.get, hand.order)) <= {"bust"}:
        close(state)
    elif not hand.bank_done:
        state.phase, state.turn = "reveal" if hand.down.get(hand.bank) else "bank", (hand.bank,)
    elif shows := covered(state):
        state.phase, state.turn = "showdown", (seat_of(shows[0]),)
        # A losing hand is often thrown in unseen: what is known counts, should nobody show any more.
        if state.score is None or state.score.unknown or declared in hand.done.values():
            over = state.ended
            settle(state)
            state.ended = over
    else:
        close(state)


def close(state: State[Any]) -> None:
    """The hand is over."""
    state.hand.over = state.at
    finish_hand(state)


def pass_over(name: str, state: State[Any]) -> None:
    """Whoever plays a hand passes over those that come before: they have ended unwritten, or still will play."""
    if name != first_without(state.hand.order, state.hand.done):
        state.hand.passed.update(undone(name, state))


# -- cards, to be written ---------------------------------------------------------------------------------------------


def cards_of_hand(name: str, state: State[Any]) -> tuple[str, ...]:
    """All cards of a hand, those nobody saw as unseen."""
    return squeeze(state.game.pack.tokens[c] for c in state.holding(name).codes())


def in_dealing_order(pile: Pile) -> list[str]:
    """The cards of a pile in the order in which they would be dealt."""
    return [pile.table.pack.tokens[c] for c in reversed(pile.codes())]


def one_each(seats: Iterable[str], cards: Iterable[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """A card dealt to each."""
    return tuple((hand_of(name), (card,)) for name, card in zip(seats, cards, strict=False))


def with_what_lies_open(cards: tuple[str, ...], by: str, state: State[Any]) -> tuple[tuple[str, ...], ...]:
    """The hidden cards of a hand that is shown, with those that lay face up, which need not be named again; nothing if
    they are more than were hidden."""
    pile, each, faces = state.holding(by), one_by_one(cards), state.game.pack.faces
    known = state.game.pack.cards(pile.certain)
    hidden = len(pile) - len(known)
    if not set(each) <= set(faces) or pile.vague or not hidden or set(each) & set(known):
        return (cards,)
    if len(each) == hidden:
        return (tuple(sorted([*known, *each], key=faces.index)),)
    return () if len(each) > hidden else (cards,)


def with_typed_cards(call: Call) -> Call:
    """`bust kc`: a small letter may begin a word, and here it is a card."""
    typed = card_items(call.what) if call.what and not call.cards else None
    return replace(call, what="", cards=tuple(typed)) if typed else call


def turned_up_next(state: State[Any]) -> Show:
    """What is turned up in the phases `reveal` and `showdown`: the bank's hand, or that of the player who shows next."""
    name = state.hand.bank if state.phase == "reveal" else first_covered(state)
    return Show(by=name, groups=(cards_of_hand(name, state) or ("??",),))


def with_named(pile: Pile, cards: Iterable[str]) -> int:
    """What is proved to lie in a hand, and those of these cards that have no place yet, if an act names them there."""
    unit = pile.table.pack.unit_of
    named = sum(unit.get(c, 0) for c in set(cards)) & ~(pile.table.located | pile.later) if pile.unseen else 0
    return pile.later | named if named.bit_count() <= pile.hidden else pile.later


@contextmanager
def named_there(pile: Pile, cards: Iterable[str]) -> Iterator[None]:
    """While it is asked what a hand was, those cards lie there that an act names."""
    proved, pile.later = pile.later, with_named(pile, cards)
    try:
        yield
    finally:
        pile.later = proved


def under_the_pack(state: State[Any]) -> tuple[list[Event], list[str]]:
    """All hands go under the pack, those that went bust first; and the cards as they then lie, from the top."""
    hand, events, left = state.hand, list[Event](), in_dealing_order(state.table.row("stock"))
    for name in [*sorted(hand.order, key=lambda n: hand.done.get(n) != "bust"), hand.bank]:
        if cards := cards_of_hand(name, state):
            face: Literal["up"] | None = None if hand.down.get(name) else "up"
            events.append(Move(by="@", cards=cards, face=face, src=hand_of(name), to="stock_"))
            left += in_dealing_order(state.holding(name))
    return events, left


# -- settled with the bank --------------------------------------------------------------------------------------------


def staked(name: str, hand: Any) -> int | None:
    """All that was put up on a hand; None where its first stake was not written."""
    first, bought = hand.bets.get(name), hand.buys.get(name)
    return plus(first, sum(bought)) if bought else first


def headline(state: State[Any]) -> dict[str, Any]:
    """Who banks, the limits, what is staked on each hand."""
    hand = state.hand
    stakes = " ".join([f"{n} {staked(n, hand)}" for n in hand.order if n in hand.bets])
    return {"bank": hand.bank, "limits": f"{hand.low} to {hand.high}", "stakes": stakes}


class Settled(Struct):
    """A hand against the bank: its stake, what it gains or loses, each None if that is not known, and this in words."""

    stake: int | None
    gain: int | None
    told: str


def gain_of(mine: Collection[int], bank: Collection[int], pays: Callable[[int, int], int | None]) -> int | None:
    """What a hand gains, whatever of these it is and the bank has; None if that makes a difference.

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

    The bank has lost what all others have won; if nothing is known of any hand, nobody knows who has won what.
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
    """How it stands between the bank and the player of a hand, by what each hand is due."""
    names = [n for n in state.hand.order if seat_of(n) == name] or [name]
    return Account(name, {n: due.get(n) for n in names}, state.hand.paid)


def pays_what_is_due(amount: int, now: Account, told: str) -> CheckResult | None:
    """A player with several hands may be paid for each, or for all at once, and in parts; `told` is the sum for the only one, what it
    comes to last."""
    if amount in (now.mine, now.whole):
        return None
    if is_a_part(amount, now.mine) or is_a_part(amount, now.whole):
        return rest_may_follow(now.name)
    why, _, comes_to = told.rpartition(": ")
    due = f"{'nothing' if comes_to == '0' else comes_to} is due ({why})"
    if len(now.due) > 1:
        mine, whole = signed(now.due.get(now.name)), signed(now.all_due)
        due = f"{mine} is due for {now.name}, {whole} for {' and '.join(now.due)}"
    before = f", of which {signed(now.had)} was settled" if now.had else ""
    return broken(f"{now.name} {'gets' if amount > 0 else 'pays'} {abs(amount)}; {due}{before}")


def is_a_part(amount: int, due: int | None) -> bool:
    """Whether this is less than what is due, and goes the same way.

    >>> is_a_part(3, 4), is_a_part(-1, -4), is_a_part(4, 4), is_a_part(-1, 4), is_a_part(1, None)
    (True, True, False, False, False)
    """
    return due is not None and amount * due > 0 and abs(amount) < abs(due)


def rest_may_follow(name: str) -> CheckResult:
    """What is said of a part of what is due: the rest may be paid after it, until the next hand begins."""
    return unknown(f"whether {name} is paid the rest: that may come later")


def left_unpaid(due: Mapping[str, int | None], state: State[Any]) -> CheckResult | None:
    """As the next hand begins: what was paid in part was paid no further. Of a hand for which nothing was written nothing is said."""
    if state.hand_may_be_missing or state.gap:
        return None
    for name, had in state.hand.paid.items():
        if is_a_part(had, due.get(name)) and account(seat_of(name), due, state).whole:
            return broken(f"{name} {'has had' if had > 0 else 'has paid'} {abs(had)} of {signed(due[name])} when the next hand begins")
    return None


def pays(event: Pay, due: Mapping[str, int | None], state: State[Any]) -> str:
    """Chips change hands; returns the hand that they are about."""
    name, amount = paid_to(event, state.hand.bank)
    account(name, due, state).pay(amount)
    return name


# -- who banks next ---------------------------------------------------------------------------------------------------


def who_had(what: int, hands: Iterable[tuple[str, frozenset[int]]], state: State[Any]) -> Points:
    """Who had a hand of this kind: 1 or 0 by seat, None if that was not seen."""
    out: Points = dict.fromkeys(state.terms.seats, 0)
    for name, found in hands:
        if what in found and out.get(seat_of(name), 1) != 1:
            out[seat_of(name)] = 1 if len(found) == 1 else None
    return out


def heir(had: Points | None, state: State[Any]) -> str | None:
    """Who banks next if these had such a hand: the first player from the banker's left, or the banker, if the bank had
    one itself or nobody did. None if that turns on cards nobody saw."""
    if had is None or had.get(state.dealer):
        return state.dealer
    for seat in state.terms.around(state.terms.left(state.dealer)):
        if had.get(seat, 0) != 0:
            # With such a hand of its own the bank would stay.
            return seat if had[seat] and had.get(state.dealer, 0) is not None else None
    return state.dealer


def banks_next(had: Points, state: State[Any]) -> str:
    """Who was said to take the bank (`next`), else the heir; whoever has it keeps it if nobody knows."""
    told = [str(facts["next"]) for facts in readable(state) if facts.get("next") in state.terms.seats]
    return told[-1] if told else heir(had, state) or state.dealer


def the_right_banker(seat: str, had: Points | None, what: str, state: State[Any]) -> CheckResult | None:
    """The next hand is dealt by whoever has won the bank with such a hand, or by the same banker: who is this `seat`, or is not."""
    right = heir(had, state)
    if state.coming is not None:
        return None  # no text says who banks if somebody has joined or left since
    if right is None:
        return unknown(f"a hand that was not shown may have been {what}")
    why = f"had {what}" if had and had.get(right) else f"keeps it: no player had {what}"
    return broken(f"the bank is {right}'s, who {why}") if seat != right else None


def begins_with_chips(terms: Terms) -> Standing:
    """Everybody begins with as many chips (option `chips`)."""
    return Standing(dict.fromkeys(terms.sides, terms.options.chips))


def most_chips(before: Standing, hand: HandScore, terms: Terms) -> Standing:
    """After the hands agreed (option `hands`, 0 for no end) the most chips win; those who are level win together."""
    chips, hands = add_points(before.totals, hand.points), before.hands + (hand.source != "void")
    over = 0 < terms.options.hands <= hands
    known = sorted(n for n in chips.values() if n is not None) if over else []
    ahead = [s for s, n in chips.items() if n == known[-1]] if len(known) == len(chips) else []
    after = replace(before, totals=chips, hands=hands)
    return with_winners(after, ahead) if over else after


# -- the sheet: what everybody won or lost, and the chips -------------------------------------------------------------


def line_of(s: HandScore, label: str) -> ScoreLine:
    """The line of a score with this label, empty if there is none."""
    return next((line for line in s.lines if line.label == label), ScoreLine(label, {}))


def banked(s: HandScore, state: State[Any]) -> Cell:
    """Who held the bank."""
    said = line_of(s, "won").sums.items()
    return Cell(state.terms.name(next((seat for seat, text in said if text.startswith("the bank")), s.dealer)))


def bank_had(s: HandScore, state: State[Any]) -> Cell:
    """What the bank had."""
    return Cell(s.result.removeprefix("bank ") or "–")


class Won(Struct, frozen=True):
    """What a player won or lost, with its sum; marked for whoever had a hand of this `kind`, a line of the score."""

    kind: str

    def __call__(self, s: HandScore, seat: str, state: State[Any]) -> Cell:
        """The cell of one player."""
        gain, text = s.points.get(seat), line_of(s, "won").sums.get(seat, "")
        told = signed(gain) if gain != 0 else "0" if text else "–"
        had = line_of(s, self.kind).amounts.get(seat)
        mark: Literal["", "unknown", "won"] = "unknown" if gain is None else "won" if had else ""
        return Cell(told, text, mark, shaded=text.startswith("the bank"))


def chips(kind: str) -> Settlement:
    """The sheet of a game against the bank: who banked and with what, what each player won, and the chips after it; then who
    pays whom."""
    return with_settlement(Form(
        once={"bank has": bank_had}, each={"{} ±": Won(kind), "chips": running_total}, heading="Chips", first=("hand", "bank"),
        second=banked,
    ))  # fmt: skip
