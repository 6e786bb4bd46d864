"""The shortest known way to type a hand, as a practised recorder would.

Each act gets the shortest words that the line reader understands as that act and no other; acts implied by later ones
are left out; acts that can share a line without spaces do. Nothing is assumed about the notation: every line is read
back in its position before it is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from msgspec import Struct

from events.entries import SHORT, verb_named
from events.errors import KibitzError
from events.model import Arrange, Bid, Deal, Discard, Draw, Event, Hand, Move, Play, Recorded, Shuffle
from events.writing import write_event
from reducers.model import State
from replay.table.example import top_of
from replay.table.reading_fit import fit_of
from replay.table.session import Session
from replay.table.shorthand import FITS, applied, word_meant
from replay.table.typed_signs import TAKES

MOST_ON_A_LINE = 12
"""Most acts typed on one line: a recorder looks up now and then."""
MOST_SPELLINGS = 150

_LETTERS = {verb: letter for letter, verb in SHORT.items()}
_CARD = re.compile(r"[A23456789TJQK][cdhs]")
_SUIT_FIRST = re.compile(r"(?:[cdhs][a23456789tjqk]+)+$")
_CARD_LAST = re.compile(r"(?<![cdhs])([a23456789tjqk])([cdhs])$")


class TypedLine(Struct, frozen=True):
    """The text typed before one Enter, and its acts."""

    text: str
    events: tuple[Event, ...]

    @property
    def keys(self) -> int:
        """The number of keys, including Enter."""
        return len(self.text) + 1


def lines_of_a_hand(records: Sequence[Recorded], first: int = 1) -> list[TypedLine]:
    """The lines for the hand that begins with event `first` of a log, up to the next hand or the end of the log."""
    later = (i for i in range(first + 1, len(records)) if isinstance(records[i].event, Hand))
    return lines_for(records[:first], [r.event for r in records[first : next(later, len(records))]])


def lines_for(before: Sequence[Recorded], events: Sequence[Event]) -> list[TypedLine]:
    """The lines for these events after a log, in order. An act without a shorter form is written in full."""
    acts = shortest_acts(before, events)
    return _on_lines(before, _fewest_keys(_words(before, acts)))


# -- one act ----------------------------------------------------------------------------------------------------------


def shortest_acts(before: Sequence[Recorded], events: Sequence[Event]) -> list[TypedLine]:
    """Each act that has to be written, in its shortest words; acts implied by others are left out."""
    session, acts = Session(before), list[TypedLine]()
    at = 0
    while at < len(events):
        ahead = _unwritten(session.state, events[at:], session)
        if ahead:
            at += ahead
            continue
        event = events[at]
        acts.append(TypedLine(_shortest(session, event), (event,)))
        _take(session, (event,))
        at += 1
    return acts


def _shortest(session: Session, event: Event) -> str:
    for text in list(dict.fromkeys(_spellings(event, session.state)))[:MOST_SPELLINGS]:
        if _reads_as(session, text, (event,)):
            return text
    return write_event(event)


def _reads_as(session: Session, text: str, events: tuple[Event, ...]) -> bool:
    try:
        draft = session.complete(text)
    except KibitzError:
        return False
    return not draft.doubts and tuple(r.event for r in draft.events) == events


def _spellings(event: Event, state: State[Any]) -> Iterator[str]:
    """Ways to type an act, the shortest first."""
    actor, verb, *words = write_event(event).split(" ")
    ways = [set(_short_words(word, verb, state)) for word in words]
    if isinstance(event, Arrange) and event.piles:
        # The new groups are enough if it is clear which cards they take.
        ways = [set(_new_groups(event, state))]
    actors = ["", actor.lower(), actor] if actor != "@" else [""]
    verbs = [
        "",
        _LETTERS.get(verb) or min((verb[:i] for i in range(2, len(verb) + 1) if verb_named(verb[:i]) == verb), key=len),
        verb,
    ]
    found = {" ".join(word for word in (a, v, *said) if word) for a in actors for v in verbs for said in product(*ways)}
    texts = {TAKES} if isinstance(event, Draw) and event.src else set[str]()
    if isinstance(event, Deal):
        texts.add(run_of([card for _, cards in event.piles for card in cards if "?" not in card]))
    if not isinstance(event, Hand | Deal | Bid):
        texts |= {
            min((w[:n] for n in range(1, len(w) + 1) if word_meant(w[:n], state) == w), key=len, default=w)
            for w in state.game.words
        }
    if isinstance(event, Move) and len(event.cards) == 1 and (top := top_of(event.to, state)):
        texts |= {f"{who} {event.cards[0]}{top}".lower().strip() for who in ("", actor)}
    yield from sorted((t for t in {".", *texts, *found} if t), key=lambda text: (len(text), text.swapcase()))


def _new_groups(arrange: Arrange, state: State[Any]) -> Iterator[str]:
    """The groups of a layout in short: all that changed, or those that got cards."""
    tokens, piles = state.game.pack.tokens, state.table.piles
    lay = {name: [tokens[code] for code in piles[name].codes()] if name in piles else [] for name, _ in arrange.piles}
    laid = [(cards, any(cards.count(c) > lay[name].count(c) for c in cards)) for name, cards in arrange.piles if cards]
    for groups in ([cards for cards, more in laid if more], [cards for cards, _ in laid]):
        if groups and all(_CARD.fullmatch(card) for cards in groups for card in cards):
            yield "/".join("".join(cards).lower() for cards in groups)
            yield "/".join(min(_short_words("".join(cards), "arrange", state), key=len) for cards in groups)


def _short_words(word: str, verb: str, state: State[Any]) -> Iterator[str]:
    """The ways to type a word of an act: not at all, in small letters, with suits first, by number."""
    yield word
    yield word.lower()
    sign, name = word[:1], word[1:]
    if sign in ("<", ">"):
        columns = [pile for pile in state.table.piles if pile.startswith("col:")]
        yield from ("", word[:3].lower())
        if name in columns:
            yield f"{sign}{columns.index(name) + 1}"
        if name.startswith("meld:"):
            yield sign + name.rpartition(":")[2]
        return
    if "=" in word:
        return
    if "??" in word or word in ("up", "down"):
        yield ""
    if "/" in word:
        yield from (word.partition("/")[0].lower(), word.replace("/", "").lower())
    if verb == "call" and word.isalpha():
        yield from (word[:length] for length in range(1, len(word)))
    cards = _CARD.findall(word)
    if "".join(cards) == word:
        yield run_of(cards)
        if len({card[0] for card in cards}) == 1:
            yield cards[0][0].lower() + "".join(card[1] for card in cards)
        if len(cards) > 2:
            yield f"{cards[0][1]}{cards[0][0]}-{cards[-1][0]}".lower()
        if verb == "show":
            yield from (card.lower() for card in cards)
        if verb == "call" and cards:
            yield from ("", cards[0][1])


def run_of(cards: Sequence[str]) -> str:
    """Known cards as one word with the suits first.

    >>> run_of(["9d", "Td", "Kh", "5h"])
    'd9thk5'
    """
    text, suit = "", ""
    for card in cards:
        if _CARD.fullmatch(card) is None:  # a joker has no suit
            text, suit = text + card.lower(), ""
            continue
        text += card[0].lower() if card[1:] == suit else card[1:] + card[0].lower()
        suit = card[1:]
    return text


# -- what goes unwritten ----------------------------------------------------------------------------------------------


def _unwritten(state: State[Any], events: Sequence[Event], session: Session) -> int:
    """The number of next acts that need not be written, as the act after them leads to the same position without
    them."""
    with_them = state.copy()
    for ahead, event in enumerate(events[:-1], 1):
        if not may_go_unwritten(event):
            return 0
        applied(with_them, event)
        following = events[ahead]
        if isinstance(following, Deal) and any("?" not in card for _, cards in following.piles for card in cards):
            return ahead
        reading = fit_of((following,), state, session.view.events)
        if reading.doubts or reading.fit != FITS:
            continue
        without, after = state.copy(), with_them.copy()
        applied(without, following)
        applied(after, following)
        if _stands_alike(without, after):
            return ahead
    return 0


def may_go_unwritten(event: Event) -> bool:
    """True if an act can be implied by later ones: the hand, an unseen deal, a move of unseen cards."""
    if isinstance(event, Hand | Shuffle):
        return True
    if isinstance(event, Deal):
        return all("?" in card for _, cards in event.piles for card in cards)
    return isinstance(event, Draw | Move) and all("?" in card or card == "*" for card in event.cards)


def _stands_alike(one: State[Any], other: State[Any]) -> bool:
    """True if two positions have the same phase, the same turn and as many cards in each pile."""
    sizes = [{name: len(pile) for name, pile in state.table.piles.items() if len(pile)} for state in (one, other)]
    return (one.phase, one.turn) == (other.phase, other.turn) and sizes[0] == sizes[1]


# -- several acts in a word, several words on a line ------------------------------------------------------------------


def _words(before: Sequence[Recorded], acts: Sequence[TypedLine]) -> list[list[TypedLine]]:
    """For each act, the words that begin with it: alone, and joined with the next acts without spaces."""
    session, words = Session(before), list[list[TypedLine]]()
    for at, act in enumerate(acts):
        words.append(list(_words_from(session, acts[at : at + MOST_ON_A_LINE])))
        _take(session, act.events)
    return words


def _words_from(session: Session, acts: Sequence[TypedLine]) -> Iterator[TypedLine]:
    """The words for one act, two acts and so on. A row of cards may be one word even if its beginning is not."""
    close = TypedLine(re.sub("(?<=^m) | (?=[<>])", "", acts[0].text), acts[0].events)
    alone = close if _reads_as(session, close.text, close.events) else acts[0]
    yield alone
    word: TypedLine | None = alone
    row = _cards_in_a_row(acts)
    for many in range(2, len(acts) + 1):
        events = tuple(act.events[0] for act in acts[:many])
        texts = {run_of(row[:many])} if many <= len(row) else set[str]()
        if word is not None:
            texts |= {
                text for text in _joined(word.text, acts[many - 1].text) if text.count(" ") == word.text.count(" ")
            }
        found = next((t for t in sorted(texts, key=lambda t: (len(t), t)) if _reads_as(session, t, events)), None)
        word = None if found is None else TypedLine(found, events)
        if word is not None:
            yield word
        elif many >= len(row):
            return


def _fewest_keys(words: Sequence[Sequence[TypedLine]]) -> list[TypedLine]:
    """The words for all acts with the fewest keys; a space costs as much as an Enter."""
    best: list[tuple[int, list[TypedLine]]] = [(0, [])]
    for at in range(len(words) - 1, -1, -1):
        ways = [(word.keys + best[-len(word.events)][0], word) for word in words[at]]
        keys, word = min(ways, key=lambda way: way[0])
        best.append((keys, [word, *best[-len(word.events)][1]]))
    return best[-1][1]


def _on_lines(before: Sequence[Recorded], words: Sequence[TypedLine]) -> list[TypedLine]:
    """Put the words on lines, as many on each as can be read."""
    session, lines = Session(before), list[TypedLine]()
    for word in words:
        last = lines[-1] if lines else None
        if last is not None and len(last.events) + len(word.events) <= MOST_ON_A_LINE:
            longer = TypedLine(f"{last.text} {word.text}", last.events + word.events)
            if _reads_as(session, longer.text, longer.events):
                lines[-1] = longer
                continue
        if last is not None:
            _take(session, last.events)
        lines.append(word)
    return lines


def _cards_in_a_row(acts: Sequence[TypedLine]) -> list[str]:
    """The known cards of the first acts that play or discard one card each."""
    cards: list[str] = []
    for act in acts:
        event = act.events[0]
        if not isinstance(event, Play | Discard) or len(event.cards) != 1 or not _CARD.fullmatch(event.cards[0]):
            break
        cards.append(event.cards[0])
    return cards


def _joined(line: str, text: str) -> list[str]:
    """Ways to add one more act to a line, the shortest first."""
    text = re.sub(" (?=[<>])", "", text)
    ways = [line + text, f"{line} {text}"]
    if text.startswith("m "):
        ways.append(f"{line}m{text[2:]}")
    if re.fullmatch("[a23456789tjqk][cdhs]", text.lower()):
        rank, suit = text[0].lower(), text[1].lower()
        run, card = _SUIT_FIRST.search(line), _CARD_LAST.search(line)
        if run is not None:
            ways += [line + rank] * (re.findall("[cdhs]", run[0])[-1] == suit) + [line + suit + rank]
        elif card is not None:
            ways.append(line[:-2] + card[2] + card[1] + (rank if card[2] == suit else suit + rank))
    return sorted(dict.fromkeys(ways), key=len)


def _take(session: Session, events: Sequence[Event]) -> None:
    n = session.records[-1].n
    session.take([Recorded(n=n + i, event=event) for i, event in enumerate(events, 1)])
