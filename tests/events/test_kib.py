"""Files: read as far as they can be read, and every fault named by line and column."""

from __future__ import annotations

from typing import Any

import pytest
import strategies
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sampling import examples

from events.canon import encode
from events.errors import KibitzError, NotationError, UnreadableError, UsageError
from events.kib import Derived, KibFile, read_bytes, read_kib, seats_of
from events.limits import MAX_LINE
from events.model import Bid, Fix, Gap, Hand, Note, Open, Pass, Play, Recorded
from events.unread_lines import Unread, unread_terms_since
from events.writing import write_kib, write_line

relaxed = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
FILE = """\
%kib 1
[Game "kaiser"]
[Seats "N E S W"]
[Option.brake "45"]

1. N hand 1
2. @ deal N=8x?? E=8x?? S=8x?? W=8x??
3. E bid 7no {sure? [%t 2026-03-14T20:05:11.250Z] [%by Anna] [%key k1]}
4. S pass
5. W pass
6. N pass
7. E play Kh ~3.12 $2

8. E hand 2
= 8 events
"""


def test_a_file() -> None:
    """The file that the documentation could show, in and out."""
    reading = read_kib(FILE)
    assert reading.errors == []
    assert reading.records[0] == Recorded(
        n=0, event=Open(by="@", facts={"Game": "kaiser", "Seats": "N E S W", "Option": {"brake": "45"}})
    )
    assert [r.n for r in reading.records] == list(range(9))
    bid = reading.records[3]
    assert (bid.text, bid.time, bid.recorder, bid.key) == ("sure?", "2026-03-14T20:05:11.250Z", "Anna", "k1")
    assert reading.records[7] == Recorded(n=7, event=Play(by="E", cards=("Kh",)), t=3120, glyphs=(2,))
    assert reading.derived == [Derived(15, "= 8 events")]
    assert write_kib(reading.records, ["= 8 events"]) == FILE


def test_the_opening_keeps_what_is_around_it() -> None:
    """Time, recorder, key and text of the tag block stand on a line numbered 0."""
    opening = Recorded(
        n=0, event=Open(by="N", facts={"Game": "scopa", "Option": {"target": 11, "open": True}, "Tags": ["a"]}),
        time="2026-03-14T19:58:00Z", recorder="Anna", key="k0", text="at Ben's", glyphs=(1,), t=0,
    )  # fmt: skip
    text = write_kib([opening, Recorded(n=1, event=Pass(by="N"))])
    assert text.splitlines() == [
        "%kib 1", '[Game "scopa"]', "[Option.open yes]", "[Option.target 11]", "[Tags \"a\",]",
        "0. N open ~0 $1 {at Ben's [%t 2026-03-14T19:58:00Z] [%by Anna] [%key k0]}", "", "1. N pass",
    ] or text.splitlines()[4] == "[Tags a,]"  # fmt: skip
    assert read_kib(text).records[0] == opening
    assert "0." not in write_kib([Recorded(n=0, event=Open(by="@", facts={"Game": "x"}))])


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[%t 2026-03-14T20:05:11Z]", r"1. @ note {\[%t 2026-03-14T20:05:11Z]}"),
        ("a [%by b] c", r"1. @ note {a \[%by b] c}"),
        ("\\[%t", "1. @ note {\\\\\\[%t}"),
        ("{}", r"1. @ note {\{\}}"),
        ("ends in \\", "1. @ note {ends in \\\\}"),
        (" ", "1. @ note { }"),
    ],
)
def test_remarks_that_look_like_something_else(text: str, line: str) -> None:
    """A remark is never taken for a command, or cut short."""
    record = Recorded(n=1, event=Note(by="@"), text=text)
    assert write_line(record) == line
    assert read_kib("%kib 1\n" + line).records == [record]
    full = Recorded(n=1, event=Note(by="@"), text=text, recorder="a] [%key x", key="}{\\")
    assert read_kib("%kib 1\n" + write_line(full)).records == [full]


