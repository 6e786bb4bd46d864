"""The keys of the phone for a position: the cards of the pack, the other acts, and the questions about a result.

A key adds its text to the line that is being written, in the notation of the record; one that `ends` the line sends
it. The keys follow from the position as the recorder sees it, so they reveal no hidden card. A page without a network
continues with the cards and its last keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, ClassVar, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from events import model as ev
from events.cards import GLYPHS, SUIT_NAMES, UNKNOWN, Pack, item, pretty, rank_of
from events.errors import NotationError
from events.model import Event
from events.writing import write_event
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.house_rules import words_of_house_rules
from reducers.legal import legal
from reducers.model import Game, State
from reducers.piles import how_it_lies, pile_label
from reducers.scoring import Points, figure, signed
from reducers.words.deals import laid_open, limit_now
from reducers.words.tricks import tricks_in
from replay.languages.translate import in_language, t, tn
from replay.log import NumberedEvent
from replay.pack_names import InPack
from replay.plain_text import player_names, with_player_names
from replay.redact import PUBLIC, Onlooker
from replay.table.completion import possible_answers
from replay.table.event_sentences import Telling
from replay.table.example import cards_out_of_sight, is_broken, might_be_held, open_deals
from replay.table.frame import PileViews, contract_of, laid_in_middle
from replay.table.lookahead import ActsAhead, look_ahead
from replay.table.position import to_act
from replay.table.result_line import (
    AskedFact,
    answer_choices,
    asked_facts,
    choices_spoken,
    question_spoken,
    questions_of,
    still_asked,
    without_results,
)
from replay.table.session import Session
from replay.table.shorthand import applied, position_to_come
from replay.table.wording import without_notation, word_meaning

MOST_KEYS = 40
"""Most acts offered as keys; others are composed."""
MOST_TRIED = 60
MOST_SKIPPED = 3
"""Most unseen acts skipped to offer the acts after them."""
LAST_LINES = 12
"""Most lines that can be corrected from a list. The phone shows as many as fit, at least three."""
POT = "pot"
_SUITS = "shdc"
_RANKS = "AKQJT98765432"
_TWICE = re.compile(r"\b(\w+) \1\b", re.IGNORECASE)
_WITH_CARDS = re.compile("turned up for it|laid open")
"""Phrases in a game's words for calls that show cards."""
BY_CARDS = (ev.Play, ev.Discard, ev.Capture, ev.Meld, ev.Show)
"""Acts recorded by their seen cards."""
BY_THEIR_VERB = (ev.Meld, ev.Arrange, ev.Show)
"""Acts of several cards with a key of their own if a card alone means something else."""
SAID_AS = {
    "play": "plays", "meld": "lays down", "arrange": "lays anew", "discard": "discards", "draw": "draws",
    "show": "shows", "move": "moves", "capture": "takes", "bid": "bids", "pass": "passes", "name": "names",
    "call": "says", "bet": "stakes", "pay": "pays", "deal": "deals",
}  # fmt: skip
"""The verbs of the notation in the third person."""


Ways: TypeAlias = Sequence[tuple[str, State[Any]]]
"""The position and those that follow from it by unseen acts, each with the text to type before an act there."""


class PadKey(Struct, frozen=True, omit_defaults=True):
    """A key: the text it adds to the line, its label, its meaning, and whether it ends the line.

    `by` is the actor if several seats may act; with `card`, the tapped card replaces the unseen one.
    """

    TYPED: ClassVar = ("text", "by")

    text: str
    label: str
    says: str = ""
    ends: bool = False
    by: str = ""
    card: bool = False


class LastLine(Struct, frozen=True, omit_defaults=True):
    """An event: its number, its text, its actor, and the number of cards it names."""

    n: int
    says: str
    by: str = ""
    cards: int = 0


class PadQuestion(Struct, frozen=True, omit_defaults=True):
    """A question about a result: its name, the choices, the keys, and what each would score. `digits` asks for a
    number."""

    called: str
    choices: str
    keys: tuple[PadKey, ...] = ()
    digits: bool = False
    outcomes: tuple[Outcome, ...] = ()


