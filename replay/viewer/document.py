"""A match as data for a viewer: the first frame of each hand, and the change at each event.

The frames are those of `replay.table.frame`, of the corrected log; the findings are those of the audit.
`docs/replay-data.md` describes the format. Cards that the onlooker may not see are masked first (`replay.redact`), so
they cannot be in the data.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from events import write_kib
from events.cards import Pack
from events.errors import NotFoundError
from events.match_tags import shown_tags
from events.model import Event, Facts, Recorded
from events.packs import TablePack
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.model import State
from reducers.scoring import HandScore
from reducers.seating import everybody, whole_totals
from reducers.terms import Terms
from replay.auditing.audit import audit_of
from replay.auditing.check import check
from replay.auditing.proof import HindsightReplay
from replay.languages.catalogue import ENGLISH
from replay.languages.translate import in_language, phrase, spoken_language
from replay.pack_names import InPack, in_pack
from replay.plain_text import with_player_names
from replay.read_log import ReadLog, read_log
from replay.redact import hide
from replay.table.event_sentences import how_it_ended
from replay.viewer.frames import Frames
from replay.viewer.grouping import Grouping
from replay.viewer.hindsight import ViewerHindsight
from replay.viewer.marks import Words, corrections_of, findings_of, marks_of
from replay.viewer.steps import Step, labels_in_language, step_of

VERSION = 1
"""The version of this format; a viewer rejects a higher one."""
ALL = "all"


def document(
    records: Iterable[Recorded], viewer: str = ALL, *, hand: int | None = None, start: int | None = None,
    derived: Iterable[tuple[int, str]] = (), links: Mapping[str, str] | None = None, pack: TablePack | None = None,
    second: bool = False, seen_whole: Collection[int] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Everything a viewer needs of a match, or of one hand of it, as plain data for JSON.

    `start` is the event to begin at; `links` lead to other pages of the match, by name. With `seen_whole` the records
    are already masked for this viewer, who sees those hands completely. Cards are named as in `pack`, by default that
    on the table; with `second` each finding has its exact opinion. Raises UsageError for an invalid viewer,
    NotFoundError for a missing hand or event, UnreadableError for a log without its opening.
    """
    log = read_log(records) if viewer == ALL or seen_whole is not None else read_log(hide(records, viewer))
    memory = HindsightReplay(log)
    # Derived lines are about the whole record.
    audited = audit_of(memory, check(log, derived if viewer == ALL else ()), hand=hand, second=second)
    walk = DocumentWalk(log, viewer, memory, seen_whole or ())
    hands = [one for one in walk.hands() if hand in (None, one["number"])]
    told = {step.n for one in hands for step in one["steps"]}
    if start is not None and start not in told:
        raise NotFoundError(
            f"there is no event {start} in this replay",
            expected="an event that was not struck out, of a hand that is shown"
        )
    shown = in_pack(log.view, log, pack)
    doc = {
        "kibitz": "replay",
        "version": VERSION,
        "viewer": viewer,
        **terms_told(walk.state, log.view.opening.facts),
        "pack": pack_told(walk.state.game.pack, shown),
        "start": start,
        "links": links or {},
        # The record itself, to continue with it.
        "kib": write_kib(log) if viewer == ALL and hand is None else "",
        # The page's address, if known.
        "url": "",
        "hands": hands,
        "findings": findings_of(audited, walk),
        "offers": [
            {
                "hand": o.hand, "text": with_player_names(o.text, walk.state.terms.called), "lines": o.lines,
                "removes": o.removes,
            }
            for o in audited.offers
        ],
        "corrections": [c for c in corrections_of(log) if hand is None or c["of"] in told],
        "said": [s for s in marks_of(log) if s["n"] in told],
        "misfits": [{"at": m.at, "text": m.text} for m in log.view.misfits],
        "exact": [{"hand": e.hand, "worlds": e.worlds, "complete": e.complete, "text": e.text} for e in audited.exact],
        "cuts": audited.cuts,
    }
    if spoken_language() != ENGLISH:
        doc = labels_in_language(msgspec.to_builtins(doc), walk.state.game.key)
    return doc if shown.same else with_pack_names(doc, shown)


BETWEEN = {
    "between": {"name": phrase("between two hands"), "to_do": ""},
    "over": {"name": phrase("the match is over"), "to_do": ""},
}
"""The parts of a match outside the hands."""


def terms_told(state: State[Any], facts: Facts) -> dict[str, Any]:
    """The game, the players, and the final standing."""
    terms, game, standing = everybody(state), state.game, state.standing
    tags = {tag: str(value) for tag, value in shown_tags(facts)}
    ended = how_it_ended(state) if state.ended else ""
    return {
        "match": str(facts.get("Match", "")),
        "game": game.key,
        "name": in_language(game.name),
        "title": tags.get("Event") or " – ".join(terms.name(side) for side in terms.sides),
        "tags": tags,
        "seats": terms.seats,
        "order": terms.in_turn(terms.seats[0]),
        "sides": terms.sides,
        "names": terms.names,
        "called": called_in(terms),
        "phases": {
            key: {"name": in_language(phase["name"], game.key), "to_do": phase["to_do"]} for key, phase in {
                **BETWEEN, **{key: {"name": phase.name, "to_do": phase.to_do} for key, phase in game.phases.items()}
            }.items()
        },
        "totals": whole_totals(standing),
        "over": bool(state.ended),
        "winner": standing.winner,
        "together": standing.winners,
        "ended": f"{ended[:1].upper()}{ended[1:]}." if ended else "",
    }


