"""A record that is shown in part proves as much as the whole one, and gives away nothing of what it keeps back."""

from __future__ import annotations

import base64
import copy
import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from msgspec.structs import replace
from plain_rows import forge
from service_at import evening
from strategies import matches as any_logs

from cli.app import run_command_line
from cli.managing import view_for
from events.canon import encode_bodies, encode_view
from events.cards import CARDS
from events.errors import StoreError, UnreadableError, UsageError
from events.kib import read_kib
from events.model import Draw, Note, Open, Pass, Play, Recorded, verb_of
from events.register_notes import NameLink
from records import HOME, Store, verify_bundle
from records.bundle import bundle_differences, make_bundle, make_opening, read_bundle
from records.commitments import Commitments, begun, count_before, new_commitments, slots
from records.files import load_bundle
from records.hashes import NO_PREVIOUS, chain
from records.players import add_player, forget_player, link_name
from records.transfer import copy_books
from replay.auditing.check import check
from replay.simulate import simulate, simulate_breaches
from replay.visibility import Audience, Hands, nameless, seen
from service.audiences import Delay

DOCS = Path(__file__).parents[2] / "docs" / "store.md"
NAMES = {"N": "Zoë", "E": "Bo Lund", "S": "Cy Lund", "W": "Dee Lund"}
KEPT = "kept"


def told(log: Sequence[Recorded]) -> list[Recorded]:
    """A log with recorders, keys and remarks."""
    when = "2026-03-04T19:00:00Z"
    return [
        replace(r, recorder="ann", key=f"k{r.n}", text="she peeked" if r.n % 7 == 3 else "", time=when) for r in log
    ]


LOG = told(simulate("kaiser", seed=5, hands=1, names=NAMES))
MESSY = (simulate_breaches("kaiser", seed=i, hands=1)[0] for i in range(50))
BROKEN = told(next(log for log in MESSY if check(log).broken))


def put(store: Store, log: Sequence[Recorded], match: str = "eve", *, in_parts: bool = True, **more: Any) -> None:
    store.import_match(match, log, game=str(log[0].event.facts["Game"]), in_parts=in_parts, **more)


@pytest.fixture
def filled(store: Store) -> Store:
    put(store, LOG)
    return store


def public(log: Sequence[Recorded]) -> list[Recorded]:
    return seen(log, Hands({}, set()), Audience())


def shown(store: Store, view: Callable[[Sequence[Recorded]], Sequence[Recorded]] = public) -> dict[str, Any]:
    loaded: dict[str, Any] = verify_bundle.load(make_bundle(store, "eve", view=view).decode())
    return loaded


def table_of(bundle: dict[str, Any], n: int) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(bundle["events"][n]["payload"])
    return loaded


def with_table(bundle: dict[str, Any], n: int, table: dict[str, Any]) -> dict[str, Any]:
    made = copy.deepcopy(bundle)
    made["events"][n]["payload"] = verify_bundle.canonical(table)
    return made


def is_refused(bundle: dict[str, Any]) -> bool:
    """True if the bundle is not taken for valid, by the verifier that is handed out and by the store alike."""
    try:
        verify_bundle.verify(bundle)
        told = False
    except (verify_bundle.Refused, ValueError):
        told = True
    try:
        read_bundle(json.dumps(bundle))
        assert not told
    except UnreadableError:
        assert told
    return told


def hidden(bundle: dict[str, Any]) -> tuple[int, str]:
    """An event with a card that is kept back, and its path."""
    for event in bundle["events"]:
        for path in json.loads(event["payload"]).get(KEPT, {}):
            if path.rpartition("/")[2].isdigit():
                return event["n"], path
    raise AssertionError("nothing is hidden")


# The layout


