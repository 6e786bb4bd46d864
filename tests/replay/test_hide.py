"""Hiding is only replacing: what each onlooker sees of each kind of event."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from events.cards import CARDS, how_many, squeeze
from events.errors import UnreadableError, UsageError
from events.kib import read_kib
from events.model import (
    Call,
    Capture,
    Deal,
    Discard,
    Draw,
    Event,
    Fix,
    Hand,
    Meld,
    Move,
    Open,
    Play,
    Recorded,
    Show,
    Shuffle,
)
from events.writing import write_event
from reducers.first_state import begin
from reducers.model import Display
from reducers.piles import Lies, how_it_lies
from reducers.registry import find_game
from replay.fold import fold
from replay.judging.judge import judge
from replay.redact import Onlooker, hide
from replay.simulate import simulate, simulate_breaches

TERMS = begin({"Game": "kaiser"}).terms
PAGE = replace(
    find_game("kaiser"),
    display=Display(piles={
        "reserve:*": Lies("stack", "front", "owner"), "col": Lies("column", "front", "top"),
        "aside": Lies("stack", "beside", "nobody"),
    }),
)  # fmt: skip


def seen(line: str, viewer: str = "public") -> str:
    """What is left of one written line for a viewer."""
    event = read_kib(f'%kib 1\n[Game "kaiser"]\n[Seats "N E S W"]\n1. {line}\n').records[1].event
    eyes = Onlooker(PAGE, TERMS, viewer)
    assert not isinstance(event, Fix)
    return write_event(eyes.plain(event))


@pytest.mark.parametrize(
    ("line", "public"),
    [
        # A deal: holdings are hidden, the board is open, the stock nobody sees.
        ("@ deal N=7hKc E=2c3c", "@ deal N=2x?? E=2x??"),
        ("@ deal board=7hKc stock=2c3c4c", "@ deal board=7hKc stock=3x??"),
        ("@ deal up N=7hKc", "@ deal up N=7hKc"),
        ("@ deal down board=7hKc", "@ deal down board=2x??"),
        ("@ deal down stock=7h", "@ deal down stock=??"),
        # Of a packet that is open on top the last card is seen.
        ("@ deal col:1=2c3c4c", "@ deal col:1=2x??4c"),
        ("@ deal col:1..2=2c3c4c5c", "@ deal col:1..2=??3c??5c"),
        ("@ deal down col:1=2c3c4c", "@ deal down col:1=3x??"),
        # Played, captured, melded, shown, said: open.
        ("N play 7h", "N play 7h"),
        ("N play 7h <stock", "N play 7h <stock"),
        ("N play down 7h", "N play down ??"),
        ("N capture 7h/3c4c", "N capture 7h/3c4c"),
        ("N meld 7h7c7d", "N meld 7h7c7d"),
        ("N show 7hKc", "N show 7hKc"),
        ("N call trump 7h", "N call trump 7h"),
        # Drawn: seen if the pile it comes from is.
        ("N draw 7h", "N draw ??"),
        ("N draw 7hKc <board", "N draw 7hKc <board"),
        ("N draw up 7h", "N draw up 7h"),
        ("N draw down 7h <board", "N draw down ?? <board"),
        ("N draw 7h <reserve:N", "N draw ?? <reserve:N"),
        ("N draw 7h <col:3", "N draw 7h <col:3"),
        # Thrown away: seen unless it lies face down or aside.
        ("N discard 7h", "N discard 7h"),
        ("N discard down 7hKc", "N discard down 2x??"),
        # Moved: seen if either end is.
        ("N move 7h >E", "N move ?? >E"),
        ("N move 7h >board", "N move 7h >board"),
        ("N move 7h <board >E", "N move 7h <board >E"),
        ("N move 7hKc >aside", "N move 2x?? >aside"),
        ("N move up 7h >E", "N move up 7h >E"),
        ("N move * <trick >won:NS", "N move * <trick >won:NS"),
        ("N move 7h >stock_", "N move ?? >stock_"),
        # Shuffled: the order is lost on everybody.
        ("@ shuffle 7hKc <discard >stock", "@ shuffle 2x?? <discard >stock"),
        ("@ shuffle stock=7hKc", "@ shuffle stock=2x??"),
        # Half known is hidden like known; nobody counts cards that nobody counted.
        ("@ deal N=?h7?Kc", "@ deal N=3x??"),
        ("@ deal N=7h*x??", "@ deal N=*x??"),
        ("N pass", "N pass"),
    ],
)
def test_the_table_sees(line: str, public: str) -> None:
    """If this failed, a hidden log would tell a card that nobody saw, or keep one that lay open."""
    assert seen(line) == public


@pytest.mark.parametrize(
    ("line", "south"),
    [
        ("@ deal S=7hKc E=2c3c", "@ deal S=7hKc E=2x??"),
        ("@ deal down S=7hKc", "@ deal down S=7hKc"),
        ("@ deal reserve:S=7h reserve:E=8h", "@ deal reserve:S=7h reserve:E=??"),
        ("S draw 7h", "S draw 7h"),
        ("E draw 7h", "E draw ??"),
        ("E move 7h >S", "E move 7h >S"),
        ("S move 7h >E", "S move 7h >E"),
        ("S discard down 7h", "S discard down 7h"),
        ("S play down 7h", "S play down 7h"),
        ("@ shuffle stock=7hKc", "@ shuffle stock=2x??"),
        ("@ deal won:NS=7h", "@ deal won:NS=??"),
    ],
)
def test_a_seat_sees_its_own_cards_too(line: str, south: str) -> None:
    """If this failed, a player's own log would lack the cards in the player's own hand."""
    assert seen(line, "S") == south


def test_a_pattern_of_a_page_fits_the_piles_it_means() -> None:
    """If this failed, a page could not say in one line who sees which piles."""
    def sees(pile: str) -> tuple[str, str]:
        lies, owner = how_it_lies(pile, PAGE.display.piles, TERMS)
        return lies.seen, owner

    assert sees("hand:N") == ("owner", "N")
    assert sees("hand:N:2") == ("owner", "N")
    assert sees("stock:N") == ("nobody", "N")
    assert sees("won:NS") == ("nobody", "NS")
    assert sees("board") == ("all", "")
    assert sees("trick") == ("all", "")
    assert sees("col:3_") == ("top", "")
    assert sees("reserve:N") == ("owner", "N")
    # A page's own word goes before the name; the longer pattern before the shorter.
    deeper = {
        **PAGE.display.piles, "col:#": Lies("column", "front", "nobody"), "trick": Lies("row", "middle", "nobody")
    }
    assert [how_it_lies(pile, deeper, TERMS)[0].seen for pile in ("col:3_", "trick")] == ["nobody", "nobody"]


def test_a_fix_is_hidden_like_the_event_it_brings() -> None:
    """If this failed, a correction of the deal would show the cards that the deal hides."""
    log = simulate("kaiser", seed=1, hands=1)
    deal = log[2].event
    assert isinstance(deal, Deal)
    at = len(log)
    log += [
        Recorded(n=at, event=Fix(by="@", at=2, how="replace", event=deal)),
        Recorded(n=at + 1, event=Fix(by="@", at=5, how="strike")),
    ]
    first, second = (r.event for r in hide(log)[-2:])
    assert isinstance(first, Fix)
    assert isinstance(first.event, Deal)
    assert [cards for _, cards in first.event.piles] == [("8x??",)] * 4
    assert second == log[-1].event


def test_who_does_not_sit_there_sees_nothing() -> None:
    """If this failed, a seat typed wrong would silently give the public's log."""
    log = simulate("kaiser", seed=1, hands=1)
    with pytest.raises(UsageError, match="public or one of N, E, S, W"):
        hide(log, "X")
    with pytest.raises(UnreadableError):
        hide(log[1:])


