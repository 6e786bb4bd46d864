"""Seven and a Half: each player draws against the bank, without going over; a player with seven and a half in two
cards banks next."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain
from random import Random
from typing import Annotated

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from events.cards import how_many
from events.model import Bet, Call, Deal, Draw, Event, Fault, Gap, Move, Pass, Pay, Play, Show
from events.model import Hand as HandEvent
from events.model import Tally as TallyEvent
from reducers import facts as fact
from reducers.evolve import pile_named, has_seat
from reducers.model import Unwritten
from reducers.page import (
    CONSEQUENCE, DUTY, RIGHT, Catalogue, CheckResult, Game, Dealing, MatchRules, Omissions, Shorthand, Display,
    Simulation, HandScore, Law, Phase, Points, State, TallyFacts, bounded, broken, changing, grows,
    ensure_hand_started, of_each_but, on_move, on_show, apply_reported_facts, pack, read_by_the_page, rule, seat,
    settle, singles, summary_of, the_dealer, unasked, unknown, why_void, HandsInMatch, StartingChips,
)  # fmt: skip
from reducers.seating import next_dealer
from reducers.silent_acts import put_in_unwritten
from reducers.words.bank import (
    begins_with_chips, cards_of_hand, chips, close, first_covered, first_without, in_dealing_order, headline,
    left_unpaid, limits, lose_the_hands, most_chips, nothing_is_played, on_hand, draws_one_card, one_each, pass_over,
    pays, players_then_the_bank, sit, the_bank_plays, the_bank_stops_where_it_likes, the_limits_leave_room,
    the_right_banker, told_within_the_limits, turned_up_next, undone, with_typed_cards, with_what_lies_open,
)  # fmt: skip
from reducers.words.bets import stakes_to_list, paid_to, staked_on
from reducers.words.counted_hands import (
    BUST, NO_BETS, CountedHand, Kinds, after_an_unsaid_stand, has_stood_unsaid, few_enough_hands,
    the_banker_stakes_nothing, writes_stands,
)  # fmt: skip
from reducers.words.deals import deal_from
from reducers.words.totals import Values, judge_total, common_answer, lies_open, possible_totals

# Setup: totals are in halves
PACK = pack("A 7 6 5 4 3 2 K Q J")
UNSEEN = PACK.unknown
WILD = PACK.unit_of["Kd"]
FACES = PACK.mask_of([c for c in PACK.faces if c[0] in "KQJ" and c != "Kd"])
MOST = 15


def with_the_king(rest: int) -> int:
    """Total of a hand with the king of diamonds, by its other cards: the best whole number that fits is added.

    >>> with_the_king(0), with_the_king(1), with_the_king(13), with_the_king(12), with_the_king(14)
    (14, 15, 15, 14, 16)
    """
    return max(rest + 2, MOST - (MOST - rest) % 2)


# The king counts nothing until it is added to the rest.
VALUES = Values(
    PACK, {0: WILD, 1: FACES, 2: PACK.rank["A"], **{2 * n: PACK.rank[str(n)] for n in range(2, 8)}}, best_of=0,
    comes_to=with_the_king,
)  # fmt: skip
# Ranks of a hand, lowest first: bust, its total in halves, seven and a half in two cards.
NATURAL = MOST + 1
WRITTEN = {"bust": BUST, "natural": NATURAL, **{f"{n / 2:g}": n for n in range(1, MOST + 1)}}


def halves(n: int) -> str:
    """A total as players write it.

    >>> [halves(n) for n in (1, 8, 15)]
    ['½', '4', '7½']
    """
    whole, half = divmod(n, 2)
    return f"{whole or ''}{'½' if half else ''}"


def kind_of(total: int, cards: int, may_be_best: bool = True) -> int:
    """Rank of a hand of n cards with this total."""
    return BUST if total > MOST else NATURAL if total == MOST and cards == 2 else total


KINDS = Kinds(
    VALUES, MOST, kind_of, written=WRITTEN, best="natural", too_many="have eight or more",
    told=lambda kind: {BUST: "bust", NATURAL: "7½ in two cards"}.get(kind) or halves(kind),
    sum_told=lambda found: halves(min(found)) if found else "?",
    pays=lambda t, name, mine, bank, state: delta(mine, bank, t.stakes[name], state.terms.options.natural_pays),
)  # fmt: skip


class Options(Struct, frozen=True):
    """House rules of Seven and a Half."""

    hands: HandsInMatch = 24
    chips: StartingChips = 0
    min: Annotated[int, Meta(ge=1, le=1_000_000, description="smallest bet, unless the banker announces another")] = 1
    max: Annotated[int, Meta(ge=1, le=1_000_000, description="largest bet, unless the banker announces another")] = 10
    natural_pays: Annotated[int, Meta(ge=1, le=3, description="how many times its bet a two-card 7½ gets")] = 2


PLAYING = "play reveal bank"
SETUP, PLAY, PAYOUT, TWO_CARDS = "Setup", "Game play", "The payout", "Two-card 7½s"
RULES = Catalogue(
    "seven-and-a-half",
    rule("R1", SETUP, DUTY, "Whoever plays puts up one bet within the banker's limits, before the cards come.", "bet",
         {HandEvent: the_limits_leave_room, TallyEvent: told_within_the_limits}),
    rule("R2", f"{SETUP}; {PLAY}", DUTY, "Each gets one card face down, and each further card alone and face up.",
         "one card down", {Play: nothing_is_played}),
    rule("R3", PLAY, DUTY, "The players play in turn from the banker's left, the bank last.", "play in turn"),
    rule("R4", PLAY, DUTY, "Whoever stands, or is bust, draws no more.", "no card after standing"),
    rule("R5", PLAY, DUTY, "Eight or more is bust: the hand is turned up and its bet is lost at once; no other hand is "
         "bust.", "bust"),
    rule("R6", PLAY, CONSEQUENCE, "The king of diamonds counts any whole number from one up, other court cards a half, "
         "aces one.", "the king of diamonds"),
    rule("R7", TWO_CARDS, DUTY, "Seven and a half in two cards stands, and draws nothing.", "two cards stand"),
    rule("R8", PAYOUT, RIGHT, "The banker may stop at any total, or go on.", "bank may stop",
         {Fault: the_bank_stops_where_it_likes}),
    rule("R9", PAYOUT, CONSEQUENCE, "If the bank is bust, every player who is not bust gets the "
         "bet.", "the bank is bust"),
    rule("R10", PAYOUT, CONSEQUENCE, "Else the bank takes the bets of lower totals and pays the higher ones; equal "
         "totals keep their bets.", "payment"),
    rule("R11", TWO_CARDS, CONSEQUENCE, "Seven and a half in two cards beats that in more cards, for bank and players "
         "alike.",
         "two cards beat more"),
    rule("R12", TWO_CARDS, CONSEQUENCE, "Seven and a half in two cards gets twice the bet, unless the bank has it too.",
         "paid two to one"),
    rule("R13", TWO_CARDS, DUTY, "The first player with seven and a half in two cards banks next, unless the bank had "
         "it too; else the banker stays.", "next bank"),
)  # fmt: skip

READINGS = {
    "The king of diamonds with a seven": "is eight at least, and bust; a seven needs another court card",
    "The king of diamonds alone": "counts seven, for no fraction can be named",
    "The bank has it in two cards, a player in more": "the player loses the bet once",
    "Two-card seven and a half, and the bank is bust": "still gets twice the bet",
    "How much seven and a half in two cards gets": "twice the bet; option natural_pays",
    "Seven and a half in two cards, not turned up at once": "still counts as stood, once it is shown",
    "The bank has seven and a half in two cards": "it may stop, as at any total; drawing on is its own affair",
    "Everybody is bust": "the hand is over: the bank need not play, and had nothing, whatever it turns up and draws",
    "Who bets": "any player, in any order; a player who does not bet sits the hand out",
    "The limits": "options min and max, or what a banker announces (`hand 3 min=2 max=20`), which holds while the bank "
    "stays",
    "An unrecorded stand": "is inferred when the bank turns up its card or draws; the bank's, when others show or are "
    "paid",
    "A hand passed over": "is one finding, about the first player to act before it; it may have stood, unwritten. A "
    "player who is bust or has seven and a half in two cards need not say so",
    "A payment": "is due once the bank has played, a bust at once",
    "The pack": "is shuffled before every hand",
    "The end": "the text has none: after option hands the most chips win; hands=0 goes on until `end match`",
    "A hand broken off": "bets on bust hands are lost, every other bet is returned",
}
WORDS = {
    "out": "call: sits this hand out",
    "bust": "call: has eight or more, with the card turned up for it; cards: that one",
    "natural": "call: seven and a half in two cards, with the card turned up for it; cards: that one",
    "stand": "typed for pass: the hand is good enough",
    "hit": "typed for draw up: another card",
    "stop": "fault: the table objected to where the bank stopped",
    "misdeal": "end: the hand is dealt again",
    "void": "end: the hand does not count",
}


class Hand(CountedHand):
    """State of one hand: `away` are players who said that they sit out, `dealt` is True once cards were dealt,
    `ready` once each player has one."""

    dealt: bool = False
    ready: bool = False
    away: set[str] = field(default_factory=set)


def start(state: State[Hand]) -> Hand:
    """All cards are in the pack, and the players bet."""
    for player in state.terms.seats:
        state.table.bag(player)
    bank = state.dealer
    everybody = list(state.terms.around(state.terms.left(bank)))
    state.table.lay([UNSEEN] * PACK.size, state.table.row("stock"))
    state.phase, state.turn = "bets", tuple(everybody[:-1])
    return Hand(bank, state.table, *limits(bank, state), everybody, everybody[:-1])


# Setup: bets and cards
@RULES.check("R1", Bet)
def one_bet_before_the_cards(bet: Bet, state: State[Hand]) -> CheckResult | None:
    if not state.number:
        return None
    hand, name = state.hand, staked_on(bet)
    if hand.gone_by:
        return None
    if name == hand.bank:
        return broken(f"{name} holds the bank and bets nothing")
    if hand.dealt:
        return broken("bets are put up before the cards are dealt")
    if name in hand.bets:
        return broken(f"{name} has bet {hand.bets[name]} already")
    if hand.low <= bet.amount <= hand.high:
        return None
    return broken(f"the banker takes bets from {hand.low} to {hand.high}")


@RULES.check("R1", Call)
def the_bank_sits_out_of_no_hand(call: Call, state: State[Hand]) -> CheckResult | None:
    if call.word != "out" or not state.number or state.hand.gone_by or call.by != state.hand.bank:
        return None
    return broken(f"{call.by} holds the bank and sits out of no hand")


@RULES.check("R2", Deal)
def one_card_face_down(deal: Deal, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if hand is None or state.settled:
        return None
    doubt = None
    for pile, cards in deal.piles:
        name = pile.removeprefix("hand:")
        if name not in state.terms.seats:
            continue
        if state.holding(name).vague:
            doubt = unknown("acts are missing from the record, perhaps the deal")
            continue
        if len(state.holding(name)) or how_many(cards) not in (1, None):
            return broken("each is dealt one card")
        if deal.face == "up":
            return broken("the first card is face down")
        if name != hand.bank and name not in hand.bets and (hand.bets or name in hand.away):
            doubt = unknown(f"no bet of {name} was recorded before the cards")
    return doubt


def on_bet(bet: Bet, state: State[Hand]) -> None:
    """Take a bet; its player takes part in this hand."""
    ensure_hand_started(state)
    hand, name = state.hand, staked_on(bet)
    if name != hand.bank and not (hand.dealt and name in hand.bets):
        hand.bets[name] = hand.bets.get(name, 0) + bet.amount
        takes_part(name, state)
    advance(state)


def on_deal(deal: Deal, state: State[Hand]) -> None:
    """Deal one card each, face down. Cards that the event names in the pack tell its order."""
    ensure_hand_started(state)
    hand = state.hand
    named = [name.removeprefix("hand:") for name, _ in deal.piles]
    deal_from(state.table.row("stock"), deal, state)
    dealt = [name for name in named if name in state.terms.seats]
    if dealt:
        sit([s for s in hand.seated if s in dealt or s == hand.bank or len(state.holding(s))], state)
        hand.down |= {name: len(state.holding(name)) for name in dealt}
        hand.dealt, hand.ready, state.acts = True, False, 1
        ensure_dealt(state)
    advance(state)


def ensure_dealt(state: State[Hand]) -> None:
    """Infer an unseen card for each player who has bet, if the deal was not recorded."""
    ensure_hand_started(state)
    hand = state.hand
    if hand.ready:
        return
    stock, state.acts, hand.ready = state.table.row("stock"), 1, True
    if not hand.dealt:
        hand.dealt = True
        sit([s for s in hand.seated if s in hand.bets or s == hand.bank or not hand.bets], state)
    for name in hand.seated:
        pile = state.holding(name)
        if pile.empty and name not in hand.frozen:
            state.table.move_one(UNSEEN, stock, pile)
            hand.down[name] = 1


def joins(name: str, state: State[Hand]) -> None:
    """Deal in a player who acts without a recorded bet."""
    ensure_dealt(state)
    if takes_part(name, state):
        state.hand.ready = False
        ensure_dealt(state)


def takes_part(name: str, state: State[Hand]) -> bool:
    """Seat a player who acts after all in this hand; return False if already seated."""
    hand = state.hand
    hand.away.discard(name)
    if name in hand.seated or name not in state.terms.seats:
        return False
    around = state.terms.around(state.terms.left(hand.bank))
    sit([s for s in around if s in hand.seated or s == name], state)
    return True


# Game play: whose turn it is
def advance(state: State[Hand]) -> None:
    """Set the phase and turn: a bet, a hand, the bank, the showdown or the end."""
    hand = state.hand
    if state.settled:
        return
    if not hand.dealt:
        waiting = tuple(s for s in hand.order if s not in hand.bets and s not in hand.away)
        if waiting:
            state.phase, state.turn = "bets", waiting
            return
        if not hand.bets:
            close(state)
            return
        sit([s for s in hand.seated if s in hand.bets or s == hand.bank], state)
    if now := first_without(hand.order, hand.done):
        state.phase, state.turn = "play", (now,)
    else:
        the_bank_plays(state)
        state.played_on = state.settled and all_are_bust(state)


def all_are_bust(state: State[Hand]) -> bool:
    """True if the bank has won every bet before it plays."""
    hand = state.hand
    return bool(hand.order) and all(hand.done.get(name) == "bust" for name in hand.order)


def is_of_the_hand(state: State[Hand], act: Event) -> bool:
    """True if an act after the end of a hand still belongs to it: a late call, or a draw of the bank when all others
    are bust."""
    if KINDS.is_said_late(state, act):
        return True
    over = bool(state.number) and state.settled and isinstance(act, Draw | Pass)
    return over and act.by == state.hand.bank and all_are_bust(state)


def plays(act: Event, state: State[Hand]) -> str:
    """The hand that an act plays with; "" if it plays with none."""
    match act:
        case Pass():
            return act.by if state.phase not in ("bets", "showdown") else ""
        case Draw():
            return act.by
        case Call():
            return act.by if act.word in ("natural", "bust") else ""
        case Show():
            return act.by if state.phase == "play" and act.by == state.hand.bank else ""
    return ""


@RULES.check("R3", Draw, Pass, Call, Show, when=PLAYING)
def each_in_turn_and_the_bank_last(act: Event, state: State[Hand]) -> CheckResult | None:
    hand, name = state.hand, plays(act, state)
    if not name or hand.gone_by or name in hand.done:
        return None
    if name == hand.bank and isinstance(act, Show | Draw) and not writes_stands(state):
        # This record has no stands; the bank's act shows that all have stood.
        return None
    if name not in hand.order and name != hand.bank:
        return unknown(f"no bet of {name} was recorded")
    return players_then_the_bank(name, state, over=over_by_its_cards)


def over_by_its_cards(name: str, state: State[Hand]) -> bool | None:
    """True if a hand is over without a call: bust, or seven and a half in two cards; None if unseen."""
    return (
        common_answer(KINDS.of(name, state), lambda n: n in (BUST, NATURAL)) if len(state.holding(name)) > 1 else False
    )


def has_said(name: str, state: State[Hand]) -> bool:
    """True if a hand is over, and its end was recorded."""
    return name in state.hand.done and not has_stood_unsaid(name, state)


@RULES.check("R4", Draw, Pass, Call, when=PLAYING)
def nothing_after_standing(act: Event, state: State[Hand]) -> CheckResult | None:
    hand, name = state.hand, plays(act, state)
    if name not in hand.done or hand.gone_by:
        return None
    if has_stood_unsaid(name, state):
        return after_an_unsaid_stand(name, act, written=writes_stands(state))
    if isinstance(act, Call) and act.word == hand.done[name]:
        # Said late, or again.
        return None
    how = {"bust": "is bust", "natural": "has seven and a half in two cards"}.get(hand.done[name], "has stood")
    return broken(f"{name} {how}, and does no more")


@RULES.check("R2", Draw)
def one_open_card(draw: Draw, state: State[Hand]) -> CheckResult | None:
    if wrong := draws_one_card(draw):
        return wrong
    return broken("every card except the first is face up") if draw.face == "down" and not state.hand.gone_by else None


@RULES.check("R5", Pass, Draw, Call, when=PLAYING)
def eight_or_more_is_bust(act: Event, state: State[Hand]) -> CheckResult | None:
    name = plays(act, state)
    if not name or has_said(name, state):
        return None
    return KINDS.bust_or_not(name, act, state)


@RULES.check("R5", Call, when="bets")
def nobody_is_bust_with_the_first_card(call: Call, state: State[Hand]) -> CheckResult | None:
    if call.word != "bust" or state.hand.gone_by or not has_seat(call.by, state):
        return None
    return broken(f"{call.by} has drawn no card and is not bust")


@RULES.check("R5", Call, when="showdown")
def bust_is_said_late(call: Call, state: State[Hand]) -> CheckResult | None:
    return KINDS.bust_or_not(call.by, call, state) if call.word == "bust" and plays(call, state) else None


@RULES.check("R7", Draw)
def two_cards_stand(draw: Draw, state: State[Hand]) -> CheckResult | None:
    name, hand = draw.by, state.hand
    if name not in hand.order or has_said(name, state) or len(state.holding(name)) != 2:
        return None
    wrong, doubt = f"{name} has seven and a half in two cards, and draws nothing", f"{name} may have seven and a half"
    return judge_total(KINDS.is_best(name, state), wrong, doubt, state.holding(name))


@RULES.check("R7", Call)
def a_natural_is_two_cards(call: Call, state: State[Hand]) -> CheckResult | None:
    if call.word != "natural" or not state.number:
        return None
    name, pile = call.by, state.holding(call.by)
    of_the_next = state.phase == "between" and not is_of_the_hand(state, call)
    if of_the_next or (state.phase == "bets" and not state.hand.gone_by):
        return broken(f"{name} has drawn no card, and seven and a half takes two")
    has = KINDS.is_best_with(name, call.cards, state)
    lacks = None if has is None else not has
    wrong = f"{name} does not have seven and a half in two cards"
    return judge_total(lacks, wrong, f"the cards of {name} were not shown", pile)


@RULES.check("R12", Draw, Pass, Show, when=PLAYING)
def nobody_is_paid_before_the_bank_plays(act: Event, state: State[Hand]) -> CheckResult | None:
    """A payment was too early if the bank begins after it; the bank's turn may also be unrecorded."""
    hand = state.hand
    if act.by != hand.bank or hand.bank_done or hand.gone_by or has_drawn(state):
        return None
    early = [name for name in hand.order if hand.paid.get(name, 0) > 0]
    return broken(f"{' and '.join(early)} had been paid, which is due once the bank has played") if early else None


