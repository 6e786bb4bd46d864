"""The scoresheet of a match: the page's own blocks, and around them what every game's sheet has.

Every sheet names the players, the terms that are not the usual ones, and the result. If the table stated scores of its
own, the sheet shows them beside the computed ones, with the first place where the two differ and who confirmed what.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from events.model import Hand, Recorded
from reducers.model import State
from reducers.scoring import HandScore, Line, Standing, figure, signed
from reducers.sheet import Block, Cell, Row, Sheet
from replay.fold import snapshot
from replay.judging.judge import judge
from replay.plain_text import named, players
from replay.read_log import ReadLog, read
from replay.scoring.as_played import courses_played
from replay.scoring.hands import Folded, folded
from replay.scoring.outcomes import question_text, span
from replay.scoring.results import Compared, MatchScore, MatchWay, ScoredHand, Way
from replay.scoring.rulings import WORDS, decisions, disputes
from replay.scoring.three_ways import three_ways

CLAIMS = "Table's score"
"""The heading of the block that sets claimed figures beside computed ones."""

THREE_WAYS = "Three ways"
"""The heading of the block that sets the score as played beside that by the rules and that as ruled."""
WAYS = {"played": "as played", "rules": "by the rules", "ruled": "as ruled"}


# Tags of the opening that a sheet shows, in this order; `[Date "2026-03-14"]` becomes the fact "Date".
_TAGS = ("Event", "Round", "Table", "Site", "Place", "Date", "Time", "Scorer")


# How many inferred things a sheet names, and how many places of each.
_MOST_INFERRED, _MOST_PLACES = 5, 8


# How many different words a cell may list if it is open which one is right.
_MOST_WORDS = 3


def sheet_of(records: Iterable[Recorded]) -> Sheet:
    """The sheet of a match from its log. Raises like `replay.fold.fold`.

    `facts` come in this order: Game, Players, sides with a name, event, round, table, site, date, House rules, Hands,
    Result, Match, then what the page adds. `blocks` are the page's, then `CLAIMS` if the table stated a score.
    """
    log = read(records)
    return sheet_from(log, three_ways(log, judge(log)))


def sheet_from(log: ReadLog, score: MatchScore) -> Sheet:
    """The sheet of a match that is already scored."""
    final = log.once(folded)
    state = final.state
    empty = Sheet(_title(score), _facts(final, score), ())
    told = _with_scores(state, score)
    sheet = state.game.sheet(told, empty)
    if any(h.possible or h.possible_totals for h in score.hands):
        sheet = _with_ranges(sheet, [state.game.sheet(_as_in(told, *one), empty) for one in courses_played(log)])
    blocks = sheet.blocks
    if score.claims:
        blocks = (*blocks, _claims_block(score, sheet))
    if len(score.ways) > 1 or any(differ(h.ways) for h in score.hands):
        blocks = (*blocks, _ways_block(score))
    return replace(sheet, blocks=blocks, remarks=(*sheet.remarks, *_remarks(final, score)))


# -- the head of the sheet --------------------------------------------------------------------------------------------


def _title(score: MatchScore) -> str:
    """`Kaiser: Ann & Carl – Bea & Dora`."""
    sides = [_who(side, score) for side in score.sides]
    return f"{score.name}: {(' – ' if len(sides) == 2 else ', ').join(sides)}"


def _who(who: str, score: MatchScore) -> str:
    """The name of a seat or side; a side without one is its players."""
    if who in score.names:
        return score.names[who]
    members = score.sides.get(who, ())
    return " & ".join(score.names.get(s, s) for s in members) if any(s in score.names for s in members) else who


def _facts(final: Folded, score: MatchScore) -> tuple[tuple[str, str], ...]:
    facts: list[tuple[str, str]] = [("Game", score.name)]
    if any(s in score.names for s in score.seats):
        facts.append(("Players", ", ".join(f"{s} {score.names[s]}" if s in score.names else s for s in score.seats)))
    facts += [(f"Side {side}", score.names[side]) for side in score.sides if side in score.names and side not in score.seats]
    facts += [(tag, _plain(score.facts[tag])) for tag in _TAGS if score.facts.get(tag) not in (None, "", "?")]
    house = _house_rules(final)
    if house:
        facts.append(("House rules", house))
    done = sum(1 for h in score.hands if h.done)
    facts.append(("Hands", f"{done}" + (f", and hand {score.hands[-1].number} in play" if score.hands and not score.hands[-1].done else "")))
    facts.append(("Result", _result(score)))
    if score.match:
        facts.append(("Match", score.match))
    return tuple(facts)


def _plain(value: object) -> str:
    """A fact's value in words."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "–"}[value]
    if isinstance(value, list | tuple):
        return ", ".join(_plain(v) for v in value)
    return figure(value) if isinstance(value, int) else str(value)


