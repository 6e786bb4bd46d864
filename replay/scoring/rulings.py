"""Disputes and rulings: what a player wants decided, what was decided, and its effect on the score.

    N dispute #14 revoke                              North wants a decision about event 14
    @ ruling #19 warning                              decided, with no effect on the score
    @ ruling #19 tricks.NS=1 tricks.EW=-1             a trick changes hands
    @ ruling #19 trick.3=EW rule=kaiser.R12           the third trick of that hand is East and West's, by that rule
    @ ruling #19 points.NS=-3                         the points of the hand are adjusted
    @ ruling #19 void                                 the hand does not count
    @ ruling #19 forfeit hand=NS                      NS get nothing for the hand; `match=NS` loses them the match
    @ ruling #24 withdrawn                            the ruling at 24 no longer holds

The first reference is the question: a dispute, an act, or an earlier ruling. The hand is that of the act in question,
which the dispute or the ruling names. Only a later ruling that refers to it undoes a ruling: the later one replaces
it, unless it says `stands`. A void hand counts nothing, whatever else is decided about it.

An invalid word, key, side or value is a finding of the table, T10; a reference to a missing event is T11. The valid
parts of the same ruling still have their effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.cards import pretty
from events.model import Call, Dispute, Facts, Fault, Recorded, Ruling
from reducers.facts import flat
from reducers.model import State
from reducers.rules import TABLE, Breach, Verdict
from reducers.ruling_effects import apply_rulings, changes_the_record, hand_over
from reducers.scoring import Penalty, Standing, signed
from reducers.terms import Terms, side_named
from replay.fold import Corrected
from replay.judging.findings import EventPlace, Finding, Judgement
from replay.read_log import read_log
from replay.scoring.enumerate import Change
from replay.scoring.hands import folded_log, hand_ends
from replay.scoring.outcomes import HandEnd

WORDS = {
    "void": "the hand does not count",
    "forfeit": "hand=SIDE or match=SIDE: that side gets nothing for the hand, or loses the match",
    "transfer": "cards or tricks change hands, as the facts say",
    "adjust": "the points of the hand change, as the facts say",
    "warning": "no effect on the score",
    "stands": "the act or ruling in question stands",
    "withdrawn": "the ruling in question no longer holds",
}
"""The words of a ruling in every game; the word of the dispute, or one of the game's own, is allowed too."""

ANY_RULING = {
    "points.*": "points a side gets for the hand, or loses",
    "hand": "with `forfeit`: the side that gets nothing for the hand",
    "match": "with `forfeit`: the side that loses the match",
    "rule": "the rules it rests on, by their numbers",
}
"""The facts of a ruling in every game, besides those of the game (`Game.tally.rulings`): key pattern and meaning."""


class Act(Struct, frozen=True):
    """One change of a hand's score: the facts, the word, the position of the decision, and its text."""

    hand: int
    at: int
    word: str
    facts: Facts
    text: str = ""


class Decision(Struct, frozen=True):
    """An interpreted ruling.

    `question` is the first reference, `about` the act in question (0 if none), `hand` its hand. `counts` is False
    once a later ruling (`undone_by`) replaced it. `rules` are the rules cited, `effect` its effect in words,
    `problems` its errors: pairs of table rule and sentence.
    """

    at: int
    by: str
    refs: tuple[int, ...]
    question: int
    about: int
    hand: int
    word: str
    facts: Facts
    rules: tuple[str, ...]
    effect: str
    counts: bool = True
    undone_by: int = 0
    problems: tuple[tuple[str, str], ...] = ()

    @property
    def act(self) -> Act:
        """Its effect on its hand."""
        return Act(self.hand, self.at, self.word, self.facts, self.effect)


class DisputeCase(Struct, frozen=True):
    """A dispute: the player, the acts in question, the word, and the rulings on it, oldest first."""

    at: int
    by: str
    hand: int
    refs: tuple[int, ...]
    word: str
    ruled: tuple[int, ...]
    problems: tuple[tuple[str, str], ...] = ()


# -- reading them