class Outcome(Struct, frozen=True):
    """What one answer would score: the points of the hand and the totals after it, by side."""

    TYPED: ClassVar = ("text",)

    text: str
    points: dict[str, str]
    totals: dict[str, str]


class PadView(Struct, frozen=True, omit_defaults=True):
    """A position as the phone shows it.

    `last` is the position of the last event, `phase` the key of the part of the hand. `ahead` is for a page without a
    network. `hint` is a line above the keys. `led` is the suit of a card if no suit is tapped; a line of cards begins
    with `front`, and is complete after `full` cards (0: unknown). `trick` is the size of a trick, if there are
    tricks. `gone` are cards that cannot be played again. `keys` are other acts, `verbs` begin a line of cards.
    Anything else is composed of `pieces`: all verbs and words said aloud, with digits if `figures`, and `piles`, the
    sources and targets. At an `open_table` players may join and leave between two hands. `cards` are the signs of the
    cards of the table's pack; none for the French one.
    """

    TYPED: ClassVar = (
        "match", "game", "called", "seats", "turn", "phase", "ahead", "led", "front", "middle", "gone", "ranks",
    )

    match: str
    last: int
    game: str
    name: str
    hand: int
    contract: str
    score: tuple[tuple[str, str], ...]
    turn: tuple[str, ...]
    to_act: str
    over: bool
    called: dict[str, str]
    seats: tuple[str, ...]
    phase: str
    ahead: ActsAhead = ActsAhead()
    lines: tuple[LastLine, ...] = ()
    middle: tuple[tuple[str, str], ...] = ()
    hint: str = ""
    led: str = ""
    front: str = ""
    full: int = 0
    trick: int = 0
    suits: tuple[PadKey, ...] = ()
    ranks: tuple[PadKey, ...] = ()
    singles: tuple[PadKey, ...] = ()
    gone: tuple[str, ...] = ()
    keys: tuple[PadKey, ...] = ()
    verbs: tuple[PadKey, ...] = ()
    pieces: tuple[PadKey, ...] = ()
    piles: tuple[PadKey, ...] = ()
    figures: bool = False
    unseen: bool = False
    result: bool = False
    open_table: bool = False
    cards: dict[str, str] = {}


def pad_of(session: Session, viewer: str = "public", totals: Points | None = None) -> PadView:
    """The pad for the position of a session; `totals` replaces the totals after a ruling."""
    state = session.state
    terms, game = state.terms, state.game
    called = {who: terms.name(who) for who in (*terms.seats, *terms.sides)}
    there = position_to_come(state)
    seen = SeenAct(state)
    phase = game.phases.get(there.phase)
    ways = tuple(positions_ahead(there)) if there.turn and not state.ended else ()
    acts = [(before, now, act) for before, now in ways for act in legal(now, limit=MOST_TRIED).acts]
    led = game.shorthand.led(there) if there.number else ""
    led = led if led and led in _SUITS else ""
    totals = state.standing.totals if totals is None else totals
    full = 0 if state.ended else cards_to_come(session, there, ways[-1][1] if ways else there)
    return PadView(
        match=str(terms.facts.get("Match", "")), last=session.records[-1].n, game=game.key, name=in_language(game.name),
        hand=there.number,
        contract=with_player_names(in_language(contract_of(state), game.key), called)
        if state.number and state.number == there.number else "",
        score=tuple((called[who], figure(n)) for who, n in totals.items()),
        turn=() if state.ended else there.turn, to_act="" if state.ended or not there.turn else to_act(there),
        over=bool(state.ended) or state.standing.over,
        called=called, seats=terms.seats, phase=there.phase, ahead=look_ahead(there), lines=last_lines(session),
        middle=tuple((laid.seat, laid.card) for laid in laid_in_middle(PileViews(game, terms, viewer), state))
        if state.number else (),
        hint=tn("the card dealt face up", "the {n} cards dealt face up", full) if upcards_of_deal(state)
        else hint_of(there, led),
        led=led, front=front_of(session, there, ways), full=full,
        trick=len(terms.seats) if state.hand is not None and tricks_in(state.hand) is not None else 0,
        suits=suits_of(game.pack), ranks=ranks_by_suit(game.pack), singles=singles_of(game.pack),
        gone=cards_out_of_play(there),
        keys=tuple(keys_for(acts, ways, there, seen)), verbs=tuple(verbs_of(there, full)),
        pieces=tuple(pad_pieces(there)), piles=tuple(piles_of(there)),
        figures=phase is not None and any(kind in phase.acts for kind in (ev.Bid, ev.Bet, ev.Pay, ev.Call)),
        unseen=full > 0 or any(isinstance(act, BY_CARDS) for _, _, act in acts)
        or any(kind in phase.acts for kind in BY_CARDS if phase is not None),
        result=next(asked_facts(without_results(state), {}), None) is not None,
        open_table=game.match.open_table and terms.sides.keys() == set(terms.seats),
    )  # fmt: skip