@pytest.mark.parametrize(
    ("typed", "strict"),
    [
        ("1. s play kh", "1. S play Kh"), ("1. S PLAY h10", "1. S play Th"), ("1. s 10♥", "1. S play Th"),
        ("1.S pl Kh", "1. S play Kh"), ("  1.   S   play\tKh  ", "1. S play Kh"), ("1. S trail 7h", "1. S play 7h"),
        ("1. N reveal 7h 8h", "1. N show 7h8h"), ("1. n give 3d >s", "1. N move 3d >S"),
        ("1. N give 3d s", "1. N move 3d >S"), ("1. B layoff 8c >meld:B:2", "1. B meld 8c >meld:B:2"),
        ("1. @ void", "1. @ end hand void"), ("1. E p", "1. E pass"), ("1. E d x", "1. E draw ??"),
        ("1. E d 3x <stock", "1. E draw 3x?? <stock"), ("1. E t 7h", "1. E discard 7h"),
        ("1. E m 7c 7h 2d=7?", "1. E meld 7c7h2d=7?"), ("1. E c stop", "1. E call stop"),
        ("1. E m 7c7h7d / 8c8h8d", "1. E meld 7c7h7d/8c8h8d"), ("1. @ fix 15 S play Kh", "1. @ fix #15 S play Kh"),
        ("1. @ fix #15 + s kh", "1. @ fix #15+ S play Kh"), ("1. @ fix 15-", "1. @ fix #15-"),
        ("1. @ note 3 4", "1. @ note #3 #4"), ("1. N confirm 3", "1. N confirm #3"),
        ("1. @ ruling 19 14 revoke x=1", "1. @ ruling #19 #14 revoke x=1"),
        ("1. N dispute 3 revoke", "1. N dispute #3 revoke"), ("1. N call #14 force", "1. N call force #14"),
        ("1. N play Kh<stock", None), ("1. N play Kh <Stock", "1. N play Kh <stock"),
        ("1. N play Kh < stock", "1. N play Kh <stock"), ("1. &S play Kh", "1. & S play Kh"),
        ("1. S play Kh{x}", "1. S play Kh {x}"), ("1. S play Kh ~3.120", "1. S play Kh ~3.12"),
        ("1. S ~3 play $2 Kh", "1. S play Kh ~3 $2"), ("1. @ deal n=7h 8h e=2x", "1. @ deal N=7h8h E=2x??"),
        ("1. N name H", "1. N name h"), ("1. N name kc", "1. N name Kc"), ("1. N bid 7NO", "1. N bid 7no"),
        ("1. N bid 2♥", "1. N bid 2h"), ("1. A bet 5 >h7", "1. A bet 5 >7h"), ("1. A bet +5 >kh", "1. A bet 5 >Kh"),
        ("1. N move Kh >hand:S", "1. N move Kh >S"), ("1. N play ????", "1. N play 2x??"),
        ("1. @ tally a=007 b=+5", "1. @ tally a=7 b=5"), ("1. S play Kh {}", "1. S play Kh"),
        ("1. S play Kh {é}", "1. S play Kh {é}"),
        ("1. S arrange meld:2=8h 8s meld:3=-", "1. S arrange meld:2=8h8s meld:3=-"),
        ("1. S play Kh {[%key k] [%t 2026-03-14T20:05:11Z]}", "1. S play Kh {[%t 2026-03-14T20:05:11Z] [%key k]}"),
        ("1. N move kh >won:ns", "1. N move Kh >won:ns"),
    ],
)  # fmt: skip
def test_what_may_be_typed_in_a_file(typed: str, strict: str | None) -> None:
    """Lenient in, strict out."""
    reading = read_kib('%kib 1\n[Seats "N E S W A B"]\n' + typed)
    if strict is None:
        assert reading.errors
        return
    assert [str(e) for e in reading.errors] == []
    assert write_line(reading.records[1]) == strict


