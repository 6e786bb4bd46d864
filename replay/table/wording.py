"""Events, cards and piles in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from events import model as ev
from events.cards import GLYPHS, is_face, item, pretty, rank_of, suit_of
from events.model import Event
from events.writing import write_event, write_value
from reducers.model import Game, State
from reducers.pile_words import pile_in_words
from reducers.piles import called_otherwise
from reducers.scoring import figure
from replay.languages.catalogue import ENGLISH
from replay.languages.translate import in_language, listed_words, one_of_them, speaking, spoken_language, t
from replay.plain_text import contract_told, with_player_names

# Most acts or cards named before the rest is counted.
MAX_NAMED = 12
SAID = {
    "accept": "accepts", "decline": "declines", "propose": "proposes", "knock": "knocks", "fail": "fails",
    "out": "stays out", "force": "forces the card",
}
"""Words that are calls in the notation, and verbs in a sentence."""


def describe_event(event: Event, game: Game, phase: str = "") -> str:
    """An event in English, for findings, proofs and reports: as `event_in_words`.

    >>> from reducers.first_state import begin
    >>> kaiser, bundles, takes = (begin({"Game": key}).game for key in ("kaiser", "stealing-bundles", "put-and-take"))
    >>> (
    ...     describe_event(ev.Play(by="W", cards=("9c",)), kaiser),
    ...     describe_event(ev.Capture(by="A", cards=("Jd",), takes=("Js",)), bundles)
    ... )
    ('W plays 9♣', 'A takes J♠ with J♦')
    >>> [describe_event(ev.Bid(by="N", **bid), kaiser) for bid in ({"level": 7, "strain": "no"}, {"level": 0})]
    ['N bids 7 no', 'N bids 0']
    >>> describe_event(ev.Pass(by="E"), kaiser), describe_event(ev.Pass(by="D"), takes)
    ('E passes', 'D has paid all')
    >>> (
    ...     describe_event(ev.Move(by="A", cards=("??",), to="hand:B"), kaiser),
    ...     describe_event(ev.Move(by="A", cards=("9c",), to="foundation:c"), kaiser)
    ... )
    ('A passes an unseen card to B', 'A moves 9♣ to the clubs')
    >>> describe_event(ev.Bet(by="C", amount=20, on="Qc"), kaiser)
    'C stakes 20 on Q♣'
    >>> describe_event(ev.Pay(by="A", amount=3, src="pot"), takes)
    'A takes 3 from the pot'
    >>> (
    ...     describe_event(ev.Draw(by="A", cards=("7s",), src="discard"), kaiser),
    ...     describe_event(ev.Capture(by="A", cards=("7s",), takes=("*",), src="won:B"), bundles)
    ... )
    ('A takes 7♠ from the discard pile', 'A takes the bundle of B with 7♠')
    """
    with speaking(ENGLISH):
        return event_in_words(event, game, phase)


def event_in_words(event: Event, game: Game, phase: str = "") -> str:
    """An event in words, with the game's own names for acts and piles in this part of a hand, if `phase` is given."""
    by = t("the table") if event.by == "@" else event.by
    match event:
        case ev.Hand():
            return t("hand {n}, dealt by {who}", n=event.number, who=by)
        case ev.Deal():
            return t("the deal")
        case ev.Tally():
            return t("the result: {facts}", facts=facts_in_words(event.facts))
        case ev.Open() if "Seats" in event.facts:
            seats = [str(event.facts.get(seat, seat)) for seat in str(event.facts["Seats"]).split()]
            return t("at the table from the next hand on: {who}", who=", ".join(seats))
        case ev.Open():
            return ", ".join(
                t("{name} for {who} from here on", name=value, who=key) if key.isupper() else f"{key} {value}"
                for key, value in event.facts.items()
            )
        case ev.Ruling():
            said = [event.word] if event.word else []
            what = ", ".join([*said, *([facts_in_words(event.facts)] if event.facts else [])])
            return t("ruling on {events}: {what}", events=events_named(event.refs), what=what)
    done = act_in_words(event, game, phase) or about_the_record(event, facts_in_words)
    return t("{who} {does}", who=by, does=done) if done else write_event(event)