def on_draw(draw: Draw, state: State[Hand]) -> None:
    """Draw a card from the pack, face up."""
    name = draw.by
    if is_of_the_hand(state, draw):
        src = pile_named(state, draw.src or "stock")
        state.table.move(state.table.codes(draw.cards, src), src, state.holding(name))
        return
    joins(name, state)
    hand, src = state.hand, pile_named(state, draw.src or "stock")
    if name == hand.bank:
        if hand.down.get(name):
            hand.down[name] = 0
    else:
        pass_over(name, state)
    state.table.move(state.table.codes(draw.cards, src), src, state.holding(name))
    if name == hand.bank and lies_open(state.holding(name)) and KINDS.of(name, state) == {BUST}:
        hand.bank_done = "bust"
    hand.news = (state.at, name if name == hand.bank else "")
    advance(state)


def unwritten(state: State[Hand], act: Event) -> Iterator[Unwritten]:
    """A card or a stand shows that players without a bet sit out, and that hands before it are over, if their cards
    say so; the bank's play that all others have stood; a hand shown or paid, or the next one, that the bank has."""
    if not state.number:
        return
    hand = state.hand
    if state.phase == "bets" and isinstance(act, Draw | Pass) and has_seat(act.by, state):
        for name in hand.order if hand.bets else ():
            if name not in hand.bets and name not in (act.by, *hand.away):
                yield Unwritten(Call(by=name, word="out"), f"{name} sits out")
        joins(act.by, state)
        advance(state)
    if state.phase == "play" and act.by in hand.seated:
        # A stand of the bank may be out of turn.
        is_early = act.by == hand.bank and isinstance(act, Pass) and not hand.gone_by
        for name in [] if is_early else undone(act.by, state):
            if hand.gone_by or act.by == hand.bank:
                yield Unwritten(Pass(by=name), "" if hand.gone_by else f"{name} has stood")
            elif over_by_its_cards(name, state):
                yield Unwritten(Call(by=name, word="bust" if KINDS.of(name, state) == {BUST} else "natural"))
    elif has_drawn(state) and not state.tallies and is_after_the_bank(act, state):
        yield Unwritten(Pass(by=hand.bank), f"{hand.bank} has stood")


