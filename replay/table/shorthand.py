"""The readings of a typed line, and events in short."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events import model as ev
from events.cards import SUITS, pretty_all
from events.entries import SHORT, verb_named
from events.model import Event
from events.tokens import SUIT_GLYPHS, Token, card_readings
from events.writing import write_args, write_event
from reducers.evolve import ensure_hand_started, evolve
from reducers.facts import flat, set_fact
from reducers.legal import acts_of
from reducers.model import Game, State
from reducers.piles import called_otherwise
from replay.languages.translate import t
from replay.table.wording import captured, cards_in_words, event_in_words, facts_in_words, pile_spoken


class LineMeaning(Struct, frozen=True):
    """One way to read a line: its events, how well it fits, and which rules it certainly breaks.

    From best to worst: in its place; in its place but broken; about the record; guessed, and broken; out of place.
    """

    events: tuple[Event, ...]
    fit: int  # FITS, BROKEN, ABOUT_IT, GUESS or MISPLACED
    doubts: tuple[str, ...] = ()


FITS, BROKEN, ABOUT_IT, GUESS, MISPLACED = range(5)
MOST_PILES = 5
"""Most piles of a deal listed in an answer; a longer list stays as it is written."""


def word_meant(typed: str, state: State[Any]) -> str:
    """The word of the game that this stands for when typed alone: itself, or a unique prefix that is no card, seat or
    verb. "" if there is none."""
    word = typed.lower()
    if word in state.game.words:
        return "" if word in ev.VERBS else word
    if verb_named(word) or may_be_cards(word, state) or word.upper() in state.terms.seats or word in SUITS:
        return ""
    found = [whole for whole in state.game.words if whole.startswith(word) and whole not in ev.VERBS]
    return found[0] if len(found) == 1 else ""


def may_be_cards(word: str, state: State[Any]) -> bool:
    """True if the word parses as cards and needs no more copies than the pack has: `acc` is no run with one ace of
    clubs."""
    pack = state.game.pack
    has = dict(zip(pack.faces, pack.copies, strict=True))
    return any(
        all(cards.count(card) <= has.get(card, len(cards)) for card in set(cards)) for cards in card_readings(word)
    )


def names_who_speaks(first: str, second: str, state: State[Any]) -> bool:
    """True if the first of two words is the actor: in capitals, or small if the second is a called word or a bid.

    A `c` alone is short for `call`, and a suit before a number is a card.
    """
    if first in state.terms.seats:
        return True
    if first == "c" or first.upper() not in state.terms.seats:
        return False
    phase = state.game.phases.get(state.phase)
    bids = phase is not None and ev.Bid in phase.acts and (second.isdigit() or second.lower() in (phase.bare or ()))
    word = word_meant(second, state)
    return (bids and first not in SUITS) or is_called(word, state.game)


def is_called(word: str, game: Game) -> bool:
    """Return True if players of the game say this word, and it is not another act's verb."""
    return game.words.get(word, "").startswith(("call:", "said (call")) or game.spoken(word) != word


def perhaps_a_seat(words: Sequence[Token], state: State[Any]) -> Token | None:
    """The first of several words as a seat's letter, if it was typed small and is also short for a verb; else None."""
    first = words[0]
    if len(words) < 2 or first.text not in SHORT or first.text.upper() not in state.terms.seats:
        return None
    return replace(first, text=first.text.upper())


def unheard(reading: LineMeaning, state: State[Any]) -> bool:
    """True if a line is read as a call of an unknown word, or as a bid or draw in a game without them."""
    acts = acts_of(state.game.key)
    return any(
        event.word not in state.game.words if isinstance(event, ev.Call) else isinstance(event, ev.Bid | ev.Draw)
        and type(event) not in acts
        for event in reading.events
    )


def names_who_bets(words: Sequence[Token], state: State[Any]) -> bool:
    """True if `b 5 >6c` is a bet of seat B. With its target it can be nothing else."""
    phase = state.game.phases.get(state.phase)
    if phase is None or ev.Bet not in phase.acts or len(words) != 3:
        return False
    who, amount, where = (word.text for word in words)
    return who.upper() in state.terms.seats and amount.isdecimal() and where.startswith(">")


