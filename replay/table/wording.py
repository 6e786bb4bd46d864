"""Events, cards and piles in words."""

from __future__ import annotations

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
from replay.languages.translate import in_language, one_of_them, t
from replay.plain_text import with_player_names

# Most acts or cards named before the rest is counted.
MAX_NAMED = 12
SAID = {
    "accept": "accepts", "decline": "declines", "propose": "proposes", "knock": "knocks", "fail": "fails",
    "out": "stays out", "force": "forces the card",
}
"""Words that are calls in the notation, and verbs in a sentence."""


def describe_event(event: Event, game: Game, phase: str = "") -> str:
    """An event in words, with the game's own names for acts and piles in this part of a hand, if `phase` is given.

    >>> from reducers.first_state import begin
    >>> kaiser, bundles, takes = (begin({"Game": key}).game for key in ("kaiser", "stealing-bundles", "put-and-take"))
    >>> (
    ...     describe_event(ev.Play(by="W", cards=("9c",)), kaiser),
    ...     describe_event(ev.Capture(by="A", cards=("Jd",), takes=("Js",)), bundles)
    ... )
    ('W plays 9♣', 'A takes J♠ with J♦')
    >>> (
    ...     describe_event(ev.Bid(by="N", level=7, strain="no"), kaiser),
    ...     describe_event(ev.Bid(by="N", level=0), kaiser),
    ...     describe_event(ev.Pass(by="E"), kaiser),
    ...     describe_event(ev.Pass(by="D"), takes)
    ... )
    ('N bids 7 no', 'N bids 0', 'E passes', 'D has paid all')
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
    by = "the table" if event.by == "@" else event.by
    called, verbs = called_otherwise(game.display.piles), verbs_in(game, phase)
    match event:
        case ev.Play() | ev.Discard() | ev.Draw() | ev.Move():
            text = f"{by} {_done(event, verbs)} {cards_in_words(event.cards)}"
            text += f" face {event.face}" if event.face else ""
            text += (
                f" from {pile_in_words(event.src, called)}" if event.src and event.src.removeprefix("hand:") != by
                else ""
            )
            return text + (f" to {_whose(event.to, called)}" if isinstance(event, ev.Move) else "")
        case ev.Capture():
            whole = event.takes == ("*",) and event.src
            what = pile_in_words(event.src, called) if whole else cards_in_words(event.takes) + (
                f" from {pile_in_words(event.src, called)}" if event.src else ""
            )
            return f"{by} takes {what} with {cards_in_words(event.cards)}"
        case ev.Bid():
            level = "" if event.level is None else f"{event.level} "
            strain = GLYPHS.get(event.strain)
            return f"{by} bids {level.rstrip()}{strain}" if strain else f"{by} bids {level}{event.strain}".rstrip()
        case ev.Pass():
            return f"{by} {verbs.get(ev.Pass, 'passes')}"
        case ev.Name():
            return f"{by} names {pretty(event.what) if is_face(event.what) else GLYPHS.get(event.what, event.what)}"
        case ev.Call():
            amount = "" if event.amount is None else str(event.amount)
            if event.word in SAID and not (event.cards or amount or event.what or event.who):
                return f"{by} {SAID[event.word]}"
            word = game.spoken(event.word)
            return (
                f"{by} calls "
                f"{' '.join(p for p in (word, event.what, amount, event.who, cards_in_words(event.cards)) if p)}"
            )
        case ev.Show():
            return f"{by} shows {', '.join(cards_in_words(g) for g in event.groups)}"
        case ev.Meld():
            groups = ", ".join(cards_in_words(g) for g in event.groups) + (
                f" from {pile_in_words(event.src, called)}" if event.src else ""
            )
            return f"{by} adds {groups} to {pile_in_words(event.to, called)}" if event.to else f"{by} melds {groups}"
        case ev.Arrange() if event.groups and not event.to:
            return f"{by} lays {', '.join(cards_in_words(g) for g in event.groups)}"
        case ev.Arrange(piles=piles) if any(cards for _, cards in piles):
            return f"{by} lays anew {', '.join(cards_in_words(cards) for _, cards in piles if cards)}"
        case ev.Bet():
            on = f" on {pretty(event.on) if is_face(event.on) else _whose(event.on, called)}" if event.on else ""
            stakes = f"{verbs[ev.Bet]} for" if ev.Bet in verbs else "stakes"
            return f"{by} {stakes} {event.amount}{on}" if event.amount >= 0 else f"{by} takes back {-event.amount}{on}"
        case ev.Pay():
            src = "" if event.src.removeprefix("hand:") == event.by else event.src
            if src and event.to.removeprefix("hand:") in ("", event.by):
                return f"{by} takes {event.amount} from {_whose(src, called)}"
            whom = f" to {_whose(event.to, called)}" if event.to else ""
            return f"{by} pays {event.amount}" + (f" from {_whose(src, called)}" if src else "") + whom
        case ev.Shuffle():
            return f"{by} shuffles"
        case ev.Back():
            what = (
                cards_in_words(event.cards) if event.cards else f"event {event.refs[0]}" if event.refs
                else "the last act"
            )
            return f"{by} takes back {what}"
        case ev.Hand():
            return f"hand {event.number}, dealt by {by}"
        case ev.Deal():
            return "the deal"
        case ev.Tally():
            return f"the result: {facts_in_words(event.facts)}"
        case ev.Open() if "Seats" in event.facts:
            seats = [str(event.facts.get(seat, seat)) for seat in str(event.facts["Seats"]).split()]
            return f"at the table from the next hand on: {', '.join(seats)}"
        case ev.Open():
            return ", ".join(
                f"{value} for {key} from here on" if key.isupper() else f"{key} {value}"
                for key, value in event.facts.items()
            )
        case ev.Ruling():
            said = [event.word] if event.word else []
            return (
                f"ruling on {events_named(event.refs)}: "
                f"{', '.join([*said, *([facts_in_words(event.facts)] if event.facts else [])])}"
            )
    done = about_the_record(event, facts_in_words)
    return f"{by} {done}" if done else write_event(event)


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


def _told(key: str, value: Any) -> str:
    """One fact of a result: its key, its side or seat, and its value.

    >>> _told("tricks", {"EW": 6}), _told("trump", "h"), _told("five", "NS")
    ('tricks EW 6', 'trump ♥', 'five NS')
    >>> _told("points", {"A": -4})
    'points A −4'
    """
    if isinstance(value, dict):
        return ", ".join(_told(f"{key} {whose}", one) for whose, one in value.items())
    if value is True:
        return what_is_so(key, key)
    if isinstance(value, str):
        return f"{key} {GLYPHS.get(value, value)}"
    return f"{key} {figure(value) if type(value) is int else write_value(value)}"


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


def _whose(name: str, called: Mapping[str, str]) -> str:
    """The source or target of chips or cards: a player, one of a player's several hands, or a pile."""
    holder = name.removeprefix("hand:")
    return holder if holder[:1].isupper() and ":" not in holder else pile_in_words(holder, called)


