"""Tresette: four players in partnerships take tricks for aces, and by threes for twos, threes and face cards; they name
melds, and may talk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Callable
from functools import cache
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from events.cards import one_by_one
from events.model import Call, Deal, Event, Fault, Move, Play
from events.name_lists import one_of
from reducers.page import (
    CONSEQUENCE, DUTY, RIGHT, SUIT_NAMES, SUITS, Catalogue, CheckResult, DealSpec, Direction, Game, Dealing, Omissions,
    Shorthand, Display, Simulation, HandScore, Law, ScoreLine, Phase, Points, State, TallyFacts, as_many_as_dealt,
    bounded, broken, counts, counts_nothing, deals_next, HouseRules, try_each_card, figures, grows, hand_score,
    highest_at_target, ensure_hand_started, apply_reported_facts, pack, partnerships, plus, ranking, ensure_dealt, rule,
    settle, shuffle_and_deal, side, summary_of, figure_of_line, to_the_right, running_total, unknown, we_they,
    WHO_DEALS,
)  # fmt: skip
from reducers.words.card_points import CardPoints, thirds
from reducers.words.declarations import (
    GONE_BY, after_the_own_first_trick, any_held, before_the_own_first_card, certainly_held, held_as_said,
    held_at_first, MOST_HANDS_TRIED, nothing_dealt,
)  # fmt: skip
from reducers.words.trick_play import (
    TRICKS, TrickHand, first_lead, just_taken, must_follow_suit, on_card, one_card_in_turn, owner, play_at_once,
    suit_led, winner_gathers,
)  # fmt: skip
from reducers.words.tricks import CARD_UNSEEN, Tricks

# Setup
SEATS = partnerships()
PACK = pack("3 2 A K J Q 7 6 5 4")
DEAL = DealSpec(each=10)

# Card ranking: the jack ranks above the queen.
PLAIN = ranking("3 2 A K J Q 7 6 5 4")

# Melding
SETS = {"A": "aces", "2": "twos", "3": "threes"}
NAPS = {suit: PACK.mask_of([rank + suit for rank in SETS]) for suit in SUITS}
KINDS = (*((PACK.rank[rank], 3) for rank in SETS), *((nap, 3) for nap in NAPS.values()))
# Three aces, twos and threes of three suits make three sets and three naps; another hand may have the fourth nap.
MOST_MELDS = 21
# Counts that a side's melds cannot have: no threes and fours add up to them, or no twelve cards make such melds.
NO_MELDS = (1, 2, 5, 17, 20)

# Scoring
FIGURES = CardPoints(PACK, dict.fromkeys("32KJQ", 1))
ACES = CardPoints(PACK, {"A": 1})


class Options(HouseRules, frozen=True):
    """House rules of Tresette."""

    direction: Direction = "clockwise"
    target: Annotated[int, Meta(ge=1, le=999, description="points that win the match")] = 31
    table_talk: Annotated[bool, Meta(description="partners may say what the rules let them say")] = True


SETUP, MELDING, PLAY, SCORING = "Setup", "Melding", "Play of the hand", "Scoring"
RULES = Catalogue(
    "tresette",
    rule("R1", SETUP, CONSEQUENCE, "The whole pack of forty is dealt, ten cards to each seat.",
         "ten each", {Deal: as_many_as_dealt}),
    rule("R2", MELDING, DUTY, "A seat says good play only if it was dealt a meld, and before its own first card.",
         "good play"),
    rule("R3", MELDING, DUTY, "A meld is three or four aces, twos or threes, or the three, two and ace of one suit, "
         "which is a nap; one card may serve both.", "what a meld is"),
    rule("R4", MELDING, DUTY, "A seat names its melds after its own first trick and before the next lead, each once, "
         "and none that it was not dealt.", "name the melds"),
    rule("R5", MELDING, DUTY, "Only a seat that has said good play names melds.", "good play comes first"),
    rule("R6", PLAY, DUTY, "The dealer's left leads to the first trick, the dealer's right if play goes to the right; "
         "the winner of a trick leads to the next.", "lead", {Play: first_lead}),
    rule("R7", PLAY, DUTY, "Each seat in turn plays one card to a trick.",
         "play in turn", {Play: one_card_in_turn}),
    rule("R8", PLAY, DUTY, "A seat that holds the suit led plays it; a seat that does not may play any card.",
         "follow suit", {Play: must_follow_suit}),
    rule("R9", PLAY, CONSEQUENCE, "The highest card of the suit led wins the trick.",
         "who wins", {Move: winner_gathers}),
    rule("R10", PLAY, RIGHT, "The leader may ask the partner for the best card; a seat that follows may say how "
         "many cards of the suit led it holds; a seat may say that it has two, one or no cards of a suit, without "
         "naming it.", "table talk"),
    rule("R11", SCORING, CONSEQUENCE, "All ten tricks are played.", "ten tricks"),
    rule("R12", SCORING, CONSEQUENCE, "A side counts a point for each card of its melds, for each ace that it takes, "
         "for every three of the twos, threes and face cards that it takes, and for the last trick.",
         "what a hand counts"),
    rule("R13", SCORING, CONSEQUENCE, "The first side with 31 points has won.", "the match"),
)  # fmt: skip

READINGS = {
    "Who are partners?": "those who sit opposite: only so the turns go from one side to the other",
    "Until when may a seat say good play?": "until the seat's own first card, so that the last of them may still say "
    "it in the first trick",
    "A seat that takes no trick, or forgets to name its melds": "scores nothing for them",
    "Must a meld be declared?": "no; a seat that says nothing is not at fault",
    "Four of a kind": "is one meld of four points, and not also a meld of three",
    "What is scored of melds that were named wrongly?": "what was named, until a ruling takes it away (points.NS=-3)",
    "A nap named with its suit and without": "is one nap, unless another was dealt to that seat",
    "Melds of both partners": "add up for their side, whoever takes the cards in tricks",
    "When do melds count?": "with all the rest after the tenth trick, so that they cannot end a hand",
    "Both sides at the target after one hand": "the higher total wins; if they are level, another hand is played",
    "Cards that are left over when they are counted by threes": "are lost, and the cards of partners are counted "
    "together",
    "Does a count include the card that is about to be played?": "both are true",
    "A count, or a short suit, that is not so": "is a finding; the text has no penalty for it",
    "What else may be said?": "nothing: what the rules let players say is a list; other talk is kept as a note",
    "Who deals next?": "the next in the direction of play",
    "An unrecorded good play": "is open, not broken, unless others said it in that hand",
}
WORDS = {
    "good": "call: good play, which says that the seat was dealt a meld",
    "declare": "call: a meld: 3x3? for three threes, 3?2?A? for a nap; cards: the meld, or 333, aaaa, nap, napc",
    "best": "call: the leader asks the partner for the best card; fault: the table objected",
    "count": "call: number of cards held in the suit led; fault: the table objected",
    "short": "call: two, one or no cards of some suit; fault: the table objected",
}


class Meld(Struct, frozen=True):
    """A meld as named: a set of a rank, or a nap of a suit (`?` if the suit was not named); `named` are its cards."""

    kind: str
    count: int
    named: int = 0

    @property
    def text(self) -> str:
        """The name of the meld."""
        if self.kind in SETS:
            return f"{('three', 'four')[self.count - 3]} {SETS[self.kind]}"
        return "a nap" if self.kind == "?" else f"a nap in {SUIT_NAMES[self.kind]}"


def told_whole(cards: tuple[str, ...]) -> bool:
    """True if the ranks of the cards of a meld and their number are recorded."""
    return bool(cards) and not any("*" in card or card.rpartition("x")[2][0] == "?" for card in cards)


@cache
def meld_of(cards: tuple[str, ...]) -> Meld | None:
    """The meld that these cards make, as far as they are named; None if they are no meld or not fully recorded.

    >>> melds = map(meld_of, (("3x3?",), ("4x2?",), ("3?", "2?", "A?"), ("3c", "2?", "Ac")))
    >>> [meld.text for meld in melds if meld]
    ['three threes', 'four twos', 'a nap', 'a nap in clubs']
    >>> meld_of(("3xK?",)), meld_of(("2xA?",)), meld_of(("3c", "2d", "Ac")), meld_of(("3c", "3c", "3d"))
    (None, None, None, None)
    """
    if not told_whole(cards):
        return None
    each = one_by_one(cards)
    ranks, suits = {card[0] for card in each}, {card[-1] for card in each} - {"?"}
    full = [card for card in each if "?" not in card]
    if any(card not in PACK.code for card in each) or len(set(full)) < len(full):
        return None
    named = PACK.bag(full)
    if len(ranks) == 1 and ranks <= set(SETS) and len(each) in (3, 4):
        return Meld(ranks.pop(), len(each), named)
    if ranks == set(SETS) and len(each) == 3 and len(suits) < 2:
        return Meld(suits.pop() if suits else "?", 3, named)
    return None


class Hand(TrickHand):
    """State of one hand of Tresette: seats that said good play, and the melds of each seat (None: not recorded)."""

    def __init__(self, state: State[Hand], ranked: Any = PLAIN) -> None:
        super().__init__(state, ranked)
        self.good: set[str] = set()
        self.melds: dict[str, list[Meld | None]] = {}
        # The last valid call of table talk.
        self.spoken: Call | None = None


# Melding
@RULES.check("R2", Call)
def good_play_with_a_meld(call: Call, state: State[Hand]) -> CheckResult | None:
    if call.word != "good":
        return None
    late = before_the_own_first_card(call.by, state)
    if late is not None:
        return late
    has = any_held(KINDS, call.by, state)
    if has is None:
        return unknown(f"whether {call.by} was dealt a meld")
    held = certainly_held(call.by, state)
    return None if has else broken(f"{call.by} was dealt no meld", held, call.by, together=True)


@RULES.check("R3", Call)
def what_a_meld_is(call: Call, state: State[Hand]) -> CheckResult | None:
    if call.word != "declare" or meld_of(call.cards) is not None:
        return None
    if not told_whole(call.cards):
        return unknown("which meld was named is missing from the record")
    return broken("a meld is three or four aces, twos or threes, or the three, two and ace of a suit")


@RULES.check("R4", Call)
def melds_are_named_after_the_first_trick(call: Call, state: State[Hand]) -> CheckResult | None:
    if call.word != "declare":
        return None
    why, meld = after_the_own_first_trick(call.by, state), meld_of(call.cards)
    if meld is None or (why is not None and why.verdict == "broken"):
        return why
    before = again(meld, state.hand.melds.get(call.by, ()))
    if before is not None:
        return broken(f"{call.by} has named {before.text} already")
    held = was_dealt(meld, call.by, state)
    if held is False:
        none = meld.kind in SETS or naps_dealt(1, {meld.kind}, call.by, state) is False
        more = meld.text if none or not any(naps_of(state.hand.melds.get(call.by, ()))) else "another nap"
        return broken(f"{call.by} was not dealt {more}", certainly_held(call.by, state), call.by, together=True)
    return why or (unknown(f"whether {call.by} was dealt {meld.text}") if held is None else None)


def again(meld: Meld, told: Any) -> Meld | None:
    """The meld of this kind that was named before, else None; a nap of an unnamed suit may be a new one."""
    same = (one for one in told if one is not None and one.kind == meld.kind)
    return None if meld.kind == "?" else next(same, None)


def was_dealt(meld: Meld, seat: str, state: State[Hand]) -> bool | None:
    """True if a seat was dealt the meld that it names; None if unknown."""
    if meld.kind in SETS:
        parts = [(PACK.rank[meld.kind], meld.count), (meld.named, PACK.count(meld.named))]
        answers = {any_held((part,), seat, state) for part in parts if part[1]}
    else:
        # Naps of an unnamed suit are of suits that were not named.
        suits, without = naps_of((*state.hand.melds.get(seat, ()), meld))
        answers = {naps_dealt(1, {meld.kind}, seat, state), naps_dealt(without, set(NAPS) - suits, seat, state)}
    return False if False in answers else None if None in answers else True


def naps_of(melds: Iterable[Meld | None]) -> tuple[set[str], int]:
    """The suits of the naps among these melds, and the number of naps of an unnamed suit."""
    kinds = [meld.kind for meld in melds if meld is not None and meld.kind not in SETS]
    return set(kinds) - {"?"}, kinds.count("?")


def naps_dealt(many: int, suits: set[str], seat: str, state: State[Hand]) -> bool | None:
    """True if a seat was dealt n naps of these suits (`?` for any suit); None if unknown."""
    naps = [nap for suit, nap in NAPS.items() if suit in suits or "?" in suits]
    spans = [held_at_first(nap, seat, state) for nap in naps]
    if sum(low == 3 for low, _ in spans) >= many:
        return True
    if sum(high == 3 for _, high in spans) < many:
        return False
    return held_as_said(lambda bag: sum(not nap & ~bag for nap in naps) >= many, seat, state)


@RULES.check("R5", Call)
def good_play_comes_first(call: Call, state: State[Hand]) -> CheckResult | None:
    if call.word != "declare" or call.by in state.hand.good:
        return None
    if state.hand.trick.lost:
        return unknown(GONE_BY)
    if state.hand.good:
        return broken(f"{call.by} has not said good play")
    return unknown(f"whether {call.by} said good play: that may be missing from the record")


NOT_TOLD = "the number that the seat stated is missing from the record"

Says: TypeAlias = Callable[[Call, State[Hand]], CheckResult | None]


def asks_for_the_best(call: Call, state: State[Hand]) -> CheckResult | None:
    """The leader asks the partner for the best card of the suit, with the lead or just before it."""
    trick: Tricks = state.hand.trick
    if trick.plays:
        leader = trick.plays[0][0]
        if leader == call.by and len(trick.plays) == 1:
            return None
        return broken("the best card is asked for with the lead" if leader == call.by else f"{leader} led, and may ask")
    if call.by not in state.turn:
        return broken(f"{one_of(state.turn)} leads, and may ask" if state.turn else "no further trick is led")
    if state.dealer_is_guess and not trick.won:
        return unknown(WHO_DEALS)
    return unknown(f"who leads: {one_of(state.turn)}") if len(state.turn) > 1 else None


def says_how_many(call: Call, state: State[Hand]) -> CheckResult | None:
    """A seat that follows says how many cards it has of the suit led, with the card that it plays or without."""
    trick, seat, pack = state.hand.trick, call.by, state.game.pack
    plays = trick.plays or (trick.won[-1].plays if trick.won else ())
    if not plays:
        return broken("no card has been led yet")
    if plays[0][0] == seat:
        return broken(f"{seat} led; those who follow may say how many they hold")
    led = pack.suit_of[plays[0][1]]
    own = [pack.suit_of[code] for who, code in plays if who == seat]
    if call.amount is None:
        return unknown(NOT_TOLD)
    if led == "?" or "?" in own:
        return unknown(CARD_UNSEEN)
    # The line may come before the card or after it.
    offsets = (0, -1) if not own else (0, 1) if led in own else (0,)
    held = state.holding(seat)
    low, high = held.how_many(pack.suit[led])
    fits = {call.amount in {max(n + more, 0) for more in offsets} for n in range(low, high + 1)}
    many = f"{call.amount or 'none'} of {SUIT_NAMES[led]}"
    if True not in fits:
        return broken(f"{seat} said {many}, which was not true", held.certain, seat, together=True)
    return unknown(f"whether {seat} held {many}") if False in fits else None


def says_that_a_suit_is_short(call: Call, state: State[Hand]) -> CheckResult | None:
    """A seat says that it has two, one or no cards of a suit that it does not name."""
    if call.what or call.cards:
        return broken("the suit is not named")
    if call.amount is None:
        return unknown(NOT_TOLD)
    if not 0 <= call.amount <= 2:
        return broken("a seat may say that it holds two, one or none of a suit")
    held, pack, short = state.holding(call.by), state.game.pack, call.amount
    if nothing_dealt(call.by, state):
        return unknown("which cards were dealt: not recorded")
    spans = [held.how_many(pack.suit[suit]) for suit in SUITS]
    if (short, short) in spans:
        return None
    said = f"{short or 'none'} of a suit"
    wrong = broken(f"{call.by} said {said}, which was not true", held.certain, call.by, together=True)
    if not any(low <= short <= high for low, high in spans):
        return wrong
    holdings = held.possible_holdings(MOST_HANDS_TRIED) or ()
    so = {any(pack.count(bag & pack.suit[suit]) == short for suit in SUITS) for bag in holdings}
    return None if so == {True} else wrong if so == {False} else unknown(f"whether {call.by} held {said}")


MAY_SAY: Mapping[str, Says] = {
    "best": asks_for_the_best, "count": says_how_many, "short": says_that_a_suit_is_short,
}  # fmt: skip


def may_be_said(call: Call, state: State[Hand]) -> CheckResult | None:
    """The verdict on a statement; None if it is legal or no talk."""
    if call.word not in MAY_SAY:
        return None
    return unknown(GONE_BY) if state.hand.trick.lost else MAY_SAY[call.word](call, state)


@RULES.check("R10", Fault)
def talk_is_not_refused(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """Check a fault by which the table rejects a legal statement."""
    spoken: Call | None = state.hand.spoken if state.number else None
    if spoken is None or fault.word != spoken.word or fault.who not in ("", spoken.by):
        return None
    return broken(f"{spoken.by} may say this here")


def talks(seat: str, state: State[Hand]) -> Iterator[Event]:
    """Statements to try, among them a false count."""
    plays = state.hand.trick.plays
    if not plays:
        yield Call(by=seat, word="best")
    elif (led := state.game.pack.suit_of[plays[0][1]]) in SUITS:
        held = state.game.pack.count(state.holding(seat).certain & state.game.pack.suit[led])
        yield from (Call(by=seat, word="count", amount=n) for n in (held, held + 2))
    yield from (Call(by=seat, word="short", amount=n) for n in range(3))


# Play of the hand
@RULES.check("R10", Call)
def only_this_may_be_said(call: Call, state: State[Hand]) -> CheckResult | None:
    if call.word in MAY_SAY and not state.terms.options.table_talk:
        return broken("by the house rule there is no talk at this table")
    return may_be_said(call, state)


def on_call(call: Call, state: State[Hand]) -> None:
    if state.phase != "last word":
        ensure_dealt(state)
    hand = state.hand
    if call.word == "good":
        hand.good.add(call.by)
    elif call.word == "declare":
        told, meld = hand.melds.setdefault(call.by, []), meld_of(call.cards)
        if meld is None:
            # A meld was named but not recorded; if no card of it was heard, only at a time when one may be named.
            why = after_the_own_first_trick(call.by, state)
            may_be = bool(call.cards) or why is None or why.verdict == "open"
            told += [None] * (may_be and not told_whole(call.cards))
        elif again(meld, told) is None:
            told.append(meld)
        if state.settled:
            settle(state)
    elif call.word in MAY_SAY:
        hand.spoken = call if only_this_may_be_said(call, state) is None else None


def on_play(play: Play, state: State[Hand]) -> None:
    on_card(play, state)
    last_word(state)


def last_word(state: State[Hand]) -> None:
    """A player who said good play and won the last trick may still name melds."""
    hand = state.hand
    if state.settled and hand.good and hand.trick.won and hand.good & set(hand.trick.won[-1].winners):
        state.phase = "last word"


def unwritten(state: State[Hand], act: Event) -> None:
    """A card after the last trick shows that another hand has begun."""
    if state.phase == "last word" and isinstance(act, Play):
        ensure_hand_started(state)


# Scoring
def no_such_melds(known: Mapping[str, Any], state: State[Hand]) -> str:
    """Return an error text if melds do not add up from threes and fours, or exceed what a hand can have, else ""."""
    told = {who: known.get(f"melds.{who}") for who in state.terms.sides}
    for who, n in told.items():
        if n in NO_MELDS:
            return f"melds of twelve cards count three or four each, so those of {who} cannot count {n}"
    amounts = [n for n in told.values() if isinstance(n, int)]
    return f"all melds of a hand count {MOST_MELDS} at the most" if sum(amounts) > MOST_MELDS else ""


class Tally(TallyFacts):
    """What a hand of Tresette is scored from."""

    melds: Points = grows(figures("points for the melds of a side", 0, MOST_MELDS, rule="R3"))
    figures: Points = bounded(FIGURES.at_least, counts(
        "twos, threes and face cards that a side took", of=20, rule="R12",
        asks="how many twos, threes and face cards each side took",
    ))  # fmt: skip
    aces: Points = bounded(ACES.at_least, counts(
        "aces that a side took", of=4, rule="R12", asks="how many aces each side took",
    ))  # fmt: skip
    last: str | None = side(
        "side that took the last trick", asks="who took the last trick", ruling="side that gets the last trick"
    )

    laws = (Law(("melds",), no_such_melds, "R3"),)


def melds_of(seats: tuple[str, ...], state: State[Hand]) -> list[Meld | None]:
    """The melds that these seats have named; None for one that may repeat another."""
    return [meld for seat in seats for meld in named_once(seat, state)]


def named_once(seat: str, state: State[Hand]) -> list[Meld | None]:
    """The melds that a seat has named, each once: a nap of an unnamed suit counts only if another was dealt."""
    told = state.hand.melds.get(seat, ())
    suits, _ = naps_of(told)
    out = [meld for meld in told if meld is None or meld.kind != "?"]
    for many, nap in enumerate((meld for meld in told if meld is not None and meld.kind == "?"), 1):
        another = (many == 1 and not suits) or naps_dealt(many, set(NAPS) - suits, seat, state)
        if another is not False:
            out.append(nap if another else None)
    return out


def tally(state: State[Hand]) -> Tally:
    trick, sides = state.hand.trick, state.terms.sides
    melds: Points = {}
    for who, seats in sides.items():
        named = melds_of(seats, state)
        melds[who] = None if None in named else sum(meld.count for meld in named if meld is not None)
    if len(trick.won) < DEAL.each or trick.lost:
        nothing: Points = dict.fromkeys(sides)
        return apply_reported_facts(Tally(melds, nothing, dict(nothing), None), state)
    last = owner(trick.won[-1], state.terms.side_of) or None
    return apply_reported_facts(Tally(melds, FIGURES.taken(state), ACES.taken(state), last), state)


def by_threes(t: Tally, state: State[Hand]) -> Points:
    """Points for cards that count by threes, None if unknown; an unseen card may make no difference."""
    points = thirds(t.figures)
    if None in points.values() and not state.tallies and len(state.hand.trick.won) == DEAL.each:
        for who, (low, high) in FIGURES.between(state).items():
            points[who] = low // 3 if low // 3 == high // 3 else None
    return points


def score(state: State[Hand]) -> HandScore:
    t = tally(state)
    if nothing := counts_nothing(state, t.void):
        return nothing
    third = by_threes(t, state)
    cards: Points = {}
    sums: dict[str, str] = {}
    for who in state.terms.sides:
        last, aces = None if t.last is None else int(t.last == who), t.aces.get(who)
        cards[who] = plus(plus(third[who], aces), last)
        if cards[who] is not None:
            parts = [f"{third[who] if t.figures[who] is None else f'{t.figures[who]} ÷ 3'}"]
            parts += [f"{aces} ace{'s' * (aces != 1)}"] * bool(aces) + ["last trick"] * bool(last)
            sums[who] = f"{' + '.join(parts)} = {cards[who]}"
    points = {who: plus(t.melds.get(who), n) for who, n in cards.items()}
    named = {} if state.tallies else {
        who: " and ".join(meld.text for meld in melds_of(seats, state) if meld is not None)
        for who, seats in state.terms.sides.items()
    }  # fmt: skip
    melds = {who: f"{text} = {t.melds[who]}" for who, text in named.items() if text and t.melds[who] is not None}
    missing = [
        *(["what melds were named"] if None in t.melds.values() else []),
        *(["how many twos, threes and face cards each side took"] if None in third.values() else []),
        *(["how many aces each side took"] if None in t.aces.values() else []),
        *(["who took the last trick"] if t.last is None else []),
    ]
    lines = (ScoreLine("melds", t.melds, melds), ScoreLine("cards", cards, sums))
    return hand_score(state, points, lines, unknown=missing)


# What may be done now
NAMEABLE = (
    *((f"{n}x{rank}?",) for rank in SETS for n in (4, 3)), *((f"3{suit}", f"2{suit}", f"A{suit}") for suit in SUITS),
)  # fmt: skip


def says(seat: str, state: State[Hand]) -> Iterator[Event]:
    """Good play, melds and table talk, including wrong calls for the checks to remove."""
    hand = state.hand
    trick = hand.trick
    if seat not in hand.good:
        yield Call(by=seat, word="good")
    if trick.won and not trick.plays and hand.good:
        told = hand.melds.get(seat, ())
        yield from (
            Call(by=seat, word="declare", cards=cards)
            for cards in NAMEABLE
            if (meld := meld_of(cards)) is not None and again(meld, told) is None
        )
    if state.terms.options.table_talk:
        yield from talks(seat, state)


def expand_shorthand(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """Expand shorthand of melds, by ranks or name: `333`, `aaaa`, `nap`, `napc` for a nap in clubs, `acadas`."""
    if not isinstance(event, Call) or event.word != "declare" or event.cards:
        return (event,)
    typed = event.what or str(event.amount or "")
    cards = tuple(typed[i].upper() + typed[i + 1] for i in range(0, len(typed) - 1, 2))
    if len(set(typed)) == 1 and typed[0].upper() in SETS:
        cards = (f"{len(typed)}x{typed[0].upper()}?",)
    elif typed[:3] == "nap" and len(typed) < 5:
        cards = tuple(rank + (typed[3:] or "?") for rank in ("3", "2", "A"))
    return (replace(event, what="", amount=None, cards=cards),) if meld_of(cards) is not None else (event,)


def weigh(state: State[Hand], event: Event) -> float:
    """Weight of an event in simulation: melds are usually named, and talk is rare."""
    return 1.0 if not isinstance(event, Call) else 0.05 if event.word in MAY_SAY else 8.0


GAME = Game(
    key="tresette", name="Tresette", family="tricks", summary=summary_of(__doc__),
    seating=SEATS, pack=PACK,
    dealing=Dealing(
        deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=shuffle_and_deal,
        counter_clockwise=to_the_right,
    ),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=lambda state: play_at_once(state, PLAIN, Hand),
    phases={
        "play": Phase(
            "play", (Play, Call), "a card; good and declare announce melds",
            to_do="play", one_card=True, tries=(try_each_card, says),
        ),
        "last word": Phase("the last word", (Call,), "melds of the winner of the last trick, or the next hand"),
    },
    on={**TRICKS, Play: on_play, Call: on_call},
    tally=Tally, compute_tally=tally, score=score, after=highest_at_target,
    sheet=we_they({}, {"{} melds": figure_of_line("melds"), "{} cards": figure_of_line("cards"), "{}": running_total}),
    omissions=Omissions(unwritten=unwritten, often_omitted_rules=frozenset({"R5"})),
    shorthand=Shorthand(expand=expand_shorthand, led=suit_led),
    display=Display(last_outcome_text=just_taken),
    simulation=Simulation(weigh=weigh),
)  # fmt: skip
