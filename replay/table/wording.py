"""Events, cards and piles in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from events.cards import GLYPHS, is_face, item, pretty, rank_of, suit_of
from events.model import (
    Arrange,
    Bet,
    Bid,
    Call,
    Capture,
    Deal,
    Discard,
    Draw,
    Event,
    Hand,
    Meld,
    Move,
    Name,
    Pass,
    Pay,
    Play,
    Show,
    Shuffle,
)
from events.tokens import written_pile
from events.writing import write_event
from reducers.pile_words import in_words

# So many acts or cards are named before the rest is counted.
MAX_NAMED = 12


def describe_event(event: Event, aloud: Mapping[str, str] | None = None) -> str:
    """An event as one would tell it at the table; `aloud` are the words of its game that are said otherwise than they are typed.

    >>> describe_event(Play(by="W", cards=("9c",))), describe_event(Capture(by="A", cards=("Jd",), takes=("Js",)))
    ('W plays 9♣', 'A takes J♠ with J♦')
    >>> describe_event(Bid(by="N", level=7, strain="no")), describe_event(Pass(by="E"))
    ('N bids 7 no', 'E passes')
    >>> describe_event(Move(by="A", cards=("??",), to="hand:B")), describe_event(Move(by="A", cards=("9c",), to="foundation:c"))
    ('A passes an unseen card to B', 'A moves 9♣ to foundation:c')
    >>> describe_event(Bet(by="C", amount=20, on="Qc")), describe_event(Pay(by="A", amount=3, src="pot")), describe_event(Draw(by="A", cards=("7s",), src="discard"))
    ('C stakes 20 on Q♣', 'A takes 3 from the pot', 'A draws 7♠ from the discard pile')
    """
    by = "the table" if event.by == "@" else event.by
    match event:
        case Play() | Discard() | Draw() | Move():
            passes = isinstance(event, Move) and not event.src and event.to.startswith("hand:") and event.by != "@"
            verb = "passes" if passes else {Play: "plays", Discard: "discards", Draw: "draws", Move: "moves"}[type(event)]
            text = f"{by} {verb} {counted(event.cards)}"
            text += f" face {event.face}" if event.face else ""
            text += f" from {written_pile(event.src) if ':' in event.src else in_words(event.src)}" if event.src else ""
            return text + (f" to {written_pile(event.to)}" if isinstance(event, Move) else "")
        case Capture():
            return f"{by} takes {counted(event.takes)} with {counted(event.cards)}"
        case Bid():
            strain = GLYPHS.get(event.strain, f"{' ' * bool(event.level)}{event.strain}")
            return f"{by} bids {event.level or ''}{strain}".rstrip()
        case Pass():
            return f"{by} passes"
        case Name():
            return f"{by} names {pretty(event.what) if is_face(event.what) else GLYPHS.get(event.what, event.what)}"
        case Call():
            amount = "" if event.amount is None else str(event.amount)
            word = (aloud or {}).get(event.word, event.word)
            return f"{by} calls {' '.join(p for p in (word, event.what, amount, event.who, counted(event.cards)) if p)}"
        case Show():
            return f"{by} shows {', '.join(counted(g) for g in event.groups)}"
        case Meld():
            groups = ", ".join(counted(g) for g in event.groups) + (f" from {in_words(event.src)}" if event.src else "")
            return f"{by} adds {groups} to {in_words(event.to)}" if event.to else f"{by} melds {groups}"
        case Arrange() if event.groups and not event.to:
            return f"{by} lays {', '.join(counted(g) for g in event.groups)}"
        case Arrange(piles=piles) if any(cards for _, cards in piles):
            return f"{by} lays anew {', '.join(counted(cards) for _, cards in piles if cards)}"
        case Bet():
            on = f" on {pretty(event.on) if is_face(event.on) else _whose(event.on)}" if event.on else ""
            return f"{by} stakes {event.amount}{on}" if event.amount >= 0 else f"{by} takes back {-event.amount}{on}"
        case Pay():
            src = "" if event.src.removeprefix("hand:") == event.by else event.src
            if src and event.to.removeprefix("hand:") in ("", event.by):
                return f"{by} takes {event.amount} from {_whose(src)}"
            return f"{by} pays {event.amount}" + (f" from {_whose(src)}" if src else "") + (f" to {_whose(event.to)}" if event.to else "")
        case Shuffle():
            return f"{by} shuffles"
        case Hand():
            return f"hand {event.number}, dealt by {by}"
        case Deal():
            return "the deal"
    return write_event(event)


def _whose(name: str) -> str:
    """Whom chips come from or go to: a player, one of several hands of a player, or a pile."""
    holder = name.removeprefix("hand:")
    return holder if holder[:1].isupper() and ":" not in holder else in_words(holder)


def counted(cards: Sequence[str]) -> str:
    """Cards in words; unseen ones counted.

    >>> counted(["7h", "3x??"]), counted(["??"]), counted(["*x??"]), counted(["*"])
    ('7♥ and 3 unseen cards', 'an unseen card', 'unseen cards nobody counted', 'everything')
    """
    if tuple(cards) == ("*",):
        return "everything"
    plain = [pretty(c) for c in cards if item(c).card != "??" or item(c).stands_for]
    words = [" ".join(plain)] if plain else []
    for text in cards:
        if item(text).card != "??" or item(text).stands_for:
            continue
        n = item(text).count
        words.append("unseen cards nobody counted" if n is None else "an unseen card" if n == 1 else f"{n} unseen cards")
    return " and ".join(words)


def few(texts: Sequence[str], sep: str = " ", most: int = MAX_NAMED) -> str:
    """The first of many, and how many more."""
    more = f" and {len(texts) - most} more" if len(texts) > most else ""
    return sep.join(texts[:most]) + more


def reading_order(card: str) -> tuple[int, int]:
    """Spades, hearts, diamonds, clubs, jokers; each suit from the top."""
    face = item(card).card
    suit = suit_of(face)
    return "shdc".find(suit) if suit in GLYPHS else len(GLYPHS), "AKQJT98765432?".find(rank_of(face)[0])


def sorted_cards(cards: Iterable[str]) -> list[str]:
    """Cards as a player would sort them."""
    return sorted(cards, key=reading_order)


__all__ = ["describe_event"]
