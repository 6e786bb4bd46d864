"""Ziginette: the players bet against the bank on cards of the board, and lose bets on cards matched before the bank's
own card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from events.cards import how_many
from events.model import Bet, Deal, End, Event, Gap, Move, Pay, Play, Shuffle
from events.model import Hand as HandEvent
from events.model import Tally as TallyEvent
from reducers.evolve import COMMON, finish_hand, is_for_next_hand
from reducers.page import (
    CONSEQUENCE, DUTY, WHO_DEALS, Catalogue, CheckResult, Game, Dealing, MatchRules, Omissions, Shorthand, Display,
    Simulation, HandScore, Law, ScoreLine, Phase, Points, State, TallyFacts, bounded, broken, choice, counts_nothing,
    figure, figures, hand_score, ensure_hand_started, misdealt, of_each_but, on_move, apply_reported_facts, pack, plus,
    pretty, result_text, rule, seat, settlement_sheet, signed, singles, summary_of, the_dealer, running_total, unknown,
    why_void, HandsInMatch, StartingChips,
)  # fmt: skip
from reducers.piles import Lies
from reducers.seating import next_dealer as usual_dealer
from reducers.words.bank import (
    Settled, Won, banked, begins_with_chips, in_stock, is_a_part, left_unpaid, limits, most_chips, on_hand,
    rest_may_follow, the_limits_leave_room,
)  # fmt: skip
from reducers.words.bank import settlement as with_the_bank
from reducers.words.bets import by_hand, paid_to
from reducers.words.deals import deal_from
from reducers.words.sheets import Form

# Setup
PACK = pack("A 7 6 5 4 3 2 K Q J")
UNSEEN = PACK.unknown
# Number of cards dealt to each pile.
GETS = {"board": 2, "banker": 1}
HOUSE = "house"


class Options(Struct, frozen=True):
    """House rules of Ziginette."""

    hands: HandsInMatch = 24
    chips: StartingChips = 0
    min: Annotated[
        int, Meta(ge=1, le=1_000_000, description="least bet of a player on a card, unless the banker says otherwise")
    ] = 1
    max: Annotated[
        int, Meta(ge=1, le=1_000_000, description="most bet of a player on a card, unless the banker says otherwise")
    ] = 10
    rake: Annotated[
        int, Meta(ge=0, le=50, description="percent of what the bank wins in a hand that goes to the house")
    ] = 0


SETUP, PLAY = "Setup", "Game play"
RULES = Catalogue(
    "ziginette",
    rule("R1", f"{SETUP}; {PLAY}", DUTY, "The banker announces the limits before a hand; they hold until its end.",
         "limits", {HandEvent: the_limits_leave_room}),
    rule("R2", SETUP, DUTY, "Two cards go to the board and one to the banker, face up; if two of them have one rank, a "
         "playette, they are dealt again.", "three different cards"),
    rule("R3", PLAY, DUTY, "A bet is placed on a card of the board that has not been matched.", "bet on the board"),
    rule("R4", PLAY, DUTY, "The banker does not bet.", "the banker does not bet"),
    rule("R5", SETUP, DUTY, "A player's bets on one card stay within the limits.", "within the limits"),
    rule("R6", PLAY, DUTY, "The banker turns one card at a time from the pack.", "turn a card"),
    rule("R7", PLAY, CONSEQUENCE, "A card of the board that is matched leaves it, and the bank takes the bets on it.",
         "matched"),
    rule("R8", PLAY, CONSEQUENCE, "The other two cards of that rank are dead.", "dead cards"),
    rule("R9", PLAY, CONSEQUENCE, "If the banker's own card is matched, the hand is over, and the bank pays every bet "
         "on the board, even money.", "the bank is matched"),
    rule("R10", PLAY, DUTY, "The bank then goes to the right.", "the bank goes on"),
    rule("R11", PLAY, DUTY, "If the board is empty, or no player bets any more, the hand is over; the banker keeps the "
         "bank, or hands it on to the right.", "keep the bank"),
    rule("R12", "Ziginette", CONSEQUENCE, "The house gets nothing, unless it was agreed that it takes a share of the "
         "bank's winnings.", "the house"),
)  # fmt: skip

READINGS = {
    "The limits": "are for all that one player has on one card; options min and max, or what the banker says (`hand 3 "
    "min=2 max=20`)",
    "Bets on a card already on the board": "may be added, up to the limit; none is taken back",
    "Several bets of a player": "each wins or loses by its own card",
    "A bet on a card that is not on the board": "has no effect and is returned",
    "A bet after the end of a hand": "is on no card, unless the next card shows that it was the first of "
    "another hand",
    "What the banker pays": "the bets on the board then; what was taken before stays lost",
    "The board is empty": "the hand is over at once, though another rank could still come",
    "No bets, but cards on the board": "the banker may turn on; if no player wants to bet, this is recorded as `end "
    "hand no-bets`",
    "The bank handed on after a win": "goes to the right like a bank that lost",
    "The right neighbour does not want the bank": "is for the table to settle",
    "The first banker was not recorded": "the player who turns the first card",
    "What matches?": "the rank alone",
    "The pack": "is shuffled before every hand",
    "The bank cannot pay": "it answers for all bets; a balance may be negative",
    "The house": "gets nothing; with option rake, a share, rounded down, of what the bank has won in a hand: what it "
    "took less what it paid, settled once the hand is over",
    "The end": "the text has none: after option hands the most chips win; hands=0 goes on until `end match`",
    "A hand broken off": "bets on matched cards are lost, every other bet is returned",
}
WORDS = {
    "no-bets": "end: no player bets any more, and no bet is on the board",
    "misdeal": "end: the hand is dealt again",
    "void": "end: the hand does not count",
}


class Hand(Struct):
    """State of one hand.

    `bets` has the chips of each player on each live rank, `lost` what the bank has taken from each, `owed` the
    amounts of that, card by card, whose payment is not recorded; `paid` has recorded payments by the bank,
    `to_the_house` those to the house. `ending` is `matched`, `cleared` or `no-bets`. `late` are bets recorded after
    the end: too late, or the first of an unrecorded hand. `unsure` is True if a card was not seen or acts went
    unrecorded, so that the live ranks are unknown, `blurred` if a card may have matched an unseen one; `news` is the
    effect of the last card.
    """

    bank: str
    low: int
    high: int
    seated: list[str]
    order: list[str]
    bets: dict[tuple[str, str], int] = {}
    lost: dict[str, int] = {}
    owed: dict[str, list[int]] = {}
    paid: dict[str, int] = {}
    to_the_house: int = 0
    late: list[Bet] = []
    ending: str = ""
    unsure: bool = False
    blurred: bool = False
    news: tuple[int, str] = (0, "")


def start(state: State[Hand]) -> Hand:
    """All cards are in the pack."""
    for name in ("board", "banker", "dead"):
        state.table.row(name)
    state.table.lay([UNSEEN] * PACK.size, state.table.row("stock"))
    bank = state.dealer
    seated = list(state.terms.around(state.terms.left(bank)))
    state.phase, state.turn = "play", (bank, *seated[:-1])
    return Hand(bank, *limits(bank, state), seated, seated[:-1])


def rank_of(code: int) -> str:
    return PACK.rank_of[code]


def on(name: str, state: State[Hand]) -> list[str]:
    """Ranks of the cards in a pile, from the bottom."""
    pile, rank = state.table.piles.get(name), PACK.rank_of
    return [rank[code] for code in pile.row or ()] if pile is not None else []


def laid_out(state: State[Hand]) -> list[str]:
    """Ranks of the layout, if it is fully dealt and no card was turned yet; else empty."""
    if state.acts:
        return []
    board, banker = on("board", state), on("banker", state)
    return [*board, *banker] if len(board) >= GETS["board"] and banker else []


def playette(state: State[Hand]) -> str:
    """The rank of a pair among the first cards, even if not all are dealt; "" if there is none, "?" if not all were
    seen."""
    if state.acts:
        return ""
    ranks = [*on("board", state), *on("banker", state)]
    twice = [r for r in ranks if ranks.count(r) > 1 and r != "?"]
    return twice[0] if twice else "?" if "?" in laid_out(state) else ""


def dealt_anew(deal: Deal, state: State[Hand]) -> bool:
    """True if cards are dealt to a full layout, so that they replace it."""
    full = {name for name, gets in GETS.items() if len(on(name, state)) >= gets}
    return not state.acts and any(name in full for name, _ in deal.piles) and bool(playette(state) or laid_out(state))


NOT_SEEN = "a card on the board, or one turned, was not seen"


def live_ranks_unknown(state: State[Hand]) -> bool:
    """True if the live ranks are unknown."""
    board, banker = on("board", state), on("banker", state)
    undealt = not state.acts and (len(board) < GETS["board"] or not banker)
    return state.hand.unsure or undealt or "?" in (*board, *banker)


def under_way(state: State[Hand]) -> bool:
    """True if cards were turned or bets made in this hand."""
    hand = state.hand
    return bool(hand.bets or hand.lost or on("dead", state)) or len(on("board", state)) > GETS["board"]


def may_be_over(state: State[Hand]) -> bool:
    """True if a card of the layout was not seen, so that a turned card may have ended the hand."""
    return under_way(state) and "?" in (*on("board", state), *on("banker", state))


# Setup: the layout
@RULES.check("R2", Deal)
def two_cards_and_the_bankers(deal: Deal, state: State[Hand]) -> CheckResult | None:
    if state.settled or not state.number:
        return None
    if state.hand.unsure and not under_way(state):
        return unknown("what was dealt before this")
    if state.acts:
        return broken("the cards are dealt before the play begins")
    again = dealt_anew(deal, state)
    if again and playette(state) in ("", "?"):
        return unknown(NOT_SEEN) if playette(state) else broken("three cards of different ranks are on the board, "
                                                                "and stay")
    for name, cards in deal.piles:
        if name == "stock":
            continue
        if name not in GETS:
            return broken(f"no cards are dealt to {name.removeprefix('hand:')}")
        count, has = how_many(cards), 0 if again else len(on(name, state))
        if count is None:
            return unknown("the cards were not counted")
        if has + count > GETS[name]:
            gets = "the board gets two cards" if name == "board" else "the banker gets one card"
            return broken(f"{gets}, not {has + count}")
        if deal.face == "down":
            return broken("these cards are face up")
    return None


@RULES.check("R2", Bet, Play, when="play playette")
def no_pair_among_them(act: Bet | Play, state: State[Hand]) -> CheckResult | None:
    pair = playette(state)
    if pair == "?":
        return unknown(NOT_SEEN)
    return broken(f"two of the three cards are of the rank {pair}: they are dealt again") if pair else None


@RULES.check("R2", Shuffle, when="play playette")
def shuffled_only_for_a_playette(shuffle: Shuffle, state: State[Hand]) -> CheckResult | None:
    if state.hand.unsure:
        return None
    if state.acts or state.hand.bets:
        return broken("the pack is not shuffled in the middle of a hand")
    pair = playette(state)
    if not laid_out(state) or pair not in ("", "?"):
        return None
    return unknown(NOT_SEEN) if pair else broken("the three cards are of different ranks, and stay")


def begins(event: HandEvent, state: State[Hand]) -> None:
    """Begin a hand; a player who sits out may still bet."""
    on_hand(event, state)
    to_bet(state)


def on_deal(deal: Deal, state: State[Hand]) -> None:
    """Deal the layout; cards dealt after a pair replace the first ones."""
    ensure_hand_started(state)
    if dealt_anew(deal, state) and playette(state):
        state.table.all_into(state.table.row("stock"))
    deal_from(state.table.row("stock"), deal, state)
    if (pair := playette(state)) not in ("", "?"):
        state.phase, state.turn = "playette", (state.hand.bank,)
        state.hand.news = state.at, f"two cards of the rank {pair}: a playette, dealt again"
    elif not state.acts:
        to_bet(state)


def to_bet(state: State[Hand]) -> None:
    """Three cards are laid out, or are to come; the players bet, and the banker turns."""
    state.phase, state.turn = "play", (state.hand.bank, *state.hand.seated[:-1])


def on_shuffle(shuffle: Shuffle, state: State[Hand]) -> None:
    """Put the first cards back and shuffle the pack."""
    if state.number and not state.settled and not state.acts:
        state.table.all_into(state.table.row("stock"))
        to_bet(state)


def ensure_dealt(state: State[Hand]) -> None:
    """Infer unseen cards of the layout at the first bet or card."""
    ensure_hand_started(state)
    if state.acts:
        return
    table, state.acts = state.table, 1
    to_bet(state)
    for name, count in GETS.items():
        pile = table.row(name)
        if not pile.vague:
            table.move([UNSEEN] * (count - len(pile)), table.row("stock"), pile)


# Game play: bets
def on_card(bet: Bet, state: State[Hand]) -> str:
    """The rank that a bet is on; "?" if it was not seen, "" if none is named."""
    return bet.on[:1] if bet.on and bet.on[0] in "A23456789TJQK?" and len(bet.on) == 2 else ""


def too_late(state: State[Hand]) -> bool:
    """True if the hand is over, and none was begun since."""
    return state.settled and bool(state.number) and not state.gap


@RULES.check("R3", Bet, when="between")
def not_after_the_end(bet: Bet, state: State[Hand]) -> CheckResult | None:
    """A bet may be too late, or the first line of a hand whose beginning is unrecorded."""
    return unknown("the hand is over; no new hand was recorded before this bet") if state.number else None


@RULES.check("R3", Bet, when="play playette")
def on_a_card_of_the_board(bet: Bet, state: State[Hand]) -> CheckResult | None:
    rank = on_card(bet, state)
    if bet.amount < 0:
        return broken("a bet stays where it is until its card is matched")
    board, banker = on("board", state), on("banker", state)
    if not rank:
        return broken("a bet is placed on a card of the board")
    if rank == "?" or live_ranks_unknown(state):
        return unknown("the card that was bet on was not seen") if rank == "?" else unknown(NOT_SEEN)
    if rank in board:
        card = next(one for one in state.table.row("board").codes() if rank_of(one) == rank)
        if bet.on[1] == "?" or PACK.tokens[card][1] in ("?", bet.on[1]):
            return None
        return broken(f"{pretty(PACK.tokens[card])} is on the board, not {pretty(bet.on)}")
    if rank in banker:
        return broken(f"{pretty(bet.on)} has the rank of the banker's own card")
    gone = rank in on("dead", state)
    dead = f"{pretty(bet.on)} has been matched, and its rank is dead"
    return broken(dead if gone else f"no card of the rank {rank} is on the board")


@RULES.check("R4", Bet, when="play playette")
def the_banker_bets_nothing(bet: Bet, state: State[Hand]) -> CheckResult | None:
    if bet.by != state.hand.bank:
        return None
    return unknown(WHO_DEALS) if state.dealer_is_guess else broken(f"{bet.by} holds the bank and does not bet")


@RULES.check("R5", Bet, when="play playette")
def within_the_limits(bet: Bet, state: State[Hand]) -> CheckResult | None:
    hand, rank = state.hand, on_card(bet, state)
    if bet.amount < 0:
        return None
    if hand.unsure or state.lost_count:
        return unknown("the bets on the card, and the limits")
    whole = hand.bets.get((bet.by, rank), 0) + bet.amount
    if hand.low <= whole <= hand.high:
        return None
    has = f", and {bet.by} has {whole} there" if whole != bet.amount else ""
    return broken(f"the banker takes {hand.low} to {hand.high} on a card{has}")


def on_bet(bet: Bet, state: State[Hand]) -> None:
    """Put chips on a card. After the end of a hand bets are kept for the next card turned."""
    if too_late(state):
        state.hand.late.append(bet)
        return
    ensure_dealt(state)
    key = bet.by, on_card(bet, state) or "?"
    state.hand.bets[key] = max(0, state.hand.bets.get(key, 0) + bet.amount)


# Game play: cards
@RULES.check("R6", Play)
def the_banker_turns_one(play: Play, state: State[Hand]) -> CheckResult | None:
    over = state.settled and bool(state.number)
    if goes_on_turning(play, state):
        return None
    bank = next_dealer(state) if over else state.dealer
    if play.by != bank and state.dealer_is_guess:
        return unknown(WHO_DEALS)
    if play.by != bank:
        return broken(f"{bank} holds the bank, and turns the cards")
    if play.src not in ("", "stock"):
        return broken("the cards are turned from the pack")
    return broken("the cards are turned one at a time") if how_many(play.cards) not in (1, None) else None


def goes_on_turning(play: Play, state: State[Hand]) -> bool:
    """True if the banker turns another card of a hand that is over: the banker's card was matched, or the board is
    empty and no player has bet since, as happens in a new hand; so does a card that is not in the stock any more."""
    over, hand = bool(state.number) and state.settled and not state.gap, state.hand
    on = over and play.by == hand.bank and (hand.ending == "matched" or (hand.ending == "cleared" and not hand.late))
    return on and in_stock(play.cards, state)


@RULES.check("R9", Play)
def nothing_is_turned_after_a_match(play: Play, state: State[Hand]) -> CheckResult | None:
    on = goes_on_turning(play, state) and state.hand.ending == "matched"
    return broken("the banker's card is matched, and the hand is over") if on else None


@RULES.check("R11", Play)
def nothing_is_turned_onto_an_empty_board(play: Play, state: State[Hand]) -> CheckResult | None:
    on = goes_on_turning(play, state) and state.hand.ending == "cleared"
    return broken("the board is empty, and the hand is over") if on else None


def on_play(play: Play, state: State[Hand]) -> None:
    """Turn cards: each matches one on the table, is dead, or goes to the board."""
    if goes_on_turning(play, state):
        return
    late = state.hand.late if too_late(state) else []
    ensure_dealt(state)
    for bet in late:
        on_bet(bet, state)
    for code in state.table.codes(play.cards, state.table.row("stock")):
        if not state.settled:
            turn_up(code, state)


def turn_up(code: int, state: State[Hand]) -> None:
    """Turn one card from the pack: it ends the hand, matches a card of the board, or goes to the dead pile or the
    board."""
    hand, table, stock = state.hand, state.table, state.table.row("stock")
    rank, board, dead = rank_of(code), table.row("board"), table.row("dead")
    lying = on("board", state)
    layout = *lying, *on("banker", state)
    hand.blurred = hand.blurred or ("?" in layout and rank not in layout)
    if rank == "?":
        hand.unsure = True
        table.move_one(code, stock, board)
    elif rank in on("banker", state):
        table.move_one(code, stock, table.row("banker"))
        hand.ending, hand.news = "matched", (state.at, "")
        finish_hand(state)
    elif rank in lying:
        place = lying.index(rank)
        table.take_at(place, board.codes()[place], board, dead)
        table.move_one(code, stock, dead)
        gone = take_bets(rank, hand) or "nothing"
        hand.news = state.at, f"{pretty(PACK.tokens[code])} matches: the bank takes {gone}"
        if not len(board) and not hand.unsure:
            hand.ending = "cleared"
            finish_hand(state)
    else:
        table.move_one(code, stock, dead if rank in on("dead", state) else board)


def take_bets(rank: str, hand: Hand) -> str:
    """Take the bets on a rank for the bank; return in words how much of each player."""
    lay = {by: n for (by, on_rank), n in hand.bets.items() if on_rank == rank and n}
    for by, n in lay.items():
        hand.lost[by] = hand.lost.get(by, 0) + n
        hand.owed.setdefault(by, []).append(n)
        del hand.bets[by, rank]
    return ", ".join(f"{n} of {by}" for by, n in lay.items())


@RULES.check("R7", Move)
def what_is_matched_leaves(move: Move, state: State[Hand]) -> CheckResult | None:
    if state.hand is None or state.settled or live_ranks_unknown(state) or move.src != "board":
        return None
    return broken("a card of the board leaves it once it is matched")


@RULES.check("R8", Move)
def the_dead_stay_dead(move: Move, state: State[Hand]) -> CheckResult | None:
    if state.hand is None or state.settled or move.src not in ("dead", "discard") or state.hand.unsure:
        return None
    return broken("a dead card does not come back") if move.to in ("board", "banker", "stock", "stock_") else None


@RULES.check("R11", End)
def no_bets_lie_on_the_board(end: End, state: State[Hand]) -> CheckResult | None:
    if end.what != "hand" or end.why != "no-bets" or state.settled or not state.number:
        return None
    if state.hand.unsure:
        return unknown("whether there is a bet on the board")
    there = next((f"{by} has {n} on {rank}" for (by, rank), n in state.hand.bets.items() if n), "")
    return broken(f"{there}: the hand goes on") if there else None


def on_end(end: End, state: State[Hand]) -> None:
    """A hand is broken off, or no player bets any more."""
    if end.what == "hand" and end.why == "no-bets" and state.number and not state.settled:
        state.hand.ending = "no-bets"
        finish_hand(state)
        return
    COMMON[End](end, state)


def on_gap(gap: Gap, state: State[Hand]) -> None:
    """After a gap the live ranks and the bets on them are unknown."""
    if state.number and not state.settled:
        state.acts, state.hand.unsure = 1, True
        for pile in state.table.piles.values():
            state.table.lose_sight(pile)


# The chips
def the_banker_bet_nothing(known: Mapping[str, Any], state: State[Any]) -> str:
    banker = known.get("banker", None if is_for_next_hand(state) else state.dealer)
    wrong = any(known.get(f"{key}.{banker}") for key in ("won", "lost"))
    return f"{banker} held the bank and did not bet" if wrong else ""


def paid_only_if_matched(known: Mapping[str, Any], state: State[Any]) -> str:
    if known.get("ending") not in ("cleared", "no-bets"):
        return ""
    paid = next((s for s in state.terms.seats if known.get(f"won.{s}")), "")
    return f"the bank's card was not matched, and {paid} is paid nothing" if paid else ""


@RULES.check("R5", TallyEvent)
def told_within_the_limits(event: TallyEvent, state: State[Hand]) -> CheckResult | None:
    """Reported wins and losses must fit the cards of one board: every rank but the banker's, each won or lost by all
    who bet on it."""
    hand = state.hand
    if hand is None or is_for_next_hand(state):
        return None
    most, cards = len(set(PACK.rank_of[:UNSEEN])) - GETS["banker"], 0
    for key in ("won", "lost"):
        told = [(s, n) for s, n in by_hand(event.facts, key, hand.order) if type(n) is int and n > 0]
        # The least number of cards, with the most on each.
        fewest = [-(-n // hand.high) for _, n in told]
        for (player, n), few in zip(told, fewest, strict=True):
            if few * hand.low > n:
                return broken(f"{player} {key} {n}, and the banker takes {hand.low} to {hand.high} on a card")
        cards += max(fewest, default=0)
    if cards <= most:
        return None
    return broken(f"at {hand.high} on a card that is won and lost on {cards} cards, and the board has {most} at most")


class Tally(TallyFacts):
    """What a hand of Ziginette is scored from."""

    banker: str = the_dealer(seat("seat that held the bank"))
    ending: str = choice(
        "how the hand ended: the bank's card was matched, the board was cleared, or no player bet any more", "matched",
        "cleared", "no-bets", rule="R11", asks="how the hand ended",
    )  # fmt: skip
    won: Points = of_each_but("banker", figures("what the bank paid to a player at the end", 0, rule="R9"))
    lost: Points = bounded(lambda state: {} if live_ranks_unknown(state) else dict(state.hand.lost), of_each_but(
        "banker", figures("what the bank took of a player's bets in all", 0, rule="R7")
    ))  # fmt: skip
    void: str = why_void("misdeal or void: the hand does not count")

    laws = (
        Law(("banker", "won", "lost"), the_banker_bet_nothing, "R4"),
        Law(("ending", "won"), paid_only_if_matched, "R9"),
    )


def tally(state: State[Hand]) -> Tally:
    """Tally of the hand in play: from its cards and bets, overridden by a `tally` event."""
    hand = state.hand
    t = Tally(state.dealer, hand.ending, dict.fromkeys(state.terms.seats), dict.fromkeys(state.terms.seats))
    unsure = hand.unsure or hand.blurred or state.dealer_is_guess or live_ranks_unknown(state)
    if (hand.ending or state.stop_reason) and not unsure:
        t.won = {s: live_chips(s, state) if hand.ending == "matched" else 0 for s in state.terms.seats}
        t.lost = {s: hand.lost.get(s, 0) for s in state.terms.seats}
    if hand.unsure and not state.tallies:
        t.ending = ""
    return apply_reported_facts(t, state)


def live_chips(player: str, state: State[Hand]) -> int | None:
    """Chips of a player on live cards; None if a card bet on was not seen."""
    lying = on("board", state)
    mine = {rank: n for (by, rank), n in state.hand.bets.items() if by == player and n}
    return None if "?" in mine else sum(n for rank, n in mine.items() if rank in lying)


def score(state: State[Hand]) -> HandScore:
    """Score of the hand, as far as it is recorded; the bank wins what the others lose."""
    t = tally(state)
    if (nothing := counts_nothing(state, t.void)) is not None:
        return nothing
    bank = t.banker or state.dealer
    hands = {s: player_result(s, t, state) for s in state.terms.seats if s != bank}
    staked, won = with_the_bank(hands, bank, "", state)
    gain, cut = won.amounts[bank], state.terms.options.rake
    lines = [staked, won]
    if cut and gain is not None and gain > 0:
        house = gain * cut // 100
        won.amounts[bank] = gain - house
        won.sums[bank] = f"the bank, {gain} − {house} for the house"
        lines.append(ScoreLine(HOUSE, {s: -house if s == bank else 0 for s in state.terms.seats}))
    missing = [f"what {s} won and lost" for s, one in hands.items() if one.gain is None]
    notes = ("broken off: bets not matched are returned",) if state.stop_reason and not state.tallies else ()
    return hand_score(state, won.amounts, lines, result=state.stop_reason or t.ending, notes=notes, unknown=missing)


def player_result(player: str, t: Tally, state: State[Hand]) -> Settled:
    """Bet and gain of one player, with the arithmetic."""
    won, lost = t.won.get(player), t.lost.get(player)
    if won is None or lost is None:
        return Settled(None, None, f"{figure(won)} − {figure(lost)}")
    stake = won + lost if t.ending == "matched" or state.tallies else plus(live_chips(player, state), lost)
    gain = signed(won - lost) if won != lost else "0"
    return Settled(stake, won - lost, f"{won} − {lost} = {gain}" if won and lost else gain)


@RULES.check("R7", Pay)
def the_bank_takes_what_is_matched(pay: Pay, state: State[Hand]) -> CheckResult | None:
    """Collecting follows from the cards; a recorded payment has the amount that was bet."""
    return wrongly_paid(pay, state, to_the_bank=True)


@RULES.check("R9", Pay)
def the_bank_pays_what_lies_there(pay: Pay, state: State[Hand]) -> CheckResult | None:
    return wrongly_paid(pay, state, to_the_bank=False)


def wrongly_paid(pay: Pay, state: State[Hand], *, to_the_bank: bool) -> CheckResult | None:
    """Verdict on a payment to the bank, or by it; None if right."""
    hand = state.hand
    name, amount = paid_to(pay, hand.bank) if hand is not None else ("", 0)
    if hand is None or name not in hand.order or (amount < 0) is not to_the_bank:
        return None
    if hand.unsure or live_ranks_unknown(state):
        return unknown(NOT_SEEN)
    if to_the_bank:
        owed = hand.owed.get(name, [])
        fits = rest_after(-amount, owed) is not None
        left = " and ".join(map(str, owed)) or "nothing"
        return None if fits else broken(f"{name} pays {-amount}; the bank has {left} to take")
    wins = live_chips(name, state) if hand.ending == "matched" else 0
    if wins is None:
        return unknown("a card that was bet on was not seen")
    due = wins - hand.paid.get(name, 0)
    if is_a_part(amount, due):
        return rest_may_follow(name)
    return broken(f"{name} gets {amount}; {due or 'nothing'} is due") if amount != due else None


@RULES.check("R12", Pay)
def the_house_has_its_share(pay: Pay, state: State[Hand]) -> CheckResult | None:
    """The bank pays the house its share in one sum once the hand is over; no other payment involves the house."""
    hand = state.hand
    if hand is None or HOUSE not in (pay.src, pay.to):
        return None
    if pay.src == HOUSE:
        return broken("the house takes its share, and pays nothing")
    if not state.terms.options.rake:
        return broken(f"the house gets nothing, not {pay.amount}: no rake was agreed")
    if state.dealer_is_guess:
        return unknown(WHO_DEALS)
    before = state.scores[-1].dealer if state.scores and not state.settled else ""
    if before and pay.by in ("@", before):
        return unknown("whether this is the share of the hand before")
    if pay.by not in ("@", hand.bank):
        return broken(f"{hand.bank} holds the bank, and pays the house")
    if not state.settled:
        return broken("the house takes its share once the hand is over")
    share = of_the_house(state)
    if share is None:
        return unknown("what the bank has won")
    due = max(share - hand.to_the_house, 0)
    if is_a_part(pay.amount, due):
        return rest_may_follow("the house")
    return broken(f"the house gets {pay.amount}; {due or 'nothing'} is due") if pay.amount != due else None


def of_the_house(state: State[Hand]) -> int | None:
    """Share of the house in the hand that is over; None if the bank's gain is unknown."""
    bank = tally(state).banker or state.dealer
    if state.score is None or state.score.points.get(bank) is None:
        return None
    return -sum(line.amounts[bank] or 0 for line in state.score.lines if line.label == HOUSE)


