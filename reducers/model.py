"""What a page hands in, one `Game`, and the state of a match, which is the same for every game."""

from __future__ import annotations

import copy
import copyreg
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar, cast

import msgspec
from msgspec import Struct

from events.cards import Pack
from events.model import (
    Claim,
    Event,
    Facts,
    Ruling,
)
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
    """A score as the table stated it: position, hand, who said it, and the facts of the claim.

    The hand is the one before as long as nobody has acted in the next. `playing` says that the hand was in play; `points` are what it
    had come to at that moment, None where that is not known.
    """

    at: int
    hand: int
    by: str
    claim: Claim
    playing: bool
    points: Points
    confirmed: tuple[str, ...] = ()


class Undecided(Struct, frozen=True):
    """A hand of which it is not known who dealt it: the `seats` that may have, what has `happened` in it since (position, step and
    event), and how many `entries` of the journal were made before it."""

    seats: tuple[str, ...]
    entries: int
    happened: tuple[tuple[int, int, Event], ...] = ()


class State(Generic[H]):
    """Where a match stands after an event. The fold owns it and changes it in place; `copy` hands one out.

    `hand` is the page's own record of the hand in play. `phase` names the part of the hand, `turn` the seats that may
    act now, `at` the position of the last event folded, `number` the hand (0 before the first). `before` is the
    standing before the hand in play, `after` with what it is worth so far; `score` what the hand is worth as far as it can be told.
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
        "dealer_is_guess",
        "ended",
        "game",
        "gap",
        "hand",
        "hand_may_be_missing",
        "inferred",
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
        self.table = Table(game.pack, called_otherwise(game.piles))
        self.at = 0
        # The position at which the hand in play began.
        self.began = 0
        self.number = 0
        # What the hand is called in the record, which need not begin with the first one.
        self.numbered = 0
        self.dealer = terms.dealer
        self.phase = "between"
        self.turn: tuple[str, ...] = ()
        self.hand: H = None  # type: ignore[assignment]  # there is no hand before the first `hand` event
        self.before = before
        self.after: Standing | None = None
        self.scores: list[HandScore] = []
        self.settled = True
        # Acts went by unrecorded since the last hand: the next one has begun, unless somebody wrote its beginning.
        self.gap = False
        # Nobody wrote who deals, or acts went by unrecorded, perhaps the beginning of a hand: `dealer` is a guess.
        self.dealer_is_guess = False
        # Who may have dealt the hand in play, as long as its first acts may still show it.
        self.undecided: Undecided | None = None
        # Acts went by unrecorded since the last hand line with a dealer: whole hands may be missing.
        self.lost_count = False
        # After a gap in front of the first act of a hand: how many acts it stands for, if it says so, and the hand before it, until
        # the next act shows whether only parts of the deal lay in the gap.
        self.undone: tuple[int, State[H]] | None = None
        # A whole hand may have been played out unrecorded before the one in play.
        self.hand_may_be_missing = False
        self.tallies: list[Facts] = []
        # What of the tallies can be read (`reducers.words.tallies`): of which tallies, on what terms, after which event, what it is, and
        # what the moves show of it.
        self.read: tuple[list[Facts], Terms, int, tuple[Facts, ...], dict[str, Any]] = ([], terms, 0, (), {})
        # Where a tally tells what the moves of the hand rule out: which of them a reading takes to be true; neither, if it is empty.
        self.believed: Literal["", "moves", "told"] = ""
        # What rulings or penalties hand over in this hand; empty while the log is folded as it was played.
        self.transfers: list[Facts] = []
        # What was ruled about the hand in play, or just played, by position; and the standing before and after it as ruled, if something
        # was: it says whether the match is over.
        self.rulings: tuple[tuple[int, Ruling], ...] = ()
        self.ruled_before: Standing | None = None
        self.ruled_after: Standing | None = None
        # What the rulings looked at so far make of the hand: its score as played, these rulings, the hand and its score as ruled.
        self.ruled_so_far: tuple[HandScore, tuple[tuple[int, Ruling], ...], State[H], HandScore] | None = None
        self.claims: list[ClaimMade] = []
        self.inferred: list[tuple[int, str]] = []
        self.acts = 0
        self.stop_reason = ""
        # How many events were applied more than once, to find out who dealt a hand.
        self.again = 0
        # The terms from the next hand on, if somebody joins or leaves with it, and which seats were taken from which hand on, if that
        # changed on the way (`reducers.seating`).
        self.coming: Terms | None = None
        self.sat: tuple[tuple[int, tuple[str, ...]], ...] = ()
        self.ended = ""
        self.why_ended = ""
        # Whether a further hand has begun after the end of the match: nothing of it counts.
        self.past_match_end = False
        # Whether the table has played on in a hand that was over.
        self.played_on = False

    # -- words every page uses ----------------------------------------------------------------------------------------

    def holding(self, seat: str) -> Pile:
        """The cards a seat holds; one nobody dealt to holds an unknown number of unknown cards.

        To ask does not put such a holding on the table; the first card that comes to it does.
        """
        pile = self.table.piles.get(seat)
        return pile if pile is not None else Pile(self.table, seat, row=False, vague=True)

    def code(self, cards: Sequence[str]) -> int:
        """The code of a single written card; `unknown` for one that is not in the pack, or for several."""
        pack = self.game.pack
        return pack.code.get(cards[0], pack.unknown) if len(cards) == 1 else pack.unknown

    def infer(self, text: str) -> None:
        """Note something that was not recorded but follows; it is shown as inferred, with its reason."""
        self.inferred.append((self.at, text))

    @property
    def standing(self) -> Standing:
        """The match with the hand in play counted as far as it is worth something."""
        return self.before if self.after is None else self.after

    @property
    def official(self) -> Standing:
        """The standing that counts: as ruled, if something was ruled."""
        return self.standing if self.ruled_after is None else self.ruled_after

    @property
    def score(self) -> HandScore | None:
        """What the hand in play (or just played) is worth, None before the first hand."""
        return self.scores[-1] if self.scores and self.scores[-1].number == self.number else None

    def snapshot(self) -> State[H]:
        """The state as it is now, as far as the fold goes on by replacing and not by changing what hangs on it."""
        out: State[H] = copyreg.__newobj__(type(self))  # type: ignore[attr-defined]  # as `copy.copy` does it
        for name in attribute_names(self):
            setattr(out, name, getattr(self, name))
        out.scores, out.inferred, out.claims = list(self.scores), list(self.inferred), list(self.claims)
        return out

    def copy(self, instead: Mapping[int, Pile] = {}) -> State[H]:
        """A state of one's own: changing it leaves this one alone. No journal is kept of what happens in it.

        `instead` says by identity which piles stand in the copy for piles of the table.
        """
        out = self.fork(instead)
        out.table.trouble, out.table.later = list(self.table.trouble), self.table.later
        for name, pile in self.table.piles.items():
            there = out.table.piles[name]
            there.later, there.stays = pile.later, pile.stays
        return out

    def fork(self, instead: Mapping[int, Pile] = {}) -> State[H]:
        """A state to go on from otherwise: a copy without what later events prove.

        What a fold only ever replaces (the scores of the hands before, the state before a gap) is shared, so that a copy late
        in a long match takes no longer than one at its beginning.
        """
        out = self.snapshot()
        out.tallies, out.transfers = list(self.tallies), list(self.transfers)
        out.table = self.table.as_it_lies()
        out.table.piles = {name: instead.get(id(self.table.piles[name]), pile) for name, pile in out.table.piles.items()}
        lying: dict[int, Any] = {id(pile): out.table.piles[name] for name, pile in self.table.piles.items()}
        lying.update({id(self.table): out.table, id(self): out})
        out.hand = copy.copy(self.hand)
        for name in attribute_names(self.hand):
            setattr(out.hand, name, own(getattr(self.hand, name), lying))
        return out


# What is shared by a hand and its copy: these, and every frozen struct that was met.
NEVER_CHANGED = {str, int, bool, type(None), frozenset}
# Where games keep what a hand is made of.
PARTS_OF_A_HAND = ("reducers.words.", "reducers.games.")


def own(value: Any, instead: Mapping[int, Any]) -> Any:
    """A copy of what a page keeps of a hand, with other things `instead` of the table and its piles, by identity.

    What nobody changes is shared. Raises TypeError if it is not made of words, numbers, structs, lists of such, and the records
    that games keep of a part of a hand; of one that says what of it is `CHANGED_IN_PLACE` all else is shared.

    >>> kept = {"A": [1]}; other = own(kept, {}); other["A"].append(2); kept
    {'A': [1]}
    """
    kind = type(value)
    if kind in NEVER_CHANGED:
        return value
    if kind is dict:
        if NEVER_CHANGED.issuperset(map(type, value.values())):
            return dict(value)
        return {key: own(one, instead) for key, one in value.items()}
    if kind is list or kind is tuple:
        if NEVER_CHANGED.issuperset(map(type, value)):
            return kind(value)
        return kind([own(one, instead) for one in value])
    if kind is set:
        return set(value)
    if id(value) in instead:
        return instead[id(value)]
    if isinstance(value, tuple):
        return kind(*[own(one, instead) for one in value])
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
            kept[i] = own(kept[i], instead)
    for name, one in zip(names, kept, strict=True):
        setattr(out, name, one)
    return out


Fold = Any  # a page's evolve function: (event, state) -> None, typed by the page itself


def attribute_names(record: object) -> tuple[str, ...]:
    """What a page keeps in its record of a hand, by name; nothing where there is no record.

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
    """The names that a class lists, and the classes it is made from."""
    # A compiled class has no slots; what it lists may have the dictionary among it.
    listed = [name for made in kind.__mro__ for name in (*vars(made).get("__slots__", ()), *vars(made).get("__mypyc_attrs__", ()))]
    return tuple(dict.fromkeys(name for name in listed if name != "__dict__"))


