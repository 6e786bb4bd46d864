"""The facts of a tally that tells what a hand came to: for each game, from the state at the hand's end.

It is what a recorder would write who was told the result and did not see the play. The facts are read from the score of
the record with everything seen, so that they are true if that score is.
"""

from __future__ import annotations

import re
from typing import Any

from events.model import Facts
from reducers.model import State
from reducers.scoring import Points
from replay.testing.corpus import TOLD, told_by_tally


def _amounts(state: State[Any], label: str) -> Points:
    """What a line of the score says, by side or seat."""
    assert state.score is not None
    return dict(next((line.amounts for line in state.score.lines if line.label == label), {}))


def _sums(state: State[Any], label: str, place: int = 0) -> dict[str, int]:
    """A figure of the arithmetic behind a line, by side or seat: the first of `42 + 2 × 12`, the last of `21 + 18 =
    39`."""
    assert state.score is not None
    sums = next((line.sums for line in state.score.lines if line.label == label), {})
    return {who: int(re.findall(r"[0-9]+", text)[place]) for who, text in sums.items() if re.search("[0-9]", text)}


def _botifarra(state: State[Any]) -> Facts:
    return {"strain": state.hand.strain, "multiplier": state.hand.multiplier, "points": _amounts(state, "counted")}


def _bridge_solitaire(state: State[Any]) -> Facts:
    from reducers.games.bridge_solitaire import tally

    t = tally(state)
    facts = {"declarer": t.declarer, "level": t.level, "strain": t.strain, "jokers": t.jokers, "tricks": t.tricks,
             "honors": t.honors, "househonors": t.house_honors}  # fmt: skip
    return {key: fact for key, fact in facts.items() if fact not in (None, "")}


def _briscola(state: State[Any]) -> Facts:
    return {"points": _amounts(state, "points"), "trump": state.hand.trump}


def _burraco(state: State[Any]) -> Facts:
    sides = tuple(state.terms.sides)
    counted = {key: dict.fromkeys(sides, 0) | _sums(state, f"{key} burracos") for key in ("clean", "dirty")}
    missed = _amounts(state, "no pozzetto")
    return {
        "melds": _amounts(state, "melds"), "left": {side: -(n or 0) for side, n in _amounts(state, "hands").items()},
        **counted, "pozzetto": {side: not missed.get(side) for side in sides},
        "closed": state.terms.side_of[state.hand.by] if state.hand.ending == "closed" else None,
    }  # fmt: skip


def _calabrasella(state: State[Any]) -> Facts:
    from reducers.games.calabrasella import tally

    t = tally(state)
    facts = {"declarer": t.declarer, "points": t.points, "defenders": t.defenders, "aside": t.aside}
    return {key: fact for key, fact in facts.items() if fact not in (None, "")}


def _california_speed(state: State[Any]) -> Facts:
    return {"winner": state.hand.winner or "draw", "left": _amounts(state, "left")}


def _conquian(state: State[Any]) -> Facts:
    stock = state.table.piles.get("stock")
    return {
        "winner": state.hand.winner or "draw", "table": _amounts(state, "melded"),
        "stock": len(stock) if stock is not None else 0,
    }


def _couillon(state: State[Any]) -> Facts:
    from reducers.games.couillon import tally

    t = tally(state)
    return {"declarer": t.declarer, "points": t.points, "trump": t.trump}


def _court_piece(state: State[Any]) -> Facts:
    from reducers.games.court_piece import tally

    t = tally(state)
    told = {"winner": t.winner, "sweep": t.sweep, "revoke": t.revoke, "trump": t.trump}
    return {
        **{key: fact for key, fact in told.items() if fact},
        **({"tricks": t.tricks} if None not in t.tricks.values() else {})
    }


def _ecarte(state: State[Any]) -> Facts:
    from reducers.games.ecarte import tally

    t = tally(state)
    facts: Facts = {"vulnerable": t.vulnerable, "king": t.king, "upcard": t.upcard}
    return {"tricks": _amounts(state, "tricks"), **facts} if None not in t.tricks.values() else facts


def _envite(state: State[Any]) -> Facts:
    from reducers.games.envite import tally

    t = tally(state)
    return {"winner": t.winner, "stake": int(t.stake) if t.stake.isdigit() else t.stake, "ending": t.ending}


def _dingo(state: State[Any]) -> Facts:
    from reducers.games.dingo import PACK, tally

    t = tally(state)
    piles = {"won": t.won, "penalty": t.penalty}
    told: Facts = {
        key: {seat: [PACK.faces[c] for c in codes] or None for seat, codes in pile.items()}
        for key, pile in piles.items()
    }
    red = {seat: PACK.cards(state.holding(seat).certain & PACK.suit["h"]) for seat, left in t.red.items() if left}
    return {**told, **({"red": red} if red else {})}