def names_whose_chips(words: Sequence[Token], state: State[Any]) -> bool:
    """True if `a 3` is a bet or payment of seat A, typed small. The letter of a suit counts only if that seat is to
    bet."""
    if (
        len(words) != 2 or len(words[0].text) != 1 or words[0].text.upper() not in state.terms.seats
        or not words[1].text.isdecimal()
    ):
        return False
    now = position_to_come(state)
    phase, seat = now.game.phases.get(now.phase), words[0].text.upper()
    if phase is None or ev.Bid in phase.acts or not (ev.Bet in phase.acts or ev.Pay in phase.acts):
        return False
    return words[0].text not in SUITS or ev.Play not in phase.acts or (ev.Bet in phase.acts and seat in now.turn)


def names_who_lays(words: Sequence[Token], state: State[Any]) -> bool:
    """True if `a 7c >2` is a card that seat A moves, as an ace would have a suit."""
    return (
        len(words) > 2 and words[-1].text[0] == ">" and words[0].text not in SUITS
        and words[0].text.upper() in state.terms.seats
    )


def is_bare(event: Event, words: tuple[str, ...]) -> bool:
    """True if a bid or a name may be typed without its verb."""
    if isinstance(event, ev.Bid):
        return event.strain in words or (event.level is not None and not event.strain)
    return not isinstance(event, ev.Name) or event.what in words


def applied(state: State[Any], event: Event) -> None:
    state.at = state.table.now = state.at + 1
    evolve(state, event)


def position_to_come(state: State[Any]) -> State[Any]:
    """The position in which the next line is read: between two hands that is the next hand."""
    if state.phase != "between" or state.ended:
        return state
    there = state.copy()
    ensure_hand_started(there)
    return there


def single_items(card: str) -> list[str]:
    """Split a counted item into single ones; an uncounted one stays."""
    head, x, tail = card.partition("x")
    return [tail] * int(head) if x and head.isdigit() else [card]


def suits_carried(word: str, cards: Sequence[str]) -> list[str]:
    """For each card of a word, the suit carried on to it: the last one typed before a rank.

    >>> suits_carried("d89hk", ("8d", "9_", "Kh")), suits_carried("89d", ("8_", "9d"))
    (['d', 'd', 'h'], ['', ''])
    >>> suits_carried("d8x9", ("8d", "??", "9_"))
    ['d', 'd', 'd']
    """
    last, out = "", list[str]()
    for card in cards if word.lower().lstrip("x?")[:1] in SUITS else ():
        last = card[1] if len(card) == 2 and card[1] in SUITS else last
        out.append(last)
    return out or [""] * len(cards)


MOST_SEATS = 3
"""Most letters on a line that are tried both as seats and as ranks."""
_SUIT_FIRST = re.compile(r"(?:[cdhs](?:10|[a2-9tjqkx?])+)+", re.IGNORECASE)
_RANKS = re.compile(r"(?:10|[a2-9tjqkx?])+", re.IGNORECASE)
_CARDS = re.compile(r"(?:10|[a2-9tjqkx?cdhs♣♦♥♠♧♢♡♤])+", re.IGNORECASE)


def without_commas(words: Sequence[Token]) -> list[Token]:
    """Split cards with commas between them, `h5,8` or `h5, 8,`, into a word each.

    >>> words = [Token(text="h5,8,"), Token(text="k", column=7), Token(text="five=N,E", column=9)]
    >>> [word.text for word in without_commas(words)]
    ['h5', '8', 'k', 'five=N,E']
    """
    out: list[Token] = []
    for word in words:
        parts = word.text.split(",")
        if len(parts) == 1 or not all(_CARDS.fullmatch(part) for part in parts if part):
            out.append(word)
            continue
        column = word.column
        for part in parts:
            out += [replace(word, text=part, column=column)] if part else []
            column += len(part) + 1
    return out


def suits_carried_on(words: Sequence[Token], others: Collection[str] = (), before: int = 2) -> list[Token]:
    """Read cards with spaces as if there were none: a suit applies to all ranks up to the next suit, even over unseen
    cards.

    A suit may be separate before `before` ranks; before fewer it may be a seat or a verb. Letters in `others` are not
    suits.

    >>> [
    ...     [word.text for word in suits_carried_on([Token(text=text) for text in line.split()])]
    ...     for line in ("s7 2 x h9 10 kc 3", "d a 7", "s a")
    ... ]
    [['s7', 's2', 'x', 'h9', 'h10', 'kc', '3'], ['da', 'd7'], ['s', 'a']]
    """
    out, suit = list[Token](), ""
    for i, word in enumerate(words):
        text, ahead = word.text.translate(SUIT_GLYPHS).lower(), words[i + 1 : i + 1 + before]
        ranks = [one.text for one in ahead if _RANKS.fullmatch(one.text)]
        if text in SUITS and word.text not in others and len(ranks) == before and set("".join(ranks)) - set("xX?"):
            suit = text
            continue
        if _SUIT_FIRST.fullmatch(text):
            suit = next(letter for letter in reversed(text) if letter in SUITS)
        elif not _RANKS.fullmatch(text):
            suit = ""
        elif suit and text not in ("x", "?", "??"):
            word = replace(word, text=suit + text)
        out.append(word)
    return out


