"""What other libraries do in the same run: their games made once, then replayed move by move."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from events.model import Recorded

Peer = tuple[Callable[[], object], int]
"""What to time, and how many moves it makes."""


def chess_games(games: int = 30) -> Peer:
    """python-chess: is the move legal, then push it, over random games."""
    import chess

    choose = random.Random(1)
    played: list[list[chess.Move]] = []
    for _ in range(games):
        board, moves = chess.Board(), []
        while not board.is_game_over() and len(moves) < 150:
            move = choose.choice(list(board.legal_moves))
            moves.append(move)
            board.push(move)
        played.append(moves)

    def play() -> None:
        for moves in played:
            board = chess.Board()
            for move in moves:
                if move not in board.legal_moves:
                    raise AssertionError
                board.push(move)

    return play, sum(map(len, played))


def spiel_games(name: str, games: int) -> Peer:
    """open_spiel's Python API: `legal_actions`, then `apply_action`, over random games; the deal is not timed."""
    import pyspiel

    game, choose = pyspiel.load_game(name), random.Random(1)
    played: list[tuple[Any, list[int]]] = []
    for _ in range(games):
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(choose.choice(state.legal_actions()))
        dealt, actions = state.clone(), []
        while not state.is_terminal():
            action = choose.choice(state.legal_actions())
            actions.append(action)
            state.apply_action(action)
        played.append((dealt, actions))

    def play() -> None:
        for dealt, actions in played:
            state = dealt.clone()
            for action in actions:
                if action not in state.legal_actions():
                    raise AssertionError
                state.apply_action(action)

    return play, sum(len(actions) for _, actions in played)


def poker_hands(hands: int) -> Peer:
    """pokerkit: random hands of hold'em, replayed from its own hand histories."""
    from pokerkit import Automation, HandHistory, NoLimitTexasHoldem

    choose = random.Random(1)
    game = NoLimitTexasHoldem(
        (
            Automation.ANTE_POSTING, Automation.BET_COLLECTION, Automation.BLIND_OR_STRADDLE_POSTING,
            Automation.HOLE_CARDS_SHOWING_OR_MUCKING, Automation.HAND_KILLING, Automation.CHIPS_PUSHING,
            Automation.CHIPS_PULLING,
        ), True, 0, (1, 2), 2,
    )  # fmt: skip
    histories = []
    for _ in range(hands):
        state = game((200,) * 4, 4)
        while state.status:
            if state.can_deal_hole():
                state.deal_hole()
            elif state.can_burn_card():
                state.burn_card()
            elif state.can_deal_board():
                state.deal_board()
            elif state.can_complete_bet_or_raise_to() and choose.random() < 0.2:
                state.complete_bet_or_raise_to()
            elif state.can_fold() and choose.random() < 0.2:
                state.fold()
            else:
                state.check_or_call()
        histories.append(HandHistory.from_game_state(game, state))

    def play() -> None:
        for history in histories:
            for _ in history:
                pass

    return play, sum(len(history.actions) for history in histories)


class Library:
    """The library `eventsourcing` with its SQLite recorder and JSON transcoder as they come: an aggregate a match."""

    def __init__(self, path: str) -> None:
        from eventsourcing.application import Application
        from eventsourcing.domain import Aggregate, event

        class Match(Aggregate):
            @event("Opened")
            def __init__(self, record: dict[str, Any]) -> None:
                self.last = record["n"]

            @event("Happened")
            def happen(self, record: dict[str, Any]) -> None:
                self.last = record["n"]

        self._match = Match
        self.app = Application(env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": path})

    def save(self, log: Sequence[Recorded]) -> Any:
        """Save a match, an event a record; returns the id of its aggregate."""
        records: Iterable[Any] = (msgspec.to_builtins(r) for r in log)
        first, *rest = records
        match = self._match(record=first)
        for record in rest:
            match.happen(record=record)
        self.app.save(match)
        return match.id
