"""One finding on one page, for an arbiter: the question, the table just before, the proof with only the hands it
needs.

Then the rule, the three scores, the ruling to fill in, and lines to sign on. All players are named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.cards import item, pretty, pretty_all
from events.model import Event, Hand
from events.name_lists import one_of
from reducers.legal import begins_unwritten
from reducers.model import State
from reducers.scoring import figure, signed
from reducers.sheet import Block, Cell, Head, SheetRow
from replay.auditing.audit_shapes import Audited, ReconstructedDeal
from replay.auditing.proof import WalkingOnlooker
from replay.judging.findings import where_it_is
from replay.log import NumberedEvent
from replay.paper.remarks import for_players
from replay.paper.sheet import WAYS
from replay.plain_text import contract_told, one_plain_line, text_columns
from replay.scoring.outcomes import figures_span
from replay.scoring.score_shapes import ScoredHand, Way
from replay.table.frame import Frame, frame
from replay.table.layout import layouts_in_rows
from replay.table.picture import piles_beside

RULINGS = ("the hand stands", "the score is adjusted", "the hand is void", "other:")
"""The options for an arbiter."""
_MOST_LINKS, _MOST_LEGAL = 8, 12
_PAGE = 62


class SeatPanel(Struct, frozen=True):
    """A player at the table just before the act: the name, remarks, the number of cards in hand, the cards played."""

    name: str
    said: str
    cards: str
    laid: str = ""


class FindingPage(Struct, frozen=True):
    """The page of one finding. `proof` are its links by event, `held` the cards that it shows of one hand.

    `layout` is drawn in lines, if there is one on the table; `beside` are the piles around it.
    """

    number: int
    title: str
    sentence: str
    seats: tuple[SeatPanel, ...]
    layout: tuple[str, ...]
    beside: tuple[str, ...]
    before: str
    proof: tuple[tuple[str, str], ...]
    because: tuple[str, ...]
    known: str
    legal: str
    held: tuple[tuple[str, str], ...]
    rule: str
    source: str
    scores: Block | None
    ruled: bool
    heard: tuple[str, ...]


class JustBefore(WalkingOnlooker):
    """Keeps the public table just before the acts in question (a `WalkingOnlooker`); `steps` has the step of each
    position."""

    def __init__(self, wanted: Iterable[int], steps: Mapping[int, int]) -> None:
        self.wanted: dict[int, list[int]] = {}
        for n in wanted:
            self.wanted.setdefault(steps.get(n, 0), []).append(n)
        self.frames: dict[int, Frame] = {}

    def look(self, step: int, placed: NumberedEvent, event: Event, state: State[Any]) -> None:
        """Draw the table before an event in question."""
        if step in self.wanted:
            # A late act of a scored hand belongs to it, so the standing before that hand is shown.
            begins = type(event) is Hand or begins_unwritten(event, state)
            before = state.standing if begins or not state.number else state.before
            self.frames |= dict.fromkeys(self.wanted[step], replace(frame(state, "public"), scores=dict(before.totals)))


class Pages:
    """Makes the pages of a hand. `called` are the names of players, `asked` the disputed acts, each with the
    disputing players."""

    def __init__(
        self, called: Mapping[str, str], frames: Mapping[int, Frame], dealt: ReconstructedDeal | None,
        score: ScoredHand | None, asked: Mapping[int, Sequence[str]], sides: Mapping[str, Sequence[str]],
    ) -> None:  # fmt: skip
        self.called, self.frames, self.dealt, self.score, self.asked, self.sides = (
            called, frames, dealt, score, asked, sides
        )

    def say(self, text: str) -> str:
        """A sentence with the players' names."""
        return one_plain_line(for_players(text, self.called))

    def name(self, who: str) -> str:
        """The name of a seat or side."""
        return "the table" if who in ("", "@") else self.called.get(who, who)

    def page(self, f: Audited, number: int) -> FindingPage:
        """The page of one finding."""
        seen = self.frames.get(f.at.pos)
        asked = self.asked.get(f.at.pos, ())
        claimed = f"Disputed by {', '.join(map(self.name, asked))}" if asked else "Nobody at the table claimed it"
        title = f"{self.name(f.by)}: {f.short}" if f.by and f.by != "@" else f.short or f.rule
        links = tuple((str(link.pos), self.say(link.text)) for link in f.chain[:_MOST_LINKS])
        legal = ", ".join(map(self.say, f.legal[:_MOST_LEGAL])) + (
            ", …" if len(f.legal) > _MOST_LEGAL else "" if f.complete else " (perhaps others)"
        )
        opposite = [self.name(side) for side, seats in self.sides.items() if f.by not in (side, *seats)]
        return FindingPage(
            number, one_plain_line(title), f"{where_it_is(f.at, f.trick).capitalize()}: {self.say(f.says)}. {claimed}.",
            tuple(self.seats(seen)) if seen is not None else (), tuple(self.layout(seen)) if seen is not None else (),
            tuple(self.beside(seen)) if seen is not None else (), self.before(seen), links,
            tuple(map(self.say, f.because)), self.say(f.knew), legal if f.legal else "", tuple(self.held(f)),
            one_plain_line(f.sentence), ", ".join(text for text in (f.heading, f.rule, self.say(f.cost)) if text),
            self.scores(), self.ruled, (self.name(f.by), one_of(opposite) if len(opposite) < 3 else "the others"),
        )  # fmt: skip

    # -- the table just before ----------------------------------------------------------------------------------------

    def seats(self, seen: Frame) -> Iterator[SeatPanel]:
        """The players, the turn, and the number of cards each holds, but no hidden cards."""
        for seat in seen.seats:
            said = [text for text, there in (("to play", seat in seen.turn), ("dealt", seat == seen.dealer)) if there]
            if seen.trick and seen.trick[0].seat == seat:
                said.append("led")
            count = sum(p.count for p in seen.piles if p.holding and p.owner == seat)
            laid = " ".join(pretty(item(c.card).card) for c in seen.trick if c.seat == seat)
            yield SeatPanel(self.name(seat), ", ".join(said), f"{count} card{'s' * (count != 1)}", laid)

    def layout(self, seen: Frame) -> list[str]:
        """The layouts on the table, their columns numbered from 1."""
        # Only the recorder needs the notation of columns.
        return [
            re.sub(r"\b(\w+):[A-Z]{1,2} (?=\w)", r"\1 ", re.sub(r" >\d+(?:–\d+)?", "", line)).rstrip()
            for line in layouts_in_rows(seen.piles, _PAGE, self.called)
        ]

    def beside(self, seen: Frame) -> list[str]:
        """The other public piles."""
        open_ones = [pretty(item(c.card).card) for c in seen.trick if not c.seat]
        board = [f"on the table: {' '.join(open_ones)}"] if open_ones else []
        lines = [
            part for line in piles_beside(seen, self.called, 10 * _PAGE) for part in re.split(r" {2,}", line.strip())
        ]
        return board + [self.say(line) for line in lines]

    def before(self, seen: Frame | None) -> str:
        """The contract, and the standing before the hand."""
        if seen is None:
            return ""
        told = self.say(contract_told(seen.contract))
        totals = ", ".join(f"{self.name(who)} {figure(n)}" for who, n in seen.scores.items())
        return ". ".join(
            text for text in (told[:1].upper() + told[1:], f"Before the hand {totals}" if totals else "") if text
        ) + "."

    # -- what proves it -----------------------------------------------------------------------------------------------

    def held(self, f: Audited) -> Iterator[tuple[str, str]]:
        """The cards that the proof names: their holder, and where they were seen."""
        holder = f.holder or f.by
        cards = [c for c in f.cards if c and "?" not in c]
        if not cards or not self.called.get(holder):
            return
        seen = [
            c for p in (self.dealt.packets if self.dealt else ()) if p.pile in (holder, f"hand:{holder}")
            for c in p.cards if c.card in cards
        ]
        where = ", ".join(dict.fromkeys(f"{pretty(c.card)} at {c.at}" for c in seen if c.at))
        yield self.name(holder), pretty_all(tuple(cards)) + (f" (seen: {where})" if where else "")

    # -- the scores ---------------------------------------------------------------------------------------------------

    @property
    def ruled(self) -> bool:
        """True if a ruling changed the score."""
        return self.score is not None and "ruled" in self.score.ways

    def scores(self) -> Block | None:
        """The hand and the match as played, by the rules and as ruled, with blanks for a missing ruling."""
        score = self.score
        if score is None or not score.points:
            return None
        played = Way(score.points, score.totals, score.possible, score.possible_totals)
        ways = {
            "played": played, "rules": score.ways.get("rules", played),
        } | ({"ruled": score.ways["ruled"]} if self.ruled else {})
        rows = []
        for key, label in WAYS.items():
            way = ways.get(key)
            cells = [
                cell for who in score.points
                for cell in (_cells(way, who) if way is not None else (Cell("____"), Cell("____")))
            ]
            why = "; ".join(way.why) if way is not None else "not ruled yet"
            same = key == "rules" and way is not None and (way.points, way.totals) == (played.points, played.totals)
            rows.append(SheetRow((Cell(label), *cells, Cell(self.say(why) or ("the same" if same else "")))))
        heads = ("", *(head for who in score.points for head in (self.name(who), "in all")), "")
        return Block("The score, three ways", heads, tuple(rows))


def _cells(way: Way, who: str) -> tuple[Cell, Cell]:
    hand = figures_span(way.possible[who]) if who in way.possible else signed(way.points.get(who))
    total = figures_span(way.possible_totals[who]) if who in way.possible_totals else figure(way.totals.get(who))
    return Cell(hand), Cell(total, mark="total")


# -- as HTML and Markdown


def told_before(f: FindingPage) -> Iterator[str]:
    """The table just before, in lines of text."""
    for s in f.seats:
        laid = f": {s.laid}" if s.laid else ""
        yield f"{s.name}{f' ({s.said})' if s.said else ''}, {s.cards}{laid}"


def wide_layout(f: FindingPage) -> bool:
    """True if the layout needs the whole width of the page."""
    return max(map(text_columns, f.layout), default=0) > 44


__all__ = ["FindingPage", "Head", "JustBefore", "Pages", "RULINGS", "SeatPanel", "told_before", "wide_layout"]
