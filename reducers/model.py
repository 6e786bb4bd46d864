"""`Game`, which a page provides, and `State`, the state of a match, which is the same for every game."""

from __future__ import annotations

import copy
import copyreg
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import repeat
from operator import attrgetter
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar, cast

from msgspec import Struct
from msgspec.structs import force_setattr

from events.cards import Pack
from events.model import Claim, Event, Facts, Gap, Ruling
from reducers.deal import DealSpec
from reducers.piles import Lies, OfPile, called_otherwise
from reducers.rules import Breach, Catalogue
from reducers.scoring import HandScore, Penalty, Points, Standing
from reducers.sheet import Sheet
from reducers.table import Pile, Table
from reducers.tally import TallyFacts
from reducers.terms import Seating, Terms, every_seat

H = TypeVar("H")


class ClaimMade(Struct, frozen=True):
    """A score as the table stated it: position, hand, speaker, and the facts of the claim.

    A claim made before the first act of a hand is about the hand before. `playing` is True if the hand was in play;
    `points` are those of the hand that was dealt or in play at that moment, None where unknown.
    """

    at: int
    hand: int
    by: str
    claim: Claim
    playing: bool
    points: Points
    confirmed: tuple[str, ...] = ()


class Undecided(Struct, frozen=True):
    """A hand with a dealer that nobody wrote: the `seats` that may have dealt, what has `happened` in it since
    (position, step and event), the number of journal `entries` made before it, and the seats that an act has ruled
    `out`, as far as no later act speaks for one of them. `behind_gap` is True if a gap lies right before the hand or
    reaches into it: only its first act then tells who has dealt. `contested` is the position of an act after which no
    dealer makes all acts of the hand legal; 0 if there is none."""

    seats: tuple[str, ...]
    entries: int
    happened: tuple[tuple[int, int, Event], ...] = ()
    out: tuple[str, ...] = ()
    behind_gap: bool = False
    contested: int = 0


