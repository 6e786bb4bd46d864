"""What a page hands in: one `Game`, and the registry that finds it by name.

A page is data and a few functions in the game's own words. Everything that is the same for all games (opening the
match, a new hand, an agreed end, claims, results without moves) is folded here once.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from events.cards import Pack, pretty
from events.errors import NotFoundError, UnreadableError
from events.model import (
    ABOUT,
    Claim,
    Confirm,
    Deal,
    End,
    Event,
    Facts,
    Gap,
    Hand,
    Move,
    Open,
    Pay,
    Show,
    Shuffle,
    Tally,
)
from reducers.facts import Fact, Law, last_words
from reducers.rules import Breach, Catalogue, Check, CheckFunction
from reducers.scoring import HandScore, Penalty, Standing
from reducers.sheet import Sheet
from reducers.state import ClaimMade, State, Terms
from reducers.table import Trouble

Evolve: TypeAlias = Callable[[Any, Any], None]


class Seating(Struct, frozen=True):
    """Who sits where: the seats of each size of table, clockwise, and the sides they form.

    `sizes` maps the number of seats to the default seats; `sides` names the sides of that table.
    """

    sizes: Mapping[int, tuple[str, ...]]
    sides: Mapping[int, Mapping[str, tuple[str, ...]]]


def partnerships(seats: str = "N E S W") -> Seating:
    """Four seats, partners opposite: the sides are named by their seats."""
    a, b, c, d = seats.split()
    return Seating({4: (a, b, c, d)}, {4: {a + c: (a, c), b + d: (b, d)}})


def singles(*sizes: int, seats: str = "A B C D E F G H I J K L") -> Seating:
    """Everybody for themselves, with so many at the table."""
    names = tuple(seats.split())
    return Seating({n: names[:n] for n in sizes}, {n: {s: (s,) for s in names[:n]} for n in sizes})


class Phase(Struct, frozen=True):
    """One part of a hand, as the page explains it.

    `acts` are the events that belong to it; `quiet` gives the act that a lone `.` stands for, if there is one;
    `expects` says in words what comes now, `to_do` what a seat is asked ("to play"). With `one_card` a run of cards
    typed on one line is one card of each seat in turn. `bare` are the words that may be typed without their verb: the
    suits to name, the strains behind the number of a bid; None lets any word pass. Acts of the types `verbed` are never
    meant where the verb was left out.
    """

    name: str
    acts: tuple[type[Event], ...]
    expects: str
    quiet: Callable[[State[Any]], Event | None] = lambda state: None
    to_do: str = "act"
    one_card: bool = False
    bare: tuple[str, ...] | None = None
    verbed: tuple[type[Event], ...] = ()


class Game(Struct, frozen=True, kw_only=True):
    """A game page. See `docs/adding-a-game.md` for how one is written."""

    key: str
    name: str
    summary: str
    players: str
    seating: Seating
    pack: Pack
    options: type[Struct]
    rules: Catalogue
    # Where the rule text is silent or doubtful: the question, and how the page takes it.
    readings: Mapping[str, str]
    # The facts of a `tally`, each with what it means and can be; `*` stands for a seat or side, `#` for a number. A plain
    # sentence leaves open what a fact can be.
    tally: Mapping[str, Fact | str]
    # What facts of a tally cannot be together, besides what follows from each.
    laws: tuple[Law, ...] = ()
    # The words of `call`, `fault`, `end` and what they mean.
    words: Mapping[str, str]
    phases: Mapping[str, Phase]
    # Builds the page's record of a hand and lays out its piles; the table is empty.
    start: Callable[[State[Any]], Any]
    # What happens to the state, by type of event.
    on: Mapping[type[Event], Evolve]
    # The acts worth trying now, before the checks filter them. May be lazy.
    candidates: Callable[[State[Any]], Iterable[Event]]
    # Whether all that a seat chooses from is known, so that `candidates` can list every act.
    informed: Callable[[State[Any], str], bool] = lambda state, seat: state.holding(seat).complete
    # No list of legal acts is longer than this.
    most_acts: int = 500
    # The standing before the first hand.
    new_match: Callable[[Terms], Standing]
    # What the hand is worth as far as it was recorded, and the standing with it added.
    score: Callable[[State[Any]], HandScore]
    after: Callable[[Standing, HandScore, Terms], Standing]
    next_dealer: Callable[[State[Any]], str]
    # The sheet, as players of this game write it.
    sheet: Callable[[State[Any], Sheet], Sheet]
    # What chance does when nobody may act: the deal, the redeal (`state.turn` is empty and the match not over).
    chance: Callable[[State[Any], Random], list[Event]]
    # Whether chance does something first although somebody is to act (a stock that is out is shuffled anew).
    due: Callable[[State[Any]], bool] = lambda state: False
    # The pack that is played with, where the terms decide; it has the faces of `pack`, perhaps more copies of them.
    packs: Callable[[Terms], Pack] | None = None
    # How likely a player is to choose an act, so that simulated matches end; never 0 for a legal one.
    weigh: Callable[[State[Any], Event], float] = lambda state, event: 1.0
    # No simulated match takes more hands than this.
    most_hands: int = 200
    # Piles that not everybody sees: pattern -> "owner", "nobody" or "top"; all others lie open.
    hidden: Mapping[str, str] = msgspec.field(default_factory=lambda: {"*": "owner", "stock": "nobody"})
    # The acts that an unfinished act may mean in this position (a bare card that takes something is a capture): one is
    # taken, several are shown to whoever typed it.
    usual: Callable[[State[Any], Event], tuple[Event, ...]] = lambda state, event: (event,)
    # What has just come of it, in a few words for the answer line ("trick 3 to North").
    latest: Callable[[State[Any]], str] = lambda state: ""
    # Facts a frame shows for the hand in play (contract, trump, …), as words.
    headline: Callable[[State[Any]], dict[str, Any]] = lambda state: {}
    # The cards lying in the middle that the next act answers (the suit led fills what a person leaves out).
    led: Callable[[State[Any]], str] = lambda state: ""
    # Whether a seat may come to have more hands than one; the second of A is called A:2 then, and acts by itself.
    several_hands: bool = False
    # Rules whose breach looks just like an act of the same player that nobody wrote (a card drawn with nothing thrown).
    forgotten: frozenset[str] = frozenset()
    # Phases in which no check asks which cards a seat holds, so that it makes no difference when an unseen card came.
    unasked: frozenset[str] = frozenset()
    # What an act that belongs to another part of the hand shows, though nobody wrote it: the rest passed before the lead.
    # It brings the hand to where the act belongs, and notes each thing as inferred.
    unwritten: Callable[[State[Any], Event], None] = lambda state, event: None
    # Who is meant where an act of this type is typed without its seat (a lead, while cards may still be drawn).
    whose: Callable[[State[Any], type[Event]], tuple[str, ...]] = lambda state, kind: state.turn
    # What a ruling may hand over in this game, each key with what it means (as in `tally`), and how it is done to the
    # record of a hand before it is scored again; what comes back says why something had no effect.
    transfers: Mapping[str, str] = msgspec.field(default_factory=dict)
    transfer: Callable[[State[Any], Facts], list[str]] = lambda state, facts: []
    # What the text prescribes for irregularities that are proven; asked once, with the state at the end of the log.
    penalties: Callable[[State[Any], Sequence[Breach]], Iterable[Penalty]] = lambda state, breaches: ()
    # What is missing for the score of a hand: the question, and for each possible answer the facts of a tally.
    missing: Callable[[State[Any]], Iterable[tuple[str, Mapping[str, Facts]]]] = lambda state: ()
    version: int = 1

    def __deepcopy__(self, memo: object) -> Game:
        return self


# -- terms ------------------------------------------------------------------------------------------------------------


def terms_of(game: Game, facts: Facts) -> Terms:
    """The terms of a match from the facts of its opening.

    Raises UnreadableError naming the tag that is wrong, what was expected and what to do.
    """
    sizes = game.seating.sizes
    seats = _seats(game, facts)
    usual = dict(zip(sizes[len(seats)], seats, strict=True))
    sides = {
        "".join(usual[s] for s in members) if name == "".join(members) else name: tuple(usual[s] for s in members)
        for name, members in game.seating.sides[len(seats)].items()
    }
    dealer = str(facts.get("Dealer", seats[-1]))
    if dealer not in seats:
        raise _wrong_tag("Dealer", f"'{dealer}' is no seat of this match", f"one of {', '.join(seats)}")
    names = {s: str(facts[s]) for s in (*seats, *sides) if s in facts}
    return Terms(
        seats=seats,
        sides=sides,
        side_of={s: side for side, members in sides.items() for s in members},
        names=names,
        options=_options(game, facts.get("Option", {})),
        dealer=dealer,
        facts=facts,
        next={s: (seats[(i + 1) % len(seats)],) for i, s in enumerate(seats)},
        called={**{side: " & ".join(names.get(s, s) for s in members) for side, members in sides.items()}, **names},
    )


def _wrong_tag(tag: str, what: str, expected: str) -> UnreadableError:
    return UnreadableError(what, where=f"tag {tag}", expected=expected, todo="Correct the tag block and read it again.")


def _seats(game: Game, facts: Facts) -> tuple[str, ...]:
    """The seats of the table, clockwise; those of the smallest table if none are named."""
    sizes = game.seating.sizes
    given = facts.get("Seats")
    if given is None:
        return sizes[min(sizes)]
    seats = tuple(str(given).split())
    if len(set(seats)) != len(seats) or not all(s.isalnum() and s.isascii() and s[:1].isupper() and s == s.upper() for s in seats):
        raise _wrong_tag("Seats", f"'{given}' is no list of different seats", "seats like 'N E S W', clockwise")
    if len(seats) not in sizes:
        at_most = " or ".join(str(n) for n in sizes)
        raise _wrong_tag("Seats", f"{game.name} is not played by {len(seats)}", f"{at_most} seats")
    return seats


def _options(game: Game, given: Any) -> Any:
    """The house rules, as the game's own record of its options."""
    if not isinstance(given, dict):
        raise _wrong_tag("Option", "an option has a name", "tags like [Option.target \"52\"]")
    known = game.options.__struct_fields__
    for name in given:
        if name not in known:
            expected = f"one of {', '.join(sorted(known)) or 'none'}"
            raise _wrong_tag(f"Option.{name}", f"{game.name} has no option '{name}'", expected)
    if not given:
        return game.options()
    try:
        return msgspec.convert({k: _plain(v) for k, v in given.items()}, game.options, strict=False)
    except msgspec.ValidationError as e:
        why, _, at = str(e).partition(" - at `$.")
        tag = f"Option.{at.rstrip('`')}" if at else "Option"
        raise _wrong_tag(tag, why, "a value that `kibitz rules` lists for it") from None


