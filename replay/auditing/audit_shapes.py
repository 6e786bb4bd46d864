"""The shapes of an audit: findings with their proof, offers, deals, and everything about one event."""

from __future__ import annotations

from msgspec import Struct

from replay.judging.findings import EventPlace

WIDTH = 100


class ProofLink(Struct, frozen=True):
    """One link of a proof: a position and what happened there."""

    pos: int
    text: str


class Worlds(Struct, frozen=True):
    """The exact opinion on one finding: broken in `broken` of `worlds`; `complete` says that these are all there are.

    `text` is the whole in words, also where there is no opinion (`worlds` is 0 then).
    """

    verdict: str
    worlds: int
    broken: int
    complete: bool
    text: str


class Audited(Struct, frozen=True):
    """A finding with everything that belongs to it.

    `rule`, `heading`, `short`, `sentence` are the rule; `at`, `known_from` the positions (None while open); `act` is
    the act as written, `says` in words with what is wrong about it; `middle` what lay on the table then. `because` are
    the sentences of the proof, `chain` its positions in order. `legal` are acts known to have been possible instead,
    in words, `complete` says that these are all. `knew` says who could know it when; with `bound` it may have been known
    earlier than `known_from`. `cost` is what the rules of the
    game make of it. `unless` is the correction of the record that would remove it, while one is plausible; nobody is
    accused before that is looked into. `settles` are the things that would answer an open question, `exact` the second opinion, if asked.
    `trick` is the number of the trick that the act belongs to, where the game has tricks.
    """

    rule: str
    verdict: str
    at: EventPlace
    known_from: EventPlace | None
    act: str
    by: str
    says: str
    heading: str = ""
    short: str = ""
    sentence: str = ""
    middle: str = ""
    cards: tuple[str, ...] = ()
    holder: str = ""
    because: tuple[str, ...] = ()
    chain: tuple[ProofLink, ...] = ()
    knew: str = ""
    legal: tuple[str, ...] = ()
    complete: bool = False
    cost: str = ""
    settles: tuple[str, ...] = ()
    unless: str = ""
    exact: Worlds | None = None
    bound: bool = False
    trick: int | None = None


class Offer(Struct, frozen=True):
    """A correction of the recorder that would explain what was found: a sentence, the lines to type, what it removes.

    `after` are the lines of the corrections that come first, where it is about what these leave.
    """

    hand: int
    text: str
    lines: tuple[str, ...]
    removes: tuple[str, ...]
    after: tuple[str, ...] = ()


class Card(Struct, frozen=True):
    """A card of a reconstructed deal. `how` is "certain" (seen, then or later), "inferred" (by elimination) or "unknown".

    `at` is the position that showed it, 0 for one that nothing showed.
    """

    card: str
    how: str
    at: int = 0


class Packet(Struct, frozen=True):
    """Cards that came to one pile in one deal: what they were, as far as the whole log tells.

    `at` is the position of the deal (or of the act before or after which it happened unwritten), `may_be` the cards
    of which the unknown ones are some; `vague` says that nobody counted.
    """

    pile: str
    at: int
    cards: tuple[Card, ...]
    may_be: tuple[str, ...] = ()
    vague: bool = False


class ReconstructedDeal(Struct, frozen=True):
    """The deal of a hand as reconstructed. `complete` says that no card of a packet is unknown."""

    hand: int
    packets: tuple[Packet, ...]
    complete: bool


class ExhaustiveRun(Struct, frozen=True):
    """How the exact opinion on a hand came about: so many worlds, whether these are all, and why it has none."""

    hand: int
    worlds: int
    complete: bool
    text: str


class Audit(Struct, frozen=True):
    """The audit of a match, or of one hand of it (`hand`, None for all): what is broken, what is open, the deals.

    What the record contradicts itself in comes first. `offers` are corrections that would explain findings; `illegal`
    are acts that break one rule or another whatever the hidden cards are, while each of those rules is open; `either`
    has these rules, by position. `across` are charges about several acts of a hand, at least one of which is certain, each with
    its act ("court-piece.R4 at event 4").
    """

    match: str
    game: str
    name: str
    position: int
    hands: int
    hand: int | None
    broken: tuple[Audited, ...]
    open: tuple[Audited, ...]
    offers: tuple[Offer, ...]
    illegal: tuple[int, ...]
    deals: tuple[ReconstructedDeal, ...]
    exact: tuple[ExhaustiveRun, ...] = ()
    # What was not looked at to its end, a sentence each.
    cuts: tuple[str, ...] = ()
    either: dict[int, tuple[str, ...]] = {}
    across: tuple[tuple[str, ...], ...] = ()


class Held(Struct, frozen=True):
    """What lay in a pile at a moment.

    `seen` are the cards that were known there then, `later` those that only later events prove to have been there,
    `inferred` those that the rest of the pack leaves no other place; `hidden` is how many cards stay unknown, each of
    them one of `may_be`.
    """

    pile: str
    count: int
    seen: tuple[str, ...]
    later: tuple[str, ...]
    inferred: tuple[str, ...]
    hidden: int
    may_be: tuple[str, ...]
    vague: bool = False


class RuleSays(Struct, frozen=True):
    """What one rule says about the act: verdict, and in a sentence why, if it is not content."""

    rule: str
    short: str
    verdict: str
    text: str = ""


class About(Struct, frozen=True):
    """Everything known about one event.

    `says` is the event in words, `was` what stood there before a correction. `verdict` is that of the act: broken by a
    rule, open, or allowed; empty for what is not an act. `rules` are all that were asked, `findings` those with proof.
    `proves` are the findings elsewhere for which this event is evidence.
    """

    pos: int
    hand: int
    event: str
    says: str
    was: tuple[str, ...]
    phase: str
    turn: tuple[str, ...]
    middle: str
    held: tuple[Held, ...]
    rules: tuple[RuleSays, ...]
    verdict: str
    findings: tuple[Audited, ...]
    proves: tuple[str, ...]
    remark: str = ""


__all__ = ["About", "Audit", "Audited", "Card", "ReconstructedDeal", "ExhaustiveRun", "Held", "ProofLink", "Packet", "RuleSays", "Worlds"]