def _house_rules(final: Folded) -> str:
    """The options that are not the usual ones: `target 32, all pass dealer forced`."""
    options = final.state.terms.options
    usual = {f.name: f.default if f.default is not msgspec.NODEFAULT else None for f in msgspec.structs.fields(final.state.game.options)}
    return ", ".join(
        f"{name.replace('_', ' ')} {_plain(value).replace('_', ' ')}"
        for name, value in msgspec.structs.asdict(options).items()
        if value not in (usual[name], final.state.game.name)
    )


def _result(score: MatchScore) -> str:
    """Who won, with the totals, the winner's first."""
    order = sorted(score.totals, key=lambda who: who != score.winner)
    figures = {w: span(score.possible[w]) if w in score.possible else figure(score.totals[w]) for w in order}
    totals = " – ".join(f"{_who(w, score)} {figures[w]}" for w in order) if len(order) != 1 else figures[order[0]]
    if score.winner:
        rest = " : ".join(figures[w] for w in order)
        sure = ", whatever the unseen cards were" if score.possible else ""
        return (f"{_who(score.winner, score)} won {rest}" if len(order) <= 2 else f"{_who(score.winner, score)} won; {totals}") + sure
    if score.over or score.ended:
        why = f" ({score.why_ended})" if score.why_ended else ""
        return f"no winner, ended by agreement{why}; {totals}" if score.ended == "agreed" else f"no winner; {totals}"
    return f"not finished; {totals}"


# -- possible figures, and the three ways ---------------------------------------------------------------------------


def doubts(hand: ScoredHand) -> list[str]:
    """What is open about the score of a hand, a sentence each: the possible figures, what decides, what is presumed."""
    out = []
    if hand.possible:
        out.append("possible: " + ", ".join(f"{who} {span(values)} ({', '.join(map(figure, values))})" for who, values in hand.possible.items()))
    out += [question_text(q, hand.points) for q in hand.questions]
    if hand.by_cards:
        cards = ", ".join(f"{who} {span(values)}" for who, values in hand.by_cards.items())
        out.append(f"as played, the next lead shows who won the trick; the cards alone allow {cards}")
    return out


def differ(ways: Mapping[str, Way | MatchWay]) -> bool:
    """Whether the ways come to different figures."""
    return any(way_figures(way, who) != way_figures(ways["played"], who) for way in ways.values() for who in way.totals)


def _with_scores(state: State[Any], score: MatchScore) -> State[Any]:
    """The state with the figures that the whole pack makes certain, for the page to write down."""
    told = {h.number: h for h in score.hands}
    out = snapshot(state)
    for i, s in enumerate(out.scores):
        hand = told.get(s.number)
        if hand is not None and None in (*s.points.values(), *s.totals.values()):
            lines = tuple(Line(c.label, c.amounts, c.sums, c.column) for c in hand.components)
            out.scores[i] = replace(s, points=hand.points, totals=hand.totals, lines=lines, result=hand.result, notes=hand.notes)
    return out


def _as_in(state: State[Any], scores: list[HandScore], standing: Standing) -> State[Any]:
    """The state as it would be if the match had been scored this way."""
    out = snapshot(state)
    other = {s.number: s for s in scores}
    out.scores = [other.get(s.number, s) for s in out.scores]
    if out.after is None:
        out.before = standing
    else:
        out.after = standing
    return out


