"""The registry: which module holds the page of each game."""

from __future__ import annotations

import importlib
from functools import cache

from events.errors import NotFoundError
from events.suggestions import did_you_mean
from reducers.model import Game

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


@cache
def find_game(key: str) -> Game:
    """The page of a game. Raises NotFoundError if there is none."""
    module = PAGES.get(key)
    if module is None:
        what = f"there is no page for the game '{key}'" if key else "the opening does not name the game"
        meant = did_you_mean(key, PAGES)
        raise NotFoundError(what, expected="" if meant else f"one of {', '.join(PAGES)}", todo=f"{meant} `kibitz games` lists them.".lstrip())
    game: Game = importlib.import_module(module).GAME
    return game


def games_with_cards() -> list[str]:
    """The games with recorded cards, sorted.

    For a score pad only results are recorded: it has no deals, hidden cards, acts of seats or duties. So tests of
    cards, acts and breaches use these games only.

    >>> "kaiser" in games_with_cards(), "pad" in games_with_cards()
    (True, False)
    """
    return sorted(key for key in PAGES if find_game(key).has_cards)


__all__ = ["PAGES", "find_game", "games_with_cards"]