def _plain(value: object) -> object:
    return {"yes": True, "no": False}.get(value, value) if isinstance(value, str) else value


# -- the fold that is the same for all games ----------------------------------------------------------------------------


def begin(facts: Facts) -> State[Any]:
    """The state of a match that has only been opened. Raises NotFoundError for a game there is no page for."""
    game = find(str(facts.get("Game", "")))
    terms = terms_of(game, facts)
    return State(with_pack(game, terms), terms, game.new_match(terms))


def with_pack(game: Game, terms: Terms) -> Game:
    """The page with the pack that these terms ask for."""
    pack = game.pack if game.packs is None else game.packs(terms)
    return game if pack is game.pack else _other_pack(game.key, pack)


@cache
def _other_pack(key: str, pack: Pack) -> Game:
    return msgspec.structs.replace(find(key), pack=pack)


def evolve(state: State[Any], event: Event) -> None:
    """Apply what happened. Never argues: an act out of place is applied as far as it can be."""
    kind = type(event)
    if (state.ended or kind in FRAME) and happens_no_more(event, state):
        return
    act = state.game.on.get(kind)
    if act is not None:
        if state.hand is None and kind in ON_THE_TABLE:
            if kind in acts_of(state.game.key) and event.by in state.terms.side_of:
                # An act of play: the hand has begun, though nobody wrote it.
                in_hand(state)
            else:
                act = COMMON[kind]
        # Somebody who has no seat cannot act; the line is kept, and the judge names it.
        if event.by in state.terms.side_of or kind in ANY_TIME or seated(event.by, state):
            act(event, state)
        return
    act = COMMON.get(kind)
    if act is not None:
        act(event, state)


