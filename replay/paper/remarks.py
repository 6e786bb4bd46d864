"""The remarks below a sheet, in a player's words: hands are named, and events have no numbers.

First figures that the table wrote differently, then confirmations, unknown figures, findings and rulings, and what
was inferred.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from events.model import End, Hand
from events.unread_lines import unread_summary
from reducers.evolve import UNSEEN_CARD_IS
from reducers.facts import listed_with_and
from reducers.registry import is_missing, missing_page
from reducers.scoring import figure
from replay.fold import terms_at
from replay.judging.findings import OF_THE_RECORD, Finding
from replay.plain_text import player_names, with_player_names
from replay.scoring.hands import Folded
from replay.scoring.outcomes import figures_span, question_text
from replay.scoring.rulings import WORDS, decisions, disputes
from replay.scoring.score_shapes import ArithmeticSlip, Compared, MatchScore, MatchWay, ScoredHand, Way

Differ = Callable[[Mapping[str, Way | MatchWay]], bool]
Figures = Callable[[Way | MatchWay, str], str]

# Most inferences and findings on a sheet.
_MOST_INFERRED, _MOST_FOUND = 5, 5
_PILES = {"col": "column", "wing": "column", "pile": "pile"}
_PILE = re.compile(rf"(?<![\w:])({'|'.join(_PILES)}):([A-Z]):(\d+)")
_OWN_PILE = re.compile(r"(?<![\w:])(stock|reserve|discard|won):([A-Z]{1,2})(?::([a-z]+))?(?![\w])")
_OF_SEVERAL = re.compile(r"(?<![\w:])([A-Z]{1,2}):(\d)(?![\w:])")
_PAYS = re.compile(r"\bpay (\d+) >([A-Z]{1,2})\b")
_REFERENCE = re.compile(r"(?:,| at| on| about) events? \d+(?:, \d+)*")


class Remarks:
    """Collects the remarks of one match. `called` are the names of players; `differ` and `figures` compare the ways
    of scoring."""

    def __init__(
        self, final: Folded, score: MatchScore, called: Mapping[str, str], differ: Differ, figures: Figures,
    ) -> None:
        self.final, self.score, self.called = final, score, called
        self.differ, self.figures = differ, figures

    def all(self, found: Iterable[Finding]) -> Iterator[str]:
        """Every remark in order; `found` are the broken rules."""
        score = self.score
        if score.unread:
            yield f"{unread_summary(score.unread)}."
        if is_missing(self.final.state.terms.facts):
            yield str(missing_page(self.final.state.terms.facts))
        yield from (f"Judged under older rules: {self.say(text)}." for text in score.older)
        yield from () if self.final.state.game.has_cards else self.of_the_recorder()
        yield from map(self.slip, score.slips)
        yield from self.claims()
        yield from self.confirmations()
        yield from (
            f"Hand {h.number}: not known: {self.say(', '.join(h.unknown))}." for h in score.hands if h.unknown
            and h.done
        )
        yield from (f"Hand {h.number}: {self.say(text)}." for h in score.hands if h.done for text in doubts(h))
        for h in score.hands:
            if not self.differ(h.ways) and "rules" in h.ways:
                # A reason that changes no figure is not in a table, but should still be known.
                yield from (
                    f"Hand {h.number}, by the rules: {self.say(without_references(text))}."
                    for text in h.ways["rules"].why
                )
        if any(total is None and who not in score.possible for who, total in score.totals.items()):
            yield "A total that rests on an unknown figure is unknown too and is shown as ?."
        if score.hands and not score.hands[-1].done:
            yield f"Hand {score.hands[-1].number} is still in play and is not counted."
        yield from self.found(found)
        yield from self.rulings()
        yield from self.inferred()

    def say(self, text: str, at: int | None = None) -> str:
        """A sentence with the names of the players, those at an event if given."""
        return for_players(text, self.called_at(at))

    def name(self, who: str, at: int | None = None) -> str:
        """The name of a seat or side, or "the table", now or at an event."""
        return "the table" if who == "@" else self.called_at(at).get(who, who)

    def called_at(self, at: int | None) -> Mapping[str, str]:
        if at is None or self.final.state.terms.names == (
            then := terms_at(self.final.view, at, self.final.state.terms)
        ).names:
            return self.called
        return player_names(then.sides, then.names)

    def hand_at(self, at: int) -> int:
        """The hand of an event, 0 before the first."""
        events = self.final.view.events
        return max((h.number for h in self.final.hands if events[h.first - 1].n <= at), default=0)

    def of_the_recorder(self) -> Iterator[str]:
        """The notes on each hand, for a pad with results only."""
        number = 0
        for placed in self.final.view.events:
            number += isinstance(placed.event, Hand)
            if placed.recorded.text and not isinstance(placed.event, End):
                yield f"Hand {number}: {placed.recorded.text}" if number else placed.recorded.text

    # -- what the table wrote -----------------------------------------------------------------------------------------

    def slip(self, slip: ArithmeticSlip) -> str:
        """A place where the table's arithmetic differs from ours, and the hands that carry it on."""
        told = "; ".join(self.wrote(c) for c in slip.parts)
        carried = (
            f" {listed_hands(slip.carried)} {'carry' if len(slip.carried) > 1 else 'carries'} it on." if slip.carried
            else ""
        )
        return f"† Hand {slip.hand}: the table wrote {told}.{carried}"

    def wrote(self, c: Compared) -> str:
        """One figure of the table beside ours, with both sums."""
        points = "" if c.kind == "total" else " for this hand"
        theirs = f" ({c.table_sum})" if c.table_sum else ""
        if c.computed is None:
            return f"{figure(c.claimed)} for {self.name(c.who)}{points}{theirs}; possible is {figures_span(c.possible)}"
        ours = c.sum if c.sum and c.sum != figure(c.computed) else f"it is {figure(c.computed)}"
        return f"{figure(c.claimed)} for {self.name(c.who)}{points}{theirs}; {ours}"

    def claims(self) -> Iterator[str]:
        """One line if everything agrees, and the claims that cannot be compared."""
        claims = self.score.claims
        if not self.score.slips and any(c.says == "agrees" for c in claims):
            yield "The table's score agrees with the computed one wherever it was stated."
        elif any(c.says == "agrees" for c in claims):
            yield "Everything else that the table wrote agrees."
        for c in claims:
            if c.says == "not understood":
                yield f"Hand {c.hand}: {self.say(without_references(c.text)).rstrip('.')}."
            elif c.says == "unknown":
                what = f"possible is {figures_span(c.possible)}" if c.possible else "this cannot be computed"
                yield f"Hand {c.hand}: the table wrote {figure(c.claimed)} for {self.name(c.who)}; {what}."
            elif c.says == "replaced":
                yield (
                    f"Hand {c.hand}: the table first wrote {figure(c.claimed)} for {self.name(c.who)}, and replaced it."
                )

    def confirmations(self) -> Iterator[str]:
        """Who confirmed the score of which hands."""
        hands: dict[str, list[int]] = {}
        for a in self.score.agreed:
            hands.setdefault(self.name(a.by, a.at), []).append(a.hand)
        if hands:
            told = [f"{name} ({', '.join(runs(sorted(set(numbers))))})" for name, numbers in hands.items()]
            yield f"Confirmed hand by hand: {listed_with_and(tuple(told))}."

    # -- what was found, ruled and inferred ---------------------------------------------------------------------------

    def found(self, found: Iterable[Finding]) -> Iterator[str]:
        """The rules that were certainly broken, with the reasons."""
        broken = [f for f in found if f.verdict == "broken" and f.rule not in OF_THE_RECORD and f.unless is None]
        for f in broken[:_MOST_FOUND]:
            by = f"{self.name(f.by, f.at.pos)}, " if f.by and f.by != "@" else ""
            yield f"Hand {f.at.hand}: {by}{f.short}: {self.say(f.text, f.at.pos)}. The hand is scored as played."
        if len(broken) > _MOST_FOUND:
            yield f"{len(broken) - _MOST_FOUND} more rules were broken; the report of each hand shows them."

    def rulings(self) -> Iterator[str]:
        """Each dispute without a decision, and each ruling with its effect."""
        for d in disputes(self.final.view):
            if not d.ruled:
                word = f" ({d.word})" if d.word else ""
                who = self.name(d.by, d.at)
                yield (
                    f"Hand {d.hand or self.hand_at(d.at)}: {who[:1].upper()}{who[1:]} disputes an "
                    f"act{word}; nobody has ruled on it."
                )
        hands = {h.number: h for h in self.score.hands}
        for made in decisions(self.final.view):
            word = f"{made.word}, " if made.word and made.word not in WORDS else ""
            number = made.hand or self.hand_at(made.at)
            text = f"Hand {number}, ruled: {word}{self.say(made.effect, made.about or None)}"
            if made.rules:
                text += f" (by {', '.join(made.rules)})"
            hand = hands.get(made.hand)
            if not made.counts:
                text += ". It no longer holds, as it was ruled otherwise later"
            elif hand is not None:
                text += "".join(
                    f"; {why[why.rindex('(without') :][1:-1]}" for why in _said(hand, made.at)
                    if "(without effect: " in why
                )
                if self.differ(hand.ways):
                    ruled = ", ".join(
                        f"{self.name(who)} {self.figures(hand.ways['ruled'], who)}" for who in hand.points
                    )
                    text += f". As ruled: {ruled}"
            yield text + "."

    def inferred(self) -> Iterator[str]:
        """Unrecorded things that follow from the record, each once with its hands."""
        places: dict[str, list[int]] = {}
        for at, text in self.final.state.inferred:
            if text.startswith(UNSEEN_CARD_IS) and ", in the discard pile" in text:
                # A discarded card does not affect the score.
                continue
            said = self.say(text)
            places.setdefault(re.sub(r"^hand \d+ begins here", "it begins here", said), []).append(self.hand_at(at))
        for text, found in list(places.items())[:_MOST_INFERRED]:
            hands = sorted({n for n in found if n})
            yield f"{listed_hands(hands)}: {text}." if hands else f"{text[:1].upper()}{text[1:]}."
        if len(places) > _MOST_INFERRED:
            yield f"{len(places) - _MOST_INFERRED} more things were inferred; the record shows them."


