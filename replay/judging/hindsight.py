"""Add what later events prove about the cards of each pile while a log is walked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from reducers.model import State
from reducers.table import Table


class Hindsight:
    """What later events prove about the cards of each holding, updated from step to step of a walk.

    A card is proved to be there before each step after `since` up to `until` (`later` of its pile), and after each
    step before `until` (`stays`). `turning` are the steps at which any of this changes. A walk begins at step `first`
    and ends with step `last` (0: unknown).
    """

    __slots__ = ("_active", "_changes", "_laid", "_missed", "_starts", "_stops", "turning")

    def __init__(self, proofs: Sequence[CardProof], first: int = 1, last: int = 0) -> None:
        self._active: dict[int, CardProof] = {}
        self._starts: dict[int, list[tuple[int, CardProof]]] = {}
        self._stops: dict[int, list[int]] = {}
        # By step: the pile, the card, True for `stays`, and +1 or -1.
        self._changes: dict[int, list[tuple[str, int, bool, int]]] = {}
        for i, p in enumerate(proofs):
            if p.until <= p.since or p.until < first:
                continue
            begun, after = max(p.since, first), max(p.since + 1, first)
            if last and begun > last:
                continue
            self._starts.setdefault(begun, []).append((i, p))
            self._stops.setdefault(p.until + 1, []).append(i)
            for step, stays, sign in (
                (begun, True, 1), (after, False, 1), (p.until, True, -1), (p.until + 1, False, -1),
            ):
                if not last or step <= last:
                    self._changes.setdefault(step, []).append((p.pile, p.code, stays, sign))
        self.turning = frozenset(self._changes)
        # The table last updated, and whether a pile with a proof was missing then.
        self._laid: Table | None = None
        self._missed = False

    @property
    def standing(self) -> list[CardProof]:
        """The proofs that hold at the step reached."""
        return list(self._active.values())

    def reach(self, step: int, state: State[Any]) -> None:
        """Update the piles for this step. Every `turning` step must be reached, in order."""
        for i in self._stops.get(step, ()):
            self._active.pop(i, None)
        self._active.update(self._starts.get(step, ()))
        table = state.table
        if table is not self._laid or self._missed:
            apply_proofs(state, self._active.values())
            self._laid = table
            self._missed = any(p.pile not in table.piles for p in self._active.values())
            return
        unit, piles = table.pack.unit, table.piles
        for name, code, stays, sign in self._changes[step]:
            pile = piles.get(name)
            if pile is None:
                self._missed = True
            elif stays:
                pile.stays += sign * unit[code]
            else:
                pile.later += sign * unit[code]
                table.later += sign * unit[code]


def apply_proofs(state: State[Any], proofs: Iterable[CardProof]) -> None:
    """Set which unseen cards of each pile later events prove: those there before this step, and after it."""
    table = state.table
    unit, now = table.pack.unit, table.now
    for pile in table.piles.values():
        pile.later = pile.stays = 0
    table.later = 0
    for proof in proofs:
        pile_of = table.piles.get(proof.pile)
        if pile_of is None:
            continue
        if proof.since < now:
            pile_of.later += unit[proof.code]
            table.later += unit[proof.code]
        if proof.until > now:
            pile_of.stays += unit[proof.code]


class CardProof(Struct, frozen=True, gc=False):
    """An identified unseen card: it was in `pile` after step `since` and until step `until`."""

    pile: str
    since: int
    until: int
    code: int
