"""Writes to the register: players added, renamed, merged and forgotten, and names linked to them.

Each function returns the player as the register has them afterwards. `recorder` is who typed the entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from difflib import get_close_matches

from events.errors import ConflictError, NotFoundError, UsageError
from events.model import Fix, Note, Open, Recorded
from events.register_notes import NameLink, register_note
from events.season_sums import Adjustment
from events.visible_text import NAME, is_name
from records.names import cut_short
from records.register import FORMER, REGISTER, Player, compared_name, named_seats
from records.store import Store


def add_player(store: Store, name: str, *, linked: bool = False, book: str = "", recorder: str = "") -> Player:
    """Add a player; with `linked`, the name as it is written at tables (of one book, or of all) is theirs, unless it is
    another player's. ConflictError if a player has this name already."""
    name = _checked(name)
    register = store.register
    if any(p.name == name and not p.forgotten for p in register.players.values()):
        raise ConflictError(
            f"there is a player {cut_short(name)!r} already",
            todo="`kibitz player list` shows who it is; give the other one a longer name",
        )
    id = register.next_id()
    add_register_entry(store, register_note("add", id, name=name), recorder)
    return _with_own_name(store, store.register.players[id], book, recorder) if linked else store.register.players[id]


def _with_own_name(store: Store, player: Player, book: str, recorder: str) -> Player:
    link = NameLink(name=player.name, book=book)
    return player if store.register.linked(link) is not None else link_name(store, player, link, recorder=recorder)


def rename_player(store: Store, player: Player, name: str, *, linked: bool = False, recorder: str = "") -> Player:
    """Give a player another name; `linked` as in `add_player`. ConflictError if another player has it."""
    name = _checked(name)
    _not_forgotten(player)
    if any(p.name == name and p.id != player.id and not p.forgotten for p in store.register.players.values()):
        raise ConflictError(
            f"there is a player {cut_short(name)!r} already",
            todo="`kibitz player merge` makes one of two that are the same",
        )
    add_register_entry(store, register_note("rename", player.id, name=name), recorder)
    return _with_own_name(
        store, store.register.players[player.id], "", recorder,
    ) if linked else store.register.players[player.id]


def link_name(store: Store, player: Player, what: NameLink, *, recorder: str = "") -> Player:
    """Link a name or a seat to a player. ConflictError if it is linked to another player."""
    _not_forgotten(player)
    other = store.register.linked(what)
    if other is not None and other.id != player.id:
        raise ConflictError(
            f"{what.told} is {other.label} ({other.id})",
            todo=f"`kibitz player unlink {other.id} …` takes that back first",
        )  # fmt: skip
    if what.match:
        _only_once(store, player, what)
    if other is None:
        add_register_entry(
            store, register_note("link", player.id, name=what.name, book=what.book, match=what.match, seat=what.seat),
            recorder,
        )
    return store.register.players[player.id]


def _only_once(store: Store, player: Player, what: NameLink) -> None:
    """Raise ConflictError if the player has another seat in that match."""
    opening = store.read(what.match)[0].event
    facts = opening.facts if isinstance(opening, Open) else {}
    book = store.book_of(what.match)
    for seat, name in facts.items():
        if seat.isupper() and seat != what.seat and isinstance(name, str):
            there = store.register.player_of(what.match, book, seat, name)
            if there is not None and there.id == player.id:
                raise ConflictError(
                    f"{player.label} sits at {seat} in {what.match}, and cannot sit at {what.seat} too",
                    todo=f"`kibitz player link` says whose seat {seat} is",
                )  # fmt: skip


def same_person(store: Store, spelling: str, name: str, *, recorder: str = "") -> Player:
    """Link a spelling to the player of this name, who is added if need be."""
    known = next(
        (p for p in store.register.players.values() if p.name == compared_name(name) and not p.forgotten), None,
    )
    player = known or add_player(store, name, linked=True, recorder=recorder)
    return link_name(store, player, NameLink(name=compared_name(spelling)), recorder=recorder)