def test_what_stands_around_an_event_stays() -> None:
    """If this failed, hiding would change when a thing was recorded, by whom, or what was remarked."""
    log = [replace(r, text="remark", key=f"k{r.n}") for r in simulate("kaiser", seed=1, hands=1)]
    for r, h in zip(log, hide(log), strict=True):
        assert replace(h, event=r.event) == r


def test_a_later_card_does_not_open_the_deal() -> None:
    """If this failed, hindsight would be written into the log instead of being computed."""
    log = simulate("kaiser", seed=3, hands=1)
    hidden = hide(log)
    deals = [r.event for r in hidden if isinstance(r.event, Deal)]
    assert deals
    assert all(cards == ("8x??",) for deal in deals for _, cards in deal.piles)
    plays = [r for r in log if isinstance(r.event, Play)]
    assert plays == [r for r in hidden if isinstance(r.event, Play)]


def test_a_breach_is_still_found_with_hidden_hands() -> None:
    """If this failed, a hidden log would answer nothing that only later cards can show."""
    found = 0
    for seed in range(5):
        log, truth = simulate_breaches("kaiser", seed=seed, p=0.1, hands=3)
        hidden = judge(hide(log))
        done = {b.position for b in truth.breaches}
        assert {f.at.pos for f in hidden.broken} <= done
        found += sum(1 for f in hidden.broken if f.known_from is not None and f.known_from.pos > f.at.pos)
    assert found


