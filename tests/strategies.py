"""Events and records of every kind, for tests that hold for all of them.

`events()` draws any event in normal form, `recorded(n)` one record, `matches()` the records of a whole match (the
opening, if drawn, at 0, then 1, 2, 3 …).
"""

from __future__ import annotations

import string
import unicodedata
from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace

from events.canon import is_time
from events.cards import CARDS, HALF_KNOWN, JOKERS, UNKNOWN, check_cards, squeeze
from events.limits import MAX_INT
from events.model import (
    VERBS,
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
from events.tokens import CLASSES, NAMED, STORED_PILE, normal_name
from events.versions import record_version


def _optional(strategy: st.SearchStrategy[Any], empty: Any) -> st.SearchStrategy[Any]:
    return st.one_of(st.just(empty), strategy)


def _is_list(cards: tuple[str, ...]) -> bool:
    try:
        check_cards(cards)
    except ValueError:
        return False
    return True


# --- small parts

positions = st.one_of(st.integers(0, 300), st.integers(0, MAX_INT))
amounts = st.one_of(st.integers(-50, 200), st.integers(-MAX_INT, MAX_INT))
seats = st.sampled_from(["N", "E", "S", "W", "A", "B", "L", "P", "H", "NS", "EW", "X", "A:2", "B:13", "P1", "ACEG"])
actors = st.one_of(st.just("@"), seats)
words = st.one_of(
    st.sampled_from(["misdeal", "revoke", "stop", "force", "last-card", "e", "n", "p", "x", "k", "jo", "undo", "pass"]),
    st.from_regex(CLASSES["word"], fullmatch=True),
)
piles = st.one_of(
    st.sampled_from(
        ["hand:N", "hand:A:2", "hand:S_", "stock", "stock_", "stock:A", "discard", "discard:B", "won:NS", "trick",
         "dead",
         "meld:NS:2", "meld:3", "col:A:3", "col:A:1..12", "rank:Q", "rank:7", "widow", "pozzetto:1", "pot", "handful"]
    ),
    st.from_regex(STORED_PILE, fullmatch=True),
)  # fmt: skip
faces = st.sampled_from([None, "up", "down"])
known = st.sampled_from(CARDS + JOKERS)
unseen = st.sampled_from((UNKNOWN, *HALF_KNOWN))
items = st.one_of(
    known,
    known,
    unseen,
    st.builds("{}x{}".format, st.one_of(st.integers(2, 60).map(str), st.just("*")), unseen),
    st.builds("{}={}".format, st.sampled_from((*JOKERS, "2d", "2s", "7?", UNKNOWN)), st.one_of(known, unseen)),
)
lists = st.lists(items, min_size=1, max_size=8).map(squeeze).filter(_is_list)
cards = st.one_of(lists, lists, lists, st.just(("*",)))
groups = st.lists(cards, min_size=1, max_size=4).map(tuple)
layouts = st.lists(st.tuples(piles, _optional(cards, ())), min_size=1, max_size=4).map(tuple)
refs = st.lists(positions, min_size=1, max_size=3).map(tuple)

_plain = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=30)
texts = st.one_of(
    st.sampled_from(
        ["seen by all", " two  spaces ", "[%t 2026-03-14T20:05:11Z]", "\\[%by x]", "{braces}", "}", "\\", "\\\\", "[%",
         "[",
         "a [%key", "]", '"quoted"', "zwölf ♥", "e\u0301 composed", "~3", "$1", "12. N pass", "=", "%kib 1", "\ufeff"]
    ),
    _plain,
).map(lambda text: unicodedata.normalize("NFC", text))  # fmt: skip
names = texts.filter(bool)

keys = st.one_of(
    st.sampled_from(["tricks", "NS", "EW", "king", "A:2", "rule", "stake", "last_trick", "x"]),
    st.text(string.ascii_letters, min_size=1, max_size=6),
)
inner_keys = st.one_of(keys, st.integers(0, 20).map(str))
atoms = st.one_of(
    st.none(), st.booleans(), amounts, texts,
    st.sampled_from(
        ["yes", "no", "-", "5", "-5", "+5", "007", "NS", "kaiser.R11", "a,b", "", "two words", "7h", ",", "x="]
    ),
)  # fmt: skip
_values = st.one_of(atoms, atoms, st.lists(atoms, min_size=1, max_size=4))
_deeper = st.dictionaries(inner_keys, _values, min_size=1, max_size=3)
_deep = st.dictionaries(inner_keys, st.one_of(_values, _deeper), min_size=1, max_size=3)
facts = st.dictionaries(keys, st.one_of(_values, _deep), min_size=1, max_size=4)
any_facts = _optional(facts, {})

# --- events


def _card_act(kind: type[Event]) -> st.SearchStrategy[Event]:
    return st.builds(kind, by=actors, cards=cards, face=faces, src=_optional(piles, ""))


