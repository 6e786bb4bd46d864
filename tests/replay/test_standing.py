"""What stood is kept once, read for ever, and compared with what is computed today."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from given import log
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from results import FIRST, SECOND, hands
from sampling import each_game, examples, sampled

from cli.reading import check_lines
from cli.text_output import score_lines
from events.canon import decode, encode
from events.kib import read_kib
from events.limits import MAX_EVENT_BYTES
from events.model import End, Fix, Open, Recorded
from events.writing import write_event, write_kib
from reducers import rules
from reducers.legal import plans
from reducers.registry import PAGES, find_game
from replay.auditing.check import check
from replay.comparing import kept_verdict as standing
from replay.comparing import rule_sources
from replay.comparing.kept_verdict import (
    KeptVerdict,
    findings_digest,
    keeps_verdict,
    kept_end,
    read_kept_verdict,
    verdict_event,
    verdict_of,
)
from replay.comparing.recheck import recheck
from replay.comparing.rule_sources import hash_of, page_hash
from replay.fold import fold
from replay.judging.first_look import acts_by_phase, checks_by_phase
from replay.judging.judge import judge
from replay.paper.sheet import sheet_of
from replay.redact import hide
from replay.scoring.three_ways import score_match
from replay.simulate import simulate_breaches

# East revokes at 8 and shows the heart at 12; then the table has had enough.
REVOKE = """
    W hand 1
    N bid 7
    E pass
    S pass
    W pass
    N name s
    N play Kh
    E play 8c
    S play 8h
    W play 9h
    N play Ah
    E play Th
    @ end match time
