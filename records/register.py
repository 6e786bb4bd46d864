"""The register of a store: its players, the names and seats linked to them, forgotten names, and refiled matches.

The register is a log of its own in the store (match and book `register`), so that each entry has a time and a
recorder, and can be corrected and proved like any other. A name belongs to a player because a person linked it, never
because it looks similar.

Forgetting a player takes nothing out of the log. `Register.shown` stands between the log and its readers: it replaces
the forgotten name with another. `Store.told` uses it.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.errors import NotFoundError
from events.model import End, Event, Fix, Note, Open, Recorded, Ruling
from events.register_notes import NameLink, Registered, register_entries, registered
from events.season_sums import Adjustment
from records.names import cut_short, first_names
from records.rows import MatchRow

REGISTER = "register"
"""The match, book and game of the register."""
FORMER = "Former player"
"""The label of a forgotten player, before a number."""


class Player(Struct, frozen=True):
    """A player: the id, the name, and the seats and spellings linked to it."""

    id: str
    name: str
    links: tuple[NameLink, ...] = ()
    forgotten: bool = False

    @property
    def label(self) -> str:
        """The name, or the replacement for a forgotten one."""
        return f"{FORMER} {self.id.lstrip('p')}" if self.forgotten else self.name


class Register:
    """The players after all entries of the register. Made by `Store.register`."""

    def __init__(self, records: Iterable[Recorded] = ()) -> None:
        self.players: dict[str, Player] = {}
        # All names that a player ever had or was linked to; `_own` has only the player's own.
        self.spellings: dict[str, set[str]] = {}
        self._own: dict[str, set[str]] = {}
        self._into: dict[str, str] = {}
        self._links: dict[NameLink, str] = {}
        # The book of each match that is not in the book it was recorded in.
        self.filed: dict[str, str] = {}
        # What the director decided about the figures of players, in order.
        self._adjusted: list[Registered] = []
        # The movement of each evening of a book.
        self._movements: dict[tuple[str, str], Registered] = {}
        for one in register_entries(records):
            self._take(one)

    # Queries

    def player(self, id: str) -> Player | None:
        """The player with this id, or the one it was merged into; None if there is none."""
        return self.players.get(self._canonical(id))

    def player_of(self, match: str, book: str, seat: str, name: str) -> Player | None:
        """The player at a seat: by the link of the seat itself, else of the name in the book, else of the name. None
        if there is no link."""
        name = compared_name(name)
        asked = (NameLink(match=match, seat=seat), NameLink(name=name, book=book), NameLink(name=name))
        return next((self.player(self._links[link]) for link in asked if link in self._links), None)

    def linked(self, link: NameLink) -> Player | None:
        """The player with exactly this link; None if there is none."""
        return self.player(self._links[link]) if link in self._links else None

    def named(self, text: str) -> Player:
        """The player with this id or name. NotFoundError if there is none, or more than one."""
        wanted = compared_name(text)
        if wanted in self.players:
            return self.players[wanted]
        found = [p for p in self.players.values() if compared_name(p.label) == wanted]
        found = found or [p for p in self.players.values() if compared_name(p.label).casefold() == wanted.casefold()]
        if len(found) == 1:
            return found[0]
        if found:
            raise NotFoundError(
                f"{len(found)} players are called {cut_short(text)!r}",
                expected=f"an id: {first_names([p.id for p in found])}", todo="`kibitz player list` shows who they are",
            )  # fmt: skip
        # A forgotten player is not found by name, and the error does not reveal that there was one.
        raise NotFoundError(
            f"there is no player {cut_short(text)!r}",
            expected=first_names([p.label for p in self.players.values()]) or "a player; none is registered yet",
            todo="`kibitz player add NAME` adds one",
        )  # fmt: skip

    def adjustments(self, book: str = "") -> list[Adjustment]:
        """The director's decisions about the figures of players in a book, or in all books, in order."""
        found = [(one, self.player(one.player)) for one in self._adjusted if book in ("", one.book)]
        return [
            Adjustment(
                p.id, p.label, one.book, one.game, one.day, one.kind or "adjusted", one.figures,
                _text(one.why, self._names_to_hide(one.book)), one.n,
            )
            for one, p in found if p is not None
        ]  # fmt: skip

    def movement_of(self, book: str, day: str = "") -> Registered | None:
        """The movement of an evening of a book, by default of the last one, as names are shown; None if there is
        none."""
        found = [one for (of, when), one in self._movements.items() if of == book and day in ("", when)]
        if not found:
            return None
        last, names = max(found, key=lambda one: one.day), self._names_to_hide(book)
        return replace(last, entrants=tuple(_text(one, names) for one in last.entrants))

    @property
    def hides(self) -> bool:
        """True if any player is forgotten."""
        return any(p.forgotten for p in self.players.values())

    def fingerprint(self) -> str:
        """A hash that changes with every change of links, names, merged or forgotten players, and filed matches."""
        rows = sorted(repr((p.id, p.label, sorted(p.links, key=repr))) for p in self.players.values())
        rows += sorted(map(repr, self.filed.items()))
        return hashlib.sha256("\n".join(rows).encode("utf-8", "surrogatepass")).hexdigest()

    def seats(self) -> list[tuple[str, str]]:
        """The seats of single matches that are linked."""
        return [(link.match, link.seat) for link in self._links if link.match]

    def hidden_names(self) -> set[str]:
        """All spellings of forgotten players."""
        return {name for p in self.players.values() if p.forgotten for name in self.spellings[p.id]}

    def next_id(self) -> str:
        """The id for the next player."""
        taken = [int(id[1:]) for id in (*self.players, *self._into) if re.fullmatch(r"p[0-9]{1,9}", id)]
        return f"p{max(taken, default=0) + 1}"

    # Replacing names

    def shown(self, match: str, book: str, records: Sequence[Recorded]) -> list[Recorded]:
        """The events of a match as shown: forgotten names are replaced in seats, tags, remarks and recorders.

        Others may have the same name. A name is kept if another player has it, or another person at this table; then
        only the linked seat is replaced.
        """
        if not self.hides:
            return list(records)
        if match == REGISTER:
            return [self._entry(r) for r in records]
        names = self._names_to_hide(book)
        seats: dict[str, str] = {}
        # A name of another person is kept, including the parts that look like a shorter one.
        stays: dict[str, str] = {}
        for tag, name in named_seats(records):
            player = self.player_of(match, book, tag, name)
            if player is not None and player.forgotten:
                seats[tag] = player.label
                names.setdefault(compared_name(name), player.label)
        for tag, name in named_seats(records):
            if tag not in seats:
                stays[compared_name(name)] = ""
        for link, id in self._links.items():
            if link.match == match and (player := self.player(id)) is not None and player.forgotten:
                seats.setdefault(link.seat, player.label)
        names = {**{name: label for name, label in names.items() if name not in stays}, **(stays if names else {})}
        return [_replaced(r, names, seats) for r in records] if names or seats else list(records)

    def _names_to_hide(self, book: str) -> dict[str, str]:
        """Forgotten names to replace in the matches of a book, except those that another player has."""
        others = {name for p in self.players.values() if not p.forgotten for name in self._names_in(p, book)}
        return {
            name: p.label for p in self.players.values() if p.forgotten for name in self._names_in(p, book)
            if name not in others
        }  # fmt: skip

    def _names_in(self, player: Player, book: str) -> set[str]:
        linked = {link.name for link in player.links if link.name and link.book in ("", book)}
        return self._own[player.id] | linked

    def row(self, row: MatchRow) -> MatchRow:
        """A match in a list, with the names in its opening as shown."""
        opening = Recorded(n=0, event=Open(by="@", facts=row.facts))
        shown = self.shown(row.match, row.book, [opening])[0].event
        return row if shown is opening.event else replace(row, facts=shown.facts)  # type: ignore[union-attr]  # an opening stays one

    def _entry(self, r: Recorded) -> Recorded:
        """An entry of the register itself, without forgotten names."""
        said = registered(r)
        player = None if said is None else self.player(said.player)
        names = self._names_to_hide("")
        if player is not None and player.forgotten:
            names.update(dict.fromkeys(self.spellings[player.id], player.label))
        return _replaced(r, names, {})

    # Applying entries

    def _take(self, one: Registered) -> None:
        if one.did == "file":
            self.filed[one.match] = one.book
            return
        if one.did == "adjust":
            self._adjusted.append(one)
            return
        if one.did == "move":
            self._movements[one.book, one.day] = one
            return
        if one.did == "add":
            self.players[one.player] = Player(one.player, compared_name(one.name))
            self.spellings[one.player] = {compared_name(one.name)}
            self._own[one.player] = {compared_name(one.name)}
            return
        player = self.player(one.player)
        if player is None:
            return
        match one.did:
            case "rename":
                self._put(replace(player, name=compared_name(one.name)))
                self.spellings[player.id].add(compared_name(one.name))
                self._own[player.id].add(compared_name(one.name))
            case "link":
                link = link_of(one)
                self._links[link] = player.id
                if link.name:
                    self.spellings[player.id].add(link.name)
                self._relinked()
            case "unlink":
                self._links.pop(link_of(one), None)
                self._relinked()
            case "merge":
                self._merge(player, self.player(one.into))
            case "forget":
                self._put(replace(player, forgotten=True))

    def _merge(self, player: Player, into: Player | None) -> None:
        if into is None or into.id == player.id:
            return
        self._into[player.id] = into.id
        self.spellings[into.id] |= self.spellings.pop(player.id)
        self._own[into.id] |= self._own.pop(player.id)
        self._links = {link: into.id if id == player.id else id for link, id in self._links.items()}
        del self.players[player.id]
        # The merged player is forgotten if either of the two was.
        self._put(replace(into, forgotten=into.forgotten or player.forgotten))
        self._relinked()

    def _put(self, player: Player) -> None:
        self.players[player.id] = player

    def _relinked(self) -> None:
        of: dict[str, list[NameLink]] = {}
        for link, id in self._links.items():
            of.setdefault(id, []).append(link)
        self.players = {id: replace(p, links=tuple(of.get(id, ()))) for id, p in self.players.items()}

    def _canonical(self, id: str) -> str:
        seen = set()
        while id in self._into and id not in seen:
            seen.add(id)
            id = self._into[id]
        return id


