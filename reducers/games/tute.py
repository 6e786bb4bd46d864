"""Tute: four players in partnerships, to the right; a trick is headed if it can be, marriages are declared after an own
trick, and four kings win the hand at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Annotated, Any, NamedTuple

from msgspec import Meta, Struct
from msgspec.structs import replace

from events.cards import Pack
from events.model import Call, Deal, Event, Fault, Move, Play
from reducers.page import (
    begin_with, CONSEQUENCE, DUTY, GLYPHS, RIGHT, SUITS, Catalogue, CheckResult, DealSpec, Game, Dealing, MatchRules,
    Omissions, Shorthand, Display, Simulation, HandScore, Law, ScoreLine, Phase, Points, State, TallyFacts, bounded,
    broken, choice, contract, counts_nothing, deals_next, try_each_card, figures, finish_hand, hand_score,
    apply_reported_facts, pack, partnerships, reopen_hand, plus, pretty, ranking, ensure_dealt, rule, shuffle_and_deal,
    side, summary_of, figure_of_line, running_total, unasked, we_they, unknown,
)  # fmt: skip
from reducers.words.card_points import CardPoints
from reducers.words.card_sums import can_count
from reducers.words.declarations import GONE_BY, after_an_own_trick
from reducers.words.scores import most_hands_of
from reducers.words.trick_play import (
    card_denied, first_lead, just_taken, must_follow_suit, must_head_in_suit, must_trump_higher, must_undertrump,
    one_card_in_turn, owner, suit_led, winner_gathers,
)  # fmt: skip
from reducers.words.tricks import NO_TRUMPS
from reducers.words.turned_trumps import (
    TURNED_TRUMPS, TurnedHand, card_of_trumps, first_seat_leads, the_dealers_last_is_turned_up,
    trumps_are_turned_up_first,
)  # fmt: skip

# Setup
SEATS = partnerships("N E S W")
PACK = pack("A 3 K Q J 7 6 5 4 2")
DEAL = DealSpec(each=10, last_up=True)


class Declaration(NamedTuple):
    """A declaration made after n `tricks`. `suit` is that of a marriage; empty if it was not named."""

    seat: str
    word: str
    suit: str
    tricks: int


class Marriages:
    """Words that declare a marriage of trumps, a marriage of a plain suit, and all kings."""

    def __init__(self, pack: Pack, *, trumps: str, plain: str, kings: str) -> None:
        self.pack, self.trumps, self.plain, self.kings = pack, trumps, plain, kings
        self.words = (trumps, plain, kings)
        self.pairs = {suit: (f"K{suit}", f"Q{suit}") for suit in SUITS}
        self.all_kings = tuple(f"K{suit}" for suit in SUITS)

    def cards_of(self, call: Call, state: State[Hand]) -> tuple[str, ...]:
        """The cards that a declaration names or means (`veinte h`, `veinte kh`); none if its suit is open."""
        if call.word == self.kings:
            return self.all_kings
        suits = {self.pack.suit_of[state.code((card,))] for card in call.cards} - {"?", ""}
        meant = suits.pop() if len(suits) == 1 else state.hand.trump if call.word == self.trumps else ""
        return self.pairs.get(call.what[-1:] or meant, ())

    def held(self, seat: str, cards: tuple[str, ...], state: State[Hand], *, shown: bool = False) -> CheckResult | None:
        """Why it is impossible or unknown that a seat holds these cards; `shown` cards leave no doubt."""
        holding = state.holding(seat)
        has = {card: holding.any_of(self.pack.field[self.pack.code[card]]) for card in cards}
        missing = [pretty(card) for card in cards if has[card] is False]
        if missing:
            return broken(f"{seat} does not hold the {' and the '.join(missing)}")
        unclear = [pretty(card) for card in cards if has[card] is None and not shown]
        return unknown(f"whether {seat} held the {' and the '.join(unclear)}") if unclear else None

    # -- what may be declared -----------------------------------------------------------------------------------------

    def after_an_own_trick(self, call: Call, state: State[Hand]) -> CheckResult | None:
        """The winner of a trick makes one declaration before the next lead (the first trick: another rule)."""
        if call.word not in self.words:
            return None
        if state.settled:
            return None
        trick, said = state.hand.trick, state.hand.declared
        if not (trick.won or trick.lost):
            return None
        if said and said[-1].tricks == len(trick.won) and not trick.lost:
            return broken(f"{said[-1].seat} has declared after this trick already")
        return after_an_own_trick(call.by, state)

    def not_before_a_trick(self, call: Call, state: State[Hand]) -> CheckResult | None:
        """There is no declaration before the first trick is taken, or once the hand is over."""
        if call.word in self.words and state.settled:
            return unknown(GONE_BY) if state.gap else broken("no hand is in play, so nothing can be declared")
        early = call.word in self.words and not state.hand.trick.won and not state.hand.trick.lost
        return broken("no trick has been taken yet") if early else None

    def king_and_queen(self, call: Call, state: State[Hand]) -> CheckResult | None:
        """The player who declares a marriage holds both cards, of the suit that the word says, once each."""
        if call.word not in (self.trumps, self.plain) or state.settled:
            return None
        cards, trump = self.cards_of(call, state), state.hand.trump
        if not cards:
            return self.one_is_left(call, state)
        suit = cards[0][1]
        if suit in (one.suit for one in state.hand.declared):
            return broken(f"the marriage in {GLYPHS[suit]} was declared already")
        pack = state.game.pack
        others = [card for card in call.cards if not pack.may_be[pack.code.get(card, pack.unknown)] & pack.bag(cards)]
        if others or (trump and (suit == trump) != (call.word == self.trumps)):
            what = "trumps" if call.word == self.trumps else "a suit other than trumps"
            return broken(f"{call.word} is the king and queen of {what}")
        holds = self.held(call.by, cards, state, shown=len(call.cards) == len(cards))
        return holds or (None if trump else unknown(NO_TRUMPS))

    def one_is_left(self, call: Call, state: State[Hand]) -> CheckResult | None:
        """Check a marriage whose suit was not named: its player must hold one that has not been declared."""
        said = [one.suit for one in state.hand.declared]
        if call.word == self.trumps or not state.hand.trump:
            return unknown(NO_TRUMPS)
        left = [suit for suit in SUITS if suit != state.hand.trump and suit not in said]
        found = [self.held(call.by, self.pairs[suit], state) for suit in left]
        if all(one is not None and one.verdict == "broken" for one in found):
            return broken(f"{call.by} holds no king and queen of an undeclared suit")
        return None if None in found and "" not in said else unknown(f"which king and queen {call.by} held")

    def four_kings(self, call: Call, state: State[Hand]) -> CheckResult | None:
        """The player who declares all kings holds them."""
        if call.word != self.kings or state.settled:
            return None
        return self.held(call.by, self.all_kings, state, shown=len(call.cards) == len(self.all_kings))

    # -- applying the acts --------------------------------------------------------------------------------------------

    def declare(self, call: Call, state: State[Hand]) -> None:
        """Record a declaration; the cards that it names become public."""
        held, cards, code = state.holding(call.by), self.cards_of(call, state), self.pack.code
        shown = [code[card] for card in call.cards if card in cards]
        state.table.reveal([c for c in shown if held.any_of(self.pack.field[c]) is not False], held)
        suit = cards[0][1] if cards and call.word != self.kings else ""
        state.hand.declared.append(Declaration(call.by, call.word, suit, len(state.hand.trick.won)))

    def refused(self, fault: Fault, state: State[Hand]) -> Declaration | None:
        """The declaration that the table rejects: the last one, if no card has been played since; else None."""
        said: Declaration | None = state.hand.declared[-1] if state.number and state.hand.declared else None
        if said is None or state.hand.trick.plays or said.tricks != len(state.hand.trick.won):
            return None
        return said if fault.word == said.word and fault.who in ("", said.seat) else None

    def in_order(self, said: Declaration, state: State[Hand]) -> bool:
        """Return True if the last declaration was certainly legal."""
        trick, before = state.hand.trick, state.hand.declared[:-1]
        if not trick.won or trick.won[-1].winners != (said.seat,) or any(one.tricks == said.tricks for one in before):
            return False
        if said.word == self.kings:
            return self.held(said.seat, self.all_kings, state) is None
        fits = said.suit and state.hand.trump and (said.suit == state.hand.trump) == (said.word == self.trumps)
        once = all(one.suit not in (said.suit, "") or one.word == self.kings for one in before)
        return bool(fits and once) and self.held(said.seat, self.pairs[said.suit], state) is None

    # -- what may be tried, and how it is typed -----------------------------------------------------------------------

    def tries(self, seat: str, state: State[Hand]) -> Iterator[Event]:
        """The declarations that the seat is known to be able to make; if it leads, also those of the other seats."""
        for who in state.terms.seats if not state.hand.trick.plays else (seat,):
            for suit, cards in self.pairs.items():
                if self.held(who, cards, state) is None:
                    yield Call(by=who, word=self.trumps if suit == state.hand.trump else self.plain, cards=cards)
            if self.held(who, self.all_kings, state) is None:
                yield Call(by=who, word=self.kings, cards=self.all_kings)

    def in_full(self, state: State[Hand], event: Event) -> tuple[Event, ...]:
        """A declaration as it may be typed: with the cards that it means, once for each possible meaning."""
        if not isinstance(event, Call) or event.word not in self.words or not state.number:
            return (event,)
        cards = self.cards_of(event, state)
        if cards or event.cards or event.word != self.plain:
            return (replace(event, what="", cards=cards),) if len(event.cards) < len(cards) else (event,)
        said = [one.suit for one in state.hand.declared]
        ways = (pair for suit, pair in self.pairs.items() if suit != state.hand.trump and suit not in said)
        return tuple(
            replace(event, cards=pair) for pair in ways if self.held(event.by, pair, state, shown=True) is None
        )


# Card ranking, and the points of the cards
PLAIN = ranking("A 3 K Q J 7 6 5 4 2")
WORTH = CardPoints(PACK, {"A": 11, "3": 10, "K": 4, "Q": 3, "J": 2})
LAST_TRICK = 10
WHOLE = WORTH.whole(tricks=DEAL.each) + LAST_TRICK
DECLARED = {"cuarenta": 40, "veinte": 20}
MOST = WHOLE + 40 + 3 * 20
MARRIAGES = Marriages(PACK, trumps="cuarenta", plain="veinte", kings="tute")


class Options(Struct, frozen=True):
    """House rules of Tute."""

    hands: Annotated[int, Meta(ge=1, le=99, description="hands of the match")] = 1


SETUP, PLAY, DECLARING, SCORING = "Setup", "Game play", "Declarations", "Scoring"
RULES = Catalogue(
    "tute",
    rule("R1", SETUP, DUTY, "The whole pack of forty is dealt, ten cards to each seat; the last of them, the dealer's, "
         "is turned up, and its suit is trumps.", "the deal",
         {Deal: the_dealers_last_is_turned_up, Play: trumps_are_turned_up_first}),
    rule("R2", PLAY, DUTY, "The dealer's right leads to the first trick, the winner of a trick to the next.",
         "lead", {Play: first_lead}),
    rule("R3", PLAY, DUTY, "A seat that holds the suit led plays it.", "follow suit", {Play: must_follow_suit}),
    rule("R4", PLAY, DUTY, "A seat that follows suit beats the card that is ahead if it can, the partner's too.",
         "head the trick", {Play: must_head_in_suit}),
    rule("R5", PLAY, DUTY, "A seat that cannot follow heads the trick with a trump if it can.",
         "trump and overtrump", {Play: must_trump_higher}),
    rule("R6", PLAY, DUTY, "A seat that cannot follow, and whose trumps are all too low, plays one of them.",
         "undertrump", {Play: must_undertrump}),
    rule("R7", PLAY, RIGHT, "A seat that holds neither the suit led nor a trump may play any card.", "any card"),
    rule("R8", PLAY, CONSEQUENCE, "The highest trump wins the trick; without one, the highest card of the suit led.",
         "who wins", {Move: winner_gathers}),
    rule("R9", DECLARING, RIGHT, "The winner of a trick may make one declaration before the next lead.",
         "declare after an own trick", {Call: MARRIAGES.after_an_own_trick}),
    rule("R10", DECLARING, DUTY, "Whoever declares a marriage holds its king and queen and shows them: of trumps for "
         "the cuarenta, of another suit for a veinte. Each is declared once.",
         "king and queen", {Call: MARRIAGES.king_and_queen}),
    rule("R11", DECLARING, DUTY, "A player who has declared a veinte may no longer declare the "
         "cuarenta.", "cuarenta first"),
    rule("R12", DECLARING, RIGHT, "Whoever holds all four kings may declare a tute, and wins the hand at once.",
         "tute", {Call: MARRIAGES.four_kings}),
    rule("R13", DECLARING, DUTY, "Nothing is declared before the first trick is taken, or after the last one.",
         "not before a trick", {Call: MARRIAGES.not_before_a_trick}),
    rule("R14", PLAY, DUTY, "The players play one card each to a trick, to the right.",
         "play in turn", {Play: one_card_in_turn}),
    rule("R15", SCORING, CONSEQUENCE, "An ace counts 11, a three 10, a king 4, a queen 3, a jack 2, and the last trick "
         "10, 130 in all; a cuarenta 40 and a veinte 20 more. The side that has more wins the hand.", "the count"),
    rule("R16", SCORING, CONSEQUENCE, "The side that wins more of the hands agreed wins the match.", "most hands"),
)  # fmt: skip

READINGS = {
    "Does heading apply to the suit led?": "yes: a seat that follows suit beats the card ahead, if possible",
    "Is the partner spared?": "no, neither in the suit led nor with a trump",
    "Only trumps that are too low": "one of them must still be played; no other card is allowed",
    "Who may declare?": "the player who took the trick, not the partner",
    "Cuarenta after a veinte": "only the player's own veinte forfeits it; one of the partner or an opponent does not",
    "When must a marriage be declared?": "after any own trick, as long as both its cards are in the hand",
    "A tute after a marriage": "may be declared after a later own trick",
    "A declaration that the table does not accept": "a fault with its word (`fault veinte N`) takes it back",
    "Both sides count the same": "the hand is drawn and counts for neither",
    "An even number of hands": "the side that has won more of them wins; if neither has, the match is drawn",
    "Is a match over once it is decided?": "no, all the hands agreed are played",
    "Who deals next?": "the next player to the right; the text does not say it",
    "What does a claim say?": "the hands won, as the match is scored by them",
}
WORDS = {
    "cuarenta": "call: declare the king and queen of trumps; cards: both; fault: the table does not accept it",
    "veinte": "call: declare the king and queen of another suit; cards: both; fault: the table does not accept it",
    "tute": "call: declare the four kings, which wins the hand; cards: all four; fault: the table does not accept it",
    "revoke": "fault: the table says that a card was not allowed, and plays on",
}


class Hand(TurnedHand):
    """State of one hand of Tute, with its declarations and the seat that declared a tute."""

    def __init__(self, state: State[Hand]) -> None:
        super().__init__(state, PLAIN)
        self.declared: list[Declaration] = []
        self.tute = ""


# Game play
@RULES.check("R7", Fault)
def any_card_was_free(fault: Fault, state: State[Hand]) -> CheckResult | None:
    denied = card_denied(fault, state) if fault.word == "revoke" and state.number and state.hand.trump else None
    if denied is None or denied.held is None or denied.held & (PACK.suit[denied.led] | PACK.suit[state.hand.trump]):
        return None
    return broken(f"{denied.seat} held neither the suit led nor a trump")


# Declarations
@RULES.check("R11", Call)
def the_cuarenta_comes_first(call: Call, state: State[Hand]) -> CheckResult | None:
    late = call.word == "cuarenta" and not state.settled and forfeited(call.by, state)
    return broken(f"{call.by} has declared a veinte before") if late else None


def forfeited(seat: str, state: State[Hand]) -> bool:
    """True if a seat may no longer declare the cuarenta, as it has declared a veinte."""
    return any((said.seat, said.word) == (seat, "veinte") for said in state.hand.declared)


def nobody_is_kept_from_declaring(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """Denial of a right: the table does not accept a valid declaration."""
    said = MARRIAGES.refused(fault, state)
    late = said is not None and said.word == "cuarenta" and forfeited(said.seat, state)
    if said is None or late or not MARRIAGES.in_order(said, state):
        return None
    return broken(f"{said.seat} took the last trick, and may declare the {said.word}")


@RULES.check("R9", Fault)
def a_marriage_is_accepted(fault: Fault, state: State[Hand]) -> CheckResult | None:
    return nobody_is_kept_from_declaring(fault, state) if fault.word != "tute" else None


@RULES.check("R12", Fault)
def a_tute_is_accepted(fault: Fault, state: State[Hand]) -> CheckResult | None:
    return nobody_is_kept_from_declaring(fault, state) if fault.word == "tute" else None


def on_call(call: Call, state: State[Hand]) -> None:
    """Make a declaration; a tute ends the hand. No declaration begins a hand, as a trick comes before it."""
    if state.settled and not state.gap:
        return
    ensure_dealt(state)
    if call.word in MARRIAGES.words:
        MARRIAGES.declare(call, state)
    if call.word == "tute":
        state.hand.tute = call.by
        finish_hand(state)


def on_fault(fault: Fault, state: State[Hand]) -> None:
    """Take back what the table does not accept; after a tute the hand goes on."""
    if MARRIAGES.refused(fault, state) is None:
        return
    state.hand.declared.pop()
    if state.hand.tute:
        state.hand.tute = state.ended = ""
        reopen_hand(state)
        tricks = state.hand.trick
        state.phase, state.turn = "play", tricks.won[-1].winners if tricks.won else state.terms.seats


# Scoring
def no_such_count(known: Mapping[str, Any], state: State[Hand]) -> str:
    """Return an error text if no tricks and declarations make the reported counts, else "".

    Both sides have 130 together, 20 more for each of up to three veintes, and 40 for the one cuarenta.
    """
    told = [n for one in state.terms.sides if type(n := known.get(f"points.{one}")) is int]
    if len(told) == 2 and sum(told) not in range(WHOLE, MOST + 1, 20):
        return f"{' and '.join(map(str, told))} do not add up to {WHOLE}, with or without declarations"
    declared_ = sum(told) - WHOLE if len(told) == 2 else MOST - WHOLE
    for n in told:
        if not any(can_count(n - more - last, WORTH.all, (4 * tricks,)) for tricks, last, more in ways_of(declared_)):
            return f"no tricks count {n}"
    return ""


def ways_of(declared_: int) -> Iterator[tuple[int, int, int]]:
    """Yield the possible tricks of a side, its points for the last one, and its part of what was declared."""
    for tricks, last in product(range(DEAL.each + 1), (0, LAST_TRICK)):
        if last <= LAST_TRICK * (tricks > 0) and last >= LAST_TRICK * (tricks == DEAL.each):
            yield from ((tricks, last, more) for more in range(0, declared_ + 1, 20) if tricks or not more)


class Tally(TallyFacts):
    """What a hand of Tute is scored from; None if unknown."""

    points: Points = bounded(lambda state: so_far(state), figures(
        "what a side counts in all, with the last trick and its declarations", 0, MOST, rule="R15",
    ))  # fmt: skip
    trump: str = unasked(choice("suit that was trumps", *SUITS))
    tute: str | None = unasked(side("side that declared a tute, and won the hand with it", rule="R12"))

    laws = (Law(("points",), no_such_count, "R15"),)


def counted(state: State[Hand]) -> Points:
    """Points of the cards of each side and the last trick, as played; None if unknown."""
    trick, side_of = state.hand.trick, state.terms.side_of
    whole = len(trick.won) == DEAL.each and not trick.lost
    last = owner(trick.won[-1], side_of) if whole else ""
    taken_ = WORTH.taken(state) if last else dict.fromkeys(state.terms.sides)
    return {who: None if n is None else n + LAST_TRICK * (who == last) for who, n in taken_.items()}


def so_far(state: State[Hand]) -> dict[str, int]:
    """Least points of each side, whatever is still to be played."""
    more = declared(state)
    return {who: low + (more[who] or 0) for who, low in WORTH.at_least(state).items()}


def declared(state: State[Hand]) -> Points:
    """Points of each side's declarations."""
    out: Points = dict.fromkeys(state.terms.sides, 0)
    for said in state.hand.declared:
        who = state.terms.side_of[said.seat]
        out[who] = plus(out[who], DECLARED.get(said.word, 0))
    return out


