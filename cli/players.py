"""The commands for the register of players: `kibitz player add`, `link`, `rename`, `merge`, `forget`, `list`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

from cli import shell
from cli.options import argument, flag, option
from cli.shell import CSV, JSON, out, out_json

if TYPE_CHECKING:
    from events.register_notes import NameLink
    from records import Store
    from records.register import Player

NAME = Annotated[str, argument("NAME", "The name to go by.")]
PLAYER = Annotated[str, argument("PLAYER", "A player, by name or id (p3).")]
INTO = Annotated[str, argument("INTO", "The player that both are from now on.")]
SPELLING = Annotated[
    str | None, argument("[SPELLING]", "The name as it is written at the table.", default="the player's name")
]
BOOK = Annotated[str, option("--book", "BOOK", "Only in the matches of this book.")]
SEAT = Annotated[str, option("--seat", "MATCH:SEAT", "This seat of one match, whatever name it has there.")]
YES = Annotated[bool, flag("--yes", "Do it without asking.")]
APART = Annotated[bool, flag("--apart", "The seats with this name belong to another player.")]


@shell.command("player add")
def add_player_command(name: NAME, yes: YES = False, apart: APART = False, json: JSON = False) -> None:
    """Add a player. The seats that are written so are theirs, unless you say no when you are asked."""
    from records import players

    with shell.store(write=True, create=True) as store:
        linked = not apart and _is_theirs(store, name, yes)
        made = players.add_player(store, name, linked=linked, recorder=shell.settings.recorder)
        made = _link_alike(store, made, ask=not (yes or apart or json))
    _answer(made, json)


def _is_theirs(store: "Store", name: str, yes: bool) -> bool:
    """True if the seats with a name that is linked to no player belong to a player of this name. Only the answer no
    parts them: no player gets two rows because the question was not answered."""
    from events.register_notes import NameLink
    from records.register import compared_name

    what = NameLink(name=compared_name(name))
    if not any(not player for *_, player in _seats(store, what.name)):
        return True
    for line in _about(store, what):
        shell.say(shell.plain_line(line))
    answer = True if yes else shell.ask_yes_or_no(f"Are these {what.name}?")
    if answer is None:
        shell.say(shell.plain_line(f"they are taken for {what.name}; `kibitz player unlink {what.name!r}` parts them"))
    return answer is not False


def _link_alike(store: "Store", player: "Player", ask: bool) -> "Player":
    """Ask about the names that look like the player's and are linked to no player; print those without an answer."""
    from cli.index_access import index_of
    from events.register_notes import NameLink
    from records import players
    from records.projection.search import people

    with index_of(store) as index:
        free = {label: n for _, label, id, n, _ in people(index) if not id and label != player.name}
    left = []
    for name, _ in players.alike(player.name, (), list(free)):
        answer = shell.ask_yes_or_no(
            f"Is {name!r} ({shell.count(free[name], 'match', 'es')}) {player.label} too?"
        ) if ask else None
        ask = ask and answer is not None
        if answer:
            player = players.link_name(store, player, NameLink(name=name), recorder=shell.settings.recorder)
        elif answer is None:
            left.append(name)
    if left:
        shell.say(
            shell.plain_line(
                f"perhaps theirs too: {', '.join(left)}; `kibitz player link {player.id} {left[0]!r}` says so"
            )
        )
    return player


@shell.command("player link")
def link_player_command(
    player: PLAYER, spelling: SPELLING = None, book: BOOK = "", seat: SEAT = "", yes: YES = False, json: JSON = False,
) -> None:
    """Say that a name, or one seat, is a player's. You are shown the seats it is about and asked; later matches
    follow."""
    from records import players

    with shell.store(write=True) as store:
        who = store.register.named(player)
        what = _what(store, who, spelling, book, seat)
        if what in who.links:
            shell.say(shell.plain_line(f"{what.told} is {who.label} already"))
            _answer(who, json)
            return
        for line in _about(store, what):
            shell.say(shell.plain_line(line))
        shell.confirmed(f"Is {what.told} {who.label} ({who.id})?", yes)
        made = players.link_name(store, who, what, recorder=shell.settings.recorder)
    _answer(made, json)


