"""The audit: every finding of the judge with its proof, and every open question with what would settle it.

`check` and `audit` ask one judge. The audit adds what a table wants to hear before it gives in: the rule in words, the
chain of positions that proves the break, what could have been done instead, what the rules make it cost, and for a
question that stays open whose unseen cards keep it so. Whoever cannot be proven wrong is not called wrong.

    broken  kaiser.R11 follow suit  hand 3, event 96: W plays 9♣; diamonds were led, and W holds one
    because W held J♦ at 96: dealt at 85, no card taken since, played at 118
    known   from event 118; W could know at once
    legal   J♦ (perhaps others)
"""

from __future__ import annotations

import copy
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from events.cards import GLYPHS, item, pretty, pretty_all, rank_of, suit_of
from events.entries import read_args, read_event
from events.errors import KibitzError, NotFoundError
from events.model import (
    ABOUT,
    Arrange,
    Bid,
    Call,
    Capture,
    Deal,
    Discard,
    Draw,
    Event,
    Fix,
    Hand,
    Meld,
    Move,
    Name,
    Pass,
    Play,
    Recorded,
    Show,
)
from events.tokens import written_pile
from events.writing import write_event
from reducers.game import Game, acts_of, begin, each_pile, evolve, in_hand, plans
from reducers.rules import Breach, Verdict
from reducers.scoring import Penalty
from reducers.state import State, names_of
from reducers.table import Pile
from reducers.words.beating import lying_in
from reducers.words.tricks import tricks_in
from replay.budget import cut_short
from replay.checking import check
from replay.fold import Placed, corrected
from replay.judge import OF_THE_RECORD, Finding, Judge, Judgement, Place, lay_over, one_or_another, without
from replay.offer import likewise
from replay.repair import FEW, physical
from replay.slots import Proof
from replay.worlds import Exact, exact

# So many acts or cards are named before the rest is counted.
MANY = 12
WIDTH = 100


class Link(Struct, frozen=True):
    """One link of a proof: a position and what happened there."""

    pos: int
    text: str


class Worlds(Struct, frozen=True):
    """The exact opinion on one finding: broken in `broken` of `worlds`; `complete` says that these are all there are.

    `text` is the whole in words, also where there is no opinion (`worlds` is 0 then).
    """

    verdict: str
    worlds: int
    broken: int
    complete: bool
    text: str


class Audited(Struct, frozen=True):
    """A finding with everything that belongs to it.

    `rule`, `heading`, `short`, `sentence` are the rule; `at`, `known_from` the positions (None while open); `act` is
    the act as written, `says` in words with what is wrong about it; `middle` what lay on the table then. `because` are
    the sentences of the proof, `chain` its positions in order. `legal` are acts known to have been possible instead,
    in words, `complete` says that these are all. `knew` says who could know it when; with `bound` it may have been known
    earlier than `known_from`. `cost` is what the rules of the
    game make of it. `unless` is the correction of the record that would remove it, while one is plausible; nobody is
    accused before that is looked into. `settles` are the things that would answer an open question, `exact` the second opinion, if asked.
    """

    rule: str
    verdict: str
    at: Place
    known_from: Place | None
    act: str
    by: str
    says: str
    heading: str = ""
    short: str = ""
    sentence: str = ""
    middle: str = ""
    cards: tuple[str, ...] = ()
    holder: str = ""
    because: tuple[str, ...] = ()
    chain: tuple[Link, ...] = ()
    knew: str = ""
    legal: tuple[str, ...] = ()
    complete: bool = False
    cost: str = ""
    settles: tuple[str, ...] = ()
    unless: str = ""
    exact: Worlds | None = None
    bound: bool = False


class Offer(Struct, frozen=True):
    """A correction of the recorder that would explain what was found: a sentence, the lines to type, what it removes.

    `after` are the lines of the corrections that come first, where it is about what these leave.
    """

    hand: int
    text: str
    lines: tuple[str, ...]
    removes: tuple[str, ...]
    after: tuple[str, ...] = ()


class Card(Struct, frozen=True):
    """A card of a reconstructed deal. `how` is "certain" (seen, then or later), "inferred" (by elimination) or "unknown".

    `at` is the position that showed it, 0 for one that nothing showed.
    """

    card: str
    how: str
    at: int = 0


class Packet(Struct, frozen=True):
    """Cards that came to one pile in one deal: what they were, as far as the whole log tells.

    `at` is the position of the deal (or of the act before or after which it happened unwritten), `may_be` the cards
    of which the unknown ones are some; `vague` says that nobody counted.
    """

    pile: str
    at: int
    cards: tuple[Card, ...]
    may_be: tuple[str, ...] = ()
    vague: bool = False


class Dealt(Struct, frozen=True):
    """The deal of a hand as reconstructed. `complete` says that no card of a packet is unknown."""

    hand: int
    packets: tuple[Packet, ...]
    complete: bool


class Tried(Struct, frozen=True):
    """How the exact opinion on a hand came about: so many worlds, whether these are all, and why it has none."""

    hand: int
    worlds: int
    complete: bool
    text: str


class Audit(Struct, frozen=True):
    """The audit of a match, or of one hand of it (`hand`, None for all): what is broken, what is open, the deals.

    What the record contradicts itself in comes first. `offers` are corrections that would explain findings; `illegal`
    are acts that break one rule or another whatever the hidden cards are, while each of those rules is open; `either`
    has these rules, by position.
    """

    match: str
    game: str
    name: str
    position: int
    hands: int
    hand: int | None
    broken: tuple[Audited, ...]
    open: tuple[Audited, ...]
    offers: tuple[Offer, ...]
    illegal: tuple[int, ...]
    deals: tuple[Dealt, ...]
    exact: tuple[Tried, ...] = ()
    # What was not looked at to its end, a sentence each.
    cuts: tuple[str, ...] = ()
    either: dict[int, tuple[str, ...]] = {}


class Held(Struct, frozen=True):
    """What lay in a pile at a moment.

    `seen` are the cards that were known there then, `later` those that only later events prove to have been there,
    `inferred` those that the rest of the pack leaves no other place; `hidden` is how many cards stay unknown, each of
    them one of `may_be`.
    """

    pile: str
    count: int
    seen: tuple[str, ...]
    later: tuple[str, ...]
    inferred: tuple[str, ...]
    hidden: int
    may_be: tuple[str, ...]
    vague: bool = False


