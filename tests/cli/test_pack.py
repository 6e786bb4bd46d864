"""The pack on the table: what is typed and shown with it, and a record that is the same in every pack."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from cli import shell
from cli.recording import Recording
from events.entries import ALIASES
from events.errors import NotationError, UnreadableError, UsageError
from events.model import VERBS, Event, Hand, Open, Recorded
from events.packs import FRENCH, PACKS
from events.tokens import RESERVED, split
from events.writing import write_event
from reducers.first_state import begin
from reducers.opening import opening
from reducers.registry import PAGES, find_game
from replay.fold import corrected
from replay.pack_names import InPack, in_pack, pack_of
from replay.redact import hide
from replay.simulate import simulate
from replay.table.pack_typing import in_french
from replay.table.session import Session
from replay.table.typist import lines_of_a_hand

from .conftest import REVOKE, Kibitz

OTHERS = [name for name in PACKS if name != "french"]
# Games and the packs that they are played with where they come from; Kaiser with German cards has tens.
AT_HOME = [
    ("scopa", "italian"), ("briscola", "italian"), ("botifarra", "spanish"), ("conquian", "spanish"),
    ("kaiser", "german"), ("jersey-gin", "german"),
]


@pytest.fixture(autouse=True)
def settings_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A sitting leaves its pack behind in the settings of the run."""
    monkeypatch.setenv("KIBITZ_DB", str(tmp_path / "kibitz.db"))
    monkeypatch.setattr(shell, "settings", shell.RunSettings())


# -- typed ------------------------------------------------------------------------------------------------------------


def typed(game: str, pack: str, line: str) -> str:
    """A line as it is read with French cards, at the beginning of a match."""
    return " ".join(word.text for word in in_french(split(line)[0], begin({"Game": game}), PACKS[pack]))


@pytest.mark.parametrize(
    ("game", "pack", "line", "french"),
    [
        # seats are capitals, cards small; a letter that is a suit alone is a seat or a verb still
        ("botifarra", "spanish", "S s", "S j"), ("botifarra", "spanish", "s 7o", "j 7d"),
        ("conquian", "spanish", "b 7o", "b 7d"), ("scopa", "italian", "b rc", "b kh"),
        ("scopa", "italian", "a 7d", "a 7d"), ("scopa", "italian", "d x", "d x"), ("scopa", "italian", "dr", "dk"),
        ("conquian", "spanish", "sh 7o8c", "sh 7d8h"), ("botifarra", "spanish", "r", "k"),
        # names, alone and in words
        ("scopa", "italian", "re di coppe", "kh"), ("scopa", "italian", "A sette denari", "A 7d"),
        ("scopa", "italian", "Asso-di-Spade", "as"), ("botifarra", "spanish", "S rey de oros", "S kd"),
        ("botifarra", "spanish", "7 oros", "7d"), ("kaiser", "german", "Grün König", "ks"),
        ("kaiser", "german", "N Eichel-Ober", "N qc"), ("botifarra", "spanish", "sota caballo", "j q"),
        ("botifarra", "spanish", "as", "a"),
        # a suit is named; a figure that is a bid stays one
        ("botifarra", "spanish", "o", "d"), ("botifarra", "spanish", "N copas", "N h"),
        ("botifarra", "spanish", "name e", "name s"), ("botifarra", "spanish", "oros", "d"),
        ("kaiser", "german", "7", "7"), ("kaiser", "german", "bid 7l", "bid 7s"),
        ("kaiser", "german", "N 7no", "N 7no"), ("kaiser", "german", "7 . . . l eka", "7 . . . s cka"),
        ("kaiser", "german", "7...s", "7...d"), ("botifarra", "spanish", "e p p c7", "s p p h7"),
        ("botifarra", "spanish", "c p p", "h p p"), ("botifarra", "spanish", "E p", "E p"),
        # cards with piles, signs and dots around them
        ("scopa", "italian", "rc/6b4d", "kh/6c4d"), ("scopa", "italian", "deal board=rb7dfs4c", "deal board=kc7djs4h"),
        ("scopa", "italian", "fc.vc.", "jh.qh."), ("conquian", "spanish", "6o>3", "6d>3"),
        ("conquian", "spanish", "<9c", "<9h"), ("conquian", "spanish", "mo4-6ms", "md4-6mj"),
        ("conquian", "spanish", "move 7o >A", "move 7d >A"), ("pontoon", "spanish", "bet 5 >7o", "bet 5 >7d"),
        ("scopa", "italian", ". .", ". ."),
        # facts, results, corrections
        ("scopa", "italian", "tally best.A=7d,6c,rb", "tally best.A=7d,6h,Kc"),
        ("botifarra", "spanish", "tally strain=e", "tally strain=s"),
        ("botifarra", "spanish", "result o 2 48", "result d 2 48"),
        ("botifarra", "spanish", "result copas - 30", "result h - 30"),
        ("scopa", "italian", "result 21 10", "result 21 10"), ("scopa", "italian", "fix 3 9c", "fix 3 qh"),
        ("botifarra", "spanish", "fix 3+ S rc", "fix 3+ S kh"),
        ("botifarra", "spanish", "fault revoke W 7o", "fault revoke W 7d"),
        ("botifarra", "spanish", "call double", "call double"), ("scopa", "italian", "fix 4-", "fix 4-"),
        ("scopa", "italian", "note 10", "note 10"), ("pontoon", "italian", "buy 10", "buy 10"),
        # nothing at all with French cards, or without any
        ("scopa", "french", "7h kd", "7h kd"), ("pad", "spanish", "10 12", "10 12"),
    ],
)  # fmt: skip
def test_a_line_word_by_word(game: str, pack: str, line: str, french: str) -> None:
    """If this failed, what somebody typed with the cards on the table would be stored as something else."""
    assert typed(game, pack, line) == french


