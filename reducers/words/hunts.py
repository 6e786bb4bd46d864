"""Hunts: rank by rank, the player who holds the called card plays it, and the others may send cards after it.

Each card of a rank has its role. The dingo must be played when its rank is called; the wolves may be sent after it by
the others, one seat after the other; the rabbit lies open, and the last wolf catches it. The last hunt differs: its
rabbit is in a hand too, a player with several cards may play them in one turn, the dingo's player has a turn at the
end, and all players keep the cards they played. The game is Dingo.

The page's record of a hand is a `HuntHand`, and has the `Roles` of the cards. The rabbits are in the widow, the next
one on top; caught cards are in `won:SEAT`, a dingo without a wolf in `penalty:SEAT`, all others in `dead`. The phases
are called `calling` (the next rank), `dingo`, `hunt`, `aces` (the last hunt), and `closing`, which is scored, and may
still go on. All have the same acts, so that an unseen card does not change the phase of an act.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations
from typing import Any, ClassVar, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from events.cards import Pack, one_by_one, pretty
from events.model import Claim, Deal, End, Event, Gap, Hand, Move, Name, Pass, Play, Show
from reducers.evolve import COMMON, ensure_hand_started, finish_hand, on_deal, on_show, settle
from reducers.gaps import after_gap
from reducers.model import Evolve, HandRecord, State
from reducers.rules import CheckResult, broken
from reducers.words.deals import as_many_as_dealt, ensure_dealt
from reducers.words.reported_cards import seen_in_pile

HUNTING = ("dingo", "hunt")
"""The phases in which a hunt before the last is on, or may be."""
LAST = ("aces", "closing")
UNDER_WAY = frozenset(("calling", *HUNTING, *LAST))
"""The phases of a game that was dealt, with all rounds before the hunts done."""


class Roles(Struct, frozen=True):
    """The role of each card, by the place of its rank in the order of the hunts; `said` is what is called."""

    pack: Pack
    said: tuple[str, ...]
    dingos: tuple[int, ...]
    wolves: tuple[tuple[int, ...], ...]
    rabbits: tuple[int, ...]
    last_hunt: str = "the last hunt"

    @property
    def last(self) -> int:
        """The place of the rank that is hunted last."""
        return len(self.said) - 1

    @property
    def rabbit(self) -> int:
        """The rabbit of the last hunt, which is in a hand."""
        return self.rabbits[-1]

    @property
    def open_rabbits(self) -> tuple[str, ...]:
        """The other rabbits, which lie open, the next one on top."""
        return tuple(self.pack.faces[code] for code in reversed(self.rabbits[:-1]))

    def highest(self, codes: Iterable[int]) -> int:
        """The highest rabbit among these cards, as a figure: 2 for the first that is hunted, 0 if there is none."""
        return max((self.place(code) + 2 for code in codes if code in self.rabbits), default=0)

    def figure(self, told: object) -> int | None:
        """The figure of a rabbit that was reported by its rank, or as `none`; None if unknown."""
        return None if told in (None, "?") else 0 if told == "none" else self.called(str(told)) + 2

    def named(self, figure: int | None) -> str | None:
        """The rank that reports the rabbit of a figure."""
        return None if figure is None else self.said[figure - 2] if figure else "none"

    def called(self, what: str) -> int:
        """The place of a rank as it is said; -1 if it is none."""
        text = "10" if what.upper() == "T" else what.upper()
        return self.said.index(text) if text in self.said else -1

    def as_said(self, event: Event) -> Event:
        """The event with the rank as it is said (`10` for `t`); any other event unchanged."""
        place = self.called(event.what) if isinstance(event, Name) else -1
        return replace(event, what=self.said[place]) if place >= 0 else event

    def place(self, code: int) -> int:
        """The place of a card's rank; -1 if the rank was not seen."""
        return self.called(self.pack.rank_of[code])

    def shown(self, code: int) -> str:
        """A card in a sentence."""
        return self.pack.shown(code)


