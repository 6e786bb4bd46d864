"""A hand recorded by its result: `result E 7 h 6 ew ns`, a word or number for each fact, in the players' order.

The game's tally declares which facts are asked, and in which order. `-` is an unknown fact, commas separate the
answers for several hands of one player (`4,4`), `key=value` may be anywhere, and a word such as `misdeal` alone says
that the hand does not count. Facts at the end may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.entries import build_event, read_args
from events.errors import NotationError
from events.model import Event, Facts, Fix, Hand, Tally
from events.name_lists import one_of
from events.tokens import Token, split
from events.writing import write_event
from reducers.evolve import evolve
from reducers.facts import Fact, fact_in_words, may_be, names_allowed, set_fact
from reducers.model import Game, State
from reducers.seating import next_dealer
from reducers.tally import FactSpec
from reducers.terms import side_named
from reducers.words.tallies import contradictory_facts
from replay.languages.catalogue import ENGLISH
from replay.languages.translate import in_language, one_of_them, spoken_language, t
from replay.plain_text import player_names

NOBODY_KNOWS = "-"
RESULT = ("result", "r")
"""The words that a result line begins with."""
MADE_UP = ("12", "7", "-3", "0")


class AskedFact(Struct, frozen=True):
    """One fact of a result line: its dotted key, its declaration, its name, the name of its player or side, and other
    words that may be given instead."""

    key: str
    fact: Fact
    called: str
    who: str
    instead: Mapping[str, Facts]


def asked_facts(state: State[Any], told: Facts) -> Iterator[AskedFact]:
    """The facts that a result line of this game asks for, in order; `told` are the answers so far, on which later
    questions may depend."""
    every = state.game.tally.told
    dealer_known = not state.dealer_is_guess if state.number else "Dealer" in state.terms.facts
    for attribute, one in every.items():
        if not one.asked or one.reading == "void" or (one.deals and dealer_known):
            continue
        beside = {name: other for name, other in every.items() if one.but and other.but == one.but} or {attribute: one}
        if next(iter(beside)) == attribute:
            for who in whose(one, told, state):
                yield from (asked_of(who, name, other, state) for name, other in beside.items())


def asked_of(who: str, attribute: str, one: FactSpec, state: State[Any]) -> AskedFact:
    """A fact as it is asked about a side or seat ("" for neither)."""
    shape, fact = next(iter(one.facts.items()))
    # A fact that the game reads itself has keys of its own; the question uses the declared key.
    called = shape.partition(".")[0] if one.reading == "page" and who else attribute.replace("_", " ")
    instead = {word: filled_in(told, who, state) for word, told in one.instead.items()}
    return AskedFact(
        shape.replace("*", who), fact, f"{called} of {state.terms.name(who)}" if who else called,
        state.terms.name(who) if who else "", instead,
    )


def filled_in(told: Facts, who: str, state: State[Any]) -> Facts:
    """The facts that a word stands for: `{}` becomes the side or seat, `{other}` the other of two sides."""
    others = [side for side in state.terms.sides if side != who]
    stands_for = {"{}": who, "{other}": others[0] if len(others) == 1 else ""}
    return {key: stands_for.get(fact, fact) if isinstance(fact, str) else fact for key, fact in told.items()}


def whose(one: FactSpec, told: Facts, state: State[Any]) -> Sequence[str]:
    """The sides or hands to ask about, ("",) for a fact of the whole hand. If the total of a count is fixed, one of
    two sides is asked about (the one in an earlier answer, or the first), or all but the last of more sides."""
    sides, playing = tuple(state.terms.sides), state.game.dealing.playing(state)
    if one.but:
        left_out = told.get(one.but, dealer_of(told, state))
        around = state.terms.in_turn(left_out if left_out in state.terms.seats else state.terms.seats[0])
        return [seat for seat in around if seat in playing and seat != left_out]
    of_each = one.reading == "figures" or (one.reading == "page" and f"{one.key}.*" in one.facts)
    if one.reading != "counts" and not of_each:
        return ("",)
    if of_each:
        by_hand = one.facts[f"{one.key}.*"].of == "hand"
        return playing if by_hand else tuple(s for s in sides if any(seat in playing for seat in state.terms.sides[s]))
    if len(sides) != 2:
        return sides[:-1]
    return (side_named(told.get(one.whose), state.terms) or sides[0],)


def dealer_of(told: Facts, state: State[Any]) -> str:
    """The dealer of the hand in question: as answered, else as in play or by the rules."""
    named = next((told.get(one.key) for one in state.game.tally.told.values() if one.deals), None)
    if isinstance(named, str) and named in state.terms.seats:
        return named
    if not tells_the_next(state):
        return state.dealer
    return next_dealer(state)


def usage(state: State[Any], told: Facts | None = None) -> str:
    """How a result line of this game is written. Keys that depend on an earlier answer, such as the tricks of the
    declarer's side, have no side or seat until that is `told`.

    >>> from reducers.first_state import begin
    >>> usage(begin({"Game": "kaiser"})), usage(begin({"Game": "pay-me", "Seats": "A B C"}))
    ('result declarer level trump tricks five three', 'result out deadwood deadwood')
    >>> usage(begin({"Game": "pay-me", "Seats": "A B C"}), {"out": "A"})
    'result out deadwood.B deadwood.C'
    """
    told = told or {}
    every = list(asked_facts(state, told))
    open_yet = {one.key for one in every if one.key not in told}
    depends = {one.key for one in state.game.tally.told.values() if one.whose or one.but in open_yet}
    keys = (one.key.partition(".")[0] if one.key.partition(".")[0] in depends else one.key for one in every)
    return " ".join(["result", *keys])


def figure_order(state: State[Any]) -> str:
    """The sides in the order of a result line of a game without cards: `Ann, Ben & Cleo`."""
    return ", ".join(map(state.terms.name, state.terms.sides))


def result_example(state: State[Any]) -> str:
    """A result line of a game without cards, as typed.

    >>> from reducers.first_state import begin
    >>> result_example(begin({"Game": "pad", "Seats": "N E S"}))
    'result 12 7 -3'
    """
    return " ".join(["result", *(MADE_UP[i % len(MADE_UP)] for i, _ in enumerate(asked_facts(state, {})))])


def tells_a_result(words: Sequence[Token], state: State[Any]) -> bool:
    """True if the words are the result of a hand: they begin with `result` or, in a game without cards, are figures
    or `void`."""
    if words[0].text in RESULT or state.game.has_cards:
        return words[0].text in RESULT
    return bool(why_not_counted(words, state)) or all(
        word.text == NOBODY_KNOWS or figure_typed(word.text) is not None for word in words
    )


def result_correction(at: int, words: Sequence[Token], old: Event | None, before: State[Any]) -> Fix:
    """The correction with a new result of a hand; `before` is the match as it was then.

    Raises NotationError if the `old` event is not a result, or the words are not one.
    """
    if not isinstance(old, Tally):
        there = f"'{write_event(old)}'" if old is not None else "the opening"
        raise NotationError(
            f"event {at} is {there}, and not a result", expected="the number of a tally",
            todo="`log` shows the numbers.",
        )
    said = words[1:] if words[0].text in RESULT else words
    tally = read_result(said, before)[-1]
    assert isinstance(tally, Tally)
    return Fix(by="@", at=at, how="replace", event=tally)


def read_result(words: Sequence[Token], state: State[Any]) -> tuple[Event, ...]:
    """The events for the words after `result`: the hand, if none is in play, and its tally.

    Raises NotationError at an invalid word, or for figures that contradict each other.
    """
    facts: Facts = {}
    for key, value in named_facts([word for word in words if "=" in word.text]).items():
        set_fact(facts, key, value)
    plain = [word for word in words if "=" not in word.text]
    void = why_not_counted(plain, state)
    if not void and not facts and next(asked_facts(state, {}), None) is None:
        keys = ", ".join(state.game.tally.facts)
        raise NotationError(
            f"a hand of {state.game.name} has no result in one line yet", expected="tally KEY=VALUE …",
            todo=f"Its keys are {keys}."
        )  # fmt: skip
    if void:
        facts["void"] = void
    else:
        take_answers(plain, facts, state)
    if not facts:
        raise NotationError(t("the result says nothing"), expected=usage(state))
    wrong = contradictory_facts(facts, in_its_hand(facts, state))
    if wrong:
        todo = "Correct the figure, or leave it out with -."
        raise NotationError(wrong[0][1], column=words[0].column, expected=usage(state), todo=todo)
    return events_for(facts, state)


def events_for(facts: Facts, state: State[Any]) -> tuple[Event, ...]:
    """The events for these facts: a tally, after a new hand if needed."""
    tally = Tally(by="@", facts=facts)
    if not tells_the_next(state):
        return (tally,)
    return Hand(by=dealer_of(facts, state), number=state.numbered + 1), tally


def tells_the_next(state: State[Any]) -> bool:
    """True if a result belongs to the next hand: none is in play, or the current one has a result."""
    return not state.number or state.settled or bool(state.tallies)


def without_results(state: State[Any]) -> State[Any]:
    """The match without the results reported for the current hand."""
    if state.tallies:
        state = state.copy()
        state.tallies = []
    return state


def in_its_hand(facts: Facts, state: State[Any]) -> State[Any]:
    """The match at the tally: in the hand that begins with it, with its own dealer and no result yet."""
    if tells_the_next(state):
        state = state.copy()
        evolve(state, events_for(facts, state)[0])
    return state


def named_facts(words: Sequence[Token]) -> dict[str, Any]:
    """Facts given by their keys, as in a `tally`."""
    if not words:
        return {}
    event = build_event("@", "tally", read_args(" ".join(word.text for word in words)))
    assert isinstance(event, Tally)
    return dict(event.facts)


def why_not_counted(words: Sequence[Token], state: State[Any]) -> str:
    """The reason why the hand does not count, if the line says nothing else; else ""."""
    text = words[0].text.lower() if len(words) == 1 else ""
    ends = {word for word, meaning in state.game.words.items() if "end: " in meaning}
    return text if "void" in state.game.tally.facts and text in {*ends, "void", "misdeal"} else ""


def take_answers(words: Sequence[Token], facts: Facts, state: State[Any]) -> AskedFact | None:
    """Add the answers in the words to the facts. Returns the next fact to ask about; None if there is none.

    Raises NotationError at the first word that is not a valid answer.
    """
    said: set[str] = set()
    for word in words:
        one = next_asked(said, facts, state)
        if one is None:
            raise NotationError(f"'{word.text}' is one word too many", column=word.column, expected=usage(state, facts))
        told = read_answer(word.text, one, state)
        if told is None:
            raise NotationError(
                t("'{word}' does not answer '{question}'", word=word.text, question=question_spoken(one, state)),
                column=word.column,
                expected=expected_answer(one, state), todo=t("Write {line}.", line=usage(state)),
            )  # fmt: skip
        said.add(one.key)
        for key, value in told.items():
            set_fact(facts, key, value)
    return next_asked(said, facts, state)


def still_asked(said: Sequence[str], state: State[Any]) -> AskedFact | None:
    """The next fact after these words of a result line; None if there is none. Raises NotationError like
    `take_answers`."""
    words, _, _ = split(" ".join(said))
    return take_answers(words, {}, state)


def next_asked(said: Collection[str], facts: Facts, state: State[Any]) -> AskedFact | None:
    """The first fact without an answer."""
    return next((one for one in asked_facts(state, facts) if one.key not in said and not is_told(one.key, facts)), None)


def is_told(key: str, facts: Facts) -> bool:
    """True if the facts have this dotted key."""
    here: Any = facts
    for part in key.split("."):
        if not isinstance(here, dict) or part not in here:
            return False
        here = here[part]
    return True


def read_answer(text: str, one: AskedFact, state: State[Any]) -> Facts | None:
    """The facts in a word of answer, by dotted keys; empty for unknown, None if the word is invalid."""
    if text == NOBODY_KNOWS:
        return {}
    if text.lower() in one.instead:
        return one.instead[text.lower()]
    told: Facts = {}
    for i, word in enumerate(text.split(",") if one.fact.of == "hand" else [text], 1):
        value = value_of(word, one.fact, state)
        # A whole number may break a rule if the fact allows it.
        if value is None or not (
            may_be(one.fact, value, state.terms, state.game.pack) or (one.fact.stands and type(value) is int)
        ):
            return None
        told[one.key if i == 1 else f"{one.key}:{i}"] = value
    return told


def value_of(text: str, fact: Fact, state: State[Any]) -> Any:
    """A word as the value of a fact: a number, yes or no, a player or side (or seats, with commas) by letter or name,
    or a word of the game."""
    terms = state.terms
    if fact.kind == "number":
        return figure_typed(text)
    if fact.kind == "yes or no":
        return {"yes": True, "y": True, "no": False, "n": False}.get(text.lower())
    if fact.kind in ("somebody", "seats"):
        names = names_allowed(fact, terms) if fact.kind == "somebody" else terms.seats
        called = {terms.name(who).lower(): who for who in names}
        spelled = {who.lower(): who for who in (*names, *map(str, fact.only))}
        words = text.lower().split(",") if fact.kind == "seats" else [text.lower()]
        found = [spelled.get(word) or called.get(word) for word in words]
        if None in found:
            return None
        return found[0] if len(found) == 1 else found
    if fact.kind == "choice":
        return next((word for word in fact.only if str(word).lower() == text.lower()), None)
    return text


def figure_typed(text: str) -> int | None:
    """A figure as a player writes it: with a plus, with a true minus sign; None for anything else.

    >>> figure_typed("+7"), figure_typed("−3"), figure_typed("7h"), figure_typed("-")
    (7, -3, None, None)
    """
    digits = text.removeprefix("+").replace("−", "-")
    return int(digits) if digits.removeprefix("-").isdecimal() and len(digits) < 8 else None


def expected_answer(one: AskedFact, state: State[Any]) -> str:
    """The possible answers for a fact."""
    allowed = fact_in_words(one.fact, state.terms) + other_answers(one, state)
    return t("{choices}, or - if it is unknown", choices=choices_spoken(one, allowed))


def question_spoken(one: AskedFact, state: State[Any]) -> str:
    """A fact as a question in the language that is spoken."""
    asked = as_question(replace(one, who=one.who and WHO))
    said = in_language(asked, state.game.key)
    return as_question(one) if said == asked else said.replace(WHO, one.who)


def questions_of(game: Game) -> Iterator[str]:
    """The questions about a result of this game, with a place for whom they are about."""
    for attribute, one in game.tally.told.items():
        if one.asked and one.reading != "void":
            shape, fact = next(iter(one.facts.items()))
            of_each = one.but or one.reading in ("counts", "figures") or f"{one.key}.*" in one.facts
            yield as_question(AskedFact(shape, fact, attribute, WHO if of_each else "", {}))


def choices_spoken(one: AskedFact, text: str) -> str:
    """The possible answers for a fact (`answer_choices`) in the language that is spoken: each as it is typed."""
    if spoken_language() == ENGLISH:
        return text
    several, choices = one.fact.of == "hand", text.removesuffix(SEVERAL_HANDS)
    if one.fact.kind not in ("choice", "somebody") and not one.fact.only:
        said = in_language(choices)
    else:
        before, _, last = re.sub(r"(\d) to (\d)", r"\1–\2", choices).rpartition(" or ")
        said = one_of_them([before, last] if before else [last])
    return t("{choices}, for several hands with commas", choices=said) if several else said


WHO = "{who}"
"""The place of a player or side in the question as catalogues have it."""
SEVERAL_HANDS = ", for several hands with commas"
_SOMEBODY = re.compile(r"(?:the )?(?:seat or side|players?|seat|side|team) (that |who |whose |with |left |without )")
_ASKED = {"whose ": "whose ", "with ": "who has ", "left ": "who was left ", "without ": "who was without "}
_WHOSE = re.compile(r"\b(?:a|the|that|this) (?:player or side|side|player|seat|hand)\b")
_ASKED_WITH = {
    "count": ("do", "count"), "counts": ("does", "count"), "have": ("do", "have"), "is": ("is", ""), "are": ("are", ""),
    "was": ("was", ""), "had": ("did", "have"), "bet": ("did", "bet"), "paid": ("did", "pay"), "took": ("did", "take"),
    "ended": ("did", "end"), "came": ("did", "come"), "held": ("did", "hold"), "put": ("did", "put"),
    "won or lost": ("did", "win or lose"),
}  # fmt: skip
"""The form of a clause's verb ("what a side counts") in a question ("what does a side count")."""
_CLAUSE = re.compile(rf"(what|how often|how|whether) (.+?) ({'|'.join(_ASKED_WITH)})\b(.*)")
# Things taken, held or paid are counted.
_COUNTED = r"(.+?) (?:taken by {who}|(?:that )?{who} (still )?(took|paid|put|held|had)\b(.*))"
_SUIT = re.compile("^suit that ")
# Remarks about the figure itself are shown with the choices.
_FIGURE = re.compile(
    r", (?:in the same words|0 (?:if|without) .*|[0-9]+ to [0-9]+|[0-9]+(?:, [0-9]+)* or [0-9]+)$|;.*$|: .*$| \(.*$"
)


