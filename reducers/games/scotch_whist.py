"""Scotch Whist: two to seven players, each alone, catch the ten of trumps and the other honours; 41 points win."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from events.model import Deal, Move, Play
from events.model import Hand as HandEvent
from reducers.page import (
    begin_with, CONSEQUENCE, DUTY, GLYPHS, SUITS, Catalogue, DealSpec, Game, Dealing, MatchRules, Shorthand, Display,
    HandScore, Law, ScoreLine, Phase, Points, Standing, State, TallyFacts, Terms, add_points, bounded, choice,
    player_columns, contract, counts, counts_nothing, HouseRules, Joiner, Leaver, deal_passes_on, deals_next,
    hand_score, try_lead_or_follow, apply_reported_facts, pack, pretty, ranking, ensure_dealt, rule, seat,
    shuffle_and_deal, singles, summary_of, unasked,
)  # fmt: skip
from reducers.scoring import with_winners
from reducers.words.act_batches import plays_in_order
from reducers.words.trick_play import (
    winner_leads_next, dealers_next_leads_first, trick_counts, tricks_of_each, just_taken, must_follow_suit,
    one_card_in_turn, side_with, suit_led, winner_gathers,
)  # fmt: skip
from reducers.words.turned_trumps import (
    TURNED_TRUMPS, TurnedHand, card_of_trumps, dealt_as_many, first_seat_leads, only_the_dealers_last,
    trumps_are_turned_up_first,
)  # fmt: skip

# Setup
RANKS = "A K Q J 10 9 8 7 6"
PACK, SHORT = pack(RANKS), pack(RANKS, minus="6c")
# Number of cards for each player, by the number of players; four are usual.
SHARES = {4: 9, 2: 18, 3: 12, 5: 7, 6: 6, 7: 5}
DEAL = DealSpec(each=SHARES[4], shares=SHARES, last_up=True)

# Card ranking: the jack of trumps is the highest card.
PLAIN, TRUMPS = ranking(RANKS), ranking("J A K Q 10 9 8 7 6")
# Points for capturing trumps; the ten is scored before the cards, the others after them, in this order.
TEN, HONOURS = 10, {"A": 4, "K": 3, "Q": 2, "J": 11}


class Options(HouseRules, frozen=True):
    """House rules of Scotch Whist."""

    target: Annotated[int, Meta(ge=1, le=999, description="points that win the match")] = 41
    joiner: Joiner = "nothing"
    leaver: Leaver = "out"


SETUP, RANKING, PLAY, SCORING = "Setup", "Card ranking", "Play of the hand", "Scoring"
RULES = Catalogue(
    "scotch-whist",
    rule("R1", SETUP, CONSEQUENCE, "The pack has 36 cards, six to ace, and without the six of clubs with five or "
         "seven players; all of it is dealt.", "the deal", {Deal: dealt_as_many}),
    rule("R2", SETUP, CONSEQUENCE, "The dealer's last card is turned up: its suit is trumps, and it stays in the "
         "dealer's hand.", "the card turned up",
         {Deal: only_the_dealers_last, Play: trumps_are_turned_up_first}),
    rule("R3", PLAY, DUTY, "The dealer's left leads to the first trick.", "first lead"),
    rule("R4", PLAY, DUTY, "Each seat in turn, clockwise, plays one card to a trick.",
         "play in turn", {Play: one_card_in_turn}),
    rule("R5", PLAY, DUTY, "A seat that holds the suit led plays it; a seat that does not may play any card. The jack "
         "of trumps is a card of its suit like the others.", "follow suit", {Play: must_follow_suit}),
    rule("R6", RANKING, CONSEQUENCE, "The highest trump wins the trick, the jack before the ace; without a trump the "
         "highest card of the suit led.", "who wins", {Move: winner_gathers}),
    rule("R7", PLAY, DUTY, "The winner of a trick leads to the next; the hands are played out.", "lead"),
    rule("R8", SCORING, CONSEQUENCE, "The ten of trumps counts 10, each card taken beyond the number dealt 1, the "
         "ace of trumps 4, the king 3, the queen 2, the jack 11; they go to the player who took them.", "points"),
    rule("R9", SCORING, CONSEQUENCE, "In this order they are scored, and the first with 41 wins the match.",
         "the match"),
    rule("R10", SCORING, DUTY, "The deal passes to the left.", "the deal passes", {HandEvent: deal_passes_on}),
)  # fmt: skip

READINGS = {
    "Is 41 reached or exceeded?": "reached: a player with 41 has won, and comes before those who cross it later",
    "Two who get there with their cards at once": "the higher sum at that moment wins, then the higher one at the end "
    "of the hand; if that is level too, they share the match",
    "Fewer cards taken than dealt": "count nothing, and cost nothing",
    "A player without a trick": "has no points in the hand, and plays on",
    "Does a match end in the middle of a hand?": "no, the hand is played out and then scored",
    "Which card is removed with five or seven players?": "the six of clubs, whatever trumps are",
    "When is the card that was turned up taken up?": "that is not said; all players know it until it is played",
    "How is it recorded?": "as a card dealt face up to the dealer; an upcard, or a card that the dealer shows before "
    "the first lead, is the same",
    "Partners": "there are none; each player plays alone",
    "Which way does the play go round?": "to the left, as the deal does",
    "A revoke": "has no price in this text",
}
WORDS = {
    "revoke": "fault: the table saw that a seat had not followed suit, and went on",
}


# Play of the hand
RULES.check("R3", Play)(dealers_next_leads_first)
RULES.check("R7", Play)(winner_leads_next)
# Scoring
def share(terms: Terms) -> int:
    """Number of cards that each player is dealt, which is the number of tricks."""
    return SHARES[len(terms.seats)]


def a_captor_without_a_trick(known: Mapping[str, Any], state: State[TurnedHand]) -> str:
    """Return an error text if a player has more honours than cards, or cards that make no whole tricks, else ""."""
    size = len(state.terms.seats)
    for who in state.terms.seats:
        tricks, cards = known.get(f"tricks.{who}"), known.get(f"cards.{who}")
        if type(cards) is int and (cards % size or (type(tricks) is int and cards != tricks * size)):
            return f"{who} cannot have {cards} cards: each trick has {size}"
        honours = [key for key, captor in known.items() if key.startswith("captor.") and captor == who]
        if honours and 0 in (tricks, cards):
            card = {"10": "ten", "A": "ace", "K": "king", "Q": "queen", "J": "jack"}[honours[0].partition(".")[2]]
            return f"{who} cannot have the {card} of trumps without a trick"
        room = cards if type(cards) is int else tricks * size if type(tricks) is int else len(honours)
        if len(honours) > room:
            return f"{who} cannot have {len(honours)} honours of trumps among {room} cards"
    return ""


def captor(rank: str, name: str) -> Any:
    """Field of a tally: the player who took this honour of trumps."""
    return bounded(lambda state: {"": who_took(rank.replace("10", "T"), state)}, seat(
        f"who took the {name} of trumps", key=f"captor.{rank}", rule="R8", asks=f"who took the {name} of trumps",
        ruling=f"who gets the {name} of trumps",
    ))  # fmt: skip


def who_took(rank: str, state: State[TurnedHand]) -> str | None:
    """The side that took an honour of trumps; None while unknown."""
    code = state.game.pack.code.get(rank + state.hand.trump)
    return None if code is None else side_with(code, state)


class Tally(TallyFacts):
    """What a hand of Scotch Whist is scored from."""

    ten: str = captor("10", "ten")
    tricks: Points = trick_counts("player", share, "R7")
    cards: Points = unasked(counts(
        "cards taken by a player, in place of tricks", of=lambda terms: len(terms.seats) * share(terms), rule="R7"
    ))
    ace: str = captor("A", "ace")
    king: str = captor("K", "king")
    queen: str = captor("Q", "queen")
    jack: str = captor("J", "jack")
    trump: str = choice("suit that was trumps", *SUITS, rule="R2")

    laws = (Law(("tricks", "cards", "captor"), a_captor_without_a_trick, "R8"),)

    def captor_of(self, rank: str) -> str:
        """The player who took this honour; "" if unknown."""
        named: dict[str, str] = {"T": self.ten, "A": self.ace, "K": self.king, "Q": self.queen, "J": self.jack}
        return named[rank]


def tally(state: State[TurnedHand]) -> Tally:
    hand, tricks = state.hand, state.hand.trick
    out = Tally(tricks=tricks_of_each(state), trump=hand.trump)
    if len(tricks.won) == tricks.total and not tricks.lost:
        for rank, name in (("T", "ten"), ("A", "ace"), ("K", "king"), ("Q", "queen"), ("J", "jack")):
            setattr(out, name, who_took(rank, state) or "")
    apply_reported_facts(out, state)
    size = len(state.terms.seats)
    for who, n in out.cards.items():
        if n is not None and out.tricks.get(who) is None:
            out.tricks[who] = n // size
    return out


def steps(t: Tally, terms: Terms) -> Iterator[ScoreLine]:
    """The parts of a score in the order in which they are scored, with the points of each player; None if unknown."""
    yield honour(t, "T", TEN, terms)
    size, dealt = len(terms.seats), share(terms)
    taken = {who: None if n is None else n * size for who, n in t.tricks.items()}
    cards: Points = {who: None if n is None else n - dealt for who, n in taken.items() if n is None or n > dealt}
    yield ScoreLine("cards", cards, {who: f"{taken[who]} cards − {dealt} = {n}" for who, n in cards.items() if n})
    for rank, points in HONOURS.items():
        yield honour(t, rank, points, terms)


def honour(t: Tally, rank: str, points: int, terms: Terms) -> ScoreLine:
    """Line with the points of the captor of an honour."""
    who = t.captor_of(rank)
    name = pretty(rank + t.trump) if t.trump else f"{'10' if rank == 'T' else rank} of trumps"
    return (
        ScoreLine(name, {who: points}, {who: f"{name}: {points}"})
        if who
        else ScoreLine(name, dict.fromkeys(terms.seats))
    )


def first_there(before: Points, lines: tuple[ScoreLine, ...], target: int) -> tuple[str, ...]:
    """The first to reach the target as the parts are scored; several only if they are level in everything.

    >>> ten, cards = ScoreLine("T", {"A": 10, "B": 0}), ScoreLine("cards", {"A": 0, "B": 12})
    >>> first_there({"A": 31, "B": 40}, (ten, cards), 41), first_there({"A": 30, "B": 40}, (ten, cards), 41)
    (('A',), ('B',))
    """
    running, last = before, before
    for line in lines:
        last = add_points(last, line.amounts)
    for line in lines:
        running = add_points(running, line.amounts)
        if None in running.values():
            return ()
        there = {who: (n, last[who] or 0) for who, n in running.items() if n is not None and n >= target}
        if there:
            return tuple(who for who, sums in there.items() if sums == max(there.values()))
    return ()


def score(state: State[TurnedHand]) -> HandScore:
    t, terms = tally(state), state.terms
    trumps = pretty(state.hand.turned) if state.hand.turned and not state.tallies else GLYPHS.get(t.trump, "")
    if nothing := counts_nothing(state, t.void, contract=trumps, unfinished=None in t.tricks.values()):
        return nothing
    lines = tuple(steps(t, terms))
    points: Points = dict.fromkeys(terms.seats, 0)
    for line in lines:
        points = add_points(points, line.amounts)
    missing = ["who took how many tricks"] if None in t.tricks.values() else []
    missing += [f"who took the {line.label}" for line in lines if line.label != "cards" and not line.sums]
    won = first_there(state.before.totals, lines, terms.options.target)
    shared = (f"{' and '.join(map(terms.name, won))} share the match",) if len(won) > 1 else ()
    return hand_score(state, points, lines, contract=trumps, notes=shared, unknown=missing)


def after(before: Standing, hand: HandScore, terms: Terms) -> Standing:
    """Add a hand to the standing. The first at the target, in the order of scoring, has won."""
    totals = add_points(before.totals, hand.points)
    there = tuple(who for who, n in totals.items() if n is None or n >= terms.options.target)
    alone = len(there) == 1 and totals[there[0]] is not None
    won = there if alone else first_there(before.totals, hand.lines, terms.options.target)
    after = replace(before, totals=totals, hands=before.hands + 1)
    return with_winners(after, won) if won else after


GAME = Game(
    key="scotch-whist", name="Scotch Whist", family="tricks", summary=summary_of(__doc__),
    seating=singles(*SHARES), pack=PACK,
    dealing=Dealing(
        deal=DEAL, lay_deal=ensure_dealt, next_dealer=deals_next, chance=shuffle_and_deal,
        packs=lambda terms: SHORT if len(terms.seats) in (5, 7) else PACK,
    ),
    options=Options, rules=RULES, readings=READINGS, words=WORDS,
    start=begin_with(first_seat_leads, lambda state: TurnedHand(state, PLAIN, TRUMPS)),
    phases={
        "play": Phase(
            "play", (Play,), "a card", to_do="play", one_card=True, tries=(try_lead_or_follow,),
            apply_batch=plays_in_order,
        ),
    },
    on=TURNED_TRUMPS,
    tally=Tally, compute_tally=tally, score=score, after=after, match=MatchRules(open_table=True),
    sheet=player_columns({"trumps": contract}),
    shorthand=Shorthand(led=suit_led),
    display=Display(
        headline=lambda state: {"trump": state.hand.trump} if state.hand.trump else {}, last_outcome_text=just_taken,
        contract=card_of_trumps,
    ),
)  # fmt: skip
