"""The registry: which module holds the page of each game, here and in other distributions."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from events.errors import ConflictError, KibitzError, NotFoundError, UnreadableError
from events.suggestions import did_you_mean
from reducers.model import Game

GROUP = "kibitz.games"
"""The entry-point group of pages in other distributions: `hearts = "kibitz_hearts:GAME"`."""
NOT_INSTALLED = "?"
"""The last character of a key whose page is not installed; a record of such a game is read by a stand-in page."""

# Every page by its key; its module is imported on first use.
PAGES: dict[str, str] = {
    "botifarra": "reducers.games.botifarra",
    "bridge-solitaire": "reducers.games.bridge_solitaire",
    "briscola": "reducers.games.briscola",
    "burraco": "reducers.games.burraco",
    "calabrasella": "reducers.games.calabrasella",
    "california-speed": "reducers.games.california_speed",
    "conquian": "reducers.games.conquian",
    "couillon": "reducers.games.couillon",
    "court-piece": "reducers.games.court_piece",
    "dingo": "reducers.games.dingo",
    "ecarte": "reducers.games.ecarte",
    "envite": "reducers.games.envite",
    "funfzehnern": "reducers.games.funfzehnern",
    "hasenpfeffer": "reducers.games.hasenpfeffer",
    "jersey-gin": "reducers.games.jersey_gin",
    "kaiser": "reducers.games.kaiser",
    "kowah": "reducers.games.kowah",
    "machiavelli": "reducers.games.machiavelli",
    "malilla": "reducers.games.malilla",
    "mattis": "reducers.games.mattis",
    "myllymatti": "reducers.games.myllymatti",
    "omi": "reducers.games.omi",
    "pad": "reducers.games.pad",
    "pay-me": "reducers.games.pay_me",
    "play-or-pay": "reducers.games.play_or_pay",
    "pluck": "reducers.games.pluck",
    "poke": "reducers.games.poke",
    "pontoon": "reducers.games.pontoon",
    "put-and-take": "reducers.games.put_and_take",
    "rumino": "reducers.games.rumino",
    "russian-bank": "reducers.games.russian_bank",
    "scopa": "reducers.games.scopa",
    "scotch-whist": "reducers.games.scotch_whist",
    "seven-and-a-half": "reducers.games.seven_and_a_half",
    "stealing-bundles": "reducers.games.stealing_bundles",
    "tresette": "reducers.games.tresette",
    "turnover-bridge": "reducers.games.turnover_bridge",
    "tute": "reducers.games.tute",
    "xeri": "reducers.games.xeri",
    "yaniv": "reducers.games.yaniv",
    "zetema": "reducers.games.zetema",
    "ziginette": "reducers.games.ziginette",
}


class Plugin(Struct, frozen=True):
    """A page of another distribution: its key, the object `module:name`, and the distribution with its version."""

    key: str
    value: str
    source: str


@cache
def plugins() -> Mapping[str, tuple[Plugin, ...]]:
    """The pages of other distributions by key, as their metadata names them; none is imported.

    They are read on first use: for a list of games, or for a key that does not come with Kibitz.
    """
    from importlib.metadata import entry_points

    found: dict[str, tuple[Plugin, ...]] = {}
    for point in entry_points(group=GROUP):
        source = f"{point.dist.name} {point.dist.version}" if point.dist is not None else "an unnamed distribution"
        found[point.name] = (*found.get(point.name, ()), Plugin(point.name, point.value, source))
    return found


def installed_games() -> list[str]:
    """The keys of all games with a page here, sorted. A key of two distributions is left out; see `refused_pages`."""
    return sorted({*PAGES, *(key for key, found in plugins().items() if len(found) == 1)})


def refused_pages() -> list[str]:
    """A sentence for each key that exists twice, with the distributions that bring it."""
    return [str(_clash(key, found)) for key, found in sorted(plugins().items()) if key in PAGES or len(found) > 1]


def usable_pages(begin: str = "") -> tuple[list[Game], list[str]]:
    """The pages whose keys begin with this text, sorted by key; and a sentence for each that cannot be used."""
    pages, unusable = list[Game](), refused_pages()
    for key in installed_games():
        if key.startswith(begin):
            try:
                pages.append(find_game(key))
            except KibitzError as error:
                unusable.append(str(error))
    return pages, unusable


def _clash(key: str, found: tuple[Plugin, ...]) -> ConflictError:
    own = key in PAGES
    sources = " and ".join((*(["Kibitz itself"] if own else []), *(one.source for one in found)))
    used = "the page of Kibitz is used" if own else "none of the pages is used"
    return ConflictError(f"the game '{key}' comes with {sources}; {used}", todo="Uninstall all but one of them.")


@cache
def find_game(key: str) -> Game:
    """The page of a game. Raises NotFoundError if there is none, ConflictError if two distributions bring one, and
    UnreadableError if the page of a distribution cannot be used.

    A page that comes with Kibitz is found without a look at other distributions.
    """
    if module := PAGES.get(key):
        game: Game = importlib.import_module(module).GAME
        return game
    if key.endswith(NOT_INSTALLED):
        stands_in: Game = importlib.import_module("reducers.stand_in").stand_in(key)
        return stands_in
    found = plugins().get(key, ())
    if len(found) > 1:
        raise _clash(key, found)
    return _loaded(found[0]) if found else _nowhere(key)


def _nowhere(key: str) -> Game:
    what = f"there is no page for the game '{key}'" if key else "the opening does not name the game"
    known = installed_games()
    meant = did_you_mean(key, known)
    raise NotFoundError(
        what, expected="" if meant else f"one of {', '.join(known)}",
        todo=f"{meant} `kibitz games` lists them.".lstrip(),
    )


def _loaded(plugin: Plugin) -> Game:
    """The page of another distribution, imported now."""
    module, _, name = plugin.value.partition(":")
    todo = f"Update {plugin.source.partition(' ')[0]}, or uninstall it."
    try:
        game: Any = importlib.import_module(module)
        for part in (name or "GAME").split("."):
            game = getattr(game, part)
    except KibitzError:
        raise
    except Exception as error:
        raise UnreadableError(
            f"the page of '{plugin.key}' cannot be imported: {type(error).__name__}: {error}", where=plugin.source,
            todo=todo,
        ) from error
    if not isinstance(game, Game) or game.key != plugin.key:
        what = f"the page of {game.key!r}" if isinstance(game, Game) else f"no page, but {type(game).__name__}"
        raise UnreadableError(
            f"{plugin.value} is {what}", where=plugin.source, expected=f"the page of '{plugin.key}'", todo=todo,
        )
    return game


def page_for(facts: Mapping[str, Any]) -> Game:
    """The page that reads a record with this opening: that of its game; or a stand-in without rules, if the record
    names the distribution of a page that is not installed. Raises like `find_game`."""
    key = str(facts.get("Game", ""))
    return find_game(f"{key}{NOT_INSTALLED}" if is_missing(facts) else key)


def is_missing(facts: Mapping[str, Any]) -> bool:
    """True if the page of this record is not installed, and the record names its distribution."""
    key = str(facts.get("Game", ""))
    return bool(key and facts.get("Plugin")) and key not in PAGES and key not in plugins()


def missing_page(facts: Mapping[str, Any]) -> NotFoundError:
    """The error for what needs the rules of a page that is not installed."""
    source = str(facts.get("Plugin", ""))
    return NotFoundError(
        f"the game '{facts.get('Game', '')}' is not installed; {source} began this record",
        todo=(
            f"Install it (`pip install {source.partition(' ')[0]}`). Until then nothing is judged, and points "
            "are those that were told."
        ),
    )


def version_of_pages(version: str) -> str:
    """This version of Kibitz together with all distributions that bring pages: what was worked out under another is
    out of date."""
    return " ".join((version, *sorted({one.source for found in plugins().values() for one in found})))


def module_of_page(key: str) -> str:
    """The module of a page by its name, "" if there is none; nothing is imported."""
    found = () if key in PAGES else plugins().get(key, ())
    return PAGES.get(key) or (found[0].value.partition(":")[0] if found else "")


def distribution_of(key: str) -> str:
    """The distribution and version of a page, as `kibitz-hearts 1.0`; "" for a page that comes with Kibitz."""
    found = () if key in PAGES else plugins().get(key, ())
    return found[0].source if found else ""


def games_with_cards() -> list[str]:
    """The games with recorded cards, sorted.

    For a score pad only results are recorded: it has no deals, hidden cards, acts of seats or duties. So tests of
    cards, acts and breaches use these games only.

    >>> "kaiser" in games_with_cards(), "pad" in games_with_cards()
    (True, False)
    """
    return sorted(key for key in PAGES if find_game(key).has_cards)