def as_question(one: AskedFact) -> str:
    """A fact as a question, derived from its declared meaning.

    >>> from reducers.first_state import begin
    >>> state = begin({"Game": "kaiser", "N": "Olena", "S": "Walter"})
    >>> [as_question(one) for one in asked_facts(state, {})][2:5]
    ['Which suit was named?', 'How many tricks did Olena & Walter take?', 'Who has the five of hearts?']
    >>> [as_question(one) for one in asked_facts(begin({"Game": "botifarra"}), {})]
    ['What was the suit chosen?', 'What is the hand multiplied by?', "What do N & S's tricks count?"]
    """
    text = _FIGURE.sub("", one.fact.meaning)
    if one.fact.kind in ("somebody", "seats"):
        text = _SOMEBODY.sub(lambda found: _ASKED.get(found[1], "who "), text, count=1)
    if one.who:
        text, replaced = _WHOSE.subn(one.who, text, count=1)
        text += "" if replaced else f", {one.who}"
    if (clause := _CLAUSE.fullmatch(text)) is not None:
        asks, whose, verb, rest = clause.groups()
        helper, verb = _ASKED_WITH[verb]
        helper = "do" if helper == "does" and " & " in whose else helper
        text = " ".join(word for word in ("" if asks == "whether" else asks, helper, whose, verb) if word) + rest
    elif one.who and (counted := re.fullmatch(_COUNTED.format(who=re.escape(one.who)), text)) is not None:
        what, still, verb, rest = counted.groups(default="")
        text = f"how many {what} did {one.who} {still}{_ASKED_WITH[verb or 'took'][1]}{rest}"
    text = _SUIT.sub("which suit ", text)
    if text.split(" ", 1)[0].lower() not in _ASKING:
        text = what_is_asked_of(text, one.who)
    text = text.replace(" its ", " their ") if " & " in text else text
    return f"{text[:1].upper()}{text[1:]}?"


