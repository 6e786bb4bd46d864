"""Canonical JSON: one form, read strictly; every refusal says where, what was expected, and what to do."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import msgspec
import pytest
import strategies
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sampling import examples

from events import versions
from events.canon import (
    check_event,
    check_recorded,
    decode,
    decode_body,
    encode,
    encode_bodies,
    encode_body,
    is_time,
    recorded_all,
    recorded_from,
)
from events.errors import KibitzError, UnreadableError
from events.limits import MAX_EVENT_BYTES
from events.model import (
    Arrange,
    Bet,
    Bid,
    Call,
    Capture,
    Claim,
    Deal,
    Draw,
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
    Play,
    Recorded,
    Ruling,
    Show,
    Shuffle,
    Tally,
)

relaxed = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)


def test_the_canonical_line() -> None:
    """The bytes are what is hashed: they are as documented, to the byte."""
    record = Recorded(n=28, event=Tally(by="@", facts={"tricks": {"NS": 5, "EW": 3}, "king": None, "closed": True}))
    assert encode(record) == (
        b'{"event":{"by":"@","facts":{"closed":true,"king":null,"tricks":{"EW":3,"NS":5}},"verb":"tally"},"n":28}'
    )
    record = Recorded(
        n=3, same=True, event=Deal(by="B", piles=(("col:B:1..4", ("7h", "Jc", "2d", "9s")),), src="stock:B")
    )
    assert encode(record) == (
        b'{"event":{"by":"B","from":"stock:B","piles":[["col:B:1..4",["7h","Jc","2d","9s"]]],"verb":"deal"},'
        b'"n":3,"same":true}'
    )


def test_the_body_has_only_what_was_said_at_the_table() -> None:
    record = Recorded(
        n=7, event=Pass(by="N"), t=1500, glyphs=(2,), text="late", time="2026-03-14T20:05:11Z", recorder="Anna", key="k"
    )
    assert encode_body(record) == b'{"event":{"by":"N","verb":"pass"},"glyphs":[2],"t":1500,"text":"late"}'


SPOILT: list[dict[str, Any]] = [
    {"n": -1}, {"n": 0}, {"n": True}, {"n": "1"}, {"n": 2**53}, {"v": 2}, {"v": True}, {"v": "1"},
    {"time": "x"}, {"time": "2026-02-30T20:05:11Z"}, {"time": 5}, {"time": []}, {"time": "\ud800"},
    {"recorder": "\n"}, {"recorder": 5}, {"recorder": []}, {"recorder": "a" * 201}, {"key": "e\u0301"}, {"key": None},
    {"t": -1}, {"t": 1.5}, {"same": 1}, {"glyphs": (True,)}, {"glyphs": 5}, {"text": "\x00"}, {"text": "\ud800"},
    {"text": "\x01" * 3000}, {"event": Play(by="S", cards=("hK",))}, {"event": Play(by="s", cards=("Kh",))},
    {"event": ...},
]  # fmt: skip


@pytest.mark.parametrize("seen", [True, False])
@pytest.mark.parametrize("fields", SPOILT, ids=lambda fields: f"{fields!r:.40}")
def test_many_bodies_are_refused_as_each_is(fields: dict[str, Any], seen: bool) -> None:
    """All at once are refused in the same words, for the first record with a fault, whatever was seen before."""
    sound = [Recorded(n=n, event=Pass(by="N"), text=f"{SPOILT.index(fields)} {seen}") for n in (1, 2, 3)]
    if seen:
        encode_bodies(sound)
    for some in ((0,), (2,), (1, 2), (0, 1, 2)):
        records = [msgspec.structs.replace(r, **fields) if i in some else r for i, r in enumerate(sound)]
        with pytest.raises(UnreadableError) as one:
            [encode_body(r) for r in records]
        with pytest.raises(UnreadableError) as all_:
            encode_bodies(records)
        assert str(all_.value) == str(one.value)
    assert encode_bodies(sound) == [encode_body(r) for r in sound]


@relaxed
@given(st.lists(strategies.recorded(), max_size=4))
def test_many_bodies_are_those_of_each(records: list[Recorded]) -> None:
    assert encode_bodies(records) == [encode_body(r) for r in records] == encode_bodies(records)


@given(strategies.recorded(), st.randoms(use_true_random=False))
@relaxed
def test_order_of_keys_and_spaces_do_not_matter(record: Recorded, random: Any) -> None:
    def shuffled(value: Any) -> Any:
        if isinstance(value, dict):
            rows = list(value.items())
            random.shuffle(rows)
            return {k: shuffled(v) for k, v in rows}
        return [shuffled(v) for v in value] if isinstance(value, list) else value

    loose = json.dumps(shuffled(json.loads(encode(record))), indent=random.choice([None, 1]))
    assert decode(b" " + loose.encode() + b"\n") == record


REFUSED: list[tuple[Event, str, str]] = [
    (Move(by="N", cards=("7h",), to="S"), "$.event.to", "a holding is 'hand:S'"),
    (Move(by="N", cards=("7h",), to=""), "$.event", "lacks its to"),
    (Move(by="N", cards=("7h",), to="hand"), "$.event.to", "not a pile"),
    (Move(by="N", cards=("7h",), to="Stock"), "$.event.to", "not a pile"),
    (Play(by="n", cards=("7h",)), "$.event.by", "not an actor"),
    (Play(by="", cards=("7h",)), "$.event.by", "not an actor"),
    (Play(by="N\n", cards=("7h",)), "$.event.by", "not an actor"),
    (Play(by="N", cards=()), "$.event", "lacks its cards"),
    (Play(by="N", cards=("7H",)), "$.event.cards", "'7H' is not a card"),
    (Play(by="N", cards=("??", "??")), "$.event.cards", "written with one count"),
    (Play(by="N", cards=("*", "7h")), "$.event.cards", "must stand alone"),
    (Play(by="N", cards=["7h"]), "$.event.cards", "not a list of cards"),
    (Play(by="N", cards=(7,)), "$.event.cards", "not a list of cards"),
    (Play(by="N", cards=("7h",), face="open"), "$.event.face", "neither up nor down"),
    (Meld(by="N", groups=()), "$.event", "lacks its groups"),
    (Meld(by="N", groups=((),)), "$.event.groups", "at least one card"),
    (Show(by="N", groups=("7h",)), "$.event.groups", "not a list of cards"),
    (Capture(by="N", cards=("7h",), takes=()), "$.event.takes", "at least one card"),
    (Capture(by="N", cards=(), takes=("7h",)), "$.event", "lacks its cards"),
    (Arrange(by="N"), "$.event", "do not go together"),
    (Arrange(by="N", groups=(("7h",),), piles=(("meld:1", ("8h",)),)), "$.event", "do not go together"),
    (Shuffle(by="@", cards=("7h",)), "$.event", "do not go together"),
    (Shuffle(by="@", to="stock", piles=(("stock", ("7h",)),)), "$.event", "do not go together"),
    (Deal(by="@", piles=(("hand:N", "7h"),)), "$.event.piles", "not a list of cards"),
    (Deal(by="@", piles=(("N", ("7h",)),)), "$.event.piles", "hand:N"),
    (Bid(by="N"), "$.event", "a number, a word or both"),
    (Bid(by="N", level=-1), "$.event", "too small"),
    (Bid(by="N", strain="No"), "$.event", "not a word"),
    (Bid(by="N", strain="7no"), "$.event", "not a word"),
    (Call(by="N", word="Stop"), "$.event.word", "not a word"),
    (Call(by="N", word="up"), "$.event.word", "not a word"),
    (Call(by="N", word=""), "$.event", "lacks its word"),
    (Call(by="N", word="force", refs=(-1,)), "$.event.refs", "too small"),
    (Call(by="N", word="force", amount=2**53), "$.event.amount", "out of bounds"),
    (Call(by="N", word="force", amount=True), "$.event.amount", "not a whole number"),
    (Fault(by="N", word="late", who="@"), "$.event.who", "not a seat"),
    (Name(by="N", what="kh"), "$.event.what", "spelled 'Kh'"),
    (Name(by="N", what="two words"), "$.event.what", "cannot be named"),
    (Name(by="N", what=""), "$.event", "lacks its what"),
    (Bet(by="N", amount=1.0), "$.event.amount", "not a whole number"),
    (Bet(by="N", amount=1, on="7H"), "$.event.on", "not a pile"),
    (Claim(by="N"), "$.event", "do not go together"),
    (Hand(by="N", number=-1), "$.event.number", "too small"),
    (Gap(by="@", number=2**60), "$.event.number", "out of bounds"),
    (Ruling(by="@", refs=()), "$.event", "lacks its refs"),
    (Open(by="@", facts={}), "$.event", "lacks its facts"),
    (Open(by="@", facts={"a": {}}), "$.event.facts.a", "empty"),
    (Open(by="@", facts={"a": []}), "$.event.facts.a", "empty"),
    (Open(by="@", facts={"a": 1.5}), "$.event.facts.a", "neither"),
    (Open(by="@", facts={"a": float("nan")}), "$.event.facts.a", "neither"),
    (Open(by="@", facts={"a": [1, [2]]}), "$.event.facts.a[1]", "neither"),
    (Open(by="@", facts={"a": (1, 2)}), "$.event.facts.a", "neither"),
    (Open(by="@", facts={"a": {"b": {"c": {"d": {"e": 1}}}}}), "$.event.facts.a.b.c.d", "deeper than 4"),
    (Open(by="@", facts={"a.b": 1}), "$.event.facts", "not a key"),
    (Open(by="@", facts={"1a": 1}), "$.event.facts", "not a key"),
    (Open(by="@", facts={"é": 1}), "$.event.facts", "not a key"),
    (Open(by="@", facts={1: 1}), "$.event.facts", "not a key"),
    (Open(by="@", facts={"a": "e\u0301"}), "$.event.facts.a", "NFC"),
    (Open(by="@", facts={"a": "x\ny"}), "$.event.facts.a", "control"),
    (Open(by="@", facts={"a": "\ud800"}), "$.event.facts.a", "half a character"),
    (Fix(by="@", at=-1, how="strike"), "$.event.at", "too small"),
    (Fix(by="@", at=1, how="replace"), "$.event.event", "lacks its event"),
    (Fix(by="@", at=1, how="strike", event=Pass(by="N")), "$.event.event", "carries an event"),
    (Fix(by="@", at=1, how="away"), "$.event.how", "not a way to fix"),
    (Fix(by="@", at=1, how="insert", event=Pass(by="n")), "$.event.event.by", "not an actor"),
    (Fix(by="@", at=1, how="insert", event=Fix(by="@", at=1, how="strike")), "$.event.event", "within a fix"),
    ("play", "$.event", "not an event"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("event", "path", "words"), REFUSED, ids=lambda value: str(value)[:60].encode("ascii", "replace").decode(),
)
def test_events_that_are_refused(event: Event, path: str, words: str) -> None:
    """Each names the path to the fault and what is wrong there."""
    with pytest.raises(UnreadableError) as caught:
        check_event(event)
    assert caught.value.where == path
    assert words in str(caught.value)
    with pytest.raises(UnreadableError):
        encode(Recorded(n=1, event=event))


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"n": -1}, "$.n"), ({"n": 0}, "$.n"), ({"n": 2**53}, "$.n"), ({"n": True}, "$.n"), ({"t": -1}, "$.t"),
        ({"t": 1.5}, "$.t"), ({"same": 1}, "$.same"), ({"glyphs": (1, -1)}, "$.glyphs[1]"),
        ({"glyphs": [1]}, "$.glyphs"), ({"text": "a\nb"}, "$.text"), ({"text": "e\u0301"}, "$.text"),
        ({"text": "\u2028"}, "$.text"), ({"text": "\x85"}, "$.text"), ({"text": "\udfff"}, "$.text"),
        ({"text": None}, "$.text"), ({"recorder": "x" * 201}, "$.recorder"), ({"key": "\t"}, "$.key"),
        ({"time": "yesterday"}, "$.time"), ({"time": "2026-13-14T20:05:11Z"}, "$.time"), ({"v": 2}, "$.v"),
        ({"v": 0}, "$.v"),
    ],
)  # fmt: skip
def test_records_that_are_refused(fields: dict[str, Any], path: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        check_recorded(msgspec.structs.replace(Recorded(n=1, event=Pass(by="N")), **fields))
    assert caught.value.where == path


def test_times() -> None:
    for text in ("2026-03-14T20:05:11.250Z", "2026-03-14T20:05:11Z", "2024-02-29T00:00:00Z"):
        assert is_time(text)
    for text in (
        "2026-02-29T20:05:11Z", "2026-03-14 20:05:11Z", "2026-03-14T20:05:11", "٢026-03-14T20:05:11Z", "", None, 5,
    ):
        assert not is_time(text)


@pytest.mark.parametrize(
    ("data", "path", "words"),
    [
        (b"", "", "not JSON"), (b"{", "", "not JSON"), (b"[]", "", "not a JSON object"),
        (b"null", "", "not a JSON object"), (b'{"n":1}', "", "missing required field `event`"),
        (b'{"n":1,"event":[]}', "$.event", "Expected"), (b'{"n":1,"event":{"by":"N"}}', "$.event", "verb"),
        (b'{"n":1,"event":{"verb":"pass"}}', "$.event", "by"),
        (b'{"n":1,"n":1,"event":{"verb":"pass","by":"N"}}', "", "'n' is given twice"),
        (b'{"n":1,"event":{"verb":"pass","by":"N","by":"N"}}', "", "'by' is given twice"),
        (b'{"n":1,"event":{"verb":"tally","by":"N","facts":{"a":{"b":1,"b":2}}}}', "", "'b' is given twice"),
        (b'{"n":1.0,"event":{"verb":"pass","by":"N"}}', "", "1.0 is not a whole number"),
        (b'{"n":1e2,"event":{"verb":"pass","by":"N"}}', "", "not a whole number"),
        (b'{"n":NaN,"event":{"verb":"pass","by":"N"}}', "", "not a whole number"),
        (b'{"n":9007199254740992,"event":{"verb":"pass","by":"N"}}', "", "out of bounds"),
        (b'{"n":' + b"9" * 5000 + b',"event":{"verb":"pass","by":"N"}}', "", "out of bounds"),
        (b'{"n":1,"event":{"verb":"pass","by":"N","extra":1}}', "$.event", "unknown field `extra`"),
        (b'{"n":1,"extra":1,"event":{"verb":"pass","by":"N"}}', "", "unknown field `extra`"),
        (b'{"n":1,"event":{"verb":"dance","by":"N"}}', "$.event.verb", "not an event that this version knows"),
        (b'{"n":1,"event":{"verb":["pass"],"by":"N"}}', "$.event.verb", "Expected `str`"),
        (b'{"n":true,"event":{"verb":"pass","by":"N"}}', "$.n", "Expected `int`"),
        (b'{"n":"1","event":{"verb":"pass","by":"N"}}', "$.n", "Expected `int`"),
        (b'{"n":1,"event":{"verb":"play","by":"N","cards":["7h",7]}}', "$.event.cards[1]", "Expected `str`"),
        (b'{"n":1,"event":{"verb":"play","by":"N","cards":["7h","??","??"]}}', "$.event.cards", "one count"),
        (b'{"n":1,"event":{"verb":"play","by":"N","cards":["10h"]}}', "$.event.cards", "'10h' is not a card"),
        (b'{"n":1,"event":{"verb":"play","by":"N","cards":"7h"}}', "$.event.cards", "Expected `array`"),
        (b'{"n":1,"event":{"verb":"move","by":"N","cards":["7h"],"to":"S"}}', "$.event.to", "hand:S"),
        (b'{"n":1,"event":{"verb":"note","by":"N"},"text":"e\xcc\x81"}', "$.text", "NFC"),
        (b'{"n":1,"event":{"verb":"note","by":"N"},"text":"\xff"}', "", "not UTF-8"),
        (b'{"n":1,"event":{"verb":"note","by":"N"},"text":"\\ud800"}', "", "half a character"),
        (b'{"n":1,"event":{"verb":"note","by":"N"},"text":"a\nb"}', "", "not JSON"),
        (b'{"n":1,"event":{"verb":"note","by":"N"},"text":"a\\nb"}', "$.text", "control"),
        (b'\xef\xbb\xbf{"n":1,"event":{"verb":"note","by":"N"}}', "", "not JSON"),
        (b'{"n":1,"event":{"verb":"note","by":"N"}} {}', "", "not JSON"),
        (b'{"n":1,"v":9,"event":{"verb":"note","by":"N"}}', "$.event.verb", "written by a newer Kibitz"),
        (b'{"n":1,"v":0,"event":{"verb":"note","by":"N"}}', "$.event.verb", "not a version"),
        (b'{"n":1,"v":"1","event":{"verb":"note","by":"N"}}', "$.v", "not a version"),
        (b'{"n":1,"v":9,"event":{"verb":"fix","by":"@","at":1,"how":"replace","event":{"verb":"pass","by":"N"}}}',
         "$.event.event.verb", "newer Kibitz"),
        (b'{"n":1,"event":{"verb":"fix","by":"@","at":1,"how":"replace","event":{"verb":"fix","by":"N"}}}',
         "$.event.event", "fix"),
        (b"[" * 100000, "", "bytes"), (b"[" * 60000, "", "deep"), (b'{"a":' * 10000, "", "deep"),
        (b'{"n":1,"event":{"verb":"note","by":"N"},"text":"' + b"x" * MAX_EVENT_BYTES + b'"}', "$", "bytes"),
    ],
)  # fmt: skip
def test_lines_that_are_refused(data: bytes, path: str, words: str) -> None:
    """Each refusal names the file and line handed in, the path, and what is wrong."""
    with pytest.raises(UnreadableError) as caught:
        decode(data, where="game.jsonl, line 3")
    place = str(caught.value.where)
    assert place.startswith("game.jsonl, line 3")
    assert words in str(caught.value)
    if path:
        assert path in place


def test_a_newer_version_says_what_to_do() -> None:
    with pytest.raises(UnreadableError, match="Update Kibitz"):
        decode(b'{"n":1,"v":2,"event":{"verb":"pass","by":"N"}}')


def test_the_largest_event_fits_exactly() -> None:
    """16 KiB is in, one byte more is not."""
    empty = len(encode(Recorded(n=1, event=Note(by="@"), text="x"))) - 1
    fits = Recorded(n=1, event=Note(by="@"), text="x" * (MAX_EVENT_BYTES - empty))
    assert len(encode(fits)) == MAX_EVENT_BYTES
    assert decode(encode(fits)) == fits
    with pytest.raises(UnreadableError, match="bytes"):
        encode(msgspec.structs.replace(fits, text=fits.text + "x"))


@given(st.binary(max_size=200))
@examples(500, deadline=None)
def test_any_bytes(data: bytes) -> None:
    """Bytes that are no record raise the one kind of error, whoever reads them."""
    for reader in (decode, decode_body):
        with pytest.raises(KibitzError):
            reader(data)


_json = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.sampled_from(["N", "7h", "pass"]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=8,
)


@given(strategies.recorded(), st.data())
@relaxed
def test_records_with_something_changed(record: Recorded, data: Any) -> None:
    """A record in which any value was replaced is a record still, in normal form, or an error."""
    raw = json.loads(encode(record))
    holder: Any = raw
    for _ in range(data.draw(st.integers(0, 3))):
        inside = [
            v for v in (holder.values() if isinstance(holder, dict) else holder) if isinstance(v, (dict, list)) and v
        ]
        if not inside:
            break
        holder = data.draw(st.sampled_from(inside))
    places = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    holder[data.draw(st.sampled_from(places))] = data.draw(_json)
    text = json.dumps(raw).encode()
    try:
        found = decode(text)
    except KibitzError:
        return
    assert decode(encode(found)) == found


@given(strategies.recorded(), st.data())
@relaxed
def test_lines_with_bytes_changed(record: Recorded, data: Any) -> None:
    line = bytearray(encode(record))
    for _ in range(data.draw(st.integers(1, 3))):
        line[data.draw(st.integers(0, len(line) - 1))] = data.draw(st.integers(0, 255))
    try:
        found = decode(bytes(line))
    except KibitzError:
        return
    assert decode(encode(found)) == found


# --- versions


def test_every_verb_has_a_version() -> None:
    assert versions.VERSION.keys() == versions.VERBS.keys()


def test_older_versions_are_lifted_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """A draw of version 1 said `card`, one of version 2 `card_list`; today it says `cards`."""
    monkeypatch.setitem(versions.VERSION, "draw", 3)

    def one(raw: dict[str, Any]) -> dict[str, Any]:
        raw["card_list"] = [raw.pop("card")]
        return raw

    def two(raw: dict[str, Any]) -> dict[str, Any]:
        raw["cards"] = raw.pop("card_list")
        return raw

    monkeypatch.setitem(versions.LIFTS, ("draw", 1), one)
    monkeypatch.setitem(versions.LIFTS, ("draw", 2), two)
    today = Recorded(n=4, event=Draw(by="N", cards=("7h",)), v=3)
    assert decode(b'{"n":4,"event":{"verb":"draw","by":"N","card":"7h"}}') == today
    assert decode(b'{"n":4,"v":2,"event":{"verb":"draw","by":"N","card_list":["7h"]}}') == today
    assert decode(encode(today)) == today
    # A fix is lifted through the event it carries.
    fixed = Recorded(n=5, event=Fix(by="@", at=4, how="replace", event=Draw(by="N", cards=("7h",))), v=3)
    old = b'{"n":5,"event":{"verb":"fix","by":"@","at":4,"how":"replace","event":{"verb":"draw","by":"N","card":"7h"}}}'
    assert decode(old) == fixed
    # Other verbs have not changed.
    assert decode(b'{"n":4,"event":{"verb":"pass","by":"N"}}') == Recorded(n=4, event=Pass(by="N"))
    # And from a store.
    body = decode_body(b'{"event":{"by":"N","card":"7h","verb":"draw"}}', 1)
    assert recorded_from(body, 4, 1) == today
    assert recorded_from(decode_body(encode_body(today), 3), 4, 3) == today
    assert recorded_from(decode_body(b'{"event":{"by":"N","verb":"pass"}}', 1), 4, 1).v == 1
    old, new, other = (
        b'{"event":{"by":"N","card":"7h","verb":"draw"}}', encode_body(today), b'{"event":{"by":"N","verb":"pass"}}'
    )
    rows = [(4, 1, "", "", "", old), (4, 3, "", "", "", new), (4, 1, "", "", "", other)]
    assert recorded_all(rows) == [recorded_from(decode_body(body, v), n, v) for n, v, _, _, _, body in rows]
    with pytest.raises(UnreadableError, match="version 3 or older"):
        decode(b'{"n":4,"v":4,"event":{"verb":"draw","by":"N","card":"7h"}}')
    raw = {"verb": "draw", "by": "N", "card": "7h"}
    versions.lift(raw, "draw", 1)
    assert "card" in raw, "the raw object handed in is not changed"


def test_a_missing_step_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(versions.VERSION, "draw", 2)
    with pytest.raises(UnreadableError, match="there is no step from version 1 of 'draw' to version 2"):
        versions.lift({"verb": "draw"}, "draw", 1)


@pytest.mark.parametrize(("verb", "v"), [("dance", 1), ("pass", 2), ("pass", 0)])
def test_versions_that_are_none(verb: str, v: int) -> None:
    with pytest.raises(UnreadableError):
        versions.lift({}, verb, v)


def test_a_newer_body_is_refused() -> None:
    with pytest.raises(UnreadableError, match="newer Kibitz"):
        decode_body(b'{"event":{"by":"N","verb":"pass"}}', 7)


def test_importing_costs_little() -> None:
    """The package brings in msgspec and the standard library's small parts, nothing heavier."""
    code = (
        "import sys, events; heavy = {'pydantic', 'sqlite3', 'dataclasses', 'typer', 'rich', 'difflib', 'asyncio',"
        " 'importlib.metadata', 'sqlite_utils'} & set(sys.modules);"
        " rooms = {'reducers', 'records', 'replay', 'cli'} & set(sys.modules); print(sorted(heavy | rooms))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_everything_public_is_there() -> None:
    import events

    assert sorted(set(events.__all__)) == sorted(events.__all__)
    assert all(hasattr(events, name) for name in events.__all__)