def without_references(text: str) -> str:
    """A sentence without numbers of events, which a player does not know.

    >>> without_references("ruling at event 5: one point")
    'ruling: one point'
    >>> without_references("forfeits the hand (court-piece.R7, event 81)")
    'forfeits the hand (court-piece.R7)'
    """
    return _REFERENCE.sub("", text)


def for_players(text: str, called: Mapping[str, str]) -> str:
    """A sentence for players: names for seats, and columns by owner.

    >>> for_players("reserve:B:down: 11", {"B": "Bastien"})
    'reserve of Bastien, down: 11'
    >>> for_players("B pay 5 >A; the 3♥ at col:A:4", {"A": "Odile", "B": "Bastien"})
    'Bastien pays 5 to Odile; the 3♥ at column 4 of Odile'
    >>> for_players("B:2 draws 8♠", {"B": "Bastien"})
    'hand 2 of Bastien draws 8♠'
    """
    text = _PILE.sub(lambda found: f"{_PILES[found[1]]} {found[3]} of {called.get(found[2], found[2])}", text)
    text = _OWN_PILE.sub(
        lambda found: f"{found[1]} of {called.get(found[2], found[2])}" + (f", {found[3]}" if found[3] else ""), text,
    )
    text = _OF_SEVERAL.sub(
        lambda found: f"hand {found[2]} of {called[found[1]]}" if found[1] in called else found[0], text,
    )
    text = _PAYS.sub(lambda found: f"pays {found[1]} to {called.get(found[2], found[2])}", text)
    return with_player_names(text, called)


