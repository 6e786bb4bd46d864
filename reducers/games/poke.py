"""Poke: two players draw to a hand of poker and take tricks with it, for points below the line and above it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Annotated, Any, NamedTuple

from msgspec import Meta
from msgspec.structs import replace

from events.cards import how_many, Pack
from events.model import Deal, Discard, Draw, Fault, Gap, Move, Pass, Play, Event
from events.model import Hand as HandEvent
from events.name_lists import one_of
from reducers.evolve import steps_while
from reducers.model import HandRecord
from reducers.page import (
    finish_hand, begin_with, HouseRules, CONSEQUENCE, DUTY, RIGHT, Catalogue, CheckResult, DealSpec, Game, Dealing,
    MatchRules, Shorthand, Display, Simulation, HandScore, Law, ScoreLine, Phase, Points, Standing, State, TallyFacts,
    Terms, as_many_as_dealt, bounded, broken, choice, counts_nothing, deal_passes_on, deals_next, figures, hand_score,
    apply_reported_facts, pack, ensure_dealt, rule, shuffle_and_deal, side, singles, summary_of, unknown, after_gap,
    WHO_DEALS, try_pass,
)  # fmt: skip
from reducers.piles import Lies
from reducers.table import Pile
from reducers.words.contract import (
    DOUBLED, Rubber, carries_to, pad_entry, new_rubber, second_game, entries_sum, unknown_entries, with_entries,
)  # fmt: skip
from reducers.words.exchange import (
    Exchange, meant_to_be_changed, GONE, as_many_are_drawn, cards_are_changed_in_turn, default_exchange_draw,
    discarded_unwritten, discarding, discards_down, drawn_from_the_stock, draws_as_many, draws_for_them,
    infer_exchange_draws, is_late, keeps_all, mark_exchange_unknown,
)  # fmt: skip
from reducers.words.one_round import GONE_BY, gone_by
from reducers.words.pad import RubberSheet
from reducers.words.suits import Suits, printed_suits
from reducers.words.trick_play import first_to_act, trick_counts, first_lead, winner_gathers
from reducers.words.tricks import gathered_by, Trick, gather_trick, owner

# Setup
PACK = pack("A K Q J 10 9 8 7 6 5 4 3 2")
DEAL = DealSpec(each=5, rest="stock")
# The draw: the most cards at once; the draws of the dealer's opponent and of the dealer, whose first draw is free.
AT_ONCE, DRAWS, DEALER_DRAWS, FREE = 3, 2, 3, 1


KINDS = ("none", "pair", "two-pair", "three", "straight", "flush", "full-house", "four", "straight-flush", "royal")
"""Kinds of a hand, from the lowest."""
IN_WORDS = {
    "none": "no pair", "pair": "one pair", "two-pair": "two pair", "three": "three of a kind",
    "full-house": "full house", "four": "four of a kind", "straight-flush": "straight flush", "royal": "royal flush",
}  # fmt: skip
ORDER = "23456789TJQKA"
PLACES = {rank: place for place, rank in enumerate(ORDER)}
WHEEL = (12, 3, 2, 1, 0)
STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL = map(KINDS.index, ("straight", "flush", "straight-flush", "royal"))
# The kind of a hand that has several cards of a rank, by the number of each.
BY_SIZES: Mapping[tuple[int, ...], int] = {
    sizes: KINDS.index(name) for sizes, name in (
        ((4, 1), "four"), ((3, 2), "full-house"), ((3, 1, 1), "three"), ((2, 2, 1), "two-pair"), ((2, 1, 1, 1), "pair"),
    )
}  # fmt: skip


class PokerHand(NamedTuple):
    """The value of five cards; the greater of two hands is better, and suits do not count."""

    kind: int
    ranks: tuple[int, ...]

    @property
    def name(self) -> str:
        """The name of the kind as it is recorded."""
        return KINDS[self.kind]


def poker_hand(cards: Sequence[str], *, wheel: bool = True) -> PokerHand:
    """The value of five cards; with `wheel` an ace may be the lowest card of a straight.

    >>> [
    ...     poker_hand(hand.split()).name
    ...     for hand in ("Ah Kh Qh Jh Th", "5c 4c 3c 2c Ac", "9c 9d 9h 9s 2c", "9c 9d 9h 2s 2c")
    ... ]
    ['royal', 'straight-flush', 'four', 'full-house']
    >>> poker_hand("6c 5d 4h 3s 2c".split()) > poker_hand("5c 4d 3h 2s Ac".split())
    True
    >>> poker_hand("5c 4d 3h 2s Ac".split(), wheel=False).name
    'none'
    """
    places = [PLACES[card[0]] for card in cards]
    several = set(places)
    if len(several) < len(places):
        ranks = tuple(sorted(several, key=lambda place: (places.count(place), place), reverse=True))
        return PokerHand(BY_SIZES[tuple([places.count(place) for place in ranks])], ranks)
    ranks = tuple(sorted(places, reverse=True))
    flush = len({card[1] for card in cards}) == 1
    if wheel and ranks == WHEEL:
        ranks = (3, 2, 1, 0, -1)
    if ranks[0] - ranks[-1] != len(cards) - 1:
        return PokerHand(FLUSH if flush else 0, ranks)
    if not flush:
        return PokerHand(STRAIGHT, ranks)
    return PokerHand(ROYAL if ranks[0] == len(ORDER) - 1 else STRAIGHT_FLUSH, ranks)


def kind_in_words(kind: str) -> str:
    """The name of a kind of hand in words.

    >>> kind_in_words("two-pair"), kind_in_words("flush")
    ('two pair', 'flush')
    """
    return IN_WORDS.get(kind, kind)


# Scoring
HONOURS = dict(zip(KINDS, (0, 50, 100, 200, 300, 400, 500, 600, 750, 1000), strict=True))
ALL_FIVE, GAME_BONUS, RUBBER = 250, 100, {0: 750, 1: 500}


class Options(HouseRules, frozen=True):
    """House rules of Poke."""

    game_target: Annotated[int, Meta(ge=1, le=999, description="points below the line that win a game")] = 20
    partial_set_leads: Annotated[bool, Meta(description="a part of a set may be led, as two of three kings")] = True
    wheel_straight: Annotated[bool, Meta(description="an ace may be the lowest card of a straight")] = True


DRAWING, PLAY, SCORING, RUBBERS = "The draw", "Play of the hand", "Scoring", "Game and rubber"
RULES = Catalogue(
    "poke",
    rule("R1", DRAWING, DUTY, "A draw changes one to three cards for the same number from the stock; the dealer's "
         "opponent draws twice at the most.", "the draw"),
    rule("R2", DRAWING, DUTY, "The dealer draws after the opponent, three times at the most; a player who has stood "
         "draws no more.", "who draws"),
    rule("R3", PLAY, DUTY, "The dealer's opponent leads first, then the winner of each trick.", "lead"),
    rule("R4", PLAY, DUTY, "One card is led, or two to four of one rank.", "lead a set"),
    rule("R5", PLAY, DUTY, "A lead is answered with the same number of "
         "cards.", "same number of cards"),
    rule("R6", PLAY, RIGHT, "Any cards may answer a lead: there is no duty to follow suit, to beat it, or to keep a "
         "pair together.", "any cards"),
    rule("R7", PLAY, CONSEQUENCE, "The higher card wins; of equal ones, the card led. Several cards are beaten only "
         "by the same number of one higher rank. Each card led is a trick.", "who wins",
         {Move: winner_gathers}),
    rule("R8", PLAY, DUTY, "The players play in turn.", "play in turn"),
    rule("R9", SCORING, CONSEQUENCE, "A trick counts one point below the line, two if the opponent is doubled, four if "
         "redoubled.", "points below the line"),
    rule("R10", SCORING, CONSEQUENCE, "The better hand at poker counts above the line, and so do all five tricks.",
         "honours"),
    rule("R11", RUBBERS, CONSEQUENCE, "Twenty points below the line win a game, if they are more than the other has; "
         "it counts 100. The second game ends the rubber.", "game and rubber"),
    rule("R12", RUBBERS, CONSEQUENCE, "Whoever has more above the line has won.", "who has won"),
    rule("R13", SCORING, DUTY, "The dealer's opponent deals next.", "the deal passes", {HandEvent: deal_passes_on}),
    rule("R14", "Setup", CONSEQUENCE, "Each player is dealt five cards; the rest are the stock.", "the deal",
         {Deal: as_many_as_dealt}),
)  # fmt: skip

READINGS = {
    "Whose tricks count more after a draw?": "the opponent's; both players may be doubled at once",
    "How many cards may a second or third draw change?": "three, like the first",
    "A draw of no card": "is no draw: the player stands",
    "Leading a part of a set": "is allowed; option partial_set_leads=no asks for the whole of it",
    "Answering with a part of a set": "is allowed: two of three kings beat a pair of nines",
    "A pair of the same rank as the one led": "is not higher, and loses",
    "Has a lead to be beaten?": "no, any cards may be thrown",
    "Two hands that are equal at poker": "they score nothing; suits do not matter",
    "No pair in either hand": "scores nothing",
    "Ace, two, three, four, five": "is a straight, the lowest one; option wheel_straight=no",
    "Is the bonus of 100 for the first game alone?": "no, each game that is won gets it",
    "Points below the line at the end": "count for the games alone; the rubber is decided above the line",
    "Which hands are compared?": "those held when the play begins, so the cards played",
    "Who deals first?": "that is agreed before the match; the deal goes on in turn from game to game",
    "Equal totals at the end": "are a tie",
    "An unrecorded stand": "follows from what comes next, if that player had drawn before",
}
WORDS = {
    "revoke": "fault: the table took an answer to a lead as not allowed, and went on",
}


# The draw
TIMES = {1: "once", 2: "twice", 3: "three times"}


class Draws:
    """The limits of draws: the dealer's opponent may draw `others` times, the dealer `dealers` times.

    `stood` are the seats that have finished drawing, `silent` those that did not say so, each with the position of
    the act that followed, and `blurred` those with unrecorded draws.
    """

    def __init__(self, others: int, dealers: int) -> None:
        self.others, self.dealers = others, dealers
        self.stood: set[str] = set()
        self.silent: dict[str, int] = {}
        self.blurred: set[str] = set()


def most_draws(seat: str, state: State[Hand]) -> int:
    """The most draws of a seat."""
    draws: Draws = state.hand.draws
    return draws.dealers if seat == state.dealer else draws.others


def times_drawn(seat: str, state: State[Hand]) -> int | None:
    """The number of draws of a seat; None if that or the dealer is unknown."""
    if state.dealer_is_guess or seat in state.hand.draws.blurred:
        return None
    times: int = state.hand.exchange.times.get(seat, 0)
    return times


def has_play_begun(state: State[Hand]) -> bool:
    """True if a card was played."""
    return bool(state.hand.trick.plays or state.hand.trick.won)


def gone_on(seat: str, state: State[Hand]) -> bool:
    """True if a seat after this one has acted."""
    order = state.terms.in_turn(state.terms.after(state.dealer))
    later = order[order.index(seat) + 1 :]
    return has_play_begun(state) or any(
        state.hand.exchange.times.get(one) or one in state.hand.draws.stood for one in later
    )


def drawn_too_often(seat: str, state: State[Hand]) -> CheckResult | None:
    """No player draws more often than is allowed."""
    times, most = state.hand.exchange.times.get(seat, 0), most_draws(seat, state)
    if times < most:
        return None
    said = TIMES.get(most, f"{most} times")
    return unknown(WHO_DEALS) if state.dealer_is_guess else broken(f"{seat} has drawn {said} already")


def drawn_in_turn(act: Discard | Draw | Pass, state: State[Hand]) -> CheckResult | None:
    """One seat after the other draws, and a player who has stood draws no more."""
    draws: Draws = state.hand.draws
    times, most = state.hand.exchange.times.get(act.by, 0), most_draws(act.by, state)
    if isinstance(act, Pass) and not state.hand.trick.won and (times >= most or act.by in draws.silent):
        # A player who has drawn for the last time may still say so, and so may one who stood without a word.
        return None
    if gone_by(state):
        return unknown(GONE_BY)
    if act.by in draws.silent and not has_play_begun(state):
        # Either the dealer drew before this seat had stood, or this seat draws after it stood.
        drew = draws.silent[act.by] if isinstance(act, Discard) and not state.dealer_is_guess else 0
        return unknown(f"whether {act.by} had stood: {GONE}", or_at=drew)
    if isinstance(act, Draw) and is_late(act, state) and not gone_on(act.by, state):
        # It has discarded again before its cards were recorded.
        return None
    if isinstance(act, Discard) and state.phase != "play" and act.by in draws.stood and times < most:
        return broken(f"{act.by} stood before this")
    first = state.turn[0] if state.phase == "exchanging" else act.by
    if act.by == state.dealer != first and state.hand.exchange.times.get(first):
        # The other player has drawn, and stands without a word.
        return None
    return cards_are_changed_in_turn(act, state)


@RULES.check("R1", Draw)
def as_many_as_discarded(draw: Draw, state: State[Hand]) -> CheckResult | None:
    """As many cards are drawn from the stock as were discarded, in one line or several."""
    exchange: Exchange = state.hand.exchange
    late, due, many = exchange.late.get(draw.by, 0), exchange.due, how_many(draw.cards)
    if late and not gone_on(draw.by, state) and due is not None and many is not None and due < many <= due + late:
        return drawn_from_the_stock(draw, state) or unknown(f"how often {draw.by} has drawn: {GONE}")
    return drawn_from_the_stock(draw, state) or as_many_are_drawn(draw, state)


@RULES.check("R2", Play)
def the_draw_is_over(play: Play, state: State[Hand]) -> CheckResult | None:
    """The cards are played once all players have drawn or stood."""
    if state.phase not in ("exchanging", "drawing"):
        return None
    exchange: Exchange = state.hand.exchange
    last = exchange.seat if state.phase == "drawing" else state.turn[0]
    if last == state.dealer and exchange.times.get(last):
        return None
    return unknown(f"whether {last} had drawn or stood: {GONE}")


def stand(seat: str, state: State[Hand]) -> None:
    """End the draws of a seat; after the last one the cards are played."""
    stood: set[str] = state.hand.draws.stood
    stood.add(seat)
    order = state.terms.in_turn(state.terms.after(state.dealer))
    left = [one for one in order if one not in stood]
    state.phase, state.turn = ("exchanging", (left[0],)) if left else ("play", (order[0],))


def one_more_draw(seat: str, state: State[Hand]) -> None:
    """End a draw; the seat may draw again, or stand."""
    if state.hand.exchange.times.get(seat, 0) >= most_draws(seat, state):
        stand(seat, state)
    else:
        state.phase, state.turn = "exchanging", (seat,)


def infer_dealer_by_draw(act: Event, state: State[Hand]) -> None:
    """Infer the dealer, if unrecorded, from the seat of two that acts first."""
    if not state.dealer_is_guess or act.by != state.dealer or state.hand.exchange.times or state.hand.draws.stood:
        return
    state.dealer = state.terms.after(act.by)
    state.infer(f"{act.by} acts first, so {state.dealer} has dealt (not recorded)")
    state.turn = (act.by,)


def infer_missing_acts(act: Event, state: State[Hand]) -> None:
    """Infer what is unrecorded before this act: the dealer, draws, another's stand; or undo a stand of this seat."""
    infer_dealer_by_draw(act, state)
    hand = state.hand
    if state.phase == "drawing":
        before = hand.exchange.seat
        infer_exchange_draws(state)
        one_more_draw(before, state)
    if act.by in hand.draws.silent and not has_play_begun(state):
        del hand.draws.silent[act.by]
        hand.draws.blurred.discard(act.by)
        hand.draws.stood.discard(act.by)
        state.phase, state.turn = "exchanging", (act.by,)
    if state.phase == "exchanging" and act.by == state.dealer and act.by not in state.turn:
        leave_draw_open(state.turn[0], state, drew=not isinstance(act, Pass))


