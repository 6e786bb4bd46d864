"""The pages of documentation: every link leads somewhere, and every page is in the site, which `make lint` builds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [
    ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "tests" / "README.md",
    ROOT / "benchmarks" / "README.md",
]
LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as a forge and the site make them."""
    heads = re.findall(
        r"^#+ (.+)$", re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL), re.MULTILINE,
    )
    return {re.sub(r"[^\w\- ]", "", re.sub(r"[`*]", "", head)).strip().lower().replace(" ", "-") for head in heads}


def broken_links(page: Path) -> list[str]:
    """The relative links of a page that lead to no file, or to no heading of it."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    wrong = []
    for link in LINK.findall(re.sub(r"`[^`]*`", "", text)):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        there = (page.parent / name) if name else page
        if not there.exists() or (anchor and there.suffix == ".md" and anchor not in anchors(there)):
            wrong.append(link)
    return wrong


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(page: Path) -> None:
    assert broken_links(page) == []


def test_a_broken_link_is_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# Here it is\n[a](#here-it-is) [b](#nowhere) [c](gone.md) [d](https://example.org)\n```\n[e](code.md)\n```\n"
    )
    assert broken_links(page) == ["#nowhere", "gone.md"]


def test_every_page_is_in_the_site() -> None:
    """If this failed, a page could be found by its address alone."""
    plan = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("nav:")[2]
    assert sorted(re.findall(r"[\w-]+\.md", plan)) == sorted(page.name for page in (ROOT / "docs").glob("*.md"))