def on_pay(pay: Pay, state: State[Hand]) -> None:
    """Note a payment of chips."""
    hand = state.hand
    if hand is not None and pay.to == HOUSE and state.settled and pay.by in ("@", hand.bank):
        hand.to_the_house += pay.amount
    name, amount = paid_to(pay, hand.bank) if hand is not None else ("", 0)
    if hand is None or name not in hand.order:
        return
    if amount > 0:
        hand.paid[name] = hand.paid.get(name, 0) + amount
    else:
        hand.owed[name] = rest_after(-amount, hand.owed.get(name, [])) or []


def rest_after(amount: int, owed: list[int]) -> list[int] | None:
    """Amounts still owed after a payment for some cards or for all; None if it fits none.

    >>> rest_after(4, [10, 4, 1]), rest_after(11, [10, 4, 1]), rest_after(6, [10, 4, 1])
    ([10, 1], [4], None)
    """
    if not amount:
        return owed
    for i, n in enumerate(owed):
        if n <= amount and (rest := rest_after(amount - n, owed[i + 1 :])) is not None:
            return [*owed[:i], *rest]
    return None


# The next hand
def to_the_right(player: str, state: State[Any]) -> str:
    """The seat on the right."""
    return state.terms.left(player, -1)


def next_dealer(state: State[Any]) -> str:
    """Seat of the next banker: on the right if the bank's card was matched; else the same, who may hand the bank on."""
    if misdealt(state) or not state.scores or state.scores[-1].result != "matched":
        return state.dealer
    return to_the_right(state.dealer, state)


