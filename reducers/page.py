"""What every page of a game uses, in one place to import from: the words of data, rules, deals, tallies, scores and sheets.

The words of a family of games stand in a module of their own (`reducers.words.trick_play`, …).
"""

from __future__ import annotations

from events.cards import GLYPHS, SUIT_NAMES, SUITS, pack, pretty, pretty_all, ranking
from reducers.deal import Dealt, Part, face_down, turned_up
from reducers.evolve import finish_hand, in_hand, on_deal, on_move, on_show, play_on, settle
from reducers.model import Game, Phase, State, summary_of
from reducers.rules import (
    CONSEQUENCE, DUTY, RIGHT, UNOBSERVABLE, Catalogue, CheckResult, broken, not_all_seen, rule, unknown,
)  # fmt: skip
from reducers.scoring import HandScore, Line, Points, Standing, added, best_of, figure, plus, signed
from reducers.sheet import Block, Cell, Row, Sheet
from reducers.tally import (
    Law, TallyFacts, at_least_and_at_most, bounded, changes, choice, counts, figures, grows, number, of_each_but, of_the, or_said,
    read_by_the_page, seat, seats, shown_only, side, the_dealer, unasked, unless_told, why_void,
    yes_or_no,
)  # fmt: skip
from reducers.terms import Direction, HouseRules, Joiner, Leaver, Terms, hand_of, pairs, partnerships, seatings, side_named, singles, teams, to_the_right
from reducers.words.deals import (
    WHO_DEALS, as_many_as_dealt, deal_passes_on, dealt_again_by_the_same, deals_next, misdealt, ready, shuffle_and_deal,
)  # fmt: skip
from reducers.words.scores import counts_nothing, first_to_target, hand_score, highest_after, highest_at_target
from reducers.words.sheets import chalk, columns, contract, gained, ledger, result, running, settlement, taken, total, we_they
from reducers.words.tallies import left_open, overlaid
from reducers.words.tries import a_pass, bidding, calling, each_card, lead_or_follow, naming

__all__ = [
    "CONSEQUENCE", "DUTY", "GLYPHS", "RIGHT", "SUITS", "SUIT_NAMES", "UNOBSERVABLE", "WHO_DEALS", "Block",
    "Catalogue", "Cell", "CheckResult", "Dealt", "Direction", "Game", "HandScore", "HouseRules", "Joiner", "Law", "Leaver", "Line", "Part", "Phase", "Points",
    "Row", "Sheet", "Standing", "State", "TallyFacts", "Terms", "a_pass", "added", "as_many_as_dealt", "at_least_and_at_most", "best_of", "bidding", "bounded", "broken",
    "calling", "chalk", "changes", "choice", "columns", "contract", "counts", "counts_nothing", "deal_passes_on", "deals_next", "dealt_again_by_the_same",
    "each_card", "face_down", "figure", "figures", "finish_hand", "first_to_target", "gained", "grows", "hand_of", "hand_score",
    "highest_after", "highest_at_target", "in_hand", "lead_or_follow", "ledger", "left_open", "misdealt", "naming", "not_all_seen", "number",
    "of_each_but", "of_the", "on_deal", "on_move",
    "on_show", "or_said", "overlaid", "pack", "pairs", "partnerships", "play_on", "plus", "pretty", "pretty_all", "ranking", "read_by_the_page", "ready",
    "result", "rule", "running", "seat", "seatings", "seats", "settle", "settlement", "shown_only", "shuffle_and_deal", "side", "side_named", "signed", "singles", "summary_of",
    "taken", "teams", "the_dealer", "to_the_right", "total", "turned_up", "unasked", "unknown", "unless_told", "we_they", "why_void", "yes_or_no",
]  # fmt: skip
