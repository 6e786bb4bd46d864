"""Proposals before the play: one seat proposes an exchange or not, the other accepts or declines; then both change
cards (`exchange`). This goes on until a seat wants no exchange or the stock is out.

The page's record of the hand keeps the `Proposals` as `proposals`, its `Exchange` as `exchange` and its `Tricks` as
`trick`. The page spreads `BY_PROPOSALS` into its `on` and `proposal_phases(most)` into its phases, and sets
`unwritten`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from events.model import Call, Discard, Draw, Event, Pass, Play
from reducers.evolve import steps_while
from reducers.model import Evolve, Phase, State
from reducers.rules import CheckResult, broken, unknown
from reducers.words import exchange
from reducers.words.deals import WHO_DEALS
from reducers.words.one_round import GONE_BY, gone_by
from reducers.words.trial_acts import try_calling, try_pass
from reducers.words.trick_play import is_led, open_play

PROPOSE, ACCEPT, DECLINE = "propose", "accept", "decline"
ANSWERS = (ACCEPT, DECLINE)
GONE = "that may be missing from the record"
BEGUN = "the play has begun; the time for proposals is over"
NOBODY = "none"
# Phases before the play.
BEFORE = ("proposing", "answering", *exchange.PHASES)


class Proposals:
    """Proposals and answers of a hand. `by` proposes and `to` answers; `accepted` counts the exchanges. `refused`: the
    seat that declined the first exchange, `NOBODY` once one was accepted, empty while unknown. `plays`: the seat that
    showed in its turn that it wants no exchange, and has said nothing else since. `heard`: the seats that spoke in the
    roles assumed for them. `denied`: one spoke in the other's role before both had spoken."""

    def __init__(self, by: str, to: str) -> None:
        self.by, self.to = by, to
        self.heard: frozenset[str] = frozenset()
        self.denied = False
        self.accepted, self.refused, self.plays = 0, "", ""

    def accepts(self) -> None:
        """Record that a proposal is accepted."""
        self.accepted += 1
        self.refused, self.plays = NOBODY, ""

    def refuses(self, seat: str) -> None:
        """Record that a seat wants no exchange; only the first refusal matters."""
        self.refused = self.refused or seat


def who_deals_is_open(state: State[Any]) -> bool:
    """Return True if the dealer is unknown: not recorded, and not confirmed by both seats' roles."""
    said: Proposals = state.hand.proposals
    return state.dealer_is_guess and (not said.refused or said.denied or len(said.heard) == 1)


# -- what may be said and done -----------------------------------------------------------------------------------------


def proposed_in_turn(act: Call | Pass, state: State[Any]) -> CheckResult | None:
    """Only the proposer proposes or passes; the other seat speaks after that."""
    said: Proposals = state.hand.proposals
    if isinstance(act, Call) and act.word != PROPOSE:
        return None
    if gone_by(state):
        return unknown(GONE_BY)
    if isinstance(act, Call) and act.by != said.by:
        if who_deals_is_open(state):
            return broken(BEGUN) if is_led(state) else unknown(WHO_DEALS)
        return broken(f"{said.by} proposes, and {act.by} answers")
    if state.phase == "play":
        return broken(BEGUN)
    if isinstance(act, Call) and said.plays == act.by:
        return broken(f"{act.by} chose to play without an exchange and may not propose now")
    if state.phase == "answering":
        return unknown(f"whether {said.to} accepted or declined: {GONE}")
    if state.phase == "proposing" and act.by != said.by:
        return unknown(f"what {said.by} said before this: {GONE}")
    return None


def answered_in_turn(call: Call, state: State[Any]) -> CheckResult | None:
    """The other seat accepts or declines the proposal."""
    said: Proposals = state.hand.proposals
    if call.word not in ANSWERS:
        return None
    if gone_by(state):
        return unknown(GONE_BY)
    if call.by != said.to:
        if who_deals_is_open(state) and not is_led(state):
            return unknown(WHO_DEALS)
        return broken(f"{said.to} answers what {said.by} proposes")
    if state.phase == "play":
        return broken("the play has begun, so there is no proposal to answer")
    if said.plays == call.by and call.word == ACCEPT:
        return broken(f"{call.by} chose to play without an exchange and may not accept now")
    return None if state.phase == "answering" else unknown(f"whether {said.by} proposed before this: {GONE}")