def act_in_words(event: Event, game: Game, phase: str = "") -> str:
    """What an actor does, as players of the game say it, without the actor; "" for an event that is no act."""
    called, verbs = called_otherwise(game.display.piles), verbs_in(game, phase)

    def verb(usual: str) -> str:
        return in_language(verbs.get(type(event), usual), game.key)

    match event:
        case ev.Play() | ev.Discard() | ev.Draw() | ev.Move():
            does, cards = _done(event, verbs), cards_in_words(event.cards)
            text = t("passes {cards}", cards=cards) if does == "passes" else t(
                "{does} {cards}", does=in_language(does, game.key), cards=cards,
            )
            if event.face:
                text = t("{cards} face up", cards=text) if event.face == "up" else t("{cards} face down", cards=text)
            if event.src and event.src.removeprefix("hand:") != event.by:
                text = t("{cards} from {place}", cards=text, place=pile_spoken(event.src, called, game))
            return t(
                "{cards} to {whom}", cards=text, whom=_whose(event.to, called, game)
            ) if isinstance(event, ev.Move) else text
        case ev.Capture():
            return t("takes {taken} with {cards}", taken=captured(event, game), cards=cards_in_words(event.cards))
        case ev.Bid():
            level = "" if event.level is None else f"{event.level} "
            strain = GLYPHS.get(event.strain)
            return t("bids {bid}", bid=f"{level.rstrip()}{strain}" if strain else f"{level}{event.strain}".rstrip())
        case ev.Pass():
            return verb("passes")
        case ev.Name():
            return t("names {what}", what=pretty(event.what) if is_face(event.what) else _named(event.what, game))
        case ev.Call():
            beside = event.cards or event.amount is not None or event.what or event.who
            if event.word in SAID and not beside:
                return t(SAID[event.word])
            word = in_language(game.spoken(event.word), game.key)
            amount = "" if event.amount is None else str(event.amount)
            parts = (word, event.what, amount, event.who, cards_in_words(event.cards))
            return t("calls {what}", what=" ".join(part for part in parts if part))
        case ev.Show():
            return t("shows {cards}", cards=_groups(event.groups))
        case ev.Meld():
            groups = _groups(event.groups)
            if event.src:
                groups = t("{cards} from {place}", cards=groups, place=pile_spoken(event.src, called, game))
            return (
                t("adds {cards} to {place}", cards=groups, place=pile_spoken(event.to, called, game)) if event.to
                else t("melds {cards}", cards=groups)
            )
        case ev.Arrange() if event.groups and not event.to:
            return t("lays {cards}", cards=_groups(event.groups))
        case ev.Arrange(piles=piles) if any(cards for _, cards in piles):
            return t("lays anew {cards}", cards=_groups(cards for _, cards in piles if cards))
        case ev.Bet():
            on = pretty(event.on) if is_face(event.on) else _whose(event.on, called, game) if event.on else ""
            return stake_text(event.amount, on, verb(""))
        case ev.Pay():
            src = "" if event.src.removeprefix("hand:") == event.by else event.src
            place = _whose(src, called, game) if src else ""
            if src and event.to.removeprefix("hand:") in ("", event.by):
                return t("takes {amount} from {place}", amount=event.amount, place=place)
            whom = _whose(event.to, called, game) if event.to else ""
            return paid(event.amount, place, whom)
        case ev.Shuffle():
            return t("shuffles")
        case ev.Back() if event.cards or event.refs:
            return t(
                "takes back {what}",
                what=cards_in_words(event.cards) if event.cards else t("event {n}", n=event.refs[0]),
            )
        case ev.Back():
            return t("takes back the last act")
    return ""


def stake_text(amount: int, on: str, does: str) -> str:
    """A stake in words, or one taken back: on what, and the verb that players of the game use; "" for the usual one."""
    if amount < 0:
        return t("takes back {amount} on {what}", amount=-amount, what=on) if on else t(
            "takes back {amount}", amount=-amount,
        )
    stakes = t("{does} for", does=does) if does else t("stakes")
    return t("{stakes} {amount} on {what}", stakes=stakes, amount=amount, what=on) if on else t(
        "{stakes} {amount}", stakes=stakes, amount=amount,
    )


def paid(amount: int, place: str, whom: str) -> str:
    """A payment in words: where the chips come from, if not from the payer, and who gets them, if anybody does."""
    if place:
        return t("pays {amount} from {place} to {whom}", amount=amount, place=place, whom=whom)
    return t("pays {amount} to {whom}", amount=amount, whom=whom) if whom else t("pays {amount}", amount=amount)


def captured(event: ev.Capture, game: Game) -> str:
    """What is taken by a capture: cards, with their pile, or a whole pile."""
    place = pile_spoken(event.src, called_otherwise(game.display.piles), game) if event.src else ""
    if place and event.takes == ("*",):
        return place
    cards = cards_in_words(event.takes)
    return t("{cards} from {place}", cards=cards, place=place) if place else cards