class RuleSays(Struct, frozen=True):
    """What one rule says about the act: verdict, and in a sentence why, if it is not content."""

    rule: str
    short: str
    verdict: str
    text: str = ""


class About(Struct, frozen=True):
    """Everything known about one event.

    `says` is the event in words, `was` what stood there before a correction. `verdict` is that of the act: broken by a
    rule, open, or allowed; empty for what is no act. `rules` are all that were asked, `findings` those with proof.
    `proves` are the findings elsewhere for which this event is evidence.
    """

    pos: int
    hand: int
    event: str
    says: str
    was: tuple[str, ...]
    phase: str
    turn: tuple[str, ...]
    middle: str
    held: tuple[Held, ...]
    rules: tuple[RuleSays, ...]
    verdict: str
    findings: tuple[Audited, ...]
    proves: tuple[str, ...]
    remark: str = ""


# -- words ------------------------------------------------------------------------------------------------------------


def told(event: Event) -> str:
    """An event as one would tell it at the table.

    >>> told(Play(by="W", cards=("9c",))), told(Capture(by="A", cards=("Jd",), takes=("Js",)))
    ('W plays 9♣', 'A takes J♠ with J♦')
    >>> told(Bid(by="N", level=7, strain="no")), told(Pass(by="E"))
    ('N bids 7 no', 'E passes')
    """
    by = "the table" if event.by == "@" else event.by
    match event:
        case Play() | Discard() | Draw() | Move():
            verb = {Play: "plays", Discard: "discards", Draw: "draws", Move: "moves"}[type(event)]
            text = f"{by} {verb} {'everything' if event.cards == ('*',) else counted(event.cards)}"
            text += f" face {event.face}" if event.face else ""
            text += f" from {written_pile(event.src)}" if event.src else ""
            return text + (f" to {written_pile(event.to)}" if isinstance(event, Move) else "")
        case Capture():
            return f"{by} takes {'everything' if event.takes == ('*',) else counted(event.takes)} with {counted(event.cards)}"
        case Bid():
            return f"{by} bids {event.level or ''}{GLYPHS.get(event.strain, ' ' + event.strain)}".rstrip()
        case Pass():
            return f"{by} passes"
        case Name():
            return f"{by} names {GLYPHS.get(event.what, event.what)}"
        case Call():
            return f"{by} calls {' '.join(p for p in (event.word, event.what, counted(event.cards)) if p)}"
        case Show():
            return f"{by} shows {', '.join(counted(g) for g in event.groups)}"
        case Meld():
            groups = ", ".join(counted(g) for g in event.groups) + (f" from {written_pile(event.src)}" if event.src else "")
            return f"{by} adds {groups} to {written_pile(event.to)}" if event.to else f"{by} melds {groups}"
        case Arrange() if event.groups and not event.to:
            return f"{by} lays {', '.join(counted(g) for g in event.groups)}"
        case Hand():
            return f"hand {event.number}, dealt by {by}"
        case Deal():
            return "the deal"
    return write_event(event)


def counted(cards: Sequence[str]) -> str:
    """Cards in words; unseen ones counted.

    >>> counted(["7h", "3x??"]), counted(["??"]), counted(["*x??"])
    ('7♥ and 3 unseen cards', 'an unseen card', 'unseen cards nobody counted')
    """
    plain = [pretty(c) for c in cards if item(c).card != "??" or item(c).stands_for] if cards != ("*",) else []
    words = [" ".join(plain)] if plain else []
    for text in cards:
        if text == "*" or item(text).card != "??" or item(text).stands_for:
            continue
        n = item(text).count
        words.append("unseen cards nobody counted" if n is None else "an unseen card" if n == 1 else f"{n} unseen cards")
    return " and ".join(words)


def few(texts: Sequence[str], sep: str = " ", most: int = MANY) -> str:
    """The first of many, and how many more."""
    more = f" and {len(texts) - most} more" if len(texts) > most else ""
    return sep.join(texts[:most]) + more


def reading_order(card: str) -> tuple[int, int]:
    """Spades, hearts, diamonds, clubs, jokers; each suit from the top."""
    face = item(card).card
    suit = suit_of(face)
    return "shdc".find(suit) if suit in GLYPHS else len(GLYPHS), "AKQJT98765432?".find(rank_of(face)[0])


def sorted_cards(cards: Iterable[str]) -> list[str]:
    """Cards as a player would sort them."""
    return sorted(cards, key=reading_order)


def pile_words(name: str, seats: Iterable[str]) -> str:
    """A pile in words.

    >>> pile_words("W", "NESW"), pile_words("board", "AB"), pile_words("reserve:P", "PH")
    ('the hand of W', 'the board', 'the reserve of P')
    """
    stem, _, owner = name.partition(":")
    if stem in seats:
        return f"the hand of {name}"
    return f"the {stem} of {owner}" if owner and owner in seats else f"the pile {name}" if owner else f"the {name}"


# -- what the whole log knows -----------------------------------------------------------------------------------------


