"""The command `record`: records a match line by line, and saves each line before answering it.

Answers go to standard output, one line each. The prompt, questions and errors go to standard error. After an
unreadable line the command reports it and asks for the next one; nothing recorded is lost. At a terminal the lines
come from an editor (`cli.line_editor`); from a pipe or with `--plain` they are read directly.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from itertools import groupby
from typing import TYPE_CHECKING

from cli import shell
from cli.scribe import StoreScribe, strict_lines
from events.errors import KibitzError, NotationError, NotFoundError, StoreError, UnreadableError
from events.limits import AT_ONCE_BYTES, MAX_LINE
from events.model import Event, Recorded
from events.packs import FRENCH, TablePack
from events.tokens import Token
from records import StaleWriterError, Store
from replay.languages.translate import in_language, t, tn
from replay.plain_text import with_player_names, wrapped
from replay.table.completion import CompletionWord, beginning_with, possible_answers, words_after
from replay.table.line_reader import SeveralMeaningsError, WhoseTurnError, meaning
from replay.table.pack_typing import is_a_rank, ranks_in_play, typed_letters
from replay.table.reading_fit import PLAYED
from replay.table.result_line import NOBODY_KNOWS, RESULT, answer_choices, choices_spoken, question_spoken, still_asked
from replay.table.session import Draft, LineAnswer
from replay.table.shorthand import spoken_act

if TYPE_CHECKING:
    from cli.line_editor import LineEditor

ROOM = 10
"""The number of columns left for the answer to a question."""


class Recording:
    """One session of recording a match. In tests, `ask` and `terminal` replace the person."""

    def __init__(
        self, match: str | None, *, strict: bool = False, as_played: bool = False, alert: bool = False,
        plain: bool = False, pack: TablePack | None = None, terminal: bool | None = None,
        ask: Callable[[str], str] | None = None,
    ) -> None:  # fmt: skip
        self.match, self.strict, self.as_played, self.alert = match, strict, as_played, alert
        self.terminal = shell.is_terminal(sys.stdin) if terminal is None else terminal
        self.plain = plain or not shell.can_edit()
        self.ask = ask
        self.pack = pack
        self.editor: LineEditor | None = None
        self.code = 0
        self.number = 0
        self.instead: list[str] = []
        # The acts that `undo` took back since the last other entry, for `redo`.
        self.undone: list[tuple[Event, ...]] = []
        self.scribe: StoreScribe

    def run(self) -> int:
        """Process lines until the end of input.

        Returns the exit code. For a pipe: 6 if a line was lost to another recorder, 4 if one could not be read.
        """
        with shell.store(write=True) as store:
            self.scribe = StoreScribe(store, self._which(store), alert=self.alert, pack=self.pack)
            if self.terminal:
                self._greet()
                self._prepare()
            for line in self._lines():
                self.number += 1
                if line.strip().lower() in ("quit", "exit"):
                    break
                self._line(line)
            else:
                if self.terminal:
                    shell.say("")
            if self.terminal:
                again = f"`kibitz record {self.scribe.match}`"
                shell.say(t("Event {n} is the last. {line} continues from here.", n=self.scribe.last, line=again))
        return self.code

    def _which(self, store: Store) -> str:
        if self.match is not None:
            return store.find(self.match)
        found = store.last_open_match()
        if found is None:
            raise NotFoundError(
                "there is no open match", where=str(store.path), todo="`kibitz new GAME --seat N=NAME …` begins one",
            )
        return found

    def _greet(self) -> None:
        state = self.scribe.session.state
        seats = ", ".join(f"{s} {state.terms.names[s]}" if s in state.terms.names else s for s in state.terms.seats)
        head = f"{in_language(state.game.name)}, {self.scribe.match}: {seats}."
        shell.say(f"{head} {tn('{n} event so far.', '{n} events so far.', self.scribe.last)}", "bold")
        shell.say(t(
            "`?` says where you are and what comes next, `help` what you can type; quit or Ctrl-D leaves. Every line "
            "is saved at once."
        ))
        from replay.table.position import how_to_begin, where_it_stands

        reader = self.scribe.session.of_the_record
        for line in where_it_stands(state) if self.scribe.last else how_to_begin(reader):
            shell.say(line)

    def _prepare(self) -> None:
        """Load the line editor, if one is used."""
        if self.ask is not None:
            return
        if self.plain:
            with suppress(ImportError):
                import readline  # noqa: F401  (arrow keys and what was typed before)
            return
        from cli.line_editor import LineEditor, Remembered, history_path

        self.editor = LineEditor(self._completions, Remembered(history_path(self.scribe.session.state.game.key)))

    def _completions(self, typed: str) -> Sequence[CompletionWord]:
        """Possible completions of the last word of a line, with the cards of the table's pack."""
        before, _, begun = typed.rpartition(" ")
        words = before.split()
        if words and words[0].lower() in RESULT:
            words[1:] = self._in_french(words[1:])
        return beginning_with(begun, self._as_typed(words_after(words, self.scribe.session.state)))

    @staticmethod
    def _as_typed(offered: Iterable[CompletionWord]) -> Sequence[CompletionWord]:
        """Offered words as typed with the cards of the table's pack."""
        told = shell.settings.in_pack
        return tuple(offered) if told is None else [
            CompletionWord(told.word(word.text), told.text(word.meaning)) for word in offered
        ]

    def asked(self, prompt: str, offered: Iterable[CompletionWord] | None = None) -> str:
        """A line from the person. With `offered`, the answer to a question. Raises EOFError."""
        prompt = shell.with_pack_cards(prompt)
        if self.ask is not None:
            return self.ask(prompt)
        # Leave some columns after a question for the answer.
        prompt = "\n".join(wrapped(prompt.rstrip(), max(shell.terminal_columns() - ROOM, 0))) + " "
        if self.editor is not None:
            return self.editor.ask(prompt, None if offered is None else self._as_typed(offered))
        return _ask(prompt)

    def answer_to(self, prompt: str, offered: Iterable[CompletionWord]) -> str:
        """The answer to a question. It is asked again after a word that only shows something.

        Raises EOFError if the person leaves the question. The word `quit` also ends the session.
        """
        while True:
            answer = self.asked(prompt, offered).strip()
            if answer.lower() in ("quit", "exit"):
                self.instead.append(answer)
                raise EOFError
            look = self.looks().get(" ".join(answer.lower().split()))
            if look is None:
                return answer
            look()

    # -- lines --------------------------------------------------------------------------------------------------------

    def prompt(self) -> str:
        """The prompt with hand, phase and whose turn it is: `2 play E> `."""
        state = self.scribe.session.state
        if state.ended:
            return f"{t('over')}> "
        if state.phase == "between":
            comes = next(iter(state.game.phases))
            return f"{state.number + 1} {t('new hand') if state.game.has_cards else in_language(comes)}> "
        return f"{state.number} {in_language(state.phase, state.game.key)} {'/'.join(state.turn)}".rstrip() + "> "

    def _lines(self) -> Iterator[str]:
        if not self.terminal:
            yield from self._piped()
            return
        while True:
            try:
                yield self.instead.pop() if self.instead else self.asked(self.prompt())
            except EOFError:
                return
            except UnicodeDecodeError:
                shell.warn(t("this is not UTF-8 text; type the line again"))

    def _piped(self) -> Iterator[str]:
        stream = getattr(sys.stdin, "buffer", None)
        if stream is None:
            return
        while raw := stream.readline(MAX_LINE + 2):  # including the line end
            if len(raw.rstrip(b"\r\n")) > MAX_LINE:
                while raw and not raw.endswith(b"\n"):
                    raw = stream.readline(AT_ONCE_BYTES)
                self.number += 1
                shell.warn(f"line {self.number}: the line is too long; expected at most {MAX_LINE} bytes")
                self.code = self.code or UnreadableError.exit_code
                continue
            try:
                yield raw.decode("utf-8").removeprefix("\ufeff")
            except UnicodeDecodeError:
                self.number += 1
                shell.warn(f"line {self.number}: this is not UTF-8 text")
                self.code = self.code or UnreadableError.exit_code

    def _line(self, line: str) -> None:
        """Process one line: a command word, or an entry."""
        word = line.strip()
        if not word:
            return
        typed = " ".join(word.lower().split())
        look = self.looks().get("help" if typed.startswith("help ") and typed != "help all" else typed)
        try:
            if self._others_wrote(None if look is not None else word):
                return
            if look is not None:
                look()
            elif self.terminal and word.lower() in RESULT and not is_a_rank(
                word, self.scribe.session.state, self.scribe.session.pack,
            ):
                self._ask_result()
            else:
                self._entry(word)
        except StoreError:
            raise
        except KibitzError as error:
            self._refuse(error, word)

    def _refuse(self, error: KibitzError, line: str) -> None:
        """Say why a line was refused. For a pipe, name the line and set the exit code."""
        if not self.terminal:
            self.code = self.code or error.exit_code
        if not isinstance(error, NotationError):
            shell.warn(str(error))
            return
        where = "" if self.terminal else f"line {self.number} {line[:60]!r}"
        if error.column > 1:
            where += f"{', ' if where else ''}column {error.column}"
        what, hoped, todo = map(shell.with_pack_cards, (error.what, error.expected, error.todo))
        with shell.as_written():
            shell.warn(str(UnreadableError(what, where=where, expected=hoped, todo=todo)))

    def looks(self) -> dict[str, Callable[[], None]]:
        """The words that only show something."""
        return {
            "?": self._here, "help": self._help, "help all": self._help_all, "show": self._show, "score": self._score,
            "sheet": self._sheet, "check": self._check, "check --open": lambda: self._check(told=True),
            "log": self._log,
        }  # fmt: skip

    def _here(self) -> None:
        """Show the state of the match and what can be typed next."""
        from replay.table.position import here

        shell.out(*here(self.scribe.session.of_the_record, shell.terminal_columns()))
        self._letters()

    def _letters(self) -> None:
        """Show the letters to type for the cards, if the pack on the table is not French."""
        session = self.scribe.session
        if session.pack is not FRENCH and session.state.game.has_cards:
            with shell.as_written():
                shell.out(typed_letters(session.pack, ranks_in_play(session.state)))

    def _help(self) -> None:
        """Show what can be typed in this game, on one screen."""
        from replay.table.game_help import WIDTH, help_screen

        shell.out(*help_screen(self.scribe.session.of_the_record, min(shell.terminal_columns() or WIDTH, WIDTH)))
        self._letters()

    def _help_all(self) -> None:
        """Show everything that can be typed in this game."""
        from replay.table.game_help import help_lines

        shell.out(*help_lines(self.scribe.session.state))
        self._letters()

    def _ask_result(self) -> None:
        """Ask for the result of a hand, fact by fact.

        An empty answer means unknown. `undo` returns to the previous question. Ctrl-D, or `undo` at the first
        question, cancels.
        """
        state, answered = self.scribe.session.state, list[list[str]]()
        shell.say(t("Enter if it is unknown; undo goes back, Ctrl-D drops it all."))
        while True:
            said = [word for words in answered for word in words]
            one = still_asked(self._in_french(said), state)
            if one is None:
                try:
                    return self._entry(" ".join(["result", *said]))
                except NotationError as error:
                    # The figures contradict each other. Ask the last question again and keep the earlier answers.
                    if not self.terminal or not answered:
                        raise
                    wrong = with_player_names(error.what, self.scribe.called)
                    shell.warn(t("{wrong}; expected another answer, or undo for an earlier one", wrong=wrong))
                    answered.pop()
                    continue
            try:
                text = self.answer_to(
                    f"{question_spoken(one, state)} ({choices_spoken(one, answer_choices(one, state))}) ",
                    possible_answers(one, state),
                ) or NOBODY_KNOWS
                if text.lower() == "undo":
                    if not answered:
                        raise EOFError
                    answered.pop()
                    continue
                still_asked(self._in_french([*said, *text.split()]), state)
            except NotationError as error:
                shell.warn(t("{wrong}; expected {what}", wrong=error.what, what=error.expected))
            except EOFError:
                return shell.say(t("Nothing was written."))
            else:
                answered.append(text.split())

    def _in_french(self, said: list[str]) -> list[str]:
        """The words of a result line as in the record, whatever pack they were typed with."""
        words = [Token(text=word) for word in ("result", *said)]
        return [word.text for word in self.scribe.session.reader.in_french(words)[1:]]

    # -- entries ------------------------------------------------------------------------------------------------------

    def _entry(self, line: str) -> None:
        if line.lower() == "redo":
            self._redo()
            return
        draft = self._understood(line)
        if draft is None:
            return
        if draft.doubts and not (draft.as_played or self.as_played) and not self._keep(draft):
            return
        try:
            _, answer = self.scribe.write(draft.events)
        except StaleWriterError as error:
            self._stale(error, line)
            return
        self.undone = [*self.undone, draft.takes_back] if draft.takes_back else []
        self._tell(answer)

    def _understood(self, line: str) -> Draft | None:
        """The meaning of a line. If there are several, the person chooses one by its number."""
        try:
            return self.scribe.understand(line)
        except (SeveralMeaningsError, WhoseTurnError) as error:
            if not self.terminal:
                raise
            ways: list[tuple[str, Draft | None]]
            if isinstance(error, SeveralMeaningsError):
                ways = [(self.told(draft, error.drafts), draft) for draft in error.drafts]
            else:
                ways = [(f"{seat} {line}", None) for seat in error.seats]
            shell.say(f"{with_player_names(error.what.partition(':')[0], self.scribe.called)}:")
            for number, (way, draft) in enumerate(ways, 1):
                # A meaning is printed with the cards of the table's pack. Typed text already has them.
                with nullcontext() if draft else shell.as_written():
                    shell.say(f"  {number}  {way}")
            try:
                offered = [CompletionWord(str(number), way) for number, (way, _) in enumerate(ways, 1)]
                said = self.answer_to(t("Which one? [its number, or another line; Enter drops it]") + " ", offered)
            except EOFError:
                said = ""
            if said.isdecimal() and 1 <= int(said) <= len(ways):
                way, draft = ways[int(said) - 1]
                return self.scribe.understand(way) if draft is None else draft
            self._instead(said)
            return None

    def told(self, draft: Draft, others: Sequence[Draft]) -> str:
        """A possible meaning of a line in words, or in notation if one of the `others` has the same words."""
        game, called = self.scribe.session.state.game, self.scribe.called

        def in_words(one: Draft) -> str:
            return ", ".join(spoken_act(r.event, game) for r in one.events)

        alike = [one for one in others if in_words(one) == in_words(draft)]
        return meaning(draft) if len(alike) > 1 else with_player_names(in_words(draft), called)

    def _redo(self) -> None:
        """Restore what `undo` took back last, if nothing else was written since. Raises NotationError."""
        if not self.undone:
            raise NotationError("there is nothing to put back", expected="an `undo` just before it")
        *self.undone, acts = self.undone
        _, answer = self.scribe.write([Recorded(n=0, event=act) for act in acts])
        self._tell(answer)

    def _tell(self, answer: LineAnswer) -> None:
        """Print the answer to an entry, with its findings and offers."""
        called = self.scribe.called
        shell.out(answer.line)
        if answer.findings or answer.offers:
            from replay.judging.offers import findings_in_order

            for told in findings_in_order(answer.findings, answer.offers):
                shell.out(f"  {with_player_names(told, called)}")
        shell.flush()

    def _keep(self, draft: Draft) -> bool:
        """Whether to record an act that certainly breaks a rule.

        With `--strict` no, from a pipe yes, else the person decides. If the answer is another line, it replaces the
        first.
        """
        if self.strict:
            why = self.scribe.in_words(draft.doubts[0]).splitlines()[0]
            shell.warn(t("refused: {why}; nothing of this line was written", why=why))
            return False
        if not self.terminal:
            return True
        for doubt in taken_together(draft.doubts):
            shell.say(self.scribe.in_words(doubt), "yellow")
        try:
            played = any(isinstance(r.event, PLAYED) for r in draft.events)
            stands, asked = (
                t("it stands as it was played, and is marked"),
                t("Keep it as it was played? [y/N, or the line as it should be]"),
            ) if played else (
                t("it stands all the same, and is marked"),
                t("Keep it all the same? [y/N, or the line as it should be]"),
            )
            offered = CompletionWord("y", stands), CompletionWord("n", t("nothing is written"))
            answer = self.answer_to(f"{asked} ", offered)
        except EOFError:
            answer = "n"
        if answer.lower() in ("y", "yes", "!"):
            return True
        self._instead(answer)
        return False

    def _instead(self, answer: str) -> None:
        """Drop the line in question. If the answer is itself a line, process it next."""
        shell.say(t("Dropped; nothing was written."))
        if answer.lower() not in ("n", "no", "", "undo"):
            self.instead.append(answer)

    def _others_wrote(self, line: str | None) -> bool:
        """Whether another recorder wrote before this line was typed, so that its meaning may have changed.

        A word that only shows something (`line` is None) is carried out after showing the new events.
        """
        unseen = self.scribe.store.read(self.scribe.match, after=self.scribe.last) if self.terminal else ()
        if unseen and line is None:
            self._take(unseen)
        elif unseen and line is not None:
            self._stale(StaleWriterError(self.scribe.match, self.scribe.last, unseen[-1].n, unseen), line)
        return bool(unseen) and line is not None

    def _take(self, unseen: Sequence[Recorded]) -> None:
        """Show what another recorder wrote, and continue after it."""
        shell.say(f"  {self.scribe.session.take(unseen).line}")

    def _stale(self, error: StaleWriterError, line: str) -> None:
        """Report that another recorder wrote first, and that this line was meant for the earlier position."""
        shell.warn(t("another recorder was quicker: {what}. This line was not written", what=error.what))
        self._take(error.unseen)
        if self.terminal:
            with shell.as_written():
                shell.say(t("Look at these, then type {line} again if you still want it.", line=f"`{line}`"))
        else:
            self.code = shell.CONFLICT

    # -- looking ------------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        from replay.table.frame import frame
        from replay.table.picture import render_frame

        shell.out_lines(render_frame(frame(self.scribe.session.state), columns=shell.terminal_columns()))

    def _score(self) -> None:
        from cli.text_output import score_lines
        from replay.scoring.three_ways import score_match

        with shell.data_told(score_match(self.scribe.session.records)) as score:
            shell.out(*score_lines(score))

    def _sheet(self) -> None:
        from replay.paper.render import render
        from replay.paper.sheet import sheet_of

        with shell.data_told(sheet_of(self.scribe.session.records)) as sheet:
            shell.out_lines(render(sheet, "text", shell.terminal_columns()))

    def _check(self, *, told: bool = False) -> None:
        from cli.reading import check_lines
        from replay.auditing.check import check

        shell.out(*check_lines(self.scribe.match, check(self.scribe.session.records), told=told))

    def _log(self) -> None:
        with shell.as_written():
            for line in strict_lines(self.scribe.session.records[1:]):
                shell.out(line, data=True)


def taken_together(doubts: Sequence[str]) -> Iterator[str]:
    """The doubts about a line, those about the same act as one: each rule with its reason, then the suggestion once.

    >>> reasons = "R1\\n  because  x", "R2\\n  because  z"
    >>> doubts = [f"A 7♥ - not allowed\\n  rule     {why}\\n  next     y" for why in reasons]
    >>> list(taken_together(doubts))
    ['A 7♥ - not allowed\\n  rule     R1\\n  because  x\\n  rule     R2\\n  because  z\\n  next     y']
    """
    for act, some in groupby(doubts, key=lambda doubt: doubt.partition("\n")[0]):
        several = [doubt.split("\n")[1:] for doubt in some]
        said = [line for lines in several for line in lines[:2]]
        yield "\n".join([act, *said, *(line for line in several[-1] if line not in said)])


def _ask(prompt: str) -> str:
    """A line from the person. The prompt goes to standard error, except where line editing needs standard output."""
    *before, prompt = shell.plain_line(prompt, keep="\n").split("\n")
    for text in before:
        shell.say(text)
    if shell.is_terminal(sys.stdout):
        return input(prompt)
    if sys.stderr is not None:
        sys.stderr.write(prompt)
        sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line
