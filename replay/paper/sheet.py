"""The scoresheet of a match: the game's own blocks, and what every game's sheet has around them.

Every sheet names the players, the unusual terms, and the result. If the table wrote another figure than the computed
one, it is shown beside it; all other remarks are below (`replay.paper.remarks`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from events.match_tags import shown_tags
from events.model import End, Open, Recorded
from events.name_lists import one_of
from reducers.facts import listed_with_and
from reducers.house_rules import house_rules, rule_value
from reducers.model import State
from reducers.scoring import HandScore, ScoreLine, Standing, figure, signed
from reducers.seating import came_and_went, everybody, sat_in, with_zero_for_absent
from reducers.sheet import Block, Cell, Figure, Head, Sheet, SheetRow, SheetSide
from reducers.terms import Terms
from reducers.words.sheets import Settlement, chips_brought
from replay.comparing.kept_verdict import read_kept_verdict
from replay.fold import sittings, terms_at
from replay.judging.findings import Finding, Judgement
from replay.judging.judge import judge
from replay.paper.remarks import Remarks, doubts, without_references
from replay.plain_text import player_names, with_player_names
from replay.read_log import ReadLog, read_log
from replay.scoring.as_played import courses_played
from replay.scoring.hands import Folded, folded_log
from replay.scoring.outcomes import figures_span
from replay.scoring.score_shapes import MatchScore, MatchWay, Way
from replay.scoring.three_ways import official_score, score_as_ruled, three_ways

THREE_WAYS = "As played, by the rules, as ruled"
"""The heading of the block that compares the score as played, by the rules and as ruled."""
WAYS = {"played": "as played", "rules": "by the rules", "ruled": "as ruled"}


# Most alternative words in a cell.
_MOST_WORDS = 3

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def sheet_of(records: Iterable[Recorded], *, findings: bool = False) -> Sheet:
    """Return the sheet of a match from its log, with the broken rules among its remarks if `findings`. Raises like
    `replay.fold.fold`.

    `facts` come in this order: Game, Players, sides with a name, event, round, table, site, date, House rules, Hands,
    Result, Match, then those of the game. `blocks` are the game's.
    """
    log = read_log(records)
    # The score by the rules says who broke one.
    judgement = judge(log) if findings else Judgement([], log.once(folded_log).state)
    return sheet_from(log, three_ways(log, judgement), judgement.findings)


def sheet_from(log: ReadLog, score: MatchScore, found: Iterable[Finding] = ()) -> Sheet:
    """The sheet of a scored match, with the findings in `found`."""
    final = log.once(folded_log)
    state = final.state
    official = score_as_ruled(score)
    empty = Sheet(_title(score), _facts(final, official, score), ())
    told = _with_scores(state, score)
    sheet, form = state.game.sheet(told, empty), state.game.sheet
    if isinstance(form, Settlement) and official.totals != score.totals:
        # Payments follow the ruling.
        sheet = form.settled(form.form(told, empty), official.totals, told)
    if any(h.possible or h.possible_totals for h in score.hands):
        sheet = _with_ranges(sheet, [state.game.sheet(_as_in(told, *one), empty) for one in courses_played(log)])
    sheet = _with_who_sat_there(_with_names_then(sheet, told, final, empty), told)
    called = player_names(score.sides, score.names)
    blocks = tuple(_with_stated(_with_names(block, called), score) for block in sheet.blocks)
    if len(score.ways) > 1 or any(differ(h.ways) for h in score.hands):
        blocks = (*blocks, _with_names(_ways_block(score), called))
    remarks = Remarks(final, score, called, differ, way_figures).all(found)
    head, figures = sheet_head(log, final, official), tuple(_figures(score, state))
    return replace(sheet, blocks=blocks, remarks=(*sheet.remarks, *remarks), head=head, figures=figures)


# -- the head of the sheet --------------------------------------------------------------------------------------------


def sheet_head(log: ReadLog, final: Folded, score: MatchScore) -> Head:
    """The head: the game, the place and date, the sides, and the outcome."""
    facts, options = score.facts, msgspec.structs.asdict(final.state.terms.options)
    tags = {tag: _plain(value) for tag, value in shown_tags(facts, "Time", "Scorer")}
    told = [
        tags["Event"], *(f"{tag.lower()} {tags[tag]}" for tag in ("Round", "Table") if tag in tags),
    ] if "Event" in tags else []
    target, most = options.get("target"), options.get("hands")
    terms = f"to {target}" if target else f"{most} hands" if isinstance(most, int) and most > 1 else ""
    recorders = Counter(r.recorder for r in log if r.recorder)
    scorer = tags.get("Scorer", "") or (recorders.most_common(1)[0][0] if recorders else "")
    sides = tuple(_side(side, final, score) for side in score.sides)
    return Head(
        score.name, ", ".join(told), tags.get("Place", "") or tags.get("Site", ""), tags.get("Date", ""), terms, sides,
        _verdict(final, score), scorer, log.last,
    )  # fmt: skip


def _side(side: str, final: Folded, score: MatchScore) -> SheetSide:
    """One side in the head: its name and total, the players who may sign, and whether one of them confirmed the last
    claimed hand."""
    total = figures_span(score.possible[side]) if side in score.possible else figure(score.totals.get(side))
    members = tuple(score.sides[side])
    last = max((c.hand for c in score.claims), default=len(score.hands))
    confirmed = any(a.by in (side, *members) and a.hand >= last for a in score.agreed)
    game = final.state.game
    signing = [s for s in members if s != game.seating.house]
    names = tuple(score.names[s] for s in signing if s in score.names) or ((_who(side, score),) if signing else ())
    return SheetSide(
        _who(side, score), total, side == score.winner or side in score.together, names, confirmed,
        chips_brought(game, everybody(final.state))[side],
    )


def without_one_winner(score: MatchScore, called: Mapping[str, str]) -> str:
    """The outcome of a match without a single known winner; "" if no side has won."""
    if score.together:
        who = listed_with_and(tuple(called.get(side, side) for side in score.together))
        return (
            f"a tie between {who}" if len(score.together) == len(score.totals) - len(score.left)
            else f"{who} won the match together"
        )
    unknown = [called.get(side, side) for side in score.hangs_on]
    return f"who won hangs on the total of {listed_with_and(tuple(unknown))}" if unknown else ""


def not_by_play(score: MatchScore, said: str = "") -> str:
    """Say that the table ended the match, with the reason and the remark `said`, or that the score is as ruled; "" if
    it was played out."""
    why = ": ".join(text for text in (score.why_ended, said) if text and text != "agreed")
    agreed = f", ended by agreement{f' ({why})' if why else ''}" if score.ended == "agreed" else ""
    return agreed + (", as ruled" if score.official == "ruled" else "")


def _verdict(final: Folded, score: MatchScore) -> str:
    """The outcome in a sentence: the winner and the number of hands, or why there is none. With more than two sides,
    the others follow."""
    done = sum(1 for h in score.hands if h.done)
    hands = f"{_NUMBERS[done] if done < len(_NUMBERS) else done} hand{'s' * (done != 1)}"
    ends = [p.recorded.text for p in final.view.events if isinstance(p.event, End) and p.event.what == "match"]
    agreed = not_by_play(score, ends[-1] if ends else "")
    others = ""
    if len(score.sides) > 2 and score.winner:
        best = score.totals[score.winner]
        rest = [who for who in score.totals if who != score.winner]
        rest.sort(key=lambda who: abs((score.totals[who] or 0) - (best or 0)))
        others = "; " + ", ".join(f"{_who(who, score)} {figure(score.totals[who])}" for who in rest)
    if score.winner:
        sure = ", whatever the unseen cards were" if score.possible else ""
        return f"{_who(score.winner, score)} won in {hands}{sure}{agreed}{others}"
    if not score.over and not score.ended:
        return f"not finished: {hands} so far{agreed}"
    how = without_one_winner(score, player_names(score.sides, score.names)) or "no winner"
    return f"{how} after {hands}{agreed}"


def _title(score: MatchScore) -> str:
    """`Kaiser: Ann & Carl – Bea & Dora`."""
    sides = [_who(side, score) for side in score.sides]
    return f"{score.name}: {(' – ' if len(sides) == 2 else ', ').join(sides)}"


def _who(who: str, score: MatchScore) -> str:
    """The name of a seat or side; a side without one is named by its players."""
    if who in score.names:
        return score.names[who]
    members = score.sides.get(who, ())
    return " & ".join(score.names.get(s, s) for s in members) if any(s in score.names for s in members) else who


def _facts(final: Folded, score: MatchScore, played: MatchScore) -> tuple[tuple[str, str], ...]:
    facts: list[tuple[str, str]] = [("Game", score.name)]
    if any(s in score.names for s in score.seats):
        facts.append(("Players", ", ".join(f"{s} {score.names[s]}" if s in score.names else s for s in score.seats)))
    if moved := "; ".join(_substitutes(final)):
        facts.append(("Substitutes", moved))
    if moved := ", ".join(came_and_went(final.state)):
        facts.append(("Joined and left", moved))
    facts += [
        (f"Side {side}", score.names[side]) for side in score.sides if side in score.names and side not in score.seats
    ]
    facts += [(tag, _plain(value)) for tag, value in shown_tags(score.facts, "Time", "Scorer")]
    house = _house_rules(final)
    if house:
        facts.append(("House rules", house))
    done = sum(1 for h in score.hands if h.done)
    facts.append((
        "Hands",
        f"{done}"
        + (f", and hand {score.hands[-1].number} in play" if score.hands and not score.hands[-1].done else "")
    ))
    facts.append(("Result", result_in_words(score)))
    if score.official == "ruled":
        facts.append(("As played", result_in_words(replace(played, official="played"))))
    if score.match:
        facts.append(("Match", score.match))
    return tuple(facts)


def _substitutes(final: Folded) -> Iterator[str]:
    """The seats with several players in turn, with the hands of each: `S Sana (hand 1), then Timo (hands 2 to 4)`."""
    view, terms = final.view, everybody(final.state)
    starts = {h.number: view.events[h.first - 1].n for h in final.hands if h.first}
    sat = sittings(view, terms)
    for seat in terms.seats:
        here = [
            (one.name, [n for n, at in starts.items() if one.since <= at <= one.until]) for one in sat
            if one.seat == seat
        ]
        if len(here) > 1:
            yield f"{seat} " + ", then ".join(f"{name} ({spoken_range(own)})" if own else name for name, own in here)


def spoken_range(hands: Sequence[int]) -> str:
    """A range of hands in words.

    >>> spoken_range([1]), spoken_range([2, 3, 4])
    ('hand 1', 'hands 2 to 4')
    """
    return f"hand {hands[0]}" if len(hands) == 1 else f"hands {hands[0]} to {hands[-1]}"


def _plain(value: object) -> str:
    """The value of a fact in words."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "–"}[value]
    if isinstance(value, list | tuple):
        return ", ".join(_plain(v) for v in value)
    return figure(value) if isinstance(value, int) else str(value)


