"""Poke: two players draw to a hand of poker and take tricks with it, for points below the line and above it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from events.cards import how_many
from events.model import Deal, Discard, Draw, Fault, Gap, Move, Pass, Play
from events.model import Hand as HandEvent
from reducers.model import HandRecord
from reducers.page import (
    CONSEQUENCE, DUTY, RIGHT, WHO_DEALS, Catalogue, CheckResult, Dealt, Game, HandScore, Law, Line, Phase, Points,
    Standing, State, TallyFacts, Terms, a_pass, as_many_as_dealt, broken, choice, counts, counts_nothing,
    deal_passes_on, deals_next, figures, hand_score, left_open, overlaid, pack, plus, ready, rule, shuffle_and_deal,
    side, singles, summary_of, unknown, why_void,
)  # fmt: skip
from reducers.piles import Lies
from reducers.words.contract import DOUBLED, Rubber, entry, higher, new_rubber, sum_of
from reducers.words.exchange import (
    Exchange, as_many_are_drawn, cards_are_changed_in_turn, discarded_unwritten, discarding, discards_down,
    drawn_unwritten, draws_as_many, draws_for_them, is_late, keeps_all, meant_to_be_changed, next_draw, not_written,
)  # fmt: skip
from reducers.words.pad import Pad
from reducers.words.poker import KINDS, in_words, poker_hand
from reducers.words.sets import (
    SetTricks, as_many_as_led, each_set, led_of_one_rank, on_gap, play_in_turn, play_sets, whole_set_is_led,
)  # fmt: skip
from reducers.words.trick_play import first_lead, lay_out, winner_gathers
from reducers.words.tricks import gathered_by

# Setup
PACK = pack("A K Q J 10 9 8 7 6 5 4 3 2")
DEAL = Dealt(each=5, rest="stock")
# The draw: so many cards at once; how often the dealer's opponent draws, and the dealer, whose first draw is free.
AT_ONCE, DRAWS, DEALER_DRAWS, FREE = 3, 2, 3, 1
# Scoring
HONOURS = dict(zip(KINDS, (0, 50, 100, 200, 300, 400, 500, 600, 750, 1000), strict=True))
ALL_FIVE, GAME_BONUS, GAMES, RUBBER = 250, 100, 2, {0: 750, 1: 500}


class Options(Struct, frozen=True):
    """House rules of Poke."""

    game_target: Annotated[int, Meta(ge=1, le=999, description="points below the line that win a game")] = 20
    partial_set_leads: Annotated[bool, Meta(description="a part of a set may be led, as two of three kings")] = True
    wheel_straight: Annotated[bool, Meta(description="an ace may be the lowest card of a straight")] = True


DRAWING, PLAY, SCORING, RUBBERS = "The draw", "Play of the hand", "Scoring", "Game and rubber"
RULES = Catalogue(
    "poke",
    rule("R1", DRAWING, DUTY, "A draw changes one to three cards for as many of the stock; the dealer's opponent draws "
         "twice at the most.", "the draw", {Draw: as_many_are_drawn}),
    rule("R2", DRAWING, DUTY, "The dealer draws after the opponent, three times at the most; whoever has stood draws "
         "no more.", "who draws"),
    rule("R3", PLAY, DUTY, "The dealer's opponent leads first, then the winner of each trick.", "lead",
         {Play: first_lead}),
    rule("R4", PLAY, DUTY, "One card is led, or two to four of one rank.", "lead a set", {Play: led_of_one_rank}),
    rule("R5", PLAY, DUTY, "A lead is answered with as many cards.", "as many cards", {Play: as_many_as_led}),
    rule("R6", PLAY, RIGHT, "Any cards may answer a lead: nobody has to follow suit, to beat it, or to keep a pair "
         "together.", "any cards"),
    rule("R7", PLAY, CONSEQUENCE, "The higher card wins, of equal ones the one that was led; several are beaten by as "
         "many of one higher rank alone. As many tricks are won as cards were led.", "who wins",
         {Move: winner_gathers}),
    rule("R8", PLAY, DUTY, "The players play in turn.", "play in turn", {Play: play_in_turn}),
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
    "Two hands that are equal at poker": "nobody scores for them; suits are no matter",
    "No pair in either hand": "scores nothing",
    "Ace, two, three, four, five": "is a straight, the lowest one; option wheel_straight=no",
    "Is the bonus of 100 for the first game alone?": "no, each game that is won gets it",
    "Points below the line at the end": "count for the games alone; the rubber is decided above the line",
    "Which hands are compared?": "those held when the play begins, so the cards played",
    "Who deals first?": "that is told before the match; the deal goes on in turn from game to game",
    "Equal totals at the end": "are a tie",
    "A stand that nobody wrote": "follows from what comes next, if that player had drawn before",
}
WORDS = {
    "revoke": "fault: the table took an answer to a lead for one that is not allowed, and went on",
    "void": "end: the hand does not count",
    "misdeal": "end: the hand is dealt again",
}


class Hand(HandRecord):
    """A hand in play: the draws, the tricks, who has stood; `blurred` are those who drew nobody knows how often."""

    __slots__ = ("blurred", "exchange", "stood", "trick")

    def __init__(self, state: State[Any]) -> None:
        self.exchange, self.trick = Exchange(), SetTricks(state, DEAL.each)
        self.stood: set[str] = set()
        self.blurred: set[str] = set()


def start(state: State[Hand]) -> Hand:
    lay_out(state)
    state.phase, state.turn = "exchanging", (state.terms.after(state.dealer),)
    return Hand(state)


# The draw
def most_draws(seat: str, state: State[Hand]) -> int:
    return DEALER_DRAWS if seat == state.dealer else DRAWS


def stands(seat: str, state: State[Hand]) -> None:
    """A player has done drawing; after the dealer the cards are played."""
    state.hand.stood.add(seat)
    if seat == state.dealer:
        state.phase, state.turn = "play", (state.terms.after(seat),)
    else:
        state.phase, state.turn = "exchanging", (state.dealer,)


def one_more_draw(seat: str, state: State[Hand]) -> None:
    """A draw is done; the player may draw again, or stand."""
    if state.hand.exchange.times.get(seat, 0) >= most_draws(seat, state):
        stands(seat, state)
    else:
        state.phase, state.turn = "exchanging", (seat,)


def make_good(seat: str, state: State[Hand]) -> None:
    """What nobody wrote before this player goes on: cards that were drawn, and that the other one stood."""
    hand = state.hand
    if state.phase == "drawing":
        before = hand.exchange.seat
        drawn_unwritten(state)
        one_more_draw(before, state)
    if state.phase == "exchanging" and seat == state.dealer and seat not in state.turn:
        leave_open(state.turn[0], state)


def leave_open(seat: str, state: State[Hand]) -> None:
    """A player went on to something else without a word; if it has not drawn, nobody knows whether it did."""
    if not state.hand.exchange.times.get(seat):
        not_written(seat, state)
        state.hand.blurred.add(seat)
    stands(seat, state)


def on_discard(discard: Discard, state: State[Hand]) -> None:
    ready(state)
    if not state.hand.trick.lost:
        make_good(discard.by, state)
    discards_down(discard, state)


def on_draw(draw: Draw, state: State[Hand]) -> None:
    ready(state)
    if state.phase == "exchanging" and not is_late(draw, state):
        make_good(draw.by, state)
        discarded_unwritten(draw, state)
    if draws_for_them(draw, state):
        one_more_draw(draw.by, state)


def on_pass(act: Pass, state: State[Hand]) -> None:
    ready(state)
    if state.hand.trick.lost:
        return
    if state.phase == "drawing" or act.by not in state.hand.stood:
        make_good(act.by, state)
    if state.phase == "exchanging" and act.by in state.turn:
        keeps_all(act, state)
        stands(act.by, state)


def on_play(play: Play, state: State[Hand]) -> None:
    ready(state)
    if not state.hand.trick.lost:
        while state.phase in ("exchanging", "drawing"):
            make_good(state.dealer, state)
            if state.phase == "exchanging":
                leave_open(state.turn[0], state)
    play_sets(play, state)


@RULES.check("R1", Discard)
def one_to_three_cards(discard: Discard, state: State[Hand]) -> CheckResult | None:
    many = how_many(discard.cards)
    if many is None:
        return unknown("how many cards were discarded; nobody counted")
    if many > AT_ONCE:
        return broken(f"{AT_ONCE} cards at the most are changed at once")
    return too_often(discard, state) if discard.by != state.dealer else None


@RULES.check("R2", Discard, Draw, Pass)
def one_after_the_other(act: Discard | Draw | Pass, state: State[Hand]) -> CheckResult | None:
    times, most = state.hand.exchange.times.get(act.by, 0), most_draws(act.by, state)
    if isinstance(act, Pass) and times >= most and not state.hand.trick.won:
        # Who has drawn for the last time may say so.
        return None
    if isinstance(act, Discard) and act.by in state.hand.stood and state.phase != "play" and times < most:
        return broken(f"{act.by} stood before this")
    if isinstance(act, Discard) and state.phase != "play" and act.by == state.dealer and times >= most:
        return too_often(act, state)
    return cards_are_changed_in_turn(act, state)


def too_often(discard: Discard, state: State[Hand]) -> CheckResult | None:
    times, most = state.hand.exchange.times.get(discard.by, 0), most_draws(discard.by, state)
    if times < most:
        return None
    if state.guessed:
        return unknown(WHO_DEALS)
    return broken(f"{discard.by} has drawn {'twice' if most == DRAWS else 'three times'} already")


@RULES.check("R2", Play, when="exchanging drawing")
def the_draw_is_over(play: Play, state: State[Hand]) -> CheckResult | None:
    hand = state.hand
    last = hand.exchange.seat if state.phase == "drawing" else state.turn[0]
    if last == state.dealer and hand.exchange.times.get(last):
        return None
    return unknown(f"whether {last} had drawn or stood: that may be missing from the record")


# Play of the hand
@RULES.check("R4", Play)
def the_whole_set(play: Play, state: State[Hand]) -> CheckResult | None:
    return None if state.terms.options.partial_set_leads else whole_set_is_led(play, state)


@RULES.check("R6", Fault)
def any_cards_may_answer(fault: Fault, state: State[Hand]) -> CheckResult | None:
    return broken("any cards may answer a lead, if they are as many") if fault.word == "revoke" else None


# Scoring
def better_with_a_pair(known: Mapping[str, Any], state: State[Hand]) -> str:
    """Nobody has the better hand if there is nothing to score for."""
    if known.get("class") == "none" and known.get("better"):
        return "a hand without a pair scores nothing, whoever has it"
    return ""


class Tally(TallyFacts):
    """What a hand of Poke is scored from."""

    tricks: Points = counts(
        "tricks taken by a player", of=DEAL.each, rule="R7", asks="who took how many tricks",
        ruling="tricks that a player gets, or gives with a minus",
    )  # fmt: skip
    multiplier: Points = figures(
        "what each trick of the other counts for the draws of this player", only=(1, 2, 4), rule="R9",
    )  # fmt: skip
    better: str | None = side("player with the better hand at poker", rule="R10")
    kind: str = choice("what that hand is", *KINDS, key="class", rule="R10", asks="what the better hand was")
    void: str = why_void("misdeal: the hand does not count")

    laws = (Law(("class", "better"), better_with_a_pair, "R10"),)


def tally(state: State[Hand]) -> Tally:
    """The tally of the hand in play: from its moves, overlaid by what a `tally` or a ruling says."""
    hand, terms = state.hand, state.terms
    nobody: Points = dict.fromkeys(terms.sides)
    out = Tally(tricks=nobody, multiplier=dict(nobody))
    if state.settled and not state.cut and hand.trick.won and not hand.trick.lost:
        out.tricks = hand.trick.taken_by(terms.side_of)
        out.multiplier = {seat: multiplier(seat, state) for seat in terms.seats}
        out.better, out.kind = better_hand(state)
    return overlaid(out, state)


def multiplier(seat: str, state: State[Hand]) -> int | None:
    """What a trick of the other player counts: the dealer's first draw is free."""
    if seat in state.hand.blurred or state.guessed:
        return None
    times = state.hand.exchange.times.get(seat, 0) - (FREE if seat == state.dealer else 0)
    # A draw too many is against the rules, and doubles nobody again.
    return 1 << min(2, max(0, times))