def is_after_the_bank(act: Event, state: State[Hand]) -> bool:
    """True if an act shows that the bank has played to its end."""
    hand = state.hand
    if isinstance(act, Pay):
        name, _ = paid_to(act, hand.bank)
        return name in hand.order and hand.done.get(name) != "bust"
    return isinstance(act, HandEvent) or (isinstance(act, Show) and act.by in hand.done)


def on_pass(act: Pass, state: State[Hand]) -> None:
    """A pass is a stand; at the showdown it means not shown."""
    if is_of_the_hand(state, act):
        return
    joins(act.by, state)
    hand, name = state.hand, act.by
    if state.phase == "showdown":
        hand.shown.add(name)
    elif name == hand.bank:
        if not first_without(hand.order, hand.done):
            hand.bank_done, hand.down[name] = hand.bank_done or "stand", 0
    else:
        pass_over(name, state)
        hand.done.setdefault(name, "stand")
    hand.news = (state.at, name)
    advance(state)


def on_call(call: Call, state: State[Hand]) -> None:
    """Call a bust or seven and a half in two cards, with the first card turned up; or a player sits out."""
    if call.word == "out":
        ensure_hand_started(state)
        if not state.hand.dealt and call.by not in (state.hand.bank, *state.hand.bets):
            state.hand.away.add(call.by)
            advance(state)
        return
    if call.word not in ("natural", "bust"):
        return
    if KINDS.is_said_late(state, call):
        if call.cards:
            on_showing(Show(by=call.by, groups=(call.cards,)), state)
        return
    joins(call.by, state)
    hand, name = state.hand, call.by
    KINDS.turn_up(name, call.cards, state)
    if name == hand.bank:
        hand.bank_done = call.word
    else:
        pass_over(name, state)
        if not has_said(name, state):
            hand.done[name] = call.word
    advance(state)