def vectors() -> dict[str, Any]:
    found = re.search(r"```json\n(\{\n \"book\".*?\n\})\n```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    loaded: dict[str, Any] = json.loads(found[1])
    return loaded


def test_the_published_vectors() -> None:
    """As docs/store.md gives them; if this changes, every checkpoint handed out over such events is void."""
    said = vectors()
    book, match = said["book"].encode(), said["match"].encode()
    parts, bare = Commitments(book, match, base64.b64decode(said["seed"])), Commitments(book, match, None)
    for n, path, salt in said["salts"]:
        assert base64.b64encode(parts.salt(n, path)).decode() == salt
    for n, path, value, commitment in said["commitments"]:
        assert parts.commitment(n, path, msgspec.json.encode(value), {}).decode() == commitment
        assert verify_bundle.commitment(said["book"], said["match"], n, path, parts.salt(n, path), value) == commitment
    previous = NO_PREVIOUS
    for e in said["events"]:
        around = (e["type"].encode(), e["version"], e["time"].encode())
        leaf = parts.leaf(
            e["pos"], e["n"], *around, e["recorder"].encode(), e["key"].encode(), previous, e["payload"].encode(),
        )
        assert leaf.hex() == e["leaf"]
        assert leaf == bare.leaf(e["pos"], e["n"], *around, b"", b"", previous, e["in_part"].encode())
        assert verify_bundle.outlined(said["book"], said["match"], e, parts.seed or b"") == (e["who"], e["outline"])
        previous = leaf


def both(book: str, match: str, rows: Sequence[Recorded]) -> Iterator[tuple[bytes, bytes]]:
    """The leaf of each event, by the store and by the verifier that shares no code with it."""
    parts = new_commitments(book, match)
    payloads = [parts.salted(body, first=n == 0) for n, body in enumerate(encode_bodies(rows))]
    leaves = chain(
        book.encode(), match.encode(), NO_PREVIOUS, range(1, len(rows) + 1), 0, [verb_of(r.event) for r in rows],
        [r.v for r in rows], [r.time for r in rows], [r.recorder for r in rows], [r.key for r in rows], payloads,
    )
    for r, payload, previous, leaf in zip(rows, payloads, leaves, leaves[1:], strict=False):
        event = {
            "pos": r.n + 1, "n": r.n, "type": verb_of(r.event), "version": r.v, "time": r.time, "recorder": r.recorder,
            "key": r.key, "payload": payload.decode(),
        }
        yield leaf, verify_bundle.leaf_of(verify_bundle.entry_of(book, match, event, previous, parts.seed))


@given(any_logs())
def test_both_programs_agree_on_every_event(log: list[Recorded]) -> None:
    if not log or not isinstance(log[0].event, Open):
        log = [Recorded(n=0, event=Open(by="@", facts={"Game": "kaiser"})), *log]
    log = [replace(r, n=n) for n, r in enumerate(log)]
    for ours, theirs in both("home ♥", "eve", log):
        assert ours == theirs


@pytest.mark.rest
@given(any_logs())
def test_whatever_is_left_out_the_leaf_stays(log: list[Recorded]) -> None:
    """Of every event, all is left out that can be, and all is shown: the leaf is that of the whole."""
    parts, bare = new_commitments("home", "eve"), Commitments(b"home", b"eve", None)
    for n, r in enumerate(log):
        body = parts.salted(encode_view(r))
        type_ = verb_of(r.event).encode()
        who = r.recorder.encode(), r.key.encode()
        whole = parts.leaf(n + 1, n, type_, 1, b"", *who, NO_PREVIOUS, body)
        none = parts.shown(n, r.recorder, r.key, body, b'{"event":{"verb":"gap"}}', False)
        assert bare.leaf(n + 1, n, type_, 1, b"", b"", b"", NO_PREVIOUS, none) == whole
        every = parts.shown(n, r.recorder, r.key, body, encode_view(r), True)
        assert bare.leaf(n + 1, n, type_, 1, b"", *who, NO_PREVIOUS, every) == whole
        assert KEPT not in msgspec.json.decode(every)
        left = msgspec.json.decode(none)
        assert {path for path, *_ in slots(left)} <= left.get(KEPT, {}).keys()


# Records in part


@pytest.mark.parametrize(
    "game", ["kaiser", *(pytest.param(game, marks=pytest.mark.rest) for game in ("jersey-gin", "botifarra"))]
)
def test_every_audience_gets_what_it_may_see_with_the_same_proof(game: str, store: Store) -> None:
    log = told(simulate(game, seed=3, hands=1))
    put(store, log)
    whole = verify_bundle.load(make_bundle(store, "eve").decode())
    seats = str(log[0].event.facts["Seats"]).split()
    for who in ("public", "all", *seats):
        view = view_for(log, who)
        part = shown(store, view)
        assert not is_refused(part)
        assert (part["checkpoint"], [e["proof"] for e in part["events"]]) == (
            whole["checkpoint"], [e["proof"] for e in whole["events"]],
        )
        loaded = load_bundle("x", json.dumps(part).encode())
        assert [encode_view(r) for r in loaded.records] == [encode_view(r) for r in view(log)]
        assert "kept back" in loaded.kept
        assert [(r.recorder, r.key) for r in loaded.records] == [("", "")] * len(log)
        assert bundle_differences(store, read_bundle(json.dumps(part))) == []


def test_names_can_be_kept_back(filled: Store) -> None:
    view = view_for(LOG, "Zoë", nameless=True)
    text = make_bundle(filled, "eve", view=view).decode()
    assert "Zoë" not in text
    assert "Lund" not in text
    assert "4 names" in load_bundle("x", text.encode()).kept
    assert "Zoë" in make_bundle(filled, "eve", view=view_for(LOG, "Zoë")).decode()
    with pytest.raises(UsageError, match="does not sit"):
        view_for(LOG, "Xenia")


def test_the_seed_of_a_match_goes_nowhere_else(filled: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever had it could guess every card that is kept back, in 52 tries."""
    seed = json.loads(filled.lines("eve")[0].payload)["salt"][""]
    assert seed in make_bundle(filled, "eve").decode()
    assert seed not in make_bundle(filled, "eve", view=view_for(LOG, "all")).decode()
    filled.close()
    for words in (["export", "eve"], ["export", "eve", "--format", "jsonl"], ["show", "eve", "--json"]):
        assert run_command_line(["--db", str(filled.path), *words]) == 0
        out = capsys.readouterr().out
        assert "play" in out or "state" in out or "hand" in out
        assert seed not in out


def test_a_bundle_in_part_tells_the_store_what_was_changed(filled: Store) -> None:
    part = read_bundle(json.dumps(shown(filled)))
    other = replace(part, lines=[replace_line(line) if line.n == 5 else line for line in part.lines])
    assert [(c.kind, c.first) for c in bundle_differences(filled, other)] == [("edited", 6)]


def replace_line(line: Any) -> Any:
    return line._replace(time="2026-03-04T19:00:01Z")


def test_a_match_of_layout_1_is_not_shown_in_part(store: Store) -> None:
    put(store, LOG, in_parts=False)
    with pytest.raises(UsageError, match="in part"):
        make_bundle(store, "eve", view=public)
    assert store.verify(HOME).in_parts == 0
    assert verify_bundle.load(make_bundle(store, "eve").decode())["kibitz_bundle"] == 1


# Everywhere a match can lie


def test_it_is_the_same_wherever_the_match_lies(filled: Store, tmp_path: Path) -> None:
    """In the tail, in runs, sealed, in a volume, unsealed, in a copy, in a backup."""
    filled.append("eve", [Recorded(n=0, event=Note(by="@", refs=(3,)), text="late", recorder="bob")], key="more")
    log = filled.read("eve")
    first = shown(filled)

    def holds(store: Store) -> None:
        done = store.verify(HOME)
        assert (done.found, done.in_parts) == ([], done.size - (len(LOG) if store.end("plain") else 0))
        part = shown(store)
        assert [e["payload"] for e in part["events"]] == [e["payload"] for e in first["events"]]
        assert not is_refused(part)
        assert store.read("eve") == log

    holds(filled)
    filled.seal("eve", unfinished=True)
    holds(filled)
    put(filled, LOG, "plain", in_parts=False)
    for i in range(20):
        put(filled, LOG, f"m{i}", sealed=True)
    filled.compact()
    holds(filled)
    with filled.backend.snapshot() as reader:
        row = reader.sealed("eve")
        assert row is not None
        assert row.bound is not None
    filled.unseal("eve")
    holds(filled)
    with Store.open(tmp_path / "copy.db") as there:
        copy_books(filled, there)
        holds(there)
    filled.backup(tmp_path / "backup.db")
    with Store.open(tmp_path / "backup.db", write=False) as there:
        holds(there)
    filled.append("eve", [Recorded(n=0, event=Pass(by="N"), recorder="ann")])
    assert filled.verify(HOME).found == []
    filled.sign(HOME)


def test_two_writers_and_a_store_that_is_opened_again(path: Path) -> None:
    with Store.open(path) as one, Store.open(path) as two:
        one.create_match({}, game="kaiser", match="eve", in_parts=True)
        for i in range(20):
            (one, two)[i % 2].append("eve", [Recorded(n=0, event=Play(by="N", cards=("7h",)), recorder="ann")])
        assert one.verify(HOME).found == []
    with Store.open(path) as one:
        one.append("eve", [Recorded(n=0, event=Play(by="N", cards=("7h",)))] * 40)
        done = one.verify(HOME)
        assert (done.found, done.in_parts) == ([], 61)
        one.sign(HOME)


@pytest.mark.rest
def test_on_a_server(address: str, tmp_path: Path) -> None:
    with Store.open(address) as there, Store.open(tmp_path / "a.db") as here:
        put(there, LOG)
        there.append("eve", [Recorded(n=0, event=Draw(by="N", cards=("7h",)), recorder="ann")], key="more")
        part = shown(there)
        assert not is_refused(part)
        there.seal("eve", unfinished=True)
        there.unseal("eve")
        there.append("eve", [Recorded(n=0, event=Pass(by="N"))])
        there.sign(HOME)
        copy_books(there, here)
        for store in (there, here):
            assert (store.verify(HOME).found, store.verify(HOME).in_parts) == ([], len(LOG) + 2)
        here.append("eve", [Recorded(n=0, event=Pass(by="N"))])
        assert here.verify(HOME).found == []


def test_a_change_of_a_value_or_a_salt_is_found(filled: Store) -> None:
    """And named: it is the event, and no other."""
    conn = filled.backend.conn
    filled.append("eve", [Recorded(n=0, event=Draw(by="N", cards=("7h",)), text="oho")])
    filled.seal("eve", unfinished=True)
    filled.unseal("eve")
    for old, new, n in (("she peeked", "he peeked!", 3), ('"text":"oho"', '"text":"aha"', len(LOG))):
        conn.execute("SAVEPOINT a")
        said = "UPDATE runs SET payload = replace(payload, ?, ?) WHERE n <= ? AND n + events > ?"
        conn.execute(said, (old, new, n, n))
        found = filled.verify(HOME).found
        assert found
        assert {c.kind for c in found} == {"edited"}
        assert n + 1 in {c.first for c in found}
        conn.execute("ROLLBACK TO a")
        conn.execute("RELEASE a")
    assert filled.verify(HOME).found == []


def test_an_opening_that_is_gone_is_named(filled: Store) -> None:
    """It, and not every event of the match, though none of them can be checked without its seed."""
    put(filled, LOG, "more")
    forge(filled.backend.conn, "DELETE FROM events WHERE match = 'eve' AND n = 0")
    found = filled.verify(HOME).found
    assert {(c.kind, c.first, c.last) for c in found if c.first} == {("deleted", 1, 1)}, found


def test_an_event_that_is_too_long_with_its_salts_is_refused(store: Store) -> None:
    long = {"game": "kaiser", "text": "x" * 16_100}
    with pytest.raises(UnreadableError, match="with its salts"):
        store.create_match(NAMES, match="eve", in_parts=True, **long)
    assert store.end("eve") is None
    store.create_match(NAMES, match="plain", **long)


# The attacks


def test_a_card_cannot_be_guessed_from_its_commitment(filled: Store) -> None:
    """With every salt that the record shows, and with none. Control: with the salt of the slot one card fits."""
    part = shown(filled)
    n, path = hidden(part)
    kept = table_of(part, n)[KEPT][path]
    salts = {bytes(16)} | {
        base64.b64decode(salt) for e in part["events"] for salt in json.loads(e["payload"]).get("salt", {}).values()
    }

    def fits(salt: bytes) -> list[str]:
        return [card for card in CARDS if verify_bundle.commitment("home", "eve", n, path, salt, card) == kept]

    assert len(salts) > 30
    assert [card for salt in salts for card in fits(salt)] == []
    parts = begun(b"home", b"eve", filled.lines("eve")[0].payload)
    assert parts is not None
    (true,) = fits(parts.salt(n, path))
    assert true in filled.lines("eve")[n].payload.decode()


def test_a_slot_cannot_be_opened_as_another_card(filled: Store) -> None:
    part, opening = shown(filled), json.loads(make_opening(filled, "eve", range(len(LOG))))
    n, path = hidden(part)
    one = opening["events"][str(n)][path]
    for card in CARDS:
        false = copy.deepcopy(opening)
        false["events"][str(n)][path]["value"] = card
        if card == one["value"]:
            assert not is_refused(verify_bundle.opened(part, false))
        else:
            with pytest.raises(verify_bundle.Refused, match="not what was committed"):
                verify_bundle.opened(part, false)


def test_salts_and_commitments_cannot_be_moved(filled: Store) -> None:
    """Neither to another slot of the event, nor to another event. Control: as they are, they hold."""
    part = shown(filled)
    n, path = hidden(part)
    table = table_of(part, n)
    other = next(p for p in table[KEPT] if p != path and p.rpartition("/")[2].isdigit())
    assert not is_refused(with_table(part, n, table))
    swapped = {**table, KEPT: {**table[KEPT], path: table[KEPT][other], other: table[KEPT][path]}}
    assert is_refused(with_table(part, n, swapped))
    away = {**table, KEPT: {p: c for p, c in table[KEPT].items() if p != path}}
    assert is_refused(with_table(part, n, away))
    whole = verify_bundle.load(make_bundle(filled, "eve", view=view_for(LOG, "all")).decode())
    opened = table_of(whole, n)
    salts = opened["salt"]
    assert not is_refused(with_table(whole, n, opened))
    assert is_refused(with_table(whole, n, {**opened, "salt": {**salts, path: salts[other], other: salts[path]}}))


def test_an_opening_cannot_be_replayed_elsewhere(filled: Store, tmp_path: Path) -> None:
    """At another event, another slot, another match, another book. Control: at its own place it opens."""
    part, opening = shown(filled), json.loads(make_opening(filled, "eve", range(len(LOG))))
    n, path = hidden(part)
    one = opening["events"][str(n)][path]
    places = [(e["n"], p) for e in part["events"] for p in json.loads(e["payload"]).get(KEPT, {})]
    for m, place in [one for one in places if one != (n, path)][:: len(places) - 2]:
        with pytest.raises(verify_bundle.Refused):
            verify_bundle.opened(part, {**opening, "events": {str(m): {place: one}}})
    verify_bundle.opened(part, {**opening, "events": {str(n): {path: one}}})
    with pytest.raises(verify_bundle.Refused):
        verify_bundle.opened(part, {**opening, "events": {"99999": {path: one}}})
    with pytest.raises(verify_bundle.Refused, match="another match"):
        verify_bundle.opened(part, {**opening, "match": "else"})
    with Store.open(tmp_path / "b.db") as other:
        put(other, LOG)
        theirs = shown(other)
    # The same match, recorded twice: same places, same cards, other salts.
    with pytest.raises(verify_bundle.Refused, match="something else"):
        verify_bundle.opened(theirs, opening)
    with pytest.raises(verify_bundle.Refused, match="not what was committed"):
        verify_bundle.opened(theirs, {**opening, "events": {str(n): {path: one}}})
    mixed = copy.deepcopy(part)
    mixed["events"][n] = theirs["events"][n]
    assert is_refused(mixed)
    mixed["events"][n] = {**part["events"][n], "payload": theirs["events"][n]["payload"]}
    assert is_refused(mixed)


@pytest.mark.parametrize(
    "change",
    [
        lambda t, p: t["event"]["piles"][int(p.split("/")[2])][1].__setitem__(int(p.split("/")[-1]), "7h"),
        lambda t, p: t["event"]["piles"][int(p.split("/")[2])][1].__setitem__(int(p.split("/")[-1]), "*"),
        lambda t, p: t["event"]["piles"][int(p.split("/")[2])][1].__setitem__(int(p.split("/")[-1]), ""),
        lambda t, p: t["event"]["piles"][int(p.split("/")[2])][1].append("??"),
        lambda t, p: t["event"]["piles"][int(p.split("/")[2])][1].__setitem__(int(p.split("/")[-1]), "2x??"),
        lambda t, p: t[KEPT].__setitem__("event/by", t[KEPT][p]),
        lambda t, p: t[KEPT].__setitem__("event/verb", t[KEPT][p]),
        lambda t, p: t[KEPT].__setitem__("text", t[KEPT][p]),
        lambda t, p: t[KEPT].__setitem__(p, t[KEPT][p][:-4]),
        lambda t, p: t[KEPT].__setitem__(p, "??"),
        lambda t, p: t[KEPT].__setitem__(p, loosened(t[KEPT][p])),
        lambda t, p: t.__setitem__("salt", {}),
        lambda t, p: t.__setitem__("salt", {"": base64.b64encode(bytes(16)).decode()}),
        lambda t, p: t[KEPT].__setitem__("event/facts/N", t[KEPT][p]),
        lambda t, p: t[KEPT].__setitem__("", t[KEPT][p]),
        lambda t, p: t.__setitem__("salt", []),
        lambda t, p: t.__setitem__(KEPT, {p: 5}),
        lambda t, p: t.__setitem__("salt", {"who": "x"}),
    ],
)
def test_what_is_kept_back_cannot_be_disguised(change: Any, filled: Store) -> None:
    """A face over a commitment, another number of cards, a commitment where there is none: nothing else verifies."""
    part = shown(filled)
    n, path = hidden(part)
    assert path.startswith("event/piles/")
    table = table_of(part, n)
    change(table, path)
    assert table != table_of(part, n)
    assert is_refused(with_table(part, n, table))
    columns = n + 1, n, b"deal", 1, b"", b"", b"", NO_PREVIOUS
    bare = Commitments(b"home", b"eve", None)
    payload = verify_bundle.canonical(table).encode()
    with suppress(ValueError):  # the store's own hashing, which shares no code
        assert bare.leaf(*columns, payload) != bare.leaf(*columns, part["events"][n]["payload"].encode())


def loosened(code: str) -> str:
    """The same base64 with the bits set that its last character has too many."""
    body, last = code.rstrip("="), code.rstrip("=")[-1]
    other = body[:-1] + chr(ord(last) + 1) + "=" * (len(code) - len(body))
    assert base64.b64decode(other) == base64.b64decode(code)
    return other


def nothing(log: Sequence[Recorded]) -> list[Recorded]:
    return [Recorded(n=r.n, event=Pass(by="@")) for r in log]


def test_all_can_be_kept_back_of_an_opening(filled: Store) -> None:
    """It is still of layout 2, by `kept`; and a number of the other layout is refused."""
    part, table = shown(filled, nothing), table_of(shown(filled, nothing), 0)
    assert not is_refused(part)
    assert (part["kibitz_bundle"], "salt" in table, "facts" in table["event"]) == (2, False, False)
    assert is_refused({**part, "kibitz_bundle": 1})
    assert is_refused(with_table(part, 0, {**table, "salt": {}}))
    assert is_refused(with_table(part, 0, {**table, "event": {**table["event"], "facts": {}}}))
    put(filled, LOG, "plain", in_parts=False)
    plain = json.loads(make_bundle(filled, "plain"))
    assert not is_refused(plain)
    assert is_refused({**plain, "kibitz_bundle": 2})


def test_nothing_in_a_payload_is_outside_its_leaf(store: Store) -> None:
    """A salt for nobody, a seed beside what is kept back, salts spelt otherwise, one that is left to the seed."""
    put(store, [replace(r, recorder="", key="") if r.n == 5 else r for r in LOG])
    part, whole = shown(store), json.loads(make_bundle(store, "eve"))
    some = base64.b64encode(bytes(16)).decode()
    for n, path in ((5, "who"), (0, "")):
        table = table_of(part, n)
        assert path not in table.get("salt", {})
        assert is_refused(with_table(part, n, {**table, "salt": {**table.get("salt", {}), path: some}}))
    table = table_of(part, 0)
    path, salt = next(iter(table["salt"].items()))
    assert is_refused(with_table(part, 0, {**table, "salt": {**table["salt"], path: loosened(salt)}}))
    n = next(r.n for r in LOG if verb_of(r.event) == "play")
    line, parts = store.lines("eve")[n], begun(b"home", b"eve", store.lines("eve")[0].payload)
    assert parts is not None
    table = json.loads(parts.shown(n, line.recorder, line.key, line.payload, encode_view(LOG[n]), False))
    mixed = copy.deepcopy(whole)
    mixed["events"][n].update(recorder="", key="")
    assert not is_refused(with_table(mixed, n, table))
    del table["salt"]["event/cards/0"]
    assert is_refused(with_table(mixed, n, {name: part for name, part in table.items() if part}))


SHAPES: list[dict[str, Any]] = [
    {"verb": "fix", "event": None}, {"verb": "fix", "event": "x"}, {"verb": "fix", "event": ["play"]},
    {"facts": [1]}, {"facts": None}, {"facts": "x"}, {"piles": [["p"]]}, {"piles": [["p", ["7h"], "x"]]},
    {"piles": [["p", "7h"]]}, {"piles": ["p"]}, {"piles": {"p": ["7h"]}}, {"piles": [[7, ["7h"]]]}, {"piles": 5},
    {"groups": ["7h"]}, {"groups": None}, {"groups": {"7h": 1}}, {"cards": "7h"}, {"cards": None}, {"takes": {}},
    {"cards": [7]}, {"cards": [None]}, {"cards": [["7h"]]}, {"cards": [{"7h": 1}]},
]  # fmt: skip


@pytest.mark.rest
@pytest.mark.parametrize("inner", [False, True])
def test_an_event_of_another_shape_is_refused(inner: bool, filled: Store, tmp_path: Path) -> None:
    """By both, with the exit code that was promised and no traceback."""
    bundles = [json.loads(make_bundle(filled, "eve", view=view)) for view in (None, public)]
    for bundle in bundles:
        del bundle["events"][6:]
    for shape in SHAPES:
        event = {"verb": "play", **shape}
        if inner:
            event = {"verb": "fix", "event": event} if "verb" not in shape else {**event, "cards": ["7h"]}
        for bundle in bundles:
            forged = with_table(bundle, 5, {"event": event})
            forged["events"][5].update(type=event["verb"], recorder="", key="")
            assert is_refused(forged), shape
            (tmp_path / "b").write_text(json.dumps(forged))
            assert verify_bundle.answer(str(tmp_path / "b"), {})[0] == 1, shape
        with pytest.raises(ValueError, match="shape"):
            slots({"event": event})
        _no_leaf(event)


def _no_leaf(event: dict[str, Any]) -> None:
    for seed in (None, bytes(16)):
        with pytest.raises(ValueError, match="shape"):
            Commitments(b"home", b"eve", seed).leaf(
                6, 5, b"play", 1, b"", b"", b"", NO_PREVIOUS, verify_bundle.canonical({"event": event}).encode(),
            )


@pytest.mark.parametrize(
    ("card", "count"),
    [
        ("4x??", "4x"), ("*x??", "*x"), ("10x?h", "10x"), ("4x4x??", "4x"), ("4x", "4x"), ("7h", ""), ("0x??", ""),
        ("04x??", ""), ("x7h", ""), ("4X7h", ""), ("٣x7h", ""), ("7hx??", ""), ("??", ""), (" 4x??", ""), ("**x7h", ""),
    ],
)
def test_both_see_the_same_count(card: str, count: str) -> None:
    assert (count_before(card), verify_bundle.count_in([card], card)) == (count, count)


@pytest.mark.parametrize("view", [None, public])
def test_the_payload_can_be_written_in_one_way_only(view: Any, filled: Store) -> None:
    whole = verify_bundle.load(make_bundle(filled, "eve", view=view).decode())
    assert not is_refused(whole)
    n = next(n for n, r in enumerate(LOG) if verb_of(r.event) == "play")
    parts = begun(b"home", b"eve", whole["events"][0]["payload"].encode())
    assert parts is not None
    table, payload = table_of(whole, n), whole["events"][n]["payload"]
    backwards = json.dumps({name: table[name] for name in reversed(table)}, ensure_ascii=False, separators=(",", ":"))
    some = table.get("salt", {})
    salted, seeded = (
        verify_bundle.canonical({**table, "salt": {**some, path: base64.b64encode(bytes(16)).decode()}})
        for path in ("event/facts/N", "")
    )
    spelt = payload.replace("play", "pl\\u0061y")
    spaced = payload.replace(":", ": ", 1)
    for text in (payload + " ", spaced, spelt, salted, seeded, backwards)[: 5 + (len(table) > 1)]:
        assert text != payload
        forged = copy.deepcopy(whole)
        forged["events"][n]["payload"] = text
        assert is_refused(forged)
        with pytest.raises(ValueError, match=r"canonical|salt|layout 2"):
            parts.leaf(n + 1, n, b"play", 1, b"", b"", b"", NO_PREVIOUS, text.encode())


def test_recorder_and_key_cannot_be_put_over_what_is_kept_back(filled: Store) -> None:
    part = shown(filled)
    for name in ("recorder", "key"):
        forged = copy.deepcopy(part)
        forged["events"][3][name] = "mallory"
        assert is_refused(forged)


# Opening


def test_an_opening_that_does_not_apply_is_refused(filled: Store, tmp_path: Path) -> None:
    """By name, by the verifier and by the commands. Control: what is shown may be said again, just as it is shown."""
    part, opening = shown(filled), json.loads(make_opening(filled, "eve", range(len(LOG))))
    n, path = hidden(part)
    m = next(r.n for r in LOG if verb_of(r.event) == "play")
    one, seen = opening["events"][str(n)][path], opening["events"][str(m)]["event/cards/0"]
    other = {"salt": base64.b64encode(bytes(16)).decode()}
    said: list[tuple[int, str, dict[str, Any], int]] = [
        (n, path, one, 0), (m, "event/cards/0", seen, 0), (m, path, one, 1), (n, "event/verb", one, 1),
        (n, "", one, 1), (n, "salt", one, 1), (n, path + "0", one, 1), (m, "event/cards/0", one, 1),
        (m, "event/cards/0", {**seen, "value": "??"}, 1), (m, "event/cards/0", {**seen, **other}, 1),
        (999, path, one, 1), (n, path, {**one, "salt": loosened(one["salt"])}, 2),
    ]  # fmt: skip
    (tmp_path / "p").write_text(json.dumps(part))
    for number, place, what, code in said:
        text = json.dumps({**opening, "events": {str(number): {place: what}}})
        (tmp_path / "o").write_text(text)
        got, lines = verify_bundle.answer(str(tmp_path / "p"), {"--open": str(tmp_path / "o")})
        assert got == code, (number, place, what, lines)
        if code:
            with pytest.raises(UnreadableError):
                read_bundle(json.dumps(part), openings=[text])
        else:
            read_bundle(json.dumps(part), openings=[text, text])
    whole = json.loads(make_bundle(filled, "eve"))
    with pytest.raises(verify_bundle.Refused, match="nothing is kept back"):
        verify_bundle.opened(whole, opening)


@pytest.mark.rest
def test_a_hand_that_is_opened_gives_the_finding_of_the_whole_record(store: Store) -> None:
    put(store, BROKEN)
    whole = [f.in_full for f in check(BROKEN).findings]
    part = shown(store)
    kept = load_bundle("x", json.dumps(part).encode())
    for seat in ("N", "E", "S", "W"):
        opening = make_opening(store, "eve", range(len(BROKEN)), (view_for(BROKEN, seat), public)).decode()
        one = load_bundle("x", json.dumps(part).encode(), [opening])
        assert [encode_view(r) for r in one.records] == [encode_view(r) for r in view_for(BROKEN, seat)(BROKEN)]
    openings = [
        make_opening(store, "eve", range(len(BROKEN)), (view_for(BROKEN, seat), public)).decode() for seat in "NESW"
    ]
    opened = load_bundle("x", json.dumps(part).encode(), openings)
    assert [f.in_full for f in check(opened.records).findings] == whole
    assert [f.in_full for f in check(kept.records).findings] != whole
    with pytest.raises(UsageError, match="nothing to open"):
        make_opening(store, "eve", [], None)


def test_the_commands(store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(store, BROKEN)
    store.close()
    record, opening, slip = str(tmp_path / "part.json"), str(tmp_path / "o.json"), tmp_path / "slip"
    asked = ["--db", str(store.path)]
    assert run_command_line([*asked, "checkpoint", "home"]) == 0
    slip.write_text(capsys.readouterr().out)
    assert run_command_line([*asked, "export", "eve", "--for", "public", "-o", record]) == 0
    assert run_command_line([*asked, "open", "eve", "--hand", "S", "-o", opening]) == 0
    code, lines = verify_bundle.answer(record, {"--against": str(slip), "--open": opening})
    assert code == 0
    assert any("kept back" in line for line in lines)
    capsys.readouterr()
    for source in (record, f"{record}+{opening}"):
        assert run_command_line(["show", source]) == 0
        assert "not the same as unseen" in capsys.readouterr().err
        assert run_command_line(["check", source]) in (0, 3)
        assert run_command_line(["replay", source, "-o", str(tmp_path / "r.html")]) == 0
        assert "shown in part: " in (tmp_path / "r.html").read_text(encoding="utf-8")
    assert run_command_line([*asked, "verify", "home", "--against", record]) == 0
    assert "can be shown in part" in capsys.readouterr().out
    assert run_command_line([*asked, "import", record]) == 4
    assert "shown in part" in capsys.readouterr().err
    assert run_command_line([*asked, "open", "eve"]) == 2
    assert run_command_line([*asked, "open", "eve", "999"]) == 5
    assert run_command_line([*asked, "export", "eve", "--nameless"]) == 2
    assert run_command_line(["check", f"{record}+{slip}"]) == 4


@pytest.mark.rest
def test_a_store_whose_seed_is_gone_says_so(filled: Store) -> None:
    conn = filled.backend.conn
    seed = json.loads(filled.lines("eve")[0].payload)["salt"][""]
    for old, new in ((seed, "AAAA"), ('"":"AAAA",', "")):
        conn.execute("UPDATE runs SET payload = replace(payload, ?, ?)", (old, new))
        assert filled.verify(HOME).found
        with Store.open(filled.path) as again, pytest.raises(StoreError, match="not the one that was written"):
            again.append("eve", [Recorded(n=0, event=Pass(by="N"))])


# Handed out


def test_the_example_evening_is_published_for_each_seat(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Against the checkpoint that was printed that evening, with the file that stands alone."""
    asked, slip = ["--db", str(tmp_path / "club.db")], tmp_path / "slip"
    example = str(Path(__file__).parents[2] / "examples" / "kaiser-evening.kib")
    assert run_command_line([*asked, "import", example, "--in-parts"]) == 0
    capsys.readouterr()
    assert run_command_line([*asked, "checkpoint", "home"]) == 0
    told = capsys.readouterr()
    slip.write_text(told.out)
    key = next(line.partition(": ")[2] for line in told.err.splitlines() if line.startswith("public key"))
    for who in ("public", "N", "E", "S", "W"):
        file = str(tmp_path / f"{who}.json")
        assert run_command_line([*asked, "export", "kaiser-evening", "--for", who, "--nameless", "-o", file]) == 0
        code, lines = verify_bundle.answer(file, {"--against": str(slip), "--key": key})
        assert (code, "the checkpoint given is the one of the bundle" in lines) == (0, True), lines
        assert "Doris" not in Path(file).read_text()


def test_publish_writes_the_proofs_beside(store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for match, in_parts in (("eve", True), ("plain", False)):
        put(store, LOG, match, in_parts=in_parts)
        store.set_over(match, True)
    part = shown(store)
    store.close()
    words = ["db", "publish", str(store.path), str(tmp_path / "p.db"), "--json", "--proofs", str(tmp_path / "proofs")]
    assert run_command_line(words) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["proofs"] == [str(tmp_path / "proofs" / "eve.json")]
    assert "plain has no proof" in said.err
    assert verify_bundle.load((tmp_path / "proofs" / "eve.json").read_text())["events"] == part["events"]
    (tmp_path / "file").write_text("")
    assert run_command_line([*words[:-1], str(tmp_path / "file" / "x")]) == 2


@pytest.mark.rest
def test_the_service_hands_out_what_each_may_see(tmp_path: Path) -> None:
    """The same proof to each, and no card that they may not see; of a match that cannot be shown in part, nothing."""
    with evening(tmp_path, delay=Delay(late=2)) as club:

        def write(store: Store) -> None:
            for match, in_parts in (("eve", True), ("plain", False)):
                put(store, LOG, match, in_parts=in_parts)
            store.sign(HOME)

        club.service.shared.group.submit(write).result()
        whole = club.as_("director").get("/matches/eve/bundle")
        assert whole.status_code == 200
        deal = next(n for n, r in enumerate(LOG) if verb_of(r.event) == "deal")
        for role, seat, many in (("seat", "S", 8), ("recorder", "", 32), ("spectator", "", 0)):
            asker = club.as_(role, "eve", seat)
            told = asker.get("/matches/eve/bundle")
            assert told.status_code == 200, told.text
            part = told.json()
            assert not is_refused(part)
            assert part["checkpoint"] == whole.json()["checkpoint"]
            cards = {c for _, pile in table_of(part, deal)["event"]["piles"] for c in pile if "?" not in c}
            assert len(cards) == many  # a recorder sees a hand that is over
            told = club.as_(role, "plain", seat).get("/matches/plain/bundle")
            assert told.status_code == 403, told.text
        club.match(match="new")
        asked = {"game": "kaiser", "in_parts": True, "key": "k"}
        made = club.as_("director").post("/matches", asked).json()["match"]
        told = club.as_("spectator", made).get(f"/matches/{made}/bundle")
        assert (told.status_code, "club.db" in told.text) == (400, False)


@pytest.mark.rest
def test_who_follows_a_finished_match_is_offered_its_proof(tmp_path: Path) -> None:
    """If this failed, a spectator would have to know the address of what proves that nothing was changed."""
    played = read_kib(Path("examples/kaiser-evening.kib").read_text(encoding="utf-8")).records
    with evening(tmp_path) as club:

        def write(store: Store) -> None:
            for match, in_parts in (("eve", True), ("plain", False)):
                put(store, played, match, in_parts=in_parts)

        club.service.shared.group.submit(write).result()
        asked = (("spectator", "eve", True), ("spectator", "plain", False), ("director", "plain", True))
        for role, match, offered in asked:
            links = club.as_(role, match).get(f"/matches/{match}/frames").json()["links"]
            assert (f"/api/v1/matches/{match}/bundle" in links.values()) == offered, (role, match)


# Forgetting


@pytest.mark.parametrize("sealed", [False, True])
def test_a_forgotten_name_is_gone_for_good(sealed: bool, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """From the file as well; the chain, the checkpoint and what was handed out before stay as they were."""
    log = [replace(r, text="Bo Lund peeked" if r.n == 4 else r.text) for r in LOG]
    log[6] = replace(log[6], recorder="Bo Lund")
    put(store, log)
    put(store, log, "plain", in_parts=False)
    player = add_player(store, "Bo Lund", linked=True)
    link_name(store, player, NameLink(name="Bo Lund"))
    if sealed:
        store.seal("eve", unfinished=True)
    head = store.sign(HOME)
    before = shown(store, lambda records: nameless(public(records)))
    name = next(r for r in store.lines("eve") if r.n == 0).payload
    salt = json.loads(name)["salt"]["event/facts/E"]
    with store.backend.snapshot() as reader:
        key = reader.key("eve", "k0")
    forget_player(store, store.register.player(player.id))
    with store.backend.snapshot() as reader:
        after_it = reader.key("eve", "k0")
    assert key is not None
    assert after_it is not None
    assert key.fingerprint != after_it.fingerprint, "a hash over the name, without a salt"
    lines = store.lines("eve")
    assert b"Bo Lund" not in b"".join(line.payload for line in lines)
    assert salt not in "".join(line.payload.decode() for line in lines)
    assert b"Cy Lund" in lines[0].payload
    assert store.verify(HOME, head).found == []
    assert {row.match: row.sealed for row in store.matches()}["eve"] is sealed
    told = store.told("eve")
    assert told[0].event.facts["E"] == "Former player 1"
    assert [r.text for r in told if "peeked" in r.text] == [r.text for r in LOG if r.text and r.n != 4]
    assert {row.match: row.facts for row in store.matches()}["eve"]["E"] == "Former player 1"
    after = shown(store, lambda records: nameless(public(records)))
    assert [e["proof"] for e in after["events"]] == [e["proof"] for e in before["events"]]
    assert json.loads(after["events"][0]["payload"])[KEPT] == json.loads(before["events"][0]["payload"])[KEPT]
    assert not is_refused(after)
    opening = make_opening(store, "eve", range(len(log)))
    assert b"Bo Lund" not in opening, "the recorder stays in the file, and is not opened"
    last = make_bundle(store, "eve").decode()
    assert not is_refused(verify_bundle.load(last))
    assert json.loads(lines[0].payload)["salt"][""] not in last
    # Elsewhere, in a match of layout 1, the bytes stay.
    assert b"Bo Lund" in store.lines("plain")[0].payload
    if sealed:
        store.unseal("eve")
    again = store.append("eve", [Recorded(n=0, event=Pass(by="N"), recorder="ann")], key="x")
    assert store.append("eve", [Recorded(n=0, event=Pass(by="N"), recorder="ann")], key="x").first == again.first
    store.sign(HOME)
    store.compact()
    store.close()
    with Store.open(store.path) as opened:
        assert opened.verify(HOME).found == []
        assert opened.check() is None
    beside = [path for path in store.path.parent.iterdir() if path.is_file()]
    assert [path.name for path in beside if salt.encode() in path.read_bytes()] == []
    assert run_command_line(["--db", str(store.path), "player", "list", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["players"]
    assert (row["name"], row["matches"]) == ("Former player 1", 2)


@pytest.mark.rest
def test_a_name_is_forgotten_on_a_server(address: str) -> None:
    with Store.open(address) as there:
        put(there, LOG)
        player = add_player(there, "Bo Lund", linked=True)
        forget_player(there, link_name(there, player, NameLink(name="Bo Lund")))
        assert b"Bo Lund" not in b"".join(line.payload for line in there.lines("eve"))
        assert there.verify(HOME).found == []
        assert there.told("eve")[0].event.facts["E"] == "Former player 1"
