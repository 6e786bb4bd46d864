"""The dispute bundle: every hand can be put on a page, in both formats, and the page says what was found."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from given import log
from sampling import sampled
from tables import a_hand_or_two

from events.errors import UsageError
from events.kib import read_kib
from events.model import Recorded
from reducers.registry import PAGES
from reducers.sheet import Block, Cell, SheetRow
from replay.auditing.audit import audit
from replay.auditing.check import check
from replay.paper.report import PageEntry, PagePart, Report, only_hand, render_report, report
from replay.paper.report_pdf import report_as_pdf
from replay.redact import hide
from replay.simulate import simulate_breaches

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.kib"))
VOID = {"meta", "br", "hr", "link", "img"}


class Page(HTMLParser):
    """Reads a page and refuses one in which elements are not closed in order; keeps the text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, tag
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def page_of(html: str) -> str:
    """The text of a well-formed page."""
    page = Page()
    page.feed(html)
    page.close()
    assert not page.open
    return " ".join(" ".join(page.text).split())


def reported(records: Sequence[Recorded], first: int = 1, step: int = 1) -> None:
    """Every hand of a log, or of every so many one, can be put on a page, and each page names every finding of its
    hand."""
    found = audit(records)
    for hand in range(1 + (first - 1) % max(1, found.hands), found.hands + 1, step):
        made = report(records, hand)
        html, md = page_of(render_report(made, "html")), render_report(made, "md")
        assert md.startswith("# ")
        for f in (*found.broken, *found.open):
            if f.at.hand == hand:
                assert f.rule in html
                assert f.rule in md
                assert f"event {f.at.pos}" in html


@sampled("example, first", [path.stem for path in EXAMPLES], range(1, 5), each=1, short=2)
def test_every_hand_of_the_examples_can_be_reported(example: str, first: int) -> None:
    """Real records: all levels of detail, all kinds of trouble. Of each every fourth hand."""
    path = next(path for path in EXAMPLES if path.stem == example)
    reported(list(read_kib(path.read_text(encoding="utf-8")).records), first, 4)


@sampled("game, how", sorted(PAGES), ("as it was played", "with breaches", "hidden"), each=1)
def test_simulated_hands_can_be_reported(game: str, how: str) -> None:
    """Every game, open and hidden, with rules broken on purpose."""
    if how == "as it was played":
        reported(a_hand_or_two(game, 1))
    else:
        bad, _ = simulate_breaches(game, seed=2, hands=1)
        reported(bad if how == "with breaches" else hide(bad))


KAISER = """
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
N play ??
E play Th
S play Jh
W play Qh
"""


def said(lines: str) -> str:
    """The page about a hand of Kaiser."""
    return render_report(report(log("kaiser", lines, Seats="N E S W", Dealer="W"), 1), "md")


def test_what_is_unknown_inferred_and_certain_is_told_apart_by_signs() -> None:
    """A page printed in black and white still says which is which."""
    md = said(KAISER)
    assert [line.rsplit("|", 2)[1].strip() for line in md.splitlines() if "× ??" in line] == ["7 × ??", *["6 × ??"] * 3]
    assert "| › ?? |" in md
    evening = list(read_kib(EXAMPLES_TEXT).records)
    assert "\\[9\\]" in render_report(report(evening, 6), "md")


EXAMPLES_TEXT = (Path(__file__).parents[2] / "examples" / "kaiser-evening.kib").read_text(encoding="utf-8")


def test_fix_fault_and_ruling_stand_apart() -> None:
    """What the recorder mended, what the table did, and what was decided are three things."""
    md = said(
        KAISER + "@ fix #13 S play Ah\n@ fix #14-\n@ fault revoke E #8\nN dispute #8 revoke\n@ ruling #18 warning\n"
    )
    parts = {p.splitlines()[0]: p for p in md.split("## ")[1:]}
    assert "was “S play Jh”, counts as “S play Ah”" in parts["Corrections of the record"]
    assert "14: was “W play Qh”, struck out at 16" in parts["Corrections of the record"]
    assert "revoke of E, about event 8" in parts["What the table did about irregularities"]
    assert "dispute" not in parts["What the table did about irregularities"]
    assert "N disputes event 8: revoke; ruled at 19" in parts["Disputes and rulings"]
    assert "ruled by the table on event 18" in parts["Disputes and rulings"]