@pytest.mark.parametrize("pack", OTHERS)
def test_no_word_of_a_line_is_taken_for_a_card(pack: str) -> None:
    """If this failed, a verb or a word of a game could not be typed at a table with this pack."""
    for word in (*VERBS, *ALIASES, *RESERVED, "undo", "redo", "show", "score", "sheet", "check", "log", "help", "quit"):
        assert typed("botifarra", pack, word) == word
    for game in PAGES:
        for word in find_game(game).words:
            assert typed(game, pack, word) == word


@pytest.mark.parametrize(
    ("pack", "line"),
    [("italian", "7h"), ("italian", "A kd"), ("spanish", "7o 7d"), ("german", "board=7c"), ("spanish", "deal A=qd")],
)
def test_cards_of_another_pack_are_refused(pack: str, line: str) -> None:
    """If this failed, `7c` of somebody used to French cards would be another card without a word."""
    with pytest.raises(NotationError, match="no such card") as refused:
        typed("scopa", pack, line)
    assert "d (diamonds)" in refused.value.expected
    assert refused.value.column == len(line) - len(line.split()[-1]) + 1


@cache
def hand_of(game: str) -> tuple[Recorded, ...]:
    return tuple(hide(simulate(game, seed=3, hands=1)))


def recorded(game: str, pack: str, lines: list[str]) -> list[Event]:
    """The events of lines that are typed with a pack."""
    session = Session(hand_of(game)[:1], pack=PACKS[pack])
    for line in lines:
        n = session.records[-1].n
        session.take([Recorded(n=n + i, event=r.event) for i, r in enumerate(session.complete(line).events, 1)])
    return [r.event for r in session.records[1:]]


@pytest.mark.parametrize(
    ("game", "pack"),
    [case if case[0] in ("scopa", "kaiser") else pytest.param(*case, marks=pytest.mark.slow) for case in AT_HOME],
)
def test_what_is_shown_of_a_hand_can_be_typed(game: str, pack: str) -> None:
    """If this failed, a correction that is offered on the screen could not be copied."""
    told = InPack(PACKS[pack])
    events = [r.event for r in hand_of(game)[1:30]]
    in_full = [told.text(write_event(event)) for event in events]
    assert recorded(game, pack, in_full) == events
    assert in_full != [write_event(event) for event in events]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "pack"), AT_HOME)