def on_showing(show: Show, state: State[Hand]) -> None:
    """Turn up cards: the bank's, those of a hand that ends by that, or of one that is over."""
    hand = state.hand
    if hand is None or show.src not in ("", "hand:" + show.by):
        on_show(show, state)
        return
    name = show.by
    if name == "@":
        name = first_covered(state) if state.phase == "showdown" else hand.bank
    if not state.settled:
        joins(name, state)
        put_in_unwritten(replace(show, by=name), state)
    KINDS.draw_what_is_shown(name, tuple(chain.from_iterable(show.groups)), state)
    on_show(replace(show, by=name), state)
    hand.down[name] = 0
    hand.news = (state.at, name)
    if state.settled:
        settle(state)
        return
    has = KINDS.seen_as(state.holding(name))
    if state.phase == "showdown":
        hand.shown.add(name)
    elif name != hand.bank and has in ({BUST}, {NATURAL}):
        pass_over(name, state)
        hand.done.setdefault(name, "bust" if has == {BUST} else "natural")
    advance(state)


def on_moving(move: Move, state: State[Hand]) -> None:
    """Move cards; the rank of a hand before it is kept."""
    if state.hand is not None:
        KINDS.freeze((move.src or move.by).removeprefix("hand:"), move.cards, state)
    on_move(move, state)


