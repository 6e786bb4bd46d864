"""A replay as data: frames and what changes of them, what later events show, what a viewer may not see."""

from __future__ import annotations

import gzip
import itertools
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import mayhem
import msgspec
import pytest
import replays
from given import log
from msgspec.structs import replace
from replays import EXAMPLES, doc_of, records_of
from sampling import a_few, sampled, sized

from events.errors import NotFoundError, UsageError
from events.kib import read_kib as read_kib
from events.model import Deal, Fix, Gap, Recorded
from events.packs import PACKS
from reducers.evolve import evolve
from reducers.first_state import begin
from reducers.model import State
from reducers.registry import PAGES
from replay.fold import apply_events, fold
from replay.read_log import ReadLog, read_log
from replay.redact import hide
from replay.simulate import simulate, simulate_breaches
from replay.table.frame import EMPTY, contract_of, frame
from replay.viewer.document import document
from replay.viewer.frames import Frames, apply_frame_change

UNTOLD = (
    "position", "inferred", "phase_name", "expects", "viewer", "game", "name", "seats", "sides", "names", "unread",
)
"""Parts of a frame that are elsewhere: position and inferences at each event; unread lines, phases and terms once for
all."""
ONCE = ("viewer", "game", "name", "seats", "sides", "names")


def whole_frame(state: State[Any], viewer: str) -> dict[str, Any]:
    """A frame as data, with piles by name in their order."""
    out: dict[str, Any] = msgspec.to_builtins(frame(state, viewer))
    for key in UNTOLD:
        del out[key]
    piles = out.pop("piles")
    out["piles"] = {pile["name"]: {key: value for key, value in pile.items() if value not in EMPTY} for pile in piles}
    return out


def as_json(value: Any) -> Any:
    """A value as it comes out of the page."""
    return msgspec.json.decode(msgspec.json.encode(value))


