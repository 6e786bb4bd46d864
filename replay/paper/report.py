"""The dispute bundle: one hand on one page, for the arbiter and for a table that no longer agrees.

The deal as far as it can be reconstructed, what was played, what the rules make of it with the proof, what stays open,
what was claimed, what the table itself did about an irregularity, what was ruled, what the recorder corrected. These
last three are never mixed. Signs, not colour alone, tell apart what is certain, inferred and unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal

from msgspec import Struct

from events.cards import GLYPHS, pretty, pretty_all, suit_of
from events.errors import UsageError
from events.model import (
    Bet,
    Bid,
    Call,
    Capture,
    Claim,
    Confirm,
    Deal,
    Discard,
    Dispute,
    Draw,
    End,
    Event,
    Fault,
    Gap,
    Hand,
    Name,
    Note,
    Pass,
    Play,
    Recorded,
    Ruling,
    Tally,
)
from events.writing import write_event
from reducers.model import State
from reducers.scoring import figure, signed
from reducers.sheet import Block, Cell, Row
from replay.auditing.audit import audit_of
from replay.auditing.check import check
from replay.auditing.deal import deal_in
from replay.auditing.lines import one_cause
from replay.auditing.proof import HindsightReplay, tricks_of
from replay.auditing.results import Audit, Audited, Dealt, Packet
from replay.judging.correction import likewise
from replay.judging.findings import OF_THE_RECORD, Judgement, dated, one_or_another
from replay.log import NumberedEvent
from replay.paper.as_html import h, html_block, html_page, html_signed
from replay.paper.as_markdown import markdown_block, markdown_signed, md
from replay.scoring.as_played import folded
from replay.scoring.outcomes import question_text, span
from replay.scoring.results import Compared, Way
from replay.scoring.rulings import decisions, disputes
from replay.scoring.three_ways import three_ways
from replay.table.wording import describe_event, few

FORMATS = ("html", "md")
Mark = Literal["", "total", "crossed", "claimed", "wrong", "unknown", "won"]


class Entry(Struct, frozen=True):
    """A finding or a question on the page: its number, its head, and labelled lines."""

    sign: str
    title: str
    lines: tuple[tuple[str, str], ...]
    open: bool = False


class Part(Struct, frozen=True):
    """One part of the page: a table, entries, or plain items, in this order, and a legend below.

    `beside` says that it is small print, which may stand in a column.
    """

    heading: str
    block: Block | None = None
    entries: tuple[Entry, ...] = ()
    items: tuple[str, ...] = ()
    legend: str = ""
    kind: str = ""
    beside: bool = False


class Report(Struct, frozen=True):
    """The page as data: title, the answer in a sentence, facts, parts; `signed` as on a sheet."""

    title: str
    answer: str
    facts: tuple[tuple[str, str], ...]
    parts: tuple[Part, ...]
    signed: tuple[str, ...] = ()


def report(records: Iterable[Recorded], hand: int, *, derived: Iterable[tuple[int, str]] = ()) -> Report:
    """The report on one hand. Raises NotFoundError for a hand the log does not have, and like `replay.judging.judge.judge`."""
    log = list(records)
    memory, judgement = HindsightReplay(log), check(log, derived)
    return Reporter(memory, judgement, audit_of(memory, judgement, hand=hand), hand).report()


def render_report(made: Report, format: str) -> str:
    """The page as "html" or "md". Raises UsageError for any other format."""
    if format == "html":
        return _html(made)
    if format == "md":
        return _markdown(made)
    raise UsageError(f"there is no report as '{format}'", expected=f"one of {', '.join(FORMATS)}")


def only_hand(records: Iterable[Recorded]) -> int:
    """The hand of a log that has one. Raises UsageError for a log with none or several."""
    hands = sorted({n for n in HindsightReplay(list(records)).judge.hand_at if n})
    if len(hands) != 1:
        what = f"the match has {len(hands)} hands" if hands else "no hand was begun"
        raise UsageError(f"{what}; a report is about one", expected="--hand N", todo="Name the hand.")
    return hands[0]


# -- gathering --------------------------------------------------------------------------------------------------------


class _Round(Struct):
    """A row of the table of plays while it is gathered: cells by seat, positions, and the trick it became."""

    cells: dict[str, list[tuple[int, str]]]
    lead: str = ""
    trick: tuple[Any, int] | None = None


class _Act(Struct, frozen=True):
    """An act of the hand, with how many tricks were won before it, and whether it was in a part in which cards are played."""

    placed: NumberedEvent
    event: Event
    won: int
    playing: bool


class _Rows:
    """The table of plays while it grows: the rows that are `done`, and the one that is filled now."""

    def __init__(self) -> None:
        self.done: list[_Round] = []
        self.now = _Round({})
        self.tricks = False

    def finish(self) -> None:
        """The row that is filled now is done; the next one begins."""
        if self.now.cells:
            self.done.append(self.now)
        self.now = _Round({})

    def around_the_table(self, act: _Act, words: str, seats: Sequence[str]) -> None:
        """A row is once around the table: the next one begins when a seat acts again, or the first one's turn comes."""
        now, by = self.now, act.event.by
        somebody = any(s in now.cells for s in seats)
        if by in now.cells or (somebody and by == now.lead):
            self.finish()
        self._add(act, words, lead=True)

    def in_a_trick(self, act: _Act, words: str, keeper: Any) -> None:
        """A row is a trick: it is done when the trick is won, even if only the next lead shows that."""
        self.tricks = True
        grew, left = len(keeper.won) > act.won, bool(keeper.plays)
        if grew and left and self.now.cells:
            self._won(keeper)
        self._add(act, words, lead=isinstance(act.event, Play))
        if grew and not left:
            self._won(keeper)

    def _won(self, keeper: Any) -> None:
        self.now.trick = (keeper, len(keeper.won) - 1)
        self.finish()

    def _add(self, act: _Act, words: str, *, lead: bool) -> None:
        if lead:
            self.now.lead = self.now.lead or act.event.by
        self.now.cells.setdefault(act.event.by, []).append((act.placed.n, words))


