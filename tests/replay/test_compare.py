"""Two recorders at one table: where they part, what one gains from the other, and what might have been."""

from __future__ import annotations

from random import Random

import pytest
from given import log
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from sampling import examples

from events.errors import NotFoundError, UsageError
from events.model import Event, Fix, Open, Play, Recorded
from events.writing import write_event
from replay.comparing.corrections import corrections
from replay.comparing.diff import Comparison, compare
from replay.comparing.kept_verdict import kept_end
from replay.comparing.matching import common_card, merged_event
from replay.comparing.merge import Merged, merge_records
from replay.comparing.variation import variation
from replay.fold import corrected, fold
from replay.judging.judge import judge
from replay.masking import masked
from replay.redact import hide
from replay.simulate import simulate, simulate_breaches

PLAYED = """
    W hand 1
    N bid 7
    E pass
    S pass
    W pass
    N name s
    N play Kh
    E play 8h
    S play Qh
    W play 9h
    N play Ah
    E play Th
    S play Jh
    W play 5h
"""


def put(at: int, line: str, lines: str = PLAYED) -> list[Recorded]:
    """The hand above with another line at that place; none takes it away."""
    rows = [row.strip() for row in lines.strip().splitlines()]
    rows[at - 1 : at] = [line] if line else []
    return log("kaiser", "\n".join(rows))


def kinds(found: Comparison) -> list[tuple[str, int | None, int | None, bool]]:
    """The rows that are not the same, in short."""
    return [(r.kind, r.a, r.b, r.real) for r in found.rows]


def blinded(records: list[Recorded], places: set[int]) -> list[Recorded]:
    """The log of somebody who did not see these."""
    return [
        replace(r, event=replace(r.event, cards=masked(r.event.cards))) if r.n in places and isinstance(r.event, Play)
        else r
        for r in records
    ]


# -- cards and events -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "two", "both"),
    [
        ("7h", "7h", "7h"), ("??", "7h", "7h"), ("7?", "7h", "7h"), ("?h", "7h", "7h"), ("?h", "7?", "7h"),
        ("??", "??", "??"), ("7?", "8h", None), ("?h", "7d", None), ("7?", "8?", None), ("7h", "7d", None),
        ("??", "Jo", "Jo"), ("J?", "Jo", None), ("??", "Jo+", "Jo+"), ("Jo+", "Jo-", None), ("Jo=7?", "Jo=7h", "Jo=7h"),
        ("Jo=7h", "Jo", None), ("Jo=7h", "Jo=8h", None),
    ],
)  # fmt: skip
def test_what_two_cards_may_be_together(one: str, two: str, both: str | None) -> None:
    """An unseen card is any card, a half-known one any that fits; both ways round."""
    assert common_card(one, two) == both
    assert common_card(two, one) == both


@pytest.mark.parametrize(
    ("one", "two", "gains"),
    [
        ("N play ??", "N play 7h", "N play 7h"),
        ("N play 7h", "N play ??", "N play 7h"),
        ("N play 7h", "N play 8h", None),
        ("N play 7h", "E play 7h", None),
        ("N play 7h", "N discard 7h", None),
        ("N play up 7h", "N play 7h", "N play up 7h"),
        ("N play up 7h", "N play down 7h", None),
        ("N draw 7h <stock", "N draw ??", "N draw 7h <stock"),
        ("N draw 7h <discard", "N draw ??", None),
        ("N discard ??8c", "N discard 7h??", "N discard 7h8c"),
        ("N discard 7h8c", "N discard 8c7h", None),  # the order of what is thrown is a fact
        ("N draw 7h8c", "N draw 8c7h", "N draw 7h8c"),  # the order in a hand is none
        ("N draw 7h2x??", "N draw 8c??9c", "N draw 8c9c7h"),
        ("N draw 7h??", "N draw 8c9c", None),
        ("N draw 7h2x??", "N draw 7h??9c", "N draw 9c7h??"),
        ("N draw 3x??", "N draw 2x??", None),
        ("N draw *x??", "N draw 7h8c", "N draw 7h8c"),
        ("N draw 7h*x??", "N draw 8c9c", None),
        ("N move * <board >won:NS", "N move 7h8c <board >won:NS", "N move * <board >won:NS"),
        ("@ deal N=8x?? E=8x??", "@ deal E=8x?? N=7h7x??", "@ deal N=7h7x?? E=8x??"),
        ("@ deal N=8x??", "@ deal N=7x??", None),
        ("@ deal N=8x??", "@ deal E=8x??", None),
        ("@ deal N=Ah?h6x??", "@ deal N=AhKh6x??", "@ deal N=AhKh6x??"),
        ("A capture 7h/??4d", "A capture ??/4d3c", "A capture 7h/3c4d"),
        ("A meld KcKd??/4c5c6c", "A meld KcKdKh/4c5c??", "A meld KcKdKh/4c5c6c"),
        ("A meld KcKdKh/4c5c6c", "A meld KcKdKh", None),
        ("N bid 7", "N bid 8", None),
        ("N fault revoke E #3", "N fault revoke E #5", "N fault revoke E #3"),  # each counts its own lines
    ],
)
def test_what_two_events_say_together(one: str, two: str, gains: str | None) -> None:
    """The first, with what the second saw; nothing where both cannot be one act."""
    x, y = (log("kaiser", line)[1].event for line in (one, two))
    assert not isinstance(x, Fix)
    assert not isinstance(y, Fix)
    both, other = merged_event(x, y), merged_event(y, x)
    assert (both is None) == (gains is None) == (other is None)
    if both is not None and other is not None:
        assert write_event(both[0]) == gains
        assert merged_event(both[0], both[1]) is not None
        assert (other[1], other[0]) == both