PLAIN: dict[str, st.SearchStrategy[Any]] = {
    "open": st.builds(Open, by=actors, facts=facts),
    "hand": st.builds(Hand, by=actors, number=positions, facts=any_facts),
    "deal": st.builds(Deal, by=actors, face=faces, piles=layouts, src=_optional(piles, "")),
    "shuffle": st.one_of(
        st.builds(Shuffle, by=actors, cards=_optional(cards, ()), src=_optional(piles, ""), to=piles),
        st.builds(Shuffle, by=actors, piles=layouts),
    ),
    "end": st.builds(
        End, by=actors, what=st.sampled_from(["hand", "match"]), why=_optional(words, ""), facts=any_facts,
    ),
    "tally": st.builds(Tally, by=actors, facts=facts),
    "play": _card_act(Play),
    "draw": _card_act(Draw),
    "discard": _card_act(Discard),
    "move": st.builds(Move, by=actors, cards=cards, to=piles, face=faces, src=_optional(piles, "")),
    "meld": st.builds(Meld, by=actors, groups=groups, src=_optional(piles, ""), to=_optional(piles, "")),
    "capture": st.builds(Capture, by=actors, cards=cards, takes=cards, src=_optional(piles, "")),
    "arrange": st.one_of(
        st.builds(Arrange, by=actors, groups=groups, to=_optional(piles, "")),
        st.builds(Arrange, by=actors, piles=layouts),
    ),
    "show": st.builds(Show, by=actors, groups=groups, src=_optional(piles, "")),
    "bid": st.one_of(
        st.builds(Bid, by=actors, level=positions, strain=_optional(words, "")),
        st.builds(Bid, by=actors, strain=words),
    ),
    "pass": st.builds(Pass, by=actors),
    "call": st.builds(
        Call, by=actors, word=words, what=_optional(words, ""), amount=_optional(amounts, None),
        who=_optional(seats, ""), cards=_optional(cards, ()), refs=_optional(refs, ()),
    ),
    "name": st.builds(
        Name, by=actors,
        what=st.one_of(
            st.sampled_from(
                ["h", "nt", "NT", "3c", "7", "10", "K", "k", "Kc", "H", "NS", "x", "Jo", "?h", "10h", "th", "a"]
            ),
            st.from_regex(NAMED, fullmatch=True),
        ).map(normal_name),
    ),
    "bet": st.builds(Bet, by=actors, amount=amounts, on=_optional(st.one_of(piles, known, unseen), "")),
    "pay": st.builds(Pay, by=actors, amount=amounts, src=_optional(piles, ""), to=_optional(piles, "")),
    "back": st.builds(Back, by=actors, cards=_optional(cards, ()), refs=_optional(refs, ())),
    "fault": st.builds(
        Fault, by=actors, word=words, who=_optional(seats, ""), cards=_optional(cards, ()), refs=_optional(refs, ())
    ),
    "claim": st.one_of(
        st.builds(Claim, by=actors, amount=amounts, facts=any_facts), st.builds(Claim, by=actors, facts=facts)
    ),
    "confirm": st.builds(Confirm, by=actors, refs=_optional(refs, ())),
    "note": st.builds(Note, by=actors, refs=_optional(refs, ()), facts=any_facts),
    "dispute": st.builds(Dispute, by=actors, refs=_optional(refs, ()), word=_optional(words, "")),
    "ruling": st.builds(Ruling, by=actors, refs=refs, word=_optional(words, ""), facts=any_facts),
    "gap": st.builds(Gap, by=actors, number=_optional(positions, None)),
}  # fmt: skip
"""verb -> strategy, for every verb but `fix`."""

fixes = st.one_of(
    st.builds(Fix, by=actors, at=positions, how=st.just("strike")),
    st.builds(
        Fix, by=actors, at=positions, how=st.sampled_from(["replace", "insert"]), event=st.one_of(*PLAIN.values()),
    ),
    st.builds(Fix, by=actors, at=positions, how=st.just("turn"), event=PLAIN["play"]),
)
BY_VERB: dict[str, st.SearchStrategy[Any]] = {**PLAIN, "fix": fixes}
assert BY_VERB.keys() == VERBS.keys()


def events() -> st.SearchStrategy[Any]:
    """Any event in normal form."""
    return st.one_of(*BY_VERB.values())


times = st.one_of(
    st.just(""),
    st.datetimes().map(lambda d: f"{d:%Y-%m-%dT%H:%M:%S}.{d.microsecond // 1000:03}Z".rjust(24, "0")).filter(is_time),
    st.just("2026-03-14T20:05:11Z"),
)


def recorded(n: int | None = None, event: st.SearchStrategy[Any] | None = None) -> st.SearchStrategy[Recorded]:
    """One record at position `n` (any from 1 up without it)."""
    return st.builds(
        Recorded, n=st.integers(1, 500) if n is None else st.just(n), event=events() if event is None else event,
        same=st.booleans(), t=_optional(positions, None),
        glyphs=_optional(st.lists(positions, min_size=1, max_size=3).map(tuple), ()), text=_optional(texts, ""),
        time=times, recorder=_optional(names, ""), key=_optional(names, ""),
    ).map(lambda made: replace(made, v=record_version(made.event)))  # fmt: skip


@st.composite
def matches(draw: st.DrawFn, max_size: int = 6) -> list[Recorded]:
    """The records of a match, from its beginning."""
    out: list[Recorded] = []
    if draw(st.booleans()):
        out.append(draw(recorded(0, PLAIN["open"])))
    return out + [draw(recorded(n)) for n in range(1, draw(st.integers(0, max_size)) + 1)]