def happens_no_more(event: Event, state: State[Any]) -> bool:
    """Whether nothing comes of an event, as it tells only how the match ended, or comes after that; if something does, it
    is noted what a gap hides, and what a deal shows after it."""
    if type(event) is End and event.facts and event.what == "match":
        # What stood when the match ended is read by whoever asks; it ends nothing, or a correction could not reopen it.
        return True
    if state.ended and after_the_end(event, state):
        # Who has won, and how it stood, stays as it was. A correction that takes the end back has the log folded anew, and
        # then this happens like anything else.
        state.beyond = state.beyond or plays_on(event, state)
        if type(event) is End:
            state.beyond = False
        return True
    if type(event) is Gap:
        state.gap = state.settled or not state.number
        state.guessed = True
    elif type(event) is Deal and state.gap and (event.by == "@" or Deal not in acts_of(state.game.key)):
        state.gap = False
    return False


def seated(by: str, state: State[Any]) -> bool:
    """Whether this is a seat of the match, or a further hand of one in a game where a seat may have several."""
    seats = state.terms.side_of
    return by in seats or (state.game.several_hands and by.partition(":")[0] in seats)


def new_hand(hand: Hand | None, state: State[Any]) -> None:
    """The next hand begins: the last one is added to the standing, the table is cleared."""
    leave_open(state)
    state.missed = state.guessed and (hand is None or hand.number != state.numbered + 1)
    state.before = with_a_hand_unheard(state.standing, state) if state.missed else state.standing
    state.after = None
    state.number += 1
    state.numbered = state.numbered + 1 if hand is None else hand.number
    if hand is not None and hand.by in state.terms.seats:
        state.dealer, state.guessed = hand.by, False
    elif state.number > 1:
        state.dealer = state.game.next_dealer(state)
    state.game = with_pack(state.game, state.terms)
    journal = state.table.journal
    at, trouble = state.table.now, state.table.trouble
    state.table = type(state.table)(state.game.pack)
    state.table.now, state.table.trouble, state.table.journal = at, trouble, journal
    state.tallies = []
    state.transfers = []
    state.cut = ""
    state.acts = 0
    state.settled = state.gap = False
    state.turn = ()
    state.hand = state.game.start(state)