ERRORS = [
    ("1. N plya Kh", 6, "'plya' is not a verb", "Did you mean play?"),
    ("1. N dis Kh", 6, "'dis' is not a verb", "discard or dispute"),
    ("1. N play", 10, "lacks cards", "kibitz append"),
    ("1. N play Kz", 11, "'Kz' does not fit 'play'", "rank before suit"),
    ("1. N play 9", 11, "left open", "kibitz append"),
    ("1. N 9k", 6, "left open", "kibitz append"),
    ("1. N play 7c8", 11, "left open", ""),
    ("1. play Kh", 4, "the actor is missing", "kibitz append"),
    ("1. Kh", 4, "the actor is missing", "kibitz append"),
    ("1. ♥♥ play Kh", 4, "is not an actor", ""),
    ("1. N", 5, "nothing follows 'N'", ""),
    ("1.", 3, "says nothing", ""),
    ("1. N play Kh >S", 14, "'>S' does not fit 'play'", "play [up|down] cards [<pile]"),
    ("1. N play Kh Qd <", 17, "'<' does not fit", ""),
    ("1. N move Kh", 13, "lacks a pile after >", ""),
    ("1. N move Kh >2", 14, "left open", ""),
    ("1. N pass 7", 11, "'pass' takes no words", ""),
    ("1. N capture 7c", 14, "1 groups", "capture cards/cards"),
    ("1. N meld 7c//8c", 11, "at least one card", ""),
    ("1. N bid", 9, "lacks a number, a word or both", ""),
    ("1. N bid -7", 10, "'-7' does not fit 'bid'", ""),
    ("1. N call Stop! ", 11, "'Stop!' does not fit 'call'", ""),
    ("1. N play Kh !", 14, "'!' does not fit", ""),
    ("1. N play Kh {open", 14, "the comment is not closed", "}"),
    ("1. N play Kh {a} b", 18, "more follows the comment", ""),
    ("1. N play Kh ~x", 14, "'~x' is not a time", "~3.12"),
    ("1. N play Kh ~1.2345", 14, "is not a time", ""),
    ("1. N play Kh ~1 ~2", 17, "a second time", ""),
    ("1. N play Kh $x", 14, "is not a glyph", ""),
    ("1. N play Kh {[%t today]}", 15, "'today' is not a time", "2026"),
    ("1. N play Kh {[%who Anna]}", 15, "'%who' is not a command", "\\["),
    ("1. N play Kh {[%by A] [%by B]}", 23, "is given twice", ""),
    ("1. N play Kh {[%by A] more}", 23, "not a command", ""),
    ("1. N play Kh {x [%by A}", 17, "not a command", ""),
    ("1. @ fix", 9, "lacks the number", "fix #number"),
    ("1. @ fix x", 10, "'x' is not an event number", ""),
    ("1. @ fix #3", 12, "lacks the event", "fix #3-"),
    ("1. @ fix #3 Jh", 13, "the actor is missing", ""),
    ("1. @ fix #3- S pass", 14, "follows a strike", ""),
    ("1. @ fix #3 @ fix #2-", 15, "a fix stands within a fix", ""),
    ("1. @ tally", 11, "lacks key=value", ""),
    ("1. @ tally a.b=1 a=2", 18, "'a' already begins other keys", ""),
    ("1. @ tally a=1 a.b=2", 16, "'a' already has a value", ""),
    ("1. @ tally a=1 a=2", 16, "is given twice", ""),
    ("1. @ tally a.b.c.d.e=1", 12, "has 5 parts", "at most 4"),
    ("1. @ tally é=1", 12, "is not a key", ""),
    ("1. @ tally a=", 14, "a value is missing", ""),
    ("1. @ tally a=1,,2", 16, "a value is missing", ""),
    ('1. @ tally a="x"y', 17, "is not part of the value", ""),
    ('1. @ tally a="x', 14, "the quote is not closed", ""),
    ("1. @ tally a=" + "9" * 5000, 14, "out of bounds", ""),
    ("1. @ note #" + "9" * 5000, 11, "does not fit 'note'", ""),
    ("1. N play K\x00h", 12, "U+0000", ""),
    ("1. N play Kh {\x1b}", 15, "U+001B", ""),
    ("1. N play Kh {\ud800}", 15, "U+D800", ""),
    ("1. N play Kh {" + "é" * 9000 + "}", 1, "bytes", "16384"),
    ("1. N " + "x" * MAX_LINE, 1, "too long", "65536 bytes"),
    ("1. ٣ play Kh", 4, "is not an actor", ""),
    ("1. N play ７h", 11, "does not fit", ""),
]