def verbs_of_a_letter(state: State[Any]) -> set[str]:
    """Suit letters that are short for a possible act: `d` if cards can be drawn. Words of the game are not
    abbreviated."""
    now = position_to_come(state)
    phase = now.game.phases.get(now.phase)
    return {
        letter for letter in SUITS for act in (phase.acts if phase is not None else ()) if act is not ev.Call
        and act is ev.VERBS.get(SHORT.get(letter, ""))
    }


def seats_within(words: Sequence[Token], named: bool, state: State[Any]) -> Iterator[list[Token]]:
    """Read ambiguous letters in a line of cards as seats: capitals on a line in small letters, any letter on a line
    that begins with the `named` seat. A seat and the next word become one word."""
    letters = [
        i for i in range(len(words) - 1) if words[i].text.lower() in "atjqk"
        and words[i].text.upper() in state.terms.seats
    ]
    small = any(word.text.islower() for word in words)
    may_be = [i for i in letters if named or (words[i].text.isupper() and small)][:MOST_SEATS]
    for seats in (some for many in range(len(may_be)) for some in combinations(may_be, many + 1)):
        out, begin = [*words[: int(named and 0 not in seats)]], int(named and 0 not in seats)
        for i in (*seats, len(words)):
            out += suits_carried_on(words[begin:i], state.terms.seats if named else ())
            out += [replace(words[i], text=f"{words[i].text.upper()} {words[i + 1].text}")] if i < len(words) else []
            begin = i + 2
        yield out


def letters_as_ranks(words: Sequence[Token], named: bool, state: State[Any]) -> list[Token] | None:
    """Read ambiguous small letters within a line of cards as ranks of the suit before; None if there are none."""
    carried = [*words[:named], *suits_carried_on(words[named:])]
    if len(carried) != len(words):
        return None
    ranks = [word.text in "atjqk" and word.text.upper() in state.terms.seats for word in words]
    out = [whole if rank else word for word, whole, rank in zip(words, carried, ranks, strict=True)]
    return out if out != list(words) else None


def short_form(event: Event) -> str:
    """An act without its actor, in a player's words.

    >>> short_form(ev.Play(by="N", cards=("Td",))), short_form(ev.Bid(by="N", level=7, strain="no"))
    ('10♦', '7no')
    >>> short_form(ev.Bid(by="N", level=0))
    '0'
    """
    if isinstance(event, ev.Play) and not event.src:
        return pretty_all(event.cards)
    if isinstance(event, ev.Bid):
        return "".join(write_args(event))
    return write_event(event).partition(" ")[2]


def spoken_act(event: Event, game: Game, phase: str = "") -> str:
    """An act with its actor, for the answer line: a played card by its symbol alone, anything else in words.

    >>> from reducers.first_state import begin
    >>> scopa, bundles, turned = (begin({"Game": key}).game for key in ("scopa", "stealing-bundles", "put-and-take"))
    >>> (
    ...     spoken_act(ev.Play(by="N", cards=("Td",)), scopa),
    ...     spoken_act(ev.Capture(by="A", cards=("Kh",), takes=("6c", "4d")), scopa)
    ... )
    ('N 10♦', 'A K♥ takes 6♣ 4♦')
    >>> (
    ...     spoken_act(ev.Capture(by="A", cards=("7s",), takes=("*",), src="won:B"), bundles),
    ...     spoken_act(ev.Play(by="C", cards=("4d",), src="stock"), turned)
    ... )
    ('A 7♠ takes the bundle of B', 'C turns 4♦ from the stock')
    >>> spoken_act(ev.Draw(by="B", cards=("Js",), src="trick"), scopa)
    'B takes J♠ from the trick'
    """
    if isinstance(event, ev.Play) and ev.Play not in game.shorthand.verbs:
        called = called_otherwise(game.display.piles)
        played = t(
            "{cards} from {place}", cards=pretty_all(event.cards), place=pile_spoken(event.src, called, game),
        ) if event.src else pretty_all(event.cards)
        return t("{who} {does}", who=event.by, does=played)
    if isinstance(event, ev.Capture):
        # The captured cards are between the two words; a pile is named in words.
        does = t("{cards} takes {taken}", cards=pretty_all(event.cards), taken=captured(event, game))
        return t("{who} {does}", who=event.by, does=does)
    if isinstance(event, ev.Deal) and any(
        "?" not in card for _, cards in event.piles for card in cards
    ) and len(event.piles) <= MOST_PILES:
        dealt = (f"{_dealt_to(pile, game)} {cards_in_words(cards)}" for pile, cards in event.piles)
        return t("dealt: {cards}", cards=", ".join(dealt))
    if isinstance(event, ev.End) and event.facts:
        return t("the verdict is kept")
    return write_event(event) if isinstance(event, ev.Deal) else event_in_words(event, game, phase)


