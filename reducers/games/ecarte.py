"""Écarté: two players propose and refuse to change cards, then play five tricks; a king of trumps and three tricks
score, and five points win."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Annotated, Any, Literal

from msgspec import Meta

from events.cards import SUITS
from events.model import Call, Deal, Discard, Draw, Event, Fault, Move, Pass, Play, Show
from reducers.evolve import steps_while
from reducers.page import (
    reopen_hand, begin_with, CONSEQUENCE, DUTY, RIGHT, UNOBSERVABLE, WHO_DEALS, Catalogue, CheckResult, DealSpec, Game,
    Dealing, Omissions, Shorthand, Display, Simulation, HandScore, Law, ScoreLine, Phase, Points, State, TallyFacts,
    add_points, as_many_as_dealt, broken, changing, contract, counts_nothing, deals_next, try_each_card, figure,
    finish_hand, first_to_target, gained, hand_score, ledger, apply_reported_facts, pack, plus, pretty, ranking,
    ensure_dealt, result_text, rule, seat, shuffle_and_deal, singles, summary_of, figure_of_line, running_total,
    turned_up, unless_told, yes_or_no, HouseRules, unknown, try_calling, try_pass,
)  # fmt: skip
from reducers.piles import Lies
from reducers.words import exchange
from reducers.words.exchange import (
    Exchange, as_many_are_drawn, cards_are_changed_in_turn, drawn_from_the_stock, meant_to_be_changed,
    no_more_than_the_stock_has, GONE,
)  # fmt: skip
from reducers.words.one_round import GONE_BY, gone_by
from reducers.words.trick_play import (
    first_to_act, trick_counts, tricks_of_each, TRICKS, card_denied, first_lead, just_taken, must_follow_suit,
    must_head_in_suit, must_trump_higher, one_card_in_turn, suit_led, winner_gathers, open_play, is_led,
)  # fmt: skip
from reducers.words.upcards import UPCARD, UpcardHand, on_upcard, on_card_shown

# Setup
RANKS = "K Q J A 10 9 8 7"
PACK, PLAIN = pack(RANKS), ranking(RANKS)
KINGS = PACK.rank["K"]
DEAL = DealSpec(each=5, then=(turned_up(UPCARD),), rest="stock")


class Options(HouseRules, frozen=True):
    """House rules of Écarté."""

    target: Annotated[int, Meta(ge=1, le=99, description="points that win the match")] = 5
    king_until: Annotated[
        Literal["own_card", "lead"],
        Meta(description="until when the king of trumps may be shown: the holder's own first card, or the first lead"),
    ] = "own_card"
    vulnerable_vole_points: Annotated[
        int, Meta(ge=2, le=3, description="what all five tricks count against a vulnerable player")
    ] = 3


SETUP, EXCHANGE, VULNERABILITY, PLAY, SCORING = "Setup", "The exchange", "Vulnerability", "Play of the hand", "Scoring"
RULES = Catalogue(
    "ecarte",
    rule("R1", EXCHANGE, DUTY, "The dealer's opponent speaks first: only this player proposes an exchange, or plays "
         "without one.", "propose"),
    rule("R2", EXCHANGE, DUTY, "The dealer accepts or declines what is proposed; if the dealer declines, the play "
         "begins.", "answer"),
    rule("R3", EXCHANGE, DUTY, "After a proposal was accepted the dealer's opponent discards any number of cards and "
         "draws the same number, then the dealer does.", "exchange in turn",
         {(Discard, Draw, Pass): cards_are_changed_in_turn, Draw: as_many_are_drawn}),
    rule("R4", EXCHANGE, DUTY, "Nobody discards more cards than the stock has left; the card that is turned up is not "
         "drawn.", "what the stock has",
         {Discard: no_more_than_the_stock_has, Draw: drawn_from_the_stock}),
    rule("R5", EXCHANGE, DUTY, "Once the stock is out, no more cards are changed, and the play begins at once.",
         "the stock is out"),
    rule("R6", EXCHANGE, DUTY, "The king of trumps is shown after the exchange and before the holder's own first card, "
         "once.", "show the king"),
    rule("R7", PLAY, DUTY, "The dealer's opponent leads to the first trick, the winner of a trick to the next.",
         "lead", {Play: first_lead}),
    rule("R8", PLAY, DUTY, "A player who holds the suit led plays it.", "follow suit", {Play: must_follow_suit}),
    rule("R9", PLAY, DUTY, "A player who follows suit plays a higher card than the one led, if possible.",
         "head the trick", {Play: must_head_in_suit}),
    rule("R10", PLAY, DUTY, "A player who cannot follow suit trumps, if possible.", "trump", {Play: must_trump_higher}),
    rule("R11", PLAY, DUTY, "The players play one card each in turn.", "play in turn", {Play: one_card_in_turn}),
    rule("R12", SCORING, CONSEQUENCE, "The first player with five points wins, and play stops, even if a king of "
         "trumps gives the last point.", "the match"),
    rule("R13", SETUP, CONSEQUENCE, "Each player is dealt five cards, and the next is turned up for trumps; if it is a "
         "king, the dealer scores a point.", "the deal", {Deal: as_many_as_dealt}),
    rule("R14", EXCHANGE, RIGHT, "Whoever holds the king of trumps may show it in time, for a point.", "the king"),
    rule("R15", VULNERABILITY, CONSEQUENCE, "A player who declines the first exchange is vulnerable; after one "
         "exchange, even of no cards, no player becomes vulnerable.", "vulnerable"),
    rule("R16", PLAY, RIGHT, "A player who leads, or has neither the suit led nor a trump, may play any "
         "card.", "any card"),
    rule("R17", PLAY, CONSEQUENCE, "The higher trump wins the trick; without one, the higher card of the suit led.",
         "who wins", {Move: winner_gathers}),
    rule("R18", SCORING, CONSEQUENCE, "Three tricks or more score a point, all five another, and one more if the loser "
         "was vulnerable.", "points"),
    rule("R19", EXCHANGE, UNOBSERVABLE, "Showing the king is optional: keeping it in hand breaks no rule, so a record "
         "is never marked for it."),
)  # fmt: skip

READINGS = {
    "Who rejects a proposal?": "the dealer, though the text names the other player twice",
    "Until when may the king be shown?": "until its holder's own first card; option king_until=lead: until the first "
    "lead. A king that is led first may be shown with the lead",
    "A king shown too late": "scores nothing",
    "All five tricks against a vulnerable player": "count three, the sum of the parts; option vulnerable_vole_points=2",
    "Who deals next?": "the other player; the text does not say it",
    "Does the leader of a trick follow the same rules?": "the player who plays second to a trick, dealer or not",
    "An exchange without a card changed": "still counts as one: no player becomes vulnerable after it",
    "Declining a later proposal": "is allowed, and makes no player vulnerable",
    "Fewer than ten cards left": "the dealer's opponent takes first, the dealer what is left; with none left the play "
    "begins, though the dealer had no turn",
    "A lead before anything was said": "says `I play`; a lead after a proposal says that it was declined",
    "A tally without vulnerable, king or upcard": "says that there was nothing of the kind",
}
WORDS = {
    "propose": "call: propose an exchange",
    "accept": "call: accept the exchange that was proposed",
    "decline": "call: decline it; the play begins",
    "king": "fault: the table does not let the king of trumps score",
    "revoke": "fault: the table says that a card was not allowed, and plays on",
}


class Hand(UpcardHand):
    """The record of one hand of Écarté: the proposals, the exchange, and the kings that were shown."""

    def __init__(self, state: State[Hand]) -> None:
        super().__init__(state, PLAIN)
        self.exchange, self.kings = Exchange(), ShownKings()
        self.proposals = Proposals(state.terms.after(state.dealer), state.dealer)


ANSWERS = ("accept", "decline")
BEGUN = "the play has begun; the time for proposals is over"
NOBODY = "none"
# Proposals and their answers: the phases before the play
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


def who_deals_is_open(state: State[Hand]) -> bool:
    """Return True if the dealer is unknown: not recorded, and not confirmed by both seats' roles."""
    said: Proposals = state.hand.proposals
    return state.dealer_is_guess and (not said.refused or said.denied or len(said.heard) == 1)


