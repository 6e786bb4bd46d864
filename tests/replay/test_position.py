"""`?`, `help` and the first prompt: where the match stands, and what can be typed there, in every game."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from given import log
from msgspec.structs import replace
from sampling import each_game

from events.model import Deal, Hand, Move, Open, Play, Recorded
from reducers.first_state import begin
from reducers.registry import PAGES, find_game
from replay.redact import hide
from replay.simulate import simulate
from replay.table.example import act_example, open_deals, shortest
from replay.table.frame import frame
from replay.table.game_help import SCREEN, help_lines, help_screen
from replay.table.pad import pad_of
from replay.table.picture import render_frame
from replay.table.position import here, how_to_begin, where_it_stands
from replay.table.session import Session

GAMES = [key for key in sorted(PAGES) if find_game(key).has_cards]
WITHOUT_HANDS = ("russian-bank", "ziginette")
NAMES = ("Ann", "Ben", "Cleo", "Dan")


def played(game: str, *, hidden: bool = False) -> list[Recorded]:
    """A hand of a game whose players have names."""
    seats = begin({"Game": game}).terms.seats
    records = simulate(game, seed=4, hands=1, names=dict(zip(seats, NAMES, strict=False)))
    return hide(records) if hidden else records


def typed_in(session: Session, line: str) -> None:
    """Enter what a line means."""
    session.take([replace(r, n=session.records[-1].n + i) for i, r in enumerate(session.complete(line).events, 1)])


def positions(records: list[Recorded], most: int = 10) -> Iterator[Session]:
    """The match at so many positions of its log, from the opening to the end."""
    step = max(1, len(records) // most)
    for n in [*range(1, len(records), step), len(records)]:
        yield Session(records[:n])


@pytest.mark.parametrize(
    ("game", "told"),
    [
        ("kowah", "fault five B"), ("machiavelli", "fault melds B"), ("zetema", "fault misdeal B"),
        ("pay-me", "fault wild B"), ("pay-me", "pay me (all cards are in melds)"),
        ("kowah", "checki (two triplets and a pair)"),
    ],
)  # fmt: skip
def test_help_speaks_the_words_of_the_game(game: str, told: str) -> None:
    """If this failed, help would name a revoke where nobody follows suit, or leave out what is said."""
    assert told in " ".join(" ".join(help_screen(Session(log(game, "")).reader, 60)).split())


@pytest.mark.parametrize("hidden", [False, True], ids=["open", "hidden"])
@each_game(GAMES, short=4)
def test_the_example_is_an_act_of_this_position(game: str, hidden: bool) -> None:
    """What `?` shows can be typed as it stands: it is read, nothing speaks against it, and it goes on from here."""
    shown = 0
    for session in positions(played(game, hidden=hidden)):
        line = act_example(session.reader)
        assert line == act_example(session.reader)
        if not line:
            continue
        shown += 1
        draft = session.complete(line)
        assert not draft.doubts, line
    assert shown > 1, "hardly any position has an example"


@pytest.mark.parametrize("game", GAMES)
def test_where_you_are_comes_first(game: str) -> None:
    """The hand, the score and whose turn it is, by names; then what is expected."""
    for session in positions(played(game)):
        lines, state = list(here(session.reader)), session.state
        text = "\n".join(lines)
        if state.number:
            assert f"hand {state.number}" in lines[0]
        assert "score: " in text
        assert text.index("score: ") < (text.index("for example") if "for example" in text else len(text))
        # Where not all are asked the same, the page says who is asked what.
        page = state.game.phases[state.phase].asked if state.turn and not state.ended else None
        for seat in state.turn if page is None else [seat for seat in state.turn if seat in page(state).split()]:
            assert f"{state.terms.name(seat)} ({seat})" in text
        if state.turn and not state.ended:
            *before, last = where_it_stands(state)
            assert lines[: len(before) + 1] == [*before, f"{last}: {state.game.phases[state.phase].expects}"]


def test_a_trick_and_a_score_are_told_by_names() -> None:
    """If this failed, one would have to know who sits where."""
    records = log(
        "kaiser", "W hand 1\nN bid 7\nE pass\nS pass\nW pass\nN name h\nN play Kh\nE play 8d", N="Ann", E="Ben",
        S="Cleo", W="Dan",
    )
    assert list(here(Session(records).reader)) == [
        "hand 1, dealt by Dan · play · Ann & Cleo 7 ♥", "on the table: Ann K♥, Ben 8♦",
        "score: Ann & Cleo 0, Ben & Dan 0", "Cleo (S) to play: a card", "  for example  ah", "  written out  S play Ah",
    ]  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
def test_the_first_prompt_says_how_the_deal_is_put_down(game: str) -> None:
    """What lies open after the deal of a simulation is what is asked for; the line shown is read as it stands."""
    session = Session(played(game)[:1])
    deals = open_deals(session.state)
    text = "\n".join(how_to_begin(session.reader))
    assert ("No deal need be typed" in text) == (not deals)
    for deal in deals:
        line = shortest(deal, session.reader)
        assert line
        assert line in text
        assert not session.complete(line).doubts
    assert "hand 1 comes next" in text.lower()
    # Where nobody has a hand, none lies open.
    assert ("A hand that lies open" in text) == (game not in WITHOUT_HANDS)
    assert ("for a hand that" in " ".join(" ".join(help_screen(session.reader)).split())) == (game not in WITHOUT_HANDS)


def test_the_bank_s_card_is_shown_beside_the_board() -> None:
    """It is what the whole hand turns on."""
    text = list(here(Session(log("ziginette", "D hand 1\n@ deal up board=6c5d banker=Qd\n", Seats="A B C D")).reader))
    assert text[1:3] == ["on the table: 6♣ 5♦", "bank's card: Q♦"]
    assert text[5].startswith("D, A, B or C to bet or turn")


@pytest.mark.parametrize(
    ("game", "lines", "shown"),
    [
        (
            "ziginette", "D hand 1\n@ deal up board=6c5d banker=Qd\nA bet 10 >6c\n",
            ["bank D, limits 1 to 10, bets A 10 on 6♣"],
        ),
        (
            "seven-and-a-half", "D hand 1\nA bet 2\nB bet 3\nC bet 1\nA draw up 5c\n",
            ["in the hands: A 5♣ ??", "bank D, limits 1 to 10, stakes A 2 B 3 C 1"],
        ),
        ("put-and-take", "D hand 1\nD play 6c <stock\nB pay 1 >pot\n", ["turned 1, pot 1 as it was paid"]),
        ("pontoon", "D hand 1\nA bet 2\nB bet 3\nC bet 1\n", ["bank D, limits 1 to 10, stakes A 2 B 3 C 1"]),
    ],
)
def test_at_the_bank_stakes_and_open_cards_are_shown(game: str, lines: str, shown: list[str]) -> None:
    text = list(here(Session(log(game, lines, Seats="A B C D")).reader))
    assert [line for line in text if line in shown] == shown


def test_what_lies_open_is_known_from_the_page() -> None:
    """Four cards of the board in Scopa, the tops of the reserves and the columns in Russian Bank, nothing in Kaiser."""
    assert [deal.piles[0][0] for deal in open_deals(begin({"Game": "scopa"}))] == ["board"]
    assert open_deals(begin({"Game": "kaiser"})) == []
    (bank,) = open_deals(begin({"Game": "russian-bank"}))
    assert [(name, len(cards)) for name, cards in bank.piles] == [
        ("reserve:A", 2), ("col:A:1..4", 4), ("reserve:B", 2), ("col:B:1..4", 4),
    ]
    assert bank.piles[0][1][0] == "12x??"


@pytest.mark.parametrize("columns", [78, 60])
@pytest.mark.parametrize("game", GAMES)
def test_help_is_one_screen(game: str, columns: int) -> None:
    """The deal, every part of a hand, the result line: all on one screen of 24 lines, also on a narrow one."""
    session = Session(played(game)[:1])
    lines = help_screen(session.reader, columns)
    assert len(lines) <= SCREEN
    assert max(map(len, lines)) <= columns
    text = "\n".join(lines)
    for key, phase in session.state.game.phases.items():
        assert key in ("gap", "between") or " ".join(phase.expects.split())[:20] in " ".join(text.split())
    for word in ("the deal", "a result", "undo", "fix 15 Jh", "note 15 text", "help all"):
        assert word in text


def test_help_has_the_deal_also_in_the_middle_of_a_hand() -> None:
    """If this failed, who asks for help after the deal would read that none need be typed."""
    for game, deal in (("russian-bank", "djs6cqk5sjckd2qh3"), ("yaniv", "hj"), ("kaiser", "7")):
        begun, later = (help_screen(typed(game, *lines).reader) for lines in ((), (deal,)))
        assert later == begun


def test_a_pad_is_asked_for_figures() -> None:
    """Nothing is dealt there: the first words, `?` and `help` speak of results alone, with a line that can be typed."""
    session = Session(log("pad", "", Seats="N E S", N="Ann"))
    told = "\n".join([*here(session.reader), *help_screen(session.reader)])
    assert "result 12 7 -3" in told
    assert not session.complete("result 12 7 -3").doubts
    assert "deal up" not in told


def test_columns_and_piles_say_whose_they_are_and_what_is_typed_for_them() -> None:
    """If this failed, `jd>7` would go to a column that is drawn as the third of somebody, and a stock would be a
    seat's letter."""
    records = log("russian-bank", "", A="Anna", B="Boris")
    draft = Session(records).complete("djs6cqk5sjckd2qh3")
    records += [Recorded(n=len(records) + i, event=r.event) for i, r in enumerate(draft.events)]
    state = Session(records).state
    moved = Session(records).complete("jd>7").events[0].event
    assert isinstance(moved, Move)
    assert moved.to == "col:B:3"
    drawn = render_frame(frame(state))
    assert "col:A Anna >1–4     col:B Boris >5–8    foundation" in drawn
    assert "reserve of Anna: J♦   reserve of Boris: J♠   covered reserve of Anna: 12" in drawn
    assert "no cards" not in drawn
    begun = list(how_to_begin(Session(records[:1]).of_the_record))
    assert any(
        "(the reserve of Anna, columns 1 to 4 of Anna, the reserve of Boris, columns 1 to 4 of Boris)" in line
        for line in begun
    )


