"""Écarté: two players propose and refuse to change cards, then play five tricks; a king of trumps and three tricks
score, and five points win."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Annotated, Any, Literal

from msgspec import Meta

from events.cards import SUITS
from events.model import Call, Deal, Discard, Draw, Event, Fault, Move, Pass, Play, Show
from reducers.page import (
    begin_with, CONSEQUENCE, DUTY, RIGHT, UNOBSERVABLE, WHO_DEALS, Catalogue, CheckResult, DealSpec, Game, Dealing,
    Omissions, Shorthand, Display, Simulation, HandScore, Law, ScoreLine, Phase, Points, State, TallyFacts, add_points,
    as_many_as_dealt, broken, changing, contract, counts_nothing, deals_next, try_each_card, figure, finish_hand,
    first_to_target, gained, hand_score, ledger, apply_reported_facts, pack, plus, pretty, ranking, ensure_dealt,
    result_text, rule, seat, shuffle_and_deal, singles, summary_of, figure_of_line, running_total, turned_up,
    unless_told, yes_or_no, HouseRules,
)  # fmt: skip
from reducers.piles import Lies
from reducers.words.exchange import (
    Exchange, as_many_are_drawn, cards_are_changed_in_turn, drawn_from_the_stock, meant_to_be_changed,
    no_more_than_the_stock_has,
)  # fmt: skip
from reducers.words.proposals import (
    ACCEPT, BY_PROPOSALS, DECLINE, NOBODY, PROPOSE, Proposals, answered_in_turn, proposal_phases, proposed_in_turn,
    the_stock_is_out, infer_proposal_parts, who_acts,
)  # fmt: skip
from reducers.words.shown_king import (
    ShownKings, on_king_denied, on_king_shown, shows_the_king, the_king_in_time, the_king_scores, who_showed_it,
)  # fmt: skip
from reducers.words.trick_play import (
    first_to_act, trick_counts, tricks_of_each, TRICKS, card_denied, first_lead, just_taken, must_follow_suit,
    must_head_in_suit, must_trump_higher, one_card_in_turn, suit_led, winner_gathers,
)  # fmt: skip
from reducers.words.upcards import UPCARD, UpcardHand, on_upcard

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
         "without one.", "propose", {(Call, Pass): proposed_in_turn}),
    rule("R2", EXCHANGE, DUTY, "The dealer accepts or declines what is proposed; if the dealer declines, the play "
         "begins.", "answer", {Call: answered_in_turn}),
    rule("R3", EXCHANGE, DUTY, "After a proposal was accepted the dealer's opponent discards any number of cards and "
         "draws the same number, then the dealer does.", "exchange in turn",
         {(Discard, Draw, Pass): cards_are_changed_in_turn, Draw: as_many_are_drawn}),
    rule("R4", EXCHANGE, DUTY, "Nobody discards more cards than the stock has left; the card that is turned up is not "
         "drawn.", "what the stock has",
         {Discard: no_more_than_the_stock_has, Draw: drawn_from_the_stock}),
    rule("R5", EXCHANGE, DUTY, "Once the stock is out, no more cards are changed, and the play begins at once.",
         "the stock is out", {(Call, Discard, Draw): the_stock_is_out}),
    rule("R6", EXCHANGE, DUTY, "The king of trumps is shown after the exchange and before the holder's own first card, "
         "once.", "show the king", {Show: the_king_in_time}),
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
    rule("R14", EXCHANGE, RIGHT, "Whoever holds the king of trumps may show it in time, for a point.", "the king",
         {Fault: the_king_scores}),
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
    PROPOSE: "call: propose an exchange",
    ACCEPT: "call: accept the exchange that was proposed",
    DECLINE: "call: decline it; the play begins",
    "king": "fault: the table does not let the king of trumps score",
    "revoke": "fault: the table says that a card was not allowed, and plays on",
}


class Hand(UpcardHand):
    """The record of one hand of Écarté: the proposals, the exchange, and the kings that were shown."""

    def __init__(self, state: State[Hand]) -> None:
        super().__init__(state, PLAIN)
        self.exchange, self.kings = Exchange(), ShownKings()
        self.proposals = Proposals(state.terms.after(state.dealer), state.dealer)


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
        return 0.6 if event.word == DECLINE else 1.2
    return 4.0 if isinstance(event, Show) else 0.7 if isinstance(event, Pass) else 1.0


GAME = Game(
    key="ecarte", name="Écarté", family="tricks", summary=summary_of(__doc__),
    seating=singles(2), pack=PACK,
    dealing=Dealing(deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=chance),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=begin_with(first_to_act("proposing"), Hand),
    phases={
        **proposal_phases(DEAL.each),
        "play": Phase(
            "play", (Play, Call, Discard, Draw), "a card; the king of trumps may be shown before the first one",
            to_do="play", one_card=True, bare=(), verb_required=(Call, Discard, Draw),
            tries=(try_each_card, shows_the_king),
        ),
    },
    on={
        **TRICKS, **BY_PROPOSALS, Deal: on_dealt, Show: on_shown, Fault: on_king_denied,
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
