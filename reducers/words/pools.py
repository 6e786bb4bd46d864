"""A pool: every player pays a stake, the last one left takes it, and players who went out may buy back in.

Rumino is played so. The page has the options `stake` (0: for no money), `out_at` and `rebuy`. Its record of the hand
keeps as `rebuys` what was paid after it, by seat, and as `asked` the seats that have still to decide. The standing is a
`Pooled`. A rebuy costs the stake, and each further one of the same player twice as much as the last; with it the score
becomes the highest of the opponents who are not out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from events.model import Bet, Event, Pass, Pay, Tally
from reducers.evolve import ensure_hand_started, evolve, settle
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.scoring import HandScore, Points, ScoreLine, Standing, add_points, figure, sum_of
from reducers.sheet import Block, Cell, Sheet, SheetRow
from reducers.terms import Terms
from reducers.words.elimination import LastOneLeft, last_one_left, out_of
from reducers.words.sheets import with_payments
from reducers.words.tallies import seats_in

PAID, BOUGHT = "paid in", "rebuy"
"""Labels of the score lines: payments for buying back in, and their effect on a total."""

REBUYS = "rebuys"
"""Phase after a hand in which players who are out may buy back in, and the key of that fact in a tally."""

FEWEST = 3
"""With fewer players than this left in the game there is no buying back in."""


class Pooled(LastOneLeft, frozen=True):
    """The standing, with each player's payments for buying back in; None for one that depends on an unknown total."""

    bought: Mapping[str, tuple[int | None, ...]] = field(default_factory=dict)


def is_out(total: int, terms: Terms) -> bool:
    """Return True if a player with this total is out."""
    return bool(total >= terms.options.out_at)


def price(seat: str, state: State[Any]) -> int:
    """What it costs this player to buy back in after the hand just played."""
    before = state.before
    times = len(before.bought.get(seat, ())) if isinstance(before, Pooled) else 0
    stake: int = state.terms.options.stake
    return stake << times


def at_the_limit(state: State[Any]) -> tuple[str, ...]:
    """The seats that reached the limit with the hand just played, and have not bought back in."""
    standing = state.standing
    gone = standing.out if state.settled and isinstance(standing, LastOneLeft) else ()
    order = state.terms.in_turn(state.terms.after(state.dealer))
    return tuple(s for s in order if s in gone and s not in out_before(state))


def out_before(state: State[Any]) -> tuple[str, ...]:
    """The seats that were out before the hand just played."""
    return state.before.out if isinstance(state.before, LastOneLeft) else ()


def left_in(state: State[Any]) -> tuple[str, ...]:
    """The seats that are still in the game after the hand just played."""
    return tuple(s for s in state.terms.seats if s not in out_of(state))


def may_buy_back(state: State[Any]) -> tuple[str, ...]:
    """The seats that may buy back in now, in turn after the dealer."""
    options = state.terms.options
    if not state.number or not state.settled or not options.stake or not options.rebuy:
        return ()
    if len(left_in(state)) + 1 < FEWEST:
        return ()
    return tuple(s for s in at_the_limit(state) if s not in state.hand.rebuys)


def may_have_bought(seat: str, state: State[Any]) -> bool:
    """Return True if an unknown total decides whether this seat is out, and so whether it buys back in."""
    if not state.number or not state.settled or seat not in left_in(state) or seat in state.hand.rebuys:
        return False
    return state.terms.options.stake > 0 and state.terms.options.rebuy and state.standing.totals[seat] is None


# -- what the rules say -----------------------------------------------------------------------------------------------


def puts_in(act: Bet | Pay) -> bool:
    """Return True if an act pays a stake into the pool: a bet, or a payment to the pot."""
    return isinstance(act, Bet) or (act.to == "pot" and not act.src)


def only_who_is_out_buys(bet: Bet | Pay, state: State[Any]) -> CheckResult | None:
    """A player who reached the limit in the last hand may buy back in; no other player may."""
    if not puts_in(bet) or not state.number or not state.settled or bet.by in at_the_limit(state):
        return None
    if bet.by in out_before(state):
        return broken(f"{bet.by} went out before this hand")
    if bet.by in state.hand.rebuys:
        return broken(f"{bet.by} has bought back in already")
    total = state.standing.totals.get(bet.by)
    if total is None:
        return unknown(f"what {bet.by} has, and so whether the limit is reached")
    return broken(f"{bet.by} has {figure(total)} points and is still in the game")