def leave_draw_open(seat: str, state: State[Hand], *, drew: bool = False) -> None:
    """Infer that a seat has stood, as another goes on, with a draw if `drew`; its own draw may be unrecorded."""
    state.hand.draws.silent[seat] = state.at if drew else 0
    if not state.hand.exchange.times.get(seat):
        mark_exchange_unknown(seat, state)
        state.hand.draws.blurred.add(seat)
    stand(seat, state)


def draws_are_over(play: Play, state: State[Hand]) -> None:
    """End all draws before a card is played."""
    if state.phase not in ("exchanging", "drawing") or state.hand.trick.lost:
        return
    infer_dealer_by_draw(play, state)
    for _ in steps_while(lambda: state.phase in ("exchanging", "drawing")):
        if state.phase == "drawing":
            before = state.hand.exchange.seat
            infer_exchange_draws(state)
            one_more_draw(before, state)
        else:
            leave_draw_open(state.turn[0], state)


def on_discard(discard: Discard, state: State[Hand]) -> None:
    """Discard cards face down."""
    if not state.hand.trick.lost:
        infer_missing_acts(discard, state)
    discards_down(discard, state)


def on_draw(draw: Draw, state: State[Hand]) -> None:
    """Draw cards for the discards; draws for two discards may have been one."""
    late = state.hand.exchange.late
    if state.phase == "exchanging" and not is_late(draw, state):
        infer_missing_acts(draw, state)
        discarded_unwritten(draw, state)
    owed = 0 if is_late(draw, state) else late.get(draw.by, 0)
    if draws_for_them(draw, state):
        one_more_draw(draw.by, state)
    if late.get(draw.by, 0) < owed:
        state.hand.draws.blurred.add(draw.by)


