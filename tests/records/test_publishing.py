"""What is published holds what anybody may know, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from events.errors import NotFoundError
from events.model import Fix, Note, Recorded, Ruling
from records import Store
from records.publishing import publish
from replay.seen import published
from replay.simulate import simulate, simulate_breaches

LOG = simulate("jersey-gin", seed=5, hands=2)


@pytest.fixture
def source(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "club.db") as store:
        yield store


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "public.db") as store:
        yield store


def put(store: Store, log: list[Recorded], match: str = "m", *, over: bool = True) -> None:
    store.import_match(match, log, game=str(log[0].event.facts["Game"]))  # type: ignore[union-attr]  # an opening
    store.set_over(match, over)


def test_what_is_published_is_the_same_whatever_was_hidden(tmp_path: Path) -> None:
    """If this failed, somebody who may only read what is public would learn a hidden card, a remark, or who wrote."""
    found = []
    for n, (who, key, text) in enumerate((("Ann", "k1", "she peeked"), ("Bo", "k2", ""))):
        log = [replace(r, recorder=who, key=f"{key}-{r.n}", text=text if r.n == 5 else "", time="2026-03-04T19:00:00Z") for r in LOG]
        # Nobody but their holders could tell these deals apart.
        hidden = [replace(r, event=replace(r.event, piles=swapped(r.event))) if n and type(r.event).__name__ == "Deal" else r for r in log]
        assert n == 0 or hidden != log
        with Store.open(tmp_path / f"from{n}.db") as store, Store.open(tmp_path / f"to{n}.db") as public:
            put(store, hidden)
            assert [(one.status, one.added) for one in publish(store, public, published)] == [("new", len(LOG))]
            found.append(public.lines("m"))
    assert found[0] == found[1]
    assert "??" in str(found[0])


def swapped(deal: object) -> object:
    """The piles of a deal with the first two cards of each hand in each other's place, which nobody but their holder can tell."""
    return tuple((pile, (cards[1], cards[0], *cards[2:]) if pile.startswith("hand:") else cards) for pile, cards in deal.piles)  # type: ignore[attr-defined]  # a deal


def test_only_what_is_over_is_published_and_later_what_was_added(source: Store, target: Store) -> None:
    put(source, LOG, "over")
    put(source, LOG, "running", over=False)
    opening = LOG[0].event
    put(source, [replace(LOG[0], event=replace(opening, facts={**opening.facts, "Trial": True})), *LOG[1:]], "trial")  # type: ignore[union-attr, call-arg]
    source.create_match({"Parent": "over", "ParentEvent": 3, **opening.facts}, game="jersey-gin", match="other-way")  # type: ignore[union-attr]
    source.set_over("other-way", True)

    def not_trials(log: object) -> list[Recorded] | None:
        return None if log[0].event.facts.get("Trial") else published(log)  # type: ignore[index, arg-type]  # a log

    assert [(one.match, one.status) for one in publish(source, target, not_trials)] == [("over", "new")]
    assert [(one.match, one.status) for one in publish(source, target, not_trials)] == [("over", "same")]
    source.append("over", [Recorded(n=0, event=Ruling(by="@", refs=(7,), word="stands"), text="between us")])
    assert [(one.status, one.added) for one in publish(source, target, not_trials)] == [("appended", 1)]
    assert target.ids() == ["over"]
    assert target.matches()[0].over
    told = target.read("over")
    assert told[-1].event == Ruling(by="@", refs=(7,), word="stands")
    assert told[-1].text == ""
    assert target.verify("home").found == []


def test_a_match_that_became_another_is_named_and_keeps_nothing_back(source: Store, target: Store) -> None:
    put(source, LOG, "one")
    put(target, published(simulate_breaches("jersey-gin", seed=6, p=0.1, hands=1)[0]), "one")
    put(source, LOG, "two")
    before = target.lines("one")
    found = list(publish(source, target, published))
    assert [(one.match, one.status) for one in found] == [("one", "refused"), ("two", "new")]
    assert found[0].error == "what the public sees of match one, event 1 is not what was published. Publish into an empty store to show it as it is now"
    assert target.lines("one") == before


def test_a_correction_shows_no_more_than_what_it_corrects(source: Store, target: Store) -> None:
    at = next(r.n for r in LOG if type(r.event).__name__ == "Discard")
    fix = Fix(by="@", at=at, how="replace", event=replace(LOG[at].event))  # type: ignore[arg-type]  # a discard
    put(source, [*LOG, Recorded(n=LOG[-1].n + 1, event=fix, text="mended"), Recorded(n=LOG[-1].n + 2, event=Note(by="@"), text="a remark")], "m")
    list(publish(source, target, published))
    last = target.read("m")[-2:]
    assert [type(r.event) for r in last] == [Fix, Note]
    assert [r.text for r in last] == ["", ""]


def test_a_book_that_is_not_there_is_said(source: Store, target: Store) -> None:
    put(source, LOG)
    with pytest.raises(NotFoundError, match="no match in the book 'league'"):
        list(publish(source, target, published, ["league"]))
    assert target.ids() == []