"""


def kept(records: list[Recorded]) -> list[Recorded]:
    """The log with the verdict of the day behind it."""
    end = kept_end(records)
    assert end is not None
    return [*records, Recorded(n=records[-1].n + 1, event=end)]


def fixed(records: list[Recorded], line: str) -> list[Recorded]:
    """The log with one more line."""
    n = records[-1].n + 1
    (more,) = [r for r in read_kib(f'%kib 1\n[Game "kaiser"]\n{n}. {line}\n').records if r.n]
    return [*records, more]


def test_the_verdict_says_all_that_stood() -> None:
    """Result, totals, hands, findings with both positions, digest, version and page."""
    records = kept(log("kaiser", REVOKE))
    stood = read_kept_verdict(records)
    assert stood is not None
    assert (stood.at, stood.result, stood.winner) == (14, "time", "")
    assert stood.broken == ("kaiser.R11:8:12",)
    assert stood.digest == hashlib.sha256(
        "".join(f"{line}\n" for line in ["broken kaiser.R11:8:12", *(f"open {k}" for k in stood.open)]).encode()
    ).hexdigest()
    assert (stood.rules, stood.page, stood.listed) == (find_game("kaiser").version, page_hash("kaiser"), True)
    assert recheck(records).status == "same"


@sampled("game, hidden", sorted(PAGES), (False, True), each=1, short=4)
def test_every_game_keeps_a_verdict_that_it_agrees_with(game: str, hidden: bool) -> None:
    """Kept and judged again at once, nothing differs; and the line changes nothing when the log is folded."""
    # With breaches a match may stop before its end.
    logs = (simulate_breaches(game, seed=seed, p=0.05)[0] for seed in range(3, 10))
    records = next(log for log in logs if kept_end(log) is not None)
    records = hide(records) if hidden else records
    with_end = kept(records)
    found = recheck(with_end)
    assert found.stood is not None
    assert found.differences == ()
    assert (found.stood.totals, found.stood.winner) == (fold(records).standing.totals, fold(records).standing.winner)
    before, after = fold(records), fold(with_end)
    assert (
        before.standing, before.scores, before.ended, before.why_ended,
    ) == (after.standing, after.scores, after.ended, after.why_ended)
    assert judge(records).findings == judge(with_end).findings


@each_game(sorted(PAGES), short=3)
def test_the_verdict_survives_both_forms(game: str) -> None:
    """Text and JSON Lines give the same bytes back, digest and all."""
    # With breaches a match may stop before its end.
    hidden = (hide(simulate_breaches(game, seed=seed, p=0.05)[0]) for seed in range(4, 10))
    records = kept(next(log for log in hidden if kept_end(log) is not None))
    text = write_kib(records)
    again = read_kib(text)
    assert again.errors == []
    assert list(again.records) == records
    assert write_kib(again.records) == text
    lines = [encode(r) for r in records]
    assert [encode(decode(line)) for line in lines] == lines
    assert read_kept_verdict([decode(line) for line in lines]) == read_kept_verdict(records)


def test_nothing_stands_before_the_end() -> None:
    """A match that goes on has no verdict; neither has a match that ended before verdicts were kept."""
    records = log("kaiser", REVOKE)
    assert kept_end(records[:-1]) is None
    assert read_kept_verdict(records) is None
    assert recheck(records).status == "nothing stood"


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("@ fix #8 E play 8h", {"gone"}),  # the recorder had erred: no revoke, but the eight is there twice
        ("@ fix #12 E play Tc", {"gone"}),
        ("@ fix #13-", {"result", "gone"}),
        ("@ fix #13 @ end match agreed", {"result"}),
        ("@ note {nothing changes}", set()),
        ("@ claim NS=99", set()),  # claimed afterwards: that is the table's sum, not a verdict on its acts
    ],
)
def test_a_later_correction_makes_the_verdict_stale(line: str, what: set[str]) -> None:
    """The old verdict is still read as it was; what it would be now stands beside it."""
    records = kept(log("kaiser", REVOKE))
    later = fixed(records, line)
    assert read_kept_verdict(later) == read_kept_verdict(records)
    found = {d.what for d in recheck(later).differences} - {"new"}
    assert found == what if what != {"result", "gone"} else "result" in found


def test_a_moved_proof_is_one_difference() -> None:
    """The same break, provable from another event."""
    records = kept(log("kaiser", REVOKE))
    end = records[-1].event
    assert isinstance(end, End)
    slower = ["kaiser.R11:8:13"]
    facts = {**end.facts, "broken": slower, "digest": findings_digest(slower, end.facts.get("open", []))}
    (difference,) = recheck([*records[:-1], replace(records[-1], event=replace(end, facts=facts))]).differences
    assert (difference.what, difference.stood, difference.now) == ("known", "kaiser.R11:8:13", "kaiser.R11:8:12")
    assert difference.text == "kaiser.R11 at event 8 was known from event 13; now it is known from event 12"


def test_a_score_that_changes_is_named_by_hand_and_total() -> None:
    """Hands by their results; one of them is corrected after the end."""
    records = kept(
        log(
            "kaiser",
            "@ hand 1\n@ tally declarer=NS level=7 trump=h tricks.NS=5 tricks.EW=3 five=NS three=EW\n@ end match agreed"
        )
    )
    later = fixed(records, "@ fix #2 @ tally declarer=NS level=7 trump=h tricks.NS=4 tricks.EW=4 five=NS three=EW")
    texts = [d.text for d in recheck(later).differences]
    assert any(t.startswith("hand 1 was 10 for NS; now it is 9") for t in texts), texts
    assert any(t.startswith("the total of NS was 10; now it is 9") for t in texts), texts


@pytest.fixture
def lenient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A day on which Kaiser no longer asks anybody to follow suit, in a new version of its rules."""
    page = find_game("kaiser")
    catalogue = rules.Catalogue("kaiser", *page.rules)
    catalogue.checks[:] = [c for c in page.rules.checks if c.rule.id != "R11"]
    changed = msgspec.structs.replace(page, version=page.version + 1, rules=catalogue)
    caches: tuple[Any, ...] = (find_game, plans, checks_by_phase, acts_by_phase)
    monkeypatch.setattr(sys.modules[PAGES["kaiser"]], "GAME", changed)
    for cache in caches:
        cache.cache_clear()
    yield
    monkeypatch.undo()
    for cache in caches:
        cache.cache_clear()


def test_a_changed_rule_changes_no_old_verdict(request: pytest.FixtureRequest) -> None:
    """The finding that stood is still read; the recheck says that it is gone, and that the version changed."""
    records = kept(log("kaiser", REVOKE))
    stood = read_kept_verdict(records)
    assert stood is not None
    request.getfixturevalue("lenient")
    found = recheck(records)
    assert found.stood == stood
    assert found.stood.broken == ("kaiser.R11:8:12",)
    assert found.now.broken == ()
    assert found.status == "differs"
    assert {"gone", "rules"} <= {d.what for d in found.differences}