class Reporter:
    """Puts one page together."""

    def __init__(self, memory: HindsightReplay, judgement: Judgement, audit: Audit, hand: int) -> None:
        self.memory, self.state, self.audit, self.hand = memory, judgement.state, audit, hand
        self.view = memory.view
        self.numbers = {p.n for p, n in zip(self.view.events, memory.judge.hand_at, strict=False) if n == hand}
        self.numbers |= {p.n for p in self.view.struck if self._near(p.n)}
        self.match = three_ways(folded(memory.log), judgement)
        self.score = next((s for s in self.match.hands if s.number == hand), None)
        self.signs: dict[int, list[str]] = {}
        self.questions_alike = alike(audit.open)
        for i, together in enumerate((*((f, *others) for f, others in one_cause(audit.broken)), *self.questions_alike), 1):
            for found in together:
                self.signs.setdefault(found.at.pos, []).append(f"{'✗' if found.verdict == 'broken' else '○'}{i}")
        self.before: list[str] = []
        self.said: list[str] = []

    def _near(self, pos: int) -> bool:
        """Whether a position that is not folded lies in this hand: the last folded event before it does."""
        last = max((p.n for p in self.view.events if p.n < pos), default=0)
        step = self.memory.step.get(last)
        return step is not None and self.memory.judge.hand_at[step - 1] == self.hand

    def report(self) -> Report:
        """The whole page."""
        parts = [
            self.deal(), self.plays(), self.offers(), self.findings(), self.questions(), self.claims(), self.scores(), self.table_did(),
            self.rulings(), self.corrections(), self.inferred(), self.notes(),
        ]  # fmt: skip
        return Report(self.title(), self.answer(), tuple(self.facts()), tuple(p for p in parts if p is not None))

    # -- the head -----------------------------------------------------------------------------------------------------

    def title(self) -> str:
        sides = (" – " if len(self.state.terms.sides) == 2 else ", ").join(self.state.terms.name(s) for s in self.state.terms.sides)
        return f"{self.state.game.name}, hand {self.hand}: {sides}"

    def answer(self) -> str:
        """What an impatient reader wants first."""
        acts = [f for f in self.audit.broken if f.rule not in OF_THE_RECORD and not f.unless]
        resting = [f for f in self.audit.broken if f.rule not in OF_THE_RECORD and f.unless]
        record = [f for f in self.audit.broken if f.rule in OF_THE_RECORD and f.rule != "table.T9"]
        claims = [f for f in self.audit.broken if f.rule == "table.T9"]
        parts = []
        if acts:
            parts.append("; ".join(f"{f.by} broke {f.rule.partition('.')[2]} ({f.short}) at event {f.at.pos}" + (f", {dated(f.known_from, f.bound)}" if f.known_from and f.known_from.pos != f.at.pos else "") for f in acts[:3]))
            if len(acts) > 3:
                parts[-1] += f"; and {len(acts) - 3} more"
        elif not self.audit.illegal:
            parts.append("no rule was certainly broken" if self.audit.open or record or resting else "no rule was broken")
        if resting:
            parts.append(f"{len(resting)} finding{'s rest' if len(resting) > 1 else ' rests'} on the record as it stands, which may be wrong")
        parts += self._either()
        if record:
            parts.append(f"the record contradicts itself at event {', '.join(str(f.at.pos) for f in record[:6])}")
        if self.audit.open:
            n = len(self.audit.open)
            parts.append(f"{n} question{'s' * (n != 1)} cannot be answered from the record")
        if claims:
            parts.append("the score that the table claimed differs from the computed one")
        text = "; ".join(parts) + "."
        return text[:1].upper() + text[1:]

    def _either(self) -> list[str]:
        """Of each act that broke one rule or another, which these are."""
        return [f"event {n} broke {one_or_another(rules)}; it cannot be known which" for n, rules in self.audit.either.items()]

    def facts(self) -> Iterator[tuple[str, str]]:
        terms, facts = self.state.terms, self.state.terms.facts
        for tag in ("Event", "Round", "Table", "Site", "Place", "Date"):
            if facts.get(tag) not in (None, "", "?"):
                yield tag, str(facts[tag])
        house = [f"{k.replace('_', ' ')} {v}" for k, v in dict(facts.get("Option", {})).items()]
        yield "Rules", f"{self.state.game.name}, version {self.state.game.version}" + (f"; {', '.join(house)}" if house else "")
        yield "Players", ", ".join(f"{s} {terms.names[s]}" if s in terms.names else s for s in terms.seats)
        if self.score is not None:
            yield "Dealer", f"{self.score.dealer} {terms.names.get(self.score.dealer, '')}".strip()
            if self.score.contract:
                yield "Contract", f"{self.score.contract}{', ' + self.score.result if self.score.result else ''}"
        recorders = dict.fromkeys(r.recorder for r in self.memory.log if r.n in self.numbers and r.recorder) or dict.fromkeys(r.recorder for r in self.memory.log if r.recorder)
        if recorders:
            yield "Recorded by", ", ".join(recorders)
        if self.audit.match:
            yield "Match", self.audit.match
        if self.numbers:
            yield "Events", f"{min(self.numbers)}–{max(self.numbers)} of {self.memory.log[-1].n}"

    # -- the deal -----------------------------------------------------------------------------------------------------

    def deal(self) -> Part | None:
        dealt = deal_in(self.memory, self.hand)
        if not dealt.packets:
            return None
        hows = {c.how for p in dealt.packets for c in p.cards}
        signs = ["plain: certain, seen in the deal or later" if hows != {"certain"} else "every card was seen, in the deal or later"]
        signs += ["[in brackets]: inferred, as the rest of the pack leaves no other card"] if "inferred" in hows else []
        signs += ["?? unknown"] if "unknown" in hows else []
        piles = [p.pile for p in dealt.packets]
        block = self._packets(dealt) if len(set(piles)) < len(piles) else self._suits(dealt)
        every = "every card is known" if dealt.complete else "as far as it can be known"
        return Part(f"The deal, as reconstructed: {every}", block, legend=" · ".join(signs), kind="deal")

    def _suits(self, dealt: Dealt) -> Block:
        """One row per hand, one column per suit."""
        jokers = any(c.card[:2] == "Jo" for p in dealt.packets for c in p.cards)
        unknown = any(c.how == "unknown" for p in dealt.packets for c in p.cards)
        columns = ["", *(GLYPHS[s] for s in "shdc"), *["joker"] * jokers, *["not known"] * unknown]
        rows = []
        for packet in dealt.packets:
            cells = [Cell(self._pile(packet.pile))]
            cells += [Cell(" ".join(_shown(c.card, c.how, rank=True) for c in packet.cards if c.card != "??" and suit_of(c.card) == suit) or "–") for suit in "shdc"]
            if jokers:
                cells.append(Cell(" ".join(_shown(c.card, c.how) for c in packet.cards if c.card[:2] == "Jo") or "–"))
            if unknown:
                cells.append(Cell(_unknown(packet) or "–"))
            rows.append(Row(tuple(cells)))
        return Block("The deal", tuple(columns), tuple(rows))

    def _packets(self, dealt: Dealt) -> Block:
        """One row per deal, one column per pile, for games that deal several times."""
        piles = list(dict.fromkeys(p.pile for p in dealt.packets))
        rows = []
        for at in dict.fromkeys(p.at for p in dealt.packets):
            cells = [Cell(f"at {at}")]
            for pile in piles:
                there = next((p for p in dealt.packets if p.at == at and p.pile == pile), None)
                cards = [_shown(c.card, c.how) for c in there.cards if c.card != "??"] if there is not None else []
                cells.append(Cell(" ".join([*cards, *([_unknown(there)] if there is not None and _unknown(there) else [])]) or "–"))
            rows.append(Row(tuple(cells)))
        return Block("The deal", ("deal", *(self._pile(p) for p in piles)), tuple(rows))

    def _pile(self, pile: str) -> str:
        return f"{pile.replace(':', ' ')} {self.state.terms.names.get(pile, '')}".strip()

    # -- the plays ----------------------------------------------------------------------------------------------------

    def plays(self) -> Part | None:
        rounds, tricks = self._rounds()
        said = (" · ".join(self.said),) if self.said else ()
        before = tuple(self.before)
        if not rounds:
            return Part("What happened", items=(*said, *before), kind="plays") if said or before else None
        seats = [s for s in self.state.terms.seats if any(s in r.cells for r in rounds)]
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
                taker = " or ".join(winners) + (" (inferred)" if won.inferred else "")
                if won.gathered and won.gathered not in {self.state.terms.side_of.get(w) for w in winners}:
                    taker += f"; gathered by {won.gathered}"
            cells = [Cell(str(number)), Cell(where), *(self._cell(one, seat, winners, tricks) for seat in seats)]
            rows.append(Row((*cells, *[Cell(taker)] * tricks)))
        legend = self._legend(rounds, tricks)
        block = Block("What was played", tuple(columns), tuple(rows))
        return Part("What was played", block, items=(*said, *before), legend=legend, kind="plays")

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

    def _rounds(self) -> tuple[list[_Round], bool]:
        """The acts of the hand in rows (a trick each, or once around the table), and whether there are tricks."""
        rows = _Rows()
        previous: _Act | None = None
        for step, placed, event, state in self.memory.stations():
            if previous is not None:
                self._into(rows, previous, state)
            previous = None
            if self.memory.judge.hand_at[step - 1] == self.hand:
                keeper = tricks_of(state.hand) if state.number == self.hand else None
                phase = state.game.phases.get(state.phase)
                playing = state.number == self.hand and phase is not None and Play in phase.acts
                previous = _Act(placed, event, len(keeper.won) if keeper is not None else 0, playing)
            last = state
        if previous is not None:
            self._into(rows, previous, last)
        rows.finish()
        return rows.done, rows.tricks

    def _into(self, rows: _Rows, act: _Act, state: State[Any]) -> None:
        """Put an act into its row, or beside the table; `state` is the one after it."""
        event = act.event
        in_play = act.playing and isinstance(event, Discard | Draw) and event.by in state.terms.seats
        if not isinstance(event, Play | Capture) and not in_play:
            self._beside(act.placed, event, state)
            return
        words = self._words(act.placed, event)
        keeper = tricks_of(state.hand)
        if keeper is None:
            rows.around_the_table(act, words, state.terms.seats)
        else:
            rows.in_a_trick(act, words, keeper)

    def _beside(self, placed: NumberedEvent, event: Event, state: State[Any]) -> None:
        """What is not in a row of the table: what was said, and what was done before the first card."""
        signs = "".join(f" {s}" for s in self.signs.get(placed.n, ()))
        if isinstance(event, Bid | Pass | Call | Name | Bet):
            self.said.append(f"{describe_event(placed.event)}{self._dagger(placed)}{signs}")
        elif isinstance(event, Gap):
            self.before.append(f"{placed.n}: some acts here were not recorded")
        elif not isinstance(event, Hand | Deal | Fault | Claim | Confirm | Note | Dispute | Ruling | End):
            self.before.append(f"{placed.n}: {write_event(event) if isinstance(event, Tally) else describe_event(placed.event)}{self._dagger(placed)}{signs}")

    def _words(self, placed: NumberedEvent, event: Event) -> str:
        """An act in a cell: bare cards, an inferred one in brackets, a dagger if it was corrected."""
        found = self.memory.inferred.get(placed.n)
        plain = placed.event
        cards = " ".join(f"[{pretty(c)}]" for c in found) if found else pretty_all(getattr(plain, "cards", ()))
        match plain:
            case Capture():
                text = f"{cards} takes {pretty_all(plain.takes)}"
            case Play() if not plain.src or plain.src == "stock":
                text = cards
            case Discard():
                text = f"({cards} turned up)" if plain.src == "stock" else f"throws {cards}"
            case _:
                text = describe_event(plain).partition(" ")[2]
        return text.replace("*x ??", "some ??") + self._dagger(placed)

    @staticmethod
    def _dagger(placed: NumberedEvent) -> str:
        return "†" if placed.was or placed.at != placed.recorded.n or placed.n != placed.recorded.n else ""

    # -- what the rules say -------------------------------------------------------------------------------------------

    def offers(self) -> Part | None:
        """The recorder is suspected before the players."""
        if not self.audit.offers:
            return None
        items = tuple(f"{'After that correction' if o.after else 'Perhaps'}: {o.text}; type {' and '.join(o.lines)}." for o in self.audit.offers)
        return Part("What the recorder may have got wrong", items=items, kind="proof")

    def findings(self) -> Part | None:
        if not self.audit.broken:
            none = "No rule was certainly broken in this hand, as far as it was recorded."
            either = [f"{text[0].upper()}{text[1:]} (see the open questions)." for text in self._either()]
            return Part("Findings", kind="proof", items=tuple(either) or (none,))
        entries = tuple(self._entry(f, *others, number=i) for i, (f, others) in enumerate(one_cause(self.audit.broken), 1))
        return Part("Findings, with proof", entries=entries, kind="proof")

    def questions(self) -> Part | None:
        if not self.audit.open:
            return None
        first = len(one_cause(self.audit.broken)) + 1
        entries = (self._entry(*together, number=i) for i, together in enumerate(self.questions_alike, first))
        return Part("Open questions", entries=tuple(entries), kind="proof")

    @staticmethod
    def _entry(f: Audited, *others: Audited, number: int) -> Entry:
        """A finding with its proof; `others` are those of which the same is to be said: questions, or findings
        that rest on the same correction of the record."""
        lines: list[tuple[str, str]] = [("unless", f.unless)] if f.unless else []
        if f.sentence:
            lines.append(("rule", f"{f.heading}: {f.sentence}"))
        if f.middle:
            lines.append(("table", f.middle))
        lines += [("because", text) for text in f.because]
        if len(f.chain) > 1:
            lines.append(("chain", " → ".join(f"{link.pos} {link.text}" for link in f.chain)))
        if f.known_from is not None:
            lines.append(("known", f.knew or f"from event {f.known_from.pos}"))
        if f.legal:
            lines.append(("legal", few(f.legal, ", ") + ("" if f.complete else " (perhaps others)")))
        lines += [("cost", f.cost)] if f.cost else []
        lines += [("settled by", text) for text in f.settles]
        if others and f.verdict == "broken":
            lines.append(("also", "; ".join(likewise(others))))
        elif others:
            lines.append(("likewise", " · ".join(f"event {o.at.pos}: {o.says.partition('; ')[0]}" for o in others)))
        if f.exact is not None:
            lines.append(("exact", f.exact.text))
        title = f"{f.rule} {f.short}".strip() + f", event {f.at.pos}: {f.says}"
        return Entry(f"{'✗' if f.verdict == 'broken' else '○'}{number}", title, tuple(lines), f.verdict == "open")

    # -- score and claims ---------------------------------------------------------------------------------------------

    def claims(self) -> Part | None:
        stated = [c for c in self.match.claims if c.hand == self.hand]
        if not stated:
            return None
        spoken = any(c.by != "@" for c in stated)

        def computed(c: Compared) -> str:
            return span(c.possible) if c.possible else figure(c.computed)

        rows = []
        for c in stated:
            wrong = c.says == "differs"
            rows.append(Row((
                Cell(str(c.at)), *[Cell(_someone(c.by))] * spoken, Cell(c.who if c.kind == "total" else f"{c.who}, this hand"),
                Cell(figure(c.claimed), mark="wrong" if wrong else "claimed"), Cell(computed(c), mark="unknown" if c.computed is None else ""),
                Cell(c.says + (f" since hand {c.since}" if c.since and c.says == "carried on" else "") + (f"; {', '.join(c.confirmed)} confirmed" if c.confirmed else "")),
            )))  # fmt: skip
        sums = tuple(f"{c.who}: the table reckoned {c.table_sum or figure(c.claimed)}; computed {c.sum or computed(c)}." for c in stated if c.says == "differs")
        columns = ("event", *["by"] * spoken, "whose", "claimed", "computed", "compared")
        return Part("Claimed and computed", Block("Claimed and computed", columns, tuple(rows)), items=sums, kind="score")

    def scores(self) -> Part | None:
        """The components with their arithmetic, then the hand and the match in every way in which they are scored."""
        score = self.score
        if score is None or not (score.components or any(score.points.values()) or score.possible):
            missing = score.unknown if score is not None else ()
            return Part("Score", items=tuple(f"Not known: {text}." for text in missing), kind="score") if missing else None
        sides = list(score.points)
        rows = [
            Row((Cell(part.label), *(Cell((part.sums.get(who) or figure(part.amounts.get(who))) if who in part.amounts else "–") for who in sides)))
            for part in score.components
        ]
        ways: dict[str, Way] = score.ways or {"played": Way(score.points, score.totals, score.possible, score.possible_totals)}
        items: list[str] = []
        for key, way in ways.items():
            name = _WAYS.get(key, key)
            label = f"{name}: " if len(ways) > 1 else ""
            rows.append(Row((Cell(f"{label}hand"), *(_amount(way.points.get(who), way.possible.get(who), signed) for who in sides)), "rule" if label else "total"))
            rows.append(Row((Cell(f"{label}match"), *(_amount(way.totals.get(who), way.possible_totals.get(who), figure) for who in sides))))
            items += [f"{name[:1].upper()}{name[1:]}: {why}." for why in way.why]
        items += [f"{note[:1].upper()}{note[1:]}." for note in score.notes]
        items += [f"It depends on {question_text(q, sides)}." for q in score.questions]
        items += [f"Not known: {text}." for text in score.unknown]
        if score.by_cards:
            items.append("By the cards alone " + ", ".join(f"{who} {span(v)}" for who, v in score.by_cards.items()) + "; as played it follows from who led next.")
        heading = "Score, as played" if len(ways) == 1 else "Score, three ways"
        return Part(heading, Block(heading, ("", *sides), tuple(rows)), items=tuple(items), kind="score")

    # -- what people did about it -------------------------------------------------------------------------------------

    def _placed(self) -> Iterator[NumberedEvent]:
        return (p for p in self.view.events if p.n in self.numbers)

    def table_did(self) -> Part | None:
        """Irregularities as the table handled them: neither the recorder's corrections nor rulings."""
        words = self.state.game.words
        items = []
        for p in self._placed():
            e = p.event
            about = ""
            if isinstance(e, Fault | Call):
                about = f", about event {', '.join(map(str, e.refs))}" if e.refs else ""
            match e:
                case Fault():
                    text = f"{'the table' if e.by == '@' else e.by} noted: {e.word}" + (f" of {e.who}" if e.who else "")
                    text += (f" ({pretty_all(e.cards)})" if e.cards else "") + about
                case End(what="hand"):
                    text = f"the hand was broken off{': ' + e.why if e.why else ''}"
                case Gap():
                    text = "some acts were not recorded"
                case Call() if e.refs or "end:" in words.get(e.word, "") or "fault:" in words.get(e.word, ""):
                    text = describe_event(e) + about
                case _:
                    continue
            items.append(f"{p.n}: {text}{_remark(p)}")
        return Part("What the table did about irregularities", items=tuple(items), beside=True) if items else None

    def rulings(self) -> Part | None:
        """Disputes and decisions about this hand, made in it or later."""
        placed = {p.n: p for p in self.view.events}
        items: list[tuple[int, str]] = []
        for one in disputes(self.view):
            if one.hand == self.hand or one.at in self.numbers:
                on = f" event {', '.join(map(str, one.refs))}" if one.refs else ""
                ruled = f"; ruled at {', '.join(map(str, one.ruled))}" if one.ruled else "; not ruled yet"
                items.append((one.at, f"{one.at}: {_someone(one.by)} disputes{on}" + (f": {one.word}" if one.word else "") + ruled + _remark(placed[one.at])))
        for made in decisions(self.view):
            if made.hand == self.hand or made.at in self.numbers:
                on = f" on event {', '.join(map(str, made.refs))}" if made.refs else ""
                undone = "" if made.counts else f"; undone by the ruling at {made.undone_by}"
                rules = f", by {', '.join(made.rules)}" if made.rules else ""
                items.append((made.at, f"{made.at}: ruled by {_someone(made.by)}{on}: {made.effect or made.word or 'decided'}{rules}{undone}{_remark(placed[made.at])}"))
        items.sort()
        return Part("Disputes and rulings", items=tuple(text for _, text in items), beside=True) if items else None

    def corrections(self) -> Part | None:
        """What the recorder corrected: what was written, what counts now."""
        fixes = {r.n: r for r in self.memory.log}
        items = []
        for p in self._placed():
            if p.was:
                was = ", then ".join(write_event(old) for _, old in p.was)
                items.append((p.at, f"{p.n}: was “{was}”, counts as “{write_event(p.event)}”; corrected at {p.at}{_by(fixes[p.at])}"))
            elif p.n != p.recorded.n or type(p.recorded.event).__name__ == "Fix":
                items.append((p.n, f"{p.n}: inserted as “{write_event(p.event)}”{_by(fixes[p.n])}"))
            if p.typed is not None:
                items.append((p.at, f"{p.n}: typed as “{write_event(p.typed)}”, counts as “{write_event(p.event)}”, as the melds were renumbered"))
        items += [(p.at, f"{p.n}: was “{write_event(p.event)}”, struck out at {p.at}{_by(fixes[p.at])}") for p in self.view.struck if p.n in self.numbers]
        return Part("Corrections of the record", items=tuple(t for _, t in sorted(items)), beside=True) if items else None

    def inferred(self) -> Part | None:
        """What nobody recorded but follows."""
        items = [f"{pos}: nobody saw the card; inferred {pretty_all(cards)}, as every other card of the pack has its place" for pos, cards in sorted(self.memory.inferred.items()) if pos in self.numbers]
        named = set(self.memory.inferred)
        items += [f"{at}: {text}" for at, text in self.state.inferred if at in self.numbers and not (named and text.startswith("the card nobody saw"))]
        return Part("Inferred", items=tuple(dict.fromkeys(items)), beside=True) if items else None

    def notes(self) -> Part | None:
        """The recorder's remarks."""
        items = []
        for r in self.memory.log:
            if (r.n in self.numbers or (isinstance(r.event, Note) and self.numbers & set(r.event.refs))) and r.text:
                about = f" on event {', '.join(map(str, r.event.refs))}" if isinstance(r.event, Note) and r.event.refs else ""
                items.append(f"{r.n}{about}: {r.text}")
        return Part("Remarks of the recorder", items=tuple(items), beside=True) if items else None