def _funfzehnern(state: State[Any]) -> Facts:
    return {"points": _amounts(state, "cards")}


def _hasenpfeffer(state: State[Any]) -> Facts:
    from reducers.games.hasenpfeffer import tally

    t = tally(state)
    facts: Facts = {
        "declarer": t.declarer, "level": t.level, "trump": t.trump, "tricks": t.tricks, "forced": t.forced,
        "void": t.void,
    }
    return {key: fact for key, fact in facts.items() if fact}


def _jersey_gin(state: State[Any]) -> Facts:
    return {"ending": state.hand.ending, "by": state.hand.by, "deadwood": _amounts(state, "deadwood")}


def _kaiser(state: State[Any]) -> Facts:
    from reducers.games.kaiser import tally

    t = tally(state)
    facts: Facts = {
        "declarer": t.declarer, "level": t.level, "no": t.no_trump, "trump": t.trump, "tricks": t.tricks,
        "five": t.five, "three": t.three,
    }
    return {key: fact for key, fact in facts.items() if fact not in (None, "")}


def _kowah(state: State[Any]) -> Facts:
    hand = state.hand
    facts: Facts = {
        "winner": hand.by or "draw", "ending": hand.ending if hand.by else "",
        "card": state.game.pack.tokens[hand.card] if hand.by else "",
    }
    return {key: fact for key, fact in facts.items() if fact}


def _machiavelli(state: State[Any]) -> Facts:
    from reducers.games.machiavelli import tally

    t = tally(state)
    return {"winner": t.winner, "left": t.left}


def _malilla(state: State[Any]) -> Facts:
    from reducers.games.malilla import tally

    t = tally(state)
    return {"points": t.counted, "bonus": t.bonus, "trump": t.trump}


def _mattis(state: State[Any]) -> Facts:
    hand = state.hand
    facts: Facts = {
        "mattis": hand.mattis, "out": list(hand.out), "blamattis": list(hand.blamattis), "trump": hand.trump,
    }
    return {key: fact for key, fact in facts.items() if fact}


def _myllymatti(state: State[Any]) -> Facts:
    hand = state.hand
    facts: Facts = {"loser": hand.last_left, "out": list(hand.out), "trump": hand.trump}
    return facts


def _omi(state: State[Any]) -> Facts:
    return {"tricks": _amounts(state, "tricks"), "trump": state.hand.trump}


def _pay_me(state: State[Any]) -> Facts:
    told = state.game.compute_tally(state)
    return {"out": told.out, "deadwood": {p: n for p, n in told.deadwood.items() if n or p != told.out}}


def _play_or_pay(state: State[Any]) -> Facts:
    from reducers.games.play_or_pay import tally

    t = tally(state)
    return {
        "winner": t.winner, "paid": t.paid, "left": {player: n for player, n in t.left.items() if player != t.winner},
    }


def _pluck(state: State[Any]) -> Facts:
    return {"tricks": _amounts(state, "tricks"), "trump": state.hand.trump}


def _poke(state: State[Any]) -> Facts:
    from reducers.games.poke import tally

    t = tally(state)
    # Of a hand in which somebody was a card short nobody can say which was the better one.
    return {"tricks": t.tricks, "multiplier": t.multiplier, **({"better": t.better, "class": t.kind} if t.kind else {})}


def _pontoon(state: State[Any]) -> Facts:
    from reducers.games.pontoon import WRITTEN, tally

    t = tally(state)
    words = {code: int(word) if word.isdigit() else word for word, code in WRITTEN.items()}
    facts: Facts = {"banker": t.banker}
    stakes = {name: n for name, n in t.stakes.items() if n is not None}
    classes = {name: words[min(found)] for name, found in t.hands.items() if len(found) == 1}
    if stakes:
        facts |= {"stake": stakes, "class": classes}
    if len(t.bank) == 1:
        facts["bank"] = words[min(t.bank)]
    following = state.game.dealing.next_dealer(state)
    return {**facts, "next": following} if following != state.dealer else facts


def _rumino(state: State[Any]) -> Facts:
    hand = state.hand
    facts: Facts = {
        "ending": hand.ending, "by": hand.by, "deadwood": _amounts(state, "deadwood"), "rebuys": list(hand.rebuys),
    }
    return {key: fact for key, fact in facts.items() if fact}


def _put_and_take(state: State[Any]) -> Facts:
    from reducers.games.put_and_take import tally

    t = tally(state)
    put, take = ({player: n for player, n in part.items() if player != t.dealer} for part in (t.put, t.take))
    return {"dealer": t.dealer, "put": put, "take": take}