def unlink_name(store: Store, player: Player, what: NameLink, *, recorder: str = "") -> Player:
    """Remove the link of a name or a seat to a player. NotFoundError if there is no such link."""
    if what not in player.links:
        raise NotFoundError(
            f"{what.told} is not linked to {player.label}",
            expected=", ".join(one.told for one in player.links[:5]) or "a player with a link",
        )  # fmt: skip
    add_register_entry(
        store, register_note("unlink", player.id, name=what.name, book=what.book, match=what.match, seat=what.seat),
        recorder,
    )
    return store.register.players[player.id]


def merge_players(store: Store, player: Player, into: Player, *, recorder: str = "") -> Player:
    """Merge a player into another; the links of the first become links of the second. UsageError for one player."""
    if player.id == into.id:
        raise UsageError(f"{player.label} is one player already", expected="two players")
    add_register_entry(store, register_note("merge", player.id, into=into.id), recorder)
    return store.register.players[into.id]


def forget_player(store: Store, player: Player, *, recorder: str = "") -> Player:
    """Hide the name of a player everywhere. In matches of layout 2 it is taken away for good, with its salts; the
    others keep their bytes."""
    from records.bundle import is_in_parts

    _not_forgotten(player)
    register, matches = store.register, [match for match in store.ids() if is_in_parts(store, match)]
    with store.turn():  # all of it or nothing
        for match in matches:
            # Without the name only a link of the seat says whose it is.
            for seat, name in dict(named_seats(store.read(match))).items():
                link = NameLink(match=match, seat=seat)
                who = register.player_of(match, store.book_of(match), seat, name)
                if who is not None and who.id == player.id and register.linked(link) is None:
                    link_name(store, store.register.players[player.id], link, recorder=recorder)
        add_register_entry(store, register_note("forget", player.id), recorder)
        for match in matches:
            store.erase(match)
    return store.register.players[player.id]


def adjust_player(
    store: Store, player: Player, figures: dict[str, float], *, book: str, game: str, day: str, why: str,
    kind: str = "adjusted", recorder: str = ""
) -> Adjustment:
    """Record a decision of the director: figures that tables of a book and a game add to those of a player on a day."""
    try:
        day = date.fromisoformat(day).isoformat()
    except ValueError:
        raise UsageError(f"{day[:40]!r} is not a day", where="--day", expected="2026-03-14") from None
    if not is_name(why):
        raise UsageError("a decision needs its reason", expected="--why TEXT, as 'came an hour late'")
    _not_forgotten(player)
    add_register_entry(
        store,
        register_note(
            "adjust", player.id, book=book, game=game, day=day, kind=kind, why=why,
            figures={name: n if isinstance(n, int) else f"{n:.2f}" for name, n in figures.items()},
        ),
        recorder,
    )
    return store.register.adjustments()[-1]


def withdraw_adjustment(store: Store, n: int, *, recorder: str = "") -> Adjustment:
    """Strike a decision of the director. NotFoundError if entry `n` of the register is none."""
    found = next((one for one in store.register.adjustments() if one.n == n), None)
    if found is None:
        raise NotFoundError(
            f"entry {n} is no decision of the director", todo="`kibitz adjust BOOK` lists them with their numbers",
        )
    add_register_entry(store, Fix(by="@", at=n, how="strike"), recorder)
    return found