def on_gap(gap: Gap, state: State[Hand]) -> None:
    """After a gap the hands and the turn are unknown; a player without a bet may have bet in it."""
    if state.settled or not state.number:
        return
    if state.phase == "bets":
        sit([s for s in state.hand.seated if s not in state.hand.away], state)
        state.hand.dealt = True
    ensure_dealt(state)
    lose_the_hands(state)
    advance(state)


# The payout
MOST_NATURALS = (PACK.rank["7"] | WILD).bit_count()
A_CLASS = "a hand is bust, a total from 0.5 to 7.5, or natural"


class Tally(TallyFacts):
    """What a hand is scored from: the players' bets and hands, and the bank's hand, empty if it never played."""

    banker: str = the_dealer(seat("seat that held the bank"))
    stakes: Points = grows(of_each_but("banker", read_by_the_page({"stake.*": fact.number(
        "what a player bet; a player without one sat out", 1, rule="R12", says="a bet is a number of chips",
    )}, {}, said=True)), lambda state, _: state.phase == "bets")  # fmt: skip
    hands: dict[str, frozenset[int]] = bounded(KINDS.may_be, changing(of_each_but("banker", read_by_the_page({
        "class.*": fact.choice(
            "what that player had: bust, a total (6.5), natural (seven and a half in two cards)", *WRITTEN, rule="R10",
            says=A_CLASS,
        ),
    }, {}, said=True, tells=KINDS.told_of_hands)), KINDS.still_plays))  # fmt: skip
    bank: frozenset[int] = changing(read_by_the_page({"bank": fact.choice(
        "what the bank had, in the same words", *WRITTEN, rule="R10", says=A_CLASS
    )}, frozenset(), said=True, tells=KINDS.told_of_the_bank), KINDS.still_plays)  # fmt: skip
    next: str = unasked(seat("seat that takes the bank next"))
    void: str = why_void("misdeal or void: the hand does not count")

    laws = (
        Law(("banker", "stake", "class"), the_banker_stakes_nothing, "R1"),
        Law(("bank", "class"), few_enough_hands(
            MOST_NATURALS, "natural",
            f"{{}} hands cannot be seven and a half in two cards, which {MOST_NATURALS} cards of the pack make",
        ), "R7"),
    )  # fmt: skip


