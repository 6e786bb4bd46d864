"""Read a typed line in the current position.

A line is read in every way the notation allows. Each reading is completed from the position (the seat to act, the
suit led, what the phase expects) and tried. Only the best fits are kept: a single one is taken; several are refused,
and all are shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, product, takewhile
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events import model as ev
from events.cards import SUITS, how_many, squeeze
from events.entries import SHORT, Entry, build_event, read_args, read_entries
from events.envelope import Around, take_apart
from events.errors import NotationError
from events.model import Event, Recorded
from events.packs import FRENCH, TablePack
from events.tokens import Token, card_readings
from events.verb_fields import FILL
from events.writing import write_event
from reducers.facts import flat, set_fact
from reducers.legal import acts_of
from reducers.model import State
from reducers.seating import for_the_next_hand, next_dealer
from reducers.words.tricks import tricks_in
from replay.fold import Corrected, apply_events, corrected, irrevocable, standing_before
from replay.languages.translate import one_of_them, t
from replay.log import NumberedEvent
from replay.table.faults import in_words_of_the_game, no_such_thing, unreadable
from replay.table.impossible_lines import doubts_about_fix, screen, troubles_after
from replay.table.joining import coming_or_going
from replay.table.pack_typing import in_french
from replay.table.reading_fit import expects, fit_of, further_hand, tally_doubts
from replay.table.result_line import RESULT, read_result, result_correction, tells_a_result
from replay.table.several_acts import (
    MAX_MEANINGS,
    has_unseen_cards_together,
    likeliest,
    may_be_several,
    names_cards,
    several_acts,
    split_word,
)
from replay.table.shorthand import (
    ABOUT_IT,
    BROKEN,
    FITS,
    GUESS,
    LineMeaning,
    applied,
    is_bare,
    letters_as_ranks,
    names_who_bets,
    names_who_lays,
    names_who_speaks,
    names_whose_chips,
    perhaps_a_seat,
    position_to_come,
    seats_within,
    single_items,
    suits_carried,
    suits_carried_on,
    unheard,
    verbs_of_a_letter,
    without_commas,
    word_meant,
)
from replay.table.typed_signs import (
    SIGNS,
    acts_of_a_sign,
    begins_with_the_deal,
    bet_on_a_card,
    by_its_name,
    deal_in_one,
    draw_by_its_verb,
    facts_by_name,
    open_deal,
    quiet_act_of,
    seat_by_name,
    takes_of,
    word_in_parts,
)


class Draft(Struct, frozen=True):
    """The meaning of a line: events without position, time, recorder and key, in order.

    `doubts` has a paragraph for each act that certainly breaks a rule; `as_played` says that the line (`!`) asks to
    keep it as played. `takes_back` are the acts that an `undo` takes back, for a later `redo`.
    """

    events: tuple[Recorded, ...]
    doubts: tuple[str, ...] = ()
    as_played: bool = False
    takes_back: tuple[Event, ...] = ()


class SeveralMeaningsError(NotationError):
    """A line with several meanings, listed in `drafts`."""

    def __init__(self, drafts: Sequence[Draft], column: int) -> None:
        self.drafts = tuple(drafts)
        shown = f"; {t('or')} ".join(f"'{meaning(draft)}'" for draft in drafts[:4])
        super().__init__(
            f"{t('this can mean {n} things', n=len(drafts))}: {shown}", column=column, expected=t("one meaning"),
            todo=t("Write the one that was meant.")
        )  # fmt: skip


class WhoseTurnError(NotationError):
    """A line without its seat, if it may be the turn of several `seats`."""

    def __init__(self, seats: Sequence[str]) -> None:
        self.seats = tuple(seats)
        super().__init__(
            t("it may be the turn of {who}", who=one_of_them(seats)), expected=t("the seat before the act"),
            todo=t("Write {seat} or {other} first.", seat=seats[0], other=seats[1]),
        )


def meaning(draft: Draft) -> str:
    """The meaning of a line, written out."""
    return ", ".join(write_event(r.event) for r in draft.events)


def acts_in(draft: Draft) -> list[type[Event]]:
    """The types of acts that the corrections of a draft put into the record."""
    return [type(r.event.event) for r in draft.events if isinstance(r.event, ev.Fix) and r.event.event is not None]


class LineReader:
    """Reads typed lines in the position that the `records` of a match have reached.

    `view` are its events as corrected, and `state` is the position; reading changes none of them. Lines are typed
    with the cards of `pack`.
    """

    def __init__(
        self, records: Sequence[Recorded], view: Corrected, state: State[Any], pack: TablePack = FRENCH,
    ) -> None:
        # Between two hands, lines are read with the seating of the next one.
        self.records, self.view, self.state, self.pack = records, view, for_the_next_hand(state), pack
        # Errors caused by the position, not by the spelling.
        self._by_position: list[NotationError] = []

    def complete(self, line: str) -> Draft:
        """Return the meaning of a line. Raises NotationError, which says what was expected, or shows all readings."""
        around = take_apart(line.rstrip("\r\n"))
        words = [w for w in around.words if w.text != "!"]
        if len(words) > 1:
            words[0] = seat_by_name(words[0], self.state)
        as_played = len(words) < len(around.words)
        if words and len(words[-1].text) > 1 and words[-1].text.endswith("!"):
            # `kd!` is typed as often as `kd !`.
            words[-1], as_played = replace(words[-1], text=words[-1].text[:-1]), True
        if names_whose_chips(words, self.state):
            words[0] = replace(words[0], text=words[0].text.upper())
        if not words:
            raise NotationError("nothing is written here", expected=self.expected())
        if (change := coming_or_going(words, self.state)) is not None:
            return Draft((self._around(change, around, True),), (), as_played)
        words = self.in_french(facts_by_name(word_in_parts(self._what_stands_there(words), self.state), self.state))
        if tells_a_result(words, self.state):
            told = read_result(words[words[0].text in RESULT :], self.state)
            doubts = further_hand(told, self.state) or tally_doubts(told[0], self.state)
            draft = Draft(tuple(self._around(e, around, isinstance(e, ev.Tally)) for e in told), doubts, as_played)
            if (before := self._of_the_hand_before(told)) is not None:
                raise SeveralMeaningsError(
                    (Draft((self._around(before, around, True),), (), as_played), draft), words[0].column,
                )
            return draft
        words = bet_on_a_card(without_commas(words), self.state)
        if (back := self._taken_back(words)) is not None:
            return Draft((self._around(back, around, True),), (), as_played)
        if words[0].text == "fix" and len(words) > 2 and tells_a_result(words[2:], self.state):
            return self._corrects(self._told_again(words), around, as_played)
        if words[0].text.lower() == "fix" and len(words) > 2:
            return self._answers_anew(words, around, as_played) or self._correction(words, around, line, as_played)
        return self._read(words, around, as_played)

    def _what_stands_there(self, words: Sequence[Token]) -> list[Token]:
        """The words of a `fix`, with the number of a correction replaced by that of the line it corrected; others
        unchanged."""
        number = re.fullmatch(
            r"(#?)([0-9]{1,9})([+>-]?)", words[1].text,
        ) if len(words) > 1 and words[0].text.lower() == "fix" else None
        if number is None:
            return list(words)
        at = int(number[2])
        while (
            fix := next((r.event for r in reversed(self.records) if r.n == at), None)
        ) is not None and isinstance(fix, ev.Fix) and fix.how != "insert":
            at = fix.at
        return [words[0], replace(words[1], text=f"{number[1]}{at}{number[3]}"), *words[2:]]

    def _taken_back(self, words: Sequence[Token]) -> ev.Back | None:
        """Read `back`, with the seat, the cards or the number of an earlier act; None if the line is something else.

        Raises NotationError if there is no such act.
        """
        who = words[0].text.upper() if len(words) > 1 and words[0].text.upper() in self.state.terms.side_of else ""
        if words[bool(who)].text.lower() != "back":
            return None
        back = build_event(who or "@", "back", words[1 + bool(who) :], seats=self.state.terms.seats)
        assert isinstance(back, ev.Back)
        n = self.records[-1].n + 1
        line = Recorded(n=n, event=back)
        act = next((one.act.event for one in corrected([*self.records, line]).taken_back if one.by.n == n), None)
        if act is None:
            whose = f"{self.state.terms.name(who)} has" if who else "there is"
            raise NotationError(
                f"{whose} no{' such' * bool(back.cards or back.refs)} act in this hand that could be taken back",
                column=words[0].column,
                expected=(
                    "the last act of a seat (back, E back), one with its cards (E back 9d), or by its number "
                    "(back #9)"
                ),
                todo="To take back your own slip type undo.",
            )  # fmt: skip
        return replace(back, by=act.by)

    def _answers_anew(self, words: Sequence[Token], around: Around, as_played: bool) -> Draft | None:
        """`fix 15 12 7` if 15 is a result: new answers, as after `result`; `fix 15 tricks.EW=5`: that figure, the
        others unchanged. None if it is something else."""
        number = words[1].text.removeprefix("#")
        result = next((p.event for p in self.view.events if str(p.n) == number and isinstance(p.event, ev.Tally)), None)
        if result is None or any("=" in word.text for word in words[2:]) != all("=" in word.text for word in words[2:]):
            return None
        try:
            if "=" in words[2].text:
                figures = build_event(result.by, "tally", words[2:], seats=self.state.terms.seats)
                assert isinstance(figures, ev.Tally)
                facts: dict[str, Any] = {}
                for key, value in (*flat(result.facts), *flat(figures.facts)):
                    set_fact(facts, key, value)
                fix = ev.Fix(by="@", at=int(number), how="replace", event=replace(result, facts=facts))
            else:
                fix = self._told_again(words)
        except NotationError:
            if any(word.text.lower() in ev.VERBS for word in words[2:]):
                return None
            raise
        return self._corrects(fix, around, as_played)

    def _of_the_hand_before(self, told: Sequence[Event]) -> ev.Fix | None:
        """The result as an insertion into the previous hand, if that has none and the current hand has no acts; else
        None."""
        state, (tally, *more) = self.state, told
        is_open = [
            score for score in state.scores[-1:] if score.number == state.number - 1 and score.source == "nothing"
            and score.unknown
        ]
        if more or not isinstance(tally, ev.Tally) or not is_open or state.acts or state.tallies:
            return None
        last = next((before.n for before, first in pairwise(self.view.events) if first.n == state.began), 0)
        return ev.Fix(by="@", at=last, how="insert", event=tally) if last else None

    def _corrects(self, fix: ev.Fix, around: Around, as_played: bool) -> Draft:
        return Draft(
            (self._around(fix, around, True),), doubts_about_fix(fix, self.view, self.records, self.state), as_played,
        )

    def _correction(self, words: Sequence[Token], around: Around, line: str, as_played: bool) -> Draft:
        """Read a `fix` with the new act: other cards for the line, or the line as it would have been typed there."""
        several = self._put_in(words, around, least=2)
        if several is not None:
            return several
        try:
            draft = self._read(words, around, as_played)
        except NotationError as error:
            there = self._put_in(words, around, least=1) or self._typed_there(words, around)
            if isinstance(there, NotationError) and "means nothing here" in error.what:
                raise there from error
            if not isinstance(there, Draft) or (there.doubts and isinstance(error, SeveralMeaningsError)):
                raise
            return there
        there = self._typed_there(words, around) if draft.doubts else None
        # A reading that changes the type of the event is unlikely if another keeps it.
        return there if isinstance(there, Draft) and (not there.doubts or acts_in(there) != acts_in(draft)) else draft

    def _read(self, words: Sequence[Token], around: Around, as_played: bool) -> Draft:
        """Read the words of a line."""
        self._by_position = []
        seat = words[0].text.upper()
        first = len(words) > 1 and seat in self.state.terms.side_of and (
            words[0].text == seat or words[0].text not in SUITS or len(words) == 2
        )
        # A capturing card is typed with the cards it takes: `c7 3 4` takes a three and a four of any suit.
        takes = ev.Capture in acts_of(self.state.game.key)
        run_of = len(words) > 1 + first and not takes and plays_one_by_one(self.state, seat if first else None)
        as_typed = words
        words = [
            *words[:first], *suits_carried_on(words[first:], self.state.terms.seats if first else ()),
        ] if run_of else words
        readings, faults = self._readings(words)
        if run_of:
            # `c8 A st` may be a card of seat A, or an ace and another card.
            for with_seats in seats_within(as_typed, first, self.state):
                readings += several_acts(with_seats, self.state, self._one_act, faults)
        if (dealt := deal_in_one(words, self.state)) is not None:
            readings += self._readings(dealt)[0]
        if takes and (aces := letters_as_ranks(words, first, self.state)) is not None:
            # `cj a s3` may be a three of seat A, or an ace and a three.
            readings += self._readings(aces)[0]
        if names_cards(word_meant(words[-1].text, self.state), self.state):
            # `< 9d payme`: a call that goes with the cards before it, or that of the next player.
            parts = [part for word in words[:-1] for part in split_word(word, self.state)]
            cards = len([*takewhile(lambda part: card_readings(part.text), reversed(parts[first:]))])
            for before in range(len(parts) - cards, len(parts)):
                said_first = self._readings([*parts[:before], words[-1], *parts[before:]])[0]
                readings += [
                    r for r in said_first if not any(isinstance(event, ev.Call) and event.what for event in r.events)
                ]
        if run_of and begins_with_the_deal(words[0], self.state) and all(card_readings(word.text) for word in words):
            # The upcard and the cards played after it, or only played cards.
            readings += self._one_act(
                [replace(words[0], text="".join(word.text for word in words))], self.state, faults,
            )
        if (letter := perhaps_a_seat(words, self.state)) is not None and all(r.fit > FITS for r in readings):
            # `c d 7h` is not a call, but seat C drawing.
            by_seat, _ = self._readings([letter, *words[1:]])
            heard = min((r.fit for r in readings if not unheard(r, self.state)), default=9)
            if by_seat and min(r.fit for r in by_seat) < heard:
                readings, words = by_seat, [letter, *words[1:]]
            readings = [r for r in readings if not unheard(r, self.state)] or readings
        elif letter is not None:
            # `p b 1h` may be the bid of seat P, or a pass of the seat to act and the next bid.
            readings += [
                r
                for r in several_acts(
                    [replace(letter, text=SHORT[words[0].text]), *words[1:]], self.state, self._one_act, faults,
                )
                if r.fit == FITS
            ]
        in_parts = as_typed[first and as_typed[0].text not in SUITS :]
        if all(r.fit > FITS for r in readings) and (
            joined := suits_carried_on(in_parts, {*"CDHS", *verbs_of_a_letter(self.state)}, before=1)
        ) != [*in_parts]:
            # `s t` is not a card of seat S if it is not its turn, and `c k` is not a call if the game has no such
            # word.
            readings += [
                r for r in self._readings([*as_typed[: len(words) - len(in_parts)], *joined])[0] if r.fit == FITS
            ]
        if all(r.fit > FITS or r.doubts for r in readings) and (
            wrong := no_such_thing(words, self.state, read=bool(readings), as_played=as_played)
        ) is not None:
            raise wrong
        if not readings:
            if not faults or not self.state.game.has_cards:
                raise unreadable(words, self.state)
            # A reading that failed because of the position is more informative than one that failed by spelling.
            fault = max(faults, key=lambda e: (e in self._by_position, e.column, len(e.what)))
            if fault not in self._by_position:
                fault = in_words_of_the_game(fault, words, self.state)
            if fault.todo == FILL:
                # The recorder knows what may be left out at the table.
                fault = NotationError(fault.what, column=fault.column, expected=fault.expected)
            raise fault
        best = min(r.fit for r in readings)
        if best in (BROKEN, GUESS):
            # A line that breaks a rule as one act is not meant as several that do, but nor as two cards played at
            # once.
            fewest = min(self._acts_at_once(r) for r in readings if r.fit == best)
            readings = [r for r in readings if r.fit != best or self._acts_at_once(r) == fewest]
        who = next((fault for fault in faults if isinstance(fault, WhoseTurnError)), None)
        seat_typed = len(words) > 1 and words[0].text.upper() in self.state.terms.seats
        if who is not None and best >= ABOUT_IT and not seat_typed and words[0].text.lower() not in ev.VERBS:
            # A card without its seat (`ha`) is not short for another word (`hand`).
            raise who
        kept: list[LineMeaning] = []
        for reading in readings:
            if reading.fit == best and all(reading.events != k.events for k in kept):
                kept.append(reading)
        drafts = [self._draft(reading, around, as_played) for reading in kept]
        # Of several possible corrections, those without doubts are meant.
        drafts = [draft for draft in drafts if not draft.doubts] or drafts
        for recorded in (r for draft in drafts for r in draft.events):
            screen(recorded, self.records, self.state, words[0].column)
        if len(drafts) > 1:
            typed = " ".join(word.text for word in words)
            # A line in the full form of the record, with or without its seat, has one meaning.
            exact = [
                draft for draft in drafts if len(draft.events) == 1
                and meaning(draft) in (typed, f"{draft.events[0].event.by} {typed}")
            ]
            if len(exact) != 1:
                raise SeveralMeaningsError(drafts, words[0].column)
            return exact[0]
        return drafts[0]

    def _acts_at_once(self, reading: LineMeaning) -> tuple[bool, int]:
        """Whether a reading plays several cards at once where each seat plays one, and its number of acts."""
        phase = self.state.game.phases.get(self.state.phase)
        at_once = phase is not None and phase.one_card and any(
            isinstance(e, ev.Play) and how_many(e.cards) != 1 for e in reading.events
        )
        return at_once, len(reading.events)

    def in_french(self, words: Sequence[Token]) -> list[Token]:
        """Spell the cards of the table's pack as French ones. Raises NotationError."""
        at = words[1].text.lstrip("#") if words[0].text.lower() == "fix" and len(words) > 1 else ""
        old = next((p.event for p in self.view.events if at == str(p.n)), None)
        return in_french(words, self.state, self.pack, cards=old is None or hasattr(old, "cards"))

    def _draft(self, reading: LineMeaning, around: Around, as_played: bool) -> Draft:
        """One reading of a line, with comment and time on its last act."""
        events = [self._around(e, around, i == len(reading.events) - 1) for i, e in enumerate(reading.events)]
        doubts = [
            d for e in reading.events if isinstance(e, ev.Fix)
            for d in doubts_about_fix(e, self.view, self.records, self.state)
        ]
        return Draft(tuple(events), (*reading.doubts, *doubts), as_played)

    def _around(self, event: Event, around: Around, last: bool) -> Recorded:
        if not last:
            return Recorded(n=0, event=event)
        return Recorded(n=0, event=event, same=around.same, t=around.t, glyphs=around.glyphs, text=around.text)

    def _readings(self, words: Sequence[Token]) -> tuple[list[LineMeaning], list[NotationError]]:
        """Every reading of the whole line: as one act, as a run of cards, or as several acts."""
        faults: list[NotationError] = []
        if (drawn := draw_by_its_verb(words, self.state)) is not None:
            return [self._tried((drawn,), self.state)], faults
        # The upcards of a deal come first and stand alone. What follows is not part of the deal.
        out = [] if len(words) > 1 and begins_with_the_deal(words[0], self.state) else self._one_act(
            words, self.state, faults,
        )
        best = min((r.fit for r in out), default=9)
        if words[0].text.lower() != "fix" and (best > FITS or may_be_several(words, out, self.state)):
            several = several_acts(words, self.state, self._one_act, faults)
            out = out + several if best > FITS else likeliest(
                [r for r in (*out, *several) if r.fit == FITS], self.state,
            )
        # Cards laid together, some of them unseen, may also be a card of each player.
        for play in [r.events[0] for r in out if r.fit == FITS and has_unseen_cards_together(r.events)]:
            if isinstance(play, ev.Play) and not play.src:
                each = [
                    Token(text=card, column=words[-1].column) for counted in play.cards
                    for card in single_items(counted)
                ]
                out += several_acts(each, self.state, self._one_act, faults)
        return out, faults

    def _one_act(
        self, words: Sequence[Token], state: State[Any], faults: list[NotationError], before: Event | None = None
    ) -> list[LineMeaning]:
        """The readings of these words as one act, or as one run of cards; `before` is the act before it on the line."""
        out: list[LineMeaning] = []
        # A seat within a line is in one word with its act.
        words = [replace(word, text=text) for word in words for text in word.text.split()]
        try:
            words = [by_its_name(word, state) for word in words]
        except NotationError as e:
            faults.append(e)
            self._by_position.append(e)
            return []
        text = " ".join(w.text for w in words)
        if (quiet := quiet_act_of(words, state)) is not None:
            return [self._tried((quiet,), state)]
        if (taken := takes_of(words, state)) is not None:
            return [self._tried((taken,), state)]
        if text == "d <":
            text = "<"
        if text in SIGNS:
            last = before or next(
                (p.event for p in reversed(self.view.events) if type(p.event) in acts_of(state.game.key)), None,
            )
            try:
                return [self._tried((act,), state) for act in acts_of_a_sign(words[-1], state, last)]
            except NotationError as e:
                faults.append(e)
                self._by_position.append(e)
                return []
        terms = state.terms
        entries: list[Entry] = []
        try:
            entries = [*read_entries(text, seats=terms.seats, sides=tuple(terms.sides))]
        except NotationError as e:
            faults.append(e)
        dealt = open_deal(entries, state)
        if dealt is not None:
            return [LineMeaning((dealt,), FITS, self._tried((dealt,), state).doubts)]
        for entry in entries:
            typed = words[1] if entry.by is not None and len(words) > 1 else words[0]
            # A single letter is a suit or one of the short verbs, never a prefix of a longer one.
            if entry.verb is None or (len(typed.text) == 1 and not entry.bare and typed.text.lower() not in SHORT):
                continue
            try:
                if entry.bare and entry.verb == "play" and ev.Play not in acts_of(state.game.key):
                    out += self._as_cards(entry, state)
                else:
                    out += self._from_entry(entry, state)
            except NotationError as e:
                faults.append(e)
                self._by_position.append(e)
                if isinstance(e, WhoseTurnError) and before is not None:
                    # After another act each of them may be meant, so the whole line is asked about.
                    entries += [replace(entry, by=seat) for seat in e.seats]
        out += self._as_phase_acts(words, state, faults)
        return out

    def _as_phase_acts(
        self, words: Sequence[Token], state: State[Any], faults: list[NotationError],
    ) -> list[LineMeaning]:
        """Words without a verb (`7no`, `h`) as each act that the phase expects."""
        there, late = state, state.game.phases[state.phase].confirm_first if state.phase in state.game.phases else ()
        state = position_to_come(state)
        phase = state.game.phases.get(state.phase)
        if phase is None or words[0].text.lower() == "fix":
            return []
        actor, rest = "", list(words)
        if len(words) > 1 and (
            names_who_speaks(words[0].text, words[1].text, state) or names_who_bets(words, state)
            or names_who_lays(words, state)
        ):
            actor, rest = words[0].text.upper(), list(words[1:])
        out: list[LineMeaning] = []
        for kind in phase.acts:
            # A word of the game is a call, unless it is a verb; a bid may be typed in two words (`7 no`); cards were
            # read as plays above.
            if kind is ev.Play or kind in phase.verb_required or not rest or (
                kind is ev.Call and not (word := word_meant(rest[0].text, state))
            ):
                continue
            said = [w.text if w.text[0] in "<>" else w.text.lower() for w in rest]
            text = ("" if kind is ev.Bid else " ").join([word, *said[1:]] if kind is ev.Call else said)
            for by in (actor,) if actor else state.game.shorthand.implied_actor(state, kind):
                try:
                    event = build_event(by, str(kind.__struct_config__.tag), read_args(text), seats=state.terms.seats)
                except NotationError:
                    continue
                if phase.bare is not None and not is_bare(event, phase.bare):
                    continue
                out += self._guessed(event, there if kind in late and there.number else state)
        return out

    def _guessed(self, event: Event, state: State[Any]) -> Iterator[LineMeaning]:
        """An act whose verb was left out: taken if it fits, otherwise the last choice."""
        for meant in self._usual(event, state):
            reading = self._tried(meant, state)
            yield reading if reading.fit == FITS else replace(reading, fit=max(reading.fit, GUESS))

    def _as_cards(self, entry: Entry, state: State[Any]) -> list[LineMeaning]:
        """Bare cards in a game without plays to the middle: each act with cards that the phase expects without its
        verb."""
        state = position_to_come(state)
        phase = state.game.phases.get(state.phase)
        acts = [kind for kind in phase.acts if kind not in phase.verb_required] if phase is not None else []
        kinds = [kind for kind in acts if kind is not ev.Call and "cards" in kind.__struct_fields__]
        out = [reading for kind in kinds for reading in self._cards_as(kind, entry, state)]
        if phase is not None and phase.bare_shows and all(reading.fit > FITS for reading in out):
            out += self._cards_as(ev.Show, entry, state)
        return out

    def _cards_as(self, kind: type[Event], entry: Entry, state: State[Any]) -> Iterator[LineMeaning]:
        """Bare cards as an act of this type."""
        for by in (entry.by,) if entry.by is not None else state.game.shorthand.implied_actor(state, kind):
            for args in self._filled(entry.args, by, state):
                try:
                    event = build_event(by, str(kind.__struct_config__.tag), args, seats=state.terms.seats)
                except NotationError:
                    # A bare card may say too little for this act (such as a move), but enough for another.
                    continue
                if kind is ev.Show:
                    yield replace(self._tried((event,), state), fit=FITS)
                else:
                    yield from self._guessed(event, state)

    def _from_entry(self, entry: Entry, state: State[Any]) -> list[LineMeaning]:
        """The readings of one entry, its gaps filled."""
        if entry.verb == "fix":
            return [self._tried((self._fix(entry),), state)]
        if entry.verb == "hand" and (not entry.args or entry.by is None):
            return [self._tried((self._hand(entry, state),), state)]
        if entry.event is not None and not any(t.holes for t in entry.args):
            run_of = self._run(entry, state) if isinstance(entry.event, ev.Play) else []
            return run_of or [
                self._meant(entry.event, e, state) for e in self._usual(entry.event, state, bare=entry.bare)
            ]
        if entry.verb == "play":
            run_of = self._run(entry, state)
            if run_of:
                return run_of
        out = []
        acts = state if entry.by else position_to_come(state)
        for by in self._actors(entry, acts):
            if entry.draft is not None:
                typed = replace(entry.draft, by=by)
                out += [self._meant(typed, e, state) for e in self._usual(typed, acts, bare=entry.bare)]
                continue
            for args in self._filled(entry.args, by, acts):
                event = build_event(by, entry.verb or "", args, seats=acts.terms.seats)
                out += [self._meant(event, e, state) for e in self._usual(event, acts, bare=entry.bare)]
        return out

    def _meant(self, typed: Event, meant: tuple[Event, ...], state: State[Any]) -> LineMeaning:
        """Try a shorthand act in its full form. Bare cards that become a shown hand count as fitting."""
        reading = self._tried(meant, state)
        shown = isinstance(meant[0], ev.Show) and not isinstance(typed, ev.Show)
        return replace(reading, fit=FITS) if shown else reading

    def _hand(self, entry: Entry, state: State[Any]) -> Event:
        """`hand min=5 max=20`: the next hand, with the next number and dealer unless the line names them."""
        dealer = entry.by if entry.by in state.terms.seats else next_dealer(state)
        numbered = bool(entry.args) and entry.args[0].kinds == ("integer",)
        args = entry.args if numbered else (Token(text=str(state.number + 1), kinds=("integer",)), *entry.args)
        return build_event(dealer or "@", "hand", args, seats=state.terms.seats)

    def _usual(self, event: Event, state: State[Any], *, bare: bool = True) -> Iterator[tuple[Event, ...]]:
        """Expand a shorthand act by the game's rules. A typed `play` never becomes a draw or a discard; a typed draw,
        discard or meld keeps its type."""
        acts = acts_of(state.game.key)
        if type(event) not in acts or event.by not in state.terms.side_of or state.ended:
            yield (event,)
            return
        state = position_to_come(state)
        usual = state.game.shorthand.expand(state, event)
        if not bare and isinstance(event, ev.Play):
            usual = tuple(e for e in usual if not isinstance(e, ev.Draw | ev.Discard)) or (event,)
        if not bare and isinstance(event, ev.Draw | ev.Discard | ev.Meld):
            usual = usual or (event,)
        for meant in usual:
            yield (meant,)

    def _actors(self, entry: Entry, state: State[Any]) -> Sequence[str]:
        """The possible actors: the one written, the seats to act, or the table."""
        if entry.by is not None:
            return (entry.by,)
        acts = acts_of(state.game.key)
        kind: type[Event] | None = next((t for t in acts if t.__struct_config__.tag == entry.verb), None)
        if kind is None and entry.verb == "show" and state.turn and not any("from" in t.kinds for t in entry.args):
            kind = ev.Show  # cards of a hand, so a seat shows them
        if kind is not None and state.turn:
            turn = state.game.shorthand.implied_actor(state, kind)
            if len(turn) > 1:
                raise WhoseTurnError(turn)
            return turn
        if kind is not None:
            raise NotationError("no seat has the turn here", expected=expects(state))
        return ("@",)

    def _filled(self, args: Sequence[Token], by: str, state: State[Any]) -> Iterator[tuple[Token, ...]]:
        """The words with missing suits filled in."""
        if not any(t.holes for t in args):
            yield tuple(args)
            return
        options: list[list[Token]] = []
        for token in args:
            if not token.holes:
                options.append([token])
                continue
            groups = [
                [
                    self._suits(card, by, state, token, typed)
                    for card, typed in zip(group, suits_carried(token.text, group), strict=True)
                ]
                for group in token.cards
            ]
            options.append([])
            for filled in product(*(product(*group) for group in groups)):
                cards = tuple(tuple(g) for g in filled)
                options[-1].append(
                    replace(token, text="/".join("".join(g) for g in cards), cards=cards, kinds=("cards",))
                )
        yield from product(*options)

    def _suits(self, card: str, by: str, state: State[Any], token: Token, typed: str) -> list[str]:
        """The cards that a bare rank may be: of the suit `typed` before (`d89tj`), else of the suit led, else known
        to be held."""
        if "_" not in card:
            return [card]
        rank = card[0]
        if typed:
            return [rank + typed]
        led = state.game.shorthand.led(state)
        if led in ("c", "d", "h", "s"):
            return [rank + led]
        if by in state.terms.side_of:
            pack, held = state.game.pack, state.holding(by)
            cards = list(dict.fromkeys(pack.cards(held.certain & pack.rank.get(rank, 0))))
            if cards and held.complete:
                return cards
        shown = "10" if rank == "T" else rank
        tricks = tricks_in(state.hand) if by in state.terms.side_of else None
        why = "" if tricks is None else ", as any suit may follow" if tricks.plays else ", as no suit was led"
        raise NotationError(
            f"which {shown}?", column=token.column, expected=f"a card with its suit{why}",
            todo=f"Write c{shown}, d{shown}, h{shown} or s{shown}.",
        )

    def _run(self, entry: Entry, state: State[Any]) -> list[LineMeaning]:
        """Several cards in a phase of single cards: each is the next seat's. If an unseen card leaves the turn open,
        there is a reading for each possible seat. Empty if the cards are not such a run."""
        cards = [
            (c, typed) for t in entry.args for g in t.cards
            for c, typed in zip(g, suits_carried(t.text, g), strict=True)
        ]
        many = [(c, typed) for card, typed in cards for c in single_items(card)]
        if len(many) < 2 or any(t.kinds != ("cards",) for t in entry.args) or not plays_one_by_one(state, entry.by):
            return []
        runs: list[tuple[LineMeaning, State[Any]]] = [(LineMeaning((), FITS), state.copy())]
        for card, typed in many:
            further: list[tuple[LineMeaning, State[Any]]] = []
            for before, now in runs:
                for by in [entry.by] if entry.by and not before.events else self._next_of(before, now):
                    (filled,) = self._suits(card, by, now, entry.args[0], typed)[:1]
                    play = ev.Play(by=by, cards=(filled,))
                    if any(meant != (play,) for meant in self._usual(play, now)):
                        return []  # a card does more than a play here; each is a separate act
                    reading = self._tried((play,), now)
                    after = now.copy()
                    applied(after, play)
                    further.append((
                        LineMeaning(
                            (*before.events, play), max(before.fit, reading.fit), before.doubts + reading.doubts,
                        ),
                        after,
                    ))
            best = min(reading.fit for reading, _ in further)
            runs = [run for run in further if run[0].fit == best][:MAX_MEANINGS]
        # Another reading with nothing open is likelier than these.
        return [reading if len(runs) == 1 else replace(reading, fit=max(reading.fit, BROKEN)) for reading, _ in runs]

    def _next_of(self, before: LineMeaning, now: State[Any]) -> Sequence[str]:
        """The seats that may play the next card of a run. Raises NotationError if it is no seat's turn, and
        WhoseTurnError if several may begin."""
        turn = now.game.shorthand.implied_actor(position_to_come(now), ev.Play)
        if before.events and len(turn) > 1:
            # Within a trick it goes round the table, even if the leader is unknown.
            laid, next_seat = tricks_in(now.hand), now.terms.after(before.events[-1].by)
            turn = (next_seat,) if laid is not None and laid.plays and next_seat in turn else turn
        if not turn:
            laid_so_far = (
                f"after {len(before.events)} card{'s' if len(before.events) > 1 else ''} " if before.events else ""
            )
            raise NotationError(f"{laid_so_far}no seat has the turn", expected="the seat before the card")
        if len(turn) > 1 and not before.events:
            raise WhoseTurnError(turn)
        return turn

    def _fix(self, entry: Entry) -> ev.Fix:
        """`fix 15 Jh`: the same line with another card; `fix 15+ Jh`: a card inserted after it."""
        whole = entry.event or entry.draft
        if isinstance(whole, ev.Fix):
            self.there(whole.at, whole.how)
            return whole if whole.event is None or whole.how == "turn" else replace(
                whole, event=self._filled_there(whole.event, whole.at, whole.how),
            )
        text = entry.args[0].text.lstrip("#")
        how, number = ("insert", text[:-1]) if text.endswith("+") else ("replace", text)
        at = int(number)
        old = self.there(at, how)
        inner = entry.inner
        if inner is None or inner.verb is None:
            raise NotationError(
                f"the new event at {at} is missing", expected="an event, or other cards for the same line",
            )
        by = inner.by
        if by is None:
            if how == "insert" and inner.verb != "gap":
                raise NotationError(
                    "the actor is missing", column=entry.args[-1].column, expected="the seat before the inserted act",
                )
            by = old.by if old is not None and how == "replace" else "@"
        args = next(self._filled(inner.args, by, self._before(at).state))
        if inner.bare and how == "replace" and old is not None and hasattr(old, "cards") and (
            not isinstance(old, ev.Play) or old.src
        ):
            cards = squeeze(c for t in args for g in t.cards for c in g)
            return ev.Fix(by="@", at=at, how="replace", event=replace(old, by=by, cards=cards))
        event = build_event(by, inner.verb, args, seats=self.state.terms.seats)
        assert not isinstance(event, ev.Fix)
        return ev.Fix(
            by="@", at=at, how="insert" if how == "insert" else "replace", event=self._filled_there(event, at, how),
        )

    def _filled_there(self, event: ev.Plain, at: int, how: str) -> ev.Plain:
        """`fix 7 B pay 3`: complete an unfinished act in that place, such as the target of a payment."""
        before = self._before(at, behind=how == "insert")
        meant = list(before._usual(event, before.state, bare=False))
        one = meant[0][0] if len(meant) == 1 and len(meant[0]) == 1 else event
        return one if type(one) is type(event) else event

    def _put_in(self, words: Sequence[Token], around: Around, least: int) -> Draft | None:
        """`fix 15+ N c9kqa`: acts inserted after a line, as typed there; None if there are fewer than `least`."""
        number = words[1].text.removeprefix("#").removesuffix("+")
        if not words[1].text.endswith("+") or all(str(p.n) != number for p in self.view.events):
            return None
        try:
            read = self._before(int(number), behind=True).complete(" ".join(word.text for word in words[2:]))
        except NotationError:
            return None
        if len(read.events) < least or any(isinstance(r.event, ev.Fix) for r in read.events):
            return None
        first, last = self.records[-1].n + 1, self.records[-1].n + len(read.events)
        # Each further act is inserted after the one before it, which gets the next position.
        places = zip((int(number), *range(first, last)), read.events, strict=True)
        fixes = [
            ev.Fix(by="@", at=at, how="insert", event=r.event) for at, r in places if not isinstance(r.event, ev.Fix)
        ]
        written = [Recorded(n=n, event=fix) for n, fix in enumerate(fixes, first)]
        doubts = (*read.doubts, *troubles_after(written, self.records, self.state, read.doubts))
        return Draft(
            tuple(self._around(fix, around, fix is fixes[-1]) for fix in fixes), doubts, around.words[-1].text == "!",
        )

    @property
    def at_the_beginning(self) -> LineReader:
        """A reader for the first line of the match."""
        return self._before(0)

    def _before(self, at: int, *, behind: bool = False) -> LineReader:
        """A reader for the place of an event, or the place right after it."""
        before = standing_before(self.view, at, behind=behind)
        return LineReader(self.records, before, apply_events(before.opening, before.events))

    def _typed_there(self, words: Sequence[Token], around: Around) -> Draft | NotationError | None:
        """`fix 15 jd>3`: the act as it would have been typed in the place of event 15; the error it causes there, or
        None if it is no such line."""
        number = words[1].text.removeprefix("#")
        old = next((p for p in (*self.view.events, *self.view.struck) if str(p.n) == number), None)
        if old is None:
            return None
        reader, line = self._before(old.n), ""
        for word in words[2:]:
            line = line.ljust(word.column - 1) + word.text + " "
        try:
            read = reader.complete(line).events
        except NotationError as error:
            return error if error in reader._by_position else None
        if len(read) != 1 or isinstance(read[0].event, ev.Fix) or type(read[0].event) is not type(old.event):
            return None
        fix = ev.Fix(by="@", at=revocable(old), how="replace", event=read[0].event)
        return Draft(
            (self._around(fix, around, True),), doubts_about_fix(fix, self.view, self.records, self.state),
            around.words[-1].text == "!",
        )

    def _told_again(self, words: Sequence[Token]) -> ev.Fix:
        """`fix 15 result 12 7`: a new result of a hand."""
        number = words[1].text.removeprefix("#")
        if not (number.isascii() and number.isdecimal()):
            raise NotationError(
                f"'{words[1].text}' is not the number of an event", column=words[1].column, expected="fix 15 result …",
            )
        at = int(number)
        return result_correction(at, words[2:], self.there(at, "replace"), self._before(at).state)

    def there(self, at: int, how: str) -> ev.Plain | None:
        for placed in (*self.view.events, *(self.view.struck if how != "strike" else ())):
            if placed.n == at:
                if how != "insert":
                    revocable(placed)
                return placed.event
        if at == 0:
            return self.view.opening
        last, left_out = self.records[-1].n, " that has not been struck out" * (how == "strike")
        raise NotationError(
            f"there is no event {at} to correct", expected=f"a position from 0 to {last}{left_out}",
            todo="`log` shows the positions.",
        )  # fmt: skip

    def _tried(self, events: tuple[Event, ...], state: State[Any]) -> LineMeaning:
        """How well an act fits this position."""
        return fit_of(events, state, self.view.events)

    def expected(self) -> str:
        """What is expected now, in words: the hand, the phase, the seats to act, and the notation."""
        return expects(self.state)


def plays_one_by_one(state: State[Any], by: str | None) -> bool:
    """True if several cards typed here are one card per player: in a phase of single cards, or once a card is led by
    `by` or the seat to act. After a gap the next part is unknown, but cards of a trick are still one each."""
    now = position_to_come(state)
    phase = now.game.phases.get(now.phase)
    if phase is not None and (phase.one_card or (now.phase == "gap" and tricks_in(now.hand) is not None)):
        return True
    leads = by or next(iter(now.game.shorthand.implied_actor(now, ev.Play)), "")
    if tricks_in(now.hand) is None or ev.Play not in acts_of(now.game.key) or not leads:
        return False
    now = now.copy()
    applied(now, ev.Play(by=leads, cards=("??",)))
    phase = now.game.phases.get(now.phase)
    return phase is not None and phase.one_card


def revocable(placed: NumberedEvent) -> int:
    """The position of an event that may be corrected. Raises NotationError for a ruling."""
    if isinstance(placed.event, ev.Ruling):
        raise NotationError(
            irrevocable(placed.n), expected=f"a later ruling, such as `@ ruling #{placed.n} withdrawn`",
            todo="Write a ruling that refers to it; what was decided stays in the record.",
        )  # fmt: skip
    return placed.n
