"""`kibitz audit` and `kibitz report`: what they print, where they write, and the codes they end with."""

from __future__ import annotations

import re
import time
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from cli import shell

from .conftest import REVOKE, Kibitz
from .test_json import documented, same_shape

EXAMPLES = Path(__file__).parents[2] / "examples"
EVENING = EXAMPLES / "kaiser-evening.kib"


def test_the_audit_of_the_evening_says_what_an_arbiter_would(kibitz: Kibitz) -> None:
    """The revoke of hand 3 with rule, chain, dates, cost; the claim that parts from the score; exit code 3."""
    result = kibitz("audit", EVENING)
    assert result.code == 3
    said = " ".join(result.out.split())
    for words in (
        (
            "broken kaiser.R11 follow suit hand 3, trick 2, event 96: Doris plays 9♣; diamonds were led, and "
            "Doris holds one"
        ),
        "table trick: Walter 8♦ (95)",
        "because Doris held J♦ at 96: dealt at 85, no card taken since, played at 118",
        "chain 85 the deal: 8 unseen cards to Doris → 96 Doris plays 9♣ → 118 Doris plays J♦",
        "known from event 118 (by Doris at once, from the own cards)",
        "legal J♦",
        "cost the rules of Kaiser name no penalty",
        "table.T9 claimed score hand 3, event 123",
        "none: what is claimed changes no score",
    ):
        assert words in said, words


def test_a_correction_is_told_as_it_is_typed(kibitz: Kibitz, tmp_path: Path) -> None:
    """If this failed, what is to be typed would have names in it, and could not be typed."""
    record = tmp_path / "claim.kib"
    acts = (
        "A draw ??", "A discard 8s", "B draw ??", "B call checki 6s6s", "B discard 5h", "C draw up 3d", "C discard 4h",
        "B draw 4h <discard", "A draw up 9h", "A discard 7d",
    )
    lines = "".join(f"{n}. {act}\n" for n, act in enumerate(acts, 1))
    record.write_text(
        f'%kib 1\n[Game "kowah"]\n[Seats "A B C"]\n[A "Sari"]\n[B "Wati"]\n[C "Joko"]\n\n{lines}', encoding="utf-8",
    )
    audit, report = (
        " ".join(kibitz(*words).out.split()) for words in (("audit", record), ("report", record, "--hand", "1"))
    )
    (typed,) = re.findall(r"unless .*? \(type `(.*?)`\)", audit)
    assert typed.startswith("@ fix #")
    assert not [name for name in ("Sari", "Wati", "Joko") if name in typed]
    assert f"(type {typed.replace('<', '&lt;')})" in report


def test_a_report_goes_by_names_and_a_rule_by_its_words(kibitz: Kibitz) -> None:
    """If this failed, the page for the table would speak of W, or a rule of a game with a seat A would begin `Noa
    claimed score`."""
    page = kibitz("report", EVENING, "--hand", "3").out
    assert "**Doris broke R11 (follow suit) at event 96, known from event 118;" in page
    assert "- Walter bids 6 · Doris passes · Olena bids 7" in page
    assert "| 123 | Olena & Walter | **23** ✗ | 22 | differs; Doris confirmed |" in page
    for text in (
        kibitz("report", EXAMPLES / "yaniv-hostel.kib", "--hand", "2").out,
        kibitz("audit", EXAMPLES / "yaniv-hostel.kib", "--hand", "2").out,
    ):
        assert "A claimed score is the sum of what was played." in " ".join(text.split())
        assert "the table has Noa at 5" in " ".join(text.split())


def test_one_hand_without_a_finding_ends_with_0(kibitz: Kibitz) -> None:
    """A clean hand is fine, and its deal is told with the inferred card in brackets."""
    result = kibitz("audit", EVENING, "--hand", "6")
    assert result.code == 0
    assert "[9♦]" in result.out
    assert "no rule was broken in hand 6" in result.out


