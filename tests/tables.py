"""What is tried of the options of the games of this repository, where an option does not say it by itself."""

from __future__ import annotations

from replay.testing.declared import SEATED, VALUES, WITH
from replay.testing.tables import (
    LONG,
    Table,
    a_hand_or_two,
    at,
    by_name,
    by_seed,
    ends,
    in_turn,
    own_options,
    tables,
    values,
)

VALUES.update({
    ("botifarra", "target"): (1, 50),
    ("bridge-solitaire", "hands"): (1, 3),
    ("burraco", "target"): (1, 500),
    ("calabrasella", "hands"): (1, 4),
    ("california-speed", "best_of"): (3,),
    ("conquian", "best_of"): (3,),
    ("conquian", "stake"): (5,),
    ("court-piece", "hands"): (1, 9),
    ("envite", "captains"): ("S W",),
    ("envite", "games"): (1, 5),
    ("dingo", "games"): (2, 3),
    ("funfzehnern", "hands"): (1, 4),
    ("hasenpfeffer", "forced_bid"): (1, 6),
    ("hasenpfeffer", "target"): (1, 15),
    ("jersey-gin", "target"): (1, 50),
    ("kaiser", "min_bid"): (1, 8),
    ("kaiser", "target"): (1, 30),
    ("machiavelli", "hands"): (3,),
    ("mattis", "games"): (1, 2),
    ("myllymatti", "games"): (1, 2),
    ("omi", "target"): (1, 20),
    ("pad", "sides"): ("AC BD",),
    ("pad", "target"): (60, 150),
    ("pad", "sum"): ("26",),
    ("pad", "title"): ("Doppelkopf",),
    ("pad", "made"): ("value",),
    ("pad", "failed"): ("-2*value",),
    ("pad", "out_at"): (60,),
    ("pay-me", "hands"): (1, 2),
    ("pluck", "target"): (1, 10),
    ("pontoon", "chips"): (20,),
    ("pontoon", "hands"): (1, 5),
    ("pontoon", "min_stick"): (16, 21),
    ("rumino", "knock_limit"): (2, 15),
    ("rumino", "out_at"): (1, 60),
    ("rumino", "stake"): (5,),
    ("put-and-take", "hands"): (1, 4),
    ("seven-and-a-half", "hands"): (1, 5),
    ("ziginette", "hands"): (1, 5),
    ("ziginette", "rake"): (10,),
    ("play-or-pay", "hands"): (1, 3),
    ("russian-bank", "target"): (1,),
    ("scopa", "target"): (1, 5),
    ("scotch-whist", "target"): (1, 20),
    ("zetema", "five_marriages"): (170,),
    ("zetema", "target"): (50, 120),
    ("yaniv", "call_limit"): (2, 10),
    ("yaniv", "out_above"): (1, 120),
    ("yaniv", "resets"): ("none", "60:20 90:10"),
})
WITH.update({
    ("bridge-solitaire", "hands"): {"end": "hands"},
    ("bridge-solitaire", "unfinished"): {"end": "hands", "hands": 3},
    ("rumino", "rebuy"): {"stake": 5},
    ("pad", "failed"): {"made": "value"},
    ("pad", "others"): {"made": "value"},
})
SEATED.update({
    ("briscola", "removed_two"): 3, ("envite", "captains"): 4, ("funfzehnern", "removed_suit"): 3, ("pad", "sides"): 4,
    ("pad", "wins"): 3, ("rumino", "rebuy"): 4, ("rumino", "stake"): 4, ("yaniv", "decks"): 4,
})  # fmt: skip

__all__ = [
    "LONG", "SEATED", "VALUES", "WITH", "Table", "a_hand_or_two", "at", "by_name", "by_seed", "ends", "in_turn",
    "own_options", "tables", "values",
]