def test_the_shortest_words_for_a_hand_in_another_pack(game: str, pack: str) -> None:
    """Several acts on a line, runs, melds: if this failed, an example of what to type would be read as something
    else."""
    told = InPack(PACKS[pack])
    lines = [line.text for line in lines_of_a_hand(hand_of(game))]
    assert recorded(game, pack, [told.line_typed(line) for line in lines]) == recorded(game, "french", lines)


def test_a_hand_is_the_same_bytes_in_either_pack(kibitz: Kibitz, tmp_path: Path) -> None:
    """If this failed, a record would turn on the cards it was typed with, be they the match's own or those of
    `--pack`."""
    told = InPack(PACKS["italian"])
    lines = [write_event(r.event) for r in hand_of("scopa")[1:8]]
    assert kibitz("new", "scopa", "--id", "fr", "--date", "-").code == 0
    assert kibitz("new", "scopa", "--id", "it", "--date", "-").code == 0
    assert kibitz("record", "fr", stdin="\n".join(lines)).code == 0
    answers = kibitz("record", "it", "--pack", "italian", stdin="\n".join(told.text(line) for line in lines)).out
    assert not re.search("[♣♦♥♠]", answers)
    logs = [kibitz("export", match, "--format", "jsonl").out.splitlines()[1:] for match in ("fr", "it")]
    assert [
        re.sub(r',"time":"[^"]*"', "", line) for line in logs[0]
    ] == [re.sub(r',"time":"[^"]*"', "", line) for line in logs[1]]
    assert len(logs[0]) >= len(lines)


def test_a_hand_of_scopa_with_italian_cards(kibitz: Kibitz) -> None:
    """Typed and answered as Italian players call them; comments, seats and corrections with it."""
    assert kibitz(
        "new", "scopa", "--seat", "A=Rosa", "--seat", "B=Jack", "--pack", "italian", "--id", "it",
    ).out == "it\n"
    said = kibitz(
        "record", "it",
        stdin="\n".join(
            [
                "7c {il re di coppe, the king of hearts}", "B rs", "4c", "10d", "fix 4 5c", "asso di bastoni", "8b",
                "7h", "undo",
            ]
        )
    )
    assert said.out.splitlines() == [
        "1  Rosa 7c · Jack to play",
        "2  Jack Rs · Rosa to play",
        "3  Rosa 4c · Jack to play",
        "4  Jack Rd takes Rs · Rosa to play",
        "5  event 4 is now Jack 5c takes Rs, and was Jack Rd takes Rs · Rosa to play",
        "6  Rosa Ab · Jack to play",
        "7  Jack Fb takes Ab 7c · new cards, 24 left · Rosa to play",
        "8  event 7 is struck out: Jack Fb takes Ab 7c · Jack to play",
    ]
    assert said.code == 4
    assert said.err == (
        "line 8 '7h': there is no such card in this pack; expected the suits d (denari), c (coppe), s "
        "(spade), b (bastoni), "
        "the court cards f (fante), v (cavallo), r (re)\n"
    )
    assert "A play 7h {il re di coppe, the king of hearts" in kibitz("log", "it").out
    assert "5. @ fix #4 B capture 5h/Ks" in kibitz("log", "it").out
    told = kibitz("replay", "it").out
    assert "Rosa plays 7c {il re di coppe, the king of hearts}" in told
    assert "A Rosa, B Jack" in told
    assert "Rosa plays 7♥" in kibitz("replay", "it", "--pack", "french").out