def with_a_hand_unheard(before: Standing, state: State[Any]) -> Standing:
    """The standing after a hand of which nobody recorded what it was worth."""
    points: dict[str, int | None] = dict.fromkeys(before.totals)
    return state.game.after(before, HandScore(state.number, state.dealer, "nothing", points=points), state.terms)


def leave_open(state: State[Any]) -> None:
    """A hand left without its end is worth nobody knows what, not nothing."""
    if state.number and not state.settled and state.score is None:
        score = state.game.score(state)
        if score.source != "void":
            points: dict[str, int | None] = dict.fromkeys(state.before.totals)
            score = HandScore(
                state.number, state.dealer, "nothing", points=points, unknown=("the hand was not recorded to its end",)
            )
        state.after = state.game.after(state.before, score, state.terms)
        state.scores.append(msgspec.structs.replace(score, totals=state.after.totals))


def in_hand(state: State[Any]) -> None:
    """An act of play without a hand begun: the hand begins, as inferred."""
    if state.number == 0 or state.settled:
        gap = state.gap
        new_hand(None, state)
        if gap and Gap in state.game.on:
            state.infer(f"hand {state.number} goes on here; its beginning was not recorded")
            state.game.on[Gap](Gap(by="@"), state)
        else:
            state.infer(f"hand {state.number} begins here, dealt by {state.dealer}; nobody wrote it")


