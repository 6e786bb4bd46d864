"""Stealing Bundles: two players take cards of a rank from the board, or the whole bundle of the other by its top card;
most cards win."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta

from events.model import Capture, Deal, Event, Fault, Gap, Move, Play, Shuffle
from events.model import Tally as TallyEvent
from reducers.page import (
    begin_with, DUTY, RIGHT, Catalogue, CheckResult, DealSpec, Game, Dealing, Shorthand, Display, Simulation, HandScore,
    Law, ScoreLine, Phase, Points, State, TallyFacts, broken, player_columns, counts_nothing, deals_next, figures,
    hand_score, number, apply_reported_facts, pack, pretty_all, rule, shuffle_and_deal, singles, summary_of, turned_up,
    unasked, unknown, HouseRules, after_gap, ForEach,
)  # fmt: skip
from reducers.piles import Lies
from reducers.words.captures import Captures, codes_of_cards, names_part_of_it
from reducers.words.fishing import (
    is_bare_card, new_cards, FISHING, Rounds, as_many_as_in_a_round, begin_act, has_been_gathered, lay_out_board,
    missing_act, next_turn, one_card_each_in_turn, was_captured,
)  # fmt: skip
from reducers.words.scores import most_hands_of
from reducers.words.tallies import counts_from_tally

# Setup
PACK = pack("A K Q J 10 9 8 7 6 5 4 3 2")
DEAL = DealSpec(each=4, then=(turned_up("board", 4),), rest="stock")
UNSEEN, RANKS = PACK.unknown, tuple(PACK.rank.values())


class Options(HouseRules, frozen=True):
    """House rules of Stealing Bundles."""

    games: Annotated[int, Meta(ge=1, le=99, description="games of a match; the most cards in all of them win it")] = 1
    must_capture: Annotated[
        bool, Meta(description="a card is laid to the board only if none in the hand can take anything")
    ] = True
    combined: Annotated[bool, Meta(description="one card takes cards of the board and the bundle at once")] = False
    remainder: Annotated[
        Literal["nobody", "last"], Meta(description="who gets the cards left on the board: no player, or the last to "
                                                    "capture")
    ] = "nobody"


PLAY = "Game play"
RULES = Catalogue(
    "stealing-bundles",
    rule("R1", PLAY, DUTY, "Whoever did not deal begins; then each in turn plays one card.", "play in turn",
         {Play: one_card_each_in_turn, Capture: one_card_each_in_turn}),
    rule("R2", PLAY, DUTY, "A card takes cards of its own rank from the board, and no others.", "take by rank"),
    rule("R3", PLAY, RIGHT, "One card may take every card of its rank at once.", "all of a rank"),
    rule("R4", PLAY, DUTY, "A card of the rank on top of the other's bundle takes the whole bundle, and no other card "
         "does.", "steal by rank"),
    rule("R5", PLAY, DUTY, "A card is laid to the board only if no card in the hand can take anything.", "no trailing"),
    rule("R6", PLAY, DUTY, "Four cards go to each player, and four once to the board; four more each when both have "
         "played theirs.", "the deal", {Deal: as_many_as_in_a_round}),
    rule("R7", PLAY, DUTY, "No player takes their own bundle.", "not one's own bundle"),
)  # fmt: skip

READINGS = {
    "Who wins?": "the player with more cards; cards left on the board may keep both below 26. Equal numbers are a tie",
    "Must one take?": "yes, only a player who cannot take lays a card down; option must_capture. The choice of a "
    "capture is free",
    "Fewer cards of a rank than are on the board": "may be taken: taking all of them is allowed, not required",
    "Board and bundle with one card": "are two captures; option combined makes them one",
    "Which card is on top of a bundle?": "the card that took; all that it took has its rank, and the rank is what "
    "counts",
    "A bundle stolen": "has the thief's card on top, so that another of that rank takes it back",
    "The end": "every card is played out: a player who cannot take lays down",
    "Cards left on the board": "belong to no player; option remainder",
    "Equal cards on the first board": "stay; there is no other deal",
    "The next game": "is dealt by the other player; option games",
}
WORDS = {
    "choice": "fault: the table says that this many cards could not be taken at once",
}


class Hand:
    """State of one hand; `on_top` is the rank on top of each bundle, "" if there is no bundle, "?" if unseen."""

    def __init__(self, state: State[Hand]) -> None:
        self.captures = Captures(state, stacked=True, rest_to_last=state.terms.options.remainder == "last")
        self.board = self.captures.board
        self.rounds = Rounds(state, self.board)
        self.on_top = dict.fromkeys(state.terms.seats, "")


# Game play
def rank_of(code: int) -> str:
    return PACK.rank_of[code]


def bundle_of(pile: str) -> str:
    """Owner of the bundle that a capture names; "" if none."""
    return pile.removeprefix("won:") if pile.startswith("won:") else ""


def may_take(seat: str, state: State[Hand]) -> tuple[int, bool]:
    """Mask of the cards with which a seat could take something, and whether there are also unseen cards to take."""
    hand, board = state.hand, state.hand.board
    top = hand.on_top[state.hand.rounds.other[seat]]
    mask, lying = PACK.rank.get(top, 0), board.certain
    for rank in RANKS:
        if lying & rank:
            mask |= rank
    return mask, bool(board.hidden or board.vague or top == "?")


@RULES.check("R2", Capture)
def of_the_same_rank(capture: Capture, state: State[Hand]) -> CheckResult | None:
    if bundle_of(capture.src):
        return None
    code, takes = state.code(capture.cards), taken(capture, state)
    if not takes:
        return broken("a capture takes a card")
    ranks, lying = {rank_of(c) for c in takes}, " ".join(PACK.shown(c) for c in takes)
    if len(ranks - {"?"}) > 1:
        return broken(f"{lying} are not of one rank")
    if "?" in ranks or rank_of(code) == "?":
        return unknown("whether the cards have the same rank")
    return None if ranks == {rank_of(code)} else broken(f"{PACK.shown(code)} does not take {lying}")


@RULES.check("R2", Move)
def whoever_took_them_gathers(move: Move, state: State[Hand]) -> CheckResult | None:
    """Cards gathered from the board were taken by that player; what is left at the end goes by the house rule."""
    if move.src != "board" or not move.to.startswith("won:") or not state.number:
        return None
    rounds, last = state.hand.rounds, state.hand.captures.last
    if state.settled and not rounds.over:
        return None
    if state.settled and state.terms.options.remainder == "nobody":
        left = len(state.hand.board) and not (has_been_gathered(move, state) and was_captured(move, state))
        return broken("the cards left on the board belong to no player") if left else None
    if state.settled:
        return broken(f"the cards left go to {last}, the last to capture") if move.to != f"won:{last}" else None
    if rounds.gap or rounds.doubt:
        return unknown("whether the cards were taken")
    return None if has_been_gathered(move, state) else broken(f"the last card did not take these for {move.to[4:]}")


def taken(capture: Capture, state: State[Hand]) -> tuple[int, ...]:
    """Codes of the board cards that a capture takes."""
    return tuple(state.hand.board.codes()) if capture.takes == ("*",) else codes_of_cards(PACK, capture.takes)


@RULES.check("R3", Fault)
def all_at_once(fault: Fault, state: State[Hand]) -> CheckResult | None:
    """Denial of a right: the table says that one card cannot take several."""
    last = state.hand.captures.log[-1] if fault.word == "choice" and state.number and state.hand.captures.log else None
    if last is None or fault.who not in ("", last.side) or len(last.takes) < 2:
        return None
    ranks = {rank_of(code) for code in (last.card, *last.takes)}
    return broken("one card takes every card of its rank at once") if len(ranks) == 1 and "?" not in ranks else None


@RULES.check("R4", Capture)
def the_top_card_matches(capture: Capture, state: State[Hand]) -> CheckResult | None:
    whose = bundle_of(capture.src)
    if not whose or whose == capture.by:
        return None
    top, code = state.hand.on_top.get(whose, ""), state.code(capture.cards)
    if not top:
        return broken(f"{whose} has no bundle")
    if "?" in (top, rank_of(code)):
        return unknown("whether the card has the rank of the bundle's top card")
    if top != rank_of(code):
        return broken(f"{PACK.shown(code)} does not take a bundle with a {top} on top")
    named, bundle = codes_of_cards(PACK, capture.takes), state.hand.captures.won[whose]
    beside = state.hand.board.certain if state.terms.options.combined else 0
    return None if "*" in capture.takes else names_part_of_it(named, bundle, "bundle", f" of {whose}", beside)


@RULES.check("R5", Play)
def nothing_can_be_taken(play: Play, state: State[Hand]) -> CheckResult | None:
    if not state.terms.options.must_capture:
        return None
    mask, dark = may_take(play.by, state)
    code, held = state.code(play.cards), state.holding(play.by)
    if not mask and not dark:
        return None
    has: bool | None = held.any_of(mask)
    if code < UNSEEN and PACK.field[code] & mask:
        has, mask = True, PACK.field[code]
    elif held.vague:
        return unknown(f"what {play.by} held: the cards dealt by then are unknown")
    if has and missing_act(play, state):
        return unknown("an act may be missing before this")
    if has:
        card = next(PACK.codes(held.certain & mask), code)
        if card >= UNSEEN:
            return broken(f"{play.by} could take with any card that the hand can have", 0, play.by)
        lying = state.hand.board.certain & PACK.rank[rank_of(card)]
        what = pretty_all(PACK.cards(lying)) if lying else f"the bundle of {state.hand.rounds.other[play.by]}"
        return broken(f"{PACK.shown(card)} could take {what}", lying, "board" if lying else "")
    if dark and (len(held) or held.vague):
        return unknown(f"whether {play.by} could take something")
    if has is None:
        return unknown(f"whether {play.by} could take something", held)
    return None


MOST_LEFT = PACK.size // 4 + 3
"""The most cards left if players capture when able: one of each rank, and all of one there at first."""


@RULES.check("R5", TallyEvent)
def too_many_are_left(event: TallyEvent, state: State[Hand]) -> CheckResult | None:
    """A result may show that a player who could take laid a card down."""
    told = [*counts_from_tally("cards", [event.facts]).values()]
    left = PACK.size - sum(told) if len(told) == len(state.terms.seats) else 0
    if not state.terms.options.must_capture or left <= MOST_LEFT or left > PACK.size:
        return None
    return broken(f"{left} cards are left on the board, but at most {MOST_LEFT} can be if players who can take do")


@RULES.check("R6", Shuffle)
def the_board_stays(shuffle: Shuffle, state: State[Hand]) -> CheckResult | None:
    if shuffle.src != "board" or state.settled:
        return None
    return broken("the cards of the board stay there: no others are dealt for them")


@RULES.check("R7", Capture)
def not_the_own_bundle(capture: Capture, state: State[Hand]) -> CheckResult | None:
    return broken(f"the bundle is {capture.by}'s own") if bundle_of(capture.src) == capture.by else None


def on_play(play: Play, state: State[Hand]) -> None:
    """Lay a card to the board."""
    src = begin_act(play, state, play.src)
    state.table.move(state.table.codes(play.cards, src), src, state.hand.board)
    next_turn(play.by, state)


def on_capture(capture: Capture, state: State[Hand]) -> None:
    """Move cards of the board, or a bundle, to the player's own bundle, with the card that took them on top."""
    holding = begin_act(capture, state)
    hand, table, victim = state.hand, state.table, state.hand.rounds.other[capture.by]
    cards = table.codes(capture.cards, holding)
    rank = rank_of(cards[0]) if cards else "?"
    whose = bundle_of(capture.src)
    steals = whose not in ("", capture.by)
    both = state.terms.options.combined and rank != "?"
    if steals or (both and hand.on_top[victim] == rank):
        bundle = hand.captures.won[victim]
        table.move([*bundle.codes(), *([PACK.many] if bundle.vague else [])], bundle, hand.captures.won[capture.by])
        bundle.vague, hand.on_top[victim] = False, ""
    takes = [] if whose else table.codes(capture.takes, hand.board)
    if both and steals:
        takes = list(PACK.codes(hand.board.certain & PACK.rank[rank]))
    hand.captures.take(table, capture.by, cards, takes, holding, state.at)
    hand.rounds.uncounted = hand.rounds.uncounted or hand.board.vague
    hand.on_top[capture.by] = rank
    next_turn(capture.by, state)


