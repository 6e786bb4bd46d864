"""Logs that no table would keep: lines from the right vocabulary in any order, with any pile and any count.

`logs(game, seed)` gives some: whole matches with broken rules, changed in many places, and logs made up line by
line, at tables of any size and under any house rules. Every event is in its normal form, as the reader lets it
through, so whatever reads a log has to answer to them.

`PYTHONPATH=.:tests python -m mayhem SECONDS [GAME …]` looks for logs that something does not answer to, and prints
what it found.
"""

from __future__ import annotations

import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Literal, get_args, get_origin

from msgspec.structs import FieldInfo, fields, replace

from cli.reading import check_lines
from cli.text_output import score_lines
from events.canon import check_event
from events.cards import squeeze
from events.errors import NotFoundError, UnreadableError
from events.kib import read_kib
from events.limits import MAX_INT
from events.model import (
    Arrange,
    Back,
    Bet,
    Bid,
    Call,
    Capture,
    Claim,
    Confirm,
    Deal,
    Discard,
    Dispute,
    Draw,
    End,
    Event,
    Fault,
    Fix,
    Gap,
    Hand,
    Meld,
    Move,
    Name,
    Note,
    Open,
    Pass,
    Pay,
    Play,
    Recorded,
    Ruling,
    Show,
    Shuffle,
    Tally,
)
from events.writing import write_kib
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.registry import PAGES, find_game
from replay.auditing.about_event import about
from replay.auditing.audit import audit
from replay.auditing.audit_text import about_lines, audit_lines
from replay.auditing.check import check
from replay.budget import Budget, budget_for
from replay.fold import corrected, fold
from replay.judging.judge import judge
from replay.paper.render import render
from replay.paper.report import render_report, report
from replay.paper.sheet import sheet_of
from replay.read_log import read_log as read_log
from replay.redact import hide
from replay.scoring.three_ways import score_match, three_ways
from replay.simulate import simulate_breaches
from replay.table.frame import frame
from replay.table.narration import tell
from replay.table.picture import render_frame
from replay.testing.odd_logs import FACTS, tally

ELSEWHERE = (
    "stock", "stock_", "discard", "trick", "board", "dead", "upcard", "widow", "pot", "pozzetto:1", "pozzetto:3",
    "meld:1", "meld:NS:1", "meld:A:2", "won:NS", "won:A", "col:A:1", "col:B:1..4", "col:B:1..999999", "col:A:9",
    "hand:A", "hand:A:2", "hand:N", "hand:X", "foundation:1", "foundation:99", "reserve:A", "reserve:A:down", "rank:Q",
    "stock:A", "discard:B", "col:A", "col:A:0", "col:A:4..1", "meld:0", "meld:X:y",
)  # fmt: skip
"""Piles that may mean nothing in a game, or nothing where they stand."""
ODD = (
    "??", "7?", "?h", "*x??", "2x??", "13x??", "60x??", "999x??", "2x7?", "999x?s", "Jo", "Jo=7h", "2d=7h", "Jo=??",
    "Kc", "7h", "Th",
)


class Words:
    """What is said at the tables of a game: its seats, sides, piles, cards and words."""

    def __init__(self, game: str, opening: Open) -> None:
        page = find_game(game)
        state = begin(opening.facts)
        self.game, self.state, self.opening = page, state, opening
        self.seats = state.terms.seats
        self.who = (*self.seats, *state.terms.sides, "@", "X", f"{self.seats[0]}:2")
        self.piles = (*piles_of(game), *ELSEWHERE, *(f"hand:{seat}" for seat in self.seats))
        self.cards = tuple(c for c in state.game.pack.tokens if "?" not in c) or ("7h", "Kc")
        self.words = (*page.words, "misdeal", "void", "stop", "x")
        self.acts = tuple(t for phase in page.phases.values() for t in phase.acts) or (Hand, Tally, End)


@cache
def piles_of(game: str) -> tuple[str, ...]:
    """The names of all piles that came to be in a few matches of a game, as events write them."""
    names: set[str] = set()
    for seed in range(2):
        view = corrected(simulate_breaches(game, seed=seed, p=0.1, hands=1)[0])
        state = begin(view.opening.facts)
        for placed in view.events:
            evolve(state, placed.event)
            names.update(f"hand:{n}" if n.partition(":")[0] in state.terms.seats else n for n in state.table.piles)
    return tuple(sorted(names))