def test_a_broken_act_is_no_example() -> None:
    """What would be asked about is not shown as what can be typed."""
    session = Session(log("kaiser", "W hand 1\nN bid 7\nE pass\nS pass\nW pass\nN name h\nN play Kh"))
    assert shortest(Play(by="E", cards=("8c",)), session.reader) == "8c"
    assert shortest(Play(by="S", cards=("8c",)), session.reader) == ""


def typed(game: str, *lines: str, **names: str) -> Session:
    """A match with these lines in it, as they are typed."""
    session = Session(log(game, "", **names))
    for line in lines:
        n = session.records[-1].n
        session.take([Recorded(n=n + i, event=r.event) for i, r in enumerate(session.complete(line).events, 1)])
    return session


def test_what_lies_on_the_table_is_drawn() -> None:
    """If this failed, one would leave `?` for `show` to see the column, the meld or the discard that a line speaks
    of."""
    bank = typed("russian-bank", "djs6cqk5sjckd2qh3", A="Ann", B="Ben")
    told = list(here(bank.reader, 60))
    assert "col:A Ann >1–4      col:B Ben >5–8" in told
    assert "  6♠  Q♣  K♣  5♣      K♣  2♦  Q♦  3♥" in told
    assert "reserve of Ann: J♦   reserve of Ben: J♠" in told
    lines = ("ha<8c8d2d 5c 7c7h2cm7s cq<4d4d2c qchs 5h 4chs",)
    burraco = list(here(typed("burraco", *lines, N="Ann", E="Ben", S="Cleo", W="Dan").reader, 60))
    melds = burraco.index("melds of Ann & Cleo")
    assert burraco[melds : melds + 5] == [
        "melds of Ann & Cleo", "  1: 8♣ 8♦ 2♦   2: 4♦ 4♦ 2♣   3: Q♣ Q♥ Q♠", "melds of Ben & Dan",
        "  1: 7♣ 7♥ 7♠ 2♣   2: 4♣ 4♥ 4♠", "discard pile: 5♥"
    ]  # fmt: skip
    assert not any("stock" in line or "pozzetto:" in line for line in burraco[: melds + 5])


