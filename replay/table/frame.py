"""The table at one position, as data for a viewer and as plain text.

A frame shows what one viewer may see: "all" (everything on record), "public" (face-up cards), or a seat (face-up
cards and its own). The game's `piles` say which piles are closed, and to whom.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from msgspec import Struct

from events.cards import MOST, UNCOUNTED, UNKNOWN, Pack, pretty, rank_of, squeeze, suit_of
from events.errors import UsageError
from events.model import Cards
from reducers.model import Game, State
from reducers.piles import Lies, OfPile, how_it_lies, pile_label
from reducers.scoring import HandScore, Points, signed
from reducers.seating import next_dealer
from reducers.table import Pile
from reducers.terms import Terms
from reducers.words.beating import plays_on_table_of
from reducers.words.tricks import Tricks, tricks_in

# Holdings are sorted for reading: suit by suit, high to low.
_SUITS = "shdc"
_RANKS = "AKQJT98765432"


class PileView(Struct, frozen=True):
    """A pile as the viewer sees it.

    `cards` are written as in the log, unseen ones counted (`["Ah", "7h", "6x??"]`): a holding by suit and rank, any
    other pile from bottom to top. `count` is the number of cards that are certain; `vague` says that the pile was not
    counted. `seen_by` says which viewers see it: "all", "owner" (the seat or side `owner`), "nobody", or "top" (the
    top card only). `form` is its layout (fan, row, stack, column, grid), `place` its place (hand, middle, beside,
    front, won). `label` is the players' name for it, without the owner. `kind`, `wild`, `total`, `stake`, `says` and
    `out` describe it (`reducers.piles.OfPile`) if the viewer sees its cards.
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
    label: str = ""
    kind: str = ""
    wild: tuple[tuple[str, str], ...] = ()
    total: str = ""
    stake: int | None = None
    says: str = ""
    out: bool = False


class MiddleCard(Struct, frozen=True):
    """A card in the middle, and the seat that played it ("" if that has no meaning)."""

    seat: str
    card: str