def who_is_to_act(state: State[Any], name: Callable[[str], str]) -> str:
    """The seats to act and what they are to do, by name; empty if it is no seat's turn."""
    phase = state.game.phases[state.phase]
    key = state.game.key
    if state.turn and phase.asked is not None:
        return with_player_names(in_language(phase.asked(state), key), {seat: name(seat) for seat in state.terms.seats})
    who = one_of_them(map(name, state.turn))
    return t("{who} to {act}", who=who, act=in_language(phase.to_do, key)) if who else ""


def with_letter(state: State[Any], seat: str) -> str:
    """A player's name, with the letter to type."""
    name = state.terms.name(seat)
    return seat if name == seat else f"{name} ({seat})"


def cards_in_words(cards: Sequence[str]) -> str:
    """Cards in words; unseen ones are counted. A card without a suit yet, such as `Q_`, stays as it is.

    >>> (
    ...     cards_in_words(["7h", "3x??"]),
    ...     cards_in_words(["??"]),
    ...     cards_in_words(["*x??"]),
    ...     cards_in_words(["*"]),
    ...     cards_in_words(["Q_"])
    ... )
    ('7♥ and 3 unseen cards', 'an unseen card', 'uncounted unseen cards', 'everything', 'Q_')
    """
    if tuple(cards) == ("*",):
        return "everything"
    unseen = [c for c in cards if c.endswith("??") and "=" not in c]
    plain = [pretty(c) for c in cards if c not in unseen]
    words = [" ".join(plain)] if plain else []
    for text in unseen:
        n = item(text).count
        words.append(
            "uncounted unseen cards" if n is None else "an unseen card" if n == 1 else f"{n} unseen cards"
        )
    return " and ".join(words)


def few(texts: Sequence[str], sep: str = " ", most: int = MAX_NAMED) -> str:
    """The first of many, and how many more."""
    more = f" and {len(texts) - most} more" if len(texts) > most else ""
    return sep.join(texts[:most]) + more


def reading_order(card: str) -> tuple[int, int]:
    """Sort key: spades, hearts, diamonds, clubs, jokers; each suit from the top."""
    face = item(card).card
    suit = suit_of(face)
    return "shdc".find(suit) if suit in GLYPHS else len(GLYPHS), "AKQJT98765432?".find(rank_of(face)[0])


def sorted_cards(cards: Iterable[str]) -> list[str]:
    """Cards in the order of a sorted hand."""
    return sorted(cards, key=reading_order)
