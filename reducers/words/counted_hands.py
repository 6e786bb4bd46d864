"""Hands that are counted against the bank: their possible values, going bust, reported hands, gains and payments.

A page defines its hands by `Kinds`. The possible values of a hand, by the cards seen of it, are a set
(`reducers.words.totals`); of one value if it is known. The page's tally has `stakes`, `hands` and `bank`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from msgspec import Struct

from events.cards import how_many
from events.model import Call, Draw, Event, Facts, Pass, Pay
from events.model import Tally as TallyEvent
from reducers.evolve import is_for_next_hand
from reducers.model import State
from reducers.piles import OfPile
from reducers.rules import CheckResult, unknown
from reducers.scoring import HandScore, Points, ScoreLine, figure, signed
from reducers.silent_acts import was_put_in
from reducers.table import Pile, Table
from reducers.words.bank import (
    Settled,
    account,
    banks_next,
    cards_of_hand,
    gain_of,
    if_there,
    line_of,
    pays_what_is_due,
    settlement,
    staked,
    the_right_banker,
    who_had,
)  # fmt: skip
from reducers.words.bets import by_hand, paid_to
from reducers.words.scores import counts_nothing, hand_score, points_told
from reducers.words.tallies import readable
from reducers.words.totals import (
    Values,
    common_answer,
    fill_known_sums,
    judge_total,
    lies_open,
    possible_totals,
    sum_of_values,
)

Told: TypeAlias = Callable[[Any, str, int | None], str]
"""The arithmetic of one hand in words, by the tally, its name, and its gain."""
BUST = -1
NO_BETS = "no bets"
"""The result of a hand in which all players sit out."""
MOST_OPEN = 5
"""The most unknown hands for which a result asks questions, each with two or three answers."""


class CountedHand(Struct):
    """The record of a hand in each of these games; see `reducers.words.bank`.

    Hands in `gone_by` have unrecorded acts. `frozen` is the value of a hand when its cards went away, `news` the
    position of the last act worth a message, and its hand, `scored` the last score, with its tally. If
    draws were `missed` in the record, only hands shown `whole` are known.
    """

    bank: str
    table: Table
    low: int
    high: int
    seated: list[str]
    order: list[str]
    bets: dict[str, int] = {}
    buys: dict[str, list[int]] = {}
    paid: dict[str, int] = {}
    down: dict[str, int] = {}
    shown: set[str] = set()
    done: dict[str, str] = {}
    bank_done: str = ""
    passed: set[str] = set()
    gone_by: set[str] = set()
    frozen: dict[str, frozenset[int]] = {}
    news: tuple[int, str] = (0, "")
    over: int = 0
    scored: tuple[Any, HandScore] | None = None
    missed: bool = False
    whole: set[str] = set()


class Kinds:
    """The values of the hands of a game, lowest first: bust, a total, and hands better than any total.

    `values` is what cards count, `most` the highest total that is not bust, and `too_many` words for more than that.
    `kind` gives the value of a hand by its total and its number of cards, and whether it may be the best one.
    `written` has the words of a tally, `told` the words for one value, `sum_told` those for possible totals. The best
    hand is called `best`, and wins the bank; hands that are `less` are never the best, whatever their cards. `pays`
    gives what a hand of the tally wins by its value and the bank's; None if unknown. `sums` are the sums of a hand in
    other words than usual.
    """

    def __init__(
        self, values: Values, most: int, kind: Callable[[int, int, bool], int], *, written: Mapping[str, int],
        best: str, pays: Callable[[Any, str, int, int, State[Any]], int | None], told: Callable[[int], str],
        sum_told: Callable[[frozenset[int] | None], str], too_many: str,
        less: Callable[[str, State[Any]], bool] = lambda name, state: False, sums: Told | None = None,
    ) -> None:  # fmt: skip
        self.values, self.most, self.kind, self.written, self.best = values, most, kind, written, best
        self.pays, self.told, self.sum_told, self.too_many = pays, told, sum_told, too_many
        self.less, self.sums = less, sums or self.sum_of
        self.anything, self.words = frozenset(written.values()), {n: word for word, n in written.items()}

    # Possible values of a hand

    def of(self, name: str, state: State[Any]) -> frozenset[int]:
        """The possible values of a hand, by the cards seen of it."""
        hand = state.hand
        if name in hand.frozen:
            return hand.frozen[name]  # type: ignore[no-any-return]  # the record of a hand is the page's own
        pile: Pile | None = hand.table.piles.get(name)
        if pile is None or (hand.missed and name not in hand.whole):
            return self.anything
        return self.by_cards(pile, not self.less(name, state))

    def by_cards(self, pile: Pile, may_be_best: bool) -> frozenset[int]:
        """The possible values of a hand by its cards alone."""
        if lies_open(pile):
            return kind_seen(self, pile.known, may_be_best) if pile.known else self.anything
        found = possible_totals(pile, self.values)
        return self.anything if found is None else ranked(self, found, len(pile), may_be_best)

    def seen_as(self, pile: Pile) -> frozenset[int]:
        """The value of a hand whose cards are all open; any value for any other."""
        return kind_seen(self, pile.known, True) if lies_open(pile) else self.anything

    def is_over(self, found: frozenset[int] | None) -> bool | None:
        """True if a hand with one of these totals is bust; None if unseen cards decide it."""
        if found is None:
            return None
        bust = min(found) > self.most
        return bust if bust == (max(found) > self.most) else None

    def is_best(self, name: str, state: State[Any]) -> bool | None:
        """True if it is the best hand; None if unseen cards decide it."""
        best = self.written[self.best]
        return common_answer(self.of(name, state), lambda n: n == best)

    def is_best_with(self, name: str, cards: Sequence[str], state: State[Any]) -> bool | None:
        """Whether it is the best hand if these of its cards are turned up; drawn are those of them that were not
        recorded."""
        pile, best = state.holding(name), self.written[self.best]
        if not_recorded(pile, cards) and all(card in self.values.pack for card in cards):
            return common_answer(
                kind_seen(self, self.values.pack.bag(cards), not self.less(name, state)), lambda n: n == best,
            )
        return if_there(pile, cards, lambda: self.is_best(name, state))

    def said_to_be(self, name: str, state: State[Any]) -> frozenset[int]:
        """The possible values of a hand as played: one given up as bust is, whatever its cards, unless it may have
        stood before."""
        hand, found = state.hand, self.of(name, state)
        said = hand.bank_done if name == hand.bank else hand.done.get(name, "")
        if said != "bust":
            return found
        return found | {BUST} if BUST not in found and was_put_in(Pass, name, state) else frozenset({BUST})

    def some_told(self, found: frozenset[int]) -> str:
        """The value of a hand, in words; `?` if open."""
        return self.told(*found) if len(found) == 1 else "?"

    def freeze(self, name: str, cards: tuple[str, ...], state: State[Any]) -> None:
        """Keep the value of a hand before its cards go away; cards named as they go were there before."""
        hand = state.hand
        if hand is None or name in hand.frozen or not (name in hand.order or name == hand.bank):
            return
        if len(state.holding(name)):
            hand.frozen[name] = if_there(state.holding(name), cards, lambda: self.of(name, state))

    # Unrecorded draws

    def draw_what_is_shown(self, name: str, cards: Sequence[str], state: State[Any]) -> None:
        """Infer draws of a hand that is shown, or goes away, with more cards than were recorded."""
        hand, table, pile, count = state.hand, state.table, state.holding(name), how_many(cards)
        if hand is None or count is None or count < len(pile):
            return
        more, stock = not_recorded(pile, cards) if count > len(pile) else 0, table.row("stock")
        if len(pile) + more == count and not self.still_plays(state, name):
            hand.whole.add(name)
        if not more or not (stock.vague or len(stock) >= more):
            return
        named = [code for code in map(table.pack.code.get, cards) if code in (stock.row or [])][:more]
        table.move(
            [code for code in named if code is not None] + [table.pack.unknown] * (more - len(named)), stock, pile,
        )
        hand.missed = True
        state.infer(f"{name} drew {more} card{'s' * (more > 1)} before its hand was shown (not recorded)")

    def turn_up(self, name: str, cards: Sequence[str], state: State[Any]) -> None:
        """Turn up these cards of a hand as it is declared; without cards it stays as it is."""
        hand, codes = state.hand, state.table.codes(cards)
        self.draw_what_is_shown(name, cards, state)
        state.table.reveal(codes, state.holding(name))
        hand.down[name] = 0 if codes else hand.down.get(name, 0)
        hand.news = (state.at, name)

    # Going bust, declaring

    def bust_or_not(self, name: str, act: Event, state: State[Any]) -> CheckResult | None:
        """A player who is bust says so and does nothing else; no other player says it."""
        pile, said = state.holding(name), isinstance(act, Call) and act.word == "bust"
        found = possible_totals(pile, self.values)
        bust = self.is_over(found)
        if isinstance(act, Call) and said and not_recorded(pile, act.cards) and all(
            card in self.values.pack for card in act.cards
        ):
            bust = self.is_over(
                fill_known_sums(*sum_of_values(self.values.pack.bag(act.cards), self.values), self.values)
            )
        elif bust is None and isinstance(act, Call) and said:
            # The cards are turned up with it.
            bust = if_there(pile, act.cards, lambda: self.is_over(possible_totals(pile, self.values))) or None
        if bust is said:
            return None
        wrong = f"{name} has {self.sum_told(found)} and is bust"
        if said:
            most = (
                f"at most {self.sum_told(frozenset({max(found)}))}" if found and len(found) > 1
                else self.sum_told(found)
            )
            wrong = f"{name} has {most if len(pile) else 'drawn no card'} and is not bust"
        doubt = f"the cards of {name} were not all shown" if said else f"{name} may {self.too_many}"
        return judge_total(None if bust is None else True, wrong, doubt, pile)

    def says_bust(self, name: str, state: State[Any]) -> Iterator[Call]:
        """Yield the call of a hand that may be bust, with its cards if all are known."""
        pile = state.holding(name)
        if self.is_over(possible_totals(pile, self.values)) is not False:
            yield Call(by=name, word="bust", cards=cards_of_hand(name, state) if pile.complete else ())

    def is_said_late(self, state: State[Any], act: Event) -> bool:
        """True if a call repeats, or says late, how a hand ended, and so still belongs to that hand."""
        if not isinstance(act, Call) or act.word not in ("bust", self.best) or not state.number:
            return False
        over = state.settled or state.phase == "showdown"
        return over and act.by in (*state.hand.order, state.hand.bank)

    # The tally

    def read_tallies(self, out: Any, state: State[Any]) -> None:
        """Replace stakes and hands in `out` by reported ones; seen cards do not value an unfinished hand."""
        seats = state.terms.seats
        if state.tallies:
            out.hands = {
                name: self.anything if self.still_plays(state, name) else found for name, found in out.hands.items()
            }
            out.bank = frozenset() if self.still_plays(state, "bank") else out.bank
        for facts in readable(state):
            for name, stake in by_hand(facts, "stake", seats):
                out.stakes[name] = stake if type(stake) is int else None
                out.hands.setdefault(name, self.anything)
            for name, word in by_hand(facts, "class", seats):
                out.hands[name] = self._told(word) or self.anything
                out.stakes.setdefault(name, None)
            if "bank" in facts:
                out.bank = self._told(facts["bank"]) or self.anything

    def _told(self, word: object) -> frozenset[int]:
        """The value for a word of a tally; an empty set if it is none."""
        return frozenset({self.written[str(word)]}) if str(word) in self.written else frozenset()

    def told_of_hands(self, hands: Mapping[str, frozenset[int]]) -> dict[str, Any]:
        """The known hands, as a tally would report them."""
        return {f"class.{name}": self._word(found) for name, found in hands.items()}

    def told_of_the_bank(self, found: frozenset[int]) -> dict[str, Any]:
        """The bank's hand, as a tally would report it."""
        return {"bank": self._word(found)}

    def may_be(self, state: State[Any]) -> dict[str, tuple[str, ...]]:
        """The words of a tally for the possible values of each hand that was played to its end. One with more than two
        cards is not the best, however it goes on."""
        hand, best = state.hand, self.written[self.best]
        may = {
            name: self.anything - {best} if self.still_plays(state, name) else self.said_to_be(name, state)
            for name in hand.order if hand.done.get(name) or len(state.holding(name)) > 2
        }
        return {name: tuple(word for word, n in self.written.items() if n in found) for name, found in may.items()}

    def still_plays(self, state: State[Any], name: str) -> bool:
        """True if a hand, or the bank, may have drawn more cards than were recorded."""
        hand = state.hand
        return not (hand.bank_done if name in ("bank", hand.bank) else hand.done.get(name))

    def _word(self, found: frozenset[int]) -> str | None:
        """The word for the value of a hand; None if it has several possible values, or none."""
        return next(word for word, kind in self.written.items() if kind in found) if len(found) == 1 else None

    # Gains and payments

    def gain(self, t: Any, name: str, state: State[Any]) -> int | None:
        """Chips that a hand wins or loses, whatever the unseen cards are; None if they matter."""
        mine: frozenset[int] = t.hands[name]
        banks = t.bank or (mine if mine == {BUST} else self.anything)
        return gain_of(mine, banks, lambda one, bank: self.pays(t, name, one, bank, state))

    def sum_of(self, t: Any, name: str, gain: int | None, parts: str = "") -> str:
        """The arithmetic of one hand, as the table would say it; `parts` are the parts of its stake."""
        stake, what = t.stakes[name], self.some_told(t.hands[name]).replace("?", "not shown")
        if gain is not None and stake and gain > stake:
            return f"{what}, {gain // stake} × {f'({parts})' if parts else stake}: {signed(gain)}"
        if t.bank and t.bank != {BUST} and t.hands[name] != {BUST}:
            what += f" against {self.some_told(t.bank)}"
        return f"{what}{f', {parts}' if parts else ''}: {signed(gain) if gain else figure(gain)}"

    def score(self, state: State[Any], result: str = "") -> HandScore:
        """The score of the hand in play as far as it was recorded; the chips of all seats together stay the same. With
        a `result` there was nothing to win, unless hands are reported."""
        t: Any = state.game.compute_tally(state)
        # At the showdown the known cards count, even if no more are shown.
        nothing = counts_nothing(state, t.void) if t.void or state.phase != "showdown" else None
        if nothing is not None:
            return nothing
        hand, played, notes = state.hand, not state.stop_reason, tuple[str, ...]()
        result = "" if t.hands else result
        if state.dealer_is_guess and not (state.lost_count or state.tallies):
            t.hands = {}  # nobody knows who held the bank
        plain = not (state.stop_reason or state.tallies or state.transfers or result)
        if plain and hand.scored and hand.scored[0] == t:
            return hand.scored[1]  # type: ignore[no-any-return]  # the record of a hand is the page's own
        if state.stop_reason and not state.tallies:
            notes = ("broken off: stakes are returned, except those of bust hands",)
            t.hands = {n: r for n, r in t.hands.items() if r == {BUST} and hand.done.get(n) == "bust"}
        gains = {name: self.gain(t, name, state) for name in t.hands}
        hands = {name: Settled(t.stakes[name], n, self.sums(t, name, n)) for name, n in gains.items()}
        bank = f": {self.some_told(t.bank)}" if t.bank else ": everybody is bust" if hands and played else ""
        lines = [*settlement(hands, t.banker, bank, state)]
        if result:
            lines = [ScoreLine(line.label, dict.fromkeys(state.terms.seats, 0), line.sums) for line in lines]
        bank_untold = bool(state.tallies) and not t.bank and any(found != {BUST} for found in t.hands.values())
        had = who_had(
            self.written[self.best], [*t.hands.items(), (t.banker, self.anything if bank_untold else t.bank)], state,
        )
        if set(had.values()) != {0}:
            lines.append(ScoreLine(self.best, had))
        ended = f"bank {self.some_told(t.bank)}" if t.bank else "all bust" if hands and played else state.stop_reason
        missing = [] if result else not_known(t, gains, state)
        out = hand_score(state, lines[1].amounts, lines, result=result or ended, notes=notes, unknown=missing)
        hand.scored = (t, out) if plain else None
        return out

    def wrongly_paid(
        self, pay: Pay, due: Mapping[str, int | None], state: State[Any], *, over: bool,
    ) -> CheckResult | None:
        """What is wrong with a payment that is not `due`; open if unknown though the bank's play is `over`."""
        name, amount = paid_to(pay, state.hand.bank)
        now = account(name, due, state)
        if now.mine is None and now.whole is None:
            open_ = (state.settled or over) and name in state.hand.order
            return unknown(f"the hand of {name} was not seen") if open_ else None
        told = self.sums(state.game.compute_tally(state), name, now.due.get(name))
        wrong = pays_what_is_due(amount, now, told)
        declared = any(state.hand.done.get(n) in (self.best, "bust") and len(self.of(n, state)) > 1 for n in now.due)
        return unknown(f"{name} declared cards that were not shown") if wrong and declared else wrong

    def missing(self, state: State[Any]) -> Iterator[tuple[str, dict[str, Facts]]]:
        """What a result leaves open: for each hand a question, with answers by gain; nothing if too many."""
        t: Any = state.game.compute_tally(state)
        bank = next(iter(t.bank), BUST)
        known = len(t.bank) == 1
        names = [n for n in t.hands if known and t.stakes[n] is not None and self.gain(t, n, state) is None]
        for name in names if len(names) <= MOST_OPEN else ():
            alike: dict[int | None, list[int]] = {}
            for n in sorted(t.hands[name]):
                alike.setdefault(self.pays(t, name, n, bank, state), []).append(n)
            told = {" to ".join(dict.fromkeys(map(self.told, (some[0], some[-1])))): some[0] for some in alike.values()}
            yield f"the hand of {name}", {text: {"class": {name: self.words[n]}} for text, n in told.items()}

    # The next banker

    def had_best(self, state: State[Any], *, bank: bool = True) -> Points | None:
        """The seats that had the best hand in the last one by their cards alone, not by declarations; None if it does
        not count. Without `bank`, the banker had nothing."""
        last, hand = state.scores[-1] if state.scores else None, state.hand
        if last is None or last.source in ("void", "nothing") or last.result in ("time", "agreed", NO_BETS):
            return None
        if last.source == "tally":
            return self.told_best(state)
        # A hand given up as bust, even wrongly, takes no bank.
        names = [n for n in hand.order if hand.done.get(n) != "bust"] + [hand.bank] * bank
        return who_had(self.written[self.best], [(n, self.of(n, state)) for n in names], state)

    def told_best(self, state: State[Any]) -> Points:
        """The seats with the best hand in the last one as scored; unknown if only the points were reported."""
        if points_told(state) and not any(key in facts for facts in state.tallies for key in ("stake", "class")):
            return dict.fromkeys(state.terms.seats)
        return line_of(state.scores[-1], self.best).amounts if state.scores else {}

    def wrong_heir(self, event: TallyEvent, what: str, state: State[Any]) -> CheckResult | None:
        """The reported banker (`next`) is wrong by the reported hands; a hand played with cards is judged by them."""
        facts, seats = event.facts, state.terms.seats
        told, stakes = dict(by_hand(facts, "class", seats)), dict(by_hand(facts, "stake", seats))
        if facts.get("next") not in seats or facts.get(
            "banker", state.dealer,
        ) != state.dealer or state.acts or is_for_next_hand(state):
            return None
        hands = [
            *told.items(), *((name, None) for name in stakes if name not in told), (state.dealer, facts.get("bank")),
        ]
        had = who_had(
            self.written[self.best], [(name, self._told(word) or self.anything) for name, word in hands], state,
        )
        return the_right_banker(str(facts["next"]), had, what, state) if None not in had.values() else None

    def banks_next(self, state: State[Any]) -> str:
        """The first player with the best hand from the banker's left, else the same banker."""
        return banks_next(self.told_best(state), state)

    # Messages at the table

    def news(self, due: Callable[[State[Any]], Mapping[str, int | None]], state: State[Any]) -> list[str]:
        """Messages about the last act: the bank's total, what a hand is due, or what is left to pay."""
        at, name = state.hand.news
        if at != state.at or not name:
            return []
        paying, name = name.startswith("pay "), name.removeprefix("pay ")
        if name == state.hand.bank:
            has = self.some_told(self.of(name, state))
            return [f"bank {has}"] if has != "?" else []
        now = account(name, due(state), state)
        if paying and 0 in (now.mine, now.whole):
            return [f"{name} is paid up"]
        if paying:
            return [] if now.whole is None else [f"{name} is due {signed(now.all_due)}, has {signed(now.had)}"]
        gain = now.due.get(name)
        return [] if gain is None else [f"{name} {self.sums(state.game.compute_tally(state), name, gain)}"]

    def of_pile(self, state: State[Any], name: str) -> OfPile | None:
        """The value of a hand, by the cards seen of it, and its stake."""
        hand, pile = state.hand, state.table.piles.get(name)
        if hand is None or pile is None or not len(pile) or not (name in hand.order or name == hand.bank):
            return None
        return of_hand(self, self.of(name, state), staked(name, hand), hand.done.get(name, ""), name == hand.bank)


