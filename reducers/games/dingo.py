"""Dingo: four players throw and pass cards until six are left, then hunt the diamonds rank by rank; the last wolf
catches the rabbit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from events.cards import one_by_one, pretty
from events.model import Deal, Discard, Event, Facts, Fault, Move, Name, Pass, Play, Show
from reducers import facts as fact
from reducers.page import (
    CONSEQUENCE, DUTY, RIGHT, Catalogue, CheckResult, DealSpec, Game, Dealing, Judging, Omissions, Shorthand, Display,
    HandScore, Law, ScoreLine, Phase, Points, Standing, State, TallyFacts, bounded, changing, Terms, try_pass,
    add_points, broken, counts_nothing, deals_next, figure, figures, HouseRules, hand_score, apply_reported_facts, pack,
    pretty_all, read_by_the_page, ensure_dealt, result_text, rule, shuffle_and_deal, singles,
    summary_of, unknown, GamesInMatch,
)  # fmt: skip
from reducers.scoring import with_winners
from reducers.piles import Lies
from reducers.rules import Breach
from reducers.scoring import Penalty
from reducers.words import hunts
from reducers.words.hunt_rules import (
    denied_in_the_last_hunt, each_card_goes_where_it_belongs, no_dingo_is_left, no_rank_is_left_out, plainly_in_order,
    ranks_are_called_in_order, the_dingo_comes_before_the_next_call, the_dingo_is_played_at_once,
    the_rabbit_after_all_wolves, who_may_pass, wolves_in_turn,
)  # fmt: skip
from reducers.words.hunts import (
    HUNTS, HuntHand, a_wolf, begins_another, calls_next, dealer_calls, in_the_last_hunt, latest_catch, lay_rabbits,
    next_rank, no_wolf, of_the_hunt, the_dingo, the_dingo_of_anybody, the_rabbits_lie_open,
)  # fmt: skip
from reducers.words.passing import (
    begin_rounds, cards_are_thrown_first, on_discard, on_passed, one_is_thrown_in_turn, passed_in_turn,
    passed_the_right_way, passes_on, thrown_or_passed, throws, unseen_pass, unwritten_rounds, which_way,
)  # fmt: skip
from reducers.words.scores import sides_ahead
from reducers.words.sheets import amount_in, hand_parts
from reducers.words.tallies import no_more_in_all
from reducers.words.reported_cards import (
    codes_listed, codes_told, last_word, list_of, named_twice, no_other_cards, of_one_only,
)  # fmt: skip

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
    rule("R1", EXCHANGE, DUTY, "Four times each seat throws one card, face up, the dealer first.", "throw a card",
         {Discard: one_is_thrown_in_turn, Move: cards_are_thrown_first}),
    rule("R2", EXCHANGE, DUTY, "An ace is never thrown; it may be passed on.", "no ace thrown"),
    rule("R3", EXCHANGE, DUTY, "Between these rounds each seat passes one card: first to the left, then across, then "
         "to the right.", "which way cards go", {Move: passed_the_right_way}),
    rule("R4", EXCHANGE, DUTY, "The dealer passes first, then the others clockwise; a card just received may be passed "
         "on.", "pass in turn", {Move: passed_in_turn}),
    rule("R5", HUNT, DUTY, "The dealer calls the ranks from two to king, one hunt after the other, and then the ace.",
         "call the ranks in order", {Name: ranks_are_called_in_order, Play: no_rank_is_left_out}),
    rule("R6", HUNT, DUTY, "Whoever holds the heart of the rank called, the dingo, plays it at once.",
         "play the dingo", {Name: the_dingo_comes_before_the_next_call, Play: the_dingo_is_played_at_once}),
    rule("R7", HUNT, DUTY, "After the dingo each other player, once and in turn, plays one black card of that rank, a "
         "wolf, or passes; the player of the dingo adds none.", "wolves in turn",
         {Play: wolves_in_turn, Pass: who_may_pass}),
    rule("R8", ACES_HUNT, DUTY, "The ace of diamonds is played only in the hunt of the aces, in its holder's turn, and "
         "after both black aces.", "the A♦ after both wolves", {Play: the_rabbit_after_all_wolves}),
    rule("R9", ACES_HUNT, RIGHT, "In the hunt of the aces a seat may play one black ace in its turn, or both.",
         "one wolf or both",
         {Fault: denied_in_the_last_hunt("wolf", "in the hunt of the aces a seat may play both black aces")}),
    rule("R10", ACES_HUNT, RIGHT, "Whoever played the ace of hearts has a turn at the end, for black aces and the ace "
         "of diamonds.", "a last turn",
         {Fault: denied_in_the_last_hunt("last", "has a turn at the end of the hunt of the aces", of_the_dingo=True)}),
    rule("R11", SCORING, DUTY, "At the end no player may have a red card left except the ace of diamonds; a player "
         "who has one forfeits the game.", "no red card left", {Show: no_dingo_is_left}),
    rule("R12", SETUP, CONSEQUENCE, "The diamonds from two to king lie open, the two on top; each seat is dealt ten of "
         "the other forty cards.", "the deal", {Deal: the_rabbits_lie_open}),
    rule("R13", HUNT, CONSEQUENCE, "The last wolf catches the rabbit, and the dingo's player keeps the dingo and the "
         "wolf before it; a dingo without a wolf counts against its player. In the hunt of the aces each keeps what "
         "each has played.", "who has the cards", {Move: each_card_goes_where_it_belongs}),
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
    """The record of one game of Dingo. `reducers.words.passing` describes the fields of the rounds before the hunts,
    `reducers.words.hunts` those of the hunts."""

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
    begin_rounds(state)
    return hand


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


RULES.unless(plainly_in_order, Play)


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
    if may_have and state.hand.over:
        lost = {seat: [PACK.faces[c] for c in state.table.row(f"penalty:{seat}").codes()] for seat in may_have}
        yield "who had the A♦ left", {seat: {"penalty": {seat: [*cards, "Ad"]}} for seat, cards in lost.items()}
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
def expand_shorthand(state: State[Hand], event: Event) -> tuple[Event, ...]:
    """The meaning of a bare card: thrown or passed on, if that is to be done; a rank is called as it is said."""
    return (thrown_or_passed(ROLES.as_said(event), state),)


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
    shorthand=Shorthand(expand=expand_shorthand, implied_actor=dealer_calls),
    display=Display(
        headline=headline, last_outcome_text=latest_catch, contract=under_way,
        piles={
            "widow": Lies("stack", "beside", "all", "rabbits"), "discard": Lies("stack", "beside", "top"),
            "won": Lies("stack", "won", "all", "score pile"), "penalty": Lies("stack", "front", "all", "penalty pile"),
        },
    ),
)  # fmt: skip
