"""The dispute report: one hand on one page, for the arbiter and for a table that no longer agrees.

It shows the deal as reconstructed, the plays, the findings with their proofs, the open questions, the claims, how the
table handled irregularities, the rulings, and the recorder's corrections. These last three are never mixed. Signs,
not just colours, distinguish certain, inferred and unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from msgspec.structs import replace

from events import model as ev
from events.cards import pretty_all
from events.errors import UsageError
from events.match_tags import shown_tags
from events.model import Recorded
from events.name_lists import one_of
from events.picture_notes import picture_in_words
from events.unread_lines import unread_summary
from events.writing import write_event
from reducers.evolve import UNSEEN_CARD_IS
from reducers.scoring import figure, signed
from reducers.sheet import Block, Cell, SheetRow
from replay.auditing.audit import audit_of
from replay.auditing.audit_shapes import Audited
from replay.auditing.audit_text import AS_WRITTEN, details_of, one_cause, reason_of
from replay.auditing.check import check
from replay.auditing.proof import HindsightReplay
from replay.fold import terms_at
from replay.judging.correction import asked_once, likewise
from replay.judging.findings import OF_THE_RECORD, Judgement, dated, one_or_another
from replay.languages.catalogue import ENGLISH
from replay.languages.translate import speaking
from replay.log import NumberedEvent
from replay.paper.pictures import pictures_in
from replay.paper.report_finding import FindingPage, JustBefore, Pages
from replay.paper.report_hand import PlaysTable, deal_part
from replay.paper.report_page import PageEntry, PagePart, Report, render_report
from replay.paper.sheet import WAYS, sheet_head
from replay.plain_text import contract_told, player_names, with_player_names
from replay.read_log import read_log
from replay.scoring.hands import folded_log
from replay.scoring.outcomes import figures_span, question_text
from replay.scoring.rulings import decisions, disputes
from replay.scoring.score_shapes import Compared, Way
from replay.scoring.three_ways import three_ways
from replay.table.wording import describe_event

MOST_PAGES = 50
"""Most findings of a hand with a page of their own; the list has all of them."""


@speaking(ENGLISH)
def report(records: Iterable[Recorded], hand: int, *, derived: Iterable[tuple[int, str]] = ()) -> Report:
    """Return the report on one hand. Raises NotFoundError for a hand the log does not have, and like
    `replay.judging.judge.judge`."""
    log = read_log(records)
    judgement = check(log, derived, hand=hand)
    return Reporter(HindsightReplay(log), judgement, hand).report()


def only_hand(records: Iterable[Recorded], derived: Sequence[tuple[int, str]] = ()) -> int:
    """The default hand of a report: the only one of a log, or the only one with a finding.

    Raises UsageError if there is none or more than one; the message lists the hands with findings.
    """
    log = read_log(records)
    hands = [hand.number for hand in log.once(folded_log).hands]
    if not hands:
        raise UsageError("no hand was begun; a report is about one", todo="`kibitz show` says where the match stands.")
    if len(hands) == 1:
        return hands[0]
    judged = check(log, derived)
    charges = [f for one in judged.either for f in judged.charged(one)]
    found = sorted({f.at.hand for f in (*judged.broken, *charges)} & set(hands))
    if len(found) == 1:
        return found[0]
    what = (
        f"there are findings in hands {', '.join(map(str, found))}" if found
        else f"nothing was found in its {len(hands)} hands"
    )
    raise UsageError(
        f"{what}; a report is about one hand", expected=one_of(f"--hand {hand}" for hand in found or hands),
        todo="Name the hand.",
    )


class Reporter:
    """Assembles one report."""

    def __init__(self, memory: HindsightReplay, judgement: Judgement, hand: int) -> None:
        self.memory, self.state, self.hand = memory, judgement.state, hand
        self.view = memory.view
        last = max(
            (
                p.n for p, n in zip(self.view.events, memory.hand_at, strict=False) if n == hand
                and type(p.event) is not ev.Open
            ),
            default=0,
        )
        # The players at the time of the hand.
        self.terms = terms_at(self.view, last, self.state.terms)
        self.plays = PlaysTable(memory, hand, self.terms)
        # Corrections of the record and claims have no page of their own, as no player is accused there.
        self.accused = [
            f.at.pos for f in judgement.findings if f.at.hand == hand and f.verdict == "broken"
            and f.rule not in OF_THE_RECORD and f.unless is None
        ]
        # Findings with one cause share a page, so this many cover all pages.
        just_before = JustBefore(self.accused[: 4 * MOST_PAGES], self.memory.step)
        self.audit = audit_of(memory, judgement, hand=hand, also=(self.plays, just_before))
        self.frames = just_before.frames
        self.numbers = {p.n for p, n in zip(self.view.events, memory.hand_at, strict=False) if n == hand}
        self.numbers |= {p.n for p in self.view.struck if self._near(p.n)}
        self.match = three_ways(memory.log, judgement)
        self.score = next((s for s in self.match.hands if s.number == hand), None)
        self.called = player_names(self.terms.sides, self.terms.names)
        self.signs: dict[int, list[str]] = {}
        self.questions_alike = asked_once(self.audit.open, reason_of)
        for i, together in enumerate(
            (*((f, *others) for f, others in one_cause(self.audit.broken)), *self.questions_alike), 1,
        ):
            for found in together:
                self.signs.setdefault(found.at.pos, []).append(f"{'✗' if found.verdict == 'broken' else '○'}{i}")

    def named(self, text: str) -> str:
        """A sentence with the names of players."""
        return with_player_names(text, self.called)

    def _near(self, pos: int) -> bool:
        """True if a position that is not folded is in this hand, as the last folded event before it is."""
        last = max((p.n for p in self.view.events if p.n < pos), default=0)
        step = self.memory.step.get(last)
        return step is not None and self.memory.hand_at[step - 1] == self.hand

    def report(self) -> Report:
        """The whole report."""
        terms = self.terms
        parts = [
            deal_part(next((d for d in self.audit.deals if d.hand == self.hand), None), terms, self.state.game),
            self.plays.part(self.signs),
            self.offers(), self.findings(), self.questions(), self.claims(), self.scores(),
            self.table_did(), self.rulings(), self.corrections(), self.inferred(), self.notes(),
        ]  # fmt: skip
        pictures = pictures_in(self.memory.log, self.numbers, {p.n for p in self.view.struck})
        log = self.memory.log
        return Report(
            self.title(), self.answer(), tuple(self.facts()), tuple(self.with_names(p) for p in parts if p is not None),
            (), pictures, tuple(self.pages()),
            sheet_head(log, log.once(folded_log), replace(self.match, names=dict(self.terms.names))),
            len(self.match.hands),
        )  # fmt: skip

    def pages(self) -> Iterator[FindingPage]:
        """A page for each of the first findings, numbered as in the later parts."""
        asked: dict[int, list[str]] = {}
        for one in disputes(self.view):
            for ref in one.refs:
                asked.setdefault(ref, []).append(one.by)
        dealt = next((d for d in self.audit.deals if d.hand == self.hand), None)
        pages = Pages(self.called, self.frames, dealt, self.score, asked, self.terms.sides)
        numbered = enumerate(one_cause(self.audit.broken), 1)
        charged = (
            (n, f) for n, (f, _) in numbered if f.at.pos in self.accused and f.rule not in OF_THE_RECORD
            and not f.unless
        )
        for number, first in islice(charged, MOST_PAGES):
            yield pages.page(first, number)

    def with_names(self, part: PagePart) -> PagePart:
        """The table of plays with the names of players in its heads and cells."""
        if part.kind != "plays" or part.block is None:
            return part
        block = part.block
        rows = tuple(
            replace(row, cells=tuple(replace(c, text=self.named(c.text)) for c in row.cells)) for row in block.rows
        )
        return replace(part, block=replace(block, columns=tuple(map(self.named, block.columns)), rows=rows))

    # -- the head -----------------------------------------------------------------------------------------------------

    def title(self) -> str:
        sides = (" – " if len(self.terms.sides) == 2 else ", ").join(self.terms.name(s) for s in self.terms.sides)
        return f"{self.state.game.name}, hand {self.hand}: {sides}"

    def answer(self) -> str:
        """The answer for an impatient reader."""
        acts = [f for f in self.audit.broken if f.rule not in OF_THE_RECORD and not f.unless]
        resting = [f for f in self.audit.broken if f.rule not in OF_THE_RECORD and f.unless]
        record = [f for f in self.audit.broken if f.rule in OF_THE_RECORD and f.rule != "table.T9"]
        claims = [f for f in self.audit.broken if f.rule == "table.T9"]
        parts = []
        if acts:
            parts.append(
                "; ".join(
                    f"{self.called.get(f.by, f.by)} broke {f.rule.partition('.')[2]} ({f.short}) at event {f.at.pos}"
                    + (
                        self.named(f", {dated(f.known_from, f.bound)}") if f.known_from and f.known_from.pos != f.at.pos
                        else ""
                    )
                    for f in acts[:3]
                )
            )
            if len(acts) > 3:
                parts[-1] += f"; and {len(acts) - 3} more"
        elif not (self.audit.illegal or self.audit.across):
            parts.append(
                "no rule was certainly broken" if self.audit.open or record or resting else "no rule was broken"
            )
        if resting:
            parts.append(
                f"{len(resting)} finding{'s rest' if len(resting) > 1 else ' rests'} on the record as it "
                "stands, which may be wrong"
            )
        parts += self._either()
        if record:
            parts.append(f"the record contradicts itself at event {', '.join(str(f.at.pos) for f in record[:6])}")
        if self.audit.open:
            n = len(self.audit.open)
            parts.append(f"{n} question{'s' * (n != 1)} cannot be answered from the record")
        if claims:
            parts.append("the score that the table claimed differs from the computed one")
        if self.match.unread:
            parts.append(unread_summary(self.match.unread))
        text = "; ".join(parts) + "."
        return text[:1].upper() + text[1:]

    def _either(self) -> list[str]:
        """Charges at least one of which is certain: about one act, and about several."""
        one_act = [
            f"event {n} broke {one_or_another(rules)}; it cannot be known which"
            for n, rules in self.audit.either.items()
        ]
        return one_act + [
            f"{one_or_another(charges)} was broken; it cannot be known which" for charges in self.audit.across
        ]

    def facts(self) -> Iterator[tuple[str, str]]:
        terms, facts = self.terms, self.terms.facts
        yield from ((tag, str(value)) for tag, value in shown_tags(facts))
        house = [f"{k.replace('_', ' ')} {v}" for k, v in dict(facts.get("Option", {})).items()]
        yield "Rules", f"{self.state.game.name}, version {self.state.game.version}" + (
            f"; {', '.join(house)}" if house else ""
        )
        yield "Players", ", ".join(f"{s} {terms.names[s]}" if s in terms.names else s for s in terms.seats)
        if self.score is not None:
            yield "Dealer", terms.name(self.score.dealer)
            if self.score.contract:
                told = self.score.contract
                # In rummy there is no contract: it says what was wild, or how the hand ended.
                head = "Hand" if self.state.game.family == "rummy" else "Contract"
                head = head if contract_told(told) == told else "Trumps"
                yield head, self.named(f"{told}{', ' + self.score.result if self.score.result else ''}")
        recorders = dict.fromkeys(
            r.recorder for r in self.memory.log if r.n in self.numbers and r.recorder
        ) or dict.fromkeys(r.recorder for r in self.memory.log if r.recorder)
        if recorders:
            yield "Recorded by", ", ".join(recorders)
        if self.audit.match:
            yield "Match", self.audit.match
        if self.numbers:
            yield "Events", f"{min(self.numbers)}–{max(self.numbers)} of {self.memory.log.last}"

    # -- what the rules say -------------------------------------------------------------------------------------------

    def offers(self) -> PagePart | None:
        """The recorder is suspected before the players."""
        if not self.audit.offers:
            return None
        items = tuple(
            f"{'After that correction' if o.after else 'Perhaps'}: {self.named(o.text)}; type {' and '.join(o.lines)}."
            for o in self.audit.offers
        )
        return PagePart("What the recorder may have got wrong", items=items, kind="proof")

    def findings(self) -> PagePart | None:
        if not self.audit.broken:
            none = "No rule was certainly broken in this hand, as far as it was recorded."
            either = [f"{text[0].upper()}{text[1:]} (see the open questions)." for text in self._either()]
            return PagePart("Findings", kind="proof", items=tuple(either) or (none,))
        entries = tuple(
            self._entry(f, *others, number=i) for i, (f, others) in enumerate(one_cause(self.audit.broken), 1)
        )
        return PagePart("Findings, with proof", entries=entries, kind="proof")

    def questions(self) -> PagePart | None:
        if not self.audit.open:
            return None
        first = len(one_cause(self.audit.broken)) + 1
        entries = (self._entry(*together, number=i) for i, together in enumerate(self.questions_alike, first))
        return PagePart("Open questions", entries=tuple(entries), kind="proof")

    def _entry(self, f: Audited, *others: Audited, number: int) -> PageEntry:
        """A finding with its proof; `others` share its text: questions, or findings that depend on the same
        correction of the record."""
        lines = [("settled by" if label == "settles" else label, text) for label, text in details_of(f)]
        if f.unless:
            # Text to type is in backquotes, so that no names are put into it; the page shows none.
            lines[0] = "unless", self.named(f.unless).replace("`", "")
        if others and f.verdict == "broken":
            lines.append(("also", "; ".join(likewise(others))))
        elif others:
            lines.append((
                "likewise",
                " · ".join(
                    f"{f'{o.rule}, ' * (o.rule != f.rule)}event {o.at.pos}: {o.says.partition('; ')[0]}"
                    for o in others
                )
            ))
        if f.exact is not None:
            lines.append(("exact", f.exact.text))
        title = f"{f.rule} {f.short}".strip() + f", event {f.at.pos}: {self.named(f.says)}"
        told = tuple((label, text if label in (*AS_WRITTEN, "unless") else self.named(text)) for label, text in lines)
        return PageEntry(f"{'✗' if f.verdict == 'broken' else '○'}{number}", title, told, f.verdict == "open")

    # -- score and claims ---------------------------------------------------------------------------------------------

    def claims(self) -> PagePart | None:
        stated = [c for c in self.match.claims if c.hand == self.hand]
        if not stated:
            return None
        spoken = any(c.by != "@" for c in stated)

        def computed(c: Compared) -> str:
            return figures_span(c.possible) if c.possible else figure(c.computed)

        rows = []
        for c in stated:
            wrong = c.says == "differs"
            rows.append(SheetRow((
                Cell(str(c.at)), *[Cell(self.named(_someone(c.by)))] * spoken,
                Cell(self.named(c.who if c.kind == "total" else f"{c.who}, this hand")),
                Cell(figure(c.claimed), mark="wrong" if wrong else "claimed"),
                Cell(computed(c), mark="unknown" if c.computed is None else ""),
                Cell(
                    c.says + (f" since hand {c.since}" if c.since and c.says == "carried on" else "")
                    + (
                        f"; {', '.join(self.called.get(who, who) for who in c.confirmed)} confirmed" if c.confirmed
                        else ""
                    )
                ),
            )))  # fmt: skip
        sums = tuple(
            f"{self.called.get(c.who, c.who)}: the table reckoned {c.table_sum or figure(c.claimed)}; "
            f"computed {c.sum or computed(c)}."
            for c in stated if c.says == "differs"
        )
        columns = ("event", *["by"] * spoken, "whose", "claimed", "computed", "compared")
        return PagePart(
            "Claimed and computed", Block("Claimed and computed", columns, tuple(rows)), items=sums, kind="score",
        )

    def scores(self) -> PagePart | None:
        """The components with their arithmetic, then the hand and the match in every way of scoring."""
        score = self.score
        if score is None or not (score.components or any(score.points.values()) or score.possible):
            missing = score.unknown if score is not None else ()
            return PagePart(
                "Score", items=tuple(f"Not known: {text}." for text in missing), kind="score",
            ) if missing else None
        sides = list(score.points)
        rows = [
            SheetRow((
                Cell(part.label),
                *(
                    Cell((part.sums.get(who) or figure(part.amounts.get(who))) if who in part.amounts else "–")
                    for who in sides
                )
            ))
            for part in score.components
        ]
        ways: dict[str, Way] = score.ways or {
            "played": Way(score.points, score.totals, score.possible, score.possible_totals)
        }
        items: list[str] = []
        for key, way in ways.items():
            name = WAYS.get(key, key)
            label = f"{name}: " if len(ways) > 1 else ""
            rows.append(
                SheetRow(
                    (
                        Cell(f"{label}hand"),
                        *(_amount(way.points.get(who), way.possible.get(who), signed) for who in sides),
                    ),
                    "rule" if label else "total",
                )
            )
            rows.append(
                SheetRow((
                    Cell(f"{label}match"),
                    *(_amount(way.totals.get(who), way.possible_totals.get(who), figure) for who in sides),
                ))
            )
            items += [f"{name[:1].upper()}{name[1:]}: {why}." for why in way.why]
        items += [f"{note[:1].upper()}{note[1:]}." for note in score.notes]
        items += [f"It depends on {question_text(q, sides)}." for q in score.questions]
        items += [f"Not known: {text}." for text in score.unknown]
        if score.by_cards:
            items.append(
                "By the cards alone " + ", ".join(f"{who} {figures_span(v)}" for who, v in score.by_cards.items())
                + "; as played it follows from who led next."
            )
        heading = "Score, as played" if len(ways) == 1 else "Score, three ways"
        columns = ("", *(self.called.get(who, who) for who in sides))
        return PagePart(
            heading, Block(heading, columns, tuple(rows)), items=tuple(map(self.named, items)), kind="score",
        )

    # -- what people did about it -------------------------------------------------------------------------------------

    def _placed(self) -> Iterator[NumberedEvent]:
        return (p for p in self.view.events if p.n in self.numbers)

    def table_did(self) -> PagePart | None:
        """Irregularities as the table handled them, without the recorder's corrections and rulings."""
        words = self.state.game.words
        denied = {p.event.word for p in self._placed() if isinstance(p.event, ev.Fault)}
        items = []
        for p in self._placed():
            e = p.event
            about = ""
            if isinstance(e, ev.Fault | ev.Call):
                about = f", about event {', '.join(map(str, e.refs))}" if e.refs else ""
            match e:
                case ev.Fault():
                    text = f"{'the table' if e.by == '@' else e.by} noted: {e.word}" + (f" of {e.who}" if e.who else "")
                    text += (f" ({pretty_all(e.cards)})" if e.cards else "") + about
                case ev.Back():
                    text = describe_event(e, self.state.game)
                case ev.End(what="hand"):
                    text = f"the hand was broken off{': ' + e.why if e.why else ''}"
                case ev.Gap():
                    text = "some acts were not recorded"
                case ev.Call() if e.refs or "end:" in words.get(e.word, "") or e.word in denied:
                    text = describe_event(e, self.state.game) + about
                case _:
                    continue
            items.append(f"{p.n}: {self.named(text)}{_remark(p)}")
        return PagePart("What the table did about irregularities", items=tuple(items), beside=True) if items else None

    def rulings(self) -> PagePart | None:
        """Disputes and decisions about this hand, made in it or later."""
        placed = {p.n: p for p in self.view.events}
        items: list[tuple[int, str]] = []
        for one in disputes(self.view):
            if one.hand == self.hand or one.at in self.numbers:
                on = f" event {', '.join(map(str, one.refs))}" if one.refs else ""
                ruled = f"; ruled at {', '.join(map(str, one.ruled))}" if one.ruled else "; not ruled yet"
                items.append((
                    one.at,
                    f"{one.at}: {self.named(_someone(one.by))} disputes{on}" + (f": {one.word}" if one.word else "")
                    + ruled + _remark(placed[one.at])
                ))
        for made in decisions(self.view):
            if made.hand == self.hand or made.at in self.numbers:
                on = f" on event {', '.join(map(str, made.refs))}" if made.refs else ""
                undone = "" if made.counts else f"; undone by the ruling at {made.undone_by}"
                rules = f", by {', '.join(made.rules)}" if made.rules else ""
                items.append((
                    made.at,
                    f"{made.at}: ruled by {self.named(_someone(made.by))}{on}: "
                    f"{made.effect or made.word or 'decided'}{rules}{undone}{_remark(placed[made.at])}"
                ))
        items.sort()
        return PagePart("Disputes and rulings", items=tuple(text for _, text in items), beside=True) if items else None

    def corrections(self) -> PagePart | None:
        """The recorder's corrections: what was written, and what counts now."""
        fixes = {r.n: r for r in self.memory.log}
        items = []
        for p in self._placed():
            if p.was:
                was = ", then ".join(write_event(old) for _, old in p.was)
                items.append((
                    p.at,
                    f"{p.n}: was “{was}”, counts as “{write_event(p.event)}”; corrected at {p.at}{_by(fixes[p.at])}"
                ))
            elif p.n != p.recorded.n or type(p.recorded.event).__name__ == "Fix":
                items.append((p.n, f"{p.n}: inserted as “{write_event(p.event)}”{_by(fixes[p.n])}"))
            if p.typed is not None:
                items.append((
                    p.at,
                    f"{p.n}: typed as “{write_event(p.typed)}”, counts as “{write_event(p.event)}”, as "
                    "the melds were renumbered"
                ))
        items += [
            (p.at, f"{p.n}: was “{write_event(p.event)}”, struck out at {p.at}{_by(fixes[p.at])}")
            for p in self.view.struck if p.n in self.numbers
        ]
        return PagePart(
            "Corrections of the record", items=tuple(t for _, t in sorted(items)), beside=True,
        ) if items else None

    def inferred(self) -> PagePart | None:
        """Unrecorded things that follow from the record."""
        items = [
            f"{pos}: nobody saw the card; inferred {pretty_all(cards)}, as every other card of the pack has its place"
            for pos, cards in sorted(self.memory.inferred.items()) if pos in self.numbers
        ]
        faces = set(self.memory.inferred)
        items += [
            f"{at}: {text}" for at, text in self.state.inferred if at in self.numbers
            and not (faces and text.startswith(UNSEEN_CARD_IS))
        ]
        return PagePart("Inferred", items=tuple(dict.fromkeys(map(self.named, items))), beside=True) if items else None

    def notes(self) -> PagePart | None:
        """The recorder's remarks."""
        items = []
        for r in self.memory.log:
            if (
                r.n in self.numbers or (isinstance(r.event, ev.Note) and self.numbers & set(r.event.refs))
            ) and r.text and not picture_in_words(r.event):
                about = (
                    f" on event {', '.join(map(str, r.event.refs))}" if isinstance(r.event, ev.Note) and r.event.refs
                    else ""
                )
                items.append(f"{r.n}{about}: {r.text}")
        return PagePart("Remarks of the recorder", items=tuple(items), beside=True) if items else None


def _remark(p: NumberedEvent) -> str:
    return f" {{{p.recorded.text}}}" if p.recorded.text else ""


def _by(r: Recorded) -> str:
    """Who made the correction, when, and why."""
    who = f" by {r.recorder}" if r.recorder else ""
    when = f", {r.time[:16].replace('T', ' ')}" if r.time else ""
    return f"{who}{when}" + (f": {r.text}" if r.text else "")


def _someone(by: str) -> str:
    return "the table" if by == "@" else by


def _amount(known: int | None, possible: Sequence[int] | None, form: Callable[[int | None], str]) -> Cell:
    """A figure, or its possible range."""
    if known is None and possible:
        return Cell(figures_span(possible), mark="unknown")
    return Cell(form(known), mark="unknown" if known is None else "total")


__all__ = ["PageEntry", "PagePart", "Report", "only_hand", "render_report", "report"]
