"""Dingo: four players throw and pass cards until six are left, then hunt the diamonds rank by rank; the last wolf
catches the rabbit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Callable
from functools import wraps
from itertools import islice
from typing import Any, ClassVar, TypeAlias

from msgspec.structs import replace

from events.cards import one_by_one, pretty, how_many
from events.model import Deal, Discard, Event, Facts, Fault, Move, Name, Pass, Play, Show
from reducers.evolve import steps_while
from reducers.facts import listed_with_and
from reducers.legal import changes_hands
from reducers.page import (
    on_move, CONSEQUENCE, DUTY, RIGHT, Catalogue, CheckResult, DealSpec, Game, Dealing, Judging, Omissions, Shorthand,
    Display, HandScore, Law, ScoreLine, Phase, Points, Standing, State, TallyFacts, bounded, changing, Terms, try_pass,
    add_points, broken, counts_nothing, deals_next, figure, figures, HouseRules, hand_score, apply_reported_facts, pack,
    pretty_all, read_by_the_page, ensure_dealt, result_text, rule, shuffle_and_deal, singles, summary_of, unknown,
    GamesInMatch, hand_of, WHO_DEALS,
)  # fmt: skip
from reducers.piles import Lies
from reducers.rules import Breach
from reducers.scoring import with_winners, Penalty
from reducers.silent_acts import put_in_unwritten
from reducers.words import hunts
from reducers.words.hunts import (
    HUNTS, HuntHand, a_wolf, begins_another, calls_next, dealer_calls, in_the_last_hunt, latest_catch, lay_rabbits,
    next_rank, no_wolf, of_the_hunt, the_dingo, the_dingo_of_anybody, the_rabbits_lie_open, LAST, Roles, begins_a_hunt,
    ends_by_a_line, goes_where_it_belongs, held,
)  # fmt: skip
from reducers.words.reported_cards import (
    seen_in_pile, codes_listed, codes_told, last_word, list_of, named_twice, no_other_cards, of_one_only,
)  # fmt: skip
from reducers.words.scores import sides_ahead
from reducers.words.sheets import amount_in, hand_parts
from reducers.words.tallies import no_more_in_all
from reducers import facts as fact

# Setup
PACK = pack()
ORDER = "23456789TJQKA"
ROLES = hunts.roles(PACK, ORDER, dingo="h", wolves="cs", rabbit="d", last_hunt="the hunt of the aces")
DEAL = DealSpec(each=10, apart=ROLES.open_rabbits)
SAID, AD = ROLES.said, ROLES.rabbit
HEARTS, ACES = PACK.suit["h"], PACK.rank["A"]
DEAR = {"A": 3, "K": 2, "Q": 2, "J": 2, "T": 2}
AD_COUNTS, LOST_AD = 10, 3
"""Value of the ace of diamonds for the player who has played it, and against the player who has not."""


class Options(HouseRules, frozen=True):
    """House rules of Dingo."""

    games: GamesInMatch = 1


SETUP, EXCHANGE, HUNT, ACES_HUNT, SCORING = (
    "Setup", "Discards and exchanges", "Hunting the rabbits", "Hunting the A♦", "Scoring"
)  # fmt: skip
RULES = Catalogue(
    "dingo",
    rule("R1", EXCHANGE, DUTY, "Four times each seat throws one card, face up, the dealer first.", "throw a card"),
    rule("R2", EXCHANGE, DUTY, "An ace is never thrown; it may be passed on.", "no ace thrown"),
    rule("R3", EXCHANGE, DUTY, "Between these rounds each seat passes one card: first to the left, then across, then "
         "to the right.", "which way cards go"),
    rule("R4", EXCHANGE, DUTY, "The dealer passes first, then the others clockwise; a card just received may be passed "
         "on.", "pass in turn"),
    rule("R5", HUNT, DUTY, "The dealer calls the ranks from two to king, one hunt after the other, and then the ace.",
         "call the ranks in order"),
    rule("R6", HUNT, DUTY, "Whoever holds the heart of the rank called, the dingo, plays it at once.",
         "play the dingo"),
    rule("R7", HUNT, DUTY, "After the dingo each other player, once and in turn, plays one black card of that rank, a "
         "wolf, or passes; the player of the dingo adds none.", "wolves in turn"),
    rule("R8", ACES_HUNT, DUTY, "The ace of diamonds is played only in the hunt of the aces, in its holder's turn, and "
         "after both black aces.", "the A♦ after both wolves"),
    rule("R9", ACES_HUNT, RIGHT, "In the hunt of the aces a seat may play one black ace in its turn, or both.",
         "one wolf or both"),
    rule("R10", ACES_HUNT, RIGHT, "Whoever played the ace of hearts has a turn at the end, for black aces and the ace "
         "of diamonds.", "a last turn"),
    rule("R11", SCORING, DUTY, "At the end no player may have a red card left except the ace of diamonds; a player "
         "who has one forfeits the game.", "no red card left"),
    rule("R12", SETUP, CONSEQUENCE, "The diamonds from two to king lie open, the two on top; each seat is dealt ten of "
         "the other forty cards.", "the deal", {Deal: the_rabbits_lie_open}),
    rule("R13", HUNT, CONSEQUENCE, "The last wolf catches the rabbit, and the dingo's player keeps the dingo and the "
         "wolf before it; a dingo without a wolf counts against its player. In the hunt of the aces each keeps what "
         "each has played.", "who has the cards"),
    rule("R14", SCORING, CONSEQUENCE, "The ace of diamonds counts 10, another ace 3, a king, queen, jack or ten 2, any "
         "other card 1; in the penalty pile the same points are subtracted, but 3 for the ace of "
         "diamonds.", "what cards count"),
    rule("R15", SCORING, CONSEQUENCE, "The highest score wins the game; if several are level, the highest rabbit "
         "among them decides.", "the game"),
)  # fmt: skip

READINGS = {
    "May the A♦ be kept back though it could be played?": "yes; it then counts 3 against its holder, who forfeits "
    "nothing",
    "Who catches if both wolves are out?": "the second one, whoever played the first; not in the hunt of the aces",
    "Somebody holds both wolves": "one of them may be played; the other is of no use then",
    "Are those asked who come after the second wolf?": "no; their passes may be recorded or not",
    "Wolves of the dingo's own player alone": "are wolves: the ace of hearts scores",
    "May aces be passed on?": "yes, and the A♦ too",
    "When is a card thrown after a round of passes?": "when all four have passed",
    "What happens to a rabbit that was not caught?": "it counts for no player",
    "Level, and none of them has a rabbit": "they have won together",
    "Which rabbit is the highest?": "the ace of diamonds, then the king and so on down to the two",
    "Who wins if a player forfeits?": "the best of the others; their cards, and those caught from them, stay where "
    "they are. In a match of several games a forfeited game scores nothing for its player, or the score if it is "
    "negative",
    "How many games make a match?": "one, as in the text (option games); of several the highest sum wins, and if that "
    "is level, the highest rabbit of the last game. The deal passes to the left",
    "A dingo that is not played when it is called": "that hunt is over as if it had been thrown; played later, it "
    "counts for no player",
    "A wolf that is played against the rule": "catches nothing and counts for no player",
    "A game that is broken off": "counts nothing",
}
WORDS = {
    "wolf": "fault: the table does not let a player play a second black ace",
    "last": "fault: the table does not let the dingo's player have the last turn in the hunt of the aces",
}


class Hand(HuntHand):
    """The record of one game of Dingo; `reducers.words.hunts` describes the fields of the hunts.

    `rounds` says what is done in each round before them: 0 for a card that is thrown, else how many places to the left
    a card is passed. `round` is the number of the current one, `acted` are the seats that have acted in it.
    """

    rounds: ClassVar[tuple[int, ...]] = (0, 1, 0, 2, 0, 3, 0)
    roles: ClassVar[hunts.Roles] = ROLES

    def __init__(self) -> None:
        super().__init__()
        self.acted: tuple[str, ...] = ()
        self.round = 0

    def on_to_play(self, state: State[Hand]) -> None:
        """Let the dealer call the first rank."""
        calls_next(state)


def start(state: State[Hand]) -> Hand:
    """Begin a game with the rabbits face up; the dealer throws the first card."""
    state.hand = hand = Hand()
    lay_rabbits(state)
    round_begins(0, state)
    return hand


# Rounds before the hunts. Other seats do not see what is passed, so a table may leave out these lines: the next act
# shows that they took place.
GONE_BY = "acts are missing from the record"
ROUNDS = ("discarding", "passing")
"""The phases in which cards are thrown and passed on."""
TO_THE = {1: "to the left", 2: "across", 3: "to the right"}


def round_begins(number: int, state: State[Hand]) -> None:
    """Begin a round; after the last one start the play."""
    hand = state.hand
    hand.round, hand.acted = number, ()
    if number == len(hand.rounds):
        hand.on_to_play(state)
        return
    state.phase = "passing" if hand.rounds[number] else "discarding"
    state.turn = state.terms.seats if state.dealer_is_guess else (state.dealer,)


def record_part(seat: str, state: State[Hand]) -> None:
    """Record that a seat has thrown or passed a card; move on to the next seat or round."""
    hand = state.hand
    if seat in hand.acted or seat not in state.terms.seats:
        return
    hand.acted = (*hand.acted, seat)
    if len(hand.acted) == len(state.terms.seats):
        round_begins(hand.round + 1, state)
        return
    after = state.terms.after(seat)
    if state.dealer_is_guess or seat not in state.turn or after in hand.acted:
        left = seats_to_act(state)
        state.turn = left if state.dealer_is_guess else left[:1]
    else:
        state.turn = (after,)


def seats_to_act(state: State[Hand]) -> tuple[str, ...]:
    """The seats that have not acted in this round, in turn."""
    return tuple(seat for seat in state.terms.in_turn(state.dealer) if seat not in state.hand.acted)


def receiver(seat: str, state: State[Hand]) -> str:
    """The seat that gets the card passed by `seat` in this round."""
    to: str = state.terms.left(seat, state.hand.rounds[state.hand.round])
    return to


def which_way(state: State[Hand]) -> str:
    """The direction in which cards are passed now, in words; empty if none are."""
    return TO_THE[state.hand.rounds[state.hand.round]] if state.phase == "passing" else ""


def in_its_turn(act: Event, state: State[Hand], did: str) -> CheckResult | None:
    """Each seat acts once in a round, in turn; `did` is the word for it."""
    if act.by in state.turn:
        return None
    if act.by in state.hand.acted:
        return broken(f"{act.by} has {did} a card in this round")
    return unknown(WHO_DEALS) if state.dealer_is_guess else broken(f"it is the turn of {state.turn[0]}")


@RULES.check("R1", Discard)
def one_is_thrown_in_turn(discard: Discard, state: State[Hand]) -> CheckResult | None:
    """Each seat throws one card in a round, the dealer first."""
    many = how_many(discard.cards)
    if many is None:
        return unknown("the cards were not counted")
    return in_its_turn(discard, state, "thrown") if many == 1 else broken("one card is thrown in a round")


@RULES.check("R1", Move)
def cards_are_thrown_first(move: Move, state: State[Hand]) -> CheckResult | None:
    """A card is passed on before all have thrown one; a line may be missing."""
    if state.number and state.phase == "discarding" and state.acts and changes_hands(move, state):
        return unknown(
            f"whether {listed_with_and(seats_to_act(state))} threw a card; that may be missing from the record"
        )
    return None


@RULES.check("R3", Move)
def passed_the_right_way(move: Move, state: State[Hand]) -> CheckResult | None:
    """One card is passed on, in the direction of this round."""
    if not state.number or state.phase != "passing" or not changes_hands(move, state):
        return None
    many, to = how_many(move.cards), receiver(move.by, state)
    if many is None:
        return unknown("the cards were not counted")
    if many != 1:
        return broken("one card is passed in a round")
    way = TO_THE.get(state.hand.rounds[state.hand.round], "on")
    return None if move.to == hand_of(to) else broken(f"cards are passed {way}: {move.by} passes to {to}")


@RULES.check("R4", Move)
def passed_in_turn(move: Move, state: State[Hand]) -> CheckResult | None:
    """The dealer passes first, then the others in turn; in no other phase does a card change hands."""
    if not state.number or state.settled or not changes_hands(move, state) or state.phase == "discarding":
        return None
    if state.phase == "passing":
        return in_its_turn(move, state, "passed")
    return unknown(GONE_BY) if state.hand.gap else broken("no card is passed now")


def on_discard(discard: Discard, state: State[Hand]) -> None:
    """Apply a discard, face up."""
    held = state.holding(discard.by)
    state.table.move(state.table.codes(discard.cards, held), held, state.table.row("discard"))
    if state.phase == "discarding":
        record_part(discard.by, state)


def on_passed(move: Move, state: State[Hand]) -> None:
    """Apply a pass, or any other move of cards."""
    passes = state.number and not state.settled and changes_hands(move, state)
    if passes:
        ensure_dealt(state)
        put_in_unwritten(move, state)
    on_move(move, state)
    if passes and state.phase == "passing":
        record_part(move.by, state)


def unwritten_rounds(act: Event, state: State[Hand]) -> None:
    """Infer from an act that the rounds before it took place, though they were not recorded."""
    hand = state.hand
    if state.phase not in ROUNDS:
        return
    until = len(hand.rounds)
    if isinstance(act, Discard):
        until = hand.round + bool(hand.rounds[hand.round])
    elif isinstance(act, Move):
        until = hand.round + (not hand.rounds[hand.round])
    if hand.round >= until:
        return
    state.infer(f"{unseen_parts(until, state)} before this (not recorded)")
    for _ in steps_while(lambda: hand.round < until):
        for seat in seats_to_act(state):
            to = state.holding(receiver(seat, state)) if state.phase == "passing" else state.table.row("discard")
            state.table.move_one(state.game.pack.unknown, state.holding(seat), to)
            record_part(seat, state)


def unseen_parts(until: int, state: State[Hand]) -> str:
    """What was done up to this round, in words."""
    hand = state.hand
    if until > hand.round + 1:
        return "cards were thrown and passed on"
    did = "passed a card " + TO_THE.get(hand.rounds[hand.round], "on") if hand.rounds[hand.round] else "threw a card"
    return f"{listed_with_and(seats_to_act(state))} {did}"


def throws(seat: str, state: State[Hand]) -> Iterator[Event]:
    """Discards to try: each card of the seat, and one of the seat after the next, whose turn it is not."""
    for who, most in ((seat, None), (state.terms.after(seat, 2), 1)):
        cards = state.game.pack.cards(state.holding(who).certain)
        yield from (Discard(by=who, cards=(card,)) for card in islice(cards, most))


def passes_on(seat: str, state: State[Hand]) -> Iterator[Event]:
    """Passes to try: each card; the first also to every other seat; one of the seat after the next, out of turn."""
    pack, right = state.game.pack, receiver(seat, state)
    cards = pack.cards(state.holding(seat).certain)
    yield from (Move(by=seat, cards=(card,), to=hand_of(right)) for card in cards)
    others = [other for other in state.terms.seats if other not in (seat, right)]
    yield from (Move(by=seat, cards=(card,), to=hand_of(other)) for card in cards[:1] for other in others)
    after = state.terms.after(seat, 2)
    theirs = pack.cards(state.holding(after).certain)
    yield from (Move(by=after, cards=(card,), to=hand_of(receiver(after, state))) for card in theirs[:1])


def thrown_or_passed(event: Event, state: State[Hand]) -> Event:
    """A bare card as a discard or a pass in the phases of the rounds; any other act unchanged."""
    if not isinstance(event, Play) or event.src or state.phase not in ROUNDS:
        return event
    if state.phase == "discarding":
        return Discard(by=event.by, cards=event.cards)
    return Move(by=event.by, cards=event.cards, to=hand_of(receiver(event.by, state)))


def unseen_pass(state: State[Hand]) -> Event | None:
    """What a lone `.` means: an unseen card is passed on."""
    return Move(by=state.turn[0], cards=("??",), to=hand_of(receiver(state.turn[0], state))) if state.turn else None


# Discards and exchanges
@RULES.check("R2", Discard)
def no_ace_is_thrown(discard: Discard, state: State[Hand]) -> CheckResult | None:
    for card in one_by_one(discard.cards):
        may_be = PACK.may_be[PACK.code.get(card, PACK.unknown)]
        if not may_be & ~ACES:
            return broken(f"the {pretty(card)} is an ace")
        if may_be & ACES:
            return unknown("the card that was thrown was not seen")
    return None


def on_moved(move: Move, state: State[Hand]) -> None:
    """Apply a move: a card is put where it belongs, taken back, or passed on."""
    if not of_the_hunt(move, state):
        on_passed(move, state)


def unwritten(state: State[Hand], act: Event) -> None:
    """Infer from an act of the hunts that all cards were thrown and passed on; from an act of these rounds after the
    last hunt, that another game has begun."""
    begins_another(act, state)
    unwritten_rounds(act, state)


# The hunts
def why_hunt_unknown(state: State[Hand]) -> CheckResult | None:
    """An open answer if it is unknown which hunt is on; else None."""
    if state.hand.gap:
        return unknown(GONE_BY)
    return unknown("a card of the hunt was not seen") if state.hand.dark else None


def held_back(state: State[Hand]) -> CheckResult | None:
    """Finding about a hunt that goes on without the dingo that was called; None if that dingo is out of play."""
    roles: Roles = state.hand.roles
    dingo = roles.dingos[state.hand.hunt]
    who, has = held(dingo, state)
    if has is False:
        return None
    if who:
        text = f"{who} holds the {roles.shown(dingo)} that was called, and has not played it"
        return broken(text, roles.pack.field[dingo], who, by=who)
    return unknown(f"whether a player holds the {roles.shown(dingo)} that was called; the final hands will show it")


def skipped(upto: int, state: State[Hand]) -> CheckResult | None:
    """Finding about a rank hunted before the one due. The call of a discarded dingo may be unrecorded."""
    roles: Roles = state.hand.roles
    for dingo in roles.dingos[state.hand.next : upto]:
        who, has = held(dingo, state)
        if has:
            text = f"the {roles.said[state.hand.next]} is hunted next, and the {roles.shown(dingo)} is with {who}"
            return broken(text, roles.pack.field[dingo], who)
        if has is None:
            return unknown(f"whether the {roles.shown(dingo)} was thrown; a call may be missing from the record")
    return None


@RULES.check("R5", Name)
def ranks_are_called_in_order(name: Name, state: State[Hand]) -> CheckResult | None:
    """The dealer calls one rank after the other."""
    hand, roles = state.hand, state.hand.roles
    place = roles.called(name.what)
    if place < 0:
        return broken(f"a rank is called, from {roles.said[0]} to {roles.said[-1]}")
    if dark := why_hunt_unknown(state):
        return dark
    if name.by != state.dealer:
        return unknown(WHO_DEALS) if state.dealer_is_guess else broken(f"{state.dealer} has dealt and calls the ranks")
    if place == hand.hunt and state.phase == "dingo":
        return None
    if place <= hand.hunt:
        over = f"the {roles.said[place]} was hunted already"
        return broken(f"{roles.last_hunt} is the last" if hand.is_last else over)
    return skipped(place, state)


@RULES.check("R6", Name)
def the_dingo_comes_before_the_next_call(name: Name, state: State[Hand]) -> CheckResult | None:
    """The next rank is not called before the dingo of the last one has been played."""
    if (dark := why_hunt_unknown(state)) or state.phase != "dingo":
        return dark
    return None if state.hand.roles.called(name.what) == state.hand.hunt else held_back(state)


Judge: TypeAlias = Callable[[Any, State[Hand]], CheckResult | None]


def in_any_hunt(judge: Judge) -> Judge:
    """Apply a check of a card to each card that an unseen one may have been."""

    @wraps(judge)
    def asked(play: Play, state: State[Hand]) -> CheckResult | None:
        pack = state.game.pack
        code = state.code(play.cards)
        if dark := why_hunt_unknown(state):
            return dark
        if code < pack.unknown or len(one_by_one(play.cards)) != 1:
            return judge(play, state)
        may_be = pack.cards(state.holding(play.by).may_leave(code))
        said = [judge(replace(play, cards=(card,)), state) for card in may_be]
        if not any(said):
            return None
        broken_by_all = all(s is not None and s.verdict == "broken" for s in said)
        return said[0] if broken_by_all else unknown("the card was not seen")

    return asked


def codes_in(play: Play, state: State[Hand]) -> list[int]:
    """The codes of the cards of a play, in order."""
    pack = state.game.pack
    return [pack.code.get(card, pack.unknown) for card in one_by_one(play.cards)]


def plainly_in_order(play: Play, state: State[Hand]) -> bool:
    """True if no rule can object: the dingo that was called or is next, or a wolf by a seat with a turn."""
    hand, roles, code = state.hand, state.hand.roles, state.code(play.cards)
    if hand.dark or hand.gap or code >= roles.pack.unknown:
        return False
    if state.phase == "hunt":
        return code in roles.wolves[hand.hunt] and play.by in hand.left
    if state.phase == "calling":
        return not hand.is_last and code == roles.dingos[hand.next]
    return state.phase == "dingo" and bool(code == roles.dingos[hand.hunt])


RULES.unless(plainly_in_order, Play)


@RULES.check("R5", Play)
@in_any_hunt
def no_rank_is_left_out(play: Play, state: State[Hand]) -> CheckResult | None:
    """A dingo is not played without its call."""
    code = codes_in(play, state)[0]
    return skipped(state.hand.roles.place(code), state) if begins_a_hunt(code, state) else None


@RULES.check("R6", Play)
@in_any_hunt
def the_dingo_is_played_at_once(play: Play, state: State[Hand]) -> CheckResult | None:
    """The player who holds the dingo that was called plays it, and nothing else."""
    hand, roles, code = state.hand, state.hand.roles, codes_in(play, state)[0]
    called = state.phase == "dingo" and code == roles.dingos[hand.hunt]
    if code in roles.dingos and not called and not begins_a_hunt(code, state):
        return broken(f"the {roles.shown(code)} had to be played when its rank was called")
    if called or state.phase != "dingo":
        return None
    if begins_a_hunt(code, state):
        return held_back(state)
    dingo = roles.dingos[hand.hunt]
    has = state.holding(play.by).any_of(roles.pack.field[dingo])
    if has:
        return broken(f"{play.by} holds the {roles.shown(dingo)} that was called", roles.pack.field[dingo], play.by)
    return unknown(f"whether {play.by} holds the {roles.shown(dingo)}") if has is None else None


def out_of_its_turn(act: Event, state: State[Hand]) -> CheckResult | None:
    """Finding about a seat without a turn in a hunt; None if it has. Seats before it may have passed silently."""
    hand = state.hand
    if act.by in hand.left or (act.by == hand.lately and isinstance(act, Play)):
        return None
    if act.by == hand.dingo and not hand.is_last:
        return broken(f"{act.by} played the dingo, and adds no wolf")
    return broken(f"{act.by} has already had a turn in this hunt")


@RULES.check("R7", Play)
@in_any_hunt
def wolves_in_turn(play: Play, state: State[Hand]) -> CheckResult | None:
    """The others add wolves of the rank that is hunted, each in turn: one of them, and in the last hunt several."""
    hand, roles, codes = state.hand, state.hand.roles, codes_in(play, state)
    last, unseen = state.phase in LAST, roles.pack.unknown
    if len(codes) != 1 and not last:
        return broken("one card is played at a time")
    if not last and (codes[0] == roles.rabbit or codes[0] in roles.dingos or codes[0] >= unseen):
        return None
    if state.phase in ("calling", "dingo"):
        place = roles.place(codes[0])
        if place <= hand.hunt - (state.phase == "dingo"):
            return broken(f"the hunt of the {roles.said[place]} is over")
        return broken(f"no wolf before the dingo: the {roles.shown(roles.dingos[place])} comes first")
    for code in codes:
        if code not in roles.wolves[hand.hunt] and code < unseen and not (last and code == roles.rabbit):
            return broken(f"the {roles.said[hand.hunt]} is hunted, and the {roles.shown(code)} is not its wolf")
    return out_of_its_turn(play, state) or (unknown("a card was not seen") if max(codes) >= unseen else None)


@RULES.check("R7", Pass)
def who_may_pass(act: Pass, state: State[Hand]) -> CheckResult | None:
    """A player with a turn in a hunt may pass; no pass is needed after the last wolf."""
    if dark := why_hunt_unknown(state):
        return dark
    if state.phase == "dingo":
        roles: Roles = state.hand.roles
        return broken(f"the {roles.shown(roles.dingos[state.hand.hunt])} was called and must be played first")
    if state.phase == "calling":
        return None if act.by in state.hand.spared else broken("no hunt is on now")
    return None if act.by == state.hand.lately else out_of_its_turn(act, state)


@RULES.check("R8", Play)
@in_any_hunt
def the_rabbit_after_all_wolves(play: Play, state: State[Hand]) -> CheckResult | None:
    """The rabbit of the last hunt comes after all wolves, perhaps in the same turn."""
    roles, codes = state.hand.roles, codes_in(play, state)
    if roles.rabbit not in codes:
        return None if max(codes) < roles.pack.unknown else unknown("a card was not seen")
    rabbit, wolves = roles.shown(roles.rabbit), roles.wolves[-1]
    if state.phase not in LAST:
        return broken(f"the {rabbit} is played in {roles.last_hunt}, after the dingo")
    out = len(state.hand.sent)
    for code in codes[: codes.index(roles.rabbit)]:
        if code >= roles.pack.unknown:
            return unknown("a card was not seen")
        out += code in wolves
    if out < len(wolves):
        which = " and the ".join(map(roles.shown, wolves))
        return broken(f"the {rabbit} is played after the {which}, and {'only one' if out else 'none'} is out")
    return None


@RULES.check("R9", Fault)
def both_wolves_may_be_played(fault: Fault, state: State[Hand]) -> CheckResult | None:
    if fault.word != "wolf" or not state.number or not state.hand.is_last:
        return None
    return broken("in the hunt of the aces a seat may play both black aces")


@RULES.check("R10", Fault)
def the_dingo_has_a_last_turn(fault: Fault, state: State[Hand]) -> CheckResult | None:
    who = state.hand.dingo if state.number and state.hand.is_last else None
    if fault.word != "last" or who is None or fault.who not in ("", who):
        return None
    return broken(f"{who or 'the player of the dingo'} has a turn at the end of the hunt of the aces")


@RULES.check("R11", Show)
def no_dingo_is_left(show: Show, state: State[Hand]) -> CheckResult | None:
    """No dingo is left in a hand that is laid open after the last hunt."""
    if not state.number or not (state.hand.over or state.phase in LAST):
        return None
    roles: Roles = state.hand.roles
    left = [c for group in show.groups for c in group if roles.pack.code.get(c, roles.pack.unknown) in roles.dingos]
    who = show.src.removeprefix("hand:") or show.by
    if not left or who not in state.terms.seats:
        return None
    return broken(f"{who} has the {pretty_all(left)} left and forfeits the game")


@RULES.check("R13", Move)
def each_card_goes_where_it_belongs(move: Move, state: State[Hand]) -> CheckResult | None:
    """A recorded move to a pile goes to the right one."""
    if not goes_where_it_belongs(move, state):
        return None
    if dark := why_hunt_unknown(state):
        return dark
    pack, then = state.game.pack, state.copy()
    ends_by_a_line(then)
    for card in move.cards:
        field = pack.field[pack.code[card]] if card in pack.faces else 0
        there = next((name for name, pile in then.table.piles.items() if seen_in_pile(pile) & field), "")
        kind, _, owner = there.partition(":")
        if kind in ("won", "penalty") and there != move.to:
            return broken(f"the {pretty(card)} goes to {owner}{', as a penalty' if kind == 'penalty' else ''}")
        if kind == "dead" and move.to not in ("dead", "discard"):
            return broken(f"the {pretty(card)} counts for no player")
    return None


# Scoring
FEWEST, MOST, WHOLE = -14, 27, 63
"""Least value of six cards (3 for each red ace, 2 for four hearts), greatest (all aces, and 4 in two hunts of dear
cards), and the value of all cards: 19 for the aces, 8 in each of the four dear hunts, and with the eight cards that are
left 3 in each of four more."""
HIGHEST, RED_LEFT = "highest rabbit", "forfeits"


def unlike_the_piles(known: Mapping[str, Any], state: State[Hand]) -> str:
    """A law: the reported points and rabbit of a player agree with the reported piles."""
    for seat in state.terms.seats:
        won, lost = (codes_listed(known.get(f"{pile}.{seat}", "?"), PACK) for pile in ("won", "penalty"))
        points, rabbit = known.get(f"points.{seat}"), known.get(f"rabbit.{seat}")
        n = None if won is None or lost is None else value(won) - value(lost, penalty=True)
        if None not in (n, points) and n != points:
            return f"the piles of {seat} count {n}, not {points}"
        if won is not None and rabbit is not None and ROLES.figure(rabbit) != ROLES.highest(won):
            return f"the {rabbit} is not the highest rabbit among the cards of {seat}"
    return ""


def piles_told(key: str, piles: Mapping[str, list[int] | None]) -> dict[str, list[str] | None]:
    """The cards of fully seen piles, as a tally would report them."""
    seen = {seat: codes for seat, codes in piles.items() if codes is not None and max(codes, default=0) < PACK.unknown}
    return {f"{key}.{seat}": [PACK.faces[code] for code in codes] for seat, codes in seen.items()}


class Tally(TallyFacts):
    """What a game of Dingo is scored from: the value of each player's piles, or the piles themselves."""

    points: Points = figures(
        "what a player's score pile counts less the penalty pile", FEWEST, MOST, rule="R14",
        ruling="what a player's piles count instead",
    )  # fmt: skip
    rabbit: dict[str, int | None] = read_by_the_page(
        {"rabbit.*": fact.choice("the highest rabbit in a player's score pile, or none", *SAID, "none", rule="R15")},
        {}, tells=lambda rabbits: {f"rabbit.{seat}": ROLES.named(n) for seat, n in rabbits.items()},
    )  # fmt: skip
    won: dict[str, Any] = bounded(lambda state: lying_in("won", state), read_by_the_page(
        {"won.*": fact.cards("the cards of a player's score pile", 52, rule="R13")}, {},
        tells=lambda won: piles_told("won", won),
    ))  # fmt: skip
    penalty: dict[str, Any] = bounded(lambda state: lying_in("penalty", state), read_by_the_page(
        {"penalty.*": fact.cards("the cards of a player's penalty pile", 6, rule="R13")}, {},
        tells=lambda penalty: piles_told("penalty", penalty),
    ))  # fmt: skip
    red: dict[str, bool | None] = bounded(lambda state: red_left(state), changing(read_by_the_page(
        {"red.*": fact.cards("the red cards a player had left, which forfeit the game", 6, rule="R11")}, {},
        rulings={"red.*": "the red cards for which a player forfeits the game"},
        tells=lambda red: {f"red.{seat}": [] for seat, left in red.items() if left is False},
    )))  # fmt: skip

    laws = (
        Law(("points",), no_more_in_all("points", WHOLE, f"{{n}} are more than the {WHOLE} that can be caught"), "R14"),
        Law(("points", "rabbit", "won", "penalty"), unlike_the_piles, "R14"),
        Law(("won", "penalty", "red"), named_twice("won", "penalty", "red"), "R13"),
        Law(("penalty",), no_other_cards("penalty", PACK, HEARTS | PACK.field[AD], "is no penalty"), "R13"),
        Law(("red",), no_other_cards("red", PACK, HEARTS, "forfeits nothing"), "R11"),
        Law(("rabbit",), of_one_only("rabbit", "is the highest rabbit of one player"), "R15"),
    )


