"""A short season for tests: several games over several evenings, with what a club's record has besides clean matches."""

from __future__ import annotations

from collections.abc import Sequence
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


def evening(match: str, game: str, seed: int, day: str, names: Sequence[str], *, p: float = 0.0, hands: int | None = None, **terms: Any) -> list[Recorded]:
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
            for game, hands, p in (("kaiser", 3, 0.02), ("scopa", None, 0.0), ("yaniv", 2, 0.0), ("scotch-whist", None, 0.0)):
                log = evening(f"{game}-{n}", game, n, day, rnd.sample(NAMES, 6), p=p, hands=hands if n in (1, 3) else None)
                if game == "kaiser" and n == 2:
                    log = hide(log)
                log += about(log, n)
                import_records(store, log, book=BOOK)
        import_records(store, evening("trial", "scopa", 90, "2026-03-04", NAMES), book=BOOK)
        import_records(store, evening("away", "scopa", 91, "2026-03-05", NAMES), book="other")
        store.create_match({"Seats": "A B", "A": "Ann Lee", "B": "Zoë", "Date": "2026-03-06"}, game="no-such-game", match="odd", book="strange")
    opening = store.read("trial")[0].event
    assert isinstance(opening, Open)
    from events.model import Fix

    store.append("trial", [Recorded(n=1, event=Fix(by="@", at=0, how="replace", event=Open(by="@", facts={**opening.facts, "Trial": True})))])


def about(log: Sequence[Recorded], n: int) -> list[Recorded]:
    """What was said about a match: remarks, disputes, a claim that is wrong."""
    last = log[-1].n
    said: list[Recorded] = [Recorded(n=last + 1, event=Note(by="@", refs=(3,)), text=f"Whose turn is it? Evening {n}, 100 % sure")]
    if n == 1:
        said.append(Recorded(n=last + 2, event=Dispute(by="@", refs=(3,), word="revoke")))
    if n == 3:
        said.append(Recorded(n=last + 2, event=Dispute(by="@", refs=(3,))))
        said.append(Recorded(n=last + 3, event=Ruling(by="@", refs=(last + 2,), word="stands")))
    if n == 0:
        said.append(Recorded(n=last + 2, event=Claim(by="@", facts={"XX": 3})))
    return said