def roles(pack: Pack, order: str, dingo: str, wolves: str, rabbit: str, last_hunt: str) -> Roles:
    """Roles by suit, for ranks that are hunted in this order."""
    of = pack.code
    return Roles(
        pack, tuple("10" if rank == "T" else rank for rank in order), tuple(of[rank + dingo] for rank in order),
        tuple(tuple(of[rank + suit] for suit in wolves) for rank in order), tuple(of[rank + rabbit] for rank in order),
        last_hunt,
    )  # fmt: skip


class HuntCard(NamedTuple):
    """A card in the middle, its player, and its role; "" if it is against the rules, and then it does not count."""

    seat: str
    code: int
    role: str


class HuntHand(HandRecord):
    """The state of the hunts.

    `hunt` is the place of the rank hunted last or now, and `is_last` means that it is the last one; `dingo` is the
    player of its dingo; `lying` the cards played since; `left` the seats still to have a turn, `spared` those that
    need none after the last wolf. `lately` is the seat that may go on in the last hunt. `caught` is where and how the
    last hunt ended. `gap` means that acts are missing; `dark` that a card of the hunt was not seen, so that the hunt
    is unknown until the next call, and `blurred` that there ever was such a card; `over` that the last hunt is over.
    """

    roles: ClassVar[Roles]

    def __init__(self) -> None:
        self.hunt = -1
        self.dingo = self.lately = ""
        self.left: tuple[str, ...] = ()
        self.spared: tuple[str, ...] = ()
        self.lying: list[HuntCard] = []
        self.caught: tuple[int, str] = (0, "")
        self.gap = self.dark = self.blurred = self.over = self.is_last = False

    @property
    def next(self) -> int:
        """The place of the rank that is hunted next."""
        return self.hunt + 1

    @property
    def sent(self) -> list[str]:
        """The players of the wolves of this hunt, in order."""
        return [laid.seat for laid in self.lying if laid.role == "wolf"]

    @property
    def all_sent(self) -> bool:
        """True if every wolf of this hunt is out."""
        return len(self.sent) >= len(self.roles.wolves[self.hunt])


def the_rabbits_lie_open(deal: Deal, state: State[Any]) -> CheckResult | None:
    """The rabbits lie in order, and all other cards are dealt."""
    lie: tuple[str, ...] = state.game.dealing.deal.apart if state.game.dealing.deal is not None else ()
    rabbits = [card for name, cards in deal.piles if name == "widow" for card in one_by_one(cards) if "?" not in card]
    if other := next((card for card in rabbits if card not in lie), ""):
        return broken(f"the {pretty(other)} is not one of the face-up rabbits")
    if rabbits != sorted(rabbits, key=lie.index):
        return broken(f"the rabbits are in order, the {pretty(lie[-1])} on top")
    hands = without_rabbits(deal)
    return as_many_as_dealt(hands, state) if hands.piles else None


def without_rabbits(deal: Deal) -> Deal:
    """A deal without the rabbits."""
    return replace(deal, piles=tuple(pile for pile in deal.piles if pile[0] != "widow"))


# -- applying acts ----------------------------------------------------------------------------------------------------


def lay_rabbits(state: State[Any]) -> None:
    """Lay out the table before the deal: the rabbits lie open, whether recorded or not."""
    for seat in state.terms.seats:
        state.table.bag(seat)
    state.table.lay([state.game.pack.code[card] for card in state.hand.roles.open_rabbits], state.table.row("widow"))


def on_dealt(deal: Deal, state: State[Any]) -> None:
    """Deal the hands; the rabbits are there already."""
    on_deal(without_rabbits(deal), state)


def calls_next(state: State[Any]) -> None:
    """No hunt is on; the dealer calls the next rank."""
    state.phase, state.turn = "calling", state.terms.seats if state.dealer_is_guess else (state.dealer,)


def begins(act: Event, state: State[Any]) -> None:
    """Complete the deal and earlier rounds before an act of the hunts; after the last hunt, that is the same game."""
    if state.phase not in UNDER_WAY:
        ensure_dealt(state)