def lying_in(pile: str, state: State[Hand]) -> dict[str, frozenset[str]]:
    """The cards seen in each player's pile by now."""
    piles = {seat: state.table.piles.get(f"{pile}:{seat}") for seat in state.terms.seats}
    return {
        seat: frozenset(PACK.cards(lying.certain)) for seat, lying in piles.items()
        if lying is not None and not (state.hand.gap or state.hand.blurred)
    }


def red_left(state: State[Hand]) -> dict[str, frozenset[str]]:
    """The red cards that each player certainly has at the end; empty before."""
    seats = state.terms.seats if state.hand.over else ()
    return {seat: frozenset(PACK.cards(state.holding(seat).certain & HEARTS)) for seat in seats}


def cards_in(pile: str, seat: str, state: State[Hand]) -> list[int] | None:
    """The cards of a player's pile: as reported, else as on the table; None if unknown."""
    for told in codes_told(f"{pile}.{seat}", state):
        return told
    hand, seats = state.hand, state.terms.seats
    if not hand.over or hand.gap or hand.blurred:
        return None
    lying = state.table.piles.get(f"{pile}:{seat}")
    codes: list[int] = lying.codes() if lying is not None else []
    if pile == "won":
        return codes
    kept = state.holding(seat).any_of(PACK.field[AD])
    if kept is None and any(AD in (told or ()) for one in seats for told in codes_told(f"penalty.{one}", state)):
        kept = False
    return None if kept is None else [*codes, AD] if kept else codes