def _with_ranges(sheet: Sheet, courses: list[Sheet]) -> Sheet:
    """The sheet, with what each possible course of the match would write in place of a question mark.

    A block stays as it is if the courses would lay it out differently.
    """
    blocks = []
    for i, block in enumerate(sheet.blocks):
        others = [one.blocks[i] for one in courses if i < len(one.blocks)]
        alike = others and len(others) == len(courses) and all(_shape(o) == _shape(block) for o in others)
        if alike:
            rows = [
                replace(row, cells=tuple(_ranged(cell, [o.rows[j].cells[k] for o in others]) for k, cell in enumerate(row.cells)))
                for j, row in enumerate(block.rows)
            ]
            block = replace(block, rows=tuple(rows))
        blocks.append(block)
    facts = []
    for i, (name, text) in enumerate(sheet.facts):
        told = {one.facts[i][1] for one in courses if len(one.facts) == len(sheet.facts)}
        facts.append((name, either(told) or text if "?" in text and told else text))
    return replace(sheet, blocks=tuple(blocks), facts=tuple(facts))


def _shape(block: Block) -> list[int]:
    return [len(row.cells) for row in block.rows]


def _ranged(cell: Cell, others: list[Cell]) -> Cell:
    """A cell that says `?` or nothing, with everything it may say; a stroke of chalk stands, is erased or is not known.

    >>> _ranged(Cell("?"), [Cell("3"), Cell("5")]).text
    '3..5'
    >>> _ranged(Cell("?"), [Cell("hand 3", mark="erased"), Cell("", mark="line")]).text
    '?'
    """
    if ("?" not in cell.text and cell.text not in ("–", "")) or any(o.mark in ("line", "erased") for o in (cell, *others)):
        return cell
    text = either({o.text for o in others})
    if not text or text == cell.text:
        return cell
    if all(o == others[0] for o in others):
        return others[0]
    return replace(cell, text=text, mark="unknown")


def either(texts: set[str]) -> str:
    """What several texts come to: one of them, the span of figures, a few words with `or`; empty if there are many or none.

    >>> either({"7"}), either({"+7", "+11", "−2"}), either({"made", "failed"}), either({"?", "7"}), either(set())
    ('7', '−2..+11', 'failed or made', '', '')
    """
    if not texts:
        return ""
    if len(texts) == 1:
        return texts.copy().pop()
    figures = {t: t.removeprefix("+").replace("−", "-") for t in texts}
    if all(f.removeprefix("-").isdecimal() for f in figures.values()):
        low, high = min(texts, key=lambda t: int(figures[t])), max(texts, key=lambda t: int(figures[t]))
        return f"{low}..{high}"
    return "" if len(texts) > _MOST_WORDS or any("?" in t for t in texts) else " or ".join(sorted(texts))


def way_figures(way: Way | MatchWay, who: str) -> str:
    """The figures of one side in one way: `+7 → 17`, or the total alone."""
    if isinstance(way, MatchWay):
        return span(way.possible[who]) if who in way.possible else figure(way.totals.get(who))
    gain = span(way.possible[who]) if who in way.possible else signed(way.points.get(who))
    return f"{gain} → {span(way.possible_totals[who]) if who in way.possible_totals else figure(way.totals.get(who))}"


def _ways_block(score: MatchScore) -> Block:
    """A row for each hand that was scored more than one way, and one for the match."""
    columns = ["hand", *(f"{who} {WAYS[name]}" for who in score.totals for name in WAYS)]
    rows = []
    for hand in score.hands:
        if differ(hand.ways):
            cells = [Cell(str(hand.number)), *_way_cells(hand.ways, score)]
            notes = tuple(f"{WAYS[name]}: {text}" for name, way in hand.ways.items() for text in way.why)
            rows.append(Row(tuple(cells), notes=notes))
    if len(score.ways) > 1:
        rows.append(Row((Cell("match"), *_way_cells(score.ways, score)), "total"))
    return Block(THREE_WAYS, tuple(columns), tuple(rows))


def _way_cells(ways: Mapping[str, Way | MatchWay], score: MatchScore) -> list[Cell]:
    return [
        Cell(way_figures(ways[name], who))
        for who in score.totals
        for name in WAYS
    ]


# -- claimed beside computed ------------------------------------------------------------------------------------------