def called_in(terms: Terms) -> dict[str, str]:
    """The name of each seat and side."""
    return {who: terms.name(who) for who in (*terms.seats, *terms.sides)}


def pack_told(pack: Pack, shown: InPack) -> dict[str, Any]:
    """The cards of a game, with their names if they are not French ones."""
    called = {} if shown.same else {face: [shown.pack.sign(face), shown.in_words(face)] for face in pack.faces}
    return {"faces": pack.faces, "copies": max(pack.copies, default=0), "signs": shown.pack.name, "called": called}


SENTENCES = frozenset((
    "says", "short", "was", "now", "inferred", "contract", "result", "notes", "last", "because", "knew", "legal",
    "cost", "settles", "unless", "sentence", "title", "ended",
))  # fmt: skip
"""The keys of sentences about cards. Remarks and names are not among them, as people wrote them."""


def with_pack_names(doc: dict[str, Any], shown: InPack) -> dict[str, Any]:
    """The same data with the sentences translated for another pack. Card data stay as they are."""
    title = doc["title"]

    def say(value: Any, key: str = "") -> Any:
        if isinstance(value, str):
            return shown.text(value) if key in SENTENCES else value
        if isinstance(value, dict):
            return {name: say(one, name) for name, one in value.items()}
        if isinstance(value, list | tuple):
            return [say(one, key) for one in value]
        return value

    out: dict[str, Any] = say(msgspec.to_builtins(doc))
    for one in (*(link for f in out["findings"] for link in f["chain"]), *out["said"], *out["misfits"]):
        one["text"] = shown.text(one["text"])
    return {**out, "title": title}


class DocumentWalk:
    """A single walk over a log, hand by hand."""

    def __init__(self, log: ReadLog, viewer: str, memory: HindsightReplay, whole: Collection[int] = ()) -> None:
        self.log, self.viewer, self.whole = log, viewer, whole
        self.state: State[Any] = begin(log.view.opening.facts)
        self.hindsight = ViewerHindsight(memory, self.state.game.pack)
        self.inferred = memory.inferred
        # Each event and its sentence, by its position.
        self.acts: dict[int, Event] = {}
        self.says: dict[int, str] = {}

    def hands(self) -> Iterator[dict[str, Any]]:
        """Each hand: its first frame, its steps, its groups."""
        state = self.state
        told = 0
        hands: list[HandDraft] = []
        frames = Frames(state, self.viewer, self.whole)
        for placed in self.log.view.events:
            state.at = state.table.now = placed.n
            step = step_of(placed, state, self.acts)
            if hands:
                hands[-1].grouping.before(state)
            number = state.number
            evolve(state, placed.event)
            anew = frames.anew
            change = frames.whole() if anew else frames.changed()
            if anew and (not hands or state.number != number):
                hands.append(HandDraft(state.number, change, state.terms))
            else:
                # With other terms everything may look different.
                step.change = change
            hand = hands[-1]
            step.inferred = tuple(text for _, text in state.inferred[told:])
            told = len(state.inferred)
            step.follows = self.inferred.get(placed.n, ())
            step.group = hand.grouping.join(placed, state)
            hand.steps.append(step)
            self.says[step.n] = step.says
        words = Words(self)
        for step in (step for hand in hands for step in hand.steps if step.inferred):
            step.inferred = tuple(words(text) for text in step.inferred)
        later, counted = self.hindsight.stays(by_count=False), self.hindsight.stays(by_count=True)
        for hand in hands:
            score = next((s for s in state.scores if s.number == hand.number), None)
            yield {
                **hand.told(score, words), "later": later.get(hand.number, ()), "counted": counted.get(hand.number, ())
            }


class HandDraft:
    """A hand whose data is being collected."""

    def __init__(self, number: int, frame: dict[str, Any], terms: Terms) -> None:
        self.number, self.frame, self.terms = number, frame, terms
        self.steps: list[Step] = []
        self.grouping = Grouping()

    def told(self, score: HandScore | None, words: Words) -> dict[str, Any]:
        """The data of the hand, with its result."""
        then = {} if self.terms.names == words.terms.names else {"called": called_in(self.terms)}
        return {
            "number": self.number,
            **then,
            "dealer": self.frame["dealer"],
            "first": self.steps[0].n,
            "last": self.steps[-1].n,
            "contract": score.contract if score else "",
            "result": words(score.result if " " in score.result else score.result.replace("-", " ")) if score else "",
            "points": score.points if score else {},
            "totals": score.totals if score else {},
            "notes": score.notes if score else (),
            "list": "columns" if any(g.kind == "trick" for g in self.grouping.groups) else "turns",
            "groups": self.grouping.groups,
            "frame": self.frame,
            "steps": self.steps,
        }