def has_red_left(seat: str, state: State[Hand]) -> bool | None:
    """True if a player forfeits the game; None if unknown."""
    if given := last_word(f"red.{seat}", state):
        return bool(list_of(*given))
    if state.tallies and not state.hand.over:
        return False
    return state.holding(seat).any_of(HEARTS)


def tally(state: State[Hand]) -> Tally:
    """The tally of the game in play: from its moves, overruled by a `tally` or a ruling."""
    t = Tally()
    for seat in state.terms.seats:
        t.won[seat], t.penalty[seat] = won, lost = cards_in("won", seat, state), cards_in("penalty", seat, state)
        t.points[seat] = None if won is None or lost is None else value(won) - value(lost, penalty=True)
        t.rabbit[seat] = None if won is None else ROLES.highest(won)
        for told in last_word(f"rabbit.{seat}", state):
            t.rabbit[seat] = ROLES.figure(told)
        t.red[seat] = has_red_left(seat, state)
    return apply_reported_facts(t, state)


def value(codes: Iterable[int], *, penalty: bool = False) -> int:
    """The value of the cards of a pile.

    >>> cards = [PACK.code[card] for card in ("Ad", "Ah", "Kc", "Ts", "9h")]
    >>> value(cards), value(cards, penalty=True)
    (18, 11)
    """
    ad = LOST_AD if penalty else AD_COUNTS
    return sum(ad if code == AD else DEAR.get(PACK.rank_of[code], 1) for code in codes)