def tally(state: State[Hand]) -> Tally:
    """Tally of the hand in play: from its moves, overridden by a `tally` event."""
    hand = state.hand
    out = apply_reported_facts(Tally(state.dealer), state)
    out.banker = out.banker or state.dealer
    if hand.dealt or hand.bets:
        for name in hand.order:
            out.stakes[name] = None if name in hand.gone_by else hand.bets.get(name)
            out.hands[name] = KINDS.said_to_be(name, state)
        if hand.bank_done or has_drawn(state):
            out.bank = KINDS.said_to_be(hand.bank, state)
    KINDS.read_tallies(out, state)
    return out


def delta(mine: int, bank: int, stake: int | None, times: int = 2) -> int | None:
    """Chips that a player wins from the bank, or loses to it; None if the bet is unknown.

    >>> [delta(r, 12, 4) for r in (11, 12, 13, BUST, NATURAL)], [delta(r, BUST, 4) for r in (1, BUST, NATURAL)]
    ([-4, 0, 4, -4, 8], [4, -4, 8])
    >>> delta(NATURAL, NATURAL, 4), delta(15, NATURAL, 4), delta(NATURAL, 15, 4)
    (0, -4, 8)
    """
    if stake is None:
        return None
    if mine == BUST or mine < bank:
        return -stake
    if mine == bank:
        return 0
    return times * stake if mine == NATURAL else stake


def score(state: State[Hand]) -> HandScore:
    return KINDS.score(state, NO_BETS if state.hand.away and not state.hand.dealt else "")


def due_now(state: State[Hand]) -> dict[str, int | None]:
    """Chips due to each hand: all once the bank has played, before that only for a bust; None if unknown."""
    t, hand = tally(state), state.hand
    if state.settled or hand.bank_done or has_drawn(state):
        return {name: KINDS.gain(t, name, state) for name in t.hands}
    return {name: -stake if stake and t.hands[name] == {BUST} else None for name, stake in t.stakes.items()}


def rules_of(name: str, state: State[Hand]) -> tuple[str, ...]:
    """The rules by which a hand is paid."""
    t = tally(state)
    mine, bank = t.hands.get(name, KINDS.anything), t.bank
    if mine == {BUST}:
        return ("R5",)
    if mine == {NATURAL}:
        return ("R11", "R12") if bank == {MOST} else ("R12",)
    if bank == {BUST}:
        return ("R9",)
    return ("R11",) if mine == {MOST} and bank == {NATURAL} else ("R10",)


