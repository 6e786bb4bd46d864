"""Findings and the corrections offered for them, in a fair order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from reducers.rules import Verdict
from replay.judging.correction import SuggestedCorrection, likewise, resting_on
from replay.judging.findings import Finding, sentence
from replay.languages.translate import in_language, listed_words, phrase, t, tn

MAX_FINDINGS_TOLD = 3
"""Most findings on one correction that are reported in full. Of more, only the first is."""
PHYSICAL = ("T1", "T2", "T3", "T4", "T5")


def depending(findings: Iterable[Finding], repairs: Sequence[SuggestedCorrection]) -> list[Finding]:
    """Mark each finding that a repair would remove with the first such repair."""
    first: dict[tuple[str, int], SuggestedCorrection] = {}
    for repair in repairs:
        for ref in repair.removes:
            first.setdefault((ref.rule, ref.pos), repair)
    return [
        replace(f, unless=first[f.rule, f.at.pos]) if f.verdict == Verdict.BROKEN and (f.rule, f.at.pos) in first else f
        for f in findings
    ]


def findings_in_order(findings: Sequence[Finding], repairs: Sequence[SuggestedCorrection]) -> Iterator[str]:
    """Report what is broken, hand by hand, in a fair order.

    Contradictions of the record come first, then the corrections with the lines to type, then what those would
    remove, grouped by correction; last is what no correction changes. Of a large group only the first is reported in
    full, and the rules and places of the others: they have one cause.
    """
    for hand in sorted(
        {f.at.hand if f.unless is None else f.unless.hand for f in findings} | {repair.hand for repair in repairs}
    ):
        mine = [f for f in findings if (f.at.hand if f.unless is None else f.unless.hand) == hand]
        yield from _of_one_hand(mine, [repair for repair in repairs if repair.hand == hand])


def _of_one_hand(findings: Sequence[Finding], repairs: Sequence[SuggestedCorrection]) -> Iterator[str]:
    """What is broken in a hand, or depends on a correction of it."""
    groups: dict[tuple[str, ...], list[Finding]] = {}
    for f in findings:
        if f.unless is not None:
            groups.setdefault(f.unless.lines, []).append(f)
    told = {id(f) for f in findings if is_physical(f)}
    for group in groups.values():
        record = [f for f in group if is_physical(f)]
        if len(record) > MAX_FINDINGS_TOLD:
            told -= {id(f) for f in record[1:]}
    yield from (sentence(f) for f in findings if id(f) in told)
    for i, repair in enumerate(repairs):
        yield offered(repair, phrase("perhaps") if i == 0 else phrase("then") if repair.after else phrase("or"))
    for group in groups.values():
        rest = sorted((f for f in group if id(f) not in told), key=lambda f: (is_physical(f), f.at.pos))
        if rest and rest[0].unless is not None:
            n = len(rest)
            yield tn("this rests on {what}:", "these {n} rest on {what}:", n, what=resting_on(rest[0].unless))
            yield from (f"  {sentence(f)}" for f in rest[: n if n <= MAX_FINDINGS_TOLD else 1])
            yield from (f"  {t('and'):<7} {line}" for line in likewise(rest[1:] if n > MAX_FINDINGS_TOLD else []))
    yield from (sentence(f) for f in findings if not is_physical(f) and f.unless is None)


def offered(repair: SuggestedCorrection, word: str = "perhaps") -> str:
    """An offer on one line, with what to type."""
    n, what = len(repair.removes), in_language(repair.text)
    if repair.kind != "turn":
        done = tn("settles {n} finding", "settles {n} findings", n) if n else t("completes the hand")
        left = t("leaves {n}", n=repair.leaves) if repair.leaves else t("leaves none")
        what = f"{what} ({done}, {left})"
    lines = listed_words(f"`{line}`" for line in repair.lines)
    return f"{t(word):<7} {t('hand {n}: {what}: type {lines}', n=repair.hand, what=what, lines=lines)}"


def is_physical(finding: Finding) -> bool:
    """True if the finding is a contradiction of the record, not a matter of rules."""
    return finding.rule.startswith("table.") and finding.rule[6:] in PHYSICAL
