"""One hand as a page to print, as a column about card games shows it: the deal, the plays, the score, and what was
found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from events.model import Recorded
from reducers.scoring import figure
from reducers.sheet import Block, Cell, Sheet
from replay.auditing.audit_text import one_cause
from replay.auditing.check import check
from replay.auditing.proof import HindsightReplay
from replay.judging.findings import OF_THE_RECORD
from replay.languages.catalogue import ENGLISH
from replay.languages.translate import speaking
from replay.paper.remarks import for_players, without_references
from replay.paper.report import Reporter
from replay.paper.report_hand import deal_part
from replay.paper.sheet import sheet_head
from replay.read_log import read_log
from replay.scoring.hands import folded_log
from replay.scoring.outcomes import figures_span

_MOST_SAID = 200
_POSITION = re.compile(r"^\d+: ")
_DEAL = re.compile(r"^at (\d+)$")


@speaking(ENGLISH)
def hand_sheet(records: Iterable[Recorded], hand: int) -> Sheet:
    """Return the page of one hand. Raises NotFoundError for a hand the log does not have, and like
    `replay.judging.judge.judge`."""
    log = read_log(records)
    told = Reporter(HindsightReplay(log), check(log, hand=hand), hand)
    # An open question has no sentence here, and so no sign.
    broken = {at: [sign for sign in signs if sign.startswith("✗")] for at, signs in told.signs.items()}
    dealt = deal_part(next((d for d in told.audit.deals if d.hand == hand), None), told.terms, told.state.game)
    plays, score = told.plays.part(broken), told.scores()
    played = told.with_names(plays) if plays is not None else None
    parts = [part for part in (dealt, played, score) if part is not None]
    items = played.items if played is not None else ()
    # Speech has no position before it.
    speech = told.named(items[0]) if items and not _POSITION.match(items[0]) and len(items[0]) <= _MOST_SAID else ""
    acts = items[1:] if speech else items
    head = sheet_head(log, log.once(folded_log), replace(told.match, names=dict(told.terms.names)))
    won = told.score
    sides = tuple(
        replace(
            side,
            total=figures_span(won.possible_totals[who]) if who in won.possible_totals else figure(won.totals.get(who)),
            won=False, players=(),
        )
        for who, side in zip(told.terms.sides, head.sides, strict=True)
    ) if won is not None else ()  # fmt: skip
    contract = told.named(", ".join(filter(None, (won.contract, won.result)))) if won is not None else ""
    dealer = f"dealt by {told.terms.name(won.dealer)}" if won is not None else ""
    verdict = ": ".join(filter(None, (f"hand {hand}, {dealer}".removesuffix(", "), contract)))
    verdict += f". {speech}" if speech else ""
    head = replace(head, sides=sides, verdict=verdict[:1].upper() + verdict[1:], scorer="", lines=0)
    blocks = tuple(_for_readers(part.block, told.called) for part in parts if part.block is not None)
    below = (
        for_players(without_references(text), told.called)
        for text in (*acts, *(score.items if score is not None else ()))
    )
    turns = _turns([_POSITION.sub("", text) for text in below], [told.terms.name(seat) for seat in told.terms.seats])
    remarks = (*_findings(told), *turns, *(part.legend for part in parts if part.legend))
    return Sheet(told.title(), (("Game", head.game), ("Result", head.verdict)), blocks, remarks, head=head)


def _for_readers(block: Block, called: Mapping[str, str]) -> Block:
    """A block with names of players, and without positions of events; several deals are counted."""
    kept = [i for i, column in enumerate(block.columns) if column != "events"]
    counted = {
        f"at {n}": str(i)
        for i,
        n in enumerate(
            (at for text in (*block.columns, *(row.cells[0].text for row in block.rows)) for at in _DEAL.findall(text)),
            1,
        )
    }
    rows = (
        replace(row, cells=tuple(_plain(row.cells[i], counted, called) for i in kept if i < len(row.cells)))
        for row in block.rows
    )
    return replace(
        block, columns=tuple(counted.get(block.columns[i], block.columns[i]) for i in kept), rows=tuple(rows),
    )


def _plain(cell: Cell, counted: Mapping[str, str], called: Mapping[str, str]) -> Cell:
    """A cell for a reader; a finding has a sign, so that it needs no mark."""
    # Hands of cards are no sentences: a letter in them is a rank.
    text = for_players(cell.text, called) if " " in cell.text and ":" in cell.text else cell.text
    return replace(cell, text=counted.get(text, text), mark="" if cell.mark == "wrong" else cell.mark)


def _turns(acts: Iterable[str], names: Iterable[str]) -> Iterator[str]:
    """Sentences, with the acts of one player in a row as one.

    >>> list(_turns(["Ann draws a card", "Ann throws 5♣", "Ben draws a card"], ["Ann", "Ben"]))
    ['Ann draws a card; throws 5♣', 'Ben draws a card']
    """
    starts, out = tuple(f"{name} " for name in names), list[str]()
    for text in acts:
        start = next((start for start in starts if text.startswith(start)), "")
        if start and out and out[-1].startswith(start):
            out[-1] += f"; {text.removeprefix(start)}"
        else:
            out.append(text)
    yield from out


def _findings(told: Reporter) -> Iterator[str]:
    """The rules that were broken, with the sign of each."""
    for number, (f, _) in enumerate(one_cause(told.audit.broken), 1):
        if f.rule not in OF_THE_RECORD:
            legal = f"; legal: {', '.join(f.legal[:6])}" if f.legal else ""
            unless = f", unless {told.named(f.unless)}" if f.unless else ""
            yield f"✗{number} {f.short}: {without_references(told.named(f.says))}{unless}{legal}."