def better_hand(state: State[Hand]) -> tuple[str | None, str]:
    """Who has the better hand at poker, and what it is; nothing while cards are not known."""
    held: dict[str, list[int]] = {seat: list(PACK.codes(state.holding(seat).certain)) for seat in state.terms.seats}
    for trick in state.hand.trick.won:
        for seat, code in trick.plays:
            held[seat].append(code)
    if any(len(codes) != DEAL.each or max(codes) >= PACK.unknown for codes in held.values()):
        return None, ""
    wheel = state.terms.options.wheel_straight
    rated = {seat: poker_hand([PACK.faces[code] for code in codes], wheel=wheel) for seat, codes in held.items()}
    one, other = state.terms.seats
    if rated[one] == rated[other]:
        return None, "none"
    best = max(rated, key=lambda seat: rated[seat])
    name = rated[best].name
    return (None if name == "none" else best), name


def game_won(before: Rubber, lines: tuple[Line, ...], target: int) -> str | None:
    """Who wins a game with these entries, empty if nobody does; None if that cannot be told."""
    below = {who: plus(n, sum_of(lines, who, "below")) for who, n in before.below.items()}
    known = [n for n in below.values() if n is not None]
    if len(known) < len(below):
        return None
    best = [who for who, n in below.items() if n == max(known)]
    return best[0] if len(best) == 1 and max(known) >= target else ""


