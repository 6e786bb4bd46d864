"""What could be typed in this position: one act that is allowed, and the deal of a hand, each in as few keys as can be read back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from random import Random
from typing import Any

from msgspec.structs import replace

from events.cards import UNKNOWN, item, squeeze
from events.errors import NotationError
from events.model import Bid, Capture, Deal, Discard, Draw, Event, Meld, Move, Pass, Play, Show
from events.writing import write_event
from reducers.legal import legal, objections
from reducers.model import State
from reducers.piles import how_it_lies
from reducers.rules import Verdict
from replay.table.line_reader import LineReader
from replay.table.shorthand import applied, position_to_come

MOST_TRIED = 40
"""So many acts are looked at; the most likely of them is the example."""


def act_example(reader: LineReader) -> str:
    """An act of this position as it would be typed; empty if there is none. The same position has the same example."""
    state = reader.state
    if state.ended:
        return ""
    state = position_to_come(state)
    for act in likely(state):
        line = shortest(act, reader)
        # Where nobody wrote who deals, an act of the banker's would say that it is somebody else.
        if line and dealer_after(act, state) == state.dealer:
            return line
    quiet = state.game.phases[state.phase].default_act(state) if state.phase in state.game.phases else None
    return "." if quiet is not None else ""


def dealer_after(act: Event, state: State[Any]) -> str:
    """Who has dealt the hand, once this is done."""
    after = state.copy()
    applied(after, act)
    return after.dealer


def likely(state: State[Any]) -> list[Event]:
    """Acts that are allowed, the most likely first; a pass only if there is nothing else. The cards of a hand that
    nobody saw are any that were not seen elsewhere."""
    if not state.turn:
        return []
    options = legal(state, limit=MOST_TRIED)
    acts = list(options.acts)
    if not any(shows_its_cards(act) and getattr(act, "cards", ()) for act in acts):
        acts = [*might_be_held(state), *(with_a_card(act, state) for act in acts)]
        # What the phase is there for comes before a card that somebody may or may not hold (a rank that is called).
        acts.sort(key=lambda act: type(act) is not state.game.phases[state.phase].acts[0])
    if options.complete and acts == list(options.acts) and all(shows_its_cards(act) for act in acts):
        # How likely an act is can be told only if everything it turns on is known.
        acts = sorted(acts, key=lambda act: -state.game.weigh(state, act))
    return sorted(acts, key=lambda act: (type(act) is Pass, UNKNOWN in getattr(act, "cards", ())))


def shows_its_cards(act: Event) -> bool:
    """Whether an act with cards has each of them named."""
    cards = getattr(act, "cards", None)
    return cards is None or (bool(cards) and not any("?" in card or card == "*" for card in cards))


def with_a_card(act: Event, state: State[Any]) -> Event:
    """An act with cards that everybody sees as soon as they are turned up, with some that were not seen yet in the place of
    unseen ones; any other act as it is."""
    if isinstance(act, Deal) and act.face == "up":
        unseen = iter(cards_out_of_sight(state))
        faces = tuple((name, tuple(next(unseen, card) if card == UNKNOWN else card for card in cards)) for name, cards in act.piles)
        dealt = replace(act, piles=faces)
        return act if is_broken(dealt, state) else dealt
    if isinstance(act, Show):
        unseen = iter(cards_out_of_sight(state))
        one_by_one = ([item(card).card for card in group for _ in range(item(card).count or 1)] for group in act.groups)
        shown = replace(act, groups=tuple(tuple(next(unseen, face) if face == UNKNOWN else face for face in group) for group in one_by_one))
        return act if is_broken(shown, state) else shown
    # A card that is drawn face up is seen.
    if not (isinstance(act, Play | Move) or (isinstance(act, Draw) and act.face == "up")) or act.cards != (UNKNOWN,):
        return act
    return next((one for face in cards_out_of_sight(state) if not is_broken(one := replace(act, cards=(face,)), state)), act)


def cards_out_of_sight(state: State[Any]) -> list[str]:
    """The cards of which nobody knows where they are: of the suit that was led first, or else of a rank that lies in the trick."""
    pack, led, trick = state.game.pack, state.game.led(state), state.table.piles.get("trick")
    ranks = {pack.rank_of[code] for code in trick.codes()} if trick is not None and not led else set()
    return sorted(pack.cards(pack.full - state.table.located), key=lambda face: (face[1:] != led, face[:1] not in ranks))


def is_broken(act: Event, state: State[Any]) -> bool:
    """Whether an act certainly breaks a rule."""
    return any(says.verdict == Verdict.BROKEN for _, says in objections(state, act))


def is_asked_about(act: Event, state: State[Any]) -> bool:
    """Whether a rule has anything to say about an act, be it only a question."""
    return any(True for _ in objections(state, act))


def might_be_held(state: State[Any]) -> Iterator[Event]:
    """Cards that were not seen yet, played, thrown or laid down by the seat whose turn it is: such as no rule has anything to ask
    about, or else as far as nothing speaks against it; not if they need a verb to be that."""
    phase = state.game.phases.get(state.phase)
    if phase is None:
        return
    # A player who plays from the stock turns the card up.
    for kind in (kind for kind in (Play, Discard) if kind in phase.acts and kind not in phase.verb_required):
        each = [[kind(by=state.turn[0], cards=(face,), src=src) for src in ("", "stock")] for face in cards_out_of_sight(state)]
        for speaks_against in (is_asked_about, is_broken):
            for acts in each:
                allowed = [act for act in acts if not speaks_against(act, state)]
                if allowed:
                    yield from allowed
                    return
    # Of several packs no card twice: a set of equal cards is none everywhere.
    sets = groupby(sorted({*cards_out_of_sight(state)}), key=lambda face: face[0]) if Meld in phase.acts else ()
    alike = (tuple(faces)[:3] for _, faces in sets)
    laid = (Meld(by=state.turn[0], groups=(three,)) for three in alike if len(three) == 3)
    yield from islice((act for act in laid if not is_broken(act, state)), 1)


def shortest(act: Event, reader: LineReader) -> str:
    """The shortest line that is read as this act and nothing else; empty if none is."""
    return next((line for line in ways_to_type(act, reader.state) if means(line, act, reader)), "")


def means(line: str, act: Event, reader: LineReader) -> bool:
    """Whether a line is read as this act, with nothing said against it."""
    try:
        draft = reader.complete(line)
    except NotationError:
        return False
    events = [r.event for r in draft.events]
    return not draft.doubts and (events == [act] or (isinstance(act, Deal) and len(events) == 1 and shows_the_same(events[0], act)))


def shows_the_same(event: Event, deal: Deal) -> bool:
    """Whether an event is this deal, perhaps with piles of which nobody sees a card."""
    if not isinstance(event, Deal) or (event.by, event.src) != (deal.by, deal.src):
        return False
    return tuple((name, cards) for name, cards in event.piles if any("??" not in card for card in cards)) == deal.piles


def ways_to_type(act: Event, state: State[Any]) -> Iterator[str]:
    """An act in more and more words: as the usual act, bare cards, without its verb, without its seat, in full."""
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
        yield f"{act.level or ''}{act.strain}"
    if isinstance(act, Move):
        yield as_typed(act.cards)
        pile, _, number = act.to.rpartition(":")
        yield f"{as_typed(act.cards)}>{number}"
        yield f"{as_typed(act.cards)}>{pile.rpartition(':')[2].lower()}{number}"
        yield f"{as_typed(act.cards)} >{act.to}"
    if isinstance(act, Move) and act.to in state.table.piles:
        yield f"{seat} {as_typed((*act.cards, *top_of(act.to, state)))}"
    if isinstance(act, Deal):
        cards = as_typed([card for _, dealt in act.piles for card in dealt if "?" not in card])
        yield cards
        if act.by in state.terms.seats:
            yield f"{seat} {cards}"
    yield rest.partition(" ")[2].lower()
    yield rest
    yield f"{seat} {rest.partition(' ')[2]}"
    yield full


def top_of(pile: str, state: State[Any]) -> list[str]:
    """The card that lies on top of a pile, if it lies in order and there is one."""
    row = state.table.piles[pile].row
    return [state.game.pack.tokens[row[-1]]] if row else []


def as_typed(cards: Sequence[str]) -> str:
    """Cards as a recorder types them.

    >>> as_typed(["Th", "??"])
    '10hx'
    """
    return "".join("x" if card == UNKNOWN else card.replace("T", "10").lower() for card in cards)


def open_deals(state: State[Any]) -> list[Deal]:
    """The deals of the next hand as an onlooker would see them, with cards made up: only those that show any card."""
    before = state.copy()
    found = []
    for event in state.game.chance(before, Random("a deal to show")):
        if isinstance(event, Deal):
            piles = tuple((name, cards) for name, cards in ((n, c if event.face == "up" else cards_as_seen(n, c, before)) for n, c in event.piles if event.face != "down") if any("??" not in c for c in cards))
            if piles:
                found.append(replace(event, piles=piles))
    return found


def cards_as_seen(pile: str, cards: Sequence[str], state: State[Any]) -> tuple[str, ...]:
    """What an onlooker sees of the cards that are dealt to a pile."""
    lies = how_it_lies(pile, state.game, state.terms)[0]
    if lies.seen == "all":
        return tuple(cards)
    covered = [UNKNOWN] * len(cards)
    return squeeze([*covered[:-1], cards[-1]] if lies.seen == "top" and cards else covered)


__all__ = ["act_example", "open_deals", "shortest"]
