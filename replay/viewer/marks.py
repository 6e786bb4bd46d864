"""What a replay shows at its events besides the act: findings, corrections, what was said about the record or the score."""

from __future__ import annotations

import re
from copy import copy
from typing import Any, Protocol

import msgspec

from events import write_event
from events.model import Claim, Confirm, Dispute, Fault, Fix, Note, Ruling, verb_of
from reducers.first_state import begin
from reducers.model import State
from reducers.piles import BY_NAME
from replay.auditing.audit_shapes import Audit, Audited, ProofLink
from replay.fold import terms_at
from replay.judging.findings import OF_THE_RECORD
from replay.plain_text import with_player_names
from replay.read_log import ReadLog
from replay.table.event_sentences import Telling
from replay.table.wording import describe_event
from replay.viewer.hindsight import ViewerHindsight

SAID = (Claim, Confirm, Dispute, Ruling, Fault, Note)


class Walked(Protocol):
    """A log that was walked to its end."""

    state: State[Any]
    hindsight: ViewerHindsight
    log: ReadLog
    says: dict[int, str]


def findings_of(audited: Audit, walk: Walked) -> list[dict[str, Any]]:
    """The findings as data, in the order of the acts."""
    both = sorted((*audited.broken, *audited.open), key=lambda f: (f.at.pos, f.verdict, f.rule))
    events = {p.n: p.event for p in walk.log.view.events} if both else {}
    words = Words(walk)

    def link(one: ProofLink) -> dict[str, Any]:
        """An event of a proof; one that is only named says what it says in the list of moves."""
        event = events.get(one.pos)
        plain = event is not None and one.text == describe_event(event, walk.state.game)
        return {"n": one.pos, "text": walk.says[one.pos].removesuffix(".") if plain else words.at(one.pos)(one.text)}

    return [
        {**finding_of(f, words), "chain": [link(one) for one in f.chain], "shows": list(walk.hindsight.turned(f))}
        for f in both
    ]  # fmt: skip


def capital(text: str) -> str:
    """A text as it begins a line."""
    return text[:1].upper() + text[1:]


class Words:
    """What the judge says, in the words of the page: players by their names, piles as players call them, and an event that is
    quoted as its own sentence has it."""

    def __init__(self, walk: Walked) -> None:
        self.view, self.terms, self.says = walk.log.view, walk.state.terms, walk.says
        self.called = self.terms.called
        self.telling = Telling(walk.state)
        # A pile is written with its kind and what it is of; a seat's hand and a pile without a number are words already.
        # The last hand need not have all that an earlier one had.
        names = [*BY_NAME, *walk.state.game.piles, *(name for name in walk.state.table.piles if ":" in name)]
        kinds = sorted({name.partition(":")[0] for name in names} - {"*", *self.called})
        self.piles = re.compile(rf"(?<![\w:])(?:{'|'.join(map(re.escape, kinds))}):[\w:.]*\w") if kinds else None
        # Events that a proof quotes as they were typed, and what they say.
        self.quoted = {write_event(p.event): walk.says[p.n].removesuffix(".") for p in walk.log.view.events if p.n in walk.says}

    def at(self, pos: int) -> Words:
        """The same with the names of those who sat there at an event."""
        then = copy(self)
        then.called = terms_at(self.view, pos, self.terms).called
        return then

    def __call__(self, text: str, by: str = "@") -> str:
        """A sentence about what somebody does; that player's own piles are `their`."""
        act, mark, why = text.partition(";")
        if mark and act in self.quoted:
            return f"{self.quoted[act]};{self(why, by)}"
        if self.piles is None or not self.piles.search(text):
            return with_player_names(text, self.called)
        before, bracket, quoted = text.partition(" (")
        if bracket and quoted.removesuffix(")") in self.quoted:
            text = f"{before}: {self.quoted[quoted.removesuffix(')')]}"
        # What is to be typed stays as it is.
        parts = text.split("`")
        parts[::2] = [self.piles.sub(lambda found: self.telling.place(found[0], by), part) for part in parts[::2]]
        return with_player_names("`".join(parts), self.called)


def finding_of(f: Audited, words: Words) -> dict[str, Any]:
    """One finding, players by the names of those who sat there at its act, piles by theirs."""
    words = words.at(f.at.pos)
    called = words.called

    def say(text: str) -> str:
        return words(text, f.by)

    return {
        "rule": f.rule,
        "verdict": str(f.verdict),
        "record": f.rule in OF_THE_RECORD,
        "at": f.at.pos,
        "hand": f.at.hand,
        "known": f.known_from.pos if f.known_from is not None else None,
        "bound": f.bound,
        "by": f.by,
        "title": capital(f"{called[f.by]}: {f.short}" if f.by in called else f.short),
        "says": say(f.says),
        "heading": f.heading,
        "short": f.short,
        "sentence": f.sentence,
        "cards": f.cards,
        "holder": f.holder,
        "because": [words(text) for text in f.because],
        "knew": say(f.knew),
        "legal": [say(text) for text in f.legal],
        "complete": f.complete,
        "cost": say(f.cost),
        "settles": [say(text) for text in f.settles],
        "unless": say(f.unless),
        "exact": msgspec.to_builtins(f.exact) if f.exact is not None else None,
    }


def corrections_of(log: ReadLog) -> list[dict[str, Any]]:
    """The corrections: what was typed, what stands now, and where it was corrected."""
    telling = Telling(begin(log.view.opening.facts))
    texts = {r.n: r.text for r in log if isinstance(r.event, Fix)}

    def say(event: Any) -> str:
        return telling.sentence(event)

    # Cards that moved round are one correction, told at the first of them.
    turned = {r.n: r.event.at for r in log if isinstance(r.event, Fix) and r.event.how == "turn"}
    out = [
        {"of": p.n, "at": p.at, "how": "turn" if p.at in turned else "insert" if not p.was else "replace", "was": [say(old) for _, old in p.was],
         "now": f"{say(p.event)} Those behind it move round likewise." if p.at in turned else say(p.event), "text": texts.get(p.at, "")}
        for p in log.view.events if (p.was or isinstance(p.recorded.event, Fix)) and turned.get(p.at, p.n) == p.n
    ]  # fmt: skip
    out += [
        {"of": p.n, "at": p.at, "how": "strike", "was": [say(p.event)], "now": "", "text": texts.get(p.at, "")} for p in log.view.struck
    ]
    return sorted(out, key=lambda c: (c["at"], c["of"]))


def marks_of(log: ReadLog) -> list[dict[str, Any]]:
    """Claims, confirmations, disputes, rulings, faults and notes, each with the events it is about."""
    telling = Telling(begin(log.view.opening.facts))
    return [
        {"n": p.n, "kind": verb_of(p.event), "by": p.event.by, "refs": list(getattr(p.event, "refs", ())),
         "text": telling.sentence(p.event), "remark": p.recorded.text}
        for p in log.view.events if isinstance(p.event, SAID)
    ]  # fmt: skip


def misfits_of(log: ReadLog) -> list[dict[str, Any]]:
    """Corrections that point nowhere."""
    return [{"at": m.at, "text": m.text} for m in log.view.misfits]


__all__ = ["Words", "corrections_of", "findings_of", "misfits_of", "marks_of"]