def _house_rules(final: Folded) -> str:
    """The unusual options: `hands of the match = 4 · partners may say what the rules let them say = no`."""
    game, terms = final.state.game, final.state.terms
    described = house_rules(game)
    return " · ".join(
        f"{described[f.name][0]} = {_named_seats(value, terms) or rule_value(value)}"
        for f in msgspec.structs.fields(game.options)
        if (value := getattr(terms.options, f.name)) not in (f.default, game.name)
    )


def _named_seats(value: Any, terms: Terms) -> str:
    """The players that a house rule names by seat; "" if it names none."""
    seats = value.split() if isinstance(value, str) else []
    return " and ".join(map(terms.name, seats)) if seats and all(seat in terms.seats for seat in seats) else ""


def result_in_words(score: MatchScore) -> str:
    """The winner, with the totals, the winner's first."""
    order = sorted(score.totals, key=lambda who: who != score.winner)
    figures = {w: figures_span(score.possible[w]) if w in score.possible else figure(score.totals[w]) for w in order}
    totals = " – ".join(f"{_who(w, score)} {figures[w]}" for w in order) if len(order) != 1 else figures[order[0]]
    if score.winner:
        rest = " : ".join(figures[w] for w in order)
        sure = ", whatever the unseen cards were" if score.possible else ""
        won = (
            f"{_who(score.winner, score)} won {rest}" if len(order) <= 2
            else f"{_who(score.winner, score)} won; {totals}"
        )
        return won + sure + not_by_play(score)
    if score.over or score.ended:
        how = without_one_winner(score, player_names(score.sides, score.names)) or "no winner"
        return f"{how}{not_by_play(score)}; {totals}"
    return f"not finished{not_by_play(score)}; {totals}"