def on_name(name: Name, state: State[Any]) -> None:
    """Call a rank. An earlier hunt is over; if it was the last hunt, its dingo came too early, and does not count."""
    if state.phase == "closing":
        return
    begins(name, state)
    hand, place = state.hand, state.hand.roles.called(name.what)
    if place < 0 or (place == hand.hunt and state.phase == "dingo" and not hand.dark):
        return
    if state.phase == "aces":
        hand.lying = [laid._replace(role="") for laid in hand.lying]
        shares_out(state)
        hand.lying = []
    elif state.phase in HUNTING:
        ends(state)
    opens(place, state)


def opens(place: int, state: State[Any]) -> None:
    """Begin a hunt: the dingo is to be played, unless it was discarded."""
    hand, table, roles = state.hand, state.table, state.hand.roles
    for rabbit in roles.rabbits[hand.next : place]:
        move_rabbit(rabbit, "dead", state)
    hand.hunt, hand.is_last, hand.dark = place, place == roles.last, False
    hand.dingo, hand.lately, hand.left, hand.spared = "", "", (), ()
    field = roles.pack.field[roles.dingos[place]]
    there = next((name for name, pile in table.piles.items() if seen_in_pile(pile) & field), "")
    if there and there not in state.terms.seats:
        ends(state)
    else:
        state.phase, state.turn = "dingo", (there,) if there else state.terms.seats


def begins_a_hunt(code: int, state: State[Any]) -> bool:
    """True if this is the dingo of a rank without a recorded call."""
    return code in state.hand.roles.dingos and state.hand.roles.place(code) > state.hand.hunt


def move_rabbit(rabbit: int, to: str, state: State[Any]) -> None:
    """Move a rabbit from the pile of rabbits, or from those out of reach, if its hunt comes after all."""
    for name in ("widow", "dead"):
        lying = state.table.row(name)
        if name != to and lying.row and rabbit in lying.row:
            state.table.move_one(rabbit, lying, state.table.row(to))
            return


def on_play(play: Play, state: State[Any]) -> None:
    """Play a dingo, a wolf, the rabbit of the last hunt, or another card in their place."""
    begins(play, state)
    hand, table, roles = state.hand, state.table, state.hand.roles
    src, trick = state.holding(play.by), table.row("trick")
    codes = table.codes(play.cards, src)
    if codes and state.phase not in LAST and begins_a_hunt(codes[0], state):
        # The call was not recorded.
        if state.phase in HUNTING:
            ends(state)
        opens(roles.place(codes[0]), state)
    if codes and max(codes) >= roles.pack.unknown:
        if state.phase == "calling" and not hand.is_last:
            opens(hand.next, state)
        hand.dark = hand.blurred = True
    at = len(trick.row or ())
    table.move(codes, src, trick)
    came = (trick.row or [])[at:]
    if state.phase == "dingo":
        play_called_dingo(play.by, came, state)
    else:
        for nth, code in enumerate(came):
            hand.lying.append(HuntCard(play.by, code, role_of(play.by, code, nth, state)))
        spoke(play.by, state)


def play_called_dingo(seat: str, came: list[int], state: State[Any]) -> None:
    """Play the dingo that was called, or another card in its place; cards played with it do not count."""
    hand = state.hand
    for code in came:
        is_it = not hand.dingo and (code == hand.roles.dingos[hand.hunt] or code >= hand.roles.pack.unknown)
        hand.lying.append(HuntCard(seat, code, "dingo" if is_it else ""))
        if is_it:
            hand.dingo, hand.left = seat, after_the_dingo(seat, state)
            state.phase, state.turn = "aces" if hand.is_last else "hunt", hand.left[:1]


def after_the_dingo(seat: str, state: State[Any]) -> tuple[str, ...]:
    """The seats with a turn after the player of the dingo, in order; in the last hunt that player too, at the end."""
    others: tuple[str, ...] = tuple(state.terms.around(seat)[1:])
    return (*others, seat) if state.hand.is_last else others