class State(Generic[H]):
    """The state of a match after an event. `evolve` changes it in place; `copy` returns an independent one.

    `hand` is the page's own record of the hand in play. `phase` names the part of the hand, `turn` the seats that may
    act now, `at` the position of the last event applied, `number` the hand (0 before the first). `before` is the
    standing before the hand in play, `after` the standing with its score so far; `score` is its known score.
    """

    __slots__ = (
        "acts",
        "after",
        "again",
        "at",
        "before",
        "began",
        "believed",
        "claims",
        "coming",
        "dealer",
        "dealer_by_act",
        "dealer_is_guess",
        "deals_are_written",
        "ended",
        "game",
        "gap",
        "hand",
        "hand_may_be_missing",
        "inferred",
        "is_tried",
        "left_out",
        "lost_count",
        "number",
        "numbered",
        "past_match_end",
        "phase",
        "played_on",
        "read",
        "ruled_after",
        "ruled_before",
        "ruled_so_far",
        "rulings",
        "sat",
        "scores",
        "settled",
        "silent",
        "stop_reason",
        "table",
        "tallies",
        "terms",
        "transfers",
        "turn",
        "undecided",
        "undone",
        "why_ended",
    )  # fmt: skip

    def __init__(self, game: Game, terms: Terms, before: Standing) -> None:
        self.game: Game = game
        self.terms: Terms = terms
        self.table = Table(game.pack, called_otherwise(game.display.piles))
        self.at = 0
        self.began = 0
        self.number = 0
        # The number of the hand in the record, which may begin with a later one.
        self.numbered = 0
        self.dealer = terms.dealer
        self.phase = "between"
        self.turn: tuple[str, ...] = ()
        self.hand: H = None  # type: ignore[assignment]  # there is no hand before the first `hand` event
        self.before = before
        self.after: Standing | None = None
        self.scores: list[HandScore] = []
        self.settled = True
        # Acts were left unrecorded after the last hand: the next act begins a new one unless a hand line did.
        self.gap = False
        # `dealer` is a guess: no dealer was recorded, or a gap may hide the beginning of a hand.
        self.dealer_is_guess = False
        # An act has shown who dealt, and nobody wrote it: it may have broken a rule. So the dealers of the hands after.
        self.dealer_by_act = False
        # The seats that may have dealt the hand in play, while its first acts may still show which one did.
        self.undecided: Undecided | None = None
        # Acts were left unrecorded since the last hand line with a dealer: whole hands may be missing.
        self.lost_count = False
        # After a gap before the first act of a hand: the number of acts in the gap (0 if unknown) and the state
        # before it. The next act shows if only parts of the deal are in the gap.
        self.undone: tuple[int, State[H]] | None = None
        # A whole hand may be unrecorded before the one in play.
        self.hand_may_be_missing = False
        self.tallies: list[Facts] = []
        # A cache of `reducers.words.tallies`: tallies, terms, last event, readable facts, and what the moves show.
        self.read: tuple[list[Facts], Terms, int, tuple[Facts, ...], dict[str, Any]] = ([], terms, 0, (), {})
        # If a tally contradicts the moves of the hand: the side that this reading believes; "" for neither.
        self.believed: Literal["", "moves", "told"] = ""
        # What rulings or penalties transfer in this hand; empty while the log is applied as played.
        self.transfers: list[Facts] = []
        # Rulings about the hand in play or just played, by position; and the standings before and after it as ruled,
        # None without a ruling. The ruled standing decides if the match is over.
        self.rulings: tuple[tuple[int, Ruling], ...] = ()
        self.ruled_before: Standing | None = None
        self.ruled_after: Standing | None = None
        # A cache of the rulings applied so far: the score as played, these rulings, the hand and its score as ruled.
        self.ruled_so_far: tuple[HandScore, tuple[tuple[int, Ruling], ...], State[H], HandScore] | None = None
        self.claims: list[ClaimMade] = []
        self.inferred: list[tuple[int, str]] = []
        # The lines that the record of a hand certainly leaves out ("draws"), by its number.
        self.left_out: dict[int, str] = {}
        # The acts of this hand that were put in as inferred, and not written since (`reducers.silent_acts`).
        self.silent: tuple[Event, ...] = ()
        self.acts = 0
        self.stop_reason = ""
        # The number of events applied again to find the dealer of a hand.
        self.again = 0
        # True while a hand is laid out to try something: a dealer, or acts that were left out.
        self.is_tried = False
        # The terms from the next hand on, if players change; and the seats from each hand on (`reducers.seating`).
        self.coming: Terms | None = None
        self.sat: tuple[tuple[int, tuple[str, ...]], ...] = ()
        self.ended = ""
        self.why_ended = ""
        # A further hand has begun after the end of the match: nothing in it counts.
        self.past_match_end = False
        # Somebody wrote a deal of this hand or of an earlier one.
        self.deals_are_written = False
        # The table has played on in a hand that was over.
        self.played_on = False

    # -- for every page -----------------------------------------------------------------------------------------------

    def holding(self, seat: str) -> Pile:
        """The cards a seat holds; without a deal, an unknown number of unknown cards.

        Reading such a holding does not put it on the table; its first card does.
        """
        pile = self.table.piles.get(seat)
        return pile if pile is not None else Pile(self.table, seat, row=False, vague=True)

    def code(self, cards: Sequence[str]) -> int:
        """The code of a single written card; `unknown` if it is not in the pack or there are several cards."""
        pack = self.game.pack
        return pack.code.get(cards[0], pack.unknown) if len(cards) == 1 else pack.unknown

    def infer(self, text: str) -> None:
        """Note a fact that was not recorded but follows from the record; it is shown as inferred, with its reason."""
        self.inferred.append((self.at, text))

    def leave_out(self, lines: str) -> None:
        """Note that the record of this hand leaves such lines out: what one of them may explain proves no breach."""
        self.left_out = {**self.left_out, self.number: lines}

    def may_be_over(self) -> bool:
        """True if the hand in play may be over though its end was not seen."""
        may_be = self.game.omissions.may_be_over
        return may_be is not None and may_be(self)

    @property
    def standing(self) -> Standing:
        """The standing of the match, with the hand in play scored so far."""
        return self.before if self.after is None else self.after

    @property
    def official(self) -> Standing:
        """The standing that counts: as ruled, if there was a ruling."""
        return self.standing if self.ruled_after is None else self.ruled_after

    @property
    def score(self) -> HandScore | None:
        """The score of the hand in play or just played; None if it has none yet."""
        return self.scores[-1] if self.scores and self.scores[-1].number == self.number else None

    def snapshot(self) -> State[H]:
        """A shallow copy: it stays valid for what `evolve` replaces, not for what it changes in place."""
        out: State[H] = copyreg.__newobj__(type(self))  # type: ignore[attr-defined]  # as `copy.copy` does it
        kind: Any = type(self)
        # One call for all attributes: a state has many, and each hand of a log begins with a copy.
        any(map(setattr, repeat(out), names := _listed(kind), attrgetter(*names)(self)))
        out.scores, out.inferred, out.claims = list(self.scores), list(self.inferred), list(self.claims)
        return out

    def copy(self, instead: Mapping[int, Pile] = {}) -> State[H]:
        """An independent copy, without a journal.

        `instead` gives, by the identity of a pile of the table, the pile that takes its place in the copy.
        """
        out = self.fork(instead)
        out.table.trouble, out.table.later = list(self.table.trouble), self.table.later
        for name, pile in self.table.piles.items():
            there = out.table.piles[name]
            there.later, there.stays = pile.later, pile.stays
        return out

    def fork(self, instead: Mapping[int, Pile] = {}) -> State[H]:
        """A copy to continue from in another way, without what later events prove.

        What `evolve` only replaces (scores of earlier hands, the state before a gap) is shared, so a copy late in a
        long match takes no longer than one at its beginning.
        """
        out = self.snapshot()
        out.tallies, out.transfers = list(self.tallies), list(self.transfers)
        out.table = self.table.as_it_lies()
        out.table.piles = {
            name: instead.get(id(self.table.piles[name]), pile) for name, pile in out.table.piles.items()
        }
        lying: dict[int, Any] = {id(pile): out.table.piles[name] for name, pile in self.table.piles.items()}
        lying.update({id(self.table): out.table, id(self): out})
        out.hand = copy.copy(self.hand)
        for name in attribute_names(self.hand):
            setattr(out.hand, name, copy_hand_value(getattr(self.hand, name), lying))
        return out