# -- comparing --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "line", "rows"),
    [
        (8, "E play 8h", []),
        (8, "E play ??", [("b unseen", 8, 8, False)]),
        (8, "E play Tc", [("different", 8, 8, True)]),
        (8, "S play 8h", [("different", 8, 8, True)]),
        (9, "", [("only a", 9, None, True)]),
        (1, "", [("only a", 1, None, False)]),  # the hand begins by itself
        (6, "N name d", [("different", 6, 6, True)]),
        (2, "N bid 8", [("different", 2, 2, True)]),
        (14, "@ claim NS=3", [("only a", 14, None, True), ("only b", None, 14, False)]),
        (14, "@ note {nothing}", [("only a", 14, None, True)]),
    ],
)
def test_each_way_in_which_records_part(
    at: int, line: str, rows: list[tuple[str, int | None, int | None, bool]],
) -> None:
    """One line is not the same; all others agree, and the other way round the sides are exchanged."""
    one, two = put(99, ""), put(at, line)
    found = compare(one, two)
    assert kinds(found) == rows
    assert found.differs == any(row[3] for row in rows)
    turned = {
        "only a": "only b", "only b": "only a", "a unseen": "b unseen", "b unseen": "a unseen", "different": "different"
    }
    assert sorted(map(str, kinds(compare(two, one)))) == sorted(str((turned[k], b, a, real)) for k, a, b, real in rows)


def test_a_card_that_lies_elsewhere_is_a_difference() -> None:
    """Each line agrees with its partner, but both cannot have been: the king would lie in two places."""
    one = log("kaiser", PLAYED.replace("N play Kh", "N play ??").replace("N play Ah", "N play Kh"))
    two = log("kaiser", PLAYED.replace("N play Ah", "N play ??"))
    found = compare(one, two)
    assert {(r.a, r.b) for r in found.rows if r.real} == {(7, 7), (11, 11)}
    assert all("K♥" in r.why for r in found.rows if r.real)
    assert found.differs
    assert merge_records(one, two).fixes == ()


def test_corrections_are_in_place_before_anything_is_compared() -> None:
    """A fixed log and one that was right from the first say the same, whatever their numbers are."""
    late = log(
        "kaiser",
        PLAYED.replace("E play 8h", "E play Tc").replace("    S play Jh\n", "")
        + "    @ fix #8 E play 8h\n    @ fix #12+ S play Jh"
    )
    found = compare(late, log("kaiser", PLAYED))
    assert found.rows == ()
    assert found.same == 14


def test_a_record_that_contradicts_itself_is_named() -> None:
    """It is no witness for the other."""
    twice = put(13, "S play Kh")
    found = compare(twice, put(8, "E play ??"))
    assert any("contradicts itself" in r.why and r.a == 13 for r in found.rows)
    assert merge_records(put(8, "E play ??"), twice).fixes == ()


@pytest.mark.parametrize(("game", "tags"), [("scopa", {}), ("kaiser", {"Seats": "A B C D"})])
def test_records_of_other_tables_are_refused(game: str, tags: dict[str, str]) -> None:
    """There is nothing to compare."""
    with pytest.raises(UsageError):
        compare(log("kaiser", PLAYED), log(game, "@ hand 1", **tags))


def test_other_house_rules_put_everything_in_doubt() -> None:
    """The terms are the first row, and nothing is filled in."""
    one, two = put(8, "E play ??"), log("kaiser", PLAYED, option={"brake": 40})
    found = compare(one, two)
    assert (found.rows[0].hand, found.rows[0].kind, found.rows[0].real) == (0, "different", True)
    assert merge_records(one, two).fixes == ()
    assert [f.at for f in merge_records(one, two).held] == [8]