class Memory:
    """A log read to its end: at each event the state just before it, with what later events prove laid over it."""

    def __init__(self, records: Sequence[Recorded]) -> None:
        self.log = list(records)
        self.view = corrected(self.log)
        self.judge = Judge(self.view)
        self.judge.learn()
        self.events: list[Event] = list(self.judge.events)
        self.proofs: list[Proof] = list(self.judge.proofs)
        self.inferred: Mapping[int, tuple[str, ...]] = self.judge.inferred
        self.pack = begin(self.view.opening.facts).game.pack
        self.step = {p.n: i for i, p in enumerate(self.view.events, 1)}

    def pos(self, step: int) -> int:
        """What a step is called."""
        return self.view.events[step - 1].n if 0 < step <= len(self.view.events) else 0

    def stations(self) -> Iterator[tuple[int, Placed, Event, State[Any]]]:
        """Each event with the state just before it, and one last time (with no event) the state at the end.

        The state is the walk's own; whoever keeps it makes a copy.
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
        """Lay over each pile what later events prove to be in it before this step."""
        lay_over(state, self.standing(step))

    def standing(self, step: int) -> list[Proof]:
        """The cards that lay unseen in a pile before this step and turned out."""
        by_hand = self.__dict__.setdefault("_by_hand", {})
        if not by_hand:
            for proof in self.proofs:
                by_hand.setdefault(self.judge.hand_at[proof.until - 1], []).append(proof)
        hand = self.judge.hand_at[step - 1] if step <= len(self.judge.hand_at) else 0
        return [p for p in by_hand.get(hand, ()) if p.since < step <= p.until]

    # -- the way of one card ------------------------------------------------------------------------------------------

    def way(self, card: str, holder: str, step: int, state: State[Any]) -> tuple[str, list[Link]]:
        """How it is known that a card lay with `holder` before a step: a sentence, and the positions of it."""
        pack = state.game.pack
        at = self.pos(step)
        held = f"{holder} held {pretty(card)} at {at}" if holder in state.terms.side_of else f"{pretty(card)} lay in {pile_words(holder, state.terms.seats)} at {at}"
        links: list[Link] = []
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
            links.append(Link(gone.pos, told(self.events[proof.until - 1])))
            named = self.inferred.get(self.pos(proof.until), ())
            if card in named:
                parts[-1] += ", inferred: no other card of the pack was left for it"
        else:
            before = self._sighting(card, range(step - 1, 0, -1))
            if before is not None:
                parts.append(before[1])
                links.append(Link(self.pos(before[0]), told(self.events[before[0] - 1])))
            after = self._sighting(card, range(step + 1, len(self.events) + 1))
            if after is not None and holder in state.terms.side_of:
                parts.append(after[1])
                links.append(Link(self.pos(after[0]), told(self.events[after[0] - 1])))
        return held + (": " + ", ".join(parts) if parts else ""), links

    def _came(self, proof: Proof, state: State[Any]) -> tuple[str, Link]:
        """When the unseen cards came of which this is one."""
        if not proof.since:
            return "dealt before the first event", Link(0, "the deal, which nobody wrote")
        pos, event = self.pos(proof.since), self.events[proof.since - 1]
        if isinstance(event, Deal):
            return f"dealt at {pos}", Link(pos, f"the deal: {self._share(event, proof.pile)}")
        if isinstance(event, Draw) and event.by == proof.pile:
            return f"drawn at {pos}", Link(pos, told(event))
        if isinstance(event, Hand):
            return f"dealt with the hand at {pos}", Link(pos, told(event))
        first = next((i for i, n in enumerate(self.judge.hand_at, 1) if n == self.judge.hand_at[proof.since - 1] and isinstance(self.events[i - 1], Play | Capture | Bid | Pass | Discard | Call | Name)), 0)
        if first == proof.since:
            return f"dealt before {pos}", Link(pos, f"before this the deal, which nobody wrote ({told(event)})")
        if isinstance(event, Play | Capture):
            return f"dealt after {pos}", Link(pos, f"after this a deal, which nobody wrote ({told(event)})")
        return f"there since {pos}", Link(pos, told(event))

    @staticmethod
    def _share(event: Deal, pile: str) -> str:
        cards = next((c for name, c in event.piles if name.removeprefix("hand:") == pile), ())
        return f"{counted(cards)} to {pile}" if cards else f"{pile} gets cards"

    def _left(self, card: str, step: int) -> Link:
        return Link(self.pos(step), f"{_done(self.events[step - 1], card)} at {self.pos(step)}")

    def _sighting(self, card: str, steps: Iterable[int]) -> tuple[int, str] | None:
        """The next of these steps, within the hand, that names a card: the step, and what happened to the card."""
        for step in steps:
            event = self.events[step - 1]
            if isinstance(event, Hand):
                return None
            if without(event, (card,)) != event:
                return step, f"{_done(event, card)} at {self.pos(step)}"
        return None


def _done(event: Event, card: str) -> str:
    """What an event did with a card."""
    if isinstance(event, Capture):
        return "used to capture" if any(c.partition("=")[0] == card for c in event.cards) else "captured"
    words: dict[type[Any], str] = {
        Deal: "dealt", Play: "played", Draw: "drawn", Discard: "discarded", Show: "shown", Move: "moved", Meld: "melded",
        Arrange: "laid down",
    }  # fmt: skip
    return words.get(type(event), "seen")


def middle_of(state: State[Any], memory: Memory, step: int) -> str:
    """What lies in the middle before a step: the plays so far, with their positions, or the board."""
    plays = laid(state)
    if plays:
        out, before = [], step
        for seat, codes in reversed(plays):
            back = (i for i in range(before - 1, 0, -1) if isinstance(memory.events[i - 1], Play) and memory.events[i - 1].by == seat)
            before = next(back, 0)
            out.append(f"{seat} {pretty_all(state.game.pack.tokens[c] for c in codes)}" + (f" ({memory.pos(before)})" if before else ""))
        return "trick: " + ", ".join(reversed(out))
    board = state.table.piles.get("board")
    if board is not None and len(board):
        return "board: " + pretty_all(sorted_cards(state.game.pack.tokens[c] for c in board.codes()))
    return ""


def tricks_of(hand: Any) -> Any:
    """What keeps the tricks of a hand, in a game that has them: something with `plays` and `won`; else None."""
    found = tricks_in(hand)
    if found is None and isinstance(getattr(hand, "plays", None), list) and isinstance(getattr(hand, "won", None), list):
        return hand
    return found


def laid(state: State[Any]) -> list[tuple[str, tuple[int, ...]]]:
    """The plays that lie on the table, each a seat and its cards, oldest first: a trick in progress, or what is to be beaten."""
    keeper = tricks_of(state.hand)
    if keeper is not None and keeper.plays:
        return [(seat, (code,)) for seat, code in keeper.plays]
    return list(lying_in(state.hand))


# -- the audit --------------------------------------------------------------------------------------------------------


def audit(
    records: Iterable[Recorded], *, hand: int | None = None, derived: Iterable[tuple[int, str]] = (), second: bool = False
) -> Audit:
    """Audit a log, or one hand of it; with `second` the exact opinion stands beside each finding.

    Raises NotFoundError for a hand the log does not have, and like `replay.judge.judge`.
    """
    log = list(records)
    memory, judgement = Memory(log), check(log, derived)
    return audit_of(memory, judgement, hand=hand, second=second)


def audit_of(memory: Memory, judgement: Judgement, *, hand: int | None = None, second: bool = False) -> Audit:
    """The audit of a log that is already judged. Raises NotFoundError for a hand the log does not have."""
    state = judgement.state
    known = {n for n in memory.judge.hand_at if n} | {f.at.hand for f in judgement.findings}
    if hand is not None and hand not in known:
        last = max(known, default=0)
        raise NotFoundError(f"there is no hand {hand}", expected=f"a hand from 1 to {last}" if last else "a match that has begun")
    findings = [f for f in judgement.findings if hand is None or f.at.hand == hand]
    opinions: dict[int, Exact] = {}
    if second:
        wanted = [hand] if hand is not None else sorted({f.at.hand for f in findings if f.at.hand})
        opinions.update({e.hand: e for e in exact(memory.log, hand=wanted)})
    findings.sort(key=lambda f: 0 if physical(f) else 2 if f.unless is None else 1)
    audited = Auditor(memory, judgement, opinions).all(findings)
    of_hand = {p.n for p, n in zip(memory.view.events, memory.judge.hand_at, strict=True) if hand in (None, n)}
    deals = [deal_in(memory, n) for n in ([hand] if hand is not None else sorted({f.at.hand for f in findings if f.at.hand}))]
    return Audit(
        match=str(state.terms.facts.get("Match", "")), game=state.game.key, name=state.game.name,
        position=memory.log[-1].n, hands=state.number, hand=hand,
        broken=tuple(a for a in audited if a.verdict == Verdict.BROKEN),
        open=tuple(a for a in audited if a.verdict == Verdict.OPEN),
        offers=tuple(
            Offer(r.hand, r.text, r.lines, tuple(f"{x.rule} at event {x.pos}" for x in r.removes), r.after)
            for r in judgement.repairs if hand in (None, r.hand)
        ),
        illegal=tuple(n for n in judgement.illegal if n in of_hand),
        deals=tuple(d for d in deals if d.packets),
        exact=tuple(Tried(e.hand, e.worlds, e.complete, worlds_words(e)) for e in opinions.values()),
        cuts=tuple(cut_short(c for c in judgement.cuts if hand is None or c.hand in (0, hand))),
        either={n: tuple(f.rule for f in found) for n, found in judgement.either.items() if n in of_hand},
    )  # fmt: skip


class Auditor:
    """Adds to findings what stands behind them, in one walk over the log."""

    def __init__(self, memory: Memory, judgement: Judgement, opinions: Mapping[int, Exact]) -> None:
        self.memory, self.opinions = memory, opinions
        self.game = judgement.state.game
        breaches = [Breach(f.at.pos, f.rule, f.by, f.at.hand) for f in judgement.broken]
        self.prescribed = list(self.game.penalties(judgement.state, breaches))

    def all(self, findings: Sequence[Finding]) -> list[Audited]:
        """Every finding with its proof, in the order given."""
        wanted: dict[int, list[int]] = {}
        for i, f in enumerate(findings):
            wanted.setdefault(f.at.pos, []).append(i)
        done: dict[int, Audited] = {}
        for step, placed, event, state in self.memory.stations():
            for i in wanted.get(placed.n, ()):
                done[i] = self.one(findings[i], step, event, state)
        for i, f in enumerate(findings):
            if i not in done:
                done[i] = self.bare(f)
        return [done[i] for i in range(len(findings))]

    def bare(self, f: Finding) -> Audited:
        """A finding about something that is not folded: a correction that points nowhere, a line of the file."""
        return Audited(
            rule=f.rule, verdict=f.verdict.value, at=f.at, known_from=f.known_from, bound=f.bound, act=f.act, by=f.by, says=f.text,
            heading=f.heading, short=f.short, sentence=f.sentence, cards=f.cards, because=f.because, cost=cost_of(f, self.game, self.prescribed), unless=unless(f),
        )  # fmt: skip

    def one(self, f: Finding, step: int, event: Event, state: State[Any]) -> Audited:
        """A finding with the state just before its act."""
        ours = f.rule not in OF_THE_RECORD
        spoken = told(self.memory.view.events[step - 1].event)
        because, chain = self.proof(f, step, state)
        return Audited(
            rule=f.rule, verdict=f.verdict.value, at=f.at, known_from=f.known_from, bound=f.bound, act=f.act or write_event(event),
            by=f.by, says=f"{spoken}; {f.text}" if f.act and not isinstance(event, ABOUT) else f.text,
            heading=f.heading, short=f.short, sentence=f.sentence, middle=middle_of(state, self.memory, step) if ours else "", cards=f.cards,
            holder=f.holder, because=reasons(f, because), chain=chain, knew=self.knew(f, state),
            legal=acts_in_words(f.legal, state) if ours else (), complete=f.complete, cost=cost_of(f, self.game, self.prescribed),
            settles=self.settles(f, event, state) if f.verdict == Verdict.OPEN else (), unless=unless(f), exact=self.exact(f),
        )  # fmt: skip

    def proof(self, f: Finding, step: int, state: State[Any]) -> tuple[tuple[str, ...], tuple[Link, ...]]:
        """Why it is certain: a sentence a card, and the chain of positions."""
        spoken = Link(f.at.pos, told(self.memory.view.events[step - 1].event))
        if f.verdict == Verdict.OPEN:
            return (), ()
        if f.rule in OF_THE_RECORD:
            at = [self.memory.step[p] for p in f.evidence if p in self.memory.step]
            return (), tuple(Link(self.memory.pos(s), told(self.memory.view.events[s - 1].event)) for s in at)
        if not self.ways(f, step, state):
            return (f"the act itself, against what the table saw up to event {f.at.pos}",), (spoken,)
        sentences, links = [], [spoken]
        ways = self.ways(f, step, state)
        for pile, cards in ways.items():
            if len(cards) > 2:
                said, way = self.many(pile, cards, step)
                sentences.append(said)
                links += way
                continue
            for card in cards:
                said, way = self.memory.way(card, pile, step, state)
                sentences.append(said)
                links += way
        rest = [c for c in f.cards if c not in ways.get(f.holder, ())]
        if rest and ways and f.holder in state.terms.side_of:
            sentences.append(f"{f.holder} held as well: {pretty_all(rest)}")
        return tuple(sentences), tuple(sorted(set(links), key=lambda link: link.pos))

    def ways(self, f: Finding, step: int, state: State[Any]) -> dict[str, list[str]]:
        """The cards to follow, by the pile in which they lay: those that later evidence shows; else one, or the board's."""
        pack = state.game.pack
        later = {self.memory.step[p] for p in f.evidence if p in self.memory.step}
        out: dict[str, list[str]] = {}
        for proof in self.memory.standing(step):
            pile = state.table.piles.get(proof.pile)
            needed = proof.until != step or any(f"held {pretty(pack.faces[proof.code])} at" in text for text in f.because)
            if needed and proof.until in later and pile is not None and not pile.known & pack.field[proof.code]:
                out.setdefault(proof.pile, []).append(pack.faces[proof.code])
        if not out and f.cards and f.holder:
            # One card held is enough; of a board the cards are what could have been taken.
            out[f.holder] = list(f.cards[:4] if f.holder not in state.terms.side_of else f.cards[:1])
        return out

    def many(self, pile: str, cards: Sequence[str], step: int) -> tuple[str, list[Link]]:
        """The way of several cards of one pile in one sentence."""
        memory = self.memory
        pack = memory.pack
        proofs = sorted((p for p in memory.standing(step) if p.pile == pile and pack.faces[p.code] in cards), key=lambda p: p.until)
        links = [Link(memory.pos(p.until), told(memory.events[p.until - 1])) for p in proofs]
        shown = ", ".join(f"{pretty(pack.faces[p.code])} at {memory.pos(p.until)}" for p in proofs)
        since = max(p.since for p in proofs)
        came = f"no card taken since {memory.pos(since)}" if since else "no card taken since the deal"
        return f"{pile} held at {memory.pos(step)} what it showed later: {shown}; {came}", links

    def knew(self, f: Finding, state: State[Any]) -> str:
        """Who could know it, and when."""
        if f.known_from is None:
            return ""
        if f.known_from.pos == f.at.pos:
            return "at once"
        by = f" (by {f.holder} at once, from the own cards)" if f.holder in state.terms.side_of else ""
        if f.bound:
            return f"by event {f.known_from.pos}, perhaps earlier: too much is doubtful in this record to date it closer{by}"
        return f"from event {f.known_from.pos}{by}"

    def settles(self, f: Finding, event: Event, state: State[Any]) -> tuple[str, ...]:
        """What would answer an open question: the cards that were not seen and were asked for."""
        out: list[str] = []
        unseen = [c for c in (*getattr(event, "cards", ()), *getattr(event, "takes", ())) if c == "*" or "?" in c]
        if unseen:
            out.append(f"{'everything' if '*' in unseen else counted(unseen)} of event {f.at.pos}, if somebody can name it")
        missing = list(dict.fromkeys(seat for seat, codes in laid(state) if codes and max(codes) >= state.game.pack.unknown))
        if missing:
            out.append(f"the unseen card of {' and '.join(missing)} in this trick, if somebody can name it")
        for name in looked_at(f.rule.partition(".")[2], event, state):
            pile = state.table.piles.get(name)
            if pile is None:
                continue  # before the first hand there is none
            hidden, total = pile.hidden, len(pile)
            where = pile_words(name, state.terms.seats)
            if pile.vague:
                out.append(f"{where} at event {f.at.pos}: nobody counted it")
                continue
            which = "the unseen card" if hidden == total == 1 else f"the {hidden} unseen cards" if hidden == total else f"{hidden} of the {total} cards"
            free = sorted_cards(state.game.pack.cards(state.table.free()))
            of = f", out of {pretty_all(free)}" if len(free) <= 2 * MANY else ""
            out.append(f"{where} at event {f.at.pos}: {which}{of}")
        return tuple(out) or (f"whether something is missing from the record before event {f.at.pos}",)

    def exact(self, f: Finding) -> Worlds | None:
        """The second opinion, if there is one for this hand."""
        e = self.opinions.get(f.at.hand)
        if e is None or f.rule in OF_THE_RECORD:
            return None
        if not e.worlds:
            return Worlds("", 0, 0, False, worlds_words(e))
        found = next((o for o in e.opinions if o.pos == f.at.pos and o.rule == f.rule), None)
        n = found.worlds if found is not None else 0
        verdict = e.verdict(f.at.pos, f.rule).value
        if not e.complete:
            return Worlds("open" if 0 < n < e.worlds else "", e.worlds, n, False, f"{'open: broken' if 0 < n < e.worlds else 'nothing proven: broken'} in {n} of {e.worlds} worlds drawn at random")
        if e.worlds == 1:
            text = f"{verdict} in the only world that agrees with the record"
        elif n == e.worlds:
            text = f"broken in all {e.worlds} worlds"
        else:
            text = f"open: broken in {n} of {e.worlds} worlds" if n else f"allowed in all {e.worlds} worlds"
        return Worlds(verdict, e.worlds, n, True, text)