def frames_of(doc: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Each step of a replay with the frame after it."""
    for hand in doc["hands"]:
        now = hand["frame"]
        for step in hand["steps"]:
            now = apply_frame_change(now, step.get("change", {}))
            yield step, now


def walked(records: ReadLog, viewer: str) -> Iterator[tuple[int, dict[str, Any], dict[str, Any]]]:
    """At each event the frame that comes of the changes so far, and the one made anew of events folded one by one."""
    state, now = begin(records.view.opening.facts), dict[str, Any]()
    frames = Frames(state, viewer)
    for placed in records.view.events:
        state.at = state.table.now = placed.n
        evolve(state, placed.event)
        # What a page says of the contract alone is what its score has.
        assert not state.number or state.settled or contract_of(state) == state.game.score(state).contract, placed.n
        now = as_json(frames.whole()) if frames.anew else apply_frame_change(now, as_json(frames.changed()))
        yield placed.n, now, as_json(whole_frame(state, viewer))


def spoiled(game: str, seed: int) -> Iterator[Sequence[Recorded]]:
    """Logs with breaches and slips, hidden, seen by half, corrected, with gaps and lines struck out, or never to be
    written at all."""
    rng = Random(f"frames/{game}/{seed}")
    played, _ = simulate_breaches(game, seed=seed, p=0.15, hands=2)
    yield played
    yield hide(played)
    yield struck(played, rng)
    yield half_seen(played, rng)
    yield from mayhem.logs(game, seed)


def struck(records: Sequence[Recorded], rng: Random) -> list[Recorded]:
    """A log with a gap in it, and with corrections behind it: of lines struck out, put in, and replaced by others."""
    at = sorted(rng.sample(range(1, len(records)), 4))
    events = [r.event for r in records[1:]]
    fixes = [
        Fix(by="@", at=at[0], how="strike"), Fix(by="@", at=at[1], how="insert", event=events[at[2] - 1]),
        Fix(by="@", at=at[2], how="replace", event=events[at[0] - 1]),
    ]
    cut = at[3]
    return [
        records[0],
        *(Recorded(n=n, event=e) for n, e in enumerate([*events[:cut], Gap(by="@"), *events[cut:], *fixes], 1)),
    ]


def half_seen(records: Sequence[Recorded], rng: Random) -> list[Recorded]:
    """A log in whose deals some cards were seen by half, or not at all."""
    def seen(card: str) -> str:
        return card if len(card) != 2 or rng.random() > 0.1 else rng.choice(("??", f"{card[0]}?", f"?{card[1]}"))

    return [
        replace(
            r, event=replace(r.event, piles=tuple((name, tuple(map(seen, cards))) for name, cards in r.event.piles)),
        )
        if isinstance(r.event, Deal) else r for r in records
    ]  # fmt: skip


@sampled("game,seed", list(PAGES), [0, 1], each=1, soak=range(2, 12), short=2)
def test_the_changes_make_the_frame_however_a_log_was_spoiled(game: str, seed: int) -> None:
    """If this failed, the picture would go wrong where there is a doubt."""
    for i, records in enumerate(spoiled(game, seed)):
        for n, now, anew in walked(read_log(records), "all"):
            assert now == anew, (i, n)


@sampled("game,seed", list(PAGES), [1, 2, 3], each=1, soak=range(4, 24))
def test_the_changes_make_the_frame_at_every_event(game: str, seed: int) -> None:
    """If this failed, a viewer would show another table than `show` does, from some event on."""
    played = simulate(game, seed=seed, hands=2 if seed > 3 else 1)
    # In the soak both kinds of onlooker, else one of them.
    seat = str(begin(played[0].event.facts).terms.seats[0])
    for viewer in ("all", "public", seat) if seed > 3 else ("all", ("public", seat)[seed % 2]):
        hidden = read_log(played if viewer == "all" else hide(played, viewer))
        for n, now, anew in walked(hidden, viewer):
            assert now == anew, (viewer, n)


@pytest.mark.parametrize("path", a_few(EXAMPLES, 6), ids=lambda p: p.stem)
def test_the_positions_of_an_example_are_those_of_show(path: Path) -> None:
    """If this failed, the picture in a browser would not be the one in the terminal."""
    records = records_of(path)
    fixes = [(r.event.at, r.n) for r in records if isinstance(r.event, Fix)]
    view, doc = read_log(records).view, doc_of(path)
    told = {step["n"]: now for step, now in frames_of(doc)}
    assert list(told) == [p.n for p in view.events]
    # What `show --at` knows of a place that is corrected later is what stood there then; here it is what stands now.
    settled = [n for n in told if not any(at <= n < by for at, by in fixes)] or list(told)
    places = settled[:: max(1, len(settled) // 10)]
    for n in places:
        shown = as_json(frame(fold(records, until=n)))
        known = {**told[n], **{key: doc[key] for key in ONCE}}
        assert known.pop("piles").keys() == {p["name"] for p in shown["piles"]}
        for pile in shown.pop("piles"):
            assert {
                **dict.fromkeys(pile), **told[n]["piles"][pile["name"]]
            } == {key: value or None for key, value in pile.items()}
        assert known == {key: value for key, value in shown.items() if key not in UNTOLD or key in ONCE}


@pytest.mark.parametrize("path", a_few(EXAMPLES, 6), ids=lambda p: p.stem)
def test_corrected_events_are_told_as_they_stand(path: Path) -> None:
    """If this failed, a replay would show what was typed by mistake."""
    view = read_log(records_of(path)).view
    told = {step["n"]: now for step, now in frames_of(doc_of(path))}
    corrected = [i for i, p in enumerate(view.events) if p.was]
    for i in corrected[:3]:
        state = apply_events(view.opening, view.events[: i + 1])
        assert told[view.events[i].n] == as_json(whole_frame(state, "all"))
        assert {c["of"] for c in doc_of(path)["corrections"]} >= {view.events[i].n}


@pytest.mark.parametrize("path", a_few(EXAMPLES, 6), ids=lambda p: p.stem)
def test_the_data_of_an_example_are_small(path: Path) -> None:
    """If this failed, a match would be too large for a chat."""
    packed = gzip.compress(json.dumps(doc_of(path), ensure_ascii=False, separators=(",", ":")).encode(), 9)
    assert len(packed) <= 60_000 * max(len(records_of(path)), 150) / 300


def example(name: str) -> dict[str, Any]:
    """The replay of an example by its name."""
    return doc_of(replays.example(name))


def step_at(doc: dict[str, Any], n: int) -> dict[str, Any]:
    """The step of an event."""
    return next(step for step, _ in frames_of(doc) if step["n"] == n)


@pytest.mark.parametrize(
    ("name", "n", "says", "short"),
    [
        ("kaiser-evening", 96, "Doris plays the nine of clubs.", "9♣"),
        ("kaiser-evening", 86, "Walter bids 6.", "6"),
        ("kaiser-evening", 90, "Olena names spades.", "♠"),
        (
            "kaiser-evening", 123, "The table claims Marcel & Doris 8, Olena & Walter 23.",
            "claims Marcel & Doris 8, Olena & Walter 23",
        ),
        ("russian-bank-sunday", 106, "Bastien moves the jack of spades onto the queen of clubs.", "J♠ on Q♣"),
        (
            "russian-bank-sunday", 98, "Odile moves the jack of spades from their column 4 to Bastien's discard pile.",
            "J♠ to Bastien's discard pile",
        ),
        ("russian-bank-sunday", 100, "Bastien turns the four of hearts.", "turns 4♥"),
        (
            "scopa-sunday", 7, "Rosa takes the ace of diamonds and the four of diamonds with the five of clubs.",
            "5♣ takes A♦ 4♦",
        ),
        (
            "burraco-club", 6, "Giulia takes the six of diamonds from the discard pile.",
            "takes 6♦ from the discard pile",
        ),
        ("pontoon-kitchen", 40, "Ken's hand 2 sticks.", "sticks"),
        ("pluck-cabin", 57, "Bill passes an unseen card to Ada.", "an unseen card to Ada"),
        ("pluck-cabin", 60, "Ada passes the eight of diamonds to Bill.", "8♦ to Bill"),
        ("mattis-evening", 15, "Sindre plays a four.", "4?"),
        (
            # What is so needs no yes.
            "kaiser-evening", 126,
            "The table tells the result: declarer Marcel, five Marcel & Doris, level 7, no trump, three "
            "Olena & Walter, tricks: Marcel & Doris 6, Olena & Walter 2.",
            (
                "tells the result: declarer Marcel, five Marcel & Doris, level 7, no trump, three Olena & "
                "Walter, tricks: Marcel & Doris 6, Olena & Walter 2"
            ),
        ),
        (
            # The ace of trumps is nobody's seat.
            "scotch-whist-burns-night", 80,
            "The table tells the result: captor: 10 Craig, A Craig, K Ailsa, Q Craig, J Craig, tricks: "
            "Ailsa 2, Blair 1, Craig 3, Donalda 1, trump ♠.",
            (
                "tells the result: captor: 10 Craig, A Craig, K Ailsa, Q Craig, J Craig, tricks: Ailsa 2, "
                "Blair 1, Craig 3, Donalda 1, trump ♠"
            ),
        ),
    ],
)
def test_an_event_is_told_with_names_and_words(name: str, n: int, says: str, short: str) -> None:
    """If this failed, a listener would hear letters and signs, or the wrong thing."""
    step = step_at(example(name), n)
    assert (step["says"], step["short"]) == (says, short)


@pytest.mark.parametrize(
    ("ruling", "says"),
    [
        ("#3 #1 points.NS=5 points.EW=-5", "The table rules on events 1 and 3 (Ann & Cleo +5, Ben & Dora −5)."),
        ("#3 adjust points.NS=-3", "The table rules on what Ann disputed at 3: points change (Ann & Cleo −3)."),
        ("#3 forfeit hand=NS", "The table rules on what Ann disputed at 3: forfeit (hand Ann & Cleo)."),
        ("#3 stands rule=R11", "The table rules on what Ann disputed at 3: what happened stands (rule R11)."),
        ("#3 revoke", "The table rules on what Ann disputed at 3: revoke."),
    ],
)
def test_a_ruling_is_told_in_words(ruling: str, says: str) -> None:
    """If this failed, those who follow would read what was typed, and not what was decided."""
    doc = as_json(
        document(
            log(
                "kaiser", f"W hand 1\nN pass\nN dispute #2 revoke\n@ ruling {ruling}", N="Ann", E="Ben", S="Cleo",
                W="Dora",
            )
        )
    )
    assert step_at(doc, 4)["says"] == says


@pytest.mark.both
def test_no_seat_goes_by_its_letter() -> None:
    """If this failed, a sentence would name a seat where the player's name is known."""
    for path in EXAMPLES[:: sized(8, 1)]:
        doc = doc_of(path)
        named = {who for who, name in doc["called"].items() if name != who and len(who) == 1}
        for step, _ in frames_of(doc):
            words = step["says"].replace(",", " ").replace(":", " ").rstrip(".").split()
            # A card of which only the rank was seen begins with a letter too, and an article may.
            assert not named & set(words) or {"A"} >= named & set(words), step["says"]
        for offer in doc["offers"]:
            assert not named & set(re.findall(r"\w+", offer["text"])), offer["text"]


@pytest.mark.parametrize("path", a_few(EXAMPLES, 6), ids=lambda p: p.stem)
def test_no_pile_goes_by_the_name_that_the_record_has_for_it(path: Path) -> None:
    """If this failed, a player would read of `col:B:2`, which nobody at a table says."""
    doc = doc_of(path)
    piles = {
        name for hand in doc["hands"] for step in [{"change": hand["frame"]}, *hand["steps"]]
        for name in step.get("change", {}).get("piles", {})
    }
    steps = [
        text for hand in doc["hands"] for step in hand["steps"]
        for text in (step["says"], step["short"], *step.get("inferred", []))
    ]
    found = [
        text for f in doc["findings"]
        for text in (
            f["says"], f["title"], *f["legal"], *f["because"], *f["settles"], *(link["text"] for link in f["chain"]),
        )
    ]
    assert not [
        (name, text) for name in piles if ":" in name for text in (*steps, *found)
        if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
    ]


@pytest.mark.rest
def test_a_proof_quotes_an_event_in_the_words_of_the_moves() -> None:
    """If this failed, an explanation would fall back into what was typed."""
    because = next(f for f in doc_of(replays.example("russian-bank-sunday"))["findings"] if f["at"] == 77)["because"]
    assert because[-1] == (
        "Odile's reserve held 5♥ at 77: nothing unseen came in after 76, and 81 shows it: "
        "Odile moves the five of hearts from their reserve onto the four of hearts"
    )


def test_the_record_itself_is_there_for_whoever_may_see_all_of_it() -> None:
    """If this failed, nobody could go on with a match that was sent to them; or a spectator could read the hands in
    it."""
    path = replays.example("kaiser-evening")
    again = read_kib(doc_of(path)["kib"])
    assert (again.errors, tuple(again.records)) == ([], records_of(path))
    for other in (
        document(records_of(path), "public"), document(records_of(path), "N"), document(records_of(path), hand=3),
    ):
        assert other["kib"] == ""


def test_a_finding_brings_its_proof_and_the_cards_it_turns() -> None:
    """If this failed, a viewer could not show why a card on the table is known."""
    doc = example("kaiser-evening")
    found = next(f for f in doc["findings"] if f["at"] == 96)
    assert (
        found["rule"], found["verdict"], found["known"], found["title"],
    ) == ("kaiser.R11", "broken", 118, "Doris: follow suit")
    assert [one["n"] for one in found["chain"]] == [85, 96, 118]
    assert found["shows"] == [{"pile": "W", "card": "Jd", "n": 118}]
    hand = next(h for h in doc["hands"] if h["number"] == found["hand"])
    at = [s["n"] for s in hand["steps"]]
    pile, card, since, until = next(stay for stay in hand["later"] if stay[:2] == ["W", "Jd"])
    assert (pile, card, at[since], at[until]) == ("W", "Jd", 85, 118)


@pytest.mark.parametrize("path", a_few(EXAMPLES, 6), ids=lambda p: p.stem)
def test_what_is_known_later_lay_there_unseen(path: Path) -> None:
    """If this failed, a card would be turned in a hand in which no unseen card lay, or be drawn twice."""
    for hand in doc_of(path)["hands"]:
        now, frames = hand["frame"], []
        for step in hand["steps"]:
            now = apply_frame_change(now, step.get("change", {}))
            frames.append(now["piles"])
        for pile, card, since, until in (*hand["later"], *hand["counted"]):
            assert 0 <= since < until <= len(frames)
            for piles in frames[since:until]:
                if pile in piles:
                    cards = piles[pile].get("cards", [])
                    assert piles[pile].get("vague") or any("?" in text for text in cards), (pile, card, since, until)


@pytest.mark.both
def test_each_event_is_in_a_group_and_tricks_have_their_winner() -> None:
    """If this failed, a list of moves would leave one out, or put a card into the wrong trick."""
    for path in EXAMPLES[:: sized(8, 1)]:
        for hand in doc_of(path)["hands"]:
            assert {s.get("group", 0) for s in hand["steps"]} == set(range(len(hand["groups"])))
    hand = example("kaiser-evening")["hands"][2]
    tricks = [g for g in hand["groups"] if g["kind"] == "trick"]
    assert [g["label"] for g in tricks] == list("12345678")
    assert [(g["leader"], g["winner"]) for g in tricks[:3]] == [("S", "S"), ("S", "N"), ("N", "W")]
    turns = [g for g in example("russian-bank-sunday")["hands"][0]["groups"] if g["kind"] == "turn"]
    assert [g["by"] for g in turns] != []
    assert all(a["by"] != b["by"] for a, b in itertools.pairwise(turns))




def test_a_trick_that_is_talked_into_stays_one() -> None:
    """If this failed, a trick would have two rows in the list of moves, and neither would be a trick."""
    for hand in doc_of(replays.example("tresette-osteria"))["hands"]:
        labels = [group["label"] for group in hand["groups"] if group["kind"] == "trick"]
        assert len(labels) == len(set(labels))
    assert {"turn", "trick"} <= {group["kind"] for group in hand["groups"]}, "something was said in that hand"


def test_what_a_hand_came_to_is_told_by_names() -> None:
    """If this failed, `beaten by C` would stand where everybody calls her Shira."""
    results = {
        hand["result"] for name in ("yaniv-hostel", "california-speed-beach", "botifarra-cafe")
        for hand in doc_of(replays.example(name))["hands"]
    }
    assert {"beaten by Shira", "Tyler won", "Montse & Pau"} <= results


def test_captures_to_choose_from_stand_at_the_event() -> None:
    """If this failed, nobody would see that other cards could have been taken."""
    records = log("scopa", "B hand 1\n@ deal board=6cAd6hKs A=3x?? B=3x??\nA capture 7c/6cAd\n")
    step = as_json(document(records))["hands"][0]["steps"][-1]
    assert sorted(sorted(take) for take in step["choices"]) == [["6c", "Ad"], ["6h", "Ad"]]


def test_a_meld_says_what_it_is() -> None:
    """If this failed, a burraco would not be told from another meld, nor what its wild card stands for."""
    last = next(now for step, now in frames_of(example("burraco-club")) if step["n"] == 84)["piles"]
    melds = {name: pile for name, pile in last.items() if name.startswith("meld:")}
    kinds = {pile["kind"]: name for name, pile in melds.items() if pile.get("kind")}
    assert set(kinds) == {"burraco, dirty"}
    assert melds[kinds["burraco, dirty"]]["wild"] == [["2d", "8s"]]


def test_hands_of_a_bank_have_totals_and_stakes() -> None:
    """If this failed, a table of Pontoon would be cards without a sense."""
    at49 = next(now for step, now in frames_of(example("pontoon-kitchen")) if step["n"] == 49)["piles"]
    told = {
        name: (pile.get("total"), pile.get("stake"), pile.get("out", False)) for name, pile in at49.items()
        if pile.get("holding")
    }
    bank = example("pontoon-kitchen")["hands"][1]["dealer"]
    assert told[bank] == ("17", None, False)
    assert ("20", 5, False) in told.values()
    assert ("bust", 5, True) in told.values()


# -- what a viewer may not see ----------------------------------------------------------------------------------------

OPEN = """
W hand 1
@ deal hand:N=AsTsQd8d7dJc9c7c hand:E={E} hand:S=QsJs8s3sAdAcKc8c hand:W={W}
N pass
E bid 7
S pass
W pass
E name h
N play As
E play 9s
"""
ONE = {"E": "9sAhKhQhJhJdTdQc", "W": "KsTh9h8h5hKd9dTc"}
OTHER = {"E": "9sAhKhQhJhJdTdKd", "W": "KsTh9h8h5hQc9dTc"}


@pytest.mark.parametrize("viewer", ["public", "N", "S"])
def test_what_is_hidden_makes_no_difference(viewer: str) -> None:
    """If this failed, the data of a page would say something about cards that its reader may not see."""
    one, other = (log("kaiser", OPEN.format(**hands)) for hands in (ONE, OTHER))
    assert msgspec.json.encode(document(one, viewer)) == msgspec.json.encode(document(other, viewer))


def test_a_difference_that_may_be_seen_is_there() -> None:
    """If this failed, the test above would find nothing wherever it looked."""
    one, other = (log("kaiser", OPEN.format(**hands)) for hands in (ONE, OTHER))
    for viewer in ("all", "E", "W"):
        assert msgspec.json.encode(document(one, viewer)) != msgspec.json.encode(document(other, viewer))


@sampled("game,viewer", list(PAGES), ["public", "a seat"], each=1)
def test_only_what_was_seen_is_asked(game: str, viewer: str) -> None:
    """If this failed, something of the open log would go into the data of somebody who did not see it."""
    played = simulate(game, seed=1, hands=1)[:60]
    seat = str(begin(played[0].event.facts).terms.seats[-1])
    who = viewer if viewer == "public" else seat
    assert msgspec.json.encode(document(played, who)) == msgspec.json.encode(document(hide(played, who), who))


def test_the_total_of_hidden_cards_is_not_told() -> None:
    """If this failed, everybody would know what a hand comes to of which one card lies face down."""
    records = log("pontoon", """
        A hand 1
        @ deal down hand:B=Ks hand:A=9d
        B bet 3
        A deal up hand:B=8c hand:A=4h
        B pass
    """)
    for viewer, total in (("all", "18"), ("B", "18"), ("A", None), ("public", None)):
        pile = [now for _, now in frames_of(as_json(document(records, viewer)))][-1]["piles"]["B"]
        assert (pile.get("total"), pile["stake"], pile["says"]) == (total, 3, "sticks"), viewer


def test_a_viewer_a_hand_or_an_event_that_is_not_there_is_refused() -> None:
    """If this failed, a mistyped seat would get the view of somebody else."""
    records = records_of(replays.example("kaiser-evening"))
    with pytest.raises(UsageError):
        document(records, "Q")
    with pytest.raises(NotFoundError):
        document(records, hand=9)
    with pytest.raises(NotFoundError):
        document(records, hand=3, start=9)


def test_one_hand_has_what_belongs_to_it() -> None:
    """If this failed, the page of one hand would tell of the others."""
    doc = as_json(document(records_of(replays.example("kaiser-evening")), hand=3, start=96))
    assert [h["number"] for h in doc["hands"]] == [3]
    assert doc["start"] == 96
    assert {f["hand"] for f in doc["findings"]} == {3}
    assert doc["corrections"] == []
    assert {s["n"] for s in doc["said"]} == {123, 124}


def test_cards_are_said_with_the_pack_on_the_table() -> None:
    """If this failed, a table with Italian cards would read of queens and hearts."""
    records = log(
        "scopa", "B hand 1\n@ deal board=6cAd6hKs A=3x?? B=3x??\nA capture Kd/Ks\n", Pack="italian", A="Queen of Clubs",
    )
    records = [*records[:-1], msgspec.structs.replace(records[-1], text="the king of hearts lay there")]
    doc = as_json(document(records))
    step = doc["hands"][0]["steps"][-1]
    assert (step["says"], step["short"]) == (
        "Queen of Clubs takes the re di spade with the re di denari.", "Rd takes Rs",
    )
    assert (step["cards"], step["text"], doc["names"]["A"]) == (
        ["Kd", "Ks"], "the king of hearts lay there", "Queen of Clubs",
    )
    assert (doc["pack"]["signs"], doc["pack"]["called"]["7d"]) == ("italian", ["7d", "sette di denari"])
    assert as_json(document(records, pack=PACKS["french"]))["hands"][0]["steps"][-1]["short"] == "K♦ takes K♠"
    assert example("kaiser-evening")["pack"]["called"] == {}


def test_a_breach_that_only_the_holder_knows_is_not_told() -> None:
    """If this failed, a finding would say what lies in a closed hand."""
    revoke = OPEN.replace("E play 9s", "E play Qc")
    other = {"E": "9hAhKhQhJhJdTdQc", "W": "KsTh9s8h5hKd9dTc"}
    one, two = (log("kaiser", revoke.format(**hands)) for hands in (ONE, other))
    assert [f["rule"] for f in as_json(document(one))["findings"]] == ["kaiser.R11"]
    assert as_json(document(two))["findings"] == []
    for viewer in ("public", "N"):
        assert msgspec.json.encode(document(one, viewer)) == msgspec.json.encode(document(two, viewer))
        assert [f["verdict"] for f in as_json(document(one, viewer))["findings"]] == ["open"]


def test_a_frame_tells_the_total_only_to_whom_it_shows_the_cards() -> None:
    """If this failed, `show --as` would give away a hand by its total."""
    lines = "A hand 1\n@ deal down hand:B=Ks hand:A=9d\nB bet 3\nA deal up hand:B=8c hand:A=4h\n"
    for viewer, total in (("all", "18"), ("B", "18"), ("A", ""), ("public", "")):
        pile = next(p for p in frame(fold(log("pontoon", lines)), viewer).piles if p.name == "B")
        assert (pile.total, pile.stake) == (total, 3), viewer


def test_what_is_said_about_the_record_interrupts_no_trick() -> None:
    """If this failed, a remark in the middle of a trick would make two of it."""
    lines = OPEN.format(**ONE).replace("N play As\n", "N play As\n@ note {somebody coughed}\n")
    groups = as_json(document(log("kaiser", lines)))["hands"][0]["groups"]
    assert [(g["kind"], g["label"]) for g in groups][-2:] == [("trick", "1"), ("about", "")]
