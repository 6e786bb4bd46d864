"""Logs in and out: nothing is lost on the way, nothing doubles, nothing is half imported."""

from __future__ import annotations

import io
import itertools
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from sampling import examples

from events.canon import decode, encode, encode_body
from events.errors import ConflictError, KibitzError, NotFoundError, UnreadableError, UsageError
from events.model import (
    Bid,
    Call,
    Claim,
    Deal,
    Event,
    Fix,
    Gap,
    Hand,
    Meld,
    Move,
    Note,
    Open,
    Pass,
    Play,
    Recorded,
    Ruling,
    Tally,
)
from events.unread_lines import Doubted, Unread, unread_in
from records import Store, export_jsonl, export_kib, files, import_file, import_records, intake, load_file, load_files

TIME = "2026-03-14T20:05:11.250Z"


def log(*plays: str, facts: dict[str, object] | None = None, **around: object) -> list[Recorded]:
    """A match of single plays, with its opening in front."""
    opening = {"Game": "kaiser", "Match": "kaiser-club", "Seats": ["N", "E"]} if facts is None else facts
    events: list[Event] = [Open(by="@", facts=opening)]
    events += [Play(by="N", cards=(card,)) for card in plays]
    return [Recorded(n=n, event=event, **around) for n, event in enumerate(events)]


def exported(store: Store, match: str) -> tuple[str, bytes]:
    records = store.read(match)
    return export_kib(records), export_jsonl(records)


# Which match, and what becomes of it


@pytest.mark.parametrize("other", ["Ann", "ann"])
def test_one_name_in_two_seats_is_refused_as_for_a_new_match(store: Store, other: str) -> None:
    """If this failed, nobody could say whose points these are."""
    with pytest.raises(UnreadableError, match=r"Ann sits in two places.*as Ann A and Ann B"):
        import_records(store, log("7h", facts={"Game": "kaiser", "Seats": "N E S W", "N": "Ann", "S": other}))
    assert store.matches() == []
    assert import_records(
        store, log("7h", facts={"Game": "kaiser", "Seats": "N E S W", "N": "Ann", "S": "Anna"}),
    ).status == "new"


def test_a_new_match_is_taken_over_as_it_is(store: Store) -> None:
    """Times stay empty where they were: an import invents nothing."""
    done = import_records(store, log("7h", "8h"))
    assert (done.match, done.status, done.added, done.errors) == ("kaiser-club", "new", 3, [])
    assert store.read("kaiser-club") == log("7h", "8h")
    (row,) = store.matches()
    assert (row.game, row.last, row.over, row.book) == ("kaiser", 2, False, "home")


def test_the_same_file_twice_adds_nothing(store: Store) -> None:
    import_records(store, log("7h"))
    done = import_records(store, log("7h"))
    assert (done.match, done.status, done.added) == ("kaiser-club", "same", 0)
    assert store.length("kaiser-club") == 2


def test_a_file_that_has_grown_is_carried_on(store: Store) -> None:
    import_records(store, log("7h"))
    done = import_records(store, log("7h", "8h", "9h"))
    assert (done.status, done.added) == ("appended", 2)
    assert store.read("kaiser-club") == log("7h", "8h", "9h")
    store.check()


def test_an_older_copy_changes_nothing(store: Store) -> None:
    import_records(store, log("7h", "8h"))
    assert import_records(store, log("7h")).status == "same"
    assert store.length("kaiser-club") == 3


def test_two_versions_of_a_match_are_a_conflict(store: Store) -> None:
    """Given 8h at 2 in the store, when a file says 9h, then both are shown and nothing is written."""
    import_records(store, log("7h", "8h"))
    with pytest.raises(ConflictError, match=r'match kaiser-club, event 2: .*"8h".* other record has .*"9h"') as caught:
        import_records(store, log("7h", "9h", "Td"))
    assert caught.value.exit_code == 6
    assert store.read("kaiser-club") == log("7h", "8h")