@RULES.check("R1", Call, Pass)
def proposed_in_turn(act: Call | Pass, state: State[Hand]) -> CheckResult | None:
    """Only the proposer proposes or passes; the other seat speaks after that."""
    said: Proposals = state.hand.proposals
    if isinstance(act, Call) and act.word != "propose":
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


@RULES.check("R2", Call)
def answered_in_turn(call: Call, state: State[Hand]) -> CheckResult | None:
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
    if said.plays == call.by and call.word == "accept":
        return broken(f"{call.by} chose to play without an exchange and may not accept now")
    return None if state.phase == "answering" else unknown(f"whether {said.by} proposed before this: {GONE}")


@RULES.check("R5", Call, Discard, Draw)
def the_stock_is_out(act: Call | Discard | Draw, state: State[Hand]) -> CheckResult | None:
    """Once the stock is out there are no more proposals, answers or exchanges."""
    if state.phase != "play" or (isinstance(act, Call) and act.word not in ("propose", *ANSWERS)):
        return None
    return broken("the stock is out, and the play begins") if exchange.stock_count(state) == 0 else None


def infer_dealer_by_act(act: Event, state: State[Hand]) -> None:
    """Infer the dealer, if not recorded, from the seat that speaks, changes cards or leads first."""
    said: Proposals = state.hand.proposals
    if not state.dealer_is_guess or said.refused or state.phase != "proposing":
        return
    if act.by == (said.by if isinstance(act, Call) and act.word in ANSWERS else said.to):
        the_other_has_dealt(act, state)