def test_a_hand_of_botifarra_with_spanish_cards(kibitz: Kibitz) -> None:
    """Trumps by the letter of the suit, court cards by figures or letters, the result line with a suit."""
    assert kibitz("new", "botifarra", "--pack", "spanish", "--id", "es").code == 0
    said = kibitz("record", "es", stdin="o\np p\nc1274s\n12e\n?\nhelp\nend hand void\nresult copas 2 40\n")
    assert said.err == ""
    lines = said.out.splitlines()
    assert lines[0] == "1  W names oros · N to speak"
    assert lines[2].startswith("4–7  N Rc, E 7c, S 4c, W Sc · trick 1 to N")
    assert lines[3] == "8  N Re · E to play"
    assert lines.count(
        "spanish cards: o oros, c copas, e espadas, b bastos; a or 1 as, s or 10 sota, v or 11 caballo, r or 12 rey"
    ) == 2
    assert "strain copas" in lines[-1]
    assert "  for example  ae" in lines
    assert "· result asks for" in said.out
    assert "the trump suit (b, o, c, e), nt" in said.out
    (tally,) = (line for line in kibitz("log", "es").out.splitlines() if "tally" in line)
    assert "strain=h" in tally


def test_a_choice_echoes_what_was_typed(kibitz: Kibitz, capsys: pytest.CaptureFixture[str]) -> None:
    """If this failed, the list would show other cards than those it stands for."""
    assert kibitz("new", "kaiser", "--pack", "german", "--dealer", "W", "--id", "de").code == 0
    assert kibitz("record", "de", stdin=". 7 . .\nh\ne7ao8\ns7kx8\n").code == 0
    asked = iter(["9s", "1", "quit"])
    Recording("de", terminal=True, ask=lambda prompt: next(asked)).run()
    shown = capsys.readouterr()
    assert "  1  S 9s\n  2  W 9s\n" in shown.err
    assert "S 9s" in shown.out
    assert "S play 9d" in kibitz("log", "de").out


def test_a_figure_that_replaces_no_card(kibitz: Kibitz) -> None:
    """If this failed, a claim of ten would become one of a re."""
    assert kibitz("new", "scopa", "--pack", "italian", "--id", "it").code == 0
    assert kibitz("record", "it", stdin="A claim 9\n7c\nfix 1 10\nfix 2 10d\n").err == ""
    assert "@ fix #1 A claim 10" in kibitz("log", "it").out
    assert "@ fix #2 A play Kd" in kibitz("log", "it").out


def test_the_letter_of_a_king_asks_for_no_result(kibitz: Kibitz, capsys: pytest.CaptureFixture[str]) -> None:
    """With Italian and Spanish cards `r` is a card; `result` asks."""
    assert kibitz("new", "botifarra", "--pack", "spanish", "--id", "es").code == 0
    prompts: list[str] = []
    asked = iter(["o", "p p", "co", "7c", "r", "result", "o", "1", "40", "quit"])

    def ask(prompt: str) -> str:
        prompts.append(prompt)
        return next(asked)

    Recording("es", terminal=True, ask=ask).run()
    out = capsys.readouterr().out
    assert "E Rc" in out
    assert "What was the suit chosen? (b, o, c, e or nt) " in prompts
    assert "strain oros" in out


def test_words_are_completed_with_the_cards_on_the_table(kibitz: Kibitz) -> None:
    """Tab offers what can be typed there, as it is typed."""
    assert kibitz("new", "botifarra", "--pack", "spanish", "--id", "es").code == 0
    typed = {"": "deal N=RcSo", "deal ": "W o", "r": "quit"}
    offered: dict[str, set[str]] = {}

    def ask(prompt: str) -> str:
        begun = list(typed)[len(offered)]
        offered[begun] = {word.text for word in sitting._completions(begun)}
        if len(offered) == 3:
            offered["result o "] = {word.text for word in sitting._completions("result o ")}
        return typed[begun]

    sitting = Recording("es", terminal=True, ask=ask)
    sitting.run()
    assert {"o", "c", "e", "b"} <= offered[""]
    assert not {"d", "h"} & offered[""]
    assert "Rc" in offered["r"]
    assert {"1", "2"} <= offered["result o "]