def pad_in_pack(pad: PadView, faces: Iterable[str], shown: InPack) -> PadView:
    """The pad with the names and signs of another pack; the texts that its keys add stay in the notation."""
    if shown.same:
        return pad
    told, signs = shown.data(pad), {rank: term.sign for rank, term in shown.pack.ranks.items()}
    return replace(
        # The sign of a suit is its name here, and need not stand before it.
        told, hint=_TWICE.sub(r"\1", told.hint), cards={face: shown.pack.sign(face) for face in faces},
        ranks=tuple(replace(key, label=signs.get(key.text, key.label)) for key in pad.ranks),
    )


def positions_ahead(state: State[Any]) -> Iterator[tuple[str, State[Any]]]:
    """The position, and those that follow from it by unseen draws, each with the text to type before an act there."""
    yield "", state
    before = ""
    for _ in range(MOST_SKIPPED):
        phase = state.game.phases.get(state.phase)
        quiet = phase.default_act(state) if phase is not None and state.turn else None
        if not isinstance(quiet, ev.Draw) or any("?" not in card for card in quiet.cards):
            return
        state, before = state.copy(), f"{before}. "
        applied(state, quiet)
        if state.turn and state.phase != "between" and not state.ended:
            yield before, state


def cards_to_come(session: Session, there: State[Any], then: State[Any]) -> int:
    """The number of cards that complete a line: those of an open deal, one if each is an act, those of a shown hand.
    0 if unknown."""
    dealt = upcards_of_deal(session.state)
    if dealt and (there.game.shorthand.open_deal or laid_open)(there, tuple(dealt)) is not None:
        return len(dealt)
    phase = there.game.phases.get(there.phase)
    if phase is None or not there.turn:
        return 0
    if phase.one_card or one_at_a_time(then):
        return 1
    return shown_at_once(session, there) if shows_a_hand(there) else 0


def upcards_of_deal(state: State[Any]) -> list[str]:
    """The cards dealt face up before the first act of a hand; none once it has begun."""
    return [
        card for deal in open_deals(state) for card in _seen(deal)
    ] if state.phase == "between" or not state.acts else []


def front_of(session: Session, state: State[Any], ways: Ways) -> str:
    """The text for an unseen draw, to be typed before cards that would be taken for the drawn ones; else ""."""
    face = next(
        iter(cards_out_of_sight(state)), "",
    ) if len(ways) > 1 and next(might_be_held(ways[-1][1]), None) is not None else ""
    try:
        first = session.complete(face).events[0].event if face else None
    except NotationError:
        return ""
    return ways[-1][0] if isinstance(first, ev.Draw) and first.cards == (face,) else ""


def _seen(deal: ev.Deal) -> list[str]:
    """The face-up cards of a deal, one by one."""
    items = [item(text) for _, cards in deal.piles for text in cards if UNKNOWN not in text]
    return [it.card for it in items for _ in range(it.count or 1)]


def one_at_a_time(state: State[Any]) -> bool:
    """True if a tapped card can only be an act of its own here, as two at once break the rules."""
    phase = state.game.phases.get(state.phase)
    if phase is None or len(state.turn) != 1 or any(kind in phase.acts for kind in (ev.Move, ev.Capture, ev.Deal)):
        return False
    by, kinds = state.turn[0], [
        kind for kind in (ev.Play, ev.Discard, ev.Draw) if kind in phase.acts and kind not in phase.verb_required
    ]
    alone = [kind for kind in kinds if not is_broken(kind(by=by, cards=(UNKNOWN,)), state)]
    return bool(alone) and all(is_broken(kind(by=by, cards=(f"2x{UNKNOWN}",)), state) for kind in kinds)


