"""The widow: the declarer discards before it is turned up, and takes as many of its cards; then play begins.

The page declares the pile `widow` in its deal. Its record of the hand keeps: `thrown`, the number of cards discarded
(None if uncounted); `drawn`, the number taken; `turned`, True if the widow was seen to be turned up; `before`, two bags
if the exchange was not recorded: the declarer's cards before it, if fully seen, and the seen cards of the widow. Its
phases are called `discarding` and `drawing`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from events.cards import how_many
from events.model import Discard, Draw, Event, Play, Show
from reducers.evolve import on_show
from reducers.model import State
from reducers.rules import CheckResult, broken, unknown
from reducers.silent_acts import put_in_unwritten
from reducers.table import Pile
from reducers.words.called_card import ASKED, seen_in_pile, unwritten_parts
from reducers.words.deals import whole_deal
from reducers.words.one_against import GONE, not_the_declarer, the_play_begins
from reducers.words.one_round import GONE_BY, gone_by

BEFORE = ("naming", *ASKED, "returning", "discarding")


def some_are_discarded(discard: Discard, state: State[Any]) -> CheckResult | None:
    """The declarer discards at least one card, and no more than the widow has, before it is turned up."""
    hand, most = state.hand, whole_deal(state)["widow"]
    wrong = not_the_declarer(discard, state, "discards") if state.phase != "auction" else None
    if wrong is not None or state.phase == "gap":
        return wrong
    if hand.turned or hand.drawn:
        return broken("the widow is turned up already")
    many = how_many(discard.cards)
    if many is None or hand.thrown is None:
        return unknown("how many cards were discarded: not counted")
    return None if 1 <= hand.thrown + many <= most else broken(f"1 to {most} cards are discarded")


def the_widow_is_turned_after_the_discard(show: Show, state: State[Any]) -> CheckResult | None:
    """The widow is turned up after the discard; a later discard shows whether it was too early."""
    if state.hand is None or show.src != "widow" or state.phase not in BEFORE:
        return None
    return unknown(GONE_BY if gone_by(state) else f"whether cards were discarded: {GONE}")


def on_discard(discard: Discard, state: State[Any]) -> None:
    """Apply the declarer's discard; the page's next phase is called `drawing`."""
    put_in_unwritten(discard, state)
    hand, held = state.hand, state.holding(discard.by)
    state.table.move(state.table.codes(discard.cards, held), held, state.table.row(f"discard:{discard.by}"))
    if state.phase in ("discarding", "drawing"):
        many = how_many(discard.cards)
        hand.thrown = None if many is None or hand.thrown is None else hand.thrown + many
        state.phase, state.turn = "drawing", (hand.declarer,)


def on_shown(show: Show, state: State[Any]) -> None:
    """Apply a show; it may turn up the widow."""
    on_show(show, state)
    if show.src == "widow" and state.number and not state.settled and state.phase != "play":
        state.hand.turned = True


def as_many_are_taken(draw: Draw, state: State[Any]) -> CheckResult | None:
    """The declarer takes as many cards as were discarded, and only from the widow."""
    hand = state.hand
    wrong = not_the_declarer(draw, state, "takes cards of the widow") if state.phase != "auction" else None
    if wrong is not None or state.phase == "gap":
        return wrong
    if draw.src not in ("", "widow"):
        return broken("cards are taken from the widow only")
    many = so_many(draw, state)
    if state.phase != "drawing" or hand.thrown is None or many is None:
        return unknown(f"how many cards were discarded: {GONE}")
    if hand.drawn + many > hand.thrown:
        return broken(f"{hand.drawn + many} cards are taken, and {hand.thrown} were discarded")
    return None


def nobody_wrote_the_discard(act: Draw | Play, state: State[Any]) -> CheckResult | None:
    """Cards of the widow are taken, or play begins, without a recorded discard; the cards played may show it."""
    declarer, (before, widow) = state.hand.declarer, state.hand.before
    if "discarding" not in unwritten_parts(state) or not declarer:
        return None
    held = state.holding(declarer)
    if isinstance(act, Play) and held.certain & widow:
        return None
    if isinstance(act, Play) and held.complete and (
        state.game.pack.count(widow) == whole_deal(state)["widow"] or held.certain == before
    ):
        return broken(
            f"{declarer} has no card of the widow, and discarded none", held.certain, declarer, together=True,
            by=declarer,
        )
    return unknown(f"whether {declarer} discarded: {GONE}", held)


def nobody_wrote_what_was_taken(play: Play, state: State[Any]) -> CheckResult | None:
    """Play begins before as many cards were taken as were discarded."""
    if unwritten_parts(state) != ("drawing",):
        return None
    return unknown(f"whether {state.hand.declarer} took from the widow the number of cards discarded: {GONE}")


def so_many(draw: Draw, state: State[Any]) -> int | None:
    """Number of cards taken (`*`: all of the widow); None if uncounted."""
    widow = state.table.row("widow")
    return len(widow) if draw.cards == ("*",) and not widow.vague else how_many(draw.cards)


def on_draw(draw: Draw, state: State[Any]) -> None:
    """Take cards of the widow; with the last of them play begins."""
    put_in_unwritten(draw, state)
    hand, widow = state.hand, state.table.row("widow")
    # After a gap the cards of the widow are unknown.
    widow.vague = widow.vague or gone_by(state)
    many = so_many(draw, state)
    codes = [taken_of(code, widow) for code in state.table.codes(draw.cards, widow)]
    if any(code >= state.game.pack.unknown for code in codes) and seen_in_pile(widow):
        # It is unknown which of the face-up cards were taken.
        state.table.lose_sight(widow)
    state.table.move(codes, widow, state.holding(draw.by))
    hand.drawn += many or 1
    if state.phase == "drawing" and (hand.thrown is None or hand.drawn >= hand.thrown):
        the_play_begins(state)


def taken_of(code: int, widow: Pile) -> int:
    """The card of the widow that was taken, if it was half seen and can be only one."""
    pack = widow.table.pack
    may_be = [c for c in widow.row or () if c < pack.unknown and pack.may_be[code] & pack.field[c]]
    return may_be[0] if code > pack.unknown and len(may_be) == 1 else code


def exchange_unseen(act: Event, state: State[Any]) -> None:
    """Infer an exchange with the widow that was not, or not fully, recorded."""
    hand, table, pack = state.hand, state.table, state.game.pack
    if not hand.declarer:
        # It is unknown whose hand changed.
        for pile in (*map(state.holding, state.terms.seats), table.row("widow")):
            table.lose_sight(pile)
        return
    held, widow = state.holding(hand.declarer), table.row("widow")
    hand.before = hand.before if hand.thrown else (0 if held.covered or held.vague else held.known, seen_in_pile(widow))
    if isinstance(act, Play) and hand.thrown == 0:
        state.infer(f"{hand.declarer} exchanged cards with the widow before this (not recorded)")
        # Whichever cards were exchanged, both piles have as many as before.
        unseen = [pack.unknown] * len(widow)
        table.move(unseen, held, widow)
        table.mix(unseen * 2, widow, widow)
        table.move(unseen, widow, held)
        # They were there before the act that shows it.
        table.since[held.name] = table.now - 1
        hand.thrown = None
        return
    if state.phase != "drawing" and not hand.thrown:
        many = how_many(act.cards) if isinstance(act, Draw) else None
        state.infer(f"{hand.declarer} discarded before this (not recorded)")
        codes = [pack.many] if many is None else [pack.unknown] * many
        table.move(codes, held, table.row(f"discard:{hand.declarer}"))
        hand.thrown = many
    if isinstance(act, Play):
        state.infer(f"{hand.declarer} took cards of the widow before this; the cards were not recorded")
        table.lose_sight(widow)
        table.move([pack.many] if hand.thrown is None else [pack.unknown] * (hand.thrown - hand.drawn), widow, held)


def try_widow_discards(seat: str, state: State[Any]) -> Iterator[Event]:
    """One card or more, as many as the widow has."""
    cards = state.game.pack.cards(state.holding(seat).certain)
    for many in range(1, whole_deal(state)["widow"] + 1):
        yield from (Discard(by=seat, cards=some) for some in combinations(cards, many))


def takes(seat: str, state: State[Any]) -> Iterator[Event]:
    """As many cards of the widow as were discarded; and one more."""
    cards = state.game.pack.cards(seen_in_pile(state.table.row("widow")))
    many = (state.hand.thrown or 0) - state.hand.drawn
    for some in (*combinations(cards, many), *combinations(cards, many + 1)):
        yield Draw(by=seat, cards=some, src="widow")


def turns_the_widow(state: State[Any]) -> bool:
    """Return True if the widow is to be turned up now."""
    return state.phase == "drawing" and not state.hand.turned and not state.hand.drawn


def turned_widow(state: State[Any]) -> list[Event]:
    """The widow is turned up, as it is in the simulation."""
    row, tokens = state.table.row("widow").codes(), state.game.pack.tokens
    return [Show(by="@", groups=(tuple(tokens[code] for code in row),), src="widow")]
