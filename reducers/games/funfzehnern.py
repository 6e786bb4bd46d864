"""Fünfzehnern: three or four players take tricks for the cards in them, against a par of fifteen each; a player who
takes the lead continues with the suit in which it was taken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from events.model import Call, Deal, Event, Fault, Move, Pay, Play
from events.name_lists import one_of
from reducers.page import (
    CONSEQUENCE, DUTY, RIGHT, SUIT_NAMES, SUITS, UNOBSERVABLE, Catalogue, CheckResult, DealSpec, Game, Dealing,
    MatchRules, Shorthand, Display, HandScore, ScoreLine, Phase, Points, State, TallyFacts, as_many_as_dealt,
    bounded, broken, counts, counts_nothing, deals_next, try_each_card, figure, gained, hand_score, ledger,
    apply_reported_facts, pack, ranking, ensure_dealt, rule, settlement_sheet, shuffle_and_deal, singles, summary_of,
    running_total, unknown, HandsInMatch,
)  # fmt: skip
from reducers.words.bank import most_chips
from reducers.words.card_points import CardPoints
from reducers.words.trick_play import (
    winner_leads_next, dealers_next_leads_first, TRICKS, TrickHand, just_taken, must_follow_suit, on_card,
    one_card_in_turn, why_out_of_turn, play_at_once, suit_led, winner_gathers,
)  # fmt: skip
from reducers.words.tricks import why_unknown, Tricks

# Setup
RANKS = "A K Q J 10 9 8 7"
PACK = pack(RANKS)
WITHOUT = {suit: pack(RANKS, minus=" ".join(f"{rank}{suit}" for rank in "AKQJT987")) for suit in SUITS}
DEAL = DealSpec(each=8)
PAR = 15

# Card ranking, and what the cards count
PLAIN = ranking(RANKS)
VALUES = {"A": 5, "K": 4, "Q": 3, "J": 2, "10": 1}
COUNTS = {cards: CardPoints(cards, VALUES) for cards in (PACK, *WITHOUT.values())}


class Options(Struct, frozen=True):
    """House rules of Fünfzehnern."""

    hands: HandsInMatch = 8
    removed_suit: Annotated[
        Literal["c", "d", "h", "s"], Meta(description="the suit removed from the pack with three players")
    ] = "c"
    opening_leader_locked: Annotated[
        bool, Meta(description="a first leader who wins the first trick is held to its suit too")
    ] = False
    own_higher_cards_count_as_unbeatable: Annotated[
        bool, Meta(description="a card cannot be beaten either if its player holds all higher ones")
    ] = False


SETUP, PLAY, FORCING, SCORING = "Setup", "Game play", "Forcing (zwang)", "Scoring"
RULES = Catalogue(
    "funfzehnern",
    rule("R1", PLAY, DUTY, "The dealer's left leads to the first trick, any card.", "first lead"),
    rule("R2", PLAY, DUTY, "A seat that holds the suit led plays it; a seat that does not may play any card.",
         "follow suit", {Play: must_follow_suit}),
    rule("R3", PLAY, DUTY, "The highest card of the suit led wins the trick, and its player leads to the next.",
         "who wins", {Move: winner_gathers}),
    rule("R4", PLAY, DUTY, "A player who has taken the lead from another continues with the suit of that trick as "
         "long as the hand has a card of it.", "go on with the suit"),
    rule("R5", PLAY, RIGHT, "An unbeatable card may be led instead: an ace, or a card whose higher cards have all "
         "been played.", "a card that cannot be beaten"),
    rule("R6", FORCING, DUTY, "Zwang is said with the lead of a queen whose king is in the same hand, while the ace of "
         "the suit has not been played.", "zwang"),
    rule("R7", FORCING, DUTY, "After zwang the holder of the ace of the suit plays it to this trick.", "play the ace"),
    rule("R8", PLAY, DUTY, "Each seat in turn plays one card to each of eight tricks.",
         "play in turn", {Play: one_card_in_turn}),
    rule("R9", SETUP, CONSEQUENCE, "Each seat is dealt eight cards; with three players one suit is removed from the "
         "pack.",
         "eight each", {Deal: as_many_as_dealt}),
    rule("R10", SCORING, CONSEQUENCE, "An ace counts 5, a king 4, a queen 3, a jack 2, a ten 1; a player scores the "
         "points above fifteen, or loses those below.", "fifteen"),
    rule("R11", SETUP, UNOBSERVABLE, "Scores are kept on paper, or as chips paid into a pot and out of it: the result "
         "is the same, and recorded chips are compared with it.", "paper or chips"),
)  # fmt: skip

READINGS = {
    "Is the first leader held to a suit after winning the first trick?": "no: the rule speaks of a lead that is taken "
    "from another; option opening_leader_locked",
    "To which suit is a leader held?": "the suit of the trick that took the lead",
    "What if the hand has no more cards of it?": "no suit binds, as long as the lead is kept; later leads bind no "
    "player",
    "Does leading an unbeatable card set its player free?": "no",
    "Does it count that the leader holds the higher cards?": "not by the text; option "
    "own_higher_cards_count_as_unbeatable",
    "Does it count that no other player has the suit?": "no: any higher card that has not been played can beat it",
    "Zwang against the suit that binds the leader": "is no exception: the queen can be beaten while the ace is "
    "unplayed",
    "Zwang with the ace in hand": "forces no player, and is not wrong",
    "Must zwang be said?": "no; without it there is no duty to play the ace",
    "May zwang be said after the queen is led?": "yes, until the next card is played",
    "A zwang that was false": "still binds the holder of the ace: players cannot know it",
    "When is the match over?": "after option hands; the most points win, and level players share the win. "
    "hands=0 goes on until `end match`",
    "Which suit is removed with three players?": "clubs, unless agreed otherwise: option removed_suit",
    "Who deals next?": "the next on the left",
}
WORDS = {
    "zwang": "call: forces the ace, with the lead of a queen",
    "lock": "fault: the table says that another suit had to be led",
}


class Hand(TrickHand):
    """The record of one hand of Fünfzehnern. `zwang`: the seat that said zwang before a lead. `forced`: the ace that is
    forced. `free`: the seat whose lead could not be beaten, for certain if `sure`."""

    def __init__(self, state: State[Hand], ranked: Any = PLAIN) -> None:
        super().__init__(state, ranked)
        self.zwang = self.forced = self.free = ""
        self.sure = False


# Game play
RULES.check("R1", Play)(dealers_next_leads_first)
RULES.check("R3", Play)(winner_leads_next)
@RULES.check("R4", Play)
def the_suit_goes_on(play: Play, state: State[Hand]) -> CheckResult | None:
    options = state.terms.options
    return lead_is_free(
        play.by, state.code(play.cards), state, opening=options.opening_leader_locked,
        own_too=options.own_higher_cards_count_as_unbeatable,
    )  # fmt: skip


@RULES.check("R5", Fault)
def what_nobody_can_beat_may_be_led(fault: Fault, state: State[Hand]) -> CheckResult | None:
    free = state.hand.free if state.number else ""
    if fault.word != "lock" or not free or fault.who not in ("", free):
        return None
    if not state.hand.sure:
        return unknown("whether a card could beat it")
    return broken(f"the card that {free} led could not be beaten")


def locked_suit(seat: str, state: State[Hand], *, opening: bool = False) -> str | None:
    """The suit that a seat must lead now; "" for none, None if unknown.

    It is the suit of the trick by which the seat took the lead from another; later leads of its own change nothing.
    With `opening`, the leader to the first trick is held to that suit, too.
    """
    tricks: Tricks = state.hand.trick
    if tricks.lost:
        return None
    for trick in reversed(tricks.won):
        if seat not in trick.winners:
            return ""  # it leads out of turn; another rule judges that
        if len(trick.winners) > 1 or trick.inferred:
            return None
        if trick.leader != seat or (opening and trick is tricks.won[0]):
            led = tricks.suits.of[trick.plays[0][1]]
            return led if led in SUITS else None
    return ""


def unbeatable(code: int, state: State[Hand], *, own_too: str = "") -> bool | None:
    """True if no card can beat this one in its suit: all higher ones have been played, or are in the hand of the seat
    `own_too`. None if an unseen card may have been one of them."""
    tricks: Tricks = state.hand.trick
    pack, power = state.game.pack, tricks.power[tricks.suits.of[code]]
    # When a suit is led and there are no trumps, only its higher cards are stronger.
    left, _ = power.above(power.values[code])
    if not left:
        return True
    played = [c for trick in tricks.won for _, c in trick.plays]
    for c in played:
        if c < pack.unknown:
            left &= ~pack.unit[c]
    if own_too:
        left &= ~state.holding(own_too).certain
    if not left:
        return True
    unseen = [c for c in played if c >= pack.unknown and pack.may_be[c] & left & state.table.free()]
    may_be_own = bool(own_too) and state.holding(own_too).any_of(left) is not False
    return None if may_be_own or pack.count(left & state.table.free()) == pack.count(left) <= len(unseen) else False


def lead_is_free(
    seat: str, code: int, state: State[Hand], *, opening: bool = False, own_too: bool = False
) -> CheckResult | None:
    """Why a seat may not lead this card; None if it may, or if it follows."""
    tricks: Tricks = state.hand.trick
    pack, held = state.game.pack, state.holding(seat)
    if tricks.plays or not tricks.won:
        return None
    suit = locked_suit(seat, state, opening=opening)
    if suit == "":
        return None
    if suit is None:
        return unknown("in which suit the lead was taken")
    suits = tricks.suits
    has = held.any_of(suits.sure[suit])
    if suits.of[code] == suit or has is False:
        return None
    if code >= pack.unknown:
        return unknown("the card was not seen")
    best = unbeatable(code, state, own_too=seat if own_too else "")
    if best:
        return None
    text = f"{seat} took the lead in {SUIT_NAMES[suit]}, and holds one; the {pack.shown(code)} can be beaten"
    if has and best is False and not tricks.astray:
        return broken(text, held.certain & suits.sure[suit], seat)
    if tricks.astray:
        return unknown("the order of play was broken before this, so a card may be missing from the record")
    return unknown(f"whether {seat} held {SUIT_NAMES[suit]}" if best is False else "whether a card can beat it")


# Forcing (zwang)
def may_force(suit: str, seat: str, state: State[Hand]) -> bool | None:
    """True if the leader of a queen may say zwang: it holds the king, and the ace is not played. None if unknown."""
    cards, trick = state.game.pack, state.hand.trick
    ace, king = cards.code.get(f"A{suit}", cards.unknown), cards.code.get(f"K{suit}", cards.unknown)
    if cards.unknown in (ace, king):
        return False
    played = [code for one in trick.won for _, code in one.plays]
    if ace in played:
        return False
    held = state.holding(seat).any_of(cards.field[king])
    unseen = any(code >= cards.unknown and cards.may_be[code] & cards.field[ace] for code in played)
    if unseen and state.table.free() & cards.field[ace]:
        return False if held is False else None
    return held


def not_forced(suit: str, seat: str, has: bool | None, state: State[Hand]) -> CheckResult | None:
    """The verdict on zwang with the queen of this suit."""
    if has is None:
        return unknown(f"whether {seat} holds the king of {SUIT_NAMES[suit]}, and the ace is still out")
    held = state.holding(seat).certain
    text = f"{seat} does not hold the king of {SUIT_NAMES[suit]}, or the ace has been played"
    return None if has else broken(text, held, seat, together=True)


@RULES.check("R6", Call)
def zwang_with_the_lead_of_a_queen(call: Call, state: State[Hand]) -> CheckResult | None:
    trick, seat = state.hand.trick, call.by
    if call.word != "zwang":
        return None
    if trick.lost:
        return unknown("acts before this are missing from the record")
    if trick.plays:
        if trick.plays[0][0] != seat or len(trick.plays) > 1:
            return broken("only the leader may say zwang, with the lead")
        queen = trick.plays[0][1]
        if queen >= state.game.pack.unknown:
            return unknown("the card that was led was not seen")
        if state.game.pack.rank_of[queen] != "Q":
            return broken("zwang is said with a queen")
        return not_forced(trick.led, seat, may_force(trick.led, seat, state), state)
    if seat not in state.turn:
        return broken(f"{one_of(state.turn)} leads" if state.turn else "no further trick is led")
    if len(state.turn) > 1:
        return unknown(f"who leads: {one_of(state.turn)}")
    return a_queen_to_lead(seat, state)


def a_queen_to_lead(seat: str, state: State[Hand]) -> CheckResult | None:
    """The verdict on zwang before a lead: the seat must hold a king and queen, and may lead that queen."""
    cards, held = state.game.pack, state.holding(seat)
    answers = set[bool | None]()
    for suit in SUITS:
        queen = cards.code.get(f"Q{suit}", cards.unknown)
        has = held.any_of(cards.field[queen]) if queen < cards.unknown else False
        if has is not False and (force := may_force(suit, seat, state)) is not False:
            wrong = the_suit_goes_on(Play(by=seat, cards=(f"Q{suit}",)), state)
            sure = has and force and wrong is None
            answers.add(True if sure else None if wrong is None or wrong.verdict == "open" else False)
    if True in answers:
        return None
    if None in answers or (not state.acts and not len(held)):
        return unknown(f"whether {seat} holds a king and queen")
    return broken(f"{seat} has no king and queen to say it with", held.certain, seat, together=True)


@RULES.check("R6", Play)
def a_queen_follows_zwang(play: Play, state: State[Hand]) -> CheckResult | None:
    hand, code = state.hand, state.code(play.cards)
    if hand.zwang != play.by or hand.trick.plays:
        return None
    cards = state.game.pack
    if code >= cards.unknown:
        return unknown("the card was not seen")
    if cards.rank_of[code] != "Q":
        return broken(f"{play.by} has said zwang, and leads no queen")
    suit = cards.suit_of[code]
    return not_forced(suit, play.by, may_force(suit, play.by, state), state)


@RULES.check("R7", Play)
def the_ace_is_forced(play: Play, state: State[Hand]) -> CheckResult | None:
    hand, cards = state.hand, state.game.pack
    if not hand.forced or not hand.trick.plays or play.cards == (hand.forced,):
        return None
    dark = why_unknown(hand.trick) or why_out_of_turn(play.by, state)
    ace = cards.field[cards.code[hand.forced]]
    has, code = state.holding(play.by).any_of(ace), state.code(play.cards)
    if has is False:
        return None
    if dark is not None or cards.may_be[code] & ace:
        return dark or unknown("the card was not seen")
    which = f"the ace of {SUIT_NAMES[hand.forced[1]]}"
    if has:
        return broken(f"{play.by} holds {which}, and zwang was said", ace, play.by)
    return unknown(f"whether {play.by} held {which}")


def on_call(call: Call, state: State[Hand]) -> None:
    hand = state.hand
    if call.word == "zwang" and not hand.trick.lost:
        if not hand.trick.plays:
            hand.zwang = call.by
        elif hand.trick.plays[0][0] == call.by and len(hand.trick.plays) == 1:
            forces_the_ace(state)


def forces_the_ace(state: State[Hand]) -> None:
    """Force the ace, as zwang was said with the card that was led."""
    trick = state.hand.trick
    if state.game.pack.rank_of[trick.plays[0][1]] == "Q" and trick.led in SUITS:
        state.hand.forced = f"A{trick.led}"


def on_play(play: Play, state: State[Hand]) -> None:
    hand = state.hand
    leads, code = not hand.trick.plays, state.code(play.cards)
    if leads:
        suit = locked_suit(play.by, state, opening=state.terms.options.opening_leader_locked)
        note_lead(play.by, nobody_beats(play.by, code, suit, state), hand)
    said, hand.zwang = hand.zwang, "" if leads else hand.zwang
    on_card(play, state)
    if leads and said == play.by and hand.trick.plays:
        forces_the_ace(state)


def nobody_beats(seat: str, code: int, suit: str | None, state: State[Hand]) -> bool | None:
    """True if a lead off the suit to which its seat is held is unbeatable; False for other leads, None if unknown."""
    cards = state.game.pack
    if not suit or code >= cards.unknown or cards.suit_of[code] == suit:
        return False
    return unbeatable(code, state, own_too=seat if state.terms.options.own_higher_cards_count_as_unbeatable else "")


def note_lead(seat: str, best: bool | None, hand: Hand) -> None:
    """Note a lead: no ace is forced any more, and the card may be unbeatable."""
    hand.forced, hand.free, hand.sure = "", "" if best is False else seat, best is True


# Scoring
class Tally(TallyFacts):
    """What a hand of Fünfzehnern is scored from."""

    points: Points = bounded(lambda state: COUNTS[state.game.pack].at_least(state), counts(
        "what the cards of a player count", of=lambda terms: PAR * len(terms.seats), rule="R10",
        asks="what the cards of each player count",
        ruling="points that a player gets, or gives with a minus",
    ))  # fmt: skip


def tally(state: State[Hand]) -> Tally:
    trick = state.hand.trick
    whole = len(trick.won) == DEAL.each and not trick.lost
    return apply_reported_facts(
        Tally(COUNTS[state.game.pack].taken(state) if whole else dict.fromkeys(state.terms.sides)), state
    )


def score(state: State[Hand]) -> HandScore:
    t = tally(state)
    if nothing := counts_nothing(state, t.void):
        return nothing
    points: Points = {who: None if n is None else n - PAR for who, n in t.points.items()}
    missing = ["what the cards of each player count"] if None in points.values() else []
    cards = {} if state.tallies or missing else COUNTS[state.game.pack].counted_out(state)
    sums = {who: f"{t.points[who]} − {PAR} = {figure(n)}" for who, n in points.items() if n is not None}
    return hand_score(
        state, points, (ScoreLine("cards", t.points, cards), ScoreLine("points", points, sums)), unknown=missing
    )


@RULES.check("R10", Pay)
def chips_are_as_many_as_points(pay: Pay, state: State[Hand]) -> CheckResult | None:
    """A chip for each point is paid into the pot below fifteen, and out of it above."""
    last = state.score if state.number and state.settled else None
    out = pay.src == "pot"
    seat = pay.to.removeprefix("hand:") if out else pay.by
    if last is None or seat not in state.terms.seats or (not out and pay.to not in ("", "pot")):
        return None
    points = last.points.get(seat)
    if points is None:
        return unknown("the result of the hand is unknown")
    does = f"gets {points}" if points > 0 else f"pays {-points}" if points else "neither pays nor gets anything"
    return None if points == (pay.amount if out else -pay.amount) else broken(f"{seat} {does}")


# What may be done now
def says_zwang(seat: str, state: State[Hand]) -> Iterator[Event]:
    if not state.hand.trick.plays and state.hand.zwang != seat:
        yield Call(by=seat, word="zwang")


GAME = Game(
    key="funfzehnern", name="Fünfzehnern", family="tricks", summary=summary_of(__doc__),
    seating=singles(4, 3), pack=PACK,
    dealing=Dealing(
        deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=shuffle_and_deal,
        packs=lambda terms: WITHOUT[terms.options.removed_suit] if len(terms.seats) == 3 else PACK,
    ),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=lambda state: play_at_once(state, PLAIN, Hand),
    phases={
        "play": Phase(
            "play", (Play, Call), "a card, or zwang before a queen", to_do="play", one_card=True,
            tries=(try_each_card, says_zwang),
        ),
    },
    on={**TRICKS, Play: on_play, Call: on_call},
    tally=Tally, compute_tally=tally, score=score, after=most_chips,
    match=MatchRules(hand_points="cards", open_table=True),
    sheet=settlement_sheet(ledger({}, {"{} ±": gained, "{}": running_total})),
    shorthand=Shorthand(led=suit_led),
    display=Display(last_outcome_text=just_taken),
)  # fmt: skip