def bonuses(before: Rubber, lines: tuple[Line, ...], target: int) -> Iterator[Line]:
    """What a game that is won brings above the line."""
    who = game_won(before, lines, target)
    won = {one: n for one, n in before.games.items() if n is not None}
    if who is None or (who and len(won) < len(before.games)):
        yield Line("game", dict.fromkeys(before.games), {}, "above")
    elif who:
        yield entry("game", who, GAME_BONUS, f"game: {GAME_BONUS}")
        if won[who] == GAMES - 1:
            lost = next(n for one, n in won.items() if one != who)
            text = f"rubber, two games to {'one' if lost else 'none'}: {RUBBER[lost]}"
            yield entry("rubber", who, RUBBER[lost], text)


def entries(t: Tally, terms: Terms) -> Iterator[Line]:
    """What the hand itself brings, below the line and above it."""
    one, other = terms.seats
    points: Points = {}
    sums: dict[str, str] = {}
    for who, opponent in ((one, other), (other, one)):
        n, times = t.tricks.get(who), t.multiplier.get(opponent)
        points[who] = 0 if n == 0 else None if n is None or times is None else n * times
        if n and times:
            more = f" × {times}, {DOUBLED[times]}" if times > 1 else ""
            sums[who] = f"{n} trick{'s' * (n > 1)}{more}: {n * times}"
    yield Line("tricks", points, sums, "below")
    if t.kind and HONOURS[t.kind] and t.better:
        yield entry("honours", t.better, HONOURS[t.kind], f"{in_words(t.kind)}: {HONOURS[t.kind]}")
    elif t.kind != "none":
        yield Line("honours", dict.fromkeys(terms.sides), {}, "above")
    for who, n in t.tricks.items():
        if n == DEAL.each:
            yield entry("all five tricks", who, ALL_FIVE, f"all five tricks: {ALL_FIVE}")
    if None in t.tricks.values():
        yield Line("all five tricks", dict.fromkeys(terms.sides), {}, "above")