def test_less_is_seen_from_outside_than_from_a_seat() -> None:
    """If this failed, the public would know a card that the seat which holds it does not."""
    log = simulate("kaiser", seed=4, hands=2)
    for r, public, south in zip(log, hide(log), hide(log, "S"), strict=True):
        known = set(named(r.event))
        assert set(named(public.event)) <= set(named(south.event)) <= known
    assert len(fold(hide(log)).scores) == 2


def named(event: Event) -> list[str]:
    """The known cards in an event."""
    lists: list[tuple[str, ...]] = [getattr(event, "cards", ()), *[c for _, c in getattr(event, "piles", ())]]
    return [c for cards in lists for c in cards if c in CARDS]


# -- for all events

PILES = ["hand:N", "hand:S", "hand:E:2", "stock", "stock_", "board", "trick", "col:1", "won:NS", "reserve:S", "aside"]
card = st.sampled_from([*CARDS[:20], "??", "?h", "7?", "3x??", "2x?d", "*x??", "Jo=7h"])
cards = st.one_of(st.just(("*",)), st.lists(card, min_size=1, max_size=6).map(squeeze))
pile = st.sampled_from(PILES)
actor = st.sampled_from(["N", "S", "E:2", "@"])
face = st.sampled_from([None, "up", "down"])
dealt = st.lists(st.tuples(pile, cards), min_size=1, max_size=3).map(tuple)
moved: st.SearchStrategy[Any] = st.one_of(
    st.builds(Play, by=actor, cards=cards, face=face, src=st.one_of(st.just(""), pile)),
    st.builds(Draw, by=actor, cards=cards, face=face, src=st.one_of(st.just(""), pile)),
    st.builds(Discard, by=actor, cards=cards, face=face, src=st.one_of(st.just(""), pile)),
    st.builds(Move, by=actor, cards=cards, face=face, src=st.one_of(st.just(""), pile), to=pile),
    st.builds(Deal, by=actor, face=face, piles=dealt),
    st.builds(Shuffle, by=actor, cards=cards, src=pile, to=pile),
    st.builds(Shuffle, by=actor, piles=dealt),
    st.builds(Capture, by=actor, cards=cards, takes=cards),
    st.builds(Meld, by=actor, groups=st.tuples(cards)),
    st.builds(Show, by=actor, groups=st.tuples(cards)),
    st.builds(Call, by=actor, word=st.just("king"), cards=cards),
)
acts = st.one_of(moved, st.builds(Fix, by=st.just("@"), at=st.just(1), how=st.just("replace"), event=moved))


@given(st.lists(acts, max_size=8), st.sampled_from(["public", "N", "S"]))
def test_hiding_replaces_and_does_nothing_else(events: list[Event], viewer: str) -> None:
    """If this failed, hiding twice would hide more, or an event or a card would come or go."""
    log = [Recorded(n=0, event=Open(by="@", facts={"Game": "kaiser"})), Recorded(n=1, event=Hand(by="N", number=1))]
    log += [Recorded(n=2 + i, event=event) for i, event in enumerate(events)]
    once = hide(log, viewer)
    assert hide(once, viewer) == once
    assert hide(once) == hide(log), "who sees less sees the same, whether the log was hidden before or not"
    for r, h in zip(log, once, strict=True):
        before, after = inner(r.event), inner(h.event)
        assert type(before) is type(after)
        for old, new in zip(lists_of(before), lists_of(after), strict=True):
            assert how_many(old) == how_many(new)
            assert old == new or all(c in old or "?" in c for c in new)


def inner(event: Event) -> Event:
    """The event itself, or the one a fix brings."""
    return event.event if isinstance(event, Fix) and event.event is not None else event


def lists_of(event: Event) -> list[tuple[str, ...]]:
    """All card lists of an event, in order."""
    return [getattr(event, "cards", ()), *[c for _, c in getattr(event, "piles", ())], *getattr(event, "groups", ())]
