"""Everything known about one event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from events.cards import pretty_all
from events.errors import NotFoundError
from events.model import Event, Fix, Recorded
from events.writing import write_event
from reducers.legal import plans
from reducers.model import State
from replay.auditing.audit import Auditor
from replay.auditing.audit_shapes import About, Audited, Held, RuleSays
from replay.auditing.check import check
from replay.auditing.exhaustive import exact
from replay.auditing.proof import HindsightReplay, middle_before, state_before_act
from replay.judging.findings import Finding, Judgement
from replay.judging.worlds import SecondOpinion, with_all_worlds
from replay.read_log import read_log
from replay.table.wording import describe_event, sorted_cards


def about(
    records: Iterable[Recorded], pos: int, *, derived: Iterable[tuple[int, str]] = (), second: bool = False,
) -> About:
    """Return everything known about one event. Raises NotFoundError for a position the log does not have."""
    log = read_log(records)
    judgement = check(log, derived)
    memory = HindsightReplay(log)
    at = next((r for r in log if r.n == pos), None)
    if at is None:
        raise NotFoundError(f"there is no event {pos}", expected=f"a position from 0 to {log.last}")
    hand = memory.hand_at[memory.step[pos] - 1] if pos in memory.step else 0
    opinions = {e.hand: e for e in exact(log, hand=hand)} if second and hand else {}
    judgement = with_all_worlds(judgement, opinions.values())
    findings = [f for f in judgement.findings if f.at.pos == pos]
    proves = tuple(
        f"{f.rule} {f.short} at event {f.at.pos}".strip() for f in judgement.findings if f.at.pos != pos
        and (pos in f.evidence or (f.known_from is not None and f.known_from.pos == pos))
    )
    for step, placed, event, state in memory.stations():
        if placed.n != pos:
            continue
        audited = _audited(memory, judgement, opinions, findings)
        rules = _asked_rules(event, state, findings)
        phase = state.game.phases.get(state_before_act(event, state).phase)
        acts = bool(phase and type(event) in phase.acts) or bool(findings)
        verdicts = {r.verdict for r in rules}
        verdict = next((v for v in ("broken", "open") if v in verdicts), "allowed") if rules or acts else ""
        verdict = "broken" if pos in judgement.illegal else verdict
        remark = (
            f"the card is inferred, nobody saw it: {pretty_all(memory.inferred[pos])}" if pos in memory.inferred else ""
        )
        return About(
            pos, hand, write_event(placed.event), describe_event(placed.event, state.game),
            tuple(write_event(old) for _, old in placed.was), phase.name if phase else "", tuple(state.turn),
            middle_before(state, memory, step), tuple(_held(state)), rules, verdict, audited, proves, remark,
        )  # fmt: skip
    taken = next((one.by.n for one in memory.view.taken_back if one.act.n == pos), 0)
    remark = (
        f"taken back at {taken}: it is judged as it was made, and has no effect" if taken
        else "a correction: what it put there is judged in its place" if isinstance(at.event, Fix)
        else "struck out: it is not part of what is judged" if pos else "the opening: the terms of the match"
    )
    audited = _audited(memory, judgement, {}, findings)
    hand = next((f.at.hand for f in findings), hand)
    return About(
        pos, hand, write_event(at.event) if pos else "",
        describe_event(at.event, judgement.state.game) if pos else "the opening", (), "", (), "", (), (), "", audited,
        proves, remark,
    )


def _audited(
    memory: HindsightReplay, judgement: Judgement, opinions: Mapping[int, SecondOpinion], findings: Sequence[Finding]
) -> tuple[Audited, ...]:
    """These findings with their proofs."""
    auditor = Auditor(memory, judgement, opinions, findings)
    memory.walk(auditor)
    return tuple(auditor.audited())


def _asked_rules(event: Event, state: State[Any], findings: Sequence[Finding]) -> tuple[RuleSays, ...]:
    """Every rule that was checked for an act, with the judge's verdict."""
    key, state = state.game.key, state_before_act(event, state)
    found = {f.rule: f for f in findings}
    asked = {f"{key}.{c.rule.id}": c.rule.short for c in plans(key)[state.phase].get(type(event), ())}
    out = [RuleSays(r, asked.get(r, f.short), f.verdict.value, f.text) for r, f in found.items()]
    out += [RuleSays(r, short, "allowed") for r, short in asked.items() if r not in found]
    return tuple(sorted(out, key=lambda r: (("broken", "open", "allowed").index(r.verdict), r.rule)))


def _held(state: State[Any]) -> Iterator[Held]:
    """The content of each holding, and of the board if something in it is hidden."""
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