def on_pass(act: Pass, state: State[Hand]) -> None:
    """A seat stands."""
    if state.hand.trick.lost:
        return
    draws: Draws = state.hand.draws
    if state.phase == "drawing" or act.by not in draws.stood or act.by in draws.silent:
        infer_missing_acts(act, state)
    if state.phase == "exchanging" and act.by in state.turn:
        keeps_all(act, state)
        stand(act.by, state)


ACTS = (Discard, Draw, Pass, Play)


def standing(state: State[Hand]) -> Event | None:
    """The act of a lone `.`: the seat stands."""
    return Pass(by=state.turn[0]) if state.turn else None


# Play of the hand: tricks of sets
RULES.check("R3", Play)(first_lead)


def led_with(trick: Trick) -> int:
    """The number of cards led, which is the number of tricks that this one is worth."""
    plays = trick.plays
    leader = plays[0][0]
    # Most leads are of a single card.
    return 1 if len(plays) == 2 and plays[1][0] != leader else len([seat for seat, _ in plays if seat == leader])


class SetTricks:
    """The leads of one hand with their answers, each of them a `Trick` of all their cards.

    `lost`: acts are missing from the record, so the end of a trick is unknown.
    """

    def __init__(self, state: State[Hand], total: int) -> None:
        self.seats, self.table, self.total = state.terms.seats, state.table, total
        self.pile: Pile = state.table.row("trick")
        self.plays: list[tuple[str, int]] = []
        self.won: list[Trick] = []
        # Suits do not count.
        self.led = ""
        self.lost = False

    @property
    def suits(self) -> Suits:
        """Each card has the suit it shows."""
        return printed_suits(self.table.pack)

    @property
    def astray(self) -> bool:
        """True if a seat acted out of turn."""
        return self.table.astray

    @property
    def played(self) -> int:
        """Number of tricks played."""
        return sum(map(led_with, self.won))

    def taken_by(self, side_of: Mapping[str, str]) -> dict[str, int | None]:
        """Number of tricks each side took; None if a winner is unknown."""
        count: dict[str, int | None] = dict.fromkeys(side_of.values(), 0)
        for trick in self.won:
            side = owner(trick, side_of)
            if not side:
                return dict.fromkeys(count)
            count[side] = (count[side] or 0) + led_with(trick)
        return count

    def lose_count(self, state: State[Hand]) -> None:
        """Acts are missing from the record: the trick in progress, and who won, are unknown."""
        self.lost = state.table.astray = True
        self.plays = []

    def winners(self, answer: list[int]) -> tuple[str, ...]:
        """The seats that may win if the lead is answered with these cards."""
        leader = self.plays[0][0]
        other = next(seat for seat in self.seats if seat != leader)
        led = [code for _, code in self.plays]
        high, low = possible_ranks(led, self.table.pack, self.table.free()), set_ranks(
            answer, self.table.pack, self.table.free(),
        )
        pack = self.table.pack
        sure = max(answer) < pack.unknown or (len(answer) == 1 and bool(low))
        surely_a_set = sure and len({pack.rank_of[c] for c in answer}) == 1
        may = [seat for seat, could in (
            (leader, not surely_a_set or not low or not high or min(low) <= max(high)),
            (other, bool(low) and (not high or max(low) > min(high))),
        ) if could]  # fmt: skip
        return tuple(may)

    def add(self, seat: str, codes: list[int], state: State[Hand]) -> tuple[str, ...]:
        """Add cards that are led, or answer a lead; return the seats that may play next."""
        other = next(one for one in self.seats if one != seat)
        if seat not in state.turn:
            self.table.astray = True
        if not self.plays:
            if self.won and len(self.won[-1].winners) > 1 and seat in self.won[-1].winners:
                self.won[-1] = replace(self.won[-1], winners=(seat,), inferred=True)
            self.plays = [(seat, code) for code in codes]
            return (other,)
        return self.finish(seat, codes, state)

    def make_good(self, seat: str, state: State[Hand]) -> None:
        """Infer an unseen answer, as a seat leads again."""
        if not self.plays or self.plays[0][0] != seat:
            return
        other = next(one for one in self.seats if one != seat)
        unseen = [state.game.pack.unknown] * len(self.plays)
        self.table.astray = True
        self.table.move(unseen, state.holding(other), self.pile)
        state.infer(f"{other} answered before this (not recorded)")
        self.finish(other, unseen, state)
        gather_trick(state, self)

    def finish(self, seat: str, answer: list[int], state: State[Hand]) -> tuple[str, ...]:
        """Finish the trick with this answer; return its possible winners."""
        winners = self.seats if self.lost else self.winners(answer)
        self.won.append(Trick(state.at, (*self.plays, *((seat, code) for code in answer)), winners))
        self.plays = []
        return winners

    def just_taken(self, at: int) -> str:
        """The winner of the tricks that the event at this position decided, in words."""
        if not self.won or self.plays or self.won[-1].at != at or self.lost:
            return ""
        last = self.played
        first = last - led_with(self.won[-1]) + 1
        which = (
            f"trick {last}" if first == last else f"tricks {first} and {last}" if last == first + 1
            else f"tricks {first} to {last}"
        )
        return f"{which} to {one_of(self.won[-1].winners)}"