def pile_spoken(pile: str, called: Mapping[str, str], game: Game) -> str:
    """A pile in words, in the language that is spoken (see `reducers.pile_words`)."""
    text = pile_in_words(pile, called)
    what, _, owner = text.removeprefix("the ").partition(" of ")
    named = in_language(what, game.key)
    if named == what:
        return in_language(text, game.key)
    return t("{owner}'s {what}", owner=owner, what=named) if owner else t("the {what}", what=named)


def _named(what: str, game: Game) -> str:
    """A suit by its symbol, or a word that is named."""
    return GLYPHS.get(what) or in_language(what, game.key)


def _groups(groups: Iterable[Sequence[str]]) -> str:
    return ", ".join(map(cards_in_words, groups))


def about_the_record(
    event: Event, facts: Callable[[ev.Facts], str], who: Callable[[str], str] = str,
    events: Callable[[Sequence[int]], str] | None = None,
) -> str:
    """An event about the record, the hand or the match, without its actor; "" for any other event. `facts`, `who` and
    `events` put facts, players and events in words."""
    named = events or events_named
    match event:
        case ev.Claim():
            said = [figure(event.amount)] if event.amount is not None else []
            return t("claims {what}", what=", ".join([*said, *([facts(event.facts)] if event.facts else [])]))
        case ev.Confirm():
            return t("agrees with {events}", events=named(event.refs)) if event.refs else t("agrees")
        case ev.Note():
            return t("remarks on the record")
        case ev.Dispute():
            about, word = named(event.refs), event.word
            return (
                t("disputes {events}: {word}", events=about, word=word) if word
                else t("disputes {events}", events=about)
            )
        case ev.Fault():
            return (
                t("notes a fault against {who}: {word}", who=who(event.who), word=event.word) if event.who
                else t("notes a fault: {word}", word=event.word)
            )
        case ev.Gap():
            return (
                t("went on unrecorded for about {n} acts", n=event.number) if event.number else t("went on unrecorded")
            )
        case ev.End():
            if event.facts:
                return t("records the verdict")
            ends = t("ends the match") if event.what == "match" else t("ends the hand")
            why = event.why.replace("-", " ")
            return f"{ends} ({in_language(why)})" if why else ends
    return ""


def events_named(refs: Sequence[int]) -> str:
    """Events by their numbers.

    >>> events_named((4,)), events_named((4, 7)), events_named(())
    ('event 4', 'events 4 and 7', 'it')
    """
    numbers = tuple(map(str, refs))
    if len(numbers) < 2:
        return t("event {n}", n=numbers[0]) if numbers else t("it")
    return t("events {first} and {last}", first=", ".join(numbers[:-1]), last=numbers[-1])


def facts_in_words(facts: ev.Facts) -> str:
    """The facts of a result, one after the other."""
    return ", ".join(_told(key, value) for key, value in facts.items())


def _told(key: str, value: Any, whose: str = "") -> str:
    """One fact of a result: its key, its side or seat, and its value.

    >>> _told("tricks", {"EW": 6}), _told("trump", "h"), _told("five", "NS")
    ('tricks EW 6', 'trump ♥', 'five NS')
    >>> _told("points", {"A": -4})
    'points A −4'
    """
    if isinstance(value, dict):
        return ", ".join(_told(key, one, f"{whose} {who}".strip()) for who, one in value.items())
    about = f"{in_language(key)} {whose}".rstrip()
    if value is True:
        return what_is_so(key, about)
    if isinstance(value, str):
        return f"{about} {GLYPHS.get(value, value)}"
    return f"{about} {figure(value) if type(value) is int else write_value(value)}"


def what_is_so(key: str, about: str) -> str:
    """A fact that is true: it needs no "yes". The key of a contract without trumps is only half of its name."""
    return t("no trump") if key == "no" else about


def verbs_in(game: Game, phase: str) -> Mapping[type[Event], str]:
    """The players' verbs for acts in a part of a hand, if they differ from the notation's."""
    here = game.phases[phase].verbs if phase in game.phases else {}
    return {**game.shorthand.verbs, **here} if here else game.shorthand.verbs