def ending_before(event: HandEvent, state: State[Any]) -> str:
    """How the hand before this one ended; "" if unknown, or if it does not count."""
    known = state.number and state.settled and state.coming is None and not state.dealer_is_guess
    if not known or event.by not in state.terms.seats:
        return ""
    return state.scores[-1].result if state.scores and state.scores[-1].number == state.number else ""


@RULES.check("R9", HandEvent)
def paid_to_the_end(event: HandEvent, state: State[Any]) -> CheckResult | None:
    """A payment of the bank for the last hand that was made in part must be complete."""
    hand = state.hand
    if ending_before(event, state) != "matched" or hand.unsure or live_ranks_unknown(state):
        return None
    return left_unpaid({name: live_chips(name, state) for name in hand.order}, state)


@RULES.check("R10", HandEvent)
def the_bank_goes_to_the_right(event: HandEvent, state: State[Any]) -> CheckResult | None:
    right = to_the_right(state.dealer, state)
    if ending_before(event, state) != "matched" or event.by == right:
        return None
    return broken(f"{state.dealer}'s card was matched, and the bank goes to {right} on the right")


@RULES.check("R11", HandEvent)
def the_bank_is_kept_or_handed_on(event: HandEvent, state: State[Any]) -> CheckResult | None:
    right = to_the_right(state.dealer, state)
    if ending_before(event, state) not in ("cleared", "no-bets") or event.by in (state.dealer, right):
        return None
    return broken(f"{state.dealer} keeps the bank, or hands it on to {right} on the right")