def possible_ranks(codes: list[int], pack: Pack, free: int) -> set[int]:
    """The ranks that cards of one rank may have; for cards of several ranks, the highest seen."""
    known = {ORDER.index(rank) for code in codes if (rank := pack.rank_of[code]) in ORDER}
    return {max(known)} if known else set_ranks(codes, pack, free)


def set_ranks(codes: list[int], pack: Pack, free: int) -> set[int]:
    """The ranks that all of these cards may have together; empty if they cannot be of one rank."""
    out = set(range(len(ORDER)))
    for code in codes:
        if pack.rank_of[code] in ORDER:
            out &= {ORDER.index(pack.rank_of[code])}
        else:
            left = pack.may_be[code] & free
            out &= {i for i, rank in enumerate(ORDER) if left & pack.rank[rank]}
    return out


def play_sets(play: Play, state: State[Hand]) -> None:
    """Apply a play; gather a trick that is full, and end the hand with the last one."""
    table, trick, pack = state.table, state.hand.trick, state.game.pack
    codes = table.codes(play.cards, state.holding(play.by))
    if pack.many in codes:
        table.astray = True
        codes = [pack.unknown if code == pack.many else code for code in codes]
    if not codes:
        return
    trick.make_good(play.by, state)
    before = len(trick.won)
    table.move(codes, state.holding(play.by), trick.pile)
    state.turn = trick.add(play.by, codes, state)
    if len(trick.won) > before and not trick.plays:
        gather_trick(state, trick)
    if trick.lost:
        state.turn = state.terms.seats
    elif not trick.plays and (trick.played >= trick.total or any(state.holding(s).empty for s in trick.seats)):
        # A player may have no card left, as too many were played at once.
        finish_hand(state)


