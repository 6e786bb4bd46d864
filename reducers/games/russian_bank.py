"""Russian Bank: two players in turn build on one shared layout; the first to be rid of reserve, stock and
discards wins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from events.cards import RANKS, how_many, one_by_one
from events.model import Call, Deal, Discard, Draw, End, Event, Fault, Gap, Move, Pass, Show
from events.model import Hand as HandEvent
from reducers.evolve import new_hand, pile_named, spread
from reducers.page import (
    CONSEQUENCE, DUTY, RIGHT, Catalogue, Cell, CheckResult, Game, Dealing, Shorthand, Display, Simulation, HandScore,
    Law, ScoreLine, Phase, Points, State, TallyFacts, broken, changing, counts_nothing, figure, figures, finish_hand,
    hand_score, ensure_hand_started, on_deal, on_move, on_show, apply_reported_facts, plus, pretty, result_text, rule,
    seat, singles, summary_of, figure_of_line, running_total, unknown, HouseRules, after_gap, ForEach,
)  # fmt: skip
from reducers.pile_words import pile_in_words
from reducers.piles import Lies
from reducers.rules import Verdict
from reducers.table import Pile
from reducers.two_valued import agreed, lifted, perhaps, unanswered
from reducers.words.deals import cut
from reducers.words.open_layout import (
    BELOW, BESIDE, FACE, FOUNDATIONS, GONE_THERE, MAY_BE_SPACE, NEXT, PACK, PLACES, UNSEEN, Deed, Layout, LayoutAct,
    LayoutHand, Stop, StopInDoubt, Written, layout_known, layout_seen, NOTHING, cards_seen, own_pile, recycle_discards,
)  # fmt: skip
from reducers.words.scores import highest_of
from reducers.words.sheets import Form
from reducers.words.tallies import no_more_in_all, nothing_left_of

# Setup: a pack for each player; its back only helps to separate the two again.
SEATS = singles(2)
RESERVE, LINE, STOCK = 13, 4, 35
OUT = 30


class Options(HouseRules, frozen=True):
    """House rules of Russian Bank."""

    target: Annotated[int, Meta(ge=1, le=9999, description="score that ends the match")] = 300
    stop_window: Annotated[
        Literal["move", "turn"],
        Meta(description="a Stop comes before the next move, or before the next turn has begun"),
    ] = "move"
    load_discard: Annotated[
        bool, Meta(description="the opponent's discard pile may be loaded, not the reserve alone")
    ] = True
    fill_empty_from_any_when_reserve_empty: Annotated[
        bool, Meta(description="without a reserve any available card may go to an empty space")
    ] = True
    hands_limit: Annotated[
        int, Meta(ge=0, le=999, description="the match is over after this many hands; 0: no limit")
    ] = 0


SETUP, AVAILABLE, FIRST, LATER = "Setup", "Available cards", "Priority moves", "Non-priority moves"
TURNS, STOPS, END_OF_HAND = "Game play", "Calling Stop", "End of the hand"
RULES = Catalogue(
    "russian-bank",
    rule("R1", TURNS, DUTY, "The player whose reserve shows the lower card begins; aces are low.", "who begins"),
    rule("R2", TURNS, DUTY, "Only the player on turn moves cards; the other may do no more than call Stop.",
         "play in turn"),
    rule("R3", AVAILABLE, DUTY, "Available cards are the top of the player's own reserve, the tops of the tableau and "
         "the own turned-up card; not foundations, discards, or the opponent's cards.", "available cards"),
    rule("R4", FIRST, DUTY, "An ace begins a foundation; each further card is the next higher one of its suit, up to "
         "the king.", "foundations"),
    rule("R5", FIRST, DUTY, "Priority moves have an order: reserve to foundation, tableau to foundation, then reserve "
         "to an empty space.", "order of priority"),
    rule("R6", FIRST, DUTY, "Whatever can go to a foundation goes there before anything else is done.",
         "foundations first"),
    rule("R7", FIRST, DUTY, "An empty space is filled from the reserve, as long as there is one, before anything else "
         "is done.", "fill the spaces"),
    rule("R8", LATER, DUTY, "A stock card is turned up only when no priority move is open and no other one is turned "
         "up.", "turning up"),
    rule("R9", LATER, DUTY, "In the tableau a card goes on one that is a rank higher and of the other colour.",
         "building"),
    rule("R10", LATER, DUTY, "One card is moved at a time, and only the top one of a pile.", "one top card"),
    rule("R11", LATER, DUTY, "Only the opponent's reserve and discard pile are loaded, with a card of the suit shown "
         "and one rank away.", "loading"),
    rule("R12", LATER, DUTY, "A turn ends by discarding the turned-up card, and no other; only who has none to turn up "
         "may pass.", "discarding"),
    rule("R13", LATER, DUTY, "When a card is needed and the stock is out, the discards are turned over without "
         "shuffling.",
         "new stock"),
    rule("R14", END_OF_HAND, DUTY, "Once the hand is over nothing is moved before the next deal.", "after the end"),
    rule("R15", STOPS, CONSEQUENCE, "A Stop is right when the opponent has just broken a rule of play; otherwise it "
         "has no effect.", "Stop"),
    rule("R16", STOPS, DUTY, "After a right Stop a misplaced card goes back and missed priority moves are made; "
         "nothing more, and the turn is over.", "after a Stop"),
    rule("R17", AVAILABLE, CONSEQUENCE, "When the top of the reserve has gone, the next card is turned over and is "
         "available.", "reserve turned over"),
    rule("R18", END_OF_HAND, CONSEQUENCE, "Cards left in stock and discards count one, in the reserve two; the player "
         "with fewer scores the difference, and thirty more for having none.", "the count"),
    rule("R19", END_OF_HAND, CONSEQUENCE, "A stalemate ends the hand when neither player has a card that can be "
         "played.", "stalemate"),
    rule("R20", SETUP, DUTY, "From each player's own pack thirteen cards make the reserve, four the line, and "
         "thirty-five the stock.", "the deal"),
    rule("R21", LATER, RIGHT, "A turned-up card that has no place on a foundation may be discarded even if it could be "
         "played elsewhere.", "unwilling"),
)  # fmt: skip

READINGS = {
    "Loading the opponent's stock": "it is face down, so the discard pile is meant; an empty pile cannot be loaded; "
    "option load_discard",
    "Reserve tops of equal rank": "the lines decide, card by card from the reserve on; if they are equal too, either "
    "may begin",
    "The turned-up card among the priorities": "behind the reserve; with the tableau in any order",
    "Several moves of one kind": "any of them first; after each the order is checked again",
    "An empty space without a reserve": "any available card may go there, or none; option "
    "fill_empty_from_any_when_reserve_empty",
    "A Stop for a missed priority": "the move that was made stays, unless it is in the way; then it goes back",
    "A Stop for another rule of play": "ends the turn of who was stopped; nothing goes back",
    "The turned-up card when a Stop ends the turn": "is discarded",
    "Nothing left to turn up": "a player with a reserve alone may pass",
    "A Stop that was wrong": "has no effect",
    "How long a Stop is possible": "until the next move; option stop_window=turn: until the next turn begins",
    "A wrong move taken back without a Stop": "is as good as not made",
    "An unrecorded end of a turn": "is one finding when the other player begins; that the turned-up card was "
    "discarded is inferred when its owner turns up another, and until then open",
    "A second card turned up": "is one finding; what became of the first is not asked again",
    "A reserve card whose move was not recorded": "has gone to a foundation it fits, else to the one empty space, when "
    "another is shown in its place",
    "Stalemate": "agreed by both, or found when each has turned up all cards in vain since the last move",
    "Loading back and forth": "does not put off a stalemate; it is a move only if it leaves a player with fewer cards "
    "than ever since one last went to a foundation or the tableau",
    "Equal counts": "no points are scored",
    "King and ace": "are not next to each other",
}


class Hand(LayoutHand):
    """State of one hand of Russian Bank."""

    def __init__(self, state: State[Hand]) -> None:
        super().__init__(state)
        # The seat on turn; empty before the first act, and after unrecorded acts.
        self.player = ""
        self.dealt = self.gap = False
        # Acts that a Stop may be about, and the state of the last Stop.
        self.deeds: list[Deed] = []
        self.stop = Stop()
        self.dispute: StopInDoubt | None = None
        # Turns in a row without a playable card, for each seat; whether this turn had one.
        self.idle = dict.fromkeys(self.other, 0)
        self.busy = False
        # The fewest cards of each seat since a card went to a foundation or the tableau; empty before a load.
        self.fewest: dict[str, int] = {}
        self.agreed: set[str] = set()
        # Seats that may have discarded the turned-up card unrecorded, as the other player has begun, with the number
        # of discards then; turned-up cards of each seat at the time when another one was turned up.
        self.ended: Mapping[str, int] = {}
        self.told: Mapping[str, tuple[int, ...]] = {}
        self.ending = self.news = ""

    @property
    def last(self) -> Deed | None:
        """The act that may be taken back; None if there is none."""
        return self.stop.undo or (self.deeds[-1] if self.deeds else None)

    def has_discarded(self, seat: str) -> None:
        """Settle that the turned-up card of a seat was discarded, or is still there."""
        self.ended = {s: n for s, n in self.ended.items() if s != seat}


def start(state: State[Hand]) -> Hand:
    state.phase, state.turn = "turn", state.terms.seats
    return Hand(state)


# Setup
@RULES.check("R20", Deal)
def thirteen_four_and_the_rest(deal: Deal, state: State[Hand]) -> CheckResult | None:
    cards: dict[str, list[str]] = {}
    for name, laid in deal.piles:
        (pile, _, rest), count = name.partition(":"), how_many(laid)
        line = LINE if ".." in rest else 1
        # A reserve may be written in two steps, twelve down and one up, or as the top card alone.
        sizes = {"reserve": (RESERVE, RESERVE - 1, 1), "stock": (STOCK,), "col": (line,)}.get(pile)
        if sizes and count not in (None, *sizes):
            what = "line" if pile == "col" else pile
            return broken(f"a {what} has {sizes[0]} card{'s' * (sizes[0] > 1)}, not {count}")
        owner = rest.partition(":")[0] or deal.by
        cards.setdefault(owner, []).extend([c for c in laid if c in PACK.unit_of])
    for owner, mine in cards.items():
        if len(set(mine)) < len(mine):
            twice = next(c for c in mine if mine.count(c) > 1)
            return broken(f"there is one {pretty(twice)} in the pack of {owner}, and two were dealt from it")
    return None


def on_dealing(deal: Deal, state: State[Hand]) -> None:
    """Deal; a reserve is a packet with its top card apart."""
    ensure_hand_started(state)
    hand, packets = state.hand, state.hand.packets
    hand.dealt = True
    piles = tuple((f"{name}:down" if name in packets else name, cards) for name, cards in deal.piles)
    on_deal(replace(deal, piles=piles), state)
    for name, cards in deal.piles:
        if ".." in name and how_many(cards) is None:
            for pile, _ in spread(state, name, cards):
                pile.vague = True
        if name in packets and (deal.face == "up" or len(hand.down[packets[name]]) == RESERVE):
            hand.uncover(packets[name], state.table)
    hand.pending = ""
    hand.look = None
    state.turn = agreed(begins, Layout(state, later=False)) or state.terms.seats


def ensure_dealt(state: State[Hand]) -> None:
    """Infer unseen cards for piles that were not dealt."""
    ensure_hand_started(state)
    hand, table = state.hand, state.table
    if state.acts:
        return
    state.acts = 1
    hand.look = None
    for owner, under in hand.down.items():
        missing = RESERVE - len(under) - len(hand.reserve[owner])
        rest, under.row = under.row or [], []
        table.lay([UNSEEN] * missing, under)
        under.row += rest
        if not len(hand.reserve[owner]):
            hand.uncover(owner, state.table)
        if not len(hand.stock[owner]):
            table.lay([UNSEEN] * STOCK, hand.stock[owner])
    for pile in hand.cols.values():
        if not len(pile):
            table.lay([UNSEEN], pile)
    hand.pending = ""


def begins(look: Layout) -> tuple[str, ...]:
    """Seats that may begin: the lower reserve, else the lower card of the lines."""
    a, b = look.other
    lines = ((look.cols[f"col:{a}:{i}"], look.cols[f"col:{b}:{i}"]) for i in PLACES)
    for mine, yours in ((look.own[a].reserve, look.own[b].reserve), *lines):
        ranks = [PACK.rank_of[c] if c != NOTHING else "?" for c in (mine, yours)]
        lower = None if "?" in ranks else RANKS.index(ranks[0]) < RANKS.index(ranks[1])
        if ranks[0] != ranks[1] or lower is None:
            return (a,) if perhaps(lower, "a card that decides who begins was not seen") else (b,)
    return (a, b)


# The rules of play: each judges an act by the layout before it
ACTS = (Move, Draw, Discard, Pass)
Judge = Callable[[LayoutAct, Layout], CheckResult | None]
# Reasons for a Stop: a misplaced card (it goes back), a missed priority move (it is made), any other rule of play.
REASONS = WRONG_PLACE, PRIORITY, OTHERS = "wrong place", "priority", "others"
# The judges by kind of act, each with its kinds and its reason.
JUDGES: dict[str, list[tuple[frozenset[str], str, Judge]]] = {}
MOVES = "home fill build place load turn shed astray"
# Acts that come after the priority moves.
ORDINARY = "build place load shed pass astray"


def play(rule_id: str, about: str, reason: str = "") -> Callable[[Judge], Judge]:
    """Decorator that registers a judge of this rule for these kinds of acts, and its reason for a Stop."""
    kinds = frozenset(about.split())

    def keep(judge: Judge) -> Judge:
        RULES.check(rule_id, *ACTS)(partial(ask, judge, kinds))
        for what in kinds:
            JUDGES.setdefault(what, []).append((kinds, reason, judge))
        return judge

    return keep


def ask(judge: Judge, kinds: frozenset[str], event: Written, state: State[Hand]) -> CheckResult | None:
    """Verdict of a judge on an event; None if it has no objection."""
    look = asked_about(event, state) if state.hand is not None else None
    return None if look is None or look.act.what not in kinds else opinion(judge, kinds, look.act, look)


def opinion(judge: Judge, kinds: frozenset[str], act: LayoutAct, look: Layout) -> CheckResult | None:
    """Verdict of a judge on an act of these kinds. If it is open while a turned-up card may be anywhere, that is the
    reason given; if the act may take back a wrong move, rules that are not about that are open."""
    says = lifted(judge, act, look)
    if says is not None and act.perhaps_back and "back" not in kinds:
        return unknown("whether the move that is taken back was wrong")
    return unknown(GONE_THERE) if says is not None and says.verdict == Verdict.OPEN and look.adrift() else says


def asked_about(event: Written, state: State[Hand]) -> Layout:
    """The open cards, with the event as an act; shared by all rules."""
    look, hand = layout_known(state), state.hand
    if look.event is not event:
        look.event, look.act = event, look.read(event, hand.last, faults)
    return look


def named(code: int) -> str:
    return f"the {PACK.shown(code)}" if code < UNSEEN else "the card"


@play("R2", f"{MOVES} over pass back", OTHERS)
def only_the_player_on_turn(act: LayoutAct, look: Layout) -> CheckResult | None:
    if look.dispute is not None and act.by != look.player:
        return in_doubt(look.dispute)
    if act.by in look.turn or not look.player or look.phase == "stopped":
        return None
    return broken(f"it is the turn of {look.turn[0]}" if look.turn else "no player is on turn")


@play("R3", "home fill build place load turn astray", WRONG_PLACE)
def only_what_is_available(act: LayoutAct, look: Layout) -> CheckResult | None:
    if act.src in (f"reserve:{act.by}", act.by, f"stock:{act.by}") or (act.src in look.cols and act.what != "turn"):
        return None
    if act.what == "turn":
        return broken("a card is turned up from the player's own stock")
    # A card whose discard was stopped may still go to its foundation.
    if look.phase == "stopped" and look.stop.thrown and act.what == "home" and act.src == f"discard:{act.by}":
        return None
    return broken(f"{named(act.code)} in {pile_in_words(act.src)} is not available to {act.by}")


@play("R4", "home", WRONG_PLACE)
def foundations_go_up(act: LayoutAct, look: Layout) -> CheckResult | None:
    top = look.bases[act.to]
    wrong = "{} does not follow {}" if top != NOTHING else "only an ace begins a foundation, not {}"
    return put(act, look.fits(NEXT, act.code, top, act.to), wrong, top)


def put(act: LayoutAct, right: bool, wrong: str, top: int = NOTHING) -> CheckResult | None:
    """Verdict on a card put on another, None if `right`; `wrong` is a sentence with a place for each of them."""
    return None if right else broken(wrong.format(named(act.code), named(top)))


@play("R5", "home fill", PRIORITY)
def in_the_order_of_priority(act: LayoutAct, look: Layout) -> CheckResult | None:
    pile, top = f"reserve:{act.by}", look.own[act.by].reserve
    if act.what == "fill":
        return missed(act, look)
    return had_to_go(pile, top, look) if act.src != pile and look.home(top) else None


@play("R6", ORDINARY, PRIORITY)
def foundations_first(act: LayoutAct, look: Layout) -> CheckResult | None:
    # If a card was turned up in the same move, what was due before that belongs to the rule of turning up.
    if act.blind and not at_ease(look):
        return broken(f"{named(act.code)} has a place on a foundation") if look.home(act.code) else None
    return None if at_ease(look) else missed(act, look)


@play("R7", ORDINARY, PRIORITY)
def spaces_are_filled(act: LayoutAct, look: Layout) -> CheckResult | None:
    if act.blind or at_ease(look) or not look.space(act.by):
        return None
    if act.what == "build" and act.src == f"reserve:{act.by}" and act.to in look.unsure and perhaps(None, MAY_BE_SPACE):
        return None
    at = next((name for name, code in look.cols.items() if code == NOTHING), "")
    return broken(f"the reserve of {act.by} had to fill the space in {pile_in_words(at)}")


@play("R7", "place", WRONG_PLACE)
def a_space_may_stay_empty(act: LayoutAct, look: Layout) -> CheckResult | None:
    if look.options.fill_empty_from_any_when_reserve_empty or look.own[act.by].fed is not False:
        return None
    return broken("without a reserve the space stays empty")


@play("R8", f"{MOVES} over", PRIORITY)
def turning_up_comes_last(act: LayoutAct, look: Layout) -> CheckResult | None:
    if act.what not in ("turn", "over") and not act.blind:
        return None
    if turned := look.lies_up(act.by):
        return broken(f"{named(turned[0])} is turned up")
    if look.space(act.by):
        return broken(f"the reserve of {act.by} had to fill a space first")
    return missed(act, look)


def at_ease(look: Layout) -> bool:
    """True if a Stop has ended the turn, so that no priority move is owed any more."""
    return look.phase == "stopped" and not look.stop.owed


def missed(act: LayoutAct, look: Layout) -> CheckResult | None:
    """Verdict on an act while a card can go to a foundation; None if there is none."""
    due = next(look.due(act.by), None)
    if due is not None and act.blind and look.home(act.code):
        return broken(f"{named(act.code)} has a place on a foundation")
    return None if due is None else had_to_go(*due, look)


def had_to_go(pile: str, code: int, look: Layout) -> CheckResult:
    at = f" on {pile_in_words(pile)}" if pile in look.cols or pile.startswith("reserve:") else ""
    return broken(f"{named(code)}{at} had to go to a foundation first")


@play("R9", "build", WRONG_PLACE)
def build_down_in_the_other_colour(act: LayoutAct, look: Layout) -> CheckResult | None:
    top = look.cols[act.to]
    return put(act, look.fits(BELOW, act.code, top, act.to), "{} does not go on {}", top)


@play("R10", MOVES, WRONG_PLACE)
def one_card_from_the_top(act: LayoutAct, look: Layout) -> CheckResult | None:
    if len(act.codes) != 1:
        return broken("one card is moved at a time")
    top = look.cols.get(act.src, NOTHING)
    if top in (act.code, NOTHING) or not NOTHING < act.code < UNSEEN:
        return None
    if top < UNSEEN:
        return broken(f"{named(top)} is on top of {pile_in_words(act.src)}")
    deep = look.deep.get(act.src, ())
    doubt = act.code in deep[:-1] or sum(c >= UNSEEN for c in deep) > 1
    return unknown(f"which card was on top of {pile_in_words(act.src)}") if doubt else None


@play("R11", "load astray", WRONG_PLACE)
def load_in_suit(act: LayoutAct, look: Layout) -> CheckResult | None:
    away = look.other[act.by]
    own, on_discards = look.own[away], act.to == f"discard:{away}"
    if act.what == "astray":
        return broken(f"no card is put on {pile_in_words(act.to)}")
    if on_discards and not look.options.load_discard:
        return broken(f"{pile_in_words(act.to)} is not loaded by the terms of this match")
    top = own.shed if on_discards else own.reserve
    # The turned-up card may be on top of the discards, or still apart from them.
    apart = on_discards and own.turned and (away in look.ended or look.turn == (away,))
    if apart and perhaps(None, "which card was on top"):
        top = own.turned[-1]
    if top == NOTHING:
        return broken("an empty pile cannot be loaded")
    return put(act, look.fits(BESIDE, act.code, top), "{} is not next to {} in its suit", top)


@play("R12", "shed pass", WRONG_PLACE)
def only_the_turned_up_card_is_discarded(act: LayoutAct, look: Layout) -> CheckResult | None:
    if act.what == "shed":
        from_stock = act.src in (act.by, f"stock:{act.by}")
        return None if from_stock else broken(f"{named(act.code)} was not turned up from the stock")
    own = look.own[act.by]
    up = None if own.perhaps and not look.lies_up(act.by) else act.by not in look.ended
    if own.turned and perhaps(up, "whether a card was turned up"):
        return broken(f"{named(own.turned[0])} is turned up, and ends the turn when it is discarded")
    left = own.left or 0
    if not perhaps(None if own.left is None else left > 0, "whether a card was left to turn up"):
        return None
    return broken(f"{act.by} has {left} card{'s' * (left > 1)} to turn up")


@play("R13", f"{MOVES} over", OTHERS)
def the_new_stock_lies_as_the_discards_lay(act: LayoutAct, look: Layout) -> CheckResult | None:
    own = look.own[act.by]
    if act.what == "over":
        out = perhaps(own.out, "whether the stock was out")
        return None if out else broken(f"the stock of {act.by} is not out")
    if not act.blind and (act.what != "turn" or act.src != f"stock:{act.by}"):
        return None
    top = own.next
    if not NOTHING < top < UNSEEN or act.code >= UNSEEN or act.code == top:
        return None
    # If turned-up cards are not recorded, the top card may have been turned up before.
    if act.blind:
        return unknown(f"whether {named(top)} was turned up before")
    return broken(f"{named(top)} was on top of the stock")


@play("R1", f"{MOVES} over pass", OTHERS)
def the_lower_reserve_begins(act: LayoutAct, look: Layout) -> CheckResult | None:
    if look.player or look.gap or look.phase == "stopped":
        return None
    away = look.other[act.by]
    lower = f"{named(look.own[away].reserve)} on the reserve of {away} is lower"
    return None if act.by in begins(look) else broken(lower)


@RULES.check("R14", *ACTS)
def not_before_the_next_deal(event: Event, state: State[Hand]) -> CheckResult | None:
    begun = state.acts or state.number < 2 or state.hand.dealt
    return None if begun else unknown("whether another hand was dealt before this: that is missing from the record")


@play("R16", f"{MOVES} over pass back")
def only_putting_right_after_a_stop(act: LayoutAct, look: Layout) -> CheckResult | None:
    if look.dispute is not None and not look.dispute.gone_on:
        stopped = look.dispute.deed.act
        # The turned-up card is discarded either way, if nothing may have to go back.
        ends = (act.by, act.what, act.src) == (stopped.by, "shed", stopped.by) and stopped.what == "turn"
        return None if ends else in_doubt(look.dispute)
    if look.phase != "stopped":
        return None
    stop = look.stop
    if act.by == stop.seat:
        owed = act.what in ("home", "fill") and stop.owed
        shed = act.what == "shed" and act.src == act.by and look.own[act.by].turned and stop.undo is None
        return None if act.what == "back" or owed or shed else broken(f"the turn of {act.by} was ended by the Stop")
    if stop.undo is not None:
        return broken(f"{named(stop.undo.act.code)} must go back first")
    return broken(f"{stop.seat} still owed a priority move") if look.still_owed() else None


@RULES.at_once(*ACTS)
def the_first_objection(event: Written, state: State[Hand]) -> CheckResult | None:
    """The first breach or open verdict of the judges of an act; None if there is none."""
    look = asked_about(event, state)
    act = look.act
    before = unanswered[0]
    for kinds, _, judge in JUDGES.get(act.what, ()):
        if (judge(act, look) or unanswered[0] != before) and (says := opinion(judge, kinds, act, look)) is not None:
            return says
    return not_before_the_next_deal(event, state)


def in_doubt(dispute: StopInDoubt) -> CheckResult:
    return unknown(f"whether the Stop for the act at {dispute.deed.at} was right, and the turn over")


def faults(deed: Deed, reasons: Sequence[str] = REASONS) -> bool | None:
    """True if an act broke a rule that is one of these reasons for a Stop; None if hidden cards decide it."""
    act, before = deed.act, deed.before
    said = [opinion(judge, kinds, act, before) for kinds, why, judge in JUDGES.get(act.what, ()) if why in reasons]
    verdicts = {says.verdict for says in said if says is not None}
    return True if Verdict.BROKEN in verdicts else None if verdicts else False


# Effects
def on_act(event: Written, state: State[Hand]) -> None:
    """Apply a move, a draw, a discard or a pass."""
    if not state.acts or state.settled:
        ensure_dealt(state)
    hand, seat = state.hand, event.by
    if seat not in hand.other:
        hand.look = None
        if isinstance(event, Move):
            on_move(event, state)
        return
    # A Stop is judged by all that is known; effects rest on what has been seen.
    before = look = asked_about(event, state)
    deed, act = Deed(state.at, before.act, before), before.act
    if before.proved:
        look = layout_seen(state)
        act = look.read(event, hand.last, faults)
    hand.pending = hand.news = ""
    if hand.stop.seat and seat != hand.stop.seat:
        end_stop(state)
        look = layout_seen(state)
        deed = Deed(state.at, deed.act, layout_known(state))
    if hand.stop.seat:
        put_right(deed, act, state)
        return
    if hand.dispute is not None and not hand.dispute.gone_on:
        go_on(hand.dispute, seat, state)
    if not hand.player or seat not in state.turn:
        take_the_turn(seat, state)
    if hand.deeds and (hand.deeds[-1].act.by != seat or state.terms.options.stop_window == "move"):
        hand.deeds = []
    hand.deeds = [] if act.what == "back" else [*hand.deeds, deed]
    if seat in hand.ended and act.src == seat and act.code in cards_seen(hand.turned[seat]):
        # The card was there all the time.
        hand.has_discarded(seat)
    move_on(act, look, state)


def put_right(deed: Deed, act: LayoutAct, state: State[Hand]) -> None:
    """Apply an act of the player who puts things right after a Stop."""
    hand = state.hand
    hand.deeds = [deed]
    carry_out(act, state)
    if act.what == "back":
        hand.stop = replace(hand.stop, undo=None)
    if not over(state):
        settle_stop(state)


def take_the_turn(seat: str, state: State[Hand]) -> None:
    """Let a seat act out of turn, or first; the next end of a turn shows who is on turn."""
    hand = state.hand
    if hand.player not in ("", seat, *hand.ended) and len(hand.turned[hand.player]):
        hand.ended = {**hand.ended, hand.player: len(hand.shed[hand.player])}
    state.turn = (seat,) if not hand.player else state.terms.seats
    hand.player = seat


def move_on(act: LayoutAct, look: Layout, state: State[Hand]) -> None:
    """Apply an act, end the turn if it does, and count towards a stalemate."""
    hand, seat = state.hand, act.by
    if act.what == "load" and not hand.fewest:
        hand.fewest = {s: cards_of(s, state) for s in hand.other}
    carry_out(act, state)
    if over(state):
        return
    state.phase = "uncover" if hand.pending else "turn"
    if act.what in ("shed", "pass"):
        end_turn(act, look, state)
    elif act.what == "load":
        # Loading back and forth must not postpone a stalemate for ever: it counts only with fewer cards than ever.
        left = cards_of(seat, state)
        hand.busy = hand.busy or left < hand.fewest[seat]
        hand.fewest[seat] = min(left, hand.fewest[seat])
    elif act.what not in ("turn", "over"):
        hand.busy, hand.fewest = True, {}


def carry_out(act: LayoutAct, state: State[Hand]) -> None:
    """Move the cards of an act."""
    hand, table, seat = state.hand, state.table, act.by
    hand.touch(act.src, act.to)
    if act.what == "pass":
        return
    if act.what == "over":
        recycle_discards(hand.shed[seat], hand.stock[seat], table)
        return
    if act.what == "turn" or act.blind:
        turn_up(act, state)
    if act.what == "turn":
        return
    src = hand.turned[seat] if act.blind else pile_named(state, act.src)
    for code in act.codes:
        if act.to in hand.packets:
            hand.cover(hand.packets[act.to], code, src, state.table)
        else:
            table.move_one(code, src, pile_named(state, act.to))
    if act.src in hand.packets:
        hand.uncover(hand.packets[act.src], state.table)


def turn_up(act: LayoutAct, state: State[Hand]) -> None:
    """Turn up a card from the stock, first turning over the discards if necessary."""
    hand, table, seat = state.hand, state.table, act.by
    up, stock = hand.turned[seat], hand.stock[seat]
    if seat in hand.ended:
        shed_unwritten(seat, state)
    if hand.told or up.known or up.unseen or up.half:
        hand.told = {**hand.told, seat: cards_seen(up)}
    src = stock if act.src in (seat, stock.name) else pile_named(state, act.src)
    shed, lies = hand.shed[seat].row or (), src.row or ()
    if src is stock and shed and (act.code in shed and act.code not in lies if src.vague else not lies):
        # If the stock was not counted, a card known to be among the discards shows that it was out.
        recycle_discards(hand.shed[seat], stock, table)
        state.infer(f"the stock of {seat} was out; the discards were turned over (not recorded)")
    if act.blind and act.src == seat:
        state.infer(f"{seat} turned the card up first (not recorded)")
    for code in act.codes:
        row = src.row
        if row and row[-1] >= UNSEEN > code and PACK.may_be[row[-1]] & FACE[code] and not src.vague:
            # It is the top card, even if its double is known to be deeper; in an uncounted stock it may be either.
            table.take_at(len(row) - 1, code, src, up)
        else:
            table.move_one(code, src, up)


def shed_unwritten(seat: str, state: State[Hand]) -> None:
    """Infer that the turned-up card was discarded at the end of the turn, under what was loaded since."""
    hand, shed = state.hand, state.hand.shed[seat]
    row, under = shed.row or [], hand.ended[seat]
    hand.has_discarded(seat)
    shed.row = row[:under]
    discard_turned(seat, ", which ended the turn (not recorded), and the other player began", state)
    shed.row += row[under:]


def discard_turned(seat: str, when: str, state: State[Hand]) -> None:
    """Infer that the turned-up cards of a player were discarded."""
    for code in cards_seen(state.hand.turned[seat]):
        state.table.move_one(code, state.hand.turned[seat], state.hand.shed[seat])
        state.infer(f"{seat} discarded {named(code)}{when}")


def over(state: State[Hand]) -> bool:
    """True if a player is rid of all cards, which ends the hand."""
    for who, stock in state.hand.stock.items():
        # Usually there is a stock, which is checked fast.
        if not stock.row and not any(len(p) or p.vague for p in piles_of(who, state)):
            state.hand.ending = who
            finish_hand(state)
            return True
    return False


def piles_of(seat: str, state: State[Hand]) -> tuple[Pile, ...]:
    """The piles a seat has to be rid of: three with one point a card, then the two of the reserve with two."""
    hand = state.hand
    return (hand.stock[seat], hand.shed[seat], hand.turned[seat], hand.reserve[seat], hand.down[seat])


def cards_of(seat: str, state: State[Hand]) -> int:
    """Number of cards that a seat has still to be rid of."""
    return sum(map(len, piles_of(seat, state)))


def end_turn(act: LayoutAct, before: Layout, state: State[Hand]) -> None:
    """Pass the turn to the other player; a stalemate if neither could play and each card of both has been turned up."""
    hand, seat = state.hand, act.by
    shed = act.code if act.what == "shed" else NOTHING
    stuck = not hand.busy and agreed(before.playable, seat, shed, before.own[seat].reserve) is False
    hand.idle = {s: n + (s == seat) for s, n in hand.idle.items()} if stuck else dict.fromkeys(hand.idle, 0)
    up = hand.turned[seat]
    if up.vague and act.what == "shed" and not len(up):
        # It was the turned-up card, of which there is only one.
        up.vague = False
    pass_turn(seat, state)
    left = {s: own.left for s, own in layout_seen(state).own.items()} if stuck else {}
    if stuck and all(n is not None and hand.idle[s] >= max(1, n) for s, n in left.items()):
        hand.ending = "stalemate"
        finish_hand(state)


def pass_turn(seat: str, state: State[Hand]) -> None:
    hand = state.hand
    hand.busy, hand.player, hand.dispute = False, hand.other[seat], None
    hand.touch()
    state.phase, state.turn = "turn", (hand.player,)


# Calling Stop
@RULES.check("R15", Call)
def a_stop_has_a_reason(call: Call, state: State[Hand]) -> CheckResult | None:
    if call.word != "stop" or not state.number:
        return None
    deed = stopped_at(call, state)
    if deed is None and call.refs:
        return broken(f"it is too late, or {call.by} did that: play went on after {call.refs[0]}")
    if deed is None:
        return broken("nothing was done that it could be about")
    wrong = faults(deed)
    if wrong is None:
        return unknown(f"whether the act at {deed.at} broke a rule")
    return None if wrong else broken(f"the act at {deed.at} broke no rule")


def stopped_at(call: Call, state: State[Hand]) -> Deed | None:
    """The act that a Stop is about: the one named, else the last that was or may have been wrong; None if none."""
    deeds = [d for d in state.hand.deeds if d.act.by != call.by and (not call.refs or d.at in call.refs)]
    return next((d for d in reversed(deeds) if faults(d) is not False), deeds[-1] if deeds else None)


def on_call(call: Call, state: State[Hand]) -> None:
    ensure_dealt(state)
    hand = state.hand
    if state.settled or call.by not in hand.other:
        return
    if call.word == "stalemate":
        hand.agreed.add(call.by)
        if len(hand.agreed) == len(hand.other):
            hand.ending = "stalemate"
            finish_hand(state)
    deed = stopped_at(call, state) if call.word == "stop" and not hand.stop.seat else None
    if deed is None:
        return
    wrong = faults(deed)
    hand.touch()
    if wrong is None:
        # The record does not show whether the turn is over.
        hand.dispute, state.turn = StopInDoubt(deed), state.terms.seats
        hand.news = "whether the Stop was right cannot be told"
    elif wrong:
        owed = bool(faults(deed, [PRIORITY]))
        misplaced = deed.act.codes and (faults(deed, [WRONG_PLACE]) or (owed and in_the_way(deed, layout_known(state))))
        hand.stop = Stop(deed.act.by, deed if misplaced else None, owed, deed.act.what == "shed")
        # A player is not stopped twice for one act.
        hand.deeds, hand.dispute, hand.news, hand.player, state.phase = [], None, "Stop!", deed.act.by, "stopped"
        settle_stop(state)


def in_the_way(deed: Deed, after: Layout) -> bool:
    """True if an act has made a priority move impossible that was open before it: the card is covered or gone, or
    another card fills the space."""
    act, before = deed.act, deed.before
    if act.what not in ("home", "fill", "build", "place", "load"):
        return False
    due = [code for pile, code in before.due(act.by) if not (act.what == "home" and pile == act.src)]
    left = [code for _, code in after.due(act.by)]
    filled = act.what == "place" and before.space(act.by) and not after.space(act.by)
    return filled or any(code not in left for code in due)


def go_on(dispute: StopInDoubt, seat: str, state: State[Hand]) -> None:
    """Note that a player acts after a Stop that may be right or wrong."""
    hand = state.hand
    if seat == dispute.deed.act.by:
        hand.player = seat
    elif seat == hand.player:
        # The turn was over before the Stop, so this player is on turn in either case.
        hand.dispute, state.turn = None, (seat,)
    else:
        hand.dispute, hand.player = replace(dispute, gone_on=True), seat


def settle_stop(state: State[Hand]) -> None:
    """Once all is put right and the turned-up card discarded, end the turn."""
    hand, seat = state.hand, state.hand.stop.seat
    if hand.stop.undo is not None and not still_there(hand.stop.undo.act, state):
        # It was covered or moved on, and cannot be put back any more.
        hand.stop = replace(hand.stop, undo=None)
    state.turn = (seat,)
    hand.touch()
    look, undo = layout_seen(state), hand.stop.undo
    owed, turned = agreed(look.still_owed), look.own[seat].turned
    if undo is not None:
        hand.news = f"Stop! {named(undo.act.code)} goes back"
    elif owed:
        hand.news = "Stop! a priority move is owed"
    elif turned:
        hand.news = f"Stop! {named(turned[0])} is discarded"
    elif owed is None:
        hand.news, state.turn = "Stop! a priority move may be owed", state.terms.seats
    else:
        end_stop(state)


def still_there(act: LayoutAct, state: State[Hand]) -> bool:
    """True if the card that was moved is still on top where it went."""
    pile = pile_named(state, act.to)
    top = pile.row[-1:] if pile.row is not None else list(cards_seen(pile))
    return bool(top) and (act.codes[-1] in top or top[-1] >= UNSEEN)


def end_stop(state: State[Hand]) -> None:
    """End the stopped turn; a turned-up card goes to the discards."""
    hand, seat = state.hand, state.hand.stop.seat
    hand.touch(seat)
    discard_turned(seat, " when the turn was stopped (not recorded)", state)
    hand.stop, hand.deeds, hand.idle = Stop(), [], dict.fromkeys(hand.idle, 0)
    hand.news = hand.news and "Stop! the turn is over"
    pass_turn(seat, state)


def on_showing(show: Show, state: State[Hand]) -> None:
    """Turn over the next card of a reserve, or look at another card."""
    hand, pile = state.hand, own_pile(show.src or show.by, show.by)
    if state.number and pile in hand.packets:
        reserve_gone(hand.packets[pile], state.code(show.groups[0]) if show.groups else UNSEEN, state)
    on_show(show, state)
    if not state.number:
        return
    hand.touch(pile)
    if pile == f"reserve:{hand.pending}":
        hand.pending = ""
        state.phase = "turn" if state.phase == "uncover" else state.phase
    if hand.stop.seat:
        # The card shown may settle whether a priority move is still owed.
        settle_stop(state)


def reserve_gone(seat: str, shown: int, state: State[Hand]) -> None:
    """If a reserve shows another card than its top, infer that the top went home or filled the space."""
    hand = state.hand
    if shown >= UNSEEN or hand.pending == seat or not hand.down[seat].row or hand.faced[seat]:
        return
    look = layout_seen(state)
    top = look.own[seat].reserve
    if not NOTHING < top < UNSEEN or top == shown:
        return
    home = [name for name, code in look.bases.items() if NEXT.fits(top, code, look.free)]
    spaces = [name for name, code in look.cols.items() if code == NOTHING]
    places = home or spaces
    if len({look.bases.get(name, NOTHING) for name in places}) != 1 or (not home and len(spaces) > 1):
        return
    if not hand.player:
        hand.player, state.turn = seat, (seat,)
    hand.touch(f"reserve:{seat}", places[0])
    state.table.move_one(top, hand.reserve[seat], pile_named(state, places[0]))
    hand.uncover(seat, state.table)
    state.infer(
        f"{named(top)} on the reserve of {seat} went to {places[0]}, as another card is shown there (not recorded)"
    )


def on_hand(event: HandEvent, state: State[Hand]) -> None:
    new_hand(event, state)
    state.hand.dealt = True


# Stalemate, and moves that are not required
@RULES.check("R19", Call, End)
def neither_can_play(event: Call | End, state: State[Hand]) -> CheckResult | None:
    said = event.word if isinstance(event, Call) else event.why if event.what == "hand" else ""
    if said != "stalemate" or not state.number or state.settled:
        return None
    look, doubt = layout_known(state), False
    for who, own in look.own.items():
        held = [code for pile in (state.hand.stock[who], state.hand.shed[who]) for code in pile.codes()]
        cards = [*((code, True) for code in (*own.turned, own.reserve)), *((code, False) for code in held)]
        for code, up in cards:
            if (up or code < UNSEEN) and look.playable(who, code, up=up):
                return broken(f"{who} can play {named(code)}{'' if up else ' when it is turned up'}")
        doubt = doubt or own.left is None or any(code >= UNSEEN for code, _ in cards)
    return unknown("an unseen card may be playable") if doubt else None


@RULES.check("R21", Fault)
def nobody_has_to_play_on(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """Denial of a right: the table objected to the discard of a card that could be played."""
    return broken("a card without a place on a foundation may be discarded") if fault.word == "unwilling" else None


# Scoring


class Tally(TallyFacts):
    """What a hand of Russian Bank is scored from: a card of stock and discards counts one, one of the reserve two."""

    cards: Points = changing(figures(
        "cards that a seat had left in stock and discard pile", 0, PACK.size, rule="R18"
    ))  # fmt: skip
    reserve: Points = changing(figures("cards that a seat had left in the reserve", 0, PACK.size, rule="R18"))
    out: str = seat("the seat that was rid of all cards", rule="R18")

    laws = (
        Law(("cards", "reserve", "out"), nothing_left_of("out", "cards", "reserve"), "R18"),
        Law(("cards", "reserve", "out"), no_more_in_all("cards reserve", PACK.size, "{n} cards are too many"), "R18"),
    )

    @property
    def count(self) -> Points:
        """Count of each seat."""
        return {who: plus(n, plus(self.reserve[who], self.reserve[who])) for who, n in self.cards.items()}


WORDS = {
    "stop": "call: the opponent has just broken a rule (Stop!)",
    "stalemate": "call: no card can be played any more; both say it. end: the same, agreed",
    "unwilling": "fault: the table objected that a playable card was discarded",
    "misdeal": "end: the cards were dealt wrong; the hand does not count",
}


def tally(state: State[Hand]) -> Tally:
    """Cards left for each seat: from the tally if there is one, else from the piles."""
    t = Tally(cards={}, reserve={})
    for who in state.terms.seats:
        piles = piles_of(who, state)
        for amounts, mine in ((t.cards, piles[:3]), (t.reserve, piles[3:])):
            amounts[who] = None if state.tallies or any(p.vague for p in mine) else sum(map(len, mine))
    if state.hand.ending in state.terms.seats:
        t.out = state.hand.ending
    apply_reported_facts(t, state)
    if t.out:
        t.cards[t.out] = t.reserve[t.out] = 0
    return t


def score(state: State[Hand]) -> HandScore:
    """Score of the hand. The lower count scores the difference, and a bonus for having no cards left."""
    t, name = tally(state), state.terms.name
    if nothing := counts_nothing(state, t.void):
        return nothing
    counts = t.count
    lines = [ScoreLine("count", counts, {s: f"{figure(n)} + 2 × {figure(t.reserve[s])}" for s, n in t.cards.items()})]
    out = next((s for s, n in t.cards.items() if n == t.reserve[s] == 0), "")
    how = f"{name(out)} is out" if out else state.hand.ending or state.stop_reason or "counted"
    known = sorted((n, s) for s, n in counts.items() if n is not None)
    if len(known) < len(counts):
        unknown = [f"what {name(s)} had left" for s, n in counts.items() if n is None]
        return hand_score(state, dict.fromkeys(counts), lines, result=how, unknown=unknown)
    (low, winner), (high, _) = known
    points: Points = dict.fromkeys(counts, 0)
    if low < high:
        points[winner] = high - low
        lines.append(ScoreLine("difference", dict(points), {winner: f"{high} − {low}"}))
        if out == winner:
            lines.append(ScoreLine("out", {**dict.fromkeys(counts, 0), winner: OUT}))
            points[winner] = high - low + OUT
    return hand_score(state, points, lines, result=how)


def won(s: HandScore, who: str, state: State[Hand]) -> Cell:
    """Cell of the sheet: the points of the hand, with their sum."""
    points, bonus = s.points.get(who), figure_of_line("out")(s, who, state).text == str(OUT)
    sums = figure_of_line("difference")(s, who, state).sum + f" + {OUT}" * bonus
    return Cell(figure(points), sums, "unknown" if points is None else "won" if points else "")


# What may be done now
def candidates(state: State[Hand]) -> Iterator[Event]:
    """Moves to where a card fits, or nearly; then the stock, the end of the turn, and wrong acts to try."""
    hand, look = state.hand, layout_known(state)
    if hand.pending and NOTHING < look.own[hand.pending].reserve < UNSEEN:
        yield Show(by=hand.pending, groups=(card(look.own[hand.pending].reserve),), src=f"reserve:{hand.pending}")
        return
    for who in state.turn:
        own = look.own[who]
        if hand.stop.undo is not None:
            yield hand.stop.undo.act.taken_back(who)
        yield from look.moves(who)
        yield from look.from_stock(who)
        for code in dict.fromkeys(own.turned):
            yield Discard(by=who, cards=card(code))
        yield Pass(by=who)
        if hand.deeds and hand.deeds[-1].act.by != who and faults(hand.deeds[-1]):
            yield Call(by=who, word="stop")
        if NOTHING < own.reserve < UNSEEN:
            yield Discard(by=who, cards=card(own.reserve), src=f"reserve:{who}")
    if len(state.turn) == 1 and state.phase != "stopped":
        yield from look.from_stock(look.other[state.turn[0]])


def card(code: int) -> tuple[str]:
    return (PACK.tokens[code],)


# Shorthand: a bare card comes up, or goes to its foundation; `4c >b3`, `>fo`, `>re` and `>di` say where a card goes
def expand_shorthand(state: State[Hand], event: Event) -> tuple[Event, ...]:
    hand, look, seat = state.hand, layout_known(state), event.by
    if isinstance(event, Call) and event.word == "stop" and not event.refs:
        own_deed = hand.deeds and seat == hand.deeds[-1].act.by
        return (replace(event, by=look.other[seat]),) if own_deed else (event,)
    if seat not in look.other or (isinstance(event, Show | Draw | Discard) and event.src):
        return (event,)
    unturned = hand.pending == seat and look.own[seat].reserve >= UNSEEN
    if isinstance(event, Show):
        return (replace(event, src=f"reserve:{seat}"),) if unturned else ()
    if isinstance(event, Draw):
        if unturned:
            return (Show(by=seat, groups=(event.cards,), src=f"reserve:{seat}"),)
        ways = ((src, to) for src in look.sources(seat, event.cards) for to in look.homes(event.cards))
        home = [Move(by=seat, cards=event.cards, src=src, to=to) for src, to in ways]
        return tuple(home) or (replace(event, src=f"stock:{seat}"),)
    if isinstance(event, Discard):
        return (event,) if state.code(event.cards) in look.own[seat].turned else ()
    if isinstance(event, Move):
        sources = look.sources(seat, event.cards) or [f"stock:{seat}"]
        srcs = [look.pile_meant(event.src, seat)] if event.src else sources
        to = look.pile_meant(event.to, look.other[seat])
        # If no foundation takes it, name the first, so that the error is about that.
        to = [*look.homes(event.cards), FOUNDATIONS[0]][0] if to == "foundation" else to
        return tuple(replace(event, src=src, to=to) for src in srcs)
    return (event,)


def open_deal(state: State[Hand], cards: tuple[str, ...]) -> Deal | None:
    """The deal meant by ten bare cards, the top of the reserve and the line of each seat; None for other cards."""
    if state.hand.dealt or how_many(cards) != len(state.terms.seats) * (1 + LINE):
        return None
    left, piles = one_by_one(cards), list[tuple[str, tuple[str, ...]]]()
    for who in state.terms.seats:
        piles.append((f"reserve:{who}", (f"{RESERVE - 1}x??", left.pop(0))))
        piles.append((f"col:{who}:1..{LINE}", cut(left, LINE)))
        piles.append((f"stock:{who}", (f"{STOCK}x??",)))
    return Deal(by="@", piles=tuple(piles))


def quiet(state: State[Hand]) -> Event | None:
    """The act that a lone `.` stands for: a move that a Stop takes back, a discard, or a pass without a card."""
    look = layout_known(state)
    if len(state.turn) != 1:
        return None
    seat = state.turn[0]
    if look.stop.undo is not None:
        return look.stop.undo.act.taken_back(seat)
    own = look.own[seat]
    if own.turned:
        return Discard(by=seat, cards=card(own.turned[0]))
    return Pass(by=seat) if own.left == 0 else None


# Simulation: to the foundations and off the player's own piles if possible; between columns only for a reason
def chance(state: State[Hand], random: Random) -> list[Event]:
    piles = list[tuple[str, tuple[str, ...]]]()
    for who in state.terms.seats:
        cards = list(PACK.faces)
        random.shuffle(cards)
        parts = ((f"reserve:{who}", RESERVE), (f"col:{who}:1..{LINE}", LINE), (f"stock:{who}", STOCK))
        piles += [(name, cut(cards, count)) for name, count in parts]
    dealer = state.game.dealing.next_dealer(state) if state.number else state.dealer
    return [HandEvent(by=dealer, number=state.number + 1), Deal(by="@", piles=tuple(piles))]


def weigh(state: State[Hand], event: Event) -> float:
    hand, look = state.hand, layout_known(state)
    # One of the two plays carelessly, so that matches end soon.
    careless = event.by == state.terms.dealer
    if isinstance(event, Discard):
        return 0.02 if not careless and look.playable(event.by, state.code(event.cards)) else 1.0
    if not isinstance(event, Move) or event.cards == ("*",) or event.to in look.bases:
        return 1.0
    if event.src not in look.cols:
        return 0.1 if careless else 20.0 if event.src else 5.0
    if look.cols.get(event.to, NOTHING) == NOTHING:
        return 0.5 if event.to not in look.cols and not careless else 1e-4
    # A tableau card moves for a reason: the card under it goes to a foundation, or takes a card of the player's, or
    # the reserve fills the space.
    row, own = hand.cols[event.src].row or [], look.own[event.by]
    useful = own.fed if len(row) < 2 else look.home(row[-2]) or any(
        BELOW.fits(code, row[-2], look.free) for code in (own.reserve, *own.turned)
    )
    return 2.0 if useful and not careless else 1e-4


PLAY = (Move, Draw, Discard, Pass, Show, Call)
GAME = Game(
    key="russian-bank", name="Russian Bank", family="patience", summary=summary_of(__doc__),
    seating=SEATS, pack=PACK,
    dealing=Dealing(
        lay_deal=ensure_dealt, next_dealer=lambda state: state.terms.left(state.dealer), chance=chance, no_hands=True,
        own_piles=("col", "foundation"),
    ),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=start,
    phases={
        "turn": Phase(
            "play", PLAY, "a card that comes up or goes to its foundation (7h), one that is moved (4c >b3, >re, >di), "
            "the turned-up card discarded (.), or the other's call stop", default_act=quiet, to_do="move",
        ),
        "uncover": Phase(
            "the next card of the reserve", PLAY,
            "the card that was turned over (7h); a record may leave it out and go on", default_act=quiet,
            to_do="turn over the reserve",
        ),
        "stopped": Phase(
            "putting right after a Stop", PLAY,
            "the misplaced card back (.), the priority moves, then the turned-up card discarded (.)", default_act=quiet,
            to_do="put right",
        ),
    },
    on={
        HandEvent: on_hand, Deal: on_dealing, **dict.fromkeys(ACTS, on_act), Show: on_showing, Call: on_call,
        Gap: after_gap(
            "turn", gap=True, player="", pending="", dispute=None, ended={}, told={}, look=None, stop=Stop(),
            deeds=[], idle=ForEach(0),
        ),
    },
    tally=Tally, compute_tally=tally, score=score,
    after=highest_of(lambda terms: terms.options.hands_limit or 10**6, lambda terms: terms.options.target),
    sheet=Form(
        once={"ended": result_text}, each=({"{} left": figure_of_line("count")}, {"{} +": won, "{}": running_total}),
        first=("hand",), heading="Hands",
    ),
    shorthand=Shorthand(expand=expand_shorthand, open_deal=open_deal, verbs={Draw: "turns"}),
    display=Display(
        headline=lambda state: {"to be rid of": tally(state).count} if state.acts else {},
        last_outcome_text=lambda state: state.hand.news,
        # Only stocks and reserves are face down; a reserve shows its top card, the packet under it nothing.
        piles={
            "*": Lies("fan", "hand"),
            "reserve:*:down": Lies("stack", "front", "nobody"),
            "stock": Lies("stack", "front", "nobody"),
        },
    ),
    simulation=Simulation(
        candidates=candidates, knows_all_choices=lambda state, seat: layout_known(state).clear, weigh=weigh,
    ),
)  # fmt: skip
