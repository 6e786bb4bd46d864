"""The position of a match in a few lines for the recorder, and what can be typed there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial, reduce
from itertools import groupby
from typing import Any

from events.cards import UNCOUNTED, UNKNOWN, item, pretty, pretty_all
from events.model import Play
from events.writing import write_event
from reducers.evolve import ensure_hand_started
from reducers.model import State
from reducers.scoring import figure
from reducers.words.tricks import tricks_in
from replay.languages.translate import in_language, t
from replay.plain_text import player_names, with_player_names, wrapped
from replay.table.event_sentences import who_won
from replay.table.example import act_example, open_deals, shortest
from replay.table.frame import Frame, frame
from replay.table.game_help import first_words
from replay.table.layout import layouts_in_rows
from replay.table.line_reader import LineReader
from replay.table.picture import WIDEST, kept_in_mind, piles_beside
from replay.table.wording import cards_in_words, contract_spoken, phase_expects, pile_spoken, who_is_to_act, with_letter

MOST_ON_THE_TABLE = 12
"""Most cards in the middle that are named; more are counted."""
OPEN_BESIDE = ("discard", "upcard", "reserve")
"""Piles beside the table that players look at when it is their turn."""


def here(reader: LineReader, columns: int = 0) -> Iterator[str]:
    """The answer to `?`: the position, the seat to act, the notation, and an example for this position. Layouts and
    melds are at most `columns` wide (0: as a picture of the table)."""
    state = reader.state
    yield from position(state, columns)
    if state.ended:
        yield t("The match is over; claim, confirm, note and fix are always possible.")
        return
    if state.phase == "between":
        yield from how_to_begin(reader)
        return
    yield f"{to_act(state)}: {phase_expects(state)}"
    yield from for_example(reader)
    yield from missing_trick_card(reader)


def missing_trick_card(reader: LineReader) -> Iterator[str]:
    """Cards missing in the current trick before a later card, and the line that inserts each."""
    state = reader.state
    tricks = tricks_in(state.hand) if state.number else None
    if tricks is None or tricks.lost:
        return
    played = [who for who, _ in tricks.plays]
    at = [p.n for p in reader.view.events if isinstance(p.event, Play) and p.n >= state.began][-len(played) :]
    for who, n, behind in zip(played, at, played[1:], strict=False):
        for seat in tricks.next[who]:
            if seat != behind and seat not in played:
                who, line = state.terms.name(seat), f"`fix {n}+ {seat} x`"
                yield t("{who}'s card is missing: {line}, with the card for x if it was seen.", who=who, line=line)


def for_example(reader: LineReader) -> Iterator[str]:
    """A line that can be typed here, and the act it means, as recorded."""
    shown = act_example(reader)
    if not shown:
        return
    yield _row(t("for example"), shown)
    act = ", ".join(write_event(r.event) for r in reader.complete(shown).events)
    if act.lower() != shown.lower():
        yield _row(t("written out"), act)


def _row(head: str, text: str) -> str:
    return f"  {head:<11}  {text}"


def position(state: State[Any], columns: int = 0) -> Iterator[str]:
    """The hand and its contract, the cards in the middle and open beside it, and the score."""
    seen, name = frame(state), player_names(state.terms.sides, state.terms.names)
    number, between = state.numbered or state.number, state.phase == "between"
    if state.number:
        parts = [
            t("after hand {n}", n=number) if between
            else t("hand {n}, dealt by {who}", n=number, who=name[state.dealer]),
            "" if between else in_language(seen.phase_name, state.game.key), contract_spoken(seen.contract, state.game),
        ]
        yield " · ".join(part for part in parts if part)
    yield from [] if between else in_the_middle_of(seen, name)
    page = min(columns or WIDEST, WIDEST)
    yield from [] if between else [line for line in layouts_in_rows(seen.piles, page, name) if line]
    yield from [] if between else piles_beside(seen, name, page, (*OPEN_BESIDE, *piles_in_view(seen)))
    if state.game.family == "bank" and not between:
        hands = [
            f"{name.get(p.name, p.name)} {pretty_all(p.cards)}" for p in seen.piles if p.holding
            and any("?" not in c for c in p.cards)
        ]
        yield from wrapped(t("in the hands: {cards}", cards=", ".join(hands)), page) if hands else ()
    yield from kept_in_mind(seen, name, page)
    if seen.scores:
        yield t("score: {scores}", scores=", ".join(
            f"{name.get(who, state.terms.name(who))} {figure(points)}" for who, points in seen.scores.items()
        ))  # fmt: skip
    if won := who_won(seen.winner, seen.winners, len(seen.scores), lambda who: name.get(who, who)):
        yield won


def in_the_middle_of(seen: Frame, name: Mapping[str, str]) -> Iterator[str]:
    """The cards on the table: those that each seat played, or those of the board; many are counted."""
    cards = [laid.card for laid in seen.trick if laid.card != UNCOUNTED]
    number = sum(item(card).count or 1 for card in cards)
    if not cards:
        return
    if number > MOST_ON_THE_TABLE:
        shown = t("{n} cards, the last {card}", n=number, card=pretty(cards[-1]))
    elif all(item(card).card == UNKNOWN for card in cards) and not any(laid.seat for laid in seen.trick):
        shown = cards_in_words(cards)
    else:
        each = groupby((laid for laid in seen.trick if laid.card in cards), key=lambda laid: laid.seat)
        laid = [f"{name.get(seat, seat)} {pretty_all([c.card for c in plays])}".strip() for seat, plays in each]
        shown = ", ".join(laid)
    # With an uncounted card it is unknown which cards are on the board, and whether they were taken.
    yield (
        t("on the table: {cards}; perhaps others, or fewer", cards=shown) if len(cards) < len(seen.trick)
        else t("on the table: {cards}", cards=shown)
    )


def piles_in_view(seen: Frame) -> list[str]:
    """The piles that players look at in this game: single cards in the middle beside the trick or board (the card of
    a bank), and won piles with a face-up top card."""
    middle = [pile.name for pile in seen.piles if pile.place == "middle" and pile.form == "row"]
    return middle + [
        pile.name.partition(":")[0] for pile in seen.piles if pile.place == "won" and pile.seen_by == "top"
    ]


def to_act(state: State[Any]) -> str:
    """The seats to act and what they are to do, by name and by the letter to type."""
    return who_is_to_act(state, partial(with_letter, state)) if state.turn else t("Now")


def where_it_stands(state: State[Any]) -> Iterator[str]:
    """For a recorder who returns to a match: the position, and the seat to act."""
    yield from position(state)
    if state.turn and not state.ended:
        yield to_act(state)


def how_to_begin(reader: LineReader) -> Iterator[str]:
    """How to record the deal of the next hand, or that this is not needed, and what comes first then."""
    if not reader.state.game.has_cards:
        yield first_words(reader.state)
        return
    state = reader.state.copy()
    ensure_hand_started(state)
    name = state.terms.names.get
    yield t("Hand {n} comes next, dealt by {who}.", n=state.number, who=name(state.dealer, state.dealer))
    deals = open_deals(reader.state)
    lines = [shortest(deal, reader) for deal in deals]
    if all(lines) and lines:
        piles = ", ".join(where_dealt(pile, state) for deal in deals for pile, _ in deal.piles)
        typed = reduce(
            lambda before, last: t("{before}, then {last}", before=before, last=last), (f"`{line}`" for line in lines),
        )
        yield t("Put down what is dealt open ({piles}), for example {lines}.", piles=piles, lines=typed)
        yield t("What is not seen need not be typed. Then: {what}.", what=phase_expects(state))
    else:
        yield t("No deal need be typed. Begin with: {what}.", what=phase_expects(state))
        yield from for_example(reader)
    if not state.game.dealing.no_hands:
        playing = state.game.dealing.playing(state)
        seat = next((s for s in state.terms.seats if s in playing), state.terms.seats[0])
        yield t("A hand that lies open is noted with {line} and its cards.", line=f"`deal {seat}=…`")


def where_dealt(pile: str, state: State[Any]) -> str:
    """A pile of the deal, in words: a face-up card dealt to a player is that player's last one."""
    seat, terms = pile.removeprefix("hand:"), state.terms
    return t("the last card of {who}", who=terms.name(seat)) if seat in terms.seats else with_player_names(
        pile_spoken(pile, state.table.called, state.game), player_names(terms.sides, terms.names),
    )