def test_lines_that_are_appended(kibitz: Kibitz, tmp_path: Path) -> None:
    """What is typed is read with the pack; numbered lines and JSON are the record's own."""
    assert kibitz("new", "scopa", "--pack", "italian", "--id", "it").code == 0
    (tmp_path / "lines").write_text("7c\n2. B play 7c\n")
    assert kibitz("append", "it", "lines").out == "1–2  A 7c, B 7b takes 7c · A to play\n"
    assert "2. B capture 7c/7h" in kibitz("log", "it").out
    (tmp_path / "json").write_text('{"event":{"by":"A","cards":["Kh"],"verb":"play"},"n":3}\n')
    assert kibitz("append", "it", "json").code == 0
    assert kibitz("fix", "it", "3", "rd").code == 0
    assert "@ fix #3 A play Kd" in kibitz("log", "it").out


# -- shown ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pack", "french", "shown"),
    [
        ("italian", "N K♥, E 10♠ → N", "N Rc, E 10s → N"), ("spanish", "♠AK10 ♥7", "eAR10 c7"),
        ("german", "Joker (as 7♥), 3x ??", "Joker (as 7h), 3x ??"),
        ("italian", "7♦21 + 6♣18 = 39", "7d 21 + 6b 18 = 39"), ("spanish", "Ann & Carl 7 ♥", "Ann & Carl 7 copas"),
        ("german", "1♣ doubled", "1e doubled"),
        ("italian", "hearts were led, and E holds one (8♥)", "coppe were led, and E holds one (8c)"),
        ("spanish", "no diamond", "no oro"),
        ("german", "the seven of diamonds, two kings", "the Schellen-Sieben, two Könige"),
        ("spanish", "Kings are low", "Reyes are low"), ("italian", "@ fix #12 W play Ad", "@ fix #12 W play Ad"),
        ("spanish", "@ fix #12 W play Ad", "@ fix #12 W play Ao"),
        ("spanish", "A capture Kh/6c4d", "A capture Rc/6b4o"),
        ("italian", "deal board=7hTd3x??", "deal board=7c10d3x??"), ("spanish", "bet 5 >7h", "bet 5 >7c"),
        ("italian", "B discard 5hJo=6h7h", "B discard 5cJo=6c7c"),
        ("spanish", "choose c, d, h, s or nt", "choose b, o, c, e or nt"), ("spanish", "name h", "name c"),
        ("spanish", "strain=h trump=no", "strain=c trump=no"), ("italian", "type `c7kaq` or 5s", "type `b7rav` or 5s"),
        ("spanish", "'7h' is one word too many", "'7c' is one word too many"), ("german", "which K?", "which K?"),
        ("spanish", "which K?", "which R?"),
        (
            "italian", "for example `kdjh7s4c` or `fix 15 Jh`, `undo`, `.`",
            "for example `rdfc7s4b` or `fix 15 Fc`, `undo`, `.`",
        ),
        ("spanish", "  for example  as", "  for example  ae"), ("spanish", "r asks for each", "result asks for each"),
        ("german", "r asks for each", "r asks for each"),
        ("spanish", "Write cK, dK, hK or sK.", "Write br, or, cr or er."),
        ("spanish", "Write c10, dA, h7 or s7.", "Write b10, oa, c7 or e7."),
        # what is no card, or a key that one types
        ("italian", "diamonds.A=6 kings_redeal=3", "diamonds.A=6 kings_redeal=3"),
        ("spanish", "As the pile is gone, As is next", "As the pile is gone, Ae is next"),
        ("german", "scopa.R7, col:A:3, #12, 12x??, at 5", "scopa.R7, col:A:3, #12, 12x??, at 5"),
        ("italian", "a hack, a stack, the cast", "a hack, a stack, the cast"),
        ("italian", "A 7h {she had the K♥ and 7h}", "A 7c {she had the K♥ and 7h}"),
        ("french", "K♥ hearts Kh", "K♥ hearts Kh"),
        # columns stay where they were
        ("spanish", "spades    12  x", "espadas   12  x"),
        ("italian", "  trick 1   K♥, hearts    8–11", "  trick 1   Rc, coppe     8–11"),
    ],
)  # fmt: skip
def test_a_text_in_another_pack(pack: str, french: str, shown: str) -> None:
    """If this failed, an answer, a finding or a sheet would name cards that do not lie on the table."""
    assert InPack(PACKS[pack]).text(french) == shown


