"""given(events).when(act).finds(rule): cases that read as a sentence.

`given("kaiser", lines)` opens a match and folds strict lines of the notation, one event each, numbers left out. `when`
adds one more. `finds`, `opens` and `allows` check what the judge then says about this last act.
"""

from __future__ import annotations

import textwrap
from typing import Any

from events.kib import read_kib
from events.model import Open, Recorded
from replay.judging.findings import Finding, Judgement
from replay.judging.judge import judge


def log(game: str, lines: str, **tags: Any) -> list[Recorded]:
    """The records of a match: an opening with these tags, then one event a line."""
    option = tags.pop("option", {})
    facts: dict[str, Any] = {"Game": game, **{k: str(v) for k, v in tags.items()}}
    if option:
        facts["Option"] = {k: str(v) for k, v in option.items()}
    events = [line.strip() for line in textwrap.dedent(lines).splitlines() if line.strip()]
    text = "%kib 1\n[Game \"" + game + "\"]\n\n" + "".join(f"{i}. {line}\n" for i, line in enumerate(events, 1))
    reading = read_kib(text)
    assert not reading.errors, reading.errors
    return [Recorded(n=0, event=Open(by="@", facts=facts)), *reading.records[1:]]


class Given:
    """A log so far, and assertions about its last act."""

    def __init__(self, game: str, lines: str, **tags: Any) -> None:
        self.game, self.lines, self.tags = game, textwrap.dedent(lines), tags

    def when(self, *lines: str) -> Given:
        """The case with another act (or several; the assertions are about the last one)."""
        return Given(self.game, self.lines + "\n" + "\n".join(lines), **self.tags)

    @property
    def records(self) -> list[Recorded]:
        """The whole log."""
        return log(self.game, self.lines, **self.tags)

    @property
    def judgement(self) -> Judgement:
        """What the judge says about the whole log."""
        return judge(self.records)

    def about(self, at: int | None = None) -> list[Finding]:
        """The findings about one position, the last one if none is named."""
        pos = at if at is not None else self.records[-1].n
        return [f for f in self.judgement.findings if f.at.pos == pos]

    def instead(self, expected: str, at: int | None) -> str:
        """What a case expected for the line at a position, and what the judge says about it."""
        came = "; ".join(f"{f.rule} {f.verdict.value}: {f.text}" for f in self.about(at)) or "nothing"
        return f"expected at {'the last line' if at is None else at}: {expected}\n     came: {came}"

    def finds(self, rule: str, *, at: int | None = None, known: int | None = None, words: str = "") -> Given:
        """The act breaks this rule for certain (known from that position)."""
        found = [f for f in self.about(at) if f.verdict == "broken" and f.rule.endswith("." + rule)]
        assert found, self.instead(f"{rule} broken", at)
        if known is not None:
            assert found[0].known_from is not None
            assert found[0].known_from.pos == known, f"expected to be known from {known}, came: {found[0]}"
        assert words in found[0].text, f"expected in its text: {words}\n     came: {found[0].text}"
        return self

    def opens(self, rule: str, *, at: int | None = None, words: str = "") -> Given:
        """The rule stays open for this act, and `words` say why."""
        found = [f for f in self.about(at) if f.verdict == "open" and f.rule.endswith("." + rule) and words in f.text]
        assert found, self.instead(f"{rule} open {words}", at)
        return self

    def stays_open(self, rule: str, *lines: str, at: int) -> Given:
        """The rule is open for the act at this position, and still is after each of these acts."""
        case = self.opens(rule, at=at)
        for line in lines:
            case = case.when(line).opens(rule, at=at)
            assert not [f for f in case.about(at) if f.verdict == "broken" and f.rule.endswith("." + rule)], line
        return case

    def settles(self, rule: str, *, at: int) -> Given:
        """The rule is no longer open for the act at this position, and was not broken."""
        assert not [
            f for f in self.about(at) if f.rule.endswith("." + rule)
        ], self.instead(f"{rule} neither broken nor open", at)
        return self

    def allows(self, *, at: int | None = None) -> Given:
        """Nothing is broken about the act."""
        assert not [f for f in self.about(at) if f.verdict == "broken"], self.instead("nothing broken", at)
        return self

    def clean(self) -> Given:
        """Nothing in the whole log is broken."""
        broken = self.judgement.broken
        assert not broken, [(f.rule, f.at.pos, f.text) for f in broken]
        return self

    def scores(self, **points: int | None) -> Given:
        """The last scored hand gives these points."""
        got = self.judgement.state.scores[-1].points
        assert dict(got) == points, f"expected: {points}\n    came: {dict(got)}, in {self.judgement.state.scores[-1]}"
        return self

    def totals(self, **points: int | None) -> Given:
        """The match has these totals."""
        got = self.judgement.state.standing.totals
        assert dict(got) == points, f"expected: {points}\n    came: {dict(got)}"
        return self


def given(game: str, lines: str = "", **tags: Any) -> Given:
    """A match of this game with these lines folded."""
    return Given(game, lines, **tags)