class HandRecord:
    """What a family of games keeps of a hand, for pages to derive theirs from.

    It is copied by the names that it and the classes it is made from list: a compiled class would forget those of a page
    that stays plain.
    """

    __slots__ = ()

    def __getstate__(self) -> dict[str, Any]:
        """What it keeps, by name."""
        return {name: getattr(self, name) for name in attribute_names(self) if hasattr(self, name)}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """Keep this."""
        for name, value in kept.items():
            setattr(self, name, value)


def actor_in_words(event: Event) -> str:
    """Who acts, for a sentence: the seat, or the table."""
    return "the table" if event.by == "@" else event.by

Evolve: TypeAlias = Callable[[Any, Any], None]


def summary_of(doc: str | None) -> str:
    """What the first paragraph of a page's docstring says of the game, on one line.

    >>> summary_of("Forehand: two players, " + chr(10) + "seven tricks.")
    'two players, seven tricks.'
    """
    return " ".join((doc or "").partition(": ")[2].partition("\n\n")[0].split())


class InItsPlace(Protocol):
    """An event of a log, and the position by which it is called."""

    @property
    def n(self) -> int:
        """The position."""

    @property
    def event(self) -> Event:
        """What happened."""


# Applies an act and those after it, as far as no check can object; hands back the first it did not apply (`words.runs`).
Run: TypeAlias = Callable[[InItsPlace, Iterator[InItsPlace], State[Any]], InItsPlace | None]