@shell.command("player unlink")
def unlink_player_command(
    player: PLAYER, spelling: SPELLING = None, book: BOOK = "", seat: SEAT = "", json: JSON = False,
) -> None:
    """Take back that a name, or one seat, is a player's."""
    from records import players

    with shell.store(write=True) as store:
        who = store.register.named(player)
        made = players.unlink_name(
            store, who, _what(store, who, spelling, book, seat, check=False), recorder=shell.settings.recorder,
        )
    _answer(made, json)


@shell.command("player rename")
def rename_player_command(
    player: PLAYER, name: NAME, yes: YES = False, apart: APART = False, json: JSON = False,
) -> None:
    """Let a player go by another name in tables. What was written at the table stays linked, and stays as it is."""
    from records import players

    with shell.store(write=True) as store:
        who = store.register.named(player)
        made = players.rename_player(
            store, who, name, linked=not apart and _is_theirs(store, name, yes), recorder=shell.settings.recorder,
        )
    _answer(made, json)


@shell.command("player merge")
def merge_players_command(player: PLAYER, into: INTO, yes: YES = False, json: JSON = False) -> None:
    """Make one player of two spellings: what is linked to the first is linked to the second. It cannot be taken
    apart again."""
    from records import players

    with shell.store(write=True) as store:
        one, two = store.register.named(player), store.register.named(into)
        shell.confirmed(
            f"Are {one.label} ({one.id}) and {two.label} ({two.id}) the same player?", yes or one.id == two.id,
        )
        made = players.merge_players(store, one, two, recorder=shell.settings.recorder)
    _answer(made, json)


@shell.command("player forget")
def forget_player_command(player: PLAYER, yes: YES = False, json: JSON = False) -> None:
    """Show the name of a player nowhere any more: not in sheets, replays, reports, tables or exports. In matches that
    were begun --in-parts it is taken away for good; the log of the others keeps its bytes."""
    from records import players

    with shell.store(write=True) as store:
        who = store.register.named(player)
        if not who.links:
            shell.warn(
                f"no name is linked to {who.label}: in matches nothing will change. `kibitz player link "
                f"{who.id}` first, if there are any"
            )
        shell.confirmed(f"Show {who.label!r} as '{_after(who)}' from now on, everywhere?", yes)
        made = players.forget_player(store, who, recorder=shell.settings.recorder)
    _answer(made, json)
    shell.say(
        f"Every sheet, replay, report, table, page and export says '{made.label}' from now on. In matches that were "
        "begun --in-parts the name at the seat, and remarks that spell it in full, are gone for good, and the record "
        "proves what it did. Every other match keeps its bytes, so that it still proves what was played: the name "
        "stands there, in the register, in backups, and in bundles and files that were handed out before. "
        "`kibitz find --comment` finds remarks that spell it otherwise."
    )


@shell.command("player list")
def list_players(csv: CSV = False, json: JSON = False) -> None:
    """List the players, and the names that are linked to no player yet."""
    from cli.index_access import index_of
    from records.players import alike
    from records.projection.search import people

    shell.csv_or_json(csv, json)
    with shell.store(write=False) as store, index_of(store) as index:
        everybody = people(index)
        register = store.register
    seats = {player: (n, counted) for _, _, player, n, counted in everybody if player}
    rows = [_row(p, *seats.get(p.id, (0, 0))) for p in register.players.values()]
    names = [label for _, label, player, *_ in everybody if not player]
    free: list[dict[str, Any]] = [
        {
            "name": label, "matches": n,
            "like": [
                f"{called} ({id})" if id else called for called, id in alike(label, register.players.values(), names)
            ]
        }
        for _, label, player, n, _ in everybody if not player
    ]
    if json:
        out_json({"players": rows, "unlinked": free})
        return
    if csv:
        linked = [(r["id"], r["name"], r["matches"], "; ".join(r["linked"]), "") for r in rows]
        shell.out_csv([
            ("id", "name", "matches", "linked", "perhaps"), *linked,
            *(("", f["name"], f["matches"], "", "; ".join(f["like"])) for f in free),
        ])
        return
    out(*_listed(rows, free))
    if not rows and not free:
        shell.say("There is no player yet, and no match in which one could sit.")