def alike(questions: Sequence[Audited]) -> list[list[Audited]]:
    """Open questions, those together of which the same is to be said: one rule, one reason, and no proof of their own."""
    groups: dict[tuple[object, ...], list[Audited]] = {}
    for q in questions:
        bare = not (q.because or q.legal or q.exact)
        groups.setdefault((q.rule, q.says.partition("; ")[2]) if bare else (q.rule, q.at.pos), []).append(q)
    return list(groups.values())


def _remark(p: NumberedEvent) -> str:
    return f" {{{p.recorded.text}}}" if p.recorded.text else ""


def _by(r: Recorded) -> str:
    """Who corrected, when, and why."""
    who = f" by {r.recorder}" if r.recorder else ""
    when = f", {r.time[:16].replace('T', ' ')}" if r.time else ""
    return f"{who}{when}" + (f": {r.text}" if r.text else "")


def _someone(by: str) -> str:
    return "the table" if by == "@" else by


_WAYS = {"played": "as played", "rules": "by the rules", "ruled": "as ruled"}


def _amount(known: int | None, possible: Sequence[int] | None, form: Callable[[int | None], str]) -> Cell:
    """A figure, or all it may be."""
    if known is None and possible:
        return Cell(span(possible), mark="unknown")
    return Cell(form(known), mark="unknown" if known is None else "total")