class Frame(Struct, frozen=True):
    """The table at one position. `msgspec.to_builtins` turns it into plain JSON data:

        {"viewer": "all", "position": 12, "game": "kaiser", "name": "Kaiser", "hand": 2, "phase": "play",
         "phase_name": "play", "expects": "a card", "turn": ["E"], "dealer": "W",
         "seats": ["N", "E", "S", "W"], "sides": {"NS": ["N", "S"], …}, "names": {"N": "Ann", …},
         "trick": [{"seat": "N", "card": "Kh"}], "contract": "Ann & Carl 7 ♥", "headline": {"bid": "7", …},
         "piles": [{"name": "N", "cards": ["Ah", "6x??"], "count": 7, "seen_by": "owner", "owner": "N",
                    "holding": true, "vague": false, "form": "fan", "place": "hand", "label": "hand", …}, …],
         "tricks": {"NS": 1, "EW": 0},
         "scores": {"NS": 10, "EW": 0}, "last": "hand 1: made, NS +10 EW 0", "inferred": [],
         "over": false, "winner": "", "winners": [], "unread": []}

    `phase` is the game's key, "between" two hands and "over" after the last; `phase_name` and `expects` say it in
    words. `turn` lists the seats that may act now. `tricks` has the tricks each side has won for certain; it is
    empty in games without tricks. `scores` are the standing totals, null if unknown; `last` is the result of the
    last finished hand, `winners` are those who won the match together. `inferred` lists what was not recorded but
    follows, with its position; `unread` the lines of a file that could not be read (`events.unread_lines`), which a
    state does not know.
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
    trick: tuple[MiddleCard, ...]
    contract: str
    headline: dict[str, Any]
    piles: tuple[PileView, ...]
    scores: Points
    last: str = ""
    inferred: tuple[str, ...] = ()
    over: bool = False
    winner: str = ""
    winners: tuple[str, ...] = ()
    tricks: dict[str, int] = {}
    unread: tuple[str, ...] = ()


def frame(state: State[Any], viewer: str = "all") -> Frame:
    """Return the table as `viewer` sees it: "all", "public" or a seat. The state is only read.

    Raises UsageError for any other viewer.
    """
    terms, game = state.terms, state.game
    if viewer not in ("all", "public", *terms.seats):
        raise UsageError(
            f"'{viewer}' cannot look at the table", expected=f"all, public or a seat: {', '.join(terms.seats)}",
        )
    standing, views, tricks = state.standing, PileViews(game, terms, viewer), tricks_in(state.hand)
    over = bool(state.ended)
    phase, phase_name, expects = phase_of(state, over=over)
    return Frame(
        viewer=viewer,
        position=state.at,
        game=game.key,
        name=game.name,
        hand=state.number,
        phase=phase,
        phase_name=phase_name,
        expects=expects,
        turn=[] if over else list(state.turn),
        dealer=state.dealer,
        seats=terms.seats,
        sides=dict(terms.sides),
        names=dict(terms.names),
        trick=laid_in_middle(views, state),
        contract=contract_of(state),
        headline=game.display.headline(state) if state.number else {},
        piles=tuple(views.view(pile, state) for pile in _in_order(state)),
        scores=dict(standing.totals),
        last=result_of(last_score(state)),
        inferred=tuple(
            f"event {at}: {text}" for at, text in state.inferred if viewer == "all" or not names_card(text, game.pack)
        ),
        over=over,
        winner=standing.winner,
        winners=standing.winners,
        tricks=tricks_won(tricks, terms),
    )


def phase_of(state: State[Any], *, over: bool) -> tuple[str, str, str]:
    """The phase key of this part of the hand, its name in words, and what is expected now."""
    if over:
        return "over", "the match is over", ""
    phase = state.game.phases.get(state.phase)
    if phase is not None:
        return state.phase, phase.name, phase.expects
    comes = f"the deal, by {next_dealer(state)}" if state.game.has_cards else f"the result of hand {state.number + 1}"
    return state.phase, "between two hands" if state.number else "before the first hand", comes


class PileViews:
    """How the piles of one table look to one viewer. Constant properties of a pile are cached."""

    def __init__(self, game: Game, terms: Terms, viewer: str) -> None:
        self.game, self.terms, self.viewer = game, terms, viewer
        self.tokens, self.order = game.pack.tokens, _reading_orders(game.pack)
        self.known: dict[str, tuple[Lies, str, bool, bool, str]] = {}

    def lying(self, name: str) -> tuple[Lies, str, bool, bool, str]:
        """The constant properties of a pile: its layout, its owner, whether the viewer sees all of it, whether it is a
        holding, its label."""
        found = self.known.get(name)
        if found is None:
            lies, owner = how_it_lies(name, self.game.display.piles, self.terms)
            mine = self.viewer != "public" and (self.viewer == owner or self.viewer in self.terms.sides.get(owner, ()))
            sees = self.viewer == "all" or lies.seen == "all" or (lies.seen == "owner" and mine)
            holding = name.partition(":")[0] in self.terms.seats
            found = self.known[name] = lies, owner, sees, holding, pile_label(name, lies, self.terms)
        return found

    def told(self, name: str) -> dict[str, Any]:
        """The same as data, without empty values."""
        lies, owner, _, holding, label = self.lying(name)
        told = {
            "name": name, "seen_by": lies.seen, "owner": owner, "holding": holding, "form": lies.form,
            "place": lies.place, "label": label,
        }  # fmt: skip
        return {key: value for key, value in told.items() if value not in EMPTY}

    def view(self, pile: Pile, state: State[Any]) -> PileView:
        """A pile as the viewer sees it."""
        lies, owner, _, holding, label = self.lying(pile.name)
        said = self.said(pile.name, state)
        return PileView(
            pile.name, self.cards(pile), len(pile), lies.seen, owner, holding, pile.vague, lies.form, lies.place, label,
            said.kind, said.wild, said.total, said.stake, said.says, said.out,
        )  # fmt: skip

    def cards(self, pile: Pile) -> Cards:
        """The cards of a pile as the viewer sees them, in canonical form."""
        lies, _, sees, _, _ = self.lying(pile.name)
        tokens, codes = self.tokens, pile.codes()
        if not sees:
            shown = [UNKNOWN] * len(codes)
            if lies.seen == "top" and codes:
                shown[-1] = tokens[codes[-1]]
        else:
            if pile.row is None:
                codes.sort(key=self.order.__getitem__)
            shown = [tokens[code] for code in codes]
        if pile.vague:
            shown.append(UNCOUNTED)
        # Most lists are canonical already.
        if "?" not in "".join(shown):
            return tuple(shown)
        return unseen_cards(len(shown)) if shown.count(UNKNOWN) == len(shown) <= MOST else squeeze(shown)

    def said(self, name: str, state: State[Any]) -> OfPile:
        """The description of a pile that the viewer may know."""
        said = (self.game.display.of_pile(state, name) if state.hand is not None else None) or NOTHING
        return said if said is NOTHING or self.lying(name)[2] else OfPile(
            stake=said.stake, says=said.says, out=said.out,
        )


NOTHING = OfPile()
EMPTY: tuple[object, ...] = ("", False, None, [], ())
"""Values that are left out; a count of 0 equals False too."""


@cache
def unseen_cards(number: int) -> Cards:
    """Write a number of unseen cards; no item has more than `MOST`.

    >>> unseen_cards(0), unseen_cards(1), unseen_cards(12), unseen_cards(1200)
    ((), ('??',), ('12x??',), ('999x??',))
    """
    return (f"{min(MOST, number)}x{UNKNOWN}",) if number > 1 else (UNKNOWN,) * number


@cache
def _reading_orders(pack: Pack) -> tuple[int, ...]:
    """For each code of a pack, its place in a sorted holding."""
    order = sorted(range(len(pack.tokens)), key=lambda code: _reading_order(pack.tokens[code]))
    places = {code: place for place, code in enumerate(order)}
    return tuple(places[code] for code in range(len(order)))


def tricks_won(tricks: Tricks | None, terms: Terms) -> dict[str, int]:
    """The number of tricks that each side has won for certain."""
    if tricks is None:
        return {}
    out = dict.fromkeys(terms.sides, 0)
    side_of = terms.side_of
    for trick in tricks.won:
        side = trick.gathered or (side_of.get(trick.winners[0], "") if len(trick.winners) == 1 else "")
        if side in out:
            out[side] += 1
    return out


def _reading_order(card: str) -> tuple[int, int, int]:
    """Sort key: jokers, then suit by suit from high to low; half-known cards next, unseen ones last."""
    suit, rank = suit_of(card), rank_of(card)
    unknown = (suit == "?") + (rank == "?")
    return unknown, _SUITS.find(suit), _RANKS.find(rank)


def _in_order(state: State[Any]) -> list[Pile]:
    """Holdings first, around the table, even those that were not dealt to; then the other piles in order of
    appearance."""
    piles = state.table.piles
    own = [p for s in state.terms.seats for p in piles.values() if p.name.partition(":")[0] == s]
    return own + [p for p in piles.values() if p not in own]


def laid_in_middle(views: PileViews, state: State[Any]) -> tuple[MiddleCard, ...]:
    """The cards in the middle: with their seats in a trick or if plays are beaten; else those in `trick` or on the
    `board`."""
    tokens, tricks = state.game.pack.tokens, tricks_in(state.hand)
    if tricks is not None:
        open_to_all = views.viewer == "all" or views.lying(tricks.pile.name)[0].seen == "all"
        return tuple([MiddleCard(seat, tokens[code] if open_to_all else UNKNOWN) for seat, code in tricks.plays])
    plays = plays_on_table_of(state.hand)
    if plays:
        return tuple(MiddleCard(seat, tokens[code]) for seat, codes in plays for code in codes)
    pile = state.table.piles.get("trick") or state.table.piles.get("board")
    return () if pile is None else tuple(MiddleCard("", card) for card in views.view(pile, state).cards)


def headline_words(value: object) -> str:
    """A fact of the headline in words; a fact per seat names the seat.

    >>> (
    ...     headline_words("2 to 20"),
    ...     headline_words({"A": {"7c": 5, "Qd": 20}, "B": {"7c": 10}}),
    ...     headline_words({"A": "5♥"})
    ... )
    ('2 to 20', 'A 5 on 7♣, A 20 on Q♦, B 10 on 7♣', 'A 5♥')
    """
    if not isinstance(value, dict):
        return str(value)
    each = [(who, told if isinstance(told, dict) else {"": told}) for who, told in value.items()]
    return ", ".join(
        f"{who} {said} on {pretty(card)}" if card else f"{who} {said}" for who, told in each
        for card, said in told.items()
    )


def contract_of(state: State[Any]) -> str:
    """The contract of the current or last hand. The cached score is only as recent as the last settled hand."""
    if not state.number:
        return ""
    if state.settled and (score := state.score):
        return score.contract
    if state.tallies or state.transfers or state.stop_reason:
        return state.game.score(state).contract
    contract = state.game.display.contract
    return "" if contract is None else contract(state)


def last_score(state: State[Any]) -> HandScore | None:
    """The score of the last finished hand."""
    return next((s for s in reversed(state.scores) if s.number < state.number or state.settled), None)


def result_of(score: HandScore | None) -> str:
    """The result of a finished hand, in one line."""
    if score is None:
        return ""
    parts = [
        p for p in (score.contract, score.result, " ".join([f"{who} {signed(n)}" for who, n in score.points.items()]))
        if p
    ]
    return f"hand {score.number}: {', '.join(parts)}"


def names_card(text: str, pack: Pack) -> bool:
    """True if the text names a card of the pack, which might be face down."""
    words = set(re.findall(r"[\w♣♦♥♠+\-]+", text))
    return any(face in words or pretty(face) in words for face in pack.faces)