def score(state: State[Hand]) -> HandScore:
    """The score of the game in play by what was recorded."""
    t, seats, name = tally(state), state.terms.seats, state.terms.name
    unfinished = not state.hand.over and None in t.points.values()
    if nothing := counts_nothing(state, t.void, contract=under_way(state), unfinished=unfinished):
        return nothing
    points: Points = {seat: forfeited(t.points[seat], t.red[seat]) for seat in seats}
    lines = [
        ScoreLine(f"{pile} pile", {seat: sign * value(codes, penalty=sign < 0) for seat, codes in piles.items()},
             {seat: counted_out(codes, sign) for seat, codes in piles.items() if codes})
        for pile, sign, piles in (("score", 1, t.won), ("penalty", -1, t.penalty))
        if not any(codes is None or max(codes, default=0) >= PACK.unknown for codes in piles.values())
    ]  # fmt: skip
    rabbits = {seat: PACK.shown(ROLES.rabbits[n - 2]) if n else "none" for seat, n in t.rabbit.items() if n is not None}
    lines.append(ScoreLine(HIGHEST, dict(t.rabbit), rabbits))
    red = [seat for seat in seats if t.red[seat]]
    if red:
        lines.append(ScoreLine(RED_LEFT, dict.fromkeys(red, 1), dict.fromkeys(red, "the game")))
    won = sides_ahead(points, t.rabbit, among=[seat for seat in seats if seat not in red])
    missing = [] if None not in points.values() else ["what each player's piles count"]
    lost = {seat: f": {n} is not counted" for seat in red if (n := t.points[seat] or 0) > 0}
    notes = [f"{name(seat)} had a red card left and forfeits the game{lost.get(seat, '')}" for seat in red]
    said = " and ".join(map(name, won)) + (" win" if len(won) > 1 else " wins") if won else ""
    return hand_score(state, points, lines, result=said, unknown=missing, notes=notes)


