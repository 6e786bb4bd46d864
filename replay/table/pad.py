"""The keys that a phone shows in a position: the cards of the pack, what else may be done now, and what is asked of a result.

A key adds its text to the line that is being written, in the notation of the record; one that `ends` the line sends it. Which keys
there are follows from the position as the recorder sees it, so they tell of no hidden card. A page that cannot ask again (the
network is gone) goes on with the cards and with what it last had.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from events.cards import GLYPHS, SUIT_NAMES, UNKNOWN, Pack, pretty, rank_of
from events.errors import NotationError
from events.model import (
    ABOUT,
    Call,
    Capture,
    Deal,
    Discard,
    Draw,
    End,
    Event,
    Hand,
    Meld,
    Move,
    Play,
    Show,
    Shuffle,
    Tally,
)
from events.writing import write_event
from reducers.evolve import evolve, in_hand
from reducers.facts import limit
from reducers.legal import legal
from reducers.model import State
from reducers.piles import how_it_lies
from reducers.scoring import figure, signed
from reducers.words.tricks import tricks_in
from replay.plain_text import named, players
from replay.table.completion import answers
from replay.table.example import open_deals
from replay.table.frame import contract_of, middle_of
from replay.table.position import to_act
from replay.table.result_line import Asked, asked, choices, still_asked, with_nothing_told
from replay.table.session import Session
from replay.table.telling import Telling

MOST_KEYS = 24
"""So many acts are offered as keys; if there are more, they are written."""
MOST_TRIED = 60
LAST_LINES = 3
_SUITS = "shdc"
_RANKS = "AKQJT98765432"
BY_CARDS = (Play, Discard, Capture, Meld, Show)
"""Acts that are told by the cards that everybody sees."""


class Key(Struct, frozen=True, omit_defaults=True):
    """A key: what it adds to the line, what stands on it, what it means, and whether the line is whole with it."""

    text: str
    label: str
    says: str = ""
    ends: bool = False


class LastLine(Struct, frozen=True, omit_defaults=True):
    """One of the last events: its position, and what it says."""

    n: int
    says: str
    short: str
    by: str = ""


class Question(Struct, frozen=True, omit_defaults=True):
    """What is asked of a result: what it is called, what may be said, the keys for it, what each would score. `digits` asks for a number."""

    called: str
    choices: str
    keys: tuple[Key, ...] = ()
    digits: bool = False
    outcomes: tuple[Outcome, ...] = ()


class Outcome(Struct, frozen=True):
    """What one answer would score: the points of the hand and the totals after it, by side."""

    text: str
    points: dict[str, str]
    totals: dict[str, str]


class Pad(Struct, frozen=True, omit_defaults=True):
    """A position as the phone shows it.

    `last` is the position of the last event. `hint` is a line above the keys. `led` is the suit that a card is of if no suit is tapped;
    with `one_card` each card is a line of its own. `trick` is how many cards make a trick, if there are tricks. `gone` are cards that
    cannot be played again. `keys` are other acts, `verbs` begin a line of cards, `piles` name where from and where to.
    """

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
    lines: tuple[LastLine, ...] = ()
    middle: tuple[tuple[str, str], ...] = ()
    hint: str = ""
    led: str = ""
    one_card: bool = False
    trick: int = 0
    suits: tuple[Key, ...] = ()
    ranks: tuple[Key, ...] = ()
    singles: tuple[Key, ...] = ()
    gone: tuple[str, ...] = ()
    keys: tuple[Key, ...] = ()
    verbs: tuple[Key, ...] = ()
    piles: tuple[Key, ...] = ()
    unseen: bool = False
    result: bool = False


def pad_of(session: Session, viewer: str = "public") -> Pad:
    """The pad for the position that a session has reached."""
    state = session.state
    terms, game = state.terms, state.game
    called = {who: terms.name(who) for who in (*terms.seats, *terms.sides)}
    there = position_to_come(state)
    acts, phase = acts_of(there), game.phases.get(there.phase)
    led = game.led(there) if there.number else ""
    led = led if led and led in _SUITS else ""
    totals = state.standing.totals
    return Pad(
        match=str(terms.facts.get("Match", "")), last=session.records[-1].n, game=game.key, name=game.name, hand=there.number,
        contract=named(contract_of(state), called) if state.number else "",
        score=tuple((called[who], figure(n)) for who, n in totals.items()),
        turn=() if state.ended else there.turn, to_act="" if state.ended or not there.turn else to_act(there), over=bool(state.ended) or state.standing.over,
        called=called, seats=terms.seats, lines=last_lines(session),
        middle=tuple((laid.seat, laid.card) for laid in middle_of(state, viewer)) if state.number else (),
        hint=hint_of(there, led), led=led, one_card=bool(phase is not None and phase.one_card and there.turn) and not dealt_openly(state),
        trick=len(terms.seats) if state.hand is not None and tricks_in(state.hand) is not None else 0,
        suits=suits_of(game.pack), ranks=ranks_of(game.pack), singles=singles_of(game.pack), gone=gone(there),
        keys=tuple(keys_for(acts, there)), verbs=tuple(verbs_of(there)), piles=tuple(piles_of(there)),
        unseen=any(isinstance(act, BY_CARDS) for act in acts) or any(kind in phase.acts for kind in BY_CARDS if phase is not None),
        result=next(asked(with_nothing_told(state), {}), None) is not None,
    )  # fmt: skip


def position_to_come(state: State[Any]) -> State[Any]:
    """The position in which the next line is read: between two hands that is the next hand."""
    if state.phase != "between" or state.ended:
        return state
    there = state.copy()
    in_hand(there)
    return there


def dealt_openly(state: State[Any]) -> bool:
    """Whether the next cards are those of a deal that everybody sees: they stand on one line."""
    return not state.ended and (state.phase == "between" or not state.acts) and bool(open_deals(state))


def acts_of(state: State[Any]) -> list[Event]:
    """What may be done here, as far as the recorder can know it."""
    return list(legal(state, limit=MOST_TRIED).acts) if state.turn and not state.ended else []


def hint_of(state: State[Any], led: str) -> str:
    """What holds for the next card, or what is expected."""
    if led:
        return f"led: {GLYPHS[led]} {SUIT_NAMES[led]} · a rank alone is a {SUIT_NAMES[led].removesuffix('s')}"
    phase = state.game.phases.get(state.phase)
    return phase.expects if phase is not None else ""


# Cards


def suits_of(pack: Pack) -> tuple[Key, ...]:
    """The suits of the pack, in the order in which hands are held."""
    return tuple(Key(suit, GLYPHS[suit], SUIT_NAMES[suit]) for suit in _SUITS if pack.suit.get(suit))


def ranks_of(pack: Pack) -> tuple[Key, ...]:
    """The ranks that more than one suit has, high to low."""
    return tuple(Key(rank, "10" if rank == "T" else rank) for rank in _RANKS if len(faces_of(pack, rank)) > 1)


def singles_of(pack: Pack) -> tuple[Key, ...]:
    """The cards that have a key of their own: jokers, and ranks of which there is one."""
    alone = [faces_of(pack, rank)[0] for rank in _RANKS if len(faces_of(pack, rank)) == 1]
    jokers = [face for face in pack.faces if face.startswith("Jo")]
    return tuple(Key(face, pretty(face) if not face.startswith("Jo") else "joker") for face in (*alone, *dict.fromkeys(jokers)))


def faces_of(pack: Pack, rank: str) -> list[str]:
    """The cards of a rank."""
    return [face for face in pack.faces if not face.startswith("Jo") and rank_of(face) == rank]


def gone(state: State[Any]) -> tuple[str, ...]:
    """The cards that lie where all see them, or are put away: nobody can hold them any more, if there is one of each."""
    pack = state.game.pack
    if max(pack.copies, default=1) > 1:
        return ()
    seen = []
    for pile in state.table.piles.values():
        lies, _ = how_it_lies(pile.name, state.game, state.terms)
        if lies.place == "hand":
            continue
        seen += [pack.tokens[code] for code in pile.codes() if code < pack.unknown]
    return tuple(dict.fromkeys(seen))


# Acts


def keys_for(acts: Sequence[Event], state: State[Any]) -> Iterator[Key]:
    """A key for each act that is not told by tapping its cards, if there are not too many of them."""
    alone = len(state.turn) == 1
    offered = [act for act in acts if not _by_its_cards(act)]
    few = len([act for act in offered if isinstance(act, Move | Meld | Capture)]) <= MOST_KEYS
    told: set[str] = set()
    for act in offered:
        if isinstance(act, Move | Meld | Capture) and not few:
            continue
        text = said(act, state, alone=alone)
        label = Telling(state, signs=True).short(act)
        label = label if alone else f"{state.terms.name(act.by)}: {label}"
        if text in told or len(told) >= MOST_KEYS:
            continue
        told.add(text)
        yield Key(text, label, ends=True)
    yield from (Key(word, word, ends=True) for word in words_of(state) if not any(text.startswith(f"call {word}") for text in told))


def words_of(state: State[Any]) -> list[str]:
    """What may be said aloud in this part of the hand."""
    phase = state.game.phases.get(state.phase)
    if phase is None or Call not in phase.acts:
        return []
    return [word for word, meaning in state.game.words.items() if meaning.startswith("call: ")]


def _by_its_cards(act: Event) -> bool:
    """Whether an act is told by the cards that are tapped: one card laid or thrown, or cards nobody knows yet."""
    if isinstance(act, Play | Discard):
        return not act.src and act.face is None
    return isinstance(act, Deal | Meld | Show | Capture) and any(UNKNOWN in text for text in _texts(act))


def _texts(act: Event) -> Iterable[str]:
    if isinstance(act, Deal):
        return [text for _, cards in act.piles for text in cards]
    if isinstance(act, Meld | Show):
        return [text for group in act.groups for text in group]
    return getattr(act, "cards", ())


def said(act: Event, state: State[Any], *, alone: bool) -> str:
    """An act as it can be typed here: the seat is left out if it is nobody else's turn."""
    full = write_event(act)
    actor, _, rest = full.partition(" ")
    return rest if alone and actor == state.turn[0] and act.by == actor else full