def result_and_verdict(records: Iterable[Recorded]) -> tuple[str, str]:
    """The standing of a match in words, as ruled if a ruling changed it, and the stored verdict if it differs, else
    "".

    Raises like `replay.fold.fold`.
    """
    log = read_log(records)
    score, stood = official_score(log), read_kept_verdict(log)
    if stood is None or (stood.winner, stood.totals) == (score.winner, score.totals):
        return result_in_words(score), ""
    then = replace(score, winner=stood.winner, totals=stood.totals, possible={}, together=(), official="played")
    return result_in_words(score), f"when it ended: {result_in_words(then)}"


# -- possible figures, and the three ways ---------------------------------------------------------------------------


def differ(ways: Mapping[str, Way | MatchWay]) -> bool:
    """True if the ways of scoring give different figures."""
    return any(way_figures(way, who) != way_figures(ways["played"], who) for way in ways.values() for who in way.totals)


def _with_scores(state: State[Any], score: MatchScore) -> State[Any]:
    """The state with the figures that elimination makes certain, for the game's sheet."""
    told = {h.number: h for h in score.hands}
    out = state.snapshot()
    for i, s in enumerate(out.scores):
        hand = told.get(s.number)
        if hand is not None and None in (*s.points.values(), *s.totals.values()):
            lines = tuple(ScoreLine(c.label, c.amounts, c.sums, c.column) for c in hand.components)
            out.scores[i] = replace(
                s, points=hand.points, totals=hand.totals, lines=lines, result=hand.result, notes=hand.notes,
            )
    out.terms = everybody(state)
    out.scores = with_zero_for_absent(out.scores, out.terms, state.standing.left)
    return out


