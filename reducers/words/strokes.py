"""Games with a loser and no winner: the player left with cards gets a stroke; the sheet has a row for each game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from events.cards import GLYPHS
from events.model import Facts
from reducers.facts import Law
from reducers.model import State
from reducers.scoring import HandScore, Points, ScoreLine, Standing, add_points, figure
from reducers.sheet import Cell
from reducers.tally import grows, seats
from reducers.terms import Terms
from reducers.words.deals import deals_next
from reducers.words.scores import hand_score, scorer_told
from reducers.words.sheets import Form
from reducers.words.tallies import seats_in


def trumps_in_words(trump: str) -> str:
    """The trumps as the sheet shows them."""
    return f"trumps {GLYPHS[trump]}" if trump in GLYPHS else ""


def trumps_made(state: State[Any]) -> str:
    """The trumps of the game in play."""
    return trumps_in_words(state.hand.trump)


def stroke(
    state: State[Any], loser: str, out: Sequence[str], void: str, trump: str, *, called: str, notes: Iterable[str] = ()
) -> HandScore:
    """One stroke for the loser, called `called`; the others went out in the order of `out`, which may be incomplete."""
    name, players = state.terms.name, state.terms.seats
    contract = trumps_in_words(trump)
    nothing: Points = dict.fromkeys(players, 0)
    nobody_knows: Points = dict.fromkeys(players)
    if void:
        return HandScore(state.number, state.dealer, "void", result=void, points=nothing)
    if loser := loser or scorer_told(state):
        points: Points = {s: int(s == loser) for s in players}
        lines = [ScoreLine(called, points)]
        if len(out) == len(players) - 1:
            lines.append(ScoreLine("out", {s: i for i, s in enumerate((*out, loser), 1)}))
        return hand_score(
            state, points, lines, contract=contract, result=f"{name(loser)} is the {called}", notes=notes
        )
    if state.stop_reason:
        broken_off = [f"broken off; there is no {called}"]
        return hand_score(state, nothing, contract=contract, result="broken off", notes=broken_off)
    if not state.settled:
        points = nobody_knows if state.tallies else nothing
        return hand_score(state, points, contract=contract, unknown=["the game is in play"], source="nothing")
    return hand_score(state, nobody_knows, contract=contract, unknown=["who was left with cards"])


def who_lost(s: HandScore | None) -> str:
    """The loser of a game; empty if there is none, or it is unknown."""
    return next((who for who, n in s.points.items() if n), "") if s is not None else ""


# -- who was left with cards: the facts of a tally, the next game, the end of a match ---------------------------------


def players_out(rule: str) -> Any:
    """The fact of a tally that tells who went out, in order."""
    once = "{key} names a seat only once"
    return grows(seats("the players who went out, in order", once=True, rule=rule, says=once))


def loser_is_not_out(key: str, rule: str, wrong: str) -> Law:
    """The law that the loser is not among those who went out, and that not all went out. `wrong` says what the loser
    is not; `key` is the fact that names the loser."""

    def contradiction(known: Mapping[str, Any], state: State[Any]) -> str:
        loser, out = known.get(key), seats_in(known.get("out", ()), state.terms)
        if loser in out:
            return f"{loser} went out and {wrong}"
        return "one player must be left with cards" if len(out) == len(state.terms.seats) else ""

    return Law((key, "out"), contradiction, rule)


def left_by(out: Sequence[str], state: State[Any]) -> str:
    """The only player who is not out; empty while there are several."""
    left = [seat for seat in state.terms.seats if seat not in out]
    return left[0] if len(left) == 1 else ""


def who_was_left(key: str) -> Callable[[State[Any]], Iterator[tuple[str, Mapping[str, Facts]]]]:
    """What is missing of a game whose end was not recorded: who had cards left."""

    def missing(state: State[Any]) -> Iterator[tuple[str, Mapping[str, Facts]]]:
        t: Any = state.game.compute_tally(state) if state.game.compute_tally is not None else None
        if not t.void and not getattr(t, key) and not state.stop_reason:
            yield "who was left with cards", {s: {key: s} for s in state.terms.seats if s not in t.out}

    return missing


def games_without_a_winner(before: Standing, hand: HandScore, terms: Terms) -> Standing:
    """The standing: a number of games makes a match, which no player wins."""
    games = before.hands + (hand.source in ("moves", "tally", "tricks"))
    return replace(
        before, totals=add_points(before.totals, hand.points), hands=games, over=games >= terms.options.games,
    )


def loser_or_next_deals(state: State[Any]) -> str:
    """The next dealer: to the left, or by the option `next_deal` the loser; the same after a misdeal."""
    loser = who_lost(state.scores[-1]) if state.scores and state.terms.options.next_deal != "left" else ""
    return loser or deals_next(state)


# -- the sheet: a row a game, strokes for the loser -------------------------------------------------------------------


def games_and_strokes(called: str) -> Form:
    """A row for each game: trumps, players who went out, the loser, and the strokes so far."""
    return Form(
        once={"trumps": trumps, "went out": went_out, called: left_with_cards}, each={"{}": strokes}, heading="Games",
        first=("game", "dealer"),
    )  # fmt: skip


def trumps(s: HandScore, state: State[Any]) -> Cell:
    """The trumps of the game."""
    return Cell(s.contract.rpartition(" ")[2] or "–")


def went_out(s: HandScore, state: State[Any]) -> Cell:
    """The players who went out, in order."""
    places = next((line.amounts for line in s.lines if line.label == "out"), {})
    order = sorted((n or 0, who) for who, n in places.items() if who != who_lost(s))
    return Cell(", ".join(state.terms.name(who) for _, who in order) or "–")


def left_with_cards(s: HandScore, state: State[Any]) -> Cell:
    """The loser."""
    loser = who_lost(s)
    return Cell(state.terms.name(loser)) if loser else Cell(s.result or "?", "", "" if s.result else "unknown")


def strokes(s: HandScore, who: str, state: State[Any]) -> Cell:
    """Number of times a player has lost so far."""
    return Cell(figure(s.totals.get(who)), "", "won" if who == who_lost(s) else "total")