@pytest.mark.parametrize(
    ("game", "typed", "shown"),
    [
        ("pontoon", "2", "ac2c"),
        ("pontoon", "2; s2h6; .", "6hac"),
        ("jersey-gin", "d8; c2; kn", "meld 2d2h2s"),
        # Of two packs, no card twice.
        ("machiavelli", ".", "2c2d2h"),
        # A card that would have to be told from those thrown away is no example.
        ("poke", "2x", "."),
        ("poke", "2x; .", "."),
        ("poke", "2x; .; .; .", "ac"),
    ],
)
def test_the_example_names_cards_that_may_be_there(game: str, typed: str, shown: str) -> None:
    """If this failed, the example of a deal, or of cards that are laid down, would be unseen cards, or a word that
    fits seldom."""
    records = log(game, "")
    for line in typed.split("; "):
        draft = Session(records).complete(line)
        records += [Recorded(n=len(records) + i, event=r.event) for i, r in enumerate(draft.events)]
    assert f"  for example  {shown}" in list(here(Session(records).of_the_record))


def test_the_example_is_a_card_and_its_short_form() -> None:
    """If this failed, a card that everybody sees turned up would be `x` in the example, and a move would name both
    piles."""
    conquian = typed("conquian", A="Ann", B="Ben")
    assert act_example(conquian.reader) == "ac"
    speed = typed("california-speed", "b de col:b:1..4=8dts4c7d <stock:b djhk3j a 7hjd")
    assert act_example(speed.reader)[0] == "A"
    assert "x" not in act_example(speed.reader)
    bank = typed("russian-bank", "djs6cqk5sjckd2qh3", "dj>2")
    assert act_example(bank.reader) == shortest(bank.complete(act_example(bank.reader)).events[0].event, bank.reader)
    assert "<" not in act_example(bank.reader)
    for game in ("mattis", "bridge-solitaire"):
        hidden = [
            session for session in positions(played(game, hidden=True), 30)
            if session.state.phase in ("building", "play")
        ]
        assert hidden
        assert all(act_example(session.reader).isalnum() for session in hidden), game