# -- completing -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_two_recorders_make_one_record(seed: int) -> None:
    """A hidden match, each missing other cards: merged, it is judged as the log of somebody who saw all that was
    played."""
    full = hide(simulate_breaches("kaiser", seed=seed, p=0.1, hands=3)[0])
    plays = [r.n for r in full if isinstance(r.event, Play)]
    random = Random(seed)
    missed = random.sample(plays, 16)
    a, b = blinded(full, set(missed[:8])), blinded(full, set(missed[8:]))
    found = compare(a, b)
    assert not found.differs
    assert {(r.kind, r.a) for r in found.rows} == {
        *(("a unseen", n) for n in missed[:8]), *(("b unseen", n) for n in missed[8:]),
    }
    merged = merge_records(a, b)
    assert (merged.conflicts, merged.held) == ((), ())
    assert sorted(f.at for f in merged.fills) == sorted(missed[:8])
    whole = [*a, *merged.fixes]
    assert [p.event for p in corrected(whole).events] == [r.event for r in full[1:]]
    last = len(a) - 1
    assert whole[: last + 1] == a  # nothing is lost
    ours = [(f.rule, f.verdict, f.at, f.text, f.cards, f.legal) for f in judge(whole).findings]
    assert ours == [(f.rule, f.verdict, f.at, f.text, f.cards, f.legal) for f in judge(full).findings]
    assert fold(whole).standing == fold(full).standing


def test_a_conflict_is_listed_and_nothing_is_chosen() -> None:
    """In the hand where the two part, nothing is filled in; in the next one it is."""
    second = "\n    N hand 2\n    E bid 7\n    S pass\n    W pass\n    N pass\n    E name h\n    E play {}\n"
    a = log("kaiser", PLAYED.replace("E play 8h", "E play ??").replace("S play Jh", "S play Td") + second.format("??"))
    b = log("kaiser", PLAYED + second.format("Ah"))
    merged = merge_records(a, b, ("anna", "ben"))
    assert [
        (r.kind, r.a, r.a_says, r.b_says) for r in merged.conflicts
    ] == [("different", 13, "S play Td", "S play Jh")]
    assert [(f.hand, f.at) for f in merged.held] == [(1, 8)]
    assert [(f.hand, f.at, f.now) for f in merged.fills] == [(2, 21, "E play Ah")]
    (fix,) = merged.fixes
    assert fix.n == len(a)
    assert fix.text == "seen in ben, event 21"
    assert write_event(fix.event) == "@ fix #21 E play Ah"
    events = [p.event for p in corrected([*a, *merged.fixes]).events]
    assert [write_event(events[i]) for i in (7, 12, 20)] == ["E play ??", "S play Td", "E play Ah"]


def test_what_was_put_in_late_is_filled_in_too() -> None:
    """An event that a correction put in is called by the number of that correction."""
    a = log("kaiser", PLAYED.replace("    S play Qh\n", "") + "    @ fix #8+ S play ??")
    merged = merge_records(a, log("kaiser", PLAYED))
    assert [write_event(r.event) for r in merged.fixes] == ["@ fix #14 S play Qh"]
    assert compare([*a, *merged.fixes], log("kaiser", PLAYED)).rows == ()


@examples(25, derandomize=True, deadline=None)
@given(st.integers(0, 5), st.sampled_from(["kaiser", "scopa"]), st.data())
def test_merging_never_says_more_than_was_there(seed: int, game: str, data: st.DataObject) -> None:
    """Whatever each of two honest recorders missed: no conflict, and every card filled in is the one that was
    played."""
    full = simulate(game, seed=seed, hands=1)
    plays = [r.n for r in full if isinstance(r.event, Play)]
    a, b = (blinded(hide(full), data.draw(st.sets(st.sampled_from(plays)))) for _ in range(2))
    merged = merge_records(a, b)
    assert merged.conflicts == ()
    played: dict[int, Event] = {r.n: r.event for r in hide(full)}
    for fix in merged.fixes:
        assert isinstance(fix.event, Fix)
        assert fix.event.event == played[fix.event.at]
    assert compare([*a, *merged.fixes], b).differs is False
    assert all(r.kind == "b unseen" for r in compare([*a, *merged.fixes], b).rows)


@examples(25, derandomize=True, deadline=None)
@given(st.integers(0, 5), st.data())
def test_a_mistyped_card_is_never_filled_in(seed: int, data: st.DataObject) -> None:
    """B wrote a card of this hand at the wrong place: whether A saw that place or not, the hand is not filled."""
    full = hide(simulate("kaiser", seed=seed, hands=1))
    plays = [r.n for r in full if isinstance(r.event, Play)]
    wrong = data.draw(st.sampled_from(plays))
    missed = data.draw(st.sets(st.sampled_from(plays), min_size=1))
    event = full[wrong].event
    assert isinstance(event, Play)
    other = data.draw(
        st.sampled_from(
            [c for r in full if r.n in plays and isinstance(r.event, Play) for c in r.event.cards if r.event != event]
        )
    )
    b = [replace(r, event=replace(event, cards=(other,))) if r.n == wrong else r for r in full]
    merged: Merged = merge_records(blinded(full, missed), b)
    assert merged.fixes == ()
    assert merged.conflicts
    assert wrong in missed or any(r.a == wrong for r in merged.conflicts)