def test_what_people_wrote_stays() -> None:
    """If this failed, players and places would be renamed, and remarks rewritten."""
    facts = {
        "Game": "scopa", "Seats": "A K", "A": "Jack Spade", "K": "King", "Site": "Ace of Clubs",
        "Option": {"target": 11}, "Pack": "italian",
    }
    log = [
        Recorded(n=0, event=Open(by="@", facts=facts)),
        Recorded(n=1, event=Hand(by="A", number=1), text="the queen of hearts fell down"),
    ]
    told = in_pack(corrected(log), log)
    assert told.pack is PACKS["italian"]
    assert told.text(
        "Jack Spade, King at Ace of Clubs: the king of clubs"
    ) == "Jack Spade, King at Ace of Clubs: the re di bastoni"
    assert told.text(
        "remark: the queen of hearts fell down; a queen"
    ) == "remark: the queen of hearts fell down; a cavallo"
    assert told.text("is it K? no, K? and Q?") == "is it K? no, K? and V?"
    assert in_pack(corrected(log), log, FRENCH).text("K♥") == "K♥"


def test_terms_may_name_another_pack_later() -> None:
    """If this failed, a table could not change its cards, or a correction of the tag would do nothing."""
    log = list(hand_of("scopa")[:2])
    assert pack_of(corrected(log)) is FRENCH
    later = [*log, Recorded(n=2, event=Open(by="@", facts={"Pack": "spanish"}))]
    assert pack_of(corrected(later)) is PACKS["spanish"]


COMMANDS = ("show", "replay", "score", "sheet", "check", "audit")


@pytest.mark.parametrize("command", [*COMMANDS, "report"])
def test_every_command_shows_another_pack(kibitz: Kibitz, command: str) -> None:
    """No French card is left in what it says, JSON is the same, and a name that is none is refused."""
    example = "hand.kib"
    Path(example).write_text(REVOKE)
    more = ("--at", "9") if command == "show" else ()
    plain, spanish = kibitz(command, example, *more), kibitz(command, example, *more, "--pack", "spanish")
    assert plain.code == spanish.code
    assert command == "sheet" or re.search("[♣♦♥♠]", plain.out)  # a hand in play stands on no sheet
    assert not re.search(r"[♣♦♥♠]|\b(hearts|diamonds|clubs|spades)\b", spanish.out)
    assert len(spanish.out.splitlines()) == len(plain.out.splitlines())
    if command in ("show", "check"):
        assert kibitz(command, example, *more, "--pack", "french") == plain
        assert kibitz(
            command, example, *more, "--pack", "spanish", "--json",
        ).out == kibitz(command, example, *more, "--json").out
    wrong = kibitz(command, example, *more, "--pack", "klingon")
    assert wrong.code == 2
    assert wrong.err == "kibitz: there is no pack 'klingon'; expected one of french, german, italian, spanish\n"


def test_what_compares_and_what_rehearses_shows_the_pack_too(kibitz: Kibitz) -> None:
    """If this failed, two records of a hand with Italian cards would differ in French ones."""
    french = re.compile(r"[♣♦♥♠]|\bKc\b|\bJc\b")
    for name, card in (("a", "Kc"), ("b", "Jc")):
        Path(f"{name}.kib").write_text(
            f'%kib 1\n[Game "scopa"]\n[Pack "italian"]\n\n1. B hand 1\n2. @ deal up board=7d6d3d2c\n3. A play {card}\n'
        )
    assert "Rb" in (told := kibitz("diff", "a.kib", "b.kib")).out
    assert "Fb" in told.out
    assert not french.search(told.out)
    assert "Kc" in kibitz("diff", "a.kib", "b.kib", "--pack", "french").out
    assert "Rb" in kibitz("merge", "a.kib", "b.kib").out
    assert kibitz("import", "a.kib", "--match", "it").code == 0
    kibitz("record", "it", stdin="end match\nfix 3 4c\n")
    changed = kibitz("recheck", "it").out
    assert changed
    assert not french.search(changed)
    assert kibitz("recheck", "--all", "--pack", "italian").code == 2
    assert "Rd" in kibitz("practise", "scopa", "--seed", "3", "--pack", "italian", stdin="quit\n").out
    assert kibitz("practise", "scopa", "--pack", "klingon", stdin="quit\n").code == 2