def _shown(card: str, how: str, *, rank: bool = False) -> str:
    """A card of the deal; the inferred one in brackets."""
    text = pretty(card)
    text = text[:-1] if rank and text[-1] in GLYPHS.values() else text
    return f"[{text}]" if how == "inferred" else text


def _unknown(packet: Packet) -> str:
    """How many cards of a packet are unknown, and which faces they may have."""
    n = sum(c.how == "unknown" for c in packet.cards)
    if not n:
        return "not counted" if packet.vague else ""
    of = f" of {pretty_all(packet.may_be)}" if 0 < len(packet.may_be) <= 12 else ""
    return f"{n} × ??{of}"


# -- Markdown ---------------------------------------------------------------------------------------------------------


def _markdown(made: Report) -> str:
    out = [f"# {md(made.title)}", "", f"**{md(made.answer)}**", ""]
    out += [f"- **{md(name)}:** {md(value)}" for name, value in made.facts]
    for part in made.parts:
        out += ["", f"## {md(part.heading)}", ""]
        if part.block is not None:
            out += markdown_block(part.block)
        for entry in part.entries:
            out += [f"- **{md(entry.sign)} {md(entry.title)}**"]
            out += [f"  - *{md(label)}:* {md(text)}" for label, text in entry.lines]
        if part.items:
            out += [""] * (part.block is not None) + [f"- {md(text)}" for text in part.items]
        if part.legend:
            out += ["", f"*{md(part.legend)}*"]
    out += markdown_signed(made.signed)
    return "\n".join(out) + "\n"