@pytest.mark.parametrize(
    ("line", "column", "what", "more"), ERRORS,
    ids=[repr(e[0][:40]).encode("ascii", "replace").decode() for e in ERRORS],
)
def test_errors(line: str, column: int, what: str, more: str) -> None:
    """One bad line gives one error, at its place, and the lines around it are read."""
    reading = read_kib(f"%kib 1\n{line}\n2. S play Kh\n3. W pass\n", file="g.kib")
    assert len(reading.errors) == 1
    error = reading.errors[0]
    assert (error.line, error.column) == (2, column), str(error)
    assert what in str(error)
    assert more in str(error)
    assert str(error).startswith(f"g.kib, line 2, column {column}: ")
    assert error.expected, "it says what was expected"
    assert [(r.n, type(r)) for r in reading.records] == [(1, Unread), (2, Recorded), (3, Recorded)]
    assert reading.records[0].event == Gap(by="@")


@pytest.mark.parametrize(
    ("text", "line", "what", "records"),
    [
        ("", 1, "the file is empty", 0), ("\n\n", 1, "the file is empty", 0),
        ("%kib 2\n1. N pass\n", 1, "written by a newer Kibitz", 0), ("%kib x\n", 1, "not a version of the notation", 0),
        ("%kib\n1. N pass\n", 1, "not a version of the notation", 0), ("%kib 0\n", 1, "not a version", 0),
        ("%kib " + "9" * 100, 1, "not a version", 0),
        ('{"n":1,"event":{"by":"N","verb":"pass"}}\n', 1, "looks like JSON Lines", 0),
        ("Dear Anna,\nhow are you\n", 1, "not a .kib file", 0), ("\x00\x01\x02", 1, "not text", 0),
        ("1. N pass\n", 1, "the header is missing", 1), ('[Game "x"]\n1. N pass\n', 1, "the header is missing", 2),
        ("%kib 1\n%kib 1\n1. N pass\n", 2, "another record begins here", 1),
        ('%kib 1\n[A "b"]\n%kib 1\n1. N pass\n', 3, "another record begins here", 1),
        ('%kib 1\n1. N pass\n[Game "x"]\n1. S pass\n', 3, "another record begins here", 1),
        ('%kib 1\n1. N pass\n[N "x"]\n', 3, "a tag follows the first event", 2),
        ('%kib 1\n[Game x y]\n[A "b"]\n', 2, "is not part of the value", 2),
        ('%kib 1\n[Game]\n[A "b"]\n', 2, "not a tag", 2), ('%kib 1\n[A "b"]\n[A "c"]\n', 3, "twice", 2),
        ('%kib 1\n[A "b"]\n[A.b "c"]\n', 3, "already has a value", 2),
        ('%kib 1\n[A "b\x07"]\n[B "c"]\n', 2, "U+0007", 2), ('%kib 1\n[A "b]\n[B "c"]\n', 2, "quote is not closed", 2),
        ('%kib 1\n[Ä "b"]\n[B "c"]\n', 2, "not a key", 2),
        ("%kib 1\n0. @ open {x}\n1. N pass\n", 2, "no opening", 1),
        ('%kib 1\n[A "b"]\n0. @ open x=1\n1. N pass\n', 3, "not the line of the opening", 2),
        ('%kib 1\n[A "b"]\n0. @ open\n0. @ open\n1. N pass\n', 4, "a second line", 2),
        ("%kib 1\n= a\x07\n1. N pass\n", 2, "U+0007", 1),
    ],
)  # fmt: skip
def test_files_with_one_fault(text: str, line: int, what: str, records: int) -> None:
    reading = read_kib(text)
    assert [e.line for e in reading.errors] == [line], [str(e) for e in reading.errors]
    assert what in str(reading.errors[0])
    assert len(reading.records) == records


@pytest.mark.parametrize(
    ("numbers", "positions", "bad"),
    [
        (["1.", "2.", "3."], [1, 2, 3], []),
        (["1.", "", "3."], [1, 2, 3], [2]),  # a number left out
        (["1.", "2.", "2.", "4."], [1, 2, 3, 4], [3]),  # a number twice
        (["1.", "2.", "33.", "4."], [1, 2, 3, 4], [3]),  # a slip
        (["1.", "2.", "5.", "6."], [1, 2, 3, 5, 6], [3]),  # lines were lost: what refers to 5 still does
        (["1.", "2.", "2.", "3.", "4."], [1, 2, 3, 4, 5], [3]),  # one line too many
        (["1.", "", "2.", "3."], [1, 2, 3, 4], [2]),
        (["1.", "", "", "3.", "4."], [1, 2, 3, 4, 5], [2, 3, 4]),
        (["2.", "3."], [1, 2, 3], [1]),
        (["1.", "9" * 30 + ".", "3."], [1, 2, 3], [2]),
    ],
)
def test_numbers_out_of_sequence(numbers: list[str], positions: list[int], bad: list[int]) -> None:
    """One slip in the numbers is one error, and every line has a position of its own."""
    reading = read_kib("%kib 1\n" + "\n".join(f"{n} N pass" for n in numbers))
    assert [r.n for r in reading.records] == positions
    assert sorted({e.line - 1 for e in reading.errors}) == bad