def the_other_has_dealt(act: Event, state: State[Hand]) -> None:
    """Swap the roles, as an act shows that the other seat dealt."""
    said: Proposals = state.hand.proposals
    said.by, said.to = said.to, said.by
    state.dealer = said.to
    state.infer(f"{said.by} {begins_with(act)}, so {said.to} has dealt (not recorded)")
    state.turn = (said.by,)


def speaks_as_the_other(call: Call, state: State[Hand]) -> None:
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


def belongs_to_phase(act: Event, state: State[Hand]) -> bool:
    """Return True if an act belongs to the phase that the hand is in."""
    phase, whose = state.phase, act.by in state.turn
    if isinstance(act, Call):
        return phase == ("proposing" if act.word == "propose" else "answering")
    if isinstance(act, Pass):
        # The seat that proposed keeps all cards only once the proposal was accepted.
        return phase == "proposing" or (phase in ("answering", "exchanging") and whose)
    if isinstance(act, Discard):
        return phase == "exchanging" and whose
    return isinstance(act, Draw) and phase == "drawing" and whose


def infer_proposal_parts(state: State[Hand], act: Event) -> None:
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


def one_step_on(act: Event, state: State[Hand]) -> None:
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
        apply_proposal_answer("decline" if to_play else "accept", state)
    elif to_play:
        state.infer(f"{said.by} plays without {'another' if said.accepted else 'an'} exchange (not recorded)")
        said.refuses(said.by)
        open_play(state)
    else:
        state.infer(f"{said.by} proposed an exchange before this (not recorded)")
        state.phase, state.turn = "answering", (said.to,)


def changed(last: str, state: State[Hand]) -> None:
    """Move on after a seat has changed or kept its cards: the dealer changes next, or there is a new proposal."""
    said = state.hand.proposals
    if exchange.stock_count(state) == 0:
        open_play(state)
    elif last == said.by:
        state.phase, state.turn = "exchanging", (said.to,)
    else:
        state.phase, state.turn = "proposing", (said.by,)


def apply_proposal_answer(word: str, state: State[Hand]) -> None:
    """Accept a proposal, so that cards are changed, or decline it, so that play begins."""
    said = state.hand.proposals
    if word == "accept":
        said.accepts()
        state.hand.exchange.passed_over = ""
        state.phase, state.turn = "exchanging", (said.by,)
    else:
        said.refuses(said.to)
        open_play(state)


def on_call(call: Call, state: State[Hand]) -> None:
    """Apply a proposal or its answer."""
    if call.word not in ("propose", *ANSWERS):
        return
    infer_dealer_by_act(call, state)
    said = state.hand.proposals
    if call.by != (said.by if call.word == "propose" else said.to):
        speaks_as_the_other(call, state)
    if call.by != (said.by if call.word == "propose" else said.to):
        return
    if state.phase == "answering" and call.word == "propose":
        return
    infer_proposal_parts(state, call)
    if state.phase == "proposing":
        state.phase, state.turn = "answering", (said.to,)
    elif state.phase == "answering":
        apply_proposal_answer(call.word, state)


