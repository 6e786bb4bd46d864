"""Describe a match move by move: the deal, the bidding, a line for each trick, findings and corrections.

    Hand 1, dealt by W Dan
      cards     N  ♠AK ♥QJ …
      bidding   N pass, E 7, S pass, W pass                       3–6
      trick 1   N K♥, E 4♣ (!), S 9♥, W A♥ → W                    8–11
                ! kaiser.R11 follow suit: hearts were led, and E holds one (8♥); known from event 29

An act that broke a rule is marked `(!)`, with the finding below it. A corrected act shows both readings. What was not
recorded but follows from the record is called inferred.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap
from typing import Any

from events import model as ev
from events.cards import SUIT_NAMES, UNKNOWN, item, pretty_all
from events.match_tags import shown_tags
from events.model import Event, Recorded
from events.unread_lines import unread_in, unread_summary
from events.writing import write_event
from reducers.evolve import each_pile, evolve
from reducers.first_state import begin
from reducers.model import State
from reducers.piles import how_it_lies
from reducers.rules import Verdict
from reducers.scoring import HandScore, figure, signed
from reducers.words.tricks import Tricks, tricks_in
from replay.judging.findings import Finding, dated
from replay.judging.judge import judge
from replay.languages.translate import in_language, one_of_them, phrase, t
from replay.log import NumberedEvent
from replay.plain_text import player_names, text_columns, with_player_names
from replay.read_log import ReadLog, read_log
from replay.table.event_sentences import Telling, how_it_ended, in_signs
from replay.table.layout import each
from replay.table.picture import by_suit

_SPOKEN = (ev.Bid, ev.Pass, ev.Call, ev.Name, ev.Bet)
_SUITS, _RANKS = "shdc?", "AKQJT98765432?"


_ABOUT = {ev.Claim: phrase("claimed"), ev.Fault: phrase("fault"), ev.Tally: phrase("tally"), ev.End: phrase("ended")}

HEAD, TEXT, PLACE = 12, 56, 10
"""The columns of a line's label, its text, and its positions in the record, with a gap before those."""


def tell(records: Iterable[Recorded], columns: int = 0) -> Iterator[str]:
    """The match in words, line by line. Lines are wrapped at `columns` (0: never). Raises like `replay.fold.fold`,
    before the first line."""
    log = read_log(records)
    return _Teller(log, judge(log).findings, columns).lines()