def _with_who_sat_there(sheet: Sheet, state: State[Any]) -> Sheet:
    """The sheet without figures of players in hands for which they were not at the table."""
    names = {state.terms.name(seat): seat for seat in state.terms.seats}
    if not state.sat:
        return sheet
    blocks = []
    for block in sheet.blocks:
        whose = [
            names.get(one.who, "") for one in block.layout
        ] if block.layout else [names.get(head, "") for head in block.columns]
        rows, number = [], 0
        for row in block.rows:
            number = hand_of_row(row) or number
            here = sat_in(number, state) if number and row.kind != "total" else state.terms.seats
            cells = (
                Cell("") if seat and seat not in here else cell for cell, seat in zip(row.cells, whose, strict=False)
            )
            rows.append(replace(row, cells=(*cells, *row.cells[len(whose):])))
        blocks.append(replace(block, rows=tuple(rows)))
    return replace(sheet, blocks=tuple(blocks))


def _as_in(state: State[Any], scores: list[HandScore], standing: Standing) -> State[Any]:
    """The state as if the match had been scored this way."""
    out = state.snapshot()
    other = {s.number: s for s in scores}
    out.scores = [other.get(s.number, s) for s in out.scores]
    if out.after is None:
        out.before = standing
    else:
        out.after = standing
    return out