def reasons(f: Finding, ours: Sequence[str]) -> tuple[str, ...]:
    """The judge's reasons; where one of ours is about the same card, it tells the way of that card as well."""
    if not f.because:
        return tuple(ours)
    other = [text for text in f.because if " held " not in text.partition(":")[0]]
    return (*ours, *other) if any(" held " in text or " lay in " in text for text in ours) else f.because


def before(event: Event, state: State[Any]) -> State[Any]:
    """A state of one's own in which this act may be asked about: where nobody began the hand, it has begun, and what the
    act shows to have gone unwritten has happened."""
    mine = state.copy()
    if type(event) in acts_of(mine.game.key) and mine.phase == "between" and not mine.ended:
        in_hand(mine)
    if type(event) in acts_of(mine.game.key) and not mine.ended and type(event) not in plans(mine.game.key)[mine.phase]:
        mine.game.unwritten(mine, event)
    return mine


def _names(event: Event, card: str) -> bool:
    return without(event, (card,)) != event


def looked_at(rule: str, event: Event, state: State[Any]) -> list[str]:
    """The piles with hidden cards whose view the check of a rule asks about this act. The state stays as it is."""
    mine = before(event, state)
    names: list[str] = []

    class Watched(Pile):
        """A pile that notes who asks."""

        __slots__ = ()

        def __init__(self, pile: Pile) -> None:
            for name in names_of(pile):
                setattr(self, name, getattr(pile, name))

        def any_of(self, mask: int) -> bool | None:
            names.append(self.name)
            return super().any_of(mask)

        def how_many(self, mask: int) -> tuple[int, int]:
            names.append(self.name)
            return super().how_many(mask)

        def may_hold(self) -> int:
            names.append(self.name)
            return super().may_hold()

        @property
        def certain(self) -> int:
            names.append(self.name)
            return super().certain

        @property
        def hidden(self) -> int:
            names.append(self.name)
            return super().hidden

    hidden = {p.name for p in mine.table.piles.values() if p.hidden > 0 or p.vague}
    watched: dict[int, Any] = {id(pile): Watched(pile) for pile in mine.table.piles.values()}
    piles = list(watched.values())
    mine = copy.deepcopy(mine, watched)
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


