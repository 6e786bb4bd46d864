"""`kibitz replay -o` and `kibitz site`: pages for a browser."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

from cli.picturing import KINDS, output_kind
from events.errors import UsageError

from .conftest import Kibitz

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_a_replay_is_written_as_one_page(kibitz: Kibitz, tmp_path: Path) -> None:
    """If this failed, there would be nothing to send to a chat."""
    done = kibitz("replay", str(EXAMPLES / "kaiser-evening.kib"), "-o", "hand.html", "--hand", "3", "--from", "96")
    assert (done.code, done.out) == (0, "")
    text = (tmp_path / "hand.html").read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert 'id="hand-3"' in text
    assert 'id="hand-2"' not in text
    assert kibitz("replay", str(EXAMPLES / "kaiser-evening.kib"), "-o", "-").out.startswith("<!DOCTYPE html>")


def test_a_page_for_the_public_lacks_what_they_did_not_see(evening: Kibitz, tmp_path: Path) -> None:
    """If this failed, a spectator could read the hands in the source of the page."""
    evening("append", "eve", "@ note {seen by all}")
    for viewer in ("all", "public", "n"):
        assert evening("replay", "eve", "-o", f"{viewer}.html", "--as", viewer).code == 0
    assert evening("replay", "eve", "-o", "q.html", "--as", "q").code == 2
    assert not (tmp_path / "q.html").exists()


@pytest.mark.parametrize(
    "options",
    [["--hand", "1"], ["--as", "public"], ["--from", "3"], ["--exact"], ["-o", "x.txt"], ["-o", "x.html", "--json"]],
)
def test_options_of_a_page_without_a_page_are_refused(evening: Kibitz, options: list[str]) -> None:
    """If this failed, an option would silently do nothing."""
    assert evening("replay", "eve", *options).code == 2


def test_a_hand_or_an_event_that_is_not_there_is_named(evening: Kibitz) -> None:
    """If this failed, a mistyped number would give a page of something else."""
    assert evening("replay", "eve", "-o", "x.html", "--hand", "7").code == 5
    assert evening("replay", "eve", "-o", "x.html", "--from", "99").code == 5


def links_of(page: Path) -> list[str]:
    """Where the links of a page lead."""
    return re.findall(r'href="([^"#]+)"', page.read_text(encoding="utf-8"))


def test_a_book_is_written_as_pages_that_find_each_other(kibitz: Kibitz, tmp_path: Path) -> None:
    """If this failed, an evening put on a stick or a server would have dead links."""
    names = ("kaiser-evening", "scopa-sunday", "pad-hearts")
    assert kibitz("import", *(str(EXAMPLES / f"{name}.kib") for name in names), "--book", "eve").code == 0
    done = kibitz("site", "--book", "eve", "-o", "out")
    assert done.code == 0, done.err
    pages = sorted((tmp_path / "out").rglob("*.html"))
    assert f"{len(pages)} pages" in done.out
    for page in pages:
        for link in links_of(page):
            assert not link.startswith(("/", "http")), link
            assert (page.parent / link).is_file(), (page, link)
    index = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    for name in names:
        assert f"matches/{name}/replay.html" in index
        assert f"matches/{name}/sheet.html" in index
    assert "matches/kaiser-evening/report-3.html" in index
    # The hands worth opening: a broken rule before a swing, each at its event, with its position.
    assert re.findall(r'href="(matches/[^"]+#\d+)"[^>]*><img src="([^"]+)"[^>]*><b>([^<]*)', index)[:2] == [
        (
            "matches/kaiser-evening/replay.html#96", "matches/kaiser-evening/hand-3.svg",
            "diamonds were led, and Doris holds one",
        ),
        (
            "matches/kaiser-evening/replay.html#128", "matches/kaiser-evening/hand-4.svg",
            "biggest swing: Marcel &amp; Doris +22, Olena &amp; Walter −1",
        ),
    ]
    svg = (tmp_path / "out" / "matches" / "kaiser-evening" / "hand-3.svg").read_text(encoding="utf-8")
    assert "Doris plays the nine of clubs." in svg
    assert "Olena &amp; Walter" in index


def test_no_name_in_a_folder_is_one_that_windows_keeps_for_itself(kibitz: Kibitz, tmp_path: Path) -> None:
    """If this failed, a site made here could not be unpacked there; and on Windows a match called `con` would be
    written to the screen."""
    ids = ("con", "nul.2026", "lpt1", "a.", "cone")
    for name in ids:
        assert kibitz("new", "kaiser", "--id", name).code == 0
        assert kibitz("record", name, stdin="7\n").code == 0
    assert kibitz("site", "--book", "home", "-o", "pages").code == 0
    assert {
        path.name for path in (tmp_path / "pages/matches").iterdir()
    } == {"a.~", "con~", "cone", "lpt1~", "nul~.2026"}
    index = (tmp_path / "pages/index.html").read_text(encoding="utf-8")
    links = re.findall(r'href="(matches/[^"]+)"', index)
    assert {link.split("/")[1] for link in links} == {"a.~", "con~", "cone", "lpt1~", "nul~.2026"}
    assert all((tmp_path / "pages" / link).is_file() for link in links)
    assert b"\r" not in (tmp_path / "pages/index.html").read_bytes()


def test_an_address_is_named_only_if_it_is_given(kibitz: Kibitz, tmp_path: Path) -> None:
    """If this failed, pages would carry addresses that lead nowhere."""
    kibitz("import", str(EXAMPLES / "scopa-sunday.kib"), "--book", "eve")
    assert kibitz("site", "--book", "eve", "-o", "out", "--url", "https://club.example/eve/").code == 0
    replay = (tmp_path / "out" / "matches" / "scopa-sunday" / "replay.html").read_text(encoding="utf-8")
    assert '<link rel="canonical" href="https://club.example/eve/matches/scopa-sunday/replay.html">' in replay
    kibitz("site", "--book", "eve", "-o", "plain")
    assert "club.example" not in "".join(p.read_text(encoding="utf-8") for p in (tmp_path / "plain").rglob("*.html"))
    assert kibitz("site", "--book", "eve", "-o", "out", "--url", "javascript:alert(1)").code == 2


def test_a_page_that_will_be_found_somewhere_says_where(kibitz: Kibitz, tmp_path: Path) -> None:
    """If this failed, whoever puts a hand on a server would have no links to copy, and paper would not lead there."""
    pytest.importorskip("segno", reason="no code was drawn: the package segno is missing")
    scopa, home = str(EXAMPLES / "scopa-sunday.kib"), "https://club.example/hand.html?a=1&b=2"
    assert kibitz("replay", scopa, "-o", "hand.html", "--url", home).code == 0
    page = (tmp_path / "hand.html").read_text(encoding="utf-8")
    assert '<link rel="canonical" href="https://club.example/hand.html?a=1&amp;b=2">' in page
    assert re.search(r'<footer class="found-at">.*https://club.example/hand.html\?a=1&amp;b=2</a>.*<svg', page)
    assert kibitz("replay", scopa, "-o", "plain.html").code == 0
    plain = (tmp_path / "plain.html").read_text(encoding="utf-8")
    assert 'class="found-at"' not in plain
    assert "http" not in plain.replace(
        "http://www.w3.org/2000/svg", "",
    ).replace("http-equiv", "").replace('startsWith("http")', "")
    for wrong in (
        ["-o", "x.html", "--url", "javascript:alert(1)"], ["--url", home], ["-o", "x.svg", "--url", home],
        ["-o", "x.gif", "--url", home],
    ):
        assert kibitz("replay", scopa, *wrong).code == 2
        assert not (tmp_path / wrong[1]).exists()


def test_sheets_and_the_index_of_a_site_that_has_an_address_bear_its_code(kibitz: Kibitz, tmp_path: Path) -> None:
    """If this failed, a sheet on the wall would not lead to its evening."""
    pytest.importorskip("segno", reason="no code was drawn: the package segno is missing")
    kibitz("import", str(EXAMPLES / "scopa-sunday.kib"), "--book", "eve")
    assert kibitz("site", "--book", "eve", "-o", "out", "--url", "https://club.example/eve/").code == 0
    for name, home in (
        ("index.html", "index.html"), ("matches/scopa-sunday/sheet.html", "matches/scopa-sunday/replay.html"),
        ("matches/scopa-sunday/replay.html",) * 2,
    ):
        foot = (tmp_path / "out" / name).read_text(encoding="utf-8").rpartition("<footer")[2]
        assert "<svg" in foot, name
        assert f'<a href="https://club.example/eve/{home}">' in foot, name
    assert kibitz("site", "--book", "eve", "-o", "plain").code == 0
    assert 'class="segno"' not in "".join(p.read_text(encoding="utf-8") for p in (tmp_path / "plain").rglob("*.html"))


def test_a_site_for_the_public_has_no_page_that_shows_more(kibitz: Kibitz, tmp_path: Path) -> None:
    """If this failed, a report beside the public replay would show the hands."""
    kibitz("import", str(EXAMPLES / "kaiser-evening.kib"), "--book", "eve")
    assert kibitz("site", "--book", "eve", "-o", "out", "--as", "public").code == 0
    assert sorted(p.name for p in (tmp_path / "out").rglob("*.html")) == ["index.html", "replay.html"]
    assert kibitz("site", "--book", "eve", "-o", "out", "--as", "N").code == 2


def test_a_book_without_matches_and_a_folder_that_cannot_be_are_named(kibitz: Kibitz, tmp_path: Path) -> None:
    """If this failed, an empty site would look like one."""
    kibitz("import", str(EXAMPLES / "scopa-sunday.kib"), "--book", "eve")
    assert kibitz("site", "--book", "nobody", "-o", "out").code == 5
    (tmp_path / "file").write_text("x")
    assert kibitz("site", "--book", "eve", "-o", "file").code == 2


# -- pictures ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("output", "named", "kind"),
    [
        (None, [], ""), (None, ["gif"], "gif"), ("-", [], "html"), ("-", ["svg"], "svg"), ("A.SVG", [], "svg"),
        ("a.htm", [], "html"), ("a", ["png"], "png"), ("a.png", ["png"], "png"),
    ],
)  # fmt: skip
def test_the_name_or_an_option_says_what_is_written(output: str | None, named: list[str], kind: str) -> None:
    """If this failed, a file would hold something other than its name says."""
    assert output_kind(output, named) == kind


@pytest.mark.parametrize(
    ("output", "named"),
    [
        ("a.pdf", []), ("a", []), ("a.pdf", ["svg"]), ("a.png", ["gif"]), ("-", ["png"]), ("-", ["gif"]),
        (None, ["svg", "png"]), ("a.html", ["svg"]),
    ]
)
def test_what_is_not_made_is_refused_with_what_is_offered(output: str | None, named: list[str]) -> None:
    """If this failed, somebody would get a page that is called a picture."""
    with pytest.raises(UsageError) as refused:
        output_kind(output, named)
    assert any(word in str(refused.value) for word in (*KINDS, "--svg", "-o FILE"))


@pytest.mark.rest
def test_a_position_and_a_hand_are_written_as_pictures(evening: Kibitz, tmp_path: Path) -> None:
    """If this failed, nobody could show a hand where a page is not opened."""
    for package in ("quickjs", "resvg_py", "PIL", "pymupdf_fonts"):
        pytest.importorskip(package, reason="no picture was drawn: a package of the extra `pictures` is missing")
    for ending, begins in (("svg", b"<svg "), ("png", b"\x89PNG"), ("gif", b"GIF89a")):
        assert evening("replay", "eve", "-o", f"hand.{ending}", "--width", 400).code == 0
        assert (tmp_path / f"hand.{ending}").read_bytes().startswith(begins)
    named = evening("replay", "eve", "--svg", "--at", 3, "--dark")
    assert (named.code, named.out) == (0, "eve-3.svg\n")
    assert 'aria-label="Kaiser, event 3: ' in (tmp_path / "eve-3.svg").read_text(encoding="utf-8")
    assert evening("replay", "eve", "--svg", "-o", "-").out.startswith("<svg ")
    assert evening("replay", "eve", "--png", "--at", 99).code == 5
    assert evening("replay", "eve", "--gif", "--hand", 9).code == 5


@pytest.mark.parametrize(
    "options",
    [
        ("--at", 3), ("--dark",), ("--width", 400), ("-o", "a.html", "--at", 3), ("--svg", "--json"),
        ("--gif", "--at", 3), ("--png", "--from", 3), ("--svg", "--exact"), ("--svg", "--width", 100),
    ]
)
def test_options_of_pictures_that_mean_nothing_are_refused(options: tuple[object, ...], evening: Kibitz) -> None:
    """If this failed, somebody would take a picture for what it is not."""
    assert evening("replay", "eve", *options).code == 2


def test_a_report_leads_to_the_replay_beside_it(kibitz: Kibitz, tmp_path: Path) -> None:
    """If this failed, an arbiter would look for the events of a proof by hand."""
    log = str(EXAMPLES / "kaiser-evening.kib")
    (tmp_path / "paper").mkdir()
    for ending in ("html", "md"):
        done = kibitz("report", log, "--hand", "3", "-o", f"paper/report.{ending}", "--replay", "the hand.html")
        assert (done.code, done.err) == (0, "")
    replay = (tmp_path / "the hand.html").read_text(encoding="utf-8")
    for page in (tmp_path / "paper").iterdir():
        text = page.read_text(encoding="utf-8")
        events = re.findall(r"[(\"]\.\./the%20hand\.html#(\d+)[)\"]", text)
        assert {"96", "118"} <= set(events)
        assert all(f'id="{n}"' in replay for n in events)
    assert "replay" not in kibitz("report", log, "--hand", "3").out


@pytest.mark.parametrize("options", [["--replay", "x.html"], ["-o", "r.html", "--replay", "x.txt"]])
def test_a_replay_that_no_report_can_lead_to_is_refused(kibitz: Kibitz, tmp_path: Path, options: list[str]) -> None:
    """If this failed, a file would be written that nothing leads to, or that no browser opens."""
    assert kibitz("report", str(EXAMPLES / "kaiser-evening.kib"), "--hand", "3", *options).code == 2
    assert list(tmp_path.glob("x.*")) == []


def test_a_bundle_has_its_replay_beside_it(evening: Kibitz, tmp_path: Path) -> None:
    """If this failed, a dispute that is carried away could be proved and not looked at."""
    assert evening("export", "eve", "--replay", "x.html").code == 2
    assert evening("export", "eve", "--bundle", "--replay", "x.html").code == 2
    (tmp_path / "out").mkdir()
    assert evening("export", "eve", "--bundle", "-o", "out/eve.bundle", "--replay", "out/eve.html").code == 0
    page = (tmp_path / "out" / "eve.html").read_bytes()
    named = json.loads((tmp_path / "out" / "eve.bundle").read_text(encoding="utf-8"))["replay"]
    assert named == {"file": "eve.html", "sha256": hashlib.sha256(page).hexdigest()}
    assert evening("verify", "eve", "--against", "out/eve.bundle").code == 0
