"""`fork`, `diff` and `merge` as commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .conftest import REVOKE, Kibitz
from .test_json import documented, same_shape

ANNA = REVOKE.replace("E play 8c", "E play ??").replace('"revoke"', '"anna"')
BEN = REVOKE.replace("W play 9h", "W play ??").replace('"revoke"', '"ben"')


@pytest.fixture
def two(kibitz: Kibitz, tmp_path: Path) -> Kibitz:
    """Anna's record in the store, Ben's in a file."""
    assert kibitz("import", "-", stdin=ANNA).code == 0
    (tmp_path / "ben.kib").write_text(BEN)
    return kibitz


# -- what if ----------------------------------------------------------------------------------------------------------


def test_a_variation_leaves_its_match_alone(evening: Kibitz) -> None:
    """It goes its own way, is listed for what it is, and is never resumed by chance."""
    assert evening("append", "eve", "-", stdin="Kh\n").code == 0
    before, score = evening("export", "eve").out, evening("score", "eve", "--json").json
    assert evening("fork", "eve", "--at", "1").out == "eve-v1\n"
    assert evening("fork", "eve", "--at", "1", "--id", "what-if").out == "what-if\n"
    assert evening("fork", "eve", "--at", "6").out == "eve-v2\n"
    assert evening("record", "eve-v1", stdin="8\np\np\ns\n7c\nend match agreed\n").code == 0
    assert evening("export", "eve").out == before
    assert evening("score", "eve", "--json").json == score
    assert "8" in evening("log", "eve-v1").out
    assert "digest=" not in evening("log", "eve-v1").out
    rows = {row["match"]: row for row in evening("list", "--json").json}
    assert (rows["eve-v1"]["parent"], rows["eve-v1"]["parent_n"], rows["eve-v1"]["over"]) == ("eve", 1, True)
    assert (rows["eve"]["parent"], rows["eve"]["parent_n"]) == (None, None)
    assert "open, a variation of eve from event 1" in evening("list").out
    # Without an id the match goes on, though the variation was changed later.
    assert evening("record", stdin="8c\n").code == 0
    assert len(evening("log", "eve", "--json").out.splitlines()) == 8
    assert len(evening("log", "eve-v2", "--json").out.splitlines()) == 7


def test_a_variation_stays_one_in_another_store(evening: Kibitz, tmp_path: Path) -> None:
    """Its opening says so; with its match beside it, so does the listing."""
    assert evening("fork", "eve", "--at", "3").out == "eve-v1\n"
    for name in ("eve", "eve-v1"):
        assert evening("export", name, "-o", f"{name}.kib").code == 0
    alone = ("--db", "alone.db")
    assert evening(*alone, "import", "eve-v1.kib").code == 0
    assert "a variation of eve from event 3" in evening(*alone, "list").out
    assert evening(*alone, "record", stdin="p\n").code == 5
    both = ("--db", "both.db")
    assert evening(*both, "import", "eve.kib", "eve-v1.kib").code == 0
    rows = {row["match"]: row for row in evening(*both, "list", "--json").json}
    assert (rows["eve-v1"]["parent"], rows["eve-v1"]["parent_n"]) == ("eve", 3)


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (("--at", "99"), 5, "no event 99"),
        (("--at", "2", "--id", "eve"), 6, "there is a match eve already"),
        (("--at", "2", "--id", "No!"), 2, "cannot be the id"),
        ((), 2, "--at"),
    ],
)
def test_a_variation_that_cannot_be(words: tuple[str, ...], code: int, why: str, evening: Kibitz) -> None:
    """Refused, and nothing is written."""
    result = evening("fork", "eve", *words)
    assert result.code == code
    assert why in result.err
    assert len(evening("list", "--json").json) == 1


# -- two records ------------------------------------------------------------------------------------------------------


def test_diff_tells_less_from_different(two: Kibitz, tmp_path: Path) -> None:
    """What only one saw is listed, and is no difference; another card is."""
    result = two("diff", "anna", "ben.kib")
    assert result.code == 0
    assert "unseen in A  A 8: E play ??   B 8: E play 8c" in result.out
    assert "unseen in B  A 10: W play 9h  B 10: W play ??" in result.out
    last = "no difference, 2 events that one recorder saw more of; 12 events the same in 1 hand"
    assert result.out.splitlines()[-1] == last
    other = two("diff", "anna", "-", stdin=BEN.replace("N play Kh", "N play Kd"))
    assert other.code == 3
    assert "!  hand 1  different    A 7: N play Kh" in other.out
    assert two("diff", "-", "-").code == 2
    assert two("diff", "anna", "ben.kib", "-o", "-", "--json").code == 2
    # On paper of its own, both side by side: the events that do not agree, each with its number in both.
    assert two("diff", "anna", "ben.kib", "-o", "both.html").code == 0
    page = (tmp_path / "both.html").read_text(encoding="utf-8")
    assert "<h2>anna and ben.kib</h2>" in page
    assert re.findall(r"<tr><td>(\d+)\. [^<]*an unseen card\.<td>(\d+)\. ", page)
    assert two("diff", "anna", "nix.kib").code == 5


def test_merge_proposes_and_then_fills(two: Kibitz) -> None:
    """Without --fill nothing is written; with it the gap is closed by a correction, and nothing is lost."""
    before = two("log", "anna").out
    proposed = two("merge", "anna", "ben.kib")
    assert proposed.code == 0
    assert "  hand 1  sure  8: E play ?? → E play 8c (B 8)" in proposed.out
    assert proposed.out.endswith("1 event can be filled; add --fill to write\n")
    assert two("log", "anna").out == before
    done = two("merge", "anna", "ben.kib", "--fill")
    assert done.code == 0
    assert done.out.endswith("1 event filled\n")
    after = two("log", "anna").out
    assert after.startswith(before)
    assert "15. @ fix #8 E play 8c {seen in ben.kib, event 8" in after
    assert two("check", "anna").code == 3
    again = two("merge", "anna", "ben.kib", "--fill")
    assert again.out.endswith("0 events can be filled\n")
    assert two("log", "anna").out == after


def test_merge_writes_a_file(two: Kibitz, tmp_path: Path) -> None:
    """Two files make a third; neither of them is touched."""
    (tmp_path / "anna.kib").write_text(ANNA)
    assert two("merge", "anna.kib", "ben.kib", "--fill").code == 2
    assert two("merge", "anna.kib", "ben.kib", "--fill", "-o", "both.kib").code == 0
    assert (tmp_path / "anna.kib").read_text() == ANNA
    assert two("diff", "both.kib", "ben.kib").code == 0
    assert "15. @ fix #8 E play 8c" in (tmp_path / "both.kib").read_text()
    out = two("merge", "anna.kib", "ben.kib", "--fill", "-o", "-")
    assert out.out == (tmp_path / "both.kib").read_text()
    assert "1 event filled" in out.err


def test_merge_into_takes_only_the_same_record(two: Kibitz, tmp_path: Path) -> None:
    """Corrections are about positions; in another record these are other events."""
    (tmp_path / "anna.kib").write_text(ANNA)
    assert two("import", "ben.kib").code == 0
    assert two("merge", "anna.kib", "ben.kib", "--fill", "--into", "ben").code == 6
    assert two("log", "ben").out.count("fix") == 0
    assert two("merge", "anna.kib", "ben.kib", "--fill", "--into", "anna").code == 0
    assert two("log", "anna").out.count("fix") == 1


def test_a_conflict_is_listed_and_nothing_chosen(two: Kibitz) -> None:
    """Exit code 6, and not even what looks sure in that hand is filled in."""
    before = two("log", "anna").out
    result = two("merge", "anna", "-", "--fill", stdin=BEN.replace("S play Jh", "S play Js"))
    assert result.code == 6
    assert "different" in result.out
    assert "A 13: S play Jh" in result.out
    assert "B 13: S play Js" in result.out
    assert "held back  8: E play ??" in result.out
    assert result.out.endswith(
        "0 events can be filled, 1 held back in hands with a conflict, 1 conflict: nothing was chosen\n"
    )
    assert two("log", "anna").out == before


@pytest.mark.parametrize(
    "words",
    [("-o", "x.kib"), ("--into", "anna"), ("--fill", "-o", "x.kib", "--into", "anna"), ("--fill", "-o", "-", "--json")],
)
def test_merge_options_that_do_not_go_together(words: tuple[str, ...], two: Kibitz, tmp_path: Path) -> None:
    """A mistake of usage, before anything is written."""
    assert two("merge", "anna", "ben.kib", *words).code == 2
    assert not (tmp_path / "x.kib").exists()


def test_half_a_record_is_no_witness(two: Kibitz) -> None:
    """A file with an unreadable line is compared as far as it goes, and fills nothing."""
    broken = BEN.replace("8. E play 8c", "8. E plays the eight of clubs")
    assert two("merge", "anna", "-", "--fill", stdin=broken).code == 4
    assert "fix" not in two("log", "anna").out
    assert two("diff", "anna", "-", stdin=broken).code == 4


def test_the_shapes_are_documented(two: Kibitz) -> None:
    """docs/json.md tells all keys."""
    same_shape(documented("diff")[0], two("diff", "anna", "ben.kib", "--json").json)
    same_shape(documented("merge")[0], two("merge", "anna", "ben.kib", "--fill", "--json").json)
    same_shape(documented("fork")[0], two("fork", "anna", "--at", "4", "--json").json)


def test_a_record_that_was_edited_outside_comes_back_as_corrections(kibitz: Kibitz, tmp_path: Path) -> None:
    """If this failed, whoever put a card right in a text editor would be told that it is another match, or lose the
    line that was wrong."""
    text = '%kib 1\n[Game "kaiser"]\n[Match "ed"]\n\n1. W hand 1\n2. N bid 7\n3. E pass\n4. S bid 8\n5. W pass\n'
    (tmp_path / "ed.kib").write_text(text, encoding="utf-8")
    assert kibitz("import", "ed.kib").code == 0
    (tmp_path / "ed.kib").write_text(
        text.replace("4. S bid 8\n", "").replace("bid 7", "bid 6") + "N pass\n", encoding="utf-8",
    )
    refused = kibitz("import", "ed.kib")
    assert refused.code != 0
    asked = kibitz("import", "ed.kib", "--as-corrections")
    assert asked.code == 2
    assert asked.out.splitlines() == [
        "ed  2: N bid 7 → N bid 6", "ed  4: S bid 8 → struck out", "ed  at the end: N pass",
    ]
    assert kibitz("log", "ed").out.count("fix") == 0, "nothing is written unasked"
    assert kibitz("import", "ed.kib", "--as-corrections", "--yes").code == 0
    assert [
        line.split(" {")[0] for line in kibitz("log", "ed").out.splitlines()[-3:]
    ] == ["6. @ fix #2 N bid 6", "7. @ fix #4-", "8. N pass"]
    assert "nothing to correct" in kibitz("import", "ed.kib", "--as-corrections", "--yes").err
