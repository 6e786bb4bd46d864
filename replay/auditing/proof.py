"""A log read to its end: the state before each act with what later events prove, and the trace of one card."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, Protocol

from events import model as ev
from events.card_lists import cards_in
from events.cards import pretty, pretty_all
from events.model import Event
from reducers.evolve import ensure_hand_started, evolve
from reducers.first_state import begin
from reducers.legal import acts_of, begins_unwritten, plans
from reducers.model import State, attribute_names
from reducers.pile_words import pile_in_words, where_card_lies
from reducers.rules import Verdict
from reducers.silent_acts import put_in_unwritten
from reducers.table import Pile
from reducers.words.beating import plays_on_table_of
from reducers.words.tricks import tricks_in
from replay.auditing.audit_shapes import ProofLink
from replay.judging.contradictions import reading_of
from replay.judging.hindsight import CardProof, apply_proofs
from replay.log import NumberedEvent
from replay.read_log import ReadLog
from replay.table.wording import cards_in_words, describe_event, sorted_cards


class WalkingOnlooker(Protocol):
    """An observer of a walk over a log."""

    def look(self, step: int, placed: NumberedEvent, event: Event, state: State[Any]) -> None:
        """Called before each event, with the state before it, which must not be changed."""

    def look_back(self, state: State[Any]) -> None:
        """Called at the end of the log; an onlooker may have nothing left to do there."""
        return


class HindsightReplay:
    """A log read to its end: for each event the state just before it, with what later events prove."""

    def __init__(self, log: ReadLog) -> None:
        self.log, self.view = log, log.view
        reading = log.once(reading_of)
        self.hand_at: Sequence[int] = reading.hand_at
        self.events: Sequence[Event] = reading.events
        self.proofs: Sequence[CardProof] = reading.proofs
        self.inferred: Mapping[int, tuple[str, ...]] = reading.inferred
        self.game = begin(self.view.opening.facts).game
        self.pack = self.game.pack
        self.step = self.view.steps()

    def pos(self, step: int) -> int:
        """The position of a step."""
        return self.view.events[step - 1].n if 0 < step <= len(self.view.events) else 0

    def walk(self, *onlookers: WalkingOnlooker) -> None:
        """Walk over the log once for all onlookers."""
        for step, placed, event, state in self.stations():
            for one in onlookers:
                one.look(step, placed, event, state)
        if self.events:
            for one in onlookers:
                one.look_back(state)

    def stations(self) -> Iterator[tuple[int, NumberedEvent, Event, State[Any]]]:
        """Yield each event with the state just before it.

        The state belongs to the walk, which changes it to the end of the log; copy it to keep it.
        """
        state = begin(self.view.opening.facts)
        for step, event in enumerate(self.events, 1):
            placed = self.view.events[step - 1]
            state.at, state.table.now = placed.n, step
            self.lay(state, step)
            yield step, placed, event, state
            evolve(state, event)
            state.table.trouble.clear()

    def lay(self, state: State[Any], step: int) -> None:
        """Add what later events prove to be in each pile before this step."""
        apply_proofs(state, self.standing(step))

    def standing(self, step: int) -> list[CardProof]:
        """The cards in a pile before this step that were unseen and are identified later."""
        by_hand = self.__dict__.setdefault("_by_hand", {})
        if not by_hand:
            for proof in self.proofs:
                by_hand.setdefault(self.hand_at[proof.until - 1], []).append(proof)
        hand = self.hand_at[step - 1] if step <= len(self.hand_at) else 0
        return [p for p in by_hand.get(hand, ()) if p.since < step <= p.until]

    # -- the way of one card ------------------------------------------------------------------------------------------

    def way(self, card: str, holder: str, step: int, state: State[Any]) -> tuple[str, list[ProofLink]]:
        """How it is known that a card was with `holder` before a step: a sentence, and its positions."""
        pack = state.game.pack
        at = self.pos(step)
        held = (
            f"{holder} held {pretty(card)} at {at}" if holder in state.terms.side_of
            else f"{pretty(card)} lay {where_card_lies(holder, state.table.called)} at {at}"
        )
        links: list[ProofLink] = []
        parts: list[str] = []
        code = pack.code.get(card, pack.unknown)
        proof = next((p for p in self.standing(step) if p.pile == holder and p.code == code), None)
        pile = state.table.piles.get(holder)
        if proof is not None and not (pile is not None and pile.known & pack.field[code]):
            came, link = self._came(proof, state)
            parts += [came, "no card taken since"]
            links.append(link)
            gone = self._left(card, proof.until)
            parts.append(gone.text)
            links.append(ProofLink(gone.pos, describe_event(self.events[proof.until - 1], self.game)))
            named = self.inferred.get(self.pos(proof.until), ())
            if card in named:
                parts[-1] += ", inferred: no other card of the pack was left for it"
        else:
            before = self._sighting(card, step, -1)
            if before is not None:
                parts.append(before[1])
                links.append(ProofLink(self.pos(before[0]), describe_event(self.events[before[0] - 1], self.game)))
            after = self._sighting(card, step, 1)
            if after is not None and holder in state.terms.side_of:
                parts.append(after[1])
                links.append(ProofLink(self.pos(after[0]), describe_event(self.events[after[0] - 1], self.game)))
        return held + (": " + ", ".join(parts) if parts else ""), links

    def _came(self, proof: CardProof, state: State[Any]) -> tuple[str, ProofLink]:
        """When this unseen card came, with the others dealt or drawn with it."""
        if not proof.since:
            return "dealt before the first event", ProofLink(0, "the deal, which nobody wrote")
        pos, event = self.pos(proof.since), self.events[proof.since - 1]
        if isinstance(event, ev.Deal):
            return f"dealt at {pos}", ProofLink(pos, f"the deal: {self._share(event, proof.pile)}")
        if isinstance(event, ev.Draw) and event.by == proof.pile:
            return f"drawn at {pos}", ProofLink(pos, describe_event(event, self.game))
        first = proof.since + 1
        if isinstance(event, ev.Hand) and self._first_acts.get(self.hand_at[proof.since - 1]) == first:
            pos, event = self.pos(first), self.events[first - 1]
            said = f"the deal came before this, and nobody wrote it ({describe_event(event, self.game)})"
            return f"dealt before {pos}", ProofLink(pos, said)
        if isinstance(event, ev.Hand):
            return f"dealt with the hand at {pos}", ProofLink(pos, describe_event(event, self.game))
        if self._first_acts.get(self.hand_at[proof.since - 1]) == proof.since:
            said = f"the deal came before this, and nobody wrote it ({describe_event(event, self.game)})"
            return f"dealt before {pos}", ProofLink(pos, said)
        if isinstance(event, ev.Play | ev.Capture):
            return f"dealt after {pos}", ProofLink(
                pos, f"a deal came after this, and nobody wrote it ({describe_event(event, self.game)})",
            )
        return f"there since {pos}", ProofLink(pos, describe_event(event, self.game))

    @staticmethod
    def _share(event: ev.Deal, pile: str) -> str:
        cards = next((c for name, c in event.piles if name.removeprefix("hand:") == pile), ())
        return f"{cards_in_words(cards)} to {pile}" if cards else f"{pile} gets cards"

    def _left(self, card: str, step: int) -> ProofLink:
        return ProofLink(self.pos(step), f"{_done(self.events[step - 1], card)} at {self.pos(step)}")

    def _sighting(self, card: str, step: int, way: Literal[-1, 1]) -> tuple[int, str] | None:
        """The nearest event in the hand, before (-1) or after (1) a step, that names a card: its step, and what
        happened to the card; None if there is none."""
        steps = self._named.get(card, ())
        i = bisect_left(steps, step) - 1 if way < 0 else bisect_right(steps, step)
        if not 0 <= i < len(steps) or self._begins_between(*sorted((step, steps[i]))):
            return None
        return steps[i], f"{_done(self.events[steps[i] - 1], card)} at {self.pos(steps[i])}"

    def _begins_between(self, low: int, high: int) -> bool:
        """True if a hand line is between two steps."""
        i = bisect_right(self._begins, low)
        return i < len(self._begins) and self._begins[i] < high

    def last_play(self, seat: str, before: int) -> int:
        """The last play of a seat before a step; 0 if there is none."""
        steps = self._plays.get(seat, ())
        i = bisect_left(steps, before)
        return steps[i - 1] if i else 0

    @cached_property
    def _named(self) -> dict[str, list[int]]:
        """The steps at which each card is named."""
        out: dict[str, list[int]] = {}
        for step, event in enumerate(self.events, 1):
            for card in {c.partition("=")[0] for c in cards_in(event)}:
                out.setdefault(card, []).append(step)
        return out

    @cached_property
    def _begins(self) -> list[int]:
        """The steps of the hand lines."""
        return [step for step, event in enumerate(self.events, 1) if isinstance(event, ev.Hand)]

    @cached_property
    def _plays(self) -> dict[str, list[int]]:
        """The steps at which each seat played."""
        out: dict[str, list[int]] = {}
        for step, event in enumerate(self.events, 1):
            if isinstance(event, ev.Play):
                out.setdefault(event.by, []).append(step)
        return out

    @cached_property
    def _first_acts(self) -> dict[int, int]:
        """The step of the first act of each hand."""
        out: dict[int, int] = {}
        for step, (hand, event) in enumerate(zip(self.hand_at, self.events, strict=True), 1):
            if isinstance(event, ev.Play | ev.Capture | ev.Bid | ev.Pass | ev.Discard | ev.Call | ev.Name):
                out.setdefault(hand, step)
        return out


def _done(event: Event, card: str) -> str:
    """What an event did with a card."""
    if isinstance(event, ev.Capture):
        return "used to capture" if any(c.partition("=")[0] == card for c in event.cards) else "captured"
    words: dict[type[Any], str] = {
        ev.Deal: "dealt", ev.Play: "played", ev.Draw: "drawn", ev.Discard: "discarded", ev.Show: "shown",
        ev.Move: "moved", ev.Meld: "melded", ev.Arrange: "laid down",
    }  # fmt: skip
    return words.get(type(event), "seen")


def middle_before(state: State[Any], memory: HindsightReplay, step: int) -> str:
    """The cards in the middle before a step: the plays so far, with their positions, or the board."""
    plays = plays_on_table(state)
    if plays:
        out, before = [], step
        for seat, codes in reversed(plays):
            before = memory.last_play(seat, before)
            out.append(
                f"{seat} {pretty_all(state.game.pack.tokens[c] for c in codes)}"
                + (f" ({memory.pos(before)})" if before else "")
            )
        return "trick: " + ", ".join(reversed(out))
    board = state.table.piles.get("board")
    if board is not None and len(board):
        cards = [state.game.pack.tokens[c] for c in board.codes()]
        # A pile seen by its top card, or cards turned one after the other, stay in order.
        told = pretty_all(sorted_cards(cards) if board.row is None else cards)
        return f"{pile_in_words(board.name, state.table.called).removeprefix('the ')}: {told}"
    return ""


def tricks_of(hand: Any) -> Any:
    """The object with the tricks of a hand (`plays` and `won`); None in a game without tricks."""
    found = tricks_in(hand)
    if found is None and isinstance(
        getattr(hand, "plays", None), list,
    ) and isinstance(getattr(hand, "won", None), list):
        return hand
    return found


def plays_on_table(state: State[Any]) -> list[tuple[str, tuple[int, ...]]]:
    """The plays on the table, each a seat and its cards, oldest first: a trick in progress, or plays to be beaten."""
    keeper = tricks_of(state.hand)
    if keeper is not None and keeper.plays:
        return [(seat, (code,)) for seat, code in keeper.plays]
    return list(plays_on_table_of(state.hand))


def state_before_act(event: Event, state: State[Any]) -> State[Any]:
    """A copy of the state in which this act can be checked: the hand has begun, and unrecorded acts implied by it
    have happened."""
    mine = state.copy()
    if begins_unwritten(event, mine):
        ensure_hand_started(mine)
    if type(event) in acts_of(mine.game.key) and not mine.ended and type(event) not in plans(mine.game.key)[mine.phase]:
        put_in_unwritten(event, mine)
    return mine


class Watched(Pile):
    """A pile that adds its name to `asked` when it is queried."""

    __slots__ = ("asked",)

    def __init__(self, pile: Pile, asked: list[str]) -> None:
        for name in attribute_names(pile):
            setattr(self, name, getattr(pile, name))
        self.asked = asked

    def any_of(self, mask: int) -> bool | None:
        self.asked.append(self.name)
        return super().any_of(mask)

    def how_many(self, mask: int) -> tuple[int, int]:
        self.asked.append(self.name)
        return super().how_many(mask)

    def may_hold(self) -> int:
        self.asked.append(self.name)
        return super().may_hold()

    @property
    def certain(self) -> int:
        self.asked.append(self.name)
        return super().certain

    @property
    def hidden(self) -> int:
        self.asked.append(self.name)
        return super().hidden


def piles_asked(rule: str, event: Event, state: State[Any]) -> list[str]:
    """The piles with hidden cards that the check of a rule queries about this act. The state is not changed."""
    plain = not begins_unwritten(event, state) and type(event) in plans(state.game.key)[state.phase]
    mine = state if plain else state_before_act(event, state)
    names: list[str] = []

    hidden = {p.name for p in mine.table.piles.values() if p.hidden > 0 or p.vague}
    watched: dict[int, Pile] = {id(pile): Watched(pile, names) for pile in mine.table.piles.values()}
    piles = list(watched.values())
    mine = mine.copy(watched)
    for pile in piles:
        pile.table = mine.table
    for asked in plans(mine.game.key)[mine.phase].get(type(event), ()):
        if asked.rule.id == rule:
            names.clear()
            says = asked.run(event, mine)
            if says is not None and says.verdict == Verdict.OPEN:
                break
    else:
        names.clear()
    return [n for n in dict.fromkeys(names) if n in hidden]
