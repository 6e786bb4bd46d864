"""One hand of a report: its reconstructed deal, and the plays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from events import model as ev
from events.cards import GLYPHS, pretty, pretty_all, suit_of
from events.model import Event
from events.name_lists import one_of
from reducers.model import Game, State
from reducers.pile_words import pile_in_words
from reducers.piles import called_otherwise
from reducers.sheet import Block, Cell, SheetRow
from reducers.terms import Terms
from replay.auditing.audit_shapes import Packet, ReconstructedDeal
from replay.auditing.proof import HindsightReplay, tricks_of
from replay.log import NumberedEvent
from replay.paper.report_page import PagePart
from replay.plain_text import player_names, with_player_names
from replay.table.event_sentences import Telling
from replay.table.shorthand import spoken_act
from replay.table.wording import describe_event

MOST_PILES = 9
"""A table of deals with more piles than this has a row for each, to fit the page."""
Mark = Literal["", "total", "crossed", "claimed", "wrong", "unknown", "won"]


# -- the deal ----------------------------------------------------------------------------------------------------------


def deal_part(dealt: ReconstructedDeal | None, terms: Terms, game: Game) -> PagePart | None:
    """The deal, with signs for certain, inferred and unknown cards; None if nothing was dealt."""
    if dealt is None:
        return None
    hows = {c.how for p in dealt.packets for c in p.cards}
    signs = [
        "plain: certain, seen in the deal or later" if hows != {"certain"}
        else "every card was seen, in the deal or later"
    ]
    signs += ["[in brackets]: inferred, as the rest of the pack leaves no other card"] if "inferred" in hows else []
    signs += ["?? unknown"] if "unknown" in hows else []
    piles = [p.pile for p in dealt.packets]
    block = _packets(dealt, terms, game) if len(set(piles)) < len(piles) else _suits(dealt, terms, game)
    every = "every card is known" if dealt.complete else "as far as it can be known"
    return PagePart(f"The deal, as reconstructed: {every}", block, legend=" · ".join(signs), kind="deal")


def _suits(dealt: ReconstructedDeal, terms: Terms, game: Game) -> Block:
    """One row per hand, one column per suit."""
    jokers = any(c.card[:2] == "Jo" for p in dealt.packets for c in p.cards)
    unknown = any(c.how == "unknown" for p in dealt.packets for c in p.cards)
    columns = ["", *(GLYPHS[s] for s in "shdc"), *["joker"] * jokers, *["not known"] * unknown]
    rows = []
    for packet in dealt.packets:
        cells = [Cell(_pile(packet.pile, terms, game))]
        cells += [
            Cell(
                " ".join(
                    _shown(c.card, c.how, rank=True) for c in packet.cards if c.card != "??" and suit_of(c.card) == suit
                )
                or "–"
            )
            for suit in "shdc"
        ]
        if jokers:
            cells.append(Cell(" ".join(_shown(c.card, c.how) for c in packet.cards if c.card[:2] == "Jo") or "–"))
        if unknown:
            cells.append(Cell(_unknown(packet) or "–"))
        rows.append(SheetRow(tuple(cells)))
    around = len(terms.seats) == 4 and [p.pile for p in dealt.packets[:4]] == list(terms.seats)
    return Block("The deal", tuple(columns), tuple(rows), form="compass" if around else "cards")


def _packets(dealt: ReconstructedDeal, terms: Terms, game: Game) -> Block:
    """One row per deal, one column per pile, for games that deal several times; with many piles one row per pile."""
    piles = list(dict.fromkeys(p.pile for p in dealt.packets))
    rows = []
    for at in dict.fromkeys(p.at for p in dealt.packets):
        cells = [Cell(f"at {at}")]
        for pile in piles:
            there = next((p for p in dealt.packets if p.at == at and p.pile == pile), None)
            cards = [_shown(c.card, c.how) for c in there.cards if c.card != "??"] if there is not None else []
            cells.append(
                Cell(" ".join([*cards, *([_unknown(there)] if there is not None and _unknown(there) else [])]) or "–")
            )
        rows.append(cells)
    heads = [Cell("deal"), *(Cell(_pile(p, terms, game)) for p in piles)]
    if len(piles) > MOST_PILES:
        heads, *rows = (list(row) for row in zip(heads, *rows, strict=True))
    return Block("The deal", tuple(cell.text for cell in heads), tuple(SheetRow(tuple(cells)) for cells in rows))


def _pile(pile: str, terms: Terms, game: Game) -> str:
    """The owner of a packet, or the name of the pile."""
    if pile in terms.seats:
        return terms.name(pile)
    words = pile_in_words(pile, called_otherwise(game.display.piles))
    return with_player_names(words, player_names(terms.sides, terms.names)).removeprefix("the ")


def _shown(card: str, how: str, *, rank: bool = False) -> str:
    """A card of the deal; an inferred one in brackets."""
    text = pretty(card)
    text = text[:-1] if rank and text[-1] in GLYPHS.values() else text
    return f"[{text}]" if how == "inferred" else text


def _unknown(packet: Packet) -> str:
    """The number of unknown cards in a packet, and their possible faces."""
    n = sum(c.how == "unknown" for c in packet.cards)
    if not n:
        return "not counted" if packet.vague else ""
    of = f" of {pretty_all(packet.may_be)}" if 0 < len(packet.may_be) <= 12 else ""
    return f"{n} × ??{of}"


# -- the plays ---------------------------------------------------------------------------------------------------------


class _Round(Struct):
    """A row of the table of plays under construction: cells by seat, positions, and the trick it became."""

    cells: dict[str, list[tuple[int, str]]]
    lead: str = ""
    trick: tuple[Any, int] | None = None


class _Act(Struct, frozen=True):
    """An act of the hand, with the number of tricks won before it, and True if cards are played in that phase."""

    placed: NumberedEvent
    event: Event
    won: int
    playing: bool


class _Rows:
    """The table of plays under construction: the rows that are `done`, and the current one."""

    def __init__(self) -> None:
        self.done: list[_Round] = []
        self.now = _Round({})
        self.tricks = False

    def finish(self) -> None:
        """Finish the current row and begin the next."""
        if self.now.cells:
            self.done.append(self.now)
        self.now = _Round({})

    def around_the_table(self, act: _Act, words: str, seats: Sequence[str]) -> None:
        """A row is one round of the table: the next begins when a seat acts again, or it is the first seat's turn."""
        now, by = self.now, act.event.by
        somebody = any(s in now.cells for s in seats)
        if by in now.cells or (somebody and by == now.lead):
            self.finish()
        self._add(act, words, lead=True)

    def in_a_trick(self, act: _Act, words: str, keeper: Any) -> None:
        """A row is a trick, finished when the trick is won, even if only the next lead shows that."""
        self.tricks = True
        grew, left = len(keeper.won) > act.won, bool(keeper.plays)
        if grew and left and self.now.cells:
            self._won(keeper)
        self._add(act, words, lead=isinstance(act.event, ev.Play))
        if grew and not left:
            self._won(keeper)

    def _won(self, keeper: Any) -> None:
        self.now.trick = (keeper, len(keeper.won) - 1)
        self.finish()

    def _add(self, act: _Act, words: str, *, lead: bool) -> None:
        if lead:
            self.now.lead = self.now.lead or act.event.by
        self.now.cells.setdefault(act.event.by, []).append((act.placed.n, words))


