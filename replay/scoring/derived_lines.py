"""The derived lines of a `.kib` file: written on export, computed again and compared on import, never trusted.

    = at 96
    = hand 2: NS +7 EW +3 (NS 17 EW 9)
    = result: NS won (NS 53 EW 22)

In full:

    at      "= at" number                   the lines below were computed from the log up to this event
    hand    "= hand" number ":" { who points } "(" { who total } ")"
    result  "= result:" ( who "won" | "no winner" ) "(" { who total } ")"

`who` is a side or seat, in the order of the match; points have a sign, even `+0`; an unknown figure is `?`. A hand in
play and an unfinished match have no line. A file grows at its end: lines written before later events, or before a
later correction, were right at the time, and `= at` keeps them right. Lines above the first `= at` are compared with
the whole log. Spaces are optional, and a true minus sign is the same as a hyphen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from events.kib import Derived
from events.model import Recorded
from reducers.registry import is_missing
from reducers.scoring import Points
from replay.read_log import read_log
from replay.scoring.score_shapes import MatchScore, ScoredHand
from replay.scoring.three_ways import score_played


class DerivedLineFault(Struct, frozen=True):
    """A derived line that differs from the log (rule `table.T8`).

    `line` is its line in the file, `written` the line without its `=`, `computed` the right line (empty if there is
    none), `text` a sentence about the difference.
    """

    line: int
    written: str
    computed: str
    text: str


def derived_lines(records: Iterable[Recorded]) -> list[str]:
    """Return the derived lines of a log, each with its `=`; none before the first hand is scored, or without the page
    of the game."""
    log = read_log(records)
    if is_missing(log.view.opening.facts):
        return []
    score = score_played(log)
    lines = [_hand_line(h) for h in score.hands if h.done]
    if score.over or score.ended:
        lines.append(_result_line(score))
    return [f"= {line}" for line in (f"at {score.position}", *lines)] if lines else []


def compare_derived(records: Iterable[Recorded], lines: Iterable[tuple[int, str] | Derived]) -> list[DerivedLineFault]:
    """Compute the derived lines again and return those that differ.

    `lines` are line numbers and texts, with or without the leading `=`, or as read from a file. An unknown line is a
    difference: its writer meant something by it, and nothing confirms it. Without the page of the game nothing is
    compared.
    """
    log = read_log(records)
    if is_missing(log.view.opening.facts):
        return []
    last = log.last
    scores: dict[int, MatchScore] = {}
    at = last
    out: list[DerivedLineFault] = []
    for entry in lines:
        number, text = (entry.line, entry.text) if isinstance(entry, Derived) else entry
        written = " ".join(text.strip().removeprefix("=").split())
        if not written:
            continue
        told = _AT.fullmatch(written)
        if told:
            at = int(told[1])
            if at > last:
                out.append(
                    DerivedLineFault(
                        number, written, f"at {last}",
                        f"the log ends at event {last}; the lines below are compared with all of it",
                    )
                )
                at = last
            continue
        if at not in scores:
            scores[at] = score_played(log if at == last else [r for r in log if r.n <= at])
        difference = _compare(number, written, scores[at])
        if difference is not None:
            out.append(difference)
    return out


_FIGURES = r"((?:\s*[A-Z][A-Z0-9]*\s*(?:[+−-]?[0-9]{1,15}|\?))*)"
_AT = re.compile(r"at ([0-9]{1,15})")
_HAND = re.compile(rf"hand ([0-9]{{1,15}}) ?:{_FIGURES}\s*\({_FIGURES}\s*\)")
_RESULT = re.compile(rf"result ?: ?(?:([A-Z][A-Z0-9]*) won|(no winner)) ?\({_FIGURES}\s*\)")
_FIGURE = re.compile(r"([A-Z][A-Z0-9]*?)\s*([+−-]?[0-9]+(?![A-Z0-9])|\?)")


def _compare(line: int, written: str, score: MatchScore) -> DerivedLineFault | None:
    hand = _HAND.fullmatch(written)
    if hand:
        found = next((h for h in score.hands if h.number == int(hand[1])), None)
        if found is None or not found.done:
            why = "is still in play" if found else "is not in the log"
            return DerivedLineFault(line, written, "", f"the line gives a score for hand {hand[1]}, which {why}")
        same = _figures(hand[2]) == found.points and _figures(hand[3]) == found.totals
        return None if same else _differs(line, written, _hand_line(found))
    result = _RESULT.fullmatch(written)
    if result:
        if not score.over and not score.ended:
            return DerivedLineFault(line, written, "", "the line gives a result, but the match is not over")
        same = (result[1] or "") == score.winner and _figures(result[3]) == score.totals
        return None if same else _differs(line, written, _result_line(score))
    return DerivedLineFault(line, written, "", f"the derived line '{written}' is not understood")


def _differs(line: int, written: str, computed: str) -> DerivedLineFault:
    return DerivedLineFault(line, written, computed, f"the line says '{written}', the log gives '{computed}'")


def _figures(text: str) -> dict[str, int | None]:
    return {who: None if n == "?" else int(n.replace("−", "-")) for who, n in _FIGURE.findall(text)}


def _written(points: Points, *, sign: bool) -> str:
    return " ".join(f"{who} {'?' if n is None else f'{n:+d}' if sign else n}" for who, n in points.items())


def _hand_line(hand: ScoredHand) -> str:
    return f"hand {hand.number}: {_written(hand.points, sign=True)} ({_written(hand.totals, sign=False)})"


def _result_line(score: MatchScore) -> str:
    who = f"{score.winner} won" if score.winner else "no winner"
    return f"result: {who} ({_written(score.totals, sign=False)})"