# Types that a hand and its copy share; `own` adds each frozen struct it meets.
NEVER_CHANGED = {str, int, bool, type(None), frozenset}
# Modules in which games define the records that make up a hand.
PARTS_OF_A_HAND = ("reducers.words.", "reducers.games.")


def copy_hand_value(value: Any, instead: Mapping[int, Any]) -> Any:
    """Copy a value from a page's record of a hand; `instead` replaces the table and its piles, by identity.

    Immutable values are shared. Raises TypeError for anything but words, numbers, structs, containers of these, and
    records that games define; a record with `CHANGED_IN_PLACE` shares all other fields.

    >>> kept = {"A": [1]}; other = copy_hand_value(kept, {}); other["A"].append(2); kept
    {'A': [1]}
    """
    kind = type(value)
    if kind in NEVER_CHANGED:
        return value
    if kind is dict:
        if NEVER_CHANGED.issuperset(map(type, value.values())):
            return dict(value)
        return {key: copy_hand_value(one, instead) for key, one in value.items()}
    if kind is list or kind is tuple:
        if NEVER_CHANGED.issuperset(map(type, value)):
            return kind(value)
        return kind([copy_hand_value(one, instead) for one in value])
    if kind is set:
        return set(value)
    if id(value) in instead:
        return instead[id(value)]
    if isinstance(value, tuple):
        return kind(*[copy_hand_value(one, instead) for one in value])
    if hasattr(kind, "__deepcopy__") or (isinstance(value, Struct) and kind.__struct_config__.frozen):
        NEVER_CHANGED.add(kind)
        return value
    if isinstance(value, Struct):
        out, names = copy.copy(value), value.__struct_fields__
    elif (names := attribute_names(value)) and kind.__module__.startswith(PARTS_OF_A_HAND):
        out = cast(Any, kind).__new__(kind)
    else:
        raise TypeError(f"{kind.__name__} is not copied at a glance")
    kept, changed = [getattr(value, name) for name in names], getattr(kind, "CHANGED_IN_PLACE", names)
    for i, name in enumerate(names):
        if type(kept[i]) not in NEVER_CHANGED and name in changed:
            kept[i] = copy_hand_value(kept[i], instead)
    for name, one in zip(names, kept, strict=True):
        setattr(out, name, one)
    return out