def under_way(state: State[Hand]) -> str:
    """The direction in which cards are passed now, or the rabbit that is hunted."""
    hunted = state.phase in ("dingo", "hunt", "aces")
    return f"{ROLES.shown(ROLES.rabbits[state.hand.hunt])} hunted" if hunted else which_way(state)


def counted_out(codes: Sequence[int], sign: int) -> str:
    """The cards of a pile and their value, in words.

    >>> counted_out([AD, PACK.code["2h"]], -1)
    'A♦ 2♥ = −4'
    """
    return f"{pretty_all(PACK.faces[code] for code in codes)} = {figure(sign * value(codes, penalty=sign < 0))}"


def forfeited(points: int | None, red: bool | None) -> int | None:
    """The points of a game for a player: none above 0 with a red card left; None if unknown.

    >>> [forfeited(n, red) for n in (7, -2) for red in (True, False, None)]
    [0, 7, None, -2, -2, None]
    """
    if red is None or points is None:
        return None
    return min(points, 0) if red else points


def after(before: Standing, hand: HandScore, terms: Terms) -> Standing:
    """The standing: after n games the highest total wins; a tie is broken by the highest rabbit of the last game."""
    totals, games = add_points(before.totals, hand.points), before.hands + (hand.source in ("moves", "tally"))
    after = replace(before, totals=totals, hands=games)
    if games < terms.options.games:
        return after
    out = [seat for seat in terms.seats if terms.options.games == 1 and amount_in(RED_LEFT, hand, seat)]
    rabbits = {seat: amount_in(HIGHEST, hand, seat) for seat in terms.seats}
    won = sides_ahead(totals, rabbits, among=[seat for seat in terms.seats if seat not in out])
    return with_winners(after, won)


