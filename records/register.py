"""The players of a store: who they are, which names in which matches are theirs, and whose name is shown no more; and the matches
that belong to another book than the one they were recorded in.

The register is a log of its own in the store (match and book `register`), so that what was confirmed has a time and a recorder,
and can be corrected and proved like anything else. A name is a player's because somebody said so, never because it looks alike.

To forget a player takes nothing out of the log. `Register.shown` stands between the log and whoever reads: it puts another name in
the place of the one that is to be forgotten. `Store.told` asks it.
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
from records.names import cut_short, first_names
from records.rows import MatchRow

REGISTER = "register"
"""The match, the book and the game of the register."""
FORMER = "Former player"
"""What a player who is forgotten is called, before a number."""


class Player(Struct, frozen=True):
    """A player: the id, the name to go by, and the seats and spellings that are theirs."""

    id: str
    name: str
    links: tuple[NameLink, ...] = ()
    forgotten: bool = False

    @property
    def label(self) -> str:
        """The name, or what stands in its place once it is to be forgotten."""
        return f"{FORMER} {self.id.lstrip('p')}" if self.forgotten else self.name


class Register:
    """The players as the register has them after so many entries. Made by `Store.register`."""

    def __init__(self, records: Iterable[Recorded] = ()) -> None:
        self.players: dict[str, Player] = {}
        # Every name that was ever a player's own or linked to them; `_own` are those they went by.
        self.spellings: dict[str, set[str]] = {}
        self._own: dict[str, set[str]] = {}
        self._into: dict[str, str] = {}
        self._links: dict[NameLink, str] = {}
        # The book that a match belongs to, if it is not the one that it was recorded in.
        self.filed: dict[str, str] = {}
        for one in register_entries(records):
            self._take(one)

    # What it says

    def player(self, id: str) -> Player | None:
        """The player of an id, or the one with whom they were merged."""
        return self.players.get(self._canonical(id))

    def player_of(self, match: str, book: str, seat: str, name: str) -> Player | None:
        """Whose seat this is: what was said of the seat itself goes before what was said of the name in the book, and that before
        what was said of the name. None if nobody said anything."""
        name = compared_name(name)
        asked = (NameLink(match=match, seat=seat), NameLink(name=name, book=book), NameLink(name=name))
        return next((self.player(self._links[link]) for link in asked if link in self._links), None)

    def linked(self, link: NameLink) -> Player | None:
        """Whose this is, said in just these words."""
        return self.player(self._links[link]) if link in self._links else None

    def named(self, text: str) -> Player:
        """The player who is meant: by id, or by name. NotFoundError if there is none, or more than one."""
        wanted = compared_name(text)
        if wanted in self.players:
            return self.players[wanted]
        found = [p for p in self.players.values() if compared_name(p.label) == wanted]
        found = found or [p for p in self.players.values() if compared_name(p.label).casefold() == wanted.casefold()]
        if len(found) == 1:
            return found[0]
        if found:
            raise NotFoundError(
                f"{len(found)} players are called {cut_short(text)!r}", expected=f"an id: {first_names([p.id for p in found])}",
                todo="`kibitz player list` shows who they are",
            )  # fmt: skip
        # Who is forgotten is not found by the name, nor is it said that there was one.
        raise NotFoundError(
            f"there is no player {cut_short(text)!r}", expected=first_names([p.label for p in self.players.values()]) or "a player; there is none yet",
            todo="`kibitz player add NAME` adds one",
        )  # fmt: skip

    @property
    def hides(self) -> bool:
        """Whether anybody is to be forgotten."""
        return any(p.forgotten for p in self.players.values())

    def fingerprint(self) -> str:
        """A text that is another one as soon as anybody is linked, named, merged or forgotten otherwise."""
        rows = sorted(repr((p.id, p.label, sorted(p.links, key=repr))) for p in self.players.values())
        rows += sorted(map(repr, self.filed.items()))
        return hashlib.sha256("\n".join(rows).encode("utf-8", "surrogatepass")).hexdigest()

    def seats(self) -> list[tuple[str, str]]:
        """The seats of single matches that somebody said something of."""
        return [(link.match, link.seat) for link in self._links if link.match]

    def hidden_names(self) -> set[str]:
        """Every spelling of those who are to be forgotten."""
        return {name for p in self.players.values() if p.forgotten for name in self.spellings[p.id]}

    def next_id(self) -> str:
        """The id of the next player."""
        taken = [int(id[1:]) for id in (*self.players, *self._into) if re.fullmatch(r"p[0-9]{1,9}", id)]
        return f"p{max(taken, default=0) + 1}"

    # What is shown

    def shown(self, match: str, book: str, records: Sequence[Recorded]) -> list[Recorded]:
        """The events of a match as they are shown: the names of those who are to be forgotten are replaced, wherever they are
        spelled so in a seat, in a tag, in a remark, or as a recorder.

        Somebody else may be called the same. A name is left alone if another player has it, or if somebody else at this table is
        written so; then only the seat that was linked is replaced.
        """
        if not self.hides:
            return list(records)
        if match == REGISTER:
            return [self._entry(r) for r in records]
        names = self._names_to_hide(book)
        seats: dict[str, str] = {}
        # A name that stands for somebody else stays, and so does all of it that is spelled like a shorter one.
        stays: dict[str, str] = {}
        for tag, name in _seats(records):
            player = self.player_of(match, book, tag, name)
            if player is not None and player.forgotten:
                seats[tag] = player.label
                names.setdefault(compared_name(name), player.label)
        for tag, name in _seats(records):
            if tag not in seats:
                stays[compared_name(name)] = ""
        names = {**{name: label for name, label in names.items() if name not in stays}, **(stays if names else {})}
        return [_replaced(r, names, seats) for r in records] if names or seats else list(records)

    def _names_to_hide(self, book: str) -> dict[str, str]:
        """The names that are replaced in the matches of a book, but for those that another player has too."""
        others = {name for p in self.players.values() if not p.forgotten for name in self._names_in(p, book)}
        return {
            name: p.label for p in self.players.values() if p.forgotten for name in self._names_in(p, book) if name not in others
        }  # fmt: skip

    def _names_in(self, player: Player, book: str) -> set[str]:
        linked = {link.name for link in player.links if link.name and link.book in ("", book)}
        return self._own[player.id] | linked

    def row(self, row: MatchRow) -> MatchRow:
        """A match of a listing, with the names in its opening as they are shown."""
        opening = Recorded(n=0, event=Open(by="@", facts=row.facts))
        shown = self.shown(row.match, row.book, [opening])[0].event
        return row if shown is opening.event else replace(row, facts=shown.facts)  # type: ignore[union-attr]  # an opening stays one

    def _entry(self, r: Recorded) -> Recorded:
        """An entry of the register itself, without the names of whoever is to be forgotten."""
        said = registered(r)
        player = None if said is None else self.player(said.player)
        names = self._names_to_hide("")
        if player is not None and player.forgotten:
            names.update(dict.fromkeys(self.spellings[player.id], player.label))
        return _replaced(r, names, {})

    # How it comes about

    def _take(self, one: Registered) -> None:
        if one.did == "file":
            self.filed[one.match] = one.book
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
        # Whoever is to be forgotten stays so, whichever of the two it was said of.
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
    """What an entry links."""
    return NameLink(match=one.match, seat=one.seat) if one.match else NameLink(name=compared_name(one.name), book=one.book)


def compared_name(name: str) -> str:
    """A name as names are compared: with single spaces, its letters composed. Nothing else is taken for the same.

    >>> compared_name("  Anna   Lee ") == compared_name("Anna Lee"), compared_name("Anna") == compared_name("anna")
    (True, False)
    """
    return " ".join(unicodedata.normalize("NFC", name).split())


# -- names in events ----------------------------------------------------------------------------------------------------


def _seats(records: Iterable[Recorded]) -> Iterator[tuple[str, str]]:
    """The seats of a match with the names written for them, in its opening and in what corrected it."""
    for r in records:
        event = r.event.event if isinstance(r.event, Fix) else r.event
        if isinstance(event, Open):
            for tag, name in event.facts.items():
                if tag.isupper() and isinstance(name, str):
                    yield tag, name


def _replaced(r: Recorded, names: Mapping[str, str], seats: Mapping[str, str]) -> Recorded:
    """An event with other names in it."""
    changed: dict[str, Any] = {}
    if (event := _event(r.event, names, seats)) is not r.event:
        changed["event"] = event
    if r.text and (text := _text(r.text, names)) != r.text:
        changed["text"] = text
    if r.recorder and (who := names.get(compared_name(r.recorder)) or r.recorder) != r.recorder:
        changed["recorder"] = who
    return replace(r, **changed) if changed else r


# Tags that say what is played; a name that happens to be spelled like one of their values is not meant.
_TERMS = frozenset({"Game", "Match", "Seats", "Dealer", "Pack", "Option", "Parent", "ParentEvent", "Rules", "Trial"})


def _event(event: Event, names: Mapping[str, str], seats: Mapping[str, str]) -> Any:
    """An event with other names in it, wherever a text is only read: what says how the game goes stays as it is."""
    if isinstance(event, Fix):
        inner = None if event.event is None else _event(event.event, names, seats)
        return event if inner is event.event else replace(event, event=inner)
    said: Any = None
    if isinstance(event, Open):
        at_table = str(event.facts.get("Seats", "")).split()
        said = {
            tag: seats[tag] if tag in seats else value if tag in _TERMS or tag in at_table or (len(tag) == 1 and tag.isupper()) else _facts(value, names)
            for tag, value in event.facts.items()
        }  # fmt: skip
    elif isinstance(event, Note | Ruling):
        said = _facts(event.facts, names)
    elif isinstance(event, End) and (why := _text(event.why, names)) != event.why:
        return replace(event, why=why)
    return event if said is None or said == event.facts else replace(event, facts=said)  # type: ignore[union-attr]  # as was asked above


def _facts(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return _text(value, names)
    if isinstance(value, dict):
        return {key: _facts(one, names) for key, one in value.items()}
    return [_facts(one, names) for one in value] if isinstance(value, list) else value


def _text(text: str, names: Mapping[str, str]) -> str:
    """The text with each of the names replaced by what they map to: if it is nothing else, or wherever it stands as a word of its own;
    one that maps to nothing stays. A name of one letter would be found in any sentence, and is replaced only if the text is nothing
    else."""
    if not text or not names:
        return text
    if (alone := names.get(compared_name(text))) is not None:
        return alone or text
    folded = text.casefold()
    there = [name for name in sorted(names, key=len, reverse=True) if len(name) > 1 and name.split()[0].casefold() in folded]
    if not any(names[name] for name in there):
        return text
    by_word = {name.casefold(): names[name] for name in there}
    words = "|".join(r"\s+".join(map(re.escape, name.split())) for name in there)
    return re.sub(rf"(?<!\w)(?:{words})(?!\w)", lambda found: by_word.get(" ".join(found[0].casefold().split()), "") or found[0], text, flags=re.IGNORECASE)


__all__ = ["FORMER", "REGISTER", "Player", "Register", "link_of", "compared_name"]