class _Log:
    """Resolves references of a log."""

    def __init__(self, view: Corrected, hands: Sequence[HandEnd], last: int) -> None:
        self.view, self.last = view, last
        self.events = {p.n: p.event for p in view.events}
        self.hand_of = {view.events[step - 1].n: h.number for h in hands for step in range(h.first, h.last + 1)}
        self.state = hands[-1].state if hands else None

    def problems(self, at: int, refs: Iterable[int]) -> list[tuple[str, str]]:
        """The invalid references: events that are missing or struck out."""
        struck = {p.n for p in self.view.struck}
        out = []
        for ref in refs:
            if not 0 < ref < at or ref > self.last:
                out.append(("T11", f"there is no event {ref} before this"))
            elif ref in struck:
                out.append(("T11", f"event {ref} was struck out"))
        return out


def decisions(view: Corrected, hands: Sequence[HandEnd] | None = None) -> tuple[Decision, ...]:
    """The rulings of a log in the order made."""
    made = [p for p in view.events if isinstance(p.event, Ruling)]
    if not made:
        return ()
    log = _Log(view, hand_ends(view) if hands is None else hands, max((p.at for p in view.events), default=0))
    found = [_decision(p.n, p.event, log) for p in sorted(made, key=lambda p: p.n) if isinstance(p.event, Ruling)]
    # From last to first: a ruling holds unless a valid later one refers to it with another word than `stands`.
    undone: dict[int, int] = {}
    for d in reversed(found):
        if d.at not in undone and d.word != "stands":
            for ref in d.refs:
                undone.setdefault(ref, d.at)
    return tuple(replace(d, counts=False, undone_by=undone[d.at]) if d.at in undone else d for d in found)


def disputes(view: Corrected, hands: Sequence[HandEnd] | None = None) -> tuple[DisputeCase, ...]:
    """The disputes of a log in the order made, each with the rulings on it."""
    made = [(p.n, p.event) for p in view.events if isinstance(p.event, Dispute)]
    if not made:
        return ()
    log = _Log(view, hand_ends(view) if hands is None else hands, max((p.at for p in view.events), default=0))
    ruled = [(p.n, p.event.refs) for p in view.events if isinstance(p.event, Ruling)]
    out = []
    for at, event in made:
        about = next((log.hand_of[r] for r in event.refs if r in log.hand_of), log.hand_of.get(at, 0))
        answers = tuple(n for n, refs in ruled if at in refs)
        out.append(
            DisputeCase(at, event.by, about, event.refs, event.word, answers, tuple(log.problems(at, event.refs)))
        )
    return tuple(out)


def _decision(at: int, event: Ruling, log: _Log) -> Decision:
    question = event.refs[0] if event.refs else 0
    about = _about(event.refs, log)
    hand = log.hand_of.get(about) or log.hand_of.get(question) or log.hand_of.get(at, 0)
    problems = log.problems(at, event.refs)
    if not event.refs:
        problems.append(("T11", "a ruling must name what it decides"))
    facts = event.facts
    rules: tuple[str, ...] = ()
    if log.state is not None:
        facts, rules, more = _understood(event, log)
        problems += more
    effect = _effect(event.word, facts, log.state.terms if log.state else None, hand)
    return Decision(
        at, event.by, event.refs, question, about, hand, event.word, facts, rules, effect, problems=tuple(problems),
    )


def _about(refs: Sequence[int], log: _Log) -> int:
    """The act in question: the one in the dispute or the ruling; for a ruling on a ruling, the act of the latter."""
    for ref in refs:
        event = log.events.get(ref)
        if isinstance(event, Dispute | Ruling):
            inner = _about([r for r in event.refs if r < ref], log)
            if inner:
                return inner
        elif event is not None:
            return ref
    return 0


