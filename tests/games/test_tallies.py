"""What a tally can say, in every game: each fact within its bounds, no two against each other, and no guess in the
score."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

import pytest
from given import given, log
from hypothesis import given as given_cards
from hypothesis.strategies import integers, lists, sampled_from
from msgspec.structs import replace
from sampling import each_game, sampled

from events.model import Bid, Event, Facts, Gap, Hand, Pass, Recorded, Tally
from reducers.evolve import evolve
from reducers.facts import UNREAD, Fact, flat, limit, set_fact
from reducers.first_state import begin
from reducers.registry import PAGES, find_game, games_with_cards
from reducers.tally import TallyFacts, read_by_the_page
from reducers.tally_declarations import declared
from reducers.words.card_sums import can_count, shared_by_two
from reducers.words.shown_facts import Beginning, LyingCards, by_moves, contradicted, shown_facts
from reducers.words.tallies import contradictory_facts, last_values, readable
from replay.degrade import Kind, degrade, onlookers
from replay.fold import apply_events, corrected, fold
from replay.judging.judge import judge
from replay.redact import PUBLIC, hide
from replay.scoring.score_shapes import ScoredHand
from replay.scoring.three_ways import score_match
from replay.simulate import Truth, simulate
from replay.table.line_reader import LineReader
from replay.testing.corpus import told_by_tally

GAMES = sorted(PAGES)
PLAYED = games_with_cards()

# A whole result of each game: everything its score rests on, and two facts of one thing where the page knows two.
WHOLE = {
    "botifarra": "strain=h multiplier=2 points.NS=50 points.EW=22 tricks.NS=7 tricks.EW=5",
    "bridge-solitaire": "declarer=P level=1 strain=c jokers=1 tricks=7 honors=150 househonors=0",
    "briscola": "points.A=66 points.B=54 trump=h",
    "burraco": (
        "melds.NS=310 melds.EW=150 left.NS=25 left.EW=90 clean.NS=1 clean.EW=0 dirty.NS=0 dirty.EW=1 closed=NS "
        "pozzetto.NS=yes pozzetto.EW=no"
    ),
    "calabrasella": "declarer=B points=19 defenders=14 aside=2",
    "california-speed": "winner=A left.A=0 left.B=7",
    "conquian": "winner=A table.A=11 table.B=7 stock=3 forces=1",
    "couillon": "declarer=S points.NS=9 points.EW=13 trump=h",
    "court-piece": "winner=NS tricks.NS=8 tricks.EW=5 trump=s",
    "ecarte": "tricks.A=3 tricks.B=2 vulnerable=B king=A upcard=no",
    "envite": "winner=NS stake=4 ending=played",
    "dingo": (
        "won.A=Ac,As,Ah,Ad won.B=5h,5c won.C=5s,5d won.D=- penalty.A=- penalty.B=2h penalty.C=- penalty.D=3h "
        "red.D=4h"
    ),
    "funfzehnern": "points.A=21 points.B=9 points.C=16 points.D=14",
    "hasenpfeffer": "declarer=S level=4 trump=h tricks.NS=5 tricks.EW=1",
    "jersey-gin": "ending=knock by=A deadwood.A=9 deadwood.B=11 deadwood.C=14",
    "kaiser": "declarer=N level=7 trump=h tricks.NS=5 tricks.EW=3 five=NS three=EW",
    "kowah": "winner=B ending=drawn card=5h",
    "machiavelli": "winner=A left.A=0 left.B=7",
    "malilla": "points.NS=41 points.EW=29 bonus=3 tricks.NS=6 tricks.EW=4 trump=h",
    "mattis": "mattis=B out=C,A blamattis=C trump=h",
    "myllymatti": "loser=B out=C,A trump=h",
    "omi": "tricks.NS=5 tricks.EW=3 trump=s",
    "pad": "points.A=12 points.B=-3",
    "pay-me": "out=A deadwood.B=35",
    "pluck": "tricks.A=8 tricks.B=6 tricks.C=3 trump=h",
    "poke": "tricks.A=2 tricks.B=3 multiplier.A=2 multiplier.B=1 better=B class=four",
    "pontoon": "banker=B stake.A=4 class.A=20 bank=18 next=B",
    "rumino": "ending=knock by=A deadwood.A=5 deadwood.B=23",
    "russian-bank": "out=A cards.A=0 reserve.A=0 cards.B=10 reserve.B=4",
    "scopa": (
        "cards.A=21 cards.B=19 diamonds.A=6 diamonds.B=4 seven=A primiera.A=78 primiera.B=65 sweeps.A=1 sweeps.B=0"
    ),
    "tresette": "melds.NS=3 melds.EW=0 figures.NS=11 figures.EW=9 aces.NS=2 aces.EW=2 last=EW",
    "turnover-bridge": "tricks.A=14 tricks.B=7",
    "tute": "points.NS=114 points.EW=76 trump=h",
    "scotch-whist": (
        "captor.10=A tricks.A=5 tricks.B=2 tricks.C=1 tricks.D=1 captor.A=B captor.K=C captor.Q=A captor.J=D trump=d"
    ),
    "seven-and-a-half": "banker=D stake.A=4 class.A=6.5 stake.B=2 class.B=bust stake.C=3 class.C=natural bank=6",
    "stealing-bundles": "cards.A=24 cards.B=26",
    "put-and-take": "put.A=1 put.B=6 put.C=8 take.A=7 take.B=11 take.C=0",
    "xeri": "xeri.A=1 xeri.B=0 cards.A=30 honours.A=11 ten=A two=B",
    "play-or-pay": "winner=A paid.A=9 paid.B=10 paid.C=13 paid.D=9 left.B=4 left.C=7 left.D=3",
    "ziginette": "banker=D ending=matched won.A=20 lost.A=15 won.B=0 lost.B=4 won.C=5 lost.C=0",
    "zetema": "points.A=55 points.B=85",
    "yaniv": "caller=A total.A=4 total.B=17",
}
# What is taken for granted if it is left out, as its meaning says.
LEFT_OUT = {"multiplier", "ending", "jokers", "honors", "househonors", "no", "void"}
LEFT_OUT_OF = {"ecarte": {"vulnerable", "king", "upcard"}, "tresette": {"melds.NS", "melds.EW"}}
WRONG: dict[str, tuple[Any, ...]] = {
    "number": ("two", "", True, ["A"], ["1", "2"]),
    "choice": ("zz", "", 99, True, ["c", "d"]),
    "somebody": ("Q", "", 3, True, ["A", "B"]),
    "yes or no": ("maybe", "", 3, ["A"]),
    "seats": ("Q", 3, True, ["A", "Q"], [1]),
    "cards": ("1x", 3, True, ["7d", "7d"], ["7d", "Q"], [7]),
    "anything": (3, ["A"], -1),
}


def hand(game: str, facts: str, **tags: str) -> list[Recorded]:
    """One hand of which only this is told."""
    terms = begin({"Game": game, **tags}).terms
    first = terms.seats[0] if game == "bridge-solitaire" else terms.dealer
    return log(game, f"{first} hand 1\n@ tally {facts}" if facts else f"{first} hand 1", **tags)


def told(game: str, facts: Facts) -> list[Recorded]:
    """The same, with facts of any kind."""
    return [*hand(game, ""), Recorded(n=2, event=Tally(by="@", facts=facts))]


def one(key: str, value: Any) -> Facts:
    """A single fact by its dotted key."""
    facts: Facts = {}
    set_fact(facts, key, value)
    return facts


def keys(game: str) -> Iterator[tuple[str, str, Fact]]:
    """Every key of a game as it may be written, the key it is declared by, and the fact."""
    terms = begin({"Game": game}).terms
    for key, fact in find_game(game).tally.facts.items():
        assert isinstance(fact, Fact)
        yield key.replace("*", next(iter(terms.sides))).replace("#", "1"), key, fact


def beyond(game: str, fact: Fact) -> Iterator[int]:
    """Numbers just outside the bounds of a fact."""
    terms = begin({"Game": game}).terms
    low, high = limit(fact.least, terms), limit(fact.most, terms)
    if fact.only:
        numbers = [n for n in fact.only if isinstance(n, int)]
        low, high = min(numbers), max(numbers)
    yield from (low - 1, -1000) if low is not None else ()
    yield from (high + 1, 10**9) if high is not None else ()
    yield from (1,) if fact.step > 1 else ()


def points(records: list[Recorded]) -> ScoredHand:
    """The first hand, scored."""
    return score_match(records).hands[0]


# -- what cannot be is found


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_result_is_clean_and_certain(game: str) -> None:
    """If this failed, the tests below would prove nothing."""
    records = hand(game, WHOLE[game])
    assert judge(records).findings == []
    assert None not in points(records).points.values()
    assert points(records).unknown == ()


@pytest.mark.parametrize("game", GAMES)
def test_every_fact_that_cannot_be_is_found_and_nobody_knows_it(game: str) -> None:
    """If this failed, forty-one cards of forty would be taken for a result."""
    for key, shape, fact in keys(game):
        wrong = [*WRONG[fact.kind], *(beyond(game, fact) if fact.kind == "number" else ())]
        for value in wrong:
            verdict = judge(told(game, one(key, value)))
            rule = f"{game}.{fact.rule}" if fact.rule else "table.T10"
            assert rule in {f.rule for f in verdict.broken}, (key, value)
            assert {f.rule for f in verdict.broken if f.rule.startswith("table.")} <= {rule}, (key, value)
            read = dict(flat(readable(verdict.state)[0]))
            assert read[key] == (value if fact.stands and type(value) is int else UNREAD), (shape, value)


@pytest.mark.parametrize("game", GAMES)
def test_every_fact_that_can_be_is_taken_as_it_is_told(game: str) -> None:
    """If this failed, a result that is right would be called impossible."""
    state = begin({"Game": game})
    sides, seats = list(state.terms.sides), list(state.terms.seats)
    for key, _, fact in keys(game):
        right: dict[str, list[Any]] = {
            "number": [
                *fact.only,
                *(
                    n for n in (limit(fact.least, state.terms), limit(fact.most, state.terms)) if n is not None
                    and not fact.only
                )
            ],
            "choice": list(fact.only),
            "somebody": [*(sides if "side" in fact.who else ()), *(seats if "seat" in fact.who else ()), *fact.only],
            "yes or no": [True, False], "seats": [seats[0], seats[:2]], "cards": ["7d", ["7d", "6c"]],
            "anything": ["misdeal", True, False],
        }  # fmt: skip
        for value in [*right[fact.kind], None]:
            assert [why for rule, why in contradictory_facts(one(key, value), state) if key in why] == [], (key, value)


@pytest.mark.parametrize("game", GAMES)
def test_a_side_a_number_or_a_fact_that_does_not_exist_is_found(game: str) -> None:
    """If this failed, what was told of nobody would go by in silence."""
    for key, shape, fact in keys(game):
        strange = [key + ".A", key + "x"]
        strange += [shape.replace("*", who).replace("#", "1") for who in ("Q", "a", "*", "1")] if "*" in shape else []
        strange += [shape.replace("#", n) for n in ("0", str(fact.numbered + 1), "x", "01")] if "#" in shape else []
        for other in strange:
            if other not in find_game(game).tally.facts:
                verdict = judge(told(game, one(other, 1)))
                assert [f.rule for f in verdict.broken] == ["table.T10"], other
                assert other in verdict.broken[0].text
                assert all(
                    points is None for points in points_of(verdict.state)
                ) or verdict.state.score.source == "void", other


def points_of(state: Any) -> list[int | None]:
    return list(state.score.points.values())


def test_what_stands_under_a_side_that_is_told_of_a_seat() -> None:
    """A figure of one partner is none of the side."""
    found = judge(hand("kaiser", "declarer=N level=7 tricks.N=5 tricks.EW=3 five=NS three=EW")).broken
    assert [(f.rule, f.text) for f in found] == [("table.T10", "tricks.N is told of NS or EW, and N is none of them")]


# -- what cannot be together


@pytest.mark.parametrize(
    ("game", "facts", "rule"),
    [
        ("kaiser", "tricks.NS=5 tricks.EW=4", "R13"),
        ("kaiser", "tricks.NS=5\n@ tally tricks.EW=4", "R13"),
        ("kaiser", "tricks.NS=0 five=N", "R13"),
        ("kaiser", "tricks.NS=2 trick.1=N trick.2=S trick.3=NS", "R13"),
        ("kaiser", " ".join(f"trick.{i}=N" for i in range(1, 9)) + " tricks.NS=7", "R13"),
        ("kaiser", "no=yes trump=h", "R8"),
        ("botifarra", "points.NS=40 points.EW=22", "R12"),
        ("botifarra", "tricks.NS=6 tricks.EW=7", "R12"),
        ("botifarra", "points.NS=3 tricks.NS=5", "R12"),
        ("scopa", "cards.A=21 cards.B=20", "T10"),
        ("scopa", "diamonds.A=6\n@ tally diamonds.B=6", "T10"),
        ("scopa", "diamonds.A=0 seven=A", "T10"),
        ("scopa", "best.A=7d,6c,As,5h best.B=7d,6h,Ac,4s", "T10"),
        ("scopa", "best.A=7d,6c,As,5h seven=B", "T10"),
        ("scopa", "best.A=7d,6c,As,5h primiera.A=60", "T10"),
        ("scopa", "sweeps.order=A,B,A sweeps.A=1", "T10"),
        ("bridge-solitaire", "tricks.P=7 tricks.H=7", "R14"),
        ("bridge-solitaire", "declarer=H tricks=7\n@ tally tricks.P=7", "R14"),
        ("bridge-solitaire", "strain=nt honors=100", "T10"),
        ("burraco", "melds.NS=800 melds.EW=300", "T10"),
        ("burraco", "melds.NS=30 clean.NS=1", "T10"),
        ("burraco", "clean.NS=8 dirty.EW=8", "T10"),
        ("california-speed", "winner=A left.A=7", "R6"),
        ("california-speed", "left.A=30 left.B=30", "R6"),
        ("conquian", "winner=A table.A=10", "R12"),
        ("conquian", "winner=draw stock=3", "R13"),
        ("mattis", "mattis=A out=A,B", "R13"),
        ("mattis", "out=A,B,C", "R13"),
        ("russian-bank", "out=A cards.A=2", "R18"),
        ("russian-bank", "cards.A=60 cards.B=50", "R18"),
    ],
)
def test_facts_that_contradict_each_other_are_found_and_none_of_them_counts(game: str, facts: str, rule: str) -> None:
    """If this failed, one of two figures that cannot both be would decide the hand."""
    verdict = judge(hand(game, facts))
    assert [f.rule.rpartition(".")[2] for f in verdict.broken] == [rule]
    assert verdict.state.score is not None
    assert set(verdict.state.score.points.values()) == {None}


def test_the_bank_stakes_nothing() -> None:
    """Who held the bank is known from the hand too; the others are scored as they are told."""
    for banker in ("banker=B ", ""):
        case = given("pontoon", "B hand 1").when(
            f"@ tally {banker}stake.A=4 class.A=20 stake.B=4 bank=18"
        ).finds("R12", words="B held the bank")
        assert len(case.judgement.findings) == 1


# -- what is open stays open


@pytest.mark.parametrize("game", GAMES)
def test_a_fact_that_is_left_out_or_cannot_be_changes_no_figure_to_another(game: str) -> None:
    """If this failed, a gap in a result would be filled with a guess, and somebody lose the match by it."""
    full = points(hand(game, WHOLE[game])).points
    facts = judge(hand(game, WHOLE[game])).state.tallies[0]
    for key, _ in flat(facts):
        without, unread = ({}, {})
        for other, value in flat(facts):
            if other != key:
                set_fact(without, other, value)
            set_fact(unread, other, value if other != key else ["nobody", "knows"])
        for some in [unread] if key in LEFT_OUT | LEFT_OUT_OF.get(game, set()) else [without, unread]:
            scored = points(told(game, some))
            for who, n in scored.points.items():
                assert n in (None, full[who]), (key, who)
                assert full[who] in scored.possible.get(who, [full[who]]), (key, who)


def test_three_tricks_told_of_eight_leave_the_score_open() -> None:
    """The rest is not nought: it is asked, and what the sides may have is a range."""
    case = given("kaiser", "W hand 1").when(
        "@ tally declarer=N level=7 trick.1=N trick.2=N trick.3=E five=NS three=EW"
    ).clean()
    case.scores(NS=None, EW=None)
    scored = points(case.records)
    assert scored.unknown == ("who took which trick",)
    assert scored.possible == {"NS": [7, 8, 9, 10, 11, 12], "EW": [-2, -1, 0, 1, 2, 3]}
    assert [q.text for q in scored.questions] == ["who took which trick"]
    case.when("@ tally tricks.NS=5").scores(NS=10, EW=0)
    case.when("@ tally tricks.NS=1").finds("R13", words="NS has 2 of the tricks reported one by one, but 1 in all")


def test_the_figure_of_one_side_gives_that_of_the_other() -> None:
    given("kaiser", "W hand 1").when(
        "@ tally declarer=N level=7 tricks.NS=5 five=NS three=EW"
    ).clean().scores(NS=10, EW=0)
    given("bridge-solitaire", "P hand 1").when(
        "@ tally declarer=P level=1 strain=c jokers=0 honors=0 tricks.H=6"
    ).clean().scores(P=20, H=0)
    # All tricks with one side, and so the five and the three.
    scored = points(hand("kaiser", "declarer=N level=7 tricks.NS=8"))
    assert scored.points == {"NS": 10, "EW": 0}


@pytest.mark.parametrize(("bid", "known"), [("E bid 7", False), ("N bid 7", True)])
def test_a_tally_of_another_contract_shows_that_calls_were_not_written(bid: str, known: bool) -> None:
    """The level of a bid belongs to its bidder: a side that plays another contract did not bid it."""
    case = given("kaiser", f"W hand 1\n{bid}").when(
        "@ tally declarer=NS tricks.NS=5 tricks.EW=3 five=NS three=EW trump=h"
    ).clean()
    assert points(case.records).unknown == (() if known else ("the contract",))
    case.scores(NS=10 if known else None, EW=0 if known else None)


def test_four_impossible_figures_and_a_side_that_does_not_exist() -> None:
    """A finding each, and nothing of it is scored."""
    case = given("scopa", "B hand 1").when("@ tally cards.A=41 diamonds.A=11 seven=C primiera.A=99 sweeps.A=-2")
    found = [f.text for f in case.judgement.broken]
    assert [text.partition(" ")[0] for text in found] == ["cards.A", "diamonds.A", "seven", "primiera.A", "sweeps.A"]
    assert "0 to 40, not 41" in found[0]
    case.scores(A=None, B=None)


def test_what_a_table_did_against_the_rule_counts_all_the_same() -> None:
    """A bid of five is found, and was played; eight tricks and a half was not."""
    given("kaiser", "W hand 1").when(
        "@ tally declarer=N level=5 tricks.NS=5 tricks.EW=3 five=NS three=EW"
    ).finds("R4").scores(NS=10, EW=0)
    given("botifarra", "W hand 1").when("@ tally strain=h multiplier=16 points.NS=50").finds("R4").scores(NS=224, EW=0)


def test_the_last_word_counts_also_when_it_takes_a_word_back() -> None:
    lines = "W hand 1\n@ tally declarer=N level=7 tricks.NS=5 tricks.EW=3 five=NS three=EW\n"
    given("kaiser", lines).when("@ tally level=99").scores(NS=-10, EW=0)  # bid so high, and failed
    given("kaiser", lines).when("@ tally level=x").scores(NS=None, EW=None)
    given("kaiser", lines).when("@ tally tricks.NS=6").finds("R13").scores(NS=None, EW=None)
    given("kaiser", lines).when("@ tally tricks.NS=6", "@ tally tricks.EW=2").finds(
        "T12", at=4, words="tricks.EW is 2, and was reported as 3 (event 2)",
    ).scores(NS=11, EW=-1)
    given("scopa", "B hand 1\n@ tally " + WHOLE["scopa"]).when("@ tally seven=C").scores(A=None, B=None)


def test_two_tallies_of_a_page_have_no_figure_in_common() -> None:
    """If this failed, what one hand came to would be told of the next."""

    class Told(TallyFacts):
        cards: dict[str, int] = read_by_the_page(
            {"cards.*": Fact("cards taken")}, {}, rulings={"cards.*": "cards given"},
        )

    one, other = Told(), Told()
    one.cards["A"] = 3
    assert (other.cards, Told().cards, Told.rulings) == ({}, {}, {"cards.*": "cards given"})


# -- what was told against what was seen

TRICK = "W hand 1\nN bid 7\nE pass\nS pass\nW pass\nN name h\nN play Ac\nE play 8c\nS play 9c\nW play 7c\n"


def against(game: str, lines: str, told: str) -> list[tuple[str, tuple[int, ...]]]:
    """What of a tally the moves before it rule out, and where both stand."""
    records = log(game, f"{lines}\n@ tally {told}")
    return [(f.text, f.evidence) for f in judge(records).broken if f.rule == "table.T12"]


@pytest.mark.parametrize(
    ("game", "lines", "told", "says"),
    [
        ("scopa", "B hand 1\nA play 7c", "sweeps.A=17", ""),
        ("scopa", "B hand 1\nA play 7c", "sweeps.A=18", "sweeps.A is 0 to 17, not 18"),
        ("xeri", "B hand 1\n@ deal up board=4s5d6h9c\nA play 7c\nB play 8c", "xeri.A=24", "is 0 to 23, not 24"),
        ("conquian", "B hand 1\n@ deal A=10x?? B=10x??", "winner=A stock=20", ""),
        ("conquian", "B hand 1\nA play 7c <stock", "winner=A stock=19", ""),
        ("conquian", "B hand 1\nA play 7c <stock", "winner=A stock=20", "stock is 0 to 19, not 20"),
        ("play-or-pay", "D hand 1\n@ deal A=13x??", "winner=B left.A=13", ""),
        ("play-or-pay", "D hand 1\nA play 7c", "winner=B left.A=12", ""),
        ("play-or-pay", "D hand 1\nA play 7c\nB pay 1", "winner=A paid.B=0", "paid.B is 1 or more, not 0"),
        ("play-or-pay", "D hand 1\nA play 7c", "winner=B left.A=13", "left.A is 0 to 12, not 13"),
    ],
)
def test_what_only_shrinks_or_comes_once_a_turn_has_an_upper_bound(game: str, lines: str, told: str, says: str) -> None:
    """If this failed, more could be told of a hand than is left of it."""
    assert [says in text for text, _ in against(game, lines, told)] == ([True] if says else [])


@pytest.mark.parametrize(
    ("game", "lines", "told", "says"),
    [
        ("kaiser", "W hand 1\nN bid 7\nE pass\nS pass\nW pass", "declarer=N level=8", "level is 7, not 8"),
        ("kaiser", "W hand 1\nN bid 7\nE pass\nS pass", "declarer=N level=8", ""),
        ("hasenpfeffer", "W hand 1\nN pass\nE bid 4\nS pass\nW pass", "declarer=E level=3", "level is 4, not 3"),
        ("hasenpfeffer", "W hand 1\nN pass\nE bid 3\nS pass", "declarer=W level=4", ""),
        ("couillon", "W hand 1\n@ deal up upcard=9s\nN pass\nE call accept", "declarer=W", "declarer is E, not W"),
        ("botifarra", "W hand 1\nW name d\nN pass", "strain=h", "strain is d, not h"),
        ("botifarra", "W hand 1\nW name d\nN pass", "multiplier=2", ""),
        ("botifarra", "W hand 1\nS pass", "strain=h", ""),
        ("court-piece", "W hand 1\n@ deal N=5x??\nN name h", "trump=s", "trump is h, not s"),
        ("ecarte", "B hand 1\n@ deal up upcard=7h", "upcard=yes", "upcard is no, not yes"),
        ("ecarte", "B hand 1\nA call propose\nB call decline", "vulnerable=A", "vulnerable is B, not A"),
        ("ecarte", "B hand 1\nA call propose", "vulnerable=B", ""),
        ("seven-and-a-half", "D hand 1\nA bet 3\nB bet 4", "stake.B=2", "stake.B is 4 or more, not 2"),
        ("poke", "B hand 1\nA discard down 2x??\nA draw 2x??\nB pass\nA play Kc", "multiplier.A=1", "A is 2, not 1"),
    ],
)
def test_what_was_called_stands_once_no_legal_call_can_change_it(game: str, lines: str, told: str, says: str) -> None:
    """If this failed, a contract could be told that is not the one that was called, as long as no card was led; or
    calls that nobody wrote would be held against what was told."""
    found = against(game, lines, told)
    assert [says in text for text, _ in found] == ([True] if says else [])


def test_a_trick_that_was_seen_stands_against_a_tally() -> None:
    """Both places are named, and the score is what the moves leave, and what was told."""
    told = "tricks.NS=0 tricks.EW=8 five=EW three=EW"
    assert against("kaiser", TRICK, told) == [("NS won trick 1: 8 tricks for EW are not possible (event 10)", (11, 10))]
    scored = points(log("kaiser", f"{TRICK}@ tally {told}"))
    assert (scored.points["EW"], min(scored.possible["EW"]), max(scored.possible["EW"])) == (None, 3, 10)
    assert scored.questions[0].text == "the moves and the tally do not agree"
    assert against("kaiser", TRICK, "tricks.NS=1 tricks.EW=7 five=EW three=EW") == []
    assert against(
        "omi", "N hand 1\nE name s\nE play Ah\nS play 7h\nW play 8h\nN play 9h", "tricks.NS=8 tricks.EW=0",
    ) == [
        ("EW won trick 1: 8 tricks for NS are not possible (event 6)", (7, 6))
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("told", "known"), [("declarer=E", "NS"), ("level=8", "7"), ("trump=c", "h"), ("no=yes", "no"), ("trick.1=E", "NS")]
)
def test_what_was_bid_and_who_has_a_trick_stand_too(told: str, known: str) -> None:
    key, _, value = told.partition("=")
    assert against("kaiser", TRICK, told)[0][0].startswith(f"by the moves {key} is {known}, not {value}")


def test_a_card_that_was_taken_stays_with_its_taker() -> None:
    lines = "B hand 1\n@ deal up board=7d2c3h4s\nA capture 7s/7d"
    rest = "cards.A=22 cards.B=18 diamonds.A=5 diamonds.B=5 primiera.A=70 primiera.B=60 sweeps.A=0 sweeps.B=0"
    assert against("scopa", lines, f"seven=B {rest}") == [("by the moves seven is A, not B (event 3)", (4, 3))]
    assert points(log("scopa", f"{lines}\n@ tally seven=B {rest}")).possible == {"A": [2, 3], "B": [0, 1]}
    assert against("scopa", lines, f"seven=A {rest}") == []


def test_the_rest_of_a_hand_told_trick_by_trick_keeps_the_tricks_that_were_seen() -> None:
    rest = " ".join(f"trick.{n}=N" for n in range(2, 9))
    given("kaiser", TRICK).when(f"@ tally {rest} five=NS three=NS").clean().scores(NS=10, EW=0)


def played_out(game: str, seed: int, most: int = 3) -> Iterator[tuple[list[Recorded], Any, Facts]]:
    """Hands of a simulated match: the lines up to the end of each, the state there, and what it came to as a tally
    tells it."""
    records = simulate(game, seed=seed)
    told_by, state = told_by_tally(game), begin(records[0].event.facts)
    assert told_by is not None
    for i, r in enumerate(records[1:], 1):
        settled = state.settled
        state.at = state.table.now = r.n
        evolve(state, r.event)
        if state.settled and not settled and most:
            most -= 1
            yield records[: i + 1], state, told_by(state)


def something_else(fact: Fact, value: Any, state: Any) -> list[Any]:
    """What a fact can be besides."""
    terms = state.terms
    if fact.kind == "number":
        most = limit(fact.most, terms) if fact.together is None else limit(fact.together, terms)
        numbers = fact.only or range(limit(fact.least, terms) or 0, (80 if most is None else most) + 1, fact.step)
        return [n for n in numbers if n != value]
    if fact.kind == "somebody":
        names = (*(terms.sides if "side" in fact.who else terms.seats), *fact.only)
        return [one for one in names if one not in (value, terms.side_of.get(value))]
    listed = [value] if isinstance(value, str) else value
    return {
        "choice": [one for one in fact.only if str(one) != str(value)], "yes or no": [not value],
        "seats": [listed[::-1]] if fact.kind == "seats" and len(listed) > 1 else [],
        "cards": [listed[1:]] if fact.kind == "cards" else [],
    }.get(fact.kind, [])  # fmt: skip


@pytest.mark.parametrize(
    ("game", "told", "rule", "words"),
    [
        ("pay-me", "out=A deadwood.B=50", "R8", "B cannot be left with 50: 3 cards each come to 45 at most"),
        ("pay-me", "out=A deadwood.B=45", "", ""),
        (
            "jersey-gin", "ending=stock-out by=A deadwood.B=100 deadwood.C=100", "R6",
            "B and C cannot be left with 200: 10 cards each come to 196 at most",
        ),
        ("jersey-gin", "ending=stock-out by=A deadwood.B=100 deadwood.C=96", "", ""),
        (
            "yaniv", "caller=A total.B=50 total.C=50 total.D=50 total.E=50", "R14",
            "B and C and D and E cannot be left with 200",
        ),
        ("rumino", "by=A ending=gin deadwood.B=71", "T10", "deadwood.B is 0 to 70, not 71"),
        ("briscola", "points.A=119", "R12", "no side can count 119"), ("briscola", "points.A=118", "", ""),
        ("couillon", "declarer=S points.NS=39 points.EW=1", "R13", "4 tricks cannot count 39 and 1"),
        ("couillon", "declarer=S points.NS=36 points.EW=1", "", ""),
        ("tute", "points.NS=121 points.EW=29", "", ""),
        ("tute", "points.NS=149 points.EW=1", "R15", "no tricks count 149"),
        ("botifarra", "strain=h points.NS=2 tricks.NS=3", "R12", "no side can count 2 with 3 tricks"),
    ],
)  # fmt: skip
def test_figures_that_no_cards_make_are_found(game: str, told: str, rule: str, words: str) -> None:
    found = judge(hand(game, told, **({"Seats": "A B C D E"} if "total.E" in told else {}))).broken
    assert [f.rule.partition(".")[2] for f in found] == [rule] * bool(words)
    assert words in " ".join(f.text for f in found)


def ways_of_sharing(worth: tuple[int, ...], whole: int, by: int) -> set[tuple[int, int]]:
    """What two sides can count that share so many of these cards, tried one by one."""
    out = set()
    for dealt in combinations(range(len(worth)), whole):
        for many in range(0, whole + 1, by):
            out |= {
                (sum(worth[i] for i in own), sum(worth[i] for i in dealt if i not in own))
                for own in combinations(dealt, many)
            }
    return out


@given_cards(
    worth=lists(sampled_from((0, 0, 1, 2, 5)), min_size=1, max_size=6), by=sampled_from((1, 2)), tricks=integers(0, 3),
)
def test_which_sums_cards_make_is_exact(worth: list[int], by: int, tricks: int) -> None:
    cards, whole = tuple(worth), min(by * tricks, len(worth) // by * by)
    for many in range(len(cards) + 1):
        true = {sum(some) for some in combinations(cards, many)}
        assert {n for n in range(sum(cards) + 2) if can_count(n, cards, (many,))} == true
    assert shared_by_two(cards, whole, by) == ways_of_sharing(cards, whole, by)


@sampled("game, seed", PLAYED, range(6), each=1, soak=range(6, 40))
def test_what_moves_show_is_true_and_whatever_else_is_told_is_found(game: str, seed: int) -> None:
    """If this failed, a told figure would hide a card that was seen, or a true tally be called false."""
    asked = 0
    for _, state, facts in played_out(game, seed):
        true = {key: value for key, value in flat(facts) if value is not None}
        shown = shown_facts(state)
        assert contradicted(true, shown, state) == {}
        for key, value in true.items() if not facts.get("void") else ():
            fact = declared(key, state)
            assert isinstance(fact, Fact)
            # Who takes the bank next shows in the next hand, and a rule of its own asks it.
            for other in something_else(fact, value, state) if key != "next" else ():
                asked += 1
                assert key in contradicted({key: other}, shown, state), (key, value, other)
        # Nothing of it turns on who dealt, as the score is certain.
        state.dealer_is_guess = True
        assert None in by_moves(state)[2].values() or shown_facts(state) == shown
    assert asked


@pytest.mark.parametrize(
    ("game", "lines", "told", "says"),
    [
        ("dingo", "", "won.A=-", "won.A is As, not -"), ("dingo", "", "won.A=As", ""),
        ("dingo", "", "won.B=As,2s", "As is in another pile than won.B"), ("dingo", "", "won.B=-", ""),
        ("mattis", "", "blamattis=-", "blamattis is B, not -"), ("mattis", "", "out=-", "out is B …, not -"),
        ("burraco", "", "closed=-", "closed is NS, not -"), ("kaiser", TRICK, "level=- trump=-", ""),
    ],
)
def test_a_tally_that_tells_of_nothing_tells_of_no_cards_no_seats_and_nobody(
    game: str, lines: str, told: str, says: str,
) -> None:
    """If this failed, `-` would hide the cards that somebody was seen to have."""
    shown: dict[str, Any] = {
        "dingo": {"won.A": ["As"], "won.B": LyingCards(frozenset(), frozenset({"As"}))},
        "mattis": {"blamattis": ["B"], "out": Beginning(("B",))}, "burraco": {"closed": "NS"},
    }.get(game) or shown_facts(fold(log(game, lines)))
    state = fold(hand(game, told))
    wrong = contradicted(last_values([log(game, f"@ tally {told}")[1].event.facts], state), shown, state)
    assert [*wrong.values()] == ([f"by the moves {says}"] if says else [])


PONTOON_BETS = "C hand 1\n@ deal A=?? B=?? C=??\nA bet 4\nB bet 2\n@ deal up A=7h B=8h C=9h\n"
OMI_LIKE = "W hand 1\nN name s\nN play 7c\nE play Ac\nS play 8c\nW play 9c"


@pytest.mark.parametrize(
    ("game", "seats", "lines", "told", "rule"),
    [
        ("pontoon", "A B C", PONTOON_BETS + "A bet 4\nA draw ??", "class.A=pontoon", "table.T12"),
        ("pontoon", "A B C", PONTOON_BETS + "A bet 4\nA draw ??", "class.A=five", ""),
        ("pontoon", "A B C", PONTOON_BETS + "A pass\nB pass", "class.B=20", "table.T12"),
        ("pontoon", "A B C", PONTOON_BETS + "A pass\nB pass", "class.B=19", ""),
        ("pontoon", "A B C", PONTOON_BETS + "B draw up 2c", "class.A=20", "pontoon.R3"),  # unwritten cards, too
        (
            "seven-and-a-half", "A B C", "C hand 1\nA bet 4\nB bet 2\nA draw up 2h\nA draw up 2c", "class.A=natural",
            "table.T12",
        ),
        ("court-piece", "N E S W", OMI_LIKE, "sweep=NS", "table.T12"),
        ("court-piece", "N E S W", OMI_LIKE, "sweep=EW", ""),
        ("court-piece", "N E S W", OMI_LIKE, "sweep=-", ""),
        ("jersey-gin", "A B C", "C hand 1\nA draw ??\nA discard down ??", "deadwood.A=12", "jersey-gin.R7"),
        ("jersey-gin", "A B C", "C hand 1\nA draw ??\nA discard down ??", "deadwood.A=10 deadwood.B=12", ""),
        ("rumino", "A B C", "C hand 1\nA call knock", "deadwood.A=9", "rumino.R6"),
        ("rumino", "A B C", "C hand 1\nA call knock\n@ tally deadwood.A=9", "deadwood.B=9", "rumino.R6"),
        ("pay-me", "A B", "B hand 1\nA draw ??\nA call payme", "deadwood.A=5", "pay-me.R8"),
        ("pay-me", "A B", "B hand 1\n@ tally out=A deadwood.A=5", "deadwood.B=20", "pay-me.R8"),
    ],
)  # fmt: skip
def test_a_told_figure_that_the_acts_of_the_hand_rule_out_is_found_once(
    game: str, seats: str, lines: str, told: str, rule: str
) -> None:
    """If this failed, a hand that was bought a third card, stood too low or knocked too high would be scored as told,
    or be accused again for every later figure."""
    judgement = given(game, lines, Seats=seats).when(f"@ tally {told}").judgement
    assert [f.rule for f in judgement.broken] == ([rule] if rule else [])


@pytest.mark.parametrize(
    ("game", "told", "says"),
    [
        ("pontoon", "banker=B stake.A=4 class.A=20 class.B=18", "its hand is told as that of the bank"),
        ("seven-and-a-half", "banker=D stake.A=4 class.A=6 class.D=7", "its hand is told as that of the bank"),
    ],
)
def test_the_hand_of_the_bank_is_not_told_as_that_of_a_player(game: str, told: str, says: str) -> None:
    assert [says in f.text for f in judge(hand(game, told)).broken] == [True]


def test_an_ending_that_cannot_be_read_is_not_taken_for_the_usual_one() -> None:
    """If this failed, a hand of Envite that ended by a trawl would be worth for certain what a played one is."""
    hands = (one for seed in range(20) for one in played_out("envite", seed))
    lines = next(lines for lines, _, facts in hands if facts.get("ending") == "trawl")
    told = behind(lines, len(lines) - 1, Tally(by="@", facts={"ending": "played"}))
    assert [f.rule for f in judge(told).broken] == ["table.T12"]
    assert None in points(told).points.values()


def test_a_fact_left_open_does_not_hide_what_was_seen() -> None:
    assert points(log("kaiser", f"{TRICK}@ tally level=- tricks.NS=6 tricks.EW=2 five=NS three=EW")) == points(
        log("kaiser", f"{TRICK}@ tally tricks.NS=6 tricks.EW=2 five=NS three=EW"),
    )


ONE_CARD_EACH = [game for game in PLAYED if "tricks.*" in find_game(game).tally.facts and game != "poke"]
"""Games of tricks with one card of each player, whose number can be told."""


@sampled("game, seed", ONE_CARD_EACH, range(6), each=1, soak=range(6, 40))
def test_tricks_that_were_seen_stand_against_a_tally_whoever_dealt(game: str, seed: int) -> None:
    """If this failed, a tally would take the place of the tricks that everybody saw as soon as nobody wrote who
    dealt."""
    for _, state, facts in played_out(game, seed, most=1):
        state.dealer_is_guess = True
        shown = shown_facts(state)
        true = {key: value for key, value in flat(facts) if value is not None}
        assert contradicted(true, shown, state) == {}
        for key in (key for key in true if key.startswith("tricks.") and not facts.get("void")):
            assert all(key in contradicted({key: n}, shown, state) for n in range(true[key])), key


KEPT = {
    "bridge-solitaire": ("tricks",), "burraco": ("melds",), "play-or-pay": ("paid",), "poke": ("tricks",),
    "pontoon": ("stake",), "scopa": ("sweeps",), "scotch-whist": ("captor",), "seven-and-a-half": ("stake",),
    "xeri": ("ten", "two"), "ziginette": ("lost",),
}  # fmt: skip
"""Facts of which a seat keeps, whatever is played yet, what it has in the middle of a hand."""


@pytest.mark.parametrize(("game", "stem"), [(game, stem) for game, stems in KEPT.items() for stem in stems])
def test_what_somebody_has_by_the_middle_of_a_hand_stands_against_a_tally(game: str, stem: str) -> None:
    """If this failed, the rest of a hand could be told as if what everybody saw before had not happened."""
    for seed in range(20):
        records, found = simulate(game, seed=seed, hands=1), 0
        state = begin(records[0].event.facts)
        for r in records[1:]:
            state.at = state.table.now = r.n
            evolve(state, r.event)
            for key, has in shown_facts(state).items() if not state.settled else ():
                least = has.start if isinstance(has, range) else has
                if key.rpartition(".")[0] == stem or key == stem:
                    others = range(least) if isinstance(least, int) else {*state.terms.seats} - {least}
                    found += any(key in contradicted({key: other}, {key: has}, state) for other in others)
        if found:
            return
    raise AssertionError(f"nothing is shown of {stem} before the end of a hand")


def test_a_tally_against_the_moves_is_asked_about_when_it_is_typed() -> None:
    """At the prompt and on the phone alike: with names, and kept only if it is meant."""
    records = log("kaiser", TRICK, N="Ann", S="Cy", E="Ben", W="Dan")
    view = corrected(records)
    reader = LineReader(records, view, apply_events(view.opening, view.events))
    assert reader.complete("tally tricks.NS=0 tricks.EW=8").doubts == (
        "result: NS won trick 1: 8 tricks for EW are not possible",
    )
    assert reader.complete("tally tricks.NS=9").doubts == ("result: tricks.NS is 0 to 8, not 9",)
    assert reader.complete("result E 7 h 3 EW EW").doubts == ("result: by the moves declarer is NS, not E",)
    assert reader.complete("tally tricks.NS=5 tricks.EW=3").doubts == ()
    records = log("kaiser", f"{TRICK}@ tally tricks.NS=5 tricks.EW=3 five=EW")
    view = corrected(records)
    reader = LineReader(records, view, apply_events(view.opening, view.events))
    assert reader.complete("tally tricks.NS=4 tricks.EW=4").doubts == (
        "result: tricks.NS is 4, and was reported as 5; tricks.EW is 4, and was reported as 3",
    )  # fmt: skip
    assert reader.complete("tally tricks.NS=5 three=EW").doubts == ()


def test_a_hand_whose_record_contradicts_itself_shows_nothing_against_a_tally() -> None:
    """A card of it was written wrong, and it may be the one that took the trick."""
    lines = f"{TRICK}N play Ac\n"
    assert against("kaiser", lines, "tricks.NS=0 tricks.EW=8 five=EW three=EW") == []
    assert points(
        log("kaiser", f"{lines}@ tally tricks.NS=0 tricks.EW=8 five=EW three=EW")
    ).points == {"NS": 0, "EW": 10}


@sampled(
    "game, kind, seed", PLAYED,
    [(kind, seed) for kind in ("hidden", "half-seen", "uncounted", "late") for seed in range(2)], each=1,
)
def test_no_record_that_sees_less_calls_a_true_tally_false(game: str, kind: Kind, seed: int) -> None:
    """Wherever the hand stops, and whatever was not seen of it, what came of it can be told."""
    records = simulate(game, seed=seed)
    told_by, state, true = told_by_tally(game), begin(records[0].event.facts), dict[int, Facts]()
    assert told_by is not None
    for r in records[1:]:
        state.at = state.table.now = r.n
        evolve(state, r.event)
        if state.settled and state.number:
            true[state.numbered] = told_by(state)
    seen = next(iter(onlookers(records)))[1]
    poor = degrade(kind, seen, records, Truth(game), Random(seed))
    state = begin(records[0].event.facts)
    for r in (seen if poor is None else poor.log)[1:250]:
        state.at = state.table.now = r.n
        evolve(state, r.event)
        state.table.trouble.clear()
        facts = {key: value for key, value in flat(true.get(state.numbered, {})) if value is not None}
        if state.number and not facts.get("void"):
            assert contradicted(facts, shown_facts(state), state) == {}, (r.n, r.event)


def test_a_bid_may_be_outbid_by_a_seat_behind_the_next() -> None:
    """If this failed, a true tally would be called false because the seat that calls next plays for the bidder."""
    state = begin({"Game": "kaiser"})
    for event in (Hand(by="N", number=1), Bid(by="E", level=6, strain="no"), Pass(by="S")):
        evolve(state, event)
    assert "declarer" not in shown_facts(state)


# -- several tallies of one hand


def behind(records: list[Recorded], after: int, *events: Event) -> list[Recorded]:
    """The record with these events behind the one at this position."""
    lines = [*records[: after + 1], *(Recorded(n=0, event=event) for event in events), *records[after + 1 :]]
    return [replace(r, n=n) for n, r in enumerate(lines)]


@pytest.mark.parametrize("game", GAMES)
def test_a_second_tally_that_says_the_same_changes_nothing_and_one_that_differs_is_found(game: str) -> None:
    """If this failed, of two results of one hand the later would count without a word."""
    records = hand(game, WHOLE[game])
    facts = records[-1].event.facts
    again = behind(records, 2, Tally(by="@", facts=facts))
    assert judge(again).findings == []
    assert points(again).points == points(records).points
    assert len(score_match(again).hands) == 1
    for key, value in flat(facts):
        if type(value) is not int:
            continue
        found = judge(behind(records, 2, Tally(by="@", facts=one(key, value + 5)))).broken
        assert found, key
        # A gap may hold the end of the hand, and the beginning of the next.
        gap = judge(behind(records, 2, Gap(by="@"), Tally(by="@", facts=one(key, value)))).broken
        assert gap == [], key


@pytest.mark.parametrize("game", PLAYED)
def test_a_tally_behind_the_last_card_is_of_that_hand(game: str) -> None:
    """If this failed, a result that was written beside its cards would make a hand that nobody played; or it would
    come too late, though the cards that were seen do not say who has won."""
    records = simulate(game, seed=1, hands=1)
    told_by = told_by_tally(game)
    assert told_by is not None
    facts = told_by(fold(records))
    for seen in (records, hide(records, PUBLIC)):
        told_too = behind(seen, len(seen) - 1, Tally(by="@", facts=facts))
        assert [h.number for h in score_match(told_too).hands] == [1]
        assert points(told_too).points == points(records).points
        assert [(f.rule, f.text) for f in judge(told_too).broken] == []


@pytest.mark.parametrize(("more", "number", "hands", "rules"), [
    (0, 0, [1, 2], []), (0, 2, [1, 2], []), (0, 3, [1, 2, 3], []),
    (1, 0, [1, 2], []), (1, 2, [1, 2], ["table.T12"]), (1, 3, [1, 2, 3], []),
])  # fmt: skip
def test_the_number_of_the_next_hand_shows_of_which_hand_a_tally_behind_a_gap_is(
    more: int, number: int, hands: list[int], rules: list[str],
) -> None:
    """If this failed, the result of a hand would be taken for one of a further hand, and every total would be open."""
    played = simulate("briscola", seed=1, hands=1)
    score = fold(played).scores[0].points
    told = Tally(by="@", facts={"points": {"A": (score["A"] or 0) + more}})
    tallied = behind(played, len(played) - 1, Gap(by="@"), told)
    then = [Hand(by="A", number=number), Tally(by="@", facts={"points": {"A": 70}})] if number else []
    record = behind(tallied, len(tallied) - 1, *then)
    reading = score_match(record)
    assert [hand.number for hand in reading.hands] == hands
    assert reading.hands[0].points == ({"A": None, "B": None} if rules else score)
    assert (None in reading.hands[-1].totals.values()) == (number != 2 or bool(rules))
    assert [f.rule for f in judge(record).broken] == rules
    # What is added a line at a time comes to the same.
    before = corrected(tallied)
    assert before.goes_on_with(*then) == corrected(played).goes_on_with(Gap(by="@"), told, *then) == (number != 2)


# -- a hand of which only the points are known

BY_POINTS = [game for game in GAMES if find_game(game).tally.tells_points]
"""The games in whose tallies `points` are what a hand brings; in the others they are what its cards count, or are
told already."""


def by_points(records: list[Recorded]) -> list[Recorded]:
    """The same match, of which only the points of each hand were written down."""
    events: list[Event] = [records[0].event]
    for hand in fold(records).scores:
        facts: Facts = {"void": True} if hand.source == "void" else {"points": dict(hand.points)}
        events += [Hand(by=hand.dealer, number=hand.number)] if hand.dealer else []
        events.append(Tally(by="@", facts=facts))
    return [Recorded(n=n, event=event) for n, event in enumerate(events)]


@sampled("game, seed", BY_POINTS, range(4), each=1, soak=range(4, 30), short=3)
def test_a_match_told_by_the_points_of_its_hands_has_the_totals_it_had(game: str, seed: int) -> None:
    """And whoever has certainly won by them has won. Whose rubber, game or row it is may not follow from points, and
    is open then."""
    records = simulate(game, seed=seed)
    true, told = fold(records), fold(by_points(records))
    assert [
        (s.number, s.points, s.totals) for s in told.scores
    ] == [(s.number, s.points, s.totals) for s in true.scores]
    assert told.after.winner in ("", true.after.winner)
    assert [f.text for f in judge(by_points(records)).broken] == []
    for attribute in ("row", "games", "boxes", "below"):
        kept, was = getattr(told.after, attribute, {}), getattr(true.after, attribute, {})
        assert kept.keys() == was.keys()
        assert all(n is None or n == was[who] for who, n in kept.items()), (attribute, kept, was)


@each_game([game for game in BY_POINTS if game in PLAYED], short=3)
def test_points_that_the_moves_or_other_facts_do_not_bring_are_found(game: str) -> None:
    """If this failed, points could be told of a hand that was played otherwise, and nobody would hear of it."""
    records = simulate(game, seed=1, hands=1)
    brought = fold(records).scores[0].points
    too = behind(records, len(records) - 1, Tally(by="@", facts={"points": brought}))
    assert judge(too).broken == []
    assert points(too).points == brought
    who, n = next((who, n) for who, n in brought.items() if n is not None)
    for facts in ({"points": {who: n + 5}}, {"points": {**brought, who: n - 5}}):
        otherwise = behind(records, len(records) - 1, Tally(by="@", facts=facts))
        assert "table.T12" in [f.rule for f in judge(otherwise).broken]
    whole = points(hand(game, WHOLE[game])).points
    who, n = next((who, n) for who, n in whole.items() if n is not None)
    differs = told(game, {**hand(game, WHOLE[game])[-1].event.facts, "points": {who: n + 5}})
    assert [
        (f.rule, f"points are {who} {n}, not {n + 5}" in f.text) for f in judge(differs).broken
    ] == [("table.T10", True)]
    assert points(differs).points == {**whole, who: n + 5}, "it is scored as told"


@pytest.mark.parametrize(("told", "rules", "hands"), [
    ("trump=s", ["R4"], 1),
    ("tricks.NS=3 tricks.EW=5", [], 2),
])  # fmt: skip
def test_a_tally_that_tells_no_result_begins_no_further_hand(told: str, rules: list[str], hands: int) -> None:
    """If this failed, a card led out of turn would be taken for the first one of the next hand."""
    seen = "N hand 1\nE name s\nE play Ah\nS play 7h\nW play 8h\nN play 9h\n"
    verdict = judge(log("omi", f"{seen}@ tally {told}\nS play Kc", seats="N E S W"))
    assert [f.rule.partition(".")[2] for f in verdict.broken] == rules
    assert verdict.state.number == hands