def acts_in_words(acts: Sequence[str], state: State[Any]) -> tuple[str, ...]:
    """Written acts in words: bare cards where all of them play one."""
    events: list[Event] = []
    for text in acts:
        try:
            events.append(read_event(read_args(text), seats=state.terms.seats))
        except KibitzError:
            return tuple(acts)
    if all(isinstance(e, Play) and not e.src and not e.face for e in events):
        return tuple(pretty_all(c) for c in sorted((e.cards for e in events if isinstance(e, Play)), key=lambda c: reading_order(c[0])))
    return tuple(told(e).partition(" ")[2] for e in events)


def unless(f: Finding) -> str:
    """The correction of the record on which a finding depends, in words."""
    if f.unless is None:
        return ""
    first = f"once {' and '.join(f.unless.after)} has put that right, " if f.unless.after else ""
    return f"{first}{f.unless.text} (type {' and '.join(f.unless.lines)})"


def cost_of(f: Finding, game: Game, prescribed: Sequence[Penalty]) -> str:
    """What a break costs by the rules of its game; `prescribed` is what its page makes of all the breaks of the log."""
    if f.verdict == Verdict.OPEN:
        return ""
    own = dict.fromkeys(p.text for p in prescribed if p.at == f.at.pos)
    if own:
        return "; ".join(own)
    if f.rule not in OF_THE_RECORD:
        return f"the rules of {game.name} name no penalty" + (" for this" if prescribed else "")
    if f.rule == "table.T9":
        return "none: what is claimed changes no score"
    return "none: it is the record that cannot be as it stands"


