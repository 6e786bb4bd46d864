"""Joining and leaving between two hands, in games in which each player plays alone.

A later `open` with other `Seats` says who sits at the table from the next hand on: `@ open Seats="A B C D" D="Timo"`.
Until that hand begins, the state keeps the seats of the last one, so that its result can still be reported; the new
terms are in `State.coming`. The scores of players who left are kept in `Standing.left`; a player who comes back to
the same seat has them again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from events.errors import UnreadableError
from events.model import Facts, Open
from reducers.first_state import terms_of, with_pack
from reducers.model import Game, State
from reducers.scoring import HandScore, Points, Standing, figure, leaders_by_total, with_winners
from reducers.terms import Terms, called_by


def terms_with(event: Open, state: State[Any]) -> Terms:
    """The terms after a later opening, with other seats if players join or leave.

    Raises UnreadableError for impossible terms, with the reason and what to do.
    """
    now = state.coming or state.terms
    seats = tuple(str(event.facts.get("Seats", "")).split())
    if seats and seats != now.seats:
        check_seats(seats, event, now, state)
    terms = terms_of(state.game, facts_with(event, now))
    if terms.seats == now.seats and terms.sides != now.sides:
        raise UnreadableError("the sides of a match do not change on the way", todo="Open another match.")
    return with_names(terms, now)


def facts_with(event: Open, before: Terms) -> Facts:
    """The facts of these terms with the changes of a later opening. A first dealer who has left is dropped."""
    facts, option = {**before.facts, **event.facts}, event.facts.get("Option", {})
    facts["Option"] = {**before.facts.get("Option", {}), **option} if isinstance(option, dict) else option
    if (
        "Seats" in event.facts and "Dealer" not in event.facts
        and facts.get("Dealer") not in str(facts["Seats"]).split()
    ):
        facts.pop("Dealer", None)
    return facts


def check_seats(seats: Sequence[str], event: Open, now: Terms, state: State[Any]) -> None:
    """Raise UnreadableError if these seats cannot be the table from the next hand on."""
    game, sizes = state.game, sorted(state.game.seating.sizes)
    alone = now.sides.keys() == set(now.seats)
    if not game.match.open_table or not alone:
        why = "" if alone else " in partnerships"
        raise UnreadableError(
            f"nobody joins or leaves a match of {game.name}{why} on the way",
            todo=f'Somebody else takes a seat over with open {now.seats[0]}="Timo".'
        )  # fmt: skip
    if state.number and not (state.settled or state.tallies or state.lost_count):
        raise UnreadableError(
            f"hand {state.numbered} is in play", expected="this line between two hands",
            todo=(
                "Write it when the hand is over, or before it has begun: undo takes a hand line back, end hand "
                "breaks the hand off."
            ),
        )  # fmt: skip
    if len(seats) > sizes[-1]:
        raise UnreadableError(
            f"the table is full: {game.name} is played by {game.seating.in_words}", todo="Somebody leaves first.",
        )
    out = getattr(state.standing, "out", ())
    if len([seat for seat in seats if seat not in out]) < sizes[0]:
        raise UnreadableError(
            f"fewer than {sizes[0]} would be left in the match", todo="End it: end match, and a word that says why.",
        )
    if len(seats) not in sizes:
        raise UnreadableError(f"{game.name} is not played by {len(seats)}", expected=f"{game.seating.in_words} seats")
    if [seat for seat in now.seats if seat in seats] != [seat for seat in seats if seat in now.seats]:
        raise UnreadableError(
            "the players who stay keep their order round the table",
            expected=f"seats in the order {' '.join(now.seats)}",
        )
    for seat in (seat for seat in seats if seat not in now.seats):
        before, name = str(now.facts.get(seat, seat)), str(event.facts.get(seat, now.facts.get(seat, seat)))
        if seat in everybody(state).seats and name != before:
            raise UnreadableError(
                f"{seat} is the seat of {before}, who left", todo=f"Give {name} a letter that nobody has had.",
            )


def next_dealer(state: State[Any]) -> str:
    """The usual dealer of the next hand; if that place will be empty, the next player at the table."""
    state = for_the_next_hand(state)
    usual: str = state.game.dealing.next_dealer(state) if state.number else state.terms.dealer
    return next(seat for seat in everybody(state).in_turn(usual) if seat in state.terms.seats)


def for_the_next_hand(state: State[Any]) -> State[Any]:
    """The state between two hands with the terms of the next one, and with a dealer who is still at the table."""
    if state.coming is None:
        return state
    out, order = state.snapshot(), state.terms.in_turn(state.dealer)
    sit_down(out, state.number + 1)
    out.game = with_pack(out.game, out.terms)
    out.dealer = next(seat for seat in (order[0], *reversed(order)) if seat in out.terms.seats)
    return out


def sit_down(state: State[Any], number: int) -> None:
    """Apply the new terms from the hand of this number on, if there are any."""
    if state.coming is not None:
        state.sat = (*(state.sat or ((1, state.terms.seats),)), (number, state.coming.seats))
        state.terms, state.coming = state.coming, None


def seated_anew(before: Standing, game: Game, terms: Terms) -> Standing:
    """The standing before a hand with the seats of these terms: totals of players who left are set apart, and a
    player who joins begins with the total of the house rule.

    The scores of the others do not change.
    """
    if not game.match.open_table or before.totals.keys() == terms.sides.keys():
        return before
    left = {**before.left, **{who: n for who, n in before.totals.items() if who not in terms.sides}}
    totals: Points = {}
    for who in terms.sides:
        totals[who] = before.totals[who] if who in before.totals else left.pop(who) if who in left else first_total(
            who, before, game, terms,
        )
    return replace(before, totals=totals, left=left)


def first_total(who: str, before: Standing, game: Game, terms: Terms) -> int | None:
    """The total a player joins with: the initial total, or the worst or average total of those in the game (half a
    point is rounded up); None if that depends on an unknown total."""
    rule, out = getattr(terms.options, "joiner", "nothing"), getattr(before, "out", ())
    totals = [n for one, n in before.totals.items() if one not in out]
    if rule == "nothing" or not totals:
        return game.match.new_match(terms).totals[who]
    known = [n for n in totals if n is not None]
    if len(known) < len(totals):
        return None
    if rule == "worst":
        return max(known) if game.match.fewest_lead(terms) else min(known)
    return (2 * sum(known) + len(known)) // (2 * len(known))


def with_who_left(after: Standing, game: Game, terms: Terms) -> Standing:
    """The standing with a player who left as winner, if the house rule counts such totals and theirs is the best."""
    if not after.over or not after.left or getattr(terms.options, "leaver", "out") != "counts":
        return after
    best = leaders_by_total({**after.totals, **after.left}, fewest=game.match.fewest_lead(terms))
    return with_winners(after, best) if any(who in after.left for who in best) else after


def with_names(terms: Terms, others: Terms) -> Terms:
    """The terms, also with the names of players at earlier or later tables of the match."""
    names = {**others.names, **terms.names}
    return terms if names == terms.names else replace(terms, names=names, called=called_by(terms.sides, names))


def everybody(state: State[Any]) -> Terms:
    """The terms with the seats of all players of the match in any hand, in their order round the table."""
    return with_all(state.terms, [seats for _, seats in state.sat])


def with_all(terms: Terms, tables: Iterable[Sequence[str]]) -> Terms:
    """The terms with the seats of several tables, each player alone if there are more seats: a player who joins sits
    behind the same player in all of them.

    >>> from reducers.first_state import begin
    >>> terms = begin({"Game": "yaniv", "Seats": "A B C"}).terms
    >>> with_all(terms, [("A", "B", "C"), ("A", "D", "C")]).seats
    ('A', 'D', 'B', 'C')
    """
    order: list[str] = []
    for table in tables:
        for i, seat in enumerate(table):
            if seat not in order:
                order.insert(order.index(table[i - 1]) + 1 if i else 0, seat)
    seats = tuple(order)
    if not seats or seats == terms.seats:
        return terms
    sides, round_it = {s: (s,) for s in seats}, seats * 2
    following = {s: (round_it[i + terms.way],) for i, s in enumerate(seats)}
    called = called_by(sides, terms.names)
    return replace(
        terms, seats=seats, sides=sides, side_of=dict(zip(seats, seats, strict=True)), called=called, next=following,
    )


def whole_totals(standing: Standing) -> Points:
    """The totals of all players, including those who left."""
    return {**standing.totals, **standing.left} if standing.left else standing.totals


def with_zero_for_absent(scores: list[HandScore], terms: Terms, left: Points) -> list[HandScore]:
    """The scores with a figure for every player: 0 for a hand without that player."""
    return [
        score if score.points.keys() >= terms.sides.keys() else
        replace(
            score, points={**dict.fromkeys(terms.sides, 0), **score.points},
            totals={**dict.fromkeys(terms.sides, 0), **left, **score.totals},
        )
        for score in scores
    ]  # fmt: skip


def joins(name: str, behind: str, state: State[Any]) -> Open:
    """The `open` line by which a player of this name joins behind a seat: at the old seat, or at a new one.

    Raises ValueError if no letter is left for a seat.
    """
    state = for_the_next_hand(state)
    now, had = state.terms, everybody(state)
    there = next((s for s in had.seats if s not in now.seats and now.name(s).casefold() == name.casefold()), "")
    if there:
        return Open(
            by="@",
            facts={"Seats": " ".join(s for s in had.seats if s in now.seats or s == there), there: now.name(there)},
        )
    letters = [s for sizes in state.game.seating.sizes.values() for s in sizes] + list("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    seat = next((s for s in dict.fromkeys(letters) if s not in had.seats), "")
    if not seat:
        raise ValueError("there is no letter left for another seat")
    i = now.seats.index(behind) + 1 if behind else len(now.seats)
    return Open(by="@", facts={"Seats": " ".join((*now.seats[:i], seat, *now.seats[i:])), seat: name})


def leaves(seat: str, state: State[Any]) -> Open:
    """The `open` line by which the player at a seat leaves."""
    return Open(by="@", facts={"Seats": " ".join(s for s in (state.coming or state.terms).seats if s != seat)})


def came_and_went(state: State[Any]) -> list[str]:
    """The players who joined, left or came back, in the words of a sheet: `Timo joined in hand 4 with 61`."""
    terms, out, had = everybody(state), list[str](), set[str](state.sat[0][1] if state.sat else ())
    scores = {s.number: s for s in state.scores}
    for (_, before), (number, seats) in zip(state.sat, state.sat[1:], strict=False):
        for seat in (s for s in seats if s not in before):
            score = scores.get(number)
            total, points = (score.totals.get(seat), score.points.get(seat)) if score is not None else (None, None)
            first = "" if total is None or points is None else f" with {figure(total - points)}"
            out.append(f"{terms.name(seat)} {'came back' if seat in had else 'joined'} in hand {number}{first}")
        out += [f"{terms.name(seat)} left after hand {number - 1}" for seat in before if seat not in seats]
        had.update(seats)
    if state.coming is not None and not state.ended:
        out += [f"{terms.name(s)} joins with the next hand" for s in state.coming.seats if s not in state.terms.seats]
        out += [f"{terms.name(s)} has left" for s in state.terms.seats if s not in state.coming.seats]
    return out


def player_changes_text(event: Open, state: State[Any]) -> str:
    """The changes of players in these terms, to follow "the table": `welcomes Timo`; "" if there are none."""
    now, seats = state.coming or state.terms, str(event.facts.get("Seats", "")).split()
    joined = [str(event.facts.get(s, state.terms.name(s))) for s in seats if s not in now.seats]
    gone = [now.name(s) for s in now.seats if seats and s not in seats]
    over = [
        f"{event.facts[s]} in the place of {now.name(s)}" for s in now.seats
        if str(event.facts.get(s, now.name(s))) != now.name(s)
    ]
    said = [f"has {' and '.join(over)}"] * bool(over) + [f"welcomes {' and '.join(joined)}"] * bool(joined) + [
        f"says goodbye to {' and '.join(gone)}"
    ] * bool(gone)
    return " and ".join(said)


def sat_in(number: int, state: State[Any]) -> tuple[str, ...]:
    """The seats at the table in a hand."""
    return next((seats for first, seats in reversed(state.sat) if first <= number), state.terms.seats)
