"""Text, event and JSON are three spellings of one thing: from each to each and back, nothing is lost or added."""

from __future__ import annotations

import msgspec
import pytest
import strategies
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sampling import examples, sized

from events.canon import check_event, decode, decode_body, encode, encode_body, recorded_all, recorded_from
from events.entries import build_event, read_args, read_entry
from events.kib import read_bytes, read_kib
from events.model import VERBS, Event, Fix, Open, Recorded, verb_of
from events.versions import record_version
from events.writing import write_args, write_event, write_kib, write_line

relaxed = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], deadline=None)


def read_one(line: str, n: int) -> Recorded:
    """The record of one line, at its place behind others."""
    before = "".join(f"{i}. @ gap\n" for i in range(1, n)) if n < 20 else f"{n - 1}. @ gap\n"
    reading = read_kib("%kib 1\n" + before + line)
    errors = reading.errors if n < 20 else reading.errors[1:]
    assert not errors, (line, [str(e) for e in errors])
    return reading.records[-1]


@pytest.mark.both
@pytest.mark.parametrize("verb", VERBS)
def test_text_and_back(verb: str) -> None:
    """An event written in the strict form reads as itself, whatever it holds."""

    @settings(relaxed, max_examples=sized(8, 60))
    @given(strategies.BY_VERB[verb])
    def run(event: Event) -> None:
        check_event(event)
        line = "1. " + write_event(event)
        found = read_one(line, 1)
        assert found.event == event
        assert encode(found) == encode(Recorded(n=1, event=event, v=record_version(event)))  # tells 1 from True
        assert write_line(found) == line

    run()


@pytest.mark.both
@pytest.mark.parametrize("verb", VERBS)
def test_json_and_back(verb: str) -> None:
    """A record encoded decodes to itself, from the line and from body and columns; both are canonical."""

    @settings(relaxed, max_examples=sized(6, 40))
    @given(strategies.recorded(event=strategies.BY_VERB[verb]))
    def run(record: Recorded) -> None:
        data = encode(record)
        assert decode(data) == record
        assert encode(decode(data)) == data
        body = encode_body(record)
        back = recorded_from(decode_body(body), record.n, record.v, record.time, record.recorder, record.key)
        assert back == record
        assert encode_body(back) == body
        assert recorded_all([(record.n, record.v, record.time, record.recorder, record.key, body)]) == [record]

    run()


@given(strategies.recorded())
@examples(100, relaxed)
def test_line_and_back(record: Recorded) -> None:
    """A line keeps the whole record: seconds, glyphs, remark, time, recorder and key."""
    line = write_line(record)
    n = record.n
    assert msgspec.structs.replace(read_one(line, n), n=n) == record
    assert "\n" not in line


@given(strategies.matches())
@examples(150, relaxed)
def test_file_and_back(records: list[Recorded]) -> None:
    """A written file reads as the records it was written from, and writes back to the same bytes."""
    text = write_kib(records, ["= chain 12 abc", "=x"])
    reading = read_bytes(text.encode(), "game.kib")
    assert not reading.errors, [str(e) for e in reading.errors]
    assert reading.records == records
    assert write_kib(reading.records, (d.text for d in reading.derived)) == text


@given(strategies.matches())
@examples(40, relaxed)
def test_line_ends_do_not_matter(records: list[Recorded]) -> None:
    """A file saved by another editor, with a byte order mark and CRLF, reads the same."""
    text = write_kib(records)
    assert read_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()).records == records


@given(strategies.events())
@examples(100, relaxed)
def test_words_and_back(event: Event) -> None:
    """`build` makes the event again from its actor, its verb and its words."""
    words = read_args(" ".join(write_args(event)))
    assert build_event(event.by, verb_of(event), words) == event


@given(strategies.events())
@examples(100, relaxed)
def test_a_strict_line_is_among_the_readings_at_the_table(event: Event) -> None:
    """What is typed in full is understood at the table too."""
    if any(len(part) > 1 for part in (event.by.partition(":")[0],)):
        return
    text = write_event(event)
    seats = ["N", "E", "S", "W", "A", "B", "L", "P", "H", "X"]
    from events.entries import read_entries

    found = [e.event for e in read_entries(text, seats=seats)]
    assert found, text


@given(strategies.facts, st.randoms(use_true_random=False))
@examples(100, relaxed)
def test_equal_events_give_equal_text(facts: dict[str, object], random: object) -> None:
    """The order in which facts were entered does not show."""

    def shuffled(table: dict[str, object]) -> dict[str, object]:
        rows = list(table.items())
        random.shuffle(rows)
        return {k: shuffled(v) if isinstance(v, dict) else v for k, v in rows}

    assert write_event(Open(by="@", facts=facts)) == write_event(Open(by="@", facts=shuffled(facts)))


def test_a_typed_line_reads_as_its_event() -> None:
    """One reading with an actor and no holes is an event."""
    event = read_entry("@ fix #18+ S play Td", seats="NESW").event
    assert isinstance(event, Fix)
    assert event.how == "insert"