def wrongly_paid(rule: str, pay: Pay, state: State[Hand]) -> CheckResult | None:
    """Verdict on a payment; None if it is right, or not made by this rule."""
    hand = state.hand
    if hand is None or rule not in rules_of(paid_to(pay, hand.bank)[0], state):
        return None
    return KINDS.wrongly_paid(pay, due_now(state), state, over=bool(hand.bank_done) or has_drawn(state))


def not_paid_to_the_end(rule: str, event: HandEvent, state: State[Hand]) -> CheckResult | None:
    """Verdict on a payment of the last hand, by this rule, that was made only in part; None if there is none."""
    if not state.number or not state.settled or not state.hand.paid:
        return None
    return left_unpaid({name: n for name, n in due_now(state).items() if rule in rules_of(name, state)}, state)


for paid_by in ("R5", "R9", "R10", "R11", "R12"):
    RULES.check(paid_by, Pay)(partial(wrongly_paid, paid_by))
    RULES.check(paid_by, HandEvent)(partial(not_paid_to_the_end, paid_by))


def has_drawn(state: State[Hand]) -> bool:
    """True if the bank plays, with its first card turned up."""
    return bool(state.number) and state.phase == "bank" and not state.hand.down.get(state.hand.bank)


def begins(event: HandEvent, state: State[Hand]) -> None:
    """Begin the next hand."""
    put_in_unwritten(event, state)
    on_hand(event, state)


def on_pay(pay: Pay, state: State[Hand]) -> None:
    """Note a payment of chips."""
    if state.hand is not None:
        put_in_unwritten(pay, state)
        state.hand.news = (state.at, f"pay {pays(pay, due_now(state), state)}")


# The next hand
@RULES.check("R13", TallyEvent)
def the_told_banker(event: TallyEvent, state: State[Hand]) -> CheckResult | None:
    return KINDS.wrong_heir(event, "seven and a half in two cards", state)


@RULES.check("R13", HandEvent)
def whoever_had_it_banks(event: HandEvent, state: State[Hand]) -> CheckResult | None:
    over = state.settled or state.phase == "showdown" or has_drawn(state)
    if not state.number or not over or event.by not in state.terms.seats:
        return None
    had = KINDS.had_best(state, bank=bool(state.hand.bank_done))
    return the_right_banker(event.by, had, "seven and a half in two cards", state)


# What may be done now
def candidates(state: State[Hand]) -> Iterator[Event]:
    hand, phase = state.hand, state.phase
    if phase == "bets":
        for player in state.turn:
            yield from (Bet(by=player, amount=n) for n in stakes_to_list(hand.low - 1, hand.high + 1))
            yield Call(by=player, word="out")
    elif phase in ("reveal", "showdown"):
        yield turned_up_next(state)
    elif phase in ("play", "bank"):
        yield from playing(first_without(hand.order, hand.done) or hand.bank, state)


def playing(name: str, state: State[Hand]) -> Iterator[Event]:
    """Acts open to a hand: stand, hit, go bust, turn up seven and a half."""
    hand, pile = state.hand, state.holding(name)
    top = in_dealing_order(state.table.row("stock"))
    yield Pass(by=name)
    if top:
        yield Draw(by=name, cards=(top[0],), face="up")
        yield Draw(by=name, cards=(top[0],), face="down")
    yield from KINDS.says_bust(name, state)
    if name != hand.bank and len(pile) == 2:
        yield Call(by=name, word="natural", cards=cards_of_hand(name, state) if pile.complete else ())