class Phase(Struct, frozen=True):
    """One part of a hand, as the page explains it.

    `acts` are the events that belong to it; `default_act` gives the act that a lone `.` stands for, if there is one;
    `expects` says in words what comes now, `to_do` what a seat is asked ("to play"). With `one_card` a run of cards
    typed on one line is one card of each seat in turn. `bare` are the words that may be typed without their verb: the
    suits to name, the strains behind the number of a bid; None lets any word pass. Acts of the types `verb_required` are never
    meant where the verb was left out. `tries` are the acts worth trying by a seat whose turn it is. `apply_batch` may apply many acts
    at once that are plainly in order; if it says `sync_after_batch`, then the state is as each of these acts has left it once that was called,
    whenever the run asks for the next one. With `bare_shows` cards typed without a verb are shown, if they can be nothing else. Whoever
    types an act of a type in `confirm_first` is asked whether it is meant: it is hardly ever done here. Acts of a type in `early` may come before
    the first hand, and begin none; before it no other act belongs to the phase `between`. `asked` says who is to do what, if not
    all whose turn it is are asked the same. `verbs` are what an act of a type is called in this part, if it is called otherwise than in
    the others. `awaits` are the acts with a card that was called by name, one by each seat that may hold it.
    """

    name: str
    acts: tuple[type[Event], ...]
    expects: str
    default_act: Callable[[State[Any]], Event | None] = lambda state: None
    to_do: str = "act"
    one_card: bool = False
    bare: tuple[str, ...] | None = None
    verb_required: tuple[type[Event], ...] = ()
    tries: tuple[Callable[[str, State[Any]], Iterable[Event]], ...] = ()
    apply_batch: Run | None = None
    sync_after_batch: Callable[[State[Any]], None] | None = None
    bare_shows: bool = False
    confirm_first: tuple[type[Event], ...] = ()
    early: tuple[type[Event], ...] = ()
    asked: Callable[[State[Any]], str] | None = None
    verbs: Mapping[type[Event], str] = {}
    awaits: Callable[[State[Any]], Iterable[Event]] = lambda state: ()


