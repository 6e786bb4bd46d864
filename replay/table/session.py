"""One match that is being recorded: lines are read, taken, corrected, taken back and answered.

`replay.table.line_reader` finds the meaning of a line. A session writes nothing; the caller stores the events and
passes them back with their positions.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from typing import Any

from msgspec import Struct

from events import model as ev
from events.entries import build_event, read_args
from events.errors import NotationError
from events.model import Event, Recorded
from events.packs import FRENCH, TablePack
from reducers.evolve import evolve
from reducers.model import Game, State
from reducers.scoring import HandScore, figure, signed
from replay.budget import budget_for
from replay.comparing.kept_verdict import keeps_verdict
from replay.fold import Corrected, apply_events, corrected, standing_before
from replay.judging.correction import SuggestedCorrection
from replay.judging.findings import Finding
from replay.judging.offers import depending, is_physical
from replay.languages.translate import in_language, one_of_them, t
from replay.log import NumberedEvent
from replay.plain_text import player_names, with_player_names
from replay.table.acts_of_findings import with_their_acts
from replay.table.event_sentences import how_it_ended
from replay.table.impossible_lines import doubts_about_fix
from replay.table.line_reader import Draft, LineReader, revocable
from replay.table.shorthand import is_bare, spoken_act, spoken_fix
from replay.table.typed_signs import facts_by_name
from replay.table.wording import who_is_to_act


class LineAnswer(Struct, frozen=True):
    """One line of answer, the findings to show now, and the corrections that would explain them, each offered once.
    `next` is the part of the line that says who acts next."""

    line: str
    findings: tuple[Finding, ...] = ()
    offers: tuple[SuggestedCorrection, ...] = ()
    next: str = ""


class Session:
    """A match that is being recorded. `records` is its log so far, `state` the position.

    Findings that become provable during a hand are held back until it ends, so that a recorder does not coach the
    table; `alert` shows them at once. Lines are typed with the cards of `pack`.
    """

    def __init__(self, records: Sequence[Recorded], *, alert: bool = False, pack: TablePack = FRENCH) -> None:
        self.records = list(records)
        self.alert, self.pack = alert, pack
        self.view: Corrected
        self.state: State[Any]
        # For events of this session, the position of the first event of their line.
        self._line_of: dict[int, int] = {}
        # Findings that were told. Those about the hands before this session count as told; they are judged when needed.
        self._told: set[tuple[str, int]] | None = set() if alert else None
        self._offered: set[tuple[str, ...]] = set()
        self._refold()
        self._began = len(self.records), self.state.number

    def _refold(self) -> None:
        self.view = corrected(self.records)
        self.state = apply_events(self.view.opening, self.view.events)

    @property
    def reader(self) -> LineReader:
        """A reader for the current position."""
        return LineReader(self.records, self.view, self.state, self.pack)

    def complete(self, line: str) -> Draft:
        """Return the meaning of a line. Raises NotationError, which says what was expected, or shows all readings."""
        return self.reader.complete(line)

    def typed_with(self, pack: TablePack) -> Session:
        """The match at the same position, for lines typed with the cards of this pack."""
        there = copy(self)
        there.pack = pack
        return there

    def in_place_of(self, n: int, *, behind: bool = False) -> Session:
        """The match as it was before event `n`, or right after it, to correct it."""
        there = copy(self)
        there.view = standing_before(self.view, n, behind=behind)
        there.state = apply_events(there.view.opening, there.view.events)
        return there

    @property
    def of_the_record(self) -> LineReader:
        """A reader for lines written with French cards, whatever pack is on the table."""
        return LineReader(self.records, self.view, self.state)

    def expected(self) -> str:
        """What is expected now, in words."""
        return self.reader.expected()

    # -- corrections --------------------------------------------------------------------------------------------------

    def fix(self, at: int, words: str) -> Draft:
        """A correction given by its position and the words of the new event; a bid needs no verb."""
        if words.strip() in ("-", ""):
            return self.complete(f"fix {at}-")
        try:
            return self.complete(f"fix {at} {words}")
        except NotationError as error:
            old = self.reader.there(at, "replace")
            if old is None:
                raise
            try:
                said = self.reader.in_french(facts_by_name(read_args(f"fix {at} {words}"), self.state))[2:]
                event = build_event(old.by, ev.verb_of(old), said, seats=self.state.terms.seats)
            except NotationError:
                raise error from None
            assert not isinstance(event, ev.Fix)
            words_here = [
                p.bare for p in self.state.game.phases.values() if type(event) in p.acts and p.bare is not None
            ]
            if words_here and not any(is_bare(event, bare) for bare in words_here):
                raise
            correction = ev.Fix(by="@", at=at, how="replace", event=event)
            return Draft(
                (Recorded(n=0, event=correction),), doubts_about_fix(correction, self.view, self.records, self.state),
            )

    def undo(self, *, line: bool = False) -> Draft:
        """Take back the last act, or the whole last `line`: an act is struck out, a correction is reverted.

        Acts entered together (a trick on one line) have one time of entry; in this session their lines are known. The
        verdict stored with the last act of a match is taken back with it. Raises NotationError if nothing is left.
        """
        placed = {p.n: p for p in self.view.events}
        back: list[ev.Fix] = []
        again: list[Event] = []
        last: Recorded | None = None
        for r in reversed(self.records[1:]):
            if again and not (line and last is not None and self._on_one_line(r, last)):
                break
            fix = self._taken_back(r, placed)
            if fix is None:
                continue
            back.append(fix)
            last = r
            if not keeps_verdict(r.event):
                again.insert(0, r.event)
        if not back:
            raise NotationError("there is nothing to take back", expected="an event that has not been struck out")
        return Draft(tuple(Recorded(n=0, event=fix) for fix in back), takes_back=tuple(again))

    def _on_one_line(self, one: Recorded, other: Recorded) -> bool:
        return bool(one.time) and one.time == other.time and self._line_of.get(one.n) == self._line_of.get(other.n)

    def _taken_back(self, r: Recorded, placed: dict[int, NumberedEvent]) -> ev.Fix | None:
        """The fix that takes one record back; None if it is back already, or was itself an `undo`."""
        event = r.event
        if isinstance(event, ev.Fix) and event.how == "strike":
            struck = next((p for p in self.view.struck if p.n == event.at and p.at == r.n), None)
            went_on = any(event.at < p.n < r.n for p in self.view.events)
            return ev.Fix(
                by="@", at=event.at, how="replace", event=struck.event,
            ) if struck is not None and went_on else None
        if not isinstance(event, ev.Fix):
            stands = r.n in placed and versions_that_stand(placed[r.n])[-1][0] == r.n
            return ev.Fix(by="@", at=revocable(placed[r.n]), how="strike") if stands else None
        if event.how == "insert" and r.n in placed:
            return ev.Fix(by="@", at=revocable(placed[r.n]), how="strike")
        if event.how in ("replace", "turn") and event.at in placed:
            *before, (at, _) = versions_that_stand(placed[event.at])
            if before and at == r.n:
                revocable(placed[event.at])
                return ev.Fix(by="@", at=event.at, how=event.how, event=before[-1][1])
        return None

    # -- answering ----------------------------------------------------------------------------------------------------

    def take(self, recorded: Sequence[Recorded]) -> LineAnswer:
        """Fold events that have been stored, and say in one line what they changed."""
        before = (self.state.number, len(self.state.scores), self.state.settled, self.state.ended)
        sat = player_names(self.state.terms.sides, self.state.terms.names)
        before_it = self.view
        stood, scored = {p.n: p for p in self.view.events}, list(self.state.scores)
        simple = self.view.goes_on_with(*(r.event for r in recorded))
        table, troubles = self.state.table, len(self.state.table.trouble)
        self.records += recorded
        self._line_of |= dict.fromkeys([r.n for r in recorded], recorded[0].n)
        came, phases = dict[int, str](), dict[int, str]()
        if simple:
            for r in recorded:
                phases[r.n] = self.state.phase
                self.state.at = self.state.table.now = r.n
                evolve(self.state, r.event)
                if r is not recorded[-1] and (latest := self._latest(r.event)):
                    came[r.n] = latest
            self.view = corrected(self.records)
        else:
            self._refold()
        done = self.state.settled and (self.state.number, self.state.settled) != (before[0], before[2])
        done = done or bool(self.state.ended and not before[3])
        # A hand left unfinished is over once the next one begins.
        left = {before[0]} if before[0] and not before[2] and self.state.number > before[0] else set()
        left |= {
            score.number for score in self.state.scores[before[1] :] if score.source == "nothing"
            and score.number < self.state.number
        }
        # A contradiction is the recorder's own mistake, so a correction is offered at once.
        clash = simple and len(self.state.table.trouble) > (troubles if self.state.table is table else 0)
        last = recorded[-1].event if recorded else None
        moved: tuple[SuggestedCorrection, ...] = ()
        if isinstance(last, ev.Fix) and last.how != "turn":
            from replay.judging.moved_tricks import cards_that_may_move

            moved = tuple(filter(None, [cards_that_may_move(before_it, self.view, last)]))
        self._offered.update(one.lines for one in moved)
        findings, offers = self._new_findings(done or not simple or self.alert or bool(left), clash, left)
        # A correction, or a late discovery, may change the result of a finished hand.
        known = {score.number: score.points for score in scored}
        tell = [score for score in self.state.scores if known.get(score.number, score.points) != score.points]
        if (
            done or (not tell and self._tells_a_result(recorded))
        ) and self.state.score is not None and self.state.score not in tell:
            tell.append(self.state.score)
        parts = [*self._line(recorded, stood, came, phases, tell, left, sat), self._after(recorded, done)]
        return LineAnswer(" · ".join(filter(None, parts)), findings, (*moved, *offers), parts[-1])

    def _new_findings(
        self, tell: bool, clash: bool, left: set[int]
    ) -> tuple[tuple[Finding, ...], tuple[SuggestedCorrection, ...]]:
        """The findings to show now, and the corrections to offer before them; `left` are hands that stopped short."""
        if not tell and not clash:
            return (), ()
        from replay.judging.judge import judge
        from replay.judging.repairs import suggest

        if self._told is None:
            known, number = self._began
            self._told = {(f.rule, f.at.pos) for f in judge(self.records[:known]).broken if f.at.hand < number}
        new, asked = [], []
        budget = budget_for(len(self.records))
        for f in judge(self.records, budget).broken:
            held = f.at.hand == self.state.number and not self.state.settled and not self.alert
            if (f.rule, f.at.pos) in self._told:
                continue
            if tell and not held:
                self._told.add((f.rule, f.at.pos))
                new.append(f)
                asked.append(f)
            elif clash and is_physical(f):
                asked.append(f)
        hands = {f.at.hand for f in asked} | left
        repairs = suggest(self.records, asked, within=hands, slips=1, budget=budget) if hands else []
        offers = tuple(r for r in repairs if r.lines not in self._offered)
        self._offered.update(r.lines for r in offers)
        return tuple(with_their_acts(depending(new, repairs), self.view, self.state)), offers

    def _tells_a_result(self, recorded: Sequence[Recorded]) -> bool:
        """True if the answer shows the score: for a complete result, even of the current hand; in a game with results
        only, for every line about one."""
        if self.state.game.has_cards and isinstance(recorded[-1].event, ev.Tally):
            return self.state.score is not None and None not in self.state.score.points.values()
        results = any(
            isinstance(r.event, ev.Tally | ev.Fix | ev.End) and not keeps_verdict(r.event) for r in recorded
        )
        return results and not (self.state.game.has_cards or self.state.past_match_end)

    def _latest(self, event: Event) -> str:
        """The outcome of an act, with the names of players."""
        if not self.state.number or isinstance(event, ev.ABOUT):
            return ""
        text, terms = self.state.game.display.last_outcome_text(self.state), self.state.terms
        return with_player_names(in_language(text, self.state.game.key), player_names(terms.sides, terms.names))

    def _line(
        self, recorded: Sequence[Recorded], stood: Mapping[int, NumberedEvent], came: Mapping[int, str],
        phases: Mapping[int, str], tell: Sequence[HandScore], left: Collection[int], sat: Mapping[str, str],
    ) -> list[str]:  # fmt: skip
        """The answer to a line: its acts, each but the last with its outcome (`came`), or the corrections of the
        events in `stood`; and results of hands. `phases` are the phases of the acts, `left` the unfinished hands,
        `sat` the names before the line."""
        first, last, game = recorded[0].n, recorded[-1].n, self.state.game
        called = player_names(self.state.terms.sides, self.state.terms.names)
        gone = {one.by.n: one.act for one in self.view.taken_back if one.by.n >= first}
        acts = ", ".join(
            with_player_names(_corrected(r.event, stood.get(r.event.at), game), called) if isinstance(r.event, ev.Fix)
            else with_player_names(
                t("event {n} is taken back: {act}", n=gone[r.n].n, act=spoken_act(gone[r.n].event, game)), called,
            )
            if r.n in gone
            else with_player_names(
                spoken_act(r.event, game, phases.get(r.n, "")), sat if isinstance(r.event, ev.Open) else called,
            )
            + (f" ({came[r.n]})" if r.n in came else "")
            for r in recorded
        )  # fmt: skip
        parts = [f"{first}–{last}  {acts}" if last > first else f"{last}  {acts}"]
        state = self.state
        latest = self._latest(recorded[-1].event)
        if latest:
            # The leader is named only once, as the seat to act.
            leads = t("{who} leads", who=one_of_them(map(state.terms.name, state.turn)))
            twice = leads if state.turn and state.game.phases[state.phase].to_do == "lead" else ""
            parts.append(", ".join(part for part in latest.split(", ") if part != twice))
        for score in tell:
            result = with_player_names(in_language(score.told, game.key), called)
            gains = ", ".join(f"{called[who]} {signed(points)}" for who, points in score.points.items())
            outcome = f"{result}: {gains}" if result else gains
            parts.append(t("hand {n}: {outcome}", n=score.number, outcome=outcome))
        if tell:
            totals = state.scores[-1].totals
            parts[-1] += " → " + ", ".join(f"{called[who]} {figure(totals.get(who))}" for who in tell[-1].points)
        parts += [
            t("hand {n} has no result; give it now with `r`", n=score.number) for score in state.scores
            if score.number in left and score.source == "nothing"
        ]
        return [*parts, how_it_ended(state) if state.ended else ""]

    def _after(self, recorded: Sequence[Recorded], done: bool) -> str:
        """What comes next; empty if the match or a hand is over."""
        state = self.state
        if state.ended or (done and not state.turn):
            return ""
        if isinstance(recorded[-1].event, ev.Tally) and state.turn:
            # More cards of the hand may follow its result; only `hand` excludes that.
            return t("`hand` begins the next; else {next}", next=self._next(state))
        return self._next(state)

    def _next(self, state: State[Any]) -> str:
        return who_is_to_act(state, state.terms.name) if state.turn else ""


def _corrected(fix: ev.Fix, old: NumberedEvent | None, game: Game) -> str:
    """A correction in words; it says whether the correction reverts the one before it."""
    before = versions_that_stand(old)[:-1] if old is not None and fix.how in ("replace", "turn") else []
    return spoken_fix(
        fix, old.event if old is not None else None, game, is_back=bool(before) and before[-1][1] == fix.event,
    )


def versions_that_stand(placed: NumberedEvent) -> list[tuple[int, ev.Plain]]:
    """The versions of an event, oldest first, each with its position, without those that were reverted."""
    stand: list[tuple[int, ev.Plain]] = []
    for at, event in (*placed.was, (placed.at, placed.typed or placed.event)):
        if len(stand) > 1 and stand[-2][1] == event:
            stand.pop()
        else:
            stand.append((at, event))
    return stand


__all__ = ["LineAnswer", "Draft", "Session"]