def tally(state: State[Hand]) -> Tally:
    more = declared(state)
    points: Points = {who: plus(n, more[who]) for who, n in counted(state).items()}
    return apply_reported_facts(Tally(points, state.hand.trump, state.terms.side_of.get(state.hand.tute)), state)


def score(state: State[Hand]) -> HandScore:
    """Score of the hand in play: one for the side that counts more, or declared a tute."""
    t, sides = tally(state), state.terms.sides
    trumps = pretty(state.hand.turned) if state.hand.turned and not state.tallies else GLYPHS.get(t.trump, "")
    if nothing := counts_nothing(state, t.void, contract=trumps):
        return nothing
    if t.tute:
        points: Points = {who: int(who == t.tute) for who in sides}
        text = f"{state.terms.name(t.tute)} declared a tute"
        return hand_score(
            state, points, (ScoreLine("tute", {t.tute: 1}),), contract=trumps, result="tute", notes=(text,)
        )
    in_all: Points = {who: t.points.get(who) for who in sides}
    lines = lines_of(state, in_all)
    if None in in_all.values():
        missing = ["what each side counts in all"]
        return hand_score(state, dict.fromkeys(sides), lines, contract=trumps, unknown=missing)
    ahead = [who for who, n in in_all.items() if n == max(n or 0 for n in in_all.values())]
    points = {who: int([who] == ahead) for who in sides}
    drawn = ("drawn", (f"both sides have {in_all[ahead[0]]}: neither side wins the "
                       "hand",)) if len(ahead) > 1 else ("", ())
    return hand_score(state, points, lines, contract=trumps, result=drawn[0], notes=drawn[1])


