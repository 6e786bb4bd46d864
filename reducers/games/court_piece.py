"""Court Piece: four players in partnerships win hands of thirteen tricks; seven hands in a row, or the first seven
tricks of one, are a court."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct

from events.name_lists import one_of
from events.model import Back, Call, Deal, Event, Fault, Gap, Move, Name, Play
from events.model import Hand as HandEvent
from reducers.page import (
    begin_with, CONSEQUENCE, DUTY, GLYPHS, RIGHT, SUITS, UNOBSERVABLE, WHO_DEALS, Catalogue, CheckResult, DealSpec,
    Game, Dealing, MatchRules, Judging, Omissions, Shorthand, Display, HandScore, Law, ScoreLine, Phase, Points,
    Standing, State, TallyFacts, Terms, bounded, broken, choice, contract, counts, counts_nothing, try_each_card,
    figure, figures, gained, grows, hand_score, ensure_hand_started, of_the, or_said, apply_reported_facts, pack,
    partnerships, plus, ranking, ensure_dealt, result_text, rule, settle, side, side_named, summary_of, figure_of_line,
    running_total, unasked, unknown, we_they,
)  # fmt: skip
from reducers.rules import Breach
from reducers.scoring import Penalty
from reducers.words.deals import is_next_hand
from reducers.words.revokes import (
    CLAIMED, claim_did_not_stand, claim_is_founded, ends_the_hand, founded_claims, on_claim, whoever_revoked,
)  # fmt: skip
from reducers.words.scores import scorer_told
from reducers.words.streaks import (
    BROKEN_OFF, ROW, Streak, highest_has_won, nothing_won, one_hand_more, row_in_words, row_line,
    shuffle_and_deal_until_enough, won_by,
)  # fmt: skip
from reducers.words.sweeps import (
    DECIDED, SWEEP, begin_after_a_stop, continue_after_sweep, kept_from_playing_on, lead_or_play_on, on_choice,
    on_gap_after_a_stop, plays_up_to_a_sweep, stop_at_a_sweep, stop_or_play_on, sweepers_choose,
)  # fmt: skip
from reducers.words.corrected_revokes import (
    in_turn_or_in_place, kept_from_putting_it_right, on_back, put_in_place, revoke_put_right, taken_back_unwritten,
)  # fmt: skip
from reducers.words.trick_play import just_taken, must_follow_suit, on_card, sign_of_trumps, suit_led, winner_gathers
from reducers.words.tricks import gathered_by, owner
from reducers.words.trumps_named_mid_deal import (
    NAMED_MID_DEAL, NAMING, PARTS, SECOND, TrumpHand, in_two_parts, name_trumps_first, named_mid_deal,
    second_deal_is_due, trump_named, trumps_are_named_first, unwritten_part,
)  # fmt: skip

# Setup
RANKS = "A K Q J 10 9 8 7 6 5 4 3 2"
PACK, PLAIN = pack(RANKS), ranking(RANKS)
DEAL = DealSpec(each=13, stages=((NAMING, 5), (SECOND, 8)))
# Tricks that make a sweep, hands in a row that make a court, and courts for all thirteen tricks.
FIRST, IN_A_ROW, ALL = 7, 7, 52


class Options(Struct, frozen=True):
    """House rules of Court Piece."""

    hands: Annotated[int, Meta(ge=0, le=999, description="hands of a match; 0 until the table ends it")] = 0
    reset_on_any_court: Annotated[
        bool, Meta(description="after any court the hands in a row are counted from 0 again, not only after the "
                               "seventh")
    ] = False


SETUP, PLAY, REVOKES, COURTS, PASSING = "Setup", "Game play", "Revokes", "Scoring courts", "Passing the deal"


RULES = Catalogue(
    "court-piece",
    rule("R1", SETUP, CONSEQUENCE, "Of the 52 cards each seat is dealt five, and eight more once trumps are named.",
         "the deal", {Deal: in_two_parts}),
    rule("R2", SETUP, DUTY, "The dealer's left names a suit as trumps, once, on the first five cards.",
         "name trumps", {Name: named_mid_deal, Play: trumps_are_named_first}),
    rule("R3", PLAY, DUTY, "The dealer's left leads to the first trick, the winner of a trick to the next.",
         "lead", {Play: lead_or_play_on}),
    rule("R4", PLAY, DUTY, "A seat that holds the suit led plays it; a seat that does not may play any card.",
         "follow suit", {Play: must_follow_suit}),
    rule("R5", PLAY, CONSEQUENCE, "The highest trump wins the trick; without one, the highest card of the suit led.",
         "who wins", {Move: winner_gathers}),
    rule("R6", REVOKES, RIGHT, "Until the trick is full a seat that did not follow suit may take its card back and "
         "follow; those who played after it may then change their cards too.", "put a revoke right",
         {Back: revoke_put_right, Move: revoke_put_right, Fault: kept_from_putting_it_right}),
    rule("R7", REVOKES, CONSEQUENCE, "A revoke in an earlier trick that is found while the hand lasts ends it: the "
         "other side wins the hand and a court.", "revoke", {Call: claim_is_founded, Play: ends_the_hand}),
    rule("R8", COURTS, RIGHT, "A side that has taken the first seven tricks stops the hand, or plays on for all of "
         "them.", "play on", {Call: sweepers_choose, Fault: kept_from_playing_on}),
    rule("R9", COURTS, CONSEQUENCE, "If both sides have some of the first seven tricks, all thirteen are played.",
         "thirteen tricks"),
    rule("R10", PASSING, DUTY, "A player of the side that lost deals: the dealer's left if the dealer's side won; "
         "else the dealer again, or the dealer's partner if the hand gave a court.", "who deals"),
    rule("R11", PLAY, DUTY, "Each seat in turn, clockwise, plays one card to a trick.",
         "play in turn", {Play: in_turn_or_in_place}),
    rule("R12", COURTS, CONSEQUENCE, "The first seven tricks are a court, all thirteen are 52. The seventh hand won in "
         "a row is a court too, and the count then starts again.", "courts"),
    rule("R13", COURTS, CONSEQUENCE, "After the agreed time or number of hands, the side with more courts wins; with "
         "equal courts the match is drawn.", "the match"),
    rule("R14", SETUP, UNOBSERVABLE, "No player may give advice on trumps. A whisper is not in a record, so a table "
         "that heard one writes a remark."),
)  # fmt: skip

READINGS = {
    "Does a hand won by a sweep or by a revoke count among those in a row?": "yes, and it ends the other side's; a "
    "court of these kinds does not set the count back (option reset_on_any_court)",
    "A sweep, or a revoke, that is the seventh hand in a row": "gives both courts",
    "Do the 52 courts come on top of the court for the sweep?": "no, they take its place",
    "Who deals after a court?": "always the side that lost: the dealer's left if the dealer's side won it, the "
    "dealer's partner if it did not",
    "A trick is lost after a sweep": "the hand may end there, and the court stays; it may be played out too",
    "A revoke of those who play on after a sweep": "forfeits the hand, with the court of the sweep",
    "A revoke of the others after a sweep": "gives the one court; it is not added to that of the sweep",
    "The time is over inside a hand": "the hand does not count, except for the court of a completed sweep",
    "Until when can a revoke be claimed?": "until the last trick is full, or the hand was stopped; then it is too late",
    "Can it be claimed after a trick that was lost after a sweep?": "yes, until the next hand begins",
    "Who may claim it?": "any player who finds it; a claim without a seat is about the player who revoked",
    "Who decides to play on?": "either partner, and the first who does; a lead says it too",
    "Is a revoke put right after the last seat has played?": "no, the trick is full then",
    "A claim that the table turns down": "the play simply goes on",
    "Both sides have revoked": "the first claim that stands decides",
    "In how many packets are the eight dealt?": "in any",
    "A hand that does not count": "is dealt again by the same dealer, and leaves the hands in a row as they were",
}
WORDS = {
    "revoke": "call: claim that a player revoked in an earlier trick; fault: the table saw it and went on",
    "on": "call: play on after the first seven tricks, or after a claim that did not stand; fault: the table does not "
    "let a player play on",
    "stop": "call: end the hand after the first seven tricks",
    "back": "fault: the table does not let a player correct a revoke, or change a card after that",
    "advice": "fault: the table heard advice on trumps",
}


class Hand(TrumpHand):
    """The record of one hand of Court Piece: a `Mending`, a `Claiming` and a `Sweeping`."""

    def __init__(self, state: State[Hand]) -> None:
        super().__init__(state, PLAIN)
        self.first, self.sweep = FIRST, ""
        self.empty: tuple[str, ...] = ()
        self.leader = ""
        self.mended: tuple[tuple[str, int], ...] = ()
        self.accused: tuple[str, ...] = ()
        self.claimed, self.turned_down = "", ""
        self.was: tuple[str, tuple[str, ...]] = ("", ())


# Game play
def on_play(play: Play, state: State[Hand]) -> None:
    """Apply a card; after a stop, or after a claim, it shows that the hand goes on."""
    if not state.number:
        ensure_dealt(state)
    if state.phase == SWEEP:
        continue_after_sweep(state)
    taken_back_unwritten(play, state)
    if not put_in_place(play, state):
        on_card(play, state)
    state.hand.turned_down = ""
    stop_at_a_sweep(state)


def on_call(call: Call, state: State[Hand]) -> None:
    """Apply a call: a claim of a revoke; a choice after a sweep; or that play goes on after a claim or a lost trick."""
    if state.number and call.word == "on" and state.phase in (CLAIMED, DECIDED):
        resume(state)
        state.hand.turned_down = ""
    elif state.number:
        on_claim(call, state)
        on_choice(call, state)


def resume(state: State[Hand]) -> None:
    """Go on with a hand that had stopped: a claim was rejected, or a trick was lost after a sweep."""
    if state.phase == DECIDED:
        continue_after_sweep(state)
        return
    claim_did_not_stand(state)
    if state.hand.sweep:
        settle(state)


def unwritten(state: State[Hand], act: Event) -> None:
    """Infer unrecorded acts: how the deal or the play went on, or that a new hand has begun."""
    if isinstance(act, Play) and state.phase in (CLAIMED, DECIDED):
        resume(state)
    elif isinstance(act, Name) and state.settled:
        ensure_hand_started(state)
    else:
        unwritten_part(state, act)


# Passing the deal
def dealers(state: State[Hand]) -> tuple[str, ...]:
    """The seats that may have to deal the next hand: one, if the result of the last one is known."""
    s, terms = state.scores[-1] if state.scores else None, state.terms
    dealer = state.dealer if s is None else s.dealer
    winner, partner = won_by(s), state.terms.left(dealer, 2)
    if s is None or s.source == "void" or s.result == BROKEN_OFF:
        return (dealer,)
    if not winner:
        return terms.seats
    if terms.side_of[dealer] == winner:
        return (terms.left(dealer),)
    courts = s.points.get(winner)
    return (dealer, partner) if courts is None else (partner,) if courts else (dealer,)


def next_dealer(state: State[Hand]) -> str:
    """The next dealer; the same dealer again if that is unknown."""
    due = dealers(state)
    return due[0] if len(due) == 1 else state.dealer


@RULES.check("R10", HandEvent)
def a_loser_deals(hand: HandEvent, state: State[Hand]) -> CheckResult | None:
    if not is_next_hand(hand, state) or state.stop_reason or state.score is None or state.score.source == "void":
        return None
    due = dealers(state)
    if due == (hand.by,):
        return None
    if state.dealer_is_guess:
        return unknown(WHO_DEALS)
    if hand.by in due:
        return unknown("who won the hand, and with a court or without")
    return broken(f"{one_of(due)} deals, not {hand.by}")


def a_sweep_and_a_loss(known: Mapping[str, Any], state: State[Hand]) -> str:
    """A law: reported tricks, sweep, revoke and winner must agree."""
    terms, sides = state.terms, tuple(state.terms.sides)
    tricks = {side: n for side in sides if type(n := known.get(f"tricks.{side}")) is int}
    swept, revoked, won = (side_named(known.get(key), terms) for key in ("sweep", "revoke", "winner"))
    fewer = len(tricks) == len(sides) and sum(tricks.values()) < DEAL.each
    if swept and tricks.get(swept, FIRST) < FIRST:
        return f"{swept} cannot have swept the first seven tricks with {tricks[swept]}"
    # A side that goes on after a sweep loses one trick, and the hand is decided; with more the rest was played out.
    if fewer and not revoked and (max(tricks.values()) < FIRST or (not swept and min(tricks.values()) > 1)):
        told = " and ".join(map(str, tricks.values()))
        return f"{told} do not add up to {DEAL.each} tricks, and no side swept seven"
    if won and won == revoked:
        return f"{won} revoked and cannot have won the hand"
    if won and not revoked and (tricks.get(won, FIRST) < FIRST or swept not in ("", won)):
        return f"{won} cannot have won the hand with {tricks.get(won, 'the sweep of the others')}"
    return ""


class Tally(TallyFacts):
    """What a hand of Court Piece is scored from; sides are None if not reported."""

    winner: str | None = side("side that won the hand", asks="who won the hand")
    tricks: Points = or_said(of_the("winner", grows(counts(
        "tricks taken by a side", of=DEAL.each, fewest=0, rule="R9",
        ruling="tricks that a side gets, or gives with a minus",
    ))), sweep={"sweep": "{}"}, revoke={"revoke": "{other}"})  # fmt: skip
    trump: str = choice("suit that was trumps", *SUITS, rule="R2")
    sweep: str | None = bounded(lambda state: {"": nobody_sweeps(state)}, unasked(side(
        "side that took the first seven tricks", ruling="side that has the first seven tricks",
    )))  # fmt: skip
    revoke: str | None = unasked(side(
        "side that forfeits the hand by a revoke", ruling="side that forfeits the hand",
    ))  # fmt: skip
    courts: Points = unasked(figures(
        "courts of a side, as somebody decided", 0, ALL + 1, rule="R12", ruling="courts that the hand gives a side",
    ))  # fmt: skip

    laws = (Law(("winner", "tricks", "sweep", "revoke"), a_sweep_and_a_loss, "R9"),)


def nobody_sweeps(state: State[Hand]) -> str | None:
    """"" if both sides have one of the first seven tricks, else None."""
    tricks = state.hand.trick
    owners = {owner(trick, state.terms.side_of) for trick in tricks.won[:FIRST]}
    return "" if len(owners - {""}) > 1 and not tricks.lost else None


def tally(state: State[Hand]) -> Tally:
    hand, tricks = state.hand, state.hand.trick
    played: Points = dict.fromkeys(state.terms.sides)
    if hand.sweep or (len(tricks.won) == DEAL.each and not tricks.lost):
        played = tricks.taken_by(state.terms.side_of)
    moves = Tally(tricks=played, sweep=hand.sweep or None, revoke=hand.claimed or None, trump=hand.trump)
    t = apply_reported_facts(moves, state)
    known = {side: n for side, n in t.tricks.items() if n is not None}
    if t.revoke:
        t.winner = state.terms.other(t.revoke)
        return t
    if len(known) == 1 and 0 in known.values():
        t.sweep = t.sweep or state.terms.other(next(iter(known)))
    ahead = [side for side, n in known.items() if n >= FIRST]
    if len(known) == 2 and (0 in known.values() or sum(known.values()) < DEAL.each) and ahead:
        t.sweep = t.sweep or ahead[0]
    t.winner = t.sweep or (ahead[0] if ahead else t.winner or scorer_told(state) or None)
    if t.sweep and not known:
        # A sweep reported without tricks was stopped, as is the custom.
        t.tricks = {side: FIRST * (side == t.sweep) for side in t.tricks}
    return t


def courts_of(t: Tally, row: int | None) -> tuple[int | None, list[str]]:
    """The courts of the winner, whose `row` is the number of hands won in a row with it, and the sums.

    >>> courts_of(Tally("NS", {"NS": 8, "EW": 5}), 7)
    (1, ['seventh hand in a row: 1'])
    >>> courts_of(Tally("EW", {"NS": 0, "EW": 13}, sweep="EW"), 1)
    (52, ['all thirteen tricks: 52'])
    >>> courts_of(Tally("NS", {"NS": 7, "EW": 0}, sweep="NS"), 7)
    (2, ['the first seven tricks: 1', 'seventh hand in a row: 1'])
    """
    sums, got = [], 0
    if not t.revoke and None in t.tricks.values():
        # A win does not say how it was won: the side may have swept the first seven tricks, or all.
        return None, []
    if t.revoke:
        got, sums = 1, ["revoke of the others: 1"]
    elif t.sweep and t.tricks.get(t.sweep) == DEAL.each:
        got, sums = ALL, [f"all thirteen tricks: {ALL}"]
    elif t.sweep:
        got, sums = 1, ["the first seven tricks: 1"]
    if row == IN_A_ROW:
        got, sums = got + 1, [*sums, "seventh hand in a row: 1"]
    return (None if row is None else got), sums


BY_A_REVOKE = "by a revoke"


def said_of(t: Tally, state: State[Hand]) -> str:
    """The result of a hand in words."""
    if t.winner is None:
        return ""
    name, known = state.terms.name(t.winner), list(t.tricks.values())
    if t.revoke:
        return f"{name} {BY_A_REVOKE}"
    figures = "" if None in known else "–".join(figure(n) for n in sorted(known, key=lambda n: -(n or 0)))
    return f"{name} {'swept' if t.sweep else 'won'} {figures}".strip()


def penalties(state: State[Hand], breaches: Sequence[Breach]) -> Iterator[Penalty]:
    """Penalties: the first proven revoke of a hand forfeits it, with a court for the others, unless it was claimed."""
    claimed = {s.number for s in state.scores if s.result.endswith(BY_A_REVOKE)}
    found: dict[int, Breach] = {}
    for breach in sorted(breaches, key=lambda b: b.pos):
        if breach.rule == "court-piece.R4" and breach.by in state.terms.side_of and breach.hand not in claimed:
            found.setdefault(breach.hand, breach)
    for breach in found.values():
        guilty = state.terms.side_of[breach.by]
        name = state.terms.name
        text = f"{name(guilty)} forfeit the hand, and {name(state.terms.other(guilty))} score a court"
        yield Penalty(breach.hand, breach.pos, "court-piece.R7", {"revoke": guilty}, text)


def score(state: State[Hand]) -> HandScore:
    t, before = tally(state), state.before
    assert isinstance(before, Streak)
    trumps = GLYPHS.get(t.trump, "")
    nothing: Points = dict.fromkeys(state.terms.sides, 0)
    if t.void or not (t.sweep or t.revoke):
        over = counts_nothing(state, t.void, contract=trumps)
        if over is not None:
            return over
    if t.winner is None and state.stop_reason:
        return hand_score(state, nothing, contract=trumps, result=BROKEN_OFF, notes=("broken off; no side wins it",))
    if t.winner is None:
        return hand_score(state, dict.fromkeys(nothing), contract=trumps, unknown=["who won the hand"])
    row = plus(before.row[t.winner], 1)
    courts, sums = courts_of(t, row)
    points: Points = {side: courts if side == t.winner else 0 for side in nothing} | t.courts
    lines = (
        *((ScoreLine("tricks", t.tricks),) if None not in t.tricks.values() else ()),
        ScoreLine("courts", points, {t.winner: ", ".join(sums)} if sums else {}),
        row_line(t.winner, row, before),
    )
    why = "how many hands in a row were won" if row is None else "whether the first seven tricks were swept"
    missing = [why] if courts is None else []
    return hand_score(state, points, lines, contract=trumps, result=said_of(t, state), unknown=missing)


def after(before: Standing, hand: HandScore, terms: Terms) -> Streak:
    """The standing: the seventh hand in a row restarts the count; after the agreed hands the match is over."""
    options, winner = terms.options, won_by(hand)
    row = next((line.amounts for line in hand.lines if line.label == ROW), {}).get(winner)
    court = options.reset_on_any_court and bool(hand.points.get(winner))
    now = one_hand_more(before, hand, anew=row == IN_A_ROW or court)
    return highest_has_won(now, terms) if options.hands and now.hands >= options.hands else now


def who_is_meant(state: State[Hand], kind: type[Event]) -> tuple[str, ...]:
    """The seats meant by a line without one: after a sweep the leader; any seat may say that play goes on."""
    if state.phase in (CLAIMED, DECIDED):
        return state.terms.seats[:1]
    return state.turn[:1] if state.phase == SWEEP else state.turn


GAME = Game(
    key="court-piece", name="Court Piece", family="tricks", summary=summary_of(__doc__),
    seating=partnerships(), pack=PACK,
    dealing=Dealing(
        deal=DEAL, lay_deal=ensure_dealt, next_dealer=next_dealer, chance=shuffle_and_deal_until_enough,
        chance_acts_first=second_deal_is_due,
    ),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=begin_with(name_trumps_first, Hand),
    phases={
        **PARTS,
        "play": Phase(
            "play", (Play, Call, Name), "a card", to_do="play", one_card=True, verb_required=(Name,),
            tries=(try_each_card, founded_claims), apply_batch=plays_up_to_a_sweep,
        ),
        SWEEP: Phase(
            "after the first seven tricks", (Call, Play), "stop, on, or a card that plays on; or the next hand",
            to_do="stop or play on", one_card=True, tries=(stop_or_play_on,),
        ),
        DECIDED: Phase("after a lost trick", (Call,), "the next hand, or on", to_do="go on"),
        CLAIMED: Phase("after a claim", (Call,), "the next hand; or on, if the claim did not stand", to_do="go on"),
        "between": Phase("between two hands", (Call,), "the next hand"),
        "gap": Phase("after a gap", (Deal, Name, Play, Call), "whatever comes next", to_do="go on"),
    },
    on={
        **NAMED_MID_DEAL, Play: on_play, Back: on_back, Move: gathered_by, Call: on_call, Gap: on_gap_after_a_stop,
        HandEvent: begin_after_a_stop,
    },
    tally=Tally, compute_tally=tally, concludes_from_hands=True, score=score, after=after,
    match=MatchRules(new_match=nothing_won, ended_by_the_table=highest_has_won),
    sheet=we_they(
        {"trumps": contract, "result": result_text},
        {"{} in a row": figure_of_line(ROW), "{} ±": gained, "{} courts": running_total}
    ),
    judging=Judging(said_any_time=frozenset(("revoke",)), penalties=penalties),
    omissions=Omissions(unwritten=unwritten),
    shorthand=Shorthand(expand=whoever_revoked, implied_actor=who_is_meant, led=suit_led),
    display=Display(
        headline=lambda state: {**trump_named(state), **row_in_words(state.before)}, last_outcome_text=just_taken,
        contract=sign_of_trumps,
    ),
)  # fmt: skip