@pytest.mark.parametrize("field", ["time", "recorder", "key"])
def test_what_a_file_leaves_empty_contradicts_nothing(store: Store, field: str) -> None:
    """Text written down without times is still the same match; another time is not."""
    full = {"time": TIME, "recorder": "ann", "key": "k"}
    import_records(store, log("7h", **full))
    assert import_records(store, log("7h", **{**full, field: ""})).status == "same"
    assert import_records(store, log("7h")).status == "same"
    other = {**full, field: "2026-03-14T20:05:12.250Z" if field == "time" else "other"}
    with pytest.raises(ConflictError):
        import_records(store, log("7h", **other))
    assert store.read("kaiser-club") == log("7h", **full)


def test_what_the_store_leaves_empty_is_not_filled_in(store: Store) -> None:
    """Stored bytes are never rewritten: a file that knows more than the store is another version of the match."""
    import_records(store, log("7h"))
    with pytest.raises(ConflictError):
        import_records(store, log("7h", time=TIME))


def test_true_is_not_one(store: Store) -> None:
    facts = {"Game": "kaiser", "Match": "m"}
    import_records(store, log(facts={**facts, "Closed": True}))
    with pytest.raises(ConflictError):
        import_records(store, log(facts={**facts, "Closed": 1}))


def test_a_file_without_an_id_finds_its_match_again(store: Store) -> None:
    facts = {"Game": "Court Piece", "Date": "2026-03-14"}
    first = import_records(store, log("7h", facts=facts))
    assert first.match.startswith("court-piece-")
    assert len(first.match) == len("court-piece-") + 8
    assert import_records(store, log("7h", facts=facts)).status == "same"
    grown = import_records(store, log("7h", "8h", facts=facts))
    assert (grown.match, grown.status) == (first.match, "appended")
    assert store.read(first.match)[0].event == Open(by="@", facts=facts), "the opening stays as it was written"
    other = import_records(store, log("7h", facts={**facts, "Date": "2026-03-15"}))
    assert other.match != first.match
    assert other.status == "new"


def test_two_matches_with_the_very_same_opening_need_an_id(store: Store) -> None:
    facts = {"Game": "kaiser"}
    first = import_records(store, log("7h", facts=facts))
    with pytest.raises(ConflictError, match="an id of its own"):
        import_records(store, log("8h", facts=facts))
    second = import_records(store, log("8h", facts=facts), match="second")
    assert second.status == "new"
    assert import_records(store, log("8h", facts=facts), match="second").status == "same"
    assert {row.match for row in store.matches()} == {first.match, "second"}


def test_a_named_id_goes_before_the_tag(store: Store) -> None:
    done = import_records(store, log("7h"), match="other", book="club")
    assert done.match == "other"
    assert store.matches(book="club")[0].match == "other"
    assert store.read("other") == log("7h")


@pytest.mark.parametrize("tag", ["Kaiser Club", "../up", "", True, None, {"a": 1}])
def test_a_tag_that_cannot_be_an_id(store: Store, tag: object) -> None:
    records = log("7h", facts={"Game": "kaiser", "Match": tag})
    with pytest.raises(UnreadableError, match=r"tag Match: .*Name an id"):
        import_records(store, records)
    assert import_records(store, records, match="mine").status == "new" if tag != "" else True
    with pytest.raises(UsageError, match="id of a match"):
        import_records(store, records, match="Not So")


@pytest.mark.parametrize(
    "records",
    [
        [],
        log("7h")[1:],
        [log("7h")[0], *log("7h", "8h")[2:]],
        [*log("7h"), *log("7h")],
        [Recorded(n=0, event=Pass(by="N"))],
    ],
)
def test_what_is_not_a_whole_match_is_refused(store: Store, records: list[Recorded]) -> None:
    with pytest.raises(UnreadableError):
        import_records(store, records)
    with pytest.raises(UnreadableError):
        import_records(store, records, match="mine")
    with pytest.raises(UnreadableError):
        store.import_match("mine", records, game="kaiser")
    assert store.matches() == []


def test_a_submission_stays_known_through_export_and_import(store: Store, tmp_path: Path) -> None:
    """A retry on the other machine is as harmless as it was at home."""
    match = store.create_match({}, game="kaiser", recorder="ann", key="k0")
    batch = [r for r in log("7h", "8h", recorder="ann") if r.n]
    store.append(match, batch, key="k1")
    with Store.open(tmp_path / "other.db") as other:
        import_records(other, store.read(match))
        assert other.append(match, batch, key="k1", expect=0).repeated
        assert other.create_match({}, game="kaiser", recorder="ann", key="k0") == match
        with pytest.raises(ConflictError):
            other.append(match, batch[:1], key="k1")
        assert other.length(match) == 3