def shows_a_hand(state: State[Any]) -> bool:
    """True if hands are shown here, and nothing else is done with cards."""
    acts = list(legal(state, limit=MOST_TRIED).acts)
    told = [act for act in acts if hasattr(act, "cards") or hasattr(act, "groups")]
    return bool(told) and all(isinstance(act, ev.Show) and not act.src for act in told)


def shown_at_once(session: Session, state: State[Any]) -> int:
    """The number of cards the seat to act has to show: those of its hand not seen yet, if the others are implied."""
    held = state.holding(state.turn[0])
    unseen = len(held) - state.game.pack.count(held.certain)
    faces = cards_out_of_sight(state)[:unseen]
    try:
        event = session.complete("".join(faces)).events[-1].event if 0 < unseen == len(faces) else None
    except NotationError:
        return len(held)
    return unseen if isinstance(event, ev.Show) and sum(
        len(group) for group in event.groups
    ) == len(held) else len(held)


def hint_of(state: State[Any], led: str) -> str:
    """The hint for the next card, or what is expected, without the notation."""
    if led:
        one = t(SUIT_NAMES[led].removesuffix("s"))
        return t("led: {sign} {suit} · a rank alone is a {one}", sign=GLYPHS[led], suit=t(SUIT_NAMES[led]), one=one)
    phase = state.game.phases.get(state.phase)
    return in_language(without_notation(phase.expects), state.game.key) if phase is not None else ""


def words_of_game(game: Game) -> Iterator[str]:
    """The words and phrases that the page of a game declares for its players: its name, what is expected and done in
    each phase, what is said, the piles, and the house rules."""
    yield game.name
    for phase in game.phases.values():
        yield from (without_notation(phase.expects), phase.to_do, *phase.verbs.values())
    yield from game.shorthand.verbs.values()
    for word in game.words:
        yield game.spoken(word)
    for lies in game.display.piles.values():
        yield from (lies.called,) if lies.called not in ("", "*") else ()
    for key, phase in game.phases.items():
        yield from (phase.name, key)
    yield from questions_of(game)
    yield from filter(None, map(word_meaning, game.words.values()))
    yield from (fact.meaning for fact in game.tally.facts.values())
    yield from words_of_house_rules(game)


# Cards


def suits_of(pack: Pack) -> tuple[PadKey, ...]:
    """The suits of the pack, in the order of a sorted hand."""
    return tuple(PadKey(suit, GLYPHS[suit], t(SUIT_NAMES[suit])) for suit in _SUITS if pack.suit.get(suit))


def ranks_by_suit(pack: Pack) -> tuple[PadKey, ...]:
    """The ranks that more than one suit has, high to low, each with its suits."""
    found = {rank: faces_of(pack, rank) for rank in _RANKS}
    return tuple(
        PadKey(rank, "10" if rank == "T" else rank, "".join(face[1] for face in faces)) for rank, faces in found.items()
        if len(faces) > 1
    )


def singles_of(pack: Pack) -> tuple[PadKey, ...]:
    """The cards with a key of their own: jokers, and ranks with one card."""
    alone = [faces_of(pack, rank)[0] for rank in _RANKS if len(faces_of(pack, rank)) == 1]
    jokers = [face for face in pack.faces if face.startswith("Jo")]
    return tuple(
        PadKey(face, pretty(face) if not face.startswith("Jo") else f"{t('joker')} {face[2:]}".strip())
        for face in (*alone, *dict.fromkeys(jokers))
    )


@lru_cache(maxsize=1024)
def faces_of(pack: Pack, rank: str) -> tuple[str, ...]:
    """The cards of a rank."""
    return tuple(face for face in pack.faces if not face.startswith("Jo") and rank_of(face) == rank)