@pytest.mark.parametrize("put_in", ["N play Kh", "Dear Anna,", "N plya Kh", "9. N play Kh", "[N An na]"])
def test_printed_numbers_stand(put_in: str) -> None:
    """Behind a line without a number that fits, the lines keep the numbers that are printed on them."""
    passes = [f"{n}. N bid {n}" for n in range(1, 6)]
    for at in range(6):
        records = read_kib("%kib 1\n" + "\n".join([*passes[:at], put_in, *passes[at:]])).records
        assert [r.event.level for r in records[:5] if isinstance(r.event, Bid)] == [1, 2, 3, 4, 5]
        assert [r.n for r in records] == list(range(1, len(records) + 1))
        last = records[-1].event
        if put_in.endswith("N play Kh") and at < 5:
            assert last == Fix(by="@", at=at, how="insert", event=Play(by="N", cards=("Kh",)))
        elif put_in == "N plya Kh":
            assert (last.event if isinstance(last, Fix) else last) == Gap(by="@")
            assert isinstance(last, Fix) == (at < 5)
        elif "N play" not in put_in:
            assert last == Note(by="@", facts={"tag": "N"} if put_in.startswith("[") else {})


@pytest.mark.parametrize(
    ("line", "doubted"),
    [
        ("@ fxi #2 N pass", [2]), ("@ fix #2 N psas", [2]), ("N fix 2 + N psas", [2]), ("@ korrect #3 N pass", [3]),
        ("@ fix # 2 N psas", [2]), ("@ fix #x N pass", [1, 2, 3]), ("N psas", []), ("N play K2", []), ("@ clame 3", []),
        ("@ fxi #9 N pass", []),
    ],
)  # fmt: skip
def test_a_line_that_may_be_a_correction(line: str, doubted: list[int]) -> None:
    """What an unread line may have corrected is a gap as well."""
    records = read_kib(f"%kib 1\n1. N bid 1\n2. S bid 2\n3. N bid 3\n4. {line}\n5. S pass\n").records
    assert [type(r) is Unread for r in records[:5]] == [False, False, False, True, False]
    assert [r.event for r in records[5:]] == [Fix(by="@", at=at, how="replace", event=Gap(by="@")) for at in doubted]
    assert [r.n for r in records] == list(range(1, 6 + len(doubted)))


@pytest.mark.parametrize(
    ("line", "since"),
    [
        ("@ oepn Seats=\"A B D C\"", 2), ("@ open Option", 2), ("@ opne D=Timo", 2), ("N psas", None),
        ("@ fxi #1 N pass", None),
    ],
)
def test_a_line_that_may_set_other_terms(line: str, since: int | None) -> None:
    """An unread line that may have been `open` leaves the rules and the seats in doubt from there on."""
    records = read_kib(f'%kib 1\n[Seats "A B C"]\n1. N bid 1\n2. {line}\n3. S pass\n').records
    assert unread_terms_since(records) == since


def test_bytes_that_are_no_text() -> None:
    """A byte in another encoding is named, and the line is read if it makes sense with a stand-in for the byte."""
    reading = read_bytes(
        b"%kib 1\n[N \"Zo\xeb\"]\n1. N pass\n2. E note {caf\xe9}\n3. S p\xe4ss\n4. W play Kh\n", "g.kib",
    )
    assert [str(e) for e in reading.errors] == [
        f"g.kib, line {line}, column {column}: the byte {byte} is not UTF-8; expected UTF-8 text. "
        "Save the file as UTF-8, or type the line again."
        for line, column, byte in ((2, 7, "0xeb"), (4, 15, "0xe9"), (5, 7, "0xe4"))
    ]
    assert [(r.n, type(r)) for r in reading.records] == [
        (0, Recorded), (1, Recorded), (2, Recorded), (3, Unread), (4, Recorded),
    ]
    assert reading.records[2].text == "caf\ufffd"
    assert "UTF-16" in str(read_bytes("%kib 1".encode("utf-16")).errors[0])