def missing(state: State[Hand]) -> Iterator[tuple[str, dict[str, Facts]]]:
    """Open questions: who had the ace of diamonds left, and the highest rabbits of players who are tied."""
    t, seats = tally(state), state.terms.seats
    if t.void or not (state.tallies or state.hand.over):
        return
    may_have = [seat for seat in seats if t.penalty[seat] is t.points[seat] is None and t.won[seat] is not None]
    lost = {seat: state.table.row(f"penalty:{seat}").codes() for seat in may_have if state.hand.over}
    if lost and max((code for codes in lost.values() for code in codes), default=0) < PACK.unknown:
        yield "who had the A♦ left", {
            seat: {"penalty": {seat: [*(PACK.faces[code] for code in codes), "Ad"]}} for seat, codes in lost.items()
        }
    known = [n for n in t.points.values() if n is not None]
    level = [seat for seat in seats if t.points[seat] == max(known)] if len(known) == len(seats) else []
    if len(level) > 1 and (asked := next((seat for seat in level if t.rabbit[seat] is None), "")):
        name = state.terms.name(asked)
        yield f"the highest rabbit of {name}", {rank: {"rabbit": {asked: rank}} for rank in (*SAID, "none")}


def penalties(state: State[Hand], breaches: Sequence[Breach]) -> Iterator[Penalty]:
    """Penalties: a red card that is left forfeits the game."""
    for breach in breaches:
        if breach.rule == "dingo.R11":
            who = state.terms.name(breach.by) if breach.by in state.terms.seats else "its holder"
            yield Penalty(breach.hand, breach.pos, breach.rule, {}, f"{who} forfeits the game")