def test_another_page_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page's content counts even where its version was forgotten."""
    records = kept(log("kaiser", REVOKE))
    monkeypatch.setattr(rule_sources, "page_hash", lambda game: "0" * 64)
    assert [d.what for d in recheck(records).differences] == ["page"]


@pytest.mark.rest
def test_the_page_hash_is_that_of_the_sources_installed() -> None:
    """Page and shared words count, in one order and whatever the line ends; the fold does not."""
    names = set()
    wanted = [PAGES["kaiser"]]
    while wanted:
        name = wanted.pop()
        if name not in names:
            names.add(name)
            wanted += list(rule_sources._imported(rule_sources._source(name) or "", "reducers"))
    assert {"reducers.games.kaiser", "reducers.words.auction", "reducers.words.tricks"} <= names
    assert "reducers.evolve" not in names
    sources = {name: rule_sources._source(name) or "" for name in names}
    assert hash_of(sources) == page_hash("kaiser")
    assert hash_of({k: v.replace("\n", "\r\n") for k, v in reversed(sources.items())}) == page_hash("kaiser")
    for name in names:
        assert hash_of({**sources, name: sources[name] + "#"}) != page_hash("kaiser")
    assert len({page_hash(game) for game in PAGES}) == len(PAGES)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from reducers.words.tricks import gather", ["reducers.words.tricks"]),
        ("from reducers.words import tricks, auction", ["reducers.words.tricks", "reducers.words.auction"]),
        ("import reducers.games.kaiser as k", ["reducers.games.kaiser"]),
        ("def late():\n    from reducers.words.contract import x", ["reducers.words.contract"]),
        ("from reducers.evolve import Game\nimport events.model", []),
    ],
)
def test_imports_of_shared_words_are_seen(source: str, found: list[str]) -> None:
    """Wherever in the module and in whichever form."""
    assert list(rule_sources._imported(source, "reducers")) == found


# -- when it is kept --------------------------------------------------------------------------------------------------


def test_it_is_kept_with_the_event_that_ends_the_match() -> None:
    """Not before, not again afterwards."""
    records = log("kaiser", REVOKE)
    before = records[:-1]
    assert verdict_event(before[:-1], fold(before[:-1]), before[-1:]) is None
    end = verdict_event(before, fold(before), records[-1:])
    assert end is not None
    assert keeps_verdict(end)
    note = fixed(kept(records), "@ note {later}")
    assert verdict_event(note[:-1], fold(note[:-1]), note[-1:]) is None
    assert verdict_event(records, fold(records), fixed(records, "@ note {later}")[-1:]) is None


def test_it_is_kept_again_when_the_match_was_reopened() -> None:
    """A correction takes the end back: the verdict no longer ends anything, and the next end is judged for itself."""
    records = kept(log("kaiser", REVOKE))
    reopened = fixed(records, "@ fix #13-")
    assert not fold(reopened).ended
    over = fixed(reopened, "@ end match agreed")
    end = verdict_event(reopened, fold(reopened), over[-1:])
    assert end is not None
    assert end.why == "agreed"
    stood = read_kept_verdict([*over, Recorded(n=17, event=end)])
    assert stood is not None
    assert stood.at == 17


def test_a_correction_can_end_a_match_too() -> None:
    """The fold of the whole decides."""
    records = log("kaiser", REVOKE)[:-1]
    fix = Recorded(n=13, event=Fix(by="@", at=12, how="insert", event=End(by="@", what="match")))
    end = verdict_event(records, fold(records), [fix])
    assert end is not None
    assert end.why == "agreed"


def test_a_variation_keeps_no_verdict() -> None:
    """It was not played."""
    records = log("kaiser", REVOKE)
    opening = records[0].event
    assert isinstance(opening, Open)
    records[0] = replace(records[0], event=replace(opening, facts={**opening.facts, "Parent": "eve", "ParentEvent": 3}))
    assert kept_end(records) is None
    assert verdict_event(records[:-1], fold(records[:-1]), records[-1:]) is None


def test_a_verdict_cannot_be_rewritten_by_a_correction() -> None:
    """Struck out it stands no longer; replaced, it still says what it said."""
    records = kept(log("kaiser", REVOKE))
    assert read_kept_verdict(
        fixed(records, "@ fix #14 @ end match won winner=EW digest=00 rules=1")
    ) == read_kept_verdict(records)
    assert read_kept_verdict(fixed(records, "@ fix #14-")) is None