class PlaysTable:
    """The plays of a hand in rows, a trick or a round in each, collected during a walk over the log (a
    `WalkingOnlooker`)."""

    def __init__(self, memory: HindsightReplay, hand: int, terms: Terms) -> None:
        self.memory, self.hand, self.terms = memory, hand, terms
        self.called, self.game = player_names(terms.sides, terms.names), memory.game
        self.rows = _Rows()
        # The last act, which is added when the state after it is known; and the texts beside the rows, with their
        # positions.
        self.previous: _Act | None = None
        self.before: list[tuple[int, str]] = []
        self.said: list[tuple[int, str]] = []
        self.signs: Mapping[int, Sequence[str]] = {}

    def look(self, step: int, placed: NumberedEvent, event: Event, state: State[Any]) -> None:
        """Before an event, add the previous one to its row."""
        self.look_back(state)
        self.previous = None
        if self.memory.hand_at[step - 1] == self.hand:
            keeper = tricks_of(state.hand) if state.number == self.hand else None
            phase = state.game.phases.get(state.phase)
            playing = state.number == self.hand and phase is not None and ev.Play in phase.acts
            self.previous = _Act(placed, event, len(keeper.won) if keeper is not None else 0, playing)

    def look_back(self, state: State[Any]) -> None:
        """Add the last act to its row; `state` is the one after it."""
        if self.previous is not None:
            self._into(self.previous, state)

    def part(self, signs: Mapping[int, Sequence[str]]) -> PagePart | None:
        """The table of plays, with speech and other acts below it; None if there are none.

        `signs` has the numbers of findings, by position.
        """
        self.signs = signs
        self.rows.finish()
        rounds, tricks = self.rows.done, self.rows.tricks
        said = (" · ".join(text + self._signs(n) for n, text in self.said),) if self.said else ()
        before = tuple(text + self._signs(n) for n, text in self.before)
        if not rounds:
            return PagePart("What happened", items=(*said, *before), kind="plays") if said or before else None
        seats = [s for s in self.terms.seats if any(s in r.cells for r in rounds)]
        seats += [s for r in rounds for s in r.cells if s not in seats]
        seats = list(dict.fromkeys(seats))
        columns = ["trick" if tricks else "round", "events", *seats, *["taken by"] * tricks]
        rows = []
        for number, one in enumerate(rounds, 1):
            positions = [n for cell in one.cells.values() for n, _ in cell]
            where = f"{min(positions)}–{max(positions)}" if len(positions) > 1 else f"{positions[0]}"
            winners: tuple[str, ...] = ()
            taker = ""
            if one.trick is not None:
                won = one.trick[0].won[one.trick[1]]
                winners = won.winners
                taker = one_of(winners) + (" (inferred)" if won.inferred else "")
                if won.gathered and won.gathered not in {self.terms.side_of.get(w) for w in winners}:
                    taker += f"; gathered by {won.gathered}"
            cells = [Cell(str(number)), Cell(where), *(self._cell(one, seat, winners, tricks) for seat in seats)]
            rows.append(SheetRow((*cells, *[Cell(taker)] * tricks)))
        legend = self._legend(rounds, tricks)
        block = Block("What was played", tuple(columns), tuple(rows))
        return PagePart("What was played", block, items=(*said, *before), legend=legend, kind="plays")

    def _cell(self, one: _Round, seat: str, winners: tuple[str, ...], tricks: bool) -> Cell:
        acts = one.cells.get(seat, [])
        if not acts:
            return Cell("")
        text = " ".join(t for _, t in acts)
        signs = [s for n, _ in acts for s in self.signs.get(n, ())]
        if tricks and seat == one.lead:
            text = f"› {text}"
        mark: Mark = "wrong" if any(s.startswith("✗") for s in signs) else "won" if winners == (seat,) else ""
        if signs:
            text += " " + " ".join(signs)
        return Cell(text, mark=mark)

    def _legend(self, rounds: list[_Round], tricks: bool) -> str:
        texts = " ".join(t for r in rounds for cell in r.cells.values() for _, t in cell)
        shown = [s for r in rounds for cell in r.cells.values() for n, _ in cell for s in self.signs.get(n, ())]
        out = ["› led", "bold: took the trick"] if tricks else []
        out += ["[in brackets]: inferred, nobody saw it"] if "[" in texts else []
        out += ["?? nobody saw it"] if "??" in texts else []
        out += ["† corrected later"] if "†" in texts else []
        out += ["✗ broke a rule: finding of that number"] if any(s.startswith("✗") for s in shown) else []
        out += ["○ open: question of that number"] if any(s.startswith("○") for s in shown) else []
        return " · ".join(out)

    def _into(self, act: _Act, state: State[Any]) -> None:
        """Add an act to its row, or to the texts beside the table."""
        event = act.event
        in_play = act.playing and isinstance(event, ev.Discard | ev.Draw) and event.by in state.terms.seats
        if not isinstance(event, ev.Play | ev.Capture) and not in_play:
            self._beside(act.placed, event, state, told_in_order=bool(self.before) and tricks_of(state.hand) is None)
            return
        words = self._words(act.placed, event) + self._takes(act, state)
        keeper = tricks_of(state.hand)
        if keeper is None:
            self.rows.around_the_table(act, words, state.terms.seats)
        else:
            self.rows.in_a_trick(act, words, keeper)

    def _beside(self, placed: NumberedEvent, event: Event, state: State[Any], *, told_in_order: bool = False) -> None:
        """Add text beside the table: speech, and acts before the first card. With acts before it, and no tricks,
        speech is listed among them."""
        n = placed.n
        if isinstance(event, ev.Bid | ev.Pass | ev.Call | ev.Name | ev.Bet) and not told_in_order:
            self.said.append(
                (n, f"{with_player_names(describe_event(placed.event, self.game), self.called)}{self._dagger(placed)}")
            )
        elif isinstance(event, ev.Gap):
            self.before.append((0, f"{n}: some acts here were not recorded"))
        elif not isinstance(
            event,
            ev.Back | ev.Hand | ev.Deal | ev.Fault | ev.Claim | ev.Confirm | ev.Note | ev.Dispute | ev.Ruling | ev.End,
        ):
            text = (
                f"the result: {Telling(state).facts(event.facts)}" if isinstance(event, ev.Tally)
                else with_player_names(describe_event(placed.event, self.game), self.called)
            )
            self.before.append((n, f"{n}: {text}{self._dagger(placed)}"))

    def _signs(self, n: int) -> str:
        """The signs of a position, each after a space."""
        return "".join(f" {s}" for s in self.signs.get(n, ()))

    def _words(self, placed: NumberedEvent, event: Event) -> str:
        """An act in a cell: bare cards, an inferred one in brackets, a dagger if it was corrected."""
        found = self.memory.inferred.get(placed.n)
        plain = placed.event
        cards = " ".join(f"[{pretty(c)}]" for c in found) if found else pretty_all(getattr(plain, "cards", ()))
        match plain:
            case ev.Capture():
                text = f"{cards} takes {spoken_act(plain, self.game).partition(' takes ')[2]}"
            case ev.Play() if not plain.src or plain.src == "stock":
                text = cards
            case ev.Discard():
                text = f"({cards} turned up)" if plain.src == "stock" else f"throws {cards}"
            case _:
                text = describe_event(plain, self.game).partition(" ")[2]
        return text.replace("*x ??", "some ??") + self._dagger(placed)

    def _takes(self, act: _Act, state: State[Any]) -> str:
        """The cards that a play captured automatically, as in the answer line."""
        if state.game.family != "fishing" or not isinstance(act.placed.event, ev.Play):
            return ""
        here, state.at = state.at, act.placed.n
        latest = state.game.display.last_outcome_text(state)
        state.at = here
        return f", {latest.removeprefix(f'{act.event.by} ').partition(', new cards')[0]}" if latest.startswith(
            f"{act.event.by} takes "
        ) else ""

    @staticmethod
    def _dagger(placed: NumberedEvent) -> str:
        return "†" if placed.was or placed.at != placed.recorded.n or placed.n != placed.recorded.n else ""
