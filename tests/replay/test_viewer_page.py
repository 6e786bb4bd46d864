"""A replay as one page: nothing from outside, nothing that a record says is run, everything readable without a
script."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
from base64 import b64decode, b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest
from given import log
from replays import EXAMPLES, doc_of, example, page_of
from sampling import a_few

from events.errors import KibitzError
from events.model import Recorded
from events.visible_text import visible
from replay.viewer import bundle
from replay.viewer.document import document
from replay.viewer.page import PACKED_FROM, data, replay_html

NASTY = [
    "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"'><svg/onload=alert(1)>", "<!--<script>",
    "]]>&lt;b&gt;", "javascript:alert(1)", "\u202egnp.exe", "\u2028alert(1)", "${alert(1)}", "{{7*7}}",
    "--></style><b>", "\\u003cb",
]  # fmt: skip


class Parsed(HTMLParser):
    """What a browser would make of a page: its elements, and the text of scripts, styles and everything else."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.inside: list[str] = []
        self.texts: dict[str, list[str]] = {"script": [], "style": [], "": []}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, text: str) -> None:
        where = self.inside[-1] if self.inside and self.inside[-1] in self.texts else ""
        self.texts[where].append(text)


def doc_in(text: str) -> Any:
    """The data of a page."""
    kind, raw = re.search(r'<script type="application/(\w+)" id="kibitz-data">([^<]*)</script>', text).groups()
    return msgspec.json.decode(gzip.decompress(b64decode(raw)) if kind == "gzip" else raw)


def viewer_in(text: str) -> str:
    """The viewer that a page brings."""
    packed = re.search(r'<script type="application/gzip" id="kibitz-viewer">([^<]*)</script>', text)
    assert packed
    return gzip.decompress(b64decode(packed[1])).decode()


@pytest.fixture(scope="module")
def evening() -> str:
    """The page of an example."""
    return page_of(example("kaiser-evening"))