def on_pass(act: Pass, state: State[Hand]) -> None:
    """Apply a pass: all cards are kept, or play begins without an exchange."""
    infer_proposal_parts(state, act)
    said = state.hand.proposals
    if state.phase == "exchanging":
        exchange.keeps_all(act, state)
        changed(act.by, state)
    elif act.by == said.by and state.phase == "proposing":
        said.refuses(said.by)
        open_play(state)


def on_discard(discard: Discard, state: State[Hand]) -> None:
    """Apply a discard, face down."""
    infer_proposal_parts(state, discard)
    exchange.discards_down(discard, state)


def on_draw(draw: Draw, state: State[Hand]) -> None:
    """Apply a draw for cards that were discarded."""
    infer_proposal_parts(state, draw)
    if exchange.draws_for_them(draw, state):
        changed(draw.by, state)


def lets_it_be(state: State[Hand]) -> Event | None:
    """What a lone `.` means: no exchange is proposed, or all cards are kept."""
    return Pass(by=state.turn[0]) if state.turn else None


def who_acts(state: State[Hand], kind: type[Event]) -> tuple[str, ...]:
    """The seats meant by a line without a seat: a lead instead of an answer is the proposer's."""
    return (state.hand.proposals.by,) if kind is Play and state.number and state.phase == "answering" else state.turn


class ShownKings:
    """The kings shown in a hand. `by`: the seat that showed each, empty if the table does not let it score. `at`:
    number of acts of the exchange before it. `perhaps`: by seat, a card that may be the king of trumps, or the king if
    it may have been that seat's lead."""

    def __init__(self) -> None:
        self.by: dict[str, str] = {}
        self.at: dict[str, int] = {}
        self.perhaps: dict[str, str] = {}


def king_of(state: State[Hand]) -> str:
    """The king of trumps."""
    return f"K{state.hand.trump}"


def king_shown(show: Show, state: State[Hand]) -> tuple[str, str]:
    """The seat that shows a card that may be the king of trumps, and the card; else two empty strings."""
    if not state.number or state.settled:
        return "", ""
    pack, cards = state.game.pack, [card for group in show.groups for card in group]
    whose = show.by if show.src in ("", "trick") else show.src.removeprefix("hand:")
    code = pack.code.get(cards[0]) if len(cards) == 1 else None
    if code is None or whose not in state.terms.seats:
        return "", ""
    kings = pack.rank["K"] & (pack.suit[state.hand.trump] if state.hand.trump else pack.full)
    return (whose, cards[0]) if pack.may_be[code] & kings else ("", "")


def was_card_seen(card: str, state: State[Hand]) -> bool:
    """Return True if all of this card was seen."""
    return bool(state.game.pack.code[card] < state.game.pack.unknown)


def with_the_lead(whose: str, king: str, state: State[Hand]) -> bool:
    """Return True if the king is the card that its holder has just led to the first trick."""
    trick = state.hand.trick
    return not trick.won and trick.plays == [(whose, state.game.pack.code[king])]


def has_been_played(whose: str, card: str, state: State[Hand]) -> bool:
    """Return True if a seat has played this card, so that it is shown on the table."""
    trick = state.hand.trick
    return any(
        (whose, state.game.pack.code[card]) in plays for plays in (*(one.plays for one in trick.won), trick.plays)
    )


def perhaps_with_the_lead(whose: str, king: str, state: State[Hand]) -> bool:
    """Return True if the king may be the half-seen card that its holder has just led to the first trick."""
    trick, pack = state.hand.trick, state.game.pack
    if trick.won or [seat for seat, _ in trick.plays] != [whose]:
        return False
    code: int = trick.plays[0][1]
    return code >= pack.unknown and bool(pack.may_be[code] & pack.may_be[pack.code[king]])


def changed_after_king(king: str, state: State[Hand]) -> bool:
    """Return True if cards were changed after this king was shown, by the record."""
    at: int | None = state.hand.kings.at.get(king)
    return at is not None and state.hand.exchange.acts > at


def why_king_too_late(whose: str, king: str, state: State[Hand]) -> str:
    """Why a king can no longer be shown; empty if it can."""
    trick = state.hand.trick
    if king in state.hand.kings.by and not changed_after_king(king, state):
        return f"the {pretty(king)} was shown before"
    if with_the_lead(whose, king, state):
        return ""
    played = [one for one, _ in (*(trick.won[0].plays if trick.won else ()), *trick.plays)]
    if whose in played:
        return f"{whose} has played a card, and shows the {pretty(king)} too late"
    if played and state.terms.options.king_until == "lead":
        return f"{played[0]} has led, and {whose} shows the {pretty(king)} too late"
    return ""