def cards_out_of_play(state: State[Any]) -> tuple[str, ...]:
    """The cards that all see, or that are put away. In a pack without duplicates no player can hold them any more."""
    pack = state.game.pack
    if max(pack.copies, default=1) > 1:
        return ()
    seen = []
    for pile in state.table.piles.values():
        lies, _ = how_it_lies(pile.name, state.game.display.piles, state.terms)
        if lies.place == "hand":
            continue
        seen += [pack.tokens[code] for code in pile.codes() if code < pack.unknown]
    return tuple(dict.fromkeys(seen))


# Acts


class SeenAct:
    """What the table sees of an act: whether its cards are entered by tapping them."""

    def __init__(self, state: State[Any]) -> None:
        self.eyes = Onlooker(state.game, state.terms, PUBLIC)
        self.card = state.game.pack.tokens[0]

    def told_by_its_cards(self, act: Event) -> bool:
        """True if an act is entered by tapping cards: one card played or discarded, or cards that are revealed."""
        if isinstance(act, ev.Play | ev.Discard) and not act.src and act.face is None and all(
            UNKNOWN not in card for card in act.cards
        ):
            return True
        return any(UNKNOWN in text for text in _texts(act)) and self.shows(act)

    def shows(self, act: Event) -> bool:
        """True if the table sees the cards of the act."""
        if isinstance(act, ev.Deal):
            full: Any = replace(act, piles=tuple((name, (self.card,)) for name, _ in act.piles))
        elif isinstance(act, ev.Play | ev.Draw | ev.Discard | ev.Move):
            full = replace(act, cards=(self.card,))
        else:
            return isinstance(act, ev.Meld | ev.Show | ev.Capture | ev.Arrange)
        return bool(self.eyes.plain(full) == full)


def keys_for(
    acts: Sequence[tuple[str, State[Any], Event]], ways: Ways, state: State[Any], seen: SeenAct,
) -> Iterator[PadKey]:
    """A key for each act that is not entered by tapping cards, up to a limit."""
    told: set[str] = set()
    for key in (*_acts(acts, state.turn, seen), *_quiet(ways[:1], acts, seen), *_said_aloud(ways)):
        name = f"{key.by} {key.label}"
        if name not in told and len(told) < MOST_KEYS:
            told.add(name)
            yield key


def _acts(acts: Sequence[tuple[str, State[Any], Event]], turn: Sequence[str], seen: SeenAct) -> Iterator[PadKey]:
    several = len(turn) > 1
    offered = [(before, now, act) for before, now, act in acts if not seen.told_by_its_cards(act) or takes_a_card(act)]
    # An act that is possible at once shares its key with the same act after an unseen one.
    at_once = [replace(act, by="") for before, _, act in offered if not before]
    offered = [(before, now, act) for before, now, act in offered if not before or replace(act, by="") not in at_once]
    few = len([act for _, _, act in offered if isinstance(act, ev.Move | ev.Meld | ev.Capture | ev.Draw)]) <= MOST_KEYS
    for before, now, act in offered:
        if (isinstance(act, ev.Move | ev.Meld | ev.Capture | ev.Draw) and not few) or (
            before and isinstance(act, ev.Draw) and act.src in ("", "stock")
        ):
            continue
        if seen.told_by_its_cards(act):
            yield PadKey(write_event(act), onto(act, now), ends=True, by=act.by, card=True)
        else:
            label = Telling(now, signs=True).short(act)
            own = several or act.by in turn
            yield PadKey(
                before + typed_act(act, now), label if own else f"{now.terms.name(act.by)}: {label}", ends=True,
                by=act.by if several else "",
            )


def takes_a_card(act: Event) -> bool:
    """True if an act names the target of a card that is seen only then."""
    return isinstance(act, ev.Move) and act.cards == (UNKNOWN,)


def onto(act: Event, state: State[Any]) -> str:
    """The target of a card that is seen only then."""
    row = state.table.piles[act.to].row if isinstance(act, ev.Move) and act.to in state.table.piles else None
    return (
        t("onto {card}", card=pretty(state.game.pack.tokens[row[-1]])) if row
        else t("to {place}", place=getattr(act, "to", "").replace(":", " "))
    )


