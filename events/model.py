"""The typed events, the envelope around them, and their one canonical JSON form.

Events are facts in the past tense, as an onlooker sees or hears them; they have no behaviour. The tag `verb` is the verb
of the written form, so text and JSON are two spellings of one thing. `by` is always there: a seat (`N`), a seat's
further hand (`A:2`), a side (`NS`), or `@` for nobody in particular.

Cards are written items (see `events.cards.item`): a list is in the order laid or thrown, bottom to top, and is the
single item `*` if a whole pile is meant.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct, field

Cards: TypeAlias = tuple[str, ...]
Groups: TypeAlias = tuple[Cards, ...]
Piles: TypeAlias = tuple[tuple[str, Cards], ...]
Face: TypeAlias = Literal["up", "down"]
# A fact's value: a whole number, a text, true, false, null, a list of these, or facts in their turn.
Facts: TypeAlias = dict[str, Any]
Refs: TypeAlias = tuple[int, ...]


class _Event(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True, tag_field="verb", kw_only=True):
    by: str


class Open(_Event, frozen=True, tag="open"):
    """The match and its terms. The first is the tag block; a later one changes terms from there on."""

    facts: Facts


class Hand(_Event, frozen=True, tag="hand"):
    """A new hand begins; `by` deals, or holds the bank."""

    number: int
    facts: Facts = field(default_factory=dict)


class Deal(_Event, frozen=True, tag="deal"):
    """Cards are laid out, left to right, from the stock unless `from` says otherwise."""

    face: Face | None = None
    piles: Piles = ()
    src: str = field(default="", name="from")


class Shuffle(_Event, frozen=True, tag="shuffle"):
    """A pile is mixed (`cards` from `from` to `to`), or is now known to lie in the order of `piles`."""

    cards: Cards = ()
    src: str = field(default="", name="from")
    to: str = ""
    piles: Piles = ()


class End(_Event, frozen=True, tag="end"):
    """Play is broken off by agreement; with `facts`, the match is over, and they are the verdict kept at its end."""

    what: Literal["hand", "match"]
    why: str = ""
    facts: Facts = field(default_factory=dict)


class Tally(_Event, frozen=True, tag="tally"):
    """The few facts that are enough to score a hand; several tallies in one hand add up, and the later one counts where they differ."""

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
    """Any other movement of card(s) from one pile to another."""

    cards: Cards
    to: str
    face: Face | None = None
    src: str = field(default="", name="from")


class Meld(_Event, frozen=True, tag="meld"):
    """Card(s) laid down as new group(s), or added to the group named by `to`."""

    groups: Groups
    src: str = field(default="", name="from")
    to: str = ""


class Capture(_Event, frozen=True, tag="capture"):
    """`cards` take `takes` (from the board, or a whole pile named by `from`)."""

    cards: Cards
    takes: Cards
    src: str = field(default="", name="from")


class Arrange(_Event, frozen=True, tag="arrange"):
    """The area now holds exactly `groups`, or each pile named exactly its cards."""

    groups: Groups = ()
    to: str = ""
    piles: Piles = ()


class Show(_Event, frozen=True, tag="show"):
    """Everybody sees these cards; they stay where they are."""

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
    """A stake is put up; a negative one is taken back. `on` is a card, seat or pile."""

    amount: int
    on: str = ""


class Pay(_Event, frozen=True, tag="pay"):
    """Money that changed hands."""

    amount: int
    src: str = field(default="", name="from")
    to: str = ""


class Fault(_Event, frozen=True, tag="fault"):
    """The table noticed an irregularity and went on."""

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
    """The table lets the actor take back an act: the last one, the last of these cards, or the one at a position; the actor acts anew in its place."""

    cards: Cards = ()
    refs: Refs = ()


class Note(_Event, frozen=True, tag="note"):
    """A remark about the log; text and glyphs stand in the envelope, facts are for what is kept beside it (a picture)."""

    refs: Refs = ()
    facts: Facts = field(default_factory=dict)


class Dispute(_Event, frozen=True, tag="dispute"):
    """`by` wants a decision."""

    refs: Refs = ()
    word: str = ""


class Ruling(_Event, frozen=True, tag="ruling"):
    """Somebody decided; the first reference is the question."""

    refs: Refs
    word: str = ""
    facts: Facts = field(default_factory=dict)


class Gap(_Event, frozen=True, tag="gap"):
    """Some acts were not recorded, about `number` of them."""

    number: int | None = None


Plain: TypeAlias = (
    Open | Hand | Deal | Shuffle | End | Tally | Play | Draw | Discard | Move | Meld | Capture | Arrange | Show
    | Bid | Pass | Call | Name | Bet | Pay | Back | Fault | Claim | Confirm | Note | Dispute | Ruling | Gap
)  # fmt: skip


class Fix(_Event, frozen=True, tag="fix"):
    """The recorder erred: the event at `at` is replaced, or one is inserted after it, or it is struck out. Or the cards played from there to the
    end of the hand move round by so many seats that the one at `at` is played as it says."""

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
# What is said about the log or the score, or about an earlier act; as it stands, it does not move a card or end a turn.
ABOUT: tuple[type[Event], ...] = (Back, Fault, Claim, Confirm, Fix, Note, Dispute, Ruling)


def verb_of(event: Event) -> str:
    """The verb of an event, as it is written."""
    return VERB_OF[type(event)]


class Recorded(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """One event with what the log keeps around it.

    `n` is its position in the match (the opening tag block is 0, everything after it counts from 1); `same` says it
    happened at the moment of the line above; `t` are milliseconds since the hand began; `time` is when it was entered
    (UTC, `2026-03-14T20:05:11.250Z`), `recorder` who typed it, `key` the submission key, `v` the version of the event
    type it was written with.
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