# -- what if ----------------------------------------------------------------------------------------------------------


def test_a_variation_begins_with_the_corrected_events() -> None:
    """Corrections are in their places and gone as such; the opening says where it comes from."""
    lines = (
        PLAYED
        + (
            "    @ fix #8 E play Tc\n    @ fix #10-\n    @ fix #9+ W play 9h\n    @ claim NS=3\n    NS confirm "
            "#18\n    @ ruling #16\n    @ ruling #15 stands\n"
        )
    )
    records = log("kaiser", lines, Match="eve")
    made = variation(records, 12, "eve-v1")
    assert [r.n for r in made] == list(range(13))
    opening = made[0].event
    assert isinstance(opening, Open)
    assert {
        k: opening.facts[k] for k in ("Match", "Parent", "ParentEvent")
    } == {"Match": "eve-v1", "Parent": "eve", "ParentEvent": 12}
    assert [write_event(r.event) for r in made[7:]] == [
        "N play Kh", "E play Tc", "S play Qh", "W play 9h", "N play Ah", "E play Th",
    ]
    assert variation(records, 0, "x")[1:] == []
    later = variation(records, 19, "x", "eve")
    # The claim is event 15 there; a reference to it goes along.
    assert [write_event(r.event) for r in later[15:]] == ["@ claim NS=3", "NS confirm #15"]
    # What is about a correction is about the event corrected; what is about one struck out has lost its matter.
    assert [write_event(r.event) for r in variation(records, 20, "x")[16:]] == ["NS confirm #15"]
    assert [write_event(r.event) for r in variation(records, 21, "x")[16:]] == ["NS confirm #15", "@ ruling #8 stands"]


@pytest.mark.parametrize(
    ("at", "words"), [(15, "a correction of 8"), (10, "struck out"), (99, "no event 99"), (-1, "no event -1")],
)
def test_a_variation_begins_at_an_event_that_stands(at: int, words: str) -> None:
    """Anything else is refused, with the reason."""
    records = log("kaiser", PLAYED + "    @ fix #8 E play Tc\n    @ fix #10-\n")
    with pytest.raises(NotFoundError, match=words):
        variation(records, at, "x")


def test_what_stood_is_not_taken_along() -> None:
    """A variation of a finished match is not finished by its parent's verdict."""
    records = log("kaiser", PLAYED + "    @ end match time\n")
    end = kept_end(records)
    assert end is not None
    whole = [*records, Recorded(n=16, event=end)]
    assert [write_event(r.event) for r in variation(whole, 16, "x")[15:]] == ["@ end match time"]
    assert not fold(variation(whole, 14, "x")).ended


# -- an edited record


@examples(25, derandomize=True, deadline=None)
@given(st.integers(0, 5), st.sampled_from(["kaiser", "scopa"]), st.data())
def test_the_corrections_of_an_edited_record_make_it_what_it_says(seed: int, game: str, data: st.DataObject) -> None:
    """If this failed, a record that was put right in an editor would come back as another one."""
    log = simulate(game, seed=seed, hands=1)
    lines = [r.event for r in log[1:]]
    for _ in range(data.draw(st.integers(1, 4))):
        at, other = data.draw(st.integers(0, len(lines) - 1)), data.draw(st.sampled_from(lines))
        lines[at : at + 1] = data.draw(st.sampled_from([[], [other], [lines[at], other], [other, lines[at]]]))
        lines = lines or [other]
    edited = [log[0], *(Recorded(n=n, event=event) for n, event in enumerate(lines, 1))]
    made = corrections(log, edited)
    whole = [*log, *(one.line for one in made)]
    assert [p.event for p in corrected(whole).events] == lines
    assert bool(made) == (lines != [r.event for r in log[1:]])
    assert corrections(whole, edited) == ()


def test_a_corrected_opening_keeps_the_name_of_the_match() -> None:
    """A file may name other players; which match it is stays."""
    one, two = log("kaiser", PLAYED, Match="a", S="Sana"), log("kaiser", PLAYED, Match="b", S="Sanna")
    (made,) = corrections(one, two)
    assert write_event(made.line.event) == "@ fix #0 @ open Game=kaiser Match=a S=Sanna"
    with pytest.raises(UsageError, match="two forms of one record"):
        corrections(one, log("scopa", "A hand 1"))