# Scoring
def more_than_the_pack(known: Mapping[str, Any], state: State[Hand]) -> str:
    single = next((p for p in state.terms.seats if known.get(f"cards.{p}") == 1), "")
    if single:
        return f"{single} has one card: a capture brings the card that takes and another"
    cards = [known.get(f"cards.{p}") for p in state.terms.seats]
    told = [n for n in cards if type(n) is int]
    left = known.get("board")
    whole = sum(told) + (left if type(left) is int else 0)
    if whole > PACK.size or (len(told) == len(cards) and type(left) is int and whole != PACK.size):
        counted = " and ".join(map(str, told))
        return f"{counted} cards, and {left or 0} on the board, are not the {PACK.size} of the pack"
    return ""


class Tally(TallyFacts):
    """What a hand of Stealing Bundles is scored from."""

    cards: Points = figures("cards in the bundle of a player at the end", 0, PACK.size)
    board: int | None = unasked(number("cards left on the board, as a check", 0, PACK.size))

    laws = (Law(("cards", "board"), more_than_the_pack),)


def tally(state: State[Hand]) -> Tally:
    rounds, won = state.hand.rounds, state.hand.captures.won
    t = Tally(dict.fromkeys(state.terms.seats), None)
    if rounds.over and not rounds.gap and not rounds.uncounted:
        t.cards, t.board = {p: len(pile) for p, pile in won.items()}, len(state.hand.board)
    t = apply_reported_facts(t, state)
    told = [n for n in t.cards.values() if n is not None]
    if t.board is not None and len(told) == len(t.cards) - 1:
        t.cards = {p: PACK.size - t.board - sum(told) if n is None else n for p, n in t.cards.items()}
    return t