def wants_no_exchange(whose: str, state: State[Hand]) -> bool:
    """Return True if a seat that shows the king now, instead of making a call, thereby begins the play."""
    return state.phase in ("proposing", "answering") and whose in state.turn


@RULES.check("R6", Show)
def the_king_in_time(show: Show, state: State[Hand]) -> CheckResult | None:
    """The king of trumps is shown after the exchange, once, and not too late."""
    whose, card = king_shown(show, state)
    if not whose:
        return None
    if gone_by(state):
        return unknown(GONE_BY)
    if not state.hand.trump:
        return unknown("whether it is the king of trumps: no trumps were recorded")
    king = king_of(state)
    late = why_king_too_late(whose, king, state)
    if late and perhaps_with_the_lead(whose, king, state):
        holds = False if show.src == "trick" else state.holding(whose).any_of(
            state.game.pack.field[state.game.pack.code[king]]
        )
        if holds is None:
            return unknown(f"whether {whose} has led the {pretty(king)}; not all of that card was seen")
        late = late if holds else ""
    over = state.phase == "play" or wants_no_exchange(whose, state)
    if not was_card_seen(card, state):
        return unknown(f"whether it is the {pretty(king)}; not all of the card was seen") if late or not over else None
    if late:
        return broken(late)
    return None if over else unknown(f"whether the exchange was over: {GONE}")


