"""Turnover Bridge: two players take tricks out of columns that lie open, with spades as trumps; fourteen tricks win."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from events.cards import one_by_one, pretty_all
from events.model import Deal, Fault, Move, Play, Show, Event, Gap
from reducers.evolve import each_pile
from reducers.page import (
    on_deal, on_show, ForEach, after_gap, begin_with, CONSEQUENCE, DUTY, RIGHT, SUIT_NAMES, Catalogue, CheckResult,
    DealSpec, Game, Dealing, MatchRules, Shorthand, Display, HandScore, ScoreLine, Phase, Points, State, TallyFacts,
    as_many_as_dealt, broken, counts_nothing, deals_next, face_down, figure, finish_hand, hand_score, ledger,
    apply_reported_facts, pack, ranking, result_text, rule, singles, summary_of, figure_of_line, running_total,
    HouseRules, turned_up, GamesInMatch, Omissions, unknown, ensure_dealt, shuffle_and_deal,
)  # fmt: skip
from reducers.pile_words import pile_in_words
from reducers.words import trick_play
from reducers.words.deals import dealt_up, declared_deal
from reducers.words.scores import most_hands_of
from reducers.words.trick_play import (
    dealers_next_leads_first, first_to_act, trick_counts, card_denied, first_lead, just_taken, one_card_in_turn, owner,
    suit_led, who_led, winner_gathers, Denied, TrickHand, must_follow_suit, why_out_of_turn, why_unknown,
)  # fmt: skip
from reducers.words.tricks import CARD_UNSEEN, Tricks, gathered_by, play_to_trick, strengths

# Setup
RANKS = "A K Q J 10 9 8 7 6 5 4 3 2"
PACK, PLAIN, TRUMPS = pack(RANKS), ranking(RANKS), "s"
DEAL = DealSpec(each=2, then=(face_down(12, "col:*:1..12"), turned_up("col:*:1..12", 12)))
ALL, MOST = 26, 14
# The phase after a game is won, in which the table may play on.
WON = "won"


class Options(HouseRules, frozen=True):
    """House rules of Turnover Bridge."""

    play_out: Annotated[bool, Meta(description="all 26 tricks are played, though fourteen have won")] = False
    games: GamesInMatch = 1


SETUP, PLAY = "Setup", "Game play"
RULES = Catalogue(
    "turnover-bridge",
    rule("R1", SETUP, CONSEQUENCE, "Each player has twelve columns of a card face down with one face up on it, and two "
         "cards in hand.", "the deal", {Deal: as_many_as_dealt}),
    rule("R2", PLAY, DUTY, "The dealer's opponent leads to the first trick.", "first lead"),
    rule("R3", PLAY, DUTY, "Only cards in hand and open cards are played, never a covered one, one to a trick and in "
         "turn.", "only open cards"),
    rule("R4", PLAY, DUTY, "Whoever has a card of the suit led, open or in hand, plays it.", "follow suit"),
    rule("R5", PLAY, RIGHT, "A player who has none plays any card that can be played.", "any card"),
    rule("R6", PLAY, RIGHT, "Any card that can be played may be led, spades at any time.", "any lead"),
    rule("R7", PLAY, CONSEQUENCE, "The higher spade wins the trick; without one, the higher card of the suit led.",
         "who wins", {Move: winner_gathers}),
    rule("R8", PLAY, DUTY, "The winner of a trick leads to the next.", "lead"),
    rule("R9", PLAY, DUTY, "The card below is turned up as soon as the one on it is played, and may be played from "
         "then on.", "turn up"),
    rule("R10", PLAY, CONSEQUENCE, "Fourteen tricks win the game, and the play ends there; thirteen each are a tie.",
         "fourteen tricks"),
)  # fmt: skip

READINGS = {
    "When is the card below turned up?": "at once, so that the player who follows sees it before answering; the "
    "follower's own comes too late for that trick",
    "Does a covered card have to follow suit?": "no, nor may it be played",
    "The two cards in hand": "may be played at any time, and are not made up",
    "Play after fourteen tricks": "is allowed and changes nothing; option play_out=yes has all 26 tricks played",
    "Who deals the next game, and who the first?": "they deal in turn; who deals first is agreed before it",
    "Thirteen tricks each": "are a tie; nothing is played again for it",
    "Several games": "are won by the player who wins more of them; with equal wins there is no winner",
    "Looking at a covered card": "is not allowed: a record of what a player sees does not show the player's own ones "
    "either",
    "The order of the columns": "is of no importance; their numbers only tell them apart",
    "An unrecorded card below": "can still be played, and counts as one of those in hand",
}
WORDS = {
    "revoke": "fault: the table saw that a player had not followed suit, and went on",
}


class Hand(TrickHand):
    """The record of one game of Turnover Bridge.

    `open` is for each seat the bag of its open cards, `home` the column of each card seen in one. `below` is a seat
    and a column with its upper card played and the other not yet turned up; the column is "" if the card played was
    not seen. `late` are columns where that was not recorded before the next card, `faced` those that were dealt a
    card face up. `adrift` are columns that may or may not still have their upper card; `dark` are the seats with such
    columns, or with an unseen upper card.
    """

    def __init__(self, state: State[Hand]) -> None:
        seats = state.terms.seats
        self.trick = Tricks(state, ALL)
        self.trick.power = strengths(PACK, PLAIN, TRUMPS)
        self.columns = {seat: columns_of(seat, state) for seat in seats}
        self.open = dict.fromkeys(seats, 0)
        self.home: dict[int, str] = {}
        self.below: tuple[str, str] = ("", "")
        self.late: set[str] = set()
        self.faced: set[str] = set()
        self.adrift: set[str] = set()
        self.dark: set[str] = set()

    def lying_open(self, seat: str) -> int:
        """The bag of open cards that the seat may play."""
        return self.open.get(seat, 0)

    def see(self, seat: str, column: str, code: int, unit: int) -> None:
        """Note an open card of a column."""
        self.home[code] = column
        self.open[seat] |= unit


def columns_of(seat: str, state: State[Hand]) -> tuple[str, ...]:
    """The columns of a seat, by the deal."""
    parts = declared_deal(state).parts((seat,))
    return tuple(
        dict.fromkeys(one for part in parts for pile in part.piles for one in each_pile(pile) if one.startswith("col:"))
    )


def column_owner(column: str) -> str:
    """The seat that owns a column.

    >>> column_owner("col:A:5")
    'A'
    """
    return column.split(":")[1]


def top_of_column(column: str, state: State[Hand]) -> int:
    """The card on top of a column, -1 if there is none."""
    pile = state.table.piles.get(column)
    return pile.row[-1] if pile is not None and pile.row else -1


def has_one_below(column: str, state: State[Hand]) -> bool:
    """True if a column has a covered card; below a card dealt face up it is implied before the first act."""
    return len(state.table.row(column)) > 1 or (not state.acts and column in state.hand.faced)


def on_columns_dealt(deal: Deal, state: State[Hand]) -> None:
    """Deal cards; the face-down card of a column goes below, whichever was recorded first."""
    on_deal(deal, state)
    hand: Hand = state.hand
    for column in [one for name, _ in deal.piles for one in each_pile(name) if one.startswith("col:")]:
        row = state.table.row(column).row or []
        if deal.face != "down":
            hand.faced.add(column)
        elif column in hand.faced and len(row) > 1 and not state.acts:
            row.insert(0, row.pop())


def ready_in_columns(state: State[Hand]) -> None:
    """Complete the columns before an act of play; an unseen upper card counts among the cards in hand, once."""
    if state.acts and not state.settled:
        return
    ensure_dealt(state)
    hand, table, unseen = state.hand, state.table, state.game.pack.unknown
    if hand.trick.lost:
        return
    for seat, columns in hand.columns.items():
        for name in (name for name in columns if name not in hand.adrift):
            pile = table.row(name)
            row = pile.row or []
            if len(row) == 1:
                row.insert(0 if name in hand.faced else 1, unseen)
                table.since[name] = table.now
            if row[-1] < unseen:
                hand.see(seat, name, row[-1], table.pack.unit[row[-1]])
            else:
                hand.dark.add(seat)
                hand.adrift.add(name)
                table.move_one(unseen, pile, table.bag(seat))


def upper_cards(state: State[Hand], cards: tuple[str, ...]) -> Event | None:
    """The deal of bare cards typed before the first act: of all columns, or of the next seat; else None."""
    hand = state.hand
    if not state.number or state.settled or state.acts:
        return None
    each = {seat: len(columns) for seat, columns in hand.columns.items() if hand.faced.isdisjoint(columns)}
    seats = [seat for seat in state.terms.in_turn(state.terms.after(state.dealer)) if seat in each]
    names = [(f"col:{seat}:1..{each[seat]}", each[seat]) for seat in seats]
    return dealt_up(state, cards, names) or dealt_up(state, cards, names[:1])


def column_played_from(play: Play, state: State[Hand]) -> str:
    """The column that a card is played from; "" if from the hand, or if unknown."""
    hand: Hand = state.hand
    if play.src:
        return play.src if play.src.startswith("col:") else ""
    pack, code = state.game.pack, state.code(play.cards)
    if code >= pack.unknown:
        return ""
    if hand.open.get(play.by, 0) & pack.unit[code]:
        return hand.home[code]
    if hand.trick.lost:
        # After a gap only the cards seen since have a known place.
        piles = {column: state.table.piles.get(column) for column in hand.columns.get(play.by, ())}
        return next((column for column, pile in piles.items() if pile is not None and code in (pile.row or ())), "")
    return column_below(play.by, code, state)


def column_below(seat: str, code: int, state: State[Hand]) -> str:
    """The column of a seat with this card known to be covered; "" if there is none."""
    columns: tuple[str, ...] = state.hand.columns.get(seat, ())
    for column in columns:
        pile = state.table.piles.get(column)
        if pile is not None and pile.row and len(pile.row) > 1 and code in pile.row[:-1]:
            return column
    return ""


def play_as_it_lay(play: Play, state: State[Hand]) -> Play:
    """The same play with its card named, if it was open in the column that is named."""
    pack = state.game.pack
    code = (
        top_of_column(play.src, state) if state.code(play.cards) >= pack.unknown and play.src.startswith("col:")
        else pack.unknown
    )
    fits = 0 <= code < pack.unknown and pack.may_be[state.code(play.cards)] & pack.unit[code]
    return replace(play, cards=(pack.faces[code],)) if fits else play


def play_from_column(play: Play, state: State[Hand]) -> None:
    """Play a card from a column or from the hand; the card below is open then."""
    played_on = state.settled and bool(state.turn)
    if not played_on:
        ready_in_columns(state)
    not_turned_up(state)
    play = play_as_it_lay(play, state)
    if play.by in state.hand.columns and not state.hand.trick.lost:
        take_to_hand(play, state)
    elif (column := column_played_from(play, state)) and len(state.table.row(column)):
        state.table.move_one(state.code(play.cards), state.table.row(column), state.table.bag(play.by))
        state.hand.open[play.by] = 0
    (play_to_trick if played_on else trick_play.on_card)(play, state)


def not_turned_up(state: State[Hand]) -> None:
    """Before the next card: the card below the last one was not recorded, and can be played like any other."""
    hand: Hand = state.hand
    seat, column = hand.below
    hand.below = ("", "")
    if not seat or hand.trick.lost:
        return
    if not column:
        # It may have been a card of a column, or one in hand, with nothing below.
        state.table.lay([state.game.pack.many], state.table.bag(seat))
        return
    hand.late.add(column)
    if top_of_column(column, state) >= state.game.pack.unknown:
        state.table.move_one(state.game.pack.unknown, state.table.row(column), state.table.bag(seat))


def take_to_hand(play: Play, state: State[Hand]) -> None:
    """Move the card to the hand, from where the trick takes it."""
    hand, table, pack, seat = state.hand, state.table, state.game.pack, play.by
    code, column = state.code(play.cards), column_played_from(play, state)
    if not column:
        if code >= pack.unknown:
            lose_track_of_column(seat, code, state)
        elif hand.home.get(code) in hand.adrift:
            column = hand.home[code]
        elif seat in hand.dark:
            hand.below = (seat, "")
    else:
        pile = table.row(column)
        row = pile.row or []
        if code in row or (row and row[-1] >= pack.unknown):
            table.move_one(code, pile, table.bag(seat))
        elif row and row[0] >= pack.unknown:
            table.take_at(0, code, pile, table.bag(seat))
        elif column not in hand.adrift:
            table.move_one(code, pile, table.bag(seat))
    if column:
        adrift = column in hand.adrift
        hand.adrift.discard(column)
        hand.open[seat] &= ~(pack.unit[code] if code < pack.unknown else 0)
        below = top_of_column(column, state)
        if below >= 0 and not hand.open[seat] & (pack.unit[below] if below < pack.unknown else 0):
            hand.below = (seat, column)
            if below < pack.unknown:
                hand.see(seat, column, below, pack.unit[below])
        elif below < 0 and adrift:
            hand.below = (seat, column)


def lose_track_of_column(seat: str, code: int, state: State[Hand]) -> None:
    """After an unseen card was played: each open card that may be it becomes as uncertain as those in hand."""
    hand, table, pack = state.hand, state.table, state.game.pack
    for column in sorted(hand.adrift.intersection(hand.columns[seat])):
        # An unseen play before this may have uncovered it.
        if (
            below := top_of_column(column, state)
        ) < pack.unknown and below >= 0 and pack.may_be[code] & pack.unit[below]:
            table.move_one(below, table.row(column), table.bag(seat))
            hand.late.add(column)
    bag = hand.open[seat] & pack.may_be[code]
    for one in pack.codes(bag):
        column = hand.home[one]
        table.move_one(one, table.row(column), table.bag(seat))
        if len(table.row(column)):
            hand.adrift.add(column)
    hand.open[seat] &= ~bag
    if hand.adrift.intersection(hand.columns[seat]):
        hand.dark.add(seat)
        hand.below = (seat, "")


def on_turned_up(show: Show, state: State[Hand]) -> None:
    """Turn up the card below, which may then be played; any other card is shown as in any game."""
    column = show.src
    if not state.number or not column.startswith("col:") or column_owner(column) not in state.hand.columns:
        on_show(show, state)
        return
    if not state.settled:
        ready_in_columns(state)
    hand, table, seat, pack = state.hand, state.table, column_owner(column), state.game.pack
    pile, code = table.row(column), state.code(one_by_one(show.groups[0]))
    # A card that was covered until now could not be played before, even if it is counted among those in hand.
    held_since, table.since[seat] = table.since.get(seat, 0), table.now
    if column in hand.late and not len(pile) and code < pack.unknown:
        table.move_one(code, table.bag(seat), pile)
    else:
        on_show(show, state)
    table.since[seat] = held_since
    hand.late.discard(column)
    if hand.below[0] == seat and hand.below[1] in ("", column):
        hand.adrift.discard(column)
        hand.below = ("", "")
    if len(pile) == 1 and column not in hand.adrift:
        if (code := top_of_column(column, state)) < pack.unknown:
            hand.see(seat, column, code, pack.unit[code])
        else:
            table.move_one(code, pile, table.bag(seat))


@RULES.check("R3", Play)
def only_what_lies_open(play: Play, state: State[Hand]) -> CheckResult | None:
    """A covered card is not played."""
    if not state.number or state.hand.trick.lost:
        return None
    pack, column = state.game.pack, column_played_from(play, state)
    code, above = state.code(play.cards), top_of_column(column, state) if column else -1
    if above < 0 or above >= pack.unknown or above == code or (
        code >= pack.unknown and pack.may_be[code] & pack.unit[above]
    ):
        return None
    if not has_one_below(column, state):
        return None
    return broken(f"{pack.shown(above)} still covers the card below it in {pile_in_words(column)}")


@RULES.check("R4", Play)
def must_follow_with_what_lies_open(play: Play, state: State[Hand]) -> CheckResult | None:
    """A seat with the suit led among its open cards or in hand plays it; covered cards do not count."""
    tricks, hand, pack = state.hand.trick, state.hand, state.game.pack
    if not tricks.plays:
        return None
    play = play_as_it_lay(play, state)
    led, code = tricks.led, state.code(play.cards)
    lies = hand.open.get(play.by, 0) if not tricks.lost else 0
    if pack.suit_of[code] == led != "?" or not lies:
        return must_follow_suit(play, state)
    dark = why_unknown(tricks) or why_out_of_turn(play.by, state)
    if dark is not None:
        return dark
    follows = lies & pack.suit[led]
    if pack.suit_of[code] == "?":
        may_be = (lies | state.holding(play.by).may_hold()) & pack.may_be[code]
        could = bool(follows) or state.holding(play.by).any_of(pack.suit[led]) is not False
        return unknown(CARD_UNSEEN) if could and (may_be & pack.suit[led] or not may_be) else None
    if follows:
        return broken(f"{SUIT_NAMES[led]} were led, and {pretty_all(pack.cards(follows))} lay open before {play.by}")
    return must_follow_suit(play, state)


def had_at_the_time(card: Denied, state: State[Hand]) -> int | None:
    """The cards that the seat could have played in place of the last one, and that one; None if not all were seen."""
    hand: Hand = state.hand
    if card.held is None or card.seat in hand.dark:
        return None
    # The card below that one is open only now.
    new = top_of_column(hand.home[card.code], state) if card.code in hand.home else -1
    return card.held | hand.open[card.seat] & ~(state.game.pack.unit[new] if 0 <= new < state.game.pack.unknown else 0)


@RULES.check("R9", Show)
def turned_up_at_once(show: Show, state: State[Hand]) -> CheckResult | None:
    """The card below is turned up as soon as the card on it is played, and no sooner."""
    if not state.number or not show.src.startswith("col:") or state.hand.trick.lost or state.settled:
        return None
    hand, column, pack = state.hand, show.src, state.game.pack
    seat, above = column_owner(column), top_of_column(column, state)
    if (hand.below[0] == seat and hand.below[1] in ("", column)) or column in hand.adrift:
        return None
    if 0 <= above < pack.unknown and has_one_below(column, state) and above != state.code(one_by_one(show.groups[0])):
        return broken(f"{pack.shown(above)} still covers it in {pile_in_words(column)}")
    if column not in hand.late:
        return None
    if hand.trick.astray:
        return unknown("the order of play was broken before this, so a card may be missing from the record")
    return broken("a card was played before it was turned up")


def reached_or_covered(seat: str, state: State[Hand]) -> Iterator[Event]:
    """Yield the play of each card the seat may play, of covered ones, and a card turned up too early."""
    hand, pack = state.hand, state.game.pack
    rows = {
        name: pile.row for name in hand.columns[seat] if (pile := state.table.piles.get(name)) is not None and pile.row
    }
    tops = sum(pack.unit[row[-1]] for name, row in rows.items() if row[-1] < pack.unknown and name not in hand.adrift)
    for card in pack.cards(tops | state.holding(seat).certain):
        yield Play(by=seat, cards=(card,))
    for column, row in rows.items():
        if len(row) > 1 and row[0] < pack.unknown:
            yield Play(by=seat, cards=(pack.faces[row[0]],), src=column)
            yield Show(by=seat, groups=((pack.faces[row[0]],),), src=column)


def has_card_to_turn(state: State[Hand]) -> bool:
    """True if a known card below is to be turned up before anything else."""
    if not state.number or state.settled:
        return False
    column = state.hand.below[1]
    return bool(column) and 0 <= top_of_column(column, state) < state.game.pack.unknown


def deal_or_turn_up(state: State[Hand], random: Random) -> list[Event]:
    """The acts of chance: the deal, or turning up the card below one that was played."""
    if not has_card_to_turn(state):
        return shuffle_and_deal(state, random)
    seat, column = state.hand.below
    return [Show(by=seat, groups=((state.game.pack.faces[top_of_column(column, state)],),), src=column)]


def below_is_meant(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """The event with its column, if a card is shown while one is to be turned up."""
    seat, column = state.hand.below if state.number else ("", "")
    if isinstance(event, Show) and column and event.by == seat and not event.src:
        return (replace(event, src=column),)
    return (event,)


def implied_column_actor(state: State[Hand], kind: type[Event]) -> tuple[str, ...]:
    """The actor of a line without its seat: the card below is turned up by the player of the card on it."""
    seat = state.hand.below[0] if state.number else ""
    return (seat,) if kind is Show and seat else state.turn


def to_be_turned_up(state: State[Hand]) -> str:
    """The column with a card to be turned up now, in words; "" if there is none."""
    column = state.hand.below[1] if state.number and not state.settled else ""
    return f"{pile_in_words(column)} to be turned up" if column else ""


# Game play
RULES.check("R2", Play, when="play")(dealers_next_leads_first)
@RULES.check("R3", Play)
def one_card_each_in_turn(play: Play, state: State[Hand]) -> CheckResult | None:
    return one_card_in_turn(play, state)


@RULES.check("R8", Play)
def the_winner_leads(play: Play, state: State[Hand]) -> CheckResult | None:
    trick = state.hand.trick
    if not trick.won or trick.plays or state.phase != WON:
        return first_lead(play, state) if trick.won else None
    winners = trick.won[-1].winners
    wrong = None if play.by in winners else broken(f"{winners[0]} won the last trick and leads")
    return who_led(play.by, state) or wrong


@RULES.check("R5", Fault)
def without_the_suit_any_card_is_free(fault: Fault, state: State[Hand]) -> CheckResult | None:
    denied = card_denied(fault, state) if fault.word == "revoke" else None
    if denied is None or not denied.before or (had := had_at_the_time(denied, state)) is None:
        return None
    suit = state.game.pack.suit[denied.led]
    if had & suit:
        return None
    return broken(f"{denied.seat} had no {SUIT_NAMES[denied.led]} to play, and any card was allowed")


@RULES.check("R6", Fault)
def any_card_may_be_led(fault: Fault, state: State[Hand]) -> CheckResult | None:
    denied = card_denied(fault, state) if fault.word == "revoke" else None
    return None if denied is None or denied.before else broken("any card may be led, spades too")


def won_for_certain(state: State[Hand]) -> Counter[str]:
    """Number of tricks that each player certainly has."""
    return Counter(owner(trick, state.terms.side_of) for trick in state.hand.trick.won)


def on_card(play: Play, state: State[Hand]) -> None:
    """Play a card. The game is won with the fourteenth trick, unless all tricks are played out."""
    if state.phase == WON:
        state.played_on, state.turn = True, state.turn or state.hand.trick.won[-1].winners
    play_from_column(play, state)
    trick = state.hand.trick
    if state.settled or trick.plays or state.terms.options.play_out or len(trick.won) < MOST or trick.lost:
        return
    if max(n for who, n in won_for_certain(state).items() if who) >= MOST:
        finish_hand(state)
        state.phase = WON


class Tally(TallyFacts):
    """What a game of Turnover Bridge is scored from."""

    tricks: Points = trick_counts(
        "player", ALL, "R10", stops=lambda terms: ALL if terms.options.play_out else MOST
    )


def tally(state: State[Hand]) -> Tally:
    trick, tricks = state.hand.trick, dict[str, int | None].fromkeys(state.terms.sides)
    sure = won_for_certain(state)
    if not trick.lost and (len(trick.won) == ALL or max(sure.values(), default=0) >= MOST):
        tricks = trick.taken_by(state.terms.side_of)
        if None in tricks.values():
            tricks = {side: n if (n := sure[side]) >= MOST else None for side in tricks}
    return apply_reported_facts(Tally(tricks), state)


def score(state: State[Hand]) -> HandScore:
    """Score of the game in play, as far as it is recorded."""
    t, terms = tally(state), state.terms
    nobody: Points = dict.fromkeys(terms.sides, 0)
    known = {side: n for side, n in t.tricks.items() if n is not None}
    winner = next((side for side, n in known.items() if n >= MOST), "")
    told = bool(winner) or len(known) == len(nobody)
    if nothing := counts_nothing(state, t.void, unfinished=not told):
        return nothing
    tricks = ScoreLine("tricks", t.tricks)
    if not told:
        return hand_score(state, dict.fromkeys(nobody), (tricks,), unknown=["who took how many tricks"])
    most_first = sorted(t.tricks.values(), key=lambda n: -1 if n is None else n, reverse=True)
    figures = "–".join(figure(n) for n in most_first)
    won = f"{terms.name(winner)} {figures}" if winner else f"tie {figures}"
    points: Points = {side: int(side == winner) for side in nobody}
    return hand_score(state, points, (tricks, ScoreLine("games", points)), result=won)


GAME = Game(
    key="turnover-bridge", name="Turnover Bridge", family="tricks", summary=summary_of(__doc__),
    seating=singles(2), pack=PACK,
    dealing=Dealing(
        deal=DEAL, lay_deal=ready_in_columns, next_dealer=deals_next, chance=deal_or_turn_up,
        chance_acts_first=has_card_to_turn,
    ),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=begin_with(first_to_act("play"), Hand),
    phases={
        "play": Phase(
            "play", (Play, Show), "a card, then what it uncovers (s 8c)", to_do="play", one_card=True,
            verb_required=(Show,),
            tries=(reached_or_covered,),
        ),
        WON: Phase(
            "after the fourteenth trick", (Play,), "the next game, or a card if the table plays on", to_do="play on"
        ),
    },
    on={
        Deal: on_columns_dealt, Play: on_card, Show: on_turned_up, Move: gathered_by,
        Gap: after_gap(open=ForEach(0), below=("", ""), home={}),
    },
    tally=Tally, compute_tally=tally, score=score, after=most_hands_of(lambda terms: terms.options.games),
    match=MatchRules(hand_points="tricks"),
    sheet=ledger({"result": result_text}, {"{} tricks": figure_of_line("tricks"), "{}": running_total}),
    omissions=Omissions(may_be_over=lambda state: state.phase == WON),
    shorthand=Shorthand(expand=below_is_meant, implied_actor=implied_column_actor, led=suit_led, open_deal=upper_cards),
    display=Display(
        last_outcome_text=lambda state: "; ".join(filter(None, (just_taken(state), to_be_turned_up(state)))),
    ),
)  # fmt: skip