def score(state: State[Hand]) -> HandScore:
    """Score of the hand: number of cards of each player, as far as recorded."""
    t = tally(state)
    if nothing := counts_nothing(state, t.void, unfinished=None in t.cards.values()):
        return nothing
    missing = ["how many cards each bundle has"] if None in t.cards.values() else []
    known = [n for n in t.cards.values() if n is not None]
    tie = not missing and len(set(known)) == 1
    return hand_score(state, t.cards, (ScoreLine("cards", t.cards),), result="a tie" if tie else "", unknown=missing)


# What may be done now
def takes_or_trails(seat: str, state: State[Hand]) -> Iterator[Event]:
    """Each card with all that it pairs with, with the bundle it may steal, and trailed."""
    board, victim = state.hand.board.certain, state.hand.rounds.other[seat]
    for code in PACK.codes(state.holding(seat).certain):
        card, same = (PACK.faces[code],), PACK.rank[rank_of(code)]
        if board & same:
            yield Capture(by=seat, cards=card, takes=tuple(PACK.cards(board & same)))
        if state.hand.on_top[victim] == rank_of(code):
            yield Capture(by=seat, cards=card, takes=("*",), src=f"won:{victim}")
        yield Play(by=seat, cards=card)


def expand_shorthand(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """Expand shorthand: a bare card takes all of its rank, or steals, if it can; `play up` lays a card down."""
    if not state.number or not is_bare_card(event, state):
        return (event,)
    code, victim = state.code(event.cards), next((p for p in state.terms.seats if p != event.by), "")
    same = state.hand.board.certain & PACK.rank.get(rank_of(code), 0)
    found: list[Event] = []
    if same:
        found.append(Capture(by=event.by, cards=event.cards, takes=tuple(PACK.cards(same))))
    if rank_of(code) != "?" and state.hand.on_top.get(victim) == rank_of(code):
        found.append(Capture(by=event.by, cards=event.cards, takes=("*",), src=f"won:{victim}"))
    return tuple(found) or (event,)


def headline(state: State[Hand]) -> dict[str, Any]:
    """Cards left to deal, and the size and top rank of each bundle, for the headline."""
    hand = state.hand
    won = hand.captures.won
    bundles = {p: f"{len(won[p])} cards, {'10' if rank == 'T' else rank}" for p, rank in hand.on_top.items() if rank}
    return {"stock": len(hand.rounds.stock), "on top": bundles}


GAME = Game(
    key="stealing-bundles", name="Stealing Bundles", family="fishing", summary=summary_of(__doc__),
    seating=singles(2), pack=PACK, dealing=Dealing(deal=DEAL, next_dealer=deals_next, chance=shuffle_and_deal),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=begin_with(lay_out_board, Hand),
    phases={
        "play": Phase("play", (Play, Capture), "a card (7c, played as the capture it makes), or with what it takes",
                      to_do="play", one_card=True, tries=(takes_or_trails,)),
    },
    on={**FISHING, Play: on_play, Capture: on_capture, Gap: after_gap("play", kept=("won",), on_top=ForEach("?"))},
    tally=Tally, compute_tally=tally, score=score, after=most_hands_of(lambda terms: terms.options.games),
    sheet=player_columns(),
    shorthand=Shorthand(expand=expand_shorthand),
    display=Display(
        headline=headline, last_outcome_text=new_cards,
        piles={"won": Lies("stack", "won", "top", called="bundle")},
    ),
    simulation=Simulation(weigh=lambda state, event: 3.0 if isinstance(event, Capture) else 1.0),
)  # fmt: skip