@RULES.check("R14", Fault)
def the_king_scores(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """A king that was shown in time scores; a fault that denies it is wrong."""
    if not state.number or fault.word != "king":
        return None
    kings, king = state.hand.kings, king_of(state)
    shown = kings.by.get(king, "") if not changed_after_king(king, state) else ""
    if shown and fault.who in ("", shown):
        return broken(f"{shown} showed the king of trumps in time")
    in_doubt = kings.perhaps and (not fault.who or fault.who in kings.perhaps)
    return unknown("whether the king of trumps was shown in time") if in_doubt else None


def on_king_shown(show: Show, state: State[Hand]) -> None:
    """Apply a show: the upcard shows trumps; a king of trumps in the hand scores if it is shown in time."""
    whose, card = king_shown(show, state)
    if whose:
        ensure_dealt(state)
        if wants_no_exchange(whose, state) and was_card_seen(card, state):
            state.hand.proposals.plays = whose
    kings, in_doubt = state.hand.kings if whose else None, whose and perhaps_with_the_lead(whose, card, state)
    if not whose or not (has_been_played(whose, card, state) or (in_doubt and not show.src)):
        on_card_shown(show, state)
    if kings is None or not in_time(show, whose, card, state):
        return
    if not was_card_seen(card, state) or (in_doubt and not show.src):
        kings.perhaps[whose] = card
    else:
        kings.by[card], kings.at[card] = whose, state.hand.exchange.acts


def in_time(show: Show, whose: str, card: str, state: State[Hand]) -> bool:
    """Return True if a card that was shown may score as the king of trumps."""
    king = card if was_card_seen(card, state) or not state.hand.trump else king_of(state)
    return perhaps_with_the_lead(whose, king, state) if why_king_too_late(whose, king, state) else True


def on_king_denied(fault: Fault, state: State[Hand]) -> None:
    """Apply a fault that denies the king its score; if it had won the match, the hand goes on."""
    king = king_of(state) if state.number else ""
    kings = state.hand.kings if king else None
    if fault.word != "king" or kings is None:
        return
    kings.perhaps = {whose: card for whose, card in kings.perhaps.items() if fault.who not in ("", whose)}
    if king not in kings.by or fault.who not in ("", kings.by[king]):
        return
    kings.by[king] = ""
    if state.settled and len(state.hand.trick.won) < state.hand.trick.total:
        state.ended = ""
        reopen_hand(state)
        state.phase = "proposing"
        open_play(state)


def who_showed_it(state: State[Hand]) -> str:
    """The seat that showed the king of trumps for points, `NOBODY` if none did; empty while unknown."""
    kings, king = state.hand.kings, king_of(state)
    if changed_after_king(king, state) or (not state.hand.trump and (any(kings.by.values()) or kings.perhaps)):
        return ""
    by: str = kings.by.get(king, "")
    if by:
        return by
    told = {showed_it_after_all(whose, card, state) for whose, card in kings.perhaps.items()}
    return told.pop() if len(told) == 1 else "" if told else NOBODY


def showed_it_after_all(whose: str, card: str, state: State[Hand]) -> str:
    """The seat, if the cards played show that its doubtful card was the king; `NOBODY` if not; empty while unknown."""
    pack, king = state.game.pack, king_of(state)
    code, tricks = pack.code[king], [one.plays for one in state.hand.trick.won]
    led = was_card_seen(card, state)
    if led and card != king:
        return NOBODY
    # A king that may have been led was shown too late if it comes later.
    cards = [c for plays in tricks[led:] for seat, c in plays if seat == whose]
    if any(seat != whose and c == code for plays in tricks for seat, c in plays) or (led and code in cards):
        return NOBODY
    all_seen = len(tricks) == state.hand.trick.total and max(cards, default=pack.unknown) < pack.unknown
    if not all_seen or (code in cards and not led):
        return ""
    return whose if led else NOBODY


def shows_the_king(seat: str, state: State[Hand]) -> Iterator[Event]:
    """A show of the king of trumps by its holder, while it may be shown."""
    king, pack = king_of(state), state.game.pack
    if (
        state.hand.trump and king not in state.hand.kings.by
        and state.holding(seat).certain & pack.field[pack.code[king]]
    ):
        yield Show(by=seat, groups=((king,),))


# The king of trumps
def on_shown(show: Show, state: State[Hand]) -> None:
    on_king_shown(show, state)
    won_before_the_play(state)


def on_dealt(deal: Deal, state: State[Hand]) -> None:
    on_upcard(deal, state)
    won_before_the_play(state)


def won_before_the_play(state: State[Hand]) -> None:
    """End the hand if a king of trumps wins the match: it is not played out."""
    # A king that is turned up gives a point, and so does one that is shown.
    near = state.terms.options.target - 2
    if not state.number or state.settled or all((n or 0) < near for n in state.before.totals.values()):
        return
    if there_already(tally(state), state):
        finish_hand(state)


# Play of the hand
@RULES.check("R16", Fault)
def any_card_was_free(fault: Fault, state: State[Hand]) -> CheckResult | None:
    denied = card_denied(fault, state) if fault.word == "revoke" and state.number else None
    if denied is None:
        return None
    if not denied.before:
        return broken(f"{denied.seat} led, and any card may be led")
    if denied.held is None or not state.hand.trump:
        return None
    if denied.held & (PACK.suit[denied.led] | PACK.suit[state.hand.trump]):
        return None
    return broken(f"{denied.seat} held neither the suit led nor a trump")


# Scoring
def one_king_only(known: Mapping[str, Any], state: State[Hand]) -> str:
    """A law: the king of trumps is either turned up or shown by a player."""
    both = known.get("upcard") is True and known.get("king") in state.terms.seats
    return f"{known['king']} cannot have shown the king of trumps, as it was turned up" if both else ""


class Tally(TallyFacts):
    """What a hand of Écarté is scored from."""

    tricks: Points = trick_counts("player", DEAL.each, "R18")
    vulnerable: str = unless_told(NOBODY, seat(
        f"who declined the first exchange; {NOBODY} if no player did", NOBODY, rule="R15", asks="who was vulnerable",
    ))  # fmt: skip
    king: str = unless_told(NOBODY, changing(seat(
        f"who showed the king of trumps; {NOBODY} if no player did", NOBODY, rule="R14", asks="who showed the king",
    )))  # fmt: skip
    upcard: bool | None = yes_or_no("whether a king was turned up", rule="R13", asks="whether a king was turned up")

    laws = (Law(("king", "upcard"), one_king_only, "R13"),)


def king_turned_up(state: State[Hand]) -> bool | None:
    """True if the card that was turned up is a king; None if unknown."""
    pile = state.table.piles.get(UPCARD)
    if not state.acts and (pile is None or not pile.row):
        return None if state.tallies else False
    may_be = pile.may_hold() if pile is not None else PACK.full
    return None if may_be & KINGS and may_be & ~KINGS else bool(may_be & KINGS)


def tally(state: State[Hand]) -> Tally:
    hand, tricks = state.hand, tricks_of_each(state)
    # While the dealer is unknown, one of the contradictory calls was no refusal.
    denied = state.dealer_is_guess and hand.proposals.denied
    refused = "" if denied else hand.proposals.refused if state.acts else NOBODY
    return apply_reported_facts(Tally(tricks, refused, who_showed_it(state), king_turned_up(state)), state)


def kings_points(t: Tally, state: State[Hand]) -> Iterator[ScoreLine]:
    """Score lines for the king of trumps, in the order in which they score."""
    if t.upcard is not False:
        gets = state.dealer if not state.dealer_is_guess else ""
        if t.upcard and gets:
            yield ScoreLine("upcard", {gets: 1}, {gets: "a king turned up: 1"})
        else:
            yield ScoreLine("upcard", {who: None for who in state.terms.seats if gets in ("", who)})
    if t.king != NOBODY:
        known = {t.king: "king of trumps: 1"} if t.king else {}
        yield ScoreLine("king", dict.fromkeys(known, 1) or dict.fromkeys(state.terms.seats), known)


def there_already(t: Tally, state: State[Hand]) -> tuple[ScoreLine, ...]:
    """The score lines up to the king that wins the match; empty if none does."""
    totals, lines = dict(state.before.totals), list[ScoreLine]()
    for line in kings_points(t, state):
        lines.append(line)
        for who, n in line.amounts.items():
            totals[who] = plus(totals[who], n)
            if (totals[who] or 0) >= state.terms.options.target:
                return tuple(lines)
    return ()


def worth(tricks: int, vulnerable: bool, most: int = 3) -> tuple[int, str]:
    """The score of n tricks against a player who was vulnerable or not, and the sum in words.

    >>> [worth(n, loser)[0] for loser in (False, True) for n in (3, 4, 5)], worth(5, True, 2)[0]
    ([1, 1, 2, 2, 2, 3], 2)
    """
    every = tricks == DEAL.each
    points = min(1 + every + vulnerable, most)
    return points, f"{'all five' if every else tricks} tricks{', loser vulnerable' * vulnerable}: {points}"


def card_turned_up(state: State[Hand]) -> str:
    """The card that makes trumps; empty if not fully seen."""
    pile = state.table.piles.get(UPCARD)
    return pretty(PACK.tokens[pile.row[-1]]) if pile is not None and pile.row and pile.row[-1] < PACK.unknown else ""


def score(state: State[Hand]) -> HandScore:
    t, terms, nobody = tally(state), state.terms, dict.fromkeys(state.terms.seats, 0)
    trumps = card_turned_up(state)
    over, known = there_already(t, state), {who: n for who, n in t.tricks.items() if n is not None}
    lines, missing = list(over or kings_points(t, state)), list[str]()
    shown: Points = {**nobody}
    for line in lines:
        shown = add_points(shown, line.amounts) if line.label == "upcard" or t.king else shown
    nothing = None if over else counts_nothing(state, t.void, contract=trumps, unfinished=len(known) < 2, so_far=shown)
    if nothing is not None:
        return nothing
    if t.upcard is None or (t.upcard and state.dealer_is_guess):
        missing.append("whether a king was turned up" if t.upcard is None else WHO_DEALS)
    if not t.king:
        missing.append("who showed the king")
    outcome = "not played"
    if not over:
        lines.insert(0, ScoreLine("tricks", {who: t.tricks.get(who) for who in terms.seats}))
        won, asks, outcome = trick_points(t, terms.options.vulnerable_vole_points, state)
        lines.append(won)
        missing += asks
    points: Points = {**nobody}
    for line in lines:
        for who, n in line.amounts.items() if line.label != "tricks" else ():
            points[who] = plus(points[who], n)
    return hand_score(state, points, lines, contract=trumps, result=outcome, unknown=missing)


def trick_points(t: Tally, most: int, state: State[Hand]) -> tuple[ScoreLine, list[str], str]:
    """The score line of the tricks, what is missing for it, and the result in words."""
    terms, known = state.terms, {who: n for who, n in t.tricks.items() if n is not None}
    if len(known) < len(terms.seats):
        return ScoreLine("points", dict.fromkeys(terms.seats)), ["who took how many tricks"], ""
    winner, loser = sorted(known, key=lambda who: -known[who])
    said = f"{terms.name(winner)} {figure(known[winner])}–{figure(known[loser])}"
    if not t.vulnerable and (most > 2 or known[winner] < DEAL.each):
        return ScoreLine("points", {winner: None}), ["who was vulnerable"], said
    points, told = worth(known[winner], t.vulnerable == loser, most)
    said += f", {terms.name(t.vulnerable)} vulnerable" if t.vulnerable in terms.seats else ""
    return ScoreLine("points", {winner: points}, {winner: told}), [], said


# At the table
def chance(state: State[Hand], random: Random) -> list[Event]:
    """The deal; if the king that is turned up wins the match for the dealer, the stock is not put down."""
    events = shuffle_and_deal(state, random)
    dealer, up = events[0].by, next(event for event in events if isinstance(event, Deal) and event.face == "up")
    wins = up.piles[0][1][0][0] == "K" and (state.standing.totals[dealer] or 0) + 1 >= state.terms.options.target
    return events[:-1] if wins else events


def weigh(state: State[Hand], event: Event) -> float:
    """Weights for the simulation: some cards are changed, mostly low ones, and a king is shown in time."""
    if isinstance(event, Discard):
        return 0.02 if any(card[0] in "KQJ" or card[1] == state.hand.trump for card in event.cards) else 0.4
    if isinstance(event, Call):
        return 0.6 if event.word == "decline" else 1.2
    return 4.0 if isinstance(event, Show) else 0.7 if isinstance(event, Pass) else 1.0


GAME = Game(
    key="ecarte", name="Écarté", family="tricks", summary=summary_of(__doc__),
    seating=singles(2), pack=PACK,
    dealing=Dealing(deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=chance),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=begin_with(first_to_act("proposing"), Hand),
    phases={
        "proposing": Phase(
            "proposing", (Call, Pass, Draw, Play),
            "propose, or a pass (.) to play without an exchange, or the first lead", default_act=lets_it_be,
            to_do="propose or play", one_card=True, bare=(), verb_required=(Draw,),
            tries=(try_calling("propose"), try_pass), ignores_holdings=True,
        ),
        "answering": Phase(
            "answering", (Call, Pass, Draw, Play), "accept or decline, or the first lead", to_do="accept or decline",
            one_card=True, bare=(), verb_required=(Draw, Pass), tries=(try_calling("accept", "decline"),),
            ignores_holdings=True,
        ),
        "exchanging": Phase(
            "the exchange", (Discard, Pass, Draw), "the cards thrown away (3x unseen), or a pass (.) to keep all",
            default_act=lets_it_be, to_do="discard or keep all", verb_required=(Draw,),
            tries=(exchange.discarding(DEAL.each), try_pass), ignores_holdings=True,
        ),
        "drawing": Phase(
            "drawing", (Draw,), "as many cards drawn (.), or the next act at once",
            default_act=exchange.default_exchange_draw, to_do="draw", tries=(exchange.draws_as_many,),
            ignores_holdings=True,
        ),
        "play": Phase(
            "play", (Play, Call, Discard, Draw), "a card; the king of trumps may be shown before the first one",
            to_do="play", one_card=True, bare=(), verb_required=(Call, Discard, Draw),
            tries=(try_each_card, shows_the_king),
        ),
    },
    on={
        **TRICKS, Call: on_call, Pass: on_pass, Discard: on_discard, Draw: on_draw, Deal: on_dealt, Show: on_shown,
        Fault: on_king_denied,
    },
    tally=Tally, compute_tally=tally, score=score, after=first_to_target,
    sheet=ledger(
        {"turned up": contract, "won": result_text},
        {"{} tricks": figure_of_line("tricks"), "{} ±": gained, "{}": running_total},
    ),
    omissions=Omissions(unwritten=infer_proposal_parts),
    shorthand=Shorthand(
        expand=lambda state, event: (meant_to_be_changed(event, state),), implied_actor=who_acts, led=suit_led,
        verbs={Pass: "keeps all cards"},
    ),
    display=Display(
        headline=lambda state: {"trump": state.hand.trump} if state.hand.trump in SUITS else {},
        last_outcome_text=just_taken, contract=card_turned_up,
        piles={UPCARD: Lies("stack", "beside", called="trumps"), "discard": Lies("stack", "beside", "nobody")},
    ),
    simulation=Simulation(weigh=weigh),
)  # fmt: skip
