"""Everything that the page of a game usually imports: data, rules, deals, tallies, scores and sheets.

Each family of games has its own modules (`reducers.words.trick_play`, …).
"""

from __future__ import annotations

from events.cards import GLYPHS, SUIT_NAMES, SUITS, pack, pretty, pretty_all, ranking
from reducers.deal import DealSpec, DealPart, face_down, turned_up
from reducers.evolve import finish_hand, ensure_hand_started, on_deal, on_move, on_show, reopen_hand, settle
from reducers.facts import Law
from reducers.gaps import ForEach, after_gap, in_play, lose_track
from reducers.legal import changes_hands
from reducers.model import (
    Dealing, Display, Game, Judging, MatchRules, Omissions, Phase, Shorthand, Simulation, State, summary_of,
)  # fmt: skip
from reducers.rules import (
    CONSEQUENCE, DUTY, RIGHT, UNOBSERVABLE, Catalogue, CheckResult, broken, not_all_seen, rule, unknown,
)  # fmt: skip
from reducers.scoring import HandScore, ScoreLine, Points, Standing, add_points, leaders_by_total, figure, plus, signed
from reducers.sheet import Block, Cell, SheetRow, Sheet
from reducers.tally import (
    TallyFacts, at_least_and_at_most, bounded, changing, choice, counts, figures, grows, number, of_each_but,
    of_the, or_said, read_by_the_page, said, seat, seats, shown_only, side, the_dealer, unasked, unless_told, why_void,
    yes_or_no, yes_or_no_each,
)  # fmt: skip
from reducers.terms import (
    Direction, GamesInMatch, HandsInMatch, HouseRules, Joiner, Leaver, StartingChips, Terms,
    hand_of, pairs, partnerships, seatings, side_named, singles, teams,
    to_the_right,
)
from reducers.words.deals import (
    WHO_DEALS, as_many_as_dealt, begin_with, deal_passes_on, dealt_again_by_the_same, deals_next, misdealt,
    ensure_dealt, shuffle_and_deal,
)  # fmt: skip
from reducers.words.scores import counts_nothing, first_to_target, hand_score, highest_after, highest_at_target
from reducers.words.sheets import (
    chalk, player_columns, contract, gained, ledger, result_text, running, settlement_sheet, figure_of_line,
    running_total, we_they,
)
from reducers.words.tallies import missing_facts, apply_reported_facts
from reducers.words.trial_acts import try_pass, try_bidding, try_calling, try_each_card, try_lead_or_follow, try_naming

__all__ = [
    "CONSEQUENCE", "DUTY", "GLYPHS", "RIGHT", "SUITS", "SUIT_NAMES", "UNOBSERVABLE", "WHO_DEALS", "Block",
    "Catalogue", "Cell", "CheckResult", "DealSpec", "Dealing", "Direction", "Display", "Judging", "MatchRules",
    "Omissions", "Shorthand", "Simulation", "Game",
    "GamesInMatch", "HandScore", "HandsInMatch", "HouseRules", "Joiner", "StartingChips",
    "Law", "Leaver", "ScoreLine", "DealPart", "ForEach", "Phase", "Points",
    "SheetRow", "Sheet", "Standing", "State", "TallyFacts", "Terms", "try_pass", "add_points", "after_gap",
    "as_many_as_dealt", "begin_with", "at_least_and_at_most", "leaders_by_total", "in_play", "lose_track",
    "try_bidding", "bounded", "broken", "try_calling", "chalk", "changing", "choice", "player_columns", "contract",
    "counts", "counts_nothing", "deal_passes_on", "deals_next", "dealt_again_by_the_same", "try_each_card", "face_down",
    "figure", "figures", "finish_hand", "first_to_target", "gained", "grows", "hand_of", "hand_score", "highest_after",
    "highest_at_target", "ensure_hand_started", "try_lead_or_follow", "ledger", "missing_facts", "misdealt",
    "try_naming", "not_all_seen", "number", "of_each_but", "of_the", "on_deal", "on_move",
    "on_show", "or_said", "apply_reported_facts", "pack", "pairs", "partnerships", "reopen_hand", "plus", "pretty",
    "pretty_all", "ranking", "read_by_the_page", "ensure_dealt", "result_text", "rule", "running", "said", "seat",
    "seatings", "seats", "settle", "settlement_sheet", "shown_only", "shuffle_and_deal", "side", "side_named", "signed",
    "singles", "summary_of", "figure_of_line", "teams", "the_dealer", "to_the_right", "running_total", "turned_up",
    "changes_hands", "unasked", "unknown", "unless_told", "we_they", "why_void", "yes_or_no", "yes_or_no_each",
]  # fmt: skip