Fold = Any  # a page's evolve function: (event, state) -> None, typed by the page itself


def attribute_names(record: object) -> tuple[str, ...]:
    """The names of all attributes of a record, its slots first; () for None.

    >>> class Kept:
    ...     __slots__ = ("auction", "trump")
    >>> class More(Kept):
    ...     __slots__ = ("looked",)
    >>> attribute_names(Kept()), attribute_names(More()), attribute_names(None)
    (('auction', 'trump'), ('looked', 'auction', 'trump'), ())
    """
    kind: Any = type(record)
    return (*_listed(kind), *getattr(record, "__dict__", ()))


@cache
def _listed(kind: Any) -> tuple[str, ...]:
    """The slots that a class and its bases list."""
    # A class compiled by mypyc has no slots; its list may contain `__dict__`.
    listed = [
        name for made in kind.__mro__
        for name in (*vars(made).get("__slots__", ()), *vars(made).get("__mypyc_attrs__", ()))
    ]
    return tuple(dict.fromkeys(name for name in listed if name != "__dict__"))


class HandRecord:
    """Base class of a family's record of a hand; pages derive theirs from it.

    Pickling goes by the names of its attributes: a compiled class would drop those of an uncompiled page.
    """

    __slots__ = ()

    def lying_open(self, seat: str) -> int:
        """The bag of cards that a seat may play from outside its holding, as they lie open before it."""
        return 0

    def __getstate__(self) -> dict[str, Any]:
        """The attributes by name."""
        return {name: getattr(self, name) for name in attribute_names(self) if hasattr(self, name)}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """Set these attributes."""
        for name, value in kept.items():
            setattr(self, name, value)


Evolve: TypeAlias = Callable[[Any, Any], None]


def summary_of(doc: str | None) -> str:
    """The first paragraph of a page's docstring after the colon, on one line.

    >>> summary_of("Forehand: two players, " + chr(10) + "seven tricks.")
    'two players, seven tricks.'
    """
    return " ".join((doc or "").partition(": ")[2].partition("\n\n")[0].split())


class InItsPlace(Protocol):
    """An event of a log with its position."""

    @property
    def n(self) -> int:
        """The position."""

    @property
    def event(self) -> Event:
        """What happened."""


# Applies acts until a check could object; returns the first act it did not apply (`words.act_batches`).
Run: TypeAlias = Callable[[InItsPlace, Iterator[InItsPlace], State[Any]], InItsPlace | None]