def the_stock_is_out(act: Call | Discard | Draw, state: State[Any]) -> CheckResult | None:
    """Once the stock is out there are no more proposals, answers or exchanges."""
    if state.phase != "play" or (isinstance(act, Call) and act.word not in (PROPOSE, *ANSWERS)):
        return None
    return broken("the stock is out, and the play begins") if exchange.stock_count(state) == 0 else None


# -- inferred acts -----------------------------------------------------------------------------------------------------


def infer_dealer_by_act(act: Event, state: State[Any]) -> None:
    """Infer the dealer, if not recorded, from the seat that speaks, changes cards or leads first."""
    said: Proposals = state.hand.proposals
    if not state.dealer_is_guess or said.refused or state.phase != "proposing":
        return
    if act.by == (said.by if isinstance(act, Call) and act.word in ANSWERS else said.to):
        the_other_has_dealt(act, state)


def the_other_has_dealt(act: Event, state: State[Any]) -> None:
    """Swap the roles, as an act shows that the other seat dealt."""
    said: Proposals = state.hand.proposals
    said.by, said.to = said.to, said.by
    state.dealer = said.to
    state.infer(f"{said.by} {begins_with(act)}, so {said.to} has dealt (not recorded)")
    state.turn = (said.by,)


def speaks_as_the_other(call: Call, state: State[Any]) -> None:
    """Apply a call made in the other role: if the dealer is unknown, swap the roles; earlier calls may then have been
    out of turn."""
    said: Proposals = state.hand.proposals
    if who_deals_is_open(state) and not is_led(state):
        the_other_has_dealt(call, state)
        said.denied, said.heard, state.phase = True, frozenset(), "proposing"


def begins_with(act: Event) -> str:
    """The first act of the dealer's opponent, in words."""
    if isinstance(act, Call):
        return "proposes"
    return "leads" if isinstance(act, Play) else "speaks first" if isinstance(act, Pass) else "changes cards first"


def belongs_to_phase(act: Event, state: State[Any]) -> bool:
    """Return True if an act belongs to the phase that the hand is in."""
    phase, whose = state.phase, act.by in state.turn
    if isinstance(act, Call):
        return phase == ("proposing" if act.word == PROPOSE else "answering")
    if isinstance(act, Pass):
        # The seat that proposed keeps all cards only once the proposal was accepted.
        return phase == "proposing" or (phase in ("answering", "exchanging") and whose)
    if isinstance(act, Discard):
        return phase == "exchanging" and whose
    return isinstance(act, Draw) and phase == "drawing" and whose


def infer_proposal_parts(state: State[Any], act: Event) -> None:
    """Infer from an act of a later phase that the earlier ones are over, and the acts that were not recorded."""
    hand = state.hand
    infer_dealer_by_act(act, state)
    if isinstance(act, Draw) and exchange.is_late(act, state):
        return
    if isinstance(act, Discard) and state.phase == "drawing" and act.by in state.turn and not hand.exchange.drawn:
        # The discard goes on in another line.
        state.phase = "exchanging"
    # After a gap the play need not begin when the earlier phases are over.
    for _ in steps_while(lambda: state.phase in BEFORE and not belongs_to_phase(act, state) and not hand.trick.lost):
        one_step_on(act, state)
    if state.phase in BEFORE and act.by in state.turn:
        hand.proposals.heard |= {act.by}


def one_step_on(act: Event, state: State[Any]) -> None:
    """Infer the end of the current phase from this act."""
    hand, said, to_play = state.hand, state.hand.proposals, isinstance(act, Play)
    if state.phase == "drawing":
        exchange.infer_exchange_draws(state)
        changed(hand.exchange.seat, state)
    elif state.phase == "exchanging" and isinstance(act, Draw) and act.by in state.turn:
        exchange.discarded_unwritten(act, state)
    elif state.phase == "exchanging":
        last = state.turn[0]
        exchange.mark_exchange_unknown(last, state)
        changed(last, state)
    elif state.phase == "answering":
        state.infer(f"{said.to} {'declined' if to_play else 'accepted'} before this (not recorded)")
        apply_proposal_answer(DECLINE if to_play else ACCEPT, state)
    elif to_play:
        state.infer(f"{said.by} plays without {'another' if said.accepted else 'an'} exchange (not recorded)")
        said.refuses(said.by)
        open_play(state)
    else:
        state.infer(f"{said.by} proposed an exchange before this (not recorded)")
        state.phase, state.turn = "answering", (said.to,)