def the_right_price(bet: Bet | Pay, state: State[Any]) -> CheckResult | None:
    """The first rebuy costs the stake, each further one twice as much as the last."""
    if not puts_in(bet):
        return None
    stake, right = state.terms.options.stake, price(bet.by, state) if state.number else state.terms.options.stake
    if bet.amount == right:
        return None
    if isinstance(state.before, Pooled) and None in state.before.bought.get(bet.by, ()):
        return unknown(f"how often {bet.by} has bought back in: it depends on an unknown total")
    if not stake:
        return broken("the game is not played for money")
    if not state.number:
        return broken(f"the stake is {stake}")
    again = " this time" if right > stake else ""
    return broken(f"buying back in costs {bet.by} {right}{again}, not {bet.amount}")


def enough_are_left(bet: Bet | Pay, state: State[Any]) -> CheckResult | None:
    """There is no buying back in once two players are left."""
    options = state.terms.options
    if not puts_in(bet) or not state.number or not state.settled or bet.by not in at_the_limit(state):
        return None
    if options.stake and not options.rebuy:
        return broken("the house rule does not allow buying back in")
    left = left_in(state)
    if None in (state.standing.totals[s] for s in left):
        return unknown("who is still in the game")
    if len(left) + 1 >= FEWEST:
        return None
    who = f"only {' and '.join(left)} {'are' if len(left) > 1 else 'is'} left" if left else "no player is left"
    return broken(f"{who}, so buying back in is over")


def as_tally_check(
    check: Callable[[Bet | Pay, State[Any]], CheckResult | None]
) -> Callable[[Tally, State[Any]], CheckResult | None]:
    """Adapt a check to rebuys that a tally reports, as if they were made after all the rest of the tally."""

    def told(event: Tally, state: State[Any]) -> CheckResult | None:
        bought = seats_in(event.facts.get(REBUYS), state.terms)
        if not bought:
            return None
        after = state.copy()
        evolve(after, replace(event, facts={key: fact for key, fact in event.facts.items() if key != REBUYS}))
        results = (check(Bet(by=who, amount=price(who, after) or 1), after) for who in bought)
        return next((result for result in results if result is not None), None)

    return told


def the_pool_goes_to_the_winner(pay: Pay, state: State[Any]) -> CheckResult | None:
    """The whole pool is paid out, to the winner of the game."""
    if pay.src != "pot":
        return None
    to, winner = pay.to.removeprefix("hand:") or pay.by, state.standing.winner
    if not state.standing.over:
        return broken("the game is not over, so the pool is not paid out")
    if winner and to != winner:
        return broken(f"{winner} won the game and takes the pool")
    whole = in_the_pool(state)
    if whole is None:
        return unknown("what is in the pool: an unknown total decides who has bought back in")
    return None if not winner or pay.amount == whole else broken(f"the pool is {whole}, not {pay.amount}")


# -- what happens -----------------------------------------------------------------------------------------------------


def buys_back(bet: Bet | Pay, state: State[Any]) -> None:
    """Apply a rebuy: a player who is out pays and is in again."""
    if puts_in(bet) and (bet.by in may_buy_back(state) or may_have_bought(bet.by, state)):
        state.hand.rebuys = {**state.hand.rebuys, bet.by: bet.amount}
        settle(state)
        ask(tuple(s for s in state.hand.asked if s != bet.by), state)


def lets_it_go(act: Pass, state: State[Any]) -> None:
    """Apply a pass: a player who is out stays out."""
    if state.phase == REBUYS:
        ask(tuple(s for s in state.hand.asked if s != act.by), state)


def ask_who_buys(state: State[Any]) -> None:
    """Ask those who may buy back in, in turn after the dealer, and those for whom an unknown total decides it; the
    hand is over nevertheless."""
    in_turn, may = state.terms.in_turn(state.terms.after(state.dealer)), may_buy_back(state)
    ask(() if state.ended else tuple(s for s in in_turn if s in may or may_have_bought(s, state)), state)


def ask(seats: tuple[str, ...], state: State[Any]) -> None:
    """Ask these seats, one after the other, whether they buy back in; with none the next hand comes."""
    state.hand.asked = seats
    state.phase, state.turn = REBUYS if seats else "between", seats[:1]


def the_next_hand_begins(state: State[Any], act: Event) -> None:
    """Begin the next hand if an act of play shows that the players asked did not buy back in."""
    if state.phase == REBUYS and not isinstance(act, Bet | Pass):
        ensure_hand_started(state)


# -- the score --------------------------------------------------------------------------------------------------------