class Phase(Struct, frozen=True):
    """One part of a hand, as the page explains it.

    `acts` are its events; `default_act` gives the act that a lone `.` stands for, or None; `left_out` the acts that a
    table may have left unwritten before this one, likeliest first: by default that act. `expects` says in words what
    comes now, `to_do` what a seat is asked ("to play"). With `one_card`, several cards typed on one line are one
    card of each seat in turn. `bare` are the words that may be typed without their verb: the suits to name, the
    strains after the number of a bid; None lets any word pass. Acts of the types `verb_required` are never meant
    without their verb. `tries` are the acts worth trying by a seat whose turn it is. `apply_batch` may apply many
    plays at once that are clearly legal. With `bare_shows`, cards typed without a verb are shown if they can be nothing
    else. An act of a type in `confirm_first` is confirmed before it is recorded, as it is rare here. Acts of
    a type in `early` may come before the first hand and begin none; no other act of the phase `between` may. `asked`
    says who is to do what, if the seats whose turn it is are asked different things. `verbs` are names of acts in
    this phase that differ from other phases. `awaits` are the acts with a card that was called by name, one for each
    seat that may hold it. A phase that `ignores_holdings` has no check that depends on a seat's cards, so it does not
    matter when an unseen card came.
    """

    name: str
    acts: tuple[type[Event], ...]
    expects: str
    default_act: Callable[[State[Any]], Event | None] = lambda state: None
    left_out: Callable[[State[Any], Event], Iterable[Event]] | None = None
    to_do: str = "act"
    one_card: bool = False
    bare: tuple[str, ...] | None = None
    verb_required: tuple[type[Event], ...] = ()
    tries: tuple[Callable[[str, State[Any]], Iterable[Event]], ...] = ()
    apply_batch: Run | None = None
    bare_shows: bool = False
    confirm_first: tuple[type[Event], ...] = ()
    early: tuple[type[Event], ...] = ()
    asked: Callable[[State[Any]], str] | None = None
    verbs: Mapping[type[Event], str] = {}
    awaits: Callable[[State[Any]], Iterable[Event]] = lambda state: ()
    ignores_holdings: bool = False


class Unwritten(Struct, frozen=True):
    """An act that a table left unwritten; with `says`, it is noted as inferred in these words."""

    act: Event
    says: str = ""


def tried_in_phase(state: State[Any]) -> Iterator[Event]:
    """The acts that the phase in play says are worth trying, for each seat whose turn it is."""
    phase: Phase | None = state.game.phases.get(state.phase)
    for seat in state.turn if phase is not None else ():
        for tries in phase.tries if phase is not None else ():
            yield from tries(seat, state)


Family: TypeAlias = Literal[
    "tricks", "rummy", "fishing", "bank", "shedding", "tricks and shedding", "hunt", "patience", "score pad",
]  # fmt: skip


class Dealing(Struct, frozen=True, kw_only=True):
    """The pack, the deal, and who deals."""

    # What is dealt to each seat and pile, if the deal can be declared.
    deal: DealSpec | None = None
    # The piles of a table that the page lays out itself, besides those of any table. None: all piles that are known.
    own_piles: tuple[str, ...] | None = None
    # Lays the unrecorded part of the deal as unseen cards, before the first act of a hand.
    lay_deal: Callable[[State[Any]], None] = lambda state: None
    # The seat that usually deals next. It is certain if the rules forbid every other seat, else a guess.
    next_dealer: Callable[[State[Any]], str]
    # What chance (a `random.Random`) does when no seat may act: the deal, the redeal (`state.turn` is empty and the
    # match not over).
    chance: Callable[..., list[Event]]
    # Chance acts first although a seat is to act (an empty stock is shuffled again).
    chance_acts_first: Callable[[State[Any]], bool] = lambda state: False
    # The pack in use, if the terms decide; it has the faces of `Game.pack`, perhaps more copies of them.
    packs: Callable[[Terms], Pack] | None = None
    # Play goes round counter-clockwise.
    counter_clockwise: Callable[[Any], bool] = lambda options: False
    # The seats that play the hand in play, or the next one; players out of the match do not.
    playing: Callable[[State[Any]], tuple[str, ...]] = every_seat
    # There are no hands: all cards lie in layouts or on the board.
    no_hands: bool = False


class MatchRules(Struct, frozen=True, kw_only=True):
    """How a match begins, who leads, and who wins."""

    # The standing before the first hand.
    new_match: Callable[[Terms], Standing] = lambda terms: Standing(dict.fromkeys(terms.sides, 0))
    # The line of the score with the points of the hand, if the match counts in another unit (strokes, hands won).
    hand_points: str = ""
    # The side with the fewest points leads.
    fewest_lead: Callable[[Terms], bool] = lambda terms: False
    # The text names no winner of a match, at most a loser.
    nobody_wins: bool = False
    # The standing after a match that the table ends by agreement; by default nobody wins.
    ended_by_the_table: Callable[[Standing, Terms], Standing] = lambda standing, terms: standing
    # Players may join or leave between two hands, as the text does not forbid it.
    open_table: bool = False