# -- applying the acts -------------------------------------------------------------------------------------------------


def changed(last: str, state: State[Any]) -> None:
    """Move on after a seat has changed or kept its cards: the dealer changes next, or there is a new proposal."""
    said = state.hand.proposals
    if exchange.stock_count(state) == 0:
        open_play(state)
    elif last == said.by:
        state.phase, state.turn = "exchanging", (said.to,)
    else:
        state.phase, state.turn = "proposing", (said.by,)


def apply_proposal_answer(word: str, state: State[Any]) -> None:
    """Accept a proposal, so that cards are changed, or decline it, so that play begins."""
    said = state.hand.proposals
    if word == ACCEPT:
        said.accepts()
        state.hand.exchange.passed_over = ""
        state.phase, state.turn = "exchanging", (said.by,)
    else:
        said.refuses(said.to)
        open_play(state)


def on_call(call: Call, state: State[Any]) -> None:
    """Apply a proposal or its answer."""
    if call.word not in (PROPOSE, *ANSWERS):
        return
    infer_dealer_by_act(call, state)
    said = state.hand.proposals
    if call.by != (said.by if call.word == PROPOSE else said.to):
        speaks_as_the_other(call, state)
    if call.by != (said.by if call.word == PROPOSE else said.to):
        return
    if state.phase == "answering" and call.word == PROPOSE:
        return
    infer_proposal_parts(state, call)
    if state.phase == "proposing":
        state.phase, state.turn = "answering", (said.to,)
    elif state.phase == "answering":
        apply_proposal_answer(call.word, state)


def on_pass(act: Pass, state: State[Any]) -> None:
    """Apply a pass: all cards are kept, or play begins without an exchange."""
    infer_proposal_parts(state, act)
    said = state.hand.proposals
    if state.phase == "exchanging":
        exchange.keeps_all(act, state)
        changed(act.by, state)
    elif act.by == said.by and state.phase == "proposing":
        said.refuses(said.by)
        open_play(state)


def on_discard(discard: Discard, state: State[Any]) -> None:
    """Apply a discard, face down."""
    infer_proposal_parts(state, discard)
    exchange.discards_down(discard, state)


def on_draw(draw: Draw, state: State[Any]) -> None:
    """Apply a draw for cards that were discarded."""
    infer_proposal_parts(state, draw)
    if exchange.draws_for_them(draw, state):
        changed(draw.by, state)


BY_PROPOSALS: Mapping[type[Event], Evolve] = {Call: on_call, Pass: on_pass, Discard: on_discard, Draw: on_draw}


def lets_it_be(state: State[Any]) -> Event | None:
    """What a lone `.` means: no exchange is proposed, or all cards are kept."""
    return Pass(by=state.turn[0]) if state.turn else None


def who_acts(state: State[Any], kind: type[Event]) -> tuple[str, ...]:
    """The seats meant by a line without a seat: a lead instead of an answer is the proposer's."""
    return (state.hand.proposals.by,) if kind is Play and state.number and state.phase == "answering" else state.turn


def proposal_phases(most: int) -> Mapping[str, Phase]:
    """The phases of a hand before the play, if at most n cards are changed."""
    return {
        "proposing": Phase(
            "proposing", (Call, Pass, Draw, Play),
            "propose, or a pass (.) to play without an exchange, or the first lead", default_act=lets_it_be,
            to_do="propose or play", one_card=True, bare=(), verb_required=(Draw,),
            tries=(try_calling(PROPOSE), try_pass), ignores_holdings=True,
        ),
        "answering": Phase(
            "answering", (Call, Pass, Draw, Play), "accept or decline, or the first lead", to_do="accept or decline",
            one_card=True, bare=(), verb_required=(Draw, Pass), tries=(try_calling(ACCEPT, DECLINE),),
            ignores_holdings=True,
        ),
        "exchanging": Phase(
            "the exchange", (Discard, Pass, Draw), "the cards thrown away (3x unseen), or a pass (.) to keep all",
            default_act=lets_it_be, to_do="discard or keep all", verb_required=(Draw,),
            tries=(exchange.discarding(most), try_pass), ignores_holdings=True,
        ),
        "drawing": Phase(
            "drawing", (Draw,), "as many cards drawn (.), or the next act at once",
            default_act=exchange.default_exchange_draw, to_do="draw", tries=(exchange.draws_as_many,),
            ignores_holdings=True,
        ),
    }  # fmt: skip