def meant(
    store: Store, who: Player, name: str = "", *, book: str = "", match: str = "", seat: str = "", check: bool = True,
) -> NameLink:
    """What to link: a name (default: the player's own) everywhere or in one book, or a seat of a match.

    UsageError if both are given; NotFoundError for a book (with `check`), a match or a seat that does not exist."""
    if not match:
        if book and check and book not in [row.book for row in store.books()]:
            raise NotFoundError(f"there is no book {cut_short(book)!r}", todo="`kibitz list` shows the books")
        return NameLink(name=compared_name(name or who.name), book=book)
    if name or book:
        raise UsageError("a link of one seat has no name and no book", expected="only MATCH:SEAT")
    found = store.find(match)
    facts = getattr(store.read(found)[0].event, "facts", {})
    if seat.upper() not in facts:
        raise NotFoundError(
            f"no name is written for {cut_short(seat)!r} in {found}",
            expected=f"one of {facts.get('Seats', 'the seats')}",
        )
    return NameLink(match=found, seat=seat.upper())


def alike(name: str, players: Iterable[Player], free: Sequence[str]) -> list[tuple[str, str]]:
    """Similar names, at most three: players as (name, id), unlinked names as (name, ""). Nothing is linked."""
    names = {other.casefold(): (other, "") for other in free if other != name}
    names |= {p.label.casefold(): (p.label, p.id) for p in players if not p.forgotten}
    close = get_close_matches(name.casefold(), names, n=2, cutoff=0.75)
    own = name.casefold().split()
    words = [key for key in names if name.casefold() in key.split() or key in own or _same_initial(own, key.split())]
    return [names[key] for key in dict.fromkeys([*close, *words])][:3]


def alike_pairs(names: Iterable[str], players: Iterable[Player], free: Sequence[str]) -> list[tuple[str, str]]:
    """Names of a table that may be one person's: the spelling, and the player or the longer name that it may mean.

    `free` are all names that are linked to no player; only those among `names` are asked about.
    """
    asked: dict[frozenset[str], tuple[str, str]] = {}
    known, open_ = list(players), sorted(set(names).intersection(free))
    for name in open_:
        for other, id in alike(name, known, open_):
            asked.setdefault(
                frozenset((name, other)),
                (name, other) if id else (min(name, other, key=len), max(other, name, key=len)),
            )
    return [pair for pair in asked.values() if len(set(pair)) == 2]


def _same_initial(one: list[str], other: list[str]) -> bool:
    """True if both have the same last word, and one has only the initial of the other's first: O. Koval and Olena
    Koval.

    >>> _same_initial(["o.", "koval"], ["olena", "koval"]), _same_initial(["ann", "lee"], ["al", "lee"])
    (True, False)
    """
    if len(one) < 2 or len(other) < 2 or one[-1] != other[-1]:
        return False
    short_, long = sorted((one[0].rstrip("."), other[0].rstrip(".")), key=len)
    return len(short_) == 1 and long.startswith(short_)


def _checked(name: str) -> str:
    if not is_name(name):
        raise UsageError(f"{cut_short(name)!r} cannot be a name", expected=NAME)
    if compared_name(name).startswith(f"{FORMER} "):
        raise UsageError(f"a name cannot begin with '{FORMER}'", expected="a name that no forgotten player is given")
    if re.fullmatch(r"p[0-9]+", compared_name(name)):
        raise UsageError(f"{compared_name(name)!r} would be taken for the id of a player", expected="a name")
    return compared_name(name)


def _not_forgotten(player: Player) -> None:
    if player.forgotten:
        raise ConflictError(f"{player.label} is forgotten", todo="`kibitz player add` adds another player")


def add_register_entry(store: Store, note: Note | Fix, recorder: str) -> None:
    """Add an entry to the register, which is created if it is missing. ConflictError if a match has its id."""
    with store.turn():
        if store.end(REGISTER) is None:
            store.create_match({}, game=REGISTER, book=REGISTER, match=REGISTER, recorder=recorder)
        elif not isinstance(opening := store.read(REGISTER)[0].event, Open) or opening.facts.get("Game") != REGISTER:
            raise ConflictError(
                f"the store has a match {REGISTER!r}, which is a game",
                todo="Players need a store in which no match has this id",
            )
        store.append(REGISTER, [Recorded(n=1, event=note, recorder=recorder)])