def cards(w: Words, rng: Random, most: int = 6) -> tuple[str, ...]:
    """A written list of cards."""
    if rng.random() < 0.12:
        return ("*",)
    n = 1 if rng.random() < 0.5 else rng.randrange(1, most + 1)
    return squeeze(rng.choice(w.cards) if rng.random() < 0.6 else rng.choice(ODD) for _ in range(n))


def groups(w: Words, rng: Random) -> tuple[tuple[str, ...], ...]:
    """A few groups of cards."""
    return tuple(cards(w, rng) for _ in range(rng.choice((1, 1, 1, 2, 3))))


def layout(w: Words, rng: Random) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Piles with cards."""
    return tuple((rng.choice(w.piles), cards(w, rng, 13)) for _ in range(rng.randrange(1, 5)))


def amount(rng: Random) -> int:
    """A number, now and then far from anything."""
    return rng.choice((0, 1, 2, 5, 7, 13, 60, 100, 501, -1, -50, 999999, MAX_INT, -MAX_INT))


def facts(w: Words, rng: Random) -> dict[str, Any]:
    """Facts with keys that are known and others."""
    keys = (*w.who, "rule", "hand", "match", "score", "x", *w.words)
    return {
        rng.choice(keys).replace(":", "_").replace("@", "at"): rng.choice(FACTS[:-4])
        for _ in range(rng.randrange(1, 4))
    }


def act(w: Words, rng: Random, last: int) -> Event:
    """Any event of the vocabulary."""
    by = rng.choice(w.seats) if rng.random() < 0.8 else rng.choice(w.who)
    pile: Callable[[], str] = lambda: rng.choice(w.piles)  # noqa: E731
    some: Callable[[], str] = lambda: pile() if rng.random() < 0.5 else ""  # noqa: E731
    refs = tuple(rng.choice((1, last, max(0, last - 1), 0, 9999)) for _ in range(rng.randrange(1, 3)))
    word = rng.choice(w.words)
    make: dict[type[Event], Callable[[], Event]] = {
        Open: lambda: Open(
            by="@",
            facts=rng.choice(({"Option": {"target": amount(rng)}}, {"Dealer": by}, {"Seats": "A B"}, facts(w, rng))),
        ),
        Hand: lambda: Hand(
            by=by, number=rng.choice((1, 2, last % 9 + 1, 999999)), facts=facts(w, rng) if rng.random() < 0.2 else {},
        ),
        Deal: lambda: Deal(by="@", face=rng.choice((None, "up", "down")), piles=layout(w, rng), src=some()),
        Shuffle: lambda: Shuffle(by=by, cards=cards(w, rng), src=some(), to=pile()) if rng.random() < 0.7
        else Shuffle(by=by, piles=layout(w, rng)),
        End: lambda: End(
            by=by, what=rng.choice(("hand", "hand", "match")), why=rng.choice(("", word)),
            facts=facts(w, rng) if rng.random() < 0.2 else {},
        ),
        Tally: lambda: tally([Recorded(n=0, event=w.opening)], rng),
        Play: lambda: Play(by=by, cards=cards(w, rng), face=rng.choice((None, "up", "down")), src=some()),
        Draw: lambda: Draw(by=by, cards=cards(w, rng), face=rng.choice((None, "up")), src=some()),
        Discard: lambda: Discard(by=by, cards=cards(w, rng), face=rng.choice((None, "down")), src=some()),
        Move: lambda: Move(by=by, cards=cards(w, rng), to=pile(), face=rng.choice((None, "up", "down")), src=some()),
        Meld: lambda: Meld(by=by, groups=groups(w, rng), src=some(), to=some()),
        Capture: lambda: Capture(by=by, cards=cards(w, rng), takes=cards(w, rng), src=some()),
        Arrange: lambda: Arrange(by=by, groups=groups(w, rng), to=some()) if rng.random() < 0.6
        else Arrange(by=by, piles=layout(w, rng)),
        Show: lambda: Show(by=by, groups=groups(w, rng), src=some()),
        Bid: lambda: Bid(
            by=by, level=rng.choice((None, 0, 1, 7, 12, 999999)), strain=rng.choice(("nt", "h", "no", "x")),
        ),
        Pass: lambda: Pass(by=by),
        Call: lambda: Call(
            by=by, word=word, what=rng.choice(("", "", "x", word)), amount=rng.choice((None, None, amount(rng))),
            who=rng.choice(("", *w.who[:-3])), cards=rng.choice(((), cards(w, rng))), refs=rng.choice(((), refs)),
        ),
        Name: lambda: Name(by=by, what=rng.choice(("h", "s", "nt", "7", "K", "Kc", "NS", "x", "?h"))),
        Bet: lambda: Bet(by=by, amount=amount(rng), on=some()),
        Pay: lambda: Pay(by=by, amount=amount(rng), src=some(), to=some()),
        Fault: lambda: Fault(
            by=by, word=word, who=rng.choice(("", *w.who[:-3])), cards=rng.choice(((), cards(w, rng))),
            refs=rng.choice(((), refs)),
        ),
        Claim: lambda: Claim(by=by, amount=amount(rng)) if rng.random() < 0.5 else Claim(by="@", facts=facts(w, rng)),
        Confirm: lambda: Confirm(by=by, refs=rng.choice(((), refs))),
        Note: lambda: Note(by=by, refs=refs),
        Dispute: lambda: Dispute(by=by, refs=refs, word=rng.choice(("", word))),
        Ruling: lambda: Ruling(
            by="@", refs=refs, word=rng.choice(("", word)), facts=facts(w, rng) if rng.random() < 0.6 else {},
        ),
        Gap: lambda: Gap(by="@", number=rng.choice((None, 0, 3, 999999))),
    }  # fmt: skip
    kind = rng.choice(w.acts) if rng.random() < 0.75 else rng.choice(list(make))
    return make.get(kind, make[Play])()


def event(w: Words, rng: Random, last: int) -> Event:
    """Any event in normal form, a correction now and then."""
    for _ in range(50):
        try:
            made = act(w, rng, last)
            if rng.random() < 0.03 and type(made) is not Open:  # a log whose opening was taken away cannot be opened
                how = rng.choice(("replace", "insert", "strike"))
                made = Fix(by="@", at=rng.randrange(last + 2), how=how, event=None if how == "strike" else made)
            check_event(made)
        except (UnreadableError, ValueError):
            continue
        return made
    return Pass(by=w.seats[0])


def changed(log: list[Recorded], w: Words, rng: Random, often: float) -> list[Recorded]:
    """A log with lines lost, doubled, moved, put in, and with other seats, cards and piles in them."""
    out: list[Event] = []
    for r in log[1:]:
        if rng.random() > often:
            out.append(r.event)
            continue
        how = rng.randrange(7)
        if how == 0:
            continue
        if how == 1:
            out += [r.event] * rng.choice((2, 2, 3, 10))
        elif how == 2:
            out.insert(rng.randrange(len(out) + 1), r.event)
        elif how == 3:
            out += [r.event, event(w, rng, len(out) + 1)]
        elif how == 4:
            out.append(event(w, rng, len(out) + 1))
        else:
            out.append(altered(r.event, w, rng))
    return numbered(log[0], out)


# -- lines of whole hands, put together otherwise

SPLICED_LINES = 30
"""No more lines of a hand are put together otherwise."""


@cache
def hands_to_splice(game: str) -> tuple[tuple[Recorded, ...], ...]:
    """Records of a hand or two to take lines from: simulated ones, seen and hidden, with breaches and without, and
    the examples."""
    seen = [simulate_breaches(game, seed=seed, p=0.1 * (seed % 2), hands=2)[0] for seed in range(4)]
    shown = [
        as_recorded(path) for path in sorted(Path("examples").glob("*.kib"))
        if f'[Game "{game}"]' in path.read_text(encoding="utf-8")
    ]
    return tuple(tuple(one) for log in (*seen, *shown) for one in (log, hide(log)))


def as_recorded(path: Path) -> list[Recorded]:
    """The record of a file."""
    return list(read_kib(path.read_text(encoding="utf-8")).records)


def spliced(game: str, seed: int) -> list[Recorded]:
    """A hand of a game, or a part of one, with its lines dropped, doubled, swapped and given to other seats, and
    with a gap, an act taken back, a tally, a move or a line of another hand put in anywhere: one to three of these
    at once."""
    rng = Random(f"spliced/{game}/{seed}")
    whole, other = rng.choice(hands_to_splice(game)), rng.choice(hands_to_splice(game))
    opening = whole[0]
    assert isinstance(opening.event, Open)
    seats = begin(opening.event.facts).terms.seats
    first = rng.choice([1, 1, *(i for i, r in enumerate(whole) if type(r.event) is Hand)])
    lines = [r.event for r in whole[first : first + rng.randrange(2, SPLICED_LINES)]]
    for _ in range(rng.choice((1, 2, 2, 3))):
        if not lines:
            break
        at = rng.randrange(len(lines) + 1)
        here = min(at, len(lines) - 1)
        how = rng.randrange(9)
        if how == 0 and len(lines) > 1:
            del lines[here : here + rng.choice((1, 1, 1, 4))]
        elif how == 1:
            lines.insert(at, lines[here])
        elif how == 2:
            there = rng.choice((min(here + 1, len(lines) - 1), rng.randrange(len(lines))))
            lines[here], lines[there] = lines[there], lines[here]
        elif how == 3 and lines[here].by in seats:
            lines[here] = replace(lines[here], by=rng.choice(seats))
        elif how == 4:
            lines.insert(at, Gap(by="@"))
        elif how == 5:
            lines.insert(at, tally([opening], rng))
        elif how == 6:
            moved = Words(game, opening.event)
            lines.insert(
                at,
                Move(
                    by=rng.choice((*seats, "@")), cards=cards(moved, rng, 2), src=rng.choice(("", "trick", "board")),
                    to=rng.choice(moved.piles),
                )
            )
        elif how == 7:
            lines.insert(at, Back(by=rng.choice((*seats, "@"))))
        else:
            lines.insert(at, rng.choice(other[1:]).event)
    fits: list[Event] = []
    for one in lines:
        try:
            check_event(one)
        except (UnreadableError, ValueError):
            continue
        fits.append(one)
    return numbered(opening, fits)


class TooLongError(Exception):
    """A record took more time than it may."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise TooLongError if this takes more seconds of this process, whatever else the machine does."""

    def too_long(*_: object) -> None:
        raise TooLongError(f"more than {seconds} s")

    before = signal.signal(signal.SIGVTALRM, too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def read_in_time(log: list[Recorded], seconds: float = 1.0) -> None:
    """Judge, score and show a record, and add a line to it, within the time for a hundred lines."""
    with within(seconds):
        whole = read_log(log)
        judgement = judge(whole)
        three_ways(whole, judgement)
        frame(judgement.state)
        evolve(judgement.state, log[-1].event)


def altered(was: Event, w: Words, rng: Random) -> Event:
    """An event with one thing in it changed."""
    names = [
        n for n in was.__struct_fields__
        if n in ("by", "cards", "takes", "src", "to", "groups", "piles", "face", "amount", "number", "level")
    ]
    name = rng.choice(names)
    new: dict[str, Callable[[], Any]] = {
        "by": lambda: rng.choice(w.who), "cards": lambda: cards(w, rng), "takes": lambda: cards(w, rng),
        "src": lambda: rng.choice(("", *w.piles)), "to": lambda: rng.choice(w.piles), "groups": lambda: groups(w, rng),
        "piles": lambda: layout(w, rng), "face": lambda: rng.choice((None, "up", "down")),
        "amount": lambda: amount(rng), "number": lambda: rng.choice((1, 2, 999999)),
        "level": lambda: rng.choice((1, 9, 13, 999999)),
    }  # fmt: skip
    made: Event = replace(was, **{name: new[name]()})
    try:
        check_event(made)
    except (UnreadableError, ValueError):
        return was
    return made


def numbered(opening: Recorded, events: Iterable[Event]) -> list[Recorded]:
    """The records of these events."""
    return [opening, *(Recorded(n=n, event=e) for n, e in enumerate(events, 1))]


def opening_of(game: str, rng: Random) -> Open:
    """A table of any size that the game is played at, with house rules at random and any first dealer."""
    page = find_game(game)
    seats = page.seating.sizes[rng.choice(list(page.seating.sizes))]
    ruled = {one.name: house_rule(one, rng) for one in fields(page.options) if rng.random() < 0.6}
    return Open(
        by="@",
        facts={
            "Game": game, "Seats": " ".join(seats), "Dealer": rng.choice(seats), **({"Option": ruled} if ruled else {}),
        }
    )


def house_rule(one: FieldInfo, rng: Random) -> Any:
    """What a house rule may be: one of its words, or a number between its smallest and its largest."""
    kind, *said = get_args(one.type)
    if get_origin(kind) is Literal:
        return rng.choice(get_args(kind))
    if kind is bool:
        return rng.random() < 0.5
    if kind is int:
        return rng.choice((said[0].ge, said[0].le, rng.randint(said[0].ge, said[0].le)))
    if one.name == "sum":
        return rng.choice(("26", "0", one.default))
    if one.name in ("made", "failed"):
        return rng.choice(("", "value", "-2*value+3", "-50"))
    return one.default if one.name in ("captains", "sides") else rng.choice(("none", "0:1 1:0", one.default))


FORMS = ("changed", "hidden and changed", "made up", "a block again and again", "another table")


def logs(game: str, seed: int, lines: int = 40) -> Iterator[list[Recorded]]:
    """Logs of a game that should never have been written, one of each form."""
    rng = Random(f"{game} {seed}")
    whole = list(simulate_breaches(game, seed=seed, p=0.1, hands=rng.choice((1, 1, 2)))[0])
    opening = whole[0]
    assert isinstance(opening.event, Open)
    w = Words(game, opening.event)
    begun = rng.randrange(min(len(whole), 60))
    yield changed(whole[: 1 + 3 * lines], w, rng, 0.04)
    yield changed(hide(whole)[: 1 + 2 * lines], w, rng, 0.15)
    made: list[Event] = [r.event for r in whole[1:begun]] if rng.random() < 0.7 else []
    made += [event(w, rng, len(made) + i) for i in range(rng.randrange(1, lines))]
    yield numbered(opening, made)
    block = [event(w, rng, 3) for _ in range(rng.choice((1, 1, 2, 3, 5)))]
    yield numbered(
        opening,
        [*(r.event for r in whole[1 : rng.choice((1, 4, begun + 1))]), *(block * (lines // len(block)))][: 3 * lines],
    )
    other = opening_of(game, rng)
    facts = other.facts
    strange = list(
        simulate_breaches(
            game, seed=seed, p=0.1, hands=1, seats=str(facts["Seats"]).split(), options=facts.get("Option"),
        )[0]
    )
    yield changed([Recorded(n=0, event=other), *strange[1 : 1 + 2 * lines]], Words(game, other), rng, 0.08)


def answered(log: list[Recorded], *, pages: bool = True, second: bool = False, steps: int = 0) -> None:
    """Ask everything there is to ask about a log; whatever is raised, or goes on for too long, is a fault.

    With `steps` the budget is no more than these.
    """
    budget = Budget(steps) if steps else budget_for(len(log))
    judgement = check(log, budget=budget)
    # To judge it is always done, and so is what was under way when the budget was at an end.
    assert budget.spent <= budget.limit + 200 * len(log), f"{budget.spent} steps for {len(log)} lines"
    for _ in check_lines("log", judgement, told=True):
        pass
    score = score_match(log)
    list(score_lines(score))
    sheet = sheet_of(log)
    list(tell(log))
    if not pages:
        return
    for form in ("text", "csv", "md", "html"):
        render(sheet, form)
    for viewer in ("all", "public"):
        render_frame(frame(fold(log), viewer))
    list(audit_lines(audit(log, second=second)))
    at = log[len(log) // 2].n
    list(about_lines(about(log, at, second=second)))
    for form in ("md", "html"):
        try:
            render_report(report(log, judgement.state.number), form)
        except NotFoundError:
            assert judgement.state.number == 0


def shortest(log: list[Recorded], raised: type[BaseException], text: str) -> list[Recorded]:
    """A log as short as is soon found that still raises the same."""

    tries = 0

    def fails(events: list[Event]) -> bool:
        nonlocal tries
        tries += 1
        if tries > 60:
            return False
        try:
            answered(numbered(log[0], events), second=True)
        except Exception as wrong:
            return type(wrong) is raised and where(wrong) == text
        return False

    events = [r.event for r in log[1:]]
    size = max(1, len(events) // 2)
    while size:
        i = 0
        while i < len(events):
            less = events[:i] + events[i + size :]
            if fails(less):
                events = less
            else:
                i += size
        size //= 2
    return numbered(log[0], events)


def where(wrong: BaseException) -> str:
    """The place that raised."""
    last = traceback.extract_tb(wrong.__traceback__)[-1]
    return f"{last.filename.rpartition('/')[2]}:{last.lineno}"


def main() -> None:
    """Look for so many seconds."""

    until = time.monotonic() + float(sys.argv[1])
    games, seed, count = sys.argv[2:] or list(PAGES), int(time.time()) % 10**6, 0
    found: set[str] = set()
    while time.monotonic() < until:
        seed += 1
        for game in games:
            for log in logs(game, seed):
                count += 1
                begun = time.process_time()
                try:
                    answered(log, second=seed % 3 == 0)
                except Exception as wrong:
                    place = f"{type(wrong).__name__} {where(wrong)}"
                    if place not in found:
                        found.add(place)
                        traceback.print_exc(limit=-4)
                        print(game, seed, place)
                        print(write_kib(shortest(log, type(wrong), where(wrong))), flush=True)
                if time.process_time() - begun > 20:
                    print("slow", game, seed, len(log), time.process_time() - begun, flush=True)
    print(count, "logs", found)


if __name__ == "__main__":
    main()