def test_a_retry_of_the_opening_finds_the_original_among_copies(store: Store) -> None:
    match = store.create_match({}, game="kaiser", key="k0")
    for copy in ("a-copy", "z-copy"):
        import_records(store, store.read(match), match=copy)
    assert store.create_match({}, game="kaiser", key="k0") == match


def test_a_submission_cut_in_two_is_whole_again(store: Store) -> None:
    """Given a file that ends in the middle of a submission, when the rest comes later, then the key covers both."""
    full = log("7h", "8h", "9h", key="k")
    import_records(store, full[:2])
    import_records(store, full)
    store.append("kaiser-club", [Recorded(n=0, event=Pass(by="N"))], key="next")
    answer = store.backend.conn.execute("SELECT first, last FROM keys WHERE key = 'k'").fetchall()
    assert answer == [(0, 3)]
    assert store.length("kaiser-club") == 5


# Files


def test_content_tells_the_form(tmp_path: Path) -> None:
    """Names say nothing: either form may be called anything, with a byte order mark and other line ends."""
    records = log("7h", "8h", time=TIME)
    jsonl, kib = export_jsonl(records), export_kib(records).encode()
    for content in (
        jsonl,
        b"\xef\xbb\xbf" + jsonl,
        b"\n  " + jsonl,
        jsonl.replace(b"\n", b"\r\n"),
        jsonl.rstrip(),
        kib,
    ):
        (tmp_path / "match.txt").write_bytes(content)
        loaded = load_file(tmp_path / "match.txt")
        assert (loaded.errors, loaded.records, loaded.derived) == ([], records, [])
        assert loaded.file == str(tmp_path / "match.txt")


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    data = export_jsonl(log("7h"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert load_file("-").records == log("7h")
    assert load_file("-", data).file == "standard input"


def test_a_bad_line_is_named_and_the_rest_is_read(store: Store) -> None:
    lines = export_jsonl(log("7h", "8h", "9h")).splitlines()
    data = b"\n".join([lines[0], b'{"n":1,"event":{"by":"N","verb":"fly"}}', lines[2], b"{", lines[3]])
    loaded = load_file("evening.jsonl", data)
    assert [(r.n, type(r)) for r in loaded.records] == [(0, Recorded), (1, Unread), (2, Recorded), (3, Recorded)]
    assert len(loaded.errors) == 2
    assert "evening.jsonl, line 2" in str(loaded.errors[0])
    assert "evening.jsonl, line 4" in str(loaded.errors[1])
    done = import_file(store, "evening.jsonl", data)
    assert (done.match, done.status, done.added) == ("", "unreadable", 0)
    assert list(map(str, done.errors)) == list(map(str, loaded.errors))
    assert store.matches() == []


def test_lines_out_of_order_are_named() -> None:
    lines = export_jsonl(log("7h", "8h")).splitlines()
    loaded = load_file("x", b"\n".join([lines[0], lines[2]]))
    assert [str(e) for e in loaded.errors] == ["x, line 2: this is event 2; expected event 1 to come next"]
    assert unread_in(loaded.records) == ["no line is numbered 1"]


def test_a_line_from_a_newer_version_is_a_gap() -> None:
    """Also an event that it may have corrected."""
    lines = export_jsonl(log("7h", "8h", "9h")).splitlines()
    lines[3] = b'{"event":{"at":1,"by":"@","how":"swap","verb":"fix"},"n":3,"v":9}'
    loaded = load_file("x", b"\n".join(lines))
    assert unread_in(loaded.records) == ["line 4: " + lines[3].decode()]
    assert loaded.records[4] == Doubted(
        n=4, event=Fix(by="@", at=1, how="replace", event=Gap(by="@")),
        text="perhaps corrected in a line that was not read"
    )


@pytest.mark.parametrize("at_once", [7, 1 << 20])
def test_several_records_of_one_file(at_once: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each begins with its header, or with the tag of the game, and lines are counted through the file."""
    monkeypatch.setattr(intake, "AT_ONCE_BYTES", at_once)
    one, two = export_kib(log("7h")), export_kib(log("8h", "9h"))
    file = tmp_path / "evening.kib"
    headless = two.removeprefix("%kib 1\n")
    for text in (
        one + "\n" + two, one + headless, "%kib 1\n\n" + one + two, "\ufeff" + one + "  " + two,
        one + "%KIB 1\r\n " + headless,
    ):  # fmt: skip
        file.write_text(text)
        first, second = load_files(file)
        assert (first.records, second.records) == (log("7h"), log("8h", "9h"))
        assert (first.file, second.file) == (f"{file}, match 1", f"{file}, match 2")
    file.write_text(one + two.replace("play 9h", "play 9h {[Game is %kib}\n% so\n3. N note {%kib}"))
    assert [[r.n for r in loaded.records] for loaded in load_files(file)] == [[0, 1], [0, 1, 2, 3, 4]]
    file.write_text(one + two.replace("play 9h", "plya 9h"))
    line = 1 + (one + two).splitlines().index("2. N play 9h", 6)
    assert f"match 2, line {line}, column 6" in str(list(load_files(file))[1].errors[0])
    mixed = load_file(file)
    assert mixed.records == log("7h")
    assert "another record begins here" in str(mixed.errors[0])


def test_a_bad_line_of_text_is_named_too(store: Store) -> None:
    text = export_kib(log("7h", "8h")).replace("N play 7h", "N fly 7h")
    done = import_file(store, "evening.kib", text.encode())
    assert done.status == "unreadable"
    assert "evening.kib, line" in str(done.errors[0])
    assert store.matches() == []


def test_a_file_that_cannot_be_had(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no such file"):
        load_file(tmp_path / "none.kib")
    with pytest.raises(UnreadableError, match="cannot be read"):
        load_file(tmp_path)
    with pytest.raises(KibitzError):
        load_file("a\0b")


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xef\xbb\xbf", b"{}", b"[]", b"\xff\xfe", b"{" * 5000])
def test_what_is_no_match_has_errors(store: Store, data: bytes) -> None:
    loaded = load_file("x", data)
    assert loaded.errors
    assert import_file(store, "x", data).status == "unreadable"


# There and back

words = st.from_regex(r"[a-z][a-z0-9]{0,8}", fullmatch=True).filter(lambda w: w not in ("up", "down"))
texts = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), max_size=20).map(str.strip)
cards = st.lists(st.sampled_from(["7h", "Td", "Jo", "??", "?h", "9c"]), min_size=1, max_size=1).map(tuple)
facts = st.dictionaries(
    st.from_regex(r"[A-Za-z]{3,9}", fullmatch=True),
    st.one_of(words, st.integers(-(2**40), 2**40), st.booleans(), st.none(), st.lists(words, min_size=2, max_size=3)),
    min_size=1,
    max_size=4,
)
refs = st.lists(st.integers(0, 99), min_size=1, max_size=3).map(tuple)
plain = st.one_of(
    st.builds(Play, by=st.sampled_from("NESW"), cards=cards, face=st.sampled_from([None, "up", "down"])),
    st.builds(Move, by=st.just("N"), cards=cards, src=st.sampled_from(["", "trick"]), to=st.just("hand:S")),
    st.builds(Meld, by=st.just("NS"), groups=st.lists(cards, min_size=1, max_size=2).map(tuple)),
    st.builds(Deal, by=st.just("@"), piles=st.just((("hand:N", ("7h", "2x??")), ("hand:E", ("3x??",))))),
    st.builds(Bid, by=st.just("E"), level=st.integers(0, 12), strain=st.sampled_from(["", "no", "h"])),
    st.builds(Call, by=st.just("A:2"), word=words, amount=st.one_of(st.none(), st.integers(-5, 5)), refs=refs),
    st.builds(Claim, by=st.just("NS"), amount=st.one_of(st.none(), st.integers(-500, 500)), facts=facts),
    st.builds(Tally, by=st.just("@"), facts=facts),
    st.builds(Hand, by=st.just("N"), number=st.integers(1, 30), facts=facts),
    st.builds(Ruling, by=st.just("@"), refs=refs, word=words, facts=facts),
    st.builds(Note, by=st.just("@"), refs=refs),
    st.builds(Pass, by=st.sampled_from("NESW")),
)
events = plain | st.builds(Fix, by=st.just("@"), at=st.integers(1, 99), how=st.just("replace"), event=plain)
times = st.one_of(
    st.just(""), st.datetimes().map(lambda d: f"{max(d.year, 1000)}" + d.strftime("-%m-28T%H:%M:%S.125Z"))
)
envelopes = st.fixed_dictionaries(
    {
        "same": st.booleans(),
        "t": st.one_of(st.none(), st.integers(0, 10**7)),
        "glyphs": st.lists(st.integers(0, 140), max_size=2).map(tuple),
        "text": texts,
        "time": times,
        "recorder": texts,
        "key": st.sampled_from(["", "k1", "k2", "7f3a-9c"]),
    }
)


def normal(records: list[Recorded]) -> bool:
    """Whether the log is one that may be written at all; what is not in normal form is refused long before."""
    try:
        for recorded in records:
            encode(recorded)
    except UnreadableError:
        return False
    return True


@st.composite
def logs(draw: st.DrawFn) -> list[Recorded]:
    terms = {"Game": "kaiser", **draw(facts)}
    if draw(st.booleans()):
        terms["Match"] = "kaiser-drawn"
    around = draw(envelopes)
    opening = {name: around[name] for name in ("time", "recorder", "key", "text")}
    # The tag block has no room for what only a moment within a hand can have.
    records = [Recorded(n=0, event=Open(by="@", facts=terms), **opening)]
    for n, event in enumerate(draw(st.lists(events, max_size=6)), 1):
        records.append(Recorded(n=n, event=event, **draw(envelopes)))
    return records


@examples(150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(records=logs().filter(normal), cut=st.integers(0, 7))
def test_there_and_back_gives_the_same_bytes(records: list[Recorded], cut: int) -> None:
    """Export, import elsewhere, export: nothing has changed, in either form, also when the file came in two parts."""
    with tempfile.TemporaryDirectory() as place, Store.open(Path(place) / "a.db") as here:
        first = import_records(here, records[: max(cut, 1)])
        done = import_records(here, records)
        assert done.match == first.match
        assert here.read(done.match) == records
        kib, jsonl = exported(here, done.match)
        assert jsonl == export_jsonl(records)
        for number, data in enumerate((kib.encode(), jsonl)):
            with Store.open(Path(place) / f"{number}.db") as there:
                loaded = load_file("x", data)
                assert loaded.errors == []
                assert loaded.records == records
                again = import_file(there, "x", data)
                assert (again.match, again.status) == (done.match, "new")
                assert exported(there, again.match) == (kib, jsonl)
                assert import_file(there, "x", jsonl).status == "same"
                assert import_file(here, "x", data).status == "same"


SOURCE = log("7h", "8h", "Td", time=TIME, recorder="ann", key="k")


def read_anything(data: bytes) -> None:
    """Whatever the bytes: an answer, or a refusal with its words; never another error."""
    try:
        loaded = load_file("x", data)
    except KibitzError:
        return
    assert all(isinstance(error, KibitzError) and str(error) for error in loaded.errors)
    if not loaded.errors:
        assert normal(loaded.records)


@examples(300, deadline=None)
@given(data=st.binary(max_size=300) | st.binary(max_size=200).map(lambda tail: b"{" + tail) | st.text().map(str.encode))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    read_anything(data)


@examples(400, deadline=None)
@given(
    form=st.booleans(),
    edits=st.lists(st.tuples(st.integers(0, 400), st.integers(0, 6), st.binary(max_size=4)), min_size=1, max_size=4),
)
def test_any_spoilt_file_is_read_or_refused(form: bool, edits: list[tuple[int, int, bytes]]) -> None:
    data = export_jsonl(SOURCE) if form else export_kib(SOURCE).encode()
    for at, gone, come in edits:
        data = data[:at] + come + data[at + gone :]
    read_anything(data)


def test_every_cut_of_a_file_is_read_or_refused() -> None:
    for data, end in itertools.product((export_jsonl(SOURCE), export_kib(SOURCE).encode()), range(400)):
        read_anything(data[:end])


GOOD = (
    b'{"event":{"by":"S","cards":["Kh"],"verb":"play"},"key":"k","n":3,"recorder":"ann","time":"2026-03-14T20:05:11.250Z"}'
)
ALMOST = [
    GOOD,
    GOOD.replace(b'"n":3', b'"n":4'),
    GOOD.replace(b'"n":3', b'"n":0'),
    GOOD.replace(b'"n":3', b'"n":-1'),
    GOOD.replace(b'"n":3', b'"n":3.0'),
    GOOD.replace(b'"n":3', b'"n":true'),
    GOOD.replace(b'"n":3', b'"n":9007199254740992'),
    GOOD.replace(b'"n":3', b'"n":3,"n":3'),
    GOOD.replace(b'"n":3', b'"n":3,"v":1'),
    GOOD.replace(b'"n":3', b'"n":3,"v":2'),
    GOOD.replace(b'"n":3', b'"n":3,"x":1'),
    GOOD.replace(b'"n":3', b'"n": 3'),
    GOOD.replace(b"Kh", b"Kx"),
    GOOD.replace(b"Kh", b"hK"),
    GOOD.replace(b"play", b"Play"),
    GOOD.replace(b"ann", b"a\\u006en"),
    GOOD.replace(b"ann", b"a\\nn"),
    GOOD.replace(b"ann", b"a" * 300),
    GOOD.replace(b"ann", b"\xff"),
    GOOD.replace(b'"k"', b'"\\ud800"'),
    GOOD.replace(b"03-14", b"02-30"),
    GOOD.replace(b"11.250Z", b"11.25Z"),
    GOOD.replace(b'"verb":"play"', b'"text":"x","verb":"play"'),
    GOOD[:-1],
    GOOD + b"}",
]


def test_the_quick_way_of_reading_a_line_lets_nothing_else_through() -> None:
    """What was found sound before must not make an unsound line pass: each line is read, or refused in the same
    words, as by the strict reader alone, whatever was read before it."""
    for line in [*ALMOST, *ALMOST[::-1], *ALMOST]:
        try:
            wanted: object = [decode(line, where="f, line 1")]
        except KibitzError as error:
            wanted = str(error)
        got = load_file("f", line)
        found: object = str(got.errors[0]) if got.errors else got.records
        if got.errors and "this is event" in str(got.errors[0]):
            found = got.records
        assert found == wanted, line
        if got.records:
            assert got.bodies == [encode_body(got.records[0])]


OPENING = b'{"event":{"by":"@","facts":{"Game":"kaiser"},"verb":"open"},"n":0,"time":"2026-03-14T20:05:00.000Z"}'
LAST = b'{"event":{"by":"W","verb":"pass"},"n":2}'


@pytest.mark.parametrize("end", [b"\n", b"", b"\r\n", b"\n\n", b" \n"])
def test_the_quick_way_of_reading_a_file_lets_nothing_else_through(end: bytes) -> None:
    """A file is read, or refused in the same words, as line by line, however nearly it is canonical and whatever was
    read before it."""
    for line in [*ALMOST, *ALMOST[::-1]]:
        lines = [OPENING, line.replace(b'"n":3', b'"n":1'), LAST]
        wanted: list[Recorded] = []
        errors: list[str] = []
        for number, one in enumerate(lines, 1):
            try:
                wanted.append(decode(one, where=f"f, line {number}"))
            except KibitzError as error:
                errors.append(str(error))
        got = load_file("f", b"\n".join(lines) + end)
        assert [r for r in got.records if type(r) is Recorded] == wanted, line
        assert [str(e) for e in got.errors if "this is event" not in str(e)] == errors
        assert bool(got.errors) == (errors != [] or [r.n for r in wanted] != [0, 1, 2])
        assert got.bodies == [encode_body(r) for r in got.records]


def test_whole_canonical_file_is_read_in_one() -> None:
    """The quick way is taken at all, and only for a match in its order."""
    data = export_jsonl(SOURCE)
    quick = files._load_canonical("f", data)
    assert quick is not None
    assert (quick.records, quick.bodies) == (list(SOURCE), [encode_body(r) for r in SOURCE])
    first, second, rest = data.split(b"\n", 2)
    for other in (
        data[1:], data[:-2], data.replace(b",", b", ", 1), second + b"\n" + rest, first + b"\n" + rest, data + data,
    ):
        assert files._load_canonical("f", other) is None
