"""The typed events and the record around them.

Events are facts in the past tense, as an onlooker sees or hears them; they have no behaviour. The tag `verb` is the
verb of the written form, so text and JSON are two spellings of one thing. `by` is always set: a seat (`N`), a further
hand of a seat (`A:2`), a side (`NS`), or `@` for no one in particular.

Cards are written items (see `events.cards.item`). A list is in the order laid or thrown, bottom to top, or is the
single item `*` for a whole pile.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct, field

Cards: TypeAlias = tuple[str, ...]
Groups: TypeAlias = tuple[Cards, ...]
Piles: TypeAlias = tuple[tuple[str, Cards], ...]
Face: TypeAlias = Literal["up", "down"]
# A fact's value: a whole number, a text, true, false, null, a list of these, or nested facts.
Facts: TypeAlias = dict[str, Any]
Refs: TypeAlias = tuple[int, ...]


class _Event(
    Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True, tag_field="verb", kw_only=True,
):
    by: str


class Open(_Event, frozen=True, tag="open"):
    """The match and its terms. The first is the tag block; a later one changes terms from then on."""

    facts: Facts


class Hand(_Event, frozen=True, tag="hand"):
    """A new hand begins; `by` deals, or holds the bank."""

    number: int
    facts: Facts = field(default_factory=dict)


class Deal(_Event, frozen=True, tag="deal"):
    """Cards are laid out, left to right, from the stock unless `from` names another pile."""

    face: Face | None = None
    piles: Piles = ()
    src: str = field(default="", name="from")


class Shuffle(_Event, frozen=True, tag="shuffle"):
    """A pile is mixed (`cards` from `from` to `to`), or is now known to have the order of `piles`."""

    cards: Cards = ()
    src: str = field(default="", name="from")
    to: str = ""
    piles: Piles = ()


class End(_Event, frozen=True, tag="end"):
    """Play is broken off by agreement. With `facts`, the match is over, and they are the final verdict."""

    what: Literal["hand", "match"]
    why: str = ""
    facts: Facts = field(default_factory=dict)


class Tally(_Event, frozen=True, tag="tally"):
    """The few facts that are enough to score a hand. Several tallies of a hand add up; later values replace earlier."""

    facts: Facts


class Play(_Event, frozen=True, tag="play"):
    """Card(s) to the middle: trick, board, centre."""

    cards: Cards
    face: Face | None = None
    src: str = field(default="", name="from")


class Draw(_Event, frozen=True, tag="draw"):
    """Card(s) into the actor's own holding."""

    cards: Cards
    face: Face | None = None
    src: str = field(default="", name="from")


class Discard(_Event, frozen=True, tag="discard"):
    """Card(s) thrown away; the last one lies on top."""

    cards: Cards
    face: Face | None = None
    src: str = field(default="", name="from")


class Move(_Event, frozen=True, tag="move"):
    """Any other movement of card(s) between piles."""

    cards: Cards
    to: str
    face: Face | None = None
    src: str = field(default="", name="from")


class Meld(_Event, frozen=True, tag="meld"):
    """Card(s) laid down as new group(s), or added to the group in the pile `to`."""

    groups: Groups
    src: str = field(default="", name="from")
    to: str = ""


class Capture(_Event, frozen=True, tag="capture"):
    """`cards` take `takes` (from the board, or from the pile `from`)."""

    cards: Cards
    takes: Cards
    src: str = field(default="", name="from")


class Arrange(_Event, frozen=True, tag="arrange"):
    """The area now holds exactly `groups`, or each named pile exactly its cards."""

    groups: Groups = ()
    to: str = ""
    piles: Piles = ()


class Show(_Event, frozen=True, tag="show"):
    """All players see these cards; they stay where they are."""

    groups: Groups
    src: str = field(default="", name="from")


class Bid(_Event, frozen=True, tag="bid"):
    """An offer that others may top."""

    level: int | None = None
    strain: str = ""


class Pass(_Event, frozen=True, tag="pass"):
    """The actor does not use the right to act."""


class Call(_Event, frozen=True, tag="call"):
    """Any other spoken word of the game, in or out of turn."""

    word: str
    what: str = ""
    amount: int | None = None
    who: str = ""
    cards: Cards = ()
    refs: Refs = ()