def worlds_words(e: Exact) -> str:
    """How an exact opinion came about."""
    if not e.worlds:
        return f"no exact opinion: {e.why}"
    worlds = "1 world" if e.worlds == 1 else f"{e.worlds} worlds"
    if e.cut:
        return f"{worlds} tried, then it was cut short: there are more and they take too long; what was tried proves only that something is open"
    return f"{worlds} agree{'s' * (e.worlds == 1)} with the record; all were tried" if e.complete else f"{worlds} tried, drawn at random from more; a sample proves only that something is open"


# -- the deal -----------------------------------------------------------------------------------------------------------


def deal_of(records: Iterable[Recorded], hand: int) -> Dealt:
    """The deal of a hand as the whole log tells it. Raises NotFoundError for a hand the log does not have.

    A card is certain where it was seen, in the deal or when it left; inferred where the rest of the pack leaves no
    choice; else unknown. Cards dealt later in the hand are packets of their own.
    """
    memory = Memory(list(records))
    if hand not in memory.judge.hand_at:
        raise NotFoundError(f"there is no hand {hand}", expected=f"a hand from 1 to {max(memory.judge.hand_at, default=0)}")
    return deal_in(memory, hand)


class _Lot(Struct):
    """A packet while the walk goes on: cards with the position that showed each, how many are unseen, which these may be."""

    pile: str
    step: int
    known: list[Card]
    hidden: int
    free: list[str]
    vague: bool


class _Deals:
    """Gathers the packets of a hand while the whole match is walked: after each event, what each pile got by a deal."""

    def __init__(self, memory: Memory, hand: int) -> None:
        self.memory, self.hand = memory, hand
        self.lots: dict[tuple[str, int], _Lot] = {}
        # The step at which a pile was last dealt to, and the seats that have acted since.
        self.current: dict[str, int] = {}
        self.acted: set[str] = set()

    def gather(self) -> Iterator[_Lot]:
        """The packets, in the order in which they were dealt."""
        sizes: dict[str, int] = {}
        previous: tuple[int, Event] | None = None
        for step, _, event, state in self.memory.stations():
            if previous is not None and self.memory.judge.hand_at[previous[0] - 1] == self.hand:
                self.look(*previous, state, sizes)
            if state.number == self.hand and isinstance(event, Play | Capture | Discard | Draw | Meld | Arrange):
                self.acted.add(event.by)
            previous = (step, event)
            sizes = {name: len(pile) for name, pile in state.table.piles.items()}
            last = state
        if previous is not None and self.memory.judge.hand_at[previous[0] - 1] == self.hand:
            self.look(*previous, last, sizes)
        yield from self.lots.values()

    def look(self, step: int, event: Event, state: State[Any], sizes: Mapping[str, int]) -> None:
        """After an event: keep the piles that got cards by a deal; `sizes` are those before it."""
        named: set[str] = set()
        if isinstance(event, Deal):
            named = {pile for name, _ in event.piles for pile in each_pile(name.removeprefix("hand:").rstrip("_"))}
        for name, pile in state.table.piles.items():
            # What lies under a pile that was dealt (`reserve:A:down`) was dealt with it.
            dealt_to = name in named or name.rpartition(":")[0] in named
            if not dealt_to and not self._came_unwritten(step, event, name, pile, sizes.get(name, 0), state):
                continue
            if pile.row is not None and name.partition(":")[0] in ("won", "trick", "discard", "dead", "stock"):
                continue
            if not (len(pile) or pile.vague):
                continue
            if name in self.current and name not in self.acted:
                self.lots.pop((name, self.current[name]), None)
            self.current[name] = step
            self.acted.discard(name)
            self.lots[name, step] = self.lot(step, name, pile, state)

    @staticmethod
    def _came_unwritten(step: int, event: Event, name: str, pile: Pile, size: int, state: State[Any]) -> bool:
        """Whether a holding got cards that its owner did not take: by a deal that nobody wrote."""
        holding = name.partition(":")[0] in state.terms.seats and pile.row is None
        grew = state.table.since.get(name) == step or len(pile) > size
        return holding and grew and not (isinstance(event, Draw | Move) and event.by == name)

    def lot(self, step: int, name: str, pile: Pile, state: State[Any]) -> _Lot:
        """What lies in a pile that was just dealt to, with what later events prove."""
        memory = self.memory
        memory.lay(state, step + 1)
        pack = state.game.pack
        seen = pack.cards(pile.known) if pile.row is None else [pack.tokens[c] for c in pile.row if c < pack.unknown]
        known = [Card(c, "certain", memory.pos(step)) for c in seen]
        for proof in memory.standing(step + 1):
            if proof.pile == name:
                card, pos = pack.faces[proof.code], memory.pos(proof.until)
                known.append(Card(card, "inferred" if card in memory.inferred.get(pos, ()) else "certain", pos))
        return _Lot(name, step, known, pile.hidden, pack.cards(state.table.free()), pile.vague)

    def packet(self, lot: _Lot) -> Packet:
        """A packet as it is told: its cards in order; the only ones that are left for the unseen ones are inferred."""
        seen = {c.card for c in lot.known}
        free = [c for c in lot.free if c not in seen or not self.memory.pack.single]
        known, hidden = list(lot.known), lot.hidden
        if hidden and hidden == len(free) and not lot.vague:
            known += [Card(c, "inferred") for c in free]
            hidden, free = 0, []
        cards = sorted(known, key=lambda c: reading_order(c.card))
        cards += [Card("??", "unknown")] * max(0, hidden)
        return Packet(lot.pile, self.memory.pos(lot.step), tuple(cards), tuple(sorted_cards(free)) if hidden else (), lot.vague)