def test_a_word_of_the_recorder_cannot_write_into_the_page() -> None:
    """A remark is text, whatever it looks like."""
    records = log("kaiser", KAISER, Seats="N E S W", Dealer="W", N="<script>x</script>")
    html = render_report(report(records, 1), "html")
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_the_score_is_shown_every_way_in_which_it_is_counted() -> None:
    """As played, by the rules and as ruled stand below each other once they differ."""
    evening = list(read_kib(EXAMPLES_TEXT).records)
    last = evening[-1].n
    more = read_kib(
        f"{EXAMPLES_TEXT}\n{last + 1}. N dispute #96 revoke\n{last + 2}. @ ruling #{last + 1} points.NS=5\n"
    )
    assert not more.errors
    plain, ruled = (render_report(report(r, 3), "md") for r in (evening, list(more.records)))
    assert "## Score, as played" in plain
    assert "## Score, three ways" in ruled
    assert "as ruled: hand" in ruled


def test_one_hand_is_found_by_itself_and_no_other_format_is_taken() -> None:
    """Usage errors say what is possible."""
    records = log("kaiser", KAISER, Seats="N E S W", Dealer="W")
    assert only_hand(records) == 1
    evening = list(read_kib(EXAMPLES_TEXT).records)
    assert only_hand(evening) == 3, "the only one with findings"
    with pytest.raises(UsageError, match=r"nothing was found in its 2 hands; .* expected --hand 1 or --hand 2\."):
        only_hand([r for r in evening if r.n < 60])
    with pytest.raises(UsageError, match="no hand was begun"):
        only_hand(evening[:1])
    with pytest.raises(UsageError, match="no report as"):
        render_report(report(records, 1), "pdf")


# -- a page for each finding


def pages(lines: str, **tags: object) -> Report:
    """The report on a hand of Kaiser with names."""
    names = {"N": "Ann", "E": "Bea", "S": "Carl", "W": "Dora"}
    return report(log("kaiser", lines, Seats="N E S W", Dealer="W", **names, **tags), 1)


REVOKE = """
W hand 1
@ deal N=8x?? E=8x?? S=8x?? W=8x??
N bid 7
E pass
S pass
W pass
N name s
N play Kh
E play 8c
S play 8h
W play 9h
N play 5h
E play Th
"""


def test_a_finding_has_a_page_with_the_table_just_before_and_its_proof() -> None:
    made = pages(REVOKE)
    (found,) = made.findings
    assert (found.number, found.title) == (1, "Bea: follow suit")
    assert found.sentence.startswith("Hand 1, trick 1, event 9: Bea plays 8♣; hearts were led")
    assert found.sentence.endswith("Nobody at the table claimed it.")
    assert [(s.name, s.said, s.cards, s.laid) for s in found.seats] == [
        ("Ann", "led", "7 cards", "K♥"), ("Bea", "to play", "8 cards", ""), ("Carl", "", "8 cards", ""),
        ("Dora", "dealt", "8 cards", ""),
    ]  # fmt: skip
    assert [at for at, _ in found.proof] == ["2", "9", "13"]
    assert found.held == (("Bea", "10♥ (seen: 10♥ at 13)"),)
    assert found.heard == ("Bea", "Ann & Carl")


def test_a_page_shows_no_hand_but_the_one_that_its_proof_names() -> None:
    """If this failed, an arbiter would be shown more hands than the question needs: of the others only their number."""
    made = pages(REVOKE)
    html = render_report(made, "html")
    page = page_of(html[html.index('<div class="finding">') : html.index('<div class="report">')])
    assert "10♥" in page.replace("\ufe0e", "")
    assert not any(card in page.replace("\ufe0e", "") for card in ("9♥", "5♥ ", "8♥"))


