"""Kowah: a player with two triplets and two equal cards says checki and lays the pair open; the third card of that kind
wins, drawn or claimed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from events.name_lists import one_of
from events.model import Call, Discard, Draw, Event, Fault, Gap, Move, Pass, Show
from events.model import Deal as DealEvent
from reducers.evolve import settle
from reducers.page import (
    CONSEQUENCE, DUTY, RIGHT, Catalogue, CheckResult, DealSpec, Game, Dealing, MatchRules, Omissions, Shorthand,
    Display, Simulation, HandScore, Law, ScoreLine, Phase, Points, State, TallyFacts, as_many_as_dealt, broken, choice,
    counts_nothing, deals_next, finish_hand, hand_score, not_all_seen, apply_reported_facts, pack, pretty, pretty_all,
    result_text, rule, running, seat, shuffle_and_deal, singles, summary_of, unknown, HouseRules, after_gap,
    ensure_dealt, try_pass,
)  # fmt: skip
from reducers.page import on_show as common_show
from reducers.words.draw_and_throw import (
    TURNS, DrawAndThrow, as_drawn, draw_one_card, draws_unseen, is_claim, stock_and_discards,
    take_from_top, throw_one_card, turn_by_turn, implied_drawer,
)  # fmt: skip
from reducers.words.rummy import TURN_UNKNOWN, cards_lying, try_discards, missed_one, top_code, is_stock_uncounted
from reducers.words.scores import most_hands_of

# Setup: four copies of thirty cards, the clubs being the court cards
PACK = pack("A 2 3 4 5 6 7 8 9", suits="dhs", copies=4, plus="Jc Qc Kc")
DEAL = DealSpec(each=8, rest="stock", empty=("discard",))
UNSEEN = PACK.unknown


class Options(HouseRules, frozen=True):
    """House rules of Kowah."""

    games: Annotated[int, Meta(ge=1, le=99, description="hands of a match; the player who wins most of them wins "
                                                        "it")] = 1
    same_rank_triplets: Annotated[bool, Meta(description="six cards of a rank are two triplets")] = False
    claim_pair: Annotated[
        Literal["shown", "any"], Meta(description="the third card of the pair laid open wins, or of any pair held")
    ] = "shown"
    checki_optional: Annotated[bool, Meta(description="a player with a checki may keep it secret")] = True


PLAY, CHECKI, AFTER = "Game play", "Declaring checki", "When a player has declared checki"
RULES = Catalogue(
    "kowah",
    rule("R1", PLAY, DUTY, "The player left of the dealer begins with a card of the stock; after that each player in "
         "turn draws the top card of the stock or of the discards.", "play in turn", {(Draw, Discard): turn_by_turn}),
    rule("R2", PLAY, DUTY, "In a turn one card is drawn and one is thrown.", "draw one, throw one",
         {Draw: draw_one_card, Discard: throw_one_card}),
    rule("R3", CHECKI, DUTY, "A checki is two triplets of any suits and two equal cards, or what R4 allows: the hand "
         "must be one when checki is said, and when the third card comes.", "a checki"),
    rule("R4", CHECKI, RIGHT, "A triplet, and five of a kind that are two pairs of equal cards and one of another "
         "suit, are a checki as well.", "five of a kind"),
    rule("R5", CHECKI, DUTY, "Whoever says checki lays the pair of equal cards open, or one of two such pairs.",
         "lay the pair"),
    rule("R6", AFTER, DUTY, "While a player is in checki, every opponent shows the card drawn from the stock.",
         "show the draw"),
    rule("R7", AFTER, RIGHT, "Whoever is in checki may claim the card that another has just drawn or thrown, if it is "
         "the third of that kind.", "claim"),
    rule("R8", AFTER, RIGHT, "Several players may be in checki at once, and each may claim.", "several in checki"),
    rule("R9", AFTER, CONSEQUENCE, "The third card of that kind wins at once.", "the third card"),
    rule("R10", AFTER, CONSEQUENCE, "If the stock is out before that, there is no winner.", "stock out"),
    rule("R11", "Setup", DUTY, "Each player is dealt eight cards, and none is turned up.", "eight each",
         {DealEvent: as_many_as_dealt}),
    rule("R12", CHECKI, DUTY, "Checki is said when the hand is formed: with the hand dealt, or in the player's own "
         "turn after the draw.", "when to say it"),
)  # fmt: skip

READINGS = {
    "How many packs?": "four, which gives four copies of each of the thirty cards",
    "Do the triplets and the pair have different ranks?": "yes; option same_rank_triplets for six of one rank",
    "The odd card of five of a kind": "is of the third suit, as another equal card would make three of a kind at once",
    "Which card is claimed?": "the third of the pair laid open; option claim_pair",
    "When is checki said?": "with the nine cards of the player's turn, or after its discard until the next draw; with "
    "the hand dealt before the player's first draw; it may be put off to a later turn; option checki_optional, and "
    "then before the player's next draw at the latest",
    "Cards that came before checki was said": "can no longer be claimed, and a third card drawn before does not win",
    "Playing on in checki": "the player draws and throws as before, and may exchange cards for another checki with "
    "the same pair; breaking it up is no breach, but it can no longer win; once a card of the pair is thrown, the "
    "checki is gone",
    "The own draw": "of the third card wins too, from the discards by itself, from the stock if it is shown in that "
    "turn or a later turn of the player: a player who does not show it has not won yet",
    "Does a player in checki show the card drawn?": "only if another is in checki as well",
    "How long may a card be claimed?": "a discard until the next player has a card of the stock, a drawn card until "
    "its drawer throws",
    "The next player takes the discard that is claimed": "the claim goes first, as it wins; recorded after the draw, "
    "it takes the card from that hand",
    "The stock is out": "the player of the last card throws, and that card may still be claimed; otherwise there is "
    "no winner",
    "After the winning card": "no card is thrown",
    "Four equal cards among five of a kind": "are no two pairs",
    "Two players with the same pair": "hold all four cards, and neither can win with it",
    "A false checki": "the text has no penalty; it counts until it is ruled on, and winning with it breaks R3",
    "How many hands?": "one is the game; option games for more. The deal goes round to the left",
    "A draw that is not in the record": "was from the stock, unseen, if the player still throws",
    "A hand broken off": "there is no winner; after a misdeal the same dealer deals again",
}
WORDS = {
    "checki": "call: two triplets and a pair; checki 5h lays two fives open; cards: two of a rank",
    "five": "fault: the table did not take a triplet and five of a kind for a checki",
    "claim": "fault: the table refused a claim",
    "second": "fault: the table did not let a second player be in checki",
}
OWN, DRAWN, THROWN, NOBODY = "own", "drawn", "discard", "draw"
SHOWN, CLAIM_THROWN, CLAIM_DRAWN = "shown draw", "claim or draw", "claim or discard"
"""The phases in which a draw has to be shown, and in which others may claim a card too."""


class Hand(DrawAndThrow):
    """State of one hand of Kowah.

    `checki` has, for each player in checki, the card of the pair (`UNSEEN` if not recorded); `unsure` the players who
    may have broken up that pair. `dealt` are the seats that have not drawn yet. `offered` is the card that may be
    claimed (-1: none), `offers` the seat that has drawn or discarded it, `threw` the seat whose discard was taken,
    and `late` the seats that said checki only after that. `card` is the card that won.
    """

    def __init__(self, state: State[Hand]) -> None:
        super().__init__(state, renewed=False)
        self.checki: dict[str, int] = {}
        self.dealt, self.late, self.unsure = frozenset(self.seats), frozenset[str](), frozenset[str]()
        self.offered, self.offers, self.threw, self.card = -1, "", "", -1

    def offer(self, who: str, code: int) -> None:
        """Record that a seat has drawn or discarded this card (-1: unseen)."""
        self.offers, self.offered, self.threw, self.late = who, code, "", frozenset()

    def taken(self, who: str) -> None:
        """The next player has taken the discard; players who could claim it before still can."""
        self.offers, self.threw = who, self.offers


# Declaring checki
@lru_cache(maxsize=1 << 14)
def pairs_in(bag: int, same_rank: bool = False) -> tuple[int, ...]:
    """Cards of the pairs that may be laid open if these eight are a checki; empty if they are not.

    >>> def of(cards): return [PACK.faces[c] for c in pairs_in(PACK.bag(cards.split()))]
    >>> of("5s 5h 5d 7h 7s 7d Ad Ad"), of("5s 5h 5d 7s 7s 7d 7d 7h"), of("5s 5h 5d 7h 7s 7d Ad Ah")
    (['Ad'], ['7d', '7s'], [])
    """
    codes = list(PACK.codes(bag))
    equal, ranks = Counter(codes), Counter(PACK.rank_of[c] for c in codes)
    sizes = sorted(ranks.values())
    if sizes == [2, 3, 3] or (same_rank and sizes == [2, 6]):
        return tuple(c for c in equal if ranks[PACK.rank_of[c]] == 2 == equal[c])
    if sizes == [3, 5]:
        five = {c: n for c, n in equal.items() if ranks[PACK.rank_of[c]] == 5}
        return tuple(c for c, n in five.items() if n == 2) if sorted(five.values()) == [1, 2, 2] else ()
    return ()


def form_of(bag: int, state: State[Hand]) -> tuple[int, ...]:
    """The same as `pairs_in` for a hand of eight, or of nine with one card to discard."""
    same = state.terms.options.same_rank_triplets
    if PACK.count(bag) <= DEAL.each:
        return pairs_in(bag, same)
    return tuple(dict.fromkeys(pair for c in PACK.codes(bag) for pair in pairs_in(bag - PACK.unit[c], same)))


def laid(call: Call, state: State[Hand]) -> int:
    """The card whose pair is laid open; `UNSEEN` if unknown or not a pair of equal cards."""
    may_be = pair_may_be(call, state)
    found = [code for code in range(UNSEEN) if may_be & PACK.field[code]]
    return found[0] if len(found) == 1 else UNSEEN


def pair_may_be(call: Call, state: State[Hand]) -> int:
    """Mask of the faces that both cards laid open may have; 0 if they are no pair."""
    codes = state.table.codes(call.cards)
    return PACK.may_be[codes[0]] & PACK.may_be[codes[1]] if len(codes) == 2 else 0


@RULES.check("R3", Call)
def the_hand_is_a_checki(call: Call, state: State[Hand]) -> CheckResult | None:
    if call.word != "checki":
        return None
    if lacks_a_draw(call, state):
        return unknown(f"a card that {call.by} drew may be missing from the record")
    return has_a_checki(call.by, state)


def has_a_checki(seat: str, state: State[Hand]) -> CheckResult | None:
    """The verdict on a hand that should be a checki; None if it is one."""
    pile = state.holding(seat)
    if not pile.complete:
        return not_all_seen(pile)
    if form_of(pile.certain, state):
        return None
    return broken(f"the hand of {seat} is no checki", pile.certain, seat, together=True)


def lacks_a_draw(call: Call, state: State[Hand]) -> bool:
    """Return True if checki is said in the own turn before a draw that this record may have left out."""
    hand = state.hand
    to_draw = call.by == hand.player and not hand.drawn and not hand.ending
    return to_draw and call.by not in (*hand.dealt, hand.thrown) and (missed_one(state) or not hand.written)


@RULES.check("R3", Draw)
def whoever_wins_has_a_checki(draw: Draw, state: State[Hand]) -> CheckResult | None:
    hand, pair = state.hand, state.hand.checki.get(draw.by, -1)
    open_now = draw.face == "up" or draw.src == "discard" or is_claim(draw, state)
    code = state.code(draw.cards)
    if hand.ending or not open_now or wants(draw.by, code, state) is False:
        return None
    if code < UNSEEN == pair and state.holding(draw.by).how_many(PACK.field[code])[1] < 2:
        return None  # the pair was not recorded, and is not of this card
    says = has_a_checki(draw.by, state)
    return unknown(f"whether {draw.by} has drawn the third card of the pair") if says and code >= UNSEEN else says


@RULES.check("R12", Call)
def checki_is_said_when_it_is_formed(call: Call, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if call.word != "checki" or hand.ending or call.by in (*hand.dealt, hand.thrown):
        return None
    if hand.gap:
        return unknown("acts are missing from the record")
    if call.by != hand.player:
        return broken(f"it is the turn of {hand.player}")
    if hand.drawn or not state.terms.options.checki_optional:
        return None
    if lacks_a_draw(call, state):
        return unknown(f"a card that {call.by} drew may be missing from the record")
    return broken(f"{call.by} has formed nothing since the discard before: checki is said after drawing")


@RULES.check("R5", Call)
def the_pair_is_laid_open(call: Call, state: State[Hand]) -> CheckResult | None:
    if call.word != "checki":
        return None
    if call.by in state.hand.checki and call.by not in state.hand.unsure:
        return broken(f"{call.by} has said checki already")
    if not call.cards:
        return unknown("which pair was laid open is missing from the record")
    pair, pile = laid(call, state), state.holding(call.by)
    if pair == UNSEEN:
        if pair_may_be(call, state):
            return unknown("which pair was laid open")
        return broken(f"{pretty_all(call.cards)} is not a pair of equal cards")
    if not pile.complete:
        return not_all_seen(pile)
    pairs = form_of(pile.certain, state)
    if not pairs or pair in pairs:
        return None
    right = one_of(pretty_all((PACK.faces[c],) * 2) for c in pairs)
    text = f"{call.by} lays {pretty_all(call.cards)}, and the pair is {right}"
    return broken(text, pile.certain, call.by, together=True)


@RULES.check("R12", Draw)
def a_checki_is_said(draw: Draw, state: State[Hand]) -> CheckResult | None:
    """House rule: a player who begins a turn with a checki must have said it."""
    hand, pile = state.hand, state.holding(draw.by)
    if state.terms.options.checki_optional or draw.by in hand.checki or hand.drawn or is_claim(draw, state):
        return None
    if not pile.complete:
        return unknown(f"whether {draw.by} has a checki", pile)
    if not form_of(pile.certain, state):
        return None
    return broken(f"{draw.by} has a checki and did not say so", pile.certain, draw.by, together=True)


@RULES.check("R4", Fault)
def five_of_a_kind_are_enough(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """Denial of a right: the table did not accept five of a kind and a triplet as a checki."""
    if fault.word != "five" or not state.number:
        return None
    who = fault.who or next(reversed(state.hand.checki), "")
    held = state.holding(who).certain if who else 0
    sizes = sorted(Counter(PACK.rank_of[c] for c in PACK.codes(held)).values())
    return broken(f"the hand of {who} is a checki") if sizes == [3, 5] and pairs_in(held) else None


@RULES.check("R8", Fault)
def several_may_be_in_checki(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """Denial of a right: the table did not let a second player be in checki."""
    if fault.word != "second" or not state.number or len(state.hand.checki) < 2:
        return None
    return broken(f"{' and '.join(state.hand.checki)} may be in checki at once")


def on_call(call: Call, state: State[Hand]) -> None:
    """Lay the pair open; from now on opponents show what they draw."""
    hand = state.hand
    if call.word == "checki" and call.by in hand.seats:
        state.table.reveal(state.table.codes(call.cards), state.holding(call.by))
        hand.checki[call.by] = laid(call, state)
        hand.late, hand.unsure = hand.late | {call.by}, hand.unsure - {call.by}
        draws_are_shown(state)


def draws_are_shown(state: State[Hand]) -> None:
    """Set the phase by whether the next player has to show the draw. If so, a bare card is the one drawn."""
    hand = state.hand
    if state.phase in ("draw", SHOWN):
        state.phase = SHOWN if hand.player and others_in_checki(hand.player, state) else "draw"


# The turn, with the draws that are shown
@RULES.check("R1", Draw)
def the_first_card_is_from_the_stock(draw: Draw, state: State[Hand]) -> CheckResult | None:
    pile = state.table.piles.get("discard")
    nothing = draw.src == "discard" and not state.hand.begun and not cards_lying("discard", state)
    return broken("no card has been thrown yet") if nothing and not (pile is not None and pile.vague) else None


def others_in_checki(who: str, state: State[Hand]) -> list[str]:
    return [s for s in state.hand.checki if s != who]


@RULES.check("R6", Draw)
def the_draw_is_shown(draw: Draw, state: State[Hand]) -> CheckResult | None:
    others = others_in_checki(draw.by, state)
    if (draw.src or "stock") != "stock" or draw.face == "up" or not others or state.hand.ending:
        return None
    if state.hand.gap:
        return unknown("acts are missing from the record, so perhaps no player is in checki any more")
    if state.hand.unsure.issuperset(others):
        return unknown(f"whether {' and '.join(others)} threw a card of the pair, or a third one")
    are = "are" if len(others) > 1 else "is"
    return broken(f"{' and '.join(others)} {are} in checki, and {draw.by} did not show the card")


def wants(who: str, code: int, state: State[Hand]) -> bool | None:
    """True if a card is the third that a player in checki needs; None if unseen cards decide it."""
    pair = state.hand.checki.get(who, -1)
    if pair == -1:
        return False
    if code >= UNSEEN:
        return None
    if state.terms.options.claim_pair == "any":
        low, high = state.holding(who).how_many(PACK.field[code])
        return True if low == high == 2 else None if low <= 2 <= high else False
    if pair == UNSEEN:
        return None
    return pair == code and (None if who in state.hand.unsure else True)


def may_claim(state: State[Hand]) -> tuple[str, ...]:
    """Seats that may claim the card just drawn or discarded, as far as known."""
    hand = state.hand
    if hand.offered < 0 or not hand.checki:
        return ()
    had_it = (hand.offers, hand.threw)
    others = [s for s in state.terms.in_turn(hand.offers or state.dealer) if s in hand.checki and s not in had_it]
    return tuple(s for s in others if s not in hand.late and wants(s, hand.offered, state) is not False)


def others_may_claim(phase: str, state: State[Hand]) -> None:
    """Let the players who need the card act, besides the player on turn."""
    claimants = tuple(s for s in may_claim(state) if s not in state.turn)
    if claimants:
        state.phase, state.turn = phase, (*state.turn, *claimants)


def on_draw(draw: Draw, state: State[Hand]) -> None:
    """A draw in turn from the stock (shown if an opponent is in checki) or the discard pile; or a claim."""
    hand = state.hand
    if is_claim(draw, state) and not hand.ending and draw.by in hand.seats and not a_draw_in_turn(draw, state):
        claim(draw, state)
        return
    stock = state.table.row("stock")
    stock.vague = stock.vague or (state.phase == "last" and missed_one(state))
    TURNS[Draw](draw, state)
    if hand.ending or draw.by not in hand.seats or state.settled:
        return
    code = state.code(draw.cards)
    if draw.src == "discard" and code >= UNSEEN and hand.offered >= 0:
        code = hand.offered  # It was discarded, so all have seen it.
    seen = draw.face == "up" or draw.src == "discard"
    hand.dealt -= {draw.by}
    if draw.src == "discard" and code == hand.offered:
        hand.taken(draw.by)
    else:
        hand.offer(draw.by, code if seen else -1)
    if seen and hand.checki.get(draw.by, -1) == code < UNSEEN and draw.by not in hand.unsure:
        wins(draw.by, OWN, code, state)
    elif draw.src != "discard":
        others_may_claim(CLAIM_DRAWN, state)


def a_draw_in_turn(draw: Draw, state: State[Hand]) -> bool:
    """True if a draw from the discard pile after the next player's draw is a draw in turn, with a discard unrecorded.
    It is too late for a claim and not known to be the third card; as a claim it would end the hand."""
    hand = state.hand
    return draw.src == "discard" and hand.drawn and wants(draw.by, state.code(draw.cards), state) is None


def claim(draw: Draw, state: State[Hand]) -> None:
    """Give the card to the player who claims it. The claim wins unless the card is known not to be the third."""
    hand, code = state.hand, state.code(draw.cards)
    how = THROWN if draw.src == "discard" else DRAWN
    if code >= UNSEEN and hand.offered >= 0:
        code = hand.offered
    third = wants(draw.by, code, state)
    take_from_top(draw, state)
    if third is not False:
        wins(draw.by, how, code, state)


def wins(who: str, how: str, code: int, state: State[Hand]) -> None:
    hand = state.hand
    hand.by, hand.ending, hand.card = who, how, code
    finish_hand(state)


def on_discard(discard: Discard, state: State[Hand]) -> None:
    """Discard a card, which may be claimed; if the stock is out, the hand is over after that."""
    hand = state.hand
    if state.number and discard.by == hand.player and not hand.drawn and discard.by in hand.late:
        # Checki was said in this turn: the draw that nobody wrote may have come before it.
        state.leave_out("draws")
    TURNS[Discard](discard, state)
    if hand.ending or state.settled or discard.by not in hand.seats:
        return
    hand.dealt -= {discard.by}
    hand.offer(discard.by, top_code("discard", state))
    if hand.offered >= UNSEEN or hand.checki.get(discard.by, -1) == hand.offered:
        breaks_the_pair(discard.by, state)
    if not state.table.row("stock").row and not is_stock_uncounted(state):
        last_discard(state)
        if not state.turn:
            nobody_wins(state)
    elif hand.checki:
        draws_are_shown(state)
        others_may_claim(CLAIM_THROWN, state)


def last_discard(state: State[Hand]) -> None:
    """The stock is out: the last discard may be claimed."""
    # A draw missing from the record may have been from the discard pile; then a card is left in the stock.
    doubt = state.turn if missed_one(state) else ()
    state.phase, state.turn = "last", tuple(dict.fromkeys((*may_claim(state), *doubt)))


def stock_was_out(state: State[Hand], act: Event) -> None:
    """A pass shows that an uncounted stock is out, as only the last discard is let go."""
    if type(act) is Pass and state.number and not state.hand.drawn and is_stock_uncounted(state):
        last_discard(state)


def breaks_the_pair(who: str, state: State[Hand]) -> None:
    """A player who discards a card of the pair is no longer in checki, unless it was a third one. A card that was not
    seen may have been of the pair."""
    hand = state.hand
    if hand.checki.get(who, UNSEEN) >= UNSEEN:
        return
    held, pair = state.holding(who), PACK.field[hand.checki[who]]
    # The card thrown is gone by now, though later events prove that it was held.
    low, high = PACK.count((held.known + held.stays) & pair), held.how_many(pair)[1]
    if high < 2:
        del hand.checki[who]
        state.infer(f"{who} threw a card of the open pair and is no longer in checki")
    elif low < 2:
        hand.unsure |= {who}


def nobody_wins(state: State[Hand]) -> None:
    state.hand.ending = NOBODY
    finish_hand(state)


def lets_it_go(act: Pass, state: State[Hand]) -> None:
    """The last discard is not claimed."""
    if state.phase == "last":
        state.turn = tuple(s for s in state.turn if s != act.by)
        if not state.turn:
            nobody_wins(state)


@RULES.check("R10", Draw, when="last")
def nothing_is_drawn_any_more(draw: Draw, state: State[Hand]) -> CheckResult | None:
    # The next player may draw the last discard as any other; it may be the third card.
    if is_claim(draw, state) or (draw.src == "discard" and draw.by in may_claim(state)):
        return None
    if missed_one(state):
        return unknown("whether the stock was out: a draw is missing from the record")
    return broken("the stock is out, and the hand is over")


# Claims
@RULES.check("R7", Draw)
def the_third_card_is_claimed(draw: Draw, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    if not is_claim(draw, state) or hand.ending or draw.by not in hand.seats:
        return None
    if hand.gap:
        return unknown("acts are missing from the record")
    whose, code = draw.src.removeprefix("hand:"), state.code(draw.cards)
    if draw.by not in hand.checki:
        return broken(f"{draw.by} is not in checki")
    late = why_claim_is_wrong(draw, whose, state)
    if late:
        return broken(late)
    if hand.offered >= 0 and not PACK.may_be[code] & PACK.may_be[hand.offered]:
        done = "thrown" if draw.src == "discard" else "drawn"
        return broken(f"{pretty(draw.cards[0])} is not the card that was just {done}")
    code = hand.offered if code >= UNSEEN and hand.offered >= 0 else code
    third = wants(draw.by, code, state)
    if third is False:
        return broken(f"{PACK.shown(code)} is not the third card of the pair")
    if hand.checki[draw.by] == UNSEEN:
        return unknown("which pair was laid open is missing from the record")
    return None if third else unknown(f"the hand of {draw.by} was not all seen")


def why_claim_is_wrong(draw: Draw, whose: str, state: State[Hand]) -> str:
    """Error text if a claim comes from the wrong place or at the wrong moment, else ""."""
    hand = state.hand
    if draw.by in (hand.offers, hand.threw):
        return f"{draw.by} {'has drawn' if hand.drawn and draw.by == hand.offers else 'threw'} the card"
    if whose == "discard" and (hand.drawn or not hand.offers):
        return f"{hand.player} has drawn by now" if hand.drawn else "no card has been thrown yet"
    if whose != "discard" and not hand.drawn:
        return f"{whose} has no card that was just drawn"
    if whose not in ("discard", hand.player):
        return f"it is the turn of {hand.player}, not of {whose}"
    if draw.by not in hand.late:
        return ""
    return f"{draw.by} said checki after the card was {'drawn' if hand.drawn else 'thrown'}"


@RULES.check("R7", Fault)
def a_claim_is_not_refused(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """Denial of a right: the table refused a claim that won."""
    hand = state.hand if state.number else None
    if fault.word != "claim" or hand is None or hand.ending not in (DRAWN, THROWN) or fault.who not in ("", hand.by):
        return None
    return broken(f"{hand.by} needed {pretty(PACK.tokens[hand.card])}, and may claim it")


def on_show(show: Show, state: State[Hand]) -> None:
    """Showing the third card just drawn wins. Cards shown after the end may settle open questions."""
    common_show(show, state)
    if not state.number:
        return
    hand = state.hand
    if state.settled:
        if not state.stop_reason:
            settle(state)
        return
    codes = [c for group in show.groups for c in state.table.codes(group)]
    pair = hand.checki.get(show.by, -1)
    if pair == -1 or not hand.drawn or show.by != hand.player or show.by in hand.late:
        return
    for code in codes if state.terms.options.claim_pair == "any" else [c for c in codes if c == pair]:
        if code < UNSEEN and state.holding(show.by).how_many(PACK.field[code])[0] == 3:
            wins(show.by, OWN, code, state)
            return


def on_move(move: Move, state: State[Hand]) -> None:
    """A discard that is taken back can no longer be claimed."""
    TURNS[Move](move, state)
    if state.number and not state.settled and state.hand.drawn:
        state.hand.offer(state.hand.player, -1)


# Scoring
def no_third_card_and_no_winner(known: Mapping[str, Any], state: State[Hand]) -> str:
    """Return an error text if the hand is a draw and yet a third card is reported, else ""."""
    told = [key for key in ("card", "ending") if known.get(key)]
    tells = f"{' and '.join(told)} name{'s' * (len(told) == 1)} a third card"
    return f"there was no winner, but {tells}" if known.get("winner") == NOBODY and told else ""


class Tally(TallyFacts):
    """The result of a hand of Kowah."""

    winner: str = seat("who won the hand, or draw", NOBODY, asks="who won", ruling="who counts as the winner")
    ending: str = choice("how the third card came: the own draw, claimed as drawn or thrown", OWN, DRAWN, THROWN)
    card: str = choice("the third card", *PACK.faces)

    laws = (Law(("winner", "card", "ending"), no_third_card_and_no_winner, "R10"),)


def tally(state: State[Hand]) -> Tally:
    hand = state.hand
    winner = NOBODY if hand.ending == NOBODY else hand.by
    card = PACK.tokens[hand.card] if hand.card >= 0 else ""
    return apply_reported_facts(Tally(winner, "" if winner == NOBODY else hand.ending, card), state)


def score(state: State[Hand]) -> HandScore:
    """Score of the hand in play: a hand won counts one."""
    t, terms = tally(state), state.terms
    if nothing := counts_nothing(state, t.void, unfinished=not t.winner, then="nobody wins"):
        return nothing
    if not t.winner:
        return hand_score(state, dict.fromkeys(terms.seats), unknown=["who won"])
    points: Points = {s: int(s == t.winner) for s in terms.seats}
    if t.winner == NOBODY:
        return hand_score(state, points, result="the stock is out: no winner")
    third = f" with {pretty(t.card)}" if t.card else ""
    came = {OWN: ", the own draw", DRAWN: ", claimed as it was drawn", THROWN: ", claimed as it was thrown"}
    text = f"{terms.name(t.winner)} wins{third}{came.get(t.ending, '')}"
    return hand_score(state, points, (ScoreLine("hands won", points),), result=text)


# What may be done now
def draws_or_claims(who: str, state: State[Hand]) -> Iterator[Event]:
    """Draws from the stock, shown or not, or from the discard pile; for other seats the card that they need."""
    hand, above, thrown = state.hand, top_code("stock", state), top_code("discard", state)
    if who != hand.player and hand.player:
        yield from claims(who, state)
        return
    if above >= 0:
        card, third = (PACK.tokens[above],), hand.checki.get(who, -1) == above
        if not third:
            yield Draw(by=who, cards=card)
        if third or others_in_checki(who, state):
            yield Draw(by=who, cards=card, face="up")
    if thrown >= 0:
        yield Draw(by=who, cards=(PACK.tokens[thrown],), src="discard")


def claims(who: str, state: State[Hand]) -> Iterator[Event]:
    """A claim of the card just drawn or discarded, if it is the third."""
    hand = state.hand
    if who in may_claim(state) and wants(who, hand.offered, state):
        card = (PACK.tokens[hand.offered],)
        drawn = Draw(by=who, cards=card, src=f"hand:{hand.player}", face="up")
        yield drawn if hand.drawn else Draw(by=who, cards=card, src="discard")


def draws_again(who: str, state: State[Hand]) -> Iterator[Event]:
    """A second card from the stock, which is against the rules."""
    if who == state.hand.player and top_code("stock", state) >= 0:
        yield Draw(by=who, cards=(PACK.tokens[top_code("stock", state)],))


def throws(who: str, state: State[Hand]) -> Iterator[Event]:
    return try_discards(who, state) if state.hand.player in ("", who) else iter(())


def says_checki(who: str, state: State[Hand]) -> Iterator[Event]:
    """Each pair that may be laid open, even too early, and one of a hand that is nearly a checki."""
    hand, pile = state.hand, state.holding(who)
    if who in hand.checki or who != hand.player:
        return
    equal = Counter(PACK.codes(pile.certain))
    pairs = form_of(pile.certain, state)
    near = worth(pile.certain, state.terms.options.same_rank_triplets) >= NEAR
    for code in dict.fromkeys((*pairs, *[c for c, n in equal.items() if n >= 2 and near][:1])):
        yield Call(by=who, word="checki", cards=(PACK.faces[code],) * 2)


def expand_shorthand(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """Expand shorthand. The top discard, if named, is drawn from the discard pile, or claimed by another seat;
    another card was discarded. A pair is named by one of its cards."""
    if isinstance(event, Call) and event.word == "checki":
        one = len(event.cards) == 1 and state.code(event.cards) < UNSEEN
        return (replace(event, cards=event.cards * 2) if one else event,)
    if not isinstance(event, Draw) or event.src or not state.number or state.settled:
        return (event,)
    hand, code = state.hand, state.code(event.cards)
    if hand.player and event.by != hand.player:
        src = f"hand:{hand.player}" if hand.drawn else "discard"
        card = (PACK.tokens[hand.offered],) if code >= UNSEEN and hand.offered >= 0 else event.cards
        return (replace(event, cards=card, src=src),)
    if event.face or code >= UNSEEN or hand.drawn:
        return (event,)
    return (*([replace(event, face="up")] if state.phase in (SHOWN, CLAIM_THROWN) else []), *as_drawn(event, state))


def implied_actor(state: State[Hand], kind: type[Event]) -> tuple[str, ...]:
    """Seats that an act may belong to if it names none: the player on turn. A claim names its player."""
    return state.turn if state.phase == "last" else implied_drawer(state)


def headline(state: State[Hand]) -> dict[str, Any]:
    """Height of the stock, top discard and the pairs of players in checki, for the headline."""
    checki = {s: PACK.shown(c) for s, c in state.hand.checki.items()}
    return stock_and_discards(state) | ({"checki": checki} if checki else {})


def last_outcome_text(state: State[Hand]) -> str:
    """The seats that may claim the card just drawn or discarded, in words; "" if there are none."""
    hand = state.hand
    sure = [s for s in may_claim(state) if wants(s, hand.offered, state)] if not state.settled else []
    return f"{' and '.join(sure)} may claim {PACK.shown(hand.offered)}" if sure else ""


NEAR = 17.0
"""Worth of a triplet, two cards of another rank and a pair, which is one card short of a checki."""


# Simulation: gather ranks and equal cards, keep a checki, take what wins
@lru_cache(maxsize=1 << 15)
def worth(bag: int, same_rank: bool) -> float:
    """Rough estimate of how near these cards are to a checki."""
    if pairs_in(bag, same_rank):
        return 40.0
    codes = list(PACK.codes(bag))
    ranks, equal = Counter(PACK.rank_of[c] for c in codes), Counter(codes)
    # The pair counts for more beside two other ranks, which may become the triplets.
    pairs = [c for c, n in equal.items() if n == 2]
    return max((gathered(ranks, PACK.rank_of[c]) + 4.0 for c in pairs), default=gathered(ranks, ""))


def gathered(ranks: Mapping[str, int], pair: str) -> float:
    """Worth of the cards gathered towards two triplets beside the pair."""
    most = sorted((min(n, 3) for rank, n in ranks.items() if rank != pair), reverse=True)[:2]
    return float(sum(n * n for n in most))


def weigh(state: State[Hand], event: Event) -> float:
    held, same = state.holding(event.by).certain, state.terms.options.same_rank_triplets
    if isinstance(event, Call):
        return 30.0
    if isinstance(event, Draw):
        if is_claim(event, state) or wants(event.by, state.code(event.cards), state):
            return 200.0
        if event.src != "discard":
            return 2.0
        more = held + PACK.unit[state.code(event.cards)]
        best = max((worth(more - PACK.unit[c], same) for c in PACK.codes(held)), default=0.0)
        return 40.0 if best > worth(held, same) else 0.01
    if isinstance(event, Discard):
        kept = held - PACK.unit[state.code(event.cards)]
        breaks_up = event.by in state.hand.checki and form_of(held, state) and not pairs_in(kept, same)
        return 1e-20 if breaks_up else float(2.5 ** (worth(kept, same) - 40.0))
    return 1.0


GAME = Game(
    key="kowah", name="Kowah", family="rummy", summary=summary_of(__doc__),
    seating=singles(2, 3, 4), pack=PACK,
    dealing=Dealing(deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=shuffle_and_deal),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=Hand,
    phases={
        "draw": Phase(
            "the draw", (Draw, Discard, Call),
            "a card drawn (. unseen, < from the discards, d up 7h shown), at once a discard (9h), or checki of who "
            "has just thrown (C checki 5h)",
            default_act=draws_unseen, to_do="draw",
            tries=(draws_or_claims, says_checki),
        ),
        SHOWN: Phase(
            "the draw that is shown", (Draw, Discard, Call), "the card drawn and shown (7h), or < from the discards",
            default_act=draws_unseen, to_do="draw",
            verb_required=(Discard,), tries=(draws_or_claims, says_checki),
        ),
        CLAIM_THROWN: Phase(
            "the card thrown", (Draw, Discard, Call),
            "a claim of the card thrown (C 9h), or the next card drawn and shown (7h), or < from the discards",
            default_act=draws_unseen, to_do="draw or claim", verb_required=(Discard,),
            tries=(draws_or_claims, says_checki),
        ),
        "discard": Phase(
            "the discard", (Discard, Draw, Call), "a discard (9h), or checki 5h", to_do="discard",
            tries=(throws, draws_again, says_checki),
        ),
        CLAIM_DRAWN: Phase(
            "the card drawn", (Discard, Draw, Call),
            "a claim of the card drawn (C 9h), a discard (8h), or checki 5h",
            to_do="discard or claim", tries=(throws, claims, draws_again, says_checki),
        ),
        "last": Phase(
            "the last discard", (Draw, Pass), "a claim of the last discard (C 9h), or . if no player claims it",
            default_act=lambda state: Pass(by=state.turn[0]) if state.turn else None, to_do="claim",
            tries=(claims, try_pass),
        ),
    },
    on={
        **TURNS, Draw: on_draw, Discard: on_discard, Call: on_call, Show: on_show, Pass: lets_it_go,
        Gap: after_gap("draw", by="", dealt=frozenset(), also=lambda state: state.hand.offer("", -1), **TURN_UNKNOWN),
        Move: on_move,
    },
    tally=Tally, compute_tally=tally, score=score, after=most_hands_of(lambda terms: terms.options.games),
    match=MatchRules(open_table=True),
    sheet=running({"result": result_text}),
    omissions=Omissions(
        always_written={"draws from discard": "the pile of the card drawn was a choice, and nothing else shows it"},
        explained_by_omissions=frozenset({"R2", "R3", "R12"}), unwritten=stock_was_out,
    ),
    shorthand=Shorthand(expand=expand_shorthand, implied_actor=implied_actor),
    display=Display(headline=headline, reminders=("checki",), last_outcome_text=last_outcome_text),
    simulation=Simulation(weigh=weigh),
)  # fmt: skip
