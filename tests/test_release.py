"""What is published has everything inside: asked of a source distribution and of a wheel, built here as `make
release` builds them."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

import cli

ROOT = Path(__file__).resolve().parent.parent


def load() -> ModuleType:
    """The program behind `make release`, which is no module of the project."""
    spec = importlib.util.spec_from_file_location("kibitz_release", ROOT / "tools/release.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tools = load()
MYPY = (ROOT / "NOTICES").read_text(encoding="utf-8").partition("as they come with it.\n")[2]
in_git = pytest.mark.skipif(
    not (ROOT / ".git").exists() or not shutil.which("git"), reason="what a release holds is asked of git",
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The source distribution, and the plain wheel made from it."""
    folder = tmp_path_factory.mktemp("dist")
    source = tools.build_source(sys.executable, ROOT, folder)
    return source, tools.build_wheel(sys.executable, source, folder)


@pytest.fixture(scope="module")
def source(built: tuple[Path, Path]) -> dict[str, bytes]:
    return tools.inside(built[0])


@pytest.fixture(scope="module")
def wheel(built: tuple[Path, Path]) -> dict[str, bytes]:
    return tools.inside(built[1])


@cache
def known() -> list[str]:
    return tools.tracked(ROOT)


@pytest.mark.rest
@in_git
def test_nothing_is_missing_and_nothing_else_is_inside(
    built: tuple[Path, Path], source: dict[str, bytes], wheel: dict[str, bytes],
) -> None:
    """If this failed, somebody who installs Kibitz would lack a page, a style or a licence, or get what was lying
    about."""
    assert len(known()) > 800
    for artefact, files in zip(built, (source, wheel), strict=True):
        assert list(tools.faults_of(artefact.name, files, known(), cli.VERSION)) == []


def without(name: str) -> Callable[[dict[str, bytes]], None]:
    def take(files: dict[str, bytes]) -> None:
        del files[next(path for path in files if path.endswith(name))]

    return take


def with_(name: str, text: str) -> Callable[[dict[str, bytes]], None]:
    def put(files: dict[str, bytes]) -> None:
        files[name] = text.encode()

    return put