class Judging(Struct, frozen=True, kw_only=True):
    """What the judge and the arbiter need besides the catalogue."""

    # Words of `call` that any player may say at any time.
    said_any_time: frozenset[str] = frozenset()
    # The penalties the text prescribes for proven irregularities; called once, with the state at the end of the log.
    penalties: Callable[[State[Any], Sequence[Breach]], Iterable[Penalty]] = lambda state, breaches: ()
    # Applies what a ruling transfers (see `tally`) to the record of a hand; returns why something had no effect.
    transfer: Callable[[State[Any], Facts], list[str]] = lambda state, facts: []


class Omissions(Struct, frozen=True, kw_only=True):
    """What a record may leave out, and what follows from it."""

    # The acts that tables leave unwritten and that this act, which is not yet due, shows to have been made: the stands
    # before the bank plays. `reducers.silent_acts` puts them in one by one. A page that cannot say which acts they were
    # (somebody has named trumps) brings the hand to the phase of the act, notes what it infers, and returns None.
    unwritten: Callable[[State[Any], Event], Iterable[Unwritten] | None] = lambda state, event: None
    # Rules with breaches that look like an unrecorded act of the same player (a card drawn with nothing discarded).
    often_omitted_rules: frozenset[str] = frozenset()
    # Rules with breaches that an unrecorded act of any player may explain: open throughout a hand whose record
    # certainly leaves lines out (`State.leave_out`), as are its contradictions.
    explained_by_omissions: frozenset[str] = frozenset()
    # Kinds of lines that every table records although other games may omit them (`replay.degrade.goes_without_saying`),
    # with what would be lost without them: a word that doubles the points, a choice that no other line shows.
    always_written: Mapping[str, str] = {}
    # An act after the end of a hand still belongs to that hand: a card the table plays on with, a late word.
    belongs_to_finished_hand: Callable[[State[Any], Event], bool] = lambda state, event: False
    # The hand may be over though its end was not seen; a hand without a hand line may follow then. None: it never may.
    may_be_over: Callable[[State[Any]], bool] | None = None
    # What is missing for the score of a hand: the question, and the facts of a tally for each possible answer. None:
    # the questions that the tally declares.
    missing: Callable[[State[Any]], Iterable[tuple[str, Mapping[str, Facts]]]] | None = None


class Shorthand(Struct, frozen=True, kw_only=True):
    """How acts are typed in short, and what players call them."""

    # The acts that an incomplete act may mean in this position (a bare card that takes something is a capture): one
    # is taken; if there are several, the recorder is asked.
    expand: Callable[[State[Any], Event], tuple[Event, ...]] = lambda state, event: (event,)
    # The actor of an act of this type typed without its seat (a lead, while cards may still be drawn).
    implied_actor: Callable[[State[Any], type[Event]], tuple[str, ...]] = lambda state, kind: state.turn
    # The cards in the middle that the next act answers (the suit led completes an incomplete entry).
    led: Callable[[State[Any]], str] = lambda state: ""
    # Several cards typed as one word are one act, right or wrong (three for a meld, a king and a queen for a marriage);
    # else each of them is an act.
    is_one_act: Callable[[Sequence[str]], bool] = lambda cards: True
    # The deal of the cards that all players see, typed as bare cards before the first act; None if they cannot be
    # that. By default the cards are those that the declared deal turns up.
    open_deal: Callable[[State[Any], tuple[str, ...]], Event | None] | None = None
    # What players call an act of this type, if not by its verb ("sticks" for a pass).
    verbs: Mapping[type[Event], str] = {}


class Display(Struct, frozen=True, kw_only=True):
    """What is shown of the hand in play besides its cards and the score."""

    # Facts (contract, trump, …), as words.
    headline: Callable[[State[Any]], dict[str, Any]] = lambda state: {}
    # Those that a player must remember, as no pile and no score shows them (who is in checki, and with which pair).
    reminders: tuple[str, ...] = ()
    # The latest outcome in a few words for the answer line ("trick 3 to North").
    last_outcome_text: Callable[[State[Any]], str] = lambda state: ""
    # The contract by the moves alone (`HandScore.contract`). None: there is none before the hand is over.
    contract: Callable[[State[Any]], str] | None = None
    # How piles lie and who sees them, if their names do not say it (`reducers.piles`): pattern -> how it lies.
    piles: Mapping[str, Lies] = {}
    # What players say of a pile: the kind of a meld, what a wild card stands for, the total of a hand.
    of_pile: Callable[[State[Any], str], OfPile | None] = lambda state, name: None


