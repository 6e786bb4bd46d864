"""The catalogues have every phrase of the sources with its places, and a reader has one language to himself."""

from __future__ import annotations

import re
import threading
from functools import cache
from pathlib import Path

import pytest
from pseudo_language import finder
from replays import example

from events.packs import PACKS
from records.files import load_files
from reducers.house_rules import words_of_house_rules
from reducers.registry import usable_pages
from replay.judging.findings import finding_told
from replay.languages.catalogue import APART, ENGLISH, FOLDER, catalogue, catalogue_of, codes, messages_in
from replay.languages.scripts import phrases_in_script, script_in
from replay.languages.translate import in_language, language_for, offered_languages, speaking, t, tn
from replay.pack_names import InPack
from replay.paper.hand_sheet import hand_sheet
from replay.paper.report import report
from replay.read_log import read_log

CALLED = re.compile(r"(?<![\w.$])tn?\((?=(.{0,40}))")
SMALL = """msgid ""
msgstr ""
"Language-Team: small\\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\\n"

msgid "{n} table"
msgid_plural "{n} tables"
msgstr[0] "{n} tavolo"
msgstr[1] "{n} tavoli"

msgid "hand {n}"
msgstr "mano {hand}"

#, fuzzy
msgid "over"
msgstr "finita"

#. of scopa
msgid "deal"
msgstr ""
"""


@cache
def said_in_sources() -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """The phrases of the sources, each with its plural, and the words that only games have."""
    found = finder()
    return set(found.phrases()), {(text, "") for text in found.game_phrases()}


@pytest.mark.parametrize("code", codes())
def test_a_catalogue_has_the_phrases_of_the_sources_and_no_others(code: str) -> None:
    """If this failed, a page would be half in English, or the catalogue would keep what nobody says."""
    kept = messages_in((Path(FOLDER) / f"{code}.po").read_text(encoding="utf-8"))
    there = {(one.text, one.plural) for one in kept} - {("", "")}
    asked, of_games = said_in_sources()
    advice = "run `python tools/languages.py`"
    assert asked - there == set(), f"{code}.po lacks phrases: {advice}"
    assert there - asked - of_games == set(), f"{code}.po has phrases that nobody says: {advice}"
    assert of_games - asked - there == set(), f"{code}.po lacks words of games: {advice}"


@pytest.mark.parametrize("code", codes())
def test_the_house_rules_of_every_game_are_translated(code: str) -> None:
    """If this failed, who begins a match would choose among English words."""
    kept = catalogue(code)
    assert kept is not None
    asked = {word for game in usable_pages()[0] for word in words_of_house_rules(game)}
    assert [word for word in sorted(asked) if not {word, f"House rules{APART}{word}"} & kept.phrases.keys()] == []


@pytest.mark.parametrize("code", codes())
def test_a_translation_has_the_places_of_its_phrase(code: str) -> None:
    """If this failed, a name or a number would be missing from a sentence, or the sentence would be in English."""
    messages = list(messages_in((Path(FOLDER) / f"{code}.po").read_text(encoding="utf-8")))[1:]
    assert [one.text for one in messages if any(one.said.values()) and not one.done] == []
    if code in offered_languages():
        assert [one.text for one in messages if not one.done and not one.is_game_word] == []