SAID: Mapping[str, str] = {"stick": "sticks", "stand": "stands", "pontoon": "pontoon", "natural": "7½ in two cards"}
"""The word of a player, by how a hand ended."""


@lru_cache(maxsize=4096)
def of_hand(kinds: Kinds, has: frozenset[int], stake: int | None, ended: str, banks: bool) -> OfPile:
    """What is said of a hand: its total if known, its stake, its end. Cached: called for each hand at every event."""
    total = kinds.some_told(has) if len(has) == 1 else ""
    return OfPile(
        total=total, stake=stake, says="the bank" if banks else SAID.get(ended, ended),
        out=has == {BUST} or ended == "bust",
    )


@lru_cache(maxsize=4096)
def ranked(kinds: Kinds, sums: frozenset[int], cards: int, may_be_best: bool) -> frozenset[int]:
    """The possible values of a hand with this number of cards, by its possible totals."""
    return frozenset(kinds.kind(n, cards, may_be_best) for n in sums)


@lru_cache(maxsize=8192)
def kind_seen(kinds: Kinds, bag: int, may_be_best: bool) -> frozenset[int]:
    """The value of a hand with all cards known."""
    return ranked(kinds, fill_known_sums(*sum_of_values(bag, kinds.values), kinds.values), bag.bit_count(), may_be_best)