def expand_shorthand(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """Expand shorthand: a bare card is a hit, the bank's first card or a hand shown; words of the game are acts."""
    by = event.by
    match event:
        case Play(src="", face=None):
            return bare_cards(event.cards, by, state)
        case Draw(src="", face=None) if state.phase in ("reveal", "showdown"):
            return bare_cards(event.cards, by, state)
        case Draw() if how_many(event.cards) != 1:
            return ()
        case Draw(face=None):
            return (replace(event, face="up"),)
        case Deal(face=None):
            return (replace(event, face="down"),)
        case Call():
            event = with_typed_cards(event)
            if event.word == "stand":
                return (Pass(by=by),)
            if event.word == "hit":
                return (Draw(by=by, cards=event.cards or ("??",), face="up"),)
            if event.word in ("bust", "natural") and event.cards:
                shown = with_what_lies_open(event.cards, by, state)
                return tuple(replace(event, cards=cards) for cards in shown)
    return (event,)


def bare_cards(cards: tuple[str, ...], by: str, state: State[Hand]) -> tuple[Event, ...]:
    """Acts meant by cards without a verb: a hit, or a first card that is turned up."""
    hand, phase = state.hand, state.phase
    if phase in ("reveal", "showdown"):
        return tuple(Show(by=by, groups=(shown,)) for shown in with_what_lies_open(cards, by, state))
    if phase == "bets" and hand.bets:
        by = next(s for s in hand.order if s in hand.bets)
    return (Draw(by=by, cards=cards, face="up"),) if how_many(cards) == 1 else ()


def quiet(state: State[Hand]) -> Event | None:
    """The act that a lone `.` stands for: a stand; before the deal sitting out; at the showdown not shown."""
    hand = state.hand
    if state.phase == "bets":
        return Call(by=state.turn[0], word="out") if state.turn else None
    who = {"play": first_without(hand.order, hand.done), "bank": hand.bank, "showdown": first_covered(state)}
    name = who.get(state.phase) or (state.turn[0] if state.turn else "")
    return Pass(by=name) if name else None


def implied_actor(state: State[Hand], kind: type[Event]) -> tuple[str, ...]:
    """Seats that an act may belong to if it names none: bets are typed from the banker's left."""
    return state.turn[:1] if state.phase == "bets" else state.turn


def last_outcome_text(state: State[Hand]) -> str:
    """Words for what has just come to light: the bank's total, what a hand is due, the next banker."""
    hand = state.hand
    parts = KINDS.news(due_now, state)
    if hand.over == state.at:
        parts += next_bank(state)
    return "; ".join(parts)


def next_bank(state: State[Hand]) -> list[str]:
    """Words for the next banker, empty if unknown: the bank may have an unseen seven and a half in two cards."""
    had = KINDS.had_best(state, bank=bool(state.hand.bank_done))
    certain = had is None or None not in had.values()
    return [f"{KINDS.banks_next(state)} banks next"] if certain else []


# Simulation: low hands hit, high hands stand
def chance_acts_first(state: State[Hand]) -> bool:
    """True if the cards are dealt now, although a player is to act."""
    return bool(state.number and not state.settled and state.phase == "play" and not state.hand.dealt)


def chance(state: State[Hand], random: Random) -> list[Event]:
    """Chance events: the next hand, or the deal of a card to each player once the bets are up."""
    if state.settled:
        dealer = next_dealer(state)
        return [HandEvent(by=dealer, number=state.number + 1)]
    cards = list(PACK.faces)
    random.shuffle(cards)
    seats = state.hand.seated
    piles = one_each(seats, cards)
    return [Deal(by="@", face="down", piles=(*piles, ("stock", tuple(cards[len(seats) :]))))]


def weigh(state: State[Hand], event: Event) -> float:
    if state.phase == "bets":
        return 1 / (2 + event.amount) if isinstance(event, Bet) else 0.05
    found = possible_totals(state.holding(event.by), VALUES) or frozenset({8})
    high = max(found) >= (11 if event.by == state.hand.bank else 10)
    if isinstance(event, Pass):
        return 6.0 if high else 0.1
    return 0.05 if isinstance(event, Draw) and high else 50.0 if isinstance(event, Call) else 2.0


ACTS = (Pass, Draw, Call, Bet, Play)
GAME = Game(
    key="seven-and-a-half", name="Seven and a Half", family="bank", summary=summary_of(__doc__),
    seating=singles(4, 2, 3, 5, 6, 7, 8, how="each against the bank"), pack=PACK,
    dealing=Dealing(
        next_dealer=KINDS.banks_next, chance=chance, chance_acts_first=chance_acts_first, own_piles=(),
    ),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=start,
    phases={
        "bets": Phase("the bets", (Bet, Call, Play),
                      "a bet (2, or those of several in turn: 2 3 1), . for who sits out", default_act=quiet,
                      to_do="bet"),
        "play": Phase("the play", ACTS, "a card drawn (5c), stand (.), bust with the first card (bust kc), natural kc",
                      default_act=quiet, to_do="play"),
        "reveal": Phase("turning up", ACTS, "the card the banker turns up (4c)", to_do="turn up"),
        "bank": Phase("the bank", ACTS, "a card drawn (5c), or stand (.)", default_act=quiet, to_do="play"),
        "showdown": Phase("the showdown", (Pass, Play, Call),
                          "the first card of each hand in turn (kd), . for a hand not shown",
                          default_act=quiet, verbs={Pass: "does not show"}, to_do="show"),
        # A late call about the hand that is over is judged as before its end.
        "between": Phase("between two hands", (Call,), "the next hand", confirm_first=(Call,)),
    },
    on={
        HandEvent: begins, Deal: on_deal, Bet: on_bet, Draw: on_draw, Pass: on_pass, Call: on_call, Show: on_showing,
        Move: on_moving, Pay: on_pay, Gap: on_gap,
    },
    tally=Tally, compute_tally=tally, score=score, after=most_chips,
    match=MatchRules(new_match=begins_with_chips, open_table=True),
    sheet=chips("natural"),
    omissions=Omissions(
        unwritten=unwritten, often_omitted_rules=frozenset({"R3"}),
        always_written={"draws": "what a hand comes to is known by its cards alone"},
        belongs_to_finished_hand=is_of_the_hand, missing=KINDS.missing,
    ),
    shorthand=Shorthand(expand=expand_shorthand, implied_actor=implied_actor, verbs={Pass: "stands"}),
    display=Display(headline=headline, last_outcome_text=last_outcome_text, of_pile=KINDS.of_pile),
    simulation=Simulation(candidates=candidates, weigh=weigh, most_hands=999),
)  # fmt: skip