@RULES.check("R4", Play)
def led_of_one_rank(play: Play, state: State[Hand]) -> CheckResult | None:
    """One card is led, or two to four of one rank."""
    trick, pack = state.hand.trick, state.game.pack
    many = how_many(play.cards)
    if trick.plays or trick.lost or many == 1:
        return None
    codes = state.table.pack.code
    seen = {pack.rank_of[codes[card.rpartition("x")[2]]] for card in play.cards if card.rpartition("x")[2] in codes}
    if len(seen - {"?"}) > 1 or (many or 0) > 4:
        return broken("cards that are led together are of one rank")
    return unknown("which cards were led") if "?" in seen or many is None else None


def whole_set_is_led(play: Play, state: State[Hand]) -> CheckResult | None:
    """The player who leads several cards of a rank leads all of that rank (if the table has agreed on it)."""
    trick, pack, many = state.hand.trick, state.game.pack, how_many(play.cards)
    if trick.plays or trick.lost or many == 1:
        return None
    code = state.table.pack.code
    if any(card not in code or code[card] >= pack.unknown for card in play.cards):
        return unknown("which cards were led")
    others = pack.rank[play.cards[0][0]] & ~pack.mask_of(play.cards)
    more = state.holding(play.by).any_of(others)
    if more:
        return broken("all cards of the rank are led, or one", state.holding(play.by).certain & others, play.by)
    return unknown(f"whether {play.by} held another of that rank") if more is None else None


