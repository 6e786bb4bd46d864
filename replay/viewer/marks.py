"""What a replay shows at events besides the act: findings, corrections, and remarks about the record or the score."""

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
from replay.languages.translate import in_language
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
        """An event of a proof; one that is only quoted has the text of the list of moves."""
        event = events.get(one.pos)
        plain = event is not None and one.text == describe_event(event, walk.state.game)
        return {"n": one.pos, "text": walk.says[one.pos].removesuffix(".") if plain else words.at(one.pos)(one.text)}

    return [
        {**finding_of(f, words), "chain": [link(one) for one in f.chain], "shows": list(walk.hindsight.turned(f))}
        for f in both
    ]  # fmt: skip


class Words:
    """Translates the judge's sentences for the page: names of players, the players' names for piles, and quoted
    events as sentences."""

    def __init__(self, walk: Walked) -> None:
        self.view, self.terms, self.says = walk.log.view, walk.state.terms, walk.says
        self.called = self.terms.called
        self.telling = Telling(walk.state)
        # A pile is written as kind and number or owner; hands and piles without a number are words already. The last
        # hand may lack piles of earlier ones.
        names = [*BY_NAME, *walk.state.game.display.piles, *(name for name in walk.state.table.piles if ":" in name)]
        kinds = sorted({name.partition(":")[0] for name in names} - {"*", *self.called})
        self.piles = re.compile(rf"(?<![\w:])(?:{'|'.join(map(re.escape, kinds))}):[\w:.]*\w") if kinds else None
        # Events quoted by proofs as typed, and their sentences.
        self.quoted = {
            write_event(p.event): walk.says[p.n].removesuffix(".") for p in walk.log.view.events if p.n in walk.says
        }

    def at(self, pos: int) -> Words:
        """The same with the names of the players at an event."""
        then = copy(self)
        then.called = terms_at(self.view, pos, self.terms).called
        return then

    def __call__(self, text: str, by: str = "@") -> str:
        """Translate a sentence about an act of `by`; that player's own piles are `their`."""
        act, mark, why = text.partition(";")
        if mark and act in self.quoted:
            return f"{self.quoted[act]};{self(why, by)}"
        if self.piles is None or not self.piles.search(text):
            return with_player_names(text, self.called)
        before, bracket, quoted = text.partition(" (")
        if bracket and quoted.removesuffix(")") in self.quoted:
            text = f"{before}: {self.quoted[quoted.removesuffix(')')]}"
        # Text to type is unchanged.
        parts = text.split("`")
        parts[::2] = [self.piles.sub(lambda found: self.telling.place(found[0], by), part) for part in parts[::2]]
        return with_player_names("`".join(parts), self.called)


def finding_of(f: Audited, words: Words) -> dict[str, Any]:
    """One finding, with the names of the players at its act and of piles."""
    words = words.at(f.at.pos)
    short = in_language(f.short)
    title = f"{words.called[f.by]}: {short}" if f.by in words.called else short

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
        "title": title[:1].upper() + title[1:],
        "says": say(in_language(f.says)),
        "heading": f.heading,
        "short": short,
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
    """The corrections: what was typed, what it is now, and the position of the correction."""
    telling = Telling(begin(log.view.opening.facts))
    texts = {r.n: r.text for r in log if isinstance(r.event, Fix)}

    def say(event: Any) -> str:
        return telling.sentence(event)

    # Shifted cards are one correction, shown at the first of them.
    turned = {r.n: r.event.at for r in log if isinstance(r.event, Fix) and r.event.how == "turn"}
    out = [
        {"of": p.n, "at": p.at, "how": "turn" if p.at in turned else "insert" if not p.was else "replace", "was": [
            say(old) for _, old in p.was
        ],
         "now": f"{say(p.event)} Those behind it move round likewise." if p.at in turned else say(p.event),
         "text": texts.get(p.at, "")}
        for p in log.view.events if (p.was or isinstance(p.recorded.event, Fix)) and turned.get(p.at, p.n) == p.n
    ]  # fmt: skip
    out += [
        {"of": p.n, "at": p.at, "how": "strike", "was": [say(p.event)], "now": "", "text": texts.get(p.at, "")}
        for p in log.view.struck
    ]
    return sorted(out, key=lambda c: (c["at"], c["of"]))


def marks_of(log: ReadLog) -> list[dict[str, Any]]:
    """Claims, confirmations, disputes, rulings, faults and notes, each with the events it refers to."""
    telling = Telling(begin(log.view.opening.facts))
    return [
        {"n": p.n, "kind": verb_of(p.event), "by": p.event.by, "refs": list(getattr(p.event, "refs", ())),
         "text": telling.sentence(p.event), "remark": p.recorded.text}
        for p in log.view.events if isinstance(p.event, SAID)
    ]  # fmt: skip