@pytest.mark.rest
@in_git
@pytest.mark.parametrize(
    ("change", "says"),
    [
        (without("replay/viewer/static/viewer.css"), "replay/viewer/static/viewer.css is not inside"),
        (without("records/dictionaries/1.zdict"), "1.zdict is not inside"),
        (without("cli/help/78.txt"), "cli/help/78.txt is not inside"),
        (without("cli/examples/kaiser-hand.txt"), "cli/examples/kaiser-hand.txt is not inside"),
        (without("events/py.typed"), "events/py.typed is not inside"),
        (without("/LICENSE"), "there is no LICENSE inside"), (without("/NOTICES"), "there is no NOTICES inside"),
        (with_("cli/club.db", ""), "cli/club.db is inside"),
        (with_("events/_fast.so", ""), "does not have the licence of mypy"),
        (with_("service/static/common.js", "/*! tiny-lib 1.2 */"), "service/static/common.js says '/*!'"),
        (with_("replay/paper/sheet.typ", "// Copyright (c) 2020 Somebody"), "sheet.typ says 'copyright'"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_wheel_is_named(
    built: tuple[Path, Path], wheel: dict[str, bytes], change: Callable[[dict[str, bytes]], None], says: str,
) -> None:
    """If this failed, the check of a release would find nothing whatever lay in it."""
    files = dict(wheel)
    change(files)
    faults = list(tools.faults_of(built[1].name, files, known(), cli.VERSION))
    assert any(says in fault for fault in faults), faults


@pytest.mark.rest
@in_git
def test_a_source_distribution_without_a_page_of_the_documentation_is_refused(
    built: tuple[Path, Path], source: dict[str, bytes],
) -> None:
    files = {name: data for name, data in source.items() if name != "docs/api.md"}
    assert "docs/api.md is not inside" in " ".join(tools.faults_of(built[0].name, files, known(), cli.VERSION))


@pytest.mark.rest
@in_git
def test_what_is_compiled_brings_the_licence_of_its_runtime(built: tuple[Path, Path], wheel: dict[str, bytes]) -> None:
    """If this failed, a compiled wheel would hold a part of mypy without its terms, or a release would be refused
    that has them."""
    files = {**wheel, "events/cards.cpython-311.so": b"", "events/_cards_structs.py": b""}
    assert "MIT License" in MYPY
    assert list(tools.faults_of(built[1].name, files, known(), cli.VERSION, MYPY)) == []
    assert list(tools.faults_of(built[1].name, files, known(), cli.VERSION, MYPY + "Some new terms."))


@pytest.mark.rest
def test_the_demo_runs_out_of_a_wheel(wheel: dict[str, bytes], tmp_path: Path) -> None:
    """If this failed, a machine without make, or without a checkout, would have no demo."""
    for name, data in wheel.items():
        path = tmp_path / "lib" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    program = (
        "import cli.app, pathlib, sys; assert pathlib.Path(cli.app.__file__).is_relative_to(sys.path[0]); "
        "cli.app.main()"
    )
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "lib"), "KIBITZ_DB": str(tmp_path / "my.db")}
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[0] = {str(tmp_path / 'lib')!r}; {program}", "demo"], cwd=tmp_path,
        env=env, capture_output=True, text=True, check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("exported as it was written\n")
    assert [path.name for path in tmp_path.iterdir()] == ["lib"], "nothing of it stays"


def test_the_version_stands_in_one_place(tmp_path: Path) -> None:
    """If this failed, what is installed could call itself otherwise than its file."""
    assert tools.version_of(ROOT) == cli.VERSION
    assert list(tools.versions_elsewhere(ROOT, cli.VERSION)) == []
    assert list(tools.versions_elsewhere(ROOT, "9.9")) == [
        f"CHANGELOG.md: it begins with {cli.VERSION}, and the version is 9.9"
    ]
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(
        text.replace('dynamic = ["version"]', 'version = "1"\ndynamic = []'), encoding="utf-8",
    )
    shutil.copy(ROOT / "CHANGELOG.md", tmp_path)
    assert "cli/__init__.py" in " ".join(tools.versions_elsewhere(tmp_path, cli.VERSION))
    (tmp_path / "cli").mkdir()
    (tmp_path / "cli/__init__.py").write_text("RELEASE = 1\n", encoding="utf-8")
    with pytest.raises(tools.ReleaseError, match="no VERSION"):
        tools.version_of(tmp_path)


def test_the_licence_of_the_compiler_is_its_own(tmp_path: Path) -> None:
    """If this failed, the notices would be compared with the terms of something that mypy brings along."""
    with pytest.raises(tools.ReleaseError, match="without its licence"):
        tools.licence_of_mypy(tmp_path)
    about = tmp_path / "lib/site-packages/mypy-2.4.1.dist-info/licenses"
    for path, text in ((about / "mypy/typeshed/LICENSE", "Apache"), (about / "LICENSE", "MIT")):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert tools.licence_of_mypy(tmp_path) == "MIT"


def test_a_program_that_fails_ends_the_release(tmp_path: Path) -> None:
    """If this failed, a demo that ends with an error would be published."""
    with pytest.raises(tools.ReleaseError, match="ended with 3"):
        tools.run(sys.executable, "-c", "print('so'); raise SystemExit(3)", where=tmp_path)


@in_git
@pytest.mark.slow
def test_a_release_is_made_and_tried_out(tmp_path: Path) -> None:
    """If this failed, what is published would not run where nothing else of Kibitz is. Without the compiled wheel:
    that takes a compiler."""
    words = (sys.executable, ROOT / "tools/release.py", "--as-is", "--without-compiled", "--into", tmp_path)
    done = subprocess.run([str(word) for word in words], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("examples of the public functions") == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "SHA256SUMS", f"kibitz-{cli.VERSION}-py3-none-any.whl", f"kibitz-{cli.VERSION}.tar.gz",
    ]