@RULES.check("R5", Play)
def as_many_as_led(play: Play, state: State[Hand]) -> CheckResult | None:
    """A lead is answered with as many cards."""
    trick, many = state.hand.trick, how_many(play.cards)
    if not trick.plays or trick.lost or play.by == trick.plays[0][0]:
        return None
    led, held = len(trick.plays), state.holding(play.by)
    if many is not None and many < led and (held.vague or many == len(held)):
        # Too many were played before this, and these may be all that are left.
        return unknown(f"whether {play.by} held more cards: not counted") if held.vague else None
    if many is None or state.table.astray:
        return unknown("how many cards were led and played") if many != led else None
    return None if many == led else broken(
        f"{led} card{'s' * (led != 1)} were led, and {many} answer{'s' * (many == 1)} them"
    )


@RULES.check("R8", Play)
def play_in_turn(play: Play, state: State[Hand]) -> CheckResult | None:
    """A lead is answered by the other player."""
    trick = state.hand.trick
    if not trick.plays or play.by in state.turn or trick.lost:
        return None
    return broken(f"it is the turn of {state.turn[0]}")


def each_set(seat: str, state: State[Hand]) -> list[Event]:
    """Leads and answers to try, some of them illegal."""
    pack, trick = state.game.pack, state.hand.trick
    cards = pack.cards(state.holding(seat).certain)
    sizes = (1, 2, 3, 4) if not trick.plays else {len(trick.plays), min(len(cards), len(trick.plays) + 1)}
    return [Play(by=seat, cards=some) for size in sizes if size for some in combinations(cards, size)]


class Hand(HandRecord):
    """State of one hand of Poke: the draws, the cards exchanged, the tricks."""

    def __init__(self, state: State[Hand]) -> None:
        self.draws, self.exchange, self.trick = Draws(DRAWS, DEALER_DRAWS), Exchange(), SetTricks(state, DEAL.each)


# The draw
def on_play(play: Play, state: State[Hand]) -> None:
    draws_are_over(play, state)
    play_sets(play, state)


@RULES.check("R1", Discard)
def one_to_three_cards(discard: Discard, state: State[Hand]) -> CheckResult | None:
    many = how_many(discard.cards)
    if many is None:
        return unknown("how many cards were discarded: not counted")
    if many > AT_ONCE:
        return broken(f"{AT_ONCE} cards at the most are changed at once")
    return drawn_too_often(discard.by, state) if discard.by != state.dealer else None


@RULES.check("R2", Discard, Draw, Pass)
def one_after_the_other(act: Discard | Draw | Pass, state: State[Hand]) -> CheckResult | None:
    again = isinstance(act, Discard) and act.by == state.dealer and state.phase != "play"
    return (drawn_too_often(act.by, state) if again else None) or drawn_in_turn(act, state)


