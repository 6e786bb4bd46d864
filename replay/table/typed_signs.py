"""Signs and short names in a typed line: `.`, `=` and `<`, piles by their numbers, the upcards of a deal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from events.cards import UNKNOWN, pretty_all
from events.entries import SHORT, Entry, read_entries, verb_named
from events.errors import NotationError
from events.model import VERBS, Bet, Draw, Event, Meld
from events.tokens import Token, card_readings
from events.words import shown_word
from reducers.evolve import ensure_hand_started
from reducers.legal import acts_of, legal
from reducers.model import State
from reducers.words.deals import laid_open
from replay.plain_text import player_names
from replay.table.reading_fit import expects
from replay.table.result_line import RESULT
from replay.table.shorthand import applied, is_called, position_to_come, suits_carried

QUIET, AGAIN, TAKES = ".", "=", "<"
SIGNS = (QUIET, AGAIN, TAKES)
"""The default act; the last act, repeated by the seat to act; taking the discard pile."""


# -- acts


def acts_of_a_sign(sign: Token, state: State[Any], last: Event | None) -> Sequence[Event]:
    """The acts that a sign can stand for here; `last` is the act before it. Raises NotationError if there is none."""
    if sign.text == QUIET:
        quiet = quiet_act(state)
        acts = [quiet] if quiet is not None else []
        why = "'.' stands for nothing here"
    elif sign.text == AGAIN:
        acts = [replace(last, by=state.turn[0])] if last is not None and len(state.turn) == 1 else []
        why = "'=': there is nothing to do again here"
    else:
        acts = draws_from_the_discards(state)
        if not acts and isinstance(first := quiet_act(state), Draw):
            # A pick-up before it, such as a pozzetto, may be left out.
            after = state.copy()
            applied(after, first)
            acts = draws_from_the_discards(after)
        why = "'<': nothing can be taken from a discard pile here"
    if not acts:
        raise NotationError(why, column=sign.column, expected=expects(state))
    return acts


def draws_from_the_discards(state: State[Any]) -> list[Event]:
    return [act for act in legal(state).acts if isinstance(act, Draw) and act.src.partition(":")[0] == "discard"]


def quiet_act(state: State[Any]) -> Event | None:
    """The act that a lone `.` stands for."""
    phase = state.game.phases.get(state.phase)
    if phase is None or not state.turn:
        after = state.copy()
        ensure_hand_started(after)
        phase = after.game.phases.get(after.phase)
        return phase.default_act(after) if phase is not None and after.turn else None
    return phase.default_act(state)


def quiet_act_of(words: Sequence[Token], state: State[Any]) -> Event | None:
    """`a .`: the default act of a named player; None if this is something else, or that player has none."""
    if len(words) != 2 or words[1].text != QUIET or words[0].text.upper() not in state.terms.seats:
        return None
    now = state.copy()
    if now.phase == "between":
        ensure_hand_started(now)
    seat = words[0].text.upper()
    now.turn = (seat,)
    act = quiet_act(now)
    return replace(act, by=seat) if act is not None and act.by in now.terms.seats else act


def draw_by_its_verb(words: Sequence[Token], state: State[Any]) -> Event | None:
    """`d`, `a d` or `d <stock`: the default act if it is a draw, from that pile if one is named; None if this is
    something else."""
    pile = words[-1].text[1:].lower() if len(words) > 1 and words[-1].text[0] == TAKES else ""
    words = words[: -1 if pile else None]
    *who, verb = (word.text for word in words)
    if verb_named(verb) != "draw" or len(who) > 1:
        return None
    named = who[0].upper() if who else ""
    if named and named not in state.terms.seats:
        return None
    act = quiet_act_of([words[0], replace(words[1], text=QUIET)], state) if named else quiet_act(state)
    return act if isinstance(act, Draw) and (act.src or "stock").startswith(pile) else None


def takes_of(words: Sequence[Token], state: State[Any]) -> Draw | None:
    """`c <` or `c d <`: a named player takes the top discard; None if this is something else, or there is none."""
    *who, last = (word.text for word in words)
    if last != TAKES or not who or who[1:] not in ([], ["d"], ["draw"]) or who[0].upper() not in state.terms.seats:
        return None
    phase, discard = state.game.phases.get(state.phase), state.table.piles.get("discard")
    if (who == ["d"] and "d" in SHORT) or phase is None or Draw not in phase.acts or discard is None or not discard.row:
        return None
    return Draw(by=who[0].upper(), cards=(state.game.pack.tokens[discard.row[-1]],), src="discard")


# -- the deal


def begins_with_the_deal(word: Token, state: State[Any]) -> bool:
    """True if a word before the first act of a hand is the upcards of its deal."""
    try:
        entries = read_entries(word.text, seats=state.terms.seats)
    except NotationError:
        return False
    return open_deal(entries, state) is not None


def open_deal(entries: Sequence[Entry], state: State[Any]) -> Event | None:
    """Read bare cards before the first act of a hand as the upcards of the deal; None if they cannot be that."""
    words = [e.args[0] for e in entries if e.bare and e.by is None and len(e.args) == 1 and len(e.args[0].cards) == 1]
    if not words or state.ended or (state.acts and not state.settled):
        return None
    state = position_to_come(state)
    cards = words[0].cards[0]
    filled = tuple(
        card.replace("_", suit) for card, suit in zip(cards, suits_carried(words[0].text, cards), strict=True)
    )
    if set(filled) == {UNKNOWN} or not all(len(card) > 1 for card in filled):
        return None  # a card that is face up is seen
    return (state.game.shorthand.open_deal or laid_open)(state, filled)


def deal_in_one(words: Sequence[Token], state: State[Any]) -> list[Token] | None:
    """Join the upcards of a deal that were typed with spaces; None if the line does not begin with them."""
    for end in range(2, len(words) + 1):
        if not card_readings(words[end - 1].text) or begins_with_the_deal(words[0], state):
            return None
        whole = replace(words[0], text="".join(word.text for word in words[:end]))
        if begins_with_the_deal(whole, state):
            return [whole, *words[end:]]
    return None


# -- players and piles


def seat_by_name(word: Token, state: State[Any]) -> Token:
    """Replace the unique name of a player by the seat's letter, unless the word means something else."""
    typed, seats = word.text.lower(), [
        seat for seat in state.terms.seats if state.terms.name(seat).lower() == word.text.lower()
    ]
    taken = typed.upper() in state.terms.seats or verb_named(typed) or typed in (
        *VERBS, *SHORT, *RESULT, *state.game.words,
    )
    return word if len(seats) != 1 or taken or card_readings(word.text) else replace(word, text=seats[0])


