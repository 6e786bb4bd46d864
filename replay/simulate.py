"""Simulate whole matches at random: legal ones, ones with breaches of the rules, and logs with slips of the recorder.

The game module defines the acts of chance and the likelihood of acts; its checks define which are legal. The same
game and seed give the same log on every machine. Deliberate errors are listed in a `Truth` beside the log, to test a
judge with.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import combinations, islice, product
from random import Random
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from events import model as ev
from events.cards import SUITS, Pack, is_face
from events.errors import KibitzError, UnreadableError, UsageError
from events.model import Event, Recorded
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.legal import legal, objections
from reducers.model import State
from reducers.registry import find_game, page_for
from reducers.seating import for_the_next_hand
from replay.log import first_opening
from replay.typos import near_miss

START = datetime(2026, 1, 3, 19, 0, 0, tzinfo=UTC)
"""The start of every simulated match: a fixed time, so that equal seeds give equal bytes."""
RECORDER = "simulation"
MOST_EVENTS = 100_000
MOST_TRIED = 500


class SimulationError(KibitzError):
    """A simulated match that gets stuck or does not end, by a fault of the game module."""

    exit_code = 4


class SimulatedBreach(Struct, frozen=True):
    """An act that broke rules on purpose: its position, the ids of the rules, and the act itself, or the later one
    that shows it."""

    position: int
    rules: tuple[str, ...]
    act: Event


class Slip(Struct, frozen=True):
    """An error of the recorder: `was` is what really happened.

    forgotten: `was` happened before the line at `position`. mistyped: `was` happened at `position`, with another
    card. swapped: `was` and then the line before it; it should be at `position`, and is one later.
    """

    kind: Literal["forgotten", "mistyped", "swapped"]
    position: int
    was: Event


class Truth(Struct, frozen=True):
    """The breaches in a simulated log and the slips of its recorder, with positions in that log."""

    game: str
    breaches: tuple[SimulatedBreach, ...] = ()
    slips: tuple[Slip, ...] = ()

    def to_json(self) -> bytes:
        """The truth as JSON, for a file beside the log."""
        return msgspec.json.format(msgspec.json.encode(self, order="sorted"), indent=1) + b"\n"

    @classmethod
    def from_json(cls, data: bytes) -> Truth:
        """Read what `to_json` wrote. Raises UnreadableError for anything else."""
        try:
            return msgspec.json.decode(data, type=cls)
        except (msgspec.DecodeError, UnicodeDecodeError) as e:
            raise UnreadableError(str(e), expected="the truth written beside a simulated log") from None


# -- playing


def simulate(
    game_key: str,
    *,
    seed: int | str,
    hands: int | None = None,
    seats: Iterable[str] | None = None,
    options: Mapping[str, Any] | None = None,
    names: Mapping[str, str] | None = None,
    dealer: str | None = None,
    between: Callable[[State[Any]], Iterable[Event]] | None = None,
) -> list[Recorded]:
    """Simulate a complete match without breaches, or its first `hands` hands; the seat `dealer` deals first, by
    default the last one. `between` gives events between hands: players who join or leave (`reducers.seating`).

    Raises SimulationError if the game module lets the match get stuck or go on forever, UnreadableError for seats or
    options the game does not have, NotFoundError for an unknown game.
    """
    return _Walk(game_key, seed, hands, seats, options, names, dealer=dealer, between=between).run()[0]


def simulate_breaches(
    game_key: str,
    *,
    seed: int | str,
    p: float = 0.1,
    hands: int | None = None,
    seats: Iterable[str] | None = None,
    options: Mapping[str, Any] | None = None,
    names: Mapping[str, str] | None = None,
) -> tuple[list[Recorded], Truth]:
    """Simulate a match in which, with probability `p`, an act breaks a rule with cards that are really held; play
    goes on.

    The truth names the rules that are broken when everything is known.
    """
    return _Walk(game_key, seed, hands, seats, options, names, p).run()


def derived_seed(seed: int | str, i: int) -> int:
    """The seed of match `i` of a series, the same on every machine.

    >>> derived_seed(7, 0) == derived_seed(7, 0), derived_seed(7, 0) == derived_seed(7, 1)
    (True, False)
    """
    return int.from_bytes(hashlib.sha256(f"{seed}/{i}".encode()).digest()[:6])


class _Walk:
    """One match being played."""

    def __init__(
        self,
        game_key: str,
        seed: int | str,
        hands: int | None,
        seats: Iterable[str] | None,
        options: Mapping[str, Any] | None,
        names: Mapping[str, str] | None,
        p: float = 0.0,
        dealer: str | None = None,
        between: Callable[[State[Any]], Iterable[Event]] | None = None,
    ) -> None:
        self.between, self.asked = between, 0
        if hands is not None and hands < 1:
            raise UsageError(f"{hands} hands cannot be played", expected="at least one")
        if not 0 <= p <= 1:
            raise UsageError(f"{p} is not a probability", expected="a number from 0 to 1")
        self.game, self.hands, self.p = find_game(game_key), hands, p
        self.random = Random(f"{game_key}/{seed}")
        # The clock has a random source of its own, so that the cards do not depend on it.
        self.ticks = Random(f"{game_key}/{seed}/clock")
        self.clock = START
        self.log: list[Recorded] = []
        self.breaches: list[SimulatedBreach] = []
        facts: ev.Facts = {"Game": game_key, "Date": f"{START:%Y-%m-%d}"}
        if seats is not None:
            facts["Seats"] = " ".join(seats)
        if options:
            facts["Option"] = dict(options)
        self.state: State[Any] = begin({**facts, **(names or {})})
        terms = self.state.terms
        for who in names or {}:
            if who not in terms.seats and who not in terms.sides:
                raise UsageError(f"'{who}' does not sit at this table", expected=f"one of {', '.join(terms.seats)}")
        if dealer is not None:
            if dealer not in terms.seats:
                raise UsageError(f"'{dealer}' does not sit at this table", expected=f"one of {', '.join(terms.seats)}")
            # The hand lines name the dealer; no tag does.
            self.state.dealer, self.state.terms = dealer, replace(terms, dealer=dealer)
        facts["Seats"] = " ".join(terms.seats)
        self._record(ev.Open(by="@", facts={**facts, **(names or {})}))

    def run(self) -> tuple[list[Recorded], Truth]:
        """Play to the end of the match, or of the requested hands."""
        state = self.state
        while not self._over():
            if state.settled and self.between is not None and self.asked < state.number:
                self.asked = state.number
                for event in self.between(state):
                    self._happen(event)
            if not state.turn or self.game.dealing.chance_acts_first(state):
                events = self.game.dealing.chance(for_the_next_hand(state), self.random)
                if not events:
                    raise self._stuck("no seat may act, and chance does nothing")
                for event in events:
                    self._happen(event)
            elif self.p and (breaches := self._mischief()):
                self.breaches += breaches
                self._happen(breaches[-1].act)
            elif self.p and not legal(state, limit=1).acts:
                # After breaches there may be no act left; the log stops there.
                break
            else:
                self._happen(self._choice())
            if len(self.log) > MOST_EVENTS:
                raise self._stuck(f"the hand does not end within {MOST_EVENTS} events")
        return self.log, Truth(self.game.key, tuple(self.breaches))

    def _over(self) -> bool:
        state = self.state
        if state.ended:
            return True
        if state.turn or not state.settled or state.number == 0:
            return False
        if self.hands is not None and state.number >= self.hands:
            return True
        if state.number >= self.game.simulation.most_hands:
            # Breaches may keep a match from ending, which is no fault of the game module.
            if self.p:
                return True
            raise self._stuck(f"the match does not end within {self.game.simulation.most_hands} hands")
        return False

    def _happen(self, event: Event) -> None:
        self._record(event)
        self.state.at = self.state.table.now = self.log[-1].n
        evolve(self.state, event)

    def _record(self, event: Event) -> None:
        time = f"{self.clock:%Y-%m-%dT%H:%M:%S}.{self.clock.microsecond // 1000:03}Z"
        self.log.append(Recorded(n=len(self.log), event=event, time=time, recorder=RECORDER))
        self.clock += timedelta(milliseconds=self.ticks.randrange(1500, 9000, 10))

    def _choice(self) -> Event:
        """A random legal act, weighted by the game."""
        options = legal(self.state).acts
        if not options:
            raise self._stuck(f"{' and '.join(self.state.turn)} may act, and no act is legal")
        weights = [self.game.simulation.weigh(self.state, act) for act in options]
        for act, weight in zip(options, weights, strict=True):
            if not 0 < weight < float("inf"):
                raise self._stuck(f"the weight of {act} is {weight}, and the act is legal")
        return self.random.choices(options, weights)[0]

    def _mischief(self) -> list[SimulatedBreach]:
        """Break a rule at random, or if no act is legal."""
        if self.random.random() < self.p or not legal(self.state, limit=1).acts:
            return self._breach()
        return []

    def _breach(self) -> list[SimulatedBreach]:
        """An act that breaks a rule, with each set of broken rules equally likely, or that shows an earlier act to
        have broken some: a breach for each of the two, the last with the act. Empty if none can be broken."""
        found: dict[tuple[tuple[int, tuple[str, ...]], ...], list[Event]] = {}
        for act in dict.fromkeys(attempts(self.state)):
            rules = broken_by(self.state, act)
            if rules:
                found.setdefault(tuple(rules.items()), []).append(act)
        while found:
            rules_of = self.random.choice(list(found))
            acts = found[rules_of]
            act = acts.pop(self.random.randrange(len(acts)))
            if not acts:
                del found[rules_of]
            if self._goes_on(act):
                return sorted(
                    (SimulatedBreach(at or len(self.log), rules, act) for at, rules in rules_of),
                    key=lambda b: b.position,
                )
        return []

    def _goes_on(self, act: Event) -> bool:
        """True if the cards allow the act, and the hand can be continued after it."""
        after = self.state.copy()
        evolve(after, act)
        if after.table.trouble:
            return False
        if any(
            pile.hidden > self.state.table.piles[name].hidden
            for name, pile in after.table.piles.items()
            if name in self.state.table.piles
        ):
            return False
        return not after.turn or bool(legal(after, limit=1).acts)

    def _stuck(self, what: str) -> SimulationError:
        where = f"{self.game.key}, hand {self.state.number}, event {len(self.log)}"
        return SimulationError(
            what, where=where, todo="The page of the game, or its house rules, do not let the match end."
        )


def attempts(state: State[Any]) -> Iterator[Event]:
    """Possible acts of the seats to act, legal or not: those the game proposes, and general variations."""
    proposed = list(islice(state.game.simulation.candidates(state), MOST_TRIED))
    yield from proposed
    yield from perturbed_acts(state, proposed[:3])
    phase = state.game.phases.get(state.phase)
    if phase is None:
        return
    lying = _known_on(state, "board")
    turned = tuple(_known_on(state, "stock")[-1:])
    from_stock = {act.by for act in proposed if isinstance(act, ev.Play | ev.Discard) and act.src == "stock"}
    for seat in state.turn:
        held = state.game.pack.cards(state.holding(seat).certain)
        for kind in phase.acts:
            if kind in (ev.Play, ev.Discard, ev.Capture):
                yield from _with_cards(kind, seat, held, lying, turned if seat in from_stock else ())
            else:
                yield from _said(kind, seat, state)


def _known_on(state: State[Any], name: str) -> list[str]:
    """The known cards of a pile from the bottom; none of the stock if its top card is unseen."""
    pile, pack = state.table.piles.get(name), state.game.pack
    codes = pile.codes() if pile is not None else []
    if name == "stock" and codes and codes[-1] >= pack.unknown:
        return []
    return [pack.faces[c] for c in codes if c < pack.unknown]


def _with_cards(
    kind: type[Event], seat: str, held: Sequence[str], lying: Sequence[str], turned: tuple[str, ...]
) -> Iterator[Event]:
    """Each held card played, discarded or used to capture; `turned` is the top card of the stock if it may be used."""
    if kind is ev.Capture:
        for card in held:
            yield from (ev.Capture(by=seat, cards=(card,), takes=(c,)) for c in lying)
            yield from (ev.Capture(by=seat, cards=(card,), takes=two) for two in combinations(lying, 2))
        return
    act = ev.Play if kind is ev.Play else ev.Discard
    yield from (act(by=seat, cards=(card,)) for card in held)
    if turned:
        yield act(by=seat, cards=turned, src="stock")


def _said(kind: type[Event], seat: str, state: State[Any]) -> Iterator[Event]:
    """The acts of a seat without a card."""
    if kind is ev.Bid:
        yield from (ev.Bid(by=seat, level=n, strain=s) for n in range(1, 14) for s in ("", "no", "nt", *SUITS))
    elif kind is ev.Pass:
        yield ev.Pass(by=seat)
    elif kind is ev.Name:
        yield from (ev.Name(by=seat, what=suit) for suit in SUITS)
    elif kind is ev.Call:
        yield from (ev.Call(by=seat, word=w) for w, gloss in state.game.words.items() if gloss.startswith("call"))


def perturbed_acts(state: State[Any], proposed: Iterable[Event]) -> Iterator[Event]:
    """Acts with several cards of a pile, with one card missing or replaced by another of that pile."""
    for act in proposed:
        if not isinstance(
            act, ev.Draw | ev.Discard | ev.Move,
        ) or len(act.cards) < 2 or act.src not in state.table.piles:
            continue
        yield replace(act, cards=act.cards[:-1])
        lying = [state.game.pack.tokens[c] for c in state.table.piles[act.src].codes()]
        others = [c for c in lying if is_face(c) and c not in act.cards]
        for i, other in product(range(len(act.cards)), others):
            yield replace(act, cards=(*act.cards[:i], other, *act.cards[i + 1 :]))


def broken_by(state: State[Any], act: Event) -> dict[int, tuple[str, ...]]:
    """The ids of the rules that the act would break in this position, under 0; and under the position of an earlier
    act those that it shows that act to have broken."""
    found: dict[int, dict[str, None]] = {}
    for rule, says in objections(state, act):
        if says.verdict == "broken":
            found.setdefault(says.at, {})[rule.id] = None
    return {at: tuple(rules) for at, rules in found.items()}


# -- the recorder's slips

NEVER = (ev.Open, ev.Hand, ev.Deal, ev.Shuffle, ev.End, ev.Tally, ev.Gap, *ev.ABOUT)
"""Events without slips: the frame of the hand, and remarks about the log."""


def with_slips(
    records: Iterable[Recorded], p: float, rng: Random, truth: Truth | None = None
) -> tuple[list[Recorded], Truth]:
    """Return the log as a hasty recorder would have typed it: each act is forgotten, mistyped or swapped with
    probability `p`.

    `truth` is the existing truth of the log; its positions are adjusted. Raises UsageError for a log that refers to
    its own positions, as those would no longer fit.
    """
    log = list(records)
    for r in log:
        if isinstance(r.event, ev.Fix) or getattr(r.event, "refs", None):
            raise UsageError(f"event {r.n} refers to another", todo="Slips are made on a log without corrections.")
    game = page_for(first_opening(log).facts)
    out: list[Recorded] = []
    slips: list[Slip] = []
    moved: dict[int, int] = {}

    def keep(r: Recorded, event: Event, was_at: int) -> None:
        n = log[0].n + len(out)
        moved[was_at] = n
        out.append(replace(r, n=n, event=event))

    i = 0
    while i < len(log):
        r = log[i]
        here = log[0].n + len(out)
        kinds: list[Literal["forgotten", "mistyped", "swapped"]] = []
        if _typed(r.event) and rng.random() < p:
            kinds.append("forgotten")
            if isinstance(r.event, ev.Play | ev.Capture) and any(is_face(c) for c in r.event.cards):
                kinds.append("mistyped")
            if i + 1 < len(log) and _typed(log[i + 1].event) and log[i + 1].event != r.event:
                kinds.append("swapped")
        kind = rng.choice(kinds) if kinds else ""
        if kind == "forgotten":
            slips.append(Slip("forgotten", here, r.event))
        elif kind == "mistyped" and isinstance(r.event, ev.Play | ev.Capture):
            slips.append(Slip("mistyped", here, r.event))
            keep(r, mistyped_card(r.event, game.pack, rng), r.n)
        elif kind == "swapped":
            later = log[i + 1]
            slips.append(Slip("swapped", here, r.event))
            keep(r, later.event, later.n)
            keep(later, r.event, r.n)
            i += 1
        else:
            keep(r, r.event, r.n)
        i += 1
    before = truth or Truth(game.key)
    breaches = [replace(b, position=moved[b.position]) for b in before.breaches if b.position in moved]
    return out, Truth(game.key, tuple(breaches), (*before.slips, *slips))


def _typed(event: Event) -> bool:
    return event.by != "@" and not isinstance(event, NEVER)


def mistyped_card(event: ev.Play | ev.Capture, pack: Pack, rng: Random) -> Event:
    """Mistype one card of the event: a neighbour in rank, or the same rank in another suit."""
    cards = list(event.cards)
    at = rng.choice([i for i, c in enumerate(cards) if is_face(c)])
    card = cards[at]
    near = [c for c in pack.faces if c != card and near_miss(c, card)] or [c for c in pack.faces if c != card]
    cards[at] = rng.choice(near)
    return replace(event, cards=tuple(cards))