def _understood(event: Ruling, log: _Log) -> tuple[Facts, tuple[str, ...], list[tuple[str, str]]]:
    """The valid facts, the rules cited, and the errors."""
    assert log.state is not None
    state, problems = log.state, []
    game, terms = state.game, state.terms
    asked = {e.word for r in event.refs if isinstance(e := log.events.get(r), Dispute | Fault | Call | Ruling)}
    if event.word and event.word not in {*WORDS, *game.words, *asked}:
        problems.append(("T10", f"'{event.word}' is not a word of a ruling"))
    who = {*terms.seats, *terms.sides}
    facts: Facts = {}
    rules: list[str] = []
    for key, value in flat(event.facts):
        stem, _, rest = key.partition(".")
        shape = f"{stem}." + ("#" if rest.isdigit() else "*" if rest in who else rest) if rest else stem
        if key not in game.tally.rulings and shape not in (*ANY_RULING, *game.tally.rulings):
            if f"{stem}.*" in (*ANY_RULING, *game.tally.rulings):
                problems.append((
                    "T10",
                    f"'{rest}' is not a side or seat of this match" if rest
                    else f"'{stem}' must name a side or seat, as in {stem}.{terms.seats[0]}"
                ))
            else:
                problems.append(("T10", f"'{key}' is not a fact of a ruling in {game.name}"))
        elif stem == "rule":
            for name in value if isinstance(value, list | tuple) else (value,):
                rules.append(str(name))
                owner, _, number = str(name).rpartition(".")
                known = TABLE.rules if owner == "table" else game.rules.rules if owner in ("", game.key) else {}
                if number not in known:
                    problems.append(("T10", f"there is no rule '{name}'"))
        elif (wrong := _wrong(key, stem, value, event.word, state)) is not None:
            problems.append(("T10", wrong))
        else:
            _put(facts, key, value)
    tricks = facts.get("tricks")
    if isinstance(tricks, dict) and sum(tricks.values()):
        problems.append(("T10", f"the tricks handed over do not add up to 0: {sum(tricks.values()):+d}"))
    if event.word == "forfeit" and not {"hand", "match"} & set(facts):
        problems.append(("T10", "a forfeit must say who forfeits what: forfeit hand=SIDE, or match=SIDE"))
    return facts, tuple(rules), problems


def _wrong(key: str, stem: str, value: object, word: str, state: State[Any]) -> str | None:
    """The error in the value of a known key; None if it is valid."""
    fact = state.game.tally.facts.get(f"{stem}.*")
    if stem in ("points", "tricks") or (stem != "cards" and fact is not None and fact.kind == "number"):
        return (
            None if isinstance(value, int) and not isinstance(value, bool)
            else f"{key} must be a whole number, not '{value}'"
        )
    if stem == "cards":
        named = value if isinstance(value, list | tuple) else (value,)
        bad = [
            str(c) for c in named
            if state.game.pack.code.get(str(c), state.game.pack.unknown) >= state.game.pack.unknown
        ]
        return f"{', '.join(bad)} {'is not a card' if len(bad) == 1 else 'are not cards'} of this game" if bad else None
    if not side_named(value, state.terms):
        return f"'{value}' is not a side or seat of this match"
    if stem in ("hand", "match") and word != "forfeit":
        return f"'{key}' needs the word forfeit"
    return None


def _put(facts: Facts, key: str, value: object) -> None:
    """Put a value back under its dotted key."""
    stem, _, rest = key.partition(".")
    if rest:
        facts.setdefault(stem, {})[rest] = value
    else:
        facts[stem] = value


def _effect(word: str, facts: Facts, terms: Terms | None, hand: int) -> str:
    """The effect of a ruling in words."""
    out = []
    if word == "void":
        out.append(f"hand {hand} does not count")
    elif word == "withdrawn":
        out.append("the ruling in question no longer holds")
    elif word == "stands":
        out.append("what is in question stands")
    elif word == "warning":
        out.append("a warning")
    for stem, value in facts.items():
        if stem in ("points", "tricks") and isinstance(value, dict):
            out += [f"{who} {signed(n)} {stem[:-1] if abs(n) == 1 else stem}" for who, n in value.items()]
        elif stem == "trick" and isinstance(value, dict):
            out += [f"trick {n} to {who}" for n, who in value.items()]
        elif stem == "cards" and isinstance(value, dict):
            for who, cards in value.items():
                named = cards if isinstance(cards, list | tuple) else (cards,)
                out.append(f"{', '.join(pretty(str(c)) for c in named)} to {who}")
        elif isinstance(value, dict):
            out += [
                f"{stem} {who} to {n}" if isinstance(n, str) else f"{who} has {n} {stem[:-1] if n == 1 else stem}"
                for who, n in value.items()
            ]
        elif stem in ("hand", "match"):
            out.append(f"{value} forfeit {'hand ' + str(hand) if stem == 'hand' else 'the match'}")
        else:
            out.append(f"{stem} to {value}")
    return ", ".join(out) or "no effect on the score"