def test_the_deal_of_a_report_has_the_ranks_of_the_pack(kibitz: Kibitz) -> None:
    """If this failed, the columns would be oros and copas, and below them kings and queens."""
    page = kibitz(
        "report", str(Path(__file__).parents[2] / "examples" / "botifarra-cafe.kib"), "--hand", "1", "--pack", "spanish"
    ).out
    deal = page[page.index("## The deal") : page.index("## What was")]
    rows = [row for row in deal.splitlines() if re.match(r"\| (Montse|Jordi|Pau|Núria) \|", row)]
    assert len(rows) == 4
    assert not re.search(r"\b[KQJ]\b", " ".join(row.split("|", 2)[2] for row in rows))
    assert sum(row.count("R") for row in rows) >= 4


@pytest.mark.parametrize("form", ["text", "csv", "md", "html"])
def test_sheets_of_every_form(kibitz: Kibitz, form: str) -> None:
    """If this failed, a sheet on paper would differ from the one on the screen."""
    example = "hand.kib"
    Path(example).write_text(
        '%kib 1\n[Game "scopa"]\n\n1. B hand 1\n2. @ tally cards.A=21 diamonds.A=6 seven=A '
        'best.A=7d,6c,As,5h primiera.B=60\n'
    )
    sheet = kibitz("sheet", example, "--format", form, "--pack", "italian").out
    assert "7d" in sheet
    assert "denari" in sheet
    assert not re.search(r"[♣♦♥♠]|diamonds", sheet)


def test_the_tag_is_kept_and_checked(kibitz: Kibitz, tmp_path: Path) -> None:
    """If this failed, a match would forget its cards, or take any word for a pack."""
    assert kibitz("new", "scopa", "--pack", "Italian", "--id", "it", "--date", "-").code == 0
    assert kibitz("record", "it", stdin="7c\n").out == "1  A 7c · B to play\n"
    for form in ("kib", "jsonl"):
        text = kibitz("export", "it", "--format", form).out
        (tmp_path / f"it.{form}").write_text(text)
        assert "italian" in text
        assert kibitz("--db", f"{form}.db", "import", f"it.{form}").code == 0
        assert kibitz("--db", f"{form}.db", "export", "it", "--format", form).out == text
        assert "A plays 7c" in kibitz("--db", f"{form}.db", "replay", "it").out
        (tmp_path / f"kl.{form}").write_text(text.replace("italian", "klingon"))
        wrong = kibitz("check", f"kl.{form}")
        assert wrong.code == 4
        assert "tag Pack: 'klingon' is not a pack; expected one of french, german, italian, spanish" in wrong.err
    refused = kibitz("new", "scopa", "--pack", "klingon")
    assert refused.code == 2
    assert "the pack is one of french, german, italian, spanish, not 'klingon'" in refused.err
    assert opening("scopa", pack="spanish")["Pack"] == "spanish"
    assert "Pack" not in opening("scopa")
    with pytest.raises(UsageError, match="pack"):
        opening("scopa", pack="tarot")
    with pytest.raises(UnreadableError, match="Pack"):
        begin({"Game": "scopa", "Pack": "tarot"})
    with pytest.raises(UnreadableError, match="Pack"):
        begin({"Game": "scopa", "Pack": {"x": 1}})


def test_several_matches_have_no_pack(kibitz: Kibitz) -> None:
    """`audit --all` names rules and no cards."""
    assert kibitz("new", "scopa", "--id", "it").code == 0
    assert kibitz("audit", "--all", "--pack", "italian").code == 2
