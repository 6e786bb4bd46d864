"""The data types of an audit: findings with their proofs, offers, deals, and everything about one event."""

from __future__ import annotations

from msgspec import Struct

from replay.judging.findings import EventPlace

WIDTH = 100


class ProofLink(Struct, frozen=True):
    """One link of a proof: a position and what happened there."""

    pos: int
    text: str


class Worlds(Struct, frozen=True):
    """The exact opinion on one finding: broken in `broken` of `worlds`; `complete` is True if these are all.

    `text` is the whole in words, even without an opinion (`worlds` is 0 then).
    """

    verdict: str
    worlds: int
    broken: int
    complete: bool
    text: str


class Audited(Struct, frozen=True):
    """A finding with all its details.

    `rule`, `heading`, `short`, `sentence` describe the rule; `at` and `known_from` are positions (`known_from` is
    None while open); `act` is the act as written, `says` in words with what is wrong; `middle` the cards on the table
    then. `because` are the sentences of the proof, `chain` its positions in order. `legal` are acts that were known
    to be possible instead, in words; `complete` is True if these are all. `knew` says who could know it when; with
    `bound` it may have been known before `known_from`. `cost` is the penalty by the rules. `unless` is a plausible
    correction of the record that would remove it; no player is accused before that is checked. `settles` are the
    things that would settle an open question, `exact` the second opinion, if requested. `trick` is the number of the
    act's trick, in games with tricks.
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
    """A correction that would explain findings: a sentence, the lines to type, and what it removes.

    `after` are the lines of earlier corrections that it builds on.
    """

    hand: int
    text: str
    lines: tuple[str, ...]
    removes: tuple[str, ...]
    after: tuple[str, ...] = ()


class Card(Struct, frozen=True):
    """A card of a reconstructed deal. `how` is "certain" (seen, then or later), "inferred" (by elimination) or
    "unknown".

    `at` is the position that showed it, 0 if none did.
    """

    card: str
    how: str
    at: int = 0


class Packet(Struct, frozen=True):
    """The cards that one pile got in one deal, as known from the whole log.

    `at` is the position of the deal (or of the act next to an unrecorded one), `may_be` the faces of the unknown
    cards; `vague` is True if the cards were not counted.
    """

    pile: str
    at: int
    cards: tuple[Card, ...]
    may_be: tuple[str, ...] = ()
    vague: bool = False


class ReconstructedDeal(Struct, frozen=True):
    """The reconstructed deal of a hand. `complete` is True if no card of a packet is unknown."""

    hand: int
    packets: tuple[Packet, ...]
    complete: bool


class ExhaustiveRun(Struct, frozen=True):
    """The search for the exact opinion on a hand: the number of worlds, whether these are all, and the reason if
    there is none."""

    hand: int
    worlds: int
    complete: bool
    text: str


class Audit(Struct, frozen=True):
    """The audit of a match, or of one hand of it (`hand`, None for all): breaches, open questions, deals.

    Contradictions of the record come first. `offers` are corrections that would explain findings; `illegal` are acts
    that certainly break one of several rules, each of which is open; `either` has these rules, by position. `across`
    are charges about several acts of a hand, at least one of which is certain, each with its act ("court-piece.R4 at
    event 4").
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
    # What was not examined completely, a sentence each.
    cuts: tuple[str, ...] = ()
    either: dict[int, tuple[str, ...]] = {}
    across: tuple[tuple[str, ...], ...] = ()


class Held(Struct, frozen=True):
    """The content of a pile at a moment.

    `seen` are the cards known then, `later` those that later events prove to have been there, `inferred` those found
    by elimination; `hidden` is the number of unknown cards, each one of `may_be`.
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
    """The answer of one rule about the act: verdict, and the reason unless it is allowed."""

    rule: str
    short: str
    verdict: str
    text: str = ""


class About(Struct, frozen=True):
    """Everything known about one event.

    `says` is the event in words, `was` its versions before a correction. `verdict` is that of the act: broken, open,
    or allowed; "" if it is not an act. `rules` are all that were checked, `findings` those with proof. `proves` are
    findings elsewhere for which this event is evidence.
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
