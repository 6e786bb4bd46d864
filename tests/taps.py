"""Hands as they are tapped on the phone page: the fewest taps that its keys allow (see `service/static/phone.js`).

A card takes a tap for its suit, unless that is pressed already, and one for its rank. A line is sent by a key that
ends it, by the last card that can be on it, or else by a key of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from events.cards import item
from events.errors import KibitzError
from events.model import Arrange, Bid, Call, Deal, Discard, Event, Move, Recorded, Show
from events.writing import write_event
from replay.table.line_reader import SeveralMeaningsError
from replay.table.pad import PadKey, PadView, pad_of
from replay.table.session import Session
from replay.table.shorthand import applied
from replay.table.typist import shortest_acts

MOST_ON_A_LINE = 8
MORE, WRITE = "more", "write"
SIGNS = ("<", ">", "/", "=")
_CARD = re.compile(r"[2-9AKQJT][shdc]")
_CARDS = re.compile(r"(?:(?:[0-9]+x)?(?:[2-9AKQJT?][shdc?]|Jo)(?:=[2-9AKQJT][shdc])?|/)+")


class Line(NamedTuple):
    """What is tapped for a line: the keys by their words, a card as one; how many taps that is; the line as it is
    sent; the acts it tells; what is written for it; and which answer is tapped if the service asks what it means."""

    keys: tuple[str, ...]
    taps: int
    text: str
    acts: tuple[Event, ...]
    events: tuple[Event, ...]
    answer: str = ""


def lines_of_a_hand(records: Sequence[Recorded], most: int = MOST_ON_A_LINE) -> Iterator[Line]:
    """The lines of a hand, each with the fewest taps for its acts; at most so many acts on one."""
    acts = [act.events[0] for act in shortest_acts(records[:1], [r.event for r in records[1:]])]
    session, pressed = Session(records[:1]), ""
    while acts:
        line = next_line(session, acts, pressed, most)
        yield line
        # Where no suit is led, that of the last card stays pressed.
        cards = [key for key in line.keys if _CARD.fullmatch(key)]
        pressed = cards[-1][1] if cards else pressed
        take(session, line.events)
        acts = acts[len(line.acts) :]


def taps_of_a_hand(records: Sequence[Recorded]) -> int:
    """How many taps a hand takes."""
    return sum(line.taps for line in lines_of_a_hand(records))


def next_line(session: Session, acts: Sequence[Event], pressed: str, most: int = MOST_ON_A_LINE) -> Line:
    """The line that a practised recorder taps next."""
    pad = pad_of(session)
    best: Line | None = None
    for many in range(1, min(most, len(acts)) + 1):
        found = cheapest(session, pad, tuple(acts[:many]), pressed)
        if found is not None and (best is None or found.taps / many < best.taps / len(best.acts)):
            best = found
        if pad.full == 1 or (found is not None and found.keys[-1] in {key.text for key in pad.keys}):
            break
    assert best is not None, f"{write_event(acts[0])} cannot be tapped here: {[key.text for key in pad.keys]}"
    return best


def cheapest(session: Session, pad: PadView, acts: tuple[Event, ...], pressed: str) -> Line | None:
    """The fewest taps for a line that tells these acts. If it can mean several things, the service asks, and one tap
    answers."""
    ways = sorted({(cost(pad, keys, pressed), keys) for keys in spelled(session, pad, acts) if sendable(pad, keys)})
    best: Line | None = None
    for taps, keys in ways:
        if best is not None and taps >= best.taps:
            break
        text = line_of(pad, keys)
        read = reads(session, text, acts)
        if read is not None and (best is None or taps + bool(read[0]) < best.taps):
            best = Line(keys, taps + bool(read[0]), text, acts, read[1], read[0])
    return best


def spelled(session: Session, pad: PadView, acts: Sequence[Event]) -> Iterator[tuple[str, ...]]:
    """The keys that could tell acts: their cards, with a verb in front or without, with a pile; the last may be a
    key that ends the line, or one that waits for a card. What no key offers is put together behind `more`."""
    *before, last = acts
    front = [word for act in before for word in cards_of(act)]
    if before and not all(next(cards_of(act), "") for act in before):
        return
    cards, written = list(cards_of(last)), write_event(last)
    for key in pad.keys:
        if key.card:
            if len(cards) == 1 and not front and filled(key, cards[0]) == written:
                yield (*cards, key.text)
        elif key.text.rpartition(". ")[2] in (
            written, written.partition(" ")[2],
        ) or " " not in key.text.rpartition(". ")[2]:
            yield (*front, key.text)
    if before:
        yield (*front, *cards)
        return
    yield tuple(cards)
    if any("=" in text for text in _written(last)):
        # What a joker stands for is asked as soon as it is tapped.
        yield tuple(sign for text in _written(last) for sign in spelt(text))
    unseen = not_yet_seen(session, last)
    yield tuple(unseen)
    for verb in pad.verbs:
        yield (verb.text, *grouped(last))
        yield (verb.text, *unseen)
        if isinstance(last, Arrange) and last.piles:
            yield from ((verb.text, *spelt("/".join(groups))) for groups in laid_anew(last, session))
    if isinstance(last, Move):
        yield from (
            (MORE, key.text, *cards) for key in pad.pieces
            if session.state.game.words.get(key.text, "").startswith("typed for move")
        )
    yield from ((MORE, *way) for way in put_together(pad, last))


def put_together(pad: PadView, act: Event) -> Iterator[tuple[str, ...]]:
    """An act told piece by piece: of whom, its verb or the word that is said, its cards, figures and piles."""
    seat, verb, *words = write_event(act).split(" ")
    for stands_for in (False, True):
        said, places = list[str](), list[str]()
        for word in words:
            if word[0] in "<>":
                places += [word[0], word[1:]]
            elif isinstance(act, Deal):
                # A row is laid where it belongs.
                said += cards_of(act)
            elif word.lstrip("-").isdigit():
                said += list(word)
            elif isinstance(act, Bid):
                said += re.findall(r"[0-9]|[a-z]+", word)
            elif isinstance(act, Arrange) and ":" in word:
                pile, _, cards = word.partition("=")
                said += ["=", f"{pile}=", *(spelt(cards) or ["-"])]
            elif not _CARDS.fullmatch(word):
                said += [word]
            else:
                said += spelt(word) if stands_for else grouped(act)
        for who in ([], [seat]):
            for start in ([], [verb]):
                for end in ([], places):
                    way = (*who, *start, *said, *end)
                    if (who or start) and all(known(pad, word) for word in way):
                        yield way


def spelt(word: str) -> list[str]:
    """A word of cards as it is tapped sign by sign, with what a card stands for.

    >>> spelt("Jo=3sAs/2x??")
    ['Jo', '=', '3s', 'As', '/', 'x', 'x']
    """
    out: list[str] = []
    for count, card, sign in re.findall(r"(?:([0-9]+)x)?([2-9AKQJT?][shdc?]|Jo)|([/=])", word):
        out += [sign] if sign else ["x" if "?" in card else card] * int(count or 1)
    return out


def _written(act: Event) -> list[str]:
    """The cards of an act as they are written."""
    return [*getattr(act, "cards", ()), *(text for group in getattr(act, "groups", ()) for text in group)]


def not_yet_seen(session: Session, act: Event) -> list[str]:
    """The cards that are shown and were not seen before; the others go without saying."""
    if not isinstance(act, Show | Call) or act.by not in session.state.terms.seats:
        return []
    pack, held = session.state.game.pack, session.state.holding(act.by)
    cards, known = list(cards_of(act)), pack.cards(held.certain)
    return [card for card in cards if card not in known]


def laid_anew(act: Arrange, session: Session) -> Iterator[list[str]]:
    """The groups of a layout that has changed: those with more cards than before, all that have any, or all that lie
    there now."""
    tokens, piles = session.state.game.pack.tokens, session.state.table.piles
    lay = {name: [tokens[code] for code in piles[name].codes()] if name in piles else [] for name, _ in act.piles}
    laid = [
        ("".join(cards), any(cards.count(card) > lay[name].count(card) for card in cards)) for name, cards in act.piles
        if cards
    ]
    yield [cards for cards, more in laid if more]
    yield [cards for cards, _ in laid]
    after = session.state.copy()
    applied(after, act)
    yield [
        "".join(tokens[code] for code in pile.codes()) for pile in after.table.piles.values()
        if pile.name.startswith("meld:") and len(pile)
    ]


def known(pad: PadView, word: str) -> bool:
    """Whether there is such a key where a line is put together."""
    keys = {key.text for key in (*pad.pieces, *pad.piles, *pad.singles)}
    return word.rstrip("=") in keys or word in pad.seats or word in SIGNS or is_card(word) or (
        pad.figures and word.isdigit()
    )


def cards_of(act: Event) -> Iterator[str]:
    """The cards of an act as they are tapped, one after the other."""
    for text in getattr(act, "cards", ()):
        yield from one_by_one(text)
    for _, cards in getattr(act, "piles", ()):
        yield from (face for text in cards if "?" not in text for face in one_by_one(text))
    for group in getattr(act, "groups", ()):
        for text in group:
            yield from one_by_one(text)


def grouped(act: Event) -> list[str]:
    """The cards of an act, with a sign between its groups and before the cards that it takes."""
    if hasattr(act, "takes") and act.takes:
        return [*cards_of(act), "/", *(face for text in act.takes for face in one_by_one(text))]
    if not getattr(act, "groups", ()):
        return list(cards_of(act))
    out: list[str] = []
    for group in act.groups:
        out += ["/"] * bool(out) + [face for text in group for face in one_by_one(text)]
    return out


def one_by_one(text: str) -> Iterator[str]:
    """A written item as single cards: an unseen one is `x`."""
    it = item(text.partition("=")[0])
    yield from ("x" if "?" in it.card else it.card for _ in range(it.count or 1))


def line_of(pad: PadView, keys: Sequence[str]) -> str:
    """The line as the page puts it together."""
    waiting = next((key for key in pad.keys if key.card and key.text == keys[-1]), None)
    if waiting is not None:
        return filled(waiting, keys[0])
    out, before = pad.front if is_card(keys[0]) else "", ""
    # The sign in front of `meld:1=` only opens the list of the piles.
    said = [
        word for word, after in zip(keys, (*keys[1:], ""), strict=True) if word != MORE
        and not (word == "=" and after.endswith("="))
    ]
    for word in said:
        glued = (is_card(word) and is_card(before)) or (
            word.isdigit() and before.isdigit()
        ) or before[-1:] in ("<", ">", "/", "=") or word in ("/", "=")
        out += ("" if not out or out[-1] == " " or glued else " ") + word
        before = word
    return out


def filled(key: PadKey, card: str) -> str:
    """The act of a key that waits for a card, with this card in it."""
    return key.text.replace("??", card, 1)


def is_card(word: str) -> bool:
    return bool(_CARD.fullmatch(word)) or word == "x" or bool(re.fullmatch(r"Jo[+-]?", word))


def sendable(pad: PadView, keys: Sequence[str]) -> bool:
    """Whether the page would not have sent the line before its last key: it does once the last card is on it."""
    if not keys:
        return False
    cards = 0
    for at, word in enumerate(keys):
        if not is_card(word):
            cards = -100 if at == 0 else cards
            continue
        cards += 1
        if pad.full and cards == pad.full and at < len(keys) - 1:
            return False
    return True


def cost(pad: PadView, keys: Sequence[str], pressed: str) -> int:
    """The taps for keys: the suit that was led is pressed, later the suit of the card before."""
    pressed, taps, cards = pad.led if pad.trick or pad.led else pressed, 0, 0
    singles = {key.text for key in pad.singles}
    for word in keys:
        taps += 1
        cards += is_card(word)
        if _CARD.fullmatch(word) and word not in singles:
            taps += word[1] != pressed
            pressed = word[1]
    act = next((key for key in pad.keys if key.text == keys[-1]), None)
    if act is not None:
        taps += out_of_sight(pad, act)
    whole = bool(pad.full) and cards == pad.full and is_card(keys[0])
    # The rank of the last card goes untapped if it is that of the card before.
    *_, last, end = ("", *(keys if act is None else keys[:-1])) if len(keys) > 1 else ("", "")
    alike = (
        not whole and pad.full != 1 and _CARD.fullmatch(last) and _CARD.fullmatch(end) and last[0] == end[0]
        and last[1] != end[1] and end not in singles
    )
    return taps - bool(alike) if act is not None or whole else taps + 1 - bool(alike)


def out_of_sight(pad: PadView, act: PadKey) -> int:
    """The taps before a key is seen: on the seat whose act it is, if the first of several is not meant, and on those
    that had no room."""
    turned = bool(act.by) and len(pad.turn) > 1 and act.by != pad.turn[0]
    shown = [key for key in pad.keys if not act.by or not key.by or key.by == act.by]
    across = 3 if len(shown) + len(pad.verbs) <= 3 or any(len(key.label) > 12 for key in shown) else 4
    room = across * (2 if pad.unseen or not pad.keys else 6)
    hidden = len(shown) + len(pad.verbs) > room and shown.index(act) + len(pad.verbs) >= room - 1
    return turned + hidden


def reads(session: Session, line: str, acts: Sequence[Event]) -> tuple[str, tuple[Event, ...]] | None:
    """What is written for a line that tells these acts, and the answer to tap first if it can mean several things;
    None if it does not tell them."""
    try:
        drafts = [session.complete(line)]
    except SeveralMeaningsError as error:
        drafts = list(error.drafts)
    except KibitzError:
        return None
    found = next(
        (
            draft for draft in drafts if not draft.doubts
            and (tells(draft.events, acts) or lies_alike(session, draft.events, acts))
        ),
        None,
    )
    if found is None:
        return None
    events = tuple(r.event for r in found.events)
    return (", ".join(map(write_event, events)) if len(drafts) > 1 else ""), events


def tells(events: Sequence[Recorded], acts: Sequence[Event]) -> bool:
    """Whether these are the acts, perhaps after some that nobody saw. What a joker stands for in a throw follows
    from its place."""
    told, wanted = [_in_its_place(r.event) for r in events], [_in_its_place(act) for act in acts]
    return told == wanted or (
        told[-len(acts) :] == wanted and all("??" in write_event(event) for event in told[: -len(acts)])
    )


def lies_alike(session: Session, events: Sequence[Recorded], acts: Sequence[Event]) -> bool:
    """Whether groups rearranged lie on the table as they should, whatever their piles are called."""
    if not all(isinstance(event, Arrange) for event in (*(r.event for r in events), *acts)):
        return False
    tables = []
    for told in ([r.event for r in events], acts):
        state = session.state.copy()
        for event in told:
            applied(state, event)
        tables.append((state.turn, sorted(sorted(pile.codes()) for pile in state.table.piles.values() if len(pile))))
    return tables[0] == tables[1]


def _in_its_place(event: Event) -> Event:
    return replace(
        event, cards=tuple(text.partition("=")[0] for text in event.cards),
    ) if isinstance(event, Discard) else event


def take(session: Session, acts: Sequence[Event]) -> None:
    n = session.records[-1].n
    session.take([Recorded(n=n + i, event=event) for i, event in enumerate(acts, 1)])


__all__ = ["Line", "lines_of_a_hand", "next_line", "take", "taps_of_a_hand"]