# -- HTML -------------------------------------------------------------------------------------------------------------

_STYLE = """
:root { --print: 9.2pt }
.answer { font-size: 1.12em; font-weight: 600; margin: .2em 0 .6em; padding: .35em .6em; border-left: 4px solid #1a1a1a; background: #f3f3f1 }
.report h2 { margin: .95em 0 .25em } .report table { width: auto; min-width: 55% } .report td, .report th { padding: .16em .55em }
.report td:first-child, .report th:first-child { padding-left: .2em } .plays th { white-space: nowrap }
.plays td:nth-child(2) { white-space: nowrap } .left section:first-child h2, .right section:first-child h2 { margin-top: .3em }
.plays td.m-won, .deal td:first-child { font-weight: 650 }
.report .items { margin: .35em 0 0; padding: 0; list-style: none; font-size: .94em }
.report .items li { margin: 0 0 .15em; padding-left: 1em; text-indent: -1em }
.i { border-bottom: 1.5px dotted #1a1a1a; font-style: italic } .u { border: 1px dashed #555; padding: 0 .25em; color: #333 }
.r { color: #a11212 }
article { margin: .3em 0 .6em; padding: .1em 0 .1em .7em; border-left: 3px solid #a11212; break-inside: avoid }
article.open { border-left: 3px double #555 }
article p { margin: 0 0 .15em; font-weight: 600 } article p b { display: inline-block; margin-right: .35em }
article dl { display: grid; grid-template-columns: max-content 1fr; gap: .05em .8em; margin: 0; padding: 0; border: 0; font-size: .94em }
article dt { color: #555 } article dd { margin: 0; overflow-wrap: anywhere }
.cols { margin-top: .9em } .cols section { break-inside: avoid; margin-bottom: .7em }
@media (max-width: 560px) {
  .report td, .report th { padding: .24em .28em } .report table { min-width: 100% }
  .plays table { font-size: .95em } article dl { grid-template-columns: 1fr } article dt { font-size: .86em; margin-top: .2em }
}
/* Side by side if there is room for the tables, otherwise one below the other; text does not ask for room. */
@media print, (min-width: 800px) {
  main { display: flex; flex-wrap: wrap; column-gap: 2em }
  .left { flex: 1.15 0 auto; order: 1 } .right { flex: 1 0 40%; order: 2 } .wide-part { flex: 0 0 100%; order: 3 }
  .left :is(.legend, .items), .right :is(.legend, .items) { width: 0; min-width: 100% } .report table { min-width: 100% }
}
@media print { .report h2 { margin-top: .7em; break-after: avoid } .answer { background: none } }
"""