def not_recorded(pile: Pile, cards: Sequence[str]) -> int:
    """The number of shown cards missing in the record of the hand, if its known cards are shown; 0 if uncounted."""
    count, pack = how_many(cards) if cards else None, pile.table.pack
    if count is None or count <= len(pile) or pile.vague or not len(pile):
        return 0
    named = pack.bag([card for card in cards if card in pack])
    return count - len(pile) if pack.contains(named, pile.known) else 0


def not_known(t: Any, gains: Mapping[str, int | None], state: State[Any]) -> list[str]:
    """What is missing for a full score."""
    if not t.hands and not state.stop_reason:
        return ["the stakes and all hands"]
    missing = [f"the stake of {name}" for name in gains if t.stakes[name] is None]
    open_ = [name for name, gain in gains.items() if gain is None and t.stakes[name] is not None]
    missing += [f"the hand of {name}" for name in open_ if len(t.hands[name]) > 1]
    return missing + ["the hand of the bank"] * bool(open_ and len(t.bank) != 1)


def has_stood_unsaid(name: str, state: State[Any]) -> bool:
    """True if a hand is only inferred to have stood, or stuck."""
    return state.hand.done.get(name) in ("stand", "stick") and was_put_in(Pass, name, state)


def writes_stands(state: State[Any]) -> bool:
    """True if the record of this hand has a stand, or a stick."""
    hand = state.hand
    return any(
        how in ("stand", "stick") and n not in hand.gone_by and not was_put_in(Pass, n, state)
        for n, how in hand.done.items()
    )