def deal_in(memory: Memory, hand: int) -> Dealt:
    """The same, of a log already read."""
    deals = _Deals(memory, hand)
    packets = tuple(deals.packet(lot) for lot in deals.gather())
    unknown = any(p.vague or any(c.how == "unknown" for c in p.cards) for p in packets)
    return Dealt(hand, packets, bool(packets) and not unknown)


# -- one event --------------------------------------------------------------------------------------------------------


def about(records: Iterable[Recorded], pos: int, *, derived: Iterable[tuple[int, str]] = (), second: bool = False) -> About:
    """Everything known about one event. Raises NotFoundError for a position the log does not have."""
    log = list(records)
    memory, judgement = Memory(log), check(log, derived)
    at = next((r for r in log if r.n == pos), None)
    if at is None:
        raise NotFoundError(f"there is no event {pos}", expected=f"a position from 0 to {log[-1].n}")
    findings = [f for f in judgement.findings if f.at.pos == pos]
    hand = next((f.at.hand for f in findings), 0)
    proves = tuple(
        f"{f.rule} {f.short} at event {f.at.pos}".strip() for f in judgement.findings if f.at.pos != pos and (pos in f.evidence or (f.known_from is not None and f.known_from.pos == pos))
    )
    for step, placed, event, state in memory.stations():
        if placed.n != pos:
            continue
        hand = memory.judge.hand_at[step - 1]
        opinions = {e.hand: e for e in exact(log, hand=hand)} if second and hand else {}
        audited = tuple(Auditor(memory, judgement, opinions).all(findings))
        rules = _asked_rules(event, state, findings)
        phase = state.game.phases.get(before(event, state).phase)
        acts = bool(phase and type(event) in phase.acts) or bool(findings)
        verdicts = {r.verdict for r in rules}
        verdict = next((v for v in ("broken", "open") if v in verdicts), "allowed") if rules or acts else ""
        verdict = "broken" if pos in judgement.illegal else verdict
        remark = f"the card is inferred, nobody saw it: {pretty_all(memory.inferred[pos])}" if pos in memory.inferred else ""
        return About(
            pos, hand, write_event(placed.event), told(placed.event), tuple(write_event(old) for _, old in placed.was),
            phase.name if phase else "", tuple(state.turn), middle_of(state, memory, step), tuple(_held(state)), rules, verdict, audited, proves, remark,
        )  # fmt: skip
    remark = "a correction: what it put there is judged in its place" if isinstance(at.event, Fix) else "struck out: it is not part of what is judged" if pos else "the opening: the terms of the match"
    audited = tuple(Auditor(memory, judgement, {}).all(findings))
    return About(pos, hand, write_event(at.event) if pos else "", told(at.event) if pos else "the opening", (), "", (), "", (), (), "", audited, proves, remark)


def _asked_rules(event: Event, state: State[Any], findings: Sequence[Finding]) -> tuple[RuleSays, ...]:
    """Every rule that was asked about an act, with the judge's verdict."""
    key, state = state.game.key, before(event, state)
    found = {f.rule: f for f in findings}
    asked = {f"{key}.{c.rule.id}": c.rule.short for c in plans(key)[state.phase].get(type(event), ())}
    out = [RuleSays(r, asked.get(r, f.short), f.verdict.value, f.text) for r, f in found.items()]
    out += [RuleSays(r, short, "allowed") for r, short in asked.items() if r not in found]
    return tuple(sorted(out, key=lambda r: (("broken", "open", "allowed").index(r.verdict), r.rule)))


def _held(state: State[Any]) -> Iterator[Held]:
    """What each holding had, and every open pile in which something is hidden."""
    pack, table = state.game.pack, state.table
    free = table.free()
    for name, pile in table.piles.items():
        holding = name.partition(":")[0] in state.terms.seats
        if not holding and name != "board":
            continue
        if not len(pile) and not pile.vague:
            continue
        seen = pack.cards(pile.known) if pile.row is None else [pack.tokens[c] for c in pile.row if c < pack.unknown]
        later = pack.cards(pile.later) if pile.row is None else []
        hidden = max(0, pile.hidden)
        sure = sorted_cards(pack.cards(free)) if hidden and hidden == pack.count(free) and not pile.vague else []
        yield Held(
            name, len(pile), tuple(sorted_cards(seen)), tuple(sorted_cards(later)), tuple(sure), 0 if sure else hidden,
            tuple(sorted_cards(pack.cards(free))) if hidden and not sure else (), pile.vague,
        )  # fmt: skip


# -- as lines of text -------------------------------------------------------------------------------------------------


def line(label: str, text: str) -> Iterator[str]:
    """One labelled line, folded under itself."""
    yield from textwrap.wrap(text, WIDTH, initial_indent=f"{label:<8}", subsequent_indent=" " * 8, break_on_hyphens=False) or [label]


def finding_lines(a: Audited) -> Iterator[str]:
    """A finding with everything that belongs to it."""
    where = f"hand {a.at.hand}, event {a.at.pos}"
    yield from line(a.verdict, f"{a.rule} {a.short}".strip() + f"  {where}: {a.says}")
    if a.unless:
        yield from line("unless", a.unless)
    if a.sentence:
        yield from line("rule", f"{a.heading}: {a.sentence}")
    if a.middle:
        yield from line("table", a.middle)
    for text in a.because:
        yield from line("because", text)
    if len(a.chain) > 1:
        yield from line("chain", " → ".join(f"{link.pos} {link.text}" for link in a.chain))
    if a.known_from is not None:
        yield from line("known", a.knew or f"from event {a.known_from.pos}")
    if a.legal:
        yield from line("legal", few(a.legal, ", ") + ("" if a.complete else " (perhaps others)"))
    if a.cost:
        yield from line("cost", a.cost)
    for text in a.settles:
        yield from line("settles", text)
    if a.exact is not None:
        yield from line("exact", a.exact.text)