def link_of(one: Registered) -> NameLink:
    """The link that an entry makes or removes."""
    return NameLink(match=one.match, seat=one.seat) if one.match else NameLink(
        name=compared_name(one.name), book=one.book,
    )


def compared_name(name: str) -> str:
    """A name in the form that is compared: single spaces, composed letters. Case matters.

    >>> compared_name("  Anna   Lee ") == compared_name("Anna Lee"), compared_name("Anna") == compared_name("anna")
    (True, False)
    """
    return " ".join(unicodedata.normalize("NFC", name).split())


# -- names in events


def named_seats(records: Iterable[Recorded]) -> Iterator[tuple[str, str]]:
    """Yield the seats and names in the opening of a match and in its corrections."""
    for r in records:
        event = r.event.event if isinstance(r.event, Fix) else r.event
        if isinstance(event, Open):
            for tag, name in event.facts.items():
                if tag.isupper() and isinstance(name, str):
                    yield tag, name


def _replaced(r: Recorded, names: Mapping[str, str], seats: Mapping[str, str]) -> Recorded:
    """An event with names replaced."""
    changed: dict[str, Any] = {}
    if (event := _event(r.event, names, seats, r.n == 0)) is not r.event:
        changed["event"] = event
    if r.text and (text := _text(r.text, names)) != r.text:
        changed["text"] = text
    if r.recorder and (who := names.get(compared_name(r.recorder)) or r.recorder) != r.recorder:
        changed["recorder"] = who
    return replace(r, **changed) if changed else r


