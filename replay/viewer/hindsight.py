"""Unseen cards identified by a later event or by elimination: where they were, and how long."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from msgspec import Struct

from events.cards import Pack
from events.model import Bet, Call, Claim, Deal, Hand, Note, Shuffle, Tally
from reducers.terms import hand_of
from replay.auditing.audit_shapes import Audited
from replay.auditing.proof import HindsightReplay
from replay.judging.hindsight import CardProof


class Stay(Struct, array_like=True, frozen=True):
    """An unseen card that was in a pile after the steps from `since` on, before `until`, counted within the hand. The
    step at `until` shows it."""

    pile: str
    card: str
    since: int
    until: int


class ViewerHindsight:
    """What later events prove about the cards of a log, for a viewer."""

    def __init__(self, memory: HindsightReplay, pack: Pack) -> None:
        self.memory = memory
        # The step of the first event of each hand.
        self.first: dict[int, int] = {}
        for step, hand in enumerate(memory.hand_at, 1):
            self.first.setdefault(hand, step)
        self.pack = pack

    def stays(self, *, by_count: bool) -> Mapping[int, Sequence[Stay]]:
        """The cards of each hand that a later event shows, or those found by elimination (`by_count`)."""
        out: dict[int, list[Stay]] = {}
        for proof in self.memory.proofs:
            hand = self.memory.hand_at[proof.until - 1]
            card = self.pack.faces[proof.code]
            if (card in self.memory.inferred.get(self.memory.pos(proof.until), ())) != by_count:
                continue
            begun = self.first[hand]
            since = max(proof.since + self._dealt_after(proof), begun) - begun
            if since < proof.until - begun:
                out.setdefault(hand, []).append(Stay(proof.pile, card, since, proof.until - begun))
        return out

    def _dealt_after(self, proof: CardProof) -> int:
        """The delay, in lines, of a card dealt by an unrecorded deal: the first act of the hand implies the deal,
        after lines written before it and after the bets. 0 for any other card."""
        first, hand = proof.since, self.memory.hand_at[proof.until - 1]
        event = self.memory.events[first - 1] if first else None
        if event is None or self.memory.hand_at[first - 1] != hand or not isinstance(
            event, Hand | Deal | Shuffle | Bet | Tally | Claim | Note | Call,
        ):
            return 0
        deals = [one for one in self.memory.events[self.first[hand] - 1 : first] if isinstance(one, Deal)]
        if any(
            name in (proof.pile, hand_of(proof.pile)) and any("?" in card for card in cards) for one in deals
            for name, cards in one.piles
        ):
            return 0
        return 1 + len(list(takewhile(lambda one: isinstance(one, Bet), self.memory.events[first:])))

    def turned(self, f: Audited) -> Iterator[dict[str, Any]]:
        """The unseen cards that the proof of a finding reveals, each with the event that shows it, and the earlier one
        from which it is known by elimination. Cards of others, on which an elimination rests, are marked."""
        step = self.memory.step.get(f.at.pos)
        if step is None or not f.holder:
            return
        shown = {self.memory.step[link.pos] for link in f.chain if link.pos in self.memory.step}
        later = sorted((one for one in self.memory.standing(step) if one.until > step), key=lambda one: one.until)
        own = [one for one in later if one.pile == f.holder and (self.pack.faces[one.code] in f.cards or not f.cards)]
        # The card of the accused is not in the chain if it was known before it was shown.
        needed = [one for one in own if one.until in shown] or own[: bool(f.cards)]
        for proof in (*needed, *(one for one in later if one.pile != f.holder and one.until in shown)):
            n, known = self.memory.pos(proof.until), f.known_from.pos if f.known_from is not None else 0
            told = {"pile": proof.pile, "card": self.pack.faces[proof.code], "n": n}
            if proof.pile != f.holder:
                yield {**told, "rests": True}
            else:
                yield {**told, "known": known} if 0 < known < n and proof.until not in shown else told