def doubts(hand: ScoredHand) -> list[str]:
    """What is open about the score of a hand, a sentence each: the possible figures, what decides, what is presumed."""
    out = []
    if hand.possible:
        out.append(
            "possible: "
            + ", ".join(
                f"{who} {figures_span(values)} ({', '.join(map(figure, values))})"
                for who, values in hand.possible.items()
            )
        )
    out += [question_text(q, hand.points) for q in hand.questions]
    if hand.by_cards:
        cards = ", ".join(f"{who} {figures_span(values)}" for who, values in hand.by_cards.items())
        out.append(f"as played, the next lead shows who won the trick; the cards alone allow {cards}")
    return out


def _said(hand: ScoredHand, at: int) -> list[str]:
    way = hand.ways.get("ruled")
    return [why for why in (way.why if way else ()) if why.startswith(f"ruling at event {at}:")]


def runs(numbers: Iterable[int]) -> list[str]:
    """Numbers in order, three or more consecutive ones as a span.

    >>> runs([1, 2, 4, 5, 6, 8])
    ['1', '2', '4–6', '8']
    """
    out: list[list[int]] = []
    for n in numbers:
        if out and n == out[-1][-1] + 1:
            out[-1].append(n)
        else:
            out.append([n])
    return [text for run in out for text in ([f"{run[0]}–{run[-1]}"] if len(run) > 2 else map(str, run))]


def listed_hands(numbers: Iterable[int]) -> str:
    """Hands by their numbers.

    >>> listed_hands([3]), listed_hands([1, 4, 5, 6])
    ('Hand 3', 'Hands 1 and 4–6')
    """
    told = list(numbers)
    return f"Hand{'s' * (len(told) != 1)} {listed_with_and(tuple(runs(told)))}"