def _heads_of_sides(score: MatchScore, sheet: Sheet) -> dict[str, str]:
    """What the columns of a side are called: as the sheet says above who it is (WE), else by the names of its players."""
    said = {value: head for head, value in sheet.facts if head.isupper()}
    return {who: said.get(_who(who, score), _who(who, score)) for who in score.totals}


def _claims_block(score: MatchScore, sheet: Sheet) -> Block:
    """A row for each claim: what the table stated, what was computed, the difference, who confirmed.

    Cells are marked "claimed" if the table agrees or only carries an earlier difference on, "wrong" if the two differ,
    "unknown" if there is nothing to compare with, "crossed" if the claimant replaced the figure. Columns
    that would say the same in every row (who stated it, totals or points, whether it agrees) are left out.
    """
    sides = [who for who in score.totals if any(c.who == who for c in score.claims)]
    groups: dict[tuple[int, str], list[Compared]] = {}
    for c in score.claims:
        groups.setdefault((c.at, c.kind), []).append(c)
    spoken = any(c.by != "@" for c in score.claims)
    kinds = any(c.kind == "hand" for c in score.claims)
    verdicts = any(c.says != "agrees" for c in score.claims)
    columns = ["hand", *["by"] * spoken, *["what"] * kinds]
    heads = _heads_of_sides(score, sheet)
    called = {**players(score.sides, score.names), **heads}
    columns += [head for who in sides for head in (heads[who], f"{heads[who]} computed", f"{heads[who]} off by")]
    columns += [*["compared"] * verdicts, "confirmed"]
    rows = []
    for (_, kind), group in groups.items():
        first = group[0]
        cells = [Cell(str(first.hand))]
        cells += [Cell("table" if first.by == "@" else called.get(first.by, first.by))] * spoken
        cells += [Cell("total" if kind == "total" else "points")] * kinds
        for who in sides:
            cells += _claimed_cells(next((c for c in group if c.who == who), None))
        cells += [Cell(_verdict(group))] * verdicts
        cells.append(Cell(", ".join(called.get(who, who) for who in first.confirmed) or "–"))
        notes = tuple(c.text for c in group if c.says == "not understood")
        rows.append(Row(tuple(cells), notes=notes))
    return Block(CLAIMS, tuple(columns), tuple(rows))


def _verdict(group: list[Compared]) -> str:
    """What came of a claim, in a word or two; the worst of its figures speaks."""
    for says in ("differs", "carried on", "not understood", "unknown", "replaced"):
        found = next((c for c in group if c.says == says), None)
        if found is not None:
            return says
    return "agrees"


def _claimed_cells(c: Compared | None) -> tuple[Cell, Cell, Cell]:
    if c is None or c.claimed is None:
        return Cell("–"), Cell("–"), Cell("–")
    if c.says == "replaced":
        return Cell(figure(c.claimed), mark="crossed"), Cell("–"), Cell("–")
    differs = c.says == "differs"
    if c.computed is None:
        mine = Cell(figure(c.claimed), c.table_sum, "wrong" if differs else "claimed")
        off = either({signed(c.claimed - n) if c.claimed != n else "0" for n in c.possible}) or "?"
        return mine, Cell(span(c.possible), mark="unknown"), Cell(off, mark="wrong" if differs else "unknown")
    off = "0" if not c.difference else signed(c.difference)
    return (
        Cell(figure(c.claimed), c.table_sum if differs else "", "wrong" if differs else "claimed"),
        Cell(figure(c.computed), c.sum if differs else ""),
        Cell(off, "", "wrong" if differs else ""),
    )


# -- remarks ----------------------------------------------------------------------------------------------------------


