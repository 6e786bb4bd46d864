"""Makes what is published, and tries it out as a stranger would: `make release`, or `python tools/release.py`.

1. The source distribution is built from the checkout, and both wheels from the source distribution: the plain one and the one with
   the compiled core. So a source distribution that lacks something makes no wheel.
2. Each is looked through: every file of the packages is in it and nothing else, its version is the one of `cli/__init__.py`, the
   licence is inside, and so are the notices of what was written by others (`NOTICES`).
3. Each is installed in a bare environment, without extras and outside the checkout. There the demo runs, the examples of
   docs/api.md, and some commands that need what lies beside the modules.

What passed lies in `dist/` with its checksums. Anything wrong is named, and it ends with 1.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("events", "reducers", "records", "replay", "service", "cli")
LICENCE, NOTICES = "LICENSE", "NOTICES"
EXTENSIONS = (".so", ".pyd")
# Written by the build itself, and by nobody in the checkout.
GENERATED = {"PKG-INFO", ".gitignore", "pyproject.toml", LICENCE, NOTICES}
TEXTS = (".py", ".js", ".css", ".svg", ".typ", ".json", ".txt", ".html")
FOREIGN = (
    "spdx-license", "@license", "@licence", "@preserve", "/*!", "copyright", "©", "licensed under", "sourcemappingurl",
)
"""What others write into their files; our own say nothing of the kind, since the licence stands beside them."""


class ReleaseError(Exception):
    """What is wrong with a release, a line for each fault."""


# -- what is there


def version_of(root: Path) -> str:
    """The version, from the one place where it stands: `VERSION` in `cli/__init__.py`. Raises ReleaseError if it
    does not stand there."""
    for node in ast.parse((root / "cli" / "__init__.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and [
            t.id for t in node.targets if isinstance(t, ast.Name)
        ] == ["VERSION"] and isinstance(node.value, ast.Constant):
            return str(node.value.value)
    raise ReleaseError("cli/__init__.py has no VERSION")


def versions_elsewhere(root: Path, version: str) -> Iterator[str]:
    """Faults: a second place that says a version, or a changelog that begins with another one."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    if (
        "version" in project["project"] or "version" not in project["project"]["dynamic"]
        or project["tool"]["hatch"]["version"]["path"] != "cli/__init__.py"
    ):
        yield "pyproject.toml: the version has to be taken from cli/__init__.py"
    heads = re.findall(r"^## (\S+)", (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    if heads[:1] != [version]:
        yield f"CHANGELOG.md: it begins with {heads[0] if heads else 'no version'}, and the version is {version}"


def tracked(root: Path) -> list[str]:
    """The files of the checkout that git knows, or would be told of. Raises ReleaseError if it is no checkout."""
    done = subprocess.run(
        ("git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"), cwd=root,
        capture_output=True, check=False,
    )
    if done.returncode:
        raise ReleaseError(f"{root} is no checkout of git: {done.stderr.decode(errors='replace').strip()}")
    return [name for name in done.stdout.decode().split("\0") if name and (root / name).is_file()]


def uncommitted(root: Path) -> list[str]:
    """What in the checkout is not as it was committed."""
    done = subprocess.run(
        ("git", "-c", "safe.directory=*", "status", "--porcelain"), cwd=root, capture_output=True, text=True, check=True
    )
    return [line[3:] for line in done.stdout.splitlines()]


def inside(artefact: Path) -> dict[str, bytes]:
    """The files of a wheel or of a source distribution; of the latter without the folder they all lie in."""
    if artefact.suffix == ".whl":
        with zipfile.ZipFile(artefact) as wheel:
            return {name: wheel.read(name) for name in wheel.namelist() if not name.endswith("/")}
    found = {}
    with tarfile.open(artefact) as packed:
        for member in packed.getmembers():
            stream = packed.extractfile(member) if member.isfile() else None
            if stream is not None:
                found[member.name.partition("/")[2]] = stream.read()
    return found


# -- what has to be inside


def faults_of(
    artefact: str, files: Mapping[str, bytes], known: Iterable[str], version: str, mypy: str = "",
) -> Iterator[str]:
    """What is wrong with what is inside a wheel or a source distribution, in a sentence each.

    `known` are the files of the checkout. `mypy` is the licence of the compiler, if there is anything compiled in it.
    """
    wheel = artefact.endswith(".whl")
    placed = placed_by(ROOT) if wheel else {}
    extra = {
        name for name in files if name.endswith(EXTENSIONS) or re.search(r"(^|/)_\w+_structs\.py$", name)
    } if wheel else set[str]()
    about = {name for name in files if ".dist-info/" in name}
    wanted = {
        put for name in known if (put := placed.get(name, name)).partition("/")[0] in PACKAGES
    } if wheel else set(known) - GENERATED
    there = set(files) - extra - about
    yield from (f"{artefact}: {name} is not inside" for name in sorted(wanted - there))
    yield from (
        f"{artefact}: {name} is inside, and is no file of the project"
        for name in sorted(there - wanted - (set() if wheel else GENERATED))
    )
    said = next(
        (text.decode() for name, text in files.items() if name == "PKG-INFO" or name.endswith(".dist-info/METADATA")),
        "",
    )
    if f"\nVersion: {version}\n" not in said or f"-{version}" not in artefact:
        yield f"{artefact}: its version is not {version}"
    notices = {}
    for name in (LICENCE, NOTICES):
        path = next((p for p in files if p == name or p.endswith(f".dist-info/licenses/{name}")), None)
        if path is None:
            yield f"{artefact}: there is no {name} inside"
        notices[name] = "" if path is None else files[path].decode()
    if "MIT License" not in notices[LICENCE]:
        yield f"{artefact}: {LICENCE} is not the licence of the project"
    yield from (f"{artefact}: {fault}" for fault in unnamed(files, notices[NOTICES]))
    if any(name.endswith(EXTENSIONS) for name in files) and (not mypy or folded(mypy) not in folded(notices[NOTICES])):
        yield (
            f"{artefact}: {NOTICES} does not have the licence of mypy as its compiler came with it, and "
            "the compiled modules hold its runtime"
        )


def placed_by(root: Path) -> dict[str, str]:
    """The files of the checkout that a wheel has in another place, each with its place there."""
    wheel = tomllib.loads(
        (root / "pyproject.toml").read_text(encoding="utf-8")
    )["tool"]["hatch"]["build"]["targets"]["wheel"]
    return dict(wheel.get("force-include", {}))


def unnamed(files: Mapping[str, bytes], notices: str) -> Iterator[str]:
    """Faults: files of the packages in which others say that they wrote them, and that the notices do not name."""
    for name, data in sorted(files.items()):
        if name.partition("/")[0] in PACKAGES and name.endswith(TEXTS) and name not in notices:
            text = data.decode("utf-8", "replace").lower()
            yield from (f"{name} says {word!r}, and {NOTICES} does not name it" for word in FOREIGN if word in text)


def folded(text: str) -> str:
    """A text without regard to how its lines are broken."""
    return " ".join(text.split())


# -- building and trying


def run(*words: str | Path, where: Path, **more: str) -> str:
    """Run a program with nothing in its surroundings that somebody set for Kibitz or Python; what it printed. Raises
    ReleaseError."""
    clean = {
        key: value for key, value in os.environ.items()
        if not key.startswith(("KIBITZ_", "PYTHON", "VIRTUAL_ENV", "HATCH_"))
    }
    done = subprocess.run(
        [str(word) for word in words], cwd=where, env={**clean, **more}, text=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    if done.returncode:
        raise ReleaseError(
            f"{' '.join(str(word) for word in words)} ended with {done.returncode}:\n{done.stdout[-4000:]}"
        )
    return done.stdout


def environment(place: Path) -> Path:
    """A new environment with nothing in it; its folder of programs."""
    run(sys.executable, "-m", "venv", place, where=place.parent)
    return place / ("Scripts" if os.name == "nt" else "bin")


def build_environment(place: Path) -> Path:
    """An environment with all that a build takes, as pyproject.toml names it; its folder of programs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    hook = project["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]["dependencies"]
    bin = environment(place)
    run(
        bin / "python", "-m", "pip", "install", "--quiet", *project["build-system"]["requires"], *hook,
        *project["project"]["dependencies"], where=place,
    )
    return bin


def licence_of_mypy(environment: Path) -> str:
    """The licence of the mypy in an environment, and not one of what mypy itself has from others. Raises
    ReleaseError if there is none."""
    found = sorted(environment.rglob("mypy-*.dist-info/**/LICENSE*"), key=lambda path: len(path.parts))
    if not found:
        raise ReleaseError("the compiler came without its licence, which has to go with what it compiles")
    return found[0].read_text(encoding="utf-8")


def build_source(python: Path | str, root: Path, into: Path) -> Path:
    """Build the source distribution of a checkout; where it lies."""
    run(python, "-m", "hatchling", "build", "-t", "sdist", "-d", into, where=root)
    return newest(into, ".tar.gz")


def build_wheel(python: Path | str, source: Path, into: Path, *, compiled: bool = False, pages: str = "") -> Path:
    """Build a wheel from a source distribution; where it lies. With `pages` only these games are compiled."""
    into.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="kibitz-release-") as folder:
        root = unpacked(source, Path(folder))
        more = {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": "1", "KIBITZ_PAGES": pages} if compiled else {}
        run(python, "-m", "hatchling", "build", "-t", "wheel", "-d", into, where=root, **more)
    return newest(into, ".whl")


def unpacked(source: Path, place: Path) -> Path:
    """Unpack a source distribution; its one folder."""
    with tarfile.open(source) as packed:
        packed.extractall(place, filter="data")
    (root,) = place.iterdir()
    return root


def newest(folder: Path, ending: str) -> Path:
    """The file that was made last."""
    return max((p for p in folder.iterdir() if p.name.endswith(ending)), key=lambda p: p.stat().st_mtime_ns)


API = """
import doctest, importlib.metadata, pathlib, sys
import cli, events, records, reducers, replay, service

text, folder, version, compiled = sys.argv[1], pathlib.Path(sys.prefix).resolve(), sys.argv[2], sys.argv[3] == "compiled"
for package in (cli, events, records, reducers, replay, service):
    assert pathlib.Path(package.__file__).resolve().is_relative_to(folder), f"{package.__file__} is not in {folder}"
assert importlib.metadata.version("kibitz") == cli.VERSION == version, importlib.metadata.version("kibitz")
import reducers.table
assert (not reducers.table.__file__.endswith(".py")) == compiled, reducers.table.__file__
found = doctest.DocTestParser().get_doctest(pathlib.Path(text).read_text(encoding="utf-8"), {}, "api.md", None, None)
told = []
runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
runner.run(found, out=told.append)
assert runner.failures == 0, "".join(told)
assert runner.tries > 20, runner.tries
print(runner.tries)
"""


def tried(artefact: Path, source: Path, version: str, place: Path) -> Iterator[str]:
    """Install an artefact in a bare environment and use it there; says what was done. Raises ReleaseError."""
    bin = environment(place / "bare")
    run(bin / "python", "-m", "pip", "install", "--quiet", artefact, where=place)
    run(bin / "python", "-m", "pip", "check", where=place)
    # Of the project only what a reader of it has in hand: the examples and one page.
    root = unpacked(source, place / "source")
    work = place / "work"
    work.mkdir()
    shutil.copytree(root / "examples", work / "examples")
    shutil.copy(root / "docs" / "api.md", work / "api.md")
    shutil.rmtree(place / "source")
    compiled = artefact.suffix == ".whl" and not artefact.name.endswith("-none-any.whl")
    said = run(bin / "kibitz", "--version", where=work).strip()
    if said != f"kibitz {version}{' (compiled)' if compiled else ''}":
        raise ReleaseError(f"{artefact.name}: `kibitz --version` says {said!r}")
    (work / "api.py").write_text(API, encoding="utf-8")
    examples = run(
        bin / "python", "-I", "api.py", "api.md", version, "compiled" if compiled else "plain", where=work,
    ).strip()
    yield f"{examples} examples of the public functions"
    yield f"the demo, {run(bin / 'kibitz', 'demo', where=work).count('$ kibitz ')} commands"
    # The viewer, the style of sheets, the dictionary of sealed matches and the help lie beside the modules.
    store = {"KIBITZ_DB": str(place / "club.db")}
    more = (
        ("--help",), ("games",), ("schema", "seasons"), ("replay", "examples/kaiser-evening.kib", "-o", "r.html"),
        ("sheet", "examples/scopa-sunday.kib", "-o", "s.html"), ("import", "examples/scopa-sunday.kib"),
        ("db", "seal", "scopa-sunday"), ("show", "scopa-sunday"), ("season", "-o", "t.html"), ("find", "--score", ">0"),
        ("verify", "home"),
    )  # fmt: skip
    for words in more:
        run(bin / "kibitz", *words, where=work, **store)
    yield f"{len(more)} more commands"


def checksums(artefacts: Sequence[Path]) -> str:
    """The checksums, as `sha256sum --check` reads them."""
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in artefacts)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="make release", description="Build what is published, and try it out in bare environments.",
    )
    parser.add_argument("--into", type=Path, default=ROOT / "dist", help="the folder to write to (dist)")
    parser.add_argument(
        "--as-is", action="store_true", help="build what is not committed too: to try it out, not to publish it",
    )
    parser.add_argument(
        "--without-compiled", action="store_true", help="no compiled wheel, which takes a C compiler and some minutes",
    )
    parser.add_argument(
        "--pages", default="", help="compile only these games ('kaiser scopa'): to try it out, not to publish it",
    )
    given = parser.parse_args(words)
    try:
        release(given.into, as_is=given.as_is, compiled=not given.without_compiled, pages=given.pages)
    except ReleaseError as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    return 0


def release(into: Path, *, as_is: bool, compiled: bool, pages: str) -> None:
    """Build, look through and try out. Raises ReleaseError."""
    version = version_of(ROOT)
    changed = uncommitted(ROOT)
    if changed and not as_is:
        raise ReleaseError(
            "not committed: "
            f"{', '.join(changed[:8])}{f' and {len(changed) - 8} more' if len(changed) > 8 else ''}\n--as-is "
            "builds it all the same, to try it out"
        )
    faults = list(versions_elsewhere(ROOT, version))
    known = tracked(ROOT)
    began = time.monotonic()

    def say(what: str) -> None:
        print(f"release: {time.monotonic() - began:4.0f} s  {what}", flush=True)

    with tempfile.TemporaryDirectory(prefix="kibitz-release-") as folder:
        place = Path(folder)
        made = place / "dist"
        made.mkdir()
        say(f"version {version}, {len(known)} files")
        bin = build_environment(place / "build")
        mypy = licence_of_mypy(place / "build")
        source = build_source(bin / "python", ROOT, made)
        say(f"built {source.name}")
        artefacts = [source, build_wheel(bin / "python", source, made)]
        say(f"built {artefacts[-1].name}")
        if compiled:
            artefacts.append(build_wheel(bin / "python", source, made, compiled=True, pages=pages))
            say(f"built {artefacts[-1].name}{f', with {pages} compiled only' if pages else ''}")
        for artefact in artefacts:
            files = inside(artefact)
            faults += faults_of(artefact.name, files, known, version, mypy)
            say(f"looked through {artefact.name}: {len(files)} files, {artefact.stat().st_size / 1e6:.1f} MB")
        if faults:
            raise ReleaseError("\n  ".join(["this is wrong:", *faults]))
        for n, artefact in enumerate(artefacts):
            bare = place / f"try-{n}"
            bare.mkdir()
            for what in tried(artefact, source, version, bare):
                say(f"{artefact.name}, installed in a bare environment: {what}")
        into.mkdir(parents=True, exist_ok=True)
        for artefact in artefacts:
            shutil.copy(artefact, into / artefact.name)
        (into / "SHA256SUMS").write_text(checksums(artefacts), encoding="utf-8")
    say(f"{len(artefacts)} files and SHA256SUMS lie in {into}")


if __name__ == "__main__":
    sys.exit(main())