def role_of(seat: str, code: int, nth: int, state: State[Any]) -> str:
    """The role of a card played after the dingo, the `nth` of its line; "" if it is against the rules."""
    hand, roles = state.hand, state.hand.roles
    if state.phase == "hunt":
        may = nth == 0 and seat in hand.left
    else:
        may = state.phase in LAST and bool(hand.dingo)
        if may and code == roles.rabbit:
            return "rabbit" if hand.all_sent else ""
    return "wolf" if may and (code in roles.wolves[hand.hunt] or code >= roles.pack.unknown) else ""


def on_pass(act: Pass, state: State[Any]) -> None:
    """A seat plays no wolf."""
    begins(act, state)
    hand = state.hand
    if state.phase in ("calling", "closing"):
        hand.spared = tuple(seat for seat in hand.spared if seat != act.by)
    if state.phase in ("hunt", *LAST):
        spoke(act.by, state, passed=True)


def spoke(seat: str, state: State[Any], *, passed: bool = False) -> None:
    """End the turn of a seat in a hunt, and of those before it; after the last one the hunt is over."""
    hand = state.hand
    if state.phase not in ("hunt", *LAST):
        return
    hand.lately = seat if hand.is_last and not passed else ""
    if seat in hand.left:
        hand.left = hand.left[hand.left.index(seat) + 1 :]
    if state.phase == "closing":
        closes(state)
    elif not hand.is_last and hand.all_sent:
        ends(state, spared=hand.left)
    elif hand.left and not everything_is_out(state):
        state.turn = hand.left[:1]
    else:
        ends(state)


def everything_is_out(state: State[Any]) -> bool:
    """True if no card is left to be played in the last hunt."""
    return state.hand.is_last and state.hand.all_sent and any(laid.role == "rabbit" for laid in state.hand.lying)


def ends(state: State[Any], spared: tuple[str, ...] = ()) -> None:
    """End a hunt: each card goes where it belongs, and the dealer calls the next rank."""
    hand = state.hand
    if hand.is_last:
        closes(state)
        return
    shares_out(state)
    roles = hand.roles
    rabbit, catcher = roles.rabbits[hand.hunt], hand.sent[-1] if hand.sent and hand.dingo else ""
    move_rabbit(rabbit, f"won:{catcher}" if catcher else "dead", state)
    what = roles.shown(rabbit)
    hand.caught = (state.at, f"{what} to {catcher}" if catcher else f"the {what} gets away")
    hand.lying, hand.left, hand.lately, hand.spared = [], (), "", spared
    calls_next(state)


def closes(state: State[Any]) -> None:
    """End the last hunt, and the game: seats without a turn have passed, unless another line comes."""
    hand = state.hand
    shares_out(state)
    shown = hand.roles.shown(hand.roles.rabbit)
    who = next((laid.seat for laid in hand.lying if laid.role == "rabbit"), "")
    hand.caught = (state.at, f"{shown} to {who}" if who else f"the {shown} was not played")
    hand.over = True
    finish_hand(state)
    if hand.left or hand.lately:
        state.phase = "closing"


def shares_out(state: State[Any]) -> None:
    """Move the cards in the middle to the piles of the players."""
    hand, table = state.hand, state.table
    trick, lying = table.row("trick"), hand.lying
    catches = max((nth for nth, laid in enumerate(lying) if laid.role == "wolf"), default=-1)
    for nth, code in zip(range(len(lying) - 1, -1, -1), trick.codes()[::-1], strict=False):
        table.move_one(code, trick, table.row(pile_of(lying[nth], nth == catches, hand)))
    if hand.is_last and hand.sent and hand.dingo:
        # A wolf may come after the hunt seemed over: the dingo then counts for its player.
        lost, dingo = table.row(f"penalty:{hand.dingo}"), hand.roles.dingos[-1]
        if dingo in lost.codes():
            table.move_one(dingo, lost, table.row(f"won:{hand.dingo}"))


def pile_of(laid: HuntCard, catches: bool, hand: HuntHand) -> str:
    """The pile of a card of a hunt; the last wolf `catches`."""
    if laid.role == "dingo":
        return f"won:{laid.seat}" if hand.sent else f"penalty:{laid.seat}"
    if laid.role == "" or not hand.dingo:
        return "dead"
    return f"won:{laid.seat}" if catches or hand.is_last else f"won:{hand.dingo}"