# Play of the hand
@RULES.check("R4", Play)
def the_whole_set(play: Play, state: State[Hand]) -> CheckResult | None:
    return None if state.terms.options.partial_set_leads else whole_set_is_led(play, state)


@RULES.check("R6", Fault)
def any_cards_may_answer(fault: Fault, state: State[Hand]) -> CheckResult | None:
    trick = state.hand.trick if state.number else None
    if fault.word != "revoke" or trick is None or trick.lost or not trick.won:
        return None
    last = trick.won[-1]
    about_it = fault.who == last.plays[-1][0] or not (fault.who or trick.plays)
    as_many = led_with(last) * 2 == len(last.plays)
    return broken("any cards may answer a lead, if their number is the same") if about_it and as_many else None


# Scoring
def better_with_a_pair(known: Mapping[str, Any], state: State[Hand]) -> str:
    """Return an error text if a player is reported to have the better hand when neither has a pair, else ""."""
    if known.get("class") == "none" and known.get("better"):
        return "a hand without a pair scores nothing"
    return ""


class Tally(TallyFacts):
    """What a hand of Poke is scored from."""

    tricks: Points = bounded(lambda state: state.hand.trick.taken_by(state.terms.side_of), trick_counts(
        "player", DEAL.each, "R7"
    ))  # fmt: skip
    multiplier: Points = figures(
        "what each trick of the other counts for the draws of this player", only=(1, 2, 4), rule="R9",
    )  # fmt: skip
    better: str | None = side("player with the better hand at poker", rule="R10")
    kind: str = choice("what that hand is", *KINDS, key="class", rule="R10", asks="what the better hand was")

    laws = (Law(("class", "better"), better_with_a_pair, "R10"),)


def tally(state: State[Hand]) -> Tally:
    hand, terms = state.hand, state.terms
    nobody: Points = dict.fromkeys(terms.sides)
    out = Tally(tricks=nobody, multiplier=dict(nobody))
    if (hand.trick.plays or hand.trick.won) and not hand.trick.lost:
        out.multiplier = {seat: multiplier(seat, state) for seat in terms.seats}
    if state.settled and not state.stop_reason and hand.trick.won and not hand.trick.lost:
        out.tricks = hand.trick.taken_by(terms.side_of)
        out.better, out.kind = better_hand(state)
    return apply_reported_facts(out, state)


def multiplier(seat: str, state: State[Hand]) -> int | None:
    """Value of each trick of the other player; None if unknown. The dealer's first draw is free."""
    drawn = times_drawn(seat, state)
    if drawn is None:
        return None
    times = drawn - (FREE if seat == state.dealer else 0)
    # A draw too many is against the rules, and does not double again.
    return 1 << min(2, max(0, times))


def better_hand(state: State[Hand]) -> tuple[str | None, str]:
    """Seat of the better poker hand and its name; None and "" while cards are unknown."""
    held: dict[str, list[int]] = {seat: list(PACK.codes(state.holding(seat).certain)) for seat in state.terms.seats}
    for trick in state.hand.trick.won:
        for seat, code in trick.plays:
            held[seat].append(code)
    if any(len(codes) != DEAL.each or max(codes) >= PACK.unknown for codes in held.values()):
        return None, ""
    faces, wheel, (one, other) = PACK.faces, state.terms.options.wheel_straight, state.terms.seats
    first, second = (poker_hand([faces[code] for code in held[seat]], wheel=wheel) for seat in (one, other))
    if first == second:
        return None, "none"
    name = max(first, second).name
    return (None if name == "none" else one if first > second else other), name


def bonuses(before: Rubber, lines: tuple[ScoreLine, ...], target: int) -> Iterator[ScoreLine]:
    """Lines above the line for a game that is won."""
    who = carries_to(target, before, lines)
    if who is None or (who and None in before.games.values()):
        yield ScoreLine("game", dict.fromkeys(before.games), {}, "above")
    elif who:
        yield pad_entry("game", who, GAME_BONUS, f"game: {GAME_BONUS}")
        yield from second_game(before, who, RUBBER)


def entries(t: Tally, terms: Terms) -> Iterator[ScoreLine]:
    """Lines of the hand itself, below the line and above it."""
    one, other = terms.seats
    points: Points = {}
    sums: dict[str, str] = {}
    for who, opponent in ((one, other), (other, one)):
        n, times = t.tricks.get(who), t.multiplier.get(opponent)
        points[who] = 0 if n == 0 else None if n is None or times is None else n * times
        if n and times:
            more = f" × {times}, {DOUBLED[times]}" if times > 1 else ""
            sums[who] = f"{n} trick{'s' * (n > 1)}{more}: {n * times}"
    yield ScoreLine("tricks", points, sums, "below")
    if t.kind and HONOURS[t.kind] and t.better:
        yield pad_entry("honours", t.better, HONOURS[t.kind], f"{kind_in_words(t.kind)}: {HONOURS[t.kind]}")
    elif t.kind != "none":
        yield ScoreLine("honours", dict.fromkeys(terms.sides), {}, "above")
    for who, n in t.tricks.items():
        if n == DEAL.each:
            yield pad_entry("all five tricks", who, ALL_FIVE, f"all five tricks: {ALL_FIVE}")
    if None in t.tricks.values():
        yield ScoreLine("all five tricks", dict.fromkeys(terms.sides), {}, "above")