_ASKING = frozenset(
    ["who", "whose", "what", "which", "how", "did", "do", "does", "was", "were", "is", "has", "have", "in", "with"]
)
_ONE_OF = {"deadwood": "how much", "primiera": "what"}
"""Nouns that are not counted, and how they are asked for."""


def what_is_asked_of(text: str, who: str) -> str:
    """A noun phrase for a figure as a question.

    >>> (
    ...     what_is_asked_of("the bid", ""),
    ...     what_is_asked_of("sweeps of Ann", "Ann"),
    ...     what_is_asked_of("deadwood of Ann after lay-offs", "Ann")
    ... )
    ('what was the bid', 'how many sweeps did Ann have', 'how much deadwood did Ann have after lay-offs')
    >>> what_is_asked_of("cards left in the stock", ""), what_is_asked_of("tricks of the declarer", "")
    ('how many cards were left in the stock', 'how many tricks did the declarer have')
    """
    if text.startswith(("the ", "all ")):
        return f"what was {text}"
    asks = _ONE_OF.get(text.split(" ", 1)[0], "how many")
    if (found := re.fullmatch(r"(\w+) ((?:left|in) .*)", text)) is not None:
        return f"{asks} {found[1]} were {found[2]}"
    if (found := re.fullmatch(rf"(.+?) of ({re.escape(who) or r'the [a-z]+'})( .*)?", text)) is not None:
        return f"{asks} {found[1]} did {found[2]} have{found[3] or ''}"
    return f"{asks} {text} were there"


def answer_choices(one: AskedFact, state: State[Any]) -> str:
    """The possible answers for a fact: players and sides by their letters, with their names.

    >>> from reducers.first_state import begin
    >>> state = begin({"Game": "kaiser", "N": "Olena", "E": "Petro"})
    >>> [answer_choices(one, state) for one in list(asked_facts(state, {}))[:2]]
    ['NS, EW, N Olena, E Petro, S or W', '6 to 12']
    """
    terms = state.terms
    if one.fact.kind != "somebody":
        return fact_in_words(one.fact, terms) + other_answers(one, state)
    named = names_allowed(one.fact, terms)
    # If seats are possible answers too, they show the members of a side.
    called = terms.names if set(named) & set(terms.seats) else player_names(terms.sides, terms.names)
    who = [f"{letter} {called[letter]}" if called.get(letter, letter) != letter else letter for letter in named]
    return one_of((*who, *map(str, one.fact.only))) + other_answers(one, state)


def other_answers(one: AskedFact, state: State[Any]) -> str:
    """Other possible answers, and the notation for several hands."""
    others = "".join(f", {word}" for word in one.instead)
    return others + (SEVERAL_HANDS if one.fact.of == "hand" else "")
