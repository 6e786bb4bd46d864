"""What was dealt unseen and came to light later, read as if it had been seen in the deal: a stock from which cards are played, what
lies below in columns, and hands of which some cards are never played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from events.cards import UNKNOWN, how_many, one_by_one
from events.model import Deal, Event, Play, Show
from reducers.evolve import each_pile
from reducers.model import Game
from replay.judging.opened_deals import PLAIN, PLAIN_OR_SHOWN, HandOfLines, Line


def turned_later(game: Game, events: Sequence[Line], hands: Sequence[HandOfLines]) -> dict[int, Line]:
    """The deals with the cards in their places that came to light later, by step, of those hands of which nothing else comes to light."""
    if game.pack_goes_on:
        return {}
    if game.dealt_only:
        return hands_as_played(events, hands)
    return stocks_as_turned(events, hands) | columns_as_turned(events, hands)


def stocks_as_turned(events: Sequence[Line], hands: Iterable[HandOfLines]) -> dict[int, Line]:
    """The deals of a stock that lies unseen, with the cards in their places that were played from it later, by the step of the deal.

    A hand of these has nothing but its deals, cards played one by one from the top of the stock, and words. So each card lay
    as deep as it came late, and nothing else of the hand can come to light.
    """
    out: dict[int, Line] = {}
    for first, last, kinds in hands:
        if Deal in kinds and Play in kinds and PLAIN.issuperset(kinds):
            at = first + last_in(kinds, Deal)
            deal: Event = events[at].event
            turned: list[str] = _turned(events, at + 1, last)
            if not turned or type(deal) is not Deal or deal.src or [name for name, _ in deal.piles] != ["stock"]:
                continue
            cards = deal.piles[0][1]
            under = (how_many(cards) or 0) - len(turned)
            if under >= 0 and set(one_by_one(cards)) == {UNKNOWN}:
                cards = (f"{under}x{UNKNOWN}" if under > 1 else UNKNOWN, *reversed(turned)) if under else tuple(reversed(turned))
                out[at + 1] = replace(events[at], event=replace(deal, piles=(("stock", cards),)))
    return out


def last_in(kinds: Sequence[type[Event]], kind: type[Event]) -> int:
    """Where the last event of this kind stands.

    >>> last_in([Deal, Play, Deal, Play], Deal)
    2
    """
    return len(kinds) - 1 - kinds[::-1].index(kind)


def _turned(events: Sequence[Line], first: int, last: int) -> list[str]:
    """The cards that were played between these places, if each was seen and came alone from the stock; else none."""
    cards: list[str] = []
    for placed in events[first:last]:
        event = placed.event
        if type(event) is Play:
            if event.src != "stock" or len(event.cards) != 1 or not plain(event.cards[0]):
                return []
            cards.append(event.cards[0])
    return cards


def hands_as_played(events: Sequence[Line], hands: Iterable[HandOfLines]) -> dict[int, Line]:
    """The deals of hands with the cards in their places that were played from them, by step, where no card comes to a hand but by the deal.

    A hand of these has nothing but its deals, cards played one by one from the holdings, and words. What was not played stays unseen.
    """
    out: dict[int, Line] = {}
    for first, last, kinds in hands:
        if Deal not in kinds or Play not in kinds or not PLAIN.issuperset(kinds) or Deal in kinds[kinds.index(Play) :]:
            continue
        lead = first + kinds.index(Play)
        played = played_from_hands([r.event for r in events[lead:last]])
        dealt = [(at, event) for at in range(first, lead) if type(event := events[at].event) is Deal]
        for at, deal in _dealt_as_played(dealt, played) if played else ():
            out[at + 1] = replace(events[at], event=deal)
    return out


def played_from_hands(events: Iterable[Event]) -> dict[str, list[str]]:
    """The cards that were played, by holding, if each was seen and came alone from the hand; else none."""
    played: dict[str, list[str]] = {}
    for event in events:
        if type(event) is Play:
            if event.src or len(event.cards) != 1 or not plain(event.cards[0]):
                return {}
            played.setdefault(f"hand:{event.by}", []).append(event.cards[0])
    return played


def _dealt_as_played(deals: Iterable[tuple[int, Deal]], played: Mapping[str, Sequence[str]]) -> list[tuple[int, Deal]]:
    """The deals of hands that were not seen with the cards that were played, by place; none if these cannot all have been dealt."""
    out: list[tuple[int, Deal]] = []
    dealt: set[str] = set()
    for at, deal in deals:
        if not any(name.startswith("hand:") for name, _ in deal.piles):
            continue
        piles = []
        for name, written in deal.piles:
            if name in dealt or not name.startswith("hand:"):
                return []
            dealt.add(name)
            cards, came = one_by_one(written), played.get(name, ())
            unseen = cards.count(UNKNOWN)
            if unseen < len(cards):
                came = [card for card in came if card not in cards]
                if any(not plain(card) for card in cards if card != UNKNOWN):
                    return []
            if len(came) > unseen or how_many(written) != len(cards):
                return []
            piles.append((name, (*[card for card in cards if card != UNKNOWN], *came, *[UNKNOWN] * (unseen - len(came)))))
        out.append((at, replace(deal, piles=tuple(piles))))
    return out if dealt.issuperset(played) else []


def columns_as_turned(events: Sequence[Line], hands: Iterable[HandOfLines]) -> dict[int, Line]:
    """The deals of columns and of a few cards in hand, with the cards in their places that were turned up or played later, by step.

    A hand of these has nothing but its deals, cards played one by one, cards of columns turned up once nothing lies on them any more,
    and words. A card that was played and lay open nowhere was in the hand, as long as each column is turned up at once.
    """
    out: dict[int, Line] = {}
    for first, last, kinds in hands:
        if Deal not in kinds or Play not in kinds or not PLAIN_OR_SHOWN.issuperset(kinds):
            continue
        lead = first + kinds.index(Play)
        dealt = [(at, event) for at in range(first, last) if type(event := events[at].event) is Deal]
        if dealt[-1][0] > lead or Show in kinds[: lead - first] or not any(name.startswith("col:") for _, deal in dealt for name, _ in deal.piles):
            continue
        laid = _as_dealt([deal for _, deal in dealt])
        if laid is not None and laid.play([r.event for r in events[lead:last]]):
            for at, deal in dealt:
                out[at + 1] = replace(events[at], event=laid.written(deal))
    return out


class Columns(Struct):
    """Columns and hands as they were dealt, and what came to light of them: the unseen cards `under` others, by column, empty as long as they
    are not turned up; where each card that lies `open` lies; what is known of the hands, how many cards of each were unseen, and which
    were played out of these."""

    under: dict[str, str] = {}
    open: dict[str, str] = {}
    known: dict[str, set[str]] = {}
    unseen: dict[str, int] = {}
    played: dict[str, list[str]] = {}

    def play(self, events: Iterable[Event]) -> bool:
        """Note what was played and turned up; whether each card can be placed."""
        uncovered = ""
        for event in events:
            if type(event) is Play:
                card, seat = event.cards[0], event.by
                # Nobody wrote what lay below the last card: it may be played as one of those in hand.
                if uncovered or event.src or len(event.cards) != 1 or not plain(card):
                    return False
                column = self.open.pop(card, "")
                if column:
                    if column.split(":")[1] != seat:
                        return False
                    uncovered = column if self.under.get(column) == "" else ""
                elif card in self.known.get(seat, ()):
                    self.known[seat].remove(card)
                else:
                    self.played.setdefault(seat, []).append(card)
                    if len(self.played[seat]) > self.unseen.get(seat, 0):
                        return False
            elif type(event) is Show:
                if not uncovered or event.src != uncovered or event.by != uncovered.split(":")[1] or len(event.groups) != 1:
                    return False
                (cards,) = event.groups
                if len(cards) != 1 or not plain(cards[0]):
                    return False
                self.under[uncovered] = cards[0]
                self.open[cards[0]] = uncovered
                uncovered = ""
        return True

    def written(self, deal: Deal) -> Deal:
        """A deal with the unseen cards in their places that came to light."""
        piles = []
        for name, cards in deal.piles:
            if name.startswith("col:"):
                came: Mapping[str, str] = self.under if deal.face == "down" else {}
                cards = tuple([came.get(one) or card for one, card in zip(each_pile(name), one_by_one(cards), strict=True)])
            else:
                left = iter(self.played.get(name.removeprefix("hand:"), ()))
                cards = tuple([next(left, UNKNOWN) if card == UNKNOWN else card for card in one_by_one(cards)])
            piles.append((name, cards))
        return replace(deal, piles=tuple(piles))


def _as_dealt(deals: Iterable[Deal]) -> Columns | None:
    """Columns of a card face down and one face up, and hands, each dealt at once; None if they were dealt otherwise."""
    out, done = Columns(), set[tuple[str, bool]]()
    for deal in deals:
        for name, written in deal.piles:
            cards = one_by_one(written)
            this = (name, deal.face == "down")
            if deal.src or this in done or any("?" in card and card != UNKNOWN for card in written if "x" not in card) or how_many(written) is None:
                return None
            done.add(this)
            if name.startswith("hand:"):
                seat = name.removeprefix("hand:")
                out.known[seat] = {card for card in cards if card != UNKNOWN}
                out.unseen[seat] = cards.count(UNKNOWN)
                continue
            columns = each_pile(name)
            if not name.startswith("col:") or len(columns) != len(cards) or (deal.face == "down") != all(card == UNKNOWN for card in cards):
                return None
            for column, card in zip(columns, cards, strict=True):
                if deal.face == "down":
                    out.under[column] = ""
                elif card == UNKNOWN or column in out.open.values():
                    return None
                else:
                    out.open[card] = column
    return out


def plain(card: str) -> bool:
    """Whether this is a card that was wholly seen.

    >>> plain("7h"), plain("7?"), plain("??"), plain("2x7h")
    (True, False, False, False)
    """
    return len(card) == 2 and card.isalnum()
