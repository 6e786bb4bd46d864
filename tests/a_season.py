"""A short season for tests: several games over several evenings, with what a club's record has besides clean
matches."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from events.model import Claim, Dispute, Note, Open, Recorded, Ruling
from records import Store
from records.transfer import import_records
from replay.redact import hide
from replay.simulate import derived_seed, simulate_breaches

NAMES = ("Ann Lee", "Bo Hart", "Cy Orr", "Di Marsh", "Ed Fox", "Flo Kent")
BOOK = "league"


def evening(
    match: str, game: str, seed: int, day: str, names: Sequence[str], *, p: float = 0.0, hands: int | None = None,
    **terms: Any
) -> list[Recorded]:
    """A match by chance with these players."""
    log = list(simulate_breaches(game, seed=derived_seed("season", seed), p=p, hands=hands, **terms)[0])
    assert isinstance(log[0].event, Open)
    facts = {**log[0].event.facts, "Match": match, "Date": day, "Event": f"Evening of {day}"}
    facts.update(zip(str(facts["Seats"]).split(), names, strict=False))
    log[0] = replace(log[0], event=Open(by="@", facts=facts))
    return log


def fill(store: Store, evenings: int = 4) -> None:
    """Play some evenings of four games, each of another kind."""
    rnd = Random(3)
    with store.together():
        for n in range(evenings):
            day = f"2026-03-{3 + 7 * n % 28:02}"
            for game, hands, p in (
                ("kaiser", 3, 0.02), ("scopa", None, 0.0), ("yaniv", 2, 0.0), ("scotch-whist", None, 0.0),
            ):
                log = evening(
                    f"{game}-{n}", game, n, day, rnd.sample(NAMES, 6), p=p, hands=hands if n in (1, 3) else None,
                )
                if game == "kaiser" and n == 2:
                    log = hide(log)
                log += about(log, n)
                import_records(store, log, book=BOOK)
        import_records(store, evening("trial", "scopa", 90, "2026-03-04", NAMES), book=BOOK)
        import_records(store, evening("away", "scopa", 91, "2026-03-05", NAMES), book="other")
        store.create_match(
            {"Seats": "A B", "A": "Ann Lee", "B": "Zoë", "Date": "2026-03-06"}, game="no-such-game", match="odd",
            book="strange",
        )
    opening = store.read("trial")[0].event
    assert isinstance(opening, Open)
    from events.model import Fix

    store.append(
        "trial",
        [
            Recorded(
                n=1, event=Fix(by="@", at=0, how="replace", event=Open(by="@", facts={**opening.facts, "Trial": True})),
            )
        ]
    )


def about(log: Sequence[Recorded], n: int) -> list[Recorded]:
    """What was said about a match: remarks, disputes, a claim that is wrong."""
    last = log[-1].n
    said: list[Recorded] = [
        Recorded(n=last + 1, event=Note(by="@", refs=(3,)), text=f"Whose turn is it? Evening {n}, 100 % sure")
    ]
    if n == 1:
        said.append(Recorded(n=last + 2, event=Dispute(by="@", refs=(3,), word="revoke")))
    if n == 3:
        said.append(Recorded(n=last + 2, event=Dispute(by="@", refs=(3,))))
        said.append(Recorded(n=last + 3, event=Ruling(by="@", refs=(last + 2,), word="stands")))
    if n == 0:
        said.append(Recorded(n=last + 2, event=Claim(by="@", facts={"XX": 3})))
    return said


# A whole season, as a club has one

CLUB = (
    "Olena Koval", "Marcel Dubois", "Walter Brandt", "Doris Lang", "Maria-Lourdes van der Westhuizen", "Łukasz Żak",
    "Ann Lee", "Bo Hart", "Cy Orr", "Di Marsh", "Ed Fox", "Flo Kent", "Ines Prado", "Jo",
)  # fmt: skip
TABLES = (("kaiser", 4), ("hasenpfeffer", 4), ("scopa", 2), ("yaniv", 4), ("scotch-whist", 4), ("briscola", 2))


def forty_evenings(store: Store, evenings: int = 40) -> None:
    """A season of a club: Tuesdays from September on, six games an evening, fourteen members of whom some come often
    and some seldom. One in ten matches has breaches, a few are hidden, unfinished or trials, and Olena Koval is
    written O. Koval now and then."""
    rnd = Random(40)
    with store.together():
        for n in range(evenings):
            day = (date(2025, 9, 2) + timedelta(weeks=n)).isoformat()
            here = [name for i, name in enumerate(CLUB) if rnd.random() < 0.95 - 0.05 * i]
            here = here if len(here) >= 4 else list(CLUB[:6])
            for game, seats in TABLES:
                names = [
                    ("O. Koval" if name == "Olena Koval" and n % 9 == 4 else name) for name in rnd.sample(here, seats)
                ]
                unfinished = rnd.random() < 0.03
                log = evening(
                    f"{game}-{n + 1:02}", game, 1000 + n, day, names, p=0.03 if rnd.random() < 0.1 else 0.0,
                    hands=2 if unfinished else None, **({"seats": list("ABCD")} if game == "yaniv" else {}),
                )  # fmt: skip
                if rnd.random() < 0.05:
                    log = hide(log)
                if rnd.random() < 0.1:
                    log += about(log, n % 4)
                if rnd.random() < 0.02:
                    opening = log[0].event
                    assert isinstance(opening, Open)
                    log[0] = replace(log[0], event=Open(by="@", facts={**opening.facts, "Trial": True}))
                import_records(store, log, book="tuesdays")


if __name__ == "__main__":
    # `PYTHONPATH=. python tests/a_season.py FILE` makes it, to be read as a secretary would.
    with Store.open(Path(sys.argv[1])) as made:
        forty_evenings(made)