def bought_back(points: Points, rebuys: Mapping[str, int], state: State[Any]) -> tuple[Points, tuple[ScoreLine, ...]]:
    """The points of a hand after all legal rebuys, and the score lines for them."""
    terms, out = state.terms, out_before(state)
    totals, options = add_points(state.before.totals, points), terms.options
    under = {s: n for s, n in totals.items() if s not in out and (n is None or not is_out(n, terms))}
    if not options.stake or not options.rebuy or len(under) + 1 < FEWEST:
        return points, ()
    change, steps, paid = Points(), dict[str, str](), Points()
    for who, amount in rebuys.items():
        total = totals.get(who)
        others = [n for s, n in under.items() if s != who]
        if who in out or not others or (total is not None and not is_out(total, terms)):
            continue
        to = None if None in others else max(n for n in others if n is not None)
        change[who] = None if to is None or total is None else to - total
        steps[who], paid[who] = f"{figure(total)} → {figure(to)}", None if total is None else amount
        points = {**points, who: None if to is None or total is None else to - (state.before.totals[who] or 0)}
    lines = (ScoreLine(BOUGHT, change, steps), ScoreLine(PAID, paid, column="pool")) if paid else ()
    return points, lines


def left_after(before: Standing, hand: HandScore, terms: Terms) -> Standing:
    """The standing after a hand: seats that are out, seats that bought back in, and whether the game is over."""
    totals, paid = add_points(before.totals, hand.points), score_line_amounts(PAID, hand)
    out, bought = (before.out, dict(before.bought)) if isinstance(before, Pooled) else ((), {})
    gone = tuple(s for s, n in totals.items() if n is not None and is_out(n, terms) and s not in out)
    for who, amount in paid.items():
        bought[who] = (*bought.get(who, ()), amount)
    return replace(last_one_left(before, totals, gone, terms), bought=bought)


def score_line_amounts(label: str, hand: HandScore) -> Points:
    """The amounts of the score line with this label."""
    return next((line.amounts for line in hand.lines if line.label == label), {})


def paid_in(state: State[Any]) -> Points:
    """What each player has paid into the pool; None if an unknown total decides it."""
    standing, stake = state.standing, state.terms.options.stake
    bought = standing.bought if isinstance(standing, Pooled) else {}
    return {s: sum_of((stake, *bought.get(s, ()))) for s in state.terms.seats}


def in_the_pool(state: State[Any]) -> int | None:
    """What all have paid into the pool; None if an unknown total decides it."""
    return sum_of(paid_in(state).values())


# -- the sheet --------------------------------------------------------------------------------------------------------


class WithThePool(Struct, frozen=True, kw_only=True):
    """Another form, and below it what each player has paid into the pool; at the end the payments to the winner."""

    form: Callable[[State[Any], Sheet], Sheet]

    def __call__(self, state: State[Any], empty: Sheet) -> Sheet:
        """The sheet of the match so far."""
        sheet = self.form(state, empty)
        if not state.terms.options.stake:
            return sheet
        paid, name = paid_in(state), state.terms.name
        whole, stake = in_the_pool(state), state.terms.options.stake
        bought = state.standing.bought if isinstance(state.standing, Pooled) else {}
        rows = [
            SheetRow(
                (Cell(name(s)), Cell(str(stake)), Cell(" + ".join(map(figure, bought.get(s, ()))) or "–"), last(n))
            )
            for s, n in paid.items()
        ]
        rows.append(SheetRow((Cell("pool"), Cell(""), Cell(""), last(whole)), "total"))
        heads = ("", "stake", "rebuys", "paid in")
        sheet = replace(sheet, blocks=(*sheet.blocks, Block("The pool", heads, tuple(rows))))
        winners = self.winners(state)
        if not winners or whole is None or whole % len(winners):
            return sheet
        balances = {s: (whole // len(winners)) * (s in winners) - n for s, n in paid.items() if n is not None}
        return with_payments(sheet, balances, "To settle, if no payments were made yet", "amount", state.terms)

    def winners(self, state: State[Any]) -> tuple[str, ...]:
        """The seats that take the pool: the winner, or the last ones if they went out level."""
        standing = state.standing
        return standing.winners or ((standing.winner,) if standing.over and standing.winner else ())


def last(amount: int | None) -> Cell:
    return Cell(figure(amount), "", "total")


# -- acts worth trying ------------------------------------------------------------------------------------------------


def buying_back(seat: str, state: State[Any]) -> Iterator[Event]:
    """Acts to try: pass, or buy back in, for the right price or another."""
    yield Pass(by=seat)
    yield Bet(by=seat, amount=price(seat, state))
    yield Bet(by=seat, amount=price(seat, state) + 1)