def _quiet(ways: Ways, acts: Sequence[tuple[str, State[Any], Event]], seen: SeenAct) -> Iterator[PadKey]:
    """The default act of the seat to act, with cards that stay unseen, if no other key has it."""
    for _, state in ways:
        phase = state.game.phases.get(state.phase)
        quiet = phase.default_act(state) if phase is not None and len(state.turn) == 1 else None
        if quiet is not None and all(quiet != act for _, _, act in acts) and not seen.told_by_its_cards(quiet):
            yield PadKey(".", Telling(state, signs=True).short(quiet), ends=True)


def _said_aloud(ways: Ways) -> Iterator[PadKey]:
    """The words that may be called in this part of the hand, unless they break a rule for every seat."""
    for before, state in ways:
        listed = [act.word for act in legal(state, limit=MOST_TRIED).acts if isinstance(act, ev.Call)]
        for word in words_of(state):
            if word not in listed and any(
                not is_broken(ev.Call(by=seat, word=word), state) for seat in state.terms.seats
            ):
                yield PadKey(before + word, in_language(word, state.game.key), ends=True)


def words_of(state: State[Any]) -> list[str]:
    """The words that may be called in this part of the hand."""
    phase = state.game.phases.get(state.phase)
    if phase is None or ev.Call not in phase.acts:
        return []
    return [word for word, meaning in state.game.words.items() if meaning.startswith("call: ")]


def _texts(act: Event) -> Iterable[str]:
    if isinstance(act, ev.Deal):
        return [text for _, cards in act.piles for text in cards]
    if isinstance(act, ev.Meld | ev.Show | ev.Arrange):
        return [text for group in act.groups for text in group]
    return getattr(act, "cards", ())


def typed_act(act: Event, state: State[Any]) -> str:
    """An act as it can be typed here: without the seat if only that seat is to act."""
    full = write_event(act)
    actor, _, rest = full.partition(" ")
    return rest if len(state.turn) == 1 and actor == state.turn[0] and act.by == actor else full


def verbs_of(state: State[Any], full: int) -> Iterator[PadKey]:
    """The verbs of this part of the hand that begin a line of several cards, if the cards alone would be something
    else."""
    phase = state.game.phases.get(state.phase)
    if phase is None:
        return
    for kind in phase.acts:
        if kind is ev.Arrange or (kind in BY_THEIR_VERB and full == 1):
            verb = str(kind.__struct_config__.tag)
            yield PadKey(verb, t(SAID_AS[verb]))
    yield from (
        PadKey(word, f"{in_language(word, state.game.key)} …") for word in words_of(state)
        if _WITH_CARDS.search(state.game.words[word])
    )


def pad_pieces(state: State[Any]) -> Iterator[PadKey]:
    """All verbs that may begin a line here, and the words said with cards or figures."""
    phase = state.game.phases.get(state.phase)
    if phase is None:
        return
    verbs = [str(kind.__struct_config__.tag) for kind in dict.fromkeys((*phase.acts, ev.Show, ev.Move))]
    yield from (PadKey(verb, t(SAID_AS.get(verb, verb))) for verb in verbs)
    if ev.Draw in phase.acts or ev.Discard in phase.acts:
        yield from (PadKey("up", t("face up")), PadKey("down", t("face down")))
    if ev.Arrange in phase.acts:
        yield PadKey("-", t("nothing"))
    yield from (PadKey(word, f"“{in_language(word, state.game.key)}”") for word in words_of(state))
    yield from (
        PadKey(word, in_language(word, state.game.key)) for word, meaning in state.game.words.items()
        if meaning.startswith("typed for move")
    )


def piles_of(state: State[Any]) -> Iterator[PadKey]:
    """The piles where cards can come from and go to, and the pot."""
    phase = state.game.phases.get(state.phase)
    if phase is not None and ev.Pay in phase.acts:
        yield PadKey(POT, t("the {what}", what=in_language(POT)))
    for pile in state.table.piles.values():
        lies, owner = how_it_lies(pile.name, state.game.display.piles, state.terms)
        if lies.place in ("hand", "won") or pile.name == "trick":
            continue
        label = f"{state.terms.name(owner)} {pile.name.rpartition(':')[2]}" if owner else in_language(
            pile_label(pile.name, lies, state.terms), state.game.key,
        )
        yield PadKey(pile.name, label)