def score(state: State[Hand]) -> HandScore:
    """What the hand in play is worth as far as it was recorded, with the game or rubber that it wins."""
    t, terms, before = tally(state), state.terms, state.before
    assert isinstance(before, Rubber)
    doubled = ", ".join(f"{terms.name(who)} {DOUBLED[n]}" for who, n in t.multiplier.items() if n and n > 1)
    nothing = counts_nothing(state, t.void, contract=doubled, unfinished=None in t.tricks.values())
    if nothing is not None:
        return nothing
    lines = tuple(entries(t, terms))
    lines += tuple(bonuses(before, lines, terms.options.game_target))
    points: Points = {who: sum_of(lines, who, "above") for who in terms.sides}
    missing = {
        "who took how many tricks": None in t.tricks.values(),
        "how often each drew": None in t.multiplier.values(),
        "what the better hand was": not t.kind or (t.kind != "none" and t.better is None),
        "how the games stand": None in (*before.below.values(), *before.games.values()),
    }
    said = "–".join(str(n) for n in t.tricks.values()) if None not in t.tricks.values() else ""
    best = f"{terms.name(t.better)} {in_words(t.kind)}" if t.better and t.kind not in ("", "none") else ""
    return hand_score(
        state, points, lines, contract=doubled, result=", ".join(filter(None, (said, best))),
        unknown=[what for what, lacking in missing.items() if lacking],
    )