def _russian_bank(state: State[Any]) -> Facts:
    facts: Facts = {"cards": _sums(state, "count"), "reserve": _sums(state, "count", -1)}
    out = state.hand.ending
    return {**facts, "out": out} if out in state.terms.seats else facts


def _scopa(state: State[Any]) -> Facts:
    seven = next((who for who, n in _amounts(state, "7♦").items() if n), "")
    facts: Facts = {key: _sums(state, key, -1) for key in ("cards", "diamonds", "primiera", "sweeps")}
    return {**facts, **({"seven": seven} if seven else {})}


def _tresette(state: State[Any]) -> Facts:
    from reducers.games.tresette import tally

    t = tally(state)
    return {"melds": t.melds, "figures": t.figures, "aces": t.aces, "last": t.last}


def _turnover_bridge(state: State[Any]) -> Facts:
    return {"tricks": _amounts(state, "tricks")}


def _tute(state: State[Any]) -> Facts:
    from reducers.games.tute import tally

    t = tally(state)
    return {"tute": t.tute} if t.tute else {"points": t.points, "trump": t.trump}


def _scotch_whist(state: State[Any]) -> Facts:
    from reducers.games.scotch_whist import tally

    t = tally(state)
    captors = {"10": t.ten, "A": t.ace, "K": t.king, "Q": t.queen, "J": t.jack}
    return {"captor": {rank: who for rank, who in captors.items() if who}, "tricks": t.tricks, "trump": t.trump}


def _seven_and_a_half(state: State[Any]) -> Facts:
    from reducers.games.seven_and_a_half import WRITTEN, tally

    t, words = tally(state), {rank: int(word) if word.isdigit() else word for word, rank in WRITTEN.items()}
    facts: Facts = {"banker": t.banker}
    stakes = {name: n for name, n in t.stakes.items() if n is not None}
    classes = {name: words[min(found)] for name, found in t.hands.items() if len(found) == 1}
    if stakes:
        facts |= {"stake": stakes, "class": classes}
    if len(t.bank) == 1:
        facts["bank"] = words[min(t.bank)]
    following = state.game.dealing.next_dealer(state)
    return {**facts, "next": following} if following != state.dealer else facts


def _stealing_bundles(state: State[Any]) -> Facts:
    from reducers.games.stealing_bundles import tally

    t = tally(state)
    return {"cards": t.cards, **({} if t.board is None else {"board": t.board})}


def _xeri(state: State[Any]) -> Facts:
    from reducers.games.xeri import tally

    t = tally(state)
    return {"xeri": t.xeri, "cards": t.cards, "honours": t.honours, "ten": t.ten, "two": t.two}


def _yaniv(state: State[Any]) -> Facts:
    return {"caller": state.hand.caller, "total": _amounts(state, "left in the hand")}


def _ziginette(state: State[Any]) -> Facts:
    from reducers.games.ziginette import tally

    t = tally(state)
    won, lost = ({player: n for player, n in part.items() if player != t.banker} for part in (t.won, t.lost))
    return {"banker": t.banker, "ending": t.ending, "won": won, "lost": lost}


TOLD.update({
    "botifarra": _botifarra,
    "bridge-solitaire": _bridge_solitaire,
    "briscola": _briscola,
    "burraco": _burraco,
    "calabrasella": _calabrasella,
    "california-speed": _california_speed,
    "conquian": _conquian,
    "couillon": _couillon,
    "court-piece": _court_piece,
    "ecarte": _ecarte,
    "envite": _envite,
    "dingo": _dingo,
    "funfzehnern": _funfzehnern,
    "hasenpfeffer": _hasenpfeffer,
    "jersey-gin": _jersey_gin,
    "kaiser": _kaiser,
    "kowah": _kowah,
    "machiavelli": _machiavelli,
    "malilla": _malilla,
    "mattis": _mattis,
    "myllymatti": _myllymatti,
    "omi": _omi,
    "pay-me": _pay_me,
    "play-or-pay": _play_or_pay,
    "pluck": _pluck,
    "poke": _poke,
    "pontoon": _pontoon,
    "rumino": _rumino,
    "put-and-take": _put_and_take,
    "russian-bank": _russian_bank,
    "scopa": _scopa,
    "scotch-whist": _scotch_whist,
    "seven-and-a-half": _seven_and_a_half,
    "stealing-bundles": _stealing_bundles,
    "tresette": _tresette,
    "turnover-bridge": _turnover_bridge,
    "tute": _tute,
    "xeri": _xeri,
    "yaniv": _yaniv,
    "ziginette": _ziginette,
    "zetema": lambda state: {"points": dict(state.game.compute_tally(state).points)},
})

__all__ = ["told_by_tally"]
