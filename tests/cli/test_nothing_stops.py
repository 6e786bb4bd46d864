"""No record stops a command: whatever a file holds, all that read records answer it and come to an end.

The files are those of `mayhem`: lines from the right vocabulary in any order, with any pile and any count.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from mayhem import FORMS, logs
from sampling import sampled

from events.model import Hand, Recorded
from events.writing import write_kib
from records import Store
from reducers.registry import PAGES
from replay import budget
from replay.auditing import exhaustive
from replay.judging import worlds
from replay.redact import hide
from replay.simulate import simulate_breaches

from .conftest import Kibitz, Result

GAMES = sorted(PAGES)
READERS = (("check",), ("audit",), ("audit", "--exact"), ("score",), ("sheet",), ("replay",))
# So many seconds of one core may a command take for a few dozen lines; it takes about a tenth of them.
AT_MOST = 60


@contextmanager
def comes_to_an_end(asked: tuple[object, ...]) -> Iterator[None]:
    """Raise if what is asked takes too long: seconds of this process and not of the clock, whatever else the machine
    does."""

    def too_long(*_: object) -> None:
        raise TimeoutError(f"{asked} took more than {AT_MOST} s")

    before = signal.signal(signal.SIGVTALRM, too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, AT_MOST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def ask(kibitz: Kibitz, *asked: object, codes: tuple[int, ...] = (0, 3)) -> Result:
    """Run one command, which has to answer with one of these codes."""
    with comes_to_an_end(asked):
        result = kibitz(*asked)
    assert result.code in codes, (asked, result.code, result.err)
    assert "Traceback" not in result.err + result.out, (asked, result.err)
    assert result.code != 0 or result.out, asked
    return result


def hands_of(log: list[Recorded]) -> list[int]:
    """The numbers of the hands, and one that is not there."""
    return sorted({r.event.number for r in log if isinstance(r.event, Hand)} | {1, 7})


def every_command_answers(kibitz: Kibitz, log: list[Recorded], store: str, hands: int) -> None:
    """Ask all that reads a file about one with this log, and so many reports; import it, and read it back."""
    Path("odd.kib").write_text(write_kib(log), encoding="utf-8")
    for words in READERS:
        ask(kibitz, *words, "odd.kib")
    for hand in hands_of(log)[:hands]:
        ask(kibitz, "report", "odd.kib", "--hand", hand, codes=(0, 3, 5))
    ask(kibitz, "--db", store, "import", "odd.kib", "--match", "odd")
    with Store.open(Path(store)) as opened:
        assert [r.event for r in opened.read("odd")[1:]] == [r.event for r in log[1:]]


@cache
def short_logs(game: str) -> dict[str, list[Recorded]]:
    """A log of each form."""
    return dict(zip(FORMS, logs(game, 1, 8), strict=True))


@sampled("game, form", GAMES, FORMS, each=1, short=2)
def test_every_command_answers_any_file(game: str, form: str, kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, a file that somebody may hand in would end a command in an error of the program, or never end
    it."""
    monkeypatch.setattr(budget, "STEPS", 1_000)
    monkeypatch.setattr(exhaustive, "STEPS", 2_000)
    every_command_answers(kibitz, short_logs(game)[form], "odd.db", hands=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("game", GAMES)
def test_every_command_answers_any_file_long(game: str, seed: int, kibitz: Kibitz) -> None:
    """The same for many more files, with as much to look for as a user has, and a report on every hand."""
    for i, one in enumerate(logs(game, 2000 + seed)):
        every_command_answers(kibitz, one, f"{i}.db", hands=9)


@pytest.mark.rest
def test_an_exact_opinion_that_was_cut_short_says_so(kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, what some of the ways say would be taken for what all of them say, or `audit --exact` would
    not end."""
    log = hide(simulate_breaches("kaiser", seed=1, p=0.2, hands=1)[0])[:20]
    Path("hidden.kib").write_text(write_kib(log), encoding="utf-8")
    told = " ".join(ask(kibitz, "audit", "--exact", "hidden.kib").out.split())
    assert "worlds tried, drawn at random from more" in told
    assert "cut short" not in told
    monkeypatch.setattr(exhaustive, "STEPS", 300)
    told = " ".join(ask(kibitz, "audit", "--exact", "hidden.kib").out.split())
    assert "tried, then it was cut short: there are more and they take too long" in told
    assert "then it was cut short" in ask(kibitz, "audit", "--exact", "--json", "hidden.kib").json["exact"][0]["text"]
    (opinion,) = exhaustive.exact(log)
    assert (opinion.cut, opinion.complete) == (True, False)
    assert 0 < opinion.worlds < worlds.FEWEST