def plays_on(event: Event, state: State[Any]) -> bool:
    """Whether this is an act of play, or of another hand: for both it is too late once the match is over.

    A tally may tell once more what the last hand came to; one that tells anything else is of a further hand. The end of a
    hand that is over already can only be that of another.
    """
    kind = type(event)
    if type(event) is Tally:
        return tells_of_the_next(state) and not tells_the_same(event, state)
    if type(event) is End:
        return event.what == "hand" and state.settled
    return kind in (Hand, Deal) or kind in acts_of(state.game.key)


def after_the_end(event: Event, state: State[Any]) -> bool:
    """Whether nothing comes of an event because the match is over: it plays on, or belongs to a hand that does."""
    kind = type(event)
    if state.beyond and kind is not Open and kind not in ABOUT:
        return True
    return kind in (Gap, Shuffle) or (kind is Tally and tells_of_the_next(state)) or plays_on(event, state)


def tells_the_same(tally: Tally, state: State[Any]) -> bool:
    """Whether a tally gives no other points than the hand just played gave."""
    if state.score is None:
        return False
    points, before = state.score.points, state.tallies
    state.tallies = [tally.facts]
    again = state.game.score(state).points
    state.tallies = before
    return all(n is None or n == points.get(who) for who, n in again.items())


def tells_of_the_next(state: State[Any]) -> bool:
    """Whether a tally that is written now is of a hand that has not begun."""
    return state.number == 0 or (state.settled and not state.tallies)


def settle(state: State[Any]) -> None:
    """Score the hand in play as far as it was recorded; the last word counts."""
    score = state.game.score(state)
    state.after = after = state.game.after(state.before, score, state.terms)
    score = msgspec.structs.replace(score, totals=after.totals)
    if state.scores and state.scores[-1].number == state.number:
        state.scores[-1] = score
    else:
        state.scores.append(score)
    if after.over:
        state.ended = "won"
    elif state.ended == "won":
        # The last word on this hand takes the end of the match back.
        state.ended = ""


def finish_hand(state: State[Any]) -> None:
    """The hand is played out: nobody may act in it, and it is scored."""
    state.phase = "between"
    state.turn = ()
    state.settled = True
    for pile, code in state.table.eliminate():
        state.infer(f"the card nobody saw is the {pretty(state.game.pack.faces[code])}, in {pile.name}: every other card has its place")
    settle(state)


def play_on(state: State[Any]) -> None:
    """A hand that was over is not: what ended it does not stand. The page says which part of the hand it is, and whose turn."""
    state.settled, state.after = False, None
    if state.scores and state.scores[-1].number == state.number:
        state.scores.pop()


def on_open(event: Open, state: State[Any]) -> None:
    """Terms changed on the way hold from here on. Terms that cannot be leave the old ones standing, as a trouble."""
    facts = {**state.terms.facts, **event.facts}
    option = event.facts.get("Option", {})
    facts["Option"] = {**state.terms.facts.get("Option", {}), **option} if isinstance(option, dict) else option
    try:
        terms = terms_of(state.game, facts)
    except UnreadableError as error:
        state.table.trouble.append(Trouble("T10", f"these terms cannot be: {error.where}: {error.what}"))
        return
    if terms.seats != state.terms.seats:
        state.table.trouble.append(Trouble("T10", "the seats of a match do not change on the way"))
        return
    state.terms = terms


def on_end(event: End, state: State[Any]) -> None:
    """Broken off by agreement: `misdeal` and `void` do not count, anything else counts as it stands."""
    if event.what == "hand":
        if state.number == 0:
            return
        state.cut = event.why or "agreed"
        finish_hand(state)
        return
    state.ended = "agreed"
    state.why_ended = event.why
    state.turn = ()
    state.phase = "over"


def on_tally(event: Tally, state: State[Any]) -> None:
    """Facts that suffice to score; a hand of which nothing else was recorded is over with them."""
    if tells_of_the_next(state):
        in_hand(state)
    state.tallies = last_words(state.tallies, event.facts, state)
    settle(state)
    if not state.acts:
        state.phase = "between"
        state.turn = ()
        state.settled = True


def on_claim(event: Claim, state: State[Any]) -> None:
    """A score as the table stated it; it changes nothing."""
    state.claims.append(ClaimMade(state.at, state.number, event.by, event))