def ends_by_a_line(state: State[Any]) -> None:
    """End a hunt before an act that comes after it: seats without a turn have passed."""
    if state.phase == "hunt":
        ends(state)
    elif state.phase == "aces":
        closes(state)


def on_shown(show: Show, state: State[Any]) -> None:
    """Show cards. After the last hunt they are what is left, and the rabbit then counts against its holder."""
    on_show(show, state)
    if not state.number:
        return
    if state.phase == "aces":
        ends_by_a_line(state)
    if state.settled:
        the_rabbit_is_lost(state)


def the_rabbit_is_lost(state: State[Any]) -> None:
    """Move the rabbit of the last hunt to the penalties of its holder, who has not played it."""
    rabbit, table = state.hand.roles.rabbit, state.table
    for seat in state.terms.seats if state.hand.over else ():
        held = state.holding(seat)
        if seen_in_pile(held) & state.game.pack.field[rabbit]:
            table.move_one(rabbit, held, table.row(f"penalty:{seat}"))
    settle(state)


def goes_where_it_belongs(move: Move, state: State[Any]) -> bool:
    """True if a move puts cards of a hunt where they belong."""
    to = move.to.partition(":")[0]
    hunted = bool(state.number) and (state.hand.hunt >= 0 or state.hand.over)
    return hunted and to in ("won", "penalty", "dead", "discard") and move.src in ("", "trick", "widow", "dead")


def of_the_hunt(move: Move, state: State[Any]) -> bool:
    """Apply a move of the hunt. Return True if the cards are there already, and nothing is left to be done."""
    if goes_where_it_belongs(move, state):
        on_put_away(move, state)
        return True
    if move.src == "trick" and state.number:
        on_taken_back(move, state)
    return False


def on_put_away(move: Move, state: State[Any]) -> None:
    """A player takes the cards of a hunt, which is over then; they are there already."""
    ends_by_a_line(state)
    owner, pack, rabbit = move.to.partition(":")[2], state.game.pack, state.hand.roles.rabbit
    lost = state.hand.over and owner in state.terms.seats and pack.faces[rabbit] in move.cards
    if lost and state.holding(owner).any_of(pack.field[rabbit]) is not False:
        state.table.reveal([rabbit], state.holding(owner))
        the_rabbit_is_lost(state)


def on_taken_back(move: Move, state: State[Any]) -> None:
    """Take cards back out of the middle: their player has the turn again, and then all players after."""
    hand, roles = state.hand, state.hand.roles
    codes = state.table.codes(move.cards, state.table.row("trick"))
    back = [laid for laid in hand.lying if laid.code in codes]
    hand.lying = [laid for laid in hand.lying if laid.code not in codes]
    if not back or state.phase not in ("hunt", "aces"):
        return
    if any(laid.role == "dingo" for laid in back):
        hand.dingo, hand.left, hand.lately = "", (), ""
        state.phase, state.turn = "dingo", (back[0].seat,)
        return
    order = after_the_dingo(hand.dingo, state)
    if back[0].seat in order and back[0].code != roles.dingos[hand.hunt]:
        hand.left, hand.lately = order[order.index(back[0].seat) :], ""
        state.turn = hand.left[:1]


def after_it(act: Evolve) -> Evolve:
    """Apply an act after the game: the last hunt is over, though some passes may be unrecorded."""

    def happens(event: Event, state: State[Any]) -> None:
        if state.number and state.phase == "aces":
            closes(state)
        act(event, state)

    return happens


def on_end(end: End, state: State[Any]) -> None:
    """The end of the match comes after the game; the end of a hand breaks it off."""
    (after_it(COMMON[End]) if end.what == "match" else COMMON[End])(end, state)


HUNTS: Mapping[type[Event], Evolve] = {
    Deal: on_dealt, Name: on_name, Play: on_play, Pass: on_pass, Show: on_shown, Gap: after_gap(gap=True, lying=[]),
    Hand: after_it(COMMON[Hand]), Claim: after_it(COMMON[Claim]), End: on_end,
}  # fmt: skip