def word_in_parts(words: Sequence[Token], state: State[Any]) -> list[Token]:
    """Join a called word that was typed in parts, `pay me 9d`, `< pay me` or `pay-me`; other lines are unchanged."""
    for first, end in ((i, j) for i in range(len(words)) for j in range(len(words), i, -1)):
        typed = "".join(word.text for word in words[first:end])
        whole = typed.removeprefix(TAKES).replace("-", "").lower()
        letters = all(word.text.strip("<-").replace("-", "").isalpha() for word in words[first:end])
        if letters and whole in state.game.words and (
            end - first > 1 or (typed.lower() != whole and is_called(whole, state.game))
        ):
            taken = [replace(words[first], text=TAKES)] if typed.startswith(TAKES) else []
            return [*words[:first], *taken, replace(words[first], text=whole), *words[end:]]
    return list(words)


def bet_on_a_card(words: Sequence[Token], state: State[Any]) -> list[Token]:
    """Mark the board card of a bet as its target: `B 3 2s` or `B bet 3 2s` becomes `B 3 >2s`; other lines are
    unchanged."""
    *before, card = words
    who = [word.text.upper() for word in before[:-1] if verb_named(word.text) != "bet"]
    phase, board = state.game.phases.get(state.phase), state.table.piles.get("board")
    pack = state.game.pack
    known = {
        face.lower() for face in (pack.cards(board.certain) if len(board) == pack.count(board.certain) else pack.faces)
    } if board else set()
    bets = phase is not None and Bet in phase.acts and before and before[-1].text.isdecimal() and who in (
        [], *([seat] for seat in state.terms.seats),
    )
    named = next(
        (cards[0] for cards in card_readings(card.text) if len(cards) == 1 and cards[0].lower() in known), "",
    ) if bets else ""
    return [*before, replace(card, text=f">{named}")] if named else list(words)


