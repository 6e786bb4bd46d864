"""Describe events in words, as sentences and for a list of moves: players by name, cards in words or symbols.

The state is the one before the event, so that a card is moved onto the card on top there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from events import model as ev
from events.cards import GLYPHS, RANK_NAMES, SEVERAL, SUIT_NAMES, is_face, item, pretty_all
from events.model import Event
from events.picture_notes import picture_in_words
from events.writing import write_event, write_value
from reducers.evolve import each_pile
from reducers.model import State
from reducers.piles import how_it_lies, pile_label
from reducers.scoring import figure, signed
from reducers.seating import player_changes_text
from replay.languages.translate import in_language, listed_words, t, tn
from replay.plain_text import with_player_names
from replay.scoring.score_shapes import ended_by_better_total
from replay.table.wording import SAID, about_the_record, events_named, paid, stake_text, verbs_in, what_is_so

NUMBERS = [
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
]
SPELT_OUT = 3
"""Most cards written in words; more are written as symbols."""
MOST_GROUPS = 4
"""Most new groups or dealt piles listed in a sentence; of more, only the number is given, or that there are some."""
ONE_SUIT = {"c": "a club", "d": "a diamond", "h": "a heart", "s": "a spade"}


def card_name(card: str) -> str:
    """A card in words.

    >>> [card_name(c) for c in ("9c", "Jo", "Jo=7h", "7?", "?h", "??")]
    ['the nine of clubs', 'the joker', 'the joker as the seven of hearts', 'a seven', 'a heart', 'an unseen card']
    """
    face, equals, stands = card.partition("=")
    if equals:
        return t("{card} as {other}", card=card_name(face), other=card_name(stands))
    if face[:2] == "Jo":
        return t("the joker")
    if face == "??":
        return t("an unseen card")
    if face[0] == "?":
        return t(ONE_SUIT[face[1]])
    if face[1] == "?":
        rank = t(RANK_NAMES[face[0]])
        return t("an {rank}", rank=rank) if face[0] in "A8" else t("a {rank}", rank=rank)
    return t("the {rank} of {suit}", rank=t(RANK_NAMES[face[0]]), suit=t(SUIT_NAMES[face[1]]))


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
        return t("everything")
    seen = [text for text in cards if item(text).count == 1 and item(text).card != "??"]
    rest = [text for text in cards if text not in seen]
    words = [pretty_all(seen)] if len(seen) > SPELT_OUT else [
        _equal(text, seen.count(text)) for text in dict.fromkeys(seen)
    ]
    return listed_words([*words, *(_counted(text) for text in rest)])


def _equal(card: str, count: int) -> str:
    """Several equal cards, for a pack with duplicates."""
    if count == 1 or "=" in card or not (is_face(card) or card[:2] == "Jo"):
        return listed_words([card_name(card)] * count)
    if card[:2] == "Jo":
        return tn("{number} joker", "{number} jokers", count, number=number_in_words(count))
    ranks, suit = t(SEVERAL[card[0]]), t(SUIT_NAMES[card[1]])
    return t("{number} {ranks} of {suit}", number=number_in_words(count), ranks=ranks, suit=suit)


def number_in_words(n: int) -> str:
    """A number up to thirteen in words, a larger one in figures."""
    return t(NUMBERS[n]) if n < len(NUMBERS) else str(n)


def _counted(text: str) -> str:
    """Cards with only their number known, or only the rank or suit as well."""
    it = item(text)
    if it.count is None:
        return t("cards nobody counted")
    if it.count == 1:
        return card_name(it.card)
    number, (rank, suit) = number_in_words(it.count), (it.card[0], it.card[1])
    if rank == suit == "?":
        return tn("{number} unseen card", "{number} unseen cards", it.count, number=number)
    # The unseen half of a card is left out: three cards known by rank are "three aces".
    return t("{number} {cards}", number=number, cards=t(SUIT_NAMES[suit] if rank == "?" else SEVERAL[rank]))


def in_signs(cards: Sequence[str]) -> str:
    """Cards in symbols for a list; unseen ones are counted.

    >>> in_signs(["7h", "2x??"]), in_signs(["??"]), in_signs(["*"]), in_signs(["3xA?"])
    ('7♥ + 2 unseen', 'unseen', 'everything', 'three aces')
    """
    if tuple(cards) == ("*",):
        return t("everything")
    parts = [[], []]  # type: list[list[str]]
    for text in cards:
        parts[item(text).card == "??" and not item(text).stands_for].append(text)
    shown = [
        " ".join(pretty_all([text]) if item(text).count == 1 else _counted(text) for text in parts[0])
    ] if parts[0] else []
    for text in parts[1]:
        n = item(text).count
        shown.append(
            t("cards nobody counted") if n is None
            else tn("{n} unseen", "{n} unseen", n) if n > 1 or shown else t("unseen")
        )
    return " + ".join(shown)


def how_it_ended(state: State[Any]) -> str:
    """The winner of a finished match in words: one side, several, a tie, or none with the reason on record."""
    standing = state.official
    won = who_won(standing.winner, standing.winners, len(standing.totals), state.terms.name)
    unknown = [state.terms.name(side) for side, total in standing.totals.items() if total is None]
    if not won and unknown and (standing.over or ended_by_better_total(state.ended, state.why_ended)):
        return t("who won hangs on the total of {who}", who=listed_words(unknown))
    if won:
        return won
    return (
        t("the match ended without a winner ({reason})", reason=state.why_ended) if state.why_ended
        else t("the match ended without a winner")
    )


def who_won(winner: str, winners: Sequence[str], sides: int, called: Callable[[str], str]) -> str:
    """The winner in words: one side, several, or a tie of all; empty if there is no winner. `sides` is the number of
    sides.

    >>> who_won("NS", (), 2, str), who_won("", ("A", "B"), 3, str), who_won("", (), 2, str)
    ('NS won the match', 'A and B won the match together', '')
    >>> who_won("", ("A", "B"), 2, str)
    'the match is a tie between A and B'
    """
    if winner:
        return t("{who} won the match", who=called(winner))
    who = listed_words([called(side) for side in winners])
    return (
        "" if not who else t("the match is a tie between {who}", who=who) if len(winners) == sides
        else t("{who} won the match together", who=who)
    )


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
            return t("the table")
        seat, _, further = by.partition(":")
        name = self.names.get(seat, seat)
        return self._owned(name, f"hand {further}") if further else name

    def _word(self, text: str) -> str:
        """A word that the page of the game declares."""
        return in_language(text, self.state.game.key)

    def _owned(self, owner: str, what: str) -> str:
        """Something of a player."""
        what = self._word(what)
        return t("{owner}' {what}", owner=owner, what=what) if owner.endswith("s") else t(
            "{owner}'s {what}", owner=owner, what=what,
        )

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
            said = self._word(what)
            return t("the {what}", what=said) if not what[-1:].isdigit() else said
        mine = owner == by.partition(":")[0] or by in self.state.terms.sides.get(owner, ())
        return t("their {what}", what=self._word(what)) if mine else self._owned(self.names.get(owner, owner), what)

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
        if isinstance(event, ev.Deal) and event.by == "@":
            text = done
        else:
            text = t("{who} {does}", who=who, does=done) if done else with_player_names(write_event(event), self.names)
        return f"{text[:1].upper()}{text[1:]}"

    def _moved(self, event: Event) -> str:
        """An act with cards."""
        match event:
            case ev.Play():
                return self._handled(self._verb(ev.Play, "plays"), self._these(event.cards), event, event.face or "")
            case ev.Draw():
                return self._handled(self._draws(event), self.cards(event.cards), event)
            case ev.Discard():
                return self._handled(t("discards"), self._these(event.cards), event)
            case ev.Move() if receiver := self._passed_to(event):
                return t("passes {cards} to {whom}", cards=self._these(event.cards), whom=receiver)
            case ev.Move():
                top, src = self.target(event.to), self._source(event.src, event.by)
                where = self.cards([top]) if top else self.place(event.to, event.by)
                cards = self._these(event.cards)
                if src:
                    return (
                        t("moves {cards} from {place} onto {card}", cards=cards, place=src, card=where) if top
                        else t("moves {cards} from {place} to {where}", cards=cards, place=src, where=where)
                    )
                return (
                    t("moves {cards} onto {card}", cards=cards, card=where) if top
                    else t("moves {cards} to {where}", cards=cards, where=where)
                )
            case ev.Capture():
                taken, cards, src = self.cards(event.takes), self.cards(event.cards), self._source(event.src, event.by)
                return (
                    t("takes {taken} from {place} with {cards}", taken=taken, place=src, cards=cards) if src
                    else t("takes {taken} with {cards}", taken=taken, cards=cards)
                )
            case ev.Meld(to=to) if to:
                return t("adds {cards} to {place}", cards=self._groups(event.groups), place=self.place(to, event.by))
            case ev.Meld():
                return t("melds {cards}", cards=self._groups(event.groups))
            case ev.Show():
                return t("shows {cards}", cards=self._groups(event.groups))
            case ev.Arrange() if event.groups and not event.to:
                return t("lays {cards}", cards=self._groups(event.groups))
            case ev.Arrange(piles=piles) if any(cards for _, cards in piles):
                laid = [cards for _, cards in piles if cards]
                # The onlookers see the groups on the table, and the list of moves has them.
                counted = self.cards is not in_signs and len(laid) > MOST_GROUPS
                return (
                    t("lays {n} groups anew", n=len(laid)) if counted
                    else t("lays anew {cards}", cards=self._groups(laid))
                )
        return ""

    def _verb(self, kind: type[Event], usual: str) -> str:
        """The verb of an act, as players of the game say it."""
        return in_language(self.verbs.get(kind, usual), self.state.game.key)

    def _draws(self, event: ev.Draw) -> str:
        """The verb of a draw: open cards are taken."""
        return t("takes") if event.src and not event.src.startswith("stock") else self._verb(ev.Draw, "draws")

    def _source(self, src: str, by: str) -> str:
        """Where cards come from; empty if from the actor's hand."""
        return "" if not src or src.removeprefix("hand:") == by else self.place(src, by)

    def _handled(self, verb: str, cards: str, event: ev.Play | ev.Draw | ev.Discard, face: str = "") -> str:
        """An act with cards: its verb if it is said, the cards, which side of them is up, and where they come from."""
        what = t("{does} {cards}", does=verb, cards=cards) if verb else cards
        if face:
            what = t("{cards} face up", cards=what) if face == "up" else t("{cards} face down", cards=what)
        src = self._source(event.src, event.by)
        return t("{cards} from {place}", cards=what, place=src) if src else what

    def _dealt(self, deal: ev.Deal) -> str:
        """A deal without a dealer."""
        declared, terms = self.state.game.display.piles, self.state.terms
        piles = [how_it_lies(each_pile(name)[0], declared, terms)[0].place for name, _ in deal.piles]
        if "hand" in piles or not piles:
            return t("the hands are dealt")
        laid = list(dict.fromkeys(self.place(name, "@") for name, _ in deal.piles))
        if len(laid) > MOST_GROUPS:
            return t("the cards are laid out")
        many = len(laid) > 1 or ".." in deal.piles[0][0] or laid[0].endswith("s")
        return tn("{what} is laid out", "{what} are laid out", 2 if many else 1, what=listed_words(laid))

    def _these(self, cards: Sequence[str], seen: Callable[[Sequence[str]], str] | None = None) -> str:
        """Cards in a sentence, formatted by `seen` if given; if all are unseen, their number in words."""
        return card_names(cards) if all(item(text).card == "??" for text in cards) else (seen or self.cards)(cards)

    def _passed_to(self, move: ev.Move) -> str:
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
            case ev.Bid():
                return t("bids {bid}", bid=_amount(event))
            case ev.Pass():
                return self._verb(ev.Pass, "passes")
            case ev.Name():
                named = self.cards([event.what]) if is_face(event.what) else self._word(_spoken(event.what))
                return t("names {what}", what=named)
            case ev.Call(word=word) if word in SAID and not (event.cards or event.amount is not None or event.what):
                said = t(SAID[word])
                return t("says that {who} {does}", who=self.who(event.who), does=said) if event.who else said
            case ev.Call():
                cards = t("with {cards}", cards=self.cards(event.cards)) if event.cards else ""
                return t("calls {what}", what=self._called(event, cards))
            case ev.Bet():
                where = event.on.removeprefix("hand:")
                on = "" if not where else self.cards([where]) if is_face(where) else self.who(where)
                return stake_text(event.amount, on, self._verb(ev.Bet, ""))
            case ev.Pay():
                return self._paid(event)
        return ""

    def _called(self, call: ev.Call, cards: str) -> str:
        """The word of a call with everything said with it."""
        game = self.state.game
        amount = "" if call.amount is None else str(call.amount)
        word = in_language(game.spoken(call.word), game.key)
        said = (word, t(SUIT_NAMES.get(call.what, call.what)), amount, self.names.get(call.who, call.who), cards)
        return " ".join(part for part in said if part)

    def _paid(self, pay: ev.Pay) -> str:
        """Chips that change hands: paid to a player, put into the pot or taken from it."""
        src, to = (name.removeprefix("hand:") for name in (pay.src, pay.to))
        pot = src if src and src.partition(":")[0] not in self.state.terms.side_of else ""
        if pot and to in ("", pay.by):
            return t("takes {amount} from {place}", amount=pay.amount, place=self.place(pot, pay.by))
        seated = to.partition(":")[0] in self.state.terms.side_of
        whom = "" if not to else self.who(to) if seated else self.place(to, pay.by)
        return paid(pay.amount, self.place(pot, pay.by) if pot else "", whom)

    def _about(self, event: Event, events: Callable[[Sequence[int]], str] = events_named) -> str:
        """An event about the hand or the record."""
        match event:
            case ev.Hand():
                return (
                    t("deals hand {n}", n=event.number) if self.state.game.has_cards
                    else t("begins hand {n}", n=event.number)
                )
            case ev.Deal():
                if event.by == "@":
                    return self._dealt(event)
                hands = len(event.piles) > 1 or not event.piles
                return t("deals") if hands else t("deals to {place}", place=self.place(event.piles[0][0], event.by))
            case ev.Shuffle():
                return t("shuffles")
            case ev.Tally():
                return t("tells the result: {facts}", facts=self.facts(event.facts))
            case ev.Ruling():
                return t(
                    "rules on {events}{decision}", events=events(sorted(event.refs)), decision=self._decided(event),
                )
            case ev.Back():
                if event.cards:
                    return t("takes back {what}", what=self._these(event.cards))
                return t("takes back {what}", what=events(event.refs)) if event.refs else t("takes back the last act")
            case ev.Open():
                return in_language(player_changes_text(event, self.state)) or t("changes the terms")
        return about_the_record(event, self.facts, self.who, events)

    def _decided(self, ruling: ev.Ruling) -> str:
        """The text of a ruling: its word, and the changes."""
        changes = [
            ", ".join(f"{self.names.get(who, who)} {signed(n)}" for who, n in value.items()) if is_change(key, value)
            else self._fact(key, value, key)
            for key, value in ruling.facts.items()
        ]  # fmt: skip
        said = t(DECIDED.get(ruling.word, ruling.word))
        return (f": {said}" if said else "") + (f" ({'; '.join(changes)})" if changes else "")

    def facts(self, facts: ev.Facts) -> str:
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
        return t("not {what}", what=about) if value is False else f"{about} {text}"

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
        if isinstance(event, ev.Tally):
            return t("Result entered: {facts}", facts=self.facts(event.facts))
        if isinstance(event, ev.Name):
            return t("names {what}", what=self.short(event))
        return self._verb(ev.Pass, "passes") if isinstance(event, ev.Pass) else self.short(event)

    def short(self, event: Event) -> str:
        """An event as shown in a list, without the actor."""
        match event:
            case ev.Play():
                return self._handled("", in_signs(event.cards), event, event.face or "")
            case ev.Draw():
                taken = bool(event.src) and not event.src.startswith("stock")
                own = replace(event, src=event.src if taken else "")
                return self._handled(self._draws(event), in_signs(event.cards), own).removesuffix(f" {t('unseen')}")
            case ev.Discard():
                return t("discards {cards}", cards=in_signs(event.cards))
            case ev.Move() if receiver := self._passed_to(event):
                return t("{cards} to {whom}", cards=self._these(event.cards, in_signs), whom=receiver)
            case ev.Move():
                top, cards = self.target(event.to), in_signs(event.cards)
                return (
                    t("{cards} on {card}", cards=cards, card=pretty_all([top])) if top
                    else t("{cards} to {whom}", cards=cards, whom=self.place(event.to, event.by))
                )
            case ev.Capture():
                return t("{cards} takes {taken}", cards=in_signs(event.cards), taken=in_signs(event.takes))
            case ev.Meld(groups=groups, to=to):
                cards = " / ".join(map(in_signs, groups))
                return t("adds {cards}", cards=cards) if to else t("melds {cards}", cards=cards)
            case ev.Arrange(piles=piles) if any(cards for _, cards in piles):
                return t("lays {cards}", cards=" / ".join(in_signs(cards) for _, cards in piles if cards))
            case ev.Show(groups=groups) | ev.Arrange(groups=groups, to=""):
                cards = " / ".join(map(in_signs, groups))
                return t("shows {cards}", cards=cards) if isinstance(event, ev.Show) else t("lays {cards}", cards=cards)
            case ev.Bid():
                return _amount(event, signs=True)
            case ev.Call(word=word) if word in SAID and not (event.cards or event.amount is not None or event.what):
                return self._said(event)
            case ev.Call():
                return self._called(event, in_signs(event.cards))
            case ev.Pass():
                return in_language(self.verbs[ev.Pass], self.state.game.key) if ev.Pass in self.verbs else t("pass")
            case ev.Name():
                what = event.what
                return in_signs([what]) if is_face(what) else GLYPHS.get(what) or self._word(what)
        return self._said(event) or self._about(event) or write_event(event).partition(" ")[2]


def _amount(bid: ev.Bid, *, signs: bool = False) -> str:
    """A bid in words.

    >>> _amount(ev.Bid(by="N", level=7, strain="s")), _amount(ev.Bid(by="N", level=7, strain="s"), signs=True)
    ('7 spades', '7♠')
    """
    level = "" if bid.level is None else str(bid.level)
    if signs and bid.strain in GLYPHS:
        return level + GLYPHS[bid.strain]
    strain = SUIT_NAMES.get(bid.strain, bid.strain)
    return f"{level} {t(strain[:-1] if level == '1' and bid.strain in SUIT_NAMES else strain)}".strip()


def _spoken(what: str) -> str:
    """A suit or a rank that is named.

    >>> _spoken("h"), _spoken("A"), _spoken("alone")
    ('hearts', 'aces', 'alone')
    """
    return SUIT_NAMES.get(what) or SEVERAL.get(what, what)