class Name(_Event, frozen=True, tag="name"):
    """The actor announces a choice: a trump suit, a card, a rank."""

    what: str


class Bet(_Event, frozen=True, tag="bet"):
    """A stake is put up; a negative amount is taken back. `on` is a card, seat or pile."""

    amount: int
    on: str = ""


class Pay(_Event, frozen=True, tag="pay"):
    """Money that changes hands."""

    amount: int
    src: str = field(default="", name="from")
    to: str = ""


class Fault(_Event, frozen=True, tag="fault"):
    """The table noticed an irregularity and played on."""

    word: str
    who: str = ""
    cards: Cards = ()
    refs: Refs = ()


class Claim(_Event, frozen=True, tag="claim"):
    """A score as the table stated it."""

    amount: int | None = None
    facts: Facts = field(default_factory=dict)


class Confirm(_Event, frozen=True, tag="confirm"):
    """`by` agrees with a claim, or with the sheet."""

    refs: Refs = ()


class Back(_Event, frozen=True, tag="back"):
    """The table lets the actor take an act back (the last one, of these cards, or at a position) and act again."""

    cards: Cards = ()
    refs: Refs = ()


class Note(_Event, frozen=True, tag="note"):
    """A remark about the log. Text and glyphs are in the record; facts describe something else (a picture)."""

    refs: Refs = ()
    facts: Facts = field(default_factory=dict)


class Dispute(_Event, frozen=True, tag="dispute"):
    """`by` asks for a decision."""

    refs: Refs = ()
    word: str = ""


class Ruling(_Event, frozen=True, tag="ruling"):
    """A decision by `by`; the first reference is the question."""

    refs: Refs
    word: str = ""
    facts: Facts = field(default_factory=dict)


class Gap(_Event, frozen=True, tag="gap"):
    """About `number` acts were not recorded (an unknown number if None)."""

    number: int | None = None


Plain: TypeAlias = (
    Open | Hand | Deal | Shuffle | End | Tally | Play | Draw | Discard | Move | Meld | Capture | Arrange | Show
    | Bid | Pass | Call | Name | Bet | Pay | Back | Fault | Claim | Confirm | Note | Dispute | Ruling | Gap
)  # fmt: skip


class Fix(_Event, frozen=True, tag="fix"):
    """A correction of the recorder's error: the event at `at` is replaced or struck, or `event` is inserted after it.

    With `turn`, the cards played from `at` to the end of the hand move round the seats, so that the card at `at` is
    played by the seat in `event`.
    """

    at: int
    how: Literal["replace", "insert", "strike", "turn"]
    event: Plain | None = None


Event: TypeAlias = Plain | Fix
EVENT_TYPES: tuple[type[Event], ...] = (
    Open, Hand, Deal, Shuffle, End, Tally, Play, Draw, Discard, Move, Meld, Capture, Arrange, Show,
    Bid, Pass, Call, Name, Bet, Pay, Back, Fault, Claim, Confirm, Fix, Note, Dispute, Ruling, Gap,
)  # fmt: skip
VERBS: dict[str, type[Event]] = {str(t.__struct_config__.tag): t for t in EVENT_TYPES}
VERB_OF: dict[type[Event], str] = {t: verb for verb, t in VERBS.items()}
# Events about the log, the score or an earlier act; by themselves they neither move a card nor end a turn.
ABOUT: tuple[type[Event], ...] = (Back, Fault, Claim, Confirm, Fix, Note, Dispute, Ruling)


def verb_of(event: Event) -> str:
    """The verb of an event as it is written."""
    return VERB_OF[type(event)]


class Recorded(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """One event with its fields in the log.

    `n` is its position in the match (0 for the opening tag block, then from 1). `same` is True if it happened at the
    same moment as the event before it. `t` is milliseconds since the hand began; `time` is when it was entered (UTC,
    `2026-03-14T20:05:11.250Z`), `recorder` is who typed it, `key` is the submission key, and `v` is the version of
    the event type it was written with.
    """

    n: int
    event: Event
    v: int = 1
    same: bool = False
    t: int | None = None
    glyphs: tuple[int, ...] = ()
    text: str = ""
    time: str = ""
    recorder: str = ""
    key: str = ""