def lines_of(state: State[Hand], in_all: Points) -> tuple[ScoreLine, ...]:
    """Lines with the arithmetic of each side's count, unless a tally reports it."""
    cards, more = counted(state), declared(state)
    if state.tallies or None in cards.values():
        return (ScoreLine("in all", in_all),)
    last, sums = owner(state.hand.trick.won[-1], state.terms.side_of), WORTH.counted_out(state)
    if last in sums:
        sums[last] = f"{sums[last].partition(' = ')[0]} + {LAST_TRICK} = {cards[last]}"
    added_up = {who: f"{n} + {more[who]} = {in_all[who]}" for who, n in cards.items() if more[who]}
    of_declarations = (ScoreLine("declared", more),) if any(more.values()) else ()
    return (ScoreLine("counted", cards, sums), *of_declarations, ScoreLine("in all", in_all, added_up))


def weigh(state: State[Hand], event: Event) -> float:
    """Weight of an event in simulation: marriages and kings are kept together until they are declared."""
    if isinstance(event, Play) and event.cards[0][0] in "KQ":
        held, card = state.holding(event.by).certain, event.cards[0]
        return 0.1 if held & PACK.field[PACK.code[f"{'Q' if card[0] == 'K' else 'K'}{card[1]}"]] else 0.5
    return 1.0 if isinstance(event, Play) else 9.0