# What may be done now
def the_next_card(player: str, state: State[Hand]) -> Iterator[Event]:
    """The top card of the pack, as far as known, turned by any seat, also as a wrong act to try."""
    stock = state.table.row("stock").row
    yield Play(by=player, cards=(PACK.tokens[stock[-1]] if stock else "??",), src="stock")


def cards_left_out(state: State[Hand], act: Event) -> Iterator[Event]:
    """The card that may have been turned without a line: one that is bet on, or that a payment shows to be matched."""
    cards = [act.on] if isinstance(act, Bet) and act.on else []
    if isinstance(act, Pay):
        _, amount = paid_to(act, state.hand.bank)
        cards = [f"{rank}?" for rank in on("banker" if amount > 0 else "board", state)]
    yield from (Play(by=state.hand.bank, cards=(card,), src="stock") for card in cards)


def bets_on_the_board(player: str, state: State[Hand]) -> Iterator[Event]:
    """The least, the most and a middle bet on each card; as wrong acts to try, less and more, and the banker's card."""
    hand, table = state.hand, state.table
    for code in [*table.row("board").codes(), *table.row("banker").codes()]:
        if code < UNSEEN:
            has = hand.bets.get((player, rank_of(code)), 0)
            some = (hand.low - 1, hand.low, (hand.low + hand.high) // 2, hand.high, hand.high + 1)
            yield from (Bet(by=player, amount=n - has, on=PACK.tokens[code]) for n in sorted(set(some)) if n > has)


def knows_all_choices(state: State[Hand], player: str) -> bool:
    """True if the cards on the table and the next card are known."""
    stock = state.table.row("stock").row
    return bool(stock) and stock is not None and stock[-1] < UNSEEN and not live_ranks_unknown(state)


def weigh(state: State[Hand], event: Event) -> float:
    return 0.5 / (1 + len(state.hand.bets)) / (1 + event.amount) if isinstance(event, Bet) else 1.0


def chance(state: State[Hand], random: Random) -> list[Event]:
    """Chance events: two cards for the board and one for the banker, until they have no pair; half of the pairs are
    not recorded."""
    dealer = usual_dealer(state)
    events: list[Event] = [HandEvent(by=dealer, number=state.number + 1)]
    while True:
        cards = list(PACK.faces)
        random.shuffle(cards)
        pair = len({card[0] for card in cards[:3]}) < 3
        if pair and random.random() < 0.5:
            continue
        events.append(Deal(by="@", face="up", piles=(("board", tuple(cards[:2])), ("banker", tuple(cards[2:3])))))
        if not pair:
            break
        events.append(Shuffle(by="@", cards=("*",), to="stock"))
    return [*events, Deal(by="@", face="down", piles=(("stock", tuple(cards[3:])),))]


def expand_shorthand(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """Expand shorthand: a bare card is turned from the pack; a bet without a card is on the only one there is."""
    if isinstance(event, Play) and not event.src:
        return (replace(event, src="stock"),)
    if isinstance(event, Bet) and not event.on and state.number:
        return tuple(replace(event, on=PACK.tokens[code]) for code in state.table.row("board").codes()) or (event,)
    return (event,)


def open_deal(state: State[Hand], cards: tuple[str, ...]) -> Event | None:
    """The deal meant by bare cards: the board's, then the banker's. Two of one rank are dealt again before the
    banker's card; others replace three with a pair."""
    lie, count = bool(on("board", state) or on("banker", state)), how_many(cards)
    if state.acts or (lie and not playette(state)):
        return None
    if count == 2 and cards[0][0] == cards[1][0]:
        return Deal(by="@", face="up", piles=(("board", cards),))
    return Deal(by="@", face="up", piles=(("board", cards[:2]), ("banker", cards[2:]))) if count == 3 else None


FACES = [(PACK.rank_of[code], token) for code, token in enumerate(PACK.tokens)]
"""The rank of each card, and the card."""


def headline(state: State[Hand]) -> dict[str, Any]:
    """The banker, the limits and each player's bets, for the headline."""
    hand = state.hand
    bets: dict[str, dict[str, int]] = {}
    told: dict[str, Any] = {"bank": hand.bank, "limits": f"{hand.low} to {hand.high}", "bets": bets}
    if not hand.bets:
        return told
    faces = dict([FACES[code] for code in state.table.row("board").row or ()])
    for (by, rank), n in hand.bets.items():
        if n:
            bets.setdefault(by, {})[faces.get(rank, f"{rank}?")] = n
    return told


def last_outcome_text(state: State[Hand]) -> str:
    """Words for what a card took, or what the bank pays and the next banker."""
    hand = state.hand
    at, text = hand.news
    if at != state.at:
        return ""
    if hand.ending == "matched":
        text = ", ".join(f"{s} {n}" for s in hand.order if (n := live_chips(s, state)))
        text = f"the bank is matched, and pays {text or 'no player'}; {next_dealer(state)} banks next"
    return text


GAME = Game(
    key="ziginette", name="Ziginette", family="bank", summary=summary_of(__doc__),
    seating=singles(4, 2, 3, 5, 6, 7, 8, how="each against the bank"), pack=PACK,
    dealing=Dealing(
        lay_deal=ensure_dealt, next_dealer=next_dealer, chance=chance, no_hands=True, own_piles=("board",),
    ),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=start,
    phases={
        "play": Phase("the play", (Bet, Play), "a bet on a card (A 5 >6c), or the card that the banker turns (4c)",
                      to_do="bet or turn", left_out=cards_left_out, tries=(the_next_card, bets_on_the_board)),
        "playette": Phase("the playette", (Bet, Play), "three other cards (6c5dqd), as two of these are of one rank",
                          to_do="deal three cards again"),
        "between": Phase("between two hands", (Bet, Play), "the next hand", confirm_first=(Bet, Play)),
    },
    on={
        HandEvent: begins, Deal: on_deal, Shuffle: on_shuffle, Bet: on_bet, Play: on_play, Pay: on_pay, Move: on_move,
        End: on_end, Gap: on_gap,
    },
    tally=Tally, compute_tally=tally, score=score, after=most_chips,
    match=MatchRules(new_match=begins_with_chips, open_table=True),
    sheet=settlement_sheet(Form(
        once={"ending": result_text}, each={"{} ±": Won(HOUSE), "chips": running_total}, heading="Chips",
        first=("hand", "bank"),
        second=banked,
    ), house=HOUSE),
    omissions=Omissions(often_omitted_rules=frozenset({"R3"}), may_be_over=may_be_over),
    shorthand=Shorthand(
        expand=expand_shorthand,
        implied_actor=lambda state, kind: (state.dealer,) if kind is Play else state.turn[1:] or state.turn,
        open_deal=open_deal, verbs={Play: "turns"},
    ),
    display=Display(
        headline=headline, last_outcome_text=last_outcome_text,
        piles={"banker": Lies("row", "middle", called="bank's card")},
    ),
    simulation=Simulation(knows_all_choices=knows_all_choices, weigh=weigh, most_hands=999),
)  # fmt: skip