class _Teller:
    """Walks over the corrected log; acts that belong on one line are gathered first."""

    def __init__(self, log: ReadLog, findings: Iterable[Finding], columns: int = 0) -> None:
        self.view, self.columns = log.view, columns
        self.made: dict[tuple[int, ...], Event] = {(one.act.n,): one.act.event for one in self.view.taken_back}
        self.state: State[Any] = begin(self.view.opening.facts)
        self.telling = Telling(self.state, signs=True)
        self.marks: dict[int, list[Finding]] = {}
        for finding in findings:
            if finding.verdict == Verdict.BROKEN:
                self.marks.setdefault(finding.at.pos, []).append(finding)
        self.unread = unread_in(log)
        self.notes = {r.n: r for r in log if isinstance(r.event, ev.Fix)}
        self.label = ""
        self.words: list[str] = []
        self.span: list[int] = []
        self.below: list[str] = []
        self.told_inferred = 0
        self.told: HandScore | None = None
        self.before: dict[str, int | None] = {}

    def lines(self) -> Iterator[str]:
        """All lines."""
        yield from self._head()
        struck = sorted(self.view.struck, key=lambda p: p.n)
        for placed in self.view.events:
            while struck and struck[0].n < placed.n and not self._put_in(placed):
                self.below.append(self._struck(struck.pop(0)))
                yield from self._flush() if not self.words else ()
            yield from self._event(placed)
        for gone in struck:
            self.below.append(self._struck(gone))
        yield from self._flush()
        yield from filter(None, [in_language(unread_summary(self.unread))])
        yield from self._result(self.state.number)
        if self.state.ended:
            said = how_it_ended(self.state)
            yield ""
            yield f"{said[:1].upper()}{said[1:]}"
        for misfit in self.view.misfits:
            yield t("(!) event {n}: {what}", n=misfit.at, what=misfit.text)

    def _head(self) -> Iterator[str]:
        terms, facts = self.state.terms, self.view.opening.facts
        parts = [in_language(self.state.game.name), *(str(value) for _, value in shown_tags(facts, "Match"))]
        yield " · ".join(parts)
        yield ", ".join(f"{s} {terms.names[s]}" if s in terms.names else s for s in terms.seats)

    # -- one event ----------------------------------------------------------------------------------------------------

    def _event(self, placed: NumberedEvent) -> Iterator[str]:
        event, state = placed.event, self.state
        number, phase, tricks = state.number, state.phase, tricks_in(self.state.hand)
        # A moved card is described by the card that was there before.
        self.telling = Telling(state, signs=True)
        act, around = self._act(placed), self._around(placed)
        won = len(tricks.won) if tricks else 0
        if isinstance(event, ev.Hand):
            yield from self._flush()
            yield from self._result(number)
        state.at = state.table.now = placed.n
        evolve(state, event)
        if state.number != number:
            if not isinstance(event, ev.Hand):
                yield from self._flush()
                yield from self._result(number)
            tricks, won = None, 0
            yield ""
            head = (
                t("Hand {n}, dealt by {who}", n=state.number, who=self._who(state.dealer)) if state.game.has_cards
                else t("Hand {n}", n=state.number)
            )
            yield head + (around if isinstance(event, ev.Hand) else "")
            yield from self._marked_below(placed) if isinstance(event, ev.Hand) else ()
        tricks = tricks_in(self.state.hand)
        if isinstance(event, ev.Hand):
            pass
        elif isinstance(event, ev.Deal):
            yield from self._flush()
            yield from self._deal(event, placed)
        elif isinstance(event, ev.Play) and tricks is not None:
            yield from self._trick(placed, act, tricks, won)
        elif isinstance(event, _SPOKEN):
            yield from self._gather(self._spoken_in(phase), placed, act)
        elif isinstance(event, (*ev.ABOUT, ev.Tally, ev.End)):
            text = t("the verdict is kept") + around if isinstance(event, ev.End) and event.facts else act
            if self.words:
                self.below.append(text)
                self.below += self._marked(placed)
            else:
                yield from self._lines(self._about(event), text, [placed.n])
                yield from self._marked_below(placed)
        else:
            yield from self._flush()
            latest = self._spoken(state.game.display.last_outcome_text(state)) if state.number else ""
            yield from self._lines("", act + (f"  {latest}" if latest else ""), [placed.n])
            yield from self._marked_below(placed)
        for at, text in state.inferred[self.told_inferred :]:
            self.below.append(f"({t('inferred at {n}: {what}', n=at, what=self._spoken(text))})")
        self.told_inferred = len(state.inferred)
        if not self.words:
            yield from self._flush()

    def _trick(self, placed: NumberedEvent, act: str, tricks: Tricks, won: int) -> Iterator[str]:
        """A card played to a trick; `won` tricks were won before it."""
        if len(tricks.won) > won and tricks.plays:
            # The trick before was not full, and this card leads the next one.
            yield from self._flush(self._to(tricks))
        count = len(tricks.won) + bool(tricks.plays)
        yield from self._gather(t("trick {n}", n=count), placed, act)
        if len(tricks.won) > won and not tricks.plays:
            yield from self._flush(self._to(tricks))

    def _to(self, tricks: Tricks) -> str:
        """The winner of the last trick."""
        return f" → {one_of_them(self.called.get(seat, seat) for seat in tricks.won[-1].winners)}"

    def _spoken_in(self, phase: str) -> str:
        """The label of a line of speech: the phase it belongs to or began; `said` if speech is not the purpose of
        that phase."""
        phases = self.state.game.phases
        if phase == "between" or phase not in phases:
            phase = self.state.phase
        if phase not in phases:
            return t("said")
        if phase == "between":
            return t("after it")
        if ev.Bid in phases[phase].acts:
            return t("bidding")
        return _label(self._spoken(phases[phase].name)) if phases[phase].acts[0] in _SPOKEN else t("said")

    def _gather(self, label: str, placed: NumberedEvent, act: str) -> Iterator[str]:
        """Add an act to the line it belongs to, after any other line."""
        if label != self.label:
            yield from self._flush()
        self.label = label
        self.words.append(act)
        self.span.append(placed.n)
        self.below += self._marked(placed)

    def _flush(self, tail: str = "") -> Iterator[str]:
        """The line gathered so far, and what belongs below it."""
        if self.words:
            yield from self._lines(self.label, ", ".join(self.words) + tail, self.span)
        for text in self.below:
            yield " " * HEAD + text
        self.label, self.words, self.span, self.below = "", [], [], []

    def _lines(self, label: str, text: str, span: list[int]) -> Iterator[str]:
        """The text of a line, and its positions in the record in a column on the right."""
        where = f"{min(span)}" if len(span) == 1 else f"{min(span)}–{max(span)}"
        head = f"  {label}{' ' * max(1, HEAD - 2 - text_columns(label))}"
        room = min(TEXT, self.columns - HEAD - PLACE) if self.columns else TEXT
        if not self.columns or text_columns(text) <= room:
            yield f"{head}{text}{' ' * (room - text_columns(text))}  {where}"
            return
        *lines, last = wrap(text, room, subsequent_indent="  ", break_on_hyphens=False)
        for line in lines:
            yield head + line
            head = " " * HEAD
        yield f"{head}{last}{' ' * (room - text_columns(last))}  {where}"

    # -- words --------------------------------------------------------------------------------------------------------

    def _act(self, placed: NumberedEvent) -> str:
        """An act with its actor, its mark, what it was before, and the remark."""
        event = placed.event
        return self._said(event) + (" (!)" if placed.n in self.marks else "") + self._around(placed)

    def _said(self, event: Event) -> str:
        """An act in words: in list form if it belongs to a trick or a round of calls, else as a sentence."""
        if isinstance(event, ev.Back) and (act := self.made.get(event.refs[:1])) is not None:
            return t("{who} takes back {what}", who=self.telling.who(event.by), what=self.telling.short(act))
        if not isinstance(event, _SPOKEN) and (not isinstance(event, ev.Play) or tricks_in(self.state.hand) is None):
            text = self.telling.line(event)
            return text.removesuffix(f" {t('unseen')}") if isinstance(event, ev.Draw) else text
        if isinstance(event, ev.Pass):
            return self.telling.line(event)
        if isinstance(event, ev.Call):
            return f"{self.telling.who(event.by)}: {self.telling.short(event)}"
        what = (
            t(SUIT_NAMES[event.what]) if isinstance(event, ev.Name) and event.what in SUIT_NAMES
            else self.telling.short(event)
        )
        return f"{self.telling.who(event.by)} {what}"

    def _around(self, placed: NumberedEvent) -> str:
        """The corrections that led to this reading, and the remark."""
        out = ""
        if placed.was:
            was = ", ".join(self._reading(old, placed.event) for _, old in placed.was)
            out += f" [{t('was {what}; corrected at {n}', what=was, n=placed.at)}]"
        elif self._put_in(placed):
            out += f" [{t('inserted at {n}', n=placed.at)}]"
        if placed.typed is not None:
            out += f" [{t('typed as {line}; the melds were renumbered', line=write_event(placed.typed))}]"
        if placed.recorded.text:
            out += f" {{{placed.recorded.text}}}"
        fix = self.notes.get(placed.at) if placed.at != placed.recorded.n else None
        if fix is not None and fix.text:
            out += f" {{{fix.text}}}"
        return out

    def _reading(self, old: Event, new: Event) -> str:
        """The earlier reading, as short as possible."""
        if isinstance(old, ev.Play) and isinstance(new, ev.Play):
            return pretty_all(old.cards) if old.by == new.by else f"{self.telling.who(old.by)} {pretty_all(old.cards)}"
        if isinstance(old, ev.Tally | ev.Claim) and type(old) is type(new):
            return self.telling.facts(old.facts) or self._said(old)
        return self._said(old)

    def _put_in(self, placed: NumberedEvent) -> bool:
        return isinstance(placed.recorded.event, ev.Fix)

    def _struck(self, placed: NumberedEvent) -> str:
        said = f"{placed.n}. {self.telling.line(placed.event)}"
        return f"[{t('struck out at {n}: {what}', n=placed.at, what=said)}]"

    @staticmethod
    def _about(event: Event) -> str:
        return t(_ABOUT.get(type(event), phrase("remark")))

    def _spoken(self, text: str) -> str:
        """A text that the page of the game declares or makes, with the names of the players."""
        return with_player_names(in_language(text, self.state.game.key), self.called)

    @property
    def called(self) -> dict[str, str]:
        """The names of the players."""
        return player_names(self.state.terms.sides, self.state.terms.names)

    def _marked(self, placed: NumberedEvent) -> list[str]:
        """The findings about an act, a line each."""
        out = []
        for f in self.marks.get(placed.n, ()):
            line = f"! {f.rule} {in_language(f.short)}: {self._spoken(f.text)}"
            if f.cards and f.holder:
                line += f" ({pretty_all(f.cards)})"
            if f.known_from is not None and f.known_from.pos != f.at.pos:
                line += f"; {dated(f.known_from, f.bound)}"
            out.append(line)
        return out

    def _marked_below(self, placed: NumberedEvent) -> Iterator[str]:
        for text in self._marked(placed):
            yield " " * HEAD + text

    def _deal(self, event: ev.Deal, placed: NumberedEvent) -> Iterator[str]:
        """A line for each pile with a seen card, and one for the rest."""
        unseen: dict[str, list[str]] = {}
        first = True
        for pile, cards in event.piles:
            name = self._pile(pile)
            if cards and all(item(c).card == UNKNOWN for c in cards):
                unseen.setdefault(" ".join(cards).replace("x??", "").replace("??", "1"), []).append(name)
                continue
            text = f"{name}: {self._as_it_lies(pile, cards) or t('nothing')}"
            yield from self._lines(t("cards") if first else "", text, [placed.n])
            first = False
        for count, names in unseen.items():
            who = ", ".join(names)
            text = t("{who}: {n} unseen each", who=who, n=count) if len(names) > 1 else t(
                "{who}: {n} unseen", who=who, n=count,
            )
            yield from self._lines(t("cards") if first else "", text, [placed.n])
            first = False
        yield from self._marked_below(placed)

    def _pile(self, name: str) -> str:
        """The owner of a hand, or the name of a pile."""
        holder = name.removeprefix("hand:")
        return (
            self.telling.who(holder) if holder.partition(":")[0] in self.state.terms.seats
            else self.telling.place(name, "@").removeprefix("the ")
        )

    def _as_it_lies(self, pile: str, cards: Sequence[str]) -> str:
        """The cards of a pile: a layout by column number, a row in order, any other suit by suit."""
        form = how_it_lies(each_pile(pile)[0], self.state.game.display.piles, self.state.terms)[0].form
        one_by_one = [text for card in cards for text in each(card)]
        columns = [name.rpartition(":")[2] for name in each_pile(pile)]
        if len(columns) > 1 and len(columns) == len(one_by_one):
            return "   ".join(f"{number} {card}" for number, card in zip(columns, one_by_one, strict=True))
        if form in ("row", "column", "grid"):
            return "  ".join(one_by_one)
        return in_signs(cards) if form == "stack" else " ".join(
            by_suit(sorted(cards, key=_reading_order))
        ).replace(f"x{UNKNOWN}", f" {t('unseen')}")

    def _result(self, number: int) -> Iterator[str]:
        """The result of the hand."""
        score = next((s for s in self.state.scores if s.number == number), None)
        # A hand begun after the end of the match does not count.
        if score is None or score.source == "nothing" or score == self.told:
            return
        self.told = score
        what, called = in_language(score.told, self.state.game.key), self.called
        gains = ", ".join(f"{called.get(who, who)} {signed(points)}" for who, points in score.points.items())
        totals = ", ".join(f"{called.get(who, who)} {figure(total)}" for who, total in score.totals.items())
        label = f"  {t('result')} "
        yield f"{label}{' ' * (HEAD - text_columns(label))}{what + ': ' if what else ''}{gains} → {totals}"
        for text in (*score.notes, *(f"not known: {u}" for u in score.unknown)):
            yield " " * HEAD + self._spoken(text)

    def _who(self, seat: str) -> str:
        return self.state.terms.names.get(seat, seat)


def _label(phase: str) -> str:
    """The name of a phase, short enough for a label.

    >>> _label("bidding"), _label("naming trumps"), _label("the calls of both")
    ('bidding', 'naming', 'calls')
    """
    words = [w for w in phase.split() if w not in ("a", "an", "the")]
    return " ".join(words) if len(" ".join(words)) <= 9 else words[0]


def _reading_order(card: str) -> tuple[int, int]:
    face = item(card).card
    if len(face) != 2:
        return 9, 0
    return _SUITS.find(face[1]), _RANKS.find(face[0])
