"""How well a reading of a typed line fits the position, the doubts about it, and what the position expects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from events import model as ev
from events.model import Event
from reducers.evolve import ensure_hand_started, is_by_nobody, is_for_next_hand
from reducers.legal import acts_of, begins_unwritten, legal, objections
from reducers.model import Game, State
from reducers.rules import Rule, Verdict
from reducers.words.tallies import against_the_moves, contradictory_facts, told_otherwise
from replay.languages.translate import in_language, t
from replay.log import NumberedEvent
from replay.masking import last_sighting
from replay.table.result_line import figure_order, result_example
from replay.table.shorthand import (
    ABOUT_IT,
    BROKEN,
    FITS,
    MISPLACED,
    LineMeaning,
    applied,
    is_called,
    position_to_come,
    short_form,
    spoken_act,
)
from replay.table.wording import act_in_words, few, phase_expects, pile_spoken, who_is_to_act, with_letter

PLAYED = (ev.Play, ev.Draw, ev.Discard, ev.Meld, ev.Capture, ev.Arrange, ev.Bid, ev.Pass, ev.Bet, ev.Name)


def fit_of(events: tuple[Event, ...], state: State[Any], log: Sequence[NumberedEvent]) -> LineMeaning:
    """How well an act fits a position; `log` is the record so far. The state is not changed."""
    event = events[0]
    now = state
    if type(event) not in acts_of(state.game.key):
        if isinstance(event, ev.Deal):
            speaks_against = _dealt_wrongly(event, state, log)
        else:
            speaks_against = (
                further_hand(events, state) or _begun_wrongly(event, state) or tally_doubts(event, state)
                or _no_act_of(event, state)
            )
            speaks_against = speaks_against or _leaves_unfinished(event, state) or _unknown_word(event, state.game)
        return LineMeaning(events, ABOUT_IT, speaks_against)
    if begins_unwritten(event, state):
        now = state.copy()
        ensure_hand_started(now)
    phase = now.game.phases.get(now.phase)
    by_nobody = is_by_nobody(event, now)
    if phase is None or type(event) not in phase.acts or by_nobody:
        doubt = t("{act}: not now; expected {what}", act=spoken_act(event, now.game), what=expects(now))
        return LineMeaning(events, MISPLACED, (doubt,))
    doubts = [
        _objection(event, rule, says.text, now)
        for rule, says in objections(now, event)
        if says.verdict == Verdict.BROKEN
    ]
    doubts += _unknown_word(event, now.game)
    if not doubts and type(event) in phase.confirm_first and state.number and not state.gap:
        doubts = [t(
            "{act}: not now; hand {n} is over, expected {what}", act=spoken_act(event, now.game), n=state.number,
            what=expects(state),
        )]  # fmt: skip
    if not doubts:
        after = now.copy()
        applied(after, event)
        new = after.table.trouble[len(now.table.trouble) :]
        doubts = [f"{spoken_act(event, now.game)}: {t.text}" + sighting(t.card, log) for t in new]
    return LineMeaning(events, BROKEN if doubts else FITS, tuple(doubts))


def _unknown_word(event: Event, game: Game) -> tuple[str, ...]:
    """Doubts about a call: the game has no such word."""
    if not isinstance(event, ev.Call) or event.word in game.words:
        return ()
    said = [game.spoken(word) for word in game.words if is_called(word, game)]
    act, name = spoken_act(event, game), in_language(game.name)
    return (
        t("{act}: {game} knows no such word; what is said in it is {words}", act=act, game=name, words=", ".join(said))
        if said else t("{act}: {game} knows no such word; nothing is said in it", act=act, game=name),
    )


def further_hand(events: Sequence[Event], state: State[Any]) -> tuple[str, ...]:
    """Doubts about the start of a hand after the match is over."""
    begins = next((event for event in events if isinstance(event, ev.Hand)), None)
    if begins is None or not state.ended:
        return ()
    return (t("{act}: not now; expected {what}", act=t("hand {n}", n=begins.number), what=expects(state)),)


def _begun_wrongly(event: Event, state: State[Any]) -> tuple[str, ...]:
    """Doubts about the start of a hand: another player deals, or holds the bank."""
    if not isinstance(event, ev.Hand):
        return ()
    return tuple(
        _objection(event, rule, says.text, state) for rule, says in objections(state, event)
        if says.verdict == Verdict.BROKEN
    )


def _leaves_unfinished(event: Event, state: State[Any]) -> tuple[str, ...]:
    """Doubts about starting the next hand, or ending this one, while this one is in play without a result."""
    in_play = state.acts and state.turn and not (state.settled or state.tallies or state.gap)
    if isinstance(event, ev.Hand) and in_play:
        return (
            t(
                "hand {n}: hand {m} is not over, and has no result; go on with it, or give its result with `r`",
                n=event.number, m=state.number,
            ),
        )
    if isinstance(event, ev.End) and event.what == "hand" and in_play and state.game.has_cards:
        return (t("hand {n} is in play; ended now it has no result", n=state.number),)
    return ()


def tally_doubts(event: Event, state: State[Any]) -> tuple[str, ...]:
    """Doubts about a tally: impossible facts, and contradictions to the moves of the hand or an earlier tally."""
    if not isinstance(event, ev.Tally):
        return ()
    wrong = [
        why for _, why in contradictory_facts(event.facts, state)
    ] + [*against_the_moves(event.facts, state).values()]
    earlier = () if state.lost_count or is_for_next_hand(state) else state.tallies[-1:]
    wrong += ["; ".join(texts) for facts in earlier if (texts := told_otherwise(event.facts, facts, state))]
    return tuple(f"{t('result')}: {why}" for why in wrong)


def _dealt_wrongly(deal: ev.Deal, state: State[Any], log: Sequence[NumberedEvent]) -> tuple[str, ...]:
    """Doubts about a deal: cards that are elsewhere, piles that were dealt already."""
    now = position_to_come(state)
    broken = [says.text for _, says in objections(now, deal) if says.verdict == Verdict.BROKEN]
    after = now.copy()
    applied(after, deal)
    broken += [t.text for t in after.table.trouble[len(now.table.trouble) :]]
    # Between two hands nothing has been dealt yet; and if no seat is to act, cards are to be dealt.
    earlier = () if now is not state or not now.turn else _dealt_before(deal, now, after, log)
    return tuple(f"{spoken_act(deal, state.game)}: {text}" for text in dict.fromkeys(broken or earlier))


def _dealt_before(deal: ev.Deal, state: State[Any], after: State[Any], log: Sequence[NumberedEvent]) -> Iterator[str]:
    """Piles, other than hands, that got cards earlier in this hand and still have some."""
    # The start of an unrecorded hand is known only from its note.
    began = max((at for at, text in state.inferred if text.startswith(f"hand {state.number} ")), default=0)
    for placed in reversed(log):
        event = placed.event
        if isinstance(event, ev.Hand) or placed.n < began:
            return
        earlier = [name for name, _ in event.piles] if isinstance(event, ev.Deal) else []
        for name, _ in deal.piles:
            lying, then = (there.table.piles.get(name.partition("..")[0]) for there in (state, after))
            # Cards that replace the first ones are dealt again, and are not too many.
            added = lying is not None and then is not None and len(then) > len(lying) > 0
            if not name.startswith("hand:") and name in earlier and added:
                place = pile_spoken(name, state.table.called, state.game)
                yield t("cards were dealt to {place} at {n}", place=place, n=placed.n)


def _no_act_of(event: Event, state: State[Any]) -> tuple[str, ...]:
    """Doubts about an act that this game does not have."""
    verb = str(event.__struct_config__.tag)
    if isinstance(event, PLAYED) and type(event) not in state.game.on:
        acts = sorted(str(kind.__struct_config__.tag) for kind in acts_of(state.game.key))
        return (
            t(
                "{act}: there is no {verb} in {game}; its acts are {acts}", act=spoken_act(event, state.game),
                verb=verb, game=in_language(state.game.name), acts=", ".join(acts),
            ),
        )
    return ()


def sighting(card: str, log: Sequence[NumberedEvent]) -> str:
    """The last record of a card, in brackets; "" if there is none."""
    placed = last_sighting(log, card)
    return f" ({t('recorded at {n}', n=placed.n)})" if placed else ""


def _objection(event: Event, rule: Rule, text: str, state: State[Any]) -> str:
    """A paragraph about an act that a rule of the game rejects."""
    return _doubt(event, f"{state.game.key}.{rule.id} {rule.short}", rule.heading, text, state)


def _doubt(event: Event, rule: str, heading: str, text: str, state: State[Any]) -> str:
    """A paragraph about an act that certainly breaks a rule."""
    options = legal(state, limit=60)
    acts = [a for a in options.acts if a.by == event.by]
    lines = [
        t("{act} - not allowed", act=spoken_act(event, state.game)), _row(t("rule"), f'{rule} ("{heading}")'),
        _row(t("because"), text),
    ]
    if acts:
        shown = few([without_actor(a, state) for a in acts])
        lines.append(_row(t("legal"), shown if options.complete else t("{these} (perhaps others)", these=shown)))
    todo = t("correct the line, or keep it with !: it stands as played, and is marked")
    return "\n".join([*lines, _row(t("next"), todo)])


def _row(head: str, text: str) -> str:
    return f"  {head:<7}  {text}"


def without_actor(act: Event, state: State[Any]) -> str:
    """An act without its actor, in the words of the game: a card by its symbol alone."""
    return short_form(act) if isinstance(act, ev.Bid) or (
        isinstance(act, ev.Play) and not act.src
    ) else act_in_words(act, state.game)


def expects(state: State[Any]) -> str:
    """What a position expects, in words: the hand if one is to begin, the seats to act, and the notation."""
    if state.ended:
        return t("nothing more: the match is over (claim, confirm, note and fix are always possible)")
    if state.phase == "between":
        after = position_to_come(state)
        hand = (
            t("hand {n}, dealt by {who}", n=after.number, who=after.terms.name(after.dealer)) if after.game.has_cards
            else t("hand {n}", n=after.number)
        )
        return f"{hand} – {expects(after)}"
    phase = state.game.phases[state.phase]
    if not phase.acts:
        return f"{phase_expects(state)}: {figure_order(state)} ({result_example(state)})"
    who = who_is_to_act(state, partial(with_letter, state)) if state.turn else in_language(phase.name, state.game.key)
    return f"{who}: {phase_expects(state)}"