def _done(event: ev.Play | ev.Discard | ev.Draw | ev.Move, verbs: Mapping[type[Event], str]) -> str:
    """The verb of an act that moves cards: open cards are taken, and only cards of a stock are drawn."""
    if isinstance(event, ev.Draw) and event.src and not event.src.startswith("stock"):
        return "takes"
    if isinstance(event, ev.Move) and not event.src and event.to.startswith("hand:") and event.by != "@":
        return "passes"
    usual = {ev.Play: "plays", ev.Discard: "discards", ev.Draw: "draws", ev.Move: "moves"}[type(event)]
    return verbs.get(type(event), usual)


def _whose(name: str, called: Mapping[str, str], game: Game) -> str:
    """The source or target of chips or cards: a player, one of a player's several hands, or a pile."""
    holder = name.removeprefix("hand:")
    return holder if holder[:1].isupper() and ":" not in holder else pile_spoken(holder, called, game)


def who_is_to_act(state: State[Any], name: Callable[[str], str]) -> str:
    """The seats to act and what they are to do, by name; empty if it is no seat's turn."""
    phase = state.game.phases[state.phase]
    key = state.game.key
    if state.turn and phase.asked is not None:
        return with_player_names(in_language(phase.asked(state), key), {seat: name(seat) for seat in state.terms.seats})
    who = one_of_them(map(name, state.turn))
    return t("{who} to {act}", who=who, act=in_language(phase.to_do, key)) if who else ""


def contract_spoken(contract: str, game: Game) -> str:
    """A contract in the language that is spoken: a symbol or a card alone is the trumps."""
    told = contract_told(contract)
    return t("trumps {suit}", suit=contract) if told != contract else in_language(contract, game.key)


def phase_expects(state: State[Any]) -> str:
    """What the phase expects (see `expects_spoken`)."""
    return expects_spoken(state.game.phases[state.phase].expects, state.game)


def expects_spoken(expects: str, game: Game) -> str:
    """What is expected: in English with the notation, in another language in words."""
    return expects if spoken_language() == ENGLISH else in_language(without_notation(expects), game.key)


_IN_BRACKETS, _TYPED = re.compile(r"\s*\([^()]*\)"), re.compile(
    r"`|^\. |: c, d, h or s$|(?:, (?:or )?)?\. (?:for|if) [^,;]*|, \. unseen"
)


def without_notation(expects: str) -> str:
    """What is expected in a phase, without the notation.

    >>> without_notation("the trump suit (c, d, h, s), or a `pass`")
    'the trump suit, or a pass'
    """
    return _TYPED.sub("", _IN_BRACKETS.sub("", expects)).strip(" ,;")


def word_meaning(text: str) -> str:
    """What a word of a game means, without its kind and remarks on how it is typed.

    >>> word_meaning("call: the last one; short: l")
    'the last one'
    """
    return text.partition(": ")[2].partition(";")[0]


def with_letter(state: State[Any], seat: str) -> str:
    """A player's name, with the letter to type."""
    name = state.terms.name(seat)
    return seat if name == seat else f"{name} ({seat})"


def cards_in_words(cards: Sequence[str]) -> str:
    """Cards in words; unseen ones are counted. A card without a suit yet, such as `Q_`, stays as it is.

    >>> [cards_in_words(cards) for cards in (["7h", "3x??"], ["??"], ["*x??"], ["*"], ["Q_"])]
    ['7♥ and 3 unseen cards', 'an unseen card', 'uncounted unseen cards', 'everything', 'Q_']
    """
    if tuple(cards) == ("*",):
        return t("everything")
    unseen = [c for c in cards if c.endswith("??") and "=" not in c]
    plain = [pretty(c) for c in cards if c not in unseen]
    words = [" ".join(plain)] if plain else []
    for text in unseen:
        n = item(text).count
        words.append(
            t("uncounted unseen cards") if n is None
            else t("an unseen card") if n == 1 else t("{n} unseen cards", n=n)
        )
    return listed_words(words)


def few(texts: Sequence[str], most: int = MAX_NAMED) -> str:
    """The first of many, and how many more."""
    shown = ", ".join(texts[:most])
    return t("{these} and {n} more", these=shown, n=len(texts) - most) if len(texts) > most else shown


def reading_order(card: str) -> tuple[int, int]:
    """Sort key: spades, hearts, diamonds, clubs, jokers; each suit from the top."""
    face = item(card).card
    suit = suit_of(face)
    return "shdc".find(suit) if suit in GLYPHS else len(GLYPHS), "AKQJT98765432?".find(rank_of(face)[0])


def sorted_cards(cards: Iterable[str]) -> list[str]:
    """Cards in the order of a sorted hand."""
    return sorted(cards, key=reading_order)