def dealt_words(packet: Packet) -> str:
    """The cards of a packet: certain ones plain, inferred ones in brackets, unknown ones counted."""
    words: list[str] = []
    last = ""
    for card in packet.cards:
        if card.how == "unknown":
            continue
        suit = GLYPHS.get(suit_of(card.card), "")
        rank = pretty(card.card).rstrip("♣♦♥♠") if suit else pretty(card.card)
        if card.how == "inferred":
            words.append(f"[{pretty(card.card)}]")
            last = ""
        elif suit and suit == last:
            words[-1] += rank
        else:
            words.append(suit + rank)
            last = suit
    unknown = sum(c.how == "unknown" for c in packet.cards)
    if unknown:
        words.append(f"{unknown} unknown" + (f" of {pretty_all(packet.may_be)}" if len(packet.may_be) <= MANY else ""))
    if packet.vague:
        words.append("and perhaps more")
    return " ".join(words) or "nothing"


def deal_lines(deal: Dealt) -> Iterator[str]:
    """A deal as reconstructed."""
    every = "every card is known" if deal.complete else "as far as it can be known"
    guess = any(c.how == "inferred" for p in deal.packets for c in p.cards)
    yield from line("deal", f"hand {deal.hand}, as reconstructed: {every}" + ("; [in brackets] by elimination" if guess else ""))
    places = {p.at for p in deal.packets}
    wide = max((len(p.pile) for p in deal.packets), default=0)
    for packet in deal.packets:
        where = f" (at {packet.at})" if len(places) > 1 else ""
        yield from line("", f"{packet.pile:<{wide}}  {dealt_words(packet)}{where}")


def audit_lines(a: Audit, name: str = "") -> Iterator[str]:
    """The whole audit: what the record contradicts itself in, offers, findings, open questions, deals, a summary."""
    record = [f for f in a.broken if f.rule in OF_THE_RECORD and f.rule != "table.T9"]
    for one in record:
        yield from finding_lines(one)
        yield ""
    for offer in a.offers:
        yield from line("then" if offer.after else "perhaps", f"hand {offer.hand}: {offer.text}; type {' and '.join(offer.lines)}")
        yield from line("", f"removes {few(offer.removes, ', ', 4)}")
        yield ""
    for one, others in (*one_cause(f for f in a.broken if f not in record), *((f, ()) for f in a.open)):
        yield from finding_lines(one)
        for text in likewise(others):
            yield from line("also", text)
        yield ""
    for pos, rules in a.either.items():
        yield from line("broken", f"event {pos} breaks {one_or_another(rules)} whatever the hidden cards are; which of them cannot be known (above)")
        yield ""
    for deal in a.deals:
        yield from deal_lines(deal)
        yield ""
    for tried in a.exact:
        yield from line("exact", f"hand {tried.hand}: {tried.text}")
    for text in a.cuts:
        yield from line("note", text)
    wrong = len(a.broken) + len(a.illegal)
    said = f"{wrong} finding{'s' * (wrong != 1)}" if wrong else "no rule was certainly broken" if a.open else "no rule was broken"
    if a.open:
        said += f", {len(a.open)} open question{'s' * (len(a.open) != 1)}"
    where = f"in hand {a.hand}" if a.hand is not None else f"in {a.hands} hand{'s' * (a.hands != 1)}"
    yield f"{name or a.match or a.name}: {said} {where}"


def one_cause(findings: Iterable[Audited]) -> list[tuple[Audited, tuple[Audited, ...]]]:
    """Findings with those that rest on the same correction: of a group of many only the first is told in full."""
    groups: dict[str, list[Audited]] = {}
    alone: list[tuple[Audited, tuple[Audited, ...]]] = []
    for f in findings:
        groups.setdefault(f.unless, []).append(f)
    for unless, group in groups.items():
        many = bool(unless) and len(group) > FEW
        alone += [(group[0], tuple(group[1:]))] if many else [(f, ()) for f in group]
    return alone


def about_lines(a: About) -> Iterator[str]:
    """One event, with everything known about it."""
    where = f"event {a.pos}" + (f", hand {a.hand}" if a.hand else "")
    yield from line("event", f"{where}: {a.says}")
    for was in a.was:
        yield from line("was", f"{was} (corrected since)")
    if a.remark:
        yield from line("note", a.remark)
    if a.phase:
        yield from line("time", a.phase + (f", {' or '.join(a.turn)} to act" if a.turn else ""))
    if a.middle:
        yield from line("table", a.middle)
    for held in a.held:
        yield from line("held", f"{held.pile}: {held_words(held)}")
    for r in a.rules:
        yield from line("rules", f"{r.verdict}  {r.rule} {r.short}" + (f": {r.text}" if r.text else ""))
    if a.verdict:
        yield from line("act", a.verdict)
    for text in a.proves:
        yield from line("proves", text)
    for one in a.findings:
        yield ""
        yield from finding_lines(one)


def held_words(held: Held) -> str:
    """What a pile held, in words: what was seen, what only later showed, what is inferred, what stays open."""
    words = [f"{'at least ' if held.vague else ''}{held.count} card{'s' * (held.count != 1)}"]
    if held.seen:
        words.append(f"seen then {pretty_all(held.seen)}")
    if held.later:
        words.append(f"shown later {pretty_all(held.later)}")
    if held.inferred:
        words.append(f"inferred {' '.join(f'[{pretty(c)}]' for c in held.inferred)}")
    if held.hidden:
        of = f" of {pretty_all(held.may_be)}" if len(held.may_be) <= 2 * MANY else f" of {len(held.may_be)} cards"
        words.append(f"{held.hidden} unknown{of}")
    return "; ".join(words)


__all__ = [
    "About", "Audit", "Audited", "Card", "Dealt", "Held", "Link", "Memory", "Packet", "RuleSays", "Tried", "Worlds", "about",
    "about_lines", "audit", "audit_lines", "audit_of", "deal_in", "deal_lines", "deal_of", "finding_lines", "one_cause", "told",
]  # fmt: skip