GAME = Game(
    key="tute", name="Tute", family="tricks", summary=summary_of(__doc__),
    seating=SEATS, pack=PACK,
    dealing=Dealing(
        deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=shuffle_and_deal,
        counter_clockwise=lambda options: True,
    ),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=begin_with(first_seat_leads, Hand),
    phases={
        "play": Phase(
            "play", (Play, Call), "a card; after an own trick perhaps cuarenta, veinte or tute before it", to_do="play",
            one_card=True, tries=(try_each_card, MARRIAGES.tries),
        ),
        "between": Phase("between two hands", (Call,), "the next hand"),
    },
    on={**TURNED_TRUMPS, Call: on_call, Fault: on_fault},
    tally=Tally, compute_tally=tally, score=score, after=most_hands_of(lambda terms: terms.options.hands),
    match=MatchRules(hand_points="in all"),
    sheet=we_they({"turned up": contract}, {
        "{} counted": figure_of_line("counted"), "{} declared": figure_of_line("declared"),
        "{} in all": figure_of_line("in all"),
        "{} hands": running_total,
    }),
    omissions=Omissions(
        always_written=dict.fromkeys(
            ("calls of veinte", "calls of cuarenta", "calls of tute"), "they score only if they are said"
        ),
    ),
    shorthand=Shorthand(expand=MARRIAGES.in_full, led=suit_led),
    display=Display(
        headline=lambda state: {"trump": state.hand.trump} if state.hand.trump else {}, last_outcome_text=just_taken,
        contract=card_of_trumps,
    ),
    simulation=Simulation(weigh=weigh),
)  # fmt: skip
