"""Draw a frame as text."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Mapping
from itertools import groupby

from events.cards import GLYPHS, UNKNOWN, item, pretty, rank_of, suit_of
from events.unread_lines import unread_summary
from reducers.model import Game
from reducers.piles import WORDS
from reducers.registry import find_game
from reducers.scoring import figure
from replay.languages.translate import in_language, t
from replay.plain_text import one_plain_line, player_names, shortened, text_columns, with_player_names, wrapped
from replay.table.event_sentences import who_won
from replay.table.frame import Frame, PileView, headline_words
from replay.table.layout import cards_in_rows, layout_number, layouts_in_rows
from replay.table.wording import contract_spoken, expects_spoken, pile_spoken

STAKED = ("limits", "stakes", "bets", "pot", "pool")
"""The facts of a headline that say what is at stake."""
WIDEST = 78
"""The greatest width of a picture, in columns."""


def render_frame(frame: Frame, columns: int = 0) -> str:
    """Draw the frame as plain text, `columns` (at most 78) wide; no line ends with a space.

    Four seats are drawn around the table, the first at the top; any other number is listed. Layouts are drawn in
    columns. `>` marks the seats to act, `(D)` the dealer.
    """
    page = min(columns or WIDEST, WIDEST)
    names = {who: shortened(one_plain_line(name), 24) for who, name in frame.names.items()}
    game = find_game(frame.game)
    about = t("hand {n}", n=frame.hand) if frame.hand else in_language(frame.name)
    head = [t("{what} · event {n}", what=about, n=frame.position), in_language(frame.phase_name, game.key)]
    contract = [one_plain_line(contract_spoken(frame.contract, game))] if frame.contract else []
    lines = textwrap.wrap(" · ".join([*head, *contract]), page, subsequent_indent="  ")
    lines.append("")
    lines += _around(frame, names, page) if len(frame.seats) == 4 else _listed(frame, names, page)
    lines.append("")
    called = player_names(frame.sides, names)
    drawn = layouts_in_rows(frame.piles, page, called)
    lines += [*drawn, ""] if drawn else []
    lines += piles_beside(frame, called, page)
    lines += kept_in_mind(frame, called, page)
    lines += _wrapped([t("score"), *(f"{called.get(who, who)} {figure(n)}" for who, n in frame.scores.items())], page)
    if frame.last:
        lines += textwrap.wrap(
            t("last: {what}", what=with_player_names(one_plain_line(last_spoken(frame)), called)), page,
            subsequent_indent="  ",
        )
    if frame.over:
        won = who_won(frame.winner, frame.winners, len(frame.scores), lambda who: called.get(who, who))
        lines += textwrap.wrap(won or t("the match ended without a winner"), page, subsequent_indent="  ")
    elif frame.turn:
        who = ", ".join(_called(s, names) for s in frame.turn)
        expects = expects_spoken(frame.expects, game)
        lines += textwrap.wrap(t("to act: {who} - {what}", who=who, what=expects), page, subsequent_indent="  ")
    else:
        expects = with_player_names(expects_spoken(frame.expects, game), called)
        lines += textwrap.wrap(t("next: {what}", what=expects), page, subsequent_indent="  ")
    # Earlier inferences are shown in the replay and on the sheet. Here they would follow every line of a hand.
    for note in [note for note in frame.inferred if note.startswith(f"event {frame.position}: ")][-3:]:
        said = t("inferred, {what}", what=with_player_names(in_language(note, game.key), called))
        lines += textwrap.wrap(said, page, subsequent_indent="  ")
    lines += textwrap.wrap(in_language(unread_summary(frame.unread)), page, subsequent_indent="  ")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def last_spoken(frame: Frame) -> str:
    """The result of the last finished hand, in the language that is spoken."""
    hand, _, outcome = frame.last.partition(": ")
    return t("hand {n}: {outcome}", n=hand.removeprefix("hand "), outcome=in_language(outcome, frame.game))


def piles_beside(frame: Frame, called: Mapping[str, str], page: int, only: Collection[str] = ()) -> list[str]:
    """Piles outside layouts and hands: the melds of each side on lines of their own, with the numbers to type, then
    the others. With `only`, those of the others with such names and a seen card."""
    rest = [
        p for p in frame.piles if not p.holding and p.name not in ("trick", "board") and not layout_number(p)[0]
        and (p.count or p.vague)
    ]
    melds: dict[str, list[str]] = {}
    for pile in rest:
        kind, _, where = pile.name.partition(":")
        if kind == "meld":
            owner, _, number = where.rpartition(":")
            melds.setdefault(owner, []).append(f"{number}: {_pile_words(pile)}")
    lines = []
    for owner, each_meld in melds.items():
        lines.append(t("melds of {who}", who=called.get(owner, owner)) if owner else t("melds"))
        lines += [f"  {line}" for line in _wrapped(each_meld, page - 2)]
    others = [p for p in rest if not p.name.startswith("meld:")]
    if only:
        others = [
            p for p in others if p.name.partition(":")[0] in only
            and any(item(card).card != UNKNOWN for card in p.cards)
        ]
    game = find_game(frame.game)
    return lines + _wrapped([f"{_pile_head(p, called, game)}: {_pile_words(p)}" for p in others], page)


def kept_in_mind(frame: Frame, called: Mapping[str, str], page: int) -> list[str]:
    """Facts of the current hand that players must remember, a line each: `checki: Ann 5♥, Ben 6♠`. Stakes share one
    line; against a bank that line has all other facts."""
    if frame.phase in ("between", "over"):
        return []
    game = find_game(frame.game)
    told = {
        key: one_plain_line(with_player_names(in_language(headline_words(value), game.key), called))
        for key, value in frame.headline.items() if value not in ("", {}, None)
    }
    own = [key for key in game.display.reminders if told.get(key)]
    staked = [
        f"{in_language(key, game.key)} {said}" for key, said in told.items()
        if key not in own and (key in STAKED or game.family == "bank")
    ]
    lines = [line for key in own for line in wrapped(f"{in_language(key, game.key)}: {told[key]}", page)]
    return [*lines, *(wrapped(", ".join(staked), page) if staked else ())]


def _pile_head(pile: PileView, called: Mapping[str, str], game: Game) -> str:
    """The name of a pile: `stock`, `won by Ann`, `reserve of Ben`, `pozzetto 1`, `bundle of Cleo`."""
    stem, colon, _ = pile.name.partition(":")
    if colon and (pile.label in GLYPHS.values() or pile.label.startswith(WORDS.get(stem, stem))):
        said = pile_spoken(pile.name, {}, game)
        return with_player_names(said.removeprefix("the ").removeprefix("cards "), called)
    label = in_language(pile.label, game.key)
    return t("{what} of {who}", what=label, who=called.get(pile.owner, pile.owner)) if pile.owner else label


def _called(seat: str, names: Mapping[str, str]) -> str:
    name = names.get(seat, "")
    return f"{seat} {name}" if name and name != seat else seat


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
    lines = [shortened(_label(seat, frame, names), columns - 1 - len(dealer)) + dealer]
    in_hands = any(pile.holding and (pile.count or pile.vague) for pile in frame.piles)
    for pile in frame.piles:
        if pile.holding and pile.owner == seat:
            words = by_suit(pile.cards) or ([t("no cards")] if pile.name == seat and in_hands else [])
            lead = "  " if pile.name == seat else f"  {pile.name} "
            lines += textwrap.wrap(" ".join(words), columns, initial_indent=lead, subsequent_indent="  ")
    return lines


def _around(frame: Frame, names: Mapping[str, str], page: int) -> list[str]:
    """Four seats: the first at the top, then clockwise."""
    third = page // 3
    top, right, bottom, left = frame.seats
    plays = _plays(frame)
    laid = dict(plays)
    centre = [laid.get(top, ""), f"{laid.get(left, ''):<5}   {laid.get(right, ''):>5}", laid.get(bottom, "")]
    if "" in laid or len(laid) < len(frame.trick):
        # This is not a trick with one card each, so the cards are listed in order.
        centre = textwrap.wrap(", ".join(f"{seat} {cards}".strip() for seat, cards in plays), third - 2)
    west, east = _block(left, frame, names, third), _block(right, frame, names, third)
    rows = max(len(west), len(east), len(centre))
    out = [" " * third + line for line in _block(top, frame, names, min(third + 20, page - third))]
    for i in range(rows):
        a, b, c = (col[i] if i < len(col) else "" for col in (west, centre, east))
        out.append(a + " " * (third - text_columns(a)) + b.center(third) + c)
    return out + [" " * third + line for line in _block(bottom, frame, names, min(third + 20, page - third))]


def _listed(frame: Frame, names: Mapping[str, str], page: int) -> list[str]:
    """Any number of seats, one below the other, and the cards in the middle."""
    lines = [line for seat in frame.seats for line in _block(seat, frame, names, page - 2)]
    if frame.trick and not any(card.seat for card in frame.trick):
        rows = cards_in_rows([card.card for card in frame.trick], page - 4)
        lines += ["", f"  {t('on the table')}", *(f"  {row}" for row in rows)]
    elif frame.trick:
        laid = [f"{names.get(seat, seat)} {cards}".strip() for seat, cards in _plays(frame)]
        middle = t("middle: {cards}", cards="  ".join(laid))
        lines += textwrap.wrap(middle, page - 2, initial_indent="  ", subsequent_indent="    ")
    return lines


def _plays(frame: Frame) -> list[tuple[str, str]]:
    """The cards in the middle, play by play: the seat ("" on a board), and the cards it played together."""
    return [
        (seat, " ".join(pretty(c.card) for c in cards)) for seat, cards in groupby(frame.trick, key=lambda c: c.seat)
    ]


def _pile_words(pile: PileView) -> str:
    if pile.seen_by == "top" and pile.place == "won" and item(pile.cards[-1]).card != UNKNOWN:
        count = t("at least {n}", n=pile.count) if pile.vague else pile.count
        return t("{n} cards, on top {cards}", n=count, cards=pretty(pile.cards[-1]))
    if pile.seen_by == "nobody" or all(item(c).card == UNKNOWN for c in pile.cards):
        return t("at least {n}", n=pile.count) if pile.vague else str(pile.count)
    if len(pile.cards) <= 12:
        return " ".join(pretty(c) for c in pile.cards)
    return t("{n} cards, on top {cards}", n=pile.count, cards=pretty(pile.cards[-1]))


def _wrapped(words: list[str], page: int) -> list[str]:
    """Words on lines, unbroken, three spaces apart."""
    lines: list[str] = []
    for word in words:
        if lines and text_columns(lines[-1]) + 3 + text_columns(word) <= page:
            lines[-1] += "   " + word
        else:
            lines += wrapped(word, page)
    return lines