def verbs_of(state: State[Any]) -> Iterator[Key]:
    """The verbs of this part of the hand that are told with cards."""
    phase = state.game.phases.get(state.phase)
    if phase is None or phase.one_card:
        return
    kinds = [kind for kind in phase.acts if kind in (*BY_CARDS, Move, Draw)]
    for kind in (*kinds, *(() if Show in kinds else (Show,))):
        verb = str(kind.__struct_config__.tag)
        yield Key(verb, verb)
    # A word may be said with cards.
    yield from (Key(word, f"{word} …") for word in words_of(state))


def piles_of(state: State[Any]) -> Iterator[Key]:
    """The piles where cards can come from and go to, if acts of this part of the hand name any."""
    phase = state.game.phases.get(state.phase)
    if phase is None or phase.one_card or not any(kind in phase.acts for kind in (Move, Meld, Draw)):
        return
    for pile in state.table.piles.values():
        lies, owner = how_it_lies(pile.name, state.game, state.terms)
        if lies.place in ("hand", "won") or pile.name == "trick":
            continue
        label = f"{state.terms.name(owner)} {pile.name.rpartition(':')[2]}" if owner else pile.name.replace(":", " ")
        if Move in phase.acts or Meld in phase.acts:
            yield Key(f">{pile.name}", f"to {label}")
        if len(pile) and lies.seen in ("all", "top"):
            yield Key(f"<{pile.name}", f"from {label}")