def facts_by_name(words: Sequence[Token], state: State[Any]) -> list[Token]:
    """Spell sides and seats in a claim or tally as the record does; other lines are unchanged."""
    if words[0].text.lower() == "fix" and len(words) > 2:
        return [*words[:2], *facts_by_name(words[2:], state)]
    told = any(
        verb_named(word.text) in ("claim", "tally") for word in words[:2]
    ) or all("=" in word.text for word in words)
    return [fact_by_name(word, state) for word in words] if told else list(words)


def fact_by_name(word: Token, state: State[Any]) -> Token:
    """Spell the sides and seats of a fact, `anna=12`, `tricks.ns=5` or `five=ew`, as the record does; other words are
    unchanged."""
    key, equals, said = word.text.partition("=")
    if not equals:
        return word
    kind, dot, who = key.rpartition(".")
    called = {name.lower(): side for side, name in player_names(state.terms.sides, state.terms.names).items()}
    known = {**called, **{side.lower(): side for side in (*state.terms.sides, *state.terms.seats)}}
    fact = state.game.tally.facts.get(key.lower())
    if fact is not None and fact.kind in ("somebody", "seats"):
        said = ",".join(known.get(one.lower(), one) for one in said.split(","))
    elif who.lower() in known:
        key = f"{kind}{dot}{known[who.lower()]}"
    return replace(word, text=f"{key}={said}")


def on_the_board(word: Token, state: State[Any]) -> str:
    """The card on the board with the rank typed in `>6`, if bets are put on cards; "" if it is no rank, or is not
    unique. Raises NotationError if the board has no such card."""
    phase, board, pack, typed = (
        state.game.phases.get(state.phase), state.table.piles.get("board"), state.game.pack, word.text[1:].upper()
    )
    if phase is None or Bet not in phase.acts or not board:
        return ""
    rank = pack.rank.get({"10": "T"}.get(typed, typed), 0)
    cards = pack.cards(board.certain & rank)
    if rank and not cards and board.complete and typed not in state.terms.seats:
        there = pretty_all(pack.cards(board.certain))
        raise NotationError(
            f"{shown_word(word.text)}: no such card lies on the board", column=word.column, expected=f"one of {there}",
        )
    return cards[0] if len(cards) == 1 else ""


def by_its_name(word: Token, state: State[Any]) -> Token:
    """Spell the pile in a word, `<DISCARD` or `>col:b:3`, as on this table.

    `>2` and `<2` are the second meld of the side to act, or of all sides. If there is none, they are the second column
    in the order of the table, or the second meld of the only side that has two.

    Raises NotationError for a missing column.
    """
    sign, name = word.text[:1], word.text[1:]
    if sign not in "<>" or not name:
        return word
    piles = state.table.piles
    if sign == ">" and (card := on_the_board(word, state)):
        return replace(word, text=sign + card)
    if name.isdecimal():
        sides = [state.terms.side_of[seat] for seat in state.turn if seat in state.terms.side_of]
        columns = [pile for pile in piles if pile.startswith("col:")]
        named = [pile for pile in (*(f"meld:{side}:{name}" for side in sides), f"meld:{name}") if pile in piles]
        named += columns[int(name) - 1 : int(name)] if int(name) else []
        if not named:
            melds = [pile for pile in piles if pile.startswith("meld:") and pile.endswith(f":{name}")]
            named = melds if len(melds) == 1 else []
        if not named and (columns or Meld in acts_of(state.game.key)):
            melds = [
                pile for pile in piles if pile.startswith("meld:")
                and pile.split(":")[1] in (*sides, pile.rpartition(":")[2])
            ]
            what, most = ("column", len(columns)) if columns else ("meld", len(melds))
            hoped = (
                f"a {what} from 1 to {most}" if most > 1 else f"{what} 1" if most
                else "a new meld, as none lies there yet"
            )
            raise NotationError(
                f"{shown_word(word.text)}: there is no {what} {name}", column=word.column, expected=hoped,
            )
    else:
        plain = name.removesuffix("_").lower()
        named = [pile + name[len(plain) :] for pile in piles if pile.lower() == plain]
    return replace(word, text=sign + named[0]) if named else word