# What may be done now
def headline(state: State[Hand]) -> dict[str, Any]:
    """The direction of the passes, or the hunted rank and the player of the dingo."""
    hand = state.hand
    if way := which_way(state):
        return {"pass": way}
    facts: dict[str, Any] = {"hunt": SAID[hand.hunt]} if hand.hunt >= 0 and not state.settled else {}
    return facts | ({"dingo": hand.dingo} if hand.dingo and state.phase in ("hunt", "aces") else {})


HUNTING = (Play, Pass, Name)
GAME = Game(
    key="dingo", name="Dingo", family="hunt", summary=summary_of(__doc__),
    seating=singles(4), pack=PACK,
    dealing=Dealing(deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=shuffle_and_deal),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=start,
    phases={
        "discarding": Phase(
            "throwing a card", (Discard,), "a card that is thrown (3s), no ace", to_do="throw a card", tries=(throws,),
            ignores_holdings=True,
        ),
        "passing": Phase(
            "passing a card on", (Move,), "a card that is passed on (. if it was not seen)", default_act=unseen_pass,
            to_do="pass a card on", tries=(passes_on,), ignores_holdings=True,
        ),
        "calling": Phase(
            "the next hunt", (Name, Play, Pass), "the rank that is called (5), or its heart at once (C 5h)",
            to_do="call a rank", bare=SAID, verb_required=(Pass,), tries=(next_rank,),
        ),
        "dingo": Phase(
            "the dingo", HUNTING, "the heart of the rank from its holder (C 5h), or the next rank",
            to_do="play the dingo", bare=SAID, verb_required=(Pass,), tries=(the_dingo,), awaits=the_dingo_of_anybody,
        ),
        "hunt": Phase(
            "the hunt", HUNTING, "a wolf (D 5c) or a pass (.); the next rank if all others pass",
            default_act=no_wolf, to_do="play a wolf or pass", bare=SAID, tries=(try_pass, a_wolf),
        ),
        "aces": Phase(
            "the hunt of the aces", HUNTING, "black aces, with the A♦ after both of them (AcAsAd), or a pass (.)",
            default_act=no_wolf, to_do="play aces or pass", bare=(), verb_required=(Name,),
            tries=(try_pass, in_the_last_hunt),
        ),
        "closing": Phase(
            "after the hunt of the aces", HUNTING, "the hands that are left (A show 2c9c), or the next game",
            bare=(), verb_required=(Name, Pass),
        ),
        "between": Phase("after the game", (Move,), "the next game", bare_shows=True),
    },
    on={**HUNTS, Discard: on_discard, Move: on_moved},
    tally=Tally, compute_tally=tally, score=score, after=after,
    sheet=hand_parts(result_text, called={HIGHEST: "", RED_LEFT: ""}, printed=("score pile", "penalty pile")),
    judging=Judging(penalties=penalties), omissions=Omissions(unwritten=unwritten, missing=missing),
    shorthand=Shorthand(
        expand=lambda state, event: (thrown_or_passed(ROLES.as_said(event), state),), implied_actor=dealer_calls,
    ),
    display=Display(
        headline=headline, last_outcome_text=latest_catch, contract=under_way,
        piles={
            "widow": Lies("stack", "beside", "all", "rabbits"), "discard": Lies("stack", "beside", "top"),
            "won": Lies("stack", "won", "all", "score pile"), "penalty": Lies("stack", "front", "all", "penalty pile"),
        },
    ),
)  # fmt: skip