def _html(made: Report) -> str:
    body = ['<div class="report">', "<header>", f"<h1>{h(made.title)}</h1>", f'<p class="answer">{h(made.answer)}</p>', "<dl>"]
    body += [f"<div><dt>{h(name)}</dt><dd>{h(value)}</dd></div>" for name, value in made.facts]
    body += ["</dl>", "</header>", "<main>"]
    # On paper and on a wide screen, the deal and the plays stand beside the score; on a phone everything is in one column.
    for place, kinds in (("left", ("deal", "plays")), ("wide-part", ("proof",)), ("right", ("score",))):
        parts = [part for part in made.parts if part.kind in kinds]
        if parts:
            body += [f'<div class="{place}">', *(line for part in parts for line in _html_part(part)), "</div>"]
    body += ["</main>"]
    small = [line for part in made.parts if part.beside for line in _html_part(part)]
    if small:
        body += ['<div class="small cols">', *small, "</div>"]
    body += [*html_signed(made.signed), "</div>"]
    return html_page(made.title, body, _STYLE.strip())


def _html_part(part: Part) -> list[str]:
    out = [f'<section class="{part.kind or "part"}">', f"<h2>{h(part.heading)}</h2>"]
    if part.block is not None:
        # The block brings its own section and heading; this part has both already.
        table = html_block(part.block)[2:-1]
        out += [_signs(line) if part.kind in ("deal", "plays") else line for line in table]
    for entry in part.entries:
        out += ['<article class="open">' if entry.open else "<article>", f"<p><b>{h(entry.sign)}</b>{h(entry.title)}</p>", "<dl>"]
        out += [f"<dt>{h(label)}</dt><dd>{h(text)}</dd>" for label, text in entry.lines]
        out += ["</dl>", "</article>"]
    if part.items:
        out += ['<ul class="items">', *(f"<li>{h(text)}</li>" for text in part.items), "</ul>"]
    if part.legend:
        out.append(f'<p class="legend">{_signs(h(part.legend))}</p>')
    return [*out, "</section>"]


def _signs(html: str) -> str:
    """Inferred and unknown cards stand out; red suits are red, which says nothing that the sign does not say."""
    html = re.sub(r"\[([^\]<>]+)\]", r'<span class="i">[\1]</span>', html)
    html = re.sub(r"(?<![\w?])\?\?", r'<span class="u">??</span>', html)
    return re.sub(r"((?:10|[2-9AKQJ])?[♥♦])", r'<span class="r">\1</span>', html)


__all__ = ["Entry", "FORMATS", "Part", "Report", "only_hand", "render_report", "report"]