def test_three_scores_and_room_for_the_ruling() -> None:
    """What is not ruled is written in by hand; a ruling that was made stands there."""
    evening = list(read_kib(EXAMPLES_TEXT).records)
    (open_one,) = report(evening, 3).findings
    assert open_one.scores is not None
    assert [row.cells[0].text for row in open_one.scores.rows] == ["as played", "by the rules", "as ruled"]
    assert [c.text for c in open_one.scores.rows[2].cells] == ["as ruled", *["____"] * 4, "not ruled yet"]
    last = evening[-1].n
    more = read_kib(
        f"{EXAMPLES_TEXT}\n{last + 1}. N dispute #96 revoke\n{last + 2}. @ ruling #{last + 1} points.NS=5\n"
    )
    (ruled,) = report(list(more.records), 3).findings
    assert ruled.scores is not None
    assert "____" not in [c.text for c in ruled.scores.rows[2].cells]
    assert "Disputed by Olena" in ruled.sentence
    for form in ("html", "md"):
        assert "the hand stands" in render_report(report(evening, 3), form)


@cache
def of_the_first_hand(example: str) -> Report:
    """The report of the first hand of an example; several tests read it."""
    text = next(path for path in EXAMPLES if path.stem == example).read_text(encoding="utf-8")
    return report(list(read_kib(text).records), 1)


@pytest.mark.rest
def test_a_layout_is_drawn_with_columns_that_run_from_one() -> None:
    found = of_the_first_hand("russian-bank-sunday").findings
    assert [one.number for one in found] == list(range(1, len(found) + 1))
    assert found[0].layout[0].split() == ["col", "Odile", "col", "Bastien"]
    assert found[0].layout[1].split() == ["1", "2", "3", "4"] * 2
    assert found[0].layout[2].split() == ["6♣", "J♠", "10♣", "4♣", "6♣", "K♥", "K♥", "Q♣"]
    assert "column 4 of Odile" in found[0].sentence
    assert {"reserve of Odile: 4♠", "covered reserve of Odile: 5", "stock of Bastien: 27"} <= set(found[0].beside)


@pytest.mark.rest
def test_an_ace_is_no_seat() -> None:
    deal = next(part for part in of_the_first_hand("russian-bank-sunday").parts if part.kind == "deal")
    assert deal.block is not None
    assert {c.text for row in deal.block.rows for c in row.cells[1:]} >= {"A"}


def test_a_report_is_set_on_paper_with_all_that_the_other_forms_say() -> None:
    """As pypdf reads it: a page for the finding, then the rest, each word of it; and the same report is the same
    file."""
    pypdf, _ = pytest.importorskip("pypdf"), pytest.importorskip("typst")
    made = report(list(read_kib(EXAMPLES_TEXT).records), 3)
    data = report_as_pdf(made)
    texts = [" ".join(page.extract_text().split()) for page in pypdf.PdfReader(io.BytesIO(data)).pages]
    (found,) = made.findings
    assert len(texts) == 2 + len(made.findings)
    assert all(
        " ".join(part.split()) in texts[0]
        for part in (found.title, found.sentence, found.rule, "arbiter, date", *(text for _, text in found.proof))
    )
    rest = " ".join(texts[1:])
    assert made.answer in rest
    assert all(part.heading in rest for part in made.parts)
    assert all(
        " ".join(cell.text.split()) in rest for part in made.parts if part.block is not None for row in part.block.rows
        for cell in row.cells
    )
    assert all(
        text in rest for part in made.parts for entry in part.entries
        for text in (entry.title, *(text for _, text in entry.lines))
    )
    assert report_as_pdf(made) == data


