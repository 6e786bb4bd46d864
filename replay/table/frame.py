"""The table at one position, as data for a viewer and as a picture in plain text.

A frame is what one pair of eyes may see: "all" (whatever the record knows), "public" (what lies open), or a seat (what
lies open and its own cards). Which piles are closed, and to whom, is the page's `hidden` table.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct

from events.cards import UNKNOWN, Pack, pretty, rank_of, squeeze, suit_of
from events.errors import UsageError
from reducers.model import State
from reducers.piles import how_it_lies
from reducers.scoring import HandScore, Points, signed
from reducers.table import Pile
from reducers.words.beating import lying_in
from reducers.words.tricks import tricks_in

# Holdings are laid out for reading: suit by suit, high to low.
_SUITS = "shdc"
_RANKS = "AKQJT98765432"


class PileView(Struct, frozen=True):
    """A pile as the viewer sees it.

    `cards` are written as in the log, unseen ones counted (`["Ah", "7h", "6x??"]`): a holding by suit and rank, any
    other pile from bottom to top. `count` is how many lie there for certain; `vague` says that nobody counted them.
    `seen_by` is who may look: "all", "owner" (whose seat or side is `owner`), "nobody", or "top" (the top card only). `form`
    is how it lies (fan, row, stack, column, grid), `place` where (hand, middle, beside, front, won).
    """

    name: str
    cards: tuple[str, ...]
    count: int
    seen_by: str
    owner: str = ""
    holding: bool = False
    vague: bool = False
    form: str = ""
    place: str = ""


class Laid(Struct, frozen=True):
    """A card in the middle, and the seat that laid it (empty where that has no meaning)."""

    seat: str
    card: str


class Frame(Struct, frozen=True):
    """The table at one position. `msgspec.to_builtins` turns it into plain JSON data:

        {"viewer": "all", "position": 12, "game": "kaiser", "name": "Kaiser", "hand": 2, "phase": "play",
         "phase_name": "play", "expects": "a card", "turn": ["E"], "dealer": "W",
         "seats": ["N", "E", "S", "W"], "sides": {"NS": ["N", "S"], …}, "names": {"N": "Ann", …},
         "trick": [{"seat": "N", "card": "Kh"}], "contract": "Ann & Carl 7 ♥", "headline": {"bid": "7", …},
         "piles": [{"name": "N", "cards": ["Ah", "6x??"], "count": 7, "seen_by": "owner", "owner": "N",
                    "holding": true, "vague": false}, …],
         "scores": {"NS": 10, "EW": 0}, "last": "hand 1: made, NS +10 EW 0", "inferred": [],
         "over": false, "winner": ""}

    `phase` is the page's key, "between" two hands and "over" after the last; `phase_name` and `expects` say it in
    words. `turn` lists the seats that may act now. `scores` are the standing totals, null where unknown; `last` is the
    result of the last hand played out. `inferred` notes what nobody recorded but follows, with its position.
    """

    viewer: str
    position: int
    game: str
    name: str
    hand: int
    phase: str
    phase_name: str
    expects: str
    turn: list[str]
    dealer: str
    seats: tuple[str, ...]
    sides: dict[str, tuple[str, ...]]
    names: dict[str, str]
    trick: tuple[Laid, ...]
    contract: str
    headline: dict[str, Any]
    piles: tuple[PileView, ...]
    scores: Points
    last: str = ""
    inferred: tuple[str, ...] = ()
    over: bool = False
    winner: str = ""


def frame(state: State[Any], viewer: str = "all") -> Frame:
    """The table as `viewer` sees it: "all", "public" or a seat. The state is only read.

    Raises UsageError for any other viewer.
    """
    terms, game = state.terms, state.game
    if viewer not in ("all", "public", *terms.seats):
        raise UsageError(f"'{viewer}' cannot look at the table", expected=f"all, public or a seat: {', '.join(terms.seats)}")
    standing = state.standing
    over = standing.over or bool(state.ended)
    phase = game.phases.get(state.phase)
    return Frame(
        viewer=viewer,
        position=state.at,
        game=game.key,
        name=game.name,
        hand=state.number,
        phase="over" if over else state.phase,
        phase_name="the match is over" if over else phase.name if phase else "between two hands" if state.number else "before the first hand",
        expects="" if over else phase.expects if phase else _comes_next(state),
        turn=[] if over else list(state.turn),
        dealer=state.dealer,
        seats=terms.seats,
        sides=dict(terms.sides),
        names=dict(terms.names),
        trick=_middle(state, viewer),
        contract=_contract(state),
        headline=game.headline(state) if state.number else {},
        piles=tuple(_pile_view(pile, state, viewer) for pile in _in_order(state)),
        scores=dict(standing.totals),
        last=_last(state),
        inferred=tuple(f"event {at}: {text}" for at, text in state.inferred if viewer == "all" or not _names_card(text, game.pack)),
        over=over,
        winner=standing.winner,
    )


def _pile_view(pile: Pile, state: State[Any], viewer: str) -> PileView:
    terms, pack = state.terms, state.game.pack
    lies, owner = how_it_lies(pile.name, state.game, terms)
    who = lies.seen
    cards = [pack.tokens[code] for code in pile.codes()]
    mine = viewer != "public" and (viewer == owner or viewer in terms.sides.get(owner, ()))
    if viewer == "all" or who == "all" or (who == "owner" and mine):
        shown = cards
    elif who == "top" and cards:
        shown = [UNKNOWN] * (len(cards) - 1) + cards[-1:]
    else:
        shown = [UNKNOWN] * len(cards)
    holding = pile.name.partition(":")[0] in terms.seats
    if pile.row is None:
        shown = sorted(shown, key=_reading_order)
    written = squeeze([*shown, "*x??"] if pile.vague else shown)
    return PileView(pile.name, written, len(cards), who, owner, holding, pile.vague, lies.form, lies.place)


def _reading_order(card: str) -> tuple[int, int, int]:
    """Jokers, then suit by suit from high to low; half-known cards behind, unseen ones last."""
    suit, rank = suit_of(card), rank_of(card)
    unknown = (suit == "?") + (rank == "?")
    return unknown, _SUITS.find(suit), _RANKS.find(rank)


def _in_order(state: State[Any]) -> list[Pile]:
    """Holdings first, around the table; every other pile as it came to the table. A seat not dealt to is there too."""
    piles = state.table.piles
    own = [p for s in state.terms.seats for p in piles.values() if p.name.partition(":")[0] == s]
    return own + [p for p in piles.values() if p not in own]


def _middle(state: State[Any], viewer: str) -> tuple[Laid, ...]:
    """The cards in the middle: with their seats in a trick, or where plays are beaten; else what lies in `trick` or on the `board`."""
    tricks = tricks_in(state.hand)
    if tricks is not None:
        who = how_it_lies(tricks.pile.name, state.game, state.terms)[0].seen
        tokens = state.game.pack.tokens
        return tuple(Laid(seat, tokens[code] if viewer == "all" or who == "all" else UNKNOWN) for seat, code in tricks.plays)
    plays = lying_in(state.hand)
    if plays:
        return tuple(Laid(seat, state.game.pack.tokens[code]) for seat, codes in plays for code in codes)
    pile = state.table.piles.get("trick") or state.table.piles.get("board")
    if pile is None:
        return ()
    view = _pile_view(pile, state, viewer)
    return tuple(Laid("", card) for card in view.cards)


def _comes_next(state: State[Any]) -> str:
    """What is expected between two hands."""
    if not state.game.has_cards:
        return f"the result of hand {state.number + 1}"
    return f"the deal, by {state.game.next_dealer(state) if state.number else state.dealer}"


def _contract(state: State[Any]) -> str:
    """The contract of the hand in play, or of the one just played; the score kept is only as new as its last settling."""
    if not state.number:
        return ""
    return (state.score if state.settled and state.score else state.game.score(state)).contract


def _last(state: State[Any]) -> str:
    """The result of the last hand played out, in one line."""
    done = [s for s in state.scores if s.number < state.number or state.settled]
    return _result(done[-1]) if done else ""


def _result(score: HandScore) -> str:
    parts = [p for p in (score.contract, score.result, " ".join(f"{who} {signed(n)}" for who, n in score.points.items())) if p]
    return f"hand {score.number}: {', '.join(parts)}"


def _names_card(text: str, pack: Pack) -> bool:
    """Whether a sentence names a card of the pack, which might be a closed one."""
    words = set(re.findall(r"[\w♣♦♥♠+\-]+", text))
    return any(face in words or pretty(face) in words for face in pack.faces)


__all__ = ["Frame", "Laid", "PileView", "frame"]