def test_a_word_of_one_game_outlives_an_update(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If this failed, bringing the catalogues up to date would take away what a game says otherwise."""
    found, path = finder(), tmp_path / "ca.po"
    monkeypatch.setattr(found, "FOLDER", tmp_path)
    path.write_text((Path(FOLDER) / "ca.po").read_text(encoding="utf-8"), encoding="utf-8")
    own = {one.key for one in messages_in(path.read_text(encoding="utf-8")) if one.game}
    found.bring_up_to_date("ca")
    assert own
    assert own == {one.key for one in messages_in(path.read_text(encoding="utf-8")) if one.game}


def test_every_phrase_of_a_script_is_found() -> None:
    """If this failed, a phrase would be written so that no catalogue can have it."""
    for path in sorted([*Path("service/static").glob("*.js"), *Path("replay/viewer/static").glob("*.js")]):
        source = path.read_text(encoding="utf-8")
        calls = [found for found in CALLED.findall(source) if path.name != "words.js"]
        assert len(calls) == len(list(phrases_in_script(source))), (path.name, calls)


def test_a_phrase_that_is_not_done_is_said_in_english() -> None:
    small = catalogue_of("xx", SMALL)
    assert small.phrases == {}
    assert small.plurals == {"{n} table": ("{n} tavolo", "{n} tavoli")}
    assert not small.whole
    assert catalogue_of("xx", SMALL.replace("{hand}", "{n}").replace("#, fuzzy\n", "")).whole


def test_a_script_has_the_phrases_and_the_plurals_of_the_language() -> None:
    small = catalogue_of("xx", SMALL.replace("{hand}", "{n}"))
    script = 'a = t("hand {n}", { n }), b = tn(["{n} table", "{n} tables"], n), c = t("over"), f = Number(n !== 1);'
    assert script_in(small, script) == (
        'a = t("mano {n}", { n }), b = tn(["{n} tavolo", "{n} tavoli"], n), c = t("over"), f = Number((n > 1));'
    )
    english = catalogue(ENGLISH)
    assert english is not None
    assert script_in(english, script) == script


def test_each_thread_speaks_for_itself() -> None:
    """If this failed, one reader's language would be another's."""
    heard: list[str] = []
    with speaking("it"):
        other = threading.Thread(target=lambda: heard.append(t("hand {n}", n=1)))
        other.start()
        other.join()
        assert t("hand {n}", n=1) == "mano 1"
        assert tn("{n} unseen", "{n} unseen", 3) == "3 non viste"
    assert heard == ["hand 1"]
    assert t("hand {n}", n=1) == "hand 1"


def test_what_a_game_has_made_is_recognised_by_its_places() -> None:
    assert in_language("trick 3 to N") == "trick 3 to N"
    with speaking("it"):
        assert in_language("trick 3 to N") == "presa 3 a N"
        assert in_language("column 4") == "colonna 4"
        assert in_language("what nobody has ever said") == "what nobody has ever said"


def test_cards_of_another_pack_are_named_in_the_language() -> None:
    """If this failed, a Catalan would read of clubs where the table has bastos; a name is nobody's card."""
    shown = InPack(PACKS["spanish"], ["cor Puig"])
    assert shown.text("plays the six of clubs 9♦") == "plays the seis de bastos 9o"
    with speaking("ca"):
        shown = InPack(PACKS["spanish"], ["cor Puig"])
        assert shown.text("cor Puig juga dama de cors 9♦") == "cor Puig juga cavall de copes 9o"
    with speaking("de"):
        assert InPack(PACKS["german"]).text("Anna spielt Pik-Dame") == "Anna spielt Laub-Ober"


def test_a_sum_is_said_term_by_term_and_a_sentence_as_a_whole() -> None:
    """If this failed, a sheet would explain its figures in English."""
    with speaking("it"):
        assert in_language("cards 25 ÷ 3 + 2 aces + last trick = 11") == "carte 25 ÷ 3 + 2 assi + ultima presa = 11"
        assert in_language("4 · Ann wins") == "4 · vince Ann"
        rule = "who deals the next game = left · after four passes: a new deal, or the dealer must bid = dealer forced"
        assert in_language(rule, "House rules") == (
            "chi dà le carte la volta dopo = chi siede a sinistra · "
            "dopo quattro passo: si ridanno le carte, o il mazziere deve dichiarare = il mazziere deve dichiarare"
        )
        assert in_language("Hand 3: a sentence, that nobody knows.") == "Mano 3: a sentence, that nobody knows."


def test_a_finding_is_said_in_the_language_and_a_report_in_english() -> None:
    """If this failed, a proof would be half in one language and half in another."""
    [loaded] = load_files(str(example("kaiser-evening")))
    log = read_log(loaded.records)
    english = report(log, 3), hand_sheet(log, 3)
    with speaking("de"):
        assert (report(log, 3), hand_sheet(log, 3)) == english
        assert finding_told("follow suit", "W plays 9♣; diamonds were led, and W holds one; put right at 9") == (
            "Farbe bedienen: W spielt 9♣; Karo war ausgespielt, und W hat davon; berichtigt bei 9"
        )
        assert finding_told("", "after hand 3 the table has NS at −3 (0 − 3 = −3); computed 2 (0 + 2 = 2)") == (
            "nach Spiel 3 hat der Tisch NS bei −3 (0 − 3 = −3); errechnet 2 (0 + 2 = 2)"
        )


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        (("it",), "it"), (("it-IT,it;q=0.9,en;q=0.8",), "it"), (("en-GB,it;q=0.9",), "en"), (("it_IT.UTF-8",), "it"),
        (("", "tlh,it;q=0.3"), "it"), (("it;q=0",), "en"), (("it;q=much",), "en"), (("\x00,;;q=,",), "en"), ((), "en"),
    ],
)
def test_a_reader_has_the_first_language_that_is_on_offer(wanted: tuple[str, ...], code: str) -> None:
    assert language_for(*wanted) == code


def test_a_sheet_is_written_in_the_language_that_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """If this failed, a sheet could not be hung out where nobody reads English; data stay as they are."""
    record = str(example("scopa-sunday"))
    page, data = tmp_path / "sheet.html", tmp_path / "sheet.csv"
    run(["sheet", record, "--lang", "it", "-o", str(page)])
    run(["sheet", record, "--lang", "it", "-o", str(data)])
    said = page.read_text(encoding="utf-8")
    assert '<html lang="it">' in said
    assert "ha vinto Rosa in quattro mani" in said
    assert "8/03/2026" in said or "08/03/2026" in said
    assert "won in four" not in said
    assert data.read_text(encoding="utf-8").startswith("hand,dealer,contract,result")
    with pytest.raises(SystemExit):
        run(["sheet", record, "--lang", "tlh"])
    assert "expected one of en (English)" in capsys.readouterr().err


def run(words: list[str]) -> None:
    """Run a command; SystemExit if it fails."""
    from cli.app import main

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["kibitz", *words])
        try:
            main()
        except SystemExit as ended:
            if ended.code:
                raise