# The last lines


def last_lines(session: Session) -> tuple[LastLine, ...]:
    """What was written last, in words, the latest at the end. The cards of one trick stand on one line."""
    events = session.view.events[-12:]
    if not events:
        return ()
    telling = Telling(session.state, signs=True)
    lines: list[LastLine] = []
    for placed in events:
        event = placed.event
        if isinstance(event, (Hand, Shuffle, Deal, Tally, End, *ABOUT)):
            lines.append(LastLine(placed.at, telling.short(event), "", ""))
        else:
            lines.append(LastLine(placed.at, telling.short(event), telling.short(event), session.state.terms.name(event.by)))
    return tuple(lines[-LAST_LINES:])


# Results


def question(session: Session, words: Sequence[str]) -> Question | None:
    """What is asked next of the result of a hand, after these words; None if nothing is. Raises NotationError for words that cannot be."""
    state = with_nothing_told(session.state)
    one = still_asked(words, state)
    if one is None:
        return None
    last = still_asked([*words, "-"], state) is None
    keys = keys_of(one, state)
    outcomes = tuple(o for key in keys for o in outcome_of(session, [*words, key.text])) if last else ()
    return Question(one.called, choices(one, state), keys, one.fact.kind == "number" and not keys, outcomes)


def keys_of(one: Asked, state: State[Any]) -> tuple[Key, ...]:
    """The keys for a question; none for a number that may be any."""
    called = players(state.terms.sides, state.terms.names)
    found = [Key(word.text, called.get(word.text, state.terms.name(word.text) if word.text in state.terms.seats else word.text)) for word in answers(one, state) if word.text != "-"]
    least, most = limit(one.fact.least, state.terms), limit(one.fact.most, state.terms)
    if one.fact.kind == "number" and least is not None and most is not None and (most - least) // one.fact.step < MOST_KEYS:
        found = [Key(str(n), str(n)) for n in range(least, most + 1, one.fact.step)] + found
    return tuple(found)


def outcome_of(session: Session, words: Sequence[str]) -> Iterator[Outcome]:
    """What the hand would come to, told so; nothing if that cannot be said."""
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
    called = players(state.terms.sides, state.terms.names)
    yield Outcome(
        words[-1], {called[who]: signed(n) for who, n in score.points.items()}, {called[who]: figure(score.totals.get(who)) for who in score.points}
    )


__all__ = ["Key", "Pad", "Question", "pad_of", "question"]