@pytest.mark.parametrize("odd", ["#panic()", '"; #read("/etc/passwd")', "*_`$x$`_*", "\\", "<a>"])
def test_no_name_is_markup_in_a_report_on_paper(odd: str) -> None:
    """If this failed, somebody's name could break the page, or read a file."""
    pypdf, _ = pytest.importorskip("pypdf"), pytest.importorskip("typst")
    cell = Block(odd, (odd,), (SheetRow((Cell(odd),)),))
    made = Report(
        odd, odd, ((odd, odd),), (PagePart(odd, cell, (PageEntry(odd, odd, ((odd, odd),)),), (odd,), odd),),
        signed=(odd,),
    )
    (page,) = pypdf.PdfReader(io.BytesIO(report_as_pdf(made))).pages
    assert "".join(page.extract_text().split()).count("".join(odd.split())) >= 14


def test_a_report_on_paper_without_what_sets_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(UsageError, match=r"a report as PDF needs the extra kibitz\[pdf\]"):
        report_as_pdf(Report("", "", (), ()))


def test_each_finding_begins_a_page_and_the_rest_comes_after_them() -> None:
    html = render_report(report(list(read_kib(EXAMPLES_TEXT).records), 3), "html")
    assert "break-after: page" in html
    assert html.index('class="finding"') < html.index('class="report"') < html.index("What was played")
    assert 'class="finding"' not in render_report(report(list(read_kib(EXAMPLES_TEXT).records), 1), "html")


def test_everybody_goes_by_name_in_a_report() -> None:
    md = render_report(report(list(read_kib(EXAMPLES_TEXT).records), 3), "md")
    assert "| trick | events | Olena | Marcel | Walter | Doris | taken by |" in md
    assert "**Doris broke R11 (follow suit)" in md


def test_what_was_found_after_the_hand_was_scored_says_how_the_match_stood_before_it() -> None:
    """If this failed, an arbiter would read that somebody had seven points before the only hand of a match; and of a
    `widow` that players call the rabbits."""
    path = next(path for path in EXAMPLES if path.stem == "dingo-lakewood")
    md = render_report(report(list(read_kib(path.read_text(encoding="utf-8")).records), 1), "md")
    assert md.count("Before the hand Edna 0, Walt 0, Rosa 0, Hank 0.") == 2
    assert "- rabbits: K♦ Q♦ J♦ 10♦ 9♦" in md


def test_a_result_is_told_in_words() -> None:
    """If this failed, players would read `@ tally tricks.A=1` where a hand was not recorded card by card."""
    path = next(path for path in EXAMPLES if path.stem == "poke-attic")
    md = render_report(report(list(read_kib(path.read_text(encoding="utf-8")).records), 3), "md")
    assert "33: the result: tricks: Walter 1, Anne 4, multiplier: Walter 1, Anne 1, better Walter, class pair" in md
    assert "tally" not in md


def test_whoever_sat_there_at_the_time_is_named() -> None:
    """If this failed, a substitute would be accused of what was played before, and stand at the head of the page
    about it."""
    lines = (
        "@ hand 1\nN bid 7\nE pass\nS pass\nW pass\nN name h\nN play Ac\nE play 8c\nS play 9d\nW play "
        "7c\nN play Kc\nE play Tc\nS play 9c\n"
    )
    records = log("kaiser", f'{lines}@ open S="Timo"\nE hand 2\nS bid 7\n', N="Nora", E="Emil", S="Sana", W="Wout")
    assert [f.text for f in check(records).broken] == ["clubs were led, and Sana holds one"]
    pages = {hand: render_report(report(records, hand), "md") for hand in (1, 2)}
    assert "Sana broke R11" in pages[1]
    assert "Nora & Sana – Emil & Wout" in pages[1]
    assert [line for line in pages[1].splitlines() if "Timo" in line] == ["- 14: Timo for Sana from here on"]
    assert "Nora & Timo – Emil & Wout" in pages[2]
    assert "Sana" not in pages[2]