def _listed(rows: list[dict[str, Any]], free: list[dict[str, Any]]) -> Iterator[str]:
    from cli.text_output import aligned_columns

    if rows:
        yield from aligned_columns([
            ("id", "player", "matches", "linked"),
            *(
                (
                    r["id"], r["name"], str(r["matches"]),
                    "; ".join(r["linked"]) or ("forgotten" if r["forgotten"] else "nothing yet"),
                )
                for r in rows
            )
        ])
    if free:
        yield from ["", "Names that are linked to no player:"] if rows else ["Names that are linked to no player:"]
        yield from aligned_columns(
            [("name", "matches", "perhaps"), *((f["name"], str(f["matches"]), ", ".join(f["like"])) for f in free)]
        )


def _row(player: "Player", seats: int = 0, counted: int = 0) -> dict[str, Any]:
    linked = [] if player.forgotten else [one.told for one in player.links]
    return {
        "id": player.id, "name": player.label, "forgotten": player.forgotten, "matches": seats, "counted": counted,
        "linked": linked,
    }


def _what(
    store: "Store", who: "Player", spelling: str | None, book: str, seat: str, *, check: bool = True,
) -> "NameLink":
    """The link to make. Raises UsageError for contradictory options, NotFoundError if there is no such seat."""
    from events.errors import UsageError
    from records.players import meant

    if seat and (spelling is not None or book):
        raise UsageError("--seat names one seat of one match", expected="no spelling and no book beside it")
    match, sign, where = seat.partition(":")
    if seat and (not sign or not where):
        raise UsageError(f"{seat[:80]!r} does not name a seat", expected="MATCH:SEAT, as in tuesday:N")
    return meant(store, who, spelling or "", book=book, match=match, seat=where, check=check)


MOST_SHOWN = 8


def _about(store: "Store", what: "NameLink") -> Iterator[str]:
    """The seats that a link concerns, shown before the confirmation."""
    if what.match:
        yield (
            f"{what.match}, seat {what.seat}: "
            f"{getattr(store.told(what.match)[0].event, 'facts', {}).get(what.seat, '?')}"
        )
        return
    seats = _seats(store, what.name, what.book)
    yield f"{shell.count(len(seats), 'seat')} {'is' if len(seats) == 1 else 'are'} written {what.name!r}" + (
        f" in the book {what.book}" if what.book else ""
    )
    for match, seat, day, player in seats[:MOST_SHOWN]:
        yield f"  {match}, seat {seat}, {day}" + (f" (now {player})" if player else "")
    if len(seats) > MOST_SHOWN:
        yield f"  … and {len(seats) - MOST_SHOWN} more"


def _seats(store: "Store", name: str, book: str = "") -> list[tuple[str, str, str, str]]:
    from cli.index_access import index_of
    from records.projection.search import seats_named

    with index_of(store) as index:
        return seats_named(index, name, book)


def _after(player: "Player") -> str:
    from msgspec.structs import replace

    return replace(player, forgotten=True).label


def _answer(player: "Player", json: bool) -> None:
    if json:
        out_json(_row(player))
    else:
        out(
            f"{player.id}  {player.label}"
            + (f"  ({'; '.join(one.told for one in player.links)})" if player.links and not player.forgotten else "")
        )