def test_many_findings_still_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Findings that cannot be listed in one event still have their digest, and a recheck still sees a change."""
    many = tuple(f"kaiser.R11:{n}:{n}" for n in range(2000))
    real = verdict_of(log("kaiser", REVOKE))
    monkeypatch.setattr(
        standing, "verdict_of",
        lambda records, judgement=None: replace(real, broken=many, open=(), digest=findings_digest(many, ())),
    )
    records = log("kaiser", REVOKE)
    end = kept_end(records)
    assert end is not None
    kept_record = Recorded(n=14, event=end, recorder="x" * 200)
    assert len(encode(kept_record)) < MAX_EVENT_BYTES
    monkeypatch.undo()
    found = recheck([*records, kept_record])
    assert found.stood is not None
    assert found.stood.listed is False
    assert [d.what for d in found.differences] == ["findings"]


@pytest.mark.parametrize(
    "facts",
    ["x=1", "digest=5", "digest=zz totals=3 hands=2 broken=kaiser.R11:8:12", "totals.NS=x hands.NS=1,-,x rules=no"],
)
def test_a_verdict_from_elsewhere_is_read_as_far_as_it_goes(facts: str) -> None:
    """A line somebody made up is no reason to fall over; it only does not agree."""
    records = fixed(log("kaiser", REVOKE), f"@ end match won {facts}")
    assert recheck(records).status == "differs"


@examples(60, derandomize=True, deadline=None)
@given(st.permutations(["a:1:2", "b:2:2", "a:1:2", "c:9:9"]), st.permutations(["q:1", "r:2"]))
def test_the_digest_does_not_depend_on_the_order(broken: list[str], unsettled: list[str]) -> None:
    """But on every finding, and on whether it is certain."""
    one = findings_digest(["a:1:2", "a:1:2", "b:2:2", "c:9:9"], ["q:1", "r:2"])
    assert findings_digest(broken, unsettled) == one
    assert findings_digest(broken[:-1], unsettled) != one
    assert findings_digest([*broken, "q:1"], ["r:2"]) != one


def test_words_of_a_kept_line_stay_words() -> None:
    """Each finding is one plain word in the text, so that people can read it there."""
    end = kept_end(log("kaiser", REVOKE))
    assert end is not None
    assert "broken=kaiser.R11:8:12, " in write_event(end)
    assert '"' not in write_event(end)
    assert isinstance(read_kept_verdict(kept(log("kaiser", REVOKE))), KeptVerdict)


# -- rules that have changed since


def under_older_rules(page: str) -> list[Recorded]:
    """A match that was judged by another page: NS had one point more in hand 2, and the table claimed that sum."""
    played = hands(FIRST, SECOND + "; @ claim NS=14 EW=7; @ end match time")
    kept = kept_end(played)
    assert kept is not None
    assert kept.facts["totals"] == {"NS": 13, "EW": 7}
    facts = {**kept.facts, "totals": {"NS": 14, "EW": 7}, "hands": {"NS": [10, 4], "EW": [0, 7]}, "page": page}
    return [*played, Recorded(n=len(played), event=replace(kept, facts=facts))]


def test_a_sum_that_was_right_under_older_rules_is_no_finding() -> None:
    """If this failed, the table would be blamed for a rule that changed after the match."""
    records = under_older_rules("0" * 64)
    score = score_match(records)
    assert [c.says for c in score.claims] == ["agrees", "agrees"]
    assert score.slip is None
    assert score.older == (
        "the total of NS was 14, and is 13 by the rules of today",
        "hand 2 was 4 for NS, and is 3 by the rules of today",
    )  # fmt: skip
    found = check(records)
    assert not found.broken
    assert [f.text for f in found.findings if f.rule == "table.T15"] == [
        f"judged under older rules: {text}" for text in score.older
    ]
    said = "\n".join([*sheet_of(records).remarks, *score_lines(score), *check_lines("m", found)])
    assert said.count("nder older rules: the total of Ann & Carl was 14") == 3
    assert "the table wrote" not in said


def test_what_was_corrected_since_is_no_older_rule() -> None:
    """If this failed, a wrong sum would be excused by a verdict that the same rules gave before a correction."""
    score = score_match(under_older_rules(page_hash("kaiser")))
    assert score.older == ()
    assert [c.says for c in score.claims if c.who == "NS"] == ["differs"]