def test_open_questions_alone_end_with_0(kibitz: Kibitz) -> None:
    """Nobody is wrong because something is not known."""
    result = kibitz("audit", EXAMPLES / "bridge-solitaire-1.kib")
    assert result.code == 0
    # One cause leaves three acts open; it is told once, with where else.
    assert result.out.count("settles") == 1
    assert "also    bridge-solitaire.R11 first card that fits at 18, 21" in result.out
    assert "broken " not in result.out.replace("certainly broken", "")


def test_one_event_is_told_with_everything_known_about_it(kibitz: Kibitz) -> None:
    """What was held then, what the rules said, whether somebody was wrong."""
    result = kibitz("audit", EVENING, "--about", "96")
    assert result.code == 3
    assert "event 96, hand 3: Doris plays 9♣" in result.out
    assert re.search(r"held +Doris: 7 cards; shown later 8♠ 3♠ J♥ 10♥ 5♥ J♦ 9♣", result.out)
    assert re.search(r"^act +broken$", result.out, re.MULTILINE)
    result = kibitz("audit", EVENING, "--about", "118")
    assert result.code == 0
    assert "kaiser.R11 follow suit at event 96" in result.out
    assert "a correction" in kibitz("audit", EVENING, "--about", "81").out
    assert "corrected since" in kibitz("audit", EVENING, "--about", "69").out


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("--hand", "99"), 5, "no hand 99"),
        (("--about", "999"), 5, "no event 999"),
        (("--hand", "3", "--about", "96"), 2, "one hand already"),
    ],
    ids=["no such hand", "no such event", "both at once"],
)
def test_what_is_not_there_is_refused(words: tuple[str, ...], code: int, says: str, kibitz: Kibitz) -> None:
    """One line, with the code of its kind."""
    result = kibitz("audit", EVENING, *words)
    assert (result.code, says in result.err, result.out) == (code, True, "")


def test_json_has_the_shape_that_is_documented(kibitz: Kibitz) -> None:
    """Both shapes: the audit, and one event."""
    whole, one = documented("audit")[:2]
    same_shape(whole, kibitz("audit", EVENING, "--hand", "3", "--exact", "--json").json)
    same_shape(one, kibitz("audit", EVENING, "--about", "96", "--exact", "--json").json)


def test_exact_says_how_many_worlds(kibitz: Kibitz) -> None:
    """The second opinion stands beside the finding, with what it rests on."""
    result = kibitz("audit", EVENING, "--hand", "3", "--exact")
    assert re.search(r"^exact +broken in the only world that agrees with the record$", result.out, re.MULTILINE)
    assert "all were tried" in result.out


def test_the_report_is_written_by_the_ending(kibitz: Kibitz, tmp_path: Path) -> None:
    """HTML, Markdown or PDF into a file, Markdown to standard output; anything else is refused before a file is
    made."""
    assert kibitz("report", EVENING, "--hand", "3", "-o", "page.html").code == 0
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert kibitz("report", EVENING, "--hand", "3", "-o", "page.MD").code == 0
    assert (tmp_path / "page.MD").read_text(encoding="utf-8") == kibitz("report", EVENING, "--hand", "3").out
    pytest.importorskip("typst")
    assert kibitz("report", EVENING, "-o", "page.pdf").code == 0
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF-")
    refused = kibitz("report", EVENING, "--hand", "3", "-o", "page.docx")
    assert (refused.code, (tmp_path / "page.docx").exists()) == (2, False)
    assert "a file that ends in .html, .md or .pdf" in refused.err


def test_the_hand_may_be_left_out_where_there_is_one(kibitz: Kibitz) -> None:
    """A report is about one hand; of several one is named."""
    assert "hand 1" in kibitz("report", "-", stdin=REVOKE).out
    assert kibitz("report", EVENING).out == kibitz("report", EVENING, "--hand", "3").out, "the only one with findings"
    several = kibitz("report", EXAMPLES / "mattis-evening.kib")
    assert (several.code, several.out) == (2, "")
    assert "there are findings in hands 1, 2; a report is about one hand; expected --hand 1 or --hand 2." in several.err
    assert kibitz("report", EVENING, "--hand", "99").code == 5