def test_small_letters_are_seats_of_the_match() -> None:
    """The tag block says who sits there; without it any single letter may."""
    assert read_kib('%kib 1\n[Seats "N E S W"]\n1. s kh').records[1].event == Play(by="S", cards=("Kh",))
    assert read_kib("%kib 1\n1. s kh").records[0].event == Play(by="S", cards=("Kh",))
    assert read_kib('%kib 1\n[Seats "N E S W"]\n1. b pass').errors
    assert seats_of(5) == ()
    assert seats_of("n E=Anna, S x") == ("E", "S")


def test_write_refuses() -> None:
    """Only a match from its beginning is a file."""
    one, two = Recorded(n=1, event=Pass(by="N")), Recorded(n=2, event=Pass(by="N"))
    for records in ([two], [one, one], [two, one], [one, Recorded(n=3, event=Gap(by="@"))]):
        with pytest.raises(UsageError):
            write_kib(records)
    with pytest.raises(UnreadableError):
        write_kib([Recorded(n=1, event=Pass(by="n"))])
    with pytest.raises(UnreadableError):
        write_kib([Recorded(n=0, event=Hand(by="N", number=1))])
    for line in ("no", "= a\nb", ""):
        with pytest.raises(UsageError):
            write_kib([one], [line])
    assert read_kib(write_kib([])).records == []


# --- anything at all


def usable(reading: KibFile) -> None:
    """Whatever was read can be written, stored and shown."""
    for record in reading.records:
        encode(record)
    positions = [r.n for r in reading.records]
    assert positions == sorted(set(positions))
    for error in reading.errors:
        assert isinstance(error, NotationError)
        assert error.line >= 1
        assert error.column >= 1
        assert error.what
        str(error)


@given(st.binary(max_size=300))
@examples(400, deadline=None)
def test_any_bytes(data: bytes) -> None:
    """No bytes raise anything, with or without a header before them."""
    usable(read_bytes(data))
    usable(read_bytes(b"%kib 1\n" + data))
    usable(read_bytes(b"%kib 1\n1. N " + data))


@given(st.text(st.characters(), max_size=200))
@examples(400, deadline=None)
def test_any_text(text: str) -> None:
    """Nor does any text, half characters included."""
    usable(read_kib(text))
    usable(read_kib("%kib 1\n" + text))
    usable(read_kib("%kib 1\n1. N " + text))


@given(strategies.matches(4), st.data())
@relaxed
def test_files_with_characters_changed(records: list[Recorded], data: Any) -> None:
    """A damaged file is read as far as it can be: lines that were not touched give their records still."""
    lines = write_kib(records).split("\n")
    at = data.draw(st.integers(0, len(lines) - 1))
    where = data.draw(st.integers(0, len(lines[at])))
    much = data.draw(st.integers(0, 3))
    put = data.draw(st.text("NS@#<>/=*?xX-.:,\"{}[]%~$!& \\0123456789cdhsTKjo♥\x00\t", max_size=3))
    lines[at] = lines[at][:where] + put + lines[at][where + much :]
    reading = read_kib("\n".join(lines))
    usable(reading)
    touched = lines[at]
    if at > 0 and not touched.startswith(("[", "=")) and touched.partition(".")[0].isdigit() and where > 4:
        kept = [r.event for r in reading.records if r.n > 0]
        number = int(touched.partition(".")[0])
        assert all(r.event in kept for r in records if r.n not in (0, number))


@given(st.text("7hNSs@ play#<>=/*?x.+-!", max_size=60))
@examples(500, deadline=None)
def test_what_reads_writes_and_reads_again(text: str) -> None:
    """Whatever a line was read as, its strict form is read as the same."""
    for record in read_kib("%kib 1\n1. " + text.replace("\n", " ")).records:
        if type(record) is Recorded:
            assert read_kib("%kib 1\n" + write_line(record)).records == [record]


def test_nothing_but_our_errors() -> None:
    assert issubclass(NotationError, KibitzError)
