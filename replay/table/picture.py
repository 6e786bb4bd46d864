"""A frame drawn as text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from itertools import groupby

from events.cards import GLYPHS, UNKNOWN, item, pretty, rank_of, suit_of
from reducers.scoring import figure
from replay.plain_text import clean, width
from replay.table.frame import Frame, PileView

_WIDTH = 26


def render_frame(frame: Frame, names: Mapping[str, str] | None = None) -> str:
    """The frame as a picture in plain text, at most 80 columns wide; no line ends with a space.

    Four seats sit around the table, the first at the top; any other number is listed. `>` marks who may act, `(D)` the
    dealer. `names` overrides the names of the match.
    """
    names = {who: _shortened(clean(name), 24) for who, name in (frame.names if names is None else names).items()}
    head = [f"hand {frame.hand}" if frame.hand else frame.name, f"event {frame.position}", frame.phase_name]
    lines = textwrap.wrap(" · ".join([*head, *([clean(frame.contract)] if frame.contract else [])]), 78)
    lines.append("")
    lines += _around(frame, names) if len(frame.seats) == 4 else _listed(frame, names)
    lines.append("")
    rest = [p for p in frame.piles if not p.holding and p.name not in ("trick", "board") and (p.count or p.vague)]
    lines += _wrapped([f"{p.name}: {_pile_words(p)}" for p in rest])
    lines += _wrapped(["score", *(f"{names.get(who, who)} {figure(n)}" for who, n in frame.scores.items())])
    if frame.last:
        lines += textwrap.wrap(f"last: {clean(frame.last)}", 78, subsequent_indent="  ")
    if frame.over:
        lines.append(f"{names.get(frame.winner, frame.winner)} won the match" if frame.winner else "the match ended without a winner")
    elif frame.turn:
        who = ", ".join(_called(s, names) for s in frame.turn)
        lines += textwrap.wrap(f"to act: {who} - {frame.expects}", 78, subsequent_indent="  ")
    else:
        lines.append(f"next: {frame.expects}")
    for note in frame.inferred[-3:]:
        lines += textwrap.wrap(f"inferred, {note}", 78, subsequent_indent="  ")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _called(seat: str, names: Mapping[str, str]) -> str:
    name = names.get(seat, "")
    return f"{seat} {name}" if name and name != seat else seat


def _shortened(text: str, to: int) -> str:
    """A text that takes no more than so many columns."""
    if width(text) <= to:
        return text
    while width(text) >= to:
        text = text[:-1]
    return text + "…"


def _label(seat: str, frame: Frame, names: Mapping[str, str]) -> str:
    return ("> " if seat in frame.turn else "  ") + _called(seat, names)


def by_suit(cards: Iterable[str]) -> list[str]:
    """Cards as short words, one for each suit, in the order given.

    >>> by_suit(["As", "Ts", "Kh", "3x??"])
    ['♠A10', '♥K', '3x??']
    """
    out: list[str] = []
    last = ""
    for card in cards:
        suit = suit_of(item(card).card)
        if suit in GLYPHS and rank_of(card) != "?" and "=" not in card:
            rank = "10" if card[0] == "T" else card[0]
            if suit == last:
                out[-1] += rank
            else:
                out.append(GLYPHS[suit] + rank)
            last = suit
        else:
            out.append(card if UNKNOWN in card else pretty(card))
            last = ""
    return out


def _block(seat: str, frame: Frame, names: Mapping[str, str], columns: int) -> list[str]:
    """A seat's name and cards; further hands of the seat below."""
    dealer = " (D)" if seat == frame.dealer else ""
    lines = [_shortened(_label(seat, frame, names), columns - 1 - len(dealer)) + dealer]
    for pile in frame.piles:
        if pile.holding and pile.owner == seat:
            words = by_suit(pile.cards) or (["no cards"] if pile.name == seat else [])
            lead = "  " if pile.name == seat else f"  {pile.name} "
            lines += textwrap.wrap(" ".join(words), columns, initial_indent=lead, subsequent_indent="  ")
    return lines


def _around(frame: Frame, names: Mapping[str, str]) -> list[str]:
    """Four seats: the first at the top, then clockwise."""
    top, right, bottom, left = frame.seats
    plays = _plays(frame)
    laid = dict(plays)
    centre = [laid.get(top, ""), f"{laid.get(left, ''):<5}   {laid.get(right, ''):>5}", laid.get(bottom, "")]
    if "" in laid or len(laid) < len(frame.trick):
        # No trick of one card each: what lies is read in its order.
        centre = textwrap.wrap(", ".join(f"{seat} {cards}".strip() for seat, cards in plays), _WIDTH - 2)
    west, east = _block(left, frame, names, _WIDTH), _block(right, frame, names, _WIDTH)
    rows = max(len(west), len(east), len(centre))
    out = [" " * _WIDTH + line for line in _block(top, frame, names, _WIDTH + 20)]
    for i in range(rows):
        a, b, c = (col[i] if i < len(col) else "" for col in (west, centre, east))
        out.append(a + " " * (_WIDTH - width(a)) + b.center(_WIDTH) + c)
    return out + [" " * _WIDTH + line for line in _block(bottom, frame, names, _WIDTH + 20)]


def _listed(frame: Frame, names: Mapping[str, str]) -> list[str]:
    """Any number of seats, one below the other, and what lies in the middle."""
    lines = [line for seat in frame.seats for line in _block(seat, frame, names, 76)]
    if frame.trick:
        laid = [f"{seat} {cards}".strip() for seat, cards in _plays(frame)]
        lines += textwrap.wrap("middle: " + "  ".join(laid), 76, initial_indent="  ", subsequent_indent="    ")
    return lines


def _plays(frame: Frame) -> list[tuple[str, str]]:
    """What lies in the middle, play by play: the seat, empty on a board, and the cards that it laid together."""
    return [(seat, " ".join(pretty(c.card) for c in cards)) for seat, cards in groupby(frame.trick, key=lambda c: c.seat)]


def _pile_words(pile: PileView) -> str:
    if pile.seen_by == "nobody" or all(item(c).card == UNKNOWN for c in pile.cards):
        return f"{'at least ' if pile.vague else ''}{pile.count}"
    if len(pile.cards) <= 12:
        return " ".join(pretty(c) for c in pile.cards)
    return f"{pile.count} cards, on top {pretty(pile.cards[-1])}"


def _wrapped(words: list[str]) -> list[str]:
    """Words that stay whole, three spaces apart, in lines of at most 78."""
    lines: list[str] = []
    for word in words:
        if lines and width(lines[-1]) + 3 + width(word) <= 78:
            lines[-1] += "   " + word
        else:
            lines.append(word)
    return lines


__all__ = ["by_suit", "render_frame"]
