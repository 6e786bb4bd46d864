"""`recheck`, and the line that a recorder keeps when a match ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from replay.comparing import kept_verdict as standing
from replay.comparing import rule_sources

from .conftest import REVOKE, Kibitz
from .test_json import documented, same_shape


def over(kibitz: Kibitz) -> None:
    """The match `revoke`, broken off after the revoke was shown."""
    assert kibitz("import", "-", stdin=REVOKE).code == 0
    assert kibitz("record", "revoke", stdin="end match time\n").code == 0


def test_the_end_of_a_match_keeps_what_stood(kibitz: Kibitz) -> None:
    """One line more, in the same stroke, answered; nothing is kept a second time."""
    assert kibitz("import", "-", stdin=REVOKE).code == 0
    answer = kibitz("record", "revoke", stdin="end match time\nnote later\nclaim NS=3\n").out.splitlines()
    assert answer[0].startswith("15–16  the table ends the match (time), the verdict is kept · ")
    assert [line.split()[0] for line in answer if not line.startswith(" ")] == ["15–16", "17", "18"]
    log = kibitz("log", "revoke").out
    assert log.count("digest=") == 1
    assert "16. @ end match time broken=kaiser.R11:8:12, digest=" in log
    assert kibitz("list", "--json").json[0]["over"] is True
    # Whoever reads the match in words is spared the figures.
    assert "digest" not in kibitz("replay", "revoke").out
    assert kibitz("recheck", "revoke").out.startswith("revoke: the verdict stands (event 16, ")


@pytest.mark.parametrize(
    "line", ["end match time digest=00", "fix 14 @ end match won rules=1", "@ end match won totals.NS=99"],
)
def test_nobody_types_a_verdict(line: str, kibitz: Kibitz) -> None:
    """It is computed or it is not there."""
    assert kibitz("import", "-", stdin=REVOKE).code == 0
    assert "it cannot be typed" in kibitz("record", "revoke", stdin=line + "\n").err
    assert len(kibitz("log", "revoke", "--json").out.splitlines()) == 15


def test_undo_takes_the_verdict_back_with_the_end(kibitz: Kibitz) -> None:
    """The match goes on, and the next end is judged for itself."""
    over(kibitz)
    assert kibitz("undo", "revoke").code == 0
    assert kibitz("recheck", "revoke").out == "revoke: no verdict was kept\n"
    assert kibitz("list", "--json").json[0]["over"] is False
    assert kibitz("record", "revoke", stdin="end match agreed\n").out.startswith("19–20  ")
    assert kibitz("recheck", "revoke", "--json").json[0]["stood"]["result"] == "agreed"


def test_a_retry_keeps_nothing_twice(kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same key and lines say the same, also on a day with other rules."""
    assert kibitz("import", "-", stdin=REVOKE).code == 0
    first = kibitz("append", "revoke", "-", "--key", "k1", "--json", stdin="end match time\n").json
    assert (first["first"], first["last"], first["repeated"]) == (15, 16, False)
    monkeypatch.setattr(rule_sources, "page_hash", lambda game: "0" * 64)
    again = kibitz("append", "revoke", "-", "--key", "k1", "--json", stdin="end match time\n").json
    assert (again["first"], again["last"], again["repeated"]) == (15, 16, True)
    assert kibitz("append", "revoke", "-", "--expect", "16", stdin="@ note {later}\n").code == 0
    assert kibitz("recheck", "revoke").code == 3


def test_a_line_that_brings_its_own_time_and_key(kibitz: Kibitz) -> None:
    """The verdict goes with it: one submission, and one stroke to undo."""
    assert kibitz("import", "-", stdin=REVOKE).code == 0
    line = "15. @ end match time {[%t 2026-03-14T22:05:11Z] [%key k9]}\n"
    assert kibitz("append", "revoke", "-", "--json", stdin=line).json["last"] == 16
    assert kibitz("append", "revoke", "-", "--key", "k9", "--json", stdin=line).json["repeated"] is True
    assert kibitz("recheck", "revoke", "--json").json[0]["stood"]["time"] == "2026-03-14T22:05:11Z"
    assert kibitz("undo", "revoke").code == 0
    assert kibitz("recheck", "revoke").out == "revoke: no verdict was kept\n"