# Tags with terms of the game; a value that looks like a name is not replaced.
_TERMS = frozenset(
    {"Game", "Match", "Seats", "Dealer", "Pack", "Option", "Parent", "ParentEvent", "Plugin", "Rules", "Trial"}
)


def _event(event: Event, names: Mapping[str, str], seats: Mapping[str, str], first: bool = False) -> Any:
    """An event with names replaced in its texts; terms of the game stay as they are. The `first` opening gets the
    labels of seats whose names were taken away."""
    if isinstance(event, Fix):
        inner = None if event.event is None else _event(event.event, names, seats, event.at == 0)
        return event if inner is event.event else replace(event, event=inner)
    said: Any = None
    if isinstance(event, Open):
        at_table = str(event.facts.get("Seats", "")).split()
        gone = {tag for tag in seats if tag not in event.facts and (first or tag in at_table)}
        said = {tag: seats[tag] for tag in gone} | {
            tag: seats[tag] if tag in seats else value if tag in _TERMS or tag in at_table
            or (len(tag) == 1 and tag.isupper()) else _facts(value, names)
            for tag, value in event.facts.items()
        }  # fmt: skip
    elif isinstance(event, Note | Ruling):
        said = _facts(event.facts, names)
    elif isinstance(event, End) and (why := _text(event.why, names)) != event.why:
        return replace(event, why=why)
    return event if said is None or said == event.facts else replace(event, facts=said)  # type: ignore[union-attr]  # it has facts


def _facts(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return _text(value, names)
    if isinstance(value, dict):
        return {key: _facts(one, names) for key, one in value.items()}
    return [_facts(one, names) for one in value] if isinstance(value, list) else value


def _text(text: str, names: Mapping[str, str]) -> str:
    """The text with each name replaced, as a whole or as a word; a name mapped to "" stays.

    A name of one letter would be found in any sentence, so it is replaced only if it is the whole text.
    """
    if not text or not names:
        return text
    if (alone := names.get(compared_name(text))) is not None:
        return alone or text
    folded = text.casefold()
    there = [
        name for name in sorted(names, key=len, reverse=True) if len(name) > 1 and name.split()[0].casefold() in folded
    ]
    if not any(names[name] for name in there):
        return text
    by_word = {name.casefold(): names[name] for name in there}
    words = "|".join(r"\s+".join(map(re.escape, name.split())) for name in there)
    return re.sub(
        rf"(?<!\w)(?:{words})(?!\w)", lambda found: by_word.get(" ".join(found[0].casefold().split()), "") or found[0],
        text, flags=re.IGNORECASE,
    )