def after(before: Standing, hand: HandScore, terms: Terms) -> Rubber:
    """A game that is won clears what stood below the line; the second one ends the rubber."""
    assert isinstance(before, Rubber)
    if before.over or hand.source == "void":
        return before
    lines = hand.lines
    if not lines and None in hand.points.values():
        lines = tuple(Line("", dict.fromkeys(before.totals), {}, column) for column in ("above", "below"))
    who = game_won(before, lines, terms.options.game_target)
    above = {side: plus(n, sum_of(lines, side, "above")) for side, n in before.above.items()}
    below = {side: plus(n, sum_of(lines, side, "below")) for side, n in before.below.items()}
    games = dict(before.games) if who is not None else dict.fromkeys(before.games)
    if who:
        below, games[who] = dict.fromkeys(below, 0), plus(games[who], 1)
    over = GAMES in games.values()
    return replace(
        before, totals=above, above=above, below=below, games=games, over=over, winner=higher(above) if over else "",
        hands=before.hands + (hand.source != "nothing"),
    )


def on_the_line(state: State[Hand]) -> dict[str, Any]:
    """Who is doubled, and how the game stands, for whoever looks at the table."""
    before = state.before
    drawn = {seat: DOUBLED[n] for seat in state.terms.seats if (n := multiplier(seat, state)) and n > 1}
    below = getattr(before, "below", {})
    stands = " ".join(f"{who} {n}" for who, n in below.items() if n)
    return {**drawn, "below the line": stands} if stands else drawn


CHANGES = (Discard, Draw, Pass, Play)
GAME = Game(
    key="poke", name="Poke", summary=summary_of(__doc__), players="2, each alone",
    seating=singles(2), pack=PACK, deal=DEAL, options=Options, rules=RULES, readings=READINGS,
    tally=Tally, told=tally, words=WORDS,
    phases={
        "exchanging": Phase(
            "draw", CHANGES, "cards to change, or a pass", to_do="draw or stand", verbed=(Draw, Play),
            quiet=lambda state: Pass(by=state.turn[0]) if state.turn else None, tries=(a_pass, discarding(AT_ONCE)),
        ),
        "drawing": Phase(
            "draw", CHANGES, "the cards drawn", to_do="draw", verbed=(Discard, Play), quiet=next_draw,
            tries=(draws_as_many,),
        ),
        "play": Phase(
            "play", CHANGES, "one card, or several of a rank", to_do="play", verbed=(Discard, Draw), tries=(each_set,),
        ),
        "gap": Phase("after a gap", CHANGES, "whatever comes next", to_do="go on"),
    },
    start=start,
    on={
        Discard: on_discard, Draw: on_draw, Pass: on_pass, Play: on_play, Move: gathered_by, Gap: on_gap,
    },
    score=score,
    after=after,
    new_match=lambda terms: new_rubber(terms.sides),
    next_dealer=deals_next,
    sheet=Pad(("WE", "THEY")),
    chance=shuffle_and_deal,
    weigh=lambda state, act: 12.0 if isinstance(act, Pass) else 1.0,
    piles={"discard": Lies("stack", "beside", "nobody")},
    verbs={Pass: "stands"},
    usual=lambda state, event: (meant_to_be_changed(event, state),),
    headline=on_the_line,
    latest=lambda state: state.hand.trick.just_taken(state.at),
    missing=left_open,
)  # fmt: skip