def tried_in_phase(state: State[Any]) -> Iterator[Event]:
    """The acts that the phase in play says are worth trying, for each seat whose turn it is."""
    phase: Phase | None = state.game.phases.get(state.phase)
    for seat in state.turn if phase is not None else ():
        for tries in phase.tries if phase is not None else ():
            yield from tries(seat, state)


Family: TypeAlias = Literal[
    "tricks", "rummy", "fishing", "bank", "shedding", "tricks and shedding", "hunt", "patience", "score pad",
]  # fmt: skip


class Game(Struct, frozen=True, kw_only=True):
    """A game page. See `docs/adding-a-game.md` for how one is written."""

    key: str
    name: str
    summary: str
    players: str
    # What kind of game it is, in the word that players look for.
    family: Family
    seating: Seating
    # Whether players may join or leave between two hands, as the text has nothing against it.
    open_table: bool = False
    # Whether play goes round the other way.
    counter_clockwise: Callable[[Any], bool] = lambda options: False
    pack: Pack
    # Who plays the hand in play, or the next one; who is out of the match does not.
    playing: Callable[[State[Any]], tuple[str, ...]] = every_seat
    # What is dealt to whom, where a deal can be declared.
    deal: DealSpec | None = None
    options: type[Struct]
    rules: Catalogue
    # Where the rule text is silent or doubtful: the question, and how the page takes it.
    readings: Mapping[str, str]
    # The facts of a `tally`: what each means and can be, and all that follows from it.
    tally: type[TallyFacts]
    # The tally of the hand in play: from its moves, overlaid by what was told of it.
    compute_tally: Callable[[State[Any]], TallyFacts] | None = None
    # The words of `call`, `fault`, `end` and what they mean.
    words: Mapping[str, str]
    # Those that are said otherwise than they are written: a word of the notation has no spaces.
    spoken_words: Mapping[str, str] = {}
    phases: Mapping[str, Phase]
    # Builds the page's record of a hand and lays out its piles; the table is empty.
    start: Callable[[State[Any]], Any]
    # Lays what nobody wrote of the deal, as unseen cards, before the first act of a hand.
    lay_deal: Callable[[State[Any]], None] = lambda state: None
    # What happens to the state, by type of event.
    on: Mapping[type[Event], Evolve]
    # The acts worth trying now, before the checks filter them: what the phases try, if nothing else is said. May be lazy.
    candidates: Callable[[State[Any]], Iterable[Event]] = lambda state: tried_in_phase(state)
    # Whether all that a seat chooses from is known, so that `candidates` can list every act.
    knows_all_choices: Callable[[State[Any], str], bool] = lambda state, seat: state.holding(seat).complete
    # The bag of cards that a seat may play from elsewhere than its holding (what lies open before it).
    playable_elsewhere: Callable[[str, State[Any]], int] = lambda seat, state: 0
    # No list of legal acts is longer than this.
    most_acts: int = 500
    # The standing before the first hand.
    new_match: Callable[[Terms], Standing] = lambda terms: Standing(dict.fromkeys(terms.sides, 0))
    # What the hand is worth as far as it was recorded, and the standing with it added.
    score: Callable[[State[Any]], HandScore]
    # The line of that score with the points of the hand, where the match counts hands otherwise (strokes, hands won).
    hand_points: str = ""
    after: Callable[[Standing, HandScore, Terms], Standing]
    # Whether whoever has the fewest points leads.
    fewest_lead: Callable[[Terms], bool] = lambda terms: False
    # Whether the text names no winner of a match, but at most somebody who has lost it.
    nobody_wins: bool = False
    # Who has won a match that the table ends by agreement; nobody, if nothing is said here.
    ended_by_the_table: Callable[[Standing, Terms], Standing] = lambda standing, terms: standing
    # Who usually deals next. It is known if no rule lets another seat deal, and a guess otherwise.
    next_dealer: Callable[[State[Any]], str]
    # The sheet, as players of this game write it.
    sheet: Callable[[State[Any], Sheet], Sheet]
    # What chance does when nobody may act: the deal, the redeal (`state.turn` is empty and the match not over).
    chance: Callable[[State[Any], Random], list[Event]]
    # Whether chance does something first although somebody is to act (a stock that is out is shuffled anew).
    chance_acts_first: Callable[[State[Any]], bool] = lambda state: False
    # The pack that is played with, where the terms decide; it has the faces of `pack`, perhaps more copies of them.
    packs: Callable[[Terms], Pack] | None = None
    # How likely a player is to choose an act, so that simulated matches end; never 0 for a legal one.
    weigh: Callable[[State[Any], Event], float] = lambda state, event: 1.0
    # No simulated match takes more hands than this.
    most_hands: int = 200
    # How the piles lie and who sees into them, where their names do not say it (`reducers.piles`): pattern -> how it lies.
    piles: Mapping[str, Lies] = msgspec.field(default_factory=dict)
    # What players call an act of this type, if it is not its verb ("sticks" for a pass).
    verbs: Mapping[type[Event], str] = msgspec.field(default_factory=dict)
    # What players say of a pile as it lies: the kind of a meld, what a wild card stands for, the total of a hand.
    of_pile: Callable[[State[Any], str], OfPile | None] = lambda state, name: None
    # What that rests on of a hand that was seen whole, beside its cards: as long as this is equal, the same is said of the same cards. If
    # nothing is said here, it is asked of each hand at every event.
    of_pile_by: Callable[[State[Any]], object] | None = None
    # The acts that an unfinished act may mean in this position (a bare card that takes something is a capture): one is
    # taken, several are shown to whoever typed it.
    expand_shorthand: Callable[[State[Any], Event], tuple[Event, ...]] = lambda state, event: (event,)
    # How few cards an act of several cards has (a meld has three): fewer, typed as one word, are one act for each card.
    fewest_together: int = 2
    # Cards that are one act though they are fewer (a king and a queen are a marriage, right or wrong).
    together: Callable[[Sequence[str]], bool] = lambda cards: False
    # What everybody sees of the deal, typed as bare cards before the first act: the deal, or None if they cannot be it. If
    # nothing is said here, the cards are those that the declared deal turns up.
    open_deal: Callable[[State[Any], tuple[str, ...]], Event | None] | None = None
    # What has just come of it, in a few words for the answer line ("trick 3 to North").
    last_outcome_text: Callable[[State[Any]], str] = lambda state: ""
    # Facts a frame shows for the hand in play (contract, trump, …), as words.
    headline: Callable[[State[Any]], dict[str, Any]] = lambda state: {}
    # Those of them that a player has to keep in mind, as no pile and no score shows them (who is in checki, and with which pair).
    reminders: tuple[str, ...] = ()
    # The events that make or change the contract of a hand (`HandScore.contract`) before it is over, beside those that change
    # a word of the headline or begin a part of the hand; none in games without one. If nothing is said here, whatever moves no card may.
    contract_events: tuple[type[Event], ...] | None = None
    # The contract of a hand in play, if nothing was told of it but its moves: what its score has as `HandScore.contract`. If nothing
    # is said here, the hand is scored to tell it.
    contract: Callable[[State[Any]], str] | None = None
    # The word that a report has before it: another one in games in which nothing is contracted (`4 wild` in Pay Me).
    contract_called: str = "Contract"
    # The acts that only say something once the cards are dealt: no card moves, and none is turned up. Nobody looks at the piles after them.
    speech_events: tuple[type[Event], ...] = ()
    # The cards lying in the middle that the next act answers (the suit led fills what a person leaves out).
    led: Callable[[State[Any]], str] = lambda state: ""
    # Whether nobody has a hand: all cards lie in layouts or on the board.
    no_hands: bool = False
    # Whether a seat may come to have more hands than one; the second of A is called A:2 then, and acts by itself.
    several_hands: bool = False
    # Whether the pack goes on from hand to hand without a shuffle, so that a card of one hand tells of the next.
    pack_goes_on: bool = False
    # Words of `call` that anybody may say, whoever is to act.
    said_any_time: frozenset[str] = frozenset()
    # Rules whose breach looks just like an act of the same player that nobody wrote (a card drawn with nothing thrown).
    often_omitted_rules: frozenset[str] = frozenset()
    # Phases in which no check asks which cards a seat holds, so that it makes no difference when an unseen card came.
    phases_ignoring_holdings: frozenset[str] = frozenset()
    # What an act that belongs to another part of the hand shows, though nobody wrote it: the rest passed before the lead.
    # It brings the hand to where the act belongs, and notes each thing as inferred.
    unwritten: Callable[[State[Any], Event], None] = lambda state, event: None
    # Whether an act that comes once a hand is over is still of that hand, and begins no other: a card that the table plays on
    # with, a word about the last card.
    belongs_to_finished_hand: Callable[[State[Any], Event], bool] = lambda state, event: False
    # Whether the hand in play may be over, as something that would show it was not seen; a hand that nobody began may follow then.
    may_be_over: Callable[[State[Any]], bool] = lambda state: False
    # Who is meant where an act of this type is typed without its seat (a lead, while cards may still be drawn).
    implied_actor: Callable[[State[Any], type[Event]], tuple[str, ...]] = lambda state, kind: state.turn
    # How what a ruling hands over (see `tally`) is done to the record of a hand before it is scored again; what comes back
    # says why something had no effect.
    transfer: Callable[[State[Any], Facts], list[str]] = lambda state, facts: []
    # What the text prescribes for irregularities that are proven; asked once, with the state at the end of the log.
    penalties: Callable[[State[Any], Sequence[Breach]], Iterable[Penalty]] = lambda state, breaches: ()
    # What is missing for the score of a hand: the question, and for each possible answer the facts of a tally.
    missing: Callable[[State[Any]], Iterable[tuple[str, Mapping[str, Facts]]]] = lambda state: ()
    version: int = 1

    @property
    def has_cards(self) -> bool:
        """Whether its cards are recorded; of a game that Kibitz does not know only the results are."""
        return self.pack.size > 0

    def __deepcopy__(self, memo: object) -> Game:
        return self


__all__ = ["Game", "Phase", "State", "summary_of"]