class Simulation(Struct, frozen=True, kw_only=True):
    """The legal acts that are listed, and how matches are simulated with them."""

    # The acts worth trying now, before the checks filter them; by default what the phases try. May be lazy.
    candidates: Callable[[State[Any]], Iterable[Event]] = lambda state: tried_in_phase(state)
    # All cards that a seat chooses from are known, so `candidates` can list every act.
    knows_all_choices: Callable[[State[Any], str], bool] = lambda state, seat: state.holding(seat).complete
    # The longest list of legal acts.
    most_acts: int = 500
    # The weight of an act in simulated matches, so that they end; never 0 for a legal act.
    weigh: Callable[[State[Any], Event], float] = lambda state, event: 1.0
    # The most hands of a simulated match.
    most_hands: int = 200


ENDS = {"void": "end: the hand does not count", "misdeal": "end: the hand is dealt again"}


class Game(Struct, frozen=True, kw_only=True):
    """A game page, in the order of a rule book. See `docs/adding-a-game.md` for how one is written."""

    key: str
    name: str
    # The kind of game, in the word that players look for.
    family: Family
    summary: str
    seating: Seating
    pack: Pack
    dealing: Dealing
    options: type[Struct]
    rules: Catalogue
    # Where the rule text is silent or doubtful: the question, and the page's answer.
    readings: Mapping[str, str]
    # The words of `call`, `fault`, `end` and what they mean, besides those with which every table ends a hand.
    words: Mapping[str, str] = {}
    # Builds the page's record of a hand and lays out its piles; the table is empty before.
    start: Callable[[State[Any]], Any]
    phases: Mapping[str, Phase]
    # The function that applies each type of event to the state.
    on: Mapping[type[Event], Evolve]
    # The facts of a `tally`: meanings, possible values, and all that follows from them.
    tally: type[TallyFacts]
    # The tally of the hand in play: from its moves, then replaced by reported facts.
    compute_tally: Callable[[State[Any]], TallyFacts]
    # The score of the hand as far as it was recorded; `after` is the standing with it added.
    score: Callable[[State[Any]], HandScore]
    after: Callable[[Standing, HandScore, Terms], Standing]
    match: MatchRules = MatchRules()
    # The sheet, as players of this game write it.
    sheet: Callable[[State[Any], Sheet], Sheet]
    judging: Judging = Judging()
    omissions: Omissions = Omissions()
    shorthand: Shorthand = Shorthand()
    display: Display = Display()
    simulation: Simulation = Simulation()
    version: int = 1

    def __post_init__(self) -> None:
        words = {**self.words, **{word: meaning for word, meaning in ENDS.items() if word not in self.words}}
        force_setattr(self, "words", words)
        if getattr(self.on.get(Gap), "phase", "") == "gap" and "gap" not in self.phases:
            acts = dict.fromkeys(kind for phase in self.phases.values() for kind in phase.acts)
            phase = Phase("after a gap", tuple(acts), "whatever comes next", to_do="go on")
            force_setattr(self, "phases", {**self.phases, "gap": phase})

    @property
    def players(self) -> str:
        """How many play, and how: `2 or 3, each alone; 4, partners opposite`."""
        return self.seating.players

    def spoken(self, word: str) -> str:
        """A word of `words` as players say it: the name of the game has its spaces, which a written word has not."""
        name = self.name.lower()
        return name if word == name.replace(" ", "") else word

    @property
    def has_cards(self) -> bool:
        """True if its cards are recorded; of an unknown game only results are."""
        return self.pack.size > 0

    def __deepcopy__(self, memo: object) -> Game:
        return self