def after_an_unsaid_stand(name: str, act: Event, *, written: bool) -> CheckResult | None:
    """An open question about an act of a hand that is only inferred to have stood. A late word is fine; a player who
    draws although no stand is `written` in this record may have stood before."""
    sure = written or not isinstance(act, Draw)
    return None if sure else unknown(f"whether {name} had stood before the bank played: not recorded")


def few_enough_hands(most: int, word: str, text: str) -> Callable[[Mapping[str, Any], State[Any]], str]:
    """A law: no more than n hands of players and bank are reported by this word; the text may have their number as {}.
    """

    def wrong(known: Mapping[str, Any], state: State[Any]) -> str:
        had = [what for key, what in known.items() if key == "bank" or key.startswith("class.")].count(word)
        return text.format(had) if had > most else ""

    return wrong


def the_banker_stakes_nothing(known: Mapping[str, Any], state: State[Any]) -> str:
    """What is wrong with facts that give the banker a stake, or a player's hand; "" if nothing is."""
    banker = known.get("banker", None if is_for_next_hand(state) else state.dealer)
    if banker is not None and f"class.{banker}" in known:
        return f"{banker} held the bank, and its hand is told as that of the bank"
    return f"{banker} held the bank and staked nothing" if banker is not None and f"stake.{banker}" in known else ""