def _with_ranges(sheet: Sheet, courses: list[Sheet]) -> Sheet:
    """Replace question marks by what each possible course of the match would write.

    A block is unchanged if the courses would lay it out differently.
    """
    blocks = []
    for i, block in enumerate(sheet.blocks):
        others = [one.blocks[i] for one in courses if i < len(one.blocks)]
        alike = others and len(others) == len(courses) and all(_shape(o) == _shape(block) for o in others)
        if alike:
            rows = [
                replace(
                    row,
                    cells=tuple(_ranged(cell, [o.rows[j].cells[k] for o in others]) for k, cell in enumerate(row.cells))
                )
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
    """Replace a cell with `?` or nothing by its possible texts; a chalk stroke stands, is erased or is unknown.

    >>> _ranged(Cell("?"), [Cell("3"), Cell("5")]).text
    '3..5'
    >>> _ranged(Cell("?"), [Cell("hand 3", mark="erased"), Cell("", mark="line")]).text
    '?'
    """
    if ("?" not in cell.text and cell.text not in ("–", "")) or any(
        o.mark in ("line", "erased") for o in (cell, *others)
    ):
        return cell
    text = either({o.text for o in others})
    if not text or text == cell.text:
        return cell
    if all(o == others[0] for o in others):
        return others[0]
    return replace(cell, text=text, mark="unknown")


def either(texts: set[str]) -> str:
    """Combine several texts: the only one, the range of figures, or a few words with "or"; "" if there are many or
    none.

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
    return "" if len(texts) > _MOST_WORDS or any("?" in t for t in texts) else one_of(sorted(texts))


def way_figures(way: Way | MatchWay, who: str) -> str:
    """The figures of one side in one way: `+7 → 17`, or the total alone."""
    if isinstance(way, MatchWay):
        return figures_span(way.possible[who]) if who in way.possible else figure(way.totals.get(who))
    gain = figures_span(way.possible[who]) if who in way.possible else signed(way.points.get(who))
    return (
        f"{gain} → "
        f"{figures_span(way.possible_totals[who]) if who in way.possible_totals else figure(way.totals.get(who))}"
    )


def _ways_block(score: MatchScore) -> Block:
    """A row per hand with different ways of scoring, and one for the match; a column per side and way that differs."""

    def is_other(name: str, ways: Mapping[str, Way | MatchWay]) -> bool:
        return name in ways and differ({"played": ways["played"], name: ways[name]})

    names = [
        name for name in WAYS if name == "played" or is_other(name, score.ways)
        or any(is_other(name, hand.ways) for hand in score.hands)
    ]

    def cells(ways: Mapping[str, Way | MatchWay]) -> list[Cell]:
        return [Cell(way_figures(ways[name], who)) for who in score.totals for name in names]

    columns = ["hand", *(f"{_who(who, score)} {WAYS[name]}" for who in score.totals for name in names)]
    rows = []
    for hand in score.hands:
        if differ(hand.ways) or (None in hand.points.values() and any(way.why for way in hand.ways.values())):
            notes = tuple(
                f"{WAYS[name]}: {without_references(text)}" for name, way in hand.ways.items() for text in way.why
            )
            rows.append(SheetRow((Cell(str(hand.number)), *cells(hand.ways)), notes=notes))
    if len(score.ways) > 1:
        rows.append(SheetRow((Cell("match"), *cells(score.ways)), "total"))
        won = {name: score.ways[name].winner for name in names}
        if len(set(won.values())) > 1:
            rows.append(
                SheetRow((
                    Cell("winner"),
                    *(Cell("won" if won[name] == who else "–") for who in score.totals for name in names),
                ))
            )
    return Block(THREE_WAYS, tuple(columns), tuple(rows))


# -- who sat there at the time


def _with_names_then(sheet: Sheet, state: State[Any], final: Folded, empty: Sheet) -> Sheet:
    """The sheet with the rows of each hand under the names of the players at its start."""
    view = final.view
    if all(type(p.event) is not Open for p in view.events):
        return sheet
    then = {h.number: terms_at(view, view.events[h.first - 1].n, state.terms) for h in final.hands if h.first}
    made: list[tuple[Terms, Sheet]] = []
    for terms in then.values():
        if terms.names != state.terms.names and all(terms.names != one.names for one, _ in made):
            other = state.snapshot()
            other.terms = terms
            made.append((terms, state.game.sheet(other, empty)))

    by_hand = {
        number: other for number, terms in then.items() for other_terms, other in made
        if other_terms.names == terms.names
    }
    blocks = []
    for i, block in enumerate(sheet.blocks):
        rows, number = [], 0
        for j, row in enumerate(block.rows):
            number = hand_of_row(row) or number
            then_rows = by_hand.get(number, sheet).blocks[i].rows
            rows.append(then_rows[j] if j < len(then_rows) else row)
        blocks.append(replace(block, rows=tuple(rows)))
    return replace(sheet, blocks=tuple(blocks))


def hand_of_row(row: SheetRow) -> int:
    """The hand that a row begins; 0 if it begins none."""
    first = row.cells[0].text.removeprefix("Hand ") if row.cells else ""
    return int(first) if first.isdecimal() else 0


# -- what the table wrote, and all figures as numbers


def _with_names(block: Block, called: Mapping[str, str]) -> Block:
    """The block with the players' names in its sums and notes, and in words such as `beaten by C`."""

    def told(cell: Cell) -> Cell:
        text = cell.text if cell.text in called.values() else with_player_names(cell.text, called)
        return replace(cell, text=text, sum=with_player_names(cell.sum, called))

    return replace(block, rows=tuple(
        replace(
            row, cells=tuple(map(told, row.cells)), notes=tuple(with_player_names(note, called) for note in row.notes),
        )
        for row in block.rows
    ))  # fmt: skip


def _with_stated(block: Block, score: MatchScore) -> Block:
    """The block with the table's own totals at the first cells from which they differ."""
    wrote = {(c.hand, _who(c.who, score)): c for c in score.claims if c.says == "differs" and c.kind == "total"}
    if not wrote or not block.layout:
        return block
    rows, number = [], 0
    for row in block.rows:
        number = hand_of_row(row) or number
        cells = tuple(
            replace(cell, stated=figure(wrote[number, column.who].claimed))
            if column.role == "total" and cell.mark in ("total", "won", "unknown", "crossed")
            and (number, column.who) in wrote else cell
            for cell, column in zip(row.cells, block.layout, strict=False)
        )  # fmt: skip
        rows.append(replace(row, cells=cells))
    return replace(block, rows=tuple(rows))


def _figures(score: MatchScore, state: State[Any]) -> Iterator[Figure]:
    """Every figure of the match: for each hand and side the lines of its score, their sum, and the total after it."""
    stated = {
        (c.hand, c.who, c.kind): c.claimed for c in score.claims if c.says not in ("replaced", "not understood")
        and not c.playing
    }
    for h in score.hands:
        if not h.done:
            continue
        told = (h.number, state.terms.name(h.dealer), h.contract, h.result)
        for side in h.points:
            name = _who(side, score)
            for line in h.components:
                if side in line.amounts:
                    # A line of the score may have the name "hand" or "total".
                    label = f"{line.label} (line)" if line.label in ("hand", "total") else line.label
                    yield Figure(*told, name, label, line.amounts[side], line.sums.get(side, ""))
            points, totals = (
                f"possible: {figures_span(v[side])}" if side in v else "" for v in (h.possible, h.possible_totals)
            )
            yield Figure(*told, name, "hand", h.points[side], points, stated.get((h.number, side, "hand")))
            yield Figure(*told, name, "total", h.totals.get(side), totals, stated.get((h.number, side, "total")))


__all__ = [
    "THREE_WAYS", "WAYS", "differ", "doubts", "either", "sheet_head", "result_and_verdict", "result_in_words",
    "sheet_from", "sheet_of", "way_figures",
]