def test_a_verdict_that_cannot_be_had_keeps_no_card_out(kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch) -> None:
    """Recording goes before judging."""

    def stumble(records: object) -> None:
        raise ZeroDivisionError("a page at fault")

    assert kibitz("import", "-", stdin=REVOKE).code == 0
    monkeypatch.setattr(standing, "verdict_of", stumble)
    result = kibitz("record", "revoke", stdin="end match time\n")
    assert result.code == 0
    assert "the verdict could not be kept (ZeroDivisionError: a page at fault)" in result.err
    assert result.out.startswith("15  the table ends the match (time)")


def test_the_kept_line_travels(kibitz: Kibitz, tmp_path: Path) -> None:
    """Both forms bring the same verdict into another store, byte for byte."""
    over(kibitz)
    stood = kibitz("recheck", "revoke", "--json").json[0]["stood"]
    for form in ("kib", "jsonl"):
        text = kibitz("export", "revoke", "--format", form).out
        (tmp_path / f"x.{form}").write_text(text)
        assert kibitz("--db", f"{form}.db", "import", f"x.{form}").code == 0
        assert kibitz("--db", f"{form}.db", "export", "revoke", "--format", form).out == text
        assert kibitz("--db", f"{form}.db", "recheck", "revoke", "--json").json[0]["stood"] == stood
        assert kibitz("recheck", f"x.{form}", "--json").json[0]["stood"] == stood


def test_recheck_says_what_a_correction_changed(kibitz: Kibitz) -> None:
    """The old verdict beside the new, exit code 3."""
    over(kibitz)
    assert kibitz("fix", "revoke", "12", "Tc").code == 0
    result = kibitz("recheck", "revoke")
    assert result.code == 3
    lines = result.out.splitlines()
    assert lines[0].startswith("revoke: 3 differences from the kept verdict (event 16")
    # Without the heart shown at 12, both discards of East are open questions.
    assert lines[1] == "  kaiser.R11 at event 8 was broken; now it is not"
    assert [line.partition(":")[0] for line in lines[2:]] == ["  new open question"] * 2


@pytest.mark.rest
def test_recheck_all_goes_through_the_store(kibitz: Kibitz) -> None:
    """What differs, and a sum by game; a variation has nothing to keep; one that cannot be judged holds nobody up."""
    over(kibitz)
    assert kibitz("new", "kaiser", "--id", "fresh").code == 0
    assert kibitz("new", "scopa", "--id", "other").code == 0
    assert kibitz("fork", "revoke", "--at", "10").code == 0
    result = kibitz("recheck", "--all")
    assert result.code == 0
    assert result.out.splitlines() == [
        "kaiser: 0 unchanged, 0 differ, no verdict kept for 1",
        "kaiser rules 1: 1 unchanged, 0 differ, no verdict kept for 0",
        "scopa: 0 unchanged, 0 differ, no verdict kept for 1",
        "3 matches: 1 unchanged, 0 differ, no verdict kept for 2",
    ]
    assert [one["match"] for one in kibitz("recheck", "--all", "--game", "scopa", "--json").json] == ["other"]
    assert kibitz("import", "-", stdin='%kib 1\n[Game "whist-of-mars"]\n[Match "mars"]\n').code == 0
    result = kibitz("recheck", "--all")
    assert result.code == 5
    assert "mars" in result.err
    assert "3 matches: 1 unchanged" in result.out
    assert kibitz("fix", "revoke", "12", "Tc").code == 0
    one, two = (kibitz("recheck", "--all", "--jobs", jobs) for jobs in "12")
    assert one.out == two.out
    assert "revoke: 3 differences" in one.out


@pytest.mark.parametrize("words", [(), ("revoke", "--all"), ("revoke", "--game", "kaiser"), ("revoke", "--jobs", "2")])
def test_recheck_wants_one_match_or_all(words: tuple[str, ...], kibitz: Kibitz) -> None:
    """Anything between is a mistake of usage."""
    over(kibitz)
    assert kibitz("recheck", *words).code == 2


def test_the_shape_is_documented(kibitz: Kibitz) -> None:
    """docs/json.md tells all keys."""
    lines = (
        "end hand void\nhand\ntally declarer=NS level=7 tricks.NS=5 tricks.EW=3 five=NS three=EW\nend match agreed\n"
    )
    assert kibitz("import", "-", stdin=REVOKE).code == 0
    assert kibitz("record", "revoke", stdin=lines).code == 0
    assert kibitz("fix", "revoke", "12", "Tc").code == 0
    same_shape(documented("recheck")[0], kibitz("recheck", "revoke", "--json").json)
