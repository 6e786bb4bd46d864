"""States that are kept are those of the record as it stands, whoever wrote to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from events.errors import NotFoundError
from events.model import Fix, Open, Recorded
from records import Store
from replay.fold import fold
from replay.kept_states import KeptStates
from replay.simulate import simulate
from replay.table.frame import frame

LOG = simulate("kaiser", seed=3)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "kibitz.db") as store:
        yield store


@pytest.fixture
def match(store: Store) -> str:
    assert isinstance(LOG[0].event, Open)
    match = store.create_match(LOG[0].event.facts, game="kaiser", match="one")
    store.append(match, LOG[1:40])
    return match


def same(states: KeptStates, store: Store, match: str) -> bool:
    return frame(states.of(match)) == frame(fold(store.read(match)))


def test_a_state_that_goes_along_is_that_of_the_log(store: Store, match: str) -> None:
    """If this failed, what is answered after a line would be of another position. Nothing is read again meanwhile."""
    states = KeptStates(store)
    kept = states.of(match)
    read = store.read
    store.read = None
    for r in LOG[40:90]:
        store.append(match, [r], expect=r.n - 1)
        states.take(match, [r])
        assert states.of(match) is kept
    store.read = read
    assert same(states, store, match)


@pytest.mark.parametrize("told", [True, False])
def test_what_another_wrote_is_seen(store: Store, match: str, told: bool) -> None:
    """Before and after our own line, also if we think that nobody did."""
    states = KeptStates(store)
    states.of(match)
    with Store.open(store.path) as other:
        other.append(match, [LOG[40]])
        assert same(states, store, match)
        other.append(match, [LOG[41]])
        store.append(match, [LOG[42]])
        other.append(match, [LOG[43]])
    if told:
        states.take(match, [LOG[42]])
    assert same(states, store, match)


def test_a_correction_is_folded_in_where_it_belongs(store: Store, match: str) -> None:
    states = KeptStates(store)
    states.of(match)
    fix = Recorded(n=0, event=Fix(by="@", at=39, how="strike"))
    store.append(match, [fix])
    states.take(match, [fix])
    assert same(states, store, match)


def test_one_name_is_not_one_record(store: Store, match: str, tmp_path: Path) -> None:
    """Given a match put back to an earlier state that went on otherwise, then its state is its own."""
    states = KeptStates(store)
    store.append(match, [LOG[40]])
    states.of(match)
    with Store.open(tmp_path / "other.db") as other:
        other.create_match(LOG[0].event.facts, game="kaiser", match="one")
        other.append(match, [replace(r, text="otherwise") for r in LOG[1:41]])
        states.record = other
        assert same(states, other, match)


def test_no_more_are_kept_than_asked_for(store: Store, match: str) -> None:
    states = KeptStates(store, most=1)
    other = store.create_match({"Seats": "N E S W"}, game="kaiser")
    first = states.of(match)
    assert states.of(match) is first
    states.of(other)
    assert states.of(match) is not first
    with pytest.raises(NotFoundError):
        states.of("nobody")


def test_a_tip_is_the_last_leaf(store: Store, match: str) -> None:
    """Filed or not, sealed or not, by a writer and by a reader."""
    for step in (
        lambda: None, lambda: store.append(match, [LOG[40]]), lambda: store.set_over(match, True),
        lambda: store.seal(match),
    ):
        step()
        with Store.open(store.path, write=False) as reader:
            head = reader.books()[0].head
            assert reader.tip(match) == store.tip(match) == (store.length(match) - 1, store.leaves("home", head)[-1])