def begins_another(act: Event, state: State[Any]) -> None:
    """Begin another hand for an act that does not belong to the last hunt."""
    if state.phase == "closing" and not isinstance(act, Play | Pass | Name) and act.by in state.terms.seats:
        ensure_hand_started(state)


def held(card: int, state: State[Any]) -> tuple[str, bool | None]:
    """The certain holder of a card, or ""; and True if a seat holds it, None if unknown."""
    whether: bool | None = False
    for seat in state.terms.seats:
        has = state.holding(seat).any_of(state.game.pack.field[card])
        if has:
            return seat, True
        whether = None if has is None else whether
    return "", whether


# -- acts to try ------------------------------------------------------------------------------------------------------


def next_rank(seat: str, state: State[Any]) -> Iterator[Event]:
    """Yield the call of the next rank by the dealer; and by another seat, or of the rank after it."""
    place, roles = state.hand.next, state.hand.roles
    others = [other for other in state.terms.seats if other != seat]
    yield from (Name(by=who, what=roles.said[place]) for who in (seat, *others[:1]) if place <= roles.last)
    if place < roles.last and held(roles.dingos[place], state)[1]:
        yield Name(by=seat, what=roles.said[place + 1])


def the_dingo(seat: str, state: State[Any]) -> Iterator[Event]:
    """Yield the dingo that was called; or the next call without it, or a wolf too early."""
    hand, roles, pack = state.hand, state.hand.roles, state.game.pack
    dingo = roles.dingos[hand.hunt]
    if state.holding(seat).certain & pack.field[dingo]:
        yield Play(by=seat, cards=(pack.faces[dingo],))
        if not hand.is_last:
            yield Name(by=state.dealer, what=roles.said[hand.next])
    for other in state.terms.seats:
        yield from wolves(other, state)


def the_dingo_of_anybody(state: State[Any]) -> Iterator[Event]:
    """Yield the dingo that was called, by each seat that may hold it."""
    dingo, pack = state.hand.roles.dingos[state.hand.hunt], state.game.pack
    may_hold = (seat for seat in state.terms.seats if state.holding(seat).any_of(pack.field[dingo]) is not False)
    yield from (Play(by=seat, cards=(pack.faces[dingo],)) for seat in may_hold)


def wolves(seat: str, state: State[Any]) -> Iterator[Event]:
    """Yield each wolf of this hunt that the seat holds."""
    certain, pack = state.holding(seat).certain, state.game.pack
    mine = (wolf for wolf in state.hand.roles.wolves[state.hand.hunt] if certain & pack.field[wolf])
    yield from (Play(by=seat, cards=(pack.faces[wolf],)) for wolf in mine)


def a_wolf(seat: str, state: State[Any]) -> Iterator[Event]:
    """Yield the wolves of the seat in turn, and of the player of the dingo."""
    yield from wolves(seat, state)
    yield from wolves(state.hand.dingo, state)


def in_the_last_hunt(seat: str, state: State[Any]) -> Iterator[Event]:
    """Yield each wolf, and the rabbit, that the seat holds, or several of them in any order."""
    certain, pack, roles = state.holding(seat).certain, state.game.pack, state.hand.roles
    mine = [pack.faces[code] for code in (*roles.wolves[-1], roles.rabbit) if certain & pack.field[code]]
    for count in range(1, len(mine) + 1):
        yield from (Play(by=seat, cards=some) for some in permutations(mine, count))


def no_wolf(state: State[Any]) -> Event | None:
    """The act of a lone `.`: plays no wolf."""
    return Pass(by=state.turn[0]) if state.turn else None


def dealer_calls(state: State[Any], kind: type[Event]) -> tuple[str, ...]:
    """The actor of a line without its seat: the dealer for a call, else the seat in turn."""
    return (state.dealer,) if kind is Name else state.turn


def latest_catch(state: State[Any]) -> str:
    """The player who just caught the rabbit that was hunted, in words."""
    at, text = state.hand.caught if state.number else (0, "")
    return text if at == state.at else ""