def test_the_rules_say_what_a_ruling_may_change(kibitz: Kibitz) -> None:
    """What any ruling may change, and what the game's own may hand over, in text and in JSON alike."""
    told = kibitz("rules", "kaiser").out
    part = told[told.index("What a ruling may change: ruling #N KEY=VALUE") :].split("\n\n")[0]
    listed = kibitz("rules", "kaiser", "--json").json["transfers"]
    assert {"points.*", "rule", "tricks.*", "five", "three"} <= set(listed)
    assert all(f"    {key}: {text}" in part for key, text in listed.items())


def test_the_help_of_merge_says_what_it_leaves_out(kibitz: Kibitz) -> None:
    """Nobody should believe that a missing line was put in."""
    assert "only in B" in " ".join(kibitz("merge", "--help").out.split())


# -- the whole store


def test_audit_all_is_a_table_by_rule(kibitz: Kibitz) -> None:
    """Every match of the store, whoever works on it; exit code 3 if anything is broken."""
    assert kibitz("import", "-", stdin=REVOKE).code == 0
    assert kibitz("new", "scopa", "--id", "empty").code == 0
    one, two = (kibitz("audit", "--all", "--jobs", jobs) for jobs in "12")
    assert one.out == two.out
    assert (one.code, two.code) == (3, 3)
    lines = one.out.splitlines()
    assert lines[0].split() == ["rule", "broken", "perhaps", "open", "matches"]
    assert lines[1].split() == ["kaiser.R11", "1", "0", "0", "1"]
    assert lines[-2] == "revoke: kaiser.R11"
    assert lines[-1].startswith("2 matches (1 kaiser, 1 scopa), ")
    assert lines[-1].endswith("a rule was broken in 1")
    assert kibitz("audit", "--all", "--game", "scopa").code == 0


def test_audit_all_as_json(kibitz: Kibitz) -> None:
    """docs/json.md tells all keys."""
    assert kibitz("import", "-", stdin=REVOKE).code == 0
    assert kibitz("new", "scopa", "--id", "empty").code == 0
    found = kibitz("audit", "--all", "--json").json
    same_shape(documented("audit")[2], found)
    assert [o["rule"] for m in found["matches"] for o in m["offences"]] == ["kaiser.R11"]


@pytest.mark.parametrize(
    "words", [(), ("revoke", "--all"), ("revoke", "--jobs", "2"), ("--all", "--hand", "1"), ("--all", "--exact")],
)
def test_audit_wants_one_match_or_all(words: tuple[str, ...], kibitz: Kibitz) -> None:
    """Anything between is a mistake of usage."""
    assert kibitz("import", "-", stdin=REVOKE).code == 0
    assert kibitz("audit", *words).code == 2


def test_a_match_that_cannot_be_judged_is_named(kibitz: Kibitz) -> None:
    """It gives the exit code, and keeps nothing else back."""
    assert kibitz("import", "-", stdin='%kib 1\n[Game "whist-of-mars"]\n[Match "mars"]\n').code == 0
    assert kibitz("new", "scopa", "--id", "empty").code == 0
    result = kibitz("audit", "--all")
    assert result.code == 5
    assert "mars" in result.err
    assert "1 could not be judged" in result.out


def test_long_work_is_spoken_of_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, a long record would look like a command that hangs; or a pipe would get words that are no
    data."""
    shown = StringIO()
    monkeypatch.setattr(shell, "PATIENCE", 0.0)
    monkeypatch.setattr(shell, "console", lambda: Console(file=shown, force_terminal=True))
    monkeypatch.setattr(shell, "is_terminal", lambda stream: False)
    with shell.announce_long_work("judging a match"):
        pass
    assert not shown.getvalue()
    monkeypatch.setattr(shell, "is_terminal", lambda stream: True)
    with shell.announce_long_work("judging a match"):
        end = time.monotonic() + 40
        while "judging a match" not in shown.getvalue() and time.monotonic() < end:
            time.sleep(0.01)
    assert "judging a match" in shown.getvalue()