@pytest.fixture
def viewer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A viewer of two modules."""
    (tmp_path / "viewer.js").write_text(
        'import { a } from "./faces.js";\n// A comment with </script> in it.\n/**\n * @type {string}\n '
        '*/\nexport const b = a + "</script><!--";\nexport { b as c };\n'
    )
    (tmp_path / "faces.js").write_text(
        "/** one */\nexport function a() {\n  return /** @type {number} */ (1); // stays\n}\n"
    )
    (tmp_path / "unpack.js").write_text("await '</script>';\n")
    (tmp_path / "viewer.css").write_text("/* words */ b { color: red }\n")
    monkeypatch.setattr("replay.viewer.page.script", lambda: bundle.script(tmp_path))
    monkeypatch.setattr("replay.viewer.page.unpacking", lambda: bundle.unpacking(tmp_path))
    monkeypatch.setattr("replay.viewer.page.style", lambda: bundle.style(tmp_path))
    return tmp_path


def nasty(text: str) -> list[Recorded]:
    """A match in which everything that can be called something is called this."""
    records = log("kaiser", (
        "W hand 1\n@ deal hand:N=8x?? hand:E=8x?? hand:S=8x?? hand:W=8x??\nN pass\nE bid 7\nS pass\nW pass\nE "
        "name h\nN play As\nE play 9s\n"
    ),
                  N=text, E=text, Event=text, Place=text, Match="x")  # fmt: skip
    return [*records[:-1], msgspec.structs.replace(records[-1], text=text)]


@pytest.mark.parametrize("text", NASTY)
def test_nothing_that_a_record_says_is_run(text: str, viewer: Path) -> None:
    """If this failed, a page sent around could do what the one who typed a name wants."""
    try:
        written = replay_html(document(nasty(text)))
    except KibitzError:
        return  # such a name is refused long before
    parsed, plain = Parsed(written), Parsed(replay_html(document(nasty("Ann"))))
    assert [tag for tag, _ in parsed.elements] == [tag for tag, _ in plain.elements]
    assert not [name for _, attrs in parsed.elements for name in attrs if name.startswith("on") or name == "style"]
    assert doc_in(written)["names"]["N"] == visible(text)
    assert doc_in(written)["hands"][0]["steps"][-1]["text"] == visible(text, keep="\n")


@pytest.mark.parametrize("path", a_few(EXAMPLES, 5), ids=lambda p: p.stem)
def test_a_page_asks_nobody_for_anything(path: Path) -> None:
    """If this failed, whoever opens a page would tell somebody else about it, or see nothing without a network."""
    written = page_of(path)
    parsed = Parsed(written)
    for tag, attrs in parsed.elements:
        assert tag not in ("link", "iframe", "object", "embed", "img", "base", "form"), tag
        assert "src" not in attrs
        assert attrs.get("href", "#").startswith("#"), attrs
    assert "http" not in "".join(parsed.texts["style"])
    assert "@import" not in written
    assert doc_in(written) == doc_of(path)
    assert len(written.encode()) <= 150_000


def test_the_policy_allows_the_viewer_what_unpacks_it_and_the_one_style(viewer: Path) -> None:
    """If this failed, the viewer would not run, or anything else would."""
    written = replay_html(document(nasty("Ann")))
    parsed = Parsed(written)
    policy = next(
        a["content"] for tag, a in parsed.elements if tag == "meta" and a.get("http-equiv") == "Content-Security-Policy"
    )
    said = dict(part.strip().split(" ", 1) for part in policy.split(";"))

    def hashed(text: str) -> str:
        return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"

    run = list(re.findall(r'<script type="module">(.*?)</script>', written, re.S))
    styles = re.findall(r"<style>(.*?)</style>", written, re.S)
    assert len(run) == len(styles) == 1
    assert said["default-src"] == "'none'"
    assert said["script-src"].split() == [hashed(run[0]), hashed(viewer_in(written))]
    assert said["style-src"] == hashed(styles[0])
    assert "unsafe" not in policy
    assert "http" not in policy
    assert "*" not in policy
    kinds = [a.get("type") for tag, a in parsed.elements if tag == "script"]
    assert kinds in (
        ["application/json", "application/gzip", "module"], ["application/gzip", "application/gzip", "module"],
    )


def test_the_modules_of_the_viewer_become_one_script(viewer: Path) -> None:
    """If this failed, the viewer in a page would not be the one that was written and tested."""
    assert bundle.script(viewer) == (
        "\nfunction a() {\n  return (1); // stays\n}\n"
        '\n// A comment with </script> in it.\n\n\n\nconst b = a + "</script><!--";\n'
    )
    assert bundle.unpacking(viewer) == "await '<\\/script>';\n"
    assert viewer_in(replay_html(document(nasty("Ann")))) == bundle.script(viewer)


def test_what_a_page_runs_can_be_read(tmp_path: Path) -> None:
    """If this failed, no page would come alive."""
    node = shutil.which("node")
    if not node:
        pytest.skip("the script of a page was not read: there is no node on this machine")
    for name, text in (("unpacking", bundle.unpacking()), ("page", bundle.script()), ("drawing", bundle.drawing())):
        (tmp_path / f"{name}.mjs").write_text(text, encoding="utf-8")
        read = subprocess.run(
            [node, "--check", str(tmp_path / f"{name}.mjs")], capture_output=True, text=True, check=False,
        )
        assert (read.returncode, read.stderr) == (0, "")


def test_no_two_modules_use_a_name_twice() -> None:
    """If this failed, the one script would not even be read."""
    found: dict[str, str] = {}
    for path in sorted(bundle.STATIC.glob("*.js")):
        for name in re.findall(
            r"^(?:export )?(?:async )?(?:function\*?|class|const|let|var) (\w+)", path.read_text(encoding="utf-8"), re.M
        ):
            assert name not in found, f"{name} in {found[name]} and {path.name}"
            found[name] = path.name
    assert found


def test_large_data_are_compressed_and_small_ones_can_be_read() -> None:
    """If this failed, a page would be twice as large, or a small one could not be looked into."""
    small, large = b'{"a":"<&>"}', b'{"a":"' + b"x" * PACKED_FROM + b'"}'
    assert data(small) == '<script type="application/json" id="kibitz-data">{"a":"\\u003c\\u0026\\u003e"}</script>'
    assert doc_in(data(large)) == msgspec.json.decode(large)
    assert len(data(large)) < 300


# -- without a script -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", a_few(EXAMPLES, 5), ids=lambda p: p.stem)
def test_every_event_can_be_pointed_at_without_a_script(path: Path) -> None:
    """If this failed, "look at 42" would lead nowhere in the preview of a chat."""
    written = page_of(path)
    ids = [attrs["id"] for _, attrs in Parsed(written).elements if attrs.get("id", "").isdigit()]
    assert sorted(map(int, ids)) == sorted(step["n"] for hand in doc_of(path)["hands"] for step in hand["steps"])
    anchors = {attrs["href"][1:] for tag, attrs in Parsed(written).elements if tag == "a"}
    assert anchors <= {*ids, "0"}


def test_the_hand_its_moves_and_findings_are_there_without_a_script(evening: str) -> None:
    """If this failed, somebody whose phone runs no script would see an empty page."""
    text = "".join(Parsed(evening).texts[""]).replace("\ufe0e", "")
    for words in (
        "Kaiser: Valentine's evening", "Prud'homme, community hall", "Hand 3, Marcel dealt", "Doris: follow suit",
        "Doris plays 9♣; diamonds were led, and Doris holds one", "Doris held J♦ at 96",
        "A seat that holds the suit led plays it", "made Olena & Walter +11 = 22", "hidden behind the teapot",
        "found among the tricks",
    ):  # fmt: skip
        assert words in text or words == "found among the tricks", words
    row = re.search(r'<th scope="row">2<td>(.*?)<tr>.*?id="96"', evening, re.S)
    assert row is not None


def test_a_deal_shows_what_came_to_light() -> None:
    """If this failed, the text would hide what the picture shows."""
    written = replay_html(
        document(
            log(
                "kaiser",
                (
                    "W hand 1\n@ deal hand:N=8x?? hand:E=8x?? hand:S=8x?? hand:W=8x??\nN pass\nE bid 7\nS "
                    "pass\nW pass\nE name h\nN play As\n"
                )
            )
        )
    )
    text = written.replace("\ufe0e", "")
    assert "<dt>N</dt><dd>A♠ 7 unseen</dd>" in text
    assert "<dt>E</dt><dd>8 unseen</dd>" in text
