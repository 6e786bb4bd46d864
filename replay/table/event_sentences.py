"""Describe events in words, as sentences and for a list of moves: players by name, cards in words or symbols.

The state is the one before the event, so that a card is moved onto the card on top there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from events.cards import GLYPHS, RANK_NAMES, SEVERAL, SUIT_NAMES, is_face, item, pretty_all
from events.model import (
    Arrange,
    Back,
    Bet,
    Bid,
    Call,
    Capture,
    Deal,
    Discard,
    Draw,
    Event,
    Facts,
    Hand,
    Meld,
    Move,
    Name,
    Open,
    Pass,
    Pay,
    Play,
    Ruling,
    Show,
    Shuffle,
    Tally,
)
from events.picture_notes import picture_in_words
from events.writing import write_event, write_value
from reducers.evolve import each_pile
from reducers.model import State
from reducers.piles import how_it_lies, pile_label
from reducers.scoring import figure, signed
from reducers.seating import player_changes_text
from replay.plain_text import with_player_names
from replay.scoring.score_shapes import ended_by_better_total
from replay.table.wording import SAID, about_the_record, events_named, verbs_in, what_is_so

NUMBERS = [
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
]
SPELT_OUT = 3
"""Most cards written in words; more are written as symbols."""
MOST_GROUPS = 4
"""Most new groups listed in a sentence; more are counted."""
ONE_SUIT = {"c": "a club", "d": "a diamond", "h": "a heart", "s": "a spade"}


def card_name(card: str) -> str:
    """A card in words.

    >>> [card_name(c) for c in ("9c", "Jo", "Jo=7h", "7?", "?h", "??")]
    ['the nine of clubs', 'the joker', 'the joker as the seven of hearts', 'a seven', 'a heart', 'an unseen card']
    """
    face, equals, stands = card.partition("=")
    if equals:
        return f"{card_name(face)} as {card_name(stands)}"
    if face[:2] == "Jo":
        return "the joker"
    if face == "??":
        return "an unseen card"
    if face[0] == "?":
        return ONE_SUIT[face[1]]
    if face[1] == "?":
        return f"{'an' if face[0] in 'A8' else 'a'} {RANK_NAMES[face[0]]}"
    return f"the {RANK_NAMES[face[0]]} of {SUIT_NAMES[face[1]]}"


def card_names(cards: Sequence[str]) -> str:
    """Cards in words, many of them in symbols.

    >>> card_names(["3xA?"]), card_names(["2x?h", "3x6?"])
    ('three aces', 'two hearts and three sixes')
    >>> card_names(["7h", "2x??"]), card_names(["*"]), card_names(["*x??"]), card_names(["7h", "8h", "9h", "Th"])
    ('the seven of hearts and two unseen cards', 'everything', 'cards nobody counted', '7♥ 8♥ 9♥ 10♥')
    >>> card_names(["6h", "6h"]), card_names(["Jo", "Jo", "2c"])
    ('two sixes of hearts', 'two jokers and the two of clubs')
    """
    if tuple(cards) == ("*",):
        return "everything"
    seen = [text for text in cards if item(text).count == 1 and item(text).card != "??"]
    rest = [text for text in cards if text not in seen]
    words = [pretty_all(seen)] if len(seen) > SPELT_OUT else [
        _equal(text, seen.count(text)) for text in dict.fromkeys(seen)
    ]
    return listed_words([*words, *(_counted(text) for text in rest)])


def _equal(card: str, count: int) -> str:
    """Several equal cards, for a pack with duplicates."""
    name = card_name(card)
    if count == 1 or not name.startswith("the ") or "=" in card:
        return " and ".join([name] * count)
    return f"{NUMBERS[count]} " + (
        f"{SEVERAL[card[0]]} of {SUIT_NAMES[card[1]]}" if is_face(card) and card != "Jo"
        else f"{name.removeprefix('the ')}s"
    )


def _counted(text: str) -> str:
    """Cards with only their number known, or only the rank or suit as well."""
    it = item(text)
    if it.count is None:
        return "cards nobody counted"
    if it.count == 1:
        return card_name(it.card)
    number, (rank, suit) = NUMBERS[it.count] if it.count < len(NUMBERS) else str(it.count), (it.card[0], it.card[1])
    if rank == suit == "?":
        return f"{number} unseen cards"
    # The unseen half of a card is left out: three cards known by rank are "three aces".
    if rank == "?":
        return f"{number} {SUIT_NAMES[suit]}"
    return f"{number} {SEVERAL[rank]}"


def in_signs(cards: Sequence[str]) -> str:
    """Cards in symbols for a list; unseen ones are counted.

    >>> in_signs(["7h", "2x??"]), in_signs(["??"]), in_signs(["*"]), in_signs(["3xA?"])
    ('7♥ + 2 unseen', 'unseen', 'everything', 'three aces')
    """
    if tuple(cards) == ("*",):
        return "everything"
    parts = [[], []]  # type: list[list[str]]
    for text in cards:
        parts[item(text).card == "??" and not item(text).stands_for].append(text)
    shown = [
        " ".join(pretty_all([text]) if item(text).count == 1 else _counted(text) for text in parts[0])
    ] if parts[0] else []
    for text in parts[1]:
        n = item(text).count
        shown.append("cards nobody counted" if n is None else f"{n} unseen" if n > 1 or shown else "unseen")
    return " + ".join(shown)


def how_it_ended(state: State[Any]) -> str:
    """The winner of a finished match in words: one side, several, a tie, or none with the reason on record."""
    standing = state.official
    won = who_won(standing.winner, standing.winners, len(standing.totals), state.terms.name)
    unknown = [state.terms.name(side) for side, total in standing.totals.items() if total is None]
    if not won and unknown and (standing.over or ended_by_better_total(state.ended, state.why_ended)):
        return f"who won hangs on the total of {listed_words(unknown)}"
    return won or f"the match ended without a winner{f' ({state.why_ended})' if state.why_ended else ''}"


def who_won(winner: str, winners: Sequence[str], sides: int, called: Callable[[str], str]) -> str:
    """The winner in words: one side, several, or a tie of all; empty if there is no winner. `sides` is the number of
    sides.

    >>> (
    ...     who_won("NS", (), 2, str),
    ...     who_won("", ("A", "B"), 3, str),
    ...     who_won("", ("A", "B"), 2, str),
    ...     who_won("", (), 2, str)
    ... )
    ('NS won the match', 'A and B won the match together', 'the match is a tie between A and B', '')
    """
    if winner:
        return f"{called(winner)} won the match"
    who = listed_words([called(side) for side in winners])
    return (
        "" if not who else f"the match is a tie between {who}" if len(winners) == sides
        else f"{who} won the match together"
    )


def listed_words(words: Sequence[str]) -> str:
    """Join words with commas and "and".

    >>> listed_words(["a", "b", "c"]), listed_words(["a"]), listed_words([])
    ('a, b and c', 'a', '')
    """
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


DECIDED = {
    "stands": "what happened stands", "warning": "a warning", "adjust": "points change",
    "transfer": "tricks change hands", "void": "the hand does not count",
    "withdrawn": "an earlier ruling no longer holds",
}  # fmt: skip
"""The words of a ruling in plain text (`replay.scoring.rulings`); others are shown as they are."""


def is_change(key: str, value: object) -> bool:
    """True if a fact of a ruling is a change for each of some sides."""
    return key in ("points", "tricks") and isinstance(value, dict) and all(isinstance(n, int) for n in value.values())


class Telling:
    """Describes events of one match in words; with `signs`, cards in symbols. `events` says in a sentence which events
    another one is about."""

    def __init__(
        self, state: State[Any], *, signs: bool = False, events: Callable[[Sequence[int]], str] = events_named,
    ) -> None:
        self.state, self.events = state, events
        self.cards = in_signs if signs else card_names
        self.names = state.terms.called
        self.verbs = verbs_in(state.game, state.phase)

    # -- who and where ------------------------------------------------------------------------------------------------

    def who(self, by: str) -> str:
        """The name of the actor."""
        if by == "@":
            return "the table"
        seat, _, further = by.partition(":")
        name = self.names.get(seat, seat)
        return f"{possessive(name)} hand {further}" if further else name

    def place(self, name: str, by: str) -> str:
        """A pile in words, from the actor's point of view: `their stock`, `Odile's column 2`."""
        pile = each_pile(name)[0].removeprefix("hand:").rstrip("_")
        lies, owner = how_it_lies(pile, self.state.game.display.piles, self.state.terms)
        what = "pile " * (lies.called == "*") + pile_label(pile, lies, self.state.terms)
        if (rank := what.removeprefix("pile ")) != what and rank in RANK_NAMES:
            what = f"pile of {SEVERAL[rank]}"
        if ".." in name:
            what = f"{what.rstrip('0123456789 ')}s"
        if not owner:
            return f"the {what}" if not what[-1:].isdigit() else what
        mine = owner == by.partition(":")[0] or by in self.state.terms.sides.get(owner, ())
        return f"{'their' if mine else f'{possessive(self.names.get(owner, owner))}'} {what}"

    def target(self, name: str) -> str:
        """The known top card that a moved card is put on, if the pile is one to build on; else ""."""
        pile = self.state.table.piles.get(name.removeprefix("hand:").rstrip("_"))
        if pile is None or not pile.row or name.endswith("_"):
            return ""
        lies = how_it_lies(pile.name, self.state.game.display.piles, self.state.terms)[0]
        top = pile.row[-1]
        builds = lies.form == "column" or (lies.form == "stack" and lies.place == "middle")
        return (
            self.state.game.pack.tokens[top] if builds and lies.seen == "all" and top < self.state.game.pack.unknown
            else ""
        )

    # -- sentences ----------------------------------------------------------------------------------------------------

    def sentence(self, event: Event) -> str:
        """An event as a sentence."""
        return f"{self.line(event)}."

    def line(self, event: Event) -> str:
        """An event as a sentence, without its full stop."""
        if said := picture_in_words(event):
            return f"{said[:1].upper()}{said[1:]}"
        who = self.who(event.by)
        done = self._moved(event) or self._said(event) or self._about(event, self.events)
        alone = isinstance(event, Deal) and event.by == "@"
        text = done if alone else f"{who} {done}" if done else with_player_names(write_event(event), self.names)
        return f"{text[:1].upper()}{text[1:]}"

    def _moved(self, event: Event) -> str:
        """An act with cards."""
        match event:
            case Play():
                verb = self.verbs.get(Play, "plays")
                turned = f" face {event.face}" if event.face else ""
                return f"{verb} {self._these(event.cards)}{turned}{self._from(event.src, event.by)}"
            case Draw():
                taken = "takes" if event.src and not event.src.startswith("stock") else self.verbs.get(Draw, "draws")
                return f"{taken} {self.cards(event.cards)}{self._from(event.src, event.by)}"
            case Discard():
                return f"discards {self._these(event.cards)}{self._from(event.src, event.by)}"
            case Move() if receiver := self._passed_to(event):
                return f"passes {self._these(event.cards)} to {receiver}"
            case Move():
                top = self.target(event.to)
                where = f"onto {self.cards([top])}" if top else f"to {self.place(event.to, event.by)}"
                return f"moves {self._these(event.cards)}{self._from(event.src, event.by)} {where}"
            case Capture():
                return (
                    f"takes {self.cards(event.takes)}{self._from(event.src, event.by)} with {self.cards(event.cards)}"
                )
            case Meld(to=to) if to:
                return f"adds {self._groups(event.groups)} to {self.place(to, event.by)}"
            case Meld():
                return f"melds {self._groups(event.groups)}"
            case Show():
                return f"shows {self._groups(event.groups)}"
            case Arrange() if event.groups and not event.to:
                return f"lays {self._groups(event.groups)}"
            case Arrange(piles=piles) if any(cards for _, cards in piles):
                laid = [cards for _, cards in piles if cards]
                # The onlookers see the groups on the table, and the list of moves has them.
                counted = self.cards is not in_signs and len(laid) > MOST_GROUPS
                return f"lays {len(laid)} groups anew" if counted else f"lays anew {self._groups(laid)}"
        return ""

    def _dealt(self, deal: Deal) -> str:
        """A deal without a dealer."""
        declared, terms = self.state.game.display.piles, self.state.terms
        piles = [how_it_lies(each_pile(name)[0], declared, terms)[0].place for name, _ in deal.piles]
        if "hand" in piles or not piles:
            return "the hands are dealt"
        laid = list(dict.fromkeys(self.place(name, "@") for name, _ in deal.piles))
        many = len(laid) > 1 or ".." in deal.piles[0][0] or laid[0].endswith("s")
        return f"{listed_words(laid)} {'are' if many else 'is'} laid out"

    def _from(self, src: str, by: str) -> str:
        return "" if not src or src.removeprefix("hand:") == by else f" from {self.place(src, by)}"

    def _these(self, cards: Sequence[str], seen: Callable[[Sequence[str]], str] | None = None) -> str:
        """Cards in a sentence, formatted by `seen` if given; if all are unseen, their number in words."""
        return card_names(cards) if all(item(text).card == "??" for text in cards) else (seen or self.cards)(cards)

    def _passed_to(self, move: Move) -> str:
        """The player who is given cards from the actor's hand; empty if they go anywhere else."""
        seats, to = self.state.terms.seats, move.to.removeprefix("hand:")
        own = move.by in seats and move.src.removeprefix("hand:") in ("", move.by)
        return self.who(to) if own and to in seats and to != move.by else ""

    def _groups(self, groups: Iterable[Sequence[str]]) -> str:
        told = [tuple(group) for group in groups]
        # Many cards are easier to read in symbols, in groups of any size.
        return "; ".join(map(in_signs if sum(map(len, told)) > 2 * SPELT_OUT else self.cards, told))

    def _said(self, event: Event) -> str:
        """An act of speech, betting or payment."""
        match event:
            case Bid():
                return f"bids {_amount(event)}"
            case Pass():
                return self.verbs.get(Pass, "passes")
            case Name():
                return f"names {self.cards([event.what]) if is_face(event.what) else _spoken(event.what)}"
            case Call(word=word) if word in SAID and not (event.cards or event.amount is not None or event.what):
                return f"says that {self.who(event.who)} {SAID[word]}" if event.who else SAID[word]
            case Call():
                return f"calls {self._called(event, f'with {self.cards(event.cards)}' if event.cards else '')}"
            case Bet():
                where = event.on.removeprefix("hand:")
                on = f" on {self.cards([where]) if is_face(where) else self.who(where)}" if where else ""
                stakes = f"{self.verbs[Bet]} for" if Bet in self.verbs else "stakes"
                return f"{stakes} {event.amount}{on}" if event.amount >= 0 else f"takes back {-event.amount}{on}"
            case Pay():
                return self._paid(event)
        return ""

    def _called(self, call: Call, cards: str) -> str:
        """The word of a call with everything said with it."""
        amount = "" if call.amount is None else str(call.amount)
        word = self.state.game.shorthand.spoken_words.get(call.word, call.word)
        said = (word, SUIT_NAMES.get(call.what, call.what), amount, self.names.get(call.who, call.who), cards)
        return " ".join(part for part in said if part)

    def _paid(self, pay: Pay) -> str:
        """Chips that change hands: paid to a player, put into the pot or taken from it."""
        src, to = (name.removeprefix("hand:") for name in (pay.src, pay.to))
        pot = src if src and src.partition(":")[0] not in self.state.terms.side_of else ""
        if pot and to in ("", pay.by):
            return f"takes {pay.amount} from {self.place(pot, pay.by)}"
        seated = to.partition(":")[0] in self.state.terms.side_of
        whom = f" to {self.who(to) if seated else self.place(to, pay.by)}" if to else ""
        return f"pays {pay.amount}{f' from {self.place(pot, pay.by)}' if pot else ''}{whom}"

    def _about(self, event: Event, events: Callable[[Sequence[int]], str] = events_named) -> str:
        """An event about the hand or the record."""
        match event:
            case Hand():
                return f"begins hand {event.number}" if not self.state.game.has_cards else f"deals hand {event.number}"
            case Deal():
                if event.by == "@":
                    return self._dealt(event)
                hands = len(event.piles) > 1 or not event.piles
                return "deals" if hands else f"deals to {self.place(event.piles[0][0], event.by)}"
            case Shuffle():
                return "shuffles"
            case Tally():
                return f"tells the result: {self.facts(event.facts)}"
            case Ruling():
                return f"rules on {events(sorted(event.refs))}{self._decided(event)}"
            case Back():
                if event.cards:
                    return f"takes back {self._these(event.cards)}"
                return f"takes back {events(event.refs) if event.refs else 'the last act'}"
            case Open():
                return player_changes_text(event, self.state) or "changes the terms"
        return about_the_record(event, self.facts, self.who, events)

    def _decided(self, ruling: Ruling) -> str:
        """The text of a ruling: its word, and the changes."""
        changes = [
            ", ".join(f"{self.names.get(who, who)} {signed(n)}" for who, n in value.items()) if is_change(key, value)
            else self._fact(key, value, key)
            for key, value in ruling.facts.items()
        ]  # fmt: skip
        said = DECIDED.get(ruling.word, ruling.word)
        return (f": {said}" if said else "") + (f" ({'; '.join(changes)})" if changes else "")

    def facts(self, facts: Facts) -> str:
        """Facts in a list, with the names of players."""
        return ", ".join(self._fact(key, value, key) for key, value in facts.items())

    def _fact(self, key: str, value: Any, path: str) -> str:
        """One fact: its key in words, and its value."""
        if isinstance(value, dict):
            return f"{key}: {', '.join(self._fact(under, one, f'{path}.{under}') for under, one in value.items())}"
        text = self._value(key, value)
        # A fact of the game's own is not about a seat: `captor.A` is the player who took the ace, not seat A.
        about = key if path in self.state.game.tally.facts else self.names.get(key, key)
        if value is True:
            return what_is_so(key, about)
        return f"not {about}" if value is False else f"{about} {text}"

    def _value(self, key: str, value: Any) -> str:
        """The value of a fact: a player by name, a suit or card as a symbol, a number with a true minus sign."""
        if isinstance(value, str):
            sign = (
                GLYPHS.get(value, value) if key == "trump" else pretty_all([value]) if key == "card" and is_face(value)
                else value
            )
            return self.names.get(value, sign)
        return figure(value) if isinstance(value, int) and not isinstance(value, bool) else write_value(value)

    # -- for a list ---------------------------------------------------------------------------------------------------

    def behind_a_name(self, event: Event) -> str:
        """An event as shown in a list after the actor's name."""
        if isinstance(event, Tally):
            return f"Result entered: {self.short(event).removeprefix('tells the result: ')}"
        if isinstance(event, Name):
            return f"names {self.short(event)}"
        return self.verbs.get(Pass, "passes") if isinstance(event, Pass) else self.short(event)

    def short(self, event: Event) -> str:
        """An event as shown in a list, without the actor."""
        match event:
            case Play():
                return in_signs(event.cards) + (
                    f" face {event.face}" if event.face else ""
                ) + self._from(event.src, event.by)
            case Draw():
                taken = "takes" if event.src and not event.src.startswith("stock") else self.verbs.get(Draw, "draws")
                src = self._from(event.src, event.by) if taken == "takes" else ""
                return f"{taken} {in_signs(event.cards)}{src}".removesuffix(" unseen")
            case Discard():
                return f"discards {in_signs(event.cards)}"
            case Move() if receiver := self._passed_to(event):
                return f"{self._these(event.cards, in_signs)} to {receiver}"
            case Move():
                top = self.target(event.to)
                return (
                    f"{in_signs(event.cards)} "
                    f"{f'on {pretty_all([top])}' if top else f'to {self.place(event.to, event.by)}'}"
                )
            case Capture():
                return f"{in_signs(event.cards)} takes {in_signs(event.takes)}"
            case Meld(groups=groups, to=to):
                return f"{'adds' if to else 'melds'} {' / '.join(map(in_signs, groups))}"
            case Arrange(piles=piles) if any(cards for _, cards in piles):
                return f"lays {' / '.join(in_signs(cards) for _, cards in piles if cards)}"
            case Show(groups=groups) | Arrange(groups=groups, to=""):
                return f"{'shows' if isinstance(event, Show) else 'lays'} {' / '.join(map(in_signs, groups))}"
            case Bid():
                return _amount(event, signs=True)
            case Call():
                return self._called(event, in_signs(event.cards))
            case Pass():
                return self.verbs.get(Pass, "pass")
            case Name():
                return in_signs([event.what]) if is_face(event.what) else GLYPHS.get(event.what, event.what)
        return self._said(event).removeprefix("calls ") or self._about(event) or write_event(event).partition(" ")[2]


def _amount(bid: Bid, *, signs: bool = False) -> str:
    """A bid in words.

    >>> _amount(Bid(by="N", level=7, strain="s")), _amount(Bid(by="N", level=7, strain="s"), signs=True)
    ('7 spades', '7♠')
    """
    level = "" if bid.level is None else str(bid.level)
    if signs and bid.strain in GLYPHS:
        return level + GLYPHS[bid.strain]
    strain = SUIT_NAMES.get(bid.strain, bid.strain)
    return f"{level} {strain[:-1] if level == '1' and bid.strain in SUIT_NAMES else strain}".strip()


def _spoken(what: str) -> str:
    """A suit or a rank that is named.

    >>> _spoken("h"), _spoken("A"), _spoken("alone")
    ('hearts', 'aces', 'alone')
    """
    return SUIT_NAMES.get(what) or SEVERAL.get(what, what)


def possessive(name: str) -> str:
    """The possessive form of a name.

    >>> possessive("Odile"), possessive("Chris")
    ("Odile's", "Chris'")
    """
    return f"{name}'" if name.endswith("s") else f"{name}'s"


__all__ = ["Telling", "card_name", "in_signs"]