@pytest.mark.parametrize(
    ("game", "lines", "shown"),
    [
        ("xeri", "B hand 1\n", "on the table: 4 unseen cards"),
        (
            "xeri", "B hand 1\n@ deal up board=3s5hKd9s\nA play ??\nB play 2c\n",
            "on the table: 3♠ 5♥ K♦ 9♠ ?? 2♣; perhaps others, or fewer",
        ),
        (
            "stealing-bundles", "B hand 1\n@ deal up board=5s2c5hAh\nA capture 2s/2c\n",
            "bundle of A: 2 cards, on top 2♠",
        ),
        ("play-or-pay", "C hand 1\nA play 6c\nB pay 1 >pot\n", "pot 1"),
    ],
)
def test_what_a_player_asks_for_is_shown(game: str, lines: str, shown: str) -> None:
    """If this failed, `?` would show a list of cards as it is written (`4x ??`), and neither bundles nor the pot."""
    seats = "A B C" if game == "play-or-pay" else "A B"
    session = Session(log(game, lines, Seats=seats))
    assert shown in list(here(session.reader))
    assert shown in render_frame(frame(session.state)) or game == "xeri"


def test_the_example_of_a_card_that_is_drawn_open_is_a_card() -> None:
    """If this failed, the example would be `up ??`, which nobody types."""
    session = Session(log("seven-and-a-half", "D hand 1\nA bet 1\nB bet 1\nC bet 1\n", Seats="A B C D"))
    assert list(here(session.reader))[-2:] == ["  for example  ac", "  written out  A draw up Ac"]


@pytest.mark.parametrize(
    ("game", "screen", "all_of_it"),
    [
        ("kaiser", "fault revoke E", "a whole trick: 7♣ K♣ A♣ 9♣"),
        ("xeri", "fault misdeal B", "cards of each in turn: 7♣ K♣ A♣ 9♣"),
        ("stealing-bundles", "fault choice B", "cards of each in turn: 7♣ K♣ A♣ 9♣"),
        ("play-or-pay", "(left of each of the others in turn)", "cards of each in turn: 7♣ K♣ A♣ 9♣"),
    ],
)
def test_the_help_speaks_of_tricks_and_revokes_only_where_there_are_any(game: str, screen: str, all_of_it: str) -> None:
    """If this failed, players of Xeri would read of a whole trick, and those of Play or Pay of what is `left left`."""
    session = Session(log(game, ""))
    assert screen in " ".join(" ".join(help_screen(session.reader)).split())
    assert all_of_it in " ".join(" ".join(help_lines(session.state)).split())


@pytest.mark.parametrize("game", ["botifarra", "court-piece", "kaiser", "malilla", "tresette", "tute"])
def test_a_card_that_is_missing_in_a_trick_is_asked_for_in_its_place(game: str) -> None:
    """If this failed, whoever strikes a card out of a trick would be asked for one of a seat that has played, and
    the trick would take a second card of it."""
    records = played(game)
    start = next(i for i, r in enumerate(records) if isinstance(r.event, Play))
    seats = begin({"Game": game}).terms.seats
    for struck in range(1, len(seats) - 2):
        session = Session(records[: start + len(seats) - 1])
        gone = session.records[start + struck].event
        typed_in(session, f"fix {records[start + struck].n}-")
        (line,) = [line for line in here(session.reader) if "card is missing" in line]
        assert line.startswith(f"{session.state.terms.name(gone.by)}'s card is missing: ")
        typed = line.partition("`")[2].partition("`")[0]
        typed_in(session, typed)
        trick = session.state.hand.trick
        assert [seat for seat, _ in trick.plays] == [r.event.by for r in records[start : start + len(seats) - 1]]
        assert not [line for line in here(session.reader) if "card is missing" in line]


@each_game(GAMES, short=3)
def test_a_pad_is_there_for_every_event_that_is_corrected(game: str) -> None:
    """If this failed, whoever taps "correct" on an event would be told that something went wrong here. Asked are all
    events up to the first acts of play, and some behind them."""
    known = played(game)
    first = next(i for i, r in enumerate(known) if not isinstance(r.event, (Open, Hand, Deal)))
    for records in (known, hide(known)):
        session = Session(records)
        for at in (*range(1, first + 2), *range(first + 2, len(known), 7)):
            for behind in (False, True):
                pad_of(session.in_place_of(at, behind=behind), "public")