def doubled_by_draws(t: Tally, terms: Terms) -> str:
    """The players whose draws double the tricks of the other, in words."""
    return ", ".join(f"{terms.name(who)} {DOUBLED[n]}" for who, n in t.multiplier.items() if n and n > 1)


def score(state: State[Hand]) -> HandScore:
    """Score of the hand in play, as far as it is recorded, with the game or rubber that it wins."""
    t, terms, before = tally(state), state.terms, state.before
    assert isinstance(before, Rubber)
    doubled = doubled_by_draws(t, terms)
    if nothing := counts_nothing(state, t.void, contract=doubled, unfinished=None in t.tricks.values()):
        return nothing
    lines = tuple(entries(t, terms))
    lines += tuple(bonuses(before, lines, terms.options.game_target))
    points: Points = {who: entries_sum(lines, who, "above") for who in terms.sides}
    missing = {
        "who took how many tricks": None in t.tricks.values(),
        "how often each drew": None in t.multiplier.values(),
        "what the better hand was": not t.kind or (t.kind != "none" and t.better is None),
        "how the games stand": None in (*before.below.values(), *before.games.values()),
    }
    said = "–".join(str(n) for n in t.tricks.values()) if None not in t.tricks.values() else ""
    best = f"{terms.name(t.better)} {kind_in_words(t.kind)}" if t.better and t.kind not in ("", "none") else ""
    return hand_score(
        state, points, lines, contract=doubled, result=", ".join(filter(None, (said, best))),
        unknown=[what for what, lacking in missing.items() if lacking],
    )


def after(before: Standing, hand: HandScore, terms: Terms) -> Rubber:
    """Add a hand to the standing. Winning a game clears the points below the line; the second game ends the rubber."""
    assert isinstance(before, Rubber)
    if before.over or hand.source == "void":
        return before
    lines = hand.lines
    if not lines and None in hand.points.values():
        lines = tuple(unknown_entries(before.totals, before.totals))
    now = with_entries(before, lines, carries_to(terms.options.game_target, before, lines), hand.points)
    return replace(now, hands=before.hands) if hand.source == "nothing" else now


def on_the_line(state: State[Hand]) -> dict[str, Any]:
    """Who is doubled and how the game stands, for the headline."""
    before = state.before
    drawn = {seat: DOUBLED[n] for seat in state.terms.seats if (n := multiplier(seat, state)) and n > 1}
    below = before.below if isinstance(before, Rubber) else {}
    stands = " ".join(f"{who} {n}" for who, n in below.items() if n)
    return {**drawn, "below the line": stands} if stands else drawn


GAME = Game(
    key="poke", name="Poke", family="tricks", summary=summary_of(__doc__),
    seating=singles(2), pack=PACK,
    dealing=Dealing(deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=shuffle_and_deal),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=begin_with(first_to_act("exchanging"), Hand),
    phases={
        "exchanging": Phase(
            "changing cards", ACTS, "cards to change (2x unseen), or a pass (.)", to_do="draw or stand",
            verb_required=(Draw, Play), default_act=standing, tries=(try_pass, discarding(AT_ONCE)),
        ),
        "drawing": Phase(
            "drawing", ACTS, "as many cards drawn (.), or the next act at once", to_do="draw",
            verb_required=(Discard, Play), default_act=default_exchange_draw, tries=(draws_as_many,),
        ),
        "play": Phase(
            "play", ACTS, "one card, or several of a rank", to_do="play", verb_required=(Discard, Draw),
            tries=(each_set,),
        ),
    },
    on={
        Discard: on_discard, Draw: on_draw, Pass: on_pass, Play: on_play, Move: gathered_by, Gap: after_gap(),
    },
    tally=Tally, compute_tally=tally, score=score, after=after,
    match=MatchRules(new_match=lambda terms: new_rubber(terms.sides)),
    sheet=RubberSheet(("WE", "THEY")),
    shorthand=Shorthand(expand=lambda state, event: (meant_to_be_changed(event, state),), verbs={Pass: "stands"}),
    display=Display(
        headline=on_the_line, last_outcome_text=lambda state: state.hand.trick.just_taken(state.at),
        contract=lambda state: doubled_by_draws(tally(state), state.terms),
        piles={"discard": Lies("stack", "beside", "nobody")},
    ),
    simulation=Simulation(weigh=lambda state, act: 12.0 if isinstance(act, Pass) else 1.0),
)  # fmt: skip