def ruling_findings(records: Iterable[Recorded]) -> list[Finding]:
    """Errors in the disputes and rulings of a log, as findings of the table (T10, T11)."""
    log = read_log(records)
    view = log.view
    if not any(isinstance(p.event, Dispute | Ruling) for p in view.events):
        return []
    hands = log.once(folded_log).hands
    number = {view.events[step - 1].n: h.number for h in hands for step in range(h.first, h.last + 1)}
    out = []
    said: list[DisputeCase | Decision] = [*disputes(view, hands), *decisions(view, hands)]
    for one in sorted(said, key=lambda d: d.at):
        for rule, text in one.problems:
            found, at = TABLE[rule], EventPlace(one.at, number.get(one.at, 0))
            out.append(Finding(
                rule=f"table.{rule}", verdict=Verdict.BROKEN, at=at, known_from=at, text=text, by=one.by,
                heading=found.heading, short=found.short, sentence=found.text, evidence=(one.at,),
            ))  # fmt: skip
    return out


# -- what they do to the score


def acts_of_rulings(decided: Iterable[Decision]) -> list[Act]:
    """The effects of the rulings that hold, in the order made."""
    return [d.act for d in decided if d.counts]


def breaches_of(judgement: Judgement, view: Corrected) -> tuple[Breach, ...]:
    """The certain breaches for a game that prescribes penalties. Acts taken back were put right at once and are left
    out."""
    back = {one.act.n for one in view.taken_back}
    return tuple(Breach(f.at.pos, f.rule, f.by, f.at.hand) for f in judgement.broken if f.at.pos not in back)


def acts_of_penalties(penalties: Iterable[Penalty]) -> list[Act]:
    """The penalties of the rules, in the same form."""
    return [
        Act(p.hand, p.at, str(p.facts.get("word", "")), {k: v for k, v in p.facts.items() if k != "word"}, p.text)
        for p in penalties
    ]


def changes_by_acts(acts: Sequence[Act]) -> Change:
    """How these acts change the hands of a match (see `replay.scoring.enumerate.match_outcomes`)."""

    def change(hand: HandEnd, state: State[Any]) -> tuple[State[Any], Any]:
        mine = [a for a in acts if a.hand == hand.number]
        if any(changes_the_record(a.facts) for a in mine):
            state = state.copy()
            hand_over([a.facts for a in mine], state)
        return state, lambda score: apply_rulings(score, [(a.word, a.facts) for a in mine], state.terms)

    return change


def without_effect(acts: Sequence[Act], hands: Sequence[HandEnd]) -> Iterator[tuple[int, str]]:
    """The acts without their full effect: position and reason."""
    by_number = {h.number: h for h in hands}
    for act in acts:
        hand = by_number.get(act.hand)
        if hand is None:
            if act.word == "void" or set(act.facts) - {"match"}:
                yield act.at, "it is not about a hand of the match"
            continue
        if not hand.counted:
            continue
        voided = next((a.at for a in acts if a.hand == act.hand and a.word == "void"), 0)
        void = hand.state.game.score(hand.state).source == "void" or (voided and voided != act.at)
        if void and (act.word == "void" or set(act.facts) - {"match"}):
            yield act.at, f"hand {act.hand} is void and counts nothing"
        elif changes_the_record(act.facts):
            for said in hand_over([act.facts], hand.state.copy()):
                yield act.at, said


def forfeited(acts: Iterable[Act], terms: Terms) -> tuple[str, ...]:
    """The sides that forfeited the match."""
    named = (side_named(a.facts["match"], terms) for a in acts if "match" in a.facts)
    return tuple(dict.fromkeys(side for side in named if side))


def after_forfeit(standing: Standing, out: Sequence[str]) -> Standing:
    """The standing after these sides have forfeited the match: a single remaining side has won, and they have not."""
    if not out:
        return standing
    left = [side for side in standing.totals if side not in out]
    if len(left) == 1:
        return replace(standing, winner=left[0], over=True)
    return replace(standing, winner="", over=False) if standing.winner in out else standing