def _dealt_to(pile: str, game: Game) -> str:
    """The receiver of cards, or the pile they are put on."""
    holder = pile.removeprefix("hand:")
    if holder[:1].isupper() and ":" not in holder:
        return holder
    return f"{pile_spoken(holder, called_otherwise(game.display.piles), game)}:"


def differing(facts: ev.Facts, others: ev.Facts) -> ev.Facts:
    """The facts that are missing or different in the others.

    >>> differing({"five": "NS", "tricks": {"NS": 3, "EW": 5}}, {"five": "NS", "tricks": {"NS": 4, "EW": 5}})
    {'tricks': {'NS': 3}}
    """
    told, out = dict(flat(others)), dict[str, Any]()
    for key, value in flat(facts):
        if told.get(key) != value:
            set_fact(out, key, value)
    return out


def spoken_fix(fix: ev.Fix, old: Event | None, game: Game, *, is_back: bool = False) -> str:
    """A correction for the answer line: the new event and the old one; with `is_back` that it reverts the correction
    before it.

    >>> from reducers.first_state import begin
    >>> kaiser = begin({"Game": "kaiser"}).game
    >>> ten, nine = ev.Play(by="N", cards=("Td",)), ev.Play(by="N", cards=("9d",))
    >>> to_ten, to_nine = (ev.Fix(by="@", at=7, how="replace", event=card) for card in (ten, nine))
    >>> spoken_fix(ev.Fix(by="@", at=7, how="strike"), ten, kaiser)
    'event 7 is struck out: N 10♦'
    >>> spoken_fix(to_nine, ten, kaiser)
    'event 7 is now N 9♦, and was N 10♦'
    >>> spoken_fix(to_ten, ten, kaiser)
    'event 7 is N 10♦, as before'
    >>> spoken_fix(to_nine, None, kaiser)
    'event 7 stands again: N 9♦'
    >>> spoken_fix(to_nine, ten, kaiser, is_back=True)
    'the correction of event 7 is taken back: N 9♦ again, and not N 10♦'
    """
    n, before = fix.at, spoken_act(old, game) if old is not None else ""
    if fix.event is None:
        return t("event {n} is struck out: {act}", n=n, act=before) if before else t("event {n} is struck out", n=n)
    now = spoken_act(fix.event, game)
    if fix.how == "insert":
        return t("after event {n}: {act}", n=n, act=now)
    if fix.how == "turn":
        return (
            t("the cards from event {n} on are moved back: {act}", n=n, act=now) if is_back
            else t("the cards from event {n} on move round: {act}", n=n, act=now)
        )
    if fix.event == old:
        return t("event {n} is {act}, as before", n=n, act=before)
    if is_back:
        return t(
            "the correction of event {n} is taken back: {act} again, and not {before}", n=n, act=now, before=before,
        )
    if isinstance(fix.event, ev.Tally) and isinstance(old, ev.Tally):
        added, gone = differing(fix.event.facts, old.facts), differing(old.facts, fix.event.facts)
        says, said = (facts_in_words(facts) or t("nothing of it") for facts in (added, gone))
        return (
            t("event {n} now says {facts}, and said {before}", n=n, facts=says, before=said) if added == fix.event.facts
            else t(
                "event {n} now says {facts}, and said {before}; the rest of the result stands", n=n, facts=says,
                before=said,
            )
        )
    if old is None and n:
        return t("event {n} stands again: {act}", n=n, act=now)
    return (
        t("event {n} is now {act}, and was {before}", n=n, act=now, before=before) if before
        else t("event {n} is now {act}", n=n, act=now)
    )
