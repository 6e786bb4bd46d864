"""Examples for this position: an allowed act, and the deal of a hand, each in as few keys as can be read back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from random import Random
from typing import Any

from msgspec.structs import replace

from events.cards import UNKNOWN, item, squeeze
from events.errors import NotationError
from events.model import Bid, Capture, Deal, Discard, Draw, Event, Meld, Move, Pass, Play, Show
from events.writing import write_args, write_event
from reducers.legal import legal, objections
from reducers.model import State
from reducers.piles import how_it_lies
from reducers.rules import Verdict
from replay.table.line_reader import LineReader
from replay.table.shorthand import applied, position_to_come

MOST_TRIED = 40
"""Most acts considered; the likeliest is the example."""


def act_example(reader: LineReader) -> str:
    """An act of this position as it would be typed; empty if there is none. Deterministic for a position."""
    state = reader.state
    if state.ended:
        return ""
    state = position_to_come(state)
    for act in likely(state):
        line = shortest(act, reader)
        # If the dealer is not recorded, an act of the banker would imply another dealer.
        if line and dealer_after(act, state) == state.dealer:
            return line
    quiet = state.game.phases[state.phase].default_act(state) if state.phase in state.game.phases else None
    return "." if quiet is not None else ""


def dealer_after(act: Event, state: State[Any]) -> str:
    """The dealer of the hand after this act."""
    after = state.copy()
    applied(after, act)
    return after.dealer


def likely(state: State[Any]) -> list[Event]:
    """Allowed acts, the likeliest first; a pass comes last. An unseen hand may hold any card not seen elsewhere."""
    if not state.turn:
        return []
    options = legal(state, limit=MOST_TRIED)
    acts = list(options.acts)
    if not any(shows_its_cards(act) and getattr(act, "cards", ()) for act in acts):
        acts = [*might_be_held(state), *(with_a_card(act, state) for act in acts)]
        # The main act of the phase comes before a card that a player may not hold (such as a rank that is called).
        phase = state.game.phases[state.phase]
        if type(quiet := phase.default_act(state)) is phase.acts[0]:
            acts.append(quiet)
        acts.sort(key=lambda act: type(act) is not phase.acts[0])
    if options.complete and acts == list(options.acts) and all(shows_its_cards(act) for act in acts):
        # The likelihood of an act is known only if everything it depends on is.
        acts = sorted(acts, key=lambda act: -state.game.simulation.weigh(state, act))
    return sorted(acts, key=lambda act: (type(act) is Pass, UNKNOWN in getattr(act, "cards", ())))


def shows_its_cards(act: Event) -> bool:
    """True if every card of the act is named, or it has none."""
    cards = getattr(act, "cards", None)
    return cards is None or (bool(cards) and not any("?" in card or card == "*" for card in cards))


def with_a_card(act: Event, state: State[Any]) -> Event:
    """Replace the unseen cards of an act that turns cards face up by cards not seen yet. Other acts stay as they are.
    """
    if isinstance(act, Deal) and act.face == "up":
        unseen = iter(cards_out_of_sight(state))
        faces = tuple(
            (name, tuple(next(unseen, card) if card == UNKNOWN else card for card in cards))
            for name, cards in act.piles
        )
        dealt = replace(act, piles=faces)
        return act if is_broken(dealt, state) else dealt
    if isinstance(act, Show):
        unseen = iter(cards_out_of_sight(state))
        one_by_one = ([item(card).card for card in group for _ in range(item(card).count or 1)] for group in act.groups)
        shown = replace(
            act,
            groups=tuple(
                tuple(next(unseen, face) if face == UNKNOWN else face for face in group) for group in one_by_one
            )
        )
        return act if is_broken(shown, state) else shown
    # A card drawn face up is seen.
    if not (isinstance(act, Play | Move) or (isinstance(act, Draw) and act.face == "up")) or act.cards != (UNKNOWN,):
        return act
    return next(
        (one for face in cards_out_of_sight(state) if not is_broken(one := replace(act, cards=(face,)), state)), act,
    )


def cards_out_of_sight(state: State[Any]) -> list[str]:
    """The cards in unknown places, those of the suit led first, or else of a rank in the trick."""
    pack, led, trick = state.game.pack, state.game.shorthand.led(state), state.table.piles.get("trick")
    ranks = {pack.rank_of[code] for code in trick.codes()} if trick is not None and not led else set()
    return sorted(
        pack.cards(pack.full - state.table.located), key=lambda face: (face[1:] != led, face[:1] not in ranks),
    )


def is_broken(act: Event, state: State[Any]) -> bool:
    """True if the act certainly breaks a rule."""
    return any(says.verdict == Verdict.BROKEN for _, says in objections(state, act))


def is_asked_about(act: Event, state: State[Any]) -> bool:
    """True if any rule rejects the act or leaves it open."""
    return any(True for _ in objections(state, act))


def might_be_held(state: State[Any]) -> Iterator[Event]:
    """Unseen cards played, discarded or melded by the seat to act: those that no rule questions, or else those that
    no rule rejects. Acts that need their verb are left out."""
    phase = state.game.phases.get(state.phase)
    if phase is None:
        return
    # A player who plays from the stock turns the card up.
    for kind in (kind for kind in (Play, Discard) if kind in phase.acts and kind not in phase.verb_required):
        each = [
            [kind(by=state.turn[0], cards=(face,), src=src) for src in ("", "stock")]
            for face in cards_out_of_sight(state)
        ]
        for speaks_against in (is_asked_about, is_broken):
            for acts in each:
                allowed = [act for act in acts if not speaks_against(act, state)]
                if allowed:
                    yield from allowed
                    return
    # No duplicates from several packs: not every game allows a set of equal cards.
    sets = groupby(sorted({*cards_out_of_sight(state)}), key=lambda face: face[0]) if Meld in phase.acts else ()
    alike = (tuple(faces)[:3] for _, faces in sets)
    laid = (Meld(by=state.turn[0], groups=(three,)) for three in alike if len(three) == 3)
    yield from islice((act for act in laid if not is_broken(act, state)), 1)


def shortest(act: Event, reader: LineReader) -> str:
    """The shortest line that is read as this act and nothing else; empty if there is none."""
    return next((line for line in ways_to_type(act, reader.state) if means(line, act, reader)), "")


def means(line: str, act: Event, reader: LineReader) -> bool:
    """True if the line is read as this act, without doubts."""
    try:
        draft = reader.complete(line)
    except NotationError:
        return False
    events = [r.event for r in draft.events]
    return not draft.doubts and (
        events == [act] or (isinstance(act, Deal) and len(events) == 1 and shows_the_same(events[0], act))
    )


def shows_the_same(event: Event, deal: Deal) -> bool:
    """True if the event is this deal, perhaps with additional piles that are wholly unseen."""
    if not isinstance(event, Deal) or (event.by, event.src) != (deal.by, deal.src):
        return False
    return tuple((name, cards) for name, cards in event.piles if any("??" not in card for card in cards)) == deal.piles


def ways_to_type(act: Event, state: State[Any]) -> Iterator[str]:
    """Ever longer forms of an act: the default act, bare cards, without verb, without seat, in full."""
    full = write_event(act)
    seat, _, rest = full.partition(" ")
    yield "."
    if isinstance(act, Draw) and act.src == "discard":
        yield "<"
    if isinstance(act, Play | Discard | Capture) or (isinstance(act, Draw) and act.face == "up"):
        yield as_typed(act.cards)
    if isinstance(act, Capture):
        yield f"{as_typed(act.cards)}/{as_typed(act.takes)}"
    if isinstance(act, Bid):
        yield "".join(write_args(act))
    if isinstance(act, Move):
        yield as_typed(act.cards)
        pile, _, number = act.to.rpartition(":")
        yield f"{as_typed(act.cards)}>{number}"
        yield f"{as_typed(act.cards)}>{pile.rpartition(':')[2].lower()}{number}"
        yield f"{as_typed(act.cards)} >{act.to}"
    if isinstance(act, Move) and act.to in state.table.piles:
        yield f"{seat} {as_typed((*act.cards, *filter(None, [top_of(act.to, state)])))}"
    if isinstance(act, Deal):
        cards = as_typed([card for _, dealt in act.piles for card in dealt if "?" not in card])
        yield cards
        if act.by in state.terms.seats:
            yield f"{seat} {cards}"
    yield rest.partition(" ")[2].lower()
    yield rest
    yield f"{seat} {rest.partition(' ')[2]}"
    yield full


def top_of(name: str, state: State[Any]) -> str:
    """The top card of an ordered pile; "" if there is none."""
    pile = state.table.piles.get(name)
    return state.game.pack.tokens[pile.row[-1]] if pile is not None and pile.row else ""


def as_typed(cards: Sequence[str]) -> str:
    """Cards as a recorder types them.

    >>> as_typed(["Th", "??"])
    '10hx'
    """
    return "".join("x" if card == UNKNOWN else card.replace("T", "10").lower() for card in cards)


def open_deals(state: State[Any]) -> list[Deal]:
    """Example deals of the next hand as an onlooker sees them, only those that show a card; none if a seat is to act
    and cards lie on the table, as chance has nothing to do then."""
    if not state.settled and state.turn and state.table.located:
        return []
    before = state.copy()
    found = []
    for event in state.game.dealing.chance(before, Random("a deal to show")):
        if isinstance(event, Deal):
            piles = tuple(
                (name, cards)
                for name,
                cards in (
                    (n, c if event.face == "up" else cards_as_seen(n, c, before)) for n, c in event.piles
                    if event.face != "down"
                )
                if any("??" not in c for c in cards)
            )
            if piles:
                found.append(replace(event, piles=piles))
    return found


def cards_as_seen(pile: str, cards: Sequence[str], state: State[Any]) -> tuple[str, ...]:
    """The cards dealt to a pile, as an onlooker sees them."""
    lies = how_it_lies(pile, state.game.display.piles, state.terms)[0]
    if lies.seen == "all":
        return tuple(cards)
    covered = [UNKNOWN] * len(cards)
    return squeeze([*covered[:-1], cards[-1]] if lies.seen == "top" and cards else covered)