def _remarks(final: Folded, score: MatchScore) -> list[str]:
    out = [] if final.state.game.has_cards else list(_notes_of_hands(final))
    called = players(score.sides, score.names)
    out += [named(slip.text, called) for slip in score.slips]
    if not score.slips and any(c.says == "agrees" for c in score.claims):
        out.append("The table's score agrees with the computed one wherever it was stated.")
    out += _confirmations(score)
    out += [f"Hand {h.number}: not known: {', '.join(h.unknown)}." for h in score.hands if h.unknown and h.done]
    out += [f"Hand {h.number}: {text}." for h in score.hands if h.done for text in doubts(h)]
    for h in score.hands:
        if not differ(h.ways) and "rules" in h.ways:
            # What does not change a figure is not in a table, but should still be known.
            out += [f"Hand {h.number}, by the rules: {text}." for text in h.ways["rules"].why]
    if any(total is None and who not in score.possible for who, total in score.totals.items()):
        out.append("A total that rests on an unknown figure is unknown too and is shown as ?.")
    if score.hands and not score.hands[-1].done:
        out.append(f"Hand {score.hands[-1].number} is still in play and is not counted.")
    out += _rulings(final, score)
    out += (named(text, called) for text in _inferred(final.state.inferred))
    return out


def _notes_of_hands(final: Folded) -> Iterator[str]:
    """What was noted of each hand, where a pad has its results and nothing else."""
    number = 0
    for placed in final.view.events:
        number += isinstance(placed.event, Hand)
        if placed.recorded.text:
            yield f"Hand {number}: {placed.recorded.text}" if number else placed.recorded.text


def _inferred(notes: list[tuple[int, str]]) -> list[str]:
    """What nobody recorded but follows, each thing once with its places."""
    places: dict[str, list[int]] = {}
    for at, text in notes:
        places.setdefault(text, []).append(at)
    out = []
    for text, found in list(places.items())[:_MOST_INFERRED]:
        more = f" and {len(found) - _MOST_PLACES} more" if len(found) > _MOST_PLACES else ""
        where = ", ".join(map(str, found[:_MOST_PLACES])) + more
        out.append(f"Inferred at event{'s' if len(found) > 1 else ''} {where}: {text}.")
    if len(places) > _MOST_INFERRED:
        out.append(f"{len(places) - _MOST_INFERRED} more things were inferred; the record shows them.")
    return out


def _confirmations(score: MatchScore) -> list[str]:
    """What was confirmed apart from the claims, which say so themselves: the sheet as it stood."""
    claims = {c.at for c in score.claims}
    return [
        f"{_who(a.by, score) if a.by != '@' else 'The table'} confirmed "
        + (f"event {', '.join(map(str, a.refs))}" if a.refs else "the sheet")
        + f" after hand {a.hand} (event {a.at})."
        for a in score.agreed
        if not a.refs or not claims.issuperset(a.refs)
    ]


def _rulings(final: Folded, score: MatchScore) -> list[str]:
    """Each dispute that waits for its decision, and each ruling with its effect."""
    out = [
        f"{_who(d.by, score) if d.by != '@' else 'The table'} opened a dispute{' about event ' * bool(d.refs)}{', '.join(map(str, d.refs))} "
        f"(event {d.at}{', ' + d.word if d.word else ''}); nobody has ruled on it."
        for d in disputes(final.view)
        if not d.ruled
    ]
    hands = {h.number: h for h in score.hands}
    for d in decisions(final.view):
        word = f"{d.word}, " if d.word and d.word not in WORDS else ""
        text = f"Ruling at event {d.at} on event {', '.join(map(str, d.refs))}: {word}{d.effect}"
        if d.rules:
            text += f" (by {', '.join(d.rules)})"
        hand = hands.get(d.hand)
        if not d.counts:
            text += f". It no longer holds: see the ruling at event {d.undone_by}"
        elif hand is not None:
            text += "".join(f"; {why[why.rindex('(without'):][1:-1]}" for why in _said(hand, d.at) if "(without effect: " in why)
            if differ(hand.ways):
                text += f". Hand {d.hand} as ruled: " + ", ".join(f"{who} {way_figures(hand.ways['ruled'], who)}" for who in hand.points)
        out.append(text + ".")
    return out


def _said(hand: ScoredHand, at: int) -> list[str]:
    way = hand.ways.get("ruled")
    return [why for why in (way.why if way else ()) if why.startswith(f"ruling at event {at}:")]


__all__ = ["CLAIMS", "THREE_WAYS", "WAYS", "differ", "doubts", "either", "sheet_from", "sheet_of", "way_figures"]