def on_confirm(event: Confirm, state: State[Any]) -> None:
    """Somebody agrees with the claims named, or with the last one."""
    refs = event.refs or tuple(c.at for c in state.claims[-1:])
    state.claims = [
        msgspec.structs.replace(c, confirmed=(*c.confirmed, event.by)) if c.at in refs else c for c in state.claims
    ]


def on_deal(event: Deal, state: State[Any]) -> None:
    """Cards laid out, from the pile named or from outside the table; a deal begins a hand that nobody began."""
    in_hand(state)
    table = state.table
    src = table.piles.get(event.src) if event.src else table.piles.get("stock")
    for name, cards in event.piles:
        if src is None and table.lay_known(name[5:], cards):
            continue
        for pile, codes in spread(state, name, cards):
            if src is not None and src is not pile:
                table.move(codes, src, pile)
            else:
                table.lay(codes, pile)


def spread(state: State[Any], name: str, cards: tuple[str, ...]) -> Iterator[tuple[Any, list[int]]]:
    """The piles an assignment means, with their cards: `col:B:1..4` spreads the cards evenly, in order."""
    table = state.table
    if ".." not in name:
        pile = pile_named(state, name)
        yield pile, table.codes(cards)
        return
    names = each_pile(name)
    codes = table.codes(cards)
    share = max(1, len(codes) // len(names))
    for i, one in enumerate(names):
        yield pile_named(state, one), codes[i * share : (i + 1) * share]


MOST_PILES = 100
"""No more piles than these are meant by one name."""


def each_pile(name: str) -> list[str]:
    """The piles that a name means: `col:A:1..4` is four of them.

    >>> each_pile("col:A:2..4"), each_pile("stock"), each_pile("col:A:4..1"), len(each_pile("col:A:1..999999"))
    (['col:A:2', 'col:A:3', 'col:A:4'], ['stock'], ['col:A:4'], 100)
    """
    first, dots, last = name.partition("..")
    if not dots:
        return [name]
    stem, _, low = first.rpartition(":")
    return [f"{stem}:{int(low) + i}" for i in range(min(MOST_PILES, max(1, int(last) - int(low) + 1)))]


def pile_named(state: State[Any], name: str) -> Any:
    """The pile of this name, made if it is not there: a seat's holding is a bag, everything else a row.

    Events write a holding `hand:N`; the table calls it by its seat.
    """
    pile = state.table.piles.get(name)
    if pile is not None:
        return pile
    name = name.rstrip("_").removeprefix("hand:")
    pile = state.table.piles.get(name)
    if pile is not None:
        return pile
    if name.partition(":")[0] in state.terms.seats:
        return state.table.bag(name)
    return state.table.row(name)


def on_move(event: Move, state: State[Any]) -> None:
    """Anything that goes from here to there; from the own holding unless it says otherwise."""
    src = pile_named(state, event.src or event.by)
    codes = state.table.codes(event.cards, src)
    state.table.move(codes, src, pile_named(state, event.to), bottom=event.to.endswith("_"))


def on_show(event: Show, state: State[Any]) -> None:
    """All see these cards; they stay where they are."""
    pile = pile_named(state, event.src or event.by)
    # After a gap before the first hand it may be a hand that nobody wrote of which this is shown.
    pile.vague = pile.vague or (state.gap and not state.number)
    for group in event.groups:
        state.table.reveal(state.table.codes(group, pile), pile)


COMMON: dict[type[Event], Evolve] = {
    Open: on_open,
    Hand: new_hand,
    End: on_end,
    Tally: on_tally,
    Claim: on_claim,
    Confirm: on_confirm,
    Deal: on_deal,
    Move: on_move,
    Show: on_show,
}
# What says where a hand begins or goes on, or what is over.
FRAME: frozenset[type[Event]] = frozenset((Deal, Gap, End))
# What belongs to another hand, once one is over.
ANOTHER_HAND: frozenset[type[Event]] = frozenset((Hand, Deal, Shuffle))
# What may be written at any time: it is about the log, the score or the frame of the hand, not part of its order.
ANY_TIME: frozenset[type[Event]] = frozenset((Open, Hand, Deal, End, Tally, Show, Move, Pay, Shuffle, Gap, *ABOUT))
# What moves or shows cards that lie there: before the first hand there are none, and no rule has anything to say.
ON_THE_TABLE: frozenset[type[Event]] = frozenset((Move, Show))


# -- the checks of each phase, and what may be done now ---------------------------------------------------------------


@cache
def plans(key: str) -> dict[str, dict[type[Event], tuple[Check, ...]]]:
    """For each phase of a game the checks that judge each type of act that belongs to it."""
    game = find(key)
    table: dict[str, dict[type[Event], tuple[Check, ...]]] = {}
    for name in (*game.phases, "between", "over"):
        acts = set(game.phases[name].acts) if name in game.phases else set()
        table[name] = {t: tuple(c for c in game.rules.checks if t in c.on) for t in acts | ANY_TIME}
    return table


@cache
def acts_of(key: str) -> frozenset[type[Event]]:
    """The types of event that are acts of play in some phase of a game."""
    return frozenset(t for phase in find(key).phases.values() for t in phase.acts)


def objections(state: State[Any], event: Event) -> Iterator[Any]:
    """Every check that is not content with the act in this position: pairs of rule and what it says."""
    if state.hand is None and type(event) in ON_THE_TABLE:
        return
    for check in plans(state.game.key)[state.phase].get(type(event), ()):
        says = check.run(event, state)
        if says is not None:
            yield check.rule, says


class Legal(Struct, frozen=True):
    """What may be done now: the seats that may act, the acts known to be possible, and whether these are all."""

    seats: tuple[str, ...]
    acts: tuple[Event, ...]
    complete: bool


def legal(state: State[Any], limit: int | None = None) -> Legal:
    """What may be done now and by whom, from the same checks that judge.

    Acts with cards that are only possibly held are left out, and `complete` is False then. At most `limit` acts
    (as many as the page wants listed, if none is given).
    """
    acts: list[Event] = []
    limit = state.game.most_acts if limit is None else limit
    complete = all(state.game.informed(state, s) for s in state.turn if s in state.terms.seats)
    for event in state.game.candidates(state) if state.number else ():
        if len(acts) >= limit:
            complete = False
            break
        if not any(says.verdict == "broken" for _, says in objections(state, event)):
            acts.append(event)
    return Legal(state.turn, tuple(acts), complete)


# -- the registry -----------------------------------------------------------------------------------------------------

# Every page by its key; the module is loaded when it is asked for.
PAGES: dict[str, str] = {
    "botifarra": "reducers.games.botifarra",
    "burraco": "reducers.games.burraco",
    "california-speed": "reducers.games.california_speed",
    "bridge-solitaire": "reducers.games.bridge_solitaire",
    "conquian": "reducers.games.conquian",
    "jersey-gin": "reducers.games.jersey_gin",
    "kaiser": "reducers.games.kaiser",
    "mattis": "reducers.games.mattis",
    "pontoon": "reducers.games.pontoon",
    "russian-bank": "reducers.games.russian_bank",
    "scopa": "reducers.games.scopa",
    "yaniv": "reducers.games.yaniv",
}


@cache
def find(key: str) -> Game:
    """The page of a game. Raises NotFoundError when there is none."""
    module = PAGES.get(key)
    if module is None:
        what = f"there is no page for the game '{key}'" if key else "the opening does not name the game"
        raise NotFoundError(what, expected=f"one of {', '.join(PAGES)}", todo="`kibitz games` lists them.")
    game: Game = importlib.import_module(module).GAME
    return game


__all__ = [
    "COMMON", "CheckFunction", "Game", "Legal", "PAGES", "Phase", "Seating", "begin", "evolve", "find", "finish_hand",
    "in_hand", "legal", "new_hand", "objections", "on_deal", "on_move", "on_show", "partnerships", "pile_named", "plans", "play_on",
    "settle", "singles", "spread", "tells_of_the_next", "terms_of", "with_a_hand_unheard",
]  # fmt: skip