# The last lines


def last_lines(session: Session) -> tuple[LastLine, ...]:
    """The last lines in words, the latest at the end."""
    return events_in_words(session.view.events[-2 * LAST_LINES :], session)[-LAST_LINES:]


def lines_of_hand(session: Session, hand: int, seat: str = "") -> tuple[LastLine, ...]:
    """The lines of a hand in words and in order, as corrected; of one seat if given."""
    state, placed = begin(session.view.opening.facts), []
    for p in session.view.events:
        applied(state, p.event)
        if state.number == hand and seat in ("", p.event.by, p.event.by.partition(":")[0]):
            placed.append(p)
        if state.number > hand:
            break
    return events_in_words(placed, session)


def events_in_words(events: Sequence[NumberedEvent], session: Session) -> tuple[LastLine, ...]:
    """Events in words, with their numbers; a wholly unseen deal is left out."""
    usual = Telling(session.state, signs=True)
    lines: list[LastLine] = []
    for placed in events:
        event = placed.event
        # Joining and leaving is described with the seating before it.
        telling = Telling(session.in_place_of(placed.n).state, signs=True) if isinstance(event, ev.Open) else usual
        if isinstance(event, ev.Shuffle | ev.Deal) and all(UNKNOWN in text for text in _texts(event)):
            continue
        if event.by == "@":
            by = t("The table") if isinstance(event, ev.End | ev.Open | ev.Ruling) else ""
        else:
            by = "" if isinstance(event, ev.Deal | ev.Tally | ev.End) else telling.who(event.by)
        says = (
            t("{cards} dealt face up", cards=" ".join(map(pretty, _seen(event)))) if isinstance(event, ev.Deal)
            else telling.behind_a_name(event)
        )
        lines.append(LastLine(placed.n, says, by, sum(item(text).count or 1 for text in _texts(event))))
    return tuple(lines)


# Results


def question(session: Session, words: Sequence[str]) -> PadQuestion | None:
    """The next question about the result of the hand after these words; None if there is none. Raises NotationError
    for invalid words."""
    state = without_results(session.state)
    one = still_asked(words, state)
    if one is None:
        return None
    last = still_asked([*words, "-"], state) is None
    keys = keys_of(one, state)
    outcomes = tuple(o for key in keys for o in outcome_of(session, [*words, key.text])) if last else ()
    return PadQuestion(
        question_spoken(one, state), choices_spoken(one, answer_choices(one, state)), keys,
        one.fact.kind == "number" and not keys, outcomes,
    )


def keys_of(one: AskedFact, state: State[Any]) -> tuple[PadKey, ...]:
    """The keys for a question; none for a number without limits."""
    called = player_names(state.terms.sides, state.terms.names)
    suits = GLYPHS if set(_SUITS) <= {str(word) for word in one.fact.only} else {}
    found = [
        PadKey(
            word.text,
            called.get(word.text) or suits.get(word.text)
            or (state.terms.name(word.text) if word.text in state.terms.seats
                else in_language(word.text, state.game.key))
        )
        for word in possible_answers(one, state) if word.text != "-"
    ]  # fmt: skip
    least, most = limit_now(one.fact.least, state), limit_now(one.fact.most, state)
    if (
        one.fact.kind == "number" and least is not None and most is not None
        and (most - least) // one.fact.step < MOST_KEYS
    ):
        found = [PadKey(str(n), str(n)) for n in range(least, most + 1, one.fact.step)] + found
    return tuple(found)


def outcome_of(session: Session, words: Sequence[str]) -> Iterator[Outcome]:
    """What the hand would score with these answers; nothing if that is unknown."""
    try:
        draft = session.complete(" ".join(["result", *words]))
    except NotationError:
        return
    state = session.state.copy()
    for r in draft.events:
        evolve(state, r.event)
    if state.score is None:
        return
    score = state.score
    called = player_names(state.terms.sides, state.terms.names)
    yield Outcome(
        words[-1], {called[who]: signed(n) for who, n in score.points.items()},
        {called[who]: figure(score.totals.get(who)) for who in score.points}
    )
